/* ------------------------------------------------------------------------------------------------
 * The table of losses
 *
 * A loss is a chapter of its own and a row here. The chapter has, in this order: INFO, its formula,
 * parameters and source; RANGE (range.h); KIND and what that asks for (see L_KIND in dppair.h);
 * CURVE where the slope is continuous (modules/influence/curvature_state.h); VALUE, SLOPE and CURVATURE; and
 * the function that RANGE names, with the loss's landmarks.
 *
 * In formulas (t)+ means max(0, t). The losses of a residual (absolute, pinball, least_squares,
 * huber, ...) are not meant to be monotone, ranking surrogates are. An envelope is Moreau's, e(u) =
 * min over v of phi(v) + (u - v)^2/(2 w): it is convex for convex phi, lies between phi - (sup
 * slope)^2 w/2 and phi, and is 1/w-smooth. (No envelope rounds off a concave kink, such as the
 * ramp's.)
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_TABLE(X)                                                                       \
  X(logistic)                                                                                      \
  X(hinge)                                                                                         \
  X(squared_hinge)                                                                                 \
  X(smoothed_hinge)                                                                                \
  X(square)                                                                                        \
  X(exponential)                                                                                   \
  X(sigmoid)                                                                                       \
  X(ramp)                                                                                          \
  X(least_squares)                                                                                 \
  X(absolute)                                                                                      \
  X(pinball)                                                                                       \
  X(huber)                                                                                         \
  X(moreau_absolute)                                                                               \
  X(moreau_pinball)                                                                                \
  X(welsch)

/* DPPAIR_LOSS_logistic, ..., for the functions that take a loss at run time. */
typedef enum dppair_loss {
#define DPPAIR_X_(name) DPPAIR_LOSS_##name,
  DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_LOSS_COUNT
} dppair_loss;
