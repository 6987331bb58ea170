/* ------------------------------------------------------------------------------------------------
 * The vocabulary on virtual vectors, for one tier and one type
 *
 * Operations act on each native register alone, by DPN_EVERY (simd/registers.h). Loads and stores
 * of a few lanes, sums and calls go through an array.
 * ---------------------------------------------------------------------------------------------- */

DPV_INLINE_ DPV_T dpv_set(DPV_R x) { DPN_EVERY(DPV_T, DPN_SET(x)); }
DPV_INLINE_ DPV_T dpv_load(const DPV_R *p) { DPN_EVERY(DPV_T, DPN_LOAD(p + k * DPN_PER)); }
DPV_INLINE_ void dpv_store(DPV_R *p, DPV_T v) { DPN_EACH(DPN_STORE(p + k * DPN_PER, v.r[k])); }
DPV_INLINE_ DPV_T dpv_loadn(const DPV_R *p, size_t n, DPV_R fill) {
  DPV_R t[DPV_LANES];
  for (int i = 0; i < DPV_LANES; i++) t[i] = fill;
  for (size_t i = 0; i < n; i++) t[i] = p[i];
  return DPV_LOAD(t);
}
DPV_INLINE_ void dpv_storen(DPV_R *p, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t i = 0; i < n; i++) p[i] = t[i];
}
#if DPPAIR_F64_
/* Eight floats to double, and back, rounded once. */
DPV_INLINE_ DPV_T dpv_load_f32(const float *p) { DPN_EVERY(DPV_T, DPN_LOADF(p + k * DPN_PER)); }
DPV_INLINE_ void dpv_store_f32(float *p, DPV_T v) { DPN_EACH(DPN_STOREF(p + k * DPN_PER, v.r[k])); }
#ifndef DPN_OWN_BITS
DPV_INLINE_ DPV_T dpv_load_bits(const uint64_t *p) {
  return DPV_LOAD((const double *)(const void *)p);
}
DPV_INLINE_ void dpv_store_bits(uint64_t *p, DPV_T v) { DPV_STORE((double *)(void *)p, v); }
DPV_INLINE_ DPV_T dpv_add_bits(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_ADD_BITS(a.r[k], b.r[k])); }
#endif
#endif
DPV_INLINE_ DPV_T dpv_add(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_ADD(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_sub(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_SUB(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_mul(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MUL(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_div(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_DIV(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_max(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MAX(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_min(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MIN(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_sqrt(DPV_T a) { DPN_EVERY(DPV_T, DPN_SQRT(a.r[k])); }
DPV_INLINE_ DPV_T dpv_fma(DPV_T a, DPV_T b, DPV_T c) {
  DPN_EVERY(DPV_T, DPN_FMA(a.r[k], b.r[k], c.r[k]));
}
DPV_INLINE_ DPV_M dpv_lt(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_LT(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_le(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_LE(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_eq(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_EQ(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_both(DPV_M a, DPV_M b) { DPN_EVERY(DPV_M, DPN_MAND(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_either(DPV_M a, DPV_M b) { DPN_EVERY(DPV_M, DPN_MOR(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_sel(DPV_M m, DPV_T a, DPV_T b) {
  DPN_EVERY(DPV_T, DPN_SEL(m.r[k], a.r[k], b.r[k]));
}

/* Operations on the bits of each number: for signs, exponents and mantissas. */
DPV_INLINE_ DPV_T dpv_bit_and(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_AND(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_bit_or(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_OR(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_bit_xor(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_XOR(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_shl_mantissa(DPV_T a) { DPN_EVERY(DPV_T, DPN_SHL(a.r[k], DPN_MANTISSA)); }
DPV_INLINE_ DPV_T dpv_shr_mantissa(DPV_T a) { DPN_EVERY(DPV_T, DPN_SHR(a.r[k], DPN_MANTISSA)); }

DPV_INLINE_ DPV_T dpv_neg(DPV_T a) { return dpv_bit_xor(a, DPN_BITS(DPN_SIGN)); }
DPV_INLINE_ DPV_T dpv_abs(DPV_T a) { return dpv_bit_xor(a, dpv_bit_and(a, DPN_BITS(DPN_SIGN))); }

/* To the nearest integer, ties to even: adding and subtracting 2^52 (float: 2^23) drops all digits
 * behind the point. Larger numbers are integers already. The sign is kept, for -0. */
DPV_INLINE_ DPV_T dpv_round(DPV_T a) {
  DPV_T big = DPV_SET(DPN_TWO_P), sign = dpv_bit_and(a, DPN_BITS(DPN_SIGN));
  DPV_T t = DPV_ABS(a), r = DPV_SUB(DPV_ADD(t, big), big);
  return DPV_SEL(DPV_LT(t, big), dpv_bit_or(r, sign), a);
}

/* The sum of the lanes: the upper half is added to the lower half until one lane is left. This tree
 * is the same on all tiers. */
DPV_INLINE_ DPV_R dpv_sum(DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int w = DPV_LANES / 2; w > 0; w /= 2)
    for (int i = 0; i < w; i++) t[i] += t[i + w];
  return t[0];
}

DPV_INLINE_ DPV_T dpv_call(DPV_R (*f)(DPV_R), DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int i = 0; i < DPV_LANES; i++) t[i] = f(t[i]);
  return DPV_LOAD(t);
}

/* 2^n, for an integer n for which 2^n is a normal number: n + bias is moved into the exponent. */
DPV_INLINE_ DPV_T dpv_pow2(DPV_T n) {
  return dpv_shl_mantissa(DPV_ADD(n, DPN_C(DPN_MAGIC + DPN_BIAS)));
}

/* p 2^n, rounded once, for 1/2 <= p <= 2 and every integer n that occurs in dpv_exp. It multiplies
 * by two powers, about 2^(n/2) each, since 2^n itself may not be a normal number. Results underflow
 * gradually and overflow to infinity. */
#ifndef DPN_OWN_SCALE
DPV_INLINE_ DPV_T dpv_scale(DPV_T p, DPV_T n) {
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  const DPV_T half = DPV_SUB(DPV_FMA(n, DPN_C(0.5), magic), magic);
  return DPV_MUL(DPV_MUL(p, dpv_pow2(half)), dpv_pow2(DPV_SUB(n, half)));
}
#endif
