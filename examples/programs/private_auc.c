/* SPDX-License-Identifier: MIT */
/*
 * private_auc - train a private ranking model and see what privacy costs.
 *
 * Without --model it repeats training over random splits, with simulated noise, and prints test AUC
 * beside the same data's non-private fit and a score that uses no labels. With --model it trains
 * once on all records with noise keyed by the operating system and writes the model: that file, and
 * nothing else, is what the guarantee covers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/links.h"
#include "support/apply.h"
#include "support/convert.h"
#include "support/simulation.h"
#include "support/solver.h"
#include "support/template.h"

static const char usage[] =
    "private_auc - train a ranking model under differential privacy\n"
    "\n"
    "usage: private_auc [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV (comma, semicolon or tab; header optional). Labels have two levels:\n"
    "unless declared, of two numbers the larger is +1, of two words the later one. Without DATA:\n"
    "the Pima diabetes records.\n"
    "\n"
    "budget\n"
    "  --epsilon LIST      one or more, commas between (default 0.5,1,2,4)\n"
    "  --delta X           default 1/n_train, printed; 0 = pure privacy, where the method has it\n"
    "training\n"
    "  --method NAME       see the list below (default gd)\n"
    "  --release all|last  of gd: all iterates (default), or the last one alone, whose price does\n"
    "                      not grow with the steps (method gd-last)\n"
    "  --loss logistic|hinge|squared-hinge|square\n"
    "                      the first is the default; not for all methods\n"
    "  --steps T           number of noisy steps (default: from n, d and the budget)\n"
    "  --step-size X       default: from the loss's curvature and R\n"
    "  --radius R          rows are clipped to this l2 norm (default 0.4 sqrt(d); --scale row: 1)\n"
    "  --param-radius B    parameters are projected on this l2 ball (default: not projected)\n"
    "  --lambda X          regulariser (lambda/2)|w|^2 added to the risk (niewang2017 and its\n"
    "                      Fourier map: lambda |w|^2), above 0, of the methods marked below.\n"
    "                      Default: 0.001 for dpgdsc and offpairstrc; from n, d and the budget\n"
    "                      for niewang2017* and bolton; none elsewhere\n"
    "  --as-printed        noise by the constants that a paper prints; states the true epsilon\n";
static const char usage_runs[] =
    "first steps\n"
    "  --demo              what `make demo` shows: the built-in records by method auto at delta\n"
    "                      1e-5, what epsilon means, and what to type next\n"
    "  --write-ranges FILE\n"
    "                      begins a new ranges file for DATA: the names of its columns, with their\n"
    "                      low and high ends left empty. No value of a record is in it. This makes\n"
    "                      the names public, so --header yes has to say that the first line holds\n"
    "                      names (or --columns D, with --header no or LIBSVM: then they are numbers);\n"
    "                      with --label, --separator, --person\n"
    "simulation\n"
    "  --splits K          random splits, two thirds for training (default 20)\n"
    "  --seed N            of the splits and the simulated noise (default 1)\n"
    "  --svg FILE          a picture of AUC over epsilon\n"
    "  --json              one JSON object per epsilon and line instead of the table\n"
    "  --quiet             no progress, no prose\n"
    "scores\n"
    "  --apply MODEL       prints a score for each record of DATA, in a line each, by a model that\n"
    "                      --model wrote: of auto, or a linear one. DATA needs no labels: a CSV's\n"
    "                      columns are found by their names, in any order, and others are not\n"
    "                      read (--header no: they stand in the model's order); LIBSVM lines may\n"
    "                      begin with their features. Derived columns need --maps again. The\n"
    "                      scores are NOT PRIVATE: they show something of these new records\n"
    "large files\n"
    "  --convert FILE      writes DATA's records, scaled as they are trained on, into a new binary\n"
    "                      file, which is read at the speed of memory; with --label, --labels,\n"
    "                      --header, --columns, --separator, --ranges, --maps, --scale, --person\n"
    "                      (records sorted by it: numbers, then texts by their bytes). Shape and\n"
    "                      labels have to be declared; the file then says all of it, and is as\n"
    "                      secret as DATA\n"
    "  --numbers double|float\n"
    "                      of --convert: the same numbers (default), or half as many bytes\n"
    "release\n"
    "  --model FILE        train once on ALL records, noise keyed by the operating system, and\n"
    "                      write weights, scaling and guarantee into a new file; needs one\n"
    "                      --epsilon\n"
    "  --evaluate FILE     with --model: the AUC of the model on records of OTHER people, in the\n"
    "                      format and with the declarations of DATA, printed with noise of its own\n"
    "  --evaluate-epsilon E\n"
    "                      what that may spend of these people's budget. A record that is in both\n"
    "                      files is charged for both\n"
    "  --explain           with --model, of gd and the dpsgd methods: what the noise of the first\n"
    "                      release is made of: slopes, the move of a record, sensitivity, scale.\n"
    "                      Public numbers, the same for every neighbour\n";

/* What is measured: of each budget, and of the levels that it is compared with. */
typedef struct results {
  outcome at[MAX_BUDGETS];
  summary nonprivate, zero_budget;
} results;

/* The mean AUC of the queries that have both labels; -1 where none has, NaN without memory. */
static double query_auc(const double *s, const records *test) {
  double *score = malloc(2 * test->n * sizeof *score), *y = score + test->n, sum = 0;
  size_t g, i, n, up, used = 0;
  if (score == NULL) return (double)NAN;
  for (g = 0; g < test->groups; g++) {
    for (i = n = up = 0; i < test->n; i++)
      if (test->group[i] == g) {
        score[n] = s[i];
        y[n++] = test->y[i];
        up += test->y[i] > 0;
      }
    if (up == 0 || up == n) continue;
    sum += ranking_auc(score, y, n);
    used++;
  }
  free(score);
  return used > 0 ? sum / (double)used : -1;
}

static dppair_status measure(summary *to, double *s, const records *test, const run_options *o) {
  const double auc = o->query != NULL ? query_auc(s, test) : ranking_auc(s, test->y, test->n);
  if (auc != auc) return DPPAIR_ERR_OVERFLOW;
  if (auc >= 0) summary_add(to, auc);
  return DPPAIR_OK;
}

static dppair_status simulate_split(results *r, double *s, double *w, simulation *sim,
                                    const split *part, size_t k) {
  const run_options *o = sim->o;
  const records *test = &part->test;
  size_t b;
  task t;
  const dppair_rows_f64 rows = dppair_rows_make_f64(test->x, test->n, test->d, test->d);
  dppair_status status = reference_fit(w, &part->train);
  if (status == DPPAIR_OK) status = dppair_scores_f64(s, &rows, w);
  if (status != DPPAIR_OK) return status;
  status = measure(&r->nonprivate, s, test, o);
  (void)zero_budget_auc(s, test);
  if (status == DPPAIR_OK) status = measure(&r->zero_budget, s, test, o);
  task_fill(&t, o, sim->data, sim->scale, o->epsilon[0], sim->delta);
  t.train = part->train;
  for (b = 0; b < o->budgets && status == DPPAIR_OK; b++) {
    model fitted;
    t.epsilon = o->epsilon[b];
    status = outcome_train(&r->at[b], &fitted, sim->m, &t, o->seed, k * MAX_BUDGETS + b);
    if (status != DPPAIR_OK) break;
    fitted.score(s, &fitted, test);
    status = measure(&r->at[b].measured, s, test, o);
    model_free(&fitted);
  }
  return status;
}

static dppair_status run_split(void *context, simulation *sim, const split *part, size_t k) {
  const records *test = &part->test;
  double *s;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (test->n == 0 || part->train.n < 4 || !has_both_labels(test)) return DPPAIR_OK;
  s = malloc((test->n + test->d) * sizeof *s);
  if (s != NULL) status = simulate_split(context, s, s + test->n, sim, part, k);
  free(s);
  sim->used++;
  return status;
}

static void print_json(const simulation *sim, const results *all) {
  size_t b;
  for (b = 0; b < sim->o->budgets; b++) {
    const outcome *r = &all->at[b];
    int first = 1;
    print_members(sim, r, b, &first);
    json_member_number(stdout, "auc_private_mean", r->measured.mean, &first);
    json_member_number(stdout, "auc_private_sd", summary_sd(&r->measured), &first);
    json_member_number(stdout, "auc_nonprivate_mean", all->nonprivate.mean, &first);
    json_member_number(stdout, "auc_zero_budget_mean", all->zero_budget.mean, &first);
    json_member_number(stdout, "seconds", r->seconds, &first);
    (void)puts("}");
  }
}

/* --demo: the name that the program was started by, or NULL. */
static const char *started_as;

/* Below the table of --demo: what its columns are, what epsilon means, what to type next. */
static void print_demo(const simulation *sim, const outcome *const notes[]) {
  (void)puts(
      "\nTest AUC, mean +- standard deviation over splits; \"linear, not private\": a logistic\n"
      "regression, which curves of single columns may beat; \"no budget\": the features' sum.");
  print_meaning(sim, notes);
  if (sim->o->svg != NULL) (void)printf("picture: %s\n", sim->o->svg);
  (void)printf("Next, your own table, a CSV with a header (docs/programs.md):\n"
               "  %s my.csv --header yes --write-ranges my.ranges   # to be filled in\n"
               "  %s my.csv --method auto --delta 1e-5   # what a private model would reach\n"
               "  %s my.csv --method auto --delta 1e-5 --epsilon 1 --header yes --labels 0,1 "
               "--model my.model\n",
               started_as, started_as, started_as);
}

static void print_table(const simulation *sim, const results *all) {
  const run_options *o = sim->o;
  const outcome *notes[MAX_BUDGETS];
  char words[64];
  size_t b;
  (void)snprintf(words, sizeof words, "%zu training %s", sim->n_train,
                 o->user != NULL  ? "persons"
                 : o->query != NULL ? "queries"
                                    : "records");
  print_heading(sim, words);
  (void)puts(
      "\n epsilon   private AUC           linear, not private   no budget   noise sigma   steps");
  for (b = 0; b < o->budgets; b++) {
    const outcome *r = notes[b] = &all->at[b];
    (void)printf(" %-7g   %.4f +- %.4f      %.4f                %.4f      %-11.4g   %zu\n",
                 o->epsilon[b], r->measured.mean, summary_sd(&r->measured), all->nonprivate.mean,
                 all->zero_budget.mean, r->sigma, r->steps);
  }
  if (o->quiet) return;
  if (started_as != NULL) {
    print_demo(sim, notes);
    return;
  }
  if (o->query != NULL) (void)puts("\nAUC: the mean over queries with both labels");
  (void)puts("\n(test AUC, mean +- standard deviation over splits; \"no budget\" is the plain sum "
             "of the scaled\n"
             "features, \"linear, not private\" a logistic regression on them, no ceiling)\n");
  print_ending(sim, notes);
}

static int draw(const simulation *sim, const results *all) {
  const run_options *o = sim->o;
  budget_chart chart = {
      "Private ranking, simulated: test AUC over epsilon", NULL, "area under the ROC curve",
      {"private", "linear, not private", "no budget"},     {0},  {0},
      {all->nonprivate.mean, all->zero_budget.mean}};
  char subtitle[160];
  size_t b;
  for (b = 0; b < o->budgets; b++) {
    chart.value[b] = all->at[b].measured.mean;
    chart.deviation[b] = summary_sd(&all->at[b].measured);
  }
  (void)snprintf(subtitle, sizeof subtitle,
                 "NOT PRIVATE. %s, method %s, n = %zu, delta = %.3g, %zu splits, bars: one s.d.",
                 data_name(o), sim->m->name, sim->n_train, sim->delta, sim->used);
  chart.subtitle = subtitle;
  return draw_budgets(o, &chart);
}

static int simulate(simulation *sim) {
  static results all;
  int code;
  if (started_as != NULL && sim->o->data != NULL)
    return complain(2, "--demo is for the built-in records: not for %s", sim->o->data);
  memset(&all, 0, sizeof all);
  code = simulate_splits(sim, run_split, &all);
  if (code != 0) return code;
  if (sim->used == 0)
    return complain(1, "%s: no split has both labels in its test part", data_name(sim->o));
  if (sim->o->svg != NULL && (code = draw(sim, &all)) != 0) return code;
  if (sim->o->json)
    print_json(sim, &all);
  else
    print_table(sim, &all);
  return 0;
}

/* The command line with what --demo stands for in front of it. */
static int run_demo(const program *self, int argc, char **argv) {
  static char *const given[] = {"--method", "auto", "--delta", "1e-5"};
  const int more = (int)(sizeof given / sizeof *given);
  char **line = malloc((size_t)(argc + more + 1) * sizeof *line);
  int k, count = 0, code = 0;
  if (line == NULL) return complain(1, "out of memory");
  for (k = 1; k < argc; k++)
    if (strcmp(argv[k], "--model") == 0)
      code = complain(2, "--demo is a simulation of built-in records: --model is not for it");
  line[count++] = argv[0];
  for (k = 0; k < more; k++) line[count++] = given[k];
  for (k = 1; k < argc; k++)
    if (strcmp(argv[k], "--demo") != 0) line[count++] = argv[k];
  line[count] = NULL;
  started_as = argv[0];
  if (code == 0) code = program_run(self, count, line);
  free(line);
  return code;
}

static int run_line(int argc, char **argv) {
  int k;
  const program self = {"private_auc", usage,
                        usage_runs,    {"dppair private_auc model 3", "model", 0, ""},
                        methods,       ranking_loss_known,
                        simulate};
  started_as = NULL;
  for (k = 1; k < argc; k++)
    if (strcmp(argv[k], "--apply") == 0)
      return apply_run(argc, argv);
    else if (strcmp(argv[k], "--convert") == 0)
      return convert_run(argc, argv);
    else if (strcmp(argv[k], "--write-ranges") == 0)
      return template_run(argc, argv);
    else if (strcmp(argv[k], "--demo") == 0)
      return run_demo(&self, argc, argv);
  return program_run(&self, argc, argv);
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "private_auc"); }
