/* SPDX-License-Identifier: MIT */
#include "support/laws.h"

#include <math.h>
#include <string.h>

static double uniform(simulation_rng *rng) {
  return ((double)(simulation_u64(rng) >> 11) + 0.5) * 0x1p-53;
}

static double normal(simulation_rng *rng) {
  const double length = sqrt(-2 * log(uniform(rng)));
  return length * cos(6.283185307179586 * uniform(rng));
}

void law_make(law *l, size_t d, double separation, uint64_t seed) {
  simulation_rng rng;
  size_t i, k;
  memset(l, 0, sizeof *l);
  simulation_seed(&rng, seed);
  l->d = d;
  for (i = 0; i < ATOMS; i++) {
    double square = 0;
    l->y[i] = i % 2 == 0 ? 1 : -1;
    for (k = 0; k < d; k++) l->x[i][k] = normal(&rng) * 0.35;
    l->x[i][0] += separation * l->y[i];
    for (k = 0; k < d; k++) square += l->x[i][k] * l->x[i][k];
    for (k = 0; k < d && square > 1; k++) l->x[i][k] *= 0.999999 / sqrt(square);
  }
}

/* --- the terms -------------------------------------------------------------------------------- */

static int is_pointwise(law_kind kind) { return kind == LAW_POINTS || kind == LAW_SVM; }

/* The margin of a record or a pair as constant + a.w. */
static void add_term(law_problem *p, const law *l, size_t i, size_t j) {
  const size_t t = p->terms++;
  double *a = p->a[t], v[LAW_FEATURES];
  const double *x = l->x[i], y = l->y[i];
  size_t k, m;
  p->first[t] = i;
  p->second[t] = j;
  if (j == ATOMS) {
    for (k = 0; k < l->d; k++) a[k] = y * x[k];
    if (p->kind == LAW_POINTS) a[l->d] = y;
    return;
  }
  for (k = 0; k < l->d; k++) v[k] = x[k] - l->x[j][k];
  if (p->kind == LAW_METRIC) {
    p->constant[t] = y * l->y[j];
    for (k = 0; k < l->d; k++)
      for (m = 0; m < l->d; m++) a[k * l->d + m] = -y * l->y[j] * v[k] * v[m];
    return;
  }
  for (k = 0; k < l->d; k++) a[k] = (p->kind == LAW_RANKING ? y - l->y[j] : 1) * v[k];
}

void law_problem_make(law_problem *p, const law *l, law_kind kind, double ridge, double radius) {
  double count[ATOMS];
  size_t i, j;
  memset(p, 0, sizeof *p);
  p->kind = kind;
  p->ridge = ridge;
  p->radius = radius;
  p->size = kind == LAW_METRIC ? l->d * l->d : kind == LAW_POINTS ? l->d + 1 : l->d;
  for (i = 0; i < ATOMS; i++) {
    count[i] = 1;
    if (is_pointwise(kind)) add_term(p, l, i, ATOMS);
    for (j = 0; j < ATOMS && !is_pointwise(kind); j++)
      if (kind == LAW_HINGE ? l->y[i] > l->y[j] : i <= j) add_term(p, l, i, j);
  }
  law_weigh(p->weight, p, count, 0);
}

/* n = 0: of the population, where a pair's records are drawn independently. */
void law_weigh(double *weight, const law_problem *p, const double *count, double n) {
  const double atoms = ATOMS;
  size_t t;
  for (t = 0; t < p->terms; t++) {
    const size_t i = p->first[t], j = p->second[t];
    const double pairs = n > 0 ? n * (n - 1) : atoms * atoms;
    if (j == ATOMS)
      weight[t] = count[i] / (n > 0 ? n : atoms);
    else if (i == j)
      weight[t] = count[i] * (count[i] - (n > 0 ? 1 : 0)) / pairs;
    else /* a symmetric loss counts both orders */
      weight[t] = (p->kind == LAW_HINGE ? 1 : 2) * count[i] * count[j] / pairs;
  }
}

/* phi and phi'. */
static double link(double *slope, law_kind kind, double u, double width) {
  const double r = 1 - u;
  if (kind != LAW_HINGE && kind != LAW_SVM) {
    const double e = exp(-fabs(u));
    *slope = -(u > 0 ? e : 1) / (1 + e);
    return log1p(e) + (u < 0 ? -u : 0);
  }
  *slope = r > 0 ? -1 : 0;
  if (r <= 0 || r >= width) return r > 0 ? r - width / 2 : 0;
  *slope = -r / width;
  return r * r / (2 * width);
}

