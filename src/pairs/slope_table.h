/* ------------------------------------------------------------------------------------------------
 * The table of slopes from which the box method of an instance is prepared
 * ---------------------------------------------------------------------------------------------- */

/* The slope at n points in double, whatever the template's element type: for tables. n is a
 * multiple of 8. One tier only, so that a table never depends on the machine. */
DPPAIR_API void DPPAIR_NAME_slopes_(double *out, const double *u, size_t n,
                                    const DPPAIR_REAL *params) {
  (void)params;
  for (size_t i = 0; i < n; i += DPV_LANES) DPV_STORE(out + i, DPPAIR_LOSS_SLOPE(DPV_LOAD(u + i)));
}
