#if DPPAIR_TIER_ == 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_UNROLL_ /* its vectors are arrays anyway */
#elif DPPAIR_TIER_ == 1
#define DPPAIR_TIER_NAME_ simd128
#elif DPPAIR_TIER_ == 2
#define DPPAIR_TIER_NAME_ avx2
#else
#define DPPAIR_TIER_NAME_ avx512
#endif
#ifndef DPV_UNROLL_
#define DPV_UNROLL_ DPPAIR_UNROLL_
#endif
#if DPPAIR_PASS_ == 1 || DPPAIR_PASS_ == 4 || (DPPAIR_PASS_ != 3 && DPPAIR_TEMPLATE_F64_ == 0)
#define DPPAIR_F64_ 0
#define DPPAIR_TYPE_NAME_ f32
#define DPV_R float
#define DPV_LANES 16
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
#include DPPAIR_SELF
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#endif
#if DPPAIR_PASS_ == 1 || DPPAIR_PASS_ == 3 || DPPAIR_PASS_ == 4 || DPPAIR_TEMPLATE_F64_ == 1
#define DPPAIR_F64_ 1
#define DPPAIR_TYPE_NAME_ f64
#define DPV_R double
#define DPV_LANES 8
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
#include DPPAIR_SELF
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#endif
#undef DPPAIR_TIER_NAME_
#undef DPV_UNROLL_
