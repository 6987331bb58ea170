/* ------------------------------------------------------------------------------------------------
 * The float level: functions of 32 bits of a string, in float
 *
 * -ln U, cosine and sine with bounds on their errors, u = 2^-24, whether the tier fuses a product
 * and a sum or not. The unread bits, among them those that a tier's DPR_U2F leaves out, are charged
 * where the functions are used: first_level.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln U for U = w 2^-32.
 *
 * U = v 2^k with v in [0.707, 1.414] and f = v - 1, from the bits of U as a float: adding the
 * difference of the bits of 1 and sqrt(1/2) moves the exponent at sqrt(1/2). Above 0.70727 f comes
 * from the distance 1 - U instead, so that it has a relative error of u only. ln(1 + f) =
 * f + f^2 Q(f) with Q of degree 6, |error| <= 2^-24.1. Error of e: relative 6.2u near U = 1, else
 * (3.3 + 2e) u, from v's conversion u, Q's approximation 0.93u, its evaluation 0.6u, the product of
 * f^2 0.1u, ln 2 rounded to float 0.35u, its product (e + 0.35)u, and the last sum e u. (Over all w
 * that this level decides: 6.19u, (1.4 + 2e) u.)
 */
DPPAIR_FORCE_INLINE_ DPR_F dpr_exponential_f32(DPR_I w) {
  const uint32_t one = 0x3f800000u, root_half = 0x3f3504f3u, digits = 0x007fffffu;
  const DPR_I i = DPR_IADD(DPR_FINT(DPR_U2F(w)), DPR_ISET(one - root_half));
  const DPR_F k = DPR_FSUB(DPR_I2F(DPR_ISHR(i, 23)), DPR_FSET(127.0f + 32.0f));
  const DPR_F v = DPR_FLOAT(DPR_IADD(DPR_IAND(i, DPR_ISET(digits)), DPR_ISET(root_half)));
  const DPR_F f = DPR_FSEL(DPR_IGT(DPR_ISHR(w, 1), DPR_ISET(0x5a880000u)),
                           DPR_FMUL(DPR_I2F(w), DPR_FSET(2.3283064365386963e-10f)), /* 2^-32 */
                           DPR_FSUB(v, DPR_FSET(1.0f)));
  DPR_F q = DPR_FFMA(f, DPR_FSET(-0.1018699410509238f), DPR_FSET(0.16311621702560866f));
  q = DPR_FFMA(f, q, DPR_FSET(-0.172650798677734f));
  q = DPR_FFMA(f, q, DPR_FSET(0.19890390297798413f));
  q = DPR_FFMA(f, q, DPR_FSET(-0.24967445645995892f));
  q = DPR_FFMA(f, q, DPR_FSET(0.333352117137889f));
  q = DPR_FFMA(f, q, DPR_FSET(-0.5000042785035765f));
  q = DPR_FFMA(DPR_FMUL(f, f), q, f);
  return DPR_FSUB(DPR_FSET(0.0f), DPR_FFMA(k, DPR_FSET(0.6931471805599453f), q));
}

/*
 * cos and sin of 2 pi w 2^-32. The low 30 bits, read as signed, are the angle from the nearest
 * quarter turn; theta is that angle in radians, |theta| <= pi/4, with a relative error of 2.5u.
 * Polynomials of degree 6 and 7 give both within 3.5u (over all w: cosines 2.6u, sines 2.28u, and
 * 2.42u where nothing is fused); the upper bits exchange them and change their signs.
 */
DPPAIR_FORCE_INLINE_ void dpr_circle_f32(DPR_F *cosine, DPR_F *sine, DPR_I w) {
  const DPR_F theta = /* times 2 pi 2^-34 */
      DPR_FMUL(DPR_I2F(DPR_ISHL(w, 2)), DPR_FSET(3.6572951981935396e-10f));
  const DPR_F z = DPR_FMUL(theta, theta);
  const DPR_I turn = DPR_IADD(w, DPR_ISET(0x20000000u)), sign = DPR_ISET(0x80000000u);
  const DPR_M odd = DPR_IGT(DPR_ISET(0), DPR_ISHL(turn, 1));
  DPR_F c = DPR_FFMA(z, DPR_FSET(-0.0013597823111755002f), DPR_FSET(0.041656294578493416f));
  DPR_F s = DPR_FFMA(z, DPR_FSET(-0.00019495636238835552f), DPR_FSET(0.008331978663168945f));
  c = DPR_FFMA(z, c, DPR_FSET(-0.49999894781371773f));
  c = DPR_FFMA(z, c, DPR_FSET(1.0f));
  s = DPR_FFMA(z, s, DPR_FSET(-0.16666650669294458f));
  s = DPR_FFMA(DPR_FMUL(theta, z), s, theta);
  *cosine = DPR_FLOAT(DPR_IXOR(DPR_FINT(DPR_FSEL(odd, s, c)),
                               DPR_IAND(DPR_IADD(turn, DPR_ISET(0x40000000u)), sign)));
  *sine = DPR_FLOAT(DPR_IXOR(DPR_FINT(DPR_FSEL(odd, c, s)), DPR_IAND(turn, sign)));
}
