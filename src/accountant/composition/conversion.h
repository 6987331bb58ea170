/* ------------------------------------------------------------------------------------------------
 * Conversion: the account as (epsilon, delta)
 *
 * The exact curve for Gaussian accounts, else the best Renyi order, else sums of pure epsilons.
 * ---------------------------------------------------------------------------------------------- */

/* The Renyi divergence of order a of everything but the folded steps; DBL_MAX: no bound. Hits are
 * capped where together at most `tail` is left; *unpaid is what is left, to be added to delta. */
DPPAIR_API double dppair_accountant_curve_(double *unpaid, const dppair_accountant *a, double order,
                                           double tail) {
  double total = order * (0.5 * a->gaussian + a->zcdp);
  size_t i, capped = 0;
  *unpaid = 0.0;
  for (i = 0; i < a->count; i++) capped += (size_t)dppair_step_is_sampled_(&a->step[i]);
  for (i = 0; i < a->count; i++) {
    const dppair_step *step = &a->step[i];
    const double times = (double)dppair_step_runs_(step);
    const double part = capped > 0 ? tail / ((double)capped * times) : tail;
    double rdp, paid;
    if (dppair_renyi_step_(&rdp, &paid, step, order, 0, part > 1e-305 ? part : 1e-305) != DPPAIR_OK)
      return DBL_MAX;
    total += rdp * times;
    *unpaid += paid * times;
    if (!dppair_isfinite_f64(total)) return DBL_MAX;
  }
  *unpaid *= 1.0 + 1e-12;
  return total * (1.0 + 1e-14);
}

/* One question to an account: epsilon at a delta, or delta at an epsilon. */
typedef struct dppair_conversion_ {
  const dppair_accountant *a;
  double tail;    /* what capped hits may leave to delta */
  double delta;   /* > 0: asks for epsilon at this delta, from which failures are to be taken off */
  double epsilon; /* otherwise: asks for delta at this epsilon */
  double floor;   /* no order above the one converted last gives a smaller answer than this */
} dppair_conversion_;

/* epsilon of an order; see dppair_convert_. DBL_MAX when nothing is left of delta. */
DPPAIR_API double dppair_convert_to_epsilon_(dppair_conversion_ *c, double order, double rdp,
                                             double unpaid) {
  const double head = dppair_log1p_(-1.0 / order);
  const double rest = c->delta - dppair_up_(dppair_add_up_(c->a->failure, unpaid));
  double value;
  if (!(rest > 0.0)) return DBL_MAX;
  value = rdp + head - (dppair_log_(rest) + dppair_log_(order)) / (order - 1.0);
  c->floor = rdp + head - dppair_log_(order) / (order - 1.0);
  value += 1e-14 * (dppair_fabs_(rdp) + dppair_fabs_(head) + 700.0 / (order - 1.0));
  return value <= 0.0 ? 0.0 : value < DBL_MAX ? value : DBL_MAX; /* DBL_MAX of a NaN */
}

/* delta of an order, solved for in the same formula. */
DPPAIR_API double dppair_convert_to_delta_(dppair_conversion_ *c, double order, double rdp,
                                           double unpaid) {
  const double head = dppair_log1p_(-1.0 / order);
  double log_delta = (order - 1.0) * (rdp - c->epsilon + head) - dppair_log_(order);
  double delta;
  log_delta += 1e-14 * ((order - 1.0) * (rdp + c->epsilon - head) + dppair_log_(order) + 1.0);
  c->floor = rdp > c->epsilon - head ? DBL_MAX : 0.0;
  if (log_delta > 0.0) log_delta = 0.0;
  delta = dppair_exp_(log_delta) * (1.0 + 1e-13) + unpaid + c->a->failure;
  if (delta < DBL_MIN) delta = DBL_MIN;
  return delta < 1.0 ? delta : 1.0;
}

/*
 * (epsilon, delta) from the Renyi divergence r of order a (Canonne, Kamath and Steinke 2020,
 * Proposition 12; the same as Balle et al. 2020, Theorem 21):
 *   epsilon = r + log(1 - 1/a) - log(a delta)/(a - 1),
 * rounded up: |log delta| <= 700.
 */
DPPAIR_API double dppair_convert_(dppair_conversion_ *c, double order, double rdp, double unpaid) {
  if (rdp >= DBL_MAX) {
    c->floor = DBL_MAX;
    return DBL_MAX;
  }
  c->floor = 0.0;
  return c->delta > 0.0 ? dppair_convert_to_epsilon_(c, order, rdp, unpaid)
                        : dppair_convert_to_delta_(c, order, rdp, unpaid);
}

/* What the order 1 + e^s answers. */
DPPAIR_API double dppair_convert_at_(dppair_conversion_ *c, double s) {
  const double order = 1.0 + dppair_exp_(s);
  double unpaid;
  const double rdp = dppair_accountant_curve_(&unpaid, c->a, order, c->tail);
  return dppair_convert_(c, order, rdp, unpaid);
}

/* Folded accounts: the best of the fixed orders. */
DPPAIR_API double dppair_convert_folded_(double *order, dppair_conversion_ *c) {
  double best = DBL_MAX;
  size_t i;
  *order = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    const double a = dppair_renyi_order_(i);
    double unpaid, rdp, value;
    if (c->a->rdp[i] >= DBL_MAX) break;
    rdp = dppair_accountant_curve_(&unpaid, c->a, a, c->tail);
    rdp = rdp < DBL_MAX ? dppair_up_(rdp + c->a->rdp[i]) : rdp;
    value = dppair_convert_(c, a, rdp, unpaid);
    if (value < best) {
      best = value;
      *order = a;
    }
    if (c->floor >= best) break;
  }
  return best;
}

/* Improves the best answer so far, at order 1 + e^at, by golden section: 22 rounds narrow the two
 * intervals of a scan beside it, each `pace` wide, to 5e-5 of their width. */
DPPAIR_API void dppair_convert_narrow_(double *best, double *at, dppair_conversion_ *c,
                                       double pace) {
  const double golden = 0.61803398874989484820;
  double low = *at - pace, high = *at + pace;
  double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
  double f1 = dppair_convert_at_(c, x1), f2 = dppair_convert_at_(c, x2);
  int i;
  for (i = 0; i < 22; i++) {
    if (f1 <= f2) {
      high = x2;
      x2 = x1;
      f2 = f1;
      x1 = high - golden * (high - low);
      f1 = dppair_convert_at_(c, x1);
    } else {
      low = x1;
      x1 = x2;
      f1 = f2;
      x2 = low + golden * (high - low);
      f2 = dppair_convert_at_(c, x2);
    }
    if (f1 < *best) {
      *best = f1;
      *at = x1;
    }
    if (f2 < *best) {
      *best = f2;
      *at = x2;
    }
  }
}

/* Does the account hold steps that cost more between whole orders than at them? */
DPPAIR_API int dppair_accountant_has_whole_(const dppair_accountant *a) {
  size_t i;
  for (i = 0; i < a->count; i++)
    if (dppair_mechanism_is_whole_(a->step[i].kind)) return 1;
  return 0;
}

/* The same of the whole orders on both sides of the best one. */
DPPAIR_API void dppair_convert_whole_(double *best, double *at, dppair_conversion_ *c) {
  const double low = dppair_floor_(1.0 + dppair_exp_(*at));
  int k;
  for (k = 0; k < 2; k++) {
    const double order = low + k, s = dppair_log_(order - 1.0);
    double unpaid, value;
    if (!(order >= 2.0)) continue;
    value = dppair_accountant_curve_(&unpaid, c->a, order, c->tail);
    value = dppair_convert_(c, order, value, unpaid);
    if (!(value < *best)) continue;
    *best = value;
    *at = s;
  }
}

/*
 * The best order. Every order gives a valid bound, so that the search can only lose tightness: a
 * scan over s = log(order - 1), orders 1.0009 to 2.7e8, which ends where larger orders cannot win,
 * and golden section around the winner.
 */
DPPAIR_API double dppair_convert_best_(double *order, dppair_conversion_ *c) {
  const double pace = 0.8;
  double best = DBL_MAX, at = 0.0, s;
  if (c->a->folded) return dppair_convert_folded_(order, c);
  *order = 0.0;
  for (s = -7.0; s < 20.0; s += pace) {
    const double value = dppair_convert_at_(c, s);
    if (value < best) {
      best = value;
      at = s;
    }
    if (c->floor >= best) break;
  }
  if (best >= DBL_MAX) return best;
  dppair_convert_narrow_(&best, &at, c, pace);
  if (dppair_accountant_has_whole_(c->a)) dppair_convert_whole_(&best, &at, c);
  *order = 1.0 + dppair_exp_(at);
  return best;
}

/* 1 while the account is usable and holds nothing but plain Gaussian steps. */
DPPAIR_API int dppair_accountant_is_gaussian_(const dppair_accountant *a) {
  return dppair_accountant_usable_(a) == DPPAIR_OK && a->count == 0 && !a->folded && a->zcdp <= 0.0;
}

