/* SPDX-License-Identifier: MIT */
#include "hook.h"

#include "replay.h"

#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair.h"
#include "../support/questions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- a record of a run ------------------------------------------------------------------------ */

/* What a subject tells itself, beside the library's events. */
enum {
  PUBLISHED = 101,
  CLAIMED,
  KEYS_GIVEN,
  PARALLEL,
  BY_TOTAL,
  OF_RUNS,
  LARGEST,
  PROOF_BEGIN,
  PROOF_MOVES,
  PROOF_END,
  FITTED,
  FOUND
};

/* An event, with what belonged to it when it was told. */
typedef struct entry {
  int kind, status;
  char name[24];
  size_t n, width, count;
  double scale, sensitivity;
  uint64_t by, account, draw;     /* addresses: who told it; of a release, its account and draw */
  uint64_t sequence, check;       /* of the account: after the charge, or as the release says */
  uint64_t permit;                /* RELEASE: which of its plan's it uses */
  uint64_t key[4], stream, block; /* ADD: the state of the generator */
  uint32_t cipher, erase;
  int owned;                  /* its key is the system's, or that of a plan */
  dppair_sampling sampling;   /* DRAWN, RELEASE */
  dppair_ledger_entry charge; /* CHARGED */
  int has_sampling, has_after;
  unsigned char *before, *after; /* n numbers; after: ADD only */
} entry;

typedef struct record {
  entry *at;
  size_t count, room;
} record;

static record side_of[2];
static int recording = -1;           /* the side, or -1: nobody listens */
static size_t seen_adds, seen_draws; /* of the side that is recorded */
static FILE *stream_to;              /* of a program that runs as a process */

static void *grown(void *p, size_t bytes) {
  p = realloc(p, bytes > 0 ? bytes : 1);
  if (p == NULL) {
    fputs("audit: out of memory\n", stderr);
    exit(3);
  }
  return p;
}

static void record_clear(record *r) {
  size_t i;
  for (i = 0; i < r->count; i++) {
    free(r->at[i].before);
    free(r->at[i].after);
  }
  r->count = 0;
}

static entry *record_add(record *r) {
  if (r->count == r->room) {
    r->room = 2 * r->room + 64;
    r->at = grown(r->at, r->room * sizeof *r->at);
  }
  memset(&r->at[r->count], 0, sizeof *r->at);
  return &r->at[r->count++];
}

static unsigned char *copy_of(const void *bytes, size_t size) {
  unsigned char *copy = grown(NULL, size);
  if (size > 0) memcpy(copy, bytes, size);
  return copy;
}

/* The index-th entry of a kind, or NULL. */
static entry *record_find(const record *r, int kind, size_t index) {
  size_t i;
  for (i = 0; i < r->count; i++)
    if (r->at[i].kind == kind && index-- == 0) return &r->at[i];
  return NULL;
}

/* --- files of records, for programs that run as processes --------------------------------------
 */

static void entry_write(FILE *file, const entry *e) {
  if (fwrite(e, sizeof *e, 1, file) != 1 ||
      fwrite(e->before, 1, e->n * e->width, file) != e->n * e->width ||
      (e->has_after && fwrite(e->after, 1, e->n * e->width, file) != e->n * e->width) ||
      fflush(file) != 0) {
    fputs("audit: cannot write the record\n", stderr);
    exit(3);
  }
}

static int record_read(record *r, const char *path) {
  FILE *file = fopen(path, "rb");
  entry e;
  int ok = file != NULL;
  record_clear(r);
  while (ok && fread(&e, sizeof e, 1, file) == 1) {
    const size_t size = e.n * e.width;
    entry *to = record_add(r);
    *to = e;
    to->before = grown(NULL, size);
    to->after = e.has_after ? grown(NULL, size) : NULL;
    ok = fread(to->before, 1, size, file) == size &&
         (!e.has_after || fread(to->after, 1, size, file) == size);
  }
  if (file != NULL) (void)fclose(file);
  return ok;
}

/* A program's first event: is it recorded? */
static void begin_process(void) {
  static int asked;
  const char *to, *from;
  if (asked++ > 0 || (to = getenv("AUDIT_RECORD")) == NULL) return;
  from = getenv("AUDIT_REPLAY");
  recording = from != NULL;
  stream_to = fopen(to, "wb");
  if (stream_to == NULL || (from != NULL && !record_read(&side_of[0], from))) {
    fputs("audit: AUDIT_RECORD cannot be written, or AUDIT_REPLAY read\n", stderr);
    exit(3);
  }
  if (getenv("AUDIT_KEYS") != NULL) audit_keys_are_given();
}

int audit_side(void) {
  const char *side = getenv("AUDIT_SIDE");
  return side != NULL && strcmp(side, "1") == 0;
}

static void complete(const entry *e) {
  if (stream_to != NULL) entry_write(stream_to, e);
}

/* --- the hook --------------------------------------------------------------------------------- */

static uint64_t address(const void *p) { return (uint64_t)(uintptr_t)p; }

/* Keys of the system, the same in each run: number `index` of them. */
static void make_key(unsigned char *out, size_t n, size_t index) {
  uint64_t state = UINT64_C(0x6b79a8c1d2e3f405) + (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15);
  size_t i;
  for (i = 0; i < n; i++) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    out[i] = (unsigned char)(z >> 56);
  }
}

static void take_generator(entry *e, const dppair_rng *rng) {
  memcpy(e->key, rng->key, sizeof e->key);
  e->stream = rng->stream;
  e->block = rng->block;
  e->cipher = rng->cipher;
  e->erase = rng->erase;
  e->owned = rng->owner != 0;
}

static void take_release(entry *e, const dppair_release *release) {
  e->account = address(release->account);
  e->draw = address(&release->draw);
  e->sequence = release->sequence;
  e->permit = release->step;
  e->check = release->check;
}

static void take_what(entry *e, const dppair_event *event) {
  if (event->kind == DPPAIR_EVENT_CHARGED) {
    const dppair_accountant *a = (const dppair_accountant *)event->by;
    e->charge = *(const dppair_ledger_entry *)event->what;
    if (e->charge.step.kind == DPPAIR_GAUSSIAN && !(e->charge.step.noise_multiplier > 0.0))
      e->charge.step.noise_multiplier = dppair_down_(e->charge.sigma / e->charge.sensitivity);
    e->sequence = a->sequence;
    e->check = a->check;
  } else if (event->what != NULL) {
    e->sampling = *(const dppair_sampling *)event->what;
    e->has_sampling = 1;
  }
  if (event->kind == DPPAIR_EVENT_RELEASE) take_release(e, (const dppair_release *)event->by);
  if (event->kind == DPPAIR_EVENT_ADD && event->by != NULL)
    take_generator(e, (const dppair_rng *)event->by);
}

static int unseen_noise;
void audit_unseen(int unseen) { unseen_noise = unseen; }

/* The entry of the recorded run whose output is put in place of this one, or NULL. */
static const entry *in_place_of(const entry *e) {
  const entry *then;
  if (recording != 1 || (unseen_noise && e->kind == DPPAIR_EVENT_ADD)) return NULL;
  then = record_find(&side_of[0], e->kind,
                     e->kind == DPPAIR_EVENT_ADD ? seen_adds - 1 : seen_draws - 1);
  if (then == NULL || then->n != e->n || then->width != e->width || then->status != DPPAIR_OK)
    return NULL;
  return strcmp(then->name, e->name) == 0 ? then : NULL;
}

int (*audit_listener)(dppair_event *event);

