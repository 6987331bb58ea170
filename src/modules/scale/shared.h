/* ------------------------------------------------------------------------------------------------
 * Chunks: what all instances share
 *
 * Moments and sums of a chunk carry digests, which tell what they were made with.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Is *f an order-free state, and *m opened for it? */
DPPAIR_API dppair_status dppair_sketch_check_(const dppair_sketch *m, const dppair_fast *f) {
  if (!m || !f) return DPPAIR_ERR_NULL;
  if (!f->order_free || !m->words || m->all != f->words || m->state != f->digest ||
      !dppair_fast_is_whole_(f))
    return DPPAIR_ERR_WORKSPACE;
  return m->finished < 0 ? DPPAIR_ERR_WORKSPACE : DPPAIR_OK;
}

/* Can n more records, or moments, be added to *m, which was checked? SIZE: more than the state has
 * room for. */
DPPAIR_API dppair_status dppair_sketch_room_(const dppair_sketch *m, const dppair_fast *f,
                                             uint64_t n) {
  const uint64_t there = m->count[0] + m->count[1];
  if (m->finished) return DPPAIR_ERR_DOMAIN;
  return there > f->most || n > f->most - there ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* Makes *m empty moments at base, which is aligned, with the words of all cells. */
DPPAIR_API void dppair_sketch_clear_(dppair_sketch *m, const dppair_fast *f, void *base) {
  dppair_sketch_begin_(m, f, base);
  if (f->kind == DPPAIR_KIND_ANALYTIC_) dppair_sketch_hold_(m, f, 0, m->cells);
}

/*
 * m += other, which may come from another thread; words of another process are added by
 * dppair_words_add, and its counts. Errors leave *m as it is: NULL, WORKSPACE (one that is not
 * open, or spoiled; of another state, rows of another radius, another w; those of rows to
 * themselves), BATCH (rows of another draw), DOMAIN (finished).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sketch_add(dppair_sketch *m,
                                                             const dppair_sketch *other) {
  if (!m || !other) return DPPAIR_ERR_NULL;
  if (!m->words || !other->words || m->all != other->all || m->state != other->state ||
      (m->words == other->words && m->digest) || m->finished < 0 || other->finished < 0)
    return DPPAIR_ERR_WORKSPACE;
  if (m->finished || other->finished) return DPPAIR_ERR_DOMAIN;
  if (other->count[0] + other->count[1] + other->users == 0) return DPPAIR_OK;
  if (m->count[0] + m->count[1] + m->users > 0 &&
      (m->digest != other->digest || dppair_fabs_(m->radius - other->radius) > 0.0))
    return DPPAIR_ERR_WORKSPACE;
  if (m->count[0] + m->count[1] + m->users > 0 && m->serial != other->serial)
    return DPPAIR_ERR_BATCH;
  m->digest = other->digest;
  m->serial = other->serial;
  m->radius = other->radius;
  m->count[0] += other->count[0];
  m->count[1] += other->count[1];
  m->users += other->users;
  dppair_words_add(m->words, other->words, m->all / 2);
  return DPPAIR_OK;
}

/* The digest of what scores and coefficients are made with: w, the radius and the state. It finds
 * mistakes, such as a process that is a step behind; it is no signature. Never 0. */
DPPAIR_API uint64_t dppair_digest_(const void *w, size_t d, double radius, const dppair_fast *f,
                                   int is_f32) {
  uint64_t digest = dppair_digest_add_(f->digest, (uint64_t)d);
  size_t k;
  digest = dppair_digest_add_(digest, is_f32 ? 32 : 64);
  digest = dppair_digest_add_(digest, dppair_bits_f64_(radius));
  for (k = 0; k < d; k++)
    digest = dppair_digest_add_(digest, is_f32 ? dppair_bits_f32_(((const float *)w)[k])
                                               : dppair_bits_f64_(((const double *)w)[k]));
  return digest ? digest : 1;
}

/* The digest of a sum: that of its moments, and of how many records they have. */
DPPAIR_API uint64_t dppair_digest_of_sum_(uint64_t digest, uint64_t count) {
  digest = dppair_digest_add_(digest, count);
  return digest ? digest : 1;
}

DPPAIR_FP_END_
