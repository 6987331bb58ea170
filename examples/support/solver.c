/* SPDX-License-Identifier: MIT */
#include "support/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void logistic_at(double out[3], double t, double parameter) {
  double e = exp(-fabs(t)), s = 1 / (1 + e); /* s = sigmoid(|t|) */
  (void)parameter;
  out[0] = log1p(e) + (t < 0 ? -t : 0);
  out[1] = t < 0 ? -s : s - 1;
  out[2] = s * (1 - s);
}
const margin_loss margin_logistic = {logistic_at, 0, 0.25};

int cholesky_factor(double *a, size_t d) {
  size_t i, j, k;
  for (j = 0; j < d; j++)
    for (i = j; i < d; i++) {
      double sum = a[i * d + j];
      for (k = 0; k < j; k++) sum -= a[i * d + k] * a[j * d + k];
      if (i == j && !(sum > 0)) return 0;
      a[i * d + j] = i == j ? sqrt(sum) : sum / a[j * d + j];
    }
  return 1;
}

void cholesky_solve(double *r, const double *factor, size_t d) {
  size_t j, k;
  for (j = 0; j < d; j++) {
    for (k = 0; k < j; k++) r[j] -= factor[j * d + k] * r[k];
    r[j] /= factor[j * d + j];
  }
  for (j = d; j-- > 0;) {
    for (k = j + 1; k < d; k++) r[j] -= factor[k * d + j] * r[k];
    r[j] /= factor[j * d + j];
  }
}

/* Sums over rows are made in blocks of this many and then added: the rounding of a sum of n terms
 * grows with BLOCK + n/BLOCK instead of n, and a block of the Hessian's rows stays in the cache. */
enum { BLOCK = 512 };

typedef struct problem {
  const double *u, *b;
  size_t n, d;
  const margin_loss *loss;
  double ridge;
  double *s, *slope, *curvature; /* n each */
  double *gradient, *part;       /* d each */
  double *factor;                /* d x d: of the Hessian where it was last built */
} problem;

/* g += sum of c_i u_i. */
static dppair_status combine_blocks(double *g, const problem *p, const double *c) {
  size_t i, k;
  for (i = 0; i < p->n; i += BLOCK) {
    size_t rows = p->n - i < BLOCK ? p->n - i : BLOCK;
    dppair_status status = dppair_combine_f64(p->part, p->u + i * p->d, rows, p->d, p->d, c + i);
    if (status != DPPAIR_OK) return status;
    for (k = 0; k < p->d; k++) g[k] += p->part[k];
  }
  return DPPAIR_OK;
}

/* Objective at w; leaves gradient, slopes and curvatures behind. */
static dppair_status evaluate(double *value, problem *p, const double *w) {
  size_t i, k;
  double sum = 0;
  dppair_status status = dppair_scores_f64(p->s, p->u, p->n, p->d, p->d, w);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < p->n; i++) {
    double at[3];
    p->loss->at(at, p->s[i], p->loss->parameter);
    sum += at[0];
    p->slope[i] = at[1];
    p->curvature[i] = at[2];
  }
  memset(p->gradient, 0, p->d * sizeof *p->gradient);
  status = combine_blocks(p->gradient, p, p->slope);
  for (k = 0; k < p->d; k++) {
    double linear = p->b != NULL ? p->b[k] : 0;
    sum += w[k] * (linear + 0.5 * p->ridge * w[k]);
    p->gradient[k] += linear + p->ridge * w[k];
  }
  *value = sum;
  return status;
}

/* Factors sum psi'' u u^T + ridge I at the last evaluated point: row j of the lower triangle is the
 * sum of (psi'' u_j) u over the first j + 1 columns. */
static int build_hessian(problem *p) {
  size_t d = p->d, i, j, k;
  double weight[BLOCK], *h = p->factor;
  memset(h, 0, d * d * sizeof *h);
  for (i = 0; i < p->n; i += BLOCK) {
    const double *u = p->u + i * d;
    size_t rows = p->n - i < BLOCK ? p->n - i : BLOCK;
    for (j = 0; j < d; j++) {
      for (k = 0; k < rows; k++) weight[k] = p->curvature[i + k] * u[k * d + j];
      if (dppair_combine_f64(p->part, u, rows, j + 1, d, weight) != DPPAIR_OK) return 0;
      for (k = 0; k <= j; k++) h[j * d + k] += p->part[k];
    }
  }
  for (j = 0; j < d; j++) h[j * d + j] += p->ridge;
  return cholesky_factor(h, d);
}

/* One damped step along factor^-1 gradient from w (where p was evaluated, value *f); 0 when no step
 * length lowers the objective. */
static int newton_step(double *w, double *f, double *trial, double *direction, problem *p) {
  double length, slope = 0, value;
  size_t k;
  memcpy(direction, p->gradient, p->d * sizeof *direction);
  cholesky_solve(direction, p->factor, p->d);
  for (k = 0; k < p->d; k++) slope += direction[k] * p->gradient[k];
  for (length = 1; length > 1e-6; length /= 2) {
    for (k = 0; k < p->d; k++) trial[k] = w[k] - length * direction[k];
    if (evaluate(&value, p, trial) != DPPAIR_OK) continue;
    if (value <= *f - 1e-4 * length * slope + 1e-12 * fabs(*f)) {
      memcpy(w, trial, p->d * sizeof *w);
      *f = value;
      return 1;
    }
  }
  return 0;
}

/* Newton steps; the Hessian is built anew only when the old one no longer cuts the gradient to a
 * third, because building it costs d/2 evaluations. */
