/* SPDX-License-Identifier: MIT */
/*
 * influence - which records make a ranking what it is, and how stable the ranking is. NOT PRIVATE.
 *
 * Trains the ridge-regularised logistic AUC without noise, estimates what leaving each record out
 * would change (Kang et al. 2021, eq. 4, corrected for the divisor of n - 1 records), retrains to
 * compare, and puts locally elastic stability beside uniform stability.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_influence.h"

#include "support/data.h"
#include "support/report.h"
#include "support/svg.h"

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

static const char usage[] =
    "influence - which records make a ranking what it is, and how stable it is: NOT PRIVATE\n"
    "\n"
    "usage: influence [DATA] [options]\n"
    "\n"
    "DATA is LIBSVM or CSV with two labels, FILE.ranges beside it declares ranges; without ranges\n"
    "columns are scaled to mean 0 and deviation 1. Without DATA: the Pima diabetes records. Rows\n"
    "are then divided by the root of the number of columns and clipped to norm 1. The model is\n"
    "linear, the loss logistic: its sum over all pairs of a positive and a negative is divided by\n"
    "n(n-1), and (lambda/2)|w|^2 is added.\n"
    "\n"
    "options\n"
    "  --lambda X          the ridge (default 0.01)\n"
    "  --top K             how many records are listed (default 8)\n"
    "  --retrain K         how many records are really left out, the most influential first (default:\n"
    "                      all, at most 1000)\n"
    "  --label NAME|NUMBER\n"
    "                      the label's column\n"
    "  --svg FILE          a picture: retrained against estimated; elastic against uniform over n\n"
    "  --json              one JSON object instead of the tables\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Every figure reads the records and adds no noise: whoever sees one learns about them.\n"
    "Stability is computed on at most 1000 of the records.\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed: a file that cannot be read or trained on; 2 wrong use: the\n"
    "command line.\n";

enum { SIZES = 6 };

/* One data set in the form that the headers read, and all that is found out about it. */
typedef struct study {
  size_t n, d, retrained;
  double lambda, *x, *w, *change, *truth; /* truth: of the first `retrained` records of `order` */
  size_t *order, *record;                 /* by influence; record: its line, from 1 */
  double gradient, error, auc, auc_left_out;
  dppair_rows_f64 rows;
  dppair_influence of;
  dppair_curvature slopes, curves;
  void *memory[2], *work;
  size_t bytes;
} study;

static int complain(int code, const char *text, const char *more) {
  (void)fprintf(stderr, "influence: %s%s\n", text, more);
  return code;
}

static void *need(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (p == NULL) exit(complain(1, "not enough memory", ""));
  return p;
}

/* The near-linear states: |w| is at most sqrt(ln 2/lambda), because the risk at 0 is not exceeded,
 * and scores are no larger. */
static dppair_status prepare(study *s) {
  const double cap = 2 * sqrt(log(2.0) / s->lambda) + 1;
  dppair_status status = DPPAIR_OK;
  int k;
  for (k = 0; k < 2 && status == DPPAIR_OK; k++) {
    size_t bytes;
    status = rank_curvature_workspace(&bytes, s->n, k + 1, DPPAIR_ACCURACY_1E12, cap, NULL);
    if (status != DPPAIR_OK) return status;
    s->memory[k] = need(bytes, 1);
    status = rank_curvature_init(k ? &s->curves : &s->slopes, s->n, k + 1, DPPAIR_ACCURACY_1E12,
                                 cap, NULL, s->memory[k], bytes);
  }
  memset(&s->of, 0, sizeof s->of);
  s->of.risk = DPPAIR_INFLUENCE_IND;
  s->of.ridge = s->lambda;
  s->of.renormalised = 1;
  s->of.slopes = &s->slopes;
  s->of.curves = &s->curves;
  if (status == DPPAIR_OK) status = rank_influence_workspace(&s->bytes, s->n, s->d, &s->of);
  s->work = need(status == DPPAIR_OK ? s->bytes : 0, 1);
  return status;
}

static double *change_of(const study *s, size_t i) { return s->change + i * s->d; }

static const study *sorting;
static int more_influence(const void *a, const void *b) {
  const double x = dppair_norm_f64(change_of(sorting, *(const size_t *)a), sorting->d);
  const double y = dppair_norm_f64(change_of(sorting, *(const size_t *)b), sorting->d);
  return x < y ? 1 : x > y ? -1 : 0;
}

/* w without record i, from where the estimate is. */
static dppair_status retrain(double *at, const study *s, double *left, size_t i) {
  dppair_rows_f64 rows = s->rows;
  double gradient;
  size_t k;
  memcpy(left, s->x, i * s->d * sizeof *left);
  memcpy(left + i * s->d, s->x + (i + 1) * s->d, (s->n - i - 1) * s->d * sizeof *left);
  rows.x = left;
  rows.n--;
  rows.positives -= i < s->rows.positives;
  for (k = 0; k < s->d; k++) at[k] = s->w[k] + change_of(s, i)[k];
  return rank_minimiser_not_private(at, &gradient, &rows, &s->of, 1e-11, 50, s->work, s->bytes);
}

/* The AUC of w, and with left_out that of each record's score by the model that was estimated
 * without it. */
static dppair_status auc_of(double *auc, const study *s, int left_out) {
  const size_t np = s->rows.positives;
  double *scores = need(s->n, sizeof *scores);
  void *work;
  size_t bytes, i, k;
  dppair_status status = dppair_measures_workspace(&bytes, s->n, 0);
  work = need(status == DPPAIR_OK ? bytes : 0, 1);
  for (i = 0; i < s->n; i++)
    for (k = 0; k < s->d; k++)
      scores[i] += s->x[i * s->d + k] * (s->w[k] + (left_out ? change_of(s, i)[k] : 0));
  if (status == DPPAIR_OK)
    status = dppair_auc_not_private_f64(auc, scores, np, scores + np, s->n - np, work, bytes);
  free(scores);
  free(work);
  return status;
}

static dppair_status examine(study *s) {
  double *left = need(s->n * s->d, sizeof *left);
  size_t i, k;
  dppair_status status = prepare(s);
  s->change = need(s->n * s->d, sizeof *s->change);
  s->truth = need(s->retrained * s->d, sizeof *s->truth);
  s->w = need(s->d, sizeof *s->w);
  s->order = need(s->n, sizeof *s->order);
  if (status == DPPAIR_OK)
    status = rank_minimiser_not_private(s->w, &s->gradient, &s->rows, &s->of, 1e-11, 100, s->work,
                                        s->bytes);
  if (status == DPPAIR_OK)
    status =
        rank_influence_not_private(s->change, &s->error, &s->rows, s->w, &s->of, s->work, s->bytes);
  if (status == DPPAIR_OK) status = auc_of(&s->auc, s, 0);
  if (status == DPPAIR_OK) status = auc_of(&s->auc_left_out, s, 1);
  for (i = 0; i < s->n; i++) s->order[i] = i;
  sorting = s;
  qsort(s->order, s->n, sizeof *s->order, more_influence);
  for (i = 0; i < s->retrained && status == DPPAIR_OK; i++) {
    double *at = s->truth + i * s->d;
    status = retrain(at, s, left, s->order[i]);
    for (k = 0; k < s->d; k++) at[k] -= s->w[k];
  }
  free(left);
  return status;
}

/* The pair whose loss record i moves most, |gradient . change|, and by how much. */
static double moved_pair(size_t pair[2], const study *s, const double *change) {
  const size_t np = s->rows.positives;
  double *u = need(s->n, sizeof *u), *t = need(s->n, sizeof *t), most = -1;
  size_t i, j, k;
  for (i = 0; i < s->n; i++)
    for (k = 0; k < s->d; k++) {
      u[i] += s->w[k] * s->x[i * s->d + k];
      t[i] += change[k] * s->x[i * s->d + k];
    }
  for (i = 0; i < np; i++)
    for (j = np; j < s->n; j++) {
      const double moved = fabs((t[i] - t[j]) / (1 + exp(u[i] - u[j])));
      if (moved <= most) continue;
      most = moved;
      pair[0] = i;
      pair[1] = j;
    }
  free(u);
  free(t);
  return most;
}

static void print_records(const study *s, size_t top) {
  size_t r;
  (void)printf("\n  record  label   |w_-i - w|   retrained    off by   moves most the pair   by\n");
  for (r = 0; r < top && r < s->n; r++) {
    const size_t i = s->order[r];
    const double size = dppair_norm_f64(change_of(s, i), s->d);
    size_t pair[2] = {0, 0};
    const double most = moved_pair(pair, s, change_of(s, i));
    (void)printf("%8zu  %5s   %.4e", s->record[i], i < s->rows.positives ? "+1" : "-1", size);
    if (r < s->retrained) {
      double gap = 0, truth = dppair_norm_f64(s->truth + r * s->d, s->d);
      size_t k;
      for (k = 0; k < s->d; k++) gap += pow(s->truth[r * s->d + k] - change_of(s, i)[k], 2);
      (void)printf("   %.4e   %5.2f %%", truth, 100 * sqrt(gap) / truth);
    } else {
      (void)printf("            -         -");
    }
    (void)printf("   %8zu, %-8zu   %.2e\n", s->record[pair[0]], s->record[pair[1]], most);
  }
}

/* mean |estimate - retrained| over mean |retrained| */
static double mean_error(const study *s) {
  double off = 0, size = 0;
  size_t r, k;
  for (r = 0; r < s->retrained; r++) {
    double gap = 0;
    for (k = 0; k < s->d; k++) gap += pow(s->truth[r * s->d + k] - change_of(s, s->order[r])[k], 2);
    off += sqrt(gap);
    size += dppair_norm_f64(s->truth + r * s->d, s->d);
  }
  return off / size;
}

/* The stability of training on the first m of the shuffled records. */
static dppair_status stability_at(dppair_stability *out, const study *all, const size_t *shuffled,
                                  size_t m, double lipschitz) {
  study part = *all;
  double *change = need(m * all->d, sizeof *change), *w = need(all->d, sizeof *w), unused;
  size_t i, at = 0;
  int side;
  dppair_status status;
  part.x = need(m * all->d, sizeof *part.x);
  for (side = 0; side < 2; side++) {
    for (i = 0; i < m; i++)
      if ((shuffled[i] >= all->rows.positives) == side)
        memcpy(part.x + at++ * all->d, all->x + shuffled[i] * all->d, all->d * sizeof *part.x);
    if (side == 0) part.rows.positives = at;
  }
  part.rows.x = part.x;
  part.rows.n = m;
  status = rank_minimiser_not_private(w, &unused, &part.rows, &part.of, 1e-11, 100, all->work,
                                      all->bytes);
  if (status == DPPAIR_OK)
    status =
        rank_influence_not_private(change, &unused, &part.rows, w, &part.of, all->work, all->bytes);
  if (status == DPPAIR_OK)
    status = rank_stability_not_private(out, NULL, change, lipschitz, &part.rows, w, &part.of,
                                        all->work, all->bytes);
  free(part.x);
  free(change);
  free(w);
  return status;
}

static size_t stabilities(dppair_stability *out, size_t *sizes, const study *s) {
  const dppair_loss_facts phi = DPPAIR_FACTS(dppair_logistic);
  const dppair_bounds domain = {1.0, HUGE_VAL, 0.0, 0.0, 0.0};
  const size_t most = s->n < 1000 ? s->n : 1000;
  size_t *shuffled = need(s->n, sizeof *shuffled), count = 0, m, k;
  simulation_rng rng;
  dppair_constants constants;
  simulation_seed(&rng, 1);
  simulation_permutation(shuffled, s->n, &rng);
  if (dppair_constants_find(&constants, DPPAIR_MARGIN_ind, &phi, NULL, &domain) == DPPAIR_OK) {
    for (k = 0; k < SIZES; k++) { /* halves, the largest last */
      m = most >> (SIZES - 1 - k);
      if (m < 16) continue;
      sizes[count] = m;
      if (stability_at(&out[count], s, shuffled, m, constants.lipschitz) == DPPAIR_OK) count++;
    }
  }
  free(shuffled);
  return count;
}

static void print_stability(const dppair_stability *found, const size_t *sizes, size_t count) {
  size_t k;
  (void)printf("\nhow far leaving a record out moves a pair's loss: beta_n\n"
               "          plug-in                      proved                  proved/plug-in\n"
               "     n    elastic  mean     uniform    these data  any data    uniform/elastic\n");
  for (k = 0; k < count; k++) {
    const dppair_stability *f = &found[k];
    const double n = (double)sizes[k];
    (void)printf("%6zu    %.1e  %.1e  %.1e    %.1e     %.1e  %17.0f\n", sizes[k], f->elastic / n,
                 f->mean / n, f->moved / n, f->rigorous / n, f->uniform / n,
                 f->uniform / f->elastic);
  }
  (void)printf("elastic: the largest mean over pairs (Kang et al. 2021, Lemma 1 and Remark 4), an\n"
               "estimate of what Theorem 3 takes over the whole domain. uniform: G |w_-i - w|.\n");
}

static int draw(const char *path, const study *s, const dppair_stability *found,
                const size_t *sizes, size_t count) {
  svg_series series[6];
  svg_chart charts[2];
  double *x = need(2 * s->retrained + 2, sizeof *x), *y = x + s->retrained, ends[2] = {0, 0};
  double at[SIZES], value[4][SIZES];
  char subtitle[160];
  size_t r, k;
  int ok, why;
  memset(series, 0, sizeof series);
  memset(charts, 0, sizeof charts);
  for (r = 0; r < s->retrained; r++) {
    x[r] = 1000 * dppair_norm_f64(s->truth + r * s->d, s->d);
    y[r] = 1000 * dppair_norm_f64(change_of(s, s->order[r]), s->d);
    ends[1] = fmax(ends[1], fmax(x[r], y[r]));
  }
  series[0].name = "a record";
  series[0].x = x;
  series[0].y = y;
  series[0].n = s->retrained;
  series[0].points = 1;
  series[1].name = "equal";
  series[1].x = series[1].y = ends;
  series[1].n = 2;
  series[1].reference = 1;
  (void)snprintf(subtitle, sizeof subtitle,
                 "NOT PRIVATE. %zu records; mean error %.2g of the mean change", s->retrained,
                 mean_error(s));
  charts[0].title = "What leaving a record out changes";
  charts[0].subtitle = subtitle;
  charts[0].x_label = "retrained: 1000 |w_-i - w|";
  charts[0].y_label = "estimated";
  charts[0].x_step = pow(10, floor(log10(fmax(ends[1], 1e-9))));
  if (ends[1] < 5 * charts[0].x_step) charts[0].x_step /= 2;
  charts[0].series = series;
  charts[0].count = 2;
  for (k = 0; k < count; k++) {
    const double n = (double)sizes[k];
    at[k] = n;
    value[0][k] = log10(found[k].elastic / n);
    value[1][k] = log10(found[k].moved / n);
    value[2][k] = log10(found[k].rigorous / n);
    value[3][k] = log10(found[k].uniform / n);
  }
  for (k = 0; k < 4; k++) {
    static const char *const names[4] = {"elastic, plug-in", "uniform, plug-in",
                                         "proved, these data", "proved, any data"};
    series[2 + k].name = names[k];
    series[2 + k].x = at;
    series[2 + k].y = value[k];
    series[2 + k].n = count;
  }
  charts[1].title = "Locally elastic and uniform stability";
  charts[1].subtitle = "NOT PRIVATE. How far leaving a record out moves the loss of a pair";
  charts[1].x_label = "records";
  charts[1].y_label = "log10 of beta_n";
  charts[1].log_x = 1;
  charts[1].series = series + 2;
  charts[1].count = 4;
  ok = svg_write_all(path, charts, count > 0 ? 2 : 1);
  why = errno;
  free(x);
  errno = why;
  if (ok) return 0;
  (void)fprintf(stderr, "influence: %s: %s\n", path, strerror(errno));
  return 1;
}

/* The records of `data` scaled, positives first, with rows of norm at most 1. */
static int arrange(study *s, const dataset *data) {
  size_t i, k, at = 0;
  split rows;
  int side;
  s->n = data->n;
  s->d = data->d;
  s->record = need(s->n, sizeof *s->record);
  for (side = 0; side < 2; side++)
    for (i = 0; i < s->n; i++)
      if ((data->y[i] > 0) == !side) s->record[at++] = i;
  if (!split_make(&rows, data, s->record, s->n, 0, data->has_ranges ? SCALE_RANGES : SCALE_ZSCORE))
    return complain(1, "not enough memory", "");
  s->x = need(s->n * s->d, sizeof *s->x);
  for (i = 0; i < s->n; i++) {
    const double norm = dppair_norm_f64(rows.train.x + i * s->d, s->d) / sqrt((double)s->d);
    for (k = 0; k < s->d; k++)
      s->x[i * s->d + k] = rows.train.x[i * s->d + k] / sqrt((double)s->d) / fmax(norm, 1);
    s->record[i]++;
  }
  split_free(&rows);
  s->rows = dppair_rows_make_f64(s->x, s->n, s->d, s->d);
  for (i = 0; i < s->n; i++) s->rows.positives += data->y[i] > 0;
  return 0;
}

/* The same figures as one JSON object. */
static void print_json(const study *s, const char *name, size_t top, const dppair_stability *found,
                       const size_t *sizes, size_t count) {
  size_t r, k;
  int first = 1;
  (void)fputs("{\"not_private\": true, ", stdout);
  json_member_text(stdout, "data", name, &first);
  json_member_number(stdout, "n", (double)s->n, &first);
  json_member_number(stdout, "positives", (double)s->rows.positives, &first);
  json_member_number(stdout, "features", (double)s->d, &first);
  json_member_number(stdout, "lambda", s->lambda, &first);
  json_member_number(stdout, "auc", s->auc, &first);
  json_member_number(stdout, "auc_left_out", s->auc_left_out, &first);
  json_member_number(stdout, "retrained", (double)s->retrained, &first);
  json_member_number(stdout, "mean_error", mean_error(s), &first);
  json_member(stdout, "records", &first);
  for (r = 0; r < top && r < s->n; r++) {
    const size_t i = s->order[r];
    first = 1;
    (void)fputs(r > 0 ? ", {" : "[{", stdout);
    json_member_number(stdout, "record", (double)s->record[i], &first);
    json_member_number(stdout, "label", i < s->rows.positives ? 1 : -1, &first);
    json_member_number(stdout, "change", dppair_norm_f64(change_of(s, i), s->d), &first);
    if (r < s->retrained)
      json_member_number(stdout, "change_retrained", dppair_norm_f64(s->truth + r * s->d, s->d),
                         &first);
    (void)putchar('}');
  }
  (void)fputs(top > 0 ? "], \"stability\": [" : "[], \"stability\": [", stdout);
  for (k = 0; k < count; k++) {
    const double n = (double)sizes[k];
    first = 1;
    (void)fputs(k > 0 ? ", {" : "{", stdout);
    json_member_number(stdout, "n", n, &first);
    json_member_number(stdout, "elastic", found[k].elastic / n, &first);
    json_member_number(stdout, "mean", found[k].mean / n, &first);
    json_member_number(stdout, "uniform", found[k].moved / n, &first);
    json_member_number(stdout, "proved_data", found[k].rigorous / n, &first);
    json_member_number(stdout, "proved_domain", found[k].uniform / n, &first);
    (void)putchar('}');
  }
  (void)puts("]}");
}

static int run(study *s, const char *name, size_t top, const char *svg, int json) {
  dppair_stability found[SIZES];
  size_t sizes[SIZES], count;
  const dppair_status status = examine(s);
  if (status != DPPAIR_OK)
    return complain(1, "training failed: ",
                    status == DPPAIR_ERR_OVERFLOW ? "out of memory, or a size is too large"
                                                  : dppair_status_string(status));
  count = stabilities(found, sizes, s);
  if (svg != NULL && draw(svg, s, found, sizes, count) != 0) return 1;
  if (json) {
    print_json(s, name, top, found, sizes, count);
    return 0;
  }
  (void)printf(
      "NOT PRIVATE: every figure here reads the records and adds no noise.\n"
      "%s: %zu records, %zu positives, %zu features; lambda %g\n"
      "AUC %.4f; of each record's score without it %.4f (estimated)\n"
      "estimates: mean error %.2e of the mean change, over the %zu records left out by retraining;\n"
      "linear algebra within %.1e, certified; gradient of the risk %.1e\n",
      name, s->n, s->rows.positives, s->d, s->lambda, s->auc, s->auc_left_out, mean_error(s),
      s->retrained, s->error, s->gradient);
  print_records(s, top);
  print_stability(found, sizes, count);
  return 0;
}

static int run_line(int argc, char **argv) {
  const char *path = NULL, *svg = NULL;
  char error[ERROR_SIZE], *ranges = NULL;
  size_t top = 8, most = 1000;
  layout how;
  dataset data;
  study s;
  int i, ok, code, json = 0;
  memset(&how, 0, sizeof how);
  memset(&s, 0, sizeof s);
  s.lambda = 0.01;
  for (i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--help") == 0) {
      (void)fputs(usage, stdout);
      return 0;
    }
    if (strcmp(argv[i], "--version") == 0)
      return printf("influence (dppair) %s\n", DPPAIR_VERSION_STRING) < 0;
    if (strcmp(argv[i], "--json") == 0) {
      json = 1;
      continue;
    }
    if (argv[i][0] != '-') {
      if (path != NULL) return complain(2, "one data file at most: ", argv[i]);
      path = argv[i];
      continue;
    }
    if (value == NULL) return complain(2, "unknown, or without its value: ", argv[i]);
    ok = 1;
    if (strcmp(argv[i], "--lambda") == 0)
      ok = text_number(&s.lambda, value) && s.lambda >= 1e-8 && s.lambda <= 1e8;
    else if (strcmp(argv[i], "--top") == 0)
      ok = text_size(&top, value);
    else if (strcmp(argv[i], "--retrain") == 0)
      ok = text_size(&most, value) && most > 0;
    else if (strcmp(argv[i], "--label") == 0)
      how.label = value;
    else if (strcmp(argv[i], "--svg") == 0)
      svg = value;
    else
      return complain(2, "unknown option: ", argv[i]);
    if (!ok) return complain(2, "not a value in range: ", value);
    i++;
  }
  if (path == NULL && how.label != NULL)
    return complain(2, "the built-in records declare their own labels: ", how.label);
  ok = path == NULL ? data_embedded(&data, error) : data_load(&data, path, &how, error);
  if (ok && path != NULL) ranges = data_ranges_beside(path);
  if (ok && ranges != NULL) ok = data_ranges(&data, ranges, error);
  free(ranges);
  if (!ok) return complain(1, error, "");
  if (data.n < 32 || data.d == 0) return complain(1, "32 records are needed at least", "");
  code = arrange(&s, &data);
  data_free(&data);
  s.retrained = s.n < most ? s.n : most;
  if (code == 0) code = run(&s, path != NULL ? path : "pima", top, svg, json);
  free(s.x);
  free(s.w);
  free(s.change);
  free(s.truth);
  free(s.order);
  free(s.record);
  free(s.memory[0]);
  free(s.memory[1]);
  free(s.work);
  return code;
}

int main(int argc, char **argv) { return printed(run_line(argc, argv), "influence"); }
