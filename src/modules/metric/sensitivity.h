/* ------------------------------------------------------------------------------------------------
 * The sensitivity of an instance's gradients of forms
 *
 * Compiled only after dppair_losses.h. Relies on pairs/sensitivity.h, and on the error of a form.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* How far a pair of this form moves, and OK if that is bounded: what does not depend on how many
 * pairs there are, or how they are summed. */
DPPAIR_API dppair_status DPPAIR_NAME_form_moves_(dppair_moves_ *m, dppair_form form, size_t k,
                                                 size_t d, const dppair_bounds *bounds,
                                                 const dppair_options *options) {
  static const dppair_margin margins[] = {DPPAIR_MARGIN_metric, DPPAIR_MARGIN_factor,
                                          DPPAIR_MARGIN_similarity};
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double slack = (2.0 * (double)d + (double)k + 24.0) * epsilon;
  const dppair_loss_facts facts = DPT_FACTS;
  dppair_status status = dppair_clip_check_(options);
  if (status != DPPAIR_OK) return status;
  status = dppair_moves_find_(m, margins[form], &facts, options->params, bounds,
                              dppair_clip_bound_(options), HUGE_VAL, slack, 0.0);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(m->slope) || !dppair_isfinite_f64(bounds->radius) ||
      (form == DPPAIR_FORM_FACTOR && !dppair_isfinite_f64(bounds->param_radius)))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_RANGE_ == 2 ? DPPAIR_NAME_spot_(m, options->params) : DPPAIR_OK;
}

/*
 * NAME_sensitivity for NAME_form_gradient, whose sum over i < j is divided by the same divisor; for
 * a matching, for NAME_form_pairs of its m/2 pairs. w has d rows of k numbers (k = d but for a
 * factor). bounds: radius as there, but finite; param_radius: |W|_F or |L|_F; offset: b. A metric
 * counts as one whose W need not be positive semidefinite. options->fast is not read.
 *
 * A record of a query is null by its weight, in its place, since the query's size is public. A clip
 * takes no weights; then the move under DPPAIR_ZERO_OUT is that of a replaced record, whatever row
 * stands for the null one.
 *
 * Proof: as there, and the error of a form, twice. A margin is a sum of at most four chains of
 * products, each of at most 2 d + k roundings.
 *
 * Errors as there; NO_PROOF also for slopes without a bound, clipped or not, and for a factor
 * without param_radius; DOMAIN also for no such form or a k that is not d.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sensitivity(
    double *sensitivity, dppair_form form, size_t k, size_t d, const dppair_bounds *bounds,
    const dppair_sampling *sampling, const dppair_options *options) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const int factored = form == DPPAIR_FORM_FACTOR;
  dppair_sampling charged;
  double factor, rounding, mass;
  dppair_grouped_ groups, *u;
  dppair_moves_ m;
  dppair_status status = DPPAIR_OK;
  size_t count;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!bounds || !sampling || !options) return DPPAIR_ERR_NULL;
  if (options->groups && options->groups->relation == DPPAIR_ACROSS && options->clip)
    return DPPAIR_ERR_NO_PROOF;
  if (options->groups) status = dppair_groups_fit_(options->groups, 1);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)form > (unsigned)DPPAIR_FORM_SIMILARITY || (k != d && !factored))
    return DPPAIR_ERR_DOMAIN;
  u = DPPAIR_NAME_units_(&groups, options->groups, sampling, 1);
  status = dppair_moves_count_(&count, sampling, u);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_form_moves_(&m, form, k, d, bounds, options);
  if (status == DPPAIR_OK)
    status = dppair_allowance_(&factor, &rounding, NULL, epsilon, count, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  if (sampling->kind == DPPAIR_MATCHING) {
    factor += 8.0 * epsilon;
    status = dppair_pairs_allowance_(&rounding, count / 2, count, m.norm * factor);
  } else {
    mass = u && !u->across ? 2.0 * (double)u->all : (double)count * (double)count;
    status =
        DPPAIR_NAME_form_error_of_(&rounding, u ? u->most : (double)count, mass, d, bounds->radius,
                                   m.slope * factor, factored ? 2.0 * bounds->param_radius : 1.0);
    rounding *= 2.0;
  }
  if (status != DPPAIR_OK) return status;
  if (u) factor *= 1.0 + 8.0 * DBL_EPSILON;
  if (!u || u->across) return dppair_moves_sampled_(sensitivity, &m, sampling, factor, rounding);
  charged = *sampling;
  if (options->clip && charged.adjacency == DPPAIR_ZERO_OUT) charged.adjacency = DPPAIR_REPLACE_ONE;
  return dppair_moves_within_(sensitivity, &m, &charged, u, factor, rounding);
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */
