/* ------------------------------------------------------------------------------------------------
 * Constants of the element type
 *
 * DPN_BITS(u) is a vector of the bits u, DPN_C(x) of the constant x; digits of the mantissa, bias of
 * the exponent, and others.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC DPPAIR_MAGIC_F64_
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC DPPAIR_MAGIC_F32_
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif
