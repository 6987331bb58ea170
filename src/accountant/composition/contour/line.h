/* ------------------------------------------------------------------------------------------------
 * The line: c, c', eta and N, and the sum over its nodes
 *
 * saddle, choose and extent place the line by the search's rough values; certify multiplies all
 * steps into it (factor.h) and adds up the errors; bounds reads delta off at any epsilon.
 * ---------------------------------------------------------------------------------------------- */

/* The plain Gaussian steps' factor, exp(v z (z+1)/2) with v the sum of mu^2. */
DPPAIR_API void dppair_contour_gaussian_(dppair_contour_ *s) {
  const dppair_line_ line = dppair_line_of_(s);
  const double v = 0.5 * s->variance, unit = 16.0 * DPPAIR_UNIT_;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k;
    line.log_abs[k] = line.log_top[k] = -v * y * y;
    line.arg[k] = v * y * (2.0 * s->c + 1.0);
    line.error[k] = 0.0;
    line.rounding[k] = unit * (v * y * y + line.arg[k]);
  }
  s->log_k = v * s->c * (s->c + 1.0);
  s->log_k_rounding = unit * s->log_k;
  s->log_right = v * s->right * (s->right + 1.0) * (1.0 + unit);
  s->log_decay = -v * s->cut * s->cut * (1.0 - unit);
}

/* The walk to the saddle begins at c = 1 with strides of this factor, which shrink to their square
 * root at every turn but the first; after five turns c is within 6 % of the least goal, which is
 * flat there. The 200 strides and the range of c end walks that lead nowhere. */
#define DPPAIR_SADDLE_STRIDE_ 1.6
enum { DPPAIR_SADDLE_TURNS_ = 5, DPPAIR_SADDLE_STRIDES_ = 200 };
#define DPPAIR_SADDLE_LEAST_ 1e-6

/* c near the saddle: where the search's goal is least. *best is the goal there. */
DPPAIR_API dppair_status dppair_contour_saddle_(double *best, dppair_contour_ *s, int for_delta,
                                                double given) {
  double c = 1.0, value, step = DPPAIR_SADDLE_STRIDE_;
  int i, turns = 0;
  dppair_status status = dppair_contour_search_(&value, s, c);
  if (status != DPPAIR_OK) return status;
  *best = dppair_contour_goal_(value, c, for_delta, given);
  /* walk downhill in log c; turn round and shorten the stride when it rises */
  for (i = 0; i < DPPAIR_SADDLE_STRIDES_ && turns < DPPAIR_SADDLE_TURNS_; i++) {
    const double next = c * step;
    double trial;
    if (!(next < s->c_limit && next > DPPAIR_SADDLE_LEAST_)) {
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
      step = turns == 1 ? 1.0 / step : dppair_pow_(step, -0.5);
    }
  }
  s->c = c;
  return dppair_isfinite_f64(*best) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* The values of c and c' that are tried: 24, each 1.1 times the one before, the tenth of them near
 * the saddle. c is taken from the first 13, c' from those above it. */
enum { DPPAIR_C_GRID_ = 24, DPPAIR_C_MIDDLE_ = 9, DPPAIR_C_LAST_ = DPPAIR_C_MIDDLE_ + 4 };
#define DPPAIR_C_RATIO_ 1.1

/* K(c) e^(-c epsilon) may exceed its least value by e^2.5 at first, since rounding errors are
 * relative to it; where no c does, by the fourth power of that, and so on. */
#define DPPAIR_C_EXCESS_ 2.5
#define DPPAIR_C_EXCESS_MORE_ 4.0
#define DPPAIR_C_EXCESS_MOST_ 1e3

/* What the choice of a line is made from: log K on the grid, and where the answer is expected. */
typedef struct dppair_choice_ {
  double c[DPPAIR_C_GRID_], log_k[DPPAIR_C_GRID_];
  double need[DPPAIR_C_GRID_]; /* the log of the moment bound at each c over delta */
  double epsilon, log_delta;
  double digits; /* aliases should be below e^-digits of delta */
  double period; /* 2 pi/eta where it is given; 0: eta is to be chosen, as large as possible */
} dppair_choice_;

/* Where the answer is expected, by the saddle point approximation of delta: log K(c) - c epsilon
 * minus the log of c (c+1) sqrt(2 pi K''), K'' the curvature of log K(c) - log c - log(c+1). */
DPPAIR_API void dppair_choice_guess_(dppair_choice_ *choice, const dppair_contour_ *s,
                                     int for_delta, double given, double top) {
  const int m = DPPAIR_C_MIDDLE_;
  const double *grid = choice->c, *log_k = choice->log_k, c = s->c;
  const double curvature = 2.0 *
                               ((log_k[m + 1] - log_k[m]) / (grid[m + 1] - grid[m]) -
                                (log_k[m] - log_k[m - 1]) / (grid[m] - grid[m - 1])) /
                               (grid[m + 1] - grid[m - 1]) +
                           1.0 / (c * c) + 1.0 / ((c + 1.0) * (c + 1.0));
  const double saddle =
      curvature > 0.0
          ? log_k[m] - dppair_log_(c * (c + 1.0) * dppair_sqrt_(2.0 * DPPAIR_PI_ * curvature))
          : log_k[m] + dppair_contour_kernel_(c);
  if (s->trim < 0.0) {
    choice->epsilon = s->about[0];
    choice->log_delta = s->about[1];
    return;
  }
  choice->epsilon = for_delta ? given : (saddle - given) / c;
  /* the moment bound `top` is never five times too large where this approximation is of use */
  if (!for_delta && !(choice->epsilon > 0.2 * top)) choice->epsilon = 0.2 * top;
  choice->log_delta = for_delta ? saddle - c * choice->epsilon : given;
}

/* How good c = grid[i] and c' = grid[j] are. With the period to be chosen: the largest eta/(2 pi)
 * that keeps the aliases of either side below e^-digits of delta. With a given period: the digits
 * that the aliases leave, as far as they are wanted, less half of what c loses to rounding. */
DPPAIR_API double dppair_choice_score_(const dppair_choice_ *choice, int i, int j, double excess) {
  const double *grid = choice->c, digits = choice->digits, need = choice->need[j];
  double score, left;
  if (choice->period > 0.0) {
    left = grid[i] * choice->period + choice->log_delta;
    score = (grid[j] - grid[i]) * choice->period - need;
    if (left < score) score = left;
    if (digits < score) score = digits;
    return score - 0.5 * excess;
  }
  left = grid[i] / (digits - choice->log_delta);
  score = digits + need > 0.0 ? (grid[j] - grid[i]) / (digits + need) : left;
  if (left < score) score = left;
  return score > 0.0 ? score : -HUGE_VAL;
}

/* The best c and c' among those where K(c) e^(-c epsilon) is at most e^allowed of its value at the
 * saddle. Returns their score, -HUGE_VAL when there are none. */
DPPAIR_API double dppair_choice_best_(dppair_contour_ *s, const dppair_choice_ *choice,
                                      double allowed) {
  const int m = DPPAIR_C_MIDDLE_;
  const double *grid = choice->c, *log_k = choice->log_k;
  double best = -HUGE_VAL;
  int i, j;
  for (i = 0; i < DPPAIR_C_LAST_; i++) {
    const double excess = log_k[i] - log_k[m] - (grid[i] - grid[m]) * choice->epsilon;
    if (!(excess < allowed)) continue;
    for (j = i + 1; j < DPPAIR_C_GRID_ && dppair_isfinite_f64(log_k[j]); j++) {
      const double score = dppair_choice_score_(choice, i, j, excess);
      if (score > best) {
        best = score;
        s->c = grid[i];
        s->right = grid[j];
      }
    }
  }
  return best;
}

/*
 * From s->c near the saddle, where the goal is `top`: the line's c, c' and eta, with eta as large
 * as the aliases allow. period > 0: eta is 2 pi/period, and c, c' are those with the smallest
 * aliases. *guess: where the answer is expected, epsilon, or log delta when for_delta.
 */
DPPAIR_API dppair_status dppair_contour_choose_(double *guess, dppair_contour_ *s, int for_delta,
                                                double given, double top, double digits,
                                                double period) {
  dppair_choice_ choice;
  double allowed, best = -HUGE_VAL;
  int i;
  choice.digits = digits;
  choice.period = period;
  for (i = 0; i < DPPAIR_C_GRID_; i++) {
    choice.c[i] = s->c * dppair_pow_(DPPAIR_C_RATIO_, (double)(i - DPPAIR_C_MIDDLE_));
    if (dppair_contour_search_(&choice.log_k[i], s, choice.c[i]) != DPPAIR_OK)
      choice.log_k[i] = HUGE_VAL;
  }
  dppair_choice_guess_(&choice, s, for_delta, given, top);
  *guess = for_delta ? choice.log_delta : choice.epsilon;
  for (i = 0; i < DPPAIR_C_GRID_; i++)
    choice.need[i] = choice.log_k[i] + dppair_contour_kernel_(choice.c[i]) -
                     choice.c[i] * choice.epsilon - choice.log_delta;
  for (allowed = DPPAIR_C_EXCESS_; best == -HUGE_VAL && allowed < DPPAIR_C_EXCESS_MOST_;
       allowed *= DPPAIR_C_EXCESS_MORE_)
    best = dppair_choice_best_(s, &choice, allowed);
  if (best == -HUGE_VAL) return DPPAIR_ERR_NO_CONVERGENCE;
  s->eta = 2.0 * DPPAIR_PI_ * (period > 0.0 ? 1.0 / period : best);
  return DPPAIR_OK;
}

/* 1 when a line of this many nodes loses less than e^-digits to its cut. The saddle's integral is
 * about 1/(c (c+1) width) and the cut's 1/Y: both are compared with K(c) e^(-c epsilon). */
DPPAIR_API int dppair_contour_enough_(const dppair_contour_ *s, size_t nodes, double digits) {
  const double weight = dppair_log_(s->c * (s->c + 1.0)) - dppair_log_(DPPAIR_PI_);
  const double y = s->eta * (double)nodes;
  return dppair_contour_decay_all_(s, y) + weight - dppair_log_(y) < -digits;
}

/* Layers of all steps, then a number of nodes, up to 3 % too large, at which the cut costs less
 * than e^-digits. */
DPPAIR_API dppair_status dppair_contour_extent_(dppair_contour_ *s, double digits) {
  size_t t, low = 4, high = 8, limit = DPPAIR_Z_NODES_ - 1;
  dppair_law_ law;
  for (t = 0; t < s->count; t++) {
    const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    const dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    dppair_contour_layers_(
        s, t, &law,
        search[DPPAIR_SEARCH_NODES_] > -DBL_MAX ? dppair_contour_search_step_(search, s->c) : 0.0);
  }
  while (!dppair_contour_enough_(s, high, digits)) {
    if (high == limit) return DPPAIR_ERR_NO_CONVERGENCE;
    low = high;
    high = high * 3 / 2 < limit ? high * 3 / 2 : limit;
  }
  while (high - low > 1 + high / 32) {
    const size_t middle = low + (high - low) / 2;
    if (dppair_contour_enough_(s, middle, digits))
      high = middle;
    else
      low = middle;
  }
  s->nodes = high;
  s->cut = s->eta * (double)high;
  return DPPAIR_OK;
}

/* All factors; then, for each node, its share of S (in log_abs) and its phase (in arg), and the
 * total of the errors, all relative to e^(log_k - c epsilon). extent bounds |epsilon| for the
 * rounding of the phases. */
DPPAIR_API dppair_status dppair_contour_certify_(dppair_contour_ *s, double digits, double extent) {
  const dppair_line_ line = dppair_line_of_(s);
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
    const double share =
        (k == 0 ? 0.5 : 1.0) * s->eta / DPPAIR_PI_ / dppair_sqrt_(re * re + im * im);
    const double own = dppair_exp_(line.log_abs[k]) * share;
    total += dppair_exp_(line.log_top[k] + line.rounding[k]) * share * line.error[k] +
             own * (line.rounding[k] + 16.0 * DPPAIR_UNIT_ * (4.0 + y * extent));
    line.log_abs[k] = own;
    line.arg[k] -= dppair_atan2_(im, re);
  }
  total *= 1.0 + 1e-9; /* the rounding of this sum and of the next one */
  total += dppair_exp_(s->log_decay + s->log_k_rounding) / (DPPAIR_PI_ * s->cut) * (1.0 + 1e-9);
  s->error = total;
  return dppair_isfinite_f64(total) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* S e^(c epsilon - log_k), and its derivative in epsilon with that factor taken along. */
DPPAIR_API double dppair_contour_sum_(double *slope, const dppair_contour_ *s, double epsilon) {
  const dppair_line_ line = dppair_line_of_(s);
  const double *share = line.log_abs;
  double sum = 0.0, turn = 0.0;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, phase = line.arg[k] - y * epsilon;
    double sine, cosine;
    if (share[k] < DPPAIR_NOTHING_ * share[0]) continue;
    dppair_sin_cos_(&sine, &cosine, phase);
    sum += share[k] * cosine;
    turn += share[k] * y * sine;
  }
  *slope = turn - s->c * sum;
  return sum;
}

/* The estimate to return: `middle` where the bounds are within 1 %, else what is proved. */
DPPAIR_API double dppair_estimate_(double upper, double lower, double middle) {
  if (!(lower > 0.0 && upper <= 1.01 * lower)) return upper;
  return middle < lower ? lower : (middle > upper ? upper : middle);
}

/* x e^exponent by two halves of the exponent, so that numbers near the smallest are rounded once.
 */
DPPAIR_API double dppair_scaled_(double x, double exponent) {
  const double half = dppair_exp_(0.5 * exponent);
  return x * half * half;
}

/* An upper and a lower bound of delta as they are returned: in [0, 1], and never subnormal, since
 * subnormal numbers lose digits. */
DPPAIR_API double dppair_delta_above_(double delta) {
  if (!(delta >= 0.0 && delta < 1.0)) return 1.0;
  return delta < DBL_MIN ? DBL_MIN : delta;
}
DPPAIR_API double dppair_delta_below_(double delta) { return delta >= DBL_MIN ? delta : 0.0; }

/* A bound of the sum of all aliases of S at epsilon; infinite where K(c') is not known. */
DPPAIR_API double dppair_contour_aliases_(const dppair_contour_ *s, double epsilon) {
  const double period = 2.0 * DPPAIR_PI_ / s->eta, wide = s->c * period * (1.0 - 1e-15);
  const double ratio = dppair_exp_(-(s->right - s->c) * period);
  const double left = dppair_exp_(-wide) / -dppair_expm1_(-wide) * (1.0 + 1e-14);
  if (!(ratio < 0.99 && dppair_isfinite_f64(s->log_right))) return HUGE_VAL;
  return left + dppair_exp_(s->log_right + dppair_contour_kernel_(s->right) - s->right * epsilon) *
                    ratio / (1.0 - ratio) * (1.0 + 1e-9);
}

/* Bounds of delta at epsilon, both in [0, 1]; *nearest is S, *log_slope the slope of log S. */
DPPAIR_API void dppair_contour_bounds_(double *upper, double *lower, double *nearest,
                                       double *log_slope, const dppair_contour_ *s,
                                       double epsilon) {
  const double exponent = s->log_k - s->c * epsilon;
  const double slack = s->log_k_rounding +
                       4.0 * DPPAIR_UNIT_ * (dppair_fabs_(s->log_k) + dppair_fabs_(s->c * epsilon));
  double slope;
  const double sum = dppair_contour_sum_(&slope, s, epsilon), share = dppair_line_of_(s).log_abs[0];
  double wrong =
      s->error + dppair_fabs_(sum) * (dppair_expm1_(slack) * 1.001 + 16.0 * DPPAIR_UNIT_);
  wrong += (double)(s->nodes + 1) * DPPAIR_NOTHING_ * share + s->error * dppair_expm1_(slack);
  *nearest = dppair_scaled_(sum, exponent);
  *log_slope = sum > 0.0 ? slope / sum : -s->c;
  *upper = dppair_scaled_(sum + wrong, exponent) * (1.0 + 4e-15) + s->failure;
  *lower =
      dppair_scaled_(sum - wrong, exponent) * (1.0 - 4e-15) - dppair_contour_aliases_(s, epsilon);
  *upper = sum + wrong > 0.0 ? dppair_delta_above_(*upper) : 1.0;
  *lower = dppair_delta_below_(*lower);
  if (*lower > 1.0) *lower = 1.0;
}
