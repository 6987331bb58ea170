/* SPDX-License-Identifier: MIT */
/* Releases of what compares records in groups: the mean of clipped vectors of groups, of a host's
 * network or of a row loss, and the softmax over a batch. */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"

#define DPPAIR_NAME con
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair.h"

#include "groups_attack.h"

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
  assert_int_equal(dppair_release_draw(drawn, &count, N, &release), DPPAIR_OK);
}

static void begin(double clip) {
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, clip, &release), DPPAIR_OK);
}

static double norm(const double *v, size_t size) {
  long double square = 0;
  for (size_t k = 0; k < size; k++) square += (long double)v[k] * (long double)v[k];
  return (double)sqrtl(square);
}

/* ---- vectors of groups --------------------------------------------------------------------- */

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
      {dppair_sampling_all(8, DPPAIR_REPLACE_PERSON), 8, 2},
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
    assert_int_equal(dppair_groups_terms_(&terms, &release, 0.5), DPPAIR_OK);
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
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 1, &release), DPPAIR_ERR_NO_PROOF);
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
  assert_int_equal(dppair_release_draw(drawn, &count, N, &other), DPPAIR_OK);
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
  dppair_sampling owned = dppair_sampling_without_replacement(N, 4, DPPAIR_REPLACE_PERSON);
  (void)state;
  for (size_t p = 0; p <= sizeof plan / sizeof *plan; p++) {
    owned.owned = 2; /* records are drawn, persons protected */
    open_of(&release, &account, p ? plan[p - 1].sampling : owned);
    if (release.sampling.kind != DPPAIR_ALL) draw();
    assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 1, &release),
                     p ? plan[p - 1].status : DPPAIR_ERR_NO_PROOF);
    assert_null(sum.sum);
    assert_int_equal(dppair_release_groups(g, &release, &sum), DPPAIR_ERR_DOMAIN);
  }
  open_of(&release, &account, matching());
  draw();
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, 0, &release), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, -1, &release), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_group_sum_open(&sum, numbers, SIZE, (double)NAN, &release),
                   DPPAIR_ERR_NO_PROOF);
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

/* ---- a softmax over the batch -------------------------------------------------------------- */

enum { RECORDS = 30, FEATURES = 4, EMBEDDED = 3 };

/* Two views of some records, a map, and the same with record `at` replaced. */
typedef struct batch {
  size_t n, d, k;
  double x[2][RECORDS * FEATURES], w[FEATURES * EMBEDDED];
} batch;

static double work[1 << 15];
static dppair_pass pass;

static void fill(batch *b, size_t n, size_t d, size_t k, double scale) {
  memset(b, 0, sizeof *b);
  b->n = n, b->d = d, b->k = k;
  for (size_t e = 0; e < n * d; e++) b->x[0][e] = scale * normal(), b->x[1][e] = scale * normal();
  for (size_t e = 0; e < d * k; e++) b->w[e] = normal();
}

static dppair_rows_f64 view(const batch *b, int side) {
  dppair_rows_f64 rows = dppair_rows_make_f64(b->x[side], b->n, b->d, b->d);
  rows.radius = 1e6;
  return rows;
}

static void prepare(double clip) {
  memset(&pass, 0, sizeof pass);
  pass.clip = clip;
  pass.work = work;
  pass.bytes = sizeof work;
}

/* The gradient of -s_ii + log sum e^s_ij, similarity by similarity, in 80 bits; *clipped: how many
 * were shortened. */
static void softmax_of(long double *to, const batch *b, double temperature, double clip,
                       size_t *clipped) {
  long double z[2][RECORDS * EMBEDDED] = {{0}, {0}}, s[RECORDS];
  const long double t = (long double)temperature, c = (long double)clip;
  *clipped = 0;
  memset(to, 0, FEATURES * EMBEDDED * sizeof *to);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < b->n; i++)
      for (size_t f = 0; f < b->d; f++)
        for (size_t e = 0; e < b->k; e++)
          z[side][i * b->k + e] +=
              (long double)b->x[side][i * b->d + f] * (long double)b->w[f * b->k + e];
  for (size_t i = 0; i < b->n; i++) {
    long double total = 0;
    for (size_t j = 0; j < b->n; j++) {
      s[j] = 0;
      for (size_t e = 0; e < b->k; e++) s[j] += z[0][i * b->k + e] * z[1][j * b->k + e] / t;
      s[j] = s[j] > 1 / t ? 1 / t : s[j] < -1 / t ? -1 / t : s[j];
      total += expl(s[j]);
    }
    for (size_t j = 0; j < b->n; j++) {
      long double each[FEATURES * EMBEDDED], square = 0, weight = expl(s[j]) / total - (i == j);
      for (size_t f = 0; f < b->d; f++)
        for (size_t e = 0; e < b->k; e++) {
          const long double v = ((long double)b->x[0][i * b->d + f] * z[1][j * b->k + e] +
                                 (long double)b->x[1][j * b->d + f] * z[0][i * b->k + e]) /
                                t;
          each[f * b->k + e] = v;
          square += v * v;
        }
      if (square > c * c) weight *= c / sqrtl(square), ++*clipped;
      for (size_t e = 0; e < b->d * b->k; e++) to[e] += weight * each[e];
    }
  }
}

static void a_softmax_is_that_of_the_definition(void **state) {
  size_t all = 0;
  (void)state;
  for (int round = 0; round < (BRIEF ? 20 : 60); round++) {
    static batch b;
    const double temperature = round % 3 ? 1 : between(0.2, 3), clip = round % 2 ? 1e3 : uniform();
    long double expected[FEATURES * EMBEDDED];
    double found[FEATURES * EMBEDDED], cut[FEATURES * EMBEDDED], factor[RECORDS], size = 0;
    const dppair_parts parts = {3, NULL, NULL};
    dppair_rows_f64 rows, others;
    size_t clipped, needed;
    fill(&b, below(RECORDS + 1), 1 + below(FEATURES), 1 + below(EMBEDDED), 0.5);
    rows = view(&b, 0), others = view(&b, 1);
    if (round == 7) memset(b.x, 0, sizeof b.x);
    prepare(clip);
    softmax_of(expected, &b, temperature, clip, &clipped);
    all += clipped;
    assert_int_equal(con_softmax_gradient(found, &rows, &others, b.w, b.k, temperature, &pass),
                     DPPAIR_OK);
    for (size_t e = 0; e < b.d * b.k; e++) size += fabs((double)expected[e]);
    for (size_t e = 0; e < b.d * b.k; e++)
      assert_true(fabs((double)((long double)found[e] - expected[e])) <= 1e-12 * (size + 1e-9));
    /* in parts; rows half as long with factors of 2 */
    pass.parts = &parts;
    assert_int_equal(con_softmax_workspace(&needed, b.n, b.d, b.k, &pass), DPPAIR_OK);
    assert_true(needed <= sizeof work);
    for (size_t i = 0; i < RECORDS; i++) factor[i] = 2;
    for (size_t e = 0; e < RECORDS * FEATURES; e++) b.x[0][e] /= 2;
    rows.factor = factor;
    assert_int_equal(con_softmax_gradient(cut, &rows, &others, b.w, b.k, temperature, &pass),
                     DPPAIR_OK);
    assert_memory_equal(found, cut, b.d * b.k * sizeof *cut);
  }
  assert_true(all > 100);
}

/* How far a record moves the mean, as a part of S. */
static double moved_by(const batch *b, const batch *next, double temperature, double clip,
                       double sensitivity) {
  double v[2][FEATURES * EMBEDDED], move[FEATURES * EMBEDDED];
  const batch *of[2] = {b, next};
  prepare(clip);
  for (int side = 0; side < 2; side++) {
    const dppair_rows_f64 rows = view(of[side], 0), others = view(of[side], 1);
    assert_int_equal(con_softmax_gradient(v[side], &rows, &others, b->w, b->k, temperature, &pass),
                     DPPAIR_OK);
  }
  for (size_t e = 0; e < b->d * b->k; e++) move[e] = (v[0][e] - v[1][e]) / (double)b->n;
  return norm(move, b->d * b->k) / sensitivity;
}

/* Neighbours that climb: each number of either view of any record, of the replacement and of the
 * map may change, and stays where that moves the mean farther. The largest ratio is close to 1,
 * since the bound is attained. */
static void no_neighbour_moves_a_softmax_farther_than_its_sensitivity(void **state) {
  const int trials = few_or_all(300, 100000);
  const double temperatures[] = {0.5, 1, 4};
  double most = 0;
  (void)state;
  for (int begin = 0; begin < trials; begin += 300) {
    static batch b, next, b2, next2;
    const double temperature = temperatures[below(3)], clip = 1e-3;
    const size_t n = 2 + below(3), d = 1 + below(2), k = 1 + below(2), at = below(n);
    double best, scale = 2, v[FEATURES * EMBEDDED];
    dppair_rows_f64 rows, others;
    fill(&b, n, d, k, 1);
    if (begin == 0) /* the ends of the range, against each other */
      for (size_t e = 0; e < n * d; e++) b.x[0][e] = e / d == at ? 3 : 1, b.x[1][e] = 2;
    next = b;
    for (size_t e = at * d; e < (at + 1) * d; e++) next.x[0][e] = normal(), next.x[1][e] = normal();
    rows = view(&b, 0), others = view(&b, 1);
    open_of(&release, &account, dppair_sampling_all(n, DPPAIR_REPLACE_ONE));
    prepare(clip);
    assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, k, temperature, &pass),
                     DPPAIR_OK);
    best = moved_by(&b, &next, temperature, clip, release.sensitivity);
    for (int t = 0; t < 300; t++) {
      b2 = b, next2 = next;
      for (size_t changes = 1 + below(3); changes > 0; changes--) {
        const size_t i = below(n), e = i * d + below(d), side = below(2);
        const double by = scale * normal();
        if (below(8) == 0) {
          const size_t place = below(d * k);
          b2.w[place] = next2.w[place] = b2.w[place] + by;
        } else if (i == at && below(2)) {
          b2.x[side][e] += by;
        } else {
          next2.x[side][e] += by;
          if (i != at) b2.x[side][e] = next2.x[side][e];
        }
      }
      const double ratio = moved_by(&b2, &next2, temperature, clip, release.sensitivity);
      assert_true(ratio <= 1.0);
      if (ratio >= best) b = b2, next = next2, best = ratio;
      if (t % 100 == 99) scale /= 2;
    }
    most = best > most ? best : most;
  }
  if (getenv("FRONTIER") != NULL) print_message("softmax: at most %.4f of S\n", most);
  assert_true(most > 0.5);
}

/* ---- a row loss in groups ------------------------------------------------------------------ */

static dppair_contrast how(void) {
  dppair_contrast c;
  memset(&c, 0, sizeof c);
  c.temperature = 0.5;
  return c;
}

/* A mean of its own: the groups' gradients by NAME_contrast_map_gradient, shortened by hand. */
static void mean_of(double *mean, const batch *b, size_t group, const dppair_contrast *c,
                    double clip) {
  static double room[1 << 13];
  const size_t size = b->d * b->k;
  dppair_pass alone;
  memset(&alone, 0, sizeof alone);
  alone.work = room;
  alone.bytes = sizeof room;
  memset(mean, 0, size * sizeof *mean);
  for (size_t j = 0; j < b->n / group; j++) {
    double v[FEATURES * EMBEDDED], length;
    dppair_rows_f64 rows = dppair_rows_make_f64(b->x[0] + j * group * b->d, group, b->d, b->d);
    dppair_rows_f64 others = dppair_rows_make_f64(b->x[1] + j * group * b->d, group, b->d, b->d);
    assert_int_equal(con_contrast_map_gradient(v, &rows, &others, b->w, b->k, c, &alone),
                     DPPAIR_OK);
    length = norm(v, size);
    for (size_t e = 0; e < size; e++)
      mean[e] += v[e] * (length > clip ? clip / length : 1) / (double)(b->n / group);
  }
}

static dppair_status release_of(const batch *b, const dppair_contrast *c) {
  const dppair_rows_f64 rows = view(b, 0), others = view(b, 1);
  const size_t size = b->d * b->k, before = release.step;
  static double v[FEATURES * EMBEDDED];
  dppair_status status;
  for (size_t e = 0; e < size; e++) v[e] = 77;
  status = con_release_contrast(v, &release, &rows, &others, b->w, b->k, c, &pass);
  for (size_t e = 0; e < size; e++) assert_true(status == DPPAIR_OK ? v[e] != 77 : v[e] == 0);
  assert_true(release.step == before + (status == DPPAIR_OK));
  if (status == DPPAIR_OK) memcpy(g, v, (size < SIZE ? size : SIZE) * sizeof *g);
  return status;
}

