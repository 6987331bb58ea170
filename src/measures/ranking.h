/* ------------------------------------------------------------------------------------------------
 * Measures: AUC, precision, rank correlation, accuracy and recall of neighbours
 *
 * They read records and add no noise, so none of them is private, as their names say: one record
 * may change each by a lot. A figure for publication needs a mechanism of its own, or public data.
 *
 * Errors zero the output: NULL, SIZE, DOMAIN, OVERFLOW and WORKSPACE, before a record is read, and
 * NOT_FINITE. work: as dppair_measures_workspace says.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The doubles of that workspace, SIZE_MAX where they overflow. */
DPPAIR_API size_t dppair_measures_room_(size_t n, size_t d) {
  const size_t rows = dppair_area_(n, 4);
  return rows > SIZE_MAX - d ? SIZE_MAX : rows + d;
}

/* *bytes = the workspace of any function below for n records in all, of d features where it reads
 * rows and d = 0 elsewhere. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_measures_workspace(size_t *bytes, size_t n,
                                                                     size_t d) {
  return dppair_work_bytes_(bytes, dppair_measures_room_(n, d));
}

/* Area under the ROC curve: the share of pairs with sp[i] > sn[j], ties counted one half.
 * np, nn >= 1. O(n log n), by exact integer counts. 1 - AUC is the pairwise 0-1 risk; the risk of a
 * loss is NAME_risk_not_private/(np nn). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auc_not_private_f64(double *auc, const double *sp,
                                                                      size_t np, const double *sn,
                                                                      size_t nn, void *work,
                                                                      size_t bytes) {
  double *p, *q;
  size_t i, below = 0, upto = 0, count;
  uint64_t twice = 0;
  dppair_status status;
  if (!auc) return DPPAIR_ERR_NULL;
  *auc = 0.0;
  if (!sp || !sn) return DPPAIR_ERR_NULL;
  if (np == 0 || nn == 0) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul_(&count, np, nn) || count > SIZE_MAX / 4) return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&p, dppair_measures_room_(np + nn, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(sp, np)) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  q = p + np;
  memcpy(p, sp, np * sizeof *p);
  memcpy(q, sn, nn * sizeof *q);
  dppair_sort_f64(p, np);
  dppair_sort_f64(q, nn);
  for (i = 0; i < np; i++) {
    while (below < nn && q[below] < p[i]) below++;
    if (upto < below) upto = below;
    while (upto < nn && q[upto] <= p[i]) upto++;
    twice += (uint64_t)below + (uint64_t)upto;
  }
  *auc = (double)twice / 2.0 / ((double)np * (double)nn);
  return DPPAIR_OK;
}

/* Area under the part of the ROC curve with false-positive rate <= rate, divided by rate, 0 < rate
 * <= 1: 1 is perfect, chance is rate/2. Ties are straight segments of the curve, so rate = 1 gives
 * the AUC. np, nn >= 1. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_partial_auc_not_private_f64(double *auc, const double *sp, size_t np, const double *sn,
                                   size_t nn, double rate, void *work, size_t bytes) {
  double area = 0.0, *p, *q;
  size_t i = np, j = nn;
  dppair_status status;
  if (!auc) return DPPAIR_ERR_NULL;
  *auc = 0.0;
  if (!sp || !sn) return DPPAIR_ERR_NULL;
  if (np == 0 || nn == 0) return DPPAIR_ERR_SIZE;
  if (np > SIZE_MAX - nn) return DPPAIR_ERR_OVERFLOW;
  if (!(rate > 0.0 && rate <= 1.0)) return DPPAIR_ERR_DOMAIN;
  status = dppair_work_(&p, dppair_measures_room_(np + nn, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(sp, np)) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  q = p + np;
  memcpy(p, sp, np * sizeof *p);
  memcpy(q, sn, nn * sizeof *q);
  dppair_sort_f64(p, np);
  dppair_sort_f64(q, nn);
  for (;;) { /* one threshold at a time, from the largest negative score down; right ends as 1 */
    const double score = q[j - 1];
    const size_t from = j;
    double low, high, left, right, share;
    while (i > 0 && p[i - 1] > score) i--;
    low = (double)(np - i) / (double)np;
    while (i > 0 && p[i - 1] >= score) i--;
    high = (double)(np - i) / (double)np;
    while (j > 0 && q[j - 1] >= score) j--;
    left = (double)(nn - from) / (double)nn;
    right = (double)(nn - j) / (double)nn;
    share = right <= rate ? 1.0 : (rate - left) / (right - left);
    area += share * (right - left) * (low + 0.5 * share * (high - low));
    if (right >= rate) break;
  }
  area /= rate;
  *auc = area > 1.0 ? 1.0 : area;
  return DPPAIR_OK;
}

/* The share of positive labels (y > 0) among the k largest of n scores, 1 <= k <= n. Where records
 * tie for the last places, it is the mean over all their orders. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_precision_not_private_f64(double *precision, const double *s, const double *y, size_t n,
                                 size_t k, void *work, size_t bytes) {
  size_t i, above = 0, above_positive = 0, tied = 0, tied_positive = 0;
  double last, *sorted;
  dppair_status status;
  if (!precision) return DPPAIR_ERR_NULL;
  *precision = 0.0;
  if (!s || !y) return DPPAIR_ERR_NULL;
  if (k == 0 || k > n) return DPPAIR_ERR_SIZE;
  status = dppair_work_(&sorted, dppair_measures_room_(n, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(s, n) || !dppair_all_finite_f64(y, n)) return DPPAIR_ERR_NOT_FINITE;
  memcpy(sorted, s, n * sizeof *sorted);
  dppair_sort_f64(sorted, n);
  last = sorted[n - k];
  for (i = 0; i < n; i++) {
    const size_t positive = y[i] > 0.0;
    if (s[i] < last) continue;
    if (s[i] > last) {
      above++;
      above_positive += positive;
    } else {
      tied++;
      tied_positive += positive;
    }
  }
  *precision =
      ((double)above_positive + (double)(k - above) * (double)tied_positive / (double)tied) /
      (double)k;
  return DPPAIR_OK;
}

/* Sorts x[0..2n), n pairs (a, b), by a, then b; with only_b by b alone. Merges runs; spare has 2n
 * numbers. Returns how many exchanges of neighbours would have sorted them. */
DPPAIR_API uint64_t dppair_sort_pairs_(double *x, double *spare, size_t n, int only_b) {
  uint64_t exchanges = 0;
  size_t width, from, i;
  for (width = 1; width<n; width = width> n / 2 ? n : 2 * width) {
    for (from = 0; from < n; from += n - from < 2 * width ? n - from : 2 * width) {
      const size_t middle = n - from < width ? n : from + width;
      const size_t to = n - middle < width ? n : middle + width;
      size_t l = from, r = middle;
      for (i = from; i < to; i++) {
        int right = l == middle;
        if (l < middle && r < to) {
          const double *a = x + 2 * l, *b = x + 2 * r;
          right = only_b ? b[1] < a[1] : b[0] < a[0] || (b[0] <= a[0] && b[1] < a[1]);
        }
        if (right) exchanges += (uint64_t)(middle - l);
        memcpy(spare + 2 * i, x + 2 * (right ? r : l), 2 * sizeof *x);
        if (right)
          r++;
        else
          l++;
      }
    }
    memcpy(x, spare, 2 * n * sizeof *x);
  }
  return exchanges;
}

/* Of n sorted pairs (a, b), how many pairs of them agree in the columns from..to: the sum of
 * t (t - 1)/2 over the runs of t equal ones. */
DPPAIR_API uint64_t dppair_tied_pairs_(const double *x, size_t n, size_t from, size_t to) {
  uint64_t tied = 0, run = 0;
  size_t i, c;
  for (i = 1; i < n; i++) {
    int same = 1;
    for (c = from; c < to; c++)
      same &= !(x[2 * i + c] < x[2 * i - 2 + c]) && !(x[2 * i + c] > x[2 * i - 2 + c]);
    run = same ? run + 1 : 0;
    tied += run;
  }
  return tied;
}

