/* ------------------------------------------------------------------------------------------------
 * What a release's noise is made of: public numbers
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. A program that does not
 * ask compiles none of it. Relies on template.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * Fills *e with what the next release of these rows at this w would add, from public numbers alone:
 * every neighbour has the same, and every size drawn. Nothing is used up, and no draw is needed.
 *
 *   rows   d and radius are read, no record is
 *   w      d public numbers, as NAME_release takes them; NULL: any scorer, as NAME_release_scores
 *   options params, clip, fast, groups: as the release gets them
 *
 * Errors zero *e: NULL; CLOSED and the others of dppair_release_vector about the release but
 * NOT_DRAWN; LAW; NO_RADIUS; NOT_FINITE (w); those of NAME_sensitivity; SIGMA.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_explain(
    dppair_explained *e, const dppair_release *release, const DPPAIR_ROWS_ *rows,
    const DPPAIR_REAL *w, const dppair_options *options) {
  const dppair_fast *f = NULL;
  dppair_release_terms_ terms;
  dppair_bounds bounds;
  dppair_grouped_ units, *u;
  dppair_moves_ m;
  double queries, exact = 0.0;
  size_t count;
  dppair_status status;
  if (!e) return DPPAIR_ERR_NULL;
  memset(e, 0, sizeof *e);
  if (!rows || !options) return DPPAIR_ERR_NULL;
  status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (dppair_mechanism_is_objective_(release->mechanism) ||
      dppair_mechanism_is_whole_(release->mechanism))
    return DPPAIR_ERR_LAW;
  if (!(rows->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius =
      w ? dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_) : (double)HUGE_VAL;
  if (w && !dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (options->groups && !DPPAIR_WEIGHTS) return DPPAIR_ERR_NO_PROOF;
  status =
      DPPAIR_NAME_sensitivity(&terms.sensitivity, rows->d, &bounds, &release->sampling, options);
  if (status != DPPAIR_OK) return status;
  if (DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && !options->clip && options->fast &&
      options->fast->kind != 0)
    f = options->fast;
  u = DPPAIR_NAME_units_(&units, options->groups, &release->sampling, 0);
  status = dppair_moves_count_(&count, &release->sampling, u);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_moves_(&m, rows->d, &bounds, options, f);
  if (status == DPPAIR_OK)
    status = u && !u->across ? dppair_moves_within_(&exact, &m, &release->sampling, u, 1.0, 0.0)
                             : dppair_moves_sampled_(&exact, &m, &release->sampling, 1.0, 0.0);
  e->sensitivity_l2 = terms.sensitivity;
  if (status == DPPAIR_OK) status = dppair_release_scale_of_(&terms, release, rows->d);
  if (status != DPPAIR_OK) {
    memset(e, 0, sizeof *e);
    return status;
  }
  queries = DPPAIR_NAME_release_queries_(release, options);
  e->slope = m.slope;
  e->low = m.at.low[0];
  e->high = m.at.high[0];
  e->move = dppair_sampling_move_(&release->sampling) == DPPAIR_REPLACE_ONE ? m.replaced : m.zeroed;
  e->draw = exact / e->move;
  e->rounding = e->sensitivity_l2 - exact;
  e->divisor = queries > 0.0 ? queries : dppair_explained_divisor_(&release->sampling);
  e->clip = dppair_clip_bound_(options);
  e->cap = f && f->score_cap < HUGE_VAL ? f->score_cap : 0.0;
  e->sensitivity = terms.sensitivity;
  e->scale = terms.scale;
  e->noise_multiplier = dppair_release_strength_(release);
  return DPPAIR_OK;
}

DPPAIR_FP_END_
