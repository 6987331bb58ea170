/* ------------------------------------------------------------------------------------------------
 * Sensitivities of groups: pairs inside queries, groups of g records
 *
 * Conventions, ranges and errors are those of pairs.h, which this chapter relies on.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Queries with m_q records each, whose pairs are inside one query. The statistic is sum_q w_q times
 * the sum over the ordered pairs of q, or the mean over the queries of h_q = (pair sum)/(m_q
 * (m_q - 1)), which is 0 for m_q <= 1. The number of queries and all that stands here is public.
 */
typedef struct dppair_queries {
  size_t count;
  const size_t *size;    /* m_q; NULL: private, and the statistic is the mean of the h_q */
  const double *weight;  /* w_q >= 0; NULL: the mean of the h_q. Public, like the sizes */
  const size_t *records; /* where users are protected: at most so many of one user's in q */
  double clip;           /* of a mean: each h_q is clipped to this norm; 0: not */
  int moving; /* 1: a replaced record may be in another query, so that sizes are private */
} dppair_queries;

/* Which rows of dppair_sensitivity_queries's table are asked for, and is there one? */
DPPAIR_API dppair_status dppair_queries_check_(const dppair_queries *q, int unit) {
  if (!dppair_isfinite_f64(q->clip)) return DPPAIR_ERR_NOT_FINITE;
  if (q->clip < 0.0 || !dppair_ordinary_(q->clip) || (q->moving != 0 && q->moving != 1))
    return DPPAIR_ERR_DOMAIN;
  if (q->count < 1) return DPPAIR_ERR_SIZE;
  if (unit != DPPAIR_OF_USERS_ && q->records != NULL) return DPPAIR_ERR_UNREAD;
  if (unit != DPPAIR_OF_RECORDS_ && q->moving) return DPPAIR_ERR_UNREAD;
  if (q->size == NULL)
    return q->weight == NULL && unit != DPPAIR_OF_USERS_ &&
                   (unit == DPPAIR_OF_QUERIES_ || q->moving)
               ? DPPAIR_OK
               : DPPAIR_ERR_NO_PROOF;
  if (unit == DPPAIR_OF_USERS_ && q->records == NULL) return DPPAIR_ERR_NULL;
  return q->moving || (q->weight != NULL && q->clip > 0.0) ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/* How far one query moves the statistic, `most` of whose m >= 2 records are replaced or zeroed. */
DPPAIR_API double dppair_query_move_(const dppair_pair_unit *pair, const dppair_queries *q,
                                     size_t i, size_t most, int replaced) {
  const double m = (double)q->size[i];
  double move = dppair_owned_pairs_(pair, q->size[i], most, replaced), limit;
  if (q->weight != NULL) return move * q->weight[i];
  move = move / m / (m - 1.0);
  limit = !replaced && most == q->size[i] ? q->clip : 2.0 * q->clip;
  if (q->clip > 0.0 && limit < move) move = limit;
  return move / (double)q->count;
}

/*
 * How far the statistic moves, by what is protected. c = min(C, u) is the norm of a total, P(m, k)
 * what k of m records move the sum over their pairs (dppair_owned_pairs_: for two levels, replaced,
 * u T(m, k), else at most twice the sum of the totals that they touch).
 *
 *   record        stays in its query; sizes public       max w_q P(m_q, 1): with means, two
 *                                                         levels, u/(count min m_q)
 *   record        may change its query, sizes private    replaced min(4 clip, 4c/3)/count
 *                                                         zeroed half of it
 *   user        sizes public, records[q] in query q    sum w_q P(m_q, records[q])
 *   query         sizes public                           max w_q P(m_q, m_q)
 *   query         sizes private                          replaced min(2 clip, c)/count, zeroed half
 *
 * With public sizes each query's part is at most 2 clip/count too (clip/count where all of it is
 * zeroed). All else is NO_PROOF: private sizes with weights of one's own; a user and private
 * sizes; a record that stays in a query of private size; clipped h_q that are not averaged.
 *
 * Proof. Pairs touch one query each, and the queries' directions can agree. |h_q| <= c/2, as a
 * query has m (m-1)/2 totals; attained at m = 2. A record that leaves a query of m moves h_q by
 * (2/m) (M - a), M the mean total over 2 of the m - 1 others and a that of the record with them,
 * |M| and |a| halved: at most c/2 for m = 2 and 2c/3 for m >= 3 (attained, without structure); so
 * does a null that stays. One that changes its query moves two of them. Clipping is 1-Lipschitz.
 *
 * Queries that are drawn: `count` is the number of queries in a batch (a constant), and the law is
 * that of records, with the queries for them: without replacement the value for replacing, Poisson
 * that for zeroing. SIZE also: no query has a pair, or more records than it has.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_queries(double *sensitivity,
                                                                      const dppair_pair_unit *pair,
                                                                      const dppair_queries *queries,
                                                                      dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  const int unit = dppair_adjacency_unit_(adjacency);
  const int replaced = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE;
  const dppair_queries *q = queries;
  double most = 0.0, sum = 0.0;
  size_t i, paired = 0;
  if (status == DPPAIR_OK && pair->matched > 0.0) status = DPPAIR_ERR_UNREAD;
  if (status == DPPAIR_OK) status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  if (q == NULL) return DPPAIR_ERR_NULL;
  status = dppair_queries_check_(q, unit);
  if (status != DPPAIR_OK) return status;
  if (q->size == NULL) {
    most = (q->moving ? 2.0 / 3.0 : 0.5) * dppair_pair_norm_(pair);
    sum = q->moving ? 2.0 * q->clip : q->clip;
    if (q->clip > 0.0 && sum < most) most = sum;
    return dppair_sensitivity_store_(sensitivity,
                                     (replaced ? 2.0 * most : most) / (double)q->count);
  }
  for (i = 0; i < q->count; i++) {
    const size_t m = q->size[i];
    const size_t k = unit == DPPAIR_OF_USERS_ ? q->records[i] : 1;
    double move;
    if (k > m && unit == DPPAIR_OF_USERS_) return DPPAIR_ERR_SIZE;
    if (q->weight != NULL) {
      if (!dppair_isfinite_f64(q->weight[i])) return DPPAIR_ERR_NOT_FINITE;
      if (q->weight[i] < 0.0 || !dppair_ordinary_(q->weight[i])) return DPPAIR_ERR_DOMAIN;
    }
    if (m < 2 || k == 0) continue;
    move = dppair_query_move_(pair, q, i, unit == DPPAIR_OF_QUERIES_ ? m : k, replaced);
    if (move > most) most = move;
    sum = dppair_plus_up_(sum, move);
    paired++;
  }
  if (paired == 0) return DPPAIR_ERR_SIZE;
  return dppair_sensitivity_store_(sensitivity,
                                   (unit == DPPAIR_OF_USERS_ ? sum : most) * (1.0 + 1e-15));
}

/*
 * Groups of g records (contrastive losses, triplets, quadruplets), each group's vector any function
 * of its records, clipped to `clip` = C: what the noise multiplier of such a step divides, as
 * `sensitivity` of the function named. The relation is about records.
 *
 *   MATCHING          m of n records without replacement, put at random into m/g groups; the mean
 *                     over the groups: 2 C g/m, _sampled_gaussian, whose rate is m/n. All records
 *                     in groups (m = n): the same without amplification, and C g/n under ZERO_OUT
 *                     if dropped
 *   WITH_REPLACEMENT  m groups, each a uniform subset of g = group of n records (0: pairs),
 *                     independent of the others; their sum: C, _sampled_pairs, which counts 2C for
 *                     each of K ~ Bin(m, g/n) hits
 *   POISSON           the groups of a public partition, n of them, each with a coin of rate q, or
 *                     m/n; their sum: C, _sampled_gaussian (replaced: +C against -C; ZERO_OUT only
 *                     if dropped)
 *
 * dropped: groups that hold a null record contribute nothing; where they are pairs the nulls see to
 * that. A group whose member becomes null still has a vector of norm C otherwise, and moves by 2C.
 * Under sampling without replacement zeroing moves 2C/b even if dropped: "not drawn" (-C, a fresh
 * record) and "drawn" (+C) are that far apart.
 * Errors: also those of the sampling; SIZE: m or n missing; ADJACENCY: ZERO_OUT where it is not
 * covered; NO_PROOF: another kind.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_groups(
    double *sensitivity, double clip, const dppair_sampling *sampling, int dropped) {
  const dppair_sampling *s = sampling;
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, 0.0, 0.0);
  int zeroed;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  if (dropped != 0 && dropped != 1) return DPPAIR_ERR_DOMAIN;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_RECORDS_);
  if (status != DPPAIR_OK) return status;
  zeroed = dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT;
  switch (s->kind) {
  case DPPAIR_MATCHING:
    if (s->m == 0) return DPPAIR_ERR_SIZE;
    clip *= zeroed && dropped && s->m == s->n ? 1.0 : 2.0;
    clip = clip * (double)dppair_sampling_group_(s) / (double)s->m;
    break;
  case DPPAIR_WITH_REPLACEMENT:
    break;
  case DPPAIR_POISSON:
    if (zeroed && !dropped) return DPPAIR_ERR_ADJACENCY;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, clip);
}