/* Kendall's tau-b of a[n] and b[n]: (concordant - discordant pairs)/sqrt(pairs untied in a * pairs
 * untied in b), n >= 2, O(n log n) (Knight 1966). DOMAIN also when one of them is constant. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_kendall_not_private_f64(
    double *tau, const double *a, const double *b, size_t n, void *work, size_t bytes) {
  uint64_t all, tied_a, tied_b, tied_both, exchanges;
  double *pairs, *spare;
  size_t i;
  dppair_status status;
  if (!tau) return DPPAIR_ERR_NULL;
  *tau = 0.0;
  if (!a || !b) return DPPAIR_ERR_NULL;
  if (n < 2) return DPPAIR_ERR_SIZE;
  if (n > UINT32_MAX) return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&pairs, dppair_measures_room_(n, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(a, n) || !dppair_all_finite_f64(b, n)) return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < n; i++) {
    pairs[2 * i] = a[i];
    pairs[2 * i + 1] = b[i];
  }
  spare = pairs + 2 * n;
  all = (uint64_t)n * (uint64_t)(n - 1) / 2;
  (void)dppair_sort_pairs_(pairs, spare, n, 0);
  tied_a = dppair_tied_pairs_(pairs, n, 0, 1);
  tied_both = dppair_tied_pairs_(pairs, n, 0, 2);
  exchanges = dppair_sort_pairs_(pairs, spare, n, 1);
  tied_b = dppair_tied_pairs_(pairs, n, 1, 2);
  if (all == tied_a || all == tied_b) return DPPAIR_ERR_DOMAIN;
  /* concordant + discordant = all - tied_a - tied_b + tied_both, discordant = exchanges */
  *tau = ((double)(all - tied_a + tied_both - tied_b) - 2.0 * (double)exchanges) /
         (dppair_sqrt_((double)(all - tied_a)) * dppair_sqrt_((double)(all - tied_b)));
  return DPPAIR_OK;
}

/* out = W r for W = w[d][d], or r where w is NULL. */
DPPAIR_API void dppair_image_(double *out, const double *w, const double *r, size_t d) {
  size_t j, c;
  for (j = 0; j < d; j++) {
    out[j] = w ? 0.0 : r[j];
    for (c = 0; w && c < d; c++) out[j] += w[j * d + c] * r[c];
  }
}

DPPAIR_API double dppair_dot_(const double *a, const double *b, size_t d) {
  double dot = 0.0;
  size_t j;
  for (j = 0; j < d; j++) dot += a[j] * b[j];
  return dot;
}

/* nearest[0..held) holds pairs (distance, label) by distance, at most k of them; inserts one more,
 * after those at the same distance. Returns how many there are then. */
DPPAIR_API size_t dppair_nearest_add_(double *nearest, size_t held, size_t k, double distance,
                                      double label) {
  size_t j;
  if (held == k && !(distance < nearest[2 * k - 2])) return held;
  j = held < k ? held++ : k - 1;
  for (; j > 0 && distance < nearest[2 * j - 2]; j--)
    memcpy(nearest + 2 * j, nearest + 2 * j - 2, 2 * sizeof *nearest);
  nearest[2 * j] = distance;
  nearest[2 * j + 1] = label;
  return held;
}

/* The label that most of the k pairs (distance, label) have; of several the nearest. */
DPPAIR_API double dppair_majority_(const double *nearest, size_t k) {
  double best = 0.0;
  size_t i, j, votes = 0;
  for (i = 0; i < k; i++) {
    size_t same = 0;
    for (j = 0; j < k; j++)
      same +=
          !(nearest[2 * j + 1] < nearest[2 * i + 1]) && !(nearest[2 * j + 1] > nearest[2 * i + 1]);
    if (same <= votes) continue;
    votes = same;
    best = nearest[2 * i + 1];
  }
  return best;
}

/* 1 when all n rows of d numbers at distance ld are finite. */
DPPAIR_API int dppair_finite_rows_(const double *x, size_t n, size_t d, size_t ld) {
  size_t i;
  for (i = 0; i < n; i++)
    if (!dppair_all_finite_f64(x + i * ld, d)) return 0;
  return 1;
}

/* Of n training rows with norms[i] = r^T W r, the k nearest to the record whose image W r is given,
 * but row `skip` (n: none), as dppair_nearest_add_ keeps them. Distances lack r^T W r of the record
 * itself, which is the same for all. 1 <= k <= the rows that count. */
DPPAIR_API dppair_status dppair_nearest_find_(double *nearest, const double *image,
                                              const double *norms, const double *x, const double *y,
                                              size_t n, size_t d, size_t ld, size_t k,
                                              size_t skip) {
  size_t i, held = 0;
  for (i = 0; i < n; i++) {
    const double distance = norms[i] - 2.0 * dppair_dot_(image, x + i * ld, d);
    if (!dppair_isfinite_f64(distance)) return DPPAIR_ERR_NOT_FINITE;
    if (i != skip) held = dppair_nearest_add_(nearest, held, k, distance, y[i]);
  }
  return DPPAIR_OK;
}

/* norms[i] = r^T W r of n rows; image: d numbers. */
DPPAIR_API void dppair_nearest_norms_(double *norms, double *image, const double *x, size_t n,
                                      size_t d, size_t ld, const double *w) {
  size_t i;
  for (i = 0; i < n; i++) {
    dppair_image_(image, w, x + i * ld, d);
    norms[i] = dppair_dot_(x + i * ld, image, d);
  }
}

/* The share of m test records whose label is the majority among their k nearest of n training
 * records in the metric (x - x')^T W (x - x'), W = w[d][d] symmetric (NULL: the identity). The
 * nearer label wins a tie of votes, the earlier record a tie of distances. x: rows of d at distance
 * ld; y: any labels; 1 <= k <= n. O(m (n d + d^2 + n k)). The neighbours are training records:
 * neither the figure nor such a classifier is private. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_knn_accuracy_not_private_f64(
    double *accuracy, const double *x, const double *y, size_t n, const double *test_x,
    const double *test_y, size_t m, size_t d, size_t ld, const double *w, size_t k, void *work,
    size_t bytes) {
  double *norms, *image, *nearest;
  size_t t, count, correct = 0;
  dppair_status status;
  if (!accuracy) return DPPAIR_ERR_NULL;
  *accuracy = 0.0;
  if (!x || !y || !test_x || !test_y) return DPPAIR_ERR_NULL;
  if (n == 0 || m == 0 || d == 0 || ld < d || k == 0 || k > n) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul_(&count, d, d) || dppair_size_mul_(&count, n > m ? n : m, ld))
    return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&norms, dppair_measures_room_(n, d), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_finite_rows_(x, n, d, ld) || !dppair_finite_rows_(test_x, m, d, ld) ||
      (w && !dppair_all_finite_f64(w, d * d)) || !dppair_all_finite_f64(y, n) ||
      !dppair_all_finite_f64(test_y, m))
    return DPPAIR_ERR_NOT_FINITE;
  image = norms + n;
  nearest = image + d;
  dppair_nearest_norms_(norms, image, x, n, d, ld, w);
  for (t = 0; t < m; t++) {
    double label;
    dppair_image_(image, w, test_x + t * ld, d);
    status = dppair_nearest_find_(nearest, image, norms, x, y, n, d, ld, k, n);
    if (status != DPPAIR_OK) return status;
    label = dppair_majority_(nearest, k);
    correct += !(label < test_y[t]) && !(label > test_y[t]);
  }
  *accuracy = (double)correct / (double)m;
  return DPPAIR_OK;
}

/* Recall at k, leave-one-out: the share of n records, each in turn compared with the n - 1 others,
 * of which one of the k nearest others has the same label. The metric and its ties are those of
 * dppair_knn_accuracy_not_private_f64; a record whose label no other has counts as missed. k = 1:
 * the accuracy of the nearest neighbour. 1 <= k < n, d >= 1. O(n (n d + d^2 + n k)). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_recall_at_not_private_f64(
    double *recall, const double *x, const double *y, size_t n, size_t d, size_t ld,
    const double *w, size_t k, void *work, size_t bytes) {
  double *norms, *image, *nearest;
  size_t i, j, count, found = 0;
  dppair_status status;
  if (!recall) return DPPAIR_ERR_NULL;
  *recall = 0.0;
  if (!x || !y) return DPPAIR_ERR_NULL;
  if (d == 0 || ld < d || k == 0 || k >= n) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul_(&count, d, d) || dppair_size_mul_(&count, n, ld)) return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&norms, dppair_measures_room_(n, d), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_finite_rows_(x, n, d, ld) || (w && !dppair_all_finite_f64(w, d * d)) ||
      !dppair_all_finite_f64(y, n))
    return DPPAIR_ERR_NOT_FINITE;
  image = norms + n;
  nearest = image + d;
  dppair_nearest_norms_(norms, image, x, n, d, ld, w);
  for (i = 0; i < n; i++) {
    dppair_image_(image, w, x + i * ld, d);
    status = dppair_nearest_find_(nearest, image, norms, x, y, n, d, ld, k, i);
    if (status != DPPAIR_OK) return status;
    for (j = 0; j < k && (nearest[2 * j + 1] < y[i] || nearest[2 * j + 1] > y[i]);) j++;
    found += j < k;
  }
  *recall = (double)found / (double)n;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
