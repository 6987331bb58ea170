/* SPDX-License-Identifier: MIT */
/* Pairs made pointwise: histograms of scores and gradients against them move by what their noise is
 * for, and by no less; parts of one permit cost what one statistic costs, also of one batch. */
#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_evaluation.h"
#include "dppair_pointwise.h"

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_NAME small
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#include "tests.h"
#include "clips.h"
#include "questions.h"
#include "draws.h"

enum { N = 12, D = 2, NODES = 5 };
static const uint8_t KEY[32] = {4, 5, 6}, RUN[16] = {3};
static const dppair_release_keys FIXED = {KEY, RUN};
static const double NODE[NODES] = {-2, -1, 0.5, 1, 3};

static dppair_accountant account;
static dppair_release release;
static double count[2 * NODES], room[1 << 12];

static dppair_histogram nodes_of(void) {
  dppair_histogram h = {NODE, NODES, count, 0};
  return h;
}

static void open_plan(dppair_sampling sampling, double multiplier, dppair_mechanism_kind law) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = multiplier;
  plan.steps = 3;
  plan.noise = law;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
}

/* --- histograms ------------------------------------------------------------------------------- */

/* All places of a score, in both classes, and weights: two records are at most sqrt 2 and 2 apart,
 * one and none 1 and 1, and both are attained. Sums are exact in any order. */
static void a_record_moves_the_histogram_by_what_is_charged(void **state) {
  enum { PLACES = 47, KINDS = 2 * PLACES + 8 };
  static double vector[KINDS][2 * NODES];
  const dppair_histogram h = nodes_of();
  double l1 = 0, l2 = 0, own1 = 0, own2 = 0;
  (void)state;
  memset(vector, 0, sizeof vector);
  for (int i = 0; i < KINDS; i++) {
    double s = -2.5 + 6.0 * (i % PLACES) / (PLACES - 1), units = 1048576;
    if (i >= 2 * PLACES) s = i % 2 ? (double)NAN : HUGE_VAL, units = i % 3 ? units : 0;
    if (i % 11 == 7) units = dppair_weight_units_(uniform());
    dppair_histogram_count_(vector[i] + (i >= PLACES ? NODES : 0), &h, s, units);
  }
  for (int i = 0; i < KINDS; i++) {
    double a1 = 0, a2 = 0;
    for (int j = 0; j < KINDS; j++) {
      double b1 = 0, b2 = 0;
      for (int k = 0; k < 2 * NODES; k++) {
        const double d = vector[i][k] - vector[j][k];
        b1 += fabs(d), b2 += d * d;
      }
      l1 = fmax(l1, b1), l2 = fmax(l2, b2);
    }
    for (int k = 0; k < 2 * NODES; k++) {
      assert_true(vector[i][k] >= 0);
      a1 += vector[i][k], a2 += vector[i][k] * vector[i][k];
    }
    own1 = fmax(own1, a1), own2 = fmax(own2, a2);
  }
  assert_true(l1 == 2 && l2 == 2 && own1 == 1 && own2 == 1);
  assert_true(dppair_weight_units_(NAN) == 0 && dppair_weight_units_(-1) == 0);
  assert_true(dppair_weight_units_(7) == 1048576 && dppair_weight_units_(HUGE_VAL) == 0);
}

