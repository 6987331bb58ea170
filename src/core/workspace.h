/* ------------------------------------------------------------------------------------------------
 * Workspace of the caller: laid out in arrays
 *
 * X_workspace says how many bytes X needs, from public sizes alone. They may begin anywhere: 64 of
 * them are for alignment.
 * ---------------------------------------------------------------------------------------------- */

/* The next array of `count` numbers of `size` bytes in the workspace at base, of which *used bytes
 * are taken; it begins at a multiple of 64 bytes. With base NULL only *used grows, and the result
 * is NULL. On overflow *used becomes and remains SIZE_MAX. */
DPPAIR_API void *dppair_take_(char *base, size_t *used, size_t count, size_t size) {
  size_t bytes, at;
  if (dppair_size_mul_(&bytes, count, size) || *used > SIZE_MAX - 64) {
    *used = SIZE_MAX;
    return NULL;
  }
  at = (*used + 63) / 64 * 64;
  *used = bytes > SIZE_MAX - at ? SIZE_MAX : at + bytes;
  return base ? (void *)(base + at) : NULL;
}

/* The first multiple of 64 at or above p. */
DPPAIR_API char *dppair_align_(void *p) {
  const size_t past = (size_t)((uintptr_t)p % 64);
  return (char *)p + (past ? 64 - past : 0);
}

/* *bytes = a workspace of `count` doubles, which may be SIZE_MAX for a count that overflowed; 0 for
 * none. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_work_bytes_(size_t *bytes, size_t count) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (count > (SIZE_MAX - 64) / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *bytes = count ? count * sizeof(double) + 64 : 0;
  return DPPAIR_OK;
}

/* *doubles = the place of `count` doubles in the caller's workspace. NULL, WORKSPACE, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_work_(double **doubles, size_t count, void *work,
                                                        size_t bytes) {
  size_t needed;
  const dppair_status status = dppair_work_bytes_(&needed, count);
  *doubles = NULL;
  if (status != DPPAIR_OK || !needed) return status;
  if (!work) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  *doubles = (double *)(void *)dppair_align_(work);
  return DPPAIR_OK;
}

/* The bytes of n rows of d elements, whose beginnings are ld >= d of them apart. */
DPPAIR_API size_t dppair_row_bytes_(size_t n, size_t d, size_t ld, size_t each) {
  const size_t before = n > 0 ? dppair_area_(n - 1, ld) : 0;
  if (n == 0) return 0;
  return before > SIZE_MAX - d ? SIZE_MAX : dppair_area_(before + d, each);
}

/* OVERLAP where what is released, g[0..size), shares memory with what is read of n rows. */
DPPAIR_API dppair_status dppair_rows_apart_(const double *g, size_t size, size_t n, const void *x,
                                            size_t x_bytes, const void *y, size_t y_each,
                                            const double *factor, const double *weight) {
  dppair_status status = dppair_apart_(g, size, x, x_bytes);
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, y, dppair_area_(n, y_each));
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, factor, dppair_area_(n, sizeof *g));
  return status == DPPAIR_OK ? dppair_apart_(g, size, weight, dppair_area_(n, sizeof *g)) : status;
}
