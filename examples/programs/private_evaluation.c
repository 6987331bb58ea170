/* SPDX-License-Identifier: MIT */
/*
 * private_evaluation - how good are these scores? The answer, with its interval, is a release.
 *
 * It reads a CSV of scores and labels and prints AUC, partial AUC, ROC curve, rank correlation or
 * pairwise risk with noise for one budget. Every line it prints is post-processing of that release;
 * errors depend on the command line, the header and the number of records alone.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/evaluation.h"
#include "support/program.h"
#include "support/scores.h"
#include "support/svg.h"

static const char usage[] =
    "private_evaluation - evaluate scores under differential privacy\n"
    "\n"
    "usage: private_evaluation SCORES.csv --epsilon E [options]\n"
    "\n"
    "SCORES.csv has a header that names a column score and a column label (comma, semicolon or\n"
    "tab; other columns are not read). Every line behind it is a record, whatever it holds, and\n"
    "none is refused: a label other than the positive one is negative; a score that is no number,\n"
    "or not there, ranks lowest; numbers beyond the doubles are infinite.\n"
    "\n"
    "budget\n"
    "  --epsilon E         of this evaluation, for one replaced record\n"
    "  --delta D           the probability by which that may fail; default 0. Above 0 Gaussian\n"
    "                      noise is used where it is less than Laplace's, which needs none\n"
    "  --noise laplace|gaussian\n"
    "                      gaussian with --delta only (default: whichever is less)\n"
    "  --ledger FILE       appends a line before a record is read: what `budget` adds up\n"
    "what is measured\n"
    "  --measure auc|pauc|roc|kendall|risk\n"
    "                      auc (default): area under the ROC curve\n"
    "                      pauc: the AUC against the highest-scored share --beta of the negatives\n"
    "                      roc: the curve at --thresholds, with a band; a score at or above a\n"
    "                      threshold counts as positive\n"
    "                      kendall: Kendall's tau-a of score and label, which is any number\n"
    "                      risk: mean over positive-negative pairs of a loss of their scores'\n"
    "                      difference\n"
    "  --confidence X      of interval or band (default 0.95)\n"
    "  --promise M0        each class has M0 records or more, here and in every neighbour: no\n"
    "                      budget is spent on counting them. Where it is broken, auc\n"
    "                      and risk and their intervals are wrong, but as private; for pauc\n"
    "                      THE GUARANTEE RESTS ON IT\n"
    "  --beta B            for pauc, in (0, 1] (default 0.1). Without --promise pauc needs\n"
    "                      --delta, and may refuse\n"
    "  --thresholds LIST   for roc: ascending, commas between. They must not come from the\n"
    "                      records\n"
    "  --loss logistic|hinge|squared-hinge|square|sigmoid|ramp\n"
    "                      for risk; the first is the default\n"
    "  --cap M             for risk: losses count up to M\n"
    "data\n"
    "  --score NAME        the column of the scores, if not score\n"
    "  --label NAME        the column of the labels, if not label\n"
    "  --labels NEG,POS    the labels (default 0,1); numbers count by their value. What is not\n"
    "                      POS is negative\n"
    "output\n"
    "  --json              one JSON object\n"
    "  --svg FILE          for roc: a picture of the curve and its band\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed: a file, fewer than 2 records; 2 wrong use: the command\n"
    "line, a header without the columns, a ledger that does not fit; 3 pauc refused: a class may\n"
    "have too few records. A refusal is an answer: it is private, and its budget is spent.\n";

enum { MOST_THRESHOLDS = 256, REFUSED = 3 };

static const char *const measure_words[MEASURES] = {"auc", "pauc", "roc", "kendall", "risk"};
enum {
  FOR_AUC = 1 << AUC,
  FOR_PAUC = 1 << PAUC,
  FOR_ROC = 1 << ROC,
  FOR_RISK = 1 << RISK,
  FOR_CLASSES = FOR_AUC | FOR_PAUC | FOR_ROC | FOR_RISK
};

typedef struct request {
  const char *data, *measured, *noise, *ledger, *loss, *score, *label, *labels, *svg, *thresholds;
  double epsilon, delta, confidence, beta, cap;
  size_t promise;
  int json;
  measure what;
  dppair_evaluate_loss phi;
  declared_label positive;
  double threshold[MOST_THRESHOLDS];
  size_t cells;
} request;

/* --- losses of a margin ----------------------------------------------------------------------- */

static double logistic(double u, void *unused) {
  (void)unused;
  return u > 0 ? log1p(exp(-u)) : log1p(exp(u)) - u;
}
static double hinge(double u, void *unused) {
  (void)unused;
  return u < 1 ? 1 - u : 0;
}
static double squared_hinge(double u, void *unused) {
  (void)unused;
  return u < 1 ? (1 - u) * (1 - u) : 0;
}
static double square(double u, void *unused) {
  (void)unused;
  return (1 - u) * (1 - u);
}
static double sigmoid(double u, void *unused) {
  (void)unused;
  return 1 / (1 + exp(u));
}
static double ramp(double u, void *unused) {
  (void)unused;
  return u < 0 ? 1 : u < 1 ? 1 - u : 0;
}

static const struct {
  const char *name;
  dppair_evaluate_loss phi;
} losses[] = {{"logistic", logistic}, {"hinge", hinge},     {"squared-hinge", squared_hinge},
              {"square", square},     {"sigmoid", sigmoid}, {"ramp", ramp}};
enum { LOSSES = sizeof losses / sizeof *losses };

/* --- the command line ------------------------------------------------------------------------- */

static int take_thresholds(request *r) {
  size_t k;
  if (!text_numbers(r->threshold, MOST_THRESHOLDS, &r->cells, r->thresholds))
    return complain(0, "--thresholds takes up to %d numbers with commas between, not '%s'",
                    (int)MOST_THRESHOLDS, r->thresholds);
  for (k = 1; k < r->cells; k++)
    if (!(r->threshold[k - 1] < r->threshold[k]))
      return complain(0, "--thresholds must ascend: '%s'", r->thresholds);
  return 1;
}

static int take_labels(request *r) {
  const char *comma = strchr(r->labels, ','), *end = r->labels + strlen(r->labels);
  declared_label negative;
  if (comma == NULL || strchr(comma + 1, ',') != NULL ||
      !label_declare(&negative, r->labels, (size_t)(comma - r->labels)) ||
      !label_declare(&r->positive, comma + 1, (size_t)(end - comma - 1)) ||
      label_same(&negative, &r->positive))
    return complain(0, "--labels takes two different labels, NEG,POS, not '%s'", r->labels);
  return 1;
}

/* One option with its value, for the measures `use`; 0 after a complaint. */
static int take(request *r, const char *name, const char *value) {
  const struct {
    const char *name;
    const char **text;
    double *number, low, high; /* low < number <= high */
    const char *range;
  } table[] = {{"--measure", &r->measured, NULL, 0, 0, NULL},
               {"--noise", &r->noise, NULL, 0, 0, NULL},
               {"--ledger", &r->ledger, NULL, 0, 0, NULL},
               {"--loss", &r->loss, NULL, 0, 0, NULL},
               {"--score", &r->score, NULL, 0, 0, NULL},
               {"--label", &r->label, NULL, 0, 0, NULL},
               {"--labels", &r->labels, NULL, 0, 0, NULL},
               {"--svg", &r->svg, NULL, 0, 0, NULL},
               {"--thresholds", &r->thresholds, NULL, 0, 0, NULL},
               {"--epsilon", NULL, &r->epsilon, EPSILON_LEAST, EPSILON_MOST, "in [1e-09, 1000]"},
               {"--delta", NULL, &r->delta, 0, 1 - DBL_EPSILON, "at least 0 and below 1"},
               {"--confidence", NULL, &r->confidence, 0, 1 - DBL_EPSILON, "above 0 and below 1"},
               {"--beta", NULL, &r->beta, 0, 1, "above 0 and at most 1"},
               {"--cap", NULL, &r->cap, SETTING_LEAST, SETTING_MOST, "in [1e-20, 1e+20]"}};
  size_t k;
  if (strcmp(name, "--promise") == 0)
    return text_size(&r->promise, value) && r->promise > 0
               ? 1
               : complain(0, "--promise takes a whole number above 0, not '%s'", value);
  for (k = 0; k < sizeof table / sizeof *table && strcmp(name, table[k].name) != 0; k++) {
  }
  if (k == sizeof table / sizeof *table) return complain(0, "unknown option %s (see --help)", name);
  if (table[k].text != NULL) {
    *table[k].text = value;
    return 1;
  }
  if (text_number(table[k].number, value) && *table[k].number >= table[k].low &&
      *table[k].number <= table[k].high && (*table[k].number > 0 || table[k].number == &r->delta))
    return 1;
  return complain(0, "%s is %s, not '%s'", name, table[k].range, value);
}

/* Is every option for this measure, and whole? */
static int check(request *r) {
  const int use = 1 << r->what;
  size_t k;
  const struct {
    const char *name;
    int given, use, needed;
  } table[] = {{"--promise", r->promise > 0, FOR_AUC | FOR_PAUC | FOR_RISK, 0},
               {"--beta", r->beta > 0, FOR_PAUC, 0},
               {"--thresholds", r->thresholds != NULL, FOR_ROC, FOR_ROC},
               {"--svg", r->svg != NULL, FOR_ROC, 0},
               {"--loss", r->loss != NULL, FOR_RISK, 0},
               {"--cap", r->cap > 0, FOR_RISK, FOR_RISK},
               {"--labels", r->labels != NULL, FOR_CLASSES, 0}};
  for (k = 0; k < sizeof table / sizeof *table; k++) {
    if (table[k].given && !(table[k].use & use))
      return complain(0, "%s is not for --measure %s", table[k].name, r->measured);
    if (!table[k].given && (table[k].needed & use))
      return complain(0, "--measure %s needs %s", r->measured, table[k].name);
  }
  if (r->data == NULL) return complain(0, "which file? (see --help)");
  if (!(r->epsilon > 0)) return complain(0, "--epsilon says what may be spent: it is needed");
  if (r->what == PAUC && r->promise == 0 && !(r->delta > 0))
    return complain(0, "--measure pauc needs --promise, or --delta, with which it may refuse");
  if (r->noise != NULL && strcmp(r->noise, "laplace") != 0 && strcmp(r->noise, "gaussian") != 0)
    return complain(0, "--noise is laplace or gaussian, not '%s'", r->noise);
  if (r->noise != NULL && *r->noise == 'g' && !(r->delta > 0))
    return complain(0, "Gaussian noise needs --delta above 0");
  if (!(r->beta > 0)) r->beta = 0.1;
  if (r->thresholds != NULL && !take_thresholds(r)) return 0;
  if (r->labels == NULL) r->labels = "0,1";
  if (!take_labels(r)) return 0;
  if (r->loss == NULL) r->loss = losses[0].name;
  for (k = 0; k < LOSSES && strcmp(r->loss, losses[k].name) != 0; k++) {
  }
  if (k == LOSSES) return complain(0, "no loss is called '%s' (see --help)", r->loss);
  r->phi = losses[k].phi;
  return 1;
}

static int parse_line(request *r, int argc, char **argv) {
  int k;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0) {
      r->json = 1;
    } else if (strncmp(argv[k], "--", 2) != 0) {
      if (r->data != NULL) return complain(0, "one file at a time: '%s'", argv[k]);
      r->data = argv[k];
    } else if (k + 1 == argc) {
      return complain(0, "%s is unknown or lacks its value (see --help)", argv[k]);
    } else {
      if (!take(r, argv[k], argv[k + 1])) return 0;
      k++;
    }
  }
  for (k = 0; k < MEASURES && strcmp(r->measured, measure_words[k]) != 0; k++) {
  }
  if (k == MEASURES)
    return complain(0, "--measure is auc, pauc, roc, kendall or risk, not '%s'", r->measured);
  r->what = (measure)k;
  return check(r);
}

/* --- what is printed -------------------------------------------------------------------------- */

typedef struct answers {
  dppair_evaluation v;
  dppair_roc_point points[MOST_THRESHOLDS]; /* of ROC */
} answers;

/* Was a noisy number of positives released? */
static int counts(const request *r, const dppair_evaluation *v) {
  return r->what != KENDALL && r->promise == 0 && !v->refused;
}

static void print_json(const request *r, const evaluation *e, const answers *w) {
  const dppair_evaluation *v = &w->v;
  int first = 1;
  size_t k;
  (void)putchar('{');
  json_member_text(stdout, "measure", r->measured, &first);
  if (r->what == PAUC) json_member_number(stdout, "beta", r->beta, &first);
  if (r->what == RISK) json_member_text(stdout, "loss", r->loss, &first);
  if (r->what == RISK) json_member_number(stdout, "cap", r->cap, &first);
  if (v->refused) {
    json_member(stdout, "refused", &first);
    (void)fputs("true", stdout);
  } else {
    json_member_number(stdout, "value", v->value, &first);
    json_member_number(stdout, "lower", v->lower, &first);
    json_member_number(stdout, "upper", v->upper, &first);
    json_member_number(stdout, "confidence", r->confidence, &first);
  }
  json_member_number(stdout, "spent", rounded_up(e->epsilon), &first);
  json_member_number(stdout, "delta", e->delta > 0 ? rounded_up(e->delta) : 0, &first);
  json_member_number(stdout, "n", (double)e->n, &first);
  json_member_text(stdout, "noise", e->gaussian ? "gaussian" : "laplace", &first);
  if (!v->refused) json_member_number(stdout, "scale", v->noise, &first);
  if (r->promise > 0) json_member_number(stdout, "promise", (double)r->promise, &first);
  if (v->smaller > 0) json_member_number(stdout, "each_class", (double)v->smaller, &first);
  if (counts(r, v)) json_member_number(stdout, "noisy_positives", v->count, &first);
  if (r->what == ROC) {
    json_member(stdout, "points", &first);
    for (k = 0; k < r->cells; k++) {
      const dppair_roc_point *p = &w->points[k];
      int one = 1;
      (void)fputs(k > 0 ? ", {" : "[{", stdout);
      json_member_number(stdout, "threshold", p->threshold, &one);
      json_member_number(stdout, "false_rate", p->false_rate, &one);
      json_member_number(stdout, "false_lower", p->false_lower, &one);
      json_member_number(stdout, "false_upper", p->false_upper, &one);
      json_member_number(stdout, "true_rate", p->true_rate, &one);
      json_member_number(stdout, "true_lower", p->true_lower, &one);
      json_member_number(stdout, "true_upper", p->true_upper, &one);
      (void)putchar('}');
    }
    (void)putchar(']');
  }
  (void)puts("}");
}

static void print_roc(const request *r, const evaluation *e, const answers *w) {
  char text[512];
  size_t k;
  (void)puts(" threshold     false positives               true positives");
  for (k = 0; k < r->cells; k++) {
    const dppair_roc_point *p = &w->points[k];
    (void)printf(" %-12g  %.4f (%.4f to %.4f)   %.4f (%.4f to %.4f)\n", p->threshold, p->false_rate,
                 p->false_lower, p->false_upper, p->true_rate, p->true_lower, p->true_upper);
  }
  (void)printf("area %.4f, within the band between %.4f and %.4f\n", w->v.value, w->v.lower,
               w->v.upper);
  (void)snprintf(
      text, sizeof text,
      "The band is for the ROC curve of the population that these n = %zu records are an "
      "independent sample of: it holds all its points at these thresholds, and its area, "
      "at once at least %g %% of the time, for any n. It is wider than it has to be.",
      e->n, 100 * r->confidence);
  print_wrapped(stdout, text);
}

static void print_text(const request *r, const evaluation *e, const answers *w) {
  static const char *const names[MEASURES] = {"AUC", "partial AUC", "", "Kendall's tau", "risk"};
  char name[96], text[512];
  (void)snprintf(name, sizeof name, "%s", names[r->what]);
  if (r->what == PAUC)
    (void)snprintf(name, sizeof name, "partial AUC (highest %g %% of the negatives)",
                   100 * r->beta);
  if (r->what == RISK)
    (void)snprintf(name, sizeof name, "%s risk (losses up to %g)", r->loss, r->cap);
  if (w->v.refused) {
    (void)puts("refused: a class may have too few records for a partial AUC with this budget");
  } else if (r->what == ROC) {
    print_roc(r, e, w);
  } else {
    print_interval(name, &w->v, r->confidence);
    if (r->what != PAUC) {
      print_population(e->n, r->confidence);
    } else {
      (void)snprintf(text, sizeof text,
                     "The interval is for the partial AUC of these n = %zu records, and allows for "
                     "the noise alone: how far they are from their population is not in it.",
                     e->n);
      print_wrapped(stdout, text);
    }
    print_noise(e, &w->v, counts(r, &w->v));
  }
  print_spent(e, r->what == ROC ? ", like the thresholds," : "");
  if (r->what == PAUC && r->promise > 0) {
    (void)snprintf(
        text, sizeof text,
        "This holds only as long as both classes have %zu records or more, here and with "
        "any one record replaced, as --promise says.",
        r->promise);
    print_wrapped(stdout, text);
  } else if (r->promise > 0) {
    (void)snprintf(text, sizeof text,
                   "The interval rests on --promise: where a class has fewer than %zu records, the "
                   "figure is drawn towards the middle of its range and the interval does not "
                   "hold. What is spent does not rest on it.",
                   r->promise);
    print_wrapped(stdout, text);
  }
}

/* The curve and its band: stairs, since between two thresholds the curve only rises. At a rate x of
 * false positives it is at most at the true rate of the next threshold below the lowest one whose
 * rate of false positives may be x, and at least at that of the last whose rate surely is. */
static int draw_roc(const request *r, const evaluation *e, const answers *w) {
  enum { ROOM = 2 * MOST_THRESHOLDS + 6 };
  static double x[3][ROOM], y[3][ROOM];
  static const char *const names[] = {"upper limit", "noisy curve", "lower limit"};
  svg_series series[3];
  svg_chart chart;
  const size_t count = r->cells;
  size_t k, at = 1;
  char subtitle[160];
  if (same_file(r->svg, r->ledger)) /* by a link, say; the ledger is there by now */
    return complain(1, "--svg would replace the ledger");
  memset(series, 0, sizeof series);
  memset(&chart, 0, sizeof chart);
  x[0][0] = x[1][0] = x[2][0] = y[1][0] = y[2][0] = 0;
  y[0][0] = w->points[count - 1].true_upper;
  for (k = count; k-- > 0;) { /* the rates rise as the threshold falls */
    const dppair_roc_point *p = &w->points[k];
    const double next = k > 0 ? w->points[k - 1].true_upper : 1, last = y[2][at - 1];
    x[0][at] = x[0][at + 1] = p->false_lower;
    y[0][at] = y[0][at - 1];
    y[0][at + 1] = next;
    x[2][at] = x[2][at + 1] = p->false_upper;
    y[2][at] = last;
    y[2][at + 1] = p->true_lower;
    x[1][count - k] = p->false_rate;
    y[1][count - k] = p->true_rate;
    at += 2;
  }
  x[0][at] = x[2][at] = x[1][count + 1] = 1;
  y[0][at] = y[1][count + 1] = 1;
  y[2][at] = y[2][at - 1];
  for (k = 0; k < 3; k++) {
    series[k].name = names[k];
    series[k].x = x[k];
    series[k].y = y[k];
    series[k].n = k == 1 ? count + 2 : at + 1;
    series[k].reference = k != 1;
  }
  (void)snprintf(subtitle, sizeof subtitle, "n = %zu, epsilon = %g, delta = %g, band of %g %%",
                 e->n, rounded_up(e->epsilon), e->delta, 100 * r->confidence);
  chart.title = "Private ROC curve";
  chart.subtitle = subtitle;
  chart.x_label = "false positive rate";
  chart.y_label = "true positive rate";
  chart.x_step = 0.2;
  chart.series = series;
  chart.count = 3;
  if (!svg_write(r->svg, &chart)) return complain(1, "%s: %s", r->svg, strerror(errno));
  return 0;
}

/* --- the work --------------------------------------------------------------------------------- */

/* The records are read once they are paid for. */
static int read_and_answer(answers *w, evaluation *e, const request *r, const scores_file *file,
                           double *s) {
  double *y = s + file->n;
  question q;
  size_t i, p;
  memset(&q, 0, sizeof q);
  q.what = r->what;
  q.with.confidence = r->confidence;
  q.with.promise = r->promise;
  q.rate = r->beta;
  q.cap = r->cap;
  q.loss = r->phi;
  q.thresholds = r->threshold;
  q.count = r->cells;
  if (r->what == KENDALL) {
    scores_read_pairs(s, y, file);
  } else {
    p = scores_read(s, file, &r->positive);
    for (i = 0; i < file->n; i++) y[i] = i < p;
  }
  return evaluation_answer(&w->v, w->points, e, &q, s, y);
}

/* Everything that can be refused is refused before this: what is public. */
static int evaluate_file(const request *r, const scores_file *file) {
  static answers w;
  evaluation e;
  const double failure = r->what == PAUC && r->promise == 0 ? 0.99 * r->delta : 0;
  const dppair_mechanism_kind law = r->noise == NULL   ? (dppair_mechanism_kind)0
                                    : *r->noise == 'g' ? DPPAIR_GAUSSIAN
                                                       : DPPAIR_LAPLACE;
  double *s = malloc(2 * file->n * sizeof *s);
  int code = s == NULL
                 ? complain(1, "out of memory")
                 : evaluation_open(&e, file->n, r->epsilon, r->delta, failure, law, r->ledger);
  if (code == 0) {
    memset(&w, 0, sizeof w);
    code = read_and_answer(&w, &e, r, file, s);
    evaluation_close(&e);
  }
  free(s);
  if (code == 0 && r->json) print_json(r, &e, &w);
  if (code == 0 && !r->json) print_text(r, &e, &w);
  if (code == 0 && w.v.refused) code = REFUSED;
  if (code == 0 && r->svg != NULL) code = draw_roc(r, &e, &w); /* the answer is paid: it is there */
  return code;
}

static int run_line(int argc, char **argv) {
  static request r;
  scores_file file;
  char error[ERROR_SIZE];
  int k, code;
  memset(&r, 0, sizeof r);
  program_name = "private_evaluation";
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) return fputs(usage, stdout) == EOF;
    if (strcmp(argv[k], "--version") == 0)
      return printf("private_evaluation (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
  }
  r.measured = measure_words[AUC];
  r.confidence = 0.95;
  r.score = "score";
  r.label = "label";
  if (!parse_line(&r, argc, argv)) return 2;
  if (same_file(r.svg, r.data) || same_file(r.ledger, r.data) || same_file(r.svg, r.ledger) ||
      (r.svg != NULL && r.ledger != NULL && same_place(r.svg, r.ledger)))
    return complain(2, "--svg and --ledger name files of their own");
  k = scores_open(&file, r.data, r.score, r.label, error);
  if (k != 1) return complain(k < 0 ? 1 : 2, "%s", error);
  if (file.n < 2)
    code = complain(1, "%s: %zu record%s; at least 2 are needed", r.data, file.n,
                    file.n == 1 ? "" : "s");
  else if (r.promise > file.n / 2)
    code = complain(2, "--promise %zu: of %zu records one class has fewer", r.promise, file.n);
  else if ((double)file.n > RECORDS_MOST)
    code = complain(1, "%s: %zu records; at most %g are supported", r.data, file.n, RECORDS_MOST);
  else
    code = evaluate_file(&r, &file);
  scores_close(&file);
  return code;
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "private_evaluation"); }
