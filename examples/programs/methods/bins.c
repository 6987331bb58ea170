/* SPDX-License-Identifier: MIT */
#include "methods/bins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/report.h"

/* The kernel of smoothed counts, which is what a column's cells are expected to vary like, too. */
static const double smooth = .9, width = 4;

/* --- cells ------------------------------------------------------------------------------------ */

static dppair_status bins_allocate(bins *b, size_t d) {
  memset(b, 0, sizeof *b);
  b->d = d;
  b->column = calloc(d, sizeof *b->column);
  b->begin = calloc(d + 2, sizeof *b->begin);
  b->term = calloc(d, sizeof *b->term);
  b->of = calloc(d, sizeof *b->of);
  b->cell = calloc(d, sizeof *b->cell);
  return b->column == NULL || b->begin == NULL || b->term == NULL || b->of == NULL ||
                 b->cell == NULL
             ? DPPAIR_ERR_OVERFLOW
             : DPPAIR_OK;
}

void bins_free(bins *b) {
  free(b->column);
  free(b->begin);
  free(b->term);
  free(b->of);
  free(b->cell);
  free(b->v);
  memset(b, 0, sizeof *b);
}

/* The term of an earlier column of the same group, or a new one. */
static size_t group_term(const bins *b, const feature *features, size_t j) {
  size_t k;
  for (k = 0; k < j; k++)
    if (features[k].kind == KIND_GROUP && features[k].group == features[j].group) return b->of[k];
  return b->terms;
}

static dppair_status add_column(bins *b, const feature *features, size_t j, size_t side) {
  const feature *f = &features[j];
  const size_t at = f->kind == KIND_GROUP ? group_term(b, features, j) : b->terms;
  bin_term *term = &b->term[at];
  dppair_column *c = &b->column[j];
  if (at == b->terms) b->terms++;
  term->kind = f->kind;
  term->column = j;
  b->of[j] = at;
  b->cell[j] = f->kind == KIND_FLAG ? 1 : term->cells;
  term->cells = b->cell[j] + 1;
  c->kind = f->kind == KIND_NUMERIC ? DPPAIR_COLUMN_NUMERIC
            : f->kind == KIND_FLAG  ? DPPAIR_COLUMN_FLAG
                                    : DPPAIR_COLUMN_GROUP;
  if (f->kind == KIND_GROUP) c->group = (size_t)f->group;
  if (f->kind != KIND_NUMERIC) return DPPAIR_OK;
  c->low = f->low;
  c->high = f->high;
  if (dppair_cells_make(&term->grid, f->low, f->high, side) != DPPAIR_OK) return DPPAIR_ERR_DOMAIN;
  term->cells = term->grid.cells;
  return DPPAIR_OK;
}

dppair_status bins_make(bins *b, const task *t, int by_class) {
  const int pure = !(t->delta > 0);
  const size_t side = pure ? DPPAIR_CELLS_SIDE / 2 : DPPAIR_CELLS_SIDE;
  dppair_status status = bins_allocate(b, t->train.d);
  size_t j;
  b->n = t->train.n;
  for (j = 0; j < b->d && status == DPPAIR_OK; j++) {
    status = add_column(b, t->features, j, side);
    b->column[j].by_class = by_class;
  }
  if (status != DPPAIR_OK) return status;
  for (j = 0; j < b->terms; j++) {
    b->term[j].cells += b->term[j].kind == KIND_GROUP; /* none */
    b->term[j].start = b->size;
    b->size += b->term[j].cells;
  }
  b->query.columns = b->column;
  b->query.d = b->d;
  b->query.side = side;
  if (!pure) { /* Laplace noise would have to be larger */
    b->query.smooth = smooth;
    b->query.width = width;
  }
  b->query.label = pure ? 1 : fmax(1, (double)b->terms / 8);
  status = dppair_marginals_layout(b->begin, &b->query);
  if (status == DPPAIR_OK && (b->v = calloc(b->begin[b->d + 1], sizeof *b->v)) == NULL)
    status = DPPAIR_ERR_OVERFLOW;
  return status;
}

void bins_of(size_t *at, const bins *b, const double *row) {
  size_t j;
  for (j = 0; j < b->terms; j++) at[j] = b->term[j].kind == KIND_GROUP ? b->term[j].cells - 1 : 0;
  for (j = b->d; j-- > 0;) { /* the first set column of a group is the last to be written */
    const bin_term *term = &b->term[b->of[j]];
    if (term->kind == KIND_NUMERIC)
      at[b->of[j]] = dppair_cells_find(&term->grid, row[j]);
    else if (row[j] >= .5)
      at[b->of[j]] = b->cell[j];
  }
}

