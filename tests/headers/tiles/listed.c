/* SPDX-License-Identifier: MIT */
/* Gradients over listed pairs, batches of records, the certified error of the tiles, refusals. */
#include "tests.h"

#include "dppair_losses.h"

#define DPPAIR_NAME pairsd
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME pairsf
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

typedef long double wide;

static wide slope(wide u) { return -1 / (1 + expl(u)); }

enum { N = 70, M = 133, MOST = 41 };
static double x[N * (MOST + 3)], y[N], w[MOST], W[MOST * MOST], weight[M], g[MOST * MOST];
static float xf[N * (MOST + 3)], yf[N], wf[MOST];
static size_t from[M], to[M];

static void fill(size_t d, size_t ld, int near_duplicates) {
  for (size_t i = 0; i < N; i++) {
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
static void oracle(wide *out, wide *mass, int metric, size_t d, size_t ld, size_t m, double clip,
                   int weighted) {
  const size_t size = metric ? d * d : d;
  for (size_t e = 0; e < size; e++) out[e] = mass[e] = 0;
  for (size_t k = 0; k < m; k++) {
    const double *a = x + from[k] * ld, *b = x + to[k] * ld;
    const wide tau = y[from[k]] == y[to[k]] ? 1 : -1;
    wide v[MOST], u = 0, q = 0, c, norm;
    for (size_t f = 0; f < d; f++) v[f] = (wide)a[f] - (wide)b[f], q += v[f] * v[f];
    for (size_t f = 0; f < d; f++) {
      if (!metric) u += (wide)w[f] * v[f];
      for (size_t h = 0; metric && h < d; h++) u += (wide)W[f * d + h] * v[f] * v[h];
    }
    c = metric ? -tau * slope(tau * (0.5L - u)) : slope(u);
    norm = metric ? q : sqrtl(q);
    if (fabsl(c) * norm > (wide)clip) c = (c < 0 ? -1 : 1) * (wide)clip / norm;
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
  double work[2 * (MOST + 16)], first[MOST * MOST];
  wide sum[MOST * MOST], mass[MOST * MOST];
  (void)unused;
  for (size_t s = 0; s < sizeof dims / sizeof *dims; s++)
    for (int how = 0; how < 8; how++) {
      const size_t d = dims[s], ld = d + s % 3, m = how < 4 ? M : (size_t)how;
      const double clip = how % 4 == 0 ? DPPAIR_NO_CLIP : how % 4 == 1 ? 0.3 : 1.1;
      const double *weights = how % 2 ? weight : NULL;
      size_t bytes;
      void *scratch;
      fill(d, ld, how % 4 == 3);
      assert_int_equal(pairsf_metric_workspace(&bytes, 2, d, d), DPPAIR_OK); /* the larger one */
      scratch = malloc(bytes);
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
  pairsd_pairs_gradient##tier(g, x, N, x, N, d, ld, w, from, to, weights, m, clip, NULL, work,     \
                              sizeof work)
#define LINEAR_F(tier)                                                                             \
  pairsf_pairs_gradient##tier(g, xf, N, xf, N, d, ld, wf, from, to, weights, m, clip, NULL, work,  \
                              sizeof work)
#define METRIC_D(tier)                                                                             \
  pairsd_metric_pairs_gradient##tier(g, x, y, N, d, ld, W, 0.5, from, to, weights, m, clip, NULL,  \
                                     scratch, bytes)
#define METRIC_F(tier)                                                                             \
  pairsf_metric_pairs_gradient##tier(g, xf, yf, N, d, ld, W, 0.5, from, to, weights, m, clip,      \
                                     NULL, scratch, bytes)
      oracle(sum, mass, 0, d, ld, m, clip, weights != NULL);
      TIERS(LINEAR_D, d, 1e-9)
      TIERS(LINEAR_F, d, 1e-5)
      oracle(sum, mass, 1, d, ld, m, clip, weights != NULL);
      TIERS(METRIC_D, d * d, 1e-9)
      TIERS(METRIC_F, d * d, 2e-4)
      free(scratch);
    }
}

/* One pair, so that g is its clipped gradient: never longer than the bound. */
static void listed_pairs_stay_within_the_bound(void **unused) {
  double work[2 * (MOST + 16)];
  size_t bytes, zero = 0, one = 1;
  void *scratch;
  (void)unused;
  assert_int_equal(pairsd_metric_workspace(&bytes, 2, MOST, MOST), DPPAIR_OK);
  scratch = malloc(bytes);
  for (int trial = 0; trial < 4000; trial++) {
    const size_t d = 1 + (size_t)(uniform() * MOST);
    const double clip = pow(10.0, 4.0 * uniform() - 3.0), gap = pow(10.0, 8.0 * uniform() - 7.0);
    wide length = 0;
    for (size_t k = 0; k < d; k++) {
      x[k] = 3.0 * normal();
      x[d + k] = x[k] + gap * normal();
      w[k] = normal();
    }
    for (size_t k = 0; k < d * d; k++) W[k] = -fabs(normal());
    y[0] = y[1] = 1.0;
    assert_int_equal(pairsd_pairs_gradient(g, x, 2, x, 2, d, d, w, &zero, &one, NULL, 1, clip, NULL,
                                           work, sizeof work),
                     DPPAIR_OK);
    for (size_t k = 0; k < d; k++) length += (wide)g[k] * (wide)g[k];
    assert_true(sqrtl(length) <= (wide)clip * (1 + 1e-15L));
    assert_int_equal(pairsd_metric_pairs_gradient(g, x, y, 2, d, d, W, 0.0, &zero, &one, NULL, 1,
                                                  clip, NULL, scratch, bytes),
                     DPPAIR_OK);
    for (length = 0, one = 0; one < d * d; one++) length += (wide)g[one] * (wide)g[one];
    one = 1;
    assert_true(sqrtl(length) <= (wide)clip * (1 + 1e-15L));
  }
  free(scratch);
}

/* A list of all pairs is the whole gradient, and a gathered batch is the list of its own pairs. */
static void a_list_of_all_pairs_a_batch_and_the_tiles_agree(void **unused) {
  const size_t d = 9, ld = 10, batch = 12;
  size_t index[12], i[66], j[66], bytes, m = 0;
  double bx[12 * 9], by[12], whole[81];
  dppair_rows_f64 rows, gathered;
  void *work;
  (void)unused;
  fill(d, ld, 0);
  for (size_t k = 0; k < batch; k++) index[k] = (7 * k + 3) % N;
  rows = dppair_rows_make_f64(x, N, d, ld);
  rows.y = y;
  assert_int_equal(dppair_gather_f64(&gathered, bx, by, NULL, index, batch, &rows), DPPAIR_OK);
  for (size_t a = 0; a < batch; a++)
    for (size_t b = a + 1; b < batch; b++) i[m] = index[a], j[m++] = index[b];
  assert_int_equal(pairsd_metric_workspace(&bytes, batch, d, d), DPPAIR_OK);
  work = malloc(bytes);
  for (int clipped = 0; clipped < 2; clipped++) {
    const double clip = clipped ? 2.0 : DPPAIR_NO_CLIP;
    assert_int_equal(
        pairsd_metric_gradient(whole, bx, by, batch, d, d, W, 0.5, clip, NULL, work, bytes),
        DPPAIR_OK);
    assert_int_equal(pairsd_metric_pairs_gradient(g, x, y, N, d, ld, W, 0.5, i, j, NULL, m, clip,
                                                  NULL, work, bytes),
                     DPPAIR_OK);
    for (size_t e = 0; e < d * d; e++) assert_true(fabs(whole[e] - g[e]) < 1e-10);
  }
  index[3] = N;
  assert_int_equal(dppair_gather_f64(&gathered, bx, by, NULL, index, batch, &rows), DPPAIR_ERR_SIZE);
  for (size_t e = 0; e < batch * d; e++) assert_true(bx[e] == 0.0);
  free(work);
}

/* With W = 0 every weight is phi'(b) or -phi'(b): the pair sum is known up to one number, so what
 * the float tiles lose in summation shows. Records of equal entries round always to the same side.
 */
static void the_error_bound_holds_and_is_not_vacuous(void **unused) {
  const size_t n = 600, d = 3;
  float *big = malloc(n * d * sizeof *big), *label = malloc(n * sizeof *label);
  double none[9] = {0}, got[9], most = 0.0, bound;
  size_t bytes;
  void *work;
  (void)unused;
  assert_int_equal(pairsf_metric_workspace(&bytes, n, d, d), DPPAIR_OK);
  work = malloc(bytes);
  for (int trial = 0; trial < 40; trial++) {
    wide exact[9] = {0}, radius = 0, c, off = 0;
    const float entry = (float)uniform();
    for (size_t e = 0; e < n; e++) label[e] = trial % 3 ? 1.0f : (float)(int)(2.0 * uniform());
    for (size_t e = 0; e < n * d; e++) big[e] = trial % 2 ? entry : (float)normal();
    assert_int_equal(pairsf_metric_gradient(got, big, label, n, d, d, none, 0.7, DPPAIR_NO_CLIP,
                                            NULL, work, bytes),
                     DPPAIR_OK);
    for (size_t i = 0; i < n; i++) {
      wide norm = 0;
      for (size_t f = 0; f < d; f++) norm += (wide)big[i * d + f] * (wide)big[i * d + f];
      radius = norm > radius ? norm : radius;
      for (size_t j = i + 1; j < n; j++) {
        const int same = label[i] == label[j];
        /* the slope that the float kernel computes, its own units in the last place apart */
        c = same ? -slope(0.7L) : slope(-0.7L);
        for (size_t f = 0; f < d; f++)
          for (size_t h = 0; h < d; h++)
            exact[f * d + h] += c * ((wide)big[i * d + f] - (wide)big[j * d + f]) *
                                ((wide)big[i * d + h] - (wide)big[j * d + h]);
      }
    }
    for (int e = 0; e < 9; e++) off += ((wide)got[e] - exact[e]) * ((wide)got[e] - exact[e]);
    assert_int_equal(
        pairsf_metric_error(&bound, n, d, (double)sqrtl(radius) * (1 + 1e-12), 0.67, 1.0),
        DPPAIR_OK);
    assert_true(sqrtl(off) <= (wide)bound);
    most = (double)sqrtl(off) / bound > most ? (double)sqrtl(off) / bound : most;
  }

  assert_true(most > 0.05);
  assert_int_equal(pairsf_metric_error(&bound, 1, 1, 1.0, 1.0, 1.0), DPPAIR_ERR_SIZE);
  assert_int_equal(pairsf_metric_error(&bound, 9, 1, -1.0, 1.0, 1.0), DPPAIR_ERR_DOMAIN);
  free(big);
  free(label);
  free(work);
}

static void all_zero(const double *p, size_t n) {
  for (size_t e = 0; e < n; e++) assert_true(p[e] == 0.0);
}

static void bad_lists_rows_and_workspaces_are_refused_and_outputs_zeroed(void **unused) {
  const size_t d = 4;
  size_t bytes;
  double work[64], keep;
  void *scratch;
  (void)unused;
  fill(d, d, 0);
  assert_int_equal(pairsd_metric_workspace(&bytes, N, d, d), DPPAIR_OK);
  scratch = malloc(bytes);
#define METRIC(x, y, n, d, ld, w, b, clip, bytes)                                                  \
  (memset(g, 1, 16 * sizeof *g),                                                                   \
   pairsd_metric_gradient(g, x, y, n, d, ld, w, b, clip, NULL, scratch, bytes))
#define REFUSED(call, status)                                                                      \
  assert_int_equal(call, status);                                                                  \
  all_zero(g, 16);
  assert_int_equal(METRIC(x, y, N, d, d, W, 1.0, DPPAIR_NO_CLIP, bytes), DPPAIR_OK);
  REFUSED(METRIC(NULL, y, N, d, d, W, 1.0, 1.0, bytes), DPPAIR_ERR_NULL)
  REFUSED(METRIC(x, NULL, N, d, d, W, 1.0, 1.0, bytes), DPPAIR_ERR_NULL)
  REFUSED(METRIC(x, y, 1, d, d, W, 1.0, 1.0, bytes), DPPAIR_ERR_SIZE)
  REFUSED(METRIC(x, y, N, d, 3, W, 1.0, 1.0, bytes), DPPAIR_ERR_SIZE)
  REFUSED(METRIC(x, y, SIZE_MAX / 2, d, d, W, 1.0, 1.0, bytes), DPPAIR_ERR_OVERFLOW)
  REFUSED(METRIC(x, y, N, d, d, W, 1.0, 1.0, (size_t)100), DPPAIR_ERR_WORKSPACE)
  REFUSED(METRIC(x, y, N, d, d, W, 1.0, 0.0, bytes), DPPAIR_ERR_DOMAIN)
  REFUSED(METRIC(x, y, N, d, d, W, 1.0, HUGE_VAL, bytes), DPPAIR_ERR_DOMAIN)
  REFUSED(METRIC(x, y, N, d, d, W, HUGE_VAL, 1.0, bytes), DPPAIR_ERR_NOT_FINITE)
  REFUSED(METRIC(x, y, N, d, d, W, 1e307, 1.0, bytes), DPPAIR_ERR_OVERFLOW)
  for (int which = 0; which < 3; which++) {
    double *at = which == 0 ? &x[N * d - 1] : which == 1 ? &y[N - 1] : &W[7];
    keep = *at;
    *at = which % 2 ? HUGE_VAL : HUGE_VAL - HUGE_VAL;
    REFUSED(METRIC(x, y, N, d, d, W, 1.0, DPPAIR_NO_CLIP, bytes), DPPAIR_ERR_NOT_FINITE)
    *at = keep;
  }
  keep = x[5];
  x[5] = 1e160;
  REFUSED(METRIC(x, y, N, d, d, W, 1.0, DPPAIR_NO_CLIP, bytes), DPPAIR_ERR_OVERFLOW)
  x[5] = keep;
#define LIST(i, j, w, clip)                                                                        \
  (memset(g, 1, 16 * sizeof *g), memset(g + 4, 0, 12 * sizeof *g),                                 \
   pairsd_pairs_gradient(g, x, N, x, N, d, d, w, i, j, weight, M, clip, NULL, work, sizeof work))
  REFUSED(LIST(NULL, to, w, 1.0), DPPAIR_ERR_NULL)
  REFUSED(LIST(from, to, w, -1.0), DPPAIR_ERR_DOMAIN)
  from[M - 1] = N;
  REFUSED(LIST(from, to, w, 1.0), DPPAIR_ERR_SIZE)
  from[M - 1] = 0;
  keep = x[from[0] * d];
  x[from[0] * d] = HUGE_VAL;
  REFUSED(LIST(from, to, w, 1.0), DPPAIR_ERR_NOT_FINITE)
  x[from[0] * d] = 1e200; /* its square overflows */
  REFUSED(LIST(from, to, w, 1.0), DPPAIR_ERR_NOT_FINITE)
  x[from[0] * d] = keep;
  weight[3] = HUGE_VAL;
  REFUSED(LIST(from, to, w, 1.0), DPPAIR_ERR_NOT_FINITE)
  assert_int_equal(pairsd_metric_workspace(&bytes, SIZE_MAX / 8, 100, 100), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(pairsd_metric_workspace(&bytes, 10, SIZE_MAX / 4, 100), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(pairsd_metric_workspace(&bytes, 10, 1, SIZE_MAX - 3), DPPAIR_ERR_OVERFLOW);
  free(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(lists_match_the_double_loop),
      TEST(listed_pairs_stay_within_the_bound),
      TEST(a_list_of_all_pairs_a_batch_and_the_tiles_agree),
      TEST(the_error_bound_holds_and_is_not_vacuous),
      TEST(bad_lists_rows_and_workspaces_are_refused_and_outputs_zeroed),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
