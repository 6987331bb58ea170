/* ------------------------------------------------------------------------------------------------
 * A gradient of linear scores in parts: the tasks of NAME_gradient
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* One gradient X+^T a + X-^T b in parts: scores, then sums over rows. */
typedef struct dppair_rows_ {
  const void *x[2], *w;
  void *s[2];
  double *c[2], *g;
  size_t n[2], d, ld, parts;
  int is_f32;
} dppair_rows_;

DPPAIR_API void dppair_rows_scores_(void *context, size_t part) {
  dppair_rows_ *r = (dppair_rows_ *)context;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin(r->n[side], part + 1, r->parts) - i;
    if (r->is_f32) {
      DPPAIR_DISPATCH_(dppair_scores_f32,
                       ((float *)r->s[side] + i, (const float *)r->x[side] + i * r->ld, n, r->d,
                        r->ld, (const float *)r->w));
    } else {
      DPPAIR_DISPATCH_(dppair_scores_f64,
                       ((double *)r->s[side] + i, (const double *)r->x[side] + i * r->ld, n, r->d,
                        r->ld, (const double *)r->w));
    }
  }
}

/* g[2 part] and g[2 part + 1], d numbers each: the sums of either side. */
DPPAIR_API void dppair_rows_combine_(void *context, size_t part) {
  dppair_rows_ *r = (dppair_rows_ *)context;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin(r->n[side], part + 1, r->parts) - i;
    double *g = r->g + (2 * part + (size_t)side) * r->d;
    if (r->is_f32) {
      DPPAIR_DISPATCH_(dppair_combine_f32,
                       (g, (const float *)r->x[side] + i * r->ld, n, r->d, r->ld, r->c[side] + i));
    } else {
      DPPAIR_DISPATCH_(dppair_combine_f64,
                       (g, (const double *)r->x[side] + i * r->ld, n, r->d, r->ld, r->c[side] + i));
    }
  }
}

DPPAIR_FP_END_
