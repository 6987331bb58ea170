/* SPDX-License-Identifier: MIT */
/* Losses of triplets: against loops over all triplets in long double, and along differences. */
#include "tests.h"

#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"
#define DPPAIR_NAME soft
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet_soft
#include "dppair_contrast.h"
#define DPPAIR_NAME squared
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet_squared
#include "dppair_contrast.h"
#define DPPAIR_NAME hingef
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"

typedef long double wide;
enum { HINGE, SOFT, SQUARED, LOSSES };
enum { MOST = 700, WIDEST = 20, ROOM = MOST * 10 };

/* One set, or anchors and candidates: side 0 and 1 have n[] rows of d numbers, ld apart. */
typedef struct problem {
  size_t n[2], d, ld;
  int one;
  double x[2][ROOM], y[2][MOST], factor[2][MOST], offset[MOST];
  int factors;
  size_t partner[MOST];
  dppair_contrast how;
} problem;

static problem p;
static double got[2][ROOM];
static wide right[2][ROOM], z[2][ROOM];
static wide mass[2][MOST]; /* of each record: the sizes of what is added up */

static wide value_of(int loss, wide u) {
  if (loss == SOFT) return u > 0 ? log1pl(expl(-u)) : log1pl(expl(u)) - u;
  return u < 0 ? (loss == HINGE ? -u : u * u / 2) : 0;
}
static wide slope_of(int loss, wide u) {
  if (loss == SOFT) return -1 / (1 + expl(u));
  return u < 0 ? (loss == HINGE ? -1 : u) : 0;
}

static wide dot(const wide *a, const wide *b) {
  wide sum = 0;
  for (size_t f = 0; f < p.d; f++) sum += a[f] * b[f];
  return sum;
}

/* The similarity of anchor i and candidate j, divided, less the offset. c and two: the gradients
 * c (two - v) of it, see add. */
static wide similarity(size_t i, size_t j) {
  const wide *a = z[0] + i * p.d, *b = z[!p.one] + j * p.d;
  wide s = dot(a, b), far = 0;
  for (size_t f = 0; f < p.d; f++) far += (a[f] - b[f]) * (a[f] - b[f]);
  if (p.how.compare == DPPAIR_COMPARE_COSINE) {
    const wide size = sqrtl(dot(a, a)) * sqrtl(dot(b, b));
    s = size > 0 ? s / size : 0;
  }
  if (p.how.compare == DPPAIR_COMPARE_DISTANCE) s = -far;
  if (p.how.compare == DPPAIR_COMPARE_EUCLIDEAN) s = -sqrtl(far);
  return s / (wide)p.how.temperature - (p.how.offset ? (wide)p.offset[j] : 0);
}

/* Adds c times the gradient of that similarity. */
static void add(size_t i, size_t j, wide c) {
  const wide *a = z[0] + i * p.d, *b = z[!p.one] + j * p.d;
  wide *to[2] = {right[0] + i * p.d, right[!p.one] + j * p.d};
  const wide na = sqrtl(dot(a, a)), nb = sqrtl(dot(b, b));
  wide far = 0;
  for (size_t f = 0; f < p.d; f++) far += (a[f] - b[f]) * (a[f] - b[f]);
  c /= (wide)p.how.temperature;
  for (int end = 0; end < 2; end++) {
    const wide own = end ? nb : na, other = end ? na : nb, both = own + other;
    wide size = other;
    if (p.how.compare == DPPAIR_COMPARE_COSINE) size = own > 0 ? 2 / own : 0;
    if (p.how.compare == DPPAIR_COMPARE_DISTANCE) size = 2 * both;
    if (p.how.compare == DPPAIR_COMPARE_EUCLIDEAN)
      size = far > 0 ? both / sqrtl(far) * (1 + both * both / far) : 0;
    mass[end && !p.one][end ? j : i] += fabsl(c) * size;
  }
  for (size_t f = 0; f < p.d; f++) {
    wide ga = b[f], gb = a[f];
    if (p.how.compare == DPPAIR_COMPARE_COSINE) {
      const wide s = na > 0 && nb > 0 ? dot(a, b) / (na * nb) : 0;
      ga = na > 0 && nb > 0 ? (b[f] / nb - s * a[f] / na) / na : 0;
      gb = na > 0 && nb > 0 ? (a[f] / na - s * b[f] / nb) / nb : 0;
    }
    if (p.how.compare == DPPAIR_COMPARE_DISTANCE) ga = 2 * (b[f] - a[f]), gb = -ga;
    if (p.how.compare == DPPAIR_COMPARE_EUCLIDEAN)
      ga = far > 0 ? (b[f] - a[f]) / sqrtl(far) : 0, gb = -ga;
    to[0][f] += c * ga;
    to[1][f] += c * gb;
  }
}

