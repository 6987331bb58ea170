/* ------------------------------------------------------------------------------------------------
 * The account, certified
 *
 * dppair_accountant_certify, _certify_delta: a lower and an upper bound of the epsilon, or of the
 * delta, of everything in an account: from the exact Gaussian curve, from composition (compose.h),
 * or from Renyi orders where an account cannot be composed. dppair_parallel_epsilon: the same of
 * accounts of disjoint parts of the records.
 * ---------------------------------------------------------------------------------------------- */

/* *bytes of workspace that dppair_accountant_certify and dppair_calibrate need, for any account (32
 * megabytes, at any alignment; 20 are enough where no records are allocated). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_workspace(size_t *bytes) {
  return dppair_compose_workspace(bytes, DPPAIR_STEP_CAPACITY + 1);
}

/* A question to an account: epsilon at delta `given`, or delta at epsilon `given`. Without memory
 * (work == NULL, doubles == 0) what needs no composition answers. */
typedef struct dppair_certify_ {
  const dppair_accountant *a;
  int for_delta;
  double given;
  int both; /* 0: `lower` is not asked for: it may cost a second composition */
  double *work;
  size_t doubles;
  int only; /* as dppair_question_ */
} dppair_certify_;

DPPAIR_API dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q);

/* The largest epsilon below `upper` at which the curve surely exceeds delta; 0 when none. */
DPPAIR_API double dppair_gaussian_epsilon_below_(double upper, double delta, double mu) {
  const double target = dppair_log_(delta);
  double gap;
  if (mu > DPPAIR_CURVE_LARGEST_) return 0.0;
  for (gap = 1e-15; gap < 1.0; gap *= 2.0) {
    const double x = upper * (1.0 - gap), log_delta = dppair_curve_(x, mu).log_delta;
    if (log_delta - dppair_curve_log_slack_(log_delta) > target + 3e-16 * dppair_fabs_(target))
      return x;
  }
  return 0.0;
}

/* A lower bound of the curve's delta. */
DPPAIR_API double dppair_gaussian_delta_below_(double epsilon, double mu) {
  const double delta = mu > DPPAIR_CURVE_LARGEST_ ? 0.0 : dppair_curve_(epsilon, mu).delta;
  return delta > 1e-290 ? delta * (1.0 - 2.0 * DPPAIR_CURVE_SLACK_) : 0.0;
}

/* What the true sum of mu^2 is of the account's at least. Every addition rounded it up by up to
 * 2^-51, and each term was rounded a few times. */
DPPAIR_API double dppair_gaussian_less_(const dppair_accountant *a) {
  const double less = 1.0 - 4.5e-16 * (a->additions + 16.0);
  return less > 0.0 ? less : 0.0;
}

/* mu^2 terms below 1e-300 were raised to it when they were added: a sum from here on hardly
 * noticed, a smaller one is no lower bound. */
#define DPPAIR_GAUSSIAN_LEAST_ 1e-250

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
DPPAIR_API dppair_status dppair_certify_zcdp_(dppair_interval *b, const dppair_certify_ *q) {
  static const double shares[2] = {0.1, 1e-3};
  dppair_accountant others = *q->a, zcdp;
  dppair_interval part, own;
  dppair_status status = dppair_accountant_answer_(b, q->a, q->for_delta, q->given);
  double rest = 0.0;
  int i;
  if (status != DPPAIR_OK) b->upper = HUGE_VAL;
  others.zcdp = 0.0;
  (void)dppair_accountant_init(&zcdp);
  zcdp.zcdp = q->a->zcdp;
  if (!q->for_delta && dppair_accountant_rest_(&rest, q->a, q->given) != DPPAIR_OK) rest = 0.0;
  for (i = 0; i < 2 && !q->for_delta; i++) {
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

/* An account of plain Gaussian steps: the exact curve, and the curve at the lower mu without
 * failures. */
DPPAIR_API dppair_status dppair_certify_gaussian_(dppair_interval *b, const dppair_certify_ *q) {
  const double mu = dppair_sqrt_(q->a->gaussian * dppair_gaussian_less_(q->a));
  double other;
  const dppair_status status = dppair_accountant_answer_(b, q->a, q->for_delta, q->given);
  if (status != DPPAIR_OK || !(b->upper > 0.0 && q->a->gaussian > DPPAIR_GAUSSIAN_LEAST_))
    return status;
  if (q->for_delta)
    b->lower = dppair_gaussian_delta_below_(q->given, mu);
  else if (dppair_gaussian_epsilon(&other, q->given, mu) == DPPAIR_OK && other > 0.0)
    b->lower = dppair_gaussian_epsilon_below_(other, q->given, mu);
  if (b->lower > b->upper) b->lower = b->upper;
  return DPPAIR_OK;
}

/* dppair_compose over these steps. */
DPPAIR_API dppair_status dppair_certify_steps_(dppair_interval *b, const dppair_certify_ *q,
                                               const dppair_step *steps, size_t count,
                                               double given) {
  const dppair_question_ question = {steps,   count,      q->for_delta, given,
                                     q->work, q->doubles, q->only};
  return dppair_compose_(b, &question, DPPAIR_ROUTE_BEST);
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

/* Answers, `lower` being that of the steps' dominating pairs as far as compose.h knows them. */
DPPAIR_API dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  dppair_accountant others;
  dppair_status status;
  double rest = 1.0, pure;
  memset(b, 0, sizeof *b);
  status =
      q->for_delta ? dppair_accountant_usable_(a) : dppair_accountant_rest_(&rest, a, q->given);
  if (status == DPPAIR_OK && !(rest >= DBL_MIN)) status = DPPAIR_ERR_DELTA;
  if (status == DPPAIR_OK) status = dppair_given_check_(q->for_delta, q->given);
  if (status != DPPAIR_OK) return status;
  if (dppair_accountant_is_gaussian_(a)) return dppair_certify_gaussian_(b, q);
  if (q->work == NULL && q->doubles == 0)
    return dppair_accountant_answer_(b, a, q->for_delta, q->given);
  pure = dppair_take_negligible_(&others, a);
  if (pure > 0.0 && !(q->for_delta && q->given <= pure))
    return dppair_certify_shifted_(b, q, &others, pure);
  if (a->zcdp > 0.0 && !a->folded && (a->count > 0 || a->gaussian > 0.0))
    return dppair_certify_zcdp_(b, q);
  status = dppair_certify_composed_(b, q);
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

/* Checks the arguments and answers; `only` as in dppair_question_. */
DPPAIR_API dppair_status dppair_accountant_certify_(dppair_interval *interval,
                                                    const dppair_accountant *a, int for_delta,
                                                    double given, void *work, size_t bytes,
                                                    int only) {
  dppair_certify_ q = {a, for_delta, given, 1, NULL, 0, 0};
  dppair_interval b;
  dppair_status status;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  q.only = only;
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  if (work == NULL && bytes > 0) return DPPAIR_ERR_NULL;
  if (work != NULL && q.doubles == 0) return DPPAIR_ERR_WORKSPACE;
  status = dppair_certify_answer_(&b, &q);
  if (status != DPPAIR_OK) return status;
  if (a->unattained) {
    b.lower = 0.0;
    b.estimate = b.upper;
  }
  *interval = b;
  return DPPAIR_OK;
}

/*
 * The tightest certified enclosure lower <= epsilon <= upper of everything in the account at this
 * delta in [DBL_MIN, 1), with the best estimate between: from the exact curve for Gaussian
 * accounts, else from numerical composition; `upper` is never more than the best Renyi order or the
 * sum of pure epsilons. `lower` is 0 where it is not known to be attained (dppair_compose), and
 * where the account is beyond the reach of composition (folded steps, losses that are too wide).
 * With a failure probability, `lower` is for the mechanisms without it at the whole delta.
 * work: dppair_accountant_workspace bytes. Gaussian accounts do not read it; for others NULL with 0
 * bytes asks for what dppair_accountant_epsilon says, the route and the order that it comes from.
 * delta = 0: dppair_accountant_epsilon. Errors: NULL, WORKSPACE, those of a broken account;
 * NOT_FINITE; DELTA, also when failures leave nothing of delta; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_certify(dppair_interval *interval,
                                                                     const dppair_accountant *a,
                                                                     double delta, void *work,
                                                                     size_t bytes) {
  return dppair_accountant_certify_(interval, a, 0, delta, work, bytes, 0);
}

/* The same for delta at this epsilon >= 0. `upper` contains the failure probability, `lower` does
 * not. Errors: EPSILON in place of DELTA. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_certify_delta(dppair_interval *interval, const dppair_accountant *a,
                                double epsilon, void *work, size_t bytes) {
  return dppair_accountant_certify_(interval, a, 1, epsilon, work, bytes, 0);
}

/* Are the parts about one relation, as the steps of one account have to be? A part that holds
 * nothing fits any. */
DPPAIR_API dppair_status dppair_parallel_check_(const dppair_accountant *parts, size_t count) {
  dppair_adjacency named = (dppair_adjacency)0;
  dppair_status status = DPPAIR_OK;
  int stated = 0;
  size_t i;
  for (i = 0; i < count && status == DPPAIR_OK; i++) {
    status = dppair_accountant_usable_(&parts[i]);
    if (status == DPPAIR_OK && parts[i].sequence > 0)
      status = dppair_neighbours_join_(&named, &stated, parts[i].named, parts[i].stated);
  }
  return status;
}

/* Adds a part's bounds to those of the parts before it: the largest of each. */
DPPAIR_API void dppair_parallel_join_(dppair_interval *all, const dppair_interval *part) {
  const double lower = part->lower > all->lower ? part->lower : all->lower;
  const double estimate = part->estimate > all->estimate ? part->estimate : all->estimate;
  if (all->route == DPPAIR_ROUTE_BEST || part->upper > all->upper) *all = *part;
  all->lower = lower;
  all->estimate = dppair_estimate_(all->upper, lower, estimate);
}

/*
 * Parallel composition: a lower and an upper bound of the epsilon of `count` accounts of mechanisms
 * that read disjoint parts of the records. Split the records without looking at them; where a
 * person or a query is protected, all of its records belong to one part. Two neighbours differ in
 * one part only, so each bound is the largest one of the parts; `route` and `order` are those of
 * the part with the largest `upper`.
 * delta, work, bytes: as for dppair_accountant_certify. Without memory (NULL, 0 bytes) a part of
 * sampled steps is answered from Renyi orders, which are looser: `route` says so. delta = 0: the
 * parts' sums of pure epsilons.
 * Errors: NULL; SIZE (count = 0); ADJACENCY: the parts are about different neighbours (an empty
 * account is about any); those of dppair_accountant_certify.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_parallel_epsilon(dppair_interval *interval,
                                                                   const dppair_accountant *parts,
                                                                   size_t count, double delta,
                                                                   void *work, size_t bytes) {
  dppair_interval all, part;
  dppair_status status;
  size_t i;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (parts == NULL) return DPPAIR_ERR_NULL;
  if (count == 0) return DPPAIR_ERR_SIZE;
  status = dppair_parallel_check_(parts, count);
  memset(&all, 0, sizeof all);
  for (i = 0; i < count && status == DPPAIR_OK; i++) {
    status = dppair_accountant_certify_(&part, &parts[i], 0, delta, work, bytes, 0);
    if (status == DPPAIR_ERR_DELTA && dppair_accountant_is_pure_(&parts[i]))
      status = dppair_accountant_answer_(&part, &parts[i], 0, delta);
    if (status == DPPAIR_OK) dppair_parallel_join_(&all, &part);
  }
  if (status == DPPAIR_OK) *interval = all;
  return status;
}
