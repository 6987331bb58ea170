/* SPDX-License-Identifier: MIT */
/*
 * bounds - what the papers' utility theorems promise, beside what happens: methods run on simulated
 * laws of which the smallest population risk is known; the theorems are evaluated at the same
 * numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/trial.h"
#include "support/laws.h"
#include "support/program.h"
#include "support/svg.h"
#include "support/utility_bounds.h"

static const char usage[] =
    "bounds - the papers' utility theorems beside what happens\n"
    "\n"
    "usage: bounds [--only NAME] [--runs K] [--seed S] [--json] [--svg FILE]\n"
    "       bounds --theorem NAME --n N ...    evaluates one\n"
    "       bounds --list                      the theorems, what each needs, what is wrong with it\n"
    "\n"
    "Runs methods of the papers on simulated laws of records whose smallest population risk is\n"
    "known, and prints the papers' bounds on the excess risk beside what was measured.\n"
    "Simulations: nothing here is a release, and everything that is measured is NOT PRIVATE.\n"
    "\n"
    "simulation\n"
    "  --only NAME         the experiments with this in their name\n"
    "  --runs K            runs of each cell, in place of the experiment's own number\n"
    "  --seed S            of everything that is random; the same numbers again\n"
    "  --svg FILE          the first experiment's bounds and truth over n; over epsilon in FILE with\n"
    "                      -epsilon before its extension\n"
    "  --json              one object a line for each theorem of each experiment\n"
    "  --theorem NAME      evaluates it; the numbers that it takes are below\n"
    "  --list              the theorems with what is known of them\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed, or a bound that is said to hold was exceeded; 2 wrong use:\n"
    "the command line.\n";

enum { GRID = 4, MOST_THEOREMS = 7, CELLS = 2 * GRID };

static const double epsilons[GRID] = {0.5, 1, 2, 4};
static const double log_two = 0.6931471805599453;

typedef struct experiment experiment;
struct experiment {
  const char *name, *what;
  const method *method;
  law_kind kind;
  double ridge, radius;
  enum { AS_PROVED, PURE, AS_PRINTED, PURE_AS_PRINTED, WITHOUT_NOISE } noise; /* pure: delta 0 */
  /* u: n, epsilon and delta are set; the rest by the theorem's choices. */
  void (*plan)(utility *u, settings *with, const experiment *e, const law_problem *p);
  double smallest_norm;     /* of the population's minimiser; set by the program */
  size_t runs, most, ratio; /* records: most, most/ratio, .. */
  const char *note, *theorems[MOST_THEOREMS + 1]; /* ended by NULL */
};

/* --- the theorems' choices -------------------------------------------------------------------- */

/* sigma or scale for sensitivity 1. */
static double multiplier_of(const utility *u) {
  double mu;
  if (!(u->delta > 0)) return 1 / u->epsilon;
  return dppair_gaussian_mu(&mu, u->epsilon, u->delta) == DPPAIR_OK ? 1 / mu : (double)NAN;
}

/*
 * The logistic loss with unit rows and |w| <= 1: margins are above -4 for rankings and -3 for
 * semidefinite metrics, gradients of margins at most 4 long. One record moves n times the mean
 * gradient by 2 G, for metrics by 8 (sigmoid(3) + sigmoid(1)); computing it adds far less than the
 * thousandth that is added here.
 */
static void fill_pairs(utility *u, const experiment *e) {
  const int metric = e->kind == LAW_METRIC;
  u->dimension = 3;
  u->lipschitz = 4 / (1 + exp(metric ? -3 : -4));
  u->move = 1.001 * (metric ? 8 / (1 + exp(-3)) + 8 / (1 + exp(-1)) : 2 * u->lipschitz);
  u->smoothness = 4 + e->ridge;
  u->curvature = e->ridge;
  u->diameter = 2;
  u->multiplier = multiplier_of(u);
  u->gap = metric ? log1p(exp(1)) : log_two; /* the risk of 0 */
  u->largest = log1p(exp(4)) + e->ridge / 2;
  u->stability = 2 * u->lipschitz * u->lipschitz / fmax(e->ridge, 1e-300);
  u->xi = 0.1;
  u->interior = !metric && e->smallest_norm < 0.999;
}

/* Steps that minimise the proved bound. */
static void plan_kang2021(utility *u, settings *with, const experiment *e, const law_problem *p) {
  const double printed = 8 * (e->kind == LAW_METRIC ? 1 : 2) * sqrt(-log(u->delta)) / u->epsilon;
  double best = HUGE_VAL, chosen = 1, t;
  utility at;
  (void)p;
  fill_pairs(u, e);
  at = *u;
  for (t = 1; t <= 1000; t += 1 + floor(t / 16)) {
    double bound;
    at.steps = t;
    at.sigma = sqrt(t) / u->n * (e->noise == AS_PRINTED ? printed : u->multiplier * u->move);
    if (utility_bound(&bound, utility_find("kang2021-2-sharp"), &at) && bound < best) {
      best = bound;
      chosen = t;
      u->sigma = at.sigma;
    }
  }
  u->steps = chosen;
  with->steps = (size_t)chosen;
  with->lambda = e->ridge;
}

static void plan_dpgdsc(utility *u, settings *with, const experiment *e, const law_problem *p) {
  (void)p;
  fill_pairs(u, e);
  u->eta = 2 / (u->smoothness + u->curvature);
  u->steps = ceil(u->smoothness / u->curvature * log(u->n) / 2);
  with->steps = (size_t)u->steps;
  with->lambda = e->ridge;
}

static void plan_dpgdc2(utility *u, settings *with, const experiment *e, const law_problem *p) {
  const double sharp = u->n * u->epsilon;
  (void)p;
  fill_pairs(u, e);
  u->steps = fmax(1, floor(fmin(u->n, sharp * sharp / (u->dimension * -log(u->delta)))));
  u->eta = fmin(2 / u->smoothness, 1 / (u->lipschitz * sqrt(u->steps)));
  u->sigma = sqrt(u->steps) * u->multiplier * u->move / u->n;
  if (e->noise == AS_PRINTED)
    u->sigma = 4 * u->lipschitz * sqrt(1.25 * u->steps * -log(u->delta)) / sharp;
  with->steps = (size_t)fmin(u->steps, 1e6);
}

/* The method takes Algorithm 3's own steps. */
static void plan_dpegd(utility *u, settings *with, const experiment *e, const law_problem *p) {
  (void)p;
  (void)with;
  fill_pairs(u, e);
  u->eta = fmin(4 / sqrt(u->n),
                u->epsilon / (u->delta > 0 ? sqrt(u->dimension * -log(u->delta)) : u->dimension)) /
           u->lipschitz;
}

/* T = n^2, eta = n^(-3/2); the noise of Theorem 4. G = 2, and r = 2 of a ball of radius 1. */
static void plan_yang2021(utility *u, settings *with, const experiment *e, const law_problem *p) {
  (void)p;
  u->dimension = 3;
  u->steps = u->n * u->n;
  u->eta = pow(u->n, -1.5);
  u->lipschitz = 2;
  u->diameter = 2 * e->radius;
  u->largest = 1;
  u->rademacher = 2;
  u->norm = e->smallest_norm;
  u->xi = 0.75; /* Theorem 5 with 3 numbers: above exp(-3/8) */
  u->sigma = 0;
  if (e->noise == AS_PRINTED) {
    const double level = log(2 / u->delta), logs = log(2.718281828459045 * u->steps);
    u->sigma = u->eta * u->lipschitz / u->epsilon * sqrt(8 * log(2.5 / u->delta)) *
               sqrt(u->steps + 3 * pow(u->steps * logs * level / u->n, 2));
  }
  with->steps = (size_t)fmin(u->steps, 1e9);
  with->step_size = u->eta;
  with->param_radius = e->radius;
}

/* Without a bounded set: T = n^(4/3), eta = 1/n, of which the radius is far beyond. */
static void plan_yang2021_free(utility *u, settings *with, const experiment *e,
                               const law_problem *p) {
  plan_yang2021(u, with, e, p);
  u->steps = ceil(pow(u->n, 4.0 / 3));
  u->eta = 1 / u->n;
  with->steps = (size_t)fmin(u->steps, 1e9);
  with->step_size = u->eta;
}

/* epsilon and lambda as Theorem 4 couples them, for beta = 1: |w*|^2 is c_beta. */
static void plan_niewang2017(utility *u, settings *with, const experiment *e,
                             const law_problem *p) {
  u->dimension = (double)p->size;
  u->lipschitz = u->kappa = u->at_zero = u->exponent = 1;
  u->strength = 2;
  u->omega = 0;
  u->epsilon = u->lambda = pow(u->n, -1.0 / 3);
  u->approximation = e->smallest_norm * e->smallest_norm;
  with->lambda = u->lambda;
  with->loss = "hinge";
}

/* Steps of 1/L, one record each, 20 ln n of them; the noise that the method prints. The slope's
 * derivative is at least that at the largest margin; half of the law's second moments is below
 * those of the samples, or the run is refused. */
static void plan_pidpsgd(utility *u, settings *with, const experiment *e, const law_problem *p) {
  const double far = 1 / (1 + exp(-sqrt(2) * e->radius));
  u->dimension = (double)p->size;
  u->steps = ceil(20 * log(u->n));
  u->lipschitz = sqrt(2);
  u->smoothness = 0.5;
  u->curvature = far * (1 - far) * law_curvature(p, p->weight) / 2;
  u->gap = log_two;
  u->variance = 2;
  u->noised = u->n;
  u->sigma = 2 * sqrt(2) * sqrt(u->steps * log(2 / u->delta)) / (u->n * 0.75 * u->epsilon);
  with->steps = (size_t)u->steps;
  with->step_size = 1 / u->smoothness;
}

/* A method whose risk is strongly convex, for Kang 2023's Theorem 3, which is of any. */
static void plan_bolton(utility *u, settings *with, const experiment *e, const law_problem *p) {
  (void)p;
  u->lipschitz = sqrt(2);
  u->smoothness = 0.5 + e->ridge;
  u->curvature = e->ridge;
  with->lambda = e->ridge;
  with->param_radius = e->radius;
}

/* --- the experiments -------------------------------------------------------------------------- */

extern const method method_kang2021, method_kang2021_metric, method_dpgdsc, method_dpgdsc_metric,
    method_dpgdc2, method_dpegd, method_dpegd_metric, method_yang2021, method_niewang2017,
    method_pidpsgd, method_bolton;

#define STRONGLY LAW_RANKING, 0.25, 1
#define MERELY LAW_RANKING, 0, 1
#define METRICS LAW_METRIC, 0.25, 1
#define METRICS_MERELY LAW_METRIC, 0, 1
#define HINGE LAW_HINGE, 0, 0.4999999 /* a ball where no margin reaches the kink */
#define FREE LAW_HINGE, 0, 50
#define SVM LAW_SVM, 0, 30
#define POINTS LAW_POINTS, 0, 5
#define POINTS_STRONGLY LAW_POINTS, 0.1, 10
#define EXPERIMENT(name, what, method, problem, noise, plan, runs, most, ratio, note, ...)         \
  {                                                                                                \
    name, what, &method, problem, noise, plan, 0, runs, most, ratio, note, { __VA_ARGS__, NULL }   \
  }

static experiment experiments[] = {
    EXPERIMENT("kang2021", "ranking, noise in every gradient", method_kang2021, STRONGLY, AS_PROVED,
               plan_kang2021, 12, 16384, 4, "", "kang2021-2", "kang2021-2-sharp", "kang2021-3"),
    EXPERIMENT("kang2021-printed", "the same with the paper's noise", method_kang2021, STRONGLY,
               AS_PRINTED, plan_kang2021, 12, 16384, 4, "", "kang2021-2", "kang2021-2-sharp"),
    EXPERIMENT("kang2021-metric", "metric, noise in every gradient", method_kang2021_metric,
               METRICS, AS_PROVED, plan_kang2021, 6, 512, 2, "", "kang2021-2", "kang2021-2-sharp"),
    EXPERIMENT("dpgdsc", "ranking, strongly convex, noise on the output", method_dpgdsc, STRONGLY,
               AS_PROVED, plan_dpgdsc, 12, 16384, 4, "", "xue2021-1", "xue2021-1-explicit"),
    EXPERIMENT("dpgdsc-pure", "the same for delta = 0", method_dpgdsc, STRONGLY, PURE, plan_dpgdsc,
               12, 16384, 4, "", "xue2021-1", "xue2021-1-explicit"),
    EXPERIMENT("dpgdsc-metric", "metric, strongly convex, noise on the output",
               method_dpgdsc_metric, METRICS, AS_PROVED, plan_dpgdsc, 6, 512, 2, "", "xue2021-1",
               "xue2021-1-explicit"),
    EXPERIMENT("dpgdc2", "ranking, merely convex, noise in every gradient", method_dpgdc2, MERELY,
               AS_PROVED, plan_dpgdc2, 8, 1024, 2, "", "xue2021-2", "xue2021-2-explicit"),
    EXPERIMENT("dpegd", "ranking, merely convex, epochs", method_dpegd, MERELY, AS_PROVED,
               plan_dpegd, 12, 1024, 2, "", "xue2021-3", "xue2021-3-explicit"),
    EXPERIMENT("dpegd-pure", "the same for delta = 0", method_dpegd, MERELY, PURE, plan_dpegd, 12,
               1024, 2, "", "xue2021-3", "xue2021-3-explicit"),
    EXPERIMENT("dpegd-metric", "metric, merely convex, epochs", method_dpegd_metric, METRICS_MERELY,
               AS_PROVED, plan_dpegd, 4, 512, 2, "", "xue2021-3", "xue2021-3-explicit"),
    EXPERIMENT("yang2021-without-noise", "ranking, hinge, pairwise SGD, independent draws",
               method_yang2021, HINGE, WITHOUT_NOISE, plan_yang2021, 8, 128, 2, "", "yang2021-2",
               "yang2021-2-paper", "yang2021-5-explicit"),
    EXPERIMENT("yang2021-unbounded", "the same without a bounded set", method_yang2021, FREE,
               WITHOUT_NOISE, plan_yang2021_free, 8, 512, 2,
               "truth: at most 0.0005 too large, of a hinge's lower bound", "yang2021-3"),
    EXPERIMENT("yang2021-printed", "the same, bounded, with the paper's noise", method_yang2021,
               HINGE, AS_PRINTED, plan_yang2021, 8, 128, 2, "", "yang2021-5", "yang2021-5-paper",
               "yang2021-5-explicit"),
    EXPERIMENT("yang2021", "the same with the noise of the drawn passes", method_yang2021, HINGE,
               AS_PROVED, plan_yang2021, 8, 128, 2,
               "truth alone: the theorems are of independent draws, these are of passes", NULL),
    EXPERIMENT("niewang2017", "single records, SVM, noise on the weights", method_niewang2017, SVM,
               PURE, plan_niewang2017, 20, 16384, 4,
               "epsilon = lambda = n^(-1/3); truth: at most 0.0005 too large", "niewang2017-4"),
    EXPERIMENT("niewang2017-printed", "the same, one number added to the function",
               method_niewang2017, SVM, PURE_AS_PRINTED, plan_niewang2017, 20, 16384, 4,
               "epsilon = lambda = n^(-1/3); NOT PRIVATE at any epsilon", "niewang2017-4-paper"),
    EXPERIMENT("pidpsgd-not-private", "single records, logistic, one record a step", method_pidpsgd,
               POINTS, AS_PRINTED, plan_pidpsgd, 40, 16384, 4, "NOT PRIVATE at any epsilon",
               "kang2023-1-paper", "kang2023-6-paper", "kang2023-7-paper", "kang2023-1",
               "kang2023-6", "kang2023-3", "kang2023-7"),
    EXPERIMENT("bolton", "single records, logistic, strongly convex, noise on the output",
               method_bolton, POINTS_STRONGLY, AS_PROVED, plan_bolton, 20, 16384, 4,
               "the theorem is of any method, from the measured excess empirical risk",
               "kang2023-3")};

static size_t size_at(const experiment *e, size_t k) {
  size_t n = e->most;
  for (k = GRID - 1 - k; k > 0; k--) n /= e->ratio;
  return n;
}

static int is_pure(const experiment *e) { return e->noise == PURE || e->noise == PURE_AS_PRINTED; }

/* --- measuring -------------------------------------------------------------------------------- */

typedef struct cell {
  utility u;
  summary population, empirical, minimum;
  double largest; /* excess population risk of a run */
  double epsilon; /* what the last run is proved to satisfy */
  dppair_status status;
} cell;

typedef struct table {
  experiment *e;
  law l;
  law_problem problem;
  double at_zero;    /* excess population risk of w = 0 */
  double lowest;     /* a lower bound of the smallest population risk */
  double width;      /* of a hinge's envelope */
  cell cells[CELLS]; /* over n; over epsilon at the largest n */
} table;

static double tolerance_of(const table *t) { return t->width > 0 ? 1e-6 : 1e-8; }

/* Risk of f + b for a shift b of single records' hinge. */
static double shifted_risk(const table *t, const double *weight, const double *w, double shift) {
  double sum = 0;
  size_t i, k;
  for (i = 0; i < t->problem.terms; i++) {
    double u = t->l.y[t->problem.first[i]] * shift;
    for (k = 0; k < t->problem.size; k++) u += t->problem.a[i][k] * w[k];
    sum += weight[i] * fmax(0, 1 - u);
  }
  return sum;
}

static double risk_of(const table *t, const double *weight, const model *m) {
  const int shifted = t->e->noise == PURE_AS_PRINTED;
  return shifted ? shifted_risk(t, weight, m->theta, m->theta[m->size - 1])
                 : law_risk(NULL, &t->problem, weight, m->theta);
}

static void table_open(table *t, experiment *e) {
  double w[LAW_SIZE] = {0}, zero[LAW_SIZE] = {0}, square = 0;
  size_t k;
  memset(t, 0, sizeof *t);
  t->e = e;
  law_make(&t->l, e->kind == LAW_METRIC || e->kind == LAW_POINTS ? 2 : 3, 0.3, 1);
  law_problem_make(&t->problem, &t->l, e->kind, e->ridge, e->radius);
  t->width = e->kind == LAW_SVM || (e->kind == LAW_HINGE && e->radius > 0.5) ? 1e-3 : 0;
  t->lowest = law_minimise(w, &t->problem, t->problem.weight, t->width, tolerance_of(t) / 10);
  t->at_zero = law_risk(NULL, &t->problem, t->problem.weight, zero) - t->lowest;
  for (k = 0; k < LAW_SIZE; k++) square += w[k] * w[k];
  e->smallest_norm = sqrt(square);
}

static void cell_plan(utility *u, settings *with, const table *t, double n, double epsilon) {
  settings none;
  memset(&none, 0, sizeof none);
  *with = none;
  utility_clear(u);
  u->n = n;
  u->epsilon = epsilon;
  u->delta = is_pure(t->e) ? 0 : 1e-5;
  with->radius = 1;
  t->e->plan(u, with, t->e, &t->problem);
  with->as_printed = t->e->noise >= AS_PRINTED; /* independent draws, too */
  with->noiseless = t->e->noise == WITHOUT_NOISE;
}

/* n records of the law; count[k] of them are atom k. */
static void draw(double *x, double *y, double *count, const law *l, size_t n, uint64_t seed) {
  simulation_rng rng;
  size_t i, k;
  simulation_seed(&rng, seed);
  for (i = 0; i < n; i++) {
    const size_t atom = (size_t)(simulation_u64(&rng) % ATOMS);
    count[atom] += 1;
    y[i] = l->y[atom];
    for (k = 0; k < l->d; k++) x[i * l->d + k] = l->x[atom][k];
  }
}

static dppair_status cell_once(cell *c, const table *t, task *job, double *memory, uint64_t seed,
                               uint64_t run) {
  const size_t n = (size_t)c->u.n, d = t->l.d;
  double count[ATOMS] = {0}, weight[LAW_TERMS], w[LAW_SIZE] = {0}, lowest, excess;
  outcome out;
  model m;
  dppair_status status;
  memset(&out, 0, sizeof out);
  draw(memory, memory + n * d, count, &t->l, n, seed * 1000003 + run * 1009 + n);
  job->train.n = n;
  job->train.d = d;
  job->train.x = job->train.raw = memory;
  job->train.y = memory + n * d;
  status = outcome_train(&out, &m, t->e->method, job, seed, run);
  if (status != DPPAIR_OK) return status;
  law_weigh(weight, &t->problem, count, c->u.n);
  if (t->e->kind == LAW_POINTS &&
      law_curvature(&t->problem, weight) < law_curvature(&t->problem, t->problem.weight) / 2) {
    model_free(&m);
    return DPPAIR_ERR_NO_PROOF; /* the curvature that plan_pidpsgd takes */
  }
  lowest = law_minimise(w, &t->problem, weight, t->width, tolerance_of(t));
  excess = risk_of(t, t->problem.weight, &m) - t->lowest;
  summary_add(&c->population, excess);
  summary_add(&c->empirical, risk_of(t, weight, &m) - lowest);
  summary_add(&c->minimum, lowest);
  if (excess > c->largest) c->largest = excess;
  c->epsilon = out.epsilon;
  model_free(&m);
  return DPPAIR_OK;
}

static void cell_run(cell *c, const table *t, double n, double epsilon, size_t runs,
                     uint64_t seed) {
  double *memory = malloc((size_t)n * (t->l.d + 1) * sizeof *memory);
  task job;
  size_t k;
  memset(c, 0, sizeof *c);
  memset(&job, 0, sizeof job);
  cell_plan(&c->u, &job.with, t, n, epsilon);
  job.scale = SCALE_ROW;
  job.epsilon = c->u.epsilon;
  job.delta = c->u.delta;
  c->status = memory == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  for (k = 0; k < runs && c->status == DPPAIR_OK; k++)
    c->status = cell_once(c, t, &job, memory, seed, k);
  c->u.excess = c->empirical.mean;
  c->u.minimum = c->minimum.mean;
  free(memory);
}

/* Does the method's noise, or the theorem, know epsilon on its own? */
static int has_epsilon(const experiment *e) {
  return e->noise != WITHOUT_NOISE && e->plan != plan_niewang2017;
}

static void table_run(table *t, size_t runs, uint64_t seed, progress *bar) {
  size_t k;
  if (runs == 0) runs = t->e->runs;
  for (k = 0; k < CELLS; k++) {
    const double n = (double)size_at(t->e, k < GRID ? k : GRID - 1),
                 epsilon = k < GRID ? 1 : epsilons[k - GRID];
    if (k >= GRID && !has_epsilon(t->e)) break;
    if (k >= GRID && !(epsilon < 1 || epsilon > 1))
      t->cells[k] = t->cells[GRID - 1];
    else
      cell_run(&t->cells[k], t, n, epsilon, runs, seed);
    progress_step(bar);
  }
}

/* --- slopes ----------------------------------------------------------------------------------- */

/* Of ln y over ln x by least squares; NaN where a y is not positive and finite. */
static double slope(const double *x, const double *y, size_t count) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  size_t k;
  for (k = 0; k < count; k++) {
    if (!(y[k] > 0 && y[k] < HUGE_VAL)) return (double)NAN;
    mx += log(x[k]) / (double)count;
    my += log(y[k]) / (double)count;
  }
  for (k = 0; k < count; k++) {
    xx += (log(x[k]) - mx) * (log(x[k]) - mx);
    xy += (log(x[k]) - mx) * (log(y[k]) - my);
  }
  return xy / xx;
}

typedef struct row {
  const utility_theorem *theorem;
  double bound[CELLS];
  double over_n, far, over_epsilon; /* slopes of the bound; far: around n = 10^12 */
  double useful;                    /* the n from which it is below the risk of w = 0 */
  double truth;                     /* at n = max, epsilon = 1 */
  int exceeded;
} row;

/* The bound at n far from what can be run; measured numbers stay as they were. */
static double bound_at(const row *r, const table *t, double n) {
  settings with;
  utility u;
  double bound;
  cell_plan(&u, &with, t, n, 1);
  u.excess = t->cells[GRID - 1].u.excess;
  u.minimum = t->cells[GRID - 1].u.minimum;
  return utility_bound(&bound, r->theorem, &u) ? bound : HUGE_VAL;
}

static const summary *truth_of(const row *r, const cell *c) {
  return r->theorem->empirical ? &c->empirical : &c->population;
}

static void row_make(row *r, const table *t, const char *name) {
  double n[GRID], far[2], ends[2] = {1e11, 1e13};
  size_t k;
  memset(r, 0, sizeof *r);
  r->theorem = utility_find(name);
  for (k = 0; k < GRID; k++) n[k] = (double)size_at(t->e, k);
  for (k = 0; k < CELLS; k++) {
    const cell *c = &t->cells[k];
    const summary *truth = truth_of(r, c);
    const double surely = truth->mean - 4 * summary_error(truth);
    if (truth->count == 0) continue;
    (void)utility_bound(&r->bound[k], r->theorem, &c->u);
    /* what may fail is held against each run, which asks for more */
    r->exceeded |= (r->theorem->probable ? c->largest : surely) > r->bound[k];
  }
  r->over_n = slope(n, r->bound, GRID);
  r->over_epsilon = slope(epsilons, r->bound + GRID, GRID);
  r->truth = truth_of(r, &t->cells[GRID - 1])->mean;
  r->far = r->useful = (double)NAN;
  if (strcmp(name, "kang2023-3") == 0) return; /* knows no more than what was measured */
  for (k = 0; k < 2; k++) far[k] = bound_at(r, t, ends[k]);
  r->far = slope(ends, far, 2);
  for (r->useful = 2; r->useful < 1e40 && !(bound_at(r, t, r->useful) < t->at_zero);)
    r->useful *= 2;
}

static void truth_slopes(double *over_n, double *over_epsilon, const table *t, int empirical) {
  double x[GRID], y[CELLS];
  size_t k;
  for (k = 0; k < GRID; k++) x[k] = (double)size_at(t->e, k);
  for (k = 0; k < CELLS; k++)
    y[k] = empirical ? t->cells[k].empirical.mean : t->cells[k].population.mean;
  *over_n = slope(x, y, GRID);
  *over_epsilon = slope(epsilons, y + GRID, GRID);
}

/* A bound that somebody says holds. */
static int is_bound(const utility_theorem *t) { return t->status != SHAPE && t->constants == 0; }

static const char *verdict(const row *r) {
  if (is_bound(r->theorem)) return r->exceeded ? "EXCEEDED" : "holds";
  return r->exceeded ? "with c = 1, exceeded" : "with c = 1";
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_slope(double s) {
  if (s == s)
    (void)printf(" %6.2f", s);
  else
    (void)printf(" %6s", "");
}

static void print_row(const row *r) {
  (void)printf("  %-20s %-11s %10.3g %9.2g", r->theorem->name,
               utility_status_names[r->theorem->status], r->bound[GRID - 1],
               r->bound[GRID - 1] / r->truth);
  print_slope(r->over_n);
  print_slope(r->far);
  print_slope(r->over_epsilon);
  if (r->useful < 1e40)
    (void)printf("   %8.1g", r->useful);
  else
    (void)printf("   %8s", r->useful >= 1e40 ? "never" : "");
  (void)printf("  %s, %s\n", verdict(r), r->theorem->rate);
}

static void print_truth(const table *t, int empirical) {
  const cell *c = &t->cells[GRID - 1];
  const summary *s = empirical ? &c->empirical : &c->population;
  double over_n, over_epsilon;
  truth_slopes(&over_n, &over_epsilon, t, empirical);
  (void)printf("  %-20s %-11s %10.3g %9s",
               empirical ? "measured, empirical" : "measured, population", "", s->mean, "1");
  print_slope(over_n);
  print_slope((double)NAN);
  print_slope(over_epsilon);
  (void)printf("   %8s  +- %.1g\n", "", summary_error(s));
}

/* What Theorem 1 of Kang 2023 leaves out: at the population's minimiser, the variance of the
 * gradient of one drawn record, beside that of the noise. */
static void print_variance(const table *t, const cell *c) {
  const law_problem *p = &t->problem;
  double w[LAW_SIZE] = {0}, mean[LAW_SIZE], g[LAW_SIZE], variance = 0;
  size_t i, k;
  (void)law_minimise(w, p, p->weight, 0, 1e-9);
  (void)law_risk(mean, p, p->weight, w);
  for (i = 0; i < p->terms; i++) {
    double one[LAW_TERMS] = {0};
    one[i] = 1;
    (void)law_risk(g, p, one, w);
    for (k = 0; k < p->size; k++) variance += p->weight[i] * (g[k] - mean[k]) * (g[k] - mean[k]);
  }
  (void)printf(
      "  at the minimiser the gradient of one drawn record has variance %.3g, the noise %.3g: "
      "the proof of\n  Theorem 1 counts the noise alone, so no constant saves its slope\n",
      variance, c->u.dimension * c->u.sigma * c->u.sigma);
}

static void print_table(const table *t, const row *rows, size_t count) {
  const cell *c = &t->cells[GRID - 1];
  size_t k;
  (void)printf("\n%s: %s\n", t->e->name, t->e->what);
  if (c->status != DPPAIR_OK) {
    (void)printf("  %s\n", dppair_status_string(c->status));
    return;
  }
  (void)printf("  n = %zu to %zu, epsilon = %.3g", size_at(t->e, 0), t->e->most, c->u.epsilon);
  if (has_epsilon(t->e)) (void)printf(" (and 0.5 to 4)");
  (void)printf(", delta = %.3g; true epsilon %.3g; w = 0 has excess risk %.3g\n", c->u.delta,
               c->epsilon, t->at_zero);
  if (t->e->note[0] != '\0') (void)printf("  %s\n", t->e->note);
  if (t->e->plan == plan_pidpsgd) print_variance(t, c);
  print_truth(t, 0);
  print_truth(t, 1);
  for (k = 0; k < count; k++) print_row(&rows[k]);
}

static void print_json(const table *t, const row *r) {
  const cell *c = &t->cells[GRID - 1];
  const utility_theorem *th = r->theorem;
  double over_n, over_epsilon;
  int first = 1;
  truth_slopes(&over_n, &over_epsilon, t, th->empirical);
  (void)fputs("{", stdout);
  json_member_text(stdout, "experiment", t->e->name, &first);
  json_member(stdout, "simulation", &first);
  (void)fputs("true", stdout);
  json_member_text(stdout, "theorem", th->name, &first);
  json_member_text(stdout, "source", th->source, &first);
  json_member_text(stdout, "bounds", th->bounds, &first);
  json_member_text(stdout, "rate", th->rate, &first);
  json_member_text(stdout, "status", utility_status_names[th->status], &first);
  json_member_number(stdout, "n", c->u.n, &first);
  json_member_number(stdout, "epsilon", c->u.epsilon, &first);
  json_member_number(stdout, "delta", c->u.delta, &first);
  json_member_number(stdout, "true_epsilon", c->epsilon, &first);
  json_member_number(stdout, "bound", r->bound[GRID - 1], &first);
  json_member_number(stdout, "measured_not_private", r->truth, &first);
  json_member_number(stdout, "standard_error", summary_error(truth_of(r, c)), &first);
  json_member_number(stdout, "slope_n", r->over_n, &first);
  json_member_number(stdout, "slope_n_far", r->far, &first);
  json_member_number(stdout, "slope_n_measured", over_n, &first);
  json_member_number(stdout, "slope_epsilon", r->over_epsilon, &first);
  json_member_number(stdout, "slope_epsilon_measured", over_epsilon, &first);
  json_member_number(stdout, "below_zero_from_n", r->useful, &first);
  json_member_text(stdout, "verdict", verdict(r), &first);
  (void)fputs("}\n", stdout);
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Common logarithms, over n or over epsilon. */
static int draw_picture(const char *path, const table *t, const row *rows, size_t count,
                        int over_epsilon) {
  static double x[GRID], y[MOST_THEOREMS + 3][GRID], bars[2][GRID];
  svg_series series[MOST_THEOREMS + 3];
  svg_chart chart;
  char subtitle[160];
  const size_t first = over_epsilon ? GRID : 0;
  size_t s, k;
  memset(&chart, 0, sizeof chart);
  memset(series, 0, sizeof series);
  for (k = 0; k < GRID; k++) x[k] = over_epsilon ? epsilons[k] : (double)size_at(t->e, k);
  for (s = 0; s < count + 3; s++) {
    series[s].x = x;
    series[s].y = y[s];
    series[s].n = GRID;
    for (k = 0; k < GRID; k++) {
      const cell *c = &t->cells[first + k];
      const summary *truth = s == 0 ? &c->population : &c->empirical;
      double value = s < 2 ? truth->mean : s == 2 ? t->at_zero : rows[s - 3].bound[first + k];
      if (!(value > 1e-12)) value = 1e-12;
      if (!(value < 1e12)) value = 1e12;
      y[s][k] = log10(value);
      if (s < 2) bars[s][k] = log10(1 + 2 * summary_error(truth) / value);
    }
    series[s].name = s == 0   ? "measured, population"
                     : s == 1 ? "measured, empirical"
                     : s == 2 ? "w = 0"
                              : rows[s - 3].theorem->name;
    series[s].error = s < 2 ? bars[s] : NULL;
    series[s].reference = s == 2;
  }
  (void)snprintf(subtitle, sizeof subtitle, "%s: %s; %s = %g, simulated", t->e->name, t->e->what,
                 over_epsilon ? "n" : "epsilon",
                 over_epsilon ? (double)t->e->most : t->cells[0].u.epsilon);
  chart.title = "Excess risk: bounds and truth";
  chart.subtitle = subtitle;
  chart.x_label = over_epsilon ? "epsilon (logarithmic)" : "n (logarithmic)";
  chart.y_label = "log10 of the excess risk";
  chart.log_x = 1;
  chart.series = series;
  chart.count = count + 3;
  return svg_write(path, &chart);
}

static int draw_both(const char *path, const table *t, const row *rows, size_t count) {
  char other[1024];
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const size_t stem =
      dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - path) : strlen(path);
  if (!draw_picture(path, t, rows, count, 0)) return complain(1, "%s: cannot be written", path);
  if (!has_epsilon(t->e)) return 0;
  if (stem > 900) return complain(2, "--svg: the name is too long");
  (void)snprintf(other, sizeof other, "%.*s-epsilon%.100s", (int)stem, path, path + stem);
  return draw_picture(other, t, rows, count, 1) ? 0 : complain(1, "%s: cannot be written", other);
}

/* --- one theorem ------------------------------------------------------------------------------ */

static void print_list(void) {
  const utility_theorem *t;
  const utility_field *f;
  for (t = utility_theorems; t->name != NULL; t++) {
    (void)printf("%s: %s\n  %s, %s; rate %s\n", t->name, t->source, t->bounds,
                 utility_status_names[t->status], t->rate);
    print_wrapped(stdout, t->note);
    (void)printf("  needs %s", t->needs);
    if (t->constants > 0)
      (void)printf("; open constants c1%s", t->constants > 2   ? ", c2, c3"
                                            : t->constants > 1 ? ", c2"
                                                               : "");
    (void)puts("\n");
  }
  (void)puts("options:");
  for (f = utility_fields; f->option != NULL; f++)
    (void)printf("  --%-14s %s\n", f->option, f->text);
}

static int evaluate(const utility_theorem *t, const utility *u, int json) {
  const utility_field *missing = utility_missing(t, u);
  const int open = (t->constants > 0 && !(u->c1 > 0)) || (t->constants > 1 && !(u->c2 > 0)) ||
                   (t->constants > 2 && !(u->c3 > 0));
  double bound;
  int first = 1;
  if (missing != NULL)
    return complain(2, "%s needs --%s: %s", t->name, missing->option, missing->text);
  if (!utility_bound(&bound, t, u))
    return complain(2, "%s does not hold at these numbers, or is not finite: %s", t->name, t->note);
  if (json) {
    (void)fputs("{", stdout);
    json_member_text(stdout, "theorem", t->name, &first);
    json_member_text(stdout, "status", utility_status_names[t->status], &first);
    json_member_text(stdout, "bounds", t->bounds, &first);
    json_member_number(stdout, "bound", bound, &first);
    json_member(stdout, "shape_with_c_1", &first);
    (void)fputs(open ? "true}\n" : "false}\n", stdout);
    return 0;
  }
  (void)printf("%s, %s: %s %.10g\n", t->source, utility_status_names[t->status], t->bounds, bound);
  if (open) (void)puts("shape with c = 1: the paper leaves constants open, so this is no bound");
  print_wrapped(stdout, t->note);
  return 0;
}

/* --- the program ------------------------------------------------------------------------------ */

typedef struct choices {
  const char *only, *svg, *argument; /* of a theorem: the last option of that kind */
  const utility_theorem *theorem;
  utility u;
  size_t runs, seed;
  int json, list;
} choices;

/* An argument of a theorem. */
static int take_number(choices *c, const char *name, const char *value) {
  const utility_field *f;
  for (f = utility_fields; f->option != NULL; f++)
    if (strcmp(name, f->option) == 0) {
      c->argument = f->option;
      if (text_number(utility_at(&c->u, f), value)) return 1;
      return !complain(1, "--%s wants a number, not \"%s\"", name, value);
    }
  return !complain(1, "--%s is no option; --help says which there are", name);
}

static int take(choices *c, const char *name, const char *value) {
  if (strcmp(name, "only") == 0) return (c->only = value) != NULL;
  if (strcmp(name, "svg") == 0) return (c->svg = value) != NULL;
  if (strcmp(name, "theorem") == 0) {
    c->theorem = utility_find(value);
    return c->theorem != NULL || !complain(1, "no theorem is called \"%s\": --list", value);
  }
  if (strcmp(name, "runs") == 0)
    return (text_size(&c->runs, value) && c->runs >= 2 && c->runs <= 1000000) ||
           !complain(1, "--runs wants an integer from 2 on");
  if (strcmp(name, "seed") == 0)
    return text_size(&c->seed, value) || !complain(1, "--seed wants an integer");
  return take_number(c, name, value);
}

static int parse_choices(choices *c, int argc, char **argv) {
  int k;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0)
      c->json = 1;
    else if (strcmp(argv[k], "--list") == 0)
      c->list = 1;
    else if (strncmp(argv[k], "--", 2) != 0)
      return !complain(1, "what is \"%s\"? --help", argv[k]);
    else if (k + 1 == argc)
      return !complain(1, "%s wants a value", argv[k]);
    else if (!take(c, argv[k] + 2, argv[k + 1]))
      return 0;
    else
      k++;
  }
  return 1;
}

