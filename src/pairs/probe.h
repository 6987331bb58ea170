/* ------------------------------------------------------------------------------------------------
 * Some slopes of the loss of an instance
 *
 * A sensitivity looks at its loss by them, and whether who made what a pass brings had this loss.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The slopes at 16 margins, as the loops have them. Errors: those of NAME_coeffs. */
DPPAIR_API dppair_status DPPAIR_NAME_probe_(double *slope, const double *margin,
                                            const double *params) {
  DPPAIR_REAL s[16], zero = 0;
  double sum;
  int k;
  for (k = 0; k < 16; k++) s[k] = (DPPAIR_REAL)margin[k];
  return DPPAIR_NAME_coeffs(slope, &sum, s, 16, &zero, 1, params);
}

DPPAIR_FP_END_
