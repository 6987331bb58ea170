/* SPDX-License-Identifier: MIT */
/*
 * Where methods spend: releases, random choices, and what a run may claim for them.
 *
 * Methods call these and not the headers, so that there is one place at which a run without noise
 * is told from a private one, and so that the generator and the accountant are compiled once. A
 * method says what may be released how often, and how far one record moves it; no method has a
 * noise scale of its own but those that repeat what a paper prints (printed_...).
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"

#include "dppair_attack.h"
#include "support/sha256.h"

void note(model *out, const char *format, ...) {
  size_t used = strlen(out->note);
  va_list list;
  va_start(list, format);
  (void)vsnprintf(out->note + used, sizeof out->note - used, format, list);
  va_end(list);
}

/* --- the budget ------------------------------------------------------------------------------- */

double larger(double a, double b) {
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b)) return HUGE_VAL;
  return a > b ? a : b;
}

dppair_status task_mu(double *mu, const task *t) {
  return dppair_gaussian_mu(mu, t->epsilon, t->delta);
}

/* Of a run without noise, which goes the same ways as any other: just above the least multiplier
 * that sampled steps may have. */
static const double noiseless_multiplier = 2e-6;

dppair_status spending_begin(spending *s, const task *t) {
  memset(s, 0, sizeof *s);
  s->t = t;
  return dppair_accountant_init(&s->account);
}

void spending_end(spending *s) { dppair_release_close(&s->release); }

/* What the ledger's sink of a course knows beside the line. */
typedef struct beginning {
  const course *course;
  const uint8_t *key;
  size_t steps;
} beginning;

static dppair_status course_begin(const char *line, size_t length, void *context) {
  const beginning *b = context;
  return b->course->begin(b->key, line, length, b->steps, b->course->context);
}

/* Goes on with the plan of a course that began in another process. */
static dppair_status resume_plan(spending *s, const dppair_plan *plan) {
  const course *c = s->t->course;
  size_t bad;
  dppair_status status = dppair_ledger_replay(&s->account, &bad, c->line, c->length);
  if (status == DPPAIR_OK)
    status = dppair_release_resume(&s->release, &s->account, plan, c->line, c->length, c->key,
                                   c->done);
  if (status == DPPAIR_OK) s->release.sigma = c->sigma; /* of a run that has no step left */
  return status;
}

/* Opens the plan; its keys are the next 48 bytes of the task's generator. With a course it can be
 * gone on with. */
static dppair_status spend_plan(spending *s, dppair_plan *plan) {
  uint8_t bytes[KEY_SIZE + 16];
  const dppair_release_keys keys = {bytes, bytes + KEY_SIZE};
  const course *c = s->t->course;
  beginning begins = {c, bytes, plan->steps};
  dppair_status status;
  if (c != NULL && c->line != NULL) return resume_plan(s, plan);
  if (s->t->with.noiseless) {
    plan->epsilon = plan->delta = 0;
    plan->noise_multiplier = noiseless_multiplier;
  }
  if (c != NULL && c->begin != NULL) plan->ledger = dppair_ledger_to(course_begin, &begins);
  status = dppair_rng_bytes(bytes, sizeof bytes, s->t->noise);
  if (status == DPPAIR_OK && c != NULL) status = dppair_release_nonce(bytes + KEY_SIZE, bytes);
  if (status == DPPAIR_OK) status = dppair_release_open(&s->release, &s->account, plan, &keys);
  dppair_wipe(bytes, sizeof bytes);
  return status;
}

/* --- what a task protects ---------------------------------------------------------------------- */

dppair_adjacency task_adjacency(const task *t) {
  return t->adjacency == 0 ? DPPAIR_REPLACE_ONE : t->adjacency;
}

size_t task_units(const task *t) {
  return task_adjacency(t) == DPPAIR_REPLACE_ONE || task_adjacency(t) == DPPAIR_ZERO_OUT
             ? t->train.n
             : t->train.groups;
}

size_t task_most(const task *t) {
  if (task_adjacency(t) == DPPAIR_REPLACE_ONE) return t->train.n;
  if (t->most > 0) return t->most;
  return t->train.groups > SIZE_MAX / RECORDS_EACH ? SIZE_MAX : RECORDS_EACH * t->train.groups;
}

static dppair_plan plan_of(const spending *s, size_t steps) {
  const dppair_plan none = {0};
  dppair_plan plan = none;
  plan.steps = steps;
  plan.sampling = dppair_sampling_all(task_units(s->t), task_adjacency(s->t));
  plan.noise = s->t->delta > 0 ? DPPAIR_GAUSSIAN : DPPAIR_L2BALL;
  return plan;
}