static double risk(double *g, const law_problem *p, const double *weight, const double *w,
                   double width) {
  double sum = 0;
  size_t t, k;
  for (k = 0; k < p->size; k++) {
    sum += p->ridge / 2 * w[k] * w[k];
    if (g != NULL) g[k] = p->ridge * w[k];
  }
  for (t = 0; t < p->terms; t++) {
    const double *a = p->a[t];
    double u = p->constant[t], slope;
    if (!(weight[t] > 0)) continue;
    for (k = 0; k < p->size; k++) u += a[k] * w[k];
    sum += weight[t] * link(&slope, p->kind, u, width);
    for (k = 0; k < p->size && g != NULL; k++) g[k] += weight[t] * slope * a[k];
  }
  return sum;
}

double law_risk(double *g, const law_problem *p, const double *weight, const double *w) {
  return risk(g, p, weight, w, 0);
}

/* --- the smallest risk ------------------------------------------------------------------------ */

static double length(const double *v, size_t size) {
  double square = 0;
  size_t k;
  for (k = 0; k < size; k++) square += v[k] * v[k];
  return sqrt(square);
}

/* The nearest positive semidefinite 2 x 2 matrix. */
static void semidefinite(double *m) {
  const double b = (m[1] + m[2]) / 2, middle = (m[0] + m[3]) / 2;
  const double r = hypot((m[0] - m[3]) / 2, b), high = middle + r, low = middle - r;
  const double share = high > 0 ? high / (2 * r) : 0;
  m[1] = m[2] = b;
  if (low >= 0) return;
  m[0] = share * (m[0] - low);
  m[3] = share * (m[3] - low);
  m[1] = m[2] = share * b;
}

/* The nearest point of the set. */
static void project(double *w, const law_problem *p) {
  double norm;
  size_t k;
  if (p->kind == LAW_METRIC) semidefinite(w);
  norm = length(w, p->size);
  for (k = 0; k < p->size && norm > p->radius; k++) w[k] *= p->radius / norm;
}

/* max over v in the set of <g, w - v>, at least risk(w) less the smallest risk. */
static double certificate(const double *g, const double *w, const law_problem *p) {
  double downhill[LAW_SIZE], sum = 0;
  size_t k;
  for (k = 0; k < p->size; k++) {
    downhill[k] = -g[k];
    sum += g[k] * w[k];
  }
  if (p->kind == LAW_METRIC) semidefinite(downhill);
  return sum + p->radius * length(downhill, p->size);
}

/* Accelerated projected descent, from the last point again whenever the risk has risen. */
double law_minimise(double *w, const law_problem *p, const double *weight, double width,
                    double tolerance) {
  double v[LAW_SIZE], g[LAW_SIZE], before = HUGE_VAL, best = -HUGE_VAL, momentum = 1;
  double top = p->ridge;
  const int hinge = p->kind == LAW_HINGE || p->kind == LAW_SVM;
  size_t t, k, step;
  for (t = 0; t < p->terms; t++) {
    const double square = length(p->a[t], p->size) * length(p->a[t], p->size);
    top += weight[t] * square * (!hinge ? 0.25 : width > 0 ? 1 / width : 0);
  }
  if (!(top > 1e-6)) top = 1e-6; /* linear: one step ends on the sphere */
  project(w, p);
  memcpy(v, w, sizeof v);
  for (step = 0; step < 100000; step++) {
    const double here = risk(g, p, weight, w, width),
                 next = (1 + sqrt(1 + 4 * momentum * momentum)) / 2;
    const double bound = here - certificate(g, w, p);
    double old[LAW_SIZE];
    if (bound > best) best = bound;
    if (here - best <= tolerance) break;
    if (here > before) {
      memcpy(v, w, sizeof v);
      momentum = 1;
      before = HUGE_VAL;
      continue;
    }
    before = here;
    (void)risk(g, p, weight, v, width);
    memcpy(old, w, sizeof old);
    for (k = 0; k < p->size; k++) w[k] = v[k] - g[k] / top;
    project(w, p);
    for (k = 0; k < p->size; k++) v[k] = w[k] + (momentum - 1) / next * (w[k] - old[k]);
    momentum = next;
  }
  return best;
}

double law_curvature(const law_problem *p, const double *weight) {
  double m[LAW_SIZE][LAW_SIZE] = {{0}}, v[LAW_SIZE], to[LAW_SIZE], trace = 0, norm = 1;
  size_t t, i, j, step;
  for (t = 0; t < p->terms; t++)
    for (i = 0; i < p->size; i++)
      for (j = 0; j < p->size; j++) m[i][j] += weight[t] * p->a[t][i] * p->a[t][j];
  for (i = 0; i < p->size; i++) {
    trace += m[i][i];
    v[i] = 1 / ((double)i + 2);
  }
  for (step = 0; step < 2000; step++) { /* the largest of trace I - m */
    for (i = 0; i < p->size; i++) {
      to[i] = trace * v[i];
      for (j = 0; j < p->size; j++) to[i] -= m[i][j] * v[j];
    }
    norm = length(to, p->size);
    for (i = 0; i < p->size; i++) v[i] = to[i] / norm;
  }
  return trace - norm;
}
