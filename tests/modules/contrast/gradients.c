/* SPDX-License-Identifier: MIT */
/* Gradients and risks of row-wise losses against sums over all pairs in long double, and finite
 * differences of those; edges; any number of parts. */
#include "tests.h"

#define DPPAIR_NAME info
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME infof
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME npairs
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_npairs
#include "dppair_contrast.h"
#define DPPAIR_NAME decoupled
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_decoupled
#include "dppair_contrast.h"

/* A loss of one's own: positives weaker by p[0], negatives of other labels p[1] times as steep. */
#define mine_KIND dppair_rowwise
#define mine_EXPONENT(s, own, like, p)                                                             \
  DPV_SEL(own, DPV_SUB(s, DPV_SET((p)[0])), DPV_SEL(like, s, DPV_MUL(s, DPV_SET((p)[1]))))
#define mine_SLOPE(s, own, like, p)                                                                \
  DPV_SEL(own, DPV_SET(1), DPV_SEL(like, DPV_SET(1), DPV_SET((p)[1])))
#define DPPAIR_NAME mine
#define DPPAIR_REAL double
#define DPPAIR_LOSS mine
#include "dppair_contrast.h"

#include "clips.h"

typedef long double wide;
typedef enum { INFONCE, NPAIRS, DECOUPLED, MINE, LOSSES } loss;
static const double mine_params[] = {0.25, 0.5};

/* Two blocks of embeddings as doubles (floats where is_float), or one; and what is asked for. */
typedef struct problem {
  loss f;
  int is_float, two;
  size_t n[2], d, parts;
  double *z[2], *y[2], *factor, *offset;
  size_t *partner;
  dppair_contrast how;
} problem;

/* ---- the sum over all pairs - */

static int is_positive(const problem *p, int side, size_t i, size_t j) {
  const int other = p->two ? !side : side;
  if (!p->two && i == j) return 0;
  if (p->how.positives == DPPAIR_POSITIVE_LABEL) return p->y[side][i] == p->y[other][j];
  return p->how.positives == DPPAIR_POSITIVE_RECORD ? i == j : p->partner[i] == j;
}

/* The similarity of two rows, and its derivatives times c, added to da and db. */
static wide compare(const problem *p, const wide *a, const wide *b, wide c, wide *da, wide *db) {
  wide dot = 0, na = 0, nb = 0, s, tau = (wide)p->how.temperature;
  for (size_t f = 0; f < p->d; f++) {
    dot += a[f] * b[f];
    na += a[f] * a[f];
    nb += b[f] * b[f];
  }
  s = dot;
  if (p->how.compare == DPPAIR_COMPARE_DISTANCE) s = 2 * dot - na - nb;
  if (p->how.compare == DPPAIR_COMPARE_COSINE) s = na > 0 && nb > 0 ? dot / sqrtl(na * nb) : 0;
  for (size_t f = 0; da && f < p->d; f++) {
    wide ga = b[f], gb = a[f];
    if (p->how.compare == DPPAIR_COMPARE_DISTANCE) {
      ga = 2 * (b[f] - a[f]);
      gb = -ga;
    }
    if (p->how.compare == DPPAIR_COMPARE_COSINE) {
      ga = na > 0 && nb > 0 ? (b[f] / sqrtl(na * nb) - s * a[f] / na) : 0;
      gb = na > 0 && nb > 0 ? (a[f] / sqrtl(na * nb) - s * b[f] / nb) : 0;
    }
    da[f] += c * ga / tau;
    db[f] += c * gb / tau;
  }
  return s / tau;
}

/* The logit of candidate j for anchor i, without its offset; c times its derivatives, added to g.
 */
