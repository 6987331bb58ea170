/* ------------------------------------------------------------------------------------------------
 * Sensitivities of streams: one pass, each record against a buffer of earlier ones
 *
 * At step t record t meets a buffer B_t of b_t earlier records (dppair_stream), and
 *
 *     g_t = (1/b_t) sum over j in B_t of the pair's total, 0 if b_t = 0.
 *
 * What w the totals are taken at may depend on all releases before. Replacing record i moves g_i by
 * at most m, and g_t by at most m/b_t at the steps t > i at which i is in the buffer: v_i = m (0 ..
 * 0, 1, 1/b, 1/b, ..), m the move of a total (pairs.h). With noise sigma on (C g)_1, (C g)_2, ..,
 * C lower triangular with entries >= 0, all releases together are one Gaussian release with
 * sensitivity max over i of ||C v_i||, adaptively too: the shift of (C g)_r given what was released
 * is at most (C v_i)_r long, and mixtures of shifted Gaussians are no worse than the largest
 * shifts. Nothing is gained by sampling, and a record may arrive once.
 *
 * Buffers of the last b records with silent = b steps are the cheapest: m sqrt(1 + 1/b). What is
 * computed: a step's gradient that may be off by e is covered by a unit that is larger by 2 e b, b
 * the longest buffer. Relies on pairs.h and stream.h.
 * ---------------------------------------------------------------------------------------------- */

/* Checks the arguments; *move: of a total, *norm: the longest of them, and of a step's gradient. */
DPPAIR_API dppair_status dppair_stream_move_(double *out, double *move, double *norm,
                                             const dppair_pair_unit *pair,
                                             const dppair_stream *stream) {
  dppair_status status = dppair_pair_check_(out, pair, 0);
  if (status == DPPAIR_OK && pair->matched > 0.0) status = DPPAIR_ERR_UNREAD;
  *move = *norm = 0.0;
  if (status == DPPAIR_OK) status = dppair_stream_check_(stream);
  if (status != DPPAIR_OK) return status;
  *norm = dppair_pair_norm_(pair);
  *move = stream->adjacency == DPPAIR_REPLACE_ONE ? dppair_pair_move_(pair) : *norm;
  return DPPAIR_OK;
}

/* The record that moves most where C is Toeplitz: the first that is released and met by others.
 * Earlier ones have the same weights at the same steps, but not the 1; later ones smaller weights,
 * and not more of them. */
DPPAIR_API size_t dppair_stream_worst_(const dppair_stream *s) {
  return s->silent > 1 ? s->silent + 1 : 2;
}

/* How many steps record i is in the buffer at; and its weight at step t > i. */
DPPAIR_API size_t dppair_stream_stays_(const dppair_stream *s, size_t i) {
  return s->buffer < s->steps - i ? s->buffer : s->steps - i;
}
DPPAIR_API double dppair_stream_weight_(const dppair_stream *s, size_t t) {
  return 1.0 / (double)(t - 1 < s->buffer ? t - 1 : s->buffer);
}

/* The sum of squared weights of the worst record, rounded up within 1e-6. */
DPPAIR_API double dppair_stream_squares_(const dppair_stream *s) {
  const size_t i = dppair_stream_worst_(s), end = i + dppair_stream_stays_(s, i);
  const size_t cut = end - i > 1048576 ? i + 1048576 : end;
  double sum = 0.0;
  size_t t;
  for (t = i; t < cut; t++) {
    const double weight = dppair_stream_weight_(s, t + 1);
    sum += weight * weight;
  }
  if (end > cut) { /* 1/k^2 < 1/(k-1) - 1/k; in a full buffer all weights are equal */
    sum += 1.0 / (double)(cut - 1);
    if (s->buffer < SIZE_MAX) sum += (double)(end - cut) / ((double)s->buffer * (double)s->buffer);
  }
  return 1.0 + sum * (1.0 + 1e-9);
}

/* Independent noise on each release: the move times the root of a sum of squares. Attained (but for
 * the reservoir's first records). */
