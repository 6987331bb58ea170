/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_influence.h - what each record does to a ranking; Hessians (version 0.1.0)
 *
 *   How does the minimiser of a pairwise loss change when one record is left out? For all records
 *   at once, in nearly linear time, with a bound of the error (Kang et al. 2021, eq. 4, mended).
 *   How stable is it then? And the sums over pairs that multiply the Hessian with a vector.
 *
 *   NOT PRIVATE. All of it reads records, and no release of it exists: figures have not_private in
 *   their names, sums and products are as secret as the records.
 *
 *     #include "dppair_influence.h"                 before the instance; includes dppair_losses.h
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     dppair_influence of = {DPPAIR_INFLUENCE_IND, 0.01, NULL, 1, 0, NULL, NULL};
 *     s = rank_influence_workspace(&bytes, n, d, &of);
 *     s = rank_minimiser_not_private(w, &gradient, &rows, &of, 1e-11, 100, work, bytes);
 *     s = rank_influence_not_private(change, &error, &rows, w, &of, work, bytes);
 *     change[i * d + k]                             what w[k] would be more without record i
 *
 * OF AN INSTANCE that is made after this header, for DPPAIR_NAME = rank
 *   influence   of double: rank_influence_not_private: of all records
 *               rank_influence_record_not_private: of one, without a Hessian
 *               rank_influence_along_not_private: of all, along a direction
 *               rank_influence_pair_not_private: the direction of a pair's loss
 *               rank_minimiser_not_private: the w that they start from
 *               rank_influence_workspace: of all these, and of stability
 *   stability   of double: rank_stability_not_private: locally elastic, and uniform
 *   curvature   rank_curvature: the sums of phi'' that multiply the Hessian with a vector, by the
 *               loops, or near-linear with rank_curvature_workspace, rank_curvature_init
 *               rank_hessian, rank_hessian_workspace: that product from rows
 * FUNCTIONS
 *   bounds      dppair_influence_bound: from the first order to retraining
 *               dppair_influence_floor: the least eigenvalue that it asks for
 *               dppair_stability_uniform
 *   types       dppair_influence  dppair_influence_risk  dppair_stability  dppair_curvature
 *
 * A loss of your own has a curvature if you say so: head of modules/influence/curvature_state.h. A
 * loss without one (hinge, absolute, pinball, ramp) gets NO_PROOF.
 *
 * Errors. Outputs are zeroed. Instances of a row-wise loss have none of these functions.
 *
 * Formulas and proofs: heads of modules/influence/influence.h and curvature.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     93  simd/type.h                           The type of a body
 *    120  modules/influence/box_differences.h   The box method with weights: sums of differences
 *    250  simd/type_end.h                       End of a body: its type is undefined
 *    266  modules/influence/curvature_kernels.h The loops over all pairs with weights
 *    345  modules/influence/curvature_table.h   Curvatures in double
 *    365  modules/influence/curvature.h         The second derivative's pair sums
 *           NAME_curvature_workspace NAME_curvature_init NAME_curvature NAME_hessian_workspace
 *           NAME_hessian
 *    629  modules/influence/leave.h             Leaving records out
 *           NAME_influence_workspace
 *    924  modules/influence/leave_one_out.h     Leave-one-out changes of a minimiser
 *           NAME_minimiser_not_private NAME_influence_not_private NAME_influence_record_not_private
 *           NAME_influence_along_not_private NAME_influence_pair_not_private
 *   1258  modules/influence/stability.h         Locally elastic and uniform stability
 *           NAME_stability_not_private
 *   1382  core/freestanding.h                   Without a C library
 *   1431  modules/influence/names.h             Names of influence and curvature: as simd/names.h
 *   1490  simd/each_tier.h                      Each tier: the body once for every tier
 *   1519  core/quick.h                          What is compiled soon rather than fast: it begins
 *   1546  simd/each_type.h                      Each type of rows
 *   1570  core/quick_end.h                      What is compiled soon rather than fast: it ends
 *   1695  modules/influence/curvature_state.h   Pair sums of differences
 *   1907  modules/influence/influence.h         Influence
 *           dppair_influence_bound dppair_influence_floor dppair_stability_uniform
 *   2180  core/freestanding_end.h               Without a C library
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_INFLUENCE_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else

#ifndef DPPAIR_INFLUENCE_SELF
#define DPPAIR_INFLUENCE_SELF "dppair_influence.h"
#endif

#ifdef DPPAIR_MODULE_INFLUENCE_
#if DPPAIR_STAGE_ == DPPAIR_STAGE_KERNELS_

/* ---- src/simd/type.h ------------------------------------------------------------------------
 * The type of a body
 *
 * The vectors and a type of rows are compiled for double and for float, the body of an instance for
 * its own type, and the table of an instance for double. The body sees DPPAIR_F64_,
 * DPPAIR_TYPE_NAME_, DPV_R (the type), DPV_LANES and DPPAIR_SUFFIX_ (of the names in simd/names.h).
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_SECOND_TYPE_
#define DPPAIR_F64_ 0
#elif DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_ || DPPAIR_TEMPLATE_F64_
#define DPPAIR_F64_ 1
#else
#define DPPAIR_F64_ 0
#endif

#if DPPAIR_F64_
#define DPPAIR_TYPE_NAME_ f64
#define DPV_R double
#define DPV_LANES 8
#else
#define DPPAIR_TYPE_NAME_ f32
#define DPV_R float
#define DPV_LANES 16
#endif
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
DPPAIR_REGION_BEGIN_
/* ---- src/modules/influence/box_differences.h ------------------------------------------------
 * The box method with weights: sums of differences
 *
 * The pair sums of curvature.h by the boxes of pairs/box_kernels.h, for one tier: for the function
 * f of the table, a[i] = sum over j of f(sp[i] - sn[j]) (tp[i] - tn[j]) and b[j] = -sum over i of
 * the same. They are t times the sum of f, minus the sum of f weighted by t. Both use the same
 * kernel, so what is summed is K(s, s') (t - t') with the K of dppair_fast. The middle of all t is
 * taken off first: rounding then is in proportion to differences of t, not to their size.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPB_CHUNK 512 /* records whose weighted sums are held at a time */

/* The moments of boxes are summed in copies, so that neighbours in a box do not wait for each
 * other; the copies are added to their sum after this many records. */
#define DPB_FLUSH 4096

/* sum[box * stride + k] = sum over the records of the box of t^k; where `weight` is given, each
 * times weight[i] - middle, numbers of the type of the scores. Record l of eight adds to copy l mod
 * 4 of the moments; the copies are then added pairwise. */
DPPAIR_FORCE_INLINE_ void dpv_moments_of(double *sum, double *copies, dppair_boxes_ g,
                                         const void *s, size_t n, int is_f32, int two,
                                         const void *weight, double middle) {
  static const double lanes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const double low1[8] = {0, 1, 0, 1, 0, 1, 0, 1}, low2[8] = {0, 1, 2, 3, 0, 1, 2, 3};
  const DPV_T one = DPV_SET(1.0), half = DPV_SET(0.5);
  const DPV_M bit0 = DPV_LT(half, DPV_LOAD(low1)), bit1 = DPV_LT(one, DPV_LOAD(low2));
  const DPV_M bit2 = DPV_LT(DPV_SET(3.5), DPV_LOAD(lanes));
  const size_t stride = two ? 16 : 8, size = g.count * stride;
  memset(sum, 0, size * sizeof *sum);
  for (size_t i0 = 0; i0 < n; i0 += DPB_FLUSH) {
    const size_t i1 = n - i0 > DPB_FLUSH ? i0 + DPB_FLUSH : n;
    memset(copies, 0, DPPAIR_SKETCH_COPIES_ * size * sizeof *copies);
    for (size_t i = i0; i < i1; i += 8) {
      const size_t rest = i1 - i < 8 ? i1 - i : 8;
      double t1[8], t2[8], t4[8], t8[8], times[8];
      size_t at[8];
      const DPV_T t = dpv_locate(at, dpv_scores8(s, i, n, is_f32), g, stride);
      const DPV_T square = DPV_MUL(t, t), fourth = DPV_MUL(square, square);
      DPV_STORE(t1, t);
      DPV_STORE(t2, square);
      DPV_STORE(t4, fourth);
      DPV_STORE(t8, DPV_MUL(fourth, fourth));
      if (weight) DPV_STORE(times, DPV_SUB(dpv_scores8(weight, i, n, is_f32), DPV_SET(middle)));
      DPV_UNROLL_
      for (size_t l = 0; l < rest; l++) {
        double *to = copies + (l % DPPAIR_SKETCH_COPIES_) * size + at[l];
        const DPV_T power = DPB_POWERS(t1[l], t2[l], t4[l]);
        const DPV_T v = weight ? DPV_MUL(power, DPV_SET(times[l])) : power;
        DPV_STORE(to, DPV_ADD(DPV_LOAD(to), v));
        if (two) DPV_STORE(to + 8, DPV_FMA(v, DPV_SET(t8[l]), DPV_LOAD(to + 8)));
      }
    }
    for (size_t k = 0; k < size; k += 8) {
      const DPV_T even = DPV_ADD(DPV_LOAD(copies + k), DPV_LOAD(copies + 2 * size + k));
      const DPV_T rest = DPV_ADD(DPV_LOAD(copies + size + k), DPV_LOAD(copies + 3 * size + k));
      DPV_STORE(sum + k, DPV_ADD(DPV_LOAD(sum + k), DPV_ADD(even, rest)));
    }
  }
}

/* out[i] becomes (t[i] - middle) out[i] minus the polynomial of record i's box, and changes its
 * sign for negatives, whose sums dpv_translate negates. */
DPPAIR_FORCE_INLINE_ void dpv_differences(double *out, const double *coefficients, const void *s,
                                          const void *t, size_t n, int is_f32, dppair_boxes_ g,
                                          int two, double middle, int negatives) {
  const size_t bytes = is_f32 ? sizeof(float) : sizeof(double);
  double sums[DPB_CHUNK];
  for (size_t i0 = 0; i0 < n; i0 += DPB_CHUNK) {
    const size_t count = n - i0 < DPB_CHUNK ? n - i0 : DPB_CHUNK;
    dpv_evaluate(sums, coefficients, (const char *)s + i0 * bytes, count, is_f32, g, two);
    for (size_t i = 0; i < count; i += 8) {
      const size_t rest = count - i < 8 ? count - i : 8;
      const DPV_T by = DPV_SUB(dpv_scores8(t, i0 + i, n, is_f32), DPV_SET(middle));
      const DPV_T v =
          DPV_FMA(by, DPV_LOADN(out + i0 + i, rest, 0.0), DPV_NEG(DPV_LOADN(sums + i, rest, 0.0)));
      DPV_STOREN(out + i0 + i, negatives ? DPV_NEG(v) : v, rest);
    }
  }
}

/* The whole method for both sides. */
DPPAIR_FORCE_INLINE_ dppair_status dpv_box_differences(double *const out[2], const void *const s[2],
                                                       const void *const t[2], const size_t n[2],
                                                       const dppair_fast *f, int is_f32, int two) {
  double low = HUGE_VAL, high = -HUGE_VAL, from = HUGE_VAL, upto = -HUGE_VAL, middle;
  double *count[2], *moment[2], *to;
  dppair_boxes_ g;
  size_t size;
  for (int side = 0; side < 2; side++) {
    dpv_range(&low, &high, s[side], n[side], is_f32);
    dpv_range(&from, &upto, t[side], n[side], is_f32);
  }
  middle = 0.5 * from + 0.5 * upto;
  g = dpv_boxes(low, high, f);
  if (g.count > f->capacity) return DPPAIR_ERR_WORKSPACE; /* only for a state that was changed */
  size = g.count * (two ? 16u : 8u);
  count[0] = f->work;
  count[1] = count[0] + size;
  moment[0] = count[1] + size;
  moment[1] = moment[0] + size;
  to = moment[1] + size;
  for (int side = 0; side < 2; side++) {
    dpv_moments_of(count[side], to, g, s[side], n[side], is_f32, two, NULL, 0.0);
    dpv_moments_of(moment[side], to, g, s[side], n[side], is_f32, two, t[side], middle);
  }
  for (int side = 0; side < 2; side++) {
    dpv_translate(to, count[!side], count[!side], count[side], g.count, f, two, side);
    dpv_evaluate(out[side], to, s[side], n[side], is_f32, g, two);
    dpv_translate(to, moment[!side], count[!side], count[side], g.count, f, two, side);
    dpv_differences(out[side], to, s[side], t[side], n[side], is_f32, g, two, middle, side);
  }
  return DPPAIR_OK;
}

/* a[np], b[nn] from finite s and t, which are float or double, after the checks of curvature.h. */
DPPAIR_FN_ void dppair_box_differences_TIER(dppair_status *status, double *a, double *b,
                                            const void *sp, const void *tp, size_t np,
                                            const void *sn, const void *tn, size_t nn,
                                            const dppair_fast *f, int is_f32) {
  double *const out[2] = {a, b};
  const void *const s[2] = {sp, sn}, *const t[2] = {tp, tn};
  const size_t n[2] = {np, nn};
  *status = f->terms > 8 ? dpv_box_differences(out, s, t, n, f, is_f32, 1)
                         : dpv_box_differences(out, s, t, n, f, is_f32, 0);
}
#undef DPB_CHUNK
#undef DPB_FLUSH
#endif
DPPAIR_REGION_END_
/* ---- src/simd/type_end.h --------------------------------------------------------------------
 * End of a body: its type is undefined
 * ---------------------------------------------------------------------------------------------- */
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#undef DPT_WIDE

#elif DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ /* of an instance */

#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#define DPPAIR_CURVE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _CURVE), 0)

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
/* ---- src/modules/influence/curvature_kernels.h ----------------------------------------------
 * The loops over all pairs with weights: sums of differences
 *
 * For one instance and tier: sums of phi''(u) (t - t'), of phi'(u) (t - t') and of |phi'(u) (t -
 * t')| over the partners of each record. Each term is computed in the element type, the difference
 * of the two t first; at most 64 are added in it before they go to double.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_CURVE_
#define DPT_TURN 64 /* vectors, or rows, that are added in DPV_R before they go to double */

/* a[i] = the sum over j, b[j] = minus the sum over i. order: 2 curvatures, 1 slopes, 0 the sizes of
 * the terms of slopes; a constant. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_differences_TIER_(double *a, double *b, const DPV_R *sp,
                                                        const DPV_R *tp, size_t np, const DPV_R *sn,
                                                        const DPV_R *tn, size_t nn, int order,
                                                        const double *params) {
  DPV_R lanes[DPV_LANES], part[DPV_LANES];
  (void)params;
  for (size_t i = 0; i < np; i++) a[i] = 0.0;
  for (size_t j = 0; j < nn; j++) b[j] = 0.0;
  for (int l = 0; l < DPV_LANES; l++) lanes[l] = (DPV_R)l;
  for (size_t j0 = 0; j0 < nn; j0 += DPT_TURN * DPV_LANES) {
    const size_t count = nn - j0 > DPT_TURN * DPV_LANES ? DPT_TURN * DPV_LANES : nn - j0;
    const size_t vectors = (count + DPV_LANES - 1) / DPV_LANES;
    const size_t last = count - (vectors - 1) * DPV_LANES;
    const DPV_M keep = DPV_LT(DPV_LOAD(lanes), DPV_SET((DPV_R)last));
    DPV_T right[DPT_TURN], by[DPT_TURN], columns[DPT_TURN];
    for (size_t v = 0; v < vectors; v++) {
      const size_t at = j0 + v * DPV_LANES, rest = v + 1 < vectors ? DPV_LANES : last;
      right[v] = DPV_LOADN(sn + at, rest, sn[at]);
      by[v] = DPV_LOADN(tn + at, rest, tn[at]);
    }
    for (size_t i0 = 0; i0 < np; i0 += DPT_TURN) {
      const size_t rows = np - i0 > DPT_TURN ? DPT_TURN : np - i0;
      for (size_t v = 0; v < vectors; v++) columns[v] = DPV_SET((DPV_R)0);
      for (size_t i = i0; i < i0 + rows; i++) {
        const DPV_T s = DPV_SET(sp[i]), t = DPV_SET(tp[i]);
        DPV_T row = DPV_SET((DPV_R)0);
        for (size_t v = 0; v < vectors; v++) {
          const DPV_T u = DPV_SUB(s, right[v]), difference = DPV_SUB(t, by[v]);
          DPV_T c = order == 2 ? DPV_MUL(DPPAIR_LOSS_CURVATURE(u), difference)
                               : DPV_MUL(DPPAIR_LOSS_SLOPE(u), difference);
          if (order == 0) c = DPV_ABS(c);
          if (v + 1 == vectors) c = DPV_SEL(keep, c, DPV_SET((DPV_R)0));
          row = DPV_ADD(row, c);
          columns[v] = DPV_SUB(columns[v], c);
        }
        a[i] += (double)DPV_SUM(row);
      }
      for (size_t v = 0; v < vectors; v++) {
        const size_t at = j0 + v * DPV_LANES, rest = v + 1 < vectors ? DPV_LANES : last;
        DPV_STORE(part, columns[v]);
        for (size_t l = 0; l < rest; l++) b[at + l] += (double)part[l];
      }
    }
  }
}

/* NAME_curvature after its checks, by the loops; order 1 or 2. */
DPPAIR_FN_ void DPPAIR_NAME_curvature_TIER(double *a, double *b, const DPV_R *sp, const DPV_R *tp,
                                           size_t np, const DPV_R *sn, const DPV_R *tn, size_t nn,
                                           int order, const double *params) {
  if (order == 2)
    DPPAIR_NAME_differences_TIER_(a, b, sp, tp, np, sn, tn, nn, 2, params);
  else
    DPPAIR_NAME_differences_TIER_(a, b, sp, tp, np, sn, tn, nn, 1, params);
}

/* a[i] = the sum over j of |phi'(sp[i] - sn[j]) (tp[i] - tn[j])|, b[j] = minus that over i. */
DPPAIR_FN_ void DPPAIR_NAME_sizes_TIER(double *a, double *b, const DPV_R *sp, const DPV_R *tp,
                                       size_t np, const DPV_R *sn, const DPV_R *tn, size_t nn,
                                       const double *params) {
  DPPAIR_NAME_differences_TIER_(a, b, sp, tp, np, sn, tn, nn, 0, params);
}
#undef DPT_TURN
#endif

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_TABLE_
/* ---- src/modules/influence/curvature_table.h ------------------------------------------------
 * Curvatures in double, for the table of the box method: as pairs/slope_table.h
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_CURVE_
DPPAIR_FP_BEGIN_

/* out[i] = the curvature of the loss at u[i], i < n, in double whatever the element type of the
 * instance. */
DPPAIR_FN_ void DPPAIR_NAME_curvatures_(double *out, const double *u, size_t n,
                                        const double *params) {
  size_t i;
  (void)params;
  for (i = 0; i < n; i++) out[i] = DPPAIR_LOSS_CURVATURE(u[i]);
}

DPPAIR_FP_END_
#endif

#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* ---- src/modules/influence/curvature.h ------------------------------------------------------
 * The second derivative's pair sums
 *
 * Sums over pairs of phi''(s - s') (t - t'), where s are scores and t the scores of a direction:
 * the product of the Hessian with it. By loops over all pairs, or in nearly linear time with a
 * prepared state: by sorting where slopes are piecewise linear, by boxes where they are analytic.
 * The same sums of phi' are the derivatives that leave a record out: leave_one_out.h.
 *
 * NOT PRIVATE: they are raw material, as secret as the records, until a release adds its noise.
 *
 * A loss without a second derivative (no L_CURVE: hinge, absolute, pinball, ramp) is NO_PROOF.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#if DPPAIR_CURVE_

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
/* The plan of the boxes for the derivative of this order. The derivative of a slope
 * strength f(pi u/distance) has poles at the same places, of one order more. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_curvature_plan_(dppair_fast *f, int order,
                                                     dppair_accuracy accuracy, double cap,
                                                     const double *params) {
  dppair_poles poles = DPPAIR_LOSS_POLES(params);
  (void)params;
  if (order == 2) {
    poles.strength *= DPPAIR_BOX_PI_ / poles.distance;
    poles.order++;
  }
  return dppair_box_plan_(f, poles, accuracy, cap);
}
#endif

/* *bytes = the workspace of NAME_curvature_init for at most n records. order: 1 slopes, 2
 * curvatures. Errors zero it: NULL, DOMAIN (order, cap; of an analytic loss the accuracy and its
 * parameters too, while the sums of a sorted one are of its formula whatever they are), OVERFLOW,
 * NO_PROOF (a loss that has only the loops; they need no state). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_workspace(size_t *bytes, size_t n,
                                                                           int order,
                                                                           dppair_accuracy accuracy,
                                                                           double cap,
                                                                           const double *params) {
  (void)params;
  (void)accuracy;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (order != 1 && order != 2) return DPPAIR_ERR_DOMAIN;
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  if (n > SIZE_MAX / 256) return DPPAIR_ERR_OVERFLOW;
  if (!dppair_isfinite_f64(cap) || cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  *bytes = dppair_sorted_bytes_(n);
  return DPPAIR_OK;
#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  {
    dppair_fast f;
    const dppair_status status = DPPAIR_NAME_curvature_plan_(&f, order, accuracy, cap, params);
    (void)n;
    if (status == DPPAIR_OK) *bytes = dppair_differences_doubles_(&f) * sizeof(double);
    return status;
  }
#else
  (void)n;
  (void)cap;
  return DPPAIR_ERR_NO_PROOF;
#endif
}

/* Prepares *c for sums of slopes (order 1) or curvatures (2), as NAME_fast_init does for
 * NAME_coeffs_fast: scores beyond +-cap count as the cap, the workspace must live as long as *c is
 * used, and a box's table depends neither on the data nor on the machine. On an error *c is
 * unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE, those of
 * NAME_curvature_workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature_init(dppair_curvature *c, size_t n, int order, dppair_accuracy accuracy,
                           double cap, const double *params, void *work, size_t bytes) {
  size_t needed;
  dppair_status status;
  if (!c) return DPPAIR_ERR_NULL;
  memset(c, 0, sizeof *c);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_curvature_workspace(&needed, n, order, accuracy, cap, params);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  c->fast.kind = DPPAIR_KIND_PIECEWISE_;
  c->fast.capacity = n;
  c->fast.score_cap = cap;
  c->fast.work = (double *)(void *)dppair_align_(work);
  c->run = dppair_sorted_run_;
#elif DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  {
    const dppair_poles poles = DPPAIR_LOSS_POLES(params);
    dppair_fast *f = &c->fast;
    dppair_derivative_ *phi;
    status = dppair_fma_check_();
    if (status != DPPAIR_OK) return status;
    status = DPPAIR_NAME_curvature_plan_(f, order, accuracy, cap, params);
    if (status != DPPAIR_OK) return status;
    f->table = (double *)(void *)dppair_align_(work);
    f->work = f->table + (2 * (size_t)f->reach + 1) * (size_t)(f->terms * f->stride);
    phi = order == 2 ? DPPAIR_NAME_curvatures_ : DPPAIR_NAME_slopes_;
    DPPAIR_NAME_fast_limits_(f, phi, poles.distance, params);
    DPPAIR_NAME_fast_table_(f, phi, params);
    c->run = dppair_differences_run_;
  }
#endif
  c->order = order;
  return DPPAIR_OK;
}

/*
 * The pair sums of the second derivative in the direction of t, O(np nn), or nearly linear with c:
 *
 *   a[i] = sum over j of phi''(sp[i] - sn[j]) (tp[i] - tn[j]), i < np
 *   b[j] = -sum over i of the same, j < nn
 *
 * For rows X+ and X-, s = X w and t = X v the Hessian in w of the sum of phi over all pairs, times
 * v, is X+^T a + X-^T b (dppair_combine_*): NAME_hessian. For residuals pass the same records on
 * both sides and add a and b. order 2; with order 1 the sums are those of phi' in place of phi''.
 *
 *   c   a state of this order, from NAME_curvature_init, or NULL: the loops
 *
 * Error. Loops: each term is computed from its own two records, so no records cancel; 80 u of the
 * sum of its terms' sizes, u = 2^-24 (float) or 2^-53, where a derivative that crosses 0 (the
 * second of the sigmoid and of Welsch's loss) counts as its supremum. Boxes: kernel_error times
 * |tp[i] - tn[j]| per pair, and rounding of a few hundred 2^-53 times fast.weight times the spread
 * of all t per pair. Sorting: 4 (n + 8) 2^-53 of the sizes of constant + factor u and t, both
 * counted from their middles. Which side of a knot a margin is on is decided after it was rounded
 * to the element type (loops) or to double.
 *
 * Errors zero a and b: NULL, NO_PROOF (the loss has no second derivative), DOMAIN (order),
 * WORKSPACE (a state of another order or kind, or of fewer than np + nn records), ENVIRONMENT,
 * NOT_FINITE (a score, t or a result); OVERFLOW as in NAME_coeffs.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature(double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *tp, size_t np,
                      const DPPAIR_REAL *sn, const DPPAIR_REAL *tn, size_t nn, int order,
                      const double *params, const dppair_curvature *c) {
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
#else
  const dppair_piece *pieces = NULL;
  const int count = 0;
#endif
  dppair_status status = dppair_zero_(a, np, b, nn);
  (void)params;
  if (status != DPPAIR_OK) return status;
  if (((!sp || !tp) && np) || ((!sn || !tn) && nn)) return DPPAIR_ERR_NULL;
  if (order != 1 && order != 2) return DPPAIR_ERR_DOMAIN;
  if (c && (!c->run || c->order != order || c->fast.kind != DPPAIR_KIND_))
    return DPPAIR_ERR_WORKSPACE;
  if (c && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ &&
      (np > c->fast.capacity || nn > c->fast.capacity - np))
    return DPPAIR_ERR_WORKSPACE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (!DPT_FINITE(tp, np) || !DPT_FINITE(tn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  if (c) {
    status = c->run(a, b, sp, tp, np, sn, tn, nn, c, pieces, count, !DPPAIR_TEMPLATE_F64_);
  } else {
    (void)pieces;
    (void)count;
    DPPAIR_DISPATCH_(DPPAIR_NAME_curvature, (a, b, sp, tp, np, sn, tn, nn, order, params));
  }
  return dppair_settle_(status, a, np, b, nn);
}

#else /* no second derivative: the same functions, and one answer */

DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_workspace(size_t *bytes, size_t n,
                                                                           int order,
                                                                           dppair_accuracy accuracy,
                                                                           double cap,
                                                                           const double *params) {
  (void)n;
  (void)order;
  (void)accuracy;
  (void)cap;
  (void)params;
  if (bytes) *bytes = 0;
  return bytes ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_NULL;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature_init(dppair_curvature *c, size_t n, int order, dppair_accuracy accuracy,
                           double cap, const double *params, void *work, size_t bytes) {
  (void)n;
  (void)order;
  (void)accuracy;
  (void)cap;
  (void)params;
  (void)work;
  (void)bytes;
  if (c) memset(c, 0, sizeof *c);
  return c ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_NULL;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_curvature(double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *tp, size_t np,
                      const DPPAIR_REAL *sn, const DPPAIR_REAL *tn, size_t nn, int order,
                      const double *params, const dppair_curvature *c) {
  const dppair_status status = dppair_zero_(a, np, b, nn);
  (void)sp;
  (void)tp;
  (void)sn;
  (void)tn;
  (void)order;
  (void)params;
  (void)c;
  return status != DPPAIR_OK ? status : DPPAIR_ERR_NO_PROOF;
}

#endif

/* *bytes = the workspace of NAME_hessian for n records. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_hessian_workspace(size_t *bytes, size_t n) {
  return dppair_work_bytes_(bytes, dppair_area_(n, 3));
}

/*
 * h[0..d) = H v, where H is the Hessian in w of the sum of phi(<x - x', w>) over all positives x
 * and negatives x': the sum of phi'' <x - x', v> (x - x'). It is neither divided nor private.
 *
 *   rows, w   as in NAME_gradient
 *   v         d numbers of the element type
 *   c         a state of order 2, or NULL: the loops
 *   work      `bytes` bytes, at least what NAME_hessian_workspace says
 *
 * Errors zero h: those of dppair_scores, NAME_curvature and dppair_combine, SIZE (more positives
 * than records), WORKSPACE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_hessian(double *h, const DPPAIR_ROWS_ *all, const DPPAIR_REAL *w, const DPPAIR_REAL *v,
                    const double *params, const dppair_curvature *c, void *work, size_t bytes) {
  double *coefficients;
  DPPAIR_ROWS_ some, *rows = &some;
  DPPAIR_REAL *s, *t;
  size_t n, np;
  dppair_status status;
  if (!all) return DPPAIR_ERR_NULL;
  some = DPT_PRESENT(all);
  status = dppair_array_(h, rows->d);
  if (status != DPPAIR_OK) return status;
  n = rows->n;
  np = rows->positives;
  if (rows->d) memset(h, 0, rows->d * sizeof *h);
  if (all->nulls > all->n || np > n) return DPPAIR_ERR_SIZE;
  if (rows->weight) return DPPAIR_ERR_NO_PROOF;
  status = dppair_work_(&coefficients, dppair_area_(n, 3), work, bytes);
  if (status != DPPAIR_OK || n == 0) return status;
  s = (DPPAIR_REAL *)(void *)(coefficients + n);
  t = (DPPAIR_REAL *)(void *)(coefficients + 2 * n);
  status = DPT_SCORES(s, rows, w);
  if (status == DPPAIR_OK) status = DPT_SCORES(t, rows, v);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_curvature(coefficients, coefficients + np, s, t, np, s + np, t + np,
                                   n - np, 2, params, c);
  return status == DPPAIR_OK ? DPT_COMBINE(h, rows, coefficients) : status;
}

DPPAIR_FP_END_
/* ---- src/modules/influence/leave.h ----------------------------------------------------------
 * Leaving records out: what the functions of leave_one_out.h and stability.h share
 *
 * Every risk of dppair_influence_risk becomes a sum over pairs of phi(u - u'), u = <xi, w> +
 * offset, with xi = +-c x: IND, DIFF (c = 2) and SIGN between the classes; RESIDUAL with -x and the
 * labels as offsets, all records on both sides; POINTWISE with y x against one record that is 0.
 * All else is NAME_curvature of some t = <xi, v>.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_

DPPAIR_FP_BEGIN_

/* The factor of x_i in xi_i. */
DPPAIR_FN_ double DPPAIR_NAME_leave_sign_(const dppair_leave_ *l, size_t i) {
  switch (l->of->risk) {
  case DPPAIR_INFLUENCE_DIFF:
    return 2.0;
  case DPPAIR_INFLUENCE_RESIDUAL:
    return -1.0;
  case DPPAIR_INFLUENCE_POINTWISE:
    return i < l->rows->positives ? 1.0 : -1.0;
  default:
    return 1.0;
  }
}

/* t of the direction v. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_direction_(dppair_leave_ *l,
                                                                        const double *v) {
  size_t i;
  const dppair_status status = dppair_scores_f64(l->t, l->rows, v);
  for (i = 0; i < l->n; i++) l->t[i] *= DPPAIR_NAME_leave_sign_(l, i);
  l->t[l->n] = 0.0;
  l->t0 = l->t;
  l->t1 = l->t + l->first;
  return status;
}

/* xi_ik. */
DPPAIR_FN_ double DPPAIR_NAME_leave_at_(const dppair_leave_ *l, size_t i, size_t k) {
  const double x = l->rows->x[i * l->rows->ld + k];
  return DPPAIR_NAME_leave_sign_(l, i) * (l->rows->factor ? l->rows->factor[i] * x : x);
}

/* t = feature k, times feature m unless that is l->d. */
DPPAIR_FN_ void DPPAIR_NAME_leave_column_(dppair_leave_ *l, size_t k, size_t m) {
  size_t i;
  for (i = 0; i < l->n; i++) {
    l->t[i] = DPPAIR_NAME_leave_at_(l, i, k);
    if (m < l->d) l->t[i] *= DPPAIR_NAME_leave_at_(l, i, m);
  }
  l->t[l->n] = 0.0;
  l->t0 = l->t;
  l->t1 = l->t + l->first;
}

/* t = 1 on the one side and 0 on the other: then sums of differences are plain sums. */
DPPAIR_FN_ void DPPAIR_NAME_leave_ones_(dppair_leave_ *l) {
  size_t i;
  for (i = 0; i <= l->n; i++) {
    l->t[i] = 1.0;
    l->zero[i] = 0.0;
  }
  l->t0 = l->t;
  l->t1 = l->zero + l->first;
}

/* c[i] = the sums of record i over its pairs; those of its places on the second side times sign.
 * Sign 1 makes coefficients of xi; of order 1 sign -1 makes s_i in the direction of t. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_sums_(dppair_leave_ *l, int order,
                                                                   double sign) {
  size_t i;
  const dppair_status status =
      DPPAIR_NAME_curvature(l->a, l->b, l->u, l->t0, l->n0, l->u + l->first, l->t1, l->n1, order,
                            l->of->params, order == 2 ? l->of->curves : l->of->slopes);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < l->n; i++) l->c[i] = i < l->n0 ? l->a[i] : 0.0;
  for (i = 0; i < l->n1 && l->first + i < l->n; i++) l->c[l->first + i] += sign * l->b[i];
  return DPPAIR_OK;
}

/* c = the coefficients of xi in the sum over the pairs of record `one` alone, by the loops. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_pairs_of_(dppair_leave_ *l, size_t one,
                                                                       int order) {
  const double *const u1 = l->u + l->first;
  double own;
  size_t i;
  dppair_status status = DPPAIR_OK;
  for (i = 0; i < l->n; i++) l->c[i] = 0.0;
  if (one < l->n0) {
    status = DPPAIR_NAME_curvature(&own, l->b, l->u + one, l->t0 + one, 1, u1, l->t1, l->n1, order,
                                   l->of->params, NULL);
    if (status != DPPAIR_OK) return status;
    l->c[one] += own;
    for (i = 0; i < l->n1 && l->first + i < l->n; i++) l->c[l->first + i] += l->b[i];
  }
  if (one >= l->first) {
    const size_t at = one - l->first;
    status = DPPAIR_NAME_curvature(l->a, &own, l->u, l->t0, l->n0, u1 + at, l->t1 + at, 1, order,
                                   l->of->params, NULL);
    if (status != DPPAIR_OK) return status;
    l->c[one] += own;
    for (i = 0; i < l->n0; i++) l->c[i] += l->a[i];
  }
  return DPPAIR_OK;
}

/* out = scale times the sum of c_i xi_i. c is changed. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_combine_(dppair_leave_ *l,
                                                                      double *out) {
  size_t i;
  dppair_status status;
  for (i = 0; i < l->n; i++) l->c[i] *= DPPAIR_NAME_leave_sign_(l, i);
  status = dppair_combine_f64(out, l->rows, l->c);
  for (i = 0; i < l->d; i++) out[i] *= l->scale;
  return status;
}

/* Sets the arrays of *l to their places; returns the bytes used, SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_leave_layout_(dppair_leave_ *l, char *base, size_t n, size_t d,
                                            int own) {
  const size_t square = dppair_area_(d, d), size = sizeof(double);
  size_t used = 0;
  if (n > SIZE_MAX / 64 || d > SIZE_MAX / 64) return SIZE_MAX;
  l->u = (double *)dppair_take_(base, &used, n + 1, size);
  l->t = (double *)dppair_take_(base, &used, n + 1, size);
  l->zero = (double *)dppair_take_(base, &used, n + 1, size);
  l->a = (double *)dppair_take_(base, &used, n + 1, size);
  l->b = (double *)dppair_take_(base, &used, n + 1, size);
  l->c = (double *)dppair_take_(base, &used, n + 1, size);
  l->data = (double *)dppair_take_(base, &used, square, size);
  l->h = (double *)dppair_take_(base, &used, square, size);
  l->l = (double *)dppair_take_(base, &used, square, size);
  l->v = (double *)dppair_take_(base, &used, 8 * d, size);
  l->first_moments = (double *)dppair_take_(base, &used, own ? dppair_area_(n, d) : 0, size);
  l->second_moments = (double *)dppair_take_(
      base, &used, own ? dppair_area_(n, dppair_area_(d, d + 1)) / 2 : 0, size);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* *bytes = the workspace of the functions of leave_one_out.h and stability.h, for n records of d
 * features: about 6 n + 3 d^2 numbers, and with own_hessian n d (d + 3)/2 more. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_influence_workspace(size_t *bytes, size_t n, size_t d, const dppair_influence *of) {
  dppair_leave_ l;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!of) return DPPAIR_ERR_NULL;
  *bytes = DPPAIR_NAME_leave_layout_(&l, NULL, n, d, of->own_hessian);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* u at w, or at the previous w of *l where it was changed. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_scores_(dppair_leave_ *l,
                                                                     const double *w) {
  size_t i;
  const dppair_status status = dppair_scores_f64(l->u, l->rows, w);
  if (status != DPPAIR_OK) return status;
  l->farthest = 0.0;
  for (i = 0; i < l->n; i++) {
    l->u[i] *= DPPAIR_NAME_leave_sign_(l, i);
    if (l->of->risk == DPPAIR_INFLUENCE_RESIDUAL) l->u[i] += l->rows->y[i];
    if (!(dppair_fabs_(l->u[i]) <= l->farthest)) l->farthest = dppair_fabs_(l->u[i]);
  }
  l->u[l->n] = 0.0;
  return DPPAIR_OK;
}

/* Checks, layout, scores. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_open_(dppair_leave_ *l,
                                                                   const dppair_rows_f64 *rows,
                                                                   const double *w,
                                                                   const dppair_influence *of,
                                                                   void *work, size_t bytes) {
  const int residual = of && of->risk == DPPAIR_INFLUENCE_RESIDUAL;
  const int point = of && of->risk == DPPAIR_INFLUENCE_POINTWISE;
  double n, least;
  size_t needed, i, k;
  dppair_status status;
  memset(l, 0, sizeof *l);
  if (!of || !w || !work || !rows->x || (residual && !rows->y)) return DPPAIR_ERR_NULL;
  if ((unsigned)of->risk > (unsigned)DPPAIR_INFLUENCE_POINTWISE || !(of->ridge > 0.0) ||
      !dppair_isfinite_f64(of->ridge))
    return DPPAIR_ERR_DOMAIN;
  if (rows->n < 3 || rows->d == 0 || rows->ld < rows->d || rows->positives > rows->n)
    return DPPAIR_ERR_SIZE;
  if (rows->weight || rows->nulls) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_influence_workspace(&needed, rows->n, rows->d, of);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (residual && !dppair_all_finite_f64(rows->y, rows->n)) return DPPAIR_ERR_NOT_FINITE;
  (void)DPPAIR_NAME_leave_layout_(l, dppair_align_(work), rows->n, rows->d, of->own_hessian);
  l->rows = rows;
  l->of = of;
  l->n = rows->n;
  l->d = rows->d;
  l->n0 = residual || point ? l->n : rows->positives;
  l->first = residual ? 0 : l->n0;
  l->n1 = residual ? l->n : point ? 1 : l->n - l->n0;
  n = (double)l->n;
  least = point ? 1.0 : 2.0; /* pairs of a record count twice in the sum of all s_i */
  l->scale = point ? 1.0 / n : 1.0 / (n * (n - 1.0));
  if (of->risk == DPPAIR_INFLUENCE_DIFF || of->risk == DPPAIR_INFLUENCE_SIGN) l->scale *= 2.0;
  l->ratio = of->renormalised ? n / (n - least) : 1.0;
#if defined(DPPAIR_HAVE_LOSSES_) && DPPAIR_RANGE_ == 2
  {
    const dppair_loss_facts facts = DPPAIR_SLOPE_FACTS_(DPPAIR_LOSS);
    l->convex = (facts.flags & DPPAIR_IS_CONVEX) != 0;
  }
#endif
  for (i = 0; i < l->n; i++) {
    double square = 0.0;
    for (k = 0; k < l->d; k++) {
      const double x = DPPAIR_NAME_leave_at_(l, i, k);
      square += x * x;
    }
    l->longest = square > l->longest ? square : l->longest;
  }
  l->longest = dppair_sqrt_(l->longest) * (1.0 + 4.0 * (double)l->d * DBL_EPSILON);
  return DPPAIR_NAME_leave_scores_(l, w);
}

/* l->data = the Hessian of the first part of F, of which l->h has the ridge too. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_hessian_(dppair_leave_ *l) {
  const size_t d = l->d;
  size_t i, k;
  for (k = 0; k < d; k++) {
    dppair_status status;
    DPPAIR_NAME_leave_column_(l, k, d);
    status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, l->data + k * d);
    if (status != DPPAIR_OK) return status;
  }
  for (i = 0; i < d; i++)
    for (k = 0; k <= i; k++)
      l->data[i * d + k] = l->data[k * d + i] = 0.5 * (l->data[i * d + k] + l->data[k * d + i]);
  for (i = 0; i < d * d; i++) l->h[i] = l->data[i] + (i % (d + 1) == 0 ? l->of->ridge : 0.0);
  return DPPAIR_OK;
}

/* *off = how far the Hessian as it is summed is from that of phi at these scores, in norm: the
 * boxes' error for each pair, and rounding in proportion to the sizes |phi''| |xi|^2 that are
 * added, since those of records far from 0 cancel. own: the same for r (H_data - H_i). HUGE_VAL
 * where a score is beyond the cap of the state. A phi'' that crosses 0 is rounded in proportion to
 * its supremum; where phi is not known to be convex that counts for all pairs, HUGE_VAL without
 * L_RANGE. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_off_(double *off, dppair_leave_ *l,
                                                                  int own) {
  const dppair_curvature *c = l->of->curves;
  const double pairs = (double)l->n0 * (double)l->n1, v = 2.0 * l->longest, u = DBL_EPSILON;
  const double each = c ? c->fast.kernel_error + 400.0 * u * c->fast.weight : 0.0;
  double sizes = HUGE_VAL;
  size_t i;
  *off = HUGE_VAL;
  if (c && l->farthest > c->fast.score_cap) return DPPAIR_OK;
  if (l->convex) {
    dppair_status status;
    DPPAIR_NAME_leave_ones_(l);
    status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
    if (status != DPPAIR_OK) return status;
    for (i = 0, sizes = 0.0; i < l->n0; i++) sizes += dppair_fabs_(l->a[i]);
  }
#if defined(DPPAIR_HAVE_LOSSES_) && DPPAIR_RANGE_ == 2
  else {
    const dppair_loss_facts facts = DPPAIR_SLOPE_FACTS_(DPPAIR_LOSS);
    const double remote = 2.0 * l->farthest + 1.0;
    const dppair_margins margins = {-remote, remote, -remote, remote, NULL};
    dppair_range range = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    facts.range(&range, &margins, l->of->params);
    if (range.curvature < HUGE_VAL) sizes = pairs * range.curvature;
  }
#endif
  if (!(sizes < HUGE_VAL)) return DPPAIR_OK;
  *off = l->scale * v * v * (pairs * each + ((double)l->n + 300.0) * u * sizes);
  if (own) *off *= 2.0 * l->ratio;
  return DPPAIR_OK;
}

/* The same of s_i: of its at most n pairs, by the error of the boxes. */
DPPAIR_FN_ double DPPAIR_NAME_leave_off_slopes_(const dppair_leave_ *l) {
  const dppair_curvature *c = l->of->slopes;
  const double pairs = l->of->risk == DPPAIR_INFLUENCE_POINTWISE ? 1.0 : 2.0 * (double)l->n;
  if (!c) return 0.0;
  if (l->farthest > c->fast.score_cap) return HUGE_VAL;
  return l->ratio * l->scale * pairs * 2.0 * l->longest *
         (c->fast.kernel_error + 400.0 * DBL_EPSILON * c->fast.weight);
}

DPPAIR_FP_END_

#endif
/* ---- src/modules/influence/leave_one_out.h --------------------------------------------------
 * Leave-one-out changes of a minimiser, for instances of double
 *
 * The pairwise influence function (Kang et al. 2021, eq. 4) and its mended forms: influence.h has
 * the formulas. All records in nearly linear time by an explicit Hessian, for few features; one
 * record, or one direction for all records, by conjugate gradients. None of it is private.
 *
 * w must be a minimiser, or nearly: where F has the gradient g, w is within |g|/ridge of it for
 * convex phi. NAME_minimiser_not_private finds one.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_

DPPAIR_FP_BEGIN_

/* g = the gradient of F at w, whose scores are in l->u. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_gradient_(double *g, dppair_leave_ *l,
                                                                       const double *w) {
  size_t k;
  dppair_status status;
  DPPAIR_NAME_leave_ones_(l);
  status = DPPAIR_NAME_leave_sums_(l, 1, 1.0);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, g);
  for (k = 0; k < l->d; k++) g[k] += l->of->ridge * w[k];
  return status;
}

/*
 * w[0..d) = the minimiser of F, NOT PRIVATE, by Newton's method from the w that is given, with
 * steps halved until the gradient falls. It ends once |gradient| <= tolerance; *gradient is that
 * norm, of the sums that `of` asks for. For convex phi, loops and scores within the caps
 * |w - minimiser| <= *gradient/ridge; boxes add their error. A record is left out by giving the
 * rows without it; to keep N, with the ridge times n/(n-2), n counting it (pointwise n/(n-1)).
 *
 *   rows, of   n >= 3 records; renormalised and own_hessian are read for the workspace alone
 *   steps      the most Newton steps
 *
 * Errors zero w and *gradient: NULL, SIZE, DOMAIN, WORKSPACE, NO_PROOF (the loss has no curvature,
 * or the Hessian is not positive), NO_CONVERGENCE, those of dppair_scores_f64 and NAME_curvature.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_minimiser_not_private(
    double *w, double *gradient, const dppair_rows_f64 *rows, const dppair_influence *of,
    double tolerance, size_t steps, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  size_t step, k, d;
  double norm = HUGE_VAL;
  if (gradient) *gradient = 0.0;
  if (!rows || !gradient) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  d = rows->d;
  if (status == DPPAIR_OK && !(tolerance > 0.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_gradient_(l.v, &l, w);
  if (status == DPPAIR_OK) norm = dppair_norm_f64(l.v, d);
  for (step = 0; status == DPPAIR_OK && norm > tolerance; step++) {
    double *g = l.v, *move = l.v + d, *there = l.v + 2 * d, length = 1.0, next = HUGE_VAL;
    if (step >= steps) status = DPPAIR_ERR_NO_CONVERGENCE;
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_hessian_(&l);
    if (status == DPPAIR_OK && !dppair_cholesky_(l.l, l.h, d)) status = DPPAIR_ERR_NO_PROOF;
    if (status != DPPAIR_OK) break;
    memcpy(move, g, d * sizeof *g);
    dppair_cholesky_solve_(move, l.l, d);
    while (status == DPPAIR_OK && !(next < norm)) {
      if (length < 1e-9) status = DPPAIR_ERR_NO_CONVERGENCE;
      for (k = 0; k < d; k++) there[k] = w[k] - length * move[k];
      if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_scores_(&l, there);
      if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_gradient_(g, &l, there);
      if (status == DPPAIR_OK) next = dppair_norm_f64(g, d);
      length *= 0.5;
    }
    if (status == DPPAIR_OK) memcpy(w, there, d * sizeof *w);
    norm = next;
  }
  if (status == DPPAIR_OK)
    *gradient = norm;
  else if (w && rows->d && rows->d <= SIZE_MAX / sizeof *w)
    memset(w, 0, rows->d * sizeof *w);
  return status;
}

/* For own_hessian: the parts of all H_i, n x d and n x d (d + 1)/2 numbers. With B the sums of
 * differences over the pairs of i, entry (k, m) of H_i is xi_k B(xi_m) + xi_m B(xi_k) - B(xi_k
 * xi_m), because (a - a')(b - b') = a (b - b') + b (a - a') - (a b - a' b'). */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_sketch_(dppair_leave_ *l) {
  const size_t d = l->d, each = d * (d + 1) / 2;
  size_t i, k, m, at = 0;
  dppair_status status = DPPAIR_OK;
  for (k = 0; k < d && status == DPPAIR_OK; k++) {
    DPPAIR_NAME_leave_column_(l, k, d);
    status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
    for (i = 0; i < l->n; i++) l->first_moments[i * d + k] = l->c[i];
  }
  for (k = 0; k < d; k++)
    for (m = 0; m <= k && status == DPPAIR_OK; m++, at++) {
      DPPAIR_NAME_leave_column_(l, k, m);
      status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
      for (i = 0; i < l->n; i++) l->second_moments[i * each + at] = l->c[i];
    }
  return status;
}

/* l->h = r (H_data - H_i) + ridge. */
DPPAIR_FN_ void DPPAIR_NAME_leave_without_(dppair_leave_ *l, size_t i) {
  const size_t d = l->d, each = d * (d + 1) / 2;
  const double *first = l->first_moments + i * d, *second = l->second_moments + i * each;
  size_t k, m, at = 0;
  for (k = 0; k < d; k++)
    for (m = 0; m <= k; m++, at++) {
      const double x = DPPAIR_NAME_leave_at_(l, i, k), y = DPPAIR_NAME_leave_at_(l, i, m);
      const double own = l->scale * (x * first[m] + y * first[k] - second[at]);
      l->h[k * d + m] = l->h[m * d + k] =
          l->ratio * (l->data[k * d + m] - own) + (k == m ? l->of->ridge : 0.0);
    }
}

/* change[i * d .. + d), i < n: s_i becomes r s_i + (r - 1) ridge w, and that the solution x of h x
 * = it. *error: the largest error of a solution, as below. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_solve_(double *change, double *error,
                                                                    dppair_leave_ *l,
                                                                    const double *w) {
  const size_t d = l->d;
  const double ridge = l->of->ridge;
  double *right = l->v, *x = l->v + d, *unit = l->v + 2 * d, floor = 0.0, off;
  size_t i, k;
  const dppair_status status = DPPAIR_NAME_leave_off_(&off, l, l->of->own_hessian);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < l->n; i++) {
    double *to = change + i * d, wrong;
    if (l->of->own_hessian) DPPAIR_NAME_leave_without_(l, i);
    if (i == 0 || l->of->own_hessian) {
      if (!dppair_cholesky_(l->l, l->h, d)) return DPPAIR_ERR_NO_PROOF;
      floor = dppair_least_eigenvalue_(l->l, l->h, d, x, unit) - off;
      if (l->convex && floor < ridge) floor = ridge;
    }
    for (k = 0; k < d; k++) right[k] = to[k] = l->ratio * to[k] + (l->ratio - 1.0) * ridge * w[k];
    dppair_cholesky_solve_(to, l->l, d);
    wrong = dppair_residual_(l->h, to, right, d) + off * dppair_norm_f64(to, d) +
            DPPAIR_NAME_leave_off_slopes_(l);
    wrong = floor > 0.0 && off < HUGE_VAL ? wrong / floor : HUGE_VAL;
    if (!(wrong <= *error)) *error = wrong > *error ? wrong : HUGE_VAL;
  }
  return DPPAIR_OK;
}

/*
 * change[i * d + k], i < n, k < d = what leaving record i out does to w, NOT PRIVATE: w_-i - w to
 * first order, by the formula of influence.h that `of` names. Costs d pair sums of slopes and d of
 * curvatures, near-linear with the states of `of`, and O(n d^2); with own_hessian d (d + 3)/2 more
 * sums and O(n d^3).
 *
 * *error: each change is within this distance of what exact arithmetic and the exact slopes would
 * give: residual, boxes and rounding of the Hessian, over a proved bound of the least eigenvalue
 * (the ridge for convex phi, or for another with L_RANGE what the factor shows). The rounding of
 * the scores and of s_i is not in it, (n + 80) 2^-53 of the sizes of its terms. HUGE_VAL where no
 * bound was found, or where a score is beyond the cap of a state: the changes are then those of
 * another problem. How far H^-1 s_i is from retraining is another matter: dppair_influence_bound.
 *
 * Errors zero change and *error: NULL, SIZE (n < 3, d = 0, ld < d, more positives than records),
 * DOMAIN (risk, ridge), WORKSPACE, NO_PROOF (the loss has no curvature, or the Hessian is not
 * positive), NOT_FINITE, those of dppair_scores_f64 and NAME_curvature; with OVERFLOW (sizes)
 * change is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_not_private(
    double *change, double *error, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  size_t i, k, size;
  if (error) *error = 0.0;
  if (!rows || !change || !error) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->n, rows->d);
  if (size > SIZE_MAX / sizeof *change) return DPPAIR_ERR_OVERFLOW;
  memset(change, 0, size * sizeof *change);
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  for (k = 0; k < rows->d && status == DPPAIR_OK; k++) {
    DPPAIR_NAME_leave_column_(&l, k, l.d);
    status = DPPAIR_NAME_leave_sums_(&l, 1, -1.0);
    for (i = 0; i < l.n; i++) change[i * l.d + k] = l.scale * l.c[i];
  }
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_hessian_(&l);
  if (status == DPPAIR_OK && of->own_hessian) status = DPPAIR_NAME_leave_sketch_(&l);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_solve_(change, error, &l, w);
  if (status == DPPAIR_OK && !dppair_all_finite_f64(change, size)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return status;
  *error = 0.0;
  memset(change, 0, size * sizeof *change);
  return status;
}

/* The product of the Hessian of F with v, or of r (H_data - H_i) + ridge. */
typedef struct DPPAIR_NAME_leave_product_ {
  dppair_leave_ *l;
  size_t without; /* i, or n */
} DPPAIR_NAME_leave_product_;
DPPAIR_FN_ dppair_status DPPAIR_NAME_leave_apply_(void *context, double *out, const double *v) {
  const DPPAIR_NAME_leave_product_ *x = (const DPPAIR_NAME_leave_product_ *)context;
  dppair_leave_ *l = x->l;
  double *own = l->v + 7 * l->d;
  size_t k;
  dppair_status status = DPPAIR_NAME_leave_direction_(l, v);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_sums_(l, 2, 1.0);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, out);
  if (status == DPPAIR_OK && x->without < l->n) {
    status = DPPAIR_NAME_leave_pairs_of_(l, x->without, 2);
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(l, own);
    for (k = 0; k < l->d; k++) out[k] = l->ratio * (out[k] - own[k]);
  }
  for (k = 0; k < l->d; k++) out[k] += l->of->ridge * v[k];
  return status;
}

/* x with A x = right by conjugate gradients, A as above; *error: how far it is from exact. right:
 * not in the last 5 d numbers of l->v. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_iterate_(double *x, double *error,
                                                                      dppair_leave_ *l,
                                                                      const double *right,
                                                                      size_t without) {
  DPPAIR_NAME_leave_product_ product;
  double off;
  dppair_status status = DPPAIR_NAME_leave_off_(&off, l, without < l->n);
  if (status != DPPAIR_OK) return status;
  product.l = l;
  product.without = without;
  status =
      dppair_conjugate_(x, error, right, l->d, DPPAIR_NAME_leave_apply_, &product, l->v + 4 * l->d);
  *error = l->convex && off < HUGE_VAL ? (*error + off * dppair_norm_f64(x, l->d)) / l->of->ridge
                                       : HUGE_VAL;
  return status;
}

/* change[0..d) = what leaving record i out does to w, as NAME_influence_not_private and NOT
 * PRIVATE, for this record alone and without a Hessian, by conjugate gradients: as many pair sums
 * as steps. *error as there; HUGE_VAL unless phi is known to be convex (L_RANGE). Errors as there,
 * SIZE also for i >= n, NO_CONVERGENCE; they zero change and *error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_record_not_private(
    double *change, double *error, size_t i, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  size_t k;
  if (error) *error = 0.0;
  if (!rows || !change || !error) return DPPAIR_ERR_NULL;
  if (rows->d > SIZE_MAX / sizeof *change) return DPPAIR_ERR_OVERFLOW;
  memset(change, 0, rows->d * sizeof *change);
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status == DPPAIR_OK && i >= rows->n) status = DPPAIR_ERR_SIZE;
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_leave_ones_(&l);
  status = DPPAIR_NAME_leave_pairs_of_(&l, i, 1);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_combine_(&l, l.v);
  for (k = 0; k < l.d; k++) l.v[k] = l.ratio * l.v[k] + (l.ratio - 1.0) * of->ridge * w[k];
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_leave_iterate_(change, error, &l, l.v, of->own_hessian ? i : l.n);
  if (status == DPPAIR_OK) return status;
  *error = 0.0;
  memset(change, 0, rows->d * sizeof *change);
  return status;
}

/*
 * along[i], i < n = q.(w_-i - w), to first order and NOT PRIVATE, for all records at once: q is the
 * gradient in w of any quantity. One solution of H p = q by conjugate gradients, then one pair sum,
 * since q.H^-1 s_i = p.s_i: nearly linear in n with the states of `of`.
 *
 * The AUC: with a second instance of dppair_sigmoid, the gradient of the AUC with each step of the
 * ROC curve smoothed over scores of size h is q = -(its NAME_gradient at w/h)/(h n+ n-). along[i]
 * is then the change of that smoothed AUC of all n+ n- pairs, those of record i included, through
 * w.
 *
 * *error: bounds |p - H^-1 q|, so along[i] is within *error times |r s_i + (r - 1) ridge w|, and by
 * the boxes' error of s_i times |p|, of q.(w_-i - w). HUGE_VAL unless phi is known to be convex.
 * own_hessian is DOMAIN. Other errors as in NAME_influence_record_not_private; they zero along and
 * *error; with OVERFLOW along is not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_along_not_private(
    double *along, double *error, const double *q, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  double *p, shift = 0.0;
  size_t i;
  if (error) *error = 0.0;
  if (!rows || !along || !error) return DPPAIR_ERR_NULL;
  if (rows->n > SIZE_MAX / sizeof *along) return DPPAIR_ERR_OVERFLOW;
  memset(along, 0, rows->n * sizeof *along);
  if (!q) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status == DPPAIR_OK && of->own_hessian) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(q, rows->d)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  p = l.v + l.d;
  status = DPPAIR_NAME_leave_iterate_(p, error, &l, q, l.n);
  if (!(DPPAIR_NAME_leave_off_slopes_(&l) < HUGE_VAL)) *error = HUGE_VAL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_direction_(&l, p);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_sums_(&l, 1, -1.0);
  for (i = 0; i < l.d; i++) shift += (l.ratio - 1.0) * of->ridge * w[i] * p[i];
  for (i = 0; i < l.n && status == DPPAIR_OK; i++) along[i] = l.ratio * l.scale * l.c[i] + shift;
  if (status == DPPAIR_OK && !dppair_all_finite_f64(along, l.n)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return status;
  *error = 0.0;
  memset(along, 0, rows->n * sizeof *along);
  return status;
}

/* q[0..d) = the gradient in w of phi of the pair (j, k), NOT PRIVATE: j a positive and k a
 * negative; of RESIDUAL any two records; POINTWISE reads j only. With
 * NAME_influence_along_not_private along[i] is the change of that pair's loss when record i is left
 * out. Errors zero q: NULL, SIZE (j or k), and as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_pair_not_private(
    double *q, size_t j, size_t k, const dppair_rows_f64 *rows, const double *w,
    const dppair_influence *of, void *work, size_t bytes) {
  const double one = 1.0, none = 0.0;
  dppair_leave_ l;
  dppair_status status;
  double slope = 0.0, back;
  size_t m;
  if (!rows || !q) return DPPAIR_ERR_NULL;
  if (rows->d > SIZE_MAX / sizeof *q) return DPPAIR_ERR_OVERFLOW;
  memset(q, 0, rows->d * sizeof *q);
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status != DPPAIR_OK) return status;
  if (of->risk == DPPAIR_INFLUENCE_POINTWISE) k = l.n;
  if (j >= l.n0 || k < l.first || k - l.first >= l.n1 || j == k) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_curvature(&slope, &back, l.u + j, &one, 1, l.u + k, &none, 1, 1, of->params,
                                 NULL);
  for (m = 0; m < l.d && status == DPPAIR_OK; m++)
    q[m] = slope *
           (DPPAIR_NAME_leave_at_(&l, j, m) - (k < l.n ? DPPAIR_NAME_leave_at_(&l, k, m) : 0.0));
  return status;
}

DPPAIR_FP_END_

#endif
/* ---- src/modules/influence/stability.h ------------------------------------------------------
 * Locally elastic and uniform stability, for instances of double
 *
 * How much leaving a record out moves the loss of a pair (Kang et al. 2021, Definitions 6 and 7,
 * Lemma 1, Remark 4): plug-in values from changes of w, and rigorous ones.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_

DPPAIR_FP_BEGIN_

/* *total = the sum over pairs of |phi' (t - t')|. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_leave_sizes_(double *total,
                                                                    dppair_leave_ *l) {
  *total = 0.0;
#if DPPAIR_CURVE_
  {
    const double *params = l->of->params;
    size_t i;
    DPPAIR_DISPATCH_(DPPAIR_NAME_sizes,
                     (l->a, l->b, l->u, l->t0, l->n0, l->u + l->first, l->t1, l->n1, params));
    for (i = 0; i < l->n0; i++) *total += l->a[i];
    return dppair_isfinite_f64(*total) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
  }
#else
  (void)l;
  return DPPAIR_ERR_NO_PROOF;
#endif
}

/*
 * *stability from change[n][d] = w_-i - w, the estimates of NAME_influence_not_private or what
 * retraining found; NOT PRIVATE. elastic[i], if elastic is not NULL = n times the mean over pairs
 * (z', z'') of |change_i . gradient of the pair's loss|: n beta_n(z_i; ., .) to first order. Its
 * largest is the plug-in of sup over z of the mean, which Theorem 3 asks for over the whole domain:
 * an estimate.
 *   lipschitz   G of the loss of a pair (dppair_constants_find), over the domain
 *
 * O(n) sums over all pairs. `rigorous` and `uniform` need a convex phi (L_RANGE; else HUGE_VAL), a
 * minimiser w and, for G, rows within the domain: leaving record i out moves w by at most
 * |r s_i + (r - 1) ridge w|/ridge, because F_-i is ridge-strongly convex. `rigorous` is HUGE_VAL
 * where a score is beyond the cap of the slopes' state.
 *
 * Errors zero all outputs: those of NAME_influence_not_private, DOMAIN also for G.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_stability_not_private(
    dppair_stability *stability, double *elastic, const double *change, double lipschitz,
    const dppair_rows_f64 *rows, const double *w, const dppair_influence *of, void *work,
    size_t bytes) {
  dppair_leave_ l;
  dppair_status status;
  double *square, most = 0.0, n;
  size_t i, k;
  if (stability) memset(stability, 0, sizeof *stability);
  if (!rows || !stability) return DPPAIR_ERR_NULL;
  if (dppair_area_(rows->n, rows->d) > SIZE_MAX / sizeof *change) return DPPAIR_ERR_OVERFLOW;
  if (elastic && rows->n) memset(elastic, 0, rows->n * sizeof *elastic);
  if (!change) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_leave_open_(&l, rows, w, of, work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_stability_uniform(&stability->uniform, l.n, of->risk, lipschitz, of->ridge,
                                      of->renormalised, dppair_norm_f64(w, l.d));
  if (status == DPPAIR_OK && !dppair_all_finite_f64(change, l.n * l.d))
    status = DPPAIR_ERR_NOT_FINITE;
  n = (double)rows->n;
  for (i = 0; i < rows->n && status == DPPAIR_OK; i++) {
    double size = 0.0, moved = n * lipschitz * dppair_norm_f64(change + i * l.d, l.d);
    status = DPPAIR_NAME_leave_direction_(&l, change + i * l.d);
    if (status == DPPAIR_OK) status = DPPAIR_NAME_leave_sizes_(&size, &l);
    size *= n * l.scale;
    if (elastic) elastic[i] = size;
    stability->mean += size / n;
    if (moved > stability->moved) stability->moved = moved;
    if (size > stability->elastic) {
      stability->elastic = size;
      stability->record = i;
    }
  }
  square = l.zero; /* |r s_i + (r - 1) ridge w|^2 */
  for (i = 0; i < rows->n && status == DPPAIR_OK; i++) square[i] = 0.0;
  for (k = 0; k < rows->d && status == DPPAIR_OK; k++) {
    DPPAIR_NAME_leave_column_(&l, k, l.d);
    status = DPPAIR_NAME_leave_sums_(&l, 1, -1.0);
    for (i = 0; i < l.n && status == DPPAIR_OK; i++) {
      const double x = l.ratio * l.scale * l.c[i] + (l.ratio - 1.0) * of->ridge * w[k];
      square[i] += x * x;
      if (!(square[i] <= most)) most = square[i] > most ? square[i] : HUGE_VAL;
    }
  }
  if (status == DPPAIR_OK) {
    most = dppair_sqrt_(most) + DPPAIR_NAME_leave_off_slopes_(&l);
    stability->rigorous = HUGE_VAL;
    if (l.convex) /* rounding is in proportion to terms, which may cancel: those of `uniform` */
      stability->rigorous =
          n * lipschitz * most / of->ridge + (n + 300.0) * DBL_EPSILON * stability->uniform;
    if (!l.convex) stability->uniform = HUGE_VAL;
    return status;
  }
  memset(stability, 0, sizeof *stability);
  if (elastic && rows->n) memset(elastic, 0, rows->n * sizeof *elastic);
  return status;
}

DPPAIR_FP_END_

#endif
#undef DPPAIR_CURVE_
#endif

#endif
#elif !defined(DPPAIR_INFLUENCE_H)
#define DPPAIR_INFLUENCE_H

#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_influence.h before dppair.h makes an instance: earlier ones have none of it."
#endif

#ifndef DPPAIR_NAME /* of an instance that comes later: then the losses are there */
#include "dppair_losses.h"
#endif
#define DPPAIR_NO_TEMPLATE_
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

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

/* ---- src/modules/influence/names.h ----------------------------------------------------------
 * Names of influence and curvature: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

#define dpv_box_differences DPPAIR_V_(box_differences)
#define dpv_differences DPPAIR_V_(differences)
#define dpv_moments_of DPPAIR_V_(moments_of)
#define dppair_box_differences_TIER DPPAIR_TIER_OF_(dppair_box_differences)

#define DPPAIR_LOSS_CURVATURE(u) DPPAIR_LOSS_OF_(_CURVATURE)(u, params)

/* An instance. */
#define DPPAIR_NAME_curvature DPPAIR_NAME_OF_(_curvature)
#define DPPAIR_NAME_curvature_init DPPAIR_NAME_OF_(_curvature_init)
#define DPPAIR_NAME_curvature_plan_ DPPAIR_NAME_OF_(_curvature_plan_)
#define DPPAIR_NAME_curvature_workspace DPPAIR_NAME_OF_(_curvature_workspace)
#define DPPAIR_NAME_curvatures_ DPPAIR_NAME_OF_(_curvatures_)
#define DPPAIR_NAME_hessian DPPAIR_NAME_OF_(_hessian)
#define DPPAIR_NAME_hessian_workspace DPPAIR_NAME_OF_(_hessian_workspace)
#define DPPAIR_NAME_influence_along_not_private DPPAIR_NAME_OF_(_influence_along_not_private)
#define DPPAIR_NAME_influence_not_private DPPAIR_NAME_OF_(_influence_not_private)
#define DPPAIR_NAME_influence_pair_not_private DPPAIR_NAME_OF_(_influence_pair_not_private)
#define DPPAIR_NAME_influence_record_not_private DPPAIR_NAME_OF_(_influence_record_not_private)
#define DPPAIR_NAME_influence_workspace DPPAIR_NAME_OF_(_influence_workspace)
#define DPPAIR_NAME_leave_apply_ DPPAIR_NAME_OF_(_leave_apply_)
#define DPPAIR_NAME_leave_at_ DPPAIR_NAME_OF_(_leave_at_)
#define DPPAIR_NAME_leave_column_ DPPAIR_NAME_OF_(_leave_column_)
#define DPPAIR_NAME_leave_combine_ DPPAIR_NAME_OF_(_leave_combine_)
#define DPPAIR_NAME_leave_direction_ DPPAIR_NAME_OF_(_leave_direction_)
#define DPPAIR_NAME_leave_gradient_ DPPAIR_NAME_OF_(_leave_gradient_)
#define DPPAIR_NAME_leave_hessian_ DPPAIR_NAME_OF_(_leave_hessian_)
#define DPPAIR_NAME_leave_iterate_ DPPAIR_NAME_OF_(_leave_iterate_)
#define DPPAIR_NAME_leave_layout_ DPPAIR_NAME_OF_(_leave_layout_)
#define DPPAIR_NAME_leave_sketch_ DPPAIR_NAME_OF_(_leave_sketch_)
#define DPPAIR_NAME_leave_off_ DPPAIR_NAME_OF_(_leave_off_)
#define DPPAIR_NAME_leave_off_slopes_ DPPAIR_NAME_OF_(_leave_off_slopes_)
#define DPPAIR_NAME_leave_ones_ DPPAIR_NAME_OF_(_leave_ones_)
#define DPPAIR_NAME_leave_open_ DPPAIR_NAME_OF_(_leave_open_)
#define DPPAIR_NAME_leave_pairs_of_ DPPAIR_NAME_OF_(_leave_pairs_of_)
#define DPPAIR_NAME_leave_product_ DPPAIR_NAME_OF_(_leave_product_)
#define DPPAIR_NAME_leave_scores_ DPPAIR_NAME_OF_(_leave_scores_)
#define DPPAIR_NAME_leave_sign_ DPPAIR_NAME_OF_(_leave_sign_)
#define DPPAIR_NAME_leave_sizes_ DPPAIR_NAME_OF_(_leave_sizes_)
#define DPPAIR_NAME_leave_solve_ DPPAIR_NAME_OF_(_leave_solve_)
#define DPPAIR_NAME_leave_sums_ DPPAIR_NAME_OF_(_leave_sums_)
#define DPPAIR_NAME_leave_without_ DPPAIR_NAME_OF_(_leave_without_)
#define DPPAIR_NAME_minimiser_not_private DPPAIR_NAME_OF_(_minimiser_not_private)
#define DPPAIR_NAME_stability_not_private DPPAIR_NAME_OF_(_stability_not_private)
#define DPPAIR_NAME_sizes DPPAIR_NAME_OF_(_sizes)

/* An instance on one tier. */
#define DPPAIR_NAME_curvature_TIER DPPAIR_NAME_TIER_OF_(_curvature)
#define DPPAIR_NAME_differences_TIER_ DPPAIR_NAME_TIER_OF_(_differences_)
#define DPPAIR_NAME_sizes_TIER DPPAIR_NAME_TIER_OF_(_sizes)

#define DPPAIR_MODULE_INFLUENCE_
#define DPPAIR_STAGE_ DPPAIR_STAGE_KERNELS_
#define DPPAIR_BODY_ DPPAIR_BODY_MODULE_
#define DPPAIR_BODY_SELF_ DPPAIR_INFLUENCE_SELF
/* ---- src/simd/each_tier.h -------------------------------------------------------------------
 * Each tier: the body once for every tier
 *
 * The whole header is included again for each tier of the build, for the vectors and for a type of
 * rows twice: for double, and then for float, whose sums use the vectors of double. A module that
 * has vectors of its own says by DPPAIR_BODY_SELF_ that it is the header. The body sees
 * DPPAIR_TIER_, DPPAIR_TIER_NAME_, DPV_INLINE_ (how the vocabulary is inlined), DPV_UNROLL_ (before
 * short loops over arrays of vectors) and what simd/type.h defines. It opens and closes a region
 * with the instructions of its tier: DPPAIR_REGION_BEGIN_, DPPAIR_REGION_END_.
 * Vectors are in registers only where everything is inlined, so all tiers but the scalar one force
 * it.
 * ---------------------------------------------------------------------------------------------- */

#ifndef DPPAIR_BODY_SELF_
#define DPPAIR_BODY_SELF_ DPPAIR_SELF
#endif

/* Beside AVX2 the scalar loops serve processors of before 2013 alone. */
#define DPPAIR_QUICK_TIER_ DPPAIR_HAVE_AVX2

/* Scalar: vectors are arrays in memory. Forced inlining gains nothing and costs compile time. */
#if DPPAIR_MIN_TIER < 2
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#define DPV_UNROLL_
#if DPPAIR_QUICK_TIER_
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ (DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_)
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0
#endif
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#if DPPAIR_QUICK_TIER_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
#undef DPPAIR_QUICK_TIER_

#define DPV_UNROLL_ DPPAIR_UNROLL_

#define DPV_INLINE_ DPPAIR_FORCE_INLINE_

#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

/* AVX-512 uses some of AVX2's vectors. */
#if DPPAIR_HAVE_AVX2 && (DPPAIR_MIN_TIER < 3 || DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_)
#define DPPAIR_TIER_ 2
#define DPPAIR_TIER_NAME_ avx2
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#undef DPV_INLINE_
#undef DPV_UNROLL_
#undef DPPAIR_BODY_SELF_
#undef DPPAIR_BODY_
#undef DPPAIR_STAGE_
#undef DPPAIR_MODULE_INFLUENCE_

