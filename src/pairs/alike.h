/* ------------------------------------------------------------------------------------------------
 * Whether a state or a clip is of this loss
 *
 * Files of one program may have two losses of one name, in instances of one name. A sensitivity is
 * that of its own loss, so a release asks who made what the pass brings for some of its slopes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Slopes at four margins, as the loops have them. */
DPPAIR_API dppair_status DPPAIR_NAME_probe_(double *slope, const double *params) {
  static const DPPAIR_REAL margin[4] = {-3, (DPPAIR_REAL)-0.25, (DPPAIR_REAL)0.5, 2};
  const DPPAIR_REAL zero = 0;
  double sum;
  return DPPAIR_NAME_coeffs(slope, &sum, margin, 4, &zero, 1, params);
}

/* Had who made a state or a clip this loss? Tiers may differ in the last bits. */
DPPAIR_API int DPPAIR_NAME_is_alike_(dppair_probe_ *other, const double *params) {
  double slope[2][4];
  if (other == DPPAIR_NAME_probe_) return 1;
  return other && DPPAIR_NAME_probe_(slope[0], params) == DPPAIR_OK &&
         other(slope[1], params) == DPPAIR_OK &&
         dppair_slopes_alike_(slope[0], slope[1], 4,
                              DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON);
}

DPPAIR_FP_END_
