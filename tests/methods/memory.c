/* SPDX-License-Identifier: MIT */
/* Parts of methods that a whole run does not show: no memory, what memory still holds when it is
 * given back, users without a record, what is chosen for a part of a budget. */
#include "tests.h"

#include "methods/marginals.h"
#include "methods/moments.h"
#include "methods/pairs.h"
#include "methods/passes.h"
#include "support/solver.h"

/* Allocations of the methods below: after `succeeding` of them one fails; blocks that are freed
 * with anything in them are counted. */
static size_t succeeding, unwiped;
static struct {
  unsigned char *at;
  size_t size;
} blocks[64];

static void *block_new(size_t size) {
  size_t k = 0;
  if (succeeding-- == 0) return NULL;
  while (blocks[k].at != NULL) k++;
  blocks[k].at = calloc(1, size > 0 ? size : 1);
  blocks[k].size = size;
  return blocks[k].at;
}

static void block_free(void *at) {
  size_t k = 0, i, full = 0;
  if (at == NULL) return;
  while (blocks[k].at != at) k++;
  for (i = 0; i < blocks[k].size; i++) full += blocks[k].at[i] != 0;
  unwiped += full > 0;
  free(at);
  blocks[k].at = NULL;
}

#define malloc(size) block_new(size)
#define calloc(count, size) block_new((count) * (size))
#define free(at) block_free(at)
#include "dppair_auto.h"
#include "dppair_tables.h"
#include "methods/gradient.c"
#include "methods/marginals.c"
/* names that those files have, too */
#define prepare(...) niewang_prepare(__VA_ARGS__)
#include "methods/niewang2017.c"
#undef prepare
#define release_maps(...) moments_release_maps(__VA_ARGS__)
#include "methods/moments.c"
#undef release_maps
#undef malloc
#undef calloc
#undef free

/* Of the list of methods these are not looked at. */
const method method_pointwise, method_online, method_auto, method_declared, method_histogram_bayes,
    method_dpebm, method_one_vector, method_statistics, method_adassp, method_adassp_maps,
    method_lda, method_lda_maps, method_selection, method_stopping, method_kang2021, method_dpgdsc,
    method_dpgdc2, method_dpegd, method_offpairstrc, method_offpairc, method_yang2021, method_dpsgd,
    method_dpsgd_mlp, method_dplssgd, method_dplssgd_mlp, method_dpsgd_allocation,
    method_dpsgd_poisson, method_dpsgd_subset, method_bolton, method_pidpsgd, method_softmax,
    method_filter, method_filter_pairs;

enum { N = 12, D = 2, MANY = 1000 };
typedef struct sample {
  double x[N * D], y[N];
  size_t group[N];
  dppair_rng noise, indices;
  task t;
} sample;

static void keys(sample *s) {
  uint8_t key[32] = {7};
  assert_int_equal(dppair_rng_from_key(&s->noise, key, 1), DPPAIR_OK);
  assert_int_equal(dppair_rng_from_key(&s->indices, key, 2), DPPAIR_OK);
}

static void fill(sample *s) {
  size_t i;
  memset(s, 0, sizeof *s);
  succeeding = MANY;
  unwiped = 0;
  for (i = 0; i < N * D; i++) s->x[i] = uniform() - .5;
  for (i = 0; i < N; i++) s->y[i] = i < N / 2 ? 1 : -1;
  keys(s);
  s->t.noise = &s->noise;
  s->t.indices = &s->indices;
  s->t.train.n = N;
  s->t.train.d = D;
  s->t.train.x = s->t.train.raw = s->x;
  s->t.train.y = s->y;
  s->t.scale = SCALE_ROW;
  s->t.epsilon = 1;
  s->t.delta = 1e-3;
}

/* Each allocation in turn is the one that fails. */
static void a_method_without_memory_says_so(void **unused) {
  static const method *const all[] = {&method_gd, &method_niewang2017, &method_niewang2017_fourier,
                                      &method_niewang2017_pairs};
  size_t c, fails, k;
  (void)unused;
  for (c = 0; c < sizeof all / sizeof *all; c++)
    for (fails = 0;; fails++) {
      sample s;
      model m;
      dppair_status status;
      fill(&s);
      succeeding = fails;
      status = method_train(&m, all[c], &s.t);
      model_free(&m);
      for (k = 0; k < sizeof blocks / sizeof *blocks; k++) assert_null(blocks[k].at);
      if (status == DPPAIR_OK) break;
      assert_int_equal(status, DPPAIR_ERR_OVERFLOW);
      assert_true(fails < 20);
    }
}

static void a_matrix_without_memory_is_not_solved(void **unused) {
  const double v[3] = {2 * MOMENT_SCALE, 0, 4 * MOMENT_SCALE};
  double x[2] = {2, 4};
  (void)unused;
  succeeding = 0;
  assert_int_equal(moments_solve(x, v, 2, 0), DPPAIR_ERR_OVERFLOW);
  succeeding = 1;
  assert_int_equal(moments_solve(x, v, 2, 0), DPPAIR_OK);
  assert_true(fabs(x[0] - 1) < 1e-12 && fabs(x[1] - 1) < 1e-12);
}

/* What is freed is zero, but for weights that were released: also where the noise is refused. */
static void minimisers_without_their_noise_are_wiped(void **unused) {
  sample s;
  model m;
  (void)unused;
  fill(&s);
  assert_int_equal(method_train(&m, &method_niewang2017, &s.t), DPPAIR_OK);
  assert_int_equal(unwiped, 0);
  model_free(&m);
  fill(&s);
  assert_int_equal(method_train(&m, &method_niewang2017_pairs, &s.t), DPPAIR_OK);
  assert_int_equal(unwiped, 1); /* as they are in the model */
  model_free(&m);
  fill(&s);
  memset(&s.noise, 0, sizeof s.noise); /* no generator: there is no noise */
  assert_int_not_equal(method_train(&m, &method_niewang2017, &s.t), DPPAIR_OK);
  assert_int_not_equal(method_train(&m, &method_niewang2017_pairs, &s.t), DPPAIR_OK);
  assert_int_equal(unwiped, 0);
}

/* What is no gradient certifies no minimiser: there are no pairs of one record. */
static void a_descent_without_a_gradient_ends_with_its_status(void **unused) {
  const pair_plan plan = {1, 0.5, 1, 1, 1};
  double v[D], w[D], g[D] = {0};
  sample s;
  pairs p;
  (void)unused;
  fill(&s);
  assert_int_equal(pairs_open(&p, &s.t, RANK_IND, NORM_L2, 1, pair_link_find("logistic", NULL)),
                   DPPAIR_OK);
  p.n = 1;
  assert_int_equal(descend_pairs(v, w, g, &p, &plan, 0, 1), DPPAIR_ERR_SIZE);
  p.n = N;
  pairs_close(&p);
}

/* What calls have left below, in 64 kB of the stack; it is zeroed. */
__attribute__((noinline)) static int left_below(const uint8_t key[KEY_SIZE]) {
  unsigned char area[1 << 16];
  size_t i;
  int found = 0;
  __asm__ __volatile__("" : : "r"(area) : "memory");
  for (i = 0; i + 16 <= sizeof area; i++) found += memcmp(area + i, key, 16) == 0;
  memset(area, 0, sizeof area);
  __asm__ __volatile__("" : : "r"(area) : "memory");
  return found;
}

/* The keys of a plan are the next bytes of the task's generator. */
static void the_keys_of_a_plan_do_not_stay_on_the_stack(void **unused) {
  uint8_t key[KEY_SIZE + 16];
  sample s;
  spending spent;
  dppair_rng same;
  (void)unused;
  fill(&s);
  same = s.noise;
  assert_int_equal(dppair_rng_bytes(key, sizeof key, &same), DPPAIR_OK);
  assert_int_equal(spending_begin(&spent, &s.t), DPPAIR_OK);
  (void)left_below(key);
  assert_int_equal(spend_all(&spent, 1), DPPAIR_OK);
  assert_int_equal(left_below(key), 0);
  spending_end(&spent);
}

/* --- rows in passes --------------------------------------------------------------------------- */

enum { PERSONS = 6, WITH_RECORDS = 4 };
typedef struct source {
  const double *rows; /* positives first, in both classes user by user */
  size_t positive[WITH_RECORDS + 1], negative[WITH_RECORDS + 1], passes;
  int read;
} source;

static dppair_status source_rewind(void *context) {
  source *s = context;
  s->read = 0;
  s->passes++;
  return DPPAIR_OK;
}

static dppair_status source_next(dppair_rows_f64 *rows, dppair_groups *groups, void *context) {
  source *s = context;
  *rows = dppair_rows_make_f64(s->rows, s->read ? 0 : N, D, D);
  if (s->read++) return DPPAIR_OK;
  rows->positives = N / 2;
  groups->count = WITH_RECORDS;
  groups->positive = s->positive;
  groups->negative = s->negative;
  return DPPAIR_OK;
}

