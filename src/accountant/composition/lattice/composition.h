/* ------------------------------------------------------------------------------------------------
 * The product of all steps on the lattice
 *
 * K(z_k), the product of all steps' moment functions on the line of Fourier nodes, for the upper
 * law (index 0) and the lower law (1). Both laws are real, so that one complex transform serves for
 * both. Relies on transform.h and cells.h.
 * ---------------------------------------------------------------------------------------------- */

/* One direction of a composition. */
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
  double infinity;       /* upper: P(any loss is infinite); a sum of logarithms until the end */
  double certain;        /* the same, lower: only what tables state */
  double shift;          /* sum of T e_l: how far epsilon may be off */
  double log_right;      /* log K(c') of the lower law */
  size_t used[2];        /* nodes that matter */
  int trimmed;           /* laws are cut shorter, and M - 1 is transformed */
  double drift;          /* errors of K(z_k), relative to K(c), divided by |e^(z_k h) - 1| */
} dppair_lattice_;

/* cos and sin of -2 pi k/n for k <= n/2, and *turn = 1 - cos without cancellation. */
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
  e = decay[0] * (-dppair_expm1_(-l->h)) / (double)l->n / (pr * pr + pi * pi);
  *re = e * (cosine * pr + sine * pi);
  *im = e * (sine * pr - cosine * pi);
}

/* (re + i im)^t by repeated squaring. */
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

/* Transforms buffers 0 and 1; the result is *xr + i *xi. */
DPPAIR_API void dppair_lattice_transform_(const double **xr, const double **xi,
                                          dppair_lattice_ *l) {
  double *const *buffer = l->buffer;
  int in_y;
  dppair_fft_(&in_y, buffer[0], buffer[1], buffer[2], buffer[3], l->cosine, l->sine, l->n);
  *xr = buffer[in_y ? 2 : 0];
  *xi = buffer[in_y ? 3 : 1];
}

/* A bound of the error of one output of the transform, relative to the l1 norm of its inputs: both
 * laws, each of norm 1, go through at most 1 + log4 n stages. */
DPPAIR_API double dppair_lattice_stages_(size_t n) {
  int stages = 1;
  for (; n > 1; n /= 4) stages++;
  return 2.0 * 34.0 * (double)stages;
}

/* Separates the two real inputs' transforms at node k: X = F(upper) + i F(lower), and what we need,
 * the sum over e^(z_k jh), is the conjugate of F. */
DPPAIR_API void dppair_lattice_pair_(double part[2][2], const double *xr, const double *xi,
                                     size_t n, size_t k) {
  const size_t other = (n - k) & (n - 1);
  part[0][0] = 0.5 * (xr[k] + xr[other]);
  part[0][1] = 0.5 * (xi[other] - xi[k]);
  part[1][0] = 0.5 * (xi[k] + xi[other]);
  part[1][1] = 0.5 * (xr[k] - xr[other]);
}

/* Below e^-80 a node's |M(z_k)/M(c)|^t counts as 0: dppair_lattice_finish_ charges for that. */
#define DPPAIR_LATTICE_NOTHING_ 80.0

/* K(z_k) of one law times re + i im. */
DPPAIR_API void dppair_lattice_times_(dppair_lattice_ *l, int d, size_t k, double re, double im) {
  const double x = l->re[d][k] * re - l->im[d][k] * im;
  l->im[d][k] = l->re[d][k] * im + l->im[d][k] * re;
  l->re[d][k] = x;
}

/* K times the t-th power of the transformed laws. */
DPPAIR_API void dppair_lattice_raise_(dppair_lattice_ *l, const double *xr, const double *xi,
                                      size_t t) {
  const double times = (double)t;
  size_t k;
  int d;
  for (k = 0; k <= l->n / 2; k++) {
    double part[2][2];
    dppair_lattice_pair_(part, xr, xi, l->n, k);
    for (d = 0; d < 2; d++) {
      double re = part[d][0], im = part[d][1];
      const double size = re * re + im * im;
      if (0.5 * times * (1.0 - size) > DPPAIR_LATTICE_NOTHING_) {
        l->re[d][k] = l->im[d][k] = 0.0;
        continue;
      }
      dppair_complex_power_(&re, &im, t);
      dppair_lattice_times_(l, d, k, re, im);
    }
  }
}

