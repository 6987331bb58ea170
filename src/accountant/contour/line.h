/* --- choosing the line ----------------------------------------------------------------------- */

/* The plain Gaussian steps' factor, exp(v z (z+1)/2) with v the sum of mu^2. */
DPPAIR_API void dppair_contour_gaussian_(dppair_contour_ *s) {
  double *log_abs = s->line, *arg = log_abs + DPPAIR_Z_NODES_, *log_top = arg + DPPAIR_Z_NODES_;
  double *error = log_top + DPPAIR_Z_NODES_, *rounding = error + DPPAIR_Z_NODES_;
  const double v = 0.5 * s->variance, unit = 16.0 * DPPAIR_UNIT_;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k;
    log_abs[k] = log_top[k] = -v * y * y;
    arg[k] = v * y * (2.0 * s->c + 1.0);
    error[k] = 0.0;
    rounding[k] = unit * (v * y * y + arg[k]);
  }
  s->log_k = v * s->c * (s->c + 1.0);
  s->log_k_rounding = unit * s->log_k;
  s->log_right = v * s->right * (s->right + 1.0) * (1.0 + unit);
  s->log_decay = -v * s->cut * s->cut * (1.0 - unit);
}

enum { DPPAIR_C_GRID_ = 24, DPPAIR_C_MIDDLE_ = 9 };

