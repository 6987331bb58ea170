/* ------------------------------------------------------------------------------------------------
 * The Euclidean norm
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The Euclidean norm of x[0..n), without overflow or underflow on the way; HUGE_VAL where a number
 * is not finite. */
DPPAIR_API double dppair_norm_f64(const double *x, size_t n) {
  double top = 0.0, sum = 0.0;
  size_t i;
  if (!dppair_all_finite_f64(x, n)) return HUGE_VAL;
  for (i = 0; i < n; i++) top = dppair_fabs_(x[i]) > top ? dppair_fabs_(x[i]) : top;
  if (!(top > 0.0)) return 0.0;
  for (i = 0; i < n; i++) sum += (x[i] / top) * (x[i] / top);
  return top * dppair_sqrt_(sum);
}

DPPAIR_FP_END_
