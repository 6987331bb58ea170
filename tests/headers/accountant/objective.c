/* SPDX-License-Identifier: MIT */
/* Objective perturbation: the closed form against quadrature of the dominating pair and against the
 * exact densities of released minimisers, also after a release that chooses the rows; all routes
 * against each other; calibration, plans and their two lines. */
#include "dppair_l2ball.h"
#include "dppair_noise.h"
#include "dppair.h"

#include "accountant_common.h"
#include "questions.h"

static double normal_below(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
static double density(double x) { return 0.39894228040143267794 * exp(-0.5 * x * x); }

static double gaussian_curve(double y, double mu) {
  return normal_below(mu / 2 - y / mu) - exp(y) * normal_below(-mu / 2 - y / mu);
}

/* E (1 - e^(y - L))_+ of L = max(0, N(mu^2/2, mu^2)). */
static double curve(double y, double mu) {
  return y >= 0 ? gaussian_curve(y, mu) : 1 - 2 * exp(y) * normal_below(-mu / 2);
}

static double claim(double epsilon, double before, double z, double ridge) {
  double delta;
  assert_ok(dppair_objective_delta_(&delta, epsilon, before, z, ridge));
  return delta;
}

static dppair_step perturbed(double z, double ridge, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_OBJECTIVE;
  s.noise_multiplier = z;
  s.ridge = ridge;
  s.steps = steps;
  s.sampling.adjacency = DPPAIR_REPLACE_ONE;
  return s;
}

static dppair_step plain(double mu) {
  dppair_step s = perturbed(1 / mu, 0, 1);
  s.kind = DPPAIR_GAUSSIAN;
  return s;
}

/* ---- The closed form ------------------------------------------------------------------------- */

/* epsilon, mu before, z, ridge, delta: computed by erfc and exp. */
static const double known[][5] = {
    {18, 0, 0.5, 0.2, 0.012257152625518342},  {12, 0.02, 0.5, 3, 0.12601317516559338},
    {12, 0.3, 0.5, 40, 0.11591173952737686},  {12, 1, 0.5, 1000, 0.14409864031957439},
    {12, 0.1, 0.5, 8, 0.11790426099513063},   {6, 0, 1.5, 0.2, 0.0019608848803686079},
    {4, 0.02, 1.5, 3, 0.0056728360685562394}, {4, 0.3, 1.5, 40, 0.004289739871735203},
    {4, 1, 1.5, 1000, 0.025320182453426876},  {4, 0.1, 1.5, 8, 0.0041146881079704425},
    {1.8, 0, 6, 0.2, 0.12881825881790029},    {1.2, 0.02, 6, 3, 0.00049690855638815821},
    {1.2, 0.3, 6, 40, 0.0010926525485505981}, {1.2, 1, 6, 1000, 0.13117594422690476},
    {1.2, 0.1, 6, 8, 0.00015221705987274601}, {0.45, 0, 25, 0.2, 1},
    {0.3, 0.02, 25, 3, 0.035845815374551067}, {0.3, 0.3, 25, 40, 0.042397486828597487},
    {0.3, 1, 25, 1000, 0.30394739921961},     {0.3, 0.1, 25, 8, 0.0060540814393547854}};
enum { KNOWN = sizeof known / sizeof *known };

/* E A(x - L), L ~ N(mu^2/2, mu^2), x = epsilon - eta: the composition of the two pairs. */
static double composed(double epsilon, double before, double z, double ridge) {
  const double x = epsilon - log1p(1 / ridge), step = 0.01;
  double sum = 0;
  if (before <= 0) return curve(x, 2 / z);
  for (double g = -12; g <= 12; g += step)
    sum += step * density(g) * curve(x - before * before / 2 - before * g, 2 / z);
  return sum;
}

static void the_closed_form_is_above_the_dominating_pair_and_near_it(void **state) {
  (void)state;
  for (size_t i = 0; i < KNOWN; i++) {
    const double *k = known[i], d = claim(k[0], k[1], k[2], k[3]);
    double pair;
    if (k[0] > log1p(1 / k[3])) assert_close(d, k[4], 2e-12);
    pair = composed(k[0], k[1], k[2], k[3]);
    assert_true(d >= pair * (1 - 1e-6));
    assert_true(d <= pair * 1.3); /* 25 percent where x is below mu_before */
  }
  for (int i = 0; i < 9; i++) { /* up to eta, and next to it */
    const double eta = log1p(1 / 3.0), epsilon = i % 3 < 2 ? i % 3 * eta / 2 : eta * (1 - 1e-15);
    const double before = i / 3 * 0.4, pair = composed(epsilon, before, 2, 3);
    assert_true(claim(epsilon, before, 2, 3) >= pair * (1 - 1e-6));
    assert_true(claim(epsilon, before, 2, 3) <= pair * 1.3);
  }
  assert_true(claim(1, 0, 1e6, 10) > 0 && claim(1, 1e-200, 1e-6, 10) >= 1 - 1e-12);
}

/* The step leaves an error of 5e-4 at the kinks. max l_k of two records of lengths r, r' at an
 * angle, b in the plane of both, never beats A. */
static void no_pair_of_records_is_beyond_the_law(void **state) {
  static const double turn[] = {1, 0.9, 0.4, 0, -0.3, -0.8, -1};
  static const double length[][2] = {{1, 1}, {1, 0.6}, {0.5, 0.5}, {1, 0}, {0, 0}};
  static const double ys[] = {-0.7, -0.05, 0, 0.1, 0.6, 1.7};
  const double step = 0.12;
  (void)state;
  for (size_t i = 0; i < sizeof turn / sizeof *turn; i++)
    for (size_t j = 0; j < sizeof length / sizeof *length; j++) {
      const double t = j % 2 ? 0.8 : 1.5, r = length[j][0], c = turn[i];
      const double px = length[j][1] * c, py = length[j][1] * sqrt(1 - c * c);
      double sum[6] = {0};
      for (double a = -7; a <= 7; a += step)
        for (double b = -7; b <= 7; b += step) {
          double top = 0;
          for (int k = 1; k < 4; k++) {
            const double x = t * ((k & 1) * r + (k >> 1) * px), y = t * (k >> 1) * py;
            const double loss = a * x + b * y + (x * x + y * y) / 2;
            if (loss > top) top = loss;
          }
          for (int k = 0; k < 6; k++)
            if (top > ys[k]) sum[k] += step * step * density(a) * density(b) * -expm1(ys[k] - top);
        }
      for (int k = 0; k < 6; k++) assert_true(sum[k] <= curve(ys[k], 2 * t) + 6e-4);
    }
}

/* ---- Released minimisers in one dimension -----------------------------------------------------
 */

/* A slope that falls from 1 to 0, and the curvature, at most 1. */
static double slope(double t) { return (1 - tanh(2 * (t - 0.75))) / 2; }
static double bend(double t) {
  const double h = tanh(2 * (t - 0.75));
  return (1 - h) * (1 + h);
}

/* The density of the minimiser at w of three rows, the last of which is u: that of b(w), times
 * |db/dw|. */
static double minimiser(double w, double u, double z, double ridge) {
  const double row[3] = {0.8, -0.5, u};
  double b = -ridge * w, hessian = ridge;
  for (int i = 0; i < 3; i++) {
    b += slope(w * row[i]) * row[i];
    hessian += bend(w * row[i]) * row[i] * row[i];
  }
  return density(b / z) / z * hessian;
}

/* delta of the minimiser of rows ending in u against that in v, P weighted by `likelier`. */
static double stick(double u, double v, double z, double ridge, double epsilon, double likelier) {
  const double far = (9 * z + 4) / ridge, step = far / 500;
  double sum = 0;
  for (double w = -far; w <= far; w += step) {
    const double over =
        likelier * minimiser(w, u, z, ridge) - exp(epsilon) * minimiser(w, v, z, ridge);
    if (over > 0) sum += step * over;
  }
  return sum;
}

static void released_minimisers_are_within_the_claim(void **state) {
  static const double rows[][2] = {{1, -1}, {-1, 1}, {1, 1}, {1, 0}, {0, -1}, {0.6, -1}, {1, -0.2}};
  static const double at[][2] = {{1, 1}, {0.5, 4}, {3, 0.3}};
  double nearest = 0;
  (void)state;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
      for (int k = 0; k < 4; k++) {
        const double z = at[i][0], ridge = at[i][1],
                     epsilon = log1p(1 / ridge) + 0.01 + k * 0.8 / z;
        const double delta = stick(rows[j][0], rows[j][1], z, ridge, epsilon, 1);
        const double bound = claim(epsilon, 0, z, ridge);
        const int zeroed = rows[j][0] == 0 || rows[j][1] == 0;
        assert_true(delta <= bound * (1 + 1e-6) + 1e-9);
        if (zeroed) /* half the move */
          assert_true(delta <= curve(epsilon - log1p(1 / ridge), 1 / z) + 1e-9);
        if (delta / bound > nearest) nearest = delta / bound;
      }
  assert_true(nearest > 0.2); /* the claim is about something */
}

/* An earlier release y chooses the rows: opposite ones where it speaks for P, and so on. */
static void an_earlier_release_may_choose_the_rows(void **state) {
  const double z = 1.5, ridge = 3, step = 0.1;
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double before = k % 2 ? 1 : 0.3, epsilon = 0.5 + 0.5 * k;
    double sum = 0;
    for (double y = -6; y <= 6; y += step) {
      const double likelier = exp(before * before / 2 + before * y); /* P: N(before, 1) at y */
      const double x = y + before, u = x > 1 ? 1 : x > 0 ? -1 : 0.4, v = x > 0.5 ? -1 : 1;
      sum += step * density(x) * stick(u, v, z, ridge, epsilon, likelier);
    }
    assert_true(sum <= claim(epsilon, before, z, ridge));
    assert_true(sum > 0.01 * claim(epsilon, before, z, ridge));
  }
}

/* ---- Routes and accounts ----------------------------------------------------------------------
 */

static void routes_agree_on_objectives(void **state) {
  size_t bytes;
  void *work;
  (void)state;
  assert_ok(compose_workspace(&bytes, 3));
  work = malloc(bytes);
  assert_non_null(work);
  for (size_t i = 2; i < KNOWN; i += 6) {
    const double *k = known[i];
    dppair_step s[3] = {perturbed(k[2], k[3], 1), perturbed(k[2] * 20, 50, 7),
                        plain(k[1] > 0 ? k[1] : 1)};
    dppair_interval lattice, best, other;
    dppair_status status;
    const size_t count = k[1] > 0 ? 2 : 1;
    double pair = composed(k[0], k[1], k[2], k[3]);
    if (k[1] > 0) s[1] = s[2];
    assert_ok(compose_delta(&lattice, s, count, k[0], DPPAIR_ROUTE_LATTICE, work, bytes));
    assert_ok(compose_delta(&best, s, count, k[0], DPPAIR_ROUTE_BEST, work, bytes));
    assert_close(lattice.upper, pair, 1e-4);
    assert_true(best.upper <= k[4] * (1 + 1e-12) && best.lower <= 0);
    assert_true(best.upper >= pair * (1 - 1e-6));
    status = compose_delta(&best, s, count, 0, DPPAIR_ROUTE_BEST, work, bytes);
    pair = composed(0, k[1], k[2], k[3]);
    if (status != DPPAIR_ERR_NO_CONVERGENCE)
      assert_true(best.upper >= pair * (1 - 1e-6) && best.upper <= pair * 1.25);
    assert_true(status == DPPAIR_OK || pair > 0.95);
    /* several objectives and plain noise: contour against lattice, below the Renyi orders */
    s[1] = perturbed(k[2] * 20, 50, 7);
    assert_ok(compose(&lattice, s, 3, 1e-5, DPPAIR_ROUTE_LATTICE, work, bytes));
    assert_ok(compose(&other, s, 3, 1e-5, DPPAIR_ROUTE_RENYI, work, bytes));
    assert_true(lattice.upper <= other.upper && lattice.upper >= 0.8 * other.upper);
    status = compose(&other, s, 3, 1e-5, DPPAIR_ROUTE_CONTOUR, work, bytes);
    if (status != DPPAIR_ERR_NO_CONVERGENCE) assert_close(other.upper, lattice.upper, 1e-5);
  }
  free(work);
}

