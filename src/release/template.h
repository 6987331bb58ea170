/* ------------------------------------------------------------------------------------------------
 * The releases of an instance
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. They exist where
 * dppair_losses.h, dppair_noise.h and dppair_accountant.h came before the instance. In each: checks
 * of public arguments, which use no paid release; the paid release; the gradient; its divisor;
 * noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Errors that could depend on a record are ruled out by public numbers: a score or a margin is at
 * most SCORE_, sums over pairs are at most SUM_ long. */
#if DPPAIR_TEMPLATE_F64_
#define DPT_SCORE_ 1e150
#define DPT_SUM_ 1e280
#else
#define DPT_SCORE_ 1e18
#define DPT_SUM_ 1e36
#endif

/* Is there room for `most` records in what the pass brings? */
DPPAIR_API dppair_status DPPAIR_NAME_room_(size_t most, size_t needed,
                                           const dppair_options *options) {
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (!options->work) return DPPAIR_ERR_NULL; /* every pass needs some */
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (options->fast && !options->clip &&
      (options->fast->kind != DPPAIR_KIND_ ||
       (!options->fast->order_free && options->fast->most < most)))
    return DPPAIR_ERR_WORKSPACE;
#endif
  (void)most;
  return DPPAIR_OK;
}

/* Are these rows, or where users or queries are protected these groups of rows, those of the
 * step? *most: what public arguments must have room for. form: rows without classes. */
DPPAIR_API dppair_status DPPAIR_NAME_release_units_(size_t *most, const dppair_release *release,
                                                    const DPPAIR_ROWS_ *rows,
                                                    const dppair_options *options, int form) {
  const dppair_groups *g = options ? options->groups : NULL;
  const size_t n = rows->n, there = n - rows->nulls, np = form ? there : rows->positives;
  dppair_status status = dppair_release_bound_(release, rows->radius);
  *most = n;
  if (status != DPPAIR_OK) return status;
  if (g && (rows->nulls > n || np > there)) return DPPAIR_ERR_SIZE;
  if (g && rows->nulls > 0 && g->relation == DPPAIR_WITHIN &&
      dppair_adjacency_unit_(release->sampling.adjacency) == DPPAIR_OF_RECORDS_)
    return DPPAIR_ERR_NO_PROOF; /* the sizes of queries are public */
  if (g) status = dppair_groups_check_(g, np, there - np, form);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(release->sampling.adjacency) == DPPAIR_OF_RECORDS_ ||
      (release->sampling.owned > 0 && !g)) /* records are drawn */
    return dppair_release_rows_(most, release, n, rows->radius, rows->serial);
  if (!g) return DPPAIR_ERR_ADJACENCY;
  if (release->sampling.kind != DPPAIR_ALL && rows->serial != dppair_release_serial_(release))
    return DPPAIR_ERR_BATCH;
  /* else the room that is needed would tell n */
  if (g->most == 0 || n > g->most) return DPPAIR_ERR_SIZE;
  status = dppair_release_rows_(most, release, g->count, rows->radius, rows->serial);
  *most = g->most;
  return status;
}

/* What a mean over queries is divided by; 0 for other gradients. */
DPPAIR_API double DPPAIR_NAME_release_queries_(const dppair_release *release,
                                               const dppair_options *options) {
  if (!options->groups || options->groups->relation != DPPAIR_WITHIN) return 0.0;
  return dppair_adjacency_unit_(release->sampling.adjacency) == DPPAIR_OF_RECORDS_
             ? (double)options->groups->count
             : dppair_sampling_expected_(&release->sampling);
}

/*
 * How many of the drawn records, or users, are null: given as such, or of weight 0, or users
 * who have no other records. A draw's divisor does not count them: the proof of a sensitivity
 * (losses/moves.h) lets a record JOIN b others, so that a null record that is drawn is one that is
 * not drawn, in the divisor too. Private, as the divisor is.
 */
DPPAIR_API size_t DPPAIR_NAME_release_nulls_(const dppair_release *release,
                                             const DPPAIR_ROWS_ *rows,
                                             const dppair_options *options, int form) {
  const dppair_groups *g = options->groups;
  if (!dppair_sampling_is_random_(release->sampling.kind)) return 0;
  if (g) /* queries have another divisor */
    return g->relation == DPPAIR_ACROSS
               ? dppair_groups_null_(g, rows->weight, form ? 0 : rows->positives)
               : 0;
  return rows->nulls + dppair_weightless_(rows->weight, rows->n - rows->nulls);
}

/* The noise of a release of `size` numbers whose sensitivity is known; see DPT_SUM_. nulls: of the
 * drawn records, that the divisor does not count. */
DPPAIR_API dppair_status DPPAIR_NAME_price_(dppair_release_terms_ *terms,
                                            const dppair_release *release, size_t size,
                                            double radius, size_t nulls,
                                            const dppair_options *options) {
  const double n = (double)release->sampling.n, longest = radius < 1.0 ? radius : 1.0;
  const double queries = DPPAIR_NAME_release_queries_(release, options);
  dppair_status status = dppair_release_terms_of_(terms, release, size);
  if (status == DPPAIR_OK && nulls > 0 && dppair_sampling_is_random_(release->sampling.kind))
    status = dppair_normaliser(&terms->divisor, &release->sampling,
                               nulls < release->drawn ? release->drawn - nulls : 0);
  if (status != DPPAIR_OK) return status;
  if (queries > 0.0) terms->divisor = queries;
  return n * n * n * terms->sensitivity < DPT_SUM_ * longest ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* The public checks of NAME_release, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_open_(dppair_release_terms_ *terms,
                                                   const dppair_release *release,
                                                   const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                   const dppair_options *options) {
  dppair_bounds bounds;
  size_t needed, most;
  dppair_status status = DPPAIR_NAME_release_units_(&most, release, rows, options, 0);
  if (status != DPPAIR_OK) return status;
  if (!w || !options) return DPPAIR_ERR_NULL;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->d == 0 || rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->weight && (options->clip || !DPPAIR_WEIGHTS)) return DPPAIR_ERR_NO_PROOF;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_workspace(&needed, most, rows->d, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_room_(most, needed, options);
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius = dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (!(bounds.radius * bounds.param_radius <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
#if DPPAIR_WEIGHTS
  status =
      DPPAIR_NAME_sensitivity(&terms->sensitivity, rows->d, &bounds, &release->sampling, options);
#else /* NAME_workspace has refused groups */
  status = DPPAIR_NAME_sensitivity_of_(&terms->sensitivity, rows->d, &bounds, &release->sampling,
                                       options, NULL);
#endif
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_price_(terms, release, rows->d, bounds.radius,
                            DPPAIR_NAME_release_nulls_(release, rows, options, 0), options);
}

/* What is not inlined leaves its secrets below its caller, where dppair_release_forget_ wipes. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_work_(double *g, const DPPAIR_ROWS_ *rows,
                                                            const DPPAIR_REAL *w,
                                                            const dppair_options *options) {
  return DPPAIR_NAME_gradient(g, rows, w, options);
}

/*
 * g[0..d) = the gradient of NAME_gradient, divided by the divisor of the plan's sampling, with the
 * noise of this step. g may be published, and so may the next w.
 *
 *   rows     as NAME_gradient takes them, radius > 0: all n records, or in a plan that draws those
 *            that dppair_gather made of this step's batch (or dppair_rows_by_hand marked). Their
 *            bound is public. Null records are among them, and how many there are is private. The
 *            divisor of a Poisson sample or an allocation does not count them, nor records of
 *            weight 0, nor users without records
 *   w        d numbers that are public: zero, or made of earlier releases
 *   options  as NAME_gradient takes it. work: NAME_workspace of all n records where the plan draws
 *            a random number of them; of groups->most rows, which must be given, where users or
 *            queries are protected
 *
 * A plan whose neighbours differ in a user (DPPAIR_REPLACE_USER, DPPAIR_ZERO_USER) takes
 * groups of relation ACROSS, and counts users: its n, and the groups of a draw, whose rows the
 * caller gathers. Who has how many records is private. One whose neighbours differ in a query takes
 * groups WITHIN in the same way; one whose neighbours differ in a record takes rows, or groups
 * WITHIN whose sizes are public: then a record stays in its query, and all records are used. A mean
 * over queries is divided by their number, or by that which a plan expects to draw. A plan that
 * draws records without replacement and protects users (`owned` of its sampling) takes rows.
 *
 * The noise scale is z S. S is NAME_sensitivity at rows->radius and at the norm of w as it is, for
 * the neighbours, the draw, the clip and the kernels in use; release->sensitivity and sigma hold S
 * and z S. For Laplace noise, which all numbers move at once, S is sqrt(d) times as large; pure
 * epsilon by DPPAIR_L2BALL (dppair_l2ball.h) needs less noise.
 *
 * Errors zero g. They use no paid release: those of dppair_release_vector about the release; NULL;
 * SIZE (d = 0, ld < d, records, users or queries that are not those of the step, places of groups,
 * no groups->most where a user or a query is protected); OVERLAP (g, and the workspace, w or rows:
 * keep g out of a batch's whole buffer, or this tells how many records were drawn); ADJACENCY
 * (groups that do not fit the neighbours, or none where they need them); NO_RADIUS (radius 0, which
 * is no bound); BATCH (a plan that draws, and rows of another draw, or of none); NO_PROOF (a plan
 * of matchings: NAME_release_vector; the reasons of NAME_sensitivity); WORKSPACE; NOT_FINITE (w);
 * OVERFLOW (numbers so large that a sum of them could leave the range); those of NAME_workspace and
 * NAME_sensitivity; SIZE for nulls > n. Without rows, or with d = 0, g has no size and is not
 * touched. With rows from dppair_rows_clip no other error occurs but SIZE for positives > n -
 * nulls; with others NOT_FINITE can. Then the paid release is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release(double *g, dppair_release *release,
                                                               const DPPAIR_ROWS_ *rows,
                                                               const DPPAIR_REAL *w,
                                                               const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  status = DPPAIR_NAME_release_open_(&terms, release, rows, w, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, rows->d, options->work, &terms, w, rows->d * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, rows->d, rows);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_release_work_(g, rows, w, options);
  status = dppair_release_sum_(g, rows->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

/*
 * The same for a sum of pair gradients that the caller has computed: g[0..size), over the pairs of
 * all n records or of this step's draw, is divided and gets its noise.
 *
 * For a network: c = dL/ds by NAME_coeffs or _coeffs_fast (_weighted_coeffs, with groups), g = the
 * sum over the records of c_i v_i, each v_i = grad s(x_i) clipped to bounds->radius. The proof
 * needs two label levels and a scorer that reads one record and w only, hence no batch
 * normalisation. For a plan of matchings: g of NAME_pairs_gradient over the pairs (2k, 2k + 1) of
 * the draw whose labels differ. Null records have no pairs and no v_i. Where the plan draws a
 * random number of records, and k of the drawn ones are null, multiply g by (drawn - 1)/(drawn - k
 * - 1) before (by 0 if that is not positive): the divisor here counts all that were drawn.
 *
 *   bounds    radius: of every v_i, or of the rows. The slopes count over the whole line, or, if
 *             options->fast was used, over the margins that its cap leaves: param_radius is not read,
 *             because a network's scores are not bounded by the norms of v_i and w
 *   rounding  a bound of the norm of the error of that sum, beyond NAME_coeffs and X^T c
 *   options   the sum was computed with: params, fast, clip (each pair's gradient was clipped,
 *             which NAME_pairs_gradient does)
 *
 * Errors zero g, and use no paid release: as above; SIZE (size 0); DOMAIN (rounding); NO_PROOF (a
 * state of NAME_sums_init of a piecewise linear loss). NOT_FINITE for a number of g uses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_vector(
    double *g, size_t size, dppair_release *release, const dppair_bounds *bounds, double rounding,
    const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_bounds line;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (!bounds || !options)
    status = DPPAIR_ERR_NULL;
  else if (size == 0)
    status = DPPAIR_ERR_SIZE;
  else if (!(dppair_isfinite_f64(rounding) && rounding >= 0.0))
    status = DPPAIR_ERR_DOMAIN;
  else if (dppair_is_order_free_(options) && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    status = DPPAIR_ERR_NO_PROOF; /* its sensitivity is that of NAME_chunk_sum */
  else
    status = dppair_release_bound_(release, bounds->radius);
  if (status == DPPAIR_OK && options->groups && release->sampling.kind != DPPAIR_ALL &&
      options->groups->count != release->drawn)
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) {
    line = *bounds;
    line.param_radius = HUGE_VAL;
    status = DPPAIR_NAME_sensitivity(&terms.sensitivity, size, &line, &release->sampling, options);
  }
  if (status == DPPAIR_OK) {
    const double queries = DPPAIR_NAME_release_queries_(release, options);
    const double least = queries > 0.0 ? queries : dppair_release_least_(&release->sampling);
    terms.sensitivity += dppair_up_(2.0 * rounding / least);
    terms.sensitivity = dppair_up_(terms.sensitivity);
    status = dppair_release_terms_of_(&terms, release, size);
    if (queries > 0.0) terms.divisor = queries;
  }
  if (status != DPPAIR_OK) {
    if (size) memset(g, 0, size * sizeof *g);
    return status;
  }
  dppair_release_permit_(release, &terms);
  return dppair_release_sum_(g, size, release, status);
}

DPPAIR_FP_END_
