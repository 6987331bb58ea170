/* ------------------------------------------------------------------------------------------------
 * What the composed laws say
 *
 * Bounds of delta at lattice points and of epsilon between them, with all errors of theory.h.
 * Relies on composition.h.
 * ---------------------------------------------------------------------------------------------- */

/* Sums over nodes that finish_ needs for its bounds. */
typedef struct dppair_lattice_sums_ {
  double kernel;     /* |W|/n, of all nodes */
  double size[2];    /* |K W|/n, of both laws */
  double drifted[2]; /* trimmed: |W|/n times the relative error of K */
} dppair_lattice_sums_;

/* K(z_k) times W(z_k)/n for all nodes. Only half of the nodes are kept, the others being conjugate,
 * so that those inside count twice. */
DPPAIR_API void dppair_lattice_weigh_(dppair_lattice_sums_ *sums, dppair_lattice_ *l) {
  const size_t half = l->n / 2;
  const double grow = dppair_exp_(l->c * l->h), less = dppair_expm1_(l->c * l->h);
  const double decay[2] = {dppair_exp_(-l->c * l->h), dppair_exp_(-(l->c + 1.0) * l->h)};
  const double rest[2] = {-dppair_expm1_(-l->c * l->h), -dppair_expm1_(-(l->c + 1.0) * l->h)};
  size_t k;
  int d;
  memset(sums, 0, sizeof *sums);
  for (k = 0; k <= half; k++) {
    double wr, wi;
    const double twice = k == 0 || k == half ? 1.0 : 2.0;
    if (l->re[0][k] == 0.0 && l->im[0][k] == 0.0 && l->re[1][k] == 0.0 && l->im[1][k] == 0.0 &&
        k > 64) {
      /* K was set to 0, and |W| <= 1/(n h |z|^2) times a factor below 3 is all that is needed */
      const double y = 2.0 * DPPAIR_PI_ * (double)k / ((double)l->n * l->h);
      const double w = 6.0 / ((double)l->n * l->h * y * y);
      sums->kernel += w;
      for (d = 0; l->trimmed && d < 2; d++)
        sums->drifted[d] += w * dppair_expm1_(l->error[d] + l->drift * (less + grow * y * l->h));
      continue;
    }
    dppair_lattice_kernel_(&wr, &wi, l, decay, rest, k);
    sums->kernel += twice * dppair_sqrt_(wr * wr + wi * wi);
    if (l->trimmed) {
      double cosine, sine, turn, remote; /* |e^(zh) - 1|^2 = (e^(ch) - 1)^2 + 2 e^(ch) (1 - cos) */
      dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
      remote = dppair_sqrt_(less * less + 2.0 * grow * turn);
      for (d = 0; d < 2; d++)
        sums->drifted[d] +=
            twice * dppair_sqrt_(wr * wr + wi * wi) *
            dppair_expm1_(l->error[d] + l->drift * remote);
    }
    for (d = 0; d < 2; d++) {
      const double re = l->re[d][k], im = l->im[d][k];
      l->re[d][k] = twice * (re * wr - im * wi);
      l->im[d][k] = twice * (re * wi + im * wr);
      sums->size[d] += dppair_fabs_(l->re[d][k]) + dppair_fabs_(l->im[d][k]);
    }
  }
}

/* Applies the kernel to K, drops the last nodes where together they are below 1e-17 of the sum, and
 * bounds the errors of S. */
DPPAIR_API void dppair_lattice_finish_(dppair_lattice_ *l) {
  const double skipped = 1e-34; /* e^-DPPAIR_LATTICE_NOTHING_, rounded up */
  dppair_lattice_sums_ sums;
  int d;
  dppair_lattice_weigh_(&sums, l);
  for (d = 0; d < 2; d++) {
    double dropped = 0.0;
    l->used[d] = l->n / 2 + 1;
    while (l->used[d] > 1) {
      const size_t k = l->used[d] - 1;
      dropped += dppair_fabs_(l->re[d][k]) + dppair_fabs_(l->im[d][k]);
      if (!(dropped <= 1e-17 * sums.size[d])) break;
      l->used[d] = k;
    }
    /* transform and powers; nodes set to 0; then the kernel, the nodes dropped and the turning in
     * dppair_lattice_sum_, together below 1e-12 */
    l->error[d] = (l->trimmed ? 1.001 * (sums.drifted[d] + sums.kernel * skipped)
                              : sums.kernel * 1.001 * (dppair_expm1_(l->error[d]) + skipped)) +
                  1e-12 * sums.size[d];
  }
}

/* S(jh) of the upper (d = 0) or the lower law (1), up to the factor e^(log_k - c j h). */
DPPAIR_API double dppair_lattice_sum_(const dppair_lattice_ *l, int d, int64_t j) {
  const double *re = l->re[d], *im = l->im[d];
  const double unit = 2.0 * DPPAIR_PI_ / (double)l->n;
  const uint64_t mask = (uint64_t)l->n - 1, turn = (uint64_t)j & mask;
  const double angle = -unit * (double)turn, tc = dppair_cos_(angle), ts = dppair_sin_(angle);
  double sum = 0.0;
  size_t k, block;
  for (block = 0; block < l->used[d]; block += 128) {
    /* e^(-2 pi i j k/n), exactly reduced once per block */
    const double at = -unit * (double)(((uint64_t)block * turn) & mask);
    double a = dppair_cos_(at), b = dppair_sin_(at), part = 0.0;
    const size_t end = block + 128 < l->used[d] ? block + 128 : l->used[d];
    for (k = block; k < end; k++) {
      const double t = a * tc - b * ts;
      part += re[k] * a - im[k] * b;
      b = a * ts + b * tc;
      a = t;
    }
    sum += part;
  }
  return sum;
}

/* What aliases add to S of the lower law at this epsilon at most (contour/theory.h): those of m <
 * 0, where delta <= 1, and the geometric series of those of m > 0, from the line c' = right_c. */
DPPAIR_API double dppair_lattice_alias_(const dppair_lattice_ *l, double epsilon, double right_c) {
  const double period = (double)l->n * l->h, ratio = dppair_exp_(-(right_c - l->c) * period);
  double alias = dppair_exp_(-l->c * period) / -dppair_expm1_(-l->c * period);
  alias += ratio < 0.99
               ? dppair_exp_(l->log_right + dppair_contour_kernel_(right_c) - right_c * epsilon) *
                     ratio / (1.0 - ratio)
               : 1.0;
  return alias;
}

/* The bound of delta at j h: upper (d = 0) or lower (d = 1). */
DPPAIR_API double dppair_lattice_delta_(const dppair_lattice_ *l, int d, int64_t j,
                                        double right_c) {
  const double epsilon = (double)j * l->h, c = l->c, exponent = l->log_k[d] - c * epsilon;
  const double slack =
      16.0 * DPPAIR_UNIT_ * (dppair_fabs_(l->log_k[d]) + dppair_fabs_(c * epsilon) + 1.0);
  double sum = dppair_lattice_sum_(l, d, j);
  const double wrong =
      l->error[d] + dppair_fabs_(sum) * slack +
      dppair_exp_(dppair_contour_kernel_(c)) * dppair_expm1_(l->kappa) * (1.0 + 1e-9);
  if (d == 0) {
    const double value = dppair_scaled_(sum + wrong, exponent) * (1.0 + 1e-14) + l->infinity;
    return sum + wrong > 0.0 ? dppair_delta_above_(value) : 1.0;
  }
  sum = dppair_scaled_(sum - wrong, exponent) * (1.0 - 1e-14) -
        dppair_lattice_alias_(l, epsilon, right_c) * (1.0 + 1e-9);
  return dppair_delta_below_((sum > 0.0 ? sum : 0.0) + l->certain);
}

/* The search for two neighbouring lattice points between which the bound crosses delta. */
typedef struct dppair_crossing_ {
  double low, at_low;   /* the last point known to be before the crossing and its bound; -1: none */
  double high, at_high; /* the first known to be behind it */
  double last, at_last; /* the point before the present one */
  double stride;        /* the shortest move while one side is missing, doubled each time */
} dppair_crossing_;

DPPAIR_API int dppair_crossing_bracketed_(const dppair_crossing_ *x) {
  return x->low >= 0.0 && x->high >= 0.0;
}

/*
 * The point to try after j, where the bound is `value`. A secant in log delta, starting with the
 * slope -c h, aims at the other side of the crossing. While only one side is known, a move is at
 * least one stride and at most 10^4. A bracket cuts moves to its inside, and after 40 tries it is
 * halved.
 */
DPPAIR_API double dppair_crossing_next_(dppair_crossing_ *x, double j, double value, double delta,
                                        double slope, int tries) {
  const int above = value > delta, inside = value > 0.0 && value < 1.0;
  double move;
  if (x->last >= 0.0 && x->at_last > 0.0 && inside && j != x->last) {
    const double secant = dppair_log_(value / x->at_last) / (j - x->last);
    if (secant < 0.0) slope = secant;
  }
  move = inside ? dppair_log_(delta / value) / slope : -x->stride;
  move = above ? dppair_floor_(move) + 1.0 : dppair_floor_(move);
  if (!dppair_crossing_bracketed_(x)) {
    const double longest = x->stride * 1e4;
    if (dppair_fabs_(move) > longest) move = move > 0.0 ? longest : -longest;
    if (above && move < x->stride) move = x->stride;
    if (!above && move > -x->stride) move = -x->stride;
    x->stride *= 2.0;
  }
  x->last = j;
  x->at_last = value;
  j += move;
  if (dppair_crossing_bracketed_(x)) {
    if (tries > 40)
      j = dppair_floor_(0.5 * (x->low + x->high));
    else if (j <= x->low)
      j = x->low + 1.0;
    else if (!(j < x->high))
      j = x->high - 1.0;
  }
  return j < 0.0 ? 0.0 : j;
}

/*
 * epsilon at which the bound equals delta; between lattice points the bounds are linear in
 * e^epsilon. guess: where to look first. Only two neighbouring points count, the bound above delta
 * at the one and not at the other; if none are found, the nearest safe point, 0 (lower) or infinity
 * (upper).
 */
DPPAIR_API double dppair_lattice_epsilon_(const dppair_lattice_ *l, int d, double delta,
                                          double guess, double right_c) {
  const double farthest = 1e9; /* steps of the lattice */
  dppair_crossing_ x = {-1.0, 1.0, -1.0, 0.0, -1.0, 0.0, 1.0};
  double j = guess > 0.0 ? dppair_floor_(guess / l->h) : 0.0, part;
  int tries;
  for (tries = 0; tries < 120; tries++) {
    const double value = dppair_lattice_delta_(l, d, (int64_t)j, right_c);
    if (value > delta) {
      x.low = j;
      x.at_low = value;
    } else {
      x.high = j;
      x.at_high = value;
    }
    if (x.high == 0.0) return 0.0;
    if (dppair_crossing_bracketed_(&x) && x.high - x.low <= 1.0) break;
    j = dppair_crossing_next_(&x, j, value, delta, -l->c * l->h, tries);
    if (j > farthest) break;
  }
  if (!dppair_crossing_bracketed_(&x) || x.high - x.low > 1.0) {
    if (d == 1) return x.low > 0.0 ? x.low * l->h : 0.0;
    return x.high >= 0.0 ? x.high * l->h : HUGE_VAL;
  }
  part = x.at_low > x.at_high ? (x.at_low - delta) / (x.at_low - x.at_high) : 1.0;
  if (!(part >= 0.0)) part = 0.0;
  if (part > 1.0) part = 1.0;
  return x.low * l->h + dppair_log1p_(part * dppair_expm1_(l->h));
}