/* The moments against sums over the law. */
static void renyi_orders_are_moments_of_the_law(void **state) {
  static const double orders[] = {1.001, 1.5, 3, 9.5, 40};
  (void)state;
  for (int i = 0; i < 10; i++) {
    const double z = i % 2 ? 0.9 : 40, mu = 2 / z, order = orders[i / 2], step = 0.002;
    const dppair_step s = perturbed(z, 1e6, 1);
    double rdp, unpaid, sum = 0;
    for (double g = -12; g <= 12 + order * mu; g += step) {
      const double l = mu * mu / 2 + mu * g;
      sum += step * 0.39894228040143267794 *
             (exp((l > 0 ? (order - 1) * l : 0) - g * g / 2) - exp(-g * g / 2));
    }
    assert_ok(dppair_renyi(&rdp, &unpaid, &s, order, 0));
    assert_close(rdp - log1p(1e-6), log1p(sum) / (order - 1), 1e-6);
  }
}

static double answer(const dppair_accountant *a, double delta) {
  double epsilon;
  assert_ok(answer_epsilon(&epsilon, a, delta));
  return epsilon;
}

static void accounts_hold_objectives(void **state) {
  dppair_accountant a, b;
  dppair_step s = perturbed(8, 20, 1);
  double delta, epsilon;
  (void)state;
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_gaussian(&a, 0.3, 1, 1));
  assert_ok(dppair_accountant_step(&a, &s));
  epsilon = answer(&a, 1e-6);
  assert_close(claim(epsilon, 0.3, 8, 20), 1e-6, 1e-9);
  assert_ok(answer_delta(&delta, &a, epsilon));
  assert_true(delta <= 1e-6);
  assert_ok(dppair_accountant_failure(&a, 5e-7)); /* comes off delta */
  assert_close(claim(answer(&a, 1e-6), 0.3, 8, 20), 5e-7, 1e-9);
  /* two runs are two, also when merged; another ridge is another step */
  assert_ok(dppair_accountant_init(&b));
  assert_ok(dppair_accountant_step(&b, &s));
  assert_ok(dppair_accountant_merge(&b, &a));
  assert_true(b.count == 1 && b.step[0].steps == 2 && answer(&b, 1e-6) > 1.2 * epsilon);
  s.ridge = 21;
  assert_ok(dppair_accountant_step(&b, &s));
  assert_true(b.count == 2);
  /* negligible pure steps beside an objective do not make it vanish */
  {
    dppair_interval in;
    size_t bytes;
    void *work;
    assert_ok(dppair_composer_workspace(&bytes, NULL));
    work = malloc(bytes);
    assert_non_null(work);
    assert_ok(dppair_accountant_init(&b));
    s.ridge = 20;
    assert_ok(dppair_accountant_step(&b, &s));
    assert_ok(dppair_accountant_gaussian(&b, 0.01, 1, 1));
    assert_ok(dppair_accountant_pure(&b, 1e-10, 1));
    assert_ok(certify(&in, &b, 1e-6, work, bytes));
    assert_true(in.upper > 0.9 && in.lower <= 0);
    free(work);
  }
  /* nothing is proved of users and queries, whoever states them */
  s.sampling.adjacency = DPPAIR_REPLACE_USER;
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_ADJACENCY);
  s.sampling.adjacency = (dppair_adjacency)0;
  assert_ok(dppair_accountant_init(&b));
  assert_ok(dppair_accountant_neighbours(&b, DPPAIR_REPLACE_QUERY));
  assert_int_equal(dppair_accountant_step(&b, &s), DPPAIR_ERR_ADJACENCY);
  /* a zeroed record moves it half as far; records that nobody named are replaced */
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_step(&a, &s));
  assert_ok(dppair_accountant_init(&b));
  s = perturbed(4, 20, 1);
  s.sampling.adjacency = DPPAIR_ZERO_OUT;
  assert_ok(dppair_accountant_step(&b, &s));
  assert_true(answer(&a, 1e-6) == answer(&b, 1e-6));
}

