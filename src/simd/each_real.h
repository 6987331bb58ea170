/* ------------------------------------------------------------------------------------------------
 * Rows of double, then of float: the body once for either
 *
 * The whole header is included again for either; all but the body is skipped.
 * ---------------------------------------------------------------------------------------------- */

#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ f64
#include DPPAIR_SELF
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ f32
#include DPPAIR_SELF
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW
