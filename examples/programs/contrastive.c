/* SPDX-License-Identifier: MIT */
/*
 * contrastive - learn an embedding of labelled records under differential privacy, and see what it
 * buys: nearest neighbours and recall on held-out records before and after.
 *
 * Simulation over random splits. Private training draws groups of records, clips each group's
 * gradient and pays for all steps when the plan is opened (support/embedding.h).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/embedding.h"
#include "support/program.h"
#include "support/svg.h"

static const char usage[] =
    "contrastive - learn an embedding of labelled records under differential privacy\n"
    "\n"
    "usage: contrastive [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV (comma, semicolon or tab; header optional) with two labels or more.\n"
    "Without DATA: the Pima diabetes records, where nearest neighbours gain nothing by a map; where\n"
    "they do: make contrastive-picture. Two thirds of the records train; on the others stand\n"
    "the accuracy of the nearest training record (1-NN), recall at 1 and 5 (has one of the k nearest\n"
    "held-out records the same label?) and the accuracy of the nearest code word, for\n"
    "  raw          the scaled columns as they are          principal  as many principal directions\n"
    "  private      the embedding, for each epsilon         open       the embedding without privacy\n"
    "\n"
    "budget\n"
    "  --epsilon LIST      one or more, commas between (default 1,2,4,8)\n"
    "  --delta X           default 1/n_train, printed\n"
    "embedding\n"
    "  --loss supcon|infonce|triplet\n"
    "                      supcon (default): all records and code words of one label together,\n"
    "                      against all others; infonce: a record and its own code word, against\n"
    "                      the others'; triplet: equal labels nearer than others, by --margin\n"
    "  --map linear|two-layer\n"
    "                      linear (default); two-layer: tanh, then linear\n"
    "  --dim K             of the embedding (default: the labels less one, from 2 to 8)\n"
    "  --hidden H          units of the hidden layer (default 16)\n"
    "  --temperature X     similarities, minus squared distances, are divided by it (default 1)\n"
    "  --margin X          of triplets (default 1)\n"
    "private training\n"
    "  --group G           records that are clipped together (default 2)\n"
    "  --batch M           records of a step, drawn without replacement (default: all)\n"
    "  --steps T           default 10\n"
    "  --clip C            norm of a group's gradient (default 0.1)\n"
    "  --step-size X       a step is X times the mean of the groups, in units of C (default 3)\n"
    "simulation\n"
    "  --splits K          random splits (default 5)\n"
    "  --seed N            of the splits and the simulated noise (default 1)\n"
    "  --picture FILE      an SVG: the held-out records of the last split in two dimensions\n"
    "  --json              one JSON object per epsilon and line instead of the table\n"
    "  --quiet             no progress, no prose\n"
    "data, as in private_metric\n"
    "  --label NAME|NUMBER, --header yes|no, --columns D\n"
    "  --separator comma|semicolon|tab\n"
    "  --ranges FILE       ranges are public: those of FILE, or of DATA's name ending in .ranges\n"
    "  --maps FILE\n"
    "  --scale ranges|row|maps\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "What is private: the released embedding, all steps of it, for one replaced record; which\n"
    "records a step drew stays secret. What is not: every figure here (they read held-out records\n"
    "without noise), 1-NN itself (its neighbours are raw training records), \"principal\" and\n"
    "\"open\". Public: n, the columns, their ranges, which labels there are, all settings.\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed; 2 wrong use: the command line, a declaration that does not\n"
    "fit the header.\n";

enum { AT_1, AT_5, RECALLS };
static const size_t recall_at[RECALLS] = {1, 5};

/* Of one representation, on the held-out records, over splits. */
typedef struct figures {
  summary nn, recall[RECALLS], code;
} figures;

typedef struct study {
  run_options o;
  embedding_settings with;
  size_t dim, hidden;
  int two_layer;
  dataset data;
  scale_kind scale;
  size_t classes, d, n_train, n_test, used;
  double *rows, *y; /* of a split: n x d, training first */
  figures raw, principal, open, private[MAX_BUDGETS];
  double spent[MAX_BUDGETS], sigma[MAX_BUDGETS], seconds[MAX_BUDGETS];
  double *points[4]; /* n_test x 2: principal, first and last budget, open; of the last split */
} study;

/* --- the command line ------------------------------------------------------------------------- */

static int one_of(int *out, const char *option, const char *value, const char *const names[],
                  int count) {
  for (*out = 0; *out < count; ++*out)
    if (strcmp(value, names[*out]) == 0) return 1;
  return complain(0, "%s: nothing is called '%s' (see --help)", option, value);
}

/* One option with its value; 0 after a complaint. */
static int take(study *s, const char *name, const char *value) {
  static const char *const maps[] = {"linear", "two-layer"};
  static const char *const shared[] = {
      "--epsilon", "--delta", "--label",  "--header", "--columns", "--separator", "--ranges",
      "--maps",    "--scale", "--splits", "--seed",   "--steps",   "--step-size"};
  const struct {
    const char *name;
    size_t *size, most;
    double *number;
  } own[] = {{"--dim", &s->dim, 1000, NULL},
             {"--hidden", &s->hidden, 10000, NULL},
             {"--group", &s->with.group, 1000, NULL},
             {"--batch", &s->with.batch, (size_t)RECORDS_MOST, NULL},
             {"--temperature", NULL, 0, &s->with.temperature},
             {"--margin", NULL, 0, &s->with.margin},
             {"--clip", NULL, 0, &s->with.clip}};
  int which;
  size_t k;
  if (strcmp(name, "--picture") == 0) {
    s->o.svg = value;
    return 1;
  }
  if (strcmp(name, "--loss") == 0) {
    if (!one_of(&which, name, value, embedding_losses, EMBED_LOSSES)) return 0;
    s->with.loss = (embedding_loss)which;
    return 1;
  }
  if (strcmp(name, "--map") == 0) return one_of(&s->two_layer, name, value, maps, 2);
  for (k = 0; k < sizeof own / sizeof *own; k++) {
    if (strcmp(name, own[k].name) != 0) continue;
    if (own[k].size != NULL)
      return (text_size(own[k].size, value) && *own[k].size > 0 && *own[k].size <= own[k].most) ||
             complain(0, "%s takes a whole number from 1 to %zu, not '%s'", name, own[k].most,
                      value);
    /* so that squares, and their quotients by the temperature, stay far inside of the range */
    return (text_number(own[k].number, value) && *own[k].number >= 1e-6 && *own[k].number <= 1e6) ||
           complain(0, "%s takes a number in [1e-6, 1e6], not '%s'", name, value);
  }
  for (k = 0; k < sizeof shared / sizeof *shared; k++)
    if (strcmp(name, shared[k]) == 0) return option_take(&s->o, name, value);
  return complain(0, "unknown option %s (see --help)", name);
}

static int parse_line(study *s, int argc, char **argv) {
  int k;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0)
      s->o.json = 1;
    else if (strcmp(argv[k], "--quiet") == 0)
      s->o.quiet = 1;
    else if (strncmp(argv[k], "--", 2) != 0 && s->o.data == NULL)
      s->o.data = argv[k];
    else if (strncmp(argv[k], "--", 2) != 0)
      return complain(0, "one data file at a time: '%s'", argv[k]);
    else if (k + 1 == argc)
      return complain(0, "%s is unknown or lacks its value (see --help)", argv[k]);
    else if (!take(s, argv[k], argv[k + 1]))
      return 0;
    else
      k++;
  }
  if (s->o.delta_given && !(s->o.delta > 0))
    return complain(0, "the noise of the groups is Gaussian: --delta must be above 0");
  if (s->with.group < 2) return complain(0, "--group is at least 2");
  return check_picture(&s->o);
}

/* Numbers that follow from the data's public ones; an exit status. */
static int settle(study *s) {
  const size_t n = s->data.n;
  size_t i;
  s->d = s->data.d + 1;
  s->n_train = 2 * n / 3;
  s->n_test = n - s->n_train;
  s->classes = s->data.classes;
  for (i = 0; s->o.data == NULL && i < n; i++) s->data.y[i] = s->data.y[i] > 0; /* from -1 and +1 */
  if (s->scale == SCALE_ZSCORE)
    return complain(2, "--scale zscore reads the records, which no budget here pays for");
  if (s->n_test <= recall_at[AT_5])
    return complain(1, "%s: %zu records are too few: recall at %zu takes %zu held-out ones",
                    data_name(&s->o), n, recall_at[AT_5], recall_at[AT_5] + 1);
  if (s->n_train < s->with.group)
    return complain(2, "--group %zu: at most the %zu training records", s->with.group, s->n_train);
  if (s->dim == 0) s->dim = s->classes < 3 ? 2 : s->classes > 9 ? 8 : s->classes - 1;
  if (!s->two_layer) s->hidden = 0;
  if (s->with.batch == 0) s->with.batch = s->n_train - s->n_train % s->with.group;
  if (s->with.batch % s->with.group != 0 || s->with.batch > s->n_train)
    return complain(2, "--batch %zu: whole groups of %zu, and at most the %zu training records",
                    s->with.batch, s->with.group, s->n_train);
  s->with.steps = s->o.with.steps;
  s->with.step_size = s->o.with.step_size;
  s->with.delta = s->o.delta_given ? s->o.delta : 1 / (double)s->n_train;
  return 0;
}

/* --- one split -------------------------------------------------------------------------------- */

/* Rows of norm about 1, and a column that is the same for all: what an offset would be. */
static int gather(study *s, const split *part) {
  const double shrink = s->scale == SCALE_ROW ? 1 : 1 / sqrt((double)s->data.d);
  const size_t n = s->n_train + s->n_test;
  size_t i, k;
  for (i = 0; i < n; i++) {
    for (k = 0; k + 1 < s->d; k++)
      s->rows[i * s->d + k] = shrink * part->train.x[i * (s->d - 1) + k];
    s->rows[i * s->d + k] = 0.3;
    s->y[i] = part->train.y[i];
  }
  return 1;
}

/* The figures of embeddings z[n][d] of a split's records, training first; of code words: e, or
 * NULL. */
static dppair_status measure(figures *f, const study *s, const double *z, size_t d,
                             const embedding *e) {
  const double *test = z + s->n_train * d, *y = s->y + s->n_train;
  size_t bytes, k;
  double value;
  void *work = NULL;
  dppair_status status = dppair_measures_workspace(&bytes, s->n_train + s->n_test, d);
  if (status == DPPAIR_OK && (work = malloc(bytes)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK)
    status = dppair_knn_accuracy_not_private_f64(&value, z, s->y, s->n_train, test, y, s->n_test, d,
                                                 d, NULL, 1, work, bytes);
  if (status == DPPAIR_OK) summary_add(&f->nn, value);
  for (k = 0; k < RECALLS && status == DPPAIR_OK; k++) {
    status = dppair_recall_at_not_private_f64(&value, test, y, s->n_test, d, d, NULL, recall_at[k],
                                              work, bytes);
    if (status == DPPAIR_OK) summary_add(&f->recall[k], value);
  }
  if (e != NULL && status == DPPAIR_OK)
    summary_add(&f->code, embedding_code_accuracy(e, test, y, s->n_test));
  free(work);
  return status;
}

/* The held-out embeddings in two dimensions; those of the last split remain, as its labels do. */
static int keep(study *s, size_t which, const double *z, size_t d) {
  const double *test = z + s->n_train * d;
  size_t i;
  if (s->o.svg == NULL) return 1;
  if (s->points[which] == NULL) s->points[which] = calloc(2 * s->n_test, sizeof **s->points);
  if (s->points[which] == NULL) return 0;
  if (d != 2)
    return principal_not_private(s->points[which], test, s->n_test, d, test, s->n_test, 2);
  for (i = 0; i < 2 * s->n_test; i++) s->points[which][i] = test[i];
  return 1;
}

/* Embeds by one training, budget b or (MAX_BUDGETS) without privacy, and measures. */
static dppair_status run_training(study *s, double *z, size_t b, size_t k) {
  const labelled train = {s->n_train, s->rows, s->y};
  const int is_open = b == MAX_BUDGETS;
  const double start = seconds_now();
  embedding e;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (!embedding_make(&e, s->d, s->hidden, s->dim, s->classes)) return status;
  if (!is_open) s->with.epsilon = s->o.epsilon[b];
  status = is_open ? embedding_train_not_private(&e, &train, &s->with)
                   : embedding_train_private(&e, &s->spent[b], &s->sigma[b], &train, &s->with,
                                             s->o.seed, k * MAX_BUDGETS + b);
  if (status == DPPAIR_OK && !is_open) s->seconds[b] += seconds_now() - start;
  if (status == DPPAIR_OK) {
    status = DPPAIR_ERR_OVERFLOW;
    if (embedding_apply(z, &e, s->rows, s->n_train + s->n_test))
      status = measure(is_open ? &s->open : &s->private[b], s, z, s -> dim, &e);
  }
  if (status == DPPAIR_OK && (is_open || b == 0 || b + 1 == s->o.budgets) &&
      !keep(s,
            is_open  ? 3
            : b == 0 ? 1
                     : 2,
            z, s->dim))
    status = DPPAIR_ERR_OVERFLOW;
  embedding_free(&e);
  return status;
}

static dppair_status run_split(study *s, size_t k, progress *shown) {
  const size_t n = s->n_train + s->n_test;
  double *z = malloc(n * s->dim * sizeof *z);
  size_t b;
  dppair_status status = z != NULL ? measure(&s->raw, s, s->rows, s->d, NULL) : DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK &&
      !(principal_not_private(z, s->rows, n, s->d, s->rows, s->n_train, s->dim) &&
        keep(s, 0, z, s->dim)))
    status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = measure(&s->principal, s, z, s->dim, NULL);
  progress_step(shown);
  if (status == DPPAIR_OK) status = run_training(s, z, MAX_BUDGETS, k);
  progress_step(shown);
  for (b = 0; b < s->o.budgets && status == DPPAIR_OK; b++) {
    status = run_training(s, z, b, k);
    progress_step(shown);
  }
  free(z);
  s->used++;
  return status;
}

static int run(study *s) {
  const size_t n = s->n_train + s->n_test;
  size_t *order = malloc(n * sizeof *order), k;
  progress shown;
  split part;
  dppair_status status = DPPAIR_OK;
  simulation_rng rng;
  s->rows = malloc(n * s->d * sizeof *s->rows);
  s->y = malloc(n * sizeof *s->y);
  simulation_seed(&rng, s->o.seed);
  progress_begin(&shown, "splits", s->o.splits * (s->o.budgets + 2), s->o.quiet || s->o.json);
  for (k = 0; k < s->o.splits && status == DPPAIR_OK; k++) {
    status = DPPAIR_ERR_OVERFLOW;
    if (order == NULL || s->rows == NULL || s->y == NULL) break;
    simulation_permutation(order, n, &rng);
    if (!split_make(&part, &s->data, order, s->n_train, s->n_test, s->scale)) break;
    (void)gather(s, &part);
    status = run_split(s, k, &shown);
    split_free(&part);
  }
  progress_end(&shown);
  free(order);
  if (status == DPPAIR_OK) return 0;
  return complain(1, "%s", status_words(status));
}

/* --- what is said ----------------------------------------------------------------------------- */

static void json_figures(const char *name, const figures *f, int *first) {
  static const char *const of[] = {"nn", "recall1", "recall5", "code"};
  const summary *value[] = {&f->nn, &f->recall[AT_1], &f->recall[AT_5], &f->code};
  char member[64];
  size_t k;
  for (k = 0; k < 4 && value[k]->count > 0; k++) {
    (void)snprintf(member, sizeof member, "%s_%s_mean", of[k], name);
    json_member_number(stdout, member, value[k]->mean, first);
    (void)snprintf(member, sizeof member, "%s_%s_se", of[k], name);
    json_member_number(stdout, member, summary_error(value[k]), first);
  }
}

static void print_json(const study *s) {
  size_t b;
  for (b = 0; b < s->o.budgets; b++) {
    int first = 0;
    (void)fputs("{\"simulation\": true", stdout);
    json_member_text(stdout, "data", data_name(&s->o), &first);
    json_member_text(stdout, "loss", embedding_losses[s->with.loss], &first);
    json_member_text(stdout, "map", s->two_layer ? "two-layer" : "linear", &first);
    json_member_number(stdout, "epsilon", s->o.epsilon[b], &first);
    json_member_number(stdout, "epsilon_spent", s->spent[b], &first);
    json_member_number(stdout, "delta", s->with.delta, &first);
    json_member_number(stdout, "n_train", (double)s->n_train, &first);
    json_member_number(stdout, "n_test", (double)s->n_test, &first);
    json_member_number(stdout, "classes", (double)s->classes, &first);
    json_member_number(stdout, "dim", (double)s->dim, &first);
    json_member_number(stdout, "group", (double)s->with.group, &first);
    json_member_number(stdout, "batch", (double)s->with.batch, &first);
    json_member_number(stdout, "steps", (double)s->with.steps, &first);
    json_member_number(stdout, "step_size", s->with.step_size, &first);
    json_member_number(stdout, "seed", (double)s->o.seed, &first);
    json_member_number(stdout, "clip", s->with.clip, &first);
    json_member_number(stdout, "sigma", s->sigma[b], &first);
    json_member_number(stdout, "splits", (double)s->used, &first);
    json_figures("raw", &s->raw, &first);
    json_figures("principal", &s->principal, &first);
    json_figures("private", &s->private[b], &first);
    json_figures("open", &s->open, &first);
    json_member_number(stdout, "seconds", s->seconds[b], &first);
    (void)puts("}");
  }
}

static void print_line(const char *name, const figures *f, double sigma) {
  (void)printf(" %-24s  %.4f +- %.4f   %.4f +- %.4f   %.4f +- %.4f   ", name, f->nn.mean,
               summary_error(&f->nn), f->recall[AT_1].mean, summary_error(&f->recall[AT_1]),
               f->recall[AT_5].mean, summary_error(&f->recall[AT_5]));
  if (f->code.count > 0) (void)printf("%.4f +- %.4f", f->code.mean, summary_error(&f->code));
  if (sigma > 0) (void)printf("   %.4g", sigma);
  (void)putchar('\n');
}

static void print_table(const study *s) {
  const size_t size = s->hidden > 0 ? s->hidden * (s->d + s->dim) : s->d * s->dim;
  char name[64];
  size_t b;
  (void)printf("%s, simulation on your data: NOT PRIVATE, not a release\n"
               "%zu training and %zu held-out records, %zu columns (%s), %zu labels; %zu splits\n"
               "%s, %s map to %zu dimensions, %zu parameters; %zu groups of %zu records a step, "
               "%zu steps\n\n"
               "                           1-NN accuracy      recall at 1        recall at 5     "
               "   code words         noise\n",
               data_name(&s->o), s->n_train, s->n_test, s->data.d, scale_words[s->scale],
               s->classes, s->used, embedding_losses[s->with.loss],
               s->two_layer ? "two-layer" : "linear", s->dim, size, s->with.batch / s->with.group,
               s->with.group, s->with.steps);
  print_line("raw", &s->raw, 0);
  (void)snprintf(name, sizeof name, "%zu principal directions", s->dim);
  print_line(name, &s->principal, 0);
  for (b = 0; b < s->o.budgets; b++) {
    (void)snprintf(name, sizeof name, "private, epsilon %g", s->o.epsilon[b]);
    print_line(name, &s->private[b], s -> sigma[b]);
  }
  print_line("open: without privacy", &s->open, 0);
  if (s->o.quiet) return;
  (void)puts("\n(means over splits +- their standard error, on held-out records: 1-NN by training "
             "records, recall\namong themselves; code words: the label of the nearest one; noise: "
             "of a step, each coordinate)\n");
  for (b = 0; b < s->o.budgets; b++)
    (void)printf("private: the map and every step of it, (epsilon, delta) = (%.6g, %.6g) for one "
                 "replaced record\n",
                 stated_epsilon(s->spent[b], s->o.epsilon[b]), rounded_up(s->with.delta));
  (void)puts("not private: these figures, which read records without noise; 1-NN, whose neighbours "
             "are raw\ntraining records (code words need none); principal directions; open.\n"
             "public: n, the columns, their ranges, which labels there are, all settings.");
  if (!s->data.has_ranges) (void)puts("no ranges are declared: rows are divided by their norms.");
}

static int draw(study *s) {
  static const char *const names[4] = {"principal directions", "private", "private",
                                       "without privacy"};
  const char *classes[MOST_CLASSES];
  svg_panel panels[4];
  char titles[4][64], subtitle[160];
  size_t k, count = 0;
  for (k = 0; k < s->classes; k++) classes[k] = s->data.label[k];
  for (k = 0; k < 4; k++) {
    const size_t b = k == 1 ? 0 : s->o.budgets - 1;
    if (s->points[k] == NULL) continue; /* one budget: no last one */
    if (k == 1 || k == 2)
      (void)snprintf(titles[k], sizeof titles[k], "private, epsilon = %g", s->o.epsilon[b]);
    else
      (void)snprintf(titles[k], sizeof titles[k], "%s", names[k]);
    panels[count].title = titles[k];
    panels[count].points = s->points[k];
    panels[count].value = (k == 0 ? &s->principal : k == 3 ? &s->open : &s->private[b])->nn.mean;
    count++;
  }
  (void)snprintf(
      subtitle, sizeof subtitle,
      "NOT PRIVATE. %zu held-out records of %s; below: 1-NN accuracy, mean of %zu split%s",
      s->n_test, data_name(&s->o), s->used, s->used == 1 ? "" : "s");
  if (!svg_write_panels(s->o.svg, "Embeddings of records that were not trained on", subtitle,
                        panels, count, s->y + s->n_train, s->n_test, classes, s->classes))
    return complain(1, "%s: %s", s->o.svg, strerror(errno));
  return 0;
}

static void study_free(study *s) {
  size_t k;
  for (k = 0; k < 4; k++) free(s->points[k]);
  free(s->rows);
  free(s->y);
  data_free(&s->data);
}

static int run_line(int argc, char **argv) {
  static const double budgets[] = {1, 2, 4, 8};
  static study s;
  int code;
  memset(&s, 0, sizeof s);
  program_name = "contrastive";
  memcpy(s.o.epsilon, budgets, sizeof budgets);
  s.o.budgets = 4;
  s.o.splits = 5;
  s.o.seed = 1;
  s.o.classes = 1;
  s.o.adjacency = DPPAIR_REPLACE_ONE;
  s.o.with.steps = 10;
  s.o.with.step_size = 3;
  s.hidden = 16;
  s.with.temperature = s.with.margin = 1;
  s.with.group = 2;
  s.with.clip = 0.1;
  for (code = 1; code < argc; code++) {
    if (strcmp(argv[code], "--help") == 0) return fputs(usage, stdout) < 0;
    if (strcmp(argv[code], "--version") == 0) 
      return printf("contrastive (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
  }
  if (!parse_line(&s, argc, argv)) return 2;
  code = load(&s.data, &s.scale, &s.o);
  if (code == 0) code = settle(&s);
  if (code == 0) code = run(&s);
  if (code == 0 && s.o.svg != NULL) code = draw(&s);
  if (code == 0) s.o.json ? print_json(&s) : print_table(&s);
  study_free(&s);
  return code;
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "contrastive"); }
