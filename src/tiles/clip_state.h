/* ------------------------------------------------------------------------------------------------
 * State of per-pair clipping
 *
 * Linear margins, positives against negatives: the workspace, the cache and the checks. It relies
 * on packed.h; clip_kernels.h computes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The state of one call, in the caller's workspace. The arrays of positives and negatives follow
 * each other: sizes depend on the number of all records only. */
typedef struct DPPAIR_NAME_clip_ {
  const double *params;
  size_t np, nn, d, blocks_p, blocks_n;
  DPPAIR_REAL limit;
  int clipped;
  const uint16_t *cache;
  DPPAIR_REAL *xp, *xn, *sp, *sn, *gp, *gn; /* packed rows, scores, squared norms with a margin */
  double *reach_p, *reach_n;                /* the largest norm of each block */
  DPPAIR_REAL *tile, *dot;
  double *row, *col;
} DPPAIR_NAME_clip_;

/* Sets the arrays of np positives and nn negatives of d numbers to their places in the workspace at
 * base (NULL: to nowhere) and returns the bytes used for np + nn records, 64 of them for alignment;
 * SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_clip_layout_(DPPAIR_NAME_clip_ *t, char *base, size_t np,
                                                    size_t nn, size_t d) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double);
  const size_t blocks = DPT_BLOCKS(np + nn) + 1, all = dppair_area_(blocks, DPT_W);
  size_t used = 0;
  memset(t, 0, sizeof *t);
  t->np = np;
  t->nn = nn;
  t->d = d;
  t->blocks_p = DPT_BLOCKS(np);
  t->blocks_n = DPT_BLOCKS(nn);
  t->xp = (DPPAIR_REAL *)dppair_take_(base, &used, dppair_area_(all, d), real);
  t->sp = (DPPAIR_REAL *)dppair_take_(base, &used, all, real);
  t->gp = (DPPAIR_REAL *)dppair_take_(base, &used, all, real);
  t->reach_p = (double *)dppair_take_(base, &used, blocks, f64);
  t->tile = (DPPAIR_REAL *)dppair_take_(base, &used, DPT_W * DPT_W, real);
  t->dot = (DPPAIR_REAL *)dppair_take_(base, &used, DPT_W * DPT_W, real);
  t->row = (double *)dppair_take_(base, &used, DPT_W, f64);
  t->col = (double *)dppair_take_(base, &used, dppair_area_(all, 8), f64);
  if (base) {
    t->xn = t->xp + t->blocks_p * DPT_W * d;
    t->sn = t->sp + t->blocks_p * DPT_W;
    t->gn = t->gp + t->blocks_p * DPT_W;
    t->reach_n = t->reach_p + t->blocks_p;
  }
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Numbers at the begin of a cache: the bits of its clip, then of its number of records. */
#define DPPAIR_CACHE_HEAD_ 8

/* Numbers in a cache of caps of n records, however many are positives: whole blocks of these by all
 * negatives are at most (n + DPT_W - 1)^2/4. SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_clip_count_(size_t n) {
  const size_t most = n > SIZE_MAX - DPT_W ? SIZE_MAX : n + DPT_W - 1;
  const size_t count = dppair_area_(most / 2, most - most / 2);
  return count > SIZE_MAX / 2 - DPPAIR_CACHE_HEAD_ ? SIZE_MAX : count + DPPAIR_CACHE_HEAD_;
}

/* What a cache begins with. */
DPPAIR_API void DPPAIR_NAME_clip_head_(uint16_t *head, double clip, size_t n) {
  const uint64_t all = (uint64_t)n;
  memcpy(head, &clip, sizeof clip);
  memcpy(head + 4, &all, sizeof all);
}

/* Checks sizes, clip, radius and workspace, without reading an array, and lays *t out; all
 * functions below begin with it. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_begin_(
    DPPAIR_NAME_clip_ *t, const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  size_t total;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!options) return DPPAIR_ERR_NULL;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (!rows->x && rows->n && rows->d) return DPPAIR_ERR_NULL;
  if (rows->ld < rows->d || DPT_TOO_LONG(rows->d)) return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  total = DPPAIR_NAME_clip_layout_(t, NULL, rows->positives, rows->n - rows->positives, rows->d);
  if (total == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < total) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_clip_layout_(t, dppair_align_(options->work), t->np, t->nn, t->d);
  if (!(1.01 * (double)t->d * rows->radius * rows->radius <= DPT_ROOM))
    return DPPAIR_ERR_OVERFLOW; /* whatever the rows are */
  t->limit = DPPAIR_NAME_tiles_limit_(dppair_clip_bound_(options));
  t->clipped = options->clip != NULL;
  t->params = options->params;
  return DPPAIR_OK;
}

