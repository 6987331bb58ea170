/* SPDX-License-Identifier: MIT */
/*
 * Statistics of the samplers at a size of choice: stats_noise [SAMPLES, default 2e8; 1e10 for the
 * long version]. Everything streams into histograms, nothing is sorted. Every test is a chi-square
 * or a normal deviate under a fixed key, so a run repeats exactly; a p value below 1e-6 fails.
 *
 * Per law: chi-square on exact cell probabilities over every grid cell (that is also the lattice
 * check), Kolmogorov-Smirnov and Anderson-Darling on those cells, moments to order 6, exact counts
 * of the tails, and the correlation of neighbours, lanes, streams and calls. With 10^10 samples a
 * distortion of 1e-4 in a moment or of 1e-4 relative in a tenth of the mass is many deviations
 * away.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dppair_noise.h"

enum { ROW = 65536, HALF = 16384, CELLS = 2 * HALF + 1 }; /* cells of width 2^-10, to +-16 */

static double cells[CELLS], probability[CELLS];
static double outside;
static int failures, tests;

static void check(const char *what, const char *law, double deviate) {
  const double p = erfc(fabs(deviate) / sqrt(2.0));
  tests++;
  if (!(p > 1e-6)) failures++;
  printf("  %-10s %-34s %8.3f deviations  p = %.3g%s\n", law, what, deviate, p,
         p > 1e-6 ? "" : "  FAILED");
}

/* A chi-square as a normal deviate (Wilson and Hilferty). */
static double chi_deviate(double chi, double freedom) {
  const double a = 2.0 / (9.0 * freedom);
  return (cbrt(chi / freedom) - (1.0 - a)) / sqrt(a);
}

static double upper_tail(double x, int laplace) { /* P(Z > x) */
  if (!laplace) return 0.5 * erfc(x / sqrt(2.0));
  return x > 0.0 ? 0.5 * exp(-x) : 1.0 - 0.5 * exp(x);
}

/* Probability of cell k, from the side on which nothing cancels. */
static double cell_probability(int k, int laplace) {
  const double a = (fabs((double)k) - 0.5) / 1024, b = (fabs((double)k) + 0.5) / 1024;
  if (k == 0) return 1.0 - 2.0 * upper_tail(b, laplace);
  return upper_tail(a, laplace) - upper_tail(b, laplace);
}

static void cells_agree(const char *law, int laplace, double n) {
  double chi = 0.0, chi_low = 0.0, ks = 0.0, ad = 0.0, seen = 0.0, below = 0.0, pooled_p = 0.0;
  double pooled_n = 0.0, low[16], low_p[16];
  int k, used = 0;
  memset(low, 0, sizeof low);
  memset(low_p, 0, sizeof low_p);
  for (k = 0; k < CELLS; k++) probability[k] = cell_probability(k - HALF, laplace);
  for (k = 0; k < CELLS; k++) {
    const double expected = n * probability[k];
    seen += cells[k];
    below += probability[k];
    if (expected >= 20.0) {
      chi += (cells[k] - expected) * (cells[k] - expected) / expected;
      used++;
    } else {
      pooled_p += probability[k];
      pooled_n += cells[k];
    }
    ks = fmax(ks, fabs(seen / n - below));
    if (below > 1e-9 && below < 1 - 1e-9)
      ad += (seen / n - below) * (seen / n - below) / (below * (1.0 - below)) * probability[k];
    low[k & 15] += cells[k];
    low_p[k & 15] += probability[k];
  }
  pooled_p += 2.0 * upper_tail((HALF + 0.5) / 1024, laplace);
  pooled_n += outside;
  if (n * pooled_p > 5.0) {
    chi += (pooled_n - n * pooled_p) * (pooled_n - n * pooled_p) / (n * pooled_p);
    used++;
  }
  for (k = 0; k < 16; k++)
    chi_low += (low[k] - n * low_p[k]) * (low[k] - n * low_p[k]) / (n * low_p[k]);
  check("chi-square of every cell", law, chi_deviate(chi, used - 1));
  check("chi-square of the low four bits", law, chi_deviate(chi_low, 15));
  /* Kolmogorov's law 2 exp(-2 t^2) and Anderson-Darling's upper tail, as deviates of equal p */
  {
    const double t = ks * sqrt(n), p = fmin(1.0, 2.0 * exp(-2.0 * t * t));
    printf("  %-10s %-34s %8.3f  p = %.3g\n", law, "Kolmogorov-Smirnov sqrt(n) D", t, p);
    tests++;
    if (p < 1e-6) failures++;
    /* P(A^2 > 12) < 1e-6 (Marsaglia and Marsaglia 2004) */
    printf("  %-10s %-34s %8.3f%s\n", law, "Anderson-Darling A^2 (limit 12)", ad * n,
           ad * n > 12.0 ? "  FAILED" : "");
    tests++;
    if (ad * n > 12.0) failures++;
  }
}

/* Exact moments of the law plus the uniform rounding error of the grid (Sheppard). */
static double moment(int order, int laplace) {
  double factor = 1.0;
  int i;
  if (order % 2) return 0.0;
  for (i = 1; i < order; i += 2) factor *= laplace ? (double)i * (i + 1) : (double)i;
  return factor;
}

static void run(const char *law, int laplace, int aes, double samples) {
  static double x[ROW], previous[ROW];
  static const double tails[] = {3.0, 4.0, 5.0, 5.5, 6.0};
  const double g = 1.0 / 1024;
  double power[7], tail[5], n = 0.0, neighbour = 0.0, lane = 0.0, call = 0.0;
  uint8_t key[32] = {9, 8, 7};
  dppair_rng rng;
  dppair_status status =
      aes ? dppair_rng_from_key_aes256(&rng, key, 5) : dppair_rng_from_key(&rng, key, 5);
  int i, order;
  memset(cells, 0, sizeof cells);
  memset(power, 0, sizeof power);
  memset(tail, 0, sizeof tail);
  memset(previous, 0, sizeof previous);
  outside = 0.0;
  while (n < samples && status == DPPAIR_OK) {
    double p[7] = {0.0}, a = 0.0, b = 0.0, c = 0.0;
    memset(x, 0, sizeof x);
    status = laplace ? dppair_add_laplace_f64(x, ROW, 1.0, &rng)
                     : dppair_add_gaussian_f64(x, ROW, 1.0, &rng);
    for (i = 0; i < ROW; i++) {
      const double v = x[i], w = v * v, k = v / g;
      const int cell = (int)fmax(fmin(k, HALF + 1), -HALF - 1);
      p[1] += v, p[2] += w, p[3] += w * v, p[4] += w * w, p[5] += w * w * v, p[6] += w * w * w;
      if (k != (double)cell && abs(cell) <= HALF) failures++; /* off the grid */
      if (abs(cell) <= HALF)
        cells[cell + HALF] += 1.0;
      else
        outside += 1.0;
      a += v * x[i ^ 1];
      b += v * x[i ^ 8];
      c += v * previous[i];
    }
    for (order = 1; order < 7; order++) power[order] += p[order];
    neighbour += a / 2, lane += b / 2, call += c;
    memcpy(previous, x, sizeof x);
    n += ROW;
  }
  if (status != DPPAIR_OK) {
    printf("%s: %s\n", law, dppair_status_string(status));
    failures++;
    return;
  }
  cells_agree(law, laplace, n);
  for (order = 1; order < 7; order++) {
    static const char *names[] = {
        "", "mean", "variance", "third moment", "fourth moment", "fifth moment", "sixth moment"};
    double exact = moment(order, laplace), spread = moment(2 * order, laplace) - exact * exact;
    if (order == 2) exact += g * g / 12;
    if (order == 4) exact += moment(2, laplace) * g * g / 2;
    if (order == 6) exact += moment(4, laplace) * g * g * 5 / 4;
    check(names[order], law, (power[order] / n - exact) / sqrt(spread / n));
  }
  for (i = 0; i < 5; i++) { /* two-sided, beyond a cell's edge: exact binomial counts */
    const double edge = (tails[i] * 1024 + 0.5) / 1024, p = 2.0 * upper_tail(edge, laplace);
    double count = outside;
    char text[40];
    int k;
    for (k = 0; k < CELLS; k++)
      if (abs(k - HALF) > (int)(tails[i] * 1024)) count += cells[k];
    snprintf(text, sizeof text, "beyond %.1f: %.0f of %.1f expected", tails[i], count, n * p);
    if (n * p >= 10.0)
      check(text, law, (count - n * p) / sqrt(n * p * (1 - p)));
    else
      printf("  %-10s %s\n", law, text);
  }
  {
    const double variance = moment(2, laplace);
    check("neighbours' correlation", law, neighbour / sqrt(n / 2) / variance);
    check("cosine and sine of a pair", law, lane / sqrt(n / 2) / variance);
    check("consecutive calls' correlation", law, call / sqrt(n) / variance);
  }
}

/* Streams and parts of one key against each other. */
static void streams_are_independent(double samples) {
  static double x[2][ROW];
  uint8_t key[32] = {1};
  double sum[3] = {0.0}, n = 0.0;
  uint64_t stream;
  for (stream = 0; n < samples; stream++, n += ROW) {
    dppair_rng a, b, part;
    dppair_status status = dppair_rng_from_key(&a, key, stream);
    int i;
    if (status == DPPAIR_OK) status = dppair_rng_from_key(&b, key, stream + 1);
    if (status == DPPAIR_OK) status = dppair_rng_split(&part, stream, &a);
    memset(x, 0, sizeof x);
    if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(x[0], ROW, 1.0, &a);
    if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(x[1], ROW, 1.0, &b);
    for (i = 0; i < ROW; i++) sum[0] += x[0][i] * x[1][i];
    memset(x[1], 0, sizeof x[1]);
    if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(x[1], ROW, 1.0, &part);
    for (i = 0; i < ROW; i++) sum[1] += x[0][i] * x[1][i];
    if (status != DPPAIR_OK) failures++;
  }
  check("streams of one key", "gaussian", sum[0] / sqrt(n));
  check("a generator and its parts", "gaussian", sum[1] / sqrt(n));
}

int main(int argc, char **argv) {
  const double samples = argc > 1 ? atof(argv[1]) : 2e8;
  if (!(samples >= 1e5 && samples <= 1e12)) {
    fprintf(stderr, "usage: %s [SAMPLES, 1e5 to 1e12]\n", argv[0]);
    return 2;
  }
  printf("%s, %.3g samples per law\n", dppair_isa_name(), samples);
  run("gaussian", 0, 1, samples);
  run("laplace", 1, 0, samples);
  streams_are_independent(samples / 10);
  printf("%d tests, %d failed\n", tests, failures);
  return failures != 0;
}
