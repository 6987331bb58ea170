/* ------------------------------------------------------------------------------------------------
 * Draws of records and pairs, exactly uniform
 *
 * What a dppair_sampling says is drawn; the account charges the same value. Use a generator of
 * their own for draws, never that of the noise.
 * ---------------------------------------------------------------------------------------------- */

/* Floyd's method: step k = n - m + 1, ..., n adds a uniform element of 0 .. k - 1, or k - 1 when
 * that is taken already. The array stays sorted, which costs m^2 / 4 moves. */
DPPAIR_API void dppair_floyd_(size_t *index, size_t m, size_t n, dppair_source_ *s) {
  size_t have, low, high;
  for (have = 0; have < m && s->status == DPPAIR_OK; have++) {
    size_t top = n - m + have, pick = (size_t)dppair_below_(s, (uint64_t)top + 1);
    for (low = 0, high = have; low < high;) {
      const size_t middle = low + (high - low) / 2;
      if (index[middle] < pick)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < have && index[low] == pick) { /* taken already */
      pick = top;
      low = have;
    }
    memmove(index + low + 1, index + low, (have - low) * sizeof *index);
    index[low] = pick;
  }
}

/* A subset of m <= n records, in increasing order. Floyd's method when its m^2 moves are fewer than
 * the n coins of the other one, which takes each record with its conditional probability. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_subset_(size_t *index, size_t m, size_t n,
                                                               dppair_rng *rng) {
  dppair_source_ s;
  size_t i, have = 0;
  dppair_source_open_(&s, rng);
  if (m < 16 + n / (m + 1)) {
    dppair_floyd_(index, m, n, &s);
  } else {
    for (i = 0; have < m && s.status == DPPAIR_OK; i++)
      if (dppair_coin_(&s, m - have, n - i)) index[have++] = i;
  }
  return dppair_source_close_(&s);
}

/* m records, each of the n equally likely at each place. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_places_(size_t *index, size_t m, size_t n,
                                                               dppair_rng *rng) {
  dppair_source_ s;
  size_t i;
  dppair_source_open_(&s, rng);
  for (i = 0; i < m && s.status == DPPAIR_OK; i++) index[i] = (size_t)dppair_below_(&s, n);
  return dppair_source_close_(&s);
}

/* Each of n records with probability m/n, in increasing order: a coin a record, whose first digits
 * are always the same. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_coins_(size_t *index, size_t *count,
                                                              size_t m, size_t n, dppair_rng *rng) {
  dppair_source_ s;
  uint64_t rest = 0;
  const uint32_t digits = m < n ? dppair_digits_(&rest, m, n) : 0;
  size_t i, have = 0;
  dppair_source_open_(&s, rng);
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    if (m == n || dppair_coin_known_(&s, digits, rest, n)) index[have++] = i;
  }
  *count = have;
  return dppair_source_close_(&s);
}

/* A uniform order (Fisher and Yates). */
DPPAIR_FORCE_INLINE_ dppair_status dppair_draw_order_(size_t *index, size_t n, dppair_rng *rng) {
  dppair_source_ s;
  size_t i;
  dppair_source_open_(&s, rng);
  for (i = n; i > 1 && s.status == DPPAIR_OK; i--) {
    const size_t j = (size_t)dppair_below_(&s, i), t = index[i - 1];
    index[i - 1] = index[j];
    index[j] = t;
  }
  return dppair_source_close_(&s);
}

/* Permutes the n numbers of an array; all n! orders are equally likely. Errors: NULL, the
 * generator's; the array is then 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shuffle(size_t *index, size_t n,
                                                          dppair_rng *rng) {
  dppair_status status = dppair_array_(index, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_draw_order_(index, n, rng);
  if (status != DPPAIR_OK && n > 0) memset(index, 0, n * sizeof *index);
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "order", index, n, sizeof *index, NULL, 0.0, 0.0, NULL,
                       rng, status)))
    return DPPAIR_OK;
  return status;
}

/* OK for a sampling of n records, whose most records can be drawn: *most. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_most_(size_t *most,
                                                             const dppair_sampling *sampling) {
  dppair_status status;
  *most = 0;
  if (sampling == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(sampling);
  if (status != DPPAIR_OK) return status;
  if (sampling->n == 0) return DPPAIR_ERR_SIZE; /* a rate alone does not say of how many records */
  *most =
      sampling->m == 0 || dppair_sampling_is_random_(sampling->kind) ? sampling->n : sampling->m;
  return DPPAIR_OK;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_work_(size_t *index, size_t *count,
                                                             const dppair_sampling *sampling,
                                                             dppair_rng *rng) {
  const size_t n = sampling->n, m = sampling->m;
  dppair_status status = DPPAIR_ERR_NO_PROOF;
  *count = m;
  switch (sampling->kind) {
  case DPPAIR_ALL:
    for (*count = 0; *count < n; *count += 1) index[*count] = *count;
    return DPPAIR_OK;
  case DPPAIR_POISSON:
    return dppair_draw_coins_(index, count, m, n, rng);
  case DPPAIR_WITHOUT_REPLACEMENT:
    return dppair_draw_subset_(index, m, n, rng);
  case DPPAIR_WITH_REPLACEMENT:
    return sampling->group > 0 ? status : dppair_draw_places_(index, m, n, rng);
  case DPPAIR_MATCHING:
    status = dppair_draw_subset_(index, m, n, rng);
    return status == DPPAIR_OK ? dppair_draw_order_(index, m, rng) : status;
  case DPPAIR_ALLOCATION: /* of a step: dppair_draw_allocation */
    break;
  }
  return status;
}

