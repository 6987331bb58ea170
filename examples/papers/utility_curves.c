/* SPDX-License-Identifier: MIT */
/* utility_curves - every method over epsilon, delta and n on one data set: table, JSON, picture. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/links.h"
#include "methods/trial.h"
#include "support/program.h"
#include "support/svg.h"

enum { MOST_METHODS = 64, MOST_SIZES = 16 };

static const char usage[] =
    "utility_curves - every private ranking method over the budget, on one data set\n"
    "\n"
    "usage: utility_curves [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV; without it the Pima diabetes records. Noise is simulated: nothing that is\n"
    "printed is a release.\n"
    "\n"
    "simulation\n"
    "  --methods LIST      names with commas between (default: all that have the other options given)\n"
    "  --epsilon LIST      default 0.1,0.2,0.5,1,2,4,8\n"
    "  --delta LIST        1/n (default), 0, or numbers, commas between\n"
    "  --n LIST            training records (default: half of the data)\n"
    "  --splits K          random splits (default 10)\n"
    "  --draws R           noise draws per split (default 1)\n"
    "  --seed N            default 1\n"
    "  --svg FILE          a picture; for several n or delta their values are put into the name\n"
    "  --json              one JSON object per line and cell instead of tables\n"
    "  --quiet             no progress\n"
    "as in private_auc\n"
    "  --loss logistic|hinge|squared-hinge|square\n"
    "  --steps T, --step-size X, --radius R, --param-radius B, --lambda X, --as-printed\n"
    "  --label NAME|NUMBER, --labels NEG,POS, --header yes|no, --columns D\n"
    "  --separator comma|semicolon|tab\n"
    "  --ranges FILE, --maps FILE, --non-monotone LIST\n"
    "  --scale ranges|row|zscore|maps\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed; 2 wrong use: the command line, a declaration that does not\n"
    "fit the header.\n"
    "\n"
    "methods (--methods)\n";

typedef struct curves {
  run_options o;                /* shared with the other programs; epsilon, splits, seed, ... */
  const char *names;        /* of methods */
  double delta[MOST_SIZES]; /* -1: 1/n */
  size_t n[MOST_SIZES], deltas, sizes, draws, count;
  const method *chosen[MOST_METHODS];
} curves;

/* The next piece of a list with commas between, or 0 at its end. */
static int next_piece(char *piece, size_t size, const char **list) {
  size_t length = strcspn(*list, ",");
  if (**list == '\0' || length == 0 || length >= size) return 0;
  memcpy(piece, *list, length);
  piece[length] = '\0';
  *list += length + ((*list)[length] == ',');
  return 1;
}

static int take_deltas(curves *o, const char *list) {
  char piece[64];
  o->deltas = 0;
  while (next_piece(piece, sizeof piece, &list) && o->deltas < MOST_SIZES) {
    double *delta = &o->delta[o->deltas++];
    if (strcmp(piece, "1/n") == 0)
      *delta = -1;
    else if (!text_number(delta, piece) || !(*delta >= 0 && *delta < 1))
      return complain(0, "--delta takes 1/n, 0 or numbers below 1, not '%s'", piece);
  }
  return *list == '\0' && o->deltas > 0 ? 1 : complain(0, "--delta: cannot read the list");
}

static int take_sizes(curves *o, const char *list) {
  char piece[64];
  o->sizes = 0;
  while (next_piece(piece, sizeof piece, &list) && o->sizes < MOST_SIZES)
    if (!text_size(&o->n[o->sizes++], piece) || o->n[o->sizes - 1] < 4)
      return complain(0, "--n takes whole numbers from 4 on, not '%s'", piece);
  return *list == '\0' && o->sizes > 0 ? 1 : complain(0, "--n: cannot read the list");
}

static int take_methods(curves *o) {
  const char *list = o->names;
  char piece[64];
  size_t k;
  if (list == NULL) {
    for (k = 0; k < MOST_METHODS && methods[k] != NULL; k++)
      if (offers_all(&o->o, methods[k]->offers)) o->chosen[o->count++] = methods[k];
    return o->count > 0 ? 1 : complain(0, "no method has all the options that are given");
  }
  while (next_piece(piece, sizeof piece, &list) && o->count < MOST_METHODS) {
    const method *m = method_find(piece);
    if (m == NULL) return complain(0, "no method is called '%s'", piece);
    if (!check_offers(&o->o, m->name, m->offers)) return 0;
    o->chosen[o->count++] = m;
  }
  return *list == '\0' && o->count > 0 ? 1 : complain(0, "--methods: cannot read the list");
}

static int take_curve(curves *o, const char *name, const char *value) {
  static const char *const shared[] = {"--epsilon", "--splits",       "--seed",        "--svg",
                                       "--loss",    "--steps",        "--step-size",   "--radius",
                                       "--lambda",  "--param-radius", "--label",       "--labels",
                                       "--header",  "--columns",      "--separator",   "--ranges",
                                       "--maps",    "--scale",        "--non-monotone"};
  size_t k;
  if (strcmp(name, "--delta") == 0) return take_deltas(o, value);
  if (strcmp(name, "--n") == 0) return take_sizes(o, value);
  if (strcmp(name, "--methods") == 0) {
    o->names = value;
    return 1;
  }
  if (strcmp(name, "--draws") == 0)
    return (text_size(&o->draws, value) && o->draws > 0) ||
           complain(0, "%s takes a whole number above 0, not '%s'", name, value);
  for (k = 0; k < sizeof shared / sizeof *shared; k++)
    if (strcmp(name, shared[k]) == 0) return option_take(&o->o, name, value);
  return complain(0, "unknown option %s (see --help)", name);
}

static int parse_curves(curves *o, int argc, char **argv) {
  int k;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0) {
      o->o.json = 1;
    } else if (strcmp(argv[k], "--quiet") == 0) {
      o->o.quiet = 1;
    } else if (strcmp(argv[k], "--as-printed") == 0) {
      o->o.with.as_printed = 1;
    } else if (strncmp(argv[k], "--", 2) != 0) {
      if (o->o.data != NULL) return complain(0, "one data file at a time: '%s'", argv[k]);
      o->o.data = argv[k];
    } else if (k + 1 == argc) {
      return complain(0, "%s is unknown or lacks its value (see --help)", argv[k]);
    } else {
      if (!take_curve(o, argv[k], argv[k + 1])) return 0;
      k++;
    }
  }
  return check_picture(&o->o) && take_methods(o);
}

/* One panel: all methods at one n and one delta. */
typedef struct panel {
  size_t n;
  double delta;
  summary ceiling, zero;
  outcome cell[MOST_METHODS][MAX_BUDGETS];
  dppair_status status[MOST_METHODS];
} panel;

/* A method that has no answer has none in the tables; one without memory is an error. */
static int panel_run(panel *p, const curves *o, trial *t, progress *bar) {
  size_t m, b;
  int code = 0;
  for (m = 0; m < o->count; m++) {
    t->method = o->chosen[m];
    p->status[m] = DPPAIR_OK;
    for (b = 0; b < o->o.budgets; b++) {
      t->epsilon = o->o.epsilon[b];
      if (p->status[m] == DPPAIR_OK) p->status[m] = trial_run(&p->cell[m][b], t, bar);
    }
    if (p->status[m] == DPPAIR_ERR_OVERFLOW)
      code = complain(1, "%s: %s", t->method->name, status_words(p->status[m]));
  }
  return code;
}

static void panel_json(const panel *p, const curves *o, const char *name) {
  size_t m, b;
  for (m = 0; m < o->count; m++)
    for (b = 0; b < o->o.budgets && p->status[m] == DPPAIR_OK; b++) {
      const outcome *c = &p->cell[m][b];
      int first = 1;
      (void)fputs("{\"simulation\": true, ", stdout);
      json_member_text(stdout, "data", name, &first);
      json_member_text(stdout, "method", o->chosen[m]->name, &first);
      json_member_number(stdout, "n_train", (double)p->n, &first);
      json_member_number(stdout, "epsilon", o->o.epsilon[b], &first);
      json_member_number(stdout, "delta", p->delta, &first);
      json_member_number(stdout, "epsilon_proved", c->epsilon, &first);
      json_member_number(stdout, "auc_mean", c->measured.mean, &first);
      json_member_number(stdout, "auc_sd", summary_sd(&c->measured), &first);
      json_member_number(stdout, "runs", (double)c->measured.count, &first);
      json_member_number(stdout, "auc_nonprivate_mean", p->ceiling.mean, &first);
      json_member_number(stdout, "auc_zero_budget_mean", p->zero.mean, &first);
      json_member_number(stdout, "sigma", c->sigma, &first);
      json_member_number(stdout, "steps", (double)c->steps, &first);
      json_member_number(stdout, "seconds", c->seconds, &first);
      (void)puts("}");
    }
}

static void panel_table(const panel *p, const curves *o, const char *name) {
  size_t m, b;
  (void)printf("\n%s: n = %zu, delta = %.4g; test AUC, mean and standard error\n"
               "linear, not private %.4f, no budget %.4f\n\n%-20s",
               name, p->n, p->delta, p->ceiling.mean, p->zero.mean, "epsilon");
  for (b = 0; b < o->o.budgets; b++) (void)printf("  %-13g", o->o.epsilon[b]);
  (void)putchar('\n');
  for (m = 0; m < o->count; m++) {
    (void)printf("%-20s", o->chosen[m]->name);
    if (p->status[m] != DPPAIR_OK) {
      (void)printf("  %s\n", dppair_status_string(p->status[m]));
      continue;
    }
    for (b = 0; b < o->o.budgets; b++) {
      const outcome *c = &p->cell[m][b];
      (void)printf("  %.4f %.4f%c", c->measured.mean, summary_error(&c->measured),
                   c->epsilon > o->o.epsilon[b] * (1 + 1e-9) ? '!' : ' ');
    }
    (void)putchar('\n');
  }
}

/* FILE, or FILE with n and delta before its extension when there are several panels. */
static void panel_path(char *path, size_t size, const curves *o, const panel *p) {
  const char *dot = strrchr(o->o.svg, '.'), *slash = strrchr(o->o.svg, '/');
  int stem =
      dot != NULL && (slash == NULL || dot > slash) ? (int)(dot - o->o.svg) : (int)strlen(o->o.svg);
  if (o->sizes * o->deltas == 1)
    (void)snprintf(path, size, "%s", o->o.svg);
  else
    (void)snprintf(path, size, "%.*s-n%zu-%s%s", stem, o->o.svg, p->n,
                   p->delta > 0 ? "delta" : "pure", o->o.svg + stem);
}

static int panel_draw(const panel *p, const curves *o, const char *name) {
  static double y[MOST_METHODS + 2][MAX_BUDGETS], e[MOST_METHODS][MAX_BUDGETS];
  svg_series series[MOST_METHODS + 2];
  svg_chart chart;
  char subtitle[200], path[1024];
  size_t m, b, count = 0;
  memset(series, 0, sizeof series);
  for (m = 0; m < o->count + 2; m++) {
    const int level = m >= o->count;
    svg_series *q = &series[count];
    if (!level && p->status[m] != DPPAIR_OK) continue;
    for (b = 0; b < o->o.budgets; b++) {
      y[m][b] = !level          ? p->cell[m][b].measured.mean
                : m == o->count ? p->ceiling.mean
                                : p->zero.mean;
      if (!level) e[m][b] = 2 * summary_error(&p->cell[m][b].measured);
    }
    q->name = !level ? o->chosen[m]->name : m == o->count ? "linear, not private" : "no budget";
    q->x = o->o.epsilon;
    q->y = y[m];
    q->error = level ? NULL : e[m];
    q->n = o->o.budgets;
    q->reference = level;
    count++;
  }
  (void)snprintf(subtitle, sizeof subtitle,
                 "NOT PRIVATE. %s, n = %zu, delta = %.3g, %zu splits, bars: two standard errors",
                 name, p->n, p->delta, o->o.splits);
  memset(&chart, 0, sizeof chart);
  chart.title = "Private ranking, simulated: test AUC over epsilon";
  chart.subtitle = subtitle;
  chart.x_label = "epsilon (privacy budget, logarithmic)";
  chart.y_label = "area under the ROC curve";
  chart.log_x = 1;
  chart.series = series;
  chart.count = count;
  panel_path(path, sizeof path, o, p);
  return svg_write(path, &chart) ? 0 : complain(1, "%s: %s", path, strerror(errno));
}

static int run(const curves *o, const dataset *data, scale_kind scale) {
  const char *name = data_name(&o->o);
  panel *p = calloc(1, sizeof *p);
  progress bar;
  size_t i, j;
  int code = 0;
  if (p == NULL) return complain(1, "out of memory");
  progress_begin(&bar, "training", o->sizes * o->deltas * o->count * o->o.budgets * o->o.splits,
                 o->o.quiet);
  for (i = 0; i < o->sizes && code == 0; i++)
    for (j = 0; j < o->deltas && code == 0; j++) {
      dppair_status status;
      trial t;
      memset(&t, 0, sizeof t);
      memset(p, 0, sizeof *p);
      p->n = o->n[i] > 0 ? o->n[i] : data->n / 2;
      if (p->n + 2 > data->n) {
        code =
            complain(2, "--n %zu leaves nothing to test on: there are %zu records", p->n, data->n);
        break;
      }
      p->delta = o->delta[j] < 0 ? 1 / (double)p->n : o->delta[j];
      t.data = data;
      t.scale = scale;
      t.n_train = p->n;
      t.with = o->o.with;
      t.delta = p->delta;
      t.splits = o->o.splits;
      t.draws = o->draws;
      t.seed = o->o.seed;
      status = trial_levels(&p->ceiling, &p->zero, &t);
      if (status != DPPAIR_OK) code = complain(1, "the yardstick: %s", status_words(status));
      if (status == DPPAIR_OK) code = panel_run(p, o, &t, &bar);
      progress_end(&bar);
      bar.active = !o->o.quiet && bar.active;
      if (status == DPPAIR_OK && o->o.json) panel_json(p, o, name);
      if (status == DPPAIR_OK && !o->o.json) panel_table(p, o, name);
      if (code == 0 && o->o.svg != NULL) code = panel_draw(p, o, name);
    }
  free(p);
  return code;
}

static void print_help(void) {
  size_t k;
  (void)fputs(usage, stdout);
  for (k = 0; methods[k] != NULL; k++) print_method(methods[k]);
}

static int run_line(int argc, char **argv) {
  static const double usual[] = {0.1, 0.2, 0.5, 1, 2, 4, 8};
  curves c;
  dataset data;
  scale_kind scale = SCALE_ROW;
  int code, k;
  program_name = "utility_curves";
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) return print_help(), 0;
    if (strcmp(argv[k], "--version") == 0)
      return printf("utility_curves (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
  }
  memset(&c, 0, sizeof c);
  memcpy(c.o.epsilon, usual, sizeof usual);
  c.o.budgets = sizeof usual / sizeof *usual;
  c.delta[0] = -1;
  c.deltas = c.sizes = c.draws = 1;
  c.o.splits = 10;
  c.o.seed = 1;
  if (!parse_curves(&c, argc, argv)) return 2;
  if (c.o.with.loss != NULL && !ranking_loss_known(c.o.with.loss))
    return complain(2, "no loss is called '%s' (see --help)", c.o.with.loss);
  code = load(&data, &scale, &c.o);
  if (code == 0) {
    if (!c.o.json)
      (void)puts(
          "simulation on your data: NOT PRIVATE, not a release (! marks runs whose proved epsilon is larger)");
    if (!c.o.json) print_learnt(&data);
    code = run(&c, &data, scale);
  }
  data_free(&data);
  return code;
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "utility_curves"); }
