/* ------------------------------------------------------------------------------------------------
 * Slopes in double, for the table of the box method
 *
 * By the vocabulary on one double (simd/one.h); template.h calls it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* out[i] = the slope of the loss at u[i], i < n, in double whatever the element type of the
 * instance, and whatever the tier: a table never depends on the machine. */
DPPAIR_API void DPPAIR_NAME_slopes_(double *out, const double *u, size_t n, const double *params) {
  size_t i;
  (void)params;
  for (i = 0; i < n; i++) out[i] = DPPAIR_LOSS_SLOPE(u[i]);
}

DPPAIR_FP_END_
