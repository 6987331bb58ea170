/* ------------------------------------------------------------------------------------------------
 * Certified quadrature in x: the nodes of one step
 *
 * M(z) = sum over nodes of e^(log_mass + z loss), with bounds of what the sum misses at the tilts
 * c, c' and 0 and at heights y up to the cut (theory.h, "quadrature in x" and "nodes far out").
 * Each branch takes the trapezoid rule where that needs few nodes, and Gauss-Legendre panels
 * elsewhere. The searches for a strip, a panel or an end decide the cost only: their bounds hold as
 * found.
 * ---------------------------------------------------------------------------------------------- */

/* Heights at which the quadrature's error is bounded, evenly spread from 0 to the cut. The log of
 * each bound is convex in y, so that chords bound it in between. */
enum { DPPAIR_HEIGHTS_ = 6 };

/* The tilts at which the nodes are used. */
enum { DPPAIR_TILT_C_ = 0, DPPAIR_TILT_RIGHT_ = 1, DPPAIR_TILT_NONE_ = 2, DPPAIR_TILTS_ = 3 };

/* The strip's half width is at most this part of what the branch allows, pi/reach: at pi/reach
 * itself r may vanish. And at most 14, the best half width for an error of e^-98 (a^2/2 = 98). */
#define DPPAIR_STRIP_PART_ 0.98
#define DPPAIR_STRIP_WIDEST_ 14.0
/* Below this step a trapezoid needs more nodes than panels do. */
#define DPPAIR_STRIP_LEAST_STEP_ 0.02
/* Nodes before these deviations from 0 are all taken: no end is near. */
#define DPPAIR_NODES_CENTRE_ 4.0
/* What is left out beyond an end is bounded only where the mass falls at least this fast. */
#define DPPAIR_NODES_FALL_ 0.5
/* A panel is at most this half width, and is refused below the other; b at most this part of
 * pi/reach and at most 5. */
#define DPPAIR_PANEL_WIDEST_ 1.6
#define DPPAIR_PANEL_LEAST_ 1e-4
#define DPPAIR_PANEL_PART_ 0.95
#define DPPAIR_PANEL_AXIS_ 5.0
/* Each panel errs by e^-3 of what is wished for: about 20 panels share it. */
#define DPPAIR_PANEL_SHARE_ 3.0
/* Sums of a few positive terms err by less. */
#define DPPAIR_SUM_UP_ (1.0 + 1e-6)

/* The nodes of one step, each with bounds of the absolute error of its loss and the relative one of
 * its mass, and what the sum over them misses: by the quadrature (strip, as a log at each height)
 * and by the nodes that are not there (left_out), relative to e^log_m at tilt c; the same relative
 * to e^log_right at tilt c' and height 0; and both together at tilt 0. */
typedef struct dppair_nodes_ {
  double *loss, *log_mass, *loss_error, *mass_error;
  size_t n, room;
  double log_strip[DPPAIR_HEIGHTS_], left_out;
  double strip_right, left_out_right;
  double plain;
} dppair_nodes_;

/* Appends a node at x; 0 when there is no room. */
DPPAIR_API int dppair_nodes_add_(dppair_nodes_ *nodes, dppair_place_ *place,
                                 const dppair_branch_ *branch, double x, double log_weight) {
  const size_t n = nodes->n;
  if (n >= nodes->room) return 0;
  dppair_place_of_(place, branch, x);
  nodes->loss[n] = place->loss;
  nodes->log_mass[n] = place->log_mass + log_weight;
  nodes->loss_error[n] = place->loss_error;
  nodes->mass_error[n] = nodes->loss_error[n] +
                         DPPAIR_UNIT_ * (16.0 + 4.0 * (x * x + dppair_fabs_(nodes->log_mass[n])));
  nodes->n = n + 1;
  return 1;
}

/* Counts the masses at the three tilts that are left out beyond an end. */
DPPAIR_API void dppair_nodes_left_out_(dppair_nodes_ *nodes, const double *mass) {
  nodes->left_out += mass[DPPAIR_TILT_C_] * DPPAIR_SUM_UP_;
  nodes->left_out_right += mass[DPPAIR_TILT_RIGHT_] * DPPAIR_SUM_UP_;
  nodes->plain += mass[DPPAIR_TILT_NONE_] * DPPAIR_SUM_UP_;
}

/* How small the relative error of M(c+iy) should be: e^-digits[i] up to height y[i]. A wish only;
 * what comes out is bounded afterwards. */
typedef struct dppair_wish_ {
  double y[DPPAIR_HEIGHTS_], digits[DPPAIR_HEIGHTS_];
} dppair_wish_;

/* By how much an error that grows like e^(rate y) misses the wish, as a log, apart from its own
 * size at y = 0. */
DPPAIR_API double dppair_wish_gap_(const dppair_wish_ *wish, double rate) {
  double gap = -HUGE_VAL;
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++)
    if (wish->digits[i] + rate * wish->y[i] > gap) gap = wish->digits[i] + rate * wish->y[i];
  return gap;
}

/* The log of the factor by which a strip of half width a costs more than e^(a^2/2), and the rate at
 * which its log grows with |y|. */
DPPAIR_API double dppair_strip_(double *rate, const dppair_branch_ *branch, double c, double a) {
  *rate = a * branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  return branch->shape == DPPAIR_FORWARD_ ? 0.0
                                          : -c * dppair_log_(dppair_cos_(0.5 * a * branch->reach));
}

/* The largest step h at which the trapezoid's error is as wished, over 32 half widths; *best is the
 * half width. 0.7 is the log of the factor 2 in the error. */
DPPAIR_API double dppair_strip_step_(double *best, const dppair_branch_ *branch, double c,
                                     const dppair_wish_ *wish) {
  const double allowed = DPPAIR_STRIP_PART_ * DPPAIR_PI_ / branch->reach;
  const double widest = allowed < DPPAIR_STRIP_WIDEST_ ? allowed : DPPAIR_STRIP_WIDEST_;
  double h = 0.0;
  int i;
  *best = 0.0;
  for (i = 1; i <= 32; i++) {
    const double a = widest * (double)i / 32.0;
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
DPPAIR_API double dppair_log_expm1_(double v) { return v + dppair_log_(-dppair_expm1_(-v)); }

/* Bounds what the node last added leaves beyond it, in steps of h, at each tilt: 0 when the mass
 * there is not yet below e^-digits of its level, or does not fall yet. */
DPPAIR_API int dppair_nodes_done_(double *beyond, const dppair_nodes_ *nodes,
                                  const dppair_branch_ *branch, const dppair_place_ *place,
                                  const double *tilt, const double *level, double digits, double x,
                                  double h) {
  int k;
  for (k = 0; k < DPPAIR_TILTS_; k++) {
    const double fall = dppair_fall_(branch, place, tilt[k], x);
    const double log_here =
        nodes->log_mass[nodes->n - 1] + tilt[k] * nodes->loss[nodes->n - 1] - level[k];
    if (fall < DPPAIR_NODES_FALL_ || log_here > -digits) return 0;
    beyond[k] = dppair_exp_(log_here) / dppair_expm1_(h * fall);
  }
  return 1;
}

/* A branch on the line by the trapezoid with step h and a strip of half width a. tilt, level: the
 * tilts with rough values of log M there; the mass left out is made smaller than e^-digits of it.
 */
DPPAIR_API dppair_status dppair_nodes_line_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                            const double *tilt, const double *level,
                                            const dppair_wish_ *wish, double a, double h) {
  const double log_h = dppair_log_(h);
  /* relative to M(c), which is at most 1.1 e^log_m: checked when M(c) is known */
  const double factor =
      dppair_log_(2.2) + 0.5 * a * a - dppair_log_expm1_(2.0 * DPPAIR_PI_ * a / h);
  double rate, out[DPPAIR_TILTS_] = {0.0, 0.0, 0.0}, beyond[DPPAIR_TILTS_];
  const double log_error = factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_C_], a);
  int side, k;
  dppair_place_ place;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] = dppair_log_add_(nodes->log_strip[k], log_error + rate * wish->y[k]);
  nodes->strip_right +=
      dppair_exp_(factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_RIGHT_], a));
  nodes->plain += dppair_exp_(factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_NONE_], a));
  for (side = 0; side < 2; side++) {
    size_t j = side == 0 ? 0 : 1;
    for (;; j++) {
      const double x = side == 0 ? h * (double)j : -h * (double)j;
      if (!dppair_nodes_add_(nodes, &place, branch, x, log_h)) return DPPAIR_ERR_NO_CONVERGENCE;
      if (h * (double)j >= DPPAIR_NODES_CENTRE_ &&
          dppair_nodes_done_(beyond, nodes, branch, &place, tilt, level, wish->digits[0], x, h))
        break;
    }
    for (k = 0; k < DPPAIR_TILTS_; k++) out[k] += beyond[k];
  }
  dppair_nodes_left_out_(nodes, out);
  return DPPAIR_OK;
}

/* One panel [x - w, x + w] with an ellipse of minor semi-axis b around it. */
typedef struct dppair_panel_ {
  double b;
  double log_error; /* of the 16-point rule, relative to e^log_m, at height 0 */
  double rate;      /* its growth with the height */
} dppair_panel_;

/* The largest log |mass e^(cL)| on the real points within span of x, but for the weight. -x^2/2 and
 * the concave parts -c log r(x), -c log r(-x) lie below their tangents, (c+1) log r below its
 * chord, so that the larger end counts. right: log r at x + span, mirror: at -x. */
