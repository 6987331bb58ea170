/* ------------------------------------------------------------------------------------------------
 * A gradient of linear scores in parts: the tasks of an instance
 *
 * NAME_gradient (tiles/gradient.h) runs the scores on all parts, then the pair sums, then X^T c on
 * all parts, and adds the results of the parts in a fixed order.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The scores of part `part` of either side's rows. */
DPPAIR_API void DPPAIR_NAME_linear_scores_(void *context, size_t part) {
  const dppair_linear_ *r = (const dppair_linear_ *)context;
  DPPAIR_ROWS_ rows;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    dppair_rows_part_ROW_(&rows, (const DPPAIR_ROWS_ *)r->rows, (side ? r->n[0] : 0) + i, n);
    dppair_rows_scores_ROW_((DPPAIR_REAL *)r->s[side] + i, &rows, (const DPPAIR_REAL *)r->w);
  }
}

/* X+^T a and X-^T b over part `part` of the rows: d numbers each, one after the other from
 * g + 2 part d on. */
DPPAIR_API void DPPAIR_NAME_linear_combine_(void *context, size_t part) {
  const dppair_linear_ *r = (const dppair_linear_ *)context;
  DPPAIR_ROWS_ rows;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    dppair_rows_part_ROW_(&rows, (const DPPAIR_ROWS_ *)r->rows, (side ? r->n[0] : 0) + i, n);
    dppair_rows_combine_ROW_(r->g + (2 * part + (size_t)side) * r->d, &rows, r->c[side] + i);
  }
}

DPPAIR_FP_END_
