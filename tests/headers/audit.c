/* SPDX-License-Identifier: MIT */
/* The audit hook: every event in order with what belongs to it, and a run that repeats another one
 * with its outputs and draws put in place. */
#include "tests.h"

struct dppair_event;
static int hook(struct dppair_event *event);
#define DPPAIR_AUDIT(event) hook(event)
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair_selection.h"
#include "dppair.h"
#include "draws.h"

/* --- a recorder ------------------------------------------------------------------------------- */

enum { EVENTS = 64, ROOM = 64 };
typedef struct recorded {
  dppair_event event;
  unsigned char bytes[8 * ROOM]; /* values when it was told */
  size_t count;
} recorded;
static recorded logged[EVENTS], first[EVENTS];
static size_t told, told_first;
static int freezing; /* the outputs and draws of `first` are put in place */

/* How many events of a kind were told before the last one. */
static size_t number_of(dppair_event_kind kind) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < told; i++) count += logged[i].event.kind == kind;
  return count;
}

static int hook(struct dppair_event *event) {
  recorded *r = &logged[told++];
  const recorded *from = NULL;
  size_t skip;
  assert_true(told <= EVENTS && event->n * event->width <= sizeof r->bytes);
  memset(r, 0, sizeof *r);
  r->event = *event;
  if (event->values != NULL) memcpy(r->bytes, event->values, event->n * event->width);
  if (event->count != NULL) r->count = *event->count;
  if (!freezing || (event->kind != DPPAIR_EVENT_ADD && event->kind != DPPAIR_EVENT_DRAWN)) return 0;
  /* what was added n-th then is the n-th output now */
  skip = number_of(event->kind);
  for (size_t i = 0; i < told_first; i++) {
    const dppair_event_kind wanted =
        event->kind == DPPAIR_EVENT_ADD ? DPPAIR_EVENT_ADDED : DPPAIR_EVENT_DRAWN;
    if (first[i].event.kind == wanted && skip-- == 0) from = &first[i];
    if (from != NULL) break;
  }
  assert_non_null(from);
  assert_true(from->event.n == event->n && from->event.width == event->width);
  memcpy(event->values, from->bytes, event->n * event->width);
  if (event->count != NULL) *event->count = from->count;
  return 1;
}

static void forget(void) {
  told = 0;
  freezing = 0;
}

static void keep(void) {
  memcpy(first, logged, sizeof first);
  told_first = told;
  forget();
}

static dppair_rng keyed(uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32] = {42};
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

/* The last two events: noise of a law, before and after. */
static void added(const char *law, const void *before, const void *after, size_t n, size_t width,
                  double scale, const void *rng, dppair_status status) {
  assert_true(told >= 2);
  for (size_t k = told - 2; k < told; k++) {
    const dppair_event *e = &logged[k].event;
    const int last = k + 1 == told;
    assert_int_equal(e->kind, last ? DPPAIR_EVENT_ADDED : DPPAIR_EVENT_ADD);
    assert_string_equal(e->name, law);
    assert_true(e->n == n && e->width == width && e->count == NULL && e->scale == scale);
    assert_true(e->sensitivity == 0.0 && e->what == NULL && e->by == rng);
    assert_int_equal(e->status, last ? status : DPPAIR_OK);
    assert_memory_equal(logged[k].bytes, last ? after : before, n * width);
  }
}

static void adders_tell_what_they_add_to_and_what_they_release(void **state) {
  double x[20], before[20];
  float f[20], narrow[20];
  dppair_rng rng = keyed(1);
  (void)state;
  forget();
  for (int i = 0; i < 20; i++) narrow[i] = f[i] = (float)(before[i] = x[i] = i / 7.0);
  assert_int_equal(dppair_add_gaussian_f64(x, 20, 1.5, &rng), DPPAIR_OK);
  assert_true(told == 2);
  added("gaussian", before, x, 20, sizeof *x, 1.5, &rng, DPPAIR_OK);
  assert_memory_not_equal(x, before, sizeof x);
  memcpy(before, x, sizeof x);
  assert_int_equal(dppair_add_laplace_f64_grid(x, 20, 2.5, 12, &rng), DPPAIR_OK);
  added("laplace", before, x, 20, sizeof *x, 2.5, &rng, DPPAIR_OK);
  memcpy(before, x, sizeof x);
  assert_int_equal(dppair_add_l2ball_f64(x, 20, 0.5, &rng), DPPAIR_OK);
  added("l2ball", before, x, 20, sizeof *x, 0.5, &rng, DPPAIR_OK);
  assert_int_equal(dppair_add_gaussian_f32(f, 20, 1.5, &rng), DPPAIR_OK);
  added("gaussian", narrow, f, 20, sizeof *f, 1.5, &rng, DPPAIR_OK);
  memcpy(narrow, f, sizeof f);
  assert_int_equal(dppair_add_laplace_f32(f, 20, 1.5, &rng), DPPAIR_OK);
  added("laplace", narrow, f, 20, sizeof *f, 1.5, &rng, DPPAIR_OK);
  memcpy(before, x, sizeof x);
  assert_int_equal(dppair_add_gaussian_f64(x, 20, -1.0, &rng), DPPAIR_ERR_SIGMA);
  added("gaussian", before, x, 20, sizeof *x, -1.0, &rng, DPPAIR_ERR_SIGMA);
  assert_true(x[0] == 0.0 && x[19] == 0.0);
  assert_true(told == 12);
  forget(); /* the self-test is nobody's release */
  assert_int_equal(dppair_noise_check(), DPPAIR_OK);
  assert_true(told == 0);
}

static void bytes_of_the_system_and_of_generators_are_draws(void **state) {
  const dppair_event *e = &logged[0].event;
  uint8_t bytes[20];
  dppair_rng rng;
  double u;
  (void)state;
  assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK); /* its self-test before */
  forget();
  assert_int_equal(dppair_rng_from_os(&rng), DPPAIR_OK);
  assert_true(told == 1 && e->kind == DPPAIR_EVENT_DRAWN && e->n == 32 && e->width == 1);
  assert_string_equal(e->name, "key");
  forget();
  assert_int_equal(dppair_rng_bytes(bytes, sizeof bytes, &rng), DPPAIR_OK);
  assert_true(told == 1 && e->n == sizeof bytes && e->width == 1 && e->by == &rng);
  assert_string_equal(e->name, "bytes");
  assert_memory_equal(logged[0].bytes, bytes, sizeof bytes);
  forget();
  assert_int_equal(dppair_rng_uniform_f64(&u, &rng), DPPAIR_OK);
  assert_true(told == 1 && e->n == 8 && u > 0.0 && u < 1.0);
}

