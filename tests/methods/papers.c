/* SPDX-License-Identifier: MIT */
/* The papers' methods: constants and sensitivities under attack, noise against the accountant,
 * convergence without noise, replay, what is printed, and why PIDP-SGD is not private. */
#include "tests.h"

/* names that the methods and the tests below have for something else */
#define level level_of_figures
#define printed figures_of_paper
#define trial trial_of_cell
#include "papers/experiment.h"
#undef level
#undef printed
#undef trial
#include "methods/moments.h"

/* What adassp asks noise for, one after the other. */
static double asked[3];
static size_t asks;
static dppair_status spend_on_as_asked(double *v, size_t size, double sensitivity, spending *s) {
  asked[asks++ % 3] = sensitivity;
  return spend_on(v, size, sensitivity, s);
}
#define spend_on spend_on_as_asked
#include "methods/adassp.c"
#undef spend_on
#include "methods/kang2023.h"
#include "methods/measures.h"
#include "methods/lda.c"
#include "methods/selection.c"
#include "methods/xue2021.c"

#include "methods/dpebm.c" /* last: some of its names are parameters elsewhere */
#include "questions.h"
#include "sensitivities.h"

enum { TRIALS = BRIEF ? 6 : 60 };

extern const method method_declared, method_gd, method_statistics, method_one_vector,
    method_kang2021, method_kang2021_metric, method_dpgdsc, method_dpgdsc_metric, method_dpgdc2,
    method_dpgdc2_metric, method_dpegd, method_dpegd_metric, method_offpairstrc,
    method_offpairstrc_metric, method_offpairc, method_offpairc_metric, method_yang2021,
    method_yang2021_metric, method_yang2021_nuclear, method_niewang2017, method_niewang2017_fourier,
    method_niewang2017_pairs, method_dpsgd, method_dpsgd_mlp, method_dplssgd, method_dplssgd_mlp,
    method_bolton, method_pidpsgd, method_filter, method_filter_pairs, method_dpsgd_allocation,
    method_histogram_bayes, method_online, method_pointwise, method_gd_metric, method_infonce_metric;

/* --- data and tasks --------------------------------------------------------------------------- */

enum { N = 64, D = 4, MOST = 1100 };
typedef struct sample {
  double x[MOST * D], y[MOST];
  dppair_rng noise, indices;
  task t;
} sample;

static void keys(sample *s, uint64_t noise, uint64_t indices) {
  uint8_t key[32] = {7};
  assert_int_equal(dppair_rng_from_key(&s->noise, key, noise), DPPAIR_OK);
  key[1] = 1;
  assert_int_equal(dppair_rng_from_key(&s->indices, key, indices), DPPAIR_OK);
  s->t.noise = &s->noise;
  s->t.indices = &s->indices;
}

/* n records of d features in the unit ball; the label leans on the first feature. */
static void fill(sample *s, size_t n, size_t d, double separation) {
  size_t i, k;
  memset(s, 0, sizeof *s);
  for (i = 0; i < n; i++) {
    s->y[i] = i % 2 == 0 ? 1 : -1;
    for (k = 0; k < d; k++) s->x[i * d + k] = normal() / 3;
    s->x[i * d] += separation * s->y[i];
    assert_int_equal(dppair_project_l2_f64(s->x + i * d, d, 1), DPPAIR_OK);
  }
  s->t.train.n = n;
  s->t.train.d = d;
  s->t.scale = SCALE_ROW;
  s->t.epsilon = 1;
  s->t.delta = 1e-3;
}

static void point(sample *s) {
  s->t.train.x = s->t.train.raw = s->x;
  s->t.train.y = s->y;
}

static model train(const method *m, sample *s, uint64_t noise) {
  model out;
  point(s);
  keys(s, noise, 3);
  assert_int_equal(method_train(&out, m, &s->t), DPPAIR_OK);
  return out;
}

/* A neighbour: record at is replaced, half of the time by an extreme one. */
static void replace(sample *to, const sample *from, size_t at) {
  size_t k, d = from->t.train.d;
  *to = *from;
  for (k = 0; k < d; k++) to->x[at * d + k] = normal();
  if (uniform() < 0.5)
    for (k = 0; k < d; k++) to->x[at * d + k] = -from->x[at * d + k] * 100;
  assert_int_equal(dppair_project_l2_f64(to->x + at * d, d, 1), DPPAIR_OK);
  if (uniform() < 0.5) to->y[at] = -to->y[at];
}

static double distance(const double *a, const double *b, size_t n) {
  double sum = 0;
  size_t k;
  for (k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* --- problems --------------------------------------------------------------------------------- */

static const char *const link_names[] = {"logistic", "hinge",   "squared-hinge",
                                         "square",   "sigmoid", "ramp"};

/* The gradient is the risk's derivative, by central differences. */
static void gradients_are_the_derivative_of_the_risk(void **unused) {
  size_t which, kind, k;
  (void)unused;
  for (kind = RANK_DIFF; kind <= METRIC; kind++)
    for (which = 0; which < (kind == METRIC ? 4u : 6u); which++) {
      sample s;
      pairs p;
      double w[16] = {0}, g[16], up, down, h = 1e-6;
      fill(&s, 9, 3, 0.2);
      point(&s);
      keys(&s, 1, 2);
      s.t.with.lambda = 0.3;
      assert_int_equal(pairs_open(&p, &s.t, (pair_kind)kind, NORM_L2, 1,
                                  pair_link_find(link_names[which], NULL)),
                       DPPAIR_OK);
      for (k = 0; k < p.size; k++) w[k] = 0.2 * normal();
      assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
      assert_int_equal(pairs_gradient(g, &p, w, 0, p.n), DPPAIR_OK);
      for (k = 0; k < p.size; k++) {
        w[k] += h;
        assert_int_equal(pairs_risk(&up, &p, w), DPPAIR_OK);
        w[k] -= 2 * h;
        assert_int_equal(pairs_risk(&down, &p, w), DPPAIR_OK);
        w[k] += h;
        if (fabs(g[k] - (up - down) / (2 * h)) > 1e-6)
          fail_msg("kind %zu %s", kind, link_names[which]);
      }
      pairs_close(&p);
    }
}

/* One record against all others, summed over records, is n(n-1) times the mean gradient. */
static void one_record_against_all_summed_is_the_whole_gradient(void **unused) {
  size_t kind, i, k;
  (void)unused;
  for (kind = RANK_DIFF; kind <= METRIC; kind++) {
    sample s;
    pairs p;
    double w[16] = {0}, g[16], sum[16] = {0}, weight[16], room[16];
    fill(&s, 10, 3, 0.2);
    point(&s);
    keys(&s, 1, 2);
    assert_int_equal(
        pairs_open(&p, &s.t, (pair_kind)kind, NORM_L2, 1, pair_link_find("logistic", NULL)),
        DPPAIR_OK);
    for (k = 0; k < p.size; k++) w[k] = 0.2 * normal();
    assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
    assert_int_equal(pairs_gradient(g, &p, w, 0, p.n), DPPAIR_OK);
    for (i = 0; i < p.n; i++) {
      for (k = 0; k < p.n; k++) weight[k] = k == i ? 0 : 1.0 / (double)(p.n * (p.n - 1));
      assert_int_equal(pairs_online(sum, &p, w, i, 0, weight, p.n, room), DPPAIR_OK);
    }
    assert_true(distance(g, sum, p.size) < 1e-12);
    pairs_close(&p);
  }
}

/* other: s with record 0 replaced. worst: all partners of one class at the edge, and record 0 of
 * the other class goes from there to the far edge. n records of two columns. */
static void neighbours(sample *other, sample *s, size_t n, int worst) {
  size_t k;
  for (k = 0; worst && k < n; k++) {
    s->x[2 * k] = -1;
    s->x[2 * k + 1] = 0;
    s->y[k] = -1;
  }
  replace(other, s, 0);
  if (worst) {
    s->x[0] = -1;
    other->x[0] = 1;
    s->x[1] = other->x[1] = 0;
    s->y[0] = other->y[0] = 1;
  }
}

/* sup |phi'| over |u| <= size: at an end, in the middle, or half way to 1. */
static double steepest(const pair_link *phi, double size) {
  const double u[4] = {-size, 0, 0.5, size};
  double slope[4];
  assert_int_equal(dppair_loss_eval(NULL, slope, NULL, u, 4, phi->loss, NULL), DPPAIR_OK);
  return fmax(fmax(fabs(slope[0]), fabs(slope[1])), fmax(fabs(slope[2]), fabs(slope[3])));
}

/* Replacing one record never moves the mean gradient by more than pairs_move; ranking attains it.
 */
static void no_neighbour_moves_a_gradient_by_more_than_its_bound(void **unused) {
  size_t kind, which, trial;
  (void)unused;
  for (kind = RANK_DIFF; kind <= METRIC; kind++)
    for (which = 0; which < (kind == METRIC ? 4u : 6u); which++) {
      double worst = 0, move = 0, exact;
      for (trial = 0; trial < TRIALS; trial++) {
        sample s, other;
        pairs p, q;
        double w[16] = {0}, g[16], h[16];
        size_t k;
        fill(&s, 5, 2, 0.5);
        neighbours(&other, &s, 5, trial % 3 == 0);
        point(&s);
        keys(&s, 1, 2);
        assert_int_equal(pairs_open(&p, &s.t, (pair_kind)kind, NORM_L2,
                                    trial % 3 == 0 && which < 2 ? 30 : 1,
                                    pair_link_find(link_names[which], NULL)),
                         DPPAIR_OK);
        point(&other);
        keys(&other, 1, 2);
        assert_int_equal(pairs_open(&q, &other.t, (pair_kind)kind, NORM_L2, p.bound, p.phi),
                         DPPAIR_OK);
        for (k = 0; k < p.size; k++) w[k] = normal() * p.bound;
        if (trial % 3 == 0 && kind != METRIC) {
          w[0] = -p.bound;
          w[1] = 0;
        }
        assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
        assert_int_equal(pairs_gradient(g, &p, w, 0, p.n), DPPAIR_OK);
        assert_int_equal(pairs_gradient(h, &q, w, 0, q.n), DPPAIR_OK);
        assert_int_equal(pairs_move(&move, &p, p.n), DPPAIR_OK);
        assert_true(distance(g, h, p.size) <= move);
        worst = fmax(worst, distance(g, h, p.size) / move);
        if (kind != METRIC) { /* the square loss obeys the same row */
          assert_int_equal(
              sensitivity_rank(
                  &exact, kind == RANK_DIFF ? FORM_DIFF : FORM_IND, p.radius,
                  kind == RANK_DIFF ? 1.0 : 0.0,
                  steepest(p.phi, 2 * p.radius * p.bound * (kind == RANK_DIFF ? 2 : 1)), 0, 5),
              DPPAIR_OK);
          assert_true(fabs(move / exact - 1) < 1e-10);
        }
        pairs_close(&p);
        pairs_close(&q);
      }
      if (kind != METRIC && which < 4 && worst < 0.99)
        fail_msg("%s: only %g attained", link_names[which], worst);
    }
}

/* From 1024 records on sums are near-linear: within what pairs_rounding says of the loops over all
 * pairs, moved by a replaced record by no more than pairs_move, which the worst case attains;
 * scores beyond those that were prepared for, which no public bound allows, are clamped and not
 * refused. */
static void fast_sums_are_within_their_rounding_of_all_pairs(void **unused) {
  size_t kind, which, trial, k;
  (void)unused;
  for (kind = RANK_DIFF; kind <= RANK_IND; kind++)
    for (which = 0; which < 6; which++)
      for (trial = 0; trial < 6; trial += BRIEF ? 3 : 1) {
        static sample s, other;
        pairs p, q;
        double w[D], g[D], h[D], move, exact, bound = trial < 3 ? 1 : 30;
        fill(&s, MOST, 2, 0.3);
        neighbours(&other, &s, MOST, trial % 3 == 0);
        point(&s);
        keys(&s, 1, 2);
        assert_int_equal(pairs_open(&p, &s.t, (pair_kind)kind, NORM_L2, bound,
                                    pair_link_find(link_names[which], NULL)),
                         DPPAIR_OK);
        point(&other);
        keys(&other, 1, 2);
        assert_int_equal(pairs_open(&q, &other.t, (pair_kind)kind, NORM_L2, bound, p.phi),
                         DPPAIR_OK);
        assert_true(p.sums.fast.kind != 0 && q.sums.fast.kind != 0);
        for (k = 0; k < 2; k++) w[k] = trial % 3 == 0 ? (k == 0 ? -bound : 0) : bound * normal();
        assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
        assert_int_equal(pairs_gradient(g, &p, w, 0, MOST), DPPAIR_OK);
        assert_int_equal(pairs_gradient(h, &q, w, 0, MOST), DPPAIR_OK);
        assert_int_equal(pairs_move(&move, &p, MOST), DPPAIR_OK);
        if (distance(g, h, 2) > move)
          fail_msg("%s: %g > %g", link_names[which], distance(g, h, 2), move);
        if (trial == 3 && which < 2) assert_true(distance(g, h, 2) > 0.999 * move);
        exact = 2 * p.spread_both / MOST; /* what computing adds is next to nothing */
        assert_true(move > exact && move < exact * (1 + 1e-7));
        for (k = 0; k < 2; k++) h[k] = 1000 * bound;
        assert_int_equal(pairs_gradient(h, &p, h, 0, MOST), DPPAIR_OK);
        pair_sums_free(&p.sums); /* loops from here on */
        assert_int_equal(pairs_gradient(h, &p, w, 0, MOST), DPPAIR_OK);
        if (distance(g, h, 2) > pairs_rounding(&q, 1, MOST))
          fail_msg("%s: %g off", link_names[which], distance(g, h, 2));
        pairs_close(&p);
        pairs_close(&q);
      }
}

static void a_batch_that_is_not_there_is_refused(void **unused) {
  sample s;
  pairs p;
  double w[16] = {0}, g[16];
  size_t kind;
  (void)unused;
  for (kind = RANK_DIFF; kind <= METRIC; kind++) {
    fill(&s, 9, 3, 0.2);
    point(&s);
    keys(&s, 1, 2);
    assert_int_equal(
        pairs_open(&p, &s.t, (pair_kind)kind, NORM_L2, 1, pair_link_find("logistic", NULL)),
        DPPAIR_OK);
    assert_int_equal(pairs_gradient(g, &p, w, 7, 2), DPPAIR_OK);
    assert_int_equal(pairs_gradient(g, &p, w, 8, 2), DPPAIR_ERR_SIZE);
    assert_int_equal(pairs_gradient(g, &p, w, 3, 1), DPPAIR_ERR_SIZE);
    assert_int_equal(pairs_gradient(g, &p, w, 3, 0), DPPAIR_ERR_SIZE);
    pairs_close(&p);
  }
}

/* Dropping a record moves the gradient by at most twice its individual bound over n. */
static void a_dropped_record_moves_the_gradient_within_its_own_bound(void **unused) {
  size_t trial, k;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    sample s;
    pairs p;
    double w[D], g[D], h[D], score[N], bound;
    unsigned char active[N];
    dppair_rows_f64 rows;
    fill(&s, 12, 3, 0.3);
    point(&s);
    keys(&s, 1, trial);
    assert_int_equal(pairs_open(&p, &s.t, RANK_IND, NORM_L2, 0, pair_link_find("logistic", NULL)),
                     DPPAIR_OK);
    for (k = 0; k < 3; k++) w[k] = 2 * normal();
    memset(active, 1, sizeof active);
    active[3] = active[5] = 0;
    assert_int_equal(pairs_active_gradient(g, &p, w, active), DPPAIR_OK);
    active[trial % 3] = 0;
    assert_int_equal(pairs_active_gradient(h, &p, w, active), DPPAIR_OK);
    rows = dppair_rows_make_f64(p.x, p.n, 3, 3);
    assert_int_equal(dppair_scores_f64(score, &rows, w), DPPAIR_OK);
    bound = pairs_individual(&p, dppair_norm_f64(p.x + trial % 3 * 3, 3), dppair_norm_f64(w, 3),
                             p.y[trial % 3] * score[trial % 3]);
    assert_true(distance(g, h, 3) <= 2 * bound / 12 * (1 + 1e-12));
    assert_true(distance(g, h, 3) > 0);
    pairs_close(&p);
  }
}

/* --- output perturbation under attack --------------------------------------------------------- */

typedef struct output_case {
  const method *m;
  double share; /* sensitivity of the released vector over that of the (last) noise */
  int metric;
} output_case;

/* Noise off, the same indices: two neighbours' outputs differ by at most what the noise was made
 * for, sigma mu or for delta = 0 scale * epsilon. The last of DPEGD's two epochs has a quarter of
 * the first one's. */
static void neighbours_outputs_differ_by_what_the_noise_was_made_for(void **unused) {
  static const output_case cases[] = {{&method_dpgdsc, 1, 0},
                                      {&method_dpgdsc_metric, 1, 1},
                                      {&method_dpegd, 4, 0},
                                      {&method_dpegd_metric, 4, 1},
                                      {&method_offpairstrc, 1, 0},
                                      {&method_offpairstrc_metric, 1, 1},
                                      {&method_offpairc, 1, 0},
                                      {&method_offpairc_metric, 1, 1},
                                      {&method_yang2021, 1, 0},
                                      {&method_yang2021_metric, 1, 1},
                                      {&method_yang2021_nuclear, 1, 1},
                                      {&method_niewang2017, 1, 0},
                                      {&method_niewang2017_fourier, 1, 0},
                                      {&method_niewang2017_pairs, 1, 0},
                                      {&method_bolton, 1, 0}};
  size_t c, trial;
  (void)unused;
  for (c = 0; c < sizeof cases / sizeof *cases; c++) {
    double worst = 0, mu;
    assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
    for (trial = 0; trial < TRIALS; trial++) {
      sample s, other;
      model a, b, noisy, pure;
      double gap;
      fill(&s, 8, 2, trial % 2 == 0 ? 0.5 : 0);
      if (c >= 8 && c <= 10) s.t.with.steps = 40;
      if (trial % 4 == 3 && c < 11) s.t.with.param_radius = 5;
      if (c == 8 && trial % 4 == 1) s.t.with.step_size = 0.5;
      replace(&other, &s, trial % 8);
      noisy = train(cases[c].m, &s, 1);
      s.t.delta = 0;
      pure = train(cases[c].m, &s, 1);
      s.t.delta = 1e-3;
      s.t.with.noiseless = other.t.with.noiseless = 1;
      if (c < 2) s.t.with.steps = noisy.steps; /* the same public choice without noise */
      other.t.with = s.t.with;
      a = train(cases[c].m, &s, 1);
      b = train(cases[c].m, &other, 1);
      gap = distance(a.theta, b.theta, a.size);
      if (gap > cases[c].share * noisy.sigma * mu)
        fail_msg("%s: %g > %g", cases[c].m->name, gap, cases[c].share * noisy.sigma * mu);
      if (c >= 2) assert_true(gap <= cases[c].share * pure.sigma);
      assert_true(noisy.sigma > 0 && pure.sigma > 0);
      worst = fmax(worst, gap / (noisy.sigma * mu));
      model_free(&a);
      model_free(&b);
      model_free(&noisy);
      model_free(&pure);
    }
    assert_true(worst > 0);
  }
}

/* A bounded memory of partners: what two neighbours' averages differ by is within the sensitivity,
 * and that is the literal sum over steps. */
static size_t few;
static double few_moves;
static dppair_status online_few(run *r) {
  double *share = malloc((r->p.n + 1) * sizeof *share), worst = 0;
  size_t a, t, k, n = r->p.n;
  assert_non_null(share);
  few_moves = online_sensitivity(r, few, share);
  for (a = 1; a <= n; a++) { /* position of the replaced record, 1-based as in the paper */
    double sum = 0;
    for (t = 2; t <= n; t++) {
      double back = t - 1 < few ? (double)(t - 1) : (double)few, kept = 1, weight = 0;
      for (k = t; k <= n; k++) { /* the average of w_3 .. w_{n+1} counts step t from k = t on */
        weight += kept / (double)(n - 1);
        if (k < n) kept *= 1 - online_step(r, k + 1) * r->p.lambda;
      }
      if (t == a) sum += online_step(r, t) * weight;
      if (t > a && (double)(t - a) <= back) sum += online_step(r, t) * weight / back;
    }
    worst = fmax(worst, sum * r->p.spread);
  }
  free(share);
  assert_true(fabs(few_moves / worst - 1) < 1e-9 && few_moves >= worst);
  return online_pass(r, few);
}

static void the_online_memory_of_one_record_is_within_its_bound(void **unused) {
  size_t trial;
  double worst = 0;
  (void)unused;
  for (trial = 0; trial < TRIALS; trial++) {
    sample s, other;
    model a, b;
    pair_kind kind = trial % 2 == 0 ? RANK_DIFF : METRIC;
    fill(&s, 8, 2, 0.5);
    s.t.with.noiseless = 1;
    few = trial % 9 + 1;
    replace(&other, &s, trial % 8);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    point(&s);
    keys(&s, 1, 3);
    assert_int_equal(solve(&a, &s.t, kind, trial % 3 == 0 ? 0.1 : 0, online_few), DPPAIR_OK);
    point(&other);
    keys(&other, 1, 3);
    assert_int_equal(solve(&b, &other.t, kind, trial % 3 == 0 ? 0.1 : 0, online_few), DPPAIR_OK);
    assert_true(distance(a.theta, b.theta, a.size) <= few_moves);
    worst = fmax(worst, distance(a.theta, b.theta, a.size) / few_moves);
    model_free(&a);
    model_free(&b);
  }
  assert_true(worst > 0.05);
}

/* While no margin reaches the kink Yang's SGD runs from sums. A step too large for that to be
 * certain takes the general route, and does the same. */
static void sgd_from_sums_does_what_the_general_route_does(void **unused) {
  sample s;
  model slow, quick;
  size_t k;
  (void)unused;
  fill(&s, N, D, 0.1);
  s.t.with.noiseless = 1;
  s.t.with.steps = 3 * N + 5;
  s.t.with.param_radius = 1;
  s.t.with.step_size = 0.499 / (2 * (double)s.t.with.steps); /* |w| stays below 1/2 */
  quick = train(&method_yang2021, &s, 1);
  s.t.with.step_size *= 1.01;
  slow = train(&method_yang2021, &s, 1);
  for (k = 0; k < D; k++) assert_true(fabs(1.01 * quick.theta[k] - slow.theta[k]) < 1e-13);
  assert_true(dppair_norm_f64(quick.theta, D) > 1e-3);
  model_free(&slow);
  model_free(&quick);
}

/* One data set; sensitivities and noise by hand, from formulas written out here. */
static void noise_is_what_formulas_written_out_ask_for(void **unused) {
  sample s;
  model m;
  double mu, expected, eta, alpha = 1e-3;
  (void)unused;
  fill(&s, 40, 2, 0.4);
  s.t.with.steps = 30;
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
  /* R = 1, B = 1: G = 4 sigmoid(4), L = 4; the sensitivity is half of 4G/(alpha n)(1-(1-eta
   * alpha)^T) */
  m = train(&method_dpgdsc, &s, 1);
  eta = 2 / (4 + 2 * alpha);
  expected = 2 * 4 / (1 + exp(-4)) / (alpha * 40) * (1 - pow(1 - eta * alpha, 30)) / mu;
  assert_true(fabs(m.sigma / expected - 1) < 1e-9);
  assert_true(m.epsilon <= 1);
  model_free(&m);
  /* kang2021, dpgdc2: T Gaussian steps with the same move at the edge of the ball, half of it at 0
   */
  for (eta = 0; eta < 4; eta++) {
    const method *of = eta < 2 ? &method_kang2021 : &method_dpgdc2;
    size_t first = eta < 1 || eta > 2;
    s.t.with.steps = first ? 1 : 30;
    m = train(of, &s, 1);
    expected = 2 * 4 / (1 + exp(-4)) / 40 * sqrt(30) / mu;
    if (first) assert_true(fabs(m.sigma / (2 * 4 * .5 / 40 / mu) - 1) < 1e-9);
    if (!first) assert_true(m.sigma <= expected * (1 + 1e-9) && m.sigma > expected / 2);
    assert_true(m.epsilon <= 1 && m.epsilon > 1 - 1e-6);
    model_free(&m);
  }
  s.t.with.steps = 30;
  /* Nie-Wang: 2 kappa C_L/(2 lambda n), hinge */
  s.t.with.lambda = 0.5;
  m = train(&method_niewang2017, &s, 1);
  expected = 2.0 / (2 * 0.5 * 40) / mu;
  assert_true(fabs(m.sigma / expected - 1) < 1e-4 && m.sigma >= expected);
  model_free(&m);
  /* filter-pairs: sigma is (R/2)/n sqrt(2 T/B), B = mu^2/4 for two-level ranking */
  s.t.with.lambda = 0;
  m = train(&method_filter_pairs, &s, 1);
  expected = 0.5 / 40 * sqrt(2 * 30 / (mu * mu / 4));
  assert_true(fabs(m.sigma / expected - 1) < 1e-9);
  model_free(&m);
}

/* One step of gradient perturbation, noise off, against what its noise was made for: ranking
 * attains it, because the slope is that of the released iterate, here 0. */
static void one_step_attains_the_sensitivity_of_its_noise(void **unused) {
  static const method *const which[] = {&method_kang2021, &method_kang2021_metric, &method_dpgdc2,
                                        &method_dpgdc2_metric};
  size_t c, trial;
  double mu;
  (void)unused;
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
  for (c = 0; c < 4; c++) {
    double worst = 0;
    for (trial = 0; trial < TRIALS / 2; trial++) {
      sample s, other;
      model a, b, noisy;
      fill(&s, 6, 2, 0.5);
      s.t.with.steps = 1;
      s.t.with.step_size = 0.1;
      if (trial % 3 == 0)
        neighbours(&other, &s, 6, 1);
      else
        replace(&other, &s, trial % 6);
      s.t.with.param_radius = other.t.with.param_radius = 1;
      noisy = train(which[c], &s, 1);
      s.t.with.noiseless = other.t.with.noiseless = 1;
      a = train(which[c], &s, 1);
      b = train(which[c], &other, 1);
      assert_true(distance(a.theta, b.theta, a.size) <= 0.1 * noisy.sigma * mu);
      worst = fmax(worst, distance(a.theta, b.theta, a.size) / (0.1 * noisy.sigma * mu));
      model_free(&a);
      model_free(&b);
      model_free(&noisy);
    }
    if (c == 0 && worst < 0.999) fail_msg("%s: only %g attained", which[c]->name, worst);
  }
}

/* --- the noise that is added ------------------------------------------------------------------ */

typedef struct noise_case {
  const method *m;
  size_t steps;
  double step_size, radius;
  double factor; /* of the noise in what is released */
  size_t size;   /* coordinates that carry it        */
} noise_case;

static const noise_case noise_cases[] = {{&method_gd, 1, 0.1, 0, 0.1, D},
                                         {&method_one_vector, 0, 0, 0, 1, D},
                                         {&method_kang2021, 1, 0.1, 1e6, 0.1, D},
                                         {&method_dpgdc2, 1, 0.1, 1e6, 0.05, D},
                                         {&method_dpgdsc, 5, 0, 1e6, 1, D},
                                         {&method_offpairstrc, 0, 0, 1e6, 1, D},
                                         {&method_offpairc, 0, 0, 1e6, 1, D},
                                         {&method_yang2021, 50, 1e-3, 1e3, 1, D},
                                         {&method_niewang2017, 0, 0, 0, 1, D},
                                         {&method_niewang2017_fourier, 0, 0, 0, 1, 64},
                                         {&method_niewang2017_pairs, 0, 0, 0, 1, D},
                                         {&method_bolton, 0, 0, 1e6, 1, D + 1},
                                         {&method_dpsgd, 1, 0.1, 0, 0.1 / 16, D},
                                         {&method_filter, 1, 0.1, 0, 0.1, D + 1},
                                         {&method_filter_pairs, 1, 0.1, 0, 0.1, D}};

/* Two releases with different noise differ by sqrt 2 times the standard deviation that the model
 * states, for delta = 0 that of the l2 mechanism, E|z|^2 = scale^2 d (d + 1). */
static void added_noise_has_the_deviation_that_the_model_states(void **unused) {
  size_t c, pure;
  uint64_t key;
  (void)unused;
  for (c = 0; c < sizeof noise_cases / sizeof *noise_cases; c++)
    for (pure = 0; pure < 2; pure++) {
      const noise_case *of = &noise_cases[c];
      double sum = 0, keys_used = 0, expected, spread;
      sample s;
      if (pure && !(of->m->offers & OFFERS_PURE)) continue;
      fill(&s, N, D, 0.2);
      s.t.delta = pure ? 0 : 1e-3;
      s.t.with.steps = of->steps;
      s.t.with.step_size = of->step_size;
      s.t.with.param_radius = of->radius;
      if (of->m == &method_dpsgd) memset(s.x, 0, sizeof s.x); /* any batch has the same gradient */
      expected = 0;
      for (key = 1; keys_used * (double)of->size < (BRIEF ? 12 : 400); key++, keys_used++) {
        model one = train(of->m, &s, 2 * key), other = train(of->m, &s, 2 * key + 1);
        double gap = distance(one.theta, other.theta, of->size);
        expected = one.sigma * of->factor;
        sum += gap * gap / 2;
        assert_true(one.epsilon <= 1 + 1e-12);
        model_free(&one);
        model_free(&other);
      }
      spread = sqrt(sum / keys_used / (double)of->size) / expected;
      if (pure) spread /= sqrt((double)of->size + 1);
      if (!BRIEF && fabs(spread - 1) > 0.2)
        fail_msg("%s: noise of %g times sigma", of->m->name, spread);
    }
}

/* Neighbours with the same noise, one step or one release: they differ by what mu allows at most,
 * but for the grid that what is released lies on. */
static void neighbours_under_the_same_noise_differ_by_mu_at_most(void **unused) {
  static const noise_case cases[] = {{&method_gd, 1, 0.1, 0, 0.1, 2},
                                     {&method_one_vector, 0, 0, 0, 1, 2},
                                     {&method_filter, 1, 0.1, 0, 0.1, 3},
                                     {&method_filter_pairs, 1, 0.1, 0, 0.1, 2}};
  size_t c, trial;
  double mu;
  (void)unused;
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
  for (c = 0; c < sizeof cases / sizeof *cases; c++) {
    double worst = 0;
    for (trial = 0; trial < TRIALS; trial++) {
      sample s, other;
      model a, b;
      double gap;
      fill(&s, 8, 2, 0.5);
      s.t.with.steps = cases[c].steps;
      s.t.with.step_size = cases[c].step_size;
      replace(&other, &s, trial % 8);
      a = train(cases[c].m, &s, trial);
      b = train(cases[c].m, &other, trial);
      gap = distance(a.theta, b.theta, cases[c].size) / (cases[c].factor * a.sigma * mu);
      if (gap > 1 + 5e-3) fail_msg("%s: %g of what is allowed", cases[c].m->name, gap);
      worst = fmax(worst, gap);
      model_free(&a);
      model_free(&b);
    }
    if (worst <= 0.2) fail_msg("%s: only %g attained", cases[c].m->name, worst);
  }
}

/* DP-SGD: with the same coins a step's sum of clipped gradients moves by at most twice the clip,
 * which smoothing cannot increase; the noise is what the composed curve asks for at that clip.
 */
static void dpsgd_moves_by_twice_its_clip_and_composes_its_noise(void **unused) {
  static const method *const which[] = {&method_dpsgd, &method_dplssgd, &method_dpsgd_mlp,
                                        &method_dplssgd_mlp};
  size_t c, trial;
  (void)unused;
  for (c = 0; c < 4; c++) {
    double clip = c < 2 ? sqrt(2) / 2 : 1, worst = 0, epsilon, sigma = 0;
    size_t steps = 0;
    dppair_accountant spent;
    dppair_sampling drawn;
    for (trial = 0; trial < TRIALS; trial++) {
      sample s, other;
      model a, b;
      double gap;
      fill(&s, 8, 2, 0.5);
      s.t.with.steps = 1;
      s.t.with.step_size = 0.1;
      s.t.with.noiseless = 1;
      replace(&other, &s, trial % 8);
      a = train(which[c], &s, 1);
      b = train(which[c], &other, 1);
      gap = distance(a.theta, b.theta, a.size) * 2 / 0.1; /* batches of 8/4 */
      assert_true(gap <= 2 * clip * (1 + 1e-12));
      worst = fmax(worst, gap);
      model_free(&a);
      model_free(&b);
      if (trial > 0) continue;
      s.t.with.steps = 20;
      s.t.with.noiseless = 0;
      a = train(which[c], &s, 1);
      sigma = a.sigma;
      steps = a.steps;
      assert_true(a.epsilon <= 1 && a.epsilon > 0.99);
      model_free(&a);
    }
    assert_true(worst > 0);
    memset(&drawn, 0, sizeof drawn);
    drawn.kind = DPPAIR_POISSON;
    drawn.adjacency = DPPAIR_REPLACE_ONE;
    drawn.q = 0.25;
    assert_int_equal(dppair_accountant_init(&spent), DPPAIR_OK);
    assert_int_equal(dppair_accountant_sampled_gaussian(&spent, drawn, clip, sigma, steps),
                     DPPAIR_OK);
    assert_int_equal(answer_epsilon(&epsilon, &spent, 1e-3), DPPAIR_OK);
    if (!(epsilon > 0.95 && epsilon < 1.5)) fail_msg("%s: %g", which[c]->name, epsilon);
  }
}

/* What statistics releases: rows of 2 columns, clipped to 1, with a constant. */
static void statistics_of(double v[9], const sample *s) {
  double rows[8 * 3];
  assert_int_equal(moment_rows_make(rows, s->x, 8, 2, 1, MOMENT_CONSTANT), DPPAIR_OK);
  moments_first(v, s->y, rows, 8, 3);
  moments_second(v + 3, rows, 8, 3);
}

/* statistics: the moments move by 2.5 at most, which is attained; selection: a record changes each
 * candidate's count by 2 at most. Both against the noise that they state. */
static void moments_and_votes_move_by_their_sensitivity_and_attain_it(void **unused) {
  double v[9], u[9], mu, worst = 0, votes = 0;
  size_t trial;
  sample s, other;
  model m;
  (void)unused;
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
  for (trial = 0; trial < 8 * TRIALS; trial++) {
    double w[2], change;
    fill(&s, 8, 2, 0.5);
    replace(&other, &s, trial % 8);
    if (trial % 2) { /* unit rows at every angle; in the moments' units a constant is added */
      size_t i = trial % 8;
      double angle = 3.14159265358979 * (double)(trial / 2) / (4 * TRIALS);
      s.x[2 * i] = 1;
      s.x[2 * i + 1] = 0;
      other.x[2 * i] = cos(angle);
      other.x[2 * i + 1] = sin(angle);
      assert_int_equal(dppair_project_l2_f64(other.x + 2 * i, 2, 1), DPPAIR_OK);
    }
    point(&s);
    point(&other);
    memset(v, 0, sizeof v);
    memset(u, 0, sizeof u);
    statistics_of(v, &s);
    statistics_of(u, &other);
    assert_true(distance(u, v, 9) <= 2.5);
    worst = fmax(worst, distance(u, v, 9));
    w[0] = normal();
    w[1] = normal();
    change = fabs(agreement(w, &s.t.train, 4) - agreement(w, &other.t.train, 4));
    if (trial % 8 < 4) assert_true(!(change > 0)); /* the other half is not looked at */
    assert_true(change <= 2);
    votes = fmax(votes, change);
  }
  assert_true(worst > 0.999 * 2.5 && votes > 1);
  m = train(&method_statistics, &s, 1);
  assert_true(fabs(m.sigma / (2.5 / mu) - 1) < 1e-9);
  model_free(&m);
}

/* Sums over the rows of a set, rows as they are, and their least eigenvalue. */
typedef struct both_sums {
  double first[2], second[3], classes[8], least, error;
} both_sums;
static both_sums sums_of(const sample *s) {
  both_sums out;
  memset(&out, 0, sizeof out);
  moments_first(out.first, s->y, s->x, 5, 2);
  moments_second(out.second, s->x, 5, 2);
  class_moments(out.classes, s->x, s->y, 5, 2);
  assert_int_equal(least_eigenvalue(&out.least, &out.error, out.second, 5, 2), DPPAIR_OK);
  return out;
}

/* adassp: 2, sqrt 2 and 1; lda: 5/2. Rows of norm 0, 1/2 or 1 at every angle, either label, among
 * four along the first axis: no neighbour moves more, and some of norm 1 that much. */
static void sufficient_statistics_and_class_sums_move_by_their_sensitivities(void **unused) {
  enum { ANGLES = 96 };
  double most[4] = {0, 0, 0, 0};
  static const double bound[4] = {2, 1.4142135623730951, 1, 2.5};
  size_t k, i;
  (void)unused;
  for (k = 0; k < 36 * ANGLES; k++) {
    const double angle = 6.283185307179586 * (double)(k / 36) / ANGLES;
    const double length = (double)(k % 3) / 2, other_length = (double)(k / 3 % 3) / 2;
    sample s, other;
    both_sums a, b;
    fill(&s, 5, 2, 0);
    for (i = 0; i < 5; i++) s.x[2 * i] = 1, s.x[2 * i + 1] = 0;
    s.x[0] = length;
    s.y[0] = k / 9 % 2 ? 1 : -1;
    other = s;
    other.x[0] = other_length * cos(angle);
    other.x[1] = other_length * sin(angle);
    other.y[0] = k / 18 % 2 ? 1 : -1;
    a = sums_of(&s);
    b = sums_of(&other);
    most[0] = fmax(most[0], distance(a.first, b.first, 2));
    most[1] = fmax(most[1], distance(a.second, b.second, 3) / MOMENT_SCALE);
    most[2] = fmax(most[2], fabs(a.least - b.least) - 2e-3);
    most[3] = fmax(most[3], distance(a.classes, b.classes, 8));
    assert_true(fabs(a.least - b.least) <= 1 + a.error && a.error < 2e-3);
  }
  for (k = 0; k < 4; k++)
    if (most[k] > bound[k] * (1 + 1e-12) || most[k] < .99 * bound[k])
      fail_msg("statistic %d: %g of %g", (int)k, most[k], bound[k]);
}

/* Without noise adassp is least squares with a constant, and lda the inverse of the pooled squares
 * times the difference of means: both by hand for six records, whose constant is .3 times the
 * radius of 1. The directions of the two agree, as Fisher's and the regression's do. */
/* Of sums that are computed: each data set's may be off by as much as its terms round. */
static void sufficient_statistics_have_noise_for_their_rounding(void **unused) {
  enum { ROWS = 1000 };
  const double off = (double)ROWS * (ROWS + 8) * DBL_EPSILON; /* far above one unit of sqrt(2) */
  static sample s;
  model m;
  (void)unused;
  fill(&s, ROWS, 2, .3);
  asks = 0;
  m = train(&method_adassp, &s, 1);
  assert_int_equal(asks, 3);
  assert_true(asked[0] > 1 && asked[0] < 1.01);
  assert_true(asked[1] >= MOMENT_SCALE * (sqrt(2.0) + 2 * off) * (1 - DBL_EPSILON));
  assert_true(asked[2] >= (2 + 2 * off) * (1 - DBL_EPSILON));
  assert_true(asked[1] < MOMENT_SCALE * (sqrt(2.0) + 3 * off) && asked[2] < 2 + 3 * off);
  model_free(&m);
}

static void without_noise_the_regression_and_the_discriminant_are_those_by_hand(void **unused) {
  static const double x[12] = {.5, .25, .75, 0, .25, .5, -.25, .25, 0, -.5, -.5, 0};
  sample s;
  model m;
  size_t i;
  (void)unused;
  fill(&s, 6, 2, 0);
  memcpy(s.x, x, sizeof x);
  for (i = 0; i < 6; i++) s.y[i] = i < 3 ? 1 : -1;
  s.t.with.noiseless = 1;
  s.t.with.radius = 1;
  m = train(&method_adassp, &s, 1);
  /* centred squares 35/32, 1/8, 7/12; sums with the labels 9/4 and 1: w ~ (19, 13) */
  assert_true(m.theta[0] > 0 && m.theta[1] > 0 && m.epsilon > 1e308);
  assert_true(fabs(m.theta[1] / m.theta[0] - 13. / 19) < 1e-4);
  model_free(&m);
  m = train(&method_lda, &s, 1);
  assert_true(fabs(m.theta[1] / m.theta[0] - 13. / 19) < 1e-4);
  model_free(&m);
}

/* --- histograms of both classes, and boosting ------------------------------------------------- */

/* n balanced records: a flag that three quarters of the positives have set and one quarter of the
 * negatives, the columns of a group that say the same of a half, and a number: positives at both
 * ends of its range, negatives in the middle. */
static void fill_terms(sample *s, feature features[4], size_t n) {
  size_t i;
  fill(s, n, 4, 0);
  memset(features, 0, 4 * sizeof *features);
  for (i = 0; i < 4; i++) {
    features[i].kind = i == 0 ? KIND_FLAG : i < 3 ? KIND_GROUP : KIND_NUMERIC;
    features[i].group = i == 1 || i == 2 ? 0 : -1;
    features[i].low = i == 3 ? -100 : 0;
    features[i].high = i == 3 ? 100 : 1;
  }
  for (i = 0; i < n; i++) {
    const size_t k = i / 2;
    const double place = (k % 4 < 2 ? 1 : -1) * (1 + (double)(k % 7));
    s->x[4 * i] = s->y[i] > 0 ? k % 4 < 3 : k % 4 < 1;
    s->x[4 * i + 1] = s->y[i] > 0 ? k % 4 < 3 : k % 4 < 1;
    s->x[4 * i + 2] = 1 - s->x[4 * i + 1];
    s->x[4 * i + 3] = s->y[i] > 0 ? 10 * place : place / 4;
  }
  s->t.features = features;
  s->t.scale = SCALE_RANGES;
}

/* The score of a record that is 0 but for one column. */
static double share_of(const model *m, size_t column, double x) {
  double row[4] = {0, 0, 0, 0}, s;
  const records one = {1, m->d, row, row, NULL, NULL, 0};
  row[column] = x;
  m->score(&s, m, &one);
  return s;
}

/* f(1) - f(0) of boosting a flag alone, both of whose leaves have mean residuals of 3/4 - P and
 * 1/4 - P: ten rounds of steps of length 2, P held within a score of 1 from 0. */
static double boosted_flag(void) {
  double f = 0;
  int k;
  for (k = 0; k < 10; k++) f += 2 * (.75 - 1 / (1 + exp(-fmin(f, 1))));
  return 2 * f;
}

/* dpebm: all records of two columns of two bins each, either label, at any scores, near and beyond
 * those that P is held at: how far a step's sums differ between any two is its sensitivity at most,
 * and attained in one leaf, and in two, by records that agree in their label. */
static void residuals_move_by_what_the_range_of_scores_says(void **unused) {
  double most[2] = {0, 0};
  size_t tries, i, j, k;
  (void)unused;
  for (tries = 0; tries < 400; tries++) {
    double f[4], score, sum[8][LEAVES] = {{0}}, y[8], sensitivity[8];
    size_t at[2], leaf[2] = {0, 1}, count[2] = {2, 2};
    bin_term terms[2];
    boosting g;
    memset(terms, 0, sizeof terms);
    memset(&g, 0, sizeof g);
    terms[1].start = 2;
    g.b.term = terms, g.b.terms = 2;
    g.at = at, g.count = count, g.leaf = leaf, g.f = f, g.s = &score;
    g.base = 2 * normal();
    for (k = 0; k < 4; k++) f[k] = normal() * (tries % 2 ? 2 : .1);
    for (i = 0; i < 8; i++) {
      const records one = {1, 2, NULL, NULL, &y[i], NULL, 0};
      at[0] = i % 2, at[1] = i / 2 % 2, y[i] = i < 4 ? -1 : 1;
      score = g.base + f[at[0]] + f[2 + at[1]];
      sensitivity[i] = residuals(sum[i], &g, 0, &one);
      assert_true(fabs(sensitivity[i] - sensitivity[0]) <= 0); /* of no record */
    }
    for (i = 0; i < 8; i++)
      for (j = 0; j < i; j++) {
        const double part = distance(sum[i], sum[j], LEAVES) / sensitivity[0];
        k = i % 2 == j % 2 ? 0 : 1;
        if (part > 1) fail_msg("%g of the sensitivity", part);
        most[k] = fmax(most[k], part);
      }
  }
  for (k = 0; k < 2; k++)
    if (most[k] < .99) fail_msg("%d leaves: only %g is attained", (int)k + 1, most[k]);
}

static void without_noise_histograms_give_log_ratios_and_boosting_its_steps(void **unused) {
  feature features[4];
  sample s;
  model m;
  size_t i;
  (void)unused;
  fill_terms(&s, features, 1000);
  s.t.with.noiseless = 1;
  m = train(&method_histogram_bayes, &s, 1);
  assert_true(m.epsilon > 1e308 && m.steps == 1);
  /* log 9, of which the prior takes a hundredth; log 3 against log 1/3 */
  assert_true(fabs(share_of(&m, 0, 1) - share_of(&m, 0, 0) - log(9.)) < .05);
  assert_true(fabs(share_of(&m, 1, 1) - share_of(&m, 2, 1) - log(9.)) < .05);
  assert_true(share_of(&m, 3, 40) - share_of(&m, 3, 1) > 2);
  assert_true(share_of(&m, 3, -40) - share_of(&m, 3, -1) > 2);
  assert_true(share_of(&m, 3, -1e4) >= share_of(&m, 3, -1e9)); /* constant beyond the knots */
  assert_true(share_of(&m, 3, -1e4) <= share_of(&m, 3, -1e9));
  assert_true(share_of(&m, 3, 1e4) >= share_of(&m, 3, 1e9));
  assert_true(share_of(&m, 3, 1e4) <= share_of(&m, 3, 1e9));
  model_free(&m);
  m = train(&method_dpebm, &s, 1);
  assert_true(m.epsilon > 1e308 && m.steps == 31); /* a flag, a group, a number */
  assert_true(share_of(&m, 3, 40) - share_of(&m, 3, 1) > 1);
  assert_true(share_of(&m, 3, -40) - share_of(&m, 3, -1) > 1);
  model_free(&m);
  s.t.train.d = 1;
  for (i = 0; i < 1000; i++) s.x[i] = s.x[4 * i];
  m = train(&method_dpebm, &s, 1);
  assert_true(fabs(share_of(&m, 0, 1) - boosted_flag()) < .03);
  model_free(&m);
}

/* Counts of a number are smoothed by the kernel of auto, .9 and 4, and have the noise that a record
 * then asks for. */
static void histograms_have_the_noise_of_their_kernel(void **unused) {
  feature features[4];
  dppair_column column;
  const dppair_marginals query = {&column, 1, DPPAIR_CELLS_SIDE, .9, 4, 1};
  double l2, l1;
  size_t bytes;
  void *work;
  sample s;
  spending spent;
  bins b;
  (void)unused;
  fill_terms(&s, features, N);
  point(&s);
  keys(&s, 1, 2);
  s.t.train.d = 1;
  s.t.features = features + 3;
  assert_int_equal(spending_begin(&spent, &s.t), DPPAIR_OK);
  assert_int_equal(bins_make(&b, &s.t, 0), DPPAIR_OK);
  assert_int_equal(bins_release(&b, &spent, .1), DPPAIR_OK);
  memset(&column, 0, sizeof column);
  column.kind = DPPAIR_COLUMN_NUMERIC;
  column.low = -100;
  column.high = 100;
  assert_int_equal(dppair_marginals_workspace(&bytes, 1), DPPAIR_OK);
  assert_non_null(work = malloc(bytes));
  assert_int_equal(
      dppair_marginals_sensitivity(&l2, &l1, &query, DPPAIR_REPLACE_ONE, work, bytes), DPPAIR_OK);
  free(work);
  assert_true(fabs(b.sd * .1 / l2 - 1) < 1e-10);
  spending_end(&spent);
  bins_free(&b);
}

/* Edges of the data: scores that are numbers, whatever the records are; and the budget is the
 * claim's bound with noise. */
static void histograms_and_boosting_take_any_records(void **unused) {
  static const method *const both[] = {&method_histogram_bayes, &method_dpebm};
  static const size_t sizes[] = {4, 5, N};
  feature features[4];
  double scores[N];
  sample s;
  size_t c, i;
  (void)unused;
  for (c = 0; c < 2 * 3 * 4 * 2; c++) {
    const size_t n = sizes[c / 2 % 3], kind = c / 6 % 4;
    model m;
    fill_terms(&s, features, n);
    if (c / 24 == 1) s.t.delta = 0;
    for (i = 0; i < n; i++) {
      if (kind == 1) s.y[i] = 1;
      if (kind >= 2) memset(s.x + 4 * i, 0, 4 * sizeof *s.x);
      if (kind == 3) s.x[4 * i + 1] = s.x[4 * i + 2] = 1, s.x[4 * i + 3] = 1e300;
    }
    m = train(both[c % 2], &s, c);
    assert_true(m.epsilon <= s.t.epsilon && m.epsilon > .98 * s.t.epsilon);
    m.score(scores, &m, &s.t.train);
    assert_true(dppair_all_finite_f64(scores, n));
    model_free(&m);
  }
}

/* Each of the four descents spends mu/2 exactly, wherever epsilon lies against delta: with the
 * hinge every step moves by 2R/half, so the last candidate's noise says what 64 steps spent. */
static void selection_spends_exactly_its_budget(void **unused) {
  static const double epsilons[] = {.003, .01, .05, .1, .3, 1, 4}, deltas[] = {.3, .1, .01, 1e-5};
  size_t a, b;
  (void)unused;
  for (a = 0; a < sizeof epsilons / sizeof *epsilons; a += BRIEF ? 3 : 1)
    for (b = 0; b < sizeof deltas / sizeof *deltas; b += BRIEF ? 2 : 1) {
      sample s;
      model m;
      double mu, one;
      fill(&s, N, D, 0.3);
      s.t.epsilon = epsilons[a];
      s.t.delta = deltas[b];
      s.t.with.loss = "hinge";
      m = train(&method_selection, &s, 1);
      assert_int_equal(dppair_gaussian_mu(&mu, epsilons[a], deltas[b]), DPPAIR_OK);
      one = 8 * 2.0 / (N / 2) / m.sigma;
      if (!(4 * one * one <= mu * mu))
        fail_msg("(%g, %g): %g of mu", epsilons[a], deltas[b], 2 * one / mu);
      assert_true(4 * one * one > mu * mu * (1 - 1e-8));
      assert_true(m.epsilon <= epsilons[a] && m.epsilon > epsilons[a] * (1 - 1e-6));
      model_free(&m);
    }
}

/* Random stopping: what a descent's noise says of a run, with the share of the count, is worth the
 * whole budget, and more than halving gives a candidate on all records. */
static void stopping_spends_its_budget_with_less_noise_than_halving(void **unused) {
  static const double epsilons[] = {.3, 4};
  size_t a;
  (void)unused;
  for (a = 0; a < sizeof epsilons / sizeof *epsilons; a++) {
    double mu, one = 0, gamma;
    uint64_t k;
    int way;
    sample s;
    fill(&s, N, D, 0.3);
    s.t.epsilon = epsilons[a];
    s.t.delta = 1e-5;
    s.t.with.loss = "hinge";
    for (k = 1; !(one > 0) && k < 50; k++) { /* a run of the plain sum says nothing */
      model m = train(&method_stopping, &s, k);
      if (m.steps > 0) one = sqrt((double)m.steps) * 2.0 / N / m.sigma;
      assert_true(m.epsilon <= epsilons[a] && m.epsilon > epsilons[a] * (1 - 1e-6));
      model_free(&m);
    }
    assert_int_equal(dppair_selection_gamma(&gamma, 1, 10), DPPAIR_OK);
    for (way = 0; way < 2; way++) {
      dppair_accountant one_run;
      dppair_interval b;
      assert_int_equal(dppair_accountant_init(&one_run), DPPAIR_OK);
      assert_int_equal(
          dppair_accountant_gaussian(&one_run, one / sqrt(0.8) * (way == 0 ? 1 : 1 + 1e-5), 1, 1),
          DPPAIR_OK);
      assert_int_equal(dppair_selection_epsilon(&b, &one_run, 1, gamma, 1e-5 * (1 - 1e-9), NULL),
                       DPPAIR_OK);
      assert_true(way == 0 ? b.upper <= epsilons[a] : b.upper > epsilons[a]);
    }
    assert_int_equal(dppair_gaussian_mu(&mu, epsilons[a], 1e-5), DPPAIR_OK);
    assert_true(one > 2 * mu / 4);
  }
}

/* A file sorted by label gives neither half nor any voting pair two classes, were they taken in the
 * file's order. */
/* One candidate of the stopped search is not trained: it ranks by the sum of all columns. */
static void the_candidate_without_training_is_the_sum_of_columns(void **unused) {
  stopping searched;
  sample s;
  int k, pays, seen = 0;
  (void)unused;
  fill(&s, 20, 3, .4);
  point(&s);
  keys(&s, 1, 2);
  s.t.epsilon = 8;
  assert_int_equal(stopping_open(&searched, &pays, &s.t), DPPAIR_OK);
  for (k = 0; k < 100 && !seen; k++) {
    model m;
    double score;
    size_t i;
    memset(&m, 0, sizeof m);
    assert_int_equal(stopping_run(&m, &score, &searched), DPPAIR_OK);
    seen = m.steps == 0;
    for (i = 0; i < 3 && seen; i++) assert_true(m.theta[i] >= 1 && m.theta[i] <= 1);
    model_free(&m);
  }
  assert_true(seen);
}

static void selection_ranks_well_on_a_file_sorted_by_label(void **unused) {
  static double x[768 * 8], y[768], scores[768];
  double mean = 0;
  size_t i, j, k, n = 0, row;
  int options;
  char error[ERROR_SIZE];
  dataset pima;
  split all_of;
  size_t order[768];
  sample s;
  (void)unused;
  assert_true(data_load(&pima, "examples/data/pima.csv", NULL, error));
  assert_true(data_ranges(&pima, "examples/data/pima.ranges", error));
  for (i = 0; i < 768; i++) order[i] = i;
  assert_true(split_make(&all_of, &pima, order, 760, 8, SCALE_RANGES));
  for (options = 0; options < 2; options++)
    for (row = 0; row < 760; row++)
      if ((all_of.train.y[row] > 0) == (options > 0)) {
        for (j = 0; j < 8; j++) x[n * 8 + j] = all_of.train.x[row * 8 + j];
        y[n++] = all_of.train.y[row];
      }
  for (k = 1; k <= 10; k++) {
    model m;
    memset(&s, 0, sizeof s);
    keys(&s, k, k);
    s.t.train.n = n;
    s.t.train.d = 8;
    s.t.train.x = s.t.train.raw = x;
    s.t.train.y = y;
    s.t.scale = SCALE_RANGES;
    s.t.epsilon = 4;
    s.t.delta = 1.0 / 760;
    assert_int_equal(method_train(&m, &method_selection, &s.t), DPPAIR_OK);
    m.score(scores, &m, &s.t.train);
    mean += ranking_auc(scores, y, n) / 10;
    model_free(&m);
  }
  split_free(&all_of);
  data_free(&pima);
  print_message("selection on the sorted file: %.4f\n", mean);
  assert_true(mean > 0.74);
}

/* So many columns that a matrix of them takes hours are refused at once; the ranking that needs
 * none takes its one vector. */
static void too_many_columns_for_a_matrix_are_refused_or_ranked_without_one(void **unused) {
  enum { WIDE = SOLVER_COLUMNS + 1 };
  static double x[4 * WIDE], y[4] = {1, -1, 1, -1};
  sample s;
  model m;
  size_t k;
  (void)unused;
  for (k = 0; k < 4 * WIDE; k++) x[k] = normal() / 100;
  memset(&s, 0, sizeof s);
  keys(&s, 1, 1);
  s.t.train.n = 4;
  s.t.train.d = WIDE;
  s.t.train.x = s.t.train.raw = x;
  s.t.train.y = y;
  s.t.scale = SCALE_ROW;
  s.t.epsilon = 1e3;
  s.t.delta = .1;
  assert_int_equal(method_train(&m, &method_statistics, &s.t), DPPAIR_ERR_SIZE);
  assert_int_equal(method_train(&m, &method_niewang2017, &s.t), DPPAIR_ERR_SIZE);
  assert_int_equal(method_train(&m, &method_declared, &s.t), DPPAIR_OK);
  assert_non_null(strstr(m.note, "one vector"));
  model_free(&m);
}

/* A privacy quantity that is not a number is no number that anything is smaller than; a claim
 * agrees with the accountant. */
static void a_privacy_figure_that_is_no_number_exceeds_every_budget(void **unused) {
  spending spent;
  model m;
  double mu, not_a_number = HUGE_VAL - HUGE_VAL;
  sample s;
  (void)unused;
  assert_true(larger(1, 2) >= 2 && larger(2, 1) <= 2 && larger(-1, -2) <= -1);
  assert_true(larger(1, not_a_number) > 1e308 && larger(not_a_number, 1) > 1e308);
  fill(&s, 8, 2, 0);
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
  memset(&m, 0, sizeof m);
  assert_int_equal(spending_begin(&spent, &s.t), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&spent.account, mu * (1 - 1e-12), 1, 1), DPPAIR_OK);
  assert_int_equal(spend_claim(&m, &spent), DPPAIR_OK);
  assert_true(m.epsilon <= 1 && m.epsilon > 1 - 1e-6);
  assert_int_equal(dppair_accountant_gaussian(&spent.account, 0.01 * mu, 1, 1), DPPAIR_OK);
  assert_int_equal(spend_claim(&m, &spent), DPPAIR_ERR_NO_PROOF);
  assert_true(m.epsilon > 1e308);
}

