/* SPDX-License-Identifier: MIT */
/*
 * run_experiments - runs the tables of methods/tables.c and writes them as Markdown and SVG.
 *
 * Every cell's result is appended to a file as soon as it is known, and cells that are already
 * there are not run again: an interrupted run goes on where it stopped.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papers/experiment.h"
#include "support/draft.h"
#include "support/program.h"
#include "support/svg.h"

enum { MOST_DATA = 32, WORKERS = 2, LARGE = 5000, KEY_LENGTH = 200, EACH_MOST = 64 };

static const char usage[] =
    "run_experiments - the tables and curves of the examples, as Markdown and SVG\n"
    "\n"
    "usage: run_experiments [options]\n"
    "\n"
    "options\n"
    "  --quick             few splits, small data sets and part of the budgets: under two minutes\n"
    "  --data DIR          where NAME.csv, NAME.libsvm and NAME.ranges lie; without it only the\n"
    "                      built-in Pima records are used, and what is skipped is said\n"
    "  --out DIR           default build/experiments; holds the results so far, so a run can be resumed\n"
    "  --only NAME         one experiment\n"
    "  --quiet             no progress\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed; 2 wrong use: the command line.\n";

typedef struct setup {
  const char *data_dir, *out, *only;
  int quick, quiet;
  struct {
    char name[160]; /* of the data, and behind a blank that of its maps */
    dataset data;
    int there;
  } set[MOST_DATA];
  size_t sets;
} setup;

typedef struct cell {
  char key[KEY_LENGTH];
  const experiment *of;
  const experiment_row *row;
  const experiment_column *column;
  const dataset *data;
  trial job;
  int known;
  double mean, sd, error, epsilon;
  double each[EACH_MOST]; /* of an experiment that compares: the figure of each split */
  size_t count;
} cell;

/* --- data ------------------------------------------------------------------------------------- */

/* A sum of twelve uniform numbers, of mean 0 and deviation 1. */
static double nearly_normal(simulation_rng *rng) {
  double x = 0;
  size_t u;
  for (u = 0; u < 12; u++) x += (double)(simulation_u64(rng) >> 11) * 0x1p-53 - 0.5;
  return x;
}

/* Simulated sets: a percentage of n records is positive; in every other column these are `shift`
 * higher than the others, and their deviation is `spread`, that of the others 1. */
static const struct simulated {
  const char *name;
  size_t n, d, percent;
  double shift, spread;
} simulated[] = {{"simulated", 20000, 10, 30, .35, 1},
                 {"rare", 20000, 10, 1, .7, 1},
                 {"spread", 1000, 20, 40, .1, .5}};

static int simulate_set(dataset *data, const struct simulated *how) {
  simulation_rng rng;
  size_t i, k;
  memset(data, 0, sizeof *data);
  data->n = how->n;
  data->d = how->d;
  data->x = calloc(data->n * data->d, sizeof *data->x);
  data->y = malloc(data->n * sizeof *data->y);
  data->features = calloc(data->d, sizeof *data->features);
  if (data->x == NULL || data->y == NULL || data->features == NULL) return 0;
  simulation_seed(&rng, 20);
  for (i = 0; i < data->n; i++) {
    const int up = i * 10 % 1000 < 10 * how->percent;
    data->y[i] = up ? 1 : -1;
    for (k = 0; k < data->d; k++)
      data->x[i * data->d + k] =
          (up ? how->spread : 1) * nearly_normal(&rng) + (up && k % 2 == 0 ? how->shift : 0);
  }
  for (k = 0; k < data->d; k++) {
    data->features[k].low = -4;
    data->features[k].high = 4;
    data->features[k].kind = KIND_NUMERIC;
    data->features[k].group = -1;
  }
  data->has_ranges = 1;
  return 1;
}

static int load_plain(dataset *data, const char *dir, const char *name) {
  static const char *const endings[] = {"csv", "libsvm"};
  char path[1024], error[ERROR_SIZE], *ranges;
  size_t which;
  int k, ok;
  for (which = 0; which < sizeof simulated / sizeof *simulated; which++)
    if (strcmp(name, simulated[which].name) == 0) return simulate_set(data, &simulated[which]);
  if (dir == NULL) return strcmp(name, "pima") == 0 && data_embedded(data, error);
  for (k = 0; k < 2; k++) {
    (void)snprintf(path, sizeof path, "%s/%s.%s", dir, name, endings[k]);
    if (access(path, R_OK) != 0) continue;
    if (!data_load(data, path, NULL, error)) return complain(0, "%s", error);
    ranges = data_ranges_beside(path);
    ok = ranges == NULL || data_ranges(data, ranges, error);
    free(ranges);
    return ok ? 1 : complain(0, "%s", error);
  }
  return strcmp(name, "pima") == 0 && data_embedded(data, error);
}

/* Columns of uniform numbers in [-1, 1], so declared, behind those that there are. */
static int widen_set(dataset *data, size_t more) {
  const size_t d = data->d + more;
  double *x = malloc(data->n * d * sizeof *x);
  feature *features = realloc(data->features, d * sizeof *features);
  simulation_rng rng;
  size_t i, k;
  if (features != NULL) data->features = features;
  if (x == NULL || features == NULL) {
    free(x);
    return 0;
  }
  simulation_seed(&rng, 21);
  memset(features + data->d, 0, more * sizeof *features);
  for (k = data->d; k < d; k++) {
    features[k].low = -1;
    features[k].high = 1;
    features[k].kind = KIND_NUMERIC;
    features[k].group = -1;
  }
  for (i = 0; i < data->n; i++) {
    memcpy(x + i * d, data->x + i * data->d, data->d * sizeof *x);
    for (k = data->d; k < d; k++) x[i * d + k] = (double)(simulation_u64(&rng) >> 11) * 0x1p-52 - 1;
  }
  free(data->x);
  data->x = x;
  data->d = d;
  return 1;
}

/* A set by name; with "+50" behind it so many random columns are added. */
static int load_set(dataset *data, const char *dir, const char *name) {
  char base[160];
  const char *plus = strchr(name, '+');
  const size_t length = plus != NULL ? (size_t)(plus - name) : strlen(name);
  size_t more = 0;
  if (length >= sizeof base || (plus != NULL && !text_size(&more, plus + 1))) return 0;
  memcpy(base, name, length);
  base[length] = '\0';
  return load_plain(data, dir, base) && (more == 0 || widen_set(data, more));
}

/* The data set by name with the shipped maps of that name and ending, or with ranges when ending is
 * NULL; loaded when first asked for, NULL when it is not there. */
static const dataset *find_set(setup *s, const char *data, const char *ending) {
  char name[160], maps[64], error[ERROR_SIZE];
  size_t k;
  (void)snprintf(maps, sizeof maps, "%s%s", data, ending != NULL ? ending : "");
  (void)snprintf(name, sizeof name, "%s%s%s", data, ending != NULL ? " " : "",
                 ending != NULL ? maps : "");
  for (k = 0; k < s->sets && strcmp(s->set[k].name, name) != 0; k++) {
  }
  if (k == s->sets && k < MOST_DATA) {
    (void)snprintf(s->set[k].name, sizeof s->set[k].name, "%s", name);
    s->set[k].there = load_set(&s->set[k].data, s->data_dir, data);
    if (s->set[k].there && ending != NULL && !data_embedded_maps(&s->set[k].data, maps, error)) {
      data_free(&s->set[k].data);
      s->set[k].there = 0;
    }
    s->sets++;
  }
  return k < MOST_DATA && s->set[k].there ? &s->set[k].data : NULL;
}

/* --- cells ------------------------------------------------------------------------------------ */

