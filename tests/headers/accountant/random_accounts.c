/* SPDX-License-Identifier: MIT */
/*
 * Random accounts against an oracle that shares no code with the library: own hit laws, own
 * densities, long double. Accounts of atoms (Laplace, pure, randomised response), sampled steps of
 * rate 1e-7 .. 1 in every kind of sampling, sampled pairs and plain Gaussian steps; epsilon and
 * delta, both bounds; composition by every route, and certified accounts. One run: the hockey stick
 * itself. Several: the inversion integral of the product of the moment functions on a fine grid,
 * along two lines; where the two differ the oracle has no opinion, and the case does not count.
 * ATTACK_CASES: how many; make attack takes 10000.
 */
#include "tests.h"

#include "composition.h"
#include "questions.h"

#ifndef ATTACK_CASES
#define ATTACK_CASES (BRIEF ? 8 : 25)
#endif

typedef long double real;

static const real PI = 3.14159265358979323846264338327950288L;

/* --- the oracle's laws: pairs of densities on the line --- */

#define ORACLE_BUDGET 2e6L /* nodes times heights: what one line may take */

enum { HITS = 400, NODES = 6000 };
enum { FORWARD, BACKWARD, OPPOSITE, FIXED_SIZE, LAPLACE, RESPONSE, GAUSSIAN };

/* One step: hits k = 1 .. count with probability p and shift b. */
typedef struct {
  int shape;
  real p[HITS], b[HITS], none, times, e;
  int count;
} oracle_law;

/* K ~ Bin(n, rate), by logarithms of the factorial; 0 when it is too long. */
static int hits(oracle_law *law, real n, real rate, real unit) {
  int k;
  law->none = expl(n * log1pl(-rate));
  law->count = 0;
  for (k = 1; k <= HITS && (real)k <= n; k++) {
    const real p = expl(lgammal(n + 1) - lgammal((real)k + 1) - lgammal(n - (real)k + 1) +
                        (real)k * logl(rate) + (n - (real)k) * log1pl(-rate));
    law->p[law->count] = p;
    law->b[law->count++] = (real)k * unit;
    if ((real)k > n * rate && p < 1e-40L) return 1;
  }
  return (real)k > n;
}

static int oracle_law_of(oracle_law *law, const dppair_step *s) {
  const int pairs = s->kind == DPPAIR_SAMPLED_PAIRS;
  const real z = (real)s->noise_multiplier, n = (real)s->sampling.n, m = (real)s->sampling.m;
  law->times = (real)s->steps;
  law->e = 1.0L / z;
  law->count = 0;
  law->none = 0.0L;
  switch (s->kind) {
  case DPPAIR_GAUSSIAN:
    law->shape = GAUSSIAN;
    return 1;
  case DPPAIR_LAPLACE:
    law->shape = LAPLACE;
    return 1;
  case DPPAIR_PURE:
  case DPPAIR_RANDOMISED_RESPONSE:
    law->shape = RESPONSE;
    law->e = z;
    return 1;
  default:
    break;
  }
  law->shape = FIXED_SIZE;
  if (s->sampling.kind == DPPAIR_POISSON)
    law->shape = s->sampling.adjacency == DPPAIR_ZERO_OUT ? FORWARD : OPPOSITE;
  if (pairs && s->sampling.kind == DPPAIR_POISSON)
    return hits(law, n - 1, (real)s->pair_rate, 1 / z);
  if (s->sampling.kind == DPPAIR_WITH_REPLACEMENT)
    return hits(law, m, (pairs ? 2.0L : 1.0L) / n, (pairs ? 2.0L : 1.0L) / z);
  law->count = 1;
  law->p[0] = (real)s->sampling.q;
  law->b[0] = (pairs ? 2.0L : 1.0L) / z;
  law->none = 1.0L - law->p[0];
  return 1;
}

