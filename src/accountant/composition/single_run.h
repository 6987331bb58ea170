/* ------------------------------------------------------------------------------------------------
 * One run of one step: closed forms
 *
 * Let x be the place where the two densities have the ratio t = e^epsilon. Subtracting 0 = (ratio -
 * t) times the tail beyond x turns the hockey stick into a sum of Gaussian ones, all of them
 * positive: with e_k = b_k x - b_k^2/2 and G(e, b) the Gaussian curve at any real e,
 *   forward   delta = sum p_k G(e_k, b_k)                           epsilon =  log r(x)
 *   backward  delta = sum p_k exp(e_k) G(-e_k, b_k) / r(x)          epsilon = -log r(x)
 *   opposite  delta = sum p_k G(e_k, b_k)
 *                   + e^epsilon sum p_k exp(f_k) G(-f_k, b_k)       epsilon = log r(x)/r(-x)
 * with f_k = -b_k x - b_k^2/2. So every x is a point of the curve, and the root in x is needed only
 * to the digits that are wanted. Amplified: gamma sum p_k G(log(1 + (t-1)/gamma), b_k).
 * Relies on dominating_pairs.h and gaussian_curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* A point of the curve: epsilon is within [low, high], log delta there within [below, above]. */
typedef struct dppair_single_point_ {
  double low, high, below, above;
} dppair_single_point_;

/* A bound of log G(epsilon, b) at any real epsilon, from above or from below. */
DPPAIR_API double dppair_single_log_(double epsilon, double b, int above) {
  if (epsilon < 0.0) { /* not where it is NaN: that would come back as NaN for ever */
    const double rest = dppair_exp_(dppair_single_log_(-epsilon, b, above));
    const double value = dppair_log_(-dppair_expm1_(epsilon) + dppair_exp_(epsilon) * rest);
    return value + (above ? 1e-14 : -1e-14);
  } else {
    const double value = dppair_curve_(epsilon, b).log_delta,
                 slack = dppair_curve_log_slack_(value);
    if (!above) return value - slack;
    return value + slack < 0.0 ? value + slack : 0.0;
  }
}

/* log delta of a law with a branch at x, from below in sum[0] and from above in sum[1]. Epsilon at
 * x is the loss there; every exponent is moved outwards by its rounding. */
DPPAIR_API void dppair_single_branch_(double *sum, const dppair_branch_ *branch, double x,
                                      double loss) {
  size_t k;
  int above;
  for (k = 0; k < branch->terms; k++) {
    const double b = branch->b[k], e = b * x - 0.5 * b * b, f = -b * x - 0.5 * b * b;
    const double wrong = 8.0 * DPPAIR_UNIT_ * b * (dppair_fabs_(x) + b),
                 log_p = dppair_log_(branch->p[k]);
    for (above = 0; above < 2; above++) {
      const double move = above ? wrong : -wrong;
      if (branch->shape == DPPAIR_BACKWARD_)
        sum[above] = dppair_log_add_(sum[above], log_p + e + loss + move +
                                                     dppair_single_log_(move - e, b, above));
      else
        sum[above] = dppair_log_add_(sum[above], log_p + dppair_single_log_(e - move, b, above));
      if (branch->shape == DPPAIR_OPPOSITE_)
        sum[above] = dppair_log_add_(sum[above], log_p + f + loss + move +
                                                     dppair_single_log_(move - f, b, above));
    }
  }
}

/* log delta of an amplified law at epsilon u, from above or from below. */
DPPAIR_API double dppair_single_amplified_(const dppair_law_ *law, double u, int above) {
  const double unit = DPPAIR_UNIT_, sign = above ? 1.0 : -1.0;
  const double odds =
      u < 30.0 ? dppair_log1p_(dppair_expm1_(u) / law->gamma)
               : u - dppair_log_(law->gamma) + dppair_log1p_((law->gamma - 1.0) * dppair_exp_(-u));
  const double wrong = 16.0 * unit * odds + (law->slip + 16.0 * unit) * (odds < 1.0 ? odds : 1.0);
  double e = odds - sign * wrong, sum = -HUGE_VAL;
  size_t k;
  if (!(e > 0.0)) e = 0.0;
  for (k = 0; k < law->terms; k++)
    sum = dppair_log_add_(sum, dppair_log_(law->gamma * law->p[k]) +
                                   dppair_single_log_(e, law->shift[k], above));
  return sum;
}

/* The same of a law without a branch to walk along; at epsilon >= 0 the positive part of a Gaussian
 * loss has the Gaussian curve. Laplace: 1 - e^((epsilon - e)/2); randomised
 * response: (1 - e^(epsilon - e))/(1 + e^-e); both up to epsilon = e. */
DPPAIR_API double dppair_single_closed_(const dppair_law_ *law, double u, int above) {
  const double mu = law->mu * (1.0 + (above ? 1.0 : -1.0) * 8.0 * DPPAIR_UNIT_), remote = u - mu;
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) return dppair_single_amplified_(law, u, above);
  if (law->kind == DPPAIR_LAW_GAUSSIAN_ || law->kind == DPPAIR_LAW_POSITIVE_)
    return dppair_single_log_(u, mu, above);
  if (!(remote < 0.0)) return -HUGE_VAL;
  return law->kind == DPPAIR_LAW_LAPLACE_
             ? dppair_log_(-dppair_expm1_(0.5 * remote))
             : dppair_log_(-dppair_expm1_(remote)) - dppair_log1p_(dppair_exp_(-law->mu));
}

/* The point with parameter u, which increases with epsilon: x, -x (backward), or epsilon itself. */
DPPAIR_API void dppair_single_at_(dppair_single_point_ *point, const dppair_law_ *law,
                                  const dppair_branch_ *branch, double u) {
  double sum[2] = {-HUGE_VAL, -HUGE_VAL}, slack;
  int above;
  if (branch->terms > 0) {
    const double x = branch->shape == DPPAIR_BACKWARD_ ? -u : u;
    dppair_place_ place;
    dppair_place_of_(&place, branch, x);
    point->low = place.loss - place.loss_error;
    point->high = place.loss + place.loss_error;
    slack = branch->slip + 64.0 * DPPAIR_UNIT_ + 2.0 * place.loss_error;
    dppair_single_branch_(sum, branch, x, place.loss);
  } else {
    point->low = point->high = u;
    slack = law->slip + 64.0 * DPPAIR_UNIT_;
    for (above = 0; above < 2; above++) sum[above] = dppair_single_closed_(law, u, above);
  }
  for (above = 0; above < 2; above++) {
    const double more = slack + 8.0 * DPPAIR_UNIT_ * dppair_fabs_(sum[above]);
    if (sum[above] > -DBL_MAX) sum[above] += above ? more : -more;
  }
  point->below = sum[0];
  point->above = sum[1] < 0.0 ? sum[1] : (sum[1] >= 0.0 ? 0.0 : HUGE_VAL); /* no NaN */
}

/* Questions to a point whose answers change once, from no to yes, as the parameter grows. */
enum {
  DPPAIR_SINGLE_DELTA_MET_ = 0,   /* log delta is surely at most the given one */
  DPPAIR_SINGLE_DELTA_BELOW_ = 1, /* log delta may be below the given one */
  DPPAIR_SINGLE_PASSES_ = 2,      /* epsilon may be above the given one */
  DPPAIR_SINGLE_PAST_ = 3         /* epsilon is surely at least the given one */
};

DPPAIR_API int dppair_single_past_(dppair_single_point_ *point, const dppair_law_ *law,
                                   const dppair_branch_ *branch, double u, int question,
                                   double given) {
  dppair_single_at_(point, law, branch, u);
  return question == DPPAIR_SINGLE_DELTA_MET_     ? point->above <= given
         : question == DPPAIR_SINGLE_DELTA_BELOW_ ? !(point->below >= given)
         : question == DPPAIR_SINGLE_PASSES_      ? !(point->high <= given)
                                                  : point->low >= given;
}

/* No curve is followed further than this parameter. */
#define DPPAIR_SINGLE_FAR_ 1e7

/* The last parameter before the change and the first one past it, by doubling strides and
 * bisection. 0: no change was found; -1: it is at epsilon 0 or before. */
DPPAIR_API int dppair_single_find_(double *before, double *past, const dppair_law_ *law,
                                   const dppair_branch_ *branch, int question, double given) {
  double low = branch->terms == 0 || branch->shape != DPPAIR_BACKWARD_ ? 0.0 : -0.5 * branch->reach;
  double high = low + 1.0, stride = 1.0;
  dppair_single_point_ point;
  int i;
  for (i = 0; dppair_single_past_(&point, law, branch, low, question, given); i++) {
    if (branch->terms == 0 || i >= 8) { /* at epsilon 0 or before it already */
      *before = *past = low;
      return -1;
    }
    low -= 0.5;
  }
  while (!dppair_single_past_(&point, law, branch, high, question, given)) {
    low = high;
    stride *= 2.0;
    high += stride;
    if (high > DPPAIR_SINGLE_FAR_) return 0;
  }
  for (i = 0; i < 100 && high - low > 2.0 * DPPAIR_UNIT_ * (dppair_fabs_(high) + 1e-3); i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_single_past_(&point, law, branch, middle, question, given))
      high = middle;
    else
      low = middle;
  }
  *before = low;
  *past = high;
  return 1;
}

