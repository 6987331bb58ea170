/* ------------------------------------------------------------------------------------------------
 * Shrinkage: a released vector, drawn to 0 by as much as it may be noise
 *
 * Free: it reads what was released and the public deviation of its noise. w_i = what was meant plus
 * noise of deviation sd_i; square_i is what a unit of w_i^2 is worth (for weights of a score, the
 * second moment of the feature), so that entries of different scales can be told together:
 *
 *   a_i = square_i w_i^2,   s_i = square_i sd_i^2
 *
 * dppair_shrink_f64: w_i/(1 + (sd_i/w_i)^2), of one entry by itself; entries of a group together
 * by the factor of James and Stein, (1 - sum s/sum a)+.
 *
 * dppair_shrink_sparse_f64: where most of many entries may mean nothing. What was meant is 0 with
 * probability 1 - p, else normal of variance t/square_i; p and t by 20 steps of EM with two
 * entries' worth of a prior (p one half, t the mean of a less s), and every entry becomes its
 * posterior mean, r_i t/(t + s_i) w_i with r_i the probability that it means something.
 *
 * Relies on core/.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Public checks of both. */
DPPAIR_API dppair_status dppair_shrink_check_(const double *w, const double *sd,
                                              const double *square, size_t n) {
  size_t i;
  if (n == 0) return DPPAIR_OK;
  if (n > SIZE_MAX / sizeof *w) return DPPAIR_ERR_OVERFLOW;
  if (w == NULL || sd == NULL || square == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_all_finite_f64(w, n) || !dppair_all_finite_f64(sd, n) ||
      !dppair_all_finite_f64(square, n))
    return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < n; i++)
    if (!(sd[i] >= 0.0 && square[i] >= 0.0)) return DPPAIR_ERR_DOMAIN;
  return DPPAIR_OK;
}

/* The probability that an entry means something. */
DPPAIR_API double dppair_shrink_meant_(double p, double t, double a, double s) {
  const double keep = t / (t + s);
  const double wide = keep < 1.0 ? dppair_log1p_(-keep) : dppair_log_(s / t); /* log s/(t + s) */
  const double odds = dppair_log_(p / (1.0 - p)) + 0.5 * wide + a / 2.0 * (keep / s);
  return 1.0 / (1.0 + dppair_exp_(-odds));
}

/*
 * w[n] becomes its posterior means under a prior of which p and t are learned from it. sd[n],
 * square[n]: >= 0; an entry whose s is 0 stays, and nothing is learned from it. It pays from some
 * 20 entries on.
 *
 * Errors: NULL; NOT_FINITE; DOMAIN (sd or square below 0, sums of a or s of 1e200 and more);
 * OVERFLOW. They leave w as it is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shrink_sparse_f64(double *w, const double *sd,
                                                                    const double *square,
                                                                    size_t n) {
  const double least = 1e-300; /* less is 0 */
  double p = 0.5, t = 0.0, noise = 0.0, base, many = 0.0;
  size_t i;
  int round;
  const dppair_status status = dppair_shrink_check_(w, sd, square, n);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < n; i++) {
    if (!(square[i] * sd[i] * sd[i] > least)) continue;
    t += square[i] * dppair_fmax_(0.0, w[i] * w[i] - sd[i] * sd[i]);
    noise += square[i] * sd[i] * sd[i];
    many += 1.0;
  }
  if (!(noise < 1e200 && t < 1e200)) return DPPAIR_ERR_DOMAIN;
  if (!(noise > 0.0)) return DPPAIR_OK;
  base = t = dppair_fmax_(t, noise) / many;
  for (round = 0; round <= 20; round++) {
    double useful = 1.0, all = 2.0, sum = 2.0 * base, weight = 2.0;
    for (i = 0; i < n; i++) {
      const double s = square[i] * sd[i] * sd[i], a = square[i] * w[i] * w[i], keep = t / (t + s);
      double r;
      if (!(s > least)) continue;
      r = dppair_shrink_meant_(p, t, a, s);
      if (round == 20) w[i] *= r * keep;
      useful += r;
      all += 1.0;
      sum += r * (a * keep * keep + keep * s);
      weight += r;
    }
    p = dppair_fmin_(0.999, dppair_fmax_(1e-6, useful / all));
    t = sum / weight;
  }
  return DPPAIR_OK;
}

/* *bytes = the workspace of dppair_shrink_f64 for n entries. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shrink_workspace(size_t *bytes, size_t n) {
  return dppair_work_bytes_(bytes, n > SIZE_MAX / 4 ? SIZE_MAX : 2 * n + 2);
}

/*
 * w[n] is drawn to 0, each entry by its own noise and those of a group together. sd[n], square[n]:
 * >= 0. group[n]: the number of an entry's group, 0 to n, SIZE_MAX where it is of none; NULL: no
 * groups. work: as dppair_shrink_workspace says.
 *
 * Errors: NULL; NOT_FINITE; DOMAIN (sd or square below 0); SIZE (a group above n); WORKSPACE;
 * OVERFLOW. They leave w as it is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shrink_f64(double *w, const double *sd,
                                                             const double *square,
                                                             const size_t *group, size_t n,
                                                             void *work, size_t bytes) {
  double *noise = NULL, *signal;
  size_t i;
  dppair_status status = dppair_shrink_check_(w, sd, square, n);
  for (i = 0; status == DPPAIR_OK && group != NULL && i < n; i++)
    if (group[i] > n && group[i] < SIZE_MAX) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK)
    status = dppair_work_(&noise, 2 * n + 2, work, bytes);
  if (status != DPPAIR_OK) return status;
  signal = noise + n + 1;
  memset(noise, 0, (2 * n + 2) * sizeof *noise);
  for (i = 0; i < n && group != NULL; i++)
    if (group[i] <= n) {
      noise[group[i]] += square[i] * sd[i] * sd[i];
      signal[group[i]] += square[i] * w[i] * w[i];
    }
  for (i = 0; i < n; i++) {
    const size_t g = group != NULL ? group[i] : SIZE_MAX;
    const double ratio = dppair_fabs_(w[i]) > 0.0 ? sd[i] / w[i] : HUGE_VAL;
    double keep = 1.0;
    if (g <= n && noise[g] > 0.0) keep = signal[g] > noise[g] ? 1.0 - noise[g] / signal[g] : 0.0;
    w[i] = keep * (w[i] / (1.0 + ratio * ratio));
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_
