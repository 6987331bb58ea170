/* ------------------------------------------------------------------------------------------------
 * Sums of phi over all partners, near-linear
 *
 * What coeffs.h needs beside sums of slopes: h_k = the sum over j of phi(x_k - s_j), by one of
 * three ways, which the options choose as for coefficients.
 *
 *   loops      O(n) per number, as NAME_risk_not_private adds
 *   sorting    of a piecewise linear slope: phi is a parabola between knots, so h_k is made of
 *              counts, sums and sums of squares of the scores beyond each knot: O(n log n), exact
 *              but for rounding
 *   boxes      of an analytic slope: h(x) = h(0) + the integral of its slope from 0 to x. h(0) is
 *              one loop; the slope is a sum that the state computes near-linearly at the p
 *              Chebyshev nodes of each box of its grid between 0 and the x. O(n) in all, and O(p^2)
 *              a box
 *
 * The error of the boxes. In the box of x the slope of a pair as the state computes it, K(x, s), is
 * a polynomial in x of degree below p, or a limit; so the interpolation at p nodes is K itself, and
 * what is summed is phi(-s) + the integral of K(t, s) over t from 0 to x: a fixed function of the
 * two scores, off by at most |x| kernel_error.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* How far values as they are summed are from those of phi, per partner: `kernel`, of the fixed
 * function K, and `rounding`, what depends on the other records. */
typedef struct DPPAIR_NAME_top_error_ {
  double kernel, rounding, weights; /* weights: of numbers of at most 1 */
} DPPAIR_NAME_top_error_;

/* The workspace of NAME_top_coeffs and NAME_top_ranks: arrays of n numbers each, and what boxes
 * take. */
typedef struct DPPAIR_NAME_top_room_ {
  double *c, *weight, *key, *second, *wide, *boxes;
  DPPAIR_REAL *s, *held;
  size_t *i, *j, *order;
} DPPAIR_NAME_top_room_;

/* The loops: h[k] for k < count, after at most 64 additions in the element type in double. */
DPPAIR_API void DPPAIR_NAME_top_loops_(double *h, const DPPAIR_REAL *x, size_t count,
                                       const DPPAIR_REAL *s, size_t n, const double *params) {
  size_t k;
  for (k = 0; k < count; k++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (h + k, x + k, 1, s, n, params));
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* What a piece adds to phi at u, such that it is 0 from its knot on; at 0 where it has no knot. */
DPPAIR_API double DPPAIR_NAME_top_piece_(const dppair_piece *piece, double u) {
  const double knot = dppair_isfinite_f64(piece->knot) ? piece->knot : 0.0;
  if (dppair_isfinite_f64(piece->knot) && !(u < knot)) return 0.0;
  return (u - knot) * (piece->constant + 0.5 * piece->factor * (u + knot));
}

/* h by sorting, in the workspace of the state: at least n scores have room there. */
DPPAIR_API void DPPAIR_NAME_top_sorted_(double *h, const DPPAIR_REAL *x, size_t count,
                                        const DPPAIR_REAL *s, size_t n,
                                        const dppair_options *options) {
  const double *params = options->params;
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const double cap = options->fast->score_cap;
  double *const key = options->fast->work, *const sum = key + n, *const square = sum + n + 1, base;
  const DPPAIR_REAL zero = 0;
  size_t i, k, q;
  (void)params;
  DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (&base, &zero, 1, &zero, 1, params));
  for (q = 0; q < sizeof pieces / sizeof *pieces; q++)
    base -= DPPAIR_NAME_top_piece_(pieces + q, 0.0);
  for (i = 0; i < n; i++) key[i] = dppair_top_held_((double)s[i], cap);
  dppair_sort_f64(key, n);
  sum[n] = square[n] = 0.0; /* of the largest keys */
  for (i = n; i-- > 0;) {
    sum[i] = sum[i + 1] + key[i];
    square[i] = square[i + 1] + key[i] * key[i];
  }
  for (k = 0; k < count; k++) {
    const double v = dppair_top_held_((double)x[k], cap);
    h[k] = base * (double)n;
    for (q = 0; q < sizeof pieces / sizeof *pieces; q++) {
      const int always = !dppair_isfinite_f64(pieces[q].knot);
      const double knot = always ? 0.0 : pieces[q].knot;
      size_t first = 0, rest = always ? 0 : n;
      double number, linear, parabola;
      while (rest > 0) { /* first: the first key with v - key < knot */
        const size_t half = rest / 2;
        const int before = !(v - key[first + half] < knot);
        first += before ? half + 1 : 0;
        rest = before ? rest - half - 1 : half;
      }
      number = (double)(n - first);
      linear = number * v - sum[first];
      parabola = number * v * v - 2.0 * v * sum[first] + square[first];
      h[k] += pieces[q].constant * (linear - number * knot) +
              0.5 * pieces[q].factor * (parabola - number * knot * knot);
    }
  }
}

