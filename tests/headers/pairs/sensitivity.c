/* SPDX-License-Identifier: MIT */
/* NAME_sensitivity: no neighbour moves a computed gradient further, and the worst one reaches it
 * where the mathematics says so; every loss, both types, every sampling; what is refused. */
#include "dppair_allocation.h"
#include "dppair_losses.h"
#include "dppair_metric.h"
#include "dppair.h"

#include "tests.h"

/* One instance behind one struct. */
typedef struct instance {
  const char *name;
  dppair_loss loss;
  int is_f32, has_fast;
  dppair_status (*gradient)(double *, const double *, size_t, size_t, double, const double *,
                            const dppair_options *);
  dppair_status (*sensitivity)(double *, size_t, const dppair_bounds *, const dppair_sampling *,
                               const dppair_options *);
  dppair_status (*prepare)(dppair_fast *, double, const double *, double *, size_t);
  dppair_status (*clip_init)(dppair_clip *, double);
} instance;

enum { D = 2, MOST = 8, WORK = 1 << 17 };
static double scratch[WORK], prepared[WORK];

/* x: n rows of D doubles, w of D; positives first. */
#define GRADIENT(id, real, rows_type)                                                              \
  static dppair_status id##_of(double *g, const double *x, size_t n, size_t np, double radius,     \
                               const double *w, const dppair_options *options) {                         \
    real rows_x[MOST * D + 1] = {0}, v[D] = {(real)w[0], (real)w[1]};                              \
    dppair_options p = *options;                                                                         \
    rows_type rows = {rows_x, n, D, D, np, NULL, NULL, NULL, radius, 0, 0};                          \
    for (size_t k = 0; k < n * D; k++) rows_x[k] = (real)x[k];                                     \
    p.work = scratch;                                                                              \
    p.bytes = sizeof scratch;                                                                      \
    return id##_gradient(g, &rows, v, &p);                                                         \
  }
#define PREPARE(id)                                                                                \
  static dppair_status id##_prepare(dppair_fast *f, double cap, const double *p, double *at,       \
                                    size_t bytes) {                                                \
    return id##_fast_init(f, MOST, DPPAIR_ACCURACY_1E6, cap, p, at, bytes);                        \
  }

#define DPPAIR_NAME logistic64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME squared_hinge64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME smoothed_hinge64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_smoothed_hinge
#include "dppair.h"
#define DPPAIR_NAME square64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"
#define DPPAIR_NAME exponential64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_exponential
#include "dppair.h"
#define DPPAIR_NAME sigmoid64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME ramp64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_ramp
#include "dppair.h"
#define DPPAIR_NAME least_squares64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_least_squares
#include "dppair.h"
#define DPPAIR_NAME absolute64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"
#define DPPAIR_NAME pinball64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_pinball
#include "dppair.h"
#define DPPAIR_NAME huber64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_huber
#include "dppair.h"
#define DPPAIR_NAME moreau_absolute64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_absolute
#include "dppair.h"
#define DPPAIR_NAME moreau_pinball64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_pinball
#include "dppair.h"
#define DPPAIR_NAME welsch64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_welsch
#include "dppair.h"
#define DPPAIR_NAME logistic32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME square32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_square
#include "dppair.h"
#define DPPAIR_NAME exponential32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_exponential
#include "dppair.h"
#define DPPAIR_NAME pinball32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_pinball
#include "dppair.h"

/* A loss of one's own, without and with a range, and with ranges that are false. */
static void cauchy_range(dppair_range *r, const dppair_margins *m, const double *p) {
  (void)m;
  (void)p;
  r->down = r->up = 1.0;
}
static void low_range(dppair_range *r, const dppair_margins *m, const double *p) {
  cauchy_range(r, m, p);
  r->up = 0.9;
}
static void nan_range(dppair_range *r, const dppair_margins *m, const double *p) {
  cauchy_range(r, m, p);
  r->down = (double)NAN;
}
#define own_KIND dppair_pairs
#define own_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
#define own_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
#define DPPAIR_NAME none64
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#include "dppair.h"
#define own_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)
#define DPPAIR_NAME own32
#define DPPAIR_REAL float
#define DPPAIR_LOSS own
#include "dppair.h"
#undef own_RANGE
#define own_RANGE (low_range, 0)
#define DPPAIR_NAME low64
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#include "dppair.h"
#undef own_RANGE
#define own_RANGE (nan_range, 0)
#define DPPAIR_NAME nan64
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#include "dppair.h"

#include "clips.h"

#define EACH(X, Y)                                                                                 \
  X(logistic, 64, double, dppair_rows_f64, 0)                                                      \
  X(hinge, 64, double, dppair_rows_f64, 0)                                                         \
  X(squared_hinge, 64, double, dppair_rows_f64, 0)                                                 \
  X(smoothed_hinge, 64, double, dppair_rows_f64, 0)                                                \
  X(square, 64, double, dppair_rows_f64, 0)                                                        \
  Y(exponential, 64, double, dppair_rows_f64, 0)                                                   \
  X(sigmoid, 64, double, dppair_rows_f64, 0)                                                       \
  X(ramp, 64, double, dppair_rows_f64, 0)                                                          \
  X(least_squares, 64, double, dppair_rows_f64, 0)                                                 \
  X(absolute, 64, double, dppair_rows_f64, 0)                                                      \
  X(pinball, 64, double, dppair_rows_f64, 0)                                                       \
  X(huber, 64, double, dppair_rows_f64, 0)                                                         \
  X(moreau_absolute, 64, double, dppair_rows_f64, 0)                                               \
  X(moreau_pinball, 64, double, dppair_rows_f64, 0)                                                \
  Y(welsch, 64, double, dppair_rows_f64, 0)                                                        \
  X(logistic, 32, float, dppair_rows_f32, 1)                                                       \
  X(hinge, 32, float, dppair_rows_f32, 1)                                                          \
  X(square, 32, float, dppair_rows_f32, 1)                                                         \
  Y(exponential, 32, float, dppair_rows_f32, 1)                                                    \
  X(pinball, 32, float, dppair_rows_f32, 1)

#define FAST(name, bits, real, rows, f32) GRADIENT(name##bits, real, rows) PREPARE(name##bits)
#define LOOPS(name, bits, real, rows, f32) GRADIENT(name##bits, real, rows)
EACH(FAST, LOOPS)

static const instance all[] = {
#define WITH(name, bits, real, rows, f32)                                                          \
  {#name #bits,         DPPAIR_LOSS_##name, f32, 1, name##bits##_of, name##bits##_sensitivity,     \
   name##bits##_prepare, name##bits##_clip_init},
#define WITHOUT(name, bits, real, rows, f32)                                                       \
  {#name #bits, DPPAIR_LOSS_##name, f32, 0, name##bits##_of, name##bits##_sensitivity, NULL,         \
   name##bits##_clip_init},
    EACH(WITH, WITHOUT)};
enum { INSTANCES = sizeof all / sizeof *all, STATES = 10 };

static const double params[2] = {0.75, 0.5}, width[2] = {0.5, 0.5};
static const double *params_of(const instance *f) {
  return f->loss == DPPAIR_LOSS_pinball || f->loss == DPPAIR_LOSS_moreau_pinball ? params : width;
}

/* What a record may be: a row and a class. */
static void states_fill(double (*x)[D], double radius, double small) {
  const double r = radius * (1 - 1e-7), flat = sqrt(r * r - small * small);
  const double all_x[STATES][D] = {{r, 0},         {-r, 0},         {0, r},
                                   {0, -r},        {small, flat},   {-small, flat},
                                   {small, -flat}, {-small, -flat}, {0.6 * r, 0.8 * r},
                                   {0, 0}};
  memcpy(x, all_x, sizeof all_x);
}

/* The computed mean of these records, positives first: moved[0] of class c[0], and so on. */
static void mean_of(double *g, const instance *f, const double (*x)[D], const int *c, size_t n,
                    double radius, const double *w, const dppair_options *options, double divisor) {
  double rows[MOST * D];
  size_t k, at = 0, positives = 0;
  for (int class = 1; class >= 0; class --)
    for (k = 0; k < n; k++) {
      if (c[k] != class) continue;
      memcpy(rows + at++ * D, x[k], sizeof *x);
      positives += class == 1;
    }
  assert_int_equal(f->gradient(g, rows, n, positives, radius, w, options), DPPAIR_OK);
  for (k = 0; k < D; k++) g[k] /= divisor;
}

static double apart(const double *a, const double *b) { return hypot(a[0] - b[0], a[1] - b[1]); }

/* The largest move of the mean over all n(n-1) pairs, when one of n records is replaced and the
 * others are copies of one; *zeroed: when it becomes null. */
static double worst_move(double *zeroed, const instance *f, double radius, double bound, size_t n,
                         const dppair_options *options) {
  double x[STATES][D], g[2 * STATES][D], worst = 0;
  const double b = bound * (1 - 1e-7), half = b / sqrt(2.0), none[D] = {0, 0};
  const double ws[][D] = {{b, 0}, {-b, 0}, {0, -b}, {half, half}, {-half, half}};
  *zeroed = 0;
  for (int tiny = 0; tiny < 2; tiny++) {
    states_fill(x, radius, tiny ? 1e-4 * radius : 0.3 * radius);
    for (size_t v = 0; v < sizeof ws / sizeof *ws; v++)
      for (int partner = 0; partner < 2 * STATES; partner++) {
        double rows[MOST][D];
        int classes[MOST];
        for (size_t k = 0; k < n; k++) {
          memcpy(rows[k], x[partner / 2], sizeof *x);
          classes[k] = partner % 2;
        }
        for (int z = 0; z < 2 * STATES; z++) {
          memcpy(rows[0], x[z / 2], sizeof *x);
          classes[0] = z % 2;
          mean_of(g[z], f, (const double(*)[D])rows, classes, n, radius, ws[v], options,
                  (double)(n * (n - 1)));
          if (apart(g[z], none) > *zeroed) *zeroed = apart(g[z], none);
          for (int y = 0; y < z; y++)
            if (apart(g[z], g[y]) > worst) worst = apart(g[z], g[y]);
        }
      }
  }
  return worst;
}

/* Is the move of this loss attained, with these bounds? Slopes are steepest at the largest margins
 * or equal everywhere; two signs meet where both slopes do near 0. */
static int attained(const instance *f, double bound, const dppair_options *options) {
  if (dppair_clip_bound_(options) > 1.0) return 0; /* it only rarely cuts */
  switch (f->loss) {
  case DPPAIR_LOSS_logistic:
  case DPPAIR_LOSS_squared_hinge:
  case DPPAIR_LOSS_exponential:
  case DPPAIR_LOSS_hinge:
    return 1;
  case DPPAIR_LOSS_square:
    return !options->clip && !options->fast;
  case DPPAIR_LOSS_absolute:
  case DPPAIR_LOSS_pinball:
    return bound > 0.0; /* at margin 0 the slope is 0 */
  default:
    return 0;
  }
}

static void no_replaced_or_zeroed_record_moves_a_gradient_further(void **unused) {
  static const double clips[] = {0.0, 0.25, 3.0}, bounds[] = {0.0, 0.5, 2.0};
  (void)unused;
  for (size_t i = 0; i < INSTANCES; i++)
    for (int c = 0; c < 6; c++) {
      const instance *f = &all[i];
      const double *p = params_of(f), bound = bounds[c % 3];
      const dppair_bounds b = {1.0, bound, 0.0, 0.0, 0.0};
      const size_t n = c == 1 ? 2 : 4;
      dppair_options options = {p, clip_of(f->clip_init, c < 3 ? 0.0 : clips[c - 3]), NULL, NULL, NULL, 0,
                          NULL};
      dppair_sampling s = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
      dppair_fast fast;
      double claim, zero, got, gone;
      for (int with = 0; with <= f->has_fast; with++) {
        if (with) {
          assert_int_equal(f->prepare(&fast, 2.5, p, prepared, sizeof prepared), DPPAIR_OK);
          options.fast = &fast;
        }
        s.adjacency = DPPAIR_REPLACE_ONE;
        assert_int_equal(f->sensitivity(&claim, D, &b, &s, &options), DPPAIR_OK);
        s.adjacency = DPPAIR_ZERO_OUT;
        assert_int_equal(f->sensitivity(&zero, D, &b, &s, &options), DPPAIR_OK);
        got = worst_move(&gone, f, 1.0, bound, n, &options);
        if (got > claim || gone > zero)
          fail_msg("%s, |w| %g, clip %g, fast %d: %.17g > %.17g or %.17g > %.17g", f->name, bound,
                   dppair_clip_bound_(&options), with, got, claim, gone, zero);
        if (attained(f, bound, &options) && got < 0.999 * claim &&
            !(with && f->loss == DPPAIR_LOSS_square))
          fail_msg("%s, |w| %g, clip %g, fast %d: only %g of %g", f->name, bound,
                   dppair_clip_bound_(&options), with, got, claim);
      }
    }
}

static void no_record_of_a_batch_moves_it_further(void **unused) {
  (void)unused;
  for (size_t i = 0; i < INSTANCES; i++) {
    const instance *f = &all[i];
    const dppair_bounds b = {1.0, 1.5, 0.0, 0.0, 0.0};
    double x[STATES][D], poisson, without, with, matching, farthest = 0;
    dppair_sampling s;
    states_fill(x, 1.0, 0.2);
    for (int c = 0; c < 2; c++) {
      const dppair_options options = {params_of(f), clip_of(f->clip_init, c ? 0.4 : 0.0), NULL, NULL, NULL, 0, NULL};
      s = dppair_sampling_poisson(6, 3, DPPAIR_REPLACE_ONE);
      assert_int_equal(f->sensitivity(&poisson, D, &b, &s, &options), DPPAIR_OK);
      s = dppair_sampling_without_replacement(9, 4, DPPAIR_ZERO_OUT);
      assert_int_equal(f->sensitivity(&without, D, &b, &s, &options), DPPAIR_OK);
      s = dppair_sampling_with_replacement(3, 4, DPPAIR_REPLACE_ONE);
      assert_int_equal(f->sensitivity(&with, D, &b, &s, &options), DPPAIR_OK);
      s = dppair_sampling_matching(9, 4, DPPAIR_REPLACE_ONE);
      assert_int_equal(f->sensitivity(&matching, D, &b, &s, &options), DPPAIR_OK);
      if (without != with || !(matching > 1.99 * without && matching < 2.01 * without))
        fail_msg("%s: %.17g %.17g %.17g", f->name, without, with, matching);
      for (int trial = 0; trial < (BRIEF ? 200 : 1000); trial++) {
        double rows[MOST][D], before[D], after[D], other[D], divisor;
        int classes[MOST];
        const double angle = 6.3 * uniform(), w[D] = {1.4999 * cos(angle), 1.4999 * sin(angle)};
        const size_t n = 1 + (size_t)(5.0 * uniform());
        const int one = uniform() < 0.5; /* one class against one record of the other */
        for (size_t k = 0; k <= n; k++) {
          memcpy(rows[k], x[(size_t)(STATES * uniform())], sizeof *x);
          classes[k] = one ? k == n : uniform() < 0.5;
        }
        s = dppair_sampling_poisson(6, 3, DPPAIR_REPLACE_ONE);
        assert_int_equal(dppair_normaliser(&divisor, &s, n), DPPAIR_OK);
        mean_of(before, f, (const double(*)[D])rows, classes, n, 1.0, w, &options, divisor);
        assert_int_equal(dppair_normaliser(&divisor, &s, n + 1), DPPAIR_OK);
        mean_of(after, f, (const double(*)[D])rows, classes, n + 1, 1.0, w, &options, divisor);
        if (apart(before, after) > poisson)
          fail_msg("%s: Poisson %g > %g", f->name, apart(before, after), poisson);
        if (apart(before, after) / poisson > farthest) farthest = apart(before, after) / poisson;
        mean_of(before, f, (const double(*)[D])rows, classes, 4, 1.0, w, &options, 12.0);
        memcpy(rows[2], x[(size_t)(STATES * uniform())], sizeof *x);
        classes[2] = uniform() < 0.5;
        mean_of(other, f, (const double(*)[D])rows, classes, 4, 1.0, w, &options, 12.0);
        if (n >= 3 && apart(before, other) > without)
          fail_msg("%s: m of n %g > %g", f->name, apart(before, other), without);
      }
    }
    if (!BRIEF) assert_true(farthest > 0.7);
  }
}

static void what_nothing_bounds_is_refused(void **unused) {
  const dppair_sampling s = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  const dppair_bounds line = {1.0, HUGE_VAL, 0.0, 0.0, 0.0}, ball = {1.0, 2.0, 0.0, 0.0, 0.0};
  const dppair_bounds any = {HUGE_VAL, HUGE_VAL, 0.0, 0.0, 0.0}, no_row = {0, 2.0, 0.0, 0.0, 0.0};
  const dppair_options plain = {NULL, 0, NULL, NULL, NULL, 0, NULL},
                    clip = {NULL, clip_of(dppair_clip_init, 0.5), NULL, NULL, NULL, 0, NULL};
  double v = 7;
  (void)unused;
#define REFUSED(call, status) v = 7, assert_int_equal(call, status), assert_true(v == 0.0)
  REFUSED(logistic64_sensitivity(&v, 3, &no_row, &s, &plain), DPPAIR_ERR_NO_RADIUS);
  REFUSED(square64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_ERR_NO_PROOF);
  REFUSED(logistic64_sensitivity(&v, 3, &any, &s, &plain), DPPAIR_ERR_NO_PROOF);
  REFUSED(none64_sensitivity(&v, 3, &ball, &s, &plain), DPPAIR_ERR_NO_PROOF);
  REFUSED(low64_sensitivity(&v, 3, &ball, &s, &plain), DPPAIR_ERR_SLOPE);
  REFUSED(low64_sensitivity(&v, 3, &ball, &s, &clip), DPPAIR_ERR_SLOPE);
  REFUSED(nan64_sensitivity(&v, 3, &ball, &s, &plain), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(none64_sensitivity(&v, 3, &any, &s, &clip), DPPAIR_OK); /* any scorer */
  assert_true(v >= 0.01 && v < 0.0101);
  assert_int_equal(own32_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_OK);
  assert_true(v >= 0.04 && v < 0.0402);
  assert_int_equal(logistic64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_OK);
  assert_true(v >= 0.02 && v < 0.02000001);
  REFUSED(huber64_sensitivity(&v, 3, &ball, &s, &plain), DPPAIR_ERR_NULL); /* parameters */
}

static void arguments_out_of_range_are_refused(void **unused) {
  const dppair_options plain = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  const double bad[] = {-1.0, (double)NAN};
  dppair_sampling s = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  dppair_bounds b = {1.0, 2.0, 0.0, 0.0, 0.0};
  dppair_options p = plain;
  double v;
  (void)unused;
  for (int k = 0; k < 2; k++) {
    b.radius = bad[k];
    REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_DOMAIN);
    b.radius = 1.0, b.param_radius = bad[k];
    REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_DOMAIN);
    b.param_radius = 2.0;
  }
  p.clip = clip_unmade();
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &p), DPPAIR_ERR_WORKSPACE);
  p.clip = clip_changed();
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &p), DPPAIR_ERR_WORKSPACE);
  b.clip = 1.0; /* it stands in the pass */
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_DOMAIN);
  b.clip = 0.0;
  REFUSED(hinge64_sensitivity(&v, SIZE_MAX, &b, &s, &plain), DPPAIR_ERR_SIZE);
  REFUSED(hinge32_sensitivity(&v, (size_t)1 << 22, &b, &s, &plain), DPPAIR_ERR_SIZE);
  REFUSED(hinge64_sensitivity(&v, 3, NULL, &s, &plain), DPPAIR_ERR_NULL);
  REFUSED(hinge64_sensitivity(&v, 3, &b, NULL, &plain), DPPAIR_ERR_NULL);
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(hinge64_sensitivity(NULL, 3, &b, &s, &plain), DPPAIR_ERR_NULL);
  s.n = 1;
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_SIZE);
  s = dppair_sampling_all(100, (dppair_adjacency)7);
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_ADJACENCY);
  s = dppair_sampling_without_replacement(100, 1, DPPAIR_REPLACE_ONE);
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_SIZE);
  s = dppair_sampling_matching(100, 7, DPPAIR_REPLACE_ONE);
  REFUSED(hinge64_sensitivity(&v, 3, &b, &s, &plain), DPPAIR_ERR_RATE);
}

