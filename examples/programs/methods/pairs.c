/* SPDX-License-Identifier: MIT */
#include "methods/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factor of the margin: phi(margin w.(x - x')); and how many orders of a pair count. */
static double margin_of(const pairs *p) { return p->kind == RANK_DIFF ? 2 : 1; }

/* --- constants -------------------------------------------------------------------------------- */

/* Every constant is rounded up by more than what its few operations can lose. */
static double above(double x) { return x * (1 + 64 * DBL_EPSILON); }

/*
 * The constants of the loss over parameters of norm at most `bound`, from dppair_constants_find,
 * which has the proofs. It knows how far the mean of a pair's two orders moves with one record; in
 * 'ind' one of the two orders is 0, so the other moves twice as far, and elsewhere both are equal.
 *
 * The eigenvalues of a projected metric are computed: W may have some of -1e-10 B. Margins then lie
 * up to 1e-10 times the largest (x - x')^T W (x - x') beyond those of a semidefinite W. A ball and
 * an offset that are larger by as much have margins that hold all of these.
 */
static dppair_status find_constants(pairs *p, double bound) {
  static const dppair_margin margins[] = {DPPAIR_MARGIN_diff, DPPAIR_MARGIN_ind,
                                          DPPAIR_MARGIN_metric_psd};
  const double diameter = 2 * p->radius;
  const double margin = p->kind == METRIC ? diameter * diameter : margin_of(p) * diameter;
  dppair_bounds bounds = {0, 0, 1, 0, 0};
  dppair_constants k;
  dppair_status status;
  bounds.radius = p->radius;
  bounds.param_radius = bound < 1e-60 ? 1e-60 : bound; /* NaN stays NaN and is refused */
  if (p->kind == METRIC && dppair_isfinite_f64(bound)) {
    bounds.offset = p->offset + 1e-10 * margin * bound;
    bounds.param_radius *= 1 + 1e-10;
  }
  status = dppair_constants_find(&k, margins[p->kind], dppair_loss_facts_of(p->phi->loss), NULL,
                                 &bounds);
  p->slope = k.slope;
  p->lipschitz = k.lipschitz;
  p->spread_both = k.move;
  p->spread = p->kind == RANK_IND ? 2 * k.move : k.move;
  p->smoothness = above(margin * margin * pair_link_curvature(p->phi));
  return status;
}

/* --- setting up ------------------------------------------------------------------------------- */

static dppair_status open_metric(pairs *p) {
  size_t area = p->d * p->d, bytes;
  dppair_status status;
  if (p->phi->metric == NULL) return DPPAIR_ERR_DOMAIN;
  status = p->phi->metric_room(&bytes, p->n, p->d);
  if (status != DPPAIR_OK) return status;
  p->room_bytes = bytes;
  p->room = working_get(1, bytes + 2 * area * sizeof *p->room);
  return p->room == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
}

dppair_status pairs_open(pairs *p, const task *t, pair_kind kind, pair_norm norm, double bound,
                         const pair_link *phi) {
  size_t n = t->train.n, d = t->train.d, i, *order = working_get(1, n * sizeof *order);
  dppair_status status = DPPAIR_OK;
  memset(p, 0, sizeof *p);
  p->kind = kind;
  p->norm = norm;
  p->phi = phi;
  p->n = n;
  p->d = d;
  p->size = kind == METRIC ? d * (d + 1) / 2 : d;
  p->radius = task_radius(t);
  p->bound = t->with.param_radius > 0 ? t->with.param_radius : bound;
  p->lambda = t->with.lambda;
  p->work = working_get(1, (n * d + 6 * n + d) * sizeof *p->work);
  if (phi == NULL) status = DPPAIR_ERR_DOMAIN;
  if (p->work == NULL || order == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = task_order(order, n, t);
  if (status == DPPAIR_OK) {
    p->x = p->work;
    p->y = p->x + n * d;
    status = rows_clip(p->x, &t->train, order, p->radius);
    for (i = 0; i < n; i++) p->y[i] = t->train.y[order[i]];
    p->offset = norm == NORM_L2 && phi->loss != DPPAIR_LOSS_hinge ? 1 : 0;
    if (status == DPPAIR_OK && kind == METRIC) status = open_metric(p);
    if (status == DPPAIR_OK) status = pairs_within(p, HUGE_VAL);
    if (status == DPPAIR_OK) status = pairs_reach(p, p->bound);
  }
  working_free(order);
  if (status != DPPAIR_OK) pairs_close(p);
  return status;
}

void pairs_close(pairs *p) {
  working_free(p->work);
  working_free(p->room);
  pair_sums_free(&p->sums);
  memset(p, 0, sizeof *p);
}

dppair_status pairs_within(pairs *p, double norm) {
  return find_constants(p, p->bound > 0 && !(norm < p->bound) ? p->bound : norm);
}

/* Starting with the G of the whole ball, each round proves a reach, and with it a smaller G. */
dppair_status pairs_travel(pairs *p, double start, double eta, size_t steps) {
  int k;
  dppair_status status = pairs_within(p, HUGE_VAL);
  for (k = 0; k < 4 && status == DPPAIR_OK; k++)
    status = pairs_within(p, (start + eta * p->lipschitz * (double)steps) * (1 + 1e-9));
  return status;
}

/* --- gradients -------------------------------------------------------------------------------- */

/* Room behind y: five vectors of n numbers, then d. */
static double *room(const pairs *p) { return p->y + p->n; }

static double mean_scale(const pairs *p, size_t count) {
  return margin_of(p) * margin_of(p) / ((double)count * (double)(count - 1));
}

dppair_status pairs_reach(pairs *p, double norm) {
  if (p->kind == METRIC) return DPPAIR_OK;
  return pair_sums_reach(&p->sums, p->phi, p->n, margin_of(p) * p->radius * norm * (1 + 1e-9));
}

static dppair_status ranking_gradient(double *g, const pairs *p, const double *w, size_t first,
                                      size_t count, const unsigned char *active) {
  const double *x = p->x + first * p->d, *y = p->y + first;
  double *s = room(p), *sorted = s + p->n, *c = sorted + p->n, *both = c + p->n;
  double margin = margin_of(p), scale = mean_scale(p, count);
  size_t i, np = 0, nn = 0;
  const dppair_rows_f64 rows = dppair_rows_make_f64(x, count, p->d, p->d);
  dppair_status status = dppair_scores_f64(s, &rows, w);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < count; i++)
    if (y[i] > 0 && (active == NULL || active[i])) sorted[np++] = margin * s[i];
  for (i = 0; i < count; i++)
    if (y[i] < 0 && (active == NULL || active[i])) sorted[np + nn++] = margin * s[i];
  memset(both, 0, count * sizeof *both);
  if (np > 0 && nn > 0)
    status = pair_sums_coeffs(both, both + np, sorted, np, sorted + np, nn, &p->sums);
  for (i = 0, nn = np, np = 0; i < count; i++)
    c[i] = active != NULL && !active[i] ? 0 : y[i] > 0 ? both[np++] : both[nn++];
  if (status == DPPAIR_OK) status = dppair_combine_f64(g, &rows, c);
  for (i = 0; i < p->d; i++) g[i] *= scale;
  return status;
}

static dppair_status metric_gradient(double *g, const pairs *p, const double *w, size_t first,
                                     size_t count) {
  const double *x = p->x + first * p->d, *y = p->y + first;
  size_t k, d = p->d;
  double *full = p->room, *sum = full + d * d;
  dppair_status status;
  matrix_unpack(full, w, d);
  status = p->phi->metric(sum, x, y, count, d, full, p->offset, sum + d * d, p->room_bytes);
  matrix_pack(g, sum, d);
  for (k = 0; k < p->size; k++) g[k] *= 2 / ((double)count * (double)(count - 1));
  return status;
}

/* Without the regulariser. */
static dppair_status mean_gradient(double *g, const pairs *p, const double *w, size_t first,
                                   size_t count) {
  if (count < 2 || first + count > p->n) return DPPAIR_ERR_SIZE;
  return p->kind == METRIC ? metric_gradient(g, p, w, first, count)
                           : ranking_gradient(g, p, w, first, count, NULL);
}

dppair_status pairs_gradient(double *g, const pairs *p, const double *w, size_t first,
                             size_t count) {
  size_t k;
  dppair_status status = mean_gradient(g, p, w, first, count);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < p->size; k++) g[k] += p->lambda * w[k];
  return DPPAIR_OK;
}

/* The margin of the ordered pair (i, j); for a metric `full` is the unpacked matrix, with d numbers
 * of room behind it. */
static double pair_margin(const pairs *p, const double *w, double *full, size_t i, size_t j) {
  size_t k, d = p->d;
  const double *a = p->x + i * d, *b = p->x + j * d;
  double *v = full + d * d, sum = 0, factor = 1;
  for (k = 0; k < d; k++) v[k] = a[k] - b[k];
  if (p->kind == METRIC) {
    size_t l;
    for (k = 0; k < d; k++)
      for (l = 0; l < d; l++) sum += v[k] * full[k * d + l] * v[l];
    return p->y[i] * p->y[j] * (p->offset - sum);
  }
  for (k = 0; k < d; k++) sum += w[k] * v[k];
  if (p->kind == RANK_DIFF) factor = p->y[i] - p->y[j];
  return factor * sum;
}

dppair_status pairs_active_gradient(double *g, const pairs *p, const double *w,
                                    const unsigned char *active) {
  if (p->kind == METRIC) return DPPAIR_ERR_NO_PROOF;
  return ranking_gradient(g, p, w, 0, p->n, active);
}

double pairs_individual(const pairs *p, double x_norm, double w_norm, double margin) {
  const double reach = p->radius * w_norm;
  const double u = reach - margin + 1e-15 * (reach + fabs(margin));
  return 0.5 * (x_norm + p->radius) / (1.0 + exp(-u)) * (1.0 + 1e-14);
}

dppair_status pairs_risk(double *risk, const pairs *p, const double *w) {
  size_t i, j, k, d = p->d;
  double *full = working_get(1, (d * d + d + 3 * p->n) * sizeof *full), *u, *value, sum = 0,
         square = 0;
  dppair_status status = full == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  if (full == NULL) return status;
  u = full + d * d + d;
  value = u + p->n;
  if (p->kind == METRIC) matrix_unpack(full, w, d);
  for (i = 0; i < p->n && status == DPPAIR_OK; i++) {
    for (j = 0; j < p->n; j++) u[j] = pair_margin(p, w, full, i, j);
    status = dppair_loss_eval(value, NULL, NULL, u, p->n, p->phi->loss, NULL);
    for (j = 0; j < p->n; j++)
      if (j != i && (p->kind != RANK_IND || p->y[i] > p->y[j])) sum += value[j];
  }
  for (k = 0; k < p->size; k++) square += w[k] * w[k];
  *risk = sum / ((double)p->n * (double)(p->n - 1)) + 0.5 * p->lambda * square;
  working_free(full);
  return status;
}

/* Coefficients of x_i - x_j, times weight[j]; s holds the scores. */
static dppair_status ranking_online(double *g, const pairs *p, const double *w, size_t i,
                                    size_t first, const double *weight, size_t count, double *s) {
  const double *x = p->x + first * p->d, *y = p->y + first, *mine = p->x + i * p->d;
  double *c = room(p), *slope = c + p->n, *add = c + 5 * p->n, total = 0, own = 0;
  double margin = margin_of(p);
  size_t j, k;
  const dppair_rows_f64 rows = dppair_rows_make_f64(x, count, p->d, p->d);
  const dppair_rows_f64 row = dppair_rows_make_f64(mine, 1, p->d, p->d);
  dppair_status status = dppair_scores_f64(s, &rows, w);
  if (status == DPPAIR_OK) status = dppair_scores_f64(&own, &row, w);
  for (j = 0; j < count; j++) c[j] = margin * p->y[i] * (own - s[j]);
  if (status == DPPAIR_OK)
    status = dppair_loss_eval(NULL, slope, NULL, c, count, p->phi->loss, NULL);
  for (j = 0; j < count; j++) {
    int counts = p->kind == RANK_DIFF ? p->y[i] * y[j] < 0 : p->y[i] > y[j];
    c[j] = counts ? -weight[j] * slope[j] * margin * p->y[i] : 0;
    total += c[j];
  }
  if (status == DPPAIR_OK) status = dppair_combine_f64(add, &rows, c);
  for (k = 0; k < p->d; k++) g[k] += add[k] - total * mine[k];
  return status;
}

static dppair_status metric_online(double *g, const pairs *p, const double *w, size_t i,
                                   size_t first, const double *weight, size_t count, double *s) {
  size_t j, a, b, k, d = p->d;
  double *full = working_get(1, (d * d + d) * sizeof *full), *v, margin;
  dppair_status status = full == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  if (full == NULL) return status;
  v = full + d * d;
  matrix_unpack(full, w, d);
  for (j = 0; j < count && status == DPPAIR_OK; j++) {
    const double *other = p->x + (first + j) * d;
    if (!(weight[j] > 0)) continue;
    margin = pair_margin(p, w, full, i, first + j);
    status = dppair_loss_eval(NULL, &s[j], NULL, &margin, 1, p->phi->loss, NULL);
    s[j] *= -p->y[i] * p->y[first + j] * weight[j];
    for (k = 0; k < d; k++) v[k] = p->x[i * d + k] - other[k];
    for (a = 0, k = 0; a < d; a++) {
      g[k++] += s[j] * v[a] * v[a];
      for (b = a + 1; b < d; b++) g[k++] += s[j] * v[a] * v[b] * sqrt(2);
    }
  }
  working_free(full);
  return status;
}

dppair_status pairs_online(double *g, const pairs *p, const double *w, size_t i, size_t first,
                           const double *weight, size_t count, double *s) {
  return p->kind == METRIC ? metric_online(g, p, w, i, first, weight, count, s)
                           : ranking_online(g, p, w, i, first, weight, count, s);
}

/* --- the parameter set ------------------------------------------------------------------------ */

void matrix_unpack(double *full, const double *packed, size_t d) {
  size_t a, b, k = 0;
  for (a = 0; a < d; a++) {
    full[a * d + a] = packed[k++];
    for (b = a + 1; b < d; b++) full[a * d + b] = full[b * d + a] = packed[k++] / sqrt(2);
  }
}

void matrix_pack(double *packed, const double *full, size_t d) {
  size_t a, b, k = 0;
  for (a = 0; a < d; a++) {
    packed[k++] = full[a * d + a];
    for (b = a + 1; b < d; b++) packed[k++] = (full[a * d + b] + full[b * d + a]) / sqrt(2);
  }
}

/* The nearest positive semidefinite matrix in the ball of the Frobenius or the nuclear norm. */
static dppair_status metric_project(double *w, const pairs *p) {
  size_t d = p->d, bytes;
  double *full;
  dppair_status status = dppair_project_workspace(&bytes, d);
  if (status != DPPAIR_OK) return status;
  full = working_get(1, d * d * sizeof *full + bytes);
  if (full == NULL) return DPPAIR_ERR_OVERFLOW;
  matrix_unpack(full, w, d);
  status = p->norm == NORM_NUCLEAR
               ? dppair_project_psd_trace_f64(full, d, p->bound, full + d * d, bytes)
               : dppair_project_psd_frobenius_f64(full, d, p->bound, full + d * d, bytes);
  matrix_pack(w, full, d);
  working_free(full);
  return status;
}

dppair_status pairs_project(double *w, const pairs *p) {
  dppair_status status = p->kind == METRIC ? metric_project(w, p) : DPPAIR_OK;
  if (status != DPPAIR_OK) return status;
  if (p->bound > 0) return dppair_project_l2_f64(w, p->size, p->bound);
  return dppair_all_finite_f64(w, p->size) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* --- what rounding and time cost -------------------------------------------------------------- */

/* Of the mean gradient: *range is what computing adds to the length of the slopes' interval,
 * *rounding twice the distance of its sums from exact sums of the computed slopes. Infinite when
 * not certified. */
static void gradient_error(double *range, double *rounding, const pairs *p, size_t count) {
  double scale =
      p->kind == METRIC ? 2 / ((double)count * (double)(count - 1)) : mean_scale(p, count);
  dppair_status status;
  *range = 8 * DBL_EPSILON;
  if (p->kind == METRIC)
    status = p->phi->metric_error(rounding, count, p->d, p->radius, p->slope * (1 + 1e-12));
  else
    status = pair_sums_allowance(range, rounding, &p->sums, count, p->radius, p->slope);
  *rounding *= p->kind == METRIC ? 2 * scale : scale;
  /* the few operations per coordinate that follow the sums */
  *rounding += (8 * (double)p->d + 64) * DBL_EPSILON * (p->lipschitz + p->lambda * p->bound);
  if (status != DPPAIR_OK) *rounding = HUGE_VAL;
}

dppair_status pairs_move(double *move, const pairs *p, size_t count) {
  double range, rounding;
  const dppair_sampling all = dppair_sampling_all(count, DPPAIR_REPLACE_ONE);
  dppair_pair_unit pair;
  dppair_status status;
  memset(&pair, 0, sizeof pair);
  pair.levels = DPPAIR_LEVELS_ANY;
  pair.unit = p->spread_both; /* of both orders */
  status = dppair_sensitivity(move, &pair, &all);
  if (status != DPPAIR_OK) return status;
  gradient_error(&range, &rounding, p, count);
  *move = *move * (1 + range / p->slope) + rounding;
  return dppair_isfinite_f64(*move) ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

dppair_status pairs_gradient_release(double *g, pairs *p, const double *w, spending *s) {
  double norm = dppair_norm_f64(w, p->size) * (1 + (double)(p->size + 8) * DBL_EPSILON), move;
  size_t k;
  dppair_status status = pairs_within(p, norm);
  if (status == DPPAIR_OK) status = pairs_move(&move, p, p->n);
  if (status == DPPAIR_OK) status = mean_gradient(g, p, w, 0, p->n);
  if (status == DPPAIR_OK) status = spend_on(g, p->size, move, s);
  for (k = 0; k < p->size && status == DPPAIR_OK; k++) g[k] += p->lambda * w[k];
  return status;
}

/*
 * Both runs compute w - eta g and project: each coordinate is off by a few units, the eigenvalue
 * route by 1e-13 or a few d^2 units of the norm; for both runs, generously. The gradient is off by
 * its sums and by its slopes: those of 2E/2 per pair and run, |x - x'| <= 2R over at most count^2/4
 * pairs, and those of margins that are rounded, at most as if w were off by `order` units.
 */
double pairs_rounding(const pairs *p, double eta, size_t count) {
  double reach = p->bound + eta * (p->lipschitz + p->lambda * p->bound), range, rounding;
  double order = p->kind == METRIC ? 1024 + 64 * (double)(p->d * p->d) : (double)p->d, slopes = 0;
  gradient_error(&range, &rounding, p, count);
  if (p->kind != METRIC)
    slopes = range * p->radius * (double)count * (double)count / 2 * mean_scale(p, count);
  if (dppair_isfinite_f64(p->smoothness))
    slopes += 8 * order * DBL_EPSILON * p->smoothness * p->bound;
  return (4 * order + 64) * DBL_EPSILON * reach + eta * (rounding + slopes);
}

/* Units are a pair's or a number's share of the time, about 2 ns. */
size_t pairs_affordable(const pairs *p, size_t count, size_t wanted) {
  double m = (double)count, d = (double)p->d, most;
  double one = m * m / 4 + m * d;
  if (p->sums.fast.kind != 0) one = m * (d + 40);
  if (p->kind == METRIC) one = m * m * (d / 8 + 4) + 20 * d * d * d;
  most = 1e9 / one;
  return (double)wanted <= most ? wanted : most > 1 ? (size_t)most : 1;
}

/* --- the release ------------------------------------------------------------------------------ */

dppair_status pairs_release(model *out, const pairs *p, const double *w) {
  size_t size = p->kind == METRIC ? p->d * p->d : p->d;
  dppair_status status = model_allocate(out, p->d, size);
  if (status != DPPAIR_OK) return status;
  if (p->kind == METRIC)
    matrix_unpack(out->theta, w, p->d);
  else
    memcpy(out->theta, w, size * sizeof *w);
  return DPPAIR_OK;
}