/* ---- Noise, plans ------------------------------------------------------------------------------
 */

static void the_noise_is_the_smallest_that_an_account_accepts(void **state) {
  static const double at[][4] = {{1, 1e-5, 0.1, 0.8}, {0.1, 1e-6, 0.02, 3}, {4, 0.05, 1, 0.1},
                                 {0.5, 1e-3, 0, 50},  {8, 1e-9, 0.5, 1e-3}, {2, 0, 0, 0.7}};
  (void)state;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    for (int less = 0; less < 2; less++) {
      dppair_accountant a;
      dppair_step s;
      double z;
      assert_ok(dppair_objective_noise(&z, at[i][0], at[i][1], at[i][2], at[i][3]));
      if (less) z *= 1 - 1e-9;
      s = perturbed(z, at[i][3] * z, 1);
      if (at[i][1] <= 0) s.kind = DPPAIR_PURE_OBJECTIVE;
      assert_ok(dppair_accountant_init(&a));
      if (at[i][2] > 0) assert_ok(dppair_accountant_gaussian(&a, at[i][2], 1, 1));
      assert_ok(dppair_accountant_step(&a, &s));
      assert_true(less ? answer(&a, at[i][1]) > at[i][0] : answer(&a, at[i][1]) <= at[i][0]);
    }
  {
    double z = 1;
    assert_int_equal(dppair_objective_noise(&z, 1, 1e-5, 5, 1), DPPAIR_ERR_EXHAUSTED);
    assert_true(z == 0);
    assert_int_equal(dppair_objective_noise(&z, 1, 0, 0.1, 1), DPPAIR_ERR_DOMAIN);
    assert_int_equal(dppair_objective_noise(&z, 1, 1e-5, 0.1, 0), DPPAIR_ERR_DOMAIN);
    assert_int_equal(dppair_objective_noise(&z, TEST_NAN, 1e-5, 0.1, 1), DPPAIR_ERR_NOT_FINITE);
    assert_int_equal(dppair_objective_noise(&z, 0, 1e-5, 0.1, 1), DPPAIR_ERR_EPSILON);
    assert_int_equal(dppair_objective_noise(&z, 1, 1, 0.1, 1), DPPAIR_ERR_DELTA);
    assert_int_equal(dppair_objective_delta_(&z, -1, 0.1, 1, 1), DPPAIR_ERR_EPSILON);
    assert_int_equal(dppair_objective_delta_(&z, 1, -0.1, 1, 1), DPPAIR_ERR_DOMAIN);
    assert_int_equal(dppair_objective_delta_(&z, 1, 0.1, 0, 1), DPPAIR_ERR_SIGMA);
    assert_int_equal(dppair_objective_delta_(&z, 1, 0.1, 1, 0), DPPAIR_ERR_DOMAIN);
    assert_int_equal(dppair_objective_delta_(NULL, 1, 0.1, 1, 1), DPPAIR_ERR_NULL);
    assert_int_equal(dppair_objective_noise(NULL, 1, 1e-5, 0.1, 1), DPPAIR_ERR_NULL);
  }
}