/* Forms: the rows, labels and W or L of a trial, in doubles. */
typedef dppair_status form_gradient(double *g, dppair_form form, const double *x, const double *y,
                                    size_t n, const double *w, double offset,
                                    const dppair_options *options);
#define FORM_GRADIENT(id, real, rows_type)                                                         \
  static dppair_status id##_form_of(double *g, dppair_form form, const double *x, const double *y, \
                                    size_t n, const double *w, double offset,                      \
                                    const dppair_options *options) {                                     \
    real rows_x[MOST * D] = {0}, labels[MOST];                                                     \
    dppair_options p = *options;                                                                         \
    rows_type rows = {rows_x, n, D, D, 0, labels, NULL, NULL, 1.0, 0, 0};                            \
    for (size_t k = 0; k < n * D; k++) rows_x[k] = (real)x[k];                                     \
    for (size_t k = 0; k < n; k++) labels[k] = (real)y[k];                                         \
    p.work = scratch;                                                                              \
    p.bytes = sizeof scratch;                                                                      \
    return id##_form_gradient(g, form, &rows, w, D, offset, &p);                                   \
  }
FORM_GRADIENT(logistic64, double, dppair_rows_f64)
FORM_GRADIENT(hinge64, double, dppair_rows_f64)
FORM_GRADIENT(square64, double, dppair_rows_f64)
FORM_GRADIENT(least_squares64, double, dppair_rows_f64)
FORM_GRADIENT(welsch64, double, dppair_rows_f64)
FORM_GRADIENT(pinball32, float, dppair_rows_f32)
FORM_GRADIENT(square32, float, dppair_rows_f32)
FORM_GRADIENT(exponential32, float, dppair_rows_f32)

