/* ------------------------------------------------------------------------------------------------
 * Random allocation: the privacy curve of a density
 *
 * delta(epsilon) = e^epsilon int_0^inf (e^u - 1) f(epsilon + u) du, the tilted interpolant
 * integrated from any epsilon on, with all errors (theory.h, 8). Relies on epochs.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_COARSE_ = 9 }; /* places -33, -25 .. 31 from a node, where g of theory.h is bounded */

/* A curve near node j: epsilon = h (j + theta), 0 <= theta <= 1. */
typedef struct dppair_slope_ {
  const dppair_density_ *d;
  double *grow; /* expm1(r h), r = 0 .. size */
  double arc[2 * DPPAIR_RADIUS_];
  int64_t j;
  double p, decay[DPPAIR_TAPS_], whole[DPPAIR_TAPS_], change[DPPAIR_TAPS_]; /* sums over q */
  double size_whole[DPPAIR_TAPS_], size_change[DPPAIR_TAPS_];               /* of |B|, of |C| */
  double mass, tail, mass_error, tail_error; /* sums of f, of f expm1(rh) from r = 9 on */
  double between;                            /* error of the interpolation, without e^epsilon */
} dppair_slope_;

DPPAIR_API dppair_status dppair_slope_open_(dppair_slope_ *s, const dppair_density_ *d,
                                            dppair_pool_ *pool) {
  size_t i;
  memset(s, 0, sizeof *s);
  s->d = d;
  s->j = INT64_MIN;
  s->grow = dppair_pool_take_(pool, d->size + 64);
  if (s->grow == NULL) return DPPAIR_ERR_WORKSPACE;
  if (d->h * (double)(d->size + 64) > 700.0) return DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < d->size + 64; i++) s->grow[i] = dppair_expm1_(d->h * (double)i);
  dppair_arcs_(s->arc, d->curvature * d->h * d->h);
  return DPPAIR_OK;
}

/* The sums of f (expm1(rh) or 1) (1 or error) over nodes i + r, r >= from, in out[4]. */
DPPAIR_API void dppair_slope_sums_(double *out, const dppair_slope_ *s, int64_t i, int64_t from) {
  const dppair_density_ *d = s->d;
  int64_t k = i + from - d->first;
  out[0] = out[1] = out[2] = out[3] = 0.0;
  if (k < 0) k = 0;
  for (; k < (int64_t)d->size; k++) {
    const int64_t r = d->first + k - i;
    const double grow = r < (int64_t)d->size + 64 ? s->grow[r] : dppair_expm1_(d->h * (double)r);
    const double f = d->f[k], lost = f * d->error[k];
    out[0] += f;
    out[1] += f * grow;
    out[2] += lost;
    out[3] += lost * grow;
  }
}

/* Integrals over [low, 1] of the weight q times e^((h+p)(y-q)), and times expm1(h(y-q)) e^(p(y-q));
 * or, if part, of expm1((y - low) h) e^(p(y-q)) in whole. */
DPPAIR_API void dppair_slope_cell_(double *whole, double *change, const dppair_slope_ *s,
                                   double low, int part) {
  const double half = 0.5 * (1.0 - low), h = s->d->h;
  long double w[DPPAIR_TAPS_];
  int k, q;
  for (q = 0; q < DPPAIR_TAPS_; q++) whole[q] = change[q] = 0.0;
  for (k = 0; k < 16; k++) {
    double weight;
    const double ahead = half * (1.0 + dppair_legendre_(&weight, k)), y = low + ahead;
    const double tilt = half * weight * dppair_exp_(s->p * y), first = dppair_expm1_(ahead * h);
    dppair_taps_(w, (long double)y);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const double share = tilt * s->decay[q] * (double)w[q], loss = h * (y - (q - 7));
      if (part) {
        whole[q] += share * first;
      } else {
        whole[q] += share * dppair_exp_(loss);
        change[q] += share * dppair_expm1_(loss);
      }
    }
  }
}

/* A bound of int_0^inf (e^u - 1) f(h i + u) du. */
DPPAIR_API double dppair_slope_above_(const dppair_slope_ *s, int64_t i) {
  const dppair_density_ *d = s->d;
  const double step = dppair_expm1_(d->h);
  double sum[4];
  dppair_slope_sums_(sum, s, i, 0);
  return 1.0001 * (d->h * dppair_exp_(0.125 * d->curvature * d->h * d->h) *
                       ((2.0 + step) * (sum[1] + sum[3]) + step * (sum[0] + sum[2])) +
                   d->outside * dppair_exp_(-d->h * (double)i));
}

/* The error of the interpolation inside the integral, relative to e^epsilon. Between the places g
 * is bounded by K-convexity. */
DPPAIR_API double dppair_slope_between_(const dppair_slope_ *s) {
  const double bend = s->d->curvature * s->d->h * s->d->h;
  const double scale =
      2.001 * dppair_exp_(0.5 * bend + 8.0 * bend) * dppair_exp_(1.5 * dppair_fabs_(s->p));
  double g[DPPAIR_COARSE_], sum = 0.0;
  int k, rho;
  for (k = 0; k < DPPAIR_COARSE_; k++)
    g[k] = dppair_log_(dppair_slope_above_(s, s->j - 33 + 8 * k));
  for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++) {
    const int at = rho + 32, place = at / 8; /* node j + rho - 1, from node j - 33 */
    const double share = (at - 8 * place) / 8.0;
    const double log_g =
        place + 1 < DPPAIR_COARSE_ ? (1.0 - share) * g[place] + share * g[place + 1] : g[place];
    sum += s->arc[rho + DPPAIR_RADIUS_] * dppair_exp_(log_g - s->p * rho);
  }
  return scale * sum;
}

/* Moves to node j. */
DPPAIR_API void dppair_slope_move_(dppair_slope_ *s, int64_t j, int certain) {
  const dppair_density_ *d = s->d;
  const int64_t at = j - d->first;
  double sum[4], p = -0.5;
  int q;
  if (s->j != j) {
    s->between = -1.0;
    if (at >= 0 && at + 8 < (int64_t)d->size) p = 0.125 * dppair_log_(d->f[at + 8] / d->f[at]);
    if (!(p > -1.5)) p = -1.5;
    if (p > 1.5) p = 1.5;
    s->p = p;
    s->j = j;
    for (q = 0; q < DPPAIR_TAPS_; q++) s->decay[q] = dppair_exp_(-p * (q - 7));
    dppair_slope_cell_(s->whole, s->change, s, 0.0, 0);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      s->size_whole[q] = dppair_fabs_(s->whole[q]) + (q > 0 ? s->size_whole[q - 1] : 0.0);
      s->size_change[q] = dppair_fabs_(s->change[q]) + (q > 0 ? s->size_change[q - 1] : 0.0);
      if (q > 0) {
        s->whole[q] += s->whole[q - 1];
        s->change[q] += s->change[q - 1];
      }
    }
    dppair_slope_sums_(sum, s, j, 9);
    s->mass = sum[0];
    s->tail = sum[1];
    s->mass_error = sum[2];
    s->tail_error = sum[3];
  }
  if (certain && s->between < 0.0) s->between = dppair_slope_between_(s);
}

/* delta at epsilon = h (floor(x) + theta), x = floor(x) + theta: returns the value; *error is a
 * bound of its error, if not NULL. */
DPPAIR_API double dppair_slope_at_(double *error, dppair_slope_ *s, double x) {
  const dppair_density_ *d = s->d;
  const double node = dppair_floor_(x), theta = x - node, h = d->h, scale = dppair_exp_(h * x),
               unit = DPPAIR_UNIT_;
  double part[DPPAIR_TAPS_], spare[DPPAIR_TAPS_], value, bad, lost = 0.0, grow, back;
  int r;
  dppair_slope_move_(s, (int64_t)node, error != NULL);
  dppair_slope_cell_(part, spare, s, theta, 1);
  back = dppair_expm1_(-theta * h);
  grow = 1.0 + back;
  value = s->whole[15] * (grow * s->tail + back * s->mass) + s->change[15] * s->mass;
  bad = s->size_whole[15] * (s->tail_error + dppair_fabs_(back) * s->mass_error) +
        s->size_change[15] * s->mass_error;
  bad += unit * (128.0 + (double)d->size) *
         (s->size_whole[15] * (s->tail + s->mass * h) + s->size_change[15] * s->mass);
  for (r = -7; r <= 8; r++) {
    const int64_t at = s->j + r - d->first;
    const double here = dppair_expm1_((r - theta) * h), before = r > -7 ? s->whole[r + 6] : 0.0;
    const double size = r > -7 ? s->size_whole[r + 6] : 0.0;
    const double size_change = r > -7 ? s->size_change[r + 6] : 0.0;
    const double w = here * before + (r > -7 ? s->change[r + 6] : 0.0) + part[r + 7];
    const double round =
        200.0 * unit * (dppair_fabs_(here) * size + size_change + dppair_fabs_(part[r + 7]) + h);
    if (at >= 0 && at < (int64_t)d->size) {
      value += w * d->f[at];
      bad += d->f[at] *
             (dppair_fabs_(w) * (d->error[at] + 32.0 * unit) + round * (1.0 + d->error[at]));
    } else {
      lost += dppair_fabs_(w) + round;
    }
  }
  if (error != NULL)
    *error =
        1.00001 * (scale * (h * bad + s->between) + h * lost * d->beyond * dppair_exp_(8.0 * h) +
                   (s->size_whole[15] + s->size_change[15] + 1.0) * d->outside) +
        8.0 * unit * scale * h * dppair_fabs_(value);
  return scale * h * value;
}
