/* SPDX-License-Identifier: MIT */
/*
 * canaries_statistics.h - lower bounds on epsilon from runs: exact confidence bounds, no
 * approximation by a normal law.
 *
 *   binomial_tail                 P(X >= k), by a sum of positive terms
 *   clopper_pearson_low _high     bounds on a probability from k hits in n runs
 *   normal_tail _quantile         of the standard normal law
 *   chi_square_low                a quantile of the lower tail
 *   gaussian_delta _epsilon       the curve of a Gaussian mechanism, from erfc alone: the audit
 *                                 does not ask the library that it audits
 *   events_epsilon                epsilon from the counts of one event on two neighbours
 *   shift_over_sigma_low          mu of a Gaussian from its values on two neighbours
 *   one_run_chance, one_run_epsilon   epsilon from the guesses of many coins in one run
 *
 * Every bound holds with probability 1 - alpha at least, and sums round by 1e-12 or less of
 * themselves: `alpha` is taken 1e-9 smaller for that.
 */
#ifndef CANARIES_STATISTICS_H
#define CANARIES_STATISTICS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* --- binomial --------------------------------------------------------------------------------- */

/* log(x!) less Stirling's formula. */
static inline double stirling_rest(double x) {
  const double z = 1 / (x * x);
  if (x < 16) return lgamma(x + 1) - (x + 0.5) * log(x) + x - 0.91893853320467274178;
  return (1 / 12.0 - z * (1 / 360.0 - z * (1 / 1260.0 - z * (1 / 1680.0 - z / 1188)))) / x;
}

/* x log(x/m) + m - x, without cancellation near x = m (Loader 2000). */
static inline double deviance(double x, double m) {
  double v = (x - m) / (x + m), s, term, j;
  if (fabs(x - m) >= 0.1 * (x + m)) return x * log(x / m) + m - x;
  s = (x - m) * v;
  term = 2 * x * v;
  for (j = 1; j < 1000; j++) {
    double more;
    term *= v * v;
    more = term / (2 * j + 1);
    if (fabs(more) <= 1e-17 * fabs(s)) break;
    s += more;
  }
  return s;
}

/* P(X = k) of n coins that fall with probability p; q = 1 - p, given beside it so that neither has
 * lost digits. 0 <= k <= n, whole numbers as doubles. */
static inline double binomial_at(double k, double n, double p, double q) {
  double rest;
  if (!(p > 0)) return k > 0 ? 0 : 1;
  if (!(q > 0)) return k < n ? 0 : 1;
  if (!(k > 0)) return exp(n * (p < 0.5 ? log1p(-p) : log(q)));
  if (!(k < n)) return exp(n * (q < 0.5 ? log1p(-q) : log(p)));
  rest = stirling_rest(n) - stirling_rest(k) - stirling_rest(n - k);
  rest -= deviance(k, n * p) + deviance(n - k, n * q);
  return exp(rest) * sqrt(n / (6.28318530717958647693 * k * (n - k)));
}

/* P(X >= k). Above the mean its terms fall, and are all added; below, it is 1 less the other tail.
 */
static inline double binomial_tail(double k, double n, double p, double q) {
  double term, sum;
  if (!(k > 0)) return 1;
  if (k > n) return 0;
  if (k <= n * p) {
    sum = 1 - binomial_tail(n - k + 1, n, q, p);
    return sum > 0 ? sum : 0;
  }
  term = sum = binomial_at(k, n, p, q);
  for (; k < n && term > 1e-17 * sum; k++) {
    term *= (n - k) / (k + 1) * (p / q);
    sum += term;
  }
  return sum < 1 ? sum : 1;
}

/* The largest p that k or more hits in n runs refute at alpha: P(X >= k) <= alpha. */
static inline double clopper_pearson_low(double k, double n, double alpha) {
  double low = 0, high = k / n;
  int i;
  alpha *= 1 - 1e-9;
  if (!(k > 0)) return 0;
  for (i = 0; i < 200 && high - low > 1e-14 * high; i++) {
    const double middle = low + (high - low) / 2;
    if (binomial_tail(k, n, middle, 1 - middle) <= alpha)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The smallest p that k or fewer hits refute: P(X <= k) <= alpha. */
static inline double clopper_pearson_high(double k, double n, double alpha) {
  double low = k / n, high = 1;
  int i;
  alpha *= 1 - 1e-9;
  if (!(k < n)) return 1;
  for (i = 0; i < 200 && high - low > 1e-14 * high; i++) {
    const double middle = low + (high - low) / 2;
    if (binomial_tail(n - k, n, 1 - middle, middle) <= alpha)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* If a mechanism is (epsilon, delta)-private then P(event on D) <= e^epsilon P(event on D') +
 * delta. So epsilon is at least this, from `hits` of `runs` on D and `misses` of as many on D',
 * each at alpha/2; 0 where nothing is shown. The event must not be chosen on these runs. */
static inline double events_epsilon(double hits, double misses, double runs, double delta,
                                    double alpha) {
  const double p = clopper_pearson_low(hits, runs, alpha / 2) - delta;
  const double q = clopper_pearson_high(misses, runs, alpha / 2);
  return p > q ? log(p / q) : 0;
}

/* --- Gaussian --------------------------------------------------------------------------------- */

static inline double normal_tail(double z) { return erfc(z * 0.70710678118654752440) / 2; }

/* The z > 0 above which the standard normal law has alpha < 1/2, rounded up. */
static inline double normal_quantile(double alpha) {
  double low = 0, high = 38;
  int i;
  for (i = 0; i < 100 && high - low > 1e-14; i++) {
    const double middle = low + (high - low) / 2;
    if (normal_tail(middle) <= alpha * (1 - 1e-9))
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* P(chi^2 <= x), with x at most the mean `freedom`: a sum of falling positive terms. */
static inline double chi_square_below(double x, double freedom) {
  const double a = freedom / 2, y = x / 2;
  double term = 1, sum = 1, k;
  if (!(y > 0)) return 0;
  for (k = 1; k < 1e8 && term > 1e-17 * sum; k++) {
    term *= y / (a + k);
    sum += term;
  }
  return sum * exp(-stirling_rest(a) - deviance(a, y)) / sqrt(6.28318530717958647693 * a);
}

/* The x below which chi^2 has alpha, rounded down. */
static inline double chi_square_low(double freedom, double alpha) {
  double low = 0, high = freedom;
  int i;
  for (i = 0; i < 200 && high - low > 1e-14 * high; i++) {
    const double middle = low + (high - low) / 2;
    if (chi_square_below(middle, freedom) <= alpha * (1 - 1e-9))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* delta of N(0, 1) against N(mu, 1) at epsilon. */
static inline double gaussian_delta(double epsilon, double mu) {
  const double far = epsilon / mu + mu / 2, near = epsilon / mu - mu / 2;
  return normal_tail(near) - exp(epsilon) * normal_tail(far);
}

/* epsilon of N(0, 1) against N(mu, 1) at delta, rounded down; 0 where delta covers all of it. */
static inline double gaussian_epsilon(double delta, double mu) {
  double low = 0, high = 1;
  int i;
  if (!(mu > 0) || !(gaussian_delta(0, mu) > delta)) return 0;
  while (high < 500 && gaussian_delta(high, mu) > delta) high *= 2;
  for (i = 0; i < 200 && high - low > 1e-13 * high; i++) {
    const double middle = low + (high - low) / 2;
    if (gaussian_delta(middle, mu) > delta)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* What was seen of a number: how many times, its mean, the sum of squares about it. */
typedef struct moments {
  double n, mean, squares;
} moments;

static inline void moments_add(moments *m, double x) {
  const double from = x - m->mean;
  m->n++;
  m->mean += from / m->n;
  m->squares += from * (x - m->mean);
}

/* The standard deviation of normal values, at most. */
static inline double deviation_high(const moments *m, double alpha) {
  return sqrt(m->squares / chi_square_low(m->n - 1, alpha));
}

/*
 * The shift of a normal statistic between two neighbours over its standard deviation, at least: for
 * N(a, s^2) on D and N(b, s^2) on D', from its values `value` on D and the differences `change` of
 * pairs of runs on D and D' with the same noise keys. Those pairs are one coupling of the two laws:
 * the mean of a difference is a - b under every coupling, and where the noise cancels it is known
 * almost without error. Three bounds, each at alpha/3: s, the deviation of a difference, its mean.
 */
static inline double shift_over_sigma_low(const moments *value, const moments *change,
                                          double alpha) {
  const double s = deviation_high(value, alpha / 3);
  const double error = deviation_high(change, alpha / 3) * normal_quantile(alpha / 3);
  const double shift = fabs(change->mean) - error / sqrt(change->n);
  return shift > 0 && s > 0 ? shift / s : 0;
}

/* --- known densities ------------------------------------------------------------------------- */

static inline int falls_(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/*
 * epsilon of a mechanism whose densities p and q on D and D' are known, from L = ln(p/q) at the
 * outputs of n runs on D. delta(epsilon) = E(1 - e^(epsilon - L))_+, a chance: that of U <
 * 1 - e^(epsilon - L), U uniform, which is epsilon < L + ln(1 - U). So hits at epsilon are counted
 * among n fixed numbers, and fall as it grows: what is refuted at the true epsilon by k hits is
 * refuted at each below by no fewer, and the bound that holds at one holds for the largest. With k
 * the least number of hits that refutes chances of at most delta, it is the k-th largest number.
 * ratio[n] is overwritten. Nothing is shown of laws that are not what they are taken for.
 */
static inline double ratios_epsilon(double *ratio, size_t n, double delta, double alpha) {
  uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  double low = 0, high = (double)n + 1;
  size_t i;
  for (i = 0; i < n; i++) { /* splitmix64 */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    ratio[i] += log(((double)(z >> 11) + 0.5) * 0x1p-53);
  }
  while (high - low > 1) {
    const double middle = floor((low + high) / 2);
    if (binomial_tail(middle, (double)n, delta, 1 - delta) <= alpha * (1 - 1e-9))
      high = middle;
    else
      low = middle;
  }
  if (high > (double)n) return 0;
  qsort(ratio, n, sizeof *ratio, falls_);
  return fmax(0, ratio[(size_t)high - 1]);
}

/* --- one run, many coins ---------------------------------------------------------------------- */

/*
 * Steinke, Nasr and Jagielski 2023, Theorem 5.2: m fair coins choose between neighbouring inputs,
 * each for itself; the mechanism is (epsilon, delta)-private for the change of any one coin, the
 * others held. From its output r coins are guessed. Then
 *
 *     P(v or more are right) <= P(B >= v) + 2 m delta max over i of P(v - i <= B < v)/i,
 *
 * B of r coins that fall right with probability e^epsilon/(e^epsilon + 1). This is that bound.
 */
static inline double one_run_chance(double m, double r, double v, double epsilon, double delta) {
  const double q = exp(-epsilon) / (1 + exp(-epsilon)), p = 1 / (1 + exp(-epsilon));
  const double beta = binomial_tail(v, r, p, q);
  double worst = 0, sum = 0, i, chance, term = v > 0 ? binomial_at(v - 1, r, p, q) : 0;
  for (i = 1; i <= v && delta > 0; i++) {
    sum += term;
    if (sum > i * worst) worst = sum / i;
    term *= (v - i) / (r - v + i + 1) * (q / p); /* P(B = v - i - 1) */
  }
  chance = beta + 2 * m * delta * worst;
  return chance < 1 ? chance : 1;
}

/* The largest epsilon that v right ones among r guesses of m coins refute at alpha; 0: none. */
static inline double one_run_epsilon(double m, double r, double v, double delta, double alpha) {
  double low = 0, high = 1;
  int i;
  alpha *= 1 - 1e-9;
  if (!(one_run_chance(m, r, v, 0, delta) <= alpha)) return 0;
  while (high < 64 && one_run_chance(m, r, v, high, delta) <= alpha) high *= 2;
  for (i = 0; i < 100 && high - low > 1e-12 * high; i++) {
    const double middle = low + (high - low) / 2;
    if (one_run_chance(m, r, v, middle, delta) <= alpha)
      low = middle;
    else
      high = middle;
  }
  return low;
}

#endif /* CANARIES_STATISTICS_H */
