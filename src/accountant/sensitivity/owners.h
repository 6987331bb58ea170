/* ------------------------------------------------------------------------------------------------
 * Sensitivities where a person owns several records, or an item has several owners
 *
 * How far the l2 norm of a statistic of pairs moves with everything that one person owns. The
 * relation is REPLACE_PERSON or ZERO_PERSON: a person's constant is not charged to an account of
 * records. Results are rounded up; arguments are 0 or in [1e-90, 1e90]. Relies on sensitivity.h.
 *
 * Errors of all functions: NULL, NOT_FINITE, DOMAIN (an argument, or unknown levels), SIZE (a
 * count), ADJACENCY (another unit, or a relation that has no proof here), NO_PROOF (nothing bounds
 * the gradient), UNREAD (a field that the function does not read), OVERFLOW.
 *
 * Which function? All pairs count alike, and a public bound of one person's records holds: _users;
 * _users_apart where all numbers of records are public. Persons count alike: _user_weighted, u/U
 * whatever a person owns; with 10^4 records of 10^3 persons, one of whom may own 100, that is a
 * tenth of what _users asks. Steps on batches: persons are drawn (_user_weighted), or records
 * (_users_batch, whose law knows how many of a person's are drawn). Items with several owners, such
 * as pairs or groups of a public list: _owners.
 *
 * Not private, whatever the noise: a number of records per person that is found in the data and
 * then used as the bound; weights that depend on what others own; divisors that do.
 *
 * Each person's mean over his pairs clipped to R and each ordered block to C: record_clip with the
 * persons for the records, (2R + 2C)/U. Without a bound of the blocks it is 2R, whatever U is.
 * ---------------------------------------------------------------------------------------------- */

/* What is known of a loss of two records. */
typedef enum dppair_levels {
  DPPAIR_LEVELS_TWO = 1,     /* the ranking losses of dppair_sensitivity_rank_ind and _diff, and
                                phi(sign(y - y') w.(x - x')), with two label levels */
  DPPAIR_LEVELS_GENERAL = 2, /* any loss of a linear margin: more levels, pinball, square */
  DPPAIR_LEVELS_ANY = 3      /* any loss: metrics, networks, similarities */
} dppair_levels;

/*
 * The total of a pair: the gradient of one unordered pair, both orders added up. For rows of norm
 * at most R and slopes of at most s its norm is at most 2Rs ('ind'), 4Rs ('sign', and 'ind' with
 * more levels), 8Rs Y ('diff'), 2R (pinball), else twice that of one ordered pair.
 */
typedef struct dppair_pair_unit {
  dppair_levels levels;
  double unit;  /* u: the most that the norm of a total can be; HUGE_VAL: only a clip bounds it */
  double clip;  /* C: totals are clipped to this norm; 0: not */
  double block; /* _user_weighted: so is the weighted total of two persons; 0: not */
  int classes;  /* _user_weighted: 1: a person's positives and his negatives have weights of their
                   own, each summing to 1 */
} dppair_pair_unit;

/* Of a total: its norm, and how far it moves when one of its records is replaced. Two levels: the
 * totals with one partner lie in a convex set of diameter u that contains 0 (the proof of
 * dppair_sensitivity_rank_), and clipping keeps them in it. */
DPPAIR_API double dppair_pair_norm_(const dppair_pair_unit *p) {
  return p->clip > 0.0 && p->clip < p->unit ? p->clip : p->unit;
}

DPPAIR_API double dppair_pair_move_(const dppair_pair_unit *p) {
  const double twice = 2.0 * dppair_pair_norm_(p);
  return p->levels == DPPAIR_LEVELS_TWO && p->unit < twice ? p->unit : twice;
}

