/* SPDX-License-Identifier: MIT */
/*
 * private_metric - learn a Mahalanobis metric under differential privacy and see what it buys.
 *
 * Without --model training is repeated over random splits with simulated noise; with --model it
 * runs once on all records and writes W, which is all that the guarantee covers. In particular it
 * does not cover nearest neighbours: those are raw training records whatever W is.
 */
#include <math.h>
#include <stdlib.h>

#include "methods/links.h"
#include "methods/measures.h"
#include "support/simulation.h"

static const char usage[] =
    "private_metric - learn a Mahalanobis metric under differential privacy\n"
    "\n"
    "usage: private_metric [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV (comma, semicolon or tab; header optional). Labels have two levels:\n"
    "unless declared, of two numbers the larger is +1, of two words the later one. Without DATA:\n"
    "the Pima diabetes records.\n"
    "\n"
    "budget\n"
    "  --epsilon LIST      one or more, commas between (default 0.5,1,2,4)\n"
    "  --delta X           default 1/n_train, printed; 0 = pure privacy, where the method has it\n"
    "training\n"
    "  --method NAME       direction-metric (default): the identity, stretched along one private\n"
    "                      direction; where n, d and the budget are too small for that, the\n"
    "                      identity, and nothing is spent. Others: below. None beats the identity\n"
    "                      reliably: see what the simulation says of your data\n"
    "  --loss logistic|hinge|squared-hinge|square\n"
    "                      the first is the default; not for all methods\n"
    "  --steps T           number of noisy steps (default: from n, d and the budget)\n"
    "  --step-size X       default: from R, d and the noise\n"
    "  --radius R          rows are clipped to this l2 norm (default 0.4 sqrt(d); --scale row: 1)\n"
    "  --param-radius B    Frobenius norm of the metric (default 2 sqrt(d)/R^2; others: 1)\n"
    "  --lambda X          regulariser (lambda/2)|W|^2 added to the risk, above 0, of the methods\n"
    "                      marked below. Default: 0.01 for dpgdsc and offpairstrc, none elsewhere\n"
    "  --as-printed        noise by the constants that a paper prints; states the true epsilon\n";
static const char usage_runs[] =
    "simulation\n"
    "  --splits K          random splits, two thirds for training (default 20)\n"
    "  --seed N            of the splits and the simulated noise (default 1)\n"
    "  --svg FILE          a picture of 3-NN accuracy over epsilon\n"
    "  --json              one JSON object per epsilon and line instead of the table\n"
    "  --quiet             no progress, no prose\n"
    "release\n"
    "  --model FILE        train once on ALL records, noise keyed by the operating system, and\n"
    "                      write metric, scaling and guarantee into a new file; needs one\n"
    "                      --epsilon\n";

/* What is measured: of each budget, and of the levels that it is compared with. */
typedef struct figures {
  summary accuracy, gain, risk, distance; /* gain: of accuracy over the identity's */
} figures;

typedef struct results {
  outcome run[MAX_BUDGETS];
  figures at[MAX_BUDGETS], reference, identity;
} results;

/* 3-NN accuracy on the test records and the mean loss of test pairs, both with rows clipped. */
static dppair_status measure(figures *f, double *accuracy, const task *t, const split *part,
                             const double *w) {
  double risk;
  dppair_status status = metric_neighbours(accuracy, w, task_radius(t), part);
  if (status == DPPAIR_OK) status = metric_risk(&risk, w, &part->test, t);
  if (status != DPPAIR_OK) return status;
  summary_add(&f->accuracy, *accuracy);
  summary_add(&f->risk, risk);
  return DPPAIR_OK;
}

/* The same of a model, against the identity's accuracy on this split. */
static dppair_status measure_model(figures *f, const task *t, const split *part, const model *m,
                                   double identity) {
  double accuracy = metric_accuracy(m, part), risk;
  dppair_status status = metric_model_risk(&risk, m, &part->test, t);
  if (status != DPPAIR_OK) return status;
  summary_add(&f->accuracy, accuracy);
  summary_add(&f->gain, accuracy - identity);
  summary_add(&f->risk, risk);
  summary_add(&f->distance, metric_distance_to_identity(m->theta, m->d));
  return DPPAIR_OK;
}

static dppair_status simulate_split(results *all, double *w, simulation *sim, const split *part,
                                    size_t k) {
  const run_options *o = sim->o;
  double identity, reference;
  size_t b;
  task t;
  dppair_status status;
  task_fill(&t, o, sim->data, sim->scale, o->epsilon[0], sim->delta);
  t.train = part->train;
  status = metric_start(w, &t);
  if (status == DPPAIR_OK) status = measure(&all->identity, &identity, &t, part, w);
  if (status == DPPAIR_OK) status = metric_reference(w, &t);
  if (status == DPPAIR_OK) status = measure(&all->reference, &reference, &t, part, w);
  for (b = 0; b < o->budgets && status == DPPAIR_OK; b++) {
    model fitted;
    t.epsilon = o->epsilon[b];
    status = outcome_train(&all->run[b], &fitted, sim->m, &t, o->seed, k * MAX_BUDGETS + b);
    if (status != DPPAIR_OK) break;
    status = measure_model(&all->at[b], &t, part, &fitted, identity);
    model_free(&fitted);
  }
  return status;
}

static dppair_status run_split(void *context, simulation *sim, const split *part, size_t k) {
  results *all = context;
  const size_t d = part->train.d;
  split looked_at = *part;
  double *w = calloc(d * d, sizeof *w);
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  looked_at.test.n = sim->n_test;
  if (w != NULL) status = simulate_split(all, w, sim, &looked_at, k);
  free(w);
  sim->used++;
  return status;
}

static void print_json(const simulation *sim, const results *all) {
  size_t b;
  for (b = 0; b < sim->o->budgets; b++) {
    const figures *f = &all->at[b];
    int first = 1;
    print_members(sim, &all->run[b], b, &first);
    json_member_number(stdout, "knn_private_mean", f->accuracy.mean, &first);
    json_member_number(stdout, "knn_private_sd", summary_sd(&f->accuracy), &first);
    json_member_number(stdout, "knn_gain_mean", f->gain.mean, &first);
    json_member_number(stdout, "knn_gain_se", summary_error(&f->gain), &first);
    json_member_number(stdout, "distance_to_identity_mean", f->distance.mean, &first);
    json_member_number(stdout, "knn_nonprivate_mean", all->reference.accuracy.mean, &first);
    json_member_number(stdout, "knn_identity_mean", all->identity.accuracy.mean, &first);
    json_member_number(stdout, "risk_private_mean", f->risk.mean, &first);
    json_member_number(stdout, "risk_private_sd", summary_sd(&f->risk), &first);
    json_member_number(stdout, "risk_nonprivate_mean", all->reference.risk.mean, &first);
    json_member_number(stdout, "risk_identity_mean", all->identity.risk.mean, &first);
    json_member_number(stdout, "seconds", all->run[b].seconds, &first);
    (void)puts("}");
  }
}

static void print_table(const simulation *sim, const results *all) {
  const run_options *o = sim->o;
  const outcome *notes[MAX_BUDGETS];
  char words[96];
  size_t b;
  (void)snprintf(words, sizeof words, "%zu training and %zu test records", sim->n_train,
                 sim->n_test);
  print_heading(sim, words);
  (void)puts("\n           3-NN accuracy                                          pairwise risk"
             "                    distance\n"
             " epsilon   private  identity  difference +- s.e.   non-private  private  identity"
             "  non-private  to identity  noise sigma");
  for (b = 0; b < o->budgets; b++) {
    const figures *f = &all->at[b];
    const outcome *r = notes[b] = &all->run[b];
    (void)printf(" %-7g   %.4f   %.4f    %+.4f +- %.4f    %.4f       %.4f   %.4f    %.4f       "
                 "%.4f       %-11.4g\n",
                 o->epsilon[b], f->accuracy.mean, all->identity.accuracy.mean, f->gain.mean,
                 summary_error(&f->gain), all->reference.accuracy.mean, f->risk.mean,
                 all->identity.risk.mean, all->reference.risk.mean, f->distance.mean, r->sigma);
  }
  if (o->quiet) return;
  (void)puts(
      "\n(means over splits, on test records; risk is the mean loss of test pairs; distance: of the"
      " released\nmatrix to the nearest multiple of the identity, over its own norm; \"identity\" is"
      " a multiple of the\nEuclidean metric, which needs no data; \"non-private\" 200 steps of gd"
      " without noise, on some of the\nrecords where there are many)\n");
  print_ending(sim, notes);
}

static int draw(const simulation *sim, const results *all) {
  const run_options *o = sim->o;
  budget_chart chart = {"Private metric learning, simulated: 3-NN accuracy over epsilon",
                        NULL,
                        "3-NN accuracy on test records",
                        {"private", "non-private", "identity"},
                        {0},
                        {0},
                        {all->reference.accuracy.mean, all->identity.accuracy.mean}};
  char subtitle[160];
  size_t b;
  for (b = 0; b < o->budgets; b++) {
    chart.value[b] = all->at[b].accuracy.mean;
    chart.deviation[b] = summary_sd(&all->at[b].accuracy);
  }
  (void)snprintf(subtitle, sizeof subtitle,
                 "NOT PRIVATE. %s, n = %zu, delta = %.3g, %zu splits, bars: one s.d.", data_name(o),
                 sim->n_train, sim->delta, sim->used);
  chart.subtitle = subtitle;
  return draw_budgets(o, &chart);
}

static int simulate(simulation *sim) {
  static results all;
  const run_options *o = sim->o;
  const size_t rest = sim->data->n - sim->n_train;
  double most;
  int code;
  if (sim->n_train < NEIGHBOURS + 1 || rest < 2)
    return complain(1, "%s: too few records for a split", data_name(o));
  /* neighbours of all test records would take minutes for large n */
  most = fmax(2e9 / ((double)sim->n_train * (double)sim->data->d), 200);
  sim->n_test = (double)rest > most ? (size_t)most : rest;
  code = simulate_splits(sim, run_split, &all);
  if (code != 0) return code;
  if (o->svg != NULL && (code = draw(sim, &all)) != 0) return code;
  if (o->json)
    print_json(sim, &all);
  else
    print_table(sim, &all);
  return 0;
}

static int knows_loss(const char *name) {
  const pair_link *phi = pair_link_find(name, NULL);
  return phi != NULL && phi->metric != NULL;
}

static int run_line(int argc, char **argv) {
  const program self = {"private_metric",
                        usage,
                        usage_runs,
                        {"dppair private_metric model 2", "metric", 1,
                         "nearest-neighbour predictions, whose neighbours are raw records; "},
                        metric_methods,
                        knows_loss,
                        simulate};
  return program_run(&self, argc, argv);
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "private_metric"); }
