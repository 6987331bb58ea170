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
const margin_loss margin_logistic = {logistic_at, 0, 0.25, 1};

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

/*
 * WHY THE SOLVER ALWAYS SUCCEEDS
 *
 * Write F for the objective, L = n top radius^2 + ridge for its smoothness, u = 2^-53. Where w is,
 * the computed gradient is off by at most e(w) = e0 + e1 |w|:
 *
 *   - scores are off by (d + 2) u |w| radius, which moves slopes by top times that;
 *   - slopes are off by 16 u of their bound S; for a loss whose slope grows, S <= |psi'(0)| + top
 *     radius |w|;
 *   - sums over rows are made in blocks and added in pairs: n S radius (BLOCK + 2 + log2 n) u;
 *   - adding b and ridge w: 4 u (ridge |w| + n S radius), and a part of the gradient itself.
 *
 * A step w - g/L is rounded by u |w|, worth L u |w| of gradient. e0 and e1 below are more than a
 * tenth larger than the sum of all that.
 *
 * Theorem. Plain steps w <- w - g/L reach |computed gradient| + e(w) <= 4 e(w) within
 * (4 L/(3 ridge)) log(L G^2/(4 ridge e0^2)) of them, G the norm of the gradient at their start.
 * Proof. While |grad F| >= 2 e(w), a step with a gradient that is off by e lowers F by at least
 * (|grad F|^2 - e^2)/(2L) >= 3 |grad F|^2/(8L) >= (3 ridge/(4L)) (F - min F), because F - min F <=
 * |grad F|^2/(2 ridge). Hence |grad F|^2 <= 2L (F - min F) <= (L/ridge) G^2 (1 - 3 ridge/(4L))^k,
 * which is below 4 e0^2 by then. And |grad F| < 2 e(w) makes the computed one less than 3 e(w). QED
 *
 * Nothing in this depends on how the start was found: Newton's steps and momentum need no proof.
 */

/* Sums over so many rows are plain; a block of the Hessian's rows stays in the cache. */
enum { BLOCK = 64, LEVELS = 64 };

typedef struct problem {
  const double *u, *b;
  size_t n, d;
  const margin_loss *loss;
  double ridge, smooth, width;   /* smooth: L; width: what the loss is rounded off by now */
  margin_tolerance error, reach; /* e(w), and where to stop */
  double *s, *slope, *curvature; /* n each */
  double *gradient, *part;       /* d, and d for each level of the sum */
  double *hessian, *factor;      /* d x d: where it was last built; of it with damping */
} problem;

/* g = sum of c_i u_i over count rows: halves of blocks, so that a term is rounded about BLOCK +
 * log2(n/BLOCK) times. */
static dppair_status combine_rows(double *g, double *part, const double *u, const double *c,
                                  size_t count, size_t d) {
  const dppair_rows_f64 rows = dppair_rows_make_f64(u, count, d, d);
  size_t half = BLOCK, k;
  dppair_status status;
  if (count <= BLOCK) return dppair_combine_f64(g, &rows, c);
  while (2 * half < count) half *= 2;
  status = combine_rows(g, part + d, u, c, half, d);
  if (status == DPPAIR_OK)
    status = combine_rows(part, part + d, u + half * d, c + half, count - half, d);
  for (k = 0; k < d; k++) g[k] += part[k];
  return status;
}

/* Objective at w; leaves gradient, slopes and curvatures behind. */
static dppair_status evaluate(double *value, problem *p, const double *w) {
  size_t i, k;
  double sum = 0;
  const dppair_rows_f64 rows = dppair_rows_make_f64(p->u, p->n, p->d, p->d);
  dppair_status status = dppair_scores_f64(p->s, &rows, w);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < p->n; i++) {
    double at[3];
    p->loss->at(at, p->s[i], p->width);
    sum += at[0];
    p->slope[i] = at[1];
    p->curvature[i] = at[2];
  }
  status = combine_rows(p->gradient, p->part, p->u, p->slope, p->n, p->d);
  for (k = 0; k < p->d; k++) {
    double linear = p->b != NULL ? p->b[k] : 0;
    sum += w[k] * (linear + 0.5 * p->ridge * w[k]);
    p->gradient[k] += linear + p->ridge * w[k];
  }
  *value = sum;
  return status;
}

/* Is the gradient at w, where p was evaluated, within the tolerance with its error counted in? */
static int is_reached(const problem *p, const double *w) {
  double length = 1 + (double)(p->d + 8) * DBL_EPSILON, size = dppair_norm_f64(w, p->d);
  double norm = dppair_norm_f64(p->gradient, p->d) * length;
  return norm + p->error.floor + p->error.share * size <= p->reach.floor + p->reach.share * size;
}

/* sum psi'' u u^T + ridge I at the last evaluated point: row j of the lower triangle is the
 * sum of (psi'' u_j) u over the first j + 1 columns. */
static int build_hessian(problem *p) {
  size_t d = p->d, i, j, k;
  double weight[8 * BLOCK], *h = p->hessian;
  memset(h, 0, d * d * sizeof *h);
  for (i = 0; i < p->n; i += 8 * BLOCK) {
    const double *u = p->u + i * d;
    size_t rows = p->n - i < 8 * BLOCK ? p->n - i : 8 * BLOCK;
    for (j = 0; j < d; j++) {
      const dppair_rows_f64 columns = dppair_rows_make_f64(u, rows, j + 1, d);
      for (k = 0; k < rows; k++) weight[k] = p->curvature[i + k] * u[k * d + j];
      if (dppair_combine_f64(p->part, &columns, weight) != DPPAIR_OK) return 0;
      for (k = 0; k <= j; k++) h[j * d + k] += p->part[k];
    }
  }
  for (j = 0; j < d; j++) h[j * d + j] += p->ridge;
  return 1;
}

/* The step (H + damping I)^-1 gradient from w, where p was evaluated, value *f; 0, and p evaluated
 * elsewhere, when it gains too little. */
static int newton_step(double *w, double *f, double *work, problem *p, double damping) {
  double slope = 0, norm = dppair_norm_f64(p->gradient, p->d), value;
  double *trial = work, *direction = work + p->d;
  size_t k, d = p->d;
  memcpy(p->factor, p->hessian, d * d * sizeof *p->factor);
  for (k = 0; k < d; k++) p->factor[k * d + k] += damping;
  if (!cholesky_factor(p->factor, d)) return 0;
  memcpy(direction, p->gradient, d * sizeof *direction);
  cholesky_solve(direction, p->factor, d);
  for (k = 0; k < d; k++) slope += direction[k] * p->gradient[k];
  for (k = 0; k < d; k++) trial[k] = w[k] - direction[k];
  if (evaluate(&value, p, trial) != DPPAIR_OK) return 0;
  if (!(value <= *f - 1e-2 * slope) && !(dppair_norm_f64(p->gradient, d) <= norm / 2)) return 0;
  memcpy(w, trial, d * sizeof *w);
  *f = value;
  return 1;
}

/* Newton steps with as much damping as it takes (Levenberg, Marquardt), until the gradient has
 * fallen by `fall` or is reached. The Hessian is built anew only when the old one no longer cuts
 * the gradient to a third, because building it costs d/2 evaluations. */
static dppair_status newton(double *w, double *work, problem *p, int most, double fall) {
  double norm, first = 0, before = 0, damping = 0, f, ignored;
  int k, tries;
  dppair_status status = evaluate(&f, p, w);
  for (k = 0; k < most && status == DPPAIR_OK && !is_reached(p, w); k++) {
    norm = dppair_norm_f64(p->gradient, p->d);
    if (k == 0) first = norm;
    if (norm <= fall * first) break;
    if ((k == 0 || norm > before / 3) && !build_hessian(p)) break;
    before = norm;
    for (tries = 0; tries < 40 && !newton_step(w, &f, work, p, damping); tries++) {
      damping = fmax(8 * damping, 1e-9 * p->smooth);
      status = evaluate(&ignored, p, w);
    }
    if (tries == 40) break;
    damping = damping > 1e-9 * p->smooth ? damping / 8 : 0;
  }
  return status == DPPAIR_OK ? evaluate(&f, p, w) : status;
}

/* A kink that is hardly rounded leaves Newton's steps nothing to see between records' kinks: it is
 * first rounded off widely, then less and less. */
static dppair_status follow_kinks(double *w, double *work, problem *p) {
  dppair_status status = DPPAIR_OK;
  for (p->width = 2; p->width > p->loss->parameter && status == DPPAIR_OK; p->width /= 2)
    status = newton(w, work, p, 60, 0.01);
  p->width = p->loss->parameter;
  return status;
}

/* At most `count` steps w - g/L, each then carried on by `momentum` times the last move. */
static dppair_status descend(double *w, double *before, problem *p, double momentum, double count) {
  double value;
  size_t k;
  dppair_status status = evaluate(&value, p, w);
  memcpy(before, w, p->d * sizeof *w);
  for (; status == DPPAIR_OK && !is_reached(p, w) && count > 0; count--) {
    for (k = 0; k < p->d; k++) {
      double next = w[k] - p->gradient[k] / p->smooth;
      w[k] = next + momentum * (next - before[k]);
      before[k] = next;
    }
    status = evaluate(&value, p, w);
  }
  return status;
}

/* The theorem's number of plain steps from w, where p was evaluated. */
static double proved_steps(const problem *p, const double *w) {
  double ratio = p->smooth / p->ridge, start = dppair_norm_f64(p->gradient, p->d);
  start += p->error.floor + p->error.share * dppair_norm_f64(w, p->d);
  return ceil(4 * ratio / 3 * fmax(1, log(ratio) + 2 * log(start / (2 * p->error.floor)))) + 1;
}

/* The distance to the minimiser shrinks by 1 - sqrt(ridge/L) a step with momentum (in exact
 * arithmetic), by the square of that root without. */
static dppair_status minimise(double *w, problem *p, double *work) {
  double root = sqrt(p->ridge / p->smooth);
  dppair_status status = p->loss->parameter > 0 ? follow_kinks(w, work, p) : DPPAIR_OK;
  if (status == DPPAIR_OK) status = newton(w, work, p, 2000, 0);
  if (status == DPPAIR_OK && !is_reached(p, w))
    status = descend(w, work, p, (1 - root) / (1 + root), fmin(80 / root, 1e6));
  if (status == DPPAIR_OK) status = descend(w, work, p, 0, proved_steps(p, w));
  return status == DPPAIR_OK && !is_reached(p, w) ? DPPAIR_ERR_NO_CONVERGENCE : status;
}

static double smoothness(const margin_problem *p) {
  return ((double)p->n * p->loss->top * p->radius * p->radius + p->ridge) * (1 + 1e-9);
}

/* e0 and e1. */
static margin_tolerance gradient_error(const margin_problem *p) {
  const double unit = DBL_EPSILON / 2, sums = (BLOCK + 64) * unit;
  double at[3], all = (double)p->n * p->radius;
  margin_tolerance e;
  p->loss->at(at, 0, p->loss->parameter);
  e.share = smoothness(p) * (1.25 * (double)p->d + 16) * unit;
  if (dppair_isfinite_f64(p->loss->steepest)) {
    e.floor = all * p->loss->steepest * sums;
  } else {
    e.floor = all * fabs(at[1]) * sums;
    e.share += smoothness(p) * sums;
  }
  return e;
}

dppair_status margin_reach(margin_tolerance *tolerance, const margin_problem *p, double wanted) {
  margin_tolerance e = gradient_error(p);
  tolerance->floor = wanted > 4 * e.floor ? wanted : 4 * e.floor;
  tolerance->share = 4 * e.share;
  if (!(tolerance->floor > 0 && tolerance->share <= p->ridge / 8)) return DPPAIR_ERR_NO_PROOF;
  return smoothness(p) <= 1e11 * p->ridge ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

dppair_status margin_minimise(double *w, const double *u, const margin_problem *of, const double *b,
                              const margin_tolerance *tolerance) {
  problem p;
  size_t n = of->n, d = of->d;
  double *memory = malloc((3 * n + (LEVELS + 4) * d + 2 * d * d) * sizeof *memory);
  dppair_status status;
  if (memory == NULL) return DPPAIR_ERR_OVERFLOW;
  p.u = u;
  p.b = b;
  p.n = n;
  p.d = d;
  p.loss = of->loss;
  p.ridge = of->ridge;
  p.smooth = smoothness(of);
  p.width = of->loss->parameter;
  p.error = gradient_error(of);
  p.reach = *tolerance;
  p.s = memory;
  p.slope = p.s + n;
  p.curvature = p.slope + n;
  p.gradient = p.curvature + n;
  p.factor = p.gradient + d;
  p.hessian = p.factor + d * d;
  p.part = p.hessian + d * d;
  status = minimise(w, &p, p.part + LEVELS * d);
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
  double *u = calloc(n * (d + 1), sizeof *u);
  double *v = calloc(3 * (d + 1), sizeof *v), longest = 0;
  margin_tolerance tolerance;
  margin_problem p = {&margin_logistic, n, d + 1, 0, 1};
  dppair_status status = DPPAIR_ERR_OVERFLOW;
  if (u != NULL && v != NULL) {
    double *mean = v + d + 1, *scale = mean + d + 1;
    standardise(mean, scale, train->x, n, d);
    for (i = 0; i < n; i++) {
      double *row = u + i * (d + 1);
      for (j = 0; j < d; j++) row[j] = train->y[i] * (train->x[i * d + j] - mean[j]) * scale[j];
      row[d] = train->y[i];
      longest = fmax(longest, dppair_norm_f64(row, d + 1));
    }
    p.radius = longest; /* read off the data, as everything here */
    status = margin_reach(&tolerance, &p, 1e-5 * (double)n);
    if (status == DPPAIR_OK) status = margin_minimise(v, u, &p, NULL, &tolerance);
    for (j = 0; j < d; j++) w[j] = v[j] * scale[j];
  }
  free(u);
  free(v);
  return status;
}