/* Noise of 1e-7 S, so that what it hides can be seen; the bits do not follow what stood in the
 * workspace. */
static void a_row_loss_is_released_as_the_mean_of_its_groups(void **state) {
  (void)state;
  open_of(&release, &account, matching());
  release.noise_multiplier = 1e-7;
  for (int round = 0; round < 20; round++) {
    static batch b;
    const dppair_parts parts = {1 + (size_t)round % 3, NULL, NULL};
    dppair_contrast c = how();
    double mean[FEATURES * EMBEDDED];
    size_t needed;
    c.compare = round % 2 ? DPPAIR_COMPARE_COSINE : DPPAIR_COMPARE_DOT;
    c.two_sided = round % 4 < 2;
    if (round % 3 == 0) c.compare = DPPAIR_COMPARE_DOT, c.two_sided = 0, c.angle = 0.7;
    fill(&b, 12, 3, 2, 1);
    draw();
    prepare(round % 5 ? 0.3 : 30);
    pass.parts = &parts;
    assert_int_equal(con_release_contrast_workspace(&needed, G, 1, b.d, b.k, &c, &pass), DPPAIR_OK);
    assert_true(needed <= sizeof work);
    memset(work, round % 2 ? 0xff : 0x3f, sizeof work);
    assert_int_equal(release_of(&b, &c), DPPAIR_OK);
    assert_true(fabs(release.sensitivity / pass.clip - 0.5) < 1e-12); /* 2 C of 4 groups */
    mean_of(mean, &b, G, &c, pass.clip);
    for (int k = 0; k < SIZE; k++) assert_true(fabs(mean[k] - g[k]) < 8e-7 * release.sensitivity);
    pass.bytes = needed - 1;
    draw();
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_WORKSPACE);
    pass.bytes = needed;
    assert_int_equal(release_of(&b, &c), DPPAIR_OK);
  }
}

GROUPS_ATTACK(con, double, f64)

static void no_neighbour_moves_groups_farther_than_their_sensitivity(void **state) {
  (void)state;
  assert_true(con_attack(BRIEF ? 100 : 300) > 0.9);
}

/* A plan of queries: groups of any size, one of them empty, one that overflows. */
static void groups_of_any_size_are_those_of_a_plan_of_queries(void **state) {
  static const size_t places[] = {0, 5, 5, 6, 12};
  dppair_groups groups;
  dppair_contrast c = how();
  static batch b;
  (void)state;
  memset(&groups, 0, sizeof groups);
  groups.count = 4, groups.positive = places, groups.relation = DPPAIR_WITHIN, groups.most = 12;
  for (int odd = 0; odd < 3; odd++) {
    fill(&b, 12, 3, 2, 1);
    if (odd) b.x[1][4] = odd == 1 ? (double)NAN : 1e300; /* a promise that is broken */
    open_of(&release, &account, dppair_sampling_all(4, DPPAIR_ZERO_QUERY));
    prepare(1);
    pass.groups = &groups;
    assert_int_equal(release_of(&b, &c), DPPAIR_OK);
    assert_true(fabs(release.sensitivity - 0.25) < 1e-12);
    groups.count = 3;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_SIZE);
    groups.count = 4, groups.most = 0;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_SIZE);
    groups.most = 12, groups.relation = DPPAIR_ACROSS;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_ADJACENCY);
    groups.relation = DPPAIR_WITHIN, pass.groups = NULL;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_ADJACENCY);
  }
}

