/* ------------------------------------------------------------------------------------------------
 * Sums without order of rows
 *
 * X^T c with the same bits for any order of the records, any split into chunks, parts, threads,
 * processes: each addend is rounded to a multiple of one public unit, by itself, and the multiples
 * are added as integers of 128 bits. NOT PRIVATE: such a sum is raw material, as secret as the
 * records; NAME_release_sum adds noise.
 *
 *   size_t bytes;
 *   dppair_sum_workspace(&bytes, d);
 *   dppair_sum_open(&sum, d, bound, work, bytes);          no addend is larger than bound
 *   dppair_sum_combine_f64(&sum, &rows, c);                once for each chunk of rows
 *   dppair_sum_add(&sum, &other);                          what another thread or process has
 *   dppair_sum_value(g, &sum);
 *
 * An addend is a function of its record alone: p = c_i factor_i rounded once, then p x_ik rounded
 * to the unit, ties to even. All tiers give the same bits but the 128-bit tier on x86, which rounds
 * that product first; its sums, too, do not depend on an order. Relies on core/words.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A sum of vectors of `size` numbers, whose addends are at most `bound`. */
typedef struct dppair_sum {
  size_t size;
  double unit;    /* what addends are rounded to: 2^-50 of the power of two above bound */
  double bound;   /* of addends */
  double radius;  /* of rows; > 0: made by NAME_sum_open, and only NAME_chunk_sum adds rows */
  uint64_t count; /* of records so far */
  /* of NAME_chunk_sum, and travel with the count: null records, which it does not hold, and records
   * or users of weight 0 (users without records, too), which it does */
  uint64_t nulls, weightless;
  uint64_t digest; /* of w, radius, state and number of records, of NAME_chunk_sum; else 0 */
  uint64_t serial; /* of the rows of NAME_chunk_sum: of their draw, and travels with the count */
  uint64_t *words; /* size integers of 128 bits, in units: words[2k] low, words[2k + 1] high */
} dppair_sum;

/* *bytes = the workspace of a sum of `size` numbers. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_workspace(size_t *bytes, size_t size) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (size > (SIZE_MAX - 64) / (2 * sizeof(uint64_t))) return DPPAIR_ERR_OVERFLOW;
  *bytes = size * 2 * sizeof(uint64_t) + 64;
  return DPPAIR_OK;
}

/* *unit for addends of at most bound: DOMAIN, OVERFLOW. */
DPPAIR_API dppair_status dppair_sum_unit_(double *unit, double bound) {
  int e;
  *unit = 0.0;
  if (!dppair_isfinite_f64(bound) || !(bound > 0.0)) return DPPAIR_ERR_DOMAIN;
  (void)dppair_frexp_(bound, &e);
  if (e < -900 || e > 900) return DPPAIR_ERR_OVERFLOW;
  *unit = dppair_ldexp_(1.0, e - 50);
  return DPPAIR_OK;
}

/* Makes *s the sum 0 of `size` numbers of this unit, at words. */
DPPAIR_API void dppair_sum_clear_(dppair_sum *s, size_t size, double bound, double unit,
                                  void *words) {
  memset(s, 0, sizeof *s);
  s->size = size;
  s->bound = bound;
  s->unit = unit;
  s->words = (uint64_t *)words;
  memset(s->words, 0, size * 2 * sizeof *s->words);
}

/* Makes *s the sum 0 of `size` numbers in `bytes` bytes of workspace, which must live as long as
 * *s. bound: a public bound of every addend |c_i factor_i x_ik|. Errors zero *s: NULL, DOMAIN
 * (bound not positive and finite), OVERFLOW (bound outside 2^-900 to 2^900; size), WORKSPACE,
 * ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_open(dppair_sum *s, size_t size, double bound,
                                                           void *work, size_t bytes) {
  size_t needed = 0;
  double unit;
  dppair_status status;
  if (!s) return DPPAIR_ERR_NULL;
  memset(s, 0, sizeof *s);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_sum_unit_(&unit, bound);
  if (status == DPPAIR_OK) status = dppair_sum_workspace(&needed, size);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  dppair_sum_clear_(s, size, bound, unit, dppair_align_(work));
  return DPPAIR_OK;
}

/* Adding this number rounds to multiples of the unit, which are then in the low digits. */
DPPAIR_API double dppair_sum_magic_(const dppair_sum *s) { return DPPAIR_MAGIC_F64_ * s->unit; }

