/* ------------------------------------------------------------------------------------------------
 * Moments without order: joining, errors, the methods of a state
 *
 * sketch_state.h says what moments are, sketch_kernels.h computes them, sketch_template.h has
 * the functions of an instance.
 *
 * Rounding of a coefficient, u = 2^-53, W = f->weight (the largest sum of |K_kl| of a box), for
 * partners of weight w' in 4 units of every sum that a partner enters: u 14 w' for its powers and
 * 4 u (2^-51) for the multiple of 2^-50, since sums of multiples are exact. A sum that becomes a
 * double is rounded once, 1 u of the weights in it. Sums of boxes that are beyond the reach are
 * added in two doubles: 8 u with the product. Then come translation and Horner's rule as in box.h,
 * (2 reach + 1) p/4 + 8 and 2p roundings, and the product with the own weight. All of them are of
 * numbers that W times the weights of partners bound:
 *
 *   |c_i - sum over j of w_i w_j K(s_i, s_j)| <= 1.01 u W w_i (4 partners + steps (their weights))
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The sum over all records of the errors above, at most. spread: the sum of own weights times the
 * number of partners; mass: the sum of own weights times those of partners; over the records of
 * both classes: for all pairs of n records both are n^2/2. */
DPPAIR_API double dppair_sketch_rounding_(const dppair_fast *f, double spread, double mass) {
  const double u = 0.5 * DBL_EPSILON;
  return 1.01 * u * f->weight *
         (dppair_fast_units_(f) * spread + dppair_fast_steps_(f, 0.0) * mass);
}

/* A weight as it counts in an order-free state: held within [0, 1], NaN as 0, and rounded down to a
 * multiple of 2^-50, so that sums of weights are exact and those of a user do not grow. */
DPPAIR_API double dppair_share_grid_(double weight) {
  const double w = dppair_share_(weight), nearby = (w + 6.0) - 6.0; /* steps of 2^-50 above 4 */
  return nearby > w ? nearby - DPPAIR_SKETCH_UNIT_ : nearby;
}

/* A digest that v was added to. */
DPPAIR_API uint64_t dppair_digest_add_(uint64_t digest, uint64_t v) {
  const uint64_t product = (digest ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return (product ^ product >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ product >> 32;
}

/* A digest of `size` bytes of text. Never 0. It is the same wherever the text is. */
DPPAIR_API uint64_t dppair_digest_text_(const char *text, size_t size) {
  uint64_t digest = 0, word;
  size_t k;
  for (k = 0; k < size; k += sizeof word) {
    word = 0;
    memcpy(&word, text + k, size - k < sizeof word ? size - k : sizeof word);
    digest = dppair_digest_add_(digest, word);
  }
  return digest | 1;
}

/* A digest of `count` numbers, and of what came before. */
DPPAIR_API uint64_t dppair_digest_all_(uint64_t digest, const double *v, size_t count) {
  size_t k;
  for (k = 0; k < count; k++) digest = dppair_digest_add_(digest, dppair_bits_f64_(v[k]));
  return digest;
}

/* A digest of what results of a state depend on, its loss and its sizes too: each number by itself,
 * so that none hides another. Addresses are not in it, since processes compare digests. */
DPPAIR_API uint64_t dppair_digest_of_state_(const dppair_fast *f) {
  const double figures[] = {f->width,        f->score_cap, f->low,   f->high,
                            f->kernel_error, f->weight,    f->slope, f->centre};
  const uint64_t sizes[] = {f->most, f->capacity, f->words, f->cells, f->room};
  const int numbers[] = {f->kind, f->order_free, f->terms, f->stride, f->reach};
  uint64_t digest = f->loss;
  size_t k;
  for (k = 0; k < 5; k++) digest = dppair_digest_add_(digest, sizes[k]);
  for (k = 0; k < 5; k++) digest = dppair_digest_add_(digest, (uint64_t)(int64_t)numbers[k]);
  return dppair_digest_all_(digest, figures, sizeof figures / sizeof *figures);
}

/* The end of NAME_fast_init and NAME_sums_init: the digests. */
DPPAIR_API void dppair_fast_seal_(dppair_fast *f, uint64_t loss) {
  f->loss = loss;
  if (f->table) f->centre = f->table[f->reach * f->terms * f->stride];
  f->digest = dppair_digest_of_state_(f);
}

/* Is *f as it was sealed? Its sizes are looked at before its table is. */
DPPAIR_API int dppair_fast_is_whole_(const dppair_fast *f) {
  if (f->digest != dppair_digest_of_state_(f)) return 0;
  return !f->table ||
         dppair_bits_f64_(f->table[f->reach * f->terms * f->stride]) == dppair_bits_f64_(f->centre);
}

/* The bytes of moments of this state: words, then partial sums or coefficients. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sketch_bytes_(size_t *bytes,
                                                                const dppair_fast *f) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!f) return DPPAIR_ERR_NULL;
  if (!f->order_free) return DPPAIR_ERR_WORKSPACE;
  if (f->words > SIZE_MAX / 32 || f->room > SIZE_MAX / 32) return DPPAIR_ERR_OVERFLOW;
  *bytes = (f->words + f->room) * sizeof(uint64_t) + 64;
  return DPPAIR_OK;
}

/* Makes *m empty moments at base, which is aligned; boxes get words as they come into use. */
DPPAIR_API void dppair_sketch_begin_(dppair_sketch *m, const dppair_fast *f, void *base) {
  memset(m, 0, sizeof *m);
  m->cells = f->cells;
  m->all = f->words;
  m->state = f->digest;
  m->words = (uint64_t *)base;
  m->partial = m->words + f->words;
  m->coefficients = (double *)(void *)m->partial;
  if (f->kind == DPPAIR_KIND_ANALYTIC_) return;
  memset(m->words, 0, f->words * sizeof *m->words);
  m->high = m->cells;
}

/* m += other of another part of a gradient. */
DPPAIR_API void dppair_sketch_join_(dppair_sketch *m, const dppair_sketch *other,
                                    const dppair_fast *f) {
  const size_t count = (other->high - other->low) * (size_t)f->stride;
  int side;
  m->count[0] += other->count[0];
  m->count[1] += other->count[1];
  if (f->kind != DPPAIR_KIND_ANALYTIC_) {
    dppair_words_add(m->words, other->words, m->all / 2);
    return;
  }
  if (count == 0) return;
  dppair_sketch_hold_(m, f, other->low, other->high);
  for (side = 0; side < 2; side++) {
    const size_t at = 2 * dppair_sketch_at_(m, f, side, other->low);
    dppair_words_add(m->words + at, other->words + at, count);
  }
}

/* NAME_coeffs_fast of an order-free state after its checks: both passes over one chunk. */
DPPAIR_API dppair_status dppair_sketch_run_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            const dppair_piece *pieces, int count, int is_f32,
                                            const double *const *weight) {
  const double *w[2] = {weight ? weight[0] : NULL, weight ? weight[1] : NULL};
  dppair_sketch m;
  dppair_sketch_begin_(&m, f, f->work);
  f->count(&m, sp, np, np, w[0], f, is_f32);
  f->count(&m, sn, nn, 0, w[1], f, is_f32);
  f->close(&m, f, pieces, count, is_f32);
  f->read(a, sp, np, np, w[0], &m, f, is_f32);
  f->read(b, sn, nn, 0, w[1], &m, f, is_f32);
  return DPPAIR_OK;
}

/* The methods of boxes. */
DPPAIR_API void dppair_boxes_count_(dppair_sketch *m, const void *s, size_t n, size_t positives,
                                    const double *weight, const dppair_fast *f, int is_f32) {
  DPPAIR_DISPATCH_(dppair_sketch_count, (m, s, n, positives, weight, f, is_f32));
}
DPPAIR_API void dppair_boxes_close_(dppair_sketch *m, const dppair_fast *f,
                                    const dppair_piece *pieces, int count, int is_f32) {
  (void)pieces;
  (void)count;
  (void)is_f32;
  if (m->low < m->high) dppair_sketch_settle_(m, f); /* else the sums of 64 bits are all */
  DPPAIR_DISPATCH_(dppair_sketch_close, (m, f));
}
DPPAIR_API void dppair_boxes_read_(double *c, const void *s, size_t n, size_t positives,
                                   const double *weight, const dppair_sketch *m,
                                   const dppair_fast *f, int is_f32) {
  DPPAIR_DISPATCH_(dppair_sketch_read, (c, s, n, positives, weight, m, f, is_f32));
}

/* Sums that are sure to hold the boxes of +-cap: their number, as the kernels count it. */
DPPAIR_API size_t dppair_box_cells_(const dppair_fast *f) {
  const double top = f->score_cap / f->width + DPPAIR_MAGIC_F64_;
  return 2 * (size_t)(dppair_bits_f64_(top) - dppair_bits_f64_(DPPAIR_MAGIC_F64_)) + 1;
}

/* Makes the boxes of *f, which dppair_box_plan_ filled, a state of `most` records, but for the
 * bound of its slopes. */
DPPAIR_API void dppair_boxes_sums_(dppair_fast *f, uint64_t most) {
  f->order_free = 1;
  f->most = most;
  f->cells = dppair_box_cells_(f);
  f->words = 4 * f->cells * (size_t)f->stride;
  f->room = 2 * DPPAIR_SKETCH_COPIES_ * f->cells * (size_t)f->stride;
  f->run = dppair_sketch_run_;
  f->count = dppair_boxes_count_;
  f->close = dppair_boxes_close_;
  f->read = dppair_boxes_read_;
}

DPPAIR_FP_END_
