/* SPDX-License-Identifier: MIT */
#include "methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/measures.h"
#include "methods/method.h"
#include "neighbours.h"

/* --- the cases -------------------------------------------------------------------------------- */

/* What differs from the usual, 8 records of 2 columns, 3 steps, epsilon 1 and delta 1e-3 (printed
 * noise: 8 and 1e-5). A row with `what` is a case of its own, beside the usual one. */
typedef struct special {
  const char *name;
  audit_way way;
  const char *what;
  size_t n, steps; /* 0: the usual ones; OWN_STEPS: the method's own choice */
  double epsilon, delta;
  int proof, red;
  double floor;
} special;

enum { OWN_STEPS = 1000000 };

/* Below 0.99 a sensitivity is not attained: a logistic slope falls on the way (dpgdsc, offpair,
 * bolton, niewang2017-pairs), or the bound is that of the largest metric, which 3 steps from 0 do
 * not reach. For filters it is the share of their budget. */
static const special specials[] = {
    {"gd", WAY_BUDGET, "persons", 0, 0, 0, 0, OF_PERSONS, 0, .99},
    {"gd", WAY_BUDGET, "queries", 0, 0, 0, 0, OF_QUERIES, 0, .99},
    {"gd", WAY_BUDGET, "records in queries", 0, 0, 0, 0, OF_RECORDS_IN_QUERIES, 0, .99},
    {"gd-records", WAY_BUDGET, NULL, 0, 0, 0, 0, OF_PERSONS | PROOF_BY_TOTAL, 0, .75},
    {"softmax", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .75},
    {"softmax", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .75},
    {"metric infonce", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .69},
    {"gd-last", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .69},
    {"online", WAY_BUDGET, NULL, 0, 0, 0, 0, PROOF_BY_TOTAL, 0, .5},
    {"online", WAY_BUDGET, "hinge", 0, 0, 0, 0, PROOF_BY_TOTAL, 0, .9},
    {"gd-last", WAY_BUDGET, "40 steps", 0, 40, 8, 0, 0, 0, .3},
    {"auto", WAY_BUDGET, "perturbed fit", 48, 0, 8, 0, 0, 0, .97},
    {"auto", WAY_BUDGET, "columns by class", 48, 0, 8, 0, 0, 0, .9},
    {"auto", WAY_PURE, "perturbed fit, delta = 0", 64, 0, 8, 0, 0, 0, .9},
    {"declared", WAY_BUDGET, "perturbed fit", 64, 0, 4, 0, 0, 0, .96},
    {"declared", WAY_PURE, "perturbed fit, delta = 0", 64, 0, 8, 0, 0, 0, .95},
    {"statistics", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .96},
    {"statistics", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .96},
    {"lda", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .97},
    {"lda", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .97},
    {"lda-maps", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .95}, /* maps leave room in the ball */
    /* noise that hides nothing of the counts and eigenvalues that solutions are made of */
    {"lda", WAY_BUDGET, "a large budget", 24, 0, 60, 0, 0, 0, .97},
    {"adassp", WAY_BUDGET, "a large budget", 24, 0, 60, 0, 0, 0, .99},
    {"dpebm", WAY_BUDGET, "a large budget", 24, 0, 100, 0, 0, 0, .99},
    {"dpebm", WAY_PURE, "a large budget, delta = 0", 24, 0, 900, 0, 0, 0, .99},
    {"selection", WAY_BUDGET, NULL, 0, 0, 0, 0, PROOF_IN_PARALLEL | PROOF_BY_VOTES, 0, .99},
    {"selection-stopping", WAY_BUDGET, NULL, 0, 0, 0, 0, PROOF_OF_RUNS, 0, .9},
    {"dpgdsc", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .44},
    {"dpgdsc", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .44},
    {"dpegd", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .92},
    {"dpegd", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .88},
    {"offpairstrc", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .37},
    {"offpairstrc", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .37},
    {"offpairc", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .46},
    {"offpairc", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .46},
    {"yang2021", WAY_BUDGET, NULL, 0, 20, 0, 0, 0, 0, .98},
    {"niewang2017", WAY_PRINTED, NULL, 0, 0, 0, 0, 0, 1, 0},
    {"niewang2017", WAY_PRINTED_PURE, NULL, 0, 0, 0, 0, 0, 1, 0},
    {"niewang2017-fourier", WAY_PRINTED, NULL, 0, 0, 0, 0, 0, 1, 0},
    {"niewang2017-fourier", WAY_PRINTED_PURE, NULL, 0, 0, 0, 0, 0, 1, 0},
    {"niewang2017-pairs", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .76},
    {"niewang2017-pairs", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .76},
    {"dpsgd", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .5},
    {"dpsgd-mlp", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .5},
    {"dplssgd", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .5},
    {"dplssgd-mlp", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .5},
    {"dpsgd-allocation", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .4},
    {"dpsgd-poisson", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .4},
    {"dpsgd-subset", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .8},
    {"bolton", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .48},
    {"bolton", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .48},
    {"pidpsgd-not-private", WAY_BUDGET, NULL, 256, 600, 100, .5, PROOF_BY_TOTAL, 1, 0},
    {"pidpsgd-not-private", WAY_PRINTED, NULL, 256, 600, 100, .5, PROOF_BY_TOTAL, 1, 0},
    {"filter", WAY_BUDGET, NULL, 0, 0, 0, 0, PROOF_BY_TOTAL, 0, .62},
    {"filter-pairs", WAY_BUDGET, NULL, 0, 0, 0, 0, PROOF_BY_TOTAL, 0, .43},
    {"metric identity", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, -1},
    {"metric identity", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, -1},
    {"metric direction-metric", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, -1}, /* the identity */
    {"metric direction-metric", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, -1},
    {"metric direction-metric", WAY_BUDGET, "a direction", 20, 0, 6, 0, 0, 0, .99},
    {"metric direction-metric", WAY_PURE, "a direction, delta = 0", 12, 0, 6, 0, 0, 0, .99},
    {"metric direction-metric", WAY_BUDGET, "of a perturbed fit", 64, 0, 4, 0, 0, 0, .96},
    {"metric maps-metric", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .89}, /* one column stays */
    {"metric maps-metric", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .79},
    {"metric gd", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .59},
    {"metric kang2021", WAY_PRINTED, NULL, 0, 0, 0, 0, 0, 1, 0},
    {"metric dpgdc2", WAY_PRINTED, NULL, 0, 0, 0, 0, 0, 1, 0},
    {"metric dpgdsc", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .26},
    {"metric dpgdsc", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .26},
    {"metric dpegd", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .7},
    {"metric dpegd", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .68},
    {"metric offpairstrc", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .15},
    {"metric offpairstrc", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .15},
    {"metric offpairc", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .3},
    {"metric offpairc", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .3},
    {"metric yang2021", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .38},
    {"metric yang2021", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .38},
    {"metric yang2021-nuclear", WAY_BUDGET, NULL, 0, 0, 0, 0, 0, 0, .38},
    {"metric yang2021-nuclear", WAY_PURE, NULL, 0, 0, 0, 0, 0, 0, .38},
};

