/* ------------------------------------------------------------------------------------------------
 * Near-linear coefficients of analytic losses: the box method
 *
 * Scores are cut into boxes of width h, on a grid fixed in score coordinates. Between two boxes the
 * slope phi'(s - s') is replaced by the polynomial in both scores that interpolates it at the p
 * Chebyshev nodes of each box; sums over partners then need only p moments per box. Boxes so far
 * apart that the slope is flat to within the same error use its limit; that depends on the two
 * boxes only. So what is summed is a fixed function K(s, s') of the two scores.
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
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A certified bound of |K - slope| for boxes of this width and p terms (2 <= p <= 64), without the
 * rounding of K's own coefficients; HUGE_VAL when an argument is out of range or sums are not
 * rounded to nearest. */
DPPAIR_API double dppair_box_bound(double width, int terms, dppair_poles poles) {
  const double pi = 3.14159265358979323846, p = (double)terms, h = pi * width / poles.distance;
  double sum = 0.0, last = 0.0;
  int k;
  if (!(h > 0.0 && h <= 4.0) || terms < 2 || terms > 64 || !(poles.strength >= 0.0) ||
      dppair_environment_check() != DPPAIR_OK)
    return HUGE_VAL;
  for (k = 0; k < 16; k++) {
    const double odd = 2.0 * k + 1.0, y = odd * 2.0 * pi / h, s = sinh(p * asinh(y));
    last = poles.order == 1
               ? 2.0 / (pi * odd * s)
               : 8.0 / (h * h) *
                     (1.0 / (y * y) + p * sqrt(1.0 + 1.0 / (s * s)) / (y * sqrt(1.0 + y * y))) / s;
    sum += last;
  }
  /* what is left out falls at least as fast as 1/(2k+1)^3: less than 16 times the last term */
  return (sum + 16.0 * last) * poles.strength * (2.0 + 2.0 / pi * log(p)) * (1.0 + 1e-12);
}

/* Double-double sums for the table: s + e = a + b, and a b, exactly. */
DPPAIR_FORCE_INLINE_ void dppair_dd_add_(double *hi, double *lo, double x, double y) {
  const double s = *hi + x, t = s - *hi, e = (*hi - (s - t)) + (x - t) + *lo + y;
  *hi = s + e;
  *lo = e - (*hi - s);
}
DPPAIR_FORCE_INLINE_ void dppair_dd_fma_(double *hi, double *lo, double a_hi, double a_lo,
                                         double b) {
  const double p = a_hi * b;
  dppair_dd_add_(hi, lo, p, dppair_fma_f64_(a_hi, b, -p) + a_lo * b);
}

