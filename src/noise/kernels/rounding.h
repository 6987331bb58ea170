/* ------------------------------------------------------------------------------------------------
 * Rounding and storing
 *
 * Splits x / g into an integer and a rest, adds the noise, rounds where tau allows it, and stores.
 * Undecided numbers keep their value; their positions go to a list for the next level.
 * ---------------------------------------------------------------------------------------------- */

/* A plan's constants in registers. `range` collects the bits in which x / g + 1.5 2^52 differs from
 * 1.5 2^52: its exponent changes when |x| is 2^51 g or more, infinite or NaN. `narrow_range` marks
 * such floats. */
typedef struct dpr_constants {
  DPR_D inverse, g, s, magic;
  DPR_F narrow_s, narrow_inverse, narrow_g;
  DPR_Q range;
  DPR_M narrow_range;
} dpr_constants;

DPPAIR_FORCE_INLINE_ void dpr_constants_make(dpr_constants *c, const dppair_plan_ *plan) {
  c->inverse = DPR_DSET(plan->inverse);
  c->g = DPR_DSET(plan->g);
  c->s = DPR_DSET(plan->s);
  c->magic = DPR_DSET(DPPAIR_MAGIC_F64_);
  c->narrow_s = DPR_FSET((float)plan->s);
  c->narrow_inverse = DPR_FSET(plan->narrow ? (float)plan->inverse : 0.0f);
  c->narrow_g = DPR_FSET(plan->narrow ? (float)plan->g : 0.0f);
  c->narrow_range = DPR_MNONE;
  c->range = DPR_QSET(0);
}

/* 1 when a number was out of range. */
DPPAIR_FORCE_INLINE_ int dpr_unfit(const dpr_constants *c) {
  return (DPR_N_BITS(DPR_QGT(DPR_QSHR(c->range, 52), DPR_QSET(0))) | DPR_M_BITS(c->narrow_range)) !=
         0;
}

/* x[at ..] / g = whole + rest for DPR_LANES / 2 numbers, float when `narrow`; returns x[at ..]. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_take(DPR_D *whole, DPR_D *rest, const void *x, size_t at, int narrow,
                                    dpr_constants *c) {
  const DPR_D value =
      narrow ? DPR_DLOADF((const float *)x + at) : DPR_DLOAD((const double *)x + at);
  const DPR_D y = DPR_DMUL(value, c->inverse), moved = DPR_DADD(y, c->magic);
  c->range = DPR_QOR(c->range, DPR_QXOR(DPR_DINT(moved), DPR_DINT(c->magic)));
  *whole = DPR_DROUND(y);
  *rest = DPR_DSUB(y, *whole);
  return value;
}

/* x = (whole + k) g where decided. The fused addition of 0 makes -0 positive. */
DPPAIR_FORCE_INLINE_ void dpr_put(void *x, size_t at, int narrow, DPR_N undecided, DPR_D value,
                                  DPR_D whole, DPR_D k, const dpr_constants *c) {
  const DPR_D y = DPR_DFMA(DPR_DADD(whole, k), c->g, DPR_DSET(0.0));
  if (narrow) {
    DPR_DSTOREF((float *)x + at, DPR_DSEL(undecided, value, y));
  } else {
    DPR_DSTORE((double *)x + at, DPR_DSEL(undecided, value, y));
  }
}

/* The undecided lanes of y: NaN, and those at least `reach` = 1/2 - tau from the next integer k. */
DPPAIR_FORCE_INLINE_ DPR_M dpr_open(DPR_F y, DPR_F k, DPR_F reach) {
  const DPR_F d = DPR_FSUB(y, k);
  return DPR_FGE(DPR_FLOAT(DPR_IAND(DPR_FINT(d), DPR_ISET(0x7fffffffu))), reach);
}

/* Rounds DPR_LANES doubles x[at ..] / g + s z; returns the undecided lanes as bits. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f64(double *x, size_t at, DPR_F z, DPR_F reach,
                                            dpr_constants *constants) {
  DPR_D whole_a, whole_b, rest_a, rest_b;
  const size_t b = at + DPR_LANES / 2;
  const DPR_D value_a = dpr_take(&whole_a, &rest_a, x, at, 0, constants);
  const DPR_D value_b = dpr_take(&whole_b, &rest_b, x, b, 0, constants);
  const DPR_F y = DPR_FFMA(z, constants->narrow_s, DPR_D2F(rest_a, rest_b)), k = DPR_FROUND(y);
  const DPR_M open = dpr_open(y, k, reach);
  dpr_put(x, at, 0, DPR_M_LO(open), value_a, whole_a, DPR_F_LO(k), constants);
  dpr_put(x, b, 0, DPR_M_HI(open), value_b, whole_b, DPR_F_HI(k), constants);
  return DPR_M_BITS(open);
}

/* The same for floats, in float: x / g, whole and rest are exact, since a float beyond 2^23 is an
 * integer. whole + k is rounded once; that is the rounding of the release to float. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f32(float *x, size_t at, DPR_F z, DPR_F reach,
                                            dpr_constants *constants) {
  const DPR_F value = DPR_FLOAD(x + at), all = DPR_FMUL(value, constants->narrow_inverse);
  const DPR_F whole = DPR_FROUND(all), limit = DPR_FSET(2251799813685248.0f); /* 2^51 */
  const DPR_F y = DPR_FFMA(z, constants->narrow_s, DPR_FSUB(all, whole)), k = DPR_FROUND(y);
  const DPR_M open = dpr_open(y, k, reach);
  constants->narrow_range =
      DPR_MOR(constants->narrow_range,
              DPR_MOR(DPR_FGE(all, limit), DPR_FGT(DPR_FSUB(DPR_FSET(0.0f), limit), all)));
  DPR_FSTORE(x + at, DPR_FSEL(open, value,
                              DPR_FFMA(DPR_FADD(whole, k), constants->narrow_g, DPR_FSET(0.0f))));
  return DPR_M_BITS(open);
}

/* Rounds DPR_LANES / 2 numbers x[at ..] / g + s z by the double level. Lanes in `open` may not be
 * decided. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_wide(void *x, size_t at, int narrow, DPR_D z, DPR_D tau,
                                             DPR_N open, dpr_constants *constants) {
  DPR_D whole, rest;
  const DPR_D value = dpr_take(&whole, &rest, x, at, narrow, constants);
  const DPR_D y = DPR_DFMA(z, constants->s, rest), k = DPR_DROUND(y), d = DPR_DSUB(y, k);
  const DPR_D size = DPR_DOUBLE(DPR_QAND(DPR_DINT(d), DPR_QSET(INT64_MAX)));
  open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, constants->s, size), DPR_DSET(0.5)));
  dpr_put(x, at, narrow, open, value, whole, k, constants);
  return DPR_N_BITS(open);
}

/* Appends at + i to a list for each set bit i, without a branch on the bits. Writes up to DPR_LANES
 * numbers beyond the end. */
DPPAIR_FORCE_INLINE_ uint32_t *dpr_note(uint32_t *end, unsigned bits, uint32_t at) {
#if DPR_LANES == 16
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i place = _mm512_add_epi32(lane, _mm512_set1_epi32((int32_t)at));
  _mm512_storeu_si512((void *)end, _mm512_maskz_compress_epi32((__mmask16)bits, place));
  return end + __builtin_popcount(bits);
#else
  uint32_t i;
  for (i = 0; i < DPR_LANES; i++) {
    *end = at + i;
    end += bits >> i & 1u;
  }
  return end;
#endif
}
