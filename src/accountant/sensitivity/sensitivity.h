/* ------------------------------------------------------------------------------------------------
 * Sensitivities
 *
 * How far the l2 norm of a statistic of pairs moves with one record, each bound with its proof. n,
 * the number of records, is public. Relies on steps.h.
 *
 * G bounds the l2 norm of the gradient of ONE ordered pair's loss, without the regulariser, which
 * is the same on both data sets and cancels. It must hold at every point where a gradient is
 * evaluated. Noisy iterates leave a ball unless they are projected back, so a G that holds on a
 * ball only needs the projection, or a clip per pair. Logistic and hinge slopes are bounded
 * everywhere.
 *
 * A computed gradient differs from the exact one by rounding: add twice its certified error to the
 * sensitivity of the release. Results here are rounded up. Arguments are 0 or in [1e-90, 1e90].
 * Errors of all functions: NULL, NOT_FINITE, DOMAIN (an argument, or an unknown form), SIZE (n <
 * 2), ADJACENCY, OVERFLOW, ENVIRONMENT.
 *
 * Which function? For an instance of dppair.h NAME_sensitivity: it knows the loss, the batch, the
 * clip and all rounding. For a ranking loss of one's own program with a known slope: _rank_ind and
 * _rank_diff. If only a bound G or a clip is known: _pair_mean, and _minibatch for a batch.
 *
 * Sums over (positive, negative) pairs alone are divided by n(n-1) too. Divided by n+ n-, with
 * private labels, they have no bound that shrinks with n: with one positive, replacing it changes
 * every pair.
 * ---------------------------------------------------------------------------------------------- */

/* *out = value rounded up, where value is a few roundings to nearest away from its formula. */
DPPAIR_API dppair_status dppair_sensitivity_store_(double *out, double value) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  value *= 1.0 + 2e-15;
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  *out = value;
  return DPPAIR_OK;
}

/* Is x 0 or in [1e-90, 1e90]? Products of a few such numbers stay normal, so that a relative slack
 * rounds them up; with smaller ones a product would be 0 or lose its digits. */
DPPAIR_API int dppair_ordinary_(double x) { return !(x > 0.0) || (x >= 1e-90 && x <= 1e90); }

/* Are a, b and c finite, >= 0 and ordinary, and is n >= 2? Zeroes *out. */
DPPAIR_API dppair_status dppair_sensitivity_args_(double *out, size_t n, double a, double b,
                                                  double c) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c))
    return DPPAIR_ERR_NOT_FINITE;
  if (a < 0.0 || b < 0.0 || c < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_ordinary_(a) || !dppair_ordinary_(b) || !dppair_ordinary_(c))
    return DPPAIR_ERR_DOMAIN;
  return n < 2 ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/*
 * The mean over the n(n-1) ordered pairs (or the n(n-1)/2 unordered ones) of a vector of norm <= G:
 * 4G/n for one replaced record, 2G/n for one zeroed record. n >= 2, G >= 0. Attained.
 * Proof: 2(n-1) of the n(n-1) ordered pairs touch the record; each moves by at most 2G, or G.
 * A clip per pair may take the place of G. Removing a record, where each mean has its own
 * normaliser, also moves it by at most 4G/n, n the larger size, but then nothing else may depend on
 * n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pair_mean(
    double *sensitivity, double lipschitz, size_t n, dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, n, lipschitz, 0.0, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  return dppair_sensitivity_store_(sensitivity, (adjacency == DPPAIR_REPLACE_ONE ? 4.0 : 2.0) *
                                                    lipschitz / (double)n);
}

/* The ranking losses whose structure is known: phi does not increase, 0 <= -phi' <= slope. */
typedef enum dppair_rank_form_ {
  DPPAIR_RANK_DIFF_ = 1,        /* phi((y - y') w.(x - x')), real labels |y| <= label_bound */
  DPPAIR_RANK_IND_ = 2,         /* phi(w.(x - x')) 1[y = 1, y' = -1], two labels */
  DPPAIR_RANK_IND_LEVELS_ = 3,  /* phi(w.(x - x')) 1[y > y'], three label levels or more */
  DPPAIR_RANK_SIGN_ = 4,        /* phi(sign(y - y') w.(x - x')), two label levels */
  DPPAIR_RANK_SIGN_LEVELS_ = 5, /* the same, three label levels or more */
  DPPAIR_RANK_REGRESSION_ = 6   /* square or pinball of y - y' - w.(x - x'), real labels */
} dppair_rank_form_;

