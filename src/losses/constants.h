/* ------------------------------------------------------------------------------------------------
 * The constants of a loss with a margin on a public domain, and their proofs
 *
 * One ordered pair has the gradient c v: c is phi' or -phi', v the gradient of the margin in the
 * parameters. Write s for sup |phi'| and V for sup |v|.
 *
 * Gradient and curvature. |c| <= s gives G = s V. A margin that is linear in the parameters has the
 * Hessian phi'' v v^T, which gives L = V^2 sup |phi''|. The factor W = L L^T has
 * v = 2 (x - x')(L^T (x - x'))^T. With t = |L^T (x - x')|^2 = b -+ u the norm of v is
 * 2 |x - x'| sqrt(t), and its derivative is at most 2 * 4R^2.
 *
 * Move. Fix the partner z' and let z run over all records. The differences x - x' lie in the ball
 * B(-x', R), which holds 0; so {c (x - x') : -d <= c <= u} has diameter at most 2R (d + u), where d
 * and u bound -phi' and phi' with the sign of the pair included.
 *   - If phi is monotone and z' meets one side of the labels only, d or u is 0. This halves the
 *     noise of 'diff' and quarters that of 'ind', whose other order is identically 0. With three
 *     label levels z' meets both sides. In 'diff' with real labels the factors of y > y' and of
 *     y < y' add up to at most 2 Y.
 *   - Quadratics have Dm <= s V although phi' changes sign. Let z = x - x', a the factor of the
 *     label, zeta = a z. Then (1 - a w.z)^2 has the gradient 2 (zeta zeta^T w - zeta); (a - w.z)^2
 *     has 2 (z z^T w - a z), and so has the mean of both orders of (1 - (a - w.z))^2; (a w.z)^2 has
 *     2 zeta zeta^T w. Two positive semidefinite matrices differ by at most the larger norm, so
 *     zeta zeta^T w moves by at most B max |zeta|^2; zeta moves by at most max |a| 2R (as above);
 *     together that is s V. With three label levels zeta moves by twice as much: s V + 2V.
 *   - The mean of a residual's two orders has the odd part of phi' as its coefficient; for the
 *     pinball that is 1/2 at any tau.
 *
 * Squared distances. |p v v^T - q w w^T|_F <= max(p, q) 4R^2 for p, q >= 0 and v, w in B(-x', R),
 * so coefficients in [-d, u] give at most 4R^2 (d + u). Proof: the norm is convex in (p, q), so one
 * of the corners of [0, m]^2 is the worst, and only p = q = m needs an argument. Let R = 1 and
 * F^2 = |v|^4 + |w|^4 - 2 (v.w)^2; we show F <= 4.
 *   - If v.w < 0 then |v|^2 + |w|^2 <= |v - w|^2 <= 4.
 *   - Otherwise some unit ball around a c with |c| = 1 holds v and w: the lens of the centres
 *     within 1 of both is convex, holds -x' and has a point at distance 1 or more from 0. So
 *     |v| <= 2 cos A and |w| <= 2 cos B, where A and B are the angles to c, and v, w are at most
 *     A + B apart. F^2 is convex in |v|^2 and in |w|^2, hence largest at an end of each; the end 0
 *     is clear. If A + B exceeds a right angle, F^2 <= 16 (cos^4 A + sin^4 A). If not, let
 *     a = cos A cos B >= b = sin A sin B; then
 *     F^2/16 = 1 - 2b^2 + (a - b)^2 (b^2 + 2ab - a^2). With a = t b and b <= 1/(1 + t) (because
 *     a + b <= 1) the last term is b^4 y (2 - y) <= b^4 for y = (t - 1)^2, at most b^2. QED
 *
 * Similarity. Z = (x x'^T + x' x^T)/2 is linear in x and at most R^2 long. A quadratic has the
 * gradient 2 <W, Z> Z - 2 a Z with a = b (least squares) or b +- 1; its terms move by 2 B R^4 (as
 * above) and by 4 |a| R^2, together s V + 2 |a| V.
 *
 * No mean moves by more than twice its largest norm. Clipping scales c towards 0, so all bounds
 * above stay valid, but for the quadratics, whose clipped gradients are no scaled quadratic: where
 * only one order of a pair has a gradient, or both orders have the same (all but the residual's
 * square), the mean of the clipped gradients is the clipped mean or half of it, and a projection on
 * a ball brings no two points further apart. The clipped norm is one more bound.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What the margins of a domain reach: of all pairs, or of those of equal labels [0], and of those
 * of opposite labels [1], if they differ. */
typedef struct dppair_reach_ {
  int kinds;              /* 1 or 2 */
  double low[2], high[2]; /* the margins, +-infinity where there is no bound */
  double reach;           /* the largest of their sizes */
  int crossed[2];         /* the ends that computed margins may pass */
  dppair_range phi[2];    /* of the loss over them; zeros for the second of one */
  double norm;            /* V, the largest norm of the margin's gradient in the parameters */
} dppair_reach_;

DPPAIR_OUT_OF_LINE_ dppair_reach_ dppair_reach_of_(dppair_margin margin, const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius; /* the largest |x - x'| */
  const int factor = margin == DPPAIR_MARGIN_factor;
  dppair_reach_ m;
  double remote, least;
  int k;
  memset(&m, 0, sizeof m);
  m.kinds = 1;
  m.crossed[0] = m.crossed[1] = DPPAIR_LOW_ | DPPAIR_HIGH_;
  m.norm = r2;
  remote = r2 * b->param_radius;
  switch (margin) {
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    break;
  case DPPAIR_MARGIN_diff:
    m.norm = 2.0 * b->label_bound * r2;
    remote = m.norm * b->param_radius;
    break;
  case DPPAIR_MARGIN_residual:
    remote = 2.0 * b->label_bound + r2 * b->param_radius;
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric:
  case DPPAIR_MARGIN_factor:
    m.kinds = 2;
    m.norm = r2 * r2;
    remote = m.norm * b->param_radius; /* the largest M */
    if (factor) {
      m.norm = 2.0 * m.norm * b->param_radius;
      remote *= b->param_radius;
      m.crossed[0] = DPPAIR_LOW_;
      m.crossed[1] = DPPAIR_HIGH_;
    }
    least = margin == DPPAIR_MARGIN_metric ? remote : 0.0; /* the smallest M is minus this */
    m.low[0] = b->offset - remote;
    m.high[0] = b->offset + least;
    m.low[1] = -b->offset - least;
    m.high[1] = -b->offset + remote;
    break;
  default: /* similarity */
    m.kinds = 2;
    m.norm = b->radius * b->radius;
    remote = m.norm * b->param_radius;
    m.low[0] = -b->offset - remote;
    m.high[0] = -b->offset + remote;
    m.low[1] = b->offset - remote;
    m.high[1] = b->offset + remote;
    break;
  }
  if (m.kinds == 1) {
    m.low[0] = -remote;
    m.high[0] = remote;
  }
  m.reach = m.kinds == 1 ? remote : remote + dppair_fabs_(b->offset);
  for (k = 0; k < m.kinds; k++)
    dppair_slopes_add_(&m.phi[k], x, m.low[k], m.high[k], m.reach, m.crossed[k]);
  return m;
}

/* |phi'(0)| and phi'' of a parabola; zeros of any other loss, and where a parabola is cut. */
DPPAIR_API dppair_range dppair_parabola_(const dppair_domain_ *x) {
  const dppair_margins zero = {0.0, 0.0, 0.0, 0.0, NULL};
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (!(x->facts.flags & DPPAIR_IS_QUADRATIC) || !x->straight) return r;
  x->facts.range(&r, &zero, x->params);
  return r;
}

/*
 * The mean of a pair's two gradients: *mean bounds its norm and *spread how far it moves with one
 * of the two records. In: the reach of the margin; `largest`, the norm of one gradient; `sum`, the
 * length of the range of the coefficients; `nearby`, what the factor's pairs near t = 0 add.
 */
