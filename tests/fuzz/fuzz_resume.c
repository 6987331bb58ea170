/* SPDX-License-Identifier: MIT */
/*
 * Plans whose ledger goes to a sink that may fail, and that stop anywhere: draws, vectors, groups,
 * parts of a permit, histograms of scores, shares of integers. A failed sink leaves nothing open
 * and an account that answers nothing; who replays the ledger and goes on at any step releases the
 * same bits as who never stopped; with another key, another plan or a changed line nobody goes on.
 * An error leaves zeros, and uses no more than the permit of its step.
 *
 * brief: 60
 */
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_groups.h"
#include "dppair_pointwise.h"
#include "dppair_losses.h"

#include "plan.h"
#include "draws.h"

enum { RECORDS = 30, NUMBERS = 6, NODES = 4, STEPS = 5, TEXT = 8192 };

typedef struct journal {
  char text[TEXT];
  size_t length, fails; /* the call that fails; 0: none */
  size_t calls, start;  /* of the last line */
} journal;

static dppair_status store(const char *line, size_t length, void *context) {
  journal *j = (journal *)context;
  if (++j->calls == j->fails || j->length + length + 1 > TEXT) return DPPAIR_ERR_LEDGER;
  j->start = j->length;
  memcpy(j->text + j->length, line, length);
  j->length += length;
  if (line[length - 1] != '\n') j->text[j->length++] = '\n';
  return DPPAIR_OK;
}

/* What one step asks for, and what came of it. */
typedef struct order {
  int kind, part, early;
  double share, bound, v[NUMBERS], score[RECORDS];
  size_t groups;
} order;
typedef struct answer {
  dppair_status status, first;
  double v[NUMBERS], count[2 * NODES];
  uint64_t share[NUMBERS];
  size_t drawn, index[RECORDS];
} answer;

static void in_order(input *in, order *o) {
  size_t k;
  memset(o, 0, sizeof *o);
  o->kind = in_choice(in, 4);
  o->part = in_choice(in, 3) == 0;
  o->early = in_rarely(in);
  o->share = in_between(in, 0.05, 0.95);
  o->bound = in_scale(in, 1e-2, 10.0);
  for (k = 0; k < NUMBERS; k++) o->v[k] = in_between(in, -2.0, 2.0);
  for (k = 0; k < RECORDS; k++) o->score[k] = in_between(in, -3.0, 3.0);
  o->groups = in_rarely(in) ? in_count(in, 9) : SIZE_MAX;
}

static void grouped(answer *a, const order *o, dppair_release *release) {
  dppair_group_sum sum;
  const size_t most = o->groups < SIZE_MAX ? o->groups : 2 * RECORDS;
  size_t k;
  a->status = dppair_group_sum_open(&sum, a->v, NUMBERS, o->bound, release);
  if (a->status != DPPAIR_OK) return;
  for (k = 0; k < most; k++) { /* so many as the step has, found by trying */
    a->status = dppair_release_groups(a->v, release, &sum);
    if (a->status != DPPAIR_ERR_SIZE) return;
    a->status = dppair_group_add_f64(&sum, o->v);
    if (a->status != DPPAIR_OK) break;
  }
  memset(a->v, 0, sizeof a->v);
}

static void step(answer *a, const order *o, dppair_release *release, size_t n) {
  static const double node[NODES] = {-2.0, -0.5, 0.5, 2.0};
  dppair_histogram h;
  dppair_integers sum;
  int64_t integers[NUMBERS];
  memset(a, 0, sizeof *a);
  memset(&h, 0, sizeof h);
  h.node = node;
  h.nodes = NODES;
  h.count = a->count;
  if (!o->early && release->sampling.kind != DPPAIR_ALL)
    (void)(draw_now(a->index, &a->drawn, n, release) == DPPAIR_OK);
  if (o->part && dppair_release_part(release, o->share) == DPPAIR_OK) {
    const size_t m = release->sampling.kind == DPPAIR_ALL ? n : a->drawn;
    stain(a->count, 2 * NODES);
    a->first = dppair_release_score_histogram(&h, release, o->score, NULL, m, m / 2);
    if (a->first != DPPAIR_OK)
      REQUIRE(all_zero(a->count, sizeof a->count), "an error with a histogram");
  }
  memcpy(a->v, o->v, sizeof a->v);
  if (o->kind < 2) {
    a->status = dppair_release_vector(a->v, NUMBERS, release, o->bound);
  } else if (o->kind == 2) {
    grouped(a, o, release);
  } else {
    memset(a->v, 0, sizeof a->v);
    a->status =
        dppair_integers_open(&sum, integers, NUMBERS, DPPAIR_QUANTISED_TRUNCATED, 1024.0, 3.0, 0);
    if (a->status == DPPAIR_OK) a->status = dppair_quantise(&sum, o->v, NULL);
    memset(a->share, 0x5a, sizeof a->share);
    a->status = dppair_release_share(a->share, release, &sum, 2, 40);
    REQUIRE(a->status == DPPAIR_OK || all_zero(a->share, sizeof a->share), "an error with a share");
  }
  if (a->status != DPPAIR_OK) REQUIRE(all_zero(a->v, sizeof a->v), "an error with numbers");
}

