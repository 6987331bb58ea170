/* ------------------------------------------------------------------------------------------------
 * Streams: records that arrive one at a time, and sums over them with noise
 *
 * The value that noise (prefix.h) and sensitivity (sensitivity.h) both read. Relies on sampling.h.
 * ---------------------------------------------------------------------------------------------- */

/* Which noise the prefix sums g_1 + .. + g_r of a stream have. */
typedef enum dppair_prefix_noise {
  DPPAIR_PREFIX_INDEPENDENT = 1, /* each g_r its own: that of the sums adds up */
  DPPAIR_PREFIX_TREE = 2,        /* binary tree: one release for each block that ends at r */
  DPPAIR_PREFIX_SQUARE_ROOT = 3  /* square root of the triangle of ones: the least here */
} dppair_prefix_noise;

/* Record t = 1 .. steps meets, at step t, a buffer of records before it. Their order is public. */
typedef struct dppair_stream {
  size_t steps;              /* how many records arrive */
  size_t buffer;             /* how many the buffer holds: the last ones; SIZE_MAX: all before */
  size_t silent;             /* steps 1 .. silent release nothing, and move nothing */
  dppair_prefix_noise noise; /* of what the other steps release */
  dppair_adjacency adjacency;
  const size_t
      *slot; /* NULL: the buffer holds the last records. Else a reservoir: the place of each
                       * of the `steps` records (dppair_sensitivity_prefix) */
} dppair_stream;

/* OK where all fields have a meaning: SIZE (steps above silent, or an empty buffer), DOMAIN
 * (noise), ADJACENCY (one that protects more than a record; a record that is added or removed
 * would shift all after it, one that is zeroed keeps its step and its place). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_stream_check_(const dppair_stream *s) {
  if (s == NULL) return DPPAIR_ERR_NULL;
  if ((int)s->noise < DPPAIR_PREFIX_INDEPENDENT || (int)s->noise > DPPAIR_PREFIX_SQUARE_ROOT)
    return DPPAIR_ERR_DOMAIN;
  if (s->adjacency != DPPAIR_REPLACE_ONE && s->adjacency != DPPAIR_ZERO_OUT)
    return DPPAIR_ERR_ADJACENCY;
  return s->steps < 2 || s->silent >= s->steps || s->buffer < 1 ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

DPPAIR_FP_BEGIN_

/* The first n coefficients of (1 - x)^(-1/2), which has the square 1 + x + x^2 + ..: 1, 1/2, 3/8,
 * each below 1/sqrt(3 k). Noise and accountant compute the same doubles, so that a rounding of
 * theirs is in no bound. */
DPPAIR_API void dppair_square_root_(double *f, size_t n) {
  size_t k;
  for (k = 0; k < n; k++)
    f[k] = k == 0 ? 1.0 : f[k - 1] * ((2.0 * (double)k - 1.0) / (2.0 * (double)k));
}

DPPAIR_FP_END_

/* The block of the tree that ends at r >= 1 has this length, the largest power of two that divides
 * r; and so the next longer block that holds position r ends at r + this. A prefix 1 .. r is the
 * blocks that end at r, at r - this, and so on. */
DPPAIR_API size_t dppair_tree_block_(size_t r) { return r & (~r + 1); }
