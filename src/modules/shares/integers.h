/* ------------------------------------------------------------------------------------------------
 * Integer noise: the variance of Skellam noise, quantised sensitivities, wrap-around
 *
 * Sums of integers are what several sites can add up without seeing each other's: each adds Skellam
 * noise of its share of the variance, and the sum is Skellam of all of it. Relies on
 * mechanism.h. quantise.h makes the integers, skellam.h the noise.
 * ---------------------------------------------------------------------------------------------- */

/* How numbers become integers. TRUNCATED: each record's, towards 0. ROUNDED: to the nearest
 * integer, or floor(x + u) with one public u in [0,1)^d for all: each record's, or each site's sum
 * once. RANDOMLY: floor(x + u) with private u, drawn by each site for its sum. */
typedef enum dppair_quantised {
  DPPAIR_QUANTISED_TRUNCATED = 1,
  DPPAIR_QUANTISED_ROUNDED = 2,
  DPPAIR_QUANTISED_RANDOMLY = 3
} dppair_quantised;

#define DPPAIR_SKELLAM_LEAST_ 1e-6 /* variances that are tried */
#define DPPAIR_SKELLAM_MOST_ 1e18

/*
 * An upper end of kappa = 2 ln(I_0(m)/I_1(m)), within 1e-9, for m > 2e5 within 8e-6. With r_v =
 * I_{v+1}/I_v the recurrence of the Bessel functions is 1/r_v = 2(v+1)/m + r_{v+1}; for e = 1 - r
 * in [0, 1] it is e_v = (c - e_{v+1})/(1 + c - e_{v+1}), c = 2(v+1)/m. So bounds of e_N give bounds
 * of e_1, alternately, and each step shortens their distance by r^2, in all by about e^(-N^2/m);
 * kappa = 2 log(2/m + 1 - e_1). Large m: I_1/I_0 >= m/(1/2 + sqrt(m^2 + 9/4)) (Amos 1974).
 */
DPPAIR_API double dppair_skellam_kappa_(double m) {
  const double slip = 4.0 * DBL_EPSILON;
  double low = 0.0, high = 1.0, v;
  if (m > 2e5)
    return 2.0 * dppair_log1p_((0.5 + 2.25 / (dppair_sqrt_(m * m + 2.25) + m)) / m) *
           (1.0 + 16.0 * DBL_EPSILON);
  for (v = dppair_ceil_(6.0 * dppair_sqrt_(m)) + 16.0; v >= 1.0; v -= 1.0) {
    const double c = 2.0 * (v + 1.0) / m, remote = c * (1.0 - slip) - high,
                 nearby = c * (1.0 + slip) - low;
    low = remote > 0.0 ? remote / (1.0 + remote) * (1.0 - slip) : 0.0;
    high = nearby > 0.0 ? nearby / (1.0 + nearby) * (1.0 + slip) : 0.0;
    if (high > 1.0) high = 1.0;
  }
  return 2.0 * dppair_log1p_((2.0 / m - low) * (1.0 + slip)) * (1.0 + slip);
}

/*
 * *sigma = 1/sqrt(kappa), rounded down: Skellam noise of this variance on every coordinate of an
 * integer vector has, at whole Renyi orders, a curve of at most that of Gaussian noise of standard
 * deviation sigma (mechanism.h); sigma^2 is a little above variance - 1/2 - 1/variance. It takes no l1 sensitivity and no dimension. Of N shares of which h are sure to arrive, and are not
 * known to anybody, h/N of the variance counts. variance in [1e-6, 1e18]. Errors zero *sigma: NULL,
 * NOT_FINITE, DOMAIN, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_sigma(double *sigma, double variance) {
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(variance)) return DPPAIR_ERR_NOT_FINITE;
  if (!(variance >= DPPAIR_SKELLAM_LEAST_ && variance <= DPPAIR_SKELLAM_MOST_))
    return DPPAIR_ERR_DOMAIN;
  *sigma = 1.0 / dppair_sqrt_(dppair_skellam_kappa_(variance)) * (1.0 - 4.0 * DBL_EPSILON);
  return DPPAIR_OK;
}

/* *variance = the least variance, within 1e-9, whose dppair_skellam_sigma is at least `sigma`: for
 * a noise multiplier z and integers of sensitivity D, sigma = z D. Errors zero *variance: NULL,
 * NOT_FINITE, SIGMA (<= 0, or beyond any variance), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_variance(double *variance, double sigma) {
  double low = DPPAIR_SKELLAM_LEAST_, high, got;
  dppair_status status;
  if (variance == NULL) return DPPAIR_ERR_NULL;
  *variance = 0.0;
  if (!dppair_isfinite_f64(sigma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0 && sigma < 1e9)) return DPPAIR_ERR_SIGMA;
  if (sigma > 1.0) low = sigma * sigma; /* kappa > 1/m there */
  high = sigma * sigma * (1.0 + 1e-5) + 2.0;
  if (high > DPPAIR_SKELLAM_MOST_) high = DPPAIR_SKELLAM_MOST_;
  status = dppair_skellam_sigma(&got, high);
  if (status != DPPAIR_OK) return status;
  if (!(got >= sigma)) return DPPAIR_ERR_SIGMA;
  while (high > low * (1.0 + 5e-10)) {
    const double middle = high > 2.0 * low ? dppair_sqrt_(low * high) : low + 0.5 * (high - low);
    status = dppair_skellam_sigma(&got, middle);
    if (status != DPPAIR_OK) return status;
    if (got >= sigma)
      high = middle;
    else
      low = middle;
  }
  *variance = high;
  return DPPAIR_OK;
}

