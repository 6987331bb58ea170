/* ------------------------------------------------------------------------------------------------
 * Logarithms in double, with proved errors
 *
 * As in math_exp.h: u = 2^-53, sums, products and quotients alone, each rounded to nearest.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_ERROR_ 1.2   /* of dppair_log_, in u; 0.55 ulp */
#define DPPAIR_LOG1P_ERROR_ 1.2 /* of dppair_log1p_, in u; 0.57 ulp */

DPPAIR_FP_BEGIN_

/* x = z 2^k exactly, z in [0.6875, 1.375); x positive and normal. *place is the interval of z:
 * 20 of length 1/64 below 1, 12 of 1/32 from 1 on. */
DPPAIR_FORCE_INLINE_ double dppair_log_reduce_(double x, int *k, int *place) {
  const uint64_t least = UINT64_C(0x3fe6000000000000); /* 0.6875 */
  const uint64_t bits = dppair_bits_f64_(x) + (UINT64_C(0x3ff0000000000000) - least);
  *k = (int)(bits >> 52) - 1023;
  *place = (int)(bits >> 47) & 31;
  return dppair_from_bits_f64_((bits & UINT64_C(0x000fffffffffffff)) + least);
}

/* -r^2/2 + r^3/3 - ... + r^11/11, |r| <= 1/32: the next is below 2^-58 r. Within 4 u of itself,
 * where it is at most 0.016 of r: 0.06 u of ln(1 + r). */
DPPAIR_FORCE_INLINE_ double dppair_log_series_(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  return r2 * (((-0.5 + r * (1.0 / 3)) + r2 * (-0.25 + r * 0.2)) +
               r4 * (((-1.0 / 6 + r * (1.0 / 7)) + r2 * (-0.125 + r * (1.0 / 9))) +
                     r4 * (-0.1 + r * (1.0 / 11))));
}

/*
 * ln z + k ln 2 + more as *low + the returned number; |more| <= 2^-53. c is near 1/z, of 9 digits:
 * the products with both halves of z are exact, and c z - 1 = r + lost, |r| <= 0.0169. -ln c is a
 * multiple of 2^-42, to which k times ln 2's first part, 32 digits, is added exactly, and a rest.
 * In the two intervals next to 1, c = 1 and r = z - 1, up to 1/32: there the error is relative to
 * r. Elsewhere the series is below 2^-12.8, of 4 u, where the result is 0.0157 at least: 0.04 u;
 * the sums of the small numbers have 0.02 u. Together with the last sum, by the caller, 1.1 u or
 * 0.55 ulp.
 */
DPPAIR_API double dppair_log_core_(double z, int k, int place, double more, double *low) {
  static const uint16_t near_inverse[32] = {368, 360, 352, 345, 338, 331, 324, 318, 312, 306, 301,
                                            295, 290, 285, 280, 275, 271, 266, 262, 256, 256, 245,
                                            237, 231, 224, 218, 213, 207, 202, 197, 193, 188};
  static const double table[32][2] = {{-0.3629054936893681, -3.6708569716349383e-16},
                                      {-0.34092658697068146, 8.82452633212564e-14},
                                      {-0.31845373111855224, 1.7625431312172662e-14},
                                      {-0.2983669725517757, -2.159269374197349e-14},
                                      {-0.27786845100354185, 8.554360006566322e-14},
                                      {-0.2569409308975992, 9.874803015966392e-14},
                                      {-0.23556607131286, 9.30945949519689e-14},
                                      {-0.21687393830052315, -9.120937249914984e-14},
                                      {-0.19782574332998593, 6.604544877082384e-14},
                                      {-0.17840765747291698, 9.86835038673495e-14},
                                      {-0.16193282026938505, 7.179390019295677e-14},
                                      {-0.14179791186029433, 3.698459506697097e-14},
                                      {-0.1247034785010328, 7.556920687451337e-14},
                                      {-0.10731173578915332, 6.526678802731071e-14},
                                      {-0.08961215868976069, 7.355770219435029e-14},
                                      {-0.07159365318693744, -7.137308225343178e-14},
                                      {-0.056941376400118315, -2.0109399435564958e-14},
                                      {-0.03831886430202758, -1.0902154302203302e-13},
                                      {-0.023167059281604452, 7.007359704310036e-14},
                                      {0.0, 0.0},
                                      {0.0, 0.0},
                                      {0.04391923393473007, 1.0541743854342862e-13},
                                      {0.07711730334449385, -6.255850200176405e-14},
                                      {0.10275973395778237, -1.3438406228830954e-14},
                                      {0.13353139262449076, 3.1859736349078334e-14},
                                      {0.16068238169054894, -7.547106028244807e-14},
                                      {0.1838852787700489, 8.84637355812087e-14},
                                      {0.21245865121409224, 1.0115944196590467e-13},
                                      {0.2369097470784709, -1.1318526912023687e-13},
                                      {0.26197371574153294, 4.102651071698446e-14},
                                      {0.28248725557477883, -1.0190482133505088e-13},
                                      {0.30873548164959175, 2.1522127491642888e-14}};
  const double c = near_inverse[place] * (1.0 / 256), head = dppair_head_(z);
  const double a = head * c - 1.0, b = (z - head) * c, r = a + b, lost = (a - r) + b;
  const double known = (double)k * 0.6931471803691238 + table[place][0], sum = known + r;
  const double rest = (double)k * 1.9082149292705877e-10 + (table[place][1] + more);
  *low = ((known - sum) + r) + (dppair_log_series_(r) + (lost + rest));
  return sum;
}

/* ln x within DPPAIR_LOG_ERROR_ u: -infinity of 0, NaN of what is below. */
DPPAIR_API double dppair_log_(double x) {
  double z, high, low;
  int k, place, up = 0;
  if (!(x >= DBL_MIN && x <= DBL_MAX)) {
    if (!(x > 0.0)) return x == 0.0 ? -HUGE_VAL : (x - x) / (x - x);
    if (x > DBL_MAX) return x;
    x *= 18014398509481984.0; /* 2^54 */
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, k - up, place, 0.0, &low);
  return high + low;
}

/* ln(1 + x) within DPPAIR_LOG1P_ERROR_ u. Near 0 it is the series. Else 1 + x is h + l, and l/h is
 * added, below u, where the result is 0.0157 at least: the quotient's error and the square are
 * nothing. */
DPPAIR_API double dppair_log1p_(double x) {
  double h, z, high, low;
  int k, place;
  if (x > -0.015625 && x < 0.03125) {
    if (x < 5.551115123125783e-17 && x > -5.551115123125783e-17) return x; /* 2^-54, keeps -0 */
    return x + dppair_log_series_(x);
  }
  h = 1.0 + x;
  if (!(x > -1.0)) return x == -1.0 ? -HUGE_VAL : (x - x) / (x - x);
  if (x > DBL_MAX) return x;
  z = dppair_log_reduce_(h, &k, &place);
  high = dppair_log_core_(z, k, place, (x > 1.0 ? 1.0 - (h - x) : x - (h - 1.0)) / h, &low);
  return high + low;
}

DPPAIR_FP_END_