static dppair_status newton(double *w, double *f, double *work, problem *p, double tolerance) {
  double norm, before = 0;
  int k;
  dppair_status status = evaluate(f, p, w);
  for (k = 0; k < 100 && status == DPPAIR_OK; k++) {
    norm = dppair_norm_f64(p->gradient, p->d);
    if (norm <= tolerance) break;
    if ((k == 0 || norm > before / 3) && !build_hessian(p)) break;
    before = norm;
    if (!newton_step(w, f, work, work + p->d, p)) break;
  }
  return status == DPPAIR_OK ? evaluate(f, p, w) : status;
}

/* Bound on the rounding error of the computed gradient's norm: blocked sums of terms of size at
 * most |slope| |u|, and scores off by (d + 2) 2^-53 |w||u| through psi''. */
static double rounding(const problem *p, const double *w, double largest) {
  double slopes = 0, norm = dppair_norm_f64(w, p->d);
  size_t i;
  for (i = 0; i < p->n; i++) slopes += fabs(p->slope[i]);
  return DBL_EPSILON * largest *
         ((double)(BLOCK + p->n / BLOCK + 16) * slopes +
          (double)p->n * p->loss->top * (double)(p->d + 4) * norm * largest +
          4 * p->ridge * norm / largest);
}

static double largest_row(const double *u, size_t n, size_t d) {
  double largest = 1e-300;
  size_t i;
  for (i = 0; i < n; i++) largest = fmax(largest, dppair_norm_f64(u + i * d, d));
  return largest;
}

/* Accelerated gradient descent for strong convexity: the distance to the minimiser shrinks by
 * 1 - sqrt(ridge/top) a step. */
static dppair_status accelerate(double *w, double *ahead, double *before, problem *p,
                                double largest, double tolerance) {
  double top = (double)p->n * p->loss->top * largest * largest + p->ridge, value;
  double root = sqrt(p->ridge / top), momentum = (1 - root) / (1 + root);
  size_t k, steps = (size_t)fmin(80 / root, 1e6) + 1;
  dppair_status status = DPPAIR_OK;
  memcpy(ahead, w, p->d * sizeof *w);
  memcpy(before, w, p->d * sizeof *w);
  while (steps-- > 0) {
    status = evaluate(&value, p, ahead);
    if (status != DPPAIR_OK) return status;
    if (dppair_norm_f64(p->gradient, p->d) <= tolerance) break;
    for (k = 0; k < p->d; k++) {
      double next = ahead[k] - p->gradient[k] / top;
      ahead[k] = next + momentum * (next - before[k]);
      before[k] = next;
    }
  }
  memcpy(w, ahead, p->d * sizeof *w);
  return status;
}

static dppair_status minimise(double *w, double *residual, problem *p, double *work,
                              double tolerance) {
  double f, largest = largest_row(p->u, p->n, p->d), slack;
  dppair_status status = newton(w, &f, work, p, tolerance / 4);
  slack = rounding(p, w, largest);
  if (status == DPPAIR_OK && dppair_norm_f64(p->gradient, p->d) + slack > tolerance) {
    status = accelerate(w, work, work + p->d, p, largest, tolerance / 2);
    slack = rounding(p, w, largest);
  }
  *residual = dppair_norm_f64(p->gradient, p->d) + slack;
  if (status == DPPAIR_OK && !(*residual <= tolerance)) status = DPPAIR_ERR_NO_CONVERGENCE;
  return status;
}

dppair_status margin_minimise(double *w, double *residual, const double *u, size_t n, size_t d,
                              const margin_loss *loss, double ridge, const double *b,
                              double tolerance) {
  problem p;
  double *memory = malloc((3 * n + 4 * d + d * d) * sizeof *memory);
  dppair_status status;
  *residual = 0;
  if (memory == NULL) return DPPAIR_ERR_OVERFLOW;
  p.u = u;
  p.b = b;
  p.n = n;
  p.d = d;
  p.loss = loss;
  p.ridge = ridge;
  p.s = memory;
  p.slope = p.s + n;
  p.curvature = p.slope + n;
  p.gradient = p.curvature + n;
  p.part = p.gradient + d;
  p.factor = p.part + d;
  status = minimise(w, residual, &p, p.factor + d * d, tolerance);
  free(memory);
  return status;
}

/* Means, and one over deviations (0 for constant columns), of the columns of x. */
static void standardise(double *mean, double *scale, const double *x, size_t n, size_t d) {
  size_t i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < d; j++) mean[j] += x[i * d + j] / (double)n;
  for (i = 0; i < n; i++)
    for (j = 0; j < d; j++) {
      double e = x[i * d + j] - mean[j];
      scale[j] += e * e / (double)n;
    }
  for (j = 0; j < d; j++) scale[j] = scale[j] > 0 ? 1 / sqrt(scale[j]) : 0;
}

dppair_status reference_fit(double *w, const records *train) {
  size_t n = train->n, d = train->d, i, j;
  double *u = calloc(n * (d + 1), sizeof *u), *v = calloc(3 * (d + 1), sizeof *v), residual;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (u != NULL && v != NULL) {
    double *mean = v + d + 1, *scale = mean + d + 1;
    standardise(mean, scale, train->x, n, d);
    for (i = 0; i < n; i++) {
      double *row = u + i * (d + 1);
      for (j = 0; j < d; j++) row[j] = train->y[i] * (train->x[i * d + j] - mean[j]) * scale[j];
      row[d] = train->y[i];
    }
    status =
        margin_minimise(v, &residual, u, n, d + 1, &margin_logistic, 1.0, NULL, 1e-5 * (double)n);
    for (j = 0; j < d; j++) w[j] = v[j] * scale[j];
  }
  free(u);
  free(v);
  return status;
}
