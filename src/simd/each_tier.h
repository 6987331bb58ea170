/* ------------------------------------------------------------------------------------------------
 * Each tier: the body once for every tier
 *
 * The whole header is included again for each tier of the build, for the vectors and for a type of
 * rows twice: for double, and then for float, whose sums use the vectors of double. The body sees
 * DPPAIR_TIER_, DPPAIR_TIER_NAME_, DPV_INLINE_ (how the vocabulary is inlined), DPV_UNROLL_ (before
 * short loops over arrays of vectors) and what simd/type.h defines. It is compiled in a region with
 * the instructions of its tier.
 * Vectors are in registers only where everything is inlined, so AVX2 and AVX-512 force it.
 * ---------------------------------------------------------------------------------------------- */

/* Scalar: vectors are arrays in memory. Forced inlining gains nothing and costs compile time. */
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#define DPV_UNROLL_
DPPAIR_FP_BEGIN_
#include DPPAIR_SELF
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_SELF
#undef DPPAIR_SECOND_TYPE_
#endif
DPPAIR_FP_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_

/* The table of an instance is computed on the scalar tier only, so it is the same everywhere. */
#if DPPAIR_BODY_ != DPPAIR_BODY_TABLE_
#define DPV_UNROLL_ DPPAIR_UNROLL_

/* 128 bits. If there is an AVX2 tier, this one serves processors before 2013 only: compile time
 * matters more than their speed, and nothing is forced inline. */
#if DPPAIR_HAVE_SIMD128
#if DPPAIR_HAVE_AVX2
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#else
#define DPV_INLINE_ DPPAIR_FORCE_INLINE_
#endif
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
DPPAIR_FP_BEGIN_
#include DPPAIR_SELF
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_SELF
#undef DPPAIR_SECOND_TYPE_
#endif
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
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_SELF
#undef DPPAIR_SECOND_TYPE_
#endif
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#include DPPAIR_SELF
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_SELF
#undef DPPAIR_SECOND_TYPE_
#endif
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