static int is_chosen(const experiment *e, const choices *c) {
  return c->only == NULL || strstr(e->name, c->only) != NULL;
}

static int run_one(experiment *e, const choices *c, progress *bar, const char *svg) {
  table *t = malloc(sizeof *t);
  row rows[MOST_THEOREMS];
  size_t count = 0, k;
  int code = 0;
  if (t == NULL) return complain(1, "out of memory");
  table_open(t, e);
  table_run(t, c->runs, c->seed, bar);
  while (e->theorems[count] != NULL) {
    row_make(&rows[count], t, e->theorems[count]);
    count++;
  }
  progress_end(bar);
  if (!c->json) print_table(t, rows, count);
  for (k = 0; k < count; k++) {
    if (c->json) print_json(t, &rows[k]);
    if (rows[k].exceeded && is_bound(rows[k].theorem) && rows[k].theorem->status != WRONG) code = 1;
  }
  if (svg != NULL && draw_both(svg, t, rows, count) != 0) code = 1;
  free(t);
  return code;
}

static int run_all(const choices *c) {
  const size_t count = sizeof experiments / sizeof *experiments;
  const char *svg = c->svg;
  progress bar;
  size_t k, chosen = 0;
  int code = 0;
  for (k = 0; k < count; k++) chosen += (size_t)is_chosen(&experiments[k], c);
  if (chosen == 0) return complain(2, "no experiment has \"%s\" in its name", c->only);
  if (!c->json)
    (void)puts(
        "Simulations of laws with known smallest risk: nothing here is a release, and what is\n"
        "measured is NOT PRIVATE. Excess risk at the largest n; \"times\": bound over truth;\n"
        "slopes of logarithms over n, of the bound around n = 1e12 (far), and over epsilon;\n"
        "\"from n\": where the bound falls below the risk of w = 0, which has learnt nothing.\n"
        "What a theorem asks, and what is wrong with it: bounds --list.\n\n"
        "  theorem              status       excess risk     times      n    far    eps     from n"
        "  verdict, and the theorem's rate");
  progress_begin(&bar, "running", chosen * CELLS, c->json);
  for (k = 0; k < count; k++)
    if (is_chosen(&experiments[k], c)) {
      if (run_one(&experiments[k], c, &bar, svg) != 0) code = 1;
      svg = NULL;
    }
  progress_end(&bar);
  return code;
}

static void print_help(void) {
  const size_t count = sizeof experiments / sizeof *experiments;
  const utility_theorem *t;
  const utility_field *f;
  size_t k;
  (void)fputs(usage, stdout);
  (void)puts("\nexperiments (--only)");
  for (k = 0; k < count; k++)
    (void)printf("  %-19s %s\n", experiments[k].name, experiments[k].what);
  (void)puts("\ntheorems (--theorem)");
  for (t = utility_theorems; t->name != NULL; t++) (void)printf("  %-19s %s\n", t->name, t->source);
  (void)puts("\nnumbers of a theorem");
  for (f = utility_fields; f->option != NULL; f++)
    (void)printf("  --%s X%*s %s\n", f->option, 15 - (int)strlen(f->option), "", f->text);
}

static int run_line(int argc, char **argv) {
  choices c;
  int k;
  program_name = "bounds";
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) return print_help(), 0;
    if (strcmp(argv[k], "--version") == 0)
      return printf("bounds (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
  }
  memset(&c, 0, sizeof c);
  utility_clear(&c.u);
  c.seed = 1;
  if (!parse_choices(&c, argc, argv)) return 2;
  if (c.argument != NULL && c.theorem == NULL)
    return complain(2, "--%s is an argument of a theorem: --theorem NAME", c.argument);
  if (c.list) return print_list(), 0;
  if (c.theorem != NULL) return evaluate(c.theorem, &c.u, c.json);
  return run_all(&c);
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "bounds"); }
