/* ------------------------------------------------------------------------------------------------
 * Native registers: what the four tiers share. Each of simd/scalar.h, simd128.h, avx2.h and
 * avx512.h is one tier: it binds the operations DPN_* to instructions on one native register, and
 * has the few functions for which its instructions allow more than the generic ones do. A tier must
 * bring
 *
 *   DPN_T DPN_M DPN_K DPN_REGISTERS   a register, a mask of it, how many make a virtual vector of
 *                                     DPV_LANES lanes, how many the processor has
 *   DPN_SET LOAD STORE LOADF STOREF FMA SQRT MAX MIN LT LE EQ SEL MAND MOR INT FLOAT AND OR XOR
 *   SHL SHR                           operations; LOADF and STOREF convert from and to float
 *   DPN_EACH(s)                       the statement s for k = 0 ... DPN_K - 1
 *
 * and then DPN_VECTORS;. It may define DPN_OWN_SCALE, _ROW_END, _ROWS8 or _SUMS8 and that function:
 * the generic one is in simd/elementary.h or rows/kernels.h. DPV_UNROLL_ and DPV_INLINE_ are said
 * in simd/each_tier.h.
 * ---------------------------------------------------------------------------------------------- */

/* DPN_PD picks pd or ps, DPN_EPI epi64 or epi32, DPN_BI f64 or f32, DPN_F nothing or f. */
#if DPPAIR_F64_
#define DPN_PD(name) DPPAIR_CAT(name, pd)
#define DPN_EPI(name) DPPAIR_CAT(name, epi64)
#define DPN_BI(name) DPPAIR_CAT(name, f64_)
#define DPN_F(name) name
#else
#define DPN_PD(name) DPPAIR_CAT(name, ps)
#define DPN_EPI(name) DPPAIR_CAT(name, epi32)
#define DPN_BI(name) DPPAIR_CAT(name, f32_)
#define DPN_F(name) DPPAIR_CAT(name, f)
#endif

/* Operators, not intrinsics: they obey the floating-point region even when the host's own include
 * of the intrinsics was compiled with -ffast-math. */
#define DPN_ADD(a, b) ((a) + (b))
#define DPN_SUB(a, b) ((a) - (b))
#define DPN_MUL(a, b) ((a) * (b))
#define DPN_DIV(a, b) ((a) / (b))

/* The virtual vector and its mask. */
#define DPN_VECTORS                                                                                \
  typedef struct DPV_T {                                                                           \
    DPN_T r[DPN_K];                                                                                \
  } DPV_T;                                                                                         \
  typedef struct DPV_M {                                                                           \
    DPN_M r[DPN_K];                                                                                \
  } DPV_M
#define DPN_PER (DPV_LANES / DPN_K) /* lanes of one native register */

/* The body of an operation that acts on each native register alone: v.r[k] = e. */
#define DPN_EVERY(type, e)                                                                         \
  type v;                                                                                          \
  DPN_EACH(v.r[k] = e)                                                                             \
  return v

/* What depends on the element type: its bits and constants. */
#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC DPPAIR_MAGIC_F64_
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC DPPAIR_MAGIC_F32_
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif
