/* --- composition on the lattice -------------------------------------------------------------- */

/* One direction: the upper law (0) and the lower law (1) on the line of Fourier nodes. */
typedef struct dppair_lattice_ {
  size_t n;
  int automatic; /* h is chosen anew for each direction */
  double h, c;
  double *buffer[4], *rise, *cosine, *sine;
  double *re[2], *im[2]; /* K(z_k) W(z_k)/n e^-log_k, k = 0 .. n/2 */
  double log_k[2];       /* log K(c) */
  double *weight;        /* scratch */
  double error[2];       /* of S, relative to e^(log_k - c j h) */
  double kappa;          /* sum of T kappa */
  double infinity;       /* P(any loss is infinite), upper */
  double certain;        /* the same, lower: only what tables state */
  double shift;          /* sum of T e_l: what epsilon may be off */
  double log_right;      /* log K(c') of the lower law */
  size_t used[2];        /* nodes that matter */
  int trimmed;           /* laws are cut shorter, and M - 1 is transformed */
  double drift;          /* errors of K(z_k), relative to K(c), divided by |e^(z_k h) - 1| */
} dppair_lattice_;

/* cos and sin of -2 pi k/n for k <= n/2, and turn = 1 - cos without cancellation. */
DPPAIR_API void dppair_lattice_angle_(double *cosine, double *sine, double *turn,
                                      const dppair_lattice_ *l, size_t k) {
  const size_t quarter = l->n / 4;
  if (k < quarter) {
    *cosine = l->cosine[k];
    *sine = -l->sine[k];
    *turn = *sine * *sine / (1.0 + *cosine);
    return;
  }
  *cosine = k == quarter ? 0.0 : k < 2 * quarter ? -l->cosine[2 * quarter - k] : -1.0;
  *sine = k == quarter ? -1.0 : k < 2 * quarter ? -l->sine[2 * quarter - k] : 0.0;
  *turn = 1.0 - *cosine;
}

/* W(z)/n at z_k; decay[i] = e^(-(c+i)h) and rest[i] = 1 - decay[i]. */
DPPAIR_API void dppair_lattice_kernel_(double *re, double *im, const dppair_lattice_ *l,
                                       const double *decay, const double *rest, size_t k) {
  double cosine, sine, turn, pr = 1.0, pi = 0.0, e;
  int i;
  dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
  for (i = 0; i < 2; i++) {
    /* 1 - e^-w, w = (z + i) h */
    const double r = rest[i] + decay[i] * turn, m = -decay[i] * sine, t = pr * r - pi * m;
    pi = pr * m + pi * r;
    pr = t;
  }
  e = decay[0] * (-expm1(-l->h)) / (double)l->n / (pr * pr + pi * pi);
  *re = e * (cosine * pr + sine * pi);
  *im = e * (sine * pr - cosine * pi);
}

/* (re + i im)^t */
DPPAIR_API void dppair_complex_power_(double *re, double *im, size_t t) {
  double ar = *re, ai = *im, r = 1.0, i = 0.0;
  for (; t > 0; t >>= 1) {
    double x;
    if (t & 1) {
      x = r * ar - i * ai;
      i = r * ai + i * ar;
      r = x;
    }
    x = ar * ar - ai * ai;
    ai = 2.0 * ar * ai;
    ar = x;
  }
  *re = r;
  *im = i;
}

/*
 * rise[i] = beta_i. In units of 1 - e^-h cell i has right[i] above ih, and left[i] e^h below
 * (i+1)h: the only condition is beta_(i-1) left[i-1] e^h <= (1 - beta_i) right[i] for all i. With
 * equality a cell is used wholly and nothing is rounded down. beta_i = 1 - beta_(i-1) left[i-1]
 * e^h/right[i] damps its errors where masses grow with i, the same downwards where they fall: two
 * passes meet at the largest cell. The last pass, from the right, makes the condition hold whatever
 * came before.
 */
DPPAIR_API void dppair_cells_rise_(double *rise, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  size_t i, peak = 0;
  for (i = 1; i < cells->size; i++)
    if (right[i] + left[i] > right[peak] + left[peak]) peak = i;
  rise[0] = 1.0;
  for (i = 1; i <= peak; i++) {
    const double below = rise[i - 1] * left[i - 1] * cells->growth;
    rise[i] = right[i] > below ? 1.0 - below / right[i] : 0.0;
  }
  rise[cells->size - 1] = 0.0;
  for (i = cells->size - 1; i > 0; i--) {
    const double above = (1.0 - rise[i]) * right[i], below = left[i - 1] * cells->growth;
    const double most = above < below ? above / below * (1.0 - 1e-15) : (below > 0.0 ? 1.0 : 0.0);
    if (i > peak || rise[i - 1] > most) rise[i - 1] = most;
  }
}

/* A last line of defence: cells of a law hold all of P and, but for the ends, all of Q, within
 * what is claimed about their errors. Cells begin to end hold everything. */
DPPAIR_API dppair_status dppair_cells_check_(const dppair_cells_ *cells, size_t begin, size_t end) {
  const double lowest = cells->h * ((double)cells->first + (double)begin);
  const double shrink = exp(-cells->h);
  const double range = fabs(lowest) + cells->h * (double)(end - begin);
  const double wrong = cells->mass_error + 2.0 * cells->loss_error + cells->infinity +
                       DPPAIR_UNIT_ * (400.0 + 4.0 * range + (double)(end - begin) / 64.0);
  double p = 0.0, q = 0.0;
  size_t i;
  for (i = begin; i < end;) {
    const size_t stop = end - i < 64 ? end : i + 64;
    double own = 0.0, other = 0.0;
    double w = exp(-cells->h * ((double)cells->first + (double)i));
    for (; i < stop; i++, w *= shrink) {
      own += cells->right[i] + cells->left[i];
      other += (cells->left[i] + cells->right[i] * shrink) * w;
    }
    p += own;
    q += other;
  }
  if (!(fabs(p - 1.0) <= wrong)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* far below, e^-loss overflows or multiplies what is no longer a normal number */
  return lowest < -600.0 || fabs(q + cells->unseen - 1.0) <= wrong ? DPPAIR_OK
                                                                   : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * Multiplies the law whose cells are in buffers 2 (right) and 3 (left) into K, t times. The tilted
 * upper and lower laws go through one complex transform as real and imaginary part. top, top_right:
 * about log M at c and at right_c.
 */
DPPAIR_API dppair_status dppair_lattice_multiply_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                  double top, double top_right, double right_c,
                                                  size_t t) {
  double *xr = l->buffer[0], *xi = l->buffer[1];
  const double h = l->h, times = (double)t, *right = cells->right, *left = cells->left;
  const size_t n = l->n, half = n / 2;
  const double grow = exp(l->c * h), grow_right = exp(right_c * h);
  double sum[2] = {0.0, 0.0}, high = 0.0, risen = 0.0, w = 0.0, w_right = 0.0, e;
  size_t i, k, begin = 0, end = cells->size;
  const double range = h * (fabs((double)cells->first) + (double)cells->size);
  int in_y, d, stages = 1;
  while (end > 0 && !(right[end - 1] > 0.0 || left[end - 1] > 0.0)) end--;
  while (begin < end && !(right[begin] > 0.0 || left[begin] > 0.0)) begin++;
  if (begin >= end || end + 1 > cells->size) return DPPAIR_ERR_NO_CONVERGENCE;
  if (!cells->table && dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(xr, 0, n * sizeof *xr);
  memset(xi, 0, n * sizeof *xi);
  for (i = begin; i <= end; i++) {
    const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(n - 1));
    const double own = right[i] + left[i], rises = own * l->rise[i];
    const double upper = left[i] + (i > 0 ? right[i - 1] : 0.0), lower = own - rises + risen;
    if ((i - begin) % 64 == 0) { /* the tilt, anew every 64 cells and multiplied on between */
      const double at = h * ((double)cells->first + (double)i);
      w = exp(l->c * at - top);
      w_right = exp(right_c * at - top_right);
    }
    xr[place] += upper * w;
    xi[place] += lower * w;
    sum[0] += upper * w;
    sum[1] += lower * w;
    high += lower * w_right;
    risen = rises;
    w *= grow;
    w_right *= grow_right;
  }
  for (d = 0; d < 2; d++)
    if (!(sum[d] > 0.0) || !dppair_isfinite_f64(sum[d])) return DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < n; i++) {
    xr[i] /= sum[0];
    xi[i] /= sum[1];
  }
  for (d = 0; d < 2; d++) l->log_k[d] += times * (top + log(sum[d]));
  l->log_right += times * (top_right + log(high) + DPPAIR_UNIT_ * (double)(n + 64));
  dppair_fft_(&in_y, xr, xi, l->buffer[2], l->buffer[3], l->cosine, l->sine, n);
  if (in_y) {
    xr = l->buffer[2];
    xi = l->buffer[3];
  }
  for (k = n; k > 1; k /= 4) stages++;
  /* one node of M, both laws in one transform: l1 norm 2; then log2 t squarings and products */
  e = DPPAIR_UNIT_ * (2.0 * 34.0 * (double)stages + 300.0 + 4.0 * (fabs(top) + fabs(l->c * range)));
  l->error[0] += times * (e + 6.0 * DPPAIR_UNIT_);
  l->error[1] += times * (e + 6.0 * DPPAIR_UNIT_);
  for (k = 0; k <= half; k++) {
    const size_t other = (n - k) & (n - 1);
    /* X = F(upper) + i F(lower); M(z_k) is the conjugate of F */
    const double part[2][2] = {{0.5 * (xr[k] + xr[other]), 0.5 * (xi[other] - xi[k])},
                               {0.5 * (xi[k] + xi[other]), 0.5 * (xr[k] - xr[other])}};
    for (d = 0; d < 2; d++) {
      double re = part[d][0], im = part[d][1], x;
      const double size = re * re + im * im;
      if (0.5 * times * (1.0 - size) > 80.0) {
        l->re[d][k] = l->im[d][k] = 0.0; /* |M|^t < e^-80 */
        continue;
      }
      dppair_complex_power_(&re, &im, t);
      x = l->re[d][k] * re - l->im[d][k] * im;
      l->im[d][k] = l->re[d][k] * im + l->im[d][k] * re;
      l->re[d][k] = x;
    }
  }
  l->kappa += times * cells->mass_error;
  /* sums of log (1 - mass) for now: the chance that no loss is infinite */
  if (!(cells->infinity < 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  l->infinity += times * log1p(-cells->infinity);
  if (cells->table) l->certain += times * log1p(-cells->infinity);
  /* merged ratios are as exact as the masses */
  l->shift += times * (cells->loss_error + 4.0 * cells->mass_error * h);
  return DPPAIR_OK;
}

/* sum += x, *low takes what is rounded away (Knuth). */
DPPAIR_API void dppair_sum_two_(double *sum, double *low, double x) {
  const double s = *sum + x, t = s - *sum;
  *low += (*sum - (s - t)) + (x - t);
  *sum = s;
}

/*
 * The same for laws that hardly lose anything, so that errors are proportional to what they lose
 * and not to 1. With m_i the mass at ih and what is missing to 1 put at loss 0 (that only raises
 * the upper law, and changes M of the lower one by at most cells->infinity), M(z) - 1 = sum m_i
 * (e^(z ih) - 1) = (e^(zh) - 1) sum_j G_j e^(z jh), G_j = sum_(i > j) m_i for j >= 0,  -sum_(i <=
 * j) m_i for j < 0, and G is what is transformed. Let P_j be the mass of cell j and of all beyond
 * it, seen from loss 0, and A = sum_j P_j e^(c jh). |G_j| <= P_j for both laws. Relative errors
 * kappa of the masses of cells and of how they are split change G_j by at most 2 kappa P_j; those
 * of the mass at loss 0 do not count. So these, and the rounding of the transform, e relative to
 * the l1 norm, change M(z) by at most |e^(zh) - 1| A (2 kappa + e), and (M(z)/M(c))^t, |M(z)| <=
 * M(c), by t/M(c) times as much. The power is exp(t log(1 + m)), |m| = |M(z) - 1| <= |e^(zh) - 1|
 * A. log |1 + m| and arg(1 + m), which is at most pi |m|, are off by at most 40 |m|/|1 + m| and 10
 * |m|/|1 + m| units. Times t and |M(z)/M(c)|^t that is below 60 t |m|, part of e. The exponent -x
 * rounds by x e^-x < 1 units.
 */
DPPAIR_API dppair_status dppair_lattice_multiply_small_(dppair_lattice_ *l,
                                                        const dppair_cells_ *cells, double right_c,
                                                        size_t t) {
  double *xr = l->buffer[0], *xi = l->buffer[1];
  const double h = l->h, times = (double)t, *right = cells->right, *left = cells->left;
  const size_t n = l->n, half = n / 2, zero = (size_t)-cells->first;
  const double grow = exp(l->c * h), less = expm1(l->c * h), less_right = expm1(right_c * h);
  const double range = h * (fabs((double)cells->first) + (double)cells->size);
  double a = 0.0, a_right = 0.0, high = 0.0, top[2], e, least;
  size_t i, k, begin = 0, end = cells->size;
  int in_y, d, side, stages = 1;
  while (end > 0 && !(right[end - 1] > 0.0 || left[end - 1] > 0.0)) end--;
  while (begin < end && !(right[begin] > 0.0 || left[begin] > 0.0)) begin++;
  if (cells->table || cells->first >= 0 || !(begin < zero && zero < end) || end >= cells->size ||
      dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(xr, 0, n * sizeof *xr);
  memset(xi, 0, n * sizeof *xi);
  for (side = 0; side < 2;
       side++) { /* the losses above 0 from the last, those below from the first */
    const size_t length = side == 0 ? end - zero : zero - begin;
    double whole = 0.0, low = 0.0;
    for (k = 0; k < length; k++) {
      const double beyond = whole + low;
      double at, w, w_right, own, up, down;
      i = side == 0 ? end - 1 - k : begin + k;
      at = h * (double)(cells->first + (int64_t)i);
      own = right[i] + left[i];
      up = beyond + (side == 0 ? right[i] : left[i]);
      down = beyond + own * (side == 0 ? l->rise[i] : 1.0 - l->rise[i]);
      dppair_sum_two_(&whole, &low, own);
      w = exp(l->c * at);
      w_right = exp(right_c * at);
      a += (whole + low) * w;
      a_right += (whole + low) * w_right;
      high += side == 0 ? down * w_right : -down * w_right;
      xr[(size_t)((cells->first + (int64_t)i) & (int64_t)(n - 1))] = side == 0 ? up * w : -up * w;
      xi[(size_t)((cells->first + (int64_t)i) & (int64_t)(n - 1))] =
          side == 0 ? down * w : -down * w;
    }
  }
  if (!(a > 0.0) || !dppair_isfinite_f64(a) || !dppair_isfinite_f64(a_right))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_fft_(&in_y, xr, xi, l->buffer[2], l->buffer[3], l->cosine, l->sine, n);
  if (in_y) {
    xr = l->buffer[2];
    xi = l->buffer[3];
  }
  for (k = n; k > 1; k /= 4) stages++;
  top[0] = log1p(less * xr[0]);
  top[1] = log1p(less * xi[0]);
  least = exp(top[0] < top[1] ? top[0] : top[1]);
  e = DPPAIR_UNIT_ * (2.0 * 34.0 * (double)stages + 400.0 + 4.0 * fabs(l->c * range));
  if (!(least > 0.5)) return DPPAIR_ERR_NO_CONVERGENCE;
  l->drift += times * 1.01 * a / least * (2.0 * cells->mass_error + e);
  for (d = 0; d < 2; d++) {
    l->log_k[d] += times * top[d];
    l->error[d] += 16.0 * DPPAIR_UNIT_ + (d == 1 ? times * 1.01 / least * cells->infinity : 0.0);
  }
  /* what the lower law has at c', with room for the errors of its masses */
  e = 3.0 * cells->mass_error + DPPAIR_UNIT_ * (100.0 + (double)n + 8.0 * right_c * range);
  l->log_right += times * log1p(less_right * (high + e * a_right) + cells->infinity);
  for (k = 0; k <= half; k++) {
    const size_t other = (n - k) & (n - 1);
    /* X = F(upper) + i F(lower); the sum over G at z_k is the conjugate of F */
    const double part[2][2] = {{0.5 * (xr[k] + xr[other]), 0.5 * (xi[other] - xi[k])},
                               {0.5 * (xi[k] + xi[other]), 0.5 * (xr[k] - xr[other])}};
    double cosine, sine, turn, fr, fi;
    dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
    fr = less - grow * turn; /* e^(zh) - 1 */
    fi = -grow * sine;
    for (d = 0; d < 2; d++) {
      const double re = part[d][0] * fr - part[d][1] * fi, im = part[d][0] * fi + part[d][1] * fr;
      const double more = re * (2.0 + re) + im * im;
      const double size = more > -0.75 ? log1p(more) : log((1.0 + re) * (1.0 + re) + im * im);
      const double power = times * (0.5 * size - top[d]);
      double angle, x, pr, pi;
      if (!(power > -80.0)) {
        l->re[d][k] = l->im[d][k] = 0.0; /* |M|^t < e^-80 */
        continue;
      }
      angle = times * atan2(im, 1.0 + re);
      x = exp(power);
      pr = x * cos(angle);
      pi = x * sin(angle);
      x = l->re[d][k] * pr - l->im[d][k] * pi;
      l->im[d][k] = l->re[d][k] * pi + l->im[d][k] * pr;
      l->re[d][k] = x;
    }
  }
  if (!(cells->infinity < 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  l->infinity += times * log1p(-cells->infinity);
  l->shift += times * (cells->loss_error + 4.0 * cells->mass_error * h);
  return DPPAIR_OK;
}
