/* --- one direction --------------------------------------------------------------------------- */

/* The phases are good up to this |epsilon|. */
DPPAIR_API double dppair_contour_extent_of_(double top) { return 2.0 + 2.0 * fabs(top); }

/* Sets up the line for one direction, from c near the saddle; top: the goal there. */
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

/* Bounds of epsilon at delta from a prepared line. top: an upper bound of epsilon, about; S falls
 * in epsilon, so Newton's steps in log S are kept inside a bracket. */
DPPAIR_API void dppair_contour_solve_(double *upper, double *lower, double *estimate,
                                      const dppair_contour_ *s, double delta, double guess,
                                      double top) {
  const double extent = dppair_contour_extent_of_(top);
  double high = top + 1e-9 * (1.0 + top), low = -extent, stride = 0.02 * (0.01 + fabs(top));
  double epsilon = guess < high ? guess : high, above, below, nearest, slope, step;
  int i, found = 0;
  *upper = HUGE_VAL;
  *lower = *estimate = 0.0;
  for (i = 0; i < 100; i++) {
    dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon);
    if (nearest > delta) {
      low = epsilon;
      found = 1;
    } else {
      high = epsilon;
    }
    step = nearest > 0.0 && slope < 0.0 ? -log(nearest / delta) / slope : HUGE_VAL;
    if (fabs(step) < 1e-13 * (1.0 + fabs(epsilon))) {
      epsilon += step;
      break;
    }
    epsilon += step;
    if (!(epsilon > low && epsilon < high)) {
      epsilon = found ? 0.5 * (low + high) : high - stride;
      stride *= 2.0;
      if (epsilon < -extent) epsilon = -extent;
    }
    if (found && high - low < 1e-14 * (1.0 + fabs(low))) break;
  }
  *estimate = epsilon;
  dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon);
  /* step out until the inequality itself holds */
  step = 1.02 * fabs(log(above / delta) / slope) + 2e-15 * (1.0 + fabs(epsilon));
  for (i = 0; i < 40 && epsilon + step <= extent; i++, step *= 1.5) {
    dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon + step);
    if (above <= delta * (1.0 - 1e-15)) {
      *upper = epsilon + step;
      break;
    }
  }
  dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon);
  step = (below > 0.0 ? 1.02 * fabs(log(below / delta) / slope) : 1e-3) +
         2e-15 * (1.0 + fabs(epsilon));
  for (i = 0; i < 40 && epsilon - step >= -extent; i++, step *= 1.5) {
    dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon - step);
    if (below >= delta * (1.0 + 1e-15)) {
      *lower = epsilon - step;
      break;
    }
  }
}

/* Checks a list of steps: parameters, one adjacency throughout; sums what needs no quadrature. */
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
  for (t = 0; t < count; t++) s->total_steps += (double)steps[t].steps;
  s->tail = s->total_steps > 0.0 ? spend / s->total_steps : spend; /* hits beyond the cap */
  for (t = 0; t < count; t++) {
    const dppair_status status = dppair_law_of_(&law, &steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    if (steps[t].sampling.adjacency != 0) {
      if (adjacency != 0 && adjacency != (int)steps[t].sampling.adjacency)
        return DPPAIR_ERR_ADJACENCY;
      adjacency = (int)steps[t].sampling.adjacency;
    }
    if (law.kind == DPPAIR_LAW_MIXTURE_) *directions = 2;
    if (law.kind == DPPAIR_LAW_GAUSSIAN_)
      s->variance += law.mu * law.mu * law.steps;
    else if (law.kind != DPPAIR_LAW_NONE_ && law.steps > 0.0)
      *smooth |= dppair_branches_(&law) > 0 ? 1 : 2;
    s->failure += law.failure * law.steps * (1.0 + 1e-9);
    s->merged |= law.merged;
  }
  return DPPAIR_OK;
}

DPPAIR_API void dppair_contour_place_(dppair_contour_ *s, double *workspace) {
  s->node = workspace;
  s->line = s->node + 10 * (size_t)DPPAIR_X_NODES_;
  s->search = s->line + 6 * (size_t)DPPAIR_Z_NODES_;
  s->layers = s->search + 2 * (size_t)DPPAIR_SEARCH_NODES_ * s->count;
}

/* A bound of log delta at epsilon from the moment at s->c alone: log K(c) + log k(c) - c epsilon.
 */
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
               1e-12 * (1.0 + fabs(s->log_k) + s->c * epsilon);
  return status;
}

