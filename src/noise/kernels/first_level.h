/* ------------------------------------------------------------------------------------------------
 * First level of coarse grids, over n numbers, a multiple of 32
 * ---------------------------------------------------------------------------------------------- */

/* Cosine and sine values of DPX_L pairs to their places: eight and eight. */
DPPAIR_FORCE_INLINE_ void DPX_(dppair_store_pairs_)(float *x, DPX_F c, DPX_F s) {
#if DPX_L == 16
  _mm512_storeu_ps(x, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0x44));
  _mm512_storeu_ps(x + 16, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0xee));
#else
  DPX_FSTORE(x, c);
  DPX_FSTORE(x + 8, s);
#endif
}

/* Gaussians of scale 1 and their reach 1/2 - tau; 0 where this level may not decide (U < 2^-12,
 * 1 - U <= 2^-20). tau = s u (6 + 8.5 R), for R <= 4.08: cosine, root and product 5.7 R u,
 * logarithm (2.8/R + R/2)u, unread bits below 4u (2.8u near U = 1), s rounded to float and the last
 * sum 2 R u, rest and reach rounded to float 2^-25. */
DPPAIR_FORCE_INLINE_ void DPX_(dppair_gaussian_f32_)(float *z, float *reach, const uint32_t *words,
                                                     size_t n, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPX_F top = DPX_FSET(0.5f - 6.0f * step), fall = DPX_FSET(-8.5f * step);
  /* 2^20 <= u < 2^32 - 2^12 by one signed comparison */
  const DPX_I low = DPX_ISET(0u - 0x80100000u), room = DPX_ISET(0x7fefefffu);
  size_t i;
  for (i = 0; i < n; i += 2 * DPX_L) {
    DPX_I u, t;
    DPX_F radius, e, c, s, decided;
    DPX_EVEN_ODD(u, t, words + i);
    e = DPX_(dppair_exponential_f32_)(u);
    radius = DPX_FSQRT(DPX_FADD(e, e));
    decided = DPX_FSEL(DPX_IGT(DPX_IADD(u, low), room), DPX_FSET(0.0f), DPX_FMA(radius, fall, top));
    DPX_(dppair_circle_f32_)(&c, &s, t);
    DPX_(dppair_store_pairs_)(z + i, DPX_FMUL(radius, c), DPX_FMUL(radius, s));
    DPX_(dppair_store_pairs_)(reach + i, decided, decided);
  }
}

/* Laplace variables of scale 1 and their reach. tau = s u (13 + 4 e) for U >= 2^-10: logarithm (2.8
 * + e)u, unread bits 2^-31 / U, at most 8u, s rounded and the last sum 2 e u, rest and reach
 * rounded 2^-25. */
DPPAIR_FORCE_INLINE_ void DPX_(dppair_laplace_f32_)(float *z, float *reach, const uint32_t *words,
                                                    size_t n, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPX_F top = DPX_FSET(0.5f - 13.0f * step), fall = DPX_FSET(-4.0f * step);
  size_t i;
  for (i = 0; i < n; i += DPX_L) {
    const DPX_I w = DPX_ILOAD(words + i), u = DPX_ISLL(w, 1);
    const DPX_F e = DPX_(dppair_exponential_f32_)(u);
    DPX_FSTORE(reach + i, DPX_FSEL(DPX_IGT(DPX_ISET(0x00200000u), DPX_ISRL(u, 1)), DPX_FSET(0.0f),
                                   DPX_FMA(e, fall, top)));
    DPX_FSTORE(z + i, DPX_BITSF(DPX_IXOR(DPX_FBITS(e), DPX_IAND(w, DPX_ISET(0x80000000u)))));
  }
}

/* Rounds what is decided, notes the rest, returns its number. Noise first, rounding after it, in
 * steps of 512 numbers: two short loops overlap better in the processor than one long one. */
DPPAIR_FORCE_INLINE_ size_t DPX_(dppair_first_f32_)(void *x, size_t n, int narrow,
                                                    const uint32_t *words, uint32_t *list,
                                                    int *unfit, const dppair_plan_ *plan) {
  DPX_(dppair_constants_) constants;
  float z[512], reach[512];
  uint32_t *end = list;
  size_t i, j, live;
  DPX_(dppair_constants_make_)(&constants, plan);
  for (i = 0; i < n; i += live) {
    live = n - i < 512 ? n - i : 512;
    if (plan->law == DPPAIR_NOISE_LAPLACE_) {
      DPX_(dppair_laplace_f32_)(z, reach, words + i, live, plan);
    } else {
      DPX_(dppair_gaussian_f32_)(z, reach, words + i, live, plan);
    }
    for (j = 0; j < live; j += DPX_L) {
      const DPX_F noise = DPX_FLOAD(z + j), limit = DPX_FLOAD(reach + j);
      unsigned open = narrow
                          ? DPX_(dppair_round_f32_)((float *)x, i + j, noise, limit, &constants)
                          : DPX_(dppair_round_f64_)((double *)x, i + j, noise, limit, &constants);
      DPPAIR_DECLASSIFY_(&open, sizeof open);
      end = DPX_(dppair_note_)(end, open, (uint32_t)(i + j));
    }
  }
  *unfit = DPX_(dppair_unfit_)(&constants);
  DPPAIR_DECLASSIFY_(unfit, sizeof *unfit);
  return (size_t)(end - list);
}

/* First level in double, for fine grids: 64 bits of each string, tau as in radius_wide. What stays
 * open, about one number in 2^(45 - log2 s), takes a branch and is worked out by wide integers. */
DPPAIR_FORCE_INLINE_ size_t DPX_(dppair_first_wide_)(void *x, size_t n, int narrow,
                                                     const uint32_t *words, const uint32_t *more,
                                                     uint32_t *list, int *unfit,
                                                     const dppair_plan_ *plan) {
  DPX_(dppair_constants_) constants;
  uint32_t *end = list;
  size_t i, h;
  DPX_(dppair_constants_make_)(&constants, plan);
  if (plan->law == DPPAIR_NOISE_LAPLACE_) {
    for (i = 0; i < n; i += DPX_L / 2) {
      const DPX_Q w = DPX_QOR(DPX_QSLL(DPX_WIDEN(words + i), 32), DPX_WIDEN(more + i));
      DPX_D tau;
      DPX_N open;
      const DPX_D z = DPX_(dppair_laplace_wide_)(w, &tau, &open);
      unsigned bits = DPX_(dppair_round_wide_)(x, i, narrow, z, tau, open, &constants);
      DPPAIR_DECLASSIFY_(&bits, sizeof bits);
      if (bits != 0) end = DPX_(dppair_note_)(end, bits, (uint32_t)i);
    }
  } else {
    for (i = 0; i < n; i += 16)
      for (h = 0; h < 16; h += DPX_L) { /* words U, T of DPX_L / 2 pairs */
        const size_t at = i + h / 2;
        const DPX_Q a = DPX_ILOAD(words + i + h), b = DPX_ILOAD(more + i + h);
        const DPX_Q u = DPX_QOR(DPX_QSLL(a, 32), DPX_QAND(b, DPX_QSET(0xffffffff)));
        const DPX_Q t = DPX_QOR(DPX_QANDNOT(DPX_QSET(0xffffffff), a), DPX_QSRL(b, 32));
        DPX_D tau, c, s;
        const DPX_D radius = DPX_(dppair_radius_wide_)(u, &tau);
        const DPX_N open = DPX_(dppair_tail_wide_)(u);
        unsigned cosines, sines;
        DPX_(dppair_circle_wide_)(&c, &s, t);
        cosines =
            DPX_(dppair_round_wide_)(x, at, narrow, DPX_DMUL(radius, c), tau, open, &constants);
        sines =
            DPX_(dppair_round_wide_)(x, at + 8, narrow, DPX_DMUL(radius, s), tau, open, &constants);
        DPPAIR_DECLASSIFY_(&cosines, sizeof cosines);
        DPPAIR_DECLASSIFY_(&sines, sizeof sines);
        if ((cosines | sines) != 0) {
          end = DPX_(dppair_note_)(end, cosines, (uint32_t)at);
          end = DPX_(dppair_note_)(end, sines, (uint32_t)at + 8);
        }
      }
  }
  *unfit = DPX_(dppair_unfit_)(&constants);
  DPPAIR_DECLASSIFY_(unfit, sizeof *unfit);
  return (size_t)(end - list);
}
