/* SPDX-License-Identifier: MIT */
/* The tables of mechanisms and samplings: known answers for every row, and the fields that a row
 * reads, each of which must be given, and no other. */
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "accountant_common.h"
#include "questions.h"

/* One mechanism, what one run of it is, and known answers: the Renyi divergence of an order, and
 * delta at epsilon = 0, the total variation between neighbours. */
typedef struct known {
  dppair_mechanism_kind kind;
  dppair_sampling_kind sampling;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
  double pair_rate, z;
  int attained;
  double mu, rho, pure; /* the charge */
  double order, rdp;    /* order 0: renyi.c has integrals for this curve */
  double delta;         /* -1: no dominating pair is known */
} known;

#define EITHER ((dppair_adjacency)0)
#define ALWAYS DPPAIR_ATTAINED_ALWAYS_
#define ONCE DPPAIR_ATTAINED_ONCE_
#define NEVER DPPAIR_ATTAINED_NEVER_

/* By hand, with 60 digits: 2 Phi(mu/2) - 1 for shifts mu; 1 - e^(-1/(2z)); tanh(epsilon/2); the
 * closed sums of integer orders. */
static const known rows[] = {
    {DPPAIR_GAUSSIAN, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 2, ALWAYS, 0.5, 0, 0, 8, 1,
     0.19741265136584743},
    {DPPAIR_LAPLACE, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 2, ALWAYS, 0, 0, 0.5, 3, 0.27122643230725676,
     0.22119921692859513},
    {DPPAIR_PURE, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 1, ALWAYS, 0, 0, 1, 3, 0.84672683048544762,
     0.46211715726000974},
    {DPPAIR_ZCDP, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 0.125, ALWAYS, 0, 0.125, 0, 3, 0.375, -1},
    {DPPAIR_RANDOMISED_RESPONSE, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 1, ALWAYS, 0, 0, 1, 3,
     0.84672683048544762, 0.46211715726000974},
    {DPPAIR_L2BALL, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 2, NEVER, 0, 0, 0.5, 3, 0.30240637505622147,
     0.24491866240370913},
    /* one hit with probability 1/4 */
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.25, 0, 0, 0, 2, ALWAYS, 0, 0, 0, 8,
     0.10770969505360201, 0.04935316284146186},
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0.25, 0, 0, 0, 2, ALWAYS, 0, 0, 0,
     0, 0, 0.09573123063700655},
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 40, 10, 0, 2, ONCE,
     0, 0, 0, 0, 0, 0.04935316284146186},
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, 0.25, 40, 10, 0, 2, ONCE, 0, 0,
     0, 0, 0, 0.04935316284146186},
    /* Bin(2, 1/4) hits */
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 4, 2, 0, 2, NEVER, 0,
     0, 0, 0, 0, 0.09796255192144443},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0, 3, 0, 0.25, 2, ALWAYS, 0, 0, 0, 2,
     0.074236891580155777, 0.09743854520171194},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0, 3, 0, 0.25, 2, ALWAYS, 0, 0, 0, 0,
     0, 0.18626493921407766},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_WITH_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 8, 2, 0, 2, NEVER, 0, 0,
     0, 0, 0, 0.18626493921407766},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_WITH_REPLACEMENT, DPPAIR_ZERO_OUT, 0, 8, 2, 0, 2, NEVER, 0, 0, 0,
     0, 0, 0.18626493921407766},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, 0, 40, 10, 0, 2, ONCE, 0, 0, 0, 0,
     0, 0.09573123063700655},
    /* everyone is drawn: a plain Gaussian step */
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_POISSON, DPPAIR_ZERO_OUT, 1, 0, 0, 0, 2, ALWAYS, 0.5, 0, 0, 8,
     1, 0.19741265136584743},
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 1, 0, 0, 0, 2, ALWAYS, 1, 0, 0, 8,
     4, 0.3829249225480262},
    {DPPAIR_SAMPLED_GAUSSIAN, DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_REPLACE_ONE, 0, 40, 40, 0, 2,
     ALWAYS, 0.5, 0, 0, 8, 1, 0.19741265136584743},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0, 3, 0, 1, 2, ALWAYS, 1, 0, 0, 8, 4,
     0.3829249225480262},
    {DPPAIR_SAMPLED_PAIRS, DPPAIR_MATCHING, DPPAIR_REPLACE_ONE, 0, 40, 40, 0, 2, ALWAYS, 1, 0, 0, 8,
     4, 0.3829249225480262},
    {DPPAIR_SKELLAM, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 2, NEVER, 0, 0, 0, 8, 1, -1},
    {DPPAIR_SAMPLED_SKELLAM, DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.25, 0, 0, 0, 2, NEVER, 0, 0, 0, 8,
     0.10770969505360201, -1},
    /* at ridge 3, which adds ln(4/3) to every loss: 1 - 2 (3/4) Phi(-mu/2) */
    {DPPAIR_OBJECTIVE, DPPAIR_ALL, DPPAIR_REPLACE_ONE, 0, 0, 0, 0, 2, NEVER, 0, 0, 0, 3,
     1.7922370188729335, 0.5371936919110195},
    {DPPAIR_OBJECTIVE, DPPAIR_ALL, EITHER, 0, 0, 0, 0, 2, NEVER, 0, 0, 0, 8, 4.2876820724518065,
     0.5371936919110195},
    {DPPAIR_OBJECTIVE, DPPAIR_ALL, DPPAIR_ZERO_OUT, 0, 0, 0, 0, 2, NEVER, 0, 0, 0, 3,
     0.7029685571696205, 0.39805948852438564},
    {DPPAIR_PURE_OBJECTIVE, DPPAIR_ALL, DPPAIR_REPLACE_ONE, 0, 0, 0, 0, 2, NEVER, 0, 0,
     1.2876820724517808, 3, 1.1666512466626904, 0.5675091949876376},
    {DPPAIR_PURE_OBJECTIVE, DPPAIR_ALL, DPPAIR_ZERO_OUT, 0, 0, 0, 0, 2, NEVER, 0, 0,
     0.7876820724517809, 3, 0.6098601089445338, 0.37466682005859453}};
#define ROWS (sizeof rows / sizeof *rows)

static dppair_step step_of(const known *k) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = k->kind;
  s.sampling = test_sampling(k->sampling, k->adjacency, k->q, k->n, k->m);
  s.pair_rate = k->pair_rate;
  s.noise_multiplier = k->z;
  s.steps = 1;
  if (dppair_mechanism_is_objective_(k->kind)) s.ridge = 3;
  return s;
}

static void every_mechanism_has_known_answers(void **state) {
  unsigned seen = 0;
  size_t bytes, i;
  void *work;
  (void)state;
  assert_ok(compose_workspace(&bytes, 1));
  work = malloc(bytes);
  assert_non_null(work);
  for (i = 0; i < ROWS; i++) {
    const known *k = &rows[i];
    const dppair_step s = step_of(k);
    dppair_interval found;
    dppair_charge_ charge;
    double rdp, unpaid;
    assert_ok(dppair_step_check_(&s));
    charge = dppair_step_charge_(&s);
    assert_int_equal(charge.attained, k->attained);
    assert_at_most(k->mu, charge.mu);
    assert_close(charge.mu, k->mu, 1e-15);
    assert_at_most(k->pure, charge.pure);
    assert_close(charge.pure, k->pure, 1e-15);
    assert_true(charge.rho == k->rho);
    assert_ok(dppair_renyi(&rdp, &unpaid, &s, k->order > 0 ? k->order : 3, 0));
    if (k->order > 0) {
      assert_at_most(k->rdp, rdp);
      assert_close(rdp, k->rdp, 1e-11);
    }
    if (k->delta >= 0) {
      assert_ok(compose_delta(&found, &s, 1, 0, DPPAIR_ROUTE_BEST, work, bytes));
      assert_at_most(k->delta, found.upper * (1 + 1e-15));
      assert_close(found.upper, k->delta, 1e-8);
      assert_true(k->attained == NEVER ? found.lower == 0.0 : found.lower > k->delta * (1 - 1e-8));
    } else {
      dppair_law_ law;
      assert_int_equal(dppair_law_of_(&law, &s, 1e-20), DPPAIR_ERR_NO_PROOF);
    }
    seen |= 1u << (int)k->kind;
  }
  free(work);
  assert_int_equal(seen, (1u << DPPAIR_MECHANISM_COUNT_) - 2); /* no kind is forgotten */
}

/* Twice the value of a field, or 1 where it is 0. */
static void disturb(dppair_step *s, int field) {
  if (field == DPPAIR_FIELD_SAMPLING_)
    s->sampling.kind = s->sampling.kind == DPPAIR_ALL ? DPPAIR_POISSON : DPPAIR_ALL;
  if (field == DPPAIR_FIELD_Q_) s->sampling.q = 0.125;
  if (field == DPPAIR_FIELD_N_) s->sampling.n = 5;
  if (field == DPPAIR_FIELD_M_) s->sampling.m = 2;
  if (field == DPPAIR_FIELD_PAIR_RATE_) s->pair_rate = 0.125;
  if (field == DPPAIR_FIELD_BATCHES_) s->sampling.batches = 3;
  if (field == DPPAIR_FIELD_GROUP_) s->sampling.group = 5;
  if (field == DPPAIR_FIELD_OWNED_) s->sampling.owned = 4;
  if (field == DPPAIR_FIELD_RIDGE_) s->ridge = 0.5;
}

static dppair_step allocated(size_t batches, size_t group, size_t steps, double z,
                             dppair_adjacency adjacency) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling = dppair_sampling_allocation(1000, batches, group, adjacency);
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

/* Two batches: the larger direction's delta by 25 digits of one integral over the other batch. */
static const struct {
  double z, epsilon, delta;
} two_batches[] = {{1, 0, 0.297762225193561961},    {1, 1, 0.0592065010858926533},
                   {2, 0.5, 0.0183265947609351302}, {2, 1, 0.000646128371984074127},
                   {2, 2, 2.88118627477806957e-8},  {0.7, 2, 0.0572766081341363457}};

/* What an account says of allocated records, and what else it holds does not matter: epochs are
 * charged whole, by each charge. */
