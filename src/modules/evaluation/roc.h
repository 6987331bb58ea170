/* ------------------------------------------------------------------------------------------------
 * The ROC curve with a band, from a histogram at public thresholds
 *
 * Relies on interval.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPPAIR_ROC_MOST_ 1000 /* thresholds */

/* A point of the curve: "positive" is said where score >= threshold. */
typedef struct dppair_roc_point {
  double threshold;
  double false_rate, false_lower, false_upper; /* the share of negatives that are said positive */
  double true_rate, true_lower, true_upper;    /* the share of positives that are */
} dppair_roc_point;

/*
 * P(the sum of k Laplace variables of scale 1 > x), x >= 0, 1 <= k <= 1001. By partial fractions of
 * (1 - t^2)^-k it is a mixture of gamma variables of either sign, with weights
 * C(2 k - j - 1, k - j) 2^(j - 2 k) for the j-th: all terms are positive.
 */
DPPAIR_API double dppair_laplaces_above_(double x, size_t k) {
  double weight = 0.5, term = dppair_exp_(-x), gamma = 0.0, tail = 0.0;
  size_t j;
  for (j = 1; j < k; j++) weight *= (double)(2 * j - 1) / (double)(2 * j);
  for (j = 1; j <= k; j++) { /* gamma: P(a gamma variable of shape j > x) */
    gamma += term;
    term *= x / (double)j;
    tail += weight * gamma;
    if (j < k) weight *= 2.0 * (double)(k - j) / (double)(2 * k - j - 1);
  }
  return tail;
}

/* w with P(the sum of k noises > w) <= tail; k g/2 of it are for their grids. */
DPPAIR_API double dppair_noises_quantile_(size_t k, double scale, double tail, int gaussian) {
  const double grids = (double)k * scale / 2048.0;
  double low = 0.0, high = 1.0;
  int i;
  if (k == 0) return 0.0;
  if (gaussian) return grids + scale * dppair_sqrt_((double)k) * dppair_normal_quantile_(tail);
  while (dppair_laplaces_above_(high, k) > tail) high *= 2.0;
  for (i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_laplaces_above_(middle, k) > tail)
      low = middle;
    else
      high = middle;
  }
  return grids + scale * high;
}

/* What a band is made of: cells + 1 noisy counts of a class, from low scores to high ones; w[k] for
 * sums of k noises. */
typedef struct dppair_roc_ {
  const double *cell, *w;
  size_t cells;
  double spread; /* ln(2/d)/2 of the inequality of Dvoretzky, Kiefer and Wolfowitz */
} dppair_roc_;

DPPAIR_API double dppair_above_0_(double x) { return x > 0.0 ? x : 0.0; }

/* The share x/(x + y) of two numbers >= 0; `none` where both are 0. */
DPPAIR_API double dppair_part_of_(double x, double y, double none) {
  return x + y > 0.0 ? x / (x + y) : none;
}

/* The rate above threshold k = 1 .. cells - 1 (which has k cells below it), and its band. */
DPPAIR_API void dppair_roc_rate_(double *rate, double *lower, double *upper, const dppair_roc_ *r,
                                 size_t k) {
  const size_t more = r->cells - k;
  double above = 0.0, below = 0.0, least, off;
  size_t i;
  for (i = 0; i < k; i++) below += r->cell[i];
  for (; i < r->cells; i++) above += r->cell[i];
  least = above + below - r->w[r->cells];
  off = least > 0.0 ? dppair_sqrt_(r->spread / least) : 1.0;
  *rate = dppair_part_of_(dppair_above_0_(above), dppair_above_0_(below), 0.5);
  *lower =
      dppair_part_of_(dppair_above_0_(above - r->w[more]), dppair_above_0_(below + r->w[k]), 0.0) -
      off;
  *upper =
      dppair_part_of_(dppair_above_0_(above + r->w[more]), dppair_above_0_(below - r->w[k]), 1.0) +
      off;
}

/* Makes rate, lower and upper fall along the thresholds, as the true rates do: the lower ends are
 * raised to later ones, the upper ends lowered to earlier ones. All within [0, 1]; each number at
 * `at` in a row of `stride` doubles. */
DPPAIR_API void dppair_roc_hull_(double *rate, double *lower, double *upper, size_t stride,
                                 size_t count) {
  double most = 1.0, least = 0.0;
  size_t k;
  for (k = 0; k < count; k++) {
    if (upper[k * stride] < most) most = upper[k * stride];
    upper[k * stride] = most = dppair_above_0_(most);
  }
  for (k = count; k-- > 0;) {
    double *low = lower + k * stride, *high = upper + k * stride, *at = rate + k * stride;
    if (*low > least) least = *low;
    if (least > 1.0) least = 1.0;
    *low = least;
    if (*high < least) *high = least; /* a band that does not hold */
    *at = *at < *low ? *low : *at > *high ? *high : *at;
  }
  for (k = 1; k < count; k++) /* the ends fall, so a smaller number stays between them */
    if (rate[k * stride] > rate[(k - 1) * stride]) rate[k * stride] = rate[(k - 1) * stride];
}

/* The area under the polygon through the points, and those of the lowest and the highest stairs in
 * the band: of the negatives between two thresholds the positives above both, or above the lower
 * one, are counted. */
DPPAIR_API void dppair_roc_area_(dppair_evaluation *area, const dppair_roc_point *p, size_t count) {
  double f = 1.0, t = 1.0, before = 1.0;
  size_t k;
  area->value = 0.0;
  area->lower = p[0].true_lower;
  area->upper = 1.0;
  for (k = 0;; k++) {
    const double next_f = k < count ? p[k].false_rate : 0.0,
                 next_t = k < count ? p[k].true_rate : 0.0;
    area->value += (f - next_f) * 0.5 * (t + next_t);
    f = next_f;
    t = next_t;
    if (k == count) break;
    area->lower -=
        p[k].false_upper * (p[k].true_lower - (k + 1 < count ? p[k + 1].true_lower : 0.0));
    area->upper -= p[k].false_lower * (before - p[k].true_upper);
    before = p[k].true_upper;
  }
  area->lower = dppair_above_0_(area->lower);
  area->value = area->value < area->lower   ? area->lower
                : area->value > area->upper ? area->upper
                                            : area->value;
  area->released = area->value;
}

/* How many thresholds are at most s. */
DPPAIR_API size_t dppair_roc_cell_(double s, const double *thresholds, size_t count) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (thresholds[middle] <= s)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/*
 * Points of the ROC curve at thresholds[count], which are public and ascending, and a band that
 * holds the population's rates at all of them at once, with the confidence of the options (proved;
 * in practice more often). *area, where it is not NULL: the AUC of the polygon through the points,
 * which differs from the AUC by at most half of the pairs within a cell, and an interval that holds
 * the population's AUC whenever the band holds. Whatever else is computed from the points, a
 * partial AUC or the threshold for a false-positive rate, is free. n log(count); work:
 * dppair_evaluate_workspace(n, count).
 *
 * The histogram of both classes has 2 (count + 1) cells. One record moves one count up and one
 * down: by 2 in l1, sqrt 2 in l2. Sums of k noises are taken to be below their quantile at 0.4
 * alpha/(8 cells), for all sums that are used, and the empirical rates of each class within
 * sqrt(ln(2/d)/(2 N)) of the population's, d = 0.3 alpha (Dvoretzky, Kiefer, Wolfowitz; Massart
 * 1990), N a lower bound of its records: in all alpha = 1 - confidence.
 *
 * Errors zero both: permit.h; SIZE: count is 0 or above 1000; DOMAIN: thresholds that are not
 * finite and ascending; UNREAD: a promise.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_roc(
    dppair_roc_point *points, dppair_evaluation *area, dppair_release *release, const double *s,
    const double *y, size_t n, const double *thresholds, size_t count,
    const dppair_evaluate_options *options, void *work, size_t bytes) {
  const size_t cells = count + 1;
  dppair_evaluate_ e;
  dppair_roc_ r;
  double *cell, *w, scale;
  size_t i;
  dppair_status status;
  if (area) memset(area, 0, sizeof *area);
  if (count > SIZE_MAX / sizeof *points) return DPPAIR_ERR_OVERFLOW;
  if (!points) return DPPAIR_ERR_NULL;
  memset(points, 0, count * sizeof *points);
  if (!s || !y || !thresholds) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK && (count == 0 || count > DPPAIR_ROC_MOST_)) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && e.promise) status = DPPAIR_ERR_UNREAD;
  for (i = 0; i < count && status == DPPAIR_OK; i++)
    if (!dppair_isfinite_f64(thresholds[i]) || (i > 0 && !(thresholds[i - 1] < thresholds[i])))
      status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK)
    status = dppair_work_(&cell, dppair_evaluate_room_(n, count), work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_apart_(cell, dppair_evaluate_room_(n, count), points, count * sizeof *points);
  if (status == DPPAIR_OK)
    status = dppair_apart_(cell, dppair_evaluate_room_(n, count), area, sizeof *area);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  w = cell + 2 * cells;
  memset(cell, 0, 2 * cells * sizeof *cell);
  for (i = 0; i < n; i++)
    cell[(dppair_is_positive_(y[i]) ? cells : 0) +
         dppair_roc_cell_(dppair_score_of_(s[i]), thresholds, count)] += 1.0;
  status = dppair_evaluate_noise_(cell, 2 * cells, &scale, &e, 1.0,
                                  e.gaussian ? 1.4142135623730952 : 2.0, (double)n);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i <= cells; i++)
    w[i] = dppair_noises_quantile_(i, scale, 0.4 * e.alpha / (8.0 * (double)cells), e.gaussian);
  r.w = w;
  r.cells = cells;
  r.spread = 0.5 * dppair_log_(2.0 / (0.3 * e.alpha));
  for (i = 0; i < count; i++) {
    dppair_roc_point *p = &points[i];
    p->threshold = thresholds[i];
    r.cell = cell;
    dppair_roc_rate_(&p->false_rate, &p->false_lower, &p->false_upper, &r, i + 1);
    r.cell = cell + cells;
    dppair_roc_rate_(&p->true_rate, &p->true_lower, &p->true_upper, &r, i + 1);
  }
  dppair_roc_hull_(&points->false_rate, &points->false_lower, &points->false_upper,
                   sizeof *points / sizeof(double), count);
  dppair_roc_hull_(&points->true_rate, &points->true_lower, &points->true_upper,
                   sizeof *points / sizeof(double), count);
  if (area == NULL) return DPPAIR_OK;
  dppair_roc_area_(area, points, count);
  area->noise = scale;
  area->variance = HUGE_VAL;
  for (i = 0; i < cells; i++) area->count += cell[cells + i];
  area->count = dppair_floor_(area->count + 0.5);
  return DPPAIR_OK;
}

DPPAIR_FP_END_
