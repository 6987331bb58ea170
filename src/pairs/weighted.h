/* ------------------------------------------------------------------------------------------------
 * Coefficients of weighted records, of users and of queries
 *
 * NAME_coeffs and NAME_coeffs_fast where records have weights, or only pairs of two users, or
 * only pairs inside a query count. Public functions are written NAME_x in comments and
 * DPPAIR_NAME_x in the code. NOT PRIVATE, as there.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_WEIGHTS

DPPAIR_FP_BEGIN_

/* Groups of fewer records go by the loops, also where a state is prepared. */
#define DPT_FEW_ 128

/* a and b as NAME_weighted_coeffs says, for all pairs: with weights of both sides, or NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_weighted_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const double *const *weight, const dppair_options *options, int loops) {
  dppair_status status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (options->fast && !loops)
    return options->fast->coeffs(a, b, sp, np, sn, nn, options->params, options->fast, weight);
#endif
  (void)loops;
  if (!weight) return DPPAIR_NAME_coeffs(a, b, sp, np, sn, nn, options->params);
  status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_weighted,
                   (a, b, sp, weight[0], np, sn, weight[1], nn, 1.0, options->params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

/* Whether a group of kp positives and kn negatives goes by the loops. If a state is prepared, and a
 * score is beyond its cap, `few` gets them held within that, and *sp, *sn point there: the slope of
 * a pair has the range over the cap either way. few NULL: such a group does not go by the loops,
 * since what the state makes of the cap may differ by a rounding. */
DPPAIR_API int DPPAIR_NAME_few_(DPPAIR_REAL *few, const DPPAIR_REAL **sp, size_t kp,
                                const DPPAIR_REAL **sn, size_t kn, const dppair_fast *f) {
  size_t i, beyond = 0;
  if (DPPAIR_KIND_ == DPPAIR_KIND_PAIRS_ || !f) return 1;
  if (kp >= DPT_FEW_ || kn >= DPT_FEW_ - kp) return 0;
  for (i = 0; i < kp; i++) beyond += dppair_fabs_((double)(*sp)[i]) > f->score_cap;
  for (i = 0; i < kn; i++) beyond += dppair_fabs_((double)(*sn)[i]) > f->score_cap;
  if (!beyond) return 1;
  if (!few) return 0;
  for (i = 0; i < kp + kn; i++) {
    const DPPAIR_REAL s = i < kp ? (*sp)[i] : (*sn)[i - kp];
    const double cap = f->score_cap;
    few[i] = (double)s > cap ? (DPPAIR_REAL)cap : (double)s < -cap ? (DPPAIR_REAL)-cap : s;
  }
  *sp = few;
  *sn = few + kp;
  return 1;
}

/* Subtracts from a and b the pairs of two records of user k, who has some of either class. own:
 * room for np + nn numbers. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_across_one_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
    const double *weight, double *own, const dppair_options *options, size_t k) {
  const dppair_groups *g = options->groups;
  const size_t p = g->positive[k], kp = g->positive[k + 1] - p;
  const size_t n = g->negative[k], kn = g->negative[k + 1] - n;
  const double *const w[2] = {weight + p, weight + np + n};
  const DPPAIR_REAL *of_p = sp + p, *of_n = sn + n;
  double *own_p = own + p, *own_n = own + np + n;
  dppair_status status;
  size_t i;
  if (DPPAIR_NAME_few_(NULL, &of_p, kp, &of_n, kn, options->fast)) {
    DPPAIR_DISPATCH_(DPPAIR_NAME_weighted,
                     (a + p, b + n, of_p, w[0], kp, of_n, w[1], kn, -1.0, options->params));
    return DPPAIR_OK;
  }
  status = DPPAIR_NAME_weighted_(own_p, own_n, of_p, kp, of_n, kn, w, options, 0);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < kp; i++) a[p + i] -= own_p[i];
  for (i = 0; i < kn; i++) b[n + i] -= own_n[i];
  return DPPAIR_OK;
}

/* The same for all users, who have any number of records: those with few of them fill the lanes
 * of vectors, one user each. Which way is taken depends on that user's records only, and moves
 * no pair of others. given: the weights that were, or NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_across_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
    const double *given, const double *weight, double *own, const dppair_options *options) {
  const int capped = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && options->fast;
  const double cap = capped ? options->fast->score_cap : HUGE_VAL;
  const double *const shares = given ? weight : NULL;
  size_t next = 0, left[DPPAIR_LEFT_], others, i;
  while (next < options->groups->count) {
    DPPAIR_DISPATCH_(DPPAIR_NAME_own, (&next, left, &others, a, b, sp, sn, shares, options->groups,
                                       cap, options->params));
    for (i = 0; i < others; i++) {
      const dppair_status status =
          DPPAIR_NAME_across_one_(a, b, sp, np, sn, weight, own, options, left[i]);
      if (status != DPPAIR_OK) return status;
    }
  }
  return DPPAIR_OK;
}

/* a and b over the pairs inside queries, those of a query of m records divided by m (m - 1). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_within_(double *a, double *b,
                                                               const DPPAIR_REAL *sp, size_t np,
                                                               const DPPAIR_REAL *sn,
                                                               const double *weight,
                                                               const dppair_options *options) {
  const dppair_groups *g = options->groups;
  DPPAIR_REAL few[DPT_FEW_];
  size_t k, i;
  for (k = 0; k < g->count; k++) {
    const size_t p = g->positive[k], kp = g->positive[k + 1] - p;
    const size_t n = g->negative[k], kn = g->negative[k + 1] - n;
    const double m = (double)kp + (double)kn, divisor = m * (m - 1.0);
    const double *const w[2] = {weight ? weight + p : NULL, weight ? weight + np + n : NULL};
    const DPPAIR_REAL *of_p = sp + p, *of_n = sn + n;
    dppair_status status;
    int loops;
    if (kp == 0 || kn == 0) continue;
    loops = DPPAIR_NAME_few_(few, &of_p, kp, &of_n, kn, options->fast);
    status =
        DPPAIR_NAME_weighted_(a + p, b + n, of_p, kp, of_n, kn, weight ? w : NULL, options, loops);
    if (status != DPPAIR_OK) return status;
    for (i = 0; i < kp; i++) a[p + i] /= divisor;
    for (i = 0; i < kn; i++) b[n + i] /= divisor;
  }
  return DPPAIR_OK;
}

/*
 * NAME_coeffs, or with options->fast NAME_coeffs_fast, of weighted records and of groups:
 *
 *   a[i] = w_i sum over j of w_j phi'(sp[i] - sn[j])      b[j] = -w_j sum over i of w_i the same
 *
 * over all pairs, or those that options->groups says. ACROSS: pairs of records of two users;
 * records without given weights weigh 1/k, k being their user's records of both classes, and
 * given weights of a user that pass 1 in sum are divided by it. WITHIN: pairs inside a query of m
 * records, divided by m (m - 1).
 *   weight   of the np positives, then of the nn negatives, as in dppair_rows; NULL: none are given
 *   options  params, fast, groups; work: NAME_workspace of np + nn rows of 0 numbers
 *
 * For a network with users or queries: c = dL/ds. X+^T a + X-^T b is the gradient of linear
 * scores, as NAME_gradient computes it. The rounding of NAME_allowance covers weights too.
 *
 * Errors zero a and b: those of NAME_coeffs and NAME_coeffs_fast; NULL; DOMAIN, SIZE (groups);
 * NO_PROOF (a clip; groups with a state of NAME_sums_init of a piecewise linear loss, which rounds
 * scores: NAME_chunk_sum); WORKSPACE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_weighted_coeffs(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const double *weight, const dppair_options *options) {
  const double *w[2] = {weight, weight ? weight + np : NULL};
  double *own = NULL;
  size_t i;
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!options || (!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (options->clip) return DPPAIR_ERR_NO_PROOF;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  status = options->fast ? DPPAIR_NAME_fast_ready_(options->fast, options->params, 0) : DPPAIR_OK;
  if (status != DPPAIR_OK) return status;
#endif
  if (options->groups && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ && dppair_is_order_free_(options))
    return DPPAIR_ERR_NO_PROOF;
  if (options->groups) status = dppair_groups_check_(options->groups, np, nn, 0);
  if (status == DPPAIR_OK && options->groups && options->groups->relation == DPPAIR_ACROSS) {
    status = dppair_work_(&own, dppair_area_(np + nn, 2), options->work, options->bytes);
    if (status == DPPAIR_OK) {
      dppair_group_weights_(own, weight, options->groups, np);
      for (i = 0; i < np + nn && dppair_is_order_free_(options); i++)
        own[i] = dppair_share_grid_(own[i]); /* own pairs are subtracted as they were added */
      w[0] = own;
      w[1] = own + np;
      own += np + nn;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (own || !options->groups)
    status = DPPAIR_NAME_weighted_(a, b, sp, np, sn, nn, w[0] ? w : NULL, options, 0);
  if (status == DPPAIR_OK && own)
    status = DPPAIR_NAME_across_(a, b, sp, np, sn, dppair_is_order_free_(options) ? w[0] : weight,
                                 w[0], own, options);
  else if (status == DPPAIR_OK && options->groups)
    status = DPPAIR_NAME_within_(a, b, sp, np, sn, weight, options);
  return dppair_settle_(status, a, np, b, nn);
}

#undef DPT_FEW_

DPPAIR_FP_END_

#endif /* DPPAIR_WEIGHTS */
