/* ------------------------------------------------------------------------------------------------
 * The sampling that says that records are allocated
 *
 * Its row stands in core/sampling.h.
 * ---------------------------------------------------------------------------------------------- */

/* Epochs of `batches` >= 1 steps, in each of which every record is in `group` of the batches, 1 <=
 * group <= batches: a uniform choice, independent of the other records and of other epochs. */
DPPAIR_API dppair_sampling dppair_sampling_allocation(size_t n, size_t batches, size_t group,
                                                      dppair_adjacency adjacency) {
  dppair_sampling s = dppair_sampling_make_(DPPAIR_ALLOCATION, n, 0, adjacency);
  s.batches = batches;
  s.group = group;
  return s;
}