static double apart4(const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < D * D; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

static void no_record_moves_a_form_further(void **unused) {
  static const struct {
    const char *name;
    form_gradient *gradient;
    dppair_status (*sensitivity)(double *, dppair_form, size_t, size_t, const dppair_bounds *,
                                 const dppair_sampling *, const dppair_options *);
    const double *params;
    double least; /* part of the figure that a metric reaches */
  } each[] = {
      {"logistic64", logistic64_form_of, logistic64_form_sensitivity, NULL, 0.5},
      {"hinge64", hinge64_form_of, hinge64_form_sensitivity, NULL, 0.9},
      {"square64", square64_form_of, square64_form_sensitivity, NULL, 0.3},
      {"least_squares64", least_squares64_form_of, least_squares64_form_sensitivity, NULL, 0.3},
      {"welsch64", welsch64_form_of, welsch64_form_sensitivity, width, 0.1},
      {"pinball32", pinball32_form_of, pinball32_form_sensitivity, params, 0.5},
      {"square32", square32_form_of, square32_form_sensitivity, NULL, 0.3},
      {"exponential32", exponential32_form_of, exponential32_form_sensitivity, NULL, 0.3}};
  double x[STATES][D];
  (void)unused;
  states_fill(x, 1.0, 0.2);
  for (size_t i = 0; i < sizeof each / sizeof *each; i++)
    for (int form = DPPAIR_FORM_METRIC; form <= DPPAIR_FORM_SIMILARITY; form++)
      for (int c = 0; c < 2; c++) {
        const dppair_bounds b = {1.0, 0.75, 0.0, c ? -0.5 : 1.0, 0.0};
        const dppair_options options = {each[i].params, clip_of(dppair_clip_init, c ? 0.3 : 0.0), NULL, NULL, NULL, 0, NULL};
        dppair_sampling s = dppair_sampling_all(4, DPPAIR_REPLACE_ONE);
        double replace, zero, poisson, worst = 0;
        assert_int_equal(each[i].sensitivity(&replace, (dppair_form)form, D, D, &b, &s, &options),
                         DPPAIR_OK);
        s.adjacency = DPPAIR_ZERO_OUT;
        assert_int_equal(each[i].sensitivity(&zero, (dppair_form)form, D, D, &b, &s, &options),
                         DPPAIR_OK);
        s = dppair_sampling_poisson(4, 3, DPPAIR_REPLACE_ONE);
        assert_int_equal(each[i].sensitivity(&poisson, (dppair_form)form, D, D, &b, &s, &options),
                         DPPAIR_OK);
        for (int trial = 0; trial < (BRIEF ? 300 : 2000); trial++) {
          double rows[4][D], y[4], w[D * D], g[D * D], h[D * D], less[D * D], size = 0;
          const int same = uniform() < 0.5, old = (int)(STATES * uniform());
          const int corner = (int)(5.0 * uniform());
          for (int k = 0; k < D * D; k++) w[k] = between(-1, 1) * (corner == 4 || corner == k);
          if (form != DPPAIR_FORM_FACTOR) w[1] = w[2] = 0.5 * (w[1] + w[2]);
          for (int k = 0; k < D * D; k++) size += w[k] * w[k];
          for (int k = 0; k < D * D; k++) w[k] *= 0.7499 / sqrt(size + 1e-30);
          for (int k = 0; k < 4; k++) {
            memcpy(rows[k], x[same ? old : (int)(STATES * uniform())], sizeof *x);
            y[k] = same || uniform() < 0.5;
          }
          if (same) { /* against copies of one record */
            memcpy(rows[3], x[(int)(STATES * uniform())], sizeof *x);
            y[3] = uniform() < 0.5;
          }
          assert_int_equal(
              each[i].gradient(g, (dppair_form)form, rows[0], y, 4, w, b.offset, &options), DPPAIR_OK);
          assert_int_equal(
              each[i].gradient(less, (dppair_form)form, rows[0], y, 3, w, b.offset, &options),
              DPPAIR_OK);
          memcpy(rows[3], x[(int)(STATES * uniform())], sizeof *x);
          y[3] = uniform() < 0.5;
          assert_int_equal(
              each[i].gradient(h, (dppair_form)form, rows[0], y, 4, w, b.offset, &options), DPPAIR_OK);
          worst = fmax(worst, apart4(g, h) / 12.0 / replace);
          if (apart4(g, h) / 12.0 > replace || apart4(g, less) / 12.0 > zero)
            fail_msg("%s, form %d: %g > %g or %g > %g", each[i].name, form, apart4(g, h) / 12.0,
                     replace, apart4(g, less) / 12.0, zero);
          for (int k = 0; k < D * D; k++) g[k] /= 9.0, less[k] /= 6.0; /* m (count - 1) */
          if (apart4(g, less) > poisson)
            fail_msg("%s, form %d: Poisson %g > %g", each[i].name, form, apart4(g, less), poisson);
        }
        if (!BRIEF && form == DPPAIR_FORM_METRIC && c == 0 && worst < each[i].least)
          fail_msg("%s: only %g of the figure", each[i].name, worst);
      }
}

/* Records are drawn and users protected: one record's move is what the multiplier divides, and
 * the law counts a user's other ones; where all pairs count, those move farther than two classes
 * do. */
static void records_of_a_protected_person_are_drawn(void **unused) {
  const dppair_bounds line = {1.0, HUGE_VAL, 0.0, 0.0, 0.0}, ball = {1.0, 2.0, 0.0, 1.0, 0.0};
  dppair_sampling s = dppair_sampling_without_replacement(1000, 20, DPPAIR_REPLACE_USER);
  const dppair_options plain = {NULL, 0, NULL, NULL, NULL, 0, NULL},
                    clip = {NULL, clip_of(dppair_clip_init, 0.5), NULL, NULL, NULL, 0, NULL};
  double v, one = 0.0;
  (void)unused;
  REFUSED(hinge64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_ERR_ADJACENCY);
  for (s.owned = 1; s.owned <= 980; s.owned += 89) { /* 2 R s = 2, a clip of 1/2 twice */
    assert_int_equal(hinge64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_OK);
    assert_true(v * 20.0 >= 2.0 && v * 20.0 < 2.0 + 1e-9);
    assert_int_equal(hinge64_sensitivity(&v, 3, &line, &s, &clip), DPPAIR_OK);
    assert_true(v * 20.0 >= 1.0 && v * 20.0 < 1.0 + 1e-6);
    assert_int_equal(hinge64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 3, 3, &ball, &s, &clip),
                     DPPAIR_OK);
    if (s.owned == 1) one = v;
    assert_true(v >= one && (s.owned == 1 || v > 1.23 * one) && v < 1.2361 * one);
  }
  s.owned = 981; /* too few others */
  REFUSED(hinge64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_ERR_NO_PROOF);
  s.owned = 10;
  s.adjacency = DPPAIR_ZERO_USER;
  REFUSED(hinge64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_ERR_ADJACENCY);
  s.adjacency = DPPAIR_REPLACE_USER, s.m = 1;
  REFUSED(hinge64_sensitivity(&v, 3, &line, &s, &plain), DPPAIR_ERR_SIZE);
}

/* What a loss's range is looked at: both ends of what margins reach, of either kind. */
static void spots_hold_both_ends(void **unused) {
  dppair_moves_ m;
  (void)unused;
  memset(&m, 0, sizeof m);
  m.at.low[0] = -3.0, m.at.high[0] = 5.0, m.at.low[1] = 2.0, m.at.high[1] = HUGE_VAL;
  for (m.at.kinds = 1; m.at.kinds <= 2; m.at.kinds++) {
    double u[16];
    const int each = 16 / m.at.kinds;
    dppair_spot_margins_(u, &m, 1000.0);
    assert_true(u[0] == -3.0 && u[each - 1] == 5.0);
    assert_true(m.at.kinds == 1 || (u[8] == 2.0 && u[15] == 1000.0));
  }
}

static void forms_refuse_what_nothing_bounds(void **unused) {
  const dppair_sampling s = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  const dppair_bounds line = {1.0, HUGE_VAL, 0.0, 1.0, 0.0}, ball = {1.0, 2.0, 0.0, 1.0, 0.0};
  const dppair_bounds any = {HUGE_VAL, 2.0, 0.0, 1.0, 0.0};
  const dppair_options plain = {NULL, 0, NULL, NULL, NULL, 0, NULL},
                    clip = {NULL, clip_of(dppair_clip_init, 0.5), NULL, NULL, NULL, 0, NULL};
  double v;
  (void)unused;
  REFUSED(square64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 3, 3, &line, &s, &plain),
          DPPAIR_ERR_NO_PROOF);
  REFUSED(hinge64_form_sensitivity(&v, DPPAIR_FORM_FACTOR, 2, 3, &line, &s, &clip),
          DPPAIR_ERR_NO_PROOF);
  REFUSED(hinge64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 3, 3, &any, &s, &clip),
          DPPAIR_ERR_NO_PROOF);
  REFUSED(none64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 3, 3, &ball, &s, &clip),
          DPPAIR_ERR_NO_PROOF);
  REFUSED(low64_form_sensitivity(&v, DPPAIR_FORM_SIMILARITY, 3, 3, &ball, &s, &plain),
          DPPAIR_ERR_SLOPE);
  REFUSED(hinge64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 2, 3, &ball, &s, &plain),
          DPPAIR_ERR_DOMAIN);
  REFUSED(hinge64_form_sensitivity(&v, (dppair_form)3, 3, 3, &ball, &s, &plain), DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 3, 3, &line, &s, &plain),
                   DPPAIR_OK);
  assert_true(v >= 0.08 && v < 0.0801); /* 2 slopes of 1 times 4 R^2, over n */
  for (size_t d = 699042; d < 699044;
       d++) { /* margins off by (2 d + k + 24) epsilon, at most 1/4 */
    dppair_moves_ m;
    assert_int_equal(hinge32_form_moves_(&m, DPPAIR_FORM_METRIC, d, d, &ball, &plain),
                     d == 699042 ? DPPAIR_OK : DPPAIR_ERR_SIZE);
  }
}

/* Score caps bound the slopes where |w| does not; kernel errors and float sums are in the figure.
 */
static void caps_kernels_and_rounding_count(void **unused) {
  const dppair_bounds line = {1.0, HUGE_VAL, 0.0, 0.0, 0.0}, ball = {1.0, 50.0, 0.0, 0.0, 0.0};
  const dppair_bounds start = {1.0, 0.0, 0.0, 0.0, 0.0};
  const dppair_sampling s = dppair_sampling_all(20000, DPPAIR_REPLACE_ONE);
  const dppair_sampling few = dppair_sampling_poisson(20000, 100, DPPAIR_REPLACE_ONE);
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  double v, factor, rounding, all_n = 20000.0;
  dppair_fast f;
  (void)unused;
  assert_int_equal(
      square64_fast_init(&f, MOST, DPPAIR_ACCURACY_1E6, 2.0, NULL, prepared, sizeof prepared),
      DPPAIR_OK);
  options.fast = &f;
  for (int k = 0; k < 2; k++) { /* slopes in [-10, 6]: no parabola any more */
    assert_int_equal(square64_sensitivity(&v, 3, k ? &ball : &line, &s, &options), DPPAIR_OK);
    assert_true(v * all_n >= 32.0 && v * all_n < 32.001);
  }
  assert_int_equal(
      logistic64_fast_init(&f, 19999, DPPAIR_ACCURACY_1E6, 4.0, NULL, prepared, sizeof prepared),
      DPPAIR_OK);
  assert_int_equal(logistic64_sensitivity(&v, 3, &start, &s, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(
      logistic64_fast_init(&f, 20000, DPPAIR_ACCURACY_1E6, 4.0, NULL, prepared, sizeof prepared),
      DPPAIR_OK);
  assert_int_equal(logistic64_sensitivity(&v, 3, &start, &s, &options), DPPAIR_OK);
  assert_true(v * all_n >= 1.0 + 4.0 * f.kernel_error && v * all_n < 1.001);
  options.fast = NULL;
  assert_int_equal(logistic64_sensitivity(&v, 3, &start, &s, &options), DPPAIR_OK);
  assert_true(v * all_n >= 1.0 && v * all_n < 1.0 + 1e-6); /* S at the norm of this w */
  assert_int_equal(logistic32_allowance(&factor, &rounding, NULL, 20000, 1.0, 1.0), DPPAIR_OK);
  assert_int_equal(logistic32_sensitivity(&v, 3, &line, &s, &options), DPPAIR_OK);
  assert_true(v >= 2.0 / all_n * factor + rounding / (all_n * (all_n - 1.0)));
  assert_int_equal(logistic32_sensitivity(&v, 3, &line, &few, &options), DPPAIR_OK);
  assert_true(v >= 2.0 / 100.0 * factor + rounding / (100.0 * (all_n - 1.0)));
  options.clip = clip_of(hinge32_clip_init, 1e-3); /* the clip is far below 2 R s, but weights of near duplicates are not */
  assert_int_equal(hinge32_sensitivity(&v, 3, &line, &s, &options), DPPAIR_OK);
  assert_true(v >= 2e-3 / all_n && v < 2.0 / all_n);
}

/* An allocated batch of n/T expected records moves like a Poisson one of as many, by what the total
 * of a pair says: u/m, and no more than rounding above it. */
static void allocated_batches_move_like_poisson_ones(void **unused) {
  const dppair_bounds line = {1.0, HUGE_VAL, 0.0, 0.0, 0.0};
  const dppair_sampling poisson = dppair_sampling_poisson(60, 12, DPPAIR_REPLACE_ONE);
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  double v, other;
  (void)unused;
  for (int k = 0; k < 4; k++) {
    dppair_sampling s = dppair_sampling_allocation(60, k % 2 ? 10 : 5, k % 2 ? 2 : 1,
                                                   k < 2 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE);
    assert_int_equal(logistic64_sensitivity(&v, 3, &line, &poisson, &options), DPPAIR_OK);
    assert_int_equal(logistic64_sensitivity(&other, 3, &line, &s, &options), DPPAIR_OK);
    assert_true(v == other && v >= 2.0 / 12.0 && v < 2.0 / 12.0 * (1.0 + 1e-9));
    assert_int_equal(square64_form_sensitivity(&v, DPPAIR_FORM_METRIC, 3, 3,
                                               &(dppair_bounds){1.0, 1.0, 0.0, 0.0, 0.0}, &poisson,
                                               &options),
                     DPPAIR_OK);
    assert_int_equal(square64_form_sensitivity(&other, DPPAIR_FORM_METRIC, 3, 3,
                                               &(dppair_bounds){1.0, 1.0, 0.0, 0.0, 0.0}, &s,
                                               &options),
                     DPPAIR_OK);
    assert_true(v == other);
  }
}

/* A state of another loss, or of other parameters, has other slopes and other rounding. */
static void a_state_of_another_loss_is_refused(void **state) {
  static const double wide[1] = {1e3}, narrow[1] = {1e-13};
  const dppair_sampling sampling = dppair_sampling_all(4, DPPAIR_REPLACE_ONE);
  dppair_bounds bounds = {1, 1, 1, 0, 0};
  dppair_fast f;
  dppair_options options = {0};
  double s;
  (void)state;
  options.fast = &f;
  for (int accuracy = 0; accuracy < 3; accuracy++) {
    const dppair_accuracy a = (dppair_accuracy)accuracy;
    assert_int_equal(logistic64_fast_init(&f, 4, a, 4, NULL, prepared, sizeof prepared), DPPAIR_OK);
    assert_int_equal(logistic64_sensitivity(&s, 2, &bounds, &sampling, &options), DPPAIR_OK);
    assert_int_equal(logistic32_sensitivity(&s, 2, &bounds, &sampling, &options),
                     DPPAIR_ERR_WORKSPACE); /* its functions are those of double */
    assert_int_equal(sigmoid64_sensitivity(&s, 2, &bounds, &sampling, &options), DPPAIR_ERR_WORKSPACE);
    assert_true(s == 0.0);
    assert_int_equal(hinge64_sensitivity(&s, 2, &bounds, &sampling, &options), DPPAIR_ERR_WORKSPACE);
    assert_int_equal(sigmoid64_fast_init(&f, 4, a, 4, NULL, prepared, sizeof prepared), DPPAIR_OK);
    assert_int_equal(sigmoid64_sensitivity(&s, 2, &bounds, &sampling, &options), DPPAIR_OK);
    assert_int_equal(logistic64_sensitivity(&s, 2, &bounds, &sampling, &options),
                     DPPAIR_ERR_WORKSPACE);
  }
  assert_int_equal(
      smoothed_hinge64_fast_init(&f, 4, DPPAIR_ACCURACY_1E6, 4, wide, prepared, sizeof prepared),
      DPPAIR_OK);
  options.params = wide;
  assert_int_equal(smoothed_hinge64_sensitivity(&s, 2, &bounds, &sampling, &options), DPPAIR_OK);
  options.params = narrow;
  assert_int_equal(smoothed_hinge64_sensitivity(&s, 2, &bounds, &sampling, &options),
                   DPPAIR_ERR_WORKSPACE);
}

/* Every number of a state that results or a sensitivity read, changed by a bit of each byte. */
static void a_state_that_was_changed_is_refused(void **state) {
  const dppair_sampling sampling = dppair_sampling_all(4, DPPAIR_REPLACE_ONE);
  dppair_bounds bounds = {1, 1, 1, 0, 0};
  dppair_fast made, f;
  dppair_options options = {0};
  double s;
  (void)state;
  options.fast = &f;
#define CHANGED(field)                                                                             \
  for (size_t byte = 0; byte < sizeof f.field; byte++) {                                           \
    f = made;                                                                                      \
    ((unsigned char *)&f.field)[byte] ^= 1;                                                        \
    assert_int_equal(OF(_sensitivity)(&s, 2, &bounds, &sampling, &options), DPPAIR_ERR_WORKSPACE);    \
    assert_true(s == 0.0);                                                                         \
  }                                                                                                \
  f = made
#define ALL_REFUSED                                                                                \
  f = made;                                                                                        \
  assert_int_equal(OF(_sensitivity)(&s, 2, &bounds, &sampling, &options), DPPAIR_OK);                 \
  CHANGED(width);                                                                                  \
  CHANGED(low);                                                                                    \
  CHANGED(high);                                                                                   \
  CHANGED(kernel_error);                                                                           \
  CHANGED(weight);                                                                                 \
  CHANGED(terms);                                                                                  \
  CHANGED(stride);                                                                                 \
  CHANGED(reach);                                                                                  \
  CHANGED(capacity);                                                                               \
  CHANGED(most);                                                                                   \
  CHANGED(slope);                                                                                  \
  CHANGED(cells);                                                                                  \
  CHANGED(words);                                                                                  \
  CHANGED(room);                                                                                   \
  CHANGED(order_free);                                                                             \
  CHANGED(loss);                                                                                   \
  CHANGED(owner)
#define OF(name) logistic64##name
  assert_int_equal(
      logistic64_fast_init(&made, 4, DPPAIR_ACCURACY_1E9, 4, NULL, prepared, sizeof prepared),
      DPPAIR_OK);
  ALL_REFUSED;
#undef OF
#define OF(name) hinge64##name
  assert_int_equal(
      hinge64_fast_init(&made, 4, DPPAIR_ACCURACY_1E9, 4, NULL, prepared, sizeof prepared),
      DPPAIR_OK);
  ALL_REFUSED;
#undef OF
#undef ALL_REFUSED
#undef CHANGED
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(no_replaced_or_zeroed_record_moves_a_gradient_further),
      TEST(no_record_of_a_batch_moves_it_further),
      TEST(what_nothing_bounds_is_refused),
      TEST(arguments_out_of_range_are_refused),
      TEST(caps_kernels_and_rounding_count),
      TEST(allocated_batches_move_like_poisson_ones),
      TEST(a_state_of_another_loss_is_refused),
      TEST(a_state_that_was_changed_is_refused),
      TEST(no_record_moves_a_form_further),
      TEST(records_of_a_protected_person_are_drawn),
      TEST(spots_hold_both_ends),
      TEST(forms_refuse_what_nothing_bounds),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
