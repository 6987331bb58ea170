/* SPDX-License-Identifier: MIT */
/*
 * reproduce_papers - the tables and figures of the papers behind dppair's methods, run again: Xue et
 * al. 2021, Tables 2, 3 (the half that is not misprinted) and 4 and Figures 1 to 4; Yang et al. 2021's
 * private SGD; Kang et al. 2023, Figures 1 and 2 on Adult and Bank.
 *
 * Every number is a cell: a method on a data set at one budget, over random splits, keyed by the
 * seed. Finished cells are kept in OUT/cells.tsv, so an interrupted run goes on where it stopped. The
 * reports are written twice: once into nothing, to count what is missing, then for good.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "methods/metrics.h"
#include "methods/trial.h"
#include "support/solver.h"
#include "support/svg.h"

static const char usage[] =
    "reproduce_papers - the tables and figures of the papers, run again\n"
    "\n"
    "usage: reproduce_papers [options]\n"
    "\n"
    "  --data DIR    where pima.csv, retinopathy.csv, adult.libsvm, bank.libsvm and their .ranges are\n"
    "                (default: the environment variable DPPAIR_DATA). What is absent is skipped and\n"
    "                said so; without any, the built-in Pima records are used.\n"
    "  --out DIR     default build/experiments: Markdown, SVG, and cells.tsv, from which a later run\n"
    "                goes on\n"
    "  --full        50 splits (default: 3 and small sets, under two minutes)\n"
    "  --quiet       no progress\n"
    "  --help, --version\n"
    "\n"
    "Noise is simulated: nothing that is written is a release.\n"
    "Exit status: 0 ok, 1 the work failed, 2 wrong use.\n";

enum { PIMA, RETINOPATHY, ADULT, BANK, SETS };
static const char *const set_names[] = {"pima", "retinopathy", "adult", "bank"};
static const char *const set_titles[] = {"Pima diabetes", "Diabetic retinopathy", "Adult", "Bank"};

enum { MEASURE_AUC, MEASURE_KNN, MEASURE_ACCURACY, MEASURE_GAP };

/* A finished cell. */
typedef struct cell {
  char key[160];
  double count, mean, sd, epsilon;
} cell;

typedef struct experiment {
  const char *out, *data_dir;
  int full, quiet, planning, failed;
  dataset set[SETS];
  int present[SETS];
  cell *cells;
  size_t count, room;
  size_t missing;      /* splits, found while planning */
  progress bar;
  FILE *kept;
} experiment;

/* --- cells ----------------------------------------------------------------------------------------- */

static int complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)fputs("reproduce_papers: ", stderr);
  (void)vfprintf(stderr, format, list);
  (void)fputc('\n', stderr);
  va_end(list);
  return 0;
}

static cell *cell_find(experiment *e, const char *key) {
  size_t k;
  for (k = 0; k < e->count; k++)
    if (strcmp(e->cells[k].key, key) == 0) return &e->cells[k];
  return NULL;
}

static int cell_add(experiment *e, const cell *c) {
  if (e->count == e->room) {
    size_t room = 2 * e->room + 64;
    cell *more = realloc(e->cells, room * sizeof *more);
    if (more == NULL) return 0;
    e->cells = more;
    e->room = room;
  }
  e->cells[e->count++] = *c;
  return 1;
}

static void cells_load(experiment *e, const char *path) {
  FILE *file = fopen(path, "r");
  char line[400];
  if (file == NULL) return;
  while (fgets(line, sizeof line, file) != NULL) {
    cell c;
    memset(&c, 0, sizeof c);
    if (sscanf(line, "%159[^\t]\t%lf\t%lf\t%lf\t%lf", c.key, &c.count, &c.mean, &c.sd, &c.epsilon) == 5)
      (void)cell_add(e, &c);
  }
  (void)fclose(file);
}

/* Labels that the sign of the score gets right. */
static double accuracy(const model *m, const split *part) {
  double *s = malloc(part->test.n * sizeof *s);
  size_t i, right = 0;
  if (s == NULL) return 0;
  m->score(s, m, &part->test);
  for (i = 0; i < part->test.n; i++) right += (s[i] > 0) == (part->test.y[i] > 0);
  free(s);
  return (double)right / (double)part->test.n;
}

static double mean_loss(const double *s, const records *rows) {
  double sum = 0;
  size_t i;
  for (i = 0; i < rows->n; i++) {
    double t = rows->y[i] * s[i];
    sum += (t < 0 ? -t : 0) + log1p(exp(-fabs(t)));
  }
  return sum / (double)rows->n;
}

/* Mean training loss above the smallest one of logistic regression with an intercept. */
static double optimality_gap(const model *m, const split *part) {
  const records *rows = &part->train;
  size_t i, k, n = rows->n, d = rows->d + 1;
  double *u = malloc((n * d + n + d) * sizeof *u), *w, *s, residual, loss = 0;
  if (u == NULL) return 0;
  s = u + n * d;
  w = s + n;
  memset(w, 0, d * sizeof *w);
  for (i = 0; i < n; i++) {
    for (k = 0; k + 1 < d; k++) u[i * d + k] = rows->y[i] * rows->x[i * (d - 1) + k];
    u[i * d + d - 1] = rows->y[i];
  }
  m->score(s, m, rows);
  loss = mean_loss(s, rows);
  if (margin_minimise(w, &residual, u, n, d, &margin_logistic, 1e-3, NULL, 1e-3) == DPPAIR_OK) {
    for (i = 0; i < n; i++)
      for (s[i] = 0, k = 0; k < d; k++) s[i] += rows->y[i] * u[i * d + k] * w[k];
    loss -= mean_loss(s, rows);
  }
  free(u);
  return loss;
}

/* What a cell is made of. */
typedef struct request {
  int set, measure;
  const method *method;
  scale_kind scale;
  size_t n, splits;
  double epsilon, delta;   /* delta -1: 1/n */
  settings with;
} request;

static const cell nothing = {"", 0, 0, 0, 0};

/* The cell of a request: looked up, computed, or while planning only counted. */
static cell cell_of(experiment *e, const request *r) {
  static double (*const measures[])(const model *, const split *) = {NULL, metric_accuracy, accuracy,
                                                                    optimality_gap};
  cell c, *known;
  trial t;
  outcome o;
  dppair_status status;
  memset(&c, 0, sizeof c);
  if (!e->present[r->set] || r->method == NULL) return nothing;
  (void)snprintf(c.key, sizeof c.key, "1 %s %s m%d s%d n%zu k%zu e%g d%g l%s T%zu eta%g B%g %s%s",
                 set_names[r->set], r->method->name, r->measure, (int)r->scale, r->n, r->splits,
                 r->epsilon, r->delta, r->with.loss != NULL ? r->with.loss : "-", r->with.steps,
                 r->with.step_size, r->with.param_radius, r->with.as_printed ? "P" : "",
                 r->with.noiseless ? "N" : "");
  known = cell_find(e, c.key);
  if (known != NULL) return *known;
  if (e->planning) {
    e->missing += r->splits;
    (void)cell_add(e, &c); /* asked for twice, counted once */
    return c;
  }
  memset(&t, 0, sizeof t);
  t.data = &e->set[r->set];
  t.scale = r->scale;
  t.n_train = r->n;
  t.method = r->method;
  t.with = r->with;
  t.epsilon = r->epsilon;
  t.delta = r->delta < 0 ? 1 / (double)r->n : r->delta;
  t.splits = r->splits;
  t.seed = 1;
  t.measure = measures[r->measure];
  status = trial_run(&o, &t, &e->bar);
  if (status != DPPAIR_OK) {
    complain("%s: %s", c.key, dppair_status_string(status));
    e->failed = 1;
    return nothing;
  }
  c.count = (double)o.measured.count;
  c.mean = o.measured.mean;
  c.sd = summary_sd(&o.measured);
  c.epsilon = o.epsilon;
  (void)cell_add(e, &c);
  (void)fprintf(e->kept, "%s\t%.17g\t%.17g\t%.17g\t%.17g\n", c.key, c.count, c.mean, c.sd, c.epsilon);
  (void)fflush(e->kept);
  return c;
}

static void put(FILE *file, const cell *c) {
  if (c->count > 0)
    (void)fprintf(file, " %.1f ± %.1f |", 100 * c->mean, 100 * c->sd);
  else
    (void)fputs(" – |", file);
}

