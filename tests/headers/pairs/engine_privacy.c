/* SPDX-License-Identifier: MIT */
/* What one record may change in a computed gradient: nothing of other pairs but the rounding of
 * their sums, and no status. Every figure that is to be added to a sensitivity is attacked, and
 * compared with the formula that its comment proves. */
#include <fenv.h>

#include "engine_support.h"

#include "dppair_metric.h"
#include "dppair_scale.h"
#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME log32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME exp32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_exponential
#include "dppair.h"
#define DPPAIR_NAME flat64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME flat32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_sigmoid
#include "dppair.h"
#define DPPAIR_NAME hinge64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME hinge32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME size32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"

#include "clips.h"

enum { MOST = 400 };
/* Clipped coefficients of two sets of rows, one after the other in a block of a call's own. */
#define CLIPPED(name, real, type)                                                                  \
  static dppair_status name##_clipped(double *a, double *b, const real *sp, const real *xp,        \
                                      size_t np, const real *sn, const real *xn, size_t nn,        \
                                      size_t d, double clip) {                                     \
    const size_t n = np + nn;                                                                      \
    real *x = (real *)room(n * d * sizeof *x);                                                     \
    dppair_rows_##type rows = dppair_rows_make_##type(x, n, d, d);                                 \
    dppair_options options = {NULL, clip_of(dppair_clip_init, clip), NULL, NULL, NULL, 0, NULL};         \
    dppair_status status;                                                                          \
    rows.positives = np;                                                                           \
    memcpy(x, xp, np *d * sizeof *x);                                                              \
    memcpy(x + np * d, xn, nn * d * sizeof *x);                                                    \
    assert_int_equal(name##_clip_workspace(&options.bytes, NULL, n, d), DPPAIR_OK);                   \
    options.work = room(options.bytes);                                                                  \
    status = name##_clip_coeffs(a, b, sp, sn, &rows, NULL, 0, &options);                              \
    free(options.work);                                                                               \
    free(x);                                                                                       \
    return status;                                                                                 \
  }
CLIPPED(hinge32, float, f32)
CLIPPED(hinge64, double, f64)
CLIPPED(log32, float, f32)
CLIPPED(log64, double, f64)
CLIPPED(size32, float, f32)

/* ---- pair clips ---------------------------------------------------------------------------- */

/* Of every block, by way of calls with one pair: a weight is a function of its two records. */
#define CLIP_ALONE(name, real, epsilon)                                                            \
  static void name##_clip_alone(double scale) {                                                    \
    enum { NP = 61, NN = 67, D = 3 };                                                              \
    static real xp[NP * D], xn[NN * D], sp[NP], sn[NN];                                            \
    static double a[NP], b[NN];                                                                    \
    static long double row[NP], column[NN];                                                        \
    size_t i, j;                                                                                   \
    memset(xp, 0, sizeof xp);                                                                      \
    memset(xn, 0, sizeof xn);                                                                      \
    memset(row, 0, sizeof row);                                                                    \
    memset(column, 0, sizeof column);                                                              \
    /* most pairs at a distance within 40 epsilon of the clip 1, a few far away, in all blocks */  \
    for (i = 0; i < NP * D; i++)                                                                   \
      xp[i] = (real)(i % D ? 0 : 0.5 * scale * (1 - 40 * uniform() * epsilon));                    \
    for (i = 0; i < NN * D; i++)                                                                   \
      xn[i] = (real)(i % D ? 0 : -0.5 * scale * (1 - 40 * uniform() * epsilon));                   \
    xp[2 * D + 1] = (real)3;                                                                       \
    xn[60 * D + 2] = (real)2;                                                                      \
    for (i = 0; i < NP; i++) sp[i] = 0;                                                            \
    for (j = 0; j < NN; j++) sn[j] = 0;                                                            \
    assert_int_equal(name##_clipped(a, b, sp, xp, NP, sn, xn, NN, D, scale), DPPAIR_OK);           \
    for (i = 0; i < NP; i++)                                                                       \
      for (j = 0; j < NN; j++) {                                                                   \
        double one, other;                                                                         \
        assert_int_equal(                                                                          \
            name##_clipped(&one, &other, sp + i, xp + i * D, 1, sn + j, xn + j * D, 1, D, scale),  \
            DPPAIR_OK);                                                                            \
        row[i] += (long double)one;                                                                \
        column[j] += (long double)other;                                                           \
      }                                                                                            \
    for (i = 0; i < NP; i++)                                                                       \
      assert_true(fabsl((long double)a[i] - row[i]) <= (long double)(100 * DBL_EPSILON * NN));     \
    for (j = 0; j < NN; j++)                                                                       \
      assert_true(fabsl((long double)b[j] - column[j]) <= (long double)(100 * DBL_EPSILON * NP));  \
  }
CLIP_ALONE(hinge32, float, (double)FLT_EPSILON)

static void a_pairs_clip_does_not_depend_on_the_other_records_of_its_block(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 2 : 20); trial++) {
    hinge32_clip_alone(1);
    hinge32_clip_alone(ldexp(1, -126)); /* caps near the smallest normal number */
  }
}

/* In double 32 epsilon are below any tolerance of sums, so by bits: a replaced record is in no pair
 * of its own class, whose other coefficients must stay as they are. */
