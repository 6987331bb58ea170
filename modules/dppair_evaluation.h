/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_evaluation.h - private evaluation of a model on test records (version 0.1.0)
 *
 * How good is a model, when the test records are private too? A figure of n private records is
 * released with noise, with an interval for the figure of the population that counts both the noise
 * and the draw of the records. It uses one paid release of a plan over all n records; neighbours
 * replace a record, n is public.
 *
 *     #include "dppair_evaluation.h"           includes dppair.h, _noise.h and _accountant.h
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);          plan was all zero
 *     plan.epsilon = 1.0, plan.noise = DPPAIR_LAPLACE, plan.steps = 1;
 *     s = dppair_release_open(&release, &account, &plan, NULL);
 *     if (!s) s = dppair_evaluate_auc(&auc, &release, score, label, n, NULL, work, bytes);
 *     dppair_release_close(&release);          auc.value, auc.lower, auc.upper may be published
 *
 * FUNCTIONS
 *   dppair_evaluate_auc           the area under the ROC curve; never refuses a data set
 *   dppair_evaluate_partial_auc   of low rates of false positives; needs promised class sizes, or
 *                                 plan.failure
 *   dppair_evaluate_roc           points at public thresholds, and a band
 *   dppair_evaluate_risk          a loss over positive-negative pairs
 *   dppair_evaluate_kendall       Kendall's tau
 *   dppair_evaluate_statistic     a mean over all pairs, of a function of yours
 *   dppair_evaluate_pairs         two numbers that add up over sites
 *   dppair_evaluate_workspace     bytes of work for all of them
 *   types   dppair_evaluation  dppair_evaluate_options  dppair_roc_point
 *
 * The proofs, and what each needs: modules/evaluation/permit.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     68  core/freestanding.h                Without a C library: names for the time of one include
 *    117  modules/evaluation/permit.h        Private evaluation
 *           dppair_evaluate_workspace
 *    336  modules/evaluation/interval.h      Intervals
 *    458  modules/evaluation/placements.h    Placements
 *    637  modules/evaluation/auc.h           AUC
 *           dppair_evaluate_auc dppair_evaluate_risk dppair_evaluate_pairs
 *    859  modules/evaluation/partial.h       Partial AUC
 *           dppair_evaluate_partial_auc
 *    972  modules/evaluation/statistic.h     Means over all pairs of records
 *           dppair_evaluate_kendall dppair_evaluate_statistic
 *   1201  modules/evaluation/roc.h           The ROC curve with a band
 *           dppair_evaluate_roc
 *   1435  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_EVALUATION_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_EVALUATION_H
#define DPPAIR_EVALUATION_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 367421840u
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif

/* ---- src/modules/evaluation/permit.h --------------------------------------------------------
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
DPPAIR_FN_ double dppair_score_of_(double s) { return dppair_is_nan_(s) ? -HUGE_VAL : s; }

DPPAIR_FN_ int dppair_is_positive_(double y) {
  const uint64_t bits = dppair_bits_f64_(y);
  return bits != 0 && bits <= UINT64_C(0x7ff0000000000000);
}

/* The public checks, and the paid release's budget. Nothing is used yet. */
DPPAIR_FN_ dppair_status dppair_evaluate_open_(dppair_evaluate_ *e, dppair_release *release,
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
DPPAIR_FN_ void dppair_evaluate_begin_(dppair_evaluate_ *e) {
  const dppair_release_terms_ none = {0.0, 0.0, 1.0, 0};
  dppair_release_permit_(e->release, &none);
}

/*
 * Adds the noise of `share` of the paid release to v[0..size), of which one record moves the norm
 * of the law by at most `sensitivity`; |v[i]| <= reach by construction. *scale is that of the
 * noise: what the share asks for, or reach / 2^39, so that every v[i] is on the grid of the noise
 * and nothing can fail for the sake of a record.
 */
DPPAIR_FN_ dppair_status dppair_evaluate_noise_(double *v, size_t size, double *scale,
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
DPPAIR_FN_ double dppair_evaluate_for_count_(const dppair_evaluate_ *e) {
  const double part = dppair_sqrt_(10.0 / ((double)e->n * e->strength));
  return part < 0.05 ? 0.05 : part > 0.3 ? 0.3 : part;
}

/* The share of the paid release that this part of the budget is. */
DPPAIR_FN_ double dppair_evaluate_share_(const dppair_evaluate_ *e, double part) {
  return e->gaussian ? part * part : part;
}

/* What n numbers of shares leave, rounded down. */
DPPAIR_FN_ double dppair_evaluate_rest_(double share, double other) {
  return dppair_down_(1.0 - dppair_up_(share + other));
}

/* An answer in [0, 1] as one in [low, low + width]. */
DPPAIR_FN_ void dppair_evaluate_stretch_(dppair_evaluation *out, double low, double width) {
  out->value = low + width * out->value;
  out->lower = low + width * out->lower;
  out->upper = low + width * out->upper;
  out->released = low + width * out->released;
  out->noise *= width;
  if (out->variance < HUGE_VAL) out->variance *= width * width; /* width^2 may be 0 */
}

/* The doubles of the workspace. */
DPPAIR_FN_ size_t dppair_evaluate_room_(size_t n, size_t thresholds) {
  if (n > DPPAIR_EVALUATE_MOST_ || thresholds > DPPAIR_EVALUATE_MOST_) return SIZE_MAX;
  return dppair_area_(n, 4) > SIZE_MAX - dppair_area_(thresholds + 1, 4)
             ? SIZE_MAX
             : dppair_area_(n, 4) + dppair_area_(thresholds + 1, 4);
}

/* Its place in the caller's workspace, for an evaluation without thresholds: beside the answer. */
DPPAIR_FN_ dppair_status dppair_evaluate_take_(dppair_evaluate_ *e, const void *out, size_t size,
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
/* ---- src/modules/evaluation/interval.h ------------------------------------------------------
 * Intervals: tails of the sum of a normal variable and noise, and inverted tests
 *
 * Relies on permit.h and on accountant/curves/normal.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* P(a standard normal variable > x), x >= 0. */
DPPAIR_FN_ double dppair_normal_above_(double x) {
  return x < 39.0 ? DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(x, 0.0) * dppair_mills_(x) : 0.0;
}

/* The least x >= 0 with P(a standard normal variable > x) <= tail, to 1e-15; 39 for tails below
 * 1e-320. */
DPPAIR_FN_ double dppair_normal_quantile_(double tail) {
  double low = 0.0, high = 39.0;
  int i;
  if (tail >= 0.5) return 0.0;
  for (i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_normal_above_(middle) <= tail)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/*
 * P(s N + L > d) for a standard normal N, Laplace L of scale b > 0, s >= 0, d >= 0. With u = d/s,
 * k = s/b, the upper normal tail F, its density f and Mills' ratio R = F/f,
 *
 *   F(u) + e^(k^2/2 - u k) F(k - u) / 2 - e^(k^2/2 + u k) F(u + k) / 2
 *     = f(u) (R(u) - R(u + k)/2) + A/2,
 *
 * A = f(u) R(k - u) where u < k, else e^(k^2/2 - u k) F(k - u).
 *
 * R falls, so the bracket is at least R(u)/2, and no exponent is above 0: nothing overflows or
 * cancels at any s, b and d.
 */
DPPAIR_FN_ double dppair_laplace_above_(double d, double s, double b) {
  double u, k, density, first, second;
  if (!(s > 1e-9 * b)) return 0.5 * dppair_exp_(-d / b); /* within 1e-9 of it */
  if (!(b > 1e-12 * s)) return dppair_normal_above_(d / s);
  u = d / s;
  k = s / b;
  density = u < 39.0 ? DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(u, 0.0) : 0.0;
  first = density > 0.0 ? density * (dppair_mills_(u) - 0.5 * dppair_mills_(u + k)) : 0.0;
  if (u < k)
    second = density > 0.0 ? density * dppair_mills_(k - u) : 0.0;
  else
    second = dppair_exp_(0.5 * k * k - d / b) * (1.0 - dppair_normal_above_(u - k));
  return first + 0.5 * second;
}

/* P(s N + noise > d), with noise of the law and scale of an evaluation. */
DPPAIR_FN_ double dppair_noise_above_(double d, double s, double scale, int gaussian) {
  return gaussian ? dppair_normal_above_(d / dppair_sqrt_(s * s + scale * scale))
                  : dppair_laplace_above_(d, s, scale);
}

/* The least d with P(noise > d) <= tail. */
DPPAIR_FN_ double dppair_noise_quantile_(double scale, double tail, int gaussian) {
  if (gaussian) return scale * dppair_normal_quantile_(tail);
  return tail < 0.5 ? -scale * dppair_log_(2.0 * tail) : 0.0;
}

/* A number in [0, 1] was released with noise of this scale; what it estimates has, where its mean
 * is x, a variance of at most min(variance, x (1 - x) / size). */
typedef struct dppair_released_ {
  double number, scale, variance, size;
  int gaussian;
} dppair_released_;

/* Is x within the interval, that is, would the test of "the mean is x" accept? */
DPPAIR_FN_ int dppair_released_accepts_(const dppair_released_ *r, double x, double alpha) {
  const double at = x * (1.0 - x) / r->size;
  const double s = dppair_sqrt_(at < r->variance ? at : r->variance);
  return dppair_noise_above_(dppair_fabs_(r->number - x), s, r->scale, r->gaussian) >= 0.5 * alpha;
}

/* The end of the interval between `inside`, which is accepted, and `outside`, 0 or 1: `outside`
 * where that is accepted, else by bisection, whose bracket cannot be lost. */
DPPAIR_FN_ double dppair_released_end_(const dppair_released_ *r, double inside, double outside,
                                       double alpha) {
  int i;
  if (dppair_released_accepts_(r, outside, alpha)) return outside;
  for (i = 0; i < 60; i++) {
    const double middle = 0.5 * (inside + outside);
    if (dppair_released_accepts_(r, middle, alpha))
      inside = middle;
    else
      outside = middle;
  }
  return inside;
}

/* The interval of the mean, between 0 and 1. It holds the number moved into [0, 1], because there
 * the tail is 1/2. That the x which the tests accept are one interval is seen, not proved; where
 * they are not, each end is one at which accepting turns into refusing. */
DPPAIR_FN_ void dppair_released_interval_(double *lower, double *upper, dppair_released_ *r,
                                          double alpha) {
  r->number = r->number < 0.0 ? 0.0 : r->number > 1.0 ? 1.0 : r->number;
  *lower = dppair_released_end_(r, r->number, 0.0, alpha);
  *upper = dppair_released_end_(r, r->number, 1.0, alpha);
}

/*
 * A variance v >= 0 was released as `noisy` with noise of this scale: a bound that is above 0 and
 * on average at least v, (noisy + sqrt(noisy^2 + (1 + z^2) q)) / 2 where q is the noise's variance
 * and z the normal quantile of the interval. (The root is at least |noisy|, so the bound is at
 * least noisy, whose mean is v.) A negative number is divided out, which cannot cancel.
 */
DPPAIR_FN_ double dppair_variance_bound_(double noisy, double scale, double alpha, int gaussian) {
  const double z = dppair_normal_quantile_(0.5 * alpha);
  const double q = (gaussian ? 1.0 : 2.0) * (1.0 + z * z);
  const double ratio = noisy / scale, root = dppair_sqrt_(ratio * ratio + q);
  return 0.5 * scale * (ratio > 0.0 ? ratio + root : q / (root - ratio));
}

DPPAIR_FP_END_
/* ---- src/modules/evaluation/placements.h ----------------------------------------------------
 * Placements: sums over positive-negative pairs, in integers
 *
 * A kernel K(i, j) in [0, 1] of a positive i and a negative j is a whole number of units. AUC has
 * two units, 1/2 for a tie; other kernels are rounded to a unit pair by pair, which is a kernel in
 * [0, 1] again. All sums of units are exact, so the proofs of sensitivities hold for them; what
 * rounding adds to a quotient of them is stated where it is computed. Relies on core/sort.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The records, positives first, and the row and column sums of the kernel. */
typedef struct dppair_placements_ {
  double *positive, *negative; /* their scores */
  uint64_t *row, *column;      /* sum over j of K(i, j), sum over i, in units */
  uint64_t total;              /* sum over i and j */
  size_t p, q;
  double unit; /* units in 1: a power of two */
} dppair_placements_;

/* Splits the records into classes, in 2 n doubles at `room`. */
DPPAIR_FN_ void dppair_placements_split_(dppair_placements_ *c, double *room, const double *s,
                                         const double *y, size_t n) {
  size_t i, q = 0;
  c->p = 0;
  for (i = 0; i < n; i++)
    if (dppair_is_positive_(y[i]))
      room[c->p++] = dppair_score_of_(s[i]);
    else
      room[n - ++q] = dppair_score_of_(s[i]);
  c->q = q;
  c->positive = room;
  c->negative = room + c->p;
  c->row = (uint64_t *)(void *)(room + n);
  c->column = c->row + c->p;
}

/* sum[i] = the partners below a[i], and those up to it; both arrays are sorted. */
DPPAIR_FN_ uint64_t dppair_placements_below_(uint64_t *sum, const double *a, size_t n,
                                             const double *b, size_t m) {
  uint64_t total = 0;
  size_t i, below = 0, upto = 0;
  for (i = 0; i < n; i++) {
    while (below < m && b[below] < a[i]) below++;
    if (upto < below) upto = below;
    while (upto < m && b[upto] <= a[i]) upto++;
    total += sum[i] = (uint64_t)below + (uint64_t)upto;
  }
  return total;
}

/* The placements of AUC: 1 where the positive has the larger score, 1/2 for a tie. O(n log n). At
 * most 2 pq <= n^2/2 < 2^61. */
DPPAIR_FN_ void dppair_placements_auc_(dppair_placements_ *c, double *room, const double *s,
                                       const double *y, size_t n) {
  size_t j;
  dppair_placements_split_(c, room, s, y, n);
  c->unit = 2.0;
  dppair_sort_f64(c->positive, c->p);
  dppair_sort_f64(c->negative, c->q);
  c->total = dppair_placements_below_(c->row, c->positive, c->p, c->negative, c->q);
  (void)dppair_placements_below_(c->column, c->negative, c->q, c->positive, c->p);
  for (j = 0; j < c->q; j++) c->column[j] = 2 * (uint64_t)c->p - c->column[j];
}

/* The finest unit at which a sum over `pairs` pairs is at most 2^61, at most 2^30 in 1. */
DPPAIR_FN_ double dppair_unit_of_(double pairs) {
  double unit = 1.0;
  while (unit < 1073741824.0 && 2.0 * unit * pairs <= 2305843009213693952.0) unit *= 2.0;
  return unit;
}

/* x in units, moved into [0, 1]; `otherwise` for NaN. */
DPPAIR_FN_ uint64_t dppair_units_(double x, double unit, double otherwise) {
  if (dppair_is_nan_(x)) x = otherwise;
  if (!(x > 0.0)) return 0;
  return x < 1.0 ? (uint64_t)(x * unit + 0.5) : (uint64_t)unit;
}

/*
 * The population variance of the numbers c[i]/full in [0, 1], i < count, whose mean is mean; 0 for
 * none. Squares are added in units of 2^-62 in integers, so the error does not grow with count:
 * c/full is within 2^-52 and the mean within 2^-51, a difference within 2^-50, its square within
 * 2^-48.9, and so is the mean of the squares: the result is within 2^-48 of the variance.
 */
DPPAIR_FN_ double dppair_spread_(const uint64_t *c, size_t count, double full, double mean) {
  uint64_t low = 0, high = 0;
  size_t i;
  if (count == 0) return 0.0;
  for (i = 0; i < count; i++) {
    const double x = (double)c[i] / full - mean;
    const uint64_t square = (uint64_t)(x * x * 4611686018427387904.0);
    low += square;
    high += low < square;
  }
  return ((double)high * 4.0 + (double)low / 4611686018427387904.0) / (double)count;
}

/* The mean of the kernel; 0 without pairs. Within 2^-51: three roundings of a number up to 1. */
DPPAIR_FN_ double dppair_placements_mean_(const dppair_placements_ *c) {
  if (c->p == 0 || c->q == 0) return 0.0;
  return (double)c->total / (c->unit * ((double)c->p * (double)c->q));
}

/* The sum over i < count of sum[i] - partners/2, each moved to within +-(n - m)/2: in half units.
 * |sum| <= m (n - m) units <= n^2/4 units. */
DPPAIR_FN_ int64_t dppair_placements_clamped_(const uint64_t *sum, size_t count, size_t partners,
                                              size_t most, double unit) {
  const int64_t half = (int64_t)((double)partners * unit), reach = (int64_t)((double)most * unit);
  int64_t clamped = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    const int64_t x = 2 * (int64_t)sum[i] - half;
    clamped += x > reach ? reach : x < -reach ? -reach : x;
  }
  return clamped;
}

/*
 * The mean of the kernel, continued to all data sets with sensitivity 1/m, 1 <= m <= n/2: with
 * c_i = sum over j of K(i, j), e_j = sum over i of K(i, j), clamped to [-1/2, 1/2],
 *
 *   mean                                                         p >= m and q >= m
 *   1/2 + (1/m) sum over positives of clamp((c_i - q/2)/(n - m)) p < m
 *   1/2 + (1/m) sum over negatives of clamp((e_j - p/2)/(n - m)) q < m
 *
 * Proof that one replaced record moves it by at most 1/m. Both classes of at least m: a positive
 * moves the mean by 1/p, a negative by 1/q, and a positive that becomes a negative by (v - A)/p -
 * (t - A)/(q + 1), A the mean of the others, v and t in [0, 1]: at most max(1/p, 1/(q + 1)). At
 * p = m the second line is the mean, nothing being clamped, so p <= m remains (q < m is the mirror,
 * and p < m has no neighbour with q < m). There a positive moves one term, by 1 at most; a negative
 * moves p terms by 1/(n - m): p/(m (n - m)) <= 1/m. A positive that becomes a negative takes away a
 * term of at most 1/2 and moves p - 1 by (1/2)/(n - m): less than 1/m.
 *
 * Rounding: within 2^-51 of it, so one record moves the computed number by 1/m + 2^-50.
 */
DPPAIR_FN_ double dppair_extension_(const dppair_placements_ *c, size_t m) {
  const size_t most = c->p + c->q - m;
  const double all = 2.0 * c->unit * ((double)m * (double)most);
  if (c->p < m)
    return 0.5 + (double)dppair_placements_clamped_(c->row, c->p, c->q, most, c->unit) / all;
  if (c->q < m)
    return 0.5 + (double)dppair_placements_clamped_(c->column, c->q, c->p, most, c->unit) / all;
  return dppair_placements_mean_(c);
}

/*
 * DeLong's variance Var(v)/p + Var(u)/q of the mean, v_i = c_i/q, u_j = e_j/p, population
 * variances, continued to all data sets: p Var(v)/m^2 + p^2 Var(u)/(m^2 (n - m)) where p < m, the
 * mirror where q < m, 0 where a class is empty. One replaced record moves it by at most 1/m^2 for
 * comparisons of scores, where placements fall along one order, and 2/m^2 for other kernels in [0,
 * 1].
 *
 * Proof. Replace the row r of a positive; theta is the mean of the other p - 1 rows, u0 are their
 * column means, A = (mean r - theta)^2, C = Cov(u0, r), w = Var(r). The variance is a constant
 * + (p - 1)A/p^3 + (2 (p - 1) C + w)/(q p^2). Over all r in [0, 1]^q a A + 2 b C, max(a, b) = 1,
 * varies by at most 1 and w by 1/4; with C >= 0, as for scores, their sum lies between 0 and the
 * bound. Hence at most (p - 3/4)/p^3 for p <= q and (p - 3/4)/(q p^2) for p > q, below 1/m^2. A
 * positive that becomes a negative is a row taken away and a column added, each such a term of one
 * sign for scores, which bounds the difference by the larger one; for other kernels by twice it.
 * Below m the same terms stand with their weights, which sum to less than 1/m^2. (Also found by
 * enumeration: (m - 1)/m^3 is the largest move.)
 *
 * Rounding: Var within 2^-48, so the result within 2^-48 (1/m + 1/m) and 2^-50/m for quotients and
 * the sum: one record moves the computed number by 2^-45/m more.
 */
DPPAIR_FN_ double dppair_delong_(const dppair_placements_ *c, size_t m) {
  const double p = (double)c->p, q = (double)c->q, least = (double)m;
  const double rest = (double)(c->p + c->q - m), mean = dppair_placements_mean_(c);
  double rows, columns;
  if (c->p == 0 || c->q == 0) return 0.0;
  rows = dppair_spread_(c->row, c->p, c->unit * q, mean);
  columns = dppair_spread_(c->column, c->q, c->unit * p, mean);
  if (c->p < m) return p / least * (rows / least) + p / least * (p / least) * columns / rest;
  if (c->q < m) return q / least * (columns / least) + q / least * (q / least) * rows / rest;
  return rows / p + columns / q;
}

DPPAIR_FP_END_
/* ---- src/modules/evaluation/auc.h -----------------------------------------------------------
 * AUC, pairwise risk, and the two numbers that add up over sites
 *
 * Relies on placements.h and interval.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Variances are released where noise leaves something of them: m strength / moves beyond this. */
#define DPPAIR_EVALUATE_ENOUGH_ 60.0

/* *whole = the positives with noise, rounded, of what this part of the budget pays. The count moves
 * by 1. */
DPPAIR_FN_ dppair_status dppair_evaluate_count_(double *whole, double *scale,
                                                const dppair_evaluate_ *e, double part, size_t p) {
  double count = (double)p;
  const dppair_status status = dppair_evaluate_noise_(
      &count, 1, scale, e, dppair_evaluate_share_(e, part), 1.0, (double)e->n);
  *whole = dppair_floor_(count + 0.5);
  return status;
}

/* The smaller class by a noisy count, less a margin. */
DPPAIR_FN_ double dppair_evaluate_smaller_(double whole, size_t n, double margin) {
  const double other = (double)n - whole;
  return dppair_floor_((whole < other ? whole : other) - margin);
}

/* m of an extension: a choice that costs accuracy alone. The margin is c noise scales, c between 2
 * and 4.6, more where the count is known well. */
DPPAIR_FN_ size_t dppair_evaluate_least_(double whole, size_t n, double strength) {
  const double most = (double)(n / 2), smaller = dppair_evaluate_smaller_(whole, n, 0.0);
  double c = 0.15 * strength * smaller, m;
  c = c > 4.6 ? 4.6 : c > 2.0 ? c : 2.0;
  m = dppair_evaluate_smaller_(whole, n, c / strength);
  m = m > 2.0 ? m : 2.0;
  return (size_t)(m < most ? m : most);
}

/*
 * The mean of a kernel with its interval, in [0, 1]: the count of positives, unless promised; the
 * variance, which one record moves by moves/m^2, if m is large enough; the mean.
 */
DPPAIR_FN_ dppair_status dppair_evaluate_mean_(dppair_evaluation *out, const dppair_evaluate_ *e,
                                               const dppair_placements_ *c, double moves) {
  const double counting = e->promise ? 0.0 : dppair_evaluate_for_count_(e);
  const double first = e->promise ? 0.0 : dppair_evaluate_share_(e, counting);
  double m, v, scale, third = 0.0;
  dppair_released_ r;
  dppair_status status = DPPAIR_OK;
  out->smaller = e->promise;
  out->variance = HUGE_VAL;
  if (!e->promise) {
    status = dppair_evaluate_count_(&out->count, &scale, e, counting, c->p);
    out->smaller = dppair_evaluate_least_(out->count, e->n, counting * e->strength);
  }
  m = (double)out->smaller;
  if (status == DPPAIR_OK && m >= 2.0 && m * e->strength >= moves * DPPAIR_EVALUATE_ENOUGH_) {
    third = 0.25;
    v = dppair_delong_(c, out->smaller);
    status = dppair_evaluate_noise_(&v, 1, &scale, e, third,
                                    dppair_up_((moves / m + dppair_ldexp_(1.0, -45)) / m), 1.0 / m);
    out->variance = m / (m - 1.0) * dppair_variance_bound_(v, scale, e->alpha, e->gaussian);
  }
  v = dppair_extension_(c, out->smaller);
  if (status == DPPAIR_OK)
    status = dppair_evaluate_noise_(&v, 1, &out->noise, e, dppair_evaluate_rest_(first, third),
                                    dppair_up_(1.0 / m + dppair_ldexp_(1.0, -50)), 1.0);
  if (status != DPPAIR_OK) return status;
  out->released = v;
  r.number = v;
  r.scale = out->noise;
  r.variance = out->variance;
  r.size = m;
  r.gaussian = e->gaussian;
  dppair_released_interval_(&out->lower, &out->upper, &r, e->alpha);
  out->value = r.number;
  return DPPAIR_OK;
}

/*
 * The AUC of n test records, the share of pairs of a positive and a negative in which the positive
 * has the larger score, ties one half; and an interval for the AUC of the population that the
 * records were drawn from. s[n]: scores; y[n]: labels (permit.h says how they are read). Both may
 * be in any order. O(n log n); work: dppair_evaluate_workspace(n, 0).
 *
 * Released are a count of the positives, which only helps to choose m = out->smaller (not with a
 * promise); the variance, where m is large enough; and the AUC continued to all data sets with
 * sensitivity 1/m. It never refuses. Where a class has fewer than m records the answer is drawn
 * towards 1/2: that costs accuracy, not privacy.
 *
 * The interval holds all x for which the test of "the population's AUC is x" accepts. The test
 * takes the released number as x + N + noise, N normal with variance min(out->variance, x (1 -
 * x)/m), which bounds the variance of the AUC under every law. It is asymptotic, as DeLong's
 * interval is: its coverage is nominal where that one's is, and higher where m/z is below 60 or the
 * AUC is near 1; but less, 0.93 for 0.95, where besides one class has some ten records, because m
 * may be more than these. It rests on a promise that was made: where a class has fewer records it
 * does not hold. It says nothing of the AUC of these records alone.
 *
 * Errors: permit.h.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_auc(
    dppair_evaluation *out, dppair_release *release, const double *s, const double *y, size_t n,
    const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  dppair_placements_auc_(&c, e.room, s, y, n);
  status = dppair_evaluate_mean_(out, &e, &c, 1.0);
  return dppair_evaluate_end_(out, &e, status);
}

/* phi(margin) of a pair: the score of the positive less that of the negative. */
typedef double (*dppair_evaluate_loss)(double margin, void *context);

/* The placements of phi/cap. A margin of two infinite scores is NaN, and phi of it what it is; a
 * value that is NaN counts as cap. */
DPPAIR_FN_ void dppair_placements_loss_(dppair_placements_ *c, double *room, const double *s,
                                        const double *y, size_t n, dppair_evaluate_loss loss,
                                        void *context, double cap) {
  size_t i, j;
  dppair_placements_split_(c, room, s, y, n);
  c->unit = dppair_unit_of_(0.25 * (double)n * (double)n);
  c->total = 0;
  for (j = 0; j < c->q; j++) c->column[j] = 0;
  for (i = 0; i < c->p; i++) {
    c->row[i] = 0;
    for (j = 0; j < c->q; j++) {
      const uint64_t k =
          dppair_units_(loss(c->positive[i] - c->negative[j], context) / cap, c->unit, 1.0);
      c->row[i] += k;
      c->column[j] += k;
    }
    c->total += c->row[i];
  }
}

/*
 * The pairwise risk: the mean over pairs of a positive and a negative of loss(margin), moved into
 * [0, cap], and an interval for that of the population. As dppair_evaluate_auc, with numbers in [0,
 * cap] and sensitivity cap/m; the variance moves by 2 cap^2/m^2, because a loss is no comparison
 * of scores. loss must be a function of the margin (and of what is public) only. It is called once
 * a pair: O(p q).
 *
 * Errors: permit.h; DOMAIN: cap is not a positive finite number.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_evaluate_risk(dppair_evaluation *out, dppair_release *release, const double *s,
                     const double *y, size_t n, dppair_evaluate_loss loss, void *context,
                     double cap, const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y || !loss) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK && !(dppair_isfinite_f64(cap) && cap > 0.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  dppair_placements_loss_(&c, e.room, s, y, n, loss, context, cap);
  status = dppair_evaluate_mean_(out, &e, &c, 2.0);
  dppair_evaluate_stretch_(out, 0.0, cap);
  return dppair_evaluate_end_(out, &e, status);
}

/* Two numbers that add up over sites. Both may be published. */
typedef struct dppair_evaluate_sums {
  double pairs;     /* positive-negative pairs in the right order, ties one half */
  double positives; /* a whole number */
  double pairs_noise, positives_noise; /* the scales of the noises in them */
} dppair_evaluate_sums;

/*
 * The number of correctly ordered pairs and that of positives, with noise. Over sites that hold
 * records of their own, sum of pairs / sum of positives (n - positives) is the AUC within sites.
 * One record moves the pairs by n - 1 (a positive adds between 0 and the number of negatives, a
 * negative between 0 and the number of positives, and one that changes its label takes one away and
 * adds the other), the positives by 1. For one data set dppair_evaluate_auc needs half the noise.
 * Arguments and errors as there.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_pairs(dppair_evaluate_sums *out,
                                                                 dppair_release *release,
                                                                 const double *s, const double *y,
                                                                 size_t n, void *work,
                                                                 size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  double part, pairs;
  const double squared = (double)n * (double)n;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, NULL);
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  part = dppair_evaluate_for_count_(&e);
  dppair_placements_auc_(&c, e.room, s, y, n);
  status = dppair_evaluate_count_(&out->positives, &out->positives_noise, &e, part, c.p);
  pairs = 0.5 * (double)c.total; /* within 2^-53 of it */
  if (status == DPPAIR_OK)
    status = dppair_evaluate_noise_(&pairs, 1, &out->pairs_noise, &e,
                                    dppair_evaluate_rest_(dppair_evaluate_share_(&e, part), 0.0),
                                    dppair_up_((double)(n - 1) + dppair_ldexp_(squared, -54)),
                                    0.25 * squared);
  out->pairs = pairs;
  if (status != DPPAIR_OK) memset(out, 0, sizeof *out);
  dppair_evaluate_forget_(&e);
  return status;
}

DPPAIR_FP_END_
/* ---- src/modules/evaluation/partial.h -------------------------------------------------------
 * Partial AUC: against the negatives with the highest scores
 *
 * Relies on auc.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * The mean of u_j, the share of positives above negative j, over the share `rate` of negatives with
 * the highest scores; the one at the edge counts in part. 0 without pairs. Between two neighbours
 * that have at least m records in both classes it moves by at most min(1, 1/(rate m)).
 *
 * Proof. It is the least sum of w_j u_j over weights 0 <= w_j <= 1/(rate q) that add up to 1. A
 * positive that is replaced moves each u_j by 1/p; a negative, 1/(rate q). A positive that becomes
 * a negative: c the value on the common records, k + 1 = p: one side lies in [k c, k c + 1]/(k +
 * 1), the other within c - c/(q + 1) - (1/rate - 1)/(q + 1) and c + (1 - c)/(q + 1); they differ by
 * max(1/(k + 1), 1/(q + 1)) + (1/rate - 1)/(q + 1) <= 1/(rate (m + 1)) at most.
 *
 * Rounding: rate q is rounded, which is the value of another rate within 2^-53 of this one, and 3
 * operations: within 2^-50.
 */
DPPAIR_FN_ double dppair_placements_partial_(const dppair_placements_ *c, double rate) {
  const double width = rate * (double)c->q;
  const size_t whole = (size_t)width; /* rate <= 1 */
  uint64_t sum = 0;
  double area;
  size_t j;
  if (c->p == 0 || c->q == 0) return 0.0;
  for (j = 0; j < whole; j++) sum += c->column[c->q - 1 - j];
  area = (double)sum;
  if (whole < c->q) area += (width - (double)whole) * (double)c->column[c->q - 1 - whole];
  area /= width * (c->unit * (double)c->p);
  return area < 1.0 ? area : 1.0;
}

/*
 * What either class has at least, with probability 1 - failure: the smaller one by the noisy count
 * less t, so large that m >= min(p, q) only if the noise is beyond t - 1/2 - g/2, g its grid; the
 * halves are those of rounding the count and of the grid, and g <= scale/2^10.
 */
DPPAIR_FN_ double dppair_evaluate_tested_(double whole, size_t n, double scale, double failure,
                                          int gaussian) {
  const double t = dppair_noise_quantile_(scale, failure, gaussian) * (1.0 + 1e-12);
  return dppair_evaluate_smaller_(whole, n, dppair_up_(t + scale / 1024.0 + 1.0));
}

/*
 * The partial AUC of n test records: the AUC against the share `rate`, 0 < rate <= 1, of the
 * negatives with the highest scores, that is, the area under the part of the ROC curve with at most
 * this false-positive rate, divided by it. 1 is perfect, chance is rate/2; rate 1 gives the AUC.
 * (Of negatives with equal scores at the edge each counts in part, so it differs there from
 * dppair_partial_auc_not_private_f64.) out->lower and upper hold the partial AUC OF THESE RECORDS
 * with the given confidence; nothing is known of its sampling variance. O(n log n).
 *
 * No continuation to all data sets is known, and with a class of m records one record moves it by
 * 1/(rate m). So it needs one of two:
 *   a promise     options->promise = m. The guarantee rests on it.
 *   plan.failure  a noisy count is released; m is less than it by a margin that the noise passes
 *                 with probability f = failure/steps of the plan. If m < 1 the answer is `refused`,
 *                 which says no more than the count. Otherwise noise of 1/(rate m).
 * With the second the paid release's guarantee holds with f added to delta, which was charged when
 * the plan was opened: unless m >= min(p, q) on one data set, every neighbour has m in both
 * classes, and what follows costs what is left of the paid release. Outputs after a count with m >=
 * min(p, q) have probability f, and all others are those of a mechanism with the paid release's
 * guarantee.
 *
 * Errors: permit.h; DOMAIN: rate; NO_PROOF also without a promise in a plan whose failure is 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_partial_auc(
    dppair_evaluation *out, dppair_release *release, const double *s, const double *y, size_t n,
    double rate, const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  double failure, first = 0.0, scale, moves, m, v;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK && !(rate > 0.0 && rate <= 1.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  failure = dppair_down_(release->failure / (double)release->steps);
  if (!e.promise && !(failure > 0.0)) return DPPAIR_ERR_NO_PROOF;
  dppair_evaluate_begin_(&e);
  dppair_placements_auc_(&c, e.room, s, y, n);
  out->variance = HUGE_VAL;
  out->upper = 1.0;
  m = (double)e.promise;
  if (!e.promise) {
    const double part = dppair_evaluate_for_count_(&e);
    first = dppair_evaluate_share_(&e, part);
    status = dppair_evaluate_count_(&out->count, &scale, &e, part, c.p);
    m = dppair_evaluate_tested_(out->count, n, scale, failure, e.gaussian);
    out->refused = !(m >= 1.0);
    if (status != DPPAIR_OK || out->refused) return dppair_evaluate_end_(out, &e, status);
  }
  out->smaller = (size_t)m;
  v = dppair_placements_partial_(&c, rate);
  moves = 1.0 / (rate * m);
  status = dppair_evaluate_noise_(&v, 1, &out->noise, &e, dppair_evaluate_rest_(first, 0.0),
                                  dppair_up_((moves < 1.0 ? moves : 1.0) + dppair_ldexp_(1.0, -49)),
                                  1.0);
  out->released = v;
  out->value = v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
  moves = dppair_noise_quantile_(out->noise, 0.5 * e.alpha, e.gaussian);
  out->lower = out->value - moves > 0.0 ? out->value - moves : 0.0;
  out->upper = out->value + moves < 1.0 ? out->value + moves : 1.0;
  return dppair_evaluate_end_(out, &e, status);
}

DPPAIR_FP_END_
/* ---- src/modules/evaluation/statistic.h -----------------------------------------------------
 * Means over all pairs of records: Kendall's tau, and any bounded symmetric statistic
 *
 * Relies on auc.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * The mean over all pairs, and its interval, from the sums of the n rows of a symmetric kernel in
 * [0, 1], in units: x_i = row[i]/(unit (n - 1)), U = mean x_i, zeta = mean (x_i - U)^2. One
 * replaced record moves U by 2/n, and zeta by (n - 7/4)/(n (n - 1)).
 *
 * Proof of the second. Replace row r; g_i are the other rows' means over the others, A = (mean r -
 * mean g)^2, C = Cov(g, r), w = Var(r). n zeta is a constant plus (2 (n - 2) C + w)/(n - 1) +
 * (n - 2)^2/(n (n - 1)) A; N (a A + 2 b C), max(a, b) = 1, varies by at most N over all r, w by
 * 1/4; so n zeta varies by (n - 2 + 1/4)/(n - 1).
 *
 * The jackknife's variance of U is 4 (n - 1) zeta/(n - 2)^2 (n > 2). It gets a quarter of the
 * paid release. Besides, Var U <= 2 Var(kernel)/n <= 2 x (1 - x)/n where the mean is x. Rounding: U
 * within 2^-51, zeta within 2^-48.
 */
DPPAIR_FN_ dppair_status dppair_evaluate_rows_(dppair_evaluation *out, const dppair_evaluate_ *e,
                                               const uint64_t *row, double unit) {
  const double n = (double)e->n, rest = n - 2.0;
  uint64_t total = 0;
  double v, mean, scale, third = 0.0;
  dppair_released_ r;
  dppair_status status = DPPAIR_OK;
  size_t i;
  for (i = 0; i < e->n; i++) total += row[i];
  mean = (double)total / (unit * (n * (n - 1.0)));
  out->variance = HUGE_VAL;
  if (e->n > 2) {
    const double factor = 4.0 * (n - 1.0) / (rest * rest);
    const double moves = (n - 1.75) / (n * (n - 1.0)) + dppair_ldexp_(1.0, -47);
    third = 0.25;
    v = factor * dppair_spread_(row, e->n, unit * (n - 1.0), mean);
    status = dppair_evaluate_noise_(&v, 1, &scale, e, third, dppair_up_(dppair_up_(factor * moves)),
                                    factor);
    out->variance = dppair_variance_bound_(v, scale, e->alpha, e->gaussian);
  }
  v = mean;
  if (status == DPPAIR_OK)
    status = dppair_evaluate_noise_(&v, 1, &out->noise, e, dppair_evaluate_rest_(0.0, third),
                                    dppair_up_(2.0 / n + dppair_ldexp_(1.0, -50)), 1.0);
  if (status != DPPAIR_OK) return status;
  out->released = v;
  r.number = v;
  r.scale = out->noise;
  r.variance = out->variance;
  r.size = 0.5 * n;
  r.gaussian = e->gaussian;
  dppair_released_interval_(&out->lower, &out->upper, &r, e->alpha);
  out->value = r.number;
  return DPPAIR_OK;
}

/* The checks of these functions, and the paid release; n numbers for rows, and 3 n behind them. */
DPPAIR_FN_ dppair_status dppair_evaluate_begin_rows_(dppair_evaluate_ *e, uint64_t **row,
                                                     const dppair_evaluation *out,
                                                     dppair_release *release, size_t n,
                                                     const dppair_evaluate_options *options,
                                                     void *work, size_t bytes) {
  dppair_status status = dppair_evaluate_open_(e, release, n, options);
  if (status == DPPAIR_OK && e->promise) status = DPPAIR_ERR_UNREAD;
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  *row = (uint64_t *)(void *)e->room;
  dppair_evaluate_begin_(e);
  return DPPAIR_OK;
}

/* The records of Kendall's tau: their order, the rank of b from 1 (equal ones have the least of
 * theirs), and a tree of counts by rank (Fenwick 1994). */
typedef struct dppair_kendall_ {
  const double *a, *b;
  uint32_t *order, *rank, *tree;
  size_t n;
} dppair_kendall_;

DPPAIR_FN_ int dppair_kendall_before_(const dppair_kendall_ *k, uint32_t i, uint32_t j, int by_a) {
  const double *x = by_a ? k->a : k->b;
  return dppair_score_of_(x[i]) < dppair_score_of_(x[j]);
}

/* Sorts order[0..n) by a or b: heap sort, which needs no room. */
DPPAIR_FN_ void dppair_kendall_sort_(const dppair_kendall_ *k, int by_a) {
  size_t start = k->n / 2, end = k->n;
  uint32_t *order = k->order;
  while (end > 1) {
    size_t root, child;
    uint32_t v;
    if (start > 0) {
      v = order[--start];
    } else {
      v = order[--end];
      order[end] = order[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && dppair_kendall_before_(k, order[child], order[child + 1], by_a))
        child++;
      if (!dppair_kendall_before_(k, v, order[child], by_a)) break;
      order[root] = order[child];
    }
    order[root] = v;
  }
}

/* How many of the records in the tree have a rank of at most r. */
DPPAIR_FN_ uint64_t dppair_kendall_upto_(const dppair_kendall_ *k, size_t r) {
  uint64_t count = 0;
  for (; r > 0; r &= r - 1) count += k->tree[r];
  return count;
}

/* Adds to row[i], for every record i, the sum of 1 + sign((a_i - a_j)(b_i - b_j)) over the records
 * j with a smaller a; backward, over those with a larger one. */
DPPAIR_FN_ void dppair_kendall_pass_(uint64_t *row, const dppair_kendall_ *k, int backward) {
  const size_t last = k->n - 1;
  size_t from, to, i;
  memset(k->tree, 0, (k->n + 1) * sizeof *k->tree);
  for (from = 0; from < k->n; from = to) { /* records with the same a */
    const uint32_t first = k->order[backward ? last - from : from];
    for (to = from; to < k->n; to++) {
      const uint32_t at = k->order[backward ? last - to : to];
      uint64_t sum;
      if (dppair_kendall_before_(k, first, at, 1) || dppair_kendall_before_(k, at, first, 1)) break;
      sum = dppair_kendall_upto_(k, k->rank[at] - 1) + dppair_kendall_upto_(k, k->rank[at]);
      row[at] += backward ? 2 * (uint64_t)from - sum : sum;
    }
    for (i = from; i < to; i++) {
      size_t r = k->rank[k->order[backward ? last - i : i]];
      for (; r <= k->n; r += r & (~r + 1)) k->tree[r]++;
    }
    for (i = from; i < to && !backward; i++) row[k->order[i]] += (uint64_t)(to - from - 1);
  }
}

/* row[i] = the sum over j != i of 1 + sign((a_i - a_j)(b_i - b_j)), O(n log n). Those with the same
 * a count 1. */
DPPAIR_FN_ void dppair_kendall_rows_(uint64_t *row, dppair_kendall_ *k) {
  size_t i, r = 0;
  for (i = 0; i < k->n; i++) k->order[i] = (uint32_t)i;
  dppair_kendall_sort_(k, 0);
  for (i = 0; i < k->n; i++) {
    if (i == 0 || dppair_kendall_before_(k, k->order[i - 1], k->order[i], 0)) r = i + 1;
    k->rank[k->order[i]] = (uint32_t)r;
  }
  dppair_kendall_sort_(k, 1);
  memset(row, 0, k->n * sizeof *row);
  dppair_kendall_pass_(row, k, 1);
  dppair_kendall_pass_(row, k, 0);
}

/*
 * Kendall's tau-a of the pairs (a[i], b[i]), i < n: the mean over all pairs of records of
 * sign((a - a')(b - b')), in [-1, 1], ties 0; and an interval for that of the population. (The
 * divisor of tau-b is private.) NaN counts as -infinity. One record moves tau by 4/n. The interval
 * is that of dppair_evaluate_statistic. O(n log n); work: dppair_evaluate_workspace(n, 0).
 *
 * Errors: permit.h; UNREAD: a promise.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_kendall(
    dppair_evaluation *out, dppair_release *release, const double *a, const double *b, size_t n,
    const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_kendall_ k;
  uint64_t *row;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!a || !b) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_begin_rows_(&e, &row, out, release, n, options, work, bytes);
  if (status != DPPAIR_OK) return status;
  k.a = a;
  k.b = b;
  k.n = n;
  k.order = (uint32_t *)(void *)(row + n);
  k.rank = k.order + n;
  k.tree = k.rank + n; /* n + 1 numbers: the workspace has 4 n + 4 of twice the size */
  dppair_kendall_rows_(row, &k);
  status = dppair_evaluate_rows_(out, &e, row, 2.0);
  dppair_evaluate_stretch_(out, -1.0, 2.0);
  return dppair_evaluate_end_(out, &e, status);
}

/* h of records i and j, i < j: a function of these two records, and of what is public, only. */
typedef double (*dppair_evaluate_kernel)(size_t i, size_t j, void *context);

/*
 * The mean over all pairs of n records of h, moved into [low, high] (NaN: low), and an interval for
 * the mean of h over pairs of the population: a U-statistic of degree 2. h should be symmetric; it
 * is called for i < j only, n (n - 1)/2 times. One record moves the mean by 2 (high - low)/n.
 * Released are the jackknife's variance (n > 2) and the mean. The interval holds all x for which
 * the test of "the mean is x" accepts, with a normal law of variance min(out->variance, 2 (x -
 * low)(high - x)/n): asymptotic. work: dppair_evaluate_workspace(n, 0).
 *
 * Errors: permit.h; UNREAD: a promise; DOMAIN: low, high or high - low is not finite, low >= high.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_evaluate_statistic(dppair_evaluation *out, dppair_release *release, dppair_evaluate_kernel h,
                          void *context, double low, double high, size_t n,
                          const dppair_evaluate_options *options, void *work, size_t bytes) {
  const double width = high - low, unit = dppair_unit_of_((double)n * (double)n);
  dppair_evaluate_ e;
  uint64_t *row;
  size_t i, j;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!h) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(low) || !dppair_isfinite_f64(width) || !(width > 0.0))
    return DPPAIR_ERR_DOMAIN;
  status = dppair_evaluate_begin_rows_(&e, &row, out, release, n, options, work, bytes);
  if (status != DPPAIR_OK) return status;
  memset(row, 0, n * sizeof *row);
  for (i = 0; i < n; i++)
    for (j = i + 1; j < n; j++) {
      const uint64_t k = dppair_units_((h(i, j, context) - low) / width, unit, 0.0);
      row[i] += k;
      row[j] += k;
    }
  status = dppair_evaluate_rows_(out, &e, row, unit);
  dppair_evaluate_stretch_(out, low, width);
  return dppair_evaluate_end_(out, &e, status);
}

DPPAIR_FP_END_
/* ---- src/modules/evaluation/roc.h -----------------------------------------------------------
 * The ROC curve with a band, from a histogram at public thresholds
 *
 * Relies on interval.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPPAIR_ROC_MOST_ 1000 /* thresholds */

/* A point of the curve: "positive" is said where score >= threshold. */
typedef struct dppair_roc_point {
  double threshold;
  double false_rate, false_lower, false_upper; /* the share of negatives that are said positive */
  double true_rate, true_lower, true_upper;    /* the share of positives that are */
} dppair_roc_point;

/*
 * P(the sum of k Laplace variables of scale 1 > x), x >= 0, 1 <= k <= 1001. By partial fractions of
 * (1 - t^2)^-k it is a mixture of gamma variables of either sign, with weights
 * C(2 k - j - 1, k - j) 2^(j - 2 k) for the j-th: all terms are positive.
 */
DPPAIR_FN_ double dppair_laplaces_above_(double x, size_t k) {
  double weight = 0.5, term = dppair_exp_(-x), gamma = 0.0, tail = 0.0;
  size_t j;
  for (j = 1; j < k; j++) weight *= (double)(2 * j - 1) / (double)(2 * j);
  for (j = 1; j <= k; j++) { /* gamma: P(a gamma variable of shape j > x) */
    gamma += term;
    term *= x / (double)j;
    tail += weight * gamma;
    if (j < k) weight *= 2.0 * (double)(k - j) / (double)(2 * k - j - 1);
  }
  return tail;
}

/* w with P(the sum of k noises > w) <= tail; k g/2 of it are for their grids. */
DPPAIR_FN_ double dppair_noises_quantile_(size_t k, double scale, double tail, int gaussian) {
  const double grids = (double)k * scale / 2048.0;
  double low = 0.0, high = 1.0;
  int i;
  if (k == 0) return 0.0;
  if (gaussian) return grids + scale * dppair_sqrt_((double)k) * dppair_normal_quantile_(tail);
  while (dppair_laplaces_above_(high, k) > tail) high *= 2.0;
  for (i = 0; i < 50; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_laplaces_above_(middle, k) > tail)
      low = middle;
    else
      high = middle;
  }
  return grids + scale * high;
}

