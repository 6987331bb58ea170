/* ------------------------------------------------------------------------------------------------
 * Native registers: what a tier brings
 *
 * A virtual vector (simd/vocabulary.h) is a struct of DPN_K native registers. simd/scalar.h,
 * simd128.h, avx2.h and avx512.h are one tier each. For either element type, a tier defines
 *
 *   DPN_T DPN_M                  types of a register and its mask; DPN_T has the operators + - * /
 *   DPN_K DPN_REGISTERS          registers in a virtual vector; registers of the processor
 *   DPN_EACH(s)                  the statement s for k = 0 ... DPN_K - 1, k a constant if possible
 *   DPN_SET LOAD STORE           all lanes x; from and to unaligned memory
 *   DPN_LOADF STOREF             from and to floats in memory (only for double)
 *   DPN_FMA SQRT MAX MIN         MAX and MIN as DPV_MAX and DPV_MIN: the second operand for NaN
 *   DPN_LT LE EQ MAND MOR SEL    comparisons; and, or of masks; choice by a mask
 *   DPN_AND OR XOR SHL SHR       the bits of each number; shifts by a constant
 *   DPN_ADD_BITS                 the bits of doubles, added as integers (only for double)
 *
 * and then writes DPN_VECTORS;. Its file may replace a generic function by a faster one with the
 * same bits; it then defines DPN_OWN_SCALE for dpv_scale (simd/operations.h), DPN_OWN_BITS for
 * vectors of integers (there too), DPN_OWN_ROW_END, _ROWS8 and _SUMS8 for dpv_row_end, dpv_rows8
 * and dpv_sums8 (rows/kernels_f64.h, rows/kernels_f32.h). Every name that a tier defines is
 * undefined in simd/registers_end.h.
 *
 * A new tier NAME changes core/processor.h (number, instructions, choice, name), core/dispatch.h,
 * simd/each_tier.h, dppair.h and, for another processor, simd/intrinsics.h; it adds simd/NAME.h.
 * For noise it changes dppair_noise.h and noise/kernels/each_tier.h, and adds noise/kernels/NAME.h.
 *
 * Limit: the size of a register must be known to the compiler, since a struct holds it. The
 * sizeless vectors of SVE and RVV therefore do not fit. ARM is served by the 128-bit tier.
 * ---------------------------------------------------------------------------------------------- */

/* A name with the suffix of the element type: DPN_PD pd or ps, DPN_EPI epi64 or epi32, DPN_BI f64_
 * or f32_, DPN_F nothing or f. */
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

/* Operators obey the floating-point region around them. Intrinsics might not: the program may have
 * included them before, under -ffast-math. */
#define DPN_ADD(a, b) ((a) + (b))
#define DPN_SUB(a, b) ((a) - (b))
#define DPN_MUL(a, b) ((a) * (b))
#define DPN_DIV(a, b) ((a) / (b))

/* The types of the virtual vector and its mask. */
#define DPN_VECTORS                                                                                \
  typedef struct DPV_T {                                                                           \
    DPN_T r[DPN_K];                                                                                \
  } DPV_T;                                                                                         \
  typedef struct DPV_M {                                                                           \
    DPN_M r[DPN_K];                                                                                \
  } DPV_M
#define DPN_PER (DPV_LANES / DPN_K) /* lanes of one native register */

/* The body of a function that returns v with v.r[k] = e for every register. */
#define DPN_EVERY(type, e)                                                                         \
  type v;                                                                                          \
  DPN_EACH(v.r[k] = e)                                                                             \
  return v

#include "simd/constants.h"