/* --- solvers ---------------------------------------------------------------------------------- */

/* Whether a regularised fit is released must not depend on the labels: random ones and separable
 * ones, between which a bisection would find two neighbours with different outcomes. */
static void no_fit_is_withheld_because_of_the_labels(void **unused) {
  enum { ROWS = 2000 };
  static double x[2 * ROWS], y[ROWS];
  static const char *const losses[] = {"hinge", "pinball-0.3", "square"};
  size_t loss, i;
  int kind;
  (void)unused;
  for (loss = 0; loss < 3; loss++)
    for (kind = 0; kind < 3; kind++) {
      sample s;
      model m;
      memset(&s, 0, sizeof s);
      for (i = 0; i < ROWS; i++) {
        double noise = normal();
        x[2 * i] = 2 * uniform() - 1;
        x[2 * i + 1] = 2 * uniform() - 1;
        noise = kind == 0 ? noise : x[2 * i] - .4 * x[2 * i + 1] + (kind == 2 ? .1 * noise : 0);
        y[i] = noise > 0 ? 1 : -1;
      }
      keys(&s, 1, 1);
      s.t.train.n = ROWS;
      s.t.train.d = 2;
      s.t.train.x = s.t.train.raw = x;
      s.t.train.y = y;
      s.t.scale = SCALE_RANGES;
      s.t.epsilon = 1;
      s.t.delta = 1e-3;
      s.t.with.loss = losses[loss];
      s.t.with.lambda = 1e-8;
      if (method_train(&m, &method_niewang2017, &s.t) != DPPAIR_OK)
        fail_msg("%s, labels of kind %d: refused", losses[loss], kind);
      model_free(&m);
    }
}

