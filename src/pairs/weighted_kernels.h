/* ------------------------------------------------------------------------------------------------
 * The loops over weighted pairs
 *
 * Sums over pairs of weighted records, and over the pairs inside each user, for one instance and
 * tier. They share the constants of loops.h.
 * ---------------------------------------------------------------------------------------------- */

/* NAME_weighted_TIER for at most DPT_FLUSH pairs, of which lanes are then full: np rows of fewer
 * vectors would leave most of them empty. Sums in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_weighted_few_TIER_(double *a, double *b, const DPV_R *sp,
                                                         const double *wp, size_t np,
                                                         const DPV_R *sn, const double *wn,
                                                         size_t nn, double sign,
                                                         const double *params) {
  DPV_R c[DPT_FLUSH + DPV_LANES];
  double share[DPT_FLUSH], column[DPT_FLUSH];
  const size_t m = np * nn;
  size_t k = 0;
  (void)params;
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) c[k++] = sp[i] - sn[j];
  for (; k % DPV_LANES != 0; k++) c[k] = c[0];
  for (k = 0; k < m; k += DPV_LANES) DPV_STORE(c + k, DPPAIR_LOSS_SLOPE(DPV_LOAD(c + k)));
  for (size_t j = 0; j < nn; j++) {
    share[j] = dppair_share_(wn[j]);
    column[j] = 0.0;
  }
  k = 0;
  for (size_t i = 0; i < np; i++) {
    const double own = sign * dppair_share_(wp[i]);
    double row = 0.0;
    for (size_t j = 0; j < nn; j++, k++) {
      row += (double)c[k] * share[j];
      column[j] += (double)c[k] * own;
    }
    a[i] += own * row;
  }
  for (size_t j = 0; j < nn; j++) b[j] -= share[j] * column[j];
}

/*
 * Adds to a and b `sign` times what NAME_coeffs computes, over weighted partners and times the own
 * weight: a[i] += sign wp[i] sum over j of wn[j] c_ij, and b alike. Weights count as dppair_share_
 * says. One slope a pair, from the difference of its scores; sums in DPV_R over at most DPT_FLUSH
 * vectors or rows. A weight and a product are rounded there too: with the sum of the lanes no more
 * than 80 roundings, as in NAME_coeffs.
 */
DPPAIR_API void DPPAIR_NAME_weighted_TIER(double *a, double *b, const DPV_R *sp, const double *wp,
                                          size_t np, const DPV_R *sn, const double *wn, size_t nn,
                                          double sign, const double *params) {
  (void)params;
  if (np == 0 || nn == 0) return;
  if (np <= DPT_FLUSH / nn) {
    DPPAIR_NAME_weighted_few_TIER_(a, b, sp, wp, np, sn, wn, nn, sign, params);
    return;
  }
  for (size_t j0 = 0; j0 < nn; j0 += DPT_FLUSH * DPV_LANES) {
    const size_t count = nn - j0 > DPT_FLUSH * DPV_LANES ? DPT_FLUSH * DPV_LANES : nn - j0;
    const size_t vectors = (count + DPV_LANES - 1) / DPV_LANES;
    DPV_T right[DPT_FLUSH], columns[DPT_FLUSH];
    DPV_R share[DPT_FLUSH * DPV_LANES];
    for (size_t j = 0; j < vectors * DPV_LANES; j++)
      share[j] = j < count ? (DPV_R)dppair_share_(wn[j0 + j]) : (DPV_R)0;
    DPPAIR_NAME_block_TIER_(right, NULL, sn + j0, count, params);
    for (size_t i0 = 0; i0 < np; i0 += DPT_FLUSH) {
      const size_t end = np - i0 > DPT_FLUSH ? i0 + DPT_FLUSH : np;
      for (size_t v = 0; v < vectors; v++) columns[v] = DPV_SET((DPV_R)0);
      for (size_t i = i0; i < end; i++) {
        const double own = dppair_share_(wp[i]);
        const DPV_T s = DPV_SET(sp[i]), left = DPV_SET((DPV_R)own);
        DPV_T row = DPV_SET((DPV_R)0);
        for (size_t v = 0; v < vectors; v++) {
          const DPV_T c = DPPAIR_LOSS_SLOPE(DPV_SUB(s, right[v]));
          row = DPV_ADD(row, DPV_MUL(c, DPV_LOAD(share + v * DPV_LANES)));
          columns[v] = DPV_SUB(columns[v], DPV_MUL(c, left));
        }
        a[i] += sign * own * (double)DPV_SUM(row);
      }
      for (size_t v = 0; v < vectors; v++) {
        const size_t at = v * DPV_LANES, rest = count - at < DPV_LANES ? count - at : DPV_LANES;
        DPV_R t[DPV_LANES];
        DPV_STORE(t, columns[v]);
        for (size_t l = 0; l < rest; l++)
          b[j0 + at + l] += sign * dppair_share_(wn[j0 + at + l]) * (double)t[l];
      }
    }
  }
}

