/* SPDX-License-Identifier: MIT */
/* Top-weighted ranking: coefficients against plain sums in long double, which differences of the
 * loss agree with; how far gradients move between all neighbours of small universes; releases. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair_top.h"

#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME sq32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME square /* one piece, without an end; it falls and rises */
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

#include "clips.h"
#include "draws.h"

enum { MOST = 160 };
static const double CAP = 2.6875; /* within a box, whose width is 2 */

typedef long double wide;
static double state_room[60000], float_room[60000], work[30000];
static double sp[MOST], sn[MOST], a[MOST], b[MOST];
static float fp[MOST], fn[MOST];
static wide ra[MOST], rb[MOST], size_a[MOST], size_b[MOST];
static dppair_fast log_state, sq_state;

/* phi and its slope: of the squared hinge where `hinge`, else of the logistic loss. */
static wide value(wide u, int hinge) {
  if (hinge) return u < 1 ? (1 - u) * (1 - u) : 0;
  return u > 0 ? log1pl(expl(-u)) : -u + log1pl(expl(u));
}
static wide slope(wide u, int hinge) {
  if (hinge) return u < 1 ? -2 * (1 - u) : 0;
  return -1 / (1 + expl(u));
}

static wide gap(double s, double t) { return (wide)s - (wide)t; }

/* The weight of score i among n of which k count, the largest after `sign`. */
static wide counted(const double *s, size_t n, size_t k, int sign, size_t i) {
  size_t above = 0, tied = 0, j;
  if (k == 0 || k >= n) return 1;
  for (j = 0; j < n; j++) {
    above += sign * s[j] > sign * s[i];
    tied += s[j] == s[i];
  }
  if (above >= k) return 0;
  return above + tied <= k ? 1 : (wide)(k - above) / (wide)tied;
}

static void add(size_t i, size_t j, wide times) { /* a pair's slope, and what it is rounded like */
  ra[i] += times;
  rb[j] -= times;
  size_a[i] += fabsl(times);
  size_b[j] += fabsl(times);
}

/* ra, rb: the derivatives of the loss; returns the loss. */
static wide plain(size_t np, size_t nn, const dppair_top *top, int hinge) {
  const wide others = (wide)(np + nn) - 1;
  wide loss = 0;
  size_t i, j;
  memset(ra, 0, sizeof ra);
  memset(rb, 0, sizeof rb);
  memset(size_a, 0, sizeof size_a);
  memset(size_b, 0, sizeof size_b);
  if (np == 0 || nn == 0) return 0;
  if (top->kind == DPPAIR_TOP_PARTIAL) {
    for (i = 0; i < np; i++)
      for (j = 0; j < nn; j++) {
        const wide w =
            counted(sp, np, top->positives, -1, i) * counted(sn, nn, top->negatives, 1, j);
        loss += w * value(gap(sp[i], sn[j]), hinge);
        add(i, j, w * slope(gap(sp[i], sn[j]), hinge));
      }
  } else if (top->kind == DPPAIR_TOP_PUSH) {
    for (j = 0; j < nn; j++) {
      wide h = 0, w;
      for (i = 0; i < np; i++) h += value(gap(sp[i], sn[j]), hinge) / others;
      loss += powl(h, (wide)top->power);
      w = (wide)top->power * (top->power > 1 ? powl(h, (wide)top->power - 1) : 1) / others;
      for (i = 0; i < np; i++) add(i, j, w * slope(gap(sp[i], sn[j]), hinge));
    }
  } else {
    for (i = 0; i < np; i++) {
      wide A = 0, B = 0;
      for (j = 0; j < nn; j++) A += value(gap(sp[i], sn[j]), hinge);
      for (j = 0; j < np; j++) B += value(gap(sp[i], sp[j]), hinge);
      loss += A / (A + B);
      for (j = 0; j < nn; j++) add(i, j, B / (A + B) / (A + B) * slope(gap(sp[i], sn[j]), hinge));
      for (j = 0; j < np; j++) {
        const wide v = -A / (A + B) / (A + B) * slope(gap(sp[i], sp[j]), hinge);
        ra[i] += v;
        ra[j] -= v;
        size_a[i] += fabsl(v);
        size_a[j] += fabsl(v);
      }
    }
  }
  return loss;
}

/* Scores: of any size, or on a grid, where many tie. */
static void scores(size_t np, size_t nn, int ties) {
  size_t i;
  for (i = 0; i < np; i++) sp[i] = ties ? 0.5 * (double)below(4) : (double)(float)(0.3 + normal());
  for (i = 0; i < nn; i++) sn[i] = ties ? 0.5 * (double)below(4) : (double)(float)normal();
  for (i = 0; i < np; i++) fp[i] = (float)(sp[i] = fmax(-CAP, fmin(CAP, sp[i])));
  for (i = 0; i < nn; i++) fn[i] = (float)(sn[i] = fmax(-CAP, fmin(CAP, sn[i])));
}

static const dppair_top KINDS[] = {
    {DPPAIR_TOP_PARTIAL, 0, 0, 0, 0, 0}, {DPPAIR_TOP_PARTIAL, 7, 0, 0, 0, 0},
    {DPPAIR_TOP_PARTIAL, 0, 3, 0, 0, 0}, {DPPAIR_TOP_PARTIAL, 5, 9, 0, 0, 0},
    {DPPAIR_TOP_PUSH, 0, 0, 1, 0, 0},    {DPPAIR_TOP_PUSH, 0, 0, 4, 0, 0},
    {DPPAIR_TOP_PUSH, 0, 0, 64, 0, 0},   {DPPAIR_TOP_PRECISION, 0, 0, 0, 0, 0}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* The largest difference to ra and rb, as a part of what is added up, and of `floor` times the
 * most that is. */
static double furthest(size_t np, size_t nn, double floor) {
  wide most = 0, least = 1e-300L, off;
  size_t i;
  for (i = 0; i < np; i++) least = floor * size_a[i] > least ? floor * size_a[i] : least;
  for (i = 0; i < nn; i++) least = floor * size_b[i] > least ? floor * size_b[i] : least;
  for (i = 0; i < np; i++) {
    off = fabsl((wide)a[i] - ra[i]) / (size_a[i] + least);
    most = off > most ? off : most;
  }
  for (i = 0; i < nn; i++) {
    off = fabsl((wide)b[i] - rb[i]) / (size_b[i] + least);
    most = off > most ? off : most;
  }
  return (double)most;
}

static int prepare(void **state) {
  (void)state;
  return log64_fast_init(&log_state, 2 * MOST, DPPAIR_ACCURACY_1E12, CAP, NULL, state_room,
                         sizeof state_room) ||
         sq32_fast_init(&sq_state, 2 * MOST, DPPAIR_ACCURACY_1E12, CAP, NULL, float_room,
                        sizeof float_room);
}

static void coefficients_are_those_of_plain_sums(void **state) {
  int round, k;
  (void)state;
  for (round = 0; round < (BRIEF ? 3 : 12); round++) {
    const size_t np = round < 3 ? (size_t)round : below(MOST / 2),
                 nn = round == 3 ? 0 : below(MOST / 2);
    scores(np, nn, round % 3 == 2);
    for (k = 0; k < KIND_COUNT; k++) {
      dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
      int fast;
      for (fast = 0; fast < 2; fast++) {
        plain(np, nn, &KINDS[k], 0);
        options.fast = fast ? &log_state : NULL;
        assert_int_equal(log64_top_coeffs(a, b, sp, np, sn, nn, &KINDS[k], &options), DPPAIR_OK);
        /* a power r magnifies the error of values r times; boxes round weights to 2^-50 of 1 */
        assert_true(furthest(np, nn, fast ? 0x1p-12 : 0) < (fast ? 64e-12 : 2e-13));
        if (KINDS[k].power == 64) continue;
        plain(np, nn, &KINDS[k], 1);
        options.fast = fast ? &sq_state : NULL;
        assert_int_equal(sq32_top_coeffs(a, b, fp, np, fn, nn, &KINDS[k], &options), DPPAIR_OK);
        assert_true(furthest(np, nn, 0) < (fast ? 2e-6 : 2e-5));
      }
    }
  }
}

static void plain_sums_are_derivatives_of_the_loss(void **state) {
  const double h = 0x1p-20;
  const size_t np = 9, nn = 12;
  wide of_p[9], of_n[12];
  size_t i;
  int k;
  (void)state;
  scores(np, nn, 0);
  for (k = 0; k < KIND_COUNT; k++) {
    wide high, low, most = 0;
    plain(np, nn, &KINDS[k], 0);
    memcpy(of_p, ra, sizeof of_p);
    memcpy(of_n, rb, sizeof of_n);
    for (i = 0; i < np + nn; i++) {
      double *const s = i < np ? sp + i : sn + (i - np), was = *s;
      const wide d = i < np ? of_p[i] : of_n[i - np];
      *s = was + h;
      high = plain(np, nn, &KINDS[k], 0);
      *s = was - h;
      low = plain(np, nn, &KINDS[k], 0);
      *s = was;
      most = fabsl(d) > most ? fabsl(d) : most;
      assert_true(fabsl((high - low) / (2 * (wide)h) - d) < 1e-8L * (most + 1e-3L));
    }
  }
}

/* NDCG by its definition: the exchange of two records, one pair at a time. */
static void ranked_pairs_weigh_what_an_exchange_does(void **state) {
  static float y[MOST];
  static double yd[MOST], c[MOST];
  static wide rc[MOST];
  const size_t places[4] = {0, 1, 14, 40};
  dppair_groups queries = {3, places, NULL, DPPAIR_WITHIN, 0};
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, &queries};
  int round;
  (void)state;
  for (round = 0; round < 6; round++) {
    const dppair_top top = {DPPAIR_TOP_NDCG, 0, 0, 0, round % 3 ? 5 : 0, round % 2 ? 0.05 : 0};
    size_t q, i, j, r;
    scores(40, 0, round >= 4);
    for (i = 0; i < 40; i++) y[i] = (float)(yd[i] = (double)below(round == 0 ? 2 : 4));
    memset(rc, 0, sizeof rc);
    for (q = 0; q < 3; q++) {
      const size_t from = places[q], m = places[q + 1] - from;
      wide gain[40], discount[40], best = 0;
      for (i = 0; i < m; i++) {
        wide sum = 0;
        size_t first = 0, same = 0, larger = 0;
        for (j = 0; j < m; j++) {
          const int before = sp[from + j] > sp[from + i] ||
                             (sp[from + j] == sp[from + i] && y[from + j] < y[from + i]);
          first += (size_t)before;
          same += sp[from + j] == sp[from + i] && y[from + j] == y[from + i];
          larger += y[from + j] > y[from + i] || (y[from + j] == y[from + i] && j < i);
        }
        gain[i] = exp2l((wide)y[from + i]) - 1;
        for (r = first; r < first + same; r++)
          if (top.depth == 0 || r < top.depth) sum += 1 / log2l((wide)r + 2);
        discount[i] = sum / (wide)same;
        if (top.depth == 0 || larger < top.depth) best += gain[i] / log2l((wide)larger + 2);
      }
      for (i = 0; i < m && best > 0; i++)
        for (j = 0; j < m; j++) {
          wide w = fabsl((gain[i] - gain[j]) * (discount[i] - discount[j])) / best;
          if (!(gain[i] > gain[j])) continue;
          if (top.cap > 0 && w > (wide)top.cap) w = (wide)top.cap;
          w *= slope(gap(sp[from + i], sp[from + j]), 0);
          rc[from + i] += w;
          rc[from + j] -= w;
        }
    }
    assert_int_equal(log64_top_ranks(c, sp, yd, 40, &top, &options), DPPAIR_OK);
    for (i = 0; i < 40; i++) assert_true(fabsl((wide)c[i] - rc[i]) < 1e-13L);
    assert_int_equal(sq32_top_ranks(c, fp, y, 40, &top, &options), DPPAIR_OK);
  }
  assert_int_equal(log64_top_ranks(c, sp, yd, 39, &KINDS[0], &options), DPPAIR_ERR_DOMAIN);
  { /* all that there is to lose, which no cap is below unless it is asked for */
    const dppair_top first = {DPPAIR_TOP_NDCG, 0, 0, 0, 1, 0};
    const double s[2] = {-0.5, 0.25}, grade[2] = {1, 0};
    options.groups = NULL;
    assert_int_equal(log64_top_ranks(c, s, grade, 2, &first, &options), DPPAIR_OK);
    assert_true(fabsl((wide)c[0] - slope(-0.75L, 0)) < 1e-15L && c[1] == -c[0]);
  }
}

