/* ------------------------------------------------------------------------------------------------
 * The release of a form that was summed in blocks
 *
 * As release/template.h for blocks.h: for each instance, after dppair_losses.h,
 * dppair_noise.h and dppair_accountant.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The public checks of NAME_release_form_sum, and its noise. */
DPPAIR_API dppair_status DPPAIR_NAME_release_ring_open_(dppair_release_terms_ *terms,
                                                        const dppair_release *release,
                                                        const dppair_sum *sum,
                                                        const dppair_ring *ring,
                                                        const dppair_options *options) {
  DPPAIR_NAME_ring_ r;
  size_t most;
  dppair_status status = DPPAIR_NAME_ring_open_(&r, ring, options);
  if (status != DPPAIR_OK) return status;
  status = dppair_release_rows_(&most, release, ring->n, ring->radius,
                                release ? dppair_release_serial_(release) : 0);
  if (status != DPPAIR_OK) return status;
  if (!DPPAIR_NAME_ring_fits_(sum, r.size, r.digest))
    return sum ? DPPAIR_ERR_WORKSPACE : DPPAIR_ERR_NULL;
  if (sum->count != dppair_ring_pairs_(ring->n) ||
      sum->words[2 * r.size] != dppair_ring_tally_(dppair_ring_blocks(ring)))
    return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_ring_sensitivity_(&terms->sensitivity, &r, ring, &release->sampling);
  if (status != DPPAIR_OK) return status;
  /* the sum, within n S, is rounded to double, and by 3 units where it is packed */
  terms->sensitivity *= 1.0 + (4.0 * (double)ring->n + 6.0) * DBL_EPSILON;
  return DPPAIR_NAME_price_(terms, release, r.size, ring->radius * ring->radius, 0, options);
}

/*
 * NAME_release_form of a sum of all pairs of blocks: g[d][k], divided, with the noise of this step.
 * The plan is one of all n records (dppair_sampling_all), without users. S is
 * NAME_form_sum_sensitivity.
 *
 * Errors zero g, and use no paid release: those of NAME_release_form; SIZE (n is not the plan's;
 * pairs of blocks that are missing or were added twice); WORKSPACE (a sum that is not of this ring,
 * this w, this pass). Then none, with rows from dppair_rows_clip.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_release_form_sum(double *g, dppair_release *release, const dppair_sum *sum,
                             const dppair_ring *ring, const dppair_options *options) {
  dppair_release_terms_ terms;
  size_t size, e;
  dppair_status status;
  if (!ring) return DPPAIR_ERR_NULL;
  size = dppair_area_(ring->d, ring->k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_ring_open_(&terms, release, sum, ring, options);
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, sum->words, 16 * (size + 1));
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  for (e = 0; e < size; e++) g[e] = dppair_word_value_(sum->words + 2 * e, sum->unit);
  return DPPAIR_NAME_release_matrix_(g, ring->form, ring->d, ring->k, release, DPPAIR_OK);
}

DPPAIR_FP_END_
