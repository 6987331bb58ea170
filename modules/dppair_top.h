/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_top.h - rankings whose top counts more (version 0.1.0)
 *
 *   The sum over all pairs is the AUC, where every place of the list counts alike. Whoever reads
 *   only its top asks for another loss of the same phi:
 *
 *   PARTIAL     the pairs of the k highest negatives and the m lowest positives: the partial AUC
 *   PUSH        the sum over negatives of a power of what their pairs lose: the p-norm push
 *   PRECISION   what average precision misses
 *   NDCG        the pairs of a query, weighted by what exchanging them does to NDCG
 *
 *     #include "dppair_top.h"               before the instance; includes dppair_losses.h
 *     #include "dppair_noise.h"             for releases, as ever
 *     #include "dppair_accountant.h"
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     dppair_top top = {DPPAIR_TOP_PARTIAL, 50, 0, 0, 0, 0};   the 50 highest negatives
 *     s = rank_top_workspace(&bytes, n, d, &top, &options);
 *     ... dppair_release_open as ever ...
 *     s = rank_release_top(g, &release, &rows, w, &top, &options);   g may be published
 *
 * OF AN INSTANCE that is made after this header, for DPPAIR_NAME = rank
 *   release       rank_release_top: the gradient with the noise of this step
 *   sensitivity   rank_top_sensitivity: how far one record moves that gradient
 *   gradient      rank_top_gradient, rank_top_workspace: of a linear score. NOT PRIVATE
 *   coefficients  rank_top_coeffs, rank_top_coeffs_workspace; of NDCG rank_top_ranks. NOT PRIVATE
 * types           dppair_top  dppair_top_kind
 *
 * PARTIAL, PUSH and PRECISION are near-linear with a prepared state, else they are loops. Ties
 * share places, so no order of the rows matters. A selection meets the records that no linear score
 * puts in place, and noise grows as n/k: where it was measured, all pairs were better at epsilon 1.
 *
 * Errors. Outputs are zeroed; what a release refuses before a record is read uses no paid release.
 *
 * Such an instance has DPPAIR_WEIGHTS 1. If you define it as 0, the instance has none of these
 * functions, and one of a row-wise loss never has.
 *
 * What each loss is: head of modules/top/coeffs.h. How far a record moves it, with proofs: head of
 * modules/top/sensitivity.h.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     81  modules/top/values.h               Sums of phi over all partners, near-linear
 *    339  modules/top/coeffs.h               Top-weighted ranking
 *           NAME_top_coeffs_workspace NAME_top_coeffs
 *    611  modules/top/ranks.h                Pairs of a query, weighted by NDCG
 *           NAME_top_ranks
 *    762  modules/top/gradient.h             The gradient of top-weighted ranking for linear scores
 *           NAME_top_workspace NAME_top_gradient
 *    908  modules/top/sensitivity.h          The sensitivity of top-weighted gradients
 *           NAME_top_sensitivity
 *   1188  modules/top/release.h              Releases of top-weighted gradients
 *           NAME_release_top
 *   1352  core/freestanding.h                Without a C library: names for the time of one include
 *   1401  modules/top/names.h                Names of top-weighted ranking: as simd/names.h
 *   1452  modules/top/cut.h                  What a top-weighted loss counts
 *   1562  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_TOP_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else

#ifndef DPPAIR_TOP_SELF
#define DPPAIR_TOP_SELF "dppair_top.h"
#endif

#ifdef DPPAIR_MODULE_TOP_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && DPPAIR_WEIGHTS /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* ---- src/modules/top/values.h ---------------------------------------------------------------
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
DPPAIR_FN_ void DPPAIR_NAME_top_loops_(double *h, const DPPAIR_REAL *x, size_t count,
                                       const DPPAIR_REAL *s, size_t n, const double *params) {
  size_t k;
  for (k = 0; k < count; k++)
    DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (h + k, x + k, 1, s, n, params));
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* What a piece adds to phi at u, such that it is 0 from its knot on; at 0 where it has no knot. */
DPPAIR_FN_ double DPPAIR_NAME_top_piece_(const dppair_piece *piece, double u) {
  const double knot = dppair_isfinite_f64(piece->knot) ? piece->knot : 0.0;
  if (dppair_isfinite_f64(piece->knot) && !(u < knot)) return 0.0;
  return (u - knot) * (piece->constant + 0.5 * piece->factor * (u + knot));
}

/* h by sorting, in the workspace of the state: at least n scores have room there. */
DPPAIR_FN_ void DPPAIR_NAME_top_sorted_(double *h, const DPPAIR_REAL *x, size_t count,
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
DPPAIR_FN_ void DPPAIR_NAME_top_integral_(double *c, const double *slope, int p, double width) {
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
DPPAIR_FN_ double DPPAIR_NAME_top_end_(const double *c, int p) {
  double sum = 0.0;
  int m;
  for (m = 0; m <= p; m++) sum += c[m];
  return sum;
}

/* The ends of box b, held within the cap. */
DPPAIR_FN_ void DPPAIR_NAME_top_ends_(double *low, double *high, size_t b, const dppair_fast *f) {
  const double place = (double)b - (double)(f->capacity / 2);
  *low = dppair_top_held_(f->width * place, f->score_cap);
  *high = dppair_top_held_(f->width * (place + 1.0), f->score_cap);
}

/* h of 8 scores at most, in the boxes of which of_box has p + 1 coefficients each; Clenshaw. */
DPPAIR_FN_ void DPPAIR_NAME_top_read_(double *h, const DPPAIR_REAL *x, size_t count,
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
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
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
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_values_(
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
DPPAIR_FN_ DPPAIR_NAME_top_error_ DPPAIR_NAME_top_error_of_(const dppair_fast *f, double n,
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
/* ---- src/modules/top/coeffs.h ---------------------------------------------------------------
 * Top-weighted ranking: losses that count the top of the list more
 *
 * A dppair_top says which loss of the pairs' phi:
 *
 *   PARTIAL    the sum of phi(s_i - s_j) over the m lowest positives i and the k highest negatives
 *              j. All positives: the one-way partial AUC; all of both: NAME_coeffs. k and m are
 *              public counts, never shares of a class, whose size is private
 *   PUSH       the sum over the negatives j of H_j^r, H_j = the sum over the positives i of
 *              phi(s_i - s_j), divided by n - 1; n counts all records. The p-norm push (Rudin
 *              2009), r = `power`; r = 1: the plain sum over n - 1
 *   PRECISION  the sum over the positives i of A_i/(A_i + B_i): A_i is the sum of phi(s_i - s_k)
 *              over the negatives k, B_i over the positives, i too. With the number of errors for
 *              phi it is what average precision misses of 1, times the positives (Qi et al. 2021)
 *   NDCG       pairs of a query weighted by what exchanging them does to NDCG: ranks.h
 *
 * Costs for n records: a selection in O(n), at worst O(n log n), or sums of phi (values.h); and
 * one, for PRECISION two, weighted calls of what the options choose, on what is selected. So with a
 * prepared state PARTIAL, PUSH and PRECISION are near-linear; they are exact but for rounding if
 * the slope of the loss is piecewise linear, else within kernel_error per pair for slopes, and
 * within values.h's figure for values. With loops they take O(k m), O(n+ n-), O(n+ n).
 *
 * Ties. Records that tie at the edge of a selection share the places that are left: each has the
 * weight (places left)/(records that tie). So no order of the rows matters, and the coefficients
 * are the mean over all orders in which the ties could be broken; the proofs (sensitivity.h) use
 * that.
 *
 * A selection meets the records that no linear score puts in place. A convex phi then follows them
 * most; a bounded one (the sigmoid), from a w that was trained on all pairs, less. Measured on
 * Adult, the 5 % highest negatives, area to a false positive rate of 0.1: sigmoid 0.43 against 0.39
 * by all pairs, logistic 0.43 against 0.44. With privacy S grows as n/k: all pairs were better at
 * epsilon 1.
 *
 * Public functions are written NAME_x in comments and DPPAIR_NAME_x in the code. NOT PRIVATE, as
 * all coefficients: NAME_release_top adds noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Does the state round scores, as NAME_sums_init of a piecewise linear loss does? */
DPPAIR_FN_ int DPPAIR_NAME_top_grid_(const dppair_options *options) {
  return DPPAIR_KIND_ != DPPAIR_KIND_ANALYTIC_ && options->fast && options->fast->order_free;
}

/* Lays it out at base (NULL: counts only), and returns the bytes; SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_top_layout_(DPPAIR_NAME_top_room_ *room, char *base, size_t n,
                                          const dppair_top *top, const dppair_options *options) {
  const int ranks = top->kind == DPPAIR_TOP_NDCG;
  const int values = top->kind == DPPAIR_TOP_PUSH || top->kind == DPPAIR_TOP_PRECISION;
  const int boxes = values && options->fast && options->fast->kind == DPPAIR_KIND_ANALYTIC_;
  const size_t each = boxes ? 3 * (size_t)options->fast->terms + 1 : 0;
  size_t used = 0;
  room->c = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->weight = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->key = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->second = (double *)dppair_take_(base, &used, n, sizeof(double));
  room->wide = (double *)dppair_take_(base, &used, boxes ? n : 0, sizeof(double));
  room->boxes = (double *)dppair_take_(
      base, &used, boxes ? dppair_area_(options->fast->capacity, each) : 0, sizeof(double));
  room->s = (DPPAIR_REAL *)dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  room->held = (DPPAIR_REAL *)dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  room->i = (size_t *)dppair_take_(base, &used, ranks ? n : 0, sizeof(size_t));
  room->j = (size_t *)dppair_take_(base, &used, ranks ? n : 0, sizeof(size_t));
  room->order = (size_t *)dppair_take_(base, &used, ranks ? n : 0, sizeof(size_t));
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Checks what does not depend on a record, for n records, and lays *room out. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_open_(DPPAIR_NAME_top_room_ *room,
                                                                 size_t n, const dppair_top *top,
                                                                 const dppair_options *options) {
  size_t bytes;
  dppair_status status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  if (options->clip && top->kind != DPPAIR_TOP_NDCG) return DPPAIR_ERR_NO_PROOF;
  if (options->groups && top->kind != DPPAIR_TOP_NDCG) return DPPAIR_ERR_NO_PROOF;
  if (DPPAIR_NAME_top_grid_(options)) return DPPAIR_ERR_NO_PROOF;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  /* positives meet each other in PRECISION: twice as many scores */
  if (options->fast && top->kind != DPPAIR_TOP_NDCG) {
    status = DPPAIR_NAME_fast_state_(options->fast, options->params);
    if (status == DPPAIR_OK &&
        options->fast->most / (top->kind == DPPAIR_TOP_PRECISION ? 2 : 1) < n)
      status = DPPAIR_ERR_WORKSPACE;
    if (status != DPPAIR_OK) return status;
  }
#endif
  bytes = DPPAIR_NAME_top_layout_(room, NULL, n, top, options);
  if (bytes == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_top_layout_(room, dppair_align_(options->work), n, top, options);
  return dppair_environment_check();
}

/* Appends the scores of one side that its cut leaves, with their weights. Returns how many;
 * *shared: one of them has a share. sign -1: the lowest count. */
DPPAIR_FN_ size_t DPPAIR_NAME_top_select_(DPPAIR_REAL *out, double *weight, int *shared,
                                          const DPPAIR_REAL *s, size_t n,
                                          const dppair_top_cut_ *cut, double sign) {
  size_t count = 0, i;
  for (i = 0; i < n; i++) {
    const double w = dppair_top_weight_(cut, sign * (double)s[i]);
    if (!(w > 0.0)) continue;
    *shared |= w < 1.0;
    out[count] = s[i];
    weight[count++] = w;
  }
  return count;
}

/* c[i] = the next of the coefficients of those that the cut leaves; 0 for others. */
DPPAIR_FN_ void DPPAIR_NAME_top_spread_(double *c, const double *from, const DPPAIR_REAL *s,
                                        size_t n, const dppair_top_cut_ *cut, double sign) {
  size_t i;
  for (i = 0; i < n; i++) c[i] = dppair_top_weight_(cut, sign * (double)s[i]) > 0.0 ? *from++ : 0.0;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_partial_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const dppair_top *top, const dppair_options *options, const DPPAIR_NAME_top_room_ *room) {
  const double *w[2];
  dppair_top_cut_ low, high;
  size_t kp, kn, i;
  int shared = 0;
  dppair_status status;
  for (i = 0; i < np; i++) room->key[i] = -(double)sp[i];
  low = dppair_top_cut_find_(room->key, room->c, np, top->positives);
  for (i = 0; i < nn; i++) room->key[i] = (double)sn[i];
  high = dppair_top_cut_find_(room->key, room->c, nn, top->negatives);
  kp = DPPAIR_NAME_top_select_(room->s, room->weight, &shared, sp, np, &low, -1.0);
  w[0] = room->weight;
  w[1] = room->weight + kp;
  kn = DPPAIR_NAME_top_select_(room->s + kp, room->weight + kp, &shared, sn, nn, &high, 1.0);
  /* Loops with weights compute slopes in another way than those without, so all loops have them:
   * the slope of a pair must not depend on whether others tie. */
  status = DPPAIR_NAME_weighted_(
      room->c, room->c + kp, room->s, kp, room->s + kp, kn,
      options->fast && !shared && DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? NULL : w, options, 0);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_top_spread_(a, room->c, sp, np, &low, -1.0);
  DPPAIR_NAME_top_spread_(b, room->c + kp, sn, nn, &high, 1.0);
  return DPPAIR_OK;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_top_push_(double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
                      size_t nn, size_t n, const dppair_top *top, const dppair_options *options,
                      const DPPAIR_NAME_top_room_ *room) {
  const double *const w[2] = {room->weight, room->weight + np};
  double *const h = room->weight + np;
  const double others = (double)n - 1.0;
  double scale;
  size_t i, j;
  dppair_status status;
  /* phi(s_i - s_j) is phi((-s_j) - (-s_i)) */
  for (i = 0; i < np; i++) room->s[i] = -sp[i];
  for (j = 0; j < nn; j++) room->s[np + j] = -sn[j];
  status = DPPAIR_NAME_top_values_(h, room->s + np, nn, room->s, np, options, room);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < np; i++) room->weight[i] = 1.0;
  for (j = 0; j < nn; j++) {
    const double mean = h[j] > 0.0 ? h[j] / others : 0.0;
    h[j] = (double)top->power * dppair_top_power_(mean, top->power - 1) / others;
  }
  if (!dppair_all_finite_f64(h, nn)) return DPPAIR_ERR_NOT_FINITE;
  scale = dppair_top_scale_(h, nn);
  status = DPPAIR_NAME_weighted_(a, b, sp, np, sn, nn, w, options, 0);
  for (i = 0; i < np; i++) a[i] *= scale;
  for (j = 0; j < nn; j++) b[j] *= scale;
  return status;
}

/*
 * The derivative of A/(A + B) multiplies phi' of a pair (i, k) by B_i/D_i^2 for a negative k, and
 * by -A_i/D_i^2 for a positive one, D = A + B. The pair (i, i) adds as much to s_i as it subtracts.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_precision_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const dppair_options *options, const DPPAIR_NAME_top_room_ *room) {
  double *const missed = room->key, *const met = room->second, *const ones = room->weight;
  const double *const against[2] = {missed, ones}, *const among[2] = {met, ones};
  double scale[2];
  size_t i;
  dppair_status status = DPPAIR_NAME_top_values_(missed, sp, np, sn, nn, options, room); /* A */
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_top_values_(met, sp, np, sp, np, options, room); /* B */
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < np; i++) {
    const double A = missed[i] > 0.0 ? missed[i] : 0.0, B = met[i] > 0.0 ? met[i] : 0.0;
    const double sum = A + B;
    missed[i] = sum > 0.0 ? B / sum / sum : 0.0;
    met[i] = sum > 0.0 ? A / sum / sum : 0.0;
  }
  if (!dppair_all_finite_f64(missed, np) || !dppair_all_finite_f64(met, np))
    return DPPAIR_ERR_NOT_FINITE;
  scale[0] = dppair_top_scale_(missed, np);
  scale[1] = dppair_top_scale_(met, np);
  for (i = 0; i < np + nn; i++) ones[i] = 1.0;
  /* among positives first: b is room for one of its sides only if there are enough negatives */
  status = DPPAIR_NAME_weighted_(a, room->c, sp, np, sp, np, among, options, 0);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < np; i++) room->c[i] = -(a[i] + room->c[i]) * scale[1];
  status = DPPAIR_NAME_weighted_(a, b, sp, np, sn, nn, against, options, 0);
  for (i = 0; i < np; i++) a[i] = a[i] * scale[0] + room->c[i];
  for (i = 0; i < nn; i++) b[i] *= scale[0];
  return status;
}

/* *bytes = the workspace of NAME_top_coeffs or NAME_top_ranks for n records and the state of the
 * pass, if there is one. It does not depend on how many are positives. Errors zero it: NULL,
 * DOMAIN, UNREAD (top), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs_workspace(
    size_t *bytes, size_t n, const dppair_top *top, const dppair_options *options) {
  DPPAIR_NAME_top_room_ room;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!top || !options) return DPPAIR_ERR_NULL;
  status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_top_layout_(&room, NULL, n, top, options);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* NAME_top_coeffs of np + nn of n records; the others are null. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs_of_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    size_t n, const dppair_top *top, const dppair_options *options) {
  DPPAIR_NAME_top_room_ room;
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!top || !options || (!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (top->kind == DPPAIR_TOP_NDCG) return DPPAIR_ERR_DOMAIN;
  status = DPPAIR_NAME_top_open_(&room, np + nn, top, options);
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  if (top->kind == DPPAIR_TOP_PARTIAL)
    status = DPPAIR_NAME_top_partial_(a, b, sp, np, sn, nn, top, options, &room);
  else if (top->kind == DPPAIR_TOP_PUSH)
    status = DPPAIR_NAME_top_push_(a, b, sp, np, sn, nn, n, top, options, &room);
  else
    status = DPPAIR_NAME_top_precision_(a, b, sp, np, sn, nn, options, &room);
  return dppair_settle_(status, a, np, b, nn);
}

/*
 * a[np] and b[nn]: the derivatives of the loss *top (PARTIAL, PUSH or PRECISION; above) in the
 * scores of positives and negatives. For linear scores X+^T a + X-^T b is the gradient.
 *   options params; fast: a state of NAME_fast_init, for as many records (PRECISION: twice as many);
 *          work: NAME_top_coeffs_workspace of np + nn records. clip
 *          and groups are not given
 *
 * phi must not be negative for PUSH and PRECISION: sums below 0 count as 0. No order of the scores
 * matters, but for rounding.
 *
 * Errors zero a and b: NULL; DOMAIN, UNREAD (top; NDCG: NAME_top_ranks); NO_PROOF (a clip, groups,
 * a state of NAME_sums_init of a piecewise linear loss); WORKSPACE; NOT_FINITE (a score or a
 * result); ENVIRONMENT; OVERFLOW, which does not touch them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs(double *a, double *b,
                                                                  const DPPAIR_REAL *sp, size_t np,
                                                                  const DPPAIR_REAL *sn, size_t nn,
                                                                  const dppair_top *top,
                                                                  const dppair_options *options) {
  return DPPAIR_NAME_top_coeffs_of_(a, b, sp, np, sn, nn, np + nn, top, options);
}

DPPAIR_FP_END_
/* ---- src/modules/top/ranks.h ----------------------------------------------------------------
 * Pairs of a query, weighted by NDCG
 *
 * LambdaRank (Burges et al. 2006) with capped weights. A query's records are ranked by their
 * scores; place r = 1, 2, .. has the discount 1/log2(1 + r), or 0 beyond `depth`; a record of grade
 * y gains 2^y - 1. NDCG is the sum of gain times discount, divided by that of the best ranking. A
 * pair of which i has the larger grade has the weight min(cap, |dNDCG|),
 *
 *     |dNDCG| = (gain_i - gain_j) |discount_i - discount_j| / (that sum of the best ranking),
 *
 * and pushes by phi'(s_i - s_j). O(m log m) for the ranks of m records, O(m depth) for their pairs
 * (all places: O(m^2)): a pair beyond the depth has the weight 0 and is not visited. Logarithms are
 * those of the C library, whose last bit differs between libraries.
 *
 * Of records with equal scores the one of the lower grade stands first, so that ties, as at w = 0,
 * are pushed apart; where grades are equal too they share the mean of their discounts. No order of
 * the rows matters.
 *
 * This is no gradient of a loss, and one record changes all weights of its query: only the sum of a
 * query with a clip has a sensitivity (sensitivity.h).
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Ranks records: does record i of s and gain come before j? */
DPPAIR_FN_ int DPPAIR_NAME_top_before_(const DPPAIR_REAL *s, const double *gain, size_t i,
                                       size_t j) {
  if (s[i] > s[j] || s[i] < s[j]) return s[i] > s[j];
  return gain[i] < gain[j];
}

/* order[0..m) = the records 0..m-1, ranked; by heap sort, the last of a rank on top. */
DPPAIR_FN_ void DPPAIR_NAME_top_order_(size_t *order, const DPPAIR_REAL *s, const double *gain,
                                       size_t m) {
  size_t start = m / 2, end = m, i;
  for (i = 0; i < m; i++) order[i] = i;
  while (end > 1) {
    size_t root, child, v;
    if (start > 0) {
      v = order[--start];
    } else {
      v = order[--end];
      order[end] = order[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && DPPAIR_NAME_top_before_(s, gain, order[child], order[child + 1]))
        child++;
      if (!DPPAIR_NAME_top_before_(s, gain, v, order[child])) break;
      order[root] = order[child];
    }
    order[root] = v;
  }
}

/* The discounts of the ranked records, in ranks; returns how many places may have one. */
DPPAIR_FN_ size_t DPPAIR_NAME_top_discounts_(double *discount, const size_t *order,
                                             const DPPAIR_REAL *s, const double *gain, size_t m,
                                             size_t depth) {
  size_t r = 0, places = 0;
  while (r < m) {
    size_t end = r, k;
    double sum = 0.0;
    while (end < m && !DPPAIR_NAME_top_before_(s, gain, order[r], order[end])) { /* a tie */
      if (end < depth) sum += 1.0 / dppair_log2_((double)end + 2.0);
      end++;
    }
    for (k = r; k < end; k++) discount[k] = sum / (double)(end - r);
    if (sum > 0.0) places = end;
    r = end;
  }
  return places;
}

/* Adds the pairs of one query of m records to c[0..m). gain, discount, sorted, weight, i, j, order:
 * room for m numbers each, gain is filled. */
DPPAIR_FN_ void DPPAIR_NAME_top_query_(double *c, const DPPAIR_REAL *s, size_t m,
                                       const dppair_top *top, const double *params,
                                       const DPPAIR_NAME_top_room_ *room) {
  double *const gain = room->key, *const discount = room->second, *const sorted = room->c;
  const size_t depth = top->depth ? top->depth : m;
  const double cap = top->cap > 0.0 ? top->cap : 1.0;
  double best = 0.0;
  size_t places, r, t;
  memcpy(sorted, gain, m * sizeof *gain);
  dppair_sort_f64(sorted, m);
  for (r = 0; r < m && r < depth; r++) best += sorted[m - 1 - r] / dppair_log2_((double)r + 2.0);
  if (!(best > 0.0)) return;
  DPPAIR_NAME_top_order_(room->order, s, gain, m);
  places = DPPAIR_NAME_top_discounts_(discount, room->order, s, gain, m, depth);
  for (r = 0; r < places; r++) {
    const size_t i = room->order[r];
    size_t count = 0;
    for (t = r + 1; t < m; t++) {
      const size_t j = room->order[t];
      const double moved = dppair_fabs_((gain[i] - gain[j]) * (discount[r] - discount[t])) / best;
      if (!(moved > 0.0)) continue;
      room->i[count] = gain[i] > gain[j] ? i : j;
      room->j[count] = gain[i] > gain[j] ? j : i;
      room->weight[count++] = moved < cap ? moved : cap;
    }
    DPPAIR_DISPATCH_(DPPAIR_NAME_pairs,
                     (c, c, s, s, room->i, room->j, room->weight, count, params));
  }
}

/*
 * c[n]: the sums over the pairs of each query, weighted as above, of phi'(s_i - s_j), added for i
 * and subtracted for j.
 *   y      n grades, graded or binary; they count as held within [0, 32], NaN as 0
 *   top    kind DPPAIR_TOP_NDCG, depth, cap
 *   options params; groups: the queries, WITHIN, as those of a form (`negative` is NULL): records of
 *          a query stand together. NULL: all records are one query. work: NAME_top_coeffs_workspace
 *          of n records. fast and clip are not read
 *
 * Errors zero c: NULL; DOMAIN, UNREAD (top; groups that are not queries); SIZE (places);
 * WORKSPACE; NOT_FINITE (a score or a result); ENVIRONMENT; OVERFLOW, which does not touch it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_ranks(double *c, const DPPAIR_REAL *s,
                                                                 const DPPAIR_REAL *y, size_t n,
                                                                 const dppair_top *top,
                                                                 const dppair_options *options) {
  const size_t all[2] = {0, n};
  const size_t *place = all;
  DPPAIR_NAME_top_room_ room;
  size_t q, i, count = 1;
  dppair_status status = dppair_zero_(c, n, NULL, 0);
  if (status != DPPAIR_OK) return status;
  if (!top || !options || ((!s || !y) && n)) return DPPAIR_ERR_NULL;
  if (top->kind != DPPAIR_TOP_NDCG) return DPPAIR_ERR_DOMAIN;
  status = DPPAIR_NAME_top_open_(&room, n, top, options);
  if (status == DPPAIR_OK && options->groups)
    status = dppair_groups_check_(options->groups, n, 0, 1);
  if (status != DPPAIR_OK) return status;
  if (options->groups) {
    if (options->groups->relation != DPPAIR_WITHIN) return DPPAIR_ERR_DOMAIN;
    place = options->groups->positive;
    count = options->groups->count;
  }
  if (!DPT_FINITE(s, n)) return DPPAIR_ERR_NOT_FINITE;
  for (q = 0; q < count; q++) {
    const size_t first = place[q], m = place[q + 1] - first;
    for (i = 0; i < m; i++) {
      const double grade = (double)y[first + i];
      room.key[i] = dppair_exp2_(grade > 0.0 ? (grade < 32.0 ? grade : 32.0) : 0.0) - 1.0;
    }
    DPPAIR_NAME_top_query_(c + first, s + first, m, top, options->params, &room);
  }
  return dppair_settle_(DPPAIR_OK, c, n, NULL, 0);
}

DPPAIR_FP_END_
/* ---- src/modules/top/gradient.h -------------------------------------------------------------
 * The gradient of top-weighted ranking for linear scores
 *
 * From rows to a gradient: scores, coefficients of coeffs.h, X^T c; of NDCG query by query, each
 * clipped. NOT PRIVATE, as NAME_gradient. Public functions are written NAME_x in comments and
 * DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The pass of what NAME_gradient lays out: no clip, no groups and no state of its own. */
DPPAIR_FN_ dppair_options DPPAIR_NAME_top_pass_(const dppair_options *options) {
  dppair_options plain = *options;
  plain.clip = NULL;
  plain.groups = NULL;
  plain.fast = NULL;
  return plain;
}

/* *bytes = the workspace of NAME_top_gradient for n records of d numbers. *first: of its
 * coefficients. NULL, OVERFLOW, those of NAME_workspace and NAME_top_coeffs_workspace. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_bytes_(size_t *bytes, size_t *first,
                                                                  size_t n, size_t d,
                                                                  const dppair_top *top,
                                                                  const dppair_options *options) {
  dppair_options plain;
  size_t rest;
  dppair_status status;
  if (!options) return DPPAIR_ERR_NULL;
  if (DPPAIR_NAME_top_grid_(options)) return DPPAIR_ERR_NO_PROOF;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  plain = DPPAIR_NAME_top_pass_(options);
  status = DPPAIR_NAME_top_coeffs_workspace(first, n, top, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_workspace(&rest, n, d, &plain);
  if (status != DPPAIR_OK) return status;
  if (*first > SIZE_MAX - rest || d > (SIZE_MAX - 64) / sizeof(double) ||
      *first + rest > SIZE_MAX - 64 - d * sizeof(double))
    return DPPAIR_ERR_OVERFLOW;
  *bytes = *first + rest + d * sizeof(double) + 64;
  return DPPAIR_OK;
}

/* *bytes = the workspace of NAME_top_gradient and NAME_release_top for n records of d numbers. It
 * does not depend on how many are positives. Errors zero it: NULL, SIZE (parts 0), DOMAIN, UNREAD
 * (top), WORKSPACE (the clip), NO_PROOF (a state of NAME_sums_init of a piecewise linear loss),
 * OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_workspace(
    size_t *bytes, size_t n, size_t d, const dppair_top *top, const dppair_options *options) {
  size_t first, needed = 0;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_top_bytes_(&needed, &first, n, d, top, options);
  *bytes = status == DPPAIR_OK ? needed : 0;
  return status;
}

/* g += the vectors of the queries, clipped; h: room for d numbers. */
DPPAIR_FN_ void DPPAIR_NAME_top_queries_(double *g, double *h, const dppair_linear_ *r,
                                         const dppair_options *options) {
  DPPAIR_ROWS_ query;
  const size_t all[2] = {0, r->n[0]};
  const size_t *place = options->groups ? options->groups->positive : all;
  const size_t count = options->groups ? options->groups->count : 1;
  size_t q, k;
  for (q = 0; q < count; q++) {
    const size_t i = place[q], m = place[q + 1] - i;
    double norm, share = 1.0;
    if (m < 2) continue;
    dppair_rows_part_ROW_(&query, (const DPPAIR_ROWS_ *)r->rows, i, m);
    dppair_rows_combine_ROW_(h, &query, r->c[0] + i);
    norm = dppair_norm_f64(h, r->d);
    if (options->clip && norm > options->clip->bound) share = options->clip->bound / norm;
    for (k = 0; k < r->d; k++) g[k] += share * h[k];
  }
}

/*
 * g[0..d) = the gradient of the loss *top for the linear score <x, w>: X^T c, c of NAME_top_coeffs.
 * NDCG: the sum over the queries of X^T c of each (NAME_top_ranks), clipped to options->clip if
 * that is not 0.
 *
 *   rows   n records, the positives first, null records last; NDCG: with grades y, records of a
 *          query together. Weights are not given. PUSH: means are over n - 1 all the same
 *   w      d numbers
 *   options params, fast as for NAME_top_coeffs; parts (scores, X^T c); NDCG: clip, and groups as
 *          for NAME_top_ranks; work: NAME_top_workspace of n records
 *
 * NAME_top_sensitivity says how far it moves. Errors zero g, if rows are given: those of
 * NAME_gradient, NAME_top_coeffs, NAME_top_ranks; NO_PROOF (rows with weights; PRECISION of rows
 * with null records, for which nothing is proved).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_gradient(double *g,
                                                                    const DPPAIR_ROWS_ *rows,
                                                                    const DPPAIR_REAL *w,
                                                                    const dppair_top *top,
                                                                    const dppair_options *options) {
  const int ranks = top && top->kind == DPPAIR_TOP_NDCG;
  dppair_options plain, mine, inner;
  dppair_linear_ r;
  DPPAIR_ROWS_ block;
  dppair_executor *run;
  size_t bytes, first;
  double *h;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  if (!top || !options || (ranks && !rows->y && rows->n)) return DPPAIR_ERR_NULL;
  if (rows->weight || (rows->nulls > 0 && top->kind == DPPAIR_TOP_PRECISION))
    return DPPAIR_ERR_NO_PROOF;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_top_bytes_(&bytes, &first, rows->n, rows->d, top, options);
  if (status != DPPAIR_OK) return status;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  mine = *options;
  h = (double *)(void *)dppair_align_(options->work);
  mine.work = h + rows->d;
  mine.bytes = first;
  plain = DPPAIR_NAME_top_pass_(options);
  plain.work = (char *)mine.work + first;
  plain.bytes = bytes - first - rows->d * sizeof *h - 64;
  block = *rows;
  if (ranks) block.positives = rows->n - rows->nulls;
  status = DPPAIR_NAME_gradient_open_(&r, &inner, &block, w, &plain);
  if (status != DPPAIR_OK) return status;
  run = options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  run(DPPAIR_NAME_linear_scores_, &r, r.parts, options->tasks ? options->tasks->self : NULL);
  if (ranks) {
    status =
        DPPAIR_NAME_top_ranks(r.c[0], (const DPPAIR_REAL *)r.s[0], rows->y, r.n[0], top, &mine);
    if (status != DPPAIR_OK) return status;
    DPPAIR_NAME_top_queries_(g, h, &r, options);
    return dppair_finish_(g, r.d);
  }
  status = DPPAIR_NAME_top_coeffs_of_(r.c[0], r.c[1], (const DPPAIR_REAL *)r.s[0], r.n[0],
                                      (const DPPAIR_REAL *)r.s[1], r.n[1], rows->n, top, &mine);
  if (status != DPPAIR_OK) return status;
  run(DPPAIR_NAME_linear_combine_, &r, r.parts, options->tasks ? options->tasks->self : NULL);
  if (r.d) dppair_tasks_join(r.g, r.d, 2 * r.parts);
  if (r.d) memcpy(g, r.g, r.d * sizeof *g);
  return dppair_finish_(g, r.d);
}

DPPAIR_FP_END_
/* ---- src/modules/top/sensitivity.h ----------------------------------------------------------
 * The sensitivity of top-weighted gradients
 *
 * How far one replaced record (its label too) moves the gradient of coeffs.h's losses for linear
 * scores, divided by public numbers. Of the gradient of a pair let G be the largest norm and D the
 * largest move when one of its records is replaced (losses/moves.h; D = G = 2Rs for a monotone phi
 * of slopes up to s), and let p positives and q = n - p negatives be there; p and q are private.
 *
 * Scores are functions of one record and w, so those of the others stay. Sums of slopes and values
 * are those of fixed functions K(s, s') of two scores. Cuts compare scores as they are computed, so
 * nothing that kernels or rounding do moves a selection but the records themselves.
 *
 * PARTIAL, divided by m k (all positives count as n, all negatives as n - 1):
 *
 *     S = D min(n - 1, m + k)/(m k), with (m + k - 2) D + 2G for (m + k) D
 *     zero-out: S = D max(m, k)/(m k)
 *
 * Proof. Break ties by a random order of all records that could be there; the gradient is the mean
 * over the orders, for each of which the selected sets A of min(m, p) and T of min(k, q) records
 * differ as follows, and norms are convex. z becomes z':
 *   positive to positive   A changes by one record at most, which meets T: min(k, q) D
 *   negative to negative   min(m, p) D
 *   positive to negative   A loses z and, if p > m, gains i; T gains z' and, if q >= k, loses j.
 *     Both: (m-1) pairs change j for z', k-1 change z for i, (z, j) becomes (i, z'):
 *     (m + k - 2) D + 2G, and n >= m + k + 1. Only i: q D + m G with q < k, p > m. Only j:
 *     (p-1) D + k G with p <= m, q >= k. Neither: (q + p - 1) G.
 * All are at most both formulas: D >= G, and min(n - 1, ..) because q + m <= n - 1 if p > m, and
 * p - 1 + k <= n - 1 if q >= k. A null record's z or z' is not there: min(k, q) D or min(m, p) D.
 * So is a record that joins a Poisson sample or a batch of an allocation, whose size is not read.
 * One-way: (n - 1) D, the same as all pairs. The shares of ties are rounded: n^2 epsilon G more.
 *
 * PUSH, divided by n, phi in [0, M]:      S = r M^(r-1) D/n,  zero-out too
 *
 * Proof. H_j <= p M/(n-1), and the term of j is W_j V_j, W = r H^(r-1), V_j the mean slope vector,
 * both over n - 1. In units of r M^(r-1) (n-1)^-r:
 *   negative to negative   one term: p^(r-1) p D. (Vectors a v, 0 <= a <= 1, are at most max(D, G)
 *     apart if v are at most D apart and G long.)
 *   positive to positive   H_j moves by M at most, so W_j by p^(r-1) - (p-1)^(r-1) (r >= 2: convex;
 *     r = 1: 0), times (p-1) G of the others, and W v by p^(r-1) D: q (p^r - (p-1)^r) D at most
 *   positive to negative   q (p^r - (p-1)^r) G, and a new term (p-1)^r G
 * f(p) = (n-p)(p^r - (p-1)^r) + (p-1)^r grows with p: f(p+1) - f(p) is n-p-1 times a second
 * difference of a convex function. So it is at most f(n) = (n-1)^r, and so is p^r for p <= n - 1.
 *
 * PRECISION, divided by n, phi in [L, M], L > 0, replace-one only (null records have no values):
 *
 *     S n = max((n-1)/n (G (M + (M-L)/8 + L))/L^2 + G/(2L), (n-1)/n ((M-L) G + L D)/L^2 + G/L)
 *
 * Proof. The term of i is X = alpha V_N - beta V_P, V the slope vectors summed over negatives and
 * positives, alpha = (1-Q)/D_i, beta = Q/D_i, D_i = A + B >= nL, Q = A/D_i.
 *   Its own record: |X| <= pq (a+b) G/(qa + pb)^2 with A = qa, B = pb, and that is at most
 *     (1/a + 1/b) G/4 <= G/(2L). Replaced: twice that, becoming a negative: once.
 *   A positive z becomes a negative z': move A by v' and -B by v in [L, M] along a line. There
 *     d alpha = ((1-2Q) v - 2(1-Q) v')/D_i^2 * -1 and d beta = ((1-2Q) v' + 2Q v)/D_i^2 up to sign;
 *     for Q <= 1/2 the first is at most M + (1-2Q)(M-L), the second M, else mirrored. At most n - 1
 *     others count, and q <= Q D_i/L, (1-2Q) Q <= 1/8: together (M + (M-L)/8)/(n L^2) G. z and z'
 *     themselves: alpha' + beta <= (1-Q)/D' + Q/D <= 1/(nL) because Q does not fall.
 *   The same label: (M-L) (2(1-Q) q + |1-2Q| p)/D_i^2 or its mirror, at most (M-L)/(n L^2) by
 *     q <= Q D_i/L, p <= (1-Q) D_i/L; and D/(nL).
 * At most n - 1 other positives have such a term. It takes a phi that does not vanish, such as the
 * logistic one; M/L is within e^(2R|w|) there, so this is for small R |w|.
 *
 * NDCG, the mean over Q queries of their vectors, each clipped to C: 2C/Q for a record that stays
 * in its query and for a replaced query, C/Q for a query that becomes null (C/m where a sampling
 * expects m); nothing else is proved.
 *
 * What arithmetic adds. Slopes as NAME_allowance says. [L, M] is widened by the kernel error of
 * values. Rounding of values and weights, relative to M (n values) at most e, moves PUSH's gradient
 * by n^2/4 W G r e, PRECISION's by 3 n (G/L) e M/L, for either neighbour. Boxes round weights of at
 * most 1 to multiples of t = 2^-50 first: the weight of a pair of PARTIAL moves by 2 t at most, one
 * of PUSH by 2 t W (the largest weight is above 1/2 when it is scaled), one of PRECISION by 2 t/(n
 * L).
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* What a selection of n records has places for, `wanted` or all of `most`. */
DPPAIR_FN_ double DPPAIR_NAME_top_places_(size_t wanted, size_t n, size_t most) {
  return (double)(wanted > 0 && wanted < n ? wanted : most);
}

/* What a release of n records divides by: places, records or queries; all are public. */
DPPAIR_FN_ double DPPAIR_NAME_top_divisor_(size_t n, const dppair_top *top) {
  if (top->kind != DPPAIR_TOP_PARTIAL) return (double)n;
  return DPPAIR_NAME_top_places_(top->positives, n, n) *
         DPPAIR_NAME_top_places_(top->negatives, n, n - 1);
}

/* The move of the sum of PARTIAL's pairs. */
DPPAIR_FN_ double DPPAIR_NAME_top_moved_(const dppair_moves_ *m, size_t n, const dppair_top *top,
                                         int replaced) {
  const double others = (double)n - 1.0;
  const double up = DPPAIR_NAME_top_places_(top->positives, n, n - 1);
  const double down = DPPAIR_NAME_top_places_(top->negatives, n, n - 1);
  const double larger = up > down ? up : down;
  if (!replaced) return m->replaced * larger;
  if (up + down > others) return m->replaced * others;
  return (up + down - 2.0) * m->replaced + 2.0 * m->norm;
}

/* *low <= phi <= *high over the margins that are reached, as values are computed: a monotone phi is
 * extreme at the ends. NO_PROOF. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_range_(double *low, double *high, const dppair_moves_ *m,
                                                unsigned flags, double slack,
                                                const double *params) {
  const double room = (4.0 * DBL_EPSILON + slack) * m->at.reach + 1e-30;
  const DPPAIR_REAL ends[2] = {(DPPAIR_REAL)(m->at.low[0] - room),
                               (DPPAIR_REAL)(m->at.high[0] + room)};
  const DPPAIR_REAL zero = 0;
  dppair_status status;
  if (!(flags & DPPAIR_IS_MONOTONE) || m->at.kinds != 1) return DPPAIR_ERR_NO_PROOF;
  if (!DPT_FINITE(ends, 2)) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_risk_not_private(high, ends, 1, &zero, 1, params);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_risk_not_private(low, ends + 1, 1, &zero, 1, params);
  return status == DPPAIR_ERR_NOT_FINITE ? DPPAIR_ERR_NO_PROOF : status;
}

/* PUSH: *sensitivity of the sum over n, without the last rounding. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_push_move_(double *move, const dppair_moves_ *m, double n,
                                                    unsigned power, double low, double high,
                                                    DPPAIR_NAME_top_error_ e, double factor,
                                                    double rounding) {
  const double most = high + 2.0 * e.kernel, r = (double)power;
  const double weight = r * dppair_top_power_(most, power - 1) * (1.0 + 4.0 * r * DBL_EPSILON);
  const double off = r * (e.rounding / most + 2.0 * DBL_EPSILON) + 2.0 * e.weights;
  if (low < 0.0 || !(most > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!(off <= 0.01)) return DPPAIR_ERR_SIZE;
  *move = weight * (m->replaced * factor + 0.51 * n * n / (n - 1.0) * m->norm * factor * off +
                    2.0 * rounding / (n - 1.0));
  return DPPAIR_OK;
}

/* PRECISION, likewise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_precision_move_(double *move, const dppair_moves_ *m,
                                                         double n, double low, double high,
                                                         DPPAIR_NAME_top_error_ e, double factor,
                                                         double rounding) {
  const double L = low - e.kernel, M = high + e.kernel, share = (n - 1.0) / n;
  const double G = m->norm * factor, D = m->replaced * factor;
  const double off = e.rounding / L + 8.0 * DBL_EPSILON + e.weights;
  double flipped, same;
  if (!(low > 0.0) || !(L > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!(off <= 0.01)) return DPPAIR_ERR_SIZE;
  flipped = share * G * (M + 0.125 * (M - L) + L) / L / L + 0.5 * G / L;
  same = share * ((M - L) * G + L * D) / L / L + G / L;
  *move =
      (flipped > same ? flipped : same) + 6.1 * n * G / L * off * 1.02 + 4.0 * rounding / (n * L);
  return DPPAIR_OK;
}

/* NDCG: how far the mean over queries moves whose vectors are clipped. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_queries_move_(double *move, size_t d,
                                                       const dppair_sampling *s,
                                                       const dppair_options *options) {
  const double clip = dppair_clip_bound_(options) * (1.0 + ((double)d + 24.0) * DBL_EPSILON);
  dppair_grouped_ units, *u;
  double k, all;
  size_t count;
  dppair_status status;
  int whole;
  if (!options->groups || options->groups->relation != DPPAIR_WITHIN) return DPPAIR_ERR_NO_PROOF;
  status = dppair_clip_check_(options);
  if (status != DPPAIR_OK) return status;
  if (!(dppair_isfinite_f64(clip) && clip > 0.0)) return DPPAIR_ERR_NO_PROOF;
  status = dppair_groups_fit_(options->groups, 1);
  if (status != DPPAIR_OK) return status;
  u = DPPAIR_NAME_units_(&units, options->groups, s, 1);
  status = dppair_moves_count_(&count, s, u);
  if (status != DPPAIR_OK) return status;
  whole = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_QUERIES_;
  k = whole ? dppair_sampling_expected_(s) : (double)u->count;
  all = (double)u->all;
  if (all * DBL_EPSILON > 0.001) return DPPAIR_ERR_SIZE;
  *move = whole && dppair_sampling_move_(s) == DPPAIR_ZERO_OUT ? clip : 2.0 * clip;
  *move = (*move + 1.01 * all * all * clip * DBL_EPSILON) / k + 6.0 * DBL_EPSILON * clip * all / k;
  return DPPAIR_OK;
}

/* The losses of all pairs' phi, for n records. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_pairs_move_(double *move, size_t d,
                                                     const dppair_bounds *bounds,
                                                     const dppair_sampling *s,
                                                     const dppair_top *top,
                                                     const dppair_options *options) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double slack = ((double)d + 24.0) * epsilon;
  const dppair_loss_facts facts = DPT_FACTS;
  const dppair_fast *f = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? options->fast : NULL;
  const int replaced = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE;
  double factor, rounding, low = 0.0, high = 0.0, k, divisor, pairs;
  DPPAIR_NAME_top_error_ e = {0.0, 0.0, f && f->order_free ? DPPAIR_SKETCH_UNIT_ : 0.0};
  dppair_moves_ m;
  size_t n;
  dppair_status status = dppair_moves_count_(&n, s, NULL);
  if (status != DPPAIR_OK) return status;
  if (s->owned > 0) return DPPAIR_ERR_NO_PROOF;
  if (s->kind != DPPAIR_ALL && s->kind != DPPAIR_WITHOUT_REPLACEMENT &&
      !(dppair_sampling_is_random_(s->kind) && top->kind == DPPAIR_TOP_PARTIAL))
    return DPPAIR_ERR_NO_PROOF;
  if (options->groups || options->clip || DPPAIR_NAME_top_grid_(options))
    return DPPAIR_ERR_NO_PROOF;
  if (top->kind == DPPAIR_TOP_PRECISION && s->adjacency != DPPAIR_REPLACE_ONE)
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_moves_find_(&m, DPPAIR_MARGIN_ind, &facts, options->params, bounds, 0.0,
                              f ? f->score_cap : HUGE_VAL, slack, 0.0);
  if (status != DPPAIR_OK) return status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (f && dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (f && !DPPAIR_NAME_fast_is_proved_(f, options->params)) return DPPAIR_ERR_WORKSPACE;
#endif
  if (DPPAIR_RANGE_ == 2) status = DPPAIR_NAME_spot_(&m, options->params);
  k = (double)n;
  /* PRECISION: pairs among positives too, in two sums; n^2 on both sides of either */
  pairs = top->kind == DPPAIR_TOP_PRECISION ? 2.0 * k * k : 0.5 * k * k;
  if (status == DPPAIR_OK)
    status = dppair_allowance_of_(&factor, &rounding, f, epsilon, k, pairs, pairs, bounds->radius,
                                  m.slope);
  if (status == DPPAIR_OK && top->kind != DPPAIR_TOP_PARTIAL) {
    status = DPPAIR_NAME_top_range_(&low, &high, &m, facts.flags, slack, options->params);
    if (status == DPPAIR_OK) e = DPPAIR_NAME_top_error_of_(f, k, m.slope, high);
  }
  if (status != DPPAIR_OK) return status;
  divisor = DPPAIR_NAME_top_divisor_(n, top);
  if (top->kind == DPPAIR_TOP_PARTIAL)
    *move = DPPAIR_NAME_top_moved_(&m, n, top, replaced) * factor + rounding +
            k * k * (DBL_EPSILON + 1.01 * e.weights) * m.norm +
            6.0 * DBL_EPSILON * m.norm * divisor;
  else if (top->kind == DPPAIR_TOP_PUSH)
    status = DPPAIR_NAME_top_push_move_(move, &m, k, top->power, low, high, e, factor, rounding);
  else
    status = DPPAIR_NAME_top_precision_move_(move, &m, k, low, high, e, factor, rounding);
  if (status == DPPAIR_OK && top->kind != DPPAIR_TOP_PARTIAL)
    *move += 6.0 * DBL_EPSILON * k * *move;
  *move /= divisor;
  return status;
}

/*
 * *sensitivity = how far the gradient of NAME_top_gradient, divided as NAME_release_top does, moves
 * in l2 norm between neighbours: rounding, kernels and that division included.
 *
 *   d, bounds   as for NAME_sensitivity
 *   sampling    all records, or a draw without replacement, for PARTIAL also Poisson and
 *               allocation: a batch is ranked by itself. NDCG: as NAME_sensitivity takes queries
 *   top, pass   as NAME_top_gradient takes them. NDCG: clip, and queries
 *
 * Proof: above. Errors zero *sensitivity: those of NAME_sensitivity; DOMAIN, UNREAD (top); NO_PROOF
 * also for other samplings, for PUSH and PRECISION of a phi that is not monotone or is negative
 * somewhere, for PRECISION of one that comes to 0 or under zero-out, for NDCG without a clip; SIZE
 * for so many records that rounding of values says nothing.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_sensitivity(
    double *sensitivity, size_t d, const dppair_bounds *bounds, const dppair_sampling *sampling,
    const dppair_top *top, const dppair_options *options) {
  double move = 0.0;
  dppair_status status;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!bounds || !sampling || !top || !options) return DPPAIR_ERR_NULL;
  status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  if (top->kind == DPPAIR_TOP_NDCG)
    status = DPPAIR_NAME_top_queries_move_(&move, d, sampling, options);
  else
    status = DPPAIR_NAME_top_pairs_move_(&move, d, bounds, sampling, top, options);
  if (status != DPPAIR_OK) return status;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
/* ---- src/modules/top/release.h --------------------------------------------------------------
 * Releases of top-weighted gradients
 *
 * Written NAME_x in comments, DPPAIR_NAME_x in the code; see release/template.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Is there room for `most` records in the state? Known before any record is read. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_state_(size_t most, const dppair_top *top,
                                                const dppair_options *options) {
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  const uint64_t times = top->kind == DPPAIR_TOP_PRECISION ? 2 : 1;
  if (options->fast && top->kind != DPPAIR_TOP_NDCG &&
      (options->fast->kind != DPPAIR_KIND_ || options->fast->most / times < most))
    return DPPAIR_ERR_WORKSPACE;
#endif
  (void)most;
  (void)top;
  (void)options;
  return DPPAIR_OK;
}

/* OVERFLOW where slopes, at scores of at most `reach`, could make a sum leave the range. The slopes
 * of the shipped losses are largest at an end. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_top_steep_(double reach, double radius, double n,
                                                const double *params) {
  const DPPAIR_REAL ends[2] = {(DPPAIR_REAL)(2.0 * reach), (DPPAIR_REAL)(-2.0 * reach)};
  const DPPAIR_REAL zero = 0;
  double slope[2], sum, longest = radius < 1.0 ? 1.0 : radius;
  dppair_status status = DPPAIR_NAME_coeffs(slope, &sum, ends, 2, &zero, 1, params);
  if (status == DPPAIR_ERR_NOT_FINITE) return DPPAIR_ERR_OVERFLOW;
  if (status != DPPAIR_OK) return status;
  return n * n * longest * dppair_fabs_(slope[0]) < DPT_SUM_ &&
                 n * n * longest * dppair_fabs_(slope[1]) < DPT_SUM_
             ? DPPAIR_OK
             : DPPAIR_ERR_OVERFLOW;
}

/* The public checks of NAME_release_top, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_top_open_(dppair_release_terms_ *terms,
                                                       const dppair_release *release,
                                                       const DPPAIR_ROWS_ *rows,
                                                       const DPPAIR_REAL *w, const dppair_top *top,
                                                       const dppair_options *options) {
  const int ranks = top && top->kind == DPPAIR_TOP_NDCG;
  double n;
  dppair_bounds bounds;
  size_t needed, most;
  dppair_status status;
  if (!top || !options || (ranks && !rows->y && rows->n)) return DPPAIR_ERR_NULL;
  if (!release) return DPPAIR_ERR_NULL;
  status = dppair_top_check_(top);
  if (status != DPPAIR_OK) return status;
  if (ranks ? !options->groups : options->groups != NULL) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_release_units_(&most, release, rows, options, ranks);
  if (status != DPPAIR_OK) return status;
  if (!w) return DPPAIR_ERR_NULL;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->d == 0) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->weight || (rows->nulls > 0 && top->kind == DPPAIR_TOP_PRECISION))
    return DPPAIR_ERR_NO_PROOF;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_top_workspace(&needed, most, rows->d, top, options);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_top_state_(most, top, options);
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius = dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (!(bounds.radius * bounds.param_radius <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
  n = (double)release->sampling.n > (double)most ? (double)release->sampling.n : (double)most;
  status = DPPAIR_NAME_top_steep_(bounds.radius * bounds.param_radius, bounds.radius, n,
                                  options->params);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_top_sensitivity(&terms->sensitivity, rows->d, &bounds, &release->sampling,
                                         top, options);
  if (status == DPPAIR_OK) status = dppair_release_terms_of_(terms, release, rows->d);
  if (status != DPPAIR_OK) return status;
  terms->divisor =
      ranks ? DPPAIR_NAME_release_queries_(release, options) : DPPAIR_NAME_top_divisor_(most, top);
  /* no sum can leave the range: sums of slopes and powers are within n^4 S */
  return n * n * n * n * terms->sensitivity < DPT_SUM_ * (bounds.radius < 1.0 ? bounds.radius : 1.0)
             ? DPPAIR_OK
             : DPPAIR_ERR_OVERFLOW;
}

