/* SPDX-License-Identifier: MIT */
/* The functions of object.c, under the names of each way of compiling it. */
#ifndef TESTS_FREESTANDING_OBJECT_H
#define TESTS_FREESTANDING_OBJECT_H
#include <stddef.h>
#include <stdint.h>
#ifndef OBJECT
#define OBJECT(name) bare_##name
#endif
#ifdef __cplusplus
extern "C" {
#endif
#define FUNCTIONS_OF_OBJECT(object)                                                                \
  void object(give_entropy)(const unsigned char *bytes, size_t n);                                 \
  int object(key_of_host)(unsigned char out[64]);                                                  \
  int object(release)(void *x, size_t n, int law, double scale, int grid, int cipher,              \
                      const unsigned char key[32], uint64_t stream);                               \
  int object(curve)(double out[4], double epsilon, double delta, double sensitivity, size_t steps); \
  int object(gradient)(double *g, const double *x, const double *w, size_t np, size_t n, size_t d, \
                       double *factor, void *work, size_t bytes);                                  \
  int object(pairs)(double *a, double *b, const float *sp, size_t np, const float *sn, size_t nn);
FUNCTIONS_OF_OBJECT(OBJECT)
#ifdef __cplusplus
}
#endif
#endif
