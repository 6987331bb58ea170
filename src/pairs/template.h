/* ------------------------------------------------------------------------------------------------
 * The functions of an instance over pairs
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. They check their
 * arguments, call the bodies of loops.h, sorted.h and box_kernels.h on the tier of the processor,
 * and zero their outputs on an error. params: the parameters of the loss, in double for every
 * element type; NULL where it has none.
 *
 * NOT PRIVATE: coefficients and sums over pairs are raw material, as secret as the records, until a
 * release adds its noise. A figure has not_private in its name.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The parameters of the template, in one word: whose functions a clip or a state brings. */
#define DPT_OWNER_ DPPAIR_TEXT_(DPPAIR_NAME DPPAIR_LOSS DPPAIR_REAL DPPAIR_ROW)
DPPAIR_API uint64_t DPPAIR_NAME_owner_(void) {
  return dppair_digest_text_(DPT_OWNER_, sizeof DPT_OWNER_);
}
#undef DPT_OWNER_

/* *risk = the sum over i < np, j < nn of phi(sp[i] - sn[j]): the loops over all pairs, O(np nn),
 * added in double. NOT PRIVATE. Errors zero *risk: NULL, NOT_FINITE (a score or the result),
 * ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_risk_not_private(double *risk, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
                             size_t nn, const double *params) {
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (risk, sp, np, sn, nn, params));
  if (!dppair_isfinite_f64(*risk)) {
    *risk = 0.0;
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

/*
 * The derivatives of *risk above in the scores, by the loops over all pairs, O(np nn):
 *
 *   a[i] = sum over j of phi'(sp[i] - sn[j]), i < np     b[j] = -sum over i of the same, j < nn
 *
 * For linear scores of rows X+ and X- the gradient of the sum is X+^T a + X-^T b
 * (dppair_combine_*).
 *
 * Rounding, u = 2^-24 (float) or 2^-53. The slope of a pair is computed once, in the element type,
 * as a function of its two scores alone; the same number goes into a[i] and b[j]. At most 64 slopes
 * are added in that type before they go to double, so a coefficient differs from the sum of the
 * computed slopes by at most 80 u sup |phi'| per partner. NAME_allowance says what that adds to a
 * sensitivity. For private work in float prefer NAME_coeffs_fast, which adds in double throughout.
 *
 * Errors zero a and b: NULL, NOT_FINITE (a score or a result), ENVIRONMENT; with OVERFLOW (np or nn
 * beyond any memory) they are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs(double *a, double *b,
                                                              const DPPAIR_REAL *sp, size_t np,
                                                              const DPPAIR_REAL *sn, size_t nn,
                                                              const double *params) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK || np == 0 || nn == 0) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (a, b, sp, np, sn, nn, params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

/*
 * What arithmetic adds to a sensitivity. Let S be a sensitivity that is proved for the exact
 * gradient of the SUM over pairs. The gradient AS COMPUTED has the sensitivity
 *
 *     S * *factor + *rounding      (if S is that of a mean, divide *rounding by the normaliser)
 *
 * when NAME_coeffs or _coeffs_fast followed by dppair_combine computes it, or NAME_gradient but
 * with an order-free state, whose sums of rows round to a unit: NAME_sensitivity counts that. With
 * f = NULL also where pairs are clipped: by NAME_gradient and NAME_clip_coeffs.
 *   n        records in all, each of norm at most `radius`
 *   f        the prepared state in use, or NULL for the pair loops; a grid of scores, which
 *            NAME_sums_init makes for a piecewise linear loss, moves margins by what S does not
 *            count: NO_PROOF, NAME_sensitivity counts it
 *   slope    the bound of |phi'| at the computed margins that S uses; where a clip bounds S
 *            instead, any bound of |phi'| there. A computed margin may exceed 2 radius |w| by (d +
 *            24) epsilon of it: S and slope of other losses than hinge, absolute and pinball are
 *            those of a |w| that is as much larger
 * For listed pairs see dppair_pairs_allowance_; for the forms NAME_form_error, added twice.
 *
 * Proof. Every computed slope is a function K(s, s') of the two scores of its pair alone. Its
 * values exceed the range of phi' by at most E = f->kernel_error at either end (f NULL: by 4 units
 * in the last place, the rounding of parameters to the element type included). A proof that uses
 * only the length of that range, which is slope for a monotone loss and 2 slope for others,
 * therefore holds for exact sums of K with S (1 + 2 E/slope). The computed gradient differs from
 * such a sum by at most half of *rounding, for each of two neighbours. With u = 2^-53, the parts of
 * *rounding are:
 *   loops     a coefficient is off by 80 u per partner in its own type (float: u = 2^-24) and by
 *             n u in double; that also covers clipped coefficients, chains of n additions
 *   boxes     a moment is a sum of integers, of powers that are each within 14 u and 4 u; a
 *             translated coefficient adds at most (2 reach + 1) p/4 + 8 products, and Horner's rule
 *             2p roundings; 12 u for what sketch.h counts beside; per partner all that times
 *             f->weight, the largest sum |K_kl| of a box, times u
 *   grid      16 u times f->weight per partner (grid.h), of NAME_sensitivity
 *   sorting   n + 8 additions of numbers of at most f->weight per partner
 *   X^T c     (n + 4) u times the sum of |c_i| |x_i|: however n terms are added, each is in at
 *             most n - 1 sums, one product and, where rows have factors, the product of c_i and the
 *             factor. That is all that factors add: a score that was multiplied by its factor still
 *             is a function of its record and w alone, and x_i, which is factor[i] times the row
 *             exactly, is no longer than radius. (What underflows is below 2^-560 radius a record,
 *             because a factor is 0 or at least 2^-512.)
 * with n+ n- <= n^2/4 pairs on either side. Weights of records, at most 1, are covered: they round
 * twice more per partner, and these bounds leave room for that (64 additions and the sum of 16
 * lanes are 68 of the 80 roundings; sketch.h counts them, 2 of the sorted n + 8 are not used).
 *
 * Errors zero both: NULL, DOMAIN (radius or slope negative or not finite, an f that is not
 * prepared, slope 0 with a kernel error), NO_PROOF (a grid), SIZE (n u beyond 1/1000), OVERFLOW,
 * ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_allowance(double *factor, double *rounding,
                                                                 const dppair_fast *f, size_t n,
                                                                 double radius, double slope) {
  const dppair_fast *state = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? f : NULL; /* else the loops run */
  dppair_status status =
      dppair_allowance_(factor, rounding, state,
                        DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON, n, radius, slope);
  if (status == DPPAIR_OK && state && dppair_cell_shift_(state) > 0.0) {
    *factor = *rounding = 0.0;
    status = DPPAIR_ERR_NO_PROOF;
  }
  return status;
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* f->weight: the largest sum of what the pieces add to a slope, term by term. */
DPPAIR_API double DPPAIR_NAME_fast_weight_(double cap, const double *params) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  double weight = 0.0;
  size_t k;
  (void)params;
  for (k = 0; k < sizeof pieces / sizeof *pieces; k++)
    weight += dppair_fabs_(pieces[k].constant) + 2.0 * cap * dppair_fabs_(pieces[k].factor);
  return weight;
}

/* A digest of the loss: of its pieces at these parameters. */
DPPAIR_API uint64_t DPPAIR_NAME_fast_loss_(const double *params) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  uint64_t digest = DPPAIR_KIND_PIECEWISE_;
  size_t k;
  (void)params;
  for (k = 0; k < sizeof pieces / sizeof *pieces; k++) {
    const double of[3] = {pieces[k].knot, pieces[k].constant, pieces[k].factor};
    digest = dppair_digest_all_(digest + (uint64_t)(pieces[k].closed != 0), of, 3);
  }
  return digest;
}
#endif

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* f->low and f->high: the limits of phi, the slope or the curvature, from margins at which it
 * differs from them by less than e^-(64 pi) < 1e-87 of its strength. */
DPPAIR_API void DPPAIR_NAME_fast_limits_(dppair_fast *f, dppair_derivative_ *phi, double distance,
                                         const double *params) {
  double ends[8];
  int i;
  for (i = 0; i < 8; i++) ends[i] = (i % 2 ? 64.0 : -64.0) * distance;
  phi(ends, ends, 8, params);
  f->low = ends[0];
  f->high = ends[1];
}

/* The table of phi, one column for each offset between boxes, and f->weight. */
DPPAIR_API void DPPAIR_NAME_fast_table_(dppair_fast *f, dppair_derivative_ *phi,
                                        const double *params) {
  const int p = f->terms, side = p * f->stride;
  dppair_box_matrix_ hi, lo;
  double u[DPPAIR_BOX_TERMS_ * DPPAIR_BOX_TERMS_], slope[DPPAIR_BOX_TERMS_ * DPPAIR_BOX_TERMS_];
  int o, i, j;
  dppair_box_basis_(hi, lo, p);
  for (o = -f->reach; o <= f->reach; o++) {
    double weight, low;
    for (i = 0; i < p; i++)
      for (j = 0; j < p; j++)
        u[i * p + j] = f->width * ((double)o + 0.5 * (dppair_box_cosine_(2 * i + 1, p, &low) -
                                                      dppair_box_cosine_(2 * j + 1, p, &low)));
    phi(slope, u, (size_t)(p * p), params);
    weight = dppair_box_column_(f->table + (o + f->reach) * side, slope, p, f->stride, hi, lo);
    f->weight = weight > f->weight ? weight : f->weight;
  }
}

/* A digest of the loss at these parameters: of its poles, which say what a slope is but for its
 * limits and its sign. */
DPPAIR_API uint64_t DPPAIR_NAME_fast_loss_(const double *params) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  const double of[2] = {poles.distance, poles.strength};
  (void)params;
  return dppair_digest_all_((uint64_t)(DPPAIR_KIND_ANALYTIC_ + 8 * poles.order), of, 2);
}
#endif

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
/* Is *f what NAME_fast_init or NAME_sums_init prepares for this loss and these parameters? */
DPPAIR_API int DPPAIR_NAME_fast_is_own_(const dppair_fast *f, const double *params) {
  return f->kind == DPPAIR_KIND_ && dppair_fast_is_whole_(f) &&
         f->loss == DPPAIR_NAME_fast_loss_(params);
}

/* The same, and whether its limits and its sign, which shows at margin 0, are those of the loss: a
 * sensitivity asks this too. Limits were computed by the same function. */
DPPAIR_API int DPPAIR_NAME_fast_is_proved_(const dppair_fast *f, const double *params) {
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  double slope[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, room;
  if (!DPPAIR_NAME_fast_is_own_(f, params)) return 0;
  slope[0] = -64.0 * poles.distance;
  slope[1] = 64.0 * poles.distance;
  DPPAIR_NAME_slopes_(slope, slope, 8, params);
  room = f->kernel_error + 4.0 * DBL_EPSILON * dppair_fabs_(slope[2]);
  return dppair_fabs_(slope[0] - f->low) <= room && dppair_fabs_(slope[1] - f->high) <= room &&
         dppair_fabs_(slope[2] - f->centre) <= room;
#else
  return DPPAIR_NAME_fast_is_own_(f, params);
#endif
}

/* Is the state of this loss, and are sums right here: WORKSPACE, ENVIRONMENT. */
DPPAIR_API dppair_status DPPAIR_NAME_fast_state_(const dppair_fast *f, const double *params) {
  const dppair_status status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_fast_is_own_(f, params) ? DPPAIR_OK : DPPAIR_ERR_WORKSPACE;
}

/* The same by the state's own functions, once it is known that they are of this instance: a program
 * that prepares none compiles none. proved: NAME_fast_is_proved_. */
DPPAIR_API dppair_status DPPAIR_NAME_fast_ready_(const dppair_fast *f, const double *params,
                                                 int proved) {
  const dppair_status status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  return f->owner == DPPAIR_NAME_owner_() && f->own(f, params, proved) ? DPPAIR_OK
                                                                       : DPPAIR_ERR_WORKSPACE;
}

/* NAME_coeffs_fast after that check: with weights of both sides, or NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_run_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const double *params, const dppair_fast *f, const double *const *weight) {
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
#else
  const dppair_piece *pieces = NULL;
  const int count = 0;
#endif
  dppair_status status = dppair_fast_check_(a, b, sp, np, sn, nn, f, DPPAIR_KIND_);
  (void)params;
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  status = f->run(a, b, sp, np, sn, nn, f, pieces, count, !DPPAIR_TEMPLATE_F64_, weight);
  return dppair_settle_(status, a, np, b, nn);
}

/* NAME_coeffs in O(n log n) or better, added in double or in integers. A loss that is piecewise
 * linear is sorted: exactly but for the rounding of sums, counts of partners are integers. An
 * analytic one goes by boxes, to within f->kernel_error per pair (see dppair_fast). A score beyond
 * the cap counts as the cap. Errors zero a and b: NULL, NOT_FINITE (a score or a result), WORKSPACE
 * (an f that is not prepared for this loss, these parameters and so many records), ENVIRONMENT;
 * OVERFLOW as in NAME_coeffs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_fast(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const double *params,
                                                                   const dppair_fast *f) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status == DPPAIR_OK) status = f ? DPPAIR_NAME_fast_state_(f, params) : DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_fast_run_(a, b, sp, np, sn, nn, params, f, NULL);
}
#endif

/* Part `part` of `parts` of NAME_coeffs, for threads: the scores sp[i] from dppair_part_begin_(np,
 * part, parts) to that of part + 1 against all of sn. a (all np numbers) is written at these places
 * only; b[0..nn) is this part's own, and dppair_tasks_join adds those of all parts. Errors as
 * NAME_coeffs, and SIZE (part not below parts); then b is zeroed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_part(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const double *params,
                                                                   size_t part, size_t parts) {
  size_t i;
  const dppair_status status = dppair_zero_(NULL, 0, b, nn);
  if (status != DPPAIR_OK) return status;
  if (parts == 0 || part >= parts) return DPPAIR_ERR_SIZE;
  if ((!a && np) || (!sp && np)) return DPPAIR_ERR_NULL;
  i = dppair_part_begin_(np, part, parts);
  return DPPAIR_NAME_coeffs(np ? a + i : a, b, np ? sp + i : sp,
                            dppair_part_begin_(np, part + 1, parts) - i, sn, nn, params);
}

/* a and b of NAME_coeffs, summed over the m listed pairs (i[k], j[k]) only, each times weight[k],
 * or 1 when weight is NULL: for mini-batches, matchings, rankings by query. O(m); slopes in the
 * element type, sums in double. Errors zero a and b: NULL, ENVIRONMENT, SIZE (an index out of
 * range), NOT_FINITE (a score, a weight or a result); OVERFLOW as in NAME_coeffs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const size_t *i, const size_t *j, const double *weight, size_t m, const double *params) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  size_t k, wrong = 0;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn) || ((!i || !j) && m)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (weight && !dppair_all_finite_f64(weight, m)) return DPPAIR_ERR_NOT_FINITE;
  for (k = 0; k < m; k++) wrong |= (size_t)(i[k] >= np) | (size_t)(j[k] >= nn);
  if (wrong) return DPPAIR_ERR_SIZE;
  DPPAIR_DISPATCH_(DPPAIR_NAME_pairs, (a, b, sp, sn, i, j, weight, m, params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

DPPAIR_FP_END_
