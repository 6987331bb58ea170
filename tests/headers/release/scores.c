/* SPDX-License-Identifier: MIT */
/* The coupled call for networks is what its three steps are; one record moves it within the
 * sensitivity, whatever its score is; and what a release explains is what it then does, for every
 * neighbour and every draw. */
static int heard(const void *event);
#define DPPAIR_AUDIT(event) heard(event)
#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_WEIGHTS 0
#define DPPAIR_NAME plain
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_NAME steep
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

#include "tests.h"
#include "clips.h"
#include "draws.h"

enum { N = 24, D = 4, ROOM = 1 << 14 };
static const uint8_t KEY[32] = {7}, RUN[16] = {8};
static const dppair_release_keys FIXED = {KEY, RUN};

static double seen[D], seen_scale; /* what a release hands to its noise */
static int heard(const void *event) {
  const dppair_event *e = (const dppair_event *)event;
  if (e->kind == DPPAIR_EVENT_RELEASE && e->n == D) {
    memcpy(seen, e->values, sizeof seen);
    seen_scale = e->scale;
  }
  return 0;
}

/* A data set: scores and gradients of any scorer, positives first, null records last. */
typedef struct data {
  double s[N], v[N][D], factor[N];
  dppair_rows_f64 rows;
} data;

static double work[ROOM], state[2][1 << 18], g[D];
static dppair_options options;
static dppair_accountant account;
static dppair_release release;

static void clip_rows(data *a, size_t n, size_t up) {
  assert_int_equal(dppair_rows_clip_f64(&a->rows, a->factor, a->v[0], n, D, D, 0.5), DPPAIR_OK);
  a->rows.positives = up;
}

static void fill(data *a, size_t n, size_t up) {
  memset(a, 0, sizeof *a);
  for (size_t i = 0; i < n; i++) {
    a->s[i] = normal() * 2;
    for (size_t k = 0; k < D; k++) a->v[i][k] = normal();
  }
  clip_rows(a, n, up);
  memset(&options, 0, sizeof options);
  options.work = work, options.bytes = sizeof work;
}

static void open_of(dppair_sampling sampling, dppair_mechanism_kind law) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling, plan.noise = law;
  plan.noise_multiplier = 2, plan.steps = 40;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
}

static dppair_status of_rank(const data *a) {
  dppair_status status;
  g[0] = 77;
  status = rank_release_scores(g, &release, a->s, &a->rows, &options);
  for (size_t k = 0; k < D && status != DPPAIR_OK; k++) assert_true(g[k] == 0.0);
  return status;
}

static void the_coupled_call_is_its_three_steps(void **unused) {
  static data a;
  dppair_fast boxes, sums;
  double c[N], sum[D], apart[D], bytes_of;
  dppair_bounds bounds;
  size_t bytes;
  (void)unused;
  fill(&a, N, N / 3);
  memset(&bounds, 0, sizeof bounds), bounds.radius = 0.5;
  assert_int_equal(rank_fast_init(&boxes, N, DPPAIR_ACCURACY_1E9, 3, NULL, state[0], sizeof *state),
                   DPPAIR_OK);
  assert_int_equal(rank_sums_init(&sums, N, DPPAIR_ACCURACY_1E9, 3, NULL, state[1], sizeof *state),
                   DPPAIR_OK);
  for (int way = 0; way < 3; way++) {
    options.fast = way == 0 ? NULL : way == 1 ? &boxes : &sums;
    assert_int_equal(rank_release_scores_workspace(&bytes, N, D, &options), DPPAIR_OK);
    assert_true(bytes <= sizeof work);
    open_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN);
    options.bytes = bytes;
    assert_int_equal(of_rank(&a), DPPAIR_OK);
    for (size_t i = 0; i < bytes / sizeof *work; i++) assert_true(work[i] == 0.0); /* wiped */
    bytes_of = release.sensitivity;
    memcpy(apart, seen, sizeof apart);
    open_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN);
    assert_int_equal(
        way ? rank_coeffs_fast(c, c + N / 3, a.s, N / 3, a.s + N / 3, N - N / 3, NULL, options.fast)
            : rank_coeffs(c, c + N / 3, a.s, N / 3, a.s + N / 3, N - N / 3, NULL),
        DPPAIR_OK);
    assert_int_equal(dppair_combine_f64(sum, &a.rows, c), DPPAIR_OK);
    assert_int_equal(rank_release_vector(sum, D, &release, &bounds, 0.0, &options), DPPAIR_OK);
    assert_true(fabs(release.sensitivity / bytes_of - 1) < 1e-15 && seen_scale == release.sigma);
    for (size_t k = 0; k < D; k++) assert_true(fabs(seen[k] - apart[k]) <= 1e-14);
    options.bytes = bytes - 1;
    assert_int_equal(of_rank(&a), DPPAIR_ERR_WORKSPACE);
  }
}

static double distance(const double *a, const double *b) {
  double sum = 0;
  for (size_t k = 0; k < D; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* Record 0, a positive, is replaced by another positive: any score, NaN too, and any gradient. */
static void no_record_moves_it_farther_than_its_sensitivity(void **unused) {
  static const double scores[] = {
      0, 3, -3, 1e9, -1e9, 1e300, (double)INFINITY, (double)-INFINITY, (double)NAN};
  static data a, b;
  double before[D], farthest = 0;
  dppair_explained first, second;
  (void)unused;
  for (int round = 0; round < 200; round++) {
    const int drawn = round % 2;
    fill(&a, N, 1);
    for (size_t i = 0; i < N && round % 4 < 2; i++) {
      memset(a.v[i], 0, sizeof a.v[i]);
      a.v[i][0] = i ? 0 : 9; /* the worst: it alone is seen, and turns around */
    }
    clip_rows(&a, N, 1);
    b = a;
    b.s[0] = scores[(size_t)round % 9];
    for (size_t k = 0; k < D; k++) b.v[0][k] = round % 4 < 2 ? k ? 0 : -9 : normal() * 9;
    clip_rows(&b, N, 1);
    for (int side = 0; side < 2; side++) {
      data *c = side ? &b : &a;
      open_of(drawn ? dppair_sampling_without_replacement(2 * N, N, DPPAIR_REPLACE_ONE)
                    : dppair_sampling_all(N, DPPAIR_REPLACE_ONE),
              DPPAIR_GAUSSIAN);
      assert_int_equal(
          rank_release_explain(side ? &second : &first, &release, &c->rows, NULL, &options),
          DPPAIR_OK); /* before the draw */
      if (drawn) {
        size_t index[2 * N], count;
        assert_int_equal(draw_now(index, &count, 2 * N, &release), DPPAIR_OK);
        assert_int_equal(of_rank(c), DPPAIR_ERR_BATCH); /* nobody said that these are drawn */
        dppair_rows_by_hand_f64(&c->rows, &drawn_now);
      }
      assert_int_equal(of_rank(c), DPPAIR_OK);
      if (!side) memcpy(before, seen, sizeof before);
    }
    assert_true(distance(before, seen) <= release.sensitivity);
    if (distance(before, seen) > farthest * release.sensitivity)
      farthest = distance(before, seen) / release.sensitivity;
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(first.sensitivity == release.sensitivity && first.scale == release.sigma);
  }
  assert_true(farthest > 0.5);
}

/* Of a Poisson sample: a null record is one that is not drawn, to the bit, in the divisor too. */
static void a_null_record_is_one_that_is_not_drawn(void **unused) {
  static data a, b;
  double before[D];
  (void)unused;
  for (int round = 0; round < 20; round++) {
    const size_t n = 5 + (size_t)round % 7;
    fill(&a, n, 2);
    b = a;
    a.s[n - 1] = (double)NAN;
    for (int side = 0; side < 2; side++) {
      data *c = side ? &b : &a;
      size_t index[N], count;
      open_of(dppair_sampling_poisson(N, 4, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN);
      assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
      release.drawn = side ? n - 1 : n; /* the test says which ones */
      if (side)
        c->rows.n = n - 1;
      else
        c->rows.nulls = 1;
      dppair_rows_by_hand_f64(&c->rows, &drawn_now);
      assert_int_equal(of_rank(c), DPPAIR_OK);
      if (!side) memcpy(before, seen, sizeof before);
    }
    assert_memory_equal(before, seen, sizeof before);
  }
}

static void what_has_no_proof_is_refused(void **unused) {
  static data a;
  dppair_fast fast;
  dppair_rows_f64 bad;
  size_t bytes;
  (void)unused;
  fill(&a, N, 8);
  open_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN);
#define REFUSED(status, ...)                                                                       \
  do {                                                                                             \
    g[0] = 77;                                                                                     \
    assert_int_equal(__VA_ARGS__, status);                                                         \
    assert_true(g[0] == 0.0 && release.step == 0);                                                 \
  } while (0)
  REFUSED(DPPAIR_ERR_NULL, rank_release_scores(g, NULL, a.s, &a.rows, &options));
  REFUSED(DPPAIR_ERR_NULL, rank_release_scores(g, &release, NULL, &a.rows, &options));
  REFUSED(DPPAIR_ERR_NULL, rank_release_scores(g, &release, a.s, &a.rows, NULL));
  assert_int_equal(rank_release_scores(g, &release, a.s, NULL, &options), DPPAIR_ERR_NULL);
  REFUSED(DPPAIR_ERR_OVERLAP, rank_release_scores(g, &release, g, &a.rows, &options));
  bad = a.rows, bad.radius = 0;
  REFUSED(DPPAIR_ERR_NO_RADIUS, rank_release_scores(g, &release, a.s, &bad, &options));
  bad = a.rows, bad.positives = N + 1;
  REFUSED(DPPAIR_ERR_SIZE, rank_release_scores(g, &release, a.s, &bad, &options));
  bad = a.rows, bad.nulls = N;
  REFUSED(DPPAIR_ERR_SIZE, rank_release_scores(g, &release, a.s, &bad, &options));
  bad = a.rows, bad.n = N - 1;
  REFUSED(DPPAIR_ERR_SIZE, rank_release_scores(g, &release, a.s, &bad, &options));
  bad = a.rows, bad.weight = a.s;
  REFUSED(DPPAIR_ERR_NO_PROOF, plain_release_scores(g, &release, a.s, &bad, &options));
  REFUSED(DPPAIR_ERR_NO_PROOF, steep_release_scores(g, &release, a.s, &a.rows, &options));
  options.clip = clip_of(rank_clip_init, 1);
  REFUSED(DPPAIR_ERR_NO_PROOF, rank_release_scores(g, &release, a.s, &a.rows, &options));
  assert_int_equal(rank_release_scores_workspace(&bytes, N, D, &options), DPPAIR_ERR_NO_PROOF);
  options.clip = NULL;
  assert_int_equal(plain_sums_init(&fast, N, DPPAIR_ACCURACY_1E9, 3, NULL, state[0], sizeof *state),
                   DPPAIR_OK);
  options.fast = &fast;
  REFUSED(DPPAIR_ERR_NO_PROOF, plain_release_scores(g, &release, a.s, &a.rows, &options));
  /* slopes that grow are bounded by a cap of the scores */
  assert_int_equal(steep_fast_init(&fast, N, DPPAIR_ACCURACY_1E9, 3, NULL, state[0], sizeof *state),
                   DPPAIR_OK);
  assert_int_equal(steep_release_scores(g, &release, a.s, &a.rows, &options), DPPAIR_OK);
  options.fast = NULL;
  open_of(dppair_sampling_matching(N, 12, DPPAIR_REPLACE_ONE), DPPAIR_GAUSSIAN);
  {
    size_t index[N], count;
    assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
    bad = a.rows, bad.n = 12;
    dppair_rows_by_hand_f64(&bad, &drawn_now);
    REFUSED(DPPAIR_ERR_NO_PROOF, rank_release_scores(g, &release, a.s, &bad, &options));
  }
}

/* What is explained is what the release then does; a draw of any size explains the same. */
static void an_explanation_is_what_is_released(void **unused) {
  static const dppair_mechanism_kind laws[] = {DPPAIR_GAUSSIAN, DPPAIR_LAPLACE, DPPAIR_L2BALL};
  static double batch_x[N][D], batch_factor[N];
  static data a;
  dppair_fast boxes;
  double w[D] = {0.5, -1, 2, 0};
  (void)unused;
  fill(&a, N, 8);
  assert_int_equal(rank_fast_init(&boxes, N, DPPAIR_ACCURACY_1E9, 3, NULL, state[0], sizeof *state),
                   DPPAIR_OK);
  for (int way = 0; way < 3; way++)
    for (int law = 0; law < 3; law++) {
      dppair_explained e;
      options.fast = way == 1 ? &boxes : NULL;
      options.clip = way == 2 ? clip_of(rank_clip_init, 0.25) : NULL;
      open_of(dppair_sampling_all(N, DPPAIR_REPLACE_ONE), laws[law]);
      assert_int_equal(rank_release_explain(&e, &release, &a.rows, w, &options), DPPAIR_OK);
      assert_int_equal(rank_release(g, &release, &a.rows, w, &options), DPPAIR_OK);
      assert_true(e.sensitivity == release.sensitivity && e.scale == release.sigma);
      assert_true(e.divisor == release.divisor && e.divisor == N * (N - 1.0));
      assert_true(e.noise_multiplier == 2 && e.slope > 0 && e.slope <= 1 && e.low < 0 &&
                  e.high > 0);
      assert_true(e.clip == (way == 2 ? 0.25 : 0) && e.cap == (way == 1 ? 3 : 0));
      assert_true(fabs(e.draw * N - 1) < 1e-9 && e.rounding >= 0);
      assert_true(fabs(e.move * e.draw + e.rounding - e.sensitivity_l2) < 1e-15);
      if (way == 0) assert_true(fabs(e.move - 2 * 0.5 * e.slope) < 1e-9 && e.rounding < 1e-9);
      if (laws[law] == DPPAIR_LAPLACE)
        assert_true(e.sensitivity >= 2 * e.sensitivity_l2 &&
                    e.sensitivity < 2.001 * e.sensitivity_l2);
      else
        assert_true(e.sensitivity == e.sensitivity_l2);
    }
  options.fast = NULL, options.clip = NULL;
  open_of(dppair_sampling_poisson(N, 8, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN);
  {
    dppair_explained first, e;
    size_t index[N], count, sizes = 0, last = N + 1;
    assert_int_equal(rank_release_explain(&first, &release, &a.rows, w, &options), DPPAIR_OK);
    assert_true(first.divisor == 8 * 7.0 && fabs(first.draw * first.move * 8 - first.slope) < 1e-9);
    for (int t = 0; t < 40; t++) {
      dppair_rows_f64 batch;
      assert_int_equal(draw_now(index, &count, N, &release), DPPAIR_OK);
      assert_int_equal(
          dppair_gather_f64(&batch, batch_x[0], NULL, batch_factor, &drawn_now, &a.rows),
          DPPAIR_OK);
      assert_int_equal(rank_release_explain(&e, &release, &batch, w, &options), DPPAIR_OK);
      assert_memory_equal(&first, &e, sizeof e);
      assert_int_equal(rank_release(g, &release, &batch, w, &options), DPPAIR_OK);
      assert_true(release.sensitivity == e.sensitivity && release.sigma == e.scale);
      sizes += count != last;
      last = count;
    }
    assert_true(sizes > 10);
    assert_int_equal(rank_release_explain(&e, &release, &a.rows, w, &options), DPPAIR_ERR_EXHAUSTED);
    assert_true(e.slope == 0 && e.scale == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_coupled_call_is_its_three_steps),
      TEST(no_record_moves_it_farther_than_its_sensitivity),
      TEST(a_null_record_is_one_that_is_not_drawn),
      TEST(what_has_no_proof_is_refused),
      TEST(an_explanation_is_what_is_released),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