/* Settings that no solver serves in time or in doubles are refused, by public numbers. */
static void a_regulariser_too_small_to_be_served_is_refused(void **unused) {
  sample s;
  model m;
  (void)unused;
  fill(&s, 20, 2, 0.4);
  point(&s);
  keys(&s, 1, 1);
  s.t.with.lambda = 1e-14;
  assert_int_equal(method_train(&m, &method_niewang2017, &s.t), DPPAIR_ERR_NO_PROOF);
  s.t.with.lambda = 1e-20;
  assert_int_equal(method_train(&m, &method_niewang2017_pairs, &s.t), DPPAIR_ERR_NO_PROOF);
  for (s.t.with.lambda = 1e-21; s.t.with.lambda > 1e-305; s.t.with.lambda *= 1e-40)
    assert_int_equal(method_train(&m, &method_niewang2017_pairs, &s.t), DPPAIR_ERR_DOMAIN);
}

/* Squares of smaller or larger settings leave the range of doubles, a larger budget the grid of the
 * noise: whether a release was refused, and its noise, could then depend on records. */
static void settings_beyond_the_range_of_products_are_refused(void **unused) {
  static const double outside[] = {-1, 9e-21, 1.1e20, 1e303, 1e-170, HUGE_VAL, (double)NAN};
  static const double budgets[] = {9e-10, 1.1e3, 1e12};
  sample s;
  model m;
  size_t k, which;
  (void)unused;
  fill(&s, 20, 2, 0.4);
  point(&s);
  keys(&s, 1, 1);
  for (k = 0; k < sizeof outside / sizeof *outside; k++)
    for (which = 0; which < 4; which++) {
      memset(&s.t.with, 0, sizeof s.t.with);
      *(which == 0   ? &s.t.with.radius
        : which == 1 ? &s.t.with.param_radius
        : which == 2 ? &s.t.with.lambda
                     : &s.t.with.step_size) = outside[k];
      assert_int_equal(method_train(&m, &method_kang2021, &s.t), DPPAIR_ERR_DOMAIN);
    }
  memset(&s.t.with, 0, sizeof s.t.with);
  for (k = 0; k < sizeof budgets / sizeof *budgets; k++) {
    s.t.epsilon = budgets[k];
    assert_int_equal(method_train(&m, &method_one_vector, &s.t), DPPAIR_ERR_DOMAIN);
  }
}