/* log of 1 + sum p (e^(b x - b^2/2) - 1), and nothing lost where it is small. */
static real log_ratio(const real *p, const real *b, int count, real x) {
  real excess = 0.0L, top = 0.0L, sum = 0.0L;
  int k;
  for (k = 0; k < count; k++) {
    const real t = b[k] * x - 0.5L * b[k] * b[k];
    if (t > top) top = t;
  }
  if (top < 5000.0L) {
    for (k = 0; k < count; k++) excess += p[k] * expm1l(b[k] * x - 0.5L * b[k] * b[k]);
    if (excess > -0.9L) return log1pl(excess);
  }
  excess = 1.0L;
  for (k = 0; k < count; k++) excess -= p[k];
  sum = (excess > 0.0L ? excess : 0.0L) * expl(-top);
  for (k = 0; k < count; k++) sum += p[k] * expl(b[k] * x - 0.5L * b[k] * b[k] - top);
  return top + logl(sum);
}

/* --- quadrature nodes: losses and masses --- */

typedef struct {
  real loss[NODES], mass[NODES];
  int n;
} nodes;

enum { RULE = 20 };
static real rule_x[RULE], rule_w[RULE];

static void legendre_rule(void) {
  int i, j, k;
  for (i = 0; i < RULE; i++) {
    real x = cosl(PI * ((real)i + 0.75L) / ((real)RULE + 0.5L)), slope = 1.0L;
    for (k = 0; k < 60; k++) {
      real a = 1.0L, b = x;
      for (j = 2; j <= RULE; j++) {
        const real c = ((real)(2 * j - 1) * x * b - (real)(j - 1) * a) / (real)j;
        a = b;
        b = c;
      }
      slope = (real)RULE * (x * b - a) / (x * x - 1.0L);
      x -= b / slope;
    }
    rule_x[i] = x;
    rule_w[i] = 2.0L / ((1.0L - x * x) * slope * slope);
  }
}

static int add_node(nodes *out, real loss, real mass) {
  if (out->n >= NODES) return 0;
  out->loss[out->n] = loss;
  out->mass[out->n++] = mass;
  return 1;
}

/* Masses of P at losses, fit for tilts up to c and heights up to y. The sums of e^(zL) are
 * integrals of analytic functions: the trapezoid on the line, Gauss-Legendre elsewhere. */
static int make_nodes(nodes *out, const oracle_law *law, int backward, real c, real y) {
  const real reach = law->count > 0 ? law->b[law->count - 1] : 0.0L;
  real steep = 0.0L; /* the largest slope of the loss where there is mass */
  int k, i;
  real x;
  out->n = 0;
  if (law->shape == FIXED_SIZE) {
    real gamma = 0.0L;
    int term;
    for (term = 0; term < law->count; term++) gamma += law->p[term];
    for (term = 0; term < law->count; term++) {
      const real b = law->b[term], share = law->p[term] / gamma;
      real width = 0.5L;
      if (width > 2.5L / b) width = 2.5L / b;
      if (width > 6.0L / (y * b + 1e-9L)) width = 6.0L / (y * b + 1e-9L);
      for (i = 0; i < 2; i++) { /* forward, backward */
        const real end = 13.0L + (i == 0 ? (c + 1.0L) * b : 0.0L);
        const int panels = end > 0.5L * b ? (int)((end - 0.5L * b) / width) + 1 : 0;
        int j;
        if (panels > 300) return 0;
        for (j = 0; j < panels; j++)
          for (k = 0; k < RULE; k++) {
            const real half = 0.5L * (end - 0.5L * b) / (real)panels;
            const real at = 0.5L * b + half * ((real)(2 * j + 1) + rule_x[k]);
            const real l = log_ratio(&gamma, &b, 1, at);
            const real log_mass = -0.5L * at * at + (i == 0 ? l : 0.0L);
            if (!add_node(out, i == 0 ? l : -l,
                          share * half * rule_w[k] * expl(log_mass) / sqrtl(2.0L * PI)))
              return 0;
          }
      }
    }
    return 1; /* the rest is at loss 0 and not needed */
  }
  {
    const real tilt = law->shape == OPPOSITE ? 2.0L * c + 1.0L : c + 1.0L;
    const real low = -13.0L - (backward ? c * reach : 0.0L);
    const real high = 13.0L + (backward ? 0.0L : tilt * reach);
    real h = 0.25L, other = 0.3L / reach, before = 0.0L;
    if (other < h) h = other;
    for (x = low; x <= high; x += h) {
      const real right = log_ratio(law->p, law->b, law->count, x);
      const real left = law->shape == OPPOSITE ? log_ratio(law->p, law->b, law->count, -x) : 0.0L;
      const real loss = backward ? -right : right - left;
      const real weight = (backward ? 0.0L : right) - 0.5L * x * x + c * loss;
      if (x > low && weight > -60.0L && fabsl(loss - before) / h > steep)
        steep = fabsl(loss - before) / h;
      before = loss;
    }
    other = 2.0L * PI / (2.5L * y * steep + 60.0L);
    if (other < h) h = other;
    if ((high - low) / h > (real)(NODES - 2)) return 0;
    for (x = low; x <= high; x += h) {
      const real right = log_ratio(law->p, law->b, law->count, x);
      real loss = backward ? -right : right, log_mass = backward ? 0.0L : right;
      if (law->shape == OPPOSITE) loss -= log_ratio(law->p, law->b, law->count, -x);
      log_mass += -0.5L * x * x;
      if (!add_node(out, loss, h * expl(log_mass) / sqrtl(2.0L * PI))) return 0;
    }
  }
  return 1;
}

/* --- delta by inversion --- */

enum { MOST = 3 };

typedef struct {
  oracle_law law[MOST];
  int count;
} oracle;

static nodes node_set[MOST];
static real turn_re[MOST][NODES], turn_im[MOST][NODES], at_re[MOST][NODES], at_im[MOST][NODES];
static real more[MOST][NODES];

/* M(c + iy) of the laws with atoms at +-e; Laplace: and the density e^((l - e)/2)/4 between. */
static void atoms_moment(real *re, real *im, const oracle_law *law, real c, real y) {
  const real e = law->e, high = law->shape == LAPLACE ? 0.5L : 1.0L / (1.0L + expl(-e));
  const real up = high * expl(c * e), down = high * expl(-(c + 1.0L) * e);
  *re = (up + down) * cosl(y * e);
  *im = (up - down) * sinl(y * e);
  if (law->shape == LAPLACE) { /* e^(-e/2) sinh((z + 1/2) e)/(2 (z + 1/2)) */
    const real a = c + 0.5L, size = 0.5L * expl(-0.5L * e) / (a * a + y * y);
    const real s = sinhl(a * e) * cosl(y * e), t = coshl(a * e) * sinl(y * e);
    *re += size * (s * a + t * y);
    *im += size * (t * a - s * y);
  }
}

/* log K(c) from nodes made for that. */
static real log_moment(const oracle *o, real c) {
  real sum = 0.0L;
  int t, j;
  for (t = 0; t < o->count; t++) {
    real m = 0.0L;
    if (o->law[t].shape == GAUSSIAN) {
      sum += o->law[t].times * 0.5L * c * (c + 1.0L) * o->law[t].e * o->law[t].e;
      continue;
    }
    if (o->law[t].shape == LAPLACE || o->law[t].shape == RESPONSE) {
      real im;
      atoms_moment(&m, &im, &o->law[t], c, 0.0L);
      sum += o->law[t].times * logl(m);
      continue;
    }
    for (j = 0; j < node_set[t].n; j++) m += node_set[t].mass[j] * expm1l(c * node_set[t].loss[j]);
    sum += o->law[t].times * log1pl(m);
  }
  return sum;
}

/*
 * delta(epsilon) along Re z = c, with nodes that are good up to height `most`: between value[0] and
 * value[1]. 1: done; 0: this line needs too much; -1: a greater height is needed. Where losses have
 * atoms the integral hardly converges (|M| comes back to 1 again and again): then the means of
 * delta over [epsilon, epsilon + s] and [epsilon - s, epsilon] are taken, s > 0, with a spline of
 * four boxes as weight. returns: how far apart the returns are.
 */
static int invert(real *value, const oracle *o, real epsilon, real c, real most, real smallest,
                  real s, real returns) {
  const real period = (50.0L - logl(smallest)) / c, eta = 2.0L * PI / period;
  const real log_k = log_moment(o, c), enough = s > 0.0L ? 1e-8L : 1e-12L;
  real sum[2] = {0.0L, 0.0L}, budget = ORACLE_BUDGET, loud = 0.0L;
  int t, j, k, i;
  for (t = 0; t < o->count; t++)
    for (j = 0; j < node_set[t].n; j++) {
      turn_re[t][j] = cosl(eta * node_set[t].loss[j]);
      turn_im[t][j] = sinl(eta * node_set[t].loss[j]);
      at_re[t][j] = 1.0L;
      at_im[t][j] = 0.0L;
      more[t][j] = expm1l(c * node_set[t].loss[j]);
    }
  for (k = 0; budget > 0.0L; k++) {
    const real y = eta * (real)k;
    const real den_re = c * (c + 1.0L) - y * y, den_im = y * (2.0L * c + 1.0L);
    real log_abs = -log_k, angle = 0.0L, size;
    if (y > most) return -1;
    for (t = 0; t < o->count; t++) {
      const real times = o->law[t].times;
      real re = 0.0L, im = 0.0L;
      if (o->law[t].shape == GAUSSIAN) {
        const real v = 0.5L * times * o->law[t].e * o->law[t].e;
        log_abs += v * (c * (c + 1.0L) - y * y);
        angle += v * y * (2.0L * c + 1.0L);
        continue;
      }
      budget -= (real)node_set[t].n + 20.0L;
      if (o->law[t].shape == LAPLACE || o->law[t].shape == RESPONSE) {
        atoms_moment(&re, &im, &o->law[t], c, y);
        log_abs += times * 0.5L * logl(re * re + im * im);
        angle += times * atan2l(im, re);
        continue;
      }
      for (j = 0; j < node_set[t].n; j++) {
        /* e^(zL) - 1 without cancellation: (e^(cL) - 1) cos + (cos - 1), sin */
        const real a = at_re[t][j], b = at_im[t][j], m = node_set[t].mass[j];
        re += m * (more[t][j] * a - (a > 0.0L ? b * b / (1.0L + a) : 1.0L - a));
        im += m * (more[t][j] + 1.0L) * b;
        at_re[t][j] = a * turn_re[t][j] - b * turn_im[t][j];
        at_im[t][j] = a * turn_im[t][j] + b * turn_re[t][j];
      }
      log_abs += times * 0.5L *
                 (fabsl(re) < 0.5L ? log1pl(2.0L * re + re * re + im * im)
                                   : logl((1.0L + re) * (1.0L + re) + im * im));
      angle += times * atan2l(im, 1.0L + re);
    }
    angle -= atan2l(den_im, den_re);
    if (s > 0.0L) { /* ((1 - e^(-z s/4))/(z s/4))^4 */
      const real w = 0.25L * s, shrink = expl(-c * w), half = sinl(0.5L * y * w);
      const real re = -expm1l(-c * w) + shrink * 2.0L * half * half, im = shrink * sinl(y * w);
      log_abs += 2.0L * logl((re * re + im * im) / ((c * c + y * y) * w * w));
      angle += 4.0L * (atan2l(im, re) - atan2l(y, c));
    }
    size = expl(log_abs) / sqrtl(den_re * den_re + den_im * den_im) * (k == 0 ? 0.5L : 1.0L);
    for (i = 0; i < 2; i++) sum[i] += size * cosl(angle - y * (epsilon - (i == 0 ? 0.0L : s)));
    if (size * (real)(k + 1) >= enough * fabsl(sum[0])) loud = y;
    if (y > loud + 20.0L * eta && y > loud + returns) {
      for (i = 0; i < 2; i++)
        value[i] = expl(log_k - c * (epsilon - (i == 0 ? 0.0L : s))) * sum[i] * eta / PI;
      return 1;
    }
  }
  return 0;
}

