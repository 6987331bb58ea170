/* SPDX-License-Identifier: MIT */
/* The constants against gradients as they are computed, from rows and parameters that the library's
 * own projections brought into their balls, at the ends of the margins' intervals, where a computed
 * margin may lie on either side of a kink; and against their formulas in a wider type. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_metric.h"

#define DPPAIR_NAME absolute
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"

#define DPPAIR_NAME pinball
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_pinball
#include "dppair.h"

#define DPPAIR_NAME ramp
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_ramp
#include "dppair.h"

#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"

enum { D = 3 };

static dppair_constants find(dppair_margin margin, dppair_loss loss, const double *params,
                             dppair_bounds b) {
  dppair_constants k;
  assert_int_equal(dppair_constants_find(&k, margin, dppair_loss_facts_of(loss), params, &b),
                   DPPAIR_OK);
  return k;
}

/* Rows v and -v with W v = 0 for a positive semidefinite W of rank one that was projected on the
 * unit ball; the neighbour's second row is shorter, or has the other label. */
typedef struct scene {
  double w[D * D], x[2 * D], other[2 * D], y[2], y_other[2];
} scene;

static void set_scene(scene *s, double radius, int relabel) {
  double e[D], work[100], v[D], length, shrink = 1.0 - 0.01 * uniform() * (relabel ? 0.0 : 1.0);
  for (int i = 0; i < D; i++) e[i] = uniform() - 0.5;
  for (int i = 0; i < D * D; i++) s->w[i] = 3.0 * e[i / D] * e[i % D];
  assert_int_equal(dppair_project_psd_frobenius_f64(s->w, D, 1.0, work, sizeof work), DPPAIR_OK);
  v[0] = -e[1], v[1] = e[0], v[2] = 0.0;
  length = sqrt(v[0] * v[0] + v[1] * v[1]);
  for (int i = 0; i < D; i++) {
    s->x[i] = s->other[i] = 0.999 * radius * v[i] / length;
    s->x[D + i] = -s->x[i];
    s->other[D + i] = s->x[D + i] * shrink;
  }
  s->y[0] = s->y[1] = s->y_other[0] = 1.0;
  s->y_other[1] = relabel ? -1.0 : 1.0;
}

typedef dppair_status gradient(double *, dppair_form, const dppair_rows_f64 *, const double *,
                               size_t, double, const dppair_options *);

/* The gradient of the metric W of two records. */
static void metric_of(double *g, gradient *f, const double *x, const double *y, const double *w,
                      double offset, const double *params) {
  static double work[20000];
  const dppair_options options = {params, 0, NULL, NULL, work, sizeof work, NULL};
  dppair_rows_f64 rows = dppair_rows_make_f64(x, 2, D, D);
  rows.y = y;
  assert_int_equal(f(g, DPPAIR_FORM_METRIC, &rows, w, D, offset, &options), DPPAIR_OK);
}

/* The largest move of the mean gradient of two records over the claim. */
static double worst_share(gradient *f, dppair_loss loss, const double *params, int relabel) {
  const dppair_bounds b = {1.0, 1.0, 0.0, 0.0, 0.0};
  const double claim = find(DPPAIR_MARGIN_metric_psd, loss, params, b).replace_one / 2.0;
  double worst = 0.0;
  for (int round = 0; round < 4000; round++) {
    double g[D * D], h[D * D], move;
    scene s;
    set_scene(&s, 1.0, relabel);
    metric_of(g, f, s.x, s.y, s.w, 0.0, params);
    metric_of(h, f, s.other, s.y_other, s.w, 0.0, params);
    for (int i = 0; i < D * D; i++) g[i] -= h[i];
    move = dppair_norm_f64(g, D * D) / claim;
    worst = move > worst ? move : worst;
  }
  return worst;
}

/* M >= 0 ends at the kink of these, and a computed M is +-1e-17 where W is projected. */
static void a_kink_on_an_end_counts_on_one_side_only(void **unused) {
  static const double tau[1] = {0.3};
  double share;
  (void)unused;
  share = worst_share(absolute_form_gradient, DPPAIR_LOSS_absolute, NULL, 0);
  assert_true(share <= 1.0 && share > 0.9);
  share = worst_share(pinball_form_gradient, DPPAIR_LOSS_pinball, tau, 0);
  assert_true(share <= 1.0 && share > 0.45);
  share = worst_share(ramp_form_gradient, DPPAIR_LOSS_ramp, NULL, 1);
  assert_true(share <= 1.0 && share > 0.45);
}

