/* SPDX-License-Identifier: MIT */
/* What a host without a C library takes of dppair: noise from keys and from its entropy, the Gaussian
 * curve, and gradients of pairs. compare.c links it twice, compiled with DPPAIR_FREESTANDING and
 * without, and compares the bits. OBJECT(name) names the functions; NOISE_ONLY leaves
 * Gaussian and Laplace noise from keys and the curve: no pairs, and no self-test. */
#include "object.h"

#if defined(DPPAIR_FREESTANDING) && !defined(WITHOUT_ENTROPY)
static unsigned char box[256]; /* what the host has put there, once */
static size_t in_box;
static int entropy_of_box(unsigned char *out, size_t n) {
  size_t i;
  if (n > in_box) return -1;
  for (i = 0; i < n; i++) {
    out[i] = box[i];
    box[i] = 0;
  }
  in_box = 0;
  return 0;
}
#define DPPAIR_ENTROPY(out, n) entropy_of_box(out, n)
#endif

#ifndef NOISE_ONLY
#define DPPAIR_WITH_SHARES
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_losses.h"
#endif
#include "dppair_accountant.h"
#include "dppair_noise.h"

#ifndef NOISE_ONLY
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#endif

#if defined(DPPAIR_FREESTANDING) && !defined(HOSTED_LIBRARY) &&                                     \
    (defined(_STRING_H) || defined(_MATH_H) || defined(_STDLIB_H) || defined(EOF) || defined(memcpy))
#error "A header of the C library was read, or a name of its left as a macro."
#endif

void OBJECT(give_entropy)(const unsigned char *bytes, size_t n) {
#if defined(DPPAIR_FREESTANDING) && !defined(WITHOUT_ENTROPY)
  size_t i;
  for (i = 0; i < n && i < sizeof box; i++) box[i] = bytes[i];
  in_box = i;
#else
  (void)bytes, (void)n;
#endif
}

#ifndef NOISE_ONLY
int OBJECT(key_of_host)(unsigned char out[64]) {
  dppair_rng rng;
  dppair_status status = dppair_rng_from_os(&rng);
  if (status == DPPAIR_OK) status = dppair_rng_bytes(out, 64, &rng);
  dppair_wipe(&rng, sizeof rng);
  return (int)status;
}
#endif

int OBJECT(release)(void *x, size_t n, int law, double scale, int grid, int cipher,
                    const unsigned char key[32], uint64_t stream) {
  dppair_rng rng;
  dppair_status status = cipher ? dppair_rng_from_key_aes256(&rng, key, stream)
                                : dppair_rng_from_key(&rng, key, stream);
  if (status != DPPAIR_OK) return (int)status;
  switch (law) {
  case 0: status = dppair_add_gaussian_f64_grid((double *)x, n, scale, grid, &rng); break;
  case 1: status = dppair_add_gaussian_f32_grid((float *)x, n, scale, grid, &rng); break;
  case 2: status = dppair_add_laplace_f64_grid((double *)x, n, scale, grid, &rng); break;
  case 3: status = dppair_add_laplace_f32_grid((float *)x, n, scale, grid, &rng); break;
#ifndef NOISE_ONLY
  case 4: status = dppair_add_l2ball_f64_grid((double *)x, n, scale, grid, &rng); break;
  case 5: status = dppair_add_skellam((int64_t *)x, n, scale * scale, &rng); break;
  case 6: status = dppair_discrete_gaussian((int64_t *)x, n, 25, 4, &rng); break;
  case 7: status = dppair_shuffle((size_t *)x, n, &rng); break;
#endif
  default: status = dppair_rng_bytes(x, n * 8, &rng); break;
  }
  dppair_wipe(&rng, sizeof rng);
  return (int)status;
}

int OBJECT(curve)(double out[4], double epsilon, double delta, double sensitivity, size_t steps) {
  dppair_status status = dppair_gaussian_mu(&out[0], epsilon, delta);
  if (status == DPPAIR_OK) status = dppair_gaussian_sigma(&out[1], sensitivity, epsilon, delta, steps);
  if (status == DPPAIR_OK) status = dppair_gaussian_epsilon(&out[2], delta, out[0]);
  if (status == DPPAIR_OK) status = dppair_gaussian_delta(&out[3], epsilon, out[0]);
  return (int)status;
}

#ifndef NOISE_ONLY
int OBJECT(gradient)(double *g, const double *x, const double *w, size_t np, size_t n, size_t d,
                     double *factor, void *work, size_t bytes) {
  dppair_rows_f64 rows;
  dppair_options options = {NULL, 0, NULL, NULL, work, bytes, NULL};
  dppair_status status = dppair_rows_clip_f64(&rows, factor, x, n, d, d, 1.0);
  rows.positives = np;
  if (status == DPPAIR_OK) status = rank_gradient(g, &rows, w, &options);
  return (int)status;
}

int OBJECT(pairs)(double *a, double *b, const float *sp, size_t np, const float *sn, size_t nn) {
  return (int)narrow_coeffs(a, b, sp, np, sn, nn, NULL);
}
#endif
