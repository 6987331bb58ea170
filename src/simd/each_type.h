/* ------------------------------------------------------------------------------------------------
 * Each type: the body once for every element type
 *
 * This header is included again for each type. The body of the vectors needs both, the body of an
 * instance its own type, and the table of an instance double. The body sees DPPAIR_F64_,
 * DPPAIR_TYPE_NAME_, DPV_R (the type), DPV_LANES and DPPAIR_SUFFIX_ (of the names in simd/names.h).
 * Double comes first: code for float uses the vectors of double for its sums.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_ || DPPAIR_TEMPLATE_F64_
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

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ ||                                                        \
    (DPPAIR_BODY_ == DPPAIR_BODY_PAIRS_ && !DPPAIR_TEMPLATE_F64_)
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
