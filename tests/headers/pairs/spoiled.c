/* SPDX-License-Identifier: MIT */
/* A loss in plain C that goes wrong at its k-th call, for every k: its value is no number,
 * infinite, huge or of the other sign, or the rounding mode is another one from there on. What
 * computes with it fails with zeros, or had all that it needs: no step in the middle of a function
 * goes unchecked. */
#include <fenv.h>

#include "tests.h"

#include "dppair_losses.h"
#include "dppair_pointwise.h"
#include "dppair_influence.h"
#include "dppair_top.h"
#include "dppair_metric.h"

static long calls_left; /* calls until it goes wrong; 0: never */
static enum { ROUNDING, NAN_VALUE, INFINITE, HUGE, NEGATIVE, WAYS } going_wrong;

static double spoiled(double x) {
  if (calls_left == 0 || --calls_left > 0) return x;
  if (going_wrong == ROUNDING) return fesetround(FE_UPWARD) == 0 ? x : 0.0;
  switch (going_wrong) {
  case NAN_VALUE:
    return (double)NAN;
  case INFINITE:
    return (double)INFINITY;
  case HUGE:
    return 1e307;
  default:
    return -1e3 * x;
  }
}
static double own_value(double u) { return spoiled(log1p(exp(-u))); }
static double own_slope(double u) { return spoiled(-1.0 / (1.0 + exp(u))); }
static double own_curvature(double u) { return spoiled(1.0 / (2.0 + exp(u) + exp(-u))); }

#define plain_KIND dppair_pairs
#define plain_CURVE dppair_curve
#define plain_VALUE(u, p) DPV_CALL(own_value, u)
#define plain_SLOPE(u, p) DPV_CALL(own_slope, u)
#define plain_CURVATURE(u, p) DPV_CALL(own_curvature, u)
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS plain
#include "dppair.h"

#include "clips.h"

enum { N = 6, D = 2 };
static double x[N * D], s[N], t[N], y[N], weight[N], w[D * D], out[N * D], more[N * D], off;
static size_t positive[] = {0, 1, 3}, negative[] = {0, 2, 3}, both[] = {0, 2, 6};
static const size_t i[] = {0, 1, 2}, j[] = {2, 0, 1};
static uint64_t work[20000];
static dppair_rows_f64 rows;
static dppair_tasks parts = {2, NULL, NULL};
static dppair_groups users = {2, positive, negative, DPPAIR_ACROSS, N},
                     queries = {2, positive, negative, DPPAIR_WITHIN, N},
                     units = {2, both, NULL, DPPAIR_ACROSS, N},
                     searches = {2, both, NULL, DPPAIR_WITHIN, N};
static dppair_options options, clipped, of_persons, of_queries, of_units, of_searches;
static dppair_influence of;
static dppair_top top;
static dppair_ring ring;
static dppair_stability stability;

static void prepare(void) {
  size_t k;
  for (k = 0; k < N * D; k++) x[k] = (double)((k * 7) % 11) / 5 - 1;
  for (k = 0; k < N; k++) {
    s[k] = (double)((k * 5) % 8) / 4 - 1;
    t[k] = 0.125 * (double)k;
    y[k] = k % 2 ? 1 : -1;
    weight[k] = 1;
  }
  for (k = 0; k < D * D; k++) w[k] = 0.25 * (double)(k % 3);
  rows = dppair_rows_make_f64(x, N, D, D);
  rows.positives = 3, rows.y = y, rows.radius = 2;
  memset(&options, 0, sizeof options);
  options.work = work, options.bytes = sizeof work, options.tasks = &parts;
  clipped = of_persons = of_queries = of_units = of_searches = options;
  clipped.clip = clip_of(wide_clip_init, 0.5);
  of_persons.groups = &users, of_queries.groups = &queries, of_units.groups = &units;
  of_searches.groups = &searches;
  ring.form = DPPAIR_FORM_METRIC, ring.n = ring.block = N, ring.d = ring.k = D, ring.w = w;
  ring.radius = 2;
}

#define CALL(name, ...)                                                                            \
  static dppair_status name(void) { return __VA_ARGS__; }
CALL(risk, wide_risk_not_private(out, s, 3, s + 3, 3, NULL))
CALL(coeffs, wide_coeffs(out, more, s, 3, s + 3, 3, NULL))
CALL(listed, wide_pairs(out, more, s, 3, s + 3, 3, i, j, weight, 3, NULL))
CALL(histogram, wide_coeffs_from_histogram(out, s, N, 3, t, weight, 2, NULL))
CALL(weighted, wide_weighted_coeffs(out, more, s, 3, s + 3, 3, weight, &options))
CALL(by_persons, wide_weighted_coeffs(out, more, s, 3, s + 3, 3, weight, &of_persons))
CALL(by_queries, wide_weighted_coeffs(out, more, s, 3, s + 3, 3, weight, &of_queries))
CALL(curved, wide_curvature(out, more, s, t, 3, s + 3, t + 3, 3, 2, NULL, NULL))
CALL(hessian, wide_hessian(out, &rows, w, t, NULL, NULL, work, sizeof work))
CALL(gradient, wide_gradient(out, &rows, w, &options))
CALL(clipped_gradient, wide_gradient(out, &rows, w, &clipped))
CALL(gradient_of_persons, wide_gradient(out, &rows, w, &of_persons))
CALL(gradient_of_queries, wide_gradient(out, &rows, w, &of_queries))
CALL(clipped_coeffs, wide_clip_coeffs(out, more, s, s + 3, &rows, NULL, 0, &clipped))
CALL(listed_gradient, wide_pairs_gradient(out, &rows, &rows, w, i, j, weight, 3, &clipped))
CALL(form, wide_form_gradient(out, DPPAIR_FORM_METRIC, &rows, w, D, 0.5, &options))
CALL(form_clipped, wide_form_gradient(out, DPPAIR_FORM_FACTOR, &rows, w, D, 0.5, &clipped))
CALL(form_of_units, wide_form_gradient(out, DPPAIR_FORM_METRIC, &rows, w, D, 0.5, &of_units))
CALL(form_of_queries, wide_form_gradient(out, DPPAIR_FORM_METRIC, &rows, w, D, 0.5, &of_searches))
CALL(form_risk, wide_form_risk_not_private(out, DPPAIR_FORM_METRIC, &rows, w, D, 0.5, &options))
CALL(form_listed, wide_form_pairs(out, &rows, w, 0.5, i, j, weight, 3, &clipped))
CALL(top_coeffs, wide_top_coeffs(out, more, s, 3, s + 3, 3, &top, &options))
CALL(top_ranks, wide_top_ranks(out, s, y, N, &top, &options))
CALL(top_gradient, wide_top_gradient(out, &rows, w, &top, &options))
CALL(top_of_queries, wide_top_gradient(out, &rows, w, &top, &of_searches))
CALL(minimiser, wide_minimiser_not_private(w, &off, &rows, &of, 1e-9, 20, work, sizeof work))
CALL(influence, wide_influence_not_private(out, &off, &rows, w, &of, work, sizeof work))
CALL(influence_of_one,
     wide_influence_record_not_private(out, &off, 2, &rows, w, &of, work, sizeof work))
CALL(influence_along,
     wide_influence_along_not_private(out, &off, t, &rows, w, &of, work, sizeof work))
CALL(influence_of_pair,
     wide_influence_pair_not_private(out, 1, 4, &rows, w, &of, work, sizeof work))
CALL(elastic, wide_stability_not_private(&stability, out, x, 1.0, &rows, w, &of, work, sizeof work))
#undef CALL

/* The call with the loss gone wrong at its k-th use, for every k, in each way. After an error the
 * outputs are zeros, numbers of them in out and in more; a result is finite. */