static void what_a_release_of_groups_refuses(void **state) {
  static batch b;
  static const size_t partner[G] = {1, 2, 3};
  static const double offset[G] = {0, HUGE_VAL, 0}, weight[N] = {0};
  double v[FEATURES * EMBEDDED];
  dppair_contrast c = how();
  dppair_rows_f64 rows, others;
  (void)state;
  fill(&b, 12, 3, 2, 1);
  open_of(&release, &account, matching());
  prepare(1);
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NO_PROOF); /* nothing was drawn */
  draw();
  prepare(0);
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NO_PROOF);
  prepare(1);
  c.temperature = 0;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_DOMAIN);
  c = how(), c.positives = DPPAIR_POSITIVE_PARTNER;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NULL);
  c.partner = partner;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_SIZE);
  c = how(), c.offset = offset;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NOT_FINITE);
  c = how(), c.positives = DPPAIR_POSITIVE_LABEL;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NULL);
  c = how(), b.n = 9;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_SIZE);
  b.n = 12, b.w[1] = (double)NAN;
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NOT_FINITE);
  fill(&b, 12, 3, 2, 1);
  rows = view(&b, 0), others = view(&b, 1);
  others.n = 11;
  assert_int_equal(con_release_contrast(v, &release, &rows, &others, b.w, b.k, &c, &pass),
                   DPPAIR_ERR_SIZE);
  others.n = 12, others.positives = 1; /* gathered by class: the groups would follow the labels */
  assert_int_equal(con_release_contrast(v, &release, &rows, &others, b.w, b.k, &c, &pass),
                   DPPAIR_ERR_NO_PROOF);
  others.positives = 0, others.weight = weight;
  assert_int_equal(con_release_contrast(v, &release, &rows, &others, b.w, b.k, &c, &pass),
                   DPPAIR_ERR_NO_PROOF);
  assert_int_equal(con_release_contrast(v, &release, &rows, NULL, b.w, b.k, &c, &pass),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(con_release_contrast(v, &release, NULL, NULL, b.w, b.k, &c, &pass),
                   DPPAIR_ERR_NULL);
  assert_int_equal(con_release_contrast(v, NULL, &rows, NULL, b.w, b.k, &c, &pass),
                   DPPAIR_ERR_NULL);
  assert_int_equal(release_of(&b, &c), DPPAIR_OK);
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NO_PROOF); /* the draw was used */
}

/* dL/dz of groups: those of each group alone; of one that is not finite 0, and no status. */
static void embeddings_have_the_gradients_of_their_own_group(void **state) {
  static batch b;
  const dppair_contrast c = how();
  double dz[2][12 * 3], alone[2][G * 3];
  dppair_rows_f64 rows, others;
  (void)state;
  fill(&b, 12, 3, 1, 1);
  b.x[0][4 * 3] = HUGE_VAL; /* of group 1 */
  rows = view(&b, 0), others = view(&b, 1);
  prepare(0);
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, G, &c, &pass), DPPAIR_OK);
  for (size_t j = 0; j < 4; j++) {
    const dppair_rows_f64 one = dppair_rows_make_f64(b.x[0] + j * G * 3, G, 3, 3);
    const dppair_rows_f64 two = dppair_rows_make_f64(b.x[1] + j * G * 3, G, 3, 3);
    assert_int_equal(con_contrast_gradient(alone[0], alone[1], &one, &two, &c, &pass),
                     j == 1 ? DPPAIR_ERR_NOT_FINITE : DPPAIR_OK);
    for (int side = 0; side < 2; side++)
      assert_memory_equal(dz[side] + j * G * 3, alone[side], sizeof alone[side]);
  }
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, 0, &c, &pass),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, 5, &c, &pass),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(con_contrast_groups(dz[0], NULL, &rows, &others, G, &c, &pass), DPPAIR_ERR_NULL);
  prepare(1);
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, G, &c, &pass),
                   DPPAIR_ERR_NO_PROOF);
  prepare(0);
  pass.bytes = 100;
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, G, &c, &pass),
                   DPPAIR_ERR_WORKSPACE);
  assert_true(dz[0][0] == 0.0 && dz[1][35] == 0.0);
}

