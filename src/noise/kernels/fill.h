/* ------------------------------------------------------------------------------------------------
 * Raw samples of scale 1, times a scale
 *
 * For simulation.h; n is a multiple of 32. A first word of 0 is avoided by setting the last bit of
 * each string. Floats need it converted, which DPR_U2F of the 128-bit tier does not do.
 * ---------------------------------------------------------------------------------------------- */

#if DPR_LANES > 4
DPPAIR_FORCE_INLINE_ void dpr_fill_gaussian_f32(float *x, size_t n, const uint32_t *words,
                                                double scale) {
  const DPR_F by = DPR_FSET((float)scale);
  size_t i;
  for (i = 0; i < n; i += 2 * DPR_LANES) {
    DPR_I u, t;
    DPR_F e, c, s, r;
    DPR_EVEN_ODD(u, t, words + i);
    e = dpr_exponential_f32(DPR_IOR(u, DPR_ISET(1)));
    r = DPR_FMUL(DPR_FSQRT(DPR_FADD(e, e)), by);
    dpr_circle_f32(&c, &s, t);
    dpr_store_pairs(x, i, DPR_FMUL(r, c), DPR_FMUL(r, s));
  }
}

DPPAIR_FORCE_INLINE_ void dpr_fill_laplace_f32(float *x, size_t n, const uint32_t *words,
                                               double scale) {
  const DPR_F by = DPR_FSET((float)scale);
  size_t i;
  for (i = 0; i < n; i += DPR_LANES) {
    const DPR_I w = DPR_ILOAD(words + i), sign = DPR_IAND(w, DPR_ISET(0x80000000u));
    const DPR_F e = dpr_exponential_f32(DPR_IOR(DPR_ISHL(w, 1), DPR_ISET(1)));
    DPR_FSTORE(x + i, DPR_FLOAT(DPR_IXOR(DPR_FINT(DPR_FMUL(e, by)), sign)));
  }
}
#endif

DPPAIR_FORCE_INLINE_ void dpr_fill_gaussian(double *x, size_t n, const uint32_t *words,
                                            const uint32_t *more, double scale) {
  const DPR_D by = DPR_DSET(scale);
  size_t i, h;
  for (i = 0; i < n; i += 16)
    for (h = 0; h < 16; h += DPR_LANES) {
      DPR_Q t;
      const DPR_Q u = dpr_string_pairs(&t, words + i + h, more + i + h);
      DPR_D c, s, e, r;
      e = dpr_exponential_wide(DPR_QOR(u, DPR_QSET(1)), &r);
      r = DPR_DMUL(DPR_DSQRT(DPR_DADD(e, e)), by);
      dpr_circle_wide(&c, &s, t);
      DPR_DSTORE(x + i + h / 2, DPR_DMUL(r, c));
      DPR_DSTORE(x + i + 8 + h / 2, DPR_DMUL(r, s));
    }
}

/* The other laws in double take one string a number. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_fill_one(DPR_Q w, DPR_D by, int law) {
  const DPR_Q sign = DPR_QAND(w, DPR_QSET(UINT64_C(0x8000000000000000)));
  DPR_D unused, v;
  switch (law) {
  case DPPAIR_FILL_LAPLACE_:
    v = dpr_exponential_wide(DPR_QOR(DPR_QSHL(w, 1), DPR_QSET(1)), &unused);
    return DPR_DMUL(DPR_DOUBLE(DPR_QXOR(DPR_DINT(v), sign)), by);
  case DPPAIR_FILL_EXPONENTIAL_:
    return DPR_DMUL(dpr_exponential_wide(DPR_QOR(w, DPR_QSET(1)), &unused), by);
  case DPPAIR_FILL_UNIFORM_:
    v = DPR_DADD(DPR_Q2D(DPR_QSHR(w, 12)), DPR_DSET(0.5));
    return DPR_DMUL(DPR_DMUL(v, DPR_DSET(DPPAIR_EXP2M_(52))), by);
  default: /* Rademacher */
    return DPR_DOUBLE(DPR_QOR(DPR_DINT(by), sign));
  }
}

/* Samples for n / 32 * 32 numbers; returns how many were made. The law is a constant at each call,
 * so that each loop has no branch. */
DPPAIR_API size_t dppair_fill_TIER_(void *x, size_t n, int narrow, const uint32_t *words,
                                    const uint32_t *more, double scale, int law) {
  const DPR_D by = DPR_DSET(scale);
  size_t i;
  n = n / 32 * 32;
#define DPR_FILL(law)                                                                              \
  for (i = 0; i < n; i += DPR_LANES / 2)                                                           \
  DPR_DSTORE((double *)x + i, dpr_fill_one(dpr_strings(words + i, more + i), by, law))
#if DPR_LANES > 4
  if (narrow && law == DPPAIR_FILL_GAUSSIAN_) {
    dpr_fill_gaussian_f32((float *)x, n, words, scale);
  } else if (narrow) {
    dpr_fill_laplace_f32((float *)x, n, words, scale);
  } else
#endif
  if (narrow) {
    n = 0;
  } else if (law == DPPAIR_FILL_GAUSSIAN_) {
    dpr_fill_gaussian((double *)x, n, words, more, scale);
  } else if (law == DPPAIR_FILL_LAPLACE_) {
    DPR_FILL(DPPAIR_FILL_LAPLACE_);
  } else if (law == DPPAIR_FILL_EXPONENTIAL_) {
    DPR_FILL(DPPAIR_FILL_EXPONENTIAL_);
  } else if (law == DPPAIR_FILL_UNIFORM_) {
    DPR_FILL(DPPAIR_FILL_UNIFORM_);
  } else {
    DPR_FILL(DPPAIR_FILL_RADEMACHER_);
  }
  return n;
}
