/* The body once per tier, each in the region of its instructions. The table of an instance is
 * computed on the scalar tier only, so that it never depends on the machine. */
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_ /* arrays: forcing gains nothing, costs most */
#define DPV_UNROLL_
DPPAIR_FP_BEGIN_
#include DPPAIR_SELF
DPPAIR_FP_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_

#if DPPAIR_BODY_ != DPPAIR_BODY_TABLE_
#define DPV_UNROLL_ DPPAIR_UNROLL_
#if DPPAIR_HAVE_SIMD128
#if DPPAIR_HAVE_AVX2 /* for processors before 2013 then: time to compile matters more */
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#else
#define DPV_INLINE_ DPPAIR_FORCE_INLINE_
#endif
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
DPPAIR_FP_BEGIN_
#include DPPAIR_SELF
DPPAIR_FP_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#endif
#define DPV_INLINE_ DPPAIR_FORCE_INLINE_
#if DPPAIR_HAVE_AVX2
#define DPPAIR_TIER_ 2
#define DPPAIR_TIER_NAME_ avx2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#include DPPAIR_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif
#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#include DPPAIR_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif
#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
