/* SPDX-License-Identifier: MIT */
/* Questions to accounts in one line: the composer made for one call. After dppair_accountant.h. */
#ifndef TESTS_QUESTIONS_H
#define TESTS_QUESTIONS_H

/* The composer of this memory; NULL for none. */
static inline const dppair_composer *composer_of(dppair_composer *composer, void *work,
                                                 size_t bytes) {
  if (work == NULL) return NULL;
  return dppair_composer_init(composer, work, bytes) == DPPAIR_OK ? composer : NULL;
}

static inline dppair_status certify(dppair_interval *b, const dppair_accountant *a, double delta,
                                    void *work, size_t bytes) {
  dppair_composer composer;
  return dppair_accountant_epsilon(b, a, delta, composer_of(&composer, work, bytes));
}

static inline dppair_status certify_delta(dppair_interval *b, const dppair_accountant *a,
                                          double epsilon, void *work, size_t bytes) {
  dppair_composer composer;
  return dppair_accountant_delta(b, a, epsilon, composer_of(&composer, work, bytes));
}

static inline dppair_status calibrate(dppair_plan *plan, const dppair_accountant *a, void *work,
                                      size_t bytes) {
  dppair_composer composer;
  return dppair_calibrate(plan, a, composer_of(&composer, work, bytes));
}

static inline dppair_status parallel_epsilon(dppair_interval *b, const dppair_accountant *parts,
                                             size_t count, double delta, void *work,
                                             size_t bytes) {
  dppair_composer composer;
  return dppair_parallel_epsilon(b, parts, count, delta, composer_of(&composer, work, bytes));
}

/* The noise of a plan by closed forms and Renyi orders alone, which want more of it, in no time. */
static inline dppair_status answer_by_orders(dppair_interval *b, const dppair_certify_ *q) {
  return dppair_accountant_answer_(b, q->a, q->for_delta, q->given);
}
static inline dppair_status calibrate_by_orders(dppair_plan *plan, const dppair_accountant *a) {
  double nothing = 0.0;
  dppair_composer composer;
  dppair_status status = dppair_composer_init(&composer, &nothing, sizeof nothing);
  composer.answer = answer_by_orders;
  return status == DPPAIR_OK ? dppair_calibrate(plan, a, &composer) : status;
}

/* Epsilon by Renyi orders alone, as an interval. */
static inline dppair_status renyi_epsilon(dppair_interval *b, const dppair_accountant *a,
                                          double delta) {
  return dppair_accountant_by_route(b, a, DPPAIR_ROUTE_RENYI, DPPAIR_GIVEN_DELTA, delta, NULL);
}

static inline dppair_status renyi_delta(dppair_interval *b, const dppair_accountant *a,
                                        double epsilon) {
  return dppair_accountant_by_route(b, a, DPPAIR_ROUTE_RENYI, DPPAIR_GIVEN_EPSILON, epsilon, NULL);
}

/* Epsilon, or delta, by closed forms and Renyi orders alone. */
static inline dppair_status answer_epsilon(double *epsilon, const dppair_accountant *a,
                                           double delta) {
  dppair_interval b;
  dppair_status status;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_answer_(&b, a, 0, delta);
  *epsilon = b.upper;
  return status;
}

static inline dppair_status answer_delta(double *delta, const dppair_accountant *a,
                                         double epsilon) {
  dppair_interval b;
  dppair_status status;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_answer_(&b, a, 1, epsilon);
  *delta = b.upper;
  return status;
}

/* A list of steps, composed by a route. */
static inline dppair_status compose(dppair_interval *b, const dppair_step *steps, size_t count,
                                    double delta, dppair_route route, void *work, size_t bytes) {
  dppair_question_ q = {steps, count, 0, delta, NULL, 0, 0};
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return dppair_compose_(b, &q, route);
}

static inline dppair_status compose_delta(dppair_interval *b, const dppair_step *steps,
                                          size_t count, double epsilon, dppair_route route,
                                          void *work, size_t bytes) {
  dppair_question_ q = {steps, count, 1, epsilon, NULL, 0, 0};
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return dppair_compose_(b, &q, route);
}

static inline dppair_status compose_workspace(size_t *bytes, size_t count) {
  return dppair_compose_bytes_(bytes, count, 1);
}

#endif
