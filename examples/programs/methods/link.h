/* SPDX-License-Identifier: MIT */
/*
 * link.h - one link function's pair sums, compiled: the body of each link_NAME.c.
 *
 *   #define LINK logistic          the library's name of it
 *   #define LINK_SPELLED "logistic"     what --loss calls it
 *   #define LINK_METRIC 1          whether metrics can be learnt with it
 *   #define LINK_GROUPS 1          whether users and queries are compiled with it
 *   #include "methods/link.h"
 *
 * makes pair_link_logistic. Each link is a file of its own because its sums are most of what there
 * is to compile, and so all processors can take part.
 */
#include "methods/links.h"

#define LINK_GLUE_(a, b) a##b
#define LINK_GLUE(a, b) LINK_GLUE_(a, b)

#include "dppair_metric.h"
#include "dppair_pointwise.h"
#include "dppair_scale.h"
#define DPPAIR_NAME pair
#define DPPAIR_WEIGHTS LINK_GROUPS
#define DPPAIR_REAL double
#define DPPAIR_LOSS LINK_GLUE(dppair_, LINK)
#include "dppair.h"

/* The template's functions are inline: to have an address they are wrapped. */
static dppair_status coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                            size_t nn) {
  return pair_coeffs(a, b, sp, np, sn, nn, NULL);
}

static dppair_status fast(double *a, double *b, const double *sp, size_t np, const double *sn,
                          size_t nn, const dppair_fast *f) {
  return pair_coeffs_fast(a, b, sp, np, sn, nn, NULL, f);
}

static dppair_status fast_size(size_t *bytes, size_t n, double cap) {
  return pair_fast_workspace(bytes, n, DPPAIR_ACCURACY_1E12, cap, NULL);
}

static dppair_status fast_init(dppair_fast *f, size_t n, double cap, double *room, size_t bytes) {
  return pair_fast_init(f, n, DPPAIR_ACCURACY_1E12, cap, NULL, room, bytes);
}

static dppair_status allowance(double *factor, double *rounding, const dppair_fast *f, size_t n,
                               double radius, double slope) {
  return pair_allowance(factor, rounding, f, n, radius, slope);
}

static dppair_status release(double *g, dppair_release *r, const dppair_rows_f64 *rows,
                             const double *w, const dppair_options *options) {
  return pair_release(g, r, rows, w, options);
}

static dppair_status workspace(size_t *bytes, size_t n, size_t d, const dppair_options *options) {
  return pair_workspace(bytes, n, d, options);
}

static dppair_status explain(dppair_explained *e, const dppair_release *r,
                             const dppair_rows_f64 *rows, const double *w,
                             const dppair_options *options) {
  return pair_release_explain(e, r, rows, w, options);
}

static dppair_status pointwise(double *g, dppair_release *r, const dppair_rows_f64 *rows,
                               const double *w, const dppair_histogram *h, double clip,
                               const dppair_options *options) {
  return pair_release_pointwise(g, r, rows, w, h, clip, options);
}

/* --- the same from chunks of rows -------------------------------------------------------------- */

static dppair_status sums_size(size_t *bytes, size_t n, double cap) {
  return pair_sums_workspace(bytes, n, DPPAIR_ACCURACY_1E12, cap, NULL);
}

static dppair_status sums_init(dppair_fast *f, size_t n, double cap, void *room, size_t bytes) {
  return pair_sums_init(f, n, DPPAIR_ACCURACY_1E12, cap, NULL, room, bytes);
}

static dppair_status chunk_rooms(size_t *moments, size_t *work, size_t d, const dppair_options *options) {
  const dppair_status status = pair_sketch_workspace(moments, options->fast);
  return status == DPPAIR_OK ? pair_chunk_workspace(work, d, options) : status;
}

static dppair_status chunk_open(dppair_sketch *m, void *room, size_t bytes,
                                const dppair_options *options) {
  return pair_sketch_open(m, options->fast, room, bytes);
}

static dppair_status chunk_moments(dppair_sketch *m, const dppair_rows_f64 *rows, const double *w,
                                   const dppair_options *options) {
  return pair_chunk_sketch(m, rows, w, options);
}

static dppair_status chunk_finish(dppair_sketch *m, const dppair_options *options) {
  return pair_sketch_finish(m, options->params, options->fast);
}

static dppair_status chunk_sum_open(dppair_sum *sum, size_t d, double radius,
                                    const dppair_options *options, void *room, size_t bytes) {
  return pair_sum_open(sum, d, radius, options, room, bytes);
}

static dppair_status chunk_sum(dppair_sum *sum, const dppair_rows_f64 *rows, const double *w,
                               const dppair_sketch *m, const dppair_options *options) {
  return pair_chunk_sum(sum, rows, w, m, options);
}

static dppair_status chunk_release(double *g, dppair_release *r, const dppair_sum *sum,
                                   const double *w, const dppair_options *options) {
  return pair_release_sum(g, r, sum, w, options);
}

#if LINK_METRIC
static dppair_rows_f64 labelled(const double *x, const double *y, size_t n, size_t d) {
  dppair_rows_f64 rows = dppair_rows_make_f64(x, n, d, d);
  rows.y = y;
  return rows;
}

static dppair_status metric(double *g, const double *x, const double *y, size_t n, size_t d,
                            const double *w, double offset, void *room, size_t bytes) {
  const dppair_rows_f64 rows = labelled(x, y, n, d);
  const dppair_options options = {NULL, 0, NULL, NULL, room, bytes, NULL};
  return pair_form_gradient(g, DPPAIR_FORM_METRIC, &rows, w, d, offset, &options);
}

static dppair_status metric_risk(double *risk, const double *x, const double *y, size_t n, size_t d,
                                 const double *w, double offset, void *room, size_t bytes) {
  const dppair_rows_f64 rows = labelled(x, y, n, d);
  const dppair_options options = {NULL, 0, NULL, NULL, room, bytes, NULL};
  return pair_form_risk_not_private(risk, DPPAIR_FORM_METRIC, &rows, w, d, offset, &options);
}

static dppair_status metric_room(size_t *bytes, size_t n, size_t d) {
  return pair_form_workspace(bytes, n, d, d, NULL);
}

static dppair_status metric_error(double *error, size_t n, size_t d, double radius, double slope) {
  return pair_form_error(error, n, d, radius, slope, 1);
}
#define LINK_METRICS metric, metric_risk, metric_room, metric_error
#else
#define LINK_METRICS NULL, NULL, NULL, NULL
#endif

const pair_link LINK_GLUE(pair_link_, LINK) = {LINK_SPELLED, LINK_GLUE(DPPAIR_LOSS_, LINK),
                                               coeffs,       fast,
                                               fast_size,    fast_init,
                                               allowance,    release,
                                               workspace,    explain,
                                               pointwise,
                                               {sums_size, sums_init, chunk_rooms, chunk_open,
                                                chunk_moments, chunk_finish, chunk_sum_open,
                                                chunk_sum, chunk_release},
                                               LINK_METRICS};
