/* ------------------------------------------------------------------------------------------------
 * Questions that need numerical composition
 *
 * What dppair_composer_init hands to the questions (questions.h): the tightest answer about an
 * account, by the routes of compose.h, and by Renyi orders where an account cannot be composed.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q);

/* The same question about the account without its zCDP steps, or about those alone; at another
 * delta or epsilon. */
DPPAIR_API dppair_status dppair_certify_part_(dppair_interval *b, const dppair_certify_ *q,
                                              const dppair_accountant *part, double given,
                                              int both) {
  dppair_certify_ less = *q;
  less.a = part;
  less.given = given;
  less.both = both;
  return dppair_certify_answer_(b, &less);
}

/*
 * An account with zCDP steps, for which no dominating pair is known, and others. `upper` is the
 * smaller of two bounds: the best Renyi order of all of it and, for epsilon, the sum of two
 * epsilons that share delta, the zCDP steps' from their Renyi curve and the other steps' from
 * composition. (Two interactive mechanisms that run at the same time, each (epsilon_i, delta_i)-
 * private, are (sum, sum)-private: Vadhan and Zhang 2023, concurrent composition.) Two shares of
 * what failures leave of delta are tried. The lower bound is that of the other steps alone.
 */
DPPAIR_API dppair_status dppair_certify_zcdp_epsilon_(dppair_interval *b,
                                                      const dppair_certify_ *q) {
  static const double shares[2] = {0.1, 1e-3};
  dppair_accountant others = *q->a, zcdp;
  dppair_interval part, own;
  dppair_status status = dppair_accountant_answer_(b, q->a, 0, q->given);
  double rest = 0.0;
  int i;
  if (status != DPPAIR_OK) b->upper = HUGE_VAL;
  others.zcdp = 0.0;
  (void)dppair_accountant_init(&zcdp);
  zcdp.zcdp = q->a->zcdp;
  if (dppair_accountant_rest_(&rest, q->a, q->given) != DPPAIR_OK) rest = 0.0;
  for (i = 0; i < 2; i++) {
    const double share = shares[i] * rest;
    if (!(share >= DBL_MIN)) break;
    if (dppair_accountant_renyi_(&own, &zcdp, 0, share) != DPPAIR_OK) continue;
    if (dppair_certify_part_(&part, q, &others, dppair_down_(dppair_down_(q->given - share)), 0) !=
        DPPAIR_OK)
      continue;
    if (dppair_add_up_(part.upper, own.upper) < b->upper) {
      b->upper = dppair_add_up_(part.upper, own.upper);
      b->route = part.route;
      b->order = own.order;
    }
  }
  if (!(b->upper <= DBL_MAX)) {
    memset(b, 0, sizeof *b);
    return status != DPPAIR_OK ? status : DPPAIR_ERR_OVERFLOW; /* never 0 as an answer */
  }
  if (q->both && dppair_certify_part_(&part, q, &others, q->given, 1) == DPPAIR_OK)
    b->lower = part.lower < b->upper ? part.lower : b->upper;
  b->estimate = b->upper;
  return DPPAIR_OK;
}

/* The epsilon that dppair_certify_zcdp_epsilon_ says at this delta; infinite where it has none. */
DPPAIR_API double dppair_certify_zcdp_at_(const dppair_certify_ *q, double delta) {
  dppair_certify_ at = *q;
  dppair_interval b;
  at.for_delta = at.both = 0;
  at.given = delta;
  return dppair_certify_zcdp_epsilon_(&b, &at) == DPPAIR_OK ? b.upper : HUGE_VAL;
}

/*
 * Delta of such an account: the smallest one, within 1e-3 of it, at which the epsilon above is at
 * most q->given, so that the two questions are inverse to each other; never above what the best
 * Renyi order says. Any delta at which that epsilon is small enough is a bound, so the search can
 * only lose tightness.
 */
DPPAIR_API dppair_status dppair_certify_zcdp_delta_(dppair_interval *b, const dppair_certify_ *q) {
  dppair_accountant others = *q->a;
  dppair_interval part;
  double high, low;
  const dppair_status status = dppair_accountant_answer_(b, q->a, 1, q->given);
  if (status != DPPAIR_OK) return status;
  high = b->upper;
  for (low = 0.25 * high; low >= DBL_MIN && dppair_certify_zcdp_at_(q, low) <= q->given;
       low *= 0.25)
    high = low;
  if (low < DBL_MIN) low = DBL_MIN;
  while (high > low * 1.001) {
    const double middle = dppair_sqrt_(low) * dppair_sqrt_(high);
    if (!(middle > low && middle < high)) break;
    if (dppair_certify_zcdp_at_(q, middle) <= q->given)
      high = middle;
    else
      low = middle;
  }
  if (high < b->upper) {
    b->upper = high;
    b->order = 0.0;
    b->route = DPPAIR_ROUTE_BEST; /* of both kinds of steps: no single route */
  }
  others.zcdp = 0.0;
  if (q->both && dppair_certify_part_(&part, q, &others, q->given, 1) == DPPAIR_OK)
    b->lower = part.lower < b->upper ? part.lower : b->upper;
  b->estimate = b->upper;
  return DPPAIR_OK;
}

/* Takes the pure steps out of the account when there are others and the pure epsilons sum to at
 * most 1e-9. Returns that sum, which is added to the others' epsilon at the same delta. (Their
 * atoms would force all of the account on the lattice.) */
DPPAIR_API double dppair_take_negligible_(dppair_accountant *others, const dppair_accountant *a) {
  size_t i;
  if (a->folded || !(a->pure > 0.0 && a->pure <= 1e-9)) return 0.0;
  *others = *a;
  others->pure = 0.0;
  others->count = 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_mechanism_is_pure_(a->step[i].kind)) others->step[others->count++] = a->step[i];
  return others->count > 0 || a->gaussian > 0.0 || a->zcdp > 0.0 ? a->pure : 0.0;
}

/* The others' bounds with negligible pure steps beside them, which shift epsilon by `pure`. */
DPPAIR_API dppair_status dppair_certify_shifted_(dppair_interval *b, const dppair_certify_ *q,
                                                 const dppair_accountant *others, double pure) {
  dppair_interval below;
  dppair_status status;
  if (!q->for_delta) {
    status = dppair_certify_part_(b, q, others, q->given, q->both);
    if (status == DPPAIR_OK) b->upper = dppair_add_up_(b->upper, pure);
  } else {
    status = dppair_certify_part_(b, q, others, dppair_down_(q->given - pure), 0);
    if (status == DPPAIR_OK && q->both &&
        dppair_certify_part_(&below, q, others, q->given, 1) == DPPAIR_OK)
      b->lower = below.lower;
  }
  if (status == DPPAIR_OK) b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return status;
}

/* The composition of these steps. */
DPPAIR_API dppair_status dppair_certify_steps_(dppair_interval *b, const dppair_certify_ *q,
                                               const dppair_step *steps, size_t count,
                                               double given) {
  const dppair_question_ question = {steps,   count,      q->for_delta, given,
                                     q->work, q->doubles, q->only};
  return dppair_compose_(b, &question, q->route);
}

/* The lower bound of what was really run: all of delta, no failures, and no rounding of mu. The
 * Gaussian steps are the last of the list. */
DPPAIR_API double dppair_certify_below_(const dppair_certify_ *q, dppair_step *steps,
                                        size_t count) {
  const dppair_accountant *a = q->a;
  const double less = dppair_gaussian_less_(a);
  dppair_interval b;
  if (a->gaussian > 0.0 && less > 0.0 && a->gaussian > DPPAIR_GAUSSIAN_LEAST_)
    steps[count - 1].noise_multiplier = dppair_up_(1.0 / dppair_sqrt_(a->gaussian * less));
  else if (a->gaussian > 0.0)
    count--;
  return dppair_certify_steps_(&b, q, steps, count, q->given) == DPPAIR_OK ? b.lower : 0.0;
}

