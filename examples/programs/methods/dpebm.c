/* SPDX-License-Identifier: MIT */
/*
 * dpebm: boosting of one term at a time, an additive score of the form of explainable boosting
 * machines (Nori, Caruana, Bu, Shen and Kulkarni 2021, DP-EBM).
 *
 *   score(x) = sum over terms of f_k(cell)
 *
 * Release 1: the marginals of all columns and the number of positives (bins.h), by which cells are
 * merged into bins of about equal weight.
 *
 * Release 2: a plan of rounds times terms steps. A step cuts the bins of a term into leaves, at
 * random places that depend on no data; releases the sum of the residuals r = [y > 0] - P(s) in
 * each leaf, s the score so far; and adds to f_k in every leaf what that is of the leaf's records.
 * P and f_k are public by then, and r depends on one record: a replaced one leaves a leaf with r
 * and enters one with r'. P is held in [a, b], the values that f allows within `reach`; so r is in
 * [0, 1 - a] for a positive record and in [-b, 0] for another. In one leaf |r - r'| <= 1 - a + b.
 * In two, sqrt(r^2 + r'^2) is at most that, or sqrt(2) max(1 - a, b) where the labels agree. The
 * larger of the two is the step's sensitivity: 1 when P is 1/2 everywhere, 2 at most, attained.
 * Residuals are rounded to multiples of 2^-20, and their sums are exact.
 *
 * The steps share one multiplier, so that the plan is Gaussian whatever the sensitivities turn out
 * to be; delta = 0: the l2 mechanism. The paper protects a record that is added or removed, which
 * moves a step by 1 at most; has noise for residuals up to 1 in all steps; and divides by the
 * leaf's count alone, which leaves rare bins to the noise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/bins.h"

/* Fixed numbers; none depends on the data. First and second: delta > 0, delta = 0. */
static const double first_share[2] = {.15, .2}; /* of mu^2; of epsilon */
static const size_t rounds_of[2] = {10, 3};
static const double reach = 1;  /* a score farther from that of the share of positives counts so */
static const double pace = 20;  /* all steps of a leaf together, for a mean residual of 1 */
static const double doubt = 16; /* counts of a leaf are increased by this many deviations */
static const double units = 1048576;
enum { LEAVES = 3, BINS = 24 };

typedef struct boosting {
  bins b;
  size_t *at, *bin, *count, *leaf; /* a record's bins, a cell's, how many of a term; a bin's leaf */
  double *f, *share, *s;           /* of a term's bins: values and shares of the records; scores */
  double base;                     /* the score of the share of positives */
  size_t rounds;
  double budget[2]; /* of both releases: mu, or epsilon */
} boosting;

static double probability(double s) { return 1 / (1 + exp(-s)); }

/* The bins of a term: neighbouring cells of a numeric column until they hold 1/BINS of the records,
 * the cells themselves of others. In place of the cells' shares stand those of the bins. */
static void merge_cells(boosting *g, size_t k) {
  const bin_term *term = &g->b.term[k];
  double *share = g->share + term->start, held = 0;
  size_t i, last = 0;
  for (i = 0; i < term->cells; i++) {
    if (i > 0 && (term->kind != KIND_NUMERIC || held >= 1.0 / BINS)) {
      last++;
      held = 0;
    }
    held += share[i];
    share[last] = held;
    g->bin[term->start + i] = last;
  }
  g->count[k] = last + 1;
}

/* Release 1, and the bins that it shows. */
static dppair_status find_bins(boosting *g, spending *s) {
  const size_t n = s->t->train.n, d = s->t->train.d, terms = g->b.terms;
  dppair_status status = bins_release(&g->b, s, g->budget[0]);
  size_t i, k;
  if (status == DPPAIR_OK) status = bins_shares(g->share, &g->b);
  if (status != DPPAIR_OK) return status;
  g->base = log(g->b.rate / (1 - g->b.rate));
  for (k = 0; k < terms; k++) merge_cells(g, k);
  for (i = 0; i < n; i++) {
    size_t *at = g->at + i * terms;
    bins_of(at, &g->b, s->t->train.raw + i * d);
    for (k = 0; k < terms; k++) at[k] = g->bin[g->b.term[k].start + at[k]];
    g->s[i] = g->base;
  }
  return DPPAIR_OK;
}

/* [a, b]: where P is held. */
static void probability_range(double *a, double *b, const boosting *g) {
  double low = 0, high = 0;
  size_t k, i;
  for (k = 0; k < g->b.terms; k++) {
    const double *f = g->f + g->b.term[k].start;
    double least = f[0], most = f[0];
    for (i = 1; i < g->count[k]; i++) {
      least = fmin(least, f[i]);
      most = fmax(most, f[i]);
    }
    low += least;
    high += most;
  }
  *a = probability(g->base + fmin(reach, fmax(-reach, low)));
  *b = probability(g->base + fmin(reach, fmax(-reach, high)));
}

/* Cuts the bins of term k: of a numeric column between neighbours, else in any way. */
static dppair_status cut(size_t *leaves, boosting *g, size_t k, const task *t) {
  const size_t many = g->count[k];
  size_t place[LEAVES], i, j;
  dppair_status status;
  *leaves = many < LEAVES ? many : LEAVES;
  for (i = 0; i < many; i++) g->leaf[i] = many <= LEAVES ? i : 0;
  if (many <= LEAVES) return DPPAIR_OK;
  if (g->b.term[k].kind != KIND_NUMERIC) return task_draws(g->leaf, many, LEAVES, t);
  status = task_draws(place, LEAVES - 1, many - 1, t);
  for (i = 0; i < many && status == DPPAIR_OK; i++)
    for (j = 0; j + 1 < LEAVES; j++) g->leaf[i] += i > place[j];
  return status;
}

/* The sums of the residuals in the leaves of term k, and how far a record moves them. */
static double residuals(double sum[LEAVES], const boosting *g, size_t k, const records *rows) {
  double a, b, top, bottom;
  size_t i;
  probability_range(&a, &b, g);
  top = rint((1 - a) * units) / units;
  bottom = rint(b * units) / units;
  for (i = 0; i < rows->n; i++) {
    const double p = fmin(b, fmax(a, probability(g->s[i])));
    const double r = rows->y[i] > 0 ? 1 - p : -p;
    sum[g->leaf[g->at[i * g->b.terms + k]]] += rint(r * units) / units;
  }
  return larger(top + bottom, sqrt(2.0) * larger(top, bottom)) * (1 + 4 * DBL_EPSILON);
}

static dppair_status step(boosting *g, size_t k, spending *s) {
  const records *rows = &s->t->train;
  const size_t start = g->b.term[k].start;
  double sum[LEAVES] = {0}, held[LEAVES] = {0}, sensitivity;
  size_t i, leaves;
  dppair_status status = cut(&leaves, g, k, s->t);
  if (status != DPPAIR_OK) return status;
  sensitivity = residuals(sum, g, k, rows);
  status = spend_on(sum, leaves, sensitivity, s);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < g->count[k]; i++) held[g->leaf[i]] += (double)rows->n * g->share[start + i];
  for (i = 0; i < leaves; i++) {
    const double rounds = (double)g->rounds, more = doubt * s->release.sigma / sqrt(rounds);
    sum[i] *= pace / rounds / (held[i] + more);
  }
  for (i = 0; i < g->count[k]; i++) g->f[start + i] += sum[g->leaf[i]];
  for (i = 0; i < rows->n; i++) g->s[i] += sum[g->leaf[g->at[i * g->b.terms + k]]];
  return DPPAIR_OK;
}

static dppair_status boost(boosting *g, spending *s) {
  const size_t terms = g->b.terms;
  size_t e;
  dppair_status status = spend_part(s, g->rounds * terms, g->budget[1], 0);
  for (e = 0; e < g->rounds * terms && status == DPPAIR_OK; e++) status = step(g, e % terms, s);
  return status;
}

static dppair_status begin(boosting *g, const task *t) {
  const int pure = !(t->delta > 0);
  const double share = first_share[pure];
  const size_t n = t->train.n;
  double whole = t->epsilon;
  dppair_status status = bins_make(&g->b, t, 0);
  if (status == DPPAIR_OK && !pure) status = task_mu(&whole, t);
  if (status != DPPAIR_OK) return status;
  g->rounds = rounds_of[pure];
  g->budget[0] = whole * (pure ? share : sqrt(share));
  g->budget[1] = whole * (pure ? 1 - share : sqrt(1 - share)) * (1 - 8 * DBL_EPSILON);
  g->at = malloc(n * g->b.terms * sizeof *g->at);
  g->bin = malloc(g->b.size * sizeof *g->bin);
  g->count = malloc(g->b.terms * sizeof *g->count);
  g->leaf = malloc(g->b.size * sizeof *g->leaf);
  g->f = calloc(g->b.size, sizeof *g->f);
  g->share = malloc(g->b.size * sizeof *g->share);
  g->s = malloc(n * sizeof *g->s);
  if (!g->at || !g->bin || !g->count || !g->leaf || !g->f || !g->share || !g->s)
    return DPPAIR_ERR_OVERFLOW;
  return DPPAIR_OK;
}

static void end(boosting *g) {
  bins_free(&g->b);
  free(g->at);
  free(g->bin);
  free(g->count);
  free(g->leaf);
  free(g->f);
  free(g->share);
  free(g->s);
}

/* f of the bins becomes f of the cells, of the last first: no bin lies behind its cells. */
static dppair_status write_model(model *out, boosting *g) {
  size_t k, i;
  for (k = 0; k < g->b.terms; k++) {
    double *f = g->f + g->b.term[k].start;
    for (i = g->b.term[k].cells; i-- > 0;) f[i] = f[g->bin[g->b.term[k].start + i]];
  }
  out->steps = 1 + g->rounds * g->b.terms;
  return bins_model(out, &g->b, g->f);
}

static dppair_status train_dpebm(model *out, const task *t) {
  boosting g;
  spending s;
  dppair_status status;
  memset(&g, 0, sizeof g);
  status = spending_begin(&s, t);
  if (status == DPPAIR_OK) status = begin(&g, t);
  if (status == DPPAIR_OK) status = find_bins(&g, &s);
  if (status == DPPAIR_OK) status = boost(&g, &s);
  if (status == DPPAIR_OK) status = write_model(out, &g);
  if (status == DPPAIR_OK) status = spend_claim(out, &s);
  spending_end(&s);
  end(&g);
  return status;
}

const method method_dpebm = {"dpebm",
                             "boosting by noisy sums of residuals, one column at a time",
                             "a share of the score for every cell of every column",
                             OFFERS_PURE,
                             1,
                             train_dpebm};
