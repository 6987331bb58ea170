/* SPDX-License-Identifier: MIT */
/*
 * maps-metric: distances between rows whose columns private marginals have made comparable.
 *
 *   D(x, x')^2 = c sum_j (z_j(x_j) - z_j(x'_j))^2
 *
 * The maps z_j and c come from one release of the histograms of all columns with the whole budget
 * (marginals.h); what follows is post-processing, so its guarantee is theirs. c makes the released
 * distribution's mean squared distance 1. Declared ranges that are wide for one column and narrow
 * for another distort the identity, not this metric; where they are comparable as they stand, maps
 * undo a scale that meant something.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/marginals.h"
#include "methods/measures.h"
#include "support/report.h"

enum { MAP_SIZE = sizeof(feature_map) / sizeof(double) };

/* theta: W, which is c times the identity, then the maps. */
static const feature_map *maps_of(const model *m) {
  return (const feature_map *)(const void *)(m->theta + m->d * m->d);
}

static void place(double *z, const model *m, const records *rows) {
  maps_apply(z, maps_of(m), rows);
}

static int print(FILE *file, const model *m, const feature *features) {
  const feature_map *maps = maps_of(m);
  size_t j;
  (void)fprintf(file,
                "{\"squared_distance\": \"factor * sum of squared differences of z\", "
                "\"factor\": %.17g, \"columns\": [",
                m->theta[0]);
  for (j = 0; j < m->d; j++) {
    (void)fprintf(file, "%s\n    {\"name\": ", j > 0 ? "," : "");
    json_text(file, features[j].name);
    (void)fputs(", ", file);
    map_print(file, &maps[j]);
    (void)fputs("}", file);
  }
  (void)fputs("\n  ]}", file);
  return 1;
}

static dppair_status train(model *out, const task *t) {
  size_t d = t->train.d, k;
  double whole = t->epsilon, rate;
  spending s;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK && d > SIZE_MAX / sizeof(double) / (d + MAP_SIZE))
    status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = model_allocate(out, d, d * (d + MAP_SIZE));
  if (status == DPPAIR_OK && t->delta > 0) status = task_mu(&whole, t);
  if (status == DPPAIR_OK) {
    feature_map *maps = (feature_map *)(void *)(out->theta + d * d);
    status = marginals_release(maps, &rate, &s, whole * (1 - 8 * DBL_EPSILON));
    if (status == DPPAIR_OK) status = spend_claim(out, &s);
    for (k = 0; k < d && status == DPPAIR_OK; k++) {
      const double length = maps_length(maps, d);
      out->theta[k * d + k] = 1 / (2 * length * length);
    }
  }
  out->radius = sqrt((double)d); /* of every mapped row at most */
  out->steps = 1;
  out->place = place;
  out->print = print;
  spending_end(&s);
  return status;
}

const method method_maps_metric = {
    "maps-metric",
    "Euclidean distance between columns mapped by private histograms",
    "the histogram estimates of every column, as maps",
    OFFERS_PURE | NEEDS_CUBES,
    1,
    train};
