/* ------------------------------------------------------------------------------------------------
 * Releases of vectors, and the draw of a step
 *
 * Public checks, then the paid release, then what depends on records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Does the account still hold the charge of this release? One that was emptied or put back does
 * not, nor does one that was charged otherwise since; 0 in `recent` stands where accounts were
 * merged. A charge that 64 others followed is believed to be there. */
DPPAIR_API int dppair_release_is_charged_(const dppair_release *release) {
  const dppair_accountant *a = release->account;
  const uint64_t kept = a->recent[release->sequence % DPPAIR_RECENT_CHARGES];
  if (a->sequence < release->sequence) return 0;
  return kept == 0 || kept == release->check ||
         a->sequence - release->sequence >= DPPAIR_RECENT_CHARGES;
}

/* May this release be used here and now? */
DPPAIR_API dppair_status dppair_release_usable_(const dppair_release *release) {
  dppair_status status;
  if (release == NULL) return DPPAIR_ERR_NULL;
  if (release->home != release) return DPPAIR_ERR_CLOSED;
  status = dppair_rng_check_(&release->noise);
  if (status == DPPAIR_OK) status = dppair_accountant_usable_(release->account);
  if (status != DPPAIR_OK) return status;
  if (!dppair_release_is_charged_(release)) return DPPAIR_ERR_CLOSED;
  status = dppair_mechanism_known_(release->mechanism); /* opened where its module is */
  if (status == DPPAIR_OK) status = dppair_draw_known_(release->sampling.kind);
  if (status != DPPAIR_OK) return status;
  return release->step < release->steps || release->left > 0.0 ? DPPAIR_OK : DPPAIR_ERR_EXHAUSTED;
}

/* A paid release that is in use has the draw of its step. */
DPPAIR_API int dppair_release_is_drawn_(const dppair_release *release) {
  return release->drawn_for == release->step + (release->left > 0.0 ? 0 : 1);
}

/* May noise be added for this step: are its records drawn, where the plan draws? */
DPPAIR_API dppair_status dppair_release_begun_(const dppair_release *release) {
  const dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK || release->sampling.kind == DPPAIR_ALL) return status;
  return dppair_release_is_drawn_(release) ? DPPAIR_OK : DPPAIR_ERR_NOT_DRAWN;
}

/* The same, and is the law's noise one of the output, in real numbers? */
DPPAIR_API dppair_status dppair_release_ready_(const dppair_release *release) {
  const dppair_status status = dppair_release_begun_(release);
  if (status == DPPAIR_OK && (dppair_mechanism_is_objective_(release->mechanism) ||
                              dppair_mechanism_is_whole_(release->mechanism)))
    return DPPAIR_ERR_LAW;
  return status;
}

/* The noise multiplier of the next release: z, or more where it uses a part of a paid release. */
DPPAIR_API double dppair_release_strength_(const dppair_release *release) {
  const double z = release->noise_multiplier, rest = release->left > 0.0 ? release->left : 1.0;
  const double share = release->part > 0.0 ? release->part : rest;
  if (share >= 1.0) return z;
  return dppair_up_(
      z / dppair_down_(release->mechanism == DPPAIR_GAUSSIAN ? dppair_sqrt_(share) : share));
}

/* The scale of the noise for a sensitivity, rounded up; more where it would be below the range of
 * the noise. */
DPPAIR_API dppair_status dppair_release_scale_(double *scale, const dppair_release *release,
                                               double sensitivity) {
  *scale = 0.0;
  if (!dppair_isfinite_f64(sensitivity)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  if (sensitivity < 1.0 / DPPAIR_SCALE_MAX_F64_) sensitivity = 1.0 / DPPAIR_SCALE_MAX_F64_;
  *scale = dppair_up_(dppair_release_strength_(release) * sensitivity);
  if (*scale < 1.0 / DPPAIR_SCALE_MAX_F64_) *scale = 1.0 / DPPAIR_SCALE_MAX_F64_;
  return *scale <= DPPAIR_SCALE_MAX_F64_ ? DPPAIR_OK : DPPAIR_ERR_SIGMA;
}

/* What a release will do, from public numbers and the draw. The sensitivity is in the norm of the
 * law. */
typedef struct dppair_release_terms_ {
  double sensitivity, scale, divisor;
  size_t bytes; /* of the caller's workspace that are in use; set by those who use any */
} dppair_release_terms_;

/* OVERLAP where what is released, g[0..size), shares memory with the workspace, which is wiped, or
 * with w, of which S and the sum are. */
DPPAIR_API dppair_status dppair_release_apart_(const double *g, size_t size, const void *work,
                                               const dppair_release_terms_ *terms, const void *w,
                                               size_t w_bytes) {
  const dppair_status status = dppair_apart_(g, size, work, terms->bytes);
  return status == DPPAIR_OK ? dppair_apart_(g, size, w, w_bytes) : status;
}

/* The end of a release: zeroes its workspace, the stack below it and vector registers, where sums
 * before their noise were, and what they are made of. Noise has wiped what is below itself alone.
 */
DPPAIR_FORCE_INLINE_ dppair_status dppair_release_forget_(void *work,
                                                          const dppair_release_terms_ *terms,
                                                          dppair_status status) {
  dppair_wipe(work, terms->bytes);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/*
 * The scale, where terms->sensitivity is how far `size` numbers move in the l2 norm. Laplace noise
 * is for the l1 norm: the sensitivity becomes sqrt(size) times as large, rounded up.
 *
 * Proof. Sum |v_k| <= sqrt(size) |v| by the inequality of Cauchy and Schwarz, with equality where
 * all |v_k| are equal. The root of a size below 2^53 is rounded once, and so is the product; each
 * is raised by a unit in the last place. Noise of density exp(-|z|/scale) for the l2 norm itself
 * needs less: dppair_l2ball.h.
 */
DPPAIR_API dppair_status dppair_release_scale_of_(dppair_release_terms_ *terms,
                                                  const dppair_release *release, size_t size) {
  if (release->mechanism == DPPAIR_LAPLACE && terms->sensitivity > 0.0)
    terms->sensitivity =
        dppair_up_(terms->sensitivity * dppair_up_(dppair_sqrt_(dppair_up_((double)size))));
  return dppair_release_scale_(&terms->scale, release, terms->sensitivity);
}

/* The same and the divisor, for a sensitivity of the divided sum. */
DPPAIR_API dppair_status dppair_release_terms_of_(dppair_release_terms_ *terms,
                                                  const dppair_release *release, size_t size) {
  dppair_status status = dppair_release_scale_of_(terms, release, size);
  if (status == DPPAIR_OK)
    status = dppair_normaliser(&terms->divisor, &release->sampling, release->drawn);
  return status;
}

/* Takes the paid release of a step, or what the next release uses of the one that is in use. The
 * generator moves to the step's own stream, of which the parts of a paid release take consecutive
 * blocks.
 */
DPPAIR_API void dppair_release_permit_(dppair_release *release,
                                       const dppair_release_terms_ *terms) {
  release->sensitivity = terms->sensitivity;
  release->sigma = terms->scale;
  release->divisor = terms->divisor;
  if (!(release->left > 0.0)) {
    dppair_release_turn_(&release->noise, release->step);
    release->step++;
    release->left = 1.0;
  }
  release->left = release->part > 0.0 ? dppair_down_(release->left - release->part) : 0.0;
  release->part = 0.0;
}

/* Adds noise of this law and scale to v[0..n); a module's by its slot (mechanisms/slots.h). A
 * program that releases gradients alone compiles no kernels of Laplace noise. */
DPPAIR_API dppair_status dppair_release_add_(double *v, size_t n, double scale, int log2_ratio,
                                             dppair_mechanism_kind law, dppair_rng *rng) {
  switch ((int)law) {
#define DPPAIR_NOISE_X_(kind, name)                                                                \
  case kind:                                                                                       \
    return dppair_##name##_noise_(v, n, scale, log2_ratio, rng);
    DPPAIR_NOISE_SLOT_(DPPAIR_NOISE_X_)
#undef DPPAIR_NOISE_X_
  case DPPAIR_LAPLACE:
    return dppair_add_laplace_plain_(v, n, scale, log2_ratio, rng);
  default:
    return dppair_add_gaussian_f64_grid(v, n, scale, log2_ratio, rng);
  }
}

/*
 * Holds v within the reach of the paid release's noise, and tells an audit. The noise reaches
 * numbers below 2^51 of its grid; a larger one would be an error that depends on records, so
 * coordinates stop at 2^50 of the grid's double, 2^(50 - log2_ratio) scales. That map shortens
 * every distance. A vector within n S / 2 of 0, as a mean gradient is, is nowhere near it.
 */
DPPAIR_API void dppair_release_hold_(double *v, size_t size, const dppair_release *release,
                                     int log2_ratio) {
  const double reach = dppair_ldexp_(release->sigma, 50 - log2_ratio);
  size_t i;
  for (i = 0; i < size; i++) {
    v[i] = v[i] > reach ? reach : v[i];
    v[i] = v[i] < -reach ? -reach : v[i];
  }
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_RELEASE, dppair_mechanism_name(release->mechanism), v, size,
                         sizeof *v, NULL, release->sigma, release->sensitivity, &release->sampling,
                         release, DPPAIR_OK));
}

/* Adds the noise of the paid release that was taken: to a gradient, and to a vector or counts of
 * any length, by the kernels of the law. */
typedef dppair_status dppair_release_adder_(double *v, size_t size, dppair_release *release,
                                            int log2_ratio);
DPPAIR_API dppair_status dppair_release_noise_of_(double *v, size_t size, dppair_release *release,
                                                  int log2_ratio) {
  dppair_release_hold_(v, size, release, log2_ratio);
  return dppair_release_add_(v, size, release->sigma, log2_ratio, release->mechanism,
                             &release->noise);
}
DPPAIR_API dppair_status dppair_release_noise_(double *v, size_t size, dppair_release *release,
                                               int log2_ratio) {
  if (release->mechanism != DPPAIR_LAPLACE)
    return dppair_release_noise_of_(v, size, release, log2_ratio);
  dppair_release_hold_(v, size, release, log2_ratio);
  return dppair_add_laplace_f64_grid(v, size, release->sigma, log2_ratio, &release->noise);
}

/* The release of a vector in the norm of its law: l1 for Laplace, whose noise is then `add`. */
DPPAIR_API dppair_status dppair_release_any_(double *v, size_t size, dppair_release *release,
                                             double sensitivity, int log2_ratio, int l1,
                                             dppair_release_adder_ *add) {
  dppair_status status = dppair_array_(v, size);
  dppair_release_terms_ terms;
  if (status != DPPAIR_OK) return status;
  status = dppair_release_ready_(release);
  if (status == DPPAIR_OK) sensitivity *= dppair_sampling_each_(&release->sampling);
  if (status == DPPAIR_OK && size == 0) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && (release->mechanism == DPPAIR_LAPLACE) != l1) status = DPPAIR_ERR_LAW;
  if (status == DPPAIR_OK && (log2_ratio < 0 || log2_ratio > 40)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_release_scale_(&terms.scale, release, sensitivity);
  if (status == DPPAIR_OK) {
    terms.sensitivity = sensitivity;
    terms.divisor = 1.0;
    dppair_release_permit_(release, &terms);
    status = add(v, size, release, log2_ratio);
  }
  if (status != DPPAIR_OK && size > 0) memset(v, 0, size * sizeof *v);
  return status;
}

