/* SPDX-License-Identifier: MIT */
/*
 * Canaries for the methods of examples/programs/methods, whole trainings on worst-case neighbours.
 *
 * The number of a run is the logarithm of the ratio of the densities of all that the training
 * released, on D and on the neighbour: the run is made, what noise was added to and what came out
 * are recorded; then it is made on the other data set with the recorded outputs in place, which
 * tells what noise would have been added to there. With the centres c0, c1 of each release and its
 * output o, Gaussian noise adds (|o - c1|^2 - |o - c0|^2)/(2 sigma^2). Where slopes are at their
 * bound all the way, every |c0 - c1| is the same in all runs, and the sum is Gaussian: its mu is
 * known from the noise as released.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DPPAIR_WITH_L2BALL
#define DPPAIR_WITH_SHARES
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "canaries.h"

#include "methods/method.h"
#include "methods/weights.h"

#include "canaries_statistics.h"

extern const method method_gd, method_declared, method_one_vector, method_statistics,
    method_kang2021, method_dpgdsc, method_dpgdc2, method_dpegd, method_offpairstrc,
    method_offpairc, method_yang2021, method_niewang2017, method_niewang2017_pairs, method_dpsgd,
    method_bolton, method_filter, method_filter_pairs;

/* --- what a training released ----------------------------------------------------------------- */

enum { RELEASES = 256, NUMBERS = 1 << 14 };

typedef struct released {
  size_t n, at; /* `at`: where its numbers begin */
  double scale;
  char law; /* of the name: g, l, 2 */
} released;

static struct {
  released release[RELEASES];
  size_t releases, numbers, replayed;
  int replay; /* outputs are put in place, and centres of the other side are taken */
  double centre[2][NUMBERS], out[NUMBERS];
} tape;

static char law_of(const char *name) { return strcmp(name, "l2ball") == 0 ? '2' : name[0]; }

static int listen_replay(const dppair_event *event) {
  const released *r = &tape.release[tape.replayed];
  if (tape.replayed >= tape.releases || r->n != event->n || r->mechanism != law_of(event->name)) abort();
  memcpy(tape.centre[1] + r->at, event->values, event->n * sizeof(double));
  memcpy(event->values, tape.out + r->at, event->n * sizeof(double));
  tape.replayed++;
  return 1;
}

static int listen(struct dppair_event *told) {
  const dppair_event *event = told;
  released *r = &tape.release[tape.releases];
  if (event->kind == DPPAIR_EVENT_ADD && tape.replay) return listen_replay(event);
  if (event->kind != DPPAIR_EVENT_ADD && event->kind != DPPAIR_EVENT_ADDED) return 0;
  if (tape.replay) return 0;
  if (tape.releases >= RELEASES || tape.numbers + event->n > NUMBERS || event->width != 8) abort();
  r->at = tape.numbers;
  r->n = event->n;
  r->scale = event->scale;
  r->mechanism = law_of(event->name);
  memcpy((event->kind == DPPAIR_EVENT_ADD ? tape.centre[0] : tape.out) + r->at, event->values,
         event->n * sizeof(double));
  if (event->kind == DPPAIR_EVENT_ADDED) tape.releases++, tape.numbers += event->n;
  return 0;
}

/* log of the density of release r about the centres c, up to what does not depend on c. */
static double log_density(const released *r, const double *c) {
  const double *o = tape.out + r->at;
  double sum = 0;
  size_t k;
  for (k = 0; k < r->n; k++)
    sum +=
        r->mechanism == 'l' ? fabs(o[k] - c[r->at + k]) : (o[k] - c[r->at + k]) * (o[k] - c[r->at + k]);
  if (r->mechanism == 'g') return -sum / (2 * r->scale * r->scale);
  return -(r->mechanism == '2' ? sqrt(sum) : sum) / r->scale;
}

/* --- neighbours ------------------------------------------------------------------------------- */