typedef struct lines {
  char text[2048];
  size_t length, count;
} lines;

static dppair_status keep(const char *line, size_t length, void *context) {
  lines *l = (lines *)context;
  memcpy(l->text + l->length, line, length);
  l->length += length;
  l->text[l->length++] = '\n';
  l->count++;
  return DPPAIR_OK;
}

static dppair_plan plan_of(dppair_mechanism_kind law, double epsilon, double delta) {
  dppair_plan p;
  memset(&p, 0, sizeof p);
  p.noise = law;
  p.epsilon = epsilon;
  p.delta = delta;
  p.steps = 1;
  p.ridge = 60;
  p.output_mu = 0.01;
  p.sampling = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  return p;
}

static void plans_pay_for_their_output_noise_too(void **state) {
  (void)state;
  for (int pure = 0; pure < 2; pure++) {
    dppair_plan p = plan_of(pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE, 1, pure ? 0 : 1e-5);
    dppair_accountant a, again;
    dppair_release r;
    dppair_plan calibrated = p, other;
    lines l;
    double v[1] = {0}, rest;
    size_t bad;
    memset(&l, 0, sizeof l);
    p.ledger = dppair_ledger_to(keep, &l);
    assert_ok(dppair_accountant_init(&a));
    assert_ok(calibrate(&calibrated, &a, NULL, 0));
    assert_ok(dppair_release_open(&r, &a, &p, NULL));
    assert_close(r.noise_multiplier, calibrated.noise_multiplier, 1e-8);
    assert_true(r.ridge == 60 && r.output_mu == 0.01 && l.count == 2);
    assert_true(answer(&a, p.delta) <= 1);
    assert_true(answer(&a, p.delta) > 1 - 1e-9);
    if (pure)
      assert_close(a.pure, 0.01 + 2 / r.noise_multiplier + log1p(1 / 60.0), 1e-12);
    else
      assert_close(claim(1, 0.01, r.noise_multiplier, 60), 1e-5, 1e-9);
    /* the ledger gives the account again */
    assert_ok(dppair_accountant_init(&again));
    assert_ok(dppair_ledger_replay(&again, &bad, l.text, l.length));
    assert_true(again.check == a.check && answer(&again, p.delta) == answer(&a, p.delta));
    assert_non_null(
        strstr(l.text, pure ? "\"mechanism\":\"l2-ball\"" : "\"mechanism\":\"gaussian\""));
    assert_non_null(strstr(l.text, "\"ridge\":60"));
    /* no release adds its noise to an output */
    v[0] = 0.5;
    assert_int_equal(dppair_release_vector(v, 1, &r, 1), DPPAIR_ERR_LAW);
    assert_true(v[0] == 0 && r.step == 0);
    assert_int_equal(dppair_release_histogram(v, 1, &r, 1), DPPAIR_ERR_LAW);
    assert_int_equal(dppair_release_part(&r, 0.5), DPPAIR_ERR_LAW);
    dppair_release_close(&r);
    /* what was calibrated opens too, unless its output noise is another one */
    assert_ok(dppair_accountant_init(&a));
    assert_ok(dppair_release_open(&r, &a, &calibrated, NULL));
    assert_true(answer(&a, p.delta) <= 1);
    assert_ok(dppair_accountant_init(&a));
    calibrated.output_mu *= 2;
    assert_int_equal(dppair_release_open(&r, &a, &calibrated, NULL), DPPAIR_ERR_PLAN_CHANGED);
    /* beside what an account holds; nothing is left of it then */
    assert_ok(dppair_accountant_init(&a));
    assert_ok(dppair_accountant_neighbours(&a, DPPAIR_REPLACE_ONE));
    if (pure)
      assert_ok(dppair_accountant_laplace(&a, 0.25, 1, 1));
    else
      assert_ok(dppair_accountant_gaussian(&a, 0.1, 1, 1));
    other = p;
    memset(&other.ledger, 0, sizeof other.ledger);
    assert_ok(dppair_release_open(&r, &a, &other, NULL));
    rest = answer(&a, p.delta);
    assert_true(rest <= 1 && rest > 1 - 1e-9);
    assert_true(r.noise_multiplier > calibrated.noise_multiplier * 1.001);
    assert_int_equal(dppair_release_open(&r, &a, &other, NULL),
                     pure ? DPPAIR_ERR_EXHAUSTED : DPPAIR_ERR_NOT_CALIBRATED);
  }
}

