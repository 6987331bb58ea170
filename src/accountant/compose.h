/* ------------------------------------------------------------------------------------------------
 * The tightest certified route
 * ---------------------------------------------------------------------------------------------- */

/* What *upper is due to. */
typedef enum dppair_route {
  DPPAIR_ROUTE_CLOSED = 1, /* plain Gaussian steps, or one run of one step: the exact curve */
  DPPAIR_ROUTE_CONTOUR = 2,
  DPPAIR_ROUTE_LATTICE = 3,
  DPPAIR_ROUTE_BOTH = 4,  /* the smaller upper and the larger lower bound of the last two */
  DPPAIR_ROUTE_RENYI = 5, /* the best Renyi order */
  DPPAIR_ROUTE_PURE = 6   /* the sum of the steps' pure epsilons */
} dppair_route;

enum { DPPAIR_COMPOSE_LOG2_ = 18 };

/* Doubles that dppair_compose_* need for `count` distinct steps (14 MB, and 130 kB a step). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_workspace(size_t *doubles, size_t count) {
  dppair_pld_options options;
  size_t contour = 0, lattice = 0;
  dppair_status status;
  if (doubles == NULL) return DPPAIR_ERR_NULL;
  *doubles = 0;
  memset(&options, 0, sizeof options);
  options.log2_size = DPPAIR_COMPOSE_LOG2_;
  status = dppair_contour_workspace(&contour, count);
  if (status == DPPAIR_OK) status = dppair_pld_workspace(&lattice, count, &options);
  if (status == DPPAIR_OK) *doubles = contour > lattice ? contour : lattice;
  return status;
}

/* What a composition is known to be: of the steps' dominating pairs. */
typedef struct dppair_bracket_ {
  double upper, lower, estimate;
  dppair_route route;
} dppair_bracket_;

/* 1 when a pair of data sets attains the dominating pairs of all steps at once, so that a lower
 * bound for the pairs is one for the mechanism. Fixed-size samples take their pair from two pairs
 * of data sets, one for t >= 1 and one for t < 1: attained by a single run alone. */
DPPAIR_API int dppair_steps_attained_(const dppair_step *steps, size_t count) {
  double runs = 0.0;
  int single = 0;
  size_t t;
  for (t = 0; t < count; t++) {
    dppair_hit_law_ hits;
    runs += (double)steps[t].steps;
    if (steps[t].kind != DPPAIR_SAMPLED_GAUSSIAN && steps[t].kind != DPPAIR_SAMPLED_PAIRS) continue;
    if (dppair_hit_law_of_(&hits, &steps[t]) != DPPAIR_OK) return 0;
    if (!dppair_step_attained_(&steps[t], &hits)) return 0;
    if (hits.comparison == DPPAIR_AMPLIFIED_ && hits.rate < 1.0) single = 1;
  }
  return !single || runs <= 1.0;
}

/* The bounds that need no composition, where they are better: the sum of pure epsilons always; the
 * best Renyi order, which takes its time, when b is 1e-3 wide or says nothing. */
DPPAIR_API void dppair_bracket_improve_(dppair_bracket_ *b, const dppair_step *steps, size_t count,
                                        int for_delta, double given) {
  double pure = 0.0, renyi;
  size_t t;
  for (t = 0; t < count; t++) {
    const dppair_step *step = &steps[t];
    double e = step->noise_multiplier;
    if (step->kind == DPPAIR_LAPLACE) {
      e = 1.0 / e;
      if (e * step->noise_multiplier != 1.0 ||
          dppair_product_error_(e, step->noise_multiplier, 1.0) != 0.0)
        e = dppair_up_(e);
    } else if (step->kind != DPPAIR_PURE && step->kind != DPPAIR_RANDOMISED_RESPONSE) {
      e = HUGE_VAL;
    }
    if (step->steps > 1) e = dppair_up_(e * dppair_up_((double)step->steps));
    pure = dppair_add_up_(pure, e);
  }
  if (for_delta ? given >= pure : pure < b->upper) {
    b->upper = for_delta ? 0.0 : pure;
    b->route = DPPAIR_ROUTE_PURE;
  }
  if (!(b->upper <= DBL_MAX && b->upper - b->lower <= 1e-3 * b->upper)) {
    dppair_accountant a;
    dppair_status status = dppair_accountant_init(&a);
    for (t = 0; t < count && status == DPPAIR_OK; t++)
      status = dppair_accountant_step(&a, &steps[t]);
    if (status == DPPAIR_OK)
      status = for_delta ? dppair_accountant_delta(&renyi, &a, given)
                         : dppair_accountant_epsilon(&renyi, &a, given);
    if (status == DPPAIR_OK && renyi < b->upper) {
      b->upper = renyi;
      b->route = DPPAIR_ROUTE_RENYI;
    }
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
}

/* The only step with a run, when that is a single one; else NULL. */
DPPAIR_API const dppair_step *dppair_steps_single_(const dppair_step *steps, size_t count) {
  const dppair_step *only = NULL;
  size_t t;
  for (t = 0; t < count; t++) {
    if (steps[t].steps == 0) continue;
    if (only != NULL || steps[t].steps != 1) return NULL;
    only = &steps[t];
  }
  return only;
}

/* Nothing but plain Gaussian steps: the exact curve. */
DPPAIR_API int dppair_steps_gaussian_(double *mu, const dppair_step *steps, size_t count) {
  double squares = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (steps[t].kind != DPPAIR_GAUSSIAN) return 0;
    squares += (double)steps[t].steps / steps[t].noise_multiplier / steps[t].noise_multiplier;
  }
  *mu = sqrt(squares * (1.0 + 1e-15 * (double)(count + 4)));
  return 1;
}

/* A bracket is tight enough: further work is not worth it. */
DPPAIR_API int dppair_bracket_tight_(const dppair_bracket_ *b, double relative) {
  return b->upper - b->lower <= relative * b->lower || b->upper <= 0.0;
}

/* for_delta: given is epsilon and the bracket holds delta; otherwise the other way round. */
DPPAIR_API dppair_status dppair_bracket_of_(dppair_bracket_ *b, const dppair_step *steps,
                                            size_t count, int for_delta, double given,
                                            double *workspace, size_t workspace_doubles) {
  /* the contour is usually tighter by far, so that the lattice is asked only where it is not */
  const double enough = for_delta ? 1e-3 : 1e-5, wanted = for_delta ? 1e-3 : 5e-5;
  const dppair_step *only = dppair_steps_single_(steps, count);
  dppair_bracket_ other;
  dppair_pld_options options;
  dppair_status status, second = DPPAIR_ERR_NO_CONVERGENCE;
  double mu;
  unsigned t;
  status = for_delta ? dppair_contour_delta(&b->upper, &b->lower, &b->estimate, steps, count, given,
                                            workspace, workspace_doubles)
                     : dppair_contour_epsilon(&b->upper, &b->lower, &b->estimate, steps, count,
                                              given, workspace, workspace_doubles);
  b->route = DPPAIR_ROUTE_CONTOUR;
  if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE && status != DPPAIR_ERR_NO_PROOF)
    return status;
  if (dppair_steps_gaussian_(&mu, steps, count)) {
    double closed;
    second = for_delta ? dppair_gaussian_delta(&closed, given, mu)
                       : dppair_gaussian_epsilon(&closed, given, mu);
    if (second == DPPAIR_OK && (status != DPPAIR_OK || closed <= b->upper)) {
      b->route = DPPAIR_ROUTE_CLOSED;
      b->upper = b->estimate = closed;
      if (status != DPPAIR_OK) b->lower = 0.0;
      return DPPAIR_OK;
    }
  }
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, enough)) return DPPAIR_OK;
  if (only != NULL) {
    double paid, spend = for_delta ? 1e-24 : 1e-12 * given;
    second = dppair_single_(&other.upper, &other.lower, &paid, only, for_delta, given, spend);
    if (second == DPPAIR_OK && for_delta) {
      const double best[2] = {other.upper, other.lower};
      spend = dppair_spend_less_(spend, paid, best);
      if (spend > 0.0 && dppair_single_(&other.upper, &other.lower, &paid, only, for_delta, given,
                                        spend) != DPPAIR_OK) {
        other.upper = best[0];
        other.lower = best[1];
      }
    }
    if (second == DPPAIR_OK && (status != DPPAIR_OK || other.upper <= b->upper)) {
      *b = other;
      b->estimate = other.upper;
      b->route = DPPAIR_ROUTE_CLOSED;
      return DPPAIR_OK;
    }
  }
  /* a short transform is enough for few steps; its width says how long one would do */
  for (t = 15;;) {
    memset(&options, 0, sizeof options);
    options.log2_size = t;
    second = for_delta ? dppair_pld_delta(&other.upper, &other.lower, &other.estimate, steps, count,
                                          given, &options, workspace, workspace_doubles)
                       : dppair_pld_epsilon(&other.upper, &other.lower, &other.estimate, steps,
                                            count, given, &options, workspace, workspace_doubles);
    if ((second == DPPAIR_OK && dppair_bracket_tight_(&other, wanted)) || t == DPPAIR_COMPOSE_LOG2_)
      break;
    if (second == DPPAIR_OK && dppair_bracket_tight_(&other, 3.0 * wanted))
      t++;
    else
      t = DPPAIR_COMPOSE_LOG2_;
  }
  if (second != DPPAIR_OK) return status; /* what the contour said */
  if (status != DPPAIR_OK) {
    *b = other;
    b->route = DPPAIR_ROUTE_LATTICE;
    return DPPAIR_OK;
  }
  b->route = DPPAIR_ROUTE_BOTH;
  if (other.upper < b->upper) b->upper = other.upper;
  if (other.lower > b->lower) b->lower = other.lower;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_compose_(double *upper, double *lower, double *estimate,
                                         dppair_route *route, const dppair_step *steps,
                                         size_t count, int for_delta, double given,
                                         double *workspace, size_t workspace_doubles) {
  dppair_bracket_ b;
  dppair_status status;
  size_t need;
  if (upper == NULL || lower == NULL || estimate == NULL || route == NULL) return DPPAIR_ERR_NULL;
  *upper = *lower = *estimate = 0.0;
  *route = DPPAIR_ROUTE_CLOSED;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  status = dppair_compose_workspace(&need, count);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  status = dppair_bracket_of_(&b, steps, count, for_delta, given, workspace, workspace_doubles);
  if (status == DPPAIR_ERR_NO_CONVERGENCE) {
    b.upper = b.estimate = for_delta ? 1.0 : HUGE_VAL;
    b.lower = 0.0;
    b.route = DPPAIR_ROUTE_LATTICE;
  } else if (status != DPPAIR_OK) {
    return status;
  }
  dppair_bracket_improve_(&b, steps, count, for_delta, given);
  if (status != DPPAIR_OK && b.route == DPPAIR_ROUTE_LATTICE) return status;
  *upper = b.upper;
  *lower = dppair_steps_attained_(steps, count) ? b.lower : 0.0;
  *estimate = dppair_estimate_(b.upper, *lower, b.estimate);
  *route = b.route;
  return DPPAIR_OK;
}

/*
 * The epsilon of a composition at this delta in [DBL_MIN, 1), by the tightest certified route:
 * truth <= *upper. Plain Gaussian steps and one run of one step: the exact curve. Otherwise the
 * contour, and the lattice where the contour cannot (atoms, very few steps) or stays wider than
 * 1e-5 of epsilon; never more than the sum of pure epsilons, nor, where these stay wide, than the
 * best Renyi order says. *lower <= truth for a mechanism and two data sets that attain it; it is 0
 * where none does or none is known: several runs with samples of a fixed size (their dominating
 * pair is more than any two data sets show). *estimate is *upper unless the two are within 1 %.
 * Arguments and errors as for dppair_contour_epsilon; workspace: dppair_compose_workspace doubles.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_epsilon(
    double *upper, double *lower, double *estimate, dppair_route *route, const dppair_step *steps,
    size_t count, double delta, double *workspace, size_t workspace_doubles) {
  return dppair_compose_(upper, lower, estimate, route, steps, count, 0, delta, workspace,
                         workspace_doubles);
}

/* The delta of a composition at this epsilon >= 0, the same way. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_delta(
    double *upper, double *lower, double *estimate, dppair_route *route, const dppair_step *steps,
    size_t count, double epsilon, double *workspace, size_t workspace_doubles) {
  return dppair_compose_(upper, lower, estimate, route, steps, count, 1, epsilon, workspace,
                         workspace_doubles);
}
