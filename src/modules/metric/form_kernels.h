/* ------------------------------------------------------------------------------------------------
 * The forms: all pairs i < j of one set of records
 *
 * For one instance and tier. It relies on form_state.h, and on multiply.h for products.
 *
 * Margins are u = tau t, tau = 1 for equal labels and -1 for others, with t = b - (x-x')^T W (x-x')
 * or x^T W x' - b. Either is t[i][j] = hl[i] + hr[j] + <left_i, right_j>. A strip is one block of
 * DPT_W records i (lanes) against all j > i. Its weights w = d phi(tau t)/dt are in a tile of
 * DPPAIR_TILE_ records j at a time. Let U be the strictly upper triangle of weights, P = U X, and
 * r_i the sum of the weights of all pairs of record i. Then
 *
 *   sum over i<j of w (x-x')(x-x')^T = X^T diag(r) X - X^T P - P^T X,
 *   sum over i<j of w (x x'^T + x' x^T)/2 = (X^T P + P^T X)/2.
 *
 * For the factor L, z = L^T x, P is over all j != i. Then
 *
 *   sum over i<j of w (x-x')(z-z')^T = X^T (diag(r) Z - P).
 *
 * Products are in the data's type; P, r and the result are sums in double.
 * ---------------------------------------------------------------------------------------------- */

/* Checks the numbers of X, then fills, in packed blocks, left = 2 W x for a metric, 2 L^T x for a
 * factor, W x for a similarity; the shifts hl and hr; Z; and norms where pairs are clipped.
 * NOT_FINITE, OVERFLOW. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_tiles_prepare_TIER_(const DPPAIR_NAME_tiles_ *t) {
  const size_t k = t->k, metric = t->kind != DPPAIR_FORM_SIMILARITY;
  const int factor = t->kind == DPPAIR_FORM_FACTOR;
  /* A factor's strips meet every pair from both ends. Half of the offset goes to each side, so the
   * pair's two margins, and with them its two weights, are equal to the last bit. */
  const DPV_R half = factor ? t->offset / 2 : 0, whole = factor ? half : t->offset;
  const double top = DPPAIR_NAME_packed_top_TIER_(t->xt, t->blocks * t->d * DPT_W);
  if (top < 0.0) return DPPAIR_ERR_NOT_FINITE;
  if (!DPPAIR_NAME_tiles_fits_(t, top)) return DPPAIR_ERR_OVERFLOW;
  for (size_t b = 0; b < t->blocks; b++) {
    DPV_R *left = t->left + b * k * DPT_W, *q = t->tile;
    const DPV_R *x = t->xt + b * t->d * DPT_W;
    DPV_R *right = t->right + b * k * DPT_W;
    dpv_multiply(left, DPT_W, x, DPT_W, t->w, k, k, t->d, 0);
    if (factor) memcpy(right, left, k * DPT_W * sizeof *right);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      DPV_T sum = DPV_SET(0);
      for (size_t f = 0; f < k; f++)
        sum = DPV_FMA(DPV_LOAD(right + f * DPT_W + l), DPV_LOAD(left + f * DPT_W + l), sum);
      DPV_STORE(q + l, sum);
    }
    for (size_t e = 0; metric && e < k * DPT_W; e += DPV_LANES)
      DPV_STORE(left + e, DPV_ADD(DPV_LOAD(left + e), DPV_LOAD(left + e)));
    for (size_t l = 0; l < DPT_W; l++) {
      const size_t i = b * DPT_W + l;
      t->hl[i] = metric ? whole - q[l] : -t->offset;
      t->hr[i] = metric ? half - q[l] : 0;
      for (size_t f = 0; factor && i < t->n && f < k; f++) t->zr[i * k + f] = right[f * DPT_W + l];
    }
    if (t->clipped) t->reach[b] = DPPAIR_NAME_packed_norms_TIER_(t->norm2 + b * DPT_W, x, t->d);
    if (t->clipped && factor)
      t->reachz[b] = DPPAIR_NAME_packed_norms_TIER_(t->normz + b * DPT_W, right, k);
  }
  return DPPAIR_OK;
}

/* Sets w to 0 but for the lanes l of rows j with i0 + l < j0 + j (upper), or i0 + l != j0 + j. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_mask_TIER_(DPV_R *w, size_t rows, size_t i0, size_t j0,
                                                      int upper) {
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l++)
      if (i0 + l == j0 + j || (upper && i0 + l > j0 + j)) w[j * DPT_W + l] = 0;
}

/* Replaces margins u by slopes phi'(u). */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_slopes_TIER_(DPV_R *w, size_t rows,
                                                        const double *params) {
  (void)params;
  for (DPV_R *const end = w + rows * DPT_W; w < end; w += DPV_LANES) {
    const DPV_T u = DPV_LOAD(w);
    DPV_STORE(w, DPPAIR_LOSS_SLOPE(u));
  }
}

/* Replaces the margins of records i0.. (lanes) with rows j0.. by values of the loss; returns their
 * sum over the pairs i < j. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_tiles_values_TIER_(DPV_R *w, size_t rows, size_t i0,
                                                          size_t j0, const double *params) {
  double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  (void)params;
  for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES) {
    const DPV_T u = DPV_LOAD(w + e);
    DPV_STORE(w + e, DPPAIR_LOSS_VALUE(u));
  }
  if (j0 < i0 + DPT_W) DPPAIR_NAME_tiles_mask_TIER_(w, rows, i0, j0, 1);
  for (; rows > 0; rows--, w += DPT_W)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
#if DPPAIR_F64_
      dpv_add_wide8(sum, DPV_LOAD(w + l));
#else
      dpd_store(sum, dpd_add(dpd_load(sum), dpd_load_f32(w + l)));
      dpd_store(sum, dpd_add(dpd_load(sum), dpd_load_f32(w + l + 8)));
#endif
    }
  for (size_t l = 1; l < 8; l++) sum[0] += sum[l];
  return sum[0];
}

/* Upper bounds of the norms of the pair gradients of weight 1 of records i.. (lanes) with record j,
 * whose inner products are at place e of dot and dotz. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_NAME_tiles_norm_TIER_(const DPPAIR_NAME_tiles_ *t, size_t i,
                                                        size_t j, size_t e) {
  const DPV_T two = DPV_SET(-2);
  const DPV_T gi = DPV_LOAD(t->norm2 + i), gj = DPV_SET(t->norm2[j]);
  DPV_T norm;
  if (t->kind == DPPAIR_FORM_SIMILARITY) return DPV_MUL(DPV_SQRT(gi), DPV_SQRT(gj));
  norm = DPV_FMA(two, DPV_LOAD(t->dot + e), DPV_ADD(gi, gj));
  if (t->kind == DPPAIR_FORM_FACTOR) {
    const DPV_T hi = DPV_LOAD(t->normz + i), hj = DPV_SET(t->normz[j]);
    const DPV_T m = DPV_FMA(two, DPV_LOAD(t->dotz + e), DPV_ADD(hi, hj));
    norm = DPV_MUL(DPV_SET(2), DPV_MUL(DPV_SQRT(norm), DPV_SQRT(m)));
  }
  return norm;
}

/* Cuts the weights w of records i0.. with rows j0.. so that no pair gradient is longer than the
 * clip. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_limit_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                       size_t rows, size_t i0, size_t j0) {
  const size_t bi = i0 / DPT_W, bj = j0 / DPT_W, at = j0 % DPT_W;
  const DPV_T limit = DPV_SET(t->limit);
  const DPV_T least = DPV_SET(DPT_MIN); /* below it quotients are not rounded relatively */
  DPV_T top = DPV_SET(0);
  for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES) top = DPV_MAX(top, DPV_ABS(DPV_LOAD(w + e)));
  if (DPPAIR_NAME_tiles_spared_(t->limit, (double)dpv_largest(top),
                                DPPAIR_NAME_tiles_reach_(t, bi, bj)))
    return;
  if (t->kind != DPPAIR_FORM_SIMILARITY)
    dpv_multiply(t->dot, DPT_W, t->xt + bi * t->d * DPT_W, DPT_W, t->xt + bj * t->d * DPT_W + at,
                 DPT_W, rows, t->d, 0);
  if (t->kind == DPPAIR_FORM_FACTOR)
    dpv_multiply(t->dotz, DPT_W, t->right + bi * t->k * DPT_W, DPT_W,
                 t->right + bj * t->k * DPT_W + at, DPT_W, rows, t->k, 0);
  for (size_t j = 0; j < rows; j++)
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      const size_t e = j * DPT_W + l;
      const DPV_T v = DPV_LOAD(w + e), size = DPV_ABS(v);
      DPV_T cap = DPV_DIV(limit, DPPAIR_NAME_tiles_norm_TIER_(t, i0 + l, j0 + j, e));
      cap = DPV_SEL(DPV_LT(cap, least), DPV_SET(0), cap);
      DPV_STORE(w + e,
                DPV_SEL(DPV_LT(cap, size), DPV_SEL(DPV_LT(v, DPV_SET(0)), DPV_NEG(cap), cap), v));
    }
}

