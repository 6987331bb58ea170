/* SPDX-License-Identifier: MIT */
/*
 * auto: a ranking scorer that needs only declared ranges, with everything charged.
 *
 *   score(x) = sum_j w_j z_j(x_j)
 *
 * Two releases and no choice that looks at data: (1) private marginals give the maps z_j and a
 * radius (marginals.h); (2) the weights, by one noisy vector when the budget is small against the
 * number of columns, by objective perturbation otherwise (weights.h). Release 1 is mu1-GDP;
 * release 2 is proved for every output of release 1; together (epsilon, delta), for one replaced
 * record. For delta = 0 the two shares of epsilon add.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dppair.h"
#include "methods/marginals.h"
#include "methods/weights.h"
#include "support/report.h"

/* Fixed numbers; none depends on the data. */
static const double marginals_share[2] = {.25, .4}; /* of mu^2; for delta = 0 of epsilon      */
static const double clip = .65; /* rows are clipped to this times a typical mapped row's length */

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
    (void)fprintf(file, "%s\n    {\"name\": ", j > 0 ? "," : "");
    json_text(file, features != NULL ? features[j].name : "");
    (void)fprintf(file, ", \"weight\": %.17g, ", w[j]);
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

static dppair_status first_budget(double *first, const task *t) {
  dppair_status status;
  *first = marginals_share[1] * t->epsilon;
  if (!(t->delta > 0)) return DPPAIR_OK;
  status = task_mu(first, t);
  *first *= sqrt(marginals_share[0]);
  return status;
}

static dppair_status train(model *out, const task *t) {
  size_t n = t->train.n, d = t->train.d, i;
  double *z = malloc(n * d * sizeof *z), radius = 0, first, rate;
  feature_map *maps;
  weights_plan p;
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK) status = model_allocate(out, d, d * (MAP_SIZE + 1));
  if (z == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = first_budget(&first, t);
  if (status == DPPAIR_OK) status = weights_make_plan(&p, first, t);
  maps = (feature_map *)(void *)out->theta;
  if (status == DPPAIR_OK) status = marginals_release(maps, &rate, &s, first);
  if (status == DPPAIR_OK) {
    maps_apply(z, maps, &t->train);
    radius = clip * maps_length(maps, d);
  }
  for (i = 0; i < n && status == DPPAIR_OK; i++)
    status = dppair_project_l2_f64(z + i * d, d, radius);
  if (status == DPPAIR_OK)
    status = weights_release(out, out->theta + d * MAP_SIZE, z, radius, rate, &p, &s);
  if (status == DPPAIR_OK) {
    int used =
        snprintf(out->note, sizeof out->note,
                 "release 1, marginals: %s = %.4g; release 2: ", p.pure ? "epsilon" : "mu", first);
    if (used > 0) (void)weights_explain(out->note + used, sizeof out->note - (size_t)used, &p, t);
    out->score = score;
    out->print = print;
    out->steps = 2;
  }
  spending_end(&s);
  free(z);
  return status;
}

extern const method method_declared;

/* Maps that are declared need not be released: then all of the budget goes into the weights. */
static dppair_status train_any(model *out, const task *t) {
  return t->scale == SCALE_MAPS ? method_declared.train(out, t) : train(out, t);
}

const method method_auto = {
    "auto",
    "private marginals, monotone maps, weights by one vector or a perturbed fit",
    "the weights and, unless maps are declared, the histogram estimates of every column, as maps",
    OFFERS_PURE,
    1,
    train_any};
