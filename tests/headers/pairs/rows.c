/* SPDX-License-Identifier: MIT */
/* Blocks of rows: the bound of their norms, batches of them, and what factors do to scores,
 * gradients and clipped gradients: everything against the exact rows factor times x. */
#include "tests.h"

#include "dppair_losses.h"

#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME log32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME huber32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_huber
#include "dppair.h"
#define DPPAIR_NAME welsch32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_welsch
#include "dppair.h"
#define DPPAIR_NAME pinball32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_pinball
#include "dppair.h"

#include "clips.h"

enum { N = 64, D = 11, TRIALS = BRIEF ? 2000 : 40000 };

typedef long double wide;

static int is_zero(const void *p, size_t bytes) {
  const unsigned char *c = p;
  size_t k;
  for (k = 0; k < bytes; k++)
    if (c[k]) return 0;
  return 1;
}

/* |x| to 18 digits or so, for numbers of any size. */
static wide norm_of(const double *x, size_t d) {
  wide sum = 0, top = 0;
  size_t k;
  for (k = 0; k < d; k++) top = fabsl((wide)x[k]) > top ? fabsl((wide)x[k]) : top;
  if (!(top > 0)) return 0;
  for (k = 0; k < d; k++) sum += (wide)x[k] / top * ((wide)x[k] / top);
  return top * sqrtl(sum);
}

/* Rows of every size, also such that squares overflow or vanish, next to the radius and far away:
 * factor times row is within it, and not by much less. */
static void a_factor_keeps_its_row_within_the_radius(void **unused) {
  static const double edges[] = {1,      5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
                                 1e-200, 1e200};
  int trial, cut = 0, kept = 0, dropped = 0;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    const size_t d = 1 + (size_t)(uniform() * D);
    const int extreme = trial % 4 == 0, spread = extreme ? 2000 : 40;
    double x[D], f[1], radius = ldexp(1 + uniform(), (int)(spread * (uniform() - 0.5)));
    float xf[D];
    dppair_rows_f64 rows;
    dppair_rows_f32 narrow;
    wide norm, rate;
    size_t k;
    int type;
    const double size = trial % 3 ? radius / sqrt((double)d) * (1 + 1e-15 * (uniform() - 0.5))
                                  : ldexp(1, (int)(spread * (uniform() - 0.5)));
    for (k = 0; k < d; k++) x[k] = trial % 6 == 1 ? size : size * normal();
    if (trial % 16 == 0) x[0] = edges[trial / 16 % 6];
    for (k = 0; k < d; k++)
      if (!(fabs(x[k]) <= 1.7976931348623157e308)) x[k] = 1;
    for (type = 0; type < 2; type++) {
      const double least = type ? ldexp(1, -64) : ldexp(1, -512);
      if (type) {
        if (extreme) break;
        for (k = 0; k < d; k++) x[k] = (double)(xf[k] = (float)x[k]);
        assert_int_equal(dppair_rows_clip_f32(&narrow, f, xf, 1, d, d, radius), DPPAIR_OK);
        assert_true(narrow.x == xf && narrow.factor == f && narrow.radius == radius);
        assert_true(narrow.n == 1 && narrow.d == d && narrow.ld == d);
        assert_true(narrow.positives == 0 && narrow.y == NULL);
      } else {
        assert_int_equal(dppair_rows_clip_f64(&rows, f, x, 1, d, d, radius), DPPAIR_OK);
        assert_true(rows.x == x && rows.factor == f && rows.radius == radius);
        assert_true(rows.n == 1 && rows.d == d && rows.ld == d);
        assert_true(rows.positives == 0 && rows.y == NULL);
      }
      norm = norm_of(x, d);
      assert_true(f[0] >= 0 && f[0] <= 1);
      assert_true((wide)f[0] * norm <= (wide)radius * (1 + 1e-18L));
      rate = (wide)radius / (norm > 0 ? norm : 1);
      if (norm * (1 + 130e-16L) <= (wide)radius) assert_true(f[0] == 1);
      if (f[0] < 1 && f[0] > 0) assert_true((wide)f[0] >= rate * (1 - 130e-16L));
      if (f[0] == 0) assert_true(rate < (wide)least * 1.0000001L);
      cut += f[0] < 1 && f[0] > 0;
      kept += f[0] == 1;
      dropped += f[0] == 0;
    }
  }
  assert_true(cut > TRIALS / 10 && kept > TRIALS / 10 && dropped > TRIALS / 100);
}

static void rows_that_are_no_numbers_and_bad_radii_are_refused(void **unused) {
  const double nan_ = strtod("nan", NULL);
  double x[6] = {1, 2, 3, 4, 5, 6}, f[2];
  float xf[4] = {1, 2, 3, 4};
  dppair_rows_f64 rows;
  dppair_rows_f32 narrow;
  (void)unused;
#define REFUSED(call, block, status)                                                               \
  do {                                                                                             \
    memset(&block, 1, sizeof block);                                                               \
    f[0] = f[1] = 7;                                                                               \
    assert_int_equal(call, status);                                                                \
    assert_true(is_zero(&block, sizeof block) && f[0] == 0 && f[1] == 0);                          \
  } while (0)
  x[4] = nan_;
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 3, 1), rows, DPPAIR_ERR_NOT_FINITE);
  x[4] = -HUGE_VAL;
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 3, 1), rows, DPPAIR_ERR_NOT_FINITE);
  x[4] = nan_; /* behind the end of a row: not read */
  assert_int_equal(dppair_rows_clip_f64(&rows, f, x, 2, 1, 3, 9), DPPAIR_OK);
  x[4] = 1;
  xf[3] = (float)nan_;
  REFUSED(dppair_rows_clip_f32(&narrow, f, xf, 2, 2, 2, 1), narrow, DPPAIR_ERR_NOT_FINITE);
  xf[3] = (float)HUGE_VAL;
  REFUSED(dppair_rows_clip_f32(&narrow, f, xf, 2, 2, 2, 1), narrow, DPPAIR_ERR_NOT_FINITE);
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 3, 0), rows, DPPAIR_ERR_DOMAIN);
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 3, -1), rows, DPPAIR_ERR_DOMAIN);
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 3, HUGE_VAL), rows, DPPAIR_ERR_DOMAIN);
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 3, nan_), rows, DPPAIR_ERR_DOMAIN);
  REFUSED(dppair_rows_clip_f64(&rows, f, x, 2, 3, 2, 1), rows, DPPAIR_ERR_SIZE);
  REFUSED(dppair_rows_clip_f64(&rows, f, NULL, 2, 3, 3, 1), rows, DPPAIR_ERR_NULL);
  f[0] = f[1] = 7;
  assert_int_equal(dppair_rows_clip_f64(NULL, f, x, 2, 3, 3, 1), DPPAIR_ERR_NULL);
  assert_true(f[0] == 0 && f[1] == 0);
  assert_int_equal(dppair_rows_clip_f64(&rows, NULL, x, 2, 3, 3, 1), DPPAIR_ERR_NULL);
  /* no records, and records without features */
  assert_int_equal(dppair_rows_clip_f64(&rows, NULL, NULL, 0, 3, 3, 1), DPPAIR_OK);
  assert_int_equal(dppair_rows_clip_f64(&rows, f, NULL, 2, 0, 0, 1), DPPAIR_OK);
  assert_true(f[0] == 1 && f[1] == 1);
#undef REFUSED
}

/* Records 0 to 4 are positives; row i is 10 i + column. */
static void a_batch_has_its_positives_first_in_the_order_of_the_index(void **unused) {
  static const size_t index[7] = {8, 2, 9, 2, 0, 5, 4}, order[7] = {2, 2, 0, 4, 8, 9, 5};
  double x[10 * 3], y[10], factor[10], weight[10], bx[14], by[7], bf[7], bw[7];
  float xf[10 * 3], bxf[14];
  size_t bad[2] = {1, 10}, i;
  dppair_rows_f64 rows, batch;
  dppair_rows_f32 narrow, batchf;
  (void)unused;
  for (i = 0; i < 30; i++) x[i] = (double)(xf[i] = (float)(10 * (i / 3) + i % 3));
  for (i = 0; i < 10; i++)
    y[i] = 100 + (double)i, factor[i] = 0.5 + (double)i, weight[i] = 0.1 * (double)i;
  rows = dppair_rows_make_f64(x, 10, 2, 3);
  rows.positives = 5;
  rows.y = y;
  rows.factor = factor;
  rows.radius = 3;
  assert_int_equal(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(index, 7), &rows), DPPAIR_OK);
  assert_true(batch.n == 7 && batch.d == 2 && batch.ld == 2 && batch.positives == 4);
  assert_true(batch.x == bx && batch.y == by && batch.factor == bf && batch.radius == 3);
  for (i = 0; i < 7; i++) {
    assert_true(bx[2 * i] == 10.0 * (double)order[i] && bx[2 * i + 1] == bx[2 * i] + 1);
    assert_true(by[i] == 100 + (double)order[i] && bf[i] == 0.5 + (double)order[i]);
  }
  narrow = dppair_rows_make_f32(xf, 10, 2, 3);
  narrow.positives = 10;
  assert_int_equal(dppair_gather_f32(&batchf, bxf, NULL, NULL, BATCH_OF(index, 7), &narrow), DPPAIR_OK);
  assert_true(batchf.positives == 7 && batchf.y == NULL && batchf.factor == NULL);
  for (i = 0; i < 7; i++) assert_true(bxf[2 * i] == 10.0f * (float)index[i]);
  rows.weight = weight; /* weights go along, or are an error: never lost */
  assert_int_equal(dppair_gather_weighted_f64(&batch, bx, by, bf, bw, BATCH_OF(index, 7), &rows), DPPAIR_OK);
  assert_true(batch.weight == bw && batch.factor == bf);
  for (i = 0; i < 7; i++) assert_true(bw[i] == weight[order[i]]);
  assert_int_equal(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(index, 7), &rows), DPPAIR_ERR_NULL);
  assert_true(is_zero(&batch, sizeof batch));
  rows.weight = NULL;
  narrow.weight = weight;
  assert_int_equal(dppair_gather_weighted_f32(&batchf, bxf, NULL, NULL, bw, BATCH_OF(index, 2), &narrow),
                   DPPAIR_OK);
  assert_true(batchf.weight == bw && bw[0] == weight[8] && bw[1] == weight[2]);
  assert_int_equal(dppair_gather_f64(&batch, NULL, NULL, NULL, BATCH_OF(NULL, 0), &rows), DPPAIR_OK);
  assert_true(batch.n == 0 && batch.positives == 0);
#define REFUSED(call, status)                                                                      \
  do {                                                                                             \
    memset(bx, 1, sizeof bx), memset(by, 1, sizeof by), memset(bf, 1, sizeof bf);                  \
    memset(&batch, 1, sizeof batch);                                                               \
    assert_int_equal(call, status);                                                                \
    assert_true(is_zero(&batch, sizeof batch) && is_zero(bx, 4 * sizeof *bx));                     \
    assert_true(is_zero(by, 2 * sizeof *by) && is_zero(bf, 2 * sizeof *bf));                       \
  } while (0)
  REFUSED(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(bad, 2), &rows), DPPAIR_ERR_SIZE);
  REFUSED(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(NULL, 2), &rows), DPPAIR_ERR_NULL);
  rows.positives = 11;
  REFUSED(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(index, 2), &rows), DPPAIR_ERR_SIZE);
  rows.positives = 5;
  rows.ld = 1;
  REFUSED(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(index, 2), &rows), DPPAIR_ERR_SIZE);
  rows.ld = 3;
  assert_int_equal(dppair_gather_f64(&batch, bx, NULL, bf, BATCH_OF(index, 2), &rows), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_gather_f64(&batch, bx, by, NULL, BATCH_OF(index, 2), &rows), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_gather_f64(&batch, NULL, by, bf, BATCH_OF(index, 2), &rows), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_gather_f64(NULL, bx, by, bf, BATCH_OF(index, 2), &rows), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_gather_f64(&batch, bx, by, bf, BATCH_OF(index, 2), NULL), DPPAIR_ERR_NULL);
#undef REFUSED
}

/* Data of one test: rows of all lengths, and the factors that hold them within 1. */
static double x[N * (D + 1)], w[D], factor[N], ones[N], work[1 << 14];
static float xf[N * (D + 1)], wf[D];
static void fill(double far) {
  size_t i, k;
  for (i = 0; i < N; i++) {
    const double size = i % 3 ? far * pow(10, 3 * uniform() - 2) : 0.01;
    for (k = 0; k <= D; k++)
      x[i * (D + 1) + k] = (double)(xf[i * (D + 1) + k] = (float)(size * normal()));
    ones[i] = 1;
  }
  for (k = 0; k < D; k++) w[k] = (double)(wf[k] = (float)normal());
}

static void scores_and_gradients_take_the_factors(void **unused) {
  double s[N], plain[N], c[N], g[D], h[D];
  float sf[N], plainf[N];
  dppair_rows_f64 rows, bare;
  dppair_rows_f32 narrow;
  size_t i, k;
  (void)unused;
  fill(1);
  for (i = 0; i < N; i++) c[i] = normal();
  assert_int_equal(dppair_rows_clip_f32(&narrow, factor, xf, N, D, D + 1, 1), DPPAIR_OK);
  assert_int_equal(dppair_scores_f32(sf, &narrow, wf), DPPAIR_OK);
  narrow.factor = NULL;
  assert_int_equal(dppair_scores_f32(plainf, &narrow, wf), DPPAIR_OK);
  for (i = 0; i < N; i++) assert_true(sf[i] == (float)(factor[i] * (double)plainf[i]));
  narrow.factor = factor;
  assert_int_equal(dppair_combine_f32(h, &narrow, c), DPPAIR_OK);
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x, N, D, D + 1, 1), DPPAIR_OK);
  bare = dppair_rows_make_f64(x, N, D, D + 1);
  assert_int_equal(dppair_scores_f64(s, &rows, w), DPPAIR_OK);
  assert_int_equal(dppair_scores_f64(plain, &bare, w), DPPAIR_OK);
  for (i = 0; i < N; i++) assert_true(s[i] == factor[i] * plain[i]);
  assert_int_equal(dppair_combine_f64(g, &rows, c), DPPAIR_OK);
  assert_memory_equal(g, h, sizeof g);
  for (i = 0; i < N; i++) c[i] *= factor[i];
  assert_int_equal(dppair_combine_f64(h, &bare, c), DPPAIR_OK);
  assert_memory_equal(g, h, sizeof g);
  /* factors of 1 change no bit */
  rows.factor = ones;
  assert_int_equal(dppair_scores_f64(s, &rows, w), DPPAIR_OK);
  assert_memory_equal(s, plain, sizeof s);
  assert_int_equal(dppair_combine_f64(g, &rows, c), DPPAIR_OK);
  assert_memory_equal(g, h, sizeof g);
  for (k = 0; k < D; k++) assert_true(g[k] != 0);
  /* null records have no score */
  rows.nulls = narrow.nulls = 2;
  memset(s, 0, sizeof s), memset(sf, 0, sizeof sf);
  assert_int_equal(dppair_scores_f64(s, &rows, w), DPPAIR_OK);
  assert_int_equal(dppair_scores_f32(sf, &narrow, wf), DPPAIR_OK);
  assert_memory_equal(s, plain, (N - 2) * sizeof *s);
  for (i = N - 3; i < N; i++)
    assert_true((isnan(s[i]) != 0) == (i >= N - 2) && (isnan(sf[i]) != 0) == (i >= N - 2));
}

/* Whatever rows were accepted, however long: a score is finite, and only public numbers are
 * refused.
 */
static void no_row_that_was_accepted_makes_a_score_overflow(void **unused) {
  double far[4] = {1e308, 1e308, 1e308, -1e308}, v[2] = {1e140, 1e140}, s[2], f[2], g[2];
  float farf[4] = {1.2e19f, 1.2e19f, 1.2e19f, -1.2e19f}, vf[2] = {1e17f, 1e17f}, sf[2];
  dppair_rows_f64 rows;
  dppair_rows_f32 narrow;
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  int k;
  (void)unused;
  for (k = 0; k < 40; k++) {
    const double radius = ldexp(1, -20 * k);
    v[0] = v[1] = 0.1e150 / radius;
    if (!(v[0] < 1e300)) break;
    assert_int_equal(dppair_rows_clip_f64(&rows, f, far, 2, 2, 2, radius), DPPAIR_OK);
    rows.positives = 1;
    assert_int_equal(dppair_scores_f64(s, &rows, v), DPPAIR_OK);
    assert_int_equal(log64_gradient(g, &rows, v, &options), DPPAIR_OK);
  }
  assert_true(k > 5);
  assert_int_equal(dppair_rows_clip_f32(&narrow, f, farf, 2, 2, 2, 1), DPPAIR_OK);
  assert_int_equal(dppair_scores_f32(sf, &narrow, vf), DPPAIR_OK);
  assert_true(sf[0] > 0.9f * vf[0] * 1.41f && sf[1] == 0);
  narrow.positives = 1;
  assert_int_equal(log32_gradient(g, &narrow, vf, &options), DPPAIR_OK);
  /* the public product of radius and |w| alone decides */
  v[0] = v[1] = 1e150;
  rows.radius = 1;
  rows.factor = f;
  s[0] = s[1] = g[0] = g[1] = 7;
  assert_int_equal(dppair_scores_f64(s, &rows, v), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(log64_gradient(g, &rows, v, &options), DPPAIR_ERR_OVERFLOW);
  assert_true(s[0] == 0 && s[1] == 0 && g[0] == 0 && g[1] == 0);
  vf[0] = 1.1e18f;
  assert_int_equal(dppair_scores_f32(sf, &narrow, vf), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(log32_gradient(g, &narrow, vf, &options), DPPAIR_ERR_OVERFLOW);
  /* squared distances of floats: the radius is too large for a clip, whatever the rows */
  options.clip = clip_of(log32_clip_init, 1);
  vf[0] = vf[1] = 0;
  memset(farf, 0, sizeof farf);
  assert_int_equal(dppair_rows_clip_f32(&narrow, f, farf, 2, 2, 2, 1e19), DPPAIR_OK);
  assert_int_equal(log32_gradient(g, &narrow, vf, &options), DPPAIR_ERR_OVERFLOW);
  /* the least factors, and what is beyond */
  farf[0] = 1, farf[2] = 1;
  assert_int_equal(dppair_rows_clip_f32(&narrow, f, farf, 2, 2, 2, 1.01 * ldexp(1, -64)),
                   DPPAIR_OK);
  assert_true(f[0] > 0);
  assert_int_equal(dppair_rows_clip_f32(&narrow, f, farf, 2, 2, 2, 0.99 * ldexp(1, -64)),
                   DPPAIR_OK);
  assert_true(f[0] == 0);
  vf[0] = 1;
  assert_int_equal(dppair_scores_f32(sf, &narrow, vf), DPPAIR_OK);
  assert_true(sf[0] == 0);
}

/* The whole gradient against pairs of exact rows, with the slopes as computed for each pair alone;
 * what is left is rounding, and the rounding allowance has room for it. */
#define GRADIENT(name, real, type, x, w)                                                           \
  static void name##_rounding(double far, double clip, size_t parts) {                             \
    const dppair_tasks cut = {parts, NULL, NULL};                                                  \
    dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};                             \
    dppair_rows_##type rows;                                                                       \
    wide sum[D] = {0}, off = 0;                                                                    \
    double g[D], range, extra;                                                                     \
    real s[N];                                                                                     \
    size_t i, j, k, bytes;                                                                         \
    fill(far);                                                                                     \
    assert_int_equal(dppair_rows_clip_##type(&rows, factor, x, N, D, D + 1, 1), DPPAIR_OK);        \
    rows.positives = N / 3;                                                                        \
    options.clip = clip_of(name##_clip_init, clip);                                                   \
    options.tasks = &cut;                                                                             \
    assert_int_equal(name##_workspace(&bytes, N, D, &options), DPPAIR_OK);                            \
    assert_true(bytes <= sizeof work);                                                             \
    assert_int_equal(name##_gradient(g, &rows, w, &options), DPPAIR_OK);                              \
    assert_int_equal(dppair_scores_##type(s, &rows, w), DPPAIR_OK);                                \
    for (i = 0; i < N / 3; i++)                                                                    \
      for (j = N / 3; j < N; j++) {                                                                \
        const size_t both[2] = {i, j};                                                             \
        double one, other, pair_factor[2];                                                         \
        real row[2 * D];                                                                           \
        dppair_rows_##type pair;                                                                   \
        wide length = 0;                                                                           \
        assert_int_equal(dppair_gather_##type(&pair, row, NULL, pair_factor, BATCH_OF(both, 2), &rows),      \
                         DPPAIR_OK);                                                               \
        if (clip > 0) /* g and off are not needed yet */                                           \
          assert_int_equal(name##_clip_coeffs(&one, &other, s + i, s + j, &pair, NULL, 0, &options),  \
                           DPPAIR_OK);                                                             \
        else                                                                                       \
          assert_int_equal(name##_coeffs(&one, &other, s + i, 1, s + j, 1, NULL), DPPAIR_OK);      \
        for (k = 0; k < D; k++) {                                                                  \
          const wide v =                                                                           \
              (wide)pair_factor[0] * (wide)row[k] - (wide)pair_factor[1] * (wide)row[D + k];       \
          sum[k] += (wide)one * v;                                                                 \
          length += v * v;                                                                         \
        }                                                                                          \
        assert_true(!(clip > 0) || fabsl((wide)one) * sqrtl(length) <= (wide)clip);                \
      }                                                                                            \
    for (k = 0; k < D; k++) off += ((wide)g[k] - sum[k]) * ((wide)g[k] - sum[k]);                  \
    assert_int_equal(name##_allowance(&range, &extra, NULL, N, rows.radius, 1), DPPAIR_OK);        \
    assert_true(sqrtl(off) <= (wide)extra / 2);                                                    \
  }
GRADIENT(log64, double, f64, x, w)
GRADIENT(log32, float, f32, xf, wf)

static void factors_round_within_the_surcharge_and_clips_hold_for_the_exact_rows(void **unused) {
  static const double clips[] = {0, 0.01, 0.2};
  size_t parts;
  int trial, k;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 2 : 12); trial++)
    for (k = 0; k < 3; k++)
      for (parts = 1; parts < 6; parts += 2) {
        log64_rounding(pow(10, trial % 4), clips[k], parts);
        log32_rounding(pow(10, trial % 4), clips[k], parts);
      }
}

/* Two rows that point the same way and are both cut to the radius: the packed rows may be equal,
 * the exact ones are not. */
static void the_clip_of_near_duplicates_holds_for_the_exact_rows(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    const size_t d = 1 + (size_t)(uniform() * D);
    const int single = trial % 2;
    double row[2 * D], f[2], s[2] = {-40, 40}, a, b;
    float rowf[2 * D], sf[2] = {-40, 40};
    dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
    dppair_rows_f64 rows;
    dppair_rows_f32 narrow;
    wide length = 0;
    size_t k;
    const double stretch = pow(10, 3 * uniform()), gap = pow(10, -9 * uniform());
    for (k = 0; k < d; k++) {
      row[k] = normal();
      row[d + k] = stretch * row[k] * (1 + (trial % 3 ? gap * normal() : 0));
    }
    for (k = 0; k < 2 * d; k++)
      if (single) row[k] = (double)(rowf[k] = (float)row[k]);
    options.clip = clip_of(dppair_clip_init, pow(10, -9 * uniform()));
    if (single) {
      assert_int_equal(dppair_rows_clip_f32(&narrow, f, rowf, 2, d, d, 0.5), DPPAIR_OK);
      narrow.positives = 1;
      assert_int_equal(log32_clip_coeffs(&a, &b, sf, sf + 1, &narrow, NULL, 0, &options), DPPAIR_OK);
    } else {
      assert_int_equal(dppair_rows_clip_f64(&rows, f, row, 2, d, d, 0.5), DPPAIR_OK);
      rows.positives = 1;
      assert_int_equal(log64_clip_coeffs(&a, &b, s, s + 1, &rows, NULL, 0, &options), DPPAIR_OK);
    }
    for (k = 0; k < d; k++) {
      const wide v = (wide)f[0] * (wide)row[k] - (wide)f[1] * (wide)row[d + k];
      length += v * v;
    }
    assert_true(a < 0 && b == -a);
    assert_true(fabsl((wide)a) * sqrtl(length) <= (wide)options.clip->bound);
  }
}

/* The workspace is enough for every number of positives, at every alignment, and nothing is written
 * beyond it. */
static void the_workspace_is_enough_for_any_positives_and_alignment(void **unused) {
  static const double clips[] = {0, 0.1};
  const size_t sizes[] = {0, 1, 2, 23, 24, 25, 48, 49, 64};
  const dppair_tasks cut = {3, NULL, NULL};
  unsigned char *room = malloc(sizeof work + 64);
  size_t k, np, m, start;
  (void)unused;
  fill(1);
  for (m = 0; m < 4; m++)
    for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const size_t n = sizes[k];
      size_t bytes;
      dppair_options options = {NULL, NULL, NULL, m / 2 ? &cut : NULL, NULL, 0, NULL};
      options.clip = clip_of(log32_clip_init, clips[m % 2]);
      assert_int_equal(log32_workspace(&bytes, n, D, &options), DPPAIR_OK);
      assert_true(bytes + 8 < sizeof work);
      options.bytes = bytes;
      for (np = 0; np <= n; np++) {
        dppair_rows_f32 rows = dppair_rows_make_f32(xf, n, D, D + 1);
        double g[D];
        start = np % 9 * 7;
        memset(room, 0xA5, sizeof work + 64);
        options.work = room + start;
        rows.positives = np;
        assert_int_equal(log32_gradient(g, &rows, wf, &options), DPPAIR_OK);
        assert_true(room[start + bytes] == 0xA5 && room[start + bytes + 7] == 0xA5);
        assert_true(!start || room[start - 1] == 0xA5);
      }
    }
  free(room);
  {
    dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
    dppair_tasks none = {0, NULL, NULL};
    volatile size_t vast = SIZE_MAX / 8;
    size_t bytes = 7;
    assert_int_equal(log32_workspace(NULL, 1, 1, &options), DPPAIR_ERR_NULL);
    assert_int_equal(log32_workspace(&bytes, 1, 1, NULL), DPPAIR_ERR_NULL);
    assert_int_equal(log32_workspace(&bytes, vast, 1, &options), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(log32_workspace(&bytes, 1, vast, &options), DPPAIR_ERR_OVERFLOW);
    options.clip = clip_of(log32_clip_init, 1);
    assert_int_equal(log32_workspace(&bytes, vast, 1, &options), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(log32_workspace(&bytes, 9, vast, &options), DPPAIR_ERR_OVERFLOW);
    options.clip = clip_of(log64_clip_init, 1); /* of another instance */
    assert_int_equal(log32_workspace(&bytes, 1, 1, &options), DPPAIR_ERR_WORKSPACE);
    options.clip = NULL;
    options.tasks = &none;
    assert_int_equal(log32_workspace(&bytes, 1, 1, &options), DPPAIR_ERR_SIZE);
    assert_true(bytes == 0);
  }
}

/* Parameters that no float is equal to: slopes pass the range of the exact loss by less than the
 * four units in the last place that the rounding allowance charges. */
static void rounded_parameters_stay_within_the_charged_range(void **unused) {
  double a, b;
  float s[1], t[1] = {0};
  int trial;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    const double p[1] = {pow(10, 4 * uniform() - 3)}, tau[1] = {uniform()};
    const double over = 1 + 4 * (double)FLT_EPSILON;
    s[0] = (float)(3 * p[0] * normal());
    assert_int_equal(huber32_coeffs(&a, &b, s, 1, t, 1, p), DPPAIR_OK);
    assert_true(fabs(a) <= p[0] * over);
    assert_int_equal(pinball32_coeffs(&a, &b, s, 1, t, 1, tau), DPPAIR_OK);
    assert_true(a <= tau[0] * over && a >= (tau[0] - 1) * over);
    s[0] = (float)(p[0] * (1 + 1e-3 * normal()));
    assert_int_equal(welsch32_coeffs(&a, &b, s, 1, t, 1, p), DPPAIR_OK);
    assert_true(fabs(a) <= p[0] * exp(-0.5) * over);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_factor_keeps_its_row_within_the_radius),
      TEST(rows_that_are_no_numbers_and_bad_radii_are_refused),
      TEST(a_batch_has_its_positives_first_in_the_order_of_the_index),
      TEST(scores_and_gradients_take_the_factors),
      TEST(no_row_that_was_accepted_makes_a_score_overflow),
      TEST(factors_round_within_the_surcharge_and_clips_hold_for_the_exact_rows),
      TEST(the_clip_of_near_duplicates_holds_for_the_exact_rows),
      TEST(the_workspace_is_enough_for_any_positives_and_alignment),
      TEST(rounded_parameters_stay_within_the_charged_range),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
