/* ------------------------------------------------------------------------------------------------
 * Slopes in double, for the table of the box method
 *
 * It relies on the vocabulary of the scalar tier in double; template.h calls it.
 * ---------------------------------------------------------------------------------------------- */

/* out[i] = the slope of the loss at u[i], i < n, in double whatever the element type of the
 * instance; n is a multiple of 8. There is one tier only, so that a table never depends on the
 * machine. */
DPPAIR_API void DPPAIR_NAME_slopes_(double *out, const double *u, size_t n, const double *params) {
  (void)params;
  for (size_t i = 0; i < n; i += DPV_LANES) DPV_STORE(out + i, DPPAIR_LOSS_SLOPE(DPV_LOAD(u + i)));
}
#if DPPAIR_CURVE_
/* The same of the curvature. */
DPPAIR_API void DPPAIR_NAME_curvatures_(double *out, const double *u, size_t n,
                                        const double *params) {
  (void)params;
  for (size_t i = 0; i < n; i += DPV_LANES)
    DPV_STORE(out + i, DPPAIR_LOSS_CURVATURE(DPV_LOAD(u + i)));
}
#endif
