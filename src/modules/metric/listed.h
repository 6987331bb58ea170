/* ------------------------------------------------------------------------------------------------
 * Gradients of listed pairs
 *
 * Linear scores and metrics, for one instance and tier. It relies on listed_state.h and on
 * multiply.h. NAME_pairs_gradient in template.h says what is computed.
 * ---------------------------------------------------------------------------------------------- */

/* |v|^2 is at most DPT_STRETCH(d) times the square as computed plus DPT_TINY(d): its sum of d
 * squares in the data's type errs by less than (d + 16) epsilon, and each step that underflows by
 * less than the smallest normal number. */
#define DPT_STRETCH(d) (1.0 + 4.0 * (double)((d) + 16) * (double)DPT_EPSILON)
#define DPT_TINY(d) (8.0 * (double)((d) + 4) * (double)DPT_MIN)

/* So many numbers of a row are fetched ahead; the processor itself fetches what follows. */
#define DPT_FETCHED 512

/* Starts to fetch the rows of up to DPV_LANES pairs from k on, k < m, into the cache. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fetch_TIER_(const DPT_STORED *xa, const DPT_STORED *xb,
                                                        size_t ld, size_t d, const size_t *i,
                                                        const size_t *j, size_t k, size_t m) {
  const size_t end = m - k < DPV_LANES ? m : k + DPV_LANES;
  for (; k < end; k++)
    for (size_t f = 0; f < d && f < DPT_FETCHED; f += 64 / sizeof *xa) {
      DPPAIR_PREFETCH_(xa + i[k] * ld + f);
      DPPAIR_PREFETCH_(xb + j[k] * ld + f);
    }
}

/* to[l d..] = row i[l] of a block, times its factor, for l < count. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_pairs_rows_TIER_(DPV_R *to, const DPPAIR_ROWS_ *rows,
                                                      const size_t *i, size_t count) {
  for (size_t l = 0; l < count; l++, to += rows->d)
    DPPAIR_NAME_scaled_row_(to, 1, rows->x + i[l] * rows->ld, rows->d,
                            rows->factor ? rows->factor[i[l]] : 1.0);
}

/* sum[l] += c v[l] in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fma_TIER_(double *sum, double c, DPV_T v) {
#if DPPAIR_F64_
  DPV_STORE(sum, DPV_FMA(DPV_SET(c), v, DPV_LOAD(sum)));
#else
  float t[DPV_LANES];
  DPV_STORE(t, v);
  dpd_store(sum, dpd_fma(dpd_set(c), dpd_load_f32(t), dpd_load(sum)));
  dpd_store(sum + 8, dpd_fma(dpd_set(c), dpd_load_f32(t + 8), dpd_load(sum + 8)));
#endif
}

/* One pair of rows a and b of d numbers, v their rounded difference: the lanes of s add up to <w,
 * v>, those of q to |v|^2. w[d] is padded to whole vectors. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_dot_TIER_(DPV_R *s, DPV_R *q, const DPV_R *a,
                                                      const DPV_R *b, const DPV_R *w, size_t d) {
  DPV_T dot = DPV_SET(0), norm = DPV_SET(0), v;
  size_t k = 0;
  for (; k + DPV_LANES <= d; k += DPV_LANES) {
    v = DPV_SUB(DPV_LOAD(a + k), DPV_LOAD(b + k));
    dot = DPV_FMA(v, DPV_LOAD(w + k), dot);
    norm = DPV_FMA(v, v, norm);
  }
  if (k < d) {
    v = DPV_SUB(DPV_LOADN(a + k, d - k, 0), DPV_LOADN(b + k, d - k, 0));
    dot = DPV_FMA(v, DPV_LOAD(w + k), dot);
    norm = DPV_FMA(v, v, norm);
  }
  DPV_STORE(s, dot);
  DPV_STORE(q, norm);
}

/* s[l] = the sum of the lanes of vector l of part, for as many vectors as there are lanes. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_fold_TIER_(DPV_R *s, const DPV_R *part) {
#if DPPAIR_F64_
  DPV_STORE(s, dpv_sums8(part));
#else
  dpv_sums8(s, part);
  dpv_sums8(s + 8, part + 8 * DPV_LANES);
#endif
}

/* g += sum over l < n of c[l] (a[l] - b[l]) in double; g[d] is padded to whole vectors. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_add_TIER_(double *g, const double *c,
                                                      const DPV_R *const *a, const DPV_R *const *b,
                                                      size_t n, size_t d) {
  double t[DPV_LANES];
  for (size_t k = 0; k < d; k += DPV_LANES) {
    const size_t rest = d - k;
    memcpy(t, g + k, sizeof t);
    if (rest >= DPV_LANES) {
      for (size_t l = 0; l < n; l++)
        DPPAIR_NAME_pairs_fma_TIER_(t, c[l], DPV_SUB(DPV_LOAD(a[l] + k), DPV_LOAD(b[l] + k)));
    } else {
      for (size_t l = 0; l < n; l++)
        DPPAIR_NAME_pairs_fma_TIER_(
            t, c[l], DPV_SUB(DPV_LOADN(a[l] + k, rest, 0), DPV_LOADN(b[l] + k, rest, 0)));
    }
    memcpy(g + k, t, sizeof t);
  }
}

/* g[d] += the weighted, clipped gradients of the m pairs of a linear score; w[d] and g are padded
 * to whole vectors. Returns 0 when a margin or a distance overflows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_linear_TIER_(double *g, const DPV_R *xa, const DPV_R *xb,
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
#if !DPT_NARROW /* else these rows are copies */
    if (k + DPV_LANES < m) DPPAIR_NAME_pairs_fetch_TIER_(xa, xb, ld, d, i, j, k + DPV_LANES, m);
#endif
    for (size_t l = 0; l < DPV_LANES; l++) { /* the last group repeats its last pair */
      const size_t at = k + (l < rest ? l : rest - 1);
      a[l] = xa + i[at] * ld;
      b[l] = xb + j[at] * ld;
      DPPAIR_NAME_pairs_dot_TIER_(dots + l * DPV_LANES, norms + l * DPV_LANES, a[l], b[l], w, d);
    }
    DPPAIR_NAME_pairs_fold_TIER_(u, dots);
    DPPAIR_NAME_pairs_fold_TIER_(q, norms);
    odd = DPV_ADD(odd, DPV_MUL(DPV_ADD(DPV_LOAD(u), DPV_LOAD(q)), DPV_SET(0)));
    slope = DPPAIR_LOSS_SLOPE(DPV_LOAD(u));
    if (clip > 0.0) {
      cap = DPV_DIV(limit, DPV_SQRT(DPV_FMA(DPV_LOAD(q), stretch, tiny)));
      cap = DPV_SEL(DPV_LT(cap, least), DPV_SET(0), cap);
      slope = DPV_MIN(cap, DPV_MAX(DPV_NEG(cap), slope));
    }
    DPV_STORE(c, slope);
    for (size_t l = 0; l < rest; l++)
      held[l] = weight ? (double)c[l] * weight[k + l] : (double)c[l];
    DPPAIR_NAME_pairs_add_TIER_(g, held, a, b, rest, d);
  }
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

/* The same for rows with factors, of another type, or at different distances: a vector of pairs at
 * a time, their computed rows in t->rows. */
DPPAIR_OUT_OF_LINE_ int DPPAIR_NAME_pairs_copied_TIER_(const DPPAIR_NAME_list_ *t,
                                                       const DPPAIR_ROWS_ *rows_a,
                                                       const DPPAIR_ROWS_ *rows_b, const size_t *i,
                                                       const size_t *j, const double *weight,
                                                       size_t m, const dppair_options *options) {
  const size_t d = rows_a->d;
  DPV_R *const a = t->rows, *const b = a + DPV_LANES * d;
  size_t place[DPV_LANES];
  int finite = 1;
  for (size_t l = 0; l < DPV_LANES; l++) place[l] = l;
  for (size_t k = 0; k < m; k += DPV_LANES) {
    const size_t rest = m - k < DPV_LANES ? m - k : DPV_LANES;
    DPPAIR_NAME_pairs_rows_TIER_(a, rows_a, i + k, rest);
    DPPAIR_NAME_pairs_rows_TIER_(b, rows_b, j + k, rest);
    finite &= DPPAIR_NAME_pairs_linear_TIER_(t->sum, a, b, d, d, t->w, place, place,
                                             weight ? weight + k : NULL, rest,
                                             dppair_clip_bound_(options), options->params);
  }
  return finite;
}

/* The differences of the rows of `rest` pairs, packed in t->xt, and the signs of their margins in
 * t->hl; the pairs that are missing in the block have zeros. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_pairs_pack_TIER_(const DPPAIR_NAME_tiles_ *t,
                                                       const DPPAIR_ROWS_ *rows, const size_t *i,
                                                       const size_t *j, size_t rest) {
  const size_t d = t->d;
  memset(t->xt, 0, d * DPT_W * sizeof *t->xt);
  for (size_t l = 0; l < DPT_W; l++) t->hl[l] = 1;
  for (size_t l = 0; l < rest; l++) {
    const DPV_R *xi = (const DPV_R *)(const void *)(rows->x + i[l] * rows->ld);
    const DPV_R *xj = (const DPV_R *)(const void *)(rows->x + j[l] * rows->ld);
    if (l + DPV_LANES < rest)
      DPPAIR_NAME_pairs_fetch_TIER_(rows->x, rows->x, rows->ld, d, i, j, l + DPV_LANES,
                                    l + DPV_LANES + 1);
    if (t->scaled) {
      DPPAIR_NAME_pairs_rows_TIER_(t->zr, rows, i + l, 1);
      DPPAIR_NAME_pairs_rows_TIER_(t->zr + d, rows, j + l, 1);
      xi = t->zr;
      xj = xi + d;
    }
    t->hl[l] = DPT_LABEL(rows->y[i[l]]) == DPT_LABEL(rows->y[j[l]]) ? 1 : -1;
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
                                                       const DPPAIR_ROWS_ *rows,
                                                       const dppair_listed_ *p) {
  const size_t d = t->d;
  DPV_T odd = DPV_SET(0);
  memset(t->g, 0, d * t->width * sizeof *t->g);
  for (size_t k = 0, next; k < p->m; k = next) {
    const size_t rest = dppair_pairs_there_(p, k, DPT_W);
    next = rest > 0 ? k + rest : k + 1;
    if (rest == 0) continue;
    DPPAIR_NAME_pairs_pack_TIER_(t, rows, p->i + k, p->j + k, rest);
    DPPAIR_NAME_pairs_slopes_TIER_(t, &odd);
    DPPAIR_NAME_pairs_push_TIER_(t, p->weight ? p->weight + k : NULL, rest);
  }
  for (size_t f = 0; f < d; f++) memcpy(out + f * d, t->g + f * t->width, d * sizeof *out);
  return dppair_isfinite_f64((double)DPV_SUM(odd));
}

/* NAME_pairs_gradient on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_pairs_gradient_TIER(double *g, const DPPAIR_ROWS_ *rows_a, const DPPAIR_ROWS_ *rows_b,
                                const DPV_R *w, const size_t *i, const size_t *j,
                                const double *weight, size_t m, const dppair_options *options) {
  DPPAIR_NAME_list_ t;
  dppair_listed_ p;
  const dppair_status status =
      DPPAIR_NAME_list_open_(&t, g, rows_a, rows_b, w, i, j, weight, m, options);
  int finite = 1;
  if (status != DPPAIR_OK) return status;
  p = DPPAIR_NAME_list_of_(rows_a, rows_b, i, j, weight, m);
  const DPV_R *xa = (const DPV_R *)(const void *)rows_a->x;
  const DPV_R *xb = (const DPV_R *)(const void *)rows_b->x;
  for (size_t k = 0, next; k < m; k = next) {
    const double *const share = weight ? weight + k : NULL;
    const size_t rest = dppair_pairs_there_(&p, k, m);
    next = rest > 0 ? k + rest : k + 1;
    if (rest == 0) continue;
    finite &=
        rows_a->factor || rows_b->factor || rows_a->ld != rows_b->ld || DPT_NARROW
            ? DPPAIR_NAME_pairs_copied_TIER_(&t, rows_a, rows_b, i + k, j + k, share, rest, options)
            : DPPAIR_NAME_pairs_linear_TIER_(t.sum, xa, xb, rows_a->d, rows_a->ld, t.w, i + k,
                                             j + k, share, rest, dppair_clip_bound_(options),
                                             options->params);
  }
  if (!finite) return DPPAIR_ERR_NOT_FINITE;
  memcpy(g, t.sum, rows_a->d * sizeof *g);
  return dppair_finish_(g, rows_a->d);
}

/* NAME_form_pairs on this tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_pairs_TIER(
    double *g, const DPPAIR_ROWS_ *rows, const double *w, double offset, const size_t *i,
    const size_t *j, const double *weight, size_t m, const dppair_options *options) {
  DPPAIR_NAME_form_ q = {DPPAIR_FORM_METRIC, rows, NULL, w, 0, offset, 0.0, 1, options};
  dppair_listed_ listed;
  DPPAIR_NAME_tiles_ t;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  q.k = rows->d;
  q.clip = dppair_clip_bound_(options);
  listed = DPPAIR_NAME_list_of_(rows, rows, i, j, weight, m);
  status = DPPAIR_NAME_tiles_open_pairs_(&t, g, &q, &listed);
  if (status != DPPAIR_OK) return status;
  if (!DPPAIR_NAME_pairs_metric_TIER_(g, &t, rows, &listed)) {
    memset(g, 0, t.d * t.d * sizeof *g);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return dppair_finish_(g, t.d * t.d);
}
#undef DPT_STRETCH
#undef DPT_TINY
#undef DPT_FETCHED