/* S and divisor of a softmax by the plan; what has no proof. */
static void a_softmax_is_released_where_its_move_is_known(void **state) {
  const struct {
    dppair_sampling sampling;
    size_t batch; /* that S is of; 0: refused */
    double divisor;
    dppair_adjacency move;
    dppair_status status;
  } plan[] = {
      {dppair_sampling_all(8, DPPAIR_REPLACE_ONE), 8, 8, DPPAIR_REPLACE_ONE, DPPAIR_OK},
      {dppair_sampling_all(8, DPPAIR_ZERO_OUT), 8, 8, DPPAIR_ZERO_OUT, DPPAIR_OK},
      {dppair_sampling_without_replacement(8, 4, DPPAIR_REPLACE_ONE), 4, 4, DPPAIR_REPLACE_ONE,
       DPPAIR_OK},
      {dppair_sampling_with_replacement(8, 4, DPPAIR_REPLACE_ONE), 4, 4, DPPAIR_REPLACE_ONE,
       DPPAIR_OK},
      {dppair_sampling_poisson(8, 4, DPPAIR_REPLACE_ONE), 8, 4, DPPAIR_ZERO_OUT, DPPAIR_OK},
      {dppair_sampling_poisson(8, 4, DPPAIR_ZERO_OUT), 8, 4, DPPAIR_ZERO_OUT, DPPAIR_OK},
      {dppair_sampling_allocation(8, 4, 1, DPPAIR_ZERO_OUT), 8, 2, DPPAIR_ZERO_OUT, DPPAIR_OK},
      {dppair_sampling_matching(8, 4, DPPAIR_REPLACE_ONE), 0, 0, DPPAIR_ZERO_OUT,
       DPPAIR_ERR_NO_PROOF},
      {dppair_sampling_all(8, DPPAIR_REPLACE_QUERY), 0, 0, DPPAIR_ZERO_OUT, DPPAIR_ERR_ADJACENCY},
  };
  (void)state;
  for (size_t p = 0; p < sizeof plan / sizeof *plan; p++) {
    static batch b;
    double v[FEATURES * EMBEDDED], s;
    dppair_rows_f64 rows, others;
    size_t needed;
    open_of(&release, &account, plan[p].sampling);
    count = 8;
    if (plan[p].sampling.kind != DPPAIR_ALL) draw();
    fill(&b, count, 3, 2, 1);
    rows = view(&b, 0), others = view(&b, 1);
    prepare(0.25);
    assert_int_equal(con_softmax_workspace(&needed, 8, 3, 2, &pass), DPPAIR_OK);
    pass.bytes = needed;
    assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, b.k, 1.5, &pass),
                     plan[p].status);
    assert_true((v[0] == 0.0) == (plan[p].status != DPPAIR_OK));
    if (plan[p].status != DPPAIR_OK) continue;
    assert_int_equal(dppair_sensitivity_softmax(&s, 0.25, 1.5, plan[p].batch, plan[p].move),
                     DPPAIR_OK);
    assert_true(release.sensitivity >= s / plan[p].divisor);
    assert_true(release.sensitivity <= s / plan[p].divisor * (1 + 1e-8));
    s = release.sensitivity * plan[p].divisor - s * (1 + 1e-12); /* what rounding adds */
    assert_true(fabs(s / (10 * 16384 * DBL_EPSILON * 8 * 0.25) - 1) < 1e-3 || plan[p].batch != 8);
    assert_true(release.divisor == plan[p].divisor);
  }
}

/* Batches of a random size, none and one among them: no status shows it. */
static void an_empty_batch_is_released_like_any_other(void **state) {
  int sizes[2][4] = {{0}};
  (void)state;
  for (int by_query = 0; by_query < 2; by_query++) {
    const dppair_adjacency neighbours = by_query ? DPPAIR_REPLACE_QUERY : DPPAIR_REPLACE_ONE;
    open_of(&release, &account, dppair_sampling_poisson(3, 1, neighbours));
    for (int t = 0; t < 60; t++) {
      static const size_t places[] = {0, 2, 4, 6};
      static batch b;
      dppair_contrast c = how();
      dppair_groups groups;
      dppair_rows_f64 rows, others;
      double v[FEATURES * EMBEDDED];
      size_t needed;
      draw();
      sizes[by_query][count]++;
      fill(&b, by_query ? 2 * count : count, 3, 2, 1);
      rows = view(&b, 0), others = view(&b, 1);
      prepare(1);
      memset(&groups, 0, sizeof groups);
      groups.count = count, groups.positive = places, groups.relation = DPPAIR_WITHIN;
      groups.most = 6;
      if (by_query) { /* two records each; groups->most bounds all rows */
        pass.groups = &groups;
        assert_int_equal(con_release_contrast_workspace(&needed, 6, 1, 3, 2, &c, &pass), DPPAIR_OK);
        pass.bytes = needed;
        assert_int_equal(release_of(&b, &c), DPPAIR_OK);
        assert_true(fabs(release.sensitivity - 1) < 1e-12);
      } else {
        assert_int_equal(con_softmax_workspace(&needed, 3, 3, 2, &pass), DPPAIR_OK);
        pass.bytes = needed;
        assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, 2, 1, &pass),
                         DPPAIR_OK);
        draw();
        pass.bytes = needed - 1; /* whatever was drawn */
        assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, 2, 1, &pass),
                         rows.n == count ? DPPAIR_ERR_WORKSPACE : DPPAIR_ERR_SIZE);
        release.drawn_for = 0;
      }
    }
  }
  for (int by_query = 0; by_query < 2; by_query++)
    assert_true(sizes[by_query][0] > 0 && sizes[by_query][1] > 0 && sizes[by_query][2] > 0);
}

static void what_a_softmax_refuses(void **state) {
  static batch b;
  static const double weight[8] = {0};
  double v[FEATURES * EMBEDDED];
  dppair_rows_f64 rows, others, odd;
  (void)state;
  fill(&b, 8, 3, 2, 1);
  rows = view(&b, 0), others = view(&b, 1);
  open_of(&release, &account, dppair_sampling_all(8, DPPAIR_REPLACE_ONE));
#define REFUSED(rows, others, temperature, status)                                                 \
  assert_int_equal(con_release_softmax(v, &release, rows, others, b.w, b.k, temperature, &pass),   \
                   status);                                                                        \
  assert_true(v[0] == 0.0 && v[5] == 0.0 && release.step == 0)
  prepare(1);
  REFUSED(&rows, &others, 0.0, DPPAIR_ERR_DOMAIN);
  REFUSED(&rows, &others, 1e-3, DPPAIR_ERR_DOMAIN);
  REFUSED(&rows, &others, (double)NAN, DPPAIR_ERR_NOT_FINITE);
  REFUSED(&rows, NULL, 1, DPPAIR_ERR_NULL);
  odd = others, odd.n = 7;
  REFUSED(&rows, &odd, 1, DPPAIR_ERR_SIZE);
  REFUSED(&odd, &others, 1, DPPAIR_ERR_SIZE);
  odd = others, odd.radius = 0;
  REFUSED(&rows, &odd, 1, DPPAIR_ERR_NO_PROOF);
  REFUSED(&odd, &rows, 1, DPPAIR_ERR_NO_PROOF);
  odd = others, odd.radius = 1e30; /* squares of rows that underflow could count beside those */
  REFUSED(&rows, &odd, 1, DPPAIR_ERR_OVERFLOW);
  REFUSED(&odd, &others, 1, DPPAIR_ERR_OVERFLOW);
  b.w[2] = 1e30;
  REFUSED(&rows, &others, 1, DPPAIR_ERR_OVERFLOW);
  fill(&b, 8, 3, 2, 1);
  odd = others, odd.positives = 1; /* a gathered view in another order */
  REFUSED(&rows, &odd, 1, DPPAIR_ERR_NO_PROOF);
  REFUSED(&odd, &others, 1, DPPAIR_ERR_NO_PROOF);
  odd = others, odd.weight = weight;
  REFUSED(&rows, &odd, 1, DPPAIR_ERR_NO_PROOF);
  prepare(0);
  REFUSED(&rows, &others, 1, DPPAIR_ERR_NO_PROOF);
  prepare(1e-100);
  REFUSED(&rows, &others, 1, DPPAIR_ERR_DOMAIN);
  prepare(1);
  pass.bytes = 1000;
  REFUSED(&rows, &others, 1, DPPAIR_ERR_WORKSPACE);
  prepare(1);
  b.w[2] = HUGE_VAL;
  REFUSED(&rows, &others, 1, DPPAIR_ERR_NOT_FINITE);
  fill(&b, 8, 3, 2, 1);
  b.x[0][3] = (double)NAN; /* a promise that is broken: uses the permit */
  assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, b.k, 1, &pass),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(v[0] == 0.0 && release.step == 1);
#undef REFUSED
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
      TEST(a_softmax_is_that_of_the_definition),
      TEST(no_neighbour_moves_a_softmax_farther_than_its_sensitivity),
      TEST(a_row_loss_is_released_as_the_mean_of_its_groups),
      TEST(no_neighbour_moves_groups_farther_than_their_sensitivity),
      TEST(groups_of_any_size_are_those_of_a_plan_of_queries),
      TEST(what_a_release_of_groups_refuses),
      TEST(embeddings_have_the_gradients_of_their_own_group),
      TEST(a_softmax_is_released_where_its_move_is_known),
      TEST(an_empty_batch_is_released_like_any_other),
      TEST(what_a_softmax_refuses),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
