/* ------------------------------------------------------------------------------------------------
 * The double level: functions of 64 bits of a string, in double
 *
 * -ln U, cosine and sine as in float_level.h, and from them the Gaussian radius and the Laplace
 * variable with their tau, in units of scale / g, whether the tier fuses or not. u = 2^-53.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln U for U = w 2^-64. As in float, U = v 2^k and f = v - 1; then
 * e = -(k ln 2 + 2 artanh(f / (2 + f))), a series to the 13th power with minimax coefficients,
 * relative error 2^-52.2. Error of e: relative 6u near U = 1, else (3.2 + 2e) u: k times the first
 * part of ln 2, of 43 digits, is exact. *reciprocal is at least 1/U and less than 1.5/U.
 */
DPPAIR_FORCE_INLINE_ DPR_D dpr_exponential_wide(DPR_Q w, DPR_D *reciprocal) {
  const int64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd;
  const int64_t digits = 0x000fffffffffffff, two_52 = 0x4330000000000000; /* 2^52 */
  const DPR_Q i = DPR_QADD(DPR_DINT(DPR_UQ2D(w)), DPR_QSET(one - root_half));
  const DPR_Q biased = DPR_QSHR(i, 52); /* k + 1023 + 64, as U is w 2^-64 */
  const DPR_D k = DPR_DSUB(DPR_DOUBLE(DPR_QOR(biased, DPR_QSET(two_52))),
                           DPR_DSET(4503599627370496.0 + 1087.0));
  const DPR_D v = DPR_DOUBLE(DPR_QADD(DPR_QAND(i, DPR_QSET(digits)), DPR_QSET(root_half)));
  const DPR_D f = DPR_DSEL(DPR_QGT(DPR_QSHR(w, 1), DPR_QSET(0x5a88000000000000)),
                           DPR_DMUL(DPR_Q2D(w), DPR_DSET(5.421010862427522e-20)), /* 2^-64 */
                           DPR_DSUB(v, DPR_DSET(1.0)));
  const DPR_D r = DPR_DDIV(f, DPR_DADD(f, DPR_DSET(2.0))), z = DPR_DMUL(r, r);
  DPR_D p = DPR_DFMA(z, DPR_DSET(0.1681982761698498), DPR_DSET(0.18123642089449862));
  p = DPR_DFMA(z, p, DPR_DSET(0.22223371698075384));
  p = DPR_DFMA(z, p, DPR_DSET(0.2857141712958503));
  p = DPR_DFMA(z, p, DPR_DSET(0.40000000052274937));
  p = DPR_DFMA(z, p, DPR_DSET(0.666666666665872));
  p = DPR_DFMA(DPR_DMUL(r, z), p, DPR_DADD(r, r));
  p = DPR_DFMA(k, DPR_DSET(5.497923018708371e-14), p);
  /* 1/U = 2^-k / v <= 1.4143 2^-k; the bits of 2^-k are (1023 - k) 2^52 = (2110 - biased) 2^52 */
  *reciprocal =
      DPR_DMUL(DPR_DOUBLE(DPR_QSHL(DPR_QSUB(DPR_QSET(2110), biased), 52)), DPR_DSET(1.4143));
  return DPR_DSUB(DPR_DSET(0.0), DPR_DFMA(k, DPR_DSET(0.6931471805598903), p));
}

/* cos and sin of 2 pi w 2^-64, within 5.6u and 2.5u: as in float, with degrees 12 and 13. */
DPPAIR_FORCE_INLINE_ void dpr_circle_wide(DPR_D *cosine, DPR_D *sine, DPR_Q w) {
  const DPR_D theta = /* times 2 pi 2^-66 */
      DPR_DMUL(DPR_Q2D(DPR_QSHL(w, 2)), DPR_DSET(8.515303950216386e-20));
  const DPR_D z = DPR_DMUL(theta, theta);
  const DPR_Q turn = DPR_QADD(w, DPR_QSET(0x2000000000000000));
  const DPR_Q sign = DPR_QSET(UINT64_C(0x8000000000000000));
  const DPR_N odd = DPR_QGT(DPR_QSET(0), DPR_QSHL(turn, 1));
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
  *cosine = DPR_DOUBLE(DPR_QXOR(DPR_DINT(DPR_DSEL(odd, s, c)),
                                DPR_QAND(DPR_QADD(turn, DPR_QSET(0x4000000000000000)), sign)));
  *sine = DPR_DOUBLE(DPR_QXOR(DPR_DINT(DPR_DSEL(odd, c, s)), DPR_QAND(turn, sign)));
}

/* The radius R of a Gaussian pair, and tau = 16u + 16u R + 2^-64 / U. The error of R cos is at most
 * - 11u R from root, cosine, the products and the sum, and (3.2/R + R)u from the logarithm;
 * - 2^-64 / (U R) from the unread bits of U, where R >= 1.17 if U < 1/2, and which is at most 11u
 *   otherwise, because 1 - U >= 2^-30; 2 pi R 2^-64 from those of T. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_radius_wide(DPR_Q w, DPR_D *tau) {
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(w, &reciprocal);
  const DPR_D radius = DPR_DSQRT(DPR_DADD(e, e));
  *tau = DPR_DFMA(
      reciprocal, DPR_DSET(DPPAIR_EXP2M_(63) * 0.5),
      DPR_DFMA(radius, DPR_DSET(16.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  return radius;
}

/* The lanes that this level may not decide: U < 2^-32 or U >= 1 - 2^-30. One signed comparison. */
DPPAIR_FORCE_INLINE_ DPR_N dpr_tail_wide(DPR_Q u) {
  return DPR_QGT(DPR_QADD(u, DPR_QSET(UINT64_C(0) - UINT64_C(0x8000000100000000))),
                 DPR_QSET(0x7ffffffaffffffff));
}

/* A Laplace variable of scale 1 from 64 bits, the first of which is the sign. tau = 16u + 4eu +
 * 2^-63 / U: (3.2 + 2e)u from the logarithm, 2eu from product and sum, the rest from the unread
 * bits. The lanes with U < 2^-31 may not be decided: *open. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_laplace_wide(DPR_Q w, DPR_D *tau, DPR_N *open) {
  const DPR_Q u = DPR_QSHL(w, 1);
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(u, &reciprocal);
  *tau =
      DPR_DFMA(reciprocal, DPR_DSET(DPPAIR_EXP2M_(63)),
               DPR_DFMA(e, DPR_DSET(4.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  *open = DPR_QGT(DPR_QSET(0x100000000), DPR_QSHR(u, 1));
  return DPR_DOUBLE(DPR_QXOR(DPR_DINT(e), DPR_QAND(w, DPR_QSET(UINT64_C(0x8000000000000000)))));
}
