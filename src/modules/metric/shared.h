/* ------------------------------------------------------------------------------------------------
 * Forms, their blocks and listed pairs: what all instances share
 * ---------------------------------------------------------------------------------------------- */

/* The pair forms of NAME_form_gradient. */
typedef enum dppair_form {
  DPPAIR_FORM_METRIC,    /* (x - x')^T W (x - x')   */
  DPPAIR_FORM_FACTOR,    /* the same with W = L L^T */
  DPPAIR_FORM_SIMILARITY /* x^T W x'                */
} dppair_form;

DPPAIR_FP_BEGIN_

/*
 * All pairs of n records, in blocks: record i of all is row i % block of block i / block, wherever
 * that block is. The pairs of two blocks are one addend of a dppair_sum: a function of their rows
 * and of these public numbers. So any order of the pairs of blocks, any process that computes one,
 * gives the same bits. Every process takes the same *ring.
 */
typedef struct dppair_ring {
  dppair_form form;
  size_t n,
      block;   /* records in all; rows of a block, but of the last one, which has what is left */
  size_t d, k; /* numbers of a row; columns of w: d but for a factor */
  const double *w; /* d rows of k numbers */
  double offset;
  double radius; /* of all rows: a public bound of their norms, positive */
} dppair_ring;

/* How many blocks there are. */
DPPAIR_API size_t dppair_ring_blocks(const dppair_ring *ring) {
  return ring && ring->block ? ring->n / ring->block + (ring->n % ring->block != 0) : 0;
}

/* The rows of block i; 0 where there is none. */
DPPAIR_API size_t dppair_ring_rows(const dppair_ring *ring, size_t i) {
  const size_t blocks = dppair_ring_blocks(ring);
  if (i >= blocks) return 0;
  return i + 1 < blocks ? ring->block : ring->n - (blocks - 1) * ring->block;
}

/* Pairs of n records, modulo 2^64. */
DPPAIR_API uint64_t dppair_ring_pairs_(size_t n) {
  const uint64_t k = (uint64_t)n;
  return k % 2 ? k * ((k - 1) / 2) : k / 2 * (k - 1);
}

/* What block i is in the tally: a pair of blocks adds the product of theirs, modulo 2^64. */
DPPAIR_API uint64_t dppair_ring_mark_(size_t i) { return dppair_digest_add_(0, (uint64_t)i) | 1; }

/* The tally of all pairs i <= j of so many blocks, each once. */
DPPAIR_API uint64_t dppair_ring_tally_(size_t blocks) {
  uint64_t before = 0, tally = 0;
  size_t j;
  for (j = 0; j < blocks; j++) {
    before += dppair_ring_mark_(j);
    tally += before * dppair_ring_mark_(j);
  }
  return tally;
}

/* Listed pairs: pair k < m has row i[k] < na of xa and row j[k] < nb of xb, rows of d numbers whose
 * first ones are lda and ldb apart, and the weight weight[k] (1 if weight is NULL). */
typedef struct dppair_listed_ {
  const void *xa, *xb;
  size_t na, nb, d, lda, ldb;
  const size_t *i, *j;
  const double *weight;
  size_t m;
  size_t up, down; /* the rows of xa and of xb that are no null records */
  int nulls;       /* are there null records? */
} dppair_listed_;

/* How many of the pairs from k on, up to `most`, come before the first with a null record. */
DPPAIR_API size_t dppair_pairs_there_(const dppair_listed_ *p, size_t k, size_t most) {
  const size_t end = p->m - k < most ? p->m : k + most, from = k;
  if (!p->nulls) return end - k;
  while (k < end && p->i[k] < p->up && p->j[k] < p->down) k++;
  return k - from;
}

/* Zeroes g[0..count), then checks the listed pairs, that w is not NULL, the clip, and that the pass
 * has `needed` bytes of workspace. Numbers in rows have at most 8 bytes. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_pairs_check_(double *g, size_t count,
                                                               const dppair_listed_ *p,
                                                               const void *w,
                                                               const dppair_options *options,
                                                               size_t needed) {
  size_t k, wrong = 0;
  if (!g) return DPPAIR_ERR_NULL;
  if (count > SIZE_MAX / sizeof *g) return DPPAIR_ERR_OVERFLOW;
  memset(g, 0, count * sizeof *g);
  if (!options) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (p->d < 1 || p->lda < p->d || p->ldb < p->d || p->up > p->na || p->down > p->nb)
    return DPPAIR_ERR_SIZE;
  if (!w || !options->work || ((!p->xa || !p->xb || !p->i || !p->j) && p->m))
    return DPPAIR_ERR_NULL;
  if (dppair_area_(dppair_area_(p->na, p->lda), 8) == SIZE_MAX ||
      dppair_area_(dppair_area_(p->nb, p->ldb), 8) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  for (k = 0; k < p->m; k++) wrong |= (size_t)(p->i[k] >= p->na) | (size_t)(p->j[k] >= p->nb);
  if (wrong) return DPPAIR_ERR_SIZE;
  if (p->weight && !dppair_all_finite_f64(p->weight, p->m)) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_OK;
}

/* The place of the group that row i of a form is in; the next number is where that group ends. */
DPPAIR_API const size_t *dppair_group_at_(const dppair_groups *g, size_t i) {
  size_t low = 0, high = g->count - 1; /* the last group that begins at i or before */
  while (low < high) {
    const size_t mid = high - (high - low) / 2;
    if (g->positive[mid] <= i)
      low = mid;
    else
      high = mid - 1;
  }
  return g->positive + low;
}

/* A symmetric matrix g[d][d] as d(d+1)/2 coordinates at the beginning of g: the lower triangle row
 * by row, sqrt 2 times what is beside the diagonal, so that norms are kept. And back. */
DPPAIR_API void dppair_release_pack_(double *g, size_t d) {
  size_t i, j, at = 0;
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) g[i * d + j] = 0.5 * (g[i * d + j] + g[j * d + i]);
  for (i = 0; i < d; i++) {
    for (j = 0; j < i; j++) g[at++] = g[i * d + j] * 1.41421356237309504880;
    g[at++] = g[i * d + i];
  }
}

DPPAIR_API void dppair_release_unpack_(double *g, size_t d) {
  size_t i, j, at = d * (d + 1) / 2;
  for (i = d; i-- > 0;) {
    g[i * d + i] = g[--at];
    for (j = i; j-- > 0;) g[i * d + j] = g[--at] * 0.70710678118654752440;
  }
  for (i = 0; i < d; i++)
    for (j = i + 1; j < d; j++) g[i * d + j] = g[j * d + i];
}

DPPAIR_FP_END_
