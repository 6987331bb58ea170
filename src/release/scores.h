/* ------------------------------------------------------------------------------------------------
 * The release of an instance for any scorer: scores, and a gradient row for each record
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. As template.h, where the
 * scores are those of a network instead of <x, w>.
 *
 * Proof. The sum over pairs of phi'(s_i - s_j) (v_i - v_j) is that of linear rows v whose slopes
 * are any numbers of the range of phi': NAME_sensitivity with |w| = HUGE_VAL proves it from that
 * alone, and from each s_i and v_i being a function of record i and of what is public. A score that
 * is held within a bound, or replaced where it is no number, still is one; so no status depends on
 * it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_release_scores for n records with gradients of d numbers, and this
 * pass, of which parts and whether there are groups are read. Errors zero it: NULL, SIZE (parts 0),
 * WORKSPACE, NO_PROOF (a clip), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_scores_workspace(
    size_t *bytes, size_t n, size_t d, const dppair_options *options) {
  dppair_linear_ r;
  size_t groups;
  void *rest;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!options) return DPPAIR_ERR_NULL;
  if (options->clip) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_gradient_clip_(&groups, n, d, options);
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.d = d;
  r.parts = options->tasks ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_gradient_layout_(&r, &rest, NULL, n, 0, groups);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* The public checks of NAME_release_scores, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_scores_open_(dppair_release_terms_ *terms,
                                                          const dppair_release *release,
                                                          const DPPAIR_REAL *score,
                                                          const DPPAIR_ROWS_ *v,
                                                          const dppair_options *options) {
  dppair_bounds line;
  size_t needed, most;
  dppair_status status = DPPAIR_NAME_release_units_(&most, release, v, options, 0);
  if (status != DPPAIR_OK) return status;
  if (!options || (!score && v->n)) return DPPAIR_ERR_NULL;
  status = dppair_rows_check_ROW_(v);
  if (status != DPPAIR_OK) return status;
  if (v->d == 0 || v->nulls > v->n || v->positives > v->n - v->nulls) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(v);
  if (status != DPPAIR_OK) return status;
  if (v->weight && !DPPAIR_WEIGHTS) return DPPAIR_ERR_NO_PROOF;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  if (dppair_is_order_free_(options) && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    return DPPAIR_ERR_NO_PROOF; /* it rounds scores: NAME_chunk_sum */
  status = DPPAIR_NAME_release_scores_workspace(&needed, most, v->d, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_room_(most, needed, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&line, 0, sizeof line);
  line.radius = v->radius;
  line.param_radius = HUGE_VAL;
#if DPPAIR_WEIGHTS
  status = DPPAIR_NAME_sensitivity(&terms->sensitivity, v->d, &line, &release->sampling, options);
#else
  status = DPPAIR_NAME_sensitivity_of_(&terms->sensitivity, v->d, &line, &release->sampling,
                                       options, NULL);
#endif
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_price_(terms, release, v->d, line.radius,
                            DPPAIR_NAME_release_nulls_(release, v, options, 0), options);
}

/* The sum of c_i v_i, of the records that are there. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_scores_work_(double *g,
                                                                   const DPPAIR_REAL *score,
                                                                   const DPPAIR_ROWS_ *v,
                                                                   const dppair_options *options) {
  const size_t n = v->n - v->nulls;
  dppair_options inner = *options;
  dppair_linear_ r;
  DPPAIR_REAL *s;
  size_t i;
  dppair_status status = DPPAIR_NAME_gradient_clip_(&inner.bytes, n, v->d, options);
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.rows = v;
  r.n[0] = v->positives;
  r.n[1] = n - v->positives;
  r.d = v->d;
  r.parts = options->tasks ? options->tasks->count : 1;
  (void)DPPAIR_NAME_gradient_layout_(&r, &inner.work, dppair_align_(options->work), n, v->positives,
                                     inner.bytes);
  s = (DPPAIR_REAL *)r.s[0]; /* both sides, one after the other */
  for (i = 0; i < n; i++) {
    const double x = (double)score[i];
    s[i] = dppair_is_nan_(x) ? (DPPAIR_REAL)0
           : x > DPT_SCORE_  ? (DPPAIR_REAL)DPT_SCORE_
           : x < -DPT_SCORE_ ? (DPPAIR_REAL)-DPT_SCORE_
                             : score[i];
  }
  return DPPAIR_NAME_gradient_rest_(g, &r, &inner, v, options);
}

/*
 * g[0..d) = the gradient of the mean of phi over all pairs in the weights of any scorer, divided by
 * the divisor of the plan's sampling, with the noise of this step: coefficients dL/ds, the sum of
 * c_i v_i and the release in one. g may be published.
 *
 *   score    of the v->n records, positives first; a score that is no number counts as 0, one
 *            beyond 1e150 (float: 1e18) as that. What stands at null records is not read
 *   v        the gradients of these scores in the weights, one row for each record, clipped:
 *            dppair_rows_clip sets v->radius, which the noise is for. positives and nulls as in
 *            NAME_release. In a plan that draws, the rows of this step's batch: gathered, or, if
 *            they were computed for the batch alone, marked by dppair_rows_by_hand
 *   options  params, fast, parts; groups, as NAME_release takes them; no clip of pairs. With `fast`
 *            scores count as at most its cap, and losses of unbounded slope are allowed. work:
 *            NAME_release_scores_workspace, of all n records where the plan draws a random number
 *
 * The scorer reads one record and what is public: no batch normalisation, nor anything else that
 * looks at other records. A record with several rows (views, augmentations) is a user: add its
 * rows up first, or protect users by groups.
 *
 * The noise is for NAME_sensitivity at v->radius and |w| = HUGE_VAL.
 *
 * Errors zero g. They use no paid release: those of NAME_release, but for w, and OVERLAP (g, and
 * the scores too); NO_PROOF (a clip; a state of NAME_sums_init of a piecewise linear loss). With
 * rows from dppair_rows_clip no other error occurs; with others NOT_FINITE can. Then the paid
 * release is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_release_scores(double *g, dppair_release *release, const DPPAIR_REAL *score,
                           const DPPAIR_ROWS_ *v, const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!v) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, v->d);
  if (status != DPPAIR_OK) return status;
  if (v->d) memset(g, 0, v->d * sizeof *g);
  status = DPPAIR_NAME_release_scores_open_(&terms, release, score, v, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, v->d, options->work, &terms, score, v->n * sizeof *score);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, v->d, v);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_release_scores_work_(g, score, v, options);
  status = dppair_release_sum_(g, v->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