/* An account whose steps all have dominating pairs: by composition, with what failures leave of
 * delta. */
DPPAIR_API dppair_status dppair_certify_composed_(dppair_interval *b, const dppair_certify_ *q) {
  dppair_step steps[DPPAIR_STEP_CAPACITY + 1];
  const dppair_accountant *a = q->a;
  size_t count;
  double given = q->given;
  dppair_status status = dppair_accountant_steps_(steps, &count, a);
  if (status == DPPAIR_OK && !q->for_delta && a->failure > 0.0) {
    status = dppair_accountant_rest_(&given, a, given);
    given = dppair_down_(given);
  }
  if (status == DPPAIR_OK) status = dppair_certify_steps_(b, q, steps, count, given);
  if (status != DPPAIR_OK) return status;
  if (q->for_delta) {
    b->upper = dppair_add_up_(b->upper, a->failure);
    if (b->upper > 1.0) b->upper = 1.0;
  }
  if (!q->both)
    b->lower = 0.0;
  else if (b->lower > 0.0 && (a->failure > 0.0 || a->gaussian > 0.0))
    b->lower = dppair_certify_below_(q, steps, count);
  return DPPAIR_OK;
}

/* The tightest answer about steps that have dominating pairs, or what the closed forms say. */
DPPAIR_API dppair_status dppair_certify_tightest_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  const dppair_status status = dppair_certify_composed_(b, q);
  if (status == DPPAIR_ERR_WORKSPACE || status == DPPAIR_ERR_NULL) return status;
  if (status != DPPAIR_OK || !dppair_isfinite_f64(b->upper)) /* what the Renyi orders say */
    return dppair_accountant_answer_(b, a, q->for_delta, q->given);
  if (!q->for_delta && dppair_accountant_is_pure_(a) && a->pure < b->upper) {
    b->upper = a->pure;
    b->route = DPPAIR_ROUTE_PURE;
    b->order = 0.0;
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return DPPAIR_OK;
}

/* Answers, `lower` being that of the steps' dominating pairs as far as compose.h knows them. */
DPPAIR_API dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  dppair_accountant others;
  double rest, pure;
  dppair_status status = dppair_certify_check_(&rest, q);
  memset(b, 0, sizeof *b);
  if (status != DPPAIR_OK) return status;
  if (dppair_certify_closed_(&status, b, q, rest)) return status;
  pure = dppair_take_negligible_(&others, a);
  if (pure > 0.0 && !(q->for_delta && q->given <= pure))
    return dppair_certify_shifted_(b, q, &others, pure);
  if (a->zcdp > 0.0)
    return q->for_delta ? dppair_certify_zcdp_delta_(b, q) : dppair_certify_zcdp_epsilon_(b, q);
  return dppair_certify_tightest_(b, q);
}

/* Every question: the tightest answer, or by the route that it names. */
DPPAIR_API dppair_status dppair_certify_any_(dppair_interval *b, const dppair_certify_ *q) {
  if (q->route == DPPAIR_ROUTE_BEST) return dppair_certify_answer_(b, q);
  memset(b, 0, sizeof *b);
  return dppair_certify_composed_(b, q);
}

/*
 * Memory and code for numerical composition. work: `bytes` of dppair_composer_workspace, at any
 * alignment; it stays yours, and the composer is good for as long as it is there, for one question
 * at a time. Errors leave *composer zero: NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_composer_init(dppair_composer *composer,
                                                                void *work, size_t bytes) {
  if (composer == NULL) return DPPAIR_ERR_NULL;
  memset(composer, 0, sizeof *composer);
  if (work == NULL) return DPPAIR_ERR_NULL;
  composer->work = work;
  composer->bytes = bytes;
  composer->answer = dppair_certify_any_;
  return DPPAIR_OK;
}
