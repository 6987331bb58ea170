/* SPDX-License-Identifier: MIT */
/* Accounts: whose neighbours they are about, what they count and chain. Ledgers: what is written is
 * what is read, replayed it is the same account, and nothing else replays. */
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "accountant_common.h"
#include "questions.h"

static const dppair_adjacency unstated = (dppair_adjacency)0, replace = DPPAIR_REPLACE_ONE,
                              zero = DPPAIR_ZERO_OUT;

static dppair_accountant fresh(void) {
  dppair_accountant a;
  assert_ok(dppair_accountant_init(&a));
  return a;
}

/* All fields, doubles by their bits; what lies between fields is nobody's. */
static int same_account(const dppair_accountant *a, const dppair_accountant *b) {
  const double x[5] = {a->gaussian, a->additions, a->zcdp, a->pure, a->failure};
  const double y[5] = {b->gaussian, b->additions, b->zcdp, b->pure, b->failure};
  size_t i;
  if (a->ready != b->ready || a->broken != b->broken || a->adjacency != b->adjacency ||
      a->named != b->named || a->stated != b->stated || a->unattained != b->unattained ||
      a->folded != b->folded || a->count != b->count || a->sequence != b->sequence ||
      a->check != b->check || memcmp(x, y, sizeof x) != 0 ||
      memcmp(a->recent, b->recent, sizeof a->recent) != 0 ||
      memcmp(a->rdp, b->rdp, sizeof a->rdp) != 0)
    return 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_same_step_(&a->step[i], &b->step[i]) || a->step[i].steps != b->step[i].steps)
      return 0;
  return 1;
}

static int same_entry(const dppair_ledger_entry *a, const dppair_ledger_entry *b) {
  const double x[3] = {a->sensitivity, a->sigma, a->failure};
  const double y[3] = {b->sensitivity, b->sigma, b->failure};
  return dppair_same_step_(&a->step, &b->step) && a->step.steps == b->step.steps &&
         a->sequence == b->sequence && a->check == b->check && memcmp(x, y, sizeof x) == 0 &&
         memcmp(a->nonce, b->nonce, sizeof a->nonce) == 0;
}

static dppair_step plain(dppair_mechanism_kind kind, double z, size_t steps,
                         dppair_adjacency adjacency) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.noise_multiplier = z;
  s.steps = steps;
  s.sampling.adjacency = adjacency;
  return s;
}

static dppair_status sampled(dppair_accountant *a, dppair_adjacency adjacency) {
  return dppair_accountant_sampled_gaussian(a, test_sampling(DPPAIR_POISSON, adjacency, 0.01, 0, 0),
                                            1.0, 2.0, 10);
}

static void assert_broken(dppair_accountant *a, dppair_status want) {
  double e;
  assert_int_equal(answer_epsilon(&e, a, 1e-5), want);
  assert_true(e == 0.0);
  assert_int_equal(dppair_accountant_neighbours(a, replace), want);
  assert_int_equal(dppair_accountant_gaussian(a, 1, 1, 1), want);
}

/* ---- Whose neighbours ------------------------------------------------------------------------ */

