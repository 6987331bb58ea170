/* ------------------------------------------------------------------------------------------------
 * One step's factor on the line
 *
 * Multiplies M(z_k)^T of one step into all nodes of the line: its nodes in x (quadrature.h), the
 * sums over them at every z_k, and bounds of all errors on the way (theory.h, "rounding").
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_END_
DPPAIR_FP_BEGIN_ /* calls nothing: may become vectors */
/* Turns each node once, v <- v w + d with w = e^(i eta L) and d = a (w - 1), so that v runs through
 * a (w^k - 1), and sums all v by blocks of 256. Four running sums of each part let compilers use
 * vectors. n is a multiple of 4. */
DPPAIR_API void dppair_contour_turn_(double *sum_re, double *sum_im, double *DPPAIR_RESTRICT_ re,
                                     double *DPPAIR_RESTRICT_ im,
                                     const double *DPPAIR_RESTRICT_ turn_re,
                                     const double *DPPAIR_RESTRICT_ turn_im,
                                     const double *DPPAIR_RESTRICT_ add_re,
                                     const double *DPPAIR_RESTRICT_ add_im, size_t n) {
  size_t block, j, v;
  *sum_re = *sum_im = 0.0;
  for (block = 0; block < n; block += 256) {
    const size_t end = block + 256 < n ? block + 256 : n;
    double a[4] = {0.0, 0.0, 0.0, 0.0}, b[4] = {0.0, 0.0, 0.0, 0.0};
    for (j = block; j < end; j += 4) {
      for (v = 0; v < 4; v++) {
        const size_t i = j + v;
        const double x = (re[i] * turn_re[i] - im[i] * turn_im[i]) + add_re[i];
        const double y = (re[i] * turn_im[i] + im[i] * turn_re[i]) + add_im[i];
        re[i] = x;
        im[i] = y;
        a[v] += x;
        b[v] += y;
      }
    }
    *sum_re += (a[0] + a[1]) + (a[2] + a[3]);
    *sum_im += (b[0] + b[1]) + (b[2] + b[3]);
  }
}
DPPAIR_FP_END_
DPPAIR_LIBM_BEGIN_

/* One step on its way into the line. All masses are relative to e^log_m, which the search found
 * for M(c), so that M(c) e^-log_m = m is near 1. An atom at loss 0 adds nothing to either sum. */
typedef struct dppair_factor_ {
  const double *layers;
  double times;            /* how often the step runs */
  double log_m, log_right; /* log M(c) and log M(c'), as the search found them */
  double one;              /* e^-log_m: what a mass of 1 is here */
  dppair_nodes_ nodes;
  double summed;              /* roundings of one turned sum and of its terms */
  double excess, size, wrong; /* M(c) - 1, the same with all terms positive, its error */
  double right, right_wrong;  /* M(c') relative to e^log_right, and its error */
  double dropped;             /* mass of the nodes that do not turn */
  double m, base, strip;      /* M(c); errors at every node: mass not there, quadrature */
  double turn1, turn2;        /* rounding of M(z_k) - M(c): at most k turn1 + k^2 turn2, */
  double flat, phase;         /* and at most flat + k phase */
  size_t n;                   /* nodes that turn, filled up to a multiple of 4 */
  double *re, *im;            /* a (w^k - 1), a the mass at tilt c and w = e^(i eta L) */
  double *turn_re, *turn_im;  /* w */
  double *add_re, *add_im;    /* a (w - 1) */
} dppair_factor_;

/* The largest exponent of e that is used: neither e^600 nor e^-600 leaves the normal doubles. */
#define DPPAIR_EXPONENT_ 600.0

/* Terms of relative size 1e-22 are beyond the digits of a sum: they are left out, and bounded. */
#define DPPAIR_NOTHING_ 1e-22

