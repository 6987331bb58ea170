/* SPDX-License-Identifier: MIT */
#include "methods/marginals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_auto.h"

void columns_declared(dppair_column *columns, const feature *features, size_t d) {
  size_t j;
  memset(columns, 0, d * sizeof *columns);
  for (j = 0; j < d; j++) {
    const feature *f = &features[j];
    columns[j].kind = f->kind == KIND_NUMERIC ? DPPAIR_COLUMN_NUMERIC
                      : f->kind == KIND_GROUP ? DPPAIR_COLUMN_GROUP
                                              : DPPAIR_COLUMN_FLAG;
    if (f->kind == KIND_NUMERIC) columns[j].low = f->low, columns[j].high = f->high;
    if (f->kind == KIND_GROUP) columns[j].group = (size_t)f->group;
  }
}

/* What dppair_auto.h chooses for its first release, without polynomials, and at a budget of which
 * this is a fit's share. */
static dppair_status choose(dppair_auto_room_ *r, const task *t, double budget) {
  const dppair_marginals plain = {r->columns, r->d, DPPAIR_CELLS_SIDE, 0, 0, 0};
  const int pure = !(t->delta > 0);
  double l2, l1;
  size_t j, numeric = 0;
  dppair_status status =
      dppair_marginals_sensitivity(&l2, &l1, &plain, DPPAIR_REPLACE_ONE, r->work, r->bytes);
  for (j = 0; j < r->d; j++) numeric += r->columns[j].kind == DPPAIR_COLUMN_NUMERIC;
  dppair_auto_choose_(&r->c, budget / (pure ? .35 : sqrt(.25)), pure, r->n, r->d, numeric, l1);
  r->c.degrees = 1;
  return status;
}

static dppair_status release_maps(feature_map *maps, double *rate, spending *s, double budget,
                                  dppair_auto_room_ *r) {
  size_t j;
  dppair_status status = choose(r, s->t, budget);
  if (status == DPPAIR_OK) status = spend_part(s, 1, budget, 1);
  if (status == DPPAIR_OK) status = dppair_auto_marginals_(r, &s->release);
  if (status == DPPAIR_OK) status = dppair_auto_columns_(r, rate);
  for (j = 0; j < r->d && status == DPPAIR_OK; j++) {
    const dppair_auto_column_ *c = &r->column[j];
    maps[j].knots = (double)c->knots;
    maps[j].square = c->square[0];
    memcpy(maps[j].at, c->at, c->knots * sizeof *c->at);
    memcpy(maps[j].z, c->z[0], c->knots * sizeof *c->at);
  }
  return status;
}

dppair_status marginals_release(feature_map *maps, double *rate, spending *s, double budget) {
  const records *train = &s->t->train;
  const size_t d = train->d;
  dppair_column *columns = malloc(d * sizeof *columns);
  dppair_auto_map *warned = malloc(d * sizeof *warned); /* what the columns warn of: not asked */
  dppair_auto_room_ r;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  size_t bytes;
  char *room = NULL;
  memset(&r, 0, sizeof r);
  memset(maps, 0, d * sizeof *maps);
  *rate = .5;
  if (columns != NULL && warned != NULL) {
    columns_declared(columns, s->t->features, d);
    bytes = dppair_auto_take_(&r, NULL, 1, d, columns); /* for the rows of one record */
    room = malloc(bytes);
  }
  if (room != NULL) {
    (void)dppair_auto_take_(&r, dppair_align_(room), 1, d, columns);
    r.x = train->raw, r.y = train->y, r.n = train->n, r.d = d, r.columns = columns;
    r.map = warned;
    status = release_maps(maps, rate, s, budget, &r);
  }
  free(room);
  free(warned);
  free(columns);
  return status;
}

double map_apply(const feature_map *m, double x) {
  size_t piece;
  const double part = dppair_knots_find(&piece, m->at, (size_t)m->knots, x);
  return dppair_knots_between(m->z, (size_t)m->knots, piece, part);
}

void maps_apply(double *z, const feature_map *maps, const records *rows) {
  size_t i, j, d = rows->d;
  for (i = 0; i < rows->n; i++)
    for (j = 0; j < d; j++) z[i * d + j] = map_apply(&maps[j], rows->raw[i * d + j]);
}

double maps_length(const feature_map *maps, size_t d) {
  double sum = 0;
  size_t j;
  for (j = 0; j < d; j++) sum += maps[j].square;
  return sqrt(fmax(sum, 0.05));
}

void map_print(FILE *file, const feature_map *m) {
  const size_t n = (size_t)m->knots;
  size_t k;
  (void)fputs("\"at\": [", file);
  for (k = 0; k < n; k++) (void)fprintf(file, "%s%.17g", k > 0 ? ", " : "", m->at[k]);
  (void)fputs("], \"z\": [", file);
  for (k = 0; k < n; k++) (void)fprintf(file, "%s%.17g", k > 0 ? ", " : "", m->z[k]);
  (void)fputs("]", file);
}
