/* ------------------------------------------------------------------------------------------------
 * Row-wise losses by tiles, for one instance and tier
 *
 * It relies on state.h, and on tiles/multiply.h for products. A strip is one block of DPT_W records
 * i, the lanes, against all their partners j in tiles of DPPAIR_TILE_ rows. The first pass finds
 * the largest exponent of each anchor and the sum of e^(exponent - largest), which is raised to a
 * new largest one when that comes. The second one computes each logit again, by the same chain of
 * operations, and from it
 *
 *   w_ij = dL_i/ds_ij + dL_j/ds_ji,    dz_i = pull sum over j of w_ij z_j
 *
 * (less pull z_i sum of w_ij for a distance). So a strip owns its results: nothing is added up over
 * strips or parts, and memory is that of the records. Exponentials and products are in the data's
 * type; sums over candidates are in double.
 * ---------------------------------------------------------------------------------------------- */

/* The exponents and their slopes of a loss, DPT_LOW at least. */
#define DPPAIR_LOSS_EXPONENT_OF_(s, own, like) DPPAIR_LOSS_OF_(_EXPONENT)(s, own, like, params)
#define DPPAIR_LOSS_SLOPE_OF_(s, own, like) DPPAIR_LOSS_OF_(_SLOPE)(s, own, like, params)

/* t->left = the embeddings from place i0 on, as a packed block [k][DPT_W]. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_pack_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                         size_t i0) {
  for (size_t l = 0; l < DPT_W; l++)
    for (size_t f = 0; f < t->k; f++) t->left[f * DPT_W + l] = t->z[(i0 + l) * t->k + f];
}

/* What lane block l and row j have in common before the offset: the same from either end. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_contrast_logit_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                            const DPV_R *dot, size_t i, size_t j) {
  const DPV_T q = DPV_ADD(DPV_LOAD(t->q + i), DPV_SET(t->q[j]));
  return DPV_MUL(DPV_SET(t->scale), DPV_FMA(DPV_SET(t->twice), DPV_LOAD(dot), q));
}

/* The exponent of logits s. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_contrast_exponent_TIER_(DPV_T s, DPV_M own, DPV_M like,
                                                               const double *params) {
  (void)params;
  (void)own;
  (void)like;
  return DPV_MAX(DPV_SET(DPT_LOW), DPPAIR_LOSS_EXPONENT_OF_(s, own, like));
}

/* Lanes that a pair does not enter: it is one record, or a positive that has a logit of its own. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_contrast_apart_TIER_(DPV_T x, DPV_M self, DPV_M own,
                                                            DPV_T angular) {
  const DPV_M apart = DPV_AND(own, DPV_EQ(angular, DPV_SET(1)));
  return DPV_SEL(DPV_OR(self, apart), DPV_SET(DPT_LOW), x);
}

/* Adds to the anchors of the lanes how many of the rows are positives, and with `risk` the logits
 * of those; w: inner products. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_own_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                        const DPPAIR_NAME_contrast_keys_ *key,
                                                        const DPV_R *w, size_t rows, size_t i0,
                                                        size_t j0) {
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T count = DPV_SET(0);
    for (size_t j = 0; j < rows; j++) {
      const DPV_M own = DPV_EQ(DPV_LOAD(key->anchor + l), DPV_SET(key->row_candidate[j]));
      const DPV_M self = DPV_EQ(DPV_LOAD(key->lane + l), DPV_SET(key->self[j]));
      const DPV_T one = DPV_SEL(self, DPV_SET(0), DPV_SEL(own, DPV_SET(1), DPV_SET(0)));
      count = DPV_ADD(count, one);
      if (t->risk) {
        const DPV_T u = DPPAIR_NAME_contrast_logit_TIER_(t, w + j * DPT_W + l, i0 + l, j0 + j);
        dpv_add_wide(t->own + i0 + l, DPV_MUL(one, DPV_SUB(u, DPV_SET(t->offset[j0 + j]))));
      }
    }
    dpv_add_wide(t->positives + i0 + l, count);
  }
}

/* Replaces the inner products w of the lanes with `rows` rows by their exponents; raises the
 * largest ones, most[DPT_W]. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_exponents_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                              const DPPAIR_NAME_contrast_keys_ *key,
                                                              DPV_R *most, DPV_R *w, size_t rows,
                                                              size_t i0, size_t j0) {
  const DPV_T angular = DPV_SET(t->angular);
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES, w += DPV_LANES) {
      const DPV_M own = DPV_EQ(DPV_LOAD(key->anchor + l), DPV_SET(key->row_candidate[j]));
      const DPV_M like = DPV_EQ(DPV_LOAD(t->y + i0 + l), DPV_SET(key->like[j]));
      const DPV_M self = DPV_EQ(DPV_LOAD(key->lane + l), DPV_SET(key->self[j]));
      const DPV_T s = DPV_SUB(DPPAIR_NAME_contrast_logit_TIER_(t, w, i0 + l, j0 + j),
                              DPV_SET(t->offset[j0 + j]));
      const DPV_T x = DPPAIR_NAME_contrast_apart_TIER_(
          DPPAIR_NAME_contrast_exponent_TIER_(s, own, like, t->params), self, own, angular);
      DPV_STORE(w, x);
      DPV_STORE(most + l, DPV_MAX(x, DPV_LOAD(most + l)));
    }
}

/* sum[DPT_W] += e^(w - most) over the rows, after what it holds was brought from the largest
 * exponents top to most. Four terms are added before they go to double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_sums_TIER_(double *sum, DPV_R *top, const DPV_R *most,
                                                         const DPV_R *w, size_t rows) {
  DPV_R fall[DPT_W];
  for (size_t l = 0; l < DPT_W; l += DPV_LANES)
    DPV_STORE(fall + l, dpv_exp_below(DPV_SUB(DPV_LOAD(top + l), DPV_LOAD(most + l))));
  for (size_t l = 0; l < DPT_W; l++) sum[l] *= (double)fall[l];
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    const DPV_T m = DPV_LOAD(most + l);
    const DPV_R *x = w + l;
    size_t j = 0;
    for (; j + 4 <= rows; j += 4, x += 4 * DPT_W) {
      const DPV_T a = dpv_exp_below(DPV_SUB(DPV_LOAD(x), m));
      const DPV_T b = dpv_exp_below(DPV_SUB(DPV_LOAD(x + DPT_W), m));
      const DPV_T c = dpv_exp_below(DPV_SUB(DPV_LOAD(x + 2 * DPT_W), m));
      const DPV_T d = dpv_exp_below(DPV_SUB(DPV_LOAD(x + 3 * DPT_W), m));
      dpv_add_wide(sum + l, DPV_ADD(DPV_ADD(a, b), DPV_ADD(c, d)));
    }
    for (; j < rows; j++, x += DPT_W) dpv_add_wide(sum + l, dpv_exp_below(DPV_SUB(DPV_LOAD(x), m)));
    DPV_STORE(top + l, m);
  }
}

/* x and slope, of DPT_W lanes: the exponents of the anchors' own logits, and how steep they are. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_alone_TIER_(const DPPAIR_NAME_contrast_ *t, DPV_R *x,
                                                          DPV_R *slope, size_t i0) {
  const double *params = t->params;
  DPV_R there[DPT_W], label[DPT_W];
  (void)params;
  for (size_t l = 0; l < DPT_W; l++) {
    const size_t place = DPPAIR_NAME_contrast_positive_(t, i0 + l);
    there[l] = place < SIZE_MAX;
    label[l] = t->labels && place < SIZE_MAX ? t->y[place] : t->y[i0 + l] + 1;
  }
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    const DPV_T s = DPV_LOAD(t->lone + i0 + l);
    const DPV_M own = DPV_EQ(DPV_LOAD(there + l), DPV_SET(1));
    const DPV_M like = DPV_EQ(DPV_LOAD(t->y + i0 + l), DPV_LOAD(label + l));
    const DPV_T e = DPPAIR_NAME_contrast_exponent_TIER_(s, own, like, t->params);
    (void)like;
    DPV_STORE(x + l, DPV_SEL(own, e, DPV_SET(DPT_LOW)));
    DPV_STORE(slope + l, DPPAIR_LOSS_SLOPE_OF_(s, own, like));
  }
}

/* t->mix = the weights of the anchors' own logits. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_mix_TIER_(const DPPAIR_NAME_contrast_ *t, size_t i0) {
  DPV_R x[DPT_W], slope[DPT_W];
  DPPAIR_NAME_contrast_alone_TIER_(t, x, slope, i0);
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    const DPV_T e = dpv_exp_below(DPV_SUB(DPV_LOAD(x + l), DPV_LOAD(t->top + i0 + l)));
    DPV_STORE(x + l, DPV_MUL(DPV_MUL(e, DPV_LOAD(t->share + i0 + l)), DPV_LOAD(slope + l)));
  }
  for (size_t l = 0; l < DPT_W; l++)
    t->mix[i0 + l] = t->share[i0 + l] > 0 && t->positives[i0 + l] > 0.0 ? x[l] - 1 : 0;
}

/* The first pass for the anchors from place i0 on. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_statistics_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                               size_t i0) {
  const int counted = !t->angular && (t->risk || t->how->positives == DPPAIR_POSITIVE_LABEL);
  DPPAIR_NAME_contrast_keys_ key;
  DPV_R top[DPT_W], most[DPT_W], slope[DPT_W];
  size_t j0, end = DPPAIR_NAME_contrast_partners_(t, i0, &j0);
  DPPAIR_NAME_contrast_pack_TIER_(t, i0);
  for (size_t l = 0; l < DPT_W; l++) top[l] = most[l] = DPT_NONE;
  for (; j0 < end; j0 += DPT_W) {
    const size_t rows = end - j0 < DPT_W ? end - j0 : DPT_W;
    dpv_multiply_rows(t->tile, DPT_W, t->left, DPT_W, t->z + j0 * t->k, t->k, rows, t->k);
    DPPAIR_NAME_contrast_keys_of_(&key, t, rows, i0, j0);
    if (counted) DPPAIR_NAME_contrast_own_TIER_(t, &key, t->tile, rows, i0, j0);
    DPPAIR_NAME_contrast_exponents_TIER_(t, &key, most, t->tile, rows, i0, j0);
    DPPAIR_NAME_contrast_sums_TIER_(t->sum + i0, top, most, t->tile, rows);
  }
  if (t->angular) {
    DPPAIR_NAME_contrast_alone_TIER_(t, t->tile, slope, i0);
    for (size_t l = 0; l < DPT_W; l++) most[l] = t->tile[l] > most[l] ? t->tile[l] : most[l];
    DPPAIR_NAME_contrast_sums_TIER_(t->sum + i0, top, most, t->tile, 1);
  }
  memcpy(t->top + i0, top, sizeof top);
}

/* Replaces the inner products w of the lanes with `rows` rows by the weights of the pairs, both
 * orders added up. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_weights_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                            const DPPAIR_NAME_contrast_keys_ *key,
                                                            DPV_R *w, size_t rows, size_t i0,
                                                            size_t j0) {
  const double *params = t->params;
  const DPV_T zero = DPV_SET(0), angular = DPV_SET(t->angular);
  (void)params;
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES, w += DPV_LANES) {
      const size_t i = i0 + l, row = j0 + j;
      const DPV_M own = DPV_EQ(DPV_LOAD(key->anchor + l), DPV_SET(key->row_candidate[j]));
      const DPV_M owned = DPV_EQ(DPV_LOAD(key->candidate + l), DPV_SET(key->row_anchor[j]));
      const DPV_M like = DPV_EQ(DPV_LOAD(t->y + i), DPV_SET(key->like[j]));
      const DPV_M self = DPV_EQ(DPV_LOAD(key->lane + l), DPV_SET(key->self[j]));
      const DPV_T u = DPPAIR_NAME_contrast_logit_TIER_(t, w, i, row);
      const DPV_T s = DPV_SUB(u, DPV_SET(t->offset[row])), r = DPV_SUB(u, DPV_LOAD(t->offset + i));
      const DPV_T x = DPPAIR_NAME_contrast_apart_TIER_(
          DPPAIR_NAME_contrast_exponent_TIER_(s, own, like, t->params), self, own, angular);
      const DPV_T y = DPPAIR_NAME_contrast_apart_TIER_(
          DPPAIR_NAME_contrast_exponent_TIER_(r, owned, like, t->params), self, owned, angular);
      DPV_T a = dpv_exp_below(DPV_SUB(x, DPV_LOAD(t->top + i)));
      DPV_T b = dpv_exp_below(DPV_SUB(y, DPV_SET(t->top[row])));
      a = DPV_MUL(DPV_MUL(a, DPV_LOAD(t->share + i)), DPPAIR_LOSS_SLOPE_OF_(s, own, like));
      b = DPV_MUL(DPV_MUL(b, DPV_SET(t->share[row])), DPPAIR_LOSS_SLOPE_OF_(r, owned, like));
      a = DPV_SUB(a, DPV_SEL(own, DPV_LOAD(t->target + i), zero));
      b = DPV_SUB(b, DPV_SEL(owned, DPV_SET(t->target[row]), zero));
      DPV_STORE(w, DPV_SEL(self, zero, DPV_ADD(a, b)));
    }
}

/* t->row += the weights of the lanes with `rows` rows. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_mass_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                         const DPV_R *w, size_t rows) {
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T sum = DPV_SET(0);
    for (size_t j = 0; j < rows; j++) sum = DPV_ADD(sum, DPV_LOAD(w + j * DPT_W + l));
    dpv_add_wide(t->row + l, sum);
  }
}

/* P += the weights of the tile times the embeddings from place j0 on. In float the products of one
 * tile are summed, eight columns at a time, before they go to double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_push_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                         size_t rows, size_t j0) {
  const DPV_R *z = t->z + j0 * t->k;
#if DPPAIR_F64_
  dpv_multiply(t->p, DPT_W, t->tile, DPT_W, z, t->k, t->k, rows, 1);
#else
  for (size_t f = 0; f < t->k; f += 8) {
    const size_t count = t->k - f < 8 ? t->k - f : 8;
    DPV_R sums[8 * 3 * DPV_LANES];
    dpv_multiply(sums, DPT_W, t->tile, DPT_W, z + f, t->k, count, rows, 0);
    for (size_t e = 0; e < count * DPT_W; e += DPV_LANES)
      dpv_add_wide(t->p + f * DPT_W + e, DPV_LOAD(sums + e));
  }
#endif
}

/* Writes the gradients of the records from place i0 on: of a cosine only what is orthogonal to the
 * embedding, divided by its norm. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_close_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                          size_t i0) {
  const size_t end = DPPAIR_NAME_contrast_end_(t, i0);
  const int cosine = t->how->compare == DPPAIR_COMPARE_COSINE;
  DPV_R *out =
      DPPAIR_NAME_contrast_other_(t, i0) ? t->dz_others + (i0 - t->from) * t->k : t->dz + i0 * t->k;
  for (size_t l = 0; l < DPT_W && i0 + l < end; l++, out += t->k) {
    const DPV_R *z = t->z + (i0 + l) * t->k;
    const double factor = cosine ? t->pull * t->inverse[i0 + l] : t->pull;
    double along = t->how->compare == DPPAIR_COMPARE_DISTANCE ? t->row[l] : 0.0;
    for (size_t f = 0; cosine && f < t->k; f++) along += t->p[f * DPT_W + l] * (double)z[f];
    for (size_t f = 0; f < t->k; f++)
      out[f] = (DPV_R)(factor * (t->p[f * DPT_W + l] - along * (double)z[f]));
  }
}

/* The second pass for the records from place i0 on. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_strip_TIER_(const DPPAIR_NAME_contrast_ *t,
                                                          size_t i0) {
  const int distance = t->how->compare == DPPAIR_COMPARE_DISTANCE;
  DPPAIR_NAME_contrast_keys_ key;
  size_t j0, end = DPPAIR_NAME_contrast_partners_(t, i0, &j0);
  DPPAIR_NAME_contrast_pack_TIER_(t, i0);
  memset(t->p, 0, t->k * DPT_W * sizeof *t->p);
  memset(t->row, 0, DPT_W * sizeof *t->row);
  for (; j0 < end; j0 += DPPAIR_TILE_) {
    const size_t rows = end - j0 < DPPAIR_TILE_ ? end - j0 : DPPAIR_TILE_;
    for (size_t j = 0; j < rows; j += DPT_W) {
      const size_t some = rows - j < DPT_W ? rows - j : DPT_W;
      DPV_R *w = t->tile + j * DPT_W;
      dpv_multiply_rows(w, DPT_W, t->left, DPT_W, t->z + (j0 + j) * t->k, t->k, some, t->k);
      DPPAIR_NAME_contrast_keys_of_(&key, t, some, i0, j0 + j);
      DPPAIR_NAME_contrast_weights_TIER_(t, &key, w, some, i0, j0 + j);
      if (distance) DPPAIR_NAME_contrast_mass_TIER_(t, w, some);
    }
    DPPAIR_NAME_contrast_push_TIER_(t, rows, j0);
  }
  DPPAIR_NAME_contrast_close_TIER_(t, i0);
  if (t->angular && i0 < t->from) DPPAIR_NAME_contrast_mix_TIER_(t, i0);
}

/* One part of either pass: its strips, with its own scratch. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_first_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_contrast_ *all = (const DPPAIR_NAME_contrast_ *)context;
  const DPPAIR_NAME_contrast_ t = DPPAIR_NAME_contrast_part_(all, part);
  const size_t end = dppair_part_begin_(t.blocks, part + 1, t.parts);
  for (size_t b = dppair_part_begin_(t.blocks, part, t.parts); b < end; b++)
    if (DPPAIR_NAME_contrast_anchors_(&t, b * DPT_W))
      DPPAIR_NAME_contrast_statistics_TIER_(&t, b * DPT_W);
}
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_second_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_contrast_ *all = (const DPPAIR_NAME_contrast_ *)context;
  const DPPAIR_NAME_contrast_ t = DPPAIR_NAME_contrast_part_(all, part);
  const size_t end = dppair_part_begin_(t.blocks, part + 1, t.parts);
  for (size_t b = dppair_part_begin_(t.blocks, part, t.parts); b < end; b++)
    DPPAIR_NAME_contrast_strip_TIER_(&t, b * DPT_W);
}

/* q = -|z|^2, by the chain of an inner product. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_squares_TIER_(const DPPAIR_NAME_contrast_ *t) {
  for (size_t i0 = 0; i0 < t->blocks * DPT_W; i0 += DPT_W) {
    DPPAIR_NAME_contrast_pack_TIER_(t, i0);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      DPV_T sum = DPV_SET(0);
      for (size_t f = 0; f < t->k; f++) {
        const DPV_T v = DPV_LOAD(t->left + f * DPT_W + l);
        sum = DPV_FMA(v, v, sum);
      }
      DPV_STORE(t->q + i0 + l, DPV_NEG(sum));
    }
  }
}

/* Runs a pass on all parts. */
DPPAIR_API void DPPAIR_NAME_contrast_run_TIER_(DPPAIR_NAME_contrast_ *t, const dppair_tasks *parts,
                                               dppair_task *one) {
  if (parts && parts->run)
    parts->run(one, t, t->parts, parts->self);
  else
    dppair_run_serial(one, t, t->parts, NULL);
}

