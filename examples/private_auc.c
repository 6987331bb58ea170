/* SPDX-License-Identifier: MIT */
/*
 * private_auc - train a private ranking model and see what privacy costs.
 *
 * Without --model it repeats training over random splits, with simulated noise, and prints test AUC
 * beside the same data's non-private fit and a score that uses no labels. With --model it trains
 * once on all records with noise keyed by the operating system and writes the model: that file, and
 * nothing else, is what the guarantee covers.
 */
#include <stdlib.h>
#include <string.h>

#include "methods/trial.h"
#include "support/release.h"
#include "support/solver.h"

static const char usage[] =
    "private_auc - train a ranking model under differential privacy\n"
    "\n"
    "usage: private_auc [DATA] [options]\n"
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
    "  --method NAME       see the list below (default gd)\n"
    "  --loss NAME         logistic (default), hinge, squared-hinge, square; where the method has "
    "one\n"
    "  --steps T           number of noisy steps (default: from n, d and the budget)\n"
    "  --step-size X       default: from the loss's curvature and R\n"
    "  --radius R          rows are clipped to this l2 norm (default 0.4 sqrt(d); 1 for --scale "
    "row)\n"
    "  --param-radius B    parameters are projected on this l2 ball (default: not projected)\n"
    "  --lambda X          regulariser (lambda/2)|w|^2 added to the risk (niewang2017 and its "
    "Fourier\n"
    "                      map: lambda |w|^2), above 0, of the methods marked below. Default: "
    "0.001\n"
    "                      for dpgdsc and offpairstrc; from n, d and the budget for niewang2017* "
    "and\n"
    "                      bolton; none elsewhere\n"
    "  --as-printed        noise by the constants that a paper prints, with the true epsilon "
    "stated\n";
static const char usage_runs[] =
    "simulation\n"
    "  --splits K          random splits, two thirds for training (default 20)\n"
    "  --seed N            of the splits and the simulated noise (default 1)\n"
    "  --svg FILE          a picture of AUC over epsilon\n"
    "  --json              one JSON object per epsilon and line instead of the table\n"
    "  --quiet             no progress, no prose\n"
    "release\n"
    "  --model FILE        train once on ALL records, noise keyed by the operating system, and "
    "write\n"
    "                      weights, scaling and guarantee into a new file; needs one "
    "--epsilon\n";

static void print_help(void) {
  size_t k;
  print_usage(usage, usage_runs);
  for (k = 0; methods[k] != NULL; k++) print_method(methods[k]);
}

static const release_kind kind = {"dppair private_auc model 2", "model", 0, ""};

/* --- simulation ------------------------------------------------------------------------------- */

typedef struct result {
  summary private_auc;
  double sigma, seconds, epsilon_spent;
  size_t steps;
  char note[640];
} result;

typedef struct simulation {
  result at[MAX_BUDGETS];
  summary nonprivate, zero_budget;
  size_t n_train, used;
  double delta;
} simulation;

static dppair_status simulate_budget(result *r, double *s, const method *m, const task *t,
                                     const split *part, const options *o, size_t k, size_t b) {
  dppair_rng noise, indices;
  task job = *t;
  model fitted;
  double start = seconds_now();
  dppair_status status;
  status = trial_keys(&noise, &indices, o->seed, k * MAX_BUDGETS + b);
  if (status != DPPAIR_OK) return status;
  job.train = part->train;
  job.noise = &noise;
  job.indices = &indices;
  status = method_train(&fitted, m, &job);
  if (status != DPPAIR_OK) return status;
  fitted.score(s, &fitted, &part->test);
  summary_add(&r->private_auc, ranking_auc(s, part->test.y, part->test.n));
  r->sigma = fitted.sigma;
  r->steps = fitted.steps;
  r->epsilon_spent = fitted.epsilon;
  memcpy(r->note, fitted.note, sizeof r->note);
  r->seconds += seconds_now() - start;
  model_free(&fitted);
  return DPPAIR_OK;
}

static dppair_status simulate_split(simulation *sim, double *s, double *w, const options *o,
                                    const method *m, const dataset *data, scale_kind scale,
                                    const split *part, size_t k) {
  size_t b;
  dppair_status status = reference_fit(w, &part->train);
  if (status == DPPAIR_OK)
    status = dppair_scores_f64(s, part->test.x, part->test.n, data->d, data->d, w);
  if (status != DPPAIR_OK) return status;
  summary_add(&sim->nonprivate, ranking_auc(s, part->test.y, part->test.n));
  summary_add(&sim->zero_budget, zero_budget_auc(s, &part->test));
  for (b = 0; b < o->budgets && status == DPPAIR_OK; b++) {
    task t;
    task_fill(&t, o, data, scale, o->epsilon[b], sim->delta);
    status = simulate_budget(&sim->at[b], s, m, &t, part, o, k, b);
  }
  sim->used++;
  return status;
}

static int simulate(simulation *sim, const options *o, const method *m, const dataset *data,
                    scale_kind scale) {
  simulation_rng rng;
  progress bar;
  size_t k, *order = malloc(data->n * sizeof *order);
  double *s = malloc(data->n * sizeof *s), *w = malloc(data->d * sizeof *w);
  dppair_status status = order == NULL || s == NULL || w == NULL ? DPPAIR_ERR_OVERFLOW : DPPAIR_OK;
  simulation_seed(&rng, o->seed);
  progress_begin(&bar, "training", o->splits, o->quiet);
  for (k = 0; k < o->splits && status == DPPAIR_OK; k++) {
    split part;
    simulation_permutation(order, data->n, &rng);
    if (!split_make(&part, data, order, sim->n_train, data->n - sim->n_train, scale)) {
      status = DPPAIR_ERR_OVERFLOW;
      break;
    }
    if (has_both_labels(&part.test))
      status = simulate_split(sim, s, w, o, m, data, scale, &part, k);
    split_free(&part);
    progress_step(&bar);
  }
  progress_end(&bar);
  free(order);
  free(s);
  free(w);
  if (status != DPPAIR_OK) return complain(1, "%s: %s", m->name, dppair_status_string(status));
  if (sim->used == 0)
    return complain(1, "%s: no split has both labels in its test part", data_name(o));
  return 0;
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
    json_member_number(stdout, "splits", (double)sim->used, &first);
    json_member_number(stdout, "sigma", r->sigma, &first);
    json_member_number(stdout, "steps", (double)r->steps, &first);
    json_member_number(stdout, "auc_private_mean", r->private_auc.mean, &first);
    json_member_number(stdout, "auc_private_sd", summary_sd(&r->private_auc), &first);
    json_member_number(stdout, "auc_nonprivate_mean", sim->nonprivate.mean, &first);
    json_member_number(stdout, "auc_zero_budget_mean", sim->zero_budget.mean, &first);
    json_member_number(stdout, "seconds", r->seconds, &first);
    (void)puts("}");
  }
}

static void print_table(const simulation *sim, const options *o, const method *m,
                        const dataset *data, scale_kind scale) {
  size_t b;
  (void)puts("simulation on your data: not a release");
  if (!o->quiet)
    (void)printf("%s: %zu records, %zu features, +1 is \"%s\", scaled by %s\n"
                 "method %s, %zu training records, %zu random splits, delta = %.6g%s, %s\n",
                 data_name(o), data->n, data->d, data->label[1], scale_words[scale], m->name,
                 sim->n_train, sim->used, rounded_up(sim->delta),
                 o->delta_given ? "" : " (1/n_train)", dppair_isa_name());
  if (!o->quiet) print_learnt(data);
  (void)puts("\n epsilon   private AUC           non-private   no budget   noise sigma   steps");
  for (b = 0; b < o->budgets; b++) {
    const result *r = &sim->at[b];
    (void)printf(" %-7g   %.4f +- %.4f      %.4f        %.4f      %-11.4g   %zu\n", o->epsilon[b],
                 r->private_auc.mean, summary_sd(&r->private_auc), sim->nonprivate.mean,
                 sim->zero_budget.mean, r->sigma, r->steps);
  }
  if (o->quiet) return;
  (void)puts("\n(test AUC, mean +- standard deviation over splits; \"no budget\" is the plain sum "
             "of the scaled\n"
             "features, \"non-private\" a logistic regression on them)\n");
  for (b = 0; b < o->budgets; b++)
    if (sim->at[b].note[0] != '\0')
      (void)printf("epsilon %g: %s\n", o->epsilon[b], sim->at[b].note);
  if (scale == SCALE_ZSCORE) {
    print_wrapped(stdout,
                  "NOT COVERED BY ANY GUARANTEE: --scale zscore uses means and deviations of the "
                  "records without noise. Declare ranges, or use --scale row.");
    return;
  }
  print_promise(&kind, o, m, data, sim->at[0].epsilon_spent);
}

static int draw(const simulation *sim, const options *o, const method *m) {
  budget_chart chart = {
      "Private ranking: test AUC over epsilon",     NULL, "area under the ROC curve",
      {"private", "non-private", "no budget"},      {0},  {0},
      {sim->nonprivate.mean, sim->zero_budget.mean}};
  char subtitle[160];
  size_t b;
  for (b = 0; b < o->budgets; b++) {
    chart.value[b] = sim->at[b].private_auc.mean;
    chart.deviation[b] = summary_sd(&sim->at[b].private_auc);
  }
  (void)snprintf(subtitle, sizeof subtitle,
                 "%s, method %s, n = %zu, delta = %.3g, %zu splits, bars: one s.d.", data_name(o),
                 m->name, sim->n_train, sim->delta, sim->used);
  chart.subtitle = subtitle;
  return draw_budgets(o, &chart);
}

static int run_simulation(const options *o, const method *m, const dataset *data,
                          scale_kind scale) {
  simulation sim;
  int code;
  memset(&sim, 0, sizeof sim);
  sim.n_train = 2 * data->n / 3;
  sim.delta = o->delta_given ? o->delta : 1 / (double)sim.n_train;
  code = simulate(&sim, o, m, data, scale);
  if (code != 0) return code;
  if (o->svg != NULL && (code = draw(&sim, o, m)) != 0) return code;
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
  program_name = "private_auc";
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) {
      print_help();
      return 0;
    }
    if (strcmp(argv[k], "--version") == 0) {
      (void)printf("private_auc (dppair) %s\n", DPPAIR_VERSION_STRING);
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
  m = method_find(o.method);
  if (m == NULL) return complain(2, "no method is called '%s' (see --help)", o.method);
  if (!check_offers(&o, m->name, m->offers)) return 2;
  if (o.model != NULL) return release(&kind, &o, m);
  code = load(&data, &scale, &o);
  if (code == 0) code = check_data(&data, &o, m);
  if (code == 0) code = run_simulation(&o, m, &data, scale);
  data_free(&data);
  return code;
}