/* --- convergence, replay, shape --------------------------------------------------------------- */

static double auc_of(const model *m, const sample *s) {
  double scores[N];
  m->score(scores, m, &s->t.train);
  return ranking_auc(scores, s->y, s->t.train.n);
}

static void every_ranking_method_without_noise_closes_the_gap(void **unused) {
  static const method *const ranking[] = {&method_gd,
                                          &method_one_vector,
                                          &method_statistics,
                                          &method_selection,
                                          &method_kang2021,
                                          &method_dpgdsc,
                                          &method_dpgdc2,
                                          &method_dpegd,
                                          &method_offpairstrc,
                                          &method_offpairc,
                                          &method_yang2021,
                                          &method_niewang2017,
                                          &method_niewang2017_fourier,
                                          &method_niewang2017_pairs,
                                          &method_dpsgd,
                                          &method_dpsgd_mlp,
                                          &method_dplssgd,
                                          &method_dplssgd_mlp,
                                          &method_bolton,
                                          &method_filter,
                                          &method_filter_pairs};
  size_t c;
  sample s;
  (void)unused;
  fill(&s, N, D, 0.8);
  s.t.with.noiseless = 1;
  for (c = 0; c < sizeof ranking / sizeof *ranking; c++) {
    model m;
    double auc;
    s.t.with.steps = ranking[c] == &method_yang2021 ? 1000 : ranking[c] == &method_dpgdsc ? 500 : 0;
    m = train(ranking[c], &s, 1);
    auc = auc_of(&m, &s);
    /* half of the records, and random pairs of the other half, leave the choice to chance */
    if (auc < (ranking[c] == &method_selection ? 0.85 : 0.95))
      fail_msg("%s without noise ranks %g", ranking[c]->name, auc);
    assert_true(m.epsilon > 1e300);
    model_free(&m);
  }
}

