/* SPDX-License-Identifier: MIT */
#include "methods/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/report.h"
#include "support/solver.h"

/* --- scores on maps --------------------------------------------------------------------------- */

/* theta: d maps, then d weights. */
enum { MAP_SIZE = sizeof(feature_map) / sizeof(double) };

static void score_mapped(double *s, const model *m, const records *rows) {
  const feature_map *maps = (const feature_map *)(const void *)m->theta;
  const double *w = m->theta + m->d * MAP_SIZE;
  size_t i, j;
  for (i = 0; i < rows->n; i++)
    for (s[i] = 0, j = 0; j < m->d; j++)
      s[i] += w[j] * map_apply(&maps[j], rows->raw[i * m->d + j]);
}

static int print_mapped(FILE *file, const model *m, const feature *features) {
  const feature_map *maps = (const feature_map *)(const void *)m->theta;
  size_t j;
  (void)fputs("{\"score\": \"sum of weight * z\", \"columns\": [", file);
  for (j = 0; j < m->d; j++) {
    (void)fprintf(file, "%s\n    {\"name\": ", j > 0 ? "," : "");
    json_text(file, features != NULL ? features[j].name : "");
    (void)fprintf(file, ", \"weight\": %.17g", m->theta[m->d * MAP_SIZE + j]);
    (void)fputs(", ", file);
    map_print(file, &maps[j]);
    (void)fputs("}", file);
  }
  (void)fputs("\n  ]}", file);
  return 1;
}

/* --- rows ------------------------------------------------------------------------------------- */

static const double maps_share[2] = {.25, .35}; /* of mu^2; for delta = 0 of epsilon            */
static const double clip = .65; /* rows are clipped to this times a typical mapped row's length */

dppair_status moment_rows_make(double *u, const double *z, size_t n, size_t d, double radius,
                               double constant) {
  size_t i, j, m = d + (constant > 0);
  const double unit = radius * sqrt(1 + constant * constant);
  dppair_status status = DPPAIR_OK;
  for (i = 0; i < n && status == DPPAIR_OK; i++, u += m) {
    memcpy(u, z + i * d, d * sizeof *u);
    status = dppair_project_l2_f64(u, d, radius);
    for (j = 0; j < d; j++) u[j] /= unit;
    if (constant > 0) u[d] = constant * radius / unit;
    if (status == DPPAIR_OK) status = dppair_project_l2_f64(u, m, 1);
  }
  return status;
}

static dppair_status release_maps(moment_rows *r, feature_map *maps, spending *s) {
  const int pure = !(s->t->delta > 0);
  const double whole = r->left, first = whole * (pure ? maps_share[1] : sqrt(maps_share[0]));
  double rate;
  r->left = pure ? whole - first : whole * sqrt(1 - maps_share[0]);
  r->left *= 1 - 8 * DBL_EPSILON;
  return marginals_release(maps, &rate, s, first);
}

dppair_status moment_rows_take(moment_rows *r, model *out, moment_source source, double constant,
                               spending *s) {
  const task *t = s->t;
  const size_t n = t->train.n, d = t->train.d, maps = source == FROM_MAPS ? d * MAP_SIZE : 0;
  double *mapped = NULL, radius = task_radius(t);
  const double *z = t->train.x;
  dppair_status status = DPPAIR_OK;
  memset(r, 0, sizeof *r);
  r->n = n;
  r->m = d + (constant > 0);
  r->left = t->epsilon;
  if (r->m > SOLVER_COLUMNS) return DPPAIR_ERR_SIZE;
  if (t->delta > 0) status = task_mu(&r->left, t);
  if (status == DPPAIR_OK) status = model_allocate(out, d, maps + d);
  if (status == DPPAIR_OK && (r->u = malloc(n * r->m * sizeof *r->u)) == NULL)
    status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) r->w = out->theta + maps;
  if (status == DPPAIR_OK && source == FROM_MAPS) {
    feature_map *const map = (feature_map *)(void *)out->theta;
    out->score = score_mapped;
    out->print = print_mapped;
    if ((z = mapped = malloc(n * d * sizeof *mapped)) == NULL) return DPPAIR_ERR_OVERFLOW;
    status = release_maps(r, map, s);
    out->steps = 1;
    if (status == DPPAIR_OK) maps_apply(mapped, map, &t->train);
    radius = clip * maps_length(map, d);
  }
  if (status == DPPAIR_OK) status = moment_rows_make(r->u, z, n, d, radius, constant);
  out->steps++;
  free(mapped);
  return status;
}

/* --- sums ------------------------------------------------------------------------------------- */

void moments_first(double *v, const double *weight, const double *u, size_t n, size_t m) {
  size_t i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) v[j] += weight[i] * u[i * m + j];
}

void moments_second(double *v, const double *u, size_t n, size_t m) {
  size_t i, j, k;
  for (i = 0; i < n; i++, u += m) {
    double *at = v;
    for (j = 0; j < m; j++)
      for (k = j; k < m; k++) *at++ += MOMENT_SCALE * (j == k ? 1 : sqrt(2.0)) * u[j] * u[k];
  }
}

double moments_rounding(size_t n) { return (double)n * (double)(n + 8) * DBL_EPSILON; }

void moments_unpack(double *a, const double *v, size_t m, double ridge) {
  size_t j, k;
  for (j = 0; j < m; j++)
    for (k = j; k < m; k++) {
      a[k * m + j] = *v++ / MOMENT_SCALE / (j == k ? 1 : sqrt(2.0));
      if (j == k) a[k * m + j] += ridge;
    }
}

dppair_status moments_solve(double *x, const double *v, size_t m, double ridge) {
  double *a = malloc(m * m * sizeof *a);
  size_t tries;
  int ok = 0;
  if (a == NULL) return DPPAIR_ERR_OVERFLOW;
  for (tries = 0; tries < 60 && !ok; tries++, ridge *= 2) {
    moments_unpack(a, v, m, ridge);
    ok = dppair_cholesky_f64(a, m) == DPPAIR_OK;
  }
  if (ok) dppair_cholesky_solve_f64(x, a, m);
  free(a);
  return ok ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}
