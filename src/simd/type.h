/* ------------------------------------------------------------------------------------------------
 * The type of a body
 *
 * The vectors and a type of rows are compiled for double and for float, the body of an instance for
 * its own type, and the table of an instance for double. The body sees DPPAIR_F64_,
 * DPPAIR_TYPE_NAME_, DPV_R (the type), DPV_LANES and DPPAIR_SUFFIX_ (of the names in simd/names.h).
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_SECOND_TYPE_
#define DPPAIR_F64_ 0
#elif DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_ || DPPAIR_TEMPLATE_F64_
#define DPPAIR_F64_ 1
#else
#define DPPAIR_F64_ 0
#endif

#if DPPAIR_F64_
#define DPPAIR_TYPE_NAME_ f64
#define DPV_R double
#define DPV_LANES 8
#else
#define DPPAIR_TYPE_NAME_ f32
#define DPV_R float
#define DPV_LANES 16
#endif
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