static wide logit(const problem *p, int side, size_t i, size_t j, wide *const z[2], wide c,
                  wide *const g[2]) {
  const int paired = p->how.angle > 0 && p->how.positives == DPPAIR_POSITIVE_PARTNER;
  const size_t d = p->d, own = paired ? p->partner[i] : p->how.angle > 0 ? i : 0;
  const int other = p->two ? !side : side;
  const wide *a = z[side] + i * d, *b = z[other] + j * d, *e = z[other] + own * d;
  const wide t = tanl((wide)p->how.angle), tau = (wide)p->how.temperature;
  const wide factor = (j == own ? 2 + 2 * t * t : 4 * t * t) / tau;
  wide s = 0;
  if (!(p->how.angle > 0))
    return compare(p, a, b, c, g ? g[side] + i * d : NULL, g ? g[other] + j * d : NULL);
  for (size_t f = 0; f < d; f++) {
    s += factor * (a[f] + (j == own ? 0 : e[f])) * b[f];
    if (!g) continue;
    g[side][i * d + f] += c * factor * b[f];
    g[other][j * d + f] += c * factor * (a[f] + (j == own ? 0 : e[f]));
    if (j != own) g[other][own * d + f] += c * factor * b[f];
  }
  return s;
}

/* The exponent of a logit, its slope, and whether it counts at all. */
static int exponent(const problem *p, wide s, int own, int like, wide *x, wide *slope) {
  *x = s;
  *slope = 1;
  if (p->f == NPAIRS) return own || !like;
  if (p->f == DECOUPLED) return !own;
  if (p->f == MINE && own) *x = s - (wide)mine_params[0];
  if (p->f == MINE && !own && !like) {
    *slope = (wide)mine_params[1];
    *x = s * *slope;
  }
  return 1;
}

/* Returns the risk; g[0], g[1]: the gradients (NULL: none) for the rows z. */
static wide oracle(const problem *p, wide *const z[2], wide *const g[2]) {
  wide risk = 0;
  for (int side = 0; side < (p->how.two_sided ? 2 : 1); side++) {
    const int other = p->two ? !side : side;
    const size_t m = p->n[other];
    wide *s = malloc((m + 1) * sizeof *s);
    for (size_t i = 0; i < p->n[side]; i++) {
      wide top = -HUGE_VALL, sum = 0, mean = 0, count = 0, x, slope;
      for (size_t j = 0; j < m; j++) {
        const int own = is_positive(p, side, i, j);
        const int like = p->y[0] && p->y[side][i] == p->y[other][j];
        s[j] = logit(p, side, i, j, z, 0, NULL);
        s[j] -= p->how.offset ? (wide)p->how.offset[j] : 0;
        count += own;
        mean += own ? s[j] : 0;
        if ((!p->two && i == j) || !exponent(p, s[j], own, like, &x, &slope)) continue;
        top = x > top ? x : top;
      }
      for (size_t j = 0; j < m; j++) {
        const int own = is_positive(p, side, i, j);
        const int like = p->y[0] && p->y[side][i] == p->y[other][j];
        if ((!p->two && i == j) || !exponent(p, s[j], own, like, &x, &slope)) continue;
        sum += expl(x - top);
      }
      if (count == 0 || sum == 0) continue;
      risk += top + logl(sum) - mean / count;
      for (size_t j = 0; g && j < m; j++) {
        const int own = is_positive(p, side, i, j);
        const int like = p->y[0] && p->y[side][i] == p->y[other][j];
        wide w = 0;
        if (!p->two && i == j) continue;
        if (exponent(p, s[j], own, like, &x, &slope)) w = expl(x - top) / sum * slope;
        if (own) w -= 1 / count;
        (void)logit(p, side, i, j, z, w, g);
      }
    }
    free(s);
  }
  return risk;
}

/* ---- ours - */

static void *copy(const double *x, size_t count, int is_float) {
  void *to = malloc(count * sizeof(double) + 1);
  for (size_t e = 0; e < count; e++)
    if (is_float)
      ((float *)to)[e] = (float)x[e];
    else
      ((double *)to)[e] = x[e];
  return to;
}