static void allocated_records_are_charged_by_whole_epochs(void **state) {
  const dppair_adjacency zero = DPPAIR_ZERO_OUT, replace = DPPAIR_REPLACE_ONE;
  dppair_accountant a, b, c;
  dppair_interval one, other;
  dppair_step s;
  double rdp, unpaid;
  size_t bytes, i;
  void *work;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  work = malloc(bytes);
  assert_non_null(work);
  for (i = 0; i < sizeof two_batches / sizeof *two_batches; i++) {
    s = allocated(2, 1, 2, two_batches[i].z, i % 2 ? zero : DPPAIR_ZERO_QUERY);
    assert_ok(dppair_accountant_init(&a));
    assert_ok(dppair_accountant_step(&a, &s));
    assert_ok(certify_delta(&one, &a, two_batches[i].epsilon, work, bytes));
    assert_at_most(one.lower, two_batches[i].delta);
    assert_at_most(two_batches[i].delta, one.upper);
    assert_close(one.lower, one.upper, 1e-11);
  }
  /* three steps of four begin an epoch, five end it and begin another: three in all, which nobody
   * is known to attain; and so do nine steps at once */
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_init(&b));
  assert_ok(dppair_accountant_init(&c));
  s = allocated(4, 1, 3, 1.5, zero);
  assert_ok(dppair_accountant_step(&a, &s));
  s.steps = 5;
  assert_ok(dppair_accountant_step(&a, &s));
  s.steps = 9;
  assert_ok(dppair_accountant_step(&b, &s));
  s.steps = 12;
  assert_ok(dppair_accountant_step(&c, &s));
  assert_true(a.step[0].steps == 12 && b.step[0].steps == 12 && a.unattained && !c.unattained);
  assert_ok(certify(&one, &a, 1e-5, work, bytes));
  assert_ok(certify(&other, &c, 1e-5, work, bytes));
  assert_true(one.upper == other.upper && one.lower == 0.0 && other.lower > 0.0);
  assert_close(other.lower, other.upper, 1e-10);
  assert_ok(certify(&other, &b, 1e-5, work, bytes));
  assert_true(one.upper == other.upper && other.lower == 0.0);
  assert_ok(dppair_accountant_merge(&b, &c)); /* six epochs */
  assert_true(b.count == 1 && b.step[0].steps == 24);
  /* k of t is k epochs of 1 of floor(t/k) */
  s = allocated(9, 2, 9, 1.5, zero);
  assert_ok(compose(&one, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes));
  s = allocated(4, 1, 8, 1.5, zero);
  assert_ok(compose(&other, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes));
  assert_true(one.upper == other.upper && one.lower == 0.0 && other.lower > 0.0);
  /* all of t is plain noise, and so are two batches of a replaced record */
  assert_ok(dppair_accountant_init(&a));
  s = allocated(5, 5, 10, 10, zero);
  assert_ok(dppair_accountant_step(&a, &s));
  assert_true(a.count == 0 && !a.unattained);
  assert_close(a.gaussian, 0.1, 1e-14);
  assert_ok(dppair_accountant_init(&a));
  s = allocated(2, 1, 10, 10, replace);
  assert_ok(dppair_accountant_step(&a, &s));
  s = allocated(1, 1, 5, 10, replace);
  assert_ok(dppair_accountant_step(&a, &s));
  assert_true(a.count == 0);
  assert_close(a.gaussian, 0.1 + 0.2, 1e-14);
  /* without memory, and for Renyi orders, plain noise that dominates */
  s = allocated(100, 1, 100, 1.25, zero);
  assert_ok(dppair_renyi(&rdp, &unpaid, &s, 3, 0));
  assert_close(rdp, 1.5 / (1.25 * 1.25), 1e-11);
  s.sampling.adjacency = replace;
  assert_ok(dppair_renyi(&rdp, &unpaid, &s, 3, 0));
  assert_close(rdp, 3 / (1.25 * 1.25), 1e-11);
  /* beyond the tables, what dominates still answers: a huge epoch, tiny and huge noise */
  for (i = 0; i < 3; i++) {
    static const double noise[] = {0.05, 3, 1e7};
    const size_t batches = i == 1 ? 1000001 : 10;
    s = allocated(batches, 1, batches, noise[i], zero);
    assert_ok(dppair_accountant_init(&a));
    assert_ok(dppair_accountant_step(&a, &s));
    assert_ok(certify(&one, &a, 1e-5, work, bytes));
    assert_true(dppair_isfinite_f64(one.upper) && one.lower == 0.0);
  }
  /* nothing is free, nothing overflows */
  s = allocated(4, 1, SIZE_MAX, 1, zero);
  assert_ok(dppair_accountant_init(&a));
  assert_int_equal(dppair_accountant_step(&a, &s), DPPAIR_ERR_OVERFLOW);
  s = allocated(4, 1, 4, 1, (dppair_adjacency)0);
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_ADJACENCY);
  s = allocated(4, 0, 4, 1, zero);
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_RATE);
  s = allocated(4, 1, 4, 1, zero);
  s.kind = DPPAIR_SAMPLED_PAIRS; /* a plain sum over an allocated batch */
  assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_NO_PROOF);
  free(work);
}

/* delta of one epoch of two or three batches beside plain noise mu, by the trapezoid rule over the
 * batches and the closed form over the noise. replaced: the true pair. backward: add. */
static double beside(int batches, double z, double mu, double epsilon, int replaced, int backward) {
  const double c = exp(epsilon), half = 0.5 / (z * z), step = 0.2;
  double sum = 0.0, x[3];
  int i[3], k;
  const int last = batches > 2 ? 45 : 0;
  for (i[2] = -last; i[2] <= last; i[2]++)
    for (i[1] = -45; i[1] <= 45; i[1]++)
      for (i[0] = -45; i[0] <= 45; i[0]++) {
        double up = 0.0, down = 0.0, weight = 0.0, d;
        for (k = 0; k < batches; k++) {
          x[k] = step * i[k];
          weight -= 0.5 * x[k] * x[k];
          up += exp(x[k] / z - half) / batches;
          down += exp(-x[k] / z - half) / batches;
        }
        if (!replaced) down = 1.0;
        if (backward) {
          const double t = up;
          up = down;
          down = t;
        }
        d = log(up / (c * down)) / mu;
        sum += exp(weight) * 0.5 *
               (up * erfc(-(d + 0.5 * mu) * 0.70710678118654752440) -
                c * down * erfc(-(d - 0.5 * mu) * 0.70710678118654752440));
      }
  for (k = 0; k < batches; k++) sum *= step * 0.39894228040143267794;
  return sum;
}

/* Where the table of all batches has no answer, that of fewer has, or plain noise. */
static void allocated_records_beyond_a_table_are_bounded_by_fewer_batches(void **state) {
  dppair_interval found, fewer, shallow;
  dppair_step s = allocated(100, 1, 100, 1, DPPAIR_ZERO_OUT);
  double plain;
  size_t bytes;
  void *work;
  (void)state;
  assert_ok(compose_workspace(&bytes, 1));
  work = malloc(bytes);
  assert_non_null(work);
  assert_int_equal(dppair_allocation_epsilon_(&found, 1, 100, 1, 1e-40, DPPAIR_ZERO_OUT, 0,
                                              (double *)work, bytes / sizeof(double)),
                   DPPAIR_ERR_NO_CONVERGENCE);
  assert_ok(compose(&found, &s, 1, 1e-40, DPPAIR_ROUTE_BEST, work, bytes));
  assert_ok(compose(&shallow, &s, 1, 1e-35, DPPAIR_ROUTE_BEST, work, bytes));
  s = allocated(50, 1, 50, 1, DPPAIR_ZERO_OUT);
  assert_ok(compose(&fewer, &s, 1, 1e-40, DPPAIR_ROUTE_BEST, work, bytes));
  assert_true(shallow.lower > 7.0 && shallow.lower < found.upper);
  assert_true(found.lower <= found.upper && found.upper <= fewer.upper);
  s = allocated(8, 1, 80, 0.1, DPPAIR_ZERO_OUT);
  assert_ok(compose(&found, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes));
  assert_ok(dppair_gaussian_epsilon(&plain, 1e-5, sqrt(10.0) / 0.1));
  assert_true(found.upper > 0.9 * plain);
  assert_at_most(found.upper, plain * (1.0 + 1e-12));
  s = allocated(1024, 1, 1024, 0.3, DPPAIR_REPLACE_ONE); /* beyond the comonotone pair */
  assert_ok(compose(&found, &s, 1, 1e-12, DPPAIR_ROUTE_BEST, work, bytes));
  s = allocated(256, 1, 256, 0.3, DPPAIR_REPLACE_ONE);
  assert_ok(compose(&fewer, &s, 1, 1e-12, DPPAIR_ROUTE_BEST, work, bytes));
  assert_ok(dppair_gaussian_epsilon(&plain, 1e-12, sqrt(2.0) / 0.3));
  assert_true(found.lower > 20.0 && found.upper > found.lower && found.upper < 0.7 * plain);
  assert_at_most(found.upper, fewer.upper);
  free(work);
}

/* Composed with other noise on the lattice: a zeroed record within its bounds, which are narrow; a
 * replaced one between the two pairs. */
static void allocated_records_compose_with_other_steps(void **state) {
  static const struct {
    int batches;
    double z, mu, epsilon;
  } row[] = {{2, 1.5, 0.5, 1}, {2, 0.8, 1, 2}, {3, 1.5, 0.7, 0.5}};
  size_t bytes, i;
  void *work;
  dppair_accountant a;
  dppair_interval found, alone;
  dppair_step s;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  work = malloc(bytes);
  assert_non_null(work);
  for (i = 0; i < 3; i++) {
    const double zero[2] = {beside(row[i].batches, row[i].z, row[i].mu, row[i].epsilon, 0, 0),
                            beside(row[i].batches, row[i].z, row[i].mu, row[i].epsilon, 0, 1)};
    const double truth[2] = {beside(row[i].batches, row[i].z, row[i].mu, row[i].epsilon, 1, 0),
                             zero[0] > zero[1] ? zero[0] : zero[1]};
    int k;
    for (k = 0; k < 2; k++) {
      s = allocated((size_t)row[i].batches, 1, (size_t)row[i].batches, row[i].z,
                    k ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE);
      assert_ok(dppair_accountant_init(&a));
      assert_ok(dppair_accountant_step(&a, &s));
      assert_ok(dppair_accountant_gaussian(&a, row[i].mu, 1, 1));
      assert_ok(certify_delta(&found, &a, row[i].epsilon, work, bytes));
      assert_at_most(found.lower * (1 - 1e-12), truth[k]);
      assert_at_most(truth[k] * (1 - 1e-12), found.upper);
      assert_true(found.lower > 0.0);
      if (k) assert_close(found.lower, found.upper, 2e-3);
    }
  }
  /* the lattice says of one allocation what its table says, in either order of the neighbours */
  s = allocated(100, 1, 1000, 1, DPPAIR_ZERO_OUT);
  assert_ok(compose(&alone, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes));
  assert_close(alone.upper, 1.701498435829, 1e-10);
  assert_ok(compose(&found, &s, 1, 1e-5, DPPAIR_ROUTE_LATTICE, work, bytes));
  assert_true(found.lower <= alone.upper && alone.lower <= found.upper);
  assert_close(found.lower, found.upper, 1e-6);
  assert_int_equal(compose(&found, &s, 1, 1e-5, DPPAIR_ROUTE_CONTOUR, work, bytes),
                   DPPAIR_ERR_NO_PROOF);
  s.sampling.adjacency = DPPAIR_REPLACE_ONE;
  assert_ok(compose(&alone, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes));
  assert_ok(compose(&found, &s, 1, 1e-5, DPPAIR_ROUTE_LATTICE, work, bytes));
  assert_close(found.lower, alone.lower, 1e-5);
  assert_close(found.upper, alone.upper, 1e-4);
  /* with less memory than an allocation needs, none */
  assert_int_equal(compose(&found, &s, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes / 2),
                   DPPAIR_ERR_WORKSPACE);
  free(work);
}

/* Orders of allocated records from the table: at 2 and 3 the closed sums of the moments of a mean,
 * and never more than plain noise. */
static void a_filter_may_charge_orders_of_allocated_records(void **state) {
  size_t bytes, k;
  void *work;
  dppair_step s;
  double rdp, unpaid, plain;
  (void)state;
  assert_ok(compose_workspace(&bytes, 1));
  work = malloc(bytes);
  assert_non_null(work);
  for (k = 0; k < 3; k++) {
    const size_t batches = k == 0 ? 2 : (k == 1 ? 10 : 1000);
    const double z = k == 1 ? 0.8 : 1.3, t = (double)batches, e = exp(1 / (z * z));
    const double second = 1 + (e - 1) / t;
    const double third =
        (t * e * e * e + 3 * t * (t - 1) * e + t * (t - 1) * (t - 2)) / (t * t * t);
    s = allocated(batches, 1, batches, z, DPPAIR_ZERO_OUT);
    assert_ok(dppair_renyi_allocation(&rdp, &s, 2, work, bytes));
    assert_at_most(log(second), rdp * (1 + 1e-15));
    assert_close(rdp, log(second), 1e-6);
    assert_ok(dppair_renyi_allocation(&rdp, &s, 3, work, bytes));
    assert_at_most(0.5 * log(third), rdp * (1 + 1e-15));
    assert_close(rdp, 0.5 * log(third), 1e-6);
    assert_ok(dppair_renyi_allocation(&rdp, &s, 1.25, work, bytes));
    assert_ok(dppair_renyi(&plain, &unpaid, &s, 1.25, 0));
    assert_true(rdp > 0.0 && rdp < plain);
    s.sampling.adjacency = DPPAIR_REPLACE_ONE;
    assert_ok(dppair_renyi_allocation(&rdp, &s, 4, NULL, 0));
    assert_close(rdp, 4 / (z * z), 1e-11);
    s.sampling.adjacency = DPPAIR_ZERO_OUT;
    assert_int_equal(dppair_renyi_allocation(&rdp, &s, 4, work, 1000), DPPAIR_ERR_WORKSPACE);
    assert_true(rdp == 0.0);
  }
  assert_int_equal(dppair_renyi_allocation(&rdp, &s, 1, work, bytes), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_renyi_allocation(&rdp, NULL, 2, work, bytes), DPPAIR_ERR_NULL);
  s = step_of(&rows[0]); /* others as dppair_renyi has them */
  assert_ok(dppair_renyi_allocation(&rdp, &s, 8, NULL, 0));
  assert_close(rdp, 1, 1e-11);
  free(work);
}

