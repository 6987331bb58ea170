/* ------------------------------------------------------------------------------------------------
 * Stability of pairwise stochastic gradient descent
 *
 * How far one record moves what pairwise SGD returns, for a sequence of indices (this chapter) and
 * for a number of hits (sgd_hits.h).
 *
 * w_1 = 0; step l = 1 .. T-1 draws index i_{l+1} and moves w along the mean subgradient over the l
 * pairs (i_{l+1}, i_k), k <= l, then projects on a convex set of this diameter. Released: the mean
 * of w_1 .. w_T (or w_T) with noise. Indices are drawn independently of the data and of the noise,
 * records are attached to positions without looking at their values, and step l divides by l also
 * where a pair is a self-pair. For the record at position a let r_l = 1 if i_{l+1} = a, else
 * (hits among i_1..i_l)/l, and c = 2 eta G. Then the distance d of the two runs obeys
 *
 *   convex           d <- min( sqrt(d^2 + c^2 (1-r)^2) + c r, diameter ), 0 before the first hit
 *   + lam/2 |w|^2    d <- sqrt((1 - eta lam)^2 d^2 + c^2 (1-r)^2) + c r,   eta lam <= 1
 *   smooth           d <- (1 - eta lam) d + c r,           eta <= 2/(smoothness + lam)
 *
 * (untouched subgradients are monotone and differ by at most 2G; touched ones add 2 eta G r). All
 * of this needs monotone subgradients, and so a loss that is convex in the parameters. Clipping
 * each pair's gradient to C keeps them monotone where the margin is linear in the parameters
 * (scores w.x, metrics, similarities): it clips the slope, which leaves another convex function of
 * the margin, and min(C, G) takes the place of G. Elsewhere a clipped gradient is not monotone: the
 * untouched pairs too push the runs apart, by up to 2 eta C in every step, and there is no bound.
 * For the ranking losses phi(w.(x-x')) with phi convex and non-increasing and two label levels, c =
 * eta G: touched gradients lie in a set of diameter G, untouched ones are one-signed multiples of
 * one vector. With a clip the two places of c are eta min(C, G), beside (1-r), and eta min(2C, G),
 * beside r.
 *
 * Four ways to use it, from the least noise to the most (n = 512, T = n^2, eta = n^-1.5, G = 1,
 * epsilon = 1, delta = 1e-5: noise 0.5, 2.3, 2.9 and, as printed by Yang et al. 2021, 126):
 *   the realised sequence   exact; publishing the indices is safe, sigma(I) may depend on them
 *   the binomial mixture    a sigma fixed in advance, no failure probability
 *   a binomial quantile     a sigma fixed in advance, failure probability added to delta
 *   Theorem 4 as printed    see dppair_paper
 * ---------------------------------------------------------------------------------------------- */

/* What is known of the loss. There is no default, because without convexity there is no bound. */
typedef enum dppair_uas_loss {
  DPPAIR_UAS_CONVEX = 1, /* convex in the parameters; pairs are not clipped */
  DPPAIR_UAS_LINEAR = 2, /* convex phi of a margin that is linear in the parameters */
  DPPAIR_UAS_RANKING = 3 /* convex, non-increasing phi of +-w.(x - x'), two label levels */
} dppair_uas_loss;

typedef struct dppair_uas {
  size_t n, steps;         /* records; T, the number of indices and of averaged iterates */
  dppair_uas_loss loss;    /* 0: DPPAIR_ERR_NO_PROOF */
  double eta, lipschitz;   /* step size; G of the data part, unclipped */
  double diameter;         /* of the convex set; 0: unbounded */
  double strong_convexity; /* lam of a data-independent lam/2 |w|^2; 0: none */
  double smoothness;       /* of the full objective; 0: not smooth */
  double pair_clip;        /* each pair's gradient clipped to this norm; 0: none; not for CONVEX */
  int last_iterate;        /* w_T is released, not the mean */
} dppair_uas;

/* Checks u and computes *c = eta times the largest difference of two gradients, and *cap, the
 * diameter in units of c (DBL_MAX when unbounded). */
DPPAIR_API dppair_status dppair_uas_check_(double *c, double *cap, const dppair_uas *u) {
  double most;
  *c = *cap = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(u->eta) || !dppair_isfinite_f64(u->lipschitz) ||
      !dppair_isfinite_f64(u->diameter) || !dppair_isfinite_f64(u->strong_convexity) ||
      !dppair_isfinite_f64(u->smoothness) || !dppair_isfinite_f64(u->pair_clip))
    return DPPAIR_ERR_NOT_FINITE;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (u->loss != DPPAIR_UAS_CONVEX && u->loss != DPPAIR_UAS_LINEAR && u->loss != DPPAIR_UAS_RANKING)
    return DPPAIR_ERR_NO_PROOF;
  if (!(u->eta > 0.0) || !(u->lipschitz > 0.0) || u->diameter < 0.0 || u->strong_convexity < 0.0 ||
      u->smoothness < 0.0 || !dppair_ordinary_(u->eta) || !dppair_ordinary_(u->lipschitz) ||
      !dppair_ordinary_(u->diameter) || !dppair_ordinary_(u->pair_clip))
    return DPPAIR_ERR_DOMAIN;
  if (u->eta * u->strong_convexity > 1.0) return DPPAIR_ERR_STEP_SIZE;
  if (u->smoothness > 0.0 && u->eta * (u->smoothness + u->strong_convexity) > 2.0)
    return DPPAIR_ERR_STEP_SIZE;
  if (u->pair_clip < 0.0) return DPPAIR_ERR_DOMAIN;
  if (u->pair_clip > 0.0 && u->loss == DPPAIR_UAS_CONVEX) return DPPAIR_ERR_NO_PROOF;
  most = u->lipschitz;
  if (u->loss != DPPAIR_UAS_RANKING) {
    if (u->pair_clip > 0.0 && u->pair_clip < most) most = u->pair_clip;
    most *= 2.0;
  } else if (u->pair_clip > 0.0 && 2.0 * u->pair_clip < most) {
    most = 2.0 * u->pair_clip;
  }
  *c = u->eta * most;
  *cap = u->diameter > 0.0 && *c > 0.0 ? dppair_up_(u->diameter / *c) : DBL_MAX;
  return DPPAIR_OK;
}

/* The place of c beside (1 - r), for untouched pairs, as a part of c. */
DPPAIR_API double dppair_uas_away_(const dppair_uas *u) {
  if (u->loss != DPPAIR_UAS_RANKING) return 1.0;
  if (!(u->pair_clip > 0.0) || u->pair_clip >= u->lipschitz) return 1.0;
  return 2.0 * u->pair_clip < u->lipschitz ? 0.5 : dppair_up_(u->pair_clip / u->lipschitz);
}

/* The factor by which rounding of a step size at its limit lets smooth runs grow apart. */
DPPAIR_API double dppair_uas_growth_(const dppair_uas *u) {
  return u->smoothness > 0.0 ? dppair_growth_(u->eta, u->smoothness, u->strong_convexity, u->steps)
                             : 1.0;
}

/* Doubles that dppair_sensitivity_uas_sequence needs. */
DPPAIR_API dppair_status dppair_uas_doubles_(size_t *doubles, const dppair_uas *u, double ratio) {
  *doubles = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n > SIZE_MAX / 64 || u->steps > SIZE_MAX / 64) return DPPAIR_ERR_OVERFLOW;
  *doubles = ratio > 1.0 ? u->steps + u->n + 1 : 3 * u->n;
  return DPPAIR_OK;
}

/* *bytes of workspace for dppair_sensitivity_uas_sequence, at any alignment. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_workspace(size_t *bytes, const dppair_uas *u,
                                                                double ratio) {
  size_t doubles;
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_uas_doubles_(&doubles, u, ratio);
  return status == DPPAIR_OK ? dppair_doubles_bytes_(bytes, doubles) : status;
}

/* One step of the recursion for all n positions but the one that is hit, in units of c: d and its
 * sum. hits: before the step; keep = 1 - eta lam; inverse = 1/l. */
DPPAIR_API void dppair_uas_untouched_(double *d, double *sum, const double *hits, size_t n,
                                      double keep, double share, double cap, double inverse,
                                      int smooth) {
  const double keep2 = keep * keep;
  size_t a;
  if (smooth) {
    for (a = 0; a < n; a++) {
      const double next = keep * d[a] + hits[a] * inverse;
      d[a] = next < cap ? next : cap;
      sum[a] += d[a];
    }
  } else {
    for (a = 0; a < n; a++) {
      const double r = hits[a] * inverse, away = hits[a] > 0.0 ? share * (1.0 - r) : 0.0;
      const double next = dppair_sqrt_(keep2 * d[a] * d[a] + away * away) + r;
      d[a] = next < cap ? next : cap;
      sum[a] += d[a];
    }
  }
}

/* The recursion for all positions at once, in units of c. Returns the largest sum of d_1 .. d_T (or
 * the largest d_T). O(n T). */
DPPAIR_API double dppair_uas_exact_(const dppair_uas *u, const size_t *indices, double cap,
                                    double *workspace) {
  const size_t n = u->n;
  double *d = workspace, *hits = workspace + n, *sum = workspace + 2 * n, largest = 0.0;
  const double gap = dppair_step_gap_(u->eta, u->smoothness, u->strong_convexity);
  const double beyond = u->smoothness > 0.0 && gap < 0.0 ? -gap : 0.0; /* see dppair_step_gap_ */
  const double keep = 1.0 - u->eta * u->strong_convexity + beyond;
  const double share = dppair_uas_away_(u);
  size_t l, a;
  for (a = 0; a < 3 * n; a++) workspace[a] = 0.0;
  hits[indices[0]] = 1.0;
  for (l = 1; l < u->steps; l++) {
    const size_t hit = indices[l];
    const double before = d[hit], sum_before = sum[hit];
    dppair_uas_untouched_(d, sum, hits, n, keep, share, cap, 1.0 / (double)l, u->smoothness > 0.0);
    /* the one that is hit has r = 1 */
    d[hit] = keep * before + 1.0;
    if (d[hit] > cap) d[hit] = cap;
    sum[hit] = sum_before + d[hit];
    hits[hit] += 1.0;
  }
  for (a = 0; a < n; a++) {
    const double value = u->last_iterate ? d[a] : sum[a];
    if (value > largest) largest = value;
  }
  return largest;
}

/* One position in the block version. */
typedef struct dppair_uas_run_ {
  double d, sum, hits, cap, share;
  int smooth;
} dppair_uas_run_;

/*
 * Steps first..last without a hit. Over a block U, d_out <= sqrt(d^2 + sum (1-r)^2) + sum r; the
 * sums over 1/l and 1/l^2 are bounded by midpoint integrals (1/x and 1/x^2 are convex); the
 * iterates inside lie below a concave function of the time, whose mean is at most its value at the
 * mean.
 */
DPPAIR_API void dppair_uas_block_(dppair_uas_run_ *s, double first, double last) {
  const double k = s->hits, length = last - first + 1.0;
  const double low = first - 0.5, high = last + 0.5;
  const double harmonic = dppair_log1p_(length / low) * (1.0 + 1e-15);
  const double r_sum = k * harmonic, r_most = k / first, away = s->share * (1.0 - k / last);
  double d_out, inside, away_sum;
  const double half = 0.5 * (length + 1.0);
  if (length <= 1.0) { /* the recursion itself */
    s->d = s->smooth ? s->d + r_most : dppair_sqrt_(s->d * s->d + away * away) + r_most;
    if (s->d > s->cap) s->d = s->cap;
    s->sum += s->d;
    return;
  }
  if (s->smooth) {
    d_out = s->d + r_sum;
    inside = s->d + half * r_most;
  } else {
    const double lower =
        harmonic * (1.0 - 3e-15) - (1.0 / 24.0) * (1.0 / (low * low) - 1.0 / (high * high));
    away_sum = s->share * s->share * (length - 2.0 * k * lower + k * k * length / (low * high));
    if (away_sum > length * away * away) away_sum = length * away * away;
    if (away_sum < 0.0) away_sum = 0.0;
    d_out = dppair_sqrt_(s->d * s->d + away_sum) + r_sum;
    inside = dppair_sqrt_(s->d * s->d + half * away * away) + half * r_most;
  }
  if (inside > d_out) inside = d_out;
  if (d_out > s->cap) d_out = s->cap;
  if (inside > s->cap) inside = s->cap;
  s->sum += length * inside;
  s->d = d_out;
}

/* Blocks begin to grow at this step: before, 1/l changes too much within one. */
#define DPPAIR_UAS_SINGLE_STEPS_ 32.0

/* Steps first..last without a hit, in blocks each `ratio` times as long as its beginning. */
DPPAIR_API void dppair_uas_quiet_(dppair_uas_run_ *s, double first, double last, double ratio) {
  double l = first;
  while (l <= last) {
    double end = l < DPPAIR_UAS_SINGLE_STEPS_ ? l : l * ratio;
    end = end < last ? dppair_floor_(end) : last; /* last is an integer */
    if (!(end >= l)) end = l;
    dppair_uas_block_(s, l, end);
    l = end + 1.0;
  }
}

/* The block version for the position whose hits are at place[0] < .. < place[count - 1], in 1..T:
 * the hit at place p is step p - 1, and after it steps up to the next hit's are quiet. */
DPPAIR_API double dppair_uas_position_(const dppair_uas *u, const double *place, size_t count,
                                       double cap, double ratio) {
  dppair_uas_run_ s;
  size_t i;
  s.d = s.sum = s.hits = 0.0;
  s.cap = cap;
  s.share = dppair_uas_away_(u);
  s.smooth = u->smoothness > 0.0;
  for (i = 0; i < count; i++) {
    const double next = i + 1 < count ? place[i + 1] : (double)u->steps + 1.0;
    if (place[i] > 1.0) {
      s.d += 1.0;
      if (s.d > cap) s.d = cap;
      s.sum += s.d;
    }
    s.hits += 1.0;
    dppair_uas_quiet_(&s, place[i], next - 2.0, ratio);
  }
  return u->last_iterate ? s.d : s.sum;
}

/* The block version for all positions: O(T + n log_ratio T). Contraction by a regulariser is not
 * used. */
DPPAIR_API double dppair_uas_blocks_(const dppair_uas *u, const size_t *indices, double cap,
                                     double ratio, double *workspace) {
  const size_t n = u->n, steps = u->steps;
  double *start = workspace, *place = workspace + n + 1, largest = 0.0;
  size_t k, a, begin = 0;
  /* Sort the positions 1..T by index, stably; afterwards start[a] is where those of a end. */
  for (a = 0; a <= n; a++) start[a] = 0.0;
  for (k = 0; k < steps; k++) start[indices[k] + 1] += 1.0;
  for (a = 0; a < n; a++) start[a + 1] += start[a];
  for (k = 0; k < steps; k++) {
    const size_t slot = (size_t)start[indices[k]];
    place[slot] = (double)(k + 1);
    start[indices[k]] += 1.0;
  }
  for (a = 0; a < n; a++) {
    const size_t end = (size_t)start[a];
    const double value = dppair_uas_position_(u, place + begin, end - begin, cap, ratio);
    if (value > largest) largest = value;
    begin = end;
  }
  return largest;
}

/*
 * The sensitivity of the released mean (or last iterate) for the realised index sequence, the
 * largest over all n positions. indices: 0-based, one per iterate, count = u->steps. ratio = 1 runs
 * the recursion exactly in O(n T); ratio > 1 (1.05, say) bounds it from above in O(T + n log T /
 * log ratio), at most a few parts in a thousand higher. work: dppair_uas_workspace bytes.
 * Release with sigma = sensitivity/mu: the pair (indices, noisy mean) is private, because the
 * indices have the same law for both data sets and each conditional release is Gaussian.
 * Errors: those of u; SIZE when count is not u->steps; DOMAIN for an index >= n or a ratio below 1.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_uas_sequence(double *sensitivity, const dppair_uas *u, const size_t *indices,
                                size_t count, double ratio, void *work, size_t bytes) {
  double c, cap, value, *doubles;
  size_t i, needed, room;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (u == NULL || indices == NULL || work == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(ratio)) return DPPAIR_ERR_NOT_FINITE;
  if (ratio < 1.0) return DPPAIR_ERR_DOMAIN;
  status = dppair_uas_check_(&c, &cap, u);
  if (status == DPPAIR_OK) status = dppair_uas_doubles_(&needed, u, ratio);
  if (status != DPPAIR_OK) return status;
  if (count != u->steps) return DPPAIR_ERR_SIZE;
  doubles = dppair_doubles_(&room, work, bytes);
  if (room < needed) return DPPAIR_ERR_WORKSPACE;
  for (i = 0; i < count; i++)
    if (indices[i] >= u->n) return DPPAIR_ERR_DOMAIN;
  value = ratio > 1.0 ? dppair_uas_blocks_(u, indices, cap, ratio, doubles) * dppair_uas_growth_(u)
                      : dppair_uas_exact_(u, indices, cap, doubles);
  if (!u->last_iterate) value /= (double)u->steps;
  value *= c * (1.0 + 1e-15 * (double)(count + 8));
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}