/*
 * Releases v[0..size): adds the noise of this step, for a statistic of which the caller has proved
 * the l2 sensitivity > 0 (in a plan that draws: the move that the plan's sampling names, of the
 * statistic of the drawn records). Where the size of the batch is random, that is the move when a
 * record joins, whatever the batch holds: a sum over all its pairs has none unless it is divided by
 * dppair_normaliser, and a matching of the batch divided by a constant b moves by 2C/b, two pairs,
 * not C/b. Where records are drawn and users protected (`owned`) it is the move of one drawn
 * record; j of a user's may move it j times as far, and the noise is for that, up to twice as
 * much as for the pairs of NAME_release. v may be published. The twin _grid takes the fineness of
 * the grid, as dppair_add_gaussian_f64_grid does.
 *
 * A coordinate beyond 2^40 noise scales (_grid: 2^(50 - log2_ratio)) counts as that number, which
 * lengthens no distance; there is no error for it, because it would depend on records.
 *
 * Errors zero v. They use no paid release: NULL, SIZE (0); CLOSED (the release was never opened, or
 * was closed, copied or moved; its account does not hold its charge); FORK; a broken account's;
 * EXHAUSTED (no paid release is left); NOT_DRAWN (a plan that draws, and no draw for this step);
 * LAW (its sensitivity is in another norm, or it is of other releases); SENSITIVITY, SIGMA (z S
 * beyond 2^900), NOT_FINITE (the sensitivity), DOMAIN (log2_ratio), ENVIRONMENT; OVERFLOW (no
 * memory is that large) leaves v untouched. NOT_FINITE for a number of v, which voids the proof of
 * its sensitivity, uses the paid release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_vector_grid(double *v, size_t size,
                                                                      dppair_release *release,
                                                                      double sensitivity,
                                                                      int log2_ratio) {
  return dppair_release_any_(v, size, release, sensitivity, log2_ratio, 0,
                             dppair_release_noise_of_);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_vector(double *v, size_t size,
                                                                 dppair_release *release,
                                                                 double sensitivity) {
  return dppair_release_vector_grid(v, size, release, sensitivity, DPPAIR_GRID_DEFAULT);
}

/* The same for counts and other statistics with an l1 sensitivity, under the law DPPAIR_LAPLACE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_histogram(double *v, size_t size,
                                                                    dppair_release *release,
                                                                    double l1_sensitivity) {
  return dppair_release_any_(v, size, release, l1_sensitivity, DPPAIR_GRID_DEFAULT, 1,
                             dppair_release_noise_);
}

/* The serial of the draw in use, which its batch has: of the run, the plan's place in the account
 * and the step, which are public. Never 0. */
DPPAIR_API uint64_t dppair_release_serial_(const dppair_release *release) {
  const uint64_t of = dppair_check_word_(release->nonce, 1, release->sequence);
  return dppair_check_word_(of, 2, (uint64_t)release->drawn_for) | 1;
}

/* May a gradient of rows with this bound be released: is it known how far it moves? */
DPPAIR_API dppair_status dppair_release_bound_(const dppair_release *release, double radius) {
  const dppair_status status = dppair_release_ready_(release);
  if (status != DPPAIR_OK) return status;
  return radius > 0.0 ? DPPAIR_OK : DPPAIR_ERR_NO_RADIUS;
}

/* The same for n rows of this serial, which must be those of the step: all, or the drawn ones.
 * *most: what public arguments must have room for. The serial is asked first: it is public, and n
 * is not. */
