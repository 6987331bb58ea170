/* ------------------------------------------------------------------------------------------------
 * The tightest certified route
 *
 * dppair_compose: the exact curve, the contour, the lattice and the bounds that need no
 * composition, in the order in which they are usually best, until one is tight.
 * ---------------------------------------------------------------------------------------------- */

/* The transform's length on the lattice is 2^15 at first, which is enough for few steps, and 2^18
 * at most. */
enum { DPPAIR_COMPOSE_LOG2_FIRST_ = 15, DPPAIR_COMPOSE_LOG2_ = 18 };

/* Doubles that any route needs for `count` distinct steps; allocated: some may be of allocated
 * records, whose tables lie behind the rest. */
DPPAIR_API dppair_status dppair_compose_doubles_(size_t *doubles, size_t count, int allocated) {
  const size_t table = allocated ? dppair_allocation_largest_() : 0;
  dppair_pld_options_ options;
  size_t contour = 0, lattice = 0;
  dppair_status status;
  *doubles = 0;
  memset(&options, 0, sizeof options);
  options.log2_size = DPPAIR_COMPOSE_LOG2_;
  status = dppair_contour_workspace_(&contour, count);
  if (status == DPPAIR_OK) status = dppair_pld_workspace_(&lattice, count, &options);
  if (status == DPPAIR_OK && lattice > SIZE_MAX / sizeof(double) - table)
    status = DPPAIR_ERR_OVERFLOW;
  lattice += table;
  if (status == DPPAIR_OK) *doubles = contour > lattice ? contour : lattice;
  return status;
}

/* Are there allocated records among the steps? */
DPPAIR_API int dppair_steps_allocated_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (steps[t].sampling.kind == DPPAIR_ALLOCATION) return 1;
  return 0;
}

/* *bytes of workspace that dppair_compose needs for `count` distinct steps (28 MB, and 33 kB a
 * step), at any alignment; 16 MB where no records are allocated. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_workspace(size_t *bytes, size_t count) {
  size_t doubles;
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_compose_doubles_(&doubles, count, 1);
  return status == DPPAIR_OK ? dppair_doubles_bytes_(bytes, doubles) : status;
}

/* 1 when a pair of data sets attains the dominating pairs of all steps at once, so that a lower
 * bound for the pairs is one for the mechanism. Fixed-size samples take their pair from two pairs
 * of data sets, one for t >= 1 and one for t < 1: attained by a single run alone. */
DPPAIR_API int dppair_steps_attained_(const dppair_step *steps, size_t count) {
  double runs = 0.0;
  int single = 0;
  size_t t;
  for (t = 0; t < count; t++) {
    int attained;
    runs += (double)dppair_step_runs_(&steps[t]);
    if (dppair_step_check_(&steps[t]) != DPPAIR_OK) return 0;
    attained = dppair_step_charge_(&steps[t]).attained;
    if (attained == DPPAIR_ATTAINED_NEVER_) return 0;
    if (attained == DPPAIR_ATTAINED_ONCE_) single = 1;
  }
  return !single || runs <= 1.0;
}

/* The sum of the steps' pure epsilons, rounded up. */
DPPAIR_API double dppair_steps_pure_(const dppair_step *steps, size_t count) {
  double pure = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    double e = dppair_step_pure_(&steps[t]);
    if (steps[t].steps > 1) e = dppair_up_(e * dppair_up_((double)steps[t].steps));
    pure = dppair_add_up_(pure, e);
  }
  return pure;
}

/* What dppair_accountant_answer_ says of the steps. */
DPPAIR_API dppair_status dppair_steps_answer_(dppair_interval *b, const dppair_question_ *q,
                                              int renyi) {
  dppair_accountant a;
  dppair_status status = dppair_accountant_init(&a);
  size_t t;
  for (t = 0; t < q->count && status == DPPAIR_OK; t++) {
    status = dppair_accountant_step(&a, &q->steps[t]);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &a, status));
  }
  if (status != DPPAIR_OK) return status;
  return renyi ? dppair_accountant_renyi_(b, &a, q->for_delta, q->given)
               : dppair_accountant_answer_(b, &a, q->for_delta, q->given);
}

/* The sum of pure epsilons alone. For delta it says something from that sum on. */
DPPAIR_API dppair_status dppair_bracket_pure_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  const dppair_status status = dppair_steps_answer_(b, q, 0); /* checks the steps */
  if (status != DPPAIR_OK && status != DPPAIR_ERR_OVERFLOW) return status;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_PURE;
  if (!(pure <= (q->for_delta ? q->given : DBL_MAX))) return DPPAIR_ERR_NO_PROOF;
  b->upper = b->estimate = q->for_delta ? 0.0 : pure;
  return DPPAIR_OK;
}

/* The bounds that need no composition, where they are better: the sum of pure epsilons always; the
 * best Renyi order, which takes longer, only when b is more than 1e-3 wide. 0: neither is better.
 */
DPPAIR_API int dppair_bracket_improve_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  dppair_interval other;
  int improved = 0;
  if (q->for_delta ? q->given >= pure : pure < b->upper) {
    b->upper = q->for_delta ? 0.0 : pure;
    b->route = DPPAIR_ROUTE_PURE;
    improved = 1;
  }
  if (!(b->upper <= DBL_MAX && b->upper - b->lower <= 1e-3 * b->upper) &&
      dppair_steps_answer_(&other, q, 0) == DPPAIR_OK && other.upper < b->upper) {
    b->upper = other.upper;
    b->order = other.order;
    b->route = other.route;
    improved = 1;
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return improved;
}

/* The only step with a run, when that is a single one; else NULL. */
DPPAIR_API const dppair_step *dppair_steps_single_(const dppair_step *steps, size_t count) {
  const dppair_step *only = NULL;
  size_t t;
  for (t = 0; t < count; t++) {
    if (steps[t].steps == 0) continue;
    if (only != NULL || dppair_step_runs_(&steps[t]) != 1) return NULL;
    only = &steps[t];
  }
  return only;
}

/* 1 when all steps are plain Gaussian ones, which together are one with this mu, rounded up. */
DPPAIR_API int dppair_steps_gaussian_(double *mu, const dppair_step *steps, size_t count) {
  double squares = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (!dppair_mechanism_is_gaussian_(steps[t].kind)) return 0;
    squares += (double)steps[t].steps / steps[t].noise_multiplier / steps[t].noise_multiplier;
  }
  *mu = sqrt(squares * (1.0 + 1e-15 * (double)(count + 4)));
  return 1;
}

/* A bracket is tight enough: further work is not worth it. */
DPPAIR_API int dppair_bracket_tight_(const dppair_interval *b, double relative) {
  return b->upper - b->lower <= relative * b->lower || b->upper <= 0.0;
}

/* The exact curve of plain Gaussian steps; NO_PROOF when there are others. */
DPPAIR_API dppair_status dppair_bracket_gaussian_(double *closed, const dppair_question_ *q) {
  double mu;
  if (!dppair_steps_gaussian_(&mu, q->steps, q->count)) return DPPAIR_ERR_NO_PROOF;
  return q->for_delta ? dppair_gaussian_delta(closed, q->given, mu)
                      : dppair_gaussian_epsilon(closed, q->given, mu);
}

/* The closed form of a single run of a single step; NO_PROOF when there is more. Where hits beyond
 * the cap matter beside delta, a second try spends less on them. */
DPPAIR_API dppair_status dppair_bracket_single_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_step *only = dppair_steps_single_(q->steps, q->count);
  double spend = dppair_spend_(q->for_delta, q->given), paid;
  dppair_interval less;
  dppair_status status = DPPAIR_ERR_NO_PROOF;
  if (only == NULL) return status;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_CLOSED;
  status = dppair_single_(&b->upper, &b->lower, &paid, only, q, spend);
  if (status == DPPAIR_OK && q->for_delta) {
    const double best[2] = {b->upper, b->lower};
    spend = dppair_spend_less_(spend, paid, best);
    if (spend > 0.0 &&
        dppair_single_(&less.upper, &less.lower, &paid, only, q, spend) == DPPAIR_OK) {
      b->upper = less.upper;
      b->lower = less.lower;
    }
  }
  b->estimate = b->upper;
  return status;
}

/* The lattice's answer with a transform of 2^log2_size points. */
DPPAIR_API dppair_status dppair_bracket_lattice_(dppair_interval *b, const dppair_question_ *q,
                                                 unsigned log2_size) {
  dppair_pld_options_ options;
  memset(&options, 0, sizeof options);
  options.log2_size = log2_size;
  return dppair_pld_bounds_(b, q, &options);
}

/* Does some step replace allocated records? The two pairs that enclose it are up to 40 % apart. */
DPPAIR_API int dppair_steps_replaced_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (steps[t].sampling.kind == DPPAIR_ALLOCATION &&
        dppair_allocation_replaces_(&steps[t].sampling))
      return 1;
  return 0;
}

/* The lattice's answer, with a transform as long as it takes. The width is O(h^2), so that twice
 * the length makes a width of up to 3 times the wanted one narrow enough. */
DPPAIR_API dppair_status dppair_bracket_lattices_(dppair_interval *b, const dppair_question_ *q,
                                                  double wanted) {
  unsigned log2_size = DPPAIR_COMPOSE_LOG2_FIRST_;
  if (dppair_steps_replaced_(q->steps, q->count))
    return dppair_bracket_lattice_(b, q, DPPAIR_COMPOSE_LOG2_FIRST_ + 1);
  for (;;) {
    const dppair_status status = dppair_bracket_lattice_(b, q, log2_size);
    if (log2_size == DPPAIR_COMPOSE_LOG2_) return status;
    if (status == DPPAIR_OK && dppair_bracket_tight_(b, wanted)) return status;
    if (status == DPPAIR_OK && dppair_bracket_tight_(b, 3.0 * wanted))
      log2_size++;
    else
      log2_size = DPPAIR_COMPOSE_LOG2_;
  }
}

/* The steps as epochs of one allocation: all alike but for the numbers of steps and of groups. */
DPPAIR_API dppair_status dppair_steps_epochs_(dppair_law_ *law, size_t *epochs,
                                              const dppair_step *steps, size_t count) {
  const dppair_sampling *first = count > 0 ? &steps[0].sampling : NULL;
  double sum = 0.0;
  dppair_status status;
  size_t t;
  *epochs = 0;
  if (first == NULL || first->kind != DPPAIR_ALLOCATION) return DPPAIR_ERR_NO_PROOF;
  status = dppair_law_of_(law, &steps[0], 0.0);
  if (status == DPPAIR_OK && law->kind != DPPAIR_LAW_ALLOCATION_) status = DPPAIR_ERR_NO_PROOF;
  for (t = 0; status == DPPAIR_OK && t < count; t++) {
    const dppair_sampling *s = &steps[t].sampling;
    status = dppair_step_check_(&steps[t]);
    if (status == DPPAIR_OK &&
        (s->kind != DPPAIR_ALLOCATION || s->adjacency != first->adjacency ||
         dppair_allocation_batches_(s) != dppair_allocation_batches_(first) ||
         memcmp(&steps[t].noise_multiplier, &law->noise, sizeof law->noise) != 0))
      status = DPPAIR_ERR_NO_PROOF;
    sum += (double)dppair_step_runs_(&steps[t]);
  }
  if (status == DPPAIR_OK && !(sum <= DPPAIR_ALLOCATION_EPOCHS_MOST_)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) *epochs = (size_t)sum;
  return status;
}

/* Epochs of one law of allocation, by the table of `batches` alone. */
DPPAIR_API dppair_status dppair_bracket_epochs_(dppair_interval *b, const dppair_question_ *q,
                                                const dppair_law_ *law, size_t batches,
                                                size_t epochs) {
  const dppair_adjacency adjacency = q->steps[0].sampling.adjacency;
  return q->for_delta ? dppair_allocation_delta_(b, law->noise, batches, epochs, q->given,
                                                 adjacency, q->only, q->work, q->doubles)
                      : dppair_allocation_epsilon_(b, law->noise, batches, epochs, q->given,
                                                   adjacency, q->only, q->work, q->doubles);
}

/* The same where that table has no answer: the lattice's, or what is known of the most batches, of
 * a half, a quarter .. of them, whose table has one. All curves fall with the number of batches
 * (mechanisms/allocation.h), and of one there is a closed form. */
DPPAIR_RARE_ dppair_status dppair_bracket_fewer_(dppair_interval *b, const dppair_question_ *q,
                                                 const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval other;
  dppair_status status = dppair_bracket_lattices_(b, q, 1e-3);
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, 1e-3)) return DPPAIR_OK;
  if (status != DPPAIR_OK) {
    memset(b, 0, sizeof *b);
    b->upper = HUGE_VAL;
  }
  do {
    batches /= 2;
    status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
  } while (batches > 1 && status == DPPAIR_ERR_NO_CONVERGENCE);
  if (status == DPPAIR_OK && other.upper < b->upper) {
    b->upper = b->estimate = other.upper;
    b->route = other.route;
  }
  return b->upper <= DBL_MAX ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Epochs of one allocation, and nothing else: by the table, without a transform, where it has an
 * answer. */