static const method *method_of(const char *name) {
  return strncmp(name, "metric ", 7) == 0 ? metric_find(name + 7) : method_find(name);
}

static int runs_so(const method *m, audit_way way) {
  static const int offers[WAYS] = {0, OFFERS_PURE, OFFERS_PRINTED, OFFERS_PRINTED_PURE};
  return offers[way] == 0 || (m->offers & offers[way]) != 0;
}

static void usual(audit_case *out, const char *name, audit_way way) {
  static const char *const words[WAYS] = {"", "delta = 0", "as printed", "as printed, delta = 0"};
  const int printed = way == WAY_PRINTED || way == WAY_PRINTED_PURE;
  memset(out, 0, sizeof *out);
  (void)snprintf(out->name, sizeof out->name, "%s", name);
  out->way = way;
  out->what = words[way];
  out->n = 8;
  out->steps = 3;
  out->epsilon = printed ? 8 : 1;
  out->delta = printed ? 1e-5 : 1e-3;
  out->floor = printed ? 0 : .99;
  if (strstr(name, "dpegd") != NULL) out->proof = PROOF_IN_PARALLEL;
  if (strncmp(name, "filter", 6) == 0) out->proof = PROOF_BY_TOTAL;
  if (way == WAY_PRINTED_PURE || (printed && strncmp(name, "niewang", 7) == 0))
    out->proof |= PROOF_BY_TOTAL; /* noise that nobody accounts for */
}