int audit_event(dppair_event *event) {
  record *r;
  entry *e;
  const entry *then;
  const size_t size = event->n * event->width;
  if (audit_listener != NULL) return audit_listener(event);
  if (recording < 0) begin_process();
  if (recording < 0) return 0;
  if (event->kind == DPPAIR_EVENT_FITTED) {
    audit_fitted_event(event);
    return 0;
  }
  r = &side_of[recording];
  if (event->kind == DPPAIR_EVENT_ADDED) { /* belongs to the entry before */
    e = r->count > 0 ? &r->at[r->count - 1] : NULL;
    if (e == NULL || e->kind != DPPAIR_EVENT_ADD || e->has_after) return 0;
    e->status = event->status;
    e->after = copy_of(event->values, size);
    e->has_after = 1;
    complete(e);
    return 0;
  }
  e = record_add(r);
  e->kind = (int)event->kind;
  e->status = (int)event->status;
  if (event->name != NULL) (void)snprintf(e->name, sizeof e->name, "%s", event->name);
  e->scale = event->scale;
  e->sensitivity = event->sensitivity;
  e->by = address(event->by);
  e->n = event->values != NULL ? event->n : 0;
  e->width = event->width;
  take_what(e, event);
  if (e->kind == DPPAIR_EVENT_ADD && strcmp(e->name, "skellam") == 0 &&
      (r->count < 2 || e[-1].kind != DPPAIR_EVENT_RELEASE) && /* it tells a variance */
      dppair_skellam_sigma(&e->scale, event->scale) != DPPAIR_OK)
    e->scale = 0.0;
  if (e->kind == DPPAIR_EVENT_DRAWN && strcmp(e->name, "key") == 0)
    make_key((unsigned char *)event->values, size, seen_draws);
  e->before = copy_of(event->values, e->n * e->width);
  if (event->count != NULL) e->count = *event->count;
  seen_adds += e->kind == DPPAIR_EVENT_ADD;
  seen_draws += e->kind == DPPAIR_EVENT_DRAWN;
  if (e->kind == DPPAIR_EVENT_ADD && recording == 0) return 0; /* until ADDED */
  then = e->kind == DPPAIR_EVENT_ADD || e->kind == DPPAIR_EVENT_DRAWN ? in_place_of(e) : NULL;
  if (then != NULL && e->kind == DPPAIR_EVENT_ADD) {
    e->after = copy_of(then->after, size);
    e->has_after = 1;
  }
  if (e->kind == DPPAIR_EVENT_ADD && then == NULL) return 0; /* a run that goes its own way */
  complete(e);
  if (then != NULL) {
    memcpy(event->values, e->kind == DPPAIR_EVENT_ADD ? then->after : then->before, size);
    if (event->count != NULL) *event->count = then->count;
    return 1;
  }
  return e->kind == DPPAIR_EVENT_DRAWN && strcmp(e->name, "key") == 0;
}

static entry *tell(int kind, const void *bytes, size_t size) {
  entry *e;
  if (recording < 0) begin_process();
  if (recording < 0) return NULL;
  e = record_add(&side_of[recording]);
  e->kind = kind;
  e->n = size;
  e->width = 1;
  e->before = copy_of(bytes, size);
  return e;
}

void audit_publish(const void *bytes, size_t size) {
  const entry *e = tell(PUBLISHED, bytes, size);
  if (e != NULL) complete(e);
}

void audit_claim(const void *account, double epsilon, double delta, int adjacency) {
  entry *e = tell(CLAIMED, NULL, 0);
  if (e == NULL) return;
  e->by = address(account);
  e->scale = epsilon;
  e->sensitivity = delta;
  e->status = adjacency;
  complete(e);
}

void audit_keys_are_given(void) {
  const entry *e = tell(KEYS_GIVEN, NULL, 0);
  if (e != NULL) complete(e);
}

void audit_in_parallel(void) {
  const entry *e = tell(PARALLEL, NULL, 0);
  if (e != NULL) complete(e);
}

void audit_by_total(void) {
  const entry *e = tell(BY_TOTAL, NULL, 0);
  if (e != NULL) complete(e);
}

void audit_of_runs(void) {
  const entry *e = tell(OF_RUNS, NULL, 0);
  if (e != NULL) complete(e);
}

void audit_of_largest(size_t index) {
  entry *e = tell(LARGEST, NULL, 0);
  if (e == NULL) return;
  e->count = index;
  complete(e);
}

void audit_proof_begin(void) {
  const entry *e = tell(PROOF_BEGIN, NULL, 0);
  if (e != NULL) complete(e);
}

void audit_proof_moves(const double *v, size_t n, double scale, double allowed, int pure) {
  entry *e = tell(PROOF_MOVES, v, n * sizeof *v);
  if (e == NULL) return;
  e->n = n;
  e->width = sizeof *v;
  e->scale = scale;
  e->sensitivity = allowed;
  (void)snprintf(e->name, sizeof e->name, "%s", pure ? "l2ball" : "gaussian");
  complete(e);
}

void audit_proof_end(void) {
  const entry *e = tell(PROOF_END, NULL, 0);
  if (e != NULL) complete(e);
}

void audit_fit_tell(const audit_fit *fit, const dppair_release *release) {
  entry *e = tell(FITTED, fit, sizeof *fit);
  if (e == NULL) return;
  take_release(e, release);
  complete(e);
}

void audit_tell(audit_finding finding, const char *format, ...) {
  char sentence[sizeof((audit_report *)0)->sentence[0]];
  va_list list;
  entry *e;
  va_start(list, format);
  (void)vsnprintf(sentence, sizeof sentence, format, list);
  va_end(list);
  e = tell(FOUND, sentence, sizeof sentence);
  if (e == NULL) return;
  e->status = (int)finding;
  complete(e);
}

double audit_scale(size_t back) {
  const entry *e = NULL;
  if (recording >= 0 && seen_adds > back)
    e = record_find(&side_of[0], DPPAIR_EVENT_ADD, seen_adds - 1 - back);
  return e != NULL ? e->scale : 0.0;
}

int audit_added(double *v, size_t n, size_t back, int after) {
  const entry *e;
  if (recording < 0 || seen_adds <= back) return 0;
  e = record_find(&side_of[0], DPPAIR_EVENT_ADD, seen_adds - 1 - back);
  if (e == NULL || e->n != n || e->width != sizeof *v || (after && !e->has_after)) return 0;
  memcpy(v, after ? e->after : e->before, n * sizeof *v);
  return 1;
}

/* --- findings --------------------------------------------------------------------------------- */

const char *audit_finding_name(audit_finding finding) {
  static const char *const name[] = {"distance", "flow",  "scale",  "charge",
                                     "unpaid",   "claim", "output", "noise"};
  return (int)finding >= 0 && finding < AUDIT_FINDINGS ? name[finding] : "none";
}

void audit_found(audit_report *report, audit_finding finding, const char *format, ...) {
  va_list list;
  if (report->found & 1u << finding) return;
  report->found |= 1u << finding;
  va_start(list, format);
  (void)vsnprintf(report->sentence[finding], sizeof report->sentence[finding], format, list);
  va_end(list);
}

static int same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static int same_sampling(const dppair_sampling *a, const dppair_sampling *b) {
  return a->kind == b->kind && a->n == b->n && a->m == b->m && same_number(a->q, b->q) &&
         a->adjacency == b->adjacency && a->batches == b->batches && a->owned == b->owned &&
         dppair_sampling_group_(a) == dppair_sampling_group_(b);
}

static const char *kind_name(const entry *e) {
  switch (e->kind) {
  case DPPAIR_EVENT_ADD:
    return "noise on";
  case DPPAIR_EVENT_DRAWN:
    return "a draw of";
  case DPPAIR_EVENT_CHARGED:
    return "a charge over";
  case DPPAIR_EVENT_RELEASE:
    return "a release of";
  case DPPAIR_EVENT_TRIED:
    return "a trial over";
  default:
    return "nothing of";
  }
}

/* --- the same flow on both sides ---------------------------------------------------------------
 */

static void compare_charges(audit_report *report, const entry *a, const entry *b, size_t index) {
  const dppair_ledger_entry *x = &a->charge, *y = &b->charge;
  if (!same_sampling(&x->step.sampling, &y->step.sampling) || x->step.kind != y->step.kind ||
      x->step.steps != y->step.steps ||
      !same_number(x->step.noise_multiplier, y->step.noise_multiplier) ||
      !same_number(x->step.pair_rate, y->step.pair_rate) ||
      !same_number(x->step.ridge, y->step.ridge) || !same_number(x->sensitivity, y->sensitivity) ||
      !same_number(x->sigma, y->sigma) || !same_number(x->failure, y->failure))
    audit_found(report, AUDIT_CHARGE,
                "charge %zu is %zu steps of %s at multiplier %.9g, sensitivity %.9g, and %zu of %s "
                "at %.9g, %.9g on the neighbour",
                index, x->step.steps, a->name, x->step.noise_multiplier, x->sensitivity,
                y->step.steps, b->name, y->step.noise_multiplier, y->sensitivity);
}

