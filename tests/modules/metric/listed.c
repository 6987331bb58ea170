/* SPDX-License-Identifier: MIT */
/* Gradients over listed pairs, batches of records, the certified error of the tiles, refusals. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_metric.h"

#define DPPAIR_NAME pairsd
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square /* its slopes have both signs */
#include "dppair.h"
#define DPPAIR_NAME pairsf
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "clips.h"

typedef long double wide;

static wide slope(int square, wide u) { return square ? 2 * (u - 1) : -1 / (1 + expl(u)); }

enum { N = 70, M = 133, MOST = 41 };
static double x[N * (MOST + 3)], y[N], w[MOST], W[MOST * MOST], weight[M], g[MOST * MOST];
static float xf[N * (MOST + 3)], yf[N], wf[MOST];
static size_t from[M], to[M];
static double factor[N];
static const double *factors; /* of the rows: factor, or NULL */

/* The rows of x or xf with the labels y or yf, and a pass. */
static dppair_rows_f64 of_double(size_t n, size_t d, size_t ld) {
  dppair_rows_f64 rows = dppair_rows_make_f64(x, n, d, ld);
  rows.y = y;
  rows.factor = factors;
  return rows;
}
static dppair_rows_f32 of_float(size_t n, size_t d, size_t ld) {
  dppair_rows_f32 rows = dppair_rows_make_f32(xf, n, d, ld);
  rows.y = yf;
  rows.factor = factors;
  return rows;
}
static dppair_options pass_of(double clip, void *work, size_t bytes) {
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  options.clip = clip_of(dppair_clip_init, clip);
  options.work = work;
  options.bytes = bytes;
  return options;
}

static void fill(size_t d, size_t ld, int near_duplicates) {
  for (size_t i = 0; i < N; i++) {
    factor[i] = i % 4 == 0 ? 1.0 : i % 9 == 1 ? 0.0 : i % 4 == 3 ? -1.1 : uniform();
    y[i] = (double)(yf[i] = (float)(int)(3.0 * uniform()));
    for (size_t k = 0; k < ld; k++) {
      const double v =
          near_duplicates && i % 2 ? x[(i - 1) * ld + k] * (1.0 + 1e-6 * normal()) : normal();
      x[i * ld + k] = (double)(xf[i * ld + k] = (float)v);
    }
  }
  for (size_t k = 0; k < d; k++) w[k] = (double)(wf[k] = (float)normal());
  for (size_t k = 0; k < d * d; k++) W[k] = 0.2 * normal() + (k % (d + 1) == 0);
  for (size_t k = 0; k < M; k++) {
    from[k] = (size_t)(uniform() * N);
    to[k] = near_duplicates ? from[k] ^ 1 : (size_t)(uniform() * N);
    weight[k] = normal();
  }
}

/* out[d] or out[d][d] and the size of its terms. */
static void oracle(wide *out, wide *mass, int metric, int square, size_t d, size_t ld, size_t m,
                   double clip, int weighted) {
  const size_t size = metric ? d * d : d;
  for (size_t e = 0; e < size; e++) out[e] = mass[e] = 0;
  for (size_t k = 0; k < m; k++) {
    const double *a = x + from[k] * ld, *b = x + to[k] * ld;
    const wide tau = y[from[k]] == y[to[k]] ? 1 : -1;
    const wide fa = factors ? (wide)factors[from[k]] : 1, fb = factors ? (wide)factors[to[k]] : 1;
    wide v[MOST], u = 0, q = 0, c, norm;
    for (size_t f = 0; f < d; f++) v[f] = fa * (wide)a[f] - fb * (wide)b[f], q += v[f] * v[f];
    for (size_t f = 0; f < d; f++) {
      if (!metric) u += (wide)w[f] * v[f];
      for (size_t h = 0; metric && h < d; h++) u += (wide)W[f * d + h] * v[f] * v[h];
    }
    c = metric ? -tau * slope(square, tau * (0.5L - u)) : slope(square, u);
    norm = metric ? q : sqrtl(q);
    if (clip > 0 && fabsl(c) * norm > (wide)clip) c = (c < 0 ? -1 : 1) * (wide)clip / norm;
    if (weighted) c *= (wide)weight[k];
    for (size_t f = 0; f < d; f++)
      for (size_t h = 0; h < (metric ? d : 1); h++) {
        const wide term = metric ? c * v[f] * v[h] : c * v[f];
        out[metric ? f * d + h : f] += term;
        mass[metric ? f * d + h : f] += fabsl(term) * (1 + fabsl(u)) + q * 1e-6L;
      }
  }
}

static void lists_match_the_double_loop(void **unused) {
  static const size_t dims[] = {1, 2, 7, 8, 9, 17, 24, 41};
  double first[MOST * MOST];
  wide sum[MOST * MOST], mass[MOST * MOST];
  (void)unused;
  for (size_t s = 0; s < sizeof dims / sizeof *dims; s++)
    for (int how = 0; how < 12; how++) {
      const size_t d = dims[s], ld = d + s % 3, m = how < 4 || how >= 8 ? M : (size_t)how;
      const double clip = how % 4 == 0 ? 0.0 : how % 4 == 1 ? 0.3 : 1.1;
      const double *weights = how % 2 ? weight : NULL;
      dppair_rows_f64 rows;
      dppair_rows_f32 rows_f;
      dppair_options options = pass_of(clip, NULL, 0), list_d = options, list_f = options;
      void *scratch;
      fill(d, ld, how % 4 == 3);
      factors = how < 8 ? NULL : factor;
      rows = of_double(N, d, ld);
      rows_f = of_float(N, d, ld);
      assert_int_equal(pairsf_form_workspace(&options.bytes, 2, d, d, &options), DPPAIR_OK);
      assert_int_equal(pairsd_pairs_workspace(&list_d.bytes, d), DPPAIR_OK);
      assert_int_equal(pairsf_pairs_workspace(&list_f.bytes, d), DPPAIR_OK);
      scratch = malloc(options.bytes); /* of float, the largest of the three */
      options.work = list_d.work = list_f.work = scratch;
#define TIERS(call, size, close)                                                                   \
  for (int tier = 0; tier <= dppair_tier(); tier++) {                                              \
    switch (tier) {                                                                                \
      CASES(call)                                                                                  \
    default:                                                                                       \
      assert_int_equal(call(_scalar), DPPAIR_OK);                                                  \
    }                                                                                              \
    for (size_t e = 0; e < (size); e++)                                                            \
      assert_true(fabsl((wide)g[e] - sum[e]) <= (wide)(close)*mass[e]);                            \
    if (tier == 0) memcpy(first, g, (size) * sizeof *g);                                           \
    if (tier != 1 || !X86) assert_memory_equal(first, g, (size) * sizeof *g);                      \
  }
#if DPPAIR_HAVE_AVX512
#define CASE3(call)                                                                                \
  case DPPAIR_TIER_AVX512:                                                                         \
    assert_int_equal(call(_avx512), DPPAIR_OK);                                                    \
    break;
#else
#define CASE3(call)
#endif
#if DPPAIR_HAVE_AVX2
#define CASE2(call)                                                                                \
  case DPPAIR_TIER_AVX2:                                                                           \
    assert_int_equal(call(_avx2), DPPAIR_OK);                                                      \
    break;
#else
#define CASE2(call)
#endif
#if DPPAIR_HAVE_SIMD128
#define CASE1(call)                                                                                \
  case DPPAIR_TIER_SIMD128:                                                                        \
    assert_int_equal(call(_simd128), DPPAIR_OK);                                                   \
    break;
#else
#define CASE1(call)
#endif
#define CASES(call) CASE3(call) CASE2(call) CASE1(call)
#if defined(__x86_64__)
#define X86 1 /* no fused multiply-add in its 128-bit tier: within the bound only */
#else
#define X86 0
#endif
#define LINEAR_D(tier)                                                                             \
  pairsd_pairs_gradient##tier(g, &rows, &rows, w, from, to, weights, m, &list_d)
#define LINEAR_F(tier)                                                                             \
  pairsf_pairs_gradient##tier(g, &rows_f, &rows_f, wf, from, to, weights, m, &list_f)
#define METRIC_D(tier) pairsd_form_pairs##tier(g, &rows, W, 0.5, from, to, weights, m, &options)
#define METRIC_F(tier) pairsf_form_pairs##tier(g, &rows_f, W, 0.5, from, to, weights, m, &options)
      oracle(sum, mass, 0, 1, d, ld, m, clip, weights != NULL);
      TIERS(LINEAR_D, d, 1e-9)
      oracle(sum, mass, 0, 0, d, ld, m, clip, weights != NULL);
      TIERS(LINEAR_F, d, 1e-5)
      oracle(sum, mass, 1, 1, d, ld, m, clip, weights != NULL);
      TIERS(METRIC_D, d * d, 1e-9)
      oracle(sum, mass, 1, 0, d, ld, m, clip, weights != NULL);
      TIERS(METRIC_F, d * d, 2e-4)
      free(scratch);
    }
  factors = NULL;
}

/* Rows longer than what is fetched ahead. */
static void long_rows_are_summed_to_their_end(void **unused) {
  enum { LONG = 700, ROWS = 40, PAIRS = 60 };
  static double z[ROWS * LONG], v[LONG], sum[LONG], out[LONG];
  size_t i[PAIRS], j[PAIRS];
  dppair_options options = pass_of(0.5, NULL, 0);
  const dppair_rows_f64 rows = dppair_rows_make_f64(z, ROWS, LONG, LONG);
  (void)unused;
  for (size_t e = 0; e < ROWS * LONG; e++) z[e] = normal();
  for (size_t e = 0; e < LONG; e++) v[e] = 0.02 * normal();
  assert_int_equal(pairsd_pairs_workspace(&options.bytes, LONG), DPPAIR_OK);
  options.work = malloc(options.bytes);
  for (size_t k = 0; k < PAIRS; k++) {
    wide u = 0, q = 0, c;
    i[k] = below(ROWS);
    j[k] = (i[k] + 1 + below(ROWS - 1)) % ROWS;
    for (size_t f = 0; f < LONG; f++) {
      const wide apart = (wide)z[i[k] * LONG + f] - (wide)z[j[k] * LONG + f];
      u += (wide)v[f] * apart, q += apart * apart;
    }
    c = slope(1, u);
    if (fabsl(c) * sqrtl(q) > 0.5L) c = copysignl(0.5L / sqrtl(q), c);
    for (size_t f = 0; f < LONG; f++)
      sum[f] += (double)(c * ((wide)z[i[k] * LONG + f] - (wide)z[j[k] * LONG + f]));
  }
  assert_int_equal(pairsd_pairs_gradient(out, &rows, &rows, v, i, j, NULL, PAIRS, &options),
                   DPPAIR_OK);
  for (size_t f = 0; f < LONG; f++) assert_true(fabs(out[f] - sum[f]) < 1e-11);
  free(options.work);
}

/* One pair, so that g is its clipped gradient: never longer than the bound. */
static void listed_pairs_stay_within_the_bound(void **unused) {
  dppair_options options = pass_of(1, NULL, 0), list = options;
  size_t zero = 0, one = 1;
  (void)unused;
  assert_int_equal(pairsd_form_workspace(&options.bytes, 2, MOST, MOST, &options), DPPAIR_OK);
  assert_int_equal(pairsd_pairs_workspace(&list.bytes, MOST), DPPAIR_OK);
  options.work = malloc(options.bytes);
  list.work = malloc(list.bytes);
  for (int trial = 0; trial < 4000; trial++) {
    const size_t d = 1 + (size_t)(uniform() * MOST);
    const double clip = pow(10.0, 4.0 * uniform() - 3.0), gap = pow(10.0, 8.0 * uniform() - 7.0);
    dppair_rows_f64 rows;
    wide length = 0;
    for (size_t k = 0; k < d; k++) {
      x[k] = 3.0 * normal();
      x[d + k] = x[k] + gap * normal();
      w[k] = normal();
    }
    for (size_t k = 0; k < d * d; k++) W[k] = -fabs(normal());
    y[0] = y[1] = 1.0;
    factor[0] = uniform();
    factor[1] = trial % 3 ? factor[0] : uniform();
    factors = trial % 2 ? factor : NULL;
    rows = of_double(2, d, d);
    options.clip = list.clip = clip_of(dppair_clip_init, clip);
    assert_int_equal(pairsd_pairs_gradient(g, &rows, &rows, w, &zero, &one, NULL, 1, &list),
                     DPPAIR_OK);
    for (size_t k = 0; k < d; k++) length += (wide)g[k] * (wide)g[k];
    assert_true(sqrtl(length) <= (wide)clip * (1 + 1e-15L));
    assert_int_equal(pairsd_form_pairs(g, &rows, W, 0.0, &zero, &one, NULL, 1, &options), DPPAIR_OK);
    for (length = 0, one = 0; one < d * d; one++) length += (wide)g[one] * (wide)g[one];
    one = 1;
    assert_true(sqrtl(length) <= (wide)clip * (1 + 1e-15L));
  }
  factors = NULL;
  free(options.work);
  free(list.work);
}

/* A list of all pairs is the whole gradient, and a gathered batch is the list of its own pairs. */
static void a_list_of_all_pairs_a_batch_and_the_tiles_agree(void **unused) {
  const size_t d = 9, ld = 10, batch = 12;
  size_t index[12], i[66], j[66], m = 0;
  double bx[12 * 9], by[12], bf[12], whole[81];
  dppair_rows_f64 rows, chosen;
  (void)unused;
  fill(d, ld, 0);
  for (size_t k = 0; k < batch; k++) index[k] = (7 * k + 3) % N;
  for (size_t a = 0; a < batch; a++)
    for (size_t b = a + 1; b < batch; b++) i[m] = index[a], j[m++] = index[b];
  for (int how = 0; how < 4; how++) {
    dppair_options options = pass_of(how % 2 ? 2.0 : 0.0, NULL, 0);
    factors = how < 2 ? NULL : factor;
    rows = of_double(N, d, ld);
    assert_int_equal(dppair_gather_f64(&chosen, bx, by, bf, BATCH_OF(index, batch), &rows), DPPAIR_OK);
    assert_int_equal(pairsd_form_workspace(&options.bytes, batch, d, d, &options), DPPAIR_OK);
    options.work = malloc(options.bytes);
    assert_int_equal(pairsd_form_gradient(whole, DPPAIR_FORM_METRIC, &chosen, W, d, 0.5, &options),
                     DPPAIR_OK);
    assert_int_equal(pairsd_form_pairs(g, &rows, W, 0.5, i, j, NULL, m, &options), DPPAIR_OK);
    for (size_t e = 0; e < d * d; e++) assert_true(fabs(whole[e] - g[e]) < 1e-10);
    free(options.work);
  }
  factors = NULL;
  rows = of_double(N, d, ld);
  index[3] = N;
  assert_int_equal(dppair_gather_f64(&chosen, bx, by, bf, BATCH_OF(index, batch), &rows), DPPAIR_ERR_SIZE);
  for (size_t e = 0; e < batch * d; e++) assert_true(bx[e] == 0.0);
}

/* Pairs between two blocks of different lengths, distances and factors are those of one block. */
static void two_blocks_may_have_rows_at_different_distances(void **unused) {
  const size_t d = 5;
  double other[20 * 8], all[N], h[5];
  size_t j[M];
  dppair_options options = pass_of(0.4, NULL, 0);
  dppair_rows_f64 rows, few;
  (void)unused;
  fill(d, d, 0);
  for (size_t k = 0; k < 20; k++) memcpy(other + 8 * k, x + d * (N - 20 + k), d * sizeof *x);
  for (size_t k = 0; k < N; k++) all[k] = k < N - 20 ? 1.0 : 0.5;
  for (size_t k = 0; k < M; k++) to[k] = N - 20 + (j[k] = k % 20);
  assert_int_equal(pairsd_pairs_workspace(&options.bytes, d), DPPAIR_OK);
  options.work = malloc(options.bytes);
  rows = few = of_double(N, d, d);
  few.x = other;
  few.n = 20;
  few.ld = 8;
  for (int scaled = 0; scaled < 2; scaled++) {
    rows.factor = scaled ? all : NULL;
    assert_int_equal(pairsd_pairs_gradient(h, &rows, &rows, w, from, to, weight, M, &options),
                     DPPAIR_OK);
    few.factor = scaled ? all + N - 20 : NULL;
    for (size_t k = 0; scaled && k < M; k++) from[k] %= N - 20; /* of factor 1 */
    assert_int_equal(pairsd_pairs_gradient(h, &rows, &rows, w, from, to, weight, M, &options),
                     DPPAIR_OK);
    rows.factor = NULL;
    assert_int_equal(pairsd_pairs_gradient(g, &rows, &few, w, from, j, weight, M, &options),
                     DPPAIR_OK);
    assert_memory_equal(g, h, sizeof h);
  }
  few.d = 4;
  assert_int_equal(pairsd_pairs_gradient(g, &rows, &few, w, from, j, weight, M, &options),
                   DPPAIR_ERR_SIZE);
  for (size_t e = 0; e < d; e++) assert_true(g[e] == 0.0);
  assert_int_equal(pairsd_pairs_gradient(g, &rows, NULL, w, from, j, weight, M, &options),
                   DPPAIR_ERR_NULL);
  free(options.work);
}

/* With W = 0 every weight is phi'(b) or -phi'(b): the pair sum is known up to one number, so what
 * the float tiles lose in summation shows. Records of equal entries round always to the same side.
 */
static void the_error_bound_holds_and_is_not_vacuous(void **unused) {
  const size_t n = 600, d = 3;
  float *big = calloc(n * d, sizeof *big), *label = malloc(n * sizeof *label);
  double none[9] = {0}, got[9], most = 0.0, bound;
  dppair_options options = pass_of(0, NULL, 0);
  dppair_rows_f32 rows = dppair_rows_make_f32(big, n, d, d);
  (void)unused;
  assert_int_equal(pairsf_form_workspace(&options.bytes, n, d, d, &options), DPPAIR_OK);
  options.work = malloc(options.bytes);
  rows.y = label;
  for (int trial = 0; trial < 40; trial++) {
    wide exact[9] = {0}, radius = 0, c, off = 0;
    const float entry = (float)uniform();
    for (size_t e = 0; e < n; e++) label[e] = trial % 3 ? 1.0f : (float)(int)(2.0 * uniform());
    for (size_t e = 0; e < n * d; e++) big[e] = trial % 2 ? entry : (float)normal();
    assert_int_equal(pairsf_form_gradient(got, DPPAIR_FORM_METRIC, &rows, none, d, 0.7, &options),
                     DPPAIR_OK);
    for (size_t i = 0; i < n; i++) {
      wide norm = 0;
      for (size_t f = 0; f < d; f++) norm += (wide)big[i * d + f] * (wide)big[i * d + f];
      radius = norm > radius ? norm : radius;
      for (size_t j = i + 1; j < n; j++) {
        const int same = label[i] == label[j];
        /* the slope that the float kernel computes, its own units in the last place apart */
        c = same ? -slope(0, 0.7L) : slope(0, -0.7L);
        for (size_t f = 0; f < d; f++)
          for (size_t h = 0; h < d; h++)
            exact[f * d + h] += c * ((wide)big[i * d + f] - (wide)big[j * d + f]) *
                                ((wide)big[i * d + h] - (wide)big[j * d + h]);
      }
    }
    for (int e = 0; e < 9; e++) off += ((wide)got[e] - exact[e]) * ((wide)got[e] - exact[e]);
    assert_int_equal(
        pairsf_form_error(&bound, n, d, (double)sqrtl(radius) * (1 + 1e-12), 0.67, 1.0), DPPAIR_OK);
    assert_true(sqrtl(off) <= (wide)bound);
    most = (double)sqrtl(off) / bound > most ? (double)sqrtl(off) / bound : most;
  }

  assert_true(most > 0.05);
  assert_int_equal(pairsf_form_error(&bound, 1, 1, 1.0, 1.0, 1.0), DPPAIR_ERR_SIZE);
  assert_int_equal(pairsf_form_error(&bound, 9, 1, -1.0, 1.0, 1.0), DPPAIR_ERR_DOMAIN);
  free(big);
  free(label);
  free(options.work);
}

static void all_zero(const double *p, size_t n) {
  for (size_t e = 0; e < n; e++) assert_true(p[e] == 0.0);
}

static void bad_lists_rows_and_workspaces_are_refused_and_outputs_zeroed(void **unused) {
  const size_t d = 4;
  const dppair_tasks none = {0, NULL, NULL}, many = {257, NULL, NULL};
  double keep;
  dppair_options options = pass_of(1, NULL, 0), list = options;
  dppair_rows_f64 rows;
  size_t bytes = 7;
  (void)unused;
  fill(d, d, 0);
  assert_int_equal(pairsd_form_workspace(&options.bytes, N, d, d, &options), DPPAIR_OK);
  assert_int_equal(pairsd_pairs_workspace(&list.bytes, d), DPPAIR_OK);
  options.work = malloc(options.bytes);
  list.work = malloc(list.bytes);
  rows = of_double(N, d, d);
#define FORM(form, w, k, b)                                                                        \
  (memset(g, 1, 16 * sizeof *g), pairsd_form_gradient(g, form, &rows, w, k, b, &options))
#define METRIC(w, b) FORM(DPPAIR_FORM_METRIC, w, d, b)
#define REFUSED(call, status)                                                                      \
  assert_int_equal(call, status);                                                                  \
  all_zero(g, 16);
/* with one field of `of` changed */
#define WITH(of, field, value, call, status)                                                       \
  {                                                                                                \
    const dppair_rows_f64 rows_kept = rows;                                                        \
    const dppair_options pass_kept = options;                                                            \
    (of).field = value;                                                                            \
    REFUSED(call, status)                                                                          \
    rows = rows_kept;                                                                              \
    options = pass_kept;                                                                              \
  }
  assert_int_equal(METRIC(W, 1.0), DPPAIR_OK);
  WITH(rows, x, NULL, METRIC(W, 1.0), DPPAIR_ERR_NULL)
  WITH(rows, y, NULL, METRIC(W, 1.0), DPPAIR_ERR_NULL)
  WITH(rows, n, 1, METRIC(W, 1.0), DPPAIR_ERR_SIZE)
  WITH(rows, ld, 3, METRIC(W, 1.0), DPPAIR_ERR_SIZE)
  WITH(rows, n, SIZE_MAX / 2, METRIC(W, 1.0), DPPAIR_ERR_OVERFLOW)
  WITH(options, bytes, 100, METRIC(W, 1.0), DPPAIR_ERR_WORKSPACE)
  WITH(options, work, NULL, METRIC(W, 1.0), DPPAIR_ERR_NULL)
  WITH(options, clip, clip_unmade(), METRIC(W, 1.0), DPPAIR_ERR_WORKSPACE)
  WITH(options, clip, clip_changed(), METRIC(W, 1.0), DPPAIR_ERR_WORKSPACE)
  WITH(options, tasks, &none, METRIC(W, 1.0), DPPAIR_ERR_SIZE)
  WITH(options, tasks, &many, METRIC(W, 1.0), DPPAIR_ERR_SIZE)
  /* where a bound of the rows is known, it decides, not the rows */
  WITH(rows, radius, 1e160, METRIC(W, 1.0), DPPAIR_ERR_OVERFLOW)
  REFUSED(METRIC(NULL, 1.0), DPPAIR_ERR_NULL)
  REFUSED(METRIC(W, HUGE_VAL), DPPAIR_ERR_NOT_FINITE)
  REFUSED(METRIC(W, 1e307), DPPAIR_ERR_OVERFLOW)
  REFUSED(FORM((dppair_form)3, W, d, 1.0), DPPAIR_ERR_DOMAIN)
  assert_int_equal(FORM(DPPAIR_FORM_SIMILARITY, W, 3, 1.0), DPPAIR_ERR_DOMAIN);
  all_zero(g, 12);
  REFUSED(((void)memset(g, 1, 16 * sizeof *g),
           pairsd_form_gradient(g, DPPAIR_FORM_METRIC, &rows, W, d, 1.0, NULL)),
          DPPAIR_ERR_NULL)
  assert_int_equal(pairsd_form_gradient(g, DPPAIR_FORM_METRIC, NULL, W, d, 1.0, &options),
                   DPPAIR_ERR_NULL);
  assert_int_equal(pairsd_form_gradient(NULL, DPPAIR_FORM_METRIC, &rows, W, d, 1.0, &options),
                   DPPAIR_ERR_NULL);
  keep = 7;
  assert_int_equal(pairsd_form_risk_not_private(&keep, DPPAIR_FORM_METRIC, NULL, W, d, 1.0, &options),
                   DPPAIR_ERR_NULL);
  assert_true(keep == 0.0);
  assert_int_equal(pairsd_form_risk_not_private(NULL, DPPAIR_FORM_METRIC, &rows, W, d, 1.0, &options),
                   DPPAIR_ERR_NULL);
  for (int which = 0; which < 2; which++) {
    double *at = which == 0 ? &x[N * d - 1] : &W[7];
    keep = *at;
    *at = which % 2 ? HUGE_VAL : HUGE_VAL - HUGE_VAL;
    REFUSED(METRIC(W, 1.0), DPPAIR_ERR_NOT_FINITE)
    *at = keep;
  }
  factors = factor;
  rows = of_double(N, d, d);
  keep = factor[9];
  factor[9] = nan("");
  REFUSED(METRIC(W, 1.0), DPPAIR_ERR_NOT_FINITE)
  REFUSED(FORM(DPPAIR_FORM_FACTOR, W, d, 1.0), DPPAIR_ERR_NOT_FINITE)
  factor[9] = keep;
  assert_int_equal(METRIC(W, 1.0), DPPAIR_OK);
  factors = NULL;
  rows = of_double(N, d, d);
  keep = x[5];
  x[5] = 1e160;
  REFUSED(METRIC(W, 1.0), DPPAIR_ERR_OVERFLOW)
  x[5] = keep;
#define LIST(i, j)                                                                                 \
  (memset(g, 1, 16 * sizeof *g), memset(g + 4, 0, 12 * sizeof *g),                                 \
   pairsd_pairs_gradient(g, &rows, &rows, w, i, j, weight, M, &list))
  REFUSED(LIST(NULL, to), DPPAIR_ERR_NULL)
  list.clip = clip_unmade();
  REFUSED(LIST(from, to), DPPAIR_ERR_WORKSPACE)
  list.clip = clip_changed();
  REFUSED(LIST(from, to), DPPAIR_ERR_WORKSPACE)
  list.clip = clip_of(dppair_clip_init, 1.0);
  for (int which = 0; which < 2; which++) { /* margins, then squares of distances */
    rows.radius = which ? 1e153 : 1e151;
    if (which)
      for (size_t k = 0; k < d; k++) w[k] *= 1e-10;
    REFUSED(LIST(from, to), DPPAIR_ERR_OVERFLOW)
  }
  for (size_t k = 0; k < d; k++) w[k] *= 1e10;
  rows.radius = 100;
  assert_int_equal(LIST(from, to), DPPAIR_OK);
  rows.radius = 0;
  list.bytes--;
  REFUSED(LIST(from, to), DPPAIR_ERR_WORKSPACE)
  list.bytes++;
  from[M - 1] = N;
  REFUSED(LIST(from, to), DPPAIR_ERR_SIZE)
  from[M - 1] = 0;
  keep = x[from[0] * d];
  x[from[0] * d] = HUGE_VAL;
  REFUSED(LIST(from, to), DPPAIR_ERR_NOT_FINITE)
  x[from[0] * d] = 1e200; /* its square overflows */
  REFUSED(LIST(from, to), DPPAIR_ERR_NOT_FINITE)
  x[from[0] * d] = keep;
  weight[3] = HUGE_VAL;
  REFUSED(LIST(from, to), DPPAIR_ERR_NOT_FINITE)
  weight[3] = 1;
  REFUSED((memset(g, 1, 16 * sizeof *g), rows.y = NULL,
           pairsd_form_pairs(g, &rows, W, 1.0, from, to, weight, M, &options)),
          DPPAIR_ERR_NULL)
  rows.y = y;
  rows.radius = 1e160;
  REFUSED((memset(g, 1, 16 * sizeof *g),
           pairsd_form_pairs(g, &rows, W, 1.0, from, to, weight, M, &options)),
          DPPAIR_ERR_OVERFLOW)
  rows.radius = 0;
  REFUSED((memset(g, 1, 16 * sizeof *g), options.bytes = 100,
           pairsd_form_pairs(g, &rows, W, 1.0, from, to, weight, M, &options)),
          DPPAIR_ERR_WORKSPACE)
  /* workspaces */
  assert_int_equal(pairsd_form_workspace(&bytes, SIZE_MAX / 8, 100, 100, NULL),
                   DPPAIR_ERR_OVERFLOW);
  assert_true(bytes == 0);
  assert_int_equal(pairsd_form_workspace(&bytes, 10, SIZE_MAX / 4, 100, NULL), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(pairsd_form_workspace(&bytes, 10, 1, SIZE_MAX - 3, NULL), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(pairsd_form_workspace(&bytes, 1, 1, 1, NULL), DPPAIR_ERR_SIZE);
  assert_int_equal(pairsd_form_workspace(NULL, 2, 1, 1, NULL), DPPAIR_ERR_NULL);
  options.clip = clip_unmade();
  assert_int_equal(pairsd_form_workspace(&bytes, 2, 1, 1, &options), DPPAIR_ERR_WORKSPACE);
  options.tasks = &none;
  assert_int_equal(pairsd_form_workspace(&bytes, 2, 1, 1, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(pairsd_pairs_workspace(&bytes, SIZE_MAX / 8), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(pairsd_pairs_workspace(&bytes, SIZE_MAX), DPPAIR_ERR_OVERFLOW);
  assert_true(bytes == 0);
  assert_int_equal(pairsd_pairs_workspace(NULL, 1), DPPAIR_ERR_NULL);
  free(options.work);
  free(list.work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(lists_match_the_double_loop),
      TEST(long_rows_are_summed_to_their_end),
      TEST(listed_pairs_stay_within_the_bound),
      TEST(a_list_of_all_pairs_a_batch_and_the_tiles_agree),
      TEST(two_blocks_may_have_rows_at_different_distances),
      TEST(the_error_bound_holds_and_is_not_vacuous),
      TEST(bad_lists_rows_and_workspaces_are_refused_and_outputs_zeroed),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
