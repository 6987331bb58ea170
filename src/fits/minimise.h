/* ------------------------------------------------------------------------------------------------
 * Minimisers of fits: damped Newton steps; should they stall, accelerated and then plain steps
 *
 * problem.h proves that these end. Relies on evaluate.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The step (H + damping I)^-1 gradient from w, where fit was evaluated, value *f; 0, and fit
 * evaluated elsewhere, when it gains too little. */
DPPAIR_API int dppair_fit_step_(double *w, double *f, dppair_fit_ *fit, double damping) {
  const size_t d = fit->of.d;
  double slope = 0.0, value, *trial = fit->trial, *direction = fit->direction;
  const double norm = dppair_norm_f64(fit->gradient, d);
  size_t k;
  for (k = 0; k < d; k++) {
    memcpy(fit->chol + k * d, fit->hessian + k * fit->pitch, (k + 1) * sizeof *fit->chol);
    fit->chol[k * d + k] += damping;
  }
  if (dppair_cholesky_f64(fit->chol, d) != DPPAIR_OK) return 0;
  memcpy(direction, fit->gradient, d * sizeof *direction);
  dppair_cholesky_solve_f64(direction, fit->chol, d);
  for (k = 0; k < d; k++) {
    slope += direction[k] * fit->gradient[k];
    trial[k] = w[k] - direction[k];
  }
  if (dppair_fit_evaluate_(&value, fit, trial) != DPPAIR_OK) return 0;
  /* near the minimum the value is rounding: there the gradient says more */
  if (!(value <= *f - 1e-2 * slope) &&
      !(dppair_norm_f64(fit->gradient, d) <= norm / 2.0 && value <= *f + 1e-9 * fit->size))
    return 0;
  memcpy(w, trial, d * sizeof *w);
  *f = value;
  return 1;
}

/* Newton steps with as much damping as it takes (Levenberg, Marquardt), until the gradient has
 * fallen by `fall` or is reached. Leaves fit evaluated at w. A Hessian costs about 1 + d/30
 * evaluations: it is built anew unless the old one still cuts the gradient by more than that.
 * Damping begins at the mean of the Hessian's diagonal and falls to the ridge before there is none:
 * where rows are of very different lengths, more than the least that helps makes steps that hardly
 * move. */
DPPAIR_API dppair_status dppair_fit_newton_(double *w, dppair_fit_ *fit, int most, double fall) {
  const double worth = dppair_fmax_(3.0, 3000.0 / (30.0 + (double)fit->of.d));
  double norm, first = 0.0, before = 0.0, damping = 0.0, mean = 0.0, f, ignored;
  int k, tries, damped = 0;
  dppair_status status = dppair_fit_evaluate_(&f, fit, w);
  for (k = 0; k < most && status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w); k++) {
    norm = dppair_norm_f64(fit->gradient, fit->of.d);
    if (k == 0) first = norm;
    if (norm <= fall * first) break;
    if (k == 0 || norm > before / worth) mean = dppair_fit_hessian_(fit);
    before = norm;
    for (tries = 0; tries < 40 && !dppair_fit_step_(w, &f, fit, damping); tries++) {
      damping = damping > 0.0 ? 8.0 * damping : damped ? fit->of.ridge : mean;
      status = dppair_fit_evaluate_(&ignored, fit, w);
    }
    if (tries == 40) break;
    damped |= damping > 0.0;
    damping = damping > fit->of.ridge ? damping / 8.0 : 0.0;
  }
  return status;
}

/* A better start, at the price of an evaluation or two: a sixteenth of many records stands for
 * all of them. */
DPPAIR_API dppair_status dppair_fit_start_(double *w, dppair_fit_ *fit) {
  const size_t n = fit->of.n;
  dppair_status status;
  if (n / 64 < fit->of.d || n < 4096) return DPPAIR_OK;
  fit->of.n = n / 16;
  fit->weight = (double)n / (double)fit->of.n;
  status = dppair_fit_newton_(w, fit, 20, 1e-3);
  fit->of.n = n;
  fit->weight = 1.0;
  return status;
}

/* A kink that is hardly rounded leaves Newton's steps nothing to see between records' kinks: it is
 * first rounded off widely, then less and less. */
DPPAIR_API dppair_status dppair_fit_kinks_(double *w, dppair_fit_ *fit) {
  const double width = fit->width;
  dppair_status status = DPPAIR_OK;
  for (fit->width = 2.0; fit->width > width && status == DPPAIR_OK; fit->width /= 2.0)
    status = dppair_fit_newton_(w, fit, 60, 0.01);
  fit->width = width;
  return status;
}

/* Where w is far and the ridge small, a loss that falls to 0 slope within a margin of 1 is all
 * kinks: the same for a large ridge, then for less and less. */
DPPAIR_API dppair_status dppair_fit_ridges_(double *w, dppair_fit_ *fit) {
  const double ridge = fit->of.ridge;
  dppair_status status = DPPAIR_OK;
  for (fit->of.ridge = fit->smooth; fit->of.ridge > 1.5 * ridge && status == DPPAIR_OK;
       fit->of.ridge /= 2.0) {
    status = dppair_fit_newton_(w, fit, 60, 0.01);
  }
  fit->of.ridge = ridge;
  return status == DPPAIR_OK ? dppair_fit_newton_(w, fit, 1000, 0.0) : status;
}

/* At most `count` steps w - g/L from w, where fit was evaluated, each then carried on by `momentum`
 * times the last move. */
DPPAIR_API dppair_status dppair_fit_descend_(double *w, dppair_fit_ *fit, double momentum,
                                             double count) {
  const size_t d = fit->of.d;
  double value, *before = fit->trial;
  size_t k;
  dppair_status status = DPPAIR_OK;
  memcpy(before, w, d * sizeof *w);
  for (; status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w) && count > 0.0; count -= 1.0) {
    for (k = 0; k < d; k++) {
      const double next = w[k] - fit->gradient[k] / fit->smooth;
      w[k] = next + momentum * (next - before[k]);
      before[k] = next;
    }
    status = dppair_fit_evaluate_(&value, fit, w);
  }
  return status;
}

/* The theorem's number of plain steps from w, where fit was evaluated. */
DPPAIR_API double dppair_fit_steps_(const dppair_fit_ *fit, const double *w) {
  const double ratio = fit->smooth / fit->of.ridge;
  double start = dppair_norm_f64(fit->gradient, fit->of.d);
  start += fit->error.floor + fit->error.share * dppair_norm_f64(w, fit->of.d);
  return dppair_ceil_(4.0 * ratio / 3.0 *
                      dppair_fmax_(1.0, dppair_log_(ratio) +
                                            2.0 * dppair_log_(start / (2.0 * fit->error.floor)))) +
         1.0;
}

/* The distance to the minimiser shrinks by 1 - sqrt(ridge/L) a step with momentum (in exact
 * arithmetic), by the square of that root without. */
DPPAIR_API dppair_status dppair_fit_run_(double *w, dppair_fit_ *fit) {
  const double root = dppair_sqrt_(fit->of.ridge / fit->smooth);
  dppair_status status = dppair_fit_start_(w, fit);
  if (status == DPPAIR_OK && fit->width > 0.0) status = dppair_fit_kinks_(w, fit);
  if (status == DPPAIR_OK) status = dppair_fit_newton_(w, fit, 1000, 0.0);
  if (status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w)) status = dppair_fit_ridges_(w, fit);
  if (status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w))
    status =
        dppair_fit_descend_(w, fit, (1.0 - root) / (1.0 + root), dppair_fmin_(80.0 / root, 1e6));
  if (status == DPPAIR_OK) status = dppair_fit_descend_(w, fit, 0.0, dppair_fit_steps_(fit, w));
  return status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w) ? DPPAIR_ERR_NO_CONVERGENCE
                                                                : status;
}