/* c near the saddle: where the search's goal is least. *best is the goal there. */
DPPAIR_API dppair_status dppair_contour_saddle_(double *best, dppair_contour_ *s, int for_delta,
                                                double given) {
  double c = 1.0, value, step = 1.6;
  int i, turns = 0;
  dppair_status status = dppair_contour_search_(&value, s, c);
  if (status != DPPAIR_OK) return status;
  *best = dppair_contour_goal_(value, c, for_delta, given);
  /* walk downhill in log c; turn round and shorten the stride when it rises */
  for (i = 0; i < 200 && turns < 5; i++) {
    const double next = c * step;
    double trial;
    if (!(next < s->c_limit && next > 1e-6)) {
      if (++turns > 1) break;
      step = 1.0 / step;
      continue;
    }
    status = dppair_contour_search_(&value, s, next);
    trial = status == DPPAIR_OK ? dppair_contour_goal_(value, next, for_delta, given) : HUGE_VAL;
    if (trial < *best) {
      *best = trial;
      c = next;
    } else {
      turns++;
      step = turns == 1 ? 1.0 / step : pow(step, -0.5);
    }
  }
  s->c = c;
  return dppair_isfinite_f64(*best) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * From c near the saddle, where the goal is top: c, c' and eta, such that eta is as large as the
 * aliases allow for e^-digits relative to delta. K(c) e^(-c epsilon) may exceed delta only
 * moderately, because the rounding errors are relative to it. With a given period 2 pi/eta: the c,
 * c' with the smallest aliases. *guess: epsilon, or log delta when for_delta.
 */
DPPAIR_API dppair_status dppair_contour_choose_(double *guess, dppair_contour_ *s, int for_delta,
                                                double given, double top, double digits,
                                                double period) {
  double grid[DPPAIR_C_GRID_], log_k[DPPAIR_C_GRID_];
  const double c = s->c;
  const int m = DPPAIR_C_MIDDLE_;
  double curvature, correction, epsilon, log_delta, allowed, best = -HUGE_VAL;
  int i, j;
  dppair_status status;
  for (i = 0; i < DPPAIR_C_GRID_; i++) {
    grid[i] = c * pow(1.1, (double)(i - m));
    status = dppair_contour_search_(&log_k[i], s, grid[i]);
    if (status != DPPAIR_OK) log_k[i] = HUGE_VAL;
  }
  /* K'' by differences, for the size of the saddle's integral */
  curvature = 2.0 *
                  ((log_k[m + 1] - log_k[m]) / (grid[m + 1] - grid[m]) -
                   (log_k[m] - log_k[m - 1]) / (grid[m] - grid[m - 1])) /
                  (grid[m + 1] - grid[m - 1]) +
              1.0 / (c * c) + 1.0 / ((c + 1.0) * (c + 1.0));
  correction = curvature > 0.0 ? log_k[m] - log(c * (c + 1.0) * sqrt(2.0 * DPPAIR_PI_ * curvature))
                               : log_k[m] + dppair_contour_kernel_(c);
  epsilon = for_delta ? given : (correction - given) / c;
  if (!for_delta && !(epsilon > 0.2 * top)) epsilon = 0.2 * top;
  log_delta = for_delta ? correction - c * epsilon : given;
  if (s->trim < 0.0) {
    epsilon = s->about[0];
    log_delta = s->about[1];
  }
  *guess = for_delta ? log_delta : epsilon;
  for (allowed = 2.5; best == -HUGE_VAL && allowed < 1e3; allowed *= 4.0) {
    for (i = 0; i < m + 4; i++) {
      const double excess = log_k[i] - log_k[m] - (grid[i] - c) * epsilon;
      if (!(excess < allowed)) continue;
      for (j = i + 1; j < DPPAIR_C_GRID_; j++) {
        double score, need;
        if (!dppair_isfinite_f64(log_k[j])) break;
        need = log_k[j] + dppair_contour_kernel_(grid[j]) - grid[j] * epsilon - log_delta;
        if (period > 0.0) {
          /* the digits that are left, as far as they are wanted */
          const double left = grid[i] * period + log_delta;
          score = (grid[j] - grid[i]) * period - need;
          if (left < score) score = left;
          if (digits < score) score = digits;
          score -= 0.5 * excess;
        } else {
          const double left = grid[i] / (digits - log_delta);
          score = digits + need > 0.0 ? (grid[j] - grid[i]) / (digits + need) : left;
          if (left < score) score = left;
          if (!(score > 0.0)) continue;
        }
        if (score > best) {
          best = score;
          s->c = grid[i];
          s->right = grid[j];
        }
      }
    }
  }
  if (best == -HUGE_VAL) return DPPAIR_ERR_NO_CONVERGENCE;
  s->eta = 2.0 * DPPAIR_PI_ * (period > 0.0 ? 1.0 / period : best);
  return DPPAIR_OK;
}

/* Layers of all steps, then the number of nodes at which the cut costs less than e^-digits. */
DPPAIR_API dppair_status dppair_contour_extent_(dppair_contour_ *s, double digits) {
  size_t t, low = 4, high = 8, limit = DPPAIR_Z_NODES_ - 1;
  dppair_law_ law;
  const double weight = log(s->c * (s->c + 1.0)) - log(DPPAIR_PI_);
  for (t = 0; t < s->count; t++) {
    const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    const dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    dppair_contour_layers_(
        s, t, &law,
        search[DPPAIR_SEARCH_NODES_] > -DBL_MAX ? dppair_contour_search_step_(search, s->c) : 0.0);
  }
  /* the saddle's integral is about 1/(c(c+1) width), the cut's 1/Y: compare with both */
  for (;;) {
    const double y = s->eta * (double)high;
    if (dppair_contour_decay_all_(s, y) + weight - log(y) < -digits) break;
    if (high == limit) return DPPAIR_ERR_NO_CONVERGENCE;
    low = high;
    high = high * 3 / 2 < limit ? high * 3 / 2 : limit;
  }
  while (high - low > 1 + high / 32) {
    const size_t middle = low + (high - low) / 2;
    const double y = s->eta * (double)middle;
    if (dppair_contour_decay_all_(s, y) + weight - log(y) < -digits)
      high = middle;
    else
      low = middle;
  }
  s->nodes = high;
  s->cut = s->eta * (double)high;
  return DPPAIR_OK;
}

/* All factors, then for each node its share of S, its phase, and the total of the errors, all
 * relative to e^(log_k - c epsilon). extent: a bound of |epsilon| for the phases. */
DPPAIR_API dppair_status dppair_contour_certify_(dppair_contour_ *s, double digits, double extent) {
  double *log_abs = s->line, *arg = log_abs + DPPAIR_Z_NODES_, *log_top = arg + DPPAIR_Z_NODES_;
  double *error = log_top + DPPAIR_Z_NODES_, *rounding = error + DPPAIR_Z_NODES_;
  const double c = s->c;
  double total = 0.0;
  size_t t, k;
  dppair_law_ law;
  dppair_contour_gaussian_(s);
  for (t = 0; t < s->count; t++) {
    dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && dppair_branches_(&law) > 0 && law.steps > 0.0)
      status = dppair_contour_multiply_(s, &law, t, digits);
    if (status != DPPAIR_OK) return status;
  }
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, re = c * (c + 1.0) - y * y, im = y * (2.0 * c + 1.0);
    const double share = (k == 0 ? 0.5 : 1.0) * s->eta / DPPAIR_PI_ / sqrt(re * re + im * im);
    const double own = exp(log_abs[k]) * share;
    total += exp(log_top[k] + rounding[k]) * share * error[k] +
             own * (rounding[k] + 16.0 * DPPAIR_UNIT_ * (4.0 + y * extent));
    log_abs[k] = own;
    arg[k] -= atan2(im, re);
  }
  total *= 1.0 + 1e-9;
  total += exp(s->log_decay + s->log_k_rounding) / (DPPAIR_PI_ * s->cut) * (1.0 + 1e-9);
  s->error = total;
  return dppair_isfinite_f64(total) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* S e^(c epsilon - log_k), and its derivative in epsilon after taking the factor along. */
DPPAIR_API double dppair_contour_sum_(double *slope, const dppair_contour_ *s, double epsilon) {
  const double *share = s->line, *arg = share + DPPAIR_Z_NODES_;
  double sum = 0.0, turn = 0.0;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, phase = arg[k] - y * epsilon;
    if (share[k] < 1e-22 * share[0]) continue;
    sum += share[k] * cos(phase);
    turn += share[k] * y * sin(phase);
  }
  *slope = turn - s->c * sum;
  return sum;
}

/* The best guess that is told: inside tight bounds `middle`, else what is proved. */
DPPAIR_API double dppair_estimate_(double upper, double lower, double middle) {
  if (!(lower > 0.0 && upper <= 1.01 * lower)) return upper;
  return middle < lower ? lower : (middle > upper ? upper : middle);
}

/* The factor e^exponent in two halves, so that numbers near the smallest are rounded once. */
DPPAIR_API double dppair_scaled_(double x, double exponent) {
  const double half = exp(0.5 * exponent);
  return x * half * half;
}

/* An upper and a lower bound of delta as they are told: no subnormal number keeps its digits. */
DPPAIR_API double dppair_delta_above_(double delta) {
  if (!(delta >= 0.0 && delta < 1.0)) return 1.0;
  return delta < DBL_MIN ? DBL_MIN : delta;
}
DPPAIR_API double dppair_delta_below_(double delta) { return delta >= DBL_MIN ? delta : 0.0; }

/* Bounds of delta at epsilon, both capped to [0, 1]; *nearest is S. */
DPPAIR_API void dppair_contour_bounds_(double *upper, double *lower, double *nearest,
                                       double *log_slope, const dppair_contour_ *s,
                                       double epsilon) {
  const double exponent = s->log_k - s->c * epsilon;
  const double slack =
      s->log_k_rounding + 4.0 * DPPAIR_UNIT_ * (fabs(s->log_k) + fabs(s->c * epsilon));
  const double period = 2.0 * DPPAIR_PI_ / s->eta, wide = s->c * period * (1.0 - 1e-15);
  double slope, sum = dppair_contour_sum_(&slope, s, epsilon), left, ratio, right = HUGE_VAL;
  double wrong = s->error + fabs(sum) * (expm1(slack) * 1.001 + 16.0 * DPPAIR_UNIT_);
  wrong += (double)(s->nodes + 1) * 1e-22 * s->line[0] + s->error * expm1(slack);
  *nearest = dppair_scaled_(sum, exponent);
  *log_slope = sum > 0.0 ? slope / sum : -s->c;
  left = exp(-wide) / -expm1(-wide) * (1.0 + 1e-14);
  ratio = exp(-(s->right - s->c) * period);
  if (ratio < 0.99 && dppair_isfinite_f64(s->log_right))
    right = exp(s->log_right + dppair_contour_kernel_(s->right) - s->right * epsilon) * ratio /
            (1.0 - ratio) * (1.0 + 1e-9);
  *upper = dppair_scaled_(sum + wrong, exponent) * (1.0 + 4e-15) + s->failure;
  *lower = dppair_scaled_(sum - wrong, exponent) * (1.0 - 4e-15) - (left + right);
  *upper = sum + wrong > 0.0 ? dppair_delta_above_(*upper) : 1.0;
  *lower = dppair_delta_below_(*lower);
  if (*lower > 1.0) *lower = 1.0;
}
