/* SPDX-License-Identifier: MIT */
/*
 * Everything in dppair_accountant.h that is a formula: the Gaussian curve, sensitivities, descents,
 * streams, filters, printed noise. An error leaves zeros; a result is a finite number that is not
 * negative, and moves the right way with its arguments; the curve's inverses are inverses.
 *
 * brief: 200
 */
#define DPPAIR_WITH_SHARES
#include "dppair_allocation.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_contrast.h"
#include "dppair_filters.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "dppair_streams.h"

#include "plan.h"
#include "../support/sensitivities.h"

/* One number: 0 after an error, else finite and not negative. */
static void check(dppair_status status, const double *x) {
  if (status != DPPAIR_OK)
    REQUIRE(all_zero(x, sizeof *x), "an error with a number");
  else
    REQUIRE(*x >= 0.0 && *x <= DBL_MAX, "no number");
}

static void curve(input *in) {
  double delta = -1.0, log_delta = 1.0, epsilon = -1.0, mu = -1.0, sigma = -1.0, back = -1.0;
  const double e = in_scale(in, 1e-6, 100.0), m = in_scale(in, 1e-3, 100.0), d = in_delta(in);
  const double s = in_scale(in, 1e-3, 10.0);
  dppair_status status = dppair_gaussian_delta(&delta, e, m);
  check(status, &delta);
  REQUIRE(delta <= 1.0, "a delta above 1");
  if (status == DPPAIR_OK && delta >= 1e-300 && delta <= 0.9 &&
      dppair_gaussian_epsilon(&epsilon, delta, m) == DPPAIR_OK)
    REQUIRE(epsilon >= e * (1.0 - 1e-9) - 1e-9, "an epsilon below the one that it comes from");
  status = dppair_gaussian_log_delta(&log_delta, e, m);
  REQUIRE(status == DPPAIR_OK ? log_delta <= 0.0 : all_zero(&log_delta, 8), "log delta");
  status = dppair_gaussian_epsilon(&epsilon, d, m);
  check(status, &epsilon);
  if (status == DPPAIR_OK && dppair_gaussian_delta(&back, epsilon, m) == DPPAIR_OK)
    REQUIRE(back <= d * (1.0 + 1e-8) || back <= DBL_MIN, "delta at that epsilon is more");
  status = dppair_gaussian_mu(&mu, e, d);
  check(status, &mu);
  if (status == DPPAIR_OK && dppair_gaussian_delta(&back, e, mu) == DPPAIR_OK)
    REQUIRE(back <= d * (1.0 + 1e-8) || back <= DBL_MIN, "delta at that mu is more");
  check(dppair_gaussian_sigma(&sigma, s, e, d, in_size(in, 10000)), &sigma);
  check(dppair_gaussian_mu_last_iterate(&mu, s, m, in_scale(in, 0.1, 10.0),
                                        in_between(in, 0.0, 1.0), e, in_size(in, 1000),
                                        in_scale(in, 0.1, 10.0)),
        &mu);
}

static dppair_pair_unit in_unit(input *in) {
  dppair_pair_unit u;
  memset(&u, 0, sizeof u);
  u.levels = (dppair_levels)(1 + in_enum(in, 3));
  u.unit = in_rarely(in) ? HUGE_VAL : in_scale(in, 1e-3, 1e3);
  if (in_choice(in, 2)) u.clip = in_scale(in, 1e-3, 1e3);
  if (in_choice(in, 4) == 0) u.block = in_scale(in, 1e-3, 1e3);
  if (in_choice(in, 4) == 0) u.classes = in_choice(in, 3);
  return u;
}

static void pairs(input *in) {
  double x = -1.0, y = -1.0;
  const double a = in_scale(in, 1e-3, 1e3), b = in_scale(in, 1e-3, 1e3),
               c = in_scale(in, 1e-3, 1e3);
  const size_t n = in_size(in, 5000);
  const dppair_adjacency adjacency = in_adjacency(in);
  dppair_descent d;
  dppair_status status;
  memset(&d, 0, sizeof d);
  check(sensitivity_mean(&x, a, n, adjacency), &x);
  if (sensitivity_mean(&y, a, n / 2, adjacency) == DPPAIR_OK) REQUIRE(y >= x || x > 0.0, "a mean");
  check(sensitivity_rank(&x, FORM_DIFF, a, b, c, 0, n), &x);
  status = sensitivity_rank(&x, FORM_IND, a, 0, c, 0, n);
  check(status, &x);
  if (status == DPPAIR_OK && n > 3 &&
      sensitivity_rank(&y, FORM_IND, a, 0, c, 0, n / 2) == DPPAIR_OK)
    REQUIRE(y >= x * (1.0 - 1e-12), "fewer records and less sensitive");
  check(dppair_sensitivity_metric(&x, a, b, c, n, adjacency), &x);
  check(dppair_sensitivity_record_clip(&x, a, b, n, adjacency), &x);
  check(sensitivity_minibatch(&x, (dppair_sampling_kind)in_enum(in, 6), a, n), &x);
  check(dppair_sensitivity_softmax(&x, a, b, n, adjacency), &x);
  check(dppair_sensitivity_owners(&x, a, b, (dppair_owner_list)(1 + in_enum(in, 3)), adjacency),
        &x);
  check(sensitivity_last(&x, a, in_between(in, 0.0, 1.0), b, c, n), &x);
  check(sensitivity_average(&x, a, b, c, n), &x);
  check(sensitivity_minimiser(&x, a, b, c), &x);
  d.output = (dppair_descent_output)(1 + in_enum(in, 3));
  if (in_choice(in, 2)) d.alpha = b;
  if (in_choice(in, 2)) d.smoothness = in_rarely(in) ? HUGE_VAL : b + c;
  if (in_choice(in, 2)) d.eta = in_between(in, 0.0, 2.0);
  if (in_choice(in, 2)) d.tolerance = c;
  if (in_choice(in, 2)) d.steps = n;
  check(dppair_sensitivity_descent(&x, a, &d), &x);
  check(dppair_sensitivity_quantised(&x, (dppair_quantised)(1 + in_enum(in, 3)), a,
                                     ldexp(1.0, in_choice(in, 60) - 10), n, adjacency),
        &x);
  check(dppair_skellam_sigma(&x, in_scale(in, 1e-6, 1e15)), &x);
  status = dppair_skellam_variance(&x, a);
  check(status, &x);
  if (status == DPPAIR_OK && dppair_skellam_sigma(&y, x) == DPPAIR_OK)
    REQUIRE(y >= a * (1.0 - 1e-9), "the variance is too small");
  status = dppair_skellam_wrap(&x, in_scale(in, 1e-6, 1e15), in_byte(in) % 70,
                               in_scale(in, 1.0, 1e12), n);
  REQUIRE(x > 0.0 && x <= 1.0 && (status == DPPAIR_OK || x >= 1.0), "a probability");
}

static void batches(input *in) {
  double x = -1.0;
  const dppair_sampling s = in_sampling(in, 3000);
  const dppair_pair_unit u = in_unit(in);
  dppair_pair_unit exchanged = u;
  const size_t n = in_size(in, 3000), owned = in_size(in, 50);
  const dppair_adjacency adjacency = in_adjacency(in);
  size_t first[21], owner[40], users = in_count(in, 20), size[8], records[8], i;
  double weight[40], sum[20], load = -1.0, w[8];
  dppair_queries q;
  dppair_status status;
  check(dppair_sensitivity(&x, &u, &s), &x);
  exchanged.matched = in_scale(in, 1.0, 1e4);
  check(dppair_sensitivity(&x, &exchanged, &s), &x);
  check(sensitivity_users(&x, &u, n, owned, adjacency), &x);
  check(dppair_sensitivity_groups(&x, in_scale(in, 1e-3, 10.0), &s, in_choice(in, 3)), &x);
  for (i = 0; i < 40; i++) owner[i] = in_size(in, users), weight[i] = in_scale(in, 1e-3, 10.0);
  for (i = first[0] = 0; i < 20; i++) first[i + 1] = first[i] + (size_t)in_choice(in, 3);
  if (in_rarely(in)) first[in_choice(in, 21)] = in_size(in, 40);
  for (i = 1; i < 21; i++)
    if (first[i] > 40) first[i] = 40; /* what `owner` has */
  stain(sum, 20);
  status = dppair_owner_load(&load, sum, users, owner, first, weight, in_count(in, 20));
  check(status, &load);
  REQUIRE(status == DPPAIR_OK || all_zero(sum, users * sizeof *sum), "an error with loads");
  for (i = 0; i < 8; i++)
    size[i] = in_size(in, 100), records[i] = in_size(in, 10), w[i] = in_scale(in, 1e-3, 10.0);
  memset(&q, 0, sizeof q);
  q.count = in_choice(in, 8) ? in_count(in, 8) : in_size(in, 8);
  if (q.count <= 8 && in_choice(in, 2)) q.size = size;
  if (q.count <= 8 && in_choice(in, 2)) q.weight = w;
  if (q.count <= 8 && in_choice(in, 2)) q.records = records;
  q.clip = in_choice(in, 2) ? in_scale(in, 1e-3, 10.0) : 0.0;
  q.moving = in_choice(in, 3) == 0;
  check(dppair_sensitivity_queries(&x, &u, &q, adjacency), &x);
}

static void streams(input *in) {
  double x = -1.0;
  dppair_stream kept, s;
  const dppair_pair_unit u = in_unit(in);
  size_t slot[60], bytes = 99, i;
  void *whole, *work;
  dppair_status status;
  memset(&s, 0, sizeof s);
  s.steps = in_choice(in, 8) ? in_count(in, 60) : in_size(in, 60);
  s.buffer = in_size(in, 60);
  s.silent = in_size(in, 20);
  s.noise = (dppair_prefix_noise)(1 + in_enum(in, 3));
  s.adjacency = in_adjacency(in);
  for (i = 0; i < 60; i++) slot[i] = in_size(in, s.buffer < 60 ? s.buffer : 60);
  kept = s;
  if (in_choice(in, 2)) kept.noise = DPPAIR_PREFIX_INDEPENDENT;
  if (s.steps <= 60 && in_choice(in, 2)) kept.slot = slot;
  check(dppair_sensitivity_prefix(&x, &u, &kept, NULL, 0), &x);
  status = dppair_sensitivity_prefix_workspace(&bytes, &s);
  REQUIRE(status == DPPAIR_OK || bytes == 0, "an error with bytes");
  if (status != DPPAIR_OK || bytes > 1 << 16) return;
  work = in_room(in, &whole, bytes);
  x = -1.0;
  check(dppair_sensitivity_prefix(&x, &u, &s, work, in_rarely(in) && bytes > 0 ? bytes - 1 : bytes),
        &x);
  free(whole);
}

static void descents(input *in) {
  dppair_uas u;
  double x = -1.0, failure = -1.0, sigma = -1.0;
  size_t hits = 99, bytes = 99, indices[50], count = in_count(in, 50), i;
  void *whole, *work;
  dppair_status status;
  const double ratio = in_scale(in, 1e-3, 10.0);
  memset(&u, 0, sizeof u);
  u.n = in_size(in, 2000);
  u.steps = in_size(in, 5000);
  u.loss = (dppair_uas_loss)(1 + in_enum(in, 3));
  u.eta = in_scale(in, 1e-4, 1.0);
  u.lipschitz = in_scale(in, 1e-2, 10.0);
  if (in_choice(in, 2)) u.diameter = in_scale(in, 1e-2, 100.0);
  if (in_choice(in, 3) == 0) u.strong_convexity = in_scale(in, 1e-4, 1.0);
  if (in_choice(in, 2)) u.smoothness = in_scale(in, 1e-2, 10.0);
  if (in_choice(in, 3) == 0) u.pair_clip = in_scale(in, 1e-2, 10.0);
  u.last_iterate = in_choice(in, 2);
  status = dppair_sensitivity_uas_quantile(&x, &failure, &hits, &u, in_scale(in, 1e-12, 1.0));
  check(status, &x);
  REQUIRE(failure >= 0.0 && failure <= 1.0, "a probability");
  REQUIRE(status == DPPAIR_OK || (hits == 0 && failure >= 1.0), "an error with hits");
  if (u.n < 2 || u.steps / u.n < 4000) /* as long as it takes no seconds */
    check(dppair_uas_sigma(&sigma, &u, in_scale(in, 1e-2, 10.0), in_delta(in)), &sigma);
  status = dppair_uas_workspace(&bytes, &u, ratio);
  REQUIRE(status == DPPAIR_OK || bytes == 0, "an error with bytes");
  if (status != DPPAIR_OK || bytes > 1 << 20) return;
  work = in_room(in, &whole, bytes);
  for (i = 0; i < 50; i++) indices[i] = in_size(in, u.n);
  if (in_choice(in, 2) && u.steps <= 50) count = u.steps;
  x = -1.0;
  check(dppair_sensitivity_uas_sequence(&x, &u, indices, count, ratio, work, bytes), &x);
  free(whole);
}

static void others(input *in) {
  double a = -1.0, b = -1.0, spent[12], g[12];
  unsigned char active[12];
  const double e = in_scale(in, 1e-3, 10.0), d = in_delta(in);
  dppair_filter f;
  dppair_paper p;
  dppair_paper_verdict v;
  dppair_status status = dppair_group_privacy(&a, &b, e, d, in_size(in, 50));
  size_t n = in_count(in, 12), i;
  check(status, &a);
  check(status, &b);
  status = dppair_filter_init(&f, e, d, in_choice(in, 2) ? 0.0 : in_scale(in, 1.0, 100.0));
  if (status == DPPAIR_OK) {
    for (i = 0; i < 6; i++) {
      const double before = f.spent;
      status = dppair_filter_step(&f, in_scale(in, 1e-3, 1.0));
      REQUIRE(f.spent <= f.budget, "a filter that let too much through");
      REQUIRE(status != DPPAIR_OK || f.spent >= before, "a step that gives back");
    }
  } else {
    REQUIRE(all_zero(&f, sizeof f), "a filter that failed to open");
    REQUIRE(dppair_filter_step(&f, 0.1) != DPPAIR_OK, "it lets a step through");
  }
  check(dppair_individual_budget(&a, e, d, in_adjacency(in), in_choice(in, 2)), &a);
  for (i = 0; i < 12; i++) spent[i] = 0.0, active[i] = 1;
  for (i = 0; i < n; i++) g[i] = in_scale(in, 1e-3, 10.0);
  status = in_choice(in, 2) ? dppair_individual_step(spent, active, g, n, e, d)
                            : dppair_individual_sum_step(spent, active, g, n, e, d);
  for (i = 0; i < n; i++) {
    REQUIRE(status == DPPAIR_OK || active[i] == 0, "an error with active records");
    REQUIRE(!active[i] || (spent[i] <= d && g[i] >= 0.0), "an active record beyond its budget");
  }
  check(dppair_objective_noise(&a, e, d, in_scale(in, 1e-3, 1.0), in_scale(in, 1e-3, 10.0)), &a);
  status = dppair_objective_delta_(&a, e, in_scale(in, 1e-3, 1.0), in_scale(in, 1e-1, 100.0),
                                  in_scale(in, 1e-3, 10.0));
  check(status, &a);
  REQUIRE(a <= 1.0, "a delta above 1");
  memset(&p, 0, sizeof p);
  p.result = (dppair_paper_result)in_enum(in, DPPAIR_PAPER_COUNT_);
  p.n = in_size(in, 5000);
  p.steps = in_size(in, 5000);
  p.lipschitz = in_scale(in, 1e-2, 10.0);
  p.epsilon = e;
  p.delta = in_choice(in, 4) ? d : 0.0;
  p.alpha = in_choice(in, 2) ? in_scale(in, 1e-3, 1.0) : 0.0;
  p.eta = in_choice(in, 2) ? in_scale(in, 1e-3, 1.0) : 0.0;
  p.lambda = in_choice(in, 2) ? in_scale(in, 1e-3, 1.0) : 0.0;
  p.kappa = in_choice(in, 2) ? in_scale(in, 1e-3, 1.0) : 0.0;
  p.pure = in_choice(in, 3) == 0;
  memset(&v, 0x7f, sizeof v);
  status = dppair_paper_check(&v, &p);
  if (status != DPPAIR_OK)
    REQUIRE(all_zero(&v.noise_printed, 8) && all_zero(&v.noise_needed, 8) && v.sufficient == 0 &&
                all_zero(&v.true_epsilon, 8) && all_zero(&v.true_delta, 8),
            "an error with a verdict");
  else
    REQUIRE(v.noise_printed >= 0.0 && v.noise_needed >= 0.0 && v.true_epsilon >= 0.0 &&
                v.true_delta >= 0.0,
            "a verdict");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input source = {bytes, size}, *in = &source;
  int turn;
  for (turn = 0; turn < 12 && in->left > 0; turn++) {
    switch (in_choice(in, 6)) {
    case 0:
      curve(in);
      break;
    case 1:
      pairs(in);
      break;
    case 2:
      batches(in);
      break;
    case 3:
      streams(in);
      break;
    case 4:
      descents(in);
      break;
    default:
      others(in);
    }
  }
  return 0;
}
