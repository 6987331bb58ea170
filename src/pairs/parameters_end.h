/* ------------------------------------------------------------------------------------------------
 * End of an instance: its parameters are undefined
 * ---------------------------------------------------------------------------------------------- */
#undef DPT_SCORES
#undef DPT_COMBINE
#undef DPT_W
#undef DPT_MAX
#undef DPT_MIN
#undef DPT_EPSILON

#undef DPT_FINITE
#undef DPPAIR_KIND_
#undef DPPAIR_SPLIT_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_INSTANCE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_LOSS
