/* SPDX-License-Identifier: MIT */
/*
 * The statistical audit: for each mechanism what it claims, what runs on two neighbours show, and
 * the ratio of the two. See canaries.h.
 */
#include "canaries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "canaries_statistics.h"

static const double alpha = 1e-4;

void canary_key(uint8_t key[32], const char *name, uint64_t number) {
  uint64_t mixed = UINT64_C(1469598103934665603);
  size_t k;
  for (; *name != '\0'; name++) mixed = (mixed ^ (unsigned char)*name) * UINT64_C(1099511628211);
  memset(key, 0, 32);
  for (k = 0; k < 8; k++) key[k] = (uint8_t)(mixed >> (8 * k) & 255);
  for (k = 0; k < 8; k++) key[8 + k] = (uint8_t)(number >> (8 * k) & 255);
}

double log_sum(double a, double b) { return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b)); }

/* --- what was seen ---------------------------------------------------------------------------- */

enum { BINS = 1 << 15, CHUNK = 4096 };

/* Numbers by bins, [half of the runs][side]; bins 0 and BINS - 1 hold what is beyond the range. */
typedef struct seen {
  double low, width;
  double runs[2];
  double count[2][2][BINS];
  moments value, change;
  double *ratio[2]; /* of each side to the other, where densities are known */
} seen;

static void bin_add(seen *s, int half, int side, double x) {
  double at = (x - s->low) / s->width;
  at = at < 0 ? 0 : at < BINS - 1 ? floor(at) : BINS - 1;
  s->count[half][side][(size_t)at]++;
}

/* The range of the first numbers, and a half of it on both ends: chosen on runs of the first half.
 */
static void choose_range(seen *s, const double *a, const double *b, size_t n) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  size_t k;
  for (k = 0; k < n; k++) {
    low = fmin(low, fmin(a[k], b[k]));
    high = fmax(high, fmax(a[k], b[k]));
  }
  s->low = low - (high - low) / 2 - 1e-9 * (1 + fabs(low));
  s->width = (2 * (high - low) + 2e-9 * (1 + fabs(low))) / BINS;
}

static void seen_free(seen *s) {
  free(s->ratio[0]);
  free(s->ratio[1]);
}

static int collect(seen *s, canary *c, size_t runs) {
  static double a[CHUNK], b[CHUNK];
  size_t first, k;
  memset(s, 0, sizeof *s);
  if (c->number == RATIO_NUMBER) {
    s->ratio[0] = malloc(runs * sizeof(double));
    s->ratio[1] = malloc(runs * sizeof(double));
    if (s->ratio[0] == NULL || s->ratio[1] == NULL) return 0;
  }
  for (first = 0; first < runs; first += CHUNK) {
    const size_t count = runs - first < CHUNK ? runs - first : CHUNK;
    if (c->run(a, count, 0, first, c) != 0 || c->run(b, count, 1, first, c) != 0) return 0;
    if (first == 0) choose_range(s, a, b, count < runs / 2 ? count : runs / 2);
    for (k = 0; k < count; k++) {
      const int half = first + k >= runs / 2;
      s->runs[half]++;
      bin_add(s, half, 0, a[k]);
      bin_add(s, half, 1, b[k]);
      moments_add(&s->value, a[k]);
      moments_add(&s->change, a[k] - b[k]);
      if (c->number == RATIO_NUMBER) s->ratio[0][first + k] = a[k];
      if (c->number == RATIO_NUMBER) s->ratio[1][first + k] = -b[k];
    }
  }
  return 1;
}

/* --- the best event --------------------------------------------------------------------------- */

/* {number >= edge of a bin} or {number < it}; more likely on side `on`. */
typedef struct event {
  size_t bin;
  int above, on;
  double promise;
} event;

/* A rough bound, for the choice only. */
static double promise(double hits, double misses, double runs, double delta) {
  const double z = 4, p = hits / runs, q = misses / runs;
  const double low = p - z * sqrt(p * (1 - p) / runs) - delta,
               high = q + z * sqrt(q / runs) + 10 / runs;
  return low > 0 ? log(low / high) : -HUGE_VAL;
}

static event choose_event(const seen *s, double delta) {
  event best = {0, 1, 0, -HUGE_VAL};
  double below[2] = {0, 0};
  size_t k;
  int above, on;
  for (k = 1; k < BINS; k++) {
    below[0] += s->count[0][0][k - 1];
    below[1] += s->count[0][1][k - 1];
    for (above = 0; above < 2; above++)
      for (on = 0; on < 2; on++) {
        const double hits = above ? s->runs[0] - below[on] : below[on];
        const double misses = above ? s->runs[0] - below[1 - on] : below[1 - on];
        const event found = {k, above, on, promise(hits, misses, s->runs[0], delta)};
        if (found.promise > best.promise) best = found;
      }
  }
  return best;
}

static double count_event(const seen *s, const event *e, int side) {
  double sum = 0;
  size_t k;
  for (k = e->above ? e->bin : 0; k < (e->above ? BINS : e->bin); k++) sum += s->count[1][side][k];
  return sum;
}

/* --- the table -------------------------------------------------------------------------------- */

typedef struct options {
  const char *only;
  size_t runs;
  int quick, colour;
  size_t rows; /* that were shown */
} options;

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* 0 when a bound is above the claim, or below the floor, or a run failed. */
static int audit_one(canary *c, const options *o) {
  static seen s;
  const size_t runs = o->runs > 0 ? o->runs : o->quick ? c->quick : c->full;
  const double start = seconds();
  double by_events, exact = 0, best, ratio;
  event chosen;
  const char *verdict;
  int ok;
  c->claimed = c->epsilon;
  if (!collect(&s, c, runs)) {
    (void)printf("%-25s %-34s a run failed\n", c->name, c->neighbours);
    seen_free(&s);
    return 0;
  }
  chosen = choose_event(&s, c->delta);
  by_events = events_epsilon(count_event(&s, &chosen, chosen.on),
                             count_event(&s, &chosen, 1 - chosen.on), s.runs[1], c->delta, alpha);
  if (c->number == NORMAL_NUMBER)
    exact = gaussian_epsilon(c->delta, shift_over_sigma_low(&s.value, &s.change, alpha));
  if (c->number == RATIO_NUMBER)
    exact = fmax(ratios_epsilon(s.ratio[0], runs, c->delta, alpha / 2),
                 ratios_epsilon(s.ratio[1], runs, c->delta, alpha / 2));
  seen_free(&s);
  best = fmax(by_events, exact);
  ratio = best / c->claimed;
  if (c->floor > 0) { /* few runs show less */
    ok = ratio <= 1 && (ratio >= c->floor * (o->quick ? 0.8 : 1) || o->runs > 0);
    verdict = ok ? "ok" : ratio > 1 ? "ABOVE ITS CLAIM" : "below the floor";
  } else {
    ok = ratio > 1 || o->runs > 0;
    verdict = ratio > 1 ? "NOT PRIVATE as claimed" : "not shown";
  }
  (void)printf("%-25s %-34s %6.3g %-7.1g %9zu ", c->name, c->neighbours, c->claimed, c->delta,
               runs);
  (void)(by_events > 0 ? printf("%7.4f ", by_events) : printf("      - "));
  (void)(exact > 0 ? printf("%7.4f ", exact) : printf("      - "));
  (void)printf("%6.3f  %s%s%s", ratio, o->colour && (!ok || c->floor <= 0) ? "\033[31m" : "",
               verdict, o->colour && (!ok || c->floor <= 0) ? "\033[0m" : "");
  if (getenv("CANARIES_TIME") != NULL) (void)printf("  %.1f s", seconds() - start);
  (void)printf("\n");
  if (c->remark != NULL && c->floor > 0 && c->floor < 0.9) (void)printf("    %s\n", c->remark);
  (void)fflush(stdout);
  return ok;
}

static int audit_list(const char *title, canary *list, options *o) {
  int ok = 1, any = 0;
  for (; list->name != NULL; list++) {
    if (o->only != NULL && strstr(list->name, o->only) == NULL) continue;
    if (o->quick && list->quick == 0) continue;
    if (!any) (void)printf("\n%s\n", title);
    any = 1;
    o->rows++;
    ok &= audit_one(list, o);
  }
  return ok;
}

static void help(void) {
  (void)puts(
      "audit --canaries [WORD] [--runs N] [--quick]\n"
      "Lower bounds on epsilon from runs on two neighbouring data sets, each right with probability\n"
      "0.9999, beside what is claimed. WORD: the mechanisms and methods whose names contain it.\n"
      "Exit status 1: a bound above a claim, or below its floor (without --runs).");
}

int audit_canaries(int argc, char **argv) {
  options o = {NULL, 0, 0, 0, 0};
  int i, ok = 1;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--canaries") == 0) continue;
    if (strcmp(argv[i], "--quick") == 0) {
      o.quick = 1;
    } else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      char *end;
      const double asked = strtod(argv[++i], &end);
      if (*end != '\0' || !(asked >= 100 && asked <= 1e12)) {
        (void)fputs("--runs: from 100 to 1e12\n", stderr);
        return 2;
      }
      o.runs = (size_t)asked;
    } else if (argv[i][0] == '-' || o.only != NULL) {
      help();
      return strcmp(argv[i], "--help") == 0 ? 0 : 2;
    } else {
      o.only = argv[i];
    }
  }
  o.colour = getenv("TERM") != NULL && getenv("NO_COLOR") == NULL && getenv("AUDIT_COLOUR") != NULL;
  (void)printf("lower bounds on epsilon, each right with probability 0.9999\n\n");
  (void)printf("%-25s %-34s %6s %-7s %9s %7s %7s %6s\n", "mechanism", "neighbours", "claim",
               "delta", "runs", "events", "exact", "ratio");
  ok &= audit_list("noise", canaries_of_noise, &o);
  ok &= audit_list("plans and filters", canaries_of_plans, &o);
  ok &= audit_list("methods", canaries_of_methods, &o);
  ok &= audit_list("as papers print them: a ratio above 1 shows that the claim is false",
                   canaries_of_papers, &o);
  if (o.only == NULL || strstr("one run", o.only) != NULL) {
    if (o.runs == 0) ok &= canaries_one_run(o.quick);
    o.rows++;
  }
  if (o.rows == 0) return (void)fprintf(stderr, "no mechanism or method \"%s\"\n", o.only), 2;
  return ok ? 0 : 1;
}
