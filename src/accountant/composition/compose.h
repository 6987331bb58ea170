/* ------------------------------------------------------------------------------------------------
 * The tightest certified route
 *
 * dppair_compose_: the exact curve, the contour, the lattice and the bounds that need no
 * composition, in the order in which they are usually best, until one is tight.
 * ---------------------------------------------------------------------------------------------- */

/* The answer for the dominating pairs. The contour is usually tighter by far, so that the other
 * routes are asked only where it stays wider than `enough`, or has no answer. */
DPPAIR_API dppair_status dppair_bracket_of_(dppair_interval *b, const dppair_question_ *q) {
  const double enough = q->for_delta ? 1e-3 : 1e-5, wanted = q->for_delta ? 1e-3 : 5e-5;
  dppair_interval other;
  dppair_status status;
  double closed;
  if (dppair_table_bracket_(b, q) == DPPAIR_OK) return DPPAIR_OK;
  status = dppair_contour_answer_(b, q);
  if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE && status != DPPAIR_ERR_NO_PROOF)
    return status;
  if (dppair_bracket_gaussian_(&closed, q) == DPPAIR_OK &&
      (status != DPPAIR_OK || closed <= b->upper)) {
    b->route = DPPAIR_ROUTE_CLOSED;
    b->upper = b->estimate = closed;
    if (status != DPPAIR_OK) b->lower = 0.0;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, enough)) return DPPAIR_OK;
  if (dppair_bracket_single_(&other, q) == DPPAIR_OK &&
      (status != DPPAIR_OK || other.upper <= b->upper)) {
    *b = other;
    return DPPAIR_OK;
  }
  if (dppair_bracket_lattices_(&other, q, wanted) != DPPAIR_OK) return status;
  if (status != DPPAIR_OK) {
    *b = other;
    return DPPAIR_OK;
  }
  b->route = DPPAIR_ROUTE_BOTH;
  if (other.upper < b->upper) b->upper = other.upper;
  if (other.lower > b->lower) b->lower = other.lower;
  return DPPAIR_OK;
}

/* A route that composes laws, asked so that its answer covers what they leave out of their losses:
 * that shifts epsilon, and below the shift a chord of the curve answers. */
DPPAIR_API dppair_status dppair_compose_laws_(dppair_interval *b, const dppair_question_ *q,
                                              dppair_route route) {
  const double surplus = dppair_steps_surplus_(q->steps, q->count);
  const double over = q->given - surplus;
  dppair_question_ less = *q;
  dppair_status status;
  if (!dppair_isfinite_f64(surplus)) return DPPAIR_ERR_OVERFLOW;
  if (q->for_delta && surplus > 0.0) less.given = over > 0.0 ? dppair_down_(over) : 0.0;
  status = route == DPPAIR_ROUTE_CONTOUR   ? dppair_contour_answer_(b, &less)
           : route == DPPAIR_ROUTE_LATTICE ? dppair_pld_bounds_(b, &less, NULL)
                                           : dppair_bracket_of_(b, &less);
  if (status == DPPAIR_OK && !q->for_delta && surplus > 0.0) {
    b->upper = dppair_add_up_(b->upper, surplus);
    b->lower += dppair_down_(surplus);
    b->estimate += surplus;
  }
  if (status == DPPAIR_OK && q->for_delta && over < 0.0 && surplus > 0.0) {
    b->upper = b->estimate = dppair_delta_chord_(b->upper, dppair_up_(-over));
    b->lower = 0.0;
  }
  return status;
}

/* The tightest of all. */
DPPAIR_API dppair_status dppair_compose_best_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_status status = dppair_compose_laws_(b, q, DPPAIR_ROUTE_BEST);
  int improved;
  if (status == DPPAIR_ERR_NO_CONVERGENCE) { /* nothing is known */
    b->upper = b->estimate = q->for_delta ? 1.0 : HUGE_VAL;
    b->lower = 0.0;
  } else if (status != DPPAIR_OK) {
    return status;
  }
  improved = dppair_bracket_improve_(b, q);
  return improved ? DPPAIR_OK : status;
}

/* By one route, or by the tightest. */
DPPAIR_API dppair_status dppair_compose_by_(dppair_interval *b, const dppair_question_ *q,
                                            dppair_route route) {
  dppair_status status;
  switch (route) {
  case DPPAIR_ROUTE_CONTOUR:
  case DPPAIR_ROUTE_LATTICE:
    return dppair_compose_laws_(b, q, route);
  case DPPAIR_ROUTE_RENYI:
    return dppair_steps_answer_(b, q, 1);
  case DPPAIR_ROUTE_PURE:
    return dppair_bracket_pure_(b, q);
  case DPPAIR_ROUTE_BEST:
  case DPPAIR_ROUTE_CLOSED:
    status = dppair_compose_best_(b, q);
    if (status == DPPAIR_OK && route == DPPAIR_ROUTE_CLOSED && b->route != route)
      return DPPAIR_ERR_NO_PROOF;
    return status;
  default:
    return DPPAIR_ERR_DOMAIN;
  }
}

/* Checks the arguments, answers, and hands a bracket for the dominating pairs out as one for the
 * mechanism. On an error *interval is all 0. */
DPPAIR_API dppair_status dppair_compose_(dppair_interval *interval, const dppair_question_ *q,
                                         dppair_route route) {
  const int composes = route != DPPAIR_ROUTE_RENYI && route != DPPAIR_ROUTE_PURE;
  dppair_interval b;
  dppair_status status;
  size_t need;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if ((composes && q->work == NULL) || (q->steps == NULL && q->count > 0)) return DPPAIR_ERR_NULL;
  status = dppair_compose_doubles_(&need, q->count, 0); /* of too many steps none is read */
  if (status == DPPAIR_OK && dppair_steps_slotted_(q->steps, q->count))
    status = dppair_compose_doubles_(&need, q->count, 1);
  if (status == DPPAIR_OK && composes && q->doubles < need) return DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_given_check_(q->for_delta, q->given);
  if (status == DPPAIR_OK) status = dppair_compose_by_(&b, q, route);
  if (status != DPPAIR_OK) return status;
  if (!dppair_steps_attained_(q->steps, q->count)) b.lower = 0.0;
  b.estimate = dppair_estimate_(b.upper, b.lower, b.estimate);
  *interval = b;
  return DPPAIR_OK;
}
