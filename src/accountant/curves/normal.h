/* ------------------------------------------------------------------------------------------------
 * The normal distribution's tail
 *
 * Rounding up and down, exact product errors, Mills' ratio and its slope, and the Gaussian density
 * with a small relative error far out. The accountant's other chapters rest on this one.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_SQRT_2PI_ 0.91893853320467274178
#define DPPAIR_INV_SQRT_2PI_ 0.39894228040143267794

/* x (1 + 2^-51) for x >= 0: more than one rounded operation can have taken away. It is a product
 * because x + x * 4e-16 is x where the host flushes subnormal numbers to zero. */
DPPAIR_API double dppair_up_(double x) { return x * 1.00000000000000044; }

/* x (1 - 2^-51) for x >= 0; 0 stays 0. */
DPPAIR_API double dppair_down_(double x) { return x * 0.99999999999999956; }

/* a * b - product exactly, where product = a * b rounded and |a|, |b| < 1e290 (Dekker's split).
 * fma() is not used, because under a host's -ffast-math clang turns the call into a product and a
 * sum. */
DPPAIR_API double dppair_product_error_(double a, double b, double product) {
  const double a_split = 134217729.0 * a, b_split = 134217729.0 * b;
  const double a_high = a_split - (a_split - a), b_high = b_split - (b_split - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/*
 * sum c[k] T_k(w), |w| <= 1, count even. Clenshaw's recurrence runs for the even and for the odd
 * terms side by side, which halves the chain of dependent operations: T_2k(w) = T_k(v) and
 * T_{2k+1}(w) = w (U_k(v) - U_{k-1}(v)) with v = 2 w^2 - 1.
 */
DPPAIR_API double dppair_chebyshev_(const double *c, size_t count, double w) {
  const double v2 = 4.0 * w * w - 2.0;
  double e1 = 0.0, e2 = 0.0, o1 = 0.0, o2 = 0.0;
  size_t k;
  for (k = count - 2; k > 0; k -= 2) {
    const double e = (c[k] - e2) + v2 * e1, o = (c[k + 1] - o2) + v2 * o1;
    e2 = e1;
    e1 = e;
    o2 = o1;
    o1 = o;
  }
  return ((c[0] - e2) + 0.5 * v2 * e1) + w * ((c[1] - o2) + (v2 - 1.0) * o1);
}

/*
 * Mills' ratio R(x) = (1 - Phi(x)) / phi(x) = sqrt(pi/2) erfcx(x / sqrt 2) for x >= -1, within
 * 7e-16 relative, from 0 on 6e-16 (measured: tests/exhaust/elementary.c). (x + 3/2) R(x) is a
 * smooth function of w = (x - 5)/(x + 7), which maps
 * [-1, inf) to [-1, 1), and is summed as a Chebyshev series. The coefficients were computed with 50
 * digits.
 */
DPPAIR_API double dppair_mills_(double x) {
  static const double c[30] = {
      1.3878196703775885,      -0.4882676686916938,     0.08171229831830493,
      0.06089347383671997,     -0.07334429450972871,    0.04767408729768181,
      -0.02349103385286079,    0.009480704044436643,    -0.003212261510583724,
      0.0009157830799177352,   -0.00021621280464091027, 4.044584267281609e-05,
      -5.299377060607836e-06,  2.445288171644698e-07,   8.459070681091039e-08,
      -2.325255612596454e-08,  1.8042694208657892e-09,  3.8505095159724805e-10,
      -1.1326241173826648e-10, 3.496034929229157e-12,   3.2529351856730526e-12,
      -4.890791376870167e-13,  -6.209462018491717e-14,  2.3156448427791205e-14,
      3.494411845978243e-16,   -8.923009454171421e-16,  4.3921061929977664e-17,
      3.2540620766400877e-17,  -3.2943344678385757e-18, 0.0};
  return dppair_chebyshev_(c, 30, (x - 5.0) / (x + 7.0)) / (x + 1.5);
}

/* -R'(x) = 1 - x R(x) for x >= -1, within 2e-15 relative (measured, too), also where the formula
 * itself cancels. The series is that of (x + 3/2)^2 (1 - x R(x)) in the same w. */
DPPAIR_API double dppair_mills_slope_(double x) {
  static const double c[32] = {
      1.4741594034271435,     -0.43392028431202645,    -0.21815318223920233,
      0.3100791050133143,     -0.19093701412660785,    0.0732601121852008,
      -0.012981508235506417,  -0.005297845679572974,   0.006147007937076444,
      -0.003345662974551171,  0.0013054348454582534,   -0.0003925235168699972,
      9.035906124406828e-05,  -1.4594138564482792e-05, 1.0532158109025516e-06,
      2.0907948551322775e-07, -7.865038614370767e-08,  8.352016205556503e-09,
      1.2028888051108167e-09, -4.853289093432904e-10,  2.7650986869803698e-11,
      1.4188675060827541e-11, -2.7352976585858756e-12, -2.5259327665136084e-13,
      1.319670945215105e-13,  -1.1259603342913497e-15, -5.329797889152376e-15,
      3.9755452536290456e-16, 2.0476342718835897e-16,  -2.7051205146014418e-17,
      -7.98336123900056e-18,  1.4661536548708386e-18};
  return dppair_chebyshev_(c, 32, (x - 5.0) / (x + 7.0)) / (x + 1.5) / (x + 1.5);
}

/* exp(-(hi + lo)^2 / 2) within 3.3 u, also in the far tail: the square of the upper 26 bits of hi
 * is exact, and the rest of the exponent is small, mostly so small that three terms are its
 * exponential within 2^-60. |lo| <= an ulp of hi. */
DPPAIR_API double dppair_gauss_kernel_(double hi, double lo) {
  const double head = dppair_head_(hi), whole = dppair_exp_(-0.5 * head * head);
  const double y = -0.5 * ((hi - head) * (hi + head)) - hi * lo;
  if (y < 6e-5 && y > -6e-5) return whole * (1.0 + (y + y * y * (0.5 + y * (1.0 / 6))));
  return whole * dppair_exp_(y);
}

#define DPPAIR_ERFC_ERROR_ 15.0 /* of dppair_erfc_, in u = 2^-53 */
#define DPPAIR_ERF_ERROR_ 8.0   /* of dppair_erf_, in u */

/* erfc x = sqrt(2/pi) exp(-x^2) R(sqrt(2) x). R has 5.5 u, and 1.5 u of its argument's, since |x
 * R'/R| <= 1; the exponentials 3.3 u (the head's square is exact), products and constant 4.5 u.
 * For x < 0 it is 2 - erfc(-x), which is 1 at least. */
DPPAIR_API double dppair_erfc_(double x) {
  const double size = dppair_fabs_(x);
  double head, y = 0.0;
  if (x != x) return x;
  if (size < 28.0) {
    head = dppair_head_(size);
    y = 0.79788456080286536 * dppair_mills_(1.4142135623730951 * size) *
        dppair_exp_(-(size - head) * (size + head));
    head = dppair_exp_(-0.5 * head * head); /* twice: only the last product may be subnormal */
    y = y * head * head;
  }
  return x < 0.0 ? 2.0 - y : y;
}

/* erf x = 2 x/sqrt(pi) exp(-x^2) (1 + t/3 (1 + t/5 (1 + ... t/45))), t = 2 x^2, for |x| < 1: the
 * terms are positive; the innermost is below 2^-80. The series has 2 u of t, which counts less than
 * once, and 1.5 u, exp 1.1 u and u of its argument, products and constant 3.5 u. Else 1 - erfc x,
 * which is 0.84 at least: 15 u times 0.19 and u. */
DPPAIR_API double dppair_erf_(double x) {
  const double size = dppair_fabs_(x), t = 2.0 * x * x;
  double sum = 1.0;
  int k;
  if (!(size < 1.0)) return x < 0.0 ? dppair_erfc_(size) - 1.0 : 1.0 - dppair_erfc_(x);
  for (k = 45; k > 1; k -= 2) sum = 1.0 + sum * t / (double)k;
  return 1.1283791670955126 * x * (dppair_exp_(-0.5 * t) * sum);
}
