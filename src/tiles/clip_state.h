/* ------------------------------------------------------------------------------------------------
 * State of per-pair clipping
 *
 * Linear margins, positives against negatives: the workspace and the checks. It relies on blocks,
 * norms and limits of form_state.h; clip_kernels.h computes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The state of one call, in the caller's workspace. */
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

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_clip_layout_(DPPAIR_NAME_clip_ *t, char *base) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double);
  const size_t p = dppair_area_(t->blocks_p, DPT_W), n = dppair_area_(t->blocks_n, DPT_W);
  size_t used = 0;
  t->xp = (DPPAIR_REAL *)dppair_take_(base, &used, dppair_area_(p, t->d), real);
  t->xn = (DPPAIR_REAL *)dppair_take_(base, &used, dppair_area_(n, t->d), real);
  t->sp = (DPPAIR_REAL *)dppair_take_(base, &used, p, real);
  t->sn = (DPPAIR_REAL *)dppair_take_(base, &used, n, real);
  t->gp = (DPPAIR_REAL *)dppair_take_(base, &used, p, real);
  t->gn = (DPPAIR_REAL *)dppair_take_(base, &used, n, real);
  t->reach_p = (double *)dppair_take_(base, &used, t->blocks_p, f64);
  t->reach_n = (double *)dppair_take_(base, &used, t->blocks_n, f64);
  t->tile = (DPPAIR_REAL *)dppair_take_(base, &used, DPT_W * DPT_W, real);
  t->dot = (DPPAIR_REAL *)dppair_take_(base, &used, DPT_W * DPT_W, real);
  t->row = (double *)dppair_take_(base, &used, DPT_W, f64);
  t->col = (double *)dppair_take_(base, &used, dppair_area_(n, 8), f64);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Checks sizes, clip and workspace and lays the state out; all functions below begin with it. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_clip_begin_(DPPAIR_NAME_clip_ *t, size_t np,
                                                          size_t nn, size_t d, double clip,
                                                          void *work, size_t bytes) {
  size_t total;
  memset(t, 0, sizeof *t);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!(dppair_isfinite_f64(clip) && clip > 0.0)) return DPPAIR_ERR_DOMAIN;
  t->limit = DPPAIR_NAME_tiles_limit_(clip);
  t->clipped = clip < DPPAIR_NO_CLIP;
  t->np = np;
  t->nn = nn;
  t->d = d;
  t->blocks_p = DPT_BLOCKS(np);
  t->blocks_n = DPT_BLOCKS(nn);
  total = DPPAIR_NAME_clip_layout_(t, NULL);
  if (total == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!work) return DPPAIR_ERR_NULL;
  if (bytes < total) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_clip_layout_(t, dppair_align_(work));
  return DPPAIR_OK;
}

/* Checks sizes and packs the rows, times their factors (NULL: none); the tier's kernel then checks
 * numbers and computes norms. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_clip_rows_(DPPAIR_NAME_clip_ *t,
                                                         const DPPAIR_REAL *xp, const double *fp,
                                                         const DPPAIR_REAL *xn, const double *fn,
                                                         size_t ld) {
  if (((!xp && t->np) || (!xn && t->nn)) && t->d) return DPPAIR_ERR_NULL;
  if (ld < t->d || DPT_TOO_LONG(t->d)) return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(t->np > t->nn ? t->np : t->nn, ld), sizeof *xp) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  DPPAIR_NAME_tiles_pack_(t->xp, xp, fp, t->np, t->d, ld);
  DPPAIR_NAME_tiles_pack_(t->xn, xn, fn, t->nn, t->d, ld);
  return DPPAIR_OK;
}

/* Copies n scores and fills the last block up with zeros. OVERFLOW for a score above a quarter of
 * the largest number: differences of two stay finite. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_clip_scores_(DPPAIR_REAL *to, size_t blocks,
                                                           const DPPAIR_REAL *s, size_t n) {
  if (!s && n) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(s, n)) return DPPAIR_ERR_NOT_FINITE;
  for (size_t i = 0; i < blocks * DPT_W; i++) {
    to[i] = i < n ? s[i] : 0;
    if (fabs((double)to[i]) > (double)DPT_MAX / 4.0) return DPPAIR_ERR_OVERFLOW;
  }
  return DPPAIR_OK;
}

/* Zeroes a and b, checks the arguments of NAME_clip_coeffs and prepares *t. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_open_(DPPAIR_NAME_clip_ *t, double *a, double *b, const DPPAIR_REAL *sp,
                       const DPPAIR_REAL *sn, const DPPAIR_ROWS_ *rows, const dppair_pass *pass) {
  const DPPAIR_REAL *xn;
  const double *fn;
  size_t np, nn;
  dppair_status status;
  memset(t, 0, sizeof *t);
  if (!rows) return DPPAIR_ERR_NULL;
  np = rows->positives;
  if (np > rows->n) return DPPAIR_ERR_SIZE;
  nn = rows->n - np;
  status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!pass || (!rows->x && rows->n && rows->d)) return DPPAIR_ERR_NULL;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), sizeof *xn) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  status = DPPAIR_NAME_clip_begin_(t, np, nn, rows->d, pass->clip, pass->work, pass->bytes);
  if (status != DPPAIR_OK) return status;
  if (rows->radius > 0.0 && !(1.01 * (double)t->d * rows->radius * rows->radius <= DPT_ROOM))
    return DPPAIR_ERR_OVERFLOW; /* whatever the rows are */
  xn = nn && t->d ? rows->x + np * rows->ld : rows->x;
  fn = rows->factor ? rows->factor + np : NULL;
  status = DPPAIR_NAME_clip_rows_(t, rows->x, rows->factor, xn, fn, rows->ld);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_scores_(t->sp, t->blocks_p, sp, np);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_scores_(t->sn, t->blocks_n, sn, nn);
  t->params = pass->params;
  return status;
}

/* Numbers in a cache of caps: whole blocks of positives by all negatives. */
DPPAIR_API size_t DPPAIR_NAME_clip_count_(size_t np, size_t nn) {
  return dppair_area_(dppair_area_(DPT_BLOCKS(np), DPT_W), nn);
}

/* The same for NAME_clip_cache, which writes caps and has no scores. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_open_cache_(
    DPPAIR_NAME_clip_ *t, uint16_t *cache, size_t count, const DPPAIR_REAL *xp, size_t np,
    const DPPAIR_REAL *xn, size_t nn, size_t d, size_t ld, double clip, void *work, size_t bytes) {
  const size_t needed = DPPAIR_NAME_clip_count_(np, nn);
  dppair_status status;
  if (!cache && needed) return DPPAIR_ERR_NULL;
  if (needed > SIZE_MAX / 2) return DPPAIR_ERR_OVERFLOW;
  if (count < needed) return DPPAIR_ERR_WORKSPACE;
  if (needed) memset(cache, 0, needed * sizeof *cache);
  status = DPPAIR_NAME_clip_begin_(t, np, nn, d, clip, work, bytes);
  return status == DPPAIR_OK ? DPPAIR_NAME_clip_rows_(t, xp, NULL, xn, NULL, ld) : status;
}

/* The same for NAME_clip_cached, which reads caps and has no rows. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_open_cached_(DPPAIR_NAME_clip_ *t, double *a, double *b, const DPPAIR_REAL *sp,
                              size_t np, const DPPAIR_REAL *sn, size_t nn, const uint16_t *cache,
                              size_t count, const double *params, void *work, size_t bytes) {
  const size_t needed = DPPAIR_NAME_clip_count_(np, nn);
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!cache && needed) return DPPAIR_ERR_NULL;
  if (count < needed) return DPPAIR_ERR_WORKSPACE;
  status = DPPAIR_NAME_clip_begin_(t, np, nn, 0, 1.0, work, bytes);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_scores_(t->sp, t->blocks_p, sp, np);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_scores_(t->sn, t->blocks_n, sn, nn);
  if (status != DPPAIR_OK) return status;
  /* there are no norms, so no block may skip its caps */
  for (size_t i = 0; i < t->blocks_p; i++) t->reach_p[i] = HUGE_VAL;
  for (size_t j = 0; j < t->blocks_n; j++) t->reach_n[j] = HUGE_VAL;
  t->params = params;
  t->cache = cache;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
