/* ------------------------------------------------------------------------------------------------
 * Draws of random allocation
 *
 * Each record is in k of the t batches of an epoch. Which ones is a function of the key, the epoch
 * and the record's number: record i owns the strings of bits i w, i w + 1, .. of its epoch, w the
 * least power of two >= k. So a batch is one scan of the key stream, and nothing is kept of an
 * epoch.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ALLOCATED_MOST_ 64u /* k: the words of a record are kept while it is decided */

/* The generator of an epoch, and what its uniform numbers need. */
typedef struct dppair_allocation_ {
  dppair_rng rng;
  uint32_t t, k, w, batch;
  uint32_t biased[DPPAIR_ALLOCATED_MOST_]; /* 2^32 mod (t - k + 1 + p): below it, once more */
  dppair_status status;
} dppair_allocation_;

/* The number below `bound` of string `at`, whose first word was rejected. Each of its words is,
 * with probability below 1/2; 199 in a row are the error EXHAUSTED. */
DPPAIR_OUT_OF_LINE_ uint32_t dppair_allocated_again_(dppair_allocation_ *a, uint64_t at,
                                                     uint32_t bound, uint32_t biased) {
  dppair_string_ s;
  unsigned level;
  s.rng = &a->rng;
  s.block = at / 16;
  s.lane = (unsigned)(at % 16);
  for (level = 1; level < DPPAIR_NOISE_LEVELS_; level++) {
    const uint64_t m = (uint64_t)dppair_string_word_(&s, level) * bound;
    if ((uint32_t)m >= biased) return (uint32_t)(m >> 32);
  }
  a->status = DPPAIR_ERR_EXHAUSTED;
  return 0;
}

/* Is the batch one of the record's, whose first string is number `at` and has these words? They
 * become the picks. The set after pick p holds b if a pick took b, or if b = t - k + p and pick p
 * was in the set already; then the question is about the earlier picks. */
DPPAIR_API int dppair_is_allocated_(dppair_allocation_ *a, uint32_t *word, uint64_t at) {
  const uint32_t first = a->t - a->k;
  uint32_t b = a->batch, end = a->k, p;
  for (p = 0; p < a->k; p++) {
    const uint32_t bound = first + p + 1;
    const uint64_t m = (uint64_t)word[p] * bound;
    word[p] = (uint32_t)m < a->biased[p] ? dppair_allocated_again_(a, at + p, bound, a->biased[p])
                                         : (uint32_t)(m >> 32);
  }
  for (;;) {
    for (p = end; p-- > 0;)
      if (word[p] == b) return 1;
    if (b < first) return 0;
    end = b - first;
    b = word[end];
  }
}

/* Opens epoch and batch of a step. The key of an epoch is one that nothing else derives, and so are
 * its numbers, whatever else is drawn from rng. */
DPPAIR_API void dppair_allocation_open_(dppair_allocation_ *a, const dppair_sampling *s,
                                        size_t step, const dppair_rng *rng) {
  uint32_t key[8], p;
  memset(a, 0, sizeof *a);
  a->t = (uint32_t)s->batches;
  a->k = (uint32_t)s->group;
  a->batch = (uint32_t)(step % s->batches);
  for (a->w = 1; a->w < a->k;) a->w *= 2;
  for (p = 0; p < a->k; p++) {
    const uint32_t bound = a->t - a->k + 1 + p;
    a->biased[p] = (0u - bound) % bound;
  }
  dppair_rng_derive_(key, rng, DPPAIR_LEVEL_ALLOCATION_, step / s->batches);
  dppair_rng_set_key_(&a->rng, rng->cipher, key, 0);
  dppair_wipe(key, sizeof key);
}

