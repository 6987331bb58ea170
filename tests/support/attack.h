/* SPDX-License-Identifier: MIT */
/*
 * attack.h - adversarial search for the constants of dppair_constants_find: data, labels and
 * parameters inside the declared domain that make a gradient, a curvature, a loss or the move of
 * one record's gradient as large as they can be. Written from the formulas of the margins alone.
 */
#ifndef ATTACK_H
#define ATTACK_H

#include <string.h>

#include "dppair.h"
#include "dppair_losses.h"
#include "random.h"

enum { ATTACK_D = 2, ATTACK_W = 4, ATTACK_X = 5 * (ATTACK_D + 1) + ATTACK_W };

typedef enum attack_goal { ATTACK_G, ATTACK_L, ATTACK_M, ATTACK_MOVE, ATTACK_ZERO } attack_goal;

typedef struct attack_case {
  dppair_margin margin;
  dppair_loss loss;
  const double *p;
  dppair_bounds b;
} attack_case;

/* In [-1, 1). */
static double attack_uniform(void) { return 2.0 * uniform() - 1.0; }

/* How many numbers the parameters of a margin are, in coordinates of Euclidean length. */
static int attack_params(dppair_margin margin) {
  if (margin < DPPAIR_MARGIN_metric_psd) return ATTACK_D;
  return margin == DPPAIR_MARGIN_factor ? 4 : 3;
}

/* The margin of the ordered pair (a, b) at w and its gradient; 0 when the pair has no loss. A
 * record is x[2], y. */
static int attack_margin(double *u, double *v, const attack_case *c, const double *w,
                         const double *a, const double *b) {
  const double d0 = a[0] - b[0], d1 = a[1] - b[1], s = w[0] * d0 + w[1] * d1, r = sqrt(2.0);
  const double tau = a[2] * b[2] > 0.0 ? 1.0 : -1.0;
  double factor = 1.0;
  switch (c->margin) {
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
    if (!(a[2] > b[2])) return 0;
    break;
  case DPPAIR_MARGIN_diff:
    factor = a[2] - b[2];
    break;
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    factor = (a[2] > b[2]) - (a[2] < b[2]);
    break;
  case DPPAIR_MARGIN_residual:
    *u = (a[2] - b[2]) - s;
    v[0] = -d0;
    v[1] = -d1;
    return 1;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric: /* w: W00, W11, sqrt 2 W01 */
    *u = tau * (c->b.offset - (w[0] * d0 * d0 + w[1] * d1 * d1 + r * w[2] * d0 * d1));
    v[0] = -tau * d0 * d0;
    v[1] = -tau * d1 * d1;
    v[2] = -tau * r * d0 * d1;
    return 1;
  case DPPAIR_MARGIN_factor: { /* w: L row by row */
    const double e0 = w[0] * d0 + w[2] * d1, e1 = w[1] * d0 + w[3] * d1;
    *u = tau * (c->b.offset - (e0 * e0 + e1 * e1));
    v[0] = -2.0 * tau * d0 * e0;
    v[1] = -2.0 * tau * d0 * e1;
    v[2] = -2.0 * tau * d1 * e0;
    v[3] = -2.0 * tau * d1 * e1;
    return 1;
  }
  default:
    *u = tau * (w[0] * a[0] * b[0] + w[1] * a[1] * b[1] + w[2] / r * (a[0] * b[1] + a[1] * b[0]) -
                c->b.offset);
    v[0] = tau * a[0] * b[0];
    v[1] = tau * a[1] * b[1];
    v[2] = tau / r * (a[0] * b[1] + a[1] * b[0]);
    return 1;
  }
  *u = factor * s;
  v[0] = factor * d0;
  v[1] = factor * d1;
  return 1;
}

/* g = gradient of the loss of the ordered pair (a, b), clipped when the case says so. */
static void attack_gradient(double *g, const attack_case *c, const double *w, const double *a,
                            const double *b) {
  const int k = attack_params(c->margin);
  double u, v[ATTACK_W], norm = 0.0, slope;
  memset(g, 0, ATTACK_W * sizeof *g);
  if (!attack_margin(&u, v, c, w, a, b)) return;
  slope = dppair_loss_at_(c->loss, DPPAIR_SLOPE_, u, c->p);
  for (int i = 0; i < k; i++) {
    g[i] = slope * v[i];
    norm += g[i] * g[i];
  }
  norm = sqrt(norm);
  for (int i = 0; c->b.clip > 0.0 && norm > c->b.clip && i < k; i++) g[i] *= c->b.clip / norm;
}

static double attack_norm(const double *g) {
  return sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] + g[3] * g[3]);
}

/* Mean of both orders' gradients. */
static void attack_both(double *g, const attack_case *c, const double *w, const double *a,
                        const double *b) {
  double h[ATTACK_W];
  attack_gradient(g, c, w, a, b);
  attack_gradient(h, c, w, b, a);
  for (int i = 0; i < ATTACK_W; i++) g[i] = 0.5 * (g[i] + h[i]);
}

/* A free vector t brought into the domain: parameters, then three records. */
static void attack_place(double *out, const attack_case *c, const double *t) {
  const int k = attack_params(c->margin), levels = c->margin == DPPAIR_MARGIN_ind_levels ||
                                                   c->margin == DPPAIR_MARGIN_sign_levels;
  const double radius = c->b.param_radius < 1e6 ? c->b.param_radius : 1e6;
  double norm = 0.0;
  memcpy(out, t, ATTACK_X * sizeof *out);
  if (c->margin == DPPAIR_MARGIN_metric_psd) {
    double m[4], work[18];
    m[0] = t[0], m[3] = t[1], m[1] = m[2] = t[2] / sqrt(2.0);
    if (dppair_project_spectral_f64(m, 2, 0.0, HUGE_VAL, work, sizeof work)) memset(m, 0, sizeof m);
    out[0] = m[0], out[1] = m[3], out[2] = m[1] * sqrt(2.0);
  }
  for (int i = 0; i < k; i++) norm += out[i] * out[i];
  norm = sqrt(norm) * (1.0 + 4e-16);
  for (int i = 0; norm > radius && i < k; i++) out[i] *= radius / norm;
  for (int r = 0; r < 3; r++) {
    double *x = out + ATTACK_W + 3 * r;
    const double length = sqrt(x[0] * x[0] + x[1] * x[1]) * (1.0 + 4e-16), y = x[2];
    if (length > c->b.radius) x[0] *= c->b.radius / length, x[1] *= c->b.radius / length;
    x[2] = y < 0.0 ? -1.0 : 1.0;
    if (levels) x[2] = y < -0.3 ? -1.0 : y > 0.3 ? 1.0 : 0.0;
    if (c->margin == DPPAIR_MARGIN_diff || c->margin == DPPAIR_MARGIN_residual)
      x[2] = c->b.label_bound * (y < -1.0 ? -1.0 : y > 1.0 ? 1.0 : y);
  }
}