static void edges_and_mistakes(void **state) {
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  dppair_top top = {DPPAIR_TOP_PARTIAL, 3, 0, 0, 0, 0};
  size_t i, bytes;
  (void)state;
  scores(5, 2, 0); /* fewer negatives than count: all of them */
  assert_int_equal(log64_top_coeffs(a, b, sp, 5, sn, 2, &top, &options), DPPAIR_OK);
  plain(5, 2, &top, 0);
  assert_true(furthest(5, 2, 0) < 2e-13);
  for (i = 0; i < 20; i++) sp[i] = sn[i] = 1.0; /* all tie: each has 3/20 of a place */
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_OK);
  for (i = 0; i < 20; i++) assert_true(fabs(a[i] + 1.5) < 1e-14 && fabs(b[i] - 1.5) < 1e-14);
  sp[3] = (double)NAN;
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_NOT_FINITE);
  assert_true(a[0] == 0 && b[19] == 0);
  sp[3] = -1e300; /* values without end */
  top.kind = DPPAIR_TOP_PUSH;
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_DOMAIN);
  top.power = 8;
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_UNREAD);
  top.negatives = 0;
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_NOT_FINITE);
  top.power = 65;
  assert_int_equal(log64_top_coeffs_workspace(&bytes, 20, &top, &options), DPPAIR_ERR_DOMAIN);
  top.power = 2;
  assert_int_equal(log64_top_coeffs_workspace(&bytes, 20, &top, &options), DPPAIR_OK);
  options.bytes = bytes - 1;
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_WORKSPACE);
  options.bytes = sizeof work;
  options.clip = clip_of(dppair_clip_init, 1);
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_NO_PROOF);
  options.clip = NULL;
  top.kind = DPPAIR_TOP_NDCG;
  top.power = 0;
  assert_int_equal(log64_top_coeffs(a, b, sp, 20, sn, 20, &top, &options), DPPAIR_ERR_DOMAIN);
}

/* All data sets of n records of a universe of points, with either label: the gradient of each; then
 * the largest move of all neighbours. Scores are the first coordinate, times w. */
static double gradient_of[1 << 16][2], universe[5][2];
static size_t points;

static void all_gradients(size_t n, const double *w, const dppair_top *top,
                          const dppair_options *options) {
  const size_t kinds = 2 * points;
  size_t count = 1, at, i;
  for (i = 0; i < n; i++) count *= kinds;
  for (at = 0; at < count; at++) {
    double x[8][2];
    dppair_rows_f64 rows;
    size_t up = 0, down = 0, rest = at;
    for (i = 0; i < n; i++, rest /= kinds) up += rest % 2;
    rest = at;
    rows = dppair_rows_make_f64(x[0], n, 2, 2);
    rows.positives = up;
    rows.radius = 1;
    for (i = 0, down = up, up = 0; i < n; i++, rest /= kinds)
      memcpy(x[rest % 2 ? up++ : down++], universe[rest % kinds / 2], sizeof x[0]);
    assert_int_equal(log64_top_gradient(gradient_of[at], &rows, w, top, options), DPPAIR_OK);
  }
}

static double largest_move(size_t n) {
  const size_t kinds = 2 * points;
  size_t count = 1, at, i, step, k;
  double most = 0;
  for (i = 0; i < n; i++) count *= kinds;
  for (at = 0; at < count; at++)
    for (i = 0, step = 1; i < n; i++, step *= kinds)
      for (k = at / step % kinds + 1; k < kinds; k++) {
        const double *g = gradient_of[at], *h = gradient_of[at + (k - at / step % kinds) * step];
        const double move = hypot(g[0] - h[0], g[1] - h[1]);
        most = move > most ? move : most;
      }
  return most;
}