/* ---- src/modules/influence/curvature_state.h ------------------------------------------------
 * Pair sums of differences: the state, and piecewise linear losses by sorting
 *
 * What curvature.h prepares and calls for near-linear sums. The state holds the method, so that a
 * program that prepares none compiles none. Sorting is plain C in double: the same bits everywhere.
 *
 * A loss L whose slope is continuous may have a curvature, which is said by a word:
 *
 *   #define L_CURVE dppair_curve        L_CURVATURE(u, p) is the derivative of L_SLOPE(u, p)
 *
 * At a jump of the curvature either side will do. With L_PIECES the curvature is the factors of the
 * pieces beyond u; with L_POLES it has the same poles, of one order more.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PROBE_dppair_curve ~, 1

/* The prepared state of NAME_curvature, made by NAME_curvature_init in the caller's workspace, for
 * any number of calls by one thread at a time. `fast` is that of the derivative that is summed:
 * kernel_error, score_cap and weight mean what they mean in dppair_fast. */
struct dppair_curvature;
typedef dppair_status dppair_curvature_run_(double *a, double *b, const void *sp, const void *tp,
                                            size_t np, const void *sn, const void *tn, size_t nn,
                                            const struct dppair_curvature *c,
                                            const dppair_piece *pieces, int count, int is_f32);
typedef struct dppair_curvature {
  dppair_fast fast;
  int order; /* 1: slopes, 2: curvatures */
  dppair_curvature_run_ *run;
} dppair_curvature;

DPPAIR_FP_BEGIN_

/* A record as it is sorted: its score, held within the cap, its t and its place. */
typedef struct dppair_sorted_ {
  double s, t;
  size_t at;
} dppair_sorted_;

/* Sorts x[0..n) by score, equal ones in their order, by merging runs. */
DPPAIR_FN_ void dppair_sorted_merge_(dppair_sorted_ *x, dppair_sorted_ *spare, size_t n) {
  size_t width, from, i;
  for (width = 1; width<n; width = width> n / 2 ? n : 2 * width) {
    for (from = 0; from < n; from += n - from < 2 * width ? n - from : 2 * width) {
      const size_t middle = n - from < width ? n : from + width;
      const size_t to = n - middle < width ? n : middle + width;
      size_t l = from, r = middle;
      for (i = from; i < to; i++)
        spare[i] = l < middle && (r == to || !(x[r].s < x[l].s)) ? x[l++] : x[r++];
    }
    memcpy(x, spare, n * sizeof *x);
  }
}

/* x[0..n) = the records in the order of their scores, all in [low, high]: into n buckets of equal
 * width, then by insertion, or by merging where a bucket is crowded. start: n + 1 places. */
DPPAIR_FN_ void dppair_sorted_fill_(dppair_sorted_ *x, dppair_sorted_ *spare, size_t *start,
                                    size_t n, double low, double high) {
  const double span = high - low < 1e300 ? high - low : 1e300;
  const double scale = span > 1e-290 ? (double)(n - 1) / span : 0.0;
  size_t i, j, worst = 0;
  memset(start, 0, (n + 1) * sizeof *start);
  for (i = 0; i < n; i++) {
    const double inside = x[i].s - low < span ? x[i].s - low : span;
    const size_t bucket = (size_t)(scale * inside);
    spare[i] = x[i];
    start[bucket < n ? bucket + 1 : n]++;
  }
  for (i = 1; i <= n; i++) {
    worst = start[i] > worst ? start[i] : worst;
    start[i] += start[i - 1];
  }
  for (i = 0; i < n; i++) {
    const double inside = spare[i].s - low < span ? spare[i].s - low : span;
    const size_t bucket = (size_t)(scale * inside);
    x[start[bucket < n - 1 ? bucket : n - 1]++] = spare[i];
  }
  if (worst > 24) {
    dppair_sorted_merge_(x, spare, n);
    return;
  }
  for (i = 1; i < n; i++) {
    const dppair_sorted_ one = x[i];
    for (j = i; j > 0 && one.s < x[j - 1].s; j--) x[j] = x[j - 1];
    x[j] = one;
  }
}

/* Sums over the first k of n sorted records, at sum + 3 k: of t - tm, of s - sm and of their
 * product. */
DPPAIR_FN_ void dppair_sorted_sums_(double *sum, const dppair_sorted_ *x, size_t n, double sm,
                                    double tm) {
  size_t k;
  sum[0] = sum[1] = sum[2] = 0.0;
  for (k = 0; k < n; k++, sum += 3) {
    const double t = x[k].t - tm, s = x[k].s - sm;
    sum[3] = sum[0] + t;
    sum[4] = sum[1] + s;
    sum[5] = sum[2] + s * t;
  }
}

/* Adds one piece to out, for n sorted records x against m sorted ones y of the other side, whose
 * sums are given: the sum over partners with margin below the knot of (constant + factor margin)
 * (t - t'). negatives: x are the negatives, margins are y - x, and the sum keeps its sign, because
 * that of t - t' and that of b both turn. Margins are rounded to double, then compared. */
DPPAIR_FN_ void dppair_sorted_piece_(double *out, const dppair_sorted_ *x, size_t n,
                                     const dppair_sorted_ *y, size_t m, const double *sum,
                                     const dppair_piece *piece, double sm, double tm,
                                     int negatives) {
  const double knot = piece->knot, sign = negatives ? -1.0 : 1.0;
  const int always = !dppair_isfinite_f64(knot);
  size_t i, first = 0; /* the partners before the change */
  for (i = 0; i < n; i++) {
    const double s = x[i].s - sm, t = x[i].t - tm;
    double count, st, ss, sst;
    for (; first < m && !always; first++) {
      const double u = negatives ? y[first].s - x[i].s : x[i].s - y[first].s;
      const int below = u < knot || (piece->closed && !(u > knot));
      if (below != negatives) break;
    }
    if (always || negatives) {
      const size_t k = always ? m : first;
      count = (double)k, st = sum[3 * k], ss = sum[3 * k + 1], sst = sum[3 * k + 2];
    } else {
      const double *all = sum + 3 * m, *less = sum + 3 * first;
      count = (double)(m - first), st = all[0] - less[0], ss = all[1] - less[1];
      sst = all[2] - less[2];
    }
    /* margins are sign (s - s') */
    out[x[i].at] += piece->constant * (t * count - st);
    if (piece->factor != 0.0)
      out[x[i].at] += sign * piece->factor * (s * (t * count - st) - (t * ss - sst));
  }
}

/* The places of one call: both sides sorted, a spare, sums, buckets. */
DPPAIR_FN_ size_t dppair_sorted_bytes_(size_t n) {
  return 2 * n * sizeof(dppair_sorted_) + 3 * (n + 1) * sizeof(double) + (n + 1) * sizeof(size_t) +
         64;
}

/* The method of a piecewise linear derivative, after the checks of curvature.h: a[np], b[nn]. */
DPPAIR_FN_ dppair_status dppair_sorted_run_(double *a, double *b, const void *sp, const void *tp,
                                            size_t np, const void *sn, const void *tn, size_t nn,
                                            const dppair_curvature *c, const dppair_piece *pieces,
                                            int count, int is_f32) {
  const void *const s[2] = {sp, sn}, *const t[2] = {tp, tn};
  const size_t n[2] = {np, nn}, capacity = c->fast.capacity;
  const double cap = c->fast.score_cap;
  double *const out[2] = {a, b}, *sum;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  double from = HUGE_VAL, upto = -HUGE_VAL, sm, tm;
  dppair_sorted_ *x[2], *spare;
  size_t *start, i;
  int side, k;
  x[0] = (dppair_sorted_ *)(void *)c->fast.work;
  x[1] = x[0] + np;
  spare = x[0] + capacity;
  sum = (double *)(void *)(spare + capacity);
  start = (size_t *)(void *)(sum + 3 * (capacity + 1));
  for (side = 0; side < 2; side++)
    for (i = 0; i < n[side]; i++) {
      dppair_sorted_ *one = x[side] + i;
      const double v = is_f32 ? (double)((const float *)s[side])[i] : ((const double *)s[side])[i];
      one->s = v < -cap ? -cap : v > cap ? cap : v;
      one->t = is_f32 ? (double)((const float *)t[side])[i] : ((const double *)t[side])[i];
      one->at = i;
      low[side] = one->s < low[side] ? one->s : low[side];
      high[side] = one->s > high[side] ? one->s : high[side];
      from = one->t < from ? one->t : from;
      upto = one->t > upto ? one->t : upto;
      out[side][i] = 0.0;
    }
  sm = 0.5 * (low[0] < low[1] ? low[0] : low[1]) + 0.5 * (high[0] > high[1] ? high[0] : high[1]);
  tm = 0.5 * from + 0.5 * upto;
  for (side = 0; side < 2; side++)
    dppair_sorted_fill_(x[side], spare, start, n[side], low[side], high[side]);
  for (side = 0; side < 2; side++) {
    dppair_sorted_sums_(sum, x[!side], n[!side], sm, tm);
    for (k = 0; k < count; k++) {
      dppair_piece piece = pieces[k];
      if (c->order == 2) {
        piece.constant = piece.factor;
        piece.factor = 0.0;
      }
      if (piece.constant != 0.0 || piece.factor != 0.0)
        dppair_sorted_piece_(out[side], x[side], n[side], x[!side], n[!side], sum, &piece, sm, tm,
                             side);
    }
  }
  return DPPAIR_OK;
}

/* Doubles of workspace: the table, four sets of moments, their copies, 8 for alignment. */
DPPAIR_FN_ size_t dppair_differences_doubles_(const dppair_fast *f) {
  const size_t sets = 4 + DPPAIR_SKETCH_COPIES_;
  return 8 + dppair_box_table_(f) + sets * f->capacity * (size_t)f->stride;
}

/* The method of an analytic derivative, after the same checks. */
DPPAIR_FN_ dppair_status dppair_differences_run_(
    double *a, double *b, const void *sp, const void *tp, size_t np, const void *sn, const void *tn,
    size_t nn, const dppair_curvature *c, const dppair_piece *pieces, int count, int is_f32) {
  dppair_status status;
  (void)pieces;
  (void)count;
  DPPAIR_DISPATCH_(dppair_box_differences,
                   (&status, a, b, sp, tp, np, sn, tn, nn, &c->fast, is_f32));
  return status;
}

DPPAIR_FP_END_
/* ---- src/modules/influence/influence.h ------------------------------------------------------
 * Influence: what a record does to the minimiser, and bounds of the error
 *
 * The problem that NAME_influence_not_private and its kin (leave_one_out.h, stability.h) solve, the
 * error bounds of Kang et al. 2021 and 2023, mended, and the linear algebra that they use.
 *
 * F(w) = (1/N) (sum of phi over pairs) + (ridge/2) |w|^2, N = n (n-1) (n for pointwise losses).
 * s_i is the gradient of the terms of record i in the first part, H the Hessian of F. At a
 * minimiser one Newton step of F without record i gives (Kang et al. 2021, eq. 4)
 *
 *     w_-i - w = H^-1 s_i                                        when N is kept
 *     w_-i - w = H^-1 (r s_i + (r - 1) ridge w), r = n/(n-2)     when N becomes (n-1)(n-2)
 *
 * since the ridge is not divided by N; pointwise r = n/(n-1). With H_-i, the Hessian without record
 * i, in place of H the step is exact for parabolas. As printed, (4) is for the first of the two;
 * used for the second it is wrong at first order.
 *
 * All of it reads records and adds no noise: not private.
 * ---------------------------------------------------------------------------------------------- */

/* What phi is applied to; s are scores <x, w>. Positives stand first in the rows, but for
 * RESIDUAL. Pairs of one class have no gradient. */
typedef enum dppair_influence_risk {
  DPPAIR_INFLUENCE_IND = 0,  /* phi(s - s') of a positive and a negative, one order */
  DPPAIR_INFLUENCE_DIFF = 1, /* phi((y - y')(s - s')), y = +-1, both orders */
  DPPAIR_INFLUENCE_SIGN = 2, /* phi(sign(y - y')(s - s')), both orders */
  DPPAIR_INFLUENCE_RESIDUAL =
      3, /* phi((y - y') - (s - s')) over all ordered pairs; y of the rows */
  DPPAIR_INFLUENCE_POINTWISE = 4 /* phi(y s) over records, y = +-1 (Kang et al. 2023) */
} dppair_influence_risk;