static void change(audit_case *out, const special *s) {
  if (s->what != NULL) out->what = s->what;
  if (s->n > 0) out->n = s->n;
  if (s->steps > 0) out->steps = s->steps == OWN_STEPS ? 0 : s->steps;
  if (s->epsilon > 0) out->epsilon = s->epsilon;
  if (s->delta > 0) out->delta = s->delta;
  out->proof |= s->proof;
  out->red = s->red;
  out->floor = s->floor;
}

int audit_case_at(audit_case *out, size_t index) {
  size_t which, way, k;
  int metric;
  for (metric = 0; metric < 2; metric++) {
    const method *const *list = metric ? metric_methods : methods;
    for (which = 0; list[which] != NULL; which++)
      for (way = 0; way < WAYS; way++) {
        char name[sizeof out->name];
        if (!runs_so(list[which], (audit_way)way)) continue;
        (void)snprintf(name, sizeof name, "%s%s", metric ? "metric " : "", list[which]->name);
        usual(out, name, (audit_way)way);
        for (k = 0; k < sizeof specials / sizeof *specials; k++) {
          const special *s = &specials[k];
          if (strcmp(s->name, name) != 0 || s->way != (audit_way)way) continue;
          if (s->what == NULL) {
            change(out, s);
          } else if (index-- == 0) {
            usual(out, name, (audit_way)way);
            change(out, s);
            goto found;
          }
        }
        if (index-- == 0) goto found;
      }
  }
  return 0;
found:
  if (out->way == WAY_PURE || out->way == WAY_PRINTED_PURE) out->delta = 0;
  return 1;
}

/* --- a run ------------------------------------------------------------------------------------ */

typedef struct subject {
  const method *which;
  const audit_case *how;
  neighbours pair;
  dppair_status status; /* of the last run */
} subject;

/* Records 2 p and 2 p + 1 belong together. On the neighbour all of one group are others: for
 * users another record, or two of it; for queries a record and its opposite. */
static void belong(task *t, size_t *group, double *x, double *y, const subject *s, int side) {
  const size_t d = s->pair.d, at = s->pair.at, beside = at ^ 1;
  const int proof = s->how->proof, sign = proof & OF_QUERIES ? -1 : 1;
  size_t i;
  if (!(proof & (OF_PERSONS | OF_QUERIES | OF_RECORDS_IN_QUERIES))) return;
  t->adjacency = proof & OF_PERSONS   ? DPPAIR_REPLACE_USER
                 : proof & OF_QUERIES ? DPPAIR_REPLACE_QUERY
                                      : DPPAIR_REPLACE_ONE;
  t->train.group = group;
  t->train.groups = t->train.n / 2;
  t->with.owned = s->which->offers & NEEDS_OWNED ? 2 : 0;
  for (i = 0; i < t->train.n; i++) group[i] = i / 2;
  if (!side || proof & OF_RECORDS_IN_QUERIES) return;
  for (i = 0; i < d; i++) x[beside * d + i] = sign * s->pair.other[i];
  y[beside] = sign * s->pair.other_y;
  if (t->with.owned > 0 || at + 1 < t->train.n) return;
  t->train.n--; /* of the last group one is left */
  memcpy(x + (at - 1) * d, s->pair.other, d * sizeof *x);
  y[at - 1] = s->pair.other_y;
}