/* The same in float, whose margins are off by 1e-8 and more. */
static void a_kink_on_an_end_counts_on_one_side_only_in_float(void **unused) {
  static double work[20000];
  const dppair_bounds b = {1.0, 1.0, 0.0, 0.0, 0.0};
  const double claim =
      find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_absolute, NULL, b).replace_one / 2.0;
  double worst = 0.0;
  (void)unused;
  for (int round = 0; round < 2000; round++) {
    float x[2 * D], other[2 * D];
    const float y[2] = {1.0f, 1.0f};
    const dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
    dppair_rows_f32 rows = dppair_rows_make_f32(NULL, 2, D, D);
    double g[D * D], h[D * D], move;
    scene s;
    set_scene(&s, 1.0, 0);
    for (int i = 0; i < 2 * D; i++) x[i] = (float)s.x[i], other[i] = (float)s.other[i];
    rows.x = x;
    rows.y = y;
    assert_int_equal(narrow_form_gradient(g, DPPAIR_FORM_METRIC, &rows, s.w, D, 0.0, &options),
                     DPPAIR_OK);
    rows.x = other;
    assert_int_equal(narrow_form_gradient(h, DPPAIR_FORM_METRIC, &rows, s.w, D, 0.0, &options),
                     DPPAIR_OK);
    for (int i = 0; i < D * D; i++) g[i] -= h[i];
    move = dppair_norm_f64(g, D * D);
    worst = move > worst ? move : worst;
  }
  assert_true(worst <= claim * (1.0 + 1e-6) && worst > 0.9 * claim);
}

/* b = 1 + the largest M: margins of equal labels end at the hinge's kink, and rows and W whose
 * computed norms keep to their bounds cross it. */
static void a_hinge_that_ends_at_its_kink_has_no_slope(void **unused) {
  const dppair_bounds b = {0.5, 1.0, 0.0, 2.0, 0.0};
  const double claim = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_hinge, NULL, b).replace_one / 2.0;
  double worst = 0.0;
  (void)unused;
  for (int round = 0; round < (BRIEF ? 4000 : 40000); round++) {
    double e[D], length, w[D * D], x[2 * D], g[D * D], h[D * D], move;
    const double y[2] = {1.0, 1.0}, z[2] = {1.0, -1.0};
    for (int i = 0; i < D; i++) e[i] = uniform() - 0.5;
    length = dppair_norm_f64(e, D);
    for (int i = 0; i < D; i++) {
      e[i] /= length;
      x[i] = 0.5 * e[i];
      x[D + i] = -x[i];
    }
    for (int i = 0; i < D * D; i++) w[i] = e[i / D] * e[i % D];
    if (dppair_norm_f64(w, D * D) > 1.0 || dppair_norm_f64(x, D) > 0.5) continue;
    metric_of(g, hinge_form_gradient, x, y, w, 2.0, NULL);
    metric_of(h, hinge_form_gradient, x, z, w, 2.0, NULL);
    for (int i = 0; i < D * D; i++) g[i] -= h[i];
    move = dppair_norm_f64(g, D * D);
    worst = move > worst ? move : worst;
  }
  assert_true(worst <= claim * (1.0 + 1e-13) && worst > 0.9 * claim);
}

/* The same ends in every other margin that has them: the figure is that of an interval which
 * reaches well past the kink, and the room costs nothing where no kink is near. */
static void ends_at_a_kink_are_those_of_a_wider_interval(void **unused) {
  static const double tau[1] = {0.3};
  dppair_bounds b = {0.5, 1.0, 0.0, 0.0, 0.0}, wider;
  dppair_constants k, l;
  (void)unused;
  /* metric and factor: M in [-1, 1] and [0, 1]; hinge at b = 2 and ramp at b = -1, b = 2 */
  for (int m = DPPAIR_MARGIN_metric_psd; m <= DPPAIR_MARGIN_similarity; m++) {
    const double far = m == DPPAIR_MARGIN_similarity ? 0.25 : 1.0;
    for (int end = 0; end < 4; end++) {
      static const dppair_loss loss[4] = {DPPAIR_LOSS_hinge, DPPAIR_LOSS_absolute, DPPAIR_LOSS_ramp,
                                          DPPAIR_LOSS_pinball};
      b.offset = end == 0 || end == 2 ? 1.0 + far : far;
      wider = b;
      wider.offset *= 0.9; /* the kink lies inside */
      k = find((dppair_margin)m, loss[end], tau, b);
      l = find((dppair_margin)m, loss[end], tau, wider);
      /* (rounded up alike, and the factor's G is found cell by cell) */
      assert_true(k.slope >= l.slope * (1.0 - 1e-12));
      if (m != DPPAIR_MARGIN_factor) assert_true(k.move >= l.move * (1.0 - 1e-12));
      assert_true(!dppair_isfinite_f64(k.smoothness));
      /* just outside, by no more than float margins of thousands of features are off */
      wider = b;
      wider.offset *= 1.0 + 1e-5;
      l = find((dppair_margin)m, loss[end], tau, wider);
      if (m != DPPAIR_MARGIN_factor) assert_true(l.move >= k.move * (1.0 - 1e-4));
      /* clear of it: one side alone */
      wider.offset = b.offset * 1.1;
      if (m == DPPAIR_MARGIN_metric_psd && end == 1)
        assert_true(find(DPPAIR_MARGIN_metric_psd, loss[end], tau, wider).move < 0.6 * k.move);
    }
  }
  /* a ramp that is constant but for computed margins has a figure; further off it is refused */
  b.offset = 2.0;
  k = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_ramp, NULL, b);
  assert_true(k.slope >= 1.0 && k.replace_one >= 2.0);
  b.offset = 2.1;
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_metric_psd,
                                         dppair_loss_facts_of(DPPAIR_LOSS_ramp), NULL, &b),
                   DPPAIR_ERR_NO_PROOF);
}

