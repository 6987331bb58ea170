/* ------------------------------------------------------------------------------------------------
 * The vocabulary DPV_*
 *
 * A kernel or a loss is written once, over a virtual vector of 64 bytes (8 doubles or 16 floats),
 * and compiled once per tier: as one AVX-512 register, two AVX2 registers, four 128-bit registers
 * or an array. Every tier has the same number of lanes, adds them by the same tree and fuses
 * DPV_FMA, so scalar, AVX2, AVX-512 and NEON give the same bits. The exception is the 128-bit tier
 * on x86, where DPV_FMA is a product and a sum.
 *
 *   DPV_T DPV_M DPV_R DPV_LANES        vector, mask, element type, number of lanes
 *   DPV_SET(x) DPV_LOAD(p) DPV_STORE(p, v)            all lanes x, rounded to DPV_R; unaligned
 *                                      memory
 *   DPV_LOADN(p, n, fill) DPV_STOREN(p, v, n)         the first n <= DPV_LANES lanes; other lanes
 *                                      are fill, or are not stored
 *   DPV_LOAD_F32(p) DPV_STORE_F32(p, v)               8 floats as doubles; only in code for double
 *   DPV_ADD SUB MUL DIV (a, b)  DPV_FMA(a, b, c) = a b + c   DPV_NEG ABS SQRT ROUND (a)
 *   DPV_LOAD_BITS(p) DPV_STORE_BITS(p, v)             8 integers of type uint64_t as the bits of
 *                                      lanes; only in code for double, as DPV_ADD_BITS(a, b), which
 *                                      adds the bits of lanes as such integers
 *   DPV_MAX MIN (a, b)                 a > b ? a : b, a < b ? a : b; hence b if either is NaN
 *   DPV_LT DPV_LE DPV_EQ (a, b)        masks; DPV_AND OR (m, n); DPV_SEL(m, a, b) = m ? a : b
 *   DPV_SUM(v)                         sum of the lanes, by a fixed tree, as a DPV_R
 *   DPV_EXP DPV_LOG DPV_LOG1P          within 1.1, 1 and 2 ulp (LOG1P for arguments >= 0)
 *   DPV_SIGMOID DPV_SOFTPLUS           1/(1+e^-u) and ln(1+e^u), within 4 ulp, stable at any u
 *   DPV_CALL(f, v)                     any C function f, lane by lane: slow
 *
 * The tests check these bounds in ulp against long double. Over all floats the largest errors are
 * 1.03 for EXP, 0.83 for LOG, 1.24 for LOG1P and 2.41 for SIGMOID.
 * ---------------------------------------------------------------------------------------------- */

#define DPV_T DPPAIR_V_(t)
#define DPV_M DPPAIR_V_(m)
#define DPV_SET(x) dpv_set((DPV_R)(x))
#define DPV_LOAD(p) dpv_load(p)
#define DPV_STORE(p, v) dpv_store(p, v)
#define DPV_LOADN(p, n, fill) dpv_loadn(p, n, fill)
#define DPV_STOREN(p, v, n) dpv_storen(p, v, n)
#define DPV_LOAD_F32(p) dpv_load_f32(p)
#define DPV_STORE_F32(p, v) dpv_store_f32(p, v)
#define DPV_LOAD_BITS(p) dpv_load_bits(p)
#define DPV_STORE_BITS(p, v) dpv_store_bits(p, v)
#define DPV_ADD_BITS(a, b) dpv_add_bits(a, b)
#define DPV_AND(m, n) dpv_both(m, n) /* `and` and `or` are words of C++ and iso646.h */
#define DPV_OR(m, n) dpv_either(m, n)
#define DPV_ADD(a, b) dpv_add(a, b)
#define DPV_SUB(a, b) dpv_sub(a, b)
#define DPV_MUL(a, b) dpv_mul(a, b)
#define DPV_DIV(a, b) dpv_div(a, b)
#define DPV_FMA(a, b, c) dpv_fma(a, b, c)
#define DPV_NEG(a) dpv_neg(a)
#define DPV_ABS(a) dpv_abs(a)
#define DPV_SQRT(a) dpv_sqrt(a)
#define DPV_ROUND(a) dpv_round(a)
#define DPV_MAX(a, b) dpv_max(a, b)
#define DPV_MIN(a, b) dpv_min(a, b)
#define DPV_LT(a, b) dpv_lt(a, b)
#define DPV_LE(a, b) dpv_le(a, b)
#define DPV_EQ(a, b) dpv_eq(a, b)
#define DPV_SEL(m, a, b) dpv_sel(m, a, b)
#define DPV_SUM(a) dpv_sum(a)
#define DPV_EXP(a) dpv_exp(a)
#define DPV_LOG(a) dpv_log(a)
#define DPV_LOG1P(a) dpv_log1p(a)
#define DPV_SIGMOID(a) dpv_sigmoid(a)
#define DPV_SOFTPLUS(a) dpv_softplus(a)
#define DPV_CALL(f, a) dpv_call(f, a)
