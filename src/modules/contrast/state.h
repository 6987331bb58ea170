/* ------------------------------------------------------------------------------------------------
 * State of a row-wise loss
 *
 * For an instance: the embeddings z, what is known of each record, and the workspace of the parts.
 * It relies on shared.h and tiles/widths.h; kernels.h computes.
 *
 * Records have places: 0 to first for the rows, from `from` on, a whole number of blocks, for the
 * others. With one set, from is 0. Memory is z, six numbers a record, and a tile for each part.
 * ---------------------------------------------------------------------------------------------- */

/* Exponents below DPT_LOW are raised to it, and no finite maximum is below DPT_NONE: what is left
 * out of a sum is e^(DPT_LOW - DPT_NONE) = 0, without infinities. */
#define DPT_LOW (-DPT_MAX / 4)
#define DPT_NONE (-DPT_MAX / 8)

DPPAIR_FP_BEGIN_

/* What a caller asks for: a risk, or gradients. */
typedef struct DPPAIR_NAME_contrast_query_ {
  const DPPAIR_ROWS_ *rows, *others;
  const dppair_contrast *how;
  const dppair_options *options;
  DPPAIR_REAL *dz, *dz_others;
  int risk;
} DPPAIR_NAME_contrast_query_;

typedef struct DPPAIR_NAME_contrast_ {
  const dppair_contrast *how;
  const double *params;
  size_t k;              /* numbers of an embedding */
  size_t first, from, n; /* places: the end of the rows, the first of the others, the end of all */
  size_t blocks;         /* of DPT_W places */
  int labels, risk;
  int angular, twin; /* the rows' places hold sums z_i + z_p; the others are the same set again */
  DPPAIR_REAL scale, twice; /* a logit is scale (twice <z, z'> + q + q') - offset */
  double pull;              /* the same factor in double */
  /* of records: the embedding; minus its square, or 0; the offset; the label; of anchors the
   * largest exponent, 1/(sum of e^(exponent - largest)) and 1/(number of positives) */
  DPPAIR_REAL *z, *q, *offset, *y, *top, *share, *target;
  double *sum, *positives, *own; /* that sum; number of positives; the sum of their logits */
  double *inverse;               /* 1/|z| */
  DPPAIR_REAL *dz, *dz_others;   /* results of either side */
  DPPAIR_REAL *lone, *mix, *dc;  /* angular: logits of positives, their weights; sums' results */
  /* scratch of one part, times the number of parts */
  size_t parts;
  DPPAIR_REAL *left, *tile;
  double *p, *row;
} DPPAIR_NAME_contrast_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL) and returns the bytes
 * used, 64 of them for alignment; SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_contrast_layout_(DPPAIR_NAME_contrast_ *t, char *base) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double);
  const size_t padded = dppair_area_(t->blocks, DPT_W);
  size_t used = 0;
