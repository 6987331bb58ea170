/* ------------------------------------------------------------------------------------------------
 * The vocabulary on one double
 *
 * The macros of a loss are expanded once more, over one double instead of a vector, with the bits
 * of the scalar tier. What a loss's own chapter says of its slopes is computed with it, and losses
 * chosen at run time are.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef double dpv_t_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return dppair_fabs_(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return dppair_sqrt_(a); }
DPPAIR_FORCE_INLINE_ double dpv_max_f64_one(double a, double b) { return a > b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_min_f64_one(double a, double b) { return a < b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_fma_f64_one(double a, double b, double c) {
  return dppair_fma_f64_(a, b, c);
}
DPPAIR_FORCE_INLINE_ int dpv_lt_f64_one(double a, double b) { return a < b; }
DPPAIR_FORCE_INLINE_ int dpv_le_f64_one(double a, double b) { return a <= b; }
DPPAIR_FORCE_INLINE_ int dpv_both_f64_one(int m, int n) { return m & n; }
DPPAIR_FORCE_INLINE_ int dpv_either_f64_one(int m, int n) { return m | n; }
DPPAIR_FORCE_INLINE_ double dpv_sel_f64_one(int m, double a, double b) { return m ? a : b; }
DPPAIR_FORCE_INLINE_ double dppair_one_(dpv_t_f64_scalar v) {
  double lanes[8];
  dpv_store_f64_scalar(lanes, v);
  return lanes[0];
}
DPPAIR_API double dpv_exp_f64_one(double x) {
  return dppair_one_(dpv_exp_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_log_f64_one(double x) {
  return dppair_one_(dpv_log_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_log1p_f64_one(double x) {
  return dppair_one_(dpv_log1p_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_sigmoid_f64_one(double x) {
  return dppair_one_(dpv_sigmoid_f64_scalar(dpv_set_f64_scalar(x)));
}
DPPAIR_API double dpv_softplus_f64_one(double x) {
  return dppair_one_(dpv_softplus_f64_scalar(dpv_set_f64_scalar(x)));
}

DPPAIR_FP_END_

/* Until the end of at_run_time.h. */
#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
