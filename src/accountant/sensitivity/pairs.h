/* ------------------------------------------------------------------------------------------------
 * The sensitivity of a sum over pairs
 *
 * dppair_sensitivity: from what is known of one pair and from the sampling of the step, which says
 * who the neighbours are and how records are drawn. Relies on sensitivity.h.
 *
 * Not private, whatever the noise: a number of records per user that is found in the data and
 * then used as the bound; weights that depend on what others own; divisors that do.
 * ---------------------------------------------------------------------------------------------- */

/* What is known of the totals of a record with its partners. A total is the gradient of one
 * unordered pair: both orders added up. */
typedef enum dppair_levels {
  DPPAIR_LEVELS_TWO = 1,     /* ranking losses with two label levels: phi(w.(x - x')) 1[y > y']
                                ('ind'), phi(sign(y - y') w.(x - x')) ('sign'), phi((y - y')
                                w.(x - x')) ('diff') */
  DPPAIR_LEVELS_GENERAL = 2, /* any loss of a linear margin: three label levels or more, the pinball
                                of y - y' - w.(x - x') */
  DPPAIR_LEVELS_ANY = 3,     /* any loss: metrics, networks, similarities, a clip alone */
  DPPAIR_LEVELS_REAL = 4     /* 'diff' with real labels; the square of y - y' - w.(x - x') */
} dppair_levels;

/* One pair of records, as dppair_sensitivity reads it. Unused fields are 0. */
typedef struct dppair_pair_unit {
  dppair_levels levels;
  double unit;  /* u: the largest norm of a total; HUGE_VAL: only a clip bounds it */
  double clip;  /* C: totals are clipped to this norm; 0: not */
  double block; /* users are drawn: the weighted total of two of them has at most this norm;
                     0: not clipped */
  double
      matched; /* > 0: a batch of a random size (POISSON, ALLOCATION) is put into pairs at random,
                     and the sum of their totals is divided by this constant */
  int classes; /* users are drawn: 1: a user's positives and his negatives have weights of
                     their own, each summing to 1 */
} dppair_pair_unit;

/* Of a total: its norm, and how far it moves when one of its records is replaced. Two levels and
 * real labels: the totals with one partner lie in a convex set of diameter u that contains 0 (the
 * proof of dppair_sensitivity), and clipping keeps them in it. */
DPPAIR_API double dppair_pair_norm_(const dppair_pair_unit *p) {
  return p->clip > 0.0 && p->clip < p->unit ? p->clip : p->unit;
}

DPPAIR_API double dppair_pair_move_(const dppair_pair_unit *p) {
  const double twice = 2.0 * dppair_pair_norm_(p);
  const int convex = p->levels == DPPAIR_LEVELS_TWO || p->levels == DPPAIR_LEVELS_REAL;
  return convex && p->unit < twice ? p->unit : twice;
}

/* Zeroes *out, and checks the numbers of a pair; which of its fields are read is not asked. */
DPPAIR_API dppair_status dppair_pair_numbers_(double *out, const dppair_pair_unit *p) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (p == NULL) return DPPAIR_ERR_NULL;
  if ((!(p->unit >= HUGE_VAL) && !dppair_isfinite_f64(p->unit)) || !dppair_isfinite_f64(p->clip) ||
      !dppair_isfinite_f64(p->block) || !dppair_isfinite_f64(p->matched))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(p->unit >= 0.0 && p->clip >= 0.0 && p->block >= 0.0 && p->matched >= 0.0))
    return DPPAIR_ERR_DOMAIN;
  if ((p->unit < HUGE_VAL && !dppair_ordinary_(p->unit)) || !dppair_ordinary_(p->clip) ||
      !dppair_ordinary_(p->block) || !dppair_ordinary_(p->matched))
    return DPPAIR_ERR_DOMAIN;
  return (int)p->levels < DPPAIR_LEVELS_TWO || (int)p->levels > DPPAIR_LEVELS_REAL ||
                 (p->classes != 0 && p->classes != 1)
             ? DPPAIR_ERR_DOMAIN
             : DPPAIR_OK;
}

