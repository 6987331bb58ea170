/* ------------------------------------------------------------------------------------------------
 * Losses chosen at run time: names, facts, values
 *
 * Parameters are doubles here. Results have the scalar tier's bits: one.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_MAX_PARAMS 2

typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
  size_t params; /* how many parameters: 0, 1 or 2 */
} dppair_loss_info;

DPPAIR_FP_BEGIN_

/* How many parameters the flags of a loss tell of. */
DPPAIR_API size_t dppair_facts_params_(const dppair_loss_facts *facts) {
  return (facts->flags & DPPAIR_TAKES_LEVEL ? 1u : 0u) +
         (facts->flags & DPPAIR_TAKES_SIZE ? 1u : 0u);
}

/* OK when the parameters that the flags tell of are in range; else DOMAIN, or NULL when they are
 * missing. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_facts_check_(const dppair_loss_facts *facts,
                                                               const double *params) {
  const size_t count = dppair_facts_params_(facts);
  size_t k;
  if (count > 0 && !params) return DPPAIR_ERR_NULL;
  for (k = 0; k < count; k++) {
    const int level = k == 0 && facts->flags & DPPAIR_TAKES_LEVEL;
    if (!dppair_isfinite_f64(params[k])) return DPPAIR_ERR_DOMAIN;
    if (level && !(params[k] > 0.0 && params[k] < 1.0)) return DPPAIR_ERR_DOMAIN;
    if (!level && !(params[k] >= 1e-100 && params[k] <= 1e100)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* The facts of a loss for dppair_constants_find; NULL for a number that is no loss. A program that
 * calls this function holds the code of every shipped loss: where the loss is known, DPPAIR_FACTS
 * or NAME_sensitivity does with its own. */
DPPAIR_API const dppair_loss_facts *dppair_loss_facts_of(dppair_loss loss) {
  static const dppair_loss_facts table[] = {
#define DPPAIR_X_(name) DPPAIR_FACTS(dppair_##name),
      DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* What the table says of a loss, or NULL for a number that is no loss. */
DPPAIR_API const dppair_loss_info *dppair_loss_describe(dppair_loss loss) {
#define DPPAIR_X_(name) DPPAIR_LOSS_ROW_(name, dppair_##name##_INFO, dppair_##name##_RANGE),
#define DPPAIR_LOSS_ROW_(name, info, range)                                                        \
  { #name, info, DPPAIR_LOSS_FLAGS_ range }
#define DPPAIR_LOSS_FLAGS_(f, flags, value)                                                        \
  ((flags)&DPPAIR_IS_CONVEX) != 0, ((flags)&DPPAIR_IS_MONOTONE) != 0,                              \
      ((flags)&DPPAIR_IS_SMOOTH) != 0,                                                             \
      (((flags)&DPPAIR_TAKES_LEVEL) != 0) + (((flags)&DPPAIR_TAKES_SIZE) != 0)
  static const dppair_loss_info table[] = {DPPAIR_LOSS_TABLE(DPPAIR_X_)};
#undef DPPAIR_LOSS_FLAGS_
#undef DPPAIR_LOSS_ROW_
#undef DPPAIR_X_
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

/* phi(u), phi'(u) or phi''(u); nothing is checked. */
DPPAIR_API double dppair_loss_at_(dppair_loss loss, int what, double u, const double *p) {
  switch (loss) {
#define DPPAIR_X_(name)                                                                            \
  case DPPAIR_LOSS_##name:                                                                         \
    return what == DPPAIR_VALUE_ ? dppair_##name##_value_(u, p) : dppair_##name##_at_(what, u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. params: those of the loss, in the order of its description: levels in (0, 1),
 * widths, knees and bandwidths in [1e-100, 1e100]. u is not checked: for NaN the value is NaN, and
 * the slope is NaN or within the loss's bound. Errors, with outputs zeroed: NULL, DOMAIN (the loss
 * or its parameters); with outputs left alone: OVERFLOW (n numbers have no size). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope,
                                                            double *curvature, const double *u,
                                                            size_t n, dppair_loss loss,
                                                            const double *params) {
  const dppair_loss_facts *facts = dppair_loss_facts_of(loss);
  const dppair_status status = facts ? dppair_facts_check_(facts, params) : DPPAIR_ERR_DOMAIN;
  size_t i;
  if (n > SIZE_MAX / sizeof *u) return DPPAIR_ERR_OVERFLOW;
  if (value && n) memset(value, 0, n * sizeof *value);
  if (slope && n) memset(slope, 0, n * sizeof *slope);
  if (curvature && n) memset(curvature, 0, n * sizeof *curvature);
  if (status != DPPAIR_OK) return status;
  if (!u && n) return DPPAIR_ERR_NULL;
  for (i = 0; i < n; i++) {
    if (value) value[i] = dppair_loss_at_(loss, DPPAIR_VALUE_, u[i], params);
    if (slope) slope[i] = dppair_loss_at_(loss, DPPAIR_SLOPE_, u[i], params);
    if (curvature) curvature[i] = dppair_loss_at_(loss, DPPAIR_CURVATURE_, u[i], params);
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#undef DPPAIR_SUFFIX_
#undef DPV_R