DPPAIR_API dppair_status dppair_stream_independent_(double *sensitivity, double move,
                                                    const dppair_stream *stream) {
  const size_t *slot = stream->slot;
  const double side = (double)stream->buffer;
  double most = 0.0;
  size_t i, t, left;
  if (slot == NULL)
    return dppair_sensitivity_store_(sensitivity,
                                     move * dppair_sqrt_(dppair_stream_squares_(stream)));
  if (stream->buffer > stream->silent) return DPPAIR_ERR_NO_PROOF;
  for (i = 0; i < stream->buffer; i++)
    if (slot[i] != i) return DPPAIR_ERR_DOMAIN;
  for (i = 0; i < stream->steps; i++) {
    double sum = i >= stream->silent ? 1.0 : 0.0;
    for (t = i + 1; slot[i] < stream->buffer && t < stream->steps; t++)
      if (slot[t] == slot[i]) break;
    if (t == stream->steps) t--; /* the step at which it is replaced still meets it */
    left = i + 1 > stream->silent ? i + 1 : stream->silent;
    if (slot[i] < stream->buffer && t >= left) sum += (double)(t - left + 1) / (side * side);
    if (sum > most) most = sum;
  }
  return dppair_sensitivity_store_(sensitivity, move * dppair_sqrt_(most * (1.0 + 1e-15)));
}

/* Numbers in the workspace of dppair_sensitivity_prefix. */
DPPAIR_API size_t dppair_prefix_numbers_(const dppair_stream *s) {
  const size_t releases = s->steps - s->silent;
  if (s->noise == DPPAIR_PREFIX_INDEPENDENT) return 0;
  if (releases > SIZE_MAX / 64) return SIZE_MAX;
  return s->noise == DPPAIR_PREFIX_TREE ? releases + 1 : 3 * releases;
}

/* *bytes = the workspace of dppair_sensitivity_prefix: 24 a step for the square root, 8 for the
 * tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_prefix_workspace(size_t *bytes, const dppair_stream *stream) {
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_stream_check_(stream);
  return status == DPPAIR_OK ? dppair_work_bytes_(bytes, dppair_prefix_numbers_(stream)) : status;
}

/*
 * ||C v||, v the weights of the worst record, C the square root: the k-th entry is the sum of
 * v_j f_(k-j). Weights that fall are replaced by the largest of a run of them that is 1/256 of its
 * place long, whose sum of f is a difference of sums of f: rounded up, within 1/512 of what such
 * weights add. f, sums, h: room for as many numbers as there are releases.
 */
DPPAIR_API double dppair_prefix_root_(const dppair_stream *s, double *f, double *sums, double *h) {
  const size_t i = dppair_stream_worst_(s), n = s->steps - i + 1;
  const size_t stays = dppair_stream_stays_(s, i);
  double square = 0.0;
  size_t k, a, b;
  dppair_square_root_(f, n);
  for (k = 0; k < n; k++) {
    sums[k] = (k > 0 ? sums[k - 1] : 0.0) + f[k];
    h[k] = f[k];
  }
  for (a = 1; a <= stays; a = b) { /* record i is met at step i + a with weight 1/(i + a - 1) */
    const double weight = dppair_stream_weight_(s, i + a);
    const size_t run = i + a - 1 < s->buffer ? 1 + (i + a - 1) / 256 : stays;
    b = run < stays + 1 - a ? a + run : stays + 1;
    for (k = a; k < n; k++) {
      const double error = 4.0 * DBL_EPSILON * (double)(k + 2) * sums[k - a];
      if (b == a + 1)
        h[k] += weight * f[k - a];
      else
        h[k] += weight * (sums[k - a] - (k >= b ? sums[k - b] : 0.0) + error);
    }
  }
  for (k = 0; k < n; k++) square += h[k] * h[k];
  return dppair_sqrt_(square) * (1.0 + 4.0 * DBL_EPSILON * ((double)n + 2048.0));
}

/* Adds `weight` to the blocks that hold position r; returns by how much the sum of all squares
 * grows. */
DPPAIR_API double dppair_tree_add_(double *x, size_t n, size_t r, double weight) {
  double grows = 0.0;
  for (; r <= n; r += dppair_tree_block_(r)) {
    grows += weight * (2.0 * x[r] + weight);
    x[r] += weight;
  }
  return grows;
}

/*
 * The largest ||C v_i||, C the blocks of the tree: with x_r the sum over block r of i's weights in
 * the buffer, its own weight 1 adds 2 x_r + 1 to the square for each block that holds it. From
 * record to record a weight leaves and one comes. Records before the worst one of a Toeplitz matrix
 * are below it here, too; all others are tried. Every number of a block of length b is rounded at
 * most 2b times, and blocks of one length add up to n: 16 n (levels + 2)^2 units of the square of
 * the sum of weights bound all errors.
 */
