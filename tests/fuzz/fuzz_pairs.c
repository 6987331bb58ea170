/* SPDX-License-Identifier: MIT */
/*
 * Sums over pairs of a few records with ties, subnormal, huge and non-finite scores, for every
 * shipped loss. The near-linear sums are those of the loops within the certified bound; each tier
 * has the bits of the scalar one; a record that is replaced moves a gradient by no more than its
 * sensitivity; clipped rows are within the radius; an error leaves zeros.
 *
 * tiers: all
 * brief: 16
 */
#include "dppair_allocation.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"

#include "plan.h"

#define DPPAIR_NAME logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME single
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#if DPPAIR_MAX_TIER == 0 && !defined(FUZZ_FEW) /* FUZZ_FEW: compiled soon */
#define DPPAIR_NAME squared_hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME smoothed_hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_smoothed_hinge
#include "dppair.h"
#define DPPAIR_NAME square
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"
#define DPPAIR_NAME exponential
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_exponential
#include "dppair.h"
#define DPPAIR_NAME sigmoid
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME ramp
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_ramp
#include "dppair.h"
#define DPPAIR_NAME least_squares
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_least_squares
#include "dppair.h"
#define DPPAIR_NAME absolute
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"
#define DPPAIR_NAME pinball
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_pinball
#include "dppair.h"
#define DPPAIR_NAME huber
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_huber
#include "dppair.h"
#define DPPAIR_NAME moreau_absolute
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_absolute
#include "dppair.h"
#define DPPAIR_NAME moreau_pinball
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_moreau_pinball
#include "dppair.h"
#define DPPAIR_NAME welsch
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_welsch
#include "dppair.h"
#define LOOPS(X) X(exponential) X(welsch)
#define INSTANCES(X)                                                                               \
  X(logistic)                                                                                      \
  X(hinge) X(squared_hinge) X(smoothed_hinge) X(square) X(sigmoid) X(ramp) X(least_squares)        \
      X(absolute) X(pinball) X(huber) X(moreau_absolute) X(moreau_pinball)
#else
#define LOOPS(X)
#define INSTANCES(X) X(logistic) X(hinge)
#endif

enum { MOST = 90, WIDE = 7 };

/* One instance, as numbers and functions. */
typedef struct instance {
  dppair_loss loss;
  dppair_status (*coeffs)(double *, double *, const double *, size_t, const double *, size_t,
                          const double *);
  dppair_status (*size)(size_t *, size_t, dppair_accuracy, double, const double *);
  dppair_status (*init)(dppair_fast *, size_t, dppair_accuracy, double, const double *, void *,
                        size_t);
  dppair_status (*near)(double *, double *, const double *, size_t, const double *, size_t,
                        const double *, const dppair_fast *);
  dppair_status (*room)(size_t *, const dppair_rows_f64 *, const dppair_options *);
  dppair_status (*gradient)(double *, const dppair_rows_f64 *, const double *, const dppair_options *);
  dppair_status (*sensitivity)(double *, size_t, const dppair_bounds *, const dppair_sampling *,
                               const dppair_options *);
  dppair_status (*clip_init)(dppair_clip *, double);
} instance;

#define ROOM(name)                                                                                 \
  static dppair_status name##_room(size_t *bytes, const dppair_rows_f64 *rows,                     \
                                   const dppair_options *options) {                                      \
    return name##_workspace(bytes, rows->n, rows->d, options);                                        \
  }