#define CLIP_BITS(name, real, epsilon)                                                             \
  static void name##_clip_bits(double radius) {                                                    \
    enum { NP = 48, NN = 200 };                                                                    \
    static real xp[NP], xn[NN], s[NN];                                                             \
    static double a[NP], b[NN], a2[NP], b2[NN];                                                    \
    size_t i;                                                                                      \
    for (i = 0; i < NP; i++) xp[i] = (real)radius;                                                 \
    for (i = 0; i < NN; i++) xn[i] = (real)-radius;                                                \
    assert_int_equal(name##_clipped(a, b, s, xp, NP, s, xn, NN, 1, 1.0), DPPAIR_OK);               \
    xp[0] = (real)(-3 * radius);                                                                   \
    assert_int_equal(name##_clipped(a2, b2, s, xp, NP, s, xn, NN, 1, 1.0), DPPAIR_OK);             \
    for (i = 1; i < NP; i++) assert_true(a[i] == a2[i]);                                           \
    xp[0] = (real)radius;                                                                          \
    xn[7] = (real)(3 * radius);                                                                    \
    assert_int_equal(name##_clipped(a2, b2, s, xp, NP, s, xn, NN, 1, 1.0), DPPAIR_OK);             \
    for (i = 0; i < NN; i++) assert_true(i == 7 || b[i] == b2[i]);                                 \
  }
CLIP_BITS(hinge64, double, DBL_EPSILON)
CLIP_BITS(hinge32, float, (double)FLT_EPSILON)

static void a_replaced_record_moves_no_coefficient_of_its_own_class(void **unused) {
  int k;
  (void)unused;
  for (k = 0; k < 60; k++) {
    hinge32_clip_bits(0.5 * (1 - k * (double)FLT_EPSILON));
    hinge64_clip_bits(0.5 * (1 - k * DBL_EPSILON));
  }
}

/* Record 0 meets all others at a distance just inside the clip, along the first axis; record `far`
 * is then moved along the second, where its own pairs are. g[0][0] must not notice. */
#define FORM_BITS(name, real, type)                                                                \
  static void name##_form_bits(dppair_form form, double radius) {                                  \
    enum { N = 130, FAR = 100 };                                                                   \
    static real x[N * 2], y[N];                                                                    \
    const double w[4] = {form == DPPAIR_FORM_FACTOR, 0, 0, form == DPPAIR_FORM_FACTOR};            \
    const double offset = form == DPPAIR_FORM_METRIC ? 2 : form == DPPAIR_FORM_FACTOR ? 100 : -2;  \
    const double clip = form == DPPAIR_FORM_FACTOR ? 2 : 1;                                        \
    double g[4], g2[4];                                                                            \
    dppair_rows_##type rows = dppair_rows_make_##type(x, N, 2, 2);                                 \
    dppair_options options = {NULL, clip_of(dppair_clip_init, clip), NULL, NULL, NULL, 0, NULL};         \
    size_t i;                                                                                      \
    rows.y = y;                                                                                    \
    assert_int_equal(name##_form_workspace(&options.bytes, N, 2, 2, &options), DPPAIR_OK);               \
    options.work = room(options.bytes);                                                                  \
    for (i = 0; i < N; i++) {                                                                      \
      x[2 * i] = form == DPPAIR_FORM_SIMILARITY ? (real)radius : 0;                                \
      x[2 * i + 1] = 0;                                                                            \
      y[i] = i == 0 || i == FAR;                                                                   \
    }                                                                                              \
    x[0] = (real)radius;                                                                           \
    x[2 * FAR] = 0;                                                                                \
    assert_int_equal(name##_form_gradient(g, form, &rows, w, 2, offset, &options), DPPAIR_OK);        \
    x[2 * FAR + 1] = 3;                                                                            \
    assert_int_equal(name##_form_gradient(g2, form, &rows, w, 2, offset, &options), DPPAIR_OK);       \
    assert_true(fabs(g[0]) > 100 * radius * radius && g[0] == g2[0]);                              \
    free(options.work);                                                                               \
  }
FORM_BITS(hinge64, double, f64)
FORM_BITS(hinge32, float, f32)

static void a_forms_weight_is_a_function_of_its_two_records(void **unused) {
  int k, form;
  (void)unused;
  for (form = DPPAIR_FORM_METRIC; form <= DPPAIR_FORM_SIMILARITY; form++)
    for (k = 0; k < 60; k++) {
      hinge32_form_bits((dppair_form)form, 1 - k * (double)FLT_EPSILON);
      hinge64_form_bits((dppair_form)form, 1 - k * DBL_EPSILON);
    }
}

/* A pair of records alone: no gradient longer than the clip, for weights that fall and that rise,
 * norms up to 10 % above it, margins at a kink of the loss, and twins far from the origin. */
#define FORM_LENGTH(name, real, type)                                                              \
  static void name##_form_length(dppair_form form, int twins) {                                    \
    real x[4], y[2] = {1, 1};                                                                      \
    double w[4] = {0, 0, 0, 0}, g[4], clip, offset = 1;                                            \
    size_t i;                                                                                      \
    dppair_rows_##type rows = dppair_rows_make_##type(x, 2, 2, 2);                                 \
    dppair_options options = {NULL, clip_of(dppair_clip_init, 1), NULL, NULL, NULL, 0, NULL};            \
    const double size = pow(10, 2 * uniform() - 1);                                                \
    rows.y = y;                                                                                    \
    assert_int_equal(name##_form_workspace(&options.bytes, 2, 2, 2, &options), DPPAIR_OK);               \
    options.work = room(options.bytes);                                                                  \
    for (i = 0; i < 4; i++) x[i] = (real)(size * normal());                                        \
    if (twins) {                                                                                   \
      x[2] = (real)((double)x[0] * (1 + 1e-7 * normal()));                                         \
      x[3] = x[1];                                                                                 \
    } else {                                                                                       \
      for (i = 0; i < 2; i++) x[2 + i] = form == DPPAIR_FORM_SIMILARITY ? 2 * x[i] : -x[i];        \
    }                                                                                              \
    y[1] = (real)below(2);                                                                         \
    if (form == DPPAIR_FORM_FACTOR || below(2)) w[0] = w[3] = 0.125 * normal();                    \
    {                                                                                              \
      const double dx = (double)x[0] - (double)x[2], dy = (double)x[1] - (double)x[3];             \
      const double one = hypot((double)x[0], (double)x[1]);                                        \
      const double two = hypot((double)x[2], (double)x[3]), gap = dx * dx + dy * dy;               \
      const double whole = form == DPPAIR_FORM_METRIC   ? gap                                      \
                           : form == DPPAIR_FORM_FACTOR ? 2 * gap * fabs(w[0])                     \
                                                        : one * two;                               \
      clip = twins ? 1e-3 * whole + 1e-12 : whole / (1 + 0.12 * uniform());                        \
      if (!twins) offset = below(2) ? 50 : -50;                                                    \
    }                                                                                              \
    if (clip > 1e-30) {                                                                            \
      long double length = 0;                                                                      \
      options.clip = clip_of(dppair_clip_init, clip);                                                 \
      assert_int_equal(name##_form_gradient(g, form, &rows, w, 2, offset, &options), DPPAIR_OK);      \
      for (i = 0; i < 4; i++) length += (long double)g[i] * (long double)g[i];                     \
      length = sqrtl(length);                                                                      \
      longest = fmaxl(longest, length / (long double)clip);                                        \
      {                                                                                            \
        /* what the sums round: X^T H cancels for twins */                                         \
        double error;                                                                              \
        assert_int_equal(name##_form_error(&error, 2, 2, 2.1 * (size * 5), 1, 1), DPPAIR_OK);      \
        if (length > (long double)(clip + error))                                                  \
          fail_msg("form %d: %Lg of the clip", (int)form, length / (long double)clip);             \
      }                                                                                            \
    }                                                                                              \
    free(options.work);                                                                               \
  }
static long double longest;
FORM_LENGTH(hinge64, double, f64)
FORM_LENGTH(hinge32, float, f32)
FORM_LENGTH(size32, float, f32)

static void no_form_is_longer_than_its_clip(void **unused) {
  int trial, form;
  (void)unused;
  for (form = DPPAIR_FORM_METRIC; form <= DPPAIR_FORM_SIMILARITY; form++) {
    longest = 0;
    for (trial = 0; trial < (BRIEF ? 200 : 4000); trial++) {
      hinge64_form_length((dppair_form)form, trial % 2);
      hinge32_form_length((dppair_form)form, trial % 2);
      size32_form_length((dppair_form)form, trial % 2);
    }
    assert_true(longest > 0.99L);
  }
}

/* ---- sums of slopes ------------------------------------------------------------------------ */

/* One record's score passes the size up to which factors are used: no other pair's slope changes,
 * so coefficients of its own class stay as they are, bit for bit. */
#define SWITCH(name, real)                                                                         \
  static void name##_switch(double before, double after) {                                         \
    static real p[MOST], n[MOST];                                                                  \
    static double a[MOST], b[MOST], a2[MOST], b2[MOST];                                            \
    const size_t np = 1 + below(MOST), nn = 1 + below(MOST), who = below(nn), other = below(np);   \
    size_t i;                                                                                      \
    for (i = 0; i < np; i++) p[i] = (real)(8 * normal());                                          \
    for (i = 0; i < nn; i++) n[i] = (real)(8 * normal());                                          \
    n[who] = (real)before;                                                                         \
    p[other] = (real)(before + 1);                                                                 \
    assert_int_equal(name##_coeffs(a, b, p, np, n, nn, NULL), DPPAIR_OK);                          \
    n[who] = (real)after;                                                                          \
    assert_int_equal(name##_coeffs(a2, b2, p, np, n, nn, NULL), DPPAIR_OK);                        \
    for (i = 0; i < nn; i++) assert_true(i == who || b[i] == b2[i]);                               \
    n[who] = (real)before;                                                                         \
    p[other] = (real)-after;                                                                       \
    assert_int_equal(name##_coeffs(a2, b2, p, np, n, nn, NULL), DPPAIR_OK);                        \
    for (i = 0; i < np; i++) assert_true(i == other || a[i] == a2[i]);                             \
  }
SWITCH(log32, float)
SWITCH(log64, double)
SWITCH(exp32, float)

static void one_large_score_moves_no_other_pairs_slope(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 3 : 40); trial++) {
    log32_switch(40, 43.04);
    log32_switch(60, -42.9);
    exp32_switch(41, 43.5);
    log64_switch(349, 350.5);
  }
}

/* Beyond that size a pair's slope is that of the difference of its scores. */
static void large_scores_are_subtracted(void **unused) {
  const size_t first = 0;
  double a, b, c, e;
  float p, n;
  int k;
  (void)unused;
  for (k = 0; k < 2000; k++) {
    p = (float)(43.001 + 40 * uniform());
    n = p - (float)(4 * normal());
    assert_int_equal(log32_coeffs(&a, &b, &p, 1, &n, 1, NULL), DPPAIR_OK);
    assert_int_equal(log32_pairs(&c, &e, &p, 1, &n, 1, &first, &first, NULL, 1, NULL), DPPAIR_OK);
    assert_true(a == c && b == e);
  }
}

/* Coefficients against the exact sums of the slopes that single pairs give: their distance is what
 * half of the figure pays for, also for the classes of a neighbour. */
#define ATTACK(name, real, most_slope)                                                             \
  static double name##_attack(int pattern, size_t np, size_t nn, const dppair_fast *f) {           \
    static double s[2 * MOST], a[MOST], b[MOST];                                                   \
    static real p[2 * MOST];                                                                       \
    static long double row[MOST], column[MOST];                                                    \
    double factor, extra, one, other;                                                              \
    long double off = 0;                                                                           \
    size_t i, j;                                                                                   \
    fill_scores(s, np, pattern);                                                                   \
    fill_scores(s + np, nn, pattern);                                                              \
    for (i = 0; i < np + nn; i++) p[i] = (real)s[i];                                               \
    memset(row, 0, sizeof row);                                                                    \
    memset(column, 0, sizeof column);                                                              \
    if (f)                                                                                         \
      assert_int_equal(name##_coeffs_fast(a, b, p, np, p + np, nn, NULL, f), DPPAIR_OK);           \
    else                                                                                           \
      assert_int_equal(name##_coeffs(a, b, p, np, p + np, nn, NULL), DPPAIR_OK);                   \
    for (i = 0; i < np; i++)                                                                       \
      for (j = 0; j < nn; j++) {                                                                   \
        if (f)                                                                                     \
          assert_int_equal(name##_coeffs_fast(&one, &other, p + i, 1, p + np + j, 1, NULL, f),     \
                           DPPAIR_OK);                                                             \
        else                                                                                       \
          assert_int_equal(name##_coeffs(&one, &other, p + i, 1, p + np + j, 1, NULL), 0);         \
        row[i] += (long double)one;                                                                \
        column[j] -= (long double)one;                                                             \
      }                                                                                            \
    for (i = 0; i < np; i++) off += fabsl((long double)a[i] - row[i]);                             \
    for (j = 0; j < nn; j++) off += fabsl((long double)b[j] - column[j]);                          \
    assert_int_equal(name##_allowance(&factor, &extra, f, np + nn, 1, most_slope), DPPAIR_OK);     \
    assert_true(off <= (long double)extra / 2);                                                    \
    return (double)off / extra * 2;                                                                \
  }
ATTACK(log32, float, 1)
ATTACK(log64, double, 1)
ATTACK(flat32, float, 0.25)
ATTACK(flat64, double, 0.25)

static dppair_fast fast_log, fast_flat, fast_hinge, fast_hinge32;
static double *memory[4];
static int prepare(void **unused) {
  size_t bytes;
  (void)unused;
  assert_int_equal(log64_fast_workspace(&bytes, 2 * MOST, DPPAIR_ACCURACY_1E12, 100, NULL),
                   DPPAIR_OK);
  memory[0] = (double *)room(bytes);
  assert_int_equal(
      log64_fast_init(&fast_log, 2 * MOST, DPPAIR_ACCURACY_1E12, 100, NULL, memory[0], bytes),
      DPPAIR_OK);
  assert_int_equal(flat64_fast_workspace(&bytes, 2 * MOST, DPPAIR_ACCURACY_1E6, 100, NULL),
                   DPPAIR_OK);
  memory[1] = (double *)room(bytes);
  assert_int_equal(
      flat64_fast_init(&fast_flat, 2 * MOST, DPPAIR_ACCURACY_1E6, 100, NULL, memory[1], bytes),
      DPPAIR_OK);
  assert_int_equal(hinge64_fast_workspace(&bytes, 2 * MOST, DPPAIR_ACCURACY_1E6, 5, NULL),
                   DPPAIR_OK);
  memory[2] = (double *)room(bytes);
  assert_int_equal(
      hinge64_fast_init(&fast_hinge, 2 * MOST, DPPAIR_ACCURACY_1E6, 5, NULL, memory[2], bytes),
      DPPAIR_OK);
  memory[3] = (double *)room(bytes);
  assert_int_equal(
      hinge32_fast_init(&fast_hinge32, 2 * MOST, DPPAIR_ACCURACY_1E6, 5, NULL, memory[3], bytes),
      DPPAIR_OK);
  return 0;
}
static int release(void **unused) {
  (void)unused;
  free(memory[0]);
  free(memory[1]);
  free(memory[2]);
  free(memory[3]);
  return 0;
}

static void every_computed_sum_is_within_the_figure_that_is_charged(void **unused) {
  static const size_t sizes[][2] = {{1, 1}, {1, 60}, {70, 1}, {64, 130}, {131, 65}};
  double worst = 0;
  size_t k;
  int pattern;
  (void)unused;
  for (k = 0; k < (BRIEF ? 3 : sizeof sizes / sizeof *sizes); k++)
    for (pattern = 0; pattern < PATTERNS; pattern++) {
      const size_t np = sizes[k][0], nn = sizes[k][1];
      worst = fmax(worst, log32_attack(pattern, np, nn, NULL));
      worst = fmax(worst, log64_attack(pattern, np, nn, NULL));
      worst = fmax(worst, flat32_attack(pattern, np, nn, NULL));
      worst = fmax(worst, flat64_attack(pattern, np, nn, NULL));
      log32_attack(pattern, np, nn, &fast_log);
      log64_attack(pattern, np, nn, &fast_log);
      flat32_attack(pattern, np, nn, &fast_flat);
      flat64_attack(pattern, np, nn, &fast_flat);
    }
  assert_true(BRIEF || worst > 0.002); /* the figure says something */
}

/* The whole gradient, clipped and not, and listed pairs, in three dimensions. */
#define GRADIENT(name, real, type)                                                                 \
  static void name##_gradients(size_t np, size_t nn, double scale, double clip) {                  \
    enum { D = 3 };                                                                                \
    static real x[2 * MOST * D], s[2 * MOST];                                                      \
    static size_t ia[MOST], ib[MOST];                                                              \
    real w[D];                                                                                     \
    long double sum[D] = {0, 0, 0}, off = 0;                                                       \
    double g[D], factor, extra, radius = 0;                                                        \
    size_t bytes, i, j, k;                                                                         \
    void *work;                                                                                    \
    const int clipped = clip > 0;                                                                  \
    dppair_options options = {NULL, clip_of(name##_clip_init, clip), NULL, NULL, NULL, 0, NULL};         \
    dppair_rows_##type rows = dppair_rows_make_##type(x, np + nn, D, D);                           \
    const dppair_rows_##type up = dppair_rows_make_##type(x, np, D, D);                            \
    const dppair_rows_##type down = dppair_rows_make_##type(x + np * D, nn, D, D);                 \
    rows.positives = np;                                                                           \
    assert_int_equal(name##_workspace(&bytes, np + nn, D, &options), DPPAIR_OK);                      \
    work = room(bytes + 1000);                                                                     \
    options.work = work;                                                                              \
    options.bytes = bytes;                                                                            \
    for (k = 0; k < D; k++) w[k] = (real)(normal() / scale);                                       \
    for (i = 0; i < np + nn; i++) {                                                                \
      long double norm = 0;                                                                        \
      for (k = 0; k < D; k++) {                                                                    \
        x[i * D + k] = (real)(scale * (3 + 1e-2 * normal()));                                      \
        norm += (long double)x[i * D + k] * (long double)x[i * D + k];                             \
      }                                                                                            \
      radius = fmax(radius, (double)sqrtl(norm) * (1 + 1e-12));                                    \
    }                                                                                              \
    assert_int_equal(name##_gradient(g, &rows, w, &options), DPPAIR_OK);                              \
    assert_int_equal(dppair_scores_##type(s, &rows, w), DPPAIR_OK);                                \
    for (i = 0; i < np; i++)                                                                       \
      for (j = np; j < np + nn; j++) {                                                             \
        double one, other;                                                                         \
        if (clipped)                                                                               \
          assert_int_equal(                                                                        \
              name##_clipped(&one, &other, s + i, x + i * D, 1, s + j, x + j * D, 1, D, clip),     \
              DPPAIR_OK);                                                                          \
        else                                                                                       \
          assert_int_equal(name##_coeffs(&one, &other, s + i, 1, s + j, 1, NULL), DPPAIR_OK);      \
        for (k = 0; k < D; k++)                                                                    \
          sum[k] += (long double)one * ((long double)x[i * D + k] - (long double)x[j * D + k]);    \
      }                                                                                            \
    for (k = 0; k < D; k++) off += ((long double)g[k] - sum[k]) * ((long double)g[k] - sum[k]);    \
    assert_int_equal(name##_allowance(&factor, &extra, NULL, np + nn, radius, 1), DPPAIR_OK);      \
    assert_true(factor >= 1 && factor < 1 + 1e-5);                                                 \
    assert_true(sqrtl(off) <= (long double)extra / 2);                                             \
    /* listed pairs */                                                                             \
    memset(sum, 0, sizeof sum);                                                                    \
    for (k = 0; k < MOST; k++) {                                                                   \
      ia[k] = below(np);                                                                           \
      ib[k] = below(nn);                                                                           \
    }                                                                                              \
    options.bytes = bytes + 1000;                                                                     \
    assert_int_equal(name##_pairs_gradient(g, &up, &down, w, ia, ib, NULL, MOST, &options),           \
                     DPPAIR_OK);                                                                   \
    for (i = 0; i < MOST; i++) {                                                                   \
      double one[D];                                                                               \
      assert_int_equal(name##_pairs_gradient(one, &up, &down, w, ia + i, ib + i, NULL, 1, &options),  \
                       DPPAIR_OK);                                                                 \
      for (k = 0; k < D; k++) sum[k] += (long double)one[k];                                       \
    }                                                                                              \
    off = 0;                                                                                       \
    for (k = 0; k < D; k++) off += ((long double)g[k] - sum[k]) * ((long double)g[k] - sum[k]);    \
    assert_int_equal(dppair_pairs_allowance_(&extra, MOST, np + nn, clipped ? clip : 2 * radius),   \
                     DPPAIR_OK);                                                                   \
    assert_true(sqrtl(off) <= (long double)extra / 2);                                             \
    free(work);                                                                                    \
  }
GRADIENT(log32, float, f32)
GRADIENT(log64, double, f64)
GRADIENT(hinge32, float, f32)
GRADIENT(hinge64, double, f64)

static void every_public_gradient_is_within_the_figure_that_is_charged(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 1 : 6); trial++) {
    const size_t np = 1 + below(130), nn = 1 + below(130);
    const double scale = pow(10, 6 * uniform() - 3), cut = 1e-2 * scale;
    log32_gradients(np, nn, scale, 0);
    log32_gradients(np, nn, scale, cut);
    log64_gradients(np, nn, scale, 0);
    log64_gradients(np, nn, scale, cut);
    hinge32_gradients(np, nn, scale, 0);
    hinge32_gradients(np, nn, scale, cut);
    hinge64_gradients(np, nn, scale, cut);
  }
}

/* One positive becomes a negative, everybody else's coefficients as they were, up to the figure. */
static void a_record_that_changes_class_moves_the_others_within_the_figure(void **unused) {
  enum { N = BRIEF ? 400 : 4000 };
  static float s[N + 1];
  static double a[N], b[N], a2[N], b2[N];
  const size_t np = N / 2;
  double factor, extra, moved = 0;
  size_t i, j;
  (void)unused;
  for (i = 0; i < N; i++) s[i] = (float)(2 * normal());
  assert_int_equal(log32_coeffs(a, b, s, np, s + np, N - np, NULL), DPPAIR_OK);
  /* the first positive becomes the last negative, so that all others shift */
  s[N] = s[0];
  assert_int_equal(log32_coeffs(a2, b2, s + 1, np - 1, s + np, N - np + 1, NULL), DPPAIR_OK);
  for (i = 1; i < np; i++) {
    double one, other;
    assert_int_equal(log32_coeffs(&one, &other, s + i, 1, s, 1, NULL), DPPAIR_OK);
    moved += fabs(a2[i - 1] - a[i] - one);
  }
  for (j = np; j < N; j++) {
    double one, other;
    assert_int_equal(log32_coeffs(&one, &other, s, 1, s + j, 1, NULL), DPPAIR_OK);
    moved += fabs(b2[j - np] - b[j - np] + other);
  }
  assert_int_equal(log32_allowance(&factor, &extra, NULL, N, 1, 1), DPPAIR_OK);
  assert_true(moved > 0 && moved <= extra);
}

/* ---- what the figures are ------------------------------------------------------------------ */

/* Each bound is at least what its comment proves, and not more than a little above it. */
#define JUST_ABOVE(x, bound) assert_true((x) >= (bound) && (x) <= 1.03 * (bound))
static void figures_are_those_of_the_written_proofs(void **unused) {
  const double u = ldexp(1, -53), v = ldexp(1, -24), n = 5000, half = n * n / 2, radius = 3;
  const dppair_fast *f = &fast_flat;
  const dppair_poles poles = {3.14159265358979323846, 1, 2}, one = {3.14159265358979323846, 1, 1};
  double factor, extra, chain, pairs, far[] = {1, 2}, farz[] = {3, 4};
  hinge64_tiles_ tiles;
  (void)unused;
  /* loops */
  assert_int_equal(log32_allowance(&factor, &extra, NULL, 5000, radius, 0.5), DPPAIR_OK);
  JUST_ABOVE(extra, 2 * radius * half * (0.5 * (80 * v + (n + 16) * u) + 0.5 * (n + 4) * u));
  assert_true(factor >= 1 + 8 * v && factor < 1 + 32 * v);
  assert_int_equal(log64_allowance(&factor, &extra, NULL, 5000, radius, 0.5), DPPAIR_OK);
  JUST_ABOVE(extra, 2 * radius * half * (0.5 * (80 * u + (n + 16) * u) + 0.5 * (n + 4) * u));
  /* boxes: slopes of range 1/4, so an error E at either end is 8 E of it */
  chain = 14 + 4 + 12 + (2 * f->reach + 1) * f->terms / 4.0 + 8 + 2 * f->terms;
  assert_int_equal(flat64_allowance(&factor, &extra, f, 5000, radius, 0.25), DPPAIR_OK);
  JUST_ABOVE(extra,
             2 * radius * half * u * (f->weight * chain + (0.25 + f->kernel_error) * (n + 4)));
  assert_true(factor >= 1 + 8 * f->kernel_error && factor <= 1 + 8 * f->kernel_error + 1e-14);
  /* sorting */
  assert_int_equal(hinge64_allowance(&factor, &extra, &fast_hinge, 5000, radius, 1), DPPAIR_OK);
  JUST_ABOVE(extra, 2 * radius * half * u * ((n + 8) + (n + 4)));
  /* the loops do not run with f, however few the records: no figure is made for float */
  assert_int_equal(flat32_allowance(&factor, &extra, f, 16, radius, 0.25), DPPAIR_OK);
  assert_true(extra < 2 * radius * 16 * 16 / 2 * 0.25 * 80 * v);
  assert_int_equal(flat64_allowance(&factor, &pairs, f, 16, radius, 0.25), DPPAIR_OK);
  assert_true(pairs == extra);
  /* listed pairs */
  assert_int_equal(dppair_pairs_allowance_(&pairs, 1000, 5000, 0.5), DPPAIR_OK);
  JUST_ABOVE(pairs, 2 * 1000 * 0.5 * (1000 + n) * u);
  /* forms: in float a chain of 192 + 48 + 16 products, in double of n; then 4 n + 512 sums */
  assert_int_equal(hinge32_form_error(&extra, 5000, 4, radius, 0.5, 2), DPPAIR_OK);
  JUST_ABOVE(extra, 2 * n * n * 0.5 * radius * radius * (256 * v + (4 * n + 512) * u));
  assert_int_equal(hinge64_form_error(&extra, 5000, 4, radius, 0.5, 2), DPPAIR_OK);
  JUST_ABOVE(extra, 2 * n * n * 0.5 * radius * radius * (n * u + (4 * n + 512) * u));
  /* the kernel: interpolation, and a table whose slopes are off by 6 units, 8 times magnified */
  assert_true(f->kernel_error >= dppair_box_bound_(f->width, f->terms, poles) + 50 * 2 * u);
  assert_true(fast_log.kernel_error >=
              dppair_box_bound_(fast_log.width, fast_log.terms, one) + 50 * 2 * u);
  assert_true(fast_log.kernel_error <=
              dppair_box_bound_(fast_log.width, fast_log.terms, one) + 60 * 2 * u);
  /* limits of clips: below the clip by 32 epsilon; distances of listed pairs stretched */
  assert_true((double)hinge32_tiles_limit_(2) <= 2 * (1 - 60 * v));
  assert_true(hinge32_tiles_limit_(2) > 1.99999f);
  assert_true(hinge64_tiles_limit_(2) <= 2 * (1 - 60 * u) && hinge64_tiles_limit_(2) > 1.99999);
  /* the longest gradients between two blocks: |x + x'|^2, 2 |x - x'| |z - z'|, |x| |z| */
  tiles.reach = far, tiles.reachz = farz;
  tiles.kind = DPPAIR_FORM_METRIC;
  assert_true(hinge64_tiles_reach_(&tiles, 0, 1) >= 9);
  tiles.kind = DPPAIR_FORM_FACTOR;
  assert_true(hinge64_tiles_reach_(&tiles, 0, 1) >= 42);
  tiles.kind = DPPAIR_FORM_SIMILARITY;
  assert_true(hinge64_tiles_reach_(&tiles, 0, 1) >= 2);
}

static void listed_pairs_are_clipped_with_room_for_long_rows(void **unused) {
  enum { D = 2000 };
  static float xp[D], xn[D], w[D];
  static double g[D], work[20 * D];
  const dppair_rows_f32 up = dppair_rows_make_f32(xp, 1, D, D);
  const dppair_rows_f32 down = dppair_rows_make_f32(xn, 1, D, D);
  const dppair_options options = {NULL, clip_of(dppair_clip_init, 1), NULL, NULL, work, sizeof work,
                            NULL};
  const size_t first = 0;
  double length = 0;
  size_t k;
  (void)unused;
  for (k = 0; k < D; k++) {
    xp[k] = (float)normal();
    xn[k] = (float)normal();
    w[k] = 0;
  }
  assert_int_equal(log32_pairs_gradient(g, &up, &down, w, &first, &first, NULL, 1, &options),
                   DPPAIR_OK);
  for (k = 0; k < D; k++) length += g[k] * g[k];
  length = sqrt(length);
  /* squared distances grow by 4 (d + 16) epsilon before the root */
  assert_true(length <= 1 - 1.9 * D * (double)FLT_EPSILON);
  assert_true(length >= 1 - 2.5 * D * (double)FLT_EPSILON);
}

static void rising_slopes_are_clipped_too(void **unused) {
  enum { N = 30 };
  float x[2 * N], s[2 * N];
  double a[N], b[N];
  size_t i;
  int trial;
  (void)unused;
  for (trial = 0; trial < 20; trial++) {
    for (i = 0; i < 2 * N; i++) {
      x[i] = i < N ? 2.0f : -1.0f;
      s[i] = i < N ? (trial % 2 ? 1.0f : -1.0f) : 0.0f; /* slope +1 or -1 */
    }
    assert_int_equal(size32_clipped(a, b, s, x, N, s + N, x + N, N, 1, 0.75), DPPAIR_OK);
    for (i = 0; i < N; i++) {
      assert_true(fabs(a[i]) <= 0.25 * N && fabs(a[i]) >= 0.2499 * N);
      assert_true((a[i] > 0) == (trial % 2 == 1) && fabs(a[i] + b[i]) < 1e-12);
    }
  }
}

/* ---- statuses ------------------------------------------------------------------------------ */

static void no_status_depends_on_a_score(void **unused) {
  static double s[60], a[40], b[40], a2[40], b2[40];
  static float t[60];
  double held[60];
  const dppair_fast *f[2] = {&fast_log, &fast_hinge};
  size_t i;
  int which, trial;
  (void)unused;
  for (which = 0; which < 2; which++)
    for (trial = 0; trial < 200; trial++) {
      const double cap = f[which]->score_cap;
      /* beyond the cap by nothing, by rounding, by far; in one class, in both, all of them */
      for (i = 0; i < 60; i++)
        s[i] = trial % 7 == 0  ? cap * (1 + uniform())
               : below(5) == 0 ? cap * (below(2) ? 1 + DBL_EPSILON : -1e3 * uniform())
                               : 0.9 * cap * (2 * uniform() - 1);
      if (trial == 1) s[0] = 1.7e308;
      for (i = 0; i < 60; i++) held[i] = s[i] > cap ? cap : s[i] < -cap ? -cap : s[i];
      if (which == 0) {
        assert_int_equal(log64_coeffs_fast(a, b, s, 20, s + 20, 40, NULL, f[0]), DPPAIR_OK);
        assert_int_equal(log64_coeffs_fast(a2, b2, held, 20, held + 20, 40, NULL, f[0]), DPPAIR_OK);
      } else {
        assert_int_equal(hinge64_coeffs_fast(a, b, s, 20, s + 20, 40, NULL, f[1]), DPPAIR_OK);
        assert_int_equal(hinge64_coeffs_fast(a2, b2, held, 20, held + 20, 40, NULL, f[1]),
                         DPPAIR_OK);
      }
      assert_memory_equal(a, a2, 20 * sizeof *a);
      assert_memory_equal(b, b2, 40 * sizeof *b);
    }
  /* in float, where rounding takes scores past a cap that holds for the exact ones */
  for (i = 0; i < 60; i++) t[i] = nextafterf(100, i % 2 ? 200.0f : 0.0f);
  assert_int_equal(log32_coeffs_fast(a, b, t, 20, t + 20, 40, NULL, &fast_log), DPPAIR_OK);
}

static void no_status_depends_on_the_class_counts(void **unused) {
  static double s[2 * MOST + 1], a[2 * MOST + 1], b[2 * MOST + 1];
  dppair_fast f;
  size_t np, bytes;
  double *work;
  (void)unused;
  s[0] = 1e300;
  assert_int_equal(hinge64_fast_workspace(&bytes, 50, DPPAIR_ACCURACY_1E6, 5, NULL), DPPAIR_OK);
  work = (double *)room(bytes);
  assert_int_equal(hinge64_fast_init(&f, 50, DPPAIR_ACCURACY_1E6, 5, NULL, work, bytes), DPPAIR_OK);
  for (np = 0; np <= 50; np++)
    assert_int_equal(hinge64_coeffs_fast(a, b, s, np, s + np, 50 - np, NULL, &f), DPPAIR_OK);
  for (np = 0; np <= 51; np++)
    assert_int_equal(hinge64_coeffs_fast(a, b, s, np, s + np, 51 - np, NULL, &f),
                     DPPAIR_ERR_WORKSPACE);
  for (np = 0; np <= 60; np++)
    assert_int_equal(log64_coeffs_fast(a, b, s, np, s + np, 60 - np, NULL, &fast_log), DPPAIR_OK);
  free(work);
}

/* Rows of one number with w = 1 are their own scores, so the gradient of one coordinate is the sum
 * over all records of coefficient times score. */
static void the_way_is_not_chosen_by_the_number_of_records(void **unused) {
  static double s[2 * MOST], a[2 * MOST], b[2 * MOST];
  const double one[1] = {1};
  double g[1], wide = 1, factor, extra;
  size_t n, np, i;
  dppair_options options = {NULL, 0, &fast_log, NULL, NULL, 0, NULL};
  (void)unused;
  assert_int_equal(log64_workspace(&options.bytes, 2 * MOST, 1, &options), DPPAIR_OK);
  options.work = room(options.bytes);
  for (i = 0; i < 2 * MOST; i++) {
    s[i] = 3 * normal();
    wide = fmax(wide, fabs(s[i]));
  }
  for (n = 0; n <= 300; n += n < 10 ? 1 : 59)
    for (np = 0; np <= n; np += n < 10 ? 1 : n / 2) { /* both classes, and one alone */
      dppair_rows_f64 rows = dppair_rows_make_f64(s, n, 1, 1);
      const double *sn = s + np;
      const size_t nn = n - np;
      rows.positives = np;
      rows.radius = wide;
#define THE_WAY(name, off, coefficients)                                                           \
  do {                                                                                             \
    double sum[2] = {0, 0}, chain[2][4] = {{0}};                                                   \
    assert_int_equal(coefficients, DPPAIR_OK);                                                     \
    for (i = 0; i < np; i++) chain[0][i % 4] = fma(a[i], s[i], chain[0][i % 4]);                   \
    for (i = 0; i < nn; i++) chain[1][i % 4] = fma(b[i], sn[i], chain[1][i % 4]);                  \
    for (i = 0; i < 2; i++) sum[i] = (chain[i][0] + chain[i][2]) + (chain[i][1] + chain[i][3]);    \
    assert_int_equal(name##_gradient(g, &rows, one, &options), DPPAIR_OK);                            \
    assert_true(dppair_tier() == DPPAIR_TIER_SIMD128 || fabs(g[0] - (sum[0] + sum[1])) <= (off));  \
  } while (0)
      options.fast = &fast_log;
      /* a sum of integers: within what either way of adding rounds */
      assert_int_equal(log64_allowance(&factor, &extra, &fast_log, n, wide, 1), DPPAIR_OK);
      extra += (double)n * ldexp(dppair_sum_bound_(&fast_log, wide), -49);
      THE_WAY(log64, extra, log64_coeffs_fast(a, b, s, np, sn, nn, NULL, &fast_log));
      options.fast = &fast_hinge;
      THE_WAY(hinge64, 0, hinge64_coeffs_fast(a, b, s, np, sn, nn, NULL, &fast_hinge));
      options.fast = NULL;
      THE_WAY(log64, 0, log64_coeffs(a, b, s, np, sn, nn, NULL));
      THE_WAY(hinge64, 0, hinge64_coeffs(a, b, s, np, sn, nn, NULL));
#undef THE_WAY
    }
  free(options.work);
}

/* All records of a class alike: what the batches' gradients (d = 1, w = 1) differ by is at most the
 * figure, made for the larger. */
#define ONE_LESS(name, real, type)                                                                 \
  static void name##_one_less(double sp, double sn, const dppair_fast *f, double slope) {          \
    enum { HALF = 64 };                                                                            \
    real x[2 * HALF], w[1] = {1};                                                                  \
    double g[2], factor, extra, radius = fmax(fabs(sp), fabs(sn));                                 \
    dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};                                       \
    size_t i;                                                                                      \
    for (i = 0; i < 2 * HALF; i++) x[i] = (real)(i < HALF ? sp : sn);                              \
    options.fast = f;                                                                                 \
    assert_int_equal(name##_workspace(&options.bytes, 2 * HALF, 1, &options), DPPAIR_OK);                \
    options.work = room(options.bytes);                                                                  \
    for (i = 0; i < 2; i++) {                                                                      \
      dppair_rows_##type rows = dppair_rows_make_##type(x, 2 * HALF - i, 1, 1);                    \
      rows.positives = HALF;                                                                       \
      rows.radius = radius;                                                                        \
      assert_int_equal(name##_gradient(g + i, &rows, w, &options), DPPAIR_OK);                        \
    }                                                                                              \
    assert_int_equal(name##_allowance(&factor, &extra, f, 2 * HALF, radius, slope), DPPAIR_OK);    \
    /* the pairs of the record that left: 64, each at most slope |x - x'| */                       \
    assert_true(fabs(g[0] - g[1]) <=                                                               \
                HALF * slope * fabs((double)x[0] - (double)x[HALF]) * factor + extra);             \
    free(options.work);                                                                               \
  }
ONE_LESS(hinge32, float, f32)
ONE_LESS(hinge64, double, f64)
ONE_LESS(log32, float, f32)
ONE_LESS(log64, double, f64)

static void a_batch_of_127_moves_no_pair_of_its_neighbour_of_128(void **unused) {
  dppair_fast log6, single6;
  size_t bytes;
  void *work, *single;
  double s;
  (void)unused;
  hinge32_one_less(1, ldexp(1, -30), &fast_hinge32, 1);
  hinge32_one_less(1, -ldexp(1, -30), &fast_hinge32, 1);
  hinge64_one_less(1, ldexp(1, -60), &fast_hinge, 1);
  hinge64_one_less(0.9, -0.1, &fast_hinge, 1);
  assert_int_equal(log64_fast_workspace(&bytes, 128, DPPAIR_ACCURACY_1E6, 10, NULL), DPPAIR_OK);
  work = room(bytes);
  assert_int_equal(log64_fast_init(&log6, 128, DPPAIR_ACCURACY_1E6, 10, NULL, work, bytes),
                   DPPAIR_OK);
  single = room(bytes);
  assert_int_equal(log32_fast_init(&single6, 128, DPPAIR_ACCURACY_1E6, 10, NULL, single, bytes),
                   DPPAIR_OK);
  for (s = -6; s <= 6; s += 0.03) {
    static double sp[64], sn[64], a[64], b[64], a2[64], b2[64];
    double own, other;
    size_t i;
    log32_one_less(s, 0.3, &single6, 1);
    log64_one_less(s, 0.3, &log6, 1);
    for (i = 0; i < 64; i++) sp[i] = s;
    assert_int_equal(log64_coeffs_fast(a, b, sp, 64, sn, 64, NULL, &log6), DPPAIR_OK);
    assert_int_equal(log64_coeffs_fast(a2, b2, sp, 64, sn, 63, NULL, &log6), DPPAIR_OK);
    assert_int_equal(log64_coeffs_fast(&own, &other, sp, 1, sn, 1, NULL, &log6), DPPAIR_OK);
    for (i = 0; i < 64; i++) assert_true(fabs(a[i] - a2[i] - own) <= 1e-12);
    for (i = 0; i < 63; i++) assert_true(fabs(b[i] - b2[i]) <= 1e-12);
  }
  free(work);
  free(single);
}

static void what_the_comments_promise_to_refuse_is_refused(void **unused) {
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[4] = {1, 1, 0, 0}, w[4] = {0, 0, 0, 0}, g[4];
  double factor, extra;
  dppair_rows_f64 rows = dppair_rows_make_f64(x, 4, 2, 2);
  dppair_options options = {NULL, clip_of(dppair_clip_init, 1), NULL, NULL, NULL, 0, NULL};
  size_t bytes;
  (void)unused;
  rows.y = y;
  assert_int_equal(hinge64_form_workspace(&options.bytes, 4, 2, 2, &options), DPPAIR_OK);
  options.work = room(options.bytes);
  assert_int_equal(hinge64_form_gradient(g, DPPAIR_FORM_METRIC, &rows, w, 1, 1, &options),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_form_gradient(g, DPPAIR_FORM_SIMILARITY, &rows, w, 1, 1, &options),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(hinge64_form_gradient(g, DPPAIR_FORM_FACTOR, &rows, w, 1, 1, &options), DPPAIR_OK);
  free(options.work);
  /* a million boxes on either side of 0, of width 2 */
  assert_int_equal(log64_fast_workspace(&bytes, 1, DPPAIR_ACCURACY_1E6, 1.9e6, NULL), DPPAIR_OK);
  assert_int_equal(log64_fast_workspace(&bytes, 1, DPPAIR_ACCURACY_1E6, 2.1e6, NULL),
                   DPPAIR_ERR_DOMAIN);
  /* figures */
  assert_int_equal(log64_allowance(&factor, &extra, &fast_log, 9, 1, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(log64_allowance(&factor, &extra, NULL, 9, 1, nan("")), DPPAIR_ERR_DOMAIN);
  assert_int_equal(log64_allowance(&factor, &extra, NULL, 9, -1, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(log64_allowance(&factor, &extra, NULL, 9, 1e308, 1e308), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(log64_allowance(&factor, &extra, NULL, SIZE_MAX, 1, 1),
                   sizeof(size_t) > 4 ? DPPAIR_ERR_SIZE : DPPAIR_OK);
  assert_int_equal(log64_allowance(NULL, &extra, NULL, 9, 1, 1), DPPAIR_ERR_NULL);
  assert_true(extra == 0);
  assert_int_equal(dppair_pairs_allowance_(&extra, 9, 9, -1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_pairs_allowance_(&extra, 9, 9, nan("")), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_pairs_allowance_(NULL, 9, 9, 1), DPPAIR_ERR_NULL);
}

/* A ball of a radius that is not a normal number: "inside" could not be kept. */
static void a_subnormal_radius_is_refused(void **unused) {
  double w[3] = {1e-322, 2e-322, 3}, work[3];
  (void)unused;
  assert_int_equal(dppair_project_l2_f64(w, 3, 1e-323), DPPAIR_ERR_DOMAIN);
  assert_true(all_zero(w, 3));
  w[1] = 1;
  assert_int_equal(dppair_project_l1_f64(w, 3, DBL_MIN / 2, work, sizeof work), DPPAIR_ERR_DOMAIN);
  assert_true(all_zero(w, 3));
  w[1] = w[0] = 1;
  assert_int_equal(dppair_project_l2_f64(w, 3, DBL_MIN), DPPAIR_OK);
  assert_true((long double)w[0] * (long double)w[0] + (long double)w[1] * (long double)w[1] <=
              (long double)DBL_MIN * (long double)DBL_MIN);
}

/* ---- another rounding mode ----------------------------------------------------------------- */

#define REFUSED(call, out, n)                                                                      \
  do {                                                                                             \
    dppair_status status;                                                                          \
    memset(out, 1, (n) * sizeof *(out));                                                           \
    assert_int_equal(fesetround(modes[m]), 0);                                                     \
    status = call;                                                                                 \
    assert_int_equal(fesetround(FE_TONEAREST), 0);                                                 \
    assert_int_equal(status, DPPAIR_ERR_ENVIRONMENT);                                              \
    assert_true(all_zero(out, n));                                                                 \
  } while (0)

static void what_is_certified_refuses_another_rounding_mode(void **unused) {
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, s[4], y[4] = {1, 1, 0, 0}, w[4], g[4], c[8];
  static double work[40000], memory_of_f[40000];
  const size_t i[2] = {0, 1}, start[3] = {0, 1, 2};
  const uint32_t column[2] = {0, 1};
  const dppair_options plain = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  const dppair_options clipped = {NULL, clip_of(log64_clip_init, 1), NULL, NULL, work, sizeof work,
                               NULL};
  dppair_rows_f64 rows = dppair_rows_make_f64(x, 4, 2, 2), made;
  dppair_fast f;
  size_t m;
  (void)unused;
  rows.positives = 2;
  rows.y = y;
  for (m = 0; m < 3; m++) {
    REFUSED(log64_coeffs_fast(c, c + 2, s, 2, s + 2, 2, NULL, &fast_log), c, 4);
    REFUSED(hinge64_coeffs_fast(c, c + 2, s, 2, s + 2, 2, NULL, &fast_hinge), c, 4);
    REFUSED(log64_coeffs(c, c + 2, s, 2, s + 2, 2, NULL), c, 4);
    REFUSED(log64_pairs(c, c + 2, s, 2, s + 2, 2, i, i, NULL, 2, NULL), c, 4);
    REFUSED(log64_gradient(g, &rows, w, &plain), g, 2);
    REFUSED(log64_pairs_gradient(g, &rows, &rows, w, i, i, NULL, 2, &clipped), g, 2);
    REFUSED(log64_gradient(g, &rows, w, &clipped), g, 2);
    REFUSED(log64_clip_coeffs(c, c + 2, s, s + 2, &rows, NULL, 0, &clipped), c, 4);
    REFUSED(dppair_rows_clip_f64(&made, c, x, 4, 2, 2, 1), c, 4);
    REFUSED(hinge64_form_gradient(g, DPPAIR_FORM_METRIC, &rows, w, 2, 1, &clipped), g, 4);
    REFUSED(hinge64_form_risk_not_private(g, DPPAIR_FORM_METRIC, &rows, w, 2, 1, &clipped), g, 1);
    REFUSED(hinge64_form_pairs(g, &rows, w, 1, i, i, NULL, 2, &clipped), g, 4);
    REFUSED(hinge64_form_error(g, 4, 2, 1, 1, 1), g, 1);
    REFUSED(log64_allowance(g, g + 1, NULL, 4, 1, 1), g, 2);
    REFUSED(dppair_pairs_allowance_(g, 4, 4, 1), g, 1);
    REFUSED(dppair_combine_f64(g, &rows, s), g, 2);
    REFUSED(dppair_combine_csr_f64(g, start, column, x, 2, 2, s), g, 2);
    REFUSED(dppair_project_l2_f64(g, 2, 1), g, 2);
    REFUSED(dppair_project_l1_f64(g, 2, 1, work, sizeof work), g, 2);
    REFUSED(dppair_project_box_f64(g, 2, -1, 1), g, 2);
    REFUSED(dppair_project_psd_frobenius_f64(g, 2, 1, work, sizeof work), g, 4);
    REFUSED(log64_fast_init(&f, 9, DPPAIR_ACCURACY_1E6, 10, NULL, memory_of_f, sizeof memory_of_f),
            &f.weight, 1);
    assert_int_equal(f.kind, 0);
  }
}

/* Whatever the mode, scores stay in their boxes: guards around the arrays stay as they were. */
static void no_score_leaves_its_boxes(void **unused) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  enum { GUARD = 64 };
  const double edge[] = {
      130.00000000000003, -5e-324, 5e-324, 99.99999999999999, -100, 1e300, 3, 63};
  const size_t size = fast_log.words + fast_log.room;
  uint64_t *room = malloc((size + 2 * GUARD) * sizeof *room);
  size_t m, i, j, k;
  (void)unused;
  assert_non_null(room);
  for (m = 0; m < 4; m++)
    for (i = 0; i < 8; i++)
      for (j = 0; j < 8; j++) {
        const double s[2] = {edge[i], edge[j]};
        dppair_sketch moments;
        for (k = 0; k < GUARD; k++) room[k] = room[GUARD + size + k] = 7;
        dppair_sketch_clear_(&moments, &fast_log, room + GUARD);
        fesetround(modes[m]);
        dppair_sketch_count_scalar(&moments, s, 2, 1, NULL, &fast_log, 0);
        dppair_sketch_settle_(&moments, &fast_log);
        fesetround(FE_TONEAREST);
        for (k = 0; k < GUARD; k++) assert_true(room[k] == 7 && room[GUARD + size + k] == 7);
      }
  free(room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_pairs_clip_does_not_depend_on_the_other_records_of_its_block),
      TEST(a_replaced_record_moves_no_coefficient_of_its_own_class),
      TEST(a_forms_weight_is_a_function_of_its_two_records),
      TEST(no_form_is_longer_than_its_clip),
      TEST(one_large_score_moves_no_other_pairs_slope),
      TEST(large_scores_are_subtracted),
      TEST(every_computed_sum_is_within_the_figure_that_is_charged),
      TEST(every_public_gradient_is_within_the_figure_that_is_charged),
      TEST(a_record_that_changes_class_moves_the_others_within_the_figure),
      TEST(figures_are_those_of_the_written_proofs),
      TEST(listed_pairs_are_clipped_with_room_for_long_rows),
      TEST(rising_slopes_are_clipped_too),
      TEST(no_status_depends_on_a_score),
      TEST(no_status_depends_on_the_class_counts),
      TEST(the_way_is_not_chosen_by_the_number_of_records),
      TEST(a_batch_of_127_moves_no_pair_of_its_neighbour_of_128),
      TEST(what_the_comments_promise_to_refuse_is_refused),
      TEST(a_subnormal_radius_is_refused),
      TEST(what_is_certified_refuses_another_rounding_mode),
      TEST(no_score_leaves_its_boxes),
  };
  return RUN_TESTS(tests, prepare, release);
}