/* cos(j pi/(2p)) for p = 8, 12, 16 and any integer j >= 0; *low is what the result lacks. */
DPPAIR_API double dppair_box_cosine_(int j, int terms, double *low) {
  static const double c32[17][2] = {
    {1.0, 0.0}, {0.9951847266721969, -4.248691367830441e-17},
    {0.9807852804032304, 1.8546939997825006e-17}, {0.9569403357322088, 4.05538698618757e-17},
    {0.9238795325112867, 1.7645047084336677e-17}, {0.881921264348355, -1.9843248405890562e-17},
    {0.8314696123025452, 1.4073856984728024e-18}, {0.773010453362737, -3.256590703364977e-17},
    {0.7071067811865476, -4.833646656726457e-17}, {0.6343932841636455, 1.0420901929280035e-17},
    {0.5555702330196022, 4.709410940561677e-17}, {0.47139673682599764, 6.516678136069013e-18},
    {0.3826834323650898, -1.0050772696461588e-17}, {0.2902846772544624, -1.892797870777425e-17},
    {0.19509032201612828, -7.991079068461731e-18}, {0.0980171403295606, -1.634582362244256e-18},
    {0.0, 0.0}};
  static const double c24[13][2] = {
    {1.0, 0.0}, {0.9914448613738104, 2.898989874454537e-17},
    {0.9659258262890683, -2.5463971562308955e-17}, {0.9238795325112867, 1.7645047084336677e-17},
    {0.8660254037844386, 5.0175421109034514e-17}, {0.7933533402912352, -5.028625073907125e-19},
    {0.7071067811865476, -4.833646656726457e-17}, {0.6087614290087207, -1.647047979025087e-17},
    {0.5, 1.34e-58}, {0.3826834323650898, -1.0050772696461588e-17},
    {0.25881904510252074, 2.287249500495561e-17}, {0.1305261922200516, -9.607666023901524e-18},
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

/* at_nodes[k][i] (hi and lo): the coefficient of x^k in the polynomial that is 1 at node i and 0 at
 * the others: sum over m of (2 - [m=0])/p T_m(x_i) times the coefficient of x^k in T_m. */
DPPAIR_API void dppair_box_basis_(double hi[16][16], double lo[16][16], int p) {
  double t[16][16]; /* t[m][k]: T_m in powers of x, integers */
  int m, k, i;
  memset(t, 0, sizeof t);
  t[0][0] = t[1][1] = 1.0;
  for (m = 2; m < p; m++)
    for (k = 0; k <= m; k++) t[m][k] = (k ? 2.0 * t[m - 1][k - 1] : 0.0) - t[m - 2][k];
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

/* One offset of the table: column[l * stride + k] multiplies t^k of the positive's coordinate and
 * the l-th moment of the negatives, from the slopes at pairs of nodes, slopes[i * p + j]. The
 * kernel is a function of s - s', and the nodes are symmetric: that makes K_kl = (-1)^(k+l) K_lk,
 * which is enforced to the last bit. Returns the sum of |K_kl|. */
DPPAIR_API double dppair_box_column_(double *column, const double *slopes, int p, int stride,
                                     double hi[16][16], double lo[16][16]) {
  double gh[16][16], gl[16][16], total = 0.0;
  int i, j, k, l;
  memset(column, 0, (size_t)(p * stride) * sizeof *column);
  for (k = 0; k < p; k++)
    for (j = 0; j < p; j++) {
      gh[k][j] = gl[k][j] = 0.0;
      for (i = 0; i < p; i++)
        dppair_dd_fma_(&gh[k][j], &gl[k][j], hi[k][i], lo[k][i], slopes[i * p + j]);
    }
  for (k = 0; k < p; k++)
    for (l = 0; l <= k; l++) {
      double h = 0.0, e = 0.0;
      for (j = 0; j < p; j++) {
        dppair_dd_fma_(&h, &e, gh[k][j], gl[k][j], hi[l][j]);
        dppair_dd_add_(&h, &e, gh[k][j] * lo[l][j], 0.0);
      }
      column[l * stride + k] = h;
      column[k * stride + l] = (k + l) % 2 ? -h : h;
      total += k == l ? fabs(h) : 2.0 * fabs(h);
    }
  return total;
}

/* Zeroes a[np] and b[nn]; NULL when one is missing, OVERFLOW (nothing touched) for absurd sizes. */
DPPAIR_API dppair_status dppair_zero_(double *a, size_t np, double *b, size_t nn) {
  if (np > SIZE_MAX / sizeof *a || nn > SIZE_MAX / sizeof *b) return DPPAIR_ERR_OVERFLOW;
  if (a && np) memset(a, 0, np * sizeof *a);
  if (b && nn) memset(b, 0, nn * sizeof *b);
  return (!a && np) || (!b && nn) ? DPPAIR_ERR_NULL : DPPAIR_OK;
}
/* The status of a[np] and b[nn], NOT_FINITE for an OK with a number that is not finite; zeroes both
 * when it is an error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_settle_(dppair_status status, double *a,
                                                          size_t np, double *b, size_t nn) {
  if (status == DPPAIR_OK && !(dppair_all_finite_f64(a, np) && dppair_all_finite_f64(b, nn)))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) dppair_zero_(a, np, b, nn);
  return status;
}

/* What NAME_coeffs_fast asks of its arguments; outputs are zeroed. */
DPPAIR_API dppair_status dppair_fast_check_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            int kind) {
  const dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn) || !f) return DPPAIR_ERR_NULL;
  if (f->kind != kind) return DPPAIR_ERR_WORKSPACE;
  /* by the number of records, which is public: that of either class is not */
  if (kind == DPPAIR_KIND_PIECEWISE_ && (np > f->capacity || nn > f->capacity - np))
    return DPPAIR_ERR_WORKSPACE;
  return dppair_environment_check();
}

/* Terms, width, reach and boxes of the grid for these poles. */
DPPAIR_API dppair_status dppair_box_plan_(dppair_fast *f, dppair_poles poles,
                                          dppair_accuracy accuracy, double score_cap) {
  const double rate = 3.14159265358979323846 / poles.distance;
  double span, table;
  int e;
  memset(f, 0, sizeof *f);
  if (!(poles.distance > 0.0 && poles.distance < 1e6 && rate < 1e6) || !(poles.strength >= 0.0) ||
      !dppair_isfinite_f64(poles.strength))
    return DPPAIR_ERR_DOMAIN;
  if ((int)accuracy < 0 || accuracy > DPPAIR_ACCURACY_1E12) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(score_cap) || score_cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  f->kind = DPPAIR_KIND_ANALYTIC_;
  f->terms = 8 + 4 * (int)accuracy;
  f->stride = f->terms > 8 ? 16 : 8;
  (void)frexp(2.0 / rate, &e); /* the largest power of two with rate h <= 2 */
  f->width = ldexp(1.0, e - 1);
  f->score_cap = score_cap;
  if (score_cap / f->width > 1e6) return DPPAIR_ERR_DOMAIN;
  f->capacity = 2 * (size_t)(score_cap / f->width + 0.5) + 2;
  /* The table's own error: slopes at the nodes are within 4 ulp, and the margins' rounding moves
   * them by less than 2 more (|u| |slope'(u)| < strength/2); interpolation in two variables
   * magnifies that by at most (1 + (2/pi) ln p)^2 < 8. The transform is in double-double; one
   * rounding of each coefficient remains, at most weight ulp in all. */
  table = poles.strength * DBL_EPSILON * (8.0 * 6.0 + 4.0);
  f->kernel_error = dppair_box_bound(f->width, f->terms, poles) + table;
  for (f->reach = 1;; f->reach++) {
    span = poles.strength * exp(-rate * f->width * f->reach) * (1.0 + 1e-12);
    if (span <= f->kernel_error / 64.0 || f->reach == 64) break;
  }
  if (span > f->kernel_error) f->kernel_error = span;
  return DPPAIR_OK;
}

/* Doubles of workspace: the table, two sets of moments, four copies. */
DPPAIR_API size_t dppair_box_doubles_(const dppair_fast *f) {
  const size_t stride = (size_t)f->stride, offsets = 2 * (size_t)f->reach + 1;
  return 8 + offsets * (size_t)f->terms * stride + 6 * f->capacity * stride;
}

/* Of NAME_surcharge and dppair_fast_surcharge. epsilon: that of the type in which the pair loops
 * add, which run without f only. */
DPPAIR_API dppair_status dppair_surcharge_(double *factor, double *rounding, const dppair_fast *f,
                                           double epsilon, size_t n, double radius, double slope) {
  const double u = 0.5 * DBL_EPSILON, count = (double)n, error = f ? f->kernel_error : 0.0;
  double chain, pairs;
  if (factor) *factor = 0.0;
  if (rounding) *rounding = 0.0;
  if (!factor || !rounding) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if ((f && f->kind == 0) || !dppair_isfinite_f64(radius) || !(radius >= 0.0) ||
      !dppair_isfinite_f64(slope) || !(slope >= 0.0) || (error > 0.0 && !(slope > 0.0)))
    return DPPAIR_ERR_DOMAIN;
  if (count * u > 0.001) return DPPAIR_ERR_SIZE; /* k u/(1 - k u) < 1.01 k u */
  if (!f) {
    chain = slope * (80.0 * 0.5 * epsilon + (count + 16.0) * u);
  } else {
    const double steps = f->kind == DPPAIR_KIND_ANALYTIC_
                             ? 1024.0 + count / 4096.0 + 8.0 + 14.0 +
                                   (2.0 * f->reach + 1.0) * f->terms / 4.0 + 8.0 + 2.0 * f->terms
                             : count + 8.0;
    chain = f->weight * steps * u;
  }
  pairs = 0.5 * count * count; /* both sides of n+ n- <= n^2/4 */
  *rounding = 2.0 * 1.01 * radius * pairs * (chain + (slope + error) * (count + 4.0) * u);
  *factor = (1.0 + (error > 0.0 ? 2.0 * error / slope : 0.0)) * (1.0 + 8.0 * epsilon);
  if (dppair_isfinite_f64(*rounding) && dppair_isfinite_f64(*factor)) return DPPAIR_OK;
  *factor = *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* NAME_surcharge of a prepared f where the instance is not at hand. DOMAIN for an f that is not
 * prepared. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fast_surcharge(double *factor, double *rounding,
                                                                 const dppair_fast *f, size_t n,
                                                                 double radius, double slope) {
  if (factor) *factor = 0.0;
  if (rounding) *rounding = 0.0;
  if (!f) return DPPAIR_ERR_NULL;
  return dppair_surcharge_(factor, rounding, f, DBL_EPSILON, n, radius, slope);
}

/*
 * The same for m listed pairs: *rounding is to be added to a sensitivity of what
 * NAME_pairs_gradient, NAME_metric_pairs_gradient, or NAME_pairs followed by dppair_combine over n
 * records computes. size: a bound of |weight| times a pair's gradient, the clip where there is one;
 * for NAME_pairs 2 radius slope max |weight|.
 *
 * A listed pair's gradient, its difference of rows rounded, is a function of its two records. Their
 * sum is one chain of m fused multiply-adds in double: off by at most m u (m size), u = 2^-53; a
 * coefficient of NAME_pairs by as much, and X^T c adds n u (m size). Twice that, for two data sets.
 * DOMAIN for a bad size, SIZE, OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_pairs_surcharge(double *rounding, size_t m,
                                                                  size_t n, double size) {
  const double u = 0.5 * DBL_EPSILON, steps = (double)m + (double)n + 16.0;
  if (!rounding) return DPPAIR_ERR_NULL;
  *rounding = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(size) || !(size >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (steps * u > 0.001) return DPPAIR_ERR_SIZE;
  *rounding = 2.0 * 1.01 * (double)m * size * steps * u;
  if (dppair_isfinite_f64(*rounding)) return DPPAIR_OK;
  *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

DPPAIR_FP_END_
