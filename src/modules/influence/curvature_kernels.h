/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API void DPPAIR_NAME_curvature_TIER(double *a, double *b, const DPV_R *sp, const DPV_R *tp,
                                           size_t np, const DPV_R *sn, const DPV_R *tn, size_t nn,
                                           int order, const double *params) {
  if (order == 2)
    DPPAIR_NAME_differences_TIER_(a, b, sp, tp, np, sn, tn, nn, 2, params);
  else
    DPPAIR_NAME_differences_TIER_(a, b, sp, tp, np, sn, tn, nn, 1, params);
}

/* a[i] = the sum over j of |phi'(sp[i] - sn[j]) (tp[i] - tn[j])|, b[j] = minus that over i. */
DPPAIR_API void DPPAIR_NAME_sizes_TIER(double *a, double *b, const DPV_R *sp, const DPV_R *tp,
                                       size_t np, const DPV_R *sn, const DPV_R *tn, size_t nn,
                                       const double *params) {
  DPPAIR_NAME_differences_TIER_(a, b, sp, tp, np, sn, tn, nn, 0, params);
}
#undef DPT_TURN
#endif