#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* The Chebyshev coefficients c[0..p] of the integral from the left end of a box, or of the part of
 * it within the cap, that is `width` wide, of what has the values `slope` at its nodes. */
DPPAIR_API void DPPAIR_NAME_top_integral_(double *c, const double *slope, int p, double width) {
  double of_slope[DPPAIR_BOX_TERMS_ + 2], unused, left = 0.0;
  int i, m;
  for (m = 0; m < p; m++) {
    of_slope[m] = 0.0;
    for (i = 0; i < p; i++)
      of_slope[m] += slope[i] * dppair_box_cosine_(m * (2 * i + 1), p, &unused);
    of_slope[m] *= 2.0 / (double)p;
  }
  of_slope[p] = of_slope[p + 1] = 0.0;
  for (m = 1; m <= p; m++) {
    c[m] = (of_slope[m - 1] - of_slope[m + 1]) * 0.25 * width / (double)m;
    left += m % 2 ? -c[m] : c[m];
  }
  c[0] = -left;
}

/* The sum of c[m] T_m at 1, the right end. */
DPPAIR_API double DPPAIR_NAME_top_end_(const double *c, int p) {
  double sum = 0.0;
  int m;
  for (m = 0; m <= p; m++) sum += c[m];
  return sum;
}

/* The ends of box b, held within the cap. */
DPPAIR_API void DPPAIR_NAME_top_ends_(double *low, double *high, size_t b, const dppair_fast *f) {
  const double place = (double)b - (double)(f->capacity / 2);
  *low = dppair_top_held_(f->width * place, f->score_cap);
  *high = dppair_top_held_(f->width * (place + 1.0), f->score_cap);
}

/* h of 8 scores at most, in the boxes of which of_box has p + 1 coefficients each; Clenshaw. */
DPPAIR_API void DPPAIR_NAME_top_read_(double *h, const DPPAIR_REAL *x, size_t count,
                                      const double *of_box, const dppair_fast *f) {
  const double half = (double)(f->capacity / 2);
  const double *c[8];
  double t[8], one[8], two[8], low, high;
  size_t k;
  int m;
  for (k = 0; k < 8; k++) {
    const double v = dppair_top_held_((double)x[k < count ? k : 0], f->score_cap);
    const size_t box = (size_t)(v / f->width + half);
    DPPAIR_NAME_top_ends_(&low, &high, box, f);
    c[k] = of_box + box * (size_t)(f->terms + 1);
    t[k] = high > low ? 2.0 * (v - low) / (high - low) - 1.0 : -1.0;
    one[k] = two[k] = 0.0;
  }
  for (m = f->terms; m > 0; m--)
    for (k = 0; k < 8; k++) {
      const double next = 2.0 * t[k] * one[k] - two[k] + c[k][m];
      two[k] = one[k];
      one[k] = next;
    }
  for (k = 0; k < count; k++) h[k] = t[k] * one[k] - two[k] + c[k][0];
}

