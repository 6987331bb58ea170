/* ------------------------------------------------------------------------------------------------
 * The double level. u = 2^-53.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln(w 2^-64), as above: e = -(k ln 2 + 2 artanh(f / (2 + f))), series with minimax
 * coefficients to the 13th power, relative 2^-52.2. Error: relative 6u near U = 1, else (3.2 + 2e)
 * u. *reciprocal is at least 1/U, less than 1.5/U.
 */
DPPAIR_FORCE_INLINE_ DPR_D dpr_exponential_wide(DPR_Q w, DPR_D *reciprocal) {
  const DPR_Q i = DPR_QADD(DPR_DBITS(DPR_UQ2D(w)), DPR_QSET(0x00095f619980c433));
  const DPR_Q biased = DPR_QSRL(i, 52);
  const DPR_D k = DPR_DSUB(DPR_BITSD(DPR_QOR(biased, DPR_QSET(0x4330000000000000))),
                           DPR_DSET(4503599627370496.0 + 1087.0));
  const DPR_D v =
      DPR_BITSD(DPR_QADD(DPR_QAND(i, DPR_QSET(0x000fffffffffffff)), DPR_QSET(0x3fe6a09e667f3bcd)));
  const DPR_D f =
      DPR_DSEL(DPR_QGT(DPR_QSRL(w, 1), DPR_QSET(0x5a88000000000000)),
               DPR_DMUL(DPR_Q2D(w), DPR_DSET(5.421010862427522e-20)), DPR_DSUB(v, DPR_DSET(1.0)));
  const DPR_D r = DPR_DDIV(f, DPR_DADD(f, DPR_DSET(2.0))), z = DPR_DMUL(r, r);
  DPR_D p = DPR_DFMA(z, DPR_DSET(0.1681982761698498), DPR_DSET(0.18123642089449862));
  p = DPR_DFMA(z, p, DPR_DSET(0.22223371698075384));
  p = DPR_DFMA(z, p, DPR_DSET(0.2857141712958503));
  p = DPR_DFMA(z, p, DPR_DSET(0.40000000052274937));
  p = DPR_DFMA(z, p, DPR_DSET(0.666666666665872));
  p = DPR_DFMA(DPR_DMUL(r, z), p, DPR_DADD(r, r));
  p = DPR_DFMA(k, DPR_DSET(5.497923018708371e-14), p);
  /* 1/U = 2^-k / v <= 1.4143 2^-k, and biased = k + 1087 */
  *reciprocal =
      DPR_DMUL(DPR_BITSD(DPR_QSLL(DPR_QSUB(DPR_QSET(2110), biased), 52)), DPR_DSET(1.4143));
  return DPR_DSUB(DPR_DSET(0.0), DPR_DFMA(k, DPR_DSET(0.6931471805598903), p));
}

/* cos and sin of 2 pi w 2^-64, within 5.2u and 2.3u; as above with degrees 12 and 13. */
DPPAIR_FORCE_INLINE_ void dpr_circle_wide(DPR_D *cosine, DPR_D *sine, DPR_Q w) {
  const DPR_D theta = DPR_DMUL(DPR_Q2D(DPR_QSLL(w, 2)), DPR_DSET(8.515303950216386e-20));
  const DPR_D z = DPR_DMUL(theta, theta);
  const DPR_Q turn = DPR_QADD(w, DPR_QSET(0x2000000000000000));
  const DPR_Q sign = DPR_QSET(UINT64_C(0x8000000000000000));
  const DPR_N odd = DPR_QGT(DPR_QSET(0), DPR_QSLL(turn, 1));
  DPR_D c = DPR_DFMA(z, DPR_DSET(2.066550487012274e-09), DPR_DSET(-2.755585551192951e-07));
  DPR_D s = DPR_DFMA(z, DPR_DSET(1.5918129294866608e-10), DPR_DSET(-2.5051131845003624e-08));
  c = DPR_DFMA(z, c, DPR_DSET(2.480158262335195e-05));
  s = DPR_DFMA(z, s, DPR_DSET(2.755731610255244e-06));
  c = DPR_DFMA(z, c, DPR_DSET(-0.0013888888882127952));
  s = DPR_DFMA(z, s, DPR_DSET(-0.00019841269836758574));
  c = DPR_DFMA(z, c, DPR_DSET(0.04166666666663093));
  s = DPR_DFMA(z, s, DPR_DSET(0.008333333333330948));
  c = DPR_DFMA(z, c, DPR_DSET(-0.49999999999999967));
  s = DPR_DFMA(z, s, DPR_DSET(-0.16666666666666666));
  c = DPR_DFMA(z, c, DPR_DSET(1.0));
  s = DPR_DFMA(DPR_DMUL(theta, z), s, theta);
  *cosine = DPR_BITSD(DPR_QXOR(DPR_DBITS(DPR_DSEL(odd, s, c)),
                               DPR_QAND(DPR_QADD(turn, DPR_QSET(0x4000000000000000)), sign)));
  *sine = DPR_BITSD(DPR_QXOR(DPR_DBITS(DPR_DSEL(odd, c, s)), DPR_QAND(turn, sign)));
}

/* Radius of a Gaussian pair, and tau for it: A + B R + the unread bits of U, in units of scale / g.
 * |error of R cos|, unread bits included: R 9.6u from root, cosine, product and sum; the logarithm
 * adds (3.2/R + R)u; the unread bits 2^-64 / (U R), R >= 1.17 where U < 1/2, 11u else (1 - U >=
 * 2^-30); those of T 2 pi R 2^-64. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_radius_wide(DPR_Q w, DPR_D *tau) {
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(w, &reciprocal);
  const DPR_D radius = DPR_DSQRT(DPR_DADD(e, e));
  *tau = DPR_DFMA(
      reciprocal, DPR_DSET(DPPAIR_EXP2M_(63) * 0.5),
      DPR_DFMA(radius, DPR_DSET(16.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  return radius;
}

/* Open when U < 2^-32 or U >= 1 - 2^-30. */
DPPAIR_FORCE_INLINE_ DPR_N dpr_tail_wide(DPR_Q u) {
  return DPR_QGT(DPR_QADD(u, DPR_QSET(UINT64_C(0) - UINT64_C(0x8000000100000000))),
                 DPR_QSET(0x7ffffffaffffffff));
}

/* A Laplace variable of scale 1 from 64 bits, the first of which is the sign. tau = 16u + 4eu + the
 * unread bits: the logarithm adds (3.2 + 2e)u, product and sum 2eu. Open when U < 2^-31. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_laplace_wide(DPR_Q w, DPR_D *tau, DPR_N *open) {
  const DPR_Q u = DPR_QSLL(w, 1);
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(u, &reciprocal);
  *tau =
      DPR_DFMA(reciprocal, DPR_DSET(DPPAIR_EXP2M_(63)),
               DPR_DFMA(e, DPR_DSET(4.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  *open = DPR_QGT(DPR_QSET(0x100000000), DPR_QSRL(u, 1));
  return DPR_BITSD(DPR_QXOR(DPR_DBITS(e), DPR_QAND(w, DPR_QSET(UINT64_C(0x8000000000000000)))));
}
