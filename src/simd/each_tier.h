/* ------------------------------------------------------------------------------------------------
 * Each tier: the body once for every tier
 *
 * The whole header is included again for each tier of the build, for the vectors and for a type of
 * rows twice: for double, and then for float, whose sums use the vectors of double. A module that
 * has vectors of its own says by DPPAIR_BODY_SELF_ that it is the header. The body sees
 * DPPAIR_TIER_, DPPAIR_TIER_NAME_, DPV_INLINE_ (how the vocabulary is inlined), DPV_UNROLL_ (before
 * short loops over arrays of vectors) and what simd/type.h defines. It opens and closes a region
 * with the instructions of its tier: DPPAIR_REGION_BEGIN_, DPPAIR_REGION_END_.
 * Vectors are in registers only where everything is inlined, so all tiers but the scalar one force
 * it.
 * ---------------------------------------------------------------------------------------------- */

#ifndef DPPAIR_BODY_SELF_
#define DPPAIR_BODY_SELF_ DPPAIR_SELF
#endif

/* Beside AVX2 the scalar loops serve processors of before 2013 alone. */
#define DPPAIR_QUICK_TIER_ DPPAIR_HAVE_AVX2

/* Scalar: vectors are arrays in memory. Forced inlining gains nothing and costs compile time. */
#if DPPAIR_MIN_TIER < 2
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#define DPV_UNROLL_
#if DPPAIR_QUICK_TIER_
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ (DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_)
#include "core/quick.h"
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0
#endif
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
#include "simd/each_type.h"
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#if DPPAIR_QUICK_TIER_
#include "core/quick_end.h"
#endif
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
#undef DPPAIR_QUICK_TIER_

#define DPV_UNROLL_ DPPAIR_UNROLL_

#define DPV_INLINE_ DPPAIR_FORCE_INLINE_

#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
#include "simd/each_type.h"
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

/* AVX-512 uses some of AVX2's vectors. */
#if DPPAIR_HAVE_AVX2 && (DPPAIR_MIN_TIER < 3 || DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_)
#define DPPAIR_TIER_ 2
#define DPPAIR_TIER_NAME_ avx2
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
#include "simd/each_type.h"
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
#include "simd/each_type.h"
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#undef DPV_INLINE_
#undef DPV_UNROLL_
#undef DPPAIR_BODY_SELF_
