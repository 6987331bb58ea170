/* ------------------------------------------------------------------------------------------------
 * The minimiser of a perturbed fit, released
 *
 *   plan.noise = DPPAIR_OBJECTIVE, plan.steps = 1;              delta = 0: DPPAIR_PURE_OBJECTIVE,
 *                                                             with dppair_l2ball.h
 *   plan.ridge = 1.0, plan.output_mu = 1e-3;                      epsilon and delta as for all plans
 *   loss = dppair_margin_soft_hinge();
 *   s = dppair_release_open(&release, &account, &plan, NULL);
 *   s = dppair_release_minimiser(w, &release, &loss, 1.0, x, n, d, d, y, NULL, work, bytes);
 *
 * w is the minimiser of sum_i psi(w.u_i) + (ridge/2)|w - centre|^2 + b.w with random b, shortened
 * to norm 32/radius where it is longer, plus a trace of noise. mechanisms/objective.h has the proof
 * for the exact minimiser. What is between it and the released one:
 *
 * Inexact minimiser. At the computed w~ the gradient of the objective with the IDEAL real-valued b
 * has norm at most floor + share |w~|: what the solver reaches on every data set (fits/problem.h),
 * and in `floor` the rounding of b to its grid. (A b on a grid would make the support of w itself a
 * fingerprint of the data.) So |w~ - w| <= (floor + share |w~|)/ridge. Both are projected on the
 * ball of radius B, which no ranking notices; z, z~ are the projections. Then
 *
 *     |z~ - z| <= (4/3) (floor + share B)/ridge,    if (floor/B + share)/ridge <= 1/4.
 *
 * Proof. If |w~| <= B, projections do not expand. Else |w~ - w| <= |w~|/4 and floor + share |w~| <=
 * (floor + share B)|w~|/B. If |w| < B then |w~| < 4B/3, and again projections do not expand. If
 * both are outside, |z~ - z| <= 2B |w~ - w|/(|w~| + |w|) (Dunkl and Williams 1964), |w| >= 3|w~|/4.
 * QED
 *
 * Noise for twice that, plan->output_mu of it, makes the output a mechanism on z plus that, and z
 * is a function of w.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPPAIR_MINIMISER_GRID_ 40 /* b is rounded to its scale over 2^40 */

/* What a release will do, from public numbers. */
typedef struct dppair_minimiser_terms_ {
  dppair_release_terms_ of_b;
  dppair_margin_problem problem;
  dppair_margin_tolerance tolerance; /* of the solver */
  double ball, output;               /* B, and the scale of the output's noise */
} dppair_minimiser_terms_;

/* How far the released b is from the ideal one, with which the solver's figures hold. */
DPPAIR_API double dppair_minimiser_grid_(const dppair_minimiser_terms_ *t,
                                         const dppair_release *release) {
  const double width = dppair_sqrt_((double)t->problem.d);
  return t->of_b.scale * dppair_ldexp_(width, 2 - DPPAIR_MINIMISER_GRID_) *
         (release->mechanism == DPPAIR_PURE_OBJECTIVE ? width : 1.0);
}

/* The tolerance, and the scale of noise that hides it; NO_PROOF where the lemma says nothing. */
DPPAIR_API dppair_status dppair_minimiser_hide_(dppair_minimiser_terms_ *t,
                                                const dppair_release *release) {
  const double ridge = t->problem.ridge;
  dppair_status status = dppair_margin_reach(&t->tolerance, &t->problem, 0.0);
  const double floor = t->tolerance.floor + dppair_minimiser_grid_(t, release);
  if (status != DPPAIR_OK) return status;
  t->ball = 32.0 / t->problem.radius;
  if (!((floor / t->ball + t->tolerance.share) * (1.0 + 1e-12) <= 0.25 * ridge))
    return DPPAIR_ERR_NO_PROOF;
  t->output = 8.0 / 3.0 * (floor + t->tolerance.share * t->ball) / ridge / release->output_mu;
  t->output *= 1.0 + 1e-12;
  /* whatever the records are, the ball fits on the noise's grid */
  if (t->output < dppair_ldexp_(t->ball, -39)) t->output = dppair_ldexp_(t->ball, -39);
  return t->output <= DPPAIR_SCALE_MAX_F64_ ? DPPAIR_OK : DPPAIR_ERR_SIGMA;
}

/* The terms. A copy of a row is rounded, by less than 2^-52 of its norm. */
DPPAIR_API dppair_status dppair_minimiser_terms_find_(dppair_minimiser_terms_ *t,
                                                      const dppair_release *release,
                                                      const dppair_margin_loss *loss, double radius,
                                                      size_t n, size_t d) {
  dppair_status status;
  memset(t, 0, sizeof *t);
  t->problem.loss = *loss;
  t->problem.n = n;
  t->problem.d = d;
  t->problem.radius = radius;
  t->problem.ridge = 1.0;
  status = dppair_fit_check_(&t->problem);
  if (status != DPPAIR_OK) return status;
  if (!loss->falls || !dppair_isfinite_f64(loss->steepest)) return DPPAIR_ERR_NO_PROOF;
  t->problem.ridge = release->ridge * loss->top * radius * radius * (1.0 + 1e-12);
  t->of_b.sensitivity = radius * loss->steepest * (1.0 + 1e-12);
  t->of_b.divisor = 1.0;
  status = dppair_release_scale_(&t->of_b.scale, release, t->of_b.sensitivity);
  return status == DPPAIR_OK ? dppair_minimiser_hide_(t, release) : status;
}

/* May such a release be used for n records, for the whole of a paid release? */
DPPAIR_API dppair_status dppair_minimiser_ready_(const dppair_release *release, size_t n) {
  const dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (!dppair_mechanism_is_objective_(release->mechanism)) return DPPAIR_ERR_LAW;
  if (release->sampling.kind != DPPAIR_ALL || release->part > 0.0 || release->left > 0.0)
    return DPPAIR_ERR_NO_PROOF;
  return n == release->sampling.n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The linear term: -ridge centre, which is public, before it is rounded to the grid of b. DOMAIN
 * where that is beyond 512 scales of the noise, NOT_FINITE. */
DPPAIR_API dppair_status dppair_minimiser_centre_(double *b, const dppair_minimiser_terms_ *t,
                                                  const double *centre) {
  size_t k;
  for (k = 0; k < t->problem.d; k++) {
    b[k] = centre != NULL ? -t->problem.ridge * centre[k] : 0.0;
    if (!dppair_isfinite_f64(b[k])) return DPPAIR_ERR_NOT_FINITE;
    if (!(dppair_fabs_(b[k]) <= 512.0 * t->of_b.scale)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* Adds the noise of b, or of the output. */
DPPAIR_API dppair_status dppair_minimiser_noise_(double *v, size_t d, double scale,
                                                 dppair_release *release, int log2_ratio) {
  return dppair_release_add_(v, d, scale, log2_ratio,
                             dppair_mechanism_of_trace_(release->mechanism), &release->noise);
}

/* Tells an audit of the fit: before it, and with w after it. */
DPPAIR_API void dppair_minimiser_tell_(double *w, const dppair_fit_ *fit,
                                       const dppair_release *release, dppair_status status) {
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_FITTED, dppair_mechanism_name(release->mechanism), w,
                         w != NULL ? fit->of.d : 0, sizeof *w, NULL, release->sigma,
                         release->sensitivity, fit, release, status));
  (void)w;
  (void)fit;
  (void)release;
  (void)status;
}

/* What is not inlined leaves its secrets below its caller, where dppair_release_forget_ wipes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_minimiser_work_(double *w, dppair_fit_ *fit,
                                                         const dppair_minimiser_terms_ *terms,
                                                         dppair_release *release, const double *y,
                                                         size_t d) {
  dppair_status status;
  status =
      dppair_minimiser_noise_(fit->linear, d, terms->of_b.scale, release, DPPAIR_MINIMISER_GRID_);
  dppair_fit_factors_(fit, y);
  if (status == DPPAIR_OK) status = dppair_fit_run_(w, fit);
  if (status == DPPAIR_OK) status = dppair_project_l2_f64(w, d, terms->ball);
  if (status == DPPAIR_OK)
    status = dppair_minimiser_noise_(w, d, terms->output, release, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) memset(w, 0, d * sizeof *w);
  return status;
}

/*
 * Releases w (d numbers): the minimiser of sum_i psi(w.u_i) + (ridge/2) |w - centre|^2 + b.w, as
 * above, for a plan of the law DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE over all n records.
 *
 * The noise of b has the scale z radius steepest, release->sigma; ridge is plan->ridge top
 * radius^2; the output's noise is for plan->trace. The ball has the radius 32/radius, so that the
 * longest row has margins up to 32.
 *
 *   loss    falls and has a finite steepest slope
 *   radius  public: longer rows are shortened to it, here
 *   x, y    n rows ld numbers apart and n labels, as dppair_minimiser_not_private takes them
 *   centre  d public numbers, where w is drawn to; NULL: 0
 *   work    `bytes` bytes, as dppair_minimiser_workspace says
 *
 * Errors zero w and use no paid release: NULL, SIZE (n is not the plan's; d is 0; ld < d),
 * WORKSPACE, OVERFLOW, NOT_FINITE and DOMAIN (radius, centre, the loss's facts; a centre that pulls
 * with more than 512 scales of b's noise), SIGMA; LAW (another law); NO_PROOF (a loss that rises or
 * whose slopes grow; n, d or a ridge for which the solver's arithmetic is too coarse:
 * dppair_margin_reach); OVERLAP (w, and work or what is read); ENVIRONMENT, and those of
 * dppair_release_vector about the release. None depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_minimiser(double *w, dppair_release *release, const dppair_margin_loss *loss,
                         double radius, const double *x, size_t n, size_t d, size_t ld,
                         const double *y, const double *centre, void *work, size_t bytes) {
  dppair_minimiser_terms_ terms;
  dppair_fit_ fit;
  dppair_status status = dppair_array_(w, d);
  if (status != DPPAIR_OK) return status;
  if (d > 0) memset(w, 0, d * sizeof *w);
  if (loss == NULL) return DPPAIR_ERR_NULL;
  status = dppair_minimiser_ready_(release, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_apart_(w, d, work, bytes);
  if (status == DPPAIR_OK && centre) status = dppair_apart_(w, d, centre, d * sizeof *w);
  if (status == DPPAIR_OK)
    status = dppair_minimiser_terms_find_(&terms, release, loss, radius, n, d);
  if (status == DPPAIR_OK) status = dppair_minimiser_workspace(&terms.of_b.bytes, n, d);
  if (status == DPPAIR_OK) status = dppair_fit_open_(&fit, &terms.problem, x, ld, work, bytes);
  if (status == DPPAIR_OK) status = dppair_minimiser_centre_(fit.linear, &terms, centre);
  if (status == DPPAIR_OK)
    status = dppair_rows_apart_(w, d, n, x, dppair_row_bytes_(n, d, ld, sizeof *x), y, sizeof *y,
                                NULL, NULL);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms.of_b);
  fit.b = fit.linear;
  fit.reach = terms.tolerance;
  dppair_minimiser_tell_(NULL, &fit, release, DPPAIR_OK);
  status = dppair_minimiser_work_(w, &fit, &terms, release, y, d);
  dppair_minimiser_tell_(w, &fit, release, status);
  return dppair_release_forget_(work, &terms.of_b, status);
}

DPPAIR_FP_END_