/* Without noise every metric method closes most of the gap between W = 0 and the best metric. */
static void every_metric_method_without_noise_closes_the_gap(void **unused) {
  static const struct {
    const method *m;
    size_t steps;
    double step_size, share;
  } cases[] = {{&method_kang2021_metric, 400, 0, 0.95}, {&method_dpgdsc_metric, 400, 0, 0.95},
               {&method_dpgdc2_metric, 400, 0.4, 0.9},  {&method_dpegd_metric, 0, 0.4, 0.3},
               {&method_offpairstrc_metric, 0, 0, 0.5}, {&method_offpairc_metric, 0, 0, 0.5},
               {&method_yang2021_metric, 2000, 0, 0.8}, {&method_yang2021_nuclear, 2000, 0, 0.8}};
  size_t c, k, step;
  (void)unused;
  for (c = 0; c < sizeof cases / sizeof *cases; c += BRIEF ? 2 : 1) {
    int hinge = c >= 6;
    pair_norm norm = c == 7 ? NORM_NUCLEAR : NORM_L2;
    double w[16] = {0}, g[16], start, best, reached;
    sample s;
    model m;
    pairs p;
    fill(&s, N, D, 0.8);
    s.t.with.noiseless = 1;
    s.t.with.steps = cases[c].steps;
    s.t.with.step_size = cases[c].step_size;
    m = train(cases[c].m, &s, 1);
    keys(&s, 1, 3);
    assert_int_equal(
        pairs_open(&p, &s.t, METRIC, norm, 1, pair_link_find(hinge ? "hinge" : "logistic", NULL)),
        DPPAIR_OK);
    assert_int_equal(pairs_risk(&start, &p, w), DPPAIR_OK);
    for (step = 1; step <= 300; step++) {
      assert_int_equal(pairs_gradient(g, &p, w, 0, p.n), DPPAIR_OK);
      for (k = 0; k < p.size; k++) w[k] -= 0.5 / (hinge ? sqrt((double)step) : 1) * g[k];
      assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
    }
    assert_int_equal(pairs_risk(&best, &p, w), DPPAIR_OK);
    matrix_pack(w, m.theta, D);
    assert_int_equal(pairs_risk(&reached, &p, w), DPPAIR_OK);
    if (!(start - reached >= cases[c].share * (start - best)))
      fail_msg("%s: %g of the way", cases[c].m->name, (start - reached) / (start - best));
    pairs_close(&p);
    model_free(&m);
  }
}

/* Without noise DPGDSC ends where its projected gradient vanishes, Nie-Wang's pairs where the
 * gradient does, and the two runs of Yang's SGD approach the best hinge risk. */
static void without_noise_methods_end_where_their_gradient_vanishes(void **unused) {
  sample s;
  pairs p;
  model m;
  double g[16], w[16], risk, best, trial;
  size_t k;
  (void)unused;
  fill(&s, N, D, 0.2);
  s.t.with.noiseless = 1;
  s.t.with.lambda = 0.05;
  s.t.with.steps = 3000;
  m = train(&method_dpgdsc, &s, 1);
  keys(&s, 1, 3);
  assert_int_equal(pairs_open(&p, &s.t, RANK_DIFF, NORM_L2, 1, pair_link_find("logistic", NULL)),
                   DPPAIR_OK);
  assert_int_equal(pairs_gradient(g, &p, m.theta, 0, p.n), DPPAIR_OK);
  for (k = 0; k < D; k++) w[k] = m.theta[k] - 0.1 * g[k];
  assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
  assert_true(distance(w, m.theta, D) < 1e-9);
  pairs_close(&p);
  model_free(&m);

  m = train(&method_niewang2017_pairs, &s, 1);
  keys(&s, 1, 3);
  assert_int_equal(pairs_open(&p, &s.t, RANK_IND, NORM_L2, 0, pair_link_find("logistic", NULL)),
                   DPPAIR_OK);
  assert_int_equal(pairs_gradient(g, &p, m.theta, 0, p.n), DPPAIR_OK);
  assert_true(dppair_norm_f64(g, D) < 1e-5);
  pairs_close(&p);
  model_free(&m);

  s.t.with.lambda = 0;
  s.t.with.steps = 20000;
  s.t.with.param_radius = 3;
  s.t.with.step_size = 0.05;
  m = train(&method_yang2021, &s, 1);
  keys(&s, 1, 3);
  assert_int_equal(pairs_open(&p, &s.t, RANK_IND, NORM_L2, 3, pair_link_find("hinge", NULL)),
                   DPPAIR_OK);
  assert_int_equal(pairs_risk(&risk, &p, m.theta), DPPAIR_OK);
  best = risk;
  for (k = 0; k < 300; k++) {
    size_t j;
    for (j = 0; j < D; j++) w[j] = m.theta[j] + (k % 2 == 0 ? 0.1 : 0.5) * normal();
    assert_int_equal(pairs_project(w, &p), DPPAIR_OK);
    assert_int_equal(pairs_risk(&trial, &p, w), DPPAIR_OK);
    best = fmin(best, trial);
  }
  assert_true(risk - best < 0.01);
  pairs_close(&p);
  model_free(&m);
}

/* A norm that is no number must not count as a small one. */
static void constants_at_a_norm_that_is_no_number_are_refused(void **unused) {
  sample s;
  pairs p;
  (void)unused;
  fill(&s, N, D, 0.2);
  point(&s);
  keys(&s, 1, 3);
  assert_int_equal(pairs_open(&p, &s.t, RANK_IND, NORM_L2, 0, pair_link_find("logistic", NULL)),
                   DPPAIR_OK);
  assert_int_not_equal(pairs_within(&p, (double)NAN), DPPAIR_OK);
  assert_int_equal(pairs_within(&p, 0), DPPAIR_OK);
  pairs_close(&p);
}

static const method *const all[] = {&method_gd,
                                    &method_one_vector,
                                    &method_statistics,
                                    &method_selection,
                                    &method_stopping,
                                    &method_kang2021,
                                    &method_kang2021_metric,
                                    &method_dpgdsc,
                                    &method_dpgdsc_metric,
                                    &method_dpgdc2,
                                    &method_dpgdc2_metric,
                                    &method_dpegd,
                                    &method_dpegd_metric,
                                    &method_offpairstrc,
                                    &method_offpairstrc_metric,
                                    &method_offpairc,
                                    &method_offpairc_metric,
                                    &method_yang2021,
                                    &method_yang2021_metric,
                                    &method_yang2021_nuclear,
                                    &method_niewang2017,
                                    &method_niewang2017_fourier,
                                    &method_niewang2017_pairs,
                                    &method_dpsgd,
                                    &method_dpsgd_mlp,
                                    &method_dplssgd,
                                    &method_dplssgd_mlp,
                                    &method_bolton,
                                    &method_pidpsgd,
                                    &method_filter,
                                    &method_filter_pairs,
                                    &method_dpsgd_allocation};

/* The same keys give the same bits; another noise key gives others. */
static void the_same_keys_give_the_same_bits(void **unused) {
  size_t c;
  (void)unused;
  for (c = 0; c < sizeof all / sizeof *all; c++) {
    sample s;
    model a, b, other;
    fill(&s, 20, 3, 0.3);
    s.t.with.steps = 25;
    a = train(all[c], &s, 1);
    b = train(all[c], &s, 1);
    other = train(all[c], &s, 2);
    assert_memory_equal(a.theta, b.theta, a.size * sizeof *a.theta);
    if (all[c] != &method_pidpsgd) {
      assert_true(memcmp(a.theta, other.theta, a.size * sizeof *a.theta) != 0);
      assert_true(a.epsilon <= 1 + 1e-12);
    }
    model_free(&a);
    model_free(&b);
    model_free(&other);
  }
}

/* A released metric is positive semidefinite and in its ball. */
static void a_released_metric_is_semidefinite_and_in_its_ball(void **unused) {
  static const method *const which[] = {&method_kang2021_metric, &method_dpgdsc_metric,
                                        &method_dpegd_metric, &method_yang2021_metric,
                                        &method_yang2021_nuclear};
  size_t c, k;
  (void)unused;
  for (c = 0; c < 5; c++) {
    sample s;
    model m;
    double v[D], q[D * D], spare[D * D + 8 * D], sum = 0, square = 0;
    fill(&s, 20, D, 0.3);
    s.t.with.steps = 30;
    m = train(which[c], &s, 1);
    assert_int_equal(m.size, D * D);
    assert_int_equal(dppair_eigen_f64(v, q, m.theta, D, spare, sizeof spare), DPPAIR_OK);
    for (k = 0; k < D; k++) {
      assert_true(v[k] > -1e-12);
      sum += v[k];
      square += v[k] * v[k];
    }
    assert_true(square <= 1 + 1e-12);
    if (c == 4) assert_true(sum <= 1 + 1e-9);
    model_free(&m);
  }
}

/* --- what is printed -------------------------------------------------------------------------- */

static void as_printed_noise_is_the_papers_and_its_guarantee_is_told(void **unused) {
  sample s;
  model m;
  double mu, epsilon;
  (void)unused;
  fill(&s, 40, 2, 0.4);
  s.t.with.as_printed = 1;
  s.t.with.steps = 20;
  s.t.delta = 1e-8;
  s.t.epsilon = 8;
  /* DPGDC2 prints 4 G sqrt(1.25 T ln(1/delta))/(n epsilon); the ranking loss moves by 2G/n */
  m = train(&method_dpgdc2, &s, 1);
  mu = 8 / sqrt(1.25 * log(1e8)) / 2;
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-8, mu), DPPAIR_OK);
  assert_true(fabs(m.epsilon / epsilon - 1) < 1e-6);
  assert_non_null(strstr(m.note, "AS PRINTED"));
  model_free(&m);
  /* the metric loss with the paper's G = 1, a quarter of the real one, is not private as claimed */
  m = train(&method_kang2021_metric, &s, 1);
  assert_true(m.epsilon > 0);
  assert_non_null(strstr(m.note, "AS PRINTED"));
  model_free(&m);
  /* one number added to a function */
  m = train(&method_niewang2017, &s, 1);
  assert_true(m.epsilon > 1e300);
  assert_non_null(strstr(m.note, "NOT PRIVATE"));
  model_free(&m);
  m = train(&method_pidpsgd, &s, 1);
  assert_true(m.epsilon > 1e300);
  assert_non_null(strstr(m.note, "NOT PRIVATE"));
  model_free(&m);
  m = train(&method_yang2021, &s, 1);
  assert_true(m.epsilon >= 0 && m.epsilon < 8);
  model_free(&m);
  m = train(&method_dpegd, &s, 1);
  assert_true(m.epsilon > 0);
  model_free(&m);
}

/* Algorithm 3 in one epoch on 7 records: its 5 steps of eta/4 (7/5) each move the average by
 * 7 eta/8 times what one record moves a mean gradient by, 2G/7: by G eta/4 in all, where G is
 * 4 sigmoid(4) on the ball, and 2 where the weights stay near 0. The paper's noise is
 * 4 G (eta/4) sqrt(2 ln(1.25/delta))/epsilon, for delta = 0 4 G (eta/4) sqrt(2)/epsilon. */
static void an_epoch_has_the_noise_of_its_reach_or_of_its_paper(void **unused) {
  const double ball = 4 / (1 + exp(-4)), eta = 1e-6;
  sample s;
  model m;
  double mu, expected;
  (void)unused;
  fill(&s, 7, 2, 0.4);
  s.t.with.steps = 5;
  s.t.with.step_size = eta;
  m = train(&method_dpegd, &s, 1);
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-3), DPPAIR_OK);
  assert_true(fabs(m.sigma / (2 * eta / 4 / mu) - 1) < 1e-4);
  model_free(&m);
  s.t.with.as_printed = 1;
  m = train(&method_dpegd, &s, 1);
  assert_true(fabs(m.sigma / (ball * eta * sqrt(2 * log(1.25e3))) - 1) < 1e-6);
  assert_int_equal(dppair_gaussian_epsilon(&expected, 1e-3, .25 / sqrt(2 * log(1.25e3))), DPPAIR_OK);
  assert_true(fabs(m.epsilon / expected - 1) < 1e-5);
  model_free(&m);
  s.t.delta = 0;
  m = train(&method_dpegd, &s, 1);
  assert_true(fabs(m.sigma / (ball * eta * sqrt(2)) - 1) < 1e-6);
  assert_true(fabs(m.epsilon / .25 - 1) < 1e-5);
  model_free(&m);
}

/* Its own step size is 1/(2 G^2), G = sqrt(2) for rows of norm 1 with a constant. */
static void the_step_of_pidpsgd_is_one_over_its_smoothness(void **unused) {
  sample s;
  model a, b;
  size_t k;
  (void)unused;
  fill(&s, 20, 2, 0.4);
  s.t.with.steps = 20;
  a = train(&method_pidpsgd, &s, 1);
  s.t.with.step_size = .25;
  b = train(&method_pidpsgd, &s, 1);
  for (k = 0; k < a.size; k++) assert_true(fabs(a.theta[k] - b.theta[k]) < 1e-12);
  model_free(&a);
  model_free(&b);
}

/*
 * PIDP-SGD on l = (theta - z)^2/2, z and theta in [-1, 1] (G = 2, H = 1), n = T = 10^4, epsilon_1 =
 * epsilon_2 = 1, delta_1 = delta_2 = 10^-2: all z = 0 leaves theta at 0 in every run; one z = 1
 * moves it in 63 % of the runs. Claimed: at most e^2 * 0 + 2 * 10^-2.
 */
static double pidp_moves(int one, size_t n, size_t runs) {
  double sigma = 2 * sqrt(2) * sqrt(log(1.25 / 1e-2)) * 2 / (double)n;
  size_t k, s, moved = 0;
  for (k = 0; k < runs; k++) {
    double theta = 0;
    for (s = 0; s < n; s++) {
      size_t i = (size_t)(uniform() * (double)n);
      double z = one && i == 0 ? 1 : 0, slope = theta - z,
             c = 2 * slope / (double)n + sigma * normal();
      if (!pidpsgd_skips_noise(&c, 1, 1, 1, 1e-2)) slope += normal();
      theta -= 0.1 * slope;
    }
    moved += fabs(theta) > 0;
  }
  return (double)moved / (double)runs;
}

static void pidpsgd_is_not_private(void **unused) {
  double without = pidp_moves(0, 10000, 20), with = pidp_moves(1, 10000, 160);
  (void)unused;
  assert_true(without <= 0);
  assert_true(with > 0.4 && with > exp(2) * without + 2e-2);
}

/* Nothing is open before anything is paid, whatever the memory held. */
static void a_budget_that_nothing_was_spent_of_has_no_release(void **unused) {
  static const unsigned char nothing[sizeof(dppair_release)];
  sample s;
  spending spent;
  double v[1] = {1};
  (void)unused;
  fill(&s, 20, 2, 0.4);
  point(&s);
  keys(&s, 1, 1);
  memset(&spent, 0x47, sizeof spent);
  assert_int_equal(spending_begin(&spent, &s.t), DPPAIR_OK);
  assert_ptr_equal(spent.t, &s.t);
  assert_memory_equal(&spent.release, nothing, sizeof nothing);
  assert_int_equal(spend_on(v, 1, 1, &spent), DPPAIR_ERR_CLOSED);
  spending_end(&spent);
}

/* Below the caller stand numbers that are none. */
static void use_the_stack(void) {
  unsigned char used[4096];
  unsigned char *volatile at = used;
  memset(at, 0xff, sizeof used);
}

/* What a result does not read is 0: dppair_paper_check refuses what is no number. */
static void the_arguments_of_a_printed_noise_are_set(void **unused) {
  sample s;
  run r;
  dppair_paper paper;
  (void)unused;
  fill(&s, 20, 2, 0.4);
  memset(&r, 0, sizeof r);
  r.t = &s.t;
  use_the_stack();
  paper = printed(&r, DPPAIR_XUE2021_ALG2, 20, 3);
  assert_true(paper.n == 20 && paper.steps == 3 && !paper.pure);
  assert_true(fabs(paper.eta) + fabs(paper.lambda) + fabs(paper.kappa) <= 0);
}

/* Table 4 of the paper in hundredths of a percent, transcribed once more: OffPairStrC, DPGDSC,
 * OffPairC, DPGDC2 and DPEGD; of each of two data sets delta > 0 at four epsilons, then
 * delta = 0. */