#define DPT_TAKE(field, a, b, size, type)                                                          \
  t->field = (type *)dppair_take_(base, &used, dppair_area_(a, b), size)
  DPT_TAKE(z, padded, t->k, real, DPPAIR_REAL);
  DPT_TAKE(q, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(offset, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(y, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(top, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(share, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(target, padded, 1, real, DPPAIR_REAL);
  DPT_TAKE(sum, padded, 1, f64, double);
  DPT_TAKE(positives, padded, 1, f64, double);
  DPT_TAKE(own, padded, 1, f64, double);
  DPT_TAKE(inverse, padded, 1, f64, double);
  DPT_TAKE(left, t->parts, dppair_area_(t->k, DPT_W), real, DPPAIR_REAL);
  DPT_TAKE(tile, t->parts, DPPAIR_TILE_ * DPT_W, real, DPPAIR_REAL);
  DPT_TAKE(p, t->parts, dppair_area_(t->k, DPT_W), f64, double);
  DPT_TAKE(row, t->parts, DPT_W, f64, double);
  DPT_TAKE(lone, t->angular ? t->from : 0, 1, real, DPPAIR_REAL);
  DPT_TAKE(mix, t->angular ? t->from : 0, 1, real, DPPAIR_REAL);
  DPT_TAKE(dc, t->angular ? t->from : 0, t->k, real, DPPAIR_REAL);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Clears *t, sets its sizes for n rows of k numbers and, where there are two blocks, `others` more;
 * returns the bytes of workspace, SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_contrast_sizes_(DPPAIR_NAME_contrast_ *t, size_t n, size_t others,
                                              int two, int angular, size_t k, size_t parts) {
  memset(t, 0, sizeof *t);
  t->angular = angular;
  t->k = k;
  t->parts = parts;
  if (n > SIZE_MAX / 8 || others > SIZE_MAX / 8) return SIZE_MAX;
  t->blocks = DPT_BLOCKS(n) + (two ? DPT_BLOCKS(others) : 0);
  t->from = two ? DPT_BLOCKS(n) * DPT_W : 0;
  t->first = n;
  t->n = two ? t->from + others : n;
  return DPPAIR_NAME_contrast_layout_(t, NULL);
}

/* *t with the scratch of one part only. */
DPPAIR_API DPPAIR_NAME_contrast_ DPPAIR_NAME_contrast_part_(const DPPAIR_NAME_contrast_ *all,
                                                            size_t part) {
  DPPAIR_NAME_contrast_ t = *all;
  t.left += part * t.k * DPT_W;
  t.tile += part * DPPAIR_TILE_ * DPT_W;
  t.p += part * t.k * DPT_W;
  t.row += part * DPT_W;
  return t;
}

/* Whether the place i is among the others. */
DPPAIR_API int DPPAIR_NAME_contrast_other_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  return t->from > 0 && i >= t->from;
}

/* Whether records from the place i on are anchors. */
DPPAIR_API int DPPAIR_NAME_contrast_anchors_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  return !DPPAIR_NAME_contrast_other_(t, i) || t->how->two_sided;
}

/* The end of the block that the place i is in, and of its partners, which begin at *begin. */
DPPAIR_API size_t DPPAIR_NAME_contrast_end_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  return t->from > 0 && i < t->from ? t->first : t->n;
}
DPPAIR_API size_t DPPAIR_NAME_contrast_partners_(const DPPAIR_NAME_contrast_ *t, size_t i,
                                                 size_t *begin) {
  *begin = t->from > 0 && i < t->from ? t->from : 0;
  return t->from > 0 && i >= t->from ? t->first : t->n;
}

/* The place of the positive of the record at i, SIZE_MAX for none: not where labels say it. */
DPPAIR_API size_t DPPAIR_NAME_contrast_positive_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  const int other = DPPAIR_NAME_contrast_other_(t, i);
  if (i >= DPPAIR_NAME_contrast_end_(t, i)) return SIZE_MAX;
  if (t->how->positives == DPPAIR_POSITIVE_RECORD) return other ? i - t->from : i + t->from;
  if (other || ((t->twin || !t->from) && t->how->partner[i] == i)) return SIZE_MAX;
  return t->how->partner[i] + t->from;
}

/* Who is whose positive, in a tile of records i0.. (lanes) and j0.. (rows): lane l has row j as one
 * where anchor[l] = row_candidate[j], and row j has lane l where row_anchor[j] = candidate[l].
 * self[j] is the lane that is the same record as row j, or -1; like the labels are equal. */
typedef struct DPPAIR_NAME_contrast_keys_ {
  DPPAIR_REAL lane[DPT_W], anchor[DPT_W], candidate[DPT_W];
  DPPAIR_REAL row_anchor[DPT_W], row_candidate[DPT_W], self[DPT_W], like[DPT_W];
} DPPAIR_NAME_contrast_keys_;

/* The keys of `rows` <= DPT_W rows. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_keys_of_(DPPAIR_NAME_contrast_keys_ *key,
                                                       const DPPAIR_NAME_contrast_ *t, size_t rows,
                                                       size_t i0, size_t j0) {
  const int by_label = t->how->positives == DPPAIR_POSITIVE_LABEL;
  const size_t left = t->twin && i0 >= t->from ? i0 - t->from : i0; /* the record's first place */
  const size_t right = t->twin && j0 >= t->from ? j0 - t->from : j0;
  for (size_t l = 0; l < DPT_W; l++) {
    const size_t place = by_label ? 0 : DPPAIR_NAME_contrast_positive_(t, i0 + l);
    const int here = !by_label && place >= j0 && place - j0 < rows;
    key->lane[l] = (DPPAIR_REAL)l;
    key->anchor[l] = by_label ? t->y[i0 + l] : here ? (DPPAIR_REAL)(place - j0) : -1;
    key->candidate[l] = by_label ? t->y[i0 + l] : (DPPAIR_REAL)l;
  }
  for (size_t j = 0; j < rows; j++) {
    const size_t place = by_label ? 0 : DPPAIR_NAME_contrast_positive_(t, j0 + j);
    const int here = !by_label && place >= i0 && place - i0 < DPT_W;
    const int same = right + j >= left && right + j - left < DPT_W;
    key->row_anchor[j] = by_label ? t->y[j0 + j] : here ? (DPPAIR_REAL)(place - i0) : -1;
    key->row_candidate[j] = by_label ? t->y[j0 + j] : (DPPAIR_REAL)j;
    key->self[j] = same ? (DPPAIR_REAL)(right + j - left) : -1;
    key->like[j] = t->labels ? t->y[j0 + j] : 1;
  }
}

