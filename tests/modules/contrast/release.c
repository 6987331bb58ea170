/* SPDX-License-Identifier: MIT */
/* Releases of what compares records: a row loss in groups, and the softmax over a batch. */
#include "dppair_allocation.h"

#define DPPAIR_NAME con
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

#include "clips.h"

#include "groups_attack.h"
#include "draws.h"

enum { N = 24, G = 3, SIZE = 6, STEPS = 400 };
static const uint8_t KEY[32] = {7}, RUN[16] = {8};
static const dppair_release_keys FIXED = {KEY, RUN};

static double g[SIZE];
static dppair_accountant account;
static dppair_release release;
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

static double norm(const double *v, size_t size) {
  long double square = 0;
  for (size_t k = 0; k < size; k++) square += (long double)v[k] * (long double)v[k];
  return (double)sqrtl(square);
}

static dppair_sampling matching(void) {
  return dppair_sampling_groups(N, 12, G, DPPAIR_REPLACE_ONE);
}

/* ---- a softmax over the batch -------------------------------------------------------------- */

enum { RECORDS = 30, FEATURES = 4, EMBEDDED = 3 };

/* Two views of some records, a map, and the same with record `at` replaced. */
typedef struct batch {
  size_t n, d, k;
  double x[2][RECORDS * FEATURES], w[FEATURES * EMBEDDED];
} batch;

static double work[1 << 15];
static dppair_options options;

static void fill(batch *b, size_t n, size_t d, size_t k, double scale) {
  memset(b, 0, sizeof *b);
  b->n = n, b->d = d, b->k = k;
  for (size_t e = 0; e < n * d; e++) b->x[0][e] = scale * normal(), b->x[1][e] = scale * normal();
  for (size_t e = 0; e < d * k; e++) b->w[e] = normal();
}

static dppair_rows_f64 view(const batch *b, int side) {
  dppair_rows_f64 rows = dppair_rows_make_f64(b->x[side], b->n, b->d, b->d);
  rows.radius = 1e6;
  rows.serial = drawn_now.serial;
  return rows;
}

