/* ------------------------------------------------------------------------------------------------
 * Means over all pairs of records: Kendall's tau, and any bounded symmetric statistic
 *
 * Relies on auc.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * The mean over all pairs, and its interval, from the sums of the n rows of a symmetric kernel in
 * [0, 1], in units: x_i = row[i]/(unit (n - 1)), U = mean x_i, zeta = mean (x_i - U)^2. One
 * replaced record moves U by 2/n, and zeta by (n - 7/4)/(n (n - 1)).
 *
 * Proof of the second. Replace row r; g_i are the other rows' means over the others, A = (mean r -
 * mean g)^2, C = Cov(g, r), w = Var(r). n zeta is a constant plus (2 (n - 2) C + w)/(n - 1) +
 * (n - 2)^2/(n (n - 1)) A; N (a A + 2 b C), max(a, b) = 1, varies by at most N over all r, w by
 * 1/4; so n zeta varies by (n - 2 + 1/4)/(n - 1).
 *
 * The jackknife's variance of U is 4 (n - 1) zeta/(n - 2)^2 (n > 2). It gets a quarter of the
 * paid release. Besides, Var U <= 2 Var(kernel)/n <= 2 x (1 - x)/n where the mean is x. Rounding: U
 * within 2^-51, zeta within 2^-48.
 */
DPPAIR_API dppair_status dppair_evaluate_rows_(dppair_evaluation *out, const dppair_evaluate_ *e,
                                               const uint64_t *row, double unit) {
  const double n = (double)e->n, rest = n - 2.0;
  uint64_t total = 0;
  double v, mean, scale, third = 0.0;
  dppair_released_ r;
  dppair_status status = DPPAIR_OK;
  size_t i;
  for (i = 0; i < e->n; i++) total += row[i];
  mean = (double)total / (unit * (n * (n - 1.0)));
  out->variance = HUGE_VAL;
  if (e->n > 2) {
    const double factor = 4.0 * (n - 1.0) / (rest * rest);
    const double moves = (n - 1.75) / (n * (n - 1.0)) + dppair_ldexp_(1.0, -47);
    third = 0.25;
    v = factor * dppair_spread_(row, e->n, unit * (n - 1.0), mean);
    status = dppair_evaluate_noise_(&v, 1, &scale, e, third, dppair_up_(dppair_up_(factor * moves)),
                                    factor);
    out->variance = dppair_variance_bound_(v, scale, e->alpha, e->gaussian);
  }
  v = mean;
  if (status == DPPAIR_OK)
    status = dppair_evaluate_noise_(&v, 1, &out->noise, e, dppair_evaluate_rest_(0.0, third),
                                    dppair_up_(2.0 / n + dppair_ldexp_(1.0, -50)), 1.0);
  if (status != DPPAIR_OK) return status;
  out->released = v;
  r.number = v;
  r.scale = out->noise;
  r.variance = out->variance;
  r.size = 0.5 * n;
  r.gaussian = e->gaussian;
  dppair_released_interval_(&out->lower, &out->upper, &r, e->alpha);
  out->value = r.number;
  return DPPAIR_OK;
}

/* The checks of these functions, and the paid release; n numbers for rows, and 3 n behind them. */
DPPAIR_API dppair_status dppair_evaluate_begin_rows_(dppair_evaluate_ *e, uint64_t **row,
                                                     const dppair_evaluation *out,
                                                     dppair_release *release, size_t n,
                                                     const dppair_evaluate_options *options,
                                                     void *work, size_t bytes) {
  dppair_status status = dppair_evaluate_open_(e, release, n, options);
  if (status == DPPAIR_OK && e->promise) status = DPPAIR_ERR_UNREAD;
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  *row = (uint64_t *)(void *)e->room;
  dppair_evaluate_begin_(e);
  return DPPAIR_OK;
}

/* The records of Kendall's tau: their order, the rank of b from 1 (equal ones have the least of
 * theirs), and a tree of counts by rank (Fenwick 1994). */
typedef struct dppair_kendall_ {
  const double *a, *b;
  uint32_t *order, *rank, *tree;
  size_t n;
} dppair_kendall_;

DPPAIR_API int dppair_kendall_before_(const dppair_kendall_ *k, uint32_t i, uint32_t j, int by_a) {
  const double *x = by_a ? k->a : k->b;
  return dppair_score_of_(x[i]) < dppair_score_of_(x[j]);
}

/* Sorts order[0..n) by a or b: heap sort, which needs no room. */
DPPAIR_API void dppair_kendall_sort_(const dppair_kendall_ *k, int by_a) {
  size_t start = k->n / 2, end = k->n;
  uint32_t *order = k->order;
  while (end > 1) {
    size_t root, child;
    uint32_t v;
    if (start > 0) {
      v = order[--start];
    } else {
      v = order[--end];
      order[end] = order[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && dppair_kendall_before_(k, order[child], order[child + 1], by_a))
        child++;
      if (!dppair_kendall_before_(k, v, order[child], by_a)) break;
      order[root] = order[child];
    }
    order[root] = v;
  }
}

/* How many of the records in the tree have a rank of at most r. */
DPPAIR_API uint64_t dppair_kendall_upto_(const dppair_kendall_ *k, size_t r) {
  uint64_t count = 0;
  for (; r > 0; r &= r - 1) count += k->tree[r];
  return count;
}

/* Adds to row[i], for every record i, the sum of 1 + sign((a_i - a_j)(b_i - b_j)) over the records
 * j with a smaller a; backward, over those with a larger one. */
DPPAIR_API void dppair_kendall_pass_(uint64_t *row, const dppair_kendall_ *k, int backward) {
  const size_t last = k->n - 1;
  size_t from, to, i;
  memset(k->tree, 0, (k->n + 1) * sizeof *k->tree);
  for (from = 0; from < k->n; from = to) { /* records with the same a */
    const uint32_t first = k->order[backward ? last - from : from];
    for (to = from; to < k->n; to++) {
      const uint32_t at = k->order[backward ? last - to : to];
      uint64_t sum;
      if (dppair_kendall_before_(k, first, at, 1) || dppair_kendall_before_(k, at, first, 1)) break;
      sum = dppair_kendall_upto_(k, k->rank[at] - 1) + dppair_kendall_upto_(k, k->rank[at]);
      row[at] += backward ? 2 * (uint64_t)from - sum : sum;
    }
    for (i = from; i < to; i++) {
      size_t r = k->rank[k->order[backward ? last - i : i]];
      for (; r <= k->n; r += r & (~r + 1)) k->tree[r]++;
    }
    for (i = from; i < to && !backward; i++) row[k->order[i]] += (uint64_t)(to - from - 1);
  }
}

/* row[i] = the sum over j != i of 1 + sign((a_i - a_j)(b_i - b_j)), O(n log n). Those with the same
 * a count 1. */
DPPAIR_API void dppair_kendall_rows_(uint64_t *row, dppair_kendall_ *k) {
  size_t i, r = 0;
  for (i = 0; i < k->n; i++) k->order[i] = (uint32_t)i;
  dppair_kendall_sort_(k, 0);
  for (i = 0; i < k->n; i++) {
    if (i == 0 || dppair_kendall_before_(k, k->order[i - 1], k->order[i], 0)) r = i + 1;
    k->rank[k->order[i]] = (uint32_t)r;
  }
  dppair_kendall_sort_(k, 1);
  memset(row, 0, k->n * sizeof *row);
  dppair_kendall_pass_(row, k, 1);
  dppair_kendall_pass_(row, k, 0);
}

/*
 * Kendall's tau-a of the pairs (a[i], b[i]), i < n: the mean over all pairs of records of
 * sign((a - a')(b - b')), in [-1, 1], ties 0; and an interval for that of the population. (The
 * divisor of tau-b is private.) NaN counts as -infinity. One record moves tau by 4/n. The interval
 * is that of dppair_evaluate_statistic. O(n log n); work: dppair_evaluate_workspace(n, 0).
 *
 * Errors: permit.h; UNREAD: a promise.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_kendall(
    dppair_evaluation *out, dppair_release *release, const double *a, const double *b, size_t n,
    const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_kendall_ k;
  uint64_t *row;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!a || !b) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_begin_rows_(&e, &row, out, release, n, options, work, bytes);
  if (status != DPPAIR_OK) return status;
  k.a = a;
  k.b = b;
  k.n = n;
  k.order = (uint32_t *)(void *)(row + n);
  k.rank = k.order + n;
  k.tree = k.rank + n; /* n + 1 numbers: the workspace has 4 n + 4 of twice the size */
  dppair_kendall_rows_(row, &k);
  status = dppair_evaluate_rows_(out, &e, row, 2.0);
  dppair_evaluate_stretch_(out, -1.0, 2.0);
  return dppair_evaluate_end_(out, &e, status);
}

/* h of records i and j, i < j: a function of these two records, and of what is public, only. */
typedef double (*dppair_evaluate_kernel)(size_t i, size_t j, void *context);

/*
 * The mean over all pairs of n records of h, moved into [low, high] (NaN: low), and an interval for
 * the mean of h over pairs of the population: a U-statistic of degree 2. h should be symmetric; it
 * is called for i < j only, n (n - 1)/2 times. One record moves the mean by 2 (high - low)/n.
 * Released are the jackknife's variance (n > 2) and the mean. The interval holds all x for which
 * the test of "the mean is x" accepts, with a normal law of variance min(out->variance, 2 (x -
 * low)(high - x)/n): asymptotic. work: dppair_evaluate_workspace(n, 0).
 *
 * Errors: permit.h; UNREAD: a promise; DOMAIN: low, high or high - low is not finite, low >= high.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_evaluate_statistic(dppair_evaluation *out, dppair_release *release, dppair_evaluate_kernel h,
                          void *context, double low, double high, size_t n,
                          const dppair_evaluate_options *options, void *work, size_t bytes) {
  const double width = high - low, unit = dppair_unit_of_((double)n * (double)n);
  dppair_evaluate_ e;
  uint64_t *row;
  size_t i, j;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!h) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(low) || !dppair_isfinite_f64(width) || !(width > 0.0))
    return DPPAIR_ERR_DOMAIN;
  status = dppair_evaluate_begin_rows_(&e, &row, out, release, n, options, work, bytes);
  if (status != DPPAIR_OK) return status;
  memset(row, 0, n * sizeof *row);
  for (i = 0; i < n; i++)
    for (j = i + 1; j < n; j++) {
      const uint64_t k = dppair_units_((h(i, j, context) - low) / width, unit, 0.0);
      row[i] += k;
      row[j] += k;
    }
  status = dppair_evaluate_rows_(out, &e, row, unit);
  dppair_evaluate_stretch_(out, low, width);
  return dppair_evaluate_end_(out, &e, status);
}

DPPAIR_FP_END_
