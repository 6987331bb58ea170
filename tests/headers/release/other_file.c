/* SPDX-License-Identifier: MIT */
/* States and clips that another file of the program made, whose instance has the same name and a
 * loss of the same name, but another loss: a release refuses them, since its sensitivity is that of
 * its own loss. Two instances play the two files. */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"

#define RANGE(name, times)                                                                         \
  static void name##_range(dppair_range *r, const dppair_margins *m, const double *p) {            \
    (void)m, (void)p;                                                                              \
    r->down = times, r->up = 0, r->curvature = times;                                              \
  }
RANGE(soft, 1)
RANGE(loud, 100)
#define FLAGS DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH
#define soft_RANGE (soft_range, FLAGS)
#define soft_KIND dppair_analytic
#define soft_POLES(p) {3.14159265358979323846, 1, 1}
#define soft_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define soft_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
#define loud_RANGE (loud_range, FLAGS)
#define loud_KIND dppair_analytic
#define loud_POLES(p) {3.14159265358979323846, 100, 1}
#define loud_VALUE(u, p) DPV_MUL(DPV_SET(100), DPV_SOFTPLUS(DPV_NEG(u)))
#define loud_SLOPE(u, p) DPV_NEG(DPV_MUL(DPV_SET(100), DPV_SIGMOID(DPV_NEG(u))))

#define DPPAIR_NAME here
#define DPPAIR_REAL double
#define DPPAIR_LOSS soft
#include "dppair.h"
#define DPPAIR_NAME twin
#define DPPAIR_REAL double
#define DPPAIR_LOSS soft
#include "dppair.h"
#define DPPAIR_NAME other
#define DPPAIR_REAL double
#define DPPAIR_LOSS loud
#include "dppair.h"

#include "tests.h"

static char room[1 << 21], work[1 << 18];

/* What a release of four records says to this pass, and whether it left something. */
static dppair_status released(dppair_options *options) {
  static dppair_accountant account;
  static dppair_release release;
  static const uint8_t KEY[32] = {7}, RUN[16] = {8};
  static const dppair_release_keys keys = {KEY, RUN};
  double x[4] = {1, 1, -1, -1}, w[1] = {0}, g[1] = {5};
  dppair_rows_f64 rows = dppair_rows_make_f64(x, 4, 1, 1);
  dppair_plan plan;
  dppair_status status;
  memset(&plan, 0, sizeof plan);
  rows.positives = 2;
  rows.radius = 1;
  options->work = work, options->bytes = sizeof work;
  plan.sampling = dppair_sampling_all(4, DPPAIR_REPLACE_ONE);
  plan.steps = 1, plan.noise_multiplier = 1;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &keys), DPPAIR_OK);
  status = here_release(g, &release, &rows, w, options);
  assert_true(status == DPPAIR_OK || (g[0] == 0.0 && release.step == 0));
  dppair_release_close(&release);
  return status;
}

static void a_state_of_another_loss_is_refused(void **state) {
  dppair_fast f;
  dppair_options options;
  (void)state;
  memset(&options, 0, sizeof options);
  options.fast = &f;
  assert_int_equal(other_sums_init(&f, 4, DPPAIR_ACCURACY_1E9, 4, NULL, room, sizeof room), DPPAIR_OK);
  f.owner = here_owner_(); /* as a file would say whose loss has this name */
  assert_int_equal(released(&options), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(twin_sums_init(&f, 4, DPPAIR_ACCURACY_1E9, 4, NULL, room, sizeof room), DPPAIR_OK);
  f.owner = here_owner_(); /* the same loss */
  assert_int_equal(released(&options), DPPAIR_OK);
  f.probe = NULL;
  assert_int_equal(released(&options), DPPAIR_ERR_WORKSPACE);
}

static void a_clip_of_another_loss_is_refused(void **state) {
  dppair_clip clip, mine;
  dppair_options options;
  (void)state;
  memset(&options, 0, sizeof options);
  options.clip = &clip;
  assert_int_equal(here_clip_init(&mine, 50), DPPAIR_OK);
  assert_int_equal(other_clip_init(&clip, 50), DPPAIR_OK);
  clip.owner = mine.owner, clip.digest = mine.digest;
  assert_int_equal(released(&options), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(twin_clip_init(&clip, 50), DPPAIR_OK);
  clip.owner = mine.owner, clip.digest = mine.digest;
  assert_int_equal(released(&options), DPPAIR_OK);
  clip.probe = NULL;
  assert_int_equal(released(&options), DPPAIR_ERR_WORKSPACE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_state_of_another_loss_is_refused),
      TEST(a_clip_of_another_loss_is_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
