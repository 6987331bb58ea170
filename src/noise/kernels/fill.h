/* Raw samples for n / 32 * 32 numbers; returns how many were made. */
DPPAIR_API size_t dppair_fill_TIER_(void *x, size_t n, int narrow, const uint32_t *words,
                                     const uint32_t *more, double scale, int law) {
  const DPR_D by = DPR_DSET(scale);
  const DPR_F byf = DPR_FSET((float)scale);
  const DPR_Q sign = DPR_QSET(UINT64_C(0x8000000000000000));
  size_t i, h;
  n = n / 32 * 32;
  if (narrow && law == DPPAIR_FILL_GAUSSIAN_) {
    for (i = 0; i < n; i += 2 * DPR_LANES) {
      DPR_I u, t;
      DPR_F e, c, s, r;
      DPR_EVEN_ODD(u, t, words + i);
      e = dpr_exponential_f32(DPR_IOR(u, DPR_ISET(1)));
      r = DPR_FMUL(DPR_FSQRT(DPR_FADD(e, e)), byf);
      dpr_circle_f32(&c, &s, t);
      dpr_store_pairs((float *)x + i, DPR_FMUL(r, c), DPR_FMUL(r, s));
    }
  } else if (narrow) {
    for (i = 0; i < n; i += DPR_LANES) {
      const DPR_I w = DPR_ILOAD(words + i);
      const DPR_F e = dpr_exponential_f32(DPR_IOR(DPR_ISLL(w, 1), DPR_ISET(1)));
      DPR_FSTORE((float *)x + i, DPR_BITSF(DPR_IXOR(DPR_FBITS(DPR_FMUL(e, byf)),
                                                    DPR_IAND(w, DPR_ISET(0x80000000u)))));
    }
  } else if (law == DPPAIR_FILL_GAUSSIAN_) {
    for (i = 0; i < n; i += 16)
      for (h = 0; h < 16; h += DPR_LANES) {
        const DPR_Q a = DPR_ILOAD(words + i + h), b = DPR_ILOAD(more + i + h);
        const DPR_Q u = DPR_QOR(DPR_QSLL(a, 32), DPR_QAND(b, DPR_QSET(0xffffffff)));
        const DPR_Q t = DPR_QOR(DPR_QANDNOT(DPR_QSET(0xffffffff), a), DPR_QSRL(b, 32));
        DPR_D c, s, e, r;
        e = dpr_exponential_wide(DPR_QOR(u, DPR_QSET(1)), &r);
        r = DPR_DMUL(DPR_DSQRT(DPR_DADD(e, e)), by);
        dpr_circle_wide(&c, &s, t);
        DPR_DSTORE((double *)x + i + h / 2, DPR_DMUL(r, c));
        DPR_DSTORE((double *)x + i + 8 + h / 2, DPR_DMUL(r, s));
      }
  } else if (law == DPPAIR_FILL_LAPLACE_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      DPR_D unused, v;
      v = dpr_exponential_wide(DPR_QOR(DPR_QSLL(w, 1), DPR_QSET(1)), &unused);
      v = DPR_BITSD(DPR_QXOR(DPR_DBITS(v), DPR_QAND(w, sign)));
      DPR_DSTORE((double *)x + i, DPR_DMUL(v, by));
    }
  } else if (law == DPPAIR_FILL_EXPONENTIAL_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      DPR_D unused, v;
      v = dpr_exponential_wide(DPR_QOR(w, DPR_QSET(1)), &unused);
      DPR_DSTORE((double *)x + i, DPR_DMUL(v, by));
    }
  } else if (law == DPPAIR_FILL_UNIFORM_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      const DPR_D v = DPR_DADD(DPR_Q2D(DPR_QSRL(w, 12)), DPR_DSET(0.5));
      DPR_DSTORE((double *)x + i, DPR_DMUL(DPR_DMUL(v, DPR_DSET(DPPAIR_EXP2M_(52))), by));
    }
  } else {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QSLL(DPR_WIDEN(words + i), 32);
      DPR_DSTORE((double *)x + i, DPR_BITSD(DPR_QOR(DPR_DBITS(by), DPR_QAND(w, sign))));
    }
  }
  return n;
}
