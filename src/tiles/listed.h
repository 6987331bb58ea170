/* ------------------------------------------------------------------------------------------------
 * Listed pairs
 * ---------------------------------------------------------------------------------------------- */

/* The rows of the pairs after next, on their way into the cache. */
DPV_INLINE_ void DPPAIR_NAME_pairs_fetch_TIER_(const DPV_R *xa, const DPV_R *xb, size_t ld,
                                               size_t d, const size_t *i, const size_t *j, size_t k,
                                               size_t m) {
  const size_t end = m - k < DPV_LANES ? m : k + DPV_LANES;
  for (; k < end; k++)
    for (size_t f = 0; f < d && f < 512; f += DPV_LANES) {
      DPPAIR_PREFETCH_(xa + i[k] * ld + f);
      DPPAIR_PREFETCH_(xb + j[k] * ld + f);
    }
}

/* g += weighted, clipped gradients of linear margins; returns 0 when a margin or distance
 * overflows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_linear_TIER_(double *g, const DPV_R *xp, const DPV_R *xn,
                                                       size_t d, size_t ld, const DPV_R *w,
                                                       const size_t *i, const size_t *j,
                                                       const double *weight, size_t m, double clip,
                                                       const DPV_R *params) {
  const DPV_T stretch = DPV_SET((DPV_R)(1.0 + 4.0 * (double)(d + 16) * (double)DPT_EPSILON));
  const DPV_T tiny = DPV_SET((DPV_R)(8.0 * (double)(d + 4) * (double)DPT_MIN));
  const DPV_T limit = DPV_SET(DPPAIR_NAME_tiles_limit_(clip)), least = DPV_SET(DPT_MIN);
  DPV_T odd = DPV_SET(0); /* NaN once a score or a distance is not finite */
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

/* The same for the metric; t holds W and the scratch arrays. Margins come from differences of rows,
 * W (x - x') by blocks, so nothing cancels. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_metric_TIER_(double *out, const DPPAIR_NAME_tiles_ *t,
                                                       const DPV_R *y, const size_t *i,
                                                       const size_t *j, const double *weight,
                                                       size_t m) {
  const DPV_R *params = t->params;
  const size_t d = t->d;
  const DPV_T stretch = DPV_SET((DPV_R)(1.0 + 4.0 * (double)(d + 16) * (double)DPT_EPSILON));
  const DPV_T tiny = DPV_SET((DPV_R)(8.0 * (double)(d + 4) * (double)DPT_MIN));
  DPV_T odd = DPV_SET(0);
  (void)params;
  memset(t->g, 0, d * t->width * sizeof *t->g);
  for (size_t k = 0; k < m; k += DPT_W) {
    const size_t rest = m - k < DPT_W ? m - k : DPT_W;
    DPV_R *v = t->xt, *a = t->left, *tau = t->hl;
    memset(v, 0, d * DPT_W * sizeof *v);
    for (size_t l = 0; l < DPT_W; l++) tau[l] = 1;
    for (size_t l = 0; l < rest; l++) {
      const DPV_R *xi = t->x + i[k + l] * t->ld, *xj = t->x + j[k + l] * t->ld;
      if (l + DPV_LANES < rest)
        DPPAIR_NAME_pairs_fetch_TIER_(t->x, t->x, t->ld, d, i, j, k + l + DPV_LANES,
                                      k + l + DPV_LANES + 1);
      tau[l] = y[i[k + l]] == y[j[k + l]] ? 1 : -1;
      for (size_t f = 0; f < d; f++) v[f * DPT_W + l] = xi[f] - xj[f];
    }
    dpv_multiply(a, DPT_W, v, DPT_W, t->w, d, d, d, 0);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES) {
      DPV_T margin = DPV_SET(0), norm = DPV_SET(0), s, c;
      const DPV_T sign = DPV_LOAD(tau + l);
      for (size_t f = 0; f < d; f++) {
        const DPV_T x = DPV_LOAD(v + f * DPT_W + l);
        margin = DPV_FMA(x, DPV_LOAD(a + f * DPT_W + l), margin);
        norm = DPV_FMA(x, x, norm);
      }
      s = DPV_MUL(sign, DPV_SUB(DPV_SET(t->offset), margin));
      odd = DPV_ADD(odd, DPV_MUL(DPV_ADD(DPV_ABS(s), norm), DPV_SET(0)));
      s = DPV_MUL(sign, DPPAIR_LOSS_SLOPE(s));
      c = DPV_DIV(DPV_SET(t->limit), DPV_FMA(norm, stretch, tiny));
      c = DPV_SEL(DPV_LT(c, DPV_SET(DPT_MIN)), DPV_SET(0), c);
      if (t->clipped) s = DPV_MIN(c, DPV_MAX(DPV_NEG(c), s));
      DPV_STORE(t->tile + l, s);
    }
    for (size_t l = 0; l < rest; l++) {
      const double c = -(double)t->tile[l] * (weight ? weight[k + l] : 1.0);
      double *h = t->h + l * t->width, *x = t->xd + l * d;
      for (size_t f = 0; f < d; f++) x[f] = (double)v[f * DPT_W + l];
      for (size_t f = 0; f < d; f++) h[f] = c * x[f];
      for (size_t f = d; f < t->width; f++) h[f] = 0.0;
    }
    for (size_t f = 0; f < t->width; f += 24)
      dpd_multiply(t->g + f, t->width, t->h + f, t->width, t->xd, d, d, rest, 1);
  }
  for (size_t f = 0; f < d; f++) memcpy(out + f * d, t->g + f * t->width, d * sizeof *out);
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_gradient_TIER(
    double *g, const DPV_R *xp, size_t np, const DPV_R *xn, size_t nn, size_t d, size_t ld,
    const DPV_R *w, const size_t *i, const size_t *j, const double *weight, size_t m, double clip,
    const DPV_R *params, double *work, size_t bytes) {
  dppair_status status = dppair_pairs_check_(g, d, d, xp, np, xn, nn, ld, w, i, j, weight, m, clip,
                                             work, bytes, dppair_area_(d + 16, 2 * sizeof *work));
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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_metric_pairs_gradient_TIER(
    double *g, const DPV_R *x, const DPV_R *y, size_t n, size_t d, size_t ld, const double *w,
    double offset, const size_t *i, const size_t *j, const double *weight, size_t m, double clip,
    const DPV_R *params, void *work, size_t bytes) {
  DPPAIR_NAME_tiles_ t;
  dppair_status status = dppair_pairs_check_(g, dppair_area_(d, d), d, x, n, x, n, ld, w, i, j,
                                             weight, m, clip, work, bytes, 0);
  if (status == DPPAIR_OK)
    status =
        DPPAIR_NAME_tiles_open_pairs_(&t, x, y, n, d, ld, w, offset, clip, params, work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!DPPAIR_NAME_pairs_metric_TIER_(g, &t, y, i, j, weight, m)) {
    memset(g, 0, d * d * sizeof *g);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return dppair_finish_(g, d * d);
}
#undef DPT_WIDE