/* Checks the arguments that the ranking forms share. *value = radius slope, times the label bound
 * where the form has one; HUGE_VAL when only the clip bounds the gradient. */
DPPAIR_API dppair_status dppair_rank_check_(double *value, double *out, dppair_rank_form_ form,
                                            double radius, double label_bound, double slope,
                                            double clip, size_t n) {
  const int open = radius >= HUGE_VAL || slope >= HUGE_VAL;
  const dppair_status status = dppair_sensitivity_args_(out, n, radius >= HUGE_VAL ? 0.0 : radius,
                                                        slope >= HUGE_VAL ? 0.0 : slope, clip);
  *value = HUGE_VAL;
  if (status != DPPAIR_OK) return status;
  if (form < DPPAIR_RANK_DIFF_ || form > DPPAIR_RANK_REGRESSION_) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(label_bound)) return DPPAIR_ERR_NOT_FINITE;
  if (form == DPPAIR_RANK_DIFF_ ? !(label_bound > 0.0) : label_bound != 0.0)
    return DPPAIR_ERR_DOMAIN;
  if (!dppair_ordinary_(label_bound)) return DPPAIR_ERR_DOMAIN;
  if (open && !(clip > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!open) *value = radius * slope * (form == DPPAIR_RANK_DIFF_ ? label_bound : 1.0);
  return DPPAIR_OK;
}

/*
 * Gradient of the pairwise ranking risk, normalised by n(n-1), for rows ||x|| <= radius. The bound
 * is the same for replacing a record and for zeroing it; do not halve it for the zero-out relation.
 * slope bounds -phi' at every margin that is reached (`slope` of dppair_constants_find); clip
 * bounds each ordered pair's gradient (0: not clipped). label_bound is Y > 0 for 'diff', whose
 * margin grows with the labels; it must be 0 for the other forms, which do not read it. With a
 * clip, radius and slope may be HUGE_VAL, which covers any scorer; without one that is NO_PROOF.
 *
 *                  no clip            with clip C
 *   diff           8 radius slope Y/n min(4C, 8 radius slope Y)/n
 *   ind            2 radius slope/n   min(2C, 2 radius slope)/n
 *   ind, levels    4 radius slope/n   min(2C, 4 radius slope)/n
 *   sign           4 radius slope/n   min(4C, 4 radius slope)/n
 *   sign, levels   8 radius slope/n   min(4C, 8 radius slope)/n
 *   regression     4 radius slope/n   min(4C, 4 radius slope)/n
 *
 * 'diff' and 'ind' are a half and a quarter of 4G/n. Proof: fix the partner z'. The two orders of a
 * pair sum to a multiple in [0, k slope] of +-(x - x'), the sign given by the labels; x - x' runs
 * over the ball B(-x', radius), which contains 0 because ||x'|| <= radius, so all values lie in one
 * convex set of diameter 2 k radius slope, k = 4 Y ('diff'), 1 ('ind') or 2 ('sign'). n - 1
 * partners, divided by n(n-1). Zeroing a record stays in the set, which contains 0. Attained. With
 * real labels 'diff' has slopes a and 2 Y - a of opposite sign, which give no more. With three
 * levels both signs can occur with one partner.
 * Clipping keeps the set star-shaped about 0 and inside the ball of radius C.
 *
 * The square loss (1-u)^2, whose slope changes sign, obeys the rows 'diff' and 'ind' with slope =
 * sup |phi'|: (1 - w.a) a - (1 - w.b) b is at most |a - b| + |w| ||a a^T - b b^T|| <= 2 radius +
 * 4 radius^2 |w| for a, b in B(-x', radius). Regression: the square of a residual, |y| <= Y, has
 * slope 4 (Y + radius |w|) by the same two parts; the pinball, at any level, has 1, because the two
 * orders of a pair add up to the absolute value. On a domain that is not a ball the radius is half
 * the diameter of its convex hull.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_rank_(double *sensitivity, dppair_rank_form_ form, double radius,
                         double label_bound, double slope, double clip, size_t n) {
  static const double factor[7] = {0.0, 8.0, 2.0, 4.0, 4.0, 8.0, 4.0};
  static const double clipped[7] = {0.0, 4.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  double value;
  const dppair_status status =
      dppair_rank_check_(&value, sensitivity, form, radius, label_bound, slope, clip, n);
  if (status != DPPAIR_OK) return status;
  value *= factor[form];
  if (clip > 0.0 && clipped[form] * clip < value) value = clipped[form] * clip;
  return dppair_sensitivity_store_(sensitivity, value / (double)n);
}

/* 8 radius slope Y/n: dppair_sensitivity_rank_ for 'diff' without a clip, labels |y| <= Y. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_rank_diff(double *sensitivity,
                                                                        double radius,
                                                                        double label_bound,
                                                                        double slope, size_t n) {
  return dppair_sensitivity_rank_(sensitivity, DPPAIR_RANK_DIFF_, radius, label_bound, slope, 0.0,
                                  n);
}

/* 2 radius slope / n: dppair_sensitivity_rank_ for 'ind' without a clip. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_rank_ind(double *sensitivity,
                                                                       double radius, double slope,
                                                                       size_t n) {
  return dppair_sensitivity_rank_(sensitivity, DPPAIR_RANK_IND_, radius, 0.0, slope, 0.0, n);
}

/*
 * Gradient (in W, Frobenius norm) of the metric-learning risk with margin yy'(1 - M_W(x, x')),
 * normalised by n(n-1), rows ||x|| <= radius, V = 4 radius^2; phi convex and non-increasing, or the
 * square. slope_same and slope_opposite bound |phi'| over the margins that pairs of equal and of
 * opposite labels reach: |phi'(1 - V B)| and |phi'(-1)| for positive semidefinite ||W|| <= B,
 * |phi'(1 - V B)| and |phi'(-1 - V B)| for symmetric W. The margins are those that are computed, so
 * both ends need room (float: 2^-10 of the largest; a projected W has eigenvalues just below 0),
 * and where phi' jumps at an end, both sides count; dppair_constants_find does this.
 *
 *   replaced  2 V (slope_same + slope_opposite)/n
 *   zeroed    2 V max(slope_same, slope_opposite)/n
 *
 * Proof: with the partner fixed, equal labels give +a v v^T and opposite ones -b w w^T, and two
 * members of one family differ by at most V sup slope (||a v v^T - b w w^T||_F <= s V for v, w in
 * B(-x',R)).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_metric(double *sensitivity, double radius, double slope_same,
                          double slope_opposite, size_t n, dppair_adjacency adjacency) {
  const double v = 4.0 * radius * radius;
  double move;
  dppair_status status =
      dppair_sensitivity_args_(sensitivity, n, radius, slope_same, slope_opposite);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  move = adjacency == DPPAIR_REPLACE_ONE
             ? slope_same + slope_opposite
             : (slope_same > slope_opposite ? slope_same : slope_opposite);
  return dppair_sensitivity_store_(sensitivity, 2.0 * v * move / (double)n);
}

/*
 * (1/n) sum_i clip_R( mean over j of g_ij ), each ||g_ij|| <= C = pair_clip. Replacing a record
 * moves its own term by 2R and every other one by min(2R, 2C/(n-1)), so [2R + (n-1) min(2R,
 * 2C/(n-1))]/n; zeroing one moves them by R and min(2R, C/(n-1)), as a clipped term can still turn
 * around. pair_clip = 0 means unclipped pairs: then the other n-1 terms move by 2R each, and the
 * bound does not shrink with n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_record_clip(double *sensitivity, double record_clip, double pair_clip, size_t n,
                               dppair_adjacency adjacency) {
  const double times = adjacency == DPPAIR_REPLACE_ONE ? 2.0 : 1.0;
  double other = 2.0 * record_clip, touched;
  dppair_status status = dppair_sensitivity_args_(sensitivity, n, record_clip, pair_clip, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  touched = times * pair_clip / (double)(n - 1);
  if (pair_clip > 0.0 && touched < other) other = touched;
  return dppair_sensitivity_store_(sensitivity,
                                   (times * record_clip + (double)(n - 1) * other) / (double)n);
}

/*
 * What one record can move in a mini-batch statistic of pairs, each vector of norm <= clip, with m
 * records (or m expected ones) as in dppair_sampling. This is the `sensitivity` to pass to
 * dppair_accountant_sampled_gaussian for that kind of sampling:
 *   Poisson records      3C/m: all pairs of the batch B, divided by m(|B|-1), 0 when |B| <= 1; the
 *                        move when a record is added or zeroed (old pairs C/m, new ones 2C/m).
 *                        Dividing by a constant instead has no bound: the move grows with |B|.
 *   without replacement  4C/m: all pairs, divided by m(m-1), one record replaced
 *   with replacement     4C/m: the same over slots, one slot replaced (k slots move at most k times
 *                        as far: 2C k(2m-k-1)/(m(m-1)))
 *   matching             4C/m: m/2 disjoint pairs, divided by m/2, one record replaced; m even
 * It holds for any vectors; ranking losses move a batch by a third to a half of it, and allocated
 * batches have a value too: dppair_sensitivity_batch.
 * NO_PROOF: no sampling; RATE: an odd m of a matching.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_minibatch(double *sensitivity,
                                                                        dppair_sampling_kind kind,
                                                                        double clip, size_t m) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, m, clip, 0.0, 0.0);
  double factor;
  if (status != DPPAIR_OK) return status;
  switch (kind) {
  case DPPAIR_POISSON:
    factor = 3.0;
    break;
  case DPPAIR_MATCHING:
    if (m % 2 != 0) return DPPAIR_ERR_RATE; /* records, not pairs */
    factor = 4.0;
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    factor = 4.0;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, factor * clip / (double)m);
}

/*
 * The same for the ranking losses, with the arguments of dppair_sensitivity_rank_; all arguments
 * are public, m too. C bounds each ordered pair's gradient. There are two label levels except for
 * 'diff' (whose values are those of 'sign' with twice the slope where labels are -1 and 1) and
 * 'levels'. r = radius, s = slope, Y = label_bound:
 *
 *                  Poisson records      without or with replacement   matching
 *   diff           min(3C, 8rsY)/m      min(4C, 8rsY)/m               min(8C, 16rsY)/m
 *   ind            min(C, 2rs)/m        min(2C, 2rs)/m                min(4C, 4rs)/m
 *   ind, levels    min(3C/2, 2rs)/m     min(2C, 4rs)/m                min(4C, 8rs)/m
 *   sign           min(2C, 4rs)/m       min(4C, 4rs)/m                min(8C, 8rs)/m
 *   sign, levels   min(3C, 4rs)/m       min(4C, 8rs)/m                min(8C, 16rs)/m
 *   regression     min(3C, 4rs)/m       min(4C, 4rs)/m                min(8C, 8rs)/m
 *
 * Poisson: all pairs of the batch B divided by m(|B|-1), 0 when |B| <= 1, nulls not counted; the
 * move when a record is added or zeroed. Without replacement: all pairs of m records divided by
 * m(m-1), one replaced; with replacement the same over slots, copies of one record having no pair
 * (k slots move at most k times as far). Matching: the totals of m/2 disjoint pairs divided by m/2,
 * one record replaced; m even.
 * Proof. Replaced: dppair_sensitivity_rank_ over m records; a matched record has one partner, not
 * m - 1 of them. Poisson: a record joins b others; f is the sum of its b pairs' totals (both
 * orders), S that of the others, and the move is [f/b - S/(b(b-1))]/m. Two levels: of the b others
 * p have the other label, so |f| <= p c, |S| <= p (b-p) c with c the bound of a total, and the move
 * is at most c p(2b-1-p)/(b(b-1))/m <= c/m, p being an integer of at most b. Any labels: along a
 * unit vector a total is at most c |t - t'|/2, t = x.e/r in [-1, 1]; |f|/b + |S|/(b(b-1)) is convex
 * in every t, so each t is +-1, and p counts the others at the other end. A clipped total has no
 * such form: |f| <= b c, |S| <= b(b-1) c/2, so 3c/(2m). c = 2rs ('ind'), 4rs or 8rsY, with a clip
 * C ('ind') or 2C. Attained (regression by the square).
 * Errors: those of dppair_sensitivity_rank_ for n = m; NO_PROOF: no sampling; RATE: an odd m of a
 * matching.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_minibatch_rank_(
    double *sensitivity, dppair_sampling_kind kind, dppair_rank_form_ form, double radius,
    double label_bound, double slope, double clip, size_t m) {
  static const double total[7] = {0.0, 8.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  static const double clipped[7] = {0.0, 3.0, 1.0, 1.5, 2.0, 3.0, 3.0};
  double value;
  dppair_status status =
      dppair_rank_check_(&value, sensitivity, form, radius, label_bound, slope, clip, m);
  if (status != DPPAIR_OK) return status;
  switch (kind) {
  case DPPAIR_POISSON:
    value *= total[form];
    if (clip > 0.0 && clipped[form] * clip < value) value = clipped[form] * clip;
    return dppair_sensitivity_store_(sensitivity, value / (double)m);
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    return dppair_sensitivity_rank_(sensitivity, form, radius, label_bound, slope, clip, m);
  case DPPAIR_MATCHING:
    if (m % 2 != 0) return DPPAIR_ERR_RATE;
    status = dppair_sensitivity_rank_(&value, form, radius, label_bound, slope, clip, m);
    return status == DPPAIR_OK ? dppair_sensitivity_store_(sensitivity, 2.0 * value) : status;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
}
