/* ------------------------------------------------------------------------------------------------
 * The binomial law, and the hypergeometric one
 *
 * Probabilities, tails and quantiles, with relative accuracy down to 1e-300: of the hits of a
 * sampled step (hits.h) and of those of a descent (dppair_iterates.h). Relies on nothing but libm.
 * ---------------------------------------------------------------------------------------------- */

/* log n! minus Stirling's formula for an integer n >= 1, within 2e-16. The series loses digits for
 * small n, whose values are listed. */
DPPAIR_API double dppair_stirling_error_(double n) {
  static const double little[16] = {0.0,
                                   0.08106146679532726,
                                   0.0413406959554093,
                                   0.02767792568499834,
                                   0.020790672103765093,
                                   0.016644691189821193,
                                   0.013876128823070748,
                                   0.01189670994589177,
                                   0.010411265261972096,
                                   0.009255462182712733,
                                   0.00833056343336287,
                                   0.007573675487951841,
                                   0.00694284010720953,
                                   0.006408994188004207,
                                   0.0059513701127588475,
                                   0.005554733551962801};
  const double r = 1.0 / n, r2 = r * r;
  if (n < 16.0) return little[(int)n];
  return r * (1.0 / 12.0 -
              r2 * (1.0 / 360.0 - r2 * (1.0 / 1260.0 - r2 * (1.0 / 1680.0 - r2 * (1.0 / 1188.0)))));
}

/* x log(x/m) + m - x without cancellation near x = m. */
DPPAIR_API double dppair_deviance_(double x, double m) {
  const double v = (x - m) / (x + m);
  double sum, power;
  int k;
  if (dppair_fabs_(v) > 0.1) return x * dppair_log_(x / m) + m - x;
  /* log(x/m) = 2 atanh(v) */
  sum = (x - m) * v;
  power = 2.0 * x * v;
  for (k = 3; k < 40; k += 2) {
    double next;
    power *= v * v;
    next = sum + power / k;
    if (!(next > sum || next < sum)) break;
    sum = next;
  }
  return sum;
}

/* log Pr[Bin(n, p) = k], 0 < k < n, q = 1 - p (Loader's saddle-point form, 2000). */
DPPAIR_API double dppair_binomial_saddle_(double n, double p, double q, double k) {
  return dppair_stirling_error_(n) - dppair_stirling_error_(k) - dppair_stirling_error_(n - k) -
         dppair_deviance_(k, n * p) - dppair_deviance_(n - k, n * q) - DPPAIR_LOG_SQRT_2PI_ +
         0.5 * dppair_log_(n / (k * (n - k)));
}

/* log Pr[Bin(n, p) = k], 0 < p < 1, k <= n. */
DPPAIR_API double dppair_binomial_log_pmf_(size_t n, double p, size_t k) {
  if (k == 0) return (double)n * dppair_log1p_(-p);
  if (k == n) return (double)n * dppair_log_(p);
  return dppair_binomial_saddle_((double)n, p, 1.0 - p, (double)k);
}

/* Bin(trials, rate). miss is 1 - rate with all its digits, odds their quotient. drawn > 0: how many
 * of the `trials` records are among `drawn` of trials + others, a uniform subset, where trials <=
 * drawn <= others; rate is drawn/(trials + others). */
typedef struct dppair_binomial_ {
  size_t trials;
  double rate, miss, odds;
  size_t drawn, others;
} dppair_binomial_;

DPPAIR_API dppair_binomial_ dppair_binomial_make_(size_t trials, double rate, double miss) {
  dppair_binomial_ b;
  b.trials = trials;
  b.rate = rate;
  b.miss = miss;
  b.odds = miss > 0.0 ? rate / miss : HUGE_VAL;
  b.drawn = b.others = 0;
  return b;
}

/* How many of a user's `owned` records are among m of n, n - owned >= m. The law is the same with
 * owned and m exchanged. */
DPPAIR_API dppair_binomial_ dppair_hypergeometric_make_(size_t n, size_t owned, size_t m) {
  const size_t trials = owned < m ? owned : m, drawn = owned < m ? m : owned;
  dppair_binomial_ b =
      dppair_binomial_make_(trials, (double)drawn / (double)n, (double)(n - drawn) / (double)n);
  b.drawn = drawn;
  b.others = n - trials;
  return b;
}

/* log Pr[Bin(n, p) = k] for k <= n, of p and q = 1 - p all digits. */
DPPAIR_API double dppair_binomial_log_both_(size_t n, double p, double q, size_t k) {
  if (k == 0) return (double)n * (p < 0.5 ? dppair_log1p_(-p) : dppair_log_(q));
  if (k == n) return (double)n * (q < 0.5 ? dppair_log1p_(-q) : dppair_log_(p));
  return dppair_binomial_saddle_((double)n, p, q, (double)k);
}

/* log Pr[k]. Hypergeometric: trials of rate p, of which k, and others of rate p, of which the rest,
 * given that `drawn` were drawn in all. */
DPPAIR_API double dppair_binomial_log_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn == 0) return dppair_binomial_log_pmf_(b->trials, b->rate, k);
  return dppair_binomial_log_both_(b->trials, b->rate, b->miss, k) +
         dppair_binomial_log_both_(b->others, b->rate, b->miss, b->drawn - k) -
         dppair_binomial_log_both_(b->trials + b->others, b->rate, b->miss, b->drawn);
}

/* Pr[k + 1] / Pr[k], which falls with k. */
DPPAIR_API double dppair_binomial_up_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn > 0)
    return (double)(b->trials - k) / (double)(k + 1) * (double)(b->drawn - k) /
           (double)(b->others - b->drawn + k + 1);
  return ((double)b->trials - (double)k) / (double)(k + 1) * b->odds;
}

/* Pr[k - 1] / Pr[k], k >= 1, which rises with k. */
DPPAIR_API double dppair_binomial_down_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn > 0) return 1.0 / dppair_binomial_up_(b, k - 1);
  return (double)k / ((double)b->trials - (double)k + 1.0) / b->odds;
}

/* log Pr[0]. */
DPPAIR_API double dppair_binomial_log_none_(const dppair_binomial_ *b) {
  if (b->drawn > 0) return dppair_binomial_log_(b, 0);
  return (double)b->trials * (b->rate < 0.5 ? dppair_log1p_(-b->rate) : dppair_log_(b->miss));
}

/* A tail is bounded by a geometric series only where that falls at least this fast. */
#define DPPAIR_TAIL_RATIO_ 0.95
/* No search for an end of a law goes farther than this from where it begins. */
#define DPPAIR_BINOMIAL_MOST_ 1000000

/* The first k from `start` on, whose probability is `value`, beyond which at most tail is left;
 * *rest bounds what is. A k beyond start + DPPAIR_BINOMIAL_MOST_: the end is farther. */
DPPAIR_API size_t dppair_binomial_last_(double *rest, const dppair_binomial_ *b, size_t start,
                                        double value, double tail) {
  size_t k;
  for (k = start; k < b->trials; k++) {
    /* the next probability; the later ones fall at least as fast as it does */
    const double ratio = dppair_binomial_up_(b, k);
    *rest = value * ratio / (1.0 - ratio) * (1.0 + 1e-9) + DBL_MIN;
    if ((ratio < DPPAIR_TAIL_RATIO_ && *rest <= tail) || k - start > DPPAIR_BINOMIAL_MOST_)
      return k;
    value *= ratio;
  }
  *rest = 0.0;
  return k;
}

/* The first k from `start` down to 2 before which at most tail is left, *rest bounds it; 1 when
 * there is none. A k below start - DPPAIR_BINOMIAL_MOST_: it is farther. */
DPPAIR_API size_t dppair_binomial_first_(double *rest, const dppair_binomial_ *b, size_t start,
                                         double value, double tail) {
  size_t k;
  for (k = start; k > 1; k--) {
    const double ratio = dppair_binomial_down_(b, k);
    *rest = value * ratio / (1.0 - ratio) * (1.0 + 1e-9);
    if ((ratio < DPPAIR_TAIL_RATIO_ && *rest <= tail) || start - k > DPPAIR_BINOMIAL_MOST_)
      return k;
    value *= ratio;
  }
  *rest = 0.0;
  return 1;
}

/* Pr[> k], rounded up; 0 < rate < 1, k < trials. The sum runs upwards from k + 1 until the rest,
 * which is below a geometric series, is at most 1e-17 of it, and adds that rest. Terms below
 * DBL_MIN lose their digits, so that each of them is computed by itself. */
DPPAIR_API double dppair_binomial_beyond_(const dppair_binomial_ *b, size_t k) {
  double term = dppair_exp_(dppair_binomial_log_(b, k + 1)), sum = 0.0;
  size_t j;
  for (j = k + 1;; j++) {
    const int cut = term < DBL_MIN; /* digits are lost, and the next is not made of it */
    double ratio;
    sum += term;
    if (j >= b->trials) break;
    ratio = dppair_binomial_up_(b, j);
    if (ratio < 1.0 - 1e-9 && term * ratio / (1.0 - ratio) <= 1e-17 * sum) {
      sum += term * ratio / (1.0 - ratio);
      break;
    }
    term *= ratio;
    if (cut || term < DBL_MIN) {
      if (ratio < 0.9) break; /* what is left is below 10 DBL_MIN */
      term = dppair_exp_(dppair_binomial_log_(b, j + 1));
    }
  }
  sum = sum * (1.0 + 1e-10) + 16.0 * DBL_MIN; /* its rounding, and terms that underflow */
  return sum < 1.0 ? sum : 1.0;
}

/* Pr[Bin(n, p) > k], rounded up; 0 <= p <= 1. */
DPPAIR_API double dppair_binomial_tail_(size_t n, double p, size_t k) {
  const dppair_binomial_ b = dppair_binomial_make_(n, p, 1.0 - p);
  if (k >= n || p <= 0.0) return 0.0;
  return p >= 1.0 ? 1.0 : dppair_binomial_beyond_(&b, k);
}