DPPAIR_API double dppair_prefix_tree_(const dppair_stream *s, double *x) {
  const size_t n = s->steps - s->silent, first = dppair_stream_worst_(s);
  const size_t last = first + dppair_stream_stays_(s, first);
  double square = 0.0, most = 0.0, weights = 1.0, levels = 1.0;
  size_t i, t, r;
  for (r = 0; r <= n; r++) x[r] = 0.0;
  for (r = n; r > 1; r >>= 1) levels += 1.0;
  for (t = first + 1; t <= last; t++) {
    const double weight = dppair_stream_weight_(s, t);
    square += dppair_tree_add_(x, n, t - s->silent, weight);
    weights += weight;
  }
  for (i = first;; i++) {
    double own = 0.0;
    for (r = i - s->silent; r <= n; r += dppair_tree_block_(r)) own += 2.0 * x[r] + 1.0;
    if (square + own > most) most = square + own;
    if (i == s->steps) break;
    square += dppair_tree_add_(x, n, i + 1 - s->silent, -dppair_stream_weight_(s, i + 1));
    if (s->buffer < s->steps - i) {
      t = i + 1 + s->buffer;
      square += dppair_tree_add_(x, n, t - s->silent, dppair_stream_weight_(s, t));
    }
  }
  levels += 2.0;
  return dppair_sqrt_(most + 16.0 * DBL_EPSILON * (double)n * levels * levels * weights * weights);
}

/*
 * *sensitivity of all that dppair_prefix_step releases of a stream, rounding of its sums included:
 * the account is charged dppair_accountant_gaussian(account, sensitivity, sigma, 1) once, and every
 * prefix sum, with all that is computed from them, is covered. Buffers of the last records.
 *
 * Independent noise: m, the move of one gradient, times
 *
 *     all earlier records   sqrt(sum of 1/k^2) < 1.2826, although a record is met up to T times
 *     the last b            sqrt(sum over k <= b of 1/k^2 + 1/b^2); after b silent steps
 *                           sqrt(1 + 1/b)
 *     reservoir             sqrt(max over i of (1 if i > silent) + residence_i/b^2)
 *
 * A reservoir (stream->slot) has silent >= buffer = b places; slot[i] is the place that record i
 * (from 0) takes after its step, b or more: none. slot[i] = i for i < b. The places are drawn
 * before the first step, independently of the records, and released or not.
 *
 * The largest deviation of a prefix sum is then, for m = 1 and mu = 1:
 *
 *     T, buffer                     independent   tree    square root
 *     1024, all                     41.0          48.3    15.5
 *     8192, all                     116           78.4    23.4
 *     8192, the last 64, 64 silent  90.9          20.8    6.57
 *
 * Time: T log2 T for the tree; for the square root T times the length of a run of weights, which is
 * 1 for a full buffer and 256 log T for one of all records. Independent noise reads no workspace.
 * Errors: those of dppair_sensitivity; SIZE, DOMAIN, ADJACENCY of the stream; NULL and WORKSPACE of
 * the workspace; NO_PROOF: a reservoir that releases before it is full; DOMAIN: slots; UNREAD:
 * slots with noise that is not independent; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_prefix(double *sensitivity,
                                                                     const dppair_pair_unit *pair,
                                                                     const dppair_stream *stream,
                                                                     void *work, size_t bytes) {
  double move, norm, n, found, levels = 2.0, *numbers;
  size_t rest;
  dppair_status status = dppair_stream_move_(sensitivity, &move, &norm, pair, stream);
  if (status != DPPAIR_OK) return status;
  if (stream->noise == DPPAIR_PREFIX_INDEPENDENT)
    return dppair_stream_independent_(sensitivity, move, stream);
  if (stream->slot != NULL) return DPPAIR_ERR_UNREAD;
  status = dppair_work_(&numbers, dppair_prefix_numbers_(stream), work, bytes);
  if (status != DPPAIR_OK) return status;
  rest = stream->steps - stream->silent;
  n = (double)rest;
  if (stream->noise == DPPAIR_PREFIX_TREE) {
    found = move * dppair_prefix_tree_(stream, numbers);
    for (; rest > 1; rest >>= 1) levels += 1.0;
    /* a block of b gradients is off by levels^2 units of b; the squares of all b add up to n^2 */
    found += 2.0 * DBL_EPSILON * levels * levels * n * norm;
  } else {
    found = move * dppair_prefix_root_(stream, numbers, numbers + rest, numbers + 2 * rest);
    /* a sum of r products is off by r + 2 units of the sum of f, below 2 sqrt(r) */
    found += 4.0 * DBL_EPSILON * n * (n + 2.0) * norm;
  }
  return dppair_sensitivity_store_(sensitivity, found);
}