static double attack_value(const attack_case *c, attack_goal goal, const double *t) {
  double at[ATTACK_X], g[ATTACK_W], h[ATTACK_W], u;
  const double *w = at, *a = at + ATTACK_W, *b = a + 3, *other = b + 3;
  attack_place(at, c, t);
  switch (goal) {
  case ATTACK_G:
    attack_gradient(g, c, w, a, b);
    return attack_norm(g);
  case ATTACK_M:
    return attack_margin(&u, g, c, w, a, b) ? fabs(dppair_loss_at_(c->loss, DPPAIR_VALUE_, u, c->p))
                                            : 0.0;
  case ATTACK_L: { /* the Hessian, for the linear margins; a quotient of differences for W = L L^T
                    */
    double norm, step = 0.0, near[ATTACK_X];
    memset(g, 0, sizeof g);
    if (!attack_margin(&u, g, c, w, a, b)) return 0.0;
    norm = g[0] * g[0] + g[1] * g[1];
    if (c->margin >= DPPAIR_MARGIN_metric_psd) norm += g[2] * g[2];
    if (c->margin != DPPAIR_MARGIN_factor)
      return norm * fabs(dppair_loss_at_(c->loss, DPPAIR_CURVATURE_, u, c->p));
    memcpy(near, at, sizeof near);
    for (int i = 0; i < 4; i++) near[i] += 1e-3 * t[ATTACK_W + 6 + i % 3] + 1e-3 * t[i];
    attack_place(near, c, near);
    for (int i = 0; i < 4; i++) step += (near[i] - w[i]) * (near[i] - w[i]);
    if (!(step > 1e-8)) return 0.0;
    attack_gradient(g, c, w, a, b);
    attack_gradient(h, c, near, a, b);
    for (int i = 0; i < 4; i++) g[i] -= h[i];
    return attack_norm(g) / sqrt(step);
  }
  case ATTACK_ZERO:
    attack_both(g, c, w, a, b);
    return attack_norm(g);
  default:
    attack_both(g, c, w, a, b);
    attack_both(h, c, w, other, b);
    for (int i = 0; i < ATTACK_W; i++) g[i] -= h[i];
    return attack_norm(g);
  }
}

/* The largest value found: random starts, corners among them, then steps of falling length. */
static double attack(const attack_case *c, attack_goal goal, int starts, int steps) {
  const double size = c->b.param_radius < 1e6 ? c->b.param_radius : 1e6;
  double best[3][ATTACK_X], value[3] = {-1.0, -1.0, -1.0}, top = 0.0;
  memset(best, 0, sizeof best);
  for (int s = 0; s < starts; s++) {
    double t[ATTACK_X], v;
    int worst = 0;
    for (int i = 0; i < ATTACK_X; i++) t[i] = attack_uniform();
    for (int i = 0; i < ATTACK_W; i++)
      t[i] *= s % 3 ? 3.0 * size : 3.0 * size * pow(attack_uniform(), 6.0);
    for (int r = 0; r < 3; r++)
      for (int i = 0; i < 2; i++) t[ATTACK_W + 3 * r + i] *= 2.0 * c->b.radius;
    for (int r = 0; s % 2 && r < 3; r++) { /* corners: rows +-R e or 0, labels at their ends */
      double *x = t + ATTACK_W + 3 * r;
      const double pick = attack_uniform();
      x[0] = pick < -0.25 ? -c->b.radius : pick > 0.25 ? c->b.radius : 0.0;
      x[1] = 0.0;
      x[2] = x[2] < -0.3 ? -1.0 : x[2] > 0.3 ? 1.0 : 0.0;
    }
    for (int i = 1; s % 2 && s % 5 && i < ATTACK_W; i++) t[i] = 0.0;
    v = attack_value(c, goal, t);
    for (int k = 1; k < 3; k++) worst = value[k] < value[worst] ? k : worst;
    if (v <= value[worst]) continue;
    value[worst] = v;
    memcpy(best[worst], t, sizeof t);
  }
  for (int k = 0; k < 3; k++) {
    double scale = 0.5;
    for (int s = 0; s < steps; s++) {
      double t[ATTACK_X], v;
      memcpy(t, best[k], sizeof t);
      for (int i = 0; i < ATTACK_X; i++)
        if (attack_uniform() > 0.0)
          t[i] += scale * attack_uniform() *
                  (i < ATTACK_W              ? size
                   : (i - ATTACK_W) % 3 == 2 ? 1.0
                                             : c->b.radius);
      v = attack_value(c, goal, t);
      if (v > value[k]) {
        value[k] = v;
        memcpy(best[k], t, sizeof t);
        scale *= 1.3;
      } else {
        scale = scale * 0.97 > 1e-6 ? scale * 0.97 : 0.3;
      }
    }
    top = value[k] > top ? value[k] : top;
  }
  return top;
}

#endif /* ATTACK_H */
