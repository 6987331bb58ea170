/* ------------------------------------------------------------------------------------------------
 * Sums of numbers as integers
 *
 *   dppair_integers q;
 *   s = dppair_integers_open(&q, sum, d, DPPAIR_QUANTISED_TRUNCATED, 0x1p20, radius, 0);
 *   for (i = 0; i < n && !s; i++) s = dppair_quantise(&q, record[i], NULL);    its own vector
 *   if (!s) s = dppair_release_share(share, &release, &q, honest, 32);
 *
 * A sum knows how its numbers became integers, so that the sensitivity that a release takes is that
 * of this sum. Write g for the scale, x for a record's vector.
 *
 *   TRUNCATED   each record's g x, every coordinate towards 0: no coordinate grows, so that the
 *               integers have the norm g length at most. A longer vector is shortened to `length`
 *               first, and one that is not finite counts as 0.
 *   ROUNDED     a site's sum v, once: g v to the nearest integers, or floor(g v + u) with one
 *               public u for all sites. A difference of two such integers is within 1 of that of
 *               the real numbers, in each coordinate that moves.
 *   RANDOMLY    the same with private u, new for each sum: without bias; within 2 more.
 *
 * The scale is a power of two: g x, its floor and its fraction are exact in doubles, where they do
 * not underflow (to 0, which is towards 0, or to the nearest) or pass 2^62, where they stop: that
 * map lengthens no distance. u is a multiple of 2^-53. Relies on discrete.h.
 * ---------------------------------------------------------------------------------------------- */

/* A sum of integers; the caller's memory. To be read only, but for `sum`. */
typedef struct dppair_integers {
  int64_t *sum; /* `size` numbers, modulo 2^64 */
  size_t size;
  dppair_quantised how;
  double scale, length; /* as dppair_integers_open was told */
  size_t nonzero;
  uint64_t vectors; /* that were added */
} dppair_integers;

/*
 * Begins a sum of integers, with 0.
 *   scale     integers for 1: a power of two from 2^-512 to 2^512
 *   length    TRUNCATED: the l2 bound of every record's vector, at most 2^61/scale. Otherwise how
 *             far a record moves the real sum, for the relation of the plan
 *   nonzero   coordinates in which a record's vector, the old or the new one, can be other than 0:
 *             `size`, where that is not known; TRUNCATED: 0
 * Where users are protected, read user for record. Errors zero the sum and *to: NULL, OVERFLOW,
 * NOT_FINITE, DOMAIN (how, scale, length), UNREAD (a nonzero that is not read), SIZE (size = 0;
 * nonzero = 0 where it is read).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_integers_open(dppair_integers *to, int64_t *sum,
                                                                size_t size, dppair_quantised how,
                                                                double scale, double length,
                                                                size_t nonzero) {
  int exponent;
  dppair_status status;
  if (to != NULL) memset(to, 0, sizeof *to);
  status = dppair_array_(sum, size);
  if (status != DPPAIR_OK) return status;
  if (size > 0) memset(sum, 0, size * sizeof *sum);
  if (to == NULL) return DPPAIR_ERR_NULL;
  if (size == 0) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(scale) || !dppair_isfinite_f64(length)) return DPPAIR_ERR_NOT_FINITE;
  if (!(scale >= dppair_ldexp_(1.0, -512) && scale <= dppair_ldexp_(1.0, 512) && length > 0.0))
    return DPPAIR_ERR_DOMAIN;
  if (dppair_frexp_(scale, &exponent) > 0.5 || how < DPPAIR_QUANTISED_TRUNCATED ||
      how > DPPAIR_QUANTISED_RANDOMLY)
    return DPPAIR_ERR_DOMAIN;
  if (how == DPPAIR_QUANTISED_TRUNCATED) {
    if (!(length <= dppair_ldexp_(1.0, 61) / scale)) return DPPAIR_ERR_DOMAIN;
    if (nonzero != 0) return DPPAIR_ERR_UNREAD;
  } else if (nonzero == 0) {
    return DPPAIR_ERR_SIZE;
  }
  to->sum = sum;
  to->size = size;
  to->how = how;
  to->scale = scale;
  to->length = length;
  to->nonzero = nonzero;
  return DPPAIR_OK;
}

/* A factor that brings x[0..n) within `length`: 1, where it is; 0, where x is not finite. The norm
 * is that of x/top, off by (n + 16) roundings at most, and the factor covers its own and that of a
 * product with it. */
