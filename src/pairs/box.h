/* ------------------------------------------------------------------------------------------------
 * The box method: grid, error and table
 *
 * Coefficients of analytic losses in O(n). This chapter bounds the error, plans the grid and fills
 * the table; box_kernels.h computes with them, template.h checks arguments. fast_state.h has the
 * types, rounding.h what arithmetic adds to a sensitivity.
 *
 * Scores are cut into boxes of width h, on a grid fixed in score coordinates. Between two boxes the
 * slope phi'(s - s') is replaced by the polynomial in both scores that interpolates it at the p
 * Chebyshev nodes of each box, so sums over partners need only p moments per box. Boxes that are
 * far apart use a limit of the slope, which is then flat to within the same error. Which of the two
 * is used depends on the two boxes only. So what is summed is a fixed function K(s, s') of the two
 * scores.
 *
 * The error. With t = pi u/distance, 1/(1+e^-t) - 1/2 is the sum of 1/(t - z) over the poles
 * z = +-(2k+1) i pi. On a box of width h (in units of t) let zeta = (2/h)(z - centre);
 * interpolating 1/(x - zeta) at the zeros of T_p leaves exactly T_p(x)/(T_p(zeta)(x - zeta)), and
 * |T_p(zeta)| >= sinh(p asinh |Im zeta|), |x - zeta| >= |Im zeta| = y_k = (2k+1) 2 pi/h whatever
 * the centre. Hence
 *
 *     E1 = (2/pi) sum over k >= 0 of 1/((2k+1) sinh(p asinh y_k))                        (order 1)
 *
 * in one variable and E = (1 + Lambda) E1 in two, Lambda <= 1 + (2/pi) ln p being the norm of
 * interpolation. The derivative has double poles; differentiating the same identity in zeta gives
 *
 *     E1 = 2 (2/h)^2 sum of (1/y_k^2 + p coth(p asinh y_k)/(y_k sqrt(1+y_k^2)))/sinh(p asinh y_k)
 *
 * and once more, for triple poles (the curvature of the sigmoid loss): the error of 2/(x-zeta)^3 is
 * that of 1/(x-zeta) times 2/(x-zeta)^2 - 2 T'/((x-zeta) T) + 2 (T'/T)^2 - T''/T, T = T_p(zeta).
 * With A = p coth(p asinh y)/sqrt(1+y^2) >= |T'/T| and (1-zeta^2) T'' = zeta T' - p^2 T,
 *
 *     E1 = 2 (2/h)^3 sum of B/(y sinh(p asinh y)), y = y_k,
 *     B = 2/y^2 + 2A/y + 2A^2 + (A sqrt(2+y^2) + p^2)/(1+y^2)
 *
 * because |zeta^2 - 1| >= 1 + y^2 for y >= 1, which h <= 4 grants, whatever the centre.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPPAIR_BOX_PI_ 3.14159265358979323846
#define DPPAIR_BOX_TERMS_ 16 /* the most Chebyshev nodes of a box */
#define DPPAIR_BOX_REACH_ 64 /* the most boxes between two whose slope is interpolated */
#define DPPAIR_BOX_MOST_ 1e6 /* limit of the boxes on either side of 0, of distance and of rate */

/* The term of the k-th pair of poles in E1, for p terms and boxes of width h in units of t. */
DPPAIR_API double dppair_box_term_(int k, double h, double p, int order) {
  const double pi = DPPAIR_BOX_PI_;
  const double odd = 2.0 * k + 1.0, y = odd * 2.0 * pi / h, s = dppair_sinh_(p * dppair_asinh_(y));
  const double root = dppair_sqrt_(1.0 + y * y),
               slope = p * dppair_sqrt_(1.0 + 1.0 / (s * s)) / root; /* A */
  if (order == 1) return 2.0 / (pi * odd * s);
  if (order == 3)
    return 16.0 / (h * h * h) *
           (2.0 / (y * y) + 2.0 * slope / y + 2.0 * slope * slope +
            (slope * dppair_sqrt_(2.0 + y * y) + p * p) / (root * root)) /
           (y * s);
  return 8.0 / (h * h) *
         (1.0 / (y * y) + p * dppair_sqrt_(1.0 + 1.0 / (s * s)) / (y * dppair_sqrt_(1.0 + y * y))) /
         s;
}

/* A certified bound of |K - slope| for boxes of this width (in units of scores) and this many
 * terms: E of the derivation above, times the strength of the poles. The rounding of K's
 * coefficients is not included. HUGE_VAL when an argument is out of range (2 <= terms <= 64, 0 < pi
 * width/distance <= 4, strength >= 0) or when sums are not rounded to nearest. */
DPPAIR_API double dppair_box_bound_(double width, int terms, dppair_poles poles) {
  const double pi = DPPAIR_BOX_PI_, p = (double)terms, h = pi * width / poles.distance;
  const int pairs = 16;             /* of poles that are added one by one */
  const double above = 1.0 + 1e-12; /* the rounding of this sum */
  double sum = 0.0, last = 0.0;
  int k;
  if (!(h > 0.0 && h <= 4.0) || terms < 2 || terms > 64 || !(poles.strength >= 0.0) ||
      dppair_environment_check() != DPPAIR_OK)
    return HUGE_VAL;
  for (k = 0; k < pairs; k++) {
    last = dppair_box_term_(k, h, p, poles.order);
    sum += last;
  }
  /* what is left out falls at least as fast as 1/(2k+1)^3: less than 16 times the last term */
  return (sum + 16.0 * last) * poles.strength * (2.0 + 2.0 / pi * dppair_log_(p)) * above;
}

/* Double-double sums for the table. (*hi, *lo) += (x, y): the sum of *hi and x is exact before it
 * is rounded to a pair. */
DPPAIR_FORCE_INLINE_ void dppair_dd_add_(double *hi, double *lo, double x, double y) {
  const double s = *hi + x, t = s - *hi, e = (*hi - (s - t)) + (x - t) + *lo + y;
  *hi = s + e;
  *lo = e - (*hi - s);
}

/* (*hi, *lo) += (a_hi, a_lo) b: the product a_hi b is exact. */
DPPAIR_FORCE_INLINE_ void dppair_dd_fma_(double *hi, double *lo, double a_hi, double a_lo,
                                         double b) {
  const double p = a_hi * b;
  dppair_dd_add_(hi, lo, p, dppair_fma_f64_(a_hi, b, -p) + a_lo * b);
}

/* cos(j pi/(2p)) rounded to double for p = terms = 8, 12, 16 and any integer j >= 0; *low is the
 * rest, also rounded. The tables hold cos(j pi/32) and cos(j pi/24). */
DPPAIR_API double dppair_box_cosine_(int j, int terms, double *low) {
  static const double c32[17][2] = {{1.0, 0.0},
                                    {0.9951847266721969, -4.248691367830441e-17},
                                    {0.9807852804032304, 1.8546939997825006e-17},
                                    {0.9569403357322088, 4.05538698618757e-17},
                                    {0.9238795325112867, 1.7645047084336677e-17},
                                    {0.881921264348355, -1.9843248405890562e-17},
                                    {0.8314696123025452, 1.4073856984728024e-18},
                                    {0.773010453362737, -3.256590703364977e-17},
                                    {0.7071067811865476, -4.833646656726457e-17},
                                    {0.6343932841636455, 1.0420901929280035e-17},
                                    {0.5555702330196022, 4.709410940561677e-17},
                                    {0.47139673682599764, 6.516678136069013e-18},
                                    {0.3826834323650898, -1.0050772696461588e-17},
                                    {0.2902846772544624, -1.892797870777425e-17},
                                    {0.19509032201612828, -7.991079068461731e-18},
                                    {0.0980171403295606, -1.634582362244256e-18},
                                    {0.0, 0.0}};
  static const double c24[13][2] = {{1.0, 0.0},
                                    {0.9914448613738104, 2.898989874454537e-17},
                                    {0.9659258262890683, -2.5463971562308955e-17},
                                    {0.9238795325112867, 1.7645047084336677e-17},
                                    {0.8660254037844386, 5.0175421109034514e-17},
                                    {0.7933533402912352, -5.028625073907125e-19},
                                    {0.7071067811865476, -4.833646656726457e-17},
                                    {0.6087614290087207, -1.647047979025087e-17},
                                    {0.5, 1.34e-58},
                                    {0.3826834323650898, -1.0050772696461588e-17},
                                    {0.25881904510252074, 2.287249500495561e-17},
                                    {0.1305261922200516, -9.607666023901524e-18},
                                    {0.0, 0.0}};
  double sign = 1.0;
  j %= 4 * terms;
  if (j > 2 * terms) j = 4 * terms - j;
  if (j > terms) {
    sign = -1.0;
    j = 2 * terms - j;
  }
  *low = sign * (terms == 12 ? c24[j][1] : c32[j * 16 / terms][1]);
  return sign * (terms == 12 ? c24[j][0] : c32[j * 16 / terms][0]);
}

