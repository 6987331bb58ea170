/* SPDX-License-Identifier: MIT */
/*
 * auto: a ranking scorer that needs only declared ranges, with everything charged.
 *
 *   score(x) = sum_j w_j z_j(x_j)
 *
 * Two releases and no choice that looks at data: (1) private marginals give the maps z_j and a
 * radius (marginals.h); (2) the weights, by one noisy vector when the budget is small against the
 * number of columns, by objective perturbation otherwise (objective.h). Release 1 is mu1-GDP;
 * release 2 is proved for every output of release 1; together (epsilon, delta), for one replaced
 * record. For delta = 0 the two shares of epsilon add.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/marginals.h"
#include "methods/objective.h"

/* Fixed numbers; none depends on the data. */
typedef struct constants {
  double share;      /* of mu^2, or of epsilon, for the marginals                               */
  double clip;       /* rows are clipped to this times the length of a typical mapped row       */
  double one_vector; /* below this rho one vector is released, above it a minimiser             */
  double full;       /* rho at which the curvature is used in full, kappa = 1                   */
  double ratio, ratio_full; /* ridge over noise, for kappa < 1 and kappa = 1 */
  double intercept; /* the constant column, in units of the clip                               */
} constants;
static const constants fixed = {.25, .7, 20, 120, 4, 2, .3};

enum { MAP_SIZE = sizeof(feature_map) / sizeof(double) };

static void score(double *s, const model *m, const records *rows) {
  const feature_map *maps = (const feature_map *)(const void *)m->theta;
  const double *w = m->theta + m->d * MAP_SIZE;
  size_t i, j;
  for (i = 0; i < rows->n; i++)
    for (s[i] = 0, j = 0; j < m->d; j++)
      s[i] += w[j] * map_apply(&maps[j], rows->raw[i * m->d + j]);
}

static void print_numbers(FILE *file, const char *name, const double *v, size_t n) {
  size_t k;
  (void)fprintf(file, "\"%s\": [", name);
  for (k = 0; k < n; k++) (void)fprintf(file, "%s%.17g", k > 0 ? ", " : "", v[k]);
  (void)fputs("]", file);
}

static void print(FILE *file, const model *m, const feature *features) {
  const feature_map *maps = (const feature_map *)(const void *)m->theta;
  const double *w = m->theta + m->d * MAP_SIZE;
  size_t j;
  (void)fputs("{\"score\": \"sum of weight * z\", \"columns\": [", file);
  for (j = 0; j < m->d; j++) {
    (void)fprintf(file, "%s\n    {\"name\": \"%s\", \"weight\": %.17g, ", j > 0 ? "," : "",
                  features != NULL ? features[j].name : "", w[j]);
    if (maps[j].knots > 0) {
      (void)fprintf(file, "\"middle\": %.17g, \"half\": %.17g, ", maps[j].middle, maps[j].half);
      print_numbers(file, "at", maps[j].at, (size_t)maps[j].knots);
      (void)fputs(", ", file);
      print_numbers(file, "rank", maps[j].rank, (size_t)maps[j].knots);
    } else {
      (void)fprintf(file, "\"rate\": %.17g", maps[j].rate);
    }
    (void)fputs("}", file);
  }
  (void)fputs("\n  ]}", file);
}

/* What the public numbers decide. Budgets are mu, or epsilon when pure. */
typedef struct auto_plan {
  int pure;
  double whole, first, second, rho, kappa;
} auto_plan;

static dppair_status make_plan(auto_plan *p, const task *t) {
  double n = (double)t->train.n, d = (double)t->train.d;
  dppair_status status = DPPAIR_OK;
  p->pure = !(t->delta > 0);
  if (p->pure) {
    p->whole = t->epsilon;
    p->first = fixed.share * p->whole;
    p->second = p->whole - p->first;
    p->rho = n * p->second / d;
  } else {
    status = task_mu(&p->whole, t);
    p->first = sqrt(fixed.share) * p->whole;
    p->second = sqrt(1 - fixed.share) * p->whole * (1 - 4 * DBL_EPSILON);
    p->rho = n * p->second / sqrt(d);
  }
  p->kappa = p->rho < fixed.one_vector ? 0 : fmin(1, p->rho / fixed.full);
  return status;
}

