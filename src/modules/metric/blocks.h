/* ------------------------------------------------------------------------------------------------
 * Forms in blocks of rows
 *
 * The gradient of a form over all pairs of records that no one process holds: the pairs of two
 * blocks of rows at a time, wherever they are computed, added to a dppair_sum. Compiled only after
 * dppair_losses.h. Public functions are written NAME_x in comments and DPPAIR_NAME_x in the code.
 * NOT PRIVATE: such a sum is as secret as the records; NAME_release_form_sum adds noise.
 *
 *   dppair_ring ring = {DPPAIR_FORM_METRIC, n, 1024, d, d, w, 1.0, 1.0};    on every process alike
 *   NAME_form_sum_open(&sum, &ring, &options, room, size);         dppair_sum_workspace of d k + 1
 *   NAME_form_block(&sum, &ring, i, &a, j, &b, &options);          for all i < j, by whoever has both
 *   NAME_form_block(&sum, &ring, i, &a, i, NULL, &options);        and for all i
 *   dppair_sum_add(&sum, &other);                               of the other processes
 *   NAME_release_form_sum(g, &release, &sum, &ring, &options);
 *
 * Traffic. P processes in a ring, each with n/P rows, hand their rows on floor(P/2) times: about
 * n/2 rows leave a process, (d + 1) numbers each (a factor and a weight, where rows have one, are 8
 * bytes more each), then 16 (d k + 1) bytes of its sum. Time: that of NAME_form_gradient over P,
 * with blocks of 20 d rows about a seventh more, of 5 d twice as much.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* What public numbers say of a ring. */
typedef struct DPPAIR_NAME_ring_ {
  dppair_moves_ m;
  double factor;   /* what rounded slopes add to a move */
  double error;    /* of one addend, as computed */
  double bound;    /* of its numbers */
  double unit;     /* what they are rounded to */
  size_t size;     /* d k */
  uint64_t digest; /* of the ring and the pass */
} DPPAIR_NAME_ring_;