/* Every pair of events; returns how many are the same up to the first that is not. */
static size_t compare_flow(audit_report *report, const record *a, const record *b) {
  static const entry nothing;
  size_t i = 0, j = 0, index = 0;
  for (;; i++, j++, index++) {
    const entry *x, *y;
    while (i < a->count && a->at[i].kind > 100) i++;
    while (j < b->count && b->at[j].kind > 100) j++;
    if (i >= a->count && j >= b->count) return index;
    x = i < a->count ? &a->at[i] : &nothing;
    y = j < b->count ? &b->at[j] : &nothing;
    if (x->kind != y->kind || x->n != y->n || x->width != y->width ||
        strcmp(x->name, y->name) != 0) {
      if (x->kind == DPPAIR_EVENT_CHARGED && y->kind == DPPAIR_EVENT_CHARGED)
        compare_charges(report, x, y, index);
      audit_found(report, AUDIT_FLOW, "event %zu is %s %zu (%s), on the neighbour %s %zu (%s)",
                  index, kind_name(x), x->n, x->name, kind_name(y), y->n, y->name);
      return index;
    }
    if (x->status != y->status && !(x->kind == DPPAIR_EVENT_ADD && y->has_after))
      audit_found(report, AUDIT_FLOW, "event %zu, %s %zu (%s): %s, on the neighbour %s", index,
                  kind_name(x), x->n, x->name, dppair_status_string((dppair_status)x->status),
                  dppair_status_string((dppair_status)y->status));
    if (x->kind == DPPAIR_EVENT_ADD && !x->erase &&
        (memcmp(x->key, y->key, sizeof x->key) != 0 || x->stream != y->stream))
      audit_found(report, AUDIT_NOISE, "event %zu: the key of the noise depends on data", index);
    if (x->has_sampling && !same_sampling(&x->sampling, &y->sampling))
      audit_found(report, AUDIT_FLOW, "event %zu: another sampling on the neighbour", index);
    if (x->kind == DPPAIR_EVENT_CHARGED)
      compare_charges(report, x, y, index);
    else if (!same_number(x->scale, y->scale) || !same_number(x->sensitivity, y->sensitivity))
      audit_found(
          report, AUDIT_SCALE,
          "the scale %.17g and the sensitivity %.17g of event %zu depend on data: %.17g and "
          "%.17g on the neighbour",
          x->scale, x->sensitivity, index, y->scale, y->sensitivity);
  }
}

static void compare_outputs(audit_report *report, const record *a, const record *b) {
  size_t k;
  for (k = 0;; k++) {
    const entry *x = record_find(a, PUBLISHED, k), *y = record_find(b, PUBLISHED, k);
    size_t at = 0;
    if (x == NULL && y == NULL) break;
    if (x == NULL || y == NULL) {
      audit_found(report, AUDIT_OUTPUT, "output %zu is published on one side only", k);
      break;
    }
    while (at < x->n && at < y->n && x->before[at] == y->before[at]) at++;
    if (x->n != y->n || at < x->n)
      audit_found(report, AUDIT_OUTPUT,
                  "output %zu differs from byte %zu on (%zu bytes, %zu on the neighbour), with all "
                  "recorded releases in place",
                  k, at, x->n, y->n);
  }
  for (k = 0;; k++) {
    const entry *x = record_find(a, CLAIMED, k), *y = record_find(b, CLAIMED, k);
    if (x == NULL && y == NULL) break;
    if (x == NULL || y == NULL || !same_number(x->scale, y->scale) ||
        !same_number(x->sensitivity, y->sensitivity)) {
      audit_found(report, AUDIT_OUTPUT, "what is claimed depends on data");
      break;
    }
  }
}

/* --- distances -------------------------------------------------------------------------------- */

static long double number_of(const entry *e, size_t i) {
  double x;
  int64_t whole;
  float narrow;
  if (strcmp(e->name, "skellam") == 0) { /* integers modulo 2^64 */
    memcpy(&whole, e->before + i * sizeof whole, sizeof whole);
    return (long double)whole;
  }
  if (e->width == sizeof narrow) {
    memcpy(&narrow, e->before + i * sizeof narrow, sizeof narrow);
    return (long double)narrow;
  }
  memcpy(&x, e->before + i * sizeof x, sizeof x);
  return (long double)x;
}

/* The distance of two vectors in the norm of their law, rounded down by more than its rounding
 * errors; HUGE_VAL where a number is not finite. */
static double distance(const entry *a, const entry *b, int largest) {
  const int l1 = strcmp(a->name, "laplace") == 0;
  long double most = 0, sum = 0;
  size_t i;
  for (i = 0; i < a->n; i++) {
    const long double d = fabsl(number_of(a, i) - number_of(b, i));
    if (!(d <= (long double)DBL_MAX)) return HUGE_VAL;
    if (d > most) most = d;
  }
  if (!(most > 0)) return 0.0;
  if (largest) return (double)(most * (1 - 4 * LDBL_EPSILON)) * (1 - DBL_EPSILON);
  for (i = 0; i < a->n; i++) {
    const long double d = fabsl(number_of(a, i) - number_of(b, i)) / most;
    sum += l1 ? d : d * d;
  }
  sum = most * (l1 ? sum : sqrtl(sum));
  return (double)(sum * (1 - ((long double)a->n + 8) * LDBL_EPSILON)) * (1 - DBL_EPSILON);
}

/* --- charges and the noise that they pay for ----------------------------------------------------
 */

/* A charge, where it was told, and how many of its steps nothing was paid with yet. */
typedef struct paid {
  const entry *charge;
  size_t at, left;
  uint64_t permit; /* the last that was used, and by what share of it */
  double share;
} paid;

static size_t paid_count;
static paid *paid_list;

/* The charges of a record, without those that were tried on copies. */
static void list_charges(const record *r) {
  size_t i, k;
  paid_count = 0;
  paid_list = grown(paid_list, r->count * sizeof *paid_list);
  for (i = 0; i < r->count; i++) {
    const entry *e = &r->at[i];
    if (e->kind == DPPAIR_EVENT_CHARGED) {
      paid_list[paid_count].charge = e;
      paid_list[paid_count].at = i;
      paid_list[paid_count].permit = 0;
      paid_list[paid_count].share = 0.0;
      paid_list[paid_count++].left = e->charge.step.steps;
    }
    for (k = paid_count; e->kind == DPPAIR_EVENT_TRIED && e->status == DPPAIR_OK && k-- > 0;) {
      if (paid_list[k].charge->by != e->by) continue;
      memmove(paid_list + k, paid_list + k + 1, (--paid_count - k) * sizeof *paid_list);
      break;
    }
  }
}

/* May noise of this law pay with a charge of this kind? */
static int law_of(const entry *charge, const char *law) {
  switch (charge->charge.step.kind) {
  case DPPAIR_GAUSSIAN:
  case DPPAIR_SAMPLED_GAUSSIAN:
  case DPPAIR_SAMPLED_PAIRS:
  case DPPAIR_ZCDP:
    return strcmp(law, "gaussian") == 0;
  case DPPAIR_LAPLACE:
    return strcmp(law, "laplace") == 0;
  case DPPAIR_L2BALL:
    return strcmp(law, "l2ball") == 0;
  case DPPAIR_SKELLAM:
  case DPPAIR_SAMPLED_SKELLAM:
    return strcmp(law, "skellam") == 0;
  case DPPAIR_PURE:
    return strcmp(law, "gaussian") != 0 && strcmp(law, "skellam") != 0;
  default:
    return 0;
  }
}

