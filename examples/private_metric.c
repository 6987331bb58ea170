/* SPDX-License-Identifier: MIT */
/*
 * private_metric - learn a Mahalanobis metric under differential privacy and see what it buys.
 *
 *   minimise over W   1/(n(n-1)) sum over i != j of phi(y_i y_j (1 - (x_i - x_j)^T W (x_i - x_j)))
 *   W <- Proj( W - eta (g(W) + N) ),  positive semidefinite matrices of Frobenius norm <= B,
 *
 * from a multiple of the identity. N is Gaussian in the d(d+1)/2 orthonormal coordinates of
 * symmetric matrices. A step's sensitivity is 2 Dm/n at the W it starts from, which is public
 * because it was released: Dm from the margins that this W can reach over rows of norm R
 * (dppair_constants_find), and each step gets the same share of the exact Gaussian curve.
 *
 * Without --model training is repeated over random splits with simulated noise; with --model it
 * runs once on all records and writes W, which is all that the guarantee covers. In particular it
 * does not cover nearest neighbours: those are raw training records whatever W is.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_losses.h"
#include "methods/measures.h"
#include "methods/trial.h"

#define DPPAIR_NAME logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME squared_hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME square
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_square
#include "dppair.h"

#include "support/release.h"

enum { NEIGHBOURS = 3, REFERENCE_STEPS = 200 };
static const double offset = 1.0;

static const char usage[] =
    "private_metric - learn a Mahalanobis metric under differential privacy\n"
    "\n"
    "usage: private_metric [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV (comma, semicolon or tab; header optional). Labels have two levels: "
    "unless\n"
    "declared, of two numbers the larger is +1, of two words the later one. Without DATA: the Pima "
    "diabetes\n"
    "records.\n"
    "\n"
    "budget\n"
    "  --epsilon LIST      one or more, commas between (default 0.5,1,2,4)\n"
    "  --delta X           default 1/n_train, printed; 0 = pure privacy, where the method offers "
    "it\n"
    "training\n"
    "  --method NAME       gd (default): noisy projected gradient descent over all pairs; or see "
    "below\n"
    "  --loss NAME         logistic (default), hinge, squared-hinge, square\n"
    "  --steps T           number of noisy steps (default: from n, d and the budget)\n"
    "  --step-size X       default: from R, d and the noise\n"
    "  --radius R          rows are clipped to this l2 norm (default 0.4 sqrt(d); 1 for --scale "
    "row)\n"
    "  --param-radius B    Frobenius norm of the metric (default 2 sqrt(d)/R^2; others: 1)\n"
    "  --lambda X          regulariser (lambda/2)|W|^2 added to the risk, above 0, of the methods\n"
    "                      marked below. Default: 0.01 for dpgdsc and offpairstrc, none elsewhere\n"
    "  --as-printed        noise by the constants that a paper prints, with the true epsilon "
    "stated\n";
static const char usage_runs[] =
    "simulation\n"
    "  --splits K          random splits, two thirds for training (default 20)\n"
    "  --seed N            of the splits and the simulated noise (default 1)\n"
    "  --svg FILE          a picture of 3-NN accuracy over epsilon\n"
    "  --json              one JSON object per epsilon and line instead of the table\n"
    "  --quiet             no progress, no prose\n"
    "release\n"
    "  --model FILE        train once on ALL records, noise keyed by the operating system, and "
    "write\n"
    "                      metric, scaling and guarantee into a new file; needs one "
    "--epsilon\n";

static const release_kind kind = {
    "dppair private_metric model 2", "metric", 1,
    "nearest-neighbour predictions, whose neighbours are raw records; "};

/* --- training --------------------------------------------------------------------------------- */

typedef struct metric_link {
  const char *name;
  dppair_loss loss;
  dppair_status (*gradient)(double *, const double *, const double *, size_t, size_t, size_t,
                            const double *, double, double, const double *, void *, size_t);
  dppair_status (*risk)(double *, const double *, const double *, size_t, size_t, size_t,
                        const double *, double, const double *, void *, size_t);
  dppair_status (*workspace)(size_t *, size_t, size_t, size_t);
  dppair_status (*error)(double *, size_t, size_t, double, double, double);
} metric_link;

#define METRIC_LINK(shown, name)                                                                   \
  {                                                                                                \
    shown, DPPAIR_LOSS_##name, name##_metric_gradient, name##_metric_risk,                         \
        name##_metric_workspace, name##_metric_error                                               \
  }
static const metric_link links[] = {METRIC_LINK("logistic", logistic), METRIC_LINK("hinge", hinge),
                                    METRIC_LINK("squared-hinge", squared_hinge),
                                    METRIC_LINK("square", square)};

static const metric_link *link_find(const char *name) {
  size_t k;
  for (k = 0; k < sizeof links / sizeof *links; k++)
    if (name == NULL || strcmp(links[k].name, name) == 0) return &links[k];
  return NULL;
}

/* One run of descent: public settings, the rows, and room. */
typedef struct descent {
  const metric_link *phi;
  const double *y;
  size_t n, d, coordinates, bytes;
  double radius, param_radius, step_size;
  double *rows, *w, *g, *v, *room, *spare;
  void *work;
} descent;

static void descent_free(descent *r) {
  free(r->rows);
  free(r->work);
  memset(r, 0, sizeof *r);
}

/* Clips the rows and sets W to the start, a multiple of the identity. */
static dppair_status descent_begin(descent *r, const task *t) {
  const records *rows = &t->train;
  size_t square, room, k;
  dppair_status status;
  memset(r, 0, sizeof *r);
  r->phi = link_find(t->with.loss);
  if (r->phi == NULL) return DPPAIR_ERR_DOMAIN;
  r->y = rows->y;
  r->n = rows->n;
  r->d = rows->d;
  r->radius = task_radius(t);
  r->param_radius = t->with.param_radius;
  if (!(r->param_radius > 0)) r->param_radius = 2 * sqrt((double)r->d) / (r->radius * r->radius);
  if (dppair_size_mul(&square, r->d, r->d)) return DPPAIR_ERR_OVERFLOW;
  r->coordinates = (square + r->d) / 2;
  status = r->phi->workspace(&r->bytes, r->n, r->d, r->d);
  if (status == DPPAIR_OK) status = dppair_project_work(&room, r->d);
  if (status != DPPAIR_OK) return status;
  r->rows = malloc((r->n * r->d + 3 * square + room + r->coordinates) * sizeof *r->rows);
  r->work = malloc(r->bytes);
  if (r->rows == NULL || r->work == NULL) return DPPAIR_ERR_OVERFLOW;
  r->w = r->rows + r->n * r->d;
  r->g = r->w + square;
  r->spare = r->g + square;
  r->v = r->spare + square;
  r->room = r->v + r->coordinates;
  memset(r->w, 0, square * sizeof *r->w);
  for (k = 0; k < r->d; k++) r->w[k * r->d + k] = 1 / (r->radius * r->radius);
  status = dppair_project_l2_f64(r->w, square, r->param_radius);
  return status == DPPAIR_OK ? rows_clip(r->rows, rows, NULL, r->radius) : status;
}

/*
 * The sensitivity of the computed mean gradient at W. Margins of this W lie in [1 - V m, 1] and
 * [-1, V m - 1], V = 4 R^2, m its largest eigenvalue, so the constants are those of a ball of
 * radius m. A computed W may have eigenvalues of -1e-13 m and a computed margin rounding errors: a
 * millionth part of a millionth on m and on the slopes is far more than both. Sums round too: their
 * certified error counts for both data sets.
 */
static dppair_status sensitivity(double *out, descent *r) {
  const double pairs = 0.5 * (double)r->n * (double)(r->n - 1);
  dppair_bounds bounds = {0, 0, 1, 0, 0};
  dppair_constants k;
  double error;
  dppair_status status = dppair_eigen_f64(r->v, r->spare, r->w, r->d, r->room);
  if (status != DPPAIR_OK) return status;
  bounds.radius = r->radius;
  bounds.offset = offset;
  bounds.param_radius = r->v[r->d - 1] * (1 + 1e-12) + 1e-12 * dppair_norm_f64(r->w, r->d * r->d);
  if (!(bounds.param_radius > 0)) bounds.param_radius = 1e-12; /* W = 0 */
  status = dppair_constants_find(&k, DPPAIR_MARGIN_metric_psd, r->phi->loss, NULL, &bounds);
  if (status == DPPAIR_OK)
    status = r->phi->error(&error, r->n, r->d, r->radius, k.slope * (1 + 1e-12), 1.0);
  if (status != DPPAIR_OK) return status;
  *out = k.replace_one / (double)r->n * (1 + 1e-9) + 2 * error / pairs;
  return DPPAIR_OK;
}

/* g(W) + noise of scale sigma (0: none) in orthonormal coordinates, then a step and the projection.
 */
static dppair_status step(descent *r, double eta, double sigma, dppair_rng *noise) {
  const double pairs = 0.5 * (double)r->n * (double)(r->n - 1);
  size_t k;
  dppair_status status = r->phi->gradient(r->g, r->rows, r->y, r->n, r->d, r->d, r->w, offset,
                                          DPPAIR_NO_CLIP, NULL, r->work, r->bytes);
  if (status != DPPAIR_OK) return status;
  dppair_symmetric_pack_f64(r->v, r->g, r->d);
  for (k = 0; k < r->coordinates; k++) r->v[k] /= pairs;
  if (sigma > 0) status = dppair_add_gaussian_f64(r->v, r->coordinates, sigma, noise);
  if (status != DPPAIR_OK) return status;
  dppair_symmetric_unpack_f64(r->g, r->v, r->d);
  for (k = 0; k < r->d * r->d; k++) r->w[k] -= eta * r->g[k];
  return dppair_project_psd_frobenius_f64(r->w, r->d, r->param_radius, r->room);
}

/* What a pass over all pairs of n records takes, in units of about a nanosecond. */
static double pair_time(size_t n, size_t d) { return (double)n * (double)n * ((double)d / 8 + 4); }

/*
 * Steps and step size from public numbers; move is the sensitivity at the start. With p = d(d+1)/2
 * coordinates the noise of a whole run has norm about eta T move sqrt(p)/mu, the start sqrt(d)/R^2;
 * margins move by about 1 over a travel eta T of sqrt(d)/R^4. The travel is a quarter of what would
 * make the noise as large as the start. Fewer steps where they would take minutes.
 */
static void plan(size_t *steps, double *eta, const descent *r, const settings *with, double mu,
                 double move) {
  const double square = r->radius * r->radius;
  const double clear = square * mu / (move * sqrt((double)r->coordinates));
  const double most = fmin(fmin(clear, 20), 2e10 / pair_time(r->n, r->d));
  *steps = most < 2 ? 1 : (size_t)most;
  if (with->steps > 0) *steps = with->steps;
  *eta = fmin(0.25 * clear, 8) * sqrt((double)r->d) / (square * square) / (double)*steps;
  if (with->step_size > 0) *eta = with->step_size;
}

static dppair_status descend(model *out, descent *r, const task *t) {
  dppair_accountant spent;
  double mu, eta, move;
  size_t k;
  dppair_status status = dppair_gaussian_mu(&mu, t->epsilon, t->delta);
  if (status == DPPAIR_OK) status = dppair_accountant_init(&spent);
  if (status == DPPAIR_OK) status = sensitivity(&move, r);
  if (status != DPPAIR_OK) return status;
  plan(&out->steps, &eta, r, &t->with, mu, move);
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) {
    status = sensitivity(&move, r);
    if (status == DPPAIR_OK)
      status = dppair_gaussian_sigma(&out->sigma, move, t->epsilon, t->delta, out->steps);
    if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&spent, move, out->sigma, 1);
    if (status == DPPAIR_OK) status = step(r, eta, out->sigma, t->noise);
  }
  if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&out->epsilon, &spent, t->delta);
  return status;
}

static dppair_status train(model *out, const task *t) {
  descent r;
  size_t d = t->train.d;
  dppair_status status = descent_begin(&r, t);
  if (status == DPPAIR_OK) status = model_allocate(out, d, d * d);
  if (status == DPPAIR_OK) status = descend(out, &r, t);
  if (status == DPPAIR_OK) memcpy(out->theta, r.w, d * d * sizeof *r.w);
  out->radius = r.radius;
  descent_free(&r);
  return status;
}

static const method method_metric_gd = {"gd",
                                        "noisy projected gradient descent over all pairs",
                                        "the metric, one symmetric matrix; every iterate on the "
                                        "way to it",
                                        OFFERS_DESCENT | OFFERS_PARAM_RADIUS | NEEDS_CUBES,
                                        0,
                                        train};

static const method *metric_method(const char *name) {
  return strcmp(name, method_metric_gd.name) == 0 ? &method_metric_gd : metric_find(name);
}

/* The same descent without noise, into to->w: what the data would allow. On the first records of
 * the split, which are in random order, where all of them would take minutes. */
static dppair_status train_reference(descent *to, const task *t) {
  const double most = 1e10 / REFERENCE_STEPS / pair_time(1, t->train.d);
  task part = *t;
  descent r;
  double r4;
  dppair_status status;
  int k;
  if ((double)t->train.n * (double)t->train.n > most) part.train.n = (size_t)sqrt(most);
  status = descent_begin(&r, &part);
  r4 = r.radius * r.radius * r.radius * r.radius;
  for (k = 0; k < REFERENCE_STEPS && status == DPPAIR_OK; k++)
    status = step(&r, 0.25 / r4, 0, NULL);
  if (status == DPPAIR_OK) memcpy(to->w, r.w, r.d * r.d * sizeof *r.w);
  descent_free(&r);
  return status;
}

/* --- simulation ------------------------------------------------------------------------------- */

typedef struct figures {
  summary accuracy, risk;
} figures;

typedef struct result {
  figures of;
  double sigma, epsilon_spent, seconds; /* of the last run, as steps and note */
  size_t steps;
  char note[640];
} result;

typedef struct simulation {
  result at[MAX_BUDGETS];
  figures reference, identity;
  size_t n_train, n_test, used; /* n_test: test records that are looked at */
  double delta;
} simulation;

/* 3-NN accuracy on the test records and the mean loss of test pairs, both with rows clipped. */
static dppair_status measure(figures *f, const descent *r, const split *part, const double *w) {
  const records *test = &part->test;
  const double pairs = 0.5 * (double)test->n * (double)(test->n - 1);
  size_t bytes;
  double *rows = malloc(test->n * test->d * sizeof *rows), accuracy, risk;
  double *near = malloc((r->n + r->d + 2 * NEIGHBOURS) * sizeof *near);
  void *work = NULL;
  dppair_status status = rows == NULL || near == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  if (status == DPPAIR_OK) status = rows_clip(rows, test, NULL, r->radius);
  if (status == DPPAIR_OK)
    status = dppair_knn_accuracy_f64(&accuracy, r->rows, r->y, r->n, rows, test->y, test->n, r->d,
                                     r->d, w, NEIGHBOURS, near);
  if (status == DPPAIR_OK) status = r->phi->workspace(&bytes, test->n, r->d, r->d);
  if (status == DPPAIR_OK && (work = malloc(bytes)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = r->phi->risk(&risk, rows, test->y, test->n, r->d, r->d, w, offset, NULL, work, bytes);
  if (status == DPPAIR_OK) {
    summary_add(&f->accuracy, accuracy);
    summary_add(&f->risk, risk / pairs);
  }
  free(rows);
  free(near);
  free(work);
  return status;
}

static dppair_status simulate_budget(result *at, const descent *r, const method *m, task *t,
                                     const split *part, const options *o, size_t k, size_t b) {
  dppair_rng noise, indices;
  model fitted;
  const double start = seconds_now();
  dppair_status status = trial_keys(&noise, &indices, o->seed, k * MAX_BUDGETS + b);
  if (status != DPPAIR_OK) return status;
  t->noise = &noise;
  t->indices = &indices;
  status = method_train(&fitted, m, t);
  at->seconds += seconds_now() - start;
  if (status != DPPAIR_OK) return status;
  at->sigma = fitted.sigma;
  at->epsilon_spent = fitted.epsilon;
  at->steps = fitted.steps;
  memcpy(at->note, fitted.note, sizeof at->note);
  status = measure(&at->of, r, part, fitted.theta);
  model_free(&fitted);
  return status;
}

static dppair_status simulate_split(simulation *sim, const options *o, const method *m,
                                    const dataset *data, scale_kind scale, const split *part,
                                    size_t k) {
  size_t b;
  descent r;
  task t;
  dppair_status status;
  task_fill(&t, o, data, scale, o->epsilon[0], sim->delta);
  t.train = part->train;
  status = descent_begin(&r, &t);
  if (status == DPPAIR_OK) status = measure(&sim->identity, &r, part, r.w);
  if (status == DPPAIR_OK) status = train_reference(&r, &t);
  if (status == DPPAIR_OK) status = measure(&sim->reference, &r, part, r.w);
  for (b = 0; b < o->budgets && status == DPPAIR_OK; b++) {
    t.epsilon = o->epsilon[b];
    status = simulate_budget(&sim->at[b], &r, m, &t, part, o, k, b);
  }
  descent_free(&r);
  sim->used++;
  return status;
}

static int simulate(simulation *sim, const options *o, const method *m, const dataset *data,
                    scale_kind scale) {
  simulation_rng rng;
  progress bar;
  size_t k, *order = malloc(data->n * sizeof *order);
  dppair_status status = order == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  simulation_seed(&rng, o->seed);
  progress_begin(&bar, "training", o->splits, o->quiet);
  for (k = 0; k < o->splits && status == DPPAIR_OK; k++) {
    split part;
    simulation_permutation(order, data->n, &rng);
    if (!split_make(&part, data, order, sim->n_train, data->n - sim->n_train, scale)) {
      status = DPPAIR_ERR_OVERFLOW;
      break;
    }
    part.test.n = sim->n_test;
    status = simulate_split(sim, o, m, data, scale, &part, k);
    split_free(&part);
    progress_step(&bar);
  }
  progress_end(&bar);
  free(order);
  return status == DPPAIR_OK ? 0 : complain(1, "%s: %s", m->name, dppair_status_string(status));
}

static void print_json(const simulation *sim, const options *o) {
  size_t b;
  for (b = 0; b < o->budgets; b++) {
    const result *r = &sim->at[b];
    int first = 1;
    (void)fputs("{\"simulation\": true, ", stdout);
    json_member_text(stdout, "method", o->method, &first);
    json_member_number(stdout, "epsilon", o->epsilon[b], &first);
    json_member_number(stdout, "delta", sim->delta, &first);
    json_member_number(stdout, "epsilon_spent", r->epsilon_spent, &first);
    json_member_number(stdout, "n_train", (double)sim->n_train, &first);
    json_member_number(stdout, "n_test", (double)sim->n_test, &first);
    json_member_number(stdout, "splits", (double)sim->used, &first);
    json_member_number(stdout, "sigma", r->sigma, &first);
    json_member_number(stdout, "steps", (double)r->steps, &first);
    json_member_number(stdout, "knn_private_mean", r->of.accuracy.mean, &first);
    json_member_number(stdout, "knn_private_sd", summary_sd(&r->of.accuracy), &first);
    json_member_number(stdout, "knn_nonprivate_mean", sim->reference.accuracy.mean, &first);
    json_member_number(stdout, "knn_identity_mean", sim->identity.accuracy.mean, &first);
    json_member_number(stdout, "risk_private_mean", r->of.risk.mean, &first);
    json_member_number(stdout, "risk_private_sd", summary_sd(&r->of.risk), &first);
    json_member_number(stdout, "risk_nonprivate_mean", sim->reference.risk.mean, &first);
    json_member_number(stdout, "risk_identity_mean", sim->identity.risk.mean, &first);
    json_member_number(stdout, "seconds", r->seconds, &first);
    (void)puts("}");
  }
}

static void print_table(const simulation *sim, const options *o, const method *m,
                        const dataset *data, scale_kind scale) {
  size_t b;
  (void)puts("simulation on your data: not a release");
  if (!o->quiet)
    (void)printf(
        "%s: %zu records, %zu features, +1 is \"%s\", scaled by %s\n"
        "method %s, %zu training and %zu test records, %zu random splits, delta = %.6g%s, %s\n",
        data_name(o), data->n, data->d, data->label[1], scale_words[scale], m->name, sim->n_train,
        sim->n_test, sim->used, rounded_up(sim->delta), o->delta_given ? "" : " (1/n_train)",
        dppair_isa_name());
  if (!o->quiet) print_learnt(data);
  (void)puts("\n           3-NN accuracy                              pairwise risk\n"
             " epsilon   private             non-private  identity  private  non-private  identity"
             "  noise sigma  steps");
  for (b = 0; b < o->budgets; b++) {
    const result *r = &sim->at[b];
    (void)printf(
        " %-7g   %.4f +- %.4f    %.4f       %.4f    %.4f   %.4f       %.4f    %-11.4g  %zu\n",
        o->epsilon[b], r->of.accuracy.mean, summary_sd(&r->of.accuracy),
        sim->reference.accuracy.mean, sim->identity.accuracy.mean, r->of.risk.mean,
        sim->reference.risk.mean, sim->identity.risk.mean, r->sigma, r->steps);
  }
  if (o->quiet) return;
  (void)puts(
      "\n(on test records, mean +- standard deviation over splits; risk is the mean loss of test"
      " pairs;\n\"identity\" is the start, a multiple of the Euclidean metric, which needs no data;"
      " \"non-private\"\nthe same descent without noise, on some of the records where there are "
      "many)\n");
  for (b = 0; b < o->budgets; b++)
    if (sim->at[b].note[0] != '\0')
      (void)printf("epsilon %g: %s\n", o->epsilon[b], sim->at[b].note);
  if (scale == SCALE_ZSCORE) {
    print_wrapped(stdout, "NOT COVERED BY ANY GUARANTEE: --scale zscore uses means and deviations "
                          "of the records without noise. Declare ranges, or use --scale row.");
    return;
  }
  print_promise(&kind, o, m, data, sim->at[0].epsilon_spent);
}

static int draw(const simulation *sim, const options *o) {
  budget_chart chart = {"Private metric learning: 3-NN accuracy over epsilon",
                        NULL,
                        "3-NN accuracy on test records",
                        {"private", "non-private", "identity"},
                        {0},
                        {0},
                        {sim->reference.accuracy.mean, sim->identity.accuracy.mean}};
  char subtitle[160];
  size_t b;
  for (b = 0; b < o->budgets; b++) {
    chart.value[b] = sim->at[b].of.accuracy.mean;
    chart.deviation[b] = summary_sd(&sim->at[b].of.accuracy);
  }
  (void)snprintf(subtitle, sizeof subtitle, "%s, n = %zu, delta = %.3g, %zu splits, bars: one s.d.",
                 data_name(o), sim->n_train, sim->delta, sim->used);
  chart.subtitle = subtitle;
  return draw_budgets(o, &chart);
}

static int run_simulation(const options *o, const method *m, const dataset *data,
                          scale_kind scale) {
  simulation sim;
  double most;
  int code;
  memset(&sim, 0, sizeof sim);
  sim.n_train = 2 * data->n / 3;
  sim.delta = o->delta_given ? o->delta : 1 / (double)sim.n_train;
  if (sim.n_train < NEIGHBOURS + 1 || data->n - sim.n_train < 2)
    return complain(1, "%s: too few records for a split", data_name(o));
  /* neighbours of all test records would take minutes for large n */
  most = 2e9 / ((double)sim.n_train * (double)data->d);
  sim.n_test = data->n - sim.n_train;
  if ((double)sim.n_test > fmax(most, 200)) sim.n_test = (size_t)fmax(most, 200);
  code = simulate(&sim, o, m, data, scale);
  if (code != 0) return code;
  if (o->svg != NULL && (code = draw(&sim, o)) != 0) return code;
  if (o->json)
    print_json(&sim, o);
  else
    print_table(&sim, o, m, data, scale);
  return 0;
}

int main(int argc, char **argv) {
  static const double usual[] = {0.5, 1, 2, 4};
  options o;
  dataset data;
  scale_kind scale = SCALE_ROW;
  const method *m;
  int code, k;
  program_name = "private_metric";
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) {
      size_t j;
      print_usage(usage, usage_runs);
      for (j = 0; metric_methods[j] != NULL; j++) print_method(metric_methods[j]);
      return 0;
    }
    if (strcmp(argv[k], "--version") == 0) {
      (void)printf("private_metric (dppair) %s\n", DPPAIR_VERSION_STRING);
      return 0;
    }
  }
  memset(&o, 0, sizeof o);
  o.method = "gd";
  o.splits = 20;
  o.seed = 1;
  o.budgets = sizeof usual / sizeof *usual;
  memcpy(o.epsilon, usual, sizeof usual);
  if (!parse(&o, argc, argv)) return 2;
  m = metric_method(o.method);
  if (m == NULL) return complain(2, "no method is called '%s' (see --help)", o.method);
  if (!check_offers(&o, m->name, m->offers)) return 2;
  if (link_find(o.with.loss) == NULL)
    return complain(2, "no loss is called '%s' (see --help)", o.with.loss);
  if (o.model != NULL) return release(&kind, &o, m);
  code = load(&data, &scale, &o);
  if (code == 0) code = check_data(&data, &o, m);
  if (code == 0) code = run_simulation(&o, m, &data, scale);
  data_free(&data);
  return code;
}