/* Is *s open? */
DPPAIR_API dppair_status dppair_sum_check_(const dppair_sum *s) {
  if (!s) return DPPAIR_ERR_NULL;
  return s->words && s->unit > 0.0 ? DPPAIR_OK : DPPAIR_ERR_WORKSPACE;
}

/* Checks what dppair_sum_combine takes, but for the coefficients. */
DPPAIR_API dppair_status dppair_sum_args_(const dppair_sum *s, const void *x, size_t n, size_t d,
                                          size_t ld, double radius, const double *c) {
  const dppair_status status = dppair_sum_check_(s);
  if (status != DPPAIR_OK) return status;
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), 8) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if ((!x && n && d) || (!c && n)) return DPPAIR_ERR_NULL;
  if (d != s->size || ld < d) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(radius) || !(radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  if (s->radius > 0.0) return DPPAIR_ERR_WORKSPACE;
  return dppair_environment_check();
}

/* s += v[0..size), finite numbers, each rounded once to the unit, ties to even; one beyond +-bound
 * counts as that. */
DPPAIR_API void dppair_sum_vector_(dppair_sum *s, const double *v) {
  const double magic = dppair_sum_magic_(s);
  size_t k;
  for (k = 0; k < s->size; k++) {
    const double low = v[k] < -s->bound ? -s->bound : v[k], held = low > s->bound ? s->bound : low;
    dppair_word_add_(s->words + 2 * k, dppair_bits_f64_(held + magic) - dppair_bits_f64_(magic));
  }
}

/* The same. count stays: the caller knows of how many records v is. Errors leave *s as it is: NULL,
 * WORKSPACE (not open, or made by NAME_sum_open), NOT_FINITE (a number of v), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_vector(dppair_sum *s, const double *v) {
  dppair_status status = dppair_sum_check_(s);
  if (status == DPPAIR_OK && s->radius > 0.0) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !v && s->size) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(v, s->size)) return DPPAIR_ERR_NOT_FINITE;
  dppair_sum_vector_(s, v);
  return DPPAIR_OK;
}

/* Is this a sum to which no record was added? */
DPPAIR_API int dppair_sum_is_fresh_(const dppair_sum *s) { return s->count == 0 && s->digest == 0; }

/* s += other. Both must have been opened alike, and if NAME_chunk_sum made them, at the same w and
 * state, of rows of one draw: SIZE (sizes), WORKSPACE (one that is not open; bounds, radii or
 * digests that differ; a sum of rows or of blocks to itself), BATCH, NULL; these leave *s as it is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_add(dppair_sum *s, const dppair_sum *other) {
  dppair_status status = dppair_sum_check_(s);
  if (status == DPPAIR_OK) status = dppair_sum_check_(other);
  if (status != DPPAIR_OK) return status;
  if (s->size != other->size) return DPPAIR_ERR_SIZE;
  if ((s->words == other->words && s->radius > 0.0) ||
      dppair_fabs_(s->bound - other->bound) > 0.0 ||
      dppair_fabs_(s->radius - other->radius) > 0.0 ||
      (s->digest != other->digest && !dppair_sum_is_fresh_(s) && !dppair_sum_is_fresh_(other)))
    return DPPAIR_ERR_WORKSPACE;
  if (s->serial != other->serial && !dppair_sum_is_fresh_(s) && !dppair_sum_is_fresh_(other))
    return DPPAIR_ERR_BATCH;
  dppair_words_add(s->words, other->words, s->size);
  s->count += other->count;
  s->nulls += other->nulls;
  s->weightless += other->weightless;
  s->digest |= other->digest;
  s->serial |= other->serial;
  return DPPAIR_OK;
}

/* v[0..size) = the sum. */
DPPAIR_API void dppair_sum_read_(double *v, const dppair_sum *s) {
  size_t k;
  for (k = 0; k < s->size; k++) v[k] = dppair_word_value_(s->words + 2 * k, s->unit);
}

/* v[0..size) = the sum, each number rounded once to nearest, ties to even. Errors zero v where its
 * size is known: NULL, WORKSPACE (not open), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_value(double *v, const dppair_sum *s) {
  dppair_status status = dppair_sum_check_(s);
  if (status == DPPAIR_OK && !v && s->size) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  if (s->size) memset(v, 0, s->size * sizeof *v);
  status = dppair_environment_check();
  if (status == DPPAIR_OK) dppair_sum_read_(v, s);
  return status;
}

DPPAIR_FP_END_