static void spoil(const char *name, dppair_status (*call)(void), size_t numbers, size_t others) {
  long k, reached = 1, refused = 0;
  for (going_wrong = ROUNDING; going_wrong < WAYS; going_wrong++)
    for (k = 1, reached = 1; reached; k++) {
      dppair_status status;
      prepare();
      memset(out, 0x3f, sizeof out);
      memset(more, 0x3f, sizeof more);
      calls_left = k;
      parts.run = k % 2 ? dppair_run_serial : NULL;
      status = call();
      reached = calls_left == 0;
      calls_left = 0;
      fesetround(FE_TONEAREST);
      refused += status != DPPAIR_OK;
      if (!reached && status != DPPAIR_OK)
        fail_msg("%s fails by itself: %s", name, dppair_status_string(status));
      for (size_t q = 0; q < numbers; q++)
        if (status != DPPAIR_OK ? out[q] != 0.0 : !isfinite(out[q]))
          fail_msg("%s, way %d, call %ld: %s with %g", name, (int)going_wrong, k,
                   dppair_status_string(status), out[q]);
      for (size_t q = 0; q < others; q++)
        if (status != DPPAIR_OK ? more[q] != 0.0 : !isfinite(more[q]))
          fail_msg("%s, way %d, call %ld: %s with %g", name, (int)going_wrong, k,
                   dppair_status_string(status), more[q]);
    }
  if (refused == 0) fail_msg("%s never fails", name);
}
#define SPOIL(call, numbers, others) spoil(#call, call, numbers, others)

static void pairs_fail_with_zeros(void **unused) {
  (void)unused;
  SPOIL(risk, 1, 0);
  SPOIL(coeffs, 3, 3);
  SPOIL(listed, 3, 3);
  SPOIL(histogram, N, 0);
  SPOIL(weighted, 3, 3);
  SPOIL(by_persons, 3, 3);
  SPOIL(by_queries, 3, 3);
  SPOIL(curved, 3, 3);
  SPOIL(hessian, D, 0);
  SPOIL(gradient, D, 0);
  SPOIL(clipped_gradient, D, 0);
  SPOIL(gradient_of_persons, D, 0);
  SPOIL(gradient_of_queries, D, 0);
  SPOIL(clipped_coeffs, 3, 3);
  SPOIL(listed_gradient, D, 0);
}

static void forms_fail_with_zeros(void **unused) {
  (void)unused;
  SPOIL(form, D * D, 0);
  SPOIL(form_clipped, D * D, 0);
  SPOIL(form_of_units, D * D, 0);
  SPOIL(form_of_queries, D * D, 0);
  SPOIL(form_risk, 1, 0);
  SPOIL(form_listed, D * D, 0);
}

static void top_weighted_losses_fail_with_zeros(void **unused) {
  static const dppair_top tops[] = {{DPPAIR_TOP_PARTIAL, 2, 2, 0, 0, 0.0},
                                    {DPPAIR_TOP_PUSH, 0, 0, 3, 0, 0.0},
                                    {DPPAIR_TOP_PRECISION, 0, 0, 0, 0, 0.0}};
  (void)unused;
  for (size_t k = 0; k < 3; k++) {
    top = tops[k];
    SPOIL(top_coeffs, 3, 3);
    SPOIL(top_gradient, D, 0);
  }
  memset(&top, 0, sizeof top);
  top.kind = DPPAIR_TOP_NDCG;
  SPOIL(top_ranks, N, 0);
  SPOIL(top_gradient, D, 0);
  SPOIL(top_of_queries, D, 0);
}

static void influences_fail_with_zeros(void **unused) {
  (void)unused;
  for (int risk_of = 0; risk_of <= DPPAIR_INFLUENCE_POINTWISE; risk_of++)
    for (int own = 0; own < 2; own++) {
      of.risk = (dppair_influence_risk)risk_of;
      of.ridge = 0.1;
      of.renormalised = of.own_hessian = own;
      SPOIL(influence, N * D, 0);
      SPOIL(influence_of_one, D, 0);
      if (!own) SPOIL(influence_along, N, 0);
      SPOIL(influence_of_pair, D, 0);
      SPOIL(elastic, N, 0);
      SPOIL(minimiser, 0, 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(pairs_fail_with_zeros), TEST(forms_fail_with_zeros),
                                     TEST(top_weighted_losses_fail_with_zeros),
                                     TEST(influences_fail_with_zeros)};
  return RUN_TESTS(tests, NULL, NULL);
}