/*
 * The epsilon of a composition at this delta: *lower <= truth <= *upper, certified, and *estimate.
 * The truth is that of the steps' dominating pairs: of the mechanism *upper is a bound; *lower only
 * where two data sets attain them (dppair_compose_epsilon says where).
 * steps: `count` distinct steps, each run step.steps times, in any order, adaptively. Gaussian,
 * sampled Gaussian and sampled pairs; for losses with atoms (Laplace, pure, randomised response)
 * use dppair_pld_epsilon. delta in [DBL_MIN, 1): below, doubles lose digits. workspace:
 * dppair_contour_workspace doubles.
 * Errors: those of the steps; DPPAIR_ERR_ADJACENCY for a mixture of neighbouring relations;
 * DPPAIR_ERR_NO_PROOF for losses with atoms; DPPAIR_ERR_NO_CONVERGENCE when the line would need too
 * many nodes (a handful of steps, a huge noise ratio): use dppair_pld_epsilon.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_contour_epsilon(double *upper, double *lower, double *estimate, const dppair_step *steps,
                       size_t count, double delta, double *workspace, size_t workspace_doubles) {
  dppair_contour_ s;
  size_t need;
  int directions, smooth, d;
  double best[3] = {0.0, 0.0, 0.0};
  dppair_status status;
  if (upper == NULL || lower == NULL || estimate == NULL) return DPPAIR_ERR_NULL;
  *upper = *lower = *estimate = 0.0;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta >= DBL_MIN && delta < 1.0)) return DPPAIR_ERR_DELTA;
  status = dppair_contour_workspace(&need, count);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  status = dppair_contour_begin_(&s, &directions, &smooth, steps, count, 1e-12 * delta);
  if (status != DPPAIR_OK) return status;
  if (smooth & 2) return DPPAIR_ERR_NO_PROOF;
  dppair_contour_place_(&s, workspace);
  if (smooth == 0 && s.variance == 0.0) return DPPAIR_OK;
  for (d = 0; d < directions; d++) {
    double guess, top, value[3], log_delta = log(delta);
    int i;
    s.backward = d;
    s.reach_c = 0.0;
    status = dppair_contour_saddle_(&top, &s, 0, log_delta);
    if (status != DPPAIR_OK) return status;
    if (!(s.failure < 0.5 * delta)) return DPPAIR_ERR_NO_CONVERGENCE;
    log_delta = log(delta - s.failure);
    if (d == 1 || top <= 0.0) {
      /* the second direction is usually far smaller: one moment shows it */
      double bound;
      status = dppair_contour_moment_(&bound, &s, best[1]);
      if (status == DPPAIR_OK && bound < log_delta) continue;
    }
    status = dppair_contour_prepare_(&guess, &s, 0, log_delta, top);
    if (status != DPPAIR_OK) return status;
    dppair_contour_solve_(&value[0], &value[1], &value[2], &s, delta, guess, top);
    if (!dppair_isfinite_f64(value[0])) return DPPAIR_ERR_NO_CONVERGENCE;
    for (i = 0; i < 3; i++)
      if (value[i] > best[i]) best[i] = value[i];
  }
  *upper = best[0];
  *lower = best[1] = s.merged ? 0.0 : best[1];
  *estimate = dppair_estimate_(best[0], best[1], best[2]);
  return DPPAIR_OK;
}

/* One try, in which hits beyond the cap may cost `spend`; *paid is what they did. */
DPPAIR_API dppair_status dppair_contour_delta_(double *best, double *paid, const dppair_step *steps,
                                               size_t count, double epsilon, double spend,
                                               double *workspace) {
  dppair_contour_ s;
  int directions, smooth, d;
  dppair_status status = dppair_contour_begin_(&s, &directions, &smooth, steps, count, spend);
  best[0] = best[1] = best[2] = 0.0;
  *paid = s.failure;
  if (status != DPPAIR_OK) return status;
  if (smooth & 2) return DPPAIR_ERR_NO_PROOF;
  dppair_contour_place_(&s, workspace);
  if (smooth == 0 && s.variance == 0.0) return DPPAIR_OK;
  for (d = 0; d < directions; d++) {
    double guess, top, slope, value[3];
    int i;
    s.backward = d;
    s.reach_c = 0.0;
    status = dppair_contour_saddle_(&top, &s, 1, epsilon);
    if (status != DPPAIR_OK) return status;
    if (d == 1) {
      status = dppair_contour_moment_(&guess, &s, epsilon);
      if (status == DPPAIR_OK && best[1] > 0.0 && guess < log(best[1])) continue;
    }
    status = dppair_contour_prepare_(&guess, &s, 1, epsilon, top);
    if (status != DPPAIR_OK) return status;
    dppair_contour_bounds_(&value[0], &value[1], &value[2], &slope, &s, epsilon);
    for (i = 0; i < 3; i++)
      if (value[i] > best[i]) best[i] = value[i];
  }
  if (s.merged) best[1] = 0.0;
  return DPPAIR_OK;
}

/* What hits beyond the cap may cost the next time, where that matters: next to nothing of the
 * answer, in strides, since a longer mixture may be beyond a route. 0: no better. */
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

/* The delta of a composition at this epsilon >= 0, the same way; bounds in [0, 1], and none below
 * DBL_MIN but 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_contour_delta(double *upper, double *lower, double *estimate, const dppair_step *steps,
                     size_t count, double epsilon, double *workspace, size_t workspace_doubles) {
  size_t need;
  double best[3] = {2.0, 0.0, 0.0}, spend = 1e-24;
  dppair_status status;
  if (upper == NULL || lower == NULL || estimate == NULL) return DPPAIR_ERR_NULL;
  *upper = *lower = *estimate = 0.0;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(epsilon)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  status = dppair_contour_workspace(&need, count);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  do {
    double paid, now[3];
    status = dppair_contour_delta_(now, &paid, steps, count, epsilon, spend, workspace);
    if (status != DPPAIR_OK && best[0] > 1.0) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 3)) break;
    spend = dppair_spend_less_(spend, paid, best);
  } while (spend > 0.0);
  *upper = best[0];
  *lower = best[1];
  *estimate = dppair_estimate_(best[0], best[1], best[2]);
  return DPPAIR_OK;
}