/* The scale of the noise under each law and relation, and that the noise has it. */
static void the_noise_of_a_histogram_is_that_of_its_norm(void **state) {
  static const struct {
    dppair_adjacency adjacency;
    dppair_mechanism_kind law;
    double sensitivity;
  } rows[] = {{DPPAIR_REPLACE_ONE, DPPAIR_GAUSSIAN, 1.4142135623730951},
              {DPPAIR_ZERO_OUT, DPPAIR_GAUSSIAN, 1},
              {DPPAIR_REPLACE_ONE, DPPAIR_LAPLACE, 2},
              {DPPAIR_ZERO_OUT, DPPAIR_LAPLACE, 1}};
  enum { MANY = 8000 };
  static double node[MANY], counts[2 * MANY];
  const double s[3] = {-1, NAN, 0.25}, weight[3] = {1, 0, 0.5};
  (void)state;
  for (int k = 0; k < MANY; k++) node[k] = k;
  for (int r = 0; r < 4; r++) {
    dppair_histogram h = {node, MANY, counts, 0};
    double size = 0, variance = rows[r].law == DPPAIR_LAPLACE ? 2 : 1;
    open_plan(dppair_sampling_all(3, rows[r].adjacency), 5, rows[r].law);
    assert_int_equal(dppair_release_score_histogram(&h, &release, s, weight, 3, 1), DPPAIR_OK);
    assert_true(release.sensitivity == rows[r].sensitivity && h.records == 3 && release.step == 1);
    assert_true(fabs(release.sigma / (5 * rows[r].sensitivity) - 1) < 1e-14);
    for (int k = 0; k < 2 * MANY; k++) size += counts[k] * counts[k] / (2.0 * MANY);
    assert_true(fabs(size / (variance * release.sigma * release.sigma) - 1) < 0.06);
  }
  /* with next to no noise: scores below the nodes and NaN count as the first one; weight 0 is no
   * record */
  {
    dppair_histogram h = {node, MANY, counts, 0};
    open_plan(dppair_sampling_all(3, DPPAIR_ZERO_OUT), 1e-9, DPPAIR_GAUSSIAN);
    assert_int_equal(dppair_release_score_histogram(&h, &release, s, weight, 3, 1), DPPAIR_OK);
    assert_true(fabs(counts[0] - 1) < 1e-6 && fabs(counts[MANY] - 0.375) < 1e-6);
    assert_true(fabs(counts[MANY + 1] - 0.125) < 1e-6 && fabs(counts[MANY + 2]) < 1e-6);
  }
}

static void wrong_histograms_cost_nothing(void **state) {
  static const double falling[3] = {0, 1, 1}, wide[2] = {-1.7e308, 1.7e308}, hole[2] = {0, NAN};
  const double s[N] = {0};
  dppair_histogram h = nodes_of();
  (void)state;
  open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1, DPPAIR_GAUSSIAN);
#define REFUSED(status, call)                                                                      \
  count[0] = 7, h.records = 1;                                                                     \
  assert_int_equal(call, status);                                                                  \
  assert_true(count[0] == 0 && h.records == 0 && release.step == 0)
  REFUSED(DPPAIR_ERR_NULL, dppair_release_score_histogram(&h, &release, NULL, NULL, N, 0));
  REFUSED(DPPAIR_ERR_NULL, dppair_release_score_histogram(&h, NULL, s, NULL, N, 0));
  REFUSED(DPPAIR_ERR_SIZE, dppair_release_score_histogram(&h, &release, s, NULL, N - 1, 0));
  REFUSED(DPPAIR_ERR_SIZE, dppair_release_score_histogram(&h, &release, s, NULL, N, N + 1));
  h.node = falling, h.nodes = 3;
  REFUSED(DPPAIR_ERR_DOMAIN, dppair_release_score_histogram(&h, &release, s, NULL, N, 0));
  h.node = wide, h.nodes = 2;
  REFUSED(DPPAIR_ERR_DOMAIN, dppair_release_score_histogram(&h, &release, s, NULL, N, 0));
  h.node = hole;
  REFUSED(DPPAIR_ERR_DOMAIN, dppair_release_score_histogram(&h, &release, s, NULL, N, 0));
  h.nodes = 1;
  REFUSED(DPPAIR_ERR_SIZE, dppair_release_score_histogram(&h, &release, s, NULL, N, 0));
  h = nodes_of();
  open_plan(dppair_sampling_all(N, DPPAIR_ZERO_USER), 1, DPPAIR_GAUSSIAN);
  REFUSED(DPPAIR_ERR_ADJACENCY, dppair_release_score_histogram(&h, &release, s, NULL, N, 0));
  open_plan(dppair_sampling_poisson(N, 3, DPPAIR_ZERO_OUT), 1, DPPAIR_GAUSSIAN);
  REFUSED(DPPAIR_ERR_NOT_DRAWN, dppair_release_score_histogram(&h, &release, s, NULL, N, 0));
#undef REFUSED
  assert_int_equal(dppair_release_score_histogram(NULL, &release, s, NULL, N, 0), DPPAIR_ERR_NULL);
}

/* --- coefficients ----------------------------------------------------------------------------- */

/* Scores that are nodes, counted exactly: the coefficients of all pairs. */
static void on_the_nodes_coefficients_are_those_of_pairs(void **state) {
  enum { MANY = 200 };
  static double s[MANY], c[MANY], pairs[MANY], turned[MANY], t[MANY];
  static float f[MANY];
  (void)state;
  for (int round = 0; round < 20; round++) {
    const size_t p = below(MANY + 1);
    double hinge[MANY];
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < MANY; i++) {
      const size_t k = below(NODES);
      s[i] = NODE[k], f[i] = (float)s[i];
      count[i < p ? k : NODES + k] += 1;
    }
    assert_int_equal(rank_coeffs_from_histogram(c, s, MANY, p, NODE, count, NODES, NULL),
                     DPPAIR_OK);
    assert_int_equal(rank_coeffs(pairs, pairs + p, s, p, s + p, MANY - p, NULL), DPPAIR_OK);
    for (int i = 0; i < MANY; i++) assert_true(fabs(c[i] - pairs[i]) < 1e-12 * MANY);
    assert_int_equal(small_coeffs_from_histogram(hinge, f, MANY, p, NODE, count, NODES, NULL),
                     DPPAIR_OK);
    assert_int_equal(small_coeffs(pairs, pairs + p, f, p, f + p, MANY - p, NULL), DPPAIR_OK);
    for (int i = 0; i < MANY; i++) assert_true(fabs(hinge[i] - pairs[i]) < 1e-12 * MANY);
    /* each depends on its own score alone: to the bit, at any place, among any others */
    for (size_t i = 0; i < MANY; i++) s[i] = normal() * (i % 7 ? 1.0 : 300.0);
    for (size_t k = 0; k < 2 * NODES; k++) count[k] += normal();
    for (size_t i = 0; i < p; i++) turned[i] = s[p - 1 - i];
    for (size_t i = p; i < MANY; i++) turned[i] = s[MANY - 1 + p - i];
    assert_int_equal(rank_coeffs_from_histogram(c, s, MANY, p, NODE, count, NODES, NULL),
                     DPPAIR_OK);
    assert_int_equal(rank_coeffs_from_histogram(t, turned, MANY, p, NODE, count, NODES, NULL),
                     DPPAIR_OK);
    for (size_t i = 0; i < MANY; i++) assert_true(t[i] == c[i < p ? p - 1 - i : MANY - 1 + p - i]);
  }
  count[3] = NAN;
  c[0] = 1;
  assert_int_equal(rank_coeffs_from_histogram(c, s, MANY, 0, NODE, count, NODES, NULL),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(c[0] == 0);
  assert_int_equal(rank_coeffs_from_histogram(c, s, 3, 4, NODE, NODE, 2, NULL), DPPAIR_ERR_SIZE);
  assert_int_equal(rank_coeffs_from_histogram(c, NULL, 3, 0, NODE, NODE, 2, NULL), DPPAIR_ERR_NULL);
}

/* --- gradients -------------------------------------------------------------------------------- */

/* The released gradient of these records, the first p of them positive, with always the same noise.
 */
static void gradient_of(double *g, double x[N][D], size_t p, dppair_adjacency adjacency,
                        const dppair_histogram *h, const double *w, double clip,
                        const double *weight) {
  double factor[N];
  dppair_rows_f64 rows;
  dppair_options options = {0};
  options.work = room;
  options.bytes = sizeof room;
  open_plan(dppair_sampling_all(N, adjacency), 1e-9, DPPAIR_GAUSSIAN);
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
  rows.positives = p;
  rows.weight = weight;
  assert_int_equal(rank_release_pointwise(g, &release, &rows, w, h, clip, &options), DPPAIR_OK);
}

/* Records, their neighbour with record 0 replaced or zeroed, counts, w: by chance and by climbing.
 * With the noise the same, releases differ by what the gradient moves. */
static void a_record_moves_the_gradient_by_what_is_charged(void **state) {
  const char *tries = getenv("FRONTIER");
  const int rounds = tries != NULL ? atoi(tries) : BRIEF ? 60 : 400;
  double best[2] = {0, 0};
  (void)state;
  for (int replace = 0; replace < 2; replace++) {
    double at[2 * D + 2 * NODES + D + 2], top = -1;
    for (int round = 0; round < rounds; round++) {
      double x[N][D], y[N][D], g[D], other[D], w[D], z[2 * D + 2 * NODES + D + 2], moved = 0;
      const size_t size = sizeof z / sizeof *z;
      dppair_histogram h = nodes_of();
      const double clip = 0.05;
      const size_t p = 1 + below(N - 1);
      memcpy(z, at, sizeof z);
      for (size_t k = 0; k < size; k++)
        if (round % 4 == 0 || below(5) == 0)
          z[k] = round % 4 == 0 ? normal() * (k > 3 ? 8 : 1) : z[k] + 0.5 * normal();
      for (int k = 0; k < 2 * NODES; k++) count[k] = z[2 * D + k];
      for (int k = 0; k < D; k++) w[k] = z[2 * D + 2 * NODES + k];
      for (int i = 0; i < N; i++)
        for (int k = 0; k < D; k++) x[i][k] = i == 0 ? z[k] : normal();
      memcpy(y, x, sizeof y);
      for (int k = 0; k < D; k++) y[0][k] = replace ? z[D + k] : 0.0;
      h.records = N;
      gradient_of(g, x, p, replace ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, &h, w, clip, NULL);
      gradient_of(other, y, p, replace ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT, &h, w, clip, NULL);
      for (int k = 0; k < D; k++) moved += (g[k] - other[k]) * (g[k] - other[k]);
      moved = sqrt(moved) / release.sensitivity;
      assert_true(moved <= 1 + 1e-11); /* the grid of the noise */
      assert_true(fabs(release.sensitivity / ((replace ? 2 : 1) * clip / N) - 1) < 1e-12);
      if (moved > top) top = moved, memcpy(at, z, sizeof z);
    }
    best[replace] = top;
  }
  assert_true(best[0] > 0.999999 && best[1] > (BRIEF ? 0.9 : 0.99));
}

/* A null record: weight 0 in the histogram and in the gradient is a record that is not there. */
static void a_record_of_weight_zero_is_no_record(void **state) {
  double x[N][D], g[D], other[D], weight[N], w[D] = {0.3, -0.2};
  dppair_histogram h = nodes_of();
  (void)state;
  for (int k = 0; k < 2 * NODES; k++) count[k] = 3 + k;
  h.records = N;
  for (int i = 0; i < N; i++) {
    weight[i] = i == 4 ? 0 : 1;
    for (int k = 0; k < D; k++) x[i][k] = normal();
  }
  gradient_of(g, x, 6, DPPAIR_ZERO_OUT, &h, w, 0.1, weight);
  x[4][0] = x[4][1] = 0;
  gradient_of(other, x, 6, DPPAIR_ZERO_OUT, &h, w, 0.1, NULL);
  assert_memory_equal(g, other, sizeof g);
}

/* Without noise, against an exact histogram: near the gradient of all pairs. */
static void it_stands_for_the_gradient_of_all_pairs(void **state) {
  enum { MANY = 400, FINE = 161 };
  static double x[MANY][D], factor[MANY], node[FINE], counts[2 * FINE], s[MANY], work[8 * MANY];
  double g[D], all[D], w[D] = {1.5, -1}, far = 0;
  dppair_histogram h = {node, FINE, counts, 0};
  dppair_rows_f64 rows;
  dppair_options options = {0};
  (void)state;
  options.work = work;
  options.bytes = sizeof work;
  for (int k = 0; k < FINE; k++) node[k] = (k - 80) / 40.0;
  for (int i = 0; i < MANY; i++)
    for (int k = 0; k < D; k++) x[i][k] = normal() + (i < 150) * (k == 0);
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], MANY, D, D, 1.0), DPPAIR_OK);
  rows.positives = 150;
  open_plan(dppair_sampling_all(MANY, DPPAIR_REPLACE_ONE), 1e-9, DPPAIR_GAUSSIAN);
  assert_int_equal(dppair_scores_f64(s, &rows, w), DPPAIR_OK);
  assert_int_equal(dppair_release_score_histogram(&h, &release, s, NULL, MANY, 150), DPPAIR_OK);
  assert_int_equal(rank_release_pointwise(g, &release, &rows, w, &h, 1.0, &options), DPPAIR_OK);
  assert_int_equal(rank_gradient(all, &rows, w, &options), DPPAIR_OK);
  for (int k = 0; k < D; k++) far = fmax(far, fabs(g[k] - all[k] / (MANY * (MANY - 1.0))));
  assert_true(far < 1e-4 * dppair_norm_f64(g, D));
}

