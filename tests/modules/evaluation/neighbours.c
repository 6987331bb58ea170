/* SPDX-License-Identifier: MIT */
/* Private evaluation, attacked: every number that is about to get noise, on all neighbouring data
 * sets of a few records, ties included, and on random ones of more; the largest move against the
 * sensitivity that its release claims, and against the largest one that is known.
 *
 * make attack-evaluation: up to 8 records, in minutes. */
struct dppair_event;
static int hook(struct dppair_event *event);
#define DPPAIR_AUDIT(event) hook(event)
#include "dppair_noise.h"
#include "dppair.h"
#include "dppair_evaluation.h"

#include "dppair_accountant.h"

#include "tests.h"

#ifdef EVALUATION_LONG
enum { LONG = 1 };
#else
enum { LONG = 0 };
#endif

enum { MOST = 40, RELEASES = 3, WIDE = 16, TYPES = 64 };

/* What one evaluation releases, before its noise. */
typedef struct seen {
  double v[RELEASES][WIDE], sensitivity[RELEASES], scale[RELEASES];
  size_t size[RELEASES];
  int count;
} seen;

static seen now;
static double frozen; /* what the count becomes, where one is released: > 0 */

static int hook(dppair_event *event) {
  if (event->kind == DPPAIR_EVENT_RELEASE) {
    assert_true(now.count < RELEASES && event->n <= WIDE);
    memcpy(now.v[now.count], event->values, event->n * sizeof(double));
    now.size[now.count] = event->n;
    now.scale[now.count] = event->scale;
    now.sensitivity[now.count++] = event->sensitivity;
  }
  if (event->kind != DPPAIR_EVENT_ADD) return 0;
  if (now.count == 1 && frozen > 0) *(double *)event->values = frozen;
  return 1; /* without noise */
}

static dppair_accountant account;
static dppair_release release;
static double work[4 * MOST + 128];

static void open_for(size_t n, double multiplier, dppair_mechanism_kind law) {
  const uint8_t key[32] = {1}, run[16] = {2};
  const dppair_release_keys keys = {key, run};
  dppair_plan plan;
  size_t bytes;
  assert_int_equal(dppair_evaluate_workspace(&bytes, n, 3), DPPAIR_OK);
  assert_true(bytes <= sizeof work);
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = multiplier;
  plan.steps = 1000000000;
  plan.noise = law;
  plan.failure = 0.5;
  dppair_accountant_init(&account);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &keys), DPPAIR_OK);
}

/* --- statistics of records (s, y) ------------------------------------------------------------- */

typedef struct task {
  dppair_status (*run)(dppair_evaluation *out, const double *s, const double *y, size_t n,
                       const struct task *task);
  size_t promise; /* data sets with smaller classes are left out, if `strict` */
  int strict;
  double rate;
} task;

static dppair_status run_auc(dppair_evaluation *out, const double *s, const double *y, size_t n,
                             const task *t) {
  const dppair_evaluate_options options = {0, t->promise};
  return dppair_evaluate_auc(out, &release, s, y, n, &options, work, sizeof work);
}

/* The same two numbers without the rest, many times as fast. */
static dppair_status run_numbers(dppair_evaluation *out, const double *s, const double *y, size_t n,
                                 const task *t) {
  const double m = (double)t->promise;
  dppair_placements_ c;
  memset(out, 0, sizeof *out);
  dppair_placements_auc_(&c, work, s, y, n);
  now.v[0][0] = dppair_delong_(&c, t->promise);
  now.sensitivity[0] = 1 / (m * m) + ldexp(1, -45) / m;
  now.v[1][0] = dppair_extension_(&c, t->promise);
  now.sensitivity[1] = 1 / m + ldexp(1, -50);
  now.size[0] = now.size[1] = 1;
  now.count = 2;
  return DPPAIR_OK;
}

static dppair_status run_partial(dppair_evaluation *out, const double *s, const double *y, size_t n,
                                 const task *t) {
  const dppair_evaluate_options options = {0, t->promise};
  return dppair_evaluate_partial_auc(out, &release, s, y, n, t->rate, &options, work, sizeof work);
}

/* A loss without an order: every margin has a value of its own. */
static double some_loss(double margin, void *context) {
  (void)context;
  return 1.0 + 1.5 * sin(7.0 * margin + 1.0); /* also outside of [0, 2] */
}

static dppair_status run_risk(dppair_evaluation *out, const double *s, const double *y, size_t n,
                              const task *t) {
  const dppair_evaluate_options options = {0, t->promise};
  return dppair_evaluate_risk(out, &release, s, y, n, some_loss, NULL, 2.0, &options, work,
                              sizeof work);
}

static dppair_status run_kendall(dppair_evaluation *out, const double *s, const double *y, size_t n,
                                 const task *t) {
  (void)t;
  return dppair_evaluate_kendall(out, &release, s, y, n, NULL, work, sizeof work);
}

static dppair_status run_pairs(dppair_evaluation *out, const double *s, const double *y, size_t n,
                               const task *t) {
  dppair_evaluate_sums sums;
  (void)t;
  memset(out, 0, sizeof *out);
  return dppair_evaluate_pairs(&sums, &release, s, y, n, work, sizeof work);
}

static dppair_status run_roc(dppair_evaluation *out, const double *s, const double *y, size_t n,
                             const task *t) {
  static const double thresholds[] = {1, 2, 4};
  dppair_roc_point points[3];
  (void)t;
  return dppair_evaluate_roc(points, out, &release, s, y, n, thresholds, 3, NULL, work,
                             sizeof work);
}

static void run(seen *what, const double *s, const double *y, size_t n, const task *t) {
  dppair_evaluation out;
  now.count = 0;
  assert_int_equal(t->run(&out, s, y, n, t), DPPAIR_OK);
  *what = now;
}

static size_t smaller(const double *y, size_t n) {
  size_t i, p = 0;
  for (i = 0; i < n; i++) p += y[i] > 0;
  return p < n - p ? p : n - p;
}

/* The largest moves of what one evaluation releases; asserts that each is within its sensitivity.
 */
typedef struct moves {
  double most[RELEASES];
  int count;
} moves;

static void compare(moves *m, const seen *a, const seen *b) {
  int k;
  assert_int_equal(a->count, b->count);
  m->count = a->count;
  for (k = 0; k < a->count; k++) {
    double l1 = 0, l2 = 0, move;
    size_t i;
    assert_true(a->size[k] == b->size[k] && a->sensitivity[k] == b->sensitivity[k]);
    for (i = 0; i < a->size[k]; i++) {
      l1 += fabs(a->v[k][i] - b->v[k][i]);
      l2 += (a->v[k][i] - b->v[k][i]) * (a->v[k][i] - b->v[k][i]);
    }
    move = release.mechanism == DPPAIR_LAPLACE ? l1 : sqrt(l2);
    if (move > a->sensitivity[k])
      print_message("release %d moves by %.17g > %.17g\n", k, move, a->sensitivity[k]);
    assert_true(move <= a->sensitivity[k]);
    if (move > m->most[k]) m->most[k] = move;
  }
}

/* All pairs: of numbers the least and the largest, of vectors each with each. */
static void compare_all(moves *m, const seen *what, size_t have) {
  seen low, high;
  size_t i, j;
  int k;
  if (have == 0) return;
  low = high = what[0];
  for (i = 1; i < have; i++) {
    for (k = 0; k < what[i].count; k++) {
      if (what[i].v[k][0] < low.v[k][0]) low.v[k][0] = what[i].v[k][0];
      if (what[i].v[k][0] > high.v[k][0]) high.v[k][0] = what[i].v[k][0];
    }
    for (j = 0; j < i && what[i].size[0] > 1; j++) compare(m, &what[i], &what[j]);
  }
  if (low.size[0] == 1) compare(m, &low, &high);
}

/* Every multiset of n - 1 records of `types` kinds (s, y), with each kind as the last record. */
static moves neighbours_of(size_t n, double (*kind)[2], size_t types, const task *t) {
  static seen what[TYPES];
  size_t at[MOST] = {0}, i;
  double s[MOST], y[MOST];
  moves m;
  memset(&m, 0, sizeof m);
  assert_true(types <= TYPES);
  for (;;) {
    size_t have = 0, k;
    for (i = 0; i + 1 < n; i++) {
      s[i] = kind[at[i]][0];
      y[i] = kind[at[i]][1];
    }
    for (k = 0; k < types; k++) {
      s[n - 1] = kind[k][0];
      y[n - 1] = kind[k][1];
      if (t->strict && smaller(y, n) < t->promise) continue;
      run(&what[have++], s, y, n, t);
    }
    compare_all(&m, what, have);
    for (i = n - 1; i-- > 0;)
      if (at[i] + 1 < types) break;
    if (i == SIZE_MAX || n == 1) return m;
    for (k = at[i] + 1; i + 1 < n; i++) at[i] = k;
  }
}

/* The kinds of labelled scores of n + 1 levels: all orders of two neighbours, with ties. */
static size_t labelled(double (*kind)[2], size_t n) {
  size_t k;
  for (k = 0; k < 2 * (n + 1); k++) {
    kind[k][0] = (double)(k / 2);
    kind[k][1] = (double)(k % 2);
  }
  return 2 * (n + 1);
}

/* The sensitivity 1/m of AUC is attained; the variance moves by (m - 1)/m^3. */
static void auc_and_its_variance_move_as_much_as_is_claimed_on_no_small_data_sets(void **state) {
  (void)state;
  for (size_t n = 2; n <= (size_t)(LONG ? 8 : BRIEF ? 5 : 6); n++)
    for (size_t least = 1; 2 * least <= n; least++) {
      const task t = {n < 5 ? run_auc : run_numbers, least, 0, 0};
      const double m = (double)least;
      double kind[TYPES][2];
      moves most;
      open_for(n, 1e-6, DPPAIR_LAPLACE); /* variances are released from m = 2 on */
      most = neighbours_of(n, kind, labelled(kind, n), &t);
      assert_int_equal(most.count, n > 4 || least > 1 ? 2 : 1);
      assert_true(fabs(most.most[most.count - 1] * m - 1.0) < 1e-12);
      if (least > 1) assert_true(fabs(most.most[0] - (m - 1) / (m * m * m)) < 1e-12);
      if (least > 1) assert_true(now.sensitivity[0] >= 1 / (m * m));
    }
}

static void partial_auc_moves_less_than_claimed_where_classes_are_as_promised(void **state) {
  static const double rates[] = {1, 0.5, 0.3, 0.01};
  (void)state;
  for (size_t n = 2; n <= (size_t)(LONG ? 7 : 4); n++)
    for (size_t least = 1; 2 * least <= n; least++)
      for (size_t r = 0; r < 4; r++) {
        const task t = {run_partial, least, 1, rates[r]};
        double kind[TYPES][2];
        open_for(n, 1.0, DPPAIR_GAUSSIAN);
        assert_int_equal(neighbours_of(n, kind, labelled(kind, n), &t).count, 1);
      }
}

static void a_risk_moves_less_than_claimed(void **state) {
  double most = 0;
  (void)state;
  for (size_t n = 2; n <= (size_t)(LONG ? 7 : 4); n++)
    for (size_t least = 1; 2 * least <= n; least++) {
      const task t = {run_risk, least, 0, 0};
      double kind[TYPES][2];
      moves m;
      open_for(n, 1e-6, DPPAIR_LAPLACE);
      m = neighbours_of(n, kind, labelled(kind, n), &t);
      if (least > 1) assert_true(now.sensitivity[0] >= 2.0 / (double)(least * least));
      if (m.most[m.count - 1] * (double)least > most) most = m.most[m.count - 1] * (double)least;
    }
  assert_true(most > 0.9);
}

static void pairs_and_positives_move_as_much_as_is_claimed(void **state) {
  (void)state;
  for (size_t n = 2; n <= (size_t)(LONG ? 7 : 4); n++) {
    const task t = {run_pairs, 0, 0, 0};
    double kind[TYPES][2];
    moves m;
    open_for(n, 1.0, DPPAIR_LAPLACE);
    frozen = 1.0;
    m = neighbours_of(n, kind, labelled(kind, n), &t);
    frozen = 0.0;
    assert_true(m.most[0] == 1.0 && m.most[1] == (double)(n - 1));
  }
}

