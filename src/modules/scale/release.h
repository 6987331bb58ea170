/* ------------------------------------------------------------------------------------------------
 * The release of a gradient that was summed in chunks
 *
 * As NAME_release, in the same order: public checks, which use no paid release; the paid release;
 * the divisor; noise. The sum is one of NAME_chunk_sum (chunks.h), from however many processes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The public checks of NAME_release_sum, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_sum_open_(dppair_release_terms_ *terms,
                                                       const dppair_release *release,
                                                       const dppair_sum *sum, const DPPAIR_REAL *w,
                                                       const dppair_options *given) {
  dppair_grouped_ units;
  dppair_options alone, *options = &alone;
  dppair_bounds bounds;
  size_t most;
  int unit, users;
  dppair_status status = dppair_release_bound_(release, sum->radius);
  if (status != DPPAIR_OK) return status;
  if (!w || !given) return DPPAIR_ERR_NULL;
  unit = dppair_adjacency_unit_(release->sampling.adjacency);
  users = unit == DPPAIR_OF_USERS_ && release->sampling.owned == 0;
  alone = *given;
  alone.groups = NULL;
  if (sum->size == 0 || sum->count > SIZE_MAX || sum->nulls > SIZE_MAX - sum->count)
    return DPPAIR_ERR_SIZE;
  if (unit == DPPAIR_OF_QUERIES_) return DPPAIR_ERR_ADJACENCY;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = dppair_release_rows_(&most, release, (size_t)(sum->count + sum->nulls), sum->radius,
                                sum->serial);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunk_pass_(options);
  if (status != DPPAIR_OK) return status;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = sum->radius;
  bounds.param_radius = dppair_release_norm_(w, sum->size, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (!(bounds.radius * bounds.param_radius <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
  if (!DPPAIR_NAME_sum_is_own_(sum, sum->size, sum->radius, options->fast) ||
      sum->digest !=
          dppair_digest_of_sum_(DPPAIR_NAME_digest_(w, sum->size, sum->radius, options, users),
                                sum->count))
    return DPPAIR_ERR_WORKSPACE;
  memset(&units, 0, sizeof units);
  units.across = 1;
  units.count = (size_t)sum->count;
  units.most = (double)options->fast->most;
  status = DPPAIR_NAME_sensitivity_of_(&terms->sensitivity, sum->size, &bounds, &release->sampling,
                                       options, users ? &units : NULL);
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_price_(terms, release, sum->size, bounds.radius,
                            (size_t)(sum->nulls + sum->weightless), options);
}

/*
 * g[0..sum->size) = the gradient in *sum, divided by the divisor of the plan's sampling, with the
 * noise of this step: what NAME_release of all these rows at once writes, to the bit. g may be
 * published, and so may the next w.
 *
 *   sum    of NAME_chunk_sum, over all n records of the plan, or over those of this step's draw;
 *          where the plan protects users, of chunks of users, n of them
 *   w      what its chunks were computed at, public
 *   options the same state and params; work, parts and groups are not read
 *
 * S is NAME_sensitivity at sum->radius and at the norm of w as it is; the rounding of moments and
 * sums is in it. A process that repeats this with the release of the same key, run and step writes
 * the same bits, and has released nothing more.
 *
 * Errors zero g, and use no paid release: those of dppair_release_vector about the release; NULL;
 * SIZE (size 0; a sum whose records are not as many as those of the step; more than the state is
 * for); WORKSPACE (a sum that is not open, or was made at another w or with another state; a state
 * that NAME_sums_init did not prepare for this loss and params); ADJACENCY (a plan for queries);
 * NO_RADIUS; NO_PROOF (a plan of matchings; a clip; the reasons of NAME_sensitivity); NOT_FINITE
 * (w); OVERFLOW; OVERLAP (g, and the sum). Without a sum g has no size and is not touched. No error
 * depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_sum(double *g,
                                                                   dppair_release *release,
                                                                   const dppair_sum *sum,
                                                                   const DPPAIR_REAL *w,
                                                                   const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!sum) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, sum->size);
  if (status != DPPAIR_OK) return status;
  if (sum->size) memset(g, 0, sum->size * sizeof *g);
  status = DPPAIR_NAME_release_sum_open_(&terms, release, sum, w, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_apart_(g, sum->size, sum->words, 16 * sum->size);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = dppair_sum_value(g, sum);
  return dppair_release_sum_(g, sum->size, release, status);
}

DPPAIR_FP_END_
