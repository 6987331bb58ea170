/*
 * The constants at arguments that are known to be in range. Proofs, for one ordered pair with
 * gradient c v, v the gradient of the margin in the parameters, |v| <= V:
 *
 * Gradient: |c| <= s, so G = s V. Margins that are linear in the parameters have Hessian
 * phi'' v v^T, so L = V^2 sup |phi''|; for W = L L^T, v = 2 (x - x')(L^T (x - x'))^T has norm
 * 2 |x - x'| sqrt(t), t = |L^T (x - x')|^2 = b -+ u, and derivative at most 2 * 4R^2.
 *
 * Move: fix the partner z' and let z run over all records. Differences x - x' lie in the ball
 * B(-x', R), which holds 0, so {c (x - x') : -d <= c <= u} has diameter at most 2R (d + u), where d
 * and u bound -phi' and phi' with the sign of the pair taken in. For a monotone phi one of the two
 * is 0 while z' sees only one side of the labels: that is what halves the noise of 'diff' and
 * quarters that of 'ind', whose other order is identically 0. Three label levels let z' see both
 * sides. In 'diff' with real labels the factors of y > y' and y < y' add up to at most 2 Y.
 * Quadratics have Dm <= s V although phi' changes sign. With z = x - x', a the label factor:
 * (1 - a w.z)^2 has gradient 2 (zeta zeta^T w - zeta), zeta = a z; (a - w.z)^2 has
 * 2 (z z^T w - a z), and so has the mean of both orders of (1 - (a - w.z))^2; (a w.z)^2 has
 * 2 zeta zeta^T w. Two positive semidefinite matrices differ by at most the larger norm, so
 * zeta zeta^T w moves by at most B max |zeta|^2; and zeta moves by at most max |a| 2R (as above),
 * which add up to s V. With three label levels zeta moves by twice that: s V + 2V.
 * A residual's two orders have the odd part of phi' as coefficient, which for the pinball is 1/2
 * at any tau.
 *
 * Squared distances: |p v v^T - q w w^T|_F <= max(p, q) 4R^2 for p, q >= 0, v, w in B(-x', R), so
 * coefficients in [-d, u] give at most 4R^2 (d + u). Proof. The norm is convex in (p, q): take the
 * corners of [0, m]^2, of which only p = q = m is not plain. Let R = 1, F^2 = |v|^4 + |w|^4
 * - 2 (v.w)^2 and show F <= 4. If v.w < 0 then |v|^2 + |w|^2 <= |v - w|^2 <= 4. Else some unit ball
 * around a c with |c| = 1 holds v and w (the lens of centres within 1 of both is convex, holds -x'
 * and has a point at distance 1 or more from 0), so |v| <= 2 cos A, |w| <= 2 cos B for their angles
 * to c, and v, w are at most A + B apart. F^2 is convex in |v|^2, |w|^2, hence largest at an end of
 * each; 0 is plain. If A + B is beyond a right angle, F^2 <= 16 (cos^4 A + sin^4 A). Else put
 * a = cos A cos B >= b = sin A sin B:
 * F^2/16 = 1 - 2b^2 + (a - b)^2 (b^2 + 2ab - a^2), and with a = t b, b <= 1/(1 + t) (as a + b <= 1)
 * the last term is b^4 y (2 - y) <= b^4 for y = (t - 1)^2, at most b^2. QED
 *
 * Similarity: Z = (x x'^T + x' x^T)/2 is linear in x and at most R^2 long; a quadratic has the
 * gradient 2 <W, Z> Z - 2 a Z, a = b (least squares) or b +- 1, which move by 2 B R^4 (as above)
 * and by 4 |a| R^2: s V + 2 |a| V.
 *
 * Never more than twice the largest norm. Clipping scales c towards 0 and keeps all this. For the
 * quadratics: where only one order of a pair has a gradient, or both have the same (all but the
 * residual's square), the mean of the clipped is the clipped mean, or half of it; to clip is to
 * project on a ball, which brings no two points further apart. The clipped norm is another bound.
 */