DPPAIR_API void dppair_mean_of_orders_(double *mean, double *spread, dppair_margin margin,
                                       const dppair_domain_ *x, const dppair_reach_ *m,
                                       double largest, double sum, double nearby) {
  const int levels = margin == DPPAIR_MARGIN_ind_levels || margin == DPPAIR_MARGIN_sign_levels;
  const int residual = margin == DPPAIR_MARGIN_residual;
  const int similarity = margin == DPPAIR_MARGIN_similarity;
  const double clip = x->bounds.clip > 0.0 ? x->bounds.clip : HUGE_VAL;
  const dppair_range at_zero = dppair_parabola_(x);
  const double slope = at_zero.down > at_zero.up ? at_zero.down : at_zero.up;
  const double curvature = at_zero.curvature, odd = m->phi[0].odd;
  *mean = residual && dppair_isfinite_f64(odd) ? dppair_times_(odd, m->norm) : largest;
  *spread = dppair_times_(sum, m->norm) + nearby;
  if (levels || residual || similarity) *spread = 2.0 * *mean;
  if (curvature > 0.0 && margin < DPPAIR_MARGIN_residual)
    *spread = *mean + (levels ? dppair_times_(slope, m->norm) : 0.0);
  if (curvature > 0.0 && residual && !(slope > 0.0 && clip < largest)) *spread = *mean;
  if (curvature > 0.0 && similarity)
    *spread = *mean + dppair_times_(curvature * dppair_fabs_(x->bounds.offset) + slope, m->norm);
  /* nothing but rounding errors is left of a residual's two orders */
  if (residual && dppair_isfinite_f64(largest) && *mean <= 64.0 * DBL_EPSILON * largest)
    *mean = 0.0;
  *mean = dppair_least_(*mean, clip);
  *spread = dppair_least_(*spread, 2.0 * *mean);
}

/* The constants at arguments in range, before they are rounded up. */
DPPAIR_OUT_OF_LINE_ void dppair_constants_fill_(dppair_constants *out, dppair_margin margin,
                                                const dppair_domain_ *x) {
  const int factor = margin == DPPAIR_MARGIN_factor;
  /* of 'ind' one order of a pair is 0, which halves the mean of the two */
  const int is_ind = margin == DPPAIR_MARGIN_ind || margin == DPPAIR_MARGIN_ind_levels;
  const double share = is_ind ? 0.5 : 1.0, clip = x->bounds.clip > 0.0 ? x->bounds.clip : HUGE_VAL;
  const dppair_reach_ m = dppair_reach_of_(margin, x);
  double down, up, largest, change, mean, spread, norm = HUGE_VAL, nearby = 0.0;
  /* coefficients of pairs of equal labels are -phi', those of opposite labels +phi' */
  down = m.phi[0].up > m.phi[1].down ? m.phi[0].up : m.phi[1].down;
  up = m.phi[0].down > m.phi[1].up ? m.phi[0].down : m.phi[1].up;
  out->slope = down > up ? down : up;
  if (factor && !(x->facts.flags & DPPAIR_IS_SMOOTH))
    nearby = dppair_factor_near_(&out->slope, down, up, x);
  largest = dppair_times_(out->slope, m.norm);
  change = m.phi[0].curvature > m.phi[1].curvature ? m.phi[0].curvature : m.phi[1].curvature;
  change = dppair_times_(dppair_times_(change, m.norm), m.norm);
  if (factor) dppair_factor_bounds_(&norm, &change, x);
  largest = dppair_least_(largest, norm);
  out->lipschitz = dppair_least_(largest, clip);
  out->smoothness = change;
  out->bound = m.phi[0].value > m.phi[1].value ? m.phi[0].value : m.phi[1].value;
  out->convex =
      x->facts.flags & DPPAIR_IS_CONVEX && !factor && dppair_isfinite_f64(x->bounds.radius);
  if (clip < largest && !out->convex) out->smoothness = HUGE_VAL;
  dppair_mean_of_orders_(&mean, &spread, margin, x, &m, largest, down + up, nearby);
  out->move = share * spread;
  out->replace_one = 2.0 * out->move;
  out->zero_out = 2.0 * (share * mean);
}

/* Whether x is a size: HUGE_VAL, or a number that is large enough for products of four sizes to be
 * normal numbers; not NaN, negative or 0. */
DPPAIR_API int dppair_size_or_infinite_(double x) {
  return x >= 1e-60 && (x <= 1e100 || !dppair_isfinite_f64(x));
}

/* The arguments of dppair_constants_find that are not written: NULL, DOMAIN. */
DPPAIR_API dppair_status dppair_domain_check_(dppair_margin margin, const dppair_loss_facts *facts,
                                              const double *params, const dppair_bounds *b) {
  dppair_status status;
  if (!facts || !facts->range || !b) return DPPAIR_ERR_NULL;
  status = dppair_facts_check_(facts, params);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)margin >= (unsigned)DPPAIR_MARGIN_COUNT) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(b->radius)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(b->param_radius)) return DPPAIR_ERR_DOMAIN;
  if ((margin == DPPAIR_MARGIN_diff || margin == DPPAIR_MARGIN_residual) &&
      !dppair_size_or_infinite_(b->label_bound))
    return DPPAIR_ERR_DOMAIN;
  if (!(dppair_fabs_(b->offset) <= 1e100)) return DPPAIR_ERR_DOMAIN;
  return b->clip == 0.0 || (b->clip >= 1e-60 && b->clip <= 1e100) ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/*
 * *out = the constants of a loss with a margin on the public domain *bounds. Each is an upper
 * bound, rounded up, and holds for margins as computed, in float too: where phi' or phi'' jumps at
 * an end of the interval of margins, or beyond it by up to 2^-10 of the largest margin, both sides
 * count.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n, but for
 * rounding. NAME_sensitivity adds that, and knows batches.
 *
 * How tight they are without a clip, at any radii, bounds and offsets, but for such a jump beyond
 * an end:
 *   G, M, zero_out   attained (the factor's up to the grid on which they are computed)
 *   L                attained by the margins that are linear in the parameters, valid for factor
 *   move             attained in ind, diff, sign by monotone links, square, least_squares, absolute
 *                    and pinball; in residual by the last four; elsewhere by links of constant
 *                    slope (hinge, absolute, pinball) but for factor. Where it is only valid it is
 *                    at most twice the truth, which is zero_out/2 at least.
 * With a clip below G all are valid and none exceeds its value without one (a clipped loss that is
 * not convex has no L); zero_out is not attained in residual.
 *
 * facts: dppair_loss_facts_of of a loss chosen at run time, or what DPPAIR_FACTS fills in for one
 * that is known.
 *
 * Errors (out zeroed): NULL (also facts of no loss); ENVIRONMENT; DOMAIN for parameters of the loss
 * or bounds out of range (radius, param_radius in [1e-60, 1e100] or HUGE_VAL, label_bound likewise
 * where it is used, clip likewise or 0, |offset| <= 1e100); NO_PROOF when the gradient has no
 * finite bound: an unbounded slope without projection, any scorer (radius HUGE_VAL) without a clip,
 * or a mean of two orders that is constant, so that only rounding errors would be released (the
 * sigmoid of a residual; a ramp whose margins never come near [0, 1]). (Xue et al. 2021 and Kang et
 * al. 2021 print smaller G and L for logistic ranking and metric learning, by factors of 2 and 4
 * and of 4.8 and 19; the tests reach the values given here.)
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_constants_find(dppair_constants *out,
                                                                 dppair_margin margin,
                                                                 const dppair_loss_facts *facts,
                                                                 const double *params,
                                                                 const dppair_bounds *bounds) {
  const double up = 1.0 + 32.0 * DBL_EPSILON;
  dppair_status status;
  dppair_domain_ x;
  dppair_constants global;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  status = dppair_domain_check_(margin, facts, params, bounds);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  x.facts = *facts;
  x.params = params;
  x.bounds = *bounds;
  x.slack = 0.0;
  x.straight = 1;
  dppair_constants_fill_(out, margin, &x);
  if (!dppair_isfinite_f64(out->lipschitz) || !dppair_isfinite_f64(out->replace_one) ||
      !(out->replace_one >= DBL_MIN)) {
    memset(out, 0, sizeof *out);
    return DPPAIR_ERR_NO_PROOF;
  }
  x.bounds.param_radius = HUGE_VAL;
  memset(&global, 0, sizeof global);
  dppair_constants_fill_(&global, margin, &x);
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
 * The constants of the regularised risk: *alpha = its strong convexity; *total = smoothness,
 * Lipschitz constant and bound of its pair loss. Conditions on step sizes
 * (eta <= 2/(smoothness + alpha)) and utility bounds need these; sensitivities need the constants
 * of the data loss alone. With a = lambda or 2 lambda: alpha = a, L + a, G + a B, M + a B^2/2;
 * without projection the last two are HUGE_VAL. Errors: NULL; DOMAIN (lambda not in (0, 1e100],
 * param_radius as above); NO_PROOF when the data loss is not convex, so that nothing is strongly
 * convex; ENVIRONMENT. Outputs zeroed on error.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_constants_regularise_(double *alpha, dppair_constants *total, const dppair_constants *data,
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
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
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
