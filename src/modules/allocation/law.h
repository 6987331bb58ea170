/* ------------------------------------------------------------------------------------------------
 * Gaussian noise on a statistic of the records that are allocated to a batch
 *
 * What DPPAIR_SAMPLED_GAUSSIAN is with the sampling DPPAIR_ALLOCATION. An epoch is `batches` = t
 * steps, and every record is in `group` = k of them, by itself, all choices equally likely. Zeroing
 * one record (it is absent from the allocation) moves the statistic of a batch that holds it by at
 * most sigma/z, whatever else is in the batch; replacing it, by that much away from zero and by
 * that much to anywhere.
 *
 * One run of the law is one epoch of 1 of t' = floor(t/k) batches, and k runs are an epoch of k of
 * t. Proof: draw k disjoint blocks of t' steps at random, the t - k t' others at random too, and
 * then one step in each block: the k steps are uniform. Reveal the blocks (joint convexity); what
 * is left are k epochs of 1 of t', although their steps interleave: the induction of the proof for
 * one epoch (theory.h) goes through each block's sum by itself. Equal for k = 1 and k = t.
 *
 * An epoch that ends early is charged whole: its outputs are a function of those of a whole one.
 * ---------------------------------------------------------------------------------------------- */

/* The table of losses is known to be good for this many batches and these multipliers. */
#define DPPAIR_ALLOCATION_BATCHES_MOST_ 1000000
#define DPPAIR_ALLOCATION_EPOCHS_MOST_ 10000.0 /* alone: more are composed on the lattice */
#define DPPAIR_ALLOCATION_NOISE_LEAST_ 0.1
#define DPPAIR_ALLOCATION_NOISE_MOST_ 1e6

DPPAIR_API dppair_status dppair_allocation_check_(const dppair_step *step) {
  const dppair_status status = dppair_amplified_check_(step, 1);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(&step->sampling);
}

/* t', the batches of one run. */
DPPAIR_API size_t dppair_allocation_batches_(const dppair_sampling *s) {
  return s->batches / s->group;
}

DPPAIR_API int dppair_allocation_replaces_(const dppair_sampling *s) {
  return dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE;
}

/* The shift of Gaussian noise that dominates one run, and at most two batches attain: all curves
 * fall with the number of batches (choose fewer of the steps first, alike in both worlds). One
 * batch is plain noise, 1/z or, replaced, 2/z; of two, a replaced record has the loss
 * (x_1 + x_2)/z. */
DPPAIR_API double dppair_allocation_shift_(const dppair_sampling *s, double multiplier) {
  const double one = 1.0 / multiplier;
  if (!dppair_allocation_replaces_(s)) return one;
  return dppair_allocation_batches_(s) > 1 ? 1.41421356237309505 * one : 2.0 * one;
}

DPPAIR_API int dppair_allocation_exact_(const dppair_sampling *s) {
  return dppair_allocation_batches_(s) <= (dppair_allocation_replaces_(s) ? 2u : 1u);
}

/* Plain Gaussian noise where that is what one run is. `lower` bounds of an epoch that ends
 * early, and of blocks that only dominate, are not known to be attained. */
DPPAIR_API void dppair_allocation_charge_(dppair_charge_ *charge, const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if ((s->group > 1 && s->group < s->batches) || step->steps % s->batches != 0)
    charge->attained = DPPAIR_ATTAINED_NEVER_;
  if (dppair_allocation_exact_(s))
    charge->mu = dppair_up_(dppair_up_(dppair_allocation_shift_(s, step->noise_multiplier)));
}

/* The dominating pair of one run; where the table does not reach, of plain Gaussian noise. */
DPPAIR_API dppair_status dppair_allocation_law_(dppair_law_ *law, const dppair_step *step,
                                                double tail) {
  const dppair_sampling *s = &step->sampling;
  const double z = step->noise_multiplier;
  const size_t batches = dppair_allocation_batches_(s), most = DPPAIR_ALLOCATION_BATCHES_MOST_;
  const int replaces = dppair_allocation_replaces_(s);
  (void)tail;
  law->kind = DPPAIR_LAW_GAUSSIAN_;
  law->mu = dppair_allocation_shift_(s, z) * (1.0 + 4.0 * DPPAIR_UNIT_);
  if (!dppair_allocation_exact_(s)) {
    law->merged = 1;
    if (z >= DPPAIR_ALLOCATION_NOISE_LEAST_ && z <= DPPAIR_ALLOCATION_NOISE_MOST_) {
      law->kind = DPPAIR_LAW_TABLE_;
      law->merged = batches > most;
      law->batches = batches > most ? most : batches;
      law->replaces = replaces;
      law->noise = z;
    }
  }
  return dppair_law_scale_(z, DPPAIR_LAW_NOISE_MOST_);
}

/* That of the plain Gaussian noise that dominates one run. */
DPPAIR_API dppair_status dppair_allocation_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double shift = dppair_allocation_shift_(&step->sampling, step->noise_multiplier);
  r->rdp = 0.5 * r->order * shift * shift;
  return DPPAIR_OK;
}
