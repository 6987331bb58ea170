/* SPDX-License-Identifier: MIT */
/* Metric, factor and similarity gradients against a double loop in long double, on every tier. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_metric.h"

#define DPPAIR_NAME tilelog
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME tilelogf
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME tilehinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#include "clips.h"

#define SKIP (BRIEF ? 24 : few_or_all(12, 6))

typedef long double wide;
typedef enum { METRIC, FACTOR, SIMILARITY } kind;
typedef enum { LOGISTIC, HINGE } loss;

/* ---- the double loop - */

static wide value(loss f, wide u) {
  const wide h = u < 1 ? 1 - u : 0;
  if (f == LOGISTIC) return u > 0 ? log1pl(expl(-u)) : -u + log1pl(expl(u));
  return h;
}
static wide slope(loss f, wide u) {
  if (f == LOGISTIC) return -1 / (1 + expl(u));
  return u < 1 ? -1 : 0;
}

typedef struct problem {
  kind what;
  loss f;
  size_t n, d, ld, k;
  double *x, *y, *w; /* rows as doubles (exact floats where the data are float) */
  double *factor;    /* of rows, or NULL */
  double offset, clip;
} problem;

static wide dot(const wide *a, const wide *b, size_t d) {
  wide sum = 0;
  for (size_t f = 0; f < d; f++) sum += a[f] * b[f];
  return sum;
}

/* All rows with their factors, ld apart. */
static wide *scaled(const problem *p) {
  wide *rows = malloc(p->n * p->ld * sizeof *rows);
  for (size_t e = 0; e < p->n * p->ld; e++)
    rows[e] = (wide)p->x[e] * (p->factor ? (wide)p->factor[e / p->ld] : 1);
  return rows;
}

/* Returns the risk; g[d][k]; slack[d][k]: what rounding with relative error eps may change, from
 * the terms' sizes, the margins' cancellation and the deliberate over-statement of clipped norms.
 */
static wide oracle(const problem *p, wide *g, wide *slack, wide *risk_slack, wide eps) {
  const size_t d = p->d, k = p->k;
  wide risk = 0, *v = malloc((2 * d + k) * sizeof *v), *z = v + d, *rows = scaled(p);
  wide size = 0;
  for (size_t e = 0; e < d * k; e++) size += (wide)p->w[e] * (wide)p->w[e];
  size = p->what == FACTOR ? size : sqrtl(size);
  *risk_slack = 0;
  for (size_t e = 0; e < d * k; e++) g[e] = slack[e] = 0;
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = i + 1; j < p->n; j++) {
      const wide *a = rows + i * p->ld, *b = rows + j * p->ld;
      const wide tau = p->y[i] == p->y[j] ? 1 : -1;
      const wide na = dot(a, a, d), nb = dot(b, b, d);
      const wide fuzz = (wide)(2 * d + 32) * eps * (fabsl((wide)p->offset) + 2 * size * (na + nb));
      const wide fuzz2 = 8 * (wide)(d + k + 40) * eps * (na + nb);
      wide t = 0, norm = 0, m, w, err, loose = 0;
      for (size_t f = 0; f < d; f++) v[f] = a[f] - b[f];
      for (size_t f = 0; f < d; f++) norm += v[f] * v[f];
      if (p->what == FACTOR) {
        for (size_t r = 0; r < k; r++) {
          z[r] = 0;
          for (size_t f = 0; f < d; f++) z[r] += (wide)p->w[f * k + r] * v[f];
          t += z[r] * z[r];
        }
      } else {
        for (size_t f = 0; f < d; f++)
          for (size_t h = 0; h < d; h++)
            t += (wide)p->w[f * d + h] *
                 (p->what == METRIC ? v[f] * v[h] : (a[f] * b[h] + a[h] * b[f]) / 2);
      }
      m = t;
      t = p->what == SIMILARITY ? t - (wide)p->offset : (wide)p->offset - t;
      risk += value(p->f, tau * t);
      err = p->f == LOGISTIC ? fuzz / 4 : fabsl(tau * t - 1) < fuzz;
      w = tau * slope(p->f, tau * t);
      *risk_slack += (fabsl(w) + err + fuzz) * fuzz + 64 * eps * value(p->f, tau * t);
      if (p->clip > 0) {
        loose = norm > 0 ? fuzz2 / norm : 1;
        if (p->what == FACTOR) loose += m > 0 ? size * fuzz2 / m : 1, norm = 2 * sqrtl(norm * m);
        if (p->what == SIMILARITY) norm = sqrtl(na * nb), loose = fuzz2;
        if (fabsl(w) * norm > (wide)p->clip) w *= (wide)p->clip / (fabsl(w) * norm);
        loose = loose < 1 ? loose : 1;
      }
      for (size_t f = 0; f < d; f++)
        for (size_t h = 0; h < k; h++) {
          const wide outer = p->what == METRIC   ? -v[f] * v[h]
                             : p->what == FACTOR ? -2 * v[f] * z[h]
                                                 : (a[f] * b[h] + a[h] * b[f]) / 2;
          /* P and diag(r) X are summed apart, so the parts' sizes count, not their difference's */
          const wide parts =
              2 * sqrtl(na + nb) * sqrtl(na + nb) * (p->what == FACTOR ? sqrtl(size) : 1);
          g[f * k + h] += w * outer;
          slack[f * k + h] += fabsl(w * outer) * loose + err * fabsl(outer) +
                              (fabsl(w) + err) * (wide)(DPPAIR_TILE_ + 64) * eps * parts;
        }
    }
  free(v);
  free(rows);
  return risk;
}

