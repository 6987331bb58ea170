/* ------------------------------------------------------------------------------------------------
 * A gradient of linear scores in parts
 *
 * The tasks of NAME_gradient (tiles/gradient.h), which runs the scores of its type on all parts,
 * then the pair sums, then X^T c on all parts, and adds the results of the parts in a fixed order.
 * A program with one type compiles the kernels of that type only.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* One gradient X+^T a + X-^T b. Index 0 is the positive side, index 1 the negative one. x: rows at
 * distance ld; factor: of the rows, or NULL; s: scores, in the type of the rows; c: coefficients a
 * and b; g: partial sums. */
typedef struct dppair_linear_ {
  const void *x[2], *w;
  const double *factor[2];
  void *s[2];
  double *c[2], *g;
  size_t n[2], d, ld, parts;
} dppair_linear_;

/* The scores of part `part` of either side's rows. */
DPPAIR_FORCE_INLINE_ void dppair_linear_scores_(const dppair_linear_ *r, size_t part, int is_f32) {
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    const double *factor = r->factor[side];
    if (is_f32) {
      float *s = (float *)r->s[side] + i;
      DPPAIR_DISPATCH_(dppair_scores_f32, (s, (const float *)r->x[side] + i * r->ld, n, r->d, r->ld,
                                           (const float *)r->w));
      if (factor) dppair_linear_scale_f32_(s, factor + i, n);
    } else {
      double *s = (double *)r->s[side] + i;
      DPPAIR_DISPATCH_(dppair_scores_f64, (s, (const double *)r->x[side] + i * r->ld, n, r->d,
                                           r->ld, (const double *)r->w));
      if (factor) dppair_linear_scale_f64_(s, factor + i, n);
    }
  }
}

/* X+^T a and X-^T b over part `part` of the rows: d numbers each, one after the other from
 * g + 2 part d on. */
DPPAIR_FORCE_INLINE_ void dppair_linear_combine_(const dppair_linear_ *r, size_t part, int is_f32) {
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    const double *factor = r->factor[side] ? r->factor[side] + i : NULL;
    double *g = r->g + (2 * part + (size_t)side) * r->d;
    if (is_f32) {
      DPPAIR_DISPATCH_(dppair_combine_f32, (g, (const float *)r->x[side] + i * r->ld, n, r->d,
                                            r->ld, r->c[side] + i, factor));
    } else {
      DPPAIR_DISPATCH_(dppair_combine_f64, (g, (const double *)r->x[side] + i * r->ld, n, r->d,
                                            r->ld, r->c[side] + i, factor));
    }
  }
}

/* The tasks, one of each for either type. */
DPPAIR_API void dppair_linear_scores_f32_(void *context, size_t part) {
  dppair_linear_scores_((const dppair_linear_ *)context, part, 1);
}
DPPAIR_API void dppair_linear_scores_f64_(void *context, size_t part) {
  dppair_linear_scores_((const dppair_linear_ *)context, part, 0);
}
DPPAIR_API void dppair_linear_combine_f32_(void *context, size_t part) {
  dppair_linear_combine_((const dppair_linear_ *)context, part, 1);
}
DPPAIR_API void dppair_linear_combine_f64_(void *context, size_t part) {
  dppair_linear_combine_((const dppair_linear_ *)context, part, 0);
}

DPPAIR_FP_END_