static void prepare(double clip) {
  memset(&options, 0, sizeof options);
  options.clip = clip_of(dppair_clip_init, clip);
  options.work = work;
  options.bytes = sizeof work;
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
    const dppair_tasks parts = {3, NULL, NULL};
    dppair_rows_f64 rows, others;
    size_t clipped, needed;
    fill(&b, below(RECORDS + 1), 1 + below(FEATURES), 1 + below(EMBEDDED), 0.5);
    rows = view(&b, 0), others = view(&b, 1);
    if (round == 7) memset(b.x, 0, sizeof b.x);
    prepare(clip);
    softmax_of(expected, &b, temperature, clip, &clipped);
    all += clipped;
    assert_int_equal(con_softmax_gradient(found, &rows, &others, b.w, b.k, temperature, &options),
                     DPPAIR_OK);
    for (size_t e = 0; e < b.d * b.k; e++) size += fabs((double)expected[e]);
    for (size_t e = 0; e < b.d * b.k; e++)
      assert_true(fabs((double)((long double)found[e] - expected[e])) <= 1e-12 * (size + 1e-9));
    /* in parts; rows half as long with factors of 2 */
    options.tasks = &parts;
    assert_int_equal(con_softmax_workspace(&needed, b.n, b.d, b.k, &options), DPPAIR_OK);
    assert_true(needed <= sizeof work);
    for (size_t i = 0; i < RECORDS; i++) factor[i] = 2;
    for (size_t e = 0; e < RECORDS * FEATURES; e++) b.x[0][e] /= 2;
    rows.factor = factor;
    assert_int_equal(con_softmax_gradient(cut, &rows, &others, b.w, b.k, temperature, &options),
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
    assert_int_equal(con_softmax_gradient(v[side], &rows, &others, b->w, b->k, temperature, &options),
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
    assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, k, temperature, &options),
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
  dppair_options alone;
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
  status = con_release_contrast(v, &release, &rows, &others, b->w, b->k, c, &options);
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
    const dppair_tasks parts = {1 + (size_t)round % 3, NULL, NULL};
    dppair_contrast c = how();
    double mean[FEATURES * EMBEDDED];
    size_t needed;
    c.compare = round % 2 ? DPPAIR_COMPARE_COSINE : DPPAIR_COMPARE_DOT;
    c.two_sided = round % 4 < 2;
    if (round % 3 == 0) c.compare = DPPAIR_COMPARE_DOT, c.two_sided = 0, c.angle = 0.7;
    fill(&b, 12, 3, 2, 1);
    draw();
    prepare(round % 5 ? 0.3 : 30);
    options.tasks = &parts;
    assert_int_equal(con_release_contrast_workspace(&needed, G, 1, b.d, b.k, &c, &options), DPPAIR_OK);
    assert_true(needed <= sizeof work);
    memset(work, round % 2 ? 0xff : 0x3f, sizeof work);
    assert_int_equal(release_of(&b, &c), DPPAIR_OK);
    assert_true(fabs(release.sensitivity / options.clip->bound - 0.5) < 1e-12); /* 2 C of 4 groups */
    mean_of(mean, &b, G, &c, options.clip->bound);
    for (int k = 0; k < SIZE; k++) assert_true(fabs(mean[k] - g[k]) < 8e-7 * release.sensitivity);
    options.bytes = needed - 1;
    draw();
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_WORKSPACE);
    options.bytes = needed;
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
    options.groups = &groups;
    assert_int_equal(release_of(&b, &c), DPPAIR_OK);
    assert_true(fabs(release.sensitivity - 0.25) < 1e-12);
    groups.count = 3;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_SIZE);
    groups.count = 4, groups.most = 0;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_SIZE);
    groups.most = 12, groups.relation = DPPAIR_ACROSS;
    assert_int_equal(release_of(&b, &c), DPPAIR_ERR_ADJACENCY);
    groups.relation = DPPAIR_WITHIN, options.groups = NULL;
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
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NOT_DRAWN); /* nothing was drawn */
  draw();
  prepare(0);
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NO_RADIUS);
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
  assert_int_equal(con_release_contrast(v, &release, &rows, &others, b.w, b.k, &c, &options),
                   DPPAIR_ERR_SIZE);
  others.n = 12, others.positives = 1; /* gathered by class: the groups would follow the labels */
  assert_int_equal(con_release_contrast(v, &release, &rows, &others, b.w, b.k, &c, &options),
                   DPPAIR_ERR_NO_PROOF);
  others.positives = 0, others.weight = weight;
  assert_int_equal(con_release_contrast(v, &release, &rows, &others, b.w, b.k, &c, &options),
                   DPPAIR_ERR_NO_PROOF);
  assert_int_equal(con_release_contrast(v, &release, &rows, NULL, b.w, b.k, &c, &options),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(con_release_contrast(v, &release, NULL, NULL, b.w, b.k, &c, &options),
                   DPPAIR_ERR_NULL);
  assert_int_equal(con_release_contrast(v, NULL, &rows, NULL, b.w, b.k, &c, &options),
                   DPPAIR_ERR_NULL);
  assert_int_equal(release_of(&b, &c), DPPAIR_OK);
  assert_int_equal(release_of(&b, &c), DPPAIR_ERR_NOT_DRAWN); /* the draw was used */
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
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, G, &c, &options), DPPAIR_OK);
  for (size_t j = 0; j < 4; j++) {
    const dppair_rows_f64 one = dppair_rows_make_f64(b.x[0] + j * G * 3, G, 3, 3);
    const dppair_rows_f64 two = dppair_rows_make_f64(b.x[1] + j * G * 3, G, 3, 3);
    assert_int_equal(con_contrast_gradient(alone[0], alone[1], &one, &two, &c, &options),
                     j == 1 ? DPPAIR_ERR_NOT_FINITE : DPPAIR_OK);
    for (int side = 0; side < 2; side++)
      assert_memory_equal(dz[side] + j * G * 3, alone[side], sizeof alone[side]);
  }
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, 0, &c, &options),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, 5, &c, &options),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(con_contrast_groups(dz[0], NULL, &rows, &others, G, &c, &options), DPPAIR_ERR_NULL);
  prepare(1);
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, G, &c, &options),
                   DPPAIR_ERR_NO_PROOF);
  prepare(0);
  options.bytes = 100;
  assert_int_equal(con_contrast_groups(dz[0], dz[1], &rows, &others, G, &c, &options),
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
    assert_int_equal(con_softmax_workspace(&needed, 8, 3, 2, &options), DPPAIR_OK);
    options.bytes = needed;
    assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, b.k, 1.5, &options),
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
        options.groups = &groups;
        assert_int_equal(con_release_contrast_workspace(&needed, 6, 1, 3, 2, &c, &options), DPPAIR_OK);
        options.bytes = needed;
        assert_int_equal(release_of(&b, &c), DPPAIR_OK);
        assert_true(fabs(release.sensitivity - 1) < 1e-12);
      } else {
        assert_int_equal(con_softmax_workspace(&needed, 3, 3, 2, &options), DPPAIR_OK);
        options.bytes = needed;
        assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, 2, 1, &options),
                         DPPAIR_OK);
        draw();
        rows.serial = others.serial = drawn_now.serial;
        options.bytes = needed - 1; /* whatever was drawn */
        assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, 2, 1, &options),
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
  assert_int_equal(con_release_softmax(v, &release, rows, others, b.w, b.k, temperature, &options),   \
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
  REFUSED(&rows, &odd, 1, DPPAIR_ERR_NO_RADIUS);
  REFUSED(&odd, &rows, 1, DPPAIR_ERR_NO_RADIUS);
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
  options.bytes = 1000;
  REFUSED(&rows, &others, 1, DPPAIR_ERR_WORKSPACE);
  prepare(1);
  b.w[2] = HUGE_VAL;
  REFUSED(&rows, &others, 1, DPPAIR_ERR_NOT_FINITE);
  fill(&b, 8, 3, 2, 1);
  b.x[0][3] = (double)NAN; /* a promise that is broken: uses the permit */
  assert_int_equal(con_release_softmax(v, &release, &rows, &others, b.w, b.k, 1, &options),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(v[0] == 0.0 && release.step == 1);
#undef REFUSED
}

int main(void) {
  const struct CMUnitTest tests[] = {
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