static int positive(size_t i, size_t j) {
  if (p.how.positives == DPPAIR_POSITIVE_RECORD) return j == i;
  if (p.how.positives == DPPAIR_POSITIVE_PARTNER) return j == p.partner[i];
  return !(p.y[0][i] < p.y[!p.one][j]) && !(p.y[0][i] > p.y[!p.one][j]);
}

/* One triplet: its loss, with `share` of its gradient. */
static wide triplet(int loss, size_t i, size_t j, size_t k, wide share, const wide *s) {
  const wide u = s[j] - s[k] - (wide)p.how.margin, c = share * slope_of(loss, u);
  add(i, j, c);
  add(i, k, -c);
  return share * value_of(loss, u);
}

static wide lifted(int loss) {
  wide total = 0;
  for (size_t i = 0; i < p.n[0]; i++)
    for (size_t j = 0; j < i; j++) {
      wide sum = 0, slope, u;
      if (!positive(i, j)) continue;
      for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < p.n[0]; k++)
          if (!positive(i, k)) sum += expl((wide)p.how.margin + similarity(end ? j : i, k));
      if (!(sum > 0)) continue;
      u = similarity(i, j) - logl(sum);
      slope = slope_of(loss, u);
      total += value_of(loss, u);
      add(i, j, slope);
      for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < p.n[0]; k++)
          if (!positive(i, k))
            add(end ? j : i, k,
                -slope * expl((wide)p.how.margin + similarity(end ? j : i, k)) / sum);
    }
  return total;
}

/* The risk; the gradient is left in right[]. */
static wide reference(int loss) {
  static wide s[MOST];
  wide total = 0;
  memset(right, 0, sizeof right);
  memset(mass, 0, sizeof mass);
  for (int side = 0; side < 2 - p.one; side++)
    for (size_t i = 0; i < p.n[side]; i++)
      for (size_t f = 0; f < p.d; f++)
        z[side][i * p.d + f] =
            (wide)p.x[side][i * p.ld + f] * (p.factors ? (wide)p.factor[side][i] : 1);
  if (p.how.triples == DPPAIR_TRIPLES_LIFTED) return lifted(loss);
  for (size_t i = 0; i < p.n[0]; i++) {
    const size_t m = p.n[!p.one];
    for (size_t j = 0; j < m; j++) s[j] = similarity(i, j);
    wide worst = HUGE_VALL, best = -HUGE_VALL, least = HUGE_VALL;
    size_t positives = 0, negatives = 0, worsts = 0, bests = 0;
    for (size_t j = 0; j < m; j++) {
      if (p.one && j == i) continue;
      positives += (size_t)positive(i, j), negatives += (size_t)!positive(i, j);
      if (positive(i, j) && s[j] < worst) worst = s[j];
      if (!positive(i, j) && s[j] > best) best = s[j];
      if (!positive(i, j) && s[j] < least) least = s[j];
    }
    if (!positives || !negatives) continue;
    for (size_t j = 0; j < m; j++) {
      if (p.one && j == i) continue;
      worsts += (size_t)(positive(i, j) && s[j] <= worst);
      bests += (size_t)(!positive(i, j) && s[j] >= best);
    }
    for (size_t j = 0; j < m; j++) {
      wide semi = -HUGE_VALL;
      size_t equal = 0;
      if (!positive(i, j) || (p.one && i == j)) continue;
      for (size_t k = 0; k < m; k++)
        if (!positive(i, k) && s[k] < s[j] && s[k] > semi) semi = s[k];
      if (semi < least) semi = least;
      for (size_t k = 0; k < m; k++) equal += (size_t)(!positive(i, k) && s[k] == semi);
      for (size_t k = 0; k < m; k++) {
        if (positive(i, k) || (p.one && k == i)) continue;
        if (p.how.triples == DPPAIR_TRIPLES_ALL) total += triplet(loss, i, j, k, 1, s);
        if (p.how.triples == DPPAIR_TRIPLES_SEMI_HARD && s[k] == semi)
          total += triplet(loss, i, j, k, 1 / (wide)equal, s);
        if (p.how.triples == DPPAIR_TRIPLES_HARDEST && s[j] <= worst && s[k] >= best)
          total += triplet(loss, i, j, k, 1 / ((wide)worsts * (wide)bests), s);
      }
    }
  }
  return total;
}

