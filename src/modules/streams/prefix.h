/* ------------------------------------------------------------------------------------------------
 * Prefix sums of a stream, with noise
 *
 * What is released at step r is y_r = (C g)_r + N(0, sigma^2 I), by the exact adder; the prefix sum
 * is then B y, computed from what is public, where B C is the triangle of ones. So rounding of B
 * and of the sums is no matter of privacy, and the sensitivity is that of C alone.
 *
 *   independent  C the identity, B the triangle: the deviation of a sum is sigma sqrt(r)
 *   tree         C the blocks of a binary tree that a prefix reads, one ending at each r: 0 and 1;
 *                sigma sqrt(number of ones of r in binary)
 *   square root  C = B, the Toeplitz matrix of dppair_square_root_: sigma times the root of the sum
 *                of its first r squares, about sqrt((log r)/pi + 1.06)
 *
 * Relies on releases.h.
 * ---------------------------------------------------------------------------------------------- */

/* A stream that is released. Between calls it holds private numbers. */
typedef struct dppair_prefix {
  dppair_stream stream;
  double sigma;
  size_t d, released; /* numbers of a gradient; how many steps were released */
  double *before;     /* private: the gradients (square root), or sums of blocks (tree) */
  double *outputs;    /* what was released and is read again */
  double *factors, *sum;
} dppair_prefix;

/* Rows of d numbers that `before` and `outputs` hold: all for the square root, a block of each
 * length for the tree, and one, the sum so far, where noise is independent. */
DPPAIR_API void dppair_prefix_rows_(size_t *before, size_t *outputs, const dppair_stream *s) {
  const size_t releases = s->steps - s->silent;
  size_t levels = 1, rest;
  for (rest = releases; rest > 1; rest >>= 1) levels++;
  *before = s->noise == DPPAIR_PREFIX_SQUARE_ROOT ? releases
            : s->noise == DPPAIR_PREFIX_TREE      ? levels
                                                  : 0;
  *outputs = s->noise == DPPAIR_PREFIX_INDEPENDENT ? 1 : *before;
}

/* Lays the arrays out at base; NULL: only counts. SIZE_MAX on overflow. */
DPPAIR_API size_t dppair_prefix_layout_(dppair_prefix *p, const dppair_stream *s, size_t d,
                                        char *base) {
  size_t before, outputs, used = 0;
  dppair_prefix_rows_(&before, &outputs, s);
  p->before = (double *)dppair_take_(base, &used, dppair_area_(before, d), sizeof(double));
  p->outputs = (double *)dppair_take_(base, &used, dppair_area_(outputs, d), sizeof(double));
  p->sum = (double *)dppair_take_(base, &used, d, sizeof(double));
  if (s->noise != DPPAIR_PREFIX_SQUARE_ROOT) before = 0;
  p->factors = (double *)dppair_take_(base, &used, before, sizeof(double));
  return used > SIZE_MAX - 64 ? SIZE_MAX : used;
}

/* *bytes = the workspace of dppair_prefix_open for gradients of d numbers: about 16 d bytes a step
 * for the square root, 16 d log2(steps) for the tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY,
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_prefix_workspace(size_t *bytes,
                                                                   const dppair_stream *stream,
                                                                   size_t d) {
  dppair_prefix p;
  dppair_status status;
  size_t used;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_stream_check_(stream);
  if (status == DPPAIR_OK && d < 1) status = DPPAIR_ERR_SIZE;
  if (status != DPPAIR_OK) return status;
  used = dppair_prefix_layout_(&p, stream, d, NULL);
  if (used > SIZE_MAX - 64) return DPPAIR_ERR_OVERFLOW;
  *bytes = used + 64;
  return DPPAIR_OK;
}

/*
 * Opens a stream of gradients of d numbers, each of norm at most `bound`, which the caller proves.
 * sigma: of the noise of each release; charge dppair_accountant_gaussian(account, sensitivity,
 * sigma, 1), the sensitivity that of dppair_sensitivity_prefix, before the first step: one charge
 * for all of them. The workspace belongs to *p until dppair_prefix_close.
 * Errors leave *p closed: NULL, SIZE, DOMAIN (noise; a bound that is negative, or 2^38 sigma and
 * more where all steps add up), ADJACENCY, SIGMA, NOT_FINITE, WORKSPACE, OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_prefix_open(dppair_prefix *p,
                                                              const dppair_stream *stream, size_t d,
                                                              double sigma, double bound,
                                                              void *work, size_t bytes) {
  size_t needed;
  int exponent;
  dppair_status status;
  if (p == NULL) return DPPAIR_ERR_NULL;
  memset(p, 0, sizeof *p);
  status = dppair_prefix_workspace(&needed, stream, d);
  if (status != DPPAIR_OK) return status;
  status = dppair_grid_exponent_(&exponent, sigma, DPPAIR_SCALE_MAX_F64_, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(bound)) return DPPAIR_ERR_NOT_FINITE;
  if (bound < 0.0 || !(bound * (double)(stream->steps - stream->silent) < 274877906944.0 * sigma))
    return DPPAIR_ERR_DOMAIN;
  if (work == NULL) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  memset(work, 0, needed);
  (void)dppair_prefix_layout_(p, stream, d, dppair_align_(work));
  p->stream = *stream;
  p->sigma = sigma;
  p->d = d;
  if (stream->noise == DPPAIR_PREFIX_SQUARE_ROOT)
    dppair_square_root_(p->factors, stream->steps - stream->silent);
  return DPPAIR_OK;
}

/* Wipes what the workspace holds; *p is then closed. NULL is no error. */
DPPAIR_API void dppair_prefix_close(dppair_prefix *p) {
  size_t before, outputs;
  if (p == NULL) return;
  if (p->d > 0) {
    dppair_prefix_rows_(&before, &outputs, &p->stream);
    if (before > 0) dppair_wipe(p->before, before * p->d * sizeof(double));
    dppair_wipe(p->sum, p->d * sizeof(double));
  }
  dppair_wipe(p, sizeof *p);
}

DPPAIR_FP_BEGIN_

/* out = sum over k <= r of factors[r - k] rows[k], in this order. */
DPPAIR_API void dppair_prefix_filter_(double *out, const double *rows, const double *factors,
                                      size_t r, size_t d) {
  size_t k, i;
  for (i = 0; i < d; i++) out[i] = 0.0;
  for (k = 0; k <= r; k++)
    for (i = 0; i < d; i++) out[i] += factors[r - k] * rows[k * d + i];
}

/* The tree at release r: p->sum is the block that ends here, g and the shorter blocks before it. */
DPPAIR_API void dppair_prefix_block_(dppair_prefix *p, const double *g, size_t r) {
  size_t level, i;
  memcpy(p->sum, g, p->d * sizeof(double));
  for (level = 0; (r >> level & 1) == 0; level++)
    for (i = 0; i < p->d; i++) p->sum[i] += p->before[level * p->d + i];
  memcpy(p->before + level * p->d, p->sum, p->d * sizeof(double));
}

/* The prefix sum of what is public, p->sum being the release r. */
DPPAIR_API void dppair_prefix_sum_(double *sum, dppair_prefix *p, size_t r) {
  const size_t d = p->d;
  size_t level = 0, i;
  if (p->stream.noise == DPPAIR_PREFIX_SQUARE_ROOT) {
    memcpy(p->outputs + (r - 1) * d, p->sum, d * sizeof(double));
    dppair_prefix_filter_(sum, p->outputs, p->factors, r - 1, d);
    return;
  }
  if (p->stream.noise == DPPAIR_PREFIX_INDEPENDENT) {
    for (i = 0; i < d; i++) sum[i] = p->outputs[i] += p->sum[i];
    return;
  }
  while ((r >> level & 1) == 0) level++;
  memcpy(p->outputs + level * d, p->sum, d * sizeof(double));
  for (i = 0; i < d; i++) sum[i] = 0.0;
  for (level = 0; r > 0; level++, r >>= 1)
    for (i = 0; i < d && (r & 1); i++) sum[i] += p->outputs[level * d + i];
}

/*
 * The release of step t: sum = g_(silent + 1) + .. + g_t with noise, for which g, d numbers, is
 * this step's. `sum` may be published, and so may every one before. Errors zero it: NULL, SIZE (a
 * stream that is not open), NO_PROOF (t is not the next step, or one of the silent ones: what they
 * would release nobody paid for), EXHAUSTED (t is past the last one), NOT_FINITE, those of
 * dppair_add_gaussian_f64. After an error of a step that was the next one the stream is closed.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_prefix_step(double *sum, const double *g,
                                                              size_t t, dppair_prefix *p,
                                                              dppair_rng *rng) {
  dppair_status status;
  size_t r, i;
  if (sum == NULL || p == NULL) return DPPAIR_ERR_NULL;
  if (p->d < 1) return DPPAIR_ERR_SIZE;
  for (i = 0; i < p->d; i++) sum[i] = 0.0;
  if (g == NULL || rng == NULL) return DPPAIR_ERR_NULL;
  r = p->released + 1;
  if (t > p->stream.steps) return DPPAIR_ERR_EXHAUSTED;
  if (t != p->stream.silent + r) return DPPAIR_ERR_NO_PROOF;
  if (!dppair_all_finite_f64(g, p->d)) {
    dppair_prefix_close(p);
    return DPPAIR_ERR_NOT_FINITE;
  }
  p->released = r;
  if (p->stream.noise == DPPAIR_PREFIX_SQUARE_ROOT) {
    memcpy(p->before + (r - 1) * p->d, g, p->d * sizeof(double));
    dppair_prefix_filter_(p->sum, p->before, p->factors, r - 1, p->d);
  } else if (p->stream.noise == DPPAIR_PREFIX_TREE) {
    dppair_prefix_block_(p, g, r);
  } else {
    memcpy(p->sum, g, p->d * sizeof(double));
  }
  status = dppair_add_gaussian_f64(p->sum, p->d, p->sigma, rng);
  if (status == DPPAIR_OK)
    dppair_prefix_sum_(sum, p, r);
  else
    dppair_prefix_close(p);
  return status;
}

DPPAIR_FP_END_