#if DPPAIR_WEIGHTS
/* Multiplies the weights w of records i0.. with rows j0.. by those of both records, whose product
 * is the same from either end of a pair. Those of two records of one user become 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_share_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                       size_t rows, size_t i0, size_t j0) {
  const size_t *place = t->across ? t->across->positive : NULL;
  DPV_R lane[3 * DPV_LANES];
  for (size_t l = 0; l < DPT_W; l++)
    lane[l] = i0 + l < t->n ? (DPV_R)dppair_share_(t->share[i0 + l]) : (DPV_R)0;
  for (size_t j = 0; j < rows; j++, w += DPT_W) {
    const DPV_T share = DPV_SET((DPV_R)dppair_share_(t->share[j0 + j]));
    for (size_t l = 0; l < DPT_W; l += DPV_LANES)
      DPV_STORE(w + l, DPV_MUL(DPV_LOAD(w + l), DPV_MUL(DPV_LOAD(lane + l), share)));
    if (!place) continue;
    if (j == 0 || j0 + j >= place[1]) place = dppair_group_at_(t->across, j0 + j);
    for (size_t i = place[0] > i0 ? place[0] : i0; i < place[1] && i < i0 + DPT_W; i++)
      w[i - i0] = 0;
  }
}
#endif

/* Makes weights tau phi'(u) of the slopes w of records i0.. (lanes) with rows j0.., and adds them
 * to the sums of their lanes and, except for a factor, of their rows. A similarity, whose gradient
 * has no diagonal part, needs no sums. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_sums_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                      size_t rows, size_t i0, size_t j0) {
  const DPV_R *yl = t->y + i0, *yr = t->y + j0;
  double *col = t->kind == DPPAIR_FORM_METRIC ? t->col + 8 * j0 : NULL;
  const DPV_T y0 = DPV_LOAD(yl), y1 = DPV_LOAD(yl + DPV_LANES), y2 = DPV_LOAD(yl + 2 * DPV_LANES);
  DPV_T s0 = DPV_SET(0), s1 = DPV_SET(0), s2 = DPV_SET(0);
#define DPT_WEIGHT(a, l, y)                                                                        \
  const DPV_T a = dpv_margin_sign(DPV_LOAD(w + (l)), y, other);                                    \
  DPV_STORE(w + (l), a)
  for (size_t j = 0; j < rows; j++, w += DPT_W) {
    const DPV_T other = DPV_SET(yr[j]);
    DPT_WEIGHT(a, 0, y0);
    DPT_WEIGHT(b, DPV_LANES, y1);
    DPT_WEIGHT(c, 2 * DPV_LANES, y2);
    s0 = DPV_ADD(s0, a);
    s1 = DPV_ADD(s1, b);
    s2 = DPV_ADD(s2, c);
    if (col) dpv_add_wide8(col + 8 * j, DPV_ADD(DPV_ADD(a, b), c));
  }
#undef DPT_WEIGHT
  if (t->kind == DPPAIR_FORM_SIMILARITY) return;
  dpv_add_wide(t->row, s0);
  dpv_add_wide(t->row + DPV_LANES, s1);
  dpv_add_wide(t->row + 2 * DPV_LANES, s2);
}

/* P of the strip += the weights of the tile times rows j0.. of X (Z for a factor L). In float the
 * products of one tile are summed, eight columns at a time, before they go to double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_push_TIER_(const DPPAIR_NAME_tiles_ *t, size_t rows,
                                                      size_t j0) {
  const DPV_R *x = t->push + j0 * t->push_ld;
  const size_t ld = t->push_ld;
#if DPPAIR_F64_
  dpv_multiply(t->p, DPT_W, t->tile, DPT_W, x, ld, t->k, rows, 1);
#else
  for (size_t f = 0; f < t->k; f += 8) {
    const size_t count = t->k - f < 8 ? t->k - f : 8;
    DPV_R sums[8 * 3 * DPV_LANES];
    dpv_multiply(sums, DPT_W, t->tile, DPT_W, x + f, ld, count, rows, 0);
    for (size_t e = 0; e < count * DPT_W; e += DPV_LANES)
      dpv_add_wide(t->p + f * DPT_W + e, DPV_LOAD(sums + e));
  }
#endif
}

/* Adds X^T H for block b to the result: h_i = P_i - r_i x_i/2 for a metric, 2 (P_i - r_i z_i) for a
 * factor, P_i/2 for a similarity. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_close_TIER_(const DPPAIR_NAME_tiles_ *t, size_t b) {
  const size_t i0 = b * DPT_W, count = t->n - i0 < DPT_W ? t->n - i0 : DPT_W;
  const int metric = t->kind == DPPAIR_FORM_METRIC, factor = t->kind == DPPAIR_FORM_FACTOR;
  const DPV_R *packed = t->xt + b * t->d * DPT_W;
  for (size_t l = 0; l < count; l++) {
    const DPV_R *z = t->push + (i0 + l) * t->push_ld;
    const double *c = t->col + 8 * (i0 + l);
    double *h = t->h + l * t->width;
    double r = t->row[l];
    if (metric) r = 0.5 * (r + (((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]))));
    for (size_t f = 0; f < t->d; f++) t->xd[l * t->d + f] = (double)packed[f * DPT_W + l];
    for (size_t f = 0; f < t->k; f++) {
      const double p = t->p[f * DPT_W + l];
      h[f] = metric ? p - r * (double)z[f] : factor ? 2.0 * (p - r * (double)z[f]) : 0.5 * p;
    }
    for (size_t f = t->k; f < t->width; f++) h[f] = 0.0;
  }
  for (size_t g = 0; g < t->width; g += DPPAIR_COLUMNS_)
    dpd_multiply(t->g + g, t->width, t->h + g, t->width, t->xd, t->d, t->d, count, 1);
}

/* w = the margins of block b with rows j0.., which lie within one block. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_tiles_margins_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                          size_t rows, size_t b, size_t j0) {
  const size_t i0 = b * DPT_W;
  dpv_multiply_margins(w, t->left + i0 * t->k, t->right + j0 / DPT_W * t->k * DPT_W + j0 % DPT_W,
                       rows, t->k, t->hl + i0, t->y + i0, t->hr + j0, t->y + j0);
}

/* The weights w of block b with rows j0.. (within one block), clipped, and added to their sums.
 * Margins, slopes and sums are a pass each, from and to the cache: the shorter the chain of
 * operations of one pair, the more pairs a processor computes at a time. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_tiles_weigh_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_R *w,
                                                        size_t rows, size_t b, size_t j0) {
  const size_t i0 = b * DPT_W;
  const int ragged = i0 < t->first && i0 + DPT_W > t->first; /* lanes before others, without rows */
  DPPAIR_NAME_tiles_margins_TIER_(t, w, rows, b, j0);
  DPPAIR_NAME_tiles_slopes_TIER_(w, rows, t->params);
  if (j0 == i0) DPPAIR_NAME_tiles_mask_TIER_(w, rows, i0, i0, t->kind != DPPAIR_FORM_FACTOR);
  for (size_t j = 0; ragged && j < rows; j++)
    for (size_t l = t->first - i0; l < DPT_W; l++) w[j * DPT_W + l] = 0;
  if (t->clipped) DPPAIR_NAME_tiles_limit_TIER_(t, w, rows, i0, j0);
