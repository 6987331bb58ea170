/* SPDX-License-Identifier: MIT */
/*
 * pairs_pay - when do pairs pay? Private descent over all pairs beside private descent over single
 * records: the same rows, budget, number of steps and neighbours (one record is replaced).
 *     make pairs-table                   the tables of docs/when_pairs_pay.md: two to three minutes
 *     build/pairs_pay [--six|--quick]    six rows alone; the same from 20 repeats
 *
 * pairs      the mean logistic loss over all pairs of a positive and a negative (rank_release)
 * single     logistic regression with a bias; its sensitivity is as tight as that of pairs
 * weighted   the same without a bias; both classes weigh the same. Their sizes are released first.
 * Each row, with the bias's constant column, has a norm of at most 1. Data and noise are simulated
 * from fixed seeds: NOT PRIVATE, no release.
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { MOST = 20000, TEST = 2000, D = 20, ETAS = 8, REPEATS = 600, PIMA = 768, PIMA_D = 8 };
enum { PAIRS, SINGLE, WEIGHTED, KINDS };
typedef struct task { /* a table to learn from, and the budget */
  size_t n;           /* 0: Pima */
  double share, mean, epsilon; /* of positives; of each column, which is declared as 0 to 100 */
  int repeats, uncentred;      /* uncentred: columns are scaled to 0..1, otherwise to -1..1 */
} task;
static const double etas[ETAS] = {1, 0, 0.6, 2, 6, 20, 60, 200}; /* one step, ten; 0: the default */
static double x[MOST][D], test_x[TEST][D], pima[PIMA][1 + PIMA_D];
static double auc[KINDS][ETAS][REPEATS], score[MOST], work[8 * MOST + 65536], table[1 << 16];
static size_t d, n, positives, test_n, test_up;
static dppair_fast fast;
static dppair_status failed;

/* Simulated data: splitmix64, and Box and Muller's normal numbers. */
static uint64_t state;
static double uniform(void) {
  uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(void) {
  const double radius = sqrt(-2.0 * log(uniform()));
  return radius * cos(6.283185307179586 * uniform());
}

/* A column that is declared as 0 to 100, clamped, as -1..1 or 0..1. */
static double scaled(double v, int uncentred) {
  return fmin(fmax(v, 0.0), 100.0) / (uncentred ? 100.0 : 50.0) - (uncentred ? 0.0 : 1.0);
}

/* Columns of deviation 10, which share half of their variance. to: the difference of the classes'
 * means, in deviations. Returns the number of positives, which stand first. */
static size_t simulate(double (*rows)[D], size_t count, const task *t, const double *to) {
  size_t front = 0;
  for (size_t i = 0; i < count; i++) front += uniform() < t->share;
  for (size_t i = 0; i < count; i++) {
    const double common = t->mean + sqrt(50.0) * normal(), label = (i < front) - t->share;
    for (size_t k = 0; k < D; k++)
      rows[i][k] = scaled(common + sqrt(50.0) * normal() + 10.0 * label * to[k], t->uncentred);
  }
  return front;
}

static int load_pima(void) {
  FILE *file = fopen("examples/data/pima.csv", "r");
  int ok = file != NULL && fscanf(file, "%*[^\n]") == 0;
  for (size_t k = 0; k < PIMA * (1 + PIMA_D) && ok; k++)
    ok = fscanf(file, "%lf%*c", &pima[k / (1 + PIMA_D)][k % (1 + PIMA_D)]) == 1;
  return ok && fclose(file) == 0;
}

/* 512 random records to learn from, and the rest. */
static void split_pima(void) {
  static const double low[PIMA_D] = {0, 40, 40, 5, 0, 15, 0, 20}; /* examples/data/pima.ranges */
  static const double high[PIMA_D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
  size_t back = 512, test_back = PIMA - back;
  d = PIMA_D, n = back, test_n = test_back, positives = test_up = 0;
  for (size_t i = 0; i < PIMA; i++) {
    const int learn = uniform() * (double)(PIMA - i) < (double)(back - positives); /* free places */
    const int up = pima[i][0] > 0.0;
    double *to = learn ? x[up ? positives++ : --back] : test_x[up ? test_up++ : --test_back];
    for (size_t k = 0; k < d; k++)
      to[k] = scaled(100.0 * (pima[i][k + 1] - low[k]) / (high[k] - low[k]), 0);
  }
}

/* Simulated classes are 1.8 deviations apart, in a random direction whose sum is 1.8 or -1.8. */
static void learn_from(const task *t, int repeat) {
  double to[D], sum = 0.0, square = 0.0, sign = repeat % 2 ? 1.0 : -1.0;
  state = (uint64_t)repeat * 1000003, d = D, n = t->n, test_n = TEST;
  for (size_t k = 0; k < D; k++) to[k] = normal(), sum += to[k];
  for (size_t k = 0; k < D; k++) to[k] -= sum / D, square += to[k] * to[k];
  for (size_t k = 0; k < D; k++) to[k] = 1.8 * (to[k] * sqrt((1.0 - 1.0 / D) / square) + sign / D);
  if (n == 0) split_pima();
  else positives = simulate(x, n, t, to), test_up = simulate(test_x, TEST, t, to);
}

/* The released mean gradient of single records. share: of positives; 1/2 makes both weights equal.
 * The larger weight is 1, so a replaced record moves the sum by at most 2 slopes. */
static dppair_status single_release(double *g, dppair_release *release, const dppair_rows_f64 *rows,
                                    const double *w, double bias, double share) {
  static double c[MOST];
  const double most = fmax(share, 1.0 - share);
  double square = w[d] * w[d], sum = 0.0;
  dppair_status s = dppair_scores_f64(score, rows, w);
  for (size_t k = 0; k < d; k++) square += w[k] * w[k];
  for (size_t i = 0; i < n && !s; i++) {
    const double p = 1.0 / (1.0 + exp(-score[i] - bias * w[d]));
    c[i] = (i < positives ? (1.0 - share) * (p - 1.0) : share * p) / (most * (double)n);
    sum += c[i];
  }
  if (!s) s = dppair_combine_f64(g, rows, c);
  g[d] = bias * sum;
  const double slope = 1.0 / (1.0 + exp(-sqrt(square))); /* of a margin up to |w| */
  return s ? s : dppair_release_vector(g, bias > 0.0 ? d + 1 : d, release, 2.0 * slope / (double)n);
}

/* Trains once and returns the AUC of records that were not learned from, in percent. */
static double train(int method, int steps, double eta, double epsilon, int repeat) {
  static double factor[MOST], test_factor[TEST];
  static dppair_release release; static dppair_plan plan; static dppair_options options;
  const uint8_t key[32] = {(uint8_t)repeat, (uint8_t)(repeat >> 8), (uint8_t)method,
                           (uint8_t)steps, (uint8_t)(int)(eta * 16.0), (uint8_t)(int)eta};
  const dppair_release_keys keys = {.key = key, .nonce = key};
  const double bias = method == SINGLE ? 0.5 : 0.0, radius = sqrt(1.0 - bias * bias);
  double share = method == WEIGHTED ? (double)positives / (double)n : 0.5;
  double w[D + 1] = {0.0}, g[D + 1] = {0.0}, result = 0.0;
  dppair_accountant account; dppair_rows_f64 rows, test;
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.epsilon = epsilon, plan.delta = 1e-5, plan.steps = (size_t)steps;
  options.work = work, options.bytes = sizeof work, options.fast = &fast;
  dppair_status s = dppair_rows_clip_f64(&rows, factor, x[0], n, d, D, radius);
  if (!s) s = dppair_rows_clip_f64(&test, test_factor, test_x[0], test_n, d, D, radius);
  rows.positives = positives;
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_release_open(&release, &account, &plan, &keys);
  if (!s && method == WEIGHTED) s = dppair_release_part(&release, 0.2); /* of the first step */
  if (!s && method == WEIGHTED) s = dppair_release_vector(&share, 1, &release, 1.0 / (double)n);
  share = fmin(fmax(share, 0.02), 0.98);
  for (int t = 0; t < steps && !s; t++) {
    if (method == PAIRS) s = rank_release(g, &release, &rows, w, &options);
    else s = single_release(g, &release, &rows, w, bias, share);
    if (eta <= 0.0) /* release.sigma is public */
      eta = method == PAIRS ? 0.1 / (release.sigma * sqrt((double)d * steps)) : 4.0;
    for (size_t k = 0; k <= d; k++) w[k] -= eta * g[k];
  }
  dppair_release_close(&release);
  if (!s) s = dppair_scores_f64(score, &test, w);
  if (!s) s = dppair_auc_not_private_f64(&result, score, test_up, score + test_up, test_n - test_up,
                                         work, sizeof work);
  if (s) failed = s;
  return 100.0 * result;
}

/* The mean of a, less b, if given. Two repeats, of opposed directions, are one observation. */
static double mean(const double *a, const double *b, int count, double *error) {
  double sum = 0.0, square = 0.0, half = count / 2;
  for (int r = 0; r < count; r += 2) {
    const double v = 0.5 * (a[r] + a[r + 1] - (b != NULL ? b[r] + b[r + 1] : 0.0));
    sum += v, square += v * v;
  }
  *error = sqrt(fmax(square / half - sum * sum / half / half, 0.0) / (half - 1.0));
  return sum / half;
}

static void print_row(task t) {
  const double *best[KINDS]; /* of all step sizes, which is known only from the result */
  double e, most = 0.0;
  for (int r = 0; r < t.repeats; r++) {
    learn_from(&t, r);
    for (int m = 0; m < KINDS; m++)
      for (int k = 0; k < ETAS; k++) auc[m][k][r] = train(m, k ? 10 : 1, etas[k], t.epsilon, r);
  }
  if (t.n == 0) printf("| Pima, n = 512 | %g |", t.epsilon);
  else printf("| %g %%, %g, n = %zu | %g |", 100 * t.share, t.mean, n, t.epsilon);
  for (int m = 0; m < KINDS; m++) {
    best[m] = auc[m][0];
    for (int k = 1; k < ETAS; k++)
      if (mean(auc[m][k], best[m], t.repeats, &e) > 0.0) best[m] = auc[m][k];
    for (int k = 0; k < 3; k++) {
      const double value = mean(k < 2 ? auc[m][k] : best[m], NULL, t.repeats, &e);
      printf(" %.1f %s", value, k < 2 ? "/" : "|"), most = fmax(most, e);
    }
  }
  printf(" %.1f |", most);
  for (int m = SINGLE; m < KINDS; m++)
    printf(" %+.1f ", mean(best[PAIRS], best[m], t.repeats, &e)), printf("± %.1f |", e);
  puts("");
}

/* A row of step sizes; the last one is the default. */
static void print_steps(task t, int m, int steps) {
  static const double eta[7] = {0.06, 0.2, 0.6, 2, 6, 20, 0};
  double e;
  for (int r = 0; r < t.repeats; r++) {
    learn_from(&t, r);
    for (int k = 0; k < 7; k++) auc[0][k][r] = train(m, steps, eta[k], t.epsilon, r);
  }
  printf("| %s, n = %zu | %d |", m == PAIRS ? "pairs" : "single", n, steps);
  for (int k = 0; k < 7; k++)
    printf(k < 6 ? " %.1f |" : " %.1f |\n", mean(auc[0][k], NULL, t.repeats, &e));
}

/* All tables of one size; few: those of the six rows. */
static void print_rows(size_t size, int uncentred, int few, int repeats) {
  static const double share[4] = {0.08, 0.15, 0.31, 0.5};
  for (int k = 0; k < (size == 0 ? 4 : 32); k++) {
    const int rare = k / 4 % 4 < 2, middle = k / 4 % 4 == 1 || k / 4 % 4 == 2;
    task t = {.n = size, .uncentred = uncentred, .share = share[k / 4 % 4], .repeats = repeats};
    t.mean = k < 16 ? 60.0 : 50.0, t.epsilon = 0.5 * (1 << k % 4);
    if (((few || uncentred) && t.epsilon != 1.0) || (size == MOST && middle)) continue;
    if (few && middle && (rare || t.mean < 60.0)) continue;
    if (repeats == 160 && rare && (uncentred || t.epsilon < 1.0)) t.repeats = REPEATS;
    print_row(t);
  }
}

int main(int argc, char **argv) {
  const int all = argc == 1, quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
  if (!all && !quick && (argc > 2 || strcmp(argv[1], "--six") != 0))
    return fputs("usage: pairs_pay [--six | --quick]\n", stderr), 2;
  if (!load_pima()) return fputs("pairs_pay: no examples/data/pima.csv\n", stderr), 1;
  failed = rank_sums_init(&fast, MOST, DPPAIR_ACCURACY_1E9, 32.0, NULL, table, sizeof table);
  puts("simulation: NOT PRIVATE, no release. Test AUC in percent\n\n"
       "| positives, mean, n | epsilon | pairs | single | weighted | ± | pairs less single |"
       " pairs less weighted |\n|---|---|---|---|---|---|---|---|");
  print_rows(2000, 0, !all, quick ? 20 : 160);
  print_rows(0, 0, !all, quick ? 20 : 160);
  if (all) {
    print_rows(MOST, 0, 0, 40);
    puts("| **columns scaled to 0..1** | | | | | | | |");
    print_rows(2000, 1, 0, 160);
    puts("\n| | steps | .06 | .2 | .6 | 2 | 6 | 20 | rule |\n|-|-|-|-|-|-|-|-|-|");
    for (int k = 0; k < 3 * 2 * 3; k++) { /* much noise, Pima, little noise */
      task t = {.n = 2000, .share = 0.08, .mean = 60, .epsilon = 1.0, .repeats = 160};
      if (k / 6 == 1) t.n = 0;
      if (k / 6 == 2) t.n = MOST, t.share = 0.5, t.mean = 50, t.epsilon = 4.0, t.repeats = 40;
      print_steps(t, k / 3 % 2 ? SINGLE : PAIRS, k % 3 == 0 ? 3 : k % 3 == 1 ? 10 : 30);
    }
  }
  if (failed) return fprintf(stderr, "pairs_pay: %s\n", dppair_status_string(failed)), 1;
  return fflush(stdout) != 0 || ferror(stdout);
}