/* The scan. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_allocation_scan_(size_t *index, size_t *count, size_t n,
                                                          dppair_allocation_ *a) {
  enum { WORDS_ = 16 * 32 };
  const int tier = dppair_noise_tier_();
  uint32_t words[WORDS_];
  const size_t each = WORDS_ / a->w;
  size_t i, j, have = 0;
  for (i = 0; i < n && a->status == DPPAIR_OK; i += each) {
    const size_t live = n - i < each ? n - i : each;
    const uint64_t at = (uint64_t)i * a->w;
    dppair_keystream_row_(words, &a->rng, 0, at / 16, (live * a->w + 15) / 16, tier);
    for (j = 0; j < live && a->k == 1;
         j++) { /* as dppair_is_allocated_, without a branch that is drawn */
      uint64_t m = (uint64_t)words[j] * a->t;
      if ((uint32_t)m < a->biased[0])
        m = (uint64_t)dppair_allocated_again_(a, at + j, a->t, a->biased[0]) << 32;
      index[have] = i + j; /* have <= i + j < n */
      have += (uint32_t)(m >> 32) == a->batch;
    }
    for (j = 0; j < live && a->k > 1; j++)
      if (dppair_is_allocated_(a, words + j * a->w, at + j * a->w)) index[have++] = i + j;
  }
  dppair_wipe(words, sizeof words);
  *count = have;
  return a->status;
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_draw_allocation_work_(size_t *index, size_t *count,
                                                               const dppair_sampling *s,
                                                               size_t step, const dppair_rng *rng) {
  dppair_allocation_ a;
  dppair_status status;
  dppair_allocation_open_(&a, s, step, rng);
  status = dppair_allocation_scan_(index, count, s->n, &a);
  dppair_wipe(&a, sizeof a);
  return status;
}

/*
 * Draws the batch of a step of random allocation: of t = sampling->batches batches an epoch, step
 * `step` reads batch step % t of epoch step / t. In each epoch every record is in exactly k =
 * sampling->group of the t batches; each of its C(t, k) sets of batches is equally likely, and
 * other records and other epochs are independent. So batches have random sizes, and all batches of
 * an epoch together hold each record k times.
 *
 * The numbers of the records, in increasing order, go to index[0 .. *count - 1]. They are a
 * function of rng's cipher, key and stream, and of the step alone: no state is kept from step to
 * step, steps can be drawn in any order and drawn again, and rng does not move. Draws and splits of
 * the same generator are independent of them. *count is private with the batch.
 *
 * Cost: n key-stream words, k > 1: the next power of two times as many, a batch.
 *
 * index has room for `capacity` >= n numbers: less would show the size of the batch. Errors, before
 * anything is drawn: NULL; NO_PROOF, a sampling that is no allocation; SIZE, less room, t >= 2^32,
 * or k > 64 (k epochs of floor(t/k) batches each are charged the same, and can be drawn); DOMAIN, a
 * generator whose key is replaced after each call: an epoch would not be one; EXHAUSTED, 2^54
 * epochs; those of the sampling's fields (dppair_normaliser) and of the generator. EXHAUSTED
 * afterwards has probability n k 2^-199. On any error *count and all of index are 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_allocation(size_t *index, size_t *count,
                                                                  size_t capacity,
                                                                  const dppair_sampling *sampling,
                                                                  size_t step,
                                                                  const dppair_rng *rng) {
  size_t most = 0, drawn = 0;
  uint64_t pass = 0;
  dppair_status status;
  if (count != NULL) *count = 0;
  status = dppair_array_(index, capacity);
  if (status != DPPAIR_OK) return status;
  status = count == NULL ? DPPAIR_ERR_NULL : dppair_draw_most_(&most, sampling);
  if (status == DPPAIR_OK && sampling->kind != DPPAIR_ALLOCATION) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK && (capacity < most || (double)sampling->batches > 4294967295.0 ||
                              sampling->group > DPPAIR_ALLOCATED_MOST_))
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_rng_check_(rng);
  if (status == DPPAIR_OK && rng->erase) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) pass = step / sampling->batches;
  if (pass >= DPPAIR_RNG_BLOCKS_) status = DPPAIR_ERR_EXHAUSTED;
  if (status == DPPAIR_OK) {
    status = dppair_draw_allocation_work_(index, &drawn, sampling, step, rng);
    dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  }
  if (status == DPPAIR_OK)
    *count = drawn;
  else if (capacity > 0)
    memset(index, 0, capacity * sizeof *index);
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "records", index, capacity, sizeof *index, count,
                       (double)step, 0.0, sampling, rng, status)))
    return DPPAIR_OK;
  return status;
}

/* The same for an open release, whose step it is. */
DPPAIR_RARE_ dppair_status dppair_allocation_batch_(size_t *index, size_t *count, size_t capacity,
                                                    const dppair_sampling *sampling, size_t step,
                                                    const dppair_rng *rng) {
  return dppair_draw_allocation(index, count, capacity, sampling, step, rng);
}