#if DPPAIR_WEIGHTS
  if (t->share) DPPAIR_NAME_tiles_share_TIER_(t, w, rows, i0, j0);
#endif
  DPPAIR_NAME_tiles_sums_TIER_(t, w, rows, i0, j0);
}

/* out[d][k] = the gradient of the sum over the pairs of strips b0 <= b < b1. For a metric, records
 * after the strips have sums of columns too, so their blocks are closed as well. Where there are
 * others, a pair of a record and one of those is in the strip of the record; for a factor in both.
 */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_gradient_TIER_(double *out, const DPPAIR_NAME_tiles_ *t,
                                                          size_t b0, size_t b1) {
  const int factor = t->kind == DPPAIR_FORM_FACTOR;
  memset(t->g, 0, t->d * t->width * sizeof *t->g);
  memset(t->col, 0, t->blocks * DPT_W * 8 * sizeof *t->col);
  for (size_t b = b0; b < b1; b++) {
    const int before = b * DPT_W < t->from; /* its partners are the others, and theirs are these */
    const size_t end = t->from && !before ? t->first : t->n;
    memset(t->p, 0, t->k * DPT_W * sizeof *t->p);
    memset(t->row, 0, DPT_W * sizeof *t->row);
    for (size_t j0 = before ? t->from : factor ? 0 : b * DPT_W; j0 < end; j0 += DPPAIR_TILE_) {
      const size_t rows = end - j0 < DPPAIR_TILE_ ? end - j0 : DPPAIR_TILE_;
      for (size_t j = 0; j < rows; j += DPT_W)
        DPPAIR_NAME_tiles_weigh_TIER_(t, t->tile + j * DPT_W, rows - j < DPT_W ? rows - j : DPT_W,
                                      b, j0 + j);
      DPPAIR_NAME_tiles_push_TIER_(t, rows, j0);
    }
    DPPAIR_NAME_tiles_close_TIER_(t, b);
  }
  if (t->kind == DPPAIR_FORM_METRIC) {
    memset(t->p, 0, t->k * DPT_W * sizeof *t->p);
    memset(t->row, 0, DPT_W * sizeof *t->row);
    for (size_t b = b1; b < t->blocks; b++) DPPAIR_NAME_tiles_close_TIER_(t, b);
  }
  for (size_t f = 0; f < t->d; f++)
    for (size_t g = 0; g < t->k; g++)
      out[f * t->k + g] = t->g[f * t->width + g] + (factor ? 0.0 : t->g[g * t->width + f]);
}

/* *out = the sum of the loss over the pairs of all strips. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_risk_TIER_(double *out, const DPPAIR_NAME_tiles_ *t) {
  *out = 0.0;
  for (size_t b = 0; b < t->blocks; b++)
    for (size_t j0 = b * DPT_W; j0 < t->n; j0 += DPT_W) {
      const size_t rows = t->n - j0 < DPT_W ? t->n - j0 : DPT_W;
      DPPAIR_NAME_tiles_margins_TIER_(t, t->tile, rows, b, j0);
      *out += DPPAIR_NAME_tiles_values_TIER_(t->tile, rows, b * DPT_W, j0, t->params);
    }
}

/* One part of a gradient: its strips, with its own scratch. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_task_TIER_(void *context, size_t part) {
  const DPPAIR_NAME_tiles_ *all = (const DPPAIR_NAME_tiles_ *)context;
  const DPPAIR_NAME_tiles_ t = DPPAIR_NAME_tiles_part_(all, part);
  DPPAIR_NAME_tiles_gradient_TIER_(t.out, &t, DPPAIR_NAME_tiles_first_(all, part),
                                   DPPAIR_NAME_tiles_first_(all, part + 1));
}

/* NAME_form_gradient on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_gradient_TIER(
    double *g, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k, double offset,
    const dppair_options *options) {
  const dppair_tasks *parts = options ? options->tasks : NULL;
  const DPPAIR_NAME_form_ q = {
      form,   rows, NULL, w, k, offset, dppair_clip_bound_(options), parts ? parts->count : 1,
      options};
  const size_t size = rows ? dppair_area_(rows->d, k) : 0;
  DPPAIR_NAME_tiles_ t;
  dppair_status status = rows ? DPPAIR_NAME_tiles_open_(&t, g, size, &q) : DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_prepare_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  if (parts && parts->run)
    parts->run(DPPAIR_NAME_tiles_task_TIER_, &t, t.parts, parts->self);
  else
    dppair_run_serial(DPPAIR_NAME_tiles_task_TIER_, &t, t.parts, NULL);
  dppair_tasks_join(t.out, size, t.parts);
  memcpy(g, t.out, size * sizeof *g);
  return dppair_finish_(g, size);
}

/* g[d][k] = the gradient of the sum over the pairs of *q, in one part: NAME_form_block, on this
 * tier. Errors as there, and zero g. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block_TIER(double *g,
                                                                       const DPPAIR_NAME_form_ *q) {
  const size_t size = dppair_area_(q->rows->d, q->k);
  DPPAIR_NAME_tiles_ t;
  dppair_status status = DPPAIR_NAME_tiles_open_(&t, g, size, q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_prepare_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_tiles_gradient_TIER_(
      g, &t, 0, t.from && t.kind != DPPAIR_FORM_FACTOR ? t.from / DPT_W : t.blocks);
  return dppair_finish_(g, size);
}

/* NAME_form_risk_not_private on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_risk_not_private_TIER(
    double *risk, dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k,
    double offset, const dppair_options *options) {
  const DPPAIR_NAME_form_ q = {form, rows, NULL, w, k, offset, 0.0, 1, options};
  DPPAIR_NAME_tiles_ t;
  dppair_status status;
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  status = rows ? dppair_all_alike_(rows->weight, options) : DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_open_(&t, risk, 1, &q);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_prepare_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_tiles_risk_TIER_(risk, &t);
  return dppair_finish_(risk, 1);
}