/* *bytes = the workspace of dppair_minimiser_not_private and dppair_release_minimiser: 2 n + d^2 +
 * (d + 24) (d + 192) doubles or less. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_minimiser_workspace(size_t *bytes, size_t n,
                                                                      size_t d) {
  dppair_fit_ fit;
  size_t count;
  fit.of.n = n;
  fit.of.d = d;
  dppair_fit_layout_(&fit, NULL, &count);
  return dppair_work_bytes_(bytes, count);
}

/* The public checks of a fit, and its arrays. */
DPPAIR_API dppair_status dppair_fit_open_(dppair_fit_ *fit, const dppair_margin_problem *p,
                                          const double *x, size_t ld, void *work, size_t bytes) {
  double *base;
  size_t count;
  dppair_status status = dppair_fit_check_(p);
  memset(fit, 0, sizeof *fit);
  if (status != DPPAIR_OK) return status;
  if (x == NULL) return DPPAIR_ERR_NULL;
  if (dppair_area_(dppair_area_(p->n, ld > 0 ? ld : 1), sizeof *x) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (ld < p->d) return DPPAIR_ERR_SIZE;
  fit->of = *p;
  fit->x = x;
  fit->ld = ld;
  fit->width = p->loss.parameter;
  fit->weight = 1.0;
  fit->smooth = dppair_fit_smoothness_(p);
  fit->error = dppair_fit_error_(p);
  dppair_fit_layout_(fit, NULL, &count);
  status = dppair_work_(&base, count, work, bytes);
  if (status == DPPAIR_OK) dppair_fit_layout_(fit, base, &count);
  return status;
}

/*
 * w (d numbers; in: a start) becomes a point whose gradient of
 *
 *     F(w) = sum_i psi(w.u_i) + (ridge/2) |w|^2 + b.w,      u_i = y_i x_i, shortened to radius,
 *
 * is within `tolerance`, which dppair_margin_reach gave for this problem, rounding included: within
 * (floor + share |w|)/ridge of the minimiser. Whether that succeeds is a matter of public numbers:
 * it does. NOT PRIVATE: dppair_release_minimiser releases one.
 *   x    p->n rows of p->d numbers, ld >= d apart. A row with a number that is not finite counts as
 *        0, one longer than p->radius as the point of the ball beside it
 *   y    n labels, > 0 for +1 and otherwise -1; NULL: all +1
 *   b    d numbers; NULL: 0
 *   work `bytes` bytes, as dppair_minimiser_workspace says
 *
 * Errors zero w: those of dppair_margin_reach about p; NULL; SIZE (ld < d); NOT_FINITE (w, b, the
 * tolerance); NO_PROOF (a tolerance below that of dppair_margin_reach); WORKSPACE; ENVIRONMENT;
 * OVERFLOW (w or the rows cannot be addressed). NO_CONVERGENCE would be a mistake of the loss's
 * facts.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_minimiser_not_private(
    double *w, const double *x, size_t ld, const double *y, const dppair_margin_problem *p,
    const double *b, const dppair_margin_tolerance *tolerance, void *work, size_t bytes) {
  dppair_margin_tolerance least;
  dppair_fit_ fit;
  dppair_status status = p == NULL ? DPPAIR_ERR_NULL : dppair_array_(w, p->d);
  if (status != DPPAIR_OK) return status;
  status = dppair_margin_reach(&least, p, 0.0);
  if (status == DPPAIR_OK && tolerance == NULL) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK &&
      (!dppair_all_finite_f64(w, p->d) || (b != NULL && !dppair_all_finite_f64(b, p->d)) ||
       !dppair_isfinite_f64(tolerance->floor) || !dppair_isfinite_f64(tolerance->share)))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK && !(tolerance->floor >= least.floor && tolerance->share >= least.share))
    status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_fit_open_(&fit, p, x, ld, work, bytes);
  if (status == DPPAIR_OK) {
    fit.b = b;
    fit.reach = *tolerance;
    dppair_fit_factors_(&fit, y);
    status = dppair_fit_run_(w, &fit);
  }
  if (status != DPPAIR_OK && p->d > 0) memset(w, 0, p->d * sizeof *w);
  return status;
}

DPPAIR_FP_END_