static void plans_of_objectives_say_all_of_it(void **state) {
  const dppair_plan whole = plan_of(DPPAIR_OBJECTIVE, 1, 1e-5);
  (void)state;
  for (int i = 0; i < 9; i++) {
    static const dppair_status expected[] = {
        DPPAIR_ERR_DOMAIN,   DPPAIR_ERR_DOMAIN,    DPPAIR_ERR_NOT_FINITE,
        DPPAIR_ERR_UNREAD,   DPPAIR_ERR_UNREAD,    DPPAIR_ERR_ADJACENCY,
        DPPAIR_ERR_LAW,      DPPAIR_ERR_EXHAUSTED, DPPAIR_ERR_DELTA};
    dppair_plan p = whole;
    dppair_accountant a;
    dppair_release r;
    if (i == 0) p.output_mu = 0;
    if (i == 1) p.ridge = 0;
    if (i == 2) p.output_mu = TEST_NAN;
    if (i == 3) p.noise = DPPAIR_GAUSSIAN, p.ridge = 0;
    if (i == 4) p.noise = DPPAIR_GAUSSIAN, p.output_mu = 0;
    if (i == 5) p.sampling.adjacency = DPPAIR_REPLACE_USER;
    if (i == 6) p.sampling = dppair_sampling_poisson(100, 10, DPPAIR_REPLACE_ONE);
    if (i == 7) p.ridge = 0.5; /* log 3 > 1 */
    if (i == 8) p.delta = 0;
    assert_ok(dppair_accountant_init(&a));
    assert_int_equal(dppair_release_open(&r, &a, &p, NULL), expected[i]);
    assert_true(a.sequence == 0 && r.home == NULL);
  }
}

