/* SPDX-License-Identifier: MIT */
/*
 * own_proof.c - releases with a proof of another kind than "it moves by at most what its plan says".
 *
 * A perturbed fit (release/minimiser.h) adds noise to the objective and not to what it releases. The
 * proof is about the b that gives a minimiser w,
 *
 *     b(w) = -sum_i psi'(w.u_i) u_i - ridge w,
 *
 * and needs three things. At the RECORDED w, b of the two data sets differs by two slopes at most.
 * The logarithm of det H, H = sum_i psi''_i u_i u_i^T + ridge I, differs by log(1 + curvature/ridge)
 * at most. And what the solver leaves of the gradient is what the noise of the output was made for.
 * The library tells of each fit; noises and ridge are held against the charge in replay.c.
 *
 * Between the methods and what pays for a last iterate the linker puts functions of this file
 * (--wrap).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"
#include "replay.h"

enum { BALL = 32 };

static double norm_of(const double *v, size_t d) {
  double sum = 0;
  size_t k;
  for (k = 0; k < d; k++) sum += v[k] * v[k];
  return sqrt(sum);
}

/* log det of a positive definite matrix, which is overwritten. */
static double log_determinant(double *h, size_t d) {
  double sum = 0;
  size_t i, j, k;
  for (k = 0; k < d; k++) {
    sum += log(h[k * d + k]);
    for (i = k + 1; i < d; i++) {
      const double factor = h[i * d + k] / h[k * d + k];
      for (j = k; j < d; j++) h[i * d + j] -= factor * h[k * d + j];
    }
  }
  return sum;
}

/* --- perturbed fits of the library -------------------------------------------------------------
 */

enum { GRID = 40 }; /* the noise of b is on a grid of its scale over 2^40 */

/* b(w) and H of a fit, from its records; tells rows and slopes that are not what its facts say. */
static void fit_inverse(double *b, double *h, const double *w, const dppair_fit_ *fit, double *u) {
  const dppair_margin_problem *p = &fit->of;
  const size_t d = p->d;
  size_t i, j, k;
  memset(h, 0, d * d * sizeof *h);
  for (k = 0; k < d; k++) {
    b[k] = -p->ridge * w[k];
    h[k * d + k] = p->ridge;
  }
  for (i = 0; i < p->n; i++) {
    const double *x = fit->x + i * fit->ld, f = fit->factor[i];
    double margin = 0, at[3];
    for (k = 0; k < d; k++) {
      u[k] = f == 0 ? 0 : f * x[k];
      margin += w[k] * u[k];
    }
    p->loss.at(at, margin, p->loss.parameter);
    if (!(norm_of(u, d) <= p->radius * (1 + 1e-12)))
      audit_tell(AUDIT_DISTANCE, "a row of a fit is longer than %.9g", p->radius);
    if (!(at[1] <= 0 && -at[1] <= p->loss.steepest && at[2] >= 0 && at[2] <= p->loss.top))
      audit_tell(AUDIT_DISTANCE,
                 "at margin %.9g a loss has slope %.9g and curvature %.9g, not within "
                 "%.9g and %.9g",
                 margin, at[1], at[2], p->loss.steepest, p->loss.top);
    for (k = 0; k < d; k++) b[k] -= at[1] * u[k];
    for (j = 0; j < d; j++)
      for (k = 0; k < d; k++) h[j * d + k] += at[2] * u[j] * u[k];
  }
}

/* What D's solver left of the gradient, against what the output's noise was made for. */
static void fit_check_solver(const double *b, const double *w, const dppair_fit_ *fit, double grid,
                             double *used) {
  const double most = fit->reach.floor + grid + fit->reach.share * norm_of(w, fit->of.d);
  double left;
  size_t k;
  if (!audit_added(used, fit->of.d, 1, 1)) return;
  for (k = 0; k < fit->of.d; k++) used[k] -= b[k];
  left = norm_of(used, fit->of.d);
  if (left > most + 1e-12 * (fit->of.ridge * norm_of(w, fit->of.d) + norm_of(b, fit->of.d)))
    audit_tell(AUDIT_DISTANCE, "the solver leaves a gradient of %.9g, and %.9g is hidden", left,
               most);
}

