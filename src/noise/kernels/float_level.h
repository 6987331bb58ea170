/* ------------------------------------------------------------------------------------------------
 * The float level. u = 2^-24.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln(w 2^-32). U = v 2^k, v in [0.707, 1.414], f = v - 1; above 0.70727 the distance 1 - U is
 * converted instead, so that f has a relative error of u only. ln(1 + f) = f + f^2 Q(f), Q of
 * degree 6, |error| <= 2^-24.1. Error of e: relative 4u near U = 1, else (2.8 + e) u: v's
 * conversion u, Q's approximation 0.93u, its evaluation 0.5u, ln 2 rounded to float 0.35u, the last
 * sum e u.
 */
DPPAIR_FORCE_INLINE_ DPX_F DPX_(dppair_exponential_f32_)(DPX_I w) {
  const DPX_F c = DPX_U2F(w);
  const DPX_I i = DPX_IADD(DPX_FBITS(c), DPX_ISET(0x004afb0du));
  const DPX_F k = DPX_FSUB(DPX_I2F(DPX_ISRL(i, 23)), DPX_FSET(159.0f));
  const DPX_F v = DPX_BITSF(DPX_IADD(DPX_IAND(i, DPX_ISET(0x007fffffu)), DPX_ISET(0x3f3504f3u)));
  const DPX_F f = DPX_FSEL(DPX_IGT(DPX_ISRL(w, 1), DPX_ISET(0x5a880000u)),
                           DPX_FMUL(DPX_I2F(w), DPX_FSET(2.3283064365386963e-10f)),
                           DPX_FSUB(v, DPX_FSET(1.0f)));
  DPX_F q = DPX_FMA(f, DPX_FSET(-0.1018699410509238f), DPX_FSET(0.16311621702560866f));
  q = DPX_FMA(f, q, DPX_FSET(-0.172650798677734f));
  q = DPX_FMA(f, q, DPX_FSET(0.19890390297798413f));
  q = DPX_FMA(f, q, DPX_FSET(-0.24967445645995892f));
  q = DPX_FMA(f, q, DPX_FSET(0.333352117137889f));
  q = DPX_FMA(f, q, DPX_FSET(-0.5000042785035765f));
  q = DPX_FMA(DPX_FMUL(f, f), q, f);
  return DPX_FSUB(DPX_FSET(0.0f), DPX_FMA(k, DPX_FSET(0.6931471805599453f), q));
}

/*
 * cos and sin of 2 pi w 2^-32. The low 30 bits, read as signed, are the angle from the nearest
 * quarter turn; theta = it in radians, |theta| <= pi/4, relative error 2.5u. Polynomials of degree
 * 6 and 7: cosine within 3.2u, sine within 2.2u.
 */
DPPAIR_FORCE_INLINE_ void DPX_(dppair_circle_f32_)(DPX_F *cosine, DPX_F *sine, DPX_I w) {
  const DPX_F theta = DPX_FMUL(DPX_I2F(DPX_ISLL(w, 2)), DPX_FSET(3.6572951981935396e-10f));
  const DPX_F z = DPX_FMUL(theta, theta);
  const DPX_I turn = DPX_IADD(w, DPX_ISET(0x20000000u)), sign = DPX_ISET(0x80000000u);
  const DPX_M odd = DPX_IGT(DPX_ISET(0), DPX_ISLL(turn, 1));
  DPX_F c = DPX_FMA(z, DPX_FSET(-0.0013597823111755002f), DPX_FSET(0.041656294578493416f));
  DPX_F s = DPX_FMA(z, DPX_FSET(-0.00019495636238835552f), DPX_FSET(0.008331978663168945f));
  c = DPX_FMA(z, c, DPX_FSET(-0.49999894781371773f));
  c = DPX_FMA(z, c, DPX_FSET(1.0f));
  s = DPX_FMA(z, s, DPX_FSET(-0.16666650669294458f));
  s = DPX_FMA(DPX_FMUL(theta, z), s, theta);
  *cosine = DPX_BITSF(DPX_IXOR(DPX_FBITS(DPX_FSEL(odd, s, c)),
                               DPX_IAND(DPX_IADD(turn, DPX_ISET(0x40000000u)), sign)));
  *sine = DPX_BITSF(DPX_IXOR(DPX_FBITS(DPX_FSEL(odd, c, s)), DPX_IAND(turn, sign)));
}