/* A square of numbers for pairs of nodes or of powers, of which p x p are used. */
typedef double dppair_box_matrix_[DPPAIR_BOX_TERMS_][DPPAIR_BOX_TERMS_];

/* t[m][k] = the coefficient of x^k in T_m, an integer, for m < p. */
DPPAIR_API void dppair_box_chebyshev_(dppair_box_matrix_ t, int p) {
  int m, k;
  memset(t, 0, sizeof(dppair_box_matrix_));
  t[0][0] = t[1][1] = 1.0;
  for (m = 2; m < p; m++)
    for (k = 0; k <= m; k++) t[m][k] = (k ? 2.0 * t[m - 1][k - 1] : 0.0) - t[m - 2][k];
}

/* hi[k][i] + lo[k][i] = the coefficient of x^k in the polynomial that is 1 at node i and 0 at the
 * others: the sum over m of (2 - [m=0])/p T_m(x_i) times the coefficient of x^k in T_m. */
DPPAIR_API void dppair_box_basis_(dppair_box_matrix_ hi, dppair_box_matrix_ lo, int p) {
  dppair_box_matrix_ t;
  int m, k, i;
  dppair_box_chebyshev_(t, p);
  for (k = 0; k < p; k++)
    for (i = 0; i < p; i++) {
      double h = 0.0, l = 0.0;
      for (m = k; m < p; m++) {
        double low, c = dppair_box_cosine_(m * (2 * i + 1), p, &low);
        dppair_dd_fma_(&h, &l, c, low, m ? 2.0 * t[m][k] : t[m][k]);
      }
      /* divide by p in double-double */
      hi[k][i] = h / (double)p;
      lo[k][i] = (dppair_fma_f64_(-hi[k][i], (double)p, h) + l) / (double)p;
    }
}

/* The polynomials in the first score for each node j of the second: gh[k][j] + gl[k][j], the
 * coefficient of t^k in the one that takes the values slopes[i * p + j] at the nodes i. */
DPPAIR_API void dppair_box_first_(dppair_box_matrix_ gh, dppair_box_matrix_ gl,
                                  const double *slopes, int p, dppair_box_matrix_ hi,
                                  dppair_box_matrix_ lo) {
  int i, j, k;
  for (k = 0; k < p; k++)
    for (j = 0; j < p; j++) {
      gh[k][j] = gl[k][j] = 0.0;
      for (i = 0; i < p; i++)
        dppair_dd_fma_(&gh[k][j], &gl[k][j], hi[k][i], lo[k][i], slopes[i * p + j]);
    }
}

/* The table for one offset between boxes, from the slopes at pairs of nodes, slopes[i * p + j]:
 * column[l * stride + k] = K_kl, which multiplies t^k of the positive's coordinate and the l-th
 * moment of the negatives. The slope is a function of s - s' and the nodes are symmetric, so K_kl =
 * (-1)^(k+l) K_lk; this holds to the last bit because only one of the two is computed. Returns the
 * sum of |K_kl|. */
DPPAIR_API double dppair_box_column_(double *column, const double *slopes, int p, int stride,
                                     dppair_box_matrix_ hi, dppair_box_matrix_ lo) {
  dppair_box_matrix_ gh, gl;
  double total = 0.0;
  int j, k, l;
  memset(column, 0, (size_t)(p * stride) * sizeof *column);
  dppair_box_first_(gh, gl, slopes, p, hi, lo);
  for (k = 0; k < p; k++)
    for (l = 0; l <= k; l++) {
      double h = 0.0, e = 0.0;
      for (j = 0; j < p; j++) {
        dppair_dd_fma_(&h, &e, gh[k][j], gl[k][j], hi[l][j]);
        dppair_dd_add_(&h, &e, gh[k][j] * lo[l][j], 0.0);
      }
      column[l * stride + k] = h;
      column[k * stride + l] = (k + l) % 2 ? -h : h;
      total += k == l ? dppair_fabs_(h) : 2.0 * dppair_fabs_(h);
    }
  return total;
}

/* Zeroes a[np] and b[nn]. NULL when one is missing; OVERFLOW, and nothing is touched, when no
 * memory holds so many numbers. */