static int run(void *context, int side) {
  subject *s = context;
  const int printed = s->how->way == WAY_PRINTED || s->how->way == WAY_PRINTED_PURE;
  static double x[NEIGHBOURS_RECORDS * NEIGHBOURS_COLUMNS], y[NEIGHBOURS_RECORDS];
  static size_t group[NEIGHBOURS_RECORDS];
  feature features[NEIGHBOURS_COLUMNS];
  dppair_rng noise, indices;
  model m;
  task t;
  size_t k;
  memset(&t, 0, sizeof t);
  memset(&features, 0, sizeof features);
  neighbours_side(x, y, &s->pair, side);
  for (k = 0; k < s->pair.d; k++) {
    features[k].low = -1;
    features[k].high = 1;
    features[k].kind = KIND_NUMERIC;
    features[k].group = -1;
    features[k].by_class = strstr(s->how->what, "by class") != NULL;
  }
  t.train.n = s->pair.n;
  t.train.d = s->pair.d;
  t.train.x = t.train.raw = x;
  t.train.y = y;
  t.features = s->which->needs_ranges ? features : NULL;
  t.scale = s->which->needs_ranges ? SCALE_RANGES : SCALE_ROW;
  t.epsilon = s->how->epsilon;
  t.delta = s->how->delta;
  t.with.as_printed = printed;
  t.with.steps = s->which->offers & OFFERS_STEPS ? s->how->steps : 0;
  if (strcmp(s->how->what, "hinge") == 0) t.with.loss = s->how->what;
  t.noise = &noise;
  t.indices = &indices;
  belong(&t, group, x, y, s, side);
  if (s->how->proof & PROOF_IN_PARALLEL) audit_in_parallel();
  if (s->how->proof & PROOF_BY_TOTAL) audit_by_total();
  if (s->how->proof & PROOF_OF_RUNS) audit_of_runs();
  if (s->how->proof & PROOF_BY_VOTES) audit_of_largest(85); /* after 1 + 4 + 16 + 64 gradients */
  s->status = dppair_rng_from_os(&noise);
  if (s->status == DPPAIR_OK) s->status = dppair_rng_from_os(&indices);
  if (s->status == DPPAIR_OK) s->status = method_train(&m, s->which, &t);
  if (s->status != DPPAIR_OK) return (int)s->status;
  audit_publish(m.theta, m.size * sizeof *m.theta);
  audit_publish(&m.sigma, sizeof m.sigma);
  audit_publish(&m.epsilon, sizeof m.epsilon);
  audit_publish(&m.steps, sizeof m.steps);
  audit_publish(m.note, strlen(m.note));
  /* printed noise, and a run that states no guarantee, against what was asked for */
  audit_claim(NULL, printed || !dppair_isfinite_f64(m.epsilon) ? t.epsilon : m.epsilon, t.delta,
              t.with.owned > 0 ? 0 : (int)task_adjacency(&t)); /* gd-records pays for records */
  model_free(&m);
  return 0;
}

/* --- worst cases, and a search ---------------------------------------------------------------- */

static void take(audit_report *worst, const audit_report *r) {
  size_t k;
  const unsigned fresh = r->found & ~worst->found;
  if (r->largest > worst->largest) {
    worst->largest = r->largest;
    worst->at = r->at;
  }
  worst->mu = fmax(worst->mu, r->mu);
  worst->pure = fmax(worst->pure, r->pure);
  worst->events = r->events;
  worst->releases = r->releases;
  worst->charges = r->charges;
  worst->draws = r->draws;
  worst->found |= r->found;
  for (k = 0; k < AUDIT_FINDINGS; k++)
    if (fresh >> k & 1) memcpy(worst->sentence[k], r->sentence[k], sizeof r->sentence[k]);
}

/* Methods whose noise takes a tenth of a second to calibrate, or of many steps, are run on a few.
 */
static int is_slow(const audit_case *c) {
  return c->steps > 500 || strncmp(c->name, "dpsgd", 5) == 0 ||
         strncmp(c->name, "dplssgd", 7) == 0 || strcmp(c->name, "selection-stopping") == 0 ||
         strcmp(c->name, "dpebm") == 0;
}

void audit_case_run(audit_report *worst, size_t *replays, const audit_case *which, size_t search,
                    int brief) {
  const size_t stride = brief ? 67 : is_slow(which) ? 25 : 1;
  static subject s, best;
  audit_report r;
  uint64_t random = 1;
  double top = -1;
  size_t k;
  memset(worst, 0, sizeof *worst);
  memset(&s, 0, sizeof s);
  s.which = method_of(which->name);
  s.how = which;
  *replays = 0;
  for (k = 0; k < NEIGHBOURS_WORST + search; k++) {
    if (k < NEIGHBOURS_WORST) {
      if (k % stride != 0) continue;
      neighbours_worst(&s.pair, k, which->n, 2);
    } else {
      s.pair = best.pair;
      neighbours_change(&s.pair, &random);
    }
    audit_replay(&r, run, &s);
    if (s.status == DPPAIR_OK || r.found != 0) ++*replays;
    if (r.largest >= top) {
      top = r.largest;
      best.pair = s.pair;
    }
    take(worst, &r);
  }
}
