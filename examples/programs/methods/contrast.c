/* SPDX-License-Identifier: MIT */
/*
 * infonce: a metric, by descent on the InfoNCE loss of groups of g records. With s_ij = -(x_i -
 * x_j)^T W (x_i - x_j), a group has the mean, over those of its records that are not alone with
 * their label, of
 *
 *   -ln( sum over j != i with y_j = y_i of e^s_ij / sum over j != i of e^s_ij ).
 *
 * Whatever its gradient is, it is clipped to C, so one record moves the mean over b groups by 2
 * C/b. A step draws g b of the n records and puts them at random into groups, which is charged as
 * such (DPPAIR_MATCHING with a group of g).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/measures.h"

/* --- groups ----------------------------------------------------------------------------------- */

enum { GROUP = 8 };

typedef struct contrast {
  const task *t;
  size_t n, d, coordinates, groups; /* groups: of a batch */
  double radius, clip, ball, eta;
  double *x, *w, *full, *packed, *mean; /* rows; W and a gradient, d x d; in coordinates, twice */
  double *memory;
  size_t *index;
  size_t room_bytes;
  void *room;
} contrast;

/* s_ij, and x_i - x_j in v. */
static double similarity(double *v, const contrast *r, size_t i, size_t j) {
  const size_t d = r->d;
  double sum = 0;
  size_t a, b;
  for (a = 0; a < d; a++) v[a] = r->x[i * d + a] - r->x[j * d + a];
  for (a = 0; a < d; a++)
    for (b = 0; b < d; b++) sum -= v[a] * r->w[a * d + b] * v[b];
  return sum;
}

/* Adds c (x_i - x_j)(x_i - x_j)^T to the gradient. */
static void add_outer(contrast *r, size_t i, size_t j, double c) {
  const size_t d = r->d;
  const double *one = r->x + i * d, *two = r->x + j * d;
  size_t a, b;
  for (a = 0; a < d; a++)
    for (b = 0; b < d; b++) r->full[a * d + b] += c * (one[a] - two[a]) * (one[b] - two[b]);
}

/* c[j] = the derivative of anchor i's loss by -s_ij; 0 of an anchor that is alone with its label.
 */
static int anchor(double c[GROUP], const double s[GROUP], const double *y, const size_t *index,
                  size_t i) {
  double top = -HUGE_VAL, top_same = -HUGE_VAL, all = 0, same = 0;
  size_t j;
  for (j = 0; j < GROUP; j++) {
    if (j != i) top = fmax(top, s[j]);
    if (j != i && y[index[j]] * y[index[i]] > 0) top_same = fmax(top_same, s[j]);
  }
  if (!(top_same > -HUGE_VAL)) return 0;
  for (j = 0; j < GROUP; j++) {
    if (j != i) all += exp(s[j] - top);
    if (j != i && y[index[j]] * y[index[i]] > 0) same += exp(s[j] - top_same);
  }
  for (j = 0; j < GROUP; j++) {
    c[j] = j != i ? -exp(s[j] - top) / all : 0;
    if (j != i && y[index[j]] * y[index[i]] > 0) c[j] += exp(s[j] - top_same) / same;
  }
  return 1;
}

/* Adds the gradient of one group, no longer than the clip whatever the records are. */
static void add_group(contrast *r, const size_t *index) {
  double c[GROUP], s[GROUP], weight = 0, norm;
  size_t i, j, k;
  memset(r->full, 0, r->d * r->d * sizeof *r->full);
  for (i = 0; i < GROUP; i++) {
    for (j = 0; j < GROUP; j++) s[j] = j != i ? similarity(r->packed, r, index[i], index[j]) : 0;
    if (!anchor(c, s, r->t->train.y, index, i)) continue;
    weight++;
    for (j = 0; j < GROUP; j++)
      if (j != i) add_outer(r, index[i], index[j], c[j]);
  }
  if (!(weight > 0)) return;
  dppair_symmetric_pack_f64(r->packed, r->full, r->d);
  for (k = 0; k < r->coordinates; k++) r->packed[k] /= weight;
  norm = dppair_norm_f64(r->packed, r->coordinates) * (1 + 1e-9);
  if (!dppair_isfinite_f64(norm)) return;
  for (k = 0; k < r->coordinates; k++)
    r->mean[k] += r->packed[k] * (norm > r->clip ? r->clip / norm : 1) / (double)r->groups;
}

/* One release of a batch's mean, and a step. */
static dppair_status group_step(contrast *r, spending *s, double move) {
  dppair_batch drawn;
  size_t k;
  dppair_status status = dppair_release_draw(&drawn, r->index, r->n, &s->release);
  if (status != DPPAIR_OK) return status;
  memset(r->mean, 0, r->coordinates * sizeof *r->mean);
  for (k = 0; k < r->groups; k++) add_group(r, r->index + GROUP * k);
  status = spend_on(r->mean, r->coordinates, move, s);
  if (status != DPPAIR_OK) return status;
  dppair_symmetric_unpack_f64(r->full, r->mean, r->d);
  for (k = 0; k < r->d * r->d; k++) r->w[k] -= r->eta * r->full[k];
  return dppair_project_psd_frobenius_f64(r->w, r->d, r->ball, r->room, r->room_bytes);
}

static dppair_status contrast_open(contrast *r, const task *t) {
  const size_t n = t->train.n, d = t->train.d, p = d * (d + 1) / 2;
  dppair_status status;
  memset(r, 0, sizeof *r);
  r->t = t;
  r->n = n;
  r->d = d;
  r->coordinates = p;
  if (n < GROUP) return DPPAIR_ERR_SIZE;
  r->radius = task_radius(t);
  r->clip = 0.5 * r->radius * r->radius;
  r->ball = t->with.param_radius > 0 ? t->with.param_radius
                                     : 8 * sqrt((double)d) / (r->radius * r->radius);
  r->groups = n / (4 * GROUP) > 0 ? n / (4 * GROUP) : 1;
  status = dppair_project_workspace(&r->room_bytes, d);
  if (status != DPPAIR_OK) return status;
  r->memory = working_get(n * d + 2 * d * d + 2 * (p + d), sizeof *r->memory);
  r->index = working_get(1, n * sizeof *r->index);
  r->room = working_get(1, r->room_bytes);
  if (r->memory == NULL || r->index == NULL || r->room == NULL) return DPPAIR_ERR_OVERFLOW;
  r->x = r->memory;
  r->w = r->x + n * d;
  r->full = r->w + d * d;
  r->packed = r->full + d * d;
  r->mean = r->packed + p + d;
  status = metric_start(r->w, t);
  return status == DPPAIR_OK ? rows_clip(r->x, &t->train, NULL, r->radius) : status;
}

static void contrast_close(contrast *r) {
  working_free(r->memory);
  working_free(r->index);
  working_free(r->room);
}

/* Steps and step size from public numbers; move is the sensitivity. */
static void contrast_plan(size_t *steps, contrast *r) {
  const settings *with = &r->t->with;
  *steps = with->steps > 0 ? with->steps : 20;
  r->eta = with->step_size > 0 ? with->step_size : 0.2 / pow(r->radius, 4);
}

static dppair_status train_infonce(model *out, const task *t) {
  const dppair_sampling drawn = dppair_sampling_groups(
      t->train.n, GROUP * (t->train.n / (4 * GROUP) > 0 ? t->train.n / (4 * GROUP) : 1), GROUP,
      DPPAIR_REPLACE_ONE);
  contrast r;
  spending s;
  double move;
  size_t k;
  dppair_status status = contrast_open(&r, t);
  if (status == DPPAIR_OK) status = dppair_sensitivity_groups(&move, r.clip, &drawn, 0);
  if (status == DPPAIR_OK) status = spending_begin(&s, t);
  if (status == DPPAIR_OK) {
    contrast_plan(&out->steps, &r);
    move *= 1 + 1e-9; /* of b sums of at most C each */
    status = spend_batches(&s, out->steps, drawn);
    for (k = 0; k < out->steps && status == DPPAIR_OK; k++) status = group_step(&r, &s, move);
    if (status == DPPAIR_OK) status = model_allocate(out, r.d, r.d * r.d);
    if (status == DPPAIR_OK) status = spend_claim(out, &s);
    spending_end(&s);
  }
  if (status == DPPAIR_OK) memcpy(out->theta, r.w, r.d * r.d * sizeof *r.w);
  out->radius = r.radius;
  note(out, "%zu groups of %d records a step, each clipped to %.3g. ", r.groups, GROUP, r.clip);
  contrast_close(&r);
  return status;
}

const method method_infonce_metric = {
    "infonce",
    "InfoNCE loss of random groups of 8 records, each group clipped",
    "the metric, one symmetric matrix; every iterate on the way to it",
    OFFERS_STEPS | OFFERS_STEP_SIZE | OFFERS_RADIUS | OFFERS_PARAM_RADIUS | NEEDS_CUBES,
    0,
    train_infonce};