DPPAIR_RARE_ dppair_status dppair_bracket_allocation_(dppair_interval *b,
                                                      const dppair_question_ *q) {
  dppair_law_ law;
  size_t epochs;
  dppair_status status = dppair_steps_epochs_(&law, &epochs, q->steps, q->count);
  if (status != DPPAIR_OK) return status;
  status = dppair_bracket_epochs_(b, q, &law, law.batches, epochs);
  if (status == DPPAIR_ERR_NO_CONVERGENCE) status = dppair_bracket_fewer_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.merged) b->lower = 0.0;
  return status;
}

/* The answer for the dominating pairs. The contour is usually tighter by far, so that the other
 * routes are asked only where it stays wider than `enough`, or has no answer. */
DPPAIR_API dppair_status dppair_bracket_of_(dppair_interval *b, const dppair_question_ *q) {
  const double enough = q->for_delta ? 1e-3 : 1e-5, wanted = q->for_delta ? 1e-3 : 5e-5;
  dppair_interval other;
  dppair_status status;
  double closed;
  if (dppair_bracket_allocation_(b, q) == DPPAIR_OK) return DPPAIR_OK;
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

/* The tightest of all. */
DPPAIR_API dppair_status dppair_compose_best_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_status status = dppair_bracket_of_(b, q);
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
    return dppair_contour_answer_(b, q);
  case DPPAIR_ROUTE_LATTICE:
    return dppair_pld_bounds_(b, q, NULL);
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
  status = dppair_compose_doubles_(&need, q->count, dppair_steps_allocated_(q->steps, q->count));
  if (status == DPPAIR_OK && composes && q->doubles < need) return DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_given_check_(q->for_delta, q->given);
  if (status == DPPAIR_OK) status = dppair_compose_by_(&b, q, route);
  if (status != DPPAIR_OK) return status;
  if (!dppair_steps_attained_(q->steps, q->count)) b.lower = 0.0;
  b.estimate = dppair_estimate_(b.upper, b.lower, b.estimate);
  *interval = b;
  return DPPAIR_OK;
}

/*
 * The epsilon of a composition at this delta in [DBL_MIN, 1) (below, doubles lose digits):
 * lower <= truth <= upper, certified. steps: `count` distinct steps, each run step.steps times, in
 * any order, adaptively. work: dppair_compose_workspace bytes.
 *
 *   DPPAIR_ROUTE_BEST     plain Gaussian steps and one run of one step by the exact curve; epochs
 * of one allocation by its table (route: lattice), or one of fewer batches, which bounds it from
 * above, where that has no answer; the rest by the contour, and by the lattice
 * where the contour cannot answer (atoms, very few steps) or stays wider than 1e-5 of epsilon.
 * `upper` is never more than the sum of pure epsilons, nor, where the routes stay wide, than what
 * the best Renyi order says. DPPAIR_ROUTE_CLOSED   the same, but NO_PROOF where no closed form is
 * the tightest DPPAIR_ROUTE_CONTOUR  Gaussian steps, also sampled ones, and pairs; NO_PROOF for
 * losses with atoms (Laplace, pure, randomised response), NO_CONVERGENCE for a handful of steps or
 * a huge noise ratio DPPAIR_ROUTE_LATTICE  every step with a dominating pair DPPAIR_ROUTE_RENYI
 * every step, zCDP too; lower is 0; work is not read DPPAIR_ROUTE_PURE     the sum of pure
 * epsilons, else NO_PROOF; lower is 0; work is not read
 *
 * `lower` holds for a mechanism and two data sets that attain it. It is 0 where no data sets do, or
 * none are known: for several runs with samples of a fixed size, whose dominating pair is more than
 * any two data sets show. `upper` is infinite when a mass at infinite loss exceeds delta.
 * Errors: NULL, ENVIRONMENT, WORKSPACE, those of the steps; NOT_FINITE, DELTA; ADJACENCY for a
 * mixture of neighbouring relations; OVERFLOW; DOMAIN: no such route.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose(dppair_interval *interval,
                                                          const dppair_step *steps, size_t count,
                                                          double delta, dppair_route route,
                                                          void *work, size_t bytes) {
  dppair_question_ q = {steps, count, 0, delta, NULL, 0, 0};
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return dppair_compose_(interval, &q, route);
}

/* The delta of a composition at this epsilon >= 0, the same way. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_delta(dppair_interval *interval,
                                                                const dppair_step *steps,
                                                                size_t count, double epsilon,
                                                                dppair_route route, void *work,
                                                                size_t bytes) {
  dppair_question_ q = {steps, count, 1, epsilon, NULL, 0, 0};
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return dppair_compose_(interval, &q, route);
}
