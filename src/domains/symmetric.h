/* ------------------------------------------------------------------------------------------------
 * Symmetric matrices: coordinates, eigenvalues, projections by the spectrum, Cholesky factors
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* v[0..d(d+1)/2) = the symmetric part of w[d][d] in coordinates in which the Euclidean norm is the
 * Frobenius norm: the diagonal, then sqrt 2 times the entries below it, row by row. Add noise to a
 * symmetric matrix in these coordinates, because there are half as many of them as entries. */
DPPAIR_API void dppair_symmetric_pack_f64(double *v, const double *w, size_t d) {
  size_t i, j, at = d;
  for (i = 0; i < d; i++) v[i] = w[i * d + i];
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) v[at++] = (w[i * d + j] + w[j * d + i]) * 0.70710678118654752440;
}

/* The inverse: w[d][d] from v[0..d(d+1)/2). */
DPPAIR_API void dppair_symmetric_unpack_f64(double *w, const double *v, size_t d) {
  size_t i, j, at = d;
  for (i = 0; i < d; i++) w[i * d + i] = v[i];
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) w[i * d + j] = w[j * d + i] = v[at++] * 0.70710678118654752440;
}

/* Householder reflections that make the lower triangle of q tridiagonal: diag[k], off[k] = entry
 * (k+1, k). Then row r of q becomes row r of the product of the reflections, so that
 * a = q^T tridiagonal q. p: d numbers. */
DPPAIR_API void dppair_tridiagonalise_(double *q, double *diag, double *off, double *p, size_t d) {
  size_t i, j, k;
  for (k = 0; k + 1 < d; k++) {
    double *v = q + k * d, norm, first, size = 0.0, dot = 0.0;
    /* column k below the diagonal, kept in row k right of it, which is not used otherwise */
    for (i = k + 1; i < d; i++) v[i] = q[i * d + k];
    diag[k] = v[k];
    norm = dppair_norm_f64(v + k + 1, d - k - 1);
    first = v[k + 1];
    off[k] = first;
    v[k] = 0.0; /* 2/|v|^2, or 0 for no reflection */
    if (dppair_norm_f64(v + k + 2, d - k - 2) <= 0.0) continue;
    off[k] = first < 0.0 ? norm : -norm;
    /* v = x - off e1, scaled to first element 1: no cancellation by the choice of sign */
    for (i = k + 2; i < d; i++) v[i] /= first - off[k];
    v[k + 1] = 1.0;
    for (i = k + 1; i < d; i++) size += v[i] * v[i];
    v[k] = 2.0 / size;
    /* a <- a - v w^T - w v^T, w = p - (2/|v|^2)/2 (p.v) v, p = (2/|v|^2) a v */
    for (i = k + 1; i < d; i++) p[i] = 0.0;
    for (i = k + 1; i < d; i++) {
      const double *row = q + i * d, vi = v[i];
      double sum = row[i] * vi;
      for (j = k + 1; j < i; j++) {
        sum += row[j] * v[j];
        p[j] += row[j] * vi;
      }
      p[i] += sum;
    }
    for (i = k + 1; i < d; i++) {
      p[i] *= v[k];
      dot += p[i] * v[i];
    }
    dot *= 0.5 * v[k];
    for (i = k + 1; i < d; i++) p[i] -= dot * v[i];
    for (i = k + 1; i < d; i++) {
      double *row = q + i * d;
      for (j = k + 1; j <= i; j++) row[j] -= v[i] * p[j] + p[i] * v[j];
    }
  }
  if (d > 0) diag[d - 1] = q[d * d - 1];
  /* the product, from the last reflection to the first, each on the block that it touches */
  for (k = d; k-- > 0;) {
    double *v = q + k * d, beta = k + 1 < d ? v[k] : 0.0;
    for (i = k + 1; beta > 0.0 && i < d; i++) {
      double *row = q + i * d, dot = 0.0;
      for (j = k + 1; j < d; j++) dot += row[j] * v[j];
      dot *= beta;
      for (j = k + 1; j < d; j++) row[j] -= dot * v[j];
    }
    v[k] = 1.0;
    for (i = k + 1; i < d; i++) v[i] = q[i * d + k] = 0.0;
  }
}

/* One implicit QL sweep with Wilkinson's shift over the block l..m of a tridiagonal matrix: chases
 * the bulge from m up to l by rotations, which it also applies to the rows of q. off[k] is the
 * entry between k and k+1 and off[m] = 0. */
DPPAIR_API void dppair_ql_sweep_(double *q, double *diag, double *off, size_t l, size_t m,
                                 size_t d) {
  double slope = (diag[l + 1] - diag[l]) / (2.0 * off[l]), root = dppair_hypot_(slope, 1.0);
  double shift = off[l] / (slope < 0.0 ? slope - root : slope + root);
  double g = diag[m] - diag[l] + shift, sine = 1.0, cosine = 1.0, moved = 0.0;
  size_t i, k;
  for (i = m; i-- > l;) {
    double *lower = q + i * d, *upper = q + (i + 1) * d;
    const double f = sine * off[i], b = cosine * off[i], size = dppair_hypot_(f, g);
    double t;
    off[i + 1] = size;
    if (!(size > 0.0)) { /* the block has split at i + 1 by itself */
      diag[i + 1] -= moved;
      off[m] = 0.0;
      return;
    }
    sine = f / size;
    cosine = g / size;
    /* back to length 1: a bias of the rounding would add up over the rotations of a row */
    t = 0.5 * dppair_fma_f64_(-cosine, cosine, dppair_fma_f64_(-sine, sine, 1.0));
    sine = dppair_fma_f64_(sine, t, sine);
    cosine = dppair_fma_f64_(cosine, t, cosine);
    g = diag[i + 1] - moved;
    t = (diag[i] - g) * sine + 2.0 * cosine * b;
    moved = sine * t;
    diag[i + 1] = g + moved;
    g = cosine * t - b;
    for (k = 0; k < d; k++) {
      const double u = upper[k], v = lower[k];
      upper[k] = sine * v + cosine * u;
      lower[k] = cosine * v - sine * u;
    }
  }
  diag[l] -= moved;
  off[l] = g;
  off[m] = 0.0;
}

/* out[d][d] = the symmetric part of a[d][d] times a power of two that brings all entries below 1:
 * squares then neither overflow nor vanish. Returns the exponent that undoes it. */
DPPAIR_API int dppair_symmetric_scaled_(double *out, const double *a, size_t d) {
  double top = 0.0;
  size_t i, j;
  int exponent;
  for (i = 0; i < d * d; i++) top = dppair_fabs_(a[i]) > top ? dppair_fabs_(a[i]) : top;
  (void)dppair_frexp_(top, &exponent);
  for (i = 0; i < d; i++)
    for (j = 0; j <= i; j++)
      out[i * d + j] = out[j * d + i] =
          dppair_ldexp_(a[i * d + j], -exponent - 1) + dppair_ldexp_(a[j * d + i], -exponent - 1);
  return exponent;
}

/* The end of the block of a tridiagonal matrix that begins at i: the first j >= i whose off[j] is
 * negligible beside its two neighbours on the diagonal or beside `size`, the matrix's; it is set
 * to 0. */
DPPAIR_API size_t dppair_block_end_(const double *diag, double *off, size_t i, size_t d,
                                    double size) {
  size_t j;
  for (j = i; j + 1 < d; j++)
    if (dppair_fabs_(off[j]) <=
            0.5 * DBL_EPSILON * (dppair_fabs_(diag[j]) + dppair_fabs_(diag[j + 1])) ||
        dppair_fabs_(off[j]) <= 0.125 * DBL_EPSILON * size) {
      off[j] = 0.0;
      break;
    }
  return j;
}

/* Diagonalises a tridiagonal matrix by QL sweeps and applies the rotations to the rows of q.
 * Returns 0 when 80 sweeps were not enough for an eigenvalue (LAPACK allows 30) or a number is not
 * finite, else 1. */
DPPAIR_API int dppair_diagonalise_(double *q, double *diag, double *off, size_t d) {
  double size = 0.0;
  size_t i, end;
  int sweeps;
  if (!dppair_all_finite_f64(diag, d) || !dppair_all_finite_f64(off, d)) return 0;
  for (i = 0; i < d; i++) {
    const double row = dppair_fabs_(diag[i]) + dppair_fabs_(off[i]);
    size = row > size ? row : size;
  }
  for (i = 0; i < d; i++)
    for (sweeps = 0; (end = dppair_block_end_(diag, off, i, d, size)) > i; sweeps++) {
      if (sweeps == 80) return 0;
      dppair_ql_sweep_(q, diag, off, i, end, d);
    }
  return 1;
}

/* Sorts the eigenvalues in ascending order, and the rows of q with them. */
DPPAIR_API void dppair_eigen_sort_(double *values, double *q, size_t d) {
  size_t i, j, k;
  for (i = 0; i < d; i++) {
    size_t least = i;
    double t;
    for (j = i + 1; j < d; j++)
      if (values[j] < values[least]) least = j;
    if (least == i) continue;
    t = values[least];
    values[least] = values[i];
    values[i] = t;
    for (k = 0; k < d; k++) {
      t = q[i * d + k];
      q[i * d + k] = q[least * d + k];
      q[least * d + k] = t;
    }
  }
}

/* The doubles of the workspace of a d x d matrix: d (d + 3), SIZE_MAX where that overflows. */
DPPAIR_API size_t dppair_matrix_room_(size_t d) {
  return d > SIZE_MAX - 3 ? SIZE_MAX : dppair_area_(d, d + 3);
}

/* *bytes = the workspace of dppair_eigen_f64 and of the three projections of a d x d matrix. Errors
 * zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_workspace(size_t *bytes, size_t d) {
  return dppair_work_bytes_(bytes, dppair_matrix_room_(d));
}

/* dppair_eigen_f64 for finite a, d >= 1, without its checks; room: 2 d numbers. */
DPPAIR_API dppair_status dppair_eigen_(double *values, double *vectors, const double *a, size_t d,
                                       double *room) {
  size_t k;
  const int exponent = dppair_symmetric_scaled_(vectors, a, d);
  dppair_tridiagonalise_(vectors, values, room, room + d, d);
  room[d - 1] = 0.0;
  if (!dppair_diagonalise_(vectors, values, room, d)) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_eigen_sort_(values, vectors, d);
  for (k = 0; k < d; k++) values[k] = dppair_ldexp_(values[k], exponent);
  return dppair_all_finite_f64(values, d) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* values[d] ascending and vectors[d][d], row k a unit eigenvector of values[k], of the symmetric
 * part of a[d][d] (a and vectors may be the same array). work: as dppair_project_workspace says.
 * Householder tridiagonalisation, then implicit QL (Golub and Van Loan, Matrix Computations, 8.3);
 * O(d^3). For d <= 500 and any spectrum, residuals and departures from orthogonality stay below
 * 1e-13 times the norm. NOT_FINITE, NULL, WORKSPACE, OVERFLOW (d*d or an eigenvalue),
 * NO_CONVERGENCE; outputs zeroed on error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_eigen_f64(double *values, double *vectors,
                                                            const double *a, size_t d, void *work,
                                                            size_t bytes) {
  double *room;
  dppair_status status = DPPAIR_ERR_NULL;
  if (dppair_matrix_room_(d) > SIZE_MAX / sizeof *a) return DPPAIR_ERR_OVERFLOW;
  if (d == 0) return DPPAIR_OK;
  if (values && vectors && a) status = dppair_work_(&room, dppair_matrix_room_(d), work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_all_finite_f64(a, d * d) ? dppair_eigen_(values, vectors, a, d, room)
                                             : DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return DPPAIR_OK;
  if (values) memset(values, 0, d * sizeof *values);
  if (vectors) memset(vectors, 0, d * d * sizeof *vectors);
  return status;
}

/* Projects w on an orthogonally invariant set, which is done on the eigenvalues alone (von
 * Neumann's trace inequality): w is made symmetric, its eigenvalues are projected, and where that
 * changed any of them w is put together again. trace > 0: eigenvalues onto {v >= 0, sum v <=
 * trace}; otherwise onto [low, high]. vectors: d (d + 3) numbers, d >= 1. */
DPPAIR_API dppair_status dppair_project_spectrum_(double *w, size_t d, double low, double high,
                                                  double trace, double *vectors) {
  double *values = vectors + d * d, sum = 0.0, top = 0.0, threshold = 0.0;
  size_t i, j, k;
  int changed = 0;
  const dppair_status status = dppair_eigen_(values, vectors, w, d, values + d);
  if (status != DPPAIR_OK) {
    memset(w, 0, d * d * sizeof *w);
    return status;
  }
  if (trace > 0.0) {
    low = 0.0;
    high = trace;
    for (k = 0; k < d; k++) sum += values[k] > 0.0 ? values[k] : 0.0;
    if (sum > trace) {
      top = values[d - 1];
      threshold = dppair_simplex_threshold_(values, d, trace);
    }
  }
  for (k = 0; k < d; k++) {
    const double v = (values[k] - top) - threshold, held = v < low ? low : v > high ? high : v;
    changed |= held != values[k];
    values[k] = held;
  }
  for (i = 0; i < d; i++) /* symmetric part, the nearest symmetric matrix */
    for (j = 0; j < i; j++) w[i * d + j] = w[j * d + i] = 0.5 * w[i * d + j] + 0.5 * w[j * d + i];
  if (!changed) return DPPAIR_OK;
  memset(w, 0, d * d * sizeof *w);
  for (k = 0; k < d; k++) {
    const double *v = vectors + k * d;
    if (!(dppair_fabs_(values[k]) > 0.0)) continue;
    for (i = 0; i < d; i++) {
      const double s = values[k] * v[i];
      for (j = 0; j <= i; j++) w[i * d + j] += s * v[j];
    }
  }
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) w[j * d + i] = w[i * d + j];
  return dppair_project_args_(w, d * d, 1);
}

/* The checks of the projections of a matrix w[d][d], then dppair_project_spectrum_. */
DPPAIR_API dppair_status dppair_project_matrix_(double *w, size_t d, int parameters_ok, double low,
                                                double high, double trace, void *work,
                                                size_t bytes) {
  double *room;
  dppair_status status;
  if (dppair_matrix_room_(d) > SIZE_MAX / sizeof *w) return DPPAIR_ERR_OVERFLOW;
  status =
      dppair_project_open_(&room, dppair_matrix_room_(d), w, d * d, parameters_ok, work, bytes);
  if (status != DPPAIR_OK || d == 0) return status;
  return dppair_project_spectrum_(w, d, low, high, trace, room);
}

/* w[d][d] becomes the nearest symmetric matrix whose eigenvalues lie in [low, high]; an end may be
 * infinite. low = 0, high = INFINITY: the positive semidefinite cone. low = -cap, high = cap: the
 * spectral-norm ball. work: as dppair_project_workspace says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_spectral_f64(double *w, size_t d,
                                                                       double low, double high,
                                                                       void *work, size_t bytes) {
  return dppair_project_matrix_(w, d, low <= high, low, high, 0.0, work, bytes);
}

/* ... the nearest positive semidefinite matrix of Frobenius norm <= radius. (The projection on a
 * closed convex cone, scaled back into a ball about 0, is the projection on the intersection: with
 * p the point on the cone, <w - p, v - p> <= 0 on the cone and <w - p, p> = 0, and for |p| > r,
 * <w - r p/|p|, v - r p/|p|> <= (|p| - r) (|v| - r) <= 0 on the intersection.) */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_psd_frobenius_f64(double *w, size_t d,
                                                                            double radius,
                                                                            void *work,
                                                                            size_t bytes) {
  const int ok = dppair_positive_(radius);
  const dppair_status status = dppair_project_matrix_(w, d, ok, 0.0, DBL_MAX, 0.0, work, bytes);
  return status == DPPAIR_OK ? dppair_project_l2_f64(w, d * d, radius) : status;
}

/* ... the nearest positive semidefinite matrix of trace <= trace, that is, of nuclear norm. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_psd_trace_f64(double *w, size_t d,
                                                                        double trace, void *work,
                                                                        size_t bytes) {
  return dppair_project_matrix_(w, d, dppair_positive_(trace), 0.0, 0.0, trace, work, bytes);
}

/* a[d][d], of which the lower triangle is read, becomes its Cholesky factor l, a = l l^T, on and
 * below the diagonal. NULL; NO_CONVERGENCE (a is not positive definite, or too nearly not) leaves a
 * in pieces. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_cholesky_f64(double *a, size_t d) {
  size_t i, j, k;
  if (!a && d) return DPPAIR_ERR_NULL;
  for (j = 0; j < d; j++)
    for (i = j; i < d; i++) {
      double sum = a[i * d + j];
      for (k = 0; k < j; k++) sum -= a[i * d + k] * a[j * d + k];
      if (i == j && !(sum > 0.0 && dppair_isfinite_f64(sum))) return DPPAIR_ERR_NO_CONVERGENCE;
      a[i * d + j] = i == j ? dppair_sqrt_(sum) : sum / a[j * d + j];
    }
  return DPPAIR_OK;
}

/* v becomes a^-1 v, for a factor that dppair_cholesky_f64 made of a. */
DPPAIR_API void dppair_cholesky_solve_f64(double *v, const double *factor, size_t d) {
  size_t j, k;
  for (j = 0; j < d; j++) {
    for (k = 0; k < j; k++) v[j] -= factor[j * d + k] * v[k];
    v[j] /= factor[j * d + j];
  }
  for (j = d; j-- > 0;) {
    for (k = j + 1; k < d; k++) v[j] -= factor[k * d + j] * v[k];
    v[j] /= factor[j * d + j];
  }
}

DPPAIR_FP_END_
