/* SPDX-License-Identifier: MIT */
/*
 * site.h - what sites.c runs at each site: its records, its plans, its shares and their masks; and
 * what everybody computes from sums of shares. The protocol and its proof are at the head of
 * sites.c. An error ends the process: none depends on a record, but that a line of the file is no
 * record.
 */
#ifndef SITE_H
#define SITE_H

#include <stddef.h>
#include <stdint.h>

#include "dppair_shares.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair_pointwise.h"

#include "dppair.h"

enum { SITES = 8, COLUMNS = 256, NODES = 33, REFRESH = 10, BITS = 32, WORDS = COLUMNS + 2 * NODES };
#define SCALE 16384.0  /* integers for 1 */
#define RADIUS 1.0     /* longer records are shortened */
#define CLIP 0.25      /* of a record's vector in the gradient */
#define BALL 4.0       /* |w|, and so the scores */
#define RATE 20.0      /* of the descent */
#define HISTOGRAMS 0.2 /* their share of the budget */

typedef struct site_options {
  double epsilon, delta;
  size_t steps, sites, drop_step;
  unsigned drop; /* the site, from 1, that ends in that step; 0: none */
  int late;      /* after it has sent its share */
  int pooled;
  uint8_t seed; /* of the noise, for tests; 0: from the system */
} site_options;

/* What everybody knows. `alive` has a bit for each site; count is the histogram that was released.
 */
typedef struct model {
  size_t d, n[SITES];
  uint32_t alive;
  double w[COLUMNS], node[NODES], count[2 * NODES];
} model;

/* PRIVATE, but for n and d. */
typedef struct site {
  unsigned index;
  size_t n, positives, d;
  double *x, *factor;
  dppair_rows_f64 rows;
  dppair_accountant account;
  dppair_release histograms, gradients;
  uint8_t pair_key[SITES][32];
  double wrap; /* that some sum so far came out wrong: at most this probability */
} site;

void stop(const char *what, const char *why);
void need(dppair_status status, const char *what);

/* Reads a file and opens the plans of all steps. */
void site_open(site *s, unsigned index, const char *path, const site_options *o);
/* The next share of a histogram's or a gradient's sum: PRIVATE, until it is added to the others. */
void site_share(uint64_t *share, site *s, const model *m, int gradient, size_t honest);
/* share += the masks of this round with the sites in `others`. */
void site_mask(uint64_t *share, const site *s, uint32_t others, uint64_t round, size_t size);
void site_close(site *s);

void model_begin(model *m, const site_options *o);
size_t model_records(const model *m);
size_t model_size(const model *m, int gradient);
/* The next model, from the sum of the shares. */
void model_apply(model *m, int gradient, const uint64_t *sum);
size_t count_of(uint32_t alive);
/* One site may fail; a run with fewer than these ends. */
size_t sites_needed(const site_options *o);
/* HONEST: the shares of noise that a site surely does not know. It knows its own. */
size_t shares_counted(const site_options *o);

#endif
