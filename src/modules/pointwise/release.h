/* ------------------------------------------------------------------------------------------------
 * The release of a pairwise gradient whose records no longer meet
 *
 * Once a histogram of the scores was released, a record's coefficient needs no other record. What
 * is clipped and summed are vectors of one record each, as in the training of a classifier, and a
 * zeroed record moves the sum by one clip. Relies on NAME_coeffs_from_histogram and histogram.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The public checks of NAME_release_pointwise, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_pointwise_open_(dppair_release_terms_ *terms,
                                                     const dppair_release *release,
                                                     const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                     const dppair_histogram *h, double clip,
                                                     const dppair_options *options) {
  const double u = 0.5 * DBL_EPSILON;
  double norm, moves, sum;
  size_t needed, most;
  dppair_status status = dppair_release_rows_(&most, release, rows->n, rows->radius, rows->serial);
  if (status != DPPAIR_OK) return status;
  if (!w || !options || !h || (!rows->x && rows->n)) return DPPAIR_ERR_NULL;
  if (rows->d == 0 || rows->ld < rows->d || rows->nulls > rows->n ||
      rows->positives > rows->n - rows->nulls)
    return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (release->sampling.kind == DPPAIR_MATCHING || options->groups) return DPPAIR_ERR_NO_PROOF;
  if (options->clip || options->fast) return DPPAIR_ERR_UNREAD;
  if (!(dppair_isfinite_f64(clip) && clip > 0.0)) return DPPAIR_ERR_DOMAIN;
  status = dppair_histogram_check_(h);
  if (status == DPPAIR_OK && !(h->records > 0.0)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(h->count, 2 * h->nodes))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) status = dppair_release_moves_(&moves, release);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_workspace(&needed, most, rows->d, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  norm = dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(norm)) return DPPAIR_ERR_NOT_FINITE;
  if (!(rows->radius * norm <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
  terms->divisor = dppair_sampling_expected_(&release->sampling);
  sum = (double)most * clip; /* and no sum is longer */
  if (!(sum <= 1e280)) return DPPAIR_ERR_OVERFLOW;
  terms->sensitivity = moves * clip * (1.0 + 32.0 * u) + 2.0 * ((double)most + 8.0) * u * sum;
  terms->sensitivity *= (1.0 + 64.0 * u) / terms->divisor;
  return dppair_release_scale_of_(terms, release, rows->d);
}

/* c[i] = weight c[i] / partners, and so much less that c[i] times row i is at most `clip` long. A
 * number that is not finite counts as the largest one, NaN as 0. */
DPPAIR_API void DPPAIR_NAME_pointwise_clip_(double *c, const DPPAIR_ROWS_ *rows, double partners,
                                            double clip) {
  size_t i;
  for (i = 0; i < rows->n; i++) {
    const DPT_STORED *x = rows->x + i * rows->ld;
    double f = 1.0, size, mine = rows->factor ? rows->factor[i] : 1.0;
    if (!dppair_isfinite_f64(c[i]))
      c[i] = (dppair_bits_f64_(c[i]) << 12) != 0 ? 0.0 : c[i] > 0.0 ? DBL_MAX : -DBL_MAX;
    c[i] /= partners;
    size = dppair_fabs_(c[i]);
    if (!(size > 0.0)) continue;
    size = clip / size * (1.0 - 4.0 * DBL_EPSILON);
#if DPT_NARROW /* factors are scales: above 1, too */
    if (!(mine > 0.0) || !dppair_row_factors_ROW_(&f, x, 1, rows->d, rows->ld, size / mine))
      f = 0.0;
    c[i] *= f * mine;
#else
    if (!dppair_row_factors_ROW_(&f, x, 1, rows->d, rows->ld, size)) f = 0.0;
    c[i] *= mine < f ? (mine > -f ? mine : -f) : f;
#endif
    if (rows->weight) c[i] *= dppair_weight_units_(rows->weight[i]) / DPPAIR_COUNT_UNITS_;
  }
}

