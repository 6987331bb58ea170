/* ------------------------------------------------------------------------------------------------
 * The bits of a number as an integer, and back
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FORCE_INLINE_ uint64_t dppair_bits_f64_(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ double dppair_from_bits_f64_(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
DPPAIR_FORCE_INLINE_ uint32_t dppair_bits_f32_(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ float dppair_from_bits_f32_(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
