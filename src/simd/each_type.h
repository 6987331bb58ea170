/* ------------------------------------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