/* The points: rows of norm 1 at most, whose scores are -1, 0, 1 or any times w, or nearly tie. */
static void place(size_t count, int nearly) {
  size_t i;
  points = count;
  for (i = 0; i < count; i++) {
    double *x = universe[i];
    x[0] = nearly ? 0.001 * (double)(i / 2) : i < 3 ? (double)i - 1 : between(-1, 1);
    x[1] = (i % 2 ? 1 : -1) * sqrt(1 - x[0] * x[0]);
  }
}

static void no_neighbour_moves_further_than_the_sensitivity(void **state) {
  const size_t most = (size_t)few_or_all(3, 6);
  double attained[12] = {0};
  int k, round;
  size_t n;
  (void)state;
  for (round = 0; round < few_or_all(4, 16); round++) {
    const double w[2] = {round == 0 ? 0 : round < 3 ? 0.001 : log_between(0.01, 2.0), 0};
    for (n = 2; n <= most; n++) {
      dppair_sampling all = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
      place(n < 4 ? 5 : n < 6 ? 4 : 3, round % 2); /* at most 2^16 data sets */
      for (k = 0; k < 12; k++) {
        const dppair_top top = {k < 8    ? DPPAIR_TOP_PARTIAL
                                : k < 11 ? DPPAIR_TOP_PUSH
                                         : DPPAIR_TOP_PRECISION,
                                k < 8 ? (size_t)k % 4 : 0,
                                k < 8 ? (size_t)k / 4 : 0,
                                k >= 8 && k < 11 ? 1u << (2 * (k - 8)) : 0,
                                0,
                                0};
        dppair_options options = {NULL, 0, round % 2 ? &log_state : NULL, NULL, work, sizeof work, NULL};
        dppair_bounds bounds = {1, w[0], 0, 0, 0};
        double s, ratio;
        assert_int_equal(log64_top_sensitivity(&s, 2, &bounds, &all, &top, &options), DPPAIR_OK);
        all_gradients(n, w, &top, &options);
        ratio = largest_move(n) / log64_top_divisor_(n, &top) / s;
        assert_true(ratio <= 1.0);
        if (n == 3 && ratio > attained[k]) attained[k] = ratio;
        if (getenv("SHOW"))
          printf("n %d w %.3f kind %d k %d m %d r %u: %.4f of %.4f\n", (int)n, w[0], (int)top.kind,
                 (int)top.negatives, (int)top.positives, top.power, ratio, s);
      }
    }
  }
  for (k = 0; k < 11; k++) assert_true(attained[k] > 0.99);
  assert_true(attained[11] > 0.2); /* towards 1/2 for many records: G/L of 2 G/L, at w = 0 */
}

/* A pair of neighbours of n <= 40 records of 3 numbers in the unit ball; many are far out. */
static float records32[2][40][3];
static double records[2][40][3];

static void neighbours(size_t *up, size_t n) {
  size_t i, k, at = below(n);
  const int flip = below(3) != 0;
  const double share = uniform();
  size_t count[2] = {0, 0};
  int side;
  double of[40][3], changed[3] = {0, 0, 0};
  int label[40];
  for (i = 0; i < n; i++) {
    double norm = 1e-9;
    for (k = 0; k < 3; k++) of[i][k] = below(4) ? (double)below(3) - 1 : normal();
    for (k = 0; k < 3; k++) norm += of[i][k] * of[i][k];
    for (k = 0; k < 3; k++) of[i][k] *= 0.999 / sqrt(norm > 1 ? norm : 1);
    label[i] = uniform() < share;
  }
  i = below(2) ? at : below(n);
  for (k = 0; k < 3; k++) changed[k] = i == at ? -of[i][k] : of[i][k];
  for (side = 0; side < 2; side++) {
    size_t down = 0;
    for (i = 0; i < n; i++) down += (size_t)(label[i] ^ (side && flip && i == at));
    up[side] = down;
    for (i = 0; i < n; i++) {
      const int positive = label[i] ^ (side && flip && i == at);
      const size_t to = positive ? count[side]++ : down++;
      for (k = 0; k < 3; k++) {
        records[side][to][k] = side && i == at ? changed[k] : of[i][k];
        records32[side][to][k] = (float)records[side][to][k];
      }
    }
  }
}

