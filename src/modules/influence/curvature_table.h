/* ------------------------------------------------------------------------------------------------
 * Curvatures in double, for the table of the box method: as pairs/slope_table.h
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_CURVE_
DPPAIR_FP_BEGIN_

/* out[i] = the curvature of the loss at u[i], i < n, in double whatever the element type of the
 * instance. */
DPPAIR_API void DPPAIR_NAME_curvatures_(double *out, const double *u, size_t n,
                                        const double *params) {
  size_t i;
  (void)params;
  for (i = 0; i < n; i++) out[i] = DPPAIR_LOSS_CURVATURE(u[i]);
}

DPPAIR_FP_END_
#endif
