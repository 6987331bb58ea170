/* Applies the kernel to K, and sums what is known about the errors. */
DPPAIR_API void dppair_lattice_finish_(dppair_lattice_ *l) {
  const size_t half = l->n / 2;
  double all = 0.0, size[2] = {0.0, 0.0}, dropped[2] = {0.0, 0.0}, drifted[2] = {0.0, 0.0};
  const double grow = exp(l->c * l->h), less = expm1(l->c * l->h);
  const double decay[2] = {exp(-l->c * l->h), exp(-(l->c + 1.0) * l->h)};
  const double rest[2] = {-expm1(-l->c * l->h), -expm1(-(l->c + 1.0) * l->h)};
  size_t k;
  int d;
  for (k = 0; k <= half; k++) {
    double wr, wi;
    const double twice = k == 0 || k == half ? 1.0 : 2.0;
    if (l->re[0][k] == 0.0 && l->im[0][k] == 0.0 && l->re[1][k] == 0.0 && l->im[1][k] == 0.0 &&
        k > 64) {
      /* |W| <= 1/(n h |z|^2) times a factor below 3 */
      const double y = 2.0 * DPPAIR_PI_ * (double)k / ((double)l->n * l->h);
      const double w = 6.0 / ((double)l->n * l->h * y * y);
      all += w;
      for (d = 0; l->trimmed && d < 2; d++)
        drifted[d] += w * expm1(l->error[d] + l->drift * (less + grow * y * l->h));
      continue;
    }
    dppair_lattice_kernel_(&wr, &wi, l, decay, rest, k);
    all += twice * sqrt(wr * wr + wi * wi);
    if (l->trimmed) {
      double cosine, sine, turn, far; /* |e^(zh) - 1|^2 = (e^(ch) - 1)^2 + 2 e^(ch) (1 - cos) */
      dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
      far = sqrt(less * less + 2.0 * grow * turn);
      for (d = 0; d < 2; d++)
        drifted[d] += twice * sqrt(wr * wr + wi * wi) * expm1(l->error[d] + l->drift * far);
    }
    for (d = 0; d < 2; d++) {
      const double re = l->re[d][k], im = l->im[d][k];
      l->re[d][k] = twice * (re * wr - im * wi);
      l->im[d][k] = twice * (re * wi + im * wr);
      size[d] += fabs(l->re[d][k]) + fabs(l->im[d][k]);
    }
  }
  for (d = 0; d < 2; d++) {
    l->used[d] = half + 1;
    while (l->used[d] > 1) {
      k = l->used[d] - 1;
      dropped[d] += fabs(l->re[d][k]) + fabs(l->im[d][k]);
      if (dropped[d] > 1e-17 * size[d]) break;
      l->used[d] = k;
    }
    /* transform and powers; e^-80 for what was skipped; the kernel; turning in the sum below */
    l->error[d] = (l->trimmed ? 1.001 * (drifted[d] + all * 1e-34)
                              : all * 1.001 * (expm1(l->error[d]) + 1e-34)) +
                  1e-12 * size[d];
  }
}

