/* SPDX-License-Identifier: MIT */
/*
 * mlp_ranking - any differentiable scorer can be trained on pairs: here a network with one hidden
 * layer, s(x) = v . tanh(U x + b), by noisy gradient descent with per-pair clipping.
 *
 * The pair loop needs scores only and gives back dL/ds, so backpropagation is the scorer's own
 * business. Without a clip that is one call of NAME_coeffs per step (train_open below). Privacy
 * needs the gradient of every pair clipped, because no constant bounds a network's gradient:
 *
 *   gradient of pair (i, j) = phi'(s_i - s_j) (J_i - J_j),   J_i = d s(x_i)/d theta,
 *
 * which is what NAME_clip_coeffs does when the J are its rows. The clipped sum is then a weighted
 * sum of the J, and moves by 2C/n, as a mean over n(n-1), whatever the network does.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"

#define DPPAIR_NAME pair
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "support/program.h"

enum { HIDDEN = 8, STEPS = 60 };

static const double clip = 0.5, epsilon = 2.0;

typedef struct network {
  size_t d, size; /* features, parameters: U (HIDDEN x d), b (HIDDEN), v (HIDDEN) */
  double *theta;
} network;

/* s = the score of x; j (size numbers, or NULL) = its gradient in theta. */
static double score(const network *net, const double *x, double *j) {
  const double *u = net->theta, *b = u + HIDDEN * net->d, *v = b + HIDDEN;
  double s = 0.0;
  size_t h, k;
  for (h = 0; h < HIDDEN; h++) {
    double a = b[h], t;
    for (k = 0; k < net->d; k++) a += u[h * net->d + k] * x[k];
    t = tanh(a);
    s += v[h] * t;
    if (j == NULL) continue;
    j[HIDDEN * net->d + HIDDEN + h] = t;
    a = v[h] * (1 - t * t);
    j[HIDDEN * net->d + h] = a;
    for (k = 0; k < net->d; k++) j[h * net->d + k] = a * x[k];
  }
  return s;
}

/* Records in the order positives, negatives; and room for one step. */
typedef struct trainer {
  network net;
  const double *x;
  size_t *order, np, nn;
  double *s, *jacobian, *c, *g; /* scores, their gradients, coefficients; the sum */
  dppair_pass pass;
} trainer;

/* The gradients of the scores as rows. They are no longer than the radius: features lie in [-1, 1],
 * so |J|^2 <= HIDDEN + |v|^2 (1 + d) at the released v. */
static dppair_rows_f64 rows_of(const trainer *t) {
  const network *net = &t->net;
  const double v = dppair_norm_f64(net->theta + net->size - HIDDEN, HIDDEN);
  dppair_rows_f64 rows = dppair_rows_make_f64(t->jacobian, t->np + t->nn, net->size, net->size);
  rows.positives = t->np;
  rows.radius = sqrt(HIDDEN + v * v * (1 + (double)net->d)) * (1 + 1e-12);
  return rows;
}

static void forward(trainer *t, int jacobian) {
  const size_t n = t->np + t->nn, size = t->net.size;
  size_t i;
  for (i = 0; i < n; i++)
    t->s[i] =
        score(&t->net, t->x + t->order[i] * t->net.d, jacobian ? t->jacobian + i * size : NULL);
}

/* g = the sum over all pairs, each clipped where a clip is given. */
static dppair_status backward(trainer *t, const dppair_rows_f64 *rows) {
  double *a = t->c, *b = t->c + t->np, *sp = t->s, *sn = t->s + t->np;
  const dppair_status status = t->pass.clip > 0
                                   ? pair_clip_coeffs(a, b, sp, sn, rows, NULL, 0, &t->pass)
                                   : pair_coeffs(a, b, sp, t->np, sn, t->nn, NULL);
  return status == DPPAIR_OK ? dppair_combine_f64(t->g, rows, t->c) : status;
}

/* One step: of the released gradient, or of the plain one. */
static dppair_status step(trainer *t, double eta, dppair_release *release) {
  const double n = (double)(t->np + t->nn);
  const dppair_rows_f64 rows = rows_of(t);
  dppair_bounds bounds = {0, 0, 0, 0, 0};
  dppair_status status;
  size_t k;
  bounds.radius = rows.radius;
  forward(t, 1);
  status = backward(t, &rows);
  if (status == DPPAIR_OK && release != NULL)
    status = pair_release_vector(t->g, t->net.size, release, &bounds, 0, &t->pass);
  for (k = 0; k < t->net.size && status == DPPAIR_OK; k++)
    t->net.theta[k] -= eta * (release != NULL ? t->g[k] : t->g[k] / (n * (n - 1)));
  return status;
}

static dppair_status train_private(trainer *t, double *spent, double delta, double eta) {
  const dppair_plan none = {0};
  dppair_plan plan = none;
  dppair_accountant a;
  dppair_release release;
  int k;
  dppair_status status = dppair_accountant_init(&a);
  plan.epsilon = epsilon;
  plan.delta = delta;
  plan.steps = STEPS;
  plan.sampling = dppair_sampling_all(t->np + t->nn, DPPAIR_REPLACE_ONE);
  t->pass.clip = clip;
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &a, &plan, NULL);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < STEPS && status == DPPAIR_OK; k++) status = step(t, eta, &release);
  dppair_release_close(&release);
  return status == DPPAIR_OK ? dppair_accountant_epsilon(spent, &a, delta) : status;
}

static dppair_status train_open(trainer *t, double eta) {
  int k;
  dppair_status status = DPPAIR_OK;
  t->pass.clip = 0;
  for (k = 0; k < 10 * STEPS && status == DPPAIR_OK; k++) status = step(t, eta, NULL);
  return status;
}

/* A start that does not depend on the data. */
static void begin(network *net) {
  simulation_rng rng;
  size_t k;
  simulation_seed(&rng, 7);
  for (k = 0; k < net->size; k++)
    net->theta[k] = ((double)(simulation_u64(&rng) >> 11) * 0x1p-52 - 1) / sqrt((double)net->d);
}

static void arrange(trainer *t, const records *rows) {
  size_t i, at = 0;
  t->x = rows->x;
  for (i = 0; i < rows->n; i++)
    if (rows->y[i] > 0) t->order[at++] = i;
  t->np = at;
  for (i = 0; i < rows->n; i++)
    if (!(rows->y[i] > 0)) t->order[at++] = i;
  t->nn = at - t->np;
}

static double test_auc(trainer *t, const records *test) {
  double auc = 0.5;
  void *work;
  size_t bytes;
  if (dppair_measures_workspace(&bytes, test->n, 0) != DPPAIR_OK) return auc;
  work = malloc(bytes);
  arrange(t, test);
  forward(t, 0);
  if (dppair_auc_not_private_f64(&auc, t->s, t->np, t->s + t->np, t->nn, work, bytes) != DPPAIR_OK)
    auc = 0.5;
  free(work);
  return auc;
}

/* Blocks for a trainer on up to n records. */
static int prepare(trainer *t, size_t n, size_t d) {
  const size_t size = HIDDEN * (d + 2), numbers = n * (size + 2) + 2 * size;
  double *m;
  memset(t, 0, sizeof *t);
  if (pair_clip_workspace(&t->pass.bytes, NULL, n, size) != DPPAIR_OK) return 0;
  t->net.theta = m = malloc(numbers * sizeof *m + t->pass.bytes);
  t->order = malloc(n * sizeof *t->order);
  if (m == NULL || t->order == NULL) return 0;
  t->net.d = d;
  t->net.size = size;
  t->g = m + size;
  t->jacobian = t->g + size;
  t->s = t->jacobian + n * size;
  t->c = t->s + n;
  t->pass.work = m + numbers;
  return 1;
}

static int run(const dataset *data, const char *name) {
  const size_t n_train = 2 * data->n / 3;
  const double delta = 1 / (double)n_train;
  size_t *order = malloc(data->n * sizeof *order);
  double open = 0, spent = 0;
  simulation_rng rng;
  trainer t;
  split part;
  dppair_status status;
  simulation_seed(&rng, 1);
  if (order != NULL) simulation_permutation(order, data->n, &rng);
  if (!prepare(&t, data->n, data->d) || order == NULL ||
      !split_make(&part, data, order, n_train, data->n - n_train, SCALE_RANGES)) {
    (void)fprintf(stderr, "mlp_ranking: %s\n", dppair_status_string(DPPAIR_ERR_OVERFLOW));
    free(t.net.theta);
    free(t.order);
    free(order);
    return 1;
  }
  begin(&t.net);
  arrange(&t, &part.train);
  status = train_open(&t, 4.0);
  if (status == DPPAIR_OK) open = test_auc(&t, &part.test);
  begin(&t.net);
  arrange(&t, &part.train);
  if (status == DPPAIR_OK) status = train_private(&t, &spent, delta, 2.0);
  if (status == DPPAIR_OK)
    (void)printf(
        "%s, simulation on your data: NOT PRIVATE, not a release\n"
        "network with %d hidden units, %zu parameters, %zu training records\n"
        "test AUC %.4f without privacy, %.4f with every pair's gradient clipped to %g and\n"
        "(epsilon, delta) = (%.6g, %.6g) for one replaced record, %d steps\n",
        name, HIDDEN, t.net.size, n_train, open, test_auc(&t, &part.test), clip, rounded_up(spent),
        rounded_up(delta), STEPS);
  if (status == DPPAIR_OK)
    print_learnt(data);
  else
    (void)fprintf(stderr, "mlp_ranking: %s\n", dppair_status_string(status));
  split_free(&part);
  free(t.net.theta);
  free(t.order);
  free(order);
  return status == DPPAIR_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  dataset data;
  char error[ERROR_SIZE], *ranges;
  int code;
  if (argc > 2 || (argc == 2 && strncmp(argv[1], "--", 2) == 0)) {
    (void)puts(
        "usage: mlp_ranking [DATA]   (with its declared ranges beside it in a .ranges file)");
    return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  code = argc == 2 ? data_load(&data, argv[1], NULL, error) : data_embedded(&data, error);
  if (code && argc == 2) {
    ranges = data_ranges_beside(argv[1]);
    if (ranges != NULL) code = data_ranges(&data, ranges, error);
    free(ranges);
    if (code && !data.has_ranges) {
      (void)fprintf(stderr, "mlp_ranking: %s: no ranges file beside it\n", argv[1]);
      data_free(&data);
      return 1;
    }
  }
  if (!code) {
    (void)fprintf(stderr, "mlp_ranking: %s\n", error);
    return 1;
  }
  code = run(&data, argc == 2 ? argv[1] : "pima.csv (built in)");
  data_free(&data);
  return code;
}
