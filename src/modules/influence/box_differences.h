/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API void dppair_box_differences_TIER(dppair_status *status, double *a, double *b,
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