/* Users who are declared and have no record count in the passes as they do in memory. */
static void persons_without_a_record_are_counted_in_passes(void **unused) {
  static const size_t user[N / 2] = {0, 0, 1, 1, 2, 3}; /* and no 4, no 5 */
  sample s;
  model in_memory, in_passes;
  source from;
  course c;
  size_t i;
  (void)unused;
  fill(&s);
  for (i = 0; i < N; i++) s.group[i] = user[i % (N / 2)];
  s.t.adjacency = DPPAIR_REPLACE_USER;
  s.t.train.group = s.group;
  s.t.train.groups = PERSONS;
  s.t.most = FAST_FROM; /* from which on sums have no order */
  s.t.with.steps = 3;
  memset(&from, 0, sizeof from);
  memset(&c, 0, sizeof c);
  s.t.course = &c; /* with one, a plan's noise is another: here it has no rows */
  assert_int_equal(method_train(&in_memory, &method_gd, &s.t), DPPAIR_OK);
  from.rows = s.x;
  for (i = 0; i < N / 2; i++) from.positive[user[i] + 1]++;
  for (i = 0; i < WITH_RECORDS; i++) from.positive[i + 1] += from.positive[i];
  memcpy(from.negative, from.positive, sizeof from.negative);
  c.context = &from;
  c.rewind = source_rewind;
  c.next = source_next;
  c.block = N;
  c.users = WITH_RECORDS;
  keys(&s);
  assert_int_equal(method_train(&in_passes, &method_gd, &s.t), DPPAIR_OK);
  assert_true(from.passes == 6);
  assert_memory_equal(in_passes.theta, in_memory.theta, D * sizeof(double));
  model_free(&in_memory);
  model_free(&in_passes);
}

/* --- parts of a budget ------------------------------------------------------------------------ */

/* Maps that are released with what `auto` gives to its first release are those that it chooses. */
static void maps_are_chosen_as_auto_chooses_with_the_whole_budget(void **unused) {
  enum { COLUMNS = 3 };
  size_t pure, k;
  (void)unused;
  for (pure = 0; pure < 2; pure++)
    for (k = 0; k < 20; k++) {
      const double budget = 2 + .37 * (double)k;
      dppair_column columns[COLUMNS];
      dppair_auto_room_ r;
      dppair_auto_choice_ whole;
      double *room;
      sample s;
      fill(&s);
      if (pure) s.t.delta = 0;
      memset(columns, 0, sizeof columns);
      memset(&r, 0, sizeof r);
      for (size_t j = 0; j < COLUMNS; j++) {
        columns[j].kind = DPPAIR_COLUMN_NUMERIC;
        columns[j].high = 1;
      }
      room = malloc(dppair_auto_take_(&r, NULL, 1, COLUMNS, columns));
      assert_non_null(room);
      (void)dppair_auto_take_(&r, dppair_align_((char *)room), 1, COLUMNS, columns);
      r.columns = columns;
      r.d = COLUMNS;
      r.n = 100;
      dppair_auto_choose_(&whole, budget, (int)pure, 100, COLUMNS, COLUMNS, 1);
      assert_true(whole.route == DPPAIR_AUTO_FIT); /* of which the share is a quarter of mu^2 */
      assert_int_equal(choose(&r, &s.t, whole.before), DPPAIR_OK);
      assert_true(fabs(r.c.rho / whole.rho - 1) < 1e-12 && r.c.learned == whole.learned);
      assert_true(r.c.degrees == 1 && r.c.side == whole.side);
      free(room);
    }
}

/* The squares of all columns are taken for .05 together at least. */
static void a_mapped_row_is_not_shorter_than_its_floor(void **unused) {
  static feature_map maps[2];
  (void)unused;
  assert_true(fabs(maps_length(maps, 2) - sqrt(.05)) < 1e-15);
  maps[0].square = maps[1].square = 2;
  assert_true(fabs(maps_length(maps, 2) - 2) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_method_without_memory_says_so),
      TEST(a_matrix_without_memory_is_not_solved),
      TEST(minimisers_without_their_noise_are_wiped),
      TEST(a_descent_without_a_gradient_ends_with_its_status),
      TEST(the_keys_of_a_plan_do_not_stay_on_the_stack),
      TEST(persons_without_a_record_are_counted_in_passes),
      TEST(maps_are_chosen_as_auto_chooses_with_the_whole_budget),
      TEST(a_mapped_row_is_not_shorter_than_its_floor),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
