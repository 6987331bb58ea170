/* --- one step's factor on the line ----------------------------------------------------------- */

DPPAIR_FP_END_
DPPAIR_FP_BEGIN_ /* calls nothing: may become vectors */
/* Turns each node once: v <- v w + d, with w = e^(i eta L) and d = a (w - 1), so that v runs
 * through a (w^k - 1), and sums by blocks. Four running sums of each kind so that compilers use
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

/*
 * Multiplies one step into the line. Per node k the line holds log |K| and arg K relative to K(c),
 * sum T log(|M| + e), sum T e/(|M| + e), and the relative rounding of the first two.
 */
DPPAIR_API dppair_status dppair_contour_multiply_(dppair_contour_ *s, const dppair_law_ *law,
                                                  size_t t, double digits) {
  double *log_abs = s->line, *arg = log_abs + DPPAIR_Z_NODES_, *log_top = arg + DPPAIR_Z_NODES_;
  double *error = log_top + DPPAIR_Z_NODES_, *rounding = error + DPPAIR_Z_NODES_;
  double *re = s->node + 4 * DPPAIR_X_NODES_, *im = re + DPPAIR_X_NODES_;
  double *turn_re = im + DPPAIR_X_NODES_, *turn_im = turn_re + DPPAIR_X_NODES_;
  double *add_re = turn_im + DPPAIR_X_NODES_, *add_im = add_re + DPPAIR_X_NODES_;
  const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
  const double *layers = s->layers + 2 * DPPAIR_LAYERS_ * t;
  const double times = law->steps, u = DPPAIR_UNIT_;
  double summed; /* roundings of a sum by blocks of 256 in four parts, and of its terms */
  const double log_m = dppair_contour_search_step_(search, s->c);
  const double log_right = dppair_contour_search_step_(search, s->right);
  double excess = 0.0, total = 0.0, wrong = 0.0, m, log_true, right = 0.0, right_wrong = 0.0;
  double dropped = 0.0, turn1 = 0.0, turn2 = 0.0, flat = 0.0, phase = 0.0, strip = 0.0, base;
  size_t i, j, n = 0, k;
  dppair_branch_ branch;
  dppair_nodes_ nodes;
  dppair_wish_ wish;
  dppair_status status;
  memset(&nodes, 0, sizeof nodes);
  memset(&branch, 0, sizeof branch);
  nodes.loss = s->node;
  nodes.log_mass = nodes.loss + DPPAIR_X_NODES_;
  nodes.loss_error = nodes.log_mass + DPPAIR_X_NODES_;
  nodes.mass_error = nodes.loss_error + DPPAIR_X_NODES_;
  nodes.room = DPPAIR_X_NODES_ - 4;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++) nodes.log_strip[k] = -1e300;
  if (!(log_m < 600.0 && log_right < 600.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++) {
    /* the error of K at height y: T e |M|^(T-1) times the other steps' factors */
    const double y = s->cut * (double)k / (double)(DPPAIR_HEIGHTS_ - 1);
    const double own = dppair_contour_decay_(layers, y, 1.0), all = dppair_contour_decay_all_(s, y);
    const double least = log(times + 1.0) - own;
    wish.y[k] = y;
    wish.digits[k] = digits + log(times + 1.0) + all - own;
    if (wish.digits[k] < least) wish.digits[k] = least;
  }
  for (i = 0; i < dppair_branches_(law); i++) {
    dppair_branch_of_(&branch, law, i, s->backward);
    status = dppair_nodes_branch_(&nodes, &branch, s, log_m, log_right, &wish);
    if (status != DPPAIR_OK) return status;
  }
  summed = (nodes.n < 256 ? 0.25 * (double)nodes.n : 64.0 + (double)nodes.n / 256.0) + 16.0;
  /* M(c) - 1 and M(z_k) - M(c), everything divided by e^log_m; an atom at loss 0 is in neither */
  for (j = 0; j < nodes.n; j++) {
    const double loss = nodes.loss[j], shift = s->c * loss, angle = s->eta * loss;
    const double a = exp(nodes.log_mass[j] + shift - log_m);
    const double plain = exp(nodes.log_mass[j]);
    const double grows =
        fabs(shift) < 30.0 ? plain * expm1(shift) * exp(-log_m) : a - plain * exp(-log_m);
    const double mass_error = nodes.mass_error[j] + u * (8.0 + 2.0 * fabs(log_m));
    const double slope = s->c * nodes.loss_error[j] + 4.0 * u * fabs(shift);
    const double reach = fabs(angle) < 2.0 ? fabs(angle) : 2.0;
    double half, w_right;
    excess += grows;
    total += fabs(grows);
    wrong += fabs(grows) * mass_error + a * slope;
    w_right = exp(nodes.log_mass[j] + s->right * loss - log_right);
    right += w_right;
    right_wrong += w_right * (mass_error + s->right * nodes.loss_error[j] +
                              4.0 * u * (s->right * fabs(loss) + fabs(log_right) + 2.0));
    if (a < 1e-22) {
      dropped += a;
      continue;
    }
    /* |w^k - 1| is at most k |angle|: k turn1 + k^2 turn2; and at most 2: flat + k phase */
    turn1 += a * (reach * (mass_error + slope + u * summed) + s->eta * nodes.loss_error[j] +
                  2.0 * u * fabs(angle));
    turn2 += a * reach * 4.0 * u;
    flat += a * 2.0 * (mass_error + slope + u * summed);
    phase += a * (s->eta * nodes.loss_error[j] + 2.0 * u * fabs(angle) + 16.0 * u);
    half = sin(0.5 * angle);
    turn_re[n] = cos(angle);
    turn_im[n] = sin(angle);
    add_re[n] = -2.0 * a * half * half;
    add_im[n] = a * turn_im[n];
    re[n] = im[n] = 0.0;
    n++;
  }
  for (; n % 4 != 0; n++) re[n] = im[n] = turn_re[n] = turn_im[n] = add_re[n] = add_im[n] = 0.0;
  /* m = M(c) e^-log_m, near 1 when the search was good */
  m = exp(-log_m) + excess;
  if (!(m > 0.92 && m < 1.08)) return DPPAIR_ERR_NO_CONVERGENCE;
  log_true = fabs(log_m) < 1.0 ? log1p(excess * exp(log_m)) : log_m + log(m);
  wrong += total * u * ((double)nodes.n + 16.0) + u * 4.0 * fabs(excess);
  right += dppair_law_atom_(law) * exp(-log_right);
  strip = exp(nodes.log_strip[0]) / m;
  nodes.strip_right /= right;
  base = (nodes.left_out + dropped) / m;
  wrong = wrong / m + (nodes.plain + nodes.left_out) * exp(log_m < 0.0 ? -log_m : 0.0) / m + strip;
  if (!(base + wrong < 1e-3)) return DPPAIR_ERR_NO_CONVERGENCE;
  for (k = 0; k <= s->nodes; k++) {
    const double count = (double)k;
    double x = 0.0, y = 0.0, q, e, size, log_size;
    if (k > 0) dppair_contour_turn_(&x, &y, re, im, turn_re, turn_im, add_re, add_im, n);
    x /= m;
    y /= m;
    e = count * (turn1 + count * turn2);
    if (e > flat + count * phase) e = flat + count * phase;
    e = e / m + (k > 0 ? 2.0 * base : 0.0) + wrong * sqrt(x * x + y * y);
    q = 2.0 * x + (x * x + y * y); /* |M(z)/M(c)|^2 - 1 */
    if (q > -0.5) {
      size = sqrt(1.0 + q);
      log_size = 0.5 * log1p(q);
      rounding[k] += 8.0 * u * times * (2.0 * fabs(x) + x * x + y * y + fabs(y));
    } else {
      size = sqrt((1.0 + x) * (1.0 + x) + y * y);
      e += 8.0 * u * (1.0 + fabs(x) + fabs(y));
      if (size < 1e-300) size = 1e-300;
      log_size = log(size);
      rounding[k] += 8.0 * u * times * (4.0 + fabs(log_size));
    }
    if (k > 0) {
      /* the chord between the heights around, at heights cut i/5 */
      const double at = (double)(DPPAIR_HEIGHTS_ - 1) * count / (double)s->nodes;
      i = (size_t)at < DPPAIR_HEIGHTS_ - 2 ? (size_t)at : DPPAIR_HEIGHTS_ - 2;
      e += strip + exp(nodes.log_strip[i] +
                       (at - (double)i) * (nodes.log_strip[i + 1] - nodes.log_strip[i])) /
                       m;
    }
    log_abs[k] += times * log_size;
    arg[k] += times * atan2(y, 1.0 + x);
    log_top[k] += times * (log_size + log1p(e / size));
    error[k] += times * e / (size + e);
  }
  s->log_k += times * log_true;
  s->log_k_rounding += times * 8.0 * u * (fabs(log_true) + (fabs(log_m) < 1.0 ? 0.0 : fabs(log_m)));
  s->log_k_rounding += times * wrong * 1.001;
  right_wrong = (right_wrong + nodes.left_out_right) / right + u * (double)nodes.n;
  if (right_wrong + nodes.strip_right < 0.01 && right < 1.08)
    s->log_right += times * (log_right + log(right) + 1.1 * (right_wrong + nodes.strip_right) +
                             8.0 * u * (fabs(log_right) + 2.0));
  else
    s->log_right = HUGE_VAL;
  /* the cut, now against the certified M(c) */
  s->log_decay += times * dppair_contour_decay_(layers, s->cut, m * (1.0 + 2.0 * wrong));
  return DPPAIR_OK;
}
