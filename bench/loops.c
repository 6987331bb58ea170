/* SPDX-License-Identifier: MIT */
/* One text for both element types: this file includes itself. See loops.h. */
#ifndef REAL
#include "loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL float
#define EXP expf
#define LOG logf
#define SQRT sqrtf
#define NAME(x) x##_f32
#include "loops.c"
#undef REAL
#undef EXP
#undef LOG
#undef SQRT
#undef NAME

#define REAL double
#define EXP exp
#define LOG log
#define SQRT sqrt
#define NAME(x) x##_f64
#include "loops.c"

#else

static inline REAL NAME(slope)(int kind, REAL u) {
  switch (kind) {
  case 0: return -(REAL)1 / ((REAL)1 + EXP(u));
  case 1: return u < (REAL)1 ? (REAL)-1 : (REAL)0;
  case 2: return u < (REAL)1 ? (REAL)-2 * ((REAL)1 - u) : (REAL)0;
  default: return (REAL)-2 * ((REAL)1 - u);
  }
}

void NAME(loop_slopes)(double *restrict c, const REAL *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++) c[i] = (double)NAME(slope)(0, s[i]);
}

static void NAME(scores)(REAL *restrict s, const REAL *restrict x, size_t n, size_t d,
                         const REAL *restrict w) {
  for (size_t i = 0; i < n; i++) {
    REAL sum = 0;
    for (size_t k = 0; k < d; k++) sum += w[k] * x[i * d + k];
    s[i] = sum;
  }
}

static void NAME(add_rows)(REAL *restrict g, const REAL *restrict x, size_t n, size_t d,
                           const REAL *restrict c) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < d; k++) g[k] += c[i] * x[i * d + k];
}

/* The switch on the loss stands outside the inner loop, as a careful programmer would have it. */
#define INNER(kind)                                                                                \
  for (size_t j = 0; j < nn; j++) {                                                                \
    const REAL c = NAME(slope)(kind, si - sn[j]);                                                  \
    row += c;                                                                                      \
    b[j] -= c;                                                                                     \
  }
void NAME(loop_pairs)(REAL *restrict g, const REAL *restrict xp, const REAL *restrict xn, size_t np,
                      size_t nn, size_t d, const REAL *restrict w, int kind) {
  REAL *restrict sp = malloc(np * sizeof(REAL)), *restrict sn = malloc(nn * sizeof(REAL));
  REAL *restrict a = malloc(np * sizeof(REAL)), *restrict b = calloc(nn, sizeof(REAL));
  const REAL scale = (REAL)1 / ((REAL)np * (REAL)nn);
  NAME(scores)(sp, xp, np, d, w);
  NAME(scores)(sn, xn, nn, d, w);
  for (size_t i = 0; i < np; i++) {
    const REAL si = sp[i];
    REAL row = 0;
    if (kind == 0) INNER(0)
    else if (kind == 1) INNER(1)
    else if (kind == 2) INNER(2)
    else INNER(3)
    a[i] = row;
  }
  memset(g, 0, d * sizeof(REAL));
  NAME(add_rows)(g, xp, np, d, a);
  NAME(add_rows)(g, xn, nn, d, b);
  for (size_t k = 0; k < d; k++) g[k] *= scale;
  free(sp);
  free(sn);
  free(a);
  free(b);
}
#undef INNER

static int NAME(order)(const void *a, const void *b) {
  const REAL x = *(const REAL *)a, y = *(const REAL *)b;
  return (x > y) - (x < y);
}

/* Numbers of the sorted x[0..n) that are at most v (or less than v, when below is set). */
static size_t NAME(rank)(const REAL *x, size_t n, REAL v, int below) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (below ? x[mid] < v : x[mid] <= v) low = mid + 1;
    else high = mid;
  }
  return low;
}