/* What *q asks for, into *t: statistics, and but for a risk the gradients. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_compute_TIER(DPPAIR_NAME_contrast_ *t, const DPPAIR_NAME_contrast_query_ *q) {
  double offset;
  dppair_status status = DPPAIR_NAME_contrast_open_(t, &offset, q);
  if (status != DPPAIR_OK) return status;
  if (t->angular) DPPAIR_NAME_contrast_join_(t);
  status = DPPAIR_NAME_contrast_norms_(t, offset);
  if (status != DPPAIR_OK || q->rows->n == 0) return status; /* no others have a gradient then */
  if (q->how->compare == DPPAIR_COMPARE_DISTANCE) DPPAIR_NAME_contrast_squares_TIER_(t);
  DPPAIR_NAME_contrast_run_TIER_(t, q->options->tasks, DPPAIR_NAME_contrast_first_TIER_);
  for (size_t i = 0; i < t->n; i++)
    if (i < t->first || i >= t->from) DPPAIR_NAME_contrast_settle_(t, i);
  if (!q->risk)
    DPPAIR_NAME_contrast_run_TIER_(t, q->options->tasks, DPPAIR_NAME_contrast_second_TIER_);
  if (!q->risk && t->angular) DPPAIR_NAME_contrast_split_(t, q);
  return DPPAIR_OK;
}

#undef DPPAIR_LOSS_EXPONENT_OF_
#undef DPPAIR_LOSS_SLOPE_OF_