static void an_attacker_finds_no_larger_move(void **state) {
  int trial;
  (void)state;
  for (trial = 0; trial < few_or_all(300, 300000); trial++) {
    const size_t n = 2 + below(39), kind = below(3);
    const dppair_top top = {kind == 0   ? DPPAIR_TOP_PARTIAL
                            : kind == 1 ? DPPAIR_TOP_PUSH
                                        : DPPAIR_TOP_PRECISION,
                            kind ? 0 : below(8),
                            kind ? 0 : below(8),
                            kind == 1 ? 1 + (unsigned)below(9) : 0,
                            0,
                            0};
    dppair_options options = {NULL, 0, below(2) ? &log_state : NULL, NULL, work, sizeof work, NULL};
    dppair_sampling all = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
    const double w[3] = {normal() * log_between(0.01, 2), normal() * log_between(0.01, 2), 0};
    const float w32[3] = {(float)w[0], (float)w[1], 0};
    const double length = hypot((double)w32[0], (double)w32[1]) * 1.000001;
    dppair_bounds bounds = {1, length > hypot(w[0], w[1]) ? length : hypot(w[0], w[1]), 0, 0, 0};
    double g[2][3], s, move;
    size_t up[2], side;
    neighbours(up, n);
    for (side = 0; side < 2; side++) {
      dppair_rows_f64 rows = dppair_rows_make_f64(records[side][0], n, 3, 3);
      rows.positives = up[side];
      rows.radius = 1;
      assert_int_equal(log64_top_gradient(g[side], &rows, w, &top, &options), DPPAIR_OK);
    }
    assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &all, &top, &options), DPPAIR_OK);
    move = hypot(hypot(g[0][0] - g[1][0], g[0][1] - g[1][1]), g[0][2] - g[1][2]);
    assert_true(move / log64_top_divisor_(n, &top) <= s);
    if (top.kind == DPPAIR_TOP_PRECISION) continue; /* the squared hinge comes to 0 */
    options.fast = options.fast ? &sq_state : NULL;
    for (side = 0; side < 2; side++) {
      dppair_rows_f32 rows = dppair_rows_make_f32(records32[side][0], n, 3, 3);
      rows.positives = up[side];
      rows.radius = 1;
      assert_int_equal(sq32_top_gradient(g[side], &rows, w32, &top, &options), DPPAIR_OK);
    }
    assert_int_equal(sq32_top_sensitivity(&s, 3, &bounds, &all, &top, &options), DPPAIR_OK);
    move = hypot(hypot(g[0][0] - g[1][0], g[0][1] - g[1][1]), g[0][2] - g[1][2]);
    assert_true(move / sq32_top_divisor_(n, &top) <= s);
  }
}

static const uint8_t KEY[32] = {7}, RUN[16] = {8};
static const dppair_release_keys FIXED = {KEY, RUN};

static dppair_status release_once(double *g, dppair_release *release, size_t n, size_t positives,
                                  size_t side, const dppair_top *top, const dppair_options *options,
                                  dppair_sampling sampling, const double *y) {
  static dppair_accountant account;
  const double w[3] = {0.3, -0.2, 0.1};
  dppair_plan plan;
  dppair_rows_f64 rows = dppair_rows_make_f64(records[side][0], n, 3, 3);
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = 2;
  plan.steps = 1;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(release, &account, &plan, &FIXED), DPPAIR_OK);
  rows.positives = positives;
  rows.radius = 1;
  rows.y = y;
  return log64_release_top(g, release, &rows, w, top, options);
}

static void releases_move_and_divide_as_they_say(void **state) {
  const size_t n = 30, places[4] = {0, 3, 14, 30};
  const dppair_groups queries = {3, places, NULL, DPPAIR_WITHIN, n};
  const dppair_sampling all = dppair_sampling_all(30, DPPAIR_REPLACE_ONE);
  const dppair_sampling of_queries = dppair_sampling_all(3, DPPAIR_REPLACE_QUERY);
  dppair_options options = {NULL, 0, &log_state, NULL, work, sizeof work, NULL};
  dppair_release release[2];
  dppair_top top;
  double g[2][3], y[2][30];
  size_t up[2], i, k, side;
  (void)state;
  neighbours(up, n);
  for (k = 0; k < KIND_COUNT; k++) {
    for (side = 0; side < 2; side++)
      assert_int_equal(
          release_once(g[side], &release[side], n, up[side], side, &KINDS[k], &options, all, NULL),
          DPPAIR_OK);
    assert_true(hypot(hypot(g[0][0] - g[1][0], g[0][1] - g[1][1]), g[0][2] - g[1][2]) <
                1.01 * release[0].sensitivity);
    assert_true(release[0].divisor == log64_top_divisor_(n, &KINDS[k]));
    /* no positive at all: the same noise, no error */
    assert_int_equal(release_once(g[1], &release[1], n, 0, 0, &KINDS[k], &options, all, NULL),
                     DPPAIR_OK);
    assert_true(release[1].sensitivity == release[0].sensitivity && release[1].sigma > 0);
  }
  assert_true(KINDS[3].kind == DPPAIR_TOP_PARTIAL && log64_top_divisor_(n, &KINDS[3]) == 45);
  assert_true(log64_top_divisor_(n, &KINDS[0]) == 30 * 29 &&
              log64_top_divisor_(n, &KINDS[5]) == 30);
  /* NDCG: a clip of each query, which another query takes the place of */
  memset(&top, 0, sizeof top);
  top.kind = DPPAIR_TOP_NDCG;
  for (i = 0; i < n; i++) y[0][i] = y[1][i] = (double)below(4);
  for (i = 3; i < 14; i++) {
    y[1][i] = (double)below(4);
    for (k = 0; k < 3; k++) records[1][i][k] = -records[0][i][k];
  }
  for (i = 0; i < n; i++)
    if (i < 3 || i >= 14) memcpy(records[1][i], records[0][i], sizeof records[0][i]);
  options.fast = NULL;
  assert_int_equal(release_once(g[0], &release[0], n, 0, 0, &top, &options, of_queries, y[0]),
                   DPPAIR_ERR_NO_PROOF); /* no queries */
  options.groups = &queries;
  assert_int_equal(release_once(g[0], &release[0], n, 0, 0, &top, &options, of_queries, y[0]),
                   DPPAIR_ERR_NO_PROOF); /* no clip */
  assert_int_equal(release[0].step, 0);
  options.clip = clip_of(dppair_clip_init, 0.01);
  for (side = 0; side < 2; side++)
    assert_int_equal(
        release_once(g[side], &release[side], n, 0, side, &top, &options, of_queries, y[side]),
        DPPAIR_OK);
  assert_true(fabs(release[0].sensitivity - 0.02 / 3) < 1e-13 && release[0].divisor == 3);
  assert_true(hypot(hypot(g[0][0] - g[1][0], g[0][1] - g[1][1]), g[0][2] - g[1][2]) <
              1.01 * 0.02 / 3);
  assert_int_equal(release_once(g[0], &release[0], n, 0, 0, &top, &options, all, y[0]), DPPAIR_OK);
  assert_true(fabs(release[0].sensitivity - 0.02 / 3) < 1e-13); /* a record stays in its query */
  assert_int_equal(release_once(g[0], &release[0], n, 0, 0, &KINDS[1], &options, all, y[0]),
                   DPPAIR_ERR_NO_PROOF); /* queries of another loss */
  options.groups = NULL;
  options.clip = NULL;
  options.bytes = 100;
  assert_int_equal(release_once(g[0], &release[0], n, 3, 0, &KINDS[1], &options, all, NULL),
                   DPPAIR_ERR_WORKSPACE);
  assert_true(g[0][0] == 0 && g[0][2] == 0);
}