/* Zeroes *out. weighted: blocks and classes are read. */
DPPAIR_API dppair_status dppair_pair_check_(double *out, const dppair_pair_unit *p, int weighted) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (p == NULL) return DPPAIR_ERR_NULL;
  if ((!(p->unit >= HUGE_VAL) && !dppair_isfinite_f64(p->unit)) || !dppair_isfinite_f64(p->clip) ||
      !dppair_isfinite_f64(p->block))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(p->unit >= 0.0 && p->clip >= 0.0 && p->block >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if ((p->unit < HUGE_VAL && !dppair_ordinary_(p->unit)) || !dppair_ordinary_(p->clip) ||
      !dppair_ordinary_(p->block))
    return DPPAIR_ERR_DOMAIN;
  if ((int)p->levels < DPPAIR_LEVELS_TWO || (int)p->levels > DPPAIR_LEVELS_ANY ||
      (p->classes != 0 && p->classes != 1))
    return DPPAIR_ERR_DOMAIN;
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
 *   linear margin    min(u cut(n, k), C k (2n-k-1)/2)          twice that
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
  if (p->levels == DPPAIR_LEVELS_GENERAL) {
    value = p->unit * cut;
    if (p->clip > 0.0 && p->clip * touched < value) value = p->clip * touched;
  }
  return replaced ? 2.0 * value : value;
}