dppair_status spend_all(spending *s, size_t steps) {
  dppair_plan plan = plan_of(s, steps);
  plan.epsilon = s->t->epsilon;
  plan.delta = s->t->delta;
  return spend_plan(s, &plan);
}

dppair_status spend_part(spending *s, size_t steps, double part, int counts) {
  dppair_plan plan = plan_of(s, steps);
  const int pure = plan.noise != DPPAIR_GAUSSIAN;
  plan.noise_multiplier = (pure ? (double)steps : sqrt((double)steps)) / part;
  plan.noise_multiplier *= 1 + 1e-12; /* so that parts add up to no more than the whole */
  if (pure && counts) plan.noise = DPPAIR_LAPLACE;
  return spend_plan(s, &plan);
}

/* The composer of the whole run: its memory is large, and it is asked for often. NULL when there is
 * no memory. */
static const dppair_composer *composer_of_run(void) {
  static dppair_composer composer;
  size_t bytes;
  void *work;
  if (composer.work != NULL) return &composer;
  if (dppair_composer_workspace(&bytes, NULL) != DPPAIR_OK) return NULL;
  work = malloc(bytes);
  return dppair_composer_init(&composer, work, bytes) == DPPAIR_OK ? &composer : NULL;
}

dppair_status spend_batches(spending *s, size_t steps, dppair_sampling sampling) {
  dppair_plan plan = plan_of(s, steps);
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  const dppair_composer *composer = composer_of_run();
  plan.epsilon = s->t->epsilon; /* of every route of the accountant, the tightest */
  plan.delta = s->t->delta;
  plan.sampling = sampling;
  if (composer != NULL) status = dppair_calibrate(&plan, &s->account, composer);
  return status == DPPAIR_OK ? spend_plan(s, &plan) : status;
}

dppair_status spend_multiplier(spending *s, size_t steps, double multiplier) {
  dppair_plan plan = plan_of(s, steps);
  plan.noise_multiplier = multiplier;
  return spend_plan(s, &plan);
}

/* Share of the budget that goes to the noise that hides what the solver leaves: more where sums over
 * many records round more and the noise of the objective matters less. */
static double trace_share(size_t n) { return fmin(3e-2, fmax(1e-3, 1e-8 * (double)n)); }

dppair_status spend_fit(spending *s, double before, double epsilon, double ratio) {
  const task *t = s->t;
  dppair_plan plan = plan_of(s, 1);
  const int pure = !(t->delta > 0);
  double mu = epsilon;
  dppair_status status = pure ? DPPAIR_OK : dppair_gaussian_mu(&mu, epsilon, t->delta);
  if (task_adjacency(t) != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  plan.noise = pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE;
  plan.output_mu = mu * trace_share(t->train.n);
  if (status == DPPAIR_OK)
    status = dppair_objective_noise(&plan.noise_multiplier,
                                    pure ? (epsilon - plan.output_mu) * (1 - 1e-12) : epsilon, t->delta,
                                    pure ? 0 : hypot(before, plan.output_mu) * (1 + 1e-12), ratio);
  plan.ridge = ratio * plan.noise_multiplier;
  if (t->with.noiseless) plan.output_mu = 1e6;
  return status == DPPAIR_OK ? spend_plan(s, &plan) : status;
}

/* A release of the open plan; a run without noise gets its numbers back. */
static dppair_status spend(double *v, size_t size, double sensitivity, int l1, spending *s) {
  double *exact = NULL;
  dppair_status status;
  if (s->t->with.noiseless) {
    if ((exact = malloc(size * sizeof *exact)) == NULL) return DPPAIR_ERR_OVERFLOW;
    memcpy(exact, v, size * sizeof *exact);
  }
  status = l1 ? dppair_release_histogram(v, size, &s->release, sensitivity)
              : dppair_release_vector(v, size, &s->release, sensitivity);
  if (exact != NULL && status == DPPAIR_OK) memcpy(v, exact, size * sizeof *v);
  free(exact);
  return status;
}

dppair_status spend_on(double *v, size_t size, double sensitivity, spending *s) {
  return spend(v, size, sensitivity, 0, s);
}

dppair_status spend_draw(size_t *index, size_t *count, size_t capacity, spending *s) {
  dppair_batch drawn;
  const dppair_status status = dppair_release_draw(&drawn, index, capacity, &s->release);
  *count = drawn.count;
  return status;
}

dppair_status spend_on_groups(double *mean, const dppair_group_sum *sum, spending *s) {
  return dppair_release_groups(mean, &s->release, sum);
}

dppair_status spend_on_counts(double *counts, size_t size, size_t most, spending *s) {
  if (s->release.mechanism == DPPAIR_LAPLACE) return spend(counts, size, (double)most, 1, s);
  return spend(counts, size, sqrt((double)most) * (1 + 4 * DBL_EPSILON), 0, s);
}

dppair_status spend_on_marginals(double *v, size_t size, const dppair_marginals *query,
                                 spending *s) {
  const records *rows = &s->t->train;
  size_t bytes;
  void *work;
  dppair_status status = dppair_marginals_workspace(&bytes, query->d);
  if (status != DPPAIR_OK) return status;
  if ((work = malloc(bytes)) == NULL) return DPPAIR_ERR_OVERFLOW;
  status = dppair_release_marginals(v, size, &s->release, query, rows->raw, rows->y, NULL, rows->n,
                                    work, bytes);
  free(work);
  return status;
}

dppair_status last_mu(double *mu, const last_plan *plan) {
  return dppair_gaussian_mu_last_iterate(mu, plan->sensitivity, plan->sigma, plan->smoothness,
                                         plan->alpha, plan->eta, plan->steps, plan->diameter);
}

dppair_status spend_last(spending *s, const last_plan *plan) {
  double mu;
  dppair_status status = last_mu(&mu, plan);
  if (status == DPPAIR_OK) status = dppair_accountant_neighbours(&s->account, DPPAIR_REPLACE_ONE);
  return status == DPPAIR_OK ? dppair_accountant_gaussian(&s->account, mu, 1, 1) : status;
}

dppair_status spend_unseen(double *w, size_t size, double scale, int fine, spending *s) {
  if (s->t->with.noiseless) return DPPAIR_OK;
  return dppair_add_gaussian_f64_grid(w, size, scale, fine, s->t->noise);
}

/* How far one record moves all releases of the stream, and what sigma that takes. */
static dppair_status stream_sigma(double *sigma, spending *s, const dppair_pair_unit *unit,
                                  const dppair_stream *stream, void *work, size_t bytes) {
  double mu, moved;
  dppair_status status = task_mu(&mu, s->t);
  if (status == DPPAIR_OK) status = dppair_sensitivity_prefix(&moved, unit, stream, work, bytes);
  if (status == DPPAIR_OK) status = dppair_accountant_neighbours(&s->account, stream->adjacency);
  if (status != DPPAIR_OK) return status;
  *sigma = moved * (s->t->with.noiseless ? noiseless_multiplier : (1 + 1e-12) / mu);
  return dppair_accountant_gaussian(&s->account, moved, *sigma, 1);
}

dppair_status spend_stream(dppair_prefix *prefix, void **work, spending *s,
                           const dppair_pair_unit *unit, const dppair_stream *stream, size_t d) {
  size_t bytes, more;
  double sigma;
  dppair_status status = dppair_sensitivity_prefix_workspace(&more, stream);
  *work = NULL;
  if (status == DPPAIR_OK) status = dppair_prefix_workspace(&bytes, stream, d);
  if (status != DPPAIR_OK) return status;
  if (more > bytes) bytes = more;
  if ((*work = malloc(bytes)) == NULL) return DPPAIR_ERR_OVERFLOW;
  status = stream_sigma(&sigma, s, unit, stream, *work, bytes);
  if (status != DPPAIR_OK) return status;
  return dppair_prefix_open(prefix, stream, d, sigma, unit->unit, *work, bytes);
}

dppair_status spend_prefix(double *sum, const double *g, size_t t, dppair_prefix *prefix,
                           spending *s) {
  return dppair_prefix_step(sum, g, t, prefix, s->t->noise);
}

void spend_stream_end(dppair_prefix *prefix) { dppair_prefix_close(prefix); }

dppair_status run_account(dppair_accountant *one, const task *t, double mu) {
  dppair_status status = dppair_accountant_init(one);
  if (status == DPPAIR_OK) status = dppair_accountant_neighbours(one, task_adjacency(t));
  return status == DPPAIR_OK ? dppair_accountant_gaussian(one, mu, 1, 1) : status;
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

/* --- claims ----------------------------------------------------------------------------------- */

/* What the account comes to at the task's delta. */
static dppair_status spent_epsilon(double *epsilon, const spending *s) {
  dppair_interval found;
  dppair_status status = dppair_accountant_epsilon(&found, &s->account, s->t->delta, NULL);
  if (status == DPPAIR_ERR_WORKSPACE) {
    const dppair_composer *composer = composer_of_run();
    if (composer == NULL) return DPPAIR_ERR_OVERFLOW;
    status = dppair_accountant_epsilon(&found, &s->account, s->t->delta, composer);
  }
  *epsilon = found.upper;
  return status;
}

double spent_if_zeroed(const spending *s) {
  dppair_accountant alone;
  dppair_step step;
  dppair_interval found;
  const dppair_composer *composer = composer_of_run();
  dppair_status status = composer == NULL ? DPPAIR_ERR_OVERFLOW : dppair_accountant_init(&alone);
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  step.sampling = s->release.sampling;
  step.sampling.adjacency = DPPAIR_ZERO_OUT;
  step.noise_multiplier = s->release.noise_multiplier;
  step.steps = s->release.steps;
  if (status == DPPAIR_OK) status = dppair_accountant_step(&alone, &step);
  if (status == DPPAIR_OK)
    status = dppair_accountant_epsilon(&found, &alone, s->t->delta, composer);
  return status == DPPAIR_OK ? found.upper : HUGE_VAL;
}

/* How often the best attacker is right; 0 when that is not known. */
static double spent_right(const spending *s) {
  const int gaussian = s->account.count == 0;
  dppair_interval found;
  const dppair_composer *composer = NULL;
  dppair_status status;
  if (!gaussian && (composer = composer_of_run()) == NULL) return 0;
  status = dppair_attack_accuracy(&found, &s->account, .5, composer);
  return status == DPPAIR_OK ? found.upper : 0;
}

void claim(model *out, double epsilon, double right) {
  out->epsilon = epsilon;
  out->right = right;
}

dppair_status spend_claim(model *out, const spending *s) {
  double found;
  dppair_status status = spent_epsilon(&found, s);
  claim(out, HUGE_VAL, 0);
  out->sigma = s->release.sigma;
  if (status != DPPAIR_OK || s->t->with.noiseless) return status;
  if (!(found <= s->t->epsilon)) return DPPAIR_ERR_NO_PROOF;
  claim(out, found, spent_right(s));
  return DPPAIR_OK;
}

dppair_status release_output(model *out, double *w, size_t size, double sensitivity,
                             const task *t) {
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK) status = spend_all(&s, 1);
  if (status == DPPAIR_OK) status = spend_on(w, size, sensitivity, &s);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  spending_end(&s);
  return status;
}

/* --- noise as papers print it ----------------------------------------------------------------- */

/* The true epsilon of a noise that a paper prints. */
static void claim_as_printed(model *out, double found, const char *whose, const task *t) {
  note(out, "AS PRINTED: %s at epsilon = %.4g gives epsilon = %.4g. ", whose, t->epsilon, found);
  claim(out, t->with.noiseless ? HUGE_VAL : found, 0);
}

/* 2^40 scales of noise, the reach of the default grid. A `reach` that is a public bound on what
 * noise is added to must stay below it: else whether the release is refused would be data. */
static int noise_reaches(double reach, double scale) { return reach < 0x1p40 * scale; }

dppair_status printed_noise(double *scale, const dppair_paper *paper) {
  dppair_paper_verdict verdict;
  dppair_status status = dppair_paper_check(&verdict, paper);
  *scale = verdict.noise_printed;
  return status;
}

dppair_status printed_gaussian(double *v, size_t size, double sigma, const task *t) {
  if (!t->with.as_printed) return DPPAIR_ERR_NO_PROOF;
  return t->with.noiseless ? DPPAIR_OK : dppair_add_gaussian_f64(v, size, sigma, t->noise);
}

dppair_status printed_step(double *v, size_t size, double sigma, double sensitivity, double reach,
                           spending *s) {
  const dppair_status status = noise_reaches(reach, sigma)
                                   ? dppair_accountant_gaussian(&s->account, sensitivity, sigma, 1)
                                   : DPPAIR_ERR_NO_PROOF;
  return status == DPPAIR_OK ? printed_gaussian(v, size, sigma, s->t) : status;
}

dppair_status printed_laplace(double *v, size_t size, double scale, const task *t) {
  if (!t->with.as_printed) return DPPAIR_ERR_NO_PROOF;
  return t->with.noiseless ? DPPAIR_OK : dppair_add_laplace_f64(v, size, scale, t->noise);
}

dppair_status printed_claim(model *out, const spending *s, const char *whose) {
  double found;
  const dppair_status status = spent_epsilon(&found, s);
  if (status == DPPAIR_OK) claim_as_printed(out, found, whose, s->t);
  return status;
}

dppair_status release_as_printed(model *out, double *w, size_t size, double scale,
                                 double sensitivity, const task *t) {
  const double reach = (double)t->train.n * sensitivity;
  spending s;
  dppair_status status = spending_begin(&s, t);
  out->sigma = scale;
  if (status == DPPAIR_OK && t->delta > 0) {
    status = printed_step(w, size, scale, sensitivity, reach, &s);
    return status == DPPAIR_OK ? printed_claim(out, &s, "the paper's noise") : status;
  }
  if (!noise_reaches(reach, scale)) return DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = printed_laplace(w, size, scale, t);
  /* |z|_1 <= sqrt(size) |z|_2 */
  claim_as_printed(out, sqrt((double)size) * sensitivity / scale * (1 + 8 * DBL_EPSILON),
                   "the paper's noise", t);
  return status;
}
