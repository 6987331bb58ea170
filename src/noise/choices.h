/* ------------------------------------------------------------------------------------------------
 * Choices of records and pairs for mini-batches, exactly uniform
 *
 * Use a generator of their own for choices, never that of the noise. Every function zeroes its
 * output on error; errors are NULL, SIZE or DOMAIN as said, and the generator's.
 * ---------------------------------------------------------------------------------------------- */

/* Closes a source; zeroes the output if the source failed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_choice_end_(size_t *index, size_t n,
                                                              dppair_source_ *s) {
  const dppair_status status = dppair_source_close_(s);
  if (status != DPPAIR_OK && n > 0) memset(index, 0, n * sizeof *index);
  return status;
}

/* 1 with probability exactly q, a double in [0, 1]: compares random digits with the binary digits
 * of q, 32 at a time. */
DPPAIR_API int dppair_coin_f64_(dppair_source_ *s, double q) {
  if (q >= 1.0) return 1;
  while (q > 0.0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s), digit = (uint32_t)(q * 4294967296.0);
    if (r != digit) return r < digit;
    q = q * 4294967296.0 - (double)digit;
  }
  return 0;
}

/* Poisson subsampling: chooses each of n records independently with probability exactly q, a double
 * in [0, 1] (else DOMAIN). Writes the chosen ones, in increasing order, to index[0 .. *count - 1];
 * index must have room for n. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_poisson(size_t *index, size_t *count,
                                                                 size_t n, double q,
                                                                 dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status = dppair_array_(index, n);
  size_t i, have = 0;
  if (count == NULL) return DPPAIR_ERR_NULL;
  *count = 0;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (!(dppair_isfinite_f64(q) && q >= 0.0 && q <= 1.0)) s.status = DPPAIR_ERR_DOMAIN;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++)
    if (dppair_coin_f64_(&s, q)) index[have++] = i;
  status = dppair_choice_end_(index, n, &s);
  if (status == DPPAIR_OK) *count = have;
  return status;
}

/* m draws from n records with replacement: at each place every record is equally likely. SIZE when
 * n = 0 < m. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_with_replacement(size_t *index, size_t m,
                                                                          size_t n,
                                                                          dppair_rng *rng) {
  const dppair_status status = dppair_array_(index, m);
  dppair_source_ s;
  size_t i;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (n == 0 && m > 0) s.status = DPPAIR_ERR_SIZE;
  for (i = 0; i < m && s.status == DPPAIR_OK; i++) index[i] = (size_t)dppair_below_(&s, n);
  return dppair_choice_end_(index, m, &s);
}

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

/* m of n records without replacement, in increasing order: every subset of m is equally likely.
 * SIZE when m > n. Floyd's method when its m^2 moves are fewer than the n coins of the other one,
 * which takes each record with its conditional probability. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_without_replacement(size_t *index,
                                                                             size_t m, size_t n,
                                                                             dppair_rng *rng) {
  const dppair_status status = dppair_array_(index, m);
  dppair_source_ s;
  size_t i, have = 0;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (m > n) s.status = DPPAIR_ERR_SIZE;
  if (s.status == DPPAIR_OK && m < 16 + n / (m + 1)) {
    dppair_floyd_(index, m, n, &s);
  } else {
    for (i = 0; have < m && s.status == DPPAIR_OK; i++)
      if (dppair_coin_(&s, m - have, n - i)) index[have++] = i;
  }
  return dppair_choice_end_(index, m, &s);
}

/* Permutes the n numbers of an array; all n! orders are equally likely (Fisher and Yates). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shuffle(size_t *index, size_t n,
                                                          dppair_rng *rng) {
  const dppair_status status = dppair_array_(index, n);
  dppair_source_ s;
  size_t i;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  for (i = n; i > 1 && s.status == DPPAIR_OK; i--) {
    const size_t j = (size_t)dppair_below_(&s, i), t = index[i - 1];
    index[i - 1] = index[j];
    index[j] = t;
  }
  return dppair_choice_end_(index, n, &s);
}

/* m disjoint pairs of n records, 2 m <= n (else SIZE): every ordered choice of 2m different records
 * is equally likely. Pair k is pairs[2k], pairs[2k + 1]. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_matching(size_t *pairs, size_t m, size_t n,
                                                                  dppair_rng *rng) {
  dppair_status status = dppair_array_(pairs, dppair_area_(m, 2));
  if (status != DPPAIR_OK) return status;
  if (m > n / 2) {
    memset(pairs, 0, 2 * m * sizeof *pairs);
    return DPPAIR_ERR_SIZE;
  }
  status = dppair_sample_without_replacement(pairs, 2 * m, n, rng);
  if (status == DPPAIR_OK) status = dppair_shuffle(pairs, 2 * m, rng);
  return status;
}

/* m ordered pairs (i, j), i != j, of n >= 2 records (else SIZE), with replacement: at each place
 * the n (n - 1) pairs are equally likely. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_pairs(size_t *pairs, size_t m, size_t n,
                                                               dppair_rng *rng) {
  const dppair_status status = dppair_array_(pairs, dppair_area_(m, 2));
  dppair_source_ s;
  size_t k;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (n < 2) s.status = DPPAIR_ERR_SIZE;
  for (k = 0; k < m && s.status == DPPAIR_OK; k++) {
    const size_t i = (size_t)dppair_below_(&s, n), j = (size_t)dppair_below_(&s, n - 1);
    pairs[2 * k] = i;
    pairs[2 * k + 1] = j + (j >= i ? 1u : 0u);
  }
  return dppair_choice_end_(pairs, 2 * m, &s);
}
