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
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_losses.h"
#include "methods/measures.h"

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

#include "support/program.h"
#include "support/svg.h"

enum { NEIGHBOURS = 3, REFERENCE_STEPS = 200 };
static const double offset = 1.0;

static const char usage[] =
    "private_metric - learn a Mahalanobis metric under differential privacy\n"
    "\n"
    "usage: private_metric [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV (comma, semicolon or tab; header optional). Labels have two levels: of "
    "two\n"
    "numbers the larger is +1, of two words the later one. Without DATA: the Pima diabetes "
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
    "stated\n" PROGRAM_DATA_HELP "simulation\n"
    "  --splits K          random splits, two thirds for training (default 20)\n"
    "  --seed N            of the splits and the simulated noise (default 1)\n"
    "  --svg FILE          a picture of 3-NN accuracy over epsilon\n"
    "  --json              one JSON object per epsilon and line instead of the table\n"
    "  --quiet             no progress, no prose\n"
    "release\n"
    "  --model FILE        train once on ALL records, noise keyed by the operating system, and "
    "write\n"
    "                      metric, scaling and guarantee; needs one --epsilon\n"
    "  --save-key FILE     with --model: keep the noise key (mode 0600, never overwrites). "
    "Whoever\n"
    "                      has this file can undo the noise: for audit only\n"
    "  --replay FILE       with --model: use a kept key instead of fresh noise\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 ok, 1 the work failed, 2 wrong use.\n"
    "\n"
    "other methods\n";

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
  task job; /* the same as other methods take it */
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
static dppair_status descent_begin(descent *r, const records *rows, const options *o,
                                   scale_kind scale) {
  task t;
  size_t square, room, k;
  dppair_status status;
  memset(r, 0, sizeof *r);
  memset(&t, 0, sizeof t);
  t.train = *rows;
  t.scale = scale;
  t.with = o->with;
  r->job = t;
  r->phi = link_find(o->with.loss);
  r->y = rows->y;
  r->n = rows->n;
  r->d = rows->d;
  r->radius = task_radius(&t);
  r->param_radius = o->with.param_radius;
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
static void plan(size_t *steps, double *eta, const descent *r, const options *o, double mu,
                 double move) {
  const double square = r->radius * r->radius;
  const double clear = square * mu / (move * sqrt((double)r->coordinates));
  const double most = fmin(fmin(clear, 20), 2e10 / pair_time(r->n, r->d));
  *steps = most < 2 ? 1 : (size_t)most;
  if (o->with.steps > 0) *steps = o->with.steps;
  *eta = fmin(0.25 * clear, 8) * sqrt((double)r->d) / (square * square) / (double)*steps;
  if (o->with.step_size > 0) *eta = o->with.step_size;
}

/* What a private run reports beside W. */
typedef struct release {
  double sigma, epsilon;
  size_t steps;
  char note[640];
} release;

/* One of metric_methods: its W takes the place of the descent's. */
static dppair_status train_other(release *out, descent *r, const options *o, double epsilon,
                                 double delta, dppair_rng *noise, dppair_rng *indices) {
  task t = r->job;
  model fitted;
  dppair_status status;
  t.epsilon = epsilon;
  t.delta = delta;
  t.noise = noise;
  t.indices = indices;
  status = method_train(&fitted, metric_find(o->method), &t);
  if (status != DPPAIR_OK) return status;
  memcpy(r->w, fitted.theta, r->d * r->d * sizeof *r->w);
  out->sigma = fitted.sigma;
  out->epsilon = fitted.epsilon;
  out->steps = fitted.steps;
  memcpy(out->note, fitted.note, sizeof out->note);
  model_free(&fitted);
  return DPPAIR_OK;
}

static dppair_status train(release *out, descent *r, const options *o, double epsilon, double delta,
                           dppair_rng *noise, dppair_rng *indices) {
  dppair_accountant spent;
  double mu, eta, move;
  size_t k;
  dppair_status status;
  memset(out, 0, sizeof *out);
  if (strcmp(o->method, "gd") != 0) return train_other(out, r, o, epsilon, delta, noise, indices);
  status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status == DPPAIR_OK) status = dppair_accountant_init(&spent);
  if (status != DPPAIR_OK) return status;
  status = sensitivity(&move, r);
  if (status != DPPAIR_OK) return status;
  plan(&out->steps, &eta, r, o, mu, move);
  for (k = 0; k < out->steps && status == DPPAIR_OK; k++) {
    status = sensitivity(&move, r);
    if (status == DPPAIR_OK)
      status = dppair_gaussian_sigma(&out->sigma, move, epsilon, delta, out->steps);
    if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&spent, move, out->sigma, 1);
    if (status == DPPAIR_OK) status = step(r, eta, out->sigma, noise);
  }
  if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&out->epsilon, &spent, delta);
  return status;
}

/* The same descent without noise, into to->w: what the data would allow. On the first records of
 * the split, which are in random order, where all of them would take minutes. */
static dppair_status train_reference(descent *to, const records *train_rows, const options *o,
                                     scale_kind scale) {
  const double most = 1e10 / REFERENCE_STEPS / pair_time(1, train_rows->d);
  records rows = *train_rows;
  descent r;
  double r4;
  dppair_status status;
  int k;
  if ((double)rows.n * (double)rows.n > most) rows.n = (size_t)sqrt(most);
  status = descent_begin(&r, &rows, o, scale);
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
  release last;
  double seconds;
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

static dppair_status simulate_split(simulation *sim, const options *o, scale_kind scale,
                                    const split *part, size_t k) {
  size_t b;
  descent r;
  dppair_status status = descent_begin(&r, &part->train, o, scale);
  if (status == DPPAIR_OK) status = measure(&sim->identity, &r, part, r.w);
  if (status == DPPAIR_OK) status = train_reference(&r, &part->train, o, scale);
  if (status == DPPAIR_OK) status = measure(&sim->reference, &r, part, r.w);
  descent_free(&r);
  for (b = 0; b < o->budgets && status == DPPAIR_OK; b++) {
    dppair_rng noise, indices;
    const double start = seconds_now();
    simulated_keys(&noise, &indices, o->seed, k, b);
    status = descent_begin(&r, &part->train, o, scale);
    if (status == DPPAIR_OK)
      status = train(&sim->at[b].last, &r, o, o->epsilon[b], sim->delta, &noise, &indices);
    sim->at[b].seconds += seconds_now() - start;
    if (status == DPPAIR_OK) status = measure(&sim->at[b].of, &r, part, r.w);
    descent_free(&r);
  }
  sim->used++;
  return status;
}

static int simulate(simulation *sim, const options *o, const dataset *data, scale_kind scale) {
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
    status = simulate_split(sim, o, scale, &part, k);
    split_free(&part);
    progress_step(&bar);
  }
  progress_end(&bar);
  free(order);
  return status == DPPAIR_OK ? 0
                             : complain(1, "%s: %s", data_name(o), dppair_status_string(status));
}

static void guarantee(char *out, size_t size, double epsilon, double delta, size_t n,
                      const char *where) {
  (void)snprintf(
      out, size,
      "If any single one of the n = %zu records, features and label together, had been replaced by "
      "any other record, then for every set of possible outcomes the probability that the released "
      "outcome lies in it would have been at most exp(%.6g) times as large plus %.6g. That is "
      "(epsilon, delta) = (%.6g, %.6g) differential privacy for one replaced record. What is "
      "released, and all that this covers, is the metric, one symmetric matrix, and every iterate "
      "on the way to it, in %s. Treated as public: the number of records, the columns with their "
      "declared ranges or maps, the names of the two labels, and every setting. Not covered: "
      "nearest-neighbour predictions, whose neighbours are raw records; figures computed from the "
      "data without noise, such as any accuracy or risk in a simulation; other releases from the "
      "same data, whose budgets add to this one; people who own several records; and what an "
      "observer learns from the running time or the memory of this computer.",
      n, epsilon, rounded_up(delta), epsilon, rounded_up(delta), where);
}

static void print_json(const simulation *sim, const options *o) {
  size_t b;
  for (b = 0; b < o->budgets; b++) {
    const result *r = &sim->at[b];
    int first = 1;
    (void)putchar('{');
    json_member_text(stdout, "method", o->method, &first);
    json_member_number(stdout, "epsilon", o->epsilon[b], &first);
    json_member_number(stdout, "delta", sim->delta, &first);
    json_member_number(stdout, "epsilon_spent", r->last.epsilon, &first);
    json_member_number(stdout, "n_train", (double)sim->n_train, &first);
    json_member_number(stdout, "n_test", (double)sim->n_test, &first);
    json_member_number(stdout, "splits", (double)sim->used, &first);
    json_member_number(stdout, "sigma", r->last.sigma, &first);
    json_member_number(stdout, "steps", (double)r->last.steps, &first);
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

static void print_table(const simulation *sim, const options *o, const dataset *data,
                        scale_kind scale) {
  size_t b;
  char text[1600];
  (void)puts("simulation on your data: not a release");
  if (!o->quiet)
    (void)printf(
        "%s: %zu records, %zu features, +1 is \"%s\", scaled by %s\n"
        "%s loss, %zu training and %zu test records, %zu random splits, delta = %.6g%s, %s\n",
        data_name(o), data->n, data->d, data->label[1], scale_words[scale],
        link_find(o->with.loss)->name, sim->n_train, sim->n_test, sim->used, rounded_up(sim->delta),
        o->delta_given ? "" : " (1/n_train)", dppair_isa_name());
  (void)puts("\n           3-NN accuracy                              pairwise risk\n"
             " epsilon   private             non-private  identity  private  non-private  identity"
             "  noise sigma  steps");
  for (b = 0; b < o->budgets; b++) {
    const result *r = &sim->at[b];
    (void)printf(
        " %-7g   %.4f +- %.4f    %.4f       %.4f    %.4f   %.4f       %.4f    %-11.4g  %zu\n",
        o->epsilon[b], r->of.accuracy.mean, summary_sd(&r->of.accuracy),
        sim->reference.accuracy.mean, sim->identity.accuracy.mean, r->of.risk.mean,
        sim->reference.risk.mean, sim->identity.risk.mean, r->last.sigma, r->last.steps);
  }
  if (o->quiet) return;
  (void)puts(
      "\n(on test records, mean +- standard deviation over splits; risk is the mean loss of test"
      " pairs;\n\"identity\" is the start, a multiple of the Euclidean metric, which needs no data;"
      " \"non-private\"\nthe same descent without noise, on some of the records where there are "
      "many)\n");
  for (b = 0; b < o->budgets; b++)
    if (sim->at[b].last.note[0] != '\0')
      (void)printf("epsilon %g: %s\n", o->epsilon[b], sim->at[b].last.note);
  if (scale == SCALE_ZSCORE) {
    print_wrapped(stdout, "NOT COVERED BY ANY GUARANTEE: --scale zscore uses means and deviations "
                          "of the records without noise. Declare ranges, or use --scale row.");
    return;
  }
  (void)puts("What a release with --model FILE would guarantee:");
  guarantee(text, sizeof text, stated_epsilon(sim->at[0].last.epsilon, o->epsilon[0]), sim->delta,
            sim->n_train, "the file that --model names");
  print_wrapped(stdout, text);
}

static int draw(const simulation *sim, const options *o) {
  double x[MAX_BUDGETS], y[MAX_BUDGETS], e[MAX_BUDGETS], ceiling[MAX_BUDGETS],
      identity[MAX_BUDGETS];
  svg_series series[3] = {{"private", NULL, NULL, NULL, 0, 0},
                          {"non-private", NULL, NULL, NULL, 0, 1},
                          {"identity", NULL, NULL, NULL, 0, 1}};
  svg_chart chart;
  char subtitle[160];
  size_t b;
  int k;
  for (b = 0; b < o->budgets; b++) {
    x[b] = o->epsilon[b];
    y[b] = sim->at[b].of.accuracy.mean;
    e[b] = summary_sd(&sim->at[b].of.accuracy);
    ceiling[b] = sim->reference.accuracy.mean;
    identity[b] = sim->identity.accuracy.mean;
  }
  for (k = 0; k < 3; k++) {
    series[k].x = x;
    series[k].n = o->budgets;
  }
  series[0].y = y;
  series[0].error = e;
  series[1].y = ceiling;
  series[2].y = identity;
  (void)snprintf(subtitle, sizeof subtitle, "%s, n = %zu, delta = %.3g, %zu splits, bars: one s.d.",
                 data_name(o), sim->n_train, sim->delta, sim->used);
  chart.title = "Private metric learning: 3-NN accuracy over epsilon";
  chart.subtitle = subtitle;
  chart.x_label = "epsilon (privacy budget, logarithmic)";
  chart.y_label = "3-NN accuracy on test records";
  chart.log_x = 1;
  chart.series = series;
  chart.count = 3;
  if (!svg_write(o->svg, &chart)) return complain(1, "%s: %s", o->svg, strerror(errno));
  return 0;
}

static int run_simulation(const options *o, const dataset *data, scale_kind scale) {
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
  code = simulate(&sim, o, data, scale);
  if (code != 0) return code;
  if (o->svg != NULL && (code = draw(&sim, o)) != 0) return code;
  if (o->json)
    print_json(&sim, o);
  else
    print_table(&sim, o, data, scale);
  return 0;
}

/* --- release ---------------------------------------------------------------------------------- */

static int write_model(const options *o, const dataset *data, scale_kind scale, const descent *r,
                       const release *spent, double delta, const char *words) {
  FILE *file = fopen(o->model, "w");
  size_t i, j;
  int ok, first = 1;
  if (file == NULL) return complain(1, "%s: %s", o->model, strerror(errno));
  (void)fputc('{', file);
  json_member_text(file, "format", "dppair private_metric model 1", &first);
  json_member_text(file, "guarantee", words, &first);
  json_member_text(file, "adjacency", "replace-one", &first);
  json_member_number(file, "epsilon", spent->epsilon, &first);
  json_member_number(file, "delta", delta, &first);
  json_member_number(file, "n", (double)data->n, &first);
  json_member_number(file, "steps", (double)spent->steps, &first);
  json_member_number(file, "sigma", spent->sigma, &first);
  json_member_number(file, "radius", r->radius, &first);
  json_member_text(file, "scale", scale_names[scale], &first);
  json_member(file, "columns", &first);
  write_columns(file, data);
  json_member(file, "metric", &first);
  for (i = 0; i < r->d; i++) {
    (void)fputs(i > 0 ? ",\n    [" : "[\n    [", file);
    for (j = 0; j < r->d; j++) {
      if (j > 0) (void)fputs(", ", file);
      json_number(file, r->w[i * r->d + j]);
    }
    (void)fputc(']', file);
  }
  (void)fputs("\n  ]}\n", file);
  ok = !ferror(file);
  if (fclose(file) == 0 && ok) return 0;
  (void)remove(o->model);
  return complain(1, "%s: %s", o->model, strerror(errno));
}

static int run_release(const options *o, const dataset *data, scale_kind scale) {
  const double delta = o->delta_given ? o->delta : 1 / (double)data->n;
  release_key key;
  dppair_rng noise, indices;
  release spent;
  descent r;
  split all;
  char words[1600];
  size_t i, *order;
  dppair_status status;
  int code;
  if (scale == SCALE_ZSCORE)
    return complain(
        2, "--scale zscore is not covered by the guarantee, so there is no --model for it");
  order = malloc(data->n * sizeof *order);
  for (i = 0; order != NULL && i < data->n; i++) order[i] = i;
  if (order == NULL || !split_make(&all, data, order, data->n, 0, scale)) {
    free(order);
    return complain(1, "%s", dppair_status_string(DPPAIR_ERR_OVERFLOW));
  }
  free(order);
  if (!key_make(&key, o)) {
    split_free(&all);
    return 1;
  }
  memset(&r, 0, sizeof r);
  status = dppair_rng_from_key(&noise, key.noise, 0);
  if (status == DPPAIR_OK) status = dppair_rng_from_key(&indices, key.indices, 0);
  dppair_wipe(&key, sizeof key);
  if (status == DPPAIR_OK) status = descent_begin(&r, &all.train, o, scale);
  if (status == DPPAIR_OK) status = train(&spent, &r, o, o->epsilon[0], delta, &noise, &indices);
  dppair_wipe(&noise, sizeof noise);
  if (status == DPPAIR_OK) {
    guarantee(words, sizeof words, stated_epsilon(spent.epsilon, o->epsilon[0]), delta, data->n,
              "the file that --model names");
    code = write_model(o, data, scale, &r, &spent, delta, words);
    if (code == 0 && !o->quiet) {
      (void)printf("%s: written\n", o->model);
      print_wrapped(stdout, words);
    }
  } else {
    code = complain(1, "%s: %s", data_name(o), dppair_status_string(status));
  }
  descent_free(&r);
  split_free(&all);
  return code;
}

int main(int argc, char **argv) {
  static const double usual[] = {0.5, 1, 2, 4};
  options o;
  dataset data;
  scale_kind scale = SCALE_ROW;
  int code, k;
  program_name = "private_metric";
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) {
      size_t m;
      (void)fputs(usage, stdout);
      for (m = 0; metric_methods[m] != NULL; m++) print_method(metric_methods[m]);
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
  if (strcmp(o.method, "gd") != 0 && metric_find(o.method) == NULL)
    return complain(2, "no method is called '%s' (see --help)", o.method);
  if (link_find(o.with.loss) == NULL)
    return complain(2, "no loss is called '%s' (see --help)", o.with.loss);
  if (!check_offers(&o, o.method, strcmp(o.method, "gd") == 0 ? 0 : metric_find(o.method)->offers))
    return 2;
  code = load(&data, &scale, &o);
  if (code == 0)
    code = o.model != NULL ? run_release(&o, &data, scale) : run_simulation(&o, &data, scale);
  data_free(&data);
  return code;
}