/* Users wait until each lane has one. s[side] has record i of all of them at i DPV_LANES, w[side]
 * its weight, 0 past the user's last record. */
typedef struct DPPAIR_NAME_lanes_TIER_ {
  DPV_R s[2][DPPAIR_OWN_ * DPV_LANES], w[2][DPPAIR_OWN_ * DPV_LANES];
  DPV_R size[2][DPV_LANES]; /* of each user's classes, and the largest */
  size_t from[2][DPV_LANES], most[2], user[DPV_LANES], used;
} DPPAIR_NAME_lanes_TIER_;

/* Makes lanes complete that have scores: fills them up with a score of the lane, or of lane 0; sets
 * their weights to 1/k where none are given; remote: the largest |s| of each lane. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_lanes_fill_TIER_(DPPAIR_NAME_lanes_TIER_ *q, DPV_R *remote,
                                                       int given) {
  const DPV_T zero = DPV_SET((DPV_R)0), one = DPV_SET((DPV_R)1);
  DPV_T share, size[2], most = zero;
  for (size_t l = q->used; l < DPV_LANES; l++) q->size[0][l] = q->size[1][l] = 0;
  for (int side = 0; side < 2; side++) size[side] = DPV_LOAD(q->size[side]);
  share = DPV_DIV(one, DPV_MAX(one, DPV_ADD(size[0], size[1])));
  for (int side = 0; side < 2; side++) {
    const DPV_M some = DPV_LT(zero, size[side]);
    const DPV_T first = DPV_SEL(some, DPV_LOAD(q->s[side]), DPV_SET(q->s[side][0]));
    for (size_t i = 0; i < q->most[side]; i++) {
      const DPV_M in = DPV_LT(DPV_SET((DPV_R)i), size[side]);
      const DPV_T v = DPV_SEL(in, DPV_LOAD(q->s[side] + i * DPV_LANES), first);
      const DPV_T w = given ? DPV_LOAD(q->w[side] + i * DPV_LANES) : share;
      DPV_STORE(q->s[side] + i * DPV_LANES, v);
      DPV_STORE(q->w[side] + i * DPV_LANES, DPV_SEL(in, w, zero));
      most = DPV_MAX(DPV_ABS(v), most);
    }
  }
  DPV_STORE(remote, most);
}

/* Puts the sums over the own pairs of each lane, weighted, in place of the weights: at most
 * DPPAIR_OWN_ additions, and two products, in DPV_R. What a lane gets is a function of that lane.
 */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_lanes_sum_TIER_(DPPAIR_NAME_lanes_TIER_ *q,
                                                      const double *params) {
  DPV_T column[DPPAIR_OWN_];
  (void)params;
  for (size_t j = 0; j < q->most[1]; j++) column[j] = DPV_SET((DPV_R)0);
  for (size_t i = 0; i < q->most[0]; i++) {
    const DPV_T left = DPV_LOAD(q->s[0] + i * DPV_LANES), own = DPV_LOAD(q->w[0] + i * DPV_LANES);
    DPV_T row = DPV_SET((DPV_R)0);
    for (size_t j = 0; j < q->most[1]; j++) {
      const DPV_T c = DPPAIR_LOSS_SLOPE(DPV_SUB(left, DPV_LOAD(q->s[1] + j * DPV_LANES)));
      row = DPV_ADD(row, DPV_MUL(c, DPV_LOAD(q->w[1] + j * DPV_LANES)));
      column[j] = DPV_SUB(column[j], DPV_MUL(c, own));
    }
    DPV_STORE(q->w[0] + i * DPV_LANES, DPV_MUL(own, row));
  }
  for (size_t j = 0; j < q->most[1]; j++) {
    DPV_R *const w = q->w[1] + j * DPV_LANES;
    DPV_STORE(w, DPV_MUL(DPV_LOAD(w), column[j]));
  }
}

