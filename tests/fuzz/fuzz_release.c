/* SPDX-License-Identifier: MIT */
/*
 * Plans with any numbers, opened with fixed keys, and what they release: vectors, histograms of
 * numbers, tables of columns, draws, evaluations. A refused plan is closed and charges nothing but
 * what broke its account; an error leaves zeros in every output; no release uses more permits than
 * were paid for; the same keys release the same bits.
 *
 * brief: 40
 */
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair.h"
#include "dppair_evaluation.h"
#include "dppair_tables.h"

#include "plan.h"
#include "draws.h"

enum { MOST = 60, COLUMNS = 4 };

static const uint8_t key[32] = {7, 1, 2, 3}, nonce[DPPAIR_NONCE_SIZE] = {9};

static dppair_plan in_plan(input *in, size_t n) {
  static const dppair_mechanism_kind laws[] = {DPPAIR_NO_MECHANISM_, DPPAIR_GAUSSIAN,
                                               DPPAIR_LAPLACE, DPPAIR_L2BALL};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.epsilon = in_scale(in, 0.1, 20.0);
  plan.delta = in_choice(in, 5) ? in_delta(in) : 0.0;
  plan.steps = in_rarely(in) ? in_size(in, 5) : 1 + in_count(in, 4);
  plan.sampling = in_choice(in, 3) ? dppair_sampling_all(n, in_adjacency(in)) : in_sampling(in, n);
  plan.noise = laws[in_choice(in, 4)];
  if (in_rarely(in)) plan.failure = in_scale(in, 1e-9, 1e-2);
  if (in_choice(in, 2))
    plan.noise_multiplier = in_scale(in, 0.5, 50.0); /* as it was found before */
  if (in_rarely(in)) plan.ridge = in_hostile(in);
  return plan;
}

/* Opens the plan on an account of its own. */
static int opened(dppair_release *release, dppair_accountant *account, const dppair_plan *plan) {
  const dppair_release_keys keys = {key, nonce};
  dppair_status status;
  (void)dppair_accountant_init(account);
  memset(release, 0x55, sizeof *release);
  status = dppair_release_open(release, account, plan, &keys);
  if (status == DPPAIR_OK) {
    REQUIRE(account->sequence > 0, "an open plan that was not charged");
    return 1;
  }
  REQUIRE(account->sequence == 0, "a refused plan is charged");
  REQUIRE(release->steps == 0 || release->home != (const void *)release, "a refused plan is open");
  return 0;
}

/* One release into out[0..size): what is done with x, y and s is `what`. */
static dppair_status once(double *out, size_t size, int what, dppair_release *release, double bound,
                          const double *x, const double *y, const double *s, size_t n,
                          const dppair_marginals *query, void *work, size_t bytes) {
  const dppair_evaluate_options options = {0.0, what == 5 ? 2 : 0};
  dppair_evaluation e;
  dppair_status status;
  switch (what) {
  case 0:
    return dppair_release_vector(out, size, release, bound);
  case 1:
    return dppair_release_vector_grid(out, size, release, bound, 20);
  case 2:
    return dppair_release_histogram(out, size, release, bound);
  case 3:
    return dppair_release_marginals(out, size, release, query, x, y, NULL, n, work, bytes);
  default:
    memset(&e, 0x7f, sizeof e);
    status = what == 4 ? dppair_evaluate_auc(&e, release, s, y, n, &options, work, bytes)
             : what == 5
                 ? dppair_evaluate_partial_auc(&e, release, s, y, n, 0.3, &options, work, bytes)
                 : dppair_evaluate_kendall(&e, release, s, x, n, &options, work, bytes);
    if (status != DPPAIR_OK)
      REQUIRE(all_zero(&e.value, 8) && all_zero(&e.lower, 8) && all_zero(&e.upper, 8) &&
                  all_zero(&e.released, 8) && all_zero(&e.count, 8),
              "an error with an evaluation");
    else
      REQUIRE(e.lower <= e.upper && e.value >= -1.0 && e.value <= 1.0, "an interval");
    if (size > 0) out[0] = e.value;
    return status;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static double x[MOST * COLUMNS], y[MOST], s[MOST], v[400], u[400], first[400];
  static dppair_accountant account, twin_account;
  static dppair_release release, twin;
  input source = {bytes, size}, *in = &source;
  const size_t n = in_count(in, MOST), d = in_count(in, COLUMNS);
  const dppair_plan plan = in_plan(in, in_rarely(in) ? n + 1 : n);
  const int what = in_choice(in, 7), wild = in_choice(in, 6);
  dppair_column columns[COLUMNS];
  dppair_marginals query;
  size_t start[COLUMNS + 2], index[MOST], count = 9, out = in_count(in, 40), i, used;
  size_t room = 0, more = 0;
  void *whole, *work;
  int turn;
  memset(columns, 0, sizeof columns);
  memset(&query, 0, sizeof query);
  for (i = 0; i < COLUMNS; i++) {
    columns[i].kind = (dppair_column_kind)in_enum(in, 3);
    if (in_choice(in, 2)) columns[i].low = in_between(in, -2.0, 0.0);
    if (in_choice(in, 2)) columns[i].high = in_between(in, 0.0, 2.0);
    columns[i].group = in_size(in, 3);
    columns[i].by_class = in_choice(in, 2);
  }
  query.columns = columns;
  query.d = d;
  query.side = in_size(in, 10);
  query.smooth = in_choice(in, 2) ? in_scale(in, 0.1, 10.0) : 0.0;
  query.width = in_choice(in, 2) ? in_scale(in, 0.1, 10.0) : 0.0;
  query.label = in_choice(in, 2) ? in_scale(in, 0.1, 10.0) : 0.0;
  for (i = 0; i < n * COLUMNS; i++) x[i] = in_between(in, -2.0, 2.0);
  for (i = 0; i < n; i++) y[i] = in_choice(in, 2) ? 1.0 : -1.0, s[i] = in_between(in, -1.0, 1.0);
  if (wild == 0 && n > 0) x[in_count(in, n - 1)] = s[in_count(in, n - 1)] = in_hostile(in);
  if (wild == 1 && n > 0) y[in_count(in, n - 1)] = in_hostile(in);
  if (what == 3) {
    if (dppair_marginals_layout(start, &query) == DPPAIR_OK && start[d + 1] <= 400)
      out = start[d + 1];
    if (in_rarely(in)) out = in_count(in, 40);
    if (dppair_marginals_workspace(&room, d) != DPPAIR_OK) room = 0;
  }
  if (what > 3 && dppair_evaluate_workspace(&more, n, 4) == DPPAIR_OK && more > room) room = more;
  if (!opened(&release, &account, &plan)) return 0;
  REQUIRE(opened(&twin, &twin_account, &plan), "the same plan is refused");
  work = in_room(in, &whole, room);
  for (turn = 0; turn < 7; turn++) {
    const double bound = in_scale(in, 1e-2, 10.0);
    dppair_status status, again;
    if (in_choice(in, 3) == 0) {
      for (i = 0; i < MOST; i++) index[i] = 1234567;
      count = 9;
      if (draw_now(index, &count, n, &release) != DPPAIR_OK)
        REQUIRE(count == 0 && all_zero(index, n * sizeof *index), "an error with a draw");
      else
        (void)(draw_now(index, &count, n, &twin) == DPPAIR_OK);
    }
    for (i = 0; i < out; i++) first[i] = v[i] = u[i] = in_between(in, -2.0, 2.0);
    used = release.step;
    status = once(v, out, what, &release, bound, x, y, s, n, &query, work, room);
    again = once(u, out, what, &twin, bound, x, y, s, n, &query, work, room);
    REQUIRE(again == status, "another status with the same keys");
    REQUIRE(release.step >= used && release.step <= plan.steps, "more permits than were paid for");
    if (status != DPPAIR_OK && what <= 3)
      REQUIRE(all_zero(v, out * sizeof *v), "an error with numbers");
    if (status == DPPAIR_OK) {
      REQUIRE(memcmp(v, u, out * sizeof *v) == 0, "other bits with the same keys");
      REQUIRE(what > 3 || dppair_all_finite_f64(v, out), "not finite");
      REQUIRE(used < plan.steps, "a release without a permit");
      REQUIRE(what > 2 || out < 4 || memcmp(v, first, out * sizeof *v) != 0, "without noise");
    }
  }
  dppair_release_close(&release);
  dppair_release_close(&twin);
  stain(v, 4);
  REQUIRE(dppair_release_vector(v, 4, &release, 1.0) != DPPAIR_OK && all_zero(v, 32),
          "a closed plan releases");
  free(whole);
  return 0;
}