/* Kinks within what float margins are off, on either side: a ramp below 0, a factor whose t = 0
 * lies at a kink. There a pair's vector is short, so that its coefficient of the other side adds
 * little. */
static void margins_stop_at_the_end_of_their_interval(void **unused) {
  dppair_bounds b = {0.5, 1.0, 0.0, 0.0, 0.0};
  dppair_constants k = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_ramp, NULL, b), l;
  (void)unused;
  b.offset = -1e-5;
  l = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_ramp, NULL, b);
  assert_true(l.move >= k.move * (1.0 - 1e-12));
  b.offset = -0.01;
  l = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_ramp, NULL, b);
  assert_true(l.move < 0.6 * k.move);
  b.offset = 0.0; /* V = 2, coefficients in [0, 1]; vectors of up to 4 R 2^-5 with any in [-1, 1] */
  k = find(DPPAIR_MARGIN_factor, DPPAIR_LOSS_absolute, NULL, b);
  assert_true(fabs(k.move - (2.0 + 2.0 * 2.0 * 0.03125)) < 1e-12);
  assert_true(!dppair_isfinite_f64(k.smoothness));
  b.offset = -1e-4;
  k = find(DPPAIR_MARGIN_factor, DPPAIR_LOSS_absolute, NULL, b);
  assert_true(k.move > 2.1 && k.move < 2.2 && !dppair_isfinite_f64(k.smoothness));
  b.offset = -0.1; /* clear of the kink */
  k = find(DPPAIR_MARGIN_factor, DPPAIR_LOSS_absolute, NULL, b);
  assert_true(fabs(k.move - 2.0) < 1e-12 && fabs(k.smoothness - 2.0) < 1e-12);
}

/* Differentiable links whose curvature jumps: L counts both sides at an end. */
static void a_jump_of_the_curvature_on_an_end_is_free(void **unused) {
  const double width[1] = {0.5};
  dppair_bounds b = {0.5, 0.5 * (1.0 - 1e-13), 0.0, 0.0, 0.0};
  (void)unused;
  /* ind: margins up to 1/2 = 1 - width, where phi'' goes from 0 to 2 */
  assert_true(find(DPPAIR_MARGIN_ind, DPPAIR_LOSS_smoothed_hinge, width, b).smoothness >= 2.0);
  b.param_radius = 0.45;
  assert_true(find(DPPAIR_MARGIN_ind, DPPAIR_LOSS_smoothed_hinge, width, b).smoothness <= 0.0);
  /* the slope is continuous: nothing else changes */
  assert_true(find(DPPAIR_MARGIN_ind, DPPAIR_LOSS_smoothed_hinge, width, b).lipschitz <
              1.0 + 1e-14);
}

/* G of a steep link where the margins are large: never below the formula in a wider type. */
static void the_exponential_at_large_margins_is_rounded_down(void **unused) {
  double tightest = HUGE_VAL;
  (void)unused;
  if (sizeof(long double) <= sizeof(double)) return;
  for (int round = 0; round < 4000; round++) {
    const double r = 0.1 + 2.0 * uniform(), y = 0.1 + uniform();
    const dppair_bounds b = {r, 550.0 * uniform() / (4.0 * r * y), y, 0.0, 0.0};
    const dppair_constants k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_exponential, NULL, b);
    const long double v = 4.0L * (long double)y * (long double)r;
    const long double exact = v * expl(v * (long double)b.param_radius);
    const double share = (double)((long double)k.lipschitz / exact - 1.0L);
    assert_true(share >= 0.0 && share < 1e-11);
    tightest = share < tightest ? share : tightest;
  }
  assert_true(tightest < 1e-13);
}

/* A residual whose two orders cancel is refused at every size of the domain, whatever rounding
 * errors the difference leaves. */
static void orders_that_cancel_are_refused(void **unused) {
  dppair_constants k;
  (void)unused;
  for (int round = 0; round < 2000; round++) {
    const dppair_bounds b = {0.01 + 3.0 * uniform(), 5.0 * uniform() + 1e-3, 2.0 * uniform() + 1e-3,
                             0.0, round % 2 ? 0.3 : 0.0};
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_residual,
                                           dppair_loss_facts_of(DPPAIR_LOSS_sigmoid), NULL, &b),
                     DPPAIR_ERR_NO_PROOF);
    assert_true(k.replace_one <= 0.0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_kink_on_an_end_counts_on_one_side_only),
      TEST(a_kink_on_an_end_counts_on_one_side_only_in_float),
      TEST(a_hinge_that_ends_at_its_kink_has_no_slope),
      TEST(ends_at_a_kink_are_those_of_a_wider_interval),
      TEST(margins_stop_at_the_end_of_their_interval),
      TEST(a_jump_of_the_curvature_on_an_end_is_free),
      TEST(the_exponential_at_large_margins_is_rounded_down),
      TEST(orders_that_cancel_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