/* The bound of delta at j h: upper (d = 0) or lower (d = 1). */
DPPAIR_API double dppair_lattice_delta_(const dppair_lattice_ *l, int d, int64_t j,
                                        double right_c) {
  const double *re = l->re[d], *im = l->im[d];
  const double epsilon = (double)j * l->h, period = (double)l->n * l->h, c = l->c;
  const double unit = 2.0 * DPPAIR_PI_ / (double)l->n;
  const uint64_t mask = (uint64_t)l->n - 1, turn = (uint64_t)j & mask;
  const double angle = -unit * (double)turn, tc = cos(angle), ts = sin(angle);
  const double exponent = l->log_k[d] - c * epsilon;
  const double slack = 16.0 * DPPAIR_UNIT_ * (fabs(l->log_k[d]) + fabs(c * epsilon) + 1.0);
  double sum = 0.0, wrong, ratio, alias;
  size_t k, block;
  for (block = 0; block < l->used[d]; block += 128) {
    /* e^(-2 pi i j k/n), exactly reduced once per block */
    const double at = -unit * (double)(((uint64_t)block * turn) & mask);
    double a = cos(at), b = sin(at), part = 0.0;
    const size_t end = block + 128 < l->used[d] ? block + 128 : l->used[d];
    for (k = block; k < end; k++) {
      const double t = a * tc - b * ts;
      part += re[k] * a - im[k] * b;
      b = a * ts + b * tc;
      a = t;
    }
    sum += part;
  }
  wrong = l->error[d] + fabs(sum) * slack +
          exp(dppair_contour_kernel_(c)) * expm1(l->kappa) * (1.0 + 1e-9);
  if (d == 0) {
    const double value = dppair_scaled_(sum + wrong, exponent) * (1.0 + 1e-14) + l->infinity;
    return sum + wrong > 0.0 ? dppair_delta_above_(value) : 1.0;
  }
  ratio = exp(-(right_c - c) * period);
  alias = exp(-c * period) / -expm1(-c * period);
  alias += ratio < 0.99 ? exp(l->log_right + dppair_contour_kernel_(right_c) - right_c * epsilon) *
                              ratio / (1.0 - ratio)
                        : 1.0;
  sum = dppair_scaled_(sum - wrong, exponent) * (1.0 - 1e-14) - alias * (1.0 + 1e-9);
  return dppair_delta_below_((sum > 0.0 ? sum : 0.0) + l->certain);
}

/*
 * epsilon at which the bound equals delta; between lattice points the bounds are linear in
 * e^epsilon. guess: where to look first. All that counts is two neighbouring points, the bound
 * above delta at the one and not at the other; without such a pair 0 (lower) or infinity (upper).
 */
DPPAIR_API double dppair_lattice_epsilon_(const dppair_lattice_ *l, int d, double delta,
                                          double guess, double right_c) {
  const double limit = 1e9;
  double j = guess > 0.0 ? floor(guess / l->h) : 0.0, low = -1.0, high = -1.0, stride = 1.0;
  double at_low = 1.0, at_high = 0.0, last = -1.0, at_last = 0.0, part;
  int i;
  for (i = 0; i < 120; i++) {
    const double value = dppair_lattice_delta_(l, d, (int64_t)j, right_c);
    double slope = -l->c * l->h, move;
    if (value > delta) {
      low = j;
      at_low = value;
    } else {
      high = j;
      at_high = value;
    }
    if (high == 0.0) return 0.0;
    if (low >= 0.0 && high >= 0.0 && high - low <= 1.0) break;
    /* secant in log delta, to the other side of the crossing; strides while there is only one */
    if (last >= 0.0 && at_last > 0.0 && value > 0.0 && value < 1.0 && j != last) {
      const double secant = log(value / at_last) / (j - last);
      if (secant < 0.0) slope = secant;
    }
    move = value > 0.0 && value < 1.0 ? log(delta / value) / slope : -stride;
    move = value > delta ? floor(move) + 1.0 : floor(move);
    if (low < 0.0 || high < 0.0) {
      if (fabs(move) > stride * 1e4) move = move > 0.0 ? stride * 1e4 : -stride * 1e4;
      if (value > delta && move < stride) move = stride;
      if (value <= delta && move > -stride) move = -stride;
      stride *= 2.0;
    }
    last = j;
    at_last = value;
    j += move;
    if (low >= 0.0 && high >= 0.0 && (i > 40 || !(j > low && j < high))) {
      if (i <= 40 && j <= low)
        j = low + 1.0;
      else if (i <= 40)
        j = high - 1.0;
      else
        j = floor(0.5 * (low + high));
    }
    if (j < 0.0) j = 0.0;
    if (j > limit) break;
  }
  if (high < 0.0 || low < 0.0 || high - low > 1.0) {
    if (d == 1) return low > 0.0 ? low * l->h : 0.0;
    return high >= 0.0 ? high * l->h : HUGE_VAL;
  }
  part = at_low > at_high ? (at_low - delta) / (at_low - at_high) : 1.0;
  if (!(part >= 0.0)) part = 0.0;
  if (part > 1.0) part = 1.0;
  return low * l->h + log1p(part * expm1(l->h));
}