/* What a batch of random size is divided by does not show its size. */
static void a_poisson_batch_has_a_public_divisor(void **state) {
  static dppair_accountant account;
  static dppair_release release;
  const double w[3] = {0.3, -0.2, 0.1};
  const dppair_top top = {DPPAIR_TOP_PARTIAL, 4, 3, 0, 0, 0};
  dppair_options options = {NULL, 0, &log_state, NULL, work, sizeof work, NULL};
  dppair_rows_f64 rows = dppair_rows_make_f64(records[0][0], 30, 3, 3), batch;
  double of_batch[30][3], g[3];
  dppair_plan plan;
  size_t index[30], count, up[2], sizes = 0;
  int step;
  (void)state;
  neighbours(up, 30);
  rows.positives = up[0];
  rows.radius = 1;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_poisson(30, 6, DPPAIR_ZERO_OUT);
  plan.noise_multiplier = 2;
  plan.steps = 20;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  for (step = 0; step < 20; step++) {
    assert_int_equal(draw_now(index, &count, 30, &release), DPPAIR_OK);
    sizes |= (size_t)1 << count;
    assert_int_equal(dppair_gather_f64(&batch, of_batch[0], NULL, NULL, &drawn_now, &rows),
                     DPPAIR_OK);
    assert_int_equal(log64_release_top(g, &release, &batch, w, &top, &options), DPPAIR_OK);
    assert_true(release.divisor == 12);
  }
  assert_int_equal(log64_release_top(g, &release, NULL, w, &top, &options), DPPAIR_ERR_NULL);
  assert_true((sizes & (sizes - 1)) != 0 && (sizes & 127) != 0); /* smaller ones than 7 too */
}

static void what_has_no_proof_is_refused(void **state) {
  const dppair_sampling poisson = dppair_sampling_poisson(100, 10, DPPAIR_ZERO_OUT);
  const dppair_sampling zero = dppair_sampling_all(100, DPPAIR_ZERO_OUT);
  const dppair_sampling all = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  const dppair_sampling drawn = dppair_sampling_without_replacement(1000, 100, DPPAIR_REPLACE_ONE);
  const dppair_bounds bounds = {1, 0.5, 0, 0, 0};
  dppair_bounds far = bounds;
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  double s, t;
  size_t bytes;
  (void)state;
  assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &poisson, &KINDS[5], &options),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(s == 0);
  assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &zero, &KINDS[7], &options),
                   DPPAIR_ERR_NO_PROOF);
  assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &zero, &KINDS[3], &options), DPPAIR_OK);
  assert_int_equal(log64_top_sensitivity(&t, 3, &bounds, &all, &KINDS[3], &options), DPPAIR_OK);
  assert_true(fabs(s / t - 9.0 / 14) < 1e-9); /* max(m, k) of m + k */
  assert_int_equal(log64_top_sensitivity(&t, 3, &bounds, &poisson, &KINDS[3], &options), DPPAIR_OK);
  assert_true(s == t); /* a record joins */
  far.param_radius = 1e5;
  assert_int_equal(log64_top_sensitivity(&s, 3, &far, &all, &KINDS[6], &options), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(sq32_top_sensitivity(&s, 3, &bounds, &all, &KINDS[7], &options),
                   DPPAIR_ERR_NO_PROOF);
  assert_int_equal(sq32_top_sensitivity(&s, 3, &bounds, &all, &KINDS[5], &options), DPPAIR_OK);
  assert_int_equal(log64_sensitivity(&s, 3, &bounds, &all, &options), DPPAIR_OK);
  assert_int_equal(log64_top_sensitivity(&t, 3, &bounds, &all, &KINDS[0], &options), DPPAIR_OK);
  assert_true(fabs(t / s - 1) < 1e-10); /* all pairs, two ways */
  assert_int_equal(log64_top_sensitivity(&t, 3, &bounds, &all, &KINDS[4], &options), DPPAIR_OK);
  assert_true(fabs(t / s - 1) < 1e-10);
  assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &drawn, &KINDS[1], &options), DPPAIR_OK);
  assert_int_equal(log64_top_sensitivity(&t, 3, &bounds, &all, &KINDS[1], &options), DPPAIR_OK);
  assert_true(s == t);
  assert_int_equal(log64_top_workspace(&bytes, SIZE_MAX / 16, 3, &KINDS[1], &options),
                   DPPAIR_ERR_OVERFLOW);
  assert_int_equal(log64_top_workspace(&bytes, 100, 3, &KINDS[1], &options), DPPAIR_OK);
  options.clip = clip_of(dppair_clip_init, 1);
  assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &all, &KINDS[1], &options),
                   DPPAIR_ERR_NO_PROOF);
}

/* Of many records, at far margins, of groups and clips that are none: refused, with 0. */
static void sensitivities_end_where_rounding_says_nothing(void **state) {
  const size_t places[4] = {0, 3, 14, 30};
  const dppair_sampling all = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  const dppair_sampling many = dppair_sampling_all((size_t)100000000000000, DPPAIR_REPLACE_ONE);
  const dppair_sampling of_queries = dppair_sampling_all(3, DPPAIR_REPLACE_QUERY);
  const dppair_sampling zeroed = dppair_sampling_all(3, DPPAIR_ZERO_QUERY);
  dppair_sampling none = all,
                  owned = dppair_sampling_without_replacement(100, 10, DPPAIR_REPLACE_ONE);
  const dppair_bounds bounds = {1, 0.5, 0, 0, 0}, apart = {1, 60, 0, 0, 0},
                      beyond = {1e25, 1e25, 0, 0, 0};
  dppair_groups queries = {3, places, NULL, DPPAIR_WITHIN, 30};
  dppair_top ranks;
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  double s = 1, t;
  (void)state;
  memset(&ranks, 0, sizeof ranks);
  ranks.kind = DPPAIR_TOP_NDCG;
#define REFUSED(status, call)                                                                      \
  s = 1;                                                                                           \
  assert_int_equal(call, status);                                                                  \
  assert_true(s == 0)
  REFUSED(DPPAIR_ERR_SIZE, log64_top_sensitivity(&s, 3, &bounds, &many, &KINDS[5], &options));
  REFUSED(DPPAIR_ERR_SIZE, log64_top_sensitivity(&s, 3, &bounds, &many, &KINDS[7], &options));
  /* values that are less than their errors, and margins that no float holds */
  REFUSED(DPPAIR_ERR_NO_PROOF, log64_top_sensitivity(&s, 3, &apart, &all, &KINDS[7], &options));
  assert_true(sq32_top_sensitivity(&s, 3, &beyond, &all, &KINDS[5], &options) != DPPAIR_OK && s == 0);
  /* a loss that rises has no largest value at an end */
  REFUSED(DPPAIR_ERR_NO_PROOF, square_top_sensitivity(&s, 3, &bounds, &all, &KINDS[5], &options));
  assert_int_equal(square_top_sensitivity(&s, 3, &bounds, &all, &KINDS[1], &options), DPPAIR_OK);
  owned.owned = 3; /* users, of whose records some are drawn */
  owned.adjacency = DPPAIR_REPLACE_USER;
  REFUSED(DPPAIR_ERR_NO_PROOF, log64_top_sensitivity(&s, 3, &bounds, &owned, &KINDS[1], &options));
  options.groups = &queries;
  options.clip = clip_of(dppair_clip_init, DBL_MAX);
  REFUSED(DPPAIR_ERR_NO_PROOF, log64_top_sensitivity(&s, 3, &bounds, &of_queries, &ranks, &options));
  options.clip = clip_of(dppair_clip_init, 0.01);
  assert_int_equal(log64_top_sensitivity(&s, 3, &bounds, &of_queries, &ranks, &options), DPPAIR_OK);
  assert_int_equal(log64_top_sensitivity(&t, 3, &bounds, &zeroed, &ranks, &options), DPPAIR_OK);
  assert_true(fabs(t / s - 0.5) < 1e-12); /* the query alone goes */
  /* 27 epsilon of the length, 13.5 of the mean over 3 queries of 30 records at most, 64 at the end
   */
  assert_true((s / (0.02 / 3) - 1) / DBL_EPSILON > 27 + 64);
  none.n = 0;
  REFUSED(DPPAIR_ERR_SIZE, log64_top_sensitivity(&s, 3, &bounds, &none, &ranks, &options));
  queries.most = 29;
  REFUSED(DPPAIR_ERR_SIZE, log64_top_sensitivity(&s, 3, &bounds, &of_queries, &ranks, &options));
#undef REFUSED
}

/* The same sums in three ways: a piece that has no end, sides without records, grades beyond the
 * range. */
static void ends_of_sums(void **state) {
  static const dppair_top precision = {DPPAIR_TOP_PRECISION, 0, 0, 0, 0, 0},
                          push = {DPPAIR_TOP_PUSH, 0, 0, 3, 0, 0};
  static double room[60000], loops[2][MOST];
  dppair_fast fast;
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  dppair_top ranks;
  double c[3][4], y[4] = {40, 1, 0, -1};
  float cf[4], yf[4] = {40, 1, 0, -1};
  double big[2] = {0, 0};
  (void)cf;
  (void)yf;
  (void)state;
  assert_int_equal(
      square_fast_init(&fast, 2 * MOST, DPPAIR_ACCURACY_1E12, CAP, NULL, room, sizeof room),
      DPPAIR_OK);
  scores(30, 40, 0);
  for (int k = 0; k < 2; k++) {
    options.fast = NULL;
    assert_int_equal(square_top_coeffs(a, b, sp, 30, sn, 40, k ? &push : &precision, &options),
                     DPPAIR_OK);
    memcpy(loops[0], a, sizeof a);
    memcpy(loops[1], b, sizeof b);
    options.fast = &fast;
    assert_int_equal(square_top_coeffs(a, b, sp, 30, sn, 40, k ? &push : &precision, &options),
                     DPPAIR_OK);
    for (size_t i = 0; i < 40; i++) {
      if (i < 30) assert_true(fabs(a[i] - loops[0][i]) < 1e-11 * (1 + fabs(a[i])));
      assert_true(fabs(b[i] - loops[1][i]) < 1e-11 * (1 + fabs(b[i])));
    }
  }
  options.fast = NULL;
  assert_int_equal(log64_top_coeffs(NULL, b, NULL, 0, sn, 3, &KINDS[1], &options), DPPAIR_OK);
  assert_true(b[0] == 0 && b[2] == 0);
  assert_int_equal(log64_top_coeffs(a, NULL, sp, 3, NULL, 0, &KINDS[1], &options), DPPAIR_OK);
  assert_true(a[0] == 0 && a[2] == 0);
  memset(&ranks, 0, sizeof ranks);
  ranks.kind = DPPAIR_TOP_NDCG;
  for (int k = 0; k < 3; k++) { /* 40 counts as 32 does, NaN and -1 as 0; a state is not read */
    y[0] = k ? 32 : 40;
    y[3] = k < 2 ? -1 : (double)NAN;
    options.fast = k ? &log_state : NULL;
    assert_int_equal(log64_top_ranks(c[k], sp, y, 4, &ranks, &options), DPPAIR_OK);
    assert_memory_equal(c[k], c[0], sizeof c[0]);
  }
  options.fast = &sq_state;
  assert_int_equal(sq32_top_ranks(c[0], fp, yf, 4, &ranks, &options), DPPAIR_OK);
  /* weights that are 0, or beyond the range, stay */
  assert_true(dppair_top_scale_(big, 2) == 1 && big[0] == 0);
  big[1] = HUGE_VAL;
  assert_true(dppair_top_scale_(big, 2) == 1 && big[1] > DBL_MAX);
}

/* Releases of a piecewise linear slope by its state: too small a state, or another loss's, is
 * refused before a permit is used. */
static void a_release_needs_room_in_its_state(void **state) {
  static dppair_accountant account;
  static dppair_release release;
  const float w[3] = {0.3f, -0.2f, 0.1f};
  static const dppair_top partial = {DPPAIR_TOP_PARTIAL, 5, 9, 0, 0, 0},
                          push = {DPPAIR_TOP_PUSH, 0, 0, 2, 0, 0};
  dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
  dppair_rows_f32 rows = dppair_rows_make_f32(records32[0][0], 30, 3, 3);
  dppair_fast small = sq_state, other = sq_state;
  dppair_plan plan;
  double g[3], longer[3];
  (void)state;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(30, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = 2;
  plan.steps = 20;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  rows.positives = 12;
  rows.radius = 1;
  small.capacity = 29;
  other.kind = DPPAIR_KIND_ANALYTIC_;
  for (int k = 0; k < 3; k++) {
    const dppair_top *top = k == 0 ? NULL : k == 1 ? &partial : &push;
#define RELEASE()                                                                                  \
  (top ? sq32_release_top(g, &release, &rows, w, top, &options)                                       \
       : sq32_release(g, &release, &rows, w, &options))
    for (int bad = 0; bad < 2; bad++) {
      const size_t step = release.step;
      options.fast = bad ? &other : &small;
      g[0] = 7;
      assert_int_equal(RELEASE(), DPPAIR_ERR_WORKSPACE);
      assert_true(g[0] == 0 && release.step == step);
    }
    options.fast = &sq_state;
    assert_int_equal(RELEASE(), DPPAIR_OK);
    assert_true(release.sensitivity > 0);
    memcpy(longer, g, sizeof g);
    options.fast = NULL;
    assert_int_equal(RELEASE(), DPPAIR_OK);
    assert_true(fabs(g[0] - longer[0]) > 0); /* another noise */
  }
  options.fast = &small; /* which is not read where pairs are clipped */
  options.clip = clip_of(sq32_clip_init, 0.5);
  assert_int_equal(sq32_release(g, &release, &rows, w, &options), DPPAIR_OK);
  assert_int_equal(sq32_release_top(g, &release, NULL, w, &partial, &options), DPPAIR_ERR_NULL);
  options.clip = NULL;
  options.fast = NULL;
  { /* slopes and sums that could leave the range, by public numbers */
    const float steep[3] = {1e15f, 0, 0};
    const size_t step = release.step;
    rows.radius = 1e3;
    assert_int_equal(sq32_release_top(g, &release, &rows, steep, &push, &options),
                     DPPAIR_ERR_OVERFLOW);
    rows.radius = 1e18;
    assert_int_equal(sq32_release_top(g, &release, &rows, w, &push, &options), DPPAIR_ERR_OVERFLOW);
    assert_true(g[0] == 0 && release.step == step);
  }
#undef RELEASE
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(coefficients_are_those_of_plain_sums),
      TEST(plain_sums_are_derivatives_of_the_loss),
      TEST(ranked_pairs_weigh_what_an_exchange_does),
      TEST(edges_and_mistakes),
      TEST(no_neighbour_moves_further_than_the_sensitivity),
      TEST(an_attacker_finds_no_larger_move),
      TEST(releases_move_and_divide_as_they_say),
      TEST(a_poisson_batch_has_a_public_divisor),
      TEST(what_has_no_proof_is_refused),
      TEST(sensitivities_end_where_rounding_says_nothing),
      TEST(ends_of_sums),
      TEST(a_release_needs_room_in_its_state),
  };
  return RUN_TESTS(tests, prepare, NULL);
}