/* Bounds of delta at epsilon in one direction: log delta just before the parameter passes epsilon
 * is an upper bound, log delta just past it a lower one. */
DPPAIR_API void dppair_single_delta_(double *high, double *low, const dppair_law_ *law,
                                     const dppair_branch_ *branch, double epsilon) {
  const int closed = branch->terms == 0; /* epsilon itself is the parameter */
  double before = 0.0, past = 0.0;
  dppair_single_point_ point;
  int found = dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_PASSES_, epsilon);
  if (closed) before = epsilon;
  if (found >= 0 || closed) {
    /* backward losses end at -log P(no hit): then any point is before */
    dppair_single_at_(&point, law, branch, found == 0 ? DPPAIR_SINGLE_FAR_ : before);
    *high = dppair_scaled_(1.0 + 4e-15, point.above);
    if (point.above > -DBL_MAX) *high = dppair_delta_above_(*high);
  }
  found = dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_PAST_, epsilon);
  if (closed) past = epsilon;
  if (found > 0 || closed) {
    dppair_single_at_(&point, law, branch, past);
    *low = dppair_delta_below_(dppair_scaled_(1.0 - 4e-15, point.below));
  }
}

/* Bounds of epsilon in one direction. Of delta, `failure` is spent on hits beyond the cap. */
DPPAIR_API dppair_status dppair_single_epsilon_(double *high, double *low, const dppair_law_ *law,
                                                const dppair_branch_ *branch, double delta,
                                                double failure) {
  const double less = dppair_log_((delta - failure) * (1.0 - 4e-16)) - 4e-16;
  const double more = dppair_log_(delta * (1.0 + 4e-16)) + 4e-16;
  double before = 0.0, past = 0.0;
  dppair_single_point_ point;
  const int found =
      dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_DELTA_MET_, less);
  if (found == 0) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_single_at_(&point, law, branch, past);
  *high = found < 0 || point.high <= 0.0 ? 0.0 : point.high;
  if (dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_DELTA_BELOW_, more) > 0) {
    dppair_single_at_(&point, law, branch, before);
    *low = point.low > 0.0 ? point.low : 0.0;
  }
  return DPPAIR_OK;
}

/* Epsilon at delta, or delta at epsilon, of one run of one step. spend: what hits beyond the cap
 * may cost; *paid: what they do, contained in *upper. */
DPPAIR_API dppair_status dppair_single_(double *upper, double *lower, double *paid,
                                        const dppair_step *step, const dppair_question_ *q,
                                        double spend) {
  const int for_delta = q->for_delta;
  const double given = q->given;
  dppair_law_ law;
  dppair_branch_ branch;
  dppair_status status = dppair_law_of_(&law, step, spend);
  int d, directions;
  *upper = *lower = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  if (law.kind == DPPAIR_LAW_NONE_) return DPPAIR_OK;
  if (law.kind == DPPAIR_LAW_TABLE_) return DPPAIR_ERR_NO_PROOF;
  *paid = law.failure;
  if (!for_delta && !(law.failure < 0.5 * given)) return DPPAIR_ERR_NO_CONVERGENCE;
  directions = law.kind == DPPAIR_LAW_MIXTURE_ ? 2 : 1;
  for (d = 0; d < directions; d++) {
    double high = HUGE_VAL, low = 0.0;
    if (!dppair_question_asks_(q, directions, d)) continue;
    memset(&branch, 0, sizeof branch);
    if (law.kind == DPPAIR_LAW_MIXTURE_ || law.kind == DPPAIR_LAW_OPPOSITE_)
      dppair_branch_of_(&branch, &law, 0, d);
    if (for_delta)
      dppair_single_delta_(&high, &low, &law, &branch, given);
    else
      status = dppair_single_epsilon_(&high, &low, &law, &branch, given, law.failure);
    if (status != DPPAIR_OK) return status;
    if (!(high <= *upper)) *upper = high >= 0.0 ? high : HUGE_VAL;
    if (low > *lower && !law.merged) *lower = low;
  }
  if (for_delta && (law.failure > 0.0 || *upper > 1.0)) {
    const double all = *upper + law.failure * (1.0 + 1e-9);
    *upper = all < 1.0 ? all : 1.0;
  }
  return dppair_isfinite_f64(*upper) && *lower <= *upper ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}
