/* ------------------------------------------------------------------------------------------------
 * Private evaluation: what an evaluation is given, what it answers, and its noise
 *
 *   plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);     n test records, n is public
 *   plan.epsilon = 1.0, plan.noise = DPPAIR_LAPLACE, plan.steps = 1;  pure epsilon, one evaluation
 *   s = dppair_release_open(&release, &account, &plan, NULL);
 *   if (!s) s = dppair_evaluate_auc(&auc, &release, score, label, n, NULL, work, bytes);
 *   dppair_release_close(&release);          auc.value, auc.lower, auc.upper: may be published
 *
 * The scores may come from a public model, or from one that was released with noise; never from
 * one that was trained on these records without: each score would then depend on all of them.
 *
 * ONE PERMIT, UP TO THREE NOISES. An evaluation uses one paid release of a plan, paid when it was
 * opened. The paid release is for one number of sensitivity S with noise of scale z S. It is used
 * for a few numbers, each of which may depend on the released ones before it: number k of
 * sensitivity S_k with noise of scale S_k / c_k, where c_k = w_k / z (Laplace), sqrt(w_k) / z
 * (Gaussian), and the shares w_k add up to at most 1.
 *   Laplace: number k is c_k-differentially private given the earlier ones, so all of them together
 *   lose at most c_1 + c_2 + ... <= 1/z, which is what was charged.
 *   Gaussian: given the earlier ones, number k is no easier to tell apart than two normal laws at
 *   distance mu_k <= c_k, where mu_k may depend on earlier outputs and
 *   mu_1^2 + mu_2^2 + ... <= 1/z^2 surely. All of them together are (1/z)-GDP, by induction from
 *   the last one: whatever the first output is, the rest is no easier to tell apart than two normal
 *   laws at the distance sqrt(1/z^2 - mu_1^2), the same for all outputs; and the first number
 *   beside such a rest, which no longer depends on it, is a pair of normal laws at the distance
 *   sqrt(mu_1^2 + (1/z^2 - mu_1^2)).
 * All noise is the plan's law, exactly rounded, so grids add nothing.
 *
 * Keys. The paid release turns the plan's generator to the stream of this step, which no other
 * step, plan or run reads (release/keys.h). The noises take consecutive blocks of it: no number is
 * used twice.
 *
 * Records. A score counts as a place in an order: infinities stand at its ends and NaN counts as
 * -infinity. A label above 0 is a positive; every other one, NaN too, is a negative. So no error
 * depends on a record: every array of numbers is a data set, and the proofs hold for all of them.
 * The time that an evaluation takes depends on the records, as that of any sorting does.
 *
 * Errors zero the answer. All of them are about public arguments, are found before a record is
 * read, and use no paid release: NULL; SIZE (n < 2, n is not the plan's, a promise beyond n/2);
 * OVERFLOW (n >= 2^31); WORKSPACE; OVERLAP (the answer is in it); DOMAIN (the confidence, what else
 * is named); LAW (another one than DPPAIR_LAPLACE and DPPAIR_GAUSSIAN); NO_PROOF (a plan that
 * draws, a part of a paid release, zero-out neighbours); those of dppair_release_vector about the
 * release; SIGMA (a noise multiplier above 2^800). Only a machine at fault fails later:
 * ENVIRONMENT, the generator's.
 *
 * Relies on release/vector.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What a caller may choose. NULL, or all 0: the defaults. */
typedef struct dppair_evaluate_options {
  double confidence; /* of the interval or band, in (0, 1); 0: 0.95 */
  size_t promise;    /* 0: none, a noisy count of the positives is released first. Else both classes
                      * are promised to have at least so many records, in this data set and in any
                      * that could stand in its place, and no count is released. For
                      * dppair_evaluate_auc and _risk a broken promise costs accuracy, and the
                      * interval, not privacy; the guarantee of dppair_evaluate_partial_auc RESTS
                      * on it */
} dppair_evaluate_options;

/* What an evaluation answers. All of it may be published. */
typedef struct dppair_evaluation {
  double value;        /* the estimate, within the range of the measure */
  double lower, upper; /* the interval, within that range too; each function says of what */
  double released;     /* the number as it was released: value is it, moved into the range */
  double noise;        /* the scale of the noise in it, as the law has it: of Laplace, or the
                        * standard deviation of a Gaussian */
  double variance;     /* a bound of the sampling variance, released with noise; HUGE_VAL: none was,
                        * because the noise would have been larger than it */
  double count;        /* the positives, with noise, rounded to a whole number; 0: not released */
  size_t smaller; /* what either class is taken to have at least (m0); 0: there are no classes */
  int refused;    /* 1: dppair_evaluate_partial_auc did not find enough records in both classes.
                   * Then value, released and noise are 0, and the interval is the range */
} dppair_evaluation;

#define DPPAIR_EVALUATE_MOST_ INT32_MAX /* records */

/* An evaluation under way. */
typedef struct dppair_evaluate_ {
  dppair_release *release;
  double budget;   /* 1/z, rounded down: the paid release's epsilon, or its mu */
  double alpha;    /* 1 - confidence */
  double strength; /* the epsilon of Laplace noise of the same variance: budget, or sqrt 2 of it */
  size_t n, promise;
  double *room; /* the workspace, where scores are until the end */
  int gaussian;
} dppair_evaluate_;

/* The score of a record as evaluations read it: NaN is below all others. */
DPPAIR_API double dppair_score_of_(double s) { return dppair_is_nan_(s) ? -HUGE_VAL : s; }

DPPAIR_API int dppair_is_positive_(double y) {
  const uint64_t bits = dppair_bits_f64_(y);
  return bits != 0 && bits <= UINT64_C(0x7ff0000000000000);
}

/* The public checks, and the paid release's budget. Nothing is used yet. */
DPPAIR_API dppair_status dppair_evaluate_open_(dppair_evaluate_ *e, dppair_release *release,
                                               size_t n, const dppair_evaluate_options *options) {
  dppair_status status = dppair_release_ready_(release);
  memset(e, 0, sizeof *e);
  if (status != DPPAIR_OK) return status;
  if (release->mechanism != DPPAIR_LAPLACE && release->mechanism != DPPAIR_GAUSSIAN)
    return DPPAIR_ERR_LAW;
  if (release->sampling.kind != DPPAIR_ALL || release->sampling.adjacency != DPPAIR_REPLACE_ONE ||
      release->part > 0.0 || release->left > 0.0) /* it cuts a whole paid release itself */
    return DPPAIR_ERR_NO_PROOF;
  if (n < 2 || n != release->sampling.n) return DPPAIR_ERR_SIZE;
  if (n > DPPAIR_EVALUATE_MOST_) return DPPAIR_ERR_OVERFLOW;
  if (!(release->noise_multiplier <= dppair_ldexp_(1.0, 800))) return DPPAIR_ERR_SIGMA;
  e->release = release;
  e->n = n;
  e->gaussian = release->mechanism == DPPAIR_GAUSSIAN;
  e->budget = dppair_down_(1.0 / release->noise_multiplier);
  if (!(e->budget <= dppair_ldexp_(1.0, 800))) e->budget = dppair_ldexp_(1.0, 800);
  e->strength = e->gaussian ? 1.4142135623730951 * e->budget : e->budget;
  e->alpha = 1.0 - 0.95;
  if (options == NULL) return DPPAIR_OK;
  if (!(options->confidence >= 0.0 && options->confidence < 1.0)) return DPPAIR_ERR_DOMAIN;
  if (options->confidence > 0.0) e->alpha = 1.0 - options->confidence;
  if (options->promise > n / 2) return DPPAIR_ERR_SIZE;
  e->promise = options->promise;
  return DPPAIR_OK;
}

/* Takes the paid release. From here on records may be read. */
DPPAIR_API void dppair_evaluate_begin_(dppair_evaluate_ *e) {
  const dppair_release_terms_ none = {0.0, 0.0, 1.0, 0};
  dppair_release_permit_(e->release, &none);
}

/*
 * Adds the noise of `share` of the paid release to v[0..size), of which one record moves the norm
 * of the law by at most `sensitivity`; |v[i]| <= reach by construction. *scale is that of the
 * noise: what the share asks for, or reach / 2^39, so that every v[i] is on the grid of the noise
 * and nothing can fail for the sake of a record.
 */
DPPAIR_API dppair_status dppair_evaluate_noise_(double *v, size_t size, double *scale,
                                                const dppair_evaluate_ *e, double share,
                                                double sensitivity, double reach) {
  dppair_release *release = e->release;
  const double part = dppair_down_(e->budget * (e->gaussian ? dppair_sqrt_(share) : share));
  const double least = dppair_ldexp_(reach, -39);
  *scale = dppair_up_(sensitivity / part);
  if (*scale < least) *scale = least;
  if (*scale < 1.0 / DPPAIR_SCALE_MAX_F64_) *scale = 1.0 / DPPAIR_SCALE_MAX_F64_;
  release->sensitivity = sensitivity;
  release->sigma = *scale;
  return dppair_release_noise_(v, size, release, DPPAIR_GRID_DEFAULT);
}

/* What of the budget (as epsilon, or as mu) goes to a count that only helps to place the other
 * noises: a choice, not a theorem. */
DPPAIR_API double dppair_evaluate_for_count_(const dppair_evaluate_ *e) {
  const double part = dppair_sqrt_(10.0 / ((double)e->n * e->strength));
  return part < 0.05 ? 0.05 : part > 0.3 ? 0.3 : part;
}

/* The share of the paid release that this part of the budget is. */
DPPAIR_API double dppair_evaluate_share_(const dppair_evaluate_ *e, double part) {
  return e->gaussian ? part * part : part;
}

/* What n numbers of shares leave, rounded down. */
DPPAIR_API double dppair_evaluate_rest_(double share, double other) {
  return dppair_down_(1.0 - dppair_up_(share + other));
}

/* An answer in [0, 1] as one in [low, low + width]. */
DPPAIR_API void dppair_evaluate_stretch_(dppair_evaluation *out, double low, double width) {
  out->value = low + width * out->value;
  out->lower = low + width * out->lower;
  out->upper = low + width * out->upper;
  out->released = low + width * out->released;
  out->noise *= width;
  if (out->variance < HUGE_VAL) out->variance *= width * width; /* width^2 may be 0 */
}

/* The doubles of the workspace. */
DPPAIR_API size_t dppair_evaluate_room_(size_t n, size_t thresholds) {
  if (n > DPPAIR_EVALUATE_MOST_ || thresholds > DPPAIR_EVALUATE_MOST_) return SIZE_MAX;
  return dppair_area_(n, 4) > SIZE_MAX - dppair_area_(thresholds + 1, 4)
             ? SIZE_MAX
             : dppair_area_(n, 4) + dppair_area_(thresholds + 1, 4);
}

/* Its place in the caller's workspace, for an evaluation without thresholds: beside the answer. */
DPPAIR_API dppair_status dppair_evaluate_take_(dppair_evaluate_ *e, const void *out, size_t size,
                                               void *work, size_t bytes) {
  const size_t room = dppair_evaluate_room_(e->n, 0);
  const dppair_status status = dppair_work_(&e->room, room, work, bytes);
  return status == DPPAIR_OK ? dppair_apart_(e->room, room, out, size) : status;
}

/* After the last record is read: no score, and nothing that was made of scores, is left in the
 * workspace, below the caller or in vector registers. */
DPPAIR_FORCE_INLINE_ void dppair_evaluate_forget_(const dppair_evaluate_ *e) {
  dppair_wipe(e->room, dppair_evaluate_room_(e->n, 0) * sizeof *e->room);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
}

/* The end: after an error an answer holds nothing. */
DPPAIR_FORCE_INLINE_ dppair_status dppair_evaluate_end_(dppair_evaluation *out,
                                                        const dppair_evaluate_ *e,
                                                        dppair_status status) {
  if (status != DPPAIR_OK) memset(out, 0, sizeof *out);
  dppair_evaluate_forget_(e);
  return status;
}

/* *bytes = the workspace of any evaluation of n records, with so many thresholds for
 * dppair_evaluate_roc and 0 for the others. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_workspace(size_t *bytes, size_t n,
                                                                     size_t thresholds) {
  return dppair_work_bytes_(bytes, dppair_evaluate_room_(n, thresholds));
}

DPPAIR_FP_END_
