/* ------------------------------------------------------------------------------------------------
 * The sensitivity of top-weighted gradients
 *
 * How far one replaced record (its label too) moves the gradient of coeffs.h's losses for linear
 * scores, divided by public numbers. Of the gradient of a pair let G be the largest norm and D the
 * largest move when one of its records is replaced (losses/moves.h; D = G = 2Rs for a monotone phi
 * of slopes up to s), and let p positives and q = n - p negatives be there; p and q are private.
 *
 * Scores are functions of one record and w, so those of the others stay. Sums of slopes and values
 * are those of fixed functions K(s, s') of two scores. Cuts compare scores as they are computed, so
 * nothing that kernels or rounding do moves a selection but the records themselves.
 *
 * PARTIAL, divided by m k (all positives count as n, all negatives as n - 1):
 *
 *     S = D min(n - 1, m + k)/(m k), with (m + k - 2) D + 2G for (m + k) D
 *     zero-out: S = D max(m, k)/(m k)
 *
 * Proof. Break ties by a random order of all records that could be there; the gradient is the mean
 * over the orders, for each of which the selected sets A of min(m, p) and T of min(k, q) records
 * differ as follows, and norms are convex. z becomes z':
 *   positive to positive   A changes by one record at most, which meets T: min(k, q) D
 *   negative to negative   min(m, p) D
 *   positive to negative   A loses z and, if p > m, gains i; T gains z' and, if q >= k, loses j.
 *     Both: (m-1) pairs change j for z', k-1 change z for i, (z, j) becomes (i, z'):
 *     (m + k - 2) D + 2G, and n >= m + k + 1. Only i: q D + m G with q < k, p > m. Only j:
 *     (p-1) D + k G with p <= m, q >= k. Neither: (q + p - 1) G.
 * All are at most both formulas: D >= G, and min(n - 1, ..) because q + m <= n - 1 if p > m, and
 * p - 1 + k <= n - 1 if q >= k. A null record's z or z' is not there: min(k, q) D or min(m, p) D.
 * So is a record that joins a Poisson sample or a batch of an allocation, whose size is not read.
 * One-way: (n - 1) D, the same as all pairs. The shares of ties are rounded: n^2 epsilon G more.
 *
 * PUSH, divided by n, phi in [0, M]:      S = r M^(r-1) D/n,  zero-out too
 *
 * Proof. H_j <= p M/(n-1), and the term of j is W_j V_j, W = r H^(r-1), V_j the mean slope vector,
 * both over n - 1. In units of r M^(r-1) (n-1)^-r:
 *   negative to negative   one term: p^(r-1) p D. (Vectors a v, 0 <= a <= 1, are at most max(D, G)
 *     apart if v are at most D apart and G long.)
 *   positive to positive   H_j moves by M at most, so W_j by p^(r-1) - (p-1)^(r-1) (r >= 2: convex;
 *     r = 1: 0), times (p-1) G of the others, and W v by p^(r-1) D: q (p^r - (p-1)^r) D at most
 *   positive to negative   q (p^r - (p-1)^r) G, and a new term (p-1)^r G
 * f(p) = (n-p)(p^r - (p-1)^r) + (p-1)^r grows with p: f(p+1) - f(p) is n-p-1 times a second
 * difference of a convex function. So it is at most f(n) = (n-1)^r, and so is p^r for p <= n - 1.
 *
 * PRECISION, divided by n, phi in [L, M], L > 0, replace-one only (null records have no values):
 *
 *     S n = max((n-1)/n (G (M + (M-L)/8 + L))/L^2 + G/(2L), (n-1)/n ((M-L) G + L D)/L^2 + G/L)
 *
 * Proof. The term of i is X = alpha V_N - beta V_P, V the slope vectors summed over negatives and
 * positives, alpha = (1-Q)/D_i, beta = Q/D_i, D_i = A + B >= nL, Q = A/D_i.
 *   Its own record: |X| <= pq (a+b) G/(qa + pb)^2 with A = qa, B = pb, and that is at most
 *     (1/a + 1/b) G/4 <= G/(2L). Replaced: twice that, becoming a negative: once.
 *   A positive z becomes a negative z': move A by v' and -B by v in [L, M] along a line. There
 *     d alpha = ((1-2Q) v - 2(1-Q) v')/D_i^2 * -1 and d beta = ((1-2Q) v' + 2Q v)/D_i^2 up to sign;
 *     for Q <= 1/2 the first is at most M + (1-2Q)(M-L), the second M, else mirrored. At most n - 1
 *     others count, and q <= Q D_i/L, (1-2Q) Q <= 1/8: together (M + (M-L)/8)/(n L^2) G. z and z'
 *     themselves: alpha' + beta <= (1-Q)/D' + Q/D <= 1/(nL) because Q does not fall.
 *   The same label: (M-L) (2(1-Q) q + |1-2Q| p)/D_i^2 or its mirror, at most (M-L)/(n L^2) by
 *     q <= Q D_i/L, p <= (1-Q) D_i/L; and D/(nL).
 * At most n - 1 other positives have such a term. It takes a phi that does not vanish, such as the
 * logistic one; M/L is within e^(2R|w|) there, so this is for small R |w|.
 *
 * NDCG, the mean over Q queries of their vectors, each clipped to C: 2C/Q for a record that stays
 * in its query and for a replaced query, C/Q for a query that becomes null (C/m where a sampling
 * expects m); nothing else is proved.
 *
 * What arithmetic adds. Slopes as NAME_allowance says. [L, M] is widened by the kernel error of
 * values. Rounding of values and weights, relative to M (n values) at most e, moves PUSH's gradient
 * by n^2/4 W G r e, PRECISION's by 3 n (G/L) e M/L, for either neighbour. Boxes round weights of at
 * most 1 to multiples of t = 2^-50 first: the weight of a pair of PARTIAL moves by 2 t at most, one
 * of PUSH by 2 t W (the largest weight is above 1/2 when it is scaled), one of PRECISION by 2 t/(n
 * L).
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* What a selection of n records has places for, `wanted` or all of `most`. */
DPPAIR_API double DPPAIR_NAME_top_places_(size_t wanted, size_t n, size_t most) {
  return (double)(wanted > 0 && wanted < n ? wanted : most);
}

/* What a release of n records divides by: places, records or queries; all are public. */
DPPAIR_API double DPPAIR_NAME_top_divisor_(size_t n, const dppair_top *top) {
  if (top->kind != DPPAIR_TOP_PARTIAL) return (double)n;
  return DPPAIR_NAME_top_places_(top->positives, n, n) *
         DPPAIR_NAME_top_places_(top->negatives, n, n - 1);
}

/* The move of the sum of PARTIAL's pairs. */
DPPAIR_API double DPPAIR_NAME_top_moved_(const dppair_moves_ *m, size_t n, const dppair_top *top,
                                         int replaced) {
  const double others = (double)n - 1.0;
  const double up = DPPAIR_NAME_top_places_(top->positives, n, n - 1);
  const double down = DPPAIR_NAME_top_places_(top->negatives, n, n - 1);
  const double larger = up > down ? up : down;
  if (!replaced) return m->replaced * larger;
  if (up + down > others) return m->replaced * others;
  return (up + down - 2.0) * m->replaced + 2.0 * m->norm;
}

/* *low <= phi <= *high over the margins that are reached, as values are computed: a monotone phi is
 * extreme at the ends. NO_PROOF. */
DPPAIR_API dppair_status DPPAIR_NAME_top_range_(double *low, double *high, const dppair_moves_ *m,
                                                unsigned flags, double slack,
                                                const double *params) {
  const double room = (4.0 * DBL_EPSILON + slack) * m->at.reach + 1e-30;
  const DPPAIR_REAL ends[2] = {(DPPAIR_REAL)(m->at.low[0] - room),
                               (DPPAIR_REAL)(m->at.high[0] + room)};
  const DPPAIR_REAL zero = 0;
  dppair_status status;
  if (!(flags & DPPAIR_IS_MONOTONE) || m->at.kinds != 1) return DPPAIR_ERR_NO_PROOF;
  if (!DPT_FINITE(ends, 2)) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_risk_not_private(high, ends, 1, &zero, 1, params);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_risk_not_private(low, ends + 1, 1, &zero, 1, params);
  return status == DPPAIR_ERR_NOT_FINITE ? DPPAIR_ERR_NO_PROOF : status;
}