static int prepare(const oracle *o, int backward, real c, real y) {
  int t;
  for (t = 0; t < o->count; t++) {
    node_set[t].n = 0;
    if (o->law[t].shape < LAPLACE && !make_nodes(&node_set[t], &o->law[t], backward, c, y))
      return 0;
  }
  return 1;
}

/* One direction by two lines that must agree: between delta[0] and delta[1]. */
static int composed(real *delta, const oracle *o, int backward, real epsilon, real smallest) {
  real c, best = 1e300L, best_c = 1.0L, value[2][2], s = 0.0L, returns = 0.0L, near;
  int line, t;
  for (t = 0; t < o->count; t++)
    if (o->law[t].shape == LAPLACE || o->law[t].shape == RESPONSE) {
      s = 1e-3L;
      if (2.2L * PI / o->law[t].e > returns) returns = 2.2L * PI / o->law[t].e;
    }
  for (t = 0; t < o->count; t++)
    if (o->law[t].shape == GAUSSIAN && o->law[t].times * o->law[t].e * o->law[t].e > 0.01L)
      s = returns = 0.0L; /* smooth enough */
  for (c = 0.03L; c < 3000.0L; c *= 1.5L) {
    real goal;
    if (!prepare(o, backward, c, 0.1L)) break;
    goal = log_moment(o, c) - c * log1pl(1.0L / c) - log1pl(c) - c * epsilon;
    if (goal < best) {
      best = goal;
      best_c = c;
    } else if (goal > best + 40.0L) {
      break;
    }
  }
  delta[0] = delta[1] = 0.0L;
  if (expl(best) < smallest) return 1; /* the moment bound: next to nothing */
  for (line = 0; line < 2; line++) {
    real most = 8.0L * best_c + 8.0L + 3.0L * returns + (s > 0.0L ? 4.0L / s : 0.0L);
    int done = -1;
    c = best_c * (line == 0 ? 1.0L : 0.85L);
    for (; done < 0 && most < 1e8L; most *= 3.0L) {
      if (!prepare(o, backward, c, most)) return 0;
      done = invert(value[line], o, epsilon, c, most, smallest, s, returns);
    }
    if (done != 1) return 0;
  }
  near = (s > 0.0L ? 1e-6L : 1e-10L) * fabsl(value[0][0]) + 1e-3L * smallest;
  if (!(fabsl(value[0][0] - value[1][0]) <= near && fabsl(value[0][1] - value[1][1]) <= near))
    return 0;
  delta[0] = value[0][0] - 3.0L * near;
  delta[1] = value[0][1] + 3.0L * near;
  return 1;
}

/* --- delta of one run: the hockey stick --- */

static real panels(const real *p, const real *b, int count, int shape, real t, real from, real to) {
  const real reach = b[count - 1];
  const real width = reach > 1.0L ? 0.25L / reach : 0.25L;
  const int n = (int)(fabsl(to - from) / width) + 1;
  const real half = 0.5L * (to - from) / (real)n;
  real sum = 0.0L;
  int j, k;
  for (j = 0; j < n; j++)
    for (k = 0; k < RULE; k++) {
      const real x = from + half * ((real)(2 * j + 1) + rule_x[k]);
      const real g = log_ratio(p, b, count, x), f = -0.5L * x * x;
      const real mine = shape == BACKWARD ? 0.0L : g;
      const real other = shape == FORWARD    ? 0.0L
                         : shape == BACKWARD ? g
                                             : log_ratio(p, b, count, -x);
      const real gap = other + logl(t) - mine;
      sum += rule_w[k] * fabsl(half) * expl(f + mine) * (gap < 0.0L ? -expm1l(gap) : 0.0L);
    }
  return sum / sqrtl(2.0L * PI);
}

static real stick(const real *p, const real *b, int count, int shape, real t, real start) {
  const real reach = b[count - 1], sign = shape == BACKWARD ? -1.0L : 1.0L;
  real low = -60.0L - reach, high = 60.0L + 2.0L * reach;
  int i;
  for (i = 0; i < 200; i++) { /* where the ratio passes t, in the direction of growing loss */
    const real x = 0.5L * (low + high), at = sign * x, g = log_ratio(p, b, count, at);
    const real loss = shape == OPPOSITE ? g - log_ratio(p, b, count, -at) : sign * g;
    if (loss > logl(t))
      high = x;
    else
      low = x;
  }
  if (high > 59.0L + 2.0L * reach) return 0.0L;
  if (sign * high < start && shape != BACKWARD) high = start;
  return panels(p, b, count, shape, t, sign * high,
                sign * (high + 16.0L + (shape == BACKWARD ? 0.0L : reach)));
}