static void fill_cell(cell *c, const setup *s) {
  trial *t = &c->job;
  int large = c->data->n >= LARGE;
  t->data = c->data;
  t->scale = c->column->scale;
  if (t->scale == SCALE_RANGES && !c->data->has_ranges) t->scale = SCALE_ROW;
  t->one_stream = c->of->compare;
  t->n_train = c->row->n > 0 ? c->row->n : c->of->compare ? 2 * c->data->n / 3 : c->data->n / 2;
  t->n_test = c->of->compare ? c->data->n - t->n_train : 0;
  t->method = c->column->method;
  t->with.as_printed = c->column->noise == AS_PRINTED;
  t->with.noiseless = c->column->noise == NOISELESS;
  t->with.loss = c->column->loss;
  t->epsilon = c->row->epsilon;
  t->delta = c->row->pure ? 0 : 1 / (double)t->n_train;
  t->splits = s->quick ? 3 : large ? c->of->large_splits : c->of->splits;
  t->draws = c->of->draws;
  t->seed = 1;
  t->measure = c->of->measure;
  /* levels do not depend on the budget: one cell serves all rows of the same data and size */
  (void)snprintf(c->key, sizeof c->key,
                 "%s|%s|n=%zu|scale=%s%s|epsilon=%g|delta=%.3g|%s%s|loss=%s|splits=%zu|draws=%zu",
                 c->of->measure != NULL || c->of->compare ? c->of->id : "auc", c->row->data,
                 t->n_train, scale_names[t->scale], c->column->maps != NULL ? c->column->maps : "",
                 t->method != NULL ? t->epsilon : 0, t->method != NULL ? t->delta : 0,
                 t->method != NULL                  ? t->method->name
                 : c->column->level == LEVEL_ZERO   ? "=zero"
                 : c->column->level == LEVEL_BEFORE ? "=before"
                                                    : "=ceiling",
                 t->with.as_printed  ? "-as-printed"
                 : t->with.noiseless ? "-noiseless"
                                     : "",
                 t->with.loss != NULL ? t->with.loss : "-", t->splits, t->draws);
}

static int wanted(const setup *s, const experiment *x, const experiment_row *r) {
  const int small = strcmp(r->data, "adult") != 0 && strcmp(r->data, "bank") != 0;
  if (!s->quick) return 1;
  /* these take minutes: batches, and many methods on many sets */
  if (strcmp(x->id, "pointwise") == 0 && s->only == NULL) return 0;
  if (x->compare && (s->only == NULL || r->n > 0 || strcmp(r->data, "pima") != 0)) return 0;
  return small && r->epsilon >= 0.5 && r->epsilon <= 2;
}

/* What an earlier version reached on these splits is known; 0 when it is not. */
static int take_before(cell *c) {
  summary all = {0, 0, 0};
  size_t k, room = c->job.splits < EACH_MOST ? c->job.splits : EACH_MOST;
  if (c->row->n > 0) return 0;
  c->count = data_embedded_before(c->each, room, c->row->data, c->row->epsilon, c->row->pure);
  for (k = 0; k < c->count; k++) summary_add(&all, c->each[k] /= 100);
  c->mean = all.mean;
  c->sd = summary_sd(&all);
  c->error = summary_error(&all);
  return c->known = c->count > 0;
}

/* All cells of all experiments; count is an upper bound first. */
static cell *list_cells(size_t *count, setup *s) {
  size_t e, r, k, room = 0;
  cell *cells;
  for (e = 0; experiments[e] != NULL; e++)
    room += experiments[e]->row_count * experiments[e]->column_count;
  cells = calloc(room + 1, sizeof *cells);
  *count = 0;
  for (e = 0; experiments[e] != NULL && cells != NULL; e++)
    for (r = 0; r < experiments[e]->row_count; r++) {
      const experiment *x = experiments[e];
      const dataset *data;
      if ((s->only != NULL && strcmp(s->only, x->id) != 0) || !wanted(s, x, &x->rows[r])) continue;
      data = find_set(s, x->rows[r].data, NULL);
      if (data == NULL || x->rows[r].n + 2 > data->n) continue;
      for (k = 0; k < x->column_count; k++) {
        cell *c = &cells[*count];
        memset(c, 0, sizeof *c);
        c->of = x;
        c->row = &x->rows[r];
        c->column = &x->columns[k];
        c->data =
            c->column->scale == SCALE_MAPS ? find_set(s, c->row->data, c->column->maps) : data;
        if (c->data == NULL) continue;
        if (c->row->pure && c->column->method != NULL && !(c->column->method->offers & OFFERS_PURE))
          continue;
        fill_cell(c, s);
        if (c->column->level == LEVEL_BEFORE && !take_before(c)) continue;
        ++*count;
      }
    }
  return cells;
}

static size_t recall_each(double each[EACH_MOST], const char *at) {
  size_t count = 0;
  char *end;
  for (; at != NULL && count < EACH_MOST; at = end) {
    each[count] = strtod(at, &end);
    if (end == at) break;
    count++;
  }
  return count;
}

static void results_path(char *path, size_t size, const setup *s, int worker) {
  (void)snprintf(path, size, "%s/results-%d.txt", s->out, worker);
}

