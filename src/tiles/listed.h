/* ------------------------------------------------------------------------------------------------
 * Gradients of listed pairs
 *
 * Linear scores and metrics, for one instance and tier. It relies on shared.h for checks, on
 * form_state.h for the state of a metric, and on multiply.h. NAME_pairs_gradient in template.h says
 * what is computed.
 * ---------------------------------------------------------------------------------------------- */

/* |v|^2 is at most DPT_STRETCH(d) times the square as computed plus DPT_TINY(d): its sum of d
 * squares in the data's type errs by less than (d + 16) epsilon, and each step that underflows by
 * less than the smallest normal number. */
#define DPT_STRETCH(d) (1.0 + 4.0 * (double)((d) + 16) * (double)DPT_EPSILON)
#define DPT_TINY(d) (8.0 * (double)((d) + 4) * (double)DPT_MIN)

/* So many numbers of a row are fetched ahead; the processor itself fetches what follows. */
#define DPT_FETCHED 512

/* Starts to fetch the rows of up to DPV_LANES pairs from k on, k < m, into the cache. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fetch_TIER_(const DPV_R *xa, const DPV_R *xb, size_t ld,
                                                        size_t d, const size_t *i, const size_t *j,
                                                        size_t k, size_t m) {
  const size_t end = m - k < DPV_LANES ? m : k + DPV_LANES;
  for (; k < end; k++)
    for (size_t f = 0; f < d && f < DPT_FETCHED; f += DPV_LANES) {
      DPPAIR_PREFETCH_(xa + i[k] * ld + f);
      DPPAIR_PREFETCH_(xb + j[k] * ld + f);
    }
}

/* g[d] += the weighted, clipped gradients of the m pairs of a linear score; w[d] and g are padded
 * to whole vectors. Returns 0 when a margin or a distance overflows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_linear_TIER_(double *g, const DPV_R *xp, const DPV_R *xn,
                                                       size_t d, size_t ld, const DPV_R *w,
                                                       const size_t *i, const size_t *j,
                                                       const double *weight, size_t m, double clip,
                                                       const double *params) {
  const DPV_T stretch = DPV_SET((DPV_R)DPT_STRETCH(d));
  const DPV_T tiny = DPV_SET((DPV_R)DPT_TINY(d));
  const DPV_T limit = DPV_SET(DPPAIR_NAME_tiles_limit_(clip)), least = DPV_SET(DPT_MIN);
  DPV_T odd = DPV_SET(0); /* NaN once a margin or a distance is not finite */
  (void)params;
  for (size_t k = 0; k < m; k += DPV_LANES) {
    const size_t rest = m - k < DPV_LANES ? m - k : DPV_LANES;
    DPV_R u[DPV_LANES], c[DPV_LANES], q[DPV_LANES], dots[DPV_LANES * DPV_LANES];
    DPV_R norms[DPV_LANES * DPV_LANES];
    const DPV_R *a[DPV_LANES], *b[DPV_LANES];
    double held[DPV_LANES];
    DPV_T slope, cap;
    if (k + DPV_LANES < m) DPPAIR_NAME_pairs_fetch_TIER_(xp, xn, ld, d, i, j, k + DPV_LANES, m);
    for (size_t l = 0; l < DPV_LANES; l++) { /* the last group repeats its last pair */
      const size_t at = k + (l < rest ? l : rest - 1);
      a[l] = xp + i[at] * ld;
      b[l] = xn + j[at] * ld;
      dpv_pair_dot(dots + l * DPV_LANES, norms + l * DPV_LANES, a[l], b[l], w, d);
    }
    dpv_pair_sums(u, dots);
    dpv_pair_sums(q, norms);
    odd = DPV_ADD(odd, DPV_MUL(DPV_ADD(DPV_LOAD(u), DPV_LOAD(q)), DPV_SET(0)));
    slope = DPPAIR_LOSS_SLOPE(DPV_LOAD(u));
    if (clip < DPPAIR_NO_CLIP) {
      cap = DPV_DIV(limit, DPV_SQRT(DPV_FMA(DPV_LOAD(q), stretch, tiny)));
      cap = DPV_SEL(DPV_LT(cap, least), DPV_SET(0), cap);
      slope = DPV_MIN(cap, DPV_MAX(DPV_NEG(cap), slope));
    }
    DPV_STORE(c, slope);
    for (size_t l = 0; l < rest; l++)
      held[l] = weight ? (double)c[l] * weight[k + l] : (double)c[l];
    dpv_pair_add(g, held, a, b, rest, d);
  }
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