/* Checks a ring and options, but for the numbers in w and the offset. */
DPPAIR_API dppair_status DPPAIR_NAME_ring_check_(const dppair_ring *ring,
                                                 const dppair_options *options) {
  if (!ring || !options) return DPPAIR_ERR_NULL;
  if (ring->n < 2 || ring->block < 1 || ring->d < 1 || ring->k < 1) return DPPAIR_ERR_SIZE;
  if (ring->block > SIZE_MAX / 4 || dppair_area_(dppair_area_(ring->d, ring->k), 16) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if ((unsigned)ring->form > (unsigned)DPPAIR_FORM_SIMILARITY ||
      (ring->k != ring->d && ring->form != DPPAIR_FORM_FACTOR))
    return DPPAIR_ERR_DOMAIN;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (!ring->w) return DPPAIR_ERR_NULL;
  if (options->groups || !(ring->radius > 0.0) || !dppair_isfinite_f64(ring->radius))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* A digest of all that makes an addend but the rows: the numbers of the ring, w, the loss as 16 of
 * its slopes. It finds accidents, not forgers. Never 0. */
DPPAIR_API dppair_status DPPAIR_NAME_ring_digest_(uint64_t *digest, const dppair_ring *ring,
                                                  const dppair_options *options) {
  const uint64_t sizes[] = {(uint64_t)ring->form,
                            ring->n,
                            ring->block,
                            ring->d,
                            ring->k,
                            sizeof(DPPAIR_REAL),
                            dppair_bits_f64_(ring->offset),
                            dppair_bits_f64_(ring->radius),
                            dppair_bits_f64_(dppair_clip_bound_(options))};
  DPPAIR_REAL s[16], zero = 0;
  double slope[16], sum;
  dppair_status status;
  size_t e;
  for (e = 0; e < 16; e++) s[e] = (DPPAIR_REAL)(0.375 * ((double)e - 7.0));
  status = DPPAIR_NAME_coeffs(slope, &sum, s, 16, &zero, 1, options->params);
  *digest = 1;
  for (e = 0; e < sizeof sizes / sizeof *sizes; e++)
    *digest = dppair_digest_add_(*digest, sizes[e]);
  for (e = 0; e < ring->d * ring->k; e++)
    *digest = dppair_digest_add_(*digest, dppair_bits_f64_(ring->w[e]));
  for (e = 0; e < 16; e++) *digest = dppair_digest_add_(*digest, dppair_bits_f64_(slope[e]));
  *digest |= 1;
  return status == DPPAIR_ERR_NOT_FINITE ? DPPAIR_ERR_NO_PROOF : status;
}

/* Checks all public arguments and fills *r from them. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_ring_open_(DPPAIR_NAME_ring_ *r,
                                                                  const dppair_ring *ring,
                                                                  const dppair_options *options) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  dppair_status status = DPPAIR_NAME_ring_check_(ring, options);
  dppair_bounds bounds;
  double rows, scale, rounding;
  int e;
  memset(r, 0, sizeof *r);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  r->size = ring->d * ring->k;
  if (!dppair_all_finite_f64(ring->w, r->size) || !dppair_isfinite_f64(ring->offset))
    return DPPAIR_ERR_NOT_FINITE;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = ring->radius;
  bounds.offset = ring->offset;
  bounds.param_radius =
      dppair_norm_f64(ring->w, r->size) * (1.0 + ((double)r->size + 16.0) * DBL_EPSILON);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_OVERFLOW;
  status = DPPAIR_NAME_form_moves_(&r->m, ring->form, ring->k, ring->d, &bounds, options);
  if (status == DPPAIR_OK)
    status = dppair_allowance_(&r->factor, &rounding, NULL, epsilon, ring->n, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  rows = (double)(ring->block < ring->n ? ring->block : ring->n);
  scale = ring->form == DPPAIR_FORM_FACTOR ? 2.0 * bounds.param_radius : 1.0;
  status = DPPAIR_NAME_form_error_of_(&r->error, 2.0 * rows, 2.0 * rows * rows, ring->d,
                                      ring->radius, r->m.slope * r->factor, scale);
  if (status != DPPAIR_OK) return status;
  r->bound = (rows * rows * r->m.norm * r->factor + r->error) * (1.0 + 1e-9);
  if (!dppair_isfinite_f64(r->bound)) return DPPAIR_ERR_OVERFLOW;
  (void)dppair_frexp_(r->bound, &e);
  r->unit = dppair_ldexp_(1.0, e - 50);
  return DPPAIR_NAME_ring_digest_(&r->digest, ring, options);
}

/* *bytes = the workspace of NAME_form_block. It does not depend on n. Errors zero it: NULL, SIZE
 * (n < 2; block, d or k 0), DOMAIN (form, k), WORKSPACE (the clip), NO_RADIUS, NO_PROOF (groups),
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block_workspace(
    size_t *bytes, const dppair_ring *ring, const dppair_options *options) {
  DPPAIR_NAME_tiles_ t;
  size_t blocks, room;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = DPPAIR_NAME_ring_check_(ring, options);
  if (status != DPPAIR_OK) return status;
  blocks = DPT_BLOCKS(ring->block < ring->n ? ring->block : ring->n);
  room = (ring->d * ring->k + 1) * sizeof(double) + 128;
  *bytes = DPPAIR_NAME_tiles_sizes_(&t, ring->form, 2 * blocks, blocks * DPT_W, ring->d, ring->k, 1,
                                    options->clip != NULL, 1, NULL);
  if (*bytes < SIZE_MAX - room) {
    *bytes += room;
    return DPPAIR_OK;
  }
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Makes *sum the sum over no pair of blocks yet. `bytes` bytes of workspace, as
 * dppair_sum_workspace says for d k + 1 numbers, must live as long as *sum: the last one is a tally
 * that finds pairs of blocks that are missing or come twice. Errors zero *sum: those of
 * NAME_form_block_workspace and NAME_form_sensitivity; NOT_FINITE (w, offset), WORKSPACE,
 * ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sum_open(dppair_sum *sum,
                                                                     const dppair_ring *ring,
                                                                     const dppair_options *options,
                                                                     void *work, size_t bytes) {
  DPPAIR_NAME_ring_ r;
  dppair_status status;
  if (!sum) return DPPAIR_ERR_NULL;
  memset(sum, 0, sizeof *sum);
  status = DPPAIR_NAME_ring_open_(&r, ring, options);
  if (status == DPPAIR_OK) status = dppair_sum_open(sum, r.size + 1, r.bound, work, bytes);
  if (status != DPPAIR_OK) return status;
  sum->radius = ring->radius;
  sum->digest = r.digest;
  return DPPAIR_OK;
}

/* Is this a sum of NAME_form_sum_open for a ring and options of this digest? */
DPPAIR_API int DPPAIR_NAME_ring_fits_(const dppair_sum *sum, size_t size, uint64_t digest) {
  return dppair_sum_check_(sum) == DPPAIR_OK && sum->size == size + 1 && sum->digest == digest;
}

/* Are these the rows of block i, as far as public numbers tell? */
DPPAIR_API dppair_status DPPAIR_NAME_ring_rows_(const dppair_ring *ring, size_t i,
                                                const DPPAIR_ROWS_ *rows,
                                                const dppair_options *options) {
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->n != dppair_ring_rows(ring, i) || rows->n == 0 || rows->nulls > rows->n ||
      rows->d != ring->d || rows->ld < rows->d)
    return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (!rows->x || !rows->y) return DPPAIR_ERR_NULL;
  if (!(dppair_fabs_(rows->radius - ring->radius) <= 0.0) ||
      (rows->weight && (!DPPAIR_WEIGHTS || options->clip)))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/*
 * *sum += the gradient of a form over the pairs of a record of block i and one of block j > i; over
 * all pairs of block i where j = i, and then b is NULL. All pairs i <= j, each once, in any order
 * and by any process, make the sum over all pairs of records (NAME_form_gradient).
 *
 *   a, b   the rows of blocks i and j, with labels: dppair_ring_rows of them, of the radius of the
 *          ring. Weights, as NAME_form_gradient takes them
 *   options params, clip; work: NAME_form_block_workspace. Not read: fast, parts. Threads compute
 *          pairs of blocks each, into sums of their own
 *
 * sum->count grows by the number of pairs of places. The bits do not depend on who computed what,
 * on the tiers that compute with fused multiply-adds.
 *
 * Errors leave *sum as it is. Before a record is read: NULL (b where i < j, too), SIZE (i > j, no
 * such block, rows that are not of its size; b where i = j), NO_PROOF (another radius, weights with
 * a clip, groups), WORKSPACE (too little; a sum that is not of this ring, this w, this pass), those
 * of NAME_form_sum_open. Then, with rows from dppair_rows_clip, none; else NOT_FINITE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block(dppair_sum *sum,
                                                                  const dppair_ring *ring, size_t i,
                                                                  const DPPAIR_ROWS_ *a, size_t j,
                                                                  const DPPAIR_ROWS_ *b,
                                                                  const dppair_options *options) {
  uint64_t tally[2] = {0, 0}, digest;
  dppair_options inner;
  size_t needed, size;
  double *g;
  dppair_status status = DPPAIR_NAME_form_block_workspace(&needed, ring, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_ring_digest_(&digest, ring, options);
  if (status != DPPAIR_OK) return status;
  if (i > j || (i == j && b)) return DPPAIR_ERR_SIZE;
  size = ring->d * ring->k;
  if (!DPPAIR_NAME_ring_fits_(sum, size, digest))
    return sum ? DPPAIR_ERR_WORKSPACE : DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_ring_rows_(ring, i, a, options);
  if (status == DPPAIR_OK && i < j) status = DPPAIR_NAME_ring_rows_(ring, j, b, options);
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status != DPPAIR_OK) return status;
  g = (double *)(void *)dppair_align_(options->work);
  memset(g, 0, (size + 1) * sizeof *g);
  inner = *options;
  inner.work = g + size + 1;
  inner.bytes = options->bytes - (size + 1) * sizeof *g - 64;
  if (b ? a->n > a->nulls && b->n > b->nulls : a->n > 1) {
    const DPPAIR_NAME_form_ q = {
        ring->form, a, b, ring->w, ring->k, ring->offset, dppair_clip_bound_(options), 1, &inner};
    DPPAIR_DISPATCH_(status = DPPAIR_NAME_form_block, (g, &q));
    if (status != DPPAIR_OK) return status;
  }
  dppair_sum_vector_(sum, g);
  tally[0] = dppair_ring_mark_(i) * dppair_ring_mark_(j);
  dppair_words_add(sum->words + 2 * size, tally, 1);
  sum->count += b ? (uint64_t)a->n * b->n : (uint64_t)a->n * (a->n - 1) / 2;
  return DPPAIR_OK;
}

/* NAME_form_sum_sensitivity of a ring that is open. */
DPPAIR_API dppair_status DPPAIR_NAME_ring_sensitivity_(double *sensitivity,
                                                       const DPPAIR_NAME_ring_ *r,
                                                       const dppair_ring *ring,
                                                       const dppair_sampling *sampling) {
  const double error = (double)dppair_ring_blocks(ring) *
                       (r->error + 0.5 * r->unit * dppair_sqrt_((double)r->size) * (1.0 + 1e-12));
  size_t count;
  const dppair_status status = dppair_moves_count_(&count, sampling, NULL);
  *sensitivity = 0.0;
  if (status != DPPAIR_OK) return status;
  if (sampling->kind != DPPAIR_ALL) return DPPAIR_ERR_NO_PROOF;
  if (count != ring->n) return DPPAIR_ERR_SIZE;
  return dppair_moves_sampled_(sensitivity, &r->m, sampling, r->factor,
                               2.0 * error * (1.0 + 1e-12));
}

/*
 * *sensitivity = NAME_form_sensitivity for what all pairs of blocks of a ring add up to, divided by
 * the divisor of the sampling, which must be DPPAIR_ALL of the ring's n records.
 *
 * A record that is replaced is replaced in its place: rows of other blocks, and their places in
 * these, stay. That is what the blocks of a file or of ranks are, as long as no one sorts records
 * by what is in them.
 *
 * Proof. The addends of the pairs of blocks without the record have the same bits in both data
 * sets. Those of its block with each of the m blocks, itself included, are a sum of the gradients
 * of 2 block n ordered pairs at most: off by NAME_form_error of 2 block rows in m parts, and by
 * half a unit a number, for either data set. What is left is the move of the exact gradients at the
 * computed weights, as there. So rounding counts with block n pairs instead of n^2, and its part of
 * the sensitivity does not grow with n.
 *
 * Errors zero it: those of NAME_form_sum_open and NAME_form_sensitivity; NO_PROOF (another
 * sampling), SIZE (another n).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_form_sum_sensitivity(double *sensitivity, const dppair_ring *ring,
                                 const dppair_sampling *sampling, const dppair_options *options) {
  DPPAIR_NAME_ring_ r;
  dppair_status status;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!sampling) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_ring_open_(&r, ring, options);
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_ring_sensitivity_(sensitivity, &r, ring, sampling);
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */
