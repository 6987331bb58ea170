/* SPDX-License-Identifier: MIT */
/* Minimisers of perturbed fits: the solver's tolerance holds for the exact gradient whatever the
 * records are; what the theorem says of b holds on every neighbour of small data sets; the noise is
 * what plan and loss ask for; nothing but public numbers decides on a status. */
struct dppair_event;
static int hook(struct dppair_event *event);
#define DPPAIR_AUDIT(event) hook(event)

#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"

#include "dppair.h"

#include "tests.h"

enum { ROOM = 1 << 18, MOST = 256 };
static const uint8_t KEY[32] = {3, 1}, RUN[16] = {4};
static const dppair_release_keys FIXED = {KEY, RUN};
static double room[ROOM];

/* The two noises of a release: what they were added to, their scales, what came out. */
static struct {
  size_t count;
  double before[2][MOST], after[2][MOST], scale[2];
  char law[2][16];
  int put; /* the first of them is put in place: the b of an earlier release */
} seen;

static int hook(struct dppair_event *e) {
  const size_t at = seen.count % 2;
  if (e->kind == DPPAIR_EVENT_ADD) {
    assert_true(e->n <= MOST);
    memcpy(seen.before[at], e->values, e->n * sizeof(double));
    seen.scale[at] = e->scale;
    snprintf(seen.law[at], sizeof seen.law[at], "%s", e->name);
    if (!seen.put || at != 0) return 0;
    memcpy(e->values, seen.after[0], e->n * sizeof(double));
    seen.count++;
    return 1;
  }
  if (e->kind == DPPAIR_EVENT_ADDED && e->status == DPPAIR_OK)
    memcpy(seen.after[seen.count++ % 2], e->values, e->n * sizeof(double));
  return 0;
}

/* --- references in long double ---------------------------------------------------------------- */

static long double length(const long double *v, size_t d) {
  long double sum = 0;
  for (size_t k = 0; k < d; k++) sum += v[k] * v[k];
  return sqrtl(sum);
}

/* Slope and curvature, from the definitions. */
static void wide_at(long double out[2], long double t, int logistic) {
  const long double h = tanhl(logistic ? t / 2 : 2 * (t - 0.75L));
  out[0] = (h - 1) / 2;
  out[1] = (1 - h) * (1 + h) / (logistic ? 4 : 1);
}

/* A row as it counts: with its label, shortened to radius, 0 where a number is not finite. */
static void wide_row(long double *u, const double *x, double y, size_t d, long double radius) {
  size_t k;
  long double norm, top = 0;
  for (k = 0; k < d; k++) {
    u[k] = (long double)x[k];
    top = fabsl(u[k]) > top ? fabsl(u[k]) : top;
  }
  norm = length(u, d);
  for (k = 0; k < d; k++) {
    if (!dppair_all_finite_f64(x, d) || top > 1e150L)
      u[k] = 0;
    else
      u[k] *= (y > 0 ? 1 : -1) * (norm > radius ? radius / norm : 1);
  }
}

/* g = the gradient at w, without b. */
static void wide_gradient(long double *g, const double *w, const double *x, const double *y,
                          const dppair_margin_problem *p, int logistic) {
  long double u[MOST], t, out[2];
  size_t i, k;
  for (k = 0; k < p->d; k++) g[k] = (long double)p->ridge * (long double)w[k];
  for (i = 0; i < p->n; i++) {
    wide_row(u, x + i * p->d, y != NULL ? y[i] : 1, p->d, (long double)p->radius);
    for (t = 0, k = 0; k < p->d; k++) t += u[k] * (long double)w[k];
    wide_at(out, t, logistic);
    for (k = 0; k < p->d; k++) g[k] += out[0] * u[k];
  }
}

static double left_of(const double *w, const double *x, const double *y,
                      const dppair_margin_problem *p, const double *b, int logistic) {
  long double g[MOST];
  wide_gradient(g, w, x, y, p, logistic);
  for (size_t k = 0; k < p->d; k++) g[k] += b != NULL ? (long double)b[k] : 0;
  return (double)length(g, p->d);
}

/* --- losses ----------------------------------------------------------------------------------- */