/* w = mean of y z plus noise: |y z - y' z'| <= 2R. */
static dppair_status one_vector(model *out, double *w, const double *z, double radius,
                                const auto_plan *p, const task *t) {
  size_t n = t->train.n, d = t->train.d, i;
  double *c = malloc(n * sizeof *c), move = 2 * radius / (double)n;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (c == NULL) return status;
  for (i = 0; i < n; i++) c[i] = t->train.y[i] / (double)n;
  status = dppair_combine_f64(w, z, n, d, d, c);
  free(c);
  /* twice the rounding of the computed sum, (n + 8) 2^-53 R */
  move = (move + radius * (double)(n + 8) * DBL_EPSILON) * (1 + 16 * DBL_EPSILON);
  out->sigma = move / p->second;
  if (status != DPPAIR_OK) return status;
  return p->pure ? task_l2ball(w, d, out->sigma, t) : task_gaussian(w, d, out->sigma, t);
}

/* The minimiser over (w, intercept) of the perturbed objective; the intercept is dropped. */
static dppair_status fit(model *out, double *w, const double *z, double radius, const auto_plan *p,
                         const task *t) {
  size_t n = t->train.n, d = t->train.d, i, j;
  double *u = malloc(n * (d + 1) * sizeof *u), *full = calloc(d + 1, sizeof *full);
  double unit = radius * sqrt(1 + fixed.intercept * fixed.intercept);
  objective_plan how;
  dppair_status status =
      u == NULL || full == NULL
          ? DPPAIR_ERR_OVERFLOW
          : objective_calibrate(&how, p->pure ? p->second : t->epsilon, t->delta, p->first,
                                p->kappa, p->kappa < 1 ? fixed.ratio : fixed.ratio_full, n, d + 1);
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    double *row = u + i * (d + 1);
    for (j = 0; j < d; j++) row[j] = t->train.y[i] * z[i * d + j] / unit;
    row[d] = t->train.y[i] * fixed.intercept * radius / unit;
    status = dppair_project_l2_f64(row, d + 1, 1);
  }
  if (status == DPPAIR_OK) status = objective_release(full, &how, u, n, d + 1, t);
  if (status == DPPAIR_OK) {
    memcpy(w, full, d * sizeof *w);
    out->sigma = how.noise;
  }
  free(u);
  free(full);
  return status;
}

static void explain(model *out, const auto_plan *p, const task *t) {
  const char *unit = p->pure ? "epsilon" : "mu";
  int used = snprintf(
      out->note, sizeof out->note,
      "rho = %.3g; release 1, marginals: %s = %.4g; release 2, %s: %s = %.4g; together %s = %.4g.",
      p->rho, unit, p->first, p->kappa > 0 ? "objective perturbation" : "one vector", unit,
      p->second, unit, p->whole);
  if (used > 0 && p->rho < 10)
    (void)snprintf(
        out->note + used, sizeof out->note - (size_t)used,
        " WARNING: below rho = 10 the budget is too small for n = %zu records and d = %zu "
        "columns to learn much from.",
        t->train.n, t->train.d);
}

static dppair_status train(model *out, const task *t) {
  size_t n = t->train.n, d = t->train.d, i;
  double *z = malloc(n * d * sizeof *z), radius = 0, *w;
  auto_plan p;
  dppair_status status = model_allocate(out, d, d * (MAP_SIZE + 1));
  if (z == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = make_plan(&p, t);
  if (status == DPPAIR_OK)
    status = marginals_release((feature_map *)(void *)out->theta, t, p.first, p.pure);
  if (status == DPPAIR_OK) {
    out->score = score;
    out->print = print;
    out->steps = 2;
    out->epsilon = t->with.noiseless ? HUGE_VAL : t->epsilon;
    maps_apply(z, (const feature_map *)(const void *)out->theta, &t->train);
    radius = fixed.clip * maps_length((const feature_map *)(const void *)out->theta, d);
  }
  for (i = 0; i < n && status == DPPAIR_OK; i++)
    status = dppair_project_l2_f64(z + i * d, d, radius);
  if (status == DPPAIR_OK) {
    w = out->theta + d * MAP_SIZE;
    status = p.kappa > 0 ? fit(out, w, z, radius, &p, t) : one_vector(out, w, z, radius, &p, t);
    explain(out, &p, t);
  }
  free(z);
  return status;
}

const method method_auto = {
    "auto",
    "private marginals, monotone maps, weights by one vector or a perturbed fit",
    "the histogram estimates of every column, as maps, and the weights",
    1,
    1,
    train};
