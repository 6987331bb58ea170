/* ------------------------------------------------------------------------------------------------
 * End of an instance
 *
 * Undefines the parameters, so that another instance can be defined.
 * ---------------------------------------------------------------------------------------------- */
#undef DPT_W
#undef DPT_MAX
#undef DPT_MIN
#undef DPT_EPSILON
#undef DPT_BLOCKS
#undef DPT_ROOM
#undef DPT_TOO_LONG
#undef DPT_FINITE
#undef DPT_SCALE
#undef DPT_SCORES
#undef DPT_COMBINE
#undef DPT_LINEAR_SCORES
#undef DPT_LINEAR_COMBINE
#undef DPT_SUM_ROWS
#undef DPT_REACH
#undef DPT_STORED
#undef DPT_NUMBER
#undef DPT_NARROW
#undef DPPAIR_ROWS_
#undef DPPAIR_ROW_KIND_
#undef DPPAIR_ROW
#undef DPPAIR_KIND_
#undef DPPAIR_SPLIT_
#undef DPPAIR_CURVE_
#undef DPPAIR_ROWS_WHOLE_
#undef DPPAIR_RANGE_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_INSTANCE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
#undef DPPAIR_TOP
