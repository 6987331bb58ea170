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
 *   clip factor c_ij = min(1, C / (|phi'| |J_i - J_j|)),
 *   clipped sum = sum over i of (sum over j of c_ij phi'_ij) J_i - ...
 *
 * so it is again a weighted sum of the J, and the list form NAME_pairs takes the factors. The
 * sensitivity of the mean over n(n-1) is then 2C/n for one replaced record, whatever the network
 * does (dppair_constants_find with no radius).
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
  size_t *order, np, nn, *left, *right;
  double *s, *jacobian, *weight, *a, *b, *g;
} trainer;

static void forward(trainer *t, int jacobian) {
  const size_t n = t->np + t->nn, size = t->net.size;
  size_t i;
  for (i = 0; i < n; i++)
    t->s[i] =
        score(&t->net, t->x + t->order[i] * t->net.d, jacobian ? t->jacobian + i * size : NULL);
}

/* g = sum over i of (a, b)_i J_i. */
static dppair_status backward(trainer *t) {
  const size_t size = t->net.size;
  const dppair_rows_f64 up = dppair_rows_make_f64(t->jacobian, t->np, size, size);
  const dppair_rows_f64 down =
      dppair_rows_make_f64(t->jacobian + t->np * size, t->nn, size, size);
  size_t k;
  dppair_status status = dppair_combine_f64(t->g, &up, t->a);
  double *positive = t->weight; /* not needed any more */
  if (status != DPPAIR_OK) return status;
  memcpy(positive, t->g, size * sizeof *positive);
  status = dppair_combine_f64(t->g, &down, t->b);
  for (k = 0; k < size; k++) t->g[k] += positive[k];
  return status;
}

/* The weights c_ij: exactly the clip of every pair's gradient to norm at most C. The computed norm
 * is inflated by more than its rounding error. */
static dppair_status clip_weights(trainer *t) {
  const size_t size = t->net.size;
  size_t i, j, k, at = 0;
  for (i = 0; i < t->np; i++)
    for (j = 0; j < t->nn; j++, at++) {
      const double *p = t->jacobian + i * size, *q = t->jacobian + (t->np + j) * size;
      const double margin = t->s[i] - t->s[t->np + j];
      double square = 0.0, slope, norm;
      for (k = 0; k < size; k++) square += (p[k] - q[k]) * (p[k] - q[k]);
      if (dppair_loss_eval(NULL, &slope, NULL, &margin, 1, DPPAIR_LOSS_logistic, NULL) != DPPAIR_OK)
        return DPPAIR_ERR_DOMAIN;
      norm = fabs(slope) * sqrt(square) * (1 + 1e-9);
      if (!dppair_isfinite_f64(norm)) return DPPAIR_ERR_NOT_FINITE;
      t->weight[at] = norm > clip ? clip / norm : 1.0;
      t->left[at] = i;
      t->right[at] = j;
    }
  return DPPAIR_OK;
}

/* One step: clipped and noisy when noise is given, else the plain gradient. */
static dppair_status step(trainer *t, double eta, double sigma, dppair_rng *noise) {
  const double n = (double)(t->np + t->nn);
  dppair_status status;
  size_t k;
  forward(t, 1);
  if (noise == NULL) {
    status = pair_coeffs(t->a, t->b, t->s, t->np, t->s + t->np, t->nn, NULL);
  } else {
    status = clip_weights(t);
    if (status == DPPAIR_OK)
      status = pair_pairs(t->a, t->b, t->s, t->np, t->s + t->np, t->nn, t->left, t->right,
                          t->weight, t->np * t->nn, NULL);
  }
  if (status == DPPAIR_OK) status = backward(t);
  for (k = 0; k < t->net.size; k++) t->g[k] /= n * (n - 1);
  if (status == DPPAIR_OK && noise != NULL)
    status = dppair_add_gaussian_f64(t->g, t->net.size, sigma, noise);
  for (k = 0; k < t->net.size && status == DPPAIR_OK; k++) t->net.theta[k] -= eta * t->g[k];
  return status;
}

/*
 * What one record can move the computed clipped gradient. The clip bounds exact arithmetic; sums of
 * at most n terms per weight and per coordinate round by (n + 3) 2^-53 each of the sum of sizes,
 * which is at most (n^2/2) times the largest |J|. That is public: features lie in [-1, 1], so
 * |J|^2 <= HIDDEN + |v|^2 (1 + d) at the released v. Charged for both data sets.
 */
static dppair_status sensitivity(double *move, const trainer *t) {
  const dppair_bounds bounds = {HUGE_VAL, HUGE_VAL, 1, 0, clip};
  const double n = (double)(t->np + t->nn);
  const double v = dppair_norm_f64(t->net.theta + t->net.size - HIDDEN, HIDDEN);
  const double largest = sqrt(HIDDEN + v * v * (1 + (double)t->net.d)) * (1 + 1e-12);
  const dppair_loss_facts facts = DPPAIR_FACTS(dppair_logistic);
  dppair_constants k;
  const dppair_status status = dppair_constants_find(&k, DPPAIR_MARGIN_ind, &facts, NULL, &bounds);
  *move = k.replace_one / n + 2 * largest * (2 * n + 8) * DBL_EPSILON;
  return status;
}

static dppair_status train_private(trainer *t, double *spent, double delta, double eta,
                                   dppair_rng *noise) {
  dppair_accountant a;
  int k;
  dppair_status status = dppair_accountant_init(&a);
  for (k = 0; k < STEPS && status == DPPAIR_OK; k++) {
    double move, sigma = 0;
    status = sensitivity(&move, t);
    if (status == DPPAIR_OK) status = dppair_gaussian_sigma(&sigma, move, epsilon, delta, STEPS);
    if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&a, move, sigma, 1);
    if (status == DPPAIR_OK) status = step(t, eta, sigma, noise);
  }
  return status == DPPAIR_OK ? dppair_accountant_epsilon(spent, &a, delta) : status;
}

static dppair_status train_open(trainer *t, double eta) {
  int k;
  dppair_status status = DPPAIR_OK;
  for (k = 0; k < 10 * STEPS && status == DPPAIR_OK; k++) status = step(t, eta, 0, NULL);
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

/* One block for a trainer on up to n records. */
static int prepare(trainer *t, size_t n, size_t d) {
  const size_t pairs = n * n / 4 + 1, size = HIDDEN * (d + 2);
  double *m = malloc((n * (size + 4) + 3 * size + pairs) * sizeof *m);
  size_t *index = malloc((n + 2 * pairs) * sizeof *index);
  memset(t, 0, sizeof *t);
  t->net.theta = m;
  t->order = index;
  if (m == NULL || index == NULL) return 0;
  t->net.d = d;
  t->net.size = size;
  t->g = m + size;
  t->jacobian = t->g + size;
  t->s = t->jacobian + n * size;
  t->a = t->s + n;
  t->b = t->a + n;
  t->weight = t->b + n;
  t->left = index + n;
  t->right = t->left + pairs;
  return 1;
}

static int run(const dataset *data, const char *name) {
  const size_t n_train = 2 * data->n / 3;
  const double delta = 1 / (double)n_train;
  size_t *order = malloc(data->n * sizeof *order);
  double open = 0, spent = 0;
  simulation_rng rng;
  dppair_rng noise;
  trainer t;
  split part;
  dppair_status status = dppair_rng_from_os(&noise);
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
  if (status == DPPAIR_OK) status = train_open(&t, 4.0);
  if (status == DPPAIR_OK) open = test_auc(&t, &part.test);
  begin(&t.net);
  arrange(&t, &part.train);
  if (status == DPPAIR_OK) status = train_private(&t, &spent, delta, 2.0, &noise);
  if (status == DPPAIR_OK)
    (void)printf(
        "%s, simulation on your data: not a release\n"
        "network with %d hidden units, %zu parameters, %zu training records\n"
        "test AUC %.4f without privacy, %.4f with every pair's gradient clipped to %g and\n"
        "(epsilon, delta) = (%.6g, %.6g) for one replaced record, %d steps\n",
        name, HIDDEN, t.net.size, n_train, open, test_auc(&t, &part.test), clip, rounded_up(spent),
        rounded_up(delta), STEPS);
  if (status == DPPAIR_OK)
    print_learnt(data);
  else
    (void)fprintf(stderr, "mlp_ranking: %s\n", dppair_status_string(status));
  dppair_wipe(&noise, sizeof noise);
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
