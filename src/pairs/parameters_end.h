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
#undef DPT_LABEL
#undef DPT_FACTS
#undef DPT_SCORE_
#undef DPT_SUM_
#undef DPPAIR_ROW
#undef DPPAIR_KIND_
#undef DPPAIR_SPLIT_
#undef DPPAIR_RANGE_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_INSTANCE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
