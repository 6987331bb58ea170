/* ------------------------------------------------------------------------------------------------
 * How far a ranking gradient moves, as it is computed and divided
 *
 * Written NAME_x in comments and DPPAIR_NAME_x in the code; two label levels, the margin 'ind'.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The facts of the instance's loss. A loss without L_RANGE, which a shipped one begins with a
 * parenthesis, has unbounded slopes, and a sensitivity with a clip only. */
#ifndef DPPAIR_RANGE_OR_NONE_
#define DPPAIR_RANGE_OR_NONE_(range)                                                               \
  DPPAIR_RANGE_2_(DPPAIR_RANGE_1_ range, (dppair_range_none_, 0), 0)
#define DPPAIR_RANGE_1_(f, flags) 0, (f, flags)
#define DPPAIR_RANGE_2_(...) DPPAIR_RANGE_3_(__VA_ARGS__, 0)
#define DPPAIR_RANGE_3_(tested, range, ...) range
DPPAIR_API void dppair_range_none_(dppair_range *range, const dppair_margins *margins,
                                   const double *params) {
  (void)range, (void)margins, (void)params;
}
#endif

/*
 * *sensitivity of NAME_gradient, divided by dppair_normaliser: the move that the noise multiplier
 * of this sampling divides. With replace_one and zero_out of dppair_constants_find, and k = n, or m
 * in a batch:
 *
 *   all records               replace_one/k or zero_out/k, by the neighbours
 *   without, with replacement replace_one/k: one of the m slots is replaced
 *   Poisson                   zero_out/k: a record joins b others, p of them of the other label;
 * the new pairs' sum is at most p c, that of the old ones p (b-p) c, and p/b + p (b-p)/(b (b-1)) <=
 * 1 (dppair_sensitivity_minibatch_rank) matching                  2 replace_one/k: a record has one
 * partner of k - 1
 *
 * What arithmetic adds is NAME_surcharge's, for n records; for Poisson samples its rounding grows
 * faster than the divisor m (count - 1), so that n is the worst count. Margins are wider by the
 * rounding of scores. A quotient rounds by half a unit, for each of two neighbours.
 */
DPPAIR_API dppair_status DPPAIR_NAME_move_(double *sensitivity, size_t d,
                                           const dppair_bounds *bounds,
                                           const dppair_sampling *sampling,
                                           const dppair_pass *pass) {
  const dppair_loss_facts facts =
      DPPAIR_FACTS_1_(DPPAIR_RANGE_OR_NONE_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE)));
  const double unit = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  dppair_bounds b = *bounds;
  dppair_constants k;
  double factor, rounding, divisor, move;
  dppair_status status = dppair_normaliser(&divisor, sampling, sampling->n);
  *sensitivity = 0.0;
  b.clip = pass->clip;
  b.param_radius *= 1.0 + 4.0 * ((double)d + 16.0) * unit;
  if (b.param_radius < 1e-60) b.param_radius = 1e-60;
  if (status == DPPAIR_OK)
    status = dppair_constants_find(&k, DPPAIR_MARGIN_ind, &facts, pass->params, &b);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(k.slope)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_surcharge(&factor, &rounding, pass->clip > 0.0 ? NULL : pass->fast,
                                   sampling->n, b.radius, k.slope);
  if (status != DPPAIR_OK) return status;
  move = dppair_sampling_move_(sampling) == DPPAIR_REPLACE_ONE ? k.replace_one : k.zero_out;
  if (sampling->kind == DPPAIR_MATCHING) move *= 2.0;
  move = move / (double)(sampling->m > 0 ? sampling->m : sampling->n) * factor;
  *sensitivity =
      dppair_up_(dppair_up_(move + rounding / divisor + 2.0 * DBL_EPSILON * k.lipschitz));
  return DPPAIR_OK;
}

DPPAIR_FP_END_