void NAME(loop_sorted)(REAL *restrict g, const REAL *restrict xp, const REAL *restrict xn,
                       size_t np, size_t nn, size_t d, const REAL *restrict w, int kind) {
  REAL *sp = malloc(np * sizeof(REAL)), *sn = malloc(nn * sizeof(REAL));
  REAL *p = malloc(np * sizeof(REAL)), *q = malloc(nn * sizeof(REAL));
  REAL *a = malloc(np * sizeof(REAL)), *b = malloc(nn * sizeof(REAL));
  double *above = calloc(nn + 1, sizeof(double)), *under = calloc(np + 1, sizeof(double));
  const REAL scale = (REAL)1 / ((REAL)np * (REAL)nn);
  NAME(scores)(sp, xp, np, d, w);
  NAME(scores)(sn, xn, nn, d, w);
  memcpy(p, sp, np * sizeof(REAL));
  memcpy(q, sn, nn * sizeof(REAL));
  qsort(p, np, sizeof(REAL), NAME(order));
  qsort(q, nn, sizeof(REAL), NAME(order));
  for (size_t j = nn; j > 0; j--) above[j - 1] = above[j] + (double)q[j - 1];
  for (size_t i = 0; i < np; i++) under[i + 1] = under[i] + (double)p[i];
  for (size_t i = 0; i < np; i++) {
    const size_t from = NAME(rank)(q, nn, sp[i] - 1, 0);
    const double count = (double)(nn - from);
    a[i] = (REAL)(kind == 1 ? -count : -2 * (count * (1 - (double)sp[i]) + above[from]));
  }
  for (size_t j = 0; j < nn; j++) {
    const size_t upto = NAME(rank)(p, np, sn[j] + 1, 1);
    const double count = (double)upto;
    b[j] = (REAL)(kind == 1 ? count : 2 * (count * (1 + (double)sn[j]) - under[upto]));
  }
  memset(g, 0, d * sizeof(REAL));
  NAME(add_rows)(g, xp, np, d, a);
  NAME(add_rows)(g, xn, nn, d, b);
  for (size_t k = 0; k < d; k++) g[k] *= scale;
  free(sp);
  free(sn);
  free(p);
  free(q);
  free(a);
  free(b);
  free(above);
  free(under);
}

void NAME(loop_clipped)(REAL *restrict g, const REAL *restrict xp, const REAL *restrict xn,
                        size_t np, size_t nn, size_t d, const REAL *restrict w, REAL clip) {
  const REAL scale = (REAL)1 / ((REAL)np * (REAL)nn);
  memset(g, 0, d * sizeof(REAL));
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) {
      const REAL *restrict u = xp + i * d, *restrict v = xn + j * d;
      REAL margin = 0, square = 0, c, most;
      for (size_t k = 0; k < d; k++) {
        const REAL t = u[k] - v[k];
        margin += w[k] * t;
        square += t * t;
      }
      c = -NAME(slope)(0, margin);
      most = clip / SQRT(square);
      if (most < c) c = most;
      for (size_t k = 0; k < d; k++) g[k] -= c * (u[k] - v[k]);
    }
  for (size_t k = 0; k < d; k++) g[k] *= scale;
}

void NAME(loop_metric)(REAL *restrict G, const REAL *restrict x, const REAL *restrict y, size_t n,
                       size_t d, const REAL *restrict W, int kind) {
  REAL *restrict t = malloc(d * sizeof(REAL));
  const REAL scale = (REAL)2 / ((REAL)n * (REAL)(n - 1));
  memset(G, 0, d * d * sizeof(REAL));
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++) {
      const REAL yy = y[i] * y[j];
      REAL q = 0, c;
      for (size_t k = 0; k < d; k++) t[k] = x[i * d + k] - x[j * d + k];
      for (size_t k = 0; k < d; k++) {
        REAL sum = 0;
        for (size_t l = 0; l < d; l++) sum += W[k * d + l] * t[l];
        q += sum * t[k];
      }
      c = -yy * NAME(slope)(kind, yy * ((REAL)1 - q));
      for (size_t k = 0; k < d; k++)
        for (size_t l = 0; l < d; l++) G[k * d + l] += c * t[k] * t[l];
    }
  for (size_t k = 0; k < d * d; k++) G[k] *= scale;
  free(t);
}

void NAME(loop_listed)(REAL *restrict g, const REAL *restrict xp, const REAL *restrict xn, size_t d,
                       const REAL *restrict w, const size_t *restrict i, const size_t *restrict j,
                       size_t m, REAL clip) {
  memset(g, 0, d * sizeof(REAL));
  for (size_t p = 0; p < m; p++) {
    const REAL *restrict u = xp + i[p] * d, *restrict v = xn + j[p] * d;
    REAL margin = 0, square = 0, c, most;
    for (size_t k = 0; k < d; k++) {
      const REAL t = u[k] - v[k];
      margin += w[k] * t;
      square += t * t;
    }
    c = -NAME(slope)(0, margin);
    most = clip / SQRT(square);
    if (most < c) c = most;
    for (size_t k = 0; k < d; k++) g[k] -= c * (u[k] - v[k]);
  }
}

void NAME(loop_gram_clip)(REAL *restrict square, REAL *restrict a, REAL *restrict b,
                          const REAL *restrict xp, const REAL *restrict xn, size_t np, size_t nn,
                          size_t d, REAL clip) {
  const size_t all = np * nn;
  REAL *restrict p = malloc((np + nn) * sizeof(REAL)), *restrict q = p + np;
  REAL *restrict u, *restrict e, *restrict s, *restrict root, *restrict cap, *restrict c;
  for (size_t i = 0; i < np; i++) {
    REAL sum = 0;
    for (size_t k = 0; k < d; k++) sum += xp[i * d + k] * xp[i * d + k];
    p[i] = sum;
  }
  for (size_t j = 0; j < nn; j++) {
    REAL sum = 0;
    for (size_t k = 0; k < d; k++) sum += xn[j * d + k] * xn[j * d + k];
    q[j] = sum;
  }
  for (size_t e0 = 0; e0 < all; e0++) square[e0] *= (REAL)-2;
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) square[i * nn + j] += p[i];
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) square[i * nn + j] += q[j];
  u = malloc(all * sizeof(REAL));
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) u[i * nn + j] = a[i] - b[j];
  e = malloc(all * sizeof(REAL));
  for (size_t k = 0; k < all; k++) e[k] = EXP(u[k]);
  free(u);
  s = malloc(all * sizeof(REAL));
  for (size_t k = 0; k < all; k++) s[k] = (REAL)1 / ((REAL)1 + e[k]);
  free(e);
  root = malloc(all * sizeof(REAL));
  for (size_t k = 0; k < all; k++) root[k] = SQRT(square[k] > (REAL)1e-12 ? square[k] :
                                                  (REAL)1e-12);
  cap = malloc(all * sizeof(REAL));
  for (size_t k = 0; k < all; k++) cap[k] = clip / root[k];
  free(root);
  c = malloc(all * sizeof(REAL));
  for (size_t k = 0; k < all; k++) c[k] = s[k] < cap[k] ? -s[k] : -cap[k];
  free(s);
  free(cap);
  memset(b, 0, nn * sizeof(REAL));
  for (size_t i = 0; i < np; i++) {
    REAL sum = 0;
    for (size_t j = 0; j < nn; j++) sum += c[i * nn + j];
    a[i] = sum;
  }
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) b[j] += c[i * nn + j];
  free(c);
  free(p);
}

void NAME(loop_infonce)(REAL *dz, const REAL *z, const size_t *partner, size_t n, size_t d,
                        REAL tau) {
  REAL *s = malloc(n * sizeof(REAL));
  memset(dz, 0, n * d * sizeof(REAL));
  for (size_t i = 0; i < n; i++) {
    const REAL *a = z + i * d;
    REAL *restrict da = dz + i * d, top = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++) {
      REAL dot = 0;
      for (size_t f = 0; f < d; f++) dot += a[f] * z[j * d + f];
      s[j] = dot / tau;
      if (j != i && s[j] > top) top = s[j];
    }
    s[i] = top - 200;
    for (size_t j = 0; j < n; j++) sum += s[j] = EXP(s[j] - top);
    for (size_t j = 0; j < n; j++) {
      const REAL w = j == i ? 0 : (s[j] / sum - (j == partner[i])) / tau;
      REAL *restrict db = dz + j * d;
      if (j == i) continue;
      for (size_t f = 0; f < d; f++) {
        da[f] += w * z[j * d + f];
        db[f] += w * a[f];
      }
    }
  }
  free(s);
}

void NAME(loop_triplets)(REAL *dz, const REAL *z, const REAL *y, size_t n, size_t d, REAL margin) {
  REAL *far = malloc(n * sizeof(REAL)), *w = malloc(n * sizeof(REAL));
  memset(dz, 0, n * d * sizeof(REAL));
  for (size_t i = 0; i < n; i++) {
    const REAL *a = z + i * d;
    REAL *restrict da = dz + i * d;
    for (size_t j = 0; j < n; j++) {
      REAL sum = 0;
      for (size_t f = 0; f < d; f++) sum += (a[f] - z[j * d + f]) * (a[f] - z[j * d + f]);
      far[j] = sum;
      w[j] = 0;
    }
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < n && j != i && y[j] == y[i]; k++) {
        const REAL active = y[k] != y[i] && margin + far[j] > far[k] ? 1 : 0;
        w[j] += active;
        w[k] -= active;
      }
    for (size_t j = 0; j < n; j++) {
      REAL *restrict db = dz + j * d;
      for (size_t f = 0; f < d && j != i; f++) {
        const REAL v = 2 * w[j] * (a[f] - z[j * d + f]);
        da[f] += v;
        db[f] -= v;
      }
    }
  }
  free(far);
  free(w);
}

/* *row += times the sum of the slopes of s - others, which b loses. */
static inline REAL NAME(slopes_of)(REAL *restrict b, REAL s, const REAL *restrict others, size_t n,
                                   REAL times) {
  REAL row = 0;
  for (size_t j = 0; j < n; j++) {
    const REAL c = -times / ((REAL)1 + EXP(s - others[j]));
    row += c;
    b[j] -= c;
  }
  return row;
}

static inline REAL NAME(values_of)(REAL s, const REAL *restrict others, size_t n) {
  REAL sum = 0;
  for (size_t j = 0; j < n; j++) sum += LOG((REAL)1 + EXP(others[j] - s));
  return sum;
}

void NAME(loop_coeffs)(REAL *restrict a, REAL *restrict b, const REAL *restrict sp, size_t np,
                       const REAL *restrict sn, size_t nn) {
  memset(b, 0, nn * sizeof(REAL));
  for (size_t i = 0; i < np; i++) a[i] = NAME(slopes_of)(b, sp[i], sn, nn, 1);
}

void NAME(loop_push)(REAL *restrict a, REAL *restrict b, const REAL *restrict sp, size_t np,
                     const REAL *restrict sn, size_t nn, unsigned power) {
  const REAL others = (REAL)(np + nn - 1);
  REAL *restrict minus = malloc((np + nn) * sizeof(REAL)); /* a negative against all positives */
  for (size_t i = 0; i < np + nn; i++) minus[i] = -(i < np ? sp[i] : sn[i - np]);
  memset(a, 0, np * sizeof(REAL));
  for (size_t j = 0; j < nn; j++) {
    const REAL h = NAME(values_of)(minus[np + j], minus, np) / others;
    REAL w = (REAL)power / others;
    for (unsigned r = 1; r < power; r++) w *= h;
    b[j] = -NAME(slopes_of)(a, minus[np + j], minus, np, w);
  }
  for (size_t i = 0; i < np; i++) a[i] = -a[i];
  free(minus);
}

void NAME(loop_precision)(REAL *restrict a, REAL *restrict b, const REAL *restrict sp, size_t np,
                          const REAL *restrict sn, size_t nn) {
  memset(a, 0, np * sizeof(REAL));
  memset(b, 0, nn * sizeof(REAL));
  for (size_t i = 0; i < np; i++) {
    const REAL met = NAME(values_of)(sp[i], sp, np), missed = NAME(values_of)(sp[i], sn, nn);
    const REAL inverse = (REAL)1 / (met + missed) / (met + missed);
    const REAL among = NAME(slopes_of)(a, sp[i], sp, np, -missed * inverse);
    a[i] += among + NAME(slopes_of)(b, sp[i], sn, nn, met * inverse);
  }
}

REAL NAME(loop_peak)(size_t rounds) {
  REAL sum[1024 / sizeof(REAL)], total = 0;
  enum { N = 1024 / sizeof(REAL) };
  for (size_t k = 0; k < N; k++) sum[k] = (REAL)k;
  for (size_t r = 0; r < rounds; r++)
    for (size_t m = 0; m < 4; m++)
      for (size_t k = 0; k < N; k++) sum[k] = sum[k] * (REAL)0.999 + (REAL)1e-3;
  for (size_t k = 0; k < N; k++) total += sum[k];
  return total;
}

REAL NAME(loop_read)(const REAL *restrict x, size_t n) {
  REAL sum[64] = {0}, total = 0;
  size_t i = 0;
  for (; i + 64 <= n; i += 64)
    for (size_t k = 0; k < 64; k++) sum[k] += x[i + k];
  for (size_t k = 0; k < 64; k++) total += sum[k];
  return total;
}
#endif
