/* ------------------------------------------------------------------------------------------------
 * Random allocation: densities on a lattice
 *
 * Values with relative errors, what is charged for the rest, the law of one batch, and the
 * 16-point interpolation that the other chapters share. Relies on theory.h and normal.h.
 * ---------------------------------------------------------------------------------------------- */

/* The density f of a loss l under Q: |f - f~| <= error f~ at the nodes l = h (first + i). */
typedef struct dppair_density_ {
  double *f, *error;
  int64_t first;
  size_t size;
  double h, curvature; /* (log f)'' >= -curvature */
  /* at least the mass outside of the nodes, under P and under Q, as an integral and as h times the
   * sum over outer nodes; at least the supremum there of f max(1, e^l) */
  double outside, beyond;
} dppair_density_;

/* Unit roundoff of long double, which is used for what is computed once per shift and may be no
 * wider than double; of a sum of two doubles LDBL_EPSILON says more than products keep. */
#define DPPAIR_WIDE_UNIT_ (LDBL_EPSILON > 1e-30L ? 0.5 * (double)LDBL_EPSILON : 1e-30)

enum {
  DPPAIR_TAPS_ = 16,  /* of the interpolation, at -7 .. 8 steps */
  DPPAIR_RUN_ = 32,   /* outputs that share a tilt */
  DPPAIR_REACH_ = 47, /* nodes that they read */
  DPPAIR_RADIUS_ = 32 /* of the circle in steps: theory.h */
};

DPPAIR_API double dppair_larger_(double a, double b) { return a > b ? a : b; }

/* sup |w_q| and sup |w_q'| over a cell, q = -7 .. 8, rounded up; symmetric. */
DPPAIR_API double dppair_tap_most_(size_t q) {
  static const double most[8] = {6.4e-6, 1.11e-4, 9.18e-4, 4.87e-3, 1.88e-2, 5.82e-2, 0.164, 1.0};
  return most[q < 8 ? q : 15 - q];
}
DPPAIR_API double dppair_tap_slope_(size_t q) {
  static const double slope[8] = {2.23e-5, 3.89e-4, 3.27e-3, 1.77e-2, 7.08e-2, 0.234, 0.778, 1.317};
  return slope[q < 8 ? q : 15 - q];
}

/* The weights w_q(y) of the interpolation at y steps, 0 <= y <= 1. Each is a product of factors
 * that are exact up to one rounding: 48 roundings at most. */
DPPAIR_API void dppair_taps_(long double *w, long double y) {
  static const double factorial[16] = {1.0,         1.0,          2.0,           6.0,
                                       24.0,        120.0,        720.0,         5040.0,
                                       40320.0,     362880.0,     3628800.0,     39916800.0,
                                       479001600.0, 6227020800.0, 87178291200.0, 1307674368000.0};
  long double left = 1.0L, right = 1.0L;
  int q;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    w[q] = left;
    left *= y - (long double)(q - 7);
  }
  for (q = DPPAIR_TAPS_ - 1; q >= 0; q--) {
    const double scale = factorial[q] * factorial[15 - q];
    w[q] *= right / (long double)(q % 2 != 0 ? scale : -scale);
    right *= y - (long double)(q - 7);
  }
}

/* arc[32 + rho] = A_rho of theory.h for curvature * h^2 = bend, rounded up. */
DPPAIR_API void dppair_arcs_(double *arc, double bend) {
  const double radius = (double)DPPAIR_RADIUS_, circle = radius * radius;
  double centre = 1.0; /* |omega(0)| */
  int rho, j;
  for (j = 0; j < 8; j++) centre *= (j + 0.5) * (j + 0.5);
  for (rho = 0; rho < DPPAIR_RADIUS_; rho++) {
    /* cos from rho/R to (rho+1)/R: the smaller angle bounds |omega| below, the larger the sine */
    const double nearby = dppair_acos_((rho + 1.0) / radius), remote = dppair_acos_(rho / radius);
    const double twice = 2.0 * ((rho + 1.0) / radius) * ((rho + 1.0) / radius) - 1.0;
    const double rise = 1.0 - (rho / radius) * (rho / radius);
    double omega = 1.0;
    for (j = 0; j < 8; j++) {
      const double k = (j + 0.5) * (j + 0.5);
      omega *= circle * circle - 2.0 * circle * k * twice + k * k;
    }
    arc[DPPAIR_RADIUS_ + rho] = 1.000001 * (remote - nearby) * 0.31830988618379067 * centre /
                                dppair_sqrt_(omega) * radius / (radius - 0.5) *
                                dppair_exp_(0.5 * bend * circle * rise);
    arc[DPPAIR_RADIUS_ - 1 - rho] = arc[DPPAIR_RADIUS_ + rho];
  }
}

/* The density of one batch, with noise multiplier z, on the lattice h: normal with mean -1/(2z^2)
 * and deviation 1/z. x = z l + 1/(2z) is cut `cut` below 0 and above 1/z, where under Q and under P
 * a mass below 4e-51 (15) or 2e-60 (16.5) is left on each side. */
DPPAIR_API dppair_status dppair_density_batch_(dppair_density_ *d, double *work, size_t room,
                                               double z, double h, double cut) {
  const double half = 0.5 / z, low = dppair_floor_((-cut - half) / z / h);
  const double high = dppair_ceil_((cut + 1.0 / z - half) / z / h);
  const long double scale = (long double)z * 0.39894228040143267793994605993438L;
  size_t i;
  if (!(high - low < (double)room - 1.0)) return DPPAIR_ERR_WORKSPACE;
  d->first = (int64_t)low;
  d->size = (size_t)(high - low) + 1;
  d->f = work;
  d->error = work + room;
  d->h = h;
  d->curvature = z * z;
  d->outside = cut > 16.0 ? 1e-58 : 1e-48;
  d->beyond = d->outside * z;
  for (i = 0; i < d->size; i++) {
    const double l = h * (double)(d->first + (int64_t)i);
    const long double x = (long double)z * (long double)l + 0.5L / (long double)z;
    const double size =
        dppair_fabs_((double)x) * (dppair_fabs_(z * l) + half + dppair_fabs_((double)x)) + 1.0;
    d->f[i] = (double)(scale * dppair_expl_(-0.5L * x * x));
    d->error[i] = 2.0 * DPPAIR_UNIT_ + 8.0 * DPPAIR_WIDE_UNIT_ * size;
  }
  return DPPAIR_OK;
}
