/* The body once per element type: the vectors for both, an instance for its own, its table in
 * double. Double comes first, because sums of floats run in double. */
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
