/* ------------------------------------------------------------------------------------------------
 * Sums without order: the two passes over blocks of rows, and users
 *
 * What chunked.h and the chunks of dppair_scale.h do after their checks. Rows are taken block by
 * block. Where groups are users (ACROSS), a chunk holds whole users: coefficients are those of
 * all records less those of the own pairs, which the chunk alone gives (weighted.h), so its scores
 * are all held at once.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* The scores and coefficients of a block of rows of d numbers, at base. Returns their bytes. */
DPPAIR_API size_t DPPAIR_NAME_chunk_layout_(DPPAIR_REAL **s, double **c, char *base, size_t d) {
  const size_t rows = dppair_block_rows_(d, sizeof(DPPAIR_REAL), 1); /* the longest */
  size_t used = 0;
  *s = (DPPAIR_REAL *)dppair_take_(base, &used, rows, sizeof(DPPAIR_REAL));
  *c = (double *)dppair_take_(base, &used, rows, sizeof(double));
  return used + 64;
}

/* The scores of a block. NOT_FINITE: a row that dppair_rows_clip did not see. */
DPPAIR_API dppair_status DPPAIR_NAME_block_scores_(DPPAIR_REAL *s, const DPPAIR_ROWS_ *block,
                                                   const DPPAIR_REAL *w) {
  dppair_rows_scores_ROW_(s, block, w);
  return DPT_FINITE(s, block->n) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* The moments of rows, of arguments that are checked. keep: room for all scores, or NULL. */
DPPAIR_API dppair_status DPPAIR_NAME_sketch_of_(dppair_sketch *m, const DPPAIR_ROWS_ *rows,
                                                const DPPAIR_REAL *w, const dppair_fast *f,
                                                char *block_work, DPPAIR_REAL *keep) {
  const size_t step = dppair_block_rows_(rows->d, sizeof(DPPAIR_REAL), keep != NULL);
  dppair_status status = DPPAIR_OK;
  DPPAIR_ROWS_ block;
  DPPAIR_REAL *s;
  double *c;
  size_t i;
  (void)DPPAIR_NAME_chunk_layout_(&s, &c, dppair_align_(block_work), rows->d);
  for (i = 0; status == DPPAIR_OK && i < rows->n; i += step) {
    DPPAIR_REAL *at = keep ? keep + i : s;
    dppair_rows_part_ROW_(&block, rows, i, rows->n - i < step ? rows->n - i : step);
    status = DPPAIR_NAME_block_scores_(at, &block, w);
    if (status == DPPAIR_OK)
      DPPAIR_NAME_sketch_block_(m, at, block.n, block.positives, block.weight, f);
  }
  if (m->low < m->high) dppair_sketch_settle_(m, f); /* else sums of 64 bits hold all */
  if (status != DPPAIR_OK) m->finished = -1;         /* spoiled */
  return status;
}

/* The sum of rows, of arguments that are checked. kept: their scores, or NULL. */
DPPAIR_API dppair_status DPPAIR_NAME_sum_of_(dppair_sum *sum, const DPPAIR_ROWS_ *rows,
                                             const DPPAIR_REAL *w, const dppair_sketch *m,
                                             const dppair_fast *f, char *block_work,
                                             const DPPAIR_REAL *kept) {
  const size_t step = dppair_block_rows_(rows->d, sizeof(DPPAIR_REAL), kept != NULL);
  dppair_status status = DPPAIR_OK;
  DPPAIR_ROWS_ block;
  DPPAIR_REAL *s;
  double *c;
  size_t i;
  (void)DPPAIR_NAME_chunk_layout_(&s, &c, dppair_align_(block_work), rows->d);
  for (i = 0; status == DPPAIR_OK && i < rows->n; i += step) {
    dppair_rows_part_ROW_(&block, rows, i, rows->n - i < step ? rows->n - i : step);
    if (!kept) status = DPPAIR_NAME_block_scores_(s, &block, w);
    if (status != DPPAIR_OK) break;
    f->read(c, kept ? kept + i : s, block.n, block.positives, block.weight, m, f,
            !DPPAIR_TEMPLATE_F64_);
    DPT_SUM_ROWS(sum, &block, c);
  }
  if (status != DPPAIR_OK) sum->unit = 0.0; /* not open any more */
  return status;
}

#if DPPAIR_WEIGHTS
/* All scores, coefficients and weights of a chunk of n rows, room for own pairs, and scratch. */
typedef struct DPPAIR_NAME_users_ {
  DPPAIR_REAL *s;
  double *c, *weight, *own;
  char *scratch;
} DPPAIR_NAME_users_;

/* Lays them out at base (NULL: nowhere). Returns the bytes used, SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_users_layout_(DPPAIR_NAME_users_ *q, char *base, size_t n,
                                              size_t d) {
  DPPAIR_REAL *s;
  double *c;
  size_t used = 0;
  q->s = (DPPAIR_REAL *)dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  q->c = (double *)dppair_take_(base, &used, n, sizeof(double));
  q->weight = (double *)dppair_take_(base, &used, n, sizeof(double));
  q->own = (double *)dppair_take_(base, &used, n, sizeof(double));
  q->scratch = (char *)dppair_take_(base, &used, DPPAIR_NAME_chunk_layout_(&s, &c, NULL, d), 1);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Scores and weights as they count in sums without order: own pairs are then those of the same
 * numbers, so what is subtracted is what was added. */
DPPAIR_API dppair_status DPPAIR_NAME_users_scores_(DPPAIR_NAME_users_ *q,
                                                     const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                     const dppair_options *options) {
  const size_t step = dppair_block_rows_(rows->d, sizeof(DPPAIR_REAL), 1);
  dppair_status status = DPPAIR_OK;
  DPPAIR_ROWS_ block;
  size_t i;
  (void)DPPAIR_NAME_users_layout_(q, dppair_align_(options->work), rows->n, rows->d);
  for (i = 0; status == DPPAIR_OK && i < rows->n; i += step) {
    dppair_rows_part_ROW_(&block, rows, i, rows->n - i < step ? rows->n - i : step);
    status = DPPAIR_NAME_block_scores_(q->s + i, &block, w);
  }
  dppair_group_weights_(q->weight, rows->weight, options->groups, rows->positives);
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  dppair_cell_scores_(q->s, rows->n, options->fast, !DPPAIR_TEMPLATE_F64_);
  dppair_cell_weights_(q->weight, rows->n, options->fast);
#else
  for (i = 0; i < rows->n; i++) q->weight[i] = dppair_share_grid_(q->weight[i]);
#endif
  return status;
}

/* The moments of a chunk of users, of arguments that are checked. */
DPPAIR_API dppair_status DPPAIR_NAME_users_sketch_(dppair_sketch *m, const DPPAIR_ROWS_ *rows,
                                                     const DPPAIR_REAL *w,
                                                     const dppair_options *options) {
  DPPAIR_NAME_users_ q;
  const dppair_status status = DPPAIR_NAME_users_scores_(&q, rows, w, options);
  if (status != DPPAIR_OK) {
    m->finished = -1; /* spoiled */
    return status;
  }
  DPPAIR_NAME_sketch_block_(m, q.s, rows->n, rows->positives, q.weight, options->fast);
  if (m->low < m->high) dppair_sketch_settle_(m, options->fast);
  m->users += options->groups->count;
  return DPPAIR_OK;
}

/* Its sum, which counts users. kept: the workspace has the scores and weights of the moments. */
DPPAIR_API dppair_status DPPAIR_NAME_users_sum_(dppair_sum *sum, const DPPAIR_ROWS_ *rows,
                                                  const DPPAIR_REAL *w, const dppair_sketch *m,
                                                  const dppair_options *options, int kept) {
  const size_t np = rows->positives;
  const uint64_t count = sum->count + options->groups->count;
  DPPAIR_NAME_users_ q;
  dppair_status status = DPPAIR_OK;
  if (kept)
    (void)DPPAIR_NAME_users_layout_(&q, dppair_align_(options->work), rows->n, rows->d);
  else
    status = DPPAIR_NAME_users_scores_(&q, rows, w, options);
  if (status == DPPAIR_OK && rows->n > 0) {
    options->fast->read(q.c, q.s, rows->n, np, q.weight, m, options->fast, !DPPAIR_TEMPLATE_F64_);
    status =
        DPPAIR_NAME_across_(q.c, q.c + np, q.s, np, q.s + np, q.weight, q.weight, q.own, options);
  }
  if (status != DPPAIR_OK) {
    sum->unit = 0.0; /* not open any more */
    return status;
  }
  DPT_SUM_ROWS(sum, rows, q.c);
  sum->count = count;
  sum->weightless += dppair_groups_null_(options->groups, rows->weight, np);
  return DPPAIR_OK;
}
#endif

DPPAIR_FP_END_

#endif