static dppair_rows_f64 rows_of(int side) {
  dppair_rows_f64 rows = dppair_rows_make_f64(p.x[side], p.n[side], p.d, p.ld);
  rows.y = p.y[side];
  rows.factor = p.factors ? p.factor[side] : NULL;
  return rows;
}

/* NAME_contrast_gradient, or _risk into *risk, of one of the losses; `of_float` is the loss of
 * floats. Results in out, also of floats. */
static dppair_status compute(int loss, int of_float, size_t parts, double out[2][ROOM],
                             double *risk) {
  static char work[1 << 23];
  static float xf[2][ROOM], yf[2][MOST], zf[2][ROOM];
  const dppair_tasks cut = {parts, NULL, NULL};
  const dppair_options options = {NULL, NULL, NULL, &cut, work + 3, sizeof work - 3, NULL};
  const dppair_rows_f64 a = rows_of(0), b = rows_of(1), *o = p.one ? NULL : &b;
  dppair_rows_f32 f[2];
  dppair_status s;
  if (!of_float) {
    double *to = p.one ? NULL : out[1];
    if (loss == HINGE) {
      if (risk) return hinge_contrast_risk_not_private(risk, &a, o, &p.how, &options);
      return hinge_contrast_gradient(out[0], to, &a, o, &p.how, &options);
    }
    if (loss == SOFT) {
      if (risk) return soft_contrast_risk_not_private(risk, &a, o, &p.how, &options);
      return soft_contrast_gradient(out[0], to, &a, o, &p.how, &options);
    }
    if (risk) return squared_contrast_risk_not_private(risk, &a, o, &p.how, &options);
    return squared_contrast_gradient(out[0], to, &a, o, &p.how, &options);
  }
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < ROOM; i++) xf[side][i] = (float)p.x[side][i];
    for (size_t i = 0; i < MOST; i++) yf[side][i] = (float)p.y[side][i];
    f[side] = dppair_rows_make_f32(xf[side], p.n[side], p.d, p.ld);
    f[side].y = yf[side];
    f[side].factor = p.factors ? p.factor[side] : NULL;
  }
  if (risk)
    return hingef_contrast_risk_not_private(risk, &f[0], p.one ? NULL : &f[1], &p.how, &options);
  s = hingef_contrast_gradient(zf[0], p.one ? NULL : zf[1], &f[0], p.one ? NULL : &f[1], &p.how,
                               &options);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < ROOM; i++) out[side][i] = (double)zf[side][i];
  return s;
}

/* Random rows, labels of `classes` classes, and what is compared. */
static void draw(size_t n, size_t others, size_t d, size_t classes) {
  memset(&p, 0, sizeof p);
  p.n[0] = n, p.n[1] = others, p.d = d, p.ld = d + below(3);
  p.one = others == 0;
  p.factors = uniform() < 0.3;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < p.n[side]; i++) {
      for (size_t f = 0; f < d; f++)
        p.x[side][i * p.ld + f] = (double)(float)(normal() / sqrt((double)d));
      p.y[side][i] = (double)below(classes);
      p.factor[side][i] = (double)(float)between(0.5, 1.0);
    }
  p.how.compare = (dppair_comparison)below(4);
  if (d == 1 && p.how.compare == DPPAIR_COMPARE_COSINE) /* 1 or -1: rounding decides between ties */
    p.how.compare = DPPAIR_COMPARE_DOT;
  p.how.temperature = log_between(0.5, 2.0);
  p.how.margin = (double)(float)between(-0.2, 0.6);
  p.how.positives = DPPAIR_POSITIVE_LABEL;
  p.how.triples = (dppair_triples)below(3);
  if (uniform() < 0.3) {
    p.how.offset = p.offset;
    for (size_t i = 0; i < (others ? others : n); i++) p.offset[i] = between(-0.3, 0.3);
  }
  if (p.one) {
    if (p.how.triples == DPPAIR_TRIPLES_ALL && uniform() < 0.3) {
      p.how.triples = DPPAIR_TRIPLES_LIFTED;
      p.how.offset = NULL;
    }
    return;
  }
  if (uniform() < 0.5) {
    p.how.positives = DPPAIR_POSITIVE_PARTNER;
    p.how.partner = p.partner;
    for (size_t i = 0; i < n; i++) p.partner[i] = below(others);
  } else if (others >= n && uniform() < 0.5) {
    p.how.positives = DPPAIR_POSITIVE_RECORD;
  }
}

/* The largest error of a gradient, relative to 1 and what is added up for the record. */
static double error_of(double out[2][ROOM]) {
  wide most = 0;
  for (int side = 0; side < 2 - p.one; side++)
    for (size_t e = 0; e < p.n[side] * p.d; e++)
      most = fmaxl(most, fabsl((wide)out[side][e] - right[side][e]) / (1 + mass[side][e / p.d]));
  return (double)most;
}

static void against_loops(int loss, int of_float, double limit) {
  double risk;
  const wide sum = reference(loss);
  const double off = (double)fabsl(sum);
  assert_int_equal(compute(loss, of_float, 1, got, NULL), DPPAIR_OK);
  assert_true(error_of(got) < limit);
  assert_int_equal(compute(loss, of_float, 1, got, &risk), DPPAIR_OK);
  assert_true(fabs(risk - (double)sum) <= limit * (off + 1));
}

static void gradients_and_risks_are_those_of_loops_over_all_triplets(void **state) {
  (void)state;
  for (int trial = 0; trial < few_or_all(BRIEF ? 8 : 60, 3000); trial++) {
    const int loss = (int)below(LOSSES);
    const size_t n = 1 + below(trial % 8 ? 20 : 60);
    draw(n, uniform() < 0.3 ? 1 + below(60) : 0, 1 + below(20), 1 + below(6));
    against_loops(loss, 0, 1e-13);
  }
}

static void float_is_within_its_rounding(void **state) {
  (void)state;
  for (int trial = 0; trial < few_or_all(BRIEF ? 3 : 20, 1000); trial++) {
    draw(1 + below(40), uniform() < 0.3 ? 1 + below(60) : 0, 1 + below(20), 1 + below(6));
    if (p.how.compare == DPPAIR_COMPARE_EUCLIDEAN) p.how.compare = DPPAIR_COMPARE_DISTANCE;
    if (p.how.triples == DPPAIR_TRIPLES_SEMI_HARD) p.how.triples = DPPAIR_TRIPLES_ALL;
    against_loops(HINGE, 1, 1e-6);
  }
}

/* Long rows are sorted: the same sums. */
static void long_rows_too(void **state) {
  (void)state;
  draw(3, 700, 2, 2);
  p.how.triples = DPPAIR_TRIPLES_ALL;
  p.how.positives = DPPAIR_POSITIVE_LABEL;
  p.how.compare = DPPAIR_COMPARE_DISTANCE;
  against_loops(HINGE, 0, 1e-13);
  against_loops(SQUARED, 0, 1e-13);
}

/* Coordinates of few values: many distances are equal, and many rows. Margins are in between of
 * margins that differ, except 0 where the derivative is that of the reference at ties. */
static void ties_and_equal_rows_have_equal_shares(void **state) {
  (void)state;
  for (int trial = 0; trial < few_or_all(BRIEF ? 5 : 40, 2000); trial++) {
    draw(2 + below(20), uniform() < 0.3 ? 1 + below(30) : 0, 1 + below(2), 1 + below(3));
    p.factors = 0;
    p.how.offset = NULL;
    p.how.temperature = 1.0;
    p.how.margin = (double)below(2);
    p.how.compare = uniform() < 0.5 ? DPPAIR_COMPARE_DOT : DPPAIR_COMPARE_DISTANCE;
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < ROOM; i++) p.x[side][i] = (double)below(3);
    against_loops((int)below(LOSSES), 0, 1e-13);
    against_loops(HINGE, 1, 1e-6);
  }
}