DPPAIR_API dppair_status dppair_release_rows_(size_t *most, const dppair_release *release, size_t n,
                                              double radius, uint64_t serial) {
  const dppair_status status = dppair_release_bound_(release, radius);
  *most = n;
  if (status != DPPAIR_OK) return status;
  if (dppair_sampling_is_random_(release->sampling.kind)) *most = release->sampling.n;
  if (release->sampling.kind == DPPAIR_ALL) /* a draw of all of them is not needed */
    return n == release->sampling.n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  if (serial != dppair_release_serial_(release)) return DPPAIR_ERR_BATCH;
  return n == release->drawn ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The least divisor that a draw can have. */
DPPAIR_API double dppair_release_least_(const dppair_sampling *sampling) {
  double divisor = dppair_sampling_expected_(sampling);
  if (dppair_sampling_is_random_(sampling->kind)) return divisor < 1.0 ? divisor : 1.0;
  return dppair_normaliser(&divisor, sampling, 0) == DPPAIR_OK ? divisor : 0.0;
}

/* The norm of size numbers of double or float, rounded up; HUGE_VAL where one is not finite. */
DPPAIR_API double dppair_release_norm_(const void *w, size_t size, int is_f32) {
  double top = 0.0, sum = 0.0, x;
  size_t k;
  if (is_f32 ? !dppair_all_finite_f32((const float *)w, size)
             : !dppair_all_finite_f64((const double *)w, size))
    return HUGE_VAL;
  for (k = 0; k < size; k++) {
    x = dppair_fabs_(is_f32 ? (double)((const float *)w)[k] : ((const double *)w)[k]);
    top = x > top ? x : top;
  }
  if (!(top > 0.0)) return 0.0;
  for (k = 0; k < size; k++) {
    x = (is_f32 ? (double)((const float *)w)[k] : ((const double *)w)[k]) / top;
    sum += x * x;
  }
  return top * dppair_sqrt_(sum) * (1.0 + ((double)size + 16.0) * DBL_EPSILON);
}

/* The end of a release: the sum over pairs, of size > 0, is divided and gets its noise, unless it
 * failed. */
DPPAIR_API dppair_status dppair_release_sum_(double *g, size_t size, dppair_release *release,
                                             dppair_status status) {
  size_t k;
  for (k = 0; k < size; k++) g[k] /= release->divisor;
  if (status == DPPAIR_OK) status = dppair_release_noise_of_(g, size, release, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) memset(g, 0, size * sizeof *g);
  return status;
}

/*
 * Draws the records of the next release, as the plan says: *batch has the places below n, as
 * dppair_draw gives them (every record: 0 .. n-1), and the draw's serial. dppair_gather makes rows
 * of it. `index` is the memory for the places and must live as long as the batch is used; it has
 * room for `capacity` >= n, also where fewer are drawn on average: an error for lack of room would
 * show how many. The draw is a function of (key, nonce, sequence, step). One draw belongs to one
 * release, which divides by this draw's divisor. batch->index and, for Poisson samples and
 * allocations, batch->count are PRIVATE. Under allocation step s is batch s % batches of epoch
 * s / batches: the batches of an epoch share its allocation, also when the plan was resumed within
 * it.
 *
 * Errors zero *batch and index[0..capacity): NULL, SIZE (capacity), EXHAUSTED (no paid release is
 * left, or this step is drawn already), and those of dppair_release_vector about the release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_draw(dppair_batch *batch, size_t *index,
                                                               size_t capacity,
                                                               dppair_release *release) {
  size_t count = 0;
  dppair_status status = dppair_array_(index, capacity);
  if (batch != NULL) memset(batch, 0, sizeof *batch);
  if (status != DPPAIR_OK) return status;
  if (capacity > 0) memset(index, 0, capacity * sizeof *index);
  if (batch == NULL) return DPPAIR_ERR_NULL;
  status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (dppair_release_is_drawn_(release) || release->left > 0.0) return DPPAIR_ERR_EXHAUSTED;
  switch ((int)release->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    dppair_release_turn_(&release->draw, 0); /* the epoch is in the key, not in the stream */      \
    status = dppair_##name##_batch_(index, &count, capacity, &release->sampling, release->step,    \
                                    &release->draw);                                               \
    break;
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    dppair_release_turn_(&release->draw, release->step);
    status = dppair_draw(index, &count, capacity, &release->sampling, &release->draw);
  }
  if (status != DPPAIR_OK) return status;
  release->drawn = count;
  release->drawn_for = release->step + 1;
  batch->index = index;
  batch->count = count;
  batch->serial = dppair_release_serial_(release);
  return DPPAIR_OK;
}

/* What NAME_release_explain says: public numbers. */
typedef struct dppair_explained {
  double slope;     /* the steepest slope of the loss at the margins that are reached */
  double low, high; /* these margins */
  double move;      /* how far one record moves the gradient of a pair of its own, at most */
  double draw; /* what the sampling makes of that: 1/n of all records, 1/m of m drawn ones, more
                     * where batches are of random size */
  double
      divisor; /* of the sum over pairs, for a draw of the expected size; that of a draw of random
                     * size is private */
  double rounding;  /* what arithmetic adds: sensitivity_l2 = move draw + rounding */
  double clip, cap; /* of a pair's gradient, and of the scores; 0: none is in force */
  double sensitivity_l2, sensitivity; /* of the mean gradient, and in the norm of the law */
  double scale, noise_multiplier;     /* of the noise: scale = noise_multiplier sensitivity */
} dppair_explained;

/* The divisor of a draw of the size that is expected. */
DPPAIR_API double dppair_explained_divisor_(const dppair_sampling *sampling) {
  const double k = dppair_sampling_expected_(sampling);
  double divisor;
  if (dppair_sampling_is_random_(sampling->kind)) return k > 1.0 ? k * (k - 1.0) : 1.0;
  return dppair_normaliser(&divisor, sampling, 0) == DPPAIR_OK ? divisor : 0.0;
}

/* *moves: how many terms of a sum over records change; two where a record is replaced, one where it
 * is zeroed. ADJACENCY where neighbours differ in more than one record. */
DPPAIR_API dppair_status dppair_release_moves_(double *moves, const dppair_release *release) {
  *moves = dppair_sampling_move_(&release->sampling) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0;
  return dppair_adjacency_records_(release->sampling.adjacency);
}

DPPAIR_FP_END_
