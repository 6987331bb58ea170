/* ------------------------------------------------------------------------------------------------
 * The certified routes
 *
 * Each writes a bracket: the closed forms, the lattice with a transform as long as it takes, the
 * sum of pure epsilons, the Renyi orders. What one needs of memory.
 * ---------------------------------------------------------------------------------------------- */

/* The transform's length on the lattice is 2^15 at first, which is enough for few steps, and 2^18
 * at most. */
enum { DPPAIR_COMPOSE_LOG2_FIRST_ = 15, DPPAIR_COMPOSE_LOG2_ = 18 };

/* Doubles that any route needs for `count` distinct steps; tables: some laws may be tables
 * (tables.h), which lie behind the rest. */
DPPAIR_API dppair_status dppair_compose_doubles_(size_t *doubles, size_t count, int tables) {
  const size_t table = tables ? dppair_table_doubles_() : 0;
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

/* Are there draws of modules among the steps? */
DPPAIR_API int dppair_steps_slotted_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_draw_is_slotted_(steps[t].sampling.kind)) return 1;
  return 0;
}

/* *bytes for a composition of `count` distinct steps at any alignment: 16 MB, and 33 kB a step;
 * with tables 28 MB. */
DPPAIR_API dppair_status dppair_compose_bytes_(size_t *bytes, size_t count, int tables) {
  size_t doubles;
  const dppair_status status = dppair_compose_doubles_(&doubles, count, tables);
  *bytes = 0;
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

/* What the laws of all runs leave out of their losses, rounded up; pure laws leave out nothing. */
DPPAIR_API double dppair_steps_surplus_(const dppair_step *steps, size_t count) {
  double sum = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (dppair_mechanism_is_pure_(steps[t].kind)) continue;
    sum = dppair_add_up_(
        sum, dppair_up_(dppair_step_surplus_(&steps[t]) * dppair_up_((double)steps[t].steps)));
  }
  return sum;
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

/* Is a perturbed objective among the steps? */
DPPAIR_API int dppair_steps_objective_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_mechanism_is_objective_(steps[t].kind)) return 1;
  return 0;
}

/* The bounds that need no composition, where they are better: the sum of pure epsilons always; the
 * closed form of an objective; the best Renyi order, which takes longer, only when b is more than
 * 1e-3 wide. 0: none is better. */
DPPAIR_API int dppair_bracket_improve_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  dppair_interval other;
  int improved = 0;
  if (q->for_delta ? q->given >= pure : pure < b->upper) {
    b->upper = q->for_delta ? 0.0 : pure;
    b->route = DPPAIR_ROUTE_PURE;
    improved = 1;
  }
  if ((dppair_steps_objective_(q->steps, q->count) ||
       !(b->upper <= DBL_MAX && b->upper - b->lower <= 1e-3 * b->upper)) &&
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
  *mu = dppair_sqrt_(squares * (1.0 + 1e-15 * (double)(count + 4)));
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

/* Does some step replace records of a module's draw? The two pairs that enclose allocated ones are
 * up to 40 % apart. */
DPPAIR_API int dppair_steps_replaced_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_draw_is_slotted_(steps[t].sampling.kind) &&
        dppair_adjacency_move_(steps[t].sampling.adjacency) == DPPAIR_REPLACE_ONE)
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
