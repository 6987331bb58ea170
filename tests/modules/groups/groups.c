/* SPDX-License-Identifier: MIT */
/* Releases of the mean of clipped vectors of groups: S of each plan, the clip, what a sum belongs to,
 * what is refused. */
#include "dppair_allocation.h"
#include "dppair_groups.h"

#include "tests.h"
#include "draws.h"

enum { N = 24, G = 3, SIZE = 6, STEPS = 400 };
static const uint8_t KEY[32] = {7}, RUN[16] = {8};
static const dppair_release_keys FIXED = {KEY, RUN};

static double numbers[SIZE], more[SIZE], g[SIZE];
static dppair_accountant account, other_account;
static dppair_release release, other;
static dppair_group_sum sum, part;
static size_t drawn[N], count;

static void open_of(dppair_release *r, dppair_accountant *a, dppair_sampling sampling) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = 1.5;
  plan.steps = STEPS;
  assert_int_equal(dppair_accountant_init(a), DPPAIR_OK);
  assert_int_equal(dppair_release_open(r, a, &plan, &FIXED), DPPAIR_OK);
}

static void draw(void) {
  assert_int_equal(draw_now(drawn, &count, N, &release), DPPAIR_OK);
}

static void begin(double clip) {
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, clip, &release), DPPAIR_OK);
}

static double norm(const double *v, size_t size) {
  long double square = 0;
  for (size_t k = 0; k < size; k++) square += (long double)v[k] * (long double)v[k];
  return (double)sqrtl(square);
}

static dppair_sampling matching(void) {
  return dppair_sampling_groups(N, 12, G, DPPAIR_REPLACE_ONE);
}

/* Of each kind of plan: groups of a step, and S of clip 0.5. */
static void the_noise_is_for_one_group_that_moves(void **state) {
  const dppair_adjacency query = DPPAIR_REPLACE_QUERY, zero = DPPAIR_ZERO_QUERY;
  const struct {
    dppair_sampling sampling;
    double b, moves;
  } plan[] = {
      {matching(), 4, 2},
      {dppair_sampling_groups(N, N, G, DPPAIR_REPLACE_ONE), 8, 2},
      {dppair_sampling_groups(N, 12, 4, DPPAIR_REPLACE_ONE), 3, 2},
      {dppair_sampling_matching(N, 12, DPPAIR_REPLACE_ONE), 6, 2},
      {dppair_sampling_all(8, query), 8, 2},
      {dppair_sampling_all(8, zero), 8, 1},
      {dppair_sampling_all(8, DPPAIR_REPLACE_USER), 8, 2},
      {dppair_sampling_without_replacement(8, 4, query), 4, 2},
      {dppair_sampling_with_replacement(8, 4, query), 4, 2},
      {dppair_sampling_poisson(8, 4, query), 4, 1},
      {dppair_sampling_poisson(8, 4, zero), 4, 1},
      {dppair_sampling_allocation(8, 2, 1, zero), 4, 1},
  };
  (void)state;
  for (size_t p = 0; p < sizeof plan / sizeof *plan; p++) {
    size_t groups;
    open_of(&release, &account, plan[p].sampling);
    if (plan[p].sampling.kind != DPPAIR_ALL) draw();
    begin(0.5);
    groups = plan[p].sampling.kind == DPPAIR_ALL ? plan[p].sampling.n
             : plan[p].sampling.kind == DPPAIR_MATCHING
                 ? count / (plan[p].sampling.group ? plan[p].sampling.group : 2)
                 : count;
    for (size_t j = 0; j < groups; j++) {
      memset(more, 0, sizeof more);
      more[0] = j == 0 ? 7 : 0;
      assert_int_equal(dppair_group_add_f64(&sum, more), DPPAIR_OK);
    }
    assert_int_equal(dppair_release_groups(g, &release, &sum), DPPAIR_OK);
    assert_true(release.sensitivity >= 0.5 * plan[p].moves / plan[p].b);
    assert_true(release.sensitivity <= 0.5 * plan[p].moves / plan[p].b * (1 + 1e-12));
    assert_true(release.divisor == plan[p].b);
    if (groups) assert_true(fabs(numbers[0] - 0.5) < 1e-12);
  }
  { /* and what rounding adds to it: 2 (t + 4) epsilon t clip/b */
    const double t = 1 << 12, added = 2 * (t + 4) * DBL_EPSILON * t * 0.5 / t;
    dppair_release_terms_ terms;
    open_of(&release, &account, dppair_sampling_all((size_t)t, query));
    assert_int_equal(dppair_groups_terms_(&terms, &release, SIZE, 0.5), DPPAIR_OK);
    assert_true(terms.sensitivity - 1.0 / t >= added &&
                terms.sensitivity - 1.0 / t <= 1.001 * added);
  }
}

static void a_mean_is_that_of_the_shortened_vectors(void **state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    double mean[SIZE] = {0}, v[SIZE];
    float narrow[SIZE];
    open_of(&release, &account, matching());
    open_of(&other, &other_account, dppair_sampling_all(N, DPPAIR_REPLACE_ONE));
    draw();
    assert_int_equal(count, 12);
    begin(0.75);
    assert_int_equal(dppair_group_sum_open(&part, more, SIZE, 0.75, &release), DPPAIR_OK);
    for (int j = 0; j < 4; j++) {
      const double scale = pow(10, 6 * uniform() - 3);
      double size;
      for (int k = 0; k < SIZE; k++)
        narrow[k] = (float)(scale * normal()), v[k] = (double)narrow[k];
      size = norm(v, SIZE);
      for (int k = 0; k < SIZE; k++) mean[k] += v[k] * (size > 0.75 ? 0.75 / size : 1.0) / 4;
      assert_int_equal(j == 3   ? dppair_group_add_f64(&part, v)
                       : j == 2 ? dppair_group_add_f32(&sum, narrow)
                                : dppair_group_add_f64(&sum, v),
                       DPPAIR_OK);
    }
    assert_int_equal(dppair_group_sum_join(&sum, &part), DPPAIR_OK);
    assert_int_equal(dppair_release_groups(g, &release, &sum), DPPAIR_OK);
    for (int k = 0; k < SIZE; k++) assert_true(fabs(numbers[k] / 4 - mean[k]) <= 1e-14);
    for (int k = 0; k < SIZE; k++) mean[k] = numbers[k] / 4;
    assert_int_equal(dppair_release_vector(mean, SIZE, &other, release.sensitivity), DPPAIR_OK);
    for (int k = 0; k < SIZE; k++) assert_true(mean[k] == g[k]); /* the same step's noise */
  }
}

/* In exact arithmetic: a vector's own norm is at most the clip but for the product's rounding,
 * whatever its size. */
static void no_vector_is_longer_than_the_clip(void **state) {
  (void)state;
  open_of(&release, &account, matching());
  draw();
  for (int round = 0; round < (BRIEF ? 400 : 4000); round++) {
    const double clip = pow(10, 4 * uniform() - 2), size = pow(10, round % 3 ? 0 : 300 * uniform());
    double v[SIZE];
    begin(clip);
    for (int k = 0; k < SIZE; k++) v[k] = size * normal();
    if (round % 3) /* just above, at and below the clip */
      for (int k = 0; k < SIZE; k++) v[k] = k == 1 ? clip * (1 + (round % 7 - 3) * 1e-16) : 0;
    assert_int_equal(dppair_group_add_f64(&sum, v), DPPAIR_OK);
    assert_true(norm(numbers, SIZE) <= clip * (1 + 3e-16));
  }
}

static void a_group_that_overflows_has_no_status_and_counts_as_zero(void **state) {
  const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e308};
  const float narrow[SIZE] = {0, (float)NAN};
  (void)state;
  open_of(&release, &account, matching());
  draw();
  begin(1);
  for (size_t i = 0; i < 3; i++) {
    double v[SIZE] = {1, 2, 3};
    v[4] = odd[i];
    assert_int_equal(dppair_group_add_f64(&sum, v), DPPAIR_OK);
    assert_true(norm(numbers, SIZE) == 0.0 && sum.count == i + 1);
  }
  assert_int_equal(dppair_group_add_f32(&sum, narrow), DPPAIR_OK);
  assert_true(norm(numbers, SIZE) == 0.0);
  assert_int_equal(dppair_release_groups(g, &release, &sum), DPPAIR_OK);
  draw();
  begin(1);
  for (int k = 0; k < SIZE; k++) more[k] = odd[3]; /* a norm beyond the largest number */
  assert_int_equal(dppair_group_add_f64(&sum, more), DPPAIR_OK);
  assert_true(norm(numbers, SIZE) <= 1 + 1e-15);
}

static dppair_status released(void) {
  const size_t before = release.step;
  dppair_status status;
  for (int k = 0; k < SIZE; k++) g[k] = 77;
  status = dppair_release_groups(g, &release, &sum);
  for (int k = 0; k < SIZE; k++) assert_true(status == DPPAIR_OK ? g[k] != 77 : g[k] == 0);
  assert_true(release.step == before + (status == DPPAIR_OK));
  return status;
}

static void add(size_t groups) {
  memset(more, 0, sizeof more);
  while (groups-- > 0) assert_int_equal(dppair_group_add_f64(&sum, more), DPPAIR_OK);
}

static void a_sum_belongs_to_the_groups_of_one_draw(void **state) {
  static dppair_group_sum copy;
  (void)state;
  open_of(&release, &account, matching());
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 1, &release), DPPAIR_ERR_NOT_DRAWN);
  draw();
  begin(1);
  add(3);
  assert_int_equal(released(), DPPAIR_ERR_SIZE); /* one is missing */
  add(1);
  copy = sum;
  add(1);
  assert_int_equal(released(), DPPAIR_ERR_SIZE); /* one too many */
  sum = copy;
  assert_int_equal(released(), DPPAIR_OK);
  assert_int_equal(released(), DPPAIR_ERR_DOMAIN); /* again */
  draw();
  assert_int_equal(released(), DPPAIR_ERR_DOMAIN); /* groups of the step before */
  begin(1);
  add(4);
  open_of(&other, &other_account, matching());
  assert_int_equal(draw_now(drawn, &count, N, &other), DPPAIR_OK);
  assert_int_equal(dppair_release_groups(g, &other, &sum), DPPAIR_ERR_DOMAIN); /* another's */
  /* sums of threads: another clip, another size, the same numbers */
  assert_int_equal(dppair_group_sum_join(&sum, &sum), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_group_sum_open(&part, more, SIZE, 2, &release), DPPAIR_OK);
  assert_int_equal(dppair_group_sum_join(&sum, &part), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_group_sum_open(&part, more, SIZE - 1, 1, &release), DPPAIR_OK);
  assert_int_equal(dppair_group_sum_join(&sum, &part), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_group_sum_join(NULL, &part), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_group_add_f64(NULL, more), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_group_add_f64(&sum, NULL), DPPAIR_ERR_NULL);
  memset(&part, 0, sizeof part);
  assert_int_equal(dppair_group_add_f32(&part, (const float *)(const void *)more),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_release_groups(g, &release, &part), DPPAIR_ERR_DOMAIN);
  assert_int_equal(released(), DPPAIR_OK);
}

/* Another run is opened at the same address, and draws for the same step. */
static void a_sum_of_an_earlier_run_is_refused(void **state) {
  dppair_plan plan;
  (void)state;
  memset(&plan, 0, sizeof plan);
  plan.sampling = matching();
  plan.noise_multiplier = 1.5;
  plan.steps = STEPS;
  for (int run = 0; run < 2; run++) {
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
    draw();
    if (run == 1) assert_int_equal(released(), DPPAIR_ERR_DOMAIN);
    begin(1);
    add(4);
    if (run == 1) assert_int_equal(released(), DPPAIR_OK);
    if (run == 0) dppair_release_close(&release);
  }
}

static void plans_without_a_proof_for_groups_are_refused(void **state) {
  const struct {
    dppair_sampling sampling;
    dppair_status status;
  } plan[] = {
      {dppair_sampling_all(N, DPPAIR_REPLACE_ONE), DPPAIR_ERR_ADJACENCY},
      {dppair_sampling_all(N, DPPAIR_ZERO_OUT), DPPAIR_ERR_ADJACENCY},
      {dppair_sampling_poisson(N, 4, DPPAIR_ZERO_OUT), DPPAIR_ERR_ADJACENCY},
      {dppair_sampling_without_replacement(N, 4, DPPAIR_REPLACE_ONE), DPPAIR_ERR_ADJACENCY},
  };
  dppair_sampling owned = dppair_sampling_without_replacement(N, 4, DPPAIR_REPLACE_USER);
  (void)state;
  for (size_t p = 0; p <= sizeof plan / sizeof *plan; p++) {
    owned.owned = 2; /* records are drawn, users protected */
    open_of(&release, &account, p ? plan[p - 1].sampling : owned);
    if (release.sampling.kind != DPPAIR_ALL) draw();
    assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 1, &release),
                     p ? plan[p - 1].status : DPPAIR_ERR_NO_PROOF);
    assert_null(sum.sum);
    assert_int_equal(dppair_release_groups(g, &release, &sum), DPPAIR_ERR_DOMAIN);
  }
  open_of(&release, &account, matching());
  draw();
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 0, &release), DPPAIR_ERR_NO_RADIUS);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, -1, &release), DPPAIR_ERR_NO_RADIUS);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, (double)NAN, &release),
                   DPPAIR_ERR_NO_RADIUS);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, HUGE_VAL, &release),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 1e-200, &release), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, 0, 1, &release), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_group_sum_open(&sum, NULL, SIZE, 1, &release), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_group_sum_open(NULL, numbers, SIZE, 1, &release), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 1, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_release_groups(g, &release, NULL), DPPAIR_ERR_NULL);
}

/* What is not offered: the derivative with respect to each embedding clipped by itself. Record 0 is
 * what all others are compared with; it turns all of their terms over, and not its own alone. */
static void clipping_each_records_term_is_no_proof(void **state) {
  enum { BATCH = 12 };
  double mean[2];
  (void)state;
  for (int side = 0; side < 2; side++) { /* z_0 = 30 or -1; the others 1, partners 2 */
    const double z0 = side ? -1 : 30, z = 1, partner = 2;
    mean[side] = 0;
    for (int i = 1; i < BATCH; i++) {
      const double own = exp(z * partner - 30), from_0 = exp(z * z0 - 30);
      const double share = from_0 / (from_0 + own);
      const double dz = share * (z0 - partner);
      mean[side] += (dz > 1e-3 ? 1e-3 : dz < -1e-3 ? -1e-3 : dz) / BATCH; /* clip 1e-3 */
    }
  }
  assert_true(fabs(mean[0] - mean[1]) > 0.8 * 2 * 1e-3); /* and not 2 1e-3/BATCH */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_noise_is_for_one_group_that_moves),
      TEST(a_mean_is_that_of_the_shortened_vectors),
      TEST(no_vector_is_longer_than_the_clip),
      TEST(a_group_that_overflows_has_no_status_and_counts_as_zero),
      TEST(a_sum_belongs_to_the_groups_of_one_draw),
      TEST(a_sum_of_an_earlier_run_is_refused),
      TEST(plans_without_a_proof_for_groups_are_refused),
      TEST(clipping_each_records_term_is_no_proof),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
