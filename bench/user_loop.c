/* SPDX-License-Identifier: MIT */
/* The scalar form of a user's loss: its macros with the vocabulary on one double, by the C library. The
 * user's file is included before this one (bench/user_loss.sh). Compiled twice: see user_loop.h. */
#include "user_loop.h"

#include <math.h>
#include <string.h>

#undef DPV_T
#undef DPV_M
#undef DPV_R
#undef DPV_SET
#undef DPV_ADD
#undef DPV_SUB
#undef DPV_MUL
#undef DPV_DIV
#undef DPV_FMA
#undef DPV_NEG
#undef DPV_ABS
#undef DPV_SQRT
#undef DPV_ROUND
#undef DPV_MAX
#undef DPV_MIN
#undef DPV_LT
#undef DPV_LE
#undef DPV_EQ
#undef DPV_AND
#undef DPV_OR
#undef DPV_SEL
#undef DPV_EXP
#undef DPV_LOG
#undef DPV_LOG1P
#undef DPV_SIGMOID
#undef DPV_SOFTPLUS
#undef DPV_CALL
#define DPV_T double
#define DPV_M int
#define DPV_R double
#define DPV_SET(x) ((double)(x))
#define DPV_ADD(a, b) ((a) + (b))
#define DPV_SUB(a, b) ((a) - (b))
#define DPV_MUL(a, b) ((a) * (b))
#define DPV_DIV(a, b) ((a) / (b))
#define DPV_FMA(a, b, c) ((a) * (b) + (c))
#define DPV_NEG(a) (-(a))
#define DPV_ABS(a) fabs(a)
#define DPV_SQRT(a) sqrt(a)
#define DPV_ROUND(a) rint(a)
#define DPV_MAX(a, b) larger(a, b)
#define DPV_MIN(a, b) smaller(a, b)
#define DPV_LT(a, b) ((a) < (b))
#define DPV_LE(a, b) ((a) <= (b))
#define DPV_EQ(a, b) ((a) == (b))
#define DPV_AND(m, n) ((m) & (n))
#define DPV_OR(m, n) ((m) | (n))
#define DPV_SEL(m, a, b) ((m) ? (a) : (b))
#define DPV_EXP(a) exp(a)
#define DPV_LOG(a) log(a)
#define DPV_LOG1P(a) log1p(a)
#define DPV_SIGMOID(a) (1.0 / (1.0 + exp(-(a))))
#define DPV_SOFTPLUS(a) softplus(a)
#define DPV_CALL(f, a) f(a)

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double softplus(double a) { return larger(a, 0.0) + log1p(exp(-fabs(a))); }

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
static inline double slope(double u, const double *p) {
  (void)larger, (void)smaller, (void)softplus, (void)p;
  return JOIN(USER_LOSS_NAME, _SLOPE)(u, p);
}

#ifndef USER_REFERENCE
static void add_rows(double *restrict g, const double *restrict x, size_t n, size_t d,
                     const double *restrict c) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < d; k++) g[k] += c[i] * x[i * d + k];
}

void user_loop(double *g, const double *x, size_t np, size_t nn, size_t d, const double *w,
               const double *params, double *room) {
  const size_t n = np + nn;
  double *restrict s = room, *restrict b = room + n + np, *restrict a = room + n;
  for (size_t i = 0; i < n; i++) {
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) sum += w[k] * x[i * d + k];
    s[i] = sum;
  }
  memset(b, 0, nn * sizeof *b);
  for (size_t i = 0; i < np; i++) {
    const double si = s[i];
    double row = 0.0;
    for (size_t j = 0; j < nn; j++) {
      const double c = slope(si - s[np + j], params);
      row += c;
      b[j] -= c;
    }
    a[i] = row;
  }
  memset(g, 0, d * sizeof *g);
  add_rows(g, x, n, d, a); /* b follows a */
}
#else
double user_reference(double *a, double *b, double *where, const double *s, size_t np, size_t nn,
                      const double *params) {
  double most = 0.0;
  for (size_t side = 0; side < 2; side++)
    for (size_t i = 0; i < (side ? nn : np); i++) {
      long double sum = 0.0L;
      for (size_t j = 0; j < (side ? np : nn); j++) {
        const double u = side ? s[j] - s[np + i] : s[i] - s[np + j], c = slope(u, params);
        if (c - c != 0.0) return *where = u, NAN;
        if (fabs(c) > most) most = fabs(c), *where = u;
        sum += c;
      }
      if (side) b[i] = (double)-sum;
      else a[i] = (double)sum;
    }
  return most;
}
#endif
