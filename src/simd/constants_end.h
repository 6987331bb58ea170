/* ------------------------------------------------------------------------------------------------
 * End of a body: the constants of its element type are undefined
 * ---------------------------------------------------------------------------------------------- */

#undef DPN_BIAS
#undef DPN_BITS
#undef DPN_C
#undef DPN_MAGIC
#undef DPN_MANTISSA
#undef DPN_NORM
#undef DPN_SIGN
#undef DPN_TWO_P