static void the_table_of_the_experiments_has_the_figures_of_its_paper(void **unused) {
  static const int paper[5][2][8] = {
      {{5371, 5605, 5952, 6493, 5065, 5645, 5994, 6413},
       {5633, 5927, 6292, 6701, 5224, 5474, 5754, 6625}},
      {{6326, 6392, 6446, 6551, 5916, 6298, 6267, 6463},
       {6565, 6630, 6723, 6704, 6275, 6456, 6547, 6694}},
      {{5201, 5262, 5451, 5744, 5025, 5090, 5257, 6013},
       {5008, 5290, 5427, 6292, 5226, 5013, 5143, 5806}},
      {{5294, 5309, 5461, 5996, 0, 0, 0, 0}, {5437, 5806, 6003, 6044, 0, 0, 0, 0}},
      {{6452, 6447, 6441, 6437, 5916, 6435, 6450, 6447},
       {6619, 6621, 6629, 6609, 6634, 6650, 6604, 6638}}};
  static const double budgets[4] = {.5, .8, 1, 2};
  const experiment *table = NULL;
  size_t k, c;
  (void)unused;
  for (k = 0; experiments[k] != NULL; k++)
    if (strcmp(experiments[k]->id, "xue2021-table4") == 0) table = experiments[k];
  assert_non_null(table);
  assert_int_equal(table->row_count, 16);
  for (k = 0; k < 16; k++) {
    const experiment_row *row = &table->rows[k];
    assert_string_equal(row->data, k < 8 ? "pima" : "retinopathy");
    assert_true(row->n == 256 && row->pure == (k % 8 >= 4));
    assert_true(fabs(row->epsilon - budgets[k % 4]) < 1e-12);
    for (c = 0; c < 5; c++)
      if (fabs(row->figures_of_paper[c] - paper[c][k / 8][k % 8] / 100.) > .0501)
        fail_msg("row %zu, column %zu: %g", k, c, row->figures_of_paper[c]);
  }
}

/* Papers print hundredths of a percent. */
static void figures_of_papers_have_two_decimals(void **unused) {
  size_t k, i, c;
  (void)unused;
  for (k = 0; experiments[k] != NULL; k++)
    for (i = 0; i < experiments[k]->row_count; i++)
      for (c = 0; c < 8; c++) {
        const double figure = experiments[k]->rows[i].figures_of_paper[c], hundredths = 100 * figure;
        if (!(figure >= 0 && figure <= 100 && fabs(hundredths - floor(hundredths + .5)) < 1e-9))
          fail_msg("%s, row %zu, column %zu: %.9g", experiments[k]->id, i, c, figure);
      }
}

/* Each row is there with both labels, so w = 0 is the best line, whose mean loss is log 2; of
 * w = (t, 0) and rows (+-1, 0) it is log(1 + e^t) - t/2. */
static void a_gap_is_measured_from_the_best_line(void **unused) {
  sample s;
  split part;
  model m;
  size_t i;
  double t;
  (void)unused;
  fill(&s, 8, 2, 0);
  memset(s.x, 0, sizeof s.x);
  for (i = 0; i < 8; i++) s.x[2 * i] = i < 4 ? 1 : -1;
  point(&s);
  memset(&part, 0, sizeof part);
  part.train = s.t.train;
  assert_int_equal(model_allocate(&m, 2, 2), DPPAIR_OK);
  for (t = -2; t <= 2; t++) {
    m.theta[0] = t;
    assert_true(fabs(optimality_gap(&m, &part) - (log1p(exp(t)) - t / 2 - log(2.))) < 1e-9);
  }
  model_free(&m);
}

/* Two classes on two axes: whoever counts neighbours is right, in both parts. */
static void a_metric_tells_classes_apart_that_are(void **unused) {
  sample a, b;
  model m;
  split part;
  (void)unused;
  fill(&a, 40, 2, 0);
  fill(&b, 20, 2, 0);
  point(&a);
  point(&b);
  for (size_t i = 0; i < 40; i++) a.x[2 * i] = a.y[i] * .5;
  for (size_t i = 0; i < 20; i++) b.x[2 * i] = b.y[i] * .5;
  keys(&a, 1, 2);
  memset(&part, 0, sizeof part);
  part.train = a.t.train;
  part.test = b.t.train;
  assert_int_equal(model_allocate(&m, 2, 4), DPPAIR_OK);
  m.place = NULL;
  m.radius = 1;
  m.theta[0] = 1; /* the first axis alone */
  assert_true(metric_accuracy(&m, &part) >= 1);
  m.theta[0] = 0;
  m.theta[3] = 1;
  assert_true(metric_accuracy(&m, &part) < 1 && metric_accuracy(&m, &part) > 0);
  model_free(&m);
}

/* The step size that online takes by itself, from n, d, the radius and the deviation of the noise:
 * asked for by its formula, the run is the same. */
static void the_step_of_the_stream_is_a_function_of_public_numbers(void **unused) {
  static const double epsilons[] = {.5, 5, 500};
  size_t k, i;
  (void)unused;
  for (k = 0; k < 3; k++) {
    static sample s;
    model a, b;
    double noise;
    fill(&s, 60, D, .3);
    s.t.epsilon = epsilons[k];
    a = train(&method_online, &s, 1);
    noise = a.sigma * sqrt((double)D) * sqrt(log(60.) / 3.14 + 1.06);
    s.t.with.step_size = 1 / (noise + .003 * 60);
    b = train(&method_online, &s, 1);
    for (i = 0; i < D; i++) assert_true(fabs(a.theta[i] / b.theta[i] - 1) < 1e-9);
    model_free(&a);
    model_free(&b);
  }
}

/* These pay for three steps before the first one: a fourth is refused. */
static void descents_of_other_losses_claim_what_their_budget_allows(void **unused) {
  static const method *const which[] = {&method_pointwise, &method_gd_metric,
                                        &method_infonce_metric};
  size_t c;
  (void)unused;
  for (c = 0; c < 3; c++) {
    sample s;
    model m;
    fill(&s, 16, 2, 0.4);
    s.t.with.steps = 3;
    m = train(which[c], &s, 1);
    assert_true(m.steps == 3 && m.epsilon <= 1 && m.epsilon > 1 - 1e-6);
    model_free(&m);
  }
}

static void a_loss_that_nobody_knows_is_refused(void **unused) {
  const method *const *list;
  sample s;
  model m;
  (void)unused;
  fill(&s, 20, 2, 0.4);
  point(&s);
  keys(&s, 1, 1);
  s.t.with.loss = "nonsense";
  assert_int_equal(method_train(&m, &method_gd_metric, &s.t), DPPAIR_ERR_DOMAIN);
  for (list = methods; *list != NULL; list++) {
    if (!((*list)->offers & OFFERS_LOSS) || (*list)->offers & NEEDS_OWNED) continue;
    if (method_train(&m, *list, &s.t) != DPPAIR_ERR_DOMAIN) fail_msg("%s takes it", (*list)->name);
  }
}

static void settings_without_a_proof_are_refused(void **unused) {
  sample s;
  model m;
  (void)unused;
  fill(&s, 20, 2, 0.4);
  point(&s);
  keys(&s, 1, 1);
  s.t.with.loss = "hinge"; /* no smoothness: contraction proves nothing */
  assert_int_equal(method_train(&m, &method_dpgdsc, &s.t), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(method_train(&m, &method_dpegd, &s.t), DPPAIR_ERR_NO_PROOF);
  s.t.with.loss = "nonsense";
  assert_int_equal(method_train(&m, &method_kang2021, &s.t), DPPAIR_ERR_DOMAIN);
  assert_int_equal(method_train(&m, &method_niewang2017, &s.t), DPPAIR_ERR_DOMAIN);
  s.t.with.loss = NULL;
  s.t.with.step_size = 10; /* beyond 2/L: not a contraction */
  s.t.with.steps = 10;
  assert_int_equal(method_train(&m, &method_dpgdsc, &s.t), DPPAIR_ERR_STEP_SIZE);
  s.t.with.step_size = 0;
  s.t.adjacency = DPPAIR_REPLACE_USER; /* but no record has a user */
  assert_int_equal(method_train(&m, &method_gd, &s.t), DPPAIR_ERR_NO_PROOF);
  s.t.adjacency = DPPAIR_ZERO_QUERY; /* nor a query */
  assert_int_equal(method_train(&m, &method_gd, &s.t), DPPAIR_ERR_NO_PROOF);
  s.t.adjacency = (dppair_adjacency)0;
  s.t.delta = 0;
  assert_int_equal(method_train(&m, &method_kang2021, &s.t), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(method_train(&m, &method_dpsgd, &s.t), DPPAIR_ERR_NO_PROOF);
  assert_null(m.theta);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(constants_at_a_norm_that_is_no_number_are_refused),
      TEST(gradients_are_the_derivative_of_the_risk),
      TEST(one_record_against_all_summed_is_the_whole_gradient),
      TEST(no_neighbour_moves_a_gradient_by_more_than_its_bound),
      TEST(fast_sums_are_within_their_rounding_of_all_pairs),
      TEST(a_batch_that_is_not_there_is_refused),
      TEST(a_dropped_record_moves_the_gradient_within_its_own_bound),
      TEST(neighbours_outputs_differ_by_what_the_noise_was_made_for),
      TEST(the_online_memory_of_one_record_is_within_its_bound),
      TEST(sgd_from_sums_does_what_the_general_route_does),
      TEST(noise_is_what_formulas_written_out_ask_for),
      TEST(added_noise_has_the_deviation_that_the_model_states),
      TEST(neighbours_under_the_same_noise_differ_by_mu_at_most),
      TEST(dpsgd_moves_by_twice_its_clip_and_composes_its_noise),
      TEST(moments_and_votes_move_by_their_sensitivity_and_attain_it),
      TEST(sufficient_statistics_and_class_sums_move_by_their_sensitivities),
      TEST(sufficient_statistics_have_noise_for_their_rounding),
      TEST(without_noise_the_regression_and_the_discriminant_are_those_by_hand),
      TEST(residuals_move_by_what_the_range_of_scores_says),
      TEST(without_noise_histograms_give_log_ratios_and_boosting_its_steps),
      TEST(histograms_have_the_noise_of_their_kernel),
      TEST(histograms_and_boosting_take_any_records),
      TEST(selection_spends_exactly_its_budget),
      TEST(stopping_spends_its_budget_with_less_noise_than_halving),
      TEST(the_candidate_without_training_is_the_sum_of_columns),
      TEST(selection_ranks_well_on_a_file_sorted_by_label),
      TEST(a_privacy_figure_that_is_no_number_exceeds_every_budget),
      TEST(too_many_columns_for_a_matrix_are_refused_or_ranked_without_one),
      TEST(no_fit_is_withheld_because_of_the_labels),
      TEST(settings_beyond_the_range_of_products_are_refused),
      TEST(a_regulariser_too_small_to_be_served_is_refused),
      TEST(every_metric_method_without_noise_closes_the_gap),
      TEST(one_step_attains_the_sensitivity_of_its_noise),
      TEST(every_ranking_method_without_noise_closes_the_gap),
      TEST(without_noise_methods_end_where_their_gradient_vanishes),
      TEST(the_same_keys_give_the_same_bits),
      TEST(a_released_metric_is_semidefinite_and_in_its_ball),
      TEST(as_printed_noise_is_the_papers_and_its_guarantee_is_told),
      TEST(an_epoch_has_the_noise_of_its_reach_or_of_its_paper),
      TEST(the_step_of_pidpsgd_is_one_over_its_smoothness),
      TEST(pidpsgd_is_not_private),
      TEST(a_budget_that_nothing_was_spent_of_has_no_release),
      TEST(the_arguments_of_a_printed_noise_are_set),
      TEST(the_table_of_the_experiments_has_the_figures_of_its_paper),
      TEST(figures_of_papers_have_two_decimals),
      TEST(a_gap_is_measured_from_the_best_line),
      TEST(a_metric_tells_classes_apart_that_are),
      TEST(the_step_of_the_stream_is_a_function_of_public_numbers),
      TEST(descents_of_other_losses_claim_what_their_budget_allows),
      TEST(a_loss_that_nobody_knows_is_refused),
      TEST(settings_without_a_proof_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