/* Checks all that is public: sizes, pointers, the contrast, the map and the pass. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_check_(const DPPAIR_NAME_contrast_query_ *q, size_t parts) {
  const DPPAIR_ROWS_ *side[2];
  dppair_status status;
  size_t e;
  if (!q->rows || !q->how || !q->options) return DPPAIR_ERR_NULL;
  side[0] = q->rows;
  side[1] = q->others ? q->others : q->rows;
  status = dppair_contrast_check_(q->how, q->others != NULL);
  if (status != DPPAIR_OK) return status;
  for (e = 0; e < 2; e++) {
    if (side[e]->d < 1 || side[e]->ld < side[e]->d || side[e]->d != q->rows->d)
      return DPPAIR_ERR_SIZE;
    if (dppair_area_(dppair_area_(side[e]->n, side[e]->ld), 8) == SIZE_MAX)
      return DPPAIR_ERR_OVERFLOW;
    if (side[e]->n && !side[e]->x) return DPPAIR_ERR_NULL;
    if (side[e]->weight || q->options->groups || q->options->clip) return DPPAIR_ERR_NO_PROOF;
    if (side[e]->n && !side[e]->y && q->how->positives == DPPAIR_POSITIVE_LABEL)
      return DPPAIR_ERR_NULL;
  }
  if (parts < 1 || parts > DPPAIR_FORM_PARTS_) return DPPAIR_ERR_SIZE;
  if (side[0]->n != side[1]->n && q->how->positives == DPPAIR_POSITIVE_RECORD)
    return DPPAIR_ERR_SIZE;
  return dppair_environment_check();
}

/* The factors of a logit, and whether logits stay below DPT_ROOM for embeddings of norm `reach`
 * and offsets of size `offset`. */
DPPAIR_API int DPPAIR_NAME_contrast_fits_(DPPAIR_NAME_contrast_ *t, double reach, double offset) {
  const int distance = t->how->compare == DPPAIR_COMPARE_DISTANCE;
  const double slope = dppair_tan_(t->how->angle), factor = t->angular ? 4.0 * slope * slope : 1.0;
  const double most = t->angular ? factor + 2.0 : 1.0;
  const double size = t->how->compare == DPPAIR_COMPARE_COSINE ? 1.0 : reach * reach;
  t->pull = (distance ? 2.0 : factor) / t->how->temperature;
  t->scale = 0;
  t->twice = distance ? 2 : 1;
  if (!(4.0 * size <= DPT_ROOM) || !(most / t->how->temperature <= DPT_ROOM)) return 0;
  t->scale = (DPPAIR_REAL)(factor / t->how->temperature);
  return 4.0 * size * most / t->how->temperature + offset <= DPT_ROOM;
}

/* Writes one side's embeddings and labels from place `at` on, and 0 to the end of the block. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_rows_(const DPPAIR_NAME_contrast_ *t,
                                                    const DPPAIR_ROWS_ *rows, size_t at) {
  const size_t end = DPT_BLOCKS(rows->n) * DPT_W;
  for (size_t i = 0; i < end; i++) {
    t->y[at + i] = t->labels && i < rows->n ? rows->y[i] : 0;
    t->q[at + i] = t->offset[at + i] = t->share[at + i] = t->target[at + i] = 0;
    t->top[at + i] = -DPT_NONE;
    t->positives[at + i] = t->own[at + i] = t->sum[at + i] = t->inverse[at + i] = 0.0;
    if (i >= rows->n)
      memset(t->z + (at + i) * t->k, 0, t->k * sizeof *t->z);
    else
      DPPAIR_NAME_scaled_row_(t->z + (at + i) * t->k, 1, rows->x + i * rows->ld, t->k,
                              rows->factor ? rows->factor[i] : 1.0);
  }
}

/* Checks what records say: labels, partners, offsets. *largest = the largest size of an offset. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_read_(
    double *largest, const DPPAIR_NAME_contrast_ *t, const DPPAIR_NAME_contrast_query_ *q) {
  const DPPAIR_ROWS_ *candidates = q->others ? q->others : q->rows;
  size_t i, wrong = 0;
  *largest = 0.0;
  if (t->labels && !DPT_FINITE(q->rows->y, q->rows->n)) return DPPAIR_ERR_NOT_FINITE;
  if (t->labels && !DPT_FINITE(candidates->y, candidates->n)) return DPPAIR_ERR_NOT_FINITE;
  if (q->how->offset && !dppair_all_finite_f64(q->how->offset, candidates->n))
    return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; q->how->positives == DPPAIR_POSITIVE_PARTNER && i < q->rows->n; i++)
    wrong |= (size_t)(q->how->partner[i] >= candidates->n);
  if (wrong) return DPPAIR_ERR_SIZE;
  for (i = 0; q->how->offset && i < candidates->n; i++) {
    const double size = dppair_fabs_(q->how->offset[i]);
    *largest = size > *largest ? size : *largest;
  }
  if (!(*largest <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  for (i = 0; q->how->offset && i < candidates->n; i++)
    t->offset[t->from + i] = (DPPAIR_REAL)q->how->offset[i];
  return DPPAIR_OK;
}

/* Divides the embeddings by their norms, for a cosine, and checks that all are finite and logits in
 * range. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_norms_(DPPAIR_NAME_contrast_ *t, double offset) {
  const double least = DPPAIR_TEMPLATE_F64_ ? DPPAIR_LEAST_FACTOR_F64_ : DPPAIR_LEAST_FACTOR_F32_;
  double reach = 0.0;
  if (!DPT_FINITE(t->z, t->blocks * DPT_W * t->k)) return DPPAIR_ERR_NOT_FINITE;
  for (size_t i = 0; i < t->n; i++) {
    DPPAIR_REAL *z = t->z + i * t->k;
    double top = 0.0, sum = 0.0, unit, norm, inverse;
    for (size_t f = 0; f < t->k; f++)
      top = dppair_fabs_((double)z[f]) > top ? dppair_fabs_((double)z[f]) : top;
    unit = top > 1e140    ? 2.409919865102884e-181 /* 2^-600: squares stay in range */
           : top < 1e-140 ? 4.149515568880993e+180 /* 2^600 */
                          : 1.0;
    for (size_t f = 0; f < t->k; f++) sum += (unit * (double)z[f]) * (unit * (double)z[f]);
    norm = dppair_sqrt_(sum) / unit;
    reach = norm > reach ? norm : reach;
    if (t->how->compare != DPPAIR_COMPARE_COSINE) continue;
    inverse = norm < least ? 0.0 : 1.0 / dppair_sqrt_(sum);
    t->inverse[i] = unit * inverse;
    for (size_t f = 0; f < t->k; f++) z[f] = (DPPAIR_REAL)(unit * (double)z[f] * inverse);
  }
  return DPPAIR_NAME_contrast_fits_(t, reach, offset) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* What an anchor's statistics say: its share and target, or none of either. */
DPPAIR_API void DPPAIR_NAME_contrast_settle_(const DPPAIR_NAME_contrast_ *t, size_t i) {
  const int by_label = t->how->positives == DPPAIR_POSITIVE_LABEL;
  if (!by_label) t->positives[i] = DPPAIR_NAME_contrast_positive_(t, i) == SIZE_MAX ? 0.0 : 1.0;
  if (t->positives[i] > 0.0 && t->sum[i] > 0.0) {
    t->share[i] = (DPPAIR_REAL)(1.0 / t->sum[i]);
    t->target[i] = t->angular ? 0 : (DPPAIR_REAL)(1.0 / t->positives[i]);
    return;
  }
  t->positives[i] = 0.0;
  t->top[i] = -DPT_NONE;
}

/* The sum of the losses of the anchors. */
DPPAIR_API double DPPAIR_NAME_contrast_total_(const DPPAIR_NAME_contrast_ *t) {
  double sum = 0.0;
  for (size_t i = 0; i < t->n; i++)
    if (t->share[i] > 0)
      sum += (dppair_log_(t->sum[i]) + ((double)t->top[i] - t->own[i] / t->positives[i]));
  return sum;
}

/* Checks the arguments, lays out the workspace and writes to it all that needs no kernel. *offset =
 * the largest size of one. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_open_(
    DPPAIR_NAME_contrast_ *t, double *offset, const DPPAIR_NAME_contrast_query_ *q) {
  const size_t parts = q->options && q->options->tasks ? q->options->tasks->count : 1;
  const DPPAIR_ROWS_ *others;
  size_t needed;
  const dppair_status status = DPPAIR_NAME_contrast_check_(q, parts);
  *offset = 0.0;
  if (status != DPPAIR_OK) return status;
  others = !q->others && q->how->angle > 0.0 ? q->rows : q->others;
  needed = DPPAIR_NAME_contrast_sizes_(t, q->rows->n, others ? others->n : 0, others != NULL,
                                       q->how->angle > 0.0, q->rows->d, parts);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!q->options->work) return DPPAIR_ERR_NULL;
  if (q->options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_contrast_layout_(t, dppair_align_(q->options->work));
  t->how = q->how;
  t->params = q->options->params;
  t->risk = q->risk;
  t->labels = q->rows->y && (!q->others || q->others->y);
  t->twin = others && !q->others; /* a caller's second block is one, wherever it is */
  t->dz = t->angular ? t->dc : q->dz;
  t->dz_others = t->twin ? q->dz : q->dz_others;
  if (!DPPAIR_NAME_contrast_fits_(t, q->rows->radius, 0.0)) return DPPAIR_ERR_OVERFLOW;
  DPPAIR_NAME_contrast_rows_(t, q->rows, 0);
  if (others) DPPAIR_NAME_contrast_rows_(t, others, t->from);
  return DPPAIR_NAME_contrast_read_(offset, t, q);
}

DPPAIR_FP_END_
