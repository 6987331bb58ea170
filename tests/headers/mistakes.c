/* SPDX-License-Identifier: MIT */
/*
 * Mistakes that a new user made, or could make, each with what the library says of it: the status,
 * a word of the sentence that names the cure, and zeros where the output would stand.
 *
 * What only the compiler sees is in tests/checks/mistakes.sh. Rows that are longer than their
 * radius (the factor set to NULL, the radius typed or lowered, x changed after the clip) no status
 * tells, since it would tell a record: DPPAIR_CHECK_ROWS does, tests/headers/release/check_rows.c.
 *
 * What no call can see, and the page that warns of it:
 *   a sensitivity of 1e-9 typed by hand, or one that is proved for another divisor (a sum over
 *     P (N - P) with 2/N): README.md, "you must match them yourself"; docs/guide.md, the table: "a
 *     statistic with a proof of your own". NAME_release has nothing to type
 *   a sum that was divided by n^2 before NAME_release_vector, or bounds.radius that is not that of
 *     the clip: NAME_release_scores (docs/guide.md, "A network") divides itself, and reads the
 *     radius of the clip
 *   epochs charged as steps: an account is told only a number; docs/neighbours.md has the call of
 *     `budget`, which asks for epochs by name. A plan's releases are counted
 *   positives swapped, or forgotten (0): which rows are positive is private, and no data set is an
 *     error. docs/tutorial.md, "positives first"
 *   a key and a nonce used again on other data: two programs share no memory. The comment of
 *     dppair_release_keys; with a ledger the second start is refused (ERR_RUNS)
 *   rows that are marked by hand and are others: docs/guide.md, "By hand": it is your promise
 *   two threads on one release: the comment of dppair_release, "one thread at a time"
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_metric.h"
#include "dppair_noise.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

/* A logistic loss whose author believes that no slope is steeper than 0.1: it is 1. */
#define gentle_KIND dppair_pairs
#define gentle_VALUE(u, p) dppair_logistic_VALUE(u, p)
#define gentle_SLOPE(u, p) dppair_logistic_SLOPE(u, p)
static void gentle_range(dppair_range *r, const dppair_margins *margins, const double *params) {
  (void)margins, (void)params;
  r->down = r->up = 0.1;
}
#define gentle_RANGE (gentle_range, DPPAIR_IS_SMOOTH)
#define DPPAIR_NAME gentle
#define DPPAIR_REAL double
#define DPPAIR_LOSS gentle
#include "dppair.h"

/* One whose slopes grow without a bound, u^2/2, declared within 0.1: not so at margins beyond. */
#define growing_KIND dppair_pairs
#define growing_VALUE(u, p) DPV_MUL(DPV_SET(0.5), DPV_MUL(u, u))
#define growing_SLOPE(u, p) (u)
#define growing_RANGE (gentle_range, DPPAIR_IS_SMOOTH)
#define DPPAIR_NAME growing
#define DPPAIR_REAL double
#define DPPAIR_LOSS growing
#include "dppair.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests.h"

enum { N = 40, P = 15, D = 3, M = 8 };
static double x[N][D], factor[N], w[D], g[D], gathered[N][D], gathered_factor[N], scores[N];
static double square[D * D], form[D * D], work[1 << 13];
static size_t places[N];
static unsigned char memory[1 << 25];
static dppair_rows_f64 rows, batch;
static dppair_options options;
static dppair_plan plan;
static dppair_accountant account;
static dppair_composer composer;
static dppair_release release, other;
static dppair_batch drawn;
static dppair_rng rng;

#define OK(call) assert_int_equal(call, DPPAIR_OK)

/* What each slip begins with: all right. The outputs hold something. */
static void begin(void **state) {
  (void)state;
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++) x[i][k] = normal();
  memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options);
  memset(&release, 0x47, sizeof release), memset(&other, 0, sizeof other);
  memset(w, 0, sizeof w), memset(g, 0x47, sizeof g), memset(form, 0x47, sizeof form);
  memset(&drawn, 0x47, sizeof drawn), memset(square, 0, sizeof square);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = 3;
  options.work = work, options.bytes = sizeof work;
  OK(dppair_accountant_init(&account));
  OK(dppair_composer_init(&composer, memory, sizeof memory));
  OK(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0));
  rows.positives = P;
}

static dppair_status opened(void) { return dppair_release_open(&release, &account, &plan, NULL); }
static dppair_status released(void) { return rank_release(g, &release, &rows, w, &options); }
static void poisson(void) { plan.sampling = dppair_sampling_poisson(N, M, DPPAIR_REPLACE_ONE); }
static dppair_status calibrated(void) { return dppair_calibrate(&plan, &account, &composer); }
/* A plan that draws, open, without numerical composition: the multiplier is typed. */
static void draws(void) {
  poisson();
  plan.epsilon = plan.delta = 0.0, plan.noise_multiplier = 4.0;
  OK(opened());
}
static dppair_status draw(void) { return dppair_release_draw(&drawn, places, N, &release); }
/* The same with a first draw of two records at least: nearly all draws are. */
static void draws_some(void) {
  do draws(), OK(draw());
  while (drawn.count < 2);
}
static dppair_status gather(const dppair_batch *which) {
  return dppair_gather_f64(&batch, gathered[0], NULL, gathered_factor, which, &rows);
}
static dppair_status released_batch(void) { return rank_release(g, &release, &batch, w, &options); }

#define OPEN &release, sizeof release
#define GRADIENT g, sizeof g
#define FORM form, sizeof form
#define DRAW &drawn, sizeof drawn
#define NONE NULL, 0

/* The status is this one, its sentence names the cure, and the output is zero. */
static void is(dppair_status s, dppair_status expected, const char *cure, const void *output,
               size_t bytes) {
  const unsigned char *byte = output;
  if (s != expected) print_error("%s\n", dppair_status_string(s));
  assert_int_equal(s, expected);
  if (strstr(dppair_status_string(s), cure) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", dppair_status_string(s), cure);
  for (size_t i = 0; i < bytes; i++) assert_int_equal(byte[i], 0);
}

/* ---- the plan ---- */

static void delta_is_forgotten(void **state) {
  begin(state);
  plan.delta = 0.0;
  is(opened(), DPPAIR_ERR_DELTA, "above 0", OPEN);
}
static void epsilon_is_forgotten(void **state) {
  begin(state);
  plan.epsilon = 0.0;
  is(opened(), DPPAIR_ERR_EPSILON, "positive", OPEN);
}
static void epsilon_and_delta_are_swapped(void **state) {
  begin(state);
  plan.epsilon = 1e-4, plan.delta = 1.0;
  is(opened(), DPPAIR_ERR_DELTA, "below 1", OPEN);
}
static void steps_are_forgotten(void **state) {
  begin(state);
  plan.steps = 0;
  is(opened(), DPPAIR_ERR_STEPS, "number of steps", OPEN);
}
static void the_plan_is_not_zeroed(void **state) {
  begin(state);
  memset(&plan, 0xa5, sizeof plan);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = 3;
  is(opened(), DPPAIR_ERR_NOT_ZEROED, "= {0}", OPEN);
}
static void a_plan_that_draws_is_not_calibrated(void **state) {
  begin(state);
  poisson();
  is(opened(), DPPAIR_ERR_NOT_CALIBRATED, "dppair_calibrate", OPEN);
}
static void steps_are_doubled_after_calibration(void **state) {
  begin(state);
  poisson();
  OK(calibrated());
  plan.steps *= 2;
  is(opened(), DPPAIR_ERR_PLAN_CHANGED, "then call dppair_calibrate", OPEN);
}
static void the_batch_is_doubled_after_calibration(void **state) {
  begin(state);
  poisson();
  OK(calibrated());
  plan.sampling = dppair_sampling_poisson(N, 2 * M, DPPAIR_REPLACE_ONE);
  is(opened(), DPPAIR_ERR_PLAN_CHANGED, "then call dppair_calibrate", OPEN);
}
static void the_multiplier_is_halved_after_calibration(void **state) {
  begin(state);
  poisson();
  OK(calibrated());
  plan.noise_multiplier /= 2.0;
  is(opened(), DPPAIR_ERR_PLAN_CHANGED, "then call dppair_calibrate", OPEN);
}
static void a_multiplier_is_typed_beside_a_budget(void **state) {
  begin(state);
  plan.noise_multiplier = 0.5;
  is(opened(), DPPAIR_ERR_NOT_CALIBRATED, "dppair_calibrate", OPEN);
}
static void calibration_gets_no_composer(void **state) {
  begin(state);
  poisson();
  is(dppair_calibrate(&plan, &account, NULL), DPPAIR_ERR_WORKSPACE, "workspace", NONE);
}
static void a_batch_of_none_is_calibrated(void **state) {
  begin(state);
  plan.sampling = dppair_sampling_poisson(N, 0, DPPAIR_REPLACE_ONE);
  is(calibrated(), DPPAIR_ERR_RATE, "dppair_sampling_", NONE);
}
static void a_batch_of_none_is_opened(void **state) {
  begin(state);
  plan.sampling = dppair_sampling_poisson(N, 0, DPPAIR_REPLACE_ONE);
  plan.epsilon = plan.delta = 0.0, plan.noise_multiplier = 4.0;
  is(opened(), DPPAIR_ERR_RATE, "dppair_sampling_", OPEN);
}
static void a_batch_has_more_than_all(void **state) {
  begin(state);
  plan.sampling = dppair_sampling_poisson(N, N + 1, DPPAIR_REPLACE_ONE);
  plan.epsilon = plan.delta = 0.0, plan.noise_multiplier = 4.0;
  is(opened(), DPPAIR_ERR_SIZE, "compare n", OPEN);
}
static void the_account_is_zeros(void **state) {
  begin(state);
  memset(&account, 0, sizeof account);
  is(opened(), DPPAIR_ERR_DOMAIN, "dppair_accountant_init", OPEN);
}
static void the_account_is_garbage(void **state) {
  begin(state);
  memset(&account, 0xcc, sizeof account);
  is(opened(), DPPAIR_ERR_DOMAIN, "dppair_accountant_init", OPEN);
}
static void a_second_plan_asks_for_the_same_epsilon(void **state) {
  begin(state);
  OK(opened());
  dppair_release_close(&release);
  is(opened(), DPPAIR_ERR_EXHAUSTED, "paid for", OPEN);
}
static void a_second_plan_has_other_neighbours(void **state) {
  begin(state);
  OK(opened());
  dppair_release_close(&release);
  plan.sampling = dppair_sampling_all(N, DPPAIR_ZERO_OUT), plan.epsilon = 2.0;
  is(opened(), DPPAIR_ERR_NEIGHBOURS, "one account for each", OPEN);
}

/* ---- rows, weights, memory ---- */

static void the_rows_are_fewer_than_the_plan_says(void **state) {
  begin(state);
  OK(opened());
  rows.n--;
  is(released(), DPPAIR_ERR_SIZE, "the plan", GRADIENT);
}
static void the_plan_has_the_batch_in_place_of_n(void **state) {
  begin(state);
  plan.sampling = dppair_sampling_all(M, DPPAIR_REPLACE_ONE);
  OK(opened());
  is(released(), DPPAIR_ERR_SIZE, "the plan", GRADIENT);
}
static void there_are_more_positives_than_records(void **state) {
  begin(state);
  OK(opened());
  rows.positives = N + 1;
  is(released(), DPPAIR_ERR_SIZE, "positives", GRADIENT);
}
static void the_workspace_is_forgotten(void **state) {
  begin(state);
  OK(opened());
  options.work = NULL, options.bytes = 0;
  is(released(), DPPAIR_ERR_WORKSPACE, "_workspace", GRADIENT);
}
static void the_workspace_is_small(void **state) {
  begin(state);
  OK(opened());
  options.bytes = 64;
  is(released(), DPPAIR_ERR_WORKSPACE, "_workspace", GRADIENT);
}
static void the_workspace_is_not_that_of_a_clip(void **state) {
  begin(state);
  dppair_clip clip;
  size_t bytes = 0;
  OK(opened());
  OK(rank_workspace(&bytes, N, D, &options));
  OK(rank_clip_init(&clip, 0.1));
  options.clip = &clip, options.bytes = bytes;
  const dppair_status s = released();
  options.clip = NULL;
  is(s, DPPAIR_ERR_WORKSPACE, "_workspace", GRADIENT);
}
static void the_weights_diverged(void **state) {
  begin(state);
  OK(opened());
  w[1] = (double)NAN;
  is(released(), DPPAIR_ERR_NOT_FINITE, "weights diverged", GRADIENT);
}
static void the_gradient_stands_in_the_weights(void **state) {
  begin(state);
  OK(opened());
  memset(g, 0, sizeof g);
  is(rank_release(g, &release, &rows, g, &options), DPPAIR_ERR_OVERLAP, "array of its", GRADIENT);
}
static void a_metric_has_no_labels(void **state) {
  begin(state);
  OK(opened());
  is(rank_release_form(form, &release, DPPAIR_FORM_METRIC, &rows, square, D, 0.5, &options),
     DPPAIR_ERR_NULL, "every argument", FORM);
}
static void the_rows_are_not_clipped(void **state) {
  begin(state);
  OK(opened());
  rows = dppair_rows_make_f64(x[0], N, D, D);
  rows.positives = P;
  is(released(), DPPAIR_ERR_NO_RADIUS, "dppair_rows_clip", GRADIENT);
}
static void the_bounds_are_zeros(void **state) {
  begin(state);
  const dppair_bounds none = {0.0, 0.0, 0.0, 0.0, 0.0};
  OK(opened());
  is(rank_release_vector(g, D, &release, &none, 1e-12, &options), DPPAIR_ERR_NO_RADIUS, "radius",
     GRADIENT);
}
static void the_gradients_of_scores_are_not_clipped(void **state) {
  begin(state);
  OK(opened());
  rows = dppair_rows_make_f64(x[0], N, D, D);
  rows.positives = P;
  is(rank_release_scores(g, &release, scores, &rows, &options), DPPAIR_ERR_NO_RADIUS,
     "dppair_rows_clip", GRADIENT);
}
static void a_slope_is_steeper_than_declared(void **state) {
  begin(state);
  OK(opened());
  is(gentle_release(g, &release, &rows, w, &options), DPPAIR_ERR_SLOPE, "L_RANGE", GRADIENT);
}
/* At w = 0 all margins are 0, where this slope is 0: the first release is right, the next is not. */
static void a_slope_is_steeper_further_out(void **state) {
  begin(state);
  OK(opened());
  OK(growing_release(g, &release, &rows, w, &options));
  w[0] = 1.0;
  is(growing_release(g, &release, &rows, w, &options), DPPAIR_ERR_SLOPE, "L_RANGE", GRADIENT);
}
static void a_vector_is_to_have_laplace_noise(void **state) {
  begin(state);
  plan.noise = DPPAIR_LAPLACE, plan.delta = 0.0;
  OK(opened());
  is(dppair_release_vector(g, D, &release, 0.1), DPPAIR_ERR_LAW, "dppair_release_histogram",
     GRADIENT);
}
static void counts_in_l1_are_to_have_gaussian_noise(void **state) {
  begin(state);
  OK(opened());
  is(dppair_release_histogram(g, D, &release, 2.0), DPPAIR_ERR_LAW, "Laplace noise", GRADIENT);
}
static void a_generator_is_zeros(void **state) {
  begin(state);
  memset(&rng, 0, sizeof rng);
  is(dppair_add_gaussian_f64(g, D, 1.0, &rng), DPPAIR_ERR_CIPHER, "dppair_rng_from_os", GRADIENT);
}
static void a_sensitivity_is_zero(void **state) {
  begin(state);
  OK(opened());
  is(dppair_release_vector(g, D, &release, 0.0), DPPAIR_ERR_SENSITIVITY, "proved", GRADIENT);
}

/* ---- the life of a release ---- */

static void three_releases_are_too_many(void **state) {
  begin(state);
  OK(opened());
  for (int t = 0; t < 5; t++) (void)(released() == DPPAIR_OK);
  memset(g, 0x47, sizeof g);
  is(released(), DPPAIR_ERR_EXHAUSTED, "paid for", GRADIENT);
}
static void a_plan_of_one_step_is_used_twice(void **state) {
  begin(state);
  plan.steps = 1;
  OK(opened());
  OK(released());
  is(released(), DPPAIR_ERR_EXHAUSTED, "paid for", GRADIENT);
}
static void a_release_is_copied(void **state) {
  begin(state);
  OK(opened());
  other = release;
  is(rank_release(g, &other, &rows, w, &options), DPPAIR_ERR_CLOSED, "open it where", GRADIENT);
}
static void a_release_was_never_opened(void **state) {
  begin(state);
  memset(&release, 0, sizeof release);
  is(released(), DPPAIR_ERR_CLOSED, "open it where", GRADIENT);
}
static void a_release_is_used_after_it_was_closed(void **state) {
  begin(state);
  OK(opened());
  dppair_release_close(&release);
  is(released(), DPPAIR_ERR_CLOSED, "open it where", GRADIENT);
}
static void an_old_account_is_put_back(void **state) {
  begin(state);
  const dppair_accountant before = account;
  OK(opened());
  account = before; /* as if it had cost nothing */
  is(released(), DPPAIR_ERR_CLOSED, "keep its account", GRADIENT);
}
static void a_child_of_fork_uses_its_parents_release(void **state) {
  begin(state);
  int result = 0;
  OK(opened());
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const dppair_status s = released();
    _exit(g[0] == 0.0 && g[D - 1] == 0.0 ? (int)s : 255);
  }
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFEXITED(result));
  memset(g, 0, sizeof g);
  is((dppair_status)WEXITSTATUS(result), DPPAIR_ERR_FORK, "in the child", GRADIENT);
}

/* ---- draws ---- */

static void a_release_has_no_draw(void **state) {
  begin(state);
  draws();
  is(released(), DPPAIR_ERR_NOT_DRAWN, "dppair_release_draw", GRADIENT);
}
static void all_rows_stand_in_place_of_the_drawn(void **state) {
  begin(state);
  draws_some();
  is(released(), DPPAIR_ERR_BATCH, "dppair_gather", GRADIENT);
}
static void the_first_rows_stand_in_place_of_the_drawn(void **state) {
  begin(state);
  draws_some();
  batch = rows;
  batch.n = drawn.count, batch.positives = drawn.count < P ? drawn.count : P;
  is(released_batch(), DPPAIR_ERR_BATCH, "dppair_gather", GRADIENT);
}
static void own_places_stand_in_place_of_the_drawn(void **state) {
  begin(state);
  dppair_batch mine = {places, 0, 0};
  draws_some();
  mine.count = drawn.count;
  for (size_t i = 0; i < drawn.count; i++) places[i] = i;
  OK(gather(&mine));
  is(released_batch(), DPPAIR_ERR_BATCH, "dppair_gather", GRADIENT);
}
static void one_drawn_record_is_taken_again_and_again(void **state) {
  begin(state);
  dppair_batch mine = {places, 0, 0};
  draws_some();
  mine.count = drawn.count;
  for (size_t i = 0; i < drawn.count; i++) places[i] = places[0];
  OK(gather(&mine));
  is(released_batch(), DPPAIR_ERR_BATCH, "dppair_gather", GRADIENT);
}
static void a_drawn_record_is_dropped(void **state) {
  begin(state);
  draws_some();
  drawn.count--;
  OK(gather(&drawn));
  is(released_batch(), DPPAIR_ERR_SIZE, "compare n", GRADIENT);
}
static void rows_by_hand_are_not_marked(void **state) {
  begin(state);
  draws_some();
  OK(gather(&drawn));
  OK(dppair_rows_clip_f64(&batch, gathered_factor, gathered[0], drawn.count, D, D, 1.0));
  is(rank_release_scores(g, &release, scores, &batch, &options), DPPAIR_ERR_BATCH, "dppair_gather",
     GRADIENT);
}
static void rows_by_hand_are_clipped_after_they_were_marked(void **state) {
  begin(state);
  draws_some();
  OK(gather(&drawn));
  dppair_rows_by_hand_f64(&batch, &drawn);
  OK(dppair_rows_clip_f64(&batch, gathered_factor, gathered[0], drawn.count, D, D, 1.0));
  is(released_batch(), DPPAIR_ERR_BATCH, "dppair_gather", GRADIENT);
}
static void one_draw_is_released_twice(void **state) {
  begin(state);
  draws_some();
  OK(gather(&drawn));
  OK(released_batch());
  is(released_batch(), DPPAIR_ERR_NOT_DRAWN, "dppair_release_draw", GRADIENT);
}
static void the_batch_is_that_of_an_earlier_step(void **state) {
  begin(state);
  dppair_rows_f64 earlier;
  draws_some();
  OK(gather(&drawn));
  earlier = batch;
  OK(released_batch());
  OK(draw());
  batch = earlier;
  is(released_batch(), DPPAIR_ERR_BATCH, "dppair_gather", GRADIENT);
}
static void a_step_is_drawn_twice(void **state) {
  begin(state);
  draws_some();
  is(draw(), DPPAIR_ERR_EXHAUSTED, "paid for", DRAW);
}
static void a_draw_has_room_for_its_mean_alone(void **state) {
  begin(state);
  draws();
  is(dppair_release_draw(&drawn, places, M, &release), DPPAIR_ERR_SIZE, "capacity", DRAW);
}

/* ---- what is not refused ---- */

/* Ends of training that the plan sets: a solver that goes on gets zeros, and stops learning. */
static void a_descent_that_goes_on_after_its_plan_stands_still(void **state) {
  double last[D];
  begin(state);
  OK(opened());
  for (int t = 0; t < 9; t++) {
    const dppair_status s = released();
    assert_int_equal(s, t < 3 ? DPPAIR_OK : DPPAIR_ERR_EXHAUSTED);
    for (size_t k = 0; k < D; k++) w[k] -= g[k];
    if (t == 2) memcpy(last, w, sizeof w);
  }
  assert_memory_equal(last, w, sizeof w);
}

/* Once refused, after it was paid for: the move of a gradient is one in l2, and sqrt(d) times as
 * far in l1. */
static void a_gradient_may_have_laplace_noise(void **state) {
  double move;
  begin(state);
  OK(opened());
  OK(released());
  move = release.sensitivity;
  OK(dppair_accountant_init(&account));
  plan.noise = DPPAIR_LAPLACE, plan.delta = 0.0;
  OK(opened());
  OK(released());
  assert_true(fabs(release.sensitivity / move / sqrt((double)D) - 1) < 1e-6);
}

static void a_delta_of_one_over_n_is_warned_of(void **state) {
  begin(state);
  plan.delta = 1.0 / N;
  OK(opened());
  assert_int_equal(release.warnings & DPPAIR_WARNS_DELTA, DPPAIR_WARNS_DELTA);
  OK(released());
  OK(dppair_accountant_init(&account));
  plan.delta = 0.5 / N;
  OK(opened());
  assert_int_equal(release.warnings, 0);
}

static void an_epsilon_above_20_is_warned_of(void **state) {
  begin(state);
  plan.epsilon = 20.0;
  OK(opened());
  assert_int_equal(release.warnings, 0);
  OK(dppair_accountant_init(&account));
  plan.epsilon = 200.0;
  OK(opened());
  assert_int_equal(release.warnings, DPPAIR_WARNS_EPSILON);
  OK(released());
}

/* With a key alone the system gives the nonce: the same data have other noise. */
static void a_key_that_is_used_again_has_other_noise(void **state) {
  const uint8_t key[32] = {7};
  const dppair_release_keys keys = {key, NULL};
  double first[D];
  begin(state);
  OK(dppair_release_open(&release, &account, &plan, &keys));
  OK(released());
  memcpy(first, g, sizeof g);
  OK(dppair_accountant_init(&account));
  OK(dppair_release_open(&release, &account, &plan, &keys));
  OK(released());
  for (size_t k = 0; k < D; k++) assert_true(g[k] != first[k]);
}

/* A multiplier without a budget is charged as it is, and the account says how much that is. */
static void a_multiplier_without_a_budget_is_charged(void **state) {
  dppair_interval spent;
  double typed;
  begin(state);
  plan.epsilon = plan.delta = 0.0, plan.noise_multiplier = 0.5;
  OK(opened());
  OK(dppair_accountant_epsilon(&spent, &account, 1e-4, NULL));
  OK(dppair_gaussian_epsilon(&typed, 1e-4, sqrt(3.0) / 0.5));
  assert_true(fabs(spent.upper - typed) < 1e-6 && typed > 10);
}

/* The radius of a network's rows is the clip's: there is no second one to be typed. */
static void a_release_of_scores_has_noise_for_the_clip(void **state) {
  double move;
  begin(state);
  OK(opened());
  OK(rank_release_scores(g, &release, scores, &rows, &options));
  move = release.sensitivity;
  OK(dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 0.01));
  rows.positives = P;
  OK(rank_release_scores(g, &release, scores, &rows, &options));
  assert_true(fabs(move / release.sensitivity - 100) < 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(delta_is_forgotten),
      TEST(epsilon_is_forgotten),
      TEST(epsilon_and_delta_are_swapped),
      TEST(steps_are_forgotten),
      TEST(the_plan_is_not_zeroed),
      TEST(a_plan_that_draws_is_not_calibrated),
      TEST(steps_are_doubled_after_calibration),
      TEST(the_batch_is_doubled_after_calibration),
      TEST(the_multiplier_is_halved_after_calibration),
      TEST(a_multiplier_is_typed_beside_a_budget),
      TEST(calibration_gets_no_composer),
      TEST(a_batch_of_none_is_calibrated),
      TEST(a_batch_of_none_is_opened),
      TEST(a_batch_has_more_than_all),
      TEST(the_account_is_zeros),
      TEST(the_account_is_garbage),
      TEST(a_second_plan_asks_for_the_same_epsilon),
      TEST(a_second_plan_has_other_neighbours),
      TEST(the_rows_are_fewer_than_the_plan_says),
      TEST(the_plan_has_the_batch_in_place_of_n),
      TEST(there_are_more_positives_than_records),
      TEST(the_workspace_is_forgotten),
      TEST(the_workspace_is_small),
      TEST(the_workspace_is_not_that_of_a_clip),
      TEST(the_weights_diverged),
      TEST(the_gradient_stands_in_the_weights),
      TEST(a_metric_has_no_labels),
      TEST(the_rows_are_not_clipped),
      TEST(the_bounds_are_zeros),
      TEST(the_gradients_of_scores_are_not_clipped),
      TEST(a_slope_is_steeper_than_declared),
      TEST(a_slope_is_steeper_further_out),
      TEST(a_vector_is_to_have_laplace_noise),
      TEST(counts_in_l1_are_to_have_gaussian_noise),
      TEST(a_generator_is_zeros),
      TEST(a_sensitivity_is_zero),
      TEST(three_releases_are_too_many),
      TEST(a_plan_of_one_step_is_used_twice),
      TEST(a_release_is_copied),
      TEST(a_release_was_never_opened),
      TEST(a_release_is_used_after_it_was_closed),
      TEST(an_old_account_is_put_back),
      TEST(a_child_of_fork_uses_its_parents_release),
      TEST(a_release_has_no_draw),
      TEST(all_rows_stand_in_place_of_the_drawn),
      TEST(the_first_rows_stand_in_place_of_the_drawn),
      TEST(own_places_stand_in_place_of_the_drawn),
      TEST(one_drawn_record_is_taken_again_and_again),
      TEST(a_drawn_record_is_dropped),
      TEST(rows_by_hand_are_not_marked),
      TEST(rows_by_hand_are_clipped_after_they_were_marked),
      TEST(one_draw_is_released_twice),
      TEST(the_batch_is_that_of_an_earlier_step),
      TEST(a_step_is_drawn_twice),
      TEST(a_draw_has_room_for_its_mean_alone),
      TEST(a_descent_that_goes_on_after_its_plan_stands_still),
      TEST(a_gradient_may_have_laplace_noise),
      TEST(a_delta_of_one_over_n_is_warned_of),
      TEST(an_epsilon_above_20_is_warned_of),
      TEST(a_key_that_is_used_again_has_other_noise),
      TEST(a_multiplier_without_a_budget_is_charged),
      TEST(a_release_of_scores_has_noise_for_the_clip),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
