/* ------------------------------------------------------------------------------------------------
 * Tiles: what all instances share
 *
 * The forms, and the checks of listed pairs. It relies on core/ and the pass only.
 * ---------------------------------------------------------------------------------------------- */

/* So many weights of each record of a strip are held at a time. A sum of products in the data's own
 * type has that length before it goes to double. */
#define DPPAIR_TILE_ 192

/* Columns of the micro-kernel in double: three vectors of eight numbers (tiles/multiply.h). */
#define DPPAIR_COLUMNS_ 24

/* The most parts that a form is cut into: each has a scratch of its own. */
#define DPPAIR_FORM_PARTS_ 256

/* The pair forms of NAME_form_gradient. */
typedef enum dppair_form {
  DPPAIR_FORM_METRIC,    /* (x - x')^T W (x - x')   */
  DPPAIR_FORM_FACTOR,    /* the same with W = L L^T */
  DPPAIR_FORM_SIMILARITY /* x^T W x'                */
} dppair_form;

DPPAIR_FP_BEGIN_

/* Whether a clip is 0 (none) or a length. */
DPPAIR_API int dppair_clip_ok_(double clip) { return dppair_isfinite_f64(clip) && clip >= 0.0; }

/* k columns rounded up to whole micro-kernels, SIZE_MAX where that overflows. */
DPPAIR_API size_t dppair_whole_kernels_(size_t k) {
  return k > SIZE_MAX - DPPAIR_COLUMNS_
             ? SIZE_MAX
             : (k + DPPAIR_COLUMNS_ - 1) / DPPAIR_COLUMNS_ * DPPAIR_COLUMNS_;
}

/* The upper half of the bits of a float that is at most `cap`, for cap >= 0: less by at most 1/128.
 * Caps that are not normal floats become 0. */
DPPAIR_API uint16_t dppair_short_cap_(double cap) {
  cap = cap < (double)FLT_MAX ? cap : (double)FLT_MAX;
  cap = cap < (double)FLT_MIN ? 0.0 : cap * (1.0 - (double)FLT_EPSILON);
  return (uint16_t)(dppair_bits_f32_((float)cap) >> 16);
}

/* Listed pairs: pair k < m has row i[k] < na of xa and row j[k] < nb of xb, rows of d numbers whose
 * first ones are lda and ldb apart, and the weight weight[k] (1 if weight is NULL). */
typedef struct dppair_listed_ {
  const void *xa, *xb;
  size_t na, nb, d, lda, ldb;
  const size_t *i, *j;
  const double *weight;
  size_t m;
} dppair_listed_;

/* Zeroes g[0..count), then checks the listed pairs, that w is not NULL, the clip, and that the pass
 * has `needed` bytes of workspace. Numbers in rows have at most 8 bytes. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_pairs_check_(double *g, size_t count,
                                                               const dppair_listed_ *p,
                                                               const void *w,
                                                               const dppair_pass *pass,
                                                               size_t needed) {
  size_t k, wrong = 0;
  if (!g) return DPPAIR_ERR_NULL;
  if (count > SIZE_MAX / sizeof *g) return DPPAIR_ERR_OVERFLOW;
  memset(g, 0, count * sizeof *g);
  if (!pass) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (p->d < 1 || p->lda < p->d || p->ldb < p->d) return DPPAIR_ERR_SIZE;
  if (!w || !pass->work || ((!p->xa || !p->xb || !p->i || !p->j) && p->m)) return DPPAIR_ERR_NULL;
  if (dppair_area_(dppair_area_(p->na, p->lda), 8) == SIZE_MAX ||
      dppair_area_(dppair_area_(p->nb, p->ldb), 8) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (pass->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (!dppair_clip_ok_(pass->clip)) return DPPAIR_ERR_DOMAIN;
  for (k = 0; k < p->m; k++) wrong |= (size_t)(p->i[k] >= p->na) | (size_t)(p->j[k] >= p->nb);
  if (wrong) return DPPAIR_ERR_SIZE;
  if (p->weight && !dppair_all_finite_f64(p->weight, p->m)) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