/* PUSH: *sensitivity of the sum over n, without the last rounding. */
DPPAIR_API dppair_status DPPAIR_NAME_top_push_move_(double *move, const dppair_moves_ *m, double n,
                                                    unsigned power, double low, double high,
                                                    DPPAIR_NAME_top_error_ e, double factor,
                                                    double rounding) {
  const double most = high + 2.0 * e.kernel, r = (double)power;
  const double weight = r * dppair_top_power_(most, power - 1) * (1.0 + 4.0 * r * DBL_EPSILON);
  const double off = r * (e.rounding / most + 2.0 * DBL_EPSILON) + 2.0 * e.weights;
  if (low < 0.0 || !(most > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!(off <= 0.01)) return DPPAIR_ERR_SIZE;
  *move = weight * (m->replaced * factor + 0.51 * n * n / (n - 1.0) * m->norm * factor * off +
                    2.0 * rounding / (n - 1.0));
  return DPPAIR_OK;
}

/* PRECISION, likewise. */
DPPAIR_API dppair_status DPPAIR_NAME_top_precision_move_(double *move, const dppair_moves_ *m,
                                                         double n, double low, double high,
                                                         DPPAIR_NAME_top_error_ e, double factor,
                                                         double rounding) {
  const double L = low - e.kernel, M = high + e.kernel, share = (n - 1.0) / n;
  const double G = m->norm * factor, D = m->replaced * factor;
  const double off = e.rounding / L + 8.0 * DBL_EPSILON + e.weights;
  double flipped, same;
  if (!(low > 0.0) || !(L > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!(off <= 0.01)) return DPPAIR_ERR_SIZE;
  flipped = share * G * (M + 0.125 * (M - L) + L) / L / L + 0.5 * G / L;
  same = share * ((M - L) * G + L * D) / L / L + G / L;
  *move =
      (flipped > same ? flipped : same) + 6.1 * n * G / L * off * 1.02 + 4.0 * rounding / (n * L);
  return DPPAIR_OK;
}

/* NDCG: how far the mean over queries moves whose vectors are clipped. */
DPPAIR_API dppair_status DPPAIR_NAME_top_queries_move_(double *move, size_t d,
                                                       const dppair_sampling *s,
                                                       const dppair_options *options) {
  const double clip = dppair_clip_bound_(options) * (1.0 + ((double)d + 24.0) * DBL_EPSILON);
  dppair_grouped_ units, *u;
  double k, all;
  size_t count;
  dppair_status status;
  int whole;
  if (!options->groups || options->groups->relation != DPPAIR_WITHIN) return DPPAIR_ERR_NO_PROOF;
  status = dppair_clip_check_(options);
  if (status != DPPAIR_OK) return status;
  if (!(dppair_isfinite_f64(clip) && clip > 0.0)) return DPPAIR_ERR_NO_PROOF;
  status = dppair_groups_fit_(options->groups, 1);
  if (status != DPPAIR_OK) return status;
  u = DPPAIR_NAME_units_(&units, options->groups, s, 1);
  status = dppair_moves_count_(&count, s, u);
  if (status != DPPAIR_OK) return status;
  whole = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_QUERIES_;
  k = whole ? dppair_sampling_expected_(s) : (double)u->count;
  all = (double)u->all;
  if (all * DBL_EPSILON > 0.001) return DPPAIR_ERR_SIZE;
  *move = whole && dppair_sampling_move_(s) == DPPAIR_ZERO_OUT ? clip : 2.0 * clip;
  *move = (*move + 1.01 * all * all * clip * DBL_EPSILON) / k + 6.0 * DBL_EPSILON * clip * all / k;
  return DPPAIR_OK;
}

/* The losses of all pairs' phi, for n records. */
DPPAIR_API dppair_status DPPAIR_NAME_top_pairs_move_(double *move, size_t d,
                                                     const dppair_bounds *bounds,
                                                     const dppair_sampling *s,
                                                     const dppair_top *top,
                                                     const dppair_options *options) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double slack = ((double)d + 24.0) * epsilon;
  const dppair_loss_facts facts = DPT_FACTS;
  const dppair_fast *f = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? options->fast : NULL;
  const int replaced = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE;
  double factor, rounding, low = 0.0, high = 0.0, k, divisor, pairs;
  DPPAIR_NAME_top_error_ e = {0.0, 0.0, f && f->order_free ? DPPAIR_SKETCH_UNIT_ : 0.0};
  dppair_moves_ m;
  size_t n;
  dppair_status status = dppair_moves_count_(&n, s, NULL);
  if (status != DPPAIR_OK) return status;
  if (s->owned > 0) return DPPAIR_ERR_NO_PROOF;
  if (s->kind != DPPAIR_ALL && s->kind != DPPAIR_WITHOUT_REPLACEMENT &&
      !(dppair_sampling_is_random_(s->kind) && top->kind == DPPAIR_TOP_PARTIAL))
    return DPPAIR_ERR_NO_PROOF;
  if (options->groups || options->clip || DPPAIR_NAME_top_grid_(options))
    return DPPAIR_ERR_NO_PROOF;
  if (top->kind == DPPAIR_TOP_PRECISION && s->adjacency != DPPAIR_REPLACE_ONE)
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_moves_find_(&m, DPPAIR_MARGIN_ind, &facts, options->params, bounds, 0.0,
                              f ? f->score_cap : HUGE_VAL, slack, 0.0);
  if (status != DPPAIR_OK) return status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (f && dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (f && !DPPAIR_NAME_fast_is_proved_(f, options->params)) return DPPAIR_ERR_WORKSPACE;
#endif
  if (DPPAIR_RANGE_ == 2) status = DPPAIR_NAME_spot_(&m, options->params);
  k = (double)n;
  /* PRECISION: pairs among positives too, in two sums; n^2 on both sides of either */
  pairs = top->kind == DPPAIR_TOP_PRECISION ? 2.0 * k * k : 0.5 * k * k;
  if (status == DPPAIR_OK)
    status = dppair_allowance_of_(&factor, &rounding, f, epsilon, k, pairs, pairs, bounds->radius,
                                  m.slope);
  if (status == DPPAIR_OK && top->kind != DPPAIR_TOP_PARTIAL) {
    status = DPPAIR_NAME_top_range_(&low, &high, &m, facts.flags, slack, options->params);
    if (status == DPPAIR_OK) e = DPPAIR_NAME_top_error_of_(f, k, m.slope, high);
  }
  if (status != DPPAIR_OK) return status;
  divisor = DPPAIR_NAME_top_divisor_(n, top);
  if (top->kind == DPPAIR_TOP_PARTIAL)
    *move = DPPAIR_NAME_top_moved_(&m, n, top, replaced) * factor + rounding +
            k * k * (DBL_EPSILON + 1.01 * e.weights) * m.norm +
            6.0 * DBL_EPSILON * m.norm * divisor;
  else if (top->kind == DPPAIR_TOP_PUSH)
    status = DPPAIR_NAME_top_push_move_(move, &m, k, top->power, low, high, e, factor, rounding);
  else
    status = DPPAIR_NAME_top_precision_move_(move, &m, k, low, high, e, factor, rounding);
  if (status == DPPAIR_OK && top->kind != DPPAIR_TOP_PARTIAL)
    *move += 6.0 * DBL_EPSILON * k * *move;
  *move /= divisor;
  return status;
}

/*
 * *sensitivity = how far the gradient of NAME_top_gradient, divided as NAME_release_top does, moves
 * in l2 norm between neighbours: rounding, kernels and that division included.
 *
 *   d, bounds   as for NAME_sensitivity
 *   sampling    all records, or a draw without replacement, for PARTIAL also Poisson and
 *               allocation: a batch is ranked by itself. NDCG: as NAME_sensitivity takes queries
 *   top, pass   as NAME_top_gradient takes them. NDCG: clip, and queries
 *
 * Proof: above. Errors zero *sensitivity: those of NAME_sensitivity; DOMAIN, UNREAD (top); NO_PROOF
 * also for other samplings, for PUSH and PRECISION of a phi that is not monotone or is negative
 * somewhere, for PRECISION of one that comes to 0 or under zero-out, for NDCG without a clip; SIZE
 * for so many records that rounding of values says nothing.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_sensitivity(
    double *sensitivity, size_t d, const dppair_bounds *bounds, const dppair_sampling *sampling,
    const dppair_top *top, const dppair_options *options) {
  double move = 0.0;
  dppair_status status;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!bounds || !sampling || !top || !options) return DPPAIR_ERR_NULL;
  status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  if (top->kind == DPPAIR_TOP_NDCG)
    status = DPPAIR_NAME_top_queries_move_(&move, d, sampling, options);
  else
    status = DPPAIR_NAME_top_pairs_move_(&move, d, bounds, sampling, top, options);
  if (status != DPPAIR_OK) return status;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */
