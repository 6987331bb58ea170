/* ------------------------------------------------------------------------------------------------
 * The release of a softmax over the batch
 *
 * As NAME_release (release/template.h), for NAME_softmax_gradient. Public functions, written NAME_x
 * in comments and DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * *terms of the mean over the batch. S of the sum is dppair_sensitivity_softmax, of the move that
 * the plan's law divides: all records, or m of them, for a record that is replaced; where the size
 * of the batch is random, of at most n, for one that joins; a record drawn k times moves k times
 * as far, one copy after the other. The divisor is a constant, the number that is expected.
 *
 * e^(s_ij) as computed may be 1e-13 larger or smaller than the sensitivity's proof supposes, which
 * is less than 1e-12 of S. Beyond that, the computed gradient is what a real number's arithmetic
 * would give, but for roundings in units u = epsilon/2. With t records in the batch: a sum of terms
 * errs by t u, and a weight by (t + 6) u of |p_ij| + [i = j]; a number of dz by 2 t u more, of the
 * sum of sizes; one of g by 4 t u more. Each G_ij is two products, together at most 1024 B long
 * (NAME_softmax_clip), and the sizes of an anchor's weights add up to 2 at most: that makes
 * (7 t + 10) u 2048 B an anchor, and t anchors. Both neighbours err.
 *
 * Squares underflow of vectors shorter than 1.5e-154. With |w| and radii below 1e30, and 1/256 at
 * least for the temperature, a similarity whose gradient such a vector is part of has one that is
 * shorter than 1e-91 by that part, and no clip is below 1e-90.
 */
DPPAIR_API dppair_status DPPAIR_NAME_release_softmax_terms_(dppair_release_terms_ *terms,
                                                            const dppair_release *release,
                                                            size_t size, double temperature,
                                                            double clip) {
  const dppair_sampling *s = &release->sampling;
  const dppair_adjacency move = dppair_sampling_move_(s);
  const size_t most = s->m > 0 && !dppair_sampling_is_random_(s->kind) ? s->m : s->n;
  const double t = (double)most, b = dppair_sampling_expected_(s);
  dppair_status status;
  if (dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_RECORDS_) return DPPAIR_ERR_ADJACENCY;
  if (s->kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = dppair_sensitivity_softmax(&terms->sensitivity, clip, temperature, most, move);
  if (status != DPPAIR_OK) return status;
  terms->sensitivity *= 1.0 + 1e-12;
  terms->sensitivity += (t + 2.0) * 16384.0 * DBL_EPSILON * t * clip;
  terms->sensitivity = dppair_up_(dppair_up_(terms->sensitivity / b));
  terms->divisor = b;
  return dppair_release_scale_of_(terms, release, size);
}

/* The public checks of NAME_release_softmax, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_softmax_open_(
    dppair_release_terms_ *terms, DPPAIR_NAME_softmax_ *s, const dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    double temperature, const dppair_options *options) {
  double length;
  size_t most, bytes;
  dppair_status status = dppair_release_rows_(&most, release, rows->n, rows->radius, rows->serial);
  if (status != DPPAIR_OK) return status;
  if (!others || !options) return DPPAIR_ERR_NULL;
  if (!(others->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  if (release->sampling.kind != DPPAIR_ALL && others->serial != rows->serial)
    return DPPAIR_ERR_BATCH;
  if (rows->positives || others->positives) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_softmax_open_(s, &bytes, most, rows->d, k, options);
  if (status == DPPAIR_OK && options->bytes < bytes) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_softmax_check_(s, rows, others, w, k, temperature, options);
  if (status != DPPAIR_OK) return status;
  terms->bytes = bytes;
  length = dppair_release_norm_(w, rows->d * k, 0);
  if (!(length < 1e30 && rows->radius < 1e30 && others->radius < 1e30)) return DPPAIR_ERR_OVERFLOW;
  return DPPAIR_NAME_release_softmax_terms_(terms, release, rows->d * k, temperature,
                                            dppair_clip_bound_(options));
}

/*
 * g[d][k] = the gradient of NAME_softmax_gradient, divided by the number of records that the plan
 * expects to draw, with the noise of this step: for a linear embedding of two views of each record
 * that are compared with those of all others in the batch. g may be published.
 *
 *   rows, others, w, k, temperature   as NAME_softmax_gradient takes them: all n records, or the
 *                same of both views as this step's draw has, in its order (dppair_gather of rows
 *                without positives: others come first, and views would part). radius > 0
 *   options      clip: of each similarity's gradient. work: NAME_softmax_workspace, of all n
 *                records where the plan draws a random number of them
 *
 * Records are protected. The plan: all records; Poisson samples and allocations; a number of them
 * without or with replacement. S grows with e^(2/temperature) until it says nothing: at a
 * temperature of 0.1 groups (NAME_release_contrast) are the better way.
 *
 * Errors zero g. They use no paid release: those of dppair_release_vector about the release; those
 * of NAME_softmax_gradient but for rows that are not finite; SIZE (records that are not those of
 * the step, two numbers of null records); ADJACENCY (a user or a query is protected); NO_RADIUS;
 * NO_PROOF (a matching; rows with positives); OVERFLOW (|w| or a radius from 1e30 on); OVERLAP (g,
 * and the workspace, w or rows). With rows from dppair_rows_clip no other error occurs; with others
 * NOT_FINITE can. Then the paid release is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_softmax(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const double *w, size_t k, double temperature, const dppair_options *options) {
  dppair_release_terms_ terms;
  DPPAIR_NAME_softmax_ s;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_softmax_open_(&terms, &s, release, rows, others, w, k, temperature,
                                             options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, size, options->work, &terms, w, size * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, rows);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, others);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_softmax_run_(g, &s, rows, others, options);
  status = dppair_release_sum_(g, size, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