enum { ROWS = 128, COLUMNS = 4 };

typedef struct method_case method_case;
typedef void placing(double *x, double *y, const method_case *p, int side);
struct method_case {
  const method *m;
  placing *place;
  size_t n, d;
  settings with;
  size_t who;      /* the record that is replaced */
  unsigned labels; /* a bit for each of the others: positive */
};

/* A positive from one end of the ball to the other; the others are negatives at 0. */
static void from_end_to_end(double *x, double *y, const method_case *p, int side) {
  size_t i;
  memset(x, 0, p->n * p->d * sizeof *x);
  for (i = 0; i < p->n; i++) y[i] = i == p->who ? 1 : -1;
  x[p->who * p->d] = side == 0 ? -1 : 1;
}

/* The other label at the same place; the others, of `labels`, are at the other end. */
static void other_label(double *x, double *y, const method_case *p, int side) {
  size_t i;
  memset(x, 0, p->n * p->d * sizeof *x);
  for (i = 0; i < p->n; i++) {
    y[i] = (i == p->who ? side == 0 : p->labels >> i & 1) ? 1 : -1;
    x[i * p->d] = i == p->who ? 1 : -1;
  }
}

/* Two records of one label whose rows with a constant column, on the unit sphere, have the product
 * -1/4: where first and second moments together move most. */
static void at_an_angle(double *x, double *y, const method_case *p, int side) {
  size_t i;
  memset(x, 0, p->n * p->d * sizeof *x);
  for (i = 0; i < p->n; i++) y[i] = 1;
  x[p->who * p->d] = side == 0 ? 1 : -0.25 * 1.09 - 0.09;
  x[p->who * p->d + 1] = side == 0 ? 0 : sqrt(1 - 0.3625 * 0.3625);
}

/* A row of one label or the other, and in another cell of the histogram; the others are such rows
 * as often with either label, which holds w where the slopes of both are large. */
static void held_in_the_middle(double *x, double *y, const method_case *p, int side) {
  size_t i;
  memset(x, 0, p->n * p->d * sizeof *x);
  for (i = 0; i < p->n; i++) {
    x[i * p->d] = i % 4 < 2 ? 1 : -1;
    y[i] = i % 2 == 0 ? 1 : -1;
  }
  y[p->who] = side == 0 ? 1 : -1;
  x[p->who * p->d] = side == 0 ? 1 : 0.7;
}

/* Rows whose gradients with the intercept stand at right angles to those of the others, or of the
 * other label. */
static void at_right_angles(double *x, double *y, const method_case *p, int side) {
  size_t i;
  memset(x, 0, p->n * p->d * sizeof *x);
  for (i = 0; i < p->n; i++) {
    x[i * p->d] = i == p->who ? 1 : -1;
    y[i] = i == p->who && side == 1 ? -1 : 1;
  }
}

/* --- trainings -------------------------------------------------------------------------------- */

typedef struct data_of_side {
  double x[ROWS * COLUMNS], y[ROWS];
} data_of_side;

static const feature columns[COLUMNS] = {{"a", -1, 1, KIND_NUMERIC, -1, 0},
                                         {"b", -1, 1, KIND_NUMERIC, -1, 0},
                                         {"c", -1, 1, KIND_NUMERIC, -1, 0},
                                         {"d", -1, 1, KIND_NUMERIC, -1, 0}};

static void task_make(task *t, const data_of_side *data, const canary *c) {
  const method_case *p = c->data;
  memset(t, 0, sizeof *t);
  t->train.n = p->n;
  t->train.d = p->d;
  t->train.x = t->train.raw = data->x;
  t->train.y = data->y;
  t->features = columns;
  t->scale = SCALE_RANGES;
  t->epsilon = c->epsilon;
  t->delta = c->delta;
  t->with = p->with;
}

static dppair_status train(model *out, const data_of_side *data, uint64_t run, const canary *c) {
  const method_case *p = c->data;
  dppair_rng noise, indices;
  uint8_t key[32];
  task t;
  dppair_status status;
  task_make(&t, data, c);
  t.noise = &noise;
  t.indices = &indices;
  canary_key(key, c->name, 0);
  status = dppair_rng_from_key(&noise, key, run);
  memset(key, 0, sizeof key); /* random choices, known on both sides: the same in all runs */
  if (status == DPPAIR_OK) status = dppair_rng_from_key(&indices, key, 0);
  return status == DPPAIR_OK ? method_train(out, p->m, &t) : status;
}

/* One training on side `side`, recorded. */
static dppair_status record(model *out, const data_of_side *data, uint64_t run, const canary *c) {
  dppair_status status;
  tape.releases = tape.numbers = tape.replayed = 0;
  tape.replay = 0;
  audit_listener = listen;
  status = train(out, data, run, c);
  audit_listener = NULL;
  return status;
}

static dppair_status replay(model *out, const data_of_side *data, uint64_t run, const canary *c) {
  dppair_status status;
  tape.replayed = 0;
  tape.replay = 1;
  audit_listener = listen;
  status = train(out, data, run, c);
  audit_listener = NULL;
  return status;
}

static int failed(dppair_status status, const canary *c) {
  if (status != DPPAIR_OK) (void)fprintf(stderr, "%s: %s\n", c->name, dppair_status_string(status));
  return status != DPPAIR_OK;
}

static int run_method(double *out, size_t count, int side, uint64_t first, canary *c) {
  const method_case *p = c->data;
  data_of_side data[2];
  dppair_status status = DPPAIR_OK;
  size_t k, r;
  p->place(data[0].x, data[0].y, p, side);
  p->place(data[1].x, data[1].y, p, 1 - side);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    model fitted, again;
    double sum = 0;
    status = record(&fitted, &data[0], first + k, c);
    if (status == DPPAIR_OK) status = replay(&again, &data[1], first + k, c);
    if (status != DPPAIR_OK) break;
    for (r = 0; r < tape.releases; r++)
      sum += log_density(&tape.release[r], tape.centre[0]) -
             log_density(&tape.release[r], tape.centre[1]);
    out[k] = side == 0 ? sum : -sum;
    if (!p->with.as_printed) c->claimed = fitted.epsilon;
    model_free(&fitted);
    model_free(&again);
  }
  return failed(status, c);
}

/* --- batches whose records stay hidden -------------------------------------------------------- */

/*
 * Noisy gradients of Poisson batches at w near 0: of a record (1, 1), or with its label turned, the
 * others at right angles. Along its gradient a step is N(+-C B, sigma^2), B a coin of rate q, and
 * the ratio is one of two mixtures.
 */
static int run_batches(double *out, size_t count, int side, uint64_t first, canary *c) {
  const method_case *p = c->data;
  const double clip = sqrt(0.5), rate = floor((double)(p->n + 3) / 4) / (double)p->n;
  data_of_side data;
  dppair_status status = DPPAIR_OK;
  size_t k, r;
  p->place(data.x, data.y, p, side);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    model fitted;
    double sum = 0;
    if ((status = record(&fitted, &data, first + k, c)) != DPPAIR_OK) break;
    for (r = 0; r < tape.releases; r++) {
      const double *o = tape.out + tape.release[r].at, sigma = tape.release[r].scale;
      const double along = -(o[0] + o[1]) * sqrt(0.5) * clip / (sigma * sigma);
      const double drawn = log(rate) - clip * clip / (2 * sigma * sigma);
      sum += log_sum(log1p(-rate), drawn + along) - log_sum(log1p(-rate), drawn - along);
    }
    out[k] = sum;
    c->claimed = fitted.epsilon;
    model_free(&fitted);
  }
  return failed(status, c);
}

/* --- objective perturbation ------------------------------------------------------------------- */

