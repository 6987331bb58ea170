/* ------------------------------------------------------------------------------------------------
 * The functions of a kind of rows: what an instance calls, and where a further kind plugs in
 *
 * DPPAIR_ROW names the kind. Gradients, sums in chunks and releases of an instance read rows by the
 * functions of this table alone, which the compiler finds by that word: there is no pointer and no
 * branch. The types of rows/template.h have them all. Another kind K, say of sparse rows, is a
 * header of its own that is included after dppair.h and before its instances. It defines
 *
 *   DPPAIR_PROBE_K    the words  ~, 6  where scores, w and labels are float,  ~, 7  where double
 *   dppair_rows_K     a struct; at least n, d, positives, nulls, weight, radius, serial of
 *                     rows/template.h
 *
 *   dppair_rows_check_K_(rows)               whether they can be read: NULL, SIZE, OVERFLOW
 *   dppair_rows_apart_K_(g, size, rows)      OVERLAP where g shares memory with what is read
 *   dppair_present_K_(rows)                  the rows without the last ones, which are null
 *   dppair_rows_part_K_(part, rows, i, n)    rows i to i + n, with weights, and positives counted
 *   dppair_reach_K_(w, d, radius)            whether w is finite and no score can overflow
 *   dppair_rows_scores_K_(s, rows, w)        s[i] = factor[i] <row i, w>
 *   dppair_rows_combine_K_(g, rows, c)       g = the sum over i of c[i] factor[i] row i, d doubles
 *   dppair_sum_rows_K_(sum, rows, c)         the same into a dppair_sum, and its count grows by n
 *   dppair_scores_K, dppair_combine_K        two of these with checks, as in rows/template.h
 *   dppair_rows_short_K_(rows)               with DPPAIR_CHECK_ROWS alone, as there
 *
 * and for its users, as there, dppair_rows_clip_K (a factor is dppair_row_factor_ of a sum of
 * squares) and dppair_gather_K. The core calls neither.
 *
 * Contract. Sensitivities are proved from it (pairs/template.h, sensitivity.h):
 *
 *   status     check, apart and reach read sizes, addresses, radius and w, which are public, and
 *              nothing of a record. The others have no status: rows of _clip_K cannot fail in them
 *   row        at most d numbers, one in a column: where a format allows two, add them when the
 *              rows are made. A row times its factor is at most radius long in exact arithmetic
 *   score      a function of its row, its factor and w alone: not of its place, the part or n. Its
 *              products, their additions and the factor are rounded once each, in the type of w
 *   combine    an addend meets one product of c and factor, one with the number, and at most n - 1
 *              additions, each rounded once, in double
 *   sum        an addend is a function of its record: p = c held within +-(bound/radius), times
 *              factor, rounded once; then p x rounded to a multiple of the unit, ties to even, and
 *              added to words[2k], words[2k + 1] as an integer (dppair_word_add_)
 *
 * Rows with weights, groups, prepared states, parts, chunks and top-weighted losses need no more.
 * Pairs that are clipped, listed pairs, forms, row-wise losses and NAME_release_pointwise read the
 * numbers of dense rows: an instance of another kind has none of the last four, and a clip in its
 * pass is NO_PROOF.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ROWS_ dppair_rows_ROW
#define DPT_DENSE (DPPAIR_ROW_KIND_ < 6)  /* dense rows, of the types of rows/template.h */
#define DPT_NARROW (DPPAIR_ROW_KIND_ > 1) /* rows are not of DPPAIR_REAL: tiles copy them */
#ifdef DPPAIR_CHECK_ROWS /* for debugging: the rows of a release are within their radius */
#define DPT_ROWS_SHORT(rows) dppair_rows_short_ROW_(rows)
#else
#define DPT_ROWS_SHORT(rows) DPPAIR_OK
#endif
#define DPT_SCORES dppair_scores_ROW
#define DPT_COMBINE dppair_combine_ROW
#define DPT_PRESENT dppair_present_ROW_
#define DPT_SUM_ROWS dppair_sum_rows_ROW_
#define DPT_REACH dppair_reach_ROW_
#define DPT_STORED dppair_element_ROW_ /* the type of a number in a dense row, */
#define DPT_NUMBER dppair_number_ROW_  /* and that number as a DPPAIR_REAL, exactly */

/* One gradient X+^T a + X-^T b in parts (pairs/parts.h). rows: all of them, in the instance's type.
 * Index 0 is the positive side, index 1 the negative one. s: scores, in the type of w; c:
 * coefficients a and b; g: partial sums. */
typedef struct dppair_linear_ {
  const void *rows, *w;
  void *s[2];
  double *c[2], *g;
  size_t n[2], d, parts;
} dppair_linear_;