/* A problem, and how its records are left out. What is not given is 0 or NULL. */
typedef struct dppair_influence {
  dppair_influence_risk risk;
  double ridge;         /* > 0 */
  const double *params; /* of the loss */
  int renormalised;     /* 1: without a record the sum is divided by (n-1)(n-2) (pointwise: n-1), as
                         * retraining does; 0: by the N of all records */
  int own_hessian;      /* 1: H_-i; 0: H for all records */
  const dppair_curvature
      *slopes; /* states of order 1 and 2 from NAME_curvature_init, for near-linear */
  const dppair_curvature *curves; /* sums; NULL: loops. Their caps are of what phi's margins are
                                   * differences of: DIFF's are twice the scores */
} dppair_influence;

/* What NAME_stability_not_private finds. All are n times a beta_n. */
typedef struct dppair_stability {
  double
      elastic;   /* plug-in: the largest mean over pairs of n |(w_-i - w) . gradient of the pair| */
  size_t record; /* which record has it */
  double mean;   /* the mean of the same over the records */
  double moved;  /* plug-in of the uniform one: n G max |w_-i - w| */
  double rigorous; /* no removal from these data moves a pair's loss by more than this over n */
  double uniform;  /* nor one from any data of n records: dppair_stability_uniform */
} dppair_stability;

/* A problem opened: leave.h. Sides 0 and 1 have n0 and n1 records; side 1 begins at u[first]. */
typedef struct dppair_leave_ {
  const dppair_rows_f64 *rows;
  const dppair_influence *of;
  size_t n, d, n0, n1, first;
  double scale;    /* F is scale times the sum over pairs */
  double ratio;    /* r of the formulas above, 1 where N is kept */
  double longest;  /* |xi| at most */
  double farthest; /* |u| at most */
  int convex;      /* known to be */
  const double *t0, *t1;
  double *u, *t, *zero, *a, *b, *c; /* n + 1 numbers each */
  double *data, *h, *l;             /* d x d: the Hessian without and with the ridge, a factor */
  double *v;                        /* 8 d */
  double *first_moments, *second_moments;
} dppair_leave_;

DPPAIR_FP_BEGIN_

/*
 * *bound = how far (w_-i - w) is from H^-1 s_i at most, N kept: with M = n/2 for pairs, M = n for
 * pointwise losses,
 *
 *     (2 L G + C G^2/zeta)/(2 zeta^2 M^2)
 *
 *   lipschitz, smoothness, change   G, L, C: of the loss of a pair (or record), its gradient, its
 *                                   Hessian
 *   zeta   the least eigenvalue of the Hessian for ALL weights in [0, 1] of record i: the ridge if
 *          phi is convex, else dppair_influence_floor
 *
 * Proof: let w(e) minimise F less e times the terms of i. Then w' = H^-1 s_i there, |s_i| <= G/M,
 * |grad s_i| <= L/M, hence |w''| <= (2 (L/M) |w'| + C |w'|^2)/zeta, and Taylor's remainder is half
 * of it. Kang et al. 2023, Theorem 4, for pointwise losses has no 1/2, and asks for zeta at w only.
 * Errors zero it: NULL, SIZE (n < 2), DOMAIN (constants negative or not finite, zeta not positive),
 * OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_influence_bound(double *bound, size_t n,
                                                                  dppair_influence_risk risk,
                                                                  double lipschitz,
                                                                  double smoothness, double change,
                                                                  double zeta) {
  const double m = risk == DPPAIR_INFLUENCE_POINTWISE ? (double)n : 0.5 * (double)n;
  const double g = lipschitz, scale = zeta * m;
  if (!bound) return DPPAIR_ERR_NULL;
  *bound = 0.0;
  if (n < 2) return DPPAIR_ERR_SIZE;
  if (!(g >= 0.0) || !(smoothness >= 0.0) || !(change >= 0.0) || !(zeta > 0.0) ||
      !dppair_isfinite_f64(g) || !dppair_isfinite_f64(smoothness) || !dppair_isfinite_f64(change) ||
      !dppair_isfinite_f64(zeta))
    return DPPAIR_ERR_DOMAIN;
  *bound = (2.0 * smoothness * g + change * g * g / zeta) / (2.0 * scale * scale);
  *bound *= 1.0 + 16.0 * DBL_EPSILON;
  if (dppair_isfinite_f64(*bound)) return DPPAIR_OK;
  *bound = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* *zeta = a bound from below of the least eigenvalue of the Hessian along the whole path on which
 * record i is left out, when it is `least` at the minimiser: the larger root of
 * zeta = least - L/M - C G/(M zeta), M as above. Errors zero it: those of dppair_influence_bound,
 * NO_PROOF (there is none: n is too small). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_influence_floor(double *zeta, size_t n,
                                                                  dppair_influence_risk risk,
                                                                  double lipschitz,
                                                                  double smoothness, double change,
                                                                  double least) {
  const double m = risk == DPPAIR_INFLUENCE_POINTWISE ? (double)n : 0.5 * (double)n;
  const double left = least - smoothness / m, square = left * left - 4.0 * change * lipschitz / m;
  double unused;
  dppair_status status;
  if (!zeta) return DPPAIR_ERR_NULL;
  *zeta = 0.0;
  status = dppair_influence_bound(&unused, n, risk, lipschitz, smoothness, change, least);
  if (status != DPPAIR_OK) return status;
  if (!(left > 0.0) || !(square >= 0.0)) return DPPAIR_ERR_NO_PROOF;
  *zeta = 0.5 * (left + dppair_sqrt_(square)) * (1.0 - 16.0 * DBL_EPSILON);
  return DPPAIR_OK;
}

/* *beta = n beta_n^U: n times the most that leaving a record out of ANY n records moves the loss of
 * a pair, for convex phi: 2 G^2/ridge when N is kept; renormalised G (2 G + 2 ridge |w|) n/((n-2)
 * ridge), where `norm` bounds |w|. (Pointwise: half of G^2, of ridge |w|, and n - 1 for n - 2.)
 * Proof: F_-i is ridge-strongly convex, and at w its gradient is the right-hand side above, whose
 * s_i is at most 2 G/n long. Where phi is flat and nothing is added to it no such bound exists.
 * Errors zero it: NULL, SIZE (n < 3), DOMAIN, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_stability_uniform(double *beta, size_t n,
                                                                    dppair_influence_risk risk,
                                                                    double lipschitz, double ridge,
                                                                    int renormalised, double norm) {
  const double both = risk == DPPAIR_INFLUENCE_POINTWISE ? 1.0 : 2.0, g = lipschitz;
  double moved;
  if (!beta) return DPPAIR_ERR_NULL;
  *beta = 0.0;
  if (n < 3) return DPPAIR_ERR_SIZE;
  if (!(g >= 0.0) || !dppair_isfinite_f64(g) || !(ridge > 0.0) || !dppair_isfinite_f64(ridge) ||
      (renormalised && (!(norm >= 0.0) || !dppair_isfinite_f64(norm))))
    return DPPAIR_ERR_DOMAIN;
  moved = both * g / ridge;
  if (renormalised) moved = (moved + both * norm) * ((double)n / ((double)n - both));
  *beta = g * moved * (1.0 + 16.0 * DBL_EPSILON);
  if (dppair_isfinite_f64(*beta)) return DPPAIR_OK;
  *beta = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* l[d][d] = the Cholesky factor of h[d][d], in its lower triangle. 0 when h is not positive. */
DPPAIR_FN_ int dppair_cholesky_(double *l, const double *h, size_t d) {
  size_t i, j, k;
  for (i = 0; i < d; i++)
    for (j = 0; j <= i; j++) {
      double sum = h[i * d + j];
      for (k = 0; k < j; k++) sum -= l[i * d + k] * l[j * d + k];
      if (i > j)
        l[i * d + j] = sum / l[j * d + j];
      else if (sum > 0.0 && dppair_isfinite_f64(sum))
        l[i * d + i] = dppair_sqrt_(sum);
      else
        return 0;
    }
  return 1;
}

/* x becomes the solution of L L^T x = x. */
DPPAIR_FN_ void dppair_cholesky_solve_(double *x, const double *l, size_t d) {
  size_t i, k;
  for (i = 0; i < d; i++) {
    for (k = 0; k < i; k++) x[i] -= l[i * d + k] * x[k];
    x[i] /= l[i * d + i];
  }
  for (i = d; i-- > 0;) {
    for (k = i + 1; k < d; k++) x[i] -= l[k * d + i] * x[k];
    x[i] /= l[i * d + i];
  }
}

/* |b - h x| for the symmetric h[d][d]; not less, by its own rounding. */
DPPAIR_FN_ double dppair_residual_(const double *h, const double *x, const double *b, size_t d) {
  double square = 0.0, rounding = 0.0;
  size_t i, k;
  for (i = 0; i < d; i++) {
    double sum = b[i], size = dppair_fabs_(b[i]);
    for (k = 0; k < d; k++) {
      sum -= h[i * d + k] * x[k];
      size += dppair_fabs_(h[i * d + k] * x[k]);
    }
    square += sum * sum;
    rounding += size;
  }
  return dppair_sqrt_(square) * (1.0 + 4.0 * ((double)d + 4.0) * DBL_EPSILON) +
         ((double)d + 4.0) * DBL_EPSILON * rounding;
}

/* A bound from below of the least eigenvalue of the symmetric h[d][d] with the Cholesky factor l, 0
 * if none: for X near h^-1 it is at least (1 - |I - h X|)/|X|, in Frobenius norms. x: d numbers,
 * unit: d numbers. */
DPPAIR_FN_ double dppair_least_eigenvalue_(const double *l, const double *h, size_t d, double *x,
                                           double *unit) {
  double size = 0.0, off = 0.0;
  size_t k, i;
  for (k = 0; k < d; k++) {
    double residual;
    for (i = 0; i < d; i++) x[i] = unit[i] = i == k ? 1.0 : 0.0;
    dppair_cholesky_solve_(x, l, d);
    residual = dppair_residual_(h, x, unit, d);
    off += residual * residual;
    for (i = 0; i < d; i++) size += x[i] * x[i];
  }
  off = dppair_sqrt_(off) * (1.0 + 1e-10);
  return off < 1.0 && size > 0.0 ? (1.0 - off) / (dppair_sqrt_(size) * (1.0 + 1e-10)) : 0.0;
}

/* out = A v, as far as it could be computed. */
typedef dppair_status dppair_apply_(void *context, double *out, const double *v);

/* Conjugate gradients: x with A x = b for a positive A, and *residual = |b - A x|, computed anew.
 * room: 3 d numbers. NOT_FINITE (b), NO_PROOF where A is not positive along a direction,
 * NO_CONVERGENCE where 4 d + 100 steps leave more than 1e-6 |b|, errors of A. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_conjugate_(double *x, double *residual,
                                                             const double *b, size_t d,
                                                             dppair_apply_ *apply, void *context,
                                                             double *room) {
  const double size = dppair_norm_f64(b, d); /* for b/size, lest squares underflow */
  double *r = room, *p = room + d, *q = room + 2 * d, square = 0.0;
  size_t step, k;
  dppair_status status = DPPAIR_OK;
  *residual = 0.0;
  if (!dppair_isfinite_f64(size)) return DPPAIR_ERR_NOT_FINITE;
  for (k = 0; k < d; k++) {
    x[k] = 0.0;
    r[k] = p[k] = size > 0.0 ? b[k] / size : 0.0;
    square += r[k] * r[k];
  }
  for (step = 0; step < 4 * d + 100 && square > 1e-28; step++) {
    double curve = 0.0, next = 0.0, along;
    status = apply(context, q, p);
    if (status != DPPAIR_OK) return status;
    for (k = 0; k < d; k++) curve += p[k] * q[k];
    if (!(curve > 0.0)) return DPPAIR_ERR_NO_PROOF;
    along = square / curve;
    for (k = 0; k < d; k++) {
      x[k] += along * p[k];
      r[k] -= along * q[k];
      next += r[k] * r[k];
    }
    for (k = 0; k < d; k++) p[k] = r[k] + next / square * p[k];
    square = next;
  }
  for (k = 0; k < d; k++) x[k] *= size;
  status = apply(context, q, x);
  for (k = 0; k < d; k++) q[k] = b[k] - q[k];
  *residual = dppair_norm_f64(q, d);
  if (status == DPPAIR_OK && !(*residual <= 1e-6 * size)) status = DPPAIR_ERR_NO_CONVERGENCE;
  return status;
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

#endif /* DPPAIR_INFLUENCE_H */
#endif /* DPPAIR_DECLARE_ONLY */