/* Charges t executions for infinite losses and for the errors of losses: the ratio of a merged
 * outcome is as exact as its masses. */
DPPAIR_API dppair_status dppair_lattice_charge_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                double times) {
  if (!(cells->infinity < 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  l->infinity += times * dppair_log1p_(-cells->infinity);
  if (cells->table) l->certain += times * dppair_log1p_(-cells->infinity);
  l->shift += times * (cells->loss_error + 4.0 * cells->mass_error * l->h);
  return DPPAIR_OK;
}

/* Puts the law of the cells [begin, end), tilted by e^(cL), into the transform's input, wrapped
 * around with period n. sum: M(c) e^-top of the upper and the lower law; *high: M(c') e^-top_right
 * of the lower law. */
DPPAIR_API void dppair_lattice_tilt_(double sum[2], double *high, dppair_lattice_ *l,
                                     const dppair_cells_ *cells, size_t begin, size_t end,
                                     double top, double right_c, double top_right) {
  double *xr = l->buffer[0], *xi = l->buffer[1];
  const double *right = cells->right, *left = cells->left;
  const double h = l->h, grow = dppair_exp_(l->c * h), grow_right = dppair_exp_(right_c * h);
  double risen = 0.0, w = 0.0, w_right = 0.0;
  size_t i;
  sum[0] = sum[1] = *high = 0.0;
  for (i = begin; i <= end; i++) {
    const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(l->n - 1));
    const double own = right[i] + left[i], rises = own * l->rise[i];
    const double upper = left[i] + (i > 0 ? right[i - 1] : 0.0), lower = own - rises + risen;
    if ((i - begin) % 64 == 0) { /* the tilt, anew every 64 cells and multiplied on between */
      const double at = h * ((double)cells->first + (double)i);
      w = dppair_exp_(l->c * at - top);
      w_right = dppair_exp_(right_c * at - top_right);
    }
    xr[place] += upper * w;
    xi[place] += lower * w;
    sum[0] += upper * w;
    sum[1] += lower * w;
    *high += lower * w_right;
    risen = rises;
    w *= grow;
    w_right *= grow_right;
  }
}

/*
 * Multiplies the law whose cells are in buffers 2 (right) and 3 (left) into K, t times. top and
 * top_right: about log M at c and at right_c.
 */
DPPAIR_API dppair_status dppair_lattice_multiply_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                  double top, double top_right, double right_c,
                                                  size_t t) {
  const size_t n = l->n;
  const double times = (double)t;
  const double range = l->h * (dppair_fabs_((double)cells->first) + (double)cells->size);
  const double *xr, *xi;
  double sum[2], high, e;
  size_t i, begin, end;
  int d;
  if (!dppair_cells_used_(&begin, &end, cells) || end + 1 > cells->size)
    return DPPAIR_ERR_NO_CONVERGENCE;
  if (!cells->table && dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(l->buffer[0], 0, n * sizeof(double));
  memset(l->buffer[1], 0, n * sizeof(double));
  dppair_lattice_tilt_(sum, &high, l, cells, begin, end, top, right_c, top_right);
  for (d = 0; d < 2; d++) {
    if (!(sum[d] > 0.0) || !dppair_isfinite_f64(sum[d])) return DPPAIR_ERR_NO_CONVERGENCE;
    l->log_k[d] += times * (top + dppair_log_(sum[d]));
    for (i = 0; i < n; i++) l->buffer[d][i] /= sum[d];
  }
  l->log_right += times * (top_right + dppair_log_(high) + DPPAIR_UNIT_ * (double)(n + 64));
  dppair_lattice_transform_(&xr, &xi, l);
  /* the transform, the tilt, and log2 t squarings and products */
  e = DPPAIR_UNIT_ *
      (dppair_lattice_stages_(n) + 300.0 + 4.0 * (dppair_fabs_(top) + dppair_fabs_(l->c * range)));
  for (d = 0; d < 2; d++) l->error[d] += times * (e + 6.0 * DPPAIR_UNIT_);
  dppair_lattice_raise_(l, xr, xi, t);
  l->kappa += times * cells->mass_error;
  return dppair_lattice_charge_(l, cells, times);
}

/* sum += x, *low takes what is rounded away (Knuth). */
DPPAIR_API void dppair_sum_two_(double *sum, double *low, double x) {
  const double s = *sum + x, t = s - *sum;
  *low += (*sum - (s - t)) + (x - t);
  *sum = s;
}

/*
 * Laws that hardly lose anything: the errors should be proportional to what they lose, not to 1.
 *
 * Let m_i be the mass at ih, and put what is missing to 1 at loss 0; that only raises the upper
 * law, and changes M of the lower one by at most cells->infinity. Then M(z) - 1 = sum m_i (e^(z ih)
 * - 1) = (e^(zh) - 1) sum_j G_j e^(z jh), G_j = sum_(i > j) m_i for j >= 0,  -sum_(i <= j) m_i for
 * j < 0, and G is transformed. Let P_j be the mass of cell j and of all cells beyond it, seen from
 * loss 0, and A = sum_j P_j e^(c jh); |G_j| <= P_j for both laws. Relative errors kappa of the
 * cells' masses and of how they are split change G_j by at most 2 kappa P_j; errors of the mass at
 * loss 0 do not count. These and the rounding of the transform, e relative to the l1 norm, change
 * M(z) by at most |e^(zh) - 1| A (2 kappa + e), and (M(z)/M(c))^t, where |M(z)| <= M(c), by t/M(c)
 * times as much.
 *
 * The power is exp(t log(1 + m)), |m| = |M(z) - 1| <= |e^(zh) - 1| A. log |1 + m| and arg(1 + m),
 * which is at most pi |m|, are off by at most 40 |m|/|1 + m| and 10 |m|/|1 + m| units. Times t and
 * |M(z)/M(c)|^t that is below 60 t |m|, which is part of e. The exponent -x rounds by x e^-x < 1
 * units.
 */
typedef struct dppair_lattice_losses_ {
  double a, a_right; /* A at c and at c' */
  double high;       /* sum of G_j e^(c' jh) of the lower law */
} dppair_lattice_losses_;

/* Puts G of both laws, tilted by e^(cL), into the transform's input. */
DPPAIR_API void dppair_lattice_lost_(dppair_lattice_losses_ *lost, dppair_lattice_ *l,
                                     const dppair_cells_ *cells, size_t begin, size_t end,
                                     double right_c) {
  const double *right = cells->right, *left = cells->left;
  const size_t zero = (size_t)-cells->first;
  int side;
  memset(lost, 0, sizeof *lost);
  for (side = 0; side < 2; side++) { /* losses above 0 from the last, below 0 from the first */
    const size_t length = side == 0 ? end - zero : zero - begin;
    double whole = 0.0, low = 0.0; /* whole + low: P_j */
    size_t k;
    for (k = 0; k < length; k++) {
      const double beyond = whole + low;
      const size_t i = side == 0 ? end - 1 - k : begin + k;
      const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(l->n - 1));
      const double at = l->h * (double)(cells->first + (int64_t)i);
      const double own = right[i] + left[i], w = dppair_exp_(l->c * at),
                   w_right = dppair_exp_(right_c * at);
      const double up = beyond + (side == 0 ? right[i] : left[i]);
      const double down = beyond + own * (side == 0 ? l->rise[i] : 1.0 - l->rise[i]);
      dppair_sum_two_(&whole, &low, own);
      lost->a += (whole + low) * w;
      lost->a_right += (whole + low) * w_right;
      lost->high += side == 0 ? down * w_right : -down * w_right;
      l->buffer[0][place] = side == 0 ? up * w : -up * w;
      l->buffer[1][place] = side == 0 ? down * w : -down * w;
    }
  }
}

/* K times the t-th power of the laws whose G was transformed; top: log M(c) of each. */
DPPAIR_API void dppair_lattice_raise_small_(dppair_lattice_ *l, const double *xr, const double *xi,
                                            const double top[2], size_t t) {
  const double times = (double)t, grow = dppair_exp_(l->c * l->h),
               less = dppair_expm1_(l->c * l->h);
  size_t k;
  int d;
  for (k = 0; k <= l->n / 2; k++) {
    double part[2][2], cosine, sine, turn, fr, fi;
    dppair_lattice_pair_(part, xr, xi, l->n, k);
    dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
    fr = less - grow * turn; /* e^(zh) - 1 */
    fi = -grow * sine;
    for (d = 0; d < 2; d++) {
      const double re = part[d][0] * fr - part[d][1] * fi, im = part[d][0] * fi + part[d][1] * fr;
      const double more = re * (2.0 + re) + im * im; /* |M|^2 - 1 */
      const double size =
          more > -0.75 ? dppair_log1p_(more) : dppair_log_((1.0 + re) * (1.0 + re) + im * im);
      const double power = times * (0.5 * size - top[d]);
      double angle, x;
      if (power <= -DPPAIR_LATTICE_NOTHING_) {
        l->re[d][k] = l->im[d][k] = 0.0;
        continue;
      }
      angle = times * dppair_atan2_(im, 1.0 + re);
      x = dppair_exp_(power);
      dppair_lattice_times_(l, d, k, x * dppair_cos_(angle), x * dppair_sin_(angle));
    }
  }
}

/* dppair_lattice_multiply_ for laws that hardly lose anything, as above. The losses lie on both
 * sides of 0, and there are no tables. */
DPPAIR_API dppair_status dppair_lattice_multiply_small_(dppair_lattice_ *l,
                                                        const dppair_cells_ *cells, double right_c,
                                                        size_t t) {
  const double times = (double)t, less = dppair_expm1_(l->c * l->h),
               less_right = dppair_expm1_(right_c * l->h);
  const double range = l->h * (dppair_fabs_((double)cells->first) + (double)cells->size);
  const size_t n = l->n, zero = (size_t)-cells->first;
  const double *xr, *xi;
  dppair_lattice_losses_ lost;
  double top[2], e, least;
  size_t begin, end;
  int d;
  if (!dppair_cells_used_(&begin, &end, cells) || cells->table || cells->first >= 0 ||
      !(begin < zero && zero < end) || end >= cells->size ||
      dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(l->buffer[0], 0, n * sizeof(double));
  memset(l->buffer[1], 0, n * sizeof(double));
  dppair_lattice_lost_(&lost, l, cells, begin, end, right_c);
  if (!(lost.a > 0.0) || !dppair_isfinite_f64(lost.a) || !dppair_isfinite_f64(lost.a_right))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_transform_(&xr, &xi, l);
  top[0] = dppair_log1p_(less * xr[0]);
  top[1] = dppair_log1p_(less * xi[0]);
  least = dppair_exp_(top[0] < top[1] ? top[0] : top[1]); /* the smaller M(c) */
  if (!(least > 0.5)) return DPPAIR_ERR_NO_CONVERGENCE;
  e = DPPAIR_UNIT_ * (dppair_lattice_stages_(n) + 400.0 + 4.0 * dppair_fabs_(l->c * range));
  l->drift += times * 1.01 * lost.a / least * (2.0 * cells->mass_error + e);
  for (d = 0; d < 2; d++) {
    l->log_k[d] += times * top[d];
    l->error[d] += 16.0 * DPPAIR_UNIT_ + (d == 1 ? times * 1.01 / least * cells->infinity : 0.0);
  }
  /* what the lower law has at c', with room for the errors of its masses */
  e = 3.0 * cells->mass_error + DPPAIR_UNIT_ * (100.0 + (double)n + 8.0 * right_c * range);
  l->log_right +=
      times * dppair_log1p_(less_right * (lost.high + e * lost.a_right) + cells->infinity);
  dppair_lattice_raise_small_(l, xr, xi, top, t);
  return dppair_lattice_charge_(l, cells, times);
}