/* What the fit has, as the lemma of release/minimiser.h counts it. */
static audit_fit fit_terms(double *grid, const dppair_fit_ *fit, int pure) {
  const dppair_margin_problem *p = &fit->of;
  const double d = (double)p->d;
  audit_fit told;
  told.slope = p->radius * p->loss.steepest;
  told.curvature = p->radius * p->radius * p->loss.top;
  told.ridge = p->ridge;
  told.scale = audit_scale(1);
  told.output = audit_scale(0);
  told.pure = pure;
  *grid = told.scale * sqrt(d) * (pure ? sqrt(d) : 1) * ldexp(1, 2 - GRID);
  told.hidden =
      8.0 / 3 * (fit->reach.floor + *grid + fit->reach.share * BALL / p->radius) / p->ridge;
  return told;
}

void audit_fitted_event(const dppair_event *event) {
  const dppair_release *release = (const dppair_release *)event->by;
  const dppair_fit_ *fit = (const dppair_fit_ *)event->what;
  const size_t d = fit->of.d;
  const int pure = release->law == DPPAIR_PURE_OBJECTIVE;
  const double moves =
      dppair_adjacency_move_(release->sampling.adjacency) == DPPAIR_ZERO_OUT ? 1 : 2;
  double *memory, *z, *b, grid;
  audit_fit told;
  if (event->values == NULL) {
    audit_proof_begin();
    return;
  }
  memory = malloc((d * d + 5 * d) * sizeof *memory);
  if (memory == NULL) exit(3);
  z = memory + d * d;
  b = z + d;
  told = fit_terms(&grid, fit, pure);
  audit_fit_tell(&told, release);
  /* on the sphere of the ball several b give one output: nothing is told of them */
  if (event->status == DPPAIR_OK && audit_added(z, d, 0, 0) &&
      norm_of(z, d) < BALL / fit->of.radius * (1 - 1e-9)) {
    double determinant;
    fit_inverse(b, memory, z, fit, b + 2 * d);
    determinant = log_determinant(memory, d);
    fit_check_solver(b, z, fit, grid, b + d);
    audit_proof_moves(b, d, told.scale, moves * told.slope * (1 + 1e-11), pure);
    audit_proof_moves(&determinant, 1, 1, log1p(told.curvature / told.ridge) * (1 + 1e-9) + 1e-12,
                      1);
  }
  audit_proof_end();
  free(memory);
}

/* --- the last iterate alone --------------------------------------------------------------------
 */

/*
 * Both sides have the same noise at every step but the last, which is where it was recorded. What
 * the last noise is added to then moves by at most s (1 - c^T)/(1 - c), or by a step from both ends
 * of the set. What was charged is computed once more, by sums. The risk of these records may not
 * have more curvature than is charged; and where they are of one class, which leaves nothing of it
 * but the regulariser, a step forgets no less.
 */
dppair_status __real_spend_last(spending *s, const last_plan *plan);
dppair_status __wrap_spend_last(spending *s, const last_plan *plan);
dppair_status __real_spend_unseen(double *w, size_t size, double scale, int fine, spending *s);
dppair_status __wrap_spend_unseen(double *w, size_t size, double scale, int fine, spending *s);

static last_plan last;
static size_t last_step;
static long double last_mu_, last_allowed;
static int last_one_class; /* no pair has a gradient: a step is (1 - eta lambda) w and noise */
static double last_norm;   /* of the iterate before, with its noise */

/* The largest eigenvalue of the Hessian of the logistic 'ind' risk of these records at w = 0, or
 * less: what the constants say holds for them, too. */