/*
 * What weights.c minimises: rows u of d + 1 numbers, the last of them a constant, in the unit ball.
 * The noise b is not released; its value is a function of the minimiser w, so that the density of w
 * is that of b(w) times the determinant of the Jacobian. What a run says b was is
 * compared with this.
 */
static const double constant_column = 0.15;

typedef struct problem {
  double noise, ridge;
  weights_plan weights;
  double u[ROWS * (COLUMNS + 1)];
  size_t n, m;
} problem;

/* psi' and psi'' of the loss at t. */
static void slopes(double *first, double *second, double t) {
  const double h = tanh(2 * (t - 0.75));
  *first = (h - 1) / 2;
  *second = (1 - h) * (1 + h);
}

static dppair_status problem_of(problem *p, const model *fitted, const task *t) {
  const size_t n = t->train.n, d = t->train.d;
  double z[ROWS * COLUMNS], radius = task_radius(t), unit;
  size_t i, j;
  dppair_status status = DPPAIR_OK;
  p->n = n;
  p->m = d + 1;
  memcpy(z, t->train.x, n * d * sizeof *z);
  if (status == DPPAIR_OK) status = weights_make_plan(&p->weights, 0, t);
  p->noise = fitted->sigma;
  p->ridge = p->weights.ratio * p->noise;
  unit = radius * sqrt(1 + constant_column * constant_column);
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    double *row = p->u + i * p->m;
    status = dppair_project_l2_f64(z + i * d, d, radius);
    for (j = 0; j < d; j++) row[j] = t->train.y[i] * z[i * d + j] / unit;
    row[d] = t->train.y[i] * constant_column * radius / unit;
    if (status == DPPAIR_OK) status = dppair_project_l2_f64(row, d + 1, 1);
  }
  return status;
}

/* noise = b(w) less its centre; returns the logarithm of the density of w. */
static double log_density_of_minimiser(double *noise, const problem *p, const double *w,
                                       const double *centre) {
  double h[(COLUMNS + 1) * (COLUMNS + 1)] = {0}, sum = 0, determinant = 0;
  const size_t m = p->m;
  size_t i, j, k;
  for (k = 0; k < m; k++) {
    noise[k] = -p->ridge * w[k] - centre[k];
    h[k * m + k] = p->ridge;
  }
  for (i = 0; i < p->n; i++) {
    const double *u = p->u + i * m;
    double t = 0, first, second;
    for (k = 0; k < m; k++) t += u[k] * w[k];
    slopes(&first, &second, t);
    for (k = 0; k < m; k++) noise[k] -= first * u[k];
    for (k = 0; k < m; k++)
      for (j = 0; j < m; j++) h[k * m + j] += second * u[k] * u[j];
  }
  for (k = 0; k < m; k++) { /* h is positive definite: no exchange of rows */
    determinant += log(h[k * m + k]);
    for (i = k + 1; i < m; i++)
      for (j = m; j-- > k;) h[i * m + j] -= h[i * m + k] / h[k * m + k] * h[k * m + j];
  }
  for (k = 0; k < m; k++) sum += noise[k] * noise[k];
  return determinant - sum / (2 * p->noise * p->noise);
}

/* Where the claim goes, by numbers. */
static void explain(canary *c, const problem *p) {
  static char text[400];
  const double eta = log1p(1 / p->ridge), s = p->noise;
  const double full = gaussian_epsilon(c->delta, 2 / s);
  const double held = gaussian_epsilon(c->delta, 1.905 / s);
  (void)snprintf(
      text, sizeof text,
      "of %.3g: %.3f is charged for determinants, whose ratio is 1 here; %.3f for the cross term "
      "of\n    the composition and a trace of output noise; %.3f for slopes of 1 on both "
      "rows, which no w has\n    (0.95 each at most); %.3f is left to be shown",
      c->claimed, eta, c->claimed - eta - full, full - held, held);
  c->remark = text;
}

