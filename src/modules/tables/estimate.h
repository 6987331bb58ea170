/* ------------------------------------------------------------------------------------------------
 * Estimates from released marginals: histograms without noise that stands out
 *
 * All of this is free: it reads what was released. Real columns look like a few shapes. A template
 * is p [the cell of zero] + (1 - p) bell, the bell a normal distribution over the cells or, where
 * both signs are in range, over the values. With Y = A c/n + noise of deviation s, A = U root U',
 * and what a column is besides its template t of variance tau^2 in each direction,
 *
 *   log-likelihood of t   -1/2 sum_k ((U'Y)_k - root_k (U't)_k)^2/(s^2 + tau^2 root_k^2)
 *   estimate              m + U diag(tau^2 root/(s^2 + tau^2 root^2)) (U'Y - root U'm), m the
 *                         posterior mean of t,
 *
 * projected on the simplex: with little noise the histogram itself, with much a smooth shape. The
 * prior is uniform over bells (those over values weigh 5), or learned: three steps of EM over all
 * columns of one shape of cells, the uniform prior as one column more.
 *
 * Relies on marginals.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LIBM_BEGIN_

enum {
  DPPAIR_BELLS_ = 512,
  DPPAIR_SPIKES_ = 6,
  DPPAIR_TEMPLATES_ = DPPAIR_BELLS_ * DPPAIR_SPIKES_
};

/* How far real histograms are from templates, and the masses at zero. */
#define DPPAIR_TEMPLATE_TAU_ 0.012
static const double dppair_template_spikes_[DPPAIR_SPIKES_] = {0.0, 0.2, 0.4, 0.6, 0.8, 0.93};

/* The templates of one shape of cells, in the coordinates of the eigenvectors of A. */
typedef struct dppair_templates_ {
  size_t cells, bells;
  double root[DPPAIR_CELLS_MOST];                       /* the eigenvalues of A */
  double vector[DPPAIR_CELLS_MOST * DPPAIR_CELLS_MOST]; /* row k: that of root[k] */
  double spike[DPPAIR_CELLS_MOST];
  double bell[(size_t)DPPAIR_BELLS_ * DPPAIR_CELLS_MOST];
  double base[DPPAIR_TEMPLATES_];   /* log prior */
  double prior[DPPAIR_TEMPLATES_];  /* log prior, learned */
  double sum[DPPAIR_TEMPLATES_];    /* of the columns' posteriors */
  double weight[DPPAIR_TEMPLATES_]; /* one column's posterior */
} dppair_templates_;

/* out = U' v; back: U v. */
DPPAIR_API void dppair_templates_turn_(double *out, const dppair_templates_ *f, const double *v,
                                       int back) {
  const size_t m = f->cells;
  size_t i, k;
  for (k = 0; k < m; k++) out[k] = 0.0;
  for (k = 0; k < m; k++)
    for (i = 0; i < m; i++) {
      if (back)
        out[i] += f->vector[k * m + i] * v[k];
      else
        out[k] += f->vector[k * m + i] * v[i];
    }
}

/* Adds the bell N(centre, width^2) over the given edges (NULL: in units of cells), unless edges are
 * given and less than half of it is in range; weight: of its prior. */
DPPAIR_API void dppair_templates_bell_(dppair_templates_ *f, const double *edge, double centre,
                                       double width, double weight) {
  const double unit = width * dppair_sqrt_(2.0);
  double t[DPPAIR_CELLS_MOST], total = 0.0, left, right;
  size_t i, k;
  if (f->bells == DPPAIR_BELLS_) return;
  left = dppair_erf_(((edge != NULL ? edge[0] : 0.0) - centre) / unit);
  for (i = 0; i < f->cells; i++) {
    right = dppair_erf_(((edge != NULL ? edge[i + 1] : (double)(i + 1)) - centre) / unit);
    t[i] = right - left;
    total += t[i];
    left = right;
  }
  if (edge != NULL && total < 1.0) return;
  for (i = 0; i < f->cells; i++) t[i] /= total;
  dppair_templates_turn_(f->bell + f->bells * f->cells, f, t, 0);
  for (k = 0; k < DPPAIR_SPIKES_; k++)
    f->base[f->bells * DPPAIR_SPIKES_ + k] = dppair_log_(weight * (k == 0 ? 0.5 : 0.1));
  f->bells++;
}

/* The templates of the cells g; root and vector are set. */
DPPAIR_API void dppair_templates_make_(dppair_templates_ *f, const dppair_cells *g) {
  static const double widths[5] = {0.35, 0.7, 1.4, 2.8, 5.6};
  const double low = -g->edge[0], high = g->edge[g->cells];
  double centre, width = high > low ? high : low, zero[DPPAIR_CELLS_MOST] = {0.0}, total = 0.0;
  size_t w, t;
  int k;
  f->bells = 0;
  zero[g->zero] = 1.0;
  dppair_templates_turn_(f->spike, f, zero, 0);
  for (w = 0; w < 5; w++)
    for (centre = 0.0; centre <= (double)g->cells; centre += w < 2 ? 0.5 : 1.0)
      dppair_templates_bell_(f, NULL, centre, widths[w], 1.0);
  if (g->zero > 0 && g->zero + 1 < g->cells)
    for (w = 0; w < 18; w++, width /= 1.5)
      for (k = -4; k <= 4; k++) dppair_templates_bell_(f, g->edge, k / 2.0 * width, width, 5.0);
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) total += dppair_exp_(f->base[t]);
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) f->prior[t] = f->base[t] -= dppair_log_(total);
}

/* f->weight = the posterior over templates given y = U'Y, whose noise has deviation sd. */
DPPAIR_API void dppair_templates_weigh_(dppair_templates_ *f, const double *y, double sd) {
  const double tau2 = DPPAIR_TEMPLATE_TAU_ * DPPAIR_TEMPLATE_TAU_;
  double inverse[DPPAIR_CELLS_MOST], rest[DPPAIR_CELLS_MOST], rr = 0.0, most = -HUGE_VAL;
  double total = 0.0;
  size_t b, k, t;
  for (k = 0; k < f->cells; k++) {
    inverse[k] = 1.0 / (sd * sd + tau2 * f->root[k] * f->root[k]);
    rest[k] = y[k] - f->root[k] * f->spike[k];
    rr += rest[k] * rest[k] * inverse[k];
  }
  for (b = 0; b < f->bells; b++) {
    const double *bell = f->bell + b * f->cells;
    double rd = 0.0, dd = 0.0;
    for (k = 0; k < f->cells; k++) {
      const double move = f->root[k] * (bell[k] - f->spike[k]);
      rd += rest[k] * move * inverse[k];
      dd += move * move * inverse[k];
    }
    for (k = 0; k < DPPAIR_SPIKES_; k++) {
      const double share = 1.0 - dppair_template_spikes_[k];
      t = b * DPPAIR_SPIKES_ + k;
      f->weight[t] = f->prior[t] - (rr - 2.0 * share * rd + share * share * dd) / 2.0;
      most = f->weight[t] > most ? f->weight[t] : most;
    }
  }
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++)
    total += f->weight[t] = dppair_exp_(f->weight[t] - most);
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) f->weight[t] /= total;
}

/* The nearest point with entries >= 0 that sum to 1. */
DPPAIR_API void dppair_templates_project_(double *h, size_t m) {
  double sorted[DPPAIR_CELLS_MOST], sum = 0.0, cut = 0.0;
  size_t i, j;
  for (i = 0; i < m; i++) { /* descending */
    const double v = h[i];
    for (j = i; j > 0 && sorted[j - 1] < v; j--) sorted[j] = sorted[j - 1];
    sorted[j] = v;
  }
  for (i = 0; i < m; i++) {
    sum += sorted[i];
    if (sorted[i] - (sum - 1.0) / (double)(i + 1) > 0.0) cut = (sum - 1.0) / (double)(i + 1);
  }
  for (i = 0; i < m; i++) h[i] = h[i] > cut ? h[i] - cut : 0.0;
}

/* h = the posterior mean template, then as much of y's own deviation from it as is not noise; h and
 * y may be the same. */
DPPAIR_API void dppair_templates_estimate_(double *h, dppair_templates_ *f, const double *y,
                                           double sd) {
  const double tau2 = DPPAIR_TEMPLATE_TAU_ * DPPAIR_TEMPLATE_TAU_;
  double mean[DPPAIR_CELLS_MOST] = {0.0}, spike = 0.0;
  size_t b, k;
  dppair_templates_weigh_(f, y, sd);
  for (b = 0; b < f->bells; b++) {
    double share = 0.0;
    for (k = 0; k < DPPAIR_SPIKES_; k++) {
      const double weight = f->weight[b * DPPAIR_SPIKES_ + k];
      share += weight * (1.0 - dppair_template_spikes_[k]);
      spike += weight * dppair_template_spikes_[k];
    }
    for (k = 0; k < f->cells; k++) mean[k] += share * f->bell[b * f->cells + k];
  }
  for (k = 0; k < f->cells; k++) {
    const double root = f->root[k];
    mean[k] += spike * f->spike[k];
    mean[k] += tau2 * root / (sd * sd + tau2 * root * root) * (y[k] - root * mean[k]);
  }
  dppair_templates_turn_(h, f, mean, 1);
  dppair_templates_project_(h, f->cells);
}

/* One step of EM: the prior becomes the mean of the columns' posteriors, to which the uniform prior
 * counts as one more. */
DPPAIR_API void dppair_templates_learn_(dppair_templates_ *f, size_t columns) {
  size_t t;
  for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) {
    f->prior[t] = dppair_log_((f->sum[t] + dppair_exp_(f->base[t])) / (double)(columns + 1));
    f->sum[t] = 0.0;
  }
}

/* --- all columns ------------------------------------------------------------------------------ */

/* What is written: h, and raw and deviation or NULL; sd: of the noise of a share. */
typedef struct dppair_estimates_ {
  dppair_marginals_state_ s;
  dppair_templates_ *f;
  double *h, *raw, *deviation;
  const double *v;
  double n, sd;
} dppair_estimates_;

/* Takes both parts of the workspace from base, and returns the bytes that they use. */
DPPAIR_API size_t dppair_estimates_take_(dppair_estimates_ *e, char *base, size_t marginals) {
  size_t used = marginals;
  e->f = (dppair_templates_ *)dppair_take_(base, &used, 1, sizeof *e->f);
  return used;
}

/* *bytes = the workspace of dppair_marginals_estimate for a query of d columns. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_estimate_workspace(size_t *bytes,
                                                                               size_t d) {
  dppair_estimates_ e;
  dppair_status status = dppair_marginals_workspace(bytes, d);
  if (status != DPPAIR_OK) return status;
  *bytes = dppair_estimates_take_(&e, NULL, *bytes);
  if (*bytes > SIZE_MAX - 64) status = DPPAIR_ERR_OVERFLOW;
  *bytes = status == DPPAIR_OK ? *bytes + 64 : 0; /* the place of the first part moves by that */
  return status;
}

/* The deviation of the noise of column j's shares: by class they are sums of two numbers. */
DPPAIR_API double dppair_estimates_noise_(const dppair_estimates_ *e, size_t j) {
  return e->s.query->columns[j].by_class ? e->sd * dppair_sqrt_(2.0) : e->sd;
}

/* The share that stands at v[at], or of both classes, the second one `block` numbers behind. */
DPPAIR_API double dppair_estimates_share_(const dppair_estimates_ *e, size_t j, size_t at,
                                          size_t block) {
  const double share = e->v[at] / e->n;
  return e->s.query->columns[j].by_class ? share + e->v[at + block] / e->n : share;
}

/* Flags, groups and the label: shares as they are, and held in [0, 1]. */
DPPAIR_API void dppair_estimates_count_(dppair_estimates_ *e, size_t at, double share,
                                        double deviation) {
  e->h[at] = share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
  if (e->raw != NULL) e->raw[at] = share;
  if (e->deviation != NULL) e->deviation[at] = deviation;
}

/* Is column k numeric, and of the same cells about zero as the numeric column j? */
DPPAIR_API int dppair_estimates_alike_(const dppair_estimates_ *e, size_t j, size_t k) {
  const dppair_cells *a = &e->s.cells[j], *b = &e->s.cells[k];
  return a->cells == b->cells && a->zero == b->zero;
}

/* A^-1 Y of column j, from y = U'Y, with the deviation of its noise. */
DPPAIR_API void dppair_estimates_raw_(dppair_estimates_ *e, size_t j, const double *y) {
  const dppair_templates_ *f = e->f;
  size_t i, k;
  for (i = 0; i < f->cells; i++) {
    double mass = 0.0, noise = 0.0;
    for (k = 0; k < f->cells; k++) {
      const double u = f->vector[k * f->cells + i] / f->root[k];
      mass += u * y[k];
      noise += u * u;
    }
    if (e->raw != NULL) e->raw[e->s.start[j] + i] = mass;
    if (e->deviation != NULL)
      e->deviation[e->s.start[j] + i] = dppair_estimates_noise_(e, j) * dppair_sqrt_(noise);
  }
}

/* All columns of the same cells as column j, which is the first of them. */
DPPAIR_API dppair_status dppair_estimates_shape_(dppair_estimates_ *e, size_t j, int learn) {
  dppair_templates_ *f = e->f;
  const dppair_marginals *q = e->s.query;
  const size_t m = e->s.cells[j].cells, *start = e->s.start;
  size_t i, k, t, columns = 0;
  int round;
  dppair_status status = dppair_smoothing_units_(f->vector, m, q->smooth, q->width, e->s.room);
  for (i = 0; i < m * m; i++) f->vector[i] /= DPPAIR_SMOOTHING_UNITS_;
  if (!(q->smooth > 0.0))
    for (i = 0; i < m; i++) f->root[i] = 1.0;
  else if (status == DPPAIR_OK)
    status = dppair_eigen_(f->root, f->vector, f->vector, m, e->s.room);
  if (status != DPPAIR_OK) return status;
  if (!(f->root[0] > 1e-3)) return DPPAIR_ERR_DOMAIN;
  f->cells = m;
  dppair_templates_make_(f, &e->s.cells[j]);
  for (k = j; k < q->d; k++)
    if (dppair_estimates_alike_(e, j, k)) {
      for (i = 0; i < m; i++) e->s.a[i] = dppair_estimates_share_(e, k, start[k] + i, m);
      dppair_templates_turn_(e->h + start[k], f, e->s.a, 0);
      columns++;
    }
  memset(f->sum, 0, sizeof f->sum);
  for (round = 0; round < 3 && learn; round++) {
    for (k = j; k < q->d; k++)
      if (dppair_estimates_alike_(e, j, k)) {
        dppair_templates_weigh_(f, e->h + start[k], dppair_estimates_noise_(e, k));
        for (t = 0; t < f->bells * DPPAIR_SPIKES_; t++) f->sum[t] += f->weight[t];
      }
    dppair_templates_learn_(f, columns);
  }
  for (k = j; k < q->d; k++)
    if (dppair_estimates_alike_(e, j, k)) {
      dppair_estimates_raw_(e, k, e->h + start[k]);
      dppair_templates_estimate_(e->h + start[k], f, e->h + start[k],
                                 dppair_estimates_noise_(e, k));
    }
  return DPPAIR_OK;
}

/* All columns, into arrays of zeros. */
DPPAIR_API dppair_status dppair_estimates_make_(dppair_estimates_ *e, int learn) {
  const dppair_marginals *q = e->s.query;
  const double weight = dppair_label_weight(q->label);
  dppair_status status = DPPAIR_OK;
  size_t j, k;
  for (j = 0; j < q->d && status == DPPAIR_OK; j++) {
    if (e->s.cells[j].cells == 0) {
      dppair_estimates_count_(e, e->s.start[j], dppair_estimates_share_(e, j, e->s.start[j], 1),
                              dppair_estimates_noise_(e, j));
      continue;
    }
    for (k = 0; k < j && !dppair_estimates_alike_(e, j, k);) k++;
    if (k == j) status = dppair_estimates_shape_(e, j, learn);
  }
  if (q->label > 0.0)
    dppair_estimates_count_(e, e->s.start[q->d], e->v[e->s.start[q->d]] / e->n / weight,
                            e->sd / weight);
  return status;
}

/*
 * h[0..size) = what the released marginals v say of the shares of n records, laid out as v: of a
 * numeric column a distribution over its cells, of the others a share in [0, 1], at start[d] the
 * share of positives. By class: of all records, in the place of the positives, and 0 in the place
 * of the negatives. raw and deviation, both or either NULL: the same without bias, as noisy as the
 * release (A^-1 v/n), and the deviation of its noise. noise: the deviation of that of each number
 * of v: release->sigma, under Laplace's law sqrt 2 times that. learn: whether columns of the same
 * cells learn from each other, which pays where little is known of each. work: as
 * dppair_marginals_estimate_workspace says.
 *
 * Errors zero h, raw, deviation: those of dppair_marginals_layout; SIZE (size, n = 0); NOT_FINITE
 * (v, noise); DOMAIN (noise < 0; a kernel that hides directions of the counts, smooth = 1 and
 * wide); WORKSPACE; NO_CONVERGENCE; ENVIRONMENT. OVERFLOW does not touch them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_estimate(
    double *h, double *raw, double *deviation, const double *v, size_t size,
    const dppair_marginals *query, size_t n, double noise, int learn, void *work, size_t bytes) {
  dppair_estimates_ e;
  size_t needed = 0, marginals = 0;
  dppair_status status = dppair_array_(h, size);
  if (status != DPPAIR_OK) return status;
  if (size > 0) memset(h, 0, size * sizeof *h);
  if (raw != NULL) memset(raw, 0, size * sizeof *raw);
  if (deviation != NULL) memset(deviation, 0, size * sizeof *deviation);
  if (query == NULL || v == NULL || work == NULL) return DPPAIR_ERR_NULL;
  status = dppair_marginals_estimate_workspace(&needed, query->d);
  if (status == DPPAIR_OK && bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_marginals_workspace(&marginals, query->d);
  if (status == DPPAIR_OK) status = dppair_marginals_open_(&e.s, query, work, marginals);
  if (status == DPPAIR_OK && (size != e.s.start[query->d + 1] || n == 0)) status = DPPAIR_ERR_SIZE;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(noise) || !dppair_all_finite_f64(v, size)) return DPPAIR_ERR_NOT_FINITE;
  if (!(noise >= 0.0)) return DPPAIR_ERR_DOMAIN;
  (void)dppair_estimates_take_(&e, dppair_align_(work), marginals);
  e.h = h, e.raw = raw, e.deviation = deviation, e.v = v;
  e.n = (double)n;
  e.sd = noise / e.n < 1e9 ? noise / e.n : 1e9; /* a larger one says nothing either */
  status = dppair_estimates_make_(&e, learn);
  if (status == DPPAIR_OK) return status;
  memset(h, 0, size * sizeof *h);
  if (raw != NULL) memset(raw, 0, size * sizeof *raw);
  if (deviation != NULL) memset(deviation, 0, size * sizeof *deviation);
  return status;
}

DPPAIR_FP_END_
