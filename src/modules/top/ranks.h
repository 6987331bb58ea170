/* ------------------------------------------------------------------------------------------------
 * Pairs of a query, weighted by NDCG
 *
 * LambdaRank (Burges et al. 2006) with capped weights. A query's records are ranked by their
 * scores; place r = 1, 2, .. has the discount 1/log2(1 + r), or 0 beyond `depth`; a record of grade
 * y gains 2^y - 1. NDCG is the sum of gain times discount, divided by that of the best ranking. A
 * pair of which i has the larger grade has the weight min(cap, |dNDCG|),
 *
 *     |dNDCG| = (gain_i - gain_j) |discount_i - discount_j| / (that sum of the best ranking),
 *
 * and pushes by phi'(s_i - s_j). O(m log m) for the ranks of m records, O(m depth) for their pairs
 * (all places: O(m^2)): a pair beyond the depth has the weight 0 and is not visited. Logarithms are
 * those of the C library, whose last bit differs between libraries.
 *
 * Of records with equal scores the one of the lower grade stands first, so that ties, as at w = 0,
 * are pushed apart; where grades are equal too they share the mean of their discounts. No order of
 * the rows matters.
 *
 * This is no gradient of a loss, and one record changes all weights of its query: only the sum of a
 * query with a clip has a sensitivity (sensitivity.h).
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Ranks records: does record i of s and gain come before j? */
DPPAIR_API int DPPAIR_NAME_top_before_(const DPPAIR_REAL *s, const double *gain, size_t i,
                                       size_t j) {
  if (s[i] > s[j] || s[i] < s[j]) return s[i] > s[j];
  return gain[i] < gain[j];
}

/* order[0..m) = the records 0..m-1, ranked; by heap sort, the last of a rank on top. */
DPPAIR_API void DPPAIR_NAME_top_order_(size_t *order, const DPPAIR_REAL *s, const double *gain,
                                       size_t m) {
  size_t start = m / 2, end = m, i;
  for (i = 0; i < m; i++) order[i] = i;
  while (end > 1) {
    size_t root, child, v;
    if (start > 0) {
      v = order[--start];
    } else {
      v = order[--end];
      order[end] = order[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && DPPAIR_NAME_top_before_(s, gain, order[child], order[child + 1]))
        child++;
      if (!DPPAIR_NAME_top_before_(s, gain, v, order[child])) break;
      order[root] = order[child];
    }
    order[root] = v;
  }
}

/* The discounts of the ranked records, in ranks; returns how many places may have one. */
DPPAIR_API size_t DPPAIR_NAME_top_discounts_(double *discount, const size_t *order,
                                             const DPPAIR_REAL *s, const double *gain, size_t m,
                                             size_t depth) {
  size_t r = 0, places = 0;
  while (r < m) {
    size_t end = r, k;
    double sum = 0.0;
    while (end < m && !DPPAIR_NAME_top_before_(s, gain, order[r], order[end])) { /* a tie */
      if (end < depth) sum += 1.0 / dppair_log2_((double)end + 2.0);
      end++;
    }
    for (k = r; k < end; k++) discount[k] = sum / (double)(end - r);
    if (sum > 0.0) places = end;
    r = end;
  }
  return places;
}

/* Adds the pairs of one query of m records to c[0..m). gain, discount, sorted, weight, i, j, order:
 * room for m numbers each, gain is filled. */
DPPAIR_API void DPPAIR_NAME_top_query_(double *c, const DPPAIR_REAL *s, size_t m,
                                       const dppair_top *top, const double *params,
                                       const DPPAIR_NAME_top_room_ *room) {
  double *const gain = room->key, *const discount = room->second, *const sorted = room->c;
  const size_t depth = top->depth ? top->depth : m;
  const double cap = top->cap > 0.0 ? top->cap : 1.0;
  double best = 0.0;
  size_t places, r, t;
  memcpy(sorted, gain, m * sizeof *gain);
  dppair_sort_f64(sorted, m);
  for (r = 0; r < m && r < depth; r++) best += sorted[m - 1 - r] / dppair_log2_((double)r + 2.0);
  if (!(best > 0.0)) return;
  DPPAIR_NAME_top_order_(room->order, s, gain, m);
  places = DPPAIR_NAME_top_discounts_(discount, room->order, s, gain, m, depth);
  for (r = 0; r < places; r++) {
    const size_t i = room->order[r];
    size_t count = 0;
    for (t = r + 1; t < m; t++) {
      const size_t j = room->order[t];
      const double moved = dppair_fabs_((gain[i] - gain[j]) * (discount[r] - discount[t])) / best;
      if (!(moved > 0.0)) continue;
      room->i[count] = gain[i] > gain[j] ? i : j;
      room->j[count] = gain[i] > gain[j] ? j : i;
      room->weight[count++] = moved < cap ? moved : cap;
    }
    DPPAIR_DISPATCH_(DPPAIR_NAME_pairs,
                     (c, c, s, s, room->i, room->j, room->weight, count, params));
  }
}

/*
 * c[n]: the sums over the pairs of each query, weighted as above, of phi'(s_i - s_j), added for i
 * and subtracted for j.
 *   y      n grades, graded or binary; they count as held within [0, 32], NaN as 0
 *   top    kind DPPAIR_TOP_NDCG, depth, cap
 *   options params; groups: the queries, WITHIN, as those of a form (`negative` is NULL): records of
 *          a query stand together. NULL: all records are one query. work: NAME_top_coeffs_workspace
 *          of n records. fast and clip are not read
 *
 * Errors zero c: NULL; DOMAIN, UNREAD (top; groups that are not queries); SIZE (places);
 * WORKSPACE; NOT_FINITE (a score or a result); ENVIRONMENT; OVERFLOW, which does not touch it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_ranks(double *c, const DPPAIR_REAL *s,
                                                                 const DPPAIR_REAL *y, size_t n,
                                                                 const dppair_top *top,
                                                                 const dppair_options *options) {
  const size_t all[2] = {0, n};
  const size_t *place = all;
  DPPAIR_NAME_top_room_ room;
  size_t q, i, count = 1;
  dppair_status status = dppair_zero_(c, n, NULL, 0);
  if (status != DPPAIR_OK) return status;
  if (!top || !options || ((!s || !y) && n)) return DPPAIR_ERR_NULL;
  if (top->kind != DPPAIR_TOP_NDCG) return DPPAIR_ERR_DOMAIN;
  status = DPPAIR_NAME_top_open_(&room, n, top, options);
  if (status == DPPAIR_OK && options->groups)
    status = dppair_groups_check_(options->groups, n, 0, 1);
  if (status != DPPAIR_OK) return status;
  if (options->groups) {
    if (options->groups->relation != DPPAIR_WITHIN) return DPPAIR_ERR_DOMAIN;
    place = options->groups->positive;
    count = options->groups->count;
  }
  if (!DPT_FINITE(s, n)) return DPPAIR_ERR_NOT_FINITE;
  for (q = 0; q < count; q++) {
    const size_t first = place[q], m = place[q + 1] - first;
    for (i = 0; i < m; i++) {
      const double grade = (double)y[first + i];
      room.key[i] = dppair_exp2_(grade > 0.0 ? (grade < 32.0 ? grade : 32.0) : 0.0) - 1.0;
    }
    DPPAIR_NAME_top_query_(c + first, s + first, m, top, options->params, &room);
  }
  return dppair_settle_(DPPAIR_OK, c, n, NULL, 0);
}

DPPAIR_FP_END_
