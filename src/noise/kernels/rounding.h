/* ------------------------------------------------------------------------------------------------
 * Rounding and storing
 * ---------------------------------------------------------------------------------------------- */

/* A plan's constants in registers. `range` collects evidence of numbers beyond 2^51 g, infinities
 * and NaN: adding 1.5 2^52 leaves the exponent at 52 for all others. */
typedef struct DPX_(dppair_constants_) {
  DPX_D inverse, g, s, magic;
  DPX_F narrow_s, narrow_inverse, narrow_g;
  DPX_Q range;
  DPX_M narrow_range;
} DPX_(dppair_constants_);

DPPAIR_FORCE_INLINE_ void DPX_(dppair_constants_make_)(DPX_(dppair_constants_) * c,
                                                       const dppair_plan_ *plan) {
  c->inverse = DPX_DSET(plan->inverse);
  c->g = DPX_DSET(plan->g);
  c->s = DPX_DSET(plan->s);
  c->magic = DPX_DSET(DPPAIR_MAGIC_F64_);
  c->narrow_s = DPX_FSET((float)plan->s);
  c->narrow_inverse = DPX_FSET(plan->narrow ? (float)plan->inverse : 0.0f);
  c->narrow_g = DPX_FSET(plan->narrow ? (float)plan->g : 0.0f);
  c->narrow_range = DPX_MNONE;
  c->range = DPX_QSET(0);
}

/* 1 when a number was out of range. */
DPPAIR_FORCE_INLINE_ int DPX_(dppair_unfit_)(const DPX_(dppair_constants_) * c) {
  return (DPX_N_BITS(DPX_QGT(DPX_QSRL(c->range, 52), DPX_QSET(0))) | DPX_M_BITS(c->narrow_range)) !=
         0;
}

/* x / g = whole + rest for DPX_L / 2 numbers, x float or double. */
DPPAIR_FORCE_INLINE_ DPX_D DPX_(dppair_take_)(DPX_D *whole, DPX_D *rest, const void *x, size_t at,
                                              int narrow, DPX_(dppair_constants_) * c) {
  const DPX_D value =
      narrow ? DPX_DLOADF((const float *)x + at) : DPX_DLOAD((const double *)x + at);
  const DPX_D y = DPX_DMUL(value, c->inverse), moved = DPX_DADD(y, c->magic);
  c->range = DPX_QOR(c->range, DPX_QXOR(DPX_DBITS(moved), DPX_DBITS(c->magic)));
  *whole = DPX_DRINT(y);
  *rest = DPX_DSUB(y, *whole);
  return value;
}

/* x = (whole + k) g where decided; undecided numbers keep their value for the next level. */
DPPAIR_FORCE_INLINE_ void DPX_(dppair_put_)(void *x, size_t at, int narrow, DPX_N undecided,
                                            DPX_D value, DPX_D whole, DPX_D k,
                                            const DPX_(dppair_constants_) * c) {
  const DPX_D y = DPX_DFMA(DPX_DADD(whole, k), c->g, DPX_DSET(0.0));
  if (narrow) {
    DPX_DSTOREF((float *)x + at, DPX_DSEL(undecided, value, y));
  } else {
    DPX_DSTORE((double *)x + at, DPX_DSEL(undecided, value, y));
  }
}

/* The undecided ones of y: those further from the nearest integer than `reach`, 1/2 - tau. */
DPPAIR_FORCE_INLINE_ DPX_M DPX_(dppair_open_)(DPX_F y, DPX_F k, DPX_F reach) {
  const DPX_F d = DPX_FSUB(y, k);
  return DPX_FGE(DPX_BITSF(DPX_IAND(DPX_FBITS(d), DPX_ISET(0x7fffffffu))), reach);
}

/* Rounds DPX_L doubles x[at ..] plus s z; returns the undecided ones as bits. */
DPPAIR_FORCE_INLINE_ unsigned DPX_(dppair_round_f64_)(double *x, size_t at, DPX_F z, DPX_F reach,
                                                      DPX_(dppair_constants_) * constants) {
  DPX_D whole_a, whole_b, rest_a, rest_b;
  const size_t b = at + DPX_L / 2;
  const DPX_D value_a = DPX_(dppair_take_)(&whole_a, &rest_a, x, at, 0, constants);
  const DPX_D value_b = DPX_(dppair_take_)(&whole_b, &rest_b, x, b, 0, constants);
  const DPX_F y = DPX_FMA(z, constants->narrow_s, DPX_D2F(rest_a, rest_b)), k = DPX_FRINT(y);
  const DPX_M open = DPX_(dppair_open_)(y, k, reach);
  DPX_(dppair_put_)(x, at, 0, DPX_M_LO(open), value_a, whole_a, DPX_F_LO(k), constants);
  DPX_(dppair_put_)(x, b, 0, DPX_M_HI(open), value_b, whole_b, DPX_F_HI(k), constants);
  return DPX_M_BITS(open);
}

/* The same for floats, without leaving float: x / g, whole and rest are exact, since a float beyond
 * 2^23 is an integer; whole + k is rounded once, which is the last rounding of the release. */
DPPAIR_FORCE_INLINE_ unsigned DPX_(dppair_round_f32_)(float *x, size_t at, DPX_F z, DPX_F reach,
                                                      DPX_(dppair_constants_) * constants) {
  const DPX_F value = DPX_FLOAD(x + at), all = DPX_FMUL(value, constants->narrow_inverse);
  const DPX_F whole = DPX_FRINT(all), limit = DPX_FSET(2251799813685248.0f);
  const DPX_F y = DPX_FMA(z, constants->narrow_s, DPX_FSUB(all, whole)), k = DPX_FRINT(y);
  const DPX_M open = DPX_(dppair_open_)(y, k, reach);
  constants->narrow_range =
      DPX_MOR(constants->narrow_range,
              DPX_MOR(DPX_FGE(all, limit), DPX_FGT(DPX_FSUB(DPX_FSET(0.0f), limit), all)));
  DPX_FSTORE(x + at, DPX_FSEL(open, value,
                              DPX_FMA(DPX_FADD(whole, k), constants->narrow_g, DPX_FSET(0.0f))));
  return DPX_M_BITS(open);
}

DPPAIR_FORCE_INLINE_ unsigned DPX_(dppair_round_wide_)(void *x, size_t at, int narrow, DPX_D z,
                                                       DPX_D tau, DPX_N open,
                                                       DPX_(dppair_constants_) * constants) {
  DPX_D whole, rest;
  const DPX_D value = DPX_(dppair_take_)(&whole, &rest, x, at, narrow, constants);
  const DPX_D y = DPX_DFMA(z, constants->s, rest), k = DPX_DRINT(y), d = DPX_DSUB(y, k);
  const DPX_D size = DPX_BITSD(DPX_QAND(DPX_DBITS(d), DPX_QSET(INT64_MAX)));
  open = DPX_NOR(open, DPX_DGE(DPX_DFMA(tau, constants->s, size), DPX_DSET(0.5)));
  DPX_(dppair_put_)(x, at, narrow, open, value, whole, k, constants);
  return DPX_N_BITS(open);
}

/* Appends the positions at + i of set bits i to a list, without a branch. */
DPPAIR_FORCE_INLINE_ uint32_t *DPX_(dppair_note_)(uint32_t *end, unsigned bits, uint32_t at) {
#if DPPAIR_NOISE_PASS_ == 3
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i place = _mm512_add_epi32(lane, _mm512_set1_epi32((int32_t)at));
  _mm512_storeu_si512((void *)end, _mm512_maskz_compress_epi32((__mmask16)bits, place));
  return end + __builtin_popcount(bits);
#else
  uint32_t i;
  for (i = 0; i < DPX_L; i++) {
    *end = at + i;
    end += bits >> i & 1u;
  }
  return end;
#endif
}