/* The gradients in double and the risk, or the status. map: w[d][k] and g, or NULL. */
static dppair_status run(const problem *p, double *const out[2], double *risk, const double *w,
                         size_t k, double *g) {
  const dppair_tasks parts = {p->parts, NULL, NULL};
  dppair_options options = {mine_params, 0, NULL, &parts, NULL, 0, NULL};
  const size_t m = p->how.angle > 0 ? dppair_contrast_angular(p->n[0], p->n[1]) : p->n[1];
  void *x[2], *y[2] = {NULL, NULL}, *dz[2];
  dppair_status status;
  for (int e = 0; e < 2; e++) {
    x[e] = copy(p->z[e], p->n[e] * p->d, p->is_float);
    if (p->y[e]) y[e] = copy(p->y[e], p->n[e], p->is_float);
    dz[e] = malloc(p->n[e] * p->d * sizeof(double) + 1);
  }
#define RUN(name, type)                                                                            \
  {                                                                                                \
    dppair_rows_##type a = dppair_rows_make_##type(x[0], p->n[0], p->d, p->d);                     \
    dppair_rows_##type b = dppair_rows_make_##type(x[1], p->n[1], p->d, p->d), *o = &b;            \
    a.y = y[0];                                                                                    \
    b.y = y[1];                                                                                    \
    a.factor = p->factor;                                                                          \
    if (!p->two) o = NULL;                                                                         \
    status = w ? name##_contrast_map_workspace(&options.bytes, a.n, m, p->d, k, &options)                \
               : name##_contrast_workspace(&options.bytes, a.n, m, p->d, &options);                      \
    assert_int_equal(status, DPPAIR_OK);                                                           \
    options.work = malloc(options.bytes);                                                                \
    status = w ? name##_contrast_map_gradient(g, &a, o, w, k, &p->how, &options)                      \
               : name##_contrast_gradient(dz[0], p->two ? dz[1] : NULL, &a, o, &p->how, &options);    \
    if (risk && name##_contrast_risk_not_private(risk, &a, o, &p->how, &options) != status) fail();   \
  }
  if (p->is_float)
    RUN(infof, f32)
  else if (p->f == INFONCE)
    RUN(info, f64)
  else if (p->f == NPAIRS)
    RUN(npairs, f64)
  else if (p->f == DECOUPLED)
    RUN(decoupled, f64)
  else
    RUN(mine, f64)
#undef RUN
  for (int e = 0; e < 2 && out; e++)
    for (size_t i = 0; i < (e && !p->two ? 0 : p->n[e] * p->d); i++)
      out[e][i] = p->is_float ? (double)((float *)dz[e])[i] : ((double *)dz[e])[i];
  for (int e = 0; e < 2; e++) {
    free(x[e]);
    free(y[e]);
    free(dz[e]);
  }
  free(options.work);
  return status;
}

/* ---- problems - */

static problem make(loss f, size_t n, size_t m, size_t d, int how) {
  problem p;
  memset(&p, 0, sizeof p);
  p.f = f;
  p.two = m > 0;
  p.n[0] = n;
  p.n[1] = m;
  p.d = d;
  p.parts = 1;
  for (int e = 0; e < 2; e++) {
    p.z[e] = malloc(p.n[e] * d * sizeof(double) + 1);
    p.y[e] = malloc(p.n[e] * sizeof(double) + 1);
    for (size_t i = 0; i < p.n[e] * d; i++) p.z[e][i] = (double)(float)normal();
    for (size_t i = 0; i < p.n[e]; i++) p.y[e][i] = floor(4 * uniform());
  }
  p.partner = malloc(n * sizeof(size_t) + 1);
  for (size_t i = 0; i < n; i++)
    p.partner[i] = p.two ? (size_t)(uniform() * (double)m) : i ^ 1 ? (i ^ 1) % n : 1 % n;
  p.how.compare = (dppair_comparison)(how % 3);
  p.how.positives = (dppair_positives)(how / 3 % 3);
  p.how.temperature = 0.5 + 0.5 * (double)(how % 2);
  p.how.partner = p.partner;
  p.how.two_sided = p.two && p.how.positives != DPPAIR_POSITIVE_PARTNER && how % 2;
  if (!p.two && p.how.positives == DPPAIR_POSITIVE_RECORD)
    p.how.positives = DPPAIR_POSITIVE_PARTNER;
  if (how % 5 == 1 && !p.how.two_sided) {
    const size_t count = p.two ? m : n;
    p.offset = malloc(count * sizeof(double) + 1);
    for (size_t j = 0; j < count; j++) p.offset[j] = (double)(float)uniform();
    p.how.offset = p.offset;
  }
  return p;
}
static void drop(problem *p) {
  for (int e = 0; e < 2; e++) {
    free(p->z[e]);
    free(p->y[e]);
  }
  free(p->partner);
  free(p->offset);
}

static void check(const problem *p, double tolerance) {
  wide *z[2], *g[2], largest = 0.01L, risk, off = 0; /* 0 may be of size 1e-17 */
  double *out[2], ours;
  for (int e = 0; e < 2; e++) {
    z[e] = malloc(p->n[e] * p->d * sizeof *z[e] + 1);
    g[e] = calloc(p->n[e] * p->d + 1, sizeof *g[e]);
    out[e] = malloc(p->n[e] * p->d * sizeof *out[e] + 1);
    for (size_t i = 0; i < p->n[e] * p->d; i++)
      z[e][i] = (wide)p->z[e][i] * (p->factor && !e ? (wide)p->factor[i / p->d] : 1);
  }
  risk = oracle(p, z, g);
  assert_int_equal(run(p, out, &ours, NULL, 0, NULL), DPPAIR_OK);
  for (int e = 0; e < 1 + p->two; e++)
    for (size_t i = 0; i < p->n[e] * p->d; i++) {
      largest = fabsl(g[e][i]) > largest ? fabsl(g[e][i]) : largest;
      off = fabsl((wide)out[e][i] - g[e][i]) > off ? fabsl((wide)out[e][i] - g[e][i]) : off;
    }
  if (!(off <= (wide)tolerance * largest) ||
      !(fabsl((wide)ours - risk) <= (wide)tolerance * (fabsl(risk) + (wide)p->n[0])))
    fail_msg("loss %d n %zu m %zu d %zu compare %d positives %d sides %d: off %.3Lg of %.3Lg, "
             "risk %.17g, %.17Lg",
             p->f, p->n[0], p->n[1], p->d, p->how.compare, p->how.positives, p->how.two_sided, off,
             largest, ours, risk);
  for (int e = 0; e < 2; e++) {
    free(z[e]);
    free(g[e]);
    free(out[e]);
  }
}

static void gradients_match_the_sum_over_all_pairs(void **unused) {
  const size_t sizes[][3] = {{2, 0, 1}, {25, 0, 5}, {3, 3, 2}, {60, 60, 8}, {50, 7, 9}, {1, 30, 3}};
  (void)unused;
  for (int f = 0; f < LOSSES; f++)
    for (int s = 0; s < 6; s++)
      for (int how = 0; how < 9; how++) {
        problem p;
        if (how / 3 == DPPAIR_POSITIVE_RECORD && sizes[s][1] && sizes[s][0] != sizes[s][1])
          continue;
        if ((f + s + how) % few_or_all(2, 1)) continue;
        p = make((loss)f, sizes[s][0], sizes[s][1], sizes[s][2], how);
        check(&p, 1e-12);
        p.is_float = f == INFONCE;
        if (p.is_float) check(&p, 1e-4);
        p.is_float = 0;
        if (how % 3 == DPPAIR_COMPARE_DOT && how / 3 != DPPAIR_POSITIVE_LABEL) {
          p.how.offset = NULL;
          p.how.two_sided = 0;
          p.how.angle = 0.7;
          check(&p, 1e-12);
        }
        drop(&p);
      }
}

/* The gradient in a map is X^T of that in the embeddings; the same bits for any number of parts. */
static void maps_and_parts(void **unused) {
  enum { N = 61, D = 6, K = 4 };
  double w[D * K], g[D * K], again[D * K], *dz[2], *one[2], risk;
  (void)unused;
  for (int two = 0; two < 2; two++) {
    problem p = make(INFONCE, N, two ? N : 0, D, two ? 1 : 5);
    problem q = make(INFONCE, N, two ? N : 0, K, 1);
    q.how = p.how;
    for (size_t e = 0; e < D * K; e++) w[e] = normal();
    for (int e = 0; e < 2; e++) {
      dz[e] = malloc((p.n[e] * K + 1) * sizeof(double));
      one[e] = malloc((p.n[e] * K + 1) * sizeof(double));
      for (size_t i = 0; i < p.n[e]; i++)
        for (size_t k = 0; k < K; k++) {
          q.z[e][i * K + k] = 0;
          for (size_t f = 0; f < D; f++) q.z[e][i * K + k] += p.z[e][i * D + f] * w[f * K + k];
        }
    }
    assert_int_equal(run(&q, dz, &risk, NULL, 0, NULL), DPPAIR_OK);
    assert_int_equal(run(&p, NULL, NULL, w, K, g), DPPAIR_OK);
    for (size_t f = 0; f < D; f++)
      for (size_t k = 0; k < K; k++) {
        double sum = 0;
        for (int e = 0; e < 1 + two; e++)
          for (size_t i = 0; i < N; i++) sum += p.z[e][i * D + f] * dz[e][i * K + k];
        assert_true(fabs(sum - g[f * K + k]) <= 1e-12 * (1 + fabs(sum)) * N);
      }
    for (size_t parts = 2; parts < 8; parts += parts == 3 ? 4 : 1) {
      double other;
      q.parts = p.parts = parts;
      assert_int_equal(run(&q, one, &other, NULL, 0, NULL), DPPAIR_OK);
      assert_true(other == risk);
      for (int e = 0; e < 1 + two; e++) assert_memory_equal(one[e], dz[e], N * K * sizeof(double));
      assert_int_equal(run(&p, NULL, NULL, w, K, again), DPPAIR_OK);
      assert_memory_equal(again, g, sizeof g);
    }
    for (int e = 0; e < 2; e++) {
      free(dz[e]);
      free(one[e]);
    }
    drop(&p);
    drop(&q);
  }
}

/* The risk's differences quotients are the gradient. */
static void the_gradient_is_that_of_the_risk(void **unused) {
  (void)unused;
  for (int f = 0; f < LOSSES; f++)
    for (int angular = 0; angular < 2; angular++) {
      problem p = make((loss)f, 9, 9, 3, 0);
      double *out[2], *none[2], ends[2];
      const double h = 1e-5;
      p.how.angle = 0.6 * angular;
      for (int e = 0; e < 2; e++) {
        out[e] = malloc(27 * sizeof(double));
        none[e] = malloc(27 * sizeof(double));
      }
      assert_int_equal(run(&p, out, NULL, NULL, 0, NULL), DPPAIR_OK);
      for (size_t i = 0; i < 54; i += 5) {
        double *z = p.z[i / 27] + i % 27;
        const double at = *z;
        for (int e = 0; e < 2; e++) {
          *z = at + (e ? -h : h);
          assert_int_equal(run(&p, none, &ends[e], NULL, 0, NULL), DPPAIR_OK);
        }
        *z = at;
        assert_true(fabs((ends[0] - ends[1]) / (2 * h) - out[i / 27][i % 27]) < 1e-6);
      }
      for (int e = 0; e < 2; e++) {
        free(out[e]);
        free(none[e]);
      }
      drop(&p);
    }
}

/* Small temperatures and large logits: the error is that of the logits, and nothing overflows. */
static void large_logits_are_stable(void **unused) {
  (void)unused;
  for (int how = 0; how < 3; how++) {
    problem p = make(INFONCE, 40, 0, 6, how + 3);
    p.how.offset = NULL;
    p.how.temperature = 0.01;
    if (how == DPPAIR_COMPARE_COSINE) check(&p, 1e-12);
    if (how == DPPAIR_COMPARE_DOT) check(&p, 1e-11); /* logits of 1000 and more */
    for (size_t e = 0; e < 40 * 6; e++) p.z[0][e] *= 3;
    p.is_float = 1;
    if (how != DPPAIR_COMPARE_COSINE) check(&p, 0.05); /* 10^4: the float logits are off by 0.01 */
    p.is_float = 0;
    check(&p, 1e-10);
    drop(&p);
  }
}

/* One record, equal ones, zero rows, one label, nobody's positive. */
static void edges_are_defined(void **unused) {
  double out[8 * 2], risk, *const to[2] = {out, out};
  (void)unused;
  for (int how = 0; how < 9; how++)
    for (size_t n = 0; n < 5; n++)
      for (int same = 0; same < 3; same++) {
        problem p = make(INFONCE, n ? n : 1, 0, 2, how);
        for (size_t e = 0; e < 2 * p.n[0] && same; e++) p.z[0][e] = same == 1 ? 0.5 : 0;
        for (size_t i = 0; i < p.n[0]; i++) p.y[0][i] = same ? 1 : (double)i;
        p.n[0] = n;
        p.how.offset = NULL;
        if (n > 1 && p.how.positives == DPPAIR_POSITIVE_PARTNER && n % 2) p.partner[n - 1] = n - 1;
        check(&p, 1e-13);
        assert_int_equal(run(&p, to, &risk, NULL, 0, NULL), DPPAIR_OK);
        if (n < 2) assert_true(risk == 0);
        if (n > 1 && same && p.how.positives == DPPAIR_POSITIVE_LABEL)
          assert_true(fabs(risk - (double)n * log((double)n - 1)) < 1e-12);
        for (size_t e = 0; e < 2 * n; e++)
          if (n < 2 || same == 2 || (!same && p.how.positives == DPPAIR_POSITIVE_LABEL))
            assert_true(out[e] == 0);
        drop(&p);
      }
  for (int big = 0; big < 2; big++) { /* norms whose squares no double holds: the same angles */
    problem p = make(INFONCE, 4, 0, 2, 4);
    double half[8], *const small[2] = {half, half};
    p.how.offset = NULL;
    assert_int_equal(run(&p, to, &risk, NULL, 0, NULL), DPPAIR_OK);
    for (size_t e = 0; e < 8; e++) p.z[0][e] *= big ? 0x1p+520 : 0x1p-500;
    assert_int_equal(run(&p, small, &risk, NULL, 0, NULL), DPPAIR_OK);
    for (size_t e = 0; e < 8; e++)
      assert_true(fabs(half[e] * (big ? 0x1p+520 : 0x1p-500) - out[e]) <= 1e-15);
    for (size_t e = 0; e < 2; e++) p.z[0][e] *= big ? 1 : 0x1p-300; /* counts as a zero row */
    assert_int_equal(run(&p, small, &risk, NULL, 0, NULL), DPPAIR_OK);
    if (!big) assert_true(half[0] == 0 && half[1] == 0);
    drop(&p);
  }
  { /* a loss that leaves all candidates out, and a temperature that makes all of them equal */
    problem p = make(DECOUPLED, 2, 0, 2, 3);
    p.how.offset = NULL;
    p.how.temperature = 1e30;
    assert_int_equal(run(&p, to, &risk, NULL, 0, NULL), DPPAIR_OK);
    assert_true(risk == 0 && out[0] == 0 && out[3] == 0);
    drop(&p);
  }
}

/* A block that is compared with itself is two blocks: an anchor's own copy is a candidate. Without
 * rows nothing is written to them, and the others have the gradient 0. */
static void blocks_may_be_the_same_or_empty(void **unused) {
  (void)unused;
  for (int angular = 0; angular < 2; angular++) {
    problem p = make(INFONCE, 5, 5, 2, 0);
    double out[4][10], risk[2];
    dppair_rows_f64 a = dppair_rows_make_f64(p.z[0], 5, 2, 2), b = a;
    dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
    p.how.angle = 0.6 * angular;
    assert_int_equal(
        info_contrast_workspace(&options.bytes, 5, dppair_contrast_angular(5, 5), 2, &options),
        DPPAIR_OK);
    options.work = malloc(options.bytes);
    for (int e = 0; e < 2; e++) {
      const dppair_rows_f64 *others = e ? &b : &a;
      assert_int_equal(info_contrast_gradient(out[e], out[2 + e], &a, others, &p.how, &options),
                       DPPAIR_OK);
      assert_int_equal(info_contrast_risk_not_private(&risk[e], &a, others, &p.how, &options),
                       DPPAIR_OK);
    }
    assert_true(risk[0] == risk[1]);
    for (int e = 0; e < 4; e += 2) assert_memory_equal(out[e], out[e + 1], sizeof out[e]);
    p.how.positives = DPPAIR_POSITIVE_PARTNER;
    a.n = 0;
    assert_int_equal(info_contrast_gradient(NULL, out[2], &a, &b, &p.how, &options), DPPAIR_OK);
    for (int e = 0; e < 10; e++) assert_true(out[2][e] == 0);
    free(options.work);
    drop(&p);
  }
}

/* What is refused, and that nothing is left behind. */
static void errors_zero_the_results(void **unused) {
  enum { N = 5, D = 2 };
  double z[N * D], dz[N * D], y[N] = {0, 1, 0, 1, 0}, risk, g[D], w[D] = {1, 2};
  const double beyond[N] = {0, 1e307};
  size_t partner[N] = {1, 0, 3, 2, 4}, bytes;
  dppair_rows_f64 rows = dppair_rows_make_f64(z, N, D, D), unlabelled;
  dppair_contrast how;
  const dppair_tasks none = {0, NULL, NULL};
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  (void)unused;
  for (size_t e = 0; e < N * D; e++) z[e] = normal();
  memset(&how, 0, sizeof how);
  how.temperature = 1;
  how.positives = DPPAIR_POSITIVE_PARTNER;
  how.partner = partner;
  rows.y = y;
  assert_int_equal(info_contrast_workspace(NULL, N, 0, D, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(info_contrast_workspace(&bytes, N, 0, 0, NULL), DPPAIR_ERR_SIZE);
  assert_int_equal(info_contrast_workspace(&bytes, SIZE_MAX / 4, 0, D, NULL), DPPAIR_ERR_OVERFLOW);
  assert_true(bytes == 0);
  assert_int_equal(info_contrast_map_workspace(&bytes, N, N, D, 0, NULL), DPPAIR_ERR_SIZE);
  assert_int_equal(info_contrast_map_workspace(&bytes, N, N, D, 1, NULL), DPPAIR_OK);
  options.bytes = bytes;
  options.work = malloc(bytes);
#define REFUSED(status)                                                                            \
  do {                                                                                             \
    for (size_t e_ = 0; e_ < N * D; e_++) dz[e_] = 1;                                              \
    risk = g[0] = g[1] = 1;                                                                        \
    assert_int_equal(info_contrast_gradient(dz, NULL, &rows, NULL, &how, &options), status);          \
    assert_int_equal(info_contrast_risk_not_private(&risk, &rows, NULL, &how, &options), status);     \
    assert_int_equal(info_contrast_map_gradient(g, &rows, NULL, w, 1, &how, &options), status);       \
    if (status != DPPAIR_OK) {                                                                     \
      for (size_t e_ = 0; e_ < N * D; e_++) assert_true(dz[e_] == 0);                              \
      assert_true(risk == 0 && g[0] == 0 && g[1] == 0);                                            \
    }                                                                                              \
  } while (0)
#define WITH(field, value, status)                                                                 \
  do {                                                                                             \
    const dppair_contrast how_ = how;                                                              \
    const dppair_rows_f64 rows_ = rows;                                                            \
    const dppair_options pass_ = options;                                                                \
    field = value;                                                                                 \
    REFUSED(status);                                                                               \
    how = how_;                                                                                    \
    rows = rows_;                                                                                  \
    options = pass_;                                                                                  \
  } while (0)
  REFUSED(DPPAIR_OK);
  WITH(how.temperature, 0, DPPAIR_ERR_DOMAIN);
  WITH(how.temperature, (double)NAN, DPPAIR_ERR_DOMAIN);
  WITH(how.temperature, -1, DPPAIR_ERR_DOMAIN);
  WITH(how.temperature, 1e-320, DPPAIR_ERR_OVERFLOW);
  WITH(how.temperature, 1e300, DPPAIR_OK);
  WITH(how.compare, (dppair_comparison)4, DPPAIR_ERR_DOMAIN);
  WITH(how.positives, (dppair_positives)-1, DPPAIR_ERR_DOMAIN);
  WITH(how.positives, DPPAIR_POSITIVE_RECORD, DPPAIR_ERR_DOMAIN);
  WITH(how.two_sided, 1, DPPAIR_ERR_DOMAIN);
  WITH(how.margin, 1, DPPAIR_ERR_DOMAIN);
  WITH(how.partner, NULL, DPPAIR_ERR_NULL);
  WITH(how.offset, beyond, DPPAIR_ERR_OVERFLOW);
  WITH(partner[1], N, DPPAIR_ERR_SIZE);
  partner[1] = 0;
  WITH(rows.ld, 1, DPPAIR_ERR_SIZE);
  WITH(rows.x, NULL, DPPAIR_ERR_NULL);
  WITH(rows.weight, z, DPPAIR_ERR_NO_PROOF);
  WITH(options.clip, clip_of(dppair_clip_init, 1), DPPAIR_ERR_NO_PROOF);
  WITH(options.work, NULL, DPPAIR_ERR_NULL);
  WITH(options.bytes, 64, DPPAIR_ERR_WORKSPACE);
  WITH(options.tasks, &none, DPPAIR_ERR_SIZE);
  WITH(y[2], (double)NAN, DPPAIR_ERR_NOT_FINITE);
  y[2] = 0;
  WITH(z[3], (double)INFINITY, DPPAIR_ERR_NOT_FINITE);
  WITH(z[3], 1e200, DPPAIR_ERR_OVERFLOW);
  z[3] = 1;
  assert_int_equal(info_contrast_gradient(dz, NULL, NULL, NULL, &how, &options), DPPAIR_ERR_NULL);
  assert_int_equal(info_contrast_gradient(dz, NULL, &rows, NULL, NULL, &options), DPPAIR_ERR_NULL);
  assert_int_equal(info_contrast_gradient(dz, NULL, &rows, NULL, &how, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(info_contrast_gradient(dz, NULL, &rows, &rows, &how, &options), DPPAIR_ERR_NULL);
  assert_int_equal(info_contrast_map_gradient(g, &rows, NULL, NULL, 1, &how, &options),
                   DPPAIR_ERR_NULL);
  unlabelled = rows;
  unlabelled.y = NULL;
  how.positives = DPPAIR_POSITIVE_LABEL;
  assert_int_equal(info_contrast_groups(dz, z, &rows, &unlabelled, 1, &how, &options),
                   DPPAIR_ERR_NULL);
  how.positives = DPPAIR_POSITIVE_PARTNER;
  rows.n = SIZE_MAX / 4; /* no memory is so large: results are not touched */
  assert_int_equal(info_contrast_gradient(dz, NULL, &rows, NULL, &how, &options), DPPAIR_ERR_OVERFLOW);
  free(options.work);
}

/* Logits that the type holds, of which each anchor adds one to the gradient of their one positive.
 */
static void results_beyond_the_type_are_refused(void **unused) {
  enum { N = 400 };
  static float x[N], dz[N], beside[2] = {-1, 1}, dz_beside[2];
  static size_t partner[N];
  dppair_rows_f32 rows = dppair_rows_make_f32(x, N, 1, 1);
  const dppair_rows_f32 others = dppair_rows_make_f32(beside, 2, 1, 1);
  dppair_contrast how;
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  (void)unused;
  memset(&how, 0, sizeof how);
  how.temperature = 1e-36;
  how.positives = DPPAIR_POSITIVE_PARTNER;
  how.partner = partner;
  assert_int_equal(infof_contrast_workspace(&options.bytes, N, dppair_contrast_angular(N, N), 1, NULL),
                   DPPAIR_OK);
  options.work = malloc(options.bytes);
  for (int two = 0; two < 2; two++) {
    for (size_t i = 0; i < N; i++) x[i] = two || i ? 1 : -1, dz[i] = 1;
    partner[0] = two ? 0 : 1; /* not itself */
    dz_beside[0] = dz_beside[1] = 1;
    assert_int_equal(infof_contrast_gradient(dz, two ? dz_beside : NULL, &rows,
                                             two ? &others : NULL, &how, &options),
                     DPPAIR_ERR_NOT_FINITE);
    for (size_t i = 0; i < N; i++) assert_true(dz[i] == 0);
    for (int i = 0; i < 2; i++) assert_true(dz_beside[i] == (two ? 0 : 1));
    how.temperature = 1e-34; /* a hundredth of that: finite, and as large as is said */
    assert_int_equal(infof_contrast_gradient(dz, two ? dz_beside : NULL, &rows,
                                             two ? &others : NULL, &how, &options),
                     DPPAIR_OK);
    assert_true(fabs((double)(two ? dz_beside[0] : dz[0]) / -N / 1e34 - 1) < 0.02);
    how.temperature = 1e-36;
  }
  how.angle = 0.5; /* inner products that floats do not hold */
  how.temperature = 1;
  for (size_t i = 0; i < N; i++) x[i] = 1e25f;
  assert_int_equal(infof_contrast_gradient(dz, NULL, &rows, NULL, &how, &options),
                   DPPAIR_ERR_OVERFLOW);
  free(options.work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(gradients_match_the_sum_over_all_pairs),
      TEST(maps_and_parts),
      TEST(the_gradient_is_that_of_the_risk),
      TEST(large_logits_are_stable),
      TEST(edges_are_defined),
      TEST(blocks_may_be_the_same_or_empty),
      TEST(errors_zero_the_results),
      TEST(results_beyond_the_type_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