/* As NAME_release_work_: g = the sum, by the workspace of the options. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_pointwise_work_(double *g, const DPPAIR_ROWS_ *all,
                                                              const DPPAIR_REAL *w,
                                                              const dppair_histogram *h,
                                                              double partners, double clip,
                                                              const dppair_options *options) {
  const DPPAIR_ROWS_ some = DPT_PRESENT(all), *rows = &some;
  dppair_linear_ r;
  DPPAIR_ROWS_ plain;
  void *rest;
  dppair_status status;
  memset(&r, 0, sizeof r);
  r.d = rows->d;
  r.parts = 1;
  (void)DPPAIR_NAME_gradient_layout_(&r, &rest, dppair_align_(options->work), rows->n, 0, 0);
  status = DPT_SCORES((DPPAIR_REAL *)r.s[0], rows, w);
  if (status == DPPAIR_OK) {
    DPPAIR_NAME_against_nodes_(r.c[0], (const DPPAIR_REAL *)r.s[0], rows->n, rows->positives,
                               h->node, h->count, h->nodes, options->params);
    DPPAIR_NAME_pointwise_clip_(r.c[0], rows, partners, clip);
    plain = *rows;
    plain.factor = NULL;
    status = DPT_COMBINE(g, &plain, r.c[0]);
  }
  return status;
}

/*
 * g[0..d) = the mean over the records of clip(c_i v_i), with the noise of this step: v_i is row i,
 * c_i its coefficient against the histogram (NAME_coeffs_from_histogram over the number of partners
 * that h stands for), clipped to the norm `clip`. It stands for the gradient of NAME_release, the
 * mean over ordered pairs, without its noise and bias: the noise of the histogram, which has mean
 * 0, its linear interpolation, and the clip. g may be published, and so may the next w.
 *
 *   rows     as for NAME_release: all n records, or those of this step's draw; positives first,
 *            null records last. weight: of a record's clipped vector; 0 for those that were dropped
 *   w        d numbers that are public
 *   h        a histogram that was released: of these scores, or of earlier ones, of all records or
 *            of a batch; what is released may be reused, smoothed and made monotone
 *   clip     a public number. |c_i| |v_i| is about half of the steepest slope times radius where
 *            the classes are even, so this loses nothing; less of it is less noise, and some bias
 *   options  params, work (NAME_workspace of n records, of Poisson samples too); clip, fast,
 *            groups: 0
 *
 * Sensitivity, proved: given h the sum moves by `clip` where a record is zeroed, by 2 clip where it
 * is replaced, for every value of h, because clip(c_i v_i) depends on record i, w and h only. It is
 * divided by n, or by the expected number of drawn records. Rounding: a term is at most
 * (1 + 16 u) clip long, u = 2^-53, and a computed sum of k terms is within (k + 4) u k clip.
 *
 * What it costs. The histogram has a paid release of its own (all records; then gradients of later
 * batches are plain sampled steps), or a part of this one (dppair_release_part): that is what a
 * histogram and a gradient of ONE batch cost.
 *
 * Errors zero g, and use no paid release: those of NAME_release but for NAME_sensitivity; DOMAIN
 * (clip, nodes), NO_PROOF (h that was not released; groups), ADJACENCY (neighbours that differ in
 * more than one record), UNREAD (a pass with a clip or a prepared state), NOT_FINITE (counts), SIZE
 * (positives + nulls > n).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_pointwise(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
    const dppair_histogram *h, double clip, const dppair_options *options) {
  dppair_release_terms_ terms;
  double whole, partners;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  status = DPPAIR_NAME_pointwise_open_(&terms, release, rows, w, h, clip, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, rows->d, options->work, &terms, w, rows->d * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, rows->d, rows);
  if (status == DPPAIR_OK) status = dppair_apart_(g, rows->d, h->count, 16 * h->nodes);
  if (status != DPPAIR_OK) return status;
  whole = (double)release->sampling.n;
  partners = h->records * (whole > 1.0 ? (whole - 1.0) / whole : 1.0);
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_pointwise_work_(g, rows, w, h, partners, clip, options);
  status = dppair_release_sum_(g, rows->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
