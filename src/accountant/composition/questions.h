/* ------------------------------------------------------------------------------------------------
 * What an account has spent
 *
 * dppair_accountant_epsilon, _delta: a proved lower and upper bound of the epsilon, or of the
 * delta, of everything in an account. dppair_accountant_by_route: the same by one route.
 * dppair_parallel_epsilon: the same of accounts of disjoint parts of the records.
 *
 * Where a closed form is the tightest, no memory is needed. For any other account you pass a
 * composer (dppair_composer_init, certify.h): memory and the code of numerical composition, which a
 * program without one neither compiles nor links.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_certify_;

/* Numerical composition: dppair_composer_init makes it. */
typedef struct dppair_composer {
  void *work; /* yours */
  size_t bytes;
  dppair_status (*answer)(dppair_interval *b, const struct dppair_certify_ *q);
} dppair_composer;

/* A question to an account: epsilon at delta `given`, or delta at epsilon `given`. */
typedef struct dppair_certify_ {
  const dppair_accountant *a;
  int for_delta;
  double given;
  int both; /* 0: `lower` is not asked for: it may cost a second composition */
  double *work;
  size_t doubles;
  int only; /* as dppair_question_ */
  dppair_route route;
} dppair_certify_;

/* *bytes of workspace for a composer that answers about the account, and that calibrates one plan
 * beside it: 16 MB, and 33 kB for each different step (28 MB with dppair_allocation.h). account
 * NULL: for any account and plan, 20 MB (32). Errors: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_composer_workspace(size_t *bytes, const dppair_accountant *account) {
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  if (account == NULL) return dppair_compose_bytes_(bytes, DPPAIR_STEP_CAPACITY + 1, 1);
  return dppair_compose_bytes_(bytes, account->count + 2, 1);
}

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

/* Is there nothing tighter than dppair_accountant_answer_, however much memory there is? Plain
 * Gaussian steps have the exact curve; zCDP steps alone, folded ones and what is beside integer
 * noise have their Renyi orders, and no dominating pair; `pure`: at delta 0, or at an epsilon from
 * their sum on, pure steps. */
DPPAIR_API int dppair_accountant_is_closed_(const dppair_accountant *a, int pure) {
  size_t i;
  for (i = 0; i < a->count && a->zcdp <= 0.0; i++)
    if (dppair_mechanism_is_whole_(a->step[i].kind)) return 1;
  if (a->folded || dppair_accountant_is_gaussian_(a)) return 1;
  if (a->count == 0 && a->gaussian <= 0.0) return 1;
  return pure && dppair_accountant_is_pure_(a);
}

/* 1 where no composition could be tighter: *status and *b are the answer then. `rest` as
 * dppair_certify_check_ says. */
DPPAIR_API int dppair_certify_closed_(dppair_status *status, dppair_interval *b,
                                      const dppair_certify_ *q, double rest) {
  const dppair_accountant *a = q->a;
  const int pure = !(rest >= DBL_MIN) || (q->for_delta && q->given >= a->pure);
  if (!dppair_accountant_is_closed_(a, pure)) return 0;
  *status = dppair_accountant_is_gaussian_(a) && rest >= DBL_MIN
                ? dppair_certify_gaussian_(b, q)
                : dppair_accountant_answer_(b, a, q->for_delta, q->given);
  return 1;
}

/* Checks the question. *rest: what failures leave of delta; 1 where delta is asked for. */
DPPAIR_API dppair_status dppair_certify_check_(double *rest, const dppair_certify_ *q) {
  dppair_status status = DPPAIR_OK;
  *rest = 1.0;
  status = q->for_delta ? dppair_accountant_usable_(q->a)
                        : dppair_accountant_rest_(rest, q->a, q->given);
  if (status != DPPAIR_OK) return status;
  if (!(*rest >= DBL_MIN)) return dppair_accountant_is_pure_(q->a) ? DPPAIR_OK : DPPAIR_ERR_DELTA;
  return dppair_given_check_(q->for_delta, q->given);
}

/* What needs no composition, where nothing is tighter; else WORKSPACE. */
DPPAIR_API dppair_status dppair_certify_light_(dppair_interval *b, const dppair_certify_ *q) {
  double rest;
  dppair_status status = dppair_certify_check_(&rest, q);
  memset(b, 0, sizeof *b);
  if (status != DPPAIR_OK) return status;
  return q->route == DPPAIR_ROUTE_BEST && dppair_certify_closed_(&status, b, q, rest)
             ? status
             : DPPAIR_ERR_WORKSPACE;
}

/* Answers by what the composer holds, or by what needs none. */
DPPAIR_API dppair_status dppair_certify_by_(dppair_interval *b, dppair_certify_ *q,
                                            const dppair_composer *composer) {
  dppair_status status = dppair_certify_light_(b, q);
  if (status != DPPAIR_ERR_WORKSPACE || composer == NULL) return status;
  if (composer->answer == NULL) return DPPAIR_ERR_NULL; /* never dppair_composer_init */
  q->work = dppair_doubles_(&q->doubles, composer->work, composer->bytes);
  if (q->work == NULL) return DPPAIR_ERR_WORKSPACE;
  status = composer->answer(b, q);
  return status;
}

/* Checks the arguments and answers; `only` as in dppair_question_. */
DPPAIR_API dppair_status dppair_accountant_ask_(dppair_interval *interval,
                                                const dppair_accountant *a, int for_delta,
                                                double given, dppair_route route,
                                                const dppair_composer *composer, int only) {
  dppair_certify_ q = {a, for_delta, given, 1, NULL, 0, only, route};
  dppair_interval b;
  dppair_status status;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  status = dppair_certify_by_(&b, &q, composer);
  if (status == DPPAIR_ERR_WORKSPACE)
    (void)dppair_compose_bytes_(&interval->bytes, a->count + 1,
                                dppair_steps_slotted_(a->step, a->count));
  if (status != DPPAIR_OK) return status;
  if (a->unattained) {
    b.lower = 0.0;
    b.estimate = b.upper;
  }
  *interval = b;
  return DPPAIR_OK;
}

/*
 * *interval = lower <= epsilon <= upper of everything in the account at this delta in [DBL_MIN, 1),
 * or at 0 where every step is pure. What was spent is interval->upper. It is the tightest bound
 * that the accountant knows:
 *
 *   plain Gaussian steps         the exact curve, to 12 digits. One run of one step: its curve
 *   steps with dominating pairs  numerical composition: the contour, and the lattice where the
 *                                contour cannot answer (atoms, very few steps) or stays wider than
 *                                1e-5 of epsilon. `upper` is never more than the sum of pure
 *                                epsilons, nor than the closed form of one perturbed objective
 *                                beside plain Gaussian steps, nor, where the routes stay wide, than
 *                                what the best Renyi order says. Epochs of one allocation by its
 *                                table
 *   zCDP steps, folded steps     the best Renyi order. zCDP steps beside others: that of all, or the
 *                                sum of two epsilons that share delta
 *
 * composer: NULL where no composition could be tighter: plain Gaussian steps, zCDP steps alone,
 * folded steps, integer noise (dppair_shares.h), pure steps at delta 0. Any other account is
 * WORKSPACE without one, and interval->bytes says how many bytes it needs; nothing is answered by a
 * looser bound. (If you have no such memory, ask dppair_accountant_by_route for
 * DPPAIR_ROUTE_RENYI.)
 *
 * `lower` holds for a mechanism and two data sets that attain it. It is 0 where no data sets do, or
 * none are known (several runs with samples of a fixed size), and where the account is beyond the
 * reach of composition. With a failure probability, `lower` is for the mechanisms without it at the
 * whole delta. Errors: NULL; WORKSPACE; those of a broken account; NOT_FINITE; DELTA, also when
 * failures leave nothing of it; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_epsilon(dppair_interval *interval, const dppair_accountant *a, double delta,
                          const dppair_composer *composer) {
  return dppair_accountant_ask_(interval, a, 0, delta, DPPAIR_ROUTE_BEST, composer, 0);
}

/* The same for delta at this epsilon >= 0: the inverse of dppair_accountant_epsilon, within what
 * the interval says. `upper` contains the failure probability, `lower` does not. Without a composer
 * pure steps are answered from their sum of epsilons on. Errors: EPSILON in place of DELTA. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_delta(dppair_interval *interval, const dppair_accountant *a, double epsilon,
                        const dppair_composer *composer) {
  return dppair_accountant_ask_(interval, a, 1, epsilon, DPPAIR_ROUTE_BEST, composer, 0);
}

/* What dppair_accountant_by_route is given. */
typedef enum dppair_given { DPPAIR_GIVEN_DELTA = 1, DPPAIR_GIVEN_EPSILON = 2 } dppair_given;

/* A route that needs no composition, by its name; WORKSPACE: it does. */
DPPAIR_API dppair_status dppair_certify_named_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  double rest;
  dppair_status status = dppair_certify_check_(&rest, q);
  if (status == DPPAIR_OK && !(rest >= DBL_MIN) && q->route != DPPAIR_ROUTE_PURE)
    status = DPPAIR_ERR_DELTA;
  if (status != DPPAIR_OK) return status;
  switch (q->route) {
  case DPPAIR_ROUTE_CLOSED:
    return dppair_accountant_is_gaussian_(a) ? dppair_certify_gaussian_(b, q)
                                             : DPPAIR_ERR_WORKSPACE;
  case DPPAIR_ROUTE_RENYI:
    return dppair_accountant_renyi_(b, a, q->for_delta, q->given);
  case DPPAIR_ROUTE_PURE:
    if (!dppair_accountant_is_pure_(a) || (q->for_delta && !(a->pure <= q->given)))
      return DPPAIR_ERR_NO_PROOF;
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = q->for_delta ? a->failure : a->pure;
    if (q->for_delta && b->upper > 1.0) b->upper = 1.0;
    b->estimate = b->upper;
    return DPPAIR_OK;
  default:
    return DPPAIR_ERR_WORKSPACE;
  }
}

/*
 * The same by one route alone, at this delta or at this epsilon: for comparisons, and for programs
 * without 16 MB.
 *
 *   DPPAIR_ROUTE_CLOSED   the tightest, but NO_PROOF where that is no closed form
 *   DPPAIR_ROUTE_CONTOUR  Gaussian steps, also sampled ones, pairs and perturbed objectives;
 *                         NO_PROOF for losses with atoms at both ends (Laplace, pure, randomised
 *                         response), NO_CONVERGENCE for a handful of steps or a huge noise ratio
 *   DPPAIR_ROUTE_LATTICE  every step with a dominating pair
 *   DPPAIR_ROUTE_RENYI    the best Renyi order: every step, zCDP too; `lower` is 0; usually looser
 *   DPPAIR_ROUTE_PURE     the sum of pure epsilons, else NO_PROOF; `lower` is 0
 *
 * composer: as there; not read by the last two, and needed by the others. NO_PROOF also: zCDP and
 * folded steps by another route than RENYI. `upper` is infinite when a mass at infinite loss
 * exceeds delta. DOMAIN: no such route, or neither is given. Other errors: as
 * dppair_accountant_epsilon.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_by_route(
    dppair_interval *interval, const dppair_accountant *a, dppair_route route, dppair_given given,
    double value, const dppair_composer *composer) {
  const int for_delta = given == DPPAIR_GIVEN_EPSILON;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (given != DPPAIR_GIVEN_DELTA && !for_delta) return DPPAIR_ERR_DOMAIN;
  if (route < DPPAIR_ROUTE_CLOSED || route > DPPAIR_ROUTE_PURE || route == DPPAIR_ROUTE_BOTH)
    return DPPAIR_ERR_DOMAIN;
  if (route != DPPAIR_ROUTE_LATTICE && route != DPPAIR_ROUTE_CONTOUR) {
    const dppair_certify_ q = {a, for_delta, value, 1, NULL, 0, 0, route};
    const dppair_status status = dppair_certify_named_(interval, &q);
    if (status != DPPAIR_ERR_WORKSPACE) return status;
  }
  return dppair_accountant_ask_(interval, a, for_delta, value, route, composer, 0);
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
 * user or a query is protected, all of its records belong to one part. Two neighbours differ in
 * one part only, so each bound is the largest one of the parts; `route` and `order` are those of
 * the part with the largest `upper`.
 * delta, composer: as for dppair_accountant_epsilon; interval->bytes is enough for all parts.
 * Errors: NULL; SIZE (count = 0); ADJACENCY: the parts are about different neighbours (an empty
 * account is about any); those of dppair_accountant_epsilon.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_parallel_epsilon(dppair_interval *interval, const dppair_accountant *parts, size_t count,
                        double delta, const dppair_composer *composer) {
  dppair_interval all, part;
  dppair_status status;
  size_t i, need = 0;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (parts == NULL) return DPPAIR_ERR_NULL;
  if (count == 0) return DPPAIR_ERR_SIZE;
  status = dppair_parallel_check_(parts, count);
  memset(&all, 0, sizeof all);
  for (i = 0; i < count && status == DPPAIR_OK; i++) {
    status = dppair_accountant_epsilon(&part, &parts[i], delta, composer);
    if (part.bytes > need) need = part.bytes;
    if (status == DPPAIR_ERR_WORKSPACE && i + 1 < count) status = DPPAIR_OK; /* what others need */
    if (status == DPPAIR_OK) dppair_parallel_join_(&all, &part);
  }
  if (need > 0 && (status == DPPAIR_OK || status == DPPAIR_ERR_WORKSPACE)) {
    interval->bytes = need;
    return DPPAIR_ERR_WORKSPACE;
  }
  if (status == DPPAIR_OK) *interval = all;
  return status;
}