/* A plan that allocates is calibrated like any other; what it asks for is what the account says. */
static void a_plan_that_allocates_is_calibrated(void **state) {
  static const struct {
    size_t batches, epochs;
    double epsilon, multiplier;
  } known_noise[] = {{10, 10, 1, 3.7934}, {100, 1, 8, 0.41507}, {100, 10, 0.5, 2.3325}};
  size_t bytes, i;
  void *work;
  (void)state;
  assert_ok(dppair_composer_workspace(&bytes, NULL));
  work = malloc(bytes);
  assert_non_null(work);
  for (i = 0; i < 3; i++) {
    dppair_accountant a;
    dppair_interval found;
    dppair_step step;
    dppair_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.sampling = dppair_sampling_allocation(1000, known_noise[i].batches, 1, DPPAIR_ZERO_OUT);
    plan.steps = known_noise[i].batches * known_noise[i].epochs;
    plan.epsilon = known_noise[i].epsilon;
    plan.delta = 1e-5;
    assert_ok(dppair_accountant_init(&a));
    assert_ok(calibrate(&plan, &a, work, bytes));
    assert_close(plan.noise_multiplier, known_noise[i].multiplier, 2e-5);
    assert_ok(dppair_plan_step_(&step, &plan));
    assert_ok(dppair_accountant_step(&a, &step));
    assert_ok(certify(&found, &a, 1e-5, work, bytes));
    assert_at_most(found.upper, plan.epsilon);
    assert_close(found.upper, plan.epsilon, 1e-8);
  }
  free(work);
}

/* A field that is not read must be 0; of those that are read, each that has no other source must
 * not be 0: no step is free, and none looks cheaper than it is. */
static void a_step_has_the_fields_that_its_row_reads_and_no_other(void **state) {
  size_t i;
  (void)state;
  for (i = 0; i < ROWS; i++) {
    const dppair_step s = step_of(&rows[i]);
    const int reads = dppair_step_fields_(&s);
    dppair_step t;
    int field;
    for (field = 1; field <= DPPAIR_FIELD_RIDGE_; field *= 2) {
      t = s;
      disturb(&t, field);
      if (!(reads & field)) {
        dppair_accountant a;
        assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_UNREAD);
        assert_ok(dppair_accountant_init(&a));
        assert_int_equal(dppair_accountant_step(&a, &t), DPPAIR_ERR_UNREAD);
        assert_true(a.count == 0 && a.gaussian == 0.0 && a.pure == 0.0 && a.zcdp == 0.0);
        assert_int_equal(a.broken, DPPAIR_ERR_UNREAD);
      }
    }
    if (reads & DPPAIR_FIELD_SAMPLING_) {
      t = s;
      t.sampling.kind = DPPAIR_ALL; /* a draw that was forgotten */
      assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_NO_PROOF);
      t = s;
      t.sampling.adjacency = (dppair_adjacency)0;
      assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_ADJACENCY);
      t = s;
      t.sampling.q = 0;
      t.sampling.m = 0;
      t.pair_rate = 0;
      assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_RATE); /* n alone is no rate */
      t.sampling.n = 0;
      assert_int_equal(dppair_step_check_(&t),
                       reads & DPPAIR_FIELD_Q_ ? DPPAIR_ERR_RATE : DPPAIR_ERR_SIZE);
    }
    t = s;
    t.ridge = 0;
    assert_int_equal(dppair_step_check_(&t),
                     reads & DPPAIR_FIELD_RIDGE_ ? DPPAIR_ERR_DOMAIN : DPPAIR_OK);
    t = s;
    t.steps = 0;
    assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_STEPS);
    t = s;
    t.noise_multiplier = 0;
    assert_int_equal(dppair_step_check_(&t),
                     dppair_mechanism_scales_(s.kind) ? DPPAIR_ERR_SIGMA : DPPAIR_ERR_EPSILON);
    t.noise_multiplier = TEST_NAN;
    assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_NOT_FINITE);
    t = s;
    t.sampling.adjacency = (dppair_adjacency)3;
    assert_int_equal(dppair_step_check_(&t), DPPAIR_ERR_ADJACENCY);
  }
}

static void a_kind_outside_of_the_table_is_refused_everywhere(void **state) {
  static const int kinds[] = {0, DPPAIR_MECHANISM_COUNT_, 1000};
  dppair_step s = step_of(&rows[0]);
  size_t i;
  int k, j;
  (void)state;
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    dppair_law_ law;
    double rdp, unpaid;
    s.kind = (dppair_mechanism_kind)kinds[i];
    assert_int_equal(dppair_step_check_(&s), DPPAIR_ERR_DOMAIN);
    assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 2, 0), DPPAIR_ERR_DOMAIN);
    assert_true(rdp == 0.0 && unpaid == 0.0);
    assert_int_equal(dppair_law_of_(&law, &s, 1e-20), DPPAIR_ERR_DOMAIN);
    assert_string_equal(dppair_mechanism_name(s.kind), "none");
    assert_false(dppair_mechanism_scales_(s.kind) || dppair_mechanism_is_pure_(s.kind) ||
                 dppair_mechanism_is_sampled_(s.kind) || dppair_mechanism_is_gaussian_(s.kind));
    assert_int_equal(dppair_step_fields_(&s), 0);
  }
  for (k = 1; k < DPPAIR_MECHANISM_COUNT_; k++)
    for (j = 0; j < k; j++)
      assert_string_not_equal(dppair_mechanism_name((dppair_mechanism_kind)k),
                              dppair_mechanism_name((dppair_mechanism_kind)j));
}

/* What a plan's law and draw mean together. */
static void a_law_becomes_a_mechanism_only_where_there_is_a_proof(void **state) {
  (void)state;
  assert_int_equal(dppair_mechanism_of_law_((dppair_mechanism_kind)0, 0), DPPAIR_GAUSSIAN);
  assert_int_equal(dppair_mechanism_of_law_((dppair_mechanism_kind)0, 1), DPPAIR_SAMPLED_GAUSSIAN);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_GAUSSIAN, 1), DPPAIR_SAMPLED_GAUSSIAN);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_LAPLACE, 0), DPPAIR_LAPLACE);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_L2BALL, 0), DPPAIR_L2BALL);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_SKELLAM, 0), DPPAIR_SKELLAM);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_SKELLAM, 1), DPPAIR_SAMPLED_SKELLAM);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_LAPLACE, 1), 0);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_L2BALL, 1), 0);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_PURE, 0), 0); /* no noise of this name */
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_ZCDP, 0), 0);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_SAMPLED_GAUSSIAN, 0), 0);
  assert_int_equal(dppair_mechanism_of_law_(DPPAIR_SAMPLED_GAUSSIAN, 1), 0);
  assert_int_equal(dppair_mechanism_of_law_((dppair_mechanism_kind)77, 0), 0);
}

/* The densities of exp(-|z|/scale) at neighbours differ by at most e^epsilon, epsilon = S/scale;
 * opposite directions attain it. An account at delta = 0 says the sum, rounded up. */
static void noise_in_the_l2_ball_is_private_at_delta_0(void **state) {
  dppair_accountant a;
  dppair_step s;
  double epsilon, delta, worst = 0;
  int i, j;
  (void)state;
  for (i = 0; i < 2000; i++) {
    const double scale = log_between(0.1, 10);
    double z[3], move[3], far = 0, near = 0, length = 0;
    for (j = 0; j < 3; j++) {
      z[j] = log_between(1e-3, 10) * (between(0, 1) < 0.5 ? -1 : 1);
      move[j] = i % 4 ? between(-1, 1) : 0.1 * z[j];
      length += move[j] * move[j];
      near += z[j] * z[j];
      far += (z[j] + move[j]) * (z[j] + move[j]);
    }
    s = step_of(&rows[5]);
    s.noise_multiplier = scale / sqrt(length);
    assert_at_most((sqrt(far) - sqrt(near)) / scale, dppair_step_pure_(&s) * (1 + 1e-12));
    if ((sqrt(far) - sqrt(near)) / scale / dppair_step_pure_(&s) > worst)
      worst = (sqrt(far) - sqrt(near)) / scale / dppair_step_pure_(&s);
  }
  assert_true(worst > 1 - 1e-12);
  assert_ok(dppair_accountant_init(&a));
  s = step_of(&rows[5]);
  s.noise_multiplier = 3;
  s.steps = 6;
  assert_ok(dppair_accountant_step(&a, &s));
  assert_ok(answer_epsilon(&epsilon, &a, 0));
  assert_at_most(2, epsilon);
  assert_close(epsilon, 2, 1e-14);
  assert_ok(answer_delta(&delta, &a, epsilon));
  assert_true(delta == 0.0);
  assert_true(a.unattained);
  /* beyond the doubles: refused, not free */
  assert_ok(dppair_accountant_init(&a));
  s.noise_multiplier = 2.3e-308;
  assert_int_equal(dppair_accountant_step(&a, &s), DPPAIR_ERR_OVERFLOW);
}

/* Randomised response has no hits to cap: beside it, a sampled step costs what it costs alone. */
static void randomised_response_takes_no_share_of_what_capped_hits_leave(void **state) {
  dppair_step sampled = step_of(&rows[11]), plain = step_of(&rows[2]), response = plain;
  dppair_accountant a, b;
  double x, y;
  (void)state;
  response.kind = DPPAIR_RANDOMISED_RESPONSE;
  plain.noise_multiplier = response.noise_multiplier = 1e-9;
  sampled.sampling.n = 3000;
  sampled.pair_rate = 1e-4;
  sampled.noise_multiplier = 0.4;
  sampled.steps = 10;
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_step(&a, &sampled));
  b = a;
  assert_ok(dppair_accountant_step(&a, &plain));
  assert_ok(dppair_accountant_step(&b, &response));
  assert_ok(answer_epsilon(&x, &a, 1e-5));
  assert_ok(answer_epsilon(&y, &b, 1e-5));
  assert_true(x == y);
}

/* A law of more than a million likely hits has no list, and a cap far below the likely hits no
 * proof: both are said at once, however large the sizes are. */
static void huge_samples_are_refused_at_once(void **state) {
  dppair_step s = step_of(&rows[11]);
  dppair_accountant a;
  double rdp, unpaid;
  (void)state;
  s.sampling.n = SIZE_MAX;
  assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 2, 0), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 2, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 2, SIZE_MAX - 2), DPPAIR_ERR_OVERFLOW);
  assert_true(rdp == 0.0 && unpaid == 0.0);
  assert_ok(dppair_accountant_init(&a));
  assert_ok(dppair_accountant_step(&a, &s));
  assert_int_equal(answer_epsilon(&rdp, &a, 1e-5), DPPAIR_ERR_OVERFLOW);
  s.sampling.n = 100000001; /* a narrow law far from 0: capped below it, or listed */
  s.pair_rate = 1e-2;
  assert_int_equal(dppair_renyi(&rdp, &unpaid, &s, 2, 5), DPPAIR_ERR_NO_PROOF);
  s.sampling.n = 20000001;
  s.pair_rate = 1 - 1e-7; /* two are missed: all hits are near the largest number */
  s.noise_multiplier = 1e4;
  assert_ok(dppair_renyi(&rdp, &unpaid, &s, 2, 0));
  assert_close(rdp, 4e6, 1e-6);
}

/* --- samplings --- */

static void samplings_are_made_with_the_fields_of_their_rows(void **state) {
  const dppair_sampling made[] = {dppair_sampling_all(40, DPPAIR_ZERO_OUT),
                                  dppair_sampling_poisson(40, 10, DPPAIR_ZERO_OUT),
                                  dppair_sampling_without_replacement(40, 10, DPPAIR_ZERO_OUT),
                                  dppair_sampling_with_replacement(40, 10, DPPAIR_ZERO_OUT),
                                  dppair_sampling_matching(40, 10, DPPAIR_ZERO_OUT),
                                  dppair_sampling_allocation(40, 4, 1, DPPAIR_ZERO_OUT)};
  /* the relation whose move the multiplier divides, when records are zeroed */
  static const dppair_adjacency move[] = {DPPAIR_ZERO_OUT,    DPPAIR_ZERO_OUT,
                                          DPPAIR_REPLACE_ONE, DPPAIR_REPLACE_ONE,
                                          DPPAIR_REPLACE_ONE, DPPAIR_ZERO_OUT};
  int k;
  (void)state;
  assert_int_equal(sizeof made / sizeof *made, DPPAIR_SAMPLING_COUNT_);
  for (k = 0; k < DPPAIR_SAMPLING_COUNT_; k++) {
    dppair_sampling s = made[k];
    assert_int_equal(s.kind, k);
    assert_true(s.n == 40 && s.m == (k == 0 || k == DPPAIR_ALLOCATION ? 0u : 10u) && s.q == 0.0);
    assert_true(s.batches == (k == DPPAIR_ALLOCATION ? 4u : 0u) && s.owned == 0);
    assert_true(s.group == (k == DPPAIR_ALLOCATION ? 1u : k == DPPAIR_MATCHING ? 2u : 0u));
    assert_int_equal(s.adjacency, DPPAIR_ZERO_OUT);
    assert_ok(dppair_sampling_check_(&s));
    assert_int_equal(dppair_sampling_move_(&s), move[k]);
    s.adjacency = DPPAIR_REPLACE_ONE;
    assert_int_equal(dppair_sampling_move_(&s), k == DPPAIR_POISSON || k == DPPAIR_ALLOCATION
                                                    ? DPPAIR_ZERO_OUT
                                                    : DPPAIR_REPLACE_ONE);
    s.adjacency = DPPAIR_ZERO_USER; /* users for records: the same move */
    assert_ok(dppair_sampling_check_(&s));
    assert_int_equal(dppair_sampling_move_(&s), move[k]);
  }
  assert_string_equal(dppair_sampling_name(DPPAIR_ALLOCATION), "allocation");
  assert_string_equal(dppair_sampling_name(DPPAIR_ALL), "none");
  assert_string_equal(dppair_sampling_name(DPPAIR_MATCHING), "matching");
  assert_string_equal(dppair_sampling_name((dppair_sampling_kind)DPPAIR_SAMPLING_COUNT_), "none");
  assert_string_equal(dppair_adjacency_name(DPPAIR_ZERO_OUT), "zero-out");
  assert_string_equal(dppair_adjacency_name((dppair_adjacency)3), "none");
}

/* Of the numbers that an int may hold, six are relations; their names differ. */
static void a_relation_is_a_move_and_a_unit(void **state) {
  static const int relations[] = {DPPAIR_REPLACE_ONE, DPPAIR_ZERO_OUT,      DPPAIR_REPLACE_USER,
                                  DPPAIR_ZERO_USER, DPPAIR_REPLACE_QUERY, DPPAIR_ZERO_QUERY};
  static const char *const names[] = {"replace-one", "zero-out",      "replace-person",
                                      "zero-person", "replace-query", "zero-query"};
  int value, found = 0;
  (void)state;
  for (value = 0; value < 64; value++) {
    const dppair_adjacency a = (dppair_adjacency)value;
    const int is_one = found < 6 && value == relations[found];
    assert_int_equal(dppair_adjacency_check_(a), is_one ? DPPAIR_OK : DPPAIR_ERR_ADJACENCY);
    assert_int_equal(dppair_adjacency_records_(a),
                     value == 1 || value == 2 ? DPPAIR_OK : DPPAIR_ERR_ADJACENCY);
    assert_string_equal(dppair_adjacency_name(a), is_one ? names[found] : "none");
    if (!is_one) continue;
    assert_int_equal(dppair_adjacency_move_(a), found % 2 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE);
    assert_int_equal(dppair_adjacency_unit_(a), 16 * (found / 2));
    found++;
  }
  assert_int_equal(found, 6);
}

/* Groups, batches and the records of one user: who reads them, and what they may be. */
static void groups_batches_and_owned_records_are_checked(void **state) {
  dppair_sampling s = dppair_sampling_groups(40, 12, 3, DPPAIR_REPLACE_ONE);
  double d;
  int k;
  (void)state;
  assert_ok(dppair_sampling_check_(&s));
  assert_ok(dppair_normaliser(&d, &s, 12));
  assert_true(d == 4.0);
  s.group = 5; /* 12 is no multiple */
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
  s.group = 1;
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
  s.group = 0; /* pairs */
  assert_ok(dppair_normaliser(&d, &s, 12));
  assert_true(d == 6.0);
  s = dppair_sampling_allocation(40, 16, 2, DPPAIR_REPLACE_ONE);
  assert_ok(dppair_normaliser(&d, &s, 9));
  assert_true(d == 5.0 * 8.0); /* five records are expected */
  assert_ok(dppair_normaliser(&d, &s, 1));
  assert_true(d == 1.0);
  assert_int_equal(dppair_normaliser(&d, &s, 41), DPPAIR_ERR_SIZE);
  s.group = 0;
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
  s.group = 17;
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
  s.group = s.batches = 0;
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
  for (k = 0; k < DPPAIR_SAMPLING_COUNT_; k++) {
    const int reads = dppair_sampling_row_of_((dppair_sampling_kind)k)->reads;
    s = k == DPPAIR_ALLOCATION ? dppair_sampling_allocation(40, 4, 1, DPPAIR_REPLACE_USER)
                               : test_sampling((dppair_sampling_kind)k, DPPAIR_REPLACE_USER, 0,
                                               40, k == DPPAIR_ALL ? 0 : 10);
    s.owned = 3;
    assert_int_equal(dppair_sampling_check_(&s),
                     reads & DPPAIR_READS_OWNED_ ? DPPAIR_OK : DPPAIR_ERR_UNREAD);
    s.adjacency = DPPAIR_REPLACE_ONE; /* a record owns none */
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_UNREAD);
    s.owned = 0;
    s.batches++;
    assert_int_equal(dppair_sampling_check_(&s),
                     k == DPPAIR_ALLOCATION ? DPPAIR_OK : DPPAIR_ERR_UNREAD);
    s.batches--;
    s.group = 2;
    assert_int_equal(dppair_sampling_check_(&s),
                     k == DPPAIR_ALLOCATION || reads & DPPAIR_READS_GROUPS_ ? DPPAIR_OK
                                                                            : DPPAIR_ERR_UNREAD);
  }
  s = dppair_sampling_without_replacement(40, 10, DPPAIR_ZERO_USER);
  s.owned = 41;
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_SIZE);
  s.owned = 2;
  s.q = 0.25;
  s.n = s.m = 0;
  assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
}

static void the_normaliser_makes_a_mean_of_the_sum_over_drawn_pairs(void **state) {
  dppair_sampling s = dppair_sampling_all(40, DPPAIR_REPLACE_ONE);
  double d;
  (void)state;
  assert_ok(dppair_normaliser(&d, &s, 0));
  assert_true(d == 40.0 * 39.0);
  s.n = 2;
  assert_ok(dppair_normaliser(&d, &s, 2));
  assert_true(d == 2.0);
  s = dppair_sampling_poisson(40, 10, DPPAIR_REPLACE_ONE);
  assert_ok(dppair_normaliser(&d, &s, 12));
  assert_true(d == 110.0);
  assert_ok(dppair_normaliser(&d, &s, 2));
  assert_true(d == 10.0);
  assert_ok(dppair_normaliser(&d, &s, 1)); /* no pair: the sum is 0 */
  assert_true(d == 1.0);
  assert_ok(dppair_normaliser(&d, &s, 0));
  assert_true(d == 1.0);
  assert_ok(dppair_normaliser(&d, &s, 40));
  assert_true(d == 390.0);
  assert_int_equal(dppair_normaliser(&d, &s, 41), DPPAIR_ERR_SIZE);
  assert_true(d == 0.0);
  s = dppair_sampling_without_replacement(40, 10, DPPAIR_REPLACE_ONE);
  assert_ok(dppair_normaliser(&d, &s, 10));
  assert_true(d == 90.0);
  s.m = 1;
  assert_ok(dppair_normaliser(&d, &s, 1));
  assert_true(d == 1.0);
  s = dppair_sampling_with_replacement(4, 10, DPPAIR_REPLACE_ONE); /* more draws than records */
  assert_ok(dppair_normaliser(&d, &s, 10));
  assert_true(d == 90.0);
  s = dppair_sampling_matching(40, 10, DPPAIR_REPLACE_ONE);
  assert_ok(dppair_normaliser(&d, &s, 10));
  assert_true(d == 5.0);
  s = dppair_sampling_all(SIZE_MAX, DPPAIR_REPLACE_ONE);
  assert_ok(dppair_normaliser(&d, &s, 0));
  assert_true(dppair_isfinite_f64(d) && d > 1e18);
  assert_int_equal(dppair_normaliser(NULL, &s, 0), DPPAIR_ERR_NULL);
  d = 7;
  assert_int_equal(dppair_normaliser(&d, NULL, 0), DPPAIR_ERR_NULL);
  assert_true(d == 0.0);
  /* a rate without sizes is enough for an account, not for a sum */
  s = test_sampling(DPPAIR_POISSON, DPPAIR_REPLACE_ONE, 0.25, 0, 0);
  assert_ok(dppair_sampling_check_(&s));
  assert_int_equal(dppair_normaliser(&d, &s, 3), DPPAIR_ERR_SIZE);
}

/* Which of the fields q, n, m each kind takes, written out. The grid has 0 and good values of each;
 * the bits of the index say which are given: 1 q, 2 n, 4 m. */
static void a_sampling_has_the_fields_that_its_row_reads_and_no_other(void **state) {
  enum { OK = DPPAIR_OK, SIZE = DPPAIR_ERR_SIZE, RATE = DPPAIR_ERR_RATE, MUCH = DPPAIR_ERR_UNREAD };
  static const int want[6][8] = {
      /*                          -     q    n     qn    m     qm    nm    qnm */
      /* all */ {SIZE, SIZE, OK, MUCH, SIZE, SIZE, MUCH, MUCH},
      /* Poisson */ {RATE, OK, RATE, MUCH, SIZE, SIZE, OK, OK},
      /* without */ {RATE, OK, RATE, MUCH, SIZE, SIZE, OK, OK},
      /* with */ {SIZE, SIZE, RATE, MUCH, SIZE, SIZE, OK, MUCH},
      /* matching */ {RATE, OK, RATE, MUCH, SIZE, SIZE, OK, OK},
      /* allocation */ {SIZE, SIZE, RATE, MUCH, SIZE, SIZE, MUCH, MUCH}};
  int k, given;
  (void)state;
  for (k = 0; k < DPPAIR_SAMPLING_COUNT_; k++) {
    dppair_sampling s;
    double d;
    for (given = 0; given < 8; given++) {
      s = test_sampling((dppair_sampling_kind)k, DPPAIR_REPLACE_ONE, given & 1 ? 0.25 : 0,
                        given & 2 ? 40 : 0, given & 4 ? 10 : 0);
      assert_int_equal(dppair_sampling_check_(&s), want[k][given]);
      s.adjacency = (dppair_adjacency)0;
      assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_ADJACENCY);
      assert_int_equal(dppair_normaliser(&d, &s, 10), DPPAIR_ERR_ADJACENCY);
    }
    s = test_sampling((dppair_sampling_kind)k, DPPAIR_REPLACE_ONE, TEST_NAN, 40, 10);
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_NOT_FINITE);
    s.q = 0;
    s.n = 1;
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_SIZE);
    if (!(dppair_sampling_row_of_(s.kind)->reads & DPPAIR_READS_RATE_)) continue;
    s.n = 9; /* fewer than are drawn */
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_SIZE);
    s.n = 40;
    s.q = 0.3; /* not m/n */
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_RATE);
    s.q = -0.25;
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_DOMAIN);
    s.q = 1.5;
    assert_int_equal(dppair_sampling_check_(&s), DPPAIR_ERR_DOMAIN);
    s.q = 0;
    s.m = 11;
    assert_int_equal(dppair_sampling_check_(&s),
                     s.kind == DPPAIR_MATCHING ? DPPAIR_ERR_RATE : DPPAIR_OK);
  }
  {
    const dppair_sampling other =
        test_sampling((dppair_sampling_kind)DPPAIR_SAMPLING_COUNT_, DPPAIR_REPLACE_ONE, 0, 40, 10);
    assert_int_equal(dppair_sampling_check_(&other), DPPAIR_ERR_NO_PROOF);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_mechanism_has_known_answers),
      TEST(a_step_has_the_fields_that_its_row_reads_and_no_other),
      TEST(allocated_records_are_charged_by_whole_epochs),
      TEST(allocated_records_beyond_a_table_are_bounded_by_fewer_batches),
      TEST(allocated_records_compose_with_other_steps),
      TEST(a_filter_may_charge_orders_of_allocated_records),
      TEST(a_plan_that_allocates_is_calibrated),
      TEST(a_kind_outside_of_the_table_is_refused_everywhere),
      TEST(a_law_becomes_a_mechanism_only_where_there_is_a_proof),
      TEST(noise_in_the_l2_ball_is_private_at_delta_0),
      TEST(randomised_response_takes_no_share_of_what_capped_hits_leave),
      TEST(huge_samples_are_refused_at_once),
      TEST(samplings_are_made_with_the_fields_of_their_rows),
      TEST(a_relation_is_a_move_and_a_unit),
      TEST(groups_batches_and_owned_records_are_checked),
      TEST(the_normaliser_makes_a_mean_of_the_sum_over_drawn_pairs),
      TEST(a_sampling_has_the_fields_that_its_row_reads_and_no_other),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