DPPAIR_API double dppair_panel_top_(const dppair_branch_ *branch, double c, double x, double span,
                                    const dppair_log_ratio_ *here, const dppair_log_ratio_ *right,
                                    const dppair_log_ratio_ *mirror) {
  double top = -HUGE_VAL;
  int side;
  for (side = -1; side <= 1; side += 2) {
    const double d = side * span;
    double value = -0.5 * x * x - x * d;
    if (branch->shape == DPPAIR_BACKWARD_) {
      value -= c * (here->value + here->slope * d);
    } else {
      dppair_log_ratio_ g = *right;
      if (side < 0) dppair_log_ratio_of_(&g, branch, x + d);
      value += (c + 1.0) * g.value;
      if (branch->shape == DPPAIR_OPPOSITE_) value -= c * (mirror->value - mirror->slope * d);
    }
    if (value > top) top = value;
  }
  return top;
}

/*
 * The error of a panel by the bound of |mass e^(zL)| on its ellipse, whose real parts are within
 * span of x. Modulus: |r| >= r cos(b reach/2) and >= r (1 - share (1 - cos(b reach))). Angle:
 * |arg r(x+ib)| is at most b (log r)'/cos(b reach/2). Share and slope increase in x.
 */
DPPAIR_API void dppair_panel_of_(dppair_panel_ *panel, const dppair_branch_ *branch, double c,
                                 double log_m, double x, double w, double b) {
  const double rho = b / w + dppair_sqrt_(b * b / (w * w) + 1.0),
               span = 0.5 * w * (rho + 1.0 / rho);
  const double wedge = dppair_cos_(0.5 * b * branch->reach);
  dppair_log_ratio_ here, right, mirror, remote;
  double top, share = 0.0, slope;
  dppair_log_ratio_of_(&here, branch, x);
  dppair_log_ratio_of_(&right, branch, x + span);
  slope = right.slope;
  if (branch->shape == DPPAIR_BACKWARD_) share = right.share;
  if (branch->shape == DPPAIR_OPPOSITE_) {
    dppair_log_ratio_of_(&mirror, branch, -x);
    dppair_log_ratio_of_(&remote, branch, span - x);
    slope += remote.slope;
    share = remote.share;
  } else {
    mirror = here;
  }
  top = dppair_panel_top_(branch, c, x, span, &here, &right, &mirror);
  if (branch->shape != DPPAIR_FORWARD_) {
    const double kept = 1.0 - share * (1.0 - dppair_cos_(b * branch->reach));
    top -= c * dppair_log_(kept > wedge ? kept : wedge);
  }
  panel->b = b;
  panel->rate = b * slope / wedge;
  panel->log_error = top + branch->log_weight - DPPAIR_LOG_SQRT_2PI_ - log_m + 0.5 * b * b +
                     dppair_log_(w * (64.0 / 15.0) / (1.0 - 1.0 / (rho * rho)) * DPPAIR_SUM_UP_) -
                     32.0 * dppair_log_(rho);
}

/* The end of a branch at side +1 or -1, from `at` outwards by half deviations: where the mass has
 * fallen at all tilts. What is beyond is added to what is left out. */
DPPAIR_API double dppair_nodes_end_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                    const double *tilt, const double *level, double digits,
                                    double at, int side) {
  dppair_place_ place;
  double tail[DPPAIR_TILTS_];
  int k;
  for (k = 0; k < DPPAIR_TILTS_;) {
    double fall;
    dppair_place_of_(&place, branch, at);
    fall = dppair_fall_(branch, &place, tilt[k], at);
    if (fall <= DPPAIR_NODES_FALL_ || place.log_mass + tilt[k] * place.loss - level[k] >= -digits)
      at += 0.5 * (double)side;
    else /* or NaN, which no walk ends: then so is what is left out */
      k++;
  }
  for (k = 0; k < DPPAIR_TILTS_; k++) {
    dppair_place_of_(&place, branch, at);
    tail[k] = dppair_exp_(place.log_mass + tilt[k] * place.loss - level[k]) /
              dppair_fall_(branch, &place, tilt[k], at);
  }
  dppair_nodes_left_out_(nodes, tail);
  return at;
}

/* The panel [x, x + 2w] with the best of six ellipses, from the widest that the branch allows down
 * to a sixteenth of it; b below w/2 is left out, because rho^-32 is above e^-16 there. Returns the
 * log of its error relative to the wish. */
