/* ------------------------------------------------------------------------------------------------
 * Losses chosen at run time: names, parameters, values
 *
 * Parameters are doubles here, in the order of the table. Results have the scalar tier's bits: each
 * loss's macros are expanded once more, over a vocabulary of one double.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_MAX_PARAMS 2

typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
} dppair_loss_info;

/* The loss's row of the table, or NULL for a number that is no loss. */
DPPAIR_API const dppair_loss_info *dppair_loss_describe(dppair_loss loss) {
  static const dppair_loss_info table[] = {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  {#name, formula, parameters, source, convex, monotone, differentiable},
      DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* *loss = the loss of that name; DPPAIR_LOSS_COUNT and DOMAIN when there is none. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_find(dppair_loss *loss, const char *name) {
  int i;
  if (!loss) return DPPAIR_ERR_NULL;
  *loss = DPPAIR_LOSS_COUNT;
  if (!name) return DPPAIR_ERR_NULL;
  for (i = 0; i < (int)DPPAIR_LOSS_COUNT; i++) {
    if (strcmp(name, dppair_loss_describe((dppair_loss)i)->name) != 0) continue;
    *loss = (dppair_loss)i;
    return DPPAIR_OK;
  }
  return DPPAIR_ERR_DOMAIN;
}

/* How many parameters the loss has: 0, 1 or 2. */
DPPAIR_API size_t dppair_loss_param_count(dppair_loss loss) {
  switch (loss) {
  case DPPAIR_LOSS_smoothed_hinge:
  case DPPAIR_LOSS_pinball:
  case DPPAIR_LOSS_huber:
  case DPPAIR_LOSS_moreau_absolute:
  case DPPAIR_LOSS_welsch:
    return 1;
  case DPPAIR_LOSS_moreau_pinball:
    return 2;
  default:
    return 0;
  }
}

DPPAIR_FP_BEGIN_

/* OK when the parameters are in the range that the table states: widths, knees and bandwidths in
 * [1e-100, 1e100], tau in (0, 1). DOMAIN otherwise; NULL when parameters are needed and missing. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_check(dppair_loss loss,
                                                             const double *params) {
  const size_t count = dppair_loss_param_count(loss);
  const int has_tau = loss == DPPAIR_LOSS_pinball || loss == DPPAIR_LOSS_moreau_pinball;
  size_t k;
  if ((unsigned)loss >= (unsigned)DPPAIR_LOSS_COUNT) return DPPAIR_ERR_DOMAIN;
  if (count > 0 && !params) return DPPAIR_ERR_NULL;
  for (k = 0; k < count; k++) {
    const int is_tau = has_tau && k == 0;
    if (!dppair_isfinite_f64(params[k])) return DPPAIR_ERR_DOMAIN;
    if (is_tau && !(params[k] > 0.0 && params[k] < 1.0)) return DPPAIR_ERR_DOMAIN;
    if (!is_tau && !(params[k] >= 1e-100 && params[k] <= 1e100)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* The vocabulary on one double, with the bits of the scalar tier. */
typedef double dpv_t_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return fabs(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return sqrt(a); }
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

#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
/* phi(u), phi'(u) and phi''(u); nothing is checked. */
DPPAIR_API double dppair_loss_value_(dppair_loss loss, double u, const double *p) {
  (void)p;
  switch (loss) {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return dppair_##name##_VALUE(u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}
DPPAIR_API double dppair_loss_slope_(dppair_loss loss, double u, const double *p) {
  (void)p;
  switch (loss) {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return dppair_##name##_SLOPE(u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}
DPPAIR_API double dppair_loss_curvature_(dppair_loss loss, double u, const double *p) {
  (void)p;
  (void)u;
  switch (loss) {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  case DPPAIR_LOSS_##name:                                                                         \
    return dppair_##name##_CURVATURE(u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. u is not checked: for NaN the value is NaN, and the slope is NaN or within the
 * loss's bound. Errors, with outputs zeroed: NULL, DOMAIN (the loss or its parameters); with
 * outputs left alone: OVERFLOW (n numbers have no size). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope,
                                                            double *curvature, const double *u,
                                                            size_t n, dppair_loss loss,
                                                            const double *params) {
  const dppair_status status = dppair_loss_check(loss, params);
  size_t i;
  if (n > SIZE_MAX / sizeof *u) return DPPAIR_ERR_OVERFLOW;
  if (value && n) memset(value, 0, n * sizeof *value);
  if (slope && n) memset(slope, 0, n * sizeof *slope);
  if (curvature && n) memset(curvature, 0, n * sizeof *curvature);
  if (status != DPPAIR_OK) return status;
  if (!u && n) return DPPAIR_ERR_NULL;
  for (i = 0; i < n; i++) {
    if (value) value[i] = dppair_loss_value_(loss, u[i], params);
    if (slope) slope[i] = dppair_loss_slope_(loss, u[i], params);
    if (curvature) curvature[i] = dppair_loss_curvature_(loss, u[i], params);
  }
  return DPPAIR_OK;
}

#undef DPPAIR_SUFFIX_
#undef DPV_R
DPPAIR_FP_END_