static void shipped_losses_are_what_their_facts_say(void **state) {
  int logistic;
  (void)state;
  for (logistic = 0; logistic < 2; logistic++) {
    const dppair_margin_loss l = logistic ? dppair_margin_logistic() : dppair_margin_soft_hinge();
    double t, low[3], high[3], at[3];
    assert_true(l.falls && l.parameter == 0);
    for (t = -60; t < 60; t += 0.37) {
      long double out[2];
      wide_at(out, (long double)t, logistic);
      l.at(at, t, 0);
      l.at(low, t - 1e-5, 0);
      l.at(high, t + 1e-5, 0);
      assert_true(fabs(at[1] - (double)out[0]) <= 8 * DBL_EPSILON);
      assert_true(fabs(at[2] - (double)out[1]) <= 16 * DBL_EPSILON);
      assert_true(fabs((high[0] - low[0]) / 2e-5 - at[1]) < 1e-9 * (1 + fabs(t)));
      assert_true(at[1] <= 0 && at[1] >= -l.steepest && at[2] >= 0 && at[2] <= l.top);
    }
    l.at(at, 1e308, 0);
    assert_true(at[0] == 0 && at[1] == 0 && at[2] == 0);
    l.at(at, -1e300, 0);
    assert_true(at[0] == 1e300 && at[1] == -1 && at[2] == 0);
    for (t = 0.03; t < 1; t += 0.05) {
      const double a = dppair_margin_balance(&l, t);
      l.at(low, a, 0);
      l.at(high, -a, 0);
      assert_true(fabs(t * low[1] - (1 - t) * high[1]) < 1e-12);
    }
  }
}

/* --- the solver ------------------------------------------------------------------------------- */

enum { SETS = 10 };
/* Records that are hard for a solver, and some that are hard to read. */
static void hostile(double *x, double *y, size_t n, size_t d, int which) {
  size_t i, k;
  for (i = 0; i < n; i++) {
    double *row = x + i * d, norm;
    y[i] = i % 2 == 0 ? 1 : -1;
    for (k = 0; k < d; k++) row[k] = between(-1, 1);
    norm = dppair_norm_f64(row, d);
    if (which == 0)
      for (k = 0; k < d; k++) row[k] = 1 / sqrt((double)d);  /* all equal, labels opposed */
    if (which == 1) y[i] = 1, memcpy(row, x, d * sizeof *x); /* all equal */
    if (which == 2) memset(row, 0, d * sizeof *row);
    if (which == 3)
      for (k = 0; k < d; k++) row[k] *= (i < n - 2) ? 1e-9 : 1 / norm; /* two records pull */
    if (which == 4 && i % 2) memcpy(row, row - d, d * sizeof *row);    /* opposite duplicates */
    if (which == 5)
      for (k = 0; k < d; k++) row[k] *= 1 / norm; /* on the radius */
    if (which == 6) row[i % d] = i % 3 == 0 ? (double)NAN : i % 3 == 1 ? -HUGE_VAL : 1e300;
    if (which == 7)
      for (k = 0; k < d; k++) row[k] = k == i % d ? pow(10, -(double)(k % 9)) : 0; /* scales */
    if (which == 8) row[0] = y[i], y[i] = NAN;                                     /* no label */
  }
}

static void check_fit(size_t n, size_t d, double ridge, int which, int logistic) {
  static double x[1 << 16], y[1 << 15];
  double w[MOST], b[MOST], size, left, before;
  dppair_margin_tolerance t;
  dppair_margin_problem p = {{NULL, 0, 0, 0, 0}, 0, 0, 1, 0};
  size_t k, bytes;
  p.loss = logistic ? dppair_margin_logistic() : dppair_margin_soft_hinge();
  p.n = n;
  p.d = d;
  p.ridge = ridge;
  hostile(x, y, n, d, which);
  for (k = 0; k < d; k++) {
    w[k] = which == 9 ? 1e6 * between(-1, 1) : 0;
    b[k] = 3 * between(-1, 1);
  }
  assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
  assert_int_equal(dppair_minimiser_workspace(&bytes, n, d), DPPAIR_OK);
  assert_true(bytes <= sizeof room);
  assert_int_equal(dppair_minimiser_not_private(w, x, d, y, &p, b, &t, room, bytes), DPPAIR_OK);
  size = dppair_norm_f64(w, d);
  left = left_of(w, x, y, &p, b, logistic);
  assert_true(left <= t.floor + t.share * size);
  /* away from it by three times what that allows, the gradient is larger than the tolerance */
  before = w[0];
  w[0] += 3 * (t.floor + t.share * size) / ridge + 1e-15 * fabs(before);
  assert_true(left_of(w, x, y, &p, b, logistic) > (t.floor + t.share * size) * (1 - 1e-6));
}

static void the_tolerance_holds_for_the_exact_gradient_on_hostile_records(void **state) {
  static const size_t sizes[][2] = {{4, 1}, {4, 3}, {1, 2}, {300, 7}, {40, 60}, {2000, 2}};
  size_t s;
  int which;
  (void)state;
  for (s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (which = 0; which < SETS; which++) {
      const size_t n = sizes[s][0], d = sizes[s][1];
      const double least =
          36 * (double)n * (1.25 * (double)d + 16) * DBL_EPSILON + 1e-11 * (double)n;
      check_fit(n, d, 1 + 3 * (which % 2), which, which % 3 == 0);
      if (n < 1000) check_fit(n, d, 1.1 * least, which, 0); /* the smallest that is allowed */
    }
  check_fit(20000, 1, 2, 5, 0);
  check_fit(20000, 3, 0.5, 9, 1);
  check_fit(100, 200, 1, 9, 0);
}

/* How often a loss may still be asked. */
static size_t left_to_ask;
static void counting_at(double out[3], double t, double parameter) {
  assert_true(left_to_ask-- > 0);
  dppair_margin_soft_hinge().at(out, t, parameter);
}

/* Rows of very different lengths with a ridge that is hardly there: each in its turn allows longer
 * steps than the one before. Newton's steps must not crawl, since plain ones would take years. */
static void lengths_of_rows_do_not_slow_the_solver_down(void **state) {
  enum { FEW = 3, MORE = 63, WIDE = 20 };
  static const double short_rows[FEW * FEW] = {
      0.1061, 1.5196, 3.131e-11, 0.01087, 0.007445, 0.00389, -2.134e-4, 0.1698, 6.454e-6};
  static const double pulls[FEW] = {0.0014826, 0.019653, 2.2656e-6};
  static double x[MORE * WIDE];
  double w[WIDE] = {0}, b[WIDE];
  dppair_margin_tolerance t;
  dppair_margin_problem p = {dppair_margin_soft_hinge(), FEW, FEW, 1, 1.154e-10};
  size_t i, k;
  (void)state;
  p.loss.at = counting_at;
  left_to_ask = 2000 * p.n;
  assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
  assert_int_equal(dppair_minimiser_not_private(w, short_rows, FEW, NULL, &p, pulls, &t, room,
                                                sizeof room),
                   DPPAIR_OK);
  p.n = MORE, p.d = WIDE, p.ridge = 6.4e-10;
  for (i = 0; i < MORE; i++)
    for (k = 0; k < WIDE; k++) x[i * WIDE + k] = between(-2, 2) * pow(10, -(double)(k % 16));
  for (k = 0; k < WIDE; k++) w[k] = 0, b[k] = 0.01 * between(-1, 1);
  left_to_ask = 2000 * p.n;
  assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
  assert_int_equal(
      dppair_minimiser_not_private(w, x, WIDE, NULL, &p, b, &t, room, sizeof room), DPPAIR_OK);
}

/* Another minimiser of the same objective: gradient steps in long double. */
static void reference(long double *w, const double *x, const double *y,
                      const dppair_margin_problem *p, const double *b) {
  const long double smooth = (long double)p->n + (long double)p->ridge;
  double now[8];
  long double g[8];
  size_t k;
  int round;
  memset(w, 0, p->d * sizeof *w);
  for (round = 0; round < 3000; round++) {
    for (k = 0; k < p->d; k++) now[k] = (double)w[k];
    wide_gradient(g, now, x, y, p, 0);
    for (k = 0; k < p->d; k++)
      g[k] += (long double)b[k] + (long double)p->ridge * (w[k] - (long double)now[k]);
    for (k = 0; k < p->d; k++) w[k] -= g[k] / smooth;
    if (length(g, p->d) < 1e-16L * (long double)p->ridge) break;
  }
}

static void minimisers_are_within_the_certificate_of_another_solvers(void **state) {
  enum { N = 12, D = 3 };
  double x[N * D], y[N], b[D], w[D], most = 0;
  int round;
  (void)state;
  for (round = 0; round < (BRIEF ? 10 : 100); round++) {
    dppair_margin_problem p = {dppair_margin_soft_hinge(), N, D, 1, 0};
    dppair_margin_tolerance t;
    long double v[D], apart[D];
    double claimed;
    size_t k;
    p.ridge = pow(10, between(-0.5, 1.5));
    hostile(x, y, N, D, round % SETS);
    for (k = 0; k < D; k++) b[k] = between(-4, 4), w[k] = 0;
    /* coarse tolerances, which the solver uses up, and the finest */
    assert_int_equal(dppair_margin_reach(&t, &p, round % 2 ? 0 : 1e-3), DPPAIR_OK);
    assert_int_equal(dppair_minimiser_not_private(w, x, D, y, &p, b, &t, room, sizeof room),
                     DPPAIR_OK);
    reference(v, x, y, &p, b);
    for (k = 0; k < D; k++) apart[k] = v[k] - (long double)w[k];
    claimed = (t.floor + t.share * dppair_norm_f64(w, D)) / p.ridge;
    assert_true((double)length(apart, D) <= claimed + 1e-15 * dppair_norm_f64(w, D));
    most = fmax(most, (double)length(apart, D) / claimed);
  }
  assert_true(most > 1e-6); /* the certificate is about something */
}

/* The theorem: e(w) covers what the computed gradient is off, and plain steps alone end in time. */
static void computed_gradients_are_within_the_stated_error_and_plain_steps_end(void **state) {
  enum { N = 5000, D = 3 };
  static double x[N * D], y[N];
  dppair_margin_problem p = {dppair_margin_soft_hinge(), N, D, 1, 100};
  dppair_fit_ fit;
  double w[D], value, size;
  long double g[D], off[D];
  size_t k;
  int round;
  (void)state;
  hostile(x, y, N, D, 9);
  assert_int_equal(dppair_fit_open_(&fit, &p, x, D, room, sizeof room), DPPAIR_OK);
  assert_int_equal(dppair_margin_reach(&fit.reach, &p, 0), DPPAIR_OK);
  value = fit.error.share / (dppair_fit_smoothness_(&p) * (1.25 * D + 16) * 0x1p-53);
  assert_true(fabs(value - 1) < 1e-12); /* slopes are bounded: sums are in the floor alone */
  value = fit.error.floor / (N * p.radius * p.loss.steepest * 128 * 0x1p-53);
  assert_true(fabs(value - 1) < 1e-12);
  dppair_fit_factors_(&fit, y);
  for (round = 0; round < 20; round++) {
    for (k = 0; k < D; k++) w[k] = pow(10, between(-2, 3)) * between(-1, 1);
    size = dppair_norm_f64(w, D);
    assert_int_equal(dppair_fit_evaluate_(&value, &fit, w), DPPAIR_OK);
    wide_gradient(g, w, x, y, &p, 0);
    for (k = 0; k < D; k++) off[k] = g[k] - (long double)fit.gradient[k];
    assert_true((double)length(off, D) <= fit.error.floor + fit.error.share * size);
  }
  assert_int_equal(dppair_fit_descend_(w, &fit, 0, dppair_fit_steps_(&fit, w)), DPPAIR_OK);
  assert_true(dppair_fit_is_reached_(&fit, w));
  assert_true(left_of(w, x, y, &p, NULL, 0) <=
              fit.reach.floor + fit.reach.share * dppair_norm_f64(w, D));
  p.ridge = 1e-9; /* arithmetic too coarse for the ridge is refused, by public numbers */
  assert_int_equal(dppair_margin_reach(&fit.reach, &p, 0), DPPAIR_ERR_NO_PROOF);
}

/* 4/3 L/ridge steps for each factor of e that is still to go, at least one factor, and a whole one
 * more for what the logarithms round. */
static void plain_steps_are_as_many_as_the_theorem_asks_for(void **state) {
  static const double start[] = {1e-11, 3e-9, 0.7, 1e6}, ratios[] = {7.3, 8.99, 9.01, 1234.5};
  size_t i;
  (void)state;
  for (i = 0; i < 16; i++) { /* 4/3 of 8.99 and of 9.01: on either side of a whole number */
    const double ratio = ratios[i / 4];
    const double gradient[2] = {0.6 * start[i % 4], 0.8 * start[i % 4]};
    const double w[2] = {3.0, -4.0};
    long double left, least;
    dppair_fit_ fit;
    memset(&fit, 0, sizeof fit);
    fit.of.d = 2;
    fit.of.ridge = 0.5;
    fit.smooth = 0.5 * ratio;
    fit.gradient = (double *)gradient;
    fit.error.floor = 1e-9;
    fit.error.share = 1e-12;
    left = (long double)start[i % 4] + 1e-9L + 1e-12L * 5.0L;
    left = logl((long double)ratio) + 2.0L * logl(left / 2e-9L);
    least = 4.0L / 3.0L * (long double)ratio * (left > 1.0L ? left : 1.0L) * (1.0L - 1e-12L) + 1.0L;
    assert_true((long double)dppair_fit_steps_(&fit, w) >= least);
    assert_true((long double)dppair_fit_steps_(&fit, w) <= least * (1.0L + 1e-9L) + 1.0L);
  }
}

/* --- the release ------------------------------------------------------------------------------ */

static dppair_accountant account;
static dppair_release release;

static void open_plan(dppair_mechanism_kind law, double z, double ridge, double trace, size_t n,
                      size_t steps) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = z;
  plan.steps = steps;
  plan.noise = law;
  plan.ridge = ridge;
  plan.output_mu = trace;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
  memset(&seen, 0, sizeof seen);
}