/* What is left, charged in two parts, ends within the budget and near it; beside other steps there
 * is no answer. */
static void what_an_account_leaves_can_be_charged(void **state) {
  static const double spent[] = {0, 0.1, 0.7, 0.999};
  const dppair_sampling all = dppair_sampling_all(100, DPPAIR_REPLACE_ONE);
  double left, held, epsilon;
  dppair_accountant a;
  (void)state;
  for (int pure = 0; pure < 2; pure++)
    for (size_t i = 0; i < 4; i++) {
      const double delta = pure ? 0 : 1e-6;
      dppair_step s;
      memset(&s, 0, sizeof s);
      s.kind = pure ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
      s.sampling.adjacency = DPPAIR_REPLACE_ONE;
      assert_ok(dppair_accountant_init(&a));
      assert_ok(dppair_accountant_left(&left, &held, &a, 1, delta, all));
      s.steps = 1;
      s.noise_multiplier = 1 / (left * spent[i]);
      if (i > 0) assert_ok(dppair_accountant_step(&a, &s));
      assert_ok(dppair_accountant_left(&left, &held, &a, 1, delta, all));
      assert_true(fabs(held * s.noise_multiplier - (i > 0 && !pure)) < 1e-9 || i == 0);
      s.noise_multiplier = pure ? 2 / left : sqrt(2) / left;
      s.steps = 2;
      assert_ok(dppair_accountant_step(&a, &s));
      assert_ok(answer_epsilon(&epsilon, &a, delta));
      assert_true(epsilon <= 1 && epsilon > 1 - 1e-8);
      assert_int_equal(dppair_accountant_left(&left, &held, &a, 1, delta, all),
                       DPPAIR_ERR_EXHAUSTED);
      assert_true(left == 0 && held == 0);
      assert_int_equal(dppair_accountant_left(&left, &held, &a, 2, pure ? 1e-6 : 0, all),
                       DPPAIR_ERR_NO_PROOF);
    }
  assert_ok(dppair_accountant_init(&a));
  assert_int_equal(dppair_accountant_left(NULL, &held, &a, 1, 0, all), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_accountant_left(&left, &held, NULL, 1, 0, all), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_accountant_left(&left, &held, &a, 0, 0, all), DPPAIR_ERR_EPSILON);
  assert_int_equal(dppair_accountant_left(&left, &held, &a, 1, 1, all), DPPAIR_ERR_DELTA);
  assert_int_equal(dppair_accountant_left(&left, &held, &a, 1, -1, all), DPPAIR_ERR_DELTA);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_closed_form_is_above_the_dominating_pair_and_near_it),
      TEST(no_pair_of_records_is_beyond_the_law),
      TEST(released_minimisers_are_within_the_claim),
      TEST(an_earlier_release_may_choose_the_rows),
      TEST(routes_agree_on_objectives),
      TEST(renyi_orders_are_moments_of_the_law),
      TEST(accounts_hold_objectives),
      TEST(the_noise_is_the_smallest_that_an_account_accepts),
      TEST(plans_pay_for_their_output_noise_too),
      TEST(plans_of_objectives_say_all_of_it),
      TEST(what_an_account_leaves_can_be_charged),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
