#if DPPAIR_NOISE_PASS_ >= 2
/* Raw samples for n / 32 * 32 numbers; returns how many were made. */
DPPAIR_API size_t DPX_(dppair_fill_)(void *x, size_t n, int narrow, const uint32_t *words,
                                     const uint32_t *more, double scale, int law) {
  const DPX_D by = DPX_DSET(scale);
  const DPX_F byf = DPX_FSET((float)scale);
  const DPX_Q sign = DPX_QSET(UINT64_C(0x8000000000000000));
  size_t i, h;
  n = n / 32 * 32;
  if (narrow && law == DPPAIR_FILL_GAUSSIAN_) {
    for (i = 0; i < n; i += 2 * DPX_L) {
      DPX_I u, t;
      DPX_F e, c, s, r;
      DPX_EVEN_ODD(u, t, words + i);
      e = DPX_(dppair_exponential_f32_)(DPX_IOR(u, DPX_ISET(1)));
      r = DPX_FMUL(DPX_FSQRT(DPX_FADD(e, e)), byf);
      DPX_(dppair_circle_f32_)(&c, &s, t);
      DPX_(dppair_store_pairs_)((float *)x + i, DPX_FMUL(r, c), DPX_FMUL(r, s));
    }
  } else if (narrow) {
    for (i = 0; i < n; i += DPX_L) {
      const DPX_I w = DPX_ILOAD(words + i);
      const DPX_F e = DPX_(dppair_exponential_f32_)(DPX_IOR(DPX_ISLL(w, 1), DPX_ISET(1)));
      DPX_FSTORE((float *)x + i, DPX_BITSF(DPX_IXOR(DPX_FBITS(DPX_FMUL(e, byf)),
                                                    DPX_IAND(w, DPX_ISET(0x80000000u)))));
    }
  } else if (law == DPPAIR_FILL_GAUSSIAN_) {
    for (i = 0; i < n; i += 16)
      for (h = 0; h < 16; h += DPX_L) {
        const DPX_Q a = DPX_ILOAD(words + i + h), b = DPX_ILOAD(more + i + h);
        const DPX_Q u = DPX_QOR(DPX_QSLL(a, 32), DPX_QAND(b, DPX_QSET(0xffffffff)));
        const DPX_Q t = DPX_QOR(DPX_QANDNOT(DPX_QSET(0xffffffff), a), DPX_QSRL(b, 32));
        DPX_D c, s, e, r;
        e = DPX_(dppair_exponential_wide_)(DPX_QOR(u, DPX_QSET(1)), &r);
        r = DPX_DMUL(DPX_DSQRT(DPX_DADD(e, e)), by);
        DPX_(dppair_circle_wide_)(&c, &s, t);
        DPX_DSTORE((double *)x + i + h / 2, DPX_DMUL(r, c));
        DPX_DSTORE((double *)x + i + 8 + h / 2, DPX_DMUL(r, s));
      }
  } else if (law == DPPAIR_FILL_LAPLACE_) {
    for (i = 0; i < n; i += DPX_L / 2) {
      const DPX_Q w = DPX_QOR(DPX_QSLL(DPX_WIDEN(words + i), 32), DPX_WIDEN(more + i));
      DPX_D unused, v;
      v = DPX_(dppair_exponential_wide_)(DPX_QOR(DPX_QSLL(w, 1), DPX_QSET(1)), &unused);
      v = DPX_BITSD(DPX_QXOR(DPX_DBITS(v), DPX_QAND(w, sign)));
      DPX_DSTORE((double *)x + i, DPX_DMUL(v, by));
    }
  } else if (law == DPPAIR_FILL_EXPONENTIAL_) {
    for (i = 0; i < n; i += DPX_L / 2) {
      const DPX_Q w = DPX_QOR(DPX_QSLL(DPX_WIDEN(words + i), 32), DPX_WIDEN(more + i));
      DPX_D unused, v;
      v = DPX_(dppair_exponential_wide_)(DPX_QOR(w, DPX_QSET(1)), &unused);
      DPX_DSTORE((double *)x + i, DPX_DMUL(v, by));
    }
  } else if (law == DPPAIR_FILL_UNIFORM_) {
    for (i = 0; i < n; i += DPX_L / 2) {
      const DPX_Q w = DPX_QOR(DPX_QSLL(DPX_WIDEN(words + i), 32), DPX_WIDEN(more + i));
      const DPX_D v = DPX_DADD(DPX_Q2D(DPX_QSRL(w, 12)), DPX_DSET(0.5));
      DPX_DSTORE((double *)x + i, DPX_DMUL(DPX_DMUL(v, DPX_DSET(DPPAIR_EXP2M_(52))), by));
    }
  } else {
    for (i = 0; i < n; i += DPX_L / 2) {
      const DPX_Q w = DPX_QSLL(DPX_WIDEN(words + i), 32);
      DPX_DSTORE((double *)x + i, DPX_BITSD(DPX_QOR(DPX_DBITS(by), DPX_QAND(w, sign))));
    }
  }
  return n;
}
#endif

#undef DPX_
#undef DPX_BITSD
#undef DPX_BITSF
#undef DPX_BYTES
#undef DPX_D
#undef DPX_D2F
#undef DPX_DADD
#undef DPX_DBITS
#undef DPX_DDIV
#undef DPX_DFMA
#undef DPX_DGE
#undef DPX_DLOAD
#undef DPX_DLOADF
#undef DPX_DMUL
#undef DPX_DRINT
#undef DPX_DSEL
#undef DPX_DSET
#undef DPX_DSQRT
#undef DPX_DSTORE
#undef DPX_DSTOREF
#undef DPX_DSUB
#undef DPX_EVEN_ODD
#undef DPX_F
#undef DPX_FADD
#undef DPX_FBITS
#undef DPX_FGE
#undef DPX_FGT
#undef DPX_FLOAD
#undef DPX_FMA
#undef DPX_FMUL
#undef DPX_FOUR
#undef DPX_FRINT
#undef DPX_FSEL
#undef DPX_FSET
#undef DPX_FSQRT
#undef DPX_FSTORE
#undef DPX_FSUB
#undef DPX_F_HI
#undef DPX_F_LO
#undef DPX_I
#undef DPX_I2F
#undef DPX_IADD
#undef DPX_IAND
#undef DPX_IGT
#undef DPX_ILOAD
#undef DPX_IOR
#undef DPX_IROL
#undef DPX_ISET
#undef DPX_ISLL
#undef DPX_ISRL
#undef DPX_IXOR
#undef DPX_L
#undef DPX_M
#undef DPX_MIX
#undef DPX_MNONE
#undef DPX_MOR
#undef DPX_M_BITS
#undef DPX_M_HI
#undef DPX_M_LO
#undef DPX_N
#undef DPX_NNONE
#undef DPX_NOR
#undef DPX_N_BITS
#undef DPX_OUT
#undef DPX_PLUS
#undef DPX_Q
#undef DPX_Q2D
#undef DPX_QADD
#undef DPX_QAND
#undef DPX_QANDNOT
#undef DPX_QGT
#undef DPX_QOR
#undef DPX_QSET
#undef DPX_QSLL
#undef DPX_QSRL
#undef DPX_QSUB
#undef DPX_QUARTER
#undef DPX_QXOR
#undef DPX_STORE_PARTS
#undef DPX_U2F
#undef DPX_UNPACK_HI32
#undef DPX_UNPACK_HI64
#undef DPX_UNPACK_LO32
#undef DPX_UNPACK_LO64
#undef DPX_UQ2D
#undef DPX_WIDEN