DPPAIR_API void dppair_factor_begin_(dppair_factor_ *f, const dppair_contour_ *s,
                                     const dppair_law_ *law, size_t t) {
  const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
  double *room = s->node;
  int i;
  memset(f, 0, sizeof *f);
  f->layers = s->layers + 2 * DPPAIR_LAYERS_ * t;
  f->times = law->steps;
  f->log_m = dppair_contour_search_step_(search, s->c);
  f->log_right = dppair_contour_search_step_(search, s->right);
  f->one = dppair_exp_(-f->log_m);
  f->nodes.loss = room;
  f->nodes.log_mass = room += DPPAIR_X_NODES_;
  f->nodes.loss_error = room += DPPAIR_X_NODES_;
  f->nodes.mass_error = room += DPPAIR_X_NODES_;
  f->nodes.room = DPPAIR_X_NODES_ - 4; /* filled up to a multiple of 4 */
  for (i = 0; i < DPPAIR_HEIGHTS_; i++) f->nodes.log_strip[i] = -1e300;
  f->re = room += DPPAIR_X_NODES_;
  f->im = room += DPPAIR_X_NODES_;
  f->turn_re = room += DPPAIR_X_NODES_;
  f->turn_im = room += DPPAIR_X_NODES_;
  f->add_re = room += DPPAIR_X_NODES_;
  f->add_im = room + DPPAIR_X_NODES_;
}

/* How small the error of this step should be at each height. An error e of |M| relative to M(c)
 * makes one of T e |M|^(T-1) times the other steps' factors in K. */
DPPAIR_API void dppair_factor_wish_(dppair_wish_ *wish, const dppair_factor_ *f,
                                    const dppair_contour_ *s, double digits) {
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++) {
    const double y = s->cut * (double)i / (double)(DPPAIR_HEIGHTS_ - 1);
    const double own = dppair_contour_decay_(f->layers, y, 1.0);
    const double all = dppair_contour_decay_all_(s, y);
    const double least = dppair_log_(f->times + 1.0) - own;
    wish->y[i] = y;
    wish->digits[i] = digits + dppair_log_(f->times + 1.0) + all - own;
    if (wish->digits[i] < least) wish->digits[i] = least;
  }
}

/* The nodes of all branches. */
DPPAIR_API dppair_status dppair_factor_nodes_(dppair_factor_ *f, const dppair_contour_ *s,
                                              const dppair_law_ *law, double digits) {
  dppair_branch_ branch;
  dppair_wish_ wish;
  size_t i;
  if (!(dppair_fabs_(f->log_m) < DPPAIR_EXPONENT_ && dppair_fabs_(f->log_right) < DPPAIR_EXPONENT_))
    return DPPAIR_ERR_NO_CONVERGENCE;
  memset(&branch, 0, sizeof branch);
  dppair_factor_wish_(&wish, f, s, digits);
  for (i = 0; i < dppair_branches_(law); i++) {
    dppair_status status;
    dppair_branch_of_(&branch, law, i, s->backward);
    status = dppair_nodes_branch_(&f->nodes, &branch, s, f->log_m, f->log_right, &wish);
    if (status != DPPAIR_OK) return status;
  }
  /* sums by blocks of 256, each in four parts */
  f->summed =
      (f->nodes.n < 256 ? 0.25 * (double)f->nodes.n : 64.0 + (double)f->nodes.n / 256.0) + 16.0;
  return DPPAIR_OK;
}

/* Adds node j to M(c) - 1 = E (e^(cL) - 1) and to M(c'). Returns its mass at tilt c, with bounds of
 * the relative errors of its mass and of e^(cL). */
DPPAIR_API double dppair_factor_real_(dppair_factor_ *f, double *mass_error, double *tilt_error,
                                      const dppair_contour_ *s, size_t j) {
  const double u = DPPAIR_UNIT_, loss = f->nodes.loss[j], shift = s->c * loss;
  const double a = dppair_exp_(f->nodes.log_mass[j] + shift - f->log_m);
  const double plain = dppair_exp_(f->nodes.log_mass[j]);
  /* beyond |cL| = 30 one of the two terms of the difference is nothing beside the other */
  const double grows =
      dppair_fabs_(shift) < 30.0 ? plain * dppair_expm1_(shift) * f->one : a - plain * f->one;
  const double right = dppair_exp_(f->nodes.log_mass[j] + s->right * loss - f->log_right);
  *mass_error = f->nodes.mass_error[j] + u * (8.0 + 2.0 * dppair_fabs_(f->log_m));
  *tilt_error = s->c * f->nodes.loss_error[j] + 4.0 * u * dppair_fabs_(shift);
  f->excess += grows;
  f->size += dppair_fabs_(grows);
  f->wrong += dppair_fabs_(grows) * *mass_error + a * *tilt_error;
  f->right += right;
  f->right_wrong +=
      right * (*mass_error + s->right * f->nodes.loss_error[j] +
               4.0 * u * (s->right * dppair_fabs_(loss) + dppair_fabs_(f->log_right) + 2.0));
  return a;
}

