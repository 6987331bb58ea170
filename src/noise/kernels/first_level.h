/* ------------------------------------------------------------------------------------------------
 * The first level, over n numbers, a multiple of 32
 *
 * Coarse grids begin in float, fine grids in double. Rounds what it can decide and lists the
 * positions of the other numbers for the next level.
 * ---------------------------------------------------------------------------------------------- */

/* Stores cosines and sines of DPR_LANES pairs in their places: eight cosines, eight sines, ... `i`
 * is twice the number of the first pair. */
DPPAIR_FORCE_INLINE_ void dpr_store_pairs(float *x, size_t i, DPR_F c, DPR_F s) {
#if DPR_LANES == 16
  _mm512_storeu_ps(x + i, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0x44));
  _mm512_storeu_ps(x + i + 16, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0xee));
#else
  const size_t at = i / 16 * 16 + i % 16 / 2;
  DPR_FSTORE(x + at, c);
  DPR_FSTORE(x + at + 8, s);
#endif
}

/*
 * Gaussians of scale 1 and their reach 1/2 - tau, or reach 0 where this level may not decide:
 * U < 2^-12 or 1 - U <= 2^-20. With u = 2^-24 and R <= 4.08, the error of s R cos, in units of s u,
 * is at most the sum of
 * - 5.5 R from cosine, root and product, and 3.3 / R + R from the logarithm (3.1 R for U > 0.707);
 * - 2^-7 / (U R) from the unread bits of U, which is 8 at most, 2.9 near U = 1, and below 0.02 for
 *   R <= 1; 0.03 R from those of T;
 * - 0.75 from reach, which is rounded to float.
 * tau = s u (5 + 8 R) covers it. Releases in float add 3 R + 0.5: s rounded, the product with it,
 * and the last sum; tau = s u (5.5 + 11 R).
 */
DPPAIR_FORCE_INLINE_ void dpr_reach_gaussian(float *z, float *reach, const uint32_t *words,
                                             size_t n, int narrow, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - (narrow ? 5.5f : 5.0f) * step);
  const DPR_F fall = DPR_FSET((narrow ? -11.0f : -8.0f) * step);
  /* 2^20 <= u < 2^32 - 2^12 by one signed comparison */
  const DPR_I low = DPR_ISET(0u - 0x80100000u), room = DPR_ISET(0x7fefefffu);
  size_t i;
  for (i = 0; i < n; i += 2 * DPR_LANES) {
    DPR_I u, t;
    DPR_F radius, e, c, s, decided;
    DPR_EVEN_ODD(u, t, words + i);
    e = dpr_exponential_f32(u);
    radius = DPR_FSQRT(DPR_FADD(e, e));
    decided =
        DPR_FSEL(DPR_IGT(DPR_IADD(u, low), room), DPR_FSET(0.0f), DPR_FFMA(radius, fall, top));
    dpr_circle_f32(&c, &s, t);
    dpr_store_pairs(z, i, DPR_FMUL(radius, c), DPR_FMUL(radius, s));
    dpr_store_pairs(reach, i, decided, decided);
  }
}

/* Laplace variables of scale 1 and their reach, 0 for U < 2^-10. The error of s e, in units of s u,
 * is at most 3.3 + 2 e from the logarithm, 2^-7 / U <= 8 from the unread bits, and 0.75 from reach:
 * tau = s u (8 + 2.75 e). Releases in float add 3 e + 0.5: tau = s u (9 + 5.75 e). */
DPPAIR_FORCE_INLINE_ void dpr_reach_laplace(float *z, float *reach, const uint32_t *words, size_t n,
                                            int narrow, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - (narrow ? 9.0f : 8.0f) * step);
  const DPR_F fall = DPR_FSET((narrow ? -5.75f : -2.75f) * step);
  size_t i;
  for (i = 0; i < n; i += DPR_LANES) {
    const DPR_I w = DPR_ILOAD(words + i), u = DPR_ISHL(w, 1);
    const DPR_F e = dpr_exponential_f32(u);
    DPR_FSTORE(reach + i, DPR_FSEL(DPR_IGT(DPR_ISET(0x00200000u), DPR_ISHR(u, 1)), DPR_FSET(0.0f),
                                   DPR_FFMA(e, fall, top)));
    DPR_FSTORE(z + i, DPR_FLOAT(DPR_IXOR(DPR_FINT(e), DPR_IAND(w, DPR_ISET(0x80000000u)))));
  }
}

/* The level in float. Makes the noise of DPPAIR_STEP_ numbers first and rounds them after it: two
 * short loops overlap better in the processor than one long one. */
DPPAIR_FORCE_INLINE_ int dpr_first_f32(void *x, size_t n, int law, int narrow,
                                       const uint32_t *words, uint32_t *marks,
                                       const dppair_plan_ *plan) {
  dpr_constants constants;
  float z[DPPAIR_STEP_], reach[DPPAIR_STEP_];
  uint32_t *end = marks;
  size_t i, j, h, live;
  int unfit;
  dpr_constants_make(&constants, plan);
  for (i = 0; i < n; i += live) {
    live = n - i < DPPAIR_STEP_ ? n - i : DPPAIR_STEP_;
    if (law == DPPAIR_NOISE_LAPLACE_) {
      dpr_reach_laplace(z, reach, words + i, live, narrow, plan);
    } else {
      dpr_reach_gaussian(z, reach, words + i, live, narrow, plan);
    }
    for (j = 0; j < live; j += DPR_GROUP) {
      unsigned open = 0;
      DPPAIR_UNROLL_
      for (h = 0; h < DPR_GROUP; h += narrow ? DPR_LANES : DPR_LANES / 2) {
        const float *noise = z + j + h, *limit = reach + j + h;
        open |= (narrow ? dpr_round_f32((float *)x, i + j + h, noise, limit, &constants)
                        : dpr_round_f64((double *)x, i + j + h, noise, limit, &constants))
                << h;
      }
      DPPAIR_DECLASSIFY_(&open, sizeof open);
      end = dpr_note(end, open, i + j);
    }
  }
  *end = 0;
  unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(&unfit, sizeof unfit);
  return unfit;
}

/* 64 bits of DPR_LANES / 2 strings, whose words of level 0 and 1 are given. */
DPPAIR_FORCE_INLINE_ DPR_Q dpr_strings(const uint32_t *words, const uint32_t *more) {
  return DPR_QOR(DPR_QSHL(DPR_WIDEN(words), 32), DPR_WIDEN(more));
}

/* The same for the strings U and T of DPR_LANES / 2 pairs, whose words alternate. */
DPPAIR_FORCE_INLINE_ DPR_Q dpr_string_pairs(DPR_Q *t, const uint32_t *words, const uint32_t *more) {
  const DPR_Q a = DPR_ILOAD(words), b = DPR_ILOAD(more), low = DPR_QSET(0xffffffff);
  *t = DPR_QOR(DPR_QANDNOT(low, a), DPR_QSHR(b, 32));
  return DPR_QOR(DPR_QSHL(a, 32), DPR_QAND(b, low));
}

/* The level in double, for Laplace noise. Undecided numbers are rare, so a branch on them is
 * cheaper than storing positions always. */
DPPAIR_FORCE_INLINE_ uint32_t *dpr_first_laplace(void *x, size_t n, int narrow,
                                                 const uint32_t *words, const uint32_t *more,
                                                 uint32_t *end, dpr_constants *constants) {
  size_t i;
  for (i = 0; i < n; i += DPR_LANES / 2) {
    DPR_D tau;
    DPR_N open;
    const DPR_D z = dpr_laplace_wide(dpr_strings(words + i, more + i), &tau, &open);
    unsigned bits = dpr_round_wide(x, i, narrow, z, tau, open, constants);
    DPPAIR_DECLASSIFY_(&bits, sizeof bits);
    if (bits != 0) end = dpr_note(end, bits, i);
  }
  return end;
}

/* The level in double, for Gaussian noise. */
DPPAIR_FORCE_INLINE_ uint32_t *dpr_first_gaussian(void *x, size_t n, int narrow,
                                                  const uint32_t *words, const uint32_t *more,
                                                  uint32_t *end, dpr_constants *constants) {
  size_t i, h;
  for (i = 0; i < n; i += 16)
    for (h = 0; h < 16; h += DPR_LANES) {
      const size_t at = i + h / 2;
      DPR_Q t;
      const DPR_Q u = dpr_string_pairs(&t, words + i + h, more + i + h);
      DPR_D tau, c, s;
      const DPR_D radius = dpr_radius_wide(u, &tau);
      const DPR_N open = dpr_tail_wide(u);
      unsigned cosines, sines;
      dpr_circle_wide(&c, &s, t);
      c = DPR_DMUL(radius, c);
      s = DPR_DMUL(radius, s);
      cosines = dpr_round_wide(x, at, narrow, c, tau, open, constants);
      sines = dpr_round_wide(x, at + 8, narrow, s, tau, open, constants);
      DPPAIR_DECLASSIFY_(&cosines, sizeof cosines);
      DPPAIR_DECLASSIFY_(&sines, sizeof sines);
      if ((cosines | sines) != 0) {
        end = dpr_note(end, cosines, at);
        end = dpr_note(end, sines, at + 8);
      }
    }
  return end;
}

/* The level in double, for fine grids: 64 bits of each string. It leaves about one number in
 * 2^(45 - log2 s) undecided. */
DPPAIR_FORCE_INLINE_ int dpr_first_wide(void *x, size_t n, int law, int narrow,
                                        const uint32_t *words, const uint32_t *more,
                                        uint32_t *marks, const dppair_plan_ *plan) {
  dpr_constants constants;
  uint32_t *end;
  int unfit;
  dpr_constants_make(&constants, plan);
  end = law == DPPAIR_NOISE_LAPLACE_
            ? dpr_first_laplace(x, n, narrow, words, more, marks, &constants)
            : dpr_first_gaussian(x, n, narrow, words, more, marks, &constants);
  *end = 0;
  unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(&unfit, sizeof unfit);
  return unfit;
}

/* The first level of each law and type, over n numbers, a multiple of 32: the marks of what it
 * leaves undecided, and 1 where a number was out of range. Level 1 of the strings, `more`, is read
 * on fine grids only. A program has those of the laws that it names. */
DPPAIR_API int dppair_gaussian_f64_TIER_(void *x, size_t n, const uint32_t *words,
                                         const uint32_t *more, uint32_t *marks,
                                         const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_GAUSSIAN_, 0, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_GAUSSIAN_, 0, words, more, marks, plan);
}

DPPAIR_API int dppair_gaussian_f32_TIER_(void *x, size_t n, const uint32_t *words,
                                         const uint32_t *more, uint32_t *marks,
                                         const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_GAUSSIAN_, 1, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_GAUSSIAN_, 1, words, more, marks, plan);
}

DPPAIR_API int dppair_laplace_f64_TIER_(void *x, size_t n, const uint32_t *words,
                                        const uint32_t *more, uint32_t *marks,
                                        const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_LAPLACE_, 0, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_LAPLACE_, 0, words, more, marks, plan);
}

DPPAIR_API int dppair_laplace_f32_TIER_(void *x, size_t n, const uint32_t *words,
                                        const uint32_t *more, uint32_t *marks,
                                        const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_LAPLACE_, 1, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_LAPLACE_, 1, words, more, marks, plan);
}