static void bits_depend_on_no_number_of_parts(void **state) {
  static double again[2][ROOM];
  (void)state;
  for (int trial = 0; trial < 6; trial++) {
    const int of_float = trial % 2;
    draw(130 + below(200), trial < 2 ? 100 : 0, 1 + below(16), 4);
    assert_int_equal(compute(HINGE, of_float, 1, got, NULL), DPPAIR_OK);
    for (size_t parts = 2; parts < 8; parts += parts == 3 ? 4 : 1) {
      assert_int_equal(compute(HINGE, of_float, parts, again, NULL), DPPAIR_OK);
      for (int side = 0; side < 2 - p.one; side++)
        assert_memory_equal(got[side], again[side], p.n[side] * p.d * sizeof(double));
    }
  }
}

/* The derivative of the risk along a random direction. */
static void gradients_are_those_of_risks(void **state) {
  static double way[ROOM];
  (void)state;
  for (int trial = 0; trial < few_or_all(BRIEF ? 3 : 12, 300); trial++) {
    const double h = 1e-5;
    double risk[2], slope = 0.0;
    draw(30, 0, 5, 3);
    p.factors = 0;
    p.how.triples = trial % 3 ? DPPAIR_TRIPLES_ALL : DPPAIR_TRIPLES_LIFTED; /* smooth */
    p.how.compare = (dppair_comparison)(trial % 4);
    p.how.offset = NULL;
    assert_int_equal(compute(SOFT, 0, 1, got, NULL), DPPAIR_OK);
    for (size_t i = 0; i < p.n[0]; i++)
      for (size_t f = 0; f < p.d; f++) {
        way[i * p.ld + f] = normal();
        slope += way[i * p.ld + f] * got[0][i * p.d + f];
      }
    for (int end = 0; end < 2; end++) {
      for (size_t e = 0; e < p.n[0] * p.ld; e++) p.x[0][e] += (end ? -2 : 1) * h * way[e];
      assert_int_equal(compute(SOFT, 0, 1, got, &risk[end]), DPPAIR_OK);
    }
    assert_true(fabs((risk[0] - risk[1]) / (2 * h) - slope) < 1e-5 * (fabs(slope) + risk[0]));
  }
}

/* dL/dw of z = w^T x is X^T dL/dz. */
static void a_map_has_the_gradient_of_its_embeddings(void **state) {
  static char work[1 << 22];
  static double w[WIDEST * WIDEST], g[WIDEST * WIDEST], x[2][ROOM];
  (void)state;
  for (int trial = 0; trial < 8; trial++) {
    dppair_options options = {NULL, NULL, NULL, NULL, work + 1, 0, NULL};
    dppair_rows_f64 rows[2];
    double most = 0.0;
    size_t k, d, ld;
    draw(1 + below(40), trial % 2 ? 1 + below(30) : 0, 1 + below(12), 3);
    k = 1 + below(12), d = p.d, ld = p.ld;
    p.how.compare = (dppair_comparison)(trial / 2 % 3);
    for (size_t e = 0; e < d * k; e++) w[e] = normal();
    assert_int_equal(squared_contrast_map_workspace(&options.bytes, p.n[0], p.n[1], d, k, &options),
                     DPPAIR_OK);
    assert_true(options.bytes < sizeof work);
    for (int side = 0; side < 2; side++) rows[side] = rows_of(side);
    assert_int_equal(
        squared_contrast_map_gradient(g, &rows[0], p.one ? NULL : &rows[1], w, k, &p.how, &options),
        DPPAIR_OK);
    memcpy(x, p.x, sizeof x);
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < p.n[side]; i++)
        for (size_t e = 0; e < k; e++) {
          double sum = 0.0;
          for (size_t f = 0; f < d; f++)
            sum += x[side][i * ld + f] * w[f * k + e] * (p.factors ? p.factor[side][i] : 1.0);
          p.x[side][i * k + e] = sum;
        }
    p.d = p.ld = k;
    for (size_t e = 0; e < d * k; e++) g[e] = -g[e];
    {
      const int factors = p.factors;
      p.factors = 0;
      assert_int_equal(compute(SQUARED, 0, 1, got, NULL), DPPAIR_OK);
      p.factors = factors;
    }
    for (int side = 0; side < 2 - p.one; side++)
      for (size_t i = 0; i < p.n[side]; i++)
        for (size_t f = 0; f < d; f++)
          for (size_t e = 0; e < k; e++) {
            const double of_row = x[side][i * ld + f] * (p.factors ? p.factor[side][i] : 1.0);
            g[f * k + e] += of_row * got[side][i * k + e];
            most = fmax(most, fabs(got[side][i * k + e]));
          }
    for (size_t e = 0; e < d * k; e++) assert_true(fabs(g[e]) <= 1e-11 * (1 + most * 70));
  }
}

/* No triplet, no gradient: no record, one, two; one class; a class for each record; zero rows. */
static void nothing_comes_of_no_triplet(void **state) {
  double risk;
  (void)state;
  for (size_t n = 0; n < 12; n++)
    for (int one_class = 0; one_class < 2; one_class++)
      for (int compare = 0; compare < 4; compare++) {
        draw(n, 0, 3, 1);
        p.how.compare = (dppair_comparison)compare;
        p.how.triples = (dppair_triples)(n % 4);
        p.how.offset = NULL;
        for (size_t i = 0; i < n && !one_class; i++) p.y[0][i] = (double)i;
        memset(got, 1, sizeof got);
        assert_int_equal(compute(SOFT, 0, 3, got, NULL), DPPAIR_OK);
        for (size_t e = 0; e < n * 3; e++) assert_true(fabs(got[0][e]) <= 0.0);
        assert_int_equal(compute(SOFT, 0, 3, got, &risk), DPPAIR_OK);
        assert_true(fabs(risk) <= 0.0);
      }
  draw(20, 0, 3, 2); /* all distances 0, and cosines of rows without a direction */
  memset(p.x, 0, sizeof p.x);
  for (int compare = 0; compare < 4; compare++) {
    p.how.compare = (dppair_comparison)compare;
    p.x[0][4] = compare == DPPAIR_COMPARE_COSINE ? 1e-160 : 0.0; /* too short to have one */
    assert_int_equal(compute(SOFT, 0, 1, got, NULL), DPPAIR_OK);
    for (size_t e = 0; e < 60; e++) assert_true(fabs(got[0][e]) <= 0.0);
  }
}

static void misuse_zeroes_the_results(void **state) {
  static const double odd[] = {0.0, -1.0, HUGE_VAL, (double)NAN};
  double risk = 1.0;
  (void)state;
#define REFUSED(expected, ...)                                                                     \
  do {                                                                                             \
    draw(9, 0, 4, 3);                                                                              \
    p.how.triples = DPPAIR_TRIPLES_ALL;                                                            \
    __VA_ARGS__;                                                                                   \
    memset(got, 1, sizeof got);                                                                    \
    assert_int_equal(compute(HINGE, 0, 1, got, NULL), expected);                                   \
    for (size_t e_ = 0; e_ < 36; e_++) assert_true(fabs(got[0][e_]) <= 0.0);                       \
    risk = 1.0;                                                                                    \
    assert_int_equal(compute(HINGE, 0, 1, got, &risk), expected);                                  \
    assert_true(fabs(risk) <= 0.0);                                                                \
  } while (0)
  for (size_t e = 0; e < 4; e++) REFUSED(DPPAIR_ERR_DOMAIN, p.how.temperature = odd[e]);
  REFUSED(DPPAIR_ERR_DOMAIN, p.how.margin = (double)NAN);
  REFUSED(DPPAIR_ERR_DOMAIN, p.how.two_sided = 1);
  REFUSED(DPPAIR_ERR_DOMAIN, p.how.compare = (dppair_comparison)4);
  REFUSED(DPPAIR_ERR_DOMAIN, p.how.triples = (dppair_triples)4);
  REFUSED(DPPAIR_ERR_DOMAIN, p.how.positives = DPPAIR_POSITIVE_RECORD);
  REFUSED(DPPAIR_ERR_NULL, p.how.positives = DPPAIR_POSITIVE_PARTNER);
  REFUSED(DPPAIR_ERR_DOMAIN, p.how.triples = DPPAIR_TRIPLES_LIFTED, p.how.offset = p.offset);
  REFUSED(DPPAIR_ERR_SIZE, p.ld = 3);
  REFUSED(DPPAIR_ERR_SIZE, p.how.positives = DPPAIR_POSITIVE_PARTNER, p.how.partner = p.partner,
          p.partner[8] = 9);
  REFUSED(DPPAIR_ERR_NOT_FINITE, p.x[0][0] = (double)NAN);
  REFUSED(DPPAIR_ERR_NOT_FINITE, p.y[0][8] = HUGE_VAL);
  REFUSED(DPPAIR_ERR_NOT_FINITE, p.factors = 1, p.factor[0][2] = (double)NAN);
  REFUSED(DPPAIR_ERR_NOT_FINITE, p.how.offset = p.offset, p.offset[8] = (double)NAN);
  REFUSED(DPPAIR_ERR_OVERFLOW, p.how.compare = DPPAIR_COMPARE_DOT, p.x[0][1] = 1e200);
  REFUSED(DPPAIR_ERR_OVERFLOW, p.how.compare = DPPAIR_COMPARE_DOT, p.how.temperature = 1e-307);
  REFUSED(DPPAIR_ERR_OVERFLOW, p.how.compare = DPPAIR_COMPARE_COSINE, p.x[0][1] = 1e305);
  /* a similarity that is in range after its division, where the square before is not */
  REFUSED(DPPAIR_ERR_OVERFLOW, p.how.compare = DPPAIR_COMPARE_DOT, p.how.temperature = 1e40,
          p.factors = 0, p.x[0][1] = 1e153);
#undef REFUSED
  { /* each of 400 anchors adds 10^36 to the gradient of its one positive */
    enum { MANY = 400 };
    static float x[MANY], dz[MANY], beside[2] = {-1, 1}, dz_beside[2];
    static size_t partner[MANY];
    const dppair_rows_f32 rows = dppair_rows_make_f32(x, MANY, 1, 1);
    const dppair_rows_f32 others = dppair_rows_make_f32(beside, 2, 1, 1);
    dppair_contrast how;
    dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
    size_t bytes;
    memset(&how, 0, sizeof how);
    how.compare = DPPAIR_COMPARE_DOT;
    how.temperature = 1e-36;
    how.positives = DPPAIR_POSITIVE_PARTNER;
    how.partner = partner;
    assert_int_equal(hingef_contrast_workspace(&bytes, MANY, 2, 1, NULL), DPPAIR_OK);
    assert_int_equal(hingef_contrast_workspace(&options.bytes, MANY, 2, 1, &options), DPPAIR_OK);
    assert_int_equal(bytes, options.bytes);
    options.work = malloc(options.bytes);
    for (size_t i = 0; i < MANY; i++) x[i] = dz[i] = 1;
    dz_beside[0] = dz_beside[1] = 1;
    assert_int_equal(hingef_contrast_gradient(dz, dz_beside, &rows, &others, &how, &options),
                     DPPAIR_ERR_NOT_FINITE);
    for (size_t i = 0; i < MANY; i++) assert_true(fabsf(dz[i]) <= 0);
    assert_true(fabsf(dz_beside[0]) <= 0 && fabsf(dz_beside[1]) <= 0);
    how.temperature = 1e-34;
    assert_int_equal(hingef_contrast_gradient(dz, dz_beside, &rows, &others, &how, &options),
                     DPPAIR_OK);
    assert_true(fabs((double)dz_beside[0] / -4e36 - 1) < 1e-6);
    free(options.work);
  }
}

static const struct CMUnitTest tests[] = {
    TEST(gradients_and_risks_are_those_of_loops_over_all_triplets),
    TEST(float_is_within_its_rounding),
    TEST(long_rows_too),
    TEST(ties_and_equal_rows_have_equal_shares),
    TEST(bits_depend_on_no_number_of_parts),
    TEST(gradients_are_those_of_risks),
    TEST(a_map_has_the_gradient_of_its_embeddings),
    TEST(nothing_comes_of_no_triplet),
    TEST(misuse_zeroes_the_results),
};
int main(void) { return RUN_TESTS(tests, NULL, NULL); }
