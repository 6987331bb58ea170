/* SPDX-License-Identifier: MIT */
/*
 * The accountant, and private evaluation, against the clock. The goals are times of one answer; for
 * scale, on such a machine the Python libraries need: sigma from (epsilon, delta) 0.84 ms; Renyi
 * orders of 10^4 sampled steps 14 to 27 ms; a privacy-loss distribution of the same at step 1e-4
 * 528 ms, at 1e-5 6.6 s; its calibration 1.8 s. Errors are relative to known answers.
 */
#include "bench.h"

#include "dppair_allocation.h"
#include "dppair_accountant.h"
#include "dppair_iterates.h"
#include "dppair_noise.h"
#include "dppair_evaluation.h"

static double sink;

static void must(dppair_status status) {
  if (status != DPPAIR_OK) {
    fprintf(stderr, "bench_acct: %s\n", dppair_status_string(status));
    exit(1);
  }
}

static void sigma_work(void *context) {
  double *epsilon = (double *)context, sigma;
  *epsilon += 1e-9; /* never the same question twice */
  must(dppair_gaussian_sigma(&sigma, 1.0, *epsilon, 1e-5, 1));
  sink += sigma;
}

static dppair_step sampled(dppair_adjacency adjacency, double q, double z, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = adjacency;
  s.sampling.q = q;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

/* 150 Renyi orders of one kind of step, added up and converted. */
static void renyi_list_work(void *context) {
  const dppair_step *step = (const dppair_step *)context;
  double best = DBL_MAX;
  size_t i;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    const double a = dppair_renyi_order_(i);
    double rdp, unpaid, e;
    if (dppair_renyi(&rdp, &unpaid, step, a, 0) != DPPAIR_OK) continue;
    e = rdp * (double)step->steps + log1p(-1.0 / a) - log(1e-5 * a) / (a - 1.0);
    if (e < best) best = e;
  }
  sink += best;
}

/* The same question asked of an accountant, which chooses its orders. */
static void renyi_account_work(void *context) {
  dppair_interval b;
  must(dppair_accountant_by_route(&b, (const dppair_accountant *)context, DPPAIR_ROUTE_RENYI,
                                  DPPAIR_GIVEN_DELTA, 1e-5, NULL));
  sink += b.upper;
}

typedef struct numerical {
  dppair_step step;
  double delta, upper;
  void *workspace;
  size_t bytes;
} numerical;

static void contour_work(void *context) {
  numerical *n = (numerical *)context;
  dppair_question_ q = {&n->step, 1, 0, n->delta, NULL, 0, 0};
  dppair_interval in;
  q.work = dppair_doubles_(&q.doubles, n->workspace, n->bytes);
  must(dppair_compose_(&in, &q, DPPAIR_ROUTE_CONTOUR));
  n->upper = in.upper;
}

/* On a lattice of a given step, so that the work stays the same. */
static void lattice_work(void *context) {
  numerical *n = (numerical *)context;
  dppair_question_ q = {&n->step, 1, 0, n->delta, NULL, 0};
  dppair_pld_options_ options;
  dppair_interval in;
  memset(&options, 0, sizeof options);
  options.grid_step = 1e-4;
  q.work = dppair_doubles_(&q.doubles, n->workspace, n->bytes);
  must(dppair_pld_bounds_(&in, &q, &options));
  n->upper = in.upper;
}

static void calibrate_work(void *context) {
  numerical *n = (numerical *)context;
  dppair_accountant account;
  dppair_composer composer;
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.epsilon = 2.0;
  plan.delta = n->delta;
  plan.steps = n->step.steps;
  plan.sampling = n->step.sampling;
  must(dppair_accountant_init(&account));
  must(dppair_composer_init(&composer, n->workspace, n->bytes));
  must(dppair_calibrate(&plan, &account, &composer));
  n->upper = plan.noise_multiplier;
}

typedef struct stability {
  dppair_uas u;
  size_t *index;
  double ratio, value;
  void *workspace;
  size_t bytes;
} stability;

static void stability_work(void *context) {
  stability *s = (stability *)context;
  must(dppair_sensitivity_uas_sequence(&s->value, &s->u, s->index, s->u.steps, s->ratio,
                                       s->workspace, s->bytes));
}

/* Goals in seconds: the ratio is goal / ours. */
static void timed(bench_row *row, bench_work work, void *context, double floor, double moonshot) {
  row->floor = 1.0;
  row->moonshot = floor / moonshot;
  bench_within(row, work, context, 1e9 * floor);
}

static void *room(size_t bytes) {
  void *p = malloc(bytes);
  if (p == NULL) {
    fprintf(stderr, "bench_acct: out of memory\n");
    exit(1);
  }
  return p;
}

static void stability_row(const char *name, size_t n, size_t steps, double ratio, double floor,
                          double moonshot) {
  stability s;
  bench_row row = bench_describe(name, "goal in time", n, 0, "f64");
  size_t k;
  if (!bench_wanted(name)) return;
  memset(&s, 0, sizeof s);
  s.u.n = n;
  s.u.steps = steps;
  s.u.eta = pow((double)n, -1.5);
  s.u.lipschitz = 1.0;
  s.u.loss = DPPAIR_UAS_CONVEX;
  s.ratio = ratio;
  s.index = (size_t *)room(steps * sizeof *s.index);
  for (k = 0; k < steps; k++) s.index[k] = (size_t)(bench_uniform(k) * (double)n);
  must(dppair_uas_workspace(&s.bytes, &s.u, ratio));
  s.workspace = room(s.bytes);
  timed(&row, stability_work, &s, floor, moonshot);
  free(s.workspace);
  free(s.index);
}

/* Random allocation, zero-out, both directions, noise multiplier 1: a table, its epochs, the curve.
 * The error is the relative width of the certified interval, which has a goal of its own. */
typedef struct allocated {
  size_t batches, epochs, doubles;
  double delta, width, *work;
} allocated;

static void allocation_work(void *context) {
  allocated *a = (allocated *)context;
  dppair_interval in;
  must(dppair_allocation_epsilon_(&in, 1.0, a->batches, a->epochs, a->delta, DPPAIR_ZERO_OUT, 0,
                                  a->work, a->doubles));
  a->width = (in.upper - in.lower) / in.upper;
}

static void allocation_row(const char *name, size_t batches, size_t epochs, double width,
                           double floor, double moonshot) {
  allocated a = {batches, epochs, dppair_allocation_workspace_(1.0, batches), 1e-5, 0.0, NULL};
  bench_row row = bench_describe(name, "goal in time", batches, epochs, "f64");
  if (!bench_wanted(name)) return;
  a.work = (double *)room(a.doubles * sizeof(double));
  allocation_work(&a);
  row.error = a.width;
  if (LDBL_MANT_DIG > 53 && !(a.width <= width)) {
    fprintf(stderr, "bench_acct: %s is %g wide, its goal is %g\n", name, a.width, width);
    exit(1);
  }
  timed(&row, allocation_work, &a, floor, moonshot);
  free(a.work);
}

static void numerical_row(const char *name, bench_work work, dppair_step step, double delta,
                          double truth, double floor, double moonshot) {
  numerical n;
  bench_row row = bench_describe(name, "goal in time", step.steps, 0, "f64");
  if (!bench_wanted(name)) return;
  memset(&n, 0, sizeof n);
  n.step = step;
  n.delta = delta;
  must(dppair_composer_workspace(&n.bytes, NULL));
  n.workspace = room(n.bytes);
  work(&n);
  row.error = fabs(n.upper / truth - 1.0);
  timed(&row, work, &n, floor, moonshot);
  free(n.workspace);
}

/* Private evaluation of n records, one permit after the other: counts, variance, interval, noise.
 */
typedef struct evaluation {
  dppair_accountant account;
  dppair_release release;
  double *score, *label;
  void *work;
  size_t n, bytes;
} evaluation;

static void evaluate_auc_work(void *context) {
  evaluation *e = (evaluation *)context;
  dppair_evaluation out;
  must(dppair_evaluate_auc(&out, &e->release, e->score, e->label, e->n, NULL, e->work, e->bytes));
  sink += out.value;
}

static void evaluate_kendall_work(void *context) {
  evaluation *e = (evaluation *)context;
  dppair_evaluation out;
  must(dppair_evaluate_kendall(&out, &e->release, e->score, e->label, e->n, NULL, e->work,
                               e->bytes));
  sink += out.value;
}

