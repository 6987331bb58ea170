/* ------------------------------------------------------------------------------------------------
 * The FFT of the lattice route
 *
 * A complex FFT of radix 4 on separate real and imaginary arrays, n a power of two.
 * ---------------------------------------------------------------------------------------------- */

/* cos and sin of 2 pi p/n for p < n/4, within 8 units. Only every 64th pair is computed directly;
 * the ones between are products with a table of 64. */
DPPAIR_API void dppair_fft_table_(double *c, double *s, size_t n) {
  const size_t quarter = n / 4, block = 64;
  double fine_c[64], fine_s[64];
  size_t p, j;
  for (j = 0; j < block; j++) {
    const double angle = 2.0 * DPPAIR_PI_ * (double)j / (double)n;
    fine_c[j] = dppair_cos_(angle);
    fine_s[j] = dppair_sin_(angle);
  }
  for (p = 0; p < quarter; p += block) {
    const double angle = 2.0 * DPPAIR_PI_ * (double)p / (double)n;
    const double a = dppair_cos_(angle), b = dppair_sin_(angle);
    for (j = 0; j < block && p + j < quarter; j++) {
      c[p + j] = a * fine_c[j] - b * fine_s[j];
      s[p + j] = a * fine_s[j] + b * fine_c[j];
    }
  }
}

DPPAIR_LOOPS_BEGIN_
/* One radix-4 stage, from x to y, of s interleaved transforms of length n (Stockham's order, which
 * needs no reordering). Compilers turn this plain C into vectors; it is compiled once for any
 * processor and once for AVX2, with the same bits. */
DPPAIR_FORCE_INLINE_ void dppair_fft_stage_body_(double *DPPAIR_RESTRICT_ yr,
                                                 double *DPPAIR_RESTRICT_ yi,
                                                 const double *DPPAIR_RESTRICT_ xr,
                                                 const double *DPPAIR_RESTRICT_ xi, const double *c,
                                                 const double *sn, size_t n, size_t s) {
  const size_t m = n / 4;
  size_t p, q;
  for (p = 0; p < m; p++) {
    const double c1 = c[p * s], s1 = -sn[p * s];
    const double c2 = c1 * c1 - s1 * s1, s2 = 2.0 * c1 * s1;
    const double c3 = c1 * c2 - s1 * s2, s3 = c1 * s2 + s1 * c2;
    const double *ar = xr + s * p, *ai = xi + s * p;
    double *or_ = yr + 4 * s * p, *oi = yi + 4 * s * p;
    for (q = 0; q < s; q++) {
      const double r0 = ar[q] + ar[q + 2 * s * m], i0 = ai[q] + ai[q + 2 * s * m];
      const double r1 = ar[q] - ar[q + 2 * s * m], i1 = ai[q] - ai[q + 2 * s * m];
      const double r2 = ar[q + s * m] + ar[q + 3 * s * m], i2 = ai[q + s * m] + ai[q + 3 * s * m];
      const double r3 = ar[q + s * m] - ar[q + 3 * s * m], i3 = ai[q + s * m] - ai[q + 3 * s * m];
      const double ur = r1 + i3, ui = i1 - r3, vr = r0 - r2, vi = i0 - i2, wr = r1 - i3,
                   wi = i1 + r3;
      or_[q] = r0 + r2;
      oi[q] = i0 + i2;
      or_[q + s] = c1 * ur - s1 * ui;
      oi[q + s] = c1 * ui + s1 * ur;
      or_[q + 2 * s] = c2 * vr - s2 * vi;
      oi[q + 2 * s] = c2 * vi + s2 * vr;
      or_[q + 3 * s] = c3 * wr - s3 * wi;
      oi[q + 3 * s] = c3 * wi + s3 * wr;
    }
  }
}

DPPAIR_API void dppair_fft_stage_any_(double *yr, double *yi, const double *xr, const double *xi,
                                      const double *c, const double *sn, size_t n, size_t s) {
  dppair_fft_stage_body_(yr, yi, xr, xi, c, sn, n, s);
}

#if DPPAIR_HAVE_AVX2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
DPPAIR_API void dppair_fft_stage_avx2_(double *yr, double *yi, const double *xr, const double *xi,
                                       const double *c, const double *sn, size_t n, size_t s) {
  dppair_fft_stage_body_(yr, yi, xr, xi, c, sn, n, s);
}
DPPAIR_TARGET_END_
#endif
DPPAIR_LOOPS_END_

DPPAIR_API void dppair_fft_stage_(double *yr, double *yi, const double *xr, const double *xi,
                                  const double *c, const double *sn, size_t n, size_t s) {
#if DPPAIR_HAVE_AVX2
  if (dppair_tier() >= DPPAIR_TIER_AVX2) {
    dppair_fft_stage_avx2_(yr, yi, xr, xi, c, sn, n, s);
    return;
  }
#endif
  dppair_fft_stage_any_(yr, yi, xr, xi, c, sn, n, s);
}

/* X_k = sum_j x_j e^(-2 pi i jk/n), n a power of two. x and y are both overwritten; *in_y says
 * whether the result is in y. */
DPPAIR_API void dppair_fft_(int *in_y, double *xr, double *xi, double *yr, double *yi,
                            const double *c, const double *sn, size_t n) {
  size_t length = n, s = 1, q;
  *in_y = 0;
  while (length >= 4) {
    double *t;
    dppair_fft_stage_(yr, yi, xr, xi, c, sn, length, s);
    t = xr;
    xr = yr;
    yr = t;
    t = xi;
    xi = yi;
    yi = t;
    *in_y = !*in_y;
    length /= 4;
    s *= 4;
  }
  if (length == 2) {
    for (q = 0; q < s; q++) {
      const double ar = xr[q], ai = xi[q], br = xr[q + s], bi = xi[q + s];
      xr[q] = ar + br;
      xi[q] = ai + bi;
      xr[q + s] = ar - br;
      xi[q + s] = ai - bi;
    }
  }
}
