/* ------------------------------------------------------------------------------------------------
 * The answers of the contour route
 *
 * A line per direction (forward and, for mixtures, backward), the root in epsilon or the value of
 * delta on it, and the larger of both directions. Builds on line.h.
 * ---------------------------------------------------------------------------------------------- */

/* The questions of a composition: what epsilon is at a given delta, or delta at a given epsilon. */
DPPAIR_API dppair_status dppair_given_check_(int for_delta, double given) {
  if (!dppair_isfinite_f64(given)) return DPPAIR_ERR_NOT_FINITE;
  if (for_delta) return given >= 0.0 ? DPPAIR_OK : DPPAIR_ERR_EPSILON;
  return given >= DBL_MIN && given < 1.0 ? DPPAIR_OK : DPPAIR_ERR_DELTA;
}

/* What hits beyond the cap may cost in delta at first: next to nothing of a delta that is given,
 * and less than most answers where delta is asked for (dppair_spend_less_ follows). */
DPPAIR_API double dppair_spend_(int for_delta, double given) {
  return for_delta ? 1e-24 : 1e-12 * given;
}

/* The phases are good up to this |epsilon|. */
DPPAIR_API double dppair_contour_extent_of_(double top) { return 2.0 + 2.0 * dppair_fabs_(top); }

/* Sets up the line for one direction, from c near the saddle; top: the goal there. The errors
 * should be e^-27 (2e-12) of delta, and e^-21 for few steps, whose lines would need too many nodes.
 */
DPPAIR_API dppair_status dppair_contour_prepare_(double *guess, dppair_contour_ *s, int for_delta,
                                                 double given, double top) {
  const double digits = s->total_steps < 200.0 ? 21.0 : 27.0;
  double extent;
  dppair_status status = dppair_contour_choose_(guess, s, for_delta, given, top, digits, 0.0);
  if (status != DPPAIR_OK) return status;
  status = dppair_contour_extent_(s, digits);
  if (status != DPPAIR_OK) return status;
  extent = dppair_contour_extent_of_(for_delta ? given : top);
  return dppair_contour_certify_(s, digits, extent);
}

/* The epsilon at which S = delta, near enough. S falls in epsilon, so Newton's steps in log S are
 * kept inside a bracket; until its lower end is found, a step outside goes down from its upper end,
 * twice as far each time. */
DPPAIR_API double dppair_contour_root_(const dppair_contour_ *s, double delta, double guess,
                                       double top) {
  const double extent = dppair_contour_extent_of_(top);
  double high = top + 1e-9 * (1.0 + top), low = -extent, stride = 0.02 * (0.01 + dppair_fabs_(top));
  double epsilon = guess < high ? guess : high;
  int i, found = 0, close;
  for (i = 0; i < 100; i++) {
    double above, below, nearest, slope, step;
    dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon);
    if (nearest > delta) {
      low = epsilon;
      found = 1;
    } else {
      high = epsilon;
    }
    step = nearest > 0.0 && slope < 0.0 ? -dppair_log_(nearest / delta) / slope : HUGE_VAL;
    close = dppair_fabs_(step) < 1e-13 * (1.0 + dppair_fabs_(epsilon));
    epsilon += step;
    if (close) break;
    if (!(epsilon > low && epsilon < high)) {
      epsilon = found ? 0.5 * (low + high) : high - stride;
      stride *= 2.0;
      if (epsilon < -extent) epsilon = -extent;
    }
    if (found && high - low < 1e-14 * (1.0 + dppair_fabs_(low))) break;
  }
  return epsilon;
}

/* From an epsilon near the root, where delta is within bound[1] .. bound[0] and log S has this
 * slope, outwards until the inequality itself holds: side 1, S + errors <= delta, side -1, S -
 * errors - aliases >= delta. The first step is what the bound misses there, and 2 % more. 0 when no
 * step up to |extent| does. */
DPPAIR_API int dppair_contour_proved_(double *epsilon, const dppair_contour_ *s, double delta,
                                      double root, const double *at_root, double slope, int side,
                                      double extent) {
  double bound[2], nearest, own = at_root[side > 0 ? 0 : 1];
  double step = (own > 0.0 ? 1.02 * dppair_fabs_(dppair_log_(own / delta) / slope) : 1e-3) +
                2e-15 * (1.0 + dppair_fabs_(root));
  int i;
  for (i = 0; i < 40; i++, step *= 1.5) {
    *epsilon = root + (double)side * step;
    if (!((double)side * *epsilon <= extent)) return 0;
    dppair_contour_bounds_(&bound[0], &bound[1], &nearest, &slope, s, *epsilon);
    own = bound[side > 0 ? 0 : 1];
    if (side > 0 ? own <= delta * (1.0 - 1e-15) : own >= delta * (1.0 + 1e-15)) return 1;
  }
  return 0;
}

/* Bounds of epsilon at delta from a prepared line. top: an upper bound of epsilon, about. */
DPPAIR_API void dppair_contour_solve_(double *upper, double *lower, double *estimate,
                                      const dppair_contour_ *s, double delta, double guess,
                                      double top) {
  const double extent = dppair_contour_extent_of_(top);
  double bound[2], nearest, slope;
  *estimate = dppair_contour_root_(s, delta, guess, top);
  dppair_contour_bounds_(&bound[0], &bound[1], &nearest, &slope, s, *estimate);
  if (!dppair_contour_proved_(upper, s, delta, *estimate, bound, slope, 1, extent))
    *upper = HUGE_VAL;
  if (!dppair_contour_proved_(lower, s, delta, *estimate, bound, slope, -1, extent)) *lower = 0.0;
}

/* Checks a list of steps: parameters, one adjacency throughout; sums what needs no quadrature.
 * *smooth: 1 when some loss needs quadrature, + 2 when some loss has atoms. */
DPPAIR_API dppair_status dppair_contour_begin_(dppair_contour_ *s, int *directions, int *smooth,
                                               const dppair_step *steps, size_t count,
                                               double spend) {
  size_t t;
  int adjacency = 0;
  dppair_law_ law;
  memset(s, 0, sizeof *s);
  s->steps = steps;
  s->count = count;
  s->c_limit = 1e6;
  *directions = 1;
  *smooth = 0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  for (t = 0; t < count; t++) s->total_steps += (double)dppair_step_runs_(&steps[t]);
  s->tail = s->total_steps > 0.0 ? spend / s->total_steps : spend;
  for (t = 0; t < count; t++) {
    const dppair_status status = dppair_law_of_(&law, &steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    if (steps[t].sampling.adjacency != 0) {
      if (adjacency != 0 && adjacency != (int)steps[t].sampling.adjacency)
        return DPPAIR_ERR_ADJACENCY;
      adjacency = (int)steps[t].sampling.adjacency;
    }
    if (dppair_law_directions_(&law) > 1) *directions = 2;
    if (law.kind == DPPAIR_LAW_GAUSSIAN_)
      s->variance += law.mu * law.mu * law.steps;
    else if (law.kind != DPPAIR_LAW_NONE_ && law.steps > 0.0)
      *smooth |= dppair_branches_(&law) > 0 ? 1 : 2;
    s->failure += law.failure * law.steps * (1.0 + 1e-9);
    s->merged |= law.merged;
    s->replaced |= law.replaces;
  }
  return DPPAIR_OK;
}

/* Lays the arrays out in the workspace. */
DPPAIR_API void dppair_contour_place_(dppair_contour_ *s, double *workspace) {
  s->node = workspace;
  s->line = s->node + 10 * (size_t)DPPAIR_X_NODES_;
  s->search = s->line + 6 * (size_t)DPPAIR_Z_NODES_;
  s->layers = s->search + 2 * (size_t)DPPAIR_SEARCH_NODES_ * s->count;
}

/* A bound of log delta at epsilon from the moment at s->c alone, log K(c) + log k(c) - c epsilon: a
 * line of the node z_0, without layers. */
DPPAIR_API dppair_status dppair_contour_moment_(double *log_delta, dppair_contour_ *s,
                                                double epsilon) {
  dppair_status status;
  size_t t;
  s->right = 1.1 * s->c;
  s->eta = s->c;
  s->cut = s->eta;
  s->nodes = 0;
  for (t = 0; t < s->count; t++) s->layers[2 * (size_t)DPPAIR_LAYERS_ * t] = -1.0;
  status = dppair_contour_certify_(s, 20.0, 0.0);
  *log_delta = s->log_k + s->log_k_rounding + dppair_contour_kernel_(s->c) - s->c * epsilon +
               1e-12 * (1.0 + dppair_fabs_(s->log_k) + s->c * epsilon);
  return status;
}

/* One direction's epsilon at delta: upper and lower bound, estimate. best: the lower bound so far;
 * where one moment shows that the direction cannot exceed it, value stays 0. */
DPPAIR_API dppair_status dppair_contour_epsilon_(double *value, dppair_contour_ *s, double delta,
                                                 double best) {
  double guess, top, log_delta = dppair_log_(delta);
  dppair_status status = dppair_contour_saddle_(&top, s, 0, log_delta);
  if (status != DPPAIR_OK) return status;
  if (!(s->failure < 0.5 * delta)) return DPPAIR_ERR_NO_CONVERGENCE;
  log_delta = dppair_log_(delta - s->failure);
  if (s->backward || top <= 0.0) {
    double bound;
    status = dppair_contour_moment_(&bound, s, best);
    if (status == DPPAIR_OK && bound < log_delta) return DPPAIR_OK;
  }
  status = dppair_contour_prepare_(&guess, s, 0, log_delta, top);
  if (status != DPPAIR_OK) return status;
  dppair_contour_solve_(&value[0], &value[1], &value[2], s, delta, guess, top);
  return dppair_isfinite_f64(value[0]) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* One direction's delta at epsilon, the same way. */
DPPAIR_API dppair_status dppair_contour_delta_(double *value, dppair_contour_ *s, double epsilon,
                                               double best) {
  double guess, top, slope;
  dppair_status status = dppair_contour_saddle_(&top, s, 1, epsilon);
  if (status != DPPAIR_OK) return status;
  if (s->backward) {
    status = dppair_contour_moment_(&guess, s, epsilon);
    if (status == DPPAIR_OK && best > 0.0 && guess < dppair_log_(best)) return DPPAIR_OK;
  }
  status = dppair_contour_prepare_(&guess, s, 1, epsilon, top);
  if (status == DPPAIR_OK)
    dppair_contour_bounds_(&value[0], &value[1], &value[2], &slope, s, epsilon);
  return status;
}

/* The directions asked for, where hits beyond the cap may cost `spend`; *paid is what they did.
 * best: upper and lower bound, estimate. */
DPPAIR_API dppair_status dppair_contour_try_(double *best, double *paid, const dppair_question_ *q,
                                             double spend) {
  dppair_contour_ s;
  int directions, smooth, d, i;
  dppair_status status = dppair_contour_begin_(&s, &directions, &smooth, q->steps, q->count, spend);
  best[0] = best[1] = best[2] = 0.0;
  *paid = s.failure;
  if (status != DPPAIR_OK) return status;
  if (smooth & 2) return DPPAIR_ERR_NO_PROOF;
  dppair_contour_place_(&s, q->work);
  if (smooth == 0 && s.variance == 0.0) return DPPAIR_OK; /* nothing was run */
  for (d = 0; d < directions; d++) {
    double value[3] = {0.0, 0.0, 0.0};
    if (!dppair_question_asks_(q, directions, d)) continue;
    s.backward = d;
    s.reach_c = 0.0;
    status = q->for_delta ? dppair_contour_delta_(value, &s, q->given, best[1])
                          : dppair_contour_epsilon_(value, &s, q->given, best[1]);
    if (status != DPPAIR_OK) return status;
    for (i = 0; i < 3; i++)
      if (value[i] > best[i]) best[i] = value[i];
  }
  if (s.merged) best[1] = 0.0;
  return DPPAIR_OK;
}

/* What hits beyond the cap may cost in the next try, where that matters: next to nothing of the
 * answer, but by at most ten digits less than before, since a longer mixture may be beyond a route.
 * 0: another try would be no better. */
DPPAIR_API double dppair_spend_less_(double spend, double paid, const double *best) {
  double next = 1e-12 * (best[1] > 0.0 ? best[1] : best[0]);
  if (next < 1e-10 * spend) next = 1e-10 * spend;
  return paid > 1e-9 * best[0] && next < 0.1 * spend && next > 0.0 ? next : 0.0;
}

/* Keeps the better of two answers about the same delta: each bound is valid by itself. 0 when the
 * new one is no better. */
DPPAIR_API int dppair_keep_better_(double *best, const double *now, size_t n) {
  const int better = now[0] < best[0];
  if (better) best[0] = now[0];
  if (better && n > 2) best[2] = now[2];
  if (now[1] > best[1] && now[1] <= best[0]) best[1] = now[1];
  return better;
}

/*
 * What the contour says about the steps' dominating pairs: of the mechanism `upper` is a bound,
 * `lower` only where two data sets attain them (dppair_steps_attained_). Epsilon in one try, delta
 * in as many as it takes until the hits beyond the cap cost next to nothing of it; bounds of delta
 * are in [0, 1], and none is below DBL_MIN but 0.
 * Errors: those of the steps; ADJACENCY for a mixture of neighbouring relations; NO_PROOF for
 * losses with atoms; NO_CONVERGENCE when the line would need too many nodes (a handful of steps, a
 * huge noise ratio).
 */
DPPAIR_API dppair_status dppair_contour_answer_(dppair_interval *interval,
                                                const dppair_question_ *q) {
  double best[3] = {HUGE_VAL, 0.0, 0.0}, spend = dppair_spend_(q->for_delta, q->given);
  memset(interval, 0, sizeof *interval);
  interval->route = DPPAIR_ROUTE_CONTOUR;
  do {
    double paid, now[3];
    const dppair_status status = dppair_contour_try_(now, &paid, q, spend);
    if (status != DPPAIR_OK && best[0] > DBL_MAX) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 3)) break;
    spend = q->for_delta ? dppair_spend_less_(spend, paid, best) : 0.0;
  } while (spend > 0.0);
  interval->upper = best[0];
  interval->lower = best[1];
  interval->estimate = dppair_estimate_(best[0], best[1], best[2]);
  return DPPAIR_OK;
}
