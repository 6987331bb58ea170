/* ------------------------------------------------------------------------------------------------
 * State of listed pairs
 *
 * Their arguments and workspace: of linear scores, and of a metric. It relies on form_state.h;
 * listed.h computes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The workspace of NAME_pairs_gradient: the sum and w, padded to whole vectors, and the scaled rows
 * of as many pairs as a vector has lanes. */
typedef struct DPPAIR_NAME_list_ {
  double *sum;
  DPPAIR_REAL *w, *rows;
} DPPAIR_NAME_list_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_list_layout_(DPPAIR_NAME_list_ *t, char *base, size_t d) {
  const size_t real = sizeof(DPPAIR_REAL), padded = d > SIZE_MAX - 16 ? SIZE_MAX : d + 16;
  size_t used = 0;
  t->sum = (double *)dppair_take_(base, &used, padded, sizeof(double));
  t->w = (DPPAIR_REAL *)dppair_take_(base, &used, padded, real);
  t->rows = (DPPAIR_REAL *)dppair_take_(base, &used, dppair_area_(2 * DPT_W / 3, d), real);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The list of the arguments of NAME_pairs_gradient and NAME_form_pairs. */
DPPAIR_API dppair_listed_ DPPAIR_NAME_list_of_(const DPPAIR_ROWS_ *a, const DPPAIR_ROWS_ *b,
                                               const size_t *i, const size_t *j,
                                               const double *weight, size_t m) {
  dppair_listed_ listed;
  listed.xa = a->x;
  listed.xb = b->x;
  listed.na = a->n;
  listed.nb = b->n;
  listed.d = a->d;
  listed.lda = a->ld;
  listed.ldb = b->ld;
  listed.i = i;
  listed.j = j;
  listed.weight = weight;
  listed.m = m;
  listed.up = a->n - a->nulls; /* more than n where nulls are: SIZE */
  listed.down = b->n - b->nulls;
  listed.nulls = a->nulls > 0 || b->nulls > 0;
  return listed;
}

/* Zeroes g[0..d), checks the arguments of NAME_pairs_gradient and lays out *t. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_list_open_(
    DPPAIR_NAME_list_ *t, double *g, const DPPAIR_ROWS_ *a, const DPPAIR_ROWS_ *b,
    const DPPAIR_REAL *w, const size_t *i, const size_t *j, const double *weight, size_t m,
    const dppair_options *options) {
  dppair_listed_ listed;
  double radius;
  dppair_status status;
  if (!a || !b) return DPPAIR_ERR_NULL;
  listed = DPPAIR_NAME_list_of_(a, b, i, j, weight, m);
  status =
      dppair_pairs_check_(g, a->d, &listed, w, options, DPPAIR_NAME_list_layout_(t, NULL, a->d));
  if (status != DPPAIR_OK) return status;
  if (b->d != a->d) return DPPAIR_ERR_SIZE;
  if (b->weight || dppair_all_alike_(a->weight, options) != DPPAIR_OK) return DPPAIR_ERR_NO_PROOF;
  radius = a->radius > b->radius ? a->radius : b->radius;
  status = DPT_REACH(w, a->d, radius);
  if (status != DPPAIR_OK) return status;
  /* a distance's square is at most 4 radius^2 */
  if (!(5.0 * radius * radius <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  (void)DPPAIR_NAME_list_layout_(t, dppair_align_(options->work), a->d);
  memset(t->sum, 0, (a->d + 16) * sizeof *t->sum);
  memset(t->w, 0, (a->d + 16) * sizeof *t->w);
  memcpy(t->w, w, a->d * sizeof *w);
  return DPPAIR_OK;
}

/* Zeroes g, checks the arguments of NAME_form_pairs and prepares *t for blocks of DPT_W listed
 * pairs of a metric; no row is read here. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_tiles_open_pairs_(
    DPPAIR_NAME_tiles_ *t, double *g, const DPPAIR_NAME_form_ *q, const dppair_listed_ *listed) {
  const size_t size = dppair_area_(q->k, q->k);
  dppair_status status = dppair_pairs_check_(g, size, listed, q->w, q->options, 0);
  if (status == DPPAIR_OK) status = dppair_all_alike_(q->rows->weight, q->options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_tiles_begin_(t, q, 1);
  if (status != DPPAIR_OK) return status;
  if (!q->rows->y && q->rows->n) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(q->offset) || !dppair_all_finite_f64(q->w, size))
    return DPPAIR_ERR_NOT_FINITE;
  t->size = dppair_norm_f64(q->w, size);
  if (!(t->size + dppair_fabs_(q->offset) <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  if (DPT_TOO_LONG(t->d)) return DPPAIR_ERR_SIZE;
  t->limit = DPPAIR_NAME_tiles_limit_(q->clip);
  t->offset = (DPPAIR_REAL)q->offset;
  if (!DPPAIR_NAME_tiles_fits_(t, q->rows->radius)) return DPPAIR_ERR_OVERFLOW;
  DPPAIR_NAME_tiles_symmetric_(t, q->w);
  return DPPAIR_OK;
}

DPPAIR_FP_END_