/* The charge of a release: of its account, with its number and check. */
static paid *charge_of_release(const entry *release) {
  size_t k;
  for (k = paid_count; k-- > 0;) {
    const entry *c = paid_list[k].charge;
    if (c->by == release->account && c->sequence == release->sequence && c->check == release->check)
      return &paid_list[k];
  }
  return NULL;
}

/* The scale of noise for a move of `sensitivity`, by what the charge says; 0 where it says none. */
static double multiplier_of(const entry *charge) {
  const dppair_step *step = &charge->charge.step;
  if (step->kind == DPPAIR_PURE) return 1.0 / step->noise_multiplier;
  if (step->kind == DPPAIR_ZCDP) return sqrt(0.5 / step->noise_multiplier);
  if (!(step->noise_multiplier > 0.0)) return charge->charge.sigma / charge->charge.sensitivity;
  return step->noise_multiplier;
}

/* The charge that pays for noise that no plan releases: of its scale, if there is one, and the last
 * one told before it, if there is one. */
static paid *charge_of_noise(const entry *add, size_t at) {
  paid *best = NULL;
  int best_rank = -1;
  size_t k;
  for (k = 0; k < paid_count; k++) {
    paid *p = &paid_list[k];
    const double sigma = p->charge->charge.sigma;
    int rank;
    if (p->left == 0 || !law_of(p->charge, add->name)) continue;
    rank = 2 * (sigma > 0.0 && fabs(sigma / add->scale - 1.0) < 1e-9) + (p->at < at);
    if (rank >= best_rank) {
      best = p;
      best_rank = rank;
    }
  }
  return best;
}

/* --- draws ------------------------------------------------------------------------------------ */

static size_t index_of(const entry *draw, size_t i) {
  size_t value;
  memcpy(&value, draw->before + i * sizeof value, sizeof value);
  return value;
}

static int is_records(const entry *e) {
  return e->kind == DPPAIR_EVENT_DRAWN && e->status == DPPAIR_OK && e->has_sampling;
}

/* Is a draw one that its sampling can give? */
static int follows(const entry *draw) {
  const dppair_sampling *s = &draw->sampling;
  const int pairs = strcmp(draw->name, "pairs") == 0, matching = s->kind == DPPAIR_MATCHING;
  const size_t count = pairs ? 2 * draw->count : draw->count;
  size_t i, j;
  if (count > draw->n) return 0;
  for (i = 0; i < count; i++) {
    const size_t drawn = index_of(draw, i);
    if (drawn >= s->n) return 0;
    if (pairs && i % 2 == 1 && drawn == index_of(draw, i - 1)) return 0;
    if (s->kind == DPPAIR_WITH_REPLACEMENT) continue;
    if (!matching && i > 0 && drawn <= index_of(draw, i - 1)) return 0;
    for (j = 0; matching && j < i; j++)
      if (drawn == index_of(draw, j)) return 0;
  }
  if (dppair_sampling_is_random_(s->kind)) return 1;
  return count == (s->kind == DPPAIR_ALL ? s->n : (pairs && !matching ? 2 * s->m : s->m));
}

/* How often the record is drawn that is drawn most often: a release of a draw with replacement
 * moves by that many times what one place moves. */
static size_t most_often(const entry *draw) {
  const int pairs = strcmp(draw->name, "pairs") == 0;
  const size_t count = pairs ? 2 * draw->count : draw->count;
  size_t i, j, most = 1;
  if (draw->sampling.kind != DPPAIR_WITH_REPLACEMENT) return 1;
  for (i = 0; i < count; i++) {
    size_t times = 0;
    for (j = 0; j < count; j++) times += index_of(draw, i) == index_of(draw, j);
    if (times > most) most = times;
  }
  return most;
}

/* The draw that the noise at `at` belongs to: told after the last noise before it, by `by` unless
 * that is 0; or, of a release, after the last one of another permit. */
static const entry *draw_before(const record *r, size_t at, uint64_t by) {
  const entry *found = NULL;
  size_t i;
  for (i = at; i-- > 0 && r->at[i].kind != DPPAIR_EVENT_ADD;)
    if (is_records(&r->at[i]) && (by == 0 || r->at[i].by == by)) return &r->at[i];
  /* other plans may release in between, if the draw is this plan's own */
  for (i = at; by != 0 && i-- > 0 && found == NULL;) {
    if (r->at[i].kind == DPPAIR_EVENT_RELEASE && r->at[i].draw == by && i + 1 < at &&
        r->at[i].permit != r->at[at].permit)
      return NULL;
    if (is_records(&r->at[i]) && r->at[i].by == by) found = &r->at[i];
  }
  return found;
}

/* An allocation's draws, as their steps say: no batch is drawn twice, and no record is in more than
 * `group` batches of an epoch, or in fewer where all its batches are drawn. What was drawn again
 * after a stop is the same batch, and its first draw does not count. */
static void check_epoch(audit_report *report, const record *r, size_t at) {
  const entry *e = &r->at[at];
  const dppair_sampling *s = &e->sampling;
  const size_t step = (size_t)e->scale, epoch = s->batches > 0 ? step / s->batches : 0;
  size_t i, k, drawn = 1, *times;
  if (s->kind != DPPAIR_ALLOCATION) return;
  times = grown(NULL, s->n * sizeof *times);
  memset(times, 0, s->n * sizeof *times);
  for (k = 0; k < e->count; k++) times[index_of(e, k)]++;
  for (i = 0; i < at; i++) {
    const entry *d = &r->at[i];
    if (!is_records(d) || d->by != e->by || !same_sampling(&d->sampling, s)) continue;
    if ((size_t)d->scale == step && d->count == e->count && e->count > 0 &&
        memcmp(d->before, e->before, e->count * e->width) == 0)
      audit_found(report, AUDIT_NOISE, "batch %zu of epoch %zu is drawn twice", step % s->batches,
                  epoch);
    if ((size_t)d->scale / s->batches != epoch || (size_t)d->scale == step) continue;
    for (k = 0; k < d->count; k++) times[index_of(d, k)]++;
    drawn++;
  }
  for (k = 0; k < s->n; k++)
    if (times[k] > s->group || (drawn == s->batches && times[k] < s->group))
      audit_found(report, AUDIT_NOISE,
                  "record %zu is in %zu batches of an epoch that puts it in %zu", k, times[k],
                  s->group);
  free(times);
}

/* The record that differs, by its index, where the subject tells it. */
enum { DIFFERS = 200 };
void audit_differs(size_t index) {
  entry *e = tell(DIFFERS, NULL, 0);
  if (e == NULL) return;
  e->count = index;
  complete(e);
}

/* How many records that differ are in a draw, and how many were told: without them nothing moves.
 */
static size_t differing(size_t *told, const record *r, const entry *draw) {
  const size_t count = draw->count * (strcmp(draw->name, "pairs") == 0 ? 2u : 1u);
  const entry *e;
  size_t i, drawn = 0;
  for (*told = 0; (e = record_find(r, DIFFERS, *told)) != NULL; ++*told)
    for (i = 0; i < count; i++)
      if (index_of(draw, i) == e->count) {
        drawn++;
        break;
      }
  return drawn;
}

/* --- one noise -------------------------------------------------------------------------------- */

/* What a release is allowed to move by. */
typedef struct terms {
  double allowed;
  int sampled, largest;
} terms;

/* A charge for batches of random size is about a record that is zeroed; where one is replaced by
 * another, both moves add. */
static double moves_of(const dppair_sampling *s) {
  return dppair_sampling_is_random_(s->kind) &&
                 dppair_adjacency_move_(s->adjacency) != DPPAIR_ZERO_OUT
             ? 2
             : 1;
}

/* How far j drawn records of one user move a batch, one of them being charged. */
static double moves_together(const dppair_sampling *s, size_t j) {
  if (s->owned == 0 || j < 2) return 1;
  return dppair_owned_(s->m, j < s->owned ? j : s->owned) / (double)(s->m - 1) * (1 + 1e-15);
}

static void check_draw(audit_report *report, terms *t, const record *r, size_t at, uint64_t by,
                       const dppair_sampling *charged, size_t index) {
  const entry *draw = draw_before(r, at, by);
  size_t told = 0, drawn = draw != NULL ? differing(&told, r, draw) : 0;
  t->sampled = 1;
  if (told > 0 && drawn == 0) t->allowed = DBL_MIN;
  if (told > 1 && told > charged->owned)
    audit_found(report, AUDIT_CHARGE,
                "release %zu: %zu drawn records differ, and %zu of one person are charged", index,
                told, charged->owned > 0 ? charged->owned : 1);
  if (draw == NULL)
    audit_found(report, AUDIT_NOISE,
                "release %zu is charged as one of drawn records, and none were "
                "drawn for it",
                index);
  else if (!same_sampling(&draw->sampling, charged) && charged->n != 0)
    audit_found(report, AUDIT_CHARGE,
                "release %zu: %s, %zu of %zu, is drawn, and %s, %zu of %zu, is charged", index,
                dppair_sampling_name(draw->sampling.kind), draw->sampling.m, draw->sampling.n,
                dppair_sampling_name(charged->kind), charged->m, charged->n);
  else
    t->allowed *= (double)most_often(draw) * moves_of(&draw->sampling) *
                  moves_together(charged, told > 0 ? drawn : charged->m);
}

/* The share of a permit that one noise uses: all of it where the scale is multiplier x sensitivity.
 * Shares of pure laws add up; of Gaussians their squares do. Rounded down by its rounding errors.
 */
static double share_of(const entry *add, double sensitivity, double z) {
  const long double one = (long double)z * (long double)sensitivity / (long double)add->scale;
  const long double share = strcmp(add->name, "gaussian") == 0 ? one * one : one;
  return (double)(share * (1 - 8 * LDBL_EPSILON)) * (1 - DBL_EPSILON);
}

/* Noise that a plan releases: `release` was told before it. */
static terms check_release(audit_report *report, const record *r, size_t at, size_t index) {
  const entry *release = &r->at[at - 1], *add = &r->at[at];
  paid *charge = charge_of_release(release);
  terms t = {0, 0, 0};
  double z;
  t.allowed = release->sensitivity;
  if (charge == NULL) {
    audit_found(report, AUDIT_UNPAID, "release %zu has no charge in its account", index);
    return t;
  }
  if (release->permit != charge->permit || charge->permit == 0) { /* a new permit */
    if (charge->left == 0)
      audit_found(report, AUDIT_UNPAID, "release %zu is one more than was paid for", index);
    else
      charge->left--;
    charge->permit = release->permit;
    charge->share = 0.0;
  }
  z = multiplier_of(charge->charge);
  charge->share += share_of(add, release->sensitivity, z);
  if (!law_of(charge->charge, add->name))
    audit_found(report, AUDIT_SCALE, "release %zu has noise of the law %s, and %s is charged",
                index, add->name, charge->charge->name);
  else if (!(charge->share <= 1.0) || !same_number(add->scale, release->scale))
    audit_found(report, AUDIT_SCALE,
                "release %zu has noise of scale %.17g for a sensitivity of %.17g: with the "
                "multiplier %.17g that is %.17g of its permit",
                index, add->scale, release->sensitivity, z, charge->share);
  if (dppair_step_is_sampled_(&charge->charge->charge.step))
    check_draw(report, &t, r, at - 1, release->draw, &charge->charge->charge.step.sampling, index);
  else if (release->sampling.kind != DPPAIR_ALL)
    audit_found(report, AUDIT_CHARGE, "release %zu draws, and a step without a draw is charged",
                index);
  return t;
}

/* Noise that a program adds itself: a charge pays, which says how far the vector may move at this
 * scale. */
static terms check_noise(audit_report *report, const record *r, size_t at, size_t index) {
  const entry *add = &r->at[at];
  paid *charge = charge_of_noise(add, at);
  terms t = {HUGE_VAL, 0, 0};
  double z;
  if (charge == NULL) {
    audit_found(report, AUDIT_UNPAID, "noise %zu (%s, scale %.9g on %zu numbers) has no charge",
                index, add->name, add->scale, add->n);
    return t;
  }
  charge->left--;
  z = multiplier_of(charge->charge);
  t.allowed = charge->charge->charge.sensitivity;
  if (!(t.allowed > 0.0)) /* the charge says a multiplier: what it allows at this scale, */
    t.allowed = add->scale / z * (1 + 2 * DBL_EPSILON);
  else if (!(add->scale >= charge->charge->charge.sigma * (1 - 1e-12)))
    audit_found(report, AUDIT_SCALE,
                "noise %zu has the scale %.17g; charged is %.17g for a sensitivity of %.9g", index,
                add->scale, charge->charge->charge.sigma, t.allowed);
  if (charge->charge->charge.step.kind == DPPAIR_SAMPLED_PAIRS &&
      dppair_adjacency_move_(charge->charge->charge.step.sampling.adjacency) != DPPAIR_ZERO_OUT)
    t.allowed *= 2; /* it charges the clip of a pair's vector, which turns around */
  if (dppair_step_is_sampled_(&charge->charge->charge.step))
    check_draw(report, &t, r, at, 0, &charge->charge->charge.step.sampling, index);
  return t;
}

/* Noise that repeats that of an earlier one: its generator is where another one was. */
static void check_generator(audit_report *report, const record *r, size_t at, size_t index) {
  const entry *add = &r->at[at];
  const int two_sided = strcmp(add->name, "l2ball") == 0;
  size_t i;
  for (i = 0; i < at; i++) {
    const entry *e = &r->at[i];
    const size_t blocks = (e->n + 15) / 16 * (two_sided ? 2u : 1u);
    if (e->kind != DPPAIR_EVENT_ADD || e->stream != add->stream ||
        memcmp(e->key, add->key, sizeof e->key) != 0)
      continue;
    if (add->block >= e->block && add->block - e->block < blocks) {
      audit_found(report, AUDIT_NOISE, "release %zu repeats the noise of an earlier one", index);
      return;
    }
  }
}

enum { MOST_BYTES = 4096 }; /* of those drawn, in which a key is looked for */

/* Does a plan with this charge make the generator of `add` from these 32 bytes? */
static int is_made_of(const entry *add, const unsigned char *key, const entry *charge) {
  dppair_rng noise, draw;
  if (charge == NULL) return memcmp(add->key, key, sizeof add->key) == 0;
  dppair_release_key_(&noise, &draw, add->cipher, key, charge->charge.nonce, charge->sequence);
  return memcmp(noise.key, add->key, sizeof add->key) == 0;
}

/* What a plan says of the release that the noise at `at` is of: told before it, or after a fit. */
static const entry *release_of(const record *r, size_t at) {
  size_t i;
  if (at > 0 && r->at[at - 1].kind == DPPAIR_EVENT_RELEASE) return &r->at[at - 1];
  for (i = at; i < r->count && r->at[i].kind != PROOF_END && r->at[i].kind != PROOF_BEGIN; i++)
    if (r->at[i].kind == FITTED) return &r->at[i];
  return NULL;
}

/* Noise whose key did not come from the system, or from bytes of a generator that did. */
static void check_key(audit_report *report, const record *r, size_t at, size_t index) {
  const entry *add = &r->at[at], *release = release_of(r, at);
  const paid *charge = release != NULL ? charge_of_release(release) : NULL;
  size_t i, k;
  if (charge == NULL && add->owned) return;
  for (i = at; i-- > 0;) { /* the same as before: that was told */
    const entry *e = &r->at[i];
    if (e->kind == KEYS_GIVEN) return;
    if (e->kind == DPPAIR_EVENT_ADD && memcmp(e->key, add->key, sizeof e->key) == 0) return;
  }
  for (i = 0; i < at; i++) {
    const entry *e = &r->at[i];
    if (e->kind != DPPAIR_EVENT_DRAWN || e->width != 1) continue;
    if (charge == NULL && strcmp(e->name, "bytes") == 0 && e->n >= 32) return; /* or of those */
    for (k = 0; k + sizeof add->key <= e->n && k < MOST_BYTES; k++)
      if (is_made_of(add, e->before + k, charge != NULL ? charge->charge : NULL)) return;
  }
  audit_found(report, AUDIT_NOISE, "the keys of noise %zu do not come from the system", index);
}

static void check_numbers(audit_report *report, const entry *add, size_t index) {
  if (add->has_after && add->status == DPPAIR_OK && add->n > 0 &&
      memcmp(add->before, add->after, add->n * add->width) == 0)
    audit_found(report, AUDIT_NOISE, "release %zu has no noise", index);
}

/* What a run adds up to. */
typedef struct sums {
  double mu2, pure;
  size_t index; /* of the next noise */
} sums;

/* How far one noise's numbers moved, against what is allowed. */
static void check_move(audit_report *report, sums *total, const entry *a, const entry *b,
                       const terms *t) {
  const size_t index = total->index;
  double d;
  if (b == NULL || b->n != a->n || b->width != a->width) return;
  d = distance(a, b, t->largest);
  if (t->largest) d *= 2;
  if (d > t->allowed)
    audit_found(report, AUDIT_DISTANCE,
                "release %zu moves by %.17g, %.9g times the %.17g that was charged", index, d,
                d / t->allowed, t->allowed);
  if (d / t->allowed > report->largest) {
    report->largest = d / t->allowed;
    report->at = index;
  }
  if (t->sampled || strcmp(a->name, "skellam") == 0) return; /* one share says nothing of the sum */
  if (strcmp(a->name, "gaussian") == 0)
    total->mu2 += d / a->scale * (d / a->scale);
  else
    total->pure += d / a->scale;
}

/* The noise at `at`. */
static void check_add(audit_report *report, sums *total, const record *a, const record *b,
                      size_t at) {
  static const terms unchecked = {HUGE_VAL, 0, 0};
  const entry *e;
  terms t;
  size_t k;
  if (record_find(a, BY_TOTAL, 0) != NULL)
    t = unchecked;
  else if (at > 0 && a->at[at - 1].kind == DPPAIR_EVENT_RELEASE)
    t = check_release(report, a, at, total->index);
  else
    t = check_noise(report, a, at, total->index);
  for (k = 0; (e = record_find(a, LARGEST, k)) != NULL; k++) t.largest |= e->count == total->index;
  check_numbers(report, &a->at[at], total->index);
  check_move(report, total, &a->at[at], record_find(b, DPPAIR_EVENT_ADD, total->index), &t);
}

static void check_proof(audit_report *report, sums *total, const entry *a, const entry *b) {
  terms t = {0, 0, 0};
  t.allowed = a->sensitivity;
  if (b == NULL)
    audit_found(report, AUDIT_FLOW, "a release with its own proof is not on the neighbour");
  check_move(report, total, a, b, &t);
}

/* The charge of output noise, on the line before that of its fit. */
static paid *charge_of_trace(const paid *fit) {
  const entry *of = fit->charge;
  size_t k;
  for (k = 0; k < paid_count; k++) {
    const entry *c = paid_list[k].charge;
    if (c->by == of->by && c->sequence + 1 == of->sequence && paid_list[k].at < fit->at &&
        (c->charge.step.kind == DPPAIR_GAUSSIAN || c->charge.step.kind == DPPAIR_L2BALL))
      return &paid_list[k];
  }
  return NULL;
}

/* A minimiser of a perturbed fit: its noises and its ridge are those that are charged. */
static void check_fit(audit_report *report, const entry *a, const entry *b, const entry *of_b,
                      const entry *of_b_there) {
  const dppair_step *step;
  audit_fit fit;
  paid *charge = charge_of_release(a), *trace = charge != NULL ? charge_of_trace(charge) : NULL;
  memcpy(&fit, a->before, sizeof fit);
  if (b == NULL || memcmp(a->before, b->before, sizeof fit) != 0)
    audit_found(report, AUDIT_SCALE, "the ridge, the noises or the facts of a fit depend on data");
  if (of_b != NULL && of_b_there != NULL && of_b->n == of_b_there->n &&
      memcmp(of_b->before, of_b_there->before, of_b->n * of_b->width) != 0)
    audit_found(report, AUDIT_DISTANCE, "the centre of a fit depends on data");
  if (trace == NULL || charge->left == 0 || trace->left == 0) {
    audit_found(report, AUDIT_UNPAID,
                "a perturbed fit has no charge, or is one more than was paid");
    return;
  }
  charge->left--;
  trace->left--;
  step = &charge->charge->charge.step;
  if (step->kind != (fit.pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE))
    audit_found(report, AUDIT_SCALE, "a perturbed fit is charged as %s", charge->charge->name);
  if (!(fit.scale >= step->noise_multiplier * fit.slope * (1 - 1e-9)))
    audit_found(report, AUDIT_SCALE, "a fit has noise %.9g for slopes of %.9g at multiplier %.9g",
                fit.scale, fit.slope, step->noise_multiplier);
  if (!(fit.ridge >= step->ridge * fit.curvature * (1 - 1e-9)))
    audit_found(report, AUDIT_CHARGE,
                "a fit has ridge %.9g for curvature %.9g, and %.9g is charged", fit.ridge,
                fit.curvature, step->ridge);
  if (!(fit.output >= multiplier_of(trace->charge) * fit.hidden * (1 - 1e-9)))
    audit_found(report, AUDIT_SCALE,
                "the output's noise %.9g does not hide %.9g at multiplier %.9g", fit.output,
                fit.hidden, multiplier_of(trace->charge));
}

static void check_adds(audit_report *report, const record *a, const record *b) {
  size_t i, proofs = 0, fits = 0;
  int covered = 0;
  sums total = {0, 0, 0};
  list_charges(a);
  for (i = 0; i < a->count; i++) {
    const entry *e = &a->at[i];
    report->draws += is_records(e) ? 1 : 0;
    if (is_records(e) && !follows(e))
      audit_found(report, AUDIT_NOISE, "a draw is not one of its sampling (%s, %zu of %zu)",
                  dppair_sampling_name(e->sampling.kind), e->sampling.m, e->sampling.n);
    if (is_records(e)) check_epoch(report, a, i);
    if (e->kind == PROOF_BEGIN) covered = 1;
    if (e->kind == PROOF_END) covered = 0;
    if (e->kind == PROOF_MOVES)
      check_proof(report, &total, e, record_find(b, PROOF_MOVES, proofs++));
    if (e->kind == FITTED && total.index >= 2)
      check_fit(report, e, record_find(b, FITTED, fits++),
                record_find(a, DPPAIR_EVENT_ADD, total.index - 2),
                record_find(b, DPPAIR_EVENT_ADD, total.index - 2));
    if (e->kind == FOUND)
      audit_found(report, (audit_finding)e->status, "%s", (const char *)e->before);
    if (e->kind != DPPAIR_EVENT_ADD) continue;
    check_key(report, a, i, total.index);
    check_generator(report, a, i, total.index);
    if (!covered) check_add(report, &total, a, b, i);
    total.index++;
  }
  report->releases = total.index;
  report->charges = paid_count;
  report->mu = sqrt(total.mu2);
  report->pure = total.pure;
}

/* --- claims ----------------------------------------------------------------------------------- */

/* delta(epsilon) of one Gaussian release at mu, from the error function alone. */
static double gaussian_delta(double mu, double epsilon) {
  const long double root = sqrtl(0.5L), m = (long double)mu, e = (long double)epsilon;
  if (!(mu > 0.0)) return 0.0;
  return (double)(0.5L * erfcl(root * (e / m - m / 2)) -
                  0.5L * expl(e) * erfcl(root * (e / m + m / 2)));
}

/* The same charge in another account. */
static dppair_status charge_again(dppair_accountant *account, const dppair_ledger_entry *charge) {
  if (charge->step.kind == DPPAIR_NO_MECHANISM_)
    return dppair_accountant_failure(account, charge->failure);
  if (charge->step.kind == DPPAIR_GAUSSIAN && !(charge->step.noise_multiplier > 0.0))
    return dppair_accountant_gaussian(account, charge->sensitivity, charge->sigma,
                                      charge->step.steps);
  return dppair_accountant_charge_(account, charge);
}

/* Composing sampled steps takes a tenth of a second, and a search asks the same again and again. */
typedef struct answer {
  uint64_t question;
  double epsilon;
  int named;
} answer;
static answer answers[64];

static uint64_t mixed(uint64_t h, const void *bytes, size_t size) {
  const unsigned char *p = bytes;
  while (size-- > 0) h = (h ^ *p++) * UINT64_C(0x100000001b3);
  return h ^ (h >> 29);
}

static uint64_t question_of(const entry *claim, size_t first, size_t end) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  size_t k;
  h = mixed(h, &claim->scale, sizeof claim->scale);
  h = mixed(h, &claim->sensitivity, sizeof claim->sensitivity);
  for (k = first; k < end; k++) {
    const dppair_ledger_entry *c = &paid_list[k].charge->charge;
    h = mixed(h, &c->step.kind, sizeof c->step.kind);
    h = mixed(h, &c->step.sampling.kind, sizeof c->step.sampling.kind);
    h = mixed(h, &c->step.sampling.adjacency, sizeof c->step.sampling.adjacency);
    h = mixed(h, &c->step.sampling.q, sizeof(double));
    h = mixed(h, &c->step.sampling.n, sizeof(size_t));
    h = mixed(h, &c->step.sampling.m, sizeof(size_t));
    h = mixed(h, &c->step.sampling.batches, sizeof(size_t));
    h = mixed(h, &c->step.sampling.group, sizeof(size_t));
    h = mixed(h, &c->step.sampling.owned, sizeof(size_t));
    h = mixed(h, &c->step.noise_multiplier, sizeof(double));
    h = mixed(h, &c->step.pair_rate, sizeof(double));
    h = mixed(h, &c->step.steps, sizeof c->step.steps);
    h = mixed(h, &c->sensitivity, sizeof(double));
    h = mixed(h, &c->sigma, sizeof(double));
    h = mixed(h, &c->failure, sizeof(double));
    h = mixed(h, &paid_list[k].charge->by, sizeof paid_list[k].charge->by);
  }
  return h;
}

/* What the charges first .. end-1 come to: the least of the certified answers; HUGE_VAL where there
 * is none. */
static double certified_part(const entry *claim, size_t first, size_t end, int *named) {
  static dppair_accountant account; /* large */
  dppair_interval found;
  double epsilon = HUGE_VAL;
  size_t k, bytes;
  void *work;
  dppair_status status = dppair_accountant_init(&account);
  *named = 0;
  for (k = first; k < end && status == DPPAIR_OK; k++)
    if (claim->by == 0 || paid_list[k].charge->by == claim->by)
      status = charge_again(&account, &paid_list[k].charge->charge);
  if (status != DPPAIR_OK) return HUGE_VAL;
  *named = (int)account.named;
  if (answer_epsilon(&epsilon, &account, claim->sensitivity) != DPPAIR_OK)
    epsilon = HUGE_VAL;
  if (epsilon <= claim->scale || !(claim->sensitivity > 0.0)) return epsilon;
  if (dppair_composer_workspace(&bytes, NULL) != DPPAIR_OK) return epsilon;
  work = grown(NULL, bytes);
  if (certify(&found, &account, claim->sensitivity, work, bytes) == DPPAIR_OK &&
      found.upper < epsilon)
    epsilon = found.upper;
  free(work);
  return epsilon;
}

/* The same of all charges, or in parallel the largest of what each account comes to: an account
 * begins with its first charge. */
static double certified(const entry *claim, int parallel, int *named) {
  size_t first = 0, end;
  double worst = 0.0;
  *named = 0;
  for (end = 1; end <= paid_count; end++) {
    const uint64_t question = question_of(claim, first, end);
    answer *known = &answers[question % (sizeof answers / sizeof *answers)];
    double part;
    if (end < paid_count && !(parallel && paid_list[end].charge->sequence == 1)) continue;
    if (known->question != question) {
      known->epsilon = certified_part(claim, first, end, &known->named);
      known->question = question;
    }
    if (known->named != 0) *named = known->named;
    part = known->epsilon;
    worst = part > worst ? part : worst;
    first = end;
  }
  return worst;
}

/* Of a run whose claim is about the sum: that sum over what (epsilon, delta) allows. */
static void weigh_total(audit_report *report, double epsilon, double delta) {
  double mu = 0.0;
  if (delta > 0.0 && dppair_gaussian_mu(&mu, epsilon, delta) == DPPAIR_OK)
    report->largest = report->mu / mu;
  else if (!(delta > 0.0))
    report->largest = report->pure / epsilon;
}

/* Is there noise between the first of these charges and the one after the last? */
static int has_noise(const record *r, size_t first, size_t end) {
  const size_t stop = end < paid_count ? paid_list[end].at : r->count;
  size_t i;
  for (i = paid_list[first].at; i < stop; i++)
    if (r->at[i].kind == DPPAIR_EVENT_ADD) return 1;
  return 0;
}

/* How many accounts have noise, and the largest mu of one; HUGE_VAL where one has another law. */
static size_t runs_of(double *mu, const record *r) {
  size_t first = 0, end, k, runs = 0;
  *mu = 0.0;
  for (end = 1; end <= paid_count; end++) {
    double mu2 = 0.0;
    if (end < paid_count && paid_list[end].charge->sequence != 1) continue;
    for (k = first; k < end; k++) {
      const entry *charge = paid_list[k].charge;
      const double z = multiplier_of(charge);
      mu2 += charge->charge.step.kind == DPPAIR_GAUSSIAN
                 ? (double)charge->charge.step.steps / (z * z)
                 : HUGE_VAL;
    }
    if (has_noise(r, first, end)) {
      runs++;
      *mu = fmax(*mu, sqrt(mu2));
    }
    first = end;
  }
  return runs;
}

/* What the best of K runs of mu is worth, K by the law that was drawn: selection.h of the
 * accountant, by the error function alone. */
static double epsilon_of_runs(double mu, double eta, double gamma, double delta) {
  const double mean = fabs(eta) > 0.0 ? eta * (1.0 - gamma) / (gamma * (1.0 - pow(gamma, eta)))
                                      : (1.0 / gamma - 1.0) / -log(gamma);
  double c[2] = {0.0, 0.0};
  int k, i;
  for (k = 0; k < 2; k++) {
    double low = 0.0, high = 1000.0;
    for (i = 0; i < 60; i++) {
      const double at = (low + high) / 2.0;
      const double most = k == 0 ? gamma * expm1(at) / (1.0 - gamma) : delta / mean;
      if (gaussian_delta(mu, at) <= most)
        high = at;
      else
        low = at;
    }
    c[k] = low;
  }
  return (eta + 1.0) * c[0] + c[1];
}

static void check_runs(audit_report *report, const record *r, const entry *claim) {
  const entry *drawn = NULL;
  uint64_t number = 0;
  double mu, epsilon;
  const size_t runs = runs_of(&mu, r);
  size_t k;
  for (k = 0; (drawn = record_find(r, DPPAIR_EVENT_DRAWN, k)) != NULL; k++)
    if (strcmp(drawn->name, "runs") == 0) break;
  if (drawn == NULL) {
    audit_found(report, AUDIT_NOISE, "%zu runs were made, a number that was not drawn", runs);
    return;
  }
  memcpy(&number, drawn->before, sizeof number);
  if (number != runs)
    audit_found(report, AUDIT_NOISE, "%zu runs were made, and %zu were drawn", runs,
                (size_t)number);
  epsilon = epsilon_of_runs(mu, drawn->scale, drawn->sensitivity, claim->sensitivity);
  if (!(claim->scale >= epsilon * (1 - 1e-6)))
    audit_found(report, AUDIT_CLAIM,
                "it states epsilon %.12g at delta %.9g; the best of its runs comes to %.12g",
                claim->scale, claim->sensitivity, epsilon);
}

static void check_claim(audit_report *report, const record *r, const entry *claim) {
  const double epsilon = claim->scale, delta = claim->sensitivity;
  int named;
  double said;
  if (!dppair_isfinite_f64(epsilon)) return; /* claims nothing */
  if (record_find(r, OF_RUNS, 0) != NULL) {
    check_runs(report, r, claim);
    return;
  }
  said = certified(claim, record_find(r, PARALLEL, 0) != NULL, &named);
  if (record_find(r, BY_TOTAL, 0) != NULL)
    weigh_total(report, epsilon, delta);
  else if (!(said <= epsilon * (1 + 1e-10)))
    audit_found(report, AUDIT_CLAIM,
                "it states epsilon %.12g at delta %.9g; its account says %.12g", epsilon, delta,
                said);
  if (claim->status != 0 && named != 0 && claim->status != named)
    audit_found(report, AUDIT_CLAIM, "it states %s neighbours, and charges for %s ones",
                dppair_adjacency_name((dppair_adjacency)claim->status),
                dppair_adjacency_name((dppair_adjacency)named));
  if (claim->by == 0 && gaussian_delta(report->mu, epsilon) > delta * (1 + 1e-9) + 1e-300)
    audit_found(report, AUDIT_CLAIM,
                "it states (%.9g, %.9g); the distances and scales of this run come to mu = %.9g, "
                "whose delta is %.9g",
                epsilon, delta, report->mu, gaussian_delta(report->mu, epsilon));
  if (claim->by == 0 && !(delta > 0.0) && report->pure > epsilon * (1 + 1e-10))
    audit_found(report, AUDIT_CLAIM,
                "it states epsilon %.9g; the distances and scales of this run come to %.9g",
                epsilon, report->pure);
}

/* --- draws that are published ------------------------------------------------------------------
 */

/* Does a step count on the draws of this run being secret? */
static int draws_are_secret(void) {
  size_t k;
  for (k = 0; k < paid_count; k++)
    if (dppair_step_is_sampled_(&paid_list[k].charge->charge.step)) return 1;
  return 0;
}

/* Two records at least: one number alone could be anything. */
static void check_secrets(audit_report *report, const record *r) {
  size_t i, j, at, draw = 0;
  if (!draws_are_secret()) return;
  for (i = 0; i < r->count; i++) {
    const entry *d = &r->at[i];
    const size_t size = d->count * d->width * (strcmp(d->name, "pairs") == 0 ? 2u : 1u);
    if (!is_records(d)) continue;
    for (j = 0; j < r->count && d->count > 1; j++) {
      const entry *told = &r->at[j];
      if (told->kind != PUBLISHED) continue;
      for (at = 0; at + size <= told->n; at += d->width)
        if (memcmp(told->before + at, d->before, size) == 0)
          audit_found(report, AUDIT_OUTPUT,
                      "the %zu records of draw %zu are published, and charged as a secret draw",
                      d->count, draw);
    }
    draw++;
  }
}

/* Is this the key of a noise? */
static int is_key(const record *r, const entry *drawn) {
  size_t at;
  if (drawn->kind != DPPAIR_EVENT_DRAWN || drawn->width != 1 || drawn->n != 32) return 0;
  for (at = 1; at < r->count; at++) {
    const entry *before = &r->at[at - 1];
    const paid *charge = before->kind == DPPAIR_EVENT_RELEASE ? charge_of_release(before) : NULL;
    if (r->at[at].kind == DPPAIR_EVENT_ADD &&
        is_made_of(&r->at[at], drawn->before, charge != NULL ? charge->charge : NULL))
      return 1;
  }
  return 0;
}

static int has_bytes(const char *text, size_t size, const void *bytes, size_t n) {
  size_t at;
  for (at = 0; n > 0 && at + n <= size; at++)
    if (memcmp(text + at, bytes, n) == 0) return 1;
  return 0;
}

static void check_keys_in(audit_report *report, const record *r, const char *text, size_t size) {
  size_t i, k;
  char hex[65];
  for (i = 0; i < r->count; i++) {
    const entry *e = &r->at[i];
    if (!is_key(r, e)) continue;
    for (k = 0; k < 32; k++) (void)snprintf(hex + 2 * k, 3, "%02x", (unsigned)e->before[k]);
    if (has_bytes(text, size, e->before, 32) || has_bytes(text, size, hex, 64))
      audit_found(report, AUDIT_OUTPUT, "the key of the noise is published");
  }
}

/* The whole numbers in a text; returns how many. */
static size_t numbers_of(size_t *out, const char *text, size_t size) {
  size_t i, count = 0;
  int inside = 0;
  for (i = 0; i < size; i++) {
    const int digit = text[i] >= '0' && text[i] <= '9';
    if (digit && !inside) out[count++] = 0;
    if (digit) out[count - 1] = out[count - 1] * 10 + (size_t)(text[i] - '0');
    inside = digit;
  }
  return count;
}

/* Records that were drawn, and how many of them by each draw, among numbers that are published. */
static void check_draws_in(audit_report *report, const record *r, const size_t *told, size_t n) {
  size_t i, at, *counts = grown(NULL, (r->count + 1) * sizeof *counts), draws = 0, most = 0;
  for (i = 0; i < r->count; i++) {
    const entry *d = &r->at[i];
    const size_t size = d->count * (strcmp(d->name, "pairs") == 0 ? 2u : 1u);
    if (!is_records(d)) continue;
    if (dppair_sampling_is_random_(d->sampling.kind)) counts[draws++] = d->count;
    if (dppair_sampling_is_random_(d->sampling.kind) && d->count > most) most = d->count;
    for (at = 0; size > 2 && d->sampling.kind != DPPAIR_ALL && at + size <= n; at++)
      if (memcmp(told + at, d->before, size * sizeof *told) == 0)
        audit_found(report, AUDIT_OUTPUT, "%zu drawn records are published, and charged as secret",
                    d->count);
  }
  for (at = 0; draws > 2 && most > 9 && at + draws <= n; at++)
    if (memcmp(told + at, counts, draws * sizeof *told) == 0)
      audit_found(report, AUDIT_OUTPUT, "how many records each of %zu draws has is published",
                  draws);
  free(counts);
}

void audit_text(audit_report *report, const char *text, size_t size) {
  size_t *told = grown(NULL, (size + 1) * sizeof *told);
  check_keys_in(report, &side_of[0], text, size);
  if (draws_are_secret()) check_draws_in(report, &side_of[0], told, numbers_of(told, text, size));
  free(told);
}

/* --- both sides ------------------------------------------------------------------------------- */

static void compare(audit_report *report, const record *a, const record *b) {
  size_t k;
  const entry *claim;
  memset(report, 0, sizeof *report);
  report->events = compare_flow(report, a, b);
  compare_outputs(report, a, b);
  check_adds(report, a, b);
  check_secrets(report, a);
  for (k = 0; (claim = record_find(a, CLAIMED, k)) != NULL; k++) check_claim(report, a, claim);
}

static int run_side(audit_run run, void *context, int side) {
  int result;
  record_clear(&side_of[side]);
  seen_adds = seen_draws = 0;
  recording = side;
  result = run(context, side);
  recording = -1;
  return result;
}

void audit_replay(audit_report *report, audit_run run, void *context) {
  const int a = run_side(run, context, 0), b = run_side(run, context, 1);
  compare(report, &side_of[0], &side_of[1]);
  if (a != b) audit_found(report, AUDIT_OUTPUT, "it returns %d, and %d on the neighbour", a, b);
}

int audit_compare(audit_report *report, const char *a, const char *b, double epsilon, double delta,
                  int adjacency) {
  entry claim;
  memset(report, 0, sizeof *report);
  if (!record_read(&side_of[0], a) || !record_read(&side_of[1], b)) return 0;
  compare(report, &side_of[0], &side_of[1]);
  memset(&claim, 0, sizeof claim);
  claim.scale = epsilon;
  claim.sensitivity = delta;
  claim.status = adjacency;
  if (epsilon > 0.0) check_claim(report, &side_of[0], &claim);
  return 1;
}