/*
 * Draws records as `sampling` says and writes their numbers, 0 to n - 1, to index[0 .. *count - 1]:
 *
 *   ALL                  every record, in order; rng is not read and may be NULL
 *   POISSON              each record independently with probability exactly m/n, in increasing
 *                        order; *count is random, and private with the batch
 *   WITHOUT_REPLACEMENT  m records, every subset equally likely, in increasing order
 *   WITH_REPLACEMENT     m records, at each place each of the n equally likely
 *   MATCHING             m records: group k is index[g k .. g k + g - 1], for g = 2 the pair
 *                        (index[2k], index[2k + 1]). No record is in two groups, and every ordered
 *                        choice of m records is equally likely
 *   ALLOCATION           is NO_PROOF: its batches belong to steps, see dppair_draw_allocation
 *
 * index has room for `capacity` numbers: n for ALL and for POISSON, where less would show the size
 * of the batch, m for the others. Errors: NULL; SIZE for less room, or a sampling that gives a rate
 * but not n; those of a sampling whose fields are not those of its kind (see dppair_normaliser).
 * All these come before anything is drawn. Then the generator's. On any error *count and all of
 * index are 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw(size_t *index, size_t *count,
                                                       size_t capacity,
                                                       const dppair_sampling *sampling,
                                                       dppair_rng *rng) {
  size_t most = 0, drawn = 0;
  dppair_status status;
  if (count != NULL) *count = 0;
  status = dppair_array_(index, capacity);
  if (status != DPPAIR_OK) return status;
  status = count == NULL ? DPPAIR_ERR_NULL : dppair_draw_most_(&most, sampling);
  if (status == DPPAIR_OK && capacity < most) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_draw_work_(index, &drawn, sampling, rng);
  if (status == DPPAIR_OK)
    *count = drawn;
  else if (capacity > 0)
    memset(index, 0, capacity * sizeof *index);
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "records", index, capacity, sizeof *index, count, 0.0,
                       0.0, sampling, rng, status)))
    return DPPAIR_OK;
  return status;
}

/* m ordered pairs (i, j), i != j, each of the n (n - 1) equally likely at each place. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_couples_(size_t *pairs, size_t m, size_t n,
                                                                dppair_rng *rng) {
  dppair_source_ s;
  size_t k;
  dppair_source_open_(&s, rng);
  for (k = 0; k < m && s.status == DPPAIR_OK; k++) {
    const size_t i = (size_t)dppair_below_(&s, n), j = (size_t)dppair_below_(&s, n - 1);
    pairs[2 * k] = i;
    pairs[2 * k + 1] = j + (j >= i ? 1u : 0u);
  }
  return dppair_source_close_(&s);
}

/*
 * Draws pairs of different records as `sampling` says; pair k is (pairs[2k], pairs[2k + 1]):
 *
 *   WITH_REPLACEMENT  m pairs, at each place each of the n (n - 1) ordered pairs equally likely
 *   MATCHING          m/2 pairs without a common record: what dppair_draw draws
 *
 * `pairs` has room for 2 capacity numbers, and capacity is at least that number of pairs. Errors as
 * for dppair_draw, and NO_PROOF for the other kinds and for groups that are no pairs. On any error
 * *count and all of pairs are 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_pairs(size_t *pairs, size_t *count,
                                                             size_t capacity,
                                                             const dppair_sampling *sampling,
                                                             dppair_rng *rng) {
  size_t m = 0, drawn;
  dppair_status status;
  int matching;
  if (count != NULL) *count = 0;
  status = dppair_array_(pairs, dppair_area_(capacity, 2));
  if (status != DPPAIR_OK) return status;
  status = count == NULL ? DPPAIR_ERR_NULL : dppair_draw_most_(&m, sampling);
  matching = status == DPPAIR_OK && sampling->kind == DPPAIR_MATCHING;
  if (status == DPPAIR_OK && ((!matching && sampling->kind != DPPAIR_WITH_REPLACEMENT) ||
                              dppair_sampling_group_(sampling) != 2))
    status = DPPAIR_ERR_NO_PROOF;
  if (matching) m /= 2;
  if (status == DPPAIR_OK && capacity < m) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK)
    status = matching ? dppair_draw_work_(pairs, &drawn, sampling, rng)
                      : dppair_draw_couples_(pairs, m, sampling->n, rng);
  if (status == DPPAIR_OK)
    *count = m;
  else if (capacity > 0)
    memset(pairs, 0, 2 * capacity * sizeof *pairs);
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "pairs", pairs, 2 * capacity, sizeof *pairs, count, 0.0,
                       0.0, sampling, rng, status)))
    return DPPAIR_OK;
  return status;
}