DPPAIR_API double dppair_panel_best_(dppair_panel_ *best, const dppair_branch_ *branch, double c,
                                     double log_m, double x, double w, const dppair_wish_ *wish) {
  const double allowed = branch->reach * DPPAIR_PANEL_AXIS_ < DPPAIR_PANEL_PART_ * DPPAIR_PI_
                             ? DPPAIR_PANEL_AXIS_
                             : DPPAIR_PANEL_PART_ * DPPAIR_PI_ / branch->reach;
  double gap = HUGE_VAL;
  dppair_panel_ panel;
  int i;
  memset(best, 0, sizeof *best);
  for (i = 0; i < 6; i++) {
    const double b = allowed * (i < 2 ? 1.0 - 0.3 * (double)i : dppair_pow_(0.5, (double)(i - 1)));
    double here;
    if (b < 0.5 * w) continue;
    dppair_panel_of_(&panel, branch, c, log_m, x + w, w, b);
    here = panel.log_error + dppair_wish_gap_(wish, panel.rate);
    if (here < gap) {
      gap = here;
      *best = panel;
    }
  }
  return gap;
}

/* Adds the 16 nodes of the panel [x, x + 2w], and its errors at the three tilts. */
DPPAIR_API int dppair_panel_add_(dppair_nodes_ *nodes, const dppair_panel_ *panel,
                                 const dppair_branch_ *branch, const double *tilt,
                                 const double *level, const dppair_wish_ *wish, double x,
                                 double w) {
  dppair_panel_ other;
  dppair_place_ place;
  int k;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] =
        dppair_log_add_(nodes->log_strip[k], panel->log_error + panel->rate * wish->y[k]);
  dppair_panel_of_(&other, branch, tilt[DPPAIR_TILT_RIGHT_], level[DPPAIR_TILT_RIGHT_], x + w, w,
                   panel->b);
  nodes->strip_right += dppair_exp_(other.log_error);
  dppair_panel_of_(&other, branch, 0.0, 0.0, x + w, w, panel->b);
  nodes->plain += dppair_exp_(other.log_error);
  for (k = 0; k < 16; k++) {
    double weight;
    const double offset = dppair_legendre_(&weight, k);
    if (!dppair_nodes_add_(nodes, &place, branch, x + w * (1.0 + offset), dppair_log_(w * weight)))
      return 0;
  }
  return 1;
}

/* A branch by panels of 16 nodes, each as wide as its own bound allows: a panel tries twice the
 * width of the one before, and shrinks until its error is small enough. The last one reaches beyond
 * the end; what was counted there as left out is harmlessly counted twice. */
DPPAIR_API dppair_status dppair_nodes_panels_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const double *tilt, const double *level,
                                              const dppair_wish_ *wish) {
  const double digits = wish->digits[0] + 2.0; /* so that the ends cost less than the panels */
  double from = branch->from, end, x, w = DPPAIR_PANEL_WIDEST_;
  dppair_panel_ panel;
  if (!branch->half)
    from = dppair_nodes_end_(nodes, branch, tilt, level, digits, -DPPAIR_NODES_CENTRE_, -1);
  end = dppair_nodes_end_(nodes, branch, tilt, level, digits, (branch->half ? from : 0.0) + 2.0, 1);
  for (x = from; x < end; x += 2.0 * w) {
    w = w * 2.1 < DPPAIR_PANEL_WIDEST_ ? w * 2.1 : DPPAIR_PANEL_WIDEST_;
    for (;; w *= 0.7) {
      if (w < DPPAIR_PANEL_LEAST_) return DPPAIR_ERR_NO_CONVERGENCE;
      if (dppair_panel_best_(&panel, branch, tilt[DPPAIR_TILT_C_], level[DPPAIR_TILT_C_], x, w,
                             wish) < -DPPAIR_PANEL_SHARE_)
        break;
    }
    if (!dppair_panel_add_(nodes, &panel, branch, tilt, level, wish, x, w))
      return DPPAIR_ERR_NO_CONVERGENCE;
  }
  return DPPAIR_OK;
}

/* The nodes of a branch, by the cheaper rule. log_m, log_right: rough log M(c), log M(c'). */
DPPAIR_API dppair_status dppair_nodes_branch_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const dppair_contour_ *s, double log_m,
                                              double log_right, const dppair_wish_ *wish) {
  double tilt[DPPAIR_TILTS_] = {0.0, 0.0, 0.0}, level[DPPAIR_TILTS_] = {0.0, 0.0, 0.0};
  tilt[DPPAIR_TILT_C_] = s->c;
  tilt[DPPAIR_TILT_RIGHT_] = s->right;
  level[DPPAIR_TILT_C_] = log_m;
  level[DPPAIR_TILT_RIGHT_] = log_right;
  if (!branch->half) {
    double a, h = dppair_short_(dppair_strip_step_(&a, branch, s->c, wish));
    if (h > DPPAIR_STRIP_LEAST_STEP_)
      return dppair_nodes_line_(nodes, branch, tilt, level, wish, a, h);
  }
  return dppair_nodes_panels_(nodes, branch, tilt, level, wish);
}
