/* SPDX-License-Identifier: MIT */
/*
 * Where methods spend: all noise, all random choices, and what a run may claim for them.
 *
 * Methods call these and not the headers, so that there is one place at which a run without noise
 * is told from a private one, and so that the generator and the accountant are compiled once.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "methods/method.h"
#include "support/sha256.h"

void note(model *out, const char *format, ...) {
  size_t used = strlen(out->note);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(out->note + used, sizeof out->note - used, format, list);
  va_end(list);
}

/* --- noise ------------------------------------------------------------------------------------ */

int noise_reaches(double reach, double scale) { return reach < 0x1p40 * scale; }

dppair_status task_gaussian(double *v, size_t n, double sigma, const task *t) {
  if (t->with.noiseless) return DPPAIR_OK;
  return dppair_add_gaussian_f64(v, n, sigma, t->noise);
}

dppair_status task_l2ball(double *v, size_t n, double scale, const task *t) {
  if (t->with.noiseless) return DPPAIR_OK;
  return dppair_add_l2ball_f64(v, n, scale, t->noise);
}

dppair_status task_laplace(double *v, size_t n, double scale, const task *t) {
  if (t->with.noiseless) return DPPAIR_OK;
  return dppair_add_laplace_f64(v, n, scale, t->noise);
}

dppair_status task_fine_noise(double *v, size_t n, double scale, int pure, int grid,
                              const task *t) {
  if (t->with.noiseless) return DPPAIR_OK;
  return pure ? dppair_add_l2ball_f64_grid(v, n, scale, grid, t->noise)
              : dppair_add_gaussian_f64_grid(v, n, scale, grid, t->noise);
}

/* --- random choices --------------------------------------------------------------------------- */

dppair_status task_order(size_t *order, size_t n, const task *t) {
  size_t i;
  for (i = 0; i < n; i++) order[i] = i;
  return dppair_shuffle(order, n, t->indices);
}

dppair_status task_draws(size_t *out, size_t count, size_t n, const task *t) {
  const dppair_sampling s = dppair_sampling_with_replacement(n, count, DPPAIR_REPLACE_ONE);
  size_t drawn;
  return dppair_draw(out, &drawn, count, &s, t->indices);
}

dppair_status task_coins(size_t *out, size_t *count, size_t m, size_t n, const task *t) {
  const dppair_sampling s = dppair_sampling_poisson(n, m, DPPAIR_REPLACE_ONE);
  return dppair_draw(out, count, n, &s, t->indices);
}

dppair_status task_uniform(double *v, size_t n, const task *t) {
  size_t i;
  dppair_status status = DPPAIR_OK;
  for (i = 0; i < n && status == DPPAIR_OK; i++) status = dppair_rng_uniform_f64(&v[i], t->indices);
  return status;
}

dppair_status trial_keys(dppair_rng *noise, dppair_rng *indices, uint64_t seed, uint64_t run) {
  uint8_t key[KEY_SIZE] = {0};
  size_t k;
  dppair_status status;
  for (k = 0; k < 8; k++) key[k] = (uint8_t)(seed >> (8 * k) & 255);
  key[8] = 's';
  status = dppair_rng_from_key(noise, key, run);
  key[9] = 'i';
  return status != DPPAIR_OK ? status : dppair_rng_from_key(indices, key, run);
}

dppair_status fresh_key(uint8_t key[KEY_SIZE]) {
  dppair_rng rng;
  dppair_status status = dppair_rng_from_os(&rng);
  if (status == DPPAIR_OK) status = dppair_rng_bytes(key, KEY_SIZE, &rng);
  dppair_wipe(&rng, sizeof rng);
  return status;
}

dppair_status bound_generator(dppair_rng *rng, const uint8_t key[KEY_SIZE],
                              const uint8_t digest[DIGEST_SIZE]) {
  uint8_t bound[KEY_SIZE];
  int k, b;
  dppair_status status = DPPAIR_OK;
  memcpy(bound, key, KEY_SIZE);
  for (k = 0; k < DIGEST_SIZE / 8 && status == DPPAIR_OK; k++) {
    uint64_t stream = 0;
    for (b = 0; b < 8; b++) stream |= (uint64_t)digest[8 * k + b] << (8 * b);
    status = dppair_rng_from_key(rng, bound, stream);
    if (status == DPPAIR_OK) status = dppair_rng_bytes(bound, KEY_SIZE, rng);
  }
  if (status == DPPAIR_OK) status = dppair_rng_from_key(rng, bound, 0);
  dppair_wipe(bound, sizeof bound);
  if (status != DPPAIR_OK) dppair_wipe(rng, sizeof *rng);
  return status;
}

/* --- budgets and claims ----------------------------------------------------------------------- */

double larger(double a, double b) {
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b)) return HUGE_VAL;
  return a > b ? a : b;
}

dppair_status task_mu(double *mu, const task *t) {
  return dppair_gaussian_mu(mu, t->epsilon, t->delta);
}

dppair_status task_claim(double *epsilon, const dppair_accountant *spent, const task *t) {
  double found;
  dppair_status status = dppair_accountant_epsilon(&found, spent, t->delta);
  *epsilon = HUGE_VAL;
  if (status != DPPAIR_OK || t->with.noiseless) return status;
  if (!(found <= t->epsilon * (1 + 1e-6))) return DPPAIR_ERR_NO_PROOF;
  *epsilon = found < t->epsilon ? found : t->epsilon;
  return DPPAIR_OK;
}

/* The true epsilon of a noise that a paper prints. */
static void claim_as_printed(model *out, double found, const char *whose, const task *t) {
  note(out, "AS PRINTED: %s at epsilon = %.4g gives epsilon = %.4g. ", whose, t->epsilon, found);
  out->epsilon = t->with.noiseless ? HUGE_VAL : found;
}

dppair_status claim_steps(model *out, const dppair_accountant *spent, const char *whose,
                          const task *t) {
  double found;
  dppair_status status;
  if (!t->with.as_printed) return task_claim(&out->epsilon, spent, t);
  status = dppair_accountant_epsilon(&found, spent, t->delta);
  claim_as_printed(out, found, whose, t);
  return status;
}

dppair_status printed_noise(double *scale, const dppair_paper *paper) {
  dppair_paper_verdict verdict;
  dppair_status status = dppair_paper_check(&verdict, paper);
  *scale = verdict.noise_printed;
  return status;
}

dppair_status release_output(model *out, double *w, size_t size, double sensitivity,
                             const task *t) {
  dppair_status status;
  out->epsilon = t->with.noiseless ? HUGE_VAL : t->epsilon;
  if (t->delta > 0) {
    status = dppair_gaussian_sigma(&out->sigma, sensitivity, t->epsilon, t->delta, 1);
    return status != DPPAIR_OK ? status : task_gaussian(w, size, out->sigma, t);
  }
  out->sigma = sensitivity / t->epsilon * (1 + 4 * DBL_EPSILON);
  return task_l2ball(w, size, out->sigma, t);
}

dppair_status release_as_printed(model *out, double *w, size_t size, double scale,
                                 double sensitivity, const task *t) {
  dppair_accountant spent;
  double found = HUGE_VAL;
  dppair_status status;
  out->sigma = scale;
  if (!noise_reaches((double)t->train.n * sensitivity, scale)) return DPPAIR_ERR_NO_PROOF;
  if (t->delta > 0) {
    status = dppair_accountant_init(&spent);
    if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&spent, sensitivity, scale, 1);
    if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&found, &spent, t->delta);
    if (status == DPPAIR_OK) status = task_gaussian(w, size, scale, t);
  } else {
    /* |z|_1 <= sqrt(size) |z|_2 */
    found = sqrt((double)size) * sensitivity / scale * (1 + 8 * DBL_EPSILON);
    status = task_laplace(w, size, scale, t);
  }
  claim_as_printed(out, found, "the paper's noise", t);
  return status;
}
