/* SPDX-License-Identifier: MIT */
/* Peers: what a careful programmer writes in plain C before any hand tuning. They are compiled by
 * themselves with -O3 -march=native -mprefer-vector-width=512 -ffast-math, so that the compiler may
 * vectorise as it likes. kind: 0 logistic, 1 hinge, 2 squared hinge, 3 square. */
#ifndef DPPAIR_BENCH_LOOPS_H
#define DPPAIR_BENCH_LOOPS_H

#include <stddef.h>

/* g = mean over pairs of phi'(s_i - s_j)(x_i - x_j): scores, a double loop for coefficients, X^T c. */
void loop_pairs_f32(float *g, const float *xp, const float *xn, size_t np, size_t nn, size_t d,
                    const float *w, int kind);
void loop_pairs_f64(double *g, const double *xp, const double *xn, size_t np, size_t nn, size_t d,
                    const double *w, int kind);
/* The same for the exact losses by qsort and binary search: O(n log n). kind: 1 or 2. */
void loop_sorted_f32(float *g, const float *xp, const float *xn, size_t np, size_t nn, size_t d,
                     const float *w, int kind);
void loop_sorted_f64(double *g, const double *xp, const double *xn, size_t np, size_t nn, size_t d,
                     const double *w, int kind);
/* Coefficients from scores, logistic: over all pairs; of the p-norm push; of average precision. */
void loop_coeffs_f32(float *a, float *b, const float *sp, size_t np, const float *sn, size_t nn);
void loop_coeffs_f64(double *a, double *b, const double *sp, size_t np, const double *sn, size_t nn);
void loop_push_f32(float *a, float *b, const float *sp, size_t np, const float *sn, size_t nn,
                   unsigned power);
void loop_push_f64(double *a, double *b, const double *sp, size_t np, const double *sn, size_t nn,
                   unsigned power);
void loop_precision_f32(float *a, float *b, const float *sp, size_t np, const float *sn, size_t nn);
void loop_precision_f64(double *a, double *b, const double *sp, size_t np, const double *sn,
                        size_t nn);
/* c[i] = -1/(1 + e^s[i]): the slopes of a pointwise logistic gradient. */
void loop_slopes_f32(double *c, const float *s, size_t n);
void loop_slopes_f64(double *c, const double *s, size_t n);
/* Each pair's gradient cut to norm clip first; logistic. */
void loop_clipped_f32(float *g, const float *xp, const float *xn, size_t np, size_t nn, size_t d,
                      const float *w, float clip);
void loop_clipped_f64(double *g, const double *xp, const double *xn, size_t np, size_t nn, size_t d,
                      const double *w, double clip);
/* G = 2/(n(n-1)) sum over i < j of phi'(m)(-y_i y_j)(x_i-x_j)(x_i-x_j)^T,
 * m = y_i y_j (1 - (x_i-x_j)^T W (x_i-x_j)). */
void loop_metric_f32(float *G, const float *x, const float *y, size_t n, size_t d, const float *W,
                     int kind);
void loop_metric_f64(double *G, const double *x, const double *y, size_t n, size_t d,
                     const double *W, int kind);

/* dz = the gradient of sum over i of log sum over j != i of e^(<z_i, z_j>/tau), less the one of
 * partner[i], a row of similarities at a time. */
void loop_infonce_f32(float *dz, const float *z, const size_t *partner, size_t n, size_t d,
                      float tau);
void loop_infonce_f64(double *dz, const double *z, const size_t *partner, size_t n, size_t d,
                      double tau);

/* dz[n][d] = the gradient of the margin loss over all triplets of rows with labels y: squared
 * distances of each row, then its positives by its negatives. */
void loop_triplets_f32(float *dz, const float *z, const float *y, size_t n, size_t d, float margin);
void loop_triplets_f64(double *dz, const double *z, const double *y, size_t n, size_t d,
                       double margin);
/* g = sum over k < m of the clipped logistic gradient of the pair (i[k], j[k]). */
void loop_listed_f32(float *g, const float *xp, const float *xn, size_t d, const float *w,
                     const size_t *i, const size_t *j, size_t m, float clip);
void loop_listed_f64(double *g, const double *xp, const double *xn, size_t d, const double *w,
                     const size_t *i, const size_t *j, size_t m, double clip);
/* The n x n passes of a clipped gradient in an array language, from square = Xp Xn^T, a = Xp w, b =
 * Xn w: a and b become the row and column sums of the clipped weights. Every pass makes a new array. */
void loop_gram_clip_f32(float *square, float *a, float *b, const float *xp, const float *xn, size_t np,
                        size_t nn, size_t d, float clip);
void loop_gram_clip_f64(double *square, double *a, double *b, const double *xp, const double *xn,
                        size_t np, size_t nn, size_t d, double clip);

/* Limits of the machine: rounds times 2048 (float) or 1024 (double) flops in registers; the sum of n
 * numbers. */
float loop_peak_f32(size_t rounds);
double loop_peak_f64(size_t rounds);
float loop_read_f32(const float *x, size_t n);
double loop_read_f64(const double *x, size_t n);

#endif
