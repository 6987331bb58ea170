/* SPDX-License-Identifier: MIT */
/* auto: the ranking score of dppair_auto.h as a method; modules/auto/fit.h has the proof. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"
#include "dppair_auto.h"

enum { MAP_SIZE = sizeof(dppair_auto_map) / sizeof(double) };

/* The released numbers are the maps, and behind them the figures. */
static dppair_auto_model fitted_of(const model *m) {
  dppair_auto_model fitted;
  memcpy(&fitted, m->theta + m->d * MAP_SIZE, sizeof fitted);
  fitted.map = (dppair_auto_map *)(void *)m->theta;
  return fitted;
}

static void score(double *s, const model *m, const records *rows) {
  const dppair_auto_model fitted = fitted_of(m);
  if (dppair_auto_score(s, &fitted, rows->raw, rows->n) != DPPAIR_OK)
    memset(s, 0, rows->n * sizeof *s);
}

static int print(FILE *file, const model *m, const feature *features) {
  dppair_auto_model fitted = fitted_of(m);
  const char **names = malloc(m->d * sizeof *names);
  char *text = NULL;
  size_t j, length = 0;
  int ok = 0;
  if (!dppair_isfinite_f64(m->epsilon)) fitted.epsilon = 1e280; /* nothing is promised */
  for (j = 0; j < m->d && names != NULL; j++) names[j] = features != NULL ? features[j].name : "";
  if (names != NULL && dppair_auto_write(NULL, 0, &length, &fitted, names) == DPPAIR_ERR_WORKSPACE)
    text = malloc(length + 1);
  if (text != NULL && dppair_auto_write(text, length + 1, &length, &fitted, names) == DPPAIR_OK)
    ok = fputs(text, file) >= 0;
  free(text);
  free(names);
  return ok;
}

static dppair_column column_of(const feature *f) {
  dppair_column c;
  memset(&c, 0, sizeof c);
  c.kind = f->kind == KIND_NUMERIC ? DPPAIR_COLUMN_NUMERIC
           : f->kind == KIND_FLAG  ? DPPAIR_COLUMN_FLAG
                                   : DPPAIR_COLUMN_GROUP;
  c.by_class = f->kind == KIND_NUMERIC && f->by_class;
  if (f->kind == KIND_GROUP) c.group = (size_t)f->group;
  if (f->kind == KIND_NUMERIC) {
    c.low = f->low;
    c.high = f->high;
  }
  return c;
}

/* Appends " WARNING: columns 'a', 'b' and 3 more: ..." for one bit. */
static void warn(model *out, const dppair_auto_model *f, const feature *features, unsigned bit) {
  size_t j, met = 0;
  note(out, " WARNING: ");
  for (j = 0; j < f->d; j++)
    if (f->map[j].warnings & bit && met++ < 3)
      note(out, "%s'%.40s'", met > 1 ? ", " : "column ", features[j].name);
  if (met > 3) note(out, " and %zu more", met - 3);
  note(out, "%s%s.", met > 0 ? ": " : "", dppair_auto_warning_string(bit));
}

/* The sentences of the note. */
static void explain(model *out, const dppair_auto_model *f, const feature *features) {
  static const char *const routes[] = {"", "one vector on the declared ranges", "one vector",
                                       "a perturbed fit"};
  const char *what = f->delta > 0 ? "mu" : "epsilon";
  unsigned bit;
  note(out, "rho = %.3g; %s = %.4g for the columns, %s = %.4g for the weights: %s.", f->rho, what,
       f->marginals, what, f->weights, routes[f->route]);
  for (bit = 1; bit < DPPAIR_AUTO_DELTA; bit *= 2) /* of delta the programs warn for all methods */
    if (f->warnings & bit) warn(out, f, features, bit);
}

/* fit on an account and with keys of the run. Without noise: the largest budget there is. */
static dppair_status fit(dppair_auto_model *fitted, spending *s, const dppair_column *columns) {
  const task *t = s->t;
  const dppair_plan none = {0};
  dppair_plan plan = none;
  uint8_t bytes[48];
  const dppair_release_keys keys = {bytes, bytes + 32};
  size_t size;
  void *work = NULL;
  dppair_status status = dppair_rng_bytes(bytes, sizeof bytes, t->noise);
  plan.epsilon = t->with.noiseless ? EPSILON_MOST : t->epsilon;
  plan.delta = t->delta;
  plan.sampling = dppair_sampling_all(t->train.n, DPPAIR_REPLACE_ONE);
  if (status == DPPAIR_OK) status = dppair_auto_workspace(&size, t->train.n, t->train.d, columns);
  if (status == DPPAIR_OK && (work = malloc(size)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = dppair_auto_fit(fitted, &s->account, &plan, &keys, t->train.raw, t->train.y,
                             t->train.n, t->train.d, columns, work, size);
  dppair_wipe(bytes, sizeof bytes);
  free(work);
  return status;
}

static dppair_status train(model *out, const task *t) {
  const size_t d = t->train.d;
  const size_t figures = (sizeof(dppair_auto_model) + sizeof(double) - 1) / sizeof(double);
  dppair_column *columns = malloc(d * sizeof *columns);
  dppair_auto_model fitted;
  spending s;
  size_t j;
  dppair_status status = spending_begin(&s, t);
  if (status == DPPAIR_OK)
    status = columns == NULL ? DPPAIR_ERR_OVERFLOW : model_allocate(out, d, d * MAP_SIZE + figures);
  for (j = 0; j < d && status == DPPAIR_OK; j++) columns[j] = column_of(&t->features[j]);
  fitted.map = (dppair_auto_map *)(void *)out->theta;
  if (status == DPPAIR_OK) status = fit(&fitted, &s, columns);
  if (status == DPPAIR_OK) {
    explain(out, &fitted, t->features);
    fitted.map = NULL; /* an address is no released number */
    memcpy(out->theta + d * MAP_SIZE, &fitted, sizeof fitted);
    out->score = score;
    out->print = print;
    out->steps = 2;
    status = spend_claim(out, &s);
    out->sigma = 1 / fitted.weights; /* of release 2, in units of what a record moves */
  }
  free(columns);
  spending_end(&s);
  return status;
}

extern const method method_declared;

/* Maps that are declared need not be released: then all of the budget goes into the weights. */
static dppair_status train_any(model *out, const task *t) {
  return t->scale == SCALE_MAPS ? method_declared.train(out, t) : train(out, t);
}

const method method_auto = {
    "auto",
    "private marginals, maps with bends, weights by one vector or a perturbed fit",
    "one piecewise linear function of every column, and with it the histogram estimates and weights",
    OFFERS_PURE | OFFERS_BY_CLASS,
    1,
    train_any};