DPPAIR_API dppair_status dppair_zero_(double *a, size_t np, double *b, size_t nn) {
  if (np > SIZE_MAX / sizeof *a || nn > SIZE_MAX / sizeof *b) return DPPAIR_ERR_OVERFLOW;
  if (a && np) memset(a, 0, np * sizeof *a);
  if (b && nn) memset(b, 0, nn * sizeof *b);
  return (!a && np) || (!b && nn) ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

/* `status`, or NOT_FINITE if it is OK and a number of a[np] or b[nn] is not finite. On an error
 * both arrays are zeroed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_settle_(dppair_status status, double *a,
                                                          size_t np, double *b, size_t nn) {
  if (status == DPPAIR_OK && !(dppair_all_finite_f64(a, np) && dppair_all_finite_f64(b, nn)))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) dppair_zero_(a, np, b, nn);
  return status;
}

/* Zeroes the outputs of NAME_coeffs_fast and checks its arguments, but for numbers in scores and
 * whose state it is. */
DPPAIR_API dppair_status dppair_fast_check_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            int kind) {
  const dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn) || !f) return DPPAIR_ERR_NULL;
  if (f->kind != kind || !f->run) return DPPAIR_ERR_WORKSPACE;
  /* the test uses the number of all records, which is public; that of a class is not */
  if (np > f->most || nn > f->most - np) return DPPAIR_ERR_WORKSPACE;
  return DPPAIR_OK;
}

/* The method of sorting, after those checks: a[np], b[nn] from finite scores of either type. */
DPPAIR_API dppair_status dppair_pieces_run_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            const dppair_piece *pieces, int count, int is_f32,
                                            const double *const *weight) {
  dppair_status status;
  DPPAIR_DISPATCH_(dppair_pieces_coeffs,
                   (&status, a, b, sp, np, sn, nn, f, pieces, count, is_f32, weight));
  return status;
}

/* Sets f->reach, the number of boxes beyond which the limits of the slope are used, and returns the
 * error of doing so, strength e^-(rate distance). The reach is the least one whose error is at most
 * 1/64 of kernel_error, so that it does not matter, but never more than DPPAIR_BOX_REACH_. */
DPPAIR_API double dppair_box_reach_(dppair_fast *f, double strength, double rate) {
  for (f->reach = 1;; f->reach++) {
    const double span = strength * dppair_exp_(-rate * f->width * f->reach) * (1.0 + 1e-12);
    if (span <= f->kernel_error / 64.0 || f->reach == DPPAIR_BOX_REACH_) return span;
  }
}

/* Terms, width, reach, boxes and error of the grid for these poles; no table and no workspace yet.
 * DOMAIN for poles, an accuracy or a cap that are out of range. */
DPPAIR_API dppair_status dppair_box_plan_(dppair_fast *f, dppair_poles poles,
                                          dppair_accuracy accuracy, double score_cap) {
  const double rate = DPPAIR_BOX_PI_ / poles.distance;
  double span, table;
  int e;
  memset(f, 0, sizeof *f);
  if (!(poles.distance > 0.0 && poles.distance < DPPAIR_BOX_MOST_ && rate < DPPAIR_BOX_MOST_) ||
      !(poles.strength >= 0.0) || !dppair_isfinite_f64(poles.strength))
    return DPPAIR_ERR_DOMAIN;
  if ((int)accuracy < 0 || accuracy > DPPAIR_ACCURACY_1E12) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(score_cap) || score_cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  f->kind = DPPAIR_KIND_ANALYTIC_;
  f->terms = 8 + 4 * (int)accuracy;
  f->stride = f->terms > 8 ? 16 : 8;
  (void)dppair_frexp_(2.0 / rate, &e); /* the largest power of two with rate h <= 2 */
  f->width = dppair_ldexp_(1.0, e - 1);
  f->score_cap = score_cap;
  if (score_cap / f->width > DPPAIR_BOX_MOST_) return DPPAIR_ERR_DOMAIN;
  f->capacity = 2 * (size_t)(score_cap / f->width + 0.5) + 2;
  /* The table's own error: slopes at the nodes are within 4 ulp, and the margins' rounding moves
   * them by less than 2 more (|u| |slope'(u)| < strength/2); interpolation in two variables
   * magnifies that by at most (1 + (2/pi) ln p)^2 < 8. The transform is in double-double; one
   * rounding of each coefficient remains, at most weight ulp in all. */
  table = poles.strength * DBL_EPSILON * (8.0 * 6.0 + 4.0);
  f->kernel_error = dppair_box_bound_(f->width, f->terms, poles) + table;
  span = dppair_box_reach_(f, poles.strength, rate);
  if (span > f->kernel_error) f->kernel_error = span;
  return DPPAIR_OK;
}

/* Doubles of the table. */
DPPAIR_API size_t dppair_box_table_(const dppair_fast *f) {
  return (2 * (size_t)f->reach + 1) * (size_t)(f->terms * f->stride);
}

DPPAIR_FP_END_