/* The same. weighted: blocks and classes are read. UNREAD: a field that is not; NO_PROOF: nothing
 * bounds a total. */
DPPAIR_API dppair_status dppair_pair_check_(double *out, const dppair_pair_unit *p, int weighted) {
  const dppair_status status = dppair_pair_numbers_(out, p);
  if (status != DPPAIR_OK) return status;
  if (!weighted && (p->block > 0.0 || p->classes != 0)) return DPPAIR_ERR_UNREAD;
  if (p->unit >= HUGE_VAL && !(p->clip > 0.0) && !(p->block > 0.0)) return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* Is this a relation that protects `unit`? */
DPPAIR_API dppair_status dppair_adjacency_of_(dppair_adjacency adjacency, int unit) {
  const dppair_status status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  return dppair_adjacency_unit_(adjacency) == unit ? DPPAIR_OK : DPPAIR_ERR_ADJACENCY;
}

/* j (n - j): pairs that a cut of j of n places separates. Doubles, since squares of sizes overflow
 * integers; exact below 2^26, else within 3 roundings. */
DPPAIR_API double dppair_cut_(size_t n, size_t j) { return (double)j * (double)(n - j); }

/* T(n, k) = q (n - q) + floor(k^2/4), q = min(k, floor(n/2)), k <= n. */
DPPAIR_API double dppair_owned_(size_t n, size_t k) {
  return dppair_cut_(n, k < n / 2 ? k : n / 2) + dppair_cut_(k, k / 2);
}

/* max over 0 <= q <= k of D (n-k) q + c (q (k-q) + max over r <= q of r (k-r)), c <= D <= 2c: T(n,
 * k) c where D = c. Concave in q with its top at k/2 + D (n-k)/(2c) >= n/2, or at k. */
DPPAIR_API double dppair_owned_clipped_(double norm, double move, size_t n, size_t k) {
  double top, best = 0.0;
  size_t q = k, i;
  if (!(norm > 0.0)) return 0.0;
  top = 0.5 * (double)k + 0.5 * move / norm * (double)(n - k);
  if (top < (double)k) q = (size_t)top + 2 < k ? (size_t)top + 2 : k;
  for (i = 0; i < 4; i++) {
    const double inside = dppair_cut_(k, q) + dppair_cut_(k, q < k / 2 ? q : k / 2);
    const double value = move * (double)(n - k) * (double)q + norm * inside;
    if (value > best) best = value;
    if (q == 0) break;
    q--;
  }
  return best;
}

/*
 * How far the sum over all pairs of n records moves with k of them, k <= n, c = min(C, u) being the
 * norm of a total and D its move (min(2C, u) for two levels):
 *
 *                    zeroed                                    replaced
 *   two levels       c cut(n, k)                               dppair_owned_clipped_: u T(n, k)
 *   linear margin    min(u cut(n, k), C k (2n-k-1)/2)          twice that (real labels too)
 *   any loss         c k (2n-k-1)/2                            twice that
 *
 * cut(n, k) = q (n-q), q = min(k, floor(n/2)). Attained without a clip; two levels with one,
 * replaced, but for c k^2/4. Proof. k (2n-k-1)/2 pairs touch the records. Linear margin, along a
 * unit vector e: a total is at most u |t - t'|/2, t = x.e/R in
 * [-1, 1]; the sum over touched pairs is convex in each t, so each is +-1, and opposite ones count:
 * a cut of which one side is among the k. A clipped total has no such form but for two levels,
 * where opposite labels count in place of opposite places.
 * Two levels, replaced: let P and P' of the k be positive before and after, and a positives and b
 * negatives be among the others. A negative outside moves by at most D max(P, P'), a positive by
 * D max(k-P, k-P'); pairs inside sum to at most c (P (k-P) + P' (k-P')). Let P >= P'. The bound is
 * linear in a = n - k - b, hence largest at an end: at a = 0 q = P and r = P', at b = 0 q = k - P'
 * and r = k - P, of the stated form.
 */
DPPAIR_API double dppair_owned_pairs_(const dppair_pair_unit *p, size_t n, size_t k, int replaced) {
  const double norm = dppair_pair_norm_(p), cut = dppair_cut_(n, k < n / 2 ? k : n / 2);
  const double touched = 0.5 * (double)k * ((double)(n - k) + (double)(n - 1));
  double value = norm * touched;
  if (p->levels == DPPAIR_LEVELS_TWO)
    return replaced ? dppair_owned_clipped_(norm, dppair_pair_move_(p), n, k) : norm * cut;
  if (p->levels != DPPAIR_LEVELS_ANY) {
    value = p->unit * cut;
    if (p->clip > 0.0 && p->clip * touched < value) value = p->clip * touched;
  }
  return replaced ? 2.0 * value : value;
}

/* All pairs of n records of which one user owns at most s->owned; of a batch of m of them. */
DPPAIR_API dppair_status dppair_sensitivity_owned_(double *sensitivity,
                                                   const dppair_pair_unit *pair,
                                                   const dppair_sampling *s) {
  const int replaced = dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE;
  dppair_status status;
  double value;
  if (s->kind == DPPAIR_ALL) {
    if (s->owned > s->n) return DPPAIR_ERR_SIZE;
    value = dppair_owned_pairs_(pair, s->n, s->owned, replaced);
    return dppair_sensitivity_store_(sensitivity, value / (double)s->n / (double)(s->n - 1));
  }
  status = dppair_sampling_owned_(s);
  if (status != DPPAIR_OK) return status;
  value =
      pair->levels == DPPAIR_LEVELS_TWO ? dppair_pair_move_(pair) : 2.0 * dppair_pair_norm_(pair);
  if (pair->levels != DPPAIR_LEVELS_TWO) value *= dppair_sampling_far_(s);
  if (pair->levels != DPPAIR_LEVELS_TWO && pair->levels != DPPAIR_LEVELS_ANY &&
      2.0 * pair->unit < value)
    value = 2.0 * pair->unit;
  return dppair_sensitivity_store_(sensitivity, value / (double)s->m);
}

/* All pairs of the units that are drawn, records or users. */
DPPAIR_API dppair_status dppair_sensitivity_units_(double *sensitivity,
                                                   const dppair_pair_unit *pair,
                                                   const dppair_sampling *s) {
  const int zeroed = dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT;
  const double sums = pair->classes ? 2.0 : 1.0;
  double norm = sums * dppair_pair_norm_(pair), move = sums * dppair_pair_move_(pair);
  double joined = pair->levels == DPPAIR_LEVELS_TWO && !pair->classes ? norm : 1.5 * norm;
  if (s->m == 1 && s->kind != DPPAIR_POISSON) return DPPAIR_ERR_SIZE;
  if (pair->classes && pair->levels != DPPAIR_LEVELS_TWO) return DPPAIR_ERR_NO_PROOF;
  if (pair->levels != DPPAIR_LEVELS_TWO && pair->levels != DPPAIR_LEVELS_ANY && pair->unit < joined)
    joined = pair->unit;
  if (pair->block > 0.0) {
    if (pair->block < norm) norm = pair->block;
    if (2.0 * pair->block < move) move = 2.0 * pair->block;
    if (1.5 * pair->block < joined) joined = 1.5 * pair->block;
  }
  switch (s->kind) {
  case DPPAIR_ALL:
    if (zeroed) move = norm;
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    if (zeroed) return DPPAIR_ERR_ADJACENCY;
    break;
  case DPPAIR_POISSON:
  case DPPAIR_ALLOCATION:
    move = joined;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, move / dppair_sampling_expected_(s));
}

/* Disjoint pairs: a matching, or a batch of a random size that is matched. */
DPPAIR_API dppair_status dppair_sensitivity_matched_(double *sensitivity,
                                                     const dppair_pair_unit *pair,
                                                     const dppair_sampling *s) {
  const double move = dppair_pair_move_(pair);
  if (pair->matched > 0.0)
    return dppair_sampling_is_random_(s->kind)
               ? dppair_sensitivity_store_(sensitivity, move / pair->matched)
               : DPPAIR_ERR_UNREAD;
  if (dppair_sampling_group_(s) != 2) return DPPAIR_ERR_NO_PROOF;
  if (dppair_adjacency_move_(s->adjacency) != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  return dppair_sensitivity_store_(sensitivity, 2.0 * move / (double)s->m);
}

/*
 * *sensitivity of the sum over the pairs of a step, divided by dppair_normaliser: what the noise
 * multiplier of the step divides (`sensitivity` of dppair_accountant_gaussian for ALL, of
 * dppair_accountant_sampled_gaussian for the others). With c = min(u, C) the norm of a total and D
 * its move, min(u, 2C) for two levels and real labels, else 2c:
 *
 *   ALL                        n records   D/n replaced, c/n zeroed
 *   WITHOUT, WITH_REPLACEMENT  m drawn     D/m, replaced only
 *   MATCHING                   m drawn     2 D/m, replaced only, pairs only, records only
 *   POISSON, ALLOCATION        mbar        c/mbar for two levels, min(u, 3C/2)/mbar for a linear
 *                              expected    margin and real labels, else 3c/(2 mbar): under both
 *                                          relations, when a record joins. mbar is m or n
 *                                          group/batches
 *   the same, pair->matched    any         D/matched under both relations, records only
 *
 * `u` of a ranking loss for rows |x| <= R and slopes |phi'| <= s over the margins that are reached:
 * 2Rs ('ind'), 4Rs ('sign'; the square of a residual), 8Rs Y ('diff', labels |y| <= Y), 2R (the
 * pinball of a residual); for any other loss twice the largest norm of one ordered pair's gradient.
 * C is the clip of a total: twice that of an ordered pair's gradient, except for 'ind' with two
 * levels, where one order of a pair is 0. If your statistic has one vector for each matched pair,
 * that vector is the total. So the mean over the n (n-1) ordered pairs of vectors of norm <= G:
 * LEVELS_ANY, u = 2G: 4G/n replaced and 2G/n zeroed.
 *
 * Users. The relation is about users, and n, m and q count
 *   users who are drawn (sampling->owned = 0): each user's records have weights >= 0 of sum 1 at
 *     most; F = sum over users a != b, i of a, j of b of w_i w_j l(z_i, z_j), pairs inside a
 *     user left out. How many records a user has, and their labels, is private. The table holds
 *     with users for records. block = B: with c at most B, D at most 2B, and 3B/2 when a user
 *     joins. classes: weights that sum to 1 over a user's positives and over his negatives; two
 *     levels only, c and D are twice as large.
 *   records, of which a user owns at most sampling->owned (a public bound): ALL: what `owned`
 *     of n records move (dppair_owned_pairs_) over n (n-1), for two levels replaced u T(n, k)/(n
 *     (n-1)), T(n, k) = q (n-q) + floor(k^2/4), q = min(k, n/2). WITHOUT_REPLACEMENT, replaced:
 *     D/m, 2u/m for a linear margin: how far ONE record moves the batch; the account knows how many
 *     of a user's records are drawn, and counts j of them T(m, j)/(m-1) times that. Any other
 *     loss, and clipped totals of a linear margin, move farther: dppair_sampling_far_, at most
 *     1.24. n - owned >= m >= 2.
 *
 * Errors: those of the head of sensitivity.h and of a sampling; SIZE: n or m missing, or 1;
 * NO_PROOF: nothing bounds the gradient, or no proof for this draw; ADJACENCY: queries, or a
 * relation without a proof for this draw; UNREAD: a field of the pair that this sampling does not
 * read.
 *
 * Proof for one record, replaced. Fix the partner z'. Two levels and real labels: the two orders of
 * a pair sum to a multiple in [0, k s] of +-(x - x'), the sign given by the labels; x - x' runs
 * over the ball B(-x', R), which contains 0 because |x'| <= R, so all totals lie in one convex set
 * of diameter u that contains 0. n - 1 partners, divided by n (n-1). Clipping keeps the set
 * star-shaped about 0 and inside the ball of radius C. With three levels both signs can occur with
 * one partner. The square loss (1-t)^2, whose slope changes sign, obeys the rows with s = sup
 * |phi'|: (1 - w.a) a - (1 - w.b) b is at most |a - b| + |w| ||a a^T - b b^T|| <= 2R + 4 R^2 |w|
 * for a, b in B(-x', R); so does the square of a residual, of slope 4 (Y + R |w|). The pinball's
 * two orders add up to the absolute value, of slope 1. On a domain that is not a ball R is half the
 * diameter of its convex hull. Any other loss: 2 (n-1) ordered pairs touch the record. Attained.
 *
 * Proof for a record that joins b others: f is the sum of its b totals, S that of the others, and
 * the move is [f/b - S/(b (b-1))]/mbar. Two levels: of the b others p have the other label, so |f|
 * <= p c, |S| <= p (b-p) c, and the move is at most c p (2b-1-p)/(b (b-1))/mbar <= c/mbar, p being
 * an integer of at most b. A linear margin, along a unit vector: a total is at most c |t - t'|/2, t
 * = x.e/R in [-1, 1]; |f|/b + |S|/(b (b-1)) is convex in every t, so each t is +-1, and p counts
 * the others at the other end. A clipped total has no such form: |f| <= b c, |S| <= b (b-1) c/2. A
 * plain sum over all pairs of such a batch, over a constant, has no bound: it moves by more the
 * larger the batch is.
 *
 * Proof for matched batches of a random size: a record that joins a batch of even size takes the
 * partner of another one, which is left single: one pair is exchanged. (Couple the uniform
 * matchings of both batches that way; of odd size it joins the single one, which adds a pair.)
 *
 * Proof for users who are drawn. With the partner b fixed, the block of a and b is a convex
 * combination of points of the sets in which totals with one partner lie (and of 0): at most c, and
 * it moves by at most D. A block clipped to B stays in that set and in the ball. A user who joins:
 * the move is convex in each user's weights, hence largest where each has one record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity(double *sensitivity,
                                                              const dppair_pair_unit *pair,
                                                              const dppair_sampling *sampling) {
  dppair_sampling s;
  dppair_status status = dppair_pair_numbers_(sensitivity, pair);
  int users;
  if (status != DPPAIR_OK) return status;
  if (sampling == NULL) return DPPAIR_ERR_NULL;
  s = *sampling;
  users = dppair_adjacency_unit_(s.adjacency) == DPPAIR_OF_USERS_;
  status = dppair_pair_check_(sensitivity, pair, users && s.owned == 0);
  if (status != DPPAIR_OK) return status;
  if (s.kind == DPPAIR_ALL && users) s.owned = 0; /* read below; no draw reads it */
  status = dppair_sampling_check_(&s);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(s.adjacency) == DPPAIR_OF_QUERIES_) return DPPAIR_ERR_ADJACENCY;
  if (s.n < 2) return DPPAIR_ERR_SIZE;
  s.owned = sampling->owned;
  if (s.kind == DPPAIR_MATCHING || pair->matched > 0.0)
    return users ? DPPAIR_ERR_NO_PROOF : dppair_sensitivity_matched_(sensitivity, pair, &s);
  return s.owned > 0 ? dppair_sensitivity_owned_(sensitivity, pair, &s)
                     : dppair_sensitivity_units_(sensitivity, pair, &s);
}