/* Has every step a finite pure epsilon? Their sum then bounds the account at delta = 0. */
DPPAIR_API int dppair_accountant_is_pure_(const dppair_accountant *a) {
  size_t i;
  if (a->folded || a->zcdp > 0.0 || a->gaussian > 0.0) return 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_mechanism_is_pure_(a->step[i].kind)) return 0;
  return 1;
}

/* *rest = what the failure probability leaves of delta to the mechanisms. */
DPPAIR_API dppair_status dppair_accountant_rest_(double *rest, const dppair_accountant *a,
                                                 double delta) {
  const dppair_status status = dppair_accountant_usable_(a);
  *rest = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  *rest = a->failure > 0.0 ? delta - dppair_up_(a->failure) : delta;
  if (*rest < 0.0 || (a->failure > 0.0 && *rest <= 0.0)) {
    *rest = 0.0;
    return DPPAIR_ERR_DELTA;
  }
  return DPPAIR_OK;
}

/* The best Renyi order for epsilon, rounded up. delta in (0, 1). OVERFLOW: no order gives a finite
 * epsilon. */
DPPAIR_API dppair_status dppair_accountant_renyi_epsilon_(dppair_interval *b,
                                                          const dppair_accountant *a,
                                                          double delta) {
  dppair_conversion_ c;
  double rest, best, r, unpaid;
  const dppair_status status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (rest <= 0.0) return DPPAIR_ERR_DELTA;
  if (dppair_accountant_is_gaussian_(a) && a->gaussian <= 0.0) return DPPAIR_OK;
  c.a = a;
  c.tail = 0.01 * rest;
  c.delta = delta;
  c.epsilon = 0.0;
  best = dppair_convert_best_(&b->order, &c);
  if (best >= DBL_MAX) return DPPAIR_ERR_OVERFLOW;
  /* Bretagnolle and Huber: total variation^2 <= 1 - exp(-r) for the divergence r of every order.
   * Where that is below delta^2, epsilon is 0; the smallest order has the smallest r. */
  if (best > 0.0) {
    r = dppair_accountant_curve_(&unpaid, a, 1.001, c.tail);
    if (!a->folded && r < 1e-3 && rest > unpaid && (rest - unpaid) * (rest - unpaid) > r) {
      best = 0.0;
      b->order = 1.001;
    }
  }
  b->upper = best > 0.0 ? dppair_up_(best) : 0.0;
  return DPPAIR_OK;
}

/* The best Renyi order for delta. Capped hits may cost a hundredth of delta, which is not known
 * yet: repeat. */
DPPAIR_API void dppair_accountant_renyi_delta_(dppair_interval *b, const dppair_accountant *a,
                                               double epsilon) {
  dppair_conversion_ c;
  int i;
  b->upper = 1.0;
  c.a = a;
  c.delta = 0.0;
  c.epsilon = epsilon;
  c.tail = 1e-12;
  for (i = 0; i < 4; i++) {
    double order;
    const double value = dppair_convert_best_(&order, &c);
    if (value < b->upper) {
      b->upper = value;
      b->order = order;
    }
    if (dppair_fabs_(c.tail - 0.01 * b->upper) <= 1e-3 * c.tail) break;
    c.tail = 0.01 * b->upper;
  }
}

/* The Renyi route alone: the upper bound and the order that gave it. */
DPPAIR_API dppair_status dppair_accountant_renyi_(dppair_interval *b, const dppair_accountant *a,
                                                  int for_delta, double given) {
  dppair_status status = DPPAIR_OK;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_RENYI;
  if (for_delta)
    dppair_accountant_renyi_delta_(b, a, given);
  else
    status = dppair_accountant_renyi_epsilon_(b, a, given);
  if (status != DPPAIR_OK) memset(b, 0, sizeof *b);
  b->estimate = b->upper;
  return status;
}

/* Epsilon by what needs no composition: the exact curve where all steps are plain Gaussian, a
 * closed form where one perturbed objective is beside them, else the best Renyi order, or the sum
 * of pure epsilons where that is smaller. */
DPPAIR_API dppair_status dppair_accountant_answer_epsilon_(dppair_interval *b,
                                                           const dppair_accountant *a,
                                                           double delta) {
  const int pure = dppair_accountant_is_pure_(a);
  double rest, mu;
  dppair_status status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (rest <= 0.0 && !pure) return DPPAIR_ERR_DELTA;
  if (rest > 0.0 && dppair_accountant_is_gaussian_(a)) {
    b->route = DPPAIR_ROUTE_CLOSED, mu = dppair_up_(dppair_sqrt_(a->gaussian));
    return dppair_gaussian_epsilon(&b->upper, dppair_down_(rest), mu);
  }
  if (dppair_accountant_is_objective_(a)) {
    b->route = DPPAIR_ROUTE_CLOSED;
    return dppair_objective_epsilon_(&b->upper, a, dppair_down_(rest));
  }
  if (rest > 0.0) status = dppair_accountant_renyi_(b, a, 0, delta);
  if (pure && (rest <= 0.0 || status != DPPAIR_OK || a->pure < b->upper)) {
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = a->pure;
    b->order = 0.0;
    return DPPAIR_OK;
  }
  return status;
}

/* Delta, the same way. */
DPPAIR_API dppair_status dppair_accountant_answer_delta_(dppair_interval *b,
                                                         const dppair_accountant *a,
                                                         double epsilon) {
  const int objective = dppair_accountant_is_objective_(a);
  dppair_status status = DPPAIR_OK;
  if (!dppair_isfinite_f64(epsilon)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (dppair_accountant_is_pure_(a) && epsilon >= a->pure) {
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = a->failure < 1.0 ? a->failure : 1.0;
    return DPPAIR_OK;
  }
  if (!objective && !dppair_accountant_is_gaussian_(a))
    return dppair_accountant_renyi_(b, a, 1, epsilon);
  b->route = DPPAIR_ROUTE_CLOSED;
  if (objective)
    b->upper = dppair_objective_at_(a, epsilon);
  else
    status = dppair_gaussian_delta(&b->upper, epsilon, dppair_up_(dppair_sqrt_(a->gaussian)));
  if (status != DPPAIR_OK) return status;
  b->upper = dppair_add_up_(b->upper, a->failure);
  if (b->upper > 1.0) b->upper = 1.0;
  return DPPAIR_OK;
}

/* Epsilon at delta `given`, or delta at epsilon `given`, by what needs no composition. */
DPPAIR_API dppair_status dppair_accountant_answer_(dppair_interval *b, const dppair_accountant *a,
                                                   int for_delta, double given) {
  dppair_status status = dppair_accountant_usable_(a);
  memset(b, 0, sizeof *b);
  if (status == DPPAIR_OK)
    status = for_delta ? dppair_accountant_answer_delta_(b, a, given)
                       : dppair_accountant_answer_epsilon_(b, a, given);
  if (status != DPPAIR_OK) memset(b, 0, sizeof *b);
  b->estimate = b->upper;
  return status;
}

/* The account as a list of steps for numerical composition: the table, and all plain Gaussian steps
 * as one more. steps has room for DPPAIR_STEP_CAPACITY + 1. Accounts with zCDP or folded steps have
 * no such list: NO_PROOF. */
DPPAIR_API dppair_status dppair_accountant_steps_(dppair_step *steps, size_t *count,
                                                  const dppair_accountant *a) {
  size_t i;
  *count = 0;
  if (a->folded || a->zcdp > 0.0) return DPPAIR_ERR_NO_PROOF;
  for (i = 0; i < a->count; i++) steps[i] = a->step[i];
  if (a->gaussian > 0.0)
    steps[i++] = dppair_step_make_(
        DPPAIR_GAUSSIAN, dppair_down_(dppair_down_(1.0 / dppair_up_(dppair_sqrt_(a->gaussian)))),
        1);
  *count = i;
  return DPPAIR_OK;
}

/* Group privacy: (epsilon, delta) for data sets that differ in one record implies k epsilon and
 * delta (e^(k epsilon) - 1)/(e^epsilon - 1) for k records. Gaussian accounts do better with k times
 * the sensitivity. DELTA: the group's delta exceeds 1. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_privacy(double *group_epsilon,
                                                                double *group_delta, double epsilon,
                                                                double delta, size_t k) {
  double total, factor;
  if (group_epsilon == NULL || group_delta == NULL) return DPPAIR_ERR_NULL;
  *group_epsilon = *group_delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (k == 0) return DPPAIR_ERR_SIZE;
  total = dppair_up_(epsilon * (double)k);
  if (!dppair_isfinite_f64(total)) return DPPAIR_ERR_OVERFLOW;
  factor = (double)k;
  if (epsilon > 0.0) factor = dppair_expm1_(total) / dppair_expm1_(epsilon) * (1.0 + 1e-14);
  if (delta > 0.0 && !(factor * delta <= 1.0)) return DPPAIR_ERR_DELTA;
  *group_epsilon = total;
  *group_delta = delta > 0.0 ? dppair_up_(factor * delta) : 0.0;
  return DPPAIR_OK;
}