/* Adds `steps` releases of integer vectors with Skellam noise of this variance on every coordinate.
 * sensitivity: how far a record moves the integers, in l2 norm. Errors break the account: those of
 * dppair_skellam_sigma, and of dppair_accountant_gaussian. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_skellam(dppair_accountant *a,
                                                                     double sensitivity,
                                                                     double variance,
                                                                     size_t steps) {
  double sigma;
  dppair_sampling none;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  status = dppair_skellam_sigma(&sigma, variance);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  memset(&none, 0, sizeof none);
  return dppair_accountant_scaled_(a, DPPAIR_SKELLAM, &none, 0.0, sensitivity, sigma, steps);
}

/*
 * *sensitivity = how far, in l2 norm, a record moves a sum of vectors that were multiplied by
 * `scale` and made integers.
 *
 *   TRUNCATED   length: of every record's vector, at most; nonzero is 0, which is not read.
 *               scale length (zero-out), 2 scale length (replace-one): no coordinate grows. It
 *               costs a bias below 1/scale a coordinate
 *   ROUNDED     length: how far a record moves the real sum, for the relation; nonzero: coordinates
 *               in which its vector, the old or the new one, can be other than 0 (d, where that is
 *               not known). scale length + sqrt(nonzero): a difference of two rounded numbers is
 *               off by at most 1, however many records the site has
 *   RANDOMLY    the same and 2 sqrt(nonzero) more: both sides' offsets differ
 *
 * Errors zero *sensitivity: NULL, NOT_FINITE, DOMAIN (length, scale or kind), UNREAD (a nonzero
 * that is not read), SIZE (nonzero = 0 where it is), ADJACENCY.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_quantised(double *sensitivity, dppair_quantised how, double length, double scale,
                             size_t nonzero, dppair_adjacency adjacency) {
  double root;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!dppair_isfinite_f64(length) || !dppair_isfinite_f64(scale)) return DPPAIR_ERR_NOT_FINITE;
  if (!(length > 0.0) || !(scale > 0.0) || how < DPPAIR_QUANTISED_TRUNCATED ||
      how > DPPAIR_QUANTISED_RANDOMLY)
    return DPPAIR_ERR_DOMAIN;
  status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  if (how == DPPAIR_QUANTISED_TRUNCATED) {
    const int replaced = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE;
    if (nonzero != 0) return DPPAIR_ERR_UNREAD;
    return dppair_sensitivity_store_(sensitivity, (replaced ? 2.0 : 1.0) * scale * length);
  }
  if (nonzero == 0) return DPPAIR_ERR_SIZE;
  root = dppair_sqrt_((double)nonzero) * (how == DPPAIR_QUANTISED_RANDOMLY ? 3.0 : 1.0);
  return dppair_sensitivity_store_(sensitivity, scale * length + root);
}

/*
 * *probability = at most this that one of `size` coordinates with Skellam noise of this variance m,
 * added modulo 2^bits and read as numbers from -2^(bits-1) on, comes out wrong, where no true sum
 * is beyond `largest`: 2 size exp(-A asinh(A/m) + sqrt(A^2 + m^2) - m), A = 2^(bits-1) - largest.
 * (Chernoff, from E e^(tX) = exp(m (cosh t - 1)).) The modulus is post-processing: it costs
 * accuracy, no delta. 1 where A <= 0. Errors set it to 1: NULL; ENVIRONMENT; NOT_FINITE; DOMAIN:
 * variance <= 0 or above 1e18, largest < 0, bits not from 1 to 64; SIZE (size = 0).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_wrap(double *probability, double variance,
                                                               unsigned bits, double largest,
                                                               size_t size) {
  double room, root, exponent;
  if (probability == NULL) return DPPAIR_ERR_NULL;
  *probability = 1.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(variance) || !dppair_isfinite_f64(largest)) return DPPAIR_ERR_NOT_FINITE;
  if (!(variance > 0.0 && variance <= DPPAIR_SKELLAM_MOST_) || largest < 0.0 || bits < 1 ||
      bits > 64)
    return DPPAIR_ERR_DOMAIN;
  if (size == 0) return DPPAIR_ERR_SIZE;
  room = dppair_down_(dppair_ldexp_(1.0, (int)bits - 1) - largest);
  if (!(room > 0.0)) return DPPAIR_OK;
  root = dppair_sqrt_(room * room + variance * variance);
  exponent = room * dppair_asinh_(room / variance) * (1.0 - 8.0 * DBL_EPSILON);
  exponent -= room / (root + variance) * room * (1.0 + 8.0 * DBL_EPSILON); /* root - variance */
  exponent = 2.0 * (double)size * dppair_exp_(-exponent) * (1.0 + 16.0 * DBL_EPSILON);
  if (exponent < 1.0) *probability = exponent > DBL_MIN ? exponent : DBL_MIN;
  return DPPAIR_OK;
}