static int run_objective(double *out, size_t count, int side, uint64_t first, canary *c) {
  const method_case *p = c->data;
  data_of_side data[2];
  dppair_status status = DPPAIR_OK;
  size_t k, j;
  for (j = 0; j < 2; j++) p->place(data[j].x, data[j].y, p, (int)j);
  for (k = 0; k < count && status == DPPAIR_OK; k++) {
    const released *b = &tape.release[0], *w = &tape.release[1];
    problem both[2];
    model fitted;
    double sum = 0, noise[2][COLUMNS + 1];
    if ((status = record(&fitted, &data[side], first + k, c)) != DPPAIR_OK) break;
    if (tape.releases != 2) return 1;
    for (j = 0; j < 2 && status == DPPAIR_OK; j++) {
      task t;
      task_make(&t, &data[j], c);
      status = problem_of(&both[j], &fitted, &t);
      if (status == DPPAIR_OK)
        sum += (j == 0 ? 1 : -1) * log_density_of_minimiser(noise[j], &both[j], tape.out + w->at,
                                                            tape.centre[0] + b->at);
    }
    for (j = 0; j < both[0].m && status == DPPAIR_OK; j++) {
      const double was = tape.out[b->at + j] - tape.centre[0][b->at + j];
      if (!(fabs(noise[side][j] - was) <= 0.05 * both[side].noise)) {
        (void)fprintf(stderr, "%s: the noise was %g, not %g\n", c->name, was, noise[side][j]);
        return 1;
      }
    }
    out[k] = sum;
    c->claimed = fitted.epsilon;
    if (k == 0) explain(c, &both[0]);
    model_free(&fitted);
  }
  return failed(status, c);
}

/* --- the table -------------------------------------------------------------------------------- */

/* Settings: loss, steps, step size, radius, ball, lambda, as printed. */
#define CASE(m, place, n, d, loss, steps, size, radius, ball, lambda, who, labels)                 \
  &(const method_case) {                                                                           \
    &method_##m, place, n, d, {loss, steps, size, radius, ball, lambda, 0, 0, 0}, who, labels      \
  }
#define NORMAL(name, quick, neighbours, floor, given, remark)                                      \
  { name, neighbours, 4, 1e-3, quick, 20000, NORMAL_NUMBER, floor, run_method, given, remark, 0 }
#define PURE(name, quick, neighbours, floor, given, remark)                                        \
  { name, neighbours, 1, 0, quick, 100000, ANY_NUMBER, floor, run_method, given, remark, 0 }

static const char ends[] = "a positive, from end to end";

canary canaries_of_methods[] = {
    NORMAL("gd", 3000, ends, 0.9, CASE(gd, from_end_to_end, 6, 2, "hinge", 5, 1e-3, 1, 0, 0, 0, 0),
           NULL),
    NORMAL("gd, logistic", 500, ends, 0.9,
           CASE(gd, from_end_to_end, 6, 2, "logistic", 5, 1e-3, 1, 0, 0, 0, 0), NULL),
    {"gd, its own steps", ends, 4, 0.05, 400, 20000, RATIO_NUMBER, 0.3, run_method,
     CASE(gd, from_end_to_end, 6, 2, "logistic", 10, 0, 1, 0, 0, 0, 0),
     "a sensitivity is that of the steepest slope within |w|, which two rows at the ends do not "
     "both\n    have where w is not 0",
     0},
    NORMAL("kang2021", 3000, ends, 0.9,
           CASE(kang2021, from_end_to_end, 6, 2, "hinge", 5, 1e-3, 1, 0, 0, 0, 0), NULL),
    NORMAL("dpgdc2", 300, ends, 0.9,
           CASE(dpgdc2, from_end_to_end, 6, 2, "logistic", 5, 1e-3, 1, 0, 0, 0, 0), NULL),
    NORMAL(
        "filter", 3000, "a label", 0.5,
        CASE(filter, other_label, 6, 2, NULL, 10, 1e-3, 1, 0, 0, 0, 0),
        "a record is charged for its own gradient, whatever the other's direction; slopes near 1, "
        "that use the\n    budget up, are on one side of w, where gradients differ by a right angle "
        "at most"),
    NORMAL("filter-pairs", 800, ends, 0.5,
           CASE(filter_pairs, from_end_to_end, 6, 2, NULL, 16, 1e-3, 1, 0, 0, 0, 0),
           "two zeroed records are charged, whose steps may be others; these two spend at the same "
           "ones: 1/sqrt 2 of mu"),
    NORMAL("one-vector", 3000, ends, 0.9,
           CASE(one_vector, from_end_to_end, 6, 2, NULL, 0, 0, 1, 0, 0, 0, 0), NULL),
    NORMAL("statistics", 3000, "a row, at an angle", 0.9,
           CASE(statistics, at_an_angle, 6, 2, NULL, 0, 0, 1, 0, 0, 0, 0), NULL),
    NORMAL("dpgdsc", 300, ends, 0.9,
           CASE(dpgdsc, from_end_to_end, 6, 2, "logistic", 3, 1e-3, 1, 0, 0.1, 0, 0), NULL),
    NORMAL("dpegd", 250, ends, 0.9,
           CASE(dpegd, from_end_to_end, 8, 2, "logistic", 3, 1e-3, 1, 0, 0, 0, 0), NULL),
    NORMAL("offpairstrc", 800, ends, 0.9,
           CASE(offpairstrc, from_end_to_end, 6, 2, "logistic", 0, 1e-4, 1, 0.01, 0.1, 1, 0), NULL),
    NORMAL("offpairc", 800, ends, 0.9,
           CASE(offpairc, from_end_to_end, 6, 2, "logistic", 0, 1e-4, 1, 0.01, 0, 1, 0), NULL),
    NORMAL("yang2021", 3000, "a label, in mixed company", 0.9,
           CASE(yang2021, other_label, 6, 2, "hinge", 0, 0, 1, 0, 0, 3, 39), NULL),
    NORMAL("niewang2017", 3000, ends, 0.9,
           CASE(niewang2017, from_end_to_end, 6, 2, "hinge", 0, 0, 1, 0, 1, 0, 0), NULL),
    NORMAL("niewang2017-pairs", 1000, ends, 0.9,
           CASE(niewang2017_pairs, from_end_to_end, 6, 2, "logistic", 0, 0, 1, 0, 50, 0, 0), NULL),
    NORMAL("bolton", 3000, ends, 0.45,
           CASE(bolton, from_end_to_end, 6, 2, NULL, 1, 0, 1, 0, 1e-3, 0, 0),
           "the proof has slopes of 1 in opposite directions; no w gives two rows such slopes"),
    PURE("one-vector, pure", 10000, ends, 0.9,
         CASE(one_vector, from_end_to_end, 6, 1, NULL, 0, 0, 1, 0, 0, 0, 0), NULL),
    PURE("niewang2017, pure", 5000, ends, 0.9,
         CASE(niewang2017, from_end_to_end, 6, 1, "hinge", 0, 0, 1, 0, 1, 0, 0), NULL),
    {"dpsgd", "a label", 2, 0.05, 0, 500, RATIO_NUMBER, 0.5, run_batches,
     CASE(dpsgd, at_right_angles, 4, 1, NULL, 2, 1e-9, 1, 0, 0, 0, 0),
     "the mechanism of the plan with Poisson draws; each run calibrates anew, so runs are few", 0},
    {"declared", "a label", 4, 0.05, 2000, 40000, RATIO_NUMBER, 0.6, run_objective,
     CASE(declared, held_in_the_middle, 40, 1, NULL, 0, 0, 0.7, 0, 0, 0, 0), NULL, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0}};