/* h by boxes. room: arrays of coeffs.h; its `boxes` have f->capacity (3 terms + 1) numbers. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_top_boxes_(double *h, const DPPAIR_REAL *x, size_t count, const DPPAIR_REAL *s,
                       size_t n, const dppair_options *options, const DPPAIR_NAME_top_room_ *room) {
  const dppair_fast *f = options->fast;
  const size_t p = (size_t)f->terms, middle = f->capacity / 2;
  double *const of_box = room->boxes, *const node = of_box + f->capacity * (p + 1);
  double *const slope = node + f->capacity * p, unused, low = 0.0, high = 0.0, at, left, right;
  const DPPAIR_REAL zero = 0;
  size_t first, end, b, k;
  dppair_status status;
  for (k = 0; k < n; k++) {
    room->wide[k] = dppair_top_held_((double)s[k], f->score_cap);
    room->held[k] = (DPPAIR_REAL)room->wide[k];
  }
  for (k = 0; k < count; k++) {
    const double v = dppair_top_held_((double)x[k], f->score_cap);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  first = (size_t)(low / f->width + (double)middle);
  end = (size_t)(high / f->width + (double)middle) + 1;
  for (b = first; b < end; b++) {
    DPPAIR_NAME_top_ends_(&left, &right, b, f);
    for (k = 0; k < p; k++)
      node[(b - first) * p + k] =
          left + (right - left) * 0.5 * (1.0 + dppair_box_cosine_(2 * (int)k + 1, (int)p, &unused));
  }
  status = f->run(slope, room->c, node, (end - first) * p, room->wide, n, f, NULL, 0, 0, NULL);
  if (status != DPPAIR_OK) return status;
  for (b = first; b < end; b++) {
    DPPAIR_NAME_top_ends_(&left, &right, b, f);
    DPPAIR_NAME_top_integral_(of_box + b * (p + 1), slope + (b - first) * p, (int)p, right - left);
  }
  DPPAIR_NAME_top_loops_(&at, &zero, 1, room->held, n, options->params);
  for (b = middle, low = at; b < end; b++) {
    double *const c = of_box + b * (p + 1);
    c[0] += low;
    low = DPPAIR_NAME_top_end_(c, (int)p);
  }
  for (b = middle, high = at; b-- > first;) {
    double *const c = of_box + b * (p + 1);
    high -= DPPAIR_NAME_top_end_(c, (int)p);
    c[0] += high;
  }
  for (k = 0; k < count; k += 8)
    DPPAIR_NAME_top_read_(h + k, x + k, count - k < 8 ? count - k : 8, of_box, f);
  return DPPAIR_OK;
}
#endif

/* h[k] = the sum over j < n of phi(x[k] - s[j]), k < count. With a state scores count as at most
 * its cap. c, wide, held and boxes of the room are used. WORKSPACE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_values_(
    double *h, const DPPAIR_REAL *x, size_t count, const DPPAIR_REAL *s, size_t n,
    const dppair_options *options, const DPPAIR_NAME_top_room_ *room) {
  (void)room;
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  if (options->fast) {
    DPPAIR_NAME_top_sorted_(h, x, count, s, n, options);
    return DPPAIR_OK;
  }
#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  if (options->fast) return DPPAIR_NAME_top_boxes_(h, x, count, s, n, options, room);
#endif
  DPPAIR_NAME_top_loops_(h, x, count, s, n, options->params);
  return DPPAIR_OK;
}

/*
 * What that leaves, for n records, slopes of at most `slope` and values of at most `most` in size.
 * A value of a pair is within 8 epsilon of the type; sums of 64 and of lanes in the type take 80
 * roundings, those in double n + 16. Boxes: the figure above; roundings of slopes as NAME_allowance
 * counts them, over a way of at most the cap, and of the transform, of Clenshaw's sum and of the
 * sums over boxes, within 16 p^2 + boxes; weights are rounded to multiples of 2^-50. Sorting: n +
 * 32 roundings of numbers of at most 8 cap weight.
 */
DPPAIR_API DPPAIR_NAME_top_error_ DPPAIR_NAME_top_error_of_(const dppair_fast *f, double n,
                                                            double slope, double most) {
  const double u = 0.5 * DBL_EPSILON;
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  DPPAIR_NAME_top_error_ e;
  e.kernel = 8.0 * epsilon * most;
  e.weights = f && f->order_free ? DPPAIR_SKETCH_UNIT_ : 0.0;
  e.rounding = most * (40.0 * epsilon + 1.01 * (n + 16.0) * u);
  if (f && DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_) {
    const double p = (double)f->terms, steps = 16.0 * p * p + (double)f->capacity;
    const double reach = most + (slope + f->kernel_error) * f->score_cap;
    e.kernel += f->score_cap * f->kernel_error;
    e.rounding += 1.01 * u *
                  (f->score_cap * f->weight * (dppair_fast_steps_(f, n) + dppair_fast_units_(f)) +
                   steps * reach);
  }
  if (f && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    e.rounding += 8.0 * f->score_cap * f->weight * (n + 32.0) * u * 1.01 + 8.0 * epsilon * most;
  return e;
}

DPPAIR_FP_END_