/* With the epsilon that the run really satisfies. */
static void put_true(FILE *file, const cell *c) {
  if (!(c->count > 0))
    (void)fputs(" – |", file);
  else if (c->epsilon > 1e300)
    (void)fprintf(file, " %.1f (ε = ∞) |", 100 * c->mean);
  else
    (void)fprintf(file, " %.1f (ε = %.2g) |", 100 * c->mean, c->epsilon);
}

static void put_printed(FILE *file, double percent) {
  if (percent > 0)
    (void)fprintf(file, " %.1f |", percent);
  else
    (void)fputs(" – |", file);
}

static FILE *report(experiment *e, const char *name) {
  char path[600];
  FILE *file;
  (void)snprintf(path, sizeof path, "%s/%s", e->out, name);
  file = fopen(e->planning ? "/dev/null" : path, "w");
  if (file == NULL) complain("%s: %s", path, strerror(errno));
  return file;
}

/* --- Xue et al. 2021 --------------------------------------------------------------------------------- */

enum { STRC, GDSC, OFFC, GDC2, EGD, FIVE };
static const char *const five_names[] = {"offpairstrc", "dpgdsc", "offpairc", "dpgdc2", "dpegd"};
static const char *const five_titles[] = {"OffPairStrC", "DPGDSC", "OffPairC", "DPGDC2", "DPEGD"};

/* Table 4, AUC in percent: n = 256; [data][delta > 0, = 0][epsilon .5 .8 1 2][algorithm]. */
static const double table4[2][2][4][FIVE] = {
    {{{53.71, 63.26, 52.01, 52.94, 64.52}, {56.05, 63.92, 52.62, 53.09, 64.47},
      {59.52, 64.46, 54.51, 54.61, 64.41}, {64.93, 65.51, 57.44, 59.96, 64.37}},
     {{50.65, 59.16, 50.25, 0, 59.16}, {56.45, 62.98, 50.90, 0, 64.35}, {59.94, 62.67, 52.57, 0, 64.50},
      {64.13, 64.63, 60.13, 0, 64.47}}},
    {{{56.33, 65.65, 50.08, 54.37, 66.19}, {59.27, 66.30, 52.90, 58.06, 66.21},
      {62.92, 67.23, 54.27, 60.03, 66.29}, {67.01, 67.04, 62.92, 60.44, 66.09}},
     {{52.24, 62.75, 52.26, 0, 66.34}, {54.74, 64.56, 50.13, 0, 66.50}, {57.54, 65.47, 51.43, 0, 66.04},
      {66.25, 66.94, 58.06, 0, 66.38}}}};
static const double table4_epsilon[4] = {0.5, 0.8, 1, 2};

/* Table 2, 3-NN accuracy in percent at epsilon 1: [data][delta][n 128 256 512][algorithm]. */
static const double table2[2][2][3][FIVE] = {
    {{{63.69, 64.03, 64.20, 71.30, 71.29}, {64.55, 64.68, 64.64, 71.91, 72.21},
      {64.63, 65.85, 65.87, 72.46, 72.84}},
     {{64.37, 64.51, 64.97, 0, 70.37}, {65.64, 65.28, 65.58, 0, 71.16}, {66.77, 67.16, 67.28, 0, 71.24}}},
    {{{60.72, 59.72, 60.94, 62.32, 62.95}, {62.14, 62.82, 62.85, 63.09, 65.21},
      {63.59, 65.13, 63.29, 64.35, 66.36}},
     {{59.32, 59.48, 59.55, 0, 63.41}, {61.00, 61.07, 60.70, 0, 64.51}, {61.78, 62.01, 61.77, 0, 66.54}}}};

/* Table 3, n = 128, Pima: [delta][epsilon .2 .5 .8 1 1.5 2][algorithm]. */
static const double table3[2][6][FIVE] = {
    {{63.49, 64.18, 63.59, 71.72, 71.46}, {63.50, 64.92, 63.63, 70.61, 71.49},
     {63.93, 65.72, 63.97, 72.11, 71.66}, {63.44, 63.91, 63.71, 71.05, 71.32},
     {63.53, 64.01, 63.96, 70.83, 71.50}, {64.26, 64.29, 65.07, 71.36, 71.45}},
    {{64.28, 64.45, 64.34, 0, 70.28}, {64.49, 64.84, 64.38, 0, 70.49}, {64.53, 64.84, 64.49, 0, 70.51},
     {64.38, 64.63, 64.09, 0, 70.48}, {64.40, 64.79, 64.29, 0, 70.59}, {64.84, 64.81, 64.30, 0, 70.82}}};
static const double table3_epsilon[6] = {0.2, 0.5, 0.8, 1, 1.5, 2};

static request xue(const experiment *e, int set, int metric, int algorithm, size_t n, double epsilon,
                   int pure) {
  request r;
  memset(&r, 0, sizeof r);
  r.set = set;
  r.measure = metric ? MEASURE_KNN : MEASURE_AUC;
  r.method = metric ? metric_find(five_names[algorithm]) : method_find(five_names[algorithm]);
  if (pure && algorithm == GDC2) r.method = NULL;
  r.scale = SCALE_ROW;
  r.n = n;
  r.splits = e->full ? (metric ? 20 : 50) : 3;
  r.epsilon = epsilon;
  r.delta = pure ? 0 : -1;
  return r;
}

static void header(FILE *file, const char *first, int last) {
  int a;
  (void)fprintf(file, "\n| %s | δ |", first);
  for (a = 0; a < FIVE; a++) (void)fprintf(file, " %s: paper | ours, printed noise | ours |", five_titles[a]);
  if (last) (void)fputs(" auto |", file);
  (void)fputs("\n|---|---|", file);
  for (a = 0; a < 3 * FIVE + last; a++) (void)fputs("---|", file);
  (void)fputc('\n', file);
}

/* The 15 entries of one row. */
static void five(experiment *e, FILE *file, const double *paper, int set, int metric, size_t n,
                 double epsilon, int pure) {
  int a;
  for (a = 0; a < FIVE; a++) {
    request r = xue(e, set, metric, a, n, epsilon, pure);
    cell c;
    put_printed(file, paper[a]);
    r.with.as_printed = 1;
    c = a == STRC || a == OFFC ? nothing : cell_of(e, &r);
    put_true(file, &c);
    r.with.as_printed = 0;
    c = cell_of(e, &r);
    put(file, &c);
  }
}

static void auto_cell(experiment *e, FILE *file, int set, size_t n, double epsilon, int pure) {
  request r = xue(e, set, 0, 0, n, epsilon, pure);
  cell c;
  r.method = method_find("auto");
  r.scale = SCALE_RANGES;
  if (r.method != NULL && pure && !r.method->pure) r.method = NULL;
  c = cell_of(e, &r);
  put(file, &c);
}

static int write_table4(experiment *e) {
  FILE *file = report(e, "xue2021-table4.md");
  int set, pure, row;
  if (file == NULL) return 0;
  (void)fprintf(file,
                "# Xue et al. 2021, Table 4: AUC in percent, n = 256\n\n"
                "Rows scaled to unit length, ‖w‖ ≤ 1, λ = 1e-3 for the strongly convex algorithms. \"ours, "
                "printed noise\": the paper's constants with the true G = 4, and in brackets the epsilon "
                "that this noise really gives; \"ours\": the same algorithm with the noise that its proof "
                "needs and no more. The printed figures need thousands of times less noise than the printed "
                "constants give (for instance G and α set to 1). OffPair: reconstructed, its printed noise is "
                "unknown. auto: the best method here, on the declared ranges, everything charged. Mean ± "
                "standard deviation over %d splits.\n",
                e->full ? 50 : 3);
  for (set = PIMA; set <= RETINOPATHY; set++) {
    (void)fprintf(file, "\n## %s%s\n", set_titles[set], e->present[set] ? "" : ": skipped, no data");
    if (!e->present[set]) continue;
    header(file, "ε", 1);
    for (pure = 0; pure < 2; pure++)
      for (row = 0; row < 4; row++) {
        (void)fprintf(file, "| %g | %s |", table4_epsilon[row], pure ? "0" : "1/n");
        five(e, file, table4[set][pure][row], set, 0, 256, table4_epsilon[row], pure);
        auto_cell(e, file, set, 256, table4_epsilon[row], pure);
        (void)fputc('\n', file);
      }
  }
  return fclose(file) == 0;
}

/* 3-NN without learning, and with the algorithm's own optimum. */
static void knn_levels(experiment *e, FILE *file, int set, size_t n) {
  request r = xue(e, set, 1, GDSC, n, 1, 0);
  cell c;
  r.with.noiseless = 1;
  r.with.steps = 300;
  c = cell_of(e, &r);
  (void)fputs("| ", file);
  put(file, &c);
}

static int write_table2(experiment *e) {
  static const size_t sizes[3] = {128, 256, 512};
  FILE *file = report(e, "xue2021-table2.md");
  int set, pure, row;
  if (file == NULL) return 0;
  (void)fprintf(file,
                "# Xue et al. 2021, Table 2: 3-NN accuracy in percent of the learned metric, ε = 1\n\n"
                "Rows scaled to unit length, W positive semidefinite, ‖W‖ ≤ 1, λ = 1e-2 for the strongly "
                "convex algorithms. 3-NN hardly measures the metric: the identity, without any learning, is "
                "near the optimum, and its neighbours are raw training records. Last column: DPGDSC's "
                "algorithm without noise. Mean ± standard deviation over %d splits.\n",
                e->full ? 20 : 3);
  for (set = PIMA; set <= RETINOPATHY; set++) {
    (void)fprintf(file, "\n## %s%s\n", set_titles[set], e->present[set] ? "" : ": skipped, no data");
    if (!e->present[set]) continue;
    header(file, "n", 0);
    for (pure = 0; pure < 2; pure++)
      for (row = 0; row < 3; row++) {
        (void)fprintf(file, "| %zu | %s |", sizes[row], pure ? "0" : "1/n");
        five(e, file, table2[set][pure][row], set, 1, sizes[row], 1, pure);
        (void)fputc('\n', file);
      }
    (void)fputs("\n| n | without noise |\n|---|---|\n", file);
    for (row = 0; row < 3; row++) {
      (void)fprintf(file, "| %zu ", sizes[row]);
      knn_levels(e, file, set, sizes[row]);
      (void)fputc('\n', file);
    }
  }
  return fclose(file) == 0;
}

static int write_table3(experiment *e) {
  FILE *file = report(e, "xue2021-table3.md");
  int pure, row;
  if (file == NULL) return 0;
  (void)fputs("# Xue et al. 2021, Table 3: 3-NN accuracy in percent, n = 128, Pima diabetes\n\n"
              "The retinopathy half of the printed table repeats the diabetes cells at ε = 1, 1.5 and 2 in "
              "all nine rows, and its caption and the text disagree about n: only this half is usable.\n",
              file);
  header(file, "ε", 0);
  for (pure = 0; pure < 2; pure++)
    for (row = 0; row < 6; row++) {
      (void)fprintf(file, "| %g | %s |", table3_epsilon[row], pure ? "0" : "1/n");
      five(e, file, table3[pure][row], PIMA, 1, 128, table3_epsilon[row], pure);
      (void)fputc('\n', file);
    }
  return fclose(file) == 0;
}

enum { MOST_POINTS = 8 };

/* A chart over x of the given requests; x, y and error are the caller's room. */
typedef struct curve {
  double x[MOST_POINTS], y[MOST_POINTS], error[MOST_POINTS];
} curve;

static void curve_add(curve *c, svg_series *s, const char *name, double x, const cell *value,
                      double unit) {
  s->name = name;
  s->x = c->x;
  s->y = c->y;
  s->error = c->error;
  if (!(value->count > 0) || s->n == MOST_POINTS) return;
  c->x[s->n] = x;
  c->y[s->n] = unit * value->mean;
  c->error[s->n++] = unit * value->sd / sqrt(value->count);
}

static int chart(experiment *e, const char *name, svg_chart *c) {
  char path[600];
  size_t k, kept = 0;
  svg_series series[16];
  for (k = 0; k < c->count && k < 16; k++)
    if (c->series[k].n > 0) series[kept++] = c->series[k];
  if (e->planning || kept == 0) return 1;
  c->series = series;
  c->count = kept;
  (void)snprintf(path, sizeof path, "%s/%s", e->out, name);
  return svg_write(path, c) ? 1 : complain("%s: %s", path, strerror(errno));
}

/* Figures 1 to 4: AUC over the training size at epsilon 0.8. */
static int write_figures(experiment *e, FILE *index) {
  static const size_t sizes[5] = {64, 128, 256, 384, 512};
  int set, convex, pure, ok = 1;
  for (set = PIMA; set <= RETINOPATHY; set++)
    for (convex = 0; convex < 2; convex++)
      for (pure = 0; pure < 2; pure++) {
        static const int members[2][3] = {{STRC, GDSC, -1}, {OFFC, GDC2, EGD}};
        curve room[5];
        svg_series series[5];
        svg_chart picture;
        char name[80], title[160];
        size_t k, row;
        if (!e->present[set]) continue;
        memset(series, 0, sizeof series);
        for (row = 0; row < 5; row++) {
          request r;
          cell c;
          for (k = 0; k < 3; k++) {
            if (members[convex][k] < 0) continue;
            r = xue(e, set, 0, members[convex][k], sizes[row], 0.8, pure);
            c = cell_of(e, &r);
            curve_add(&room[k], &series[k], five_titles[members[convex][k]], (double)sizes[row], &c, 1);
          }
          r = xue(e, set, 0, 0, sizes[row], 0.8, pure);
          r.method = method_find("auto");
          r.scale = SCALE_RANGES;
          if (r.method != NULL && pure && !r.method->pure) r.method = NULL;
          c = cell_of(e, &r);
          curve_add(&room[3], &series[3], "auto (declared ranges)", (double)sizes[row], &c, 1);
          r = xue(e, set, 0, GDSC, sizes[row], 0.8, 0);
          r.with.noiseless = 1;
          r.with.steps = 1000;
          c = cell_of(e, &r);
          curve_add(&room[4], &series[4], "DPGDSC without noise", (double)sizes[row], &c, 1);
          series[4].reference = 1;
        }
        memset(&picture, 0, sizeof picture);
        (void)snprintf(title, sizeof title, "Xue 2021, Figure %d: %s, %s convex, %s", 2 * set + convex + 1,
                       set_titles[set], convex ? "general" : "strongly", pure ? "delta = 0" : "delta = 1/n");
        (void)snprintf(name, sizeof name, "xue2021-figure%d%s.svg", 2 * set + convex + 1, pure ? "b" : "a");
        picture.title = title;
        picture.subtitle = "epsilon = 0.8, true noise; bars: standard error over splits";
        picture.x_label = "training records";
        picture.y_label = "test AUC";
        picture.series = series;
        picture.count = 5;
        ok &= chart(e, name, &picture);
        (void)fprintf(index, "- [%s](%s)\n", title, name);
      }
  return ok;
}

/* --- Yang et al. 2021 ---------------------------------------------------------------------------------- */

static int write_yang(experiment *e) {
  FILE *file = report(e, "yang2021.md");
  int set, scale, row;
  if (file == NULL) return 0;
  (void)fputs("# Yang et al. 2021: private pairwise SGD, hinge loss, n = 256, δ = 1/n, AUC in percent\n\n"
              "Three versions on the same splits: without noise; with the noise that the drawn indices need; "
              "with the noise of the printed Theorem 4.\n\n"
              "| data | scaled by | T | ε | without noise | ours | Theorem 4 as printed |\n"
              "|---|---|---|---|---|---|---|\n", file);
  for (set = PIMA; set <= RETINOPATHY; set++)
    for (scale = SCALE_RANGES; scale <= SCALE_ROW; scale++)
      for (row = 0; row < 4; row++) {
        static const double epsilon[4] = {1, 0.5, 1, 2};
        request r = xue(e, set, 0, 0, 256, epsilon[row], 0);
        cell c;
        if (!e->present[set]) continue;
        r.method = method_find("yang2021");
        r.scale = (scale_kind)scale;
        r.with.steps = row == 0 ? 256 : e->full ? 65536 : 16384;
        (void)fprintf(file, "| %s | %s | %zu | %g |", set_titles[set], scale == SCALE_ROW ? "row" : "ranges",
                      r.with.steps, r.epsilon);
        r.with.noiseless = 1;
        c = cell_of(e, &r);
        put(file, &c);
        r.with.noiseless = 0;
        c = cell_of(e, &r);
        put(file, &c);
        r.with.as_printed = 1;
        c = cell_of(e, &r);
        put_true(file, &c);
        (void)fputc('\n', file);
      }
  return fclose(file) == 0;
}

/* --- Kang et al. 2023 ---------------------------------------------------------------------------------- */

static const struct {
  const char *name, *title;
} kang[] = {{"dpsgd", "DP-SGD"},
            {"bolton", "output perturbation"},
            {"dplssgd", "DP-LSSGD"},
            {"pidpsgd-not-private", "PIDP-SGD (NOT PRIVATE)"},
            {"filter", "individual filter"},
            {"dpsgd-mlp", "DP-SGD, MLP"},
            {"dplssgd-mlp", "DP-LSSGD, MLP"}};
enum { KANG = 7, KANG_LINEAR = 5 };

static int write_kang(experiment *e, FILE *index) {
  static const double epsilon[5] = {0.05, 0.1, 0.5, 1, 3};
  FILE *file = report(e, "kang2023.md");
  int set, gap, ok = 1;
  size_t k, row;
  if (file == NULL) return 0;
  (void)fputs("# Kang et al. 2023, Figures 1 and 2: accuracy and optimality gap over ε\n\n"
              "The paper prints curves, no numbers; its claim is that PIDP-SGD is above the others. PIDP-SGD "
              "is NOT PRIVATE (at any ε), whatever the column says; the sound way to charge records "
              "individually is the filter. δ = 1/n. The gap is in nats of the mean training loss.\n", file);
  for (set = ADULT; set <= BANK; set++)
    for (gap = 0; gap < 2; gap++) {
      curve room[KANG];
      svg_series series[KANG];
      svg_chart picture;
      char name[80], title[120];
      memset(series, 0, sizeof series);
      (void)fprintf(file, "\n## %s, %s%s\n", set_titles[set], gap ? "optimality gap" : "accuracy in percent",
                    e->present[set] ? "" : ": skipped, no data");
      if (!e->present[set]) continue;
      (void)fputs("\n| ε |", file);
      for (k = 0; k < (gap ? KANG_LINEAR : KANG); k++) (void)fprintf(file, " %s |", kang[k].title);
      (void)fputs("\n|---|", file);
      for (k = 0; k < (gap ? KANG_LINEAR : KANG); k++) (void)fputs("---|", file);
      for (row = 0; row < 5; row++) {
        (void)fprintf(file, "\n| %g |", epsilon[row]);
        for (k = 0; k < (gap ? KANG_LINEAR : KANG); k++) {
          request r;
          cell c;
          memset(&r, 0, sizeof r);
          r.set = set;
          r.measure = gap ? MEASURE_GAP : MEASURE_ACCURACY;
          r.method = method_find(kang[k].name);
          r.scale = SCALE_RANGES;
          r.n = e->full ? 30000 : 4000;
          r.splits = e->full ? 3 : 1;
          r.epsilon = epsilon[row];
          r.delta = -1;
          if (!e->full && k >= KANG_LINEAR) r.with.steps = 60;
          c = cell_of(e, &r);
          if (gap && c.count > 0)
            (void)fprintf(file, " %.4f |", c.mean);
          else
            put(file, &c);
          curve_add(&room[k], &series[k], kang[k].title, epsilon[row], &c, 1);
        }
      }
      (void)fputc('\n', file);
      memset(&picture, 0, sizeof picture);
      (void)snprintf(title, sizeof title, "Kang 2023, Figure %d: %s", gap + 1, set_titles[set]);
      (void)snprintf(name, sizeof name, "kang2023-figure%d-%s.svg", gap + 1, set_names[set]);
      picture.title = title;
      picture.subtitle = gap ? "mean training loss above the optimum" : "test accuracy; delta = 1/n";
      picture.x_label = "epsilon";
      picture.y_label = gap ? "optimality gap" : "accuracy";
      picture.log_x = 1;
      picture.series = series;
      picture.count = gap ? KANG_LINEAR : KANG;
      ok &= chart(e, name, &picture);
      (void)fprintf(index, "- [%s](%s)\n", title, name);
    }
  return fclose(file) == 0 && ok;
}

/* --- everything ----------------------------------------------------------------------------------------- */

static int write_all(experiment *e) {
  FILE *index = report(e, "README.md");
  int ok, k;
  if (index == NULL) return 0;
  (void)fprintf(index,
                "# The papers' tables and figures, run again\n\n"
                "%s mode. Noise is simulated: nothing here is a release.\n\n"
                "- [Xue 2021, Table 2](xue2021-table2.md), [Table 3](xue2021-table3.md), "
                "[Table 4](xue2021-table4.md)\n- [Yang 2021](yang2021.md)\n- [Kang 2023](kang2023.md)\n",
                e->full ? "Full" : "Quick");
  ok = write_table4(e) && write_figures(e, index) && write_yang(e) && write_table3(e) && write_table2(e) &&
       write_kang(e, index);
  for (k = 0; k < SETS; k++)
    if (!e->present[k])
      (void)fprintf(index, "- skipped: everything on %s (no data file)\n", set_titles[k]);
  return fclose(index) == 0 && ok;
}

static void load_sets(experiment *e) {
  int k;
  for (k = 0; k < SETS; k++) {
    char path[600], error[ERROR_SIZE], *ranges;
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/%s.%s", e->data_dir != NULL ? e->data_dir : "", set_names[k],
                   k < ADULT ? "csv" : "libsvm");
    file = e->data_dir != NULL ? fopen(path, "r") : NULL;
    if (file != NULL) (void)fclose(file);
    if (file == NULL) {
      if (k == PIMA) e->present[k] = data_embedded(&e->set[k], error);
      if (!e->present[k]) (void)complain("no %s: what needs it is skipped (see --help)", set_names[k]);
      continue;
    }
    e->present[k] = data_load(&e->set[k], path, NULL, error);
    ranges = e->present[k] ? data_ranges_beside(path) : NULL;
    if (ranges != NULL) e->present[k] = data_ranges(&e->set[k], ranges, error);
    free(ranges);
    if (!e->present[k]) (void)complain("%s", error);
  }
}

static int run(experiment *e) {
  char path[600];
  size_t k, kept;
  int ok;
  if (mkdir(e->out, 0777) != 0 && errno != EEXIST) return complain("%s: %s", e->out, strerror(errno));
  (void)snprintf(path, sizeof path, "%s/cells.tsv", e->out);
  cells_load(e, path);
  e->kept = fopen(path, "a");
  if (e->kept == NULL) return complain("%s: %s", path, strerror(errno));
  kept = e->count;
  e->planning = 1;
  ok = write_all(e);
  e->planning = 0;
  e->count = kept; /* the planned cells are empty: forget them */
  progress_begin(&e->bar, "experiments", e->missing, e->quiet);
  if (ok) ok = write_all(e);
  progress_end(&e->bar);
  (void)fclose(e->kept);
  for (k = 0; k < SETS; k++)
    if (e->present[k]) data_free(&e->set[k]);
  free(e->cells);
  return ok && !e->failed;
}

int main(int argc, char **argv) {
  experiment e;
  int k, ok;
  memset(&e, 0, sizeof e);
  e.out = "build/experiments";
  e.data_dir = getenv("DPPAIR_DATA");
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) return fputs(usage, stdout) < 0;
    if (strcmp(argv[k], "--version") == 0) return puts("reproduce_papers " DPPAIR_VERSION_STRING) < 0;
    if (strcmp(argv[k], "--full") == 0) {
      e.full = 1;
    } else if (strcmp(argv[k], "--quiet") == 0) {
      e.quiet = 1;
    } else if (k + 1 < argc && strcmp(argv[k], "--data") == 0) {
      e.data_dir = argv[++k];
    } else if (k + 1 < argc && strcmp(argv[k], "--out") == 0) {
      e.out = argv[++k];
    } else {
      (void)complain("'%s' is unknown or lacks its value (see --help)", argv[k]);
      return 2;
    }
  }
  load_sets(&e);
  ok = run(&e);
  if (ok && !e.quiet) (void)printf("%s/README.md\n", e.out);
  return ok ? 0 : 1;
}
