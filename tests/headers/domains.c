/* SPDX-License-Identifier: MIT */
/* Projections by membership, optimality, idempotence and brute force; the eigensolver on every kind
 * of spectrum; sorting and measures against double loops; every error path. */
#include "tests.h"

#include "dppair.h"

enum { ROUNDS = BRIEF ? 30 : 300, LARGE = BRIEF ? 60 : 500, DMAX = 8 };

typedef enum domain { BALL, BOX, SIMPLEX, L1, PSD, PSD_BALL, PSD_TRACE, SPECTRAL, DOMAINS } domain;

/* d: length of a vector, or rows of a matrix. */
static void project(domain k, double *w, size_t d) {
  double work[DMAX * (DMAX + 3) + 8];
  dppair_status s = DPPAIR_ERR_DOMAIN;
  if (k == BALL) s = dppair_project_l2_f64(w, d, 1.5);
  if (k == BOX) s = dppair_project_box_f64(w, d, -0.5, 1.0);
  if (k == SIMPLEX) s = dppair_project_simplex_f64(w, d, 1.5, work, sizeof work);
  if (k == L1) s = dppair_project_l1_f64(w, d, 1.5, work, sizeof work);
  if (k == PSD) s = dppair_project_spectral_f64(w, d, 0.0, HUGE_VAL, work, sizeof work);
  if (k == PSD_BALL) s = dppair_project_psd_frobenius_f64(w, d, 1.5, work, sizeof work);
  if (k == PSD_TRACE) s = dppair_project_psd_trace_f64(w, d, 1.5, work, sizeof work);
  if (k == SPECTRAL) s = dppair_project_spectral_f64(w, d, -0.5, 1.0, work, sizeof work);
  assert_int_equal(s, DPPAIR_OK);
}

/* By how much w is outside: 0 when inside. */
static double outside(domain k, const double *w, size_t d) {
  long double sum = 0, square = 0, worst = 0;
  double values[DMAX], vectors[DMAX * DMAX], work[DMAX * (DMAX + 3) + 8];
  const size_t count = k >= PSD ? d * d : d;
  for (size_t i = 0; i < count; i++) {
    sum += k == L1 ? fabsl((long double)w[i]) : (long double)w[i];
    square += (long double)w[i] * (long double)w[i];
    if (k == BOX && (w[i] < -0.5 || w[i] > 1.0)) return 1.0;
    if (k == SIMPLEX && w[i] < 0.0) return 1.0;
  }
  if (k == BALL) return square <= 2.25L ? 0.0 : 1.0;
  if (k == L1) return sum <= 1.5L ? 0.0 : 1.0;
  if (k == SIMPLEX) return (double)fabsl(sum - 1.5L);
  if (k < PSD) return 0.0;
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < i; j++)
      if (w[i * d + j] < w[j * d + i] || w[i * d + j] > w[j * d + i]) return 1.0;
  if (k == PSD_BALL && square > 2.25L) return 1.0;
  assert_int_equal(dppair_eigen_f64(values, vectors, w, d, work, sizeof work), DPPAIR_OK);
  sum = 0;
  for (size_t i = 0; i < d; i++) {
    const long double v = (long double)values[i];
    const long double low = k == SPECTRAL ? -0.5L : 0.0L;
    if (low - v > worst) worst = low - v;
    if (k == SPECTRAL && v - 1 > worst) worst = v - 1;
    sum += v;
  }
  if (k == PSD_TRACE && sum - 1.5L > worst) worst = sum - 1.5L;
  return (double)worst;
}

static double random_entry(int kind) {
  if (kind == 0) return between(-3.0, 3.0);
  if (kind == 1) return (double)(int)(random_bits() % 5) - 2.0; /* ties */
  if (kind == 2) return between(-1.0, 1.0) * pow(10.0, between(-12.0, 12.0));
  return between(-0.1, 0.3); /* often inside */
}

