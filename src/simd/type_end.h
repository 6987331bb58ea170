/* ------------------------------------------------------------------------------------------------
 * End of a body: its type is undefined
 * ---------------------------------------------------------------------------------------------- */
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#undef DPT_WIDE
