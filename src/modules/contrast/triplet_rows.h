/* ------------------------------------------------------------------------------------------------
 * Losses of whole rows: one anchor
 *
 * For one instance and tier. A row holds the similarities of an anchor with all candidates; its
 * positives and negatives are written side by side as scores, and what the loss does is that of a
 * query of a ranking: derivatives c[0] in the positives' scores, c[1] in the negatives'. They
 * replace the similarities in the row. Equal similarities have equal shares of a derivative, so no
 * result depends on the order of records but for rounding.
 * ---------------------------------------------------------------------------------------------- */

/* phi and phi' at one margin. */
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_triplet_phi_TIER_(DPV_R u, const double *params) {
  DPV_R v[DPV_LANES];
  (void)params;
  DPV_STORE(v, DPPAIR_LOSS_VALUE(DPV_SET(u)));
  return v[0];
}
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_triplet_slope_TIER_(DPV_R u, const double *params) {
  DPV_R v[DPV_LANES];
  (void)params;
  DPV_STORE(v, DPPAIR_LOSS_SLOPE(DPV_SET(u)));
  return v[0];
}

/* Writes the scores of the positives (side 0) and negatives (1) of anchor i, and whose they are;
 * number[side] counts them. Past the negatives is a vector of infinities. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_split_TIER_(size_t *number,
                                                         const DPPAIR_NAME_triplet_ *t,
                                                         const DPV_R *row, size_t i) {
  const double *offset = t->contrast->offset;
  const int labels = t->contrast->positives == DPPAIR_POSITIVE_LABEL;
  const DPV_R y = labels ? t->side[0].rows->y[i] : 0, *label = labels ? t->side[1].rows->y : NULL;
  size_t count[2] = {0, 0}, j;
  for (j = 0; j < t->m; j++) {
    const DPV_R v = row[j] * t->inverse, s = offset ? (DPV_R)((double)v - offset[j]) : v;
    const size_t like = labels ? (size_t) !((label[j] < y) | (label[j] > y))
                               : (size_t)DPPAIR_NAME_triplet_alike_(t, i, j);
    const size_t own = (size_t)((j == i) & t->one), p = count[0], q = count[1];
    t->score[0][p] = s;
    t->score[1][q] = s;
    t->at[0][p] = (uint32_t)j;
    t->at[1][q] = (uint32_t)j;
    count[0] = p + (like & (own ^ 1));
    count[1] = q + ((like ^ 1) & (own ^ 1));
  }
  DPV_STORE(t->score[1] + count[1], DPV_SET((DPV_R)HUGE_VAL));
  number[0] = count[0];
  number[1] = count[1];
}

/* Whether sorting is faster than all pairs, which have the same sums. */
#define DPT_PAIRS_ (DPPAIR_F64_ ? 120.0 : 240.0)

/* All triplets of the anchor: c, or its loss where `value` is not NULL. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_all_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                       const size_t *number, double *value) {
  const size_t np = number[0], nn = number[1];
  for (size_t k = 0; k < np; k++) t->score[0][k] -= t->margin;
  if (value) {
    DPPAIR_NAME_risk_not_private_TIER(value, t->score[0], np, t->score[1], nn, t->params);
    return;
  }
#if DPPAIR_SORTED_
  if ((double)np * (double)nn > DPT_PAIRS_ * ((double)np + (double)nn)) {
    const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(t->params);
    dppair_fast f;
    dppair_status status;
    memset(&f, 0, sizeof f);
    f.capacity = t->ld;
    f.score_cap = DBL_MAX;
    f.work = t->sorted;
    dppair_pieces_coeffs_TIER(&status, t->c[0], t->c[1], t->score[0], np, t->score[1], nn, &f,
                              pieces, (int)(sizeof pieces / sizeof *pieces), !DPPAIR_F64_, NULL);
    return;
  }
#endif
  DPPAIR_NAME_coeffs_TIER(t->c[0], t->c[1], t->score[0], np, t->score[1], nn, t->params);
}
#undef DPT_PAIRS_

/* The negative of a positive of score s: the largest score below s, else (*least) the smallest one,
 * which the caller knows. */
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_triplet_below_TIER_(const DPV_R *scores, size_t n, DPV_R s,
                                                           DPV_R least) {
  const DPV_T limit = DPV_SET(s), none = DPV_SET((DPV_R)-HUGE_VAL);
  DPV_R lanes[DPV_LANES], best = (DPV_R)-HUGE_VAL;
  DPV_T most = none;
  for (size_t k = 0; k < n; k += DPV_LANES) {
    const DPV_T v = DPV_LOAD(scores + k);
    most = DPV_MAX(DPV_SEL(DPV_LT(v, limit), v, none), most);
  }
  DPV_STORE(lanes, most);
  for (int l = 0; l < DPV_LANES; l++) best = lanes[l] > best ? lanes[l] : best;
  return best < least ? least : best;
}

/* c[k] += `all`, in equal shares, for those of n scores that are v; past them are other numbers. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_triplet_share_TIER_(double *c, const DPV_R *scores, size_t n,
                                                          DPV_R v, DPV_R all) {
  const DPV_T equal = DPV_SET(v), zero = DPV_SET(0), one = DPV_SET(1);
  DPV_T count = zero, share;
  for (size_t k = 0; k < n; k += DPV_LANES)
    count = DPV_ADD(count, DPV_SEL(DPV_EQ(DPV_LOAD(scores + k), equal), one, zero));
  share = DPV_SET(all / DPV_SUM(count));
  for (size_t k = 0; k < n; k += DPV_LANES)
    dpv_add_wide(c + k, DPV_SEL(DPV_EQ(DPV_LOAD(scores + k), equal), share, zero));
}

/* One negative for each positive: DPPAIR_TRIPLES_SEMI_HARD. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_semi_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                        const size_t *number, double *value) {
  const size_t np = number[0], nn = number[1];
  const DPV_R *sn = t->score[1];
  DPV_R least = (DPV_R)HUGE_VAL;
  for (size_t k = 0; k < nn; k++) least = sn[k] < least ? sn[k] : least;
  for (size_t k = 0; k < nn + DPV_LANES; k++) t->c[1][k] = 0.0;
  for (size_t k = 0; k < np; k++) {
    const DPV_R s = t->score[0][k];
    const DPV_R n = DPPAIR_NAME_triplet_below_TIER_(sn, nn, s, least), u = (s - t->margin) - n;
    if (value) {
      *value += (double)DPPAIR_NAME_triplet_phi_TIER_(u, t->params);
    } else {
      const DPV_R slope = DPPAIR_NAME_triplet_slope_TIER_(u, t->params);
      t->c[0][k] = (double)slope;
      if (slope < 0 || slope > 0) DPPAIR_NAME_triplet_share_TIER_(t->c[1], sn, nn, n, -slope);
    }
  }
}

/* The farthest positive and the nearest negative: DPPAIR_TRIPLES_HARDEST. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_hard_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                        const size_t *number, double *value) {
  DPV_R end[2] = {t->score[0][0], t->score[1][0]}, slope, u;
  double share[2];
  size_t equal[2] = {0, 0};
  for (size_t k = 0; k < number[0]; k++) end[0] = t->score[0][k] < end[0] ? t->score[0][k] : end[0];
  for (size_t k = 0; k < number[1]; k++) end[1] = t->score[1][k] > end[1] ? t->score[1][k] : end[1];
  u = (end[0] - t->margin) - end[1];
  if (value) {
    *value = (double)DPPAIR_NAME_triplet_phi_TIER_(u, t->params);
    return;
  }
  slope = DPPAIR_NAME_triplet_slope_TIER_(u, t->params);
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < number[side]; k++)
      equal[side] += (size_t) !((t->score[side][k] < end[side]) | (t->score[side][k] > end[side]));
  share[0] = (double)slope / (double)equal[0];
  share[1] = -(double)slope / (double)equal[1];
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < number[side]; k++)
      t->c[side][k] =
          !((t->score[side][k] < end[side]) | (t->score[side][k] > end[side])) ? share[side] : 0.0;
}

/* ln of the sum over negatives of e^(margin + s): within double sums of exponentials in DPV_R. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_triplet_log_TIER_(const DPPAIR_NAME_triplet_ *t, size_t nn) {
  const DPV_R *sn = t->score[1];
  double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0}, log[8];
  DPV_R most = sn[0];
  for (size_t k = 0; k < nn; k++) most = sn[k] > most ? sn[k] : most;
  for (size_t k = 0; k < nn; k += DPV_LANES) {
    const size_t rest = nn - k;
    const DPV_T v = rest < DPV_LANES ? DPV_LOADN(sn + k, rest, (DPV_R)-HUGE_VAL) : DPV_LOAD(sn + k);
    const DPV_M some = DPV_LT(DPV_SET((DPV_R)-HUGE_VAL), v);
    const DPV_T e = DPV_EXP(DPV_SUB(DPV_SEL(some, v, DPV_SET(most)), DPV_SET(most)));
    dpv_add_wide8(sum, DPV_SEL(some, e, DPV_SET(0)));
  }
  for (size_t l = 1; l < 8; l++) sum[0] += sum[l];
  dpd_store(log, dpd_log(dpd_set(sum[0])));
  return log[0] + (double)most + t->contrast->margin;
}

/* Lifted structure: for the pair of the anchor and its positive, J = ln(e^a + e^b) - s with the
 * logarithms a and b of the two; slope = phi'(-J), share = e^a/(e^a + e^b). Returns -J. */
DPPAIR_FORCE_INLINE_ double DPPAIR_NAME_triplet_lift_TIER_(double *share, double a, double b,
                                                           double s) {
  double log[8], part[8];
  dpd_store(log, dpd_softplus(dpd_set(b - a)));
  dpd_store(part, dpd_sigmoid(dpd_set(a - b)));
  *share = part[0];
  return s - (a + log[0]);
}

/* The row of an anchor in one of the sweeps of lifted structure. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_lifted_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                          const size_t *number, size_t i) {
  const size_t np = number[0], nn = number[1];
  const int value = t->sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_value_);
  double sum = 0.0;
  DPV_R shift;
  if (t->sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_log_)) {
    t->logs[i] = DPPAIR_NAME_triplet_log_TIER_(t, nn);
    return;
  }
  for (size_t k = 0; k < np; k++) {
    double share;
    const double u = DPPAIR_NAME_triplet_lift_TIER_(&share, t->logs[i], t->logs[t->at[0][k]],
                                                    (double)t->score[0][k]);
    if (value) {
      sum += 0.5 * (double)DPPAIR_NAME_triplet_phi_TIER_((DPV_R)u, t->params);
    } else {
      const double slope = (double)DPPAIR_NAME_triplet_slope_TIER_((DPV_R)u, t->params);
      t->c[0][k] = 0.5 * slope;
      sum -= slope * share;
    }
  }
  if (t->sweep != DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_)) {
    t->value[i] = sum;
    return;
  }
  shift = (DPV_R)(t->contrast->margin - t->logs[i]);
  for (size_t k = 0; k < nn; k += DPV_LANES) {
    const size_t rest = nn - k < DPV_LANES ? nn - k : DPV_LANES;
    DPV_R e[DPV_LANES];
    DPV_STORE(e, DPV_EXP(DPV_ADD(DPV_LOADN(t->score[1] + k, rest, 0), DPV_SET(shift))));
    for (size_t l = 0; l < rest; l++) t->c[1][k + l] = t->value[i] * (double)e[l];
  }
}

/* Writes c into the row, in the place of the similarities: the derivatives in inner products, but
 * for distances in minus their squares (halved, and over the distance where that is compared; 0
 * between equal records). */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_place_TIER_(const DPPAIR_NAME_triplet_ *t, DPV_R *row,
                                                         const size_t *number) {
  const int root = t->contrast->compare == DPPAIR_COMPARE_EUCLIDEAN;
  const double inverse = (double)t->inverse;
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; k < number[side]; k++) {
      DPV_R *const to = row + t->at[side][k];
      const double remote = -(double)*to, c = t->c[side][k] * inverse;
      *to = (DPV_R)(root ? (remote > 0.0 ? c / remote : 0.0) : c);
    }
}

/* The row of anchor i. Without a positive or a negative it has no triplet. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_row_TIER_(const DPPAIR_NAME_triplet_ *t, DPV_R *row,
                                                       size_t i) {
  double *value = t->sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_value_) ? t->value + i : NULL;
  size_t number[2];
  DPPAIR_NAME_triplet_split_TIER_(number, t, row, i);
  if (!t->lifted) t->value[i] = 0.0;
  if (number[0] > 0 && number[1] > 0) {
    if (t->lifted)
      DPPAIR_NAME_triplet_lifted_TIER_(t, number, i);
    else if (t->contrast->triples == DPPAIR_TRIPLES_SEMI_HARD)
      DPPAIR_NAME_triplet_semi_TIER_(t, number, value);
    else if (t->contrast->triples == DPPAIR_TRIPLES_HARDEST)
      DPPAIR_NAME_triplet_hard_TIER_(t, number, value);
    else
      DPPAIR_NAME_triplet_all_TIER_(t, number, value);
  } else {
    number[0] = number[1] = 0;
    t->value[i] = 0.0;
    memset(row, 0, t->ld * sizeof *row);
  }
  if (t->sweep != DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_)) return;
  DPPAIR_NAME_triplet_place_TIER_(t, row, number);
  if (t->one) row[i] = 0;
  for (size_t j = t->m; j < t->ld; j++) row[j] = 0;
}