/* p is the projection of w iff p is in the set and <w - p, v - p> <= 0 for every v of the set. */
static void a_projection_is_inside_nearest_and_idempotent(void **unused) {
  (void)unused;
  for (int k = 0; k < DOMAINS; k++)
    for (int round = 0; round < ROUNDS; round++) {
      const size_t d = 1 + (size_t)round % DMAX, count = k >= PSD ? d * d : d;
      double w[DMAX * DMAX], p[DMAX * DMAX], q[DMAX * DMAX], v[DMAX * DMAX], scale;
      for (size_t i = 0; i < count; i++) p[i] = w[i] = random_entry(round % 4);
      if (round % 16 == 7)
        for (size_t i = 0; i < count; i++) p[i] = w[i] = 0.0;
      scale = 1.0 + dppair_norm_f64(w, count);
      project((domain)k, p, d);
      assert_true(outside((domain)k, p, d) <= 1e-13 * (k == PSD ? scale : 4.0));
      for (int trial = 0; trial < 40; trial++) {
        double dot = 0.0;
        for (size_t i = 0; i < count; i++) v[i] = random_entry(trial % 4);
        project((domain)k, v, d);
        for (size_t i = 0; i < count; i++) dot += (w[i] - p[i]) * (v[i] - p[i]);
        assert_true(dot <=
                    1e-12 * scale * (1.0 + dppair_norm_f64(v, count)) * (k == PSD ? scale : 1.0));
      }
      memcpy(q, p, sizeof q);
      project((domain)k, q, d);
      for (size_t i = 0; i < count; i++)
        assert_true(fabs(q[i] - p[i]) <= 4e-15 * (k == PSD ? scale : 4.0) * (double)d);
    }
}

/* In two dimensions: no point of a fine grid inside is nearer. */
static void no_point_of_a_fine_grid_inside_is_nearer_than_the_projection(void **unused) {
  enum { GRID = 60 };
  (void)unused;
  for (int k = 0; k <= L1; k++)
    for (int round = 0; round < ROUNDS / 3; round++) {
      const double w[2] = {between(-3.0, 3.0), between(-3.0, 3.0)};
      double p[2] = {w[0], w[1]}, nearest = 1e9, got;
      project((domain)k, p, 2);
      got = hypot(w[0] - p[0], w[1] - p[1]);
      for (int i = -GRID; i <= GRID; i++)
        for (int j = -GRID; j <= GRID; j++) {
          double v[2] = {i * 1.5 / GRID, j * 1.5 / GRID};
          if (k == SIMPLEX) v[1] = 1.5 - v[0];
          if (k == SIMPLEX && (v[0] < 0.0 || v[1] < 0.0)) continue;
          if (k != SIMPLEX && outside((domain)k, v, 2) > 0.0) continue;
          nearest = fmin(nearest, hypot(w[0] - v[0], w[1] - v[1]));
        }
      assert_true(got <= nearest + 1e-12);
      assert_true(got >= nearest - 2.2 * 1.5 / GRID);
    }
  /* 2 x 2 semidefinite matrices are [a, b; b, c] with a, c >= 0 and ac >= b^2 */
  for (int k = PSD; k <= PSD_TRACE; k++)
    for (int round = 0; round < ROUNDS / 10 + 1; round++) {
      const double w[3] = {between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)};
      double p[4] = {w[0], w[1], w[1], w[2]}, nearest = 1e9, got;
      project((domain)k, p, 2);
      got = sqrt((w[0] - p[0]) * (w[0] - p[0]) + 2 * (w[1] - p[1]) * (w[1] - p[1]) +
                 (w[2] - p[3]) * (w[2] - p[3]));
      for (int i = 0; i <= 40; i++)
        for (int j = -40; j <= 40; j++)
          for (int l = 0; l <= 40; l++) {
            const double a = i * 0.05, b = j * 0.05, c = l * 0.05;
            if (a * c < b * b || (k == PSD_BALL && a * a + 2 * b * b + c * c > 2.25) ||
                (k == PSD_TRACE && a + c > 1.5))
              continue;
            nearest = fmin(nearest, sqrt((w[0] - a) * (w[0] - a) + 2 * (w[1] - b) * (w[1] - b) +
                                         (w[2] - c) * (w[2] - c)));
          }
      assert_true(got <= nearest + 1e-12 && got >= nearest - 0.12);
    }
}

/* a = rotations of diag(values); returns the largest |value|. */
static void with_spectrum(double *a, const double *values, size_t d) {
  memset(a, 0, d * d * sizeof *a);
  for (size_t i = 0; i < d; i++) a[i * d + i] = values[i];
  for (size_t turn = 0; turn < 3 * d; turn++) {
    const size_t i = (size_t)(random_bits() % d), j = (size_t)(random_bits() % d);
    const double t = between(0.0, 7.0), c = cos(t), s = sin(t);
    if (i == j) continue;
    for (size_t k = 0; k < d; k++) {
      const double u = a[i * d + k], v = a[j * d + k];
      a[i * d + k] = c * u - s * v;
      a[j * d + k] = s * u + c * v;
    }
    for (size_t k = 0; k < d; k++) {
      const double u = a[k * d + i], v = a[k * d + j];
      a[k * d + i] = c * u - s * v;
      a[k * d + j] = s * u + c * v;
    }
  }
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < i; j++) a[i * d + j] = a[j * d + i];
}

/* Residual and orthogonality, both relative to the norm. */
static void check_eigen(const double *a, size_t d, const char *what) {
  double *q = malloc(d * d * sizeof *q), *values = malloc(d * sizeof *values);
  size_t bytes;
  void *work;
  double norm = 0.0, residual = 0.0, skew = 0.0;
  assert_non_null(q);
  assert_non_null(values);
  assert_int_equal(dppair_project_workspace(&bytes, d), DPPAIR_OK);
  work = malloc(bytes);
  assert_non_null(work);
  assert_int_equal(dppair_eigen_f64(values, q, a, d, work, bytes), DPPAIR_OK);
  free(work);
  for (size_t k = 0; k < d; k++) norm = fmax(norm, fabs(values[k]));
  for (size_t k = 0; k < d; k++) {
    if (k) assert_true(values[k - 1] <= values[k]);
    for (size_t i = 0; i < d; i++) {
      double image = 0.0, dot = 0.0;
      for (size_t j = 0; j < d; j++) {
        image += norm > 0.0 ? a[i * d + j] / norm * q[k * d + j] : 0.0;
        dot += q[i * d + j] * q[k * d + j];
      }
      if (norm > 0.0) residual = fmax(residual, fabs(image - values[k] / norm * q[k * d + i]));
      skew = fmax(skew, fabs(dot - (i == k ? 1.0 : 0.0)));
    }
  }
  if (residual > 1e-13 || skew > 1e-13) printf("%s %g %g\n", what, residual, skew);
  assert_true(residual <= 1e-13 && skew <= 1e-13);
  free(q);
  free(values);
}

static void the_eigensolver_is_accurate_on_every_kind_of_spectrum(void **unused) {
  static const size_t sizes[] = {1, 2, 3, 5, 17, 64, LARGE};
  (void)unused;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t d = sizes[s];
    double *a = malloc(d * d * sizeof *a), *values = malloc(d * sizeof *values);
    assert_non_null(a);
    assert_non_null(values);
    for (int kind = 0; kind < 13; kind++) {
      if (d > 100 && kind != 0 && kind != 3 && kind != 5 && kind != 9) continue;
      for (size_t i = 0; i < d; i++) {
        const double t = d > 1 ? (double)i / (double)(d - 1) : 0.0;
        switch (kind) {
        case 0:
          values[i] = between(-1.0, 1.0);
          break;
        case 1:
          values[i] = 0.0;
          break;
        case 2:
          values[i] = 1.0;
          break; /* repeated */
        case 3:
          values[i] = (double)(i % 3) - 1.0;
          break; /* three clusters, zeros */
        case 4:
          values[i] = i == 0 ? -2.0 : 0.0;
          break; /* rank one, negative */
        case 5:
          values[i] = pow(10.0, -16.0 * t);
          break; /* graded */
        case 6:
          values[i] = 1.0 + 1e-14 * (double)i;
          break; /* nearly repeated */
        case 7:
          values[i] = between(-1e300, 1e300);
          break;
        case 8:
          values[i] = between(-1e-300, 1e-300);
          break;
        default:
          values[i] = 0.0;
        }
      }
      with_spectrum(a, values, d);
      for (size_t i = 0; kind >= 9 && i < d; i++)
        for (size_t j = 0; j <= i; j++) {
          double v = 0.0;
          if (kind == 9)
            v = i == j ? fabs((double)i - (double)(d / 2)) : i == j + 1;      /* Wilkinson */
          if (kind == 10) v = i == j ? (double)(i % 2) : 0.0;                 /* diagonal */
          if (kind == 11) v = 1.0 / (double)(i + j + 1);                      /* Hilbert */
          if (kind == 12) v = (i < 2 ? 1.0 : 1e-11) * (j < 2 ? 1.0 : -1e-11); /* tiny couplings */
          a[i * d + j] = a[j * d + i] = v;
        }
      check_eigen(a, d, kind == 5 ? "graded" : "spectrum");
      /* the spectrum that went in comes out */
      if (kind < 9 && d <= 64) {
        double *out = malloc(d * sizeof *out), *q = malloc(d * d * sizeof *q), top = 0.0;
        double work[64 * 67 + 8];
        assert_non_null(out);
        assert_non_null(q);
        assert_int_equal(dppair_eigen_f64(out, q, a, d, work, sizeof work), DPPAIR_OK);
        dppair_sort_f64(values, d);
        for (size_t i = 0; i < d; i++) top = fmax(top, fabs(values[i]));
        for (size_t i = 0; i < d; i++)
          assert_true(fabs(out[i] - values[i]) <= 1e-13 * (top > 0.0 ? top : 1e-300));
        free(out);
        free(q);
      }
    }
    free(a);
    free(values);
  }
}

