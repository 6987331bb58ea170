/* ------------------------------------------------------------------------------------------------
 * Marginals: the histograms of all columns of a table, and the number of positive labels, at once
 *
 *   const dppair_column columns[3] = {{DPPAIR_COLUMN_NUMERIC, 0, 120, 0, 0},     age
 *                                     {DPPAIR_COLUMN_NUMERIC, -1e4, 1e5, 0, 0},  balance
 *                                     {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};         has a loan
 *   const dppair_marginals query = {columns, 3, 24, 0.9, 4.0, 1.0};    smoothed; labels counted
 *   s = dppair_marginals_layout(start, &query);                        v[start[j]] on: of column j
 *   s = dppair_release_open(&release, &account, &plan, NULL);          plan.steps = 1
 *   s = dppair_release_marginals(v, start[4], &release, &query, x, y, NULL, n, work, bytes);
 *   if (!s) ... sigma = release.sigma: the noise of each number
 *
 * The cells come from declared ranges, never from the data. Every record counts once in each
 * numeric column, wherever its value lies: else a value out of range would be worth an error or a
 * sensitivity of its own. One paid release pays for all numbers together; what is made of them is
 * free.
 *
 * How far one record moves v. In a numeric column it leaves a cell and enters another: the largest
 * distance of two columns of the smoothing matrix, at most sqrt 2; by class it may leave a cell of
 * one block for one of the other: both columns' norms, the same. A flag changes by 1, by class one
 * count falls and one rises. In a group a record counts in its first set column only: one count
 * falls and one rises. The number of positives changes by 1, times its weight. Squares (l1: sizes)
 * add up over columns, in integers; a record attains the sum. A record that leaves without another
 * in its place (zero-out; a weight of 0): the norm of a column of the matrix, and 1.
 *
 * Relies on smoothing.h and histogram.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What a column of a table holds, as it is declared. */
typedef enum dppair_column_kind {
  DPPAIR_COLUMN_NUMERIC = 1, /* a number: cells of its range */
  DPPAIR_COLUMN_FLAG = 2,    /* set or not: how many are set */
  DPPAIR_COLUMN_GROUP = 3    /* one of the columns of a group, of which one or none is set */
} dppair_column_kind;

/* A column of a table, as it is declared; fields that its kind does not read are 0. */
typedef struct dppair_column {
  dppair_column_kind kind;
  double low, high; /* NUMERIC: its range, as dppair_cells_make takes it */
  size_t group;     /* GROUP: its number, 0 to d; columns of one number are one group */
  int by_class;     /* not 0: counted for positives and for negatives by themselves */
} dppair_column;

/* What is asked about a table of d columns; public. */
typedef struct dppair_marginals {
  const dppair_column *columns;
  size_t d;
  size_t side;          /* cells of a numeric column on one side of zero, 1 to 24 */
  double smooth, width; /* of the kernel of smoothing.h; 0 and 0: counts as they are */
  double label;         /* the last number is sqrt(label) times the number of positives; 0: none */
} dppair_marginals;

/* sqrt(label) rounded down to a multiple of 2^-20: what one positive adds to the last number. */
DPPAIR_API double dppair_label_weight(double label) {
  return label > 0.0 ? dppair_floor_(dppair_sqrt_(label) * DPPAIR_SMOOTHING_UNITS_) /
                           DPPAIR_SMOOTHING_UNITS_
                     : 0.0;
}

/* OK for a column whose kind reads all that is set. */
DPPAIR_API dppair_status dppair_column_check_(const dppair_column *c, size_t d) {
  const int ranged = c->kind == DPPAIR_COLUMN_NUMERIC;
  if (!dppair_isfinite_f64(c->low) || !dppair_isfinite_f64(c->high)) return DPPAIR_ERR_NOT_FINITE;
  if (!ranged && c->kind != DPPAIR_COLUMN_FLAG && c->kind != DPPAIR_COLUMN_GROUP)
    return DPPAIR_ERR_DOMAIN;
  if (!ranged && !(c->low >= 0.0 && c->low <= 0.0 && c->high >= 0.0 && c->high <= 0.0))
    return DPPAIR_ERR_UNREAD;
  if (c->kind != DPPAIR_COLUMN_GROUP) return c->group > 0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  return c->group <= d ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* OK for a query that asks for something, without the ranges of its columns. */
DPPAIR_API dppair_status dppair_marginals_check_(const dppair_marginals *q) {
  dppair_status status;
  size_t j;
  if (q == NULL) return DPPAIR_ERR_NULL;
  status = dppair_array_(q->columns, q->d);
  if (status != DPPAIR_OK) return status;
  if (q->side < 1 || q->side > DPPAIR_CELLS_SIDE) return DPPAIR_ERR_SIZE;
  status = dppair_smoothing_check_(q->smooth, q->width);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(q->label)) return DPPAIR_ERR_NOT_FINITE;
  if (!(q->label >= 0.0 && q->label <= DPPAIR_SMOOTHING_UNITS_)) return DPPAIR_ERR_DOMAIN;
  if (q->label > 0.0 && !(dppair_label_weight(q->label) > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (q->d == 0 && !(q->label > 0.0)) return DPPAIR_ERR_SIZE;
  for (j = 0; j < q->d && status == DPPAIR_OK; j++)
    status = dppair_column_check_(&q->columns[j], q->d);
  return status;
}

/* Adds the numbers of a column, whose cells are written where it has any. */
DPPAIR_API dppair_status dppair_column_numbers_(size_t *numbers, dppair_cells *cells,
                                                const dppair_column *c, size_t side) {
  size_t blocks = c->by_class ? 2 : 1;
  dppair_status status = DPPAIR_OK;
  if (c->kind == DPPAIR_COLUMN_NUMERIC) {
    status = dppair_cells_make(cells, c->low, c->high, side);
    blocks *= cells->cells;
  }
  if (*numbers > SIZE_MAX / 8 - blocks) return DPPAIR_ERR_OVERFLOW;
  *numbers += blocks;
  return status;
}

/*
 * start[0..d+2): where the numbers of a release begin. Those of column j are v[start[j]] to
 * v[start[j + 1] - 1]: of a numeric column its cells in order (by class: of the positives, then of
 * the negatives), of the others one count (by class: two). v[start[d]] is the number of positives
 * times dppair_label_weight, where it is asked for; start[d + 1] is the size of v.
 *
 * Errors zero start: NULL; NOT_FINITE, DOMAIN (a kind, a range or a weight that is none); SIZE
 * (side, a group above d, nothing is asked); UNREAD (a field that the column's kind does not read,
 * a width without smoothing); OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_layout(size_t *start,
                                                                   const dppair_marginals *query) {
  dppair_status status = start != NULL ? dppair_marginals_check_(query) : DPPAIR_ERR_NULL;
  dppair_cells cells;
  size_t j, at = 0;
  for (j = 0; status == DPPAIR_OK && j < query->d; j++) {
    start[j] = at;
    status = dppair_column_numbers_(&at, &cells, &query->columns[j], query->side);
  }
  if (status == DPPAIR_OK) {
    start[query->d] = at;
    start[query->d + 1] = at + (query->label > 0.0 ? 1 : 0);
  } else if (start != NULL && query != NULL && query->d < SIZE_MAX / 8 - 2)
    memset(start, 0, (query->d + 2) * sizeof *start);
  return status;
}

/* A query, laid out in the workspace. */
typedef struct dppair_marginals_state_ {
  const dppair_marginals *query;
  dppair_cells *cells;  /* d, those of numeric columns are in use */
  size_t *start;        /* d + 2 */
  size_t *first, *next; /* d + 1: the first column of a group; d: the next one of it; d for none */
  double *a, *room;     /* the matrix of one size of cells, in units; room to make it */
} dppair_marginals_state_;

/* Takes the arrays of d columns from base, and returns the bytes that they use. */
DPPAIR_API size_t dppair_marginals_take_(dppair_marginals_state_ *s, char *base, size_t d) {
  const size_t more = d > SIZE_MAX - 2 ? SIZE_MAX : d + 2, most = DPPAIR_CELLS_MOST;
  size_t used = 0;
  s->cells = (dppair_cells *)dppair_take_(base, &used, d, sizeof(dppair_cells));
  s->start = (size_t *)dppair_take_(base, &used, more, sizeof(size_t));
  s->first = (size_t *)dppair_take_(base, &used, more, sizeof(size_t));
  s->next = (size_t *)dppair_take_(base, &used, d, sizeof(size_t));
  s->a = (double *)dppair_take_(base, &used, most * most, sizeof(double));
  s->room = (double *)dppair_take_(base, &used, dppair_smoothing_room_(most), sizeof(double));
  return used;
}

/* *bytes = the workspace of dppair_release_marginals and dppair_marginals_sensitivity for a query
 * of d columns. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_marginals_workspace(size_t *bytes, size_t d) {
  dppair_marginals_state_ state;
  size_t used;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  used = dppair_marginals_take_(&state, NULL, d);
  if (used > SIZE_MAX - 64) return DPPAIR_ERR_OVERFLOW;
  *bytes = used + 64;
  return DPPAIR_OK;
}

/* Lays a query out: cells, the places of its numbers, the columns of each group. */
DPPAIR_API dppair_status dppair_marginals_open_(dppair_marginals_state_ *s,
                                                const dppair_marginals *query, void *work,
                                                size_t bytes) {
  size_t needed, j, d, at = 0;
  dppair_status status = dppair_marginals_check_(query);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_marginals_workspace(&needed, query->d);
  if (status != DPPAIR_OK) return status;
  if (work == NULL) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  d = query->d;
  s->query = query;
  (void)dppair_marginals_take_(s, dppair_align_(work), d);
  for (j = 0; j <= d; j++) s->first[j] = d;
  for (j = d; j-- > 0;) { /* chains that ascend */
    const dppair_column *c = &query->columns[j];
    s->next[j] = c->kind == DPPAIR_COLUMN_GROUP ? s->first[c->group] : d;
    if (c->kind == DPPAIR_COLUMN_GROUP) s->first[c->group] = j;
  }
  memset(s->cells, 0, d * sizeof *s->cells);
  for (j = 0; j < d && status == DPPAIR_OK; j++) {
    s->start[j] = at;
    status = dppair_column_numbers_(&at, &s->cells[j], &query->columns[j], query->side);
  }
  s->start[d] = at;
  s->start[d + 1] = at + (query->label > 0.0 ? 1 : 0);
  return status;
}

/* The next size of cells after m that a numeric column has, and its matrix; 0: none. Columns of one
 * size share a matrix, and it is made when it is needed: the workspace holds one. */
DPPAIR_API dppair_status dppair_marginals_next_(size_t *m, const dppair_marginals_state_ *s) {
  size_t j, least = DPPAIR_CELLS_MOST + 1;
  for (j = 0; j < s->query->d; j++)
    if (s->cells[j].cells > *m && s->cells[j].cells < least) least = s->cells[j].cells;
  *m = least <= DPPAIR_CELLS_MOST ? least : 0;
  return *m == 0 ? DPPAIR_OK
                 : dppair_smoothing_units_(s->a, *m, s->query->smooth, s->query->width, s->room);
}

/* --- how far one record moves them ------------------------------------------------------------ */

/* Adds a move; 1 when the sum is beyond 2^63. */
DPPAIR_API int dppair_shift_add_(dppair_shift_ *total, const dppair_shift_ *move) {
  if (move->square > UINT64_MAX / 2 - total->square) return 1;
  total->square += move->square;
  total->sum += move->sum; /* a square in units is never below its root */
  return 0;
}

/* The move of `counts` plain counts. */
DPPAIR_API dppair_shift_ dppair_shift_of_(uint64_t counts) {
  dppair_shift_ move;
  move.square = counts << 40;
  move.sum = counts << 20;
  return move;
}

/* How many counts a record moves by 1 in a flag, or in the group that column j begins. */
DPPAIR_API uint64_t dppair_marginals_counts_(const dppair_marginals_state_ *s, size_t j,
                                             int replaces) {
  const dppair_column *c = s->query->columns;
  size_t k;
  int two = s->next[j] < s->query->d;
  if (c[j].kind == DPPAIR_COLUMN_GROUP && s->first[c[j].group] != j) return 0;
  for (k = j; k < s->query->d; k = s->next[k]) two |= c[k].by_class;
  return replaces && two ? 2 : 1;
}

/* *total = what one record moves all numbers by; replaces: it enters again elsewhere. */
DPPAIR_API dppair_status dppair_marginals_shift_(dppair_shift_ *total,
                                                 const dppair_marginals_state_ *s, int replaces) {
  const dppair_marginals *q = s->query;
  const double label = dppair_label_weight(q->label) * DPPAIR_SMOOTHING_UNITS_;
  dppair_shift_ replaced, removed, move;
  dppair_status status;
  size_t j, m = 0;
  int over = 0;
  total->square = total->sum = 0;
  while ((status = dppair_marginals_next_(&m, s)) == DPPAIR_OK && m > 0) {
    dppair_smoothing_shifts_(&replaced, &removed, s->a, m);
    for (j = 0; j < q->d; j++) {
      if (s->cells[j].cells != m) continue;
      move = replaces ? replaced : removed;
      if (replaces && q->columns[j].by_class)
        dppair_shift_most_(&move, 2 * removed.square, 2 * removed.sum);
      over |= dppair_shift_add_(total, &move);
    }
  }
  for (j = 0; j < q->d; j++)
    if (q->columns[j].kind != DPPAIR_COLUMN_NUMERIC) {
      move = dppair_shift_of_(dppair_marginals_counts_(s, j, replaces));
      over |= dppair_shift_add_(total, &move);
    }
  move.sum = (uint64_t)label;
  move.square = move.sum * move.sum;
  over |= dppair_shift_add_(total, &move);
  return status == DPPAIR_OK && over ? DPPAIR_ERR_OVERFLOW : status;
}

/* The norms of a move, rounded up. */
DPPAIR_API double dppair_shift_l2_(const dppair_shift_ *move) {
  return dppair_up_(dppair_sqrt_(dppair_up_((double)move->square))) / DPPAIR_SMOOTHING_UNITS_;
}

DPPAIR_API double dppair_shift_l1_(const dppair_shift_ *move) {
  return dppair_up_((double)move->sum) / DPPAIR_SMOOTHING_UNITS_;
}

/*
 * *l2, *l1: how far one record moves the numbers of dppair_release_marginals, in both norms,
 * rounded up and attained; DPPAIR_REPLACE_ONE or DPPAIR_ZERO_OUT. work: as
 * dppair_marginals_workspace says.
 *
 * Errors zero both: those of dppair_marginals_layout; WORKSPACE; ADJACENCY; OVERFLOW (more than
 * 10^6 columns); NO_CONVERGENCE (of the matrix); ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_marginals_sensitivity(double *l2, double *l1, const dppair_marginals *query,
                             dppair_adjacency adjacency, void *work, size_t bytes) {
  dppair_marginals_state_ state;
  dppair_shift_ total;
  dppair_status status;
  if (l2 == NULL || l1 == NULL) return DPPAIR_ERR_NULL;
  *l2 = *l1 = 0.0;
  status = dppair_adjacency_records_(adjacency);
  if (status == DPPAIR_OK) status = dppair_marginals_open_(&state, query, work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_marginals_shift_(&total, &state, adjacency == DPPAIR_REPLACE_ONE);
  if (status != DPPAIR_OK) return status;
  *l2 = dppair_shift_l2_(&total);
  *l1 = dppair_shift_l1_(&total);
  return DPPAIR_OK;
}

/* --- counting --------------------------------------------------------------------------------- */

/* Counts one record. What is not a number is in the first cell of its column, and sets no flag. */
DPPAIR_API void dppair_marginals_count_(double *v, const dppair_marginals_state_ *s,
                                        const double *row, int positive) {
  const size_t d = s->query->d;
  size_t j, k;
  for (j = 0; j < d; j++) {
    const dppair_column *c = &s->query->columns[j];
    const size_t cells = s->cells[j].cells, other = c->by_class && !positive ? 1 : 0;
    if (cells > 0) {
      v[s->start[j] + other * cells + dppair_cells_find(&s->cells[j], row[j])] += 1.0;
    } else if (c->kind == DPPAIR_COLUMN_FLAG) {
      if (row[j] >= 0.5) v[s->start[j] + other] += 1.0;
    } else if (s->first[c->group] == j) {
      for (k = j; k < d && !(row[k] >= 0.5);) k = s->next[k];
      if (k < d) v[s->start[k] + (s->query->columns[k].by_class && !positive ? 1 : 0)] += 1.0;
    }
  }
  if (s->query->label > 0.0 && positive) v[s->start[d]] += 1.0;
}

/* block[0..m) = A block, exactly; a in units, column: room for m numbers. */
DPPAIR_API void dppair_marginals_smooth_(double *block, const double *a, size_t m, double *column) {
  size_t i, j;
  memcpy(column, block, m * sizeof *block);
  for (i = 0; i < m; i++) {
    double sum = 0.0; /* of integers: below 2^20 records */
    for (j = 0; j < m; j++) sum += a[i * m + j] * column[j];
    block[i] = sum / DPPAIR_SMOOTHING_UNITS_;
  }
}

/* Counts of all records become the numbers that are released, but for the noise. */
DPPAIR_API dppair_status dppair_marginals_finish_(double *v, const dppair_marginals_state_ *s) {
  const dppair_marginals *q = s->query;
  dppair_status status;
  size_t j, k, m = 0;
  while ((status = dppair_marginals_next_(&m, s)) == DPPAIR_OK && m > 0)
    for (j = 0; j < q->d; j++)
      if (s->cells[j].cells == m)
        for (k = s->start[j]; k < s->start[j + 1]; k += m)
          dppair_marginals_smooth_(v + k, s->a, m, s->room);
  if (q->label > 0.0) v[s->start[q->d]] *= dppair_label_weight(q->label);
  return status;
}

/* Does anything of a query read labels? */
DPPAIR_API int dppair_marginals_need_labels_(const dppair_marginals *q) {
  size_t j;
  int need = q->label > 0.0;
  for (j = 0; j < q->d; j++) need |= q->columns[j].by_class != 0;
  return need;
}

/* The checks of a release that are about the plan, and the terms of it. */
DPPAIR_API dppair_status dppair_marginals_terms_(dppair_release_terms_ *terms,
                                                 const dppair_release *release,
                                                 const dppair_marginals_state_ *s, size_t n,
                                                 int weighted) {
  const dppair_sampling *sampling = &release->sampling;
  const double label = dppair_label_weight(s->query->label) * DPPAIR_SMOOTHING_UNITS_;
  dppair_shift_ total;
  double moves;
  dppair_status status = dppair_marginals_workspace(&terms->bytes, s->query->d);
  if (status == DPPAIR_OK) status = dppair_release_law_(release->mechanism);
  if (status == DPPAIR_OK) status = dppair_release_moves_(&moves, release);
  if (status != DPPAIR_OK) return status;
  if (n != (sampling->kind == DPPAIR_ALL ? sampling->n : release->drawn)) return DPPAIR_ERR_SIZE;
  if (weighted && moves > 1.0) return DPPAIR_ERR_ADJACENCY;
  if (sampling->n > UINT32_MAX || label * (double)sampling->n > 9007199254740992.0)
    return DPPAIR_ERR_OVERFLOW;
  status = dppair_marginals_shift_(&total, s, moves > 1.0);
  if (status != DPPAIR_OK) return status;
  terms->divisor = 1.0;
  terms->sensitivity =
      release->mechanism == DPPAIR_LAPLACE ? dppair_shift_l1_(&total) : dppair_shift_l2_(&total);
  return dppair_release_scale_(&terms->scale, release, terms->sensitivity);
}

/* What is not inlined leaves its secrets below its caller, where dppair_release_forget_ wipes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_marginals_work_(double *v,
                                                         const dppair_marginals_state_ *s,
                                                         const double *x, const double *y,
                                                         const double *weight, size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    if (weight == NULL || weight[i] > 0.0)
      dppair_marginals_count_(v, s, x + i * s->query->d, y != NULL && y[i] > 0.0);
  return dppair_marginals_finish_(v, s);
}

/*
 * Releases the marginals of n records, all or those of this step's draw, x[n][d] row by row:
 * v[0..size), laid out as dppair_marginals_layout says, size = start[d + 1]. v may be published.
 * A record is positive where y[i] > 0; y may be NULL where nothing asks for labels. weight: NULL,
 * or n numbers, 0 where a record is null and counts nowhere (zero-out, or a Poisson sample). The
 * law of the plan: Gaussian or l2-ball noise for the l2 norm, Laplace noise for the l1 norm, of
 * which smoothing makes more. release->sigma is the scale of each number's noise. No record causes
 * an error: one out of range counts in the first or the last cell, as infinities do; NaN counts in
 * the first cell, is not set, is not positive.
 *
 * The numbers are the same bits in any order of the records. O(n d) and 10^5 operations for each
 * size of cells. work: as dppair_marginals_workspace says.
 *
 * Errors zero v. They use no paid release: those of dppair_marginals_layout; SIZE (size; n is not
 * that of the plan or of the draw); WORKSPACE; ADJACENCY (neighbours that differ in more than one
 * record; weights where one is replaced); OVERLAP (v, and work or what is read); LAW (another law);
 * SENSITIVITY (no record moves anything: a range that is a point, alone); those of
 * dppair_release_vector about the release, and, after which v may be untouched, OVERFLOW: 2^32
 * records, sqrt(label) n beyond 2^33, 10^6 columns.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_marginals(
    double *v, size_t size, dppair_release *release, const dppair_marginals *query, const double *x,
    const double *y, const double *weight, size_t n, void *work, size_t bytes) {
  dppair_marginals_state_ state;
  dppair_release_terms_ terms;
  dppair_status status = dppair_array_(v, size);
  if (status != DPPAIR_OK) return status;
  if (size > 0) memset(v, 0, size * sizeof *v);
  status = dppair_release_ready_(release);
  if (status == DPPAIR_OK) status = dppair_apart_(v, size, work, bytes);
  if (status == DPPAIR_OK) status = dppair_marginals_open_(&state, query, work, bytes);
  if (status == DPPAIR_OK && size != state.start[query->d + 1]) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_array_(x, dppair_area_(n, query->d));
  if (status == DPPAIR_OK && y == NULL && n > 0 && dppair_marginals_need_labels_(query))
    status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK)
    status =
        dppair_rows_apart_(v, size, n, x, n * query->d * sizeof *x, y, sizeof *y, NULL, weight);
  if (status == DPPAIR_OK)
    status = dppair_marginals_terms_(&terms, release, &state, n, weight != NULL);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = dppair_marginals_work_(v, &state, x, y, weight, n);
  if (status == DPPAIR_OK) status = dppair_release_noise_(v, size, release, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) memset(v, 0, size * sizeof *v);
  return dppair_release_forget_(work, &terms, status);
}

DPPAIR_FP_END_
