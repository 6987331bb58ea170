/* ------------------------------------------------------------------------------------------------
 * The second level of coarse grids, over a batch: levels.h
 * ---------------------------------------------------------------------------------------------- */

/* Rounds rest + s z of the slots i to i + DPR_LANES / 2 - 1. */
DPPAIR_FORCE_INLINE_ void dpr_batch_round(dppair_batch_ *b, size_t i, int law,
                                          const dppair_plan_ *plan) {
  const DPR_D half = DPR_DSET(0.5), scale = DPR_DSET(plan->s);
  DPR_D tau, c, s, z, y, k, off;
  DPR_N open;
  if (law == DPPAIR_NOISE_LAPLACE_) {
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

DPPAIR_API void dppair_second_gaussian_TIER_(dppair_batch_ *b, size_t slots,
                                             const dppair_plan_ *plan) {
  size_t i;
  for (i = 0; i < slots; i += DPR_LANES / 2) dpr_batch_round(b, i, DPPAIR_NOISE_GAUSSIAN_, plan);
}

DPPAIR_API void dppair_second_laplace_TIER_(dppair_batch_ *b, size_t slots,
                                            const dppair_plan_ *plan) {
  size_t i;
  for (i = 0; i < slots; i += DPR_LANES / 2) dpr_batch_round(b, i, DPPAIR_NOISE_LAPLACE_, plan);
}