/* ---- the functions of one tier and type behind one signature - */

#define FORM(rows)                                                                                 \
  (double *, dppair_form, const rows *, const double *, size_t, double, const dppair_options *)
typedef struct calls_d {
  dppair_status(*gradient) FORM(dppair_rows_f64);
  dppair_status(*risk) FORM(dppair_rows_f64);
} calls_d;
typedef struct calls_f {
  dppair_status(*gradient) FORM(dppair_rows_f32);
  dppair_status(*risk) FORM(dppair_rows_f32);
} calls_f;
#define CALLS(name, tier)                                                                          \
  { name##_form_gradient##tier, name##_form_risk_not_private##tier }
#if DPPAIR_HAVE_AVX512
#define ROW512(name) CALLS(name, _avx512)
#else
#define ROW512(name) CALLS(name, _scalar)
#endif
#if DPPAIR_HAVE_AVX2
#define ROW256(name) CALLS(name, _avx2)
#else
#define ROW256(name) CALLS(name, _scalar)
#endif
#if DPPAIR_HAVE_SIMD128
#define ROW128(name) CALLS(name, _simd128)
#else
#define ROW128(name) CALLS(name, _scalar)
#endif
#define TABLE(name)                                                                                \
  { CALLS(name, _scalar), ROW128(name), ROW256(name), ROW512(name) }
static const calls_d tiers_d[2][4] = {TABLE(tilelog), TABLE(tilehinge)};
static const calls_f tiers_f[4] = TABLE(tilelogf);

/* Parts in a scrambled order: a stand-in for threads. */
static void backwards(dppair_task *task, void *context, size_t parts, void *self) {
  (void)self;
  while (parts > 0) task(context, --parts);
}
static size_t parts_used = 1;

static void run(const problem *p, int is_float, int tier, double *g, double *risk) {
  const dppair_tasks parts = {parts_used, tier % 2 ? backwards : NULL, NULL};
  const dppair_form form = (dppair_form)p->what;
  dppair_rows_f64 rows = dppair_rows_make_f64(p->x, p->n, p->d, p->ld);
  dppair_options options = {NULL, clip_of(dppair_clip_init, p->clip), NULL, NULL, NULL, 0, NULL};
  char *work;
  if (parts_used > 1) options.tasks = &parts;
  assert_int_equal(is_float ? tilelogf_form_workspace(&options.bytes, p->n, p->d, p->k, &options)
                            : tilelog_form_workspace(&options.bytes, p->n, p->d, p->k, &options),
                   DPPAIR_OK);
  work = malloc(options.bytes + 8);
  options.work = work + 8;
  if (is_float) {
    dppair_rows_f32 rows_f;
    float *x = malloc((p->n * p->ld + 1) * sizeof *x), *y = malloc(p->n * sizeof *y);
    /* rows off any alignment */
    for (size_t e = 0; e < p->n * p->ld; e++) x[e + 1] = (float)p->x[e];
    for (size_t e = 0; e < p->n; e++) y[e] = (float)p->y[e];
    rows_f = dppair_rows_make_f32(x + 1, p->n, p->d, p->ld);
    rows_f.y = y;
    rows_f.factor = p->factor;
    assert_int_equal(tiers_f[tier].gradient(g, form, &rows_f, p->w, p->k, p->offset, &options),
                     DPPAIR_OK);
    assert_int_equal(tiers_f[tier].risk(risk, form, &rows_f, p->w, p->k, p->offset, &options),
                     DPPAIR_OK);
    free(x);
    free(y);
  } else {
    const calls_d *calls = &tiers_d[p->f == HINGE][tier];
    rows.y = p->y;
    rows.factor = p->factor;
    assert_int_equal(calls->gradient(g, form, &rows, p->w, p->k, p->offset, &options), DPPAIR_OK);
    assert_int_equal(calls->risk(risk, form, &rows, p->w, p->k, p->offset, &options), DPPAIR_OK);
  }
  free(work);
}

static void check(const problem *p, int is_float) {
  const size_t size = p->d * p->k;
  wide *g = malloc(2 * size * sizeof *g), *slack = g + size, risk, risk_slack;
  double *first = malloc(size * sizeof *first), *got = malloc(size * sizeof *got), r0, r;
  risk = oracle(p, g, slack, &risk_slack, (wide)(is_float ? (double)FLT_EPSILON : DBL_EPSILON));
  for (int tier = 0; tier <= dppair_tier(); tier++) {
    run(p, is_float, tier, got, &r);
    for (size_t e = 0; e < size; e++)
      if (!(fabsl((wide)got[e] - g[e]) <= slack[e]))
        fail_msg("kind %d loss %d n %zu d %zu k %zu float %d tier %d clip %g: entry %zu is "
                 "%.17g, not %.17Lg within %.3Lg",
                 p->what, p->f, p->n, p->d, p->k, is_float, tier, p->clip, e, got[e], g[e],
                 slack[e]);
    if (!(fabsl((wide)r - risk) <= risk_slack))
      fail_msg("risk %.17g, not %.17Lg within %.3Lg", r, risk, risk_slack);
    if (tier == 0) {
      memcpy(first, got, size * sizeof *got);
      r0 = r;
    }
#if defined(__x86_64__)
    if (tier == DPPAIR_TIER_SIMD128) continue; /* no fused multiply-add: within the bound only */
#endif
    assert_memory_equal(first, got, size * sizeof *got);
    assert_memory_equal(&r0, &r, sizeof r);
  }
  free(g);
  free(first);
  free(got);
}

/* ---- data - */

typedef enum { RANDOM, CLUSTERED, DUPLICATE, WIDE, TINY, SHIFTED, SCALED, FLAVOURS } flavour;

static problem make(kind what, loss f, size_t n, size_t d, size_t k, flavour how) {
  problem p = {what, f, n, d, d + d % 3, what == FACTOR ? k : d, NULL, NULL, NULL, NULL, 1.0, 0};
  double scale = 1.0 / sqrt((double)d);
  p.x = malloc(n * p.ld * sizeof *p.x);
  p.y = malloc(n * sizeof *p.y);
  p.w = malloc(d * p.k * sizeof *p.w);
  if (how == TINY) scale *= 1e-12;
  for (size_t i = 0; i < n; i++) {
    const size_t like = i > 0 ? (size_t)(uniform() * (double)i) : 0;
    const double far = how == WIDE ? pow(10.0, 4.0 * uniform() - 2.0) : 1.0;
    p.y[i] = (double)(int)(3.0 * uniform()) - 1.0;
    for (size_t e = 0; e < p.ld; e++) {
      double x = far * scale * normal();
      if (how == CLUSTERED) x = scale * ((double)(i % 3) + 1e-3 * normal());
      if (how == DUPLICATE && i % 2 == 1) x = p.x[like * p.ld + e];
      if (how == SHIFTED) x += 10.0 * scale;
      p.x[i * p.ld + e] = (double)(float)x;
    }
  }
  if (how == SCALED) {
    p.factor = malloc(n * sizeof *p.factor);
    for (size_t i = 0; i < n; i++)
      p.factor[i] = i % 4 == 1 ? 1.0 : i % 9 == 0 ? 0.0 : i % 4 == 3 ? -1.3 : uniform();
  }
  for (size_t e = 0; e < d * p.k; e++) p.w[e] = scale * normal();
  if (what == METRIC)
    for (size_t f0 = 0; f0 < d; f0++) p.w[f0 * d + f0] += 1.0;
  return p;
}
static void drop(problem *p) {
  free(p->x);
  free(p->y);
  free(p->w);
  free(p->factor);
}

/* ---- tests - */

static void gradients_match_the_double_loop_on_every_tier(void **unused) {
  static const size_t sizes[][3] = {{2, 1, 1},   {3, 2, 1},    {5, 3, 2},   {24, 4, 3},
                                    {25, 5, 5},  {48, 8, 4},   {49, 9, 2},  {97, 17, 20},
                                    {193, 7, 3}, {250, 12, 8}, {60, 33, 9}, {31, 65, 50}};
  (void)unused;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int what = METRIC; what <= SIMILARITY; what++)
      for (int f = LOGISTIC; f <= HINGE; f++)
        for (int how = RANDOM; how < FLAVOURS; how++) {
          problem p;
          if ((s + (size_t)(what + f + how)) % (size_t)SKIP != 0) continue;
          p = make((kind)what, (loss)f, sizes[s][0], sizes[s][1], sizes[s][2], (flavour)how);
          for (int clipped = 0; clipped < 2; clipped++) {
            p.offset = clipped ? 0.25 : 1.0;
            p.clip = clipped ? (how == TINY ? 1e-25 : 0.5) : 0;
            check(&p, 0);
            if (f == LOGISTIC) check(&p, 1);
          }
          drop(&p);
        }
}

/* The tiers run their parts in different orders and must agree to the last bit all the same. */
static void parts_do_not_depend_on_their_order(void **unused) {
  (void)unused;
  for (int what = METRIC; what <= SIMILARITY; what++)
    for (parts_used = 2; parts_used < 12; parts_used += 3) {
      problem p = make((kind)what, LOGISTIC, 210, 6, 4, parts_used % 3 ? RANDOM : SCALED);
      p.clip = parts_used % 2 ? 0.5 : 0;
      check(&p, 0);
      check(&p, 1);
      drop(&p);
    }
  parts_used = 1;
}

/* Factors of 1, and none, give the same bits; a factor gives those of the rows that it rounds to.
 */
static void a_factor_stands_for_the_row_that_it_makes(void **unused) {
  (void)unused;
  for (int what = METRIC; what <= SIMILARITY; what++)
    for (int is_float = 0; is_float < 2; is_float++)
      for (int clipped = 0; clipped < 2; clipped++) {
        problem p = make((kind)what, LOGISTIC, 70, 7, 3, SCALED), q = p;
        const size_t size = p.d * p.k;
        double *none = malloc(3 * size * sizeof *none), *ones = none + size, *rows = ones + size;
        double risks[3], *factor = p.factor;
        p.clip = q.clip = clipped ? 0.5 : 0;
        q.x = malloc(p.n * p.ld * sizeof *q.x);
        q.factor = NULL;
        p.x[3 * p.ld] = 3 * DBL_MIN / 4; /* kept by 1, but not by others */
        if (is_float) p.x[3 * p.ld] = (double)(FLT_MIN / 2);
        factor[3] = 1;
        p.x[2 * p.ld + 1] = is_float ? (double)FLT_MIN : DBL_MIN;
        factor[2] = 0.75;
        for (size_t i = 0; i < p.n; i++)
          for (size_t f = 0; f < p.ld; f++) {
            double v = p.x[i * p.ld + f];
            if (is_float) {
              float to = 0;
              tilelogf_scaled_row_(&to, 1, (float[]){(float)v}, 1, factor[i]);
              v = (double)to;
            } else
              tilelog_scaled_row_(&v, 1, &p.x[i * p.ld + f], 1, factor[i]);
            q.x[i * p.ld + f] = v;
          }
        assert_true(q.x[3 * p.ld] == p.x[3 * p.ld]);
        assert_true(q.x[2 * p.ld + 1] == 0.0);
        run(&p, is_float, dppair_tier(), ones, &risks[0]);
        run(&q, is_float, dppair_tier(), rows, &risks[1]);
        assert_memory_equal(ones, rows, size * sizeof *ones);
        assert_true(risks[0] == risks[1]);
        for (size_t i = 0; i < p.n; i++) factor[i] = 1;
        run(&p, is_float, dppair_tier(), ones, &risks[0]);
        p.factor = NULL;
        run(&p, is_float, dppair_tier(), none, &risks[1]);
        assert_memory_equal(ones, none, size * sizeof *ones);
        assert_true(risks[0] == risks[1]);
        p.factor = factor;
        free(q.x);
        free(none);
        drop(&p);
      }
}

