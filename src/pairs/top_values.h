/* ------------------------------------------------------------------------------------------------
 * Sums of phi over all partners, near-linear
 *
 * What top.h needs beside sums of slopes: h_k = the sum over j of phi(x_k - s_j), by one of three
 * ways, which the pass chooses as for coefficients.
 *
 *   loops      O(n) per number, as NAME_risk_not_private adds
 *   sorting    of a piecewise linear slope: phi is a parabola between knots, so h_k is made of
 *              counts, sums and sums of squares of the scores beyond each knot: O(n log n), exact
 *              but for rounding
 *   boxes      of an analytic slope: h, as a function of x, is interpolated at the p Chebyshev
 * nodes of each box of the state's grid that holds an x; the sums at nodes go by loops. O(n) for
 * each of at most 2 cap/width boxes. The grid is fixed, so that what is summed is a fixed function
 * K(x, s) of the two scores
 *
 * The error of the boxes. phi is a linear function and strength distance/pi times the integral of
 * f(t), or of f(1 - f) = f', t = pi u/distance (L_POLES). In the second case phi has f's own simple
 * poles, and box.h bounds what interpolation in one variable leaves by E1 of order 1. In the first
 * it is a sum of logarithms ln(x - zeta), one for each pole of f. Interpolating 1/(x - zeta) leaves
 * T_p(x)/(T_p(zeta)(x - zeta)); ln(x - zeta) is, but for a constant that is interpolated exactly,
 * the integral of that over zeta from here to infinity along the imaginary direction, and so leaves
 * at most the integral over y' > y of 1/(y' sinh(p asinh y')). For y' >= y >= 1 (pi width <= 4
 * distance) the logarithm of the sinh grows by at least p/(sqrt(1 + y^2)) >= p/(sqrt 2 y), so that
 * this is at most (sqrt 2/p)/sinh(p asinh y). Over all pairs of poles, y_k = (2k + 1) y_0:
 *
 *     (2 sqrt 2/p) sum over k of 1/sinh(p asinh y_k) <= (2 sqrt 2/p) 1.01 (pi/2) E1 <= E1, p >= 8
 *
 * because the sinh grow like (2k + 1)^(p/sqrt 2), and the first term of E1 is (2/pi)/sinh. Hence in
 * both cases strength (distance/pi) E1 of order 1; dppair_box_bound_ is at least twice that.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TOP

DPPAIR_FP_BEGIN_

/* How far values as they are summed are from those of phi, per partner: `kernel`, of the fixed
 * function K, and `rounding`, what depends on the other records. */
typedef struct DPPAIR_NAME_top_error_ {
  double kernel, rounding;
} DPPAIR_NAME_top_error_;

/* The loops: h[k] for k < count, after at most 64 additions in the element type in double. */
DPPAIR_API void DPPAIR_NAME_top_loops_(double *h, const DPPAIR_REAL *x, size_t count,
                                       const DPPAIR_REAL *s, size_t n, const double *params) {
  size_t k;
  for (k = 0; k < count; k++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (h + k, x + k, 1, s, n, params));
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* What a piece adds to phi at u, such that it is 0 from its knot on; at 0 where it has no knot. */
DPPAIR_API double DPPAIR_NAME_top_piece_(const dppair_piece *piece, double u) {
  const double knot = dppair_isfinite_f64(piece->knot) ? piece->knot : 0.0;
  if (dppair_isfinite_f64(piece->knot) && !(u < knot)) return 0.0;
  return (u - knot) * (piece->constant + 0.5 * piece->factor * (u + knot));
}

/* h by sorting, in the workspace of the state: at least n scores have room there. */
DPPAIR_API void DPPAIR_NAME_top_sorted_(double *h, const DPPAIR_REAL *x, size_t count,
                                        const DPPAIR_REAL *s, size_t n, const dppair_pass *pass) {
  const double *params = pass->params;
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const double cap = pass->fast->score_cap;
  double *const key = pass->fast->work, *const sum = key + n, *const square = sum + n + 1, base;
  const DPPAIR_REAL zero = 0;
  size_t i, k, q;
  (void)params;
  DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (&base, &zero, 1, &zero, 1, params));
  for (q = 0; q < sizeof pieces / sizeof *pieces; q++)
    base -= DPPAIR_NAME_top_piece_(pieces + q, 0.0);
  for (i = 0; i < n; i++) key[i] = dppair_top_held_((double)s[i], cap);
  dppair_sort_f64(key, n);
  sum[n] = square[n] = 0.0; /* of the largest keys */
  for (i = n; i-- > 0;) {
    sum[i] = sum[i + 1] + key[i];
    square[i] = square[i + 1] + key[i] * key[i];
  }
  for (k = 0; k < count; k++) {
    const double v = dppair_top_held_((double)x[k], cap);
    h[k] = base * (double)n;
    for (q = 0; q < sizeof pieces / sizeof *pieces; q++) {
      const int always = !dppair_isfinite_f64(pieces[q].knot);
      const double knot = always ? 0.0 : pieces[q].knot;
      size_t first = 0, end = n;
      double number, linear, parabola;
      while (first < end && !always) { /* the first key with v - key < knot */
        const size_t mid = first + (end - first) / 2;
        if (v - key[mid] < knot)
          end = mid;
        else
          first = mid + 1;
      }
      number = (double)(n - first);
      linear = number * v - sum[first];
      parabola = number * v * v - 2.0 * v * sum[first] + square[first];
      h[k] += pieces[q].constant * (linear - number * knot) +
              0.5 * pieces[q].factor * (parabola - number * knot * knot);
    }
  }
}