static int single(real *delta, const oracle_law *law, real epsilon) {
  const real t = expl(epsilon);
  real gamma = 0.0L, other;
  int k;
  *delta = 0.0L;
  switch (law->shape) {
  case LAPLACE:
    if (epsilon < law->e) *delta = -expm1l(0.5L * (epsilon - law->e));
    return 1;
  case RESPONSE:
    if (epsilon < law->e) *delta = -expm1l(epsilon - law->e) / (1.0L + expl(-law->e));
    return 1;
  case FIXED_SIZE:
    for (k = 0; k < law->count; k++) gamma += law->p[k];
    for (k = 0; k < law->count; k++)
      *delta += law->p[k] / gamma * stick(&gamma, &law->b[k], 1, FORWARD, t, 0.5L * law->b[k]);
    return 1;
  case FORWARD:
    *delta = stick(law->p, law->b, law->count, FORWARD, t, -1e9L);
    other = stick(law->p, law->b, law->count, BACKWARD, t, -1e9L);
    if (other > *delta) *delta = other;
    return 1;
  case OPPOSITE:
    *delta = stick(law->p, law->b, law->count, OPPOSITE, t, -1e9L);
    return 1;
  default:
    return 0;
  }
}

/* delta at epsilon is between delta[0] and delta[1]; about: its size. 0: no opinion. */
static int truth(real *delta, const oracle *o, double epsilon, double about) {
  int i, two = 0;
  real other[2];
  if (o->count == 1 && o->law[0].times < 1.5L) {
    if (!single(&delta[0], &o->law[0], (real)epsilon)) return 0;
    delta[1] = delta[0];
    return 1;
  }
  for (i = 0; i < o->count; i++) two |= o->law[i].shape == FORWARD;
  if (!composed(delta, o, 0, (real)epsilon, 1e-12L * (real)about)) return 0;
  if (!two) return 1;
  if (!composed(other, o, 1, (real)epsilon, 1e-12L * (real)about)) return 0;
  for (i = 0; i < 2; i++)
    if (other[i] > delta[i]) delta[i] = other[i];
  return 1;
}

/* --- random accounts --- */

static dppair_step random_sampled(dppair_adjacency adjacency, int small) {
  dppair_step s;
  const double q = small ? log_between(1e-7, 1e-4) : log_between(1e-6, 0.9);
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = adjacency;
  s.noise_multiplier = log_between(0.5, 60.0);
  s.steps = small ? (size_t)log_between(1e3, 2e8) : (size_t)log_between(1.0, 1e5);
  s.sampling.q = q;
  switch ((int)(6.0 * uniform())) {
  case 0:
    if (adjacency != DPPAIR_REPLACE_ONE) break;
    s.sampling.kind = DPPAIR_WITHOUT_REPLACEMENT;
    break;
  case 1:
    if (adjacency != DPPAIR_REPLACE_ONE) break;
    s.sampling.kind = DPPAIR_WITH_REPLACEMENT;
    s.sampling.n = (size_t)log_between(100.0, 1e5);
    s.sampling.m = (size_t)log_between(1.0, 0.5 * (double)s.sampling.n);
    s.sampling.q = 0.0;
    break;
  case 2:
    s.kind = DPPAIR_SAMPLED_PAIRS;
    s.sampling.q = 0.0;
    s.sampling.n = (size_t)log_between(10.0, 1e5);
    s.pair_rate = log_between(1e-3, 8.0) / (double)s.sampling.n;
    break;
  case 3:
    if (adjacency != DPPAIR_REPLACE_ONE) break;
    s.kind = DPPAIR_SAMPLED_PAIRS;
    if (uniform() < 0.5) {
      s.sampling.kind = DPPAIR_MATCHING;
    } else {
      s.sampling.kind = DPPAIR_WITH_REPLACEMENT;
      s.sampling.n = (size_t)log_between(100.0, 1e5);
      s.sampling.m = (size_t)log_between(1.0, (double)s.sampling.n);
      s.sampling.q = 0.0;
    }
    break;
  default:
    break;
  }
  return s;
}

static dppair_step random_plain(void) {
  static const dppair_mechanism_kind kinds[] = {DPPAIR_LAPLACE, DPPAIR_LAPLACE, DPPAIR_PURE,
                                                DPPAIR_RANDOMISED_RESPONSE, DPPAIR_GAUSSIAN};
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = kinds[(int)(5.0 * uniform())];
  s.steps = uniform() < 0.15 ? 1 : (size_t)log_between(40.0, 400.0);
  s.noise_multiplier = log_between(3.0, 30.0);
  if (s.kind == DPPAIR_PURE || s.kind == DPPAIR_RANDOMISED_RESPONSE)
    s.noise_multiplier = log_between(0.02, 0.5);
  return s;
}

static size_t random_account(dppair_step *steps) {
  const dppair_adjacency adjacency = uniform() < 0.5 ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
  const double pick = uniform();
  if (pick < 0.25) { /* one run */
    steps[0] = uniform() < 0.2 ? random_plain() : random_sampled(adjacency, 0);
    steps[0].steps = 1;
    return 1;
  }
  if (pick < 0.55) { /* atoms and many steps of small rates */
    steps[0] = random_plain();
    steps[1] = random_sampled(adjacency, 1);
    return 2;
  }
  steps[0] = random_sampled(adjacency, uniform() < 0.2);
  if (pick < 0.8) return 1;
  steps[1] = uniform() < 0.5 ? random_plain() : random_sampled(adjacency, 0);
  return 2;
}

/* --- the attack --- */

static void *workspace;
static size_t workspace_bytes;

typedef struct {
  double upper, lower; /* the tightest of all routes */
  int answers;
} tightest;

static void take(tightest *best, dppair_status status, const dppair_interval *in) {
  if (status != DPPAIR_OK) return;
  assert_true(in->lower >= 0.0 && in->lower <= in->estimate && in->estimate <= in->upper);
  best->answers++;
  if (in->upper < best->upper) best->upper = in->upper;
  if (in->lower > best->lower) best->lower = in->lower;
}

static void ask(tightest *best, const dppair_step *steps, size_t count, int for_delta,
                double given) {
  void *w = workspace;
  const size_t room = workspace_bytes;
  dppair_interval in = {0.0, 0.0, 0.0, 0.0, DPPAIR_ROUTE_BEST, 0};
  dppair_pld_options_ options;
  dppair_accountant a;
  size_t t;
  memset(&options, 0, sizeof options);
  options.log2_size = 15;
  best->upper = HUGE_VAL;
  best->lower = 0.0;
  best->answers = 0;
  take(best, contour_alone(&in, steps, count, for_delta, given, w, room), &in);
  take(best, lattice_alone(&in, steps, count, for_delta, given, &options, w, room), &in);
  take(best,
       for_delta ? compose_delta(&in, steps, count, given, DPPAIR_ROUTE_BEST, w, room)
                 : compose(&in, steps, count, given, DPPAIR_ROUTE_BEST, w, room),
       &in);
  dppair_accountant_init(&a);
  for (t = 0; t < count; t++)
    if (dppair_accountant_step(&a, &steps[t]) != DPPAIR_OK) return;
  take(best, for_delta ? certify_delta(&in, &a, given, w, room) : certify(&in, &a, given, w, room),
       &in);
}

static void tell(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    print_error(
        "  kind %d, sampling %d, adjacency %d, q %.17g, n %zu, m %zu, rate %.17g, noise %.17g,"
        " steps %zu\n",
        (int)steps[t].kind, (int)steps[t].sampling.kind, (int)steps[t].sampling.adjacency,
        steps[t].sampling.q, steps[t].sampling.n, steps[t].sampling.m, steps[t].pair_rate,
        steps[t].noise_multiplier, steps[t].steps);
}

static void random_accounts_are_within_their_certified_bounds(void **state) {
  static oracle o;
  long cases, judged = 0, upper_judged = 0, silent = 0, wrong = 0;
  (void)state;
  legendre_rule();
  for (cases = 0; cases < ATTACK_CASES; cases++) {
    dppair_step steps[MOST];
    const size_t count = random_account(steps);
    const double delta = log_between(1e-12, 0.05);
    const double slack = 1e-8;
    tightest best;
    real at[2];
    size_t t;
    int usable = 1;
    o.count = (int)count;
    for (t = 0; t < count; t++) usable &= oracle_law_of(&o.law[t], &steps[t]);
    ask(&best, steps, count, 0, delta);
    if (!usable || best.answers == 0) {
      silent++;
      continue;
    }
    if (best.upper < HUGE_VAL && truth(at, &o, best.upper, delta)) {
      upper_judged++;
      if (at[0] > (real)delta * (1.0L + (real)slack)) {
        print_error("case %ld: delta %.6g, upper %.12g, but delta there is %.10Lg\n", cases, delta,
                    best.upper, at[0]);
        tell(steps, count);
        wrong++;
      }
    }
    if (best.lower > 0.0 && truth(at, &o, best.lower, delta)) {
      judged++;
      if (at[1] < (real)delta * (1.0L - (real)slack)) {
        print_error("case %ld: delta %.6g, lower %.12g, but delta there is %.10Lg\n", cases, delta,
                    best.lower, at[1]);
        tell(steps, count);
        wrong++;
      }
    }
    if (best.upper < HUGE_VAL && cases % 2 == 0) {
      const double epsilon = best.upper * (0.3 + 0.9 * uniform());
      ask(&best, steps, count, 1, epsilon);
      if (best.answers > 0 && truth(at, &o, epsilon, best.upper)) {
        judged++;
        if (at[0] > (real)best.upper * (1.0L + (real)slack) ||
            at[1] < (real)best.lower * (1.0L - (real)slack)) {
          print_error("case %ld: epsilon %.12g, delta [%.10g, %.10g], but it is %.10Lg\n", cases,
                      epsilon, best.lower, best.upper, at[0]);
          tell(steps, count);
          wrong++;
        }
      }
    }
  }
  print_message("%ld cases: %ld upper bounds judged, %ld others, %ld silent; %ld wrong\n", cases,
                upper_judged, judged, silent, wrong);
  assert_int_equal(wrong, 0);
  assert_true(3 * upper_judged > cases);
}

/* The oracle itself: plain Gaussian steps and Laplace steps have known answers. */
static void the_oracle_knows_known_answers(void **state) {
  static oracle o;
  real at[2];
  double known;
  (void)state;
  legendre_rule();
  memset(&o, 0, sizeof o);
  o.count = 1;
  o.law[0].shape = GAUSSIAN;
  o.law[0].e = 0.1L;
  o.law[0].times = 50.0L;
  assert_int_equal(dppair_gaussian_delta(&known, 1.5, sqrt(0.5)), DPPAIR_OK);
  assert_true(truth(at, &o, 1.5, known) && fabsl(at[0] / (real)known - 1.0L) < 1e-8L);
  o.law[0].shape = LAPLACE;
  o.law[0].times = 100.0L;
  assert_true(truth(at, &o, 4.22034732508, 1e-5));
  assert_true(at[0] <= 1e-5L && at[1] >= 1e-5L && at[1] - at[0] < 1e-7L);
}

static int setup(void **state) {
  (void)state;
  if (dppair_composer_workspace(&workspace_bytes, NULL) != DPPAIR_OK) return 1;
  workspace = malloc(workspace_bytes);
  return workspace == NULL;
}

static int teardown(void **state) {
  (void)state;
  free(workspace);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_oracle_knows_known_answers),
      TEST(random_accounts_are_within_their_certified_bounds),
  };
  return RUN_TESTS(tests, setup, teardown);
}
