/* ------------------------------------------------------------------------------------------------
 * The double level. u = 2^-53.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln(w 2^-64), as above: e = -(k ln 2 + 2 artanh(f / (2 + f))), series with minimax
 * coefficients to the 13th power, relative 2^-52.2. Error: relative 6u near U = 1, else (3.2 + 2e)
 * u. *reciprocal is at least 1/U, less than 1.5/U.
 */
DPPAIR_FORCE_INLINE_ DPX_D DPX_(dppair_exponential_wide_)(DPX_Q w, DPX_D *reciprocal) {
  const DPX_Q i = DPX_QADD(DPX_DBITS(DPX_UQ2D(w)), DPX_QSET(0x00095f619980c433));
  const DPX_Q biased = DPX_QSRL(i, 52);
  const DPX_D k = DPX_DSUB(DPX_BITSD(DPX_QOR(biased, DPX_QSET(0x4330000000000000))),
                           DPX_DSET(4503599627370496.0 + 1087.0));
  const DPX_D v =
      DPX_BITSD(DPX_QADD(DPX_QAND(i, DPX_QSET(0x000fffffffffffff)), DPX_QSET(0x3fe6a09e667f3bcd)));
  const DPX_D f =
      DPX_DSEL(DPX_QGT(DPX_QSRL(w, 1), DPX_QSET(0x5a88000000000000)),
               DPX_DMUL(DPX_Q2D(w), DPX_DSET(5.421010862427522e-20)), DPX_DSUB(v, DPX_DSET(1.0)));
  const DPX_D r = DPX_DDIV(f, DPX_DADD(f, DPX_DSET(2.0))), z = DPX_DMUL(r, r);
  DPX_D p = DPX_DFMA(z, DPX_DSET(0.1681982761698498), DPX_DSET(0.18123642089449862));
  p = DPX_DFMA(z, p, DPX_DSET(0.22223371698075384));
  p = DPX_DFMA(z, p, DPX_DSET(0.2857141712958503));
  p = DPX_DFMA(z, p, DPX_DSET(0.40000000052274937));
  p = DPX_DFMA(z, p, DPX_DSET(0.666666666665872));
  p = DPX_DFMA(DPX_DMUL(r, z), p, DPX_DADD(r, r));
  p = DPX_DFMA(k, DPX_DSET(5.497923018708371e-14), p);
  /* 1/U = 2^-k / v <= 1.4143 2^-k, and biased = k + 1087 */
  *reciprocal =
      DPX_DMUL(DPX_BITSD(DPX_QSLL(DPX_QSUB(DPX_QSET(2110), biased), 52)), DPX_DSET(1.4143));
  return DPX_DSUB(DPX_DSET(0.0), DPX_DFMA(k, DPX_DSET(0.6931471805598903), p));
}

/* cos and sin of 2 pi w 2^-64, within 5.2u and 2.3u; as above with degrees 12 and 13. */
DPPAIR_FORCE_INLINE_ void DPX_(dppair_circle_wide_)(DPX_D *cosine, DPX_D *sine, DPX_Q w) {
  const DPX_D theta = DPX_DMUL(DPX_Q2D(DPX_QSLL(w, 2)), DPX_DSET(8.515303950216386e-20));
  const DPX_D z = DPX_DMUL(theta, theta);
  const DPX_Q turn = DPX_QADD(w, DPX_QSET(0x2000000000000000));
  const DPX_Q sign = DPX_QSET(UINT64_C(0x8000000000000000));
  const DPX_N odd = DPX_QGT(DPX_QSET(0), DPX_QSLL(turn, 1));
  DPX_D c = DPX_DFMA(z, DPX_DSET(2.066550487012274e-09), DPX_DSET(-2.755585551192951e-07));
  DPX_D s = DPX_DFMA(z, DPX_DSET(1.5918129294866608e-10), DPX_DSET(-2.5051131845003624e-08));
  c = DPX_DFMA(z, c, DPX_DSET(2.480158262335195e-05));
  s = DPX_DFMA(z, s, DPX_DSET(2.755731610255244e-06));
  c = DPX_DFMA(z, c, DPX_DSET(-0.0013888888882127952));
  s = DPX_DFMA(z, s, DPX_DSET(-0.00019841269836758574));
  c = DPX_DFMA(z, c, DPX_DSET(0.04166666666663093));
  s = DPX_DFMA(z, s, DPX_DSET(0.008333333333330948));
  c = DPX_DFMA(z, c, DPX_DSET(-0.49999999999999967));
  s = DPX_DFMA(z, s, DPX_DSET(-0.16666666666666666));
  c = DPX_DFMA(z, c, DPX_DSET(1.0));
  s = DPX_DFMA(DPX_DMUL(theta, z), s, theta);
  *cosine = DPX_BITSD(DPX_QXOR(DPX_DBITS(DPX_DSEL(odd, s, c)),
                               DPX_QAND(DPX_QADD(turn, DPX_QSET(0x4000000000000000)), sign)));
  *sine = DPX_BITSD(DPX_QXOR(DPX_DBITS(DPX_DSEL(odd, c, s)), DPX_QAND(turn, sign)));
}

/* Radius of a Gaussian pair, and tau for it: A + B R + the unread bits of U, in units of scale / g.
 * |error of R cos|, unread bits included: R 9.6u from root, cosine, product and sum; the logarithm
 * adds (3.2/R + R)u; the unread bits 2^-64 / (U R), R >= 1.17 where U < 1/2, 11u else (1 - U >=
 * 2^-30); those of T 2 pi R 2^-64. */
DPPAIR_FORCE_INLINE_ DPX_D DPX_(dppair_radius_wide_)(DPX_Q w, DPX_D *tau) {
  DPX_D reciprocal;
  const DPX_D e = DPX_(dppair_exponential_wide_)(w, &reciprocal);
  const DPX_D radius = DPX_DSQRT(DPX_DADD(e, e));
  *tau = DPX_DFMA(
      reciprocal, DPX_DSET(DPPAIR_EXP2M_(63) * 0.5),
      DPX_DFMA(radius, DPX_DSET(16.0 * DPPAIR_EXP2M_(53)), DPX_DSET(16.0 * DPPAIR_EXP2M_(53))));
  return radius;
}

/* Open when U < 2^-32 or U >= 1 - 2^-30. */
DPPAIR_FORCE_INLINE_ DPX_N DPX_(dppair_tail_wide_)(DPX_Q u) {
  return DPX_QGT(DPX_QADD(u, DPX_QSET(UINT64_C(0) - UINT64_C(0x8000000100000000))),
                 DPX_QSET(0x7ffffffaffffffff));
}

/* A Laplace variable of scale 1 from 64 bits, the first of which is the sign. tau = 16u + 4eu + the
 * unread bits: the logarithm adds (3.2 + 2e)u, product and sum 2eu. Open when U < 2^-31. */
DPPAIR_FORCE_INLINE_ DPX_D DPX_(dppair_laplace_wide_)(DPX_Q w, DPX_D *tau, DPX_N *open) {
  const DPX_Q u = DPX_QSLL(w, 1);
  DPX_D reciprocal;
  const DPX_D e = DPX_(dppair_exponential_wide_)(u, &reciprocal);
  *tau =
      DPX_DFMA(reciprocal, DPX_DSET(DPPAIR_EXP2M_(63)),
               DPX_DFMA(e, DPX_DSET(4.0 * DPPAIR_EXP2M_(53)), DPX_DSET(16.0 * DPPAIR_EXP2M_(53))));
  *open = DPX_QGT(DPX_QSET(0x100000000), DPX_QSRL(u, 1));
  return DPX_BITSD(DPX_QXOR(DPX_DBITS(e), DPX_QAND(w, DPX_QSET(UINT64_C(0x8000000000000000)))));
}
