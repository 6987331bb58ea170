/* --- certified quadrature in x --------------------------------------------------------------- */

enum { DPPAIR_HEIGHTS_ = 6 };

/* Nodes of one step: M(z) = sum w e^(z loss), w = e^log_mass, and what is known about the error.
 * Relative to e^log_m at tilt c: e^log_strip[i] for the quadrature at height y_i (convex in y, so
 * chords bound it between), left_out for the nodes that are not there; strip_right and
 * left_out_right the same at the tilt c', height 0; plain both at tilt 0. */
typedef struct dppair_nodes_ {
  double *loss, *log_mass, *loss_error, *mass_error;
  size_t n, room;
  double log_strip[DPPAIR_HEIGHTS_], left_out;
  double strip_right, left_out_right, plain;
} dppair_nodes_;

DPPAIR_API int dppair_nodes_add_(dppair_nodes_ *nodes, dppair_place_ *place,
                                 const dppair_branch_ *branch, double x, double log_weight) {
  const size_t n = nodes->n;
  if (n >= nodes->room) return 0;
  dppair_place_of_(place, branch, x);
  nodes->loss[n] = place->loss;
  nodes->log_mass[n] = place->log_mass + log_weight;
  nodes->loss_error[n] = place->loss_error;
  nodes->mass_error[n] =
      nodes->loss_error[n] + DPPAIR_UNIT_ * (16.0 + 4.0 * (x * x + fabs(nodes->log_mass[n])));
  nodes->n = n + 1;
  return 1;
}

/* The factor that a strip of half width a costs beyond e^(a^2/2), and its growth with |y|. */
DPPAIR_API double dppair_strip_(double *rate, const dppair_branch_ *branch, double c, double a) {
  *rate = a * branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  return branch->shape == DPPAIR_FORWARD_ ? 0.0 : -c * log(cos(0.5 * a * branch->reach));
}

/* How small the relative error of M(c+iy) should be: e^-digits[i] up to height y[i]. A wish only,
 * what comes out is bounded afterwards. */
typedef struct dppair_wish_ {
  double y[DPPAIR_HEIGHTS_], digits[DPPAIR_HEIGHTS_];
} dppair_wish_;

/* What a strip of half width a leaves to be desired: the largest digits + log of the error. */
DPPAIR_API double dppair_wish_gap_(const dppair_wish_ *wish, double rate) {
  double gap = -HUGE_VAL;
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++)
    if (wish->digits[i] + rate * wish->y[i] > gap) gap = wish->digits[i] + rate * wish->y[i];
  return gap;
}

/* Largest step h at which the trapezoid's error is as wished; *best is the strip's half width. */
DPPAIR_API double dppair_strip_step_(double *best, const dppair_branch_ *branch, double c,
                                     const dppair_wish_ *wish) {
  const double widest = 0.98 * DPPAIR_PI_ / branch->reach;
  double h = 0.0;
  int i;
  *best = 0.0;
  for (i = 1; i <= 32; i++) {
    const double a = (widest < 14.0 ? widest : 14.0) * (double)i / 32.0;
    double rate, one = dppair_strip_(&rate, branch, c, a);
    one = 2.0 * DPPAIR_PI_ * a / (dppair_wish_gap_(wish, rate) + 0.7 + 0.5 * a * a + one);
    if (one > h) {
      h = one;
      *best = a;
    }
  }
  return h;
}

/* x with only its upper 20 bits: multiples by j < 2^30 are exact. */
DPPAIR_API double dppair_short_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~((UINT64_C(1) << 33) - 1);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A lower bound of how fast log mass + cL falls beyond x, away from 0. The slope of log r increases
 * in x, from 0 to reach. */
DPPAIR_API double dppair_fall_(const dppair_branch_ *branch, const dppair_place_ *place, double c,
                               double x) {
  if (branch->shape == DPPAIR_BACKWARD_) return x > 0.0 ? x : -x - c * place->slope;
  return x > 0.0 ? x - (c + 1.0) * branch->reach - c * place->mirror : -x;
}

/* log(e^v - 1), v > 0, where e^v may overflow. */
DPPAIR_API double dppair_log_expm1_(double v) { return v + log(-expm1(-v)); }

/* A branch on the line by the trapezoid with step h and a strip of half width a. log_m, log_right:
 * rough log M(c), log M(c'); the mass left out is made smaller than e^-digits of them. */
DPPAIR_API dppair_status dppair_nodes_line_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                            const dppair_contour_ *s, double log_m,
                                            double log_right, const dppair_wish_ *wish, double a,
                                            double h) {
  const double digits = wish->digits[0];
  double rate, factor, x;
  const double log_h = log(h), tilt[3] = {s->c, s->right, 0.0}, level[3] = {log_m, log_right, 0.0};
  int side, k;
  double out[3] = {0.0, 0.0, 0.0};
  dppair_place_ place;
  /* relative to M(c), which is at most 1.1 e^log_m: checked when M(c) is known */
  factor = log(2.2) + 0.5 * a * a - dppair_log_expm1_(2.0 * DPPAIR_PI_ * a / h);
  x = factor + dppair_strip_(&rate, branch, s->c, a);
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] = dppair_log_add_(nodes->log_strip[k], x + rate * wish->y[k]);
  nodes->strip_right += exp(factor + dppair_strip_(&rate, branch, s->right, a));
  nodes->plain += exp(factor + dppair_strip_(&rate, branch, 0.0, a));
  for (side = 0; side < 2; side++) {
    size_t j;
    for (j = side == 0 ? 0 : 1;; j++) {
      double tail[3];
      int done = 1;
      x = side == 0 ? h * (double)j : -h * (double)j;
      if (!dppair_nodes_add_(nodes, &place, branch, x, log_h)) return DPPAIR_ERR_NO_CONVERGENCE;
      if (h * (double)j < 4.0) continue;
      for (k = 0; k < 3; k++) {
        const double beyond = dppair_fall_(branch, &place, tilt[k], x);
        const double log_here =
            nodes->log_mass[nodes->n - 1] + tilt[k] * nodes->loss[nodes->n - 1] - level[k];
        if (beyond < 0.5 || log_here > -digits) {
          done = 0;
          break;
        }
        tail[k] = exp(log_here) / expm1(h * beyond);
      }
      if (!done) continue;
      for (k = 0; k < 3; k++) out[k] += tail[k];
      break;
    }
  }
  nodes->left_out += out[0] * (1.0 + 1e-6);
  nodes->left_out_right += out[1] * (1.0 + 1e-6);
  nodes->plain += out[2] * (1.0 + 1e-6);
  return DPPAIR_OK;
}

/* One panel [x - w, x + w] and an ellipse of minor semi-axis b around it. */
typedef struct dppair_panel_ {
  double log_error; /* of the 16-point rule, relative to e^log_m, at height 0 */
  double rate;      /* its growth with the height */
} dppair_panel_;

/*
 * The bound of |mass e^(zL)| on the ellipse, real parts within span of x. Modulus: -x^2/2 and the
 * concave parts -c log r(x), -c log r(-x) lie below their tangents, (c+1) log r below its chord.
 * |r| >= r cos(b reach/2) and >= r (1 - share (1 - cos(b reach))). Angle: |arg r(x+ib)| is at most
 * b (log r)'/cos(b reach/2). Share and slope increase in x.
 */
DPPAIR_API void dppair_panel_of_(dppair_panel_ *panel, const dppair_branch_ *branch, double c,
                                 double log_m, double x, double w, double b) {
  const double rho = b / w + sqrt(b * b / (w * w) + 1.0), span = 0.5 * w * (rho + 1.0 / rho);
  const double wedge = cos(0.5 * b * branch->reach);
  dppair_log_ratio_ here, right, mirror, far;
  double top = -HUGE_VAL, share = 0.0, slope;
  int side;
  dppair_log_ratio_of_(&here, branch, x);
  dppair_log_ratio_of_(&right, branch, x + span);
  slope = right.slope;
  if (branch->shape == DPPAIR_BACKWARD_) share = right.share;
  if (branch->shape == DPPAIR_OPPOSITE_) {
    dppair_log_ratio_of_(&mirror, branch, -x);
    dppair_log_ratio_of_(&far, branch, span - x);
    slope += far.slope;
    share = far.share;
  } else {
    mirror = here;
  }
  for (side = -1; side <= 1; side += 2) {
    const double d = side * span;
    double value = -0.5 * x * x - x * d;
    if (branch->shape == DPPAIR_BACKWARD_) {
      value -= c * (here.value + here.slope * d);
    } else {
      dppair_log_ratio_ g = right;
      if (side < 0) dppair_log_ratio_of_(&g, branch, x + d);
      value += (c + 1.0) * g.value;
      if (branch->shape == DPPAIR_OPPOSITE_) value -= c * (mirror.value - mirror.slope * d);
    }
    if (value > top) top = value;
  }
  if (branch->shape != DPPAIR_FORWARD_) {
    const double kept = 1.0 - share * (1.0 - cos(b * branch->reach));
    top -= c * log(kept > wedge ? kept : wedge);
  }
  panel->rate = b * slope / wedge;
  panel->log_error = top + branch->log_weight - DPPAIR_LOG_SQRT_2PI_ - log_m + 0.5 * b * b +
                     log(w * (64.0 / 15.0) / (1.0 - 1.0 / (rho * rho)) * (1.0 + 1e-6)) -
                     32.0 * log(rho);
}

/* What a panel leaves to be desired. */
DPPAIR_API double dppair_panel_gap_(const dppair_panel_ *panel, const dppair_wish_ *wish) {
  return panel->log_error + dppair_wish_gap_(wish, panel->rate);
}

/* The end of a branch at side +1 or -1, from `at` outwards: where all three tilts have fallen. What
 * is beyond is added to what is left out. */
DPPAIR_API double dppair_nodes_end_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                    const double *tilt, const double *level, double digits,
                                    double at, int side) {
  dppair_place_ place;
  double tail[3];
  int k;
  for (k = 0; k < 3;) {
    double fall;
    dppair_place_of_(&place, branch, at);
    fall = dppair_fall_(branch, &place, tilt[k], at);
    tail[k] = place.log_mass + tilt[k] * place.loss - level[k];
    if (fall > 0.5 && tail[k] < -digits) {
      k++;
      continue;
    }
    at += 0.5 * (double)side;
  }
  for (k = 0; k < 3; k++) {
    dppair_place_of_(&place, branch, at);
    tail[k] = exp(place.log_mass + tilt[k] * place.loss - level[k]) /
              dppair_fall_(branch, &place, tilt[k], at) * (1.0 + 1e-6);
  }
  nodes->left_out += tail[0];
  nodes->left_out_right += tail[1];
  nodes->plain += tail[2];
  return at;
}

/* A branch by panels of 16 nodes, each as wide as its own bound allows. */
DPPAIR_API dppair_status dppair_nodes_panels_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const dppair_contour_ *s, double log_m,
                                              double log_right, const dppair_wish_ *wish) {
  const double tilt[3] = {s->c, s->right, 0.0}, level[3] = {log_m, log_right, 0.0};
  const double digits = wish->digits[0] + 2.0;
  const double widest =
      branch->reach * 5.0 < 0.95 * DPPAIR_PI_ ? 5.0 : 0.95 * DPPAIR_PI_ / branch->reach;
  double from = branch->from, end, x, w = 1.6;
  dppair_place_ place;
  if (!branch->half) from = dppair_nodes_end_(nodes, branch, tilt, level, digits, -4.0, -1);
  end = dppair_nodes_end_(nodes, branch, tilt, level, digits, (branch->half ? from : 0.0) + 2.0, 1);
  for (x = from; x < end; x += 2.0 * w) {
    dppair_panel_ panel, best;
    double best_b = 0.0, gap;
    int i, k;
    w = w * 2.1 < 1.6 ? w * 2.1 : 1.6;
    for (;; w *= 0.7) {
      const double centre = x + w;
      if (w < 1e-4) return DPPAIR_ERR_NO_CONVERGENCE;
      gap = HUGE_VAL;
      memset(&best, 0, sizeof best);
      for (i = 0; i < 6; i++) {
        const double b = widest * (i < 2 ? 1.0 - 0.3 * (double)i : pow(0.5, (double)(i - 1)));
        double here;
        if (b < 0.5 * w) continue;
        dppair_panel_of_(&panel, branch, s->c, log_m, centre, w, b);
        here = dppair_panel_gap_(&panel, wish);
        if (here < gap) {
          gap = here;
          best = panel;
          best_b = b;
        }
      }
      if (gap < -3.0) break; /* about 20 panels share what is wished for */
    }
    for (k = 0; k < DPPAIR_HEIGHTS_; k++)
      nodes->log_strip[k] =
          dppair_log_add_(nodes->log_strip[k], best.log_error + best.rate * wish->y[k]);
    dppair_panel_of_(&panel, branch, s->right, log_right, x + w, w, best_b);
    nodes->strip_right += exp(panel.log_error);
    dppair_panel_of_(&panel, branch, 0.0, 0.0, x + w, w, best_b);
    nodes->plain += exp(panel.log_error);
    for (k = 0; k < 16; k++) {
      double weight;
      const double offset = dppair_legendre_(&weight, k);
      if (!dppair_nodes_add_(nodes, &place, branch, x + w * (1.0 + offset), log(w * weight)))
        return DPPAIR_ERR_NO_CONVERGENCE;
    }
  }
  /* the last panel reaches beyond the end: what was left out there is counted twice, harmlessly */
  return DPPAIR_OK;
}

/* A branch, by the cheaper of the two. */
DPPAIR_API dppair_status dppair_nodes_branch_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const dppair_contour_ *s, double log_m,
                                              double log_right, const dppair_wish_ *wish) {
  if (!branch->half) {
    double a, h = dppair_short_(dppair_strip_step_(&a, branch, s->c, wish));
    if (h > 0.02) return dppair_nodes_line_(nodes, branch, s, log_m, log_right, wish, a, h);
  }
  return dppair_nodes_panels_(nodes, branch, s, log_m, log_right, wish);
}