static void what_is_wrong_with_a_gradient_costs_nothing(void **state) {
  double x[N][D] = {{0.1, 0.2}}, factor[N], g[D], w[D] = {0, 0};
  const double nan[D] = {NAN, 0};
  dppair_histogram h = nodes_of();
  dppair_rows_f64 rows;
  dppair_options options = {0}, other;
  (void)state;
  options.work = room;
  options.bytes = sizeof room;
  assert_int_equal(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0), DPPAIR_OK);
  open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 1, DPPAIR_GAUSSIAN);
#define REFUSED(status, call)                                                                      \
  g[0] = 7;                                                                                        \
  assert_int_equal(call, status);                                                                  \
  assert_true(g[0] == 0 && release.step == 0)
  memset(count, 0, sizeof count);
  REFUSED(DPPAIR_ERR_NO_PROOF, rank_release_pointwise(g, &release, &rows, w, &h, 1, &options));
  h.records = N;
  REFUSED(DPPAIR_ERR_NULL, rank_release_pointwise(g, &release, &rows, w, NULL, 1, &options));
  REFUSED(DPPAIR_ERR_DOMAIN, rank_release_pointwise(g, &release, &rows, w, &h, 0, &options));
  REFUSED(DPPAIR_ERR_DOMAIN, rank_release_pointwise(g, &release, &rows, w, &h, HUGE_VAL, &options));
  REFUSED(DPPAIR_ERR_NOT_FINITE, rank_release_pointwise(g, &release, &rows, nan, &h, 1, &options));
  other = options, other.clip = clip_of(rank_clip_init, 1);
  REFUSED(DPPAIR_ERR_UNREAD, rank_release_pointwise(g, &release, &rows, w, &h, 1, &other));
  other = options, other.bytes = 8;
  REFUSED(DPPAIR_ERR_WORKSPACE, rank_release_pointwise(g, &release, &rows, w, &h, 1, &other));
  rows.n--;
  REFUSED(DPPAIR_ERR_SIZE, rank_release_pointwise(g, &release, &rows, w, &h, 1, &options));
  rows.n++, rows.radius = 0;
  REFUSED(DPPAIR_ERR_NO_RADIUS, rank_release_pointwise(g, &release, &rows, w, &h, 1, &options));
  rows.radius = 1, count[2] = NAN;
  REFUSED(DPPAIR_ERR_NOT_FINITE, rank_release_pointwise(g, &release, &rows, w, &h, 1, &options));
  open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_USER), 1, DPPAIR_GAUSSIAN);
  count[2] = 0;
  REFUSED(DPPAIR_ERR_ADJACENCY, rank_release_pointwise(g, &release, &rows, w, &h, 1, &options));
#undef REFUSED
}

/* --- parts of a permit ------------------------------------------------------------------------ */

static void parts_of_a_permit_add_up_to_it(void **state) {
  static const dppair_mechanism_kind laws[] = {DPPAIR_GAUSSIAN, DPPAIR_LAPLACE, DPPAIR_L2BALL};
  double v[3] = {1, 2, 3}, first;
  (void)state;
  for (int l = 0; l < 3; l++)
    for (int round = 0; round < 200; round++) {
      const double a = 0.001 + 0.9 * uniform(), b = (0.999 - a) * uniform() + 1e-9;
      double sum = 0, part[3];
      open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 2, laws[l]);
      for (int k = 0; k < 3; k++) {
        if (k < 2) assert_int_equal(dppair_release_part(&release, k ? b : a), DPPAIR_OK);
        assert_int_equal(laws[l] == DPPAIR_LAPLACE ? dppair_release_histogram(v, 3, &release, 0.5)
                                                   : dppair_release_vector(v, 3, &release, 0.5),
                         DPPAIR_OK);
        part[k] = 2 * 0.5 / release.sigma;
        sum += laws[l] == DPPAIR_GAUSSIAN ? part[k] * part[k] : part[k];
        assert_int_equal(release.step, 1);
      }
      assert_true(sum <= 1 && sum > 1 - 1e-12);
      assert_true(!(release.left > 0) && !(release.part > 0));
    }
  /* a share is below what is left, and an evaluation takes a whole permit */
  open_plan(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), 2, DPPAIR_GAUSSIAN);
  assert_int_equal(dppair_release_part(NULL, 0.5), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_part(&release, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_release_part(&release, 1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_release_part(&release, NAN), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_release_part(&release, 0.6), DPPAIR_OK);
  {
    const double s[N] = {0};
    dppair_evaluation out;
    assert_int_equal(dppair_evaluate_auc(&out, &release, s, s, N, NULL, room, sizeof room),
                     DPPAIR_ERR_NO_PROOF);
  }
  v[0] = v[1] = v[2] = 0;
  assert_int_equal(dppair_release_vector(v, 3, &release, 1), DPPAIR_OK);
  first = v[0] / release.sigma;
  assert_int_equal(dppair_release_part(&release, 0.5), DPPAIR_ERR_DOMAIN);
  v[0] = 0;
  assert_int_equal(dppair_release_vector(v, 3, &release, 1), DPPAIR_OK);
  assert_true(fabs(v[0] / release.sigma - first) > 1e-6); /* other blocks of the stream */
  for (int k = 0; k < 2; k++) assert_int_equal(dppair_release_vector(v, 3, &release, 1), DPPAIR_OK);
  assert_int_equal(dppair_release_vector(v, 3, &release, 1), DPPAIR_ERR_EXHAUSTED);
}

/* The last permit of a plan may be cut too; both parts are of one draw, and no draw comes between.
 */
static void parts_of_a_drawn_permit_read_one_batch(void **state) {
  double v[2] = {0}, s[N] = {0};
  size_t index[N], drawn;
  (void)state;
  open_plan(dppair_sampling_poisson(N, 6, DPPAIR_ZERO_OUT), 2, DPPAIR_GAUSSIAN);
  for (int t = 0; t < 3; t++) {
    dppair_histogram h = nodes_of();
    assert_int_equal(dppair_release_part(&release, 0.5), DPPAIR_ERR_NOT_DRAWN); /* not drawn */
    assert_int_equal(draw_now(index, &drawn, N, &release), DPPAIR_OK);
    assert_int_equal(dppair_release_part(&release, 0.5), DPPAIR_OK);
    assert_int_equal(dppair_release_score_histogram(&h, &release, s, NULL, drawn, drawn / 2),
                     DPPAIR_OK);
    assert_true(release.sensitivity == 1 && h.records == 6);
    assert_int_equal(draw_now(index, &drawn, N, &release), DPPAIR_ERR_EXHAUSTED);
    assert_int_equal(dppair_release_vector(v, 2, &release, 1), DPPAIR_OK);
    assert_int_equal(dppair_release_vector(v, 2, &release, 1),
                     t < 2 ? DPPAIR_ERR_NOT_DRAWN : DPPAIR_ERR_EXHAUSTED);
  }
  open_plan(dppair_sampling_without_replacement(N, 6, DPPAIR_REPLACE_ONE), 2, DPPAIR_GAUSSIAN);
  assert_int_equal(draw_now(index, &drawn, N, &release), DPPAIR_OK);
  assert_int_equal(dppair_release_part(&release, 0.5), DPPAIR_ERR_NO_PROOF);
}

/* --- one batch, two statistics ---------------------------------------------------------------- */

/* delta of P against Q, both (1-q) N(0, I) + q N(shift, I) in the plane: the second coordinate's
 * shift depends on the first result. which: 0, Q is without the record; 1, P is. 2: opposed. */
typedef struct event {
  double q, a, b; /* shifts of the first and the second coordinate */
  double wave;    /* b times the sign of cos(wave * first + phase), if not 0 */
  double phase;
} event;

static double event_delta(const event *e, double epsilon, int which) {
  const double h = 0.025, norm = h * h / 6.283185307179586, t = exp(epsilon);
  double delta = 0;
  for (double x = -9; x < 9; x += h) {
    const double b = e->wave != 0 && cos(e->wave * x + e->phase) < 0 ? -e->b : e->b;
    for (double y = -9; y < 9; y += h) {
      const double at = exp(-0.5 * (x * x + y * y)) * norm;
      const double up = 1 - e->q + e->q * exp(e->a * x + b * y - 0.5 * (e->a * e->a + b * b));
      const double down = 1 - e->q + e->q * exp(-e->a * x - b * y - 0.5 * (e->a * e->a + b * b));
      const double gain = which == 2 ? up - t * down : which == 1 ? 1 - t * up : up - t;
      if (gain > 0) delta += at * gain;
    }
  }
  return delta;
}

/* The same where the shifts are fixed, hence one of length mu: exactly. */
static double line_delta(double q, double mu, double epsilon, int which) {
  const double t = exp(epsilon);
  double low = -60, high = 60; /* what is won is on one side of a point */
  for (int k = 0; k < 200; k++) {
    const double x = 0.5 * (low + high);
    const double up = 1 - q + q * exp(mu * x - 0.5 * mu * mu);
    const double down = 1 - q + q * exp(-mu * x - 0.5 * mu * mu);
    const int won = (which == 2 ? up - t * down : which == 1 ? 1 - t * up : up - t) > 0;
    if (won == (which != 1))
      high = x;
    else
      low = x;
  }
#define ABOVE(m) (0.5 * erfc((which == 1 ? (m)-high : high - (m)) / sqrt(2.0)))
  if (which == 1) return ABOVE(0) - t * ((1 - q) * ABOVE(0) + q * ABOVE(mu));
  return (1 - q) * ABOVE(0) + q * ABOVE(mu) -
         t * (which == 2 ? (1 - q) * ABOVE(0) + q * ABOVE(-mu) : ABOVE(0));
#undef ABOVE
}

static double charged_delta(dppair_adjacency adjacency, double q, double multiplier, size_t steps,
                            double epsilon) {
  static double work[5 << 19];
  dppair_plan plan;
  dppair_interval found;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_poisson(1000, (size_t)(1000 * q + 0.5), adjacency);
  plan.noise_multiplier = multiplier;
  plan.steps = steps;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  assert_int_equal(certify_delta(&found, &account, epsilon, work, sizeof work),
                   DPPAIR_OK);
  return found.upper;
}

/* Rate 0.1, two statistics of shift 1.5 each: one permit is what the batch costs, and two sampled
 * events of a shift each would claim less than half of it. */
static void one_batch_is_one_sampled_event(void **state) {
  static const dppair_adjacency relations[2] = {DPPAIR_ZERO_OUT, DPPAIR_REPLACE_ONE};
  const double shift = 1.5, epsilon = 1, NEAR = 3e-6; /* of the sums in the plane */
  (void)state;
  for (int replace = 0; replace < 2; replace++) {
    const double one =
        charged_delta(relations[replace], 0.1, 1 / sqrt(2 * shift * shift), 1, epsilon);
    const double two = charged_delta(relations[replace], 0.1, 1 / shift, 2, epsilon);
    event e = {0.1, shift, shift, 0, 0};
    double worst = 0;
    for (int way = replace ? 2 : 0; way <= (replace ? 2 : 1); way++) {
      const double exact = line_delta(e.q, shift * sqrt(2.0), epsilon, way);
      assert_true(fabs(event_delta(&e, epsilon, way) - exact) < NEAR);
      worst = fmax(worst, exact);
    }
    assert_true(one >= worst * (1 - 1e-12) && one < worst * (1 + 1e-6));
    if (!replace) assert_true(fabs(one - 0.0242) < 5e-5 && fabs(two - 0.0109) < 5e-5);
    assert_true(two < 0.6 * worst);
    /* moves that depend on the first result, and shorter ones */
    for (int k = 0; k < (BRIEF ? 2 : 6); k++) {
      e.wave = between(0.3, 4), e.phase = between(0, 6);
      e.a = shift * (k % 2 ? 1 : uniform()), e.b = shift * (k % 3 ? 1 : uniform());
      for (int way = replace ? 2 : 0; way <= (replace ? 2 : 1); way++)
        assert_true(event_delta(&e, epsilon, way) <= one + NEAR);
    }
  }
}

/* --- how much noise --------------------------------------------------------------------------- */

/* The noise of a mean gradient of 10^4 records times their number, over 1000 steps at delta 1e-5,
 * in units of the largest gradient u of a pair: with so much of the budget, mu^2, spent before. */
static double noise_needed(dppair_sampling sampling, double epsilon, double before) {
  static double work[5 << 19];
  dppair_plan plan;
  double mu;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.epsilon = epsilon;
  plan.delta = 1e-5;
  plan.steps = 1000;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_gaussian_mu(&mu, epsilon, 1e-5), DPPAIR_OK);
  assert_int_equal(dppair_accountant_neighbours(&account, sampling.adjacency), DPPAIR_OK);
  if (before > 0)
    assert_int_equal(dppair_accountant_gaussian(&account, sqrt(before) * mu, 1, 1), DPPAIR_OK);
  assert_int_equal(calibrate(&plan, &account, work, sizeof work), DPPAIR_OK);
  return plan.noise_multiplier * 10000 / dppair_sampling_expected_(&sampling);
}

/* Clips of u/2, which lose nothing, and histograms of all records whose noise takes a fifth of the
 * budget where a record is replaced, hence a tenth where it is zeroed. Then: half of the noise of
 * all pairs of batches; where records are replaced, none less than that of all pairs of them all.
 */
static void the_noise_is_half_of_that_of_pairs_where_records_are_zeroed(void **state) {
  static const struct {
    double epsilon, pairs_without, pairs_poisson, alone, with, replaced, replaced_with;
  } rows[2] = {{4, 41.6, 37.6, 18.8, 19.6, 34.2, 38.2}, {1, 125.4, 119.7, 59.9, 63.0, 118, 131.9}};
  const int all = getenv("FRONTIER") != NULL;
  (void)state;
  for (int r = 0; r < (all ? 2 : 1); r++) {
    const double epsilon = rows[r].epsilon;
    const dppair_sampling batch = dppair_sampling_poisson(10000, 512, DPPAIR_ZERO_OUT);
    const dppair_sampling full = dppair_sampling_all(10000, DPPAIR_REPLACE_ONE);
#define IS(value, printed) assert_true(fabs((value) - (printed)) < 0.06)
    IS(noise_needed(full, epsilon, 0), rows[r].replaced); /* 2 clips of u/2, or all pairs: u */
    IS(noise_needed(full, epsilon, 0.2), rows[r].replaced_with);
    IS(0.5 * noise_needed(batch, epsilon, 0.1), rows[r].with);
    if (!all) continue;
    IS(0.5 * noise_needed(batch, epsilon, 0), rows[r].alone);
    IS(noise_needed(batch, epsilon, 0), rows[r].pairs_poisson);
    IS(noise_needed(dppair_sampling_without_replacement(10000, 512, DPPAIR_REPLACE_ONE), epsilon,
                    0),
       rows[r].pairs_without);
#undef IS
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_record_moves_the_histogram_by_what_is_charged),
      TEST(the_noise_of_a_histogram_is_that_of_its_norm),
      TEST(wrong_histograms_cost_nothing),
      TEST(on_the_nodes_coefficients_are_those_of_pairs),
      TEST(a_record_moves_the_gradient_by_what_is_charged),
      TEST(a_record_of_weight_zero_is_no_record),
      TEST(it_stands_for_the_gradient_of_all_pairs),
      TEST(what_is_wrong_with_a_gradient_costs_nothing),
      TEST(parts_of_a_permit_add_up_to_it),
      TEST(parts_of_a_drawn_permit_read_one_batch),
      TEST(one_batch_is_one_sampled_event),
      TEST(the_noise_is_half_of_that_of_pairs_where_records_are_zeroed),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