DPPAIR_API double dppair_shortened_(const double *x, size_t n, double length) {
  double top = 0.0, sum = 0.0, norm, factor;
  size_t i;
  for (i = 0; i < n; i++) {
    if (!dppair_isfinite_f64(x[i])) return 0.0;
    top = dppair_fabs_(x[i]) > top ? dppair_fabs_(x[i]) : top;
  }
  if (!(top > DBL_MIN)) return 0.0; /* every coordinate becomes 0 anyway */
  for (i = 0; i < n; i++) sum += (x[i] / top) * (x[i] / top);
  norm = dppair_sqrt_(sum) * (1.0 + ((double)n + 16.0) * DBL_EPSILON);
  if (norm <= length / top * (1.0 - 2.0 * DBL_EPSILON)) return 1.0;
  factor = length / top / norm * (1.0 - 8.0 * DBL_EPSILON);
  return factor > DBL_MIN ? factor : 0.0;
}

/* y as an integer: truncated, or y + u rounded down, u in [0, 1) (u < 0: y to the nearest). The
 * distance of y to the integer that is nearer to 0 is exact, as 1 - u is. */
DPPAIR_API int64_t dppair_integer_(double y, dppair_quantised how, double u) {
  const double most = 4611686018427387904.0; /* 2^62 */
  double whole, part;
  y = y > most ? most : y;
  y = y < -most ? -most : y;
  whole = y < 0.0 ? dppair_ceil_(y) : dppair_floor_(y);
  part = dppair_fabs_(y - whole);
  if (how == DPPAIR_QUANTISED_TRUNCATED) return (int64_t)whole;
  if (u < 0.0) return (int64_t)dppair_rint_(y);
  if (y < 0.0) return (int64_t)whole - (part > u ? 1 : 0);
  return (int64_t)whole + (part >= 1.0 - u ? 1 : 0);
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_quantise_work_(dppair_integers *to, const double *x,
                                                        dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status = DPPAIR_OK;
  double factor = 1.0, u = -1.0;
  size_t k;
  if (rng != NULL) dppair_source_open_(&s, rng);
  if (to->how == DPPAIR_QUANTISED_TRUNCATED) factor = dppair_shortened_(x, to->size, to->length);
  for (k = 0; k < to->size; k++) {
    uint64_t sum;
    if (rng != NULL) {
      const uint64_t high = dppair_next32_(&s);
      u = (double)((high << 32 | dppair_next32_(&s)) >> 11) * DPPAIR_EXP2M_(53);
    }
    sum = (uint64_t)to->sum[k];
    if (factor > 0.0 && dppair_isfinite_f64(x[k]))
      sum += (uint64_t)dppair_integer_(x[k] * factor * to->scale, to->how, u);
    to->sum[k] = sum >> 63 ? -(int64_t)(~sum) - 1 : (int64_t)sum;
  }
  if (rng != NULL) status = dppair_source_close_(&s);
  return status;
}

/*
 * Adds x[0..to->size) to the sum, in integers, modulo 2^64.
 *   TRUNCATED   any number of vectors, one for each record (or user); rng NULL
 *   ROUNDED     one vector, the site's sum; rng NULL: to the nearest. Else a generator of a PUBLIC
 *               key, at the same place at every site, whose numbers are u
 *   RANDOMLY    one vector; a generator of a secret key of the site's own
 * What was added is PRIVATE. No error depends on x: a number that is not finite counts as 0, where
 * records are truncated with all of its vector.
 *
 * Errors zero the sum and *to, which releases then refuse: NULL; UNREAD (a generator that is not
 * read); SIZE (a second vector where one is summed: sums that are rounded apart are farther off);
 * DOMAIN (*to was not opened); ENVIRONMENT; the generator's.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_quantise(dppair_integers *to, const double *x,
                                                           dppair_rng *rng) {
  dppair_status status = DPPAIR_OK;
  if (to == NULL) return DPPAIR_ERR_NULL;
  if (to->sum == NULL || to->size == 0) return DPPAIR_ERR_DOMAIN;
  if (x == NULL || (rng == NULL && to->how == DPPAIR_QUANTISED_RANDOMLY)) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK && rng != NULL && to->how == DPPAIR_QUANTISED_TRUNCATED)
    status = DPPAIR_ERR_UNREAD;
  if (status == DPPAIR_OK && to->how != DPPAIR_QUANTISED_TRUNCATED && to->vectors > 0)
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) {
    status = dppair_quantise_work_(to, x, rng);
    to->vectors++;
  }
  if (status == DPPAIR_OK) return status;
  memset(to->sum, 0, to->size * sizeof *to->sum);
  memset(to, 0, sizeof *to);
  return status;
}