#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* The Chebyshev coefficients c[p] of h in the box whose left end is at low. held: n scores within
 * the cap. */
DPPAIR_API void DPPAIR_NAME_top_box_(double *c, double low, const DPPAIR_REAL *held, size_t n,
                                     const dppair_fast *f, const double *params) {
  double v[DPPAIR_BOX_TERMS_], unused;
  const int p = f->terms;
  int i, m;
  for (i = 0; i < p; i++) {
    const double at = low + f->width * 0.5 * (1.0 + dppair_box_cosine_(2 * i + 1, p, &unused));
    const DPPAIR_REAL node = (DPPAIR_REAL)at;
    DPPAIR_NAME_top_loops_(v + i, &node, 1, held, n, params);
  }
  for (m = 0; m < p; m++) {
    c[m] = 0.0;
    for (i = 0; i < p; i++) c[m] += v[i] * dppair_box_cosine_(m * (2 * i + 1), p, &unused);
    c[m] *= (m ? 2.0 : 1.0) / (double)p;
  }
}

/* h by boxes, in the workspace of the state: coefficients of each box, and which boxes have them.
 */
DPPAIR_API void DPPAIR_NAME_top_boxes_(double *h, const DPPAIR_REAL *x, size_t count,
                                       const DPPAIR_REAL *held, size_t n, const dppair_pass *pass) {
  const dppair_fast *f = pass->fast;
  const double half = (double)(f->capacity / 2);
  double *const of_box = f->work, *const known = of_box + f->capacity * (size_t)f->stride;
  size_t k;
  memset(known, 0, f->capacity * sizeof *known);
  for (k = 0; k < count; k++) {
    const double v = dppair_top_held_((double)x[k], f->score_cap) / f->width;
    const double box = floor(v), t = 2.0 * (v - box) - 1.0;
    const size_t at = (size_t)(box + half);
    double *const c = of_box + at * (size_t)f->stride;
    double one = 0.0, two = 0.0; /* Clenshaw */
    int m;
    if (!(known[at] > 0.0)) DPPAIR_NAME_top_box_(c, box * f->width, held, n, f, pass->params);
    known[at] = 1.0;
    for (m = f->terms - 1; m > 0; m--) {
      const double next = 2.0 * t * one - two + c[m];
      two = one;
      one = next;
    }
    h[k] = t * one - two + c[0];
  }
}
#endif

/* h[k] = the sum over j < n of phi(x[k] - s[j]), k < count; held: room for n scores. With a state
 * scores count as at most its cap. WORKSPACE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_values_(double *h, const DPPAIR_REAL *x,
                                                                   size_t count,
                                                                   const DPPAIR_REAL *s, size_t n,
                                                                   DPPAIR_REAL *held,
                                                                   const dppair_pass *pass) {
  (void)held;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (pass->fast && (pass->fast->kind != DPPAIR_KIND_ || !pass->fast->run))
    return DPPAIR_ERR_WORKSPACE;
#endif
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  if (pass->fast) {
    DPPAIR_NAME_top_sorted_(h, x, count, s, n, pass);
    return DPPAIR_OK;
  }
#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  if (pass->fast) {
    size_t i;
    for (i = 0; i < n; i++)
      held[i] = (DPPAIR_REAL)dppair_top_held_((double)s[i], pass->fast->score_cap);
    DPPAIR_NAME_top_boxes_(h, x, count, held, n, pass);
    return DPPAIR_OK;
  }
#endif
  DPPAIR_NAME_top_loops_(h, x, count, s, n, pass->params);
  return DPPAIR_OK;
}

/*
 * What that leaves, for n records, slopes of at most `slope` and values of at most `most` in size.
 * A value of a pair is within 8 epsilon of the type; sums of 64 and of lanes in the type take 80
 * roundings, those in double n + 16. Boxes: the figure above; a node is off by 2 epsilon of itself,
 * which interpolation magnifies as it does the values there, by Lambda <= 2 + (2/pi) ln p; values
 * at nodes, up to a width beyond the cap, are at most `far`; the transform and Clenshaw's sum take
 * p roundings for each of p terms. Sorting: n + 32 roundings of numbers of at most 8 cap weight.
 */
DPPAIR_API DPPAIR_NAME_top_error_ DPPAIR_NAME_top_error_of_(const dppair_fast *f, double n,
                                                            double slope, double most,
                                                            const double *params) {
  const double u = 0.5 * DBL_EPSILON;
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  DPPAIR_NAME_top_error_ e;
  (void)params;
  (void)slope;
  e.kernel = 8.0 * epsilon * most;
  e.rounding = most * (40.0 * epsilon + 1.01 * (n + 16.0) * u);
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  if (f) {
    dppair_poles poles = DPPAIR_LOSS_POLES(params);
    const double p = (double)f->terms, magnified = 2.0 + log(p);
    const double steep = slope + poles.strength, far = most + steep * 2.0 * f->width;
    poles.order = 1;
    e.kernel =
        poles.distance / 3.14 * dppair_box_bound_(f->width, f->terms, poles) +
        magnified * (8.0 * epsilon * far + 2.0 * epsilon * steep * (f->score_cap + 2.0 * f->width));
    e.rounding = far * (magnified * (40.0 * epsilon + 1.01 * (n + 16.0) * u) + 16.0 * p * p * u);
  }
#elif DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  if (f)
    e.rounding += f->weight * 8.0 * f->score_cap * (n + 32.0) * u * 1.01 + 8.0 * epsilon * most;
#endif
  (void)f;
  return e;
}

DPPAIR_FP_END_

#endif /* DPPAIR_TOP */
