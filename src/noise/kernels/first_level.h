/* ------------------------------------------------------------------------------------------------
 * First level of coarse grids, over n numbers, a multiple of 32
 * ---------------------------------------------------------------------------------------------- */

/* Cosine and sine values of DPR_LANES pairs to their places: eight and eight. */
DPPAIR_FORCE_INLINE_ void dpr_store_pairs(float *x, DPR_F c, DPR_F s) {
#if DPR_LANES == 16
  _mm512_storeu_ps(x, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0x44));
  _mm512_storeu_ps(x + 16, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0xee));
#else
  DPR_FSTORE(x, c);
  DPR_FSTORE(x + 8, s);
#endif
}

/* Gaussians of scale 1 and their reach 1/2 - tau; 0 where this level may not decide (U < 2^-12,
 * 1 - U <= 2^-20). tau = s u (6 + 8.5 R), for R <= 4.08: cosine, root and product 5.7 R u,
 * logarithm (2.8/R + R/2)u, unread bits below 4u (2.8u near U = 1), s rounded to float and the last
 * sum 2 R u, rest and reach rounded to float 2^-25. */
DPPAIR_FORCE_INLINE_ void dpr_gaussian_f32(float *z, float *reach, const uint32_t *words,
                                                     size_t n, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - 6.0f * step), fall = DPR_FSET(-8.5f * step);
  /* 2^20 <= u < 2^32 - 2^12 by one signed comparison */
  const DPR_I low = DPR_ISET(0u - 0x80100000u), room = DPR_ISET(0x7fefefffu);
  size_t i;
  for (i = 0; i < n; i += 2 * DPR_LANES) {
    DPR_I u, t;
    DPR_F radius, e, c, s, decided;
    DPR_EVEN_ODD(u, t, words + i);
    e = dpr_exponential_f32(u);
    radius = DPR_FSQRT(DPR_FADD(e, e));
    decided = DPR_FSEL(DPR_IGT(DPR_IADD(u, low), room), DPR_FSET(0.0f), DPR_FFMA(radius, fall, top));
    dpr_circle_f32(&c, &s, t);
    dpr_store_pairs(z + i, DPR_FMUL(radius, c), DPR_FMUL(radius, s));
    dpr_store_pairs(reach + i, decided, decided);
  }
}

/* Laplace variables of scale 1 and their reach. tau = s u (13 + 4 e) for U >= 2^-10: logarithm (2.8
 * + e)u, unread bits 2^-31 / U, at most 8u, s rounded and the last sum 2 e u, rest and reach
 * rounded 2^-25. */
DPPAIR_FORCE_INLINE_ void dpr_laplace_f32(float *z, float *reach, const uint32_t *words,
                                                    size_t n, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - 13.0f * step), fall = DPR_FSET(-4.0f * step);
  size_t i;
  for (i = 0; i < n; i += DPR_LANES) {
    const DPR_I w = DPR_ILOAD(words + i), u = DPR_ISLL(w, 1);
    const DPR_F e = dpr_exponential_f32(u);
    DPR_FSTORE(reach + i, DPR_FSEL(DPR_IGT(DPR_ISET(0x00200000u), DPR_ISRL(u, 1)), DPR_FSET(0.0f),
                                   DPR_FFMA(e, fall, top)));
    DPR_FSTORE(z + i, DPR_BITSF(DPR_IXOR(DPR_FBITS(e), DPR_IAND(w, DPR_ISET(0x80000000u)))));
  }
}

/* Rounds what is decided, notes the rest, returns its number. Noise first, rounding after it, in
 * steps of 512 numbers: two short loops overlap better in the processor than one long one. */
DPPAIR_FORCE_INLINE_ size_t dpr_first_f32(void *x, size_t n, int narrow,
                                                    const uint32_t *words, uint32_t *list,
                                                    int *unfit, const dppair_plan_ *plan) {
  dpr_constants constants;
  float z[512], reach[512];
  uint32_t *end = list;
  size_t i, j, live;
  dpr_constants_make(&constants, plan);
  for (i = 0; i < n; i += live) {
    live = n - i < 512 ? n - i : 512;
    if (plan->law == DPPAIR_NOISE_LAPLACE_) {
      dpr_laplace_f32(z, reach, words + i, live, plan);
    } else {
      dpr_gaussian_f32(z, reach, words + i, live, plan);
    }
    for (j = 0; j < live; j += DPR_LANES) {
      const DPR_F noise = DPR_FLOAD(z + j), limit = DPR_FLOAD(reach + j);
      unsigned open = narrow
                          ? dpr_round_f32((float *)x, i + j, noise, limit, &constants)
                          : dpr_round_f64((double *)x, i + j, noise, limit, &constants);
      DPPAIR_DECLASSIFY_(&open, sizeof open);
      end = dpr_note(end, open, (uint32_t)(i + j));
    }
  }
  *unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(unfit, sizeof *unfit);
  return (size_t)(end - list);
}

/* First level in double, for fine grids: 64 bits of each string, tau as in radius_wide. What stays
 * open, about one number in 2^(45 - log2 s), takes a branch and is worked out by wide integers. */
DPPAIR_FORCE_INLINE_ size_t dpr_first_wide(void *x, size_t n, int narrow,
                                                     const uint32_t *words, const uint32_t *more,
                                                     uint32_t *list, int *unfit,
                                                     const dppair_plan_ *plan) {
  dpr_constants constants;
  uint32_t *end = list;
  size_t i, h;
  dpr_constants_make(&constants, plan);
  if (plan->law == DPPAIR_NOISE_LAPLACE_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      DPR_D tau;
      DPR_N open;
      const DPR_D z = dpr_laplace_wide(w, &tau, &open);
      unsigned bits = dpr_round_wide(x, i, narrow, z, tau, open, &constants);
      DPPAIR_DECLASSIFY_(&bits, sizeof bits);
      if (bits != 0) end = dpr_note(end, bits, (uint32_t)i);
    }
  } else {
    for (i = 0; i < n; i += 16)
      for (h = 0; h < 16; h += DPR_LANES) { /* words U, T of DPR_LANES / 2 pairs */
        const size_t at = i + h / 2;
        const DPR_Q a = DPR_ILOAD(words + i + h), b = DPR_ILOAD(more + i + h);
        const DPR_Q u = DPR_QOR(DPR_QSLL(a, 32), DPR_QAND(b, DPR_QSET(0xffffffff)));
        const DPR_Q t = DPR_QOR(DPR_QANDNOT(DPR_QSET(0xffffffff), a), DPR_QSRL(b, 32));
        DPR_D tau, c, s;
        const DPR_D radius = dpr_radius_wide(u, &tau);
        const DPR_N open = dpr_tail_wide(u);
        unsigned cosines, sines;
        dpr_circle_wide(&c, &s, t);
        cosines =
            dpr_round_wide(x, at, narrow, DPR_DMUL(radius, c), tau, open, &constants);
        sines =
            dpr_round_wide(x, at + 8, narrow, DPR_DMUL(radius, s), tau, open, &constants);
        DPPAIR_DECLASSIFY_(&cosines, sizeof cosines);
        DPPAIR_DECLASSIFY_(&sines, sizeof sines);
        if ((cosines | sines) != 0) {
          end = dpr_note(end, cosines, (uint32_t)at);
          end = dpr_note(end, sines, (uint32_t)at + 8);
        }
      }
  }
  *unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(unfit, sizeof *unfit);
  return (size_t)(end - list);
}