static void what_is_tried_on_copies_is_told_to_be_void(void **state) {
  dppair_accountant account;
  dppair_release release;
  dppair_plan plan;
  size_t charged = 0, tried = 0;
  (void)state;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(20, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0;
  plan.delta = 1e-3;
  plan.steps = 2;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  forget();
  assert_int_equal(dppair_release_open(&release, &account, &plan, NULL), DPPAIR_OK);
  for (size_t i = 0; i < told; i++) {
    charged += logged[i].event.kind == DPPAIR_EVENT_CHARGED;
    tried += logged[i].event.kind == DPPAIR_EVENT_TRIED;
    if (logged[i].event.kind == DPPAIR_EVENT_TRIED) { /* each follows its charge */
      assert_true(i > 0 && logged[i - 1].event.kind == DPPAIR_EVENT_CHARGED);
      assert_true(logged[i].event.by == logged[i - 1].event.by && logged[i].event.by != &account);
    }
  }
  assert_true(tried > 0 && charged == tried + 1); /* the account's own is the one that counts */
  dppair_release_close(&release);
  forget();
}

static void draws_tell_the_sampling_and_the_records(void **state) {
  const dppair_sampling poisson = dppair_sampling_poisson(20, 5, DPPAIR_REPLACE_ONE);
  const dppair_sampling matching = dppair_sampling_matching(20, 6, DPPAIR_REPLACE_ONE);
  size_t v[20], count;
  dppair_rng rng = keyed(2);
  const dppair_event *e = &logged[0].event;
  (void)state;
  forget();
  assert_int_equal(dppair_draw(v, &count, 20, &poisson, &rng), DPPAIR_OK);
  assert_true(told == 1 && e->kind == DPPAIR_EVENT_DRAWN && e->n == 20 && e->count == &count);
  assert_true(e->what == &poisson && e->by == &rng && e->status == DPPAIR_OK && e->values == v);
  assert_string_equal(e->name, "records");
  assert_true(logged[0].count == count && e->width == sizeof *v);
  assert_memory_equal(logged[0].bytes, v, sizeof v);
  forget();
  assert_int_equal(dppair_draw(v, &count, 20, &matching, &rng), DPPAIR_OK);
  assert_true(told == 1 && logged[0].count == 6); /* its shuffle is a part of it */
  forget();
  assert_int_equal(dppair_draw_pairs(v, &count, 10, &matching, &rng), DPPAIR_OK);
  assert_true(told == 1 && e->n == 20 && logged[0].count == 3 && e->what == &matching);
  assert_string_equal(e->name, "pairs");
  forget();
  assert_int_equal(dppair_shuffle(v, 20, &rng), DPPAIR_OK);
  assert_true(told == 1 && e->n == 20 && e->count == NULL && e->what == NULL);
  assert_string_equal(e->name, "order");
  assert_memory_equal(logged[0].bytes, v, sizeof v);
  forget();
  assert_int_equal(dppair_draw(v, &count, 19, &poisson, &rng), DPPAIR_ERR_SIZE);
  assert_true(told == 1 && e->status == DPPAIR_ERR_SIZE && logged[0].count == 0);
}

/* Two steps on data x: a batch of records, their sum with noise, a walk that begins there. */
static void walk(double out[2][3], const double *x, uint64_t key) {
  const dppair_sampling s = dppair_sampling_poisson(20, 10, DPPAIR_REPLACE_ONE);
  dppair_rng noise = keyed(key), indices = keyed(key + 1);
  size_t index[20], count;
  for (int t = 0; t < 2; t++) {
    for (int k = 0; k < 3; k++) out[t][k] = t > 0 ? out[t - 1][k] : 0.0;
    assert_int_equal(dppair_draw(index, &count, 20, &s, &indices), DPPAIR_OK);
    for (size_t i = 0; i < count; i++) out[t][index[i] % 3] += x[index[i]];
    assert_int_equal(dppair_add_gaussian_f64(out[t], 3, 1.0, &noise), DPPAIR_OK);
  }
}

/* Neighbouring data under other keys, with the outputs and draws of the first run put in place:
 * what the noise would have been added to differs by the record that changed, and by nothing else,
 * although the second step begins where the first one ended. */
static void a_run_repeats_with_its_outputs_in_place(void **state) {
  double x[20], y[20], a[2][3], b[2][3], moved = 0.0;
  (void)state;
  for (int i = 0; i < 20; i++) y[i] = x[i] = i;
  y[7] = 100.0;
  forget();
  walk(a, x, 14);
  assert_true(told == 6);
  keep();
  freezing = 1;
  walk(b, y, 20);
  assert_memory_equal(a, b, sizeof a);
  assert_true(told == 4); /* no noise is added where the output is in place */
  for (int t = 0; t < 2; t++) {
    const recorded *then = &first[3 * t + 1], *now = &logged[2 * t + 1], *batch = &first[3 * t];
    double u[3], v[3], expected = 0.0;
    assert_true(then->event.kind == DPPAIR_EVENT_ADD && now->event.kind == DPPAIR_EVENT_ADD);
    assert_true(then->event.scale == now->event.scale);
    memcpy(u, then->bytes, sizeof u);
    memcpy(v, now->bytes, sizeof v);
    for (size_t i = 0; i < batch->count; i++) {
      size_t record;
      memcpy(&record, batch->bytes + i * sizeof record, sizeof record);
      if (record == 7) expected = 93.0;
    }
    assert_true(fabs(v[0] - u[0]) < 1e-9 && fabs(v[2] - u[2]) < 1e-9);
    assert_true(fabs(v[1] - u[1] - expected) < 1e-9);
    moved = fmax(moved, expected);
  }
  assert_true(moved > 0.0);
  forget();
}

/* Everything that draws or adds noise, once. */
typedef struct all_drawn {
  uint8_t bytes[20];
  size_t order[20], records[20], pairs[20], batch[20], counts[3];
  uint64_t runs;
  int64_t whole[4];
  double v[3][4];
} all_drawn;
static void draw_all(all_drawn *d, uint64_t key) {
  const dppair_sampling poisson = dppair_sampling_poisson(20, 9, DPPAIR_REPLACE_ONE);
  const dppair_sampling pairs = dppair_sampling_with_replacement(20, 10, DPPAIR_REPLACE_ONE);
  const dppair_sampling epoch = dppair_sampling_allocation(20, 3, 1, DPPAIR_ZERO_OUT);
  dppair_rng rng = keyed(key), system;
  memset(d, 0, sizeof *d);
  for (size_t i = 0; i < 20; i++) d->order[i] = i;
  assert_int_equal(dppair_rng_from_os(&system), DPPAIR_OK); /* the hook's key, or the system's */
  assert_int_equal(dppair_rng_bytes(d->bytes, sizeof d->bytes, &rng), DPPAIR_OK);
  assert_int_equal(dppair_shuffle(d->order, 20, &rng), DPPAIR_OK);
  assert_int_equal(dppair_draw(d->records, &d->counts[0], 20, &poisson, &rng), DPPAIR_OK);
  assert_int_equal(dppair_draw_pairs(d->pairs, &d->counts[1], 10, &pairs, &rng), DPPAIR_OK);
  assert_int_equal(dppair_draw_allocation(d->batch, &d->counts[2], 20, &epoch, 2, &rng), DPPAIR_OK);
  assert_int_equal(dppair_draw_runs(&d->runs, 1.0, 0.01, &rng), DPPAIR_OK);
  assert_int_equal(dppair_add_skellam(d->whole, 4, 1e6, &rng), DPPAIR_OK);
  assert_int_equal(dppair_add_gaussian_f64(d->v[0], 4, 1.0, &rng), DPPAIR_OK);
  assert_int_equal(dppair_add_laplace_f64(d->v[1], 4, 1.0, &rng), DPPAIR_OK);
  assert_int_equal(dppair_add_l2ball_f64(d->v[2], 4, 1.0, &rng), DPPAIR_OK);
}

static void whatever_is_drawn_can_be_put_in_place(void **state) {
  static all_drawn once, again, other;
  (void)state;
  forget();
  draw_all(&once, 50);
  keep();
  draw_all(&other, 60);
  forget();
  freezing = 1;
  draw_all(&again, 60);
  forget();
  assert_memory_equal(&again, &once, sizeof once);
  assert_memory_not_equal(other.bytes, once.bytes, sizeof once.bytes);
  assert_memory_not_equal(other.order, once.order, sizeof once.order);
  assert_memory_not_equal(other.records, once.records, sizeof once.records);
  assert_memory_not_equal(other.pairs, once.pairs, sizeof once.pairs);
  assert_memory_not_equal(other.batch, once.batch, sizeof once.batch);
  assert_memory_not_equal(other.whole, once.whole, sizeof once.whole);
  for (size_t i = 0; i < 3; i++) assert_memory_not_equal(other.v[i], once.v[i], sizeof once.v[i]);
  assert_true(other.runs != once.runs);
}

static void charges_tell_the_account_and_what_it_wrote_down(void **state) {
  dppair_accountant account, copy;
  const dppair_event *e = &logged[0].event;
  (void)state;
  forget();
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_accountant_gaussian(&account, 0.5, 2.0, 3), DPPAIR_OK);
  assert_true(told == 1 && e->kind == DPPAIR_EVENT_CHARGED && e->by == &account);
  assert_true(e->sensitivity == 0.5 && e->scale == 2.0 && e->values == NULL);
  assert_string_equal(e->name, "gaussian");
  forget();
  assert_int_equal(dppair_accountant_laplace(&account, 1.0, 4.0, 1), DPPAIR_OK);
  assert_int_equal(dppair_accountant_failure(&account, 1e-9), DPPAIR_OK);
  assert_true(told == 2 && account.sequence == 3);
  assert_string_equal(e->name, "laplace");
  copy = account;
  forget();
  assert_int_equal(dppair_accountant_pure(&copy, 0.1, 1), DPPAIR_OK);
  assert_true(told == 1 && e->by == &copy);
  forget(); /* what is refused is not charged */
  assert_int_equal(dppair_accountant_gaussian(&account, 0.5, -2.0, 3), DPPAIR_ERR_SIGMA);
  assert_true(told == 0);
}

/* A plan of two releases over a Poisson sample of x: sums that move by 1 at most. */
static dppair_release opened;
static dppair_accountant account;
static void plan_of_two(double out[2], const double *x, uint8_t key_byte) {
  uint8_t key[32] = {0}, nonce[DPPAIR_NONCE_SIZE] = {3};
  const dppair_release_keys keys = {key, nonce};
  dppair_plan plan;
  size_t index[20], count;
  key[0] = key_byte;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_poisson(20, 10, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = 3.0;
  plan.steps = 2;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&opened, &account, &plan, &keys), DPPAIR_OK);
  for (int t = 0; t < 2; t++) {
    out[t] = 0.0;
    assert_int_equal(draw_now(index, &count, 20, &opened), DPPAIR_OK);
    for (size_t i = 0; i < count; i++) out[t] += x[index[i]];
    assert_int_equal(dppair_release_vector(&out[t], 1, &opened, 1.0), DPPAIR_OK);
  }
  dppair_release_close(&opened);
}

static void a_plan_tells_all_events_in_order_and_repeats(void **state) {
  static const dppair_event_kind order[9] = {
      DPPAIR_EVENT_CHARGED, DPPAIR_EVENT_DRAWN, DPPAIR_EVENT_RELEASE,
      DPPAIR_EVENT_ADD,     DPPAIR_EVENT_ADDED, DPPAIR_EVENT_DRAWN,
      DPPAIR_EVENT_RELEASE, DPPAIR_EVENT_ADD,   DPPAIR_EVENT_ADDED};
  double x[20], y[20], a[2], b[2], u, v, moved = 0.0;
  (void)state;
  for (int i = 0; i < 20; i++) y[i] = x[i] = i % 4 / 4.0;
  y[6] = x[6] + 0.5;
  forget();
  plan_of_two(a, x, 7);
  assert_true(told == 9);
  for (int k = 0; k < 9; k++) assert_int_equal(logged[k].event.kind, order[k]);
  assert_true(logged[0].event.by == &account);
  for (int t = 0; t < 2; t++) {
    const dppair_event *drawn = &logged[4 * t + 1].event, *r = &logged[4 * t + 2].event;
    const dppair_event *add = &logged[4 * t + 3].event;
    assert_true(drawn->by == &opened.draw && r->by == &opened && add->by == &opened.noise);
    assert_true(r->values == &a[t] && r->n == 1 && r->sensitivity == 1.0);
    assert_true(r->scale == add->scale && r->scale >= 3.0 && r->scale < 3.0 + 1e-12);
    assert_memory_equal(logged[4 * t + 2].bytes, logged[4 * t + 3].bytes, sizeof u);
    assert_memory_equal(logged[4 * t + 4].bytes, &a[t], sizeof u);
    assert_memory_not_equal(logged[4 * t + 3].bytes, &a[t], sizeof u);
  }
  keep();
  freezing = 1; /* neighbouring data, another key: the same draws and outputs, and what moved */
  plan_of_two(b, y, 8);
  assert_memory_equal(a, b, sizeof a);
  assert_true(told == 7);
  for (int t = 0; t < 2; t++) {
    assert_int_equal(logged[3 * t + 2].event.kind, DPPAIR_EVENT_RELEASE);
    memcpy(&u, first[4 * t + 2].bytes, sizeof u);
    memcpy(&v, logged[3 * t + 2].bytes, sizeof v);
    assert_true(fabs(u - v) <= logged[3 * t + 2].event.sensitivity);
    moved = fmax(moved, fabs(u - v));
  }
  assert_true(moved > 0.4); /* the record was drawn */
  forget();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(adders_tell_what_they_add_to_and_what_they_release),
      TEST(bytes_of_the_system_and_of_generators_are_draws),
      TEST(what_is_tried_on_copies_is_told_to_be_void),
      TEST(draws_tell_the_sampling_and_the_records),
      TEST(a_run_repeats_with_its_outputs_in_place),
      TEST(whatever_is_drawn_can_be_put_in_place),
      TEST(charges_tell_the_account_and_what_it_wrote_down),
      TEST(a_plan_tells_all_events_in_order_and_repeats),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
