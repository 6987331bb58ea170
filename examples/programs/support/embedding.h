/* SPDX-License-Identifier: MIT */
/*
 * embedding.h - maps of records into few dimensions, trained by a contrastive loss.
 *
 * z = W^T x, or z = V^T tanh(U^T x) with a hidden layer. Each class has a code word, a public point
 * of the embedding that no record chooses; records are compared with code words as with each other
 * (similarity -|z - z'|^2). So the start, W = 0 or U = 0, is no saddle, and the first step already
 * goes where the classes lie: a random start would have to be amplified first, which noise drowns.
 * V starts as rows spread over the sphere: while tanh is linear, z is as without a hidden layer,
 * and noise on U that V does not see costs nothing.
 */
#ifndef EMBEDDING_H
#define EMBEDDING_H

#include <stdint.h>

#include "methods/method.h"

/* supcon: of each record and each code word, all that have its label against all. infonce: of each
 * record its own code word against all code words. triplet: for each record and each code word, all
 * of its label nearer than all others by a margin, squared distances. */
typedef enum embedding_loss {
  EMBED_SUPCON,
  EMBED_INFONCE,
  EMBED_TRIPLET,
  EMBED_LOSSES
} embedding_loss;
extern const char *const embedding_losses[EMBED_LOSSES];

typedef struct embedding {
  size_t d, hidden, dim, classes, size; /* hidden 0: a linear map; size: of theta */
  double *theta;                        /* W[d][dim], or U[d][hidden] and V[hidden][dim] */
  double *code;                         /* classes x dim, of norm 1 */
} embedding;

/* Rows x[n][d] with labels y[n] in 0 .. classes - 1. */
typedef struct labelled {
  size_t n;
  const double *x, *y;
} labelled;

typedef struct embedding_settings {
  embedding_loss loss;
  double temperature, margin;
  /* of private training: group records are clipped together, batch of n are drawn a step */
  size_t group, batch, steps;
  double clip, step_size; /* a step is step_size times the mean in units of the clip */
  double epsilon, delta;  /* for one replaced record */
} embedding_settings;

/* The public start; 0 on lack of memory. */
int embedding_make(embedding *e, size_t d, size_t hidden, size_t dim, size_t classes);
void embedding_free(embedding *e);

/* z[n][dim] of rows x[n][d]; 0 on lack of memory. */
int embedding_apply(double *z, const embedding *e, const double *x, size_t n);

/* The share of embeddings z whose label is that of the nearest code word: no record is needed to
 * classify another one. */
double embedding_code_accuracy(const embedding *e, const double *z, const double *y, size_t n);

/* Trains from the public start with noise. *spent: what the account answers; *sigma: the deviation
 * of the noise on the mean of the groups' clipped gradients. (seed, run): the keys of a simulation,
 * each pair of them once. */
dppair_status embedding_train_private(embedding *e, double *spent, double *sigma,
                                      const labelled *rows, const embedding_settings *s,
                                      uint64_t seed, uint64_t run);

/* Trains from the public start on all records at once, without clip or noise: NOT PRIVATE. */
dppair_status embedding_train_not_private(embedding *e, const labelled *rows,
                                          const embedding_settings *s);

/* z[n][dim] = x[n][d] less the mean of the `of` rows, along the `dim` principal directions of
 * these: NOT PRIVATE. 0 on lack of memory. */
int principal_not_private(double *z, const double *x, size_t n, size_t d, const double *of,
                          size_t m, size_t dim);

#endif /* EMBEDDING_H */