static double last_curvature(const task *t) {
  const size_t n = t->train.n, d = t->train.d;
  const double *y = t->train.y;
  double *x = calloc(n * d + 2 * d, sizeof *x), *v = x + n * d, *h = v + d, found = 0;
  size_t i, j, k;
  int round;
  last_one_class = 1;
  for (i = 1; i < n; i++)
    if (y[i] * y[0] < 0) last_one_class = 0;
  if (x == NULL || rows_clip(x, &t->train, NULL, task_radius(t)) != DPPAIR_OK) {
    free(x);
    return 0;
  }
  for (k = 0; k < d; k++) v[k] = 1 / sqrt((double)d) + 0.01 * (double)k;
  for (round = 0; round < 20; round++) {
    const double before = norm_of(v, d);
    memset(h, 0, d * sizeof *h);
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++) {
        double u = 0;
        if (!(y[i] > 0 && y[j] < 0)) continue;
        for (k = 0; k < d; k++) u += v[k] * (x[i * d + k] - x[j * d + k]);
        for (k = 0; k < d; k++)
          h[k] += 0.25 * u * (x[i * d + k] - x[j * d + k]) / (double)(n * (n - 1));
      }
    found = norm_of(h, d) / before;
    if (!(found > 0)) break;
    for (k = 0; k < d; k++) v[k] = h[k] / found / before;
  }
  free(x);
  return found;
}

static void last_again(const last_plan *plan) {
  const long double eta = (long double)plan->eta, slow = 1 - eta * (long double)plan->alpha,
                    fast = eta * (long double)plan->smoothness - 1, c = slow > fast ? slow : fast,
                    step = eta * (long double)plan->sensitivity,
                    width = (long double)plan->diameter;
  long double sum = 0, squares = 0, power = 1, least = HUGE_VALL;
  size_t k;
  for (k = 0; k < plan->steps; k++) {
    sum += power;
    squares += power * power;
    power *= c;
    least = fminl(least, (power * width + step * sum) / sqrtl(squares));
  }
  last_mu_ = fminl(least, step * sum / sqrtl(squares)) / (eta * (long double)plan->sigma);
  last_allowed = fminl(step * sum, c * width + step);
}

dppair_status __wrap_spend_last(spending *s, const last_plan *plan) {
  const dppair_status status = __real_spend_last(s, plan);
  if (status != DPPAIR_OK) return status;
  last = *plan;
  last_step = 0;
  last_again(plan);
  if (!(plan->smoothness >= last_curvature(s->t) * (1 - 1e-9) + plan->alpha))
    audit_tell(AUDIT_CHARGE, "a risk with more curvature is said to be %.9g-smooth",
               plan->smoothness);
  if (!(sqrt(s->account.gaussian) >= (double)last_mu_ * (1 - 1e-9)))
    audit_tell(AUDIT_CHARGE, "the last of %zu iterates is charged as mu = %.9g, and is %.9g",
               plan->steps, sqrt(s->account.gaussian), (double)last_mu_);
  audit_proof_begin();
  return status;
}

dppair_status __wrap_spend_unseen(double *w, size_t size, double scale, int fine, spending *s) {
  const int is_last = ++last_step == last.steps;
  dppair_status status;
  if (!(scale >= last.eta * last.sigma * (1 - 1e-12)))
    audit_tell(AUDIT_SCALE, "a step has noise of %.17g, and not %.17g", scale,
               last.eta * last.sigma);
  if (last_one_class && last_step > 1 &&
      norm_of(w, size) >
          fabs(1 - last.eta * last.alpha) * fmin(last_norm, last.diameter / 2) * (1 + 1e-9))
    audit_tell(AUDIT_CHARGE, "a step forgets less than strong convexity %.9g on a set of %.9g says",
               last.alpha, last.diameter);
  if (is_last)
    audit_proof_moves(w, size, (double)(last_allowed / last_mu_), (double)last_allowed, 0);
  audit_unseen(!is_last);
  status = __real_spend_unseen(w, size, scale, fine, s);
  audit_unseen(0);
  last_norm = norm_of(w, size);
  if (is_last || status != DPPAIR_OK) audit_proof_end();
  return status;
}
