/* ------------------------------------------------------------------------------------------------
 * Margin losses
 *
 * A linear model of labelled records, fitted by a loss of each record's margin y w.x instead of a
 * loss of pairs. A loss is a function and what is public about it, so a caller's own is a few lines
 * of C. psi is convex and twice differentiable.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef struct dppair_margin_loss {
  /* out = value, slope and curvature at t, finite for every finite t; the slope is off by at most
   * 16 units of rounding of `steepest`, or of itself where that is infinite */
  void (*at)(double out[3], double t, double parameter);
  double parameter; /* 0, or the width over which a kink is rounded off: a minimiser is then sought
                     * with wider ones first */
  double top;       /* the largest curvature: 0 <= psi'' <= top */
  double steepest;  /* the largest |psi'|; HUGE_VAL: slopes grow */
  int falls;        /* psi' <= 0 everywhere */
} dppair_margin_loss;

DPPAIR_API void dppair_margin_logistic_at_(double out[3], double t, double parameter) {
  const double e = dppair_exp_(-dppair_fabs_(t)), s = 1.0 / (1.0 + e); /* s = sigmoid(|t|) */
  (void)parameter;
  out[0] = dppair_log1p_(e) + (t < 0.0 ? -t : 0.0);
  out[1] = t < 0.0 ? -s : -e * s;
  out[2] = e * s * s;
}

/* The slope falls like a tanh of twice the distance from 3/4. */
DPPAIR_API void dppair_margin_soft_hinge_at_(double out[3], double t, double parameter) {
  const double a = 4.0 * (t - 0.75), e = dppair_exp_(-dppair_fabs_(a)), s = 1.0 / (1.0 + e);
  (void)parameter;
  out[0] = 0.25 * dppair_log1p_(e) + (a < 0.0 ? -0.25 * a : 0.0);
  out[1] = a < 0.0 ? -s : -e * s;
  out[2] = 4.0 * e * s * s;
}

/* ln(1 + e^-t): logistic regression. Slopes within 1, curvature within 1/4. */
DPPAIR_API dppair_margin_loss dppair_margin_logistic(void) {
  dppair_margin_loss loss = {NULL, 0.0, 0.25, 1.0, 1};
  loss.at = dppair_margin_logistic_at_;
  return loss;
}

/*
 * A hinge at 3/4, rounded off: psi(t) = ln(1 + e^(3 - 4t))/4, so psi'(t) = (tanh(2 (t - 3/4)) -
 * 1)/2. Slopes and curvature are within 1. A record pulls with 0.95 of the steepest slope at margin
 * 0, and never with more than 1, which is what noise has to hide; it lets go beyond a margin of
 * 3/4. The logistic loss pulls with half of its steepest slope at 0.
 */
DPPAIR_API dppair_margin_loss dppair_margin_soft_hinge(void) {
  dppair_margin_loss loss = {NULL, 0.0, 1.0, 1.0, 1};
  loss.at = dppair_margin_soft_hinge_at_;
  return loss;
}

/* The margin a within 4, added to all scores, at which both classes together pull equally hard at w
 * = 0 when a share `rate` of the records is positive: rate psi'(a) = (1 - rate) psi'(-a). */
DPPAIR_API double dppair_margin_balance(const dppair_margin_loss *loss, double rate) {
  double low = -4.0, high = 4.0;
  int k;
  for (k = 0; k < 60; k++) {
    const double a = low + (high - low) / 2.0;
    double positive[3], negative[3];
    loss->at(positive, a, loss->parameter);
    loss->at(negative, -a, loss->parameter);
    if (rate * positive[1] < (1.0 - rate) * negative[1]) /* slopes are negative */
      low = a;
    else
      high = a;
  }
  return low;
}

DPPAIR_FP_END_