static int same_answer(const answer *a, const answer *b) {
  return a->status == b->status && a->first == b->first && a->drawn == b->drawn &&
         memcmp(a->v, b->v, sizeof a->v) == 0 && memcmp(a->share, b->share, sizeof a->share) == 0 &&
         memcmp(a->count, b->count, sizeof a->count) == 0 &&
         memcmp(a->index, b->index, sizeof a->index) == 0;
}

/* Who did not have the program, the key or the line. */
static void refused(input *in, const dppair_accountant *account, const dppair_plan *plan,
                    const journal *j, const uint8_t key[32]) {
  static dppair_release release;
  dppair_accountant again = *account;
  char line[TEXT];
  uint8_t other[32];
  dppair_plan changed = *plan;
  const size_t length = j->length - j->start - 1, at = in_count(in, length - 1);
  memcpy(line, j->text + j->start, length);
  memcpy(other, key, sizeof other);
  other[in_choice(in, 32)] ^= (uint8_t)(1 + in_choice(in, 255));
  changed.steps++;
  REQUIRE(dppair_release_resume(&release, &again, plan, line, length, other, 0) != DPPAIR_OK,
          "another key goes on");
  REQUIRE(dppair_release_resume(&release, &again, &changed, line, length, key, 0) != DPPAIR_OK,
          "another plan goes on");
  REQUIRE(dppair_release_resume(&release, &again, plan, line, length, key, plan->steps + 1) !=
              DPPAIR_OK,
          "it goes on behind its end");
  line[at] ^= (char)(1 + in_choice(in, 127));
  REQUIRE(dppair_release_resume(&release, &again, plan, line, length, key, 0) != DPPAIR_OK,
          "a changed line goes on");
  REQUIRE(all_zero(&release, sizeof release), "a refused plan is there");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static dppair_accountant account, again;
  static dppair_release release, resumed;
  static order orders[STEPS];
  static answer first[STEPS], second;
  static journal j;
  input source = {bytes, size}, *in = &source;
  const size_t n = 2 + in_count(in, RECORDS - 2);
  uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys keys = {key, nonce};
  dppair_plan plan;
  dppair_status status;
  size_t t, from, bad, whole = 0; /* so many calls have each used one permit, to its end */
  memset(&plan, 0, sizeof plan);
  memset(&j, 0, sizeof j);
  in_bytes(in, key, sizeof key);
  in_bytes(in, nonce, sizeof nonce);
  nonce[0] = key[0] |= 1;
  REQUIRE(dppair_release_nonce(nonce, key) == DPPAIR_OK, "a run");
  plan.steps = 1 + (size_t)in_choice(in, STEPS);
  plan.noise = in_choice(in, 4) == 0 ? DPPAIR_SKELLAM : DPPAIR_GAUSSIAN;
  plan.noise_multiplier = in_scale(in, 0.5, 50.0);
  plan.sampling = in_choice(in, 2) ? dppair_sampling_all(n, in_adjacency(in)) : in_sampling(in, n);
  plan.ledger = dppair_ledger_to(store, &j);
  j.fails = in_rarely(in) ? 1 : 0;
  for (t = 0; t < STEPS; t++) in_order(in, &orders[t]);
  REQUIRE(dppair_accountant_init(&account) == DPPAIR_OK, "init");
  status = dppair_release_open(&release, &account, &plan, &keys);
  if (status != DPPAIR_OK) {
    REQUIRE(all_zero(&release, sizeof release), "a refused plan is there");
    REQUIRE(j.calls == 0 || account.broken != DPPAIR_OK, "a line that is not charged");
    return 0;
  }
  REQUIRE(j.calls == 1 && j.fails == 0, "charged without a line");
  for (t = 0; t < plan.steps; t++) {
    step(&first[t], &orders[t], &release, n);
    REQUIRE(release.step <= t + 1, "more than the permit of a step");
    if (whole == t && release.step == t + 1 && !(release.left > 0.0)) whole++;
  }
  /* from any step at which all before it used their permits */
  REQUIRE(dppair_accountant_init(&again) == DPPAIR_OK, "init");
  REQUIRE(dppair_ledger_replay(&again, &bad, j.text, j.length) == DPPAIR_OK, "no replay");
  refused(in, &again, &plan, &j, key);
  from = in_count(in, plan.steps);
  if (from > whole) from = whole;
  for (t = 0; t < plan.steps; t++)
    if (first[t].status != DPPAIR_OK && t < from) from = t;
  status = dppair_release_resume(&resumed, &again, &plan, j.text + j.start, j.length - j.start - 1,
                                 key, from);
  if (getenv("FUZZ_SHOW") != NULL)
    fprintf(stderr, "%s%s, from %zu of %zu, group %zu owned %zu batches %zu q %g\n", j.text, dppair_status_string(status), from, plan.steps, plan.sampling.group, plan.sampling.owned, plan.sampling.batches, plan.sampling.q);
  if (status == DPPAIR_OK) {
    for (t = from; t < plan.steps && first[t].status == DPPAIR_OK; t++) {
      step(&second, &orders[t], &resumed, n);
      REQUIRE(same_answer(&second, &first[t]), "it goes on otherwise");
    }
  } else {
    REQUIRE(0, "who stopped cannot go on");
  }
  REQUIRE(again.sequence == account.sequence && again.check == account.check, "charged again");
  dppair_release_close(&resumed);
  dppair_release_close(&release);
  return 0;
}
