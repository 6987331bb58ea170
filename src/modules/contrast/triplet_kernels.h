/* ------------------------------------------------------------------------------------------------
 * Losses of whole rows: the kernels
 *
 * For one instance and tier: similarities of a strip, the derivatives of one anchor's loss in its
 * similarities (rows.h), and their products with rows. Let W be the matrix of these derivatives,
 * anchors by candidates. A strip adds W Z to the sums of its anchors and W^T Z to those of all
 * candidates; both products are chains in the data's type, a block or a strip long, and are added
 * up in double (float: as two floats, of 48 bits).
 * ---------------------------------------------------------------------------------------------- */

/* out[r][f] = the sum over t < steps of s[r][t] v[t][f] or, `across`, of s[t][r] v[t][f], for
 * `rows` rows and t->width numbers f; rows of s begin t->ld apart. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_sums_TIER_(const DPPAIR_NAME_triplet_ *t, DPV_R *out,
                                                        const DPV_R *v, const DPV_R *s, size_t rows,
                                                        size_t steps, int across) {
  for (size_t f = 0; f < t->width; f += DPT_W) {
    if (across)
      dpv_multiply(out + f, t->width, v + f, t->width, s, t->ld, rows, steps, 0);
    else
      dpv_multiply_rows(out + f, t->width, v + f, t->width, s, t->ld, rows, steps);
  }
}

/* sum[0..n) += v in double; n in whole vectors. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_triplet_wide_TIER_(double *sum, const DPV_R *v, size_t n) {
  for (size_t f = 0; f < n; f += DPV_LANES) dpv_add_wide(sum + f, DPV_LOAD(v + f));
}

/* The sum of record i of a side += v[0..d), numbers of the data's type or, `wide`, doubles. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_triplet_add_TIER_(const DPPAIR_NAME_triplet_side_ *side,
                                                        size_t i, size_t d, const DPV_R *v,
                                                        const double *wide) {
  DPV_R *hi = side->out + i * d;
  size_t f = 0;
#if DPPAIR_F64_
  for (; f + 8 <= d; f += 8)
    dpd_store(hi + f, dpd_add(dpd_load(hi + f), dpd_load(wide ? wide + f : v + f)));
  for (; f < d; f++) hi[f] += wide ? wide[f] : v[f];
#else
  DPV_R *low = side->low + i * d;
  for (; f + 8 <= d; f += 8) {
    const dpd_t sum = dpd_add(dpd_load_f32(hi + f), dpd_load_f32(low + f));
    const dpd_t all = dpd_add(sum, wide ? dpd_load(wide + f) : dpd_load_f32(v + f));
    dpd_store_f32(hi + f, all);
    dpd_store_f32(low + f, dpd_sub(all, dpd_load_f32(hi + f)));
  }
  for (; f < d; f++) {
    const double sum = (double)hi[f] + (double)low[f], all = sum + (wide ? wide[f] : (double)v[f]);
    hi[f] = (float)all;
    low[f] = (float)(all - (double)hi[f]);
  }
#endif
}

/* square[0..DPT_W) = the squared norms of a packed block, by the chain of an inner product: equal
 * rows have the distance 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_squares_TIER_(DPV_R *square, const DPV_R *block,
                                                           size_t d) {
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T sum = DPV_SET(0);
    for (size_t f = 0; f < d; f++) {
      const DPV_T v = DPV_LOAD(block + f * DPT_W + l);
      sum = DPV_FMA(v, v, sum);
    }
    DPV_STORE(square + l, sum);
  }
}

/* The squared norms of all rows of a side. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_norms_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                         const DPPAIR_NAME_triplet_side_ *side) {
  DPV_R square[3 * DPV_LANES];
  for (size_t i = 0; i < side->rows->n; i += DPT_W) {
    const size_t left = side->rows->n - i;
    DPPAIR_NAME_triplet_copy_(t->block, 1, DPT_W, side, i, DPT_W);
    DPPAIR_NAME_triplet_squares_TIER_(square, t->block, t->d);
    memcpy(side->square + i, square, (left < DPT_W ? left : DPT_W) * sizeof *square);
  }
}

/* t->s = the similarities of `count` anchors from i0 on with all candidates, before temperature and
 * offsets. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_strip_TIER_(const DPPAIR_NAME_triplet_ *t, size_t i0,
                                                         size_t count) {
  const int remote = DPPAIR_NAME_triplet_far_(t);
  const int root = t->contrast->compare == DPPAIR_COMPARE_EUCLIDEAN;
  const DPV_T zero = DPV_SET(0), two = DPV_SET(2);
  DPV_R square[3 * DPV_LANES];
  DPPAIR_NAME_triplet_copy_(t->left, 1, t->strip, &t->side[0], i0, count);
  for (size_t j0 = 0; j0 < t->m; j0 += DPT_W) {
    DPPAIR_NAME_triplet_copy_(t->block, 1, DPT_W, &t->side[1], j0, DPT_W);
    dpv_multiply(t->s + j0, t->ld, t->block, DPT_W, t->left, t->strip, count, t->d, 0);
    if (!remote) continue;
    DPPAIR_NAME_triplet_squares_TIER_(square, t->block, t->d);
    for (size_t i = 0; i < count; i++)
      for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
        const DPV_T both = DPV_ADD(DPV_SET(t->side[0].square[i0 + i]), DPV_LOAD(square + l));
        DPV_R *const s = t->s + i * t->ld + j0 + l;
        const DPV_T v = DPV_MIN(DPV_FMA(two, DPV_LOAD(s), DPV_NEG(both)), zero);
        DPV_STORE(s, root ? DPV_NEG(DPV_SQRT(DPV_NEG(v))) : v);
      }
  }
}

/* Adds the products of the strip's weights with the candidates' rows, and the sums of its weights,
 * to t->own: those of its own records. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_own_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                       size_t count) {
  memset(t->own, 0, count * t->width * sizeof *t->own);
  memset(t->own_weight, 0, count * sizeof *t->own_weight);
  for (size_t j0 = 0; j0 < t->m; j0 += DPT_W) {
    const size_t left = t->m - j0, rows = left < DPT_W ? left : DPT_W;
    DPPAIR_NAME_triplet_copy_(t->block, t->width, 1, &t->side[1], j0, DPT_W);
    DPPAIR_NAME_triplet_sums_TIER_(t, t->tile, t->block, t->s + j0, count, rows, 0);
    DPPAIR_NAME_triplet_wide_TIER_(t->own, t->tile, count * t->width);
    for (size_t i = 0; i < count; i++) {
      const DPV_R *w = t->s + i * t->ld + j0;
      t->own_weight[i] += (double)DPV_SUM(
          DPV_ADD(DPV_ADD(DPV_LOAD(w), DPV_LOAD(w + DPV_LANES)), DPV_LOAD(w + 2 * DPV_LANES)));
    }
  }
}

/* One part of a round: the rows of one strip. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_task_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_triplet_ *all = (const DPPAIR_NAME_triplet_ *)context;
  const DPPAIR_NAME_triplet_ t = DPPAIR_NAME_triplet_part_(all, part);
  const size_t i0 = (t.round + part) * t.strip, count = DPPAIR_NAME_triplet_count_(&t, i0);
  if (count == 0) return;
  DPPAIR_NAME_triplet_strip_TIER_(&t, i0, count);
  for (size_t i = 0; i < count; i++) DPPAIR_NAME_triplet_row_TIER_(&t, t.s + i * t.ld, i0 + i);
  if (t.sweep != DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_)) return;
  DPPAIR_NAME_triplet_copy_(t.z, t.width, 1, &t.side[0], i0, count);
  DPPAIR_NAME_triplet_own_TIER_(&t, count);
  for (size_t i = 0; i < count && !t.one; i++) {
    DPPAIR_NAME_triplet_add_TIER_(&t.side[0], i0 + i, t.d, NULL, t.own + i * t.width);
    t.side[0].weight[i0 + i] += t.own_weight[i];
  }
}

/* Candidates j0.. <= DPT_W of them: adds what the strip of one part has for them, in t->tile. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_spread_TIER_(const DPPAIR_NAME_triplet_ *t,
                                                          DPV_R *tile, size_t i0, size_t j0,
                                                          size_t rows) {
  const DPPAIR_NAME_triplet_side_ *side = &t->side[1];
  const size_t count = DPPAIR_NAME_triplet_count_(t, i0);
  double sums[3 * DPV_LANES];
  DPPAIR_NAME_triplet_sums_TIER_(t, tile, t->z, t->s + j0, rows, count, 1);
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T sum = DPV_SET(0);
    for (size_t i = 0; i < count; i++) sum = DPV_ADD(sum, DPV_LOAD(t->s + i * t->ld + j0 + l));
    memset(sums + l, 0, DPV_LANES * sizeof *sums);
    dpv_add_wide(sums + l, sum);
  }
  for (size_t j = 0; j < rows; j++) {
    DPPAIR_NAME_triplet_add_TIER_(side, j0 + j, t->d, tile + j * t->width, NULL);
    side->weight[j0 + j] += sums[j];
    if (!t->one || j0 + j < i0 || j0 + j >= i0 + count) continue;
    DPPAIR_NAME_triplet_add_TIER_(side, j0 + j, t->d, NULL, t->own + (j0 + j - i0) * t->width);
    side->weight[j0 + j] += t->own_weight[j0 + j - i0];
  }
}

/* One part of the end of a round: its blocks of candidates, strip by strip. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_join_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_triplet_ *all = (const DPPAIR_NAME_triplet_ *)context;
  const size_t blocks = all->ld / DPT_W, last = dppair_part_begin_(blocks, part + 1, all->parts);
  DPV_R *const tile = DPPAIR_NAME_triplet_part_(all, part).tile;
  for (size_t b = dppair_part_begin_(blocks, part, all->parts); b < last; b++) {
    const size_t j0 = b * DPT_W, left = all->m - j0, rows = left < DPT_W ? left : DPT_W;
    for (size_t p = 0; p < all->parts && all->round + p < all->strips; p++) {
      const DPPAIR_NAME_triplet_ t = DPPAIR_NAME_triplet_part_(all, p);
      DPPAIR_NAME_triplet_spread_TIER_(&t, tile, (all->round + p) * t.strip, j0, rows);
    }
  }
}

/* All rounds of one sweep. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_triplet_sweep_TIER_(DPPAIR_NAME_triplet_ *t,
                                                         DPPAIR_NAME_triplet_sweep_ sweep,
                                                         const dppair_tasks *parts) {
  dppair_executor *run = parts && parts->run ? parts->run : dppair_run_serial;
  void *self = parts ? parts->self : NULL;
  t->sweep = sweep;
  for (t->round = 0; t->round < t->strips; t->round += t->parts) {
    run(DPPAIR_NAME_triplet_task_TIER_, t, t->parts, self);
    if (sweep == DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_))
      run(DPPAIR_NAME_triplet_join_TIER_, t, t->parts, self);
  }
}

/* The sweeps of a gradient or, if out is NULL, of a risk, and the end of the sums. */
DPPAIR_API void DPPAIR_NAME_triplet_run_TIER(DPPAIR_NAME_triplet_ *t, int risk,
                                             const dppair_tasks *parts) {
  int k;
  for (k = 0; k < 2 - t->one && DPPAIR_NAME_triplet_far_(t); k++)
    DPPAIR_NAME_triplet_norms_TIER_(t, &t->side[k]);
  if (t->lifted) DPPAIR_NAME_triplet_sweep_TIER_(t, DPPAIR_CAT(DPPAIR_NAME, _triplet_log_), parts);
  if (t->lifted && !risk)
    DPPAIR_NAME_triplet_sweep_TIER_(t, DPPAIR_CAT(DPPAIR_NAME, _triplet_share_), parts);
  DPPAIR_NAME_triplet_sweep_TIER_(t,
                                  risk ? DPPAIR_CAT(DPPAIR_NAME, _triplet_value_)
                                       : DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_),
                                  parts);
  for (k = 0; k < 2 - t->one && !risk; k++)
    for (size_t i = 0; i < t->side[k].rows->n; i++) DPPAIR_NAME_triplet_close_(t, &t->side[k], i);
}