static void a_histogram_moves_as_much_as_is_claimed(void **state) {
  (void)state;
  for (int gaussian = 0; gaussian < 2; gaussian++) {
    const task t = {run_roc, 0, 0, 0};
    double kind[TYPES][2];
    open_for(3, 1.0, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    assert_true(fabs(neighbours_of(3, kind, labelled(kind, 5), &t).most[0] -
                     (gaussian ? sqrt(2.0) : 2.0)) < 1e-15);
  }
}

/* Pairs of numbers of n + 1 levels each. tau, as a number in [0, 1], moves by 2/n. */
static void tau_and_its_variance_move_less_than_claimed(void **state) {
  (void)state;
  for (size_t n = 2; n <= (size_t)(LONG ? 5 : 3); n++) {
    const task t = {run_kendall, 0, 0, 0};
    double kind[TYPES][2];
    moves m;
    for (size_t k = 0; k < (n + 1) * (n + 1); k++) {
      kind[k][0] = (double)(k / (n + 1));
      kind[k][1] = (double)(k % (n + 1));
    }
    open_for(n, 1.0, DPPAIR_LAPLACE);
    m = neighbours_of(n, kind, (n + 1) * (n + 1), &t);
    assert_true(fabs(m.most[m.count - 1] - 2.0 / (double)n) < 1e-15);
  }
}

/* --- symmetric kernels ------------------------------------------------------------------------ */

static double kernel[8][8];
static double entry(size_t i, size_t j, void *context) {
  (void)context;
  return kernel[i][j];
}

/* Every symmetric kernel with these values, and every row of the last record. */
static void kernels(size_t n, int values) {
  static seen what[256];
  const double rest = (double)n - 2.0;
  size_t inner = (n - 1) * (n - 2) / 2, all = 1, rows = 1, c, r, i, j;
  double largest;
  moves m;
  memset(&m, 0, sizeof m);
  for (i = 0; i < inner; i++) all *= (size_t)values;
  for (i = 0; i + 1 < n; i++) rows *= (size_t)values;
  assert_true(rows <= 256);
  open_for(n, 1.0, DPPAIR_LAPLACE);
  for (c = 0; c < all; c++) {
    size_t code = c;
    for (i = 0; i + 1 < n; i++)
      for (j = i + 1; j + 1 < n; j++, code /= (size_t)values)
        kernel[i][j] = (double)(code % (size_t)values) / (values - 1);
    for (r = 0; r < rows; r++) {
      dppair_evaluation out;
      for (i = 0, code = r; i + 1 < n; i++, code /= (size_t)values)
        kernel[i][n - 1] = (double)(code % (size_t)values) / (values - 1);
      now.count = 0;
      assert_int_equal(
          dppair_evaluate_statistic(&out, &release, entry, NULL, 0, 1, n, NULL, work, sizeof work),
          DPPAIR_OK);
      what[r] = now;
    }
    compare_all(&m, what, rows);
  }
  assert_true(fabs(m.most[m.count - 1] - 2.0 / (double)n) < 1e-9);
  if (n >
      2) { /* the largest known move of zeta, (n - 2)^2/(n^2 (n - 1)), in a jackknife's variance */
    largest = 4.0 * ((double)n - 1.0) / (rest * rest) * rest * rest / ((double)n * (double)n);
    assert_true(m.most[0] <= largest / ((double)n - 1.0) + 1e-9);
    /* what is claimed is what is proved, which is more */
    assert_true(now.sensitivity[0] >= 4.0 * ((double)n - 1.75) / ((double)n * rest * rest));
  }
}

static void means_over_pairs_move_as_much_as_is_claimed(void **state) {
  (void)state;
  for (size_t n = 2; n <= (size_t)(BRIEF ? 4 : 5); n++) kernels(n, n < 5 || LONG ? 3 : 2);
  kernels(LONG ? 6 : 3, LONG ? 2 : 3);
}

/* --- more records, by climbing ---------------------------------------------------------------- */

static double ratio_of(const double *s, const double *y, size_t n, size_t with, double score,
                       double label, const task *t, int *which) {
  double other_s[MOST], other_y[MOST], best = 0;
  seen a, b;
  moves m;
  memcpy(other_s, s, n * sizeof *s);
  memcpy(other_y, y, n * sizeof *y);
  other_s[with] = score;
  other_y[with] = label;
  if (t->strict && (smaller(y, n) < t->promise || smaller(other_y, n) < t->promise)) return 0;
  memset(&m, 0, sizeof m);
  run(&a, s, y, n, t);
  run(&b, other_s, other_y, n, t);
  compare(&m, &a, &b);
  for (int k = 0; k < a.count; k++)
    if (m.most[k] / a.sensitivity[k] > best) best = m.most[k] / a.sensitivity[ *which = k];
  return best;
}

/* A random data set, a record and its replacement, then moves of single records while they help. */
static double climb(size_t n, const task *t, int steps) {
  double s[MOST], y[MOST], score = normal(), label = uniform() < 0.5, best;
  const double part = uniform();
  size_t with = below(n);
  int which = 0;
  for (size_t i = 0; i < n; i++) {
    s[i] = floor(4 * normal());
    y[i] = uniform() < part;
  }
  best = ratio_of(s, y, n, with, score, label, t, &which);
  while (steps-- > 0) {
    const size_t i = below(n + 1);
    double *at = i < n ? &s[i] : &score, *of = i < n ? &y[i] : &label;
    const double old_s = *at, old_y = *of;
    double ratio;
    if (uniform() < 0.7)
      *at = floor(6 * normal());
    else
      *of = !(*of > 0);
    ratio = ratio_of(s, y, n, with, score, label, t, &which);
    if (ratio >= best) {
      best = ratio;
    } else {
      *at = old_s;
      *of = old_y;
    }
  }
  return best;
}

static void no_search_among_larger_data_sets_finds_a_longer_move(void **state) {
  double best[4] = {0, 0, 0, 0};
  (void)state;
  for (int round = 0; round < (LONG ? 1000 : BRIEF ? 8 : 24); round++) {
    const size_t n = 4 + below(MOST - 5), least = 1 + below(n / 2);
    const task tasks[] = {{run_auc, least, 0, 0},
                          {run_partial, least, 1, 0.2 + 0.8 * uniform()},
                          {run_risk, least, 0, 0},
                          {run_kendall, 0, 0, 0}};
    for (int k = 0; k < 4; k++) {
      double ratio;
      open_for(n, 1e-6, DPPAIR_LAPLACE);
      ratio = climb(n, &tasks[k], LONG ? 200 : 60);
      if (ratio > best[k]) best[k] = ratio;
    }
  }
  for (int k = 0; k < 4; k++) assert_true(best[k] <= 1.0 && (BRIEF || best[k] > 0.5));
}

/* What the noises of one permit cost together is what was paid for it, to 10 digits where no noise
 * is kept larger for the sake of its grid. */
static void the_noises_of_a_permit_cost_what_was_paid(void **state) {
  double s[MOST], y[MOST];
  (void)state;
  for (int round = 0; round < (BRIEF ? 30 : 200); round++) {
    const int gaussian = round % 2;
    const double z = pow(10, round % 3 ? between(-4, 3) : between(-140, 240));
    const size_t n = 2 + below(MOST - 1);
    const task tasks[] = {{run_auc, 0, 0, 0},     {run_auc, n / 2, 0, 0},   {run_risk, 0, 0, 0},
                          {run_kendall, 0, 0, 0}, {run_partial, 1, 1, 0.5}, {run_partial, 0, 0, 1},
                          {run_pairs, 0, 0, 0},   {run_roc, 0, 0, 0}};
    for (size_t i = 0; i < n; i++) s[i] = normal(), y[i] = (double)(i % 2);
    open_for(n, z, gaussian ? DPPAIR_GAUSSIAN : DPPAIR_LAPLACE);
    for (int k = 0; k < 8; k++) {
      double spent = 0;
      seen what;
      run(&what, s, y, n, &tasks[k]);
      for (int i = 0; i < what.count; i++) {
        const double part = what.sensitivity[i] / what.scale[i] * z;
        spent += gaussian ? part * part : part;
      }
      assert_true(spent <= 1.0);
      if (round % 3 && k != 5) assert_true(spent > 1 - 1e-10);
    }
  }
}

/* The count that chooses m is itself a release, and the rest holds for whatever it says. */
static void a_noisy_count_moves_by_one_and_the_rest_holds_for_any_count(void **state) {
  (void)state;
  for (frozen = 0.5; frozen < 6; frozen += 1.5) {
    const task t = {run_auc, 0, 0, 0};
    double kind[TYPES][2];
    moves m;
    open_for(4, 1e-6, DPPAIR_LAPLACE);
    m = neighbours_of(4, kind, labelled(kind, 4), &t);
    assert_true(m.count >= 2 && m.most[0] == 1.0);
  }
  frozen = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(auc_and_its_variance_move_as_much_as_is_claimed_on_no_small_data_sets),
      TEST(partial_auc_moves_less_than_claimed_where_classes_are_as_promised),
      TEST(a_risk_moves_less_than_claimed),
      TEST(pairs_and_positives_move_as_much_as_is_claimed),
      TEST(a_histogram_moves_as_much_as_is_claimed),
      TEST(tau_and_its_variance_move_less_than_claimed),
      TEST(means_over_pairs_move_as_much_as_is_claimed),
      TEST(no_search_among_larger_data_sets_finds_a_longer_move),
      TEST(the_noises_of_a_permit_cost_what_was_paid),
      TEST(a_noisy_count_moves_by_one_and_the_rest_holds_for_any_count),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