/* Packs the rows, times their factors; the tier's kernel then checks numbers and computes norms. */
DPPAIR_API void DPPAIR_NAME_clip_rows_(const DPPAIR_NAME_clip_ *t, const DPPAIR_ROWS_ *rows) {
  const double *factor = rows->factor;
  DPPAIR_NAME_tiles_pack_(t->xp, rows->x, t->np, t->d, rows->ld, factor);
  DPPAIR_NAME_tiles_pack_(t->xn, rows->x ? rows->x + t->np * rows->ld : NULL, t->nn, t->d, rows->ld,
                          factor ? factor + t->np : NULL);
}

/* Copies n scores and fills the last block up with zeros. OVERFLOW for a score above a quarter of
 * the largest number: differences of two stay finite. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_scores_(DPPAIR_REAL *to,
                                                                             size_t blocks,
                                                                             const DPPAIR_REAL *s,
                                                                             size_t n) {
  if (!DPT_FINITE(s, n)) return DPPAIR_ERR_NOT_FINITE;
  for (size_t i = 0; i < blocks * DPT_W; i++) {
    to[i] = i < n ? s[i] : 0;
    if (dppair_fabs_((double)to[i]) > (double)DPT_MAX / 4.0) return DPPAIR_ERR_OVERFLOW;
  }
  return DPPAIR_OK;
}

/* Zeroes a and b, checks the arguments of NAME_clip_coeffs and prepares *t. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_open_(
    DPPAIR_NAME_clip_ *t, double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *sn,
    const DPPAIR_ROWS_ *rows, const uint16_t *cache, size_t count, const dppair_options *options) {
  dppair_status status;
  uint16_t head[DPPAIR_CACHE_HEAD_];
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->positives > rows->n) return DPPAIR_ERR_SIZE;
  status = dppair_zero_(a, rows->positives, b, rows->n - rows->positives);
  if (status == DPPAIR_OK) status = dppair_all_alike_(rows->weight, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_begin_(t, rows, options);
  if (status != DPPAIR_OK) return status;
  if ((!sp && t->np) || (!sn && t->nn)) return DPPAIR_ERR_NULL;
  if (cache) {
    DPPAIR_NAME_clip_head_(head, dppair_clip_bound_(options), rows->n);
    if (!t->clipped) return DPPAIR_ERR_DOMAIN;
    if (count < DPPAIR_NAME_clip_count_(rows->n) || memcmp(head, cache, sizeof head) != 0)
      return DPPAIR_ERR_WORKSPACE;
    t->cache = cache + DPPAIR_CACHE_HEAD_;
    /* there are no norms, so no block may skip its caps */
    for (size_t i = 0; i < t->blocks_p; i++) t->reach_p[i] = HUGE_VAL;
    for (size_t j = 0; j < t->blocks_n; j++) t->reach_n[j] = HUGE_VAL;
  } else
    DPPAIR_NAME_clip_rows_(t, rows);
  status = DPPAIR_NAME_clip_scores_(t->sp, t->blocks_p, sp, t->np);
  return status == DPPAIR_OK ? DPPAIR_NAME_clip_scores_(t->sn, t->blocks_n, sn, t->nn) : status;
}

/* The same for NAME_clip_cache, which writes caps and has no scores. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_open_cache_(DPPAIR_NAME_clip_ *t, uint16_t *cache, size_t count,
                             const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  dppair_status status;
  size_t needed;
  if (!cache || !rows) return DPPAIR_ERR_NULL;
  needed = DPPAIR_NAME_clip_count_(rows->n);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (count < needed) return DPPAIR_ERR_WORKSPACE;
  memset(cache, 0, needed * sizeof *cache);
  if (rows->positives > rows->n) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_clip_begin_(t, rows, options);
  if (status == DPPAIR_OK && !t->clipped) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) DPPAIR_NAME_clip_rows_(t, rows);
  return status;
}

DPPAIR_FP_END_