/* The sign of factor x - to is exact in one fused multiply-add. */
static void a_scaled_number_is_never_larger_than_the_exact_product(void **unused) {
  const double edges[] = {
      0,       1,        -1,          DBL_MIN,  DBL_MIN / 2,     5e-324,
      DBL_MAX, -DBL_MAX, 1 + 0x1p-52, 0x1p-537, (double)FLT_MAX, (double)FLT_MIN};
  const int count = sizeof edges / sizeof *edges;
  int grown = 0;
  (void)unused;
  for (int trial = 0; trial < 200000; trial++) {
    const int a = trial % count, b = trial / count % count, wild = trial > 4 * count * count;
    const double f = wild ? normal() * pow(10, trial % 7 ? 0 : 320 * (uniform() - 0.5)) : edges[a];
    const double x = wild ? normal() * pow(10, trial % 5 ? 0 : 320 * (uniform() - 0.5)) : edges[b];
    const float xf = (float)(fabs(x) < (double)FLT_MAX ? x : 1.0);
    double to;
    float to_f;
    tilelog_scaled_row_(&to, 1, &x, 1, f);
    tilelogf_scaled_row_(&to_f, 1, &xf, 1, f);
    if (isfinite(to)) {
      const double rest = fma(fabs(f), fabs(x), -fabs(to));
      assert_true(rest >= 0.0);
      /* and close below it */
      assert_true(rest <= fabs(f * x) * 2.01 * DBL_EPSILON + DBL_MIN);
    } else
      grown++;
    if (isfinite((double)to_f)) {
      const double rest = fma(fabs(f), fabs((double)xf), -fabs((double)to_f));
      assert_true(rest >= 0.0);
      assert_true(rest <= fabs(f * (double)xf) * 2.01 * (double)FLT_EPSILON + (double)FLT_MIN);
    }
    if (f == 1) assert_true(to == x && to_f == xf);
  }
  assert_true(grown > 0); /* too large: infinite, not less */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(parts_do_not_depend_on_their_order),
      TEST(gradients_match_the_double_loop_on_every_tier),
      TEST(a_factor_stands_for_the_row_that_it_makes),
      TEST(a_scaled_number_is_never_larger_than_the_exact_product),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
