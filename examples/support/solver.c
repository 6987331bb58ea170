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

int cholesky_solve(double *a, double *r, size_t d) {
  size_t i, j, k;
  for (j = 0; j < d; j++) {
    for (i = j; i < d; i++) {
      double sum = a[i * d + j];
      for (k = 0; k < j; k++) sum -= a[i * d + k] * a[j * d + k];
      if (i == j) {
        if (!(sum > 0)) return 0;
        a[j * d + j] = sqrt(sum);
      } else {
        a[i * d + j] = sum / a[j * d + j];
      }
    }
    for (k = 0; k < j; k++) r[j] -= a[j * d + k] * r[k];
    r[j] /= a[j * d + j];
  }
  for (j = d; j-- > 0;) {
    for (k = j + 1; k < d; k++) r[j] -= a[k * d + j] * r[k];
    r[j] /= a[j * d + j];
  }
  return 1;
}

typedef struct problem {
  const double *u, *b;
  size_t n, d, stride;
  const margin_loss *loss;
  double ridge;
  double *s, *slope, *curvature;   /* n each */
  double *gradient, *part;         /* d each */
  double *hessian;                 /* d x d  */
} problem;

/* g += sum of c_i u_i in blocks of rows, whose sums are then added: the rounding of a sum of n terms
 * grows with BLOCK + n/BLOCK instead of n. */
enum { BLOCK = 512 };
static dppair_status combine_blocks(double *g, double *part, const problem *p, const double *c) {
  size_t i, k;
  for (i = 0; i < p->n; i += BLOCK) {
    size_t rows = p->n - i < BLOCK ? p->n - i : BLOCK;
    dppair_status status = dppair_combine_f64(part, p->u + i * p->d, rows, p->d, p->d, c + i);
    if (status != DPPAIR_OK) return status;
    for (k = 0; k < p->d; k++) g[k] += part[k];
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
  status = combine_blocks(p->gradient, p->part, p, p->slope);
  for (k = 0; k < p->d; k++) {
    double linear = p->b != NULL ? p->b[k] : 0;
    sum += w[k] * (linear + 0.5 * p->ridge * w[k]);
    p->gradient[k] += linear + p->ridge * w[k];
  }
  *value = sum;
  return status;
}

/* The lower triangle of sum psi'' u u^T + ridge I, four rows at a time. */
static void build_hessian(problem *p) {
  size_t d = p->d, i, j, k, step = p->stride, used = 0;
  double *h = p->hessian, weight;
  memset(h, 0, d * d * sizeof *h);
  for (i = 0; i < p->n; i += 4 * step) {
    const double *row[4];
    double c[4];
    for (k = 0; k < 4; k++) {
      size_t at = i + k * step;
      row[k] = p->u + (at < p->n ? at : i) * d;
      c[k] = at < p->n ? p->curvature[at] : 0;
      used += at < p->n;
    }
    for (j = 0; j < d; j++) {
      double c0 = c[0] * row[0][j], c1 = c[1] * row[1][j], c2 = c[2] * row[2][j], c3 = c[3] * row[3][j];
      double *to = h + j * d;
      for (k = 0; k <= j; k++)
        to[k] += (c0 * row[0][k] + c1 * row[1][k]) + (c2 * row[2][k] + c3 * row[3][k]);
    }
  }
  weight = (double)p->n / (double)used;
  for (j = 0; j < d * d; j++) h[j] *= weight;
  for (j = 0; j < d; j++) h[j * d + j] += p->ridge;
}

/* One damped Newton step from w (where p was evaluated, value *f); 0 when no step length helps. */
static int newton_step(double *w, double *f, double *trial, double *direction, problem *p) {
  double length, slope = 0, value;
  size_t k;
  build_hessian(p);
  memcpy(direction, p->gradient, p->d * sizeof *direction);
  if (!cholesky_solve(p->hessian, direction, p->d)) return 0;
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

/* Bound on the rounding error of the computed gradient's norm: blocked sums of terms of size at most
 * |slope| |u|, and scores off by (d + 2) 2^-53 |w||u| through psi''. */
static double rounding(const problem *p, const double *w, double largest) {
  double slopes = 0, norm = dppair_norm_f64(w, p->d);
  size_t i;
  for (i = 0; i < p->n; i++) slopes += fabs(p->slope[i]);
  return DBL_EPSILON * largest *
         ((double)(BLOCK + p->n / BLOCK + 16) * slopes + (double)p->n * p->loss->top * (double)(p->d + 4) * norm * largest +
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
static dppair_status accelerate(double *w, double *ahead, double *before, problem *p, double largest,
                                double tolerance) {
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

static dppair_status minimise(double *w, double *residual, problem *p, double *work, double tolerance) {
  double f, largest = largest_row(p->u, p->n, p->d), slack;
  int k;
  dppair_status status = evaluate(&f, p, w);
  for (k = 0; k < 60 && status == DPPAIR_OK; k++) {
    if (dppair_norm_f64(p->gradient, p->d) <= tolerance / 4) break;
    if (!newton_step(w, &f, work, work + p->d, p)) break;
  }
  if (status == DPPAIR_OK) status = evaluate(&f, p, w);
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
                              double tolerance, size_t stride) {
  problem p;
  double *memory = malloc((3 * n + 4 * d + d * d) * sizeof *memory);
  dppair_status status;
  *residual = 0;
  if (memory == NULL) return DPPAIR_ERR_OVERFLOW;
  p.u = u;
  p.b = b;
  p.n = n;
  p.d = d;
  p.stride = stride;
  p.loss = loss;
  p.ridge = ridge;
  p.s = memory;
  p.slope = p.s + n;
  p.curvature = p.slope + n;
  p.gradient = p.curvature + n;
  p.part = p.gradient + d;
  p.hessian = p.part + d;
  status = minimise(w, residual, &p, p.hessian + d * d, tolerance);
  free(memory);
  return status;
}

dppair_status reference_fit(double *w, const records *train) {
  size_t n = train->n, d = train->d, i, j, stride = n / 4096 + 1;
  double *u = calloc(n * (d + 1), sizeof *u), *v = calloc(3 * (d + 1), sizeof *v), residual;
  double *mean, *scale;
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (u != NULL && v != NULL) {
    mean = v + d + 1;
    scale = mean + d + 1;
    for (i = 0; i < n; i++)
      for (j = 0; j < d; j++) mean[j] += train->x[i * d + j] / (double)n;
    for (i = 0; i < n; i++)
      for (j = 0; j < d; j++) {
        double e = train->x[i * d + j] - mean[j];
        scale[j] += e * e / (double)n;
      }
    for (j = 0; j < d; j++) scale[j] = scale[j] > 0 ? 1 / sqrt(scale[j]) : 0;
    for (i = 0; i < n; i++) {
      for (j = 0; j < d; j++)
        u[i * (d + 1) + j] = train->y[i] * (train->x[i * d + j] - mean[j]) * scale[j];
      u[i * (d + 1) + d] = train->y[i];
    }
    status = margin_minimise(v, &residual, u, n, d + 1, &margin_logistic, 1.0, NULL,
                             1e-4 * (double)n, stride);
    for (j = 0; j < d; j++) w[j] = v[j] * scale[j];
  }
  free(u);
  free(v);
  return status;
}
