/* ------------------------------------------------------------------------------------------------
 * Per-pair clipping of linear margins
 *
 * A block of DPT_W positives (lanes) against the negatives (rows), for one instance and tier. It
 * relies on clip_state.h, and on multiply.h for inner products. NAME_clip_coeffs in template.h says
 * what is computed.
 * ---------------------------------------------------------------------------------------------- */

/* w[j][l] = phi'(sp[i0 + l] - sn[j0 + j]) for j < rows; returns the largest |w|. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_clip_slopes_TIER_(const DPPAIR_NAME_clip_ *t, DPV_R *w,
                                                         size_t rows, size_t i0, size_t j0) {
  const double *params = t->params;
  const DPV_R *sp = t->sp + i0, *sn = t->sn + j0;
  const DPV_T p0 = DPV_LOAD(sp), p1 = DPV_LOAD(sp + DPV_LANES), p2 = DPV_LOAD(sp + 2 * DPV_LANES);
  DPV_T top = DPV_SET(0);
  (void)params;
  for (size_t j = 0; j < rows; j++, w += DPT_W) {
    const DPV_T s = DPV_SET(sn[j]);
    const DPV_T u0 = DPV_SUB(p0, s), u1 = DPV_SUB(p1, s), u2 = DPV_SUB(p2, s);
    const DPV_T a = DPPAIR_LOSS_SLOPE(u0), b = DPPAIR_LOSS_SLOPE(u1), c = DPPAIR_LOSS_SLOPE(u2);
    DPV_STORE(w, a);
    DPV_STORE(w + DPV_LANES, b);
    DPV_STORE(w + 2 * DPV_LANES, c);
    top = DPV_MAX(top, DPV_MAX(DPV_MAX(DPV_ABS(a), DPV_ABS(b)), DPV_ABS(c)));
  }
  return (double)dpv_largest(top);
}

/* Replaces the inner products in cap by cap[j][l] <= clip/|xp_i - xn_j|; caps that are not normal
 * numbers become 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_caps_TIER_(const DPPAIR_NAME_clip_ *t, DPV_R *cap,
                                                     size_t rows, size_t i0, size_t j0) {
  const DPV_T limit = DPV_SET(t->limit), least = DPV_SET(DPT_MIN), minus_two = DPV_SET(-2);
  for (size_t j = 0; j < rows; j++) {
    const DPV_T g = DPV_SET(t->gn[j0 + j]);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES, cap += DPV_LANES) {
      const DPV_T d2 = DPV_FMA(minus_two, DPV_LOAD(cap), DPV_ADD(DPV_LOAD(t->gp + i0 + l), g));
      const DPV_T c = DPV_DIV(limit, DPV_SQRT(d2));
      DPV_STORE(cap, DPV_SEL(DPV_LT(c, least), DPV_SET(0), c));
    }
  }
}

/* Holds each w within [-cap, cap]. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_hold_TIER_(DPV_R *w, const DPV_R *cap, size_t rows) {
  for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES) {
    const DPV_T c = DPV_LOAD(cap + e);
    DPV_STORE(w + e, DPV_MIN(c, DPV_MAX(DPV_NEG(c), DPV_LOAD(w + e))));
  }
}

/* Adds the weights w to the sums of their lanes (t->row) and of their rows (t->col), in double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_sums_TIER_(const DPPAIR_NAME_clip_ *t, const DPV_R *w,
                                                     size_t rows, size_t j0) {
  for (size_t l = 0; l < DPT_W; l += 24) {
    dpd_t a0 = dpd_load(t->row + l), a1 = dpd_load(t->row + l + 8);
    dpd_t a2 = dpd_load(t->row + l + 16);
    for (size_t j = 0; j < rows; j++) {
      const DPV_R *p = w + j * DPT_W + l;
      double *col = t->col + 8 * (j0 + j);
      const dpd_t x0 = DPT_WIDE(p), x1 = DPT_WIDE(p + 8), x2 = DPT_WIDE(p + 16);
      a0 = dpd_add(a0, x0);
      a1 = dpd_add(a1, x1);
      a2 = dpd_add(a2, x2);
      dpd_store(col, dpd_add(dpd_load(col), dpd_add(dpd_add(x0, x1), x2)));
    }
    dpd_store(t->row + l, a0);
    dpd_store(t->row + l + 8, a1);
    dpd_store(t->row + l + 16, a2);
  }
}

/* Caps of a cache as numbers: each is the upper half of the bits of a float, rounded down. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_clip_widen_TIER_(DPV_R *cap, const uint16_t *from) {
  float f[DPV_LANES];
  uint32_t u[DPV_LANES];
  for (int l = 0; l < DPV_LANES; l++) u[l] = (uint32_t)from[l] << 16;
  memcpy(f, u, sizeof f);
#if DPPAIR_F64_
  DPV_STORE(cap, DPV_LOAD_F32(f));
#else
  DPV_STORE(cap, DPV_LOAD(f));
#endif
}

/* out[j][l] = the inner products of block b of the positives with rows j0.. of the negatives. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_clip_dots_TIER_(const DPPAIR_NAME_clip_ *t, DPV_R *out,
                                                      size_t rows, size_t b, size_t j0) {
  dpv_multiply(out, DPT_W, t->xp + b * t->d * DPT_W, DPT_W, t->xn + j0 / DPT_W * t->d * DPT_W,
               DPT_W, rows, t->d, 0);
}

/* Checks the numbers of both sides and computes squared norms, with their margins, and the largest
 * norm of each block. NOT_FINITE, OVERFLOW. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_norms_TIER_(const DPPAIR_NAME_clip_ *t) {
  const double p = DPPAIR_NAME_packed_top_TIER_(t->xp, t->blocks_p * t->d * DPT_W);
  const double n = DPPAIR_NAME_packed_top_TIER_(t->xn, t->blocks_n * t->d * DPT_W),
               top = p > n ? p : n;
  if (p < 0.0 || n < 0.0) return DPPAIR_ERR_NOT_FINITE;
  if (!((double)t->d * top * top <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  for (size_t b = 0; b < t->blocks_p; b++)
    t->reach_p[b] =
        DPPAIR_NAME_packed_norms_TIER_(t->gp + b * DPT_W, t->xp + b * t->d * DPT_W, t->d);
  for (size_t b = 0; b < t->blocks_n; b++)
    t->reach_n[b] =
        DPPAIR_NAME_packed_norms_TIER_(t->gn + b * DPT_W, t->xn + b * t->d * DPT_W, t->d);
  return DPPAIR_OK;
}

/* The weights of block b of the positives with rows j0.. of the negatives, each held within its
 * cap, in t->tile. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_weigh_TIER_(const DPPAIR_NAME_clip_ *t, size_t rows,
                                                      size_t b, size_t j0) {
  const size_t i0 = b * DPT_W;
  const double top = DPPAIR_NAME_clip_slopes_TIER_(t, t->tile, rows, i0, j0);
  const double reach = t->reach_p[b] + t->reach_n[j0 / DPT_W];
  if (!t->clipped || DPPAIR_NAME_tiles_spared_(t->limit, top, reach)) return;
  if (t->cache) {
    const uint16_t *from = t->cache + (b * t->nn + j0) * DPT_W;
    for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES)
      DPPAIR_NAME_clip_widen_TIER_(t->dot + e, from + e);
  } else {
    DPPAIR_NAME_clip_dots_TIER_(t, t->dot, rows, b, j0);
    DPPAIR_NAME_clip_caps_TIER_(t, t->dot, rows, i0, j0);
  }
  DPPAIR_NAME_clip_hold_TIER_(t->tile, t->dot, rows);
}

/* a and b from the prepared state, in strips of DPT_W positives. Lanes without a record count 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_all_TIER_(double *a, double *b,
                                                    const DPPAIR_NAME_clip_ *t) {
  memset(t->col, 0, t->blocks_n * DPT_W * 8 * sizeof *t->col);
  for (size_t i0 = 0, block = 0; i0 < t->np; i0 += DPT_W, block++) {
    const size_t lanes = t->np - i0 < DPT_W ? t->np - i0 : DPT_W;
    memset(t->row, 0, DPT_W * sizeof *t->row);
    for (size_t j0 = 0; j0 < t->nn; j0 += DPT_W) {
      const size_t rows = t->nn - j0 < DPT_W ? t->nn - j0 : DPT_W;
      DPPAIR_NAME_clip_weigh_TIER_(t, rows, block, j0);
      for (size_t j = 0; lanes < DPT_W && j < rows; j++)
        for (size_t l = lanes; l < DPT_W; l++) t->tile[j * DPT_W + l] = 0;
      DPPAIR_NAME_clip_sums_TIER_(t, t->tile, rows, j0);
    }
    memcpy(a + i0, t->row, lanes * sizeof *a);
  }
  for (size_t j = 0; j < t->nn; j++) {
    const double *c = t->col + 8 * j;
    b[j] = -(((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7])));
  }
}

/* The caps of all pairs, in the order in which NAME_clip_weigh reads them. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_store_TIER_(uint16_t *cache, const DPPAIR_NAME_clip_ *t) {
  for (size_t i0 = 0, block = 0; i0 < t->np; i0 += DPT_W, block++)
    for (size_t j0 = 0; j0 < t->nn; j0 += DPT_W) {
      const size_t rows = t->nn - j0 < DPT_W ? t->nn - j0 : DPT_W;
      DPPAIR_NAME_clip_dots_TIER_(t, t->dot, rows, block, j0);
      DPPAIR_NAME_clip_caps_TIER_(t, t->dot, rows, i0, j0);
      for (size_t e = 0; e < rows * DPT_W; e++)
        cache[(block * t->nn + j0) * DPT_W + e] = dppair_short_cap_((double)t->dot[e]);
    }
}

/* NAME_clip_coeffs on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs_TIER(
    double *a, double *b, const DPV_R *sp, const DPV_R *sn, const DPPAIR_ROWS_ *rows,
    const uint16_t *cache, size_t count, const dppair_options *options) {
  DPPAIR_NAME_clip_ t;
  dppair_status status = DPPAIR_NAME_clip_open_(&t, a, b, sp, sn, rows, cache, count, options);
  if (status == DPPAIR_OK && !cache) status = DPPAIR_NAME_clip_norms_TIER_(&t);
  if (status != DPPAIR_OK || t.np == 0 || t.nn == 0) return status;
  DPPAIR_NAME_clip_all_TIER_(a, b, &t);
  return dppair_settle_(DPPAIR_OK, a, t.np, b, t.nn);
}

/* NAME_clip_cache on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache_TIER(
    uint16_t *cache, size_t count, const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  DPPAIR_NAME_clip_ t;
  dppair_status status = DPPAIR_NAME_clip_open_cache_(&t, cache, count, rows, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_norms_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_clip_head_(cache, dppair_clip_bound_(options), rows->n);
  DPPAIR_NAME_clip_store_TIER_(cache + DPPAIR_CACHE_HEAD_, &t);
  return DPPAIR_OK;
}