/* What a band is made of: cells + 1 noisy counts of a class, from low scores to high ones; w[k] for
 * sums of k noises. */
typedef struct dppair_roc_ {
  const double *cell, *w;
  size_t cells;
  double spread; /* ln(2/d)/2 of the inequality of Dvoretzky, Kiefer and Wolfowitz */
} dppair_roc_;

DPPAIR_FN_ double dppair_above_0_(double x) { return x > 0.0 ? x : 0.0; }

/* The share x/(x + y) of two numbers >= 0; `none` where both are 0. */
DPPAIR_FN_ double dppair_part_of_(double x, double y, double none) {
  return x + y > 0.0 ? x / (x + y) : none;
}

/* The rate above threshold k = 1 .. cells - 1 (which has k cells below it), and its band. */
DPPAIR_FN_ void dppair_roc_rate_(double *rate, double *lower, double *upper, const dppair_roc_ *r,
                                 size_t k) {
  const size_t more = r->cells - k;
  double above = 0.0, below = 0.0, least, off;
  size_t i;
  for (i = 0; i < k; i++) below += r->cell[i];
  for (; i < r->cells; i++) above += r->cell[i];
  least = above + below - r->w[r->cells];
  off = least > 0.0 ? dppair_sqrt_(r->spread / least) : 1.0;
  *rate = dppair_part_of_(dppair_above_0_(above), dppair_above_0_(below), 0.5);
  *lower =
      dppair_part_of_(dppair_above_0_(above - r->w[more]), dppair_above_0_(below + r->w[k]), 0.0) -
      off;
  *upper =
      dppair_part_of_(dppair_above_0_(above + r->w[more]), dppair_above_0_(below - r->w[k]), 1.0) +
      off;
}

/* Makes rate, lower and upper fall along the thresholds, as the true rates do: the lower ends are
 * raised to later ones, the upper ends lowered to earlier ones. All within [0, 1]; each number at
 * `at` in a row of `stride` doubles. */
DPPAIR_FN_ void dppair_roc_hull_(double *rate, double *lower, double *upper, size_t stride,
                                 size_t count) {
  double most = 1.0, least = 0.0;
  size_t k;
  for (k = 0; k < count; k++) {
    if (upper[k * stride] < most) most = upper[k * stride];
    upper[k * stride] = most = dppair_above_0_(most);
  }
  for (k = count; k-- > 0;) {
    double *low = lower + k * stride, *high = upper + k * stride, *at = rate + k * stride;
    if (*low > least) least = *low;
    if (least > 1.0) least = 1.0;
    *low = least;
    if (*high < least) *high = least; /* a band that does not hold */
    *at = *at < *low ? *low : *at > *high ? *high : *at;
  }
  for (k = 1; k < count; k++) /* the ends fall, so a smaller number stays between them */
    if (rate[k * stride] > rate[(k - 1) * stride]) rate[k * stride] = rate[(k - 1) * stride];
}

/* The area under the polygon through the points, and those of the lowest and the highest stairs in
 * the band: of the negatives between two thresholds the positives above both, or above the lower
 * one, are counted. */
DPPAIR_FN_ void dppair_roc_area_(dppair_evaluation *area, const dppair_roc_point *p, size_t count) {
  double f = 1.0, t = 1.0, before = 1.0;
  size_t k;
  area->value = 0.0;
  area->lower = p[0].true_lower;
  area->upper = 1.0;
  for (k = 0;; k++) {
    const double next_f = k < count ? p[k].false_rate : 0.0,
                 next_t = k < count ? p[k].true_rate : 0.0;
    area->value += (f - next_f) * 0.5 * (t + next_t);
    f = next_f;
    t = next_t;
    if (k == count) break;
    area->lower -=
        p[k].false_upper * (p[k].true_lower - (k + 1 < count ? p[k + 1].true_lower : 0.0));
    area->upper -= p[k].false_lower * (before - p[k].true_upper);
    before = p[k].true_upper;
  }
  area->lower = dppair_above_0_(area->lower);
  area->value = area->value < area->lower   ? area->lower
                : area->value > area->upper ? area->upper
                                            : area->value;
  area->released = area->value;
}

/* How many thresholds are at most s. */
DPPAIR_FN_ size_t dppair_roc_cell_(double s, const double *thresholds, size_t count) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (thresholds[middle] <= s)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/*
 * Points of the ROC curve at thresholds[count], which are public and ascending, and a band that
 * holds the population's rates at all of them at once, with the confidence of the options (proved;
 * in practice more often). *area, where it is not NULL: the AUC of the polygon through the points,
 * which differs from the AUC by at most half of the pairs within a cell, and an interval that holds
 * the population's AUC whenever the band holds. Whatever else is computed from the points, a
 * partial AUC or the threshold for a false-positive rate, is free. n log(count); work:
 * dppair_evaluate_workspace(n, count).
 *
 * The histogram of both classes has 2 (count + 1) cells. One record moves one count up and one
 * down: by 2 in l1, sqrt 2 in l2. Sums of k noises are taken to be below their quantile at 0.4
 * alpha/(8 cells), for all sums that are used, and the empirical rates of each class within
 * sqrt(ln(2/d)/(2 N)) of the population's, d = 0.3 alpha (Dvoretzky, Kiefer, Wolfowitz; Massart
 * 1990), N a lower bound of its records: in all alpha = 1 - confidence.
 *
 * Errors zero both: permit.h; SIZE: count is 0 or above 1000; DOMAIN: thresholds that are not
 * finite and ascending; UNREAD: a promise.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_roc(
    dppair_roc_point *points, dppair_evaluation *area, dppair_release *release, const double *s,
    const double *y, size_t n, const double *thresholds, size_t count,
    const dppair_evaluate_options *options, void *work, size_t bytes) {
  const size_t cells = count + 1;
  dppair_evaluate_ e;
  dppair_roc_ r;
  double *cell, *w, scale;
  size_t i;
  dppair_status status;
  if (area) memset(area, 0, sizeof *area);
  if (count > SIZE_MAX / sizeof *points) return DPPAIR_ERR_OVERFLOW;
  if (!points) return DPPAIR_ERR_NULL;
  memset(points, 0, count * sizeof *points);
  if (!s || !y || !thresholds) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK && (count == 0 || count > DPPAIR_ROC_MOST_)) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && e.promise) status = DPPAIR_ERR_UNREAD;
  for (i = 0; i < count && status == DPPAIR_OK; i++)
    if (!dppair_isfinite_f64(thresholds[i]) || (i > 0 && !(thresholds[i - 1] < thresholds[i])))
      status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK)
    status = dppair_work_(&cell, dppair_evaluate_room_(n, count), work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_apart_(cell, dppair_evaluate_room_(n, count), points, count * sizeof *points);
  if (status == DPPAIR_OK)
    status = dppair_apart_(cell, dppair_evaluate_room_(n, count), area, sizeof *area);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  w = cell + 2 * cells;
  memset(cell, 0, 2 * cells * sizeof *cell);
  for (i = 0; i < n; i++)
    cell[(dppair_is_positive_(y[i]) ? cells : 0) +
         dppair_roc_cell_(dppair_score_of_(s[i]), thresholds, count)] += 1.0;
  status = dppair_evaluate_noise_(cell, 2 * cells, &scale, &e, 1.0,
                                  e.gaussian ? 1.4142135623730952 : 2.0, (double)n);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i <= cells; i++)
    w[i] = dppair_noises_quantile_(i, scale, 0.4 * e.alpha / (8.0 * (double)cells), e.gaussian);
  r.w = w;
  r.cells = cells;
  r.spread = 0.5 * dppair_log_(2.0 / (0.3 * e.alpha));
  for (i = 0; i < count; i++) {
    dppair_roc_point *p = &points[i];
    p->threshold = thresholds[i];
    r.cell = cell;
    dppair_roc_rate_(&p->false_rate, &p->false_lower, &p->false_upper, &r, i + 1);
    r.cell = cell + cells;
    dppair_roc_rate_(&p->true_rate, &p->true_lower, &p->true_upper, &r, i + 1);
  }
  dppair_roc_hull_(&points->false_rate, &points->false_lower, &points->false_upper,
                   sizeof *points / sizeof(double), count);
  dppair_roc_hull_(&points->true_rate, &points->true_lower, &points->true_upper,
                   sizeof *points / sizeof(double), count);
  if (area == NULL) return DPPAIR_OK;
  dppair_roc_area_(area, points, count);
  area->noise = scale;
  area->variance = HUGE_VAL;
  for (i = 0; i < cells; i++) area->count += cell[cells + i];
  area->count = dppair_floor_(area->count + 0.5);
  return DPPAIR_OK;
}

DPPAIR_FP_END_

/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_EVALUATION_H */
#endif /* DPPAIR_DECLARE_ONLY */
