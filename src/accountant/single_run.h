/* ------------------------------------------------------------------------------------------------
 * One run of one step: closed forms
 *
 * Let x be where the two densities have the ratio t = e^epsilon. Taking 0 = (ratio - t) times the
 * tail beyond x away, the hockey stick is a sum of Gaussian ones, all of them positive: with
 * e_k = b_k x - b_k^2/2 and G(e, b) the Gaussian curve at any real e,
 *   forward   delta = sum p_k G(e_k, b_k)                           epsilon =  log r(x)
 *   backward  delta = sum p_k exp(e_k) G(-e_k, b_k) / r(x)          epsilon = -log r(x)
 *   opposite  delta = sum p_k G(e_k, b_k)
 *                   + e^epsilon sum p_k exp(f_k) G(-f_k, b_k)       epsilon = log r(x)/r(-x)
 * with f_k = -b_k x - b_k^2/2. So every x is a point of the curve, and no root is needed to more
 * than the digits that are wanted. Amplified: gamma sum p_k G(log(1 + (t-1)/gamma), b_k).
 * ---------------------------------------------------------------------------------------------- */

/* A point of the curve: epsilon is within [low, high], log delta there within [below, above]. */
typedef struct dppair_single_point_ {
  double low, high, below, above;
} dppair_single_point_;

/* A bound of log G(epsilon, b) at any real epsilon, from above or from below. */
DPPAIR_API double dppair_single_log_(double epsilon, double b, int above) {
  if (epsilon >= 0.0) {
    const double value = dppair_curve_(epsilon, b).log_delta,
                 slack = dppair_curve_log_slack_(value);
    if (!above) return value - slack;
    return value + slack < 0.0 ? value + slack : 0.0;
  } else {
    const double rest = exp(dppair_single_log_(-epsilon, b, above));
    const double value = log(-expm1(epsilon) + exp(epsilon) * rest);
    return value + (above ? 1e-14 : -1e-14);
  }
}

/* The point with parameter u, which increases with epsilon: x, -x (backward), epsilon itself. */
DPPAIR_API void dppair_single_at_(dppair_single_point_ *point, const dppair_law_ *law,
                                  const dppair_branch_ *branch, double u) {
  const double unit = DPPAIR_UNIT_;
  double sum[2] = {-HUGE_VAL, -HUGE_VAL}, slack;
  int above;
  size_t k;
  if (branch->terms > 0) {
    const double x = branch->shape == DPPAIR_BACKWARD_ ? -u : u;
    dppair_place_ place;
    dppair_place_of_(&place, branch, x);
    point->low = place.loss - place.loss_error;
    point->high = place.loss + place.loss_error;
    slack = branch->slip + 64.0 * unit + 2.0 * place.loss_error;
    for (k = 0; k < branch->terms; k++) {
      const double b = branch->b[k], e = b * x - 0.5 * b * b, f = -b * x - 0.5 * b * b;
      const double wrong = 8.0 * unit * b * (fabs(x) + b), log_p = log(branch->p[k]);
      for (above = 0; above < 2; above++) {
        const double move = above ? wrong : -wrong;
        if (branch->shape == DPPAIR_BACKWARD_)
          sum[above] = dppair_log_add_(sum[above], log_p + e + place.loss + move +
                                                       dppair_single_log_(move - e, b, above));
        else
          sum[above] = dppair_log_add_(sum[above], log_p + dppair_single_log_(e - move, b, above));
        if (branch->shape == DPPAIR_OPPOSITE_)
          sum[above] = dppair_log_add_(sum[above], log_p + f + place.loss + move +
                                                       dppair_single_log_(move - f, b, above));
      }
    }
  } else {
    point->low = point->high = u;
    slack = law->slip + 64.0 * unit;
    for (above = 0; above < 2; above++) {
      const double sign = above ? 1.0 : -1.0, far = u - law->mu * (1.0 + sign * 8.0 * unit);
      if (law->kind == DPPAIR_LAW_AMPLIFIED_) {
        const double odds = u < 30.0 ? log1p(expm1(u) / law->gamma)
                                     : u - log(law->gamma) + log1p((law->gamma - 1.0) * exp(-u));
        const double wrong =
            16.0 * unit * odds + (law->slip + 16.0 * unit) * (odds < 1.0 ? odds : 1.0);
        double e = odds - sign * wrong;
        if (!(e > 0.0)) e = 0.0;
        for (k = 0; k < law->terms; k++)
          sum[above] = dppair_log_add_(sum[above], log(law->gamma * law->p[k]) +
                                                       dppair_single_log_(e, law->shift[k], above));
      } else if (law->kind == DPPAIR_LAW_GAUSSIAN_) {
        sum[above] = dppair_single_log_(u, law->mu * (1.0 + sign * 8.0 * unit), above);
      } else if (far < 0.0) { /* Laplace 1 - e^((epsilon - e)/2), response (1 - e^..)/(1 + e^-e) */
        sum[above] = law->kind == DPPAIR_LAW_LAPLACE_ ? log(-expm1(0.5 * far))
                                                      : log(-expm1(far)) - log1p(exp(-law->mu));
      }
    }
  }
  for (above = 0; above < 2; above++) {
    const double more = slack + 8.0 * unit * fabs(sum[above]);
    if (sum[above] > -DBL_MAX) sum[above] += above ? more : -more;
  }
  point->below = sum[0];
  point->above = sum[1] < 0.0 ? sum[1] : (sum[1] >= 0.0 ? 0.0 : HUGE_VAL); /* no NaN */
}

/* Where a question changes its answer along the parameter: 0: above <= given, 1: below < given,
 * 2: high > given, 3: low >= given. */
DPPAIR_API int dppair_single_past_(dppair_single_point_ *point, const dppair_law_ *law,
                                   const dppair_branch_ *branch, double u, int question,
                                   double given) {
  dppair_single_at_(point, law, branch, u);
  return question == 0   ? point->above <= given
         : question == 1 ? !(point->below >= given)
         : question == 2 ? !(point->high <= given)
                         : point->low >= given;
}

/* The last parameter before the change and the first one past it; 0 when there is none. */
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
    if (high > 1e7) return 0;
  }
  for (i = 0; i < 100 && high - low > 2.0 * DPPAIR_UNIT_ * (fabs(high) + 1e-3); i++) {
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

/* Epsilon at delta, or delta at epsilon, of one run of one step. *paid: what hits beyond the cap
 * cost, contained in upper. */
DPPAIR_API dppair_status dppair_single_(double *upper, double *lower, double *paid,
                                        const dppair_step *step, int for_delta, double given,
                                        double spend) {
  dppair_law_ law;
  dppair_branch_ branch;
  dppair_single_point_ point;
  dppair_status status = dppair_law_of_(&law, step, spend);
  int d, directions, found;
  *upper = *lower = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  if (law.kind == DPPAIR_LAW_NONE_) return DPPAIR_OK;
  *paid = law.failure;
  if (!for_delta && !(law.failure < 0.5 * given)) return DPPAIR_ERR_NO_CONVERGENCE;
  directions = law.kind == DPPAIR_LAW_MIXTURE_ ? 2 : 1;
  for (d = 0; d < directions; d++) {
    double before = 0.0, past = 0.0, high = HUGE_VAL, low = 0.0;
    memset(&branch, 0, sizeof branch);
    if (law.kind == DPPAIR_LAW_MIXTURE_ || law.kind == DPPAIR_LAW_OPPOSITE_)
      dppair_branch_of_(&branch, &law, 0, d);
    if (for_delta) {
      /* log delta before high passes epsilon is an upper bound, past low a lower one */
      found = dppair_single_find_(&before, &past, &law, &branch, 2, given);
      if (branch.terms == 0) before = given; /* the parameter itself */
      if (found >= 0 || branch.terms == 0) {
        /* backward losses end at -log P(no hit): then any point is before */
        dppair_single_at_(&point, &law, &branch, found == 0 ? 1e7 : before);
        high = dppair_scaled_(1.0 + 4e-15, point.above);
        if (point.above > -DBL_MAX) high = dppair_delta_above_(high);
      }
      found = dppair_single_find_(&before, &past, &law, &branch, 3, given);
      if (branch.terms == 0) past = given;
      if (found > 0 || branch.terms == 0) {
        dppair_single_at_(&point, &law, &branch, past);
        low = dppair_delta_below_(dppair_scaled_(1.0 - 4e-15, point.below));
      }
    } else {
      found = dppair_single_find_(&before, &past, &law, &branch, 0,
                                  log((given - law.failure) * (1.0 - 4e-16)) - 4e-16);
      if (found == 0) return DPPAIR_ERR_NO_CONVERGENCE;
      dppair_single_at_(&point, &law, &branch, past);
      high = found < 0 || point.high <= 0.0 ? 0.0 : point.high;
      found =
          dppair_single_find_(&before, &past, &law, &branch, 1, log(given * (1.0 + 4e-16)) + 4e-16);
      if (found > 0) {
        dppair_single_at_(&point, &law, &branch, before);
        low = point.low > 0.0 ? point.low : 0.0;
      }
    }
    if (!(high <= *upper)) *upper = high >= 0.0 ? high : HUGE_VAL;
    if (low > *lower && !law.merged) *lower = low;
  }
  if (for_delta && (law.failure > 0.0 || *upper > 1.0)) {
    const double all = *upper + law.failure * (1.0 + 1e-9);
    *upper = all < 1.0 ? all : 1.0;
  }
  return dppair_isfinite_f64(*upper) && *lower <= *upper ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}