/*
 * The mean over the n (n-1) ordered pairs of n records, n >= 2 and public, of which one person owns
 * at most `owned`, 1 <= owned <= n, a public bound: dppair_owned_pairs_ over n (n-1). Two levels,
 * replaced: u T(n, k)/(n (n-1)), 1/n of u for one record; a person's positives and negatives may
 * change in number. A person who owns fewer is one of whose records some are replaced by
 * themselves. Attained as said there.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_users(double *sensitivity,
                                                                    const dppair_pair_unit *pair,
                                                                    size_t n, size_t owned,
                                                                    dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  double value;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (n < 2 || owned < 1 || owned > n) return DPPAIR_ERR_SIZE;
  value =
      dppair_owned_pairs_(pair, n, owned, dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE);
  return dppair_sensitivity_store_(sensitivity, value / (double)n / (double)(n - 1));
}

/*
 * The sum over the pairs of records of two persons, divided by n^2 - sum k_a^2, where person a has
 * k_a = owned[a] of the n records, all public: D max k_a (n - k_a) over that, D = min(2C, u) for
 * two levels, else 2 min(C, u); zeroed min(C, u). Proof: k_a (n - k_a) totals touch a person.
 * `persons` counts >= 2, two of them with records. OVERFLOW: n >= 2^32, whose square does.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_users_apart(double *sensitivity, const dppair_pair_unit *pair,
                               const size_t *owned, size_t persons, dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  uint64_t n = 0, most = 0, apart = 0;
  double move;
  size_t a;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (owned == NULL) return DPPAIR_ERR_NULL;
  for (a = 0; a < persons; a++) {
    if ((uint64_t)owned[a] > UINT32_MAX - n) return DPPAIR_ERR_OVERFLOW;
    n += owned[a];
  }
  for (a = 0; a < persons; a++) {
    const uint64_t pairs = (uint64_t)owned[a] * (n - owned[a]);
    apart += pairs;
    if (pairs > most) most = pairs;
  }
  if (apart == 0) return DPPAIR_ERR_SIZE;
  move = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE ? dppair_pair_move_(pair)
                                                                 : dppair_pair_norm_(pair);
  return dppair_sensitivity_store_(sensitivity, move * (double)most / (double)apart);
}

/*
 * All pairs of m of n records, drawn without replacement and divided by m (m-1), where one person
 * owns at most records->owned of the n: the number that the noise multiplier of such a step divides
 * (`sensitivity` of dppair_accountant_sampled_gaussian). It is how far ONE record of the batch
 * moves it, D/m, D = u for two levels and 2u for a linear margin; the account knows how many of a
 * person's records are drawn, and counts j of them T(m, j)/(m-1) times that, which is all that
 * these losses can move. Any other loss, and clipped totals of a linear margin, move farther:
 * dppair_sampling_far_, which is 1 for owned <= 2 and at most 1.24.
 * The relation is REPLACE_PERSON: a null that is drawn or not leaves batches of different sizes, so
 * that a zeroed person is no case of its own. n - owned >= m >= 2: a person's records are exchanged
 * for those of others. Errors: also those of the sampling; NO_PROOF: another kind, or n - owned <
 * m.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_users_batch(
    double *sensitivity, const dppair_pair_unit *pair, const dppair_sampling *records) {
  const dppair_sampling *s = records;
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  double value;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_PERSONS_);
  if (status == DPPAIR_OK && s->owned < 1) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_sampling_owned_(s);
  if (status != DPPAIR_OK) return status;
  value = dppair_pair_move_(pair);
  if (pair->levels != DPPAIR_LEVELS_TWO) value *= dppair_sampling_far_(s);
  if (pair->levels == DPPAIR_LEVELS_GENERAL && 2.0 * pair->unit < value) value = 2.0 * pair->unit;
  return dppair_sensitivity_store_(sensitivity, value / (double)s->m);
}

/*
 * User-weighted pairs: persons a have weights w_i >= 0 on their records, of sum 1 at most for each
 * person, and F = sum over persons a != b of sum over i of a, j of b of w_i w_j l(z_i, z_j), pairs
 * inside a person left out. How many records a person has and which labels they bear is private and
 * may change. `persons` is a sampling whose n, m, q count persons:
 *
 *   ALL                        F/(U (U-1)), U = n: D/U replaced, c/U zeroed
 *   WITHOUT, WITH_REPLACEMENT  of the m persons drawn over m (m-1): D/m, REPLACE_PERSON only
 *   POISSON, ALLOCATION        of the batch B over mbar (|B|-1), mbar = m or n group/batches:
 *                              c/mbar for two levels, min(u, 3C/2)/mbar for a linear margin, else
 *                              3c/(2 mbar), under both relations: when a person joins
 *
 * c = min(u, C); D = min(u, 2C) for two levels, else 2c. This is `sensitivity` for
 * dppair_accountant_sampled_gaussian (ALL: _gaussian). Attained.
 * block = B: with c at most B and D at most 2B; drawn at random (Poisson) at most 3B/2.
 * classes: weights that sum to 1 over a person's positives and to 1 over his negatives. Two levels
 * only, c and D are twice as large, and 3c/(2 mbar). A pair of persons has two sums over classes.
 *
 * Proof. With the partner b fixed, the block of a and b, sum of w_i w_j times a total, is a convex
 * combination of points of the sets in which totals with one partner lie (and of 0): so it is at
 * most c, and moves by at most D. U - 1 partners. A block clipped to B stays in that set and in the
 * ball. Batches: a person joins b others; f is the sum of his blocks, S that of the others, and the
 * move is [f/b - S/(b (b-1))]/mbar, |f| <= b c and |S| <= b (b-1) c/2. It is convex in each
 * person's weights, hence largest where each has one record: dppair_sensitivity_minibatch_rank_ has
 * the rest.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_user_weighted(
    double *sensitivity, const dppair_pair_unit *pair, const dppair_sampling *persons) {
  const dppair_sampling *s = persons;
  dppair_status status = dppair_pair_check_(sensitivity, pair, 1);
  const double sums = pair != NULL && pair->classes ? 2.0 : 1.0;
  double norm, move, joined;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (s->owned != 0) return DPPAIR_ERR_UNREAD; /* persons are drawn */
  if (s->n < 2 || (s->m == 1 && s->kind != DPPAIR_POISSON)) return DPPAIR_ERR_SIZE;
  if (pair->classes && pair->levels != DPPAIR_LEVELS_TWO) return DPPAIR_ERR_NO_PROOF;
  norm = sums * dppair_pair_norm_(pair);
  move = sums * dppair_pair_move_(pair);
  joined = pair->levels == DPPAIR_LEVELS_TWO && !pair->classes ? norm : 1.5 * norm;
  if (pair->levels == DPPAIR_LEVELS_GENERAL && pair->unit < joined) joined = pair->unit;
  if (pair->block > 0.0) {
    if (pair->block < norm) norm = pair->block;
    if (2.0 * pair->block < move) move = 2.0 * pair->block;
    if (1.5 * pair->block < joined) joined = 1.5 * pair->block;
  }
  switch (s->kind) {
  case DPPAIR_ALL:
    if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) move = norm;
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) return DPPAIR_ERR_ADJACENCY;
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

/* How the list of items came about. */
typedef enum dppair_owner_list {
  DPPAIR_LIST_PUBLIC = 1, /* items, owners and weights are public, or fixed before the data */
  DPPAIR_LIST_PRIVATE = 2,
  DPPAIR_LIST_GREEDY = 3 /* items were let in while their owners had room */
} dppair_owner_list;

/*
 * Items (pairs, triples, groups) with several owners each: the sum over items e of w_e times a
 * vector of norm <= clip, where no person's items have weights of more than `load` together
 * (dppair_owner_load): clip load when a person is zeroed, his items contributing 0; 2 clip load
 * when his data are replaced.
 * The list must be public. NO_PROOF for the others: a person with d partners, each of whom shares
 * one more item with an outsider, has load 1, but without him the weights of those d items rise
 * from 1/2 to 1; and where items are let in one by one, one of them that is gone makes room for
 * another, and so on along a path that may run through all of them.
 * Items of the list drawn independently with a public rate, each weight 1, are charged as Poisson
 * pairs of n = 1 + the largest number of items of one person, clip over the noise of the sum.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_owners(double *sensitivity,
                                                                     double clip, double load,
                                                                     dppair_owner_list list,
                                                                     dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, load, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (list != DPPAIR_LIST_PUBLIC) return DPPAIR_ERR_NO_PROOF;
  return dppair_sensitivity_store_(
      sensitivity,
      clip * load * (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0));
}

/* x + y >= 0, exact where it can be, else rounded up. */
DPPAIR_API double dppair_plus_up_(double x, double y) {
  const double sum = x + y, part = sum - x;
  return (x - (sum - part)) + (y - part) > 0.0 ? dppair_up_(sum) : sum;
}

/* *most = the largest load; sum: of each person, 0 before. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_owner_sums_(double *most, double *sum,
                                                              size_t persons, const size_t *owner,
                                                              const size_t *first,
                                                              const double *weight, size_t items) {
  size_t e, i;
  if (first[0] != 0) return DPPAIR_ERR_SIZE;
  for (e = 0; e < items; e++) {
    const double w = weight == NULL ? 1.0 : weight[e];
    if (!dppair_isfinite_f64(w)) return DPPAIR_ERR_NOT_FINITE;
    if (w < 0.0) return DPPAIR_ERR_DOMAIN;
    if (first[e + 1] < first[e]) return DPPAIR_ERR_SIZE;
    for (i = first[e]; i < first[e + 1]; i++) {
      if (owner[i] >= persons) return DPPAIR_ERR_SIZE;
      sum[owner[i]] = dppair_plus_up_(sum[owner[i]], w);
      if (sum[owner[i]] > *most) *most = sum[owner[i]];
    }
  }
  return dppair_isfinite_f64(*most) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/*
 * *load = the largest sum of weight[e] (NULL: 1 each) over the items of one of `persons` persons,
 * rounded up. The owners of item e are owner[first[e]] to owner[first[e + 1] - 1], below `persons`;
 * first has items + 1 places and begins with 0. sum: room for `persons` doubles, which hold the
 * loads of all afterwards, 0 after an error. Errors: NULL; ENVIRONMENT; NOT_FINITE, DOMAIN: a
 * weight; SIZE: an owner, or places out of order; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_owner_load(double *load, double *sum,
                                                             size_t persons, const size_t *owner,
                                                             const size_t *first,
                                                             const double *weight, size_t items) {
  double most = 0.0;
  size_t i;
  dppair_status status;
  if (load == NULL) return DPPAIR_ERR_NULL;
  *load = 0.0;
  status = dppair_array_(sum, persons);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < persons; i++) sum[i] = 0.0;
  if (sum == NULL || owner == NULL || first == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  status = dppair_owner_sums_(&most, sum, persons, owner, first, weight, items);
  if (status == DPPAIR_OK)
    *load = most;
  else
    for (i = 0; i < persons; i++) sum[i] = 0.0;
  return status;
}