/* A share of positives is .5 +- .15 before anything is known. */
static double rate_denoise(double noisy, double sd) {
  const double spread = .15, shrink = spread * spread / (spread * spread + sd * sd);
  return fmin(.98, fmax(.02, .5 + shrink * (noisy - .5)));
}

dppair_status bins_release(bins *b, spending *s, double budget) {
  const double n = (double)b->n, weight = dppair_label_weight(b->query.label);
  dppair_status status = spend_part(s, 1, budget, 1);
  if (status == DPPAIR_OK) status = spend_on_marginals(b->v, b->begin[b->d + 1], &b->query, s);
  b->sd = s->release.sigma * (s->release.mechanism == DPPAIR_LAPLACE ? sqrt(2.0) : 1);
  b->rate = rate_denoise(b->v[b->begin[b->d]] / weight / n, b->sd / weight / n);
  return status;
}

/* --- what the marginals show ------------------------------------------------------------------ */

/* m numbers e, of which y = A e + noise is known: y of variance `noise` each, and of e itself the
 * variance drawn[i]. Before, e is normal about 0 with covariance (tau size_i) (tau size_j) K_ij,
 * tau one of a few. A = NULL: the identity, and K too. */
typedef struct estimate {
  size_t m;
  const double *a, *y, *size, *drawn;
  double noise;
} estimate;

static double kernel(const estimate *e, size_t i, size_t j) {
  const double apart = i > j ? (double)(i - j) : (double)(j - i);
  return i == j ? 1 : e->a == NULL ? 0 : smooth * exp(-apart / width);
}

/* out = A in A, m x m; in is overwritten. */
static void between(double *out, double *in, const estimate *e) {
  const size_t m = e->m;
  size_t i, j, k, side;
  for (side = 0; side < 2; side++) {
    for (i = 0; i < m; i++)
      for (j = 0; j < m; j++) {
        double sum = 0;
        for (k = 0; k < m; k++) sum += e->a[i * m + k] * in[j * m + k];
        out[i * m + j] = sum;
      }
    memcpy(in, out, m * m * sizeof *in);
  }
}

/* The two parts of the covariance of y: that of e at tau = 1, and the rest. room: m^2. */
static void covariances(double *prior, double *rest, const estimate *e, double *room) {
  const size_t m = e->m;
  size_t i, j;
  for (i = 0; i < m; i++)
    for (j = 0; j < m; j++) {
      prior[i * m + j] = e->size[i] * e->size[j] * kernel(e, i, j);
      rest[i * m + j] = i == j ? e->drawn[i] : 0;
    }
  if (e->a != NULL) {
    memcpy(room, prior, m * m * sizeof *room);
    between(prior, room, e);
    memcpy(room, rest, m * m * sizeof *room);
    between(rest, room, e);
  }
  for (i = 0; i < m; i++) rest[i * m + i] += e->noise;
}

/* one[m] = the posterior mean at this tau; returns the log density of y. c: m (m + 2) numbers. */
static double estimate_at(double *one, double tau, const double *prior, const double *rest,
                          double *c, const estimate *e) {
  const size_t m = e->m;
  double *x = c + m * m, *ax = x + m, density = 0;
  size_t i, j;
  for (i = 0; i < m * m; i++) c[i] = tau * tau * prior[i] + rest[i];
  if (dppair_cholesky_f64(c, m) != DPPAIR_OK) return -HUGE_VAL;
  memcpy(x, e->y, m * sizeof *x);
  dppair_cholesky_solve_f64(x, c, m);
  for (i = 0; i < m; i++) density -= e->y[i] * x[i] / 2 + log(c[i * m + i]);
  for (i = 0; i < m; i++)
    for (ax[i] = e->a == NULL ? x[i] : 0, j = 0; j < m && e->a != NULL; j++)
      ax[i] += e->a[i * m + j] * x[j];
  for (i = 0; i < m; i++)
    for (one[i] = 0, j = 0; j < m; j++)
      one[i] += tau * tau * e->size[i] * e->size[j] * kernel(e, i, j) * ax[j];
  return density;
}

/* mean[m] = the posterior mean of e, over all tau that are as likely as each other before; 0 where
 * nothing can be told. */
static void estimate_mean(double *mean, const double *taus, size_t count, const estimate *e,
                          double *room) {
  const size_t m = e->m;
  double *rest = room + m * m, *c = rest + m * m, *one = c + m * (m + 2);
  double best = -HUGE_VAL, total = 0;
  size_t k, i;
  memset(mean, 0, m * sizeof *mean);
  covariances(room, rest, e, c);
  for (k = 0; k < count; k++) {
    const double density = estimate_at(one, taus[k], room, rest, c, e);
    double weight = 1, keep = 1;
    if (density > best) {
      keep = exp(best - density);
      best = density;
    } else {
      weight = exp(density - best);
    }
    total = total * keep + weight;
    for (i = 0; i < m; i++) mean[i] = mean[i] * keep + weight * one[i];
  }
  for (i = 0; i < m; i++) mean[i] = total > 0 ? mean[i] / total : 0;
}

enum { CELLS = DPPAIR_CELLS_MOST };

/* Room for one numeric term; a: the matrix of `made` cells. */
typedef struct cells_room {
  size_t made;
  double a[CELLS * CELLS], work[CELLS * (3 * CELLS + 3)], eigen[CELLS * (CELLS + 3) + 16];
  double y[CELLS], size[CELLS], drawn[CELLS];
} cells_room;

/* The matrix that the counts of m cells were smoothed by, or NULL. */
static dppair_status smoothing(const double **a, cells_room *room, size_t m, const bins *b) {
  *a = b->query.smooth > 0 ? room->a : NULL;
  if (*a == NULL || room->made == m) return DPPAIR_OK;
  room->made = m;
  return dppair_smoothing_matrix(room->a, m, smooth, width, room->eigen, sizeof room->eigen);
}

/* The numbers of column j: of both classes where they are counted by class. */
static double counted(const bins *b, size_t j, size_t k, size_t cells) {
  const double *v = b->v + b->begin[j];
  return v[k] + (b->column[j].by_class ? v[cells + k] : 0);
}

static dppair_status numeric_share(double *share, const bin_term *term, cells_room *room,
                                   const bins *b) {
  static const double taus[] = {.5, 1, 2, 4, 8, 16};
  const size_t m = term->cells;
  const double n = (double)b->n, blocks = b->column[term->column].by_class ? 2 : 1;
  estimate e = {m, NULL, room->y, room->size, room->drawn, blocks * (b->sd / n) * (b->sd / n)};
  const dppair_status status = smoothing(&e.a, room, m, b);
  size_t i, k;
  for (k = 0; k < m; k++) {
    room->size[k] = 1 / (double)m;
    room->drawn[k] = 0;
    room->y[k] = counted(b, term->column, k, m) / n;
    for (i = 0; i < m; i++) room->y[k] -= (e.a == NULL ? i == k : e.a[k * m + i]) / (double)m;
  }
  if (status == DPPAIR_OK) estimate_mean(share, taus, sizeof taus / sizeof *taus, &e, room->work);
  for (k = 0; k < m; k++) share[k] += 1 / (double)m;
  return status;
}

dppair_status bins_shares(double *share, const bins *b) {
  cells_room *room = calloc(1, sizeof *room);
  dppair_status status = room == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  size_t j, k;
  for (j = 0; j < b->terms && status == DPPAIR_OK; j++)
    if (b->term[j].kind == KIND_NUMERIC)
      status = numeric_share(share + b->term[j].start, &b->term[j], room, b);
    else
      share[b->term[j].start + (b->term[j].kind == KIND_FLAG ? 0 : b->term[j].cells - 1)] = 1;
  for (j = 0; j < b->d && status == DPPAIR_OK; j++) {
    const bin_term *term = &b->term[b->of[j]];
    double *own = share + term->start, seen = counted(b, j, 0, 1) / (double)b->n;
    if (term->kind == KIND_NUMERIC) continue;
    own[b->cell[j]] = seen;
    own[term->kind == KIND_FLAG ? 0 : term->cells - 1] -= seen;
  }
  for (j = 0; j < b->terms && status == DPPAIR_OK; j++) {
    double *own = share + b->term[j].start, total = 0;
    for (k = 0; k < b->term[j].cells; k++)
      total += own[k] = fmax(own[k], 0) + .002 / (double)b->term[j].cells;
    for (k = 0; k < b->term[j].cells; k++) own[k] /= total;
  }
  free(room);
  return status;
}

/* Of m numbers of one block; what is not in them is in the term's other cells. */
static void contrast_mean(double *mean, const double *v, const double *share, cells_room *room,
                          estimate *e, const bins *b) {
  static const double taus[] = {.05, .1, .2, .4, .8, 1.6};
  const double plus = b->rate * (double)b->n, minus = (double)b->n - plus;
  size_t k;
  for (k = 0; k < e->m; k++) {
    room->y[k] = v[k] / plus - v[e->m + k] / minus;
    room->size[k] = e->m > 1 ? share[k] : share[k] * (1 - share[k]);
    room->drawn[k] = room->size[k] * (1 / plus + 1 / minus);
  }
  e->noise = (b->sd / plus) * (b->sd / plus) + (b->sd / minus) * (b->sd / minus);
  estimate_mean(mean, taus, sizeof taus / sizeof *taus, e, room->work);
}

dppair_status bins_contrasts(double *contrast, const double *share, const bins *b) {
  cells_room *room = calloc(1, sizeof *room);
  dppair_status status = room == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  size_t j;
  memset(contrast, 0, b->size * sizeof *contrast);
  for (j = 0; j < b->d && status == DPPAIR_OK; j++) {
    const bin_term *term = &b->term[b->of[j]];
    const size_t at = term->start + (term->kind == KIND_NUMERIC ? 0 : b->cell[j]);
    estimate e = {
        term->kind == KIND_NUMERIC ? term->cells : 1, NULL, room->y, room->size, room->drawn, 0};
    if (term->kind == KIND_NUMERIC) status = smoothing(&e.a, room, e.m, b);
    if (status == DPPAIR_OK)
      contrast_mean(contrast + at, b->v + b->begin[j], share + at, room, &e, b);
    if (term->kind == KIND_FLAG) contrast[term->start] = -contrast[at];
  }
  free(room);
  return status;
}

/* --- the score -------------------------------------------------------------------------------- */

/* One column's share, numbers only, so that it can live in theta. */
typedef struct column_share {
  double knots, at[CELLS], value[CELLS];
} column_share;

enum { SHARE_SIZE = sizeof(column_share) / sizeof(double) };

static double share_apply(const column_share *c, double x) {
  const size_t n = (size_t)c->knots;
  size_t low = 0, high = n - 1;
  if (x <= c->at[0] || n == 1) return c->value[0];
  if (x >= c->at[high]) return c->value[high];
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (x < c->at[middle])
      high = middle;
    else
      low = middle;
  }
  return c->value[low] +
         (c->value[high] - c->value[low]) * (x - c->at[low]) / (c->at[high] - c->at[low]);
}

static void score(double *s, const model *m, const records *rows) {
  const column_share *shares = (const column_share *)(const void *)m->theta;
  size_t i, j;
  for (i = 0; i < rows->n; i++)
    for (s[i] = 0, j = 0; j < m->d; j++) s[i] += share_apply(&shares[j], rows->raw[i * m->d + j]);
}

static void print_numbers(FILE *file, const char *name, const double *v, size_t n) {
  size_t k;
  (void)fprintf(file, "\"%s\": [", name);
  for (k = 0; k < n; k++) (void)fprintf(file, "%s%.17g", k > 0 ? ", " : "", v[k]);
  (void)fputs("]", file);
}

static int print(FILE *file, const model *m, const feature *features) {
  const column_share *shares = (const column_share *)(const void *)m->theta;
  size_t j;
  (void)fputs("{\"score\": \"sum of values, linear between knots\", \"columns\": [", file);
  for (j = 0; j < m->d; j++) {
    (void)fprintf(file, "%s\n    {\"name\": ", j > 0 ? "," : "");
    json_text(file, features != NULL ? features[j].name : "");
    (void)fputs(", ", file);
    print_numbers(file, "at", shares[j].at, (size_t)shares[j].knots);
    (void)fputs(", ", file);
    print_numbers(file, "value", shares[j].value, (size_t)shares[j].knots);
    (void)fputs("}", file);
  }
  (void)fputs("\n  ]}", file);
  return 1;
}

/* Outer cells are wide and thinly filled: their knot stays near the inner edge. */
static void numeric_knots(column_share *c, const dppair_cells *g, const double *value) {
  const size_t n = g->cells;
  size_t k;
  c->knots = (double)n;
  for (k = 0; k < n; k++) c->at[k] = g->edge[k] + (g->edge[k + 1] - g->edge[k]) / 2;
  memcpy(c->value, value, n * sizeof *value);
  if (n < 2) return;
  c->at[0] = fmax(c->at[0], g->edge[1] - (g->edge[2] - g->edge[1]) / 2);
  c->at[n - 1] = fmin(c->at[n - 1], g->edge[n - 1] + (g->edge[n - 1] - g->edge[n - 2]) / 2);
}

dppair_status bins_model(model *out, const bins *b, const double *value) {
  const dppair_status status = model_allocate(out, b->d, b->d * SHARE_SIZE);
  column_share *shares = (column_share *)(void *)out->theta;
  size_t j;
  for (j = 0; j < b->d && status == DPPAIR_OK; j++) {
    const bin_term *term = &b->term[b->of[j]];
    const double *own = value + term->start;
    if (term->kind == KIND_NUMERIC) {
      numeric_knots(&shares[j], &term->grid, own);
      continue;
    }
    shares[j].knots = 2;
    shares[j].at[1] = 1;
    shares[j].value[1] = own[b->cell[j]] - own[term->kind == KIND_FLAG ? 0 : term->cells - 1];
  }
  out->score = score;
  out->print = print;
  return status;
}
