/* ------------------------------------------------------------------------------------------------
 * Second level of coarse grids: `slots` undecided numbers at a time, filled up with copies of
 * number 0 whose results are dropped, so that the work does not depend on how many were undecided.
 * With m expected there are m + 7.5 sqrt(m) + 9 slots; their number is Poisson-like, more have
 * probability below 1e-15 and take a second round.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_second_TIER_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  uint64_t units[DPPAIR_ROW_MAX_], u[DPPAIR_ROW_MAX_], t[DPPAIR_ROW_MAX_];
  uint32_t more[4 * DPPAIR_ROW_MAX_], at[DPPAIR_ROW_MAX_];
  double whole[DPPAIR_ROW_MAX_], rest[DPPAIR_ROW_MAX_], k[DPPAIR_ROW_MAX_];
  double sine[DPPAIR_ROW_MAX_], undecided[DPPAIR_ROW_MAX_];
  const int laplace = plan->law == DPPAIR_NOISE_LAPLACE_;
  dppair_status status = DPPAIR_OK;
  double idle = 0.0;
  size_t i;
  memset(units, 0, slots * sizeof *units);
  for (i = 0; i < slots; i++) {
    const uint32_t p = i < live ? list[i] : 0u, first = laplace ? p % 16 : 2 * (p % 8);
    const double y =
        (narrow ? (double)((const float *)x)[p] : ((const double *)x)[p]) * plan->inverse;
    at[i] = p;
    whole[i] = rint(y);
    rest[i] = y - whole[i];
    units[i] = 4 * (block + p / 16) + first / 4;
  }
  dppair_keystream_units_(more, rng, 1, units, slots, plan->tier);
  for (i = 0; i < slots; i++) {
    const uint32_t p = at[i], first = laplace ? p % 16 : 2 * (p % 8);
    const uint32_t *a = words + p / 16 * 16 + first, *b = more + 4 * i + first % 4;
    const unsigned next = laplace ? 0u : 1u;
    u[i] = (uint64_t)a[0] << 32 | b[0];
    t[i] = (uint64_t)a[next] << 32 | b[next];
    sine[i] = (p / 8 & 1u) ? 1.0 : 0.0;
  }
  for (i = 0; i < slots; i += DPR_LANES / 2) {
    const DPR_D half = DPR_DSET(0.5);
    DPR_D tau, c, s, z, y, r, size;
    DPR_N open;
    if (laplace) {
      z = dpr_laplace_wide(DPR_ILOAD(u + i), &tau, &open);
    } else {
      z = dpr_radius_wide(DPR_ILOAD(u + i), &tau);
      open = dpr_tail_wide(DPR_ILOAD(u + i));
      dpr_circle_wide(&c, &s, DPR_ILOAD(t + i));
      z = DPR_DMUL(z, DPR_DSEL(DPR_DGE(DPR_DLOAD(sine + i), half), s, c));
    }
    y = DPR_DFMA(z, DPR_DSET(plan->s), DPR_DLOAD(rest + i));
    r = DPR_DRINT(y);
    size = DPR_BITSD(DPR_QAND(DPR_DBITS(DPR_DSUB(y, r)), DPR_QSET(INT64_MAX)));
    open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, DPR_DSET(plan->s), size), half));
    DPR_DSTORE(k + i, r);
    DPR_DSTORE(undecided + i, DPR_DSEL(open, DPR_DSET(1.0), DPR_DSET(0.0)));
  }
  DPPAIR_DECLASSIFY_(undecided, slots * sizeof *undecided);
  for (i = 0; i < slots; i++) /* about one number in 2^35 at the default grid */
    if (undecided[i] != 0.0 && i < live && status == DPPAIR_OK)
      status = dppair_last_level_(&k[i], rest[i], rng, block + at[i] / 16, at[i] % 16, plan);
  for (i = 0; i < slots; i++) { /* idle slots write to a place of their own */
    void *to = i < live ? x : (void *)&idle;
    dppair_put_one_(to, i < live ? at[i] : 0, narrow, (whole[i] + k[i]) * plan->g);
  }
  return status;
}

/* Fine grids: double first, integers for what that leaves open. The two ways through a chunk are
 * not inlined, so that their arrays do not stand on the stack side by side. */
DPPAIR_OUT_OF_LINE_ dppair_status dpr_chunk_fine(void *x, size_t n, int narrow,
                                                           const uint32_t *words, uint32_t *list,
                                                           const dppair_rng *rng, uint64_t block,
                                                           const dppair_plan_ *plan) {
  uint32_t more[DPPAIR_CHUNK_];
  dppair_status status = DPPAIR_OK;
  size_t count, i;
  int unfit = 0;
  dppair_keystream_row_(more, rng, 1, block, n / 16, plan->tier);
  count = narrow ? dpr_first_wide(x, n, 1, words, more, list, &unfit, plan)
                 : dpr_first_wide(x, n, 0, words, more, list, &unfit, plan);
  if (unfit) status = dppair_unfit_status_(x, n, narrow);
  for (i = 0; i < count && status == DPPAIR_OK; i++)
    status = dppair_last_level_in_place_(x, list[i], narrow, rng, block, plan);
  return status;
}

/* Coarse grids: float first, the second level for what that leaves open. */
DPPAIR_OUT_OF_LINE_ dppair_status dpr_chunk_coarse(void *x, size_t n, int narrow,
                                                             const uint32_t *words, uint32_t *list,
                                                             const dppair_rng *rng, uint64_t block,
                                                             const dppair_plan_ *plan) {
  const double expected = (double)n * plan->open_rate;
  const size_t slots = ((size_t)(expected + 7.5 * sqrt(expected) + 9.0) + 8) / 8 * 8;
  dppair_status status = DPPAIR_OK;
  size_t count, i;
  int unfit = 0;
  count = narrow ? dpr_first_f32(x, n, 1, words, list, &unfit, plan)
                 : dpr_first_f32(x, n, 0, words, list, &unfit, plan);
  if (unfit) status = dppair_unfit_status_(x, n, narrow);
  for (i = 0; (i == 0 || i < count) && status == DPPAIR_OK; i += slots)
    status = dppair_second_TIER_(x, narrow, list + i, count - i < slots ? count - i : slots, slots,
                                  words, rng, block, plan);
  return status;
}

/* Noise for n numbers, a multiple of 32 and at most DPPAIR_CHUNK_. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_TIER_(void *x, size_t n, int narrow,
                                                               const dppair_rng *rng,
                                                               uint64_t block,
                                                               const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_], list[DPPAIR_CHUNK_ + 16];
  dppair_keystream_row_(words, rng, 0, block, n / 16, plan->tier);
  return plan->coarse ? dpr_chunk_coarse(x, n, narrow, words, list, rng, block, plan)
                      : dpr_chunk_fine(x, n, narrow, words, list, rng, block, plan);
}