/* Subtracts from a and b the own pairs of users *next, *next + 1, ..., who have at most
 * DPPAIR_OWN_ records in each class and no score beyond the cap. weight: NULL for 1/k each. Those
 * who have own pairs, but more records or such a score, are listed in left, *others of them; when
 * that may be full next, this ends, with *next behind the last user that was looked at. */
DPPAIR_API void DPPAIR_NAME_own_TIER(size_t *next, size_t *left, size_t *others, double *a,
                                     double *b, const DPV_R *sp, const DPV_R *sn,
                                     const double *weight, const dppair_groups *g, double cap,
                                     const double *params) {
  const double *const weights[2] = {weight, weight ? weight + g->positive[g->count] : NULL};
  const DPV_R *const scores[2] = {sp, sn};
  const size_t *const places[2] = {g->positive, g->negative};
  double *const to[2] = {a, b};
  DPPAIR_NAME_lanes_TIER_ q;
  DPV_R remote[DPV_LANES];
  size_t k = *next;
  memset(&q, 0, sizeof q);
  *others = 0;
  while (k < g->count && *others + DPV_LANES < DPPAIR_LEFT_) {
    const size_t size[2] = {g->positive[k + 1] - g->positive[k],
                            g->negative[k + 1] - g->negative[k]};
    if (size[0] > 0 && size[1] > 0) {
      if (size[0] <= DPPAIR_OWN_ && size[1] <= DPPAIR_OWN_) {
        DPV_UNROLL_
        for (int side = 0; side < 2; side++) {
          const size_t from = places[side][k];
          for (size_t i = 0; i < DPPAIR_OWN_; i++) { /* few: not worth vectors */
            if (i >= size[side]) break;
            q.s[side][i * DPV_LANES + q.used] = scores[side][from + i];
            if (weight) q.w[side][i * DPV_LANES + q.used] = (DPV_R)weights[side][from + i];
          }
          q.from[side][q.used] = from;
          q.size[side][q.used] = (DPV_R)size[side];
          if (size[side] > q.most[side]) q.most[side] = size[side];
        }
        q.user[q.used++] = k;
      } else {
        left[(*others)++] = k;
      }
    }
    k++;
    if (q.used == 0 || (q.used < DPV_LANES && k < g->count && *others + DPV_LANES < DPPAIR_LEFT_))
      continue;
    DPPAIR_NAME_lanes_fill_TIER_(&q, remote, weight != NULL);
    DPPAIR_NAME_lanes_sum_TIER_(&q, params);
    for (size_t l = 0; l < q.used; l++) {
      if ((double)remote[l] > cap) {
        left[(*others)++] = q.user[l];
        continue;
      }
      DPV_UNROLL_
      for (int side = 0; side < 2; side++) {
        double *const sum = to[side] + q.from[side][l];
        const size_t count = (size_t)q.size[side][l];
        for (size_t i = 0; i < DPPAIR_OWN_; i++) {
          if (i >= count) break;
          sum[i] -= (double)q.w[side][i * DPV_LANES + l];
        }
      }
    }
    q.used = q.most[0] = q.most[1] = 0;
  }
  *next = k;
}
