/* ------------------------------------------------------------------------------------------------
 * Tier 0: plain C, arrays of DPV_LANES numbers
 * ---------------------------------------------------------------------------------------------- */

#define DPN_T DPV_R
#define DPN_M int
#define DPN_K DPV_LANES
#define DPN_SET(x) (x)
#define DPN_LOAD(p) (*(p))
#define DPN_STORE(p, a) (*(p) = (a))
#define DPN_LOADF(p) ((double)*(p))
#define DPN_STOREF(p, a) (*(p) = (float)(a))
#define DPN_FMA(a, b, c) DPPAIR_CAT(dppair_fma_, DPPAIR_CAT(DPPAIR_TYPE_NAME_, _))(a, b, c)
#define DPN_SQRT(a) ((DPV_R)dppair_sqrt_((double)(a))) /* of a float: 53 digits suffice for 24 */
#define DPN_MAX(a, b) ((a) > (b) ? (a) : (b))
#define DPN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define DPN_LT(a, b) ((a) < (b))
#define DPN_LE(a, b) ((a) <= (b))
#define DPN_EQ(a, b) ((a) == (b))
#define DPN_SEL(m, a, b) ((m) ? (a) : (b))
#define DPN_MAND(a, b) ((a) & (b))
#define DPN_MOR(a, b) ((a) | (b))
#define DPN_INT(a) DPN_BI(dppair_bits_)(a)
#define DPN_FLOAT(u) DPN_BI(dppair_from_bits_)(u)
#define DPN_AND(a, b) DPN_FLOAT(DPN_INT(a) & DPN_INT(b))
#define DPN_OR(a, b) DPN_FLOAT(DPN_INT(a) | DPN_INT(b))
#define DPN_XOR(a, b) DPN_FLOAT(DPN_INT(a) ^ DPN_INT(b))
#define DPN_SHL(a, n) DPN_FLOAT(DPN_INT(a) << (n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_INT(a) >> (n))
#define DPN_EACH(s)                                                                                \
  for (int k = 0; k < DPN_K; k++) {                                                                \
    s;                                                                                             \
  }
#define DPN_REGISTERS 16
DPN_VECTORS;

/* Integers in the lanes of an array. They are moved as bytes: a function that returns a double can
 * change the bits of a NaN on the way (x87). */
#define DPN_OWN_BITS
#if DPPAIR_F64_
DPV_INLINE_ DPV_T dpv_load_bits(const uint64_t *p) {
  DPV_T v;
  memcpy(&v, p, sizeof v);
  return v;
}
DPV_INLINE_ void dpv_store_bits(uint64_t *p, DPV_T v) { memcpy(p, &v, sizeof v); }
DPV_INLINE_ DPV_T dpv_add_bits(DPV_T a, DPV_T b) {
  uint64_t x[DPV_LANES], y[DPV_LANES];
  dpv_store_bits(x, a);
  dpv_store_bits(y, b);
  for (int i = 0; i < DPV_LANES; i++) x[i] += y[i];
  return dpv_load_bits(x);
}
#endif
