/* ------------------------------------------------------------------------------------------------
 * What marginals by class say of the label
 *
 * Free, as estimates are. Of a numeric column counted by class, the probability of a positive is
 * searched as a smooth function of the rank t = 2F - 1 in [-1, 1], F the distribution function,
 *
 *   P(positive | t) = rate + sum_k c_k B_k(t),   B_k Legendre's polynomial of degree k = 1 to 4,
 *
 * of unit variance when t is uniform; neither monotone nor of one shape. With h the distribution
 * over the cells, v/n = A (h P) + noise for positives and A (h (1 - P)) + noise for negatives, so
 *
 *   (1 - rate) v_positive/n - rate v_negative/n = A diag(h) B c + noise,
 *
 * whose deviation is sqrt(rate^2 + (1 - rate)^2) times that of a share: four numbers by least
 * squares, with c_k = 0 +- .2, .2, .1, .05 a priori.
 *
 * Relies on estimate.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

enum { DPPAIR_CLASS_TERMS = 4 };

/* B_degree(t), for degrees 1 to 4. */
DPPAIR_API double dppair_class_term_(size_t degree, double t) {
  switch (degree) {
  case 1:
    return dppair_sqrt_(3.0) * t;
  case 2:
    return dppair_sqrt_(5.0) * (3.0 * t * t - 1.0) / 2.0;
  case 3:
    return dppair_sqrt_(7.0) * (5.0 * t * t - 3.0) * t / 2.0;
  default:
    return 3.0 * ((35.0 * t * t - 30.0) * t * t + 3.0) / 8.0;
  }
}

/* The sum of c[k] B_(k+1)(t) over k < DPPAIR_CLASS_TERMS, at a rank t in [-1, 1]: what the
 * probability of a positive exceeds the rate by. NULL: 0. */
DPPAIR_API double dppair_class_curve(const double *c, double t) {
  double sum = 0.0;
  size_t k;
  for (k = 0; k < DPPAIR_CLASS_TERMS && c != NULL; k++) sum += c[k] * dppair_class_term_(k + 1, t);
  return sum;
}

/* c of one column of m cells. a: the smoothing matrix; e: the left side of the equation, whose
 * noise has deviation sd. */
DPPAIR_API dppair_status dppair_classes_solve_(double *c, const double *a, size_t m,
                                               const double *e, const double *h, double sd) {
  enum { SIZE = DPPAIR_CLASS_TERMS };
  static const double spread[SIZE] = {0.2, 0.2, 0.1, 0.05};
  const double noise = sd * sd > 1e-6 ? sd * sd : 1e-6;
  double g[SIZE * SIZE], column[SIZE][DPPAIR_CELLS_MOST], below;
  size_t i, j, k, t;
  dppair_status status;
  for (i = 0; i < SIZE; i++) {
    memset(column[i], 0, sizeof column[i]);
    for (below = 0.0, k = 0; k < m; below += h[k++])
      for (t = 0; t < m; t++)
        column[i][t] += a[t * m + k] * h[k] * dppair_class_term_(i + 1, 2 * (below + h[k] / 2) - 1);
    for (c[i] = 0.0, k = 0; k < m; k++) c[i] += column[i][k] * e[k];
    for (j = 0; j <= i; j++)
      for (g[i * SIZE + j] = 0.0, k = 0; k < m; k++) g[i * SIZE + j] += column[i][k] * column[j][k];
    g[i * SIZE + i] += noise / (spread[i] * spread[i]);
  }
  status = dppair_cholesky_f64(g, SIZE);
  if (status == DPPAIR_OK) dppair_cholesky_solve_f64(c, g, SIZE);
  if (status != DPPAIR_OK) return status;
  return dppair_all_finite_f64(c, SIZE) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* All columns that still have cells, those of one number after each other: they share a matrix. sd:
 * of the noise of a share v/n. */
DPPAIR_API dppair_status dppair_classes_make_(double *c, const dppair_marginals_state_ *s,
                                              const double *v, const double *h, double n, double sd,
                                              double rate) {
  double e[DPPAIR_CELLS_MOST];
  size_t i, j, m = 0;
  dppair_status status = DPPAIR_OK;
  sd *= dppair_sqrt_(rate * rate + (1.0 - rate) * (1.0 - rate));
  while (status == DPPAIR_OK && (status = dppair_marginals_next_(&m, s)) == DPPAIR_OK && m > 0) {
    for (i = 0; i < m * m; i++) s->a[i] /= DPPAIR_SMOOTHING_UNITS_;
    for (j = 0; j < s->query->d && status == DPPAIR_OK; j++) {
      const double *at = v + s->start[j];
      if (s->cells[j].cells != m) continue;
      for (i = 0; i < m; i++) e[i] = (1.0 - rate) * (at[i] / n) - rate * (at[m + i] / n);
      status = dppair_classes_solve_(c + j * DPPAIR_CLASS_TERMS, s->a, m, e, h + s->start[j], sd);
    }
  }
  return status;
}

/*
 * c[d * DPPAIR_CLASS_TERMS]: of each numeric column counted by class, c_1 to c_4 of the head of
 * this chapter, which dppair_class_curve reads; 0 of all other columns. v, size, query, n, noise:
 * as for dppair_marginals_estimate, which made h; rate: the share of positives, in [0, 1], or an
 * estimate of it. work: as dppair_marginals_workspace says.
 *
 * Errors zero c: those of dppair_marginals_layout; SIZE (size, n = 0); NOT_FINITE (v, h, noise,
 * rate, or numbers so large that c is not); DOMAIN (noise < 0, rate); WORKSPACE; NO_CONVERGENCE;
 * ENVIRONMENT. OVERFLOW does not touch it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_classes(
    double *c, const double *v, const double *h, size_t size, const dppair_marginals *query,
    size_t n, double noise, double rate, void *work, size_t bytes) {
  dppair_marginals_state_ s;
  size_t j, d = query != NULL ? query->d : 0;
  dppair_status status = DPPAIR_OK;
  if (d > SIZE_MAX / (DPPAIR_CLASS_TERMS * sizeof *c)) return DPPAIR_ERR_OVERFLOW;
  if (c == NULL || query == NULL) return DPPAIR_ERR_NULL;
  d *= DPPAIR_CLASS_TERMS;
  if (d > 0) memset(c, 0, d * sizeof *c);
  if (v == NULL || h == NULL) return DPPAIR_ERR_NULL;
  status = dppair_marginals_open_(&s, query, work, bytes);
  if (status != DPPAIR_OK) return status;
  if (size != s.start[query->d + 1] || n == 0) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(noise) || !dppair_isfinite_f64(rate) ||
      !dppair_all_finite_f64(v, size) || !dppair_all_finite_f64(h, size))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(noise >= 0.0) || !(rate >= 0.0 && rate <= 1.0)) return DPPAIR_ERR_DOMAIN;
  for (j = 0; j < query->d; j++)
    if (!query->columns[j].by_class) s.cells[j].cells = 0;
  noise /= (double)n;
  status = dppair_classes_make_(c, &s, v, h, (double)n, noise < 1e9 ? noise : 1e9, rate);
  if (status != DPPAIR_OK && d > 0) memset(c, 0, d * sizeof *c);
  return status;
}

DPPAIR_FP_END_
