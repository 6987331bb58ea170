/* ------------------------------------------------------------------------------------------------
 * Renyi curves of hits, orders a > 1
 *
 * Everything is a positive integral of f_b(u) = (1+u)^b - 1 - b u, which is >= 0 for b >= 1 and for
 * b <= 0, at u = L - 1 of mean zero, so that no digits are lost however small the rate:
 *   mixture     E_0[L^a] - 1 = E_0 f_a(u), and the other direction E_0 f_{1-a}(u)
 *   opposed     E_0[L+^a L-^(1-a)] - 1 = E_0[ L- f_a(L+/L- - 1) ]
 *   amplified   F_a(g, s) - 1 = E_0[ 1{x > s/2} (f_a(u) + f_{1-a}(u)) ], from
 *               E_Q[L^a] = 1 + a(a-1) int_1^inf t^(a-2) H_t(P,Q) + t^(-a-1) H_t(Q,P) dt.
 * E_0 is over N(0,1). The first two are trapezoid sums. With step h they converge like
 * exp(-2 pi c/h), c the distance of the zeros of L from the real axis (pi / largest shift), and
 * like exp(-2 pi^2 v/h^2) for a Gaussian of variance v. The third has an end point and uses
 * Gauss-Legendre panels. Sums are kept as a value and a scale, because L^a overflows. The integrals
 * are returned as log(A - 1); the curve is log(A)/(a - 1). Relies on hits.h and normal.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RENYI_SLACK_ 2e-12    /* relative error of a curve, quadrature and rounding */
#define DPPAIR_RENYI_NODES_ 300000.0 /* if a sum needs more, the closed bound answers instead */

/* A question to the curve of a step, and the answer. */
typedef struct dppair_renyi_ {
  double order;
  double tail;   /* > 0: hits are capped where that is left */
  size_t cap;    /* > 0: the largest number of hits that is counted */
  double rdp;    /* the divergence, not yet rounded up */
  double unpaid; /* probability of more hits than those counted */
} dppair_renyi_;

typedef struct dppair_scaled_sum_ {
  double sum, scale; /* the value is sum * exp(scale) */
} dppair_scaled_sum_;

/* Adds weight * f_b(u) * exp(log_weight); l = log(1 + u). Returns the added term, scaled. */
DPPAIR_API double dppair_add_power_(dppair_scaled_sum_ *s, double weight, double log_weight,
                                    double b, double u, double l) {
  const double y = b * l;
  double term;
  if (dppair_fabs_(u) < 0.1 && dppair_fabs_(b * u) < 0.5) {
    double part = 0.5 * b * (b - 1.0) * u * u, k = 3.0;
    term = part;
    for (; k < 60.0; k += 1.0) {
      part *= (b - k + 1.0) / k * u;
      term += part;
      if (dppair_fabs_(part) <= 1e-17 * dppair_fabs_(term)) break;
    }
    term *= dppair_exp_(log_weight - s->scale);
  } else if (y + log_weight - s->scale < 600.0 && y < 600.0) {
    term = (b > 0.0 ? (1.0 + u) * dppair_expm1_((b - 1.0) * l) - (b - 1.0) * u
                    : dppair_expm1_(y) - b * u) *
           dppair_exp_(log_weight - s->scale);
  } else {
    /* b > 1: f_b = e^l (e^((b-1) l) - 1 - (b-1)(1 - e^-l)) - (b-1)(...); e^-l is below rounding */
    const double m = (b - 1.0) * l;
    const double level =
        log_weight +
        (b > 0.0 && m < 50.0 ? l + dppair_log_(dppair_expm1_(m) - (b - 1.0)) + 1e-15 : y);
    if (level - s->scale > 600.0) {
      s->sum *= dppair_exp_(s->scale - level);
      s->scale = level;
    }
    term = dppair_exp_(level - s->scale);
  }
  term *= weight;
  s->sum += term;
  return term;
}

/* dppair_hits_excess_ where an exponential overflows: sums relative to the largest exponent, top >
 * 600. */
DPPAIR_API double dppair_hits_far_(const dppair_hits_ *h, double x, double top, double *log_l,
                                   double *slope) {
  double l = 0.0, du = 0.0;
  size_t k;
  for (k = 0; k < h->count; k++) {
    const double s = h->shift[k], g = h->probability[k] * dppair_exp_(s * x - 0.5 * s * s - top);
    l += g;
    du += g * s;
  }
  *slope = du / l;
  *log_l = top + dppair_log_(l);
  return *log_l < 690.0 ? dppair_expm1_(*log_l) : 1e299;
}

/* Returns u = L(x) - 1, or 1e299 when that is too large, where only the logarithm counts; *log_l =
 * log L and *slope = d log L / dx. Where u loses digits, log L is taken from L = miss + sum p_k
 * e^(..), so that it has all of its digits however small Pr[no hit] is. */
DPPAIR_API double dppair_hits_excess_(const dppair_hits_ *h, double x, double *log_l,
                                      double *slope) {
  double u = 0.0, l = h->miss, du = 0.0, top = 0.0;
  size_t k;
  for (k = 0; x > 34.0 && k < h->count; k++) { /* s x - s^2/2 <= x^2/2: only then */
    const double s = h->shift[k], t = s * x - 0.5 * s * s;
    if (t > top) top = t;
  }
  if (top > 600.0) return dppair_hits_far_(h, x, top, log_l, slope);
  for (k = 0; k < h->count; k++) {
    const double s = h->shift[k], t = s * x - 0.5 * s * s;
    const double e = dppair_expm1_(t),
                 g = h->probability[k] * (e > -0.5 ? e + 1.0 : dppair_exp_(t));
    u += h->probability[k] * e;
    l += g;
    du += g * s;
  }
  if (u > -0.5) {
    *log_l = dppair_log1p_(u);
    *slope = du / (1.0 + u);
  } else if (l > 1e-290) {
    *log_l = dppair_log_(l);
    *slope = du / l;
  } else { /* only the smallest shift still counts: a lower bound */
    *slope = h->shift[0];
    *log_l = dppair_log_(h->probability[0] > DBL_MIN ? h->probability[0] : DBL_MIN) +
             *slope * (x - 0.5 * *slope);
  }
  return u;
}

/* log L(x), and *u = L(x) - 1. */
DPPAIR_API double dppair_hits_log_(const dppair_hits_ *h, double x, double *u) {
  double l, slope;
  *u = dppair_hits_excess_(h, x, &l, &slope);
  return l;
}

/* The far peak of phi L^a lies below the largest fixed point of x = 4 s + a slope(x), which is
 * approached from above. */
DPPAIR_API double dppair_peak_bound_(const dppair_hits_ *h, double a, double largest) {
  double x = (4.0 + a) * largest;
  int i;
  for (i = 0; i < 60; i++) {
    double l, slope, next;
    (void)dppair_hits_excess_(h, x, &l, &slope);
    next = 4.0 * largest + a * slope;
    if (next >= x * (1.0 - 1e-3)) break;
    x = next;
  }
  return x;
}

/*
 * log E_0 f_b(u) for a mixture. The steps leave 2e-24 (0.6, N(0,1)), 4e-21 (0.42/shift, the zeros
 * of L) and, for b < 0, 3e-19: (log L)'' <= shift^2/4, so L^b narrows the integrand to a variance
 * of at least 1/(1 - b shift^2/4), and the step is 0.68 of its square root. Either side is summed
 * to 6 beyond its farthest peak (reach) and until a term is below 1e-18 of the sum.
 */
DPPAIR_API double dppair_renyi_mixture_(const dppair_hits_ *h, double b) {
  const double largest = h->shift[h->count - 1];
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double step = 0.6, reach, x;
  int direction;
  if (0.42 / largest < step) step = 0.42 / largest;
  if (b < 0.0) {
    const double narrow = 0.68 / dppair_sqrt_(1.0 - 0.25 * b * largest * largest);
    if (narrow < step) step = narrow;
  }
  reach = b > 0.0 ? dppair_peak_bound_(h, b, largest) : 4.0 * largest;
  if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (direction = 0; direction < 2; direction++) {
    size_t i;
    if (direction == 1) {
      double l, slope;
      (void)dppair_hits_excess_(h, 0.0, &l, &slope);
      reach = b > 0.0 ? 0.0 : -b * slope;
      if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
    }
    for (i = (size_t)direction;; i++) {
      double u, l, term;
      x = (direction == 0 ? step : -step) * (double)i;
      l = dppair_hits_log_(h, x, &u);
      term = dppair_add_power_(&sum, 1.0, -0.5 * x * x, b, u, l);
      if (dppair_fabs_(x) > reach + 6.0 && term <= 1e-18 * sum.sum) break;
      if (dppair_fabs_(x) > reach + 40.0) break;
    }
  }
  return dppair_log_(sum.sum * step * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(A - 1) for the opposed pair. The steps leave 3e-19 (L-^(1-a) narrows the integrand as above)
 * and, for the zeros, 3e-29. */
DPPAIR_API double dppair_renyi_opposed_(const dppair_hits_ *h, double a) {
  const double s = h->shift[h->count - 1];
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double step = 0.68 / dppair_sqrt_(1.0 + 0.25 * (a - 1.0) * s * s), reach = 2.0 * a * s;
  size_t direction, i;
  if (0.3 / s < step) step = 0.3 / s;
  if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (direction = 0; direction < 2; direction++) {
    for (i = direction;; i++) {
      const double x = (direction == 0 ? step : -step) * (double)i;
      double up, down, w, l, term;
      const double l_up = dppair_hits_log_(h, x, &up), l_down = dppair_hits_log_(h, -x, &down);
      l = l_up - l_down;
      if (down > -0.5 && up < 1e250 && down < 1e250)
        w = (up - down) / (1.0 + down);
      else
        w = l < 690.0 ? dppair_expm1_(l) : 1e299;
      if (dppair_fabs_(w) < 0.5) l = dppair_log1p_(w);
      term = dppair_add_power_(&sum, 1.0, l_down - 0.5 * x * x, a, w, l);
      if (dppair_fabs_(x) > (direction == 0 ? reach : 0.0) + 6.0 && term <= 1e-18 * sum.sum) break;
      if (dppair_fabs_(x) > reach + 40.0) break;
    }
  }
  return dppair_log_(sum.sum * step * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(F_a(g, s) - 1): one hit with probability g, shift s. Panels of width 1, or 1.5/s, where the
 * zeros of L are closer. */
DPPAIR_API double dppair_renyi_amplified_(double g, double s, double a) {
  /* Gauss-Legendre, 12 nodes on [-1, 1]. */
  static const double node[6] = {0.12523340851146891547, 0.36783149899818019375,
                                 0.58731795428661744730, 0.76990267419430468704,
                                 0.90411725637047485668, 0.98156063424671925069};
  static const double weight[6] = {0.24914704581340278500, 0.23349253653835480876,
                                   0.20316742672306592175, 0.16007832854334622633,
                                   0.10693932599531843096, 0.04717533638651182719};
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double width = 1.5 / s < 1.0 ? 1.5 / s : 1.0, reach, x = 0.5 * s;
  dppair_hits_ one;
  memset(&one, 0, sizeof one);
  one.count = 1;
  one.miss = 1.0 - g;
  one.probability[0] = g;
  one.shift[0] = s;
  reach = dppair_peak_bound_(&one, a, s);
  if (!(12.0 * (reach + 70.0) / width <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (;;) {
    const double half = 0.5 * width, middle = x + half;
    double panel = 0.0;
    const double scale = sum.scale;
    int k;
    for (k = 0; k < 12; k++) {
      const double y = k < 6 ? middle - half * node[k] : middle + half * node[k - 6];
      const double wk = weight[k % 6];
      double u;
      const double l = dppair_hits_log_(&one, y, &u);
      panel += dppair_add_power_(&sum, wk * half, -0.5 * y * y, a, u, l);
      /* from there on f_a has been rounded up to L^a, which is above the sum of both */
      if (l * a < 600.0) panel += dppair_add_power_(&sum, wk * half, -0.5 * y * y, 1.0 - a, u, l);
    }
    x += width;
    if (sum.scale > scale) continue;
    if (x > reach + 6.0 && panel <= 1e-18 * sum.sum) break;
    if (x > reach + 60.0) break;
  }
  return dppair_log_(sum.sum * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(e^x + e^y). */
DPPAIR_API double dppair_log_add_(double x, double y) {
  return x > y ? x + dppair_log1p_(dppair_exp_(y - x)) : y + dppair_log1p_(dppair_exp_(x - y));
}

/*
 * An upper bound of log(A)/(a - 1) without integration, sharp where one exponential dominates. By
 * Minkowski's inequality in L^a a mixture r has log |r|_a <= log(1 - g + sum p_k e^((a-1)
 * s_k^2/2)), and A = |r|_a^a. The opposed pair has another factor (1-g)^(1-a), since L- >= 1 - g.
 * Amplified: F_a(g, s) <= 1 + |r|_a^a for each shift. Never above the curve without sampling.
 */
DPPAIR_API double dppair_renyi_bound_(const dppair_hits_ *h, double a) {
  const double largest = h->shift[h->count - 1];
  const double plain = (h->comparison == DPPAIR_OPPOSED_ ? 2.0 : 0.5) * a * largest * largest;
  const double rest = h->miss > 0.0 ? dppair_log_(h->miss) : -DBL_MAX;
  const int little = 0.5 * (a - 1.0) * largest * largest < 600.0;
  double norm = rest, sum = 0.0, value = -DBL_MAX;
  size_t k;
  if (!(h->miss > 0.0) && h->comparison != DPPAIR_MIXTURE_) return plain;
  for (k = 0; k < h->count; k++) {
    const double p = h->probability[k], top = 0.5 * (a - 1.0) * h->shift[k] * h->shift[k];
    if (!(p > 0.0)) continue;
    if (h->comparison == DPPAIR_AMPLIFIED_) {
      const double one = dppair_log_add_(rest, dppair_log_(h->gamma) + top);
      const double part = dppair_log_(p / h->gamma) + dppair_log_add_(0.0, a * one);
      value = value > -DBL_MAX ? dppair_log_add_(value, part) : part;
    } else if (little) {
      sum += p * dppair_expm1_(top);
    } else {
      norm = norm > -DBL_MAX ? dppair_log_add_(norm, dppair_log_(p) + top) : dppair_log_(p) + top;
    }
  }
  if (h->comparison != DPPAIR_AMPLIFIED_) value = a * (little ? dppair_log1p_(sum) : norm);
  value = value / (a - 1.0) - (h->comparison == DPPAIR_OPPOSED_ ? rest : 0.0);
  return value < plain ? value : plain;
}

/* Does the term e^((a-1) s^2/2) of a hit dominate, so that the closed bound is good to e^-45? rest:
 * log(1 - g) for the opposed pair, whose bound divides by it, else 0. */
DPPAIR_API int dppair_renyi_dominated_(double gamma, double shift, double a, double rest) {
  return 0.5 * (a - 1.0) * shift * shift > 45.0 - dppair_log_(gamma) + dppair_log_(a) - rest;
}

/* log(A - 1) for the amplified comparison, the sum of p_k/gamma (F_a(gamma, s_k) - 1). */
DPPAIR_API double dppair_renyi_amplified_sum_(const dppair_hits_ *h, double a) {
  double excess = -DBL_MAX;
  size_t k;
  for (k = 0; k < h->count; k++) {
    const double tilt = 0.5 * (a - 1.0) * h->shift[k] * h->shift[k];
    double part;
    if (!(h->probability[k] > 0.0)) continue;
    if (h->gamma >= 1.0)
      part = a * tilt < 30.0 ? dppair_log_(dppair_expm1_(a * tilt)) : a * tilt;
    else if (dppair_renyi_dominated_(h->gamma, h->shift[k], a, 0.0))
      part = a * (dppair_log_(h->gamma) + tilt + 1e-15);
    else
      part = dppair_renyi_amplified_(h->gamma, h->shift[k], a);
    part += dppair_log_(h->probability[k] / h->gamma);
    excess = excess > -DBL_MAX ? dppair_log_add_(excess, part) : part;
  }
  return excess;
}

/* log(A)/(a - 1) for one execution of a sampled step, or an upper bound that is as good. */
DPPAIR_API double dppair_renyi_hits_(const dppair_hits_ *h, double a) {
  const double largest = h->shift[h->count - 1];
  const int opposed = h->comparison == DPPAIR_OPPOSED_;
  double excess, bound, value;
  if (h->gamma >= 1.0 && h->count == 1) return (opposed ? 2.0 : 0.5) * a * largest * largest;
  bound = dppair_renyi_bound_(h, a);
  if (h->count == 1 &&
      dppair_renyi_dominated_(h->gamma, largest, a, opposed ? dppair_log_(h->miss) : 0.0))
    return bound;
  if (opposed) {
    excess = dppair_renyi_opposed_(h, a);
  } else if (h->comparison == DPPAIR_MIXTURE_) {
    excess = dppair_renyi_mixture_(h, a);
    /* One shift: the reflection x -> s - x proves that the other direction is smaller (Mironov,
     * Talwar and Zhang 2019, Theorem 5). Several: it is computed. */
    if (h->count > 1) {
      const double other = dppair_renyi_mixture_(h, 1.0 - a);
      if (!(other <= excess)) excess = other; /* NaN is kept: then the bound answers */
    }
  } else {
    excess = dppair_renyi_amplified_sum_(h, a);
  }
  value = (excess < 700.0 ? dppair_log1p_(dppair_exp_(excess)) : excess) / (a - 1.0);
  return value < bound ? value : bound;
}