DPPAIR_API void dppair_constants_fill_(dppair_constants *out, dppair_margin margin,
                                       dppair_loss loss, const double *p, const dppair_bounds *b) {
  const double r2 = 2.0 * b->radius, v2 = r2 * r2, clip = b->clip > 0.0 ? b->clip : HUGE_VAL;
  const dppair_loss_info *info = dppair_loss_describe(loss);
  const int is_ind = margin == DPPAIR_MARGIN_ind || margin == DPPAIR_MARGIN_ind_levels;
  const int levels = margin == DPPAIR_MARGIN_ind_levels || margin == DPPAIR_MARGIN_sign_levels;
  const int square = loss == DPPAIR_LOSS_square;
  const int quadratic = square || loss == DPPAIR_LOSS_least_squares;
  double v = r2, far, spread, mean, largest, down, up, norm = HUGE_VAL, change, reach, near = 0.0;
  dppair_slopes_ r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  const int both = DPPAIR_LOW_ | DPPAIR_HIGH_, factor = margin == DPPAIR_MARGIN_factor;
  switch (margin) {
  case DPPAIR_MARGIN_diff:
    v = 2.0 * b->label_bound * r2;
    /* fall through */
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    far = v * b->param_radius;
    dppair_slopes_add_(&r, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_residual:
    far = 2.0 * b->label_bound + v * b->param_radius;
    dppair_slopes_add_(&r, loss, p, -far, far, far, both);
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric:
  case DPPAIR_MARGIN_factor:
    v = v2;
    far = v2 * b->param_radius; /* the largest M */
    if (factor) {
      v = 2.0 * v2 * b->param_radius;
      far *= b->param_radius;
    }
    spread = margin == DPPAIR_MARGIN_metric ? far : 0.0; /* the smallest M is minus this */
    reach = far + fabs(b->offset);
    dppair_slopes_add_(&r, loss, p, b->offset - far, b->offset + spread, reach,
                       factor ? DPPAIR_LOW_ : both);
    dppair_slopes_add_(&opposite, loss, p, -b->offset - spread, -b->offset + far, reach,
                       factor ? DPPAIR_HIGH_ : both);
    break;
  default: /* similarity */
    v = b->radius * b->radius;
    far = v * b->param_radius;
    reach = far + fabs(b->offset);
    dppair_slopes_add_(&r, loss, p, -b->offset - far, -b->offset + far, reach, both);
    dppair_slopes_add_(&opposite, loss, p, b->offset - far, b->offset + far, reach, both);
    break;
  }
  /* coefficients of the pairs of equal labels are -phi', those of opposite labels +phi' */
  down = r.up > opposite.down ? r.up : opposite.down;
  up = r.down > opposite.up ? r.down : opposite.up;
  out->slope = down > up ? down : up;
  if (factor && !info->differentiable)
    near = dppair_factor_near_(&out->slope, down, up, loss, p, b);
  largest = dppair_times_(out->slope, v);
  change = r.curvature > opposite.curvature ? r.curvature : opposite.curvature;
  change = dppair_times_(dppair_times_(change, v), v);
  if (factor) dppair_factor_bounds_(&norm, &change, loss, p, b);
  largest = dppair_least_(largest, norm);
  out->lipschitz = dppair_least_(largest, clip);
  out->smoothness = change;
  out->bound = r.value > opposite.value ? r.value : opposite.value;
  out->convex = info->convex && !factor && dppair_isfinite_f64(b->radius);
  if (clip < largest && !out->convex) out->smoothness = HUGE_VAL;
  /* the mean of the two orders: their largest norm, and how far they spread over the records */
  mean = margin == DPPAIR_MARGIN_residual ? dppair_times_(r.odd, v) : largest;
  spread = dppair_times_(down + up, v) + near;
  if (levels || margin == DPPAIR_MARGIN_residual || margin == DPPAIR_MARGIN_similarity)
    spread = 2.0 * mean;
  if (quadratic && margin < DPPAIR_MARGIN_residual)
    spread = mean + (levels && square ? 2.0 * v : 0.0);
  if (quadratic && margin == DPPAIR_MARGIN_residual && !(square && clip < largest)) spread = mean;
  if (quadratic && margin == DPPAIR_MARGIN_similarity)
    spread = mean + 2.0 * dppair_times_(fabs(b->offset) + (square ? 1.0 : 0.0), v);
  /* nothing but rounding errors is left of a residual's two orders */
  if (margin == DPPAIR_MARGIN_residual && dppair_isfinite_f64(largest) &&
      mean <= 64.0 * DBL_EPSILON * largest)
    mean = 0.0;
  mean = dppair_least_(mean, clip);
  spread = dppair_least_(spread, 2.0 * mean);
  if (is_ind) {
    mean *= 0.5;
    spread *= 0.5;
  }
  out->move = spread;
  out->replace_one = 2.0 * spread;
  out->zero_out = 2.0 * mean;
}

/* A size that may be HUGE_VAL but not NaN, negative, zero, or so small that products of four are no
 * normal numbers. */
DPPAIR_API int dppair_size_or_infinite_(double x) {
  return x >= 1e-60 && (x <= 1e100 || !dppair_isfinite_f64(x));
}

/*
 * The constants of a loss with a margin on a public domain. Each is an upper bound, rounded up, and
 * holds for margins as they are computed, in float too: where phi' or phi'' jumps at an end of the
 * interval of margins, or within 2^-10 of the largest margin beyond it, both sides count.
 * Without a clip, at any radii, bounds and offsets, but for such a jump beyond an end:
 *   G, M, zero_out   attained (the factor's up to the grid on which they are computed)
 *   L                attained by the margins that are linear in the parameters, valid for factor
 *   move             attained in ind, diff, sign by monotone links, square, least_squares, absolute
 *                    and pinball; in residual by the last four; elsewhere by links of constant
 *                    slope (hinge, absolute, pinball) but for factor. Where it is only valid it is
 *                    at most twice the truth, which is zero_out/2 at least.
 * With a clip below G all are valid, none above its value without one (a clipped loss that is not
 * convex has no L), and zero_out is not attained in residual.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n. Over those
 * of a batch, with two label levels (ind, sign): dppair_sensitivity_minibatch_rank.
 *
 * Errors (out zeroed): NULL; DOMAIN for parameters of the loss or bounds out of range (radius,
 * param_radius in [1e-60, 1e100] or HUGE_VAL, label_bound likewise where it is used, clip likewise
 * or 0, |offset| <= 1e100); NO_PROOF when the gradient has no finite bound: an unbounded slope
 * without projection, any scorer (radius HUGE_VAL) without a clip, or a mean of two orders that is
 * constant, so that only rounding errors would be released (the sigmoid of a residual; a ramp whose
 * margins never come near [0, 1]).
 * (Xue et al. 2021 and Kang et al. 2021 print smaller G and L for logistic ranking and metric
 * learning, by factors of 2 and 4 and of 4.8 and 19; the tests reach the values given here.)
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_constants_find(dppair_constants *out,
                                                                 dppair_margin margin,
                                                                 dppair_loss loss,
                                                                 const double *params,
                                                                 const dppair_bounds *bounds) {
  const double up = 1.0 + 32.0 * DBL_EPSILON;
  dppair_status status;
  dppair_bounds open;
  dppair_constants global;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!bounds) return DPPAIR_ERR_NULL;
  status = dppair_loss_check(loss, params);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)margin >= (unsigned)DPPAIR_MARGIN_COUNT) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(bounds->radius)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(bounds->param_radius)) return DPPAIR_ERR_DOMAIN;
  if ((margin == DPPAIR_MARGIN_diff || margin == DPPAIR_MARGIN_residual) &&
      !dppair_size_or_infinite_(bounds->label_bound))
    return DPPAIR_ERR_DOMAIN;
  if (!(fabs(bounds->offset) <= 1e100) ||
      !(bounds->clip == 0.0 || (bounds->clip >= 1e-60 && bounds->clip <= 1e100)))
    return DPPAIR_ERR_DOMAIN;
  dppair_constants_fill_(out, margin, loss, params, bounds);
  if (!dppair_isfinite_f64(out->lipschitz) || !dppair_isfinite_f64(out->replace_one) ||
      !(out->replace_one >= DBL_MIN)) {
    memset(out, 0, sizeof *out);
    return DPPAIR_ERR_NO_PROOF;
  }
  open = *bounds;
  open.param_radius = HUGE_VAL;
  memset(&global, 0, sizeof global);
  dppair_constants_fill_(&global, margin, loss, params, &open);
  if (out->lipschitz < global.lipschitz || out->replace_one < global.replace_one)
    out->projected |= DPPAIR_ONLY_PROJECTED_G;
  if (out->smoothness < global.smoothness) out->projected |= DPPAIR_ONLY_PROJECTED_L;
  if (out->bound < global.bound) out->projected |= DPPAIR_ONLY_PROJECTED_M;
  out->slope *= up;
  out->lipschitz *= up;
  out->smoothness *= up;
  out->bound *= up;
  out->move *= up;
  out->replace_one *= up;
  out->zero_out *= up;
  return DPPAIR_OK;
}

/* What a regulariser outside the pair loss adds. */
typedef enum dppair_regulariser {
  DPPAIR_REGULARISER_HALF = 1, /* (lambda/2) |w|^2: strongly convex with lambda   */
  DPPAIR_REGULARISER_FULL = 2  /* lambda |w|^2:     strongly convex with 2 lambda */
} dppair_regulariser;

/*
 * Of the regularised risk: *alpha its strong convexity, and smoothness, Lipschitz constant and
 * bound of its pair loss. Step-size conditions (eta <= 2/(smoothness + alpha)) and utility bounds
 * take these; sensitivities take the constants of the data loss alone. With a = lambda or 2 lambda:
 * alpha = a, L + a, G + a B, M + a B^2/2; without projection the last two are HUGE_VAL.
 * Errors: NULL; DOMAIN (lambda not in (0, 1e100], param_radius as above); NO_PROOF when the data
 * loss is not convex, so that nothing is strongly convex. Outputs zeroed on error.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_constants_regularise(double *alpha, dppair_constants *total, const dppair_constants *data,
                            dppair_regulariser kind, double lambda, double param_radius) {
  dppair_constants sum;
  double a;
  if (!alpha || !total) return DPPAIR_ERR_NULL;
  *alpha = 0.0;
  if (!data) {
    memset(total, 0, sizeof *total);
    return DPPAIR_ERR_NULL;
  }
  sum = *data; /* total and data may be the same */
  memset(total, 0, sizeof *total);
  if (kind != DPPAIR_REGULARISER_HALF && kind != DPPAIR_REGULARISER_FULL) return DPPAIR_ERR_DOMAIN;
  if (!(lambda > 0.0 && lambda <= 1e100)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(param_radius)) return DPPAIR_ERR_DOMAIN;
  if (!sum.convex) return DPPAIR_ERR_NO_PROOF;
  a = kind == DPPAIR_REGULARISER_HALF ? lambda : 2.0 * lambda;
  sum.smoothness += a;
  sum.lipschitz += a * param_radius;
  sum.bound += 0.5 * a * param_radius * param_radius;
  sum.projected |= DPPAIR_ONLY_PROJECTED_G | DPPAIR_ONLY_PROJECTED_M;
  *total = sum;
  *alpha = a;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
