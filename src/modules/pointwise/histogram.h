/* ------------------------------------------------------------------------------------------------
 * Histograms of scores
 *
 *   dppair_histogram h = {node, 24, count, 0};             public nodes, room for 48 numbers
 *   s = dppair_release_draw(&drawn, index, n, &release);   one draw, gathered;
 *   s = dppair_release_part(&release, 0.2);                one paid release of it: a fifth is for
 *   s = dppair_release_score_histogram(&h, &release, score, NULL, rows.n, positives);  this, and
 *   s = rank_release_pointwise(g, &release, &rows, w, &h, clip, &options);     the rest is for this
 *
 * Relies on release/vector.h and parts.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A histogram of scores. The caller gives node, nodes and count; records is written here, and is 0
 * until the counts have noise. */
typedef struct dppair_histogram {
  const double *node; /* increasing, finite and public: chosen without looking at scores */
  size_t nodes;       /* at least 2 */
  double *count;      /* 2 nodes numbers: a block of the positives, then one of the negatives */
  double records;     /* so many are counted: n, or what a batch has on average */
} dppair_histogram;

/* Weights are counted in units of 2^-20: sums of them are exact, in any order. */
#define DPPAIR_COUNT_UNITS_ 1048576.0

/* Adds the record with this score, of weight units/2^20, to a block. The two nodes beside its score
 * share the weight as linear interpolation does; a score beyond the nodes counts as the last node
 * on that side. NaN, which is the score of a null record, counts nowhere. */
DPPAIR_API void dppair_histogram_count_(double *block, const dppair_histogram *h, double s,
                                        double units) {
  const double *t = h->node;
  size_t low = 0, high = h->nodes - 1;
  double part = 0.0;
  if (!dppair_isfinite_f64(s)) {
    if ((dppair_bits_f64_(s) << 12) != 0) return;
    s = dppair_bits_f64_(s) == UINT64_C(0x7ff0000000000000) ? t[high] : t[0];
  }
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (t[middle] <= s)
      low = middle;
    else
      high = middle;
  }
  part = (s - t[low]) / (t[high] - t[low]);
  part = part < 1.0 ? part : 1.0;
  part = part > 0.0 ? dppair_floor_(part * units + 0.5) : 0.0;
  part = part < units ? part : units;
  block[high] += part / DPPAIR_COUNT_UNITS_;
  block[low] += (units - part) / DPPAIR_COUNT_UNITS_;
}

/* A weight in [0, 1] as whole units, rounded down; NaN and what is below 0 count as 0. */
DPPAIR_API double dppair_weight_units_(double weight) {
  if (!dppair_isfinite_f64(weight) || !(weight > 0.0)) return 0.0;
  return weight < 1.0 ? dppair_floor_(weight * DPPAIR_COUNT_UNITS_) : DPPAIR_COUNT_UNITS_;
}

DPPAIR_API dppair_status dppair_histogram_check_(const dppair_histogram *h) {
  size_t k;
  if (h->node == NULL || h->count == NULL) return DPPAIR_ERR_NULL;
  if (h->nodes < 2) return DPPAIR_ERR_SIZE;
  for (k = 1; k < h->nodes; k++)
    if (!dppair_isfinite_f64(h->node[k - 1]) || !dppair_isfinite_f64(h->node[k]) ||
        !(h->node[k] > h->node[k - 1]) || !dppair_isfinite_f64(h->node[k] - h->node[k - 1]))
      return DPPAIR_ERR_DOMAIN;
  return DPPAIR_OK;
}

/*
 * Releases the histogram of n scores in both classes: h->count, which may be published, and from
 * which NAME_coeffs_from_histogram makes coefficients. The n records are all, or those of this
 * step's draw; s[0..positives) are scores of positives. weight: n numbers in [0, 1], or NULL: all
 * 1; a record of weight 0 is not counted, nor is one whose score is NaN, as dppair_scores gives
 * null records.
 *
 * Sensitivity, attained: a record is a vector of two numbers >= 0 of sum at most 1, so that it has
 * the norms l2 <= 1 and l1 <= 1; two records differ by at most sqrt 2 and 2. Hence l2 sqrt 2 and l1
 * 2 (Laplace) where a record is replaced, 1 where it is zeroed. Counts are exact: nothing is added
 * for rounding.
 *
 * The scores may depend on public weights and on their own record only: a score that was normalised
 * over the batch moves with all of them.
 *
 * Errors zero h->count and h->records. They use no paid release: NULL; SIZE (fewer than 2 nodes, n
 * is not that of the plan or of the draw, positives > n); DOMAIN (nodes that are not finite and
 * increasing); OVERFLOW (n of 2^32 or more; then count is not touched, nor where 2 nodes numbers
 * are beyond any memory); ADJACENCY (neighbours that differ in more than one record); OVERLAP
 * (h->count, and nodes, scores or weights); those of dppair_release_vector about the release. No
 * other error depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_score_histogram(dppair_histogram *h, dppair_release *release, const double *s,
                               const double *weight, size_t n, size_t positives) {
  dppair_release_terms_ terms;
  dppair_status status;
  double moves;
  size_t i;
  if (h == NULL) return DPPAIR_ERR_NULL;
  h->records = 0.0;
  status = dppair_array_(h->count, dppair_area_(h->nodes, 2));
  if (status == DPPAIR_OK && n > UINT32_MAX) status = DPPAIR_ERR_OVERFLOW;
  if (status != DPPAIR_OK) return status;
  if (h->count != NULL) memset(h->count, 0, 2 * h->nodes * sizeof *h->count);
  status = dppair_histogram_check_(h);
  if (status == DPPAIR_OK && s == NULL && n > 0) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_release_ready_(release);
  if (status == DPPAIR_OK &&
      n != (release->sampling.kind == DPPAIR_ALL ? release->sampling.n : release->drawn))
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && positives > n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_release_moves_(&moves, release);
  if (status == DPPAIR_OK)
    status = dppair_apart_(h->count, 2 * h->nodes, h->node, h->nodes * sizeof *h->node);
  if (status == DPPAIR_OK)
    status = dppair_rows_apart_(h->count, 2 * h->nodes, n, s, dppair_area_(n, sizeof *s), NULL, 0,
                                NULL, weight);
  if (status != DPPAIR_OK) return status;
  terms.divisor = 1.0;
  terms.sensitivity = moves;
  if (moves > 1.0 && release->mechanism != DPPAIR_LAPLACE)
    terms.sensitivity = 1.4142135623730951; /* > sqrt 2 */
  status = dppair_release_scale_(&terms.scale, release, terms.sensitivity);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  for (i = 0; i < n; i++)
    dppair_histogram_count_(h->count + (i < positives ? 0 : h->nodes), h, s[i],
                            weight != NULL ? dppair_weight_units_(weight[i]) : DPPAIR_COUNT_UNITS_);
  status = dppair_release_noise_(h->count, 2 * h->nodes, release, DPPAIR_GRID_DEFAULT);
  if (status == DPPAIR_OK)
    h->records = dppair_sampling_expected_(&release->sampling);
  else
    memset(h->count, 0, 2 * h->nodes * sizeof *h->count);
  return status;
}

DPPAIR_FP_END_
