/* SPDX-License-Identifier: MIT */
/* Metric, factor and similarity gradients against a double loop in long double, on every tier. */
#include "tests.h"

#include "dppair_losses.h"

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

enum { SKIP = BRIEF ? 12 : 4 };

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
  double offset, clip;
} problem;

static wide dot(const double *a, const double *b, size_t d) {
  wide sum = 0;
  for (size_t f = 0; f < d; f++) sum += (wide)a[f] * (wide)b[f];
  return sum;
}

/* Returns the risk; g[d][k]; slack[d][k]: what rounding with relative error eps may change, from
 * the terms' sizes, the margins' cancellation and the deliberate over-statement of clipped norms.
 */
static wide oracle(const problem *p, wide *g, wide *slack, wide *risk_slack, wide eps) {
  const size_t d = p->d, k = p->k;
  wide risk = 0, *v = malloc((2 * d + k) * sizeof *v), *z = v + d;
  wide size = 0;
  for (size_t e = 0; e < d * k; e++) size += (wide)p->w[e] * (wide)p->w[e];
  size = p->what == FACTOR ? size : sqrtl(size);
  *risk_slack = 0;
  for (size_t e = 0; e < d * k; e++) g[e] = slack[e] = 0;
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = i + 1; j < p->n; j++) {
      const double *a = p->x + i * p->ld, *b = p->x + j * p->ld;
      const wide tau = p->y[i] == p->y[j] ? 1 : -1;
      const wide na = dot(a, a, d), nb = dot(b, b, d);
      const wide fuzz = (wide)(2 * d + 32) * eps * (fabsl((wide)p->offset) + 2 * size * (na + nb));
      const wide fuzz2 = 8 * (wide)(d + k + 40) * eps * (na + nb);
      wide t = 0, norm = 0, m, w, err, loose = 0;
      for (size_t f = 0; f < d; f++) v[f] = (wide)a[f] - (wide)b[f];
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
                 (p->what == METRIC ? v[f] * v[h]
                                    : ((wide)a[f] * (wide)b[h] + (wide)a[h] * (wide)b[f]) / 2);
      }
      m = t;
      t = p->what == SIMILARITY ? t - (wide)p->offset : (wide)p->offset - t;
      risk += value(p->f, tau * t);
      err = p->f == LOGISTIC ? fuzz / 4 : fabsl(tau * t - 1) < fuzz;
      w = tau * slope(p->f, tau * t);
      *risk_slack += (fabsl(w) + err + fuzz) * fuzz + 64 * eps * value(p->f, tau * t);
      if (p->clip < DPPAIR_NO_CLIP) {
        loose = norm > 0 ? fuzz2 / norm : 1;
        if (p->what == FACTOR) loose += m > 0 ? size * fuzz2 / m : 1, norm = 2 * sqrtl(norm * m);
        if (p->what == SIMILARITY) norm = sqrtl(na * nb), loose = fuzz2;
        if (fabsl(w) * norm > (wide)p->clip) w *= (wide)p->clip / (fabsl(w) * norm);
        loose = loose < 1 ? loose : 1;
      }
      for (size_t f = 0; f < d; f++)
        for (size_t h = 0; h < k; h++) {
          const wide outer = p->what == METRIC ? -v[f] * v[h]
                             : p->what == FACTOR
                                 ? -2 * v[f] * z[h]
                                 : ((wide)a[f] * (wide)b[h] + (wide)a[h] * (wide)b[f]) / 2;
          /* P and diag(r) X are summed apart, so the parts' sizes count, not their difference's */
          const wide parts =
              2 * sqrtl(na + nb) * sqrtl(na + nb) * (p->what == FACTOR ? sqrtl(size) : 1);
          g[f * k + h] += w * outer;
          slack[f * k + h] += fabsl(w * outer) * loose + err * fabsl(outer) +
                              (fabsl(w) + err) * (wide)(DPPAIR_TILE_ + 64) * eps * parts;
        }
    }
  free(v);
  return risk;
}

/* ---- the functions of one tier and type behind one signature - */

#define GRADIENT(real)                                                                             \
  (double *, const real *, const real *, size_t, size_t, size_t, const double *, double, double,   \
   const double *, void *, size_t)
#define FACTORED(real)                                                                             \
  (double *, const real *, const real *, size_t, size_t, size_t, const double *, size_t, double,   \
   double, const double *, void *, size_t)
#define RISK(real)                                                                                 \
  (double *, const real *, const real *, size_t, size_t, size_t, const double *, double,           \
   const double *, void *, size_t)
#define FORM(real)                                                                                 \
  (double *, dppair_form, const real *, const real *, size_t, size_t, size_t, const double *,      \
   size_t, double, double, const double *, const dppair_parts *, void *, size_t)
#define FRISK(real)                                                                                \
  (double *, const real *, const real *, size_t, size_t, size_t, const double *, size_t, double,   \
   const double *, void *, size_t)
typedef struct calls_d {
  dppair_status(*metric) GRADIENT(double);
  dppair_status(*factor) FACTORED(double);
  dppair_status(*similarity) GRADIENT(double);
  dppair_status(*metric_risk) RISK(double);
  dppair_status(*factor_risk) FRISK(double);
  dppair_status(*similarity_risk) RISK(double);
  dppair_status(*form) FORM(double);
} calls_d;
typedef struct calls_f {
  dppair_status(*metric) GRADIENT(float);
  dppair_status(*factor) FACTORED(float);
  dppair_status(*similarity) GRADIENT(float);
  dppair_status(*metric_risk) RISK(float);
  dppair_status(*factor_risk) FRISK(float);
  dppair_status(*similarity_risk) RISK(float);
  dppair_status(*form) FORM(float);
} calls_f;
#define CALLS(name, tier)                                                                          \
  {                                                                                                \
    name##_metric_gradient##tier, name##_factor_gradient##tier, name##_similarity_gradient##tier,  \
        name##_metric_risk##tier, name##_factor_risk##tier, name##_similarity_risk##tier,          \
        name##_form_gradient##tier                                                                 \
  }
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
  const dppair_parts parts = {parts_used, tier % 2 ? backwards : NULL, NULL};
  size_t bytes, at = 8;
  char *work;
  assert_int_equal(is_float ? tilelogf_form_workspace(&bytes, p->n, p->d, p->k, parts_used)
                            : tilelog_form_workspace(&bytes, p->n, p->d, p->k, parts_used),
                   DPPAIR_OK);
  work = malloc(bytes + at);
#define GO(calls, x, y)                                                                            \
  if (p->what == FACTOR) {                                                                         \
    assert_int_equal((calls)->factor(g, x, y, p->n, p->d, p->ld, p->w, p->k, p->offset, p->clip,   \
                                     NULL, work + at, bytes),                                      \
                     DPPAIR_OK);                                                                   \
    assert_int_equal((calls)->factor_risk(risk, x, y, p->n, p->d, p->ld, p->w, p->k, p->offset,    \
                                          NULL, work + at, bytes),                                 \
                     DPPAIR_OK);                                                                   \
  } else {                                                                                         \
    assert_int_equal(                                                                              \
        (p->what == METRIC ? (calls)->metric : (calls)->similarity)(                               \
            g, x, y, p->n, p->d, p->ld, p->w, p->offset, p->clip, NULL, work + at, bytes),         \
        DPPAIR_OK);                                                                                \
    assert_int_equal((p->what == METRIC ? (calls)->metric_risk : (calls)->similarity_risk)(        \
                         risk, x, y, p->n, p->d, p->ld, p->w, p->offset, NULL, work + at, bytes),  \
                     DPPAIR_OK);                                                                   \
  }                                                                                                \
  if (parts_used > 1)                                                                              \
    assert_int_equal((calls)->form(g, (dppair_form)p->what, x, y, p->n, p->d, p->ld, p->w, p->k,   \
                                   p->offset, p->clip, NULL, &parts, work + at, bytes),            \
                     DPPAIR_OK);
  if (is_float) {
    float *x = malloc((p->n * p->ld + 1) * sizeof *x), *y = malloc(p->n * sizeof *y);
    /* rows off any alignment */
    for (size_t e = 0; e < p->n * p->ld; e++) x[e + 1] = (float)p->x[e];
    for (size_t e = 0; e < p->n; e++) y[e] = (float)p->y[e];
    GO(&tiers_f[tier], x + 1, y)
    free(x);
    free(y);
  } else {
    GO(&tiers_d[p->f == HINGE][tier], p->x, p->y)
  }
#undef GO
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

typedef enum { RANDOM, CLUSTERED, DUPLICATE, WIDE, TINY, SHIFTED, FLAVOURS } flavour;

static problem make(kind what, loss f, size_t n, size_t d, size_t k, flavour how) {
  problem p = {what, f,    n,    d,   d + d % 3,     what == FACTOR ? k : d,
               NULL, NULL, NULL, 1.0, DPPAIR_NO_CLIP};
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
  for (size_t e = 0; e < d * p.k; e++) p.w[e] = scale * normal();
  if (what == METRIC)
    for (size_t f0 = 0; f0 < d; f0++) p.w[f0 * d + f0] += 1.0;
  return p;
}
static void drop(problem *p) {
  free(p->x);
  free(p->y);
  free(p->w);
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
          if ((s + (size_t)(what + f + how)) % SKIP != 0) continue;
          p = make((kind)what, (loss)f, sizes[s][0], sizes[s][1], sizes[s][2], (flavour)how);
          for (int clipped = 0; clipped < 2; clipped++) {
            p.offset = clipped ? 0.25 : 1.0;
            p.clip = clipped ? (how == TINY ? 1e-25 : 0.5) : DPPAIR_NO_CLIP;
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
      problem p = make((kind)what, LOGISTIC, 210, 6, 4, RANDOM);
      p.clip = parts_used % 2 ? 0.5 : DPPAIR_NO_CLIP;
      check(&p, 0);
      check(&p, 1);
      drop(&p);
    }
  parts_used = 1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(parts_do_not_depend_on_their_order),
      TEST(gradients_match_the_double_loop_on_every_tier),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