/* Prepares node j, of mass a at tilt c, for turning, and adds its roundings: |w^k - 1| is at most
 * k |angle|, and at most 2. */
DPPAIR_API void dppair_factor_turning_(dppair_factor_ *f, const dppair_contour_ *s, size_t j,
                                       double a, double mass_error, double tilt_error) {
  const double u = DPPAIR_UNIT_, angle = s->eta * f->nodes.loss[j], half = dppair_sin_(0.5 * angle);
  const double reach = dppair_fabs_(angle) < 2.0 ? dppair_fabs_(angle) : 2.0;
  const double relative = mass_error + tilt_error + u * f->summed;
  const double turned = s->eta * f->nodes.loss_error[j] + 2.0 * u * dppair_fabs_(angle);
  const size_t n = f->n++;
  f->turn1 +=
      a * (reach * relative + s->eta * f->nodes.loss_error[j] + 2.0 * u * dppair_fabs_(angle));
  f->turn2 += a * reach * 4.0 * u;
  f->flat += a * 2.0 * relative;
  f->phase += a * (turned + 16.0 * u);
  dppair_sin_cos_(&f->turn_im[n], &f->turn_re[n], angle);
  f->add_re[n] = -2.0 * a * half * half;
  f->add_im[n] = a * f->turn_im[n];
  f->re[n] = f->im[n] = 0.0;
}

/* Sums over all nodes at the tilts c and c', prepares the turning, and puts the bounds together. */
DPPAIR_API dppair_status dppair_factor_settle_(dppair_factor_ *f, const dppair_contour_ *s,
                                               double atom, double atom_error) {
  const double u = DPPAIR_UNIT_, still = atom * dppair_exp_(-f->log_right);
  dppair_nodes_ *nodes = &f->nodes;
  size_t j;
  for (j = 0; j < nodes->n; j++) {
    double mass_error, tilt_error;
    const double a = dppair_factor_real_(f, &mass_error, &tilt_error, s, j);
    if (a < DPPAIR_NOTHING_)
      f->dropped += a;
    else
      dppair_factor_turning_(f, s, j, a, mass_error, tilt_error);
  }
  for (; f->n % 4 != 0; f->n++) {
    f->re[f->n] = f->im[f->n] = f->turn_re[f->n] = f->turn_im[f->n] = 0.0;
    f->add_re[f->n] = f->add_im[f->n] = 0.0;
  }
  f->m = f->one + f->excess;
  /* the bounds so far took M(c) for at most 1.1 e^log_m, and hardly less */
  if (!(f->m > 0.92 && f->m < 1.08)) return DPPAIR_ERR_NO_CONVERGENCE;
  f->wrong += f->size * u * ((double)nodes->n + 16.0) + u * 4.0 * dppair_fabs_(f->excess);
  f->right += still;
  f->right_wrong += still * (atom_error + u * (4.0 + dppair_fabs_(f->log_right)));
  f->strip = dppair_exp_(nodes->log_strip[0]) / f->m;
  nodes->strip_right /= f->right;
  f->base = (nodes->left_out + f->dropped) / f->m;
  f->wrong =
      f->wrong / f->m +
      (nodes->plain + nodes->left_out) * dppair_exp_(f->log_m < 0.0 ? -f->log_m : 0.0) / f->m +
      f->strip;
  return f->base + f->wrong < 1e-3 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Bounds of the error of M(z_k)/M(c) - 1 = x + iy: by rounding and by mass that is not there, */
DPPAIR_API double dppair_factor_rounding_(const dppair_factor_ *f, size_t k, double x, double y) {
  const double count = (double)k;
  double e = count * (f->turn1 + count * f->turn2);
  if (e > f->flat + count * f->phase) e = f->flat + count * f->phase;
  return e / f->m + (k > 0 ? 2.0 * f->base : 0.0) + f->wrong * dppair_sqrt_(x * x + y * y);
}

/* and by the quadrature, from the chord between the heights around z_k. */
DPPAIR_API double dppair_factor_quadrature_(const dppair_factor_ *f, size_t k, size_t nodes) {
  const double *strip = f->nodes.log_strip;
  const double at = (double)(DPPAIR_HEIGHTS_ - 1) * (double)k / (double)nodes;
  const size_t i = (size_t)at < DPPAIR_HEIGHTS_ - 2 ? (size_t)at : DPPAIR_HEIGHTS_ - 2;
  return f->strip + dppair_exp_(strip[i] + (at - (double)i) * (strip[i + 1] - strip[i])) / f->m;
}

/* Turns through all nodes of the line and multiplies the factor into them. */
DPPAIR_API void dppair_factor_line_(const dppair_factor_ *f, const dppair_contour_ *s) {
  const dppair_line_ line = dppair_line_of_(s);
  const double u = DPPAIR_UNIT_, times = f->times;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    double x = 0.0, y = 0.0, q, e, size, log_size;
    if (k > 0)
      dppair_contour_turn_(&x, &y, f->re, f->im, f->turn_re, f->turn_im, f->add_re, f->add_im,
                           f->n);
    x /= f->m;
    y /= f->m;
    e = dppair_factor_rounding_(f, k, x, y);
    q = 2.0 * x + (x * x + y * y); /* |M(z)/M(c)|^2 - 1 */
    if (q > -0.5) {                /* near 1: its log keeps the digits of q */
      size = dppair_sqrt_(1.0 + q);
      log_size = 0.5 * dppair_log1p_(q);
      line.rounding[k] +=
          8.0 * u * times * (2.0 * dppair_fabs_(x) + x * x + y * y + dppair_fabs_(y));
    } else {
      size = dppair_sqrt_((1.0 + x) * (1.0 + x) + y * y);
      e += 8.0 * u * (1.0 + dppair_fabs_(x) + dppair_fabs_(y));
      if (size < 1e-300) size = 1e-300;
      log_size = dppair_log_(size);
      line.rounding[k] += 8.0 * u * times * (4.0 + dppair_fabs_(log_size));
    }
    if (k > 0) e += dppair_factor_quadrature_(f, k, s->nodes);
    line.log_abs[k] += times * log_size;
    line.arg[k] += times * dppair_atan2_(y, 1.0 + x);
    line.log_top[k] += times * (log_size + dppair_log1p_(e / size));
    line.error[k] += times * e / (size + e);
  }
}

/* Adds the factor to log K(c), to log K(c') (infinite where that is not known to 1 %: there is no
 * lower bound then) and to the decay beyond the cut. */
DPPAIR_API void dppair_factor_totals_(const dppair_factor_ *f, dppair_contour_ *s) {
  const double u = DPPAIR_UNIT_, times = f->times, log_m = f->log_m;
  const double log_true = dppair_fabs_(log_m) < 1.0 ? dppair_log1p_(f->excess * dppair_exp_(log_m))
                                                    : log_m + dppair_log_(f->m);
  const double right_wrong =
      (f->right_wrong + f->nodes.left_out_right) / f->right + u * (double)f->nodes.n;
  s->log_k += times * log_true;
  s->log_k_rounding +=
      times * 8.0 * u *
      (dppair_fabs_(log_true) + (dppair_fabs_(log_m) < 1.0 ? 0.0 : dppair_fabs_(log_m)));
  /* -log(1 - e) <= 1.001 e for e <= 1e-3, and 1.1 e for e <= 0.01 */
  s->log_k_rounding += times * f->wrong * 1.001;
  if (right_wrong + f->nodes.strip_right < 0.01 && f->right < 1.08)
    s->log_right +=
        times * (f->log_right + dppair_log_(f->right) + 1.1 * (right_wrong + f->nodes.strip_right) +
                 8.0 * u * (dppair_fabs_(f->log_right) + 2.0));
  else
    s->log_right = HUGE_VAL;
  s->log_decay += times * dppair_contour_decay_(f->layers, s->cut, f->m * (1.0 + 2.0 * f->wrong));
}

/* Multiplies step t, whose pair is law, into the line. e^-digits: the error that is wished for. */
DPPAIR_API dppair_status dppair_contour_multiply_(dppair_contour_ *s, const dppair_law_ *law,
                                                  size_t t, double digits) {
  dppair_factor_ f;
  dppair_status status;
  dppair_factor_begin_(&f, s, law, t);
  status = dppair_factor_nodes_(&f, s, law, digits);
  if (status == DPPAIR_OK)
    status = dppair_factor_settle_(&f, s, dppair_law_atom_(law), dppair_law_atom_error_(law));
  if (status != DPPAIR_OK) return status;
  dppair_factor_line_(&f, s);
  dppair_factor_totals_(&f, s);
  return DPPAIR_OK;
}