static void packing_a_symmetric_matrix_keeps_its_norm_and_its_entries(void **unused) {
  double w[49], back[49], v[28];
  (void)unused;
  for (size_t i = 0; i < 7; i++)
    for (size_t j = 0; j <= i; j++) w[i * 7 + j] = w[j * 7 + i] = between(-1.0, 1.0);
  dppair_symmetric_pack_f64(v, w, 7);
  dppair_symmetric_unpack_f64(back, v, 7);
  assert_true(fabs(dppair_norm_f64(v, 28) - dppair_norm_f64(w, 49)) < 1e-14);
  for (int i = 0; i < 49; i++) assert_true(fabs(back[i] - w[i]) < 1e-15);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void both_sorts_order_every_pattern_as_qsort_does(void **unused) {
  enum { N = 3000 };
  static double x[N], want[N];
  (void)unused;
  for (int round = 0; round < 60; round++) {
    const size_t n = round < 30 ? (size_t)round : (size_t)(random_bits() % N);
    for (size_t i = 0; i < n; i++)
      x[i] = round % 6 == 0   ? (double)i
             : round % 6 == 1 ? -(double)i
             : round % 6 == 2 ? (double)(random_bits() % 3)
             : round % 6 == 3 ? (double)(i < n / 2 ? i : n - i)
             : round % 6 == 4 ? 1.0
                              : between(-1.0, 1.0);
    memcpy(want, x, n * sizeof *x);
    qsort(want, n, sizeof *want, ascending);
    dppair_sort_f64(x, n);
    for (size_t i = 0; i < n; i++) assert_true(x[i] == want[i]);
    dppair_heap_sort_(x, n);
    for (size_t i = 0; i < n; i++) assert_true(x[i] == want[i]);
  }
}

static void ranking_measures_match_their_definitions_by_double_loops(void **unused) {
  enum { N = 60 };
  (void)unused;
  for (int round = 0; round < ROUNDS; round++) {
    const size_t np = 1 + (size_t)(random_bits() % N), nn = 1 + (size_t)(random_bits() % N);
    const size_t n = np + nn, k = 1 + (size_t)(random_bits() % n);
    const int levels = 2 + (int)(random_bits() % 20);
    double s[2 * N], y[2 * N], b[2 * N], work[8 * N + 8], got, want = 0.0, sa = 0.0, sb = 0.0, rate;
    for (size_t i = 0; i < n; i++) {
      s[i] = (double)(random_bits() % (uint64_t)levels);
      b[i] = (double)(random_bits() % (uint64_t)levels);
      y[i] = i < np ? 1.0 : -1.0;
    }
    for (size_t i = 0; i < np; i++)
      for (size_t j = np; j < n; j++) want += s[i] > s[j] ? 1.0 : s[i] < s[j] ? 0.0 : 0.5;
    want /= (double)np * (double)nn;
    assert_int_equal(dppair_auc_not_private_f64(&got, s, np, s + np, nn, work, sizeof work),
                     DPPAIR_OK);
    assert_true(fabs(got - want) < 1e-14);
    assert_int_equal(
        dppair_partial_auc_not_private_f64(&got, s, np, s + np, nn, 1.0, work, sizeof work),
        DPPAIR_OK);
    assert_true(fabs(got - want) < 1e-13);
    /* the curve itself, integrated up to the rate in many small steps of its own corners */
    rate = between(0.01, 1.0);
    want = 0.0;
    for (int level = levels; level >= 0; level--) {
      double f0 = 0, f1 = 0, t0 = 0, t1 = 0, end;
      for (size_t i = 0; i < n; i++) {
        double *open = y[i] > 0 ? &t0 : &f0, *closed = y[i] > 0 ? &t1 : &f1;
        const double unit = 1.0 / (double)(y[i] > 0 ? np : nn);
        if (s[i] > level) *open += unit;
        if (s[i] >= level) *closed += unit;
      }
      end = fmin(f1, rate);
      if (f1 > f0 && end > f0) want += (end - f0) * (t0 + 0.5 * (t1 - t0) * (end - f0) / (f1 - f0));
    }
    assert_int_equal(
        dppair_partial_auc_not_private_f64(&got, s, np, s + np, nn, rate, work, sizeof work),
        DPPAIR_OK);
    assert_true(fabs(got - want / rate) < 1e-11);
    /* precision at k: mean over orders of ties = expectation record by record */
    want = 0.0;
    for (size_t i = 0; i < n; i++) {
      size_t above = 0, tied = 0;
      for (size_t j = 0; j < n; j++) {
        above += s[j] > s[i];
        tied += !(s[j] > s[i]) && !(s[j] < s[i]);
      }
      if (y[i] > 0 && above < k)
        want += above + tied <= k ? 1.0 : (double)(k - above) / (double)tied;
    }
    assert_int_equal(dppair_precision_not_private_f64(&got, s, y, n, k, work, sizeof work),
                     DPPAIR_OK);
    assert_true(fabs(got - want / (double)k) < 1e-13);
    /* Kendall */
    want = 0.0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < i; j++) {
        const int p = (s[i] > s[j]) - (s[i] < s[j]), q = (b[i] > b[j]) - (b[i] < b[j]);
        want += p * q;
        sa += p * p;
        sb += q * q;
      }
    if (sa > 0.0 && sb > 0.0) {
      assert_int_equal(dppair_kendall_not_private_f64(&got, s, b, n, work, sizeof work), DPPAIR_OK);
      assert_true(fabs(got - want / sqrt(sa * sb)) < 1e-13);
    } else {
      assert_int_equal(dppair_kendall_not_private_f64(&got, s, b, n, work, sizeof work),
                       DPPAIR_ERR_DOMAIN);
    }
  }
}