/* Takes what earlier runs left behind: lines "key TAB mean sd error epsilon", and behind another
 * TAB the figures of the splits. */
static void recall(cell *cells, size_t count, const setup *s) {
  int worker;
  for (worker = 0; worker < WORKERS; worker++) {
    char path[1024], line[4096];
    FILE *file;
    results_path(path, sizeof path, s, worker);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
      char *tab = strchr(line, '\t');
      double v[4];
      size_t k;
      if (tab == NULL || strchr(tab, '\n') == NULL) continue; /* a line that was cut off */
      *tab = '\0';
      if (sscanf(tab + 1, "%lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3]) != 4) continue;
      for (k = 0; k < count; k++) {
        if (strcmp(cells[k].key, line) != 0) continue;
        cells[k].known = 1;
        cells[k].mean = v[0];
        cells[k].sd = v[1];
        cells[k].error = v[2];
        cells[k].epsilon = v[3];
        cells[k].count = recall_each(cells[k].each, strchr(tab + 1, '\t'));
      }
    }
    if (file != NULL) (void)fclose(file);
  }
}

static void run_cell(const cell *c, FILE *file) {
  double each[EACH_MOST], epsilon = 0;
  summary value;
  size_t k;
  dppair_status status;
  if (c->column->method != NULL) {
    outcome out;
    trial job = c->job;
    job.each = c->of->compare && job.splits * job.draws <= EACH_MOST ? each : NULL;
    status = trial_run(&out, &job, NULL);
    value = out.measured;
    epsilon = out.epsilon;
  } else {
    summary other;
    status = c->column->level == LEVEL_ZERO ? trial_levels(&other, &value, &c->job)
                                            : trial_levels(&value, &other, &c->job);
  }
  if (status != DPPAIR_OK) {
    (void)complain(0, "%s: %s", c->key, status_words(status));
    return;
  }
  (void)fprintf(file, "%s\t%.17g %.17g %.17g %.17g", c->key, value.mean, summary_sd(&value),
                summary_error(&value), epsilon);
  for (k = 0; c->of->compare && c->column->method != NULL && k < value.count; k++)
    (void)fprintf(file, "%c%.9g", k > 0 ? ' ' : '\t', each[k]);
  (void)fputc('\n', file);
}

/* Every WORKERS-th of the cells to run; the first worker shows the progress. */
static int work(const cell *cells, const size_t *todo, size_t count, int worker, const setup *s) {
  char path[1024];
  FILE *file;
  progress bar;
  size_t k;
  int code = 0;
  results_path(path, sizeof path, s, worker);
  file = fopen(path, "a");
  if (file == NULL) return complain(1, "%s: %s", path, strerror(errno));
  progress_begin(&bar, "experiments", (count + WORKERS - 1) / WORKERS, s->quiet || worker > 0);
  for (k = (size_t)worker; k < count; k += WORKERS) {
    run_cell(&cells[todo[k]], file);
    if (fflush(file) != 0 || ferror(file)) { /* the other cells would be lost, too */
      code = complain(1, "%s: %s", path, strerror(errno));
      break;
    }
    progress_step(&bar);
  }
  progress_end(&bar);
  (void)fclose(file);
  return code;
}

static int run_missing(const cell *cells, size_t count, const setup *s) {
  size_t k, j, left = 0, *todo = malloc((count + 1) * sizeof *todo);
  int worker, failed = 0;
  pid_t children[WORKERS];
  if (todo == NULL) return complain(1, "out of memory");
  for (k = 0; k < count; k++) {
    for (j = 0; j < left && strcmp(cells[todo[j]].key, cells[k].key) != 0; j++) {
    }
    if (!cells[k].known && j == left) todo[left++] = k;
  }
  if (!s->quiet) (void)fprintf(stderr, "%zu of %zu cells to run\n", left, count);
  for (worker = 0; worker < WORKERS; worker++) {
    children[worker] = fork();
    if (children[worker] == 0) _exit(work(cells, todo, left, worker, s));
    if (children[worker] < 0) failed = complain(1, "fork: %s", strerror(errno));
  }
  for (worker = 0; worker < WORKERS; worker++) {
    int code = 0;
    if (children[worker] > 0 && (waitpid(children[worker], &code, 0) < 0 || code != 0)) failed = 1;
  }
  free(todo);
  return failed;
}

/* --- the report ------------------------------------------------------------------------------- */

static const cell *find_cell(const cell *cells, size_t count, const experiment *e,
                             const experiment_row *r, const experiment_column *c) {
  size_t k;
  for (k = 0; k < count; k++)
    if (cells[k].of == e && cells[k].row == r && cells[k].column == c && cells[k].known)
      return &cells[k];
  return NULL;
}

/* How far a is above b, split by split; count = 0 when not both are known so. */
static summary difference(const cell *a, const cell *b) {
  summary all = {0, 0, 0};
  size_t k;
  if (a == NULL || b == NULL || a->count != b->count) return all;
  for (k = 0; k < a->count; k++) summary_add(&all, 100 * (a->each[k] - b->each[k]));
  return all;
}

/* The baseline with the largest mean: a private method beside the first column, at this budget. */
static const cell *best_baseline(const cell *cells, size_t count, const experiment *e,
                                 const experiment_row *r) {
  const cell *best = NULL;
  size_t k;
  for (k = 1; k < e->column_count; k++) {
    const cell *c = find_cell(cells, count, e, r, &e->columns[k]);
    if (c != NULL && c->column->method != NULL && (best == NULL || c->mean > best->mean)) best = c;
  }
  return best;
}

/* The last two columns of a row that compares. */
static void write_differences(FILE *f, const cell *cells, size_t count, const experiment *e,
                              const experiment_row *r) {
  const cell *now = find_cell(cells, count, e, r, &e->columns[0]), *than[2] = {NULL, NULL};
  size_t k;
  for (k = 1; k < e->column_count; k++)
    if (e->columns[k].level == LEVEL_BEFORE)
      than[0] = find_cell(cells, count, e, r, &e->columns[k]);
  than[1] = best_baseline(cells, count, e, r);
  for (k = 0; k < 2; k++) {
    const summary by = difference(now, than[k]);
    if (by.count == 0)
      (void)fputs(" - |", f);
    else
      (void)fprintf(f, " %+.1f ± %.1f%s%s |", by.mean, summary_error(&by), k == 1 ? ", " : "",
                    k == 1 ? than[k]->column->heading : "");
  }
}

/* Every private method that is above the first column, by more than a standard error or not. */
static void write_above(FILE *f, const cell *cells, size_t count, const experiment *e) {
  size_t r, k, found = 0;
  for (r = 0; r < e->row_count; r++) {
    const experiment_row *row = &e->rows[r];
    const cell *now = find_cell(cells, count, e, row, &e->columns[0]);
    for (k = 1; k < e->column_count; k++) {
      const cell *c = find_cell(cells, count, e, row, &e->columns[k]);
      const summary by = difference(c, now);
      if (by.count == 0 || c->column->method == NULL || !(by.mean > 0)) continue;
      (void)fprintf(f, "%s %s on %s at epsilon %g%s (by %.1f ± %.1f)",
                    found++ > 0 ? "," : "\nAbove auto:", c->column->heading, row->data,
                    row->epsilon, row->pure ? ", delta = 0" : "", by.mean, summary_error(&by));
    }
  }
  (void)fputs(found > 0 ? ".\n" : "\nNo method is above auto.\n", f);
}

static void write_table(FILE *f, const cell *cells, size_t count, const experiment *e) {
  size_t r, k;
  (void)fputs("\n| data | n | delta | epsilon |", f);
  for (k = 0; k < e->column_count; k++) (void)fprintf(f, " %s |", e->columns[k].heading);
  if (e->compare)
    (void)fprintf(f, " %s less before | less the best other |", e->columns[0].heading);
  (void)fputs("\n|---|---|---|---|", f);
  for (k = 0; k < e->column_count + (e->compare ? 2 : 0); k++) (void)fputs("---|", f);
  (void)fputc('\n', f);
  for (r = 0; r < e->row_count; r++) {
    const experiment_row *row = &e->rows[r];
    const cell *any = NULL;
    for (k = 0; k < e->column_count && any == NULL; k++)
      any = find_cell(cells, count, e, row, &e->columns[k]);
    if (any == NULL) continue;
    (void)fprintf(f, "| %s | %zu | %s | %g |", row->data, any->job.n_train, row->pure ? "0" : "1/n",
                  row->epsilon);
    for (k = 0; k < e->column_count; k++) {
      const cell *c = find_cell(cells, count, e, row, &e->columns[k]);
      if (k < 8 && row->printed[k] > 0) (void)fprintf(f, " %.1f /", row->printed[k]);
      if (c == NULL)
        (void)fputs(" - |", f);
      else if (c->column->noise == AS_PRINTED ||
               (c->column->noise == MENDED && c->column->method != NULL &&
                c->epsilon > row->epsilon * (1 + 1e-9)))
        (void)fprintf(f, " %.1f ± %.1f (true epsilon %.3g) |", 100 * c->mean, 100 * c->error,
                      c->epsilon);
      else
        (void)fprintf(f, " %.1f ± %.1f |", 100 * c->mean, 100 * c->error);
    }
    if (e->compare) write_differences(f, cells, count, e, row);
    (void)fputc('\n', f);
  }
  if (e->compare) write_above(f, cells, count, e);
}

/* Rows that share a picture: one data set and kind of delta, over epsilon or over n. */
static int same_picture(const experiment_row *a, const experiment_row *b, int over_n) {
  return strcmp(a->data, b->data) == 0 && a->pure == b->pure &&
         (over_n ? fabs(a->epsilon - b->epsilon) < 1e-12 : a->n == b->n);
}

/* One picture: rows first..last-1. */
static void write_picture(FILE *f, const cell *cells, size_t count, const experiment *e,
                          size_t first, size_t last, const setup *s) {
  static double x[MOST_COLUMNS][64], y[MOST_COLUMNS][64], error[MOST_COLUMNS][64];
  svg_series series[MOST_COLUMNS];
  svg_chart chart;
  char path[1024], name[160], subtitle[160];
  size_t k, r, used = 0;
  memset(series, 0, sizeof series);
  for (k = 0; k < e->column_count && k < MOST_COLUMNS; k++) {
    svg_series *q = &series[used];
    for (r = first; r < last && r < first + 64; r++) {
      const cell *c = find_cell(cells, count, e, &e->rows[r], &e->columns[k]);
      if (c == NULL) continue;
      x[used][q->n] = e->over_n ? (double)c->job.n_train : e->rows[r].epsilon;
      y[used][q->n] = 100 * c->mean;
      error[used][q->n++] = 200 * c->error;
    }
    q->name = e->columns[k].heading;
    q->x = x[used];
    q->y = y[used];
    q->reference = e->columns[k].level != LEVEL_NONE || e->columns[k].noise == NOISELESS;
    q->error = q->reference ? NULL : error[used];
    used += q->n > 0;
    if (q->n == 0) memset(q, 0, sizeof *q);
  }
  if (used == 0) return;
  (void)snprintf(name, sizeof name, "%s-%s-%s.svg", e->id, e->rows[first].data,
                 e->rows[first].pure ? "pure" : "delta");
  (void)snprintf(path, sizeof path, "%s/%s", s->out, name);
  (void)snprintf(subtitle, sizeof subtitle,
                 "NOT PRIVATE. %s, delta = %s, bars: two standard errors", e->rows[first].data,
                 e->rows[first].pure ? "0" : "1/n");
  memset(&chart, 0, sizeof chart);
  chart.title = e->title;
  chart.subtitle = subtitle;
  chart.x_label = e->over_n ? "training records" : "epsilon (privacy budget, logarithmic)";
  chart.y_label = e->quantity;
  chart.log_x = !e->over_n;
  chart.series = series;
  chart.count = used;
  if (svg_write(path, &chart)) (void)fprintf(f, "\n![%s](%s)\n", subtitle, name);
}

/* The report is written anew each time; another file of its name is not touched. */
static const char report_title[] = "# Experiments";

static int report_is_ours(const setup *s) {
  char path[1024], start[sizeof report_title] = "";
  FILE *f;
  int ours;
  (void)snprintf(path, sizeof path, "%s/README.md", s->out);
  f = fopen(path, "r");
  if (f == NULL) return 1;
  ours = fgets(start, sizeof start, f) != NULL && strcmp(start, report_title) == 0;
  (void)fclose(f);
  return ours || complain(0, "%s: exists, and is no report of this program", path);
}

static int write_report(const cell *cells, size_t count, const setup *s) {
  char path[1024];
  size_t e, r, first, k;
  draft to;
  FILE *f;
  (void)snprintf(path, sizeof path, "%s/README.md", s->out);
  if (!draft_open(&to, path, DRAFT_REPLACE, 0666) || (f = draft_stream(&to)) == NULL) {
    (void)complain(1, "%s: %s", path, strerror(errno));
    draft_drop(&to);
    return 1;
  }
  (void)fprintf(f,
                "%s%s\n\nSimulated noise, random splits: NOT PRIVATE, nothing here is a release. "
                "Neighbours differ "
                "in one replaced record.\n",
                report_title, s->quick ? " (quick mode: three splits)" : "");
  for (k = 0; k < s->sets; k++)
    if (!s->set[k].there && strchr(s->set[k].name, ' ') == NULL)
      (void)fprintf(f, "\nSkipped, because the data are not there: %s.\n", s->set[k].name);
  for (e = 0; experiments[e] != NULL; e++) {
    const experiment *x = experiments[e];
    if (s->only != NULL && strcmp(s->only, x->id) != 0) continue;
    (void)fprintf(f, "\n## %s\n\n%s\n", x->title, x->text);
    write_table(f, cells, count, x);
    for (first = 0; first < x->row_count && !x->compare; first = r) {
      for (r = first; r < x->row_count && same_picture(&x->rows[r], &x->rows[first], x->over_n);
           r++) {
      }
      write_picture(f, cells, count, x, first, r, s);
    }
  }
  if (!draft_keep(&to)) return complain(1, "%s: %s", path, strerror(errno));
  (void)printf("%s: written\n", path);
  return 0;
}

static int make_directory(const char *path) {
  char part[1024];
  size_t k, length = strlen(path);
  if (length >= sizeof part) return 0;
  for (k = 1; k <= length; k++)
    if (path[k] == '/' || path[k] == '\0') {
      memcpy(part, path, k);
      part[k] = '\0';
      if (mkdir(part, 0777) != 0 && errno != EEXIST) return 0;
    }
  return 1;
}

static void print_help(void) {
  size_t k;
  (void)fputs(usage, stdout);
  (void)puts("\nexperiments (--only)");
  for (k = 0; experiments[k] != NULL; k++) (void)printf("  %s\n", experiments[k]->id);
}

static int run_line(int argc, char **argv) {
  static setup s;
  size_t count, k;
  cell *cells;
  int code, i;
  program_name = "run_experiments";
  s.out = "build/experiments";
  for (i = 1; i < argc; i++) {
    const char **text = strcmp(argv[i], "--data") == 0   ? &s.data_dir
                        : strcmp(argv[i], "--out") == 0  ? &s.out
                        : strcmp(argv[i], "--only") == 0 ? &s.only
                                                         : NULL;
    if (strcmp(argv[i], "--help") == 0) return print_help(), 0;
    if (strcmp(argv[i], "--version") == 0)
      return printf("run_experiments (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
    if (strcmp(argv[i], "--quick") == 0)
      s.quick = 1;
    else if (strcmp(argv[i], "--quiet") == 0)
      s.quiet = 1;
    else if (text != NULL && i + 1 < argc)
      *text = argv[++i];
    else
      return complain(2, "%s is unknown or lacks its value (see --help)", argv[i]);
  }
  for (k = 0; s.only != NULL && experiments[k] != NULL; k++)
    if (strcmp(experiments[k]->id, s.only) == 0) break;
  if (s.only != NULL && experiments[k] == NULL)
    return complain(2, "no experiment is called '%s'", s.only);
  if (s.data_dir != NULL && access(s.data_dir, R_OK) != 0)
    return complain(1, "%s: %s", s.data_dir, strerror(errno));
  if (!make_directory(s.out)) return complain(1, "%s: %s", s.out, strerror(errno));
  if (!report_is_ours(&s)) return 1;
  cells = list_cells(&count, &s);
  if (cells == NULL) return complain(1, "out of memory");
  recall(cells, count, &s);
  code = run_missing(cells, count, &s);
  recall(cells, count, &s);
  if (code == 0) code = write_report(cells, count, &s);
  for (k = 0; k < s.sets; k++)
    if (s.set[k].there) data_free(&s.set[k].data);
  free(cells);
  return code;
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "run_experiments"); }