/* log det of sum psi'' u u^T + ridge I at w, for two columns. */
static long double log_determinant(const double *w, const double *x, const double *y,
                                   const dppair_margin_problem *p) {
  long double h[3] = {(long double)p->ridge, 0, (long double)p->ridge}, u[2], out[2];
  for (size_t i = 0; i < p->n; i++) {
    wide_row(u, x + 2 * i, y[i], 2, (long double)p->radius);
    wide_at(out, u[0] * (long double)w[0] + u[1] * (long double)w[1], 0);
    h[0] += out[1] * u[0] * u[0];
    h[1] += out[1] * u[0] * u[1];
    h[2] += out[1] * u[1] * u[1];
  }
  return logl(h[0] * h[2] - h[1] * h[1]);
}

/* What a released w says of b on each of two neighbours, as the theorem counts it; and with that b
 * in place the neighbour has the same w, but for what the output's noise hides. */
static void the_b_that_gives_a_minimiser_moves_by_two_slopes_on_every_neighbour(void **state) {
  enum { N = 3, D = 2, KINDS = 9 };
  static const double kind[KINDS][D] = {{1, 0},  {0, 1},     {0.6, 0.8},  {0, 0},     {0.5, -0.1},
                                        {3, 40}, {1e200, 1}, {NAN, 0.25}, {-0.8, 0.6}};
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  const double radius = 2, z = 0.7;
  size_t a, r, k, at, told = 0;
  double furthest = 0;
  (void)state;
  for (a = 0; a < KINDS * KINDS; a++)
    for (r = 0; r < 2 * KINDS; r++) {
      double x[N * D], y[N] = {1, -1, 1}, x2[N * D], y2[N], w[D], w2[D];
      dppair_margin_problem p = {loss, N, D, radius, 0};
      dppair_margin_tolerance t;
      long double b[D], b2[D], moved[D], left[D];
      const int pure = (int)(a + r) % 2;
      at = r % N;
      memcpy(x, kind[a % KINDS], sizeof kind[0]);
      memcpy(x + D, kind[a / KINDS], sizeof kind[0]);
      memcpy(x + 2 * D, kind[(a + r) % KINDS], sizeof kind[0]);
      memcpy(x2, x, sizeof x);
      memcpy(y2, y, sizeof y);
      memcpy(x2 + at * D, kind[r % KINDS], sizeof kind[0]);
      y2[at] = r < KINDS ? 1 : -1;
      open_plan(pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE, z, 0.3, 1e-2, N, 1);
      assert_int_equal(dppair_release_minimiser(w2, &release, &loss, radius, x, N, D, D, y, NULL,
                                                room, sizeof room),
                       DPPAIR_OK);
      memcpy(w, seen.before[1], sizeof w);
      p.ridge = 0.3 * radius * radius;
      assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
      wide_gradient(b, w, x, y, &p, 0);
      wide_gradient(b2, w, x2, y2, &p, 0);
      for (k = 0; k < D; k++) {
        moved[k] = b2[k] - b[k];
        left[k] = b[k] + (long double)seen.after[0][k];
      }
      if (dppair_norm_f64(w, D) > 15.9) continue; /* on the sphere several b give one output */
      told++;
      assert_true((double)length(left, D) <=
                  (t.floor + t.share * dppair_norm_f64(w, D)) * 1.01 + 1e-11 * p.ridge);
      assert_true((double)length(moved, D) <= 2 * radius * (1 + 1e-11));
      furthest = fmax(furthest, (double)length(moved, D));
      assert_true(fabsl(log_determinant(w, x, y, &p) - log_determinant(w, x2, y2, &p)) <=
                  logl(1 + 1 / 0.3L) + 1e-12L);
      open_plan(release.mechanism, z, 0.3, 1e-2, N, 1);
      seen.put = 1;
      for (k = 0; k < D; k++) seen.after[0][k] = (double)-b2[k];
      assert_int_equal(dppair_release_minimiser(w2, &release, &loss, radius, x2, N, D, D, y2, NULL,
                                                room, sizeof room),
                       DPPAIR_OK);
      for (k = 0; k < D; k++) w2[k] = seen.before[1][k] - w[k];
      assert_true(dppair_norm_f64(w2, D) <= seen.scale[1] * 1e-2);
    }
  assert_true(told > 1400 && furthest > 1.4 * radius);
}

static void noises_are_those_of_plan_loss_and_tolerance(void **state) {
  enum { N = 60, D = 4 };
  static double x[N * D], y[N];
  const double centre[D] = {0.5, 0, -1, 2}, radius = 3, z = 1.5, share = 1e-2;
  int pure, logistic;
  (void)state;
  hostile(x, y, N, D, 9);
  for (pure = 0; pure < 2; pure++)
    for (logistic = 0; logistic < 2; logistic++) {
      const dppair_margin_loss l = logistic ? dppair_margin_logistic() : dppair_margin_soft_hinge();
      dppair_margin_problem p = {l, N, D, radius, 0};
      dppair_margin_tolerance t;
      double w[D], output;
      size_t k;
      open_plan(pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE, z, 2, share, N, 1);
      assert_int_equal(dppair_release_minimiser(w, &release, &l, radius, x, N, D, D, y, centre,
                                                room, sizeof room),
                       DPPAIR_OK);
      assert_true(seen.count == 2);
      assert_string_equal(seen.law[0], pure ? "l2ball" : "gaussian");
      assert_string_equal(seen.law[1], seen.law[0]);
      p.ridge = 2 * l.top * radius * radius;
      assert_true(seen.scale[0] == release.sigma && release.sensitivity >= radius * l.steepest);
      assert_true(release.sigma >= z * radius && release.sigma <= z * radius * (1 + 1e-11));
      for (k = 0; k < D; k++) assert_true(fabs(seen.before[0][k] + p.ridge * centre[k]) < 1e-9);
      assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
      /* the lemma, with b's grid of 2^-40 scales: coordinates, and for the l2 ball the norm, too */
      output = t.floor + z * radius * ldexp(sqrt(D) * (pure ? sqrt(D) : 1), -38);
      output = 2 * (4.0 / 3) * (output + t.share * 32 / radius) / p.ridge / share;
      assert_true(seen.scale[1] >= output * (1 - 1e-11) && seen.scale[1] <= output * (1 + 1e-9));
      assert_memory_equal(seen.after[1], w, sizeof w);
      assert_true(dppair_norm_f64(seen.before[1], D) <= 32 / radius);
      assert_true(dppair_norm_f64(seen.before[1], D) > 0.1);
      assert_true(left_of(seen.before[1], x, y, &p, seen.after[0], logistic) <=
                  t.floor + t.share * 32 / radius);
      assert_true(release.step == 1 && account.count > 0);
    }
}

/* With more records the released weights may only become better: the output's noise stays a small
 * part of what the noise of b leaves in them, or of them. */
static void output_noise_stays_small_for_many_records(void **state) {
  static const size_t sizes[] = {512, 4096, 100000, 1000000};
  const dppair_margin_loss l = dppair_margin_soft_hinge();
  size_t k;
  (void)state;
  for (k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
    const double n = (double)sizes[k / 2], share = 7.0 * fmin(3e-2, fmax(1e-3, 1e-8 * n)) / 16;
    dppair_minimiser_terms_ terms;
    open_plan(k % 2 ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE, 16, 32, share, sizes[k / 2], 1);
    assert_int_equal(dppair_minimiser_terms_find_(&terms, &release, &l, 1, sizes[k / 2], 9),
                     DPPAIR_OK);
    assert_true(terms.output < 3e-4);
    dppair_release_close(&release);
  }
}

/* A minimiser that is longer than the ball is shortened, whatever it is. */
static void long_minimisers_are_shortened_to_the_ball(void **state) {
  const dppair_margin_loss l = dppair_margin_soft_hinge();
  const double x[2] = {1, -1}, centre[1] = {400};
  double w[1];
  (void)state;
  open_plan(DPPAIR_OBJECTIVE, 1, 1, 1e-2, 2, 1);
  assert_int_equal(
      dppair_release_minimiser(w, &release, &l, 1, x, 2, 1, 1, NULL, centre, room, sizeof room),
      DPPAIR_OK);
  assert_true(seen.before[1][0] <= 32 && seen.before[1][0] > 32 * (1 - 1e-12));
}

/* Records that are no numbers count as zeros, rows beyond the radius as the points beside them,
 * what lies between rows not at all; labels by their sign. */
static void records_count_as_what_they_are_read_as(void **state) {
  enum { N = 5, D = 2 };
  const dppair_margin_loss l = dppair_margin_soft_hinge();
  const double given[N * 3] = {3, 4,   NAN,  INFINITY, 1,  7, 1e100,   -1e100,
                               9, 0.1, -0.2, NAN,      -1, 0, HUGE_VAL},
                         labels[N] = {2, 1, -0.0, NAN, 1};
  const double meant[N * D] = {0.6, 0.8, 0, 0, -sqrt(0.5), sqrt(0.5), -0.1, 0.2, -1, 0};
  double w[2][D];
  (void)state;
  open_plan(DPPAIR_OBJECTIVE, 1, 1, 1e-2, N, 1);
  assert_int_equal(dppair_release_minimiser(w[0], &release, &l, 1, given, N, D, 3, labels, NULL,
                                            room, sizeof room),
                   DPPAIR_OK);
  memcpy(w[0], seen.before[1], sizeof w[0]);
  open_plan(DPPAIR_OBJECTIVE, 1, 1, 1e-2, N, 1);
  assert_int_equal(dppair_release_minimiser(w[1], &release, &l, 1, meant, N, D, D, NULL, NULL, room,
                                            sizeof room),
                   DPPAIR_OK);
  assert_true(fabs(w[0][0] - seen.before[1][0]) < 1e-12);
  assert_true(fabs(w[0][1] - seen.before[1][1]) < 1e-12);
}

static void rising_at(double out[3], double t, double parameter) {
  (void)parameter;
  out[0] = out[1] = t, out[2] = 1;
}

/* Every error comes from public arguments, zeroes w and leaves the permit. */
static void errors_are_about_public_arguments_and_use_no_permit(void **state) {
  enum { N = 6, D = 2 };
  const dppair_margin_loss good = dppair_margin_soft_hinge();
  dppair_margin_loss bad;
  double x[N * D] = {NAN, 1}, w[D], far[D] = {1e9, 0}, none[D] = {NAN, 0};
  dppair_margin_problem p = {good, N, D, 1, 1};
  dppair_margin_tolerance t, fine = {1e-30, 1e-30};
  size_t bytes, more;
  (void)state;
#define REFUSED(expected, ...)                                                                     \
  do {                                                                                             \
    w[0] = w[1] = 5;                                                                               \
    assert_int_equal(dppair_release_minimiser(w, __VA_ARGS__), expected);                          \
    assert_true(w[0] == 0 && w[1] == 0 && release.step == 0 && seen.count == 0);                   \
  } while (0)
  open_plan(DPPAIR_OBJECTIVE, 1, 1, 1e-2, N, 1);
  assert_int_equal(dppair_minimiser_workspace(&bytes, N, D), DPPAIR_OK);
  REFUSED(DPPAIR_ERR_NULL, NULL, &good, 1, x, N, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_NULL, &release, NULL, 1, x, N, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_NULL, &release, &good, 1, NULL, N, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_NULL, &release, &good, 1, x, N, D, D, NULL, NULL, NULL, bytes);
  REFUSED(DPPAIR_ERR_WORKSPACE, &release, &good, 1, x, N, D, D, NULL, NULL, room, bytes - 1);
  REFUSED(DPPAIR_ERR_SIZE, &release, &good, 1, x, N - 1, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_SIZE, &release, &good, 1, x, N, D, 1, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_OVERFLOW, &release, &good, 1, x, N, D, SIZE_MAX / 4, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_DOMAIN, &release, &good, 0, x, N, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_DOMAIN, &release, &good, 1e80, x, N, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_NOT_FINITE, &release, &good, NAN, x, N, D, D, NULL, NULL, room, bytes);
  REFUSED(DPPAIR_ERR_NOT_FINITE, &release, &good, 1, x, N, D, D, NULL, none, room, bytes);
  REFUSED(DPPAIR_ERR_DOMAIN, &release, &good, 1, x, N, D, D, NULL, far, room, bytes);
  bad = good, bad.at = NULL;
  REFUSED(DPPAIR_ERR_NULL, &release, &bad, 1, x, N, D, D, NULL, NULL, room, bytes);
  bad = good, bad.at = rising_at, bad.falls = 0;
  REFUSED(DPPAIR_ERR_NO_PROOF, &release, &bad, 1, x, N, D, D, NULL, NULL, room, bytes);
  bad = good, bad.steepest = HUGE_VAL;
  REFUSED(DPPAIR_ERR_NO_PROOF, &release, &bad, 1, x, N, D, D, NULL, NULL, room, bytes);
  bad = good, bad.top = 0;
  REFUSED(DPPAIR_ERR_DOMAIN, &release, &bad, 1, x, N, D, D, NULL, NULL, room, bytes);
  open_plan(DPPAIR_OBJECTIVE, 1, 1e-14, 1e-2, N, 1);
  REFUSED(DPPAIR_ERR_NO_PROOF, &release, &good, 1, x, N, D, D, NULL, NULL, room, bytes);
  {
    dppair_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
    plan.noise_multiplier = 1;
    plan.steps = 1;
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    assert_int_equal(dppair_release_open(&release, &account, &plan, &FIXED), DPPAIR_OK);
    REFUSED(DPPAIR_ERR_LAW, &release, &good, 1, x, N, D, D, NULL, NULL, room, bytes);
  }
  /* such a plan is for minimisers alone, one for each permit */
  open_plan(DPPAIR_OBJECTIVE, 1, 1, 1e-2, N, 1);
  assert_int_equal(dppair_release_vector(w, D, &release, 1), DPPAIR_ERR_LAW);
  assert_int_equal(dppair_release_part(&release, 0.5), DPPAIR_ERR_LAW);
  assert_int_equal(
      dppair_release_minimiser(w, &release, &good, 1, x, N, D, D, NULL, NULL, room, bytes),
      DPPAIR_OK);
  assert_int_equal(
      dppair_release_minimiser(w, &release, &good, 1, x, N, D, D, NULL, NULL, room, bytes),
      DPPAIR_ERR_EXHAUSTED);
  assert_true(w[0] == 0 && w[1] == 0);
  dppair_release_close(&release);
  assert_int_equal(
      dppair_release_minimiser(w, &release, &good, 1, x, N, D, D, NULL, NULL, room, bytes),
      DPPAIR_ERR_CLOSED);
  /* the solver by itself */
  assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
  w[0] = w[1] = 1;
  assert_int_equal(dppair_minimiser_not_private(w, x, D, NULL, &p, NULL, &fine, room, bytes),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(w[0] == 0 && w[1] == 0);
  assert_int_equal(dppair_minimiser_not_private(w, x, D, NULL, &p, none, &t, room, bytes),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_minimiser_not_private(w, x, D, NULL, &p, NULL, NULL, room, bytes),
                   DPPAIR_ERR_NULL);
  p.n = 0;
  assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_ERR_SIZE);
  assert_true(t.floor == 0 && t.share == 0);
  assert_int_equal(dppair_margin_reach(NULL, &p, 0), DPPAIR_ERR_NULL);
  p.n = N;
  for (int end = 0; end < 2; end++) { /* the radii that have an answer end where the manual says */
    p.radius = end ? 1e75 : 1e-75;
    p.ridge = end ? 1e150 : 1;
    assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_OK);
    p.radius = nextafter(p.radius, end ? HUGE_VAL : 0);
    assert_int_equal(dppair_margin_reach(&t, &p, 0), DPPAIR_ERR_DOMAIN);
  }
  assert_int_equal(dppair_minimiser_workspace(&more, SIZE_MAX / 8, D), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_minimiser_workspace(&more, N, (size_t)1 << 32), DPPAIR_ERR_OVERFLOW);
  assert_true(more == 0);
}

static void cholesky_factors_solve_what_they_are_of(void **state) {
  enum { D = 6 };
  double a[D * D], l[D * D], v[D], sum;
  size_t i, j, k;
  (void)state;
  for (i = 0; i < D; i++)
    for (j = 0; j < D; j++) l[i * D + j] = j <= i ? between(0.5, 2) : 0;
  for (i = 0; i < D; i++)
    for (j = 0; j < D; j++)
      for (a[i * D + j] = 0, k = 0; k < D; k++) a[i * D + j] += l[i * D + k] * l[j * D + k];
  for (i = 0; i < D; i++)
    for (v[i] = 0, j = 0; j < D; j++) v[i] += a[i * D + j] * ((double)j - 2.5);
  assert_int_equal(dppair_cholesky_f64(a, D), DPPAIR_OK);
  for (i = 0; i < D; i++)
    for (j = 0; j <= i; j++) assert_true(fabs(a[i * D + j] - l[i * D + j]) < 1e-9);
  dppair_cholesky_solve_f64(v, a, D);
  for (sum = 0, j = 0; j < D; j++) sum += fabs(v[j] - ((double)j - 2.5));
  assert_true(sum < 1e-6);
  a[0] = -1;
  assert_int_equal(dppair_cholesky_f64(a, D), DPPAIR_ERR_NO_CONVERGENCE);
  assert_int_equal(dppair_cholesky_f64(NULL, D), DPPAIR_ERR_NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(shipped_losses_are_what_their_facts_say),
      TEST(the_tolerance_holds_for_the_exact_gradient_on_hostile_records),
      TEST(lengths_of_rows_do_not_slow_the_solver_down),
      TEST(minimisers_are_within_the_certificate_of_another_solvers),
      TEST(computed_gradients_are_within_the_stated_error_and_plain_steps_end),
      TEST(plain_steps_are_as_many_as_the_theorem_asks_for),
      TEST(the_b_that_gives_a_minimiser_moves_by_two_slopes_on_every_neighbour),
      TEST(noises_are_those_of_plan_loss_and_tolerance),
      TEST(output_noise_stays_small_for_many_records),
      TEST(long_minimisers_are_shortened_to_the_ball),
      TEST(records_count_as_what_they_are_read_as),
      TEST(errors_are_about_public_arguments_and_use_no_permit),
      TEST(cholesky_factors_solve_what_they_are_of),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
