/* ------------------------------------------------------------------------------------------------
 * A chunk through its levels
 *
 * One copy of this code serves all laws, types and vector tiers: what differs is in the levels that
 * the plan carries. The second level computes a batch of `slots` numbers in double: the undecided
 * ones and, so that the work does not depend on how many these are, copies of number 0, whose
 * results are dropped (dppair_slots_ in release_plan.h).
 * ---------------------------------------------------------------------------------------------- */

/* Noise for n <= DPPAIR_CHUNK_ numbers by scalar code, from key stream by the plan's tier. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_scalar_(void *x, size_t n, int narrow,
                                                                const dppair_rng *rng,
                                                                uint64_t block,
                                                                const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_], more[DPPAIR_CHUNK_];
  const size_t blocks = (size_t)dppair_blocks_(n);
  dppair_status status = DPPAIR_OK;
  size_t i;
  dppair_keystream_row_(words, rng, 0, block, blocks, plan->tier);
  dppair_keystream_row_(more, rng, 1, block, blocks, plan->tier);
  for (i = 0; i < n && status == DPPAIR_OK; i += 16)
    status = dppair_block_scalar_(narrow ? (void *)((float *)x + i) : (void *)((double *)x + i),
                                  n - i < 16 ? (unsigned)(n - i) : 16u, narrow, words + i, more + i,
                                  rng, block + i / 16, plan);
  /* numbers of both kinds in one chunk: the same error as of the vector tiers */
  return status == DPPAIR_ERR_OVERFLOW ? dppair_unfit_status_(x, n, narrow) : status;
}

#if DPPAIR_NOISE_VECTORS_
/* Gathers the numbers of a batch, and level 1 of their strings; level 0 is in `words`. */
DPPAIR_FORCE_INLINE_ void dppair_batch_gather_(dppair_batch_ *b, const void *x, int narrow,
                                               const uint32_t *list, size_t live, size_t slots,
                                               const uint32_t *words, const dppair_rng *rng,
                                               uint64_t block, const dppair_plan_ *plan) {
  uint64_t units[DPPAIR_ROW_MAX_];
  uint32_t more[4 * DPPAIR_ROW_MAX_];
  const int laplace = plan->law == DPPAIR_NOISE_LAPLACE_;
  const unsigned next = laplace ? 0u : 1u; /* T follows U; Laplace noise has no T */
  size_t i;
  memset(units, 0, slots * sizeof *units);
  for (i = 0; i < slots; i++) {
    const uint32_t p = i < live ? list[i] : 0u, first = laplace ? p % 16 : 2 * (p % 8);
    const double y =
        (narrow ? (double)((const float *)x)[p] : ((const double *)x)[p]) * plan->inverse;
    b->at[i] = p;
    b->whole[i] = dppair_whole_(dppair_bits_f64_(y + DPPAIR_MAGIC_F64_));
    b->rest[i] = y - b->whole[i];
    units[i] = 4 * (block + p / 16) + first / 4;
  }
  dppair_keystream_units_(more, rng, 1, units, slots, plan->tier);
  for (i = 0; i < slots; i++) {
    const uint32_t p = b->at[i], first = laplace ? p % 16 : 2 * (p % 8);
    const uint32_t *w0 = words + p / 16 * 16 + first, *w1 = more + 4 * i + first % 4;
    b->u[i] = (uint64_t)w0[0] << 32 | w1[0];
    b->t[i] = (uint64_t)w0[next] << 32 | w1[next];
    b->sine[i] = (p / 8 & 1u) ? 1.0 : 0.0;
  }
}

/* The second level for live <= slots <= DPPAIR_ROW_MAX_ numbers of the list; what it leaves
 * undecided, one in 2^35 at the default grid, goes to the last level. Idle slots write to a place
 * of their own, so that each slot does the same work. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_second_level_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  dppair_batch_ b;
  dppair_status status = DPPAIR_OK;
  double idle = 0.0;
  size_t i;
  dppair_batch_gather_(&b, x, narrow, list, live, slots, words, rng, block, plan);
  plan->second(&b, slots, plan);
  DPPAIR_DECLASSIFY_(b.undecided, slots * sizeof *b.undecided);
  for (i = 0; i < slots; i++)
    if (b.undecided[i] != 0.0 && i < live && status == DPPAIR_OK)
      status =
          dppair_last_level_(&b.k[i], b.rest[i], rng, block + b.at[i] / 16, b.at[i] % 16, plan);
  for (i = 0; i < slots; i++) {
    void *to = i < live ? x : (void *)&idle;
    dppair_put_one_(to, i < live ? b.at[i] : 0, narrow, (b.whole[i] + b.k[i]) * plan->g);
  }
  return status;
}

/* A chunk on a fine grid: the double level, then integers for what it leaves undecided. This
 * function and the next are not inlined, so that their arrays share a region of the stack. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_chunk_fine_(void *x, size_t n, int narrow,
                                                     const uint32_t *words, const dppair_rng *rng,
                                                     uint64_t block, const dppair_plan_ *plan) {
  uint32_t more[DPPAIR_CHUNK_], marks[2 * DPPAIR_CHUNK_ / DPPAIR_LANES_LEAST_ + 1], p;
  dppair_marks_ left;
  dppair_status status = DPPAIR_OK;
  dppair_keystream_row_(more, rng, 1, block, n / 16, plan->tier);
  if (plan->first(x, n, words, more, marks, plan)) status = dppair_unfit_status_(x, n, narrow);
  dppair_marks_open_(&left, marks);
  while (status == DPPAIR_OK && dppair_marks_next_(&p, &left))
    status = dppair_last_level_in_place_(x, p, narrow, rng, block, plan);
  return status;
}

/* A chunk on a coarse grid: the float level, then the second level, which always runs once. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_chunk_coarse_(void *x, size_t n, int narrow,
                                                       const uint32_t *words, const dppair_rng *rng,
                                                       uint64_t block, const dppair_plan_ *plan) {
  const size_t slots = dppair_slots_(n, plan);
  uint32_t marks[DPPAIR_CHUNK_ / 8 + 1], list[DPPAIR_ROW_MAX_];
  dppair_marks_ left;
  dppair_status status = DPPAIR_OK;
  if (plan->first(x, n, words, NULL, marks, plan)) status = dppair_unfit_status_(x, n, narrow);
  dppair_marks_open_(&left, marks);
  while (status == DPPAIR_OK) {
    size_t live = 0, i;
    for (i = 0; i < slots; i++) live += dppair_marks_next_(&list[live], &left);
    status = dppair_second_level_(x, narrow, list, live, slots, words, rng, block, plan);
    if (left.now == 0) break;
  }
  return status;
}

/* Adds noise to n numbers, a multiple of 32 and at most DPPAIR_CHUNK_, and rounds them. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_chunk_vectors_(void *x, size_t n, int narrow,
                                                        const dppair_rng *rng, uint64_t block,
                                                        const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_];
  dppair_keystream_row_(words, rng, 0, block, n / 16, plan->tier);
  return plan->coarse ? dppair_chunk_coarse_(x, n, narrow, words, rng, block, plan)
                      : dppair_chunk_fine_(x, n, narrow, words, rng, block, plan);
}
#endif

/* One chunk at the plan's tier. The vector tiers need a multiple of 32 numbers. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_any_(void *x, size_t n, int narrow,
                                                             const dppair_rng *rng, uint64_t block,
                                                             const dppair_plan_ *plan) {
#if DPPAIR_NOISE_VECTORS_
  if (plan->first != NULL) return dppair_chunk_vectors_(x, n, narrow, rng, block, plan);
#endif
  return dppair_chunk_scalar_(x, n, narrow, rng, block, plan);
}

/* --- The laws: each by a type has levels of its own ------------------------------------------ */

/* The scalar tier has no levels of a law, nor has the 128-bit tier where it makes key stream. */
#define dppair_gaussian_f64_scalar_ NULL
#define dppair_gaussian_f32_scalar_ NULL
#define dppair_laplace_f64_scalar_ NULL
#define dppair_laplace_f32_scalar_ NULL
#define dppair_second_gaussian_scalar_ NULL
#define dppair_second_laplace_scalar_ NULL
#if !DPPAIR_NOISE_SIMD128_
#define dppair_gaussian_f64_simd128_ NULL
#define dppair_gaussian_f32_simd128_ NULL
#define dppair_laplace_f64_simd128_ NULL
#define dppair_laplace_f32_simd128_ NULL
#define dppair_second_gaussian_simd128_ NULL
#define dppair_second_laplace_simd128_ NULL
#endif

DPPAIR_API void dppair_gaussian_f64_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_GAUSSIAN_;
  plan->narrow = 0;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_gaussian_f64_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_gaussian_, )
}

DPPAIR_API void dppair_gaussian_f32_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_GAUSSIAN_;
  plan->narrow = 1;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_gaussian_f32_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_gaussian_, )
}

DPPAIR_API void dppair_laplace_f64_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_LAPLACE_;
  plan->narrow = 0;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_laplace_f64_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_laplace_, )
}

DPPAIR_API void dppair_laplace_f32_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_LAPLACE_;
  plan->narrow = 1;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_laplace_f32_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_laplace_, )
}
