/* SPDX-License-Identifier: MIT */
/*
 * gd-records: what protecting persons costs without weights, for comparison.
 *
 * The descent of gd over all pairs of records, of which a person keeps at most K (settings.owned),
 * the first that are met; all K may be replaced. Any pair of records counts the same, so one
 * person's records move the mean by T(n, K)/(n - 1) times as much as one record does, about K times
 * (dppair_sensitivity_users, attained), and the noise is that for 1/K of the budget.
 *
 * How many records there are is taken for public here, so this is no release: gd is.
 */
#include <stdlib.h>
#include <string.h>

#include "methods/pairs.h"

/* The records that are kept, without persons. */
static dppair_status keep(records *out, double **memory, const task *t) {
  const records *all = &t->train;
  const size_t d = all->d;
  size_t i, n = 0, *met = calloc(all->groups + 1, sizeof *met);
  double *x = malloc((all->n * (d + 1)) * sizeof *x), *y = x + all->n * d;
  if (met == NULL || x == NULL) {
    free(met);
    free(x);
    return DPPAIR_ERR_OVERFLOW;
  }
  for (i = 0; i < all->n; i++) {
    if (met[all->group[i]]++ >= t->with.owned) continue;
    memcpy(x + n * d, all->x + i * d, d * sizeof *x);
    y[n++] = all->y[i];
  }
  free(met);
  memset(out, 0, sizeof *out);
  out->n = n;
  out->d = d;
  out->x = out->raw = *memory = x;
  out->y = y;
  return DPPAIR_OK;
}

static dppair_status train(model *out, const task *t) {
  dppair_pair_unit unit;
  task alone = *t;
  spending spent;
  double *memory = NULL, mu, persons = 0, record = 0;
  dppair_status status = t->with.owned > 0 ? keep(&alone.train, &memory, t) : DPPAIR_ERR_RATE;
  memset(&unit, 0, sizeof unit);
  unit.levels = DPPAIR_LEVELS_TWO;
  unit.unit = 1;
  alone.adjacency = DPPAIR_REPLACE_ONE;
  if (status == DPPAIR_OK && alone.train.n < 4) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK)
    status = dppair_sensitivity_users(&persons, &unit, alone.train.n,
                                      t->with.owned < alone.train.n ? t->with.owned : alone.train.n,
                                      DPPAIR_REPLACE_PERSON);
  if (status == DPPAIR_OK)
    status = dppair_sensitivity_users(&record, &unit, alone.train.n, 1, DPPAIR_REPLACE_PERSON);
  if (status == DPPAIR_OK) status = task_mu(&mu, t);
  if (status == DPPAIR_OK) status = spending_begin(&spent, &alone);
  if (status == DPPAIR_OK) {
    status = gd_train(out, &spent, &alone, mu * record / persons);
    out->sigma = spent.release.sigma;
    spending_end(&spent);
  }
  if (status == DPPAIR_OK) {
    claim(out, t->with.noiseless ? HUGE_VAL : t->epsilon, 0);
    note(out,
         "%zu records of %zu are kept, at most %zu of a person, who moves what one record would, "
         "%.4g times; how many there are is taken for public. ",
         alone.train.n, t->train.n, t->with.owned, persons / record);
  }
  free(memory);
  return status;
}

const method method_gd_records = {
    "gd-records",
    "gd over all pairs of at most --owned K records of a person: for comparison, no release",
    "the weights, one number per feature; every iterate on the way to them",
    OFFERS_DESCENT | OFFERS_PARAM_RADIUS | OFFERS_PERSONS | NEEDS_OWNED,
    0,
    train};
