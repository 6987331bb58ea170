/* ------------------------------------------------------------------------------------------------
 * The second level of coarse grids, and a chunk through its levels
 *
 * The second level computes a batch of `slots` numbers in double: the undecided ones and, so that
 * the work does not depend on how many these are, copies of number 0 whose results are dropped
 * (dppair_slots_ in release_plan.h).
 * ---------------------------------------------------------------------------------------------- */

/* A batch: positions, x / g = whole + rest, the integers k to which rest + noise is rounded, and
 * whether they are undecided (1.0) or not; 64 bits of the strings U and T, and 1.0 for a sine. */
typedef struct dpr_batch {
  uint32_t at[DPPAIR_ROW_MAX_];
  double whole[DPPAIR_ROW_MAX_], rest[DPPAIR_ROW_MAX_], k[DPPAIR_ROW_MAX_];
  double undecided[DPPAIR_ROW_MAX_], sine[DPPAIR_ROW_MAX_];
  uint64_t u[DPPAIR_ROW_MAX_], t[DPPAIR_ROW_MAX_];
} dpr_batch;

/* Gathers the numbers of a batch, and level 1 of their strings; level 0 is in `words`. */
DPPAIR_FORCE_INLINE_ void dpr_batch_gather(dpr_batch *b, const void *x, int narrow,
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

/* Rounds rest + s z of the slots i to i + DPR_LANES / 2 - 1. */
DPPAIR_FORCE_INLINE_ void dpr_batch_round(dpr_batch *b, size_t i, const dppair_plan_ *plan) {
  const DPR_D half = DPR_DSET(0.5), scale = DPR_DSET(plan->s);
  DPR_D tau, c, s, z, y, k, off;
  DPR_N open;
  if (plan->law == DPPAIR_NOISE_LAPLACE_) {
    z = dpr_laplace_wide(DPR_ILOAD(b->u + i), &tau, &open);
  } else {
    z = dpr_radius_wide(DPR_ILOAD(b->u + i), &tau);
    open = dpr_tail_wide(DPR_ILOAD(b->u + i));
    dpr_circle_wide(&c, &s, DPR_ILOAD(b->t + i));
    z = DPR_DMUL(z, DPR_DSEL(DPR_DGE(DPR_DLOAD(b->sine + i), half), s, c));
  }
  y = DPR_DFMA(z, scale, DPR_DLOAD(b->rest + i));
  off = dpr_off(&k, y, DPR_DSET(DPPAIR_MAGIC_F64_));
  open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, scale, off), half));
  DPR_DSTORE(b->k + i, k);
  DPR_DSTORE(b->undecided + i, DPR_DSEL(open, DPR_DSET(1.0), DPR_DSET(0.0)));
}

/* The second level for live <= slots <= DPPAIR_ROW_MAX_ numbers of the list; what it leaves
 * undecided, one in 2^35 at the default grid, goes to the last level. Idle slots write to a place
 * of their own, so that each slot does the same work. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_second_TIER_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  dpr_batch b;
  dppair_status status = DPPAIR_OK;
  double idle = 0.0;
  size_t i;
  dpr_batch_gather(&b, x, narrow, list, live, slots, words, rng, block, plan);
  for (i = 0; i < slots; i += DPR_LANES / 2) dpr_batch_round(&b, i, plan);
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
DPPAIR_OUT_OF_LINE_ dppair_status dpr_chunk_fine(void *x, size_t n, int narrow,
                                                 const uint32_t *words, const dppair_rng *rng,
                                                 uint64_t block, const dppair_plan_ *plan) {
  uint32_t more[DPPAIR_CHUNK_], marks[2 * DPPAIR_CHUNK_ / DPR_LANES + 1];
  dppair_marks_ left;
  dppair_status status = DPPAIR_OK;
  uint32_t p;
  int unfit = 0;
  dppair_keystream_row_(more, rng, 1, block, n / 16, plan->tier);
  if (narrow) {
    dpr_first_wide(x, n, 1, words, more, marks, &unfit, plan);
  } else {
    dpr_first_wide(x, n, 0, words, more, marks, &unfit, plan);
  }
  if (unfit) status = dppair_unfit_status_(x, n, narrow);
  dppair_marks_open_(&left, marks);
  while (status == DPPAIR_OK && dppair_marks_next_(&p, &left))
    status = dppair_last_level_in_place_(x, p, narrow, rng, block, plan);
  return status;
}

/* A chunk on a coarse grid: the float level, then the second level, which always runs once. */
DPPAIR_OUT_OF_LINE_ dppair_status dpr_chunk_coarse(void *x, size_t n, int narrow,
                                                   const uint32_t *words, const dppair_rng *rng,
                                                   uint64_t block, const dppair_plan_ *plan) {
  const size_t slots = dppair_slots_(n, plan);
  uint32_t marks[DPPAIR_CHUNK_ / DPR_GROUP + 1], list[DPPAIR_ROW_MAX_];
  dppair_marks_ left;
  dppair_status status = DPPAIR_OK;
  int unfit = 0;
  if (narrow) {
    dpr_first_f32(x, n, 1, words, marks, &unfit, plan);
  } else {
    dpr_first_f32(x, n, 0, words, marks, &unfit, plan);
  }
  if (unfit) status = dppair_unfit_status_(x, n, narrow);
  dppair_marks_open_(&left, marks);
  while (status == DPPAIR_OK) {
    size_t live = 0, i;
    for (i = 0; i < slots; i++) live += dppair_marks_next_(&list[live], &left);
    status = dppair_second_TIER_(x, narrow, list, live, slots, words, rng, block, plan);
    if (left.now == 0) break;
  }
  return status;
}

/* Adds noise to n numbers, a multiple of 32 and at most DPPAIR_CHUNK_, and rounds them. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_TIER_(void *x, size_t n, int narrow,
                                                              const dppair_rng *rng, uint64_t block,
                                                              const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_];
  dppair_keystream_row_(words, rng, 0, block, n / 16, plan->tier);
  return plan->coarse ? dpr_chunk_coarse(x, n, narrow, words, rng, block, plan)
                      : dpr_chunk_fine(x, n, narrow, words, rng, block, plan);
}