INSTANCES(ROOM)
LOOPS(ROOM)
static const instance instances[] = {
#define INSTANCE(name)                                                                             \
  {DPPAIR_LOSS_##name, name##_coeffs, name##_fast_workspace, name##_fast_init,                     \
   name##_coeffs_fast, name##_room,   name##_gradient,       name##_sensitivity, name##_clip_init},
    INSTANCES(INSTANCE)
#define LOOP(name)                                                                                 \
  {DPPAIR_LOSS_##name, name##_coeffs,     NULL, NULL, NULL, name##_room,                           \
   name##_gradient,    name##_sensitivity, name##_clip_init},
        LOOPS(LOOP)};

/* Scores: a few values many times, so that there are ties; often all of one kind. */
static void in_scores(input *in, double *s, size_t n) {
  static const double spread[] = {1.0, 1e-3, 30.0, 1e-310, 1e3, 1e17};
  const double scale = spread[in_choice(in, 6)];
  const int wild = in_choice(in, 12);
  size_t i;
  for (i = 0; i < n; i++) {
    const unsigned b = in_byte(in);
    s[i] = b < 64 && i > 0 ? s[b % i] : scale * ((double)b - 128.0) / 64.0;
    if (b >= 200) s[i] = nextafter(s[i], 1e300);
  }
  if (wild == 0 && n > 0) s[in_count(in, n - 1)] = in_hostile(in);
}

static void in_params(input *in, double *p, dppair_loss loss) {
  const dppair_loss_facts *facts = dppair_loss_facts_of(loss);
  int k = 0;
  p[0] = p[1] = 0.0;
  if (facts->flags & DPPAIR_TAKES_LEVEL) p[k++] = in_between(in, 0.01, 0.99);
  if (facts->flags & DPPAIR_TAKES_SIZE) p[k++] = in_scale(in, 1e-2, 10.0);
}

static int zeros(const double *a, size_t np, const double *b, size_t nn) {
  return all_zero(a, np * sizeof *a) && all_zero(b, nn * sizeof *b);
}

static void compare(input *in) {
  static double sp[MOST], sn[MOST], a[MOST], b[MOST], c[MOST], e[MOST];
  const instance *one = &instances[in_choice(in, (int)(sizeof instances / sizeof *instances))];
  const size_t np = in_count(in, MOST), nn = in_count(in, MOST);
  const double cap = in_scale(in, 0.1, 200.0);
  const dppair_accuracy accuracy = (dppair_accuracy)in_enum(in, 3);
  double params[2], most, slopes = 0.0;
  dppair_fast f;
  dppair_status status, near;
  void *whole, *work;
  size_t bytes = 99, i;
  in_params(in, params, one->loss);
  in_scores(in, sp, np);
  in_scores(in, sn, nn);
  stain(a, MOST);
  stain(b, MOST);
  status = one->coeffs(a, b, sp, np, sn, nn, params);
  if (status != DPPAIR_OK) REQUIRE(zeros(a, np, b, nn), "an error with coefficients");
  if (status == DPPAIR_OK)
    REQUIRE(dppair_all_finite_f64(a, np) && dppair_all_finite_f64(b, nn), "not finite");
  if (one->size == NULL) return;
  near = one->size(&bytes, np + nn, accuracy, cap, params);
  REQUIRE(near == DPPAIR_OK || bytes == 0, "an error with bytes");
  if (near != DPPAIR_OK || bytes > 1 << 24) return;
  work = in_room(in, &whole, bytes);
  near = one->init(&f, np + nn, accuracy, cap, params, work,
                   in_rarely(in) && bytes > 0 ? bytes - 1 : bytes);
  stain(c, MOST);
  stain(e, MOST);
  if (near == DPPAIR_OK) {
    /* what a loss does at parameters that it does not take, nothing is claimed of */
    int within = dppair_facts_check_(dppair_loss_facts_of(one->loss), params) == DPPAIR_OK;
    near = one->near(c, e, sp, np, sn, nn, params, &f);
    for (i = 0; i < np; i++) within = within && fabs(sp[i]) <= cap;
    for (i = 0; i < nn; i++) within = within && fabs(sn[i]) <= cap;
    if (near != DPPAIR_OK) REQUIRE(zeros(c, np, e, nn), "an error with fast coefficients");
    if (within) REQUIRE(near == status || status == DPPAIR_OK, "another status by the fast way");
    for (i = 0; i < np; i++) slopes = fabs(a[i]) > slopes ? fabs(a[i]) : slopes;
    for (i = 0; i < nn; i++) slopes = fabs(b[i]) > slopes ? fabs(b[i]) : slopes;
    most = f.kernel_error * (1.0 + 1e-9) +
           (f.weight + slopes) * DBL_EPSILON * (4.0 * (double)(np + nn) + 2000.0);
    for (i = 0; i < np && within && near == DPPAIR_OK && status == DPPAIR_OK; i++)
      REQUIRE(fabs(a[i] - c[i]) <= most * (double)nn, "beyond the certified bound");
    for (i = 0; i < nn && within && near == DPPAIR_OK && status == DPPAIR_OK; i++)
      REQUIRE(fabs(b[i] - e[i]) <= most * (double)np, "beyond the certified bound");
  } else {
    REQUIRE(one->near(c, e, sp, np, sn, nn, params, &f) != DPPAIR_OK, "an unprepared state works");
    REQUIRE(zeros(c, np, e, nn), "an unprepared state leaves coefficients");
  }
  free(whole);
}

#if DPPAIR_HAVE_AVX2
/* The loops of each tier. */
static void tiers(input *in) {
  static double sp[MOST], sn[MOST], a[MOST], b[MOST], c[MOST], e[MOST];
  static float fp[MOST], fn[MOST];
  const size_t np = in_count(in, MOST), nn = in_count(in, MOST);
  size_t i;
  in_scores(in, sp, np);
  in_scores(in, sn, nn);
  for (i = 0; i < np; i++)
    if (!dppair_isfinite_f64(sp[i]) || fabs(sp[i]) > 1e30) sp[i] = 0.0;
  for (i = 0; i < nn; i++)
    if (!dppair_isfinite_f64(sn[i]) || fabs(sn[i]) > 1e30) sn[i] = 0.0;
  for (i = 0; i < np; i++) fp[i] = (float)sp[i];
  for (i = 0; i < nn; i++) fn[i] = (float)sn[i];
#define SAME(name, tier, p, n)                                                                     \
  memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(c, 0, sizeof c), memset(e, 0, sizeof e);  \
  name##_coeffs_scalar(a, b, p, np, n, nn, NULL);                                                  \
  name##_coeffs_##tier(c, e, p, np, n, nn, NULL);                                                  \
  REQUIRE(memcmp(a, c, sizeof a) == 0 && memcmp(b, e, sizeof b) == 0, "other bits on a wider tier")
  if (dppair_tier() < DPPAIR_TIER_AVX2) return;
  SAME(logistic, avx2, sp, sn);
  SAME(hinge, avx2, sp, sn);
  SAME(single, avx2, fp, fn);
#if DPPAIR_HAVE_AVX512
  if (dppair_tier() < DPPAIR_TIER_AVX512) return;
  SAME(logistic, avx512, sp, sn);
  SAME(hinge, avx512, sp, sn);
  SAME(single, avx512, fp, fn);
#endif
}
#endif

static void in_row(input *in, double *x, size_t d, int wild) {
  size_t k;
  for (k = 0; k < d; k++) x[k] = ((double)in_byte(in) - 128.0) / 64.0;
  if (wild) x[in_count(in, d - 1)] = in_hostile(in);
}

/* One record of clipped rows is replaced by another, of either class. */
static void replace(input *in) {
  static double x[MOST * WIDE], y[MOST * WIDE], factor[MOST], g[WIDE], h[WIDE], w[WIDE];
  const instance *one = &instances[in_choice(in, (int)(sizeof instances / sizeof *instances))];
  const size_t n = 2 + in_count(in, 40), d = 1 + (size_t)in_choice(in, WIDE);
  const size_t np = in_count(in, n), which = in_count(in, n - 1);
  const double radius = in_scale(in, 0.1, 10.0), length = in_scale(in, 1e-3, 10.0);
  const double clip = in_choice(in, 4) == 0 ? in_scale(in, 1e-3, 10.0) : 0.0;
  const dppair_sampling all = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  double params[2], claim = -1.0, moved = 0.0, norm = 0.0, divisor;
  dppair_options options = {NULL, NULL, NULL, NULL, NULL, 0, NULL};
  dppair_rows_f64 rows, other;
  dppair_clip bound;
  dppair_bounds bounds;
  dppair_status status;
  void *whole;
  size_t i, k;
  in_params(in, params, one->loss);
  options.params = params;
  if (clip > 0.0) {
    REQUIRE(one->clip_init(&bound, clip) == DPPAIR_OK, "a clip");
    options.clip = &bound;
  }
  for (i = 0; i < n; i++) in_row(in, x + i * d, d, in_rarely(in));
  in_row(in, w, d, 0);
  for (k = 0; k < d; k++) norm += w[k] * w[k];
  for (k = 0; k < d; k++) w[k] *= length / (sqrt(norm) + 1e-9);
  memcpy(y, x, sizeof x);
  in_row(in, y + which * d, d, in_rarely(in));
  stain(factor, MOST);
  if (dppair_rows_clip_f64(&rows, factor, x, n, d, d, radius) != DPPAIR_OK) return;
  rows.positives = np;
  if (one->room(&options.bytes, &rows, &options) != DPPAIR_OK) return;
  options.work = in_room(in, &whole, options.bytes);
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = radius;
  bounds.param_radius = dppair_norm_f64(w, d) * (1.0 + 1e-12);
  status = one->sensitivity(&claim, d, &bounds, &all, &options);
  REQUIRE(status == DPPAIR_OK ? claim >= 0.0 && claim <= DBL_MAX : all_zero(&claim, 8), "a claim");
  stain(g, WIDE);
  if (one->gradient(g, &rows, w, &options) == DPPAIR_OK) {
    for (i = 0; i < n; i++) {
      double sum = 0.0;
      for (k = 0; k < d; k++) sum += (factor[i] * x[i * d + k]) * (factor[i] * x[i * d + k]);
      REQUIRE(factor[i] > 0.0 ? sqrt(sum) <= radius * (1.0 + 1e-12) : 1, "a row beyond the radius");
    }
    if (dppair_rows_clip_f64(&other, factor, y, n, d, d, radius) == DPPAIR_OK) {
      other.positives = np;
      if (one->gradient(h, &other, w, &options) == DPPAIR_OK && status == DPPAIR_OK) {
        REQUIRE(dppair_normaliser(&divisor, &all, n) == DPPAIR_OK, "a divisor");
        for (k = 0; k < d; k++) moved += (g[k] - h[k]) * (g[k] - h[k]);
        moved = sqrt(moved) / divisor;
        REQUIRE(moved <= claim * (1.0 + 1e-12), "a record moves the gradient further");
      }
    }
  } else {
    REQUIRE(all_zero(g, d * sizeof *g), "an error with a gradient");
  }
  free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input source = {bytes, size}, *in = &source;
  int turn;
  for (turn = 0; turn < 6 && in->left > 0; turn++) {
    switch (in_choice(in, 3)) {
    case 0:
      compare(in);
      break;
    case 1:
      replace(in);
      break;
    default:
#if DPPAIR_HAVE_AVX2
      tiers(in);
#else
      compare(in);
#endif
    }
  }
  return 0;
}