/* The differences of the rows of `rest` pairs, packed in t->xt, and the signs of their margins in
 * t->hl; the pairs that are missing in the block have zeros. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_pack_TIER_(const DPPAIR_NAME_tiles_ *t, const DPV_R *y,
                                                       const size_t *i, const size_t *j,
                                                       size_t rest) {
  const size_t d = t->d;
  memset(t->xt, 0, d * DPT_W * sizeof *t->xt);
  for (size_t l = 0; l < DPT_W; l++) t->hl[l] = 1;
  for (size_t l = 0; l < rest; l++) {
    const DPV_R *xi = t->x + i[l] * t->ld, *xj = t->x + j[l] * t->ld;
    if (l + DPV_LANES < rest)
      DPPAIR_NAME_pairs_fetch_TIER_(t->x, t->x, t->ld, d, i, j, l + DPV_LANES, l + DPV_LANES + 1);
    t->hl[l] = y[i[l]] == y[j[l]] ? 1 : -1;
    for (size_t f = 0; f < d; f++) t->xt[f * DPT_W + l] = xi[f] - xj[f];
  }
}

/* The clipped slopes of a block of pairs, in t->tile; *odd becomes NaN once a margin or a distance
 * is not finite. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_slopes_TIER_(const DPPAIR_NAME_tiles_ *t, DPV_T *odd) {
  const double *params = t->params;
  const DPV_R *v = t->xt, *a = t->left;
  const size_t d = t->d;
  const DPV_T stretch = DPV_SET((DPV_R)DPT_STRETCH(d)), tiny = DPV_SET((DPV_R)DPT_TINY(d));
  (void)params;
  dpv_multiply(t->left, DPT_W, v, DPT_W, t->w, d, d, d, 0);
  for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
    DPV_T margin = DPV_SET(0), norm = DPV_SET(0), s, c;
    const DPV_T sign = DPV_LOAD(t->hl + l);
    for (size_t f = 0; f < d; f++) {
      const DPV_T x = DPV_LOAD(v + f * DPT_W + l);
      margin = DPV_FMA(x, DPV_LOAD(a + f * DPT_W + l), margin);
      norm = DPV_FMA(x, x, norm);
    }
    s = DPV_MUL(sign, DPV_SUB(DPV_SET(t->offset), margin));
    *odd = DPV_ADD(*odd, DPV_MUL(DPV_ADD(DPV_ABS(s), norm), DPV_SET(0)));
    s = DPV_MUL(sign, DPPAIR_LOSS_SLOPE(s));
    c = DPV_DIV(DPV_SET(t->limit), DPV_FMA(norm, stretch, tiny));
    c = DPV_SEL(DPV_LT(c, DPV_SET(DPT_MIN)), DPV_SET(0), c);
    if (t->clipped) s = DPV_MIN(c, DPV_MAX(DPV_NEG(c), s));
    DPV_STORE(t->tile + l, s);
  }
}

/* Adds the gradients of `rest` pairs to t->g, in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_push_TIER_(const DPPAIR_NAME_tiles_ *t,
                                                       const double *weight, size_t rest) {
  const size_t d = t->d;
  for (size_t l = 0; l < rest; l++) {
    const double c = -(double)t->tile[l] * (weight ? weight[l] : 1.0);
    double *h = t->h + l * t->width, *x = t->xd + l * d;
    for (size_t f = 0; f < d; f++) x[f] = (double)t->xt[f * DPT_W + l];
    for (size_t f = 0; f < d; f++) h[f] = c * x[f];
    for (size_t f = d; f < t->width; f++) h[f] = 0.0;
  }
  for (size_t f = 0; f < t->width; f += DPPAIR_COLUMNS_)
    dpd_multiply(t->g + f, t->width, t->h + f, t->width, t->xd, d, d, rest, 1);
}

/* out[d][d] = the weighted, clipped gradients of the metric; t holds W and the scratch arrays.
 * Margins come from differences of rows, W (x - x') by blocks, so nothing cancels. Returns 0 when a
 * margin or a distance overflows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_metric_TIER_(double *out, const DPPAIR_NAME_tiles_ *t,
                                                       const DPV_R *y, const size_t *i,
                                                       const size_t *j, const double *weight,
                                                       size_t m) {
  const size_t d = t->d;
  DPV_T odd = DPV_SET(0);
  memset(t->g, 0, d * t->width * sizeof *t->g);
  for (size_t k = 0; k < m; k += DPT_W) {
    const size_t rest = m - k < DPT_W ? m - k : DPT_W;
    DPPAIR_NAME_pairs_pack_TIER_(t, y, i + k, j + k, rest);
    DPPAIR_NAME_pairs_slopes_TIER_(t, &odd);
    DPPAIR_NAME_pairs_push_TIER_(t, weight ? weight + k : NULL, rest);
  }
  for (size_t f = 0; f < d; f++) memcpy(out + f * d, t->g + f * t->width, d * sizeof *out);
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

/* NAME_pairs_gradient on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_gradient_TIER(
    double *g, const DPV_R *xp, size_t np, const DPV_R *xn, size_t nn, size_t d, size_t ld,
    const DPV_R *w, const size_t *i, const size_t *j, const double *weight, size_t m, double clip,
    const double *params, double *work, size_t bytes) {
  const dppair_listed_ listed = {xp, xn, np, nn, d, ld, i, j, weight, m};
  const dppair_status status = dppair_pairs_check_(g, d, &listed, w, clip, work, bytes,
                                                   dppair_area_(d + 16, 2 * sizeof *work));
  double *const sum = work;
  DPV_R *const wide = (DPV_R *)(void *)(work + d + 16);
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(w, d)) return DPPAIR_ERR_NOT_FINITE;
  memset(work, 0, 2 * (d + 16) * sizeof *work);
  memcpy(wide, w, d * sizeof *w);
  if (!DPPAIR_NAME_pairs_linear_TIER_(sum, xp, xn, d, ld, wide, i, j, weight, m, clip, params))
    return DPPAIR_ERR_NOT_FINITE;
  memcpy(g, sum, d * sizeof *g);
  return dppair_finish_(g, d);
}

/* NAME_metric_pairs_gradient on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_pairs_gradient_TIER(
    double *g, const DPV_R *x, const DPV_R *y, size_t n, size_t d, size_t ld, const double *w,
    double offset, const size_t *i, const size_t *j, const double *weight, size_t m, double clip,
    const double *params, void *work, size_t bytes) {
  const dppair_listed_ listed = {x, x, n, n, d, ld, i, j, weight, m};
  const DPPAIR_NAME_form_ q = {
      DPPAIR_FORM_METRIC, x, y, n, d, ld, w, d, offset, clip, params, 1, work, bytes};
  DPPAIR_NAME_tiles_ t;
  dppair_status status =
      dppair_pairs_check_(g, dppair_area_(d, d), &listed, w, clip, work, bytes, 0);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_open_pairs_(&t, &q);
  if (status != DPPAIR_OK) return status;
  if (!DPPAIR_NAME_pairs_metric_TIER_(g, &t, y, i, j, weight, m)) {
    memset(g, 0, d * d * sizeof *g);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return dppair_finish_(g, d * d);
}
#undef DPT_WIDE
#undef DPT_STRETCH
#undef DPT_TINY
#undef DPT_FETCHED