/* As NAME_release_work_. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_top_work_(double *g, const DPPAIR_ROWS_ *rows,
                                                                const DPPAIR_REAL *w,
                                                                const dppair_top *top,
                                                                const dppair_options *options) {
  return DPPAIR_NAME_top_gradient(g, rows, w, top, options);
}

/*
 * g[0..d) = the gradient of NAME_top_gradient with the noise of this step, divided by public
 * numbers:
 *   PARTIAL     k m, or n k and (n-1) m where one of them is all, n (n-1) where both are
 *   PUSH, PRECISION   n
 *   NDCG        the queries, or as many as the plan expects to draw
 * n: the records of the step, or all where the plan draws a random number of them. Whether it
 * succeeds, and how much noise it adds, does not depend on how many are positives: with fewer than
 * k negatives the mean is over k all the same.
 *
 *   rows, w    as NAME_release takes them; for NDCG with grades y, which may be private
 *   top, pass  as NAME_top_gradient takes them; work: NAME_top_workspace of all n records where the
 *              plan draws a random number of them, of groups->most where a query is protected
 *
 * The plan uses all records or draws without replacement, for PARTIAL also Poisson samples or
 * allocations (best with k and m given); for NDCG, as NAME_release for queries, with neighbours
 * that differ in a record (its query's size public) or in a query. The noise scale is z S, S that
 * of NAME_top_sensitivity at rows->radius and |w|.
 *
 * Errors zero g. They use no paid release: those of NAME_release and NAME_top_sensitivity; NO_PROOF
 * also for PRECISION of rows with null records, of which nothing is proved. With rows from
 * dppair_rows_clip no other error occurs but SIZE for positives > n - nulls; then the paid release
 * is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_top(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
    const dppair_top *top, const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  status = DPPAIR_NAME_release_top_open_(&terms, release, rows, w, top, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, rows->d, options->work, &terms, w, rows->d * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, rows->d, rows);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_release_top_work_(g, rows, w, top, options);
  status = dppair_release_sum_(g, rows->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
#endif

#endif
#elif !defined(DPPAIR_TOP_H)
#define DPPAIR_TOP_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_top.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NEED_WEIGHTS_ /* instances have them, but where DPPAIR_WEIGHTS is 0 */

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 367421840u
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif

/* ---- src/modules/top/names.h ----------------------------------------------------------------
 * Names of top-weighted ranking: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_NAME_release_top DPPAIR_NAME_OF_(_release_top)
#define DPPAIR_NAME_release_top_open_ DPPAIR_NAME_OF_(_release_top_open_)
#define DPPAIR_NAME_release_top_work_ DPPAIR_NAME_OF_(_release_top_work_)
#define DPPAIR_NAME_top_before_ DPPAIR_NAME_OF_(_top_before_)
#define DPPAIR_NAME_top_boxes_ DPPAIR_NAME_OF_(_top_boxes_)
#define DPPAIR_NAME_top_bytes_ DPPAIR_NAME_OF_(_top_bytes_)
#define DPPAIR_NAME_top_coeffs DPPAIR_NAME_OF_(_top_coeffs)
#define DPPAIR_NAME_top_coeffs_of_ DPPAIR_NAME_OF_(_top_coeffs_of_)
#define DPPAIR_NAME_top_coeffs_workspace DPPAIR_NAME_OF_(_top_coeffs_workspace)
#define DPPAIR_NAME_top_discounts_ DPPAIR_NAME_OF_(_top_discounts_)
#define DPPAIR_NAME_top_divisor_ DPPAIR_NAME_OF_(_top_divisor_)
#define DPPAIR_NAME_top_end_ DPPAIR_NAME_OF_(_top_end_)
#define DPPAIR_NAME_top_ends_ DPPAIR_NAME_OF_(_top_ends_)
#define DPPAIR_NAME_top_error_ DPPAIR_NAME_OF_(_top_error_)
#define DPPAIR_NAME_top_error_of_ DPPAIR_NAME_OF_(_top_error_of_)
#define DPPAIR_NAME_top_gradient DPPAIR_NAME_OF_(_top_gradient)
#define DPPAIR_NAME_top_integral_ DPPAIR_NAME_OF_(_top_integral_)
#define DPPAIR_NAME_top_grid_ DPPAIR_NAME_OF_(_top_grid_)
#define DPPAIR_NAME_top_layout_ DPPAIR_NAME_OF_(_top_layout_)
#define DPPAIR_NAME_top_loops_ DPPAIR_NAME_OF_(_top_loops_)
#define DPPAIR_NAME_top_moved_ DPPAIR_NAME_OF_(_top_moved_)
#define DPPAIR_NAME_top_open_ DPPAIR_NAME_OF_(_top_open_)
#define DPPAIR_NAME_top_order_ DPPAIR_NAME_OF_(_top_order_)
#define DPPAIR_NAME_top_pairs_move_ DPPAIR_NAME_OF_(_top_pairs_move_)
#define DPPAIR_NAME_top_partial_ DPPAIR_NAME_OF_(_top_partial_)
#define DPPAIR_NAME_top_pass_ DPPAIR_NAME_OF_(_top_pass_)
#define DPPAIR_NAME_top_piece_ DPPAIR_NAME_OF_(_top_piece_)
#define DPPAIR_NAME_top_places_ DPPAIR_NAME_OF_(_top_places_)
#define DPPAIR_NAME_top_precision_ DPPAIR_NAME_OF_(_top_precision_)
#define DPPAIR_NAME_top_precision_move_ DPPAIR_NAME_OF_(_top_precision_move_)
#define DPPAIR_NAME_top_push_ DPPAIR_NAME_OF_(_top_push_)
#define DPPAIR_NAME_top_push_move_ DPPAIR_NAME_OF_(_top_push_move_)
#define DPPAIR_NAME_top_queries_ DPPAIR_NAME_OF_(_top_queries_)
#define DPPAIR_NAME_top_queries_move_ DPPAIR_NAME_OF_(_top_queries_move_)
#define DPPAIR_NAME_top_query_ DPPAIR_NAME_OF_(_top_query_)
#define DPPAIR_NAME_top_range_ DPPAIR_NAME_OF_(_top_range_)
#define DPPAIR_NAME_top_ranks DPPAIR_NAME_OF_(_top_ranks)
#define DPPAIR_NAME_top_read_ DPPAIR_NAME_OF_(_top_read_)
#define DPPAIR_NAME_top_room_ DPPAIR_NAME_OF_(_top_room_)
#define DPPAIR_NAME_top_select_ DPPAIR_NAME_OF_(_top_select_)
#define DPPAIR_NAME_top_sensitivity DPPAIR_NAME_OF_(_top_sensitivity)
#define DPPAIR_NAME_top_sorted_ DPPAIR_NAME_OF_(_top_sorted_)
#define DPPAIR_NAME_top_spread_ DPPAIR_NAME_OF_(_top_spread_)
#define DPPAIR_NAME_top_state_ DPPAIR_NAME_OF_(_top_state_)
#define DPPAIR_NAME_top_steep_ DPPAIR_NAME_OF_(_top_steep_)
#define DPPAIR_NAME_top_values_ DPPAIR_NAME_OF_(_top_values_)
#define DPPAIR_NAME_top_workspace DPPAIR_NAME_OF_(_top_workspace)
/* ---- src/modules/top/cut.h ------------------------------------------------------------------
 * What a top-weighted loss counts, and selections of scores
 *
 * Once per translation unit: coeffs.h has the losses.
 * ---------------------------------------------------------------------------------------------- */

/* What of the top of a ranking counts (modules/top/coeffs.h). */
typedef enum dppair_top_kind {
  DPPAIR_TOP_PARTIAL = 1,   /* partial AUC */
  DPPAIR_TOP_PUSH = 2,      /* p-norm push */
  DPPAIR_TOP_PRECISION = 3, /* average precision */
  DPPAIR_TOP_NDCG = 4       /* normalised discounted cumulative gain */
} dppair_top_kind;

/* What counts. All of it is public; fields that a kind does not read are 0. */
typedef struct dppair_top {
  dppair_top_kind kind;
  size_t negatives, positives; /* PARTIAL: how many of either side; 0: all */
  unsigned power;              /* PUSH: 1 to 64 */
  size_t depth;                /* NDCG: the places that count; 0: all */
  double cap;                  /* NDCG: the largest weight of a pair; 0: 1, which is none */
} dppair_top;

/* Which scores of a side count: those above `at` fully, those at it with `share`. */
typedef struct dppair_top_cut_ {
  double at, share;
} dppair_top_cut_;

DPPAIR_FP_BEGIN_

/* Is *top one of those, and no field given that is not read? DOMAIN, UNREAD. */
DPPAIR_FN_ dppair_status dppair_top_check_(const dppair_top *top) {
  const int partial = top->kind == DPPAIR_TOP_PARTIAL, push = top->kind == DPPAIR_TOP_PUSH;
  const int ranks = top->kind == DPPAIR_TOP_NDCG;
  if (!partial && !push && !ranks && top->kind != DPPAIR_TOP_PRECISION) return DPPAIR_ERR_DOMAIN;
  if (push && (top->power < 1 || top->power > 64)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(top->cap) || !(top->cap >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!partial && (top->negatives || top->positives)) return DPPAIR_ERR_UNREAD;
  if ((!push && top->power) || (!ranks && (top->depth || top->cap > 0.0))) return DPPAIR_ERR_UNREAD;
  return DPPAIR_OK;
}

/* The k-th largest of x[0..n), 1 <= k <= n; x is reordered. Quickselect, and sorting where pivots
 * fail too often. */
DPPAIR_FN_ double dppair_top_threshold_(double *x, size_t n, size_t k) {
  size_t place = n - k, i;
  int depth = 8;
  for (i = n; i > 1; i /= 2) depth += 2;
  while (n > 24 && depth-- > 0) {
    const size_t m = dppair_partition_(x, n);
    if (place < m) {
      n = m;
    } else {
      x += m;
      place -= m;
      n -= m;
    }
  }
  dppair_sort_f64(x, n);
  return x[place];
}

/* The cut that leaves k of the n scores key[0..n) (0: all); sorted is room for n numbers. */
DPPAIR_FN_ dppair_top_cut_ dppair_top_cut_find_(const double *key, double *sorted, size_t n,
                                                size_t k) {
  dppair_top_cut_ cut = {-HUGE_VAL, 1.0};
  size_t above = 0, tied = 0, i;
  if (k == 0 || k >= n) return cut;
  memcpy(sorted, key, n * sizeof *key);
  cut.at = dppair_top_threshold_(sorted, n, k);
  for (i = 0; i < n; i++) {
    above += key[i] > cut.at;
    tied += !(key[i] > cut.at) && !(key[i] < cut.at);
  }
  cut.share = (double)(k - above) / (double)tied;
  return cut;
}

/* The weight that a cut gives to a score. */
DPPAIR_FN_ double dppair_top_weight_(const dppair_top_cut_ *cut, double key) {
  return key > cut->at ? 1.0 : key < cut->at ? 0.0 : cut->share;
}

/* A score as it counts where scores are held within +-cap. */
DPPAIR_FN_ double dppair_top_held_(double v, double cap) {
  return v > cap ? cap : v < -cap ? -cap : v;
}

/* x^k by products: within 2 k units of the last place. */
DPPAIR_FN_ double dppair_top_power_(double x, unsigned k) {
  double y = 1.0;
  while (k--) y *= x;
  return y;
}

/* Divides weights w[0..n) >= 0 by a power of two so that none is above 1, and returns it. */
DPPAIR_FN_ double dppair_top_scale_(double *w, size_t n) {
  double most = 0.0, scale;
  size_t i;
  int e;
  for (i = 0; i < n; i++) most = w[i] > most ? w[i] : most;
  if (!(most > DBL_MIN) || !dppair_isfinite_f64(most)) return 1.0;
  (void)dppair_frexp_(most, &e);
  scale = dppair_ldexp_(1.0, e);
  for (i = 0; i < n; i++) w[i] /= scale;
  return scale;
}

DPPAIR_FP_END_

/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_TOP_H */
#endif /* DPPAIR_DECLARE_ONLY */
