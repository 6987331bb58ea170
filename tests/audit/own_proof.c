/* SPDX-License-Identifier: MIT */
/*
 * own_proof.c - stands between the methods and what pays for a last iterate. The linker puts it there
 * (--wrap).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/method.h"
#include "replay.h"

static double norm_of(const double *v, size_t d) {
  double sum = 0;
  size_t k;
  for (k = 0; k < d; k++) sum += v[k] * v[k];
  return sqrt(sum);
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