static void stated_neighbours_are_those_of_every_step(void **state) {
  dppair_accountant a = fresh(), b;
  dppair_step s;
  (void)state;
  assert_true(a.adjacency == unstated);
  assert_ok(dppair_accountant_neighbours(&a, zero));
  assert_ok(dppair_accountant_neighbours(&a, zero));
  assert_ok(dppair_accountant_gaussian(&a, 1, 1, 1));
  assert_ok(dppair_accountant_laplace(&a, 1, 1, 1));
  assert_ok(dppair_accountant_pure(&a, 1, 1));
  assert_ok(sampled(&a, zero));
  assert_true(a.adjacency == zero);
  assert_true(a.step[0].sampling.adjacency == zero && a.step[1].sampling.adjacency == zero);
  b = a;
  assert_int_equal(dppair_accountant_neighbours(&b, replace), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  b = a;
  assert_int_equal(dppair_accountant_neighbours(&b, (dppair_adjacency)17), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  b = a;
  assert_int_equal(sampled(&b, replace), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  s = plain(DPPAIR_GAUSSIAN, 1, 1, replace);
  assert_int_equal(dppair_accountant_step(&a, &s), DPPAIR_ERR_ADJACENCY);
  assert_broken(&a, DPPAIR_ERR_ADJACENCY);
  assert_int_equal(dppair_accountant_neighbours(NULL, replace), DPPAIR_ERR_NULL);
  b = fresh();
  assert_int_equal(dppair_accountant_neighbours(&b, unstated), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
}

/* What every step states need not be stated besides. */
static void steps_that_all_state_their_neighbours_state_them(void **state) {
  dppair_accountant a = fresh();
  const dppair_step s = plain(DPPAIR_LAPLACE, 1, 1, replace);
  (void)state;
  assert_ok(sampled(&a, replace));
  assert_ok(dppair_accountant_step(&a, &s));
  assert_true(a.adjacency == replace);
  assert_ok(dppair_accountant_failure(&a, 1e-9)); /* of any neighbours */
  assert_true(a.adjacency == replace);
  assert_ok(dppair_accountant_neighbours(&a, replace));
  assert_ok(dppair_accountant_pure(&a, 1, 1));
  assert_true(a.adjacency == replace);
}

/* An account that holds a step which states nothing is unstated for good: what others say must not
 * be taken for what that one meant. */
static void an_unstated_step_leaves_the_account_unstated(void **state) {
  int i;
  (void)state;
  for (i = 0; i < 5; i++) {
    dppair_accountant a = fresh(), b;
    const dppair_step s = plain(DPPAIR_RANDOMISED_RESPONSE, 1, 1, unstated);
    double e;
    if (i == 4) assert_ok(sampled(&a, zero));
    if (i == 0) assert_ok(dppair_accountant_gaussian(&a, 1, 1, 1));
    if (i == 1) assert_ok(dppair_accountant_laplace(&a, 1, 1, 1));
    if (i == 2) assert_ok(dppair_accountant_pure(&a, 1, 1));
    if (i >= 3) assert_ok(dppair_accountant_step(&a, &s));
    assert_true(a.adjacency == unstated);
    assert_ok(sampled(&a, zero));
    assert_true(a.adjacency == unstated);
    assert_ok(answer_epsilon(&e, &a, 1e-5));
    assert_true(e > 0.0);
    b = a;
    assert_int_equal(dppair_accountant_neighbours(&b, zero), DPPAIR_ERR_ADJACENCY);
    assert_broken(&b, DPPAIR_ERR_ADJACENCY);
    assert_int_equal(sampled(&a, replace), DPPAIR_ERR_ADJACENCY);
    assert_broken(&a, DPPAIR_ERR_ADJACENCY);
  }
}

/* ---- What is counted and chained ------------------------------------------------------------- */

/* The check of a charge that stands first. */
static uint64_t check_of(const dppair_ledger_entry *e) { return dppair_ledger_check_of_(0, e); }

static void every_charge_has_a_number_and_changes_the_check(void **state) {
  dppair_accountant a = fresh(), b;
  uint64_t seen[9];
  int i, j;
  (void)state;
  assert_true(a.sequence == 0 && a.check == 0);
  seen[0] = 0;
  assert_ok(dppair_accountant_neighbours(&a, replace)); /* no charge */
  assert_ok(dppair_accountant_failure(&a, 0));          /* nor this */
  for (i = 1; i < 9; i++) {
    const dppair_step s = plain(DPPAIR_ZCDP, 0.1, 1, unstated);
    assert_true(a.sequence == (uint64_t)i - 1);
    assert_int_equal(
        i == 1   ? dppair_accountant_gaussian(&a, 1, 1, 1)
        : i == 2 ? dppair_accountant_gaussian(&a, 1, 1, 1) /* the same again counts again */
        : i == 3 ? dppair_accountant_laplace(&a, 1, 1, 1)
        : i == 4 ? dppair_accountant_pure(&a, 1, 1)
        : i == 5 ? sampled(&a, replace)
        : i == 6 ? dppair_accountant_sampled_pairs(
                       &a, test_sampling(DPPAIR_POISSON, replace, 1e-4, 100, 0), 1, 1, 1)
        : i == 7 ? dppair_accountant_step(&a, &s)
                 : dppair_accountant_failure(&a, 1e-9),
        DPPAIR_OK);
    seen[i] = a.check;
    for (j = 0; j < i; j++) assert_true(seen[j] != seen[i]);
    assert_true(a.recent[i % DPPAIR_RECENT_CHARGES] == a.check);
  }
  /* one quotient of two scales is two charges */
  a = fresh();
  b = a;
  assert_ok(dppair_accountant_laplace(&a, 1, 3, 1));
  assert_ok(dppair_accountant_laplace(&b, 2, 6, 1));
  assert_true(a.check != b.check);
  /* what is refused is not counted */
  b = a;
  assert_int_equal(dppair_accountant_gaussian(&b, 0, 1, 1), DPPAIR_ERR_SENSITIVITY);
  assert_true(b.sequence == a.sequence && b.check == a.check);
}

/* Not inlined, so that it lies where the charge will be. */
__attribute__((noinline)) static void leave_on_the_stack(int byte) {
  unsigned char area[1 << 14];
  memset(area, byte, sizeof area);
  __asm__ __volatile__("" : : "r"(area) : "memory");
}

/* What a charge does not say is 0, and not what the stack held. */
static void the_check_is_of_the_charge_alone(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    dppair_accountant a[2];
    for (int i = 0; i < 2; i++) {
      a[i] = fresh();
      leave_on_the_stack(i ? 0x11 : 0xEE);
      assert_int_equal(kind == 0   ? dppair_accountant_gaussian(&a[i], 1, 2, 3)
                       : kind == 1 ? dppair_accountant_laplace(&a[i], 1, 2, 3)
                       : kind == 2 ? dppair_accountant_pure(&a[i], 1, 1)
                                   : dppair_accountant_failure(&a[i], 1e-9),
                       DPPAIR_OK);
    }
    assert_true(a[0].check == a[1].check);
  }
}

/* Every bit of every value of a charge changes its check, and so does its place. */
static void the_check_sees_every_bit_of_a_charge(void **state) {
  dppair_ledger_entry e;
  uint64_t *count[1], bits;
  size_t *size[6];
  double *number[6];
  uint64_t first;
  int i, b;
  (void)state;
  memset(&e, 0, sizeof e);
  e.sequence = 5;
  for (i = 0; i < 16; i++) e.nonce[i] = (uint8_t)(i + 1);
  e.step = plain(DPPAIR_SAMPLED_PAIRS, 3, 7, zero);
  e.step.sampling = test_sampling(DPPAIR_POISSON, zero, 0.25, 100, 10);
  e.step.pair_rate = 1.0 / 3.0;
  e.failure = 1e-9;
  e.sensitivity = 0.1;
  e.sigma = 0.3;
  number[0] = &e.step.sampling.q;
  number[1] = &e.step.pair_rate;
  number[2] = &e.step.noise_multiplier;
  number[3] = &e.failure;
  number[4] = &e.sensitivity;
  number[5] = &e.sigma;
  size[0] = &e.step.sampling.n;
  size[1] = &e.step.sampling.m;
  size[2] = &e.step.steps;
  size[3] = &e.step.sampling.batches;
  size[4] = &e.step.sampling.group;
  size[5] = &e.step.sampling.owned;
  count[0] = &e.sequence;
  first = check_of(&e);
  /* the same on every machine and compiler, and in later versions */
  assert_true(first == UINT64_C(0xbf7873157e5db4c3));
  e.check = 1; /* no part of itself */
  assert_true(check_of(&e) == first);
  assert_true(dppair_ledger_check_of_(1, &e) != first);
  for (i = 0; i < 16 * 8; i++) {
    e.nonce[i / 8] ^= (uint8_t)(1 << i % 8);
    assert_true(check_of(&e) != first);
    e.nonce[i / 8] ^= (uint8_t)(1 << i % 8);
  }
  for (b = 0; b < 64; b++) {
    const uint64_t bit = UINT64_C(1) << b;
    for (i = 0; i < 6; i++) {
      const double kept = *number[i];
      memcpy(&bits, &kept, sizeof bits);
      bits ^= bit;
      memcpy(number[i], &bits, sizeof bits);
      assert_true(check_of(&e) != first);
      *number[i] = kept;
    }
    *count[0] ^= bit;
    assert_true(check_of(&e) != first);
    *count[0] ^= bit;
    for (i = 0; i < 6 && bit <= SIZE_MAX; i++) {
      *size[i] ^= (size_t)bit;
      assert_true(check_of(&e) != first);
      *size[i] ^= (size_t)bit;
    }
  }
  e.step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  assert_true(check_of(&e) != first);
  e.step.kind = DPPAIR_SAMPLED_PAIRS;
  e.step.sampling.kind = DPPAIR_MATCHING;
  assert_true(check_of(&e) != first);
  e.step.sampling.kind = DPPAIR_POISSON;
  e.step.sampling.adjacency = replace;
  assert_true(check_of(&e) != first);
  e.step.sampling.adjacency = zero;
  assert_true(check_of(&e) == first);
  /* a value at the place of another */
  e.step.sampling.n = 10;
  e.step.sampling.m = 100;
  assert_true(check_of(&e) != first);
  /* -0 is written as 0 */
  e.step.sampling.q = 0.0;
  first = check_of(&e);
  e.step.sampling.q = -0.0;
  assert_true(check_of(&e) == first);
}

/* ---- Adding up ------------------------------------------------------------------------------- */

static void a_merged_account_counts_both_and_is_no_chain(void **state) {
  dppair_accountant a = fresh(), b = fresh(), c, d;
  double x, y;
  (void)state;
  assert_ok(dppair_accountant_gaussian(&a, 1, 5, 3));
  assert_ok(dppair_accountant_gaussian(&b, 1, 7, 2));
  assert_ok(dppair_accountant_laplace(&b, 1, 20, 2));
  assert_ok(dppair_accountant_failure(&b, 1e-9));
  c = a;
  assert_ok(dppair_accountant_merge(&c, &b));
  assert_true(c.sequence == 4 && c.check != a.check && c.check != b.check);
  d = b;
  assert_ok(dppair_accountant_merge(&d, &a));
  assert_true(d.sequence == 4 && d.check != c.check);
  assert_ok(answer_epsilon(&x, &c, 1e-5));
  assert_ok(answer_epsilon(&y, &d, 1e-5));
  assert_close(x, y, 1e-12);
  d = a; /* charged as b was, the chain is another */
  assert_ok(dppair_accountant_gaussian(&d, 1, 7, 2));
  assert_ok(dppair_accountant_laplace(&d, 1, 20, 2));
  assert_ok(dppair_accountant_failure(&d, 1e-9));
  assert_true(d.sequence == 4 && d.check != c.check);
  assert_ok(answer_epsilon(&y, &d, 1e-5));
  assert_close(x, y, 1e-12);
  d = a; /* as many other charges */
  c = fresh();
  assert_ok(dppair_accountant_gaussian(&c, 1, 7, 2));
  assert_ok(dppair_accountant_laplace(&c, 1, 20, 2));
  assert_ok(dppair_accountant_failure(&c, 1e-8));
  assert_ok(dppair_accountant_merge(&d, &c));
  c = a;
  assert_ok(dppair_accountant_merge(&c, &b));
  assert_true(d.sequence == c.sequence && d.check != c.check);
  /* nothing adds nothing */
  d = fresh();
  c = a;
  assert_ok(dppair_accountant_merge(&c, &d));
  assert_true(same_account(&c, &a));
}

static void merged_accounts_are_about_the_same_neighbours(void **state) {
  dppair_accountant told = fresh(), all = fresh(), other = fresh(), silent = fresh(), c;
  (void)state;
  assert_ok(dppair_accountant_neighbours(&told, zero));
  assert_ok(dppair_accountant_gaussian(&told, 1, 5, 1));
  assert_ok(sampled(&all, zero));
  assert_ok(sampled(&other, replace));
  assert_ok(dppair_accountant_gaussian(&silent, 1, 5, 1));
  c = all;
  assert_ok(dppair_accountant_merge(&c, &told));
  assert_true(c.adjacency == zero && c.stated == 1);
  c = told;
  assert_ok(dppair_accountant_merge(&c, &all));
  assert_true(c.adjacency == zero && c.stated == 1);
  c = all;
  assert_ok(dppair_accountant_merge(&c, &silent));
  assert_true(c.adjacency == unstated);
  assert_int_equal(dppair_accountant_merge(&c, &other), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
  c = silent;
  assert_ok(dppair_accountant_merge(&c, &all));
  assert_true(c.adjacency == unstated);
  assert_int_equal(dppair_accountant_neighbours(&c, zero), DPPAIR_ERR_ADJACENCY);
  c = silent;
  assert_int_equal(dppair_accountant_merge(&c, &told), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
  c = told;
  assert_int_equal(dppair_accountant_merge(&c, &silent), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
  c = all;
  assert_int_equal(dppair_accountant_merge(&c, &other), DPPAIR_ERR_ADJACENCY);
  assert_broken(&c, DPPAIR_ERR_ADJACENCY);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

typedef struct store {
  char text[1 << 18];
  size_t used;
  dppair_status refuse;
} store;

static dppair_status keep(const char *line, size_t length, void *context) {
  store *s = (store *)context;
  if (s->refuse != DPPAIR_OK) return s->refuse;
  assert_true(s->used + length + 1 <= sizeof s->text);
  memcpy(s->text + s->used, line, length);
  s->used += length;
  s->text[s->used++] = '\n';
  return DPPAIR_OK;
}

static dppair_ledger_entry entry_of(dppair_step step, double sensitivity) {
  dppair_ledger_entry e;
  memset(&e, 0, sizeof e);
  e.step = step;
  e.sensitivity = sensitivity;
  e.sigma = sensitivity * step.noise_multiplier;
  e.sequence = 1;
  return e;
}

static void give_run(dppair_ledger_entry *e, unsigned run) {
  e->nonce[0] = (uint8_t)(run >> 8);
  e->nonce[15] = (uint8_t)run;
}

/* Numbers come back to the last bit, and are what the C library reads and would write. */
static void ledger_numbers_come_back_to_the_last_bit(void **state) {
  int i;
  (void)state;
  for (i = 0; i < FEWER(100000); i++) {
    const uint64_t bits = (random_bits() >> 12) | ((uint64_t)(100 + random_bits() % 1850) << 52);
    char text[64];
    dppair_text_ t;
    double x, back;
    memcpy(&x, &bits, sizeof x);
    if (i % 3 == 0) x = floor(x < 1e17 ? x : 1e3 * uniform());
    if (i % 3 == 1) x = (double)(1 + random_bits() % 100000) / 1000.0;
    if (!(x >= 1e-280 && x <= 1e280)) continue;
    t.at = text;
    t.used = 0;
    t.room = sizeof text - 1;
    assert_int_equal(dppair_text_double_(&t, x), 0);
    text[t.used] = '\0';
    assert_true(strtod(text, NULL) == x);
    assert_int_equal(dppair_parse_double_(&back, text, t.used), t.used);
    assert_true(back == x);
    snprintf(text, sizeof text, "%.17g", x);
    if (strchr(text, '+') == NULL || x < 1e280) {
      assert_int_equal(dppair_parse_double_(&back, text, strlen(text)), strlen(text));
      assert_true(back == x);
    }
  }
  for (i = 0; i < 6; i++) { /* no number that a ledger has; the ends of what it has */
    static const double x[] = {1.005e280, 0.995e-280, -1.0, 1e280, 1e-280, 0.0};
    char text[64];
    dppair_text_ t = {0};
    t.at = text;
    t.room = sizeof text;
    assert_int_equal(dppair_text_double_(&t, x[i]), i < 3);
  }
  for (i = 0; i < 3; i++) { /* 0, whatever its last digit is worth */
    static const char *const nought[] = {"0e300", "0.000e-399", "0E+400"};
    double back = 1;
    assert_int_equal(dppair_parse_double_(&back, nought[i], strlen(nought[i])), strlen(nought[i]));
    assert_true(back == 0 && !signbit(back));
  }
}

typedef struct figures {
  double x, list[3];
  size_t n, count;
} figures;

static void walk(dppair_json *j, figures *f, const char *name) {
  dppair_json_literal_(j, "{\"name\": ");
  dppair_json_string_(j, name);
  dppair_json_literal_(j, ", \"x\": ");
  dppair_json_number_(j, &f->x);
  dppair_json_literal_(j, ", \"n\": ");
  dppair_json_size_(j, &f->n, 1000);
  dppair_json_literal_(j, ", \"list\": ");
  dppair_json_numbers_(j, f->list, &f->count, 3);
  dppair_json_literal_(j, "}");
}

static int walk_reads(figures *f, const char *text, size_t length) {
  char *exact = malloc(length + 1); /* ends where its memory ends */
  dppair_json j;
  int done;
  assert_non_null(exact);
  memcpy(exact + 1, text, length);
  j = dppair_json_reader_(exact + 1, length);
  walk(&j, f, "");
  done = dppair_json_done_(&j);
  free(exact);
  return done;
}

/* One walk writes and reads; what is cut, has another order or another kind of value is refused. */
static void json_of_a_fixed_shape_comes_back_and_nothing_else(void **state) {
  const figures f = {-1.0 / 3, {0, 1e-280, -1e280}, 1000, 3};
  static const char *const wrong[] = {
      "{\"x\": 1, \"name\": \"\", \"n\": 1, \"list\": []}",
      "{\"name\": \"\", \"x\": \"1\", \"n\": 1, \"list\": []}",
      "{\"name\": \"\", \"x\": - 1, \"n\": 1, \"list\": []}",
      "{\"name\": \"\", \"x\": 1e281, \"n\": 1, \"list\": []}",
      "{\"name\": \"\", \"x\": 1, \"n\": 1001, \"list\": []}",
      "{\"name\": \"\", \"x\": 1, \"n\": 0.5, \"list\": []}",
      "{\"name\": \"\", \"x\": 1, \"n\": -1, \"list\": []}",
      "{\"name\": \"\", \"x\": 1, \"n\": 1, \"list\": [1, 2, 3, 4]}",
      "{\"name\": \"\", \"x\": 1, \"n\": 1, \"list\": [1,]}",
      "{\"name\": \"\", \"x\": 1, \"n\": 1, \"list\": []}}",
      "{\"name\": \"\n\", \"x\": 1, \"n\": 1, \"list\": []}",
      "{\"na me\": \"\", \"x\": 1, \"n\": 1, \"list\": []}"};
  static const char blanks[] =
      " {\"name\":\"\\\"\",\"x\":-0 ,\n\"n\" : 7,\t\"list\":[ 1e-3 ] }\r\n ";
  char text[256];
  figures g = f, back;
  dppair_json j = dppair_json_writer_(NULL, 0);
  size_t i, length;
  (void)state;
  walk(&j, &g, "a\"\\\001");
  assert_false(dppair_json_done_(&j));
  length = j.out.used;
  memset(text, 0, sizeof text);
  j = dppair_json_writer_(text, length);
  walk(&j, &g, "a\"\\\001");
  assert_true(dppair_json_done_(&j));
  assert_ptr_equal(strstr(text, "{\"name\": \"a\\\"\\\\\\u0001\", \"x\": -0.3"), text);
  memset(&back, 0, sizeof back);
  assert_true(walk_reads(&back, text, length));
  assert_memory_equal(&back, &f, sizeof f);
  for (i = 0; i < length; i++) assert_false(walk_reads(&back, text, i));
  assert_true(walk_reads(&back, blanks, strlen(blanks)));
  assert_true(back.n == 7 && back.count == 1 && !(back.x < 0) && back.list[0] == 1e-3);
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (walk_reads(&back, wrong[i], strlen(wrong[i]))) fail_msg("read: %s", wrong[i]);
  g.x = 1e-300;
  assert_false(dppair_json_holds_(g.x) || dppair_json_holds_((double)NAN) ||
               dppair_json_holds_(HUGE_VAL));
  assert_true(dppair_json_holds_(0) && dppair_json_holds_(-1e280));
  j = dppair_json_writer_(text, sizeof text);
  walk(&j, &g, "");
  assert_false(dppair_json_done_(&j));
  j = dppair_json_reader_(" x", 2);
  assert_true(dppair_json_next_(&j, 'x') && !dppair_json_next_(&j, 'y'));
}

/* What one of writing, stepping refuses the other refuses, for the same reason. */
static void assert_entry(const dppair_ledger_entry *entry, dppair_status want) {
  static store kept;
  dppair_accountant a = fresh();
  dppair_ledger_entry back;
  char line[DPPAIR_LEDGER_LINE];
  size_t length;
  double e;
  kept.used = 0;
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, entry), want);
  assert_true((length > 0) == (want == DPPAIR_OK));
  if (want == DPPAIR_OK) {
    assert_ok(dppair_ledger_read(&back, line, length));
    assert_true(same_entry(&back, entry));
  }
  assert_int_equal(dppair_ledger_step(&a, entry, keep, &kept), want);
  assert_int_equal(kept.used > 0, want == DPPAIR_OK);
  assert_int_equal(answer_epsilon(&e, &a, 1e-5), want);
}

static void the_ledger_refuses_the_same_when_written_and_charged(void **state) {
  dppair_ledger_entry e, gaussian = entry_of(plain(DPPAIR_GAUSSIAN, 1, 1, unstated), 1);
  char line[DPPAIR_LEDGER_LINE];
  size_t length;
  int i;
  (void)state;
  assert_entry(&gaussian, DPPAIR_OK);
  e = gaussian;
  e.step.noise_multiplier = 100; /* 0.027 charged for a release of 4.4 */
  assert_entry(&e, DPPAIR_ERR_SIGMA);
  e.step.noise_multiplier = 1 + 1e-9;
  assert_entry(&e, DPPAIR_ERR_SIGMA);
  e.step.noise_multiplier = 1 - 1e-9;
  assert_entry(&e, DPPAIR_ERR_SIGMA);
  e = gaussian;
  e.sensitivity = 0;
  assert_entry(&e, DPPAIR_ERR_SENSITIVITY);
  e = gaussian;
  e.sigma = TEST_NAN;
  assert_entry(&e, DPPAIR_ERR_NOT_FINITE);
  e = gaussian;
  e.sigma = -1;
  assert_entry(&e, DPPAIR_ERR_SIGMA);
  e = gaussian;
  e.failure = 2;
  assert_entry(&e, DPPAIR_ERR_DOMAIN);
  e = gaussian;
  e.sensitivity = e.sigma = 0; /* they vary */
  assert_entry(&e, DPPAIR_OK);
  e.step.kind = DPPAIR_PURE;
  assert_entry(&e, DPPAIR_OK);
  e.sensitivity = e.sigma = 1; /* it has no noise scale */
  assert_entry(&e, DPPAIR_ERR_UNREAD);
  e = gaussian;
  e.step.sampling.n = 5;
  assert_entry(&e, DPPAIR_ERR_UNREAD);
  e = gaussian;
  e.step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  e.step.sampling = test_sampling(DPPAIR_POISSON, unstated, 0.1, 0, 0);
  assert_entry(&e, DPPAIR_ERR_ADJACENCY);
  e.step.sampling.adjacency = replace;
  assert_entry(&e, DPPAIR_OK);
  e.step.sampling.q = 0;
  assert_entry(&e, DPPAIR_ERR_RATE);
  e = gaussian;
  e.step.sampling.adjacency = zero;
  assert_entry(&e, DPPAIR_OK);
  e.step.sampling.adjacency = (dppair_adjacency)7;
  assert_entry(&e, DPPAIR_ERR_ADJACENCY);
  /* counts and numbers that would not read back */
  if (sizeof(size_t) > 4) {
    e = gaussian;
    e.step.steps = (size_t)((UINT64_C(1) << 53) + 2);
    assert_entry(&e, DPPAIR_ERR_OVERFLOW);
    e.step.steps = (size_t)(UINT64_C(1) << 53);
    e.step.noise_multiplier = e.sigma = 1e9;
    assert_entry(&e, DPPAIR_OK);
  }
  e = gaussian;
  e.step.noise_multiplier = 1e290;
  e.sensitivity = e.sigma = 0;
  assert_entry(&e, DPPAIR_ERR_DOMAIN);
  e = gaussian;
  e.sequence = 0; /* the writer numbers nothing */
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &e), DPPAIR_ERR_DOMAIN);
  e.sequence = (UINT64_C(1) << 53) + 1;
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, &e), DPPAIR_ERR_DOMAIN);
  e.sequence--;
  assert_ok(dppair_ledger_write(line, sizeof line, &length, &e));
  assert_int_equal(dppair_ledger_write(line, length - 1, &length, &e), DPPAIR_ERR_WORKSPACE);
  assert_true(length == 0 && line[0] == '\0');
  assert_int_equal(dppair_ledger_write(line, sizeof line, &length, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_ledger_write(NULL, 0, &length, &e), DPPAIR_ERR_NULL);
  /* either way to compute what belongs together is accepted */
  for (i = 0; i < FEWER(20000); i++) {
    e = gaussian;
    e.sensitivity = log_between(1e-9, 1e9);
    if (i % 2) {
      e.sigma = log_between(1e-9, 1e9);
      e.step.noise_multiplier = e.sigma / e.sensitivity;
    } else {
      e.step.noise_multiplier = log_between(1e-3, 1e6);
      e.sigma = e.step.noise_multiplier * e.sensitivity;
    }
    assert_ok(dppair_ledger_write(line, sizeof line, &length, &e));
    assert_ok(dppair_ledger_read(&e, line, length));
  }
}

static void the_longest_line_has_room(void **state) {
  dppair_step s = plain(DPPAIR_SAMPLED_GAUSSIAN, 1.2345678901234567e-5, 1, replace);
  dppair_ledger_entry e;
  char line[DPPAIR_LEDGER_LINE];
  const size_t most = sizeof(size_t) > 4 ? (size_t)(UINT64_C(1) << 53) : SIZE_MAX;
  size_t length;
  (void)state;
  s.steps = most;
  s.sampling = test_sampling(DPPAIR_WITHOUT_REPLACEMENT, replace, 0.99999999999999989, most, most);
  e = entry_of(s, 1.2345678901234567e-200);
  e.failure = 1.2345678901234567e-200;
  e.sequence = UINT64_C(1) << 53;
  give_run(&e, 1);
  assert_ok(dppair_ledger_write(line, sizeof line, &length, &e));
  assert_true(length > 400 && length <= DPPAIR_LEDGER_LINE - 40); /* a pair rate, a longer name */
}

static const char good[] =
    "{\"dppair\":2,\"sequence\":7,\"run\":\"00112233445566778899aabbccddeeff\","
    "\"mechanism\":\"sampled-gaussian\",\"adjacency\":\"replace-one\",\"sampling\":\"poisson\","
    "\"n\":1000,\"m\":50,\"noise_multiplier\":256,\"steps\":100,\"failure\":0,"
    "\"sensitivity\":0.0078125,\"sigma\":2,\"check\":\"0123456789abcdef\"}";

static void a_line_that_says_anything_else_is_refused(void **state) {
  static const struct {
    const char *from, *to;
    dppair_status want;
  } change[] = {
      {"\"dppair\":2", "\"dppair\":1", DPPAIR_ERR_FORMAT},
      {"\"dppair\":2", "\"dppair\":3", DPPAIR_ERR_FORMAT},
      {"\"dppair\":2", "\"dppair\": 2", DPPAIR_ERR_FORMAT},
      {"\"sequence\":7,", "", DPPAIR_ERR_FORMAT},
      {"\"sequence\":7", "\"sequence\":07", DPPAIR_ERR_FORMAT},
      {"\"sequence\":7", "\"sequence\":0", DPPAIR_ERR_FORMAT},
      {"\"sequence\":7", "\"sequence\":9007199254740993", DPPAIR_ERR_FORMAT},
      {"00112233445566778899aabbccddeeff", "00112233445566778899AABBCCDDEEFF", DPPAIR_ERR_FORMAT},
      {"00112233445566778899aabbccddeeff", "00000000000000000000000000000000", DPPAIR_ERR_FORMAT},
      {"00112233445566778899aabbccddeeff", "0011", DPPAIR_ERR_FORMAT},
      {"\"steps\":100,", "", DPPAIR_ERR_FORMAT},
      {"\"steps\":100", "\"steps\":100.5", DPPAIR_ERR_FORMAT},
      {"\"steps\":100", "\"steps\":1e2", DPPAIR_ERR_FORMAT},
      {"\"steps\":100", "\"steps\":0", DPPAIR_ERR_STEPS},
      {"\"steps\":100", "\"steps\":99999999999999999999", DPPAIR_ERR_FORMAT},
      {"\"n\":1000,\"m\":50", "\"m\":50,\"n\":1000", DPPAIR_ERR_FORMAT},
      {"\"n\":1000", "\"n\":1000,\"n\":1000", DPPAIR_ERR_FORMAT},
      {"\"n\":1000", "\"q\":0,\"n\":1000", DPPAIR_ERR_FORMAT},
      {"\"n\":1000", "\"surprise\":1,\"n\":1000", DPPAIR_ERR_FORMAT},
      {"\"n\":1000,\"m\":50,", "", DPPAIR_ERR_RATE},
      {"\"m\":50", "\"m\":50,\"pair_rate\":0.5", DPPAIR_ERR_UNREAD},
      {"\"sampling\":\"poisson\",\"n\":1000,\"m\":50,", "", DPPAIR_ERR_NO_PROOF},
      {"sampled-gaussian", "gaussian", DPPAIR_ERR_UNREAD},
      {"sampled-gaussian", "gauss", DPPAIR_ERR_FORMAT},
      {"sampled-gaussian", "none", DPPAIR_ERR_FORMAT},
      {"replace-one", "add-remove", DPPAIR_ERR_FORMAT},
      {"replace-one", "none", DPPAIR_ERR_ADJACENCY},
      {"\"sigma\":2", "\"sigma\":2.0", DPPAIR_ERR_FORMAT},
      {"\"sigma\":2", "\"sigma\":nan", DPPAIR_ERR_FORMAT},
      {"\"sigma\":2", "\"sigma\":-2", DPPAIR_ERR_FORMAT},
      {"\"sigma\":2", "\"sigma\":1e999", DPPAIR_ERR_FORMAT},
      {"\"sigma\":2", "\"sigma\":0", DPPAIR_ERR_SIGMA},
      {"\"sigma\":2", "\"sigma\":\"varies\"", DPPAIR_ERR_SIGMA},
      {"\"sigma\":2,", "", DPPAIR_ERR_FORMAT},
      {"\"sensitivity\":0.0078125,\"sigma\":2", "\"sensitivity\":0,\"sigma\":0", DPPAIR_ERR_FORMAT},
      {"\"sensitivity\":0.0078125,\"sigma\":2,", "", DPPAIR_ERR_FORMAT},
      {"\"failure\":0,", "", DPPAIR_ERR_FORMAT},
      {"0123456789abcdef", "0123456789abcde", DPPAIR_ERR_FORMAT},
      {"\"}", "\",}", DPPAIR_ERR_FORMAT},
      {"\"}", "\"", DPPAIR_ERR_FORMAT},
      {"\"}", "\"}}", DPPAIR_ERR_FORMAT},
      {"\"}", "\"} ", DPPAIR_ERR_FORMAT},
      {"{", "", DPPAIR_ERR_FORMAT},
      {"{", " {", DPPAIR_ERR_FORMAT},
      {"\"poisson\"", "poisson", DPPAIR_ERR_FORMAT},
      {"\"sampling\":\"poisson\"", "\"sampling\":\"none\"", DPPAIR_ERR_NO_PROOF}};
  dppair_ledger_entry e, zeroed;
  size_t i, length;
  char line[1024];
  (void)state;
  memset(&zeroed, 0, sizeof zeroed);
  assert_ok(dppair_ledger_read(&e, good, strlen(good)));
  assert_true(e.sequence == 7 && e.check == UINT64_C(0x0123456789abcdef));
  assert_true(e.nonce[1] == 0x11 && e.nonce[15] == 0xff && e.step.sampling.m == 50);
  assert_true(e.sensitivity == 0.0078125 && e.step.noise_multiplier == 256.0);
  assert_ok(dppair_ledger_write(line, sizeof line, &length, &e));
  assert_int_equal(length, strlen(good));
  assert_memory_equal(line, good, length);
  for (i = 0; i < 2; i++) { /* its newline */
    snprintf(line, sizeof line, "%s%s", good, i == 0 ? "\n" : "\r\n");
    assert_ok(dppair_ledger_read(&e, line, strlen(line)));
  }
  for (i = 0; i < sizeof change / sizeof change[0]; i++) {
    const char *at = strstr(good, change[i].from);
    dppair_status got;
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s%s%s", (int)(at - good), good, change[i].to,
             at + strlen(change[i].from));
    got = dppair_ledger_read(&e, line, strlen(line));
    if (got != change[i].want) print_error("%s\n", line);
    assert_int_equal(got, change[i].want);
    assert_true(same_entry(&e, &zeroed));
  }
  for (i = 0; i < strlen(good); i++)
    assert_int_equal(dppair_ledger_read(&e, good, i), DPPAIR_ERR_FORMAT);
  assert_int_equal(dppair_ledger_read(NULL, good, i), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_ledger_read(&e, NULL, i), DPPAIR_ERR_NULL);
}

/* Version 1 had neither numbers nor checks: a line that is lost would not show. */
static void lines_of_version_1_are_refused(void **state) {
  static const char old[] =
      "{\"dppair\":1,\"mechanism\":\"gaussian\",\"adjacency\":\"replace-one\",\"sampling\":"
      "\"none\",\"q\":0,\"n\":0,\"m\":0,\"pair_rate\":0,\"sensitivity\":0.0078125,\"sigma\":2,"
      "\"noise_multiplier\":256,\"steps\":1,\"failure\":0}\n";
  dppair_accountant a = fresh();
  dppair_ledger_entry e;
  size_t bad;
  (void)state;
  assert_int_equal(dppair_ledger_read(&e, old, strlen(old)), DPPAIR_ERR_FORMAT);
  assert_int_equal(dppair_ledger_replay(&a, &bad, old, strlen(old)), DPPAIR_ERR_FORMAT);
  assert_int_equal(bad, 1);
  assert_broken(&a, DPPAIR_ERR_FORMAT);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void nothing_is_stored_that_is_not_charged(void **state) {
  static store kept;
  dppair_accountant a = fresh(), b;
  dppair_ledger_entry e = entry_of(plain(DPPAIR_GAUSSIAN, 2, 1, replace), 1);
  (void)state;
  kept.used = 0;
  assert_ok(dppair_ledger_step(&a, &e, keep, &kept));
  b = a; /* other neighbours */
  e.step.sampling.adjacency = zero;
  assert_int_equal(dppair_ledger_step(&b, &e, no_line, NULL), DPPAIR_ERR_ADJACENCY);
  assert_broken(&b, DPPAIR_ERR_ADJACENCY);
  b = a; /* a sum that overflows */
  e = entry_of(plain(DPPAIR_GAUSSIAN, 1e-280, 1, replace), 0);
  assert_int_equal(dppair_ledger_step(&b, &e, no_line, NULL), DPPAIR_ERR_OVERFLOW);
  assert_broken(&b, DPPAIR_ERR_OVERFLOW);
  /* what the sink did not store was not charged, but may be on record: the account is broken */
  b = a;
  e = entry_of(plain(DPPAIR_GAUSSIAN, 2, 1, replace), 1);
  kept.refuse = DPPAIR_ERR_EXHAUSTED;
  assert_int_equal(dppair_ledger_step(&b, &e, keep, &kept), DPPAIR_ERR_EXHAUSTED);
  assert_true(b.sequence == 1 && b.check == a.check);
  assert_broken(&b, DPPAIR_ERR_EXHAUSTED);
  kept.refuse = DPPAIR_OK;
  b = a;
  assert_int_equal(dppair_ledger_step(&b, NULL, keep, &kept), DPPAIR_ERR_NULL);
  assert_broken(&b, DPPAIR_ERR_NULL);
  b = a;
  assert_int_equal(dppair_ledger_step(&b, &e, NULL, NULL), DPPAIR_ERR_NULL);
  assert_broken(&b, DPPAIR_ERR_NULL);
  assert_int_equal(dppair_ledger_step(NULL, &e, keep, &kept), DPPAIR_ERR_NULL);
}

/* The numbers and the check that an entry brings along are not read. */
static void a_line_bears_the_accounts_number_check_and_neighbours(void **state) {
  static store kept;
  dppair_accountant a = fresh();
  dppair_ledger_entry e = entry_of(plain(DPPAIR_GAUSSIAN, 2, 3, unstated), 0), back;
  size_t k;
  (void)state;
  assert_ok(dppair_accountant_neighbours(&a, zero));
  for (k = 1; k < 4; k++) {
    kept.used = 0;
    e.sequence = 77;
    e.check = 99;
    give_run(&e, (unsigned)k);
    assert_ok(dppair_ledger_step(&a, &e, keep, &kept));
    assert_ok(dppair_ledger_read(&back, kept.text, kept.used));
    assert_true(back.sequence == k && a.sequence == k && back.check == a.check);
    assert_true(back.step.sampling.adjacency == zero && back.nonce[15] == k);
    assert_non_null(strstr(kept.text, "\"sensitivity\":\"varies\",\"sigma\":\"varies\""));
  }
  { /* what is charged is what the line says: -0 is 0 */
    dppair_accountant b = fresh();
    size_t bad;
    a = fresh();
    kept.used = 0;
    e.step.kind = DPPAIR_LAPLACE;
    e.step.sampling.q = e.step.pair_rate = -0.0;
    e.sensitivity = e.sigma = e.failure = -0.0;
    assert_ok(dppair_ledger_step(&a, &e, keep, &kept));
    assert_ok(dppair_ledger_replay(&b, &bad, kept.text, kept.used));
    assert_true(same_account(&a, &b));
    e.step.sampling.q = e.step.pair_rate = 0.0;
  }
  /* what an entry names is stated for the account */
  a = fresh();
  kept.used = 0;
  e.step.sampling.adjacency = replace;
  assert_ok(dppair_ledger_step(&a, &e, keep, &kept));
  assert_true(a.adjacency == replace && a.stated == 1);
  /* but not where a step named none */
  a = fresh();
  assert_ok(dppair_accountant_gaussian(&a, 1, 1, 1));
  assert_int_equal(dppair_ledger_step(&a, &e, no_line, NULL), DPPAIR_ERR_ADJACENCY);
  assert_broken(&a, DPPAIR_ERR_ADJACENCY);
}

/* ---- Replay ---------------------------------------------------------------------------------- */

enum { LINES = 6 };

/* A ledger of LINES lines, one of each shape; `run` 0: without runs. */
static dppair_accountant write_ledger(store *kept, dppair_adjacency adjacency, unsigned run) {
  dppair_accountant a = fresh();
  dppair_ledger_entry e[LINES];
  dppair_step s = plain(DPPAIR_SAMPLED_PAIRS, 4.0 / 3.0, 100, zero);
  int i;
  kept->used = 0;
  kept->refuse = DPPAIR_OK;
  e[0] = entry_of(plain(DPPAIR_LAPLACE, 12.34567890123456, 3, adjacency), 0.1);
  e[0].failure = 1e-9;
  e[1] = entry_of(plain(DPPAIR_GAUSSIAN, 100, 7, adjacency), 0);
  e[2] = entry_of(plain(DPPAIR_PURE, 0.01, 1, adjacency), 0);
  e[3] = e[2];
  e[4] = entry_of(plain(DPPAIR_GAUSSIAN, 50, 1, adjacency), 1.0 / 3.0);
  s.sampling = test_sampling(DPPAIR_POISSON, zero, 0, 1000, 0);
  s.pair_rate = 1e-4 / 3.0;
  e[5] = adjacency == zero ? entry_of(s, 0.7) : e[3];
  for (i = 0; i < LINES; i++) {
    if (run != 0) give_run(&e[i], run);
    assert_ok(dppair_ledger_step(&a, &e[i], keep, kept));
  }
  return a;
}

/* Where the line starts, its newline included in the one before; lines from 0. */
static size_t line_at(const store *kept, int line) {
  size_t i = 0;
  for (; line > 0; i++)
    if (kept->text[i] == '\n') line--;
  return i;
}

static void add_lines(store *to, const store *from, int first, int last) {
  const size_t a = line_at(from, first), b = line_at(from, last);
  assert_true(to->used + (b - a) <= sizeof to->text);
  memcpy(to->text + to->used, from->text + a, b - a);
  to->used += b - a;
}

static void assert_replays(const store *kept, const dppair_accountant *want) {
  dppair_accountant b = fresh();
  double x, y;
  size_t bad;
  assert_ok(dppair_ledger_replay(&b, &bad, kept->text, kept->used));
  assert_int_equal(bad, 0);
  assert_true(same_account(&b, want));
  assert_ok(answer_epsilon(&x, &b, 1e-5));
  assert_ok(answer_epsilon(&y, want, 1e-5));
  assert_true(x > 0.0 && x == y);
}

static void assert_refuses(const store *kept, dppair_status want, size_t line) {
  dppair_accountant b = fresh();
  size_t bad;
  assert_int_equal(dppair_ledger_replay(&b, &bad, kept->text, kept->used), want);
  assert_int_equal(bad, line);
  assert_broken(&b, want);
}

static store all, other, part;

static void a_ledger_replayed_is_the_account_that_wrote_it(void **state) {
  dppair_accountant a, b;
  size_t bad;
  int i;
  (void)state;
  for (i = 0; i < 6; i++) {
    a = write_ledger(&all, i % 3 == 0 ? zero : (i % 3 == 1 ? replace : unstated), i < 3 ? 5u : 0u);
    assert_true(a.sequence == LINES && (a.adjacency == unstated) == (i % 3 == 2));
    assert_replays(&all, &a);
    assert_true(a.failure == 1e-9);
  }
  /* in two calls; lines that end in \r\n, empty lines, no newline at the end */
  b = fresh();
  assert_ok(dppair_ledger_replay(&b, &bad, all.text, line_at(&all, 3)));
  assert_true(b.sequence == 3);
  assert_ok(
      dppair_ledger_replay(&b, &bad, all.text + line_at(&all, 3), all.used - line_at(&all, 3)));
  assert_true(same_account(&a, &b));
  part.used = 0;
  for (i = 0; i < LINES; i++) {
    add_lines(&part, &all, i, i + 1);
    part.used--;
    memcpy(part.text + part.used, "\r\n\n\r\n", 5);
    part.used += i < LINES - 1 ? 5 : 0;
  }
  assert_replays(&part, &a);
  /* no line charges nothing */
  b = fresh();
  a = b;
  assert_ok(dppair_ledger_replay(&b, &bad, "\n\n", 2));
  assert_ok(dppair_ledger_replay(&b, &bad, "", 0));
  assert_true(same_account(&a, &b));
  assert_int_equal(dppair_ledger_replay(NULL, &bad, "", 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_ledger_replay(&b, &bad, NULL, 0), DPPAIR_ERR_NULL);
  assert_broken(&b, DPPAIR_ERR_NULL);
}

static void a_ledger_with_a_line_lost_moved_or_cut_is_refused(void **state) {
  dppair_accountant b;
  size_t bad;
  int i;
  (void)state;
  write_ledger(&all, zero, 5);
  for (i = 0; i < LINES - 1; i++) { /* lost; at the end it does not show */
    part.used = 0;
    add_lines(&part, &all, 0, i);
    add_lines(&part, &all, i + 1, LINES);
    assert_refuses(&part, DPPAIR_ERR_LEDGER, (size_t)i + 1);
    part.used = 0; /* two in each other's place */
    add_lines(&part, &all, 0, i);
    add_lines(&part, &all, i + 1, i + 2);
    add_lines(&part, &all, i, i + 1);
    add_lines(&part, &all, i + 2, LINES);
    assert_refuses(&part, DPPAIR_ERR_LEDGER, (size_t)i + 1);
  }
  { /* a number left out, in a chain that fits */
    dppair_ledger_entry e;
    char line[DPPAIR_LEDGER_LINE];
    size_t length;
    part.used = 0;
    add_lines(&part, &all, 0, 2);
    assert_ok(
        dppair_ledger_read(&e, all.text + line_at(&all, 1), line_at(&all, 2) - line_at(&all, 1)));
    e.sequence = 4;
    e.check = dppair_ledger_check_of_(e.check, &e);
    assert_ok(dppair_ledger_write(line, sizeof line, &length, &e));
    assert_ok(keep(line, length, &part));
    assert_refuses(&part, DPPAIR_ERR_LEDGER, 3);
  }
  part.used = 0; /* cut off in the last line */
  add_lines(&part, &all, 0, LINES);
  part.used -= 2;
  assert_refuses(&part, DPPAIR_ERR_FORMAT, LINES);
  /* of an account that was charged besides, or merged */
  b = fresh();
  assert_ok(dppair_accountant_failure(&b, 1e-9));
  assert_int_equal(dppair_ledger_replay(&b, &bad, all.text, all.used), DPPAIR_ERR_RUNS);
  assert_int_equal(bad, 1);
  assert_broken(&b, DPPAIR_ERR_RUNS);
  b = fresh();
  assert_ok(dppair_accountant_failure(&b, 1e-9));
  assert_int_equal(
      dppair_ledger_replay(&b, &bad, all.text + line_at(&all, 1), all.used - line_at(&all, 1)),
      DPPAIR_ERR_LEDGER);
  assert_int_equal(bad, 1);
}

/* A program that was run again with the keys of the first time released the same again. */
static void the_same_line_of_the_same_run_counts_once(void **state) {
  dppair_accountant a, b;
  size_t bad;
  int i;
  (void)state;
  a = write_ledger(&all, zero, 5);
  for (i = 0; i < LINES; i++) { /* stored twice, at once or at the end */
    part.used = 0;
    add_lines(&part, &all, 0, i + 1);
    add_lines(&part, &all, i, LINES);
    assert_replays(&part, &a);
    part.used = 0;
    add_lines(&part, &all, 0, LINES);
    add_lines(&part, &all, i, i + 1);
    assert_replays(&part, &a);
    part.used = 0; /* run up to there, then again and on */
    add_lines(&part, &all, 0, i);
    add_lines(&part, &all, 0, LINES);
    add_lines(&part, &all, 0, i);
    assert_replays(&part, &a);
  }
  /* replayed twice */
  b = a;
  assert_ok(dppair_ledger_replay(&b, &bad, all.text, all.used));
  assert_true(same_account(&a, &b));
  /* the same number and run with another text is a changed line */
  part.used = 0;
  add_lines(&part, &all, 0, LINES);
  add_lines(&part, &all, 1, 2);
  i = (int)line_at(&part, LINES);
  strstr(part.text + i, "\"steps\":7")[8] = '8';
  assert_refuses(&part, DPPAIR_ERR_LEDGER, LINES + 1);
}

/* In a long ledger lines are found again wherever they stand. */
static void a_long_ledger_finds_its_lines_again(void **state) {
  dppair_accountant a = fresh();
  int i;
  (void)state;
  all.used = 0;
  all.refuse = DPPAIR_OK;
  for (i = 0; i < 200; i++) {
    dppair_ledger_entry e = entry_of(plain(DPPAIR_PURE, 1e-3, 1 + (size_t)i, replace), 0);
    give_run(&e, 1 + (unsigned)i);
    assert_ok(dppair_ledger_step(&a, &e, keep, &all));
  }
  part.used = 0;
  add_lines(&part, &all, 0, 200);
  add_lines(&part, &all, 0, 200);
  add_lines(&part, &all, 100, 200);
  for (i = 199; i >= 0; i -= 11) add_lines(&part, &all, i, i + 1);
  assert_replays(&part, &a);
  add_lines(&part, &all, 7, 8);
  strstr(part.text + line_at(&part, 519), "\"steps\":8")[8] = '9';
  assert_refuses(&part, DPPAIR_ERR_LEDGER, 520);
}

/* A program that was started again and replayed nothing wrote the same numbers again: its noise was
 * another, and both were spent. Without runs there is no telling, and the same line counts twice.
 */
static void one_number_of_two_runs_is_refused(void **state) {
  dppair_accountant b;
  size_t bad;
  int i;
  (void)state;
  write_ledger(&all, zero, 5);
  write_ledger(&other, zero, 6);
  for (i = 0; i < LINES; i++) {
    part.used = 0;
    add_lines(&part, &all, 0, LINES);
    add_lines(&part, &other, i, i + 1);
    assert_refuses(&part, DPPAIR_ERR_RUNS, LINES + 1);
    part.used = 0; /* the second run in front does not fit the chain */
    add_lines(&part, &all, 0, i);
    add_lines(&part, &other, i, LINES);
    if (i > 0) assert_refuses(&part, DPPAIR_ERR_LEDGER, (size_t)i + 1);
  }
  b = write_ledger(&all, zero, 5);
  assert_int_equal(dppair_ledger_replay(&b, &bad, other.text, other.used), DPPAIR_ERR_RUNS);
  assert_int_equal(bad, 1);
  assert_broken(&b, DPPAIR_ERR_RUNS);
  write_ledger(&all, zero, 0);
  part.used = 0;
  add_lines(&part, &all, 0, LINES);
  add_lines(&part, &all, 0, 1);
  assert_refuses(&part, DPPAIR_ERR_RUNS, LINES + 1);
  b = write_ledger(&all, zero, 0);
  assert_int_equal(dppair_ledger_replay(&b, &bad, all.text, all.used), DPPAIR_ERR_RUNS);
}

static void a_ledger_of_mixed_neighbours_is_refused(void **state) {
  dppair_accountant a, b;
  dppair_ledger_entry e = entry_of(plain(DPPAIR_GAUSSIAN, 2, 1, unstated), 1);
  size_t bad, length;
  int i;
  (void)state;
  for (i = 0; i < 4; i++) { /* none, then one; one, then none; two; each line with a true check */
    static const int first[4] = {0, 1, 1, 2}, then[4] = {1, 0, 2, 0};
    char line[DPPAIR_LEDGER_LINE];
    a = fresh();
    part.used = 0;
    e.step.sampling.adjacency = (dppair_adjacency)first[i];
    assert_ok(dppair_ledger_step(&a, &e, keep, &part));
    e.step.sampling.adjacency = (dppair_adjacency)then[i];
    e.sequence = 2;
    e.check = dppair_ledger_check_of_(a.check, &e);
    assert_ok(dppair_ledger_write(line, sizeof line, &length, &e));
    assert_ok(keep(line, length, &part));
    assert_refuses(&part, DPPAIR_ERR_ADJACENCY, 2);
  }
  /* the account was told who they are */
  write_ledger(&all, replace, 5);
  b = fresh();
  assert_ok(dppair_accountant_neighbours(&b, zero));
  assert_int_equal(dppair_ledger_replay(&b, &bad, all.text, all.used), DPPAIR_ERR_ADJACENCY);
  assert_int_equal(bad, 1);
  a = write_ledger(&all, replace, 5);
  b = fresh();
  assert_ok(dppair_accountant_neighbours(&b, replace));
  assert_ok(dppair_ledger_replay(&b, &bad, all.text, all.used));
  assert_true(same_account(&a, &b));
  write_ledger(&all, unstated, 5);
  b = fresh();
  assert_ok(dppair_accountant_neighbours(&b, replace));
  assert_int_equal(dppair_ledger_replay(&b, &bad, all.text, all.used), DPPAIR_ERR_ADJACENCY);
  assert_int_equal(bad, 1);
}

/* Every byte of a ledger, with each bit changed and as each of some characters: refused, or the
 * same account (a newline at the end may be another). */
static void a_ledger_with_any_byte_changed_is_refused(void **state) {
  static const char others[] = "0123456789abcdefx\"{}[],:-+. \t\n\re";
  dppair_accountant a, b;
  size_t i, bad, accepted = 0;
  unsigned k;
  (void)state;
  for (k = 0; k < 2; k++) {
    a = write_ledger(&all, zero, k == 0 ? 5u : 0u);
    for (i = 0; i < all.used; i++) {
      const char original = all.text[i];
      size_t j;
      for (j = 0; j < 8 + sizeof others - 1; j++) {
        dppair_status status;
        all.text[i] = (char)(j < 8 ? original ^ (1 << j) : others[j - 8]);
        if (all.text[i] == original) continue;
        if (BRIEF && (i + j) % 8 != 0) continue;
        b = fresh();
        status = dppair_ledger_replay(&b, &bad, all.text, all.used);
        if (status == DPPAIR_OK) {
          assert_true(same_account(&a, &b));
          accepted++;
        } else {
          double e;
          assert_true(bad >= 1 && bad <= LINES + 1);
          assert_int_equal(answer_epsilon(&e, &b, 1e-5), status);
        }
      }
      all.text[i] = original;
    }
  }
  assert_true(accepted <= 4);
}

/* ---- Which charges an account knows ---------------------------------------------------------- */

static void an_account_knows_its_latest_charges(void **state) {
  dppair_accountant a = fresh();
  dppair_ledger_entry e[200], f;
  uint64_t i, k;
  (void)state;
  for (i = 1; i < 200; i++) {
    static store kept;
    kept.used = 0;
    e[i] = entry_of(plain(DPPAIR_GAUSSIAN, 2, i, replace), 1);
    give_run(&e[i], 1);
    assert_ok(dppair_ledger_step(&a, &e[i], keep, &kept));
    assert_ok(dppair_ledger_read(&e[i], kept.text, kept.used));
    for (k = 1; k <= i; k++)
      assert_int_equal(dppair_ledger_counted_(&a, &e[k]),
                       k + DPPAIR_RECENT_CHARGES - 1 > i ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF);
  }
  f = e[199];
  f.step.steps++;
  assert_int_equal(dppair_ledger_counted_(&a, &f), DPPAIR_ERR_NO_PROOF);
  f = e[199];
  f.check++;
  assert_int_equal(dppair_ledger_counted_(&a, &f), DPPAIR_ERR_NO_PROOF);
  f = e[199];
  f.nonce[3]++;
  assert_int_equal(dppair_ledger_counted_(&a, &f), DPPAIR_ERR_NO_PROOF);
  f = e[199];
  f.sequence++;
  assert_int_equal(dppair_ledger_counted_(&a, &f), DPPAIR_ERR_NO_PROOF);
  f.sequence = 0;
  assert_int_equal(dppair_ledger_counted_(&a, &f), DPPAIR_ERR_NO_PROOF);
  { /* a merged account knows none */
    dppair_accountant b = fresh();
    assert_ok(dppair_accountant_neighbours(&b, replace));
    assert_ok(dppair_accountant_gaussian(&b, 1, 1, 1));
    assert_ok(dppair_accountant_merge(&a, &b));
    for (k = 1; k < 200; k++)
      assert_int_equal(dppair_ledger_counted_(&a, &e[k]), DPPAIR_ERR_NO_PROOF);
  }
}

/* ---- Random accounts ------------------------------------------------------------------------- */

static double noise(void) { return log_between(0.3, 300.0); }

static dppair_step random_step(dppair_adjacency adjacency) {
  dppair_step s = plain(DPPAIR_GAUSSIAN, noise(), 1 + below(1000), adjacency);
  const size_t n = 2 + below(100000), m = 1 + below(n);
  switch (below(adjacency == unstated ? 5 : 12)) {
  case 0:
    return s;
  case 1:
    s.kind = DPPAIR_LAPLACE;
    return s;
  case 2:
    s.kind = DPPAIR_PURE;
    s.noise_multiplier = 1.0 / s.noise_multiplier;
    return s;
  case 3:
    s.kind = DPPAIR_ZCDP;
    s.noise_multiplier = 1.0 / s.noise_multiplier;
    return s;
  case 4:
    s.kind = below(2) ? DPPAIR_RANDOMISED_RESPONSE : DPPAIR_L2BALL;
    if (below(2)) s.kind = below(2) ? DPPAIR_OBJECTIVE : DPPAIR_PURE_OBJECTIVE;
    if (dppair_mechanism_is_objective_(s.kind)) s.ridge = noise();
    return s;
  case 5:
  case 6:
    s.kind = DPPAIR_SAMPLED_PAIRS;
    s.sampling = test_sampling(DPPAIR_POISSON, adjacency, 0, n, 0);
    s.pair_rate = log_between(1e-3, 1.0) / (double)n;
    return s;
  case 7:
    s.kind = DPPAIR_SAMPLED_PAIRS;
    s.sampling = test_sampling(DPPAIR_WITH_REPLACEMENT, adjacency, 0, n, 1 + below(50));
    return s;
  case 8:
    s.kind = DPPAIR_SAMPLED_GAUSSIAN;
    s.sampling = test_sampling(DPPAIR_POISSON, adjacency, log_between(1e-6, 1.0), 0, 0);
    return s;
  case 9:
    s.kind = DPPAIR_SAMPLED_GAUSSIAN;
    s.sampling =
        test_sampling(DPPAIR_POISSON, adjacency, below(2) ? (double)m / (double)n : 0, n, m);
    return s;
  default:
    s.kind = DPPAIR_SAMPLED_GAUSSIAN;
    s.sampling = test_sampling(DPPAIR_WITHOUT_REPLACEMENT, adjacency, 0, n, m);
    if (below(2)) s.sampling = dppair_sampling_matching(n, m + m % 2, adjacency);
    if (below(4) == 0) {
      s.sampling = dppair_sampling_allocation(n, 1 + below(40), 1, adjacency);
      s.sampling.group = 1 + below(s.sampling.batches);
      return s;
    }
    if (below(4) == 0) s.sampling = dppair_sampling_groups(n, m - m % 3 + 3, 3, adjacency);
    if (s.sampling.m > n) s.sampling = dppair_sampling_groups(n, n - n % 6, 6, adjacency);
    if (below(3) == 0) s.sampling = test_sampling(DPPAIR_WITH_REPLACEMENT, adjacency, 0, n, 5);
    return s;
  }
}

/* Written to a ledger and replayed, a random account is the same in all its fields, and answers the
 * same to the last bit. */
static void random_accounts_come_back_from_their_ledgers(void **state) {
  int i, taken = 0, folded = 0;
  (void)state;
  for (i = 0; i < FEWER(10000); i++) {
    static const dppair_adjacency units[] = {DPPAIR_REPLACE_ONE, DPPAIR_REPLACE_USER,
                                             DPPAIR_REPLACE_QUERY};
    const dppair_adjacency unit = units[below(3)];
    const dppair_adjacency adjacency =
        i % 5 == 0 ? unstated : (dppair_adjacency)(i % 2 ? (int)unit + 1 : (int)unit);
    dppair_accountant a = fresh(), b = fresh();
    const int lines = i % 1000 == 0 ? 250 : 1 + (int)below(12);
    size_t bad;
    int k;
    part.used = 0;
    if (adjacency != unstated && below(2)) assert_ok(dppair_accountant_neighbours(&a, adjacency));
    for (k = 0; k < lines; k++) {
      dppair_accountant trial = a;
      dppair_ledger_entry e = entry_of(random_step(adjacency), 0);
      if (below(2) && dppair_mechanism_scales_(e.step.kind)) {
        e.sensitivity = log_between(1e-9, 1e9);
        e.sigma = e.step.noise_multiplier * e.sensitivity;
      }
      if (below(4) == 0) e.failure = log_between(1e-250, 1e-9);
      if (i % 3 != 0) give_run(&e, 1 + (unsigned)below(60000));
      if (dppair_accountant_step(&trial, &e.step) != DPPAIR_OK) continue; /* not of these data */
      assert_ok(dppair_ledger_step(&a, &e, keep, &part));
      taken++;
    }
    if (a.sequence == 0) continue;
    assert_ok(dppair_ledger_replay(&b, &bad, part.text, part.used));
    if (!same_account(&a, &b)) print_error("%.*s", (int)part.used, part.text);
    assert_true(same_account(&a, &b));
    folded += a.folded;
    if (i % 25 == 0) {
      double x = 0, y = 0;
      assert_int_equal(answer_epsilon(&x, &a, 1e-6),
                       answer_epsilon(&y, &b, 1e-6));
      assert_memory_equal(&x, &y, sizeof x);
    }
  }
  assert_true(taken > FEWER(40000));
  assert_true(folded > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(stated_neighbours_are_those_of_every_step),
      TEST(steps_that_all_state_their_neighbours_state_them),
      TEST(an_unstated_step_leaves_the_account_unstated),
      TEST(every_charge_has_a_number_and_changes_the_check),
      TEST(the_check_is_of_the_charge_alone),
      TEST(the_check_sees_every_bit_of_a_charge),
      TEST(a_merged_account_counts_both_and_is_no_chain),
      TEST(merged_accounts_are_about_the_same_neighbours),
      TEST(ledger_numbers_come_back_to_the_last_bit),
      TEST(the_ledger_refuses_the_same_when_written_and_charged),
      TEST(the_longest_line_has_room),
      TEST(a_line_that_says_anything_else_is_refused),
      TEST(lines_of_version_1_are_refused),
      TEST(nothing_is_stored_that_is_not_charged),
      TEST(a_line_bears_the_accounts_number_check_and_neighbours),
      TEST(a_ledger_replayed_is_the_account_that_wrote_it),
      TEST(a_ledger_with_a_line_lost_moved_or_cut_is_refused),
      TEST(the_same_line_of_the_same_run_counts_once),
      TEST(a_long_ledger_finds_its_lines_again),
      TEST(one_number_of_two_runs_is_refused),
      TEST(a_ledger_of_mixed_neighbours_is_refused),
      TEST(a_ledger_with_any_byte_changed_is_refused),
      TEST(an_account_knows_its_latest_charges),
      TEST(random_accounts_come_back_from_their_ledgers),
      TEST(json_of_a_fixed_shape_comes_back_and_nothing_else),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