/* Scores without ties, a third of them positive; for tau the labels are any numbers. */
static void evaluation_row(const char *name, bench_work work, size_t n, int numbers, double floor,
                           double moonshot) {
  static evaluation e;
  bench_row row = bench_describe(name, "goal in time", n, 0, "f64");
  dppair_plan plan;
  size_t i;
  e.n = n;
  must(dppair_evaluate_workspace(&e.bytes, n, 0));
  e.score = (double *)malloc(n * sizeof(double));
  e.label = (double *)malloc(n * sizeof(double));
  e.work = malloc(e.bytes);
  for (i = 0; i < n; i++) {
    e.score[i] = fmod((double)i * 0.6180339887498949, 1.0);
    e.label[i] = numbers ? fmod((double)i * 0.4142135623730950, 1.0) : i % 3 == 0 ? 1.0 : 0.0;
  }
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.noise = DPPAIR_LAPLACE;
  plan.noise_multiplier = 1.0;
  plan.steps = 1000000000;
  must(dppair_accountant_init(&e.account));
  must(dppair_release_open(&e.release, &e.account, &plan, NULL));
  timed(&row, work, &e, floor, moonshot);
  dppair_release_close(&e.release);
  free(e.score);
  free(e.label);
  free(e.work);
}

int main(int argc, char **argv) {
  const dppair_step typical = sampled(DPPAIR_ZERO_OUT, 0.01, 1.0, 10000);
  double epsilon = 1.0;
  bench_row row;
  dppair_accountant a;
  bench_start(argc, argv, "accountant", 30.0);

  row = bench_describe("acct_sigma", "goal in time", 1, 0, "f64");
  row.error = 0.0;
  {
    double sigma;
    must(dppair_gaussian_sigma(&sigma, 1.0, 1.0, 1e-5, 1));
    row.error = fabs(sigma / 3.7306316348159 - 1.0);
  }
  timed(&row, sigma_work, &epsilon, 5e-6, 1e-6);

  row = bench_describe("acct_renyi_150_orders", "goal in time", 10000, 0, "f64");
  timed(&row, renyi_list_work, (void *)&typical, 1e-3, 0.2e-3);
  dppair_accountant_init(&a);
  must(dppair_accountant_step(&a, &typical));
  row = bench_describe("acct_renyi_epsilon", "goal in time", 10000, 0, "f64");
  timed(&row, renyi_account_work, &a, 1e-3, 0.2e-3);

  numerical_row("acct_contour", contour_work, typical, 1e-5, 6.1877123900, 2e-3, 0.1e-3);
  numerical_row("acct_contour_replace_one", contour_work,
                sampled(DPPAIR_REPLACE_ONE, 0.25, 10.0, 5000), 1e-12, 30.5369955077, 2e-3, 0.1e-3);
  numerical_row("acct_contour_many", contour_work, sampled(DPPAIR_ZERO_OUT, 0.001, 1.0, 100000),
                1e-6, 1.8610474590, 2e-3, 0.1e-3);
  numerical_row("acct_contour_few", contour_work, sampled(DPPAIR_ZERO_OUT, 0.01, 1.0, 100), 1e-5,
                0.71803566, 30e-3, 5e-3);
  numerical_row("acct_lattice", lattice_work, typical, 1e-5, 6.1877123900, 60e-3, 25e-3);
  numerical_row("acct_calibrate", calibrate_work, typical, 1e-5, 2.1273754355, 20e-3, 3e-3);

  allocation_row("acct_allocation", 100, 1, 1e-8, 50e-3, 10e-3);
  allocation_row("acct_allocation_epochs", 100, 1000, 1e-8, 50e-3, 10e-3);
  allocation_row("acct_allocation_many", 10000, 1000, 1e-6, 700e-3, 50e-3);
  allocation_row("acct_allocation_most", 1000000, 1, 1e-6, 700e-3, 50e-3);
  stability_row("acct_uas_exact", 512, 512 * 512, 1.0, 1.0, 0.5);
  stability_row("acct_uas_blocks", 100000, 10000000, 1.05, 2.0, 1.0);
  evaluation_row("evaluate_auc", evaluate_auc_work, 1000, 0, 1e-3, 0.1e-3);
  evaluation_row("evaluate_auc_million", evaluate_auc_work, 1000000, 0, 0.5, 0.2);
  evaluation_row("evaluate_kendall", evaluate_kendall_work, 1000, 1, 1e-3, 0.2e-3);
  if (sink == 1.2345) printf("\n"); /* the work is not optimised away */
  return bench_finish();
}
