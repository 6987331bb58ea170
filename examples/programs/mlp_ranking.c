/* SPDX-License-Identifier: MIT */
/*
 * mlp_ranking - any differentiable scorer can be trained on pairs: here a network with one hidden
 * layer, s(x) = v . tanh(U x + b), by noisy gradient descent with per-record clipping.
 *
 * The pair loop needs scores only and gives back dL/ds, so backpropagation is the scorer's own
 * business: one call of NAME_coeffs per step, and the sum of c_i v_i, v_i the gradient of s(x_i).
 * Privacy needs a bound, because no constant bounds a network's gradient. Each v_i is clipped to a
 * public norm B by its own record alone, BEFORE pairs are formed:
 *
 *   gradient of pair (i, j) = phi'(s_i - s_j) (clip(v_i) - clip(v_j))
 *
 * The mean over n(n-1) then moves as that of linear rows of norm B does, by 2B s/n, s the steepest
 * slope. What all v_i have in common cancels in a pair, so the gradient at the record 0, which is
 * public, is taken off before the clip. The hinge has its steepest slope wherever margins are below
 * 1: no other loss gets more out of the same noise. All of this rests on a score that reads one
 * record and theta only: with batch normalisation, or any other statistic of the batch, every v_i
 * would move with every record.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"

#define DPPAIR_NAME pair
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

enum { HIDDEN = 8, STEPS = 60 };

static const double clip = 1.0, epsilon = 2.0; /* clip: of the gradient of each record's score */

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
  double *zero, *s, *jacobian, *factor, *c, *g; /* scores, their gradients, clipped by these
                                                 * factors; coefficients; the sum */
} trainer;

/* Scores and, where they are asked for, their gradients less that of the record 0. */
static void forward(trainer *t, int jacobian) {
  const size_t n = t->np + t->nn, size = t->net.size;
  size_t i, k;
  if (jacobian) (void)score(&t->net, t->zero, t->g);
  for (i = 0; i < n; i++) {
    double *j = jacobian ? t->jacobian + i * size : NULL;
    t->s[i] = score(&t->net, t->x + t->order[i] * t->net.d, j);
    for (k = 0; j != NULL && k < size; k++) j[k] -= t->g[k];
  }
}

/* One step: of the released gradient, or of the plain one. */
static dppair_status step(trainer *t, double eta, dppair_release *release) {
  const size_t n = t->np + t->nn, size = t->net.size;
  const dppair_options options = {0};
  dppair_bounds bounds = {0, 0, 0, 0, 0};
  dppair_rows_f64 rows;
  dppair_status status;
  size_t k;
  forward(t, 1);
  bounds.radius = clip;
  status = dppair_rows_clip_f64(&rows, t->factor, t->jacobian, n, size, size, clip);
  if (release == NULL) rows.factor = NULL; /* as they are */
  if (status == DPPAIR_OK)
    status = pair_coeffs(t->c, t->c + t->np, t->s, t->np, t->s + t->np, t->nn, NULL);
  if (status == DPPAIR_OK) status = dppair_combine_f64(t->g, &rows, t->c);
  if (status == DPPAIR_OK && release != NULL)
    status = pair_release_vector(t->g, size, release, &bounds, 0, &options);
  for (k = 0; k < size && status == DPPAIR_OK; k++)
    t->net.theta[k] -= eta * t->g[k] / (release != NULL ? 1 : (double)n * ((double)n - 1));
  return status;
}

static dppair_status train_private(trainer *t, double *spent, double delta, double eta) {
  const dppair_plan none = {0};
  dppair_plan plan = none;
  dppair_accountant a;
  dppair_interval epsilon_spent;
  dppair_release release;
  int k;
  dppair_status status = dppair_accountant_init(&a);
  plan.epsilon = epsilon;
  plan.delta = delta;
  plan.steps = STEPS;
  plan.sampling = dppair_sampling_all(t->np + t->nn, DPPAIR_REPLACE_ONE);
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &a, &plan, NULL);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < STEPS && status == DPPAIR_OK; k++) status = step(t, eta, &release);
  dppair_release_close(&release);
  if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&epsilon_spent, &a, delta, NULL);
  if (status == DPPAIR_OK) *spent = epsilon_spent.upper;
  return status;
}

static dppair_status train_open(trainer *t, double eta) {
  int k;
  dppair_status status = DPPAIR_OK;
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
  const size_t size = HIDDEN * (d + 2), numbers = n * (size + 3) + 2 * size + d;
  double *m;
  memset(t, 0, sizeof *t);
  t->net.theta = m = malloc(numbers * sizeof *m);
  t->order = malloc(n * sizeof *t->order);
  if (m == NULL || t->order == NULL) return 0;
  t->net.d = d;
  t->net.size = size;
  t->g = m + size;
  t->jacobian = t->g + size;
  t->s = t->jacobian + n * size;
  t->factor = t->s + n;
  t->c = t->factor + n;
  t->zero = t->c + n;
  memset(t->zero, 0, d * sizeof *t->zero);
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
    (void)fputs("mlp_ranking: out of memory\n", stderr);
    free(t.net.theta);
    free(t.order);
    free(order);
    return 1;
  }
  begin(&t.net);
  arrange(&t, &part.train);
  status = train_open(&t, 1.0);
  if (status == DPPAIR_OK) open = test_auc(&t, &part.test);
  begin(&t.net);
  arrange(&t, &part.train);
  if (status == DPPAIR_OK) status = train_private(&t, &spent, delta, 1.0);
  if (status == DPPAIR_OK)
    (void)printf(
        "%s, simulation on your data: NOT PRIVATE, not a release\n"
        "network with %d hidden units, %zu parameters, %zu training records\n"
        "test AUC %.4f without privacy, %.4f with every record's gradient clipped to %g and\n"
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

static const char usage[] =
    "mlp_ranking - a network with one hidden layer, trained on pairs under differential privacy\n"
    "\n"
    "usage: mlp_ranking [DATA]\n"
    "\n"
    "DATA is LIBSVM or CSV, with its declared ranges beside it in a .ranges file; without it the\n"
    "Pima diabetes records. A simulation, NOT PRIVATE: test AUC without privacy, and with every\n"
    "record's gradient clipped and noise. Its source is an example to be changed.\n"
    "\n"
    "options\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed; 2 wrong use: the command line.\n";

static int run_line(int argc, char **argv) {
  dataset data;
  char error[ERROR_SIZE], *ranges;
  int k, code;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) return fputs(usage, stdout) < 0;
    if (strcmp(argv[k], "--version") == 0)
      return printf("mlp_ranking (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
  }
  if (argc > 2 || (argc == 2 && strncmp(argv[1], "--", 2) == 0)) {
    (void)fputs("mlp_ranking: one data file at most, and no options (see --help)\n", stderr);
    return 2;
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

int main(int argc, char **argv) { return printed(run_line(argc, argv), "mlp_ranking"); }