static void nearest_neighbour_accuracy_matches_a_brute_force_vote(void **unused) {
  enum { N = 40, M = 15, D = 4, LD = 5, K = 5 };
  (void)unused;
  for (int round = 0; round < ROUNDS / 3; round++) {
    double x[N * LD], y[N], tx[M * LD], ty[M], w[D * D], work[4 * N + D + 8], got;
    const size_t k = 1 + (size_t)round % K;
    int correct = 0, use_w = round % 2;
    for (int i = 0; i < N * LD; i++) x[i] = between(-1.0, 1.0);
    for (int i = 0; i < M * LD; i++) tx[i] = between(-1.0, 1.0);
    for (int i = 0; i < N; i++) y[i] = (double)(random_bits() % 3);
    for (int i = 0; i < M; i++) ty[i] = (double)(random_bits() % 3);
    for (int i = 0; i < D; i++)
      for (int j = 0; j <= i; j++) w[i * D + j] = w[j * D + i] = between(-0.2, 0.2) + (i == j);
    for (int t = 0; t < M; t++) {
      double distance[N], label = -1.0;
      int used[N] = {0}, order[K], votes = 0;
      for (int i = 0; i < N; i++) {
        distance[i] = 0.0;
        for (int a = 0; a < D; a++)
          for (int b = 0; b < D; b++)
            distance[i] += (x[i * LD + a] - tx[t * LD + a]) * (x[i * LD + b] - tx[t * LD + b]) *
                           (use_w ? w[a * D + b] : a == b);
      }
      for (size_t r = 0; r < k; r++) {
        int best = -1;
        for (int i = 0; i < N; i++)
          if (!used[i] && (best < 0 || distance[i] < distance[best])) best = i;
        used[best] = 1;
        order[r] = best;
      }
      for (size_t r = 0; r < k; r++) {
        int same = 0;
        for (size_t q = 0; q < k; q++) same += y[order[q]] == y[order[r]];
        if (same > votes) votes = same, label = y[order[r]];
      }
      correct += label == ty[t];
    }
    assert_int_equal(dppair_knn_accuracy_not_private_f64(&got, x, y, N, tx, ty, M, D, LD,
                                                         use_w ? w : NULL, k, work, sizeof work),
                     DPPAIR_OK);
    assert_true(fabs(got - (double)correct / M) < 1e-15);
  }
}

static void recall_at_k_matches_a_search_among_the_others(void **unused) {
  enum { N = 30, D = 3, LD = 4 };
  (void)unused;
  for (int round = 0; round < ROUNDS / 3; round++) {
    double x[N * LD], y[N], w[D * D], work[4 * N + D + 8], got, last = 0.0;
    const size_t n = round < 4 ? 2 + (size_t)round : N;
    const int use_w = round % 2, labels = 1 + round % 7;
    for (int i = 0; i < N * LD; i++) /* whole numbers: many distances are equal */
      x[i] = round % 3 ? between(-1.0, 1.0) : (double)(random_bits() % 3);
    for (int i = 0; i < N; i++) y[i] = (double)(random_bits() % (unsigned)labels);
    for (int i = 0; i < D; i++)
      for (int j = 0; j <= i; j++) w[i * D + j] = w[j * D + i] = (double)(i == j) * (1 + i);
    for (size_t k = 1; k < n && k < 9; k++) {
      size_t found = 0;
      for (size_t i = 0; i < n; i++) {
        int used[N] = {0}, hit = 0;
        for (size_t r = 0; r < k; r++) {
          size_t best = N;
          double least = HUGE_VAL;
          for (size_t j = 0; j < n; j++) {
            double distance = 0.0;
            for (int c = 0; c < D; c++)
              distance += (x[j * LD + (size_t)c] - 2.0 * x[i * LD + (size_t)c]) *
                          x[j * LD + (size_t)c] * (use_w ? w[c * D + c] : 1.0);
            if (j == i || used[j] || distance >= least) continue;
            best = j, least = distance;
          }
          used[best] = 1;
          hit |= y[best] == y[i];
        }
        found += (size_t)hit;
      }
      assert_int_equal(dppair_recall_at_not_private_f64(&got, x, y, n, D, LD, use_w ? w : NULL, k,
                                                        work, sizeof work),
                       DPPAIR_OK);
      assert_true(fabs(got - (double)found / (double)n) < 1e-15 && got >= last);
      last = got;
    }
    if (labels == 1) assert_true(last == 1.0);
    for (size_t i = 0; i < n; i++) y[i] = (double)i; /* all alone */
    assert_int_equal(
        dppair_recall_at_not_private_f64(&got, x, y, n, D, LD, NULL, 1, work, sizeof work),
        DPPAIR_OK);
    assert_true(got == 0.0);
  }
}

#define FAILS(status, call)                                                                        \
  do {                                                                                             \
    w[0] = w[3] = 7.0;                                                                             \
    assert_int_equal(call, status);                                                                \
    assert_true(w[0] == 0.0 && w[3] == 0.0);                                                       \
  } while (0)

static void bad_radii_matrices_and_measures_are_refused_and_outputs_zeroed(void **unused) {
  const double nan = (double)NAN, inf = HUGE_VAL;
  double w[4] = {1.0, 2.0, 2.0, 1.0}, work[64], values[2], out = 7.0, s[2] = {0.5, 1.0}, bad[2];
  (void)unused;
  bad[0] = 0.0, bad[1] = nan;
  for (int i = 0; i < 4; i++) {
    const double radius[4] = {0.0, -1.0, nan, inf};
    FAILS(DPPAIR_ERR_DOMAIN, dppair_project_l2_f64(w, 4, radius[i]));
    FAILS(DPPAIR_ERR_DOMAIN, dppair_project_l1_f64(w, 4, radius[i], work, sizeof work));
    FAILS(DPPAIR_ERR_DOMAIN, dppair_project_simplex_f64(w, 4, radius[i], work, sizeof work));
    FAILS(DPPAIR_ERR_DOMAIN, dppair_project_psd_frobenius_f64(w, 2, radius[i], work, sizeof work));
    FAILS(DPPAIR_ERR_DOMAIN, dppair_project_psd_trace_f64(w, 2, radius[i], work, sizeof work));
  }
  FAILS(DPPAIR_ERR_DOMAIN, dppair_project_box_f64(w, 4, 1.0, 0.0));
  FAILS(DPPAIR_ERR_DOMAIN, dppair_project_box_f64(w, 4, nan, 0.0));
  FAILS(DPPAIR_ERR_DOMAIN, dppair_project_spectral_f64(w, 2, 1.0, 0.0, work, sizeof work));
  FAILS(DPPAIR_ERR_DOMAIN, dppair_project_spectral_f64(w, 2, nan, 0.0, work, sizeof work));
  FAILS(DPPAIR_ERR_NULL, dppair_project_spectral_f64(w, 2, 0.0, 1.0, NULL, 0));
  FAILS(DPPAIR_ERR_NULL, dppair_project_l1_f64(w, 4, 1.0, NULL, 0));
  FAILS(DPPAIR_ERR_NULL, dppair_project_simplex_f64(w, 4, 1.0, NULL, 0));
  for (int i = 0; i < 2; i++) {
    const double poison = i ? inf : nan;
    FAILS(DPPAIR_ERR_NOT_FINITE, (w[1] = poison, dppair_project_l2_f64(w, 4, 1.0)));
    FAILS(DPPAIR_ERR_NOT_FINITE,
          (w[1] = poison, dppair_project_l1_f64(w, 4, 1.0, work, sizeof work)));
    FAILS(DPPAIR_ERR_NOT_FINITE, (w[1] = poison, dppair_project_box_f64(w, 4, 0.0, 1.0)));
    FAILS(DPPAIR_ERR_NOT_FINITE,
          (w[1] = poison, dppair_project_simplex_f64(w, 4, 1.0, work, sizeof work)));
    FAILS(DPPAIR_ERR_NOT_FINITE,
          (w[1] = poison, dppair_project_psd_frobenius_f64(w, 2, 1.0, work, sizeof work)));
    FAILS(DPPAIR_ERR_NOT_FINITE,
          (w[1] = poison, dppair_project_psd_trace_f64(w, 2, 1.0, work, sizeof work)));
    FAILS(DPPAIR_ERR_NOT_FINITE, dppair_eigen_f64(values, w, (bad[0] = poison, bad), 1, work,
                                                  sizeof work) == DPPAIR_ERR_NOT_FINITE
                                     ? (w[3] = 0.0, DPPAIR_ERR_NOT_FINITE)
                                     : DPPAIR_OK);
  }
  bad[0] = 0.0;
  assert_int_equal(dppair_project_l2_f64(NULL, 4, 1.0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_project_l2_f64(NULL, 0, 1.0), DPPAIR_OK);
  assert_int_equal(dppair_eigen_f64(values, NULL, w, 2, work, sizeof work), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_partial_auc_not_private_f64(&out, s, 1, s, 1, 0.0, work, sizeof work),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_partial_auc_not_private_f64(&out, s, 1, s, 1, 1.1, work, sizeof work),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_partial_auc_not_private_f64(&out, s, 0, s, 1, 1.0, work, sizeof work),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_partial_auc_not_private_f64(&out, bad, 2, s, 1, 1.0, work, sizeof work),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_precision_not_private_f64(&out, s, s, 2, 0, work, sizeof work),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_precision_not_private_f64(&out, s, s, 2, 3, work, sizeof work),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_precision_not_private_f64(&out, s, bad, 2, 1, work, sizeof work),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_kendall_not_private_f64(&out, s, s, 1, work, sizeof work),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_kendall_not_private_f64(&out, s, bad, 2, work, sizeof work),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_kendall_not_private_f64(&out, s, NULL, 2, work, sizeof work),
                   DPPAIR_ERR_NULL);
  assert_int_equal(
      dppair_knn_accuracy_not_private_f64(&out, s, s, 2, s, s, 2, 1, 1, NULL, 3, work, sizeof work),
      DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_knn_accuracy_not_private_f64(&out, bad, s, 2, s, s, 2, 1, 1, NULL, 1,
                                                       work, sizeof work),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(out == 0.0);
  for (size_t n = 0; n < 3; n++) { /* no other record, or fewer than k */
    out = 7.0;
    assert_int_equal(
        dppair_recall_at_not_private_f64(&out, s, s, n, 1, 1, NULL, 2, work, sizeof work),
        DPPAIR_ERR_SIZE);
    assert_true(out == 0.0);
  }
  assert_int_equal(
      dppair_recall_at_not_private_f64(&out, s, NULL, 2, 1, 1, NULL, 1, work, sizeof work),
      DPPAIR_ERR_NULL);
  assert_int_equal(
      dppair_recall_at_not_private_f64(&out, bad, s, 2, 1, 1, NULL, 1, work, sizeof work),
      DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(
      dppair_recall_at_not_private_f64(&out, s, bad, 2, 1, 1, NULL, 1, work, sizeof work),
      DPPAIR_ERR_NOT_FINITE);
  assert_true(out == 0.0);
}

/* The functions with a workspace, each on public sizes of its own; returns its status. */
enum { WITH_WORK = 11 };
static dppair_status with_work(int which, double *out, void *work, size_t bytes) {
  static const double s[4] = {0.5, 1.0, -1.0, 2.0}, y[4] = {1.0, -1.0, 1.0, 1.0};
  double values[2], vectors[4];
  dppair_status status;
  switch (which) {
  case 0:
    return dppair_project_simplex_f64(out, 4, 1.5, work, bytes);
  case 1:
    return dppair_project_l1_f64(out, 4, 1.5, work, bytes);
  case 2:
    return dppair_project_spectral_f64(out, 2, 0.0, 1.0, work, bytes);
  case 3:
    return dppair_project_psd_frobenius_f64(out, 2, 1.5, work, bytes);
  case 4:
    return dppair_project_psd_trace_f64(out, 2, 1.5, work, bytes);
  case 5:
    status = dppair_eigen_f64(values, vectors, s, 2, work, bytes);
    out[0] = out[3] = values[0];
    return status;
  default:
    break;
  }
  status = which == 6   ? dppair_auc_not_private_f64(out, s, 2, y, 2, work, bytes)
           : which == 7 ? dppair_precision_not_private_f64(out, s, y, 4, 2, work, bytes)
           : which == 8 ? dppair_kendall_not_private_f64(out, s, y, 4, work, bytes)
           : which == 9 ? dppair_recall_at_not_private_f64(out, s, y, 4, 1, 1, NULL, 2, work, bytes)
                        : dppair_knn_accuracy_not_private_f64(out, s, y, 4, s, y, 2, 1, 1, NULL, 4,
                                                              work, bytes);
  if (status != DPPAIR_OK) out[3] = 0.0;
  return status;
}

static void a_workspace_of_the_stated_bytes_is_enough_anywhere_and_less_is_refused(void **unused) {
  size_t bytes;
  (void)unused;
  for (int which = 0; which < WITH_WORK; which++) {
    double first[4] = {1.0, 2.0, 3.0, 4.0};
    assert_int_equal(which < 2   ? dppair_project_l1_workspace(&bytes, 4)
                     : which < 6 ? dppair_project_workspace(&bytes, 2)
                                 : dppair_measures_workspace(&bytes, 4, which >= 9),
                     DPPAIR_OK);
    for (size_t past = 0; past < 64; past++) { /* the sanitizer sees a byte too many */
      char *const memory = malloc(past + bytes);
      double out[4] = {1.0, 2.0, 3.0, 4.0};
      assert_non_null(memory);
      assert_int_equal(with_work(which, out, memory + past, bytes), DPPAIR_OK);
      if (past == 0) memcpy(first, out, sizeof first);
      for (int k = 0; k < 4; k++) assert_true(out[k] == first[k]);
      assert_int_equal(with_work(which, out, memory + past, bytes - 1), DPPAIR_ERR_WORKSPACE);
      assert_true(out[0] == 0.0 && out[3] == 0.0);
      free(memory);
    }
    first[0] = first[3] = 7.0;
    assert_int_equal(with_work(which, first, NULL, bytes), DPPAIR_ERR_NULL);
    assert_true(first[0] == 0.0 && first[3] == 0.0);
  }
  bytes = 7;
  assert_int_equal(dppair_project_workspace(&bytes, SIZE_MAX / 2), DPPAIR_ERR_OVERFLOW);
  assert_true(bytes == 0);
  assert_int_equal(dppair_project_workspace(&bytes, SIZE_MAX), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_project_l1_workspace(&bytes, SIZE_MAX / 8), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_measures_workspace(&bytes, SIZE_MAX / 4, SIZE_MAX / 2),
                   DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_measures_workspace(&bytes, SIZE_MAX / 4, SIZE_MAX), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_measures_workspace(&bytes, SIZE_MAX / 2, 0), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_project_workspace(NULL, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_project_l1_workspace(NULL, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_measures_workspace(NULL, 1, 1), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_project_workspace(&bytes, 0), DPPAIR_OK);
  assert_true(bytes == 0);
  assert_int_equal(dppair_project_spectral_f64(NULL, 0, 0.0, 1.0, NULL, 0), DPPAIR_OK);
  assert_int_equal(dppair_project_l1_f64(NULL, 0, 1.0, NULL, 0), DPPAIR_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_projection_is_inside_nearest_and_idempotent),
      TEST(no_point_of_a_fine_grid_inside_is_nearer_than_the_projection),
      TEST(the_eigensolver_is_accurate_on_every_kind_of_spectrum),
      TEST(packing_a_symmetric_matrix_keeps_its_norm_and_its_entries),
      TEST(both_sorts_order_every_pattern_as_qsort_does),
      TEST(ranking_measures_match_their_definitions_by_double_loops),
      TEST(nearest_neighbour_accuracy_matches_a_brute_force_vote),
      TEST(recall_at_k_matches_a_search_among_the_others),
      TEST(bad_radii_matrices_and_measures_are_refused_and_outputs_zeroed),
      TEST(a_workspace_of_the_stated_bytes_is_enough_anywhere_and_less_is_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
