/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_allocation.h - random allocation: epochs that read every record (version 0.1.0)
 *
 *   An epoch is t steps, and every record is in k of its batches, by itself, all choices equally
 *   likely. It is shuffling with a proof: every record is read in every epoch, as by a loop over
 *   shuffled batches, and an epoch of 1 of t costs about as much as t Poisson samples of rate 1/t.
 *
 *     #include "dppair_allocation.h"               before the other headers
 *     #include "dppair_losses.h"
 *
 *     plan.sampling = dppair_sampling_allocation(n, 100, 1, DPPAIR_REPLACE_ONE);
 *     plan.steps = 1000;                           ten epochs of 100 batches
 *     plan.epsilon = 2.0, plan.delta = 1e-5;
 *     if (dppair_calibrate(&plan, &account, &composer) != DPPAIR_OK) return 1;
 *     if (dppair_release_open(&release, &account, &plan, NULL) != DPPAIR_OK) return 1;
 *     ... dppair_release_draw, gather, NAME_release, as with any other sampling ...
 *
 * sampling   dppair_sampling_allocation
 * draws      dppair_draw_allocation: the batch of a step, a function of key and step alone
 * accounts   dppair_accountant_sampled_gaussian charges epochs; the accountant's answers, plans,
 *            ledgers and releases know them once this header is there
 *            dppair_renyi_allocation: the divergence of an epoch, from its table
 *
 * What it extends has to know it: it comes before dppair_accountant.h, which it includes itself, as
 * it does dppair_noise.h. So it does in every file of a program that such an account passes
 * through: one without it refuses the kind with DPPAIR_ERR_MODULE. Beside another module that comes
 * before the accountant too, define DPPAIR_WITH_ALLOCATION before the first include.
 *
 * Epochs are a table of densities, about 1e-9 wide in 10 to 50 ms where nothing else is composed
 * with them; beside other steps the table goes on the lattice. Proofs: allocation/theory.h.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     83  core/freestanding.h                Without a C library: names for the time of one include
 *    134  modules/allocation/sampling.h      The sampling that says that records are allocated
 *           dppair_sampling_allocation
 *    150  modules/allocation/draw.h          Draws of random allocation
 *           dppair_draw_allocation
 *    328  core/quick.h                       What is compiled soon rather than fast: it begins
 *    352  modules/allocation/law.h           Gaussian noise on a statistic of the records that a...
 *    446  modules/allocation/theory.h        Random allocation
 *    539  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    550  modules/allocation/density.h       Random allocation: densities on a lattice
 *    663  modules/allocation/meeting.h       Random allocation: two groups of batches meet
 *    852  modules/allocation/combine.h       Random allocation: the density of a + b batches
 *   1173  modules/allocation/cut.h           Random allocation
 *   1337  modules/allocation/build.h         Random allocation: the table of t batches
 *   1450  modules/allocation/epochs.h        Random allocation: sums of independent losses
 *   1696  modules/allocation/curve.h         Random allocation: the privacy curve of a density
 *   1877  modules/allocation/patch.h         Random allocation
 *   2103  modules/allocation/comonotone.h    Random allocation
 *   2310  modules/allocation/replace_one.h   Random allocation
 *   2504  modules/allocation/answers.h       Random allocation: certified answers
 *   2847  modules/allocation/lattice.h       Allocated records on the lattice
 *           dppair_renyi_allocation
 *   3072  modules/allocation/routes.h        The route of epochs of one allocation
 *   3186  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_ALLOCATION_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_ALLOCATION_H
#define DPPAIR_ALLOCATION_H

#ifndef DPPAIR_WITH_ALLOCATION /* beside modules like this one it is defined before them */
#define DPPAIR_WITH_ALLOCATION
#endif

#include "dppair_noise.h"
#include "dppair_accountant.h"

#ifndef DPPAIR_KNOWS_ALLOCATION_
#error "include dppair_allocation.h first, or define DPPAIR_WITH_ALLOCATION before all headers"
#endif

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

DPPAIR_FP_BEGIN_

/* ---- src/modules/allocation/sampling.h ------------------------------------------------------
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

/* ---- src/modules/allocation/draw.h ----------------------------------------------------------
 * Draws of random allocation
 *
 * Each record is in k of the t batches of an epoch. Which ones is a function of the key, the epoch
 * and the record's number: record i owns the strings of bits i w, i w + 1, .. of its epoch, w the
 * least power of two >= k. So a batch is one scan of the key stream, and nothing is kept of an
 * epoch.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ALLOCATED_MOST_ 64u /* k: the words of a record are kept while it is decided */

/* The generator of an epoch, and what its uniform numbers need. */
typedef struct dppair_allocation_ {
  dppair_rng rng;
  uint32_t t, k, w, batch;
  uint32_t biased[DPPAIR_ALLOCATED_MOST_]; /* 2^32 mod (t - k + 1 + p): below it, once more */
  dppair_status status;
} dppair_allocation_;

/* The number below `bound` of string `at`, whose first word was rejected. Each of its words is,
 * with probability below 1/2; 199 in a row are the error EXHAUSTED. */
DPPAIR_OUT_OF_LINE_ uint32_t dppair_allocated_again_(dppair_allocation_ *a, uint64_t at,
                                                     uint32_t bound, uint32_t biased) {
  dppair_string_ s;
  unsigned level;
  s.rng = &a->rng;
  s.block = at / 16;
  s.lane = (unsigned)(at % 16);
  for (level = 1; level < DPPAIR_NOISE_LEVELS_; level++) {
    const uint64_t m = (uint64_t)dppair_string_word_(&s, level) * bound;
    if ((uint32_t)m >= biased) return (uint32_t)(m >> 32);
  }
  a->status = DPPAIR_ERR_EXHAUSTED;
  return 0;
}

/* Is the batch one of the record's, whose first string is number `at` and has these words? They
 * become the picks. The set after pick p holds b if a pick took b, or if b = t - k + p and pick p
 * was in the set already; then the question is about the earlier picks. */
DPPAIR_FN_ int dppair_is_allocated_(dppair_allocation_ *a, uint32_t *word, uint64_t at) {
  const uint32_t first = a->t - a->k;
  uint32_t b = a->batch, end = a->k, p;
  for (p = 0; p < a->k; p++) {
    const uint32_t bound = first + p + 1;
    const uint64_t m = (uint64_t)word[p] * bound;
    word[p] = (uint32_t)m < a->biased[p] ? dppair_allocated_again_(a, at + p, bound, a->biased[p])
                                         : (uint32_t)(m >> 32);
  }
  for (;;) {
    for (p = end; p-- > 0;)
      if (word[p] == b) return 1;
    if (b < first) return 0;
    end = b - first;
    b = word[end];
  }
}

/* Opens epoch and batch of a step. The key of an epoch is one that nothing else derives, and so are
 * its numbers, whatever else is drawn from rng. */
DPPAIR_FN_ void dppair_allocation_open_(dppair_allocation_ *a, const dppair_sampling *s,
                                        size_t step, const dppair_rng *rng) {
  uint32_t key[8], p;
  memset(a, 0, sizeof *a);
  a->t = (uint32_t)s->batches;
  a->k = (uint32_t)s->group;
  a->batch = (uint32_t)(step % s->batches);
  for (a->w = 1; a->w < a->k;) a->w *= 2;
  for (p = 0; p < a->k; p++) {
    const uint32_t bound = a->t - a->k + 1 + p;
    a->biased[p] = (0u - bound) % bound;
  }
  dppair_rng_derive_(key, rng, DPPAIR_LEVEL_ALLOCATION_, step / s->batches);
  dppair_rng_set_key_(&a->rng, rng->cipher, key, 0);
  dppair_wipe(key, sizeof key);
}

/* The scan. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_allocation_scan_(size_t *index, size_t *count, size_t n,
                                                          dppair_allocation_ *a) {
  enum { WORDS_ = 16 * 32 };
  const int tier = dppair_noise_tier_();
  uint32_t words[WORDS_];
  const size_t each = WORDS_ / a->w;
  size_t i, j, have = 0;
  for (i = 0; i < n && a->status == DPPAIR_OK; i += each) {
    const size_t live = n - i < each ? n - i : each;
    const uint64_t at = (uint64_t)i * a->w;
    dppair_keystream_row_(words, &a->rng, 0, at / 16, (live * a->w + 15) / 16, tier);
    for (j = 0; j < live && a->k == 1;
         j++) { /* as dppair_is_allocated_, without a branch that is drawn */
      uint64_t m = (uint64_t)words[j] * a->t;
      if ((uint32_t)m < a->biased[0])
        m = (uint64_t)dppair_allocated_again_(a, at + j, a->t, a->biased[0]) << 32;
      index[have] = i + j; /* have <= i + j < n */
      have += (uint32_t)(m >> 32) == a->batch;
    }
    for (j = 0; j < live && a->k > 1; j++)
      if (dppair_is_allocated_(a, words + j * a->w, at + j * a->w)) index[have++] = i + j;
  }
  dppair_wipe(words, sizeof words);
  *count = have;
  return a->status;
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_draw_allocation_work_(size_t *index, size_t *count,
                                                               const dppair_sampling *s,
                                                               size_t step, const dppair_rng *rng) {
  dppair_allocation_ a;
  dppair_status status;
  dppair_allocation_open_(&a, s, step, rng);
  status = dppair_allocation_scan_(index, count, s->n, &a);
  dppair_wipe(&a, sizeof a);
  return status;
}

/*
 * Draws the batch of a step of random allocation: of t = sampling->batches batches an epoch, step
 * `step` reads batch step % t of epoch step / t. In each epoch every record is in exactly k =
 * sampling->group of the t batches; each of its C(t, k) sets of batches is equally likely, and
 * other records and other epochs are independent. So batches have random sizes, and all batches of
 * an epoch together hold each record k times.
 *
 * The numbers of the records, in increasing order, go to index[0 .. *count - 1]. They are a
 * function of rng's cipher, key and stream, and of the step alone: no state is kept from step to
 * step, steps can be drawn in any order and drawn again, and rng does not move. Draws and splits of
 * the same generator are independent of them. *count is private with the batch.
 *
 * Cost: n key-stream words, k > 1: the next power of two times as many, a batch.
 *
 * index has room for `capacity` >= n numbers: less would show the size of the batch. Errors, before
 * anything is drawn: NULL; NO_PROOF, a sampling that is no allocation; SIZE, less room, t >= 2^32,
 * or k > 64 (k epochs of floor(t/k) batches each are charged the same, and can be drawn); DOMAIN, a
 * generator whose key is replaced after each call: an epoch would not be one; EXHAUSTED, 2^54
 * epochs; those of the sampling's fields (dppair_normaliser) and of the generator. EXHAUSTED
 * afterwards has probability n k 2^-199. On any error *count and all of index are 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_draw_allocation(size_t *index, size_t *count,
                                                                  size_t capacity,
                                                                  const dppair_sampling *sampling,
                                                                  size_t step,
                                                                  const dppair_rng *rng) {
  size_t most = 0, drawn = 0;
  uint64_t pass = 0;
  dppair_status status;
  if (count != NULL) *count = 0;
  status = dppair_array_(index, capacity);
  if (status != DPPAIR_OK) return status;
  status = count == NULL ? DPPAIR_ERR_NULL : dppair_draw_most_(&most, sampling);
  if (status == DPPAIR_OK && sampling->kind != DPPAIR_ALLOCATION) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK && (capacity < most || (double)sampling->batches > 4294967295.0 ||
                              sampling->group > DPPAIR_ALLOCATED_MOST_))
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_rng_check_(rng);
  if (status == DPPAIR_OK && rng->erase) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) pass = step / sampling->batches;
  if (pass >= DPPAIR_RNG_BLOCKS_) status = DPPAIR_ERR_EXHAUSTED;
  if (status == DPPAIR_OK) {
    status = dppair_draw_allocation_work_(index, &drawn, sampling, step, rng);
    dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  }
  if (status == DPPAIR_OK)
    *count = drawn;
  else if (capacity > 0)
    memset(index, 0, capacity * sizeof *index);
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "records", index, capacity, sizeof *index, count,
                       (double)step, 0.0, sampling, rng, status)))
    return DPPAIR_OK;
  return status;
}

/* The same for an open release, whose step it is. */
DPPAIR_RARE_ dppair_status dppair_allocation_batch_(size_t *index, size_t *count, size_t capacity,
                                                    const dppair_sampling *sampling, size_t step,
                                                    const dppair_rng *rng) {
  return dppair_draw_allocation(index, count, capacity, sampling, step, rng);
}

DPPAIR_FP_END_
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
DPPAIR_LIBM_BEGIN_

/* ---- src/modules/allocation/law.h -----------------------------------------------------------
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

DPPAIR_FN_ dppair_status dppair_allocation_check_(const dppair_step *step) {
  const dppair_status status = dppair_amplified_check_(step, 1);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(&step->sampling);
}

/* t', the batches of one run. */
DPPAIR_FN_ size_t dppair_allocation_batches_(const dppair_sampling *s) {
  return s->batches / s->group;
}

DPPAIR_FN_ int dppair_allocation_replaces_(const dppair_sampling *s) {
  return dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE;
}

/* The shift of Gaussian noise that dominates one run, and at most two batches attain: all curves
 * fall with the number of batches (choose fewer of the steps first, alike in both worlds). One
 * batch is plain noise, 1/z or, replaced, 2/z; of two, a replaced record has the loss
 * (x_1 + x_2)/z. */
DPPAIR_FN_ double dppair_allocation_shift_(const dppair_sampling *s, double multiplier) {
  const double one = 1.0 / multiplier;
  if (!dppair_allocation_replaces_(s)) return one;
  return dppair_allocation_batches_(s) > 1 ? 1.41421356237309505 * one : 2.0 * one;
}

DPPAIR_FN_ int dppair_allocation_exact_(const dppair_sampling *s) {
  return dppair_allocation_batches_(s) <= (dppair_allocation_replaces_(s) ? 2u : 1u);
}

/* Plain Gaussian noise where that is what one run is. `lower` bounds of an epoch that ends
 * early, and of blocks that only dominate, are not known to be attained. */
DPPAIR_FN_ void dppair_allocation_charge_(dppair_charge_ *charge, const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if ((s->group > 1 && s->group < s->batches) || step->steps % s->batches != 0)
    charge->attained = DPPAIR_ATTAINED_NEVER_;
  if (dppair_allocation_exact_(s))
    charge->mu = dppair_up_(dppair_up_(dppair_allocation_shift_(s, step->noise_multiplier)));
}

/* The dominating pair of one run; where the table does not reach, of plain Gaussian noise. */
DPPAIR_FN_ dppair_status dppair_allocation_law_(dppair_law_ *law, const dppair_step *step,
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
DPPAIR_FN_ dppair_status dppair_allocation_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double shift = dppair_allocation_shift_(&step->sampling, step->noise_multiplier);
  r->rdp = 0.5 * r->order * shift * shift;
  return DPPAIR_OK;
}

/* ---- src/modules/allocation/theory.h -------------------------------------------------------- */
/* ================================================================================================
 * Random allocation
 *
 * An epoch has t noisy steps. Every record is put into exactly one of the t batches, uniformly and
 * independently of all other records; step i releases f_i(batch i; earlier outputs) + sigma N(0,
 * I), and zeroing a record moves f_i by at most S. z = sigma/S. Epochs draw afresh.
 *
 * The law. x_1 .. x_t are independent N(0, 1), X_i = exp(x_i/z - 1/(2z^2)), L = (X_1 + .. + X_t)/t,
 * Q is the law of x, dP = L dQ, l = log L has density f under Q and p = e^l f under P. Then
 *     remove: delta = E_Q (L - e^epsilon)_+       add: delta = E_Q (1 - e^epsilon L)_+,
 * and E epochs are the E-fold products, each direction by itself.
 *
 * Zero-out, adaptive queries. Condition on the other records' batches. Against the world without
 * the record, its world has the density (1/t) sum Y_i, Y_i = exp(r_i xi_i/z - r_i^2/(2z^2)), with
 * r_i <= 1 a function of the past and xi_i N(0, 1) given the past. Both curves are E phi of it with
 * phi convex. Y(r) is a martingale in r, so it grows in convex order with r; backwards from i = t,
 * V_i(s) = sup over r of E V_(i+1)(s + Y(r)/t) is convex and has its supremum at r = 1. So earlier
 * outputs buy nothing, and constant queries attain the law. k of t: with t' = floor(t/k), draw k
 * disjoint blocks of t' steps, then one step in each; reveal the blocks, and the same induction
 * holds in each block's sum: at most k epochs of 1 of t'. All curves fall with t: reveal a subset
 * of the steps first.
 *
 * Replace-one. One replaced record is dominated by (1/t) sum N(+e_i/z, I) against (1/t) sum
 * N(-e_i/z, I): given the past, A - cB is largest in convex order for opposite moves of full
 * length. With X*_i = exp(-x_i/z - 1/(2z^2)), X_i and -X*_i both grow with x_i, so X_i - c X*_i is
 * larger in convex order than with an independent copy (lower end: the pair "remove, then add"),
 * and mean X_i - c mean X*_i is smaller than with the comonotone coupling of the two means (upper
 * end). Both are one-dimensional and survive composition. For t = 2 the loss is (x_1 + x_2)/z:
 * sqrt(2E)/z-GDP, which bounds t > 2 too; t = 1 is 2 sqrt(E)/z-GDP.
 *
 * Facts. f_n is the density of l for n batches, K = n z^2.
 *  F1 f_n and p_n are a Gaussian of variance 1/K convolved with a probability law (rotate x into
 *     its mean and the rest), so sup f_n, sup p_n <= sqrt(K/2pi).
 *  F2 |f_n(l + iy)| <= e^(K y^2/2) f_n(l).
 *  F3 (log f_n)'' >= -K. On [u, v] f <= e^(K(v-u)^2/8) max(f(u), f(v)), and f(x) <= e^(K
 *     r^2/2)/(2r) times its integral over [x-r, x+r].
 *  F4 both pass to delta, to products f_a(x) f_b(x-d) at fixed d (K_a + K_b) and to m-fold
 *     convolutions (K/m).
 *
 * a + b batches. With n = a + b, d = l_a - l_b and s(d) = -log((a + b e^-d)/n)
 *     f_n(l) = int P_d(l + s(d)) dd,  P_d(x) = f_a(x) f_b(x - d),
 * a trapezoid sum over d = D k, D a multiple of the lattice's h, so that P_d is formed on the
 * lattice and only this product is interpolated: Lagrange, 16 nodes at -7 .. 8 steps, of P_d e^(-p
 * x/h).
 *
 * Errors, relative to the sum f~, all added at each node:
 *  1 What the tables carry: sum |w| P (E_a + E_b + E_a E_b).
 *  2 Trapezoid rule. Under d -> d + i alpha the imaginary parts of the arguments add up to alpha,
 *    and the real parts both move by the same amount in [0, s], s = -log cos(alpha/2). By F2 and F3
 *    the error is at most 2/(e^g - 1) (f_n(l) + f_n(l + s)), g = 2 pi alpha/D - z^2 max(a, b)
 *    alpha^2/2 - z^2 n s^2/8. Any larger s will do: here a multiple of the output step.
 *  3 Interpolation. By Cauchy's formula on the circle of radius R = 32 steps about the cell's
 *    centre, omega(y) = prod (y^2 - (j + 1/2)^2), the error is at most the sum over arcs {R cos
 *    theta in [rho, rho + 1]} of A_rho e^(3|p|/2 - p rho) times P_d within [rho - 1/2, rho + 3/2]
 *    steps; summed over d that is f_n (with 2) at the four nodes about rho, twice because each term
 *    is bounded by its larger end: 2 e^(5 K h^2/8) sum A_rho e^(3|p|/2 - p rho) max(f_n(rho - 1) ..
 *    f_n(rho + 2)).
 *  4 Rounding: weights, tilt, product, 16 taps, sums of 8 terms and of those: (28 + terms/8) u. The
 *    position l + s(d) is off by `slip` steps; the weights then are off by slip times their largest
 *    derivative, which is added to |w| in the sums of item 1.
 *  5 Missing. Let mu bound the mass outside of a table, under P and Q, as an integral and as h
 *    times the sum over nodes, and nu the supremum there of f max(1, e^l). What a tap q reads
 *    outside amounts to at most M min(1, e^-(l + (q-1)h)), M = 4 (n/min(a, b)) (mu_a sup f_b + mu_b
 *    sup f_a + nu_a + nu_b). Proof: where d <= 0, x_b is beyond l, sup f_b e^x bounds the other
 *    factor, and the nodes x_a are spread out: with r = 0.6/sqrt(K_a), F3 turns D times their sum
 *    into at most 1.71 (n/b) times the mass outside, apart from nodes within r of the table's ends,
 *    whose number gives 1.2 (n/b) nu_a. Where d > 0, nu_a bounds f_a e^x, and the f_b add up to
 *    1.71 (n/a). So 1.71 would do for mu and 2.92 for nu in place of 4. It needs D sqrt(K) <= 1,
 *    h sqrt(K) <= 1/8 and |a - b| <= 1. With the weights:
 *    times lam = e^|p| sum max|w_q| e^(-pq) max(1, e^((1-q)h)).
 *    Masses: for each d a tap takes nodes to nodes one to one, so that the missing parts of all
 *    nodes add up to at most lam (mu_a + mu_b); E[e^l; bad] is the same mixture under P. An
 *    integral over cells is at most twice e^(K h^2/8) the sum over their nodes.
 *  6 Upper values of f_n, for 2 and 3: at every 32nd node the sum over d of the larger of two nodes
 *    (F3), in between F3 again, from right to left because of s. Three times replaced by f~ +
 *    error.
 *  A table is cut where E > 1000; what is cut goes to mu and nu.
 *  7 E epochs: plain convolution, D sum f_A(x) f_B(l - x): trapezoid 2 e^(-2 pi^2/(D^2 (K_A +
 *    K_B))) relative, rounding (terms + 12) u; missing (D/h) (mu_A sup f_B + mu_B sup f_A) min(1,
 *    e^-l).
 *  8 Curve: the weights W_r of f(h (j + r)) are integrals of the tilted interpolant times e^u - 1,
 *    from epsilon on. Its error is 3 with g(w) = e^epsilon int (e^u - 1) f(epsilon + h w + u) du,
 *    which falls with w, in place of f_n. What is outside adds (sum |B| + sum |C| + 1) mu and the
 *    nearest taps' nu.
 * exp, log and their kin are taken to be within an ulp, those of long double within four.
 * Only the final roots choose a side. Nothing is clamped: what is not certain is an error.
 *
 * The source of the two curves is Feldman and Shenfeld (2025); dominating pairs compose adaptively
 * (Zhu, Dong and Wang 2022).
 * ============================================================================================== */

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
DPPAIR_LIBM_BEGIN_

/* ---- src/modules/allocation/density.h -------------------------------------------------------
 * Random allocation: densities on a lattice
 *
 * Values with relative errors, what is charged for the rest, the law of one batch, and the
 * 16-point interpolation that the other chapters share. Relies on theory.h and normal.h.
 * ---------------------------------------------------------------------------------------------- */

/* The density f of a loss l under Q: |f - f~| <= error f~ at the nodes l = h (first + i). */
typedef struct dppair_density_ {
  double *f, *error;
  int64_t first;
  size_t size;
  double h, curvature; /* (log f)'' >= -curvature */
  /* at least the mass outside of the nodes, under P and under Q, as an integral and as h times the
   * sum over outer nodes; at least the supremum there of f max(1, e^l) */
  double outside, beyond;
} dppair_density_;

/* Unit roundoff of long double, which is used for what is computed once per shift and may be no
 * wider than double; of a sum of two doubles LDBL_EPSILON says more than products keep. */
#define DPPAIR_WIDE_UNIT_ (LDBL_EPSILON > 1e-30L ? 0.5 * (double)LDBL_EPSILON : 1e-30)

enum {
  DPPAIR_TAPS_ = 16,  /* of the interpolation, at -7 .. 8 steps */
  DPPAIR_RUN_ = 32,   /* outputs that share a tilt */
  DPPAIR_REACH_ = 47, /* nodes that they read */
  DPPAIR_RADIUS_ = 32 /* of the circle in steps: theory.h */
};

DPPAIR_FN_ double dppair_larger_(double a, double b) { return a > b ? a : b; }

/* sup |w_q| and sup |w_q'| over a cell, q = -7 .. 8, rounded up; symmetric. */
DPPAIR_FN_ double dppair_tap_most_(size_t q) {
  static const double most[8] = {6.4e-6, 1.11e-4, 9.18e-4, 4.87e-3, 1.88e-2, 5.82e-2, 0.164, 1.0};
  return most[q < 8 ? q : 15 - q];
}
DPPAIR_FN_ double dppair_tap_slope_(size_t q) {
  static const double slope[8] = {2.23e-5, 3.89e-4, 3.27e-3, 1.77e-2, 7.08e-2, 0.234, 0.778, 1.317};
  return slope[q < 8 ? q : 15 - q];
}

/* The weights w_q(y) of the interpolation at y steps, 0 <= y <= 1. Each is a product of factors
 * that are exact up to one rounding: 48 roundings at most. */
DPPAIR_FN_ void dppair_taps_(long double *w, long double y) {
  static const double factorial[16] = {1.0,         1.0,          2.0,           6.0,
                                       24.0,        120.0,        720.0,         5040.0,
                                       40320.0,     362880.0,     3628800.0,     39916800.0,
                                       479001600.0, 6227020800.0, 87178291200.0, 1307674368000.0};
  long double left = 1.0L, right = 1.0L;
  int q;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    w[q] = left;
    left *= y - (long double)(q - 7);
  }
  for (q = DPPAIR_TAPS_ - 1; q >= 0; q--) {
    const double scale = factorial[q] * factorial[15 - q];
    w[q] *= right / (long double)(q % 2 != 0 ? scale : -scale);
    right *= y - (long double)(q - 7);
  }
}

/* arc[32 + rho] = A_rho of theory.h for curvature * h^2 = bend, rounded up. */
DPPAIR_FN_ void dppair_arcs_(double *arc, double bend) {
  const double radius = (double)DPPAIR_RADIUS_, circle = radius * radius;
  double centre = 1.0; /* |omega(0)| */
  int rho, j;
  for (j = 0; j < 8; j++) centre *= (j + 0.5) * (j + 0.5);
  for (rho = 0; rho < DPPAIR_RADIUS_; rho++) {
    /* cos from rho/R to (rho+1)/R: the smaller angle bounds |omega| below, the larger the sine */
    const double nearby = dppair_acos_((rho + 1.0) / radius), remote = dppair_acos_(rho / radius);
    const double twice = 2.0 * ((rho + 1.0) / radius) * ((rho + 1.0) / radius) - 1.0;
    const double rise = 1.0 - (rho / radius) * (rho / radius);
    double omega = 1.0;
    for (j = 0; j < 8; j++) {
      const double k = (j + 0.5) * (j + 0.5);
      omega *= circle * circle - 2.0 * circle * k * twice + k * k;
    }
    arc[DPPAIR_RADIUS_ + rho] = 1.000001 * (remote - nearby) * 0.31830988618379067 * centre /
                                dppair_sqrt_(omega) * radius / (radius - 0.5) *
                                dppair_exp_(0.5 * bend * circle * rise);
    arc[DPPAIR_RADIUS_ - 1 - rho] = arc[DPPAIR_RADIUS_ + rho];
  }
}

/* The density of one batch, with noise multiplier z, on the lattice h: normal with mean -1/(2z^2)
 * and deviation 1/z. x = z l + 1/(2z) is cut `cut` below 0 and above 1/z, where under Q and under P
 * a mass below 4e-51 (15) or 2e-60 (16.5) is left on each side. */
DPPAIR_FN_ dppair_status dppair_density_batch_(dppair_density_ *d, double *work, size_t room,
                                               double z, double h, double cut) {
  const double half = 0.5 / z, low = dppair_floor_((-cut - half) / z / h);
  const double high = dppair_ceil_((cut + 1.0 / z - half) / z / h);
  const long double scale = (long double)z * 0.39894228040143267793994605993438L;
  size_t i;
  if (!(high - low < (double)room - 1.0)) return DPPAIR_ERR_WORKSPACE;
  d->first = (int64_t)low;
  d->size = (size_t)(high - low) + 1;
  d->f = work;
  d->error = work + room;
  d->h = h;
  d->curvature = z * z;
  d->outside = cut > 16.0 ? 1e-58 : 1e-48;
  d->beyond = d->outside * z;
  for (i = 0; i < d->size; i++) {
    const double l = h * (double)(d->first + (int64_t)i);
    const long double x = (long double)z * (long double)l + 0.5L / (long double)z;
    const double size =
        dppair_fabs_((double)x) * (dppair_fabs_(z * l) + half + dppair_fabs_((double)x)) + 1.0;
    d->f[i] = (double)(scale * dppair_expl_(-0.5L * x * x));
    d->error[i] = 2.0 * DPPAIR_UNIT_ + 8.0 * DPPAIR_WIDE_UNIT_ * size;
  }
  return DPPAIR_OK;
}

/* ---- src/modules/allocation/meeting.h -------------------------------------------------------
 * Random allocation: two groups of batches meet
 *
 * The places, weights and constants of the sum over d = l_a - l_b, its sum at a node bounded
 * without interpolation, and bounds of f_n that need no other bound (theory.h, 1, 2 and 5). Relies
 * on density.h.
 * ---------------------------------------------------------------------------------------------- */

/* Memory that is handed out from the front. */
typedef struct dppair_pool_ {
  double *at;
  size_t left;
} dppair_pool_;

/* n doubles; NULL when there are not so many. */
DPPAIR_FN_ double *dppair_pool_take_(dppair_pool_ *pool, size_t n) {
  double *const at = pool->at;
  if (n > pool->left) return NULL;
  pool->at += n;
  pool->left -= n;
  return at;
}

/* Tables a and b on one lattice h, of n_a and n_b batches. */
typedef struct dppair_meeting_ {
  const dppair_density_ *a, *b;
  double n_a, n_b, n, z, h, bend;    /* bend: the curvature of f_n times h^2 */
  int64_t split, stride, first_k;    /* outputs per h; d = stride k h, k = first_k .. */
  int64_t ahead;                     /* s of theory.h in outputs */
  size_t count;                      /* numbers k */
  int same;                          /* a is b: d >= 0 only, twice */
  double gap;                        /* stride h, twice that if same */
  double trapezoid;                  /* 2/(e^g - 1) */
  double missing;                    /* M of theory.h */
  double unit;                       /* rounding relative to sum |w| P */
  double block;                      /* e^(K (32h)^2/8) */
  double *tap, *whole, *part, *slip; /* of each k, for outputs at h j, then for h (j + 1/2) */
  double *up_a, *up_b;               /* f (1 + error) */
} dppair_meeting_;

/* The best value of g - 15 z sqrt(n) s over alpha for a step `gap`, with its g and s. */
DPPAIR_FN_ double dppair_meeting_gain_(double *g, int64_t *ahead, const dppair_meeting_ *m,
                                       double gap) {
  const double larger = dppair_larger_(m->n_a, m->n_b) * m->z * m->z,
               step = m->h / (double)m->split;
  const double root = m->z * dppair_sqrt_(m->n);
  double top = 6.2831853 / (gap * larger), best = -HUGE_VAL;
  int i;
  if (top > 3.1) top = 3.1;
  for (i = 1; i <= 64; i++) {
    const double alpha = top * i / 64.0,
                 steps = dppair_ceil_(-dppair_log_(dppair_cos_(0.5 * alpha)) / step * 1.000001);
    const double s = steps * step;
    const double rate =
        6.2831853 * alpha / gap - 0.5 * larger * alpha * alpha - 0.125 * root * root * s * s;
    if (steps < 1e6 && rate - 15.0 * root * s > best) {
      best = rate - 15.0 * root * s;
      *g = rate - 1e-6;
      *ahead = (int64_t)steps;
    }
  }
  return best;
}

/* Chooses the stride: the largest with a negligible trapezoid error, and even, since s(d) is about
 * d/2: most places then are close to nodes, where the weights amplify errors least. 0: h is too
 * wide. */
DPPAIR_FN_ int dppair_meeting_stride_(dppair_meeting_ *m) {
  double g = 0.0;
  for (m->stride = (int64_t)(1.0 / dppair_sqrt_(m->bend)); m->stride > 0; m->stride--)
    if ((m->stride % 2 == 0 || m->stride == 1) &&
        dppair_meeting_gain_(&g, &m->ahead, m, m->h * (double)m->stride) >= 45.0)
      break;
  m->trapezoid = 2.0001 * dppair_exp_(-g);
  return m->stride > 0;
}

/* s(d)/h, and *error >= its error. */
DPPAIR_FN_ long double dppair_meeting_place_(double *error, const dppair_meeting_ *m, double d) {
  const long double wide = (long double)d, n = (long double)m->n;
  const long double s =
      d > -1.0 ? -dppair_log1pl_((long double)m->n_b / n * dppair_expm1l_(-wide))
               : wide - dppair_log1pl_((long double)m->n_a / n * dppair_expm1l_(wide));
  const double size = dppair_fabs_((double)s) + (d > -1.0 ? 0.0 : 0.5 * dppair_fabs_(d));
  /* functions within 4 ulp; where long double is double, within 1 */
  *error = (LDBL_MANT_DIG > 53 ? 32.0 : 12.0) * DPPAIR_WIDE_UNIT_ * (size / m->h + 1.0);
  return s / (long double)m->h;
}

/* Fills in what depends on k alone. */
DPPAIR_FN_ void dppair_meeting_shifts_(dppair_meeting_ *m) {
  long double w[DPPAIR_TAPS_];
  size_t k, q;
  int64_t phase;
  for (k = 0; k < m->count; k++) {
    const double d = m->h * (double)(m->stride * (m->first_k + (int64_t)k));
    double error;
    const long double place = dppair_meeting_place_(&error, m, d);
    for (phase = 0; phase < m->split; phase++) {
      const long double at = place + (phase > 0 ? 0.5L : 0.0L), whole = dppair_floorl_(at);
      const size_t i = k + (size_t)phase * m->count;
      m->whole[i] = (double)whole;
      m->part[i] = (double)(at - whole);
      m->slip[i] = error;
      dppair_taps_(w, at - whole);
      for (q = 0; q < DPPAIR_TAPS_; q++) m->tap[i * DPPAIR_TAPS_ + q] = (double)w[q];
    }
  }
}

DPPAIR_FN_ double *dppair_meeting_upper_(dppair_pool_ *pool, const dppair_density_ *d) {
  double *const up = dppair_pool_take_(pool, d->size);
  size_t i;
  for (i = 0; up != NULL && i < d->size; i++) up[i] = d->f[i] * (1.0 + d->error[i]) * 1.000001;
  return up;
}

/* Prepares the sum over d; z, n_a, n_b, a, b and split are given. NO_CONVERGENCE: h is too wide. */
DPPAIR_FN_ dppair_status dppair_meeting_open_(dppair_meeting_ *m, dppair_pool_ *pool) {
  const dppair_density_ *a = m->a, *b = m->b;
  const double fewer = m->n_a < m->n_b ? m->n_a : m->n_b;
  const double top_a = 0.39895 * dppair_sqrt_(a->curvature),
               top_b = 0.39895 * dppair_sqrt_(b->curvature);
  int64_t low, high;
  size_t phases;
  m->h = a->h;
  m->n = m->n_a + m->n_b;
  m->same = a == b;
  m->bend = m->z * m->h * m->z * m->h * m->n;
  if (!dppair_meeting_stride_(m)) return DPPAIR_ERR_NO_CONVERGENCE;
  low = a->first - (b->first + (int64_t)b->size - 1);
  high = a->first + (int64_t)a->size - 1 - b->first;
  m->first_k = m->same ? 0 : low / m->stride - 1;
  m->count = (size_t)(high / m->stride + 1 - m->first_k + 1);
  m->gap = m->h * (double)m->stride * (m->same ? 2.0 : 1.0);
  m->missing =
      4.0001 * (m->n / fewer) * (a->outside * top_b + b->outside * top_a + a->beyond + b->beyond);
  /* tap 1, tilt 6, their product 1, P 1, term 1, sum of taps 8, of eight terms 8, gap 1 */
  m->unit = 28.0 * DPPAIR_UNIT_ + 100.0 * DPPAIR_WIDE_UNIT_;
  m->block = dppair_exp_(0.125 * 1024.0 * m->bend) * 1.000001;
  phases = m->count * (size_t)m->split;
  m->tap = dppair_pool_take_(pool, phases * DPPAIR_TAPS_);
  m->whole = dppair_pool_take_(pool, phases);
  m->part = dppair_pool_take_(pool, phases);
  m->slip = dppair_pool_take_(pool, phases);
  m->up_a = dppair_meeting_upper_(pool, a);
  m->up_b = m->same ? m->up_a : dppair_meeting_upper_(pool, b);
  if (m->tap == NULL || m->whole == NULL || m->part == NULL || m->slip == NULL || m->up_a == NULL ||
      m->up_b == NULL)
    return DPPAIR_ERR_WORKSPACE;
  dppair_meeting_shifts_(m);
  return DPPAIR_OK;
}

/* A bound of P_d between nodes i and i + 1, without e^(K h^2/8), where both lie in the tables;
 * where one does, the other is charged as missing. */
DPPAIR_FN_ double dppair_meeting_term_(const dppair_meeting_ *m, int64_t i, int64_t shift) {
  const int64_t at_a = i - m->a->first, at_b = i - shift - m->b->first;
  const int64_t end_a = (int64_t)m->a->size, end_b = (int64_t)m->b->size;
  double low = 0.0, high = 0.0;
  if (at_a >= 0 && at_b >= 0 && at_a < end_a && at_b < end_b) low = m->up_a[at_a] * m->up_b[at_b];
  if (at_a >= -1 && at_b >= -1 && at_a + 1 < end_a && at_b + 1 < end_b)
    high = m->up_a[at_a + 1] * m->up_b[at_b + 1];
  return low > high ? low : high;
}

/* At least the part of the sum over d at the output h (j + phase/2) that lies in the tables. terms,
 * if not NULL: the bound of each P_d there, negative where a node lies outside. */
DPPAIR_FN_ double dppair_meeting_sum_(const dppair_meeting_ *m, int64_t j, size_t phase,
                                      double *terms) {
  const double *const whole = m->whole + phase * m->count;
  const double between = 1.000001 * dppair_exp_(0.125 * m->bend);
  const int64_t end_a = (int64_t)m->a->size, end_b = (int64_t)m->b->size;
  double sum = 0.0;
  size_t k;
  for (k = 0; k < m->count; k++) {
    const int64_t shift = m->stride * (m->first_k + (int64_t)k), i = j + (int64_t)whole[k];
    const double term = between * dppair_meeting_term_(m, i, shift);
    const int64_t at_a = i - m->a->first, at_b = i - shift - m->b->first;
    sum += m->same && k == 0 ? 0.5 * term : term;
    if (terms != NULL)
      terms[k] = at_a >= 0 && at_b >= 0 && at_a + 1 < end_a && at_b + 1 < end_b ? term : -1.0;
  }
  return sum * m->gap;
}

/* min(1, e^-l), rounded up. */
DPPAIR_FN_ double dppair_falling_(double l) { return l > 0.0 ? dppair_exp_(-l) * 1.000001 : 1.0; }

/* ---- src/modules/allocation/combine.h -------------------------------------------------------
 * Random allocation: the density of a + b batches
 *
 * Bounds at the edges of runs of 32 steps, the interpolated sums inside, their errors, and the cut
 * of the table (theory.h, 1 to 6). Relies on meeting.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LOOPS_BEGIN_

#if defined(__GNUC__)
typedef double dppair_two_ __attribute__((vector_size(16), aligned(8), may_alias));

/* sum[j] += sum_q w[q] p[j + q] for 32 outputs j: two chains of eight taps each. */
DPPAIR_FN_ void dppair_taps_sum_(double *sum, const double *w, const double *p) {
  int j, q;
  for (j = 0; j < DPPAIR_RUN_; j += 8) {
    dppair_two_ a = {0.0, 0.0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (q = 0; q < 8; q++) {
      const dppair_two_ low = {w[q], w[q]}, high = {w[q + 8], w[q + 8]};
      const dppair_two_ *const at = (const dppair_two_ *)(const void *)(p + j + q);
      a += low * at[0];
      b += low * at[1];
      c += low * at[2];
      d += low * at[3];
      e += high * at[4];
      f += high * at[5];
      g += high * at[6];
      h += high * at[7];
    }
    ((dppair_two_ *)(void *)(sum + j))[0] += a + e;
    ((dppair_two_ *)(void *)(sum + j))[1] += b + f;
    ((dppair_two_ *)(void *)(sum + j))[2] += c + g;
    ((dppair_two_ *)(void *)(sum + j))[3] += d + h;
  }
}
#else
DPPAIR_FN_ void dppair_taps_sum_(double *sum, const double *w, const double *p) {
  int i, j, q;
  for (j = 0; j < DPPAIR_RUN_; j += 4) {
    double s[4] = {0.0, 0.0, 0.0, 0.0}, o[4] = {0.0, 0.0, 0.0, 0.0};
    for (q = 0; q < 8; q++)
      for (i = 0; i < 4; i++) {
        s[i] += w[q] * p[j + q + i];
        o[i] += w[q + 8] * p[j + q + 8 + i];
      }
    for (i = 0; i < 4; i++) sum[j + i] += s[i] + o[i];
  }
}
#endif

/* p[low + i] = a[i] b[i] and r[low + i] = p[low + i] (its relative error + unit) below high, else
 * 0. */
DPPAIR_FN_ void dppair_products_(double *DPPAIR_RESTRICT_ p, double *DPPAIR_RESTRICT_ r,
                                 const double *a, const double *b, const double *e, const double *o,
                                 double unit, int low, int high) {
  int i;
  for (i = 0; i < low; i++) p[i] = r[i] = 0.0;
  for (i = 0; i < high - low; i++) {
    const double x = a[i] * b[i];
    p[low + i] = x;
    r[low + i] = x * (e[i] + o[i] + e[i] * o[i] + unit);
  }
  for (i = high; i < 48; i++) p[i] = r[i] = 0.0;
}

/* The tilted weights and what is to be summed of errors. */
DPPAIR_FN_ void dppair_run_weights_(double *DPPAIR_RESTRICT_ w, double *DPPAIR_RESTRICT_ v,
                                    const double *tap, const double *decay, const double *slope,
                                    double grow, double share) {
  int i;
  for (i = 0; i < DPPAIR_TAPS_; i++) {
    w[i] = tap[i] * (grow * decay[i]);
    v[i] = dppair_fabs_(w[i]) + share * slope[i];
  }
}

DPPAIR_LOOPS_END_

/* The tilted filter of one run. */
typedef struct dppair_tilt_ {
  double p, decay[DPPAIR_TAPS_], slope[DPPAIR_TAPS_];
  double spread; /* lam of theory.h */
} dppair_tilt_;

/* Chooses the tilt from the values at both edges; a multiple of 2^-8, so that p q is exact. */
DPPAIR_FN_ void dppair_tilt_of_(dppair_tilt_ *t, double here, double next, double h) {
  double p = here > 0.0 && next > 0.0 ? dppair_log_(next / here) / 32.0 : 0.0, grow;
  int q;
  if (!(p > -0.6)) p = -0.6;
  if (p > 0.6) p = 0.6;
  t->p = p = dppair_floor_(p * 256.0 + 0.5) / 256.0;
  grow = dppair_exp_(dppair_fabs_(p)) * 1.000001;
  t->spread = 0.0;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    const double most = dppair_tap_most_((size_t)q);
    t->decay[q] = dppair_exp_(-p * (q - 7));
    t->slope[q] = (dppair_tap_slope_((size_t)q) + dppair_fabs_(p) * most) * grow * t->decay[q];
    t->spread += grow * most * t->decay[q] * (q < 8 ? dppair_exp_((8 - q) * h) : 1.0);
  }
}

/* What the runs of a combination share. Edge e is the node 32 (first_run + e) of the input's
 * lattice; run e lies between edges e and e + 1. It begins as zeros. */
typedef struct dppair_runs_ {
  dppair_meeting_ m;
  int64_t first_run;
  size_t edges, begin, end;       /* runs [begin, end) are computed */
  double *sum, *bound, *terms;    /* of each edge; terms of two edges */
  double *upper, *wide, *sloping; /* bounds of f_n from `pad` before the first output */
  int64_t pad, nodes;             /* nodes: of those arrays */
  double step, spread, skipped;   /* step of outputs; the largest lam; mass not computed */
} dppair_runs_;

/* Bounds f_n at all edges, from right to left. */
DPPAIR_FN_ void dppair_runs_edges_(dppair_runs_ *r) {
  const dppair_meeting_ *m = &r->m;
  const size_t runs_ahead = (size_t)(m->ahead / (DPPAIR_RUN_ * m->split));
  const double tau = m->trapezoid;
  size_t e;
  for (e = r->edges; e-- > 0;) {
    const int64_t j = DPPAIR_RUN_ * (r->first_run + (int64_t)e);
    const double fall = dppair_falling_(m->h * (double)j);
    const double extra = 2.05 * dppair_exp_(m->h) * m->missing * fall;
    double next = 0.0;
    size_t k;
    r->sum[e] = dppair_meeting_sum_(m, j, 0, NULL);
    for (k = e + 1; k <= e + runs_ahead + 1; k++)
      next = dppair_larger_(next, k < r->edges ? r->bound[k] : extra);
    r->bound[e] =
        1.00001 * (r->sum[e] + extra + tau * m->block * next) / (1.0 - tau * (1.0 + m->block));
  }
}

/* At least f_n on run e. */
DPPAIR_FN_ double dppair_runs_most_(const dppair_runs_ *r, size_t e) {
  return r->m.block * dppair_larger_(r->bound[e], r->bound[e + 1]);
}

/* Chooses the runs that are computed: those between the first and the last that may hold `little`.
 * The sums at the others' nodes are added up, since bounds at edges alone would count what is
 * missing many times. */
DPPAIR_FN_ void dppair_runs_choose_(dppair_runs_ *r, double little) {
  const dppair_meeting_ *m = &r->m;
  const double length = m->h * (double)DPPAIR_RUN_;
  size_t e, j, phase;
  r->begin = r->edges - 1;
  for (e = 0; e + 1 < r->edges; e++) {
    const double l = length * (double)(r->first_run + (int64_t)e + 1);
    if (r->m.block * dppair_larger_(r->sum[e], r->sum[e + 1]) * length *
            (l > 0.0 ? dppair_exp_(l) : 1.0) <
        little)
      continue;
    if (r->begin > e) r->begin = e;
    r->end = e + 1;
  }
  for (e = 0; e + 1 < r->edges; e++) {
    if (e >= r->begin && e < r->end) continue;
    for (phase = 0; phase < (size_t)m->split; phase++)
      for (j = 0; j < DPPAIR_RUN_; j++) {
        const int64_t at = DPPAIR_RUN_ * (r->first_run + (int64_t)e) + (int64_t)j;
        const double l = m->h * ((double)at + 0.5 * (double)phase);
        r->skipped += dppair_meeting_sum_(m, at, phase, NULL) * (l > 0.0 ? dppair_exp_(l) : 1.0);
      }
  }
  r->skipped *= 1.0001 * r->step;
}

/* Is term k below `spare` on the whole run? */
DPPAIR_FN_ int dppair_run_skips_(const dppair_runs_ *r, size_t k, double spare) {
  const double low = r->terms[k], high = r->terms[r->m.count + k];
  return low >= 0.0 && high >= 0.0 && r->m.block * dppair_larger_(low, high) < spare;
}

/* One run and phase: sum[j] and the bound bad[j] of its errors, both without gap. */
DPPAIR_FN_ void dppair_run_(double *sum, double *bad, const dppair_runs_ *r,
                            const dppair_tilt_ *tilt, int64_t j, size_t phase, double spare) {
  const dppair_meeting_ *m = &r->m;
  const dppair_density_ *a = m->a, *b = m->b;
  const double *const low = r->terms, *const high = r->terms + m->count;
  double part[DPPAIR_RUN_], p[48], x[48], w[DPPAIR_TAPS_], v[DPPAIR_TAPS_], skip = 0.0, rounding;
  int i, used = 0;
  size_t k, terms = 0;
  for (k = 0; k < m->count; k++)
    if (!dppair_run_skips_(r, k, spare)) terms++;
  rounding = m->unit + 0.125 * (double)terms * DPPAIR_UNIT_;
  for (i = 0; i < DPPAIR_RUN_; i++) sum[i] = bad[i] = part[i] = 0.0;
  for (k = 0; k < m->count; k++) {
    const size_t at = k + phase * m->count;
    const int64_t shift = m->stride * (m->first_k + (int64_t)k);
    const int64_t from = j + (int64_t)m->whole[at] - 7;
    const int64_t at_a = from - a->first, at_b = from - shift - b->first;
    int64_t begin = at_a < at_b ? -at_a : -at_b, end = (int64_t)a->size - at_a;
    const double half = m->same && k == 0 ? 0.5 : 1.0;
    double unit, share, grow;
    if (begin < 0) begin = 0;
    if (end > (int64_t)b->size - at_b) end = (int64_t)b->size - at_b;
    if (end > DPPAIR_REACH_) end = DPPAIR_REACH_;
    if (begin >= end) continue;
    if (dppair_run_skips_(r, k, spare)) {
      skip += m->block * dppair_larger_(low[k], high[k]);
      continue;
    }
    unit = rounding + 4.0 * m->slip[at];
    share = m->slip[at] / unit;
    grow = half * dppair_exp_(tilt->p * m->part[at]);
    dppair_run_weights_(w, v, m->tap + at * DPPAIR_TAPS_, tilt->decay, tilt->slope, grow, share);
    dppair_products_(p, x, a->f + (at_a + begin), b->f + (at_b + begin), a->error + (at_a + begin),
                     b->error + (at_b + begin), unit, (int)begin, (int)end);
    dppair_taps_sum_(part, w, p);
    dppair_taps_sum_(bad, v, x);
    if (++used == 8) {
      for (i = 0; i < DPPAIR_RUN_; i++) {
        sum[i] += part[i];
        part[i] = 0.0;
      }
      used = 0;
    }
  }
  for (i = 0; i < DPPAIR_RUN_; i++) {
    sum[i] += part[i];
    bad[i] = 1.00001 * (bad[i] + skip);
  }
}

/* Computes all chosen runs into out, whose node `0` is the first output of the first run. */
DPPAIR_FN_ void dppair_runs_fill_(dppair_runs_ *r, dppair_density_ *out) {
  const dppair_meeting_ *m = &r->m;
  double sum[DPPAIR_RUN_], bad[DPPAIR_RUN_];
  size_t e, i, phase;
  for (e = r->begin; e < r->end; e++) {
    const int64_t j = DPPAIR_RUN_ * (r->first_run + (int64_t)e);
    const double here = r->sum[e], next = r->sum[e + 1];
    const double spare = 1e-20 / (double)m->count / m->gap * (here < next ? here : next);
    const size_t at = (e - r->begin) * DPPAIR_RUN_ * (size_t)m->split;
    dppair_tilt_ tilt;
    dppair_tilt_of_(&tilt, here, next, m->h);
    r->spread = dppair_larger_(r->spread, tilt.spread);
    if (e == r->begin)
      dppair_meeting_sum_(m, j, 0, r->terms);
    else
      memcpy(r->terms, r->terms + m->count, m->count * sizeof *r->terms);
    dppair_meeting_sum_(m, j + DPPAIR_RUN_, 0, r->terms + m->count);
    for (phase = 0; phase < (size_t)m->split; phase++) {
      dppair_run_(sum, bad, r, &tilt, j, phase, spare);
      for (i = 0; i < DPPAIR_RUN_; i++) {
        out->f[at + i * (size_t)m->split + phase] = m->gap * sum[i];
        out->error[at + i * (size_t)m->split + phase] = m->gap * bad[i];
      }
    }
  }
}

/* Bounds of f_n from the edges, before and after the runs and on them. */
DPPAIR_FN_ void dppair_runs_start_(dppair_runs_ *r) {
  const int64_t run = DPPAIR_RUN_ * r->m.split, last = (int64_t)r->edges - 2;
  int64_t i;
  for (i = 0; i < r->nodes; i++) {
    int64_t e = (i - r->pad + run * (int64_t)r->begin);
    e = e >= 0 ? e / run : -1;
    r->upper[i] =
        e < 0 ? dppair_runs_most_(r, 0) : dppair_runs_most_(r, (size_t)(e < last ? e : last));
  }
}

/* Errors of item 3 and of the trapezoid rule at the outputs, from the bounds in r->upper; then the
 * bounds are made smaller. own[i]: what the sums themselves carry. */
DPPAIR_FN_ void dppair_runs_errors_(dppair_runs_ *r, double *error, const dppair_density_ *out,
                                    const double *own, const double *arc) {
  const dppair_meeting_ *m = &r->m;
  const int64_t split = m->split, run = DPPAIR_RUN_ * split, size = (int64_t)out->size;
  const double tau = m->trapezoid;
  double weight[2 * DPPAIR_RADIUS_];
  int64_t i, e;
  int rho;
  for (i = 0; i < r->nodes; i++) {
    const int64_t s = i + m->ahead < r->nodes ? i + m->ahead : r->nodes - 1;
    r->wide[i] = r->upper[i] * (1.0 + tau) + tau * r->upper[s];
  }
  for (i = 0; i < r->nodes; i++) {
    double most = 0.0;
    for (rho = -1; rho <= 2; rho++) {
      const int64_t at = i + rho * split;
      most = dppair_larger_(most, r->wide[at < 0 ? 0 : (at < r->nodes ? at : r->nodes - 1)]);
    }
    r->sloping[i] = most;
  }
  for (e = 0; e < size / run; e++) {
    const size_t edge = r->begin + (size_t)e;
    const double scale = 2.002 * dppair_exp_(0.625 * m->bend);
    dppair_tilt_ tilt;
    dppair_tilt_of_(&tilt, r->sum[edge], r->sum[edge + 1], m->h);
    for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++)
      weight[rho + DPPAIR_RADIUS_] = scale *
                                     dppair_exp_(1.5 * dppair_fabs_(tilt.p) - tilt.p * rho) *
                                     arc[rho + DPPAIR_RADIUS_];
    for (i = e * run; i < (e + 1) * run; i++) {
      const double *const centre = r->sloping + (i + r->pad - DPPAIR_RADIUS_ * split);
      double sum = 0.0;
      for (rho = 0; rho < 2 * DPPAIR_RADIUS_; rho++) sum += weight[rho] * centre[rho * split];
      error[i] =
          1.00001 * (own[i] + sum + tau * (r->upper[i + r->pad] + r->upper[i + r->pad + m->ahead]));
    }
  }
}

/* error[i] += what is missing at output i. */
DPPAIR_FN_ void dppair_runs_missing_(const dppair_runs_ *r, double *error,
                                     const dppair_density_ *out) {
  const size_t run = (size_t)(DPPAIR_RUN_ * r->m.split);
  size_t i;
  for (i = 0; i < out->size; i += run) {
    const size_t edge = r->begin + i / run;
    dppair_tilt_ tilt;
    size_t k;
    dppair_tilt_of_(&tilt, r->sum[edge], r->sum[edge + 1], r->m.h);
    for (k = i; k < i + run; k++)
      error[k] += 1.00001 * tilt.spread * r->m.missing *
                  dppair_falling_(out->h * (double)(out->first + (int64_t)k));
  }
}

/* ---- src/modules/allocation/cut.h -----------------------------------------------------------
 * Random allocation: the table of a + b batches, cut and charged
 *
 * Relies on combine.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ double dppair_weight_(double l) { return l > 0.0 ? dppair_exp_(l) * 1.000001 : 1.0; }

/* The nodes [*begin, *end) that stay: from the largest value outwards while the relative error is
 * at most 1000. */
DPPAIR_FN_ void dppair_cut_ends_(size_t *begin, size_t *end, const dppair_density_ *out,
                                 const double *error) {
  size_t peak = 0, i;
  for (i = 1; i < out->size; i++)
    if (out->f[i] > out->f[peak]) peak = i;
  for (*begin = peak + 1; *begin > 0; --*begin)
    if (!(error[*begin - 1] <= 1000.0 * out->f[*begin - 1])) break;
  for (*end = peak; *end < out->size; ++*end)
    if (!(error[*end] <= 1000.0 * out->f[*end])) break;
}

/* Cuts the table and charges what lies outside of it. error: all errors; safe: those but what is
 * missing. */
DPPAIR_FN_ dppair_status dppair_runs_cut_(const dppair_runs_ *r, dppair_density_ *out,
                                          const double *error, const double *safe) {
  const dppair_meeting_ *m = &r->m;
  const double between = 1.0001 * dppair_exp_(0.125 * m->bend);
  double mass = r->skipped, beyond = 0.0, ahead = 0.0, ends = 0.0, first = 0.0, last;
  size_t begin, end, i;
  int64_t k;
  dppair_cut_ends_(&begin, &end, out, error);
  if (begin >= end || end - begin < 48) return DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < out->size; i++)
    if (i < begin || i >= end)
      mass += out->h * dppair_larger_(out->f[i] + safe[i], 0.0) *
              dppair_weight_(out->h * (double)(out->first + (int64_t)i));
  /* the trapezoid error of the outer nodes reaches f_n at most `ahead` further right */
  for (k = 0; k < m->ahead + 1 + (int64_t)begin + r->pad && k < r->nodes; k++)
    ahead += out->h * r->upper[k] * dppair_weight_(out->h * (double)(out->first + k - r->pad));
  mass += r->spread * 1.0001 * (m->a->outside + m->b->outside) + 2.0 * m->trapezoid * ahead;
  for (k = 0; k < r->nodes; k++) {
    const int64_t at = k - r->pad;
    const double l = out->h * (double)(out->first + at + 1);
    if (at <= (int64_t)begin || at >= (int64_t)end - 1)
      beyond = dppair_larger_(beyond, r->upper[k] * dppair_weight_(l));
  }
  for (i = 0; i + 1 < r->edges; i++) {
    const double l = m->h * (double)DPPAIR_RUN_ * (double)(r->first_run + (int64_t)i + 1);
    if (i < r->begin || i >= r->end)
      beyond = dppair_larger_(beyond, dppair_runs_most_(r, i) * dppair_weight_(l));
  }
  for (i = 0; i + 1 < r->edges && (int64_t)i <= m->ahead / DPPAIR_RUN_ + 1; i++)
    first = dppair_larger_(first, dppair_runs_most_(r, i));
  beyond =
      dppair_larger_(beyond, 2.05 * dppair_exp_(m->h) * m->missing + 2.0 * m->trapezoid * first);
  for (i = 0; i < 2; i++) {
    const size_t at = i == 0 ? begin : end - 1;
    ends += (out->f[at] + error[at]) * dppair_weight_(out->h * (double)(out->first + (int64_t)at));
  }
  for (i = begin; i < end; i++) {
    out->f[i - begin] = out->f[i];
    out->error[i - begin] = 1.000001 * error[i] / out->f[i - begin] + 1e-18;
  }
  out->first += (int64_t)begin;
  out->size = end - begin;
  last = between * (2.0 * mass + out->h * ends) * 1.001;
  out->outside = last;
  out->beyond = beyond * between;
  return dppair_isfinite_f64(last) && dppair_isfinite_f64(out->beyond) ? DPPAIR_OK
                                                                       : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * *out = the density of n_a + n_b batches on the lattice h/split, in work (room nodes and room
 * errors). Errors: WORKSPACE; NO_CONVERGENCE, h is too wide or nothing certain is left.
 */
DPPAIR_FN_ dppair_status dppair_combine_tables_(dppair_density_ *out, double *work, size_t room,
                                                const dppair_density_ *a, double n_a,
                                                const dppair_density_ *b, double n_b, double z,
                                                int split, double little, dppair_pool_ pool) {
  dppair_runs_ r;
  double arc[2 * DPPAIR_RADIUS_], *error, *safe;
  const int64_t low = a->first < b->first ? a->first : b->first;
  int64_t high = a->first + (int64_t)a->size;
  size_t i;
  int pass;
  dppair_status status;
  if (high < b->first + (int64_t)b->size) high = b->first + (int64_t)b->size;
  memset(&r, 0, sizeof r);
  r.m.a = a;
  r.m.b = b;
  r.m.n_a = n_a;
  r.m.n_b = n_b;
  r.m.z = z;
  r.m.split = split;
  status = dppair_meeting_open_(&r.m, &pool);
  if (status != DPPAIR_OK) return status;
  r.step = r.m.h / split;
  r.first_run = low / DPPAIR_RUN_ - 3; /* the quotient may be one too large */
  r.edges = (size_t)(high / DPPAIR_RUN_ + 3 - r.first_run);
  r.sum = dppair_pool_take_(&pool, r.edges);
  r.bound = dppair_pool_take_(&pool, r.edges);
  r.terms = dppair_pool_take_(&pool, 2 * r.m.count);
  if (r.sum == NULL || r.bound == NULL || r.terms == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_runs_edges_(&r);
  dppair_runs_choose_(&r, little);
  if (r.begin >= r.end) return DPPAIR_ERR_NO_CONVERGENCE;
  out->f = work;
  out->error = work + room;
  out->h = r.step;
  out->curvature = r.m.n * z * z;
  out->first = DPPAIR_RUN_ * (r.first_run + (int64_t)r.begin) * split;
  out->size = (r.end - r.begin) * DPPAIR_RUN_ * (size_t)split;
  r.pad = 36 * split;
  r.nodes = (int64_t)out->size + 2 * r.pad + r.m.ahead;
  r.upper = dppair_pool_take_(&pool, (size_t)r.nodes);
  r.wide = dppair_pool_take_(&pool, (size_t)r.nodes);
  r.sloping = dppair_pool_take_(&pool, (size_t)r.nodes);
  error = dppair_pool_take_(&pool, out->size);
  safe = dppair_pool_take_(&pool, out->size);
  if (out->size > room || r.upper == NULL || r.wide == NULL || r.sloping == NULL || error == NULL ||
      safe == NULL)
    return DPPAIR_ERR_WORKSPACE;
  dppair_runs_fill_(&r, out);
  dppair_arcs_(arc, r.m.bend);
  dppair_runs_start_(&r);
  for (pass = 0; pass < 3; pass++) {
    dppair_runs_errors_(&r, safe, out, out->error, arc);
    memcpy(error, safe, out->size * sizeof *error);
    dppair_runs_missing_(&r, error, out);
    for (i = 0; i < out->size; i++) {
      const double upper = 1.000001 * (out->f[i] + error[i]);
      double *const bound = &r.upper[(int64_t)i + r.pad];
      if (upper < *bound) *bound = upper;
    }
  }
  return dppair_runs_cut_(&r, out, error, safe);
}

DPPAIR_FP_END_
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
DPPAIR_LIBM_BEGIN_

/* ---- src/modules/allocation/build.h ---------------------------------------------------------
 * Random allocation: the table of t batches
 *
 * (m, m + 1) batches are carried through the bits of t. The lattice is halved about every second
 * time, so that the last one is right for t. Relies on cut.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_LEVELS_ = 24 };

/* Products of level k, 0 the last, have at most most[k] batches and an input lattice h[k]. */
typedef struct dppair_levels_ {
  size_t count;
  double most[DPPAIR_LEVELS_], h[DPPAIR_LEVELS_];
} dppair_levels_;

/* Is the lattice h fine enough for a product of `most` batches? */
DPPAIR_FN_ int dppair_level_fits_(double z, double most, double h) {
  dppair_meeting_ m;
  memset(&m, 0, sizeof m);
  m.z = z;
  m.n = most;
  m.n_a = dppair_floor_(0.5 * most);
  m.n_b = most - m.n_a;
  m.h = h;
  m.split = 2;
  m.bend = z * h * z * h * most;
  return m.bend <= 1.0 / 64 && dppair_meeting_stride_(&m);
}

/* The lattices, from the last level to the first. h of the table of t is h[0]. */
DPPAIR_FN_ void dppair_levels_of_(dppair_levels_ *levels, double z, size_t t) {
  size_t k, left = t;
  double h = dppair_short_(0.125 / (z * dppair_sqrt_((double)t)));
  levels->count = 0;
  for (; left > 1; left /= 2) {
    k = levels->count++;
    /* m + 1 is needed where a later bit is set */
    levels->most[k] = (double)(left + ((left << k) != t ? 1 : 0));
    if (k == 0)
      while (h > 0.0 && !dppair_level_fits_(z, levels->most[k], h)) h = dppair_short_(0.9 * h);
    else if (dppair_level_fits_(z, levels->most[k], 2.0 * h))
      h *= 2.0;
    levels->h[k] = h;
  }
  if (levels->count == 0) levels->h[0] = h;
}

enum { DPPAIR_MOST_NODES_ = 1 << 16 };

/* The nodes that hold a table and those on the way to it: from where all batches are small to where
 * one batch alone is 16 deviations large. MOST_NODES: more than that are refused. */
DPPAIR_FN_ size_t dppair_allocation_nodes_(double z, size_t t) {
  const double n = (double)t, root = z * dppair_sqrt_(n);
  const double most = (16.5 + 0.5 / z) / z - dppair_log_(n); /* log of the mean's largest term */
  const double high = most < 30.0 ? dppair_log1p_(dppair_exp_(most)) : most;
  const double least = 16.0 / root, low = 0.5 / (z * z) + 16.5 / z; /* |l| below 0 */
  const double nodes = 12.0 * root * (high + (low < 4.0 * least ? low : 4.0 * least)) + 1600.0;
  return nodes < (double)DPPAIR_MOST_NODES_ ? (size_t)nodes : (size_t)DPPAIR_MOST_NODES_;
}

/* *table = the density of the loss of t batches, in work; its first 2 room doubles stay the
 * table's. A run of nodes with less mass than `little` is not computed. */
DPPAIR_FN_ dppair_status dppair_levels_run_(dppair_density_ *table, double z, size_t t,
                                            double *work, size_t doubles, size_t room) {
  const double cut = t > 16 ? 16.5 : 15.0, little = t > 16 ? 1e-56 : 1e-47;
  dppair_levels_ levels;
  dppair_density_ few, more, next[2];
  dppair_pool_ pool;
  double *home[4];
  size_t k, i, m = 1;
  dppair_status status;
  pool.at = work;
  pool.left = doubles;
  for (i = 0; i < 4; i++)
    if ((home[i] = dppair_pool_take_(&pool, 2 * room)) == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_levels_of_(&levels, z, t);
  if (levels.count == 0) return dppair_density_batch_(table, home[0], room, z, levels.h[0], cut);
  k = levels.count - 1;
  status = dppair_density_batch_(&few, home[0], room, z, levels.h[k], cut);
  if (status == DPPAIR_OK && (t & (t - 1)) != 0)
    status = dppair_combine_tables_(&more, home[1], room, &few, 1.0, &few, 1.0, z, 1, little, pool);
  for (; status == DPPAIR_OK && levels.count > 0; levels.count--) {
    const size_t bit = t >> (levels.count - 1) & 1;
    const int later = (t & ((((size_t)1) << (levels.count - 1)) - 1)) != 0;
    const int split =
        levels.count > 1 && levels.h[levels.count - 2] < levels.h[levels.count - 1] ? 2 : 1;
    /* bit 0: (m, m) and (m, m + 1); bit 1: (m, m + 1) and (m + 1, m + 1) */
    status = dppair_combine_tables_(&next[0], home[2], room, &few, (double)m, bit ? &more : &few,
                                    (double)(m + bit), z, split, little, pool);
    if (status == DPPAIR_OK && later)
      status =
          dppair_combine_tables_(&next[1], home[3], room, bit ? &more : &few, (double)(m + bit),
                                 &more, (double)(m + 1), z, split, little, pool);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (few.f != work) { /* to the front */
    memmove(work, few.f, few.size * sizeof *work);
    memmove(work + room, few.error, few.size * sizeof *work);
    few.f = work;
    few.error = work + room;
  }
  *table = few;
  return DPPAIR_OK;
}

/* ---- src/modules/allocation/epochs.h --------------------------------------------------------
 * Random allocation: sums of independent losses
 *
 * Epochs are independent, so their densities are convolved; all terms are positive (theory.h, 7).
 * Relies on build.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LOOPS_BEGIN_

/* sum[k] += sum over i = 0, stride, .. < n of x[i] y[k - i], k < 8; n nodes of y lie before y. */
DPPAIR_FN_ void dppair_fold_eight_(double *DPPAIR_RESTRICT_ sum, const double *x, const double *y,
                                   size_t n, size_t stride) {
  double s[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  size_t i;
  int k;
  for (i = 0; i < n; i += stride) {
    const double *const at = y - i;
    const double factor = x[i];
    for (k = 0; k < 8; k++) s[k] += factor * at[k];
  }
  for (k = 0; k < 8; k++) sum[k] += s[k];
}

DPPAIR_LOOPS_END_

/* out[k] += sum x[i] y[k - i] over the multiples i of stride; out has nx + ny - 1 nodes. */
DPPAIR_FN_ void dppair_fold_(double *out, const double *x, size_t nx, const double *y, size_t ny,
                             size_t stride) {
  size_t k = 0, i, e;
  const size_t n = nx + ny - 1;
  while (k < n) {
    /* eight outputs share the terms for which all of k .. k + 7 lie in y */
    size_t low = k + 7 >= ny ? k + 7 - (ny - 1) : 0, high = k < nx ? k + 1 : nx;
    const size_t eight = k + 8 <= n ? 8 : n - k;
    low = (low + stride - 1) / stride * stride;
    if (eight == 8 && low < high) {
      dppair_fold_eight_(out + k, x + low, y + k - low, high - low, stride);
    } else {
      low = high = 0;
    }
    for (e = 0; e < eight; e++) { /* the terms for which only some do */
      const size_t at = k + e;
      size_t from = at >= ny ? at - (ny - 1) : 0;
      const size_t to = at < nx ? at + 1 : nx;
      from = (from + stride - 1) / stride * stride;
      for (i = from; i < to; i += stride) {
        if (i >= low && i < high) {
          i = low + (high - 1 - low) / stride * stride;
          continue;
        }
        out[at] += x[i] * y[at - i];
      }
    }
    k += eight;
  }
}

/* Every second node of d, in place. */
DPPAIR_FN_ void dppair_density_thin_(dppair_density_ *d) {
  const size_t skip = (size_t)(d->first & 1);
  const size_t size = (d->size - skip + 1) / 2;
  size_t i, k;
  d->outside *= 2.0;
  for (k = 0; k < 2; k++) { /* the ends, where the nearest node may go, count as outside */
    const size_t at = k == 0 ? 0 : d->size - 1;
    const double up = d->f[at] * (1.0 + d->error[at]) * 1.01 *
                      dppair_weight_(d->h * (double)(d->first + (int64_t)at + 1));
    d->outside += 4.0 * d->h * up;
    d->beyond = dppair_larger_(d->beyond, up);
  }
  for (i = 0; i < size; i++) {
    d->f[i] = d->f[2 * i + skip];
    d->error[i] = d->error[2 * i + skip];
  }
  d->first = (d->first + (int64_t)skip) / 2;
  d->size = size;
  d->h *= 2.0;
}

/* Trims nodes from both ends, as long as their mass is below what is outside anyhow, and those
 * whose error is too large. missing: the error at a node that is not in error[], which is relative
 * here. */
DPPAIR_FN_ dppair_status dppair_density_trim_(dppair_density_ *d, double missing) {
  const double spare = d->outside + 1e-60;
  double ends = 0.0, mass = 0.0;
  size_t begin = 0, end = d->size, k, i;
  for (k = 0; k < 2; k++) {
    double sum = 0.0;
    for (;;) {
      double l, up, weight;
      if (begin + 48 >= end) return DPPAIR_ERR_NO_CONVERGENCE;
      i = k == 0 ? begin : end - 1;
      l = d->h * (double)(d->first + (int64_t)i);
      weight = dppair_weight_(l);
      up = d->f[i] * (1.0 + d->error[i]);
      if (sum + d->h * up * weight > spare && missing * dppair_falling_(l) <= 1000.0 * d->f[i]) {
        up += missing * dppair_falling_(l);
        ends += up * weight;
        d->beyond = dppair_larger_(d->beyond, 1.01 * up * dppair_weight_(l + d->h));
        break;
      }
      sum += d->h * up * weight;
      d->beyond = dppair_larger_(d->beyond, 1.01 * (up + missing * dppair_falling_(l)) *
                                                dppair_weight_(l + d->h));
      if (k == 0)
        begin++;
      else
        end--;
    }
    mass += sum;
  }
  d->outside = 2.02 * (d->outside + mass) + 1.01 * d->h * ends;
  for (i = begin; i < end; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i), f = d->f[i];
    d->error[i - begin] = 1.00001 * (d->error[i] + missing * dppair_falling_(l) / f);
    d->f[i - begin] = f;
  }
  d->first += (int64_t)begin;
  d->size = end - begin;
  return DPPAIR_OK;
}

/* *out = the density of the sum of independent losses of a and b, on their common lattice, in work
 * with room for a->size + b->size nodes of values and of errors. Errors: WORKSPACE,
 * NO_CONVERGENCE. */
DPPAIR_FN_ dppair_status dppair_density_add_(dppair_density_ *out, double *work, size_t room,
                                             const dppair_density_ *a, const dppair_density_ *b,
                                             dppair_pool_ pool) {
  const size_t nodes = a->size + b->size - 1;
  const double together = a->curvature + b->curvature, reach = a->h * dppair_sqrt_(together);
  const size_t stride = reach <= 0.35 ? 2 : 1;
  const double step = a->h * (double)stride,
               terms = (double)(a->size < b->size ? a->size : b->size);
  const double relative =
      2.001 * dppair_exp_(-19.739208 / (step * step * together)) + (terms + 12.0) * DPPAIR_UNIT_;
  const double missing =
      1.0001 * (double)stride * 0.39895 *
      (a->outside * dppair_sqrt_(b->curvature) + b->outside * dppair_sqrt_(a->curvature));
  double *lost_a = dppair_pool_take_(&pool, a->size), *lost_b = dppair_pool_take_(&pool, b->size);
  double *up_b = dppair_pool_take_(&pool, b->size);
  size_t i;
  if (reach > 0.7 || nodes > room || lost_a == NULL || lost_b == NULL || up_b == NULL)
    return reach > 0.7 ? DPPAIR_ERR_NO_CONVERGENCE : DPPAIR_ERR_WORKSPACE;
  for (i = 0; i < a->size; i++) lost_a[i] = a->f[i] * a->error[i];
  for (i = 0; i < b->size; i++) {
    lost_b[i] = b->f[i] * b->error[i];
    up_b[i] = b->f[i] + lost_b[i];
  }
  out->f = work;
  out->error = work + room;
  for (i = 0; i < nodes; i++) out->f[i] = out->error[i] = 0.0;
  dppair_fold_(out->f, a->f, a->size, b->f, b->size, stride);
  dppair_fold_(out->error, lost_a, a->size, up_b, b->size, stride);
  dppair_fold_(out->error, a->f, a->size, lost_b, b->size, stride);
  for (i = 0; i < nodes; i++) {
    out->error[i] = 1.00001 * (out->f[i] > 0.0 ? out->error[i] / out->f[i] : 0.0) + relative;
    out->f[i] *= step;
  }
  out->first = a->first + b->first;
  out->size = nodes;
  out->h = a->h;
  out->curvature = a->curvature * b->curvature / together;
  out->outside = 1.0001 * (double)stride * (a->outside + b->outside);
  out->beyond = 1.01 * missing;
  return dppair_density_trim_(out, missing);
}

/* The law seen from the other side: f(-l) e^-l, with the losses of the pair (Q, P). */
DPPAIR_FN_ void dppair_density_mirror_(dppair_density_ *out, double *work, size_t room,
                                       const dppair_density_ *d) {
  size_t i;
  *out = *d;
  out->f = work;
  out->error = work + room;
  out->first = -(d->first + (int64_t)d->size - 1);
  for (i = 0; i < d->size; i++) {
    const size_t k = d->size - 1 - i;
    out->f[i] = d->f[k] * dppair_exp_(d->h * (double)(d->first + (int64_t)k));
    out->error[i] = d->error[k] * 1.000001 + 6.0 * DPPAIR_UNIT_;
  }
}

/* The next of the steps below: thins both tables where the lattice of the sum allows it. */
DPPAIR_FN_ void dppair_epochs_thin_(dppair_density_ *few, dppair_density_ *more, double curvature,
                                    double least) {
  while (2.0 * few->h * dppair_sqrt_(curvature / least) <= 0.125) {
    dppair_density_thin_(few);
    if (more != NULL) dppair_density_thin_(more);
  }
}

/*
 * *out = the density of the sum of `epochs` losses of one, in work, of which the first 2 room
 * doubles stay out's. (m, m + 1) epochs are carried through the bits, as in build.h. Errors:
 * WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_FN_ dppair_status dppair_epochs_run_(dppair_density_ *out, const dppair_density_ *one,
                                            size_t epochs, double *work, size_t doubles,
                                            size_t room) {
  dppair_density_ few, more, next[2];
  dppair_pool_ pool;
  double *home[4];
  size_t i, m = 1;
  int level = 0;
  dppair_status status = DPPAIR_OK;
  pool.at = work;
  pool.left = doubles;
  for (i = 0; i < 4; i++)
    if ((home[i] = dppair_pool_take_(&pool, 2 * room)) == NULL) return DPPAIR_ERR_WORKSPACE;
  if (one->size > room) return DPPAIR_ERR_WORKSPACE;
  few = more = *one;
  few.f = home[0];
  few.error = home[0] + room;
  memcpy(few.f, one->f, one->size * sizeof *one->f);
  memcpy(few.error, one->error, one->size * sizeof *one->f);
  while (epochs >> (level + 1) != 0) level++;
  if ((epochs & (epochs - 1)) != 0)
    status = dppair_density_add_(&more, home[1], room, &few, &few, pool);
  for (; status == DPPAIR_OK && level > 0; level--) {
    const size_t bit = epochs >> (level - 1) & 1;
    const int later = (epochs & ((((size_t)1) << (level - 1)) - 1)) != 0;
    const int both = later || bit;
    dppair_epochs_thin_(&few, both ? &more : NULL, one->curvature, (double)(2 * m + bit));
    status = dppair_density_add_(&next[0], home[2], room, &few, bit ? &more : &few, pool);
    if (status == DPPAIR_OK && later)
      status = dppair_density_add_(&next[1], home[3], room, bit ? &more : &few, &more, pool);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (few.f != work) { /* to the front */
    memmove(work, few.f, few.size * sizeof *work);
    memmove(work + room, few.error, few.size * sizeof *work);
    few.f = work;
    few.error = work + room;
  }
  *out = few;
  return DPPAIR_OK;
}

/* ---- src/modules/allocation/curve.h ---------------------------------------------------------
 * Random allocation: the privacy curve of a density
 *
 * delta(epsilon) = e^epsilon int_0^inf (e^u - 1) f(epsilon + u) du, the tilted interpolant
 * integrated from any epsilon on, with all errors (theory.h, 8). Relies on epochs.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_COARSE_ = 9 }; /* places -33, -25 .. 31 from a node, where g of theory.h is bounded */

/* A curve near node j: epsilon = h (j + theta), 0 <= theta <= 1. */
typedef struct dppair_slope_ {
  const dppair_density_ *d;
  double *grow; /* expm1(r h), r = 0 .. size */
  double arc[2 * DPPAIR_RADIUS_];
  int64_t j;
  double p, decay[DPPAIR_TAPS_], whole[DPPAIR_TAPS_], change[DPPAIR_TAPS_]; /* sums over q */
  double size_whole[DPPAIR_TAPS_], size_change[DPPAIR_TAPS_];               /* of |B|, of |C| */
  double mass, tail, mass_error, tail_error; /* sums of f, of f expm1(rh) from r = 9 on */
  double between;                            /* error of the interpolation, without e^epsilon */
} dppair_slope_;

DPPAIR_FN_ dppair_status dppair_slope_open_(dppair_slope_ *s, const dppair_density_ *d,
                                            dppair_pool_ *pool) {
  size_t i;
  memset(s, 0, sizeof *s);
  s->d = d;
  s->j = INT64_MIN;
  s->grow = dppair_pool_take_(pool, d->size + 64);
  if (s->grow == NULL) return DPPAIR_ERR_WORKSPACE;
  if (d->h * (double)(d->size + 64) > 700.0) return DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < d->size + 64; i++) s->grow[i] = dppair_expm1_(d->h * (double)i);
  dppair_arcs_(s->arc, d->curvature * d->h * d->h);
  return DPPAIR_OK;
}

/* The sums of f (expm1(rh) or 1) (1 or error) over nodes i + r, r >= from, in out[4]. */
DPPAIR_FN_ void dppair_slope_sums_(double *out, const dppair_slope_ *s, int64_t i, int64_t from) {
  const dppair_density_ *d = s->d;
  int64_t k = i + from - d->first;
  out[0] = out[1] = out[2] = out[3] = 0.0;
  if (k < 0) k = 0;
  for (; k < (int64_t)d->size; k++) {
    const int64_t r = d->first + k - i;
    const double grow = r < (int64_t)d->size + 64 ? s->grow[r] : dppair_expm1_(d->h * (double)r);
    const double f = d->f[k], lost = f * d->error[k];
    out[0] += f;
    out[1] += f * grow;
    out[2] += lost;
    out[3] += lost * grow;
  }
}

/* Integrals over [low, 1] of the weight q times e^((h+p)(y-q)), and times expm1(h(y-q)) e^(p(y-q));
 * or, if part, of expm1((y - low) h) e^(p(y-q)) in whole. */
DPPAIR_FN_ void dppair_slope_cell_(double *whole, double *change, const dppair_slope_ *s,
                                   double low, int part) {
  const double half = 0.5 * (1.0 - low), h = s->d->h;
  long double w[DPPAIR_TAPS_];
  int k, q;
  for (q = 0; q < DPPAIR_TAPS_; q++) whole[q] = change[q] = 0.0;
  for (k = 0; k < 16; k++) {
    double weight;
    const double ahead = half * (1.0 + dppair_legendre_(&weight, k)), y = low + ahead;
    const double tilt = half * weight * dppair_exp_(s->p * y), first = dppair_expm1_(ahead * h);
    dppair_taps_(w, (long double)y);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const double share = tilt * s->decay[q] * (double)w[q], loss = h * (y - (q - 7));
      if (part) {
        whole[q] += share * first;
      } else {
        whole[q] += share * dppair_exp_(loss);
        change[q] += share * dppair_expm1_(loss);
      }
    }
  }
}

/* A bound of int_0^inf (e^u - 1) f(h i + u) du. */
DPPAIR_FN_ double dppair_slope_above_(const dppair_slope_ *s, int64_t i) {
  const dppair_density_ *d = s->d;
  const double step = dppair_expm1_(d->h);
  double sum[4];
  dppair_slope_sums_(sum, s, i, 0);
  return 1.0001 * (d->h * dppair_exp_(0.125 * d->curvature * d->h * d->h) *
                       ((2.0 + step) * (sum[1] + sum[3]) + step * (sum[0] + sum[2])) +
                   d->outside * dppair_exp_(-d->h * (double)i));
}

/* The error of the interpolation inside the integral, relative to e^epsilon. Between the places g
 * is bounded by K-convexity. */
DPPAIR_FN_ double dppair_slope_between_(const dppair_slope_ *s) {
  const double bend = s->d->curvature * s->d->h * s->d->h;
  const double scale =
      2.001 * dppair_exp_(0.5 * bend + 8.0 * bend) * dppair_exp_(1.5 * dppair_fabs_(s->p));
  double g[DPPAIR_COARSE_], sum = 0.0;
  int k, rho;
  for (k = 0; k < DPPAIR_COARSE_; k++)
    g[k] = dppair_log_(dppair_slope_above_(s, s->j - 33 + 8 * k));
  for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++) {
    const int at = rho + 32, place = at / 8; /* node j + rho - 1, from node j - 33 */
    const double share = (at - 8 * place) / 8.0;
    const double log_g =
        place + 1 < DPPAIR_COARSE_ ? (1.0 - share) * g[place] + share * g[place + 1] : g[place];
    sum += s->arc[rho + DPPAIR_RADIUS_] * dppair_exp_(log_g - s->p * rho);
  }
  return scale * sum;
}

/* Moves to node j. */
DPPAIR_FN_ void dppair_slope_move_(dppair_slope_ *s, int64_t j, int certain) {
  const dppair_density_ *d = s->d;
  const int64_t at = j - d->first;
  double sum[4], p = -0.5;
  int q;
  if (s->j != j) {
    s->between = -1.0;
    if (at >= 0 && at + 8 < (int64_t)d->size) p = 0.125 * dppair_log_(d->f[at + 8] / d->f[at]);
    if (!(p > -1.5)) p = -1.5;
    if (p > 1.5) p = 1.5;
    s->p = p;
    s->j = j;
    for (q = 0; q < DPPAIR_TAPS_; q++) s->decay[q] = dppair_exp_(-p * (q - 7));
    dppair_slope_cell_(s->whole, s->change, s, 0.0, 0);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      s->size_whole[q] = dppair_fabs_(s->whole[q]) + (q > 0 ? s->size_whole[q - 1] : 0.0);
      s->size_change[q] = dppair_fabs_(s->change[q]) + (q > 0 ? s->size_change[q - 1] : 0.0);
      if (q > 0) {
        s->whole[q] += s->whole[q - 1];
        s->change[q] += s->change[q - 1];
      }
    }
    dppair_slope_sums_(sum, s, j, 9);
    s->mass = sum[0];
    s->tail = sum[1];
    s->mass_error = sum[2];
    s->tail_error = sum[3];
  }
  if (certain && s->between < 0.0) s->between = dppair_slope_between_(s);
}

/* delta at epsilon = h (floor(x) + theta), x = floor(x) + theta: returns the value; *error is a
 * bound of its error, if not NULL. */
DPPAIR_FN_ double dppair_slope_at_(double *error, dppair_slope_ *s, double x) {
  const dppair_density_ *d = s->d;
  const double node = dppair_floor_(x), theta = x - node, h = d->h, scale = dppair_exp_(h * x),
               unit = DPPAIR_UNIT_;
  double part[DPPAIR_TAPS_], spare[DPPAIR_TAPS_], value, bad, lost = 0.0, grow, back;
  int r;
  dppair_slope_move_(s, (int64_t)node, error != NULL);
  dppair_slope_cell_(part, spare, s, theta, 1);
  back = dppair_expm1_(-theta * h);
  grow = 1.0 + back;
  value = s->whole[15] * (grow * s->tail + back * s->mass) + s->change[15] * s->mass;
  bad = s->size_whole[15] * (s->tail_error + dppair_fabs_(back) * s->mass_error) +
        s->size_change[15] * s->mass_error;
  bad += unit * (128.0 + (double)d->size) *
         (s->size_whole[15] * (s->tail + s->mass * h) + s->size_change[15] * s->mass);
  for (r = -7; r <= 8; r++) {
    const int64_t at = s->j + r - d->first;
    const double here = dppair_expm1_((r - theta) * h), before = r > -7 ? s->whole[r + 6] : 0.0;
    const double size = r > -7 ? s->size_whole[r + 6] : 0.0;
    const double size_change = r > -7 ? s->size_change[r + 6] : 0.0;
    const double w = here * before + (r > -7 ? s->change[r + 6] : 0.0) + part[r + 7];
    const double round =
        200.0 * unit * (dppair_fabs_(here) * size + size_change + dppair_fabs_(part[r + 7]) + h);
    if (at >= 0 && at < (int64_t)d->size) {
      value += w * d->f[at];
      bad += d->f[at] *
             (dppair_fabs_(w) * (d->error[at] + 32.0 * unit) + round * (1.0 + d->error[at]));
    } else {
      lost += dppair_fabs_(w) + round;
    }
  }
  if (error != NULL)
    *error =
        1.00001 * (scale * (h * bad + s->between) + h * lost * d->beyond * dppair_exp_(8.0 * h) +
                   (s->size_whole[15] + s->size_change[15] + 1.0) * d->outside) +
        8.0 * unit * scale * h * dppair_fabs_(value);
  return scale * h * value;
}

/* ---- src/modules/allocation/patch.h ---------------------------------------------------------
 * Random allocation: a density between its nodes, its cells and its moments
 *
 * What other routes read: values at any loss, masses on a lattice of their own, E L^k. Relies on
 * curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* The tilted interpolant of d between nodes j and j + 1, all of whose taps are nodes. */
typedef struct dppair_patch_ {
  const dppair_density_ *d;
  double arc[2 * DPPAIR_RADIUS_];
  int64_t j, low, high;                  /* patches low <= j < high are used */
  double p, tilted[DPPAIR_TAPS_], wrong; /* wrong: the error, tilted */
} dppair_patch_;

/* At least f at node i, inside or outside. */
DPPAIR_FN_ double dppair_density_most_(const dppair_density_ *d, int64_t i) {
  const int64_t at = i - d->first;
  if (at >= 0 && at < (int64_t)d->size) return d->f[at] * (1.0 + d->error[at]);
  return d->beyond * dppair_falling_(d->h * (double)i);
}

/* Chooses the patches so that about `spare` of P or Q lies outside. NO_CONVERGENCE: too few. */
DPPAIR_FN_ dppair_status dppair_patch_open_(dppair_patch_ *patch, const dppair_density_ *d,
                                            double spare) {
  double sum = 0.0;
  patch->d = d;
  patch->j = INT64_MIN;
  dppair_arcs_(patch->arc, d->curvature * d->h * d->h);
  if (d->size < 48) return DPPAIR_ERR_NO_CONVERGENCE;
  for (patch->low = d->first; patch->low < d->first + (int64_t)d->size; patch->low++) {
    sum += d->h * dppair_density_most_(d, patch->low) * dppair_weight_(d->h * (double)patch->low);
    if (sum > spare && patch->low >= d->first + 7) break;
  }
  sum = 0.0;
  for (patch->high = d->first + (int64_t)d->size - 1; patch->high > patch->low; patch->high--) {
    sum += d->h * dppair_density_most_(d, patch->high) * dppair_weight_(d->h * (double)patch->high);
    if (sum > spare && patch->high <= d->first + (int64_t)d->size - 8) break;
  }
  return patch->low + 16 < patch->high ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* At least the mass outside of the patches, under P and under Q. */
DPPAIR_FN_ double dppair_patch_outside_(const dppair_patch_ *patch) {
  const dppair_density_ *d = patch->d;
  double sum = 0.0;
  int64_t i;
  for (i = d->first; i < d->first + (int64_t)d->size; i++)
    if (i <= patch->low || i >= patch->high)
      sum += dppair_density_most_(d, i) * dppair_weight_(d->h * (double)(i + 1));
  return d->outside + 2.01 * d->h * sum;
}

/* Moves to the patch of node j. */
DPPAIR_FN_ void dppair_patch_move_(dppair_patch_ *patch, int64_t j) {
  const dppair_density_ *d = patch->d;
  const double *const f = d->f + (j - d->first), *const e = d->error + (j - d->first);
  const double bend = d->curvature * d->h * d->h;
  double p = dppair_log_(f[1] / f[0]), sum = 0.0, factor;
  double a, b, c;
  int q, rho;
  if (!(p > -1.5)) p = -1.5;
  if (p > 1.5) p = 1.5;
  patch->j = j;
  patch->p = p;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    patch->tilted[q] = f[q - 7] * dppair_exp_(-p * (q - 7));
    sum += dppair_tap_most_((size_t)q) * patch->tilted[q] * (e[q - 7] + 128.0 * DPPAIR_UNIT_);
  }
  patch->wrong = sum;
  /* theory.h, 3: here the cell's centre is known */
  sum = 0.0;
  factor = dppair_exp_(p * (double)DPPAIR_RADIUS_);
  a = dppair_density_most_(d, j - DPPAIR_RADIUS_);
  b = dppair_density_most_(d, j - DPPAIR_RADIUS_ + 1);
  for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++) {
    c = dppair_density_most_(d, j + rho + 2);
    sum += patch->arc[rho + DPPAIR_RADIUS_] * factor * dppair_larger_(a, dppair_larger_(b, c));
    factor *= dppair_exp_(-p);
    a = b;
    b = c;
  }
  patch->wrong += 1.001 * sum * dppair_exp_(0.125 * bend + 1.5 * dppair_fabs_(p));
}

/* f at x steps, low <= x <= high: the value; *error is a bound of its relative error. */
DPPAIR_FN_ double dppair_patch_at_(double *error, dppair_patch_ *patch, double x) {
  /* (-1)^q / (q! (15 - q)!) in units of the first */
  static const double c[16] = {-1.0,    15.0,   -105.0,  455.0,  -1365.0, 3003.0, -5005.0, 6435.0,
                               -6435.0, 5005.0, -3003.0, 1365.0, -455.0,  105.0,  -15.0,   1.0};
  double node = dppair_floor_(x), y, top = 0.0, bottom = 0.0, value, scale;
  int q;
  if (node >= (double)patch->high) node = (double)patch->high - 1.0;
  y = x - node;
  if ((int64_t)node != patch->j) dppair_patch_move_(patch, (int64_t)node);
  scale = dppair_exp_(patch->p * y);
  if (y > 0.0 && y < 1.0) {
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const double w = c[q] / (y - (q - 7));
      top += w * patch->tilted[q];
      bottom += w;
    }
    value = top / bottom;
  } else {
    value = patch->tilted[y > 0.0 ? 8 : 7];
  }
  *error = patch->wrong / value;
  return value * scale;
}

/*
 * Fills the cells of the lattice route: connects the dots of the pair (P, Q), or of (Q, P) if
 * mirrored. h, growth, size and first are given, and the rest is cleared. Where cells are narrow,
 * 4 nodes of Gauss-Legendre each, else 16 nodes for each step. By F3 the slope of log f passes s a
 * step only where f is below e^(-32 s^2) of its largest value, so it is at most 1.2 where more than
 * 1e-18 lies beyond. An ellipse with rho = 128 about a narrow cell reaches 2 steps: f grows by less
 * than 50 times (F2, F3), the split by 64, and 64/15 rho^-8 of that is below 2e-13. NO_CONVERGENCE:
 * it does not fit.
 */
DPPAIR_FN_ dppair_status dppair_density_cells_(dppair_cells_ *cells, const dppair_density_ *d,
                                               int mirrored) {
  static const double place[2] = {0.86113631159405257522, 0.33998104358485626480};
  static const double share[2] = {0.34785484513745385737, 0.65214515486254614263};
  const double h = cells->h, scale = -1.0 / dppair_expm1_(-h);
  const int narrow = 16.0 * h <= d->h;
  double low, high, index, worst = 0.0;
  dppair_patch_ patch;
  dppair_status status = dppair_patch_open_(&patch, d, 1e-18 + d->outside);
  if (status != DPPAIR_OK) return status;
  low = d->h * (double)(mirrored ? -patch.high : patch.low);
  high = d->h * (double)(mirrored ? -patch.low : patch.high);
  for (index = dppair_floor_(low / h); index * h < high; index += 1.0) {
    const double cell = index - (double)cells->first;
    const double from = index * h > low ? index * h : low;
    const double to = (index + 1.0) * h < high ? (index + 1.0) * h : high;
    const int panels = narrow ? 1 : (int)dppair_ceil_((to - from) / d->h);
    double right = 0.0, left = 0.0;
    int panel, k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (panel = 0; panel < panels && to > from; panel++) {
      const double half = 0.5 * (to - from) / panels, middle = from + (2.0 * panel + 1.0) * half;
      for (k = 0; k < (narrow ? 4 : 16); k++) {
        double weight, x, l, f, error;
        if (narrow) {
          x = k % 2 == 0 ? place[k / 2] : -place[k / 2];
          weight = share[k / 2];
        } else {
          x = dppair_legendre_(&weight, k);
        }
        x = middle + half * x;
        l = mirrored ? -x : x;
        l = l / d->h;
        if (l < (double)patch.low) l = (double)patch.low;
        if (l > (double)patch.high) l = (double)patch.high;
        f = dppair_patch_at_(&error, &patch, l) * half * weight;
        worst = dppair_larger_(worst, error);
        dppair_cells_node_(&right, &left, x, mirrored ? f : f * dppair_exp_(x), index * h, h,
                           scale);
      }
    }
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
  }
  /* a place is off by 4 u of itself, and log f moves by at most 2 a step */
  cells->loss_error = dppair_larger_(
      cells->loss_error,
      8.0 * DPPAIR_UNIT_ * (1.0 + dppair_larger_(dppair_fabs_(low), dppair_fabs_(high))));
  cells->mass_error = dppair_larger_(
      cells->mass_error, 1.001 * worst + 4e-13 + 4.0 * cells->loss_error * (1.0 + 1.0 / d->h));
  cells->infinity += dppair_patch_outside_(&patch);
  cells->unseen += dppair_patch_outside_(&patch);
  return worst < 0.01 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * *upper >= log E_Q L^k of one epoch, any k outside [0, 1]. The sum over the nodes is within 2
 * e^(-2 pi^2/(K h^2)) of its integral by F2; the cut tails by Hoelder's inequality: with r > 1,
 * E[L^k; outside] <= (E L^(rk))^(1/r) outside^(1 - 1/r) under Q, or the same of L^(k-1) under P,
 * and E_Q L^m <= E X^m = e^(m(m-1)/(2z^2)) for m outside [0, 1] since x^m is convex. It is at most
 * k(k-1)/(2z^2) altogether.
 */
DPPAIR_FN_ void dppair_density_log_moment_(double *upper, const dppair_density_ *d, double z,
                                           double k) {
  const double simple = 0.5 * k * (k - 1.0) / (z * z);
  double top = -HUGE_VAL, sum = 0.0, rest = HUGE_VAL, r;
  size_t i;
  *upper = simple * (1.0 + 1e-15);
  for (i = 0; i < d->size; i++) {
    const double log_f = dppair_log_(d->f[i]) + k * d->h * (double)(d->first + (int64_t)i);
    if (log_f > top) top = log_f;
  }
  for (i = 0; i < d->size; i++) {
    const double loss = k * d->h * (double)(d->first + (int64_t)i);
    sum += dppair_exp_(dppair_log_(d->f[i]) + loss - top) *
           (1.0 + d->error[i] + 8.0 * DPPAIR_UNIT_ * dppair_fabs_(loss));
  }
  top += dppair_log_(d->h * sum) + 1e-12;
  for (r = 1.01; r < 1000.0; r *= 1.1) {
    const double m = r * k, n = r * (k - 1.0) + 1.0,
                 spare = (1.0 - 1.0 / r) * dppair_log_(d->outside);
    const double bound =
        0.5 * (m * (m - 1.0) < n * (n - 1.0) ? m * (m - 1.0) : n * (n - 1.0)) / (z * z * r) + spare;
    if (bound < rest) rest = bound;
  }
  top = dppair_log_add_(top, rest) + 1e-12 * (1.0 + dppair_fabs_(top));
  if (top < *upper) *upper = top > 0.0 ? top : 0.0;
}

/* M(w) = sum over the table of h f e^((1+w) l) at w = c + iy, the law without what is outside. */
DPPAIR_FN_ void dppair_density_moment_(double *re, double *im, double *error,
                                       const dppair_density_ *d, double c, double y) {
  double size = 0.0;
  size_t i;
  *re = *im = *error = 0.0;
  for (i = 0; i < d->size; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i);
    const double mass = d->h * d->f[i] * dppair_exp_((1.0 + c) * l);
    *re += mass * dppair_cos_(y * l);
    *im += mass * dppair_sin_(y * l);
    *error += mass * (d->error[i] +
                      8.0 * DPPAIR_UNIT_ * (dppair_fabs_((1.0 + c) * l) + dppair_fabs_(y * l)));
    size += mass;
  }
  *error = 1.00001 * (*error + size * DPPAIR_UNIT_ * (16.0 + (double)d->size));
}

/* ---- src/modules/allocation/comonotone.h ----------------------------------------------------
 * Random allocation, one replaced record: the comonotone pair as atoms
 *
 * The upper end of replace-one: P~ = e^(F^-1(u)) du against Q~ = e^(F^-1(1-u)) du on [0, 1], with
 * the loss F^-1(u) - F^-1(1-u), odd about u = 1/2. For each H k, k >= 0, a place r and r' = r - H k
 * are found with F(r') = 1 - F(r) nearly. The truth for this r is within `off` of r': the errors of
 * both tails over 0.9 of the density. Between two places P~ has the mass of p in [r_k, r_k+1] and
 * Q~ that in [r'_k+1, r'_k]; the losses lie in [H k - off, H (k+1) + off]. Clipped to [H k, H
 * (k+1)] they are connected to its ends, the upper end getting all that the errors allow, and then
 * all is moved up by `off`. Below u = 1/2 the two masses change places. What the cut right tail
 * holds gets an infinite loss, what the left one holds moves up to the last atom. Relies on
 * patch.h.
 * ---------------------------------------------------------------------------------------------- */

/* P has mass[i] at the loss h (first + i), and `infinity` at infinite loss. */
typedef struct dppair_atoms_ {
  double *mass;
  int64_t first;
  size_t size;
  double h, infinity;
} dppair_atoms_;

/* Sums of a table's patches: mass under Q and P below and above each node, and errors of those. */
typedef struct dppair_tails_ {
  dppair_patch_ patch;
  double *below[3], *above[3]; /* of f, of p, and of f's errors; index node - patch.low */
  double outside;
} dppair_tails_;

/* out = integrals over [from, to] steps, within one patch, of f, p and f's error. By 16 nodes of
 * Gauss-Legendre, whose error is below 1e-30 relative (patch.h). */
DPPAIR_FN_ void dppair_tails_piece_(double out[3], dppair_patch_ *patch, double from, double to) {
  const double h = patch->d->h, half = 0.5 * (to - from);
  int k;
  out[0] = out[1] = out[2] = 0.0;
  for (k = 0; k < 16; k++) {
    double weight, error;
    const double x = from + half * (1.0 + dppair_legendre_(&weight, k));
    const double f = dppair_patch_at_(&error, patch, x) * half * weight * h;
    out[0] += f;
    out[1] += f * dppair_exp_(h * x);
    out[2] += f * error;
  }
}

DPPAIR_FN_ dppair_status dppair_tails_open_(dppair_tails_ *t, const dppair_density_ *d,
                                            dppair_pool_ *pool) {
  const dppair_status status = dppair_patch_open_(&t->patch, d, 1e-28 + d->outside);
  size_t size, i;
  int64_t at;
  int k;
  if (status != DPPAIR_OK) return status;
  for (at = t->patch.low - 1; at <= t->patch.high + 1; at++) { /* for dppair_couple_find_ */
    const double ratio = d->f[at + 1 - d->first] / d->f[at - d->first];
    if (!(ratio > 0.02 && ratio < 50.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  }
  size = (size_t)(t->patch.high - t->patch.low) + 1;
  for (k = 0; k < 3; k++) {
    t->below[k] = dppair_pool_take_(pool, size);
    t->above[k] = dppair_pool_take_(pool, size);
    if (t->below[k] == NULL || t->above[k] == NULL) return DPPAIR_ERR_WORKSPACE;
    t->below[k][0] = t->above[k][size - 1] = 0.0;
  }
  for (i = 0; i + 1 < size; i++) {
    const double node = (double)(t->patch.low + (int64_t)i);
    double out[3];
    dppair_tails_piece_(out, &t->patch, node, node + 1.0);
    for (k = 0; k < 3; k++) {
      t->below[k][i + 1] = t->below[k][i] + out[k];
      t->above[k][i] = out[k];
    }
  }
  for (i = size - 1; i-- > 0;)
    for (k = 0; k < 3; k++) t->above[k][i] += t->above[k][i + 1];
  t->outside = dppair_patch_outside_(&t->patch);
  return DPPAIR_OK;
}

/* The same integrals below x, or above it, within the patches. */
DPPAIR_FN_ void dppair_tails_at_(double out[3], dppair_tails_ *t, double x, int above) {
  double node = dppair_floor_(x);
  size_t i;
  int k;
  if (node >= (double)t->patch.high) node = (double)t->patch.high - 1.0;
  i = (size_t)((int64_t)node - t->patch.low);
  if (above)
    dppair_tails_piece_(out, &t->patch, x, node + 1.0);
  else
    dppair_tails_piece_(out, &t->patch, node, x);
  for (k = 0; k < 3; k++) out[k] += above ? t->above[k][i + 1] : t->below[k][i];
}

/* One place: r and r' in steps, the tails of both, and `off` in steps. */
typedef struct dppair_couple_ {
  double r, other, high[3], low[3], f, f_other, off;
} dppair_couple_;

/* Finds the place of the loss `loss` steps from a guess of r. 0: it lies outside of the patches, or
 * is not certain to a hundredth of a step. */
DPPAIR_FN_ int dppair_couple_find_(dppair_couple_ *c, dppair_tails_ *t, double loss, double guess) {
  const double low = (double)t->patch.low, high = (double)t->patch.high;
  double error, other_error, residual, step;
  int i;
  c->r = guess;
  for (i = 0;; i++) {
    if (!(c->r < high && c->r - loss > low)) return 0;
    c->other = c->r - loss;
    dppair_tails_at_(c->high, t, c->r, 1);
    dppair_tails_at_(c->low, t, c->other, 0);
    c->f = dppair_patch_at_(&error, &t->patch, c->r) * t->patch.d->h;
    c->f_other = dppair_patch_at_(&other_error, &t->patch, c->other) * t->patch.d->h;
    residual = c->low[0] - c->high[0];
    step = residual / (c->f + c->f_other);
    if (i == 8 || !(dppair_fabs_(step) > 1e-14 * (1.0 + dppair_fabs_(c->r)))) break;
    c->r -= step > 1.0 ? 1.0 : (step < -1.0 ? -1.0 : step);
  }
  /* within a hundredth of a step f changes by less than a tenth: it changes by less than 50 times
   * from node to node (dppair_tails_open_), and F3 bounds its slope between by those about it */
  residual = dppair_fabs_(residual) + c->low[2] + c->high[2] + 2.0 * t->outside +
             4e3 * DPPAIR_UNIT_ * (c->low[0] + c->high[0]);
  c->off = 1.2 * residual / c->f_other +
           8.0 * DPPAIR_UNIT_ * (dppair_fabs_(c->r) + dppair_fabs_(c->other));
  return c->off < 0.01 && other_error < 0.01;
}

/* The place of the median: loss 0. */
DPPAIR_FN_ int dppair_couple_first_(dppair_couple_ *c, dppair_tails_ *t) {
  const size_t size = (size_t)(t->patch.high - t->patch.low);
  size_t i = 0;
  while (i < size && t->below[0][i] < t->above[0][i]) i++;
  return dppair_couple_find_(c, t, 0.0, (double)(t->patch.low + (int64_t)i));
}

/* Puts the mass `mass` of P, whose losses lie in [H k, H (k+1)] and to which the mass `other` of Q
 * belongs, on the ends and moves it up by `off`. slack: what the upper end may get more. */
DPPAIR_FN_ void dppair_atoms_put_(dppair_atoms_ *pair, int64_t k, double mass, double other,
                                  double off, double slack) {
  double *const at = pair->mass + (k - pair->first), whole = -dppair_expm1_(-pair->h);
  const double rise = off < pair->h ? -dppair_expm1_(-off) / whole : 1.0;
  double upper = (mass - other * dppair_exp_(pair->h * (double)k - off) + slack) / whole, lower;
  /* rounding: of the exponent, and of the difference */
  upper += 32.0 * DPPAIR_UNIT_ * (2.0 + pair->h * dppair_fabs_((double)k)) * mass / whole;
  mass += slack;
  if (!(upper > 0.0)) upper = 0.0;
  if (upper > mass) upper = mass;
  lower = mass - upper;
  at[0] += 1.0000000000001 * lower * (1.0 - rise);
  at[1] += 1.0000000000001 * (lower * rise + upper * (1.0 - rise));
  at[2] += 1.0000000000001 * upper * rise;
}

/*
 * The atoms of one epoch, as many as `limit` on each side of 0, from its density d. mass has room
 * for 2 limit + 3. Errors: WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_FN_ dppair_status dppair_atoms_make_(dppair_atoms_ *pair, const dppair_density_ *d,
                                            size_t limit, dppair_pool_ pool) {
  const double steps = pair->h / d->h;
  dppair_tails_ t;
  dppair_couple_ here, next;
  double rounding;
  int64_t k;
  size_t i;
  dppair_status status = dppair_tails_open_(&t, d, &pool);
  if (status != DPPAIR_OK) return status;
  rounding = DPPAIR_UNIT_ * (64.0 + (double)d->size);
  pair->first = -(int64_t)limit - 1;
  pair->size = 2 * limit + 3;
  for (i = 0; i < pair->size; i++) pair->mass[i] = 0.0;
  if (!dppair_couple_first_(&here, &t)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* what lies between both halves, at a loss below h */
  pair->mass[limit + 2] +=
      2.0 * here.off * dppair_larger_(here.f, here.f_other) * dppair_exp_(d->h * (here.r + 1.0));
  for (k = 0; k < (int64_t)limit; k++) {
    double p, q, off, slack;
    const double guess = here.r + steps * here.f_other / (here.f + here.f_other);
    if (!dppair_couple_find_(&next, &t, steps * (double)(k + 1), guess)) break;
    if (!(next.r > here.r) || !(next.other < here.other)) break;
    off = dppair_larger_(here.off, next.off);
    p = here.high[1] - next.high[1];
    q = here.low[1] - next.low[1];
    if (!(p > 0.0 && q > 0.0)) break;
    /* each mass errs by its own region's part, by the rounding of the sums, and q by its ends */
    slack = p * dppair_exp_(pair->h) * 1.01 *
                dppair_larger_((here.high[2] - next.high[2]) / (here.high[0] - next.high[0]),
                               (here.low[2] - next.low[2]) / (here.low[0] - next.low[0])) +
            rounding * here.high[1];
    {
      const double edge =
          1.3 * off * (here.f_other + next.f_other) * dppair_exp_(d->h * here.other);
      const double scale = p / q, lost = slack / scale + rounding * here.low[1] + edge;
      dppair_atoms_put_(pair, k, p, q, off * d->h, slack + lost * dppair_exp_(pair->h * (double)k));
      dppair_atoms_put_(pair, -k - 1, q, p, off * d->h,
                        lost + slack * dppair_exp_(-pair->h * (double)(k + 1)));
    }
    here = next;
    if (here.high[1] < 1e-24) {
      k++;
      break;
    }
  }
  if (k < 16) return DPPAIR_ERR_NO_CONVERGENCE;
  pair->infinity = 1.01 * (here.high[1] + t.outside);
  pair->mass[-k - pair->first] += 1.01 * (here.low[1] + t.outside);
  return pair->infinity < 0.001 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* ---- src/modules/allocation/replace_one.h ---------------------------------------------------
 * Random allocation, one replaced record: composition of the atoms
 *
 * Direct convolution by squaring. The step doubles with every fourfold number of epochs: a mass
 * between two atoms goes to both, with P and Q kept. All is rounded up. Relies on comonotone.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_MOST_ATOMS_ = 4000 }; /* on each side of one epoch's */

/* A step that is small against the losses: a sixtieth of the deviation of l; wider where the errors
 * of the masses, which are divided by the step, would outweigh what a narrow one saves. */
DPPAIR_FN_ double dppair_atoms_step_(const dppair_density_ *d) {
  double mass = 0.0, mean = 0.0, square = 0.0, error = 0.0, root, share;
  size_t i;
  for (i = 0; i < d->size; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i);
    mass += d->f[i];
    mean += d->f[i] * l;
    square += d->f[i] * l * l;
    error += d->f[i] * d->error[i];
  }
  mean /= mass;
  root = dppair_sqrt_(square / mass - mean * mean);
  share = 5.0 * dppair_cbrt_(error / mass / root);
  return dppair_short_(root * (share > 1.0 / 60 ? (share < 0.1 ? share : 0.1) : 1.0 / 60));
}

/* Cuts atoms off: at the right at most `spare` goes to infinity, at the left at most that much
 * moves up. */
DPPAIR_FN_ void dppair_atoms_trim_(dppair_atoms_ *x, double spare) {
  double sum = 0.0;
  size_t begin = 0;
  while (x->size > 1 && sum + x->mass[x->size - 1] <= spare) sum += x->mass[--x->size];
  x->infinity += 1.0000001 * sum;
  sum = 0.0;
  while (begin + 1 < x->size && sum + x->mass[begin] <= spare) sum += x->mass[begin++];
  memmove(x->mass, x->mass + begin, (x->size - begin) * sizeof *x->mass);
  x->mass[0] += 1.0000001 * sum;
  x->first += (int64_t)begin;
  x->size -= begin;
}

/* Doubles the step, in place: an odd atom's mass goes to both neighbours. */
DPPAIR_FN_ void dppair_atoms_widen_(dppair_atoms_ *x) {
  const double up = 1.0000000000001 / (1.0 + dppair_exp_(-x->h)), down = 1.0000000000001 - up;
  const int odd = (int)(x->first & 1);
  const size_t size = (x->size + (size_t)odd) / 2 + 1;
  double carry = odd ? x->mass[0] * up : 0.0, low = odd ? x->mass[0] * down * 1.00000001 : -1.0;
  size_t i, at = (size_t)odd, out = 0;
  /* up: the share of the upper neighbour, (1 - e^-h)/(1 - e^-2h) */
  if (odd) {
    x->mass[out++] = low;
  }
  for (i = at; out < size; i += 2) {
    const double even = i < x->size ? x->mass[i] : 0.0;
    const double next = i + 1 < x->size ? x->mass[i + 1] : 0.0;
    x->mass[out++] = (carry + even + next * down * 1.00000001) * (1.0 + 1e-15);
    carry = next * up;
  }
  x->first = (x->first - odd) / 2;
  x->size = size;
  x->h *= 2.0;
}

/* *out = the sum of independent losses, with room for x->size + y->size atoms. */
DPPAIR_FN_ void dppair_atoms_add_(dppair_atoms_ *out, const dppair_atoms_ *x,
                                  const dppair_atoms_ *y, double spare) {
  const double round =
      1.0 + DPPAIR_UNIT_ * (16.0 + (double)(x->size < y->size ? x->size : y->size));
  double all_x = x->infinity, all_y = y->infinity; /* about 1, but rounded up again and again */
  size_t i;
  for (i = 0; i < x->size; i++) all_x += x->mass[i];
  for (i = 0; i < y->size; i++) all_y += y->mass[i];
  out->size = x->size + y->size - 1;
  out->first = x->first + y->first;
  out->h = x->h;
  out->infinity = 1.000001 * (x->infinity * all_y + y->infinity * all_x);
  for (i = 0; i < out->size; i++) out->mass[i] = 0.0;
  dppair_fold_(out->mass, x->mass, x->size, y->mass, y->size, 1);
  for (i = 0; i < out->size; i++) out->mass[i] *= round;
  dppair_atoms_trim_(out, spare);
}

/* The atoms of `epochs` epochs, from those of one, which are destroyed. home: four arrays of `room`
 * atoms, home[0] those of one. WORKSPACE: too little room. */
DPPAIR_FN_ dppair_status dppair_atoms_epochs_(dppair_atoms_ *one, size_t epochs, double **home,
                                              size_t room) {
  const double spare = one->infinity > 1e-30 ? one->infinity : 1e-30;
  dppair_atoms_ few = *one, more = *one, next[2];
  size_t i, m = 1, since = 1;
  int level = 0;
  while (epochs >> (level + 1) != 0) level++;
  if (2 * few.size > room) return DPPAIR_ERR_WORKSPACE;
  if ((epochs & (epochs - 1)) != 0) {
    more.mass = home[1];
    dppair_atoms_add_(&more, &few, &few, spare);
  }
  for (; level > 0; level--) {
    const size_t bit = epochs >> (level - 1) & 1;
    const int later = (epochs & ((((size_t)1) << (level - 1)) - 1)) != 0;
    const int both = later || bit;
    if (m >= 4 * since) {
      since = m;
      dppair_atoms_widen_(&few);
      if (both) dppair_atoms_widen_(&more);
    }
    if (2 * (both ? more.size : few.size) > room || 2 * few.size > room)
      return DPPAIR_ERR_WORKSPACE;
    next[0].mass = home[2];
    next[1].mass = home[3];
    dppair_atoms_add_(&next[0], &few, bit ? &more : &few, spare * (double)m);
    if (later) dppair_atoms_add_(&next[1], bit ? &more : &few, &more, spare * (double)m);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  *one = few;
  return DPPAIR_OK;
}

/* *delta >= the delta at epsilon, and *epsilon >= the epsilon at delta; the one that is asked for.
 * Infinite: the atoms at infinity alone are more than delta. */
DPPAIR_FN_ double dppair_atoms_delta_(const dppair_atoms_ *x, double epsilon) {
  double sum = x->infinity;
  size_t i;
  for (i = x->size; i-- > 0;) {
    const double over = x->h * (double)(x->first + (int64_t)i) - epsilon;
    if (!(over > 0.0)) break;
    sum += x->mass[i] * -dppair_expm1_(-over);
  }
  sum *= 1.0 + DPPAIR_UNIT_ * (32.0 + (double)x->size);
  return sum < 1.0 ? sum : 1.0;
}

DPPAIR_FN_ double dppair_atoms_epsilon_(const dppair_atoms_ *x, double delta) {
  double low = 0.0, high = x->h * (double)(x->first + (int64_t)x->size);
  int i;
  if (!(x->infinity < delta)) return HUGE_VAL;
  if (dppair_atoms_delta_(x, 0.0) <= delta) return 0.0;
  if (!(dppair_atoms_delta_(x, high) <= delta)) return HUGE_VAL;
  for (i = 0; i < 60 && high - low > 1e-12 * high; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_atoms_delta_(x, middle) <= delta)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* The atoms of one epoch of a table, in the pool; its step is the table's choice. */
DPPAIR_FN_ dppair_status dppair_atoms_of_(dppair_atoms_ *pair, const dppair_density_ *table,
                                          dppair_pool_ *pool) {
  dppair_status status;
  memset(pair, 0, sizeof *pair);
  pair->h = dppair_atoms_step_(table);
  if (!(pair->h > 0.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  pair->mass = dppair_pool_take_(pool, 2 * DPPAIR_MOST_ATOMS_ + 3);
  if (pair->mass == NULL) return DPPAIR_ERR_WORKSPACE;
  status = dppair_atoms_make_(pair, table, DPPAIR_MOST_ATOMS_, *pool);
  if (status == DPPAIR_OK) dppair_atoms_trim_(pair, 1e-3 * pair->infinity);
  return status;
}

/* The composed upper end; HUGE_VAL or 1 where it says nothing. */
DPPAIR_FN_ dppair_status dppair_replace_upper_(double *upper, const dppair_density_ *table,
                                               size_t epochs, int asks_delta, double given,
                                               dppair_pool_ pool) {
  dppair_atoms_ pair;
  double *home[4];
  size_t room, i;
  dppair_status status = dppair_atoms_of_(&pair, table, &pool);
  *upper = asks_delta ? 1.0 : HUGE_VAL;
  if (status != DPPAIR_OK) return status;
  room = pool.left / 4;
  if (epochs > 1 && pair.size > room) return DPPAIR_ERR_WORKSPACE;
  home[0] = pair.mass;
  for (i = 0; i < 4 && epochs > 1; i++) {
    double *const at = dppair_pool_take_(&pool, room);
    if (i == 0) memcpy(at, pair.mass, pair.size * sizeof *at);
    home[i] = at;
  }
  pair.mass = home[0];
  if (epochs > 1) status = dppair_atoms_epochs_(&pair, epochs, home, room);
  if (status == DPPAIR_OK)
    *upper = asks_delta ? dppair_atoms_delta_(&pair, given) : dppair_atoms_epsilon_(&pair, given);
  return status;
}

/* ---- src/modules/allocation/answers.h -------------------------------------------------------
 * Random allocation: certified answers
 *
 * Roots of a curve from both sides, and the directions and relations that an answer is about.
 * Relies on replace_one.h.
 * ---------------------------------------------------------------------------------------------- */

/* The place, in steps, at which the computed delta is `delta`: between nodes low and low + 1. */
DPPAIR_FN_ double dppair_slope_find_(dppair_slope_ *s, double delta) {
  double low = 0.0, high = (double)s->d->first + (double)s->d->size, from, to;
  int i;
  while (high - low > 1.0) {
    const double middle = dppair_floor_(0.5 * (low + high));
    if (dppair_slope_at_(NULL, s, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  high = low + 1.0 - 1e-9; /* of the same node */
  from = dppair_log_(dppair_slope_at_(NULL, s, low) / delta);
  to = dppair_log_(dppair_slope_at_(NULL, s, high) / delta);
  for (i = 0; i < 60 && high - low > 1e-13 * (1.0 + high); i++) {
    double x = from > to ? low + (high - low) * (from / (from - to)) : 0.5 * (low + high), at;
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    at = dppair_log_(dppair_slope_at_(NULL, s, x) / delta);
    if (dppair_fabs_(at) < 1e-15) return x;
    if (at > 0.0) {
      low = x;
      from = at;
      to *= 0.5; /* Illinois: an end that stays weighs less */
    } else {
      high = x;
      to = at;
      from *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

/* lower <= the epsilon at which the curve is delta <= upper, in steps. NO_CONVERGENCE: nothing is
 * certain there. */
DPPAIR_FN_ dppair_status dppair_slope_root_(double *lower, double *upper, dppair_slope_ *s,
                                            double delta) {
  double error, value = dppair_slope_at_(&error, s, 0.0), root, move, fall;
  int side, i;
  *lower = *upper = 0.0;
  if (!(error >= 0.0 && error <= 0.5 * value)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (value + error <= delta) return DPPAIR_OK;
  root = value > delta ? dppair_slope_find_(s, delta) : 0.0;
  value = dppair_slope_at_(&error, s, root);
  if (!(error <= 0.5 * value)) return DPPAIR_ERR_NO_CONVERGENCE;
  fall = dppair_log_(value / dppair_slope_at_(NULL, s, root + 0.01)) * 100.0; /* per step */
  if (!(fall > 1e-6)) fall = 1e-6;
  for (side = 0; side < 2; side++) {
    move = 1.1 * error / value / fall + 1e-15 * (1.0 + root);
    for (i = 0;; i++, move *= 1.5) {
      const double x = side == 0 ? root + move : root - move;
      double wrong, at;
      if (i == 60) return DPPAIR_ERR_NO_CONVERGENCE;
      if (!(x > 0.0)) break; /* the lower end stays 0 */
      at = dppair_slope_at_(&wrong, s, x);
      if (side == 0 && at + wrong <= delta) {
        *upper = x;
        break;
      }
      if (side == 1 && at - wrong >= delta) {
        *lower = x;
        break;
      }
    }
  }
  return DPPAIR_OK;
}

/* lower <= epsilon <= upper of one density. */
DPPAIR_FN_ dppair_status dppair_density_epsilon_(double *lower, double *upper,
                                                 const dppair_density_ *d, double delta,
                                                 dppair_pool_ pool) {
  dppair_slope_ s;
  dppair_status status = dppair_slope_open_(&s, d, &pool);
  *lower = *upper = 0.0;
  if (status == DPPAIR_OK) status = dppair_slope_root_(lower, upper, &s, delta);
  *lower = dppair_down_(dppair_down_(*lower * d->h));
  *upper = dppair_up_(dppair_up_(*upper * d->h));
  return status;
}

/* lower <= delta <= upper of one density at epsilon. */
DPPAIR_FN_ dppair_status dppair_density_delta_(double *lower, double *upper,
                                               const dppair_density_ *d, double epsilon,
                                               dppair_pool_ pool) {
  const double x = epsilon / d->h;
  double error, value;
  dppair_slope_ s;
  dppair_status status = dppair_slope_open_(&s, d, &pool);
  *lower = *upper = 0.0;
  if (status != DPPAIR_OK) return status;
  if (x > (double)d->first + (double)d->size) {
    *upper = dppair_up_(d->outside); /* all losses above are outside */
    return DPPAIR_OK;
  }
  value = dppair_slope_at_(&error, &s, x * (1.0 - 4.0 * DPPAIR_UNIT_));
  if (!(error >= 0.0 && dppair_isfinite_f64(value + error))) return DPPAIR_ERR_NO_CONVERGENCE;
  *upper = dppair_up_(value + error);
  value = dppair_slope_at_(&error, &s, x * (1.0 + 4.0 * DPPAIR_UNIT_));
  if (value - error > 0.0) *lower = dppair_down_(value - error);
  if (*upper > 1.0) *upper = 1.0;
  return DPPAIR_OK;
}

/* Doubles for the answers below at noise multiplier z and t batches. */
DPPAIR_FN_ size_t dppair_allocation_workspace_(double z, size_t t) {
  return 20 * dppair_allocation_nodes_(z, t) + 160000;
}

/* A law of allocated records that was made (lattice.h). */
typedef struct dppair_allocated_law_ {
  double noise;
  size_t batches;
  int atoms; /* 1: `pair` was made, 0: `table` */
  dppair_density_ table;
  dppair_atoms_ pair;
} dppair_allocated_law_;

enum { /* doubles that hold it */
       DPPAIR_ALLOCATED_LAW_ = (sizeof(dppair_allocated_law_) + sizeof(double) - 1) / sizeof(double)
};

/* Doubles for any answer, and for the law behind other steps. */
DPPAIR_FN_ size_t dppair_allocation_doubles_(void) {
  return 20 * (size_t)DPPAIR_MOST_NODES_ + 160000 + DPPAIR_ALLOCATED_LAW_;
}

/* Is it in the range where the tables are proved and do not underflow? */
DPPAIR_FN_ dppair_status dppair_allocation_range_(double z, size_t t, size_t epochs) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(z)) return DPPAIR_ERR_NOT_FINITE;
  if (!(z > 0.0)) return DPPAIR_ERR_SIGMA;
  if (t < 1 || t > 1000000) return DPPAIR_ERR_SIZE;
  if (epochs < 1) return DPPAIR_ERR_STEPS;
  return z >= 0.1 && z <= 1e6 && epochs <= 10000 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* *table = the density of one epoch. The table stays at the front of work; *rest is what is free
 * behind it. Errors: those of _range_, WORKSPACE, NO_CONVERGENCE. */
DPPAIR_FN_ dppair_status dppair_allocation_build_(dppair_density_ *table, dppair_pool_ *rest,
                                                  double z, size_t t, double *work,
                                                  size_t doubles) {
  const size_t room = dppair_allocation_nodes_(z, t);
  dppair_status status = dppair_allocation_range_(z, t, 1);
  if (status != DPPAIR_OK) return status;
  if (work == NULL || doubles < dppair_allocation_workspace_(z, t)) return DPPAIR_ERR_WORKSPACE;
  status = dppair_levels_run_(table, z, t, work, doubles, room);
  if (status == DPPAIR_ERR_WORKSPACE) status = DPPAIR_ERR_NO_CONVERGENCE; /* more than MOST_NODES */
  rest->at = work + 2 * room;
  rest->left = doubles - 2 * room;
  return status;
}

/* The density of `epochs` epochs, at the front of what was free. */
DPPAIR_FN_ dppair_status dppair_allocation_fold_(dppair_density_ *fold, dppair_pool_ *rest,
                                                 const dppair_density_ *table, size_t epochs) {
  const size_t room = 3 * table->size + 256;
  dppair_status status;
  if (epochs == 1) {
    *fold = *table;
    return DPPAIR_OK;
  }
  status = dppair_epochs_run_(fold, table, epochs, rest->at, rest->left, room);
  if (status == DPPAIR_OK && dppair_pool_take_(rest, 2 * room) == NULL)
    status = DPPAIR_ERR_WORKSPACE;
  return status == DPPAIR_ERR_WORKSPACE ? DPPAIR_ERR_NO_CONVERGENCE : status;
}

/* What is asked of an allocation: the delta at `epsilon`, or the epsilon at `delta`. */
typedef struct dppair_allocation_question_ {
  double z;
  size_t batches, epochs;
  int asks_delta;
  double given; /* epsilon or delta */
  dppair_adjacency adjacency;
  int only; /* zero-out: 0, the worse direction; 1, remove; 2, add */
} dppair_allocation_question_;

/* The answer of one density. */
DPPAIR_FN_ dppair_status dppair_allocated_side_(double *lower, double *upper,
                                                const dppair_allocation_question_ *q,
                                                const dppair_density_ *d, dppair_pool_ pool) {
  return q->asks_delta ? dppair_density_delta_(lower, upper, d, q->given, pool)
                       : dppair_density_epsilon_(lower, upper, d, q->given, pool);
}

/* Zero-out: the worse of both directions, or one of them. */
DPPAIR_FN_ dppair_status dppair_allocated_zero_(dppair_interval *in,
                                                const dppair_allocation_question_ *q,
                                                const dppair_density_ *d, dppair_pool_ pool) {
  double *const work = dppair_pool_take_(&pool, 2 * d->size);
  dppair_density_ mirror;
  dppair_status status = DPPAIR_OK;
  int add;
  if (work == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_density_mirror_(&mirror, work, d->size, d);
  for (add = 0; add < 2 && status == DPPAIR_OK; add++) {
    double lower, upper;
    if (q->only == 2 - add) continue;
    status = dppair_allocated_side_(&lower, &upper, q, add ? &mirror : d, pool);
    in->lower = dppair_larger_(in->lower, lower);
    in->upper = dppair_larger_(in->upper, upper);
  }
  return status;
}

/* Replace-one. The lower end: remove, then add. The upper end: the comonotone pair, or what is
 * known without tables where its atoms are too many or too uncertain. */
DPPAIR_FN_ dppair_status dppair_allocated_replaced_(dppair_interval *in,
                                                    const dppair_allocation_question_ *q,
                                                    const dppair_density_ *table,
                                                    const dppair_density_ *d, dppair_pool_ pool) {
  const dppair_pool_ all = pool;
  double *const work = dppair_pool_take_(&pool, 2 * d->size);
  double *const both = dppair_pool_take_(&pool, 4 * d->size), upper;
  dppair_density_ mirror, sum;
  dppair_status status;
  if (work == NULL || both == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_density_mirror_(&mirror, work, d->size, d);
  status = dppair_density_add_(&sum, both, 2 * d->size, d, &mirror, pool);
  if (status == DPPAIR_OK) status = dppair_allocated_side_(&in->lower, &upper, q, &sum, pool);
  if (status != DPPAIR_OK || dppair_replace_upper_(&in->upper, table, q->epochs, q->asks_delta,
                                                   q->given, all) != DPPAIR_OK)
    in->upper = HUGE_VAL;
  return status;
}

/* The answer of mu-GDP from below, where it is exact. */
DPPAIR_FN_ double dppair_allocated_below_(const dppair_allocation_question_ *q, double mu,
                                          double upper) {
  const double target = q->asks_delta ? 0.0 : dppair_log_(q->given) * (1.0 - 3e-16);
  double step;
  if (q->asks_delta) {
    const dppair_curve_point_ point = dppair_curve_(q->given, mu);
    return point.log_delta > -700.0 ? point.delta * (1.0 - 2.0 * DPPAIR_CURVE_SLACK_) : 0.0;
  }
  for (step = 1e-14; step < 1.0; step *= 4.0) {
    const double x = upper * (1.0 - step), at = dppair_curve_(x, mu).log_delta;
    if (at - dppair_curve_log_slack_(at) >= target) return x;
  }
  return 0.0;
}

/* What is known without tables: zero-out is at most sqrt(E)/z-GDP and replace-one 2 sqrt(E)/z-GDP,
 * exact for one batch; replace-one is sqrt(2E)/z-GDP for two batches and at most that for more. */
DPPAIR_FN_ dppair_status dppair_allocated_gaussian_(dppair_interval *in,
                                                    const dppair_allocation_question_ *q) {
  const int zero = dppair_adjacency_move_(q->adjacency) == DPPAIR_ZERO_OUT;
  const double square = zero ? 1.0 : (q->batches == 1 ? 4.0 : 2.0);
  const double mu = dppair_sqrt_(square * (double)q->epochs) / q->z,
               high = dppair_up_(dppair_up_(mu));
  const dppair_status status = q->asks_delta ? dppair_gaussian_delta(&in->upper, q->given, high)
                                             : dppair_gaussian_epsilon(&in->upper, q->given, high);
  if (status == DPPAIR_OK && q->batches <= (zero ? 1u : 2u)) {
    in->lower = dppair_allocated_below_(q, dppair_down_(dppair_down_(mu)), in->upper);
    in->route = DPPAIR_ROUTE_CLOSED;
  }
  return status;
}

/* The interval of an answer. On an error both ends are 0. */
DPPAIR_FN_ dppair_status dppair_allocated_answer_(dppair_interval *in,
                                                  const dppair_allocation_question_ *q,
                                                  double *work, size_t doubles) {
  dppair_interval simple;
  dppair_density_ table, fold;
  dppair_pool_ rest;
  dppair_status status = dppair_allocation_range_(q->z, q->batches, q->epochs);
  memset(in, 0, sizeof *in);
  memset(&simple, 0, sizeof simple);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(q->given)) return DPPAIR_ERR_NOT_FINITE;
  if (q->asks_delta && !(q->given >= 0.0)) return DPPAIR_ERR_EPSILON;
  if (!q->asks_delta && !(q->given > 0.0 && q->given < 1.0)) return DPPAIR_ERR_DELTA;
  if (work == NULL || doubles < dppair_allocation_workspace_(q->z, q->batches))
    return DPPAIR_ERR_WORKSPACE;
  status = dppair_allocated_gaussian_(&simple, q);
  if (status == DPPAIR_OK && simple.route != DPPAIR_ROUTE_CLOSED) {
    status = dppair_allocation_build_(&table, &rest, q->z, q->batches, work, doubles);
    if (status == DPPAIR_OK) status = dppair_allocation_fold_(&fold, &rest, &table, q->epochs);
    if (status == DPPAIR_OK)
      status = dppair_adjacency_move_(q->adjacency) == DPPAIR_ZERO_OUT
                   ? dppair_allocated_zero_(in, q, &fold, rest)
                   : dppair_allocated_replaced_(in, q, &table, &fold, rest);
    in->route = DPPAIR_ROUTE_LATTICE;
    if (!(in->upper <= simple.upper)) in->upper = simple.upper;
  } else {
    *in = simple;
  }
  if (status == DPPAIR_ERR_WORKSPACE) status = DPPAIR_ERR_NO_CONVERGENCE; /* beyond MOST_NODES_ */
  if (status == DPPAIR_OK && !(in->lower <= in->upper)) status = DPPAIR_ERR_NO_CONVERGENCE;
  if (status != DPPAIR_OK) {
    memset(in, 0, sizeof *in);
    return status;
  }
  in->estimate = in->upper;
  return DPPAIR_OK;
}

/*
 * *epsilon: the certified interval at delta in (0, 1) for `epochs` epochs of `batches` steps each,
 * in which every record is in one batch, uniformly and independently of the others. z is the noise
 * scale over what zeroing one record moves a batch's statistic, under both relations. only: of
 * zero-out 0 the worse direction, 1 remove, 2 add. Errors:
 * SIGMA, SIZE, STEPS, DOMAIN (z outside [0.1, 1e6], more than 1e6 batches or 1e4 epochs),
 * NOT_FINITE, DELTA, ENVIRONMENT, WORKSPACE, NO_CONVERGENCE. Proofs: theory.h.
 */
DPPAIR_FN_ dppair_status dppair_allocation_epsilon_(dppair_interval *epsilon, double z,
                                                    size_t batches, size_t epochs, double delta,
                                                    dppair_adjacency adjacency, int only,
                                                    double *work, size_t doubles) {
  const dppair_allocation_question_ q = {z, batches, epochs, 0, delta, adjacency, only};
  return dppair_allocated_answer_(epsilon, &q, work, doubles);
}

/* *delta: the same at epsilon >= 0. */
DPPAIR_FN_ dppair_status dppair_allocation_delta_(dppair_interval *delta, double z, size_t batches,
                                                  size_t epochs, double epsilon,
                                                  dppair_adjacency adjacency, int only,
                                                  double *work, size_t doubles) {
  const dppair_allocation_question_ q = {z, batches, epochs, 1, epsilon, adjacency, only};
  return dppair_allocated_answer_(delta, &q, work, doubles);
}

/* *pair = the atoms of one epoch of the comonotone pair, which dominates replace-one, in work. The
 * same errors. */
DPPAIR_FN_ dppair_status dppair_allocation_atoms_(dppair_atoms_ *pair, double z, size_t batches,
                                                  double *work, size_t doubles) {
  dppair_density_ table;
  dppair_pool_ rest;
  dppair_status status = dppair_allocation_build_(&table, &rest, z, batches, work, doubles);
  memset(pair, 0, sizeof *pair);
  if (status == DPPAIR_OK) status = dppair_atoms_of_(pair, &table, &rest);
  if (status != DPPAIR_OK) memset(pair, 0, sizeof *pair);
  return status;
}

/* ---- src/modules/allocation/lattice.h -------------------------------------------------------
 * Allocated records on the lattice
 *
 * The loss of one epoch of allocated records is a table, no mixture of branches. Here
 * its search nodes, its range and its cells are made, so that it composes with any other step. (An
 * epoch is interactive, and other steps may run between its batches: Vadhan and Zhang 2023,
 * concurrent composition.) Relies on answers.h and the accountant's cells.h.
 *
 * A zeroed record has the table in both directions. A replaced one has two pairs (theory.h): one
 * that dominates, a list of atoms, and one below, "remove, then add": the table forwards and then
 * backwards. Each is composed by itself, and gives one side of the answer.
 * ---------------------------------------------------------------------------------------------- */

/* The law that was made last, which lies at the front of what is left of the workspace; its noise
 * is 0 if there is none. */
DPPAIR_FN_ dppair_allocated_law_ dppair_allocated_law_of_(const dppair_contour_ *s) {
  dppair_allocated_law_ made;
  memset(&made, 0, sizeof made);
  if (s->made) memcpy(&made, s->spare, sizeof made);
  return made;
}

/* What one side of the law consists of: the table forwards or backwards, or the atoms. */
enum { DPPAIR_TABLE_FORWARD_ = 0, DPPAIR_TABLE_BACKWARD_ = 1, DPPAIR_TABLE_ATOMS_ = 2 };

/* The parts of the law: their kinds, and how many there are. */
DPPAIR_FN_ int dppair_allocated_parts_(int part[2], const dppair_contour_ *s,
                                       const dppair_law_ *law) {
  part[0] = !law->replaces && s->backward ? DPPAIR_TABLE_BACKWARD_ : DPPAIR_TABLE_FORWARD_;
  part[1] = DPPAIR_TABLE_BACKWARD_;
  if (law->replaces && !s->below) part[0] = DPPAIR_TABLE_ATOMS_;
  return law->replaces && s->below ? 2 : 1;
}

/* Makes the law's table in what is left of the workspace, unless it was the last one. */
DPPAIR_RARE_ dppair_status dppair_allocated_make_(dppair_contour_ *s, const dppair_law_ *law,
                                                  int atoms) {
  dppair_allocated_law_ made = dppair_allocated_law_of_(s);
  double *const work = s->spare + DPPAIR_ALLOCATED_LAW_;
  dppair_pool_ rest;
  dppair_status status;
  size_t room;
  if (made.batches == law->batches && made.atoms == atoms && !(made.noise < law->noise) &&
      !(made.noise > law->noise))
    return DPPAIR_OK;
  s->made = 0;
  if (s->spares < DPPAIR_ALLOCATED_LAW_) return DPPAIR_ERR_WORKSPACE;
  room = s->spares - DPPAIR_ALLOCATED_LAW_;
  status = atoms
               ? dppair_allocation_atoms_(&made.pair, law->noise, law->batches, work, room)
               : dppair_allocation_build_(&made.table, &rest, law->noise, law->batches, work, room);
  if (status != DPPAIR_OK) return status;
  made.noise = law->noise;
  made.batches = law->batches;
  made.atoms = atoms;
  memcpy(s->spare, &made, sizeof made);
  s->made = 1;
  return DPPAIR_OK;
}

/* The losses of a part lie in [*low, *high]. */
DPPAIR_FN_ void dppair_allocated_span_(double *low, double *high, const dppair_allocated_law_ *made,
                                       int part) {
  const double h = made->atoms ? made->pair.h : made->table.h;
  const double first = (double)(made->atoms ? made->pair.first : made->table.first);
  const double last = first + (double)(made->atoms ? made->pair.size : made->table.size) - 1.0;
  *low = h * (part == DPPAIR_TABLE_BACKWARD_ ? -last : first);
  *high = h * (part == DPPAIR_TABLE_BACKWARD_ ? -first : last);
}

/* Widens [*low, *high] by all losses of the law. */
DPPAIR_RARE_ dppair_status dppair_allocation_widen_(double *low, double *high, dppair_contour_ *s,
                                                    const dppair_law_ *law) {
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  for (i = 0; i < parts; i++) {
    double from, to;
    dppair_allocated_law_ made;
    const dppair_status status = dppair_allocated_make_(s, law, part[i] == DPPAIR_TABLE_ATOMS_);
    if (status != DPPAIR_OK) return status;
    made = dppair_allocated_law_of_(s);
    dppair_allocated_span_(&from, &to, &made, part[i]);
    if (from < *low) *low = from;
    if (to > *high) *high = to;
  }
  return DPPAIR_OK;
}

/* Lists a part by at most `most` search nodes, each with the mean of its losses. */
DPPAIR_FN_ size_t dppair_allocated_nodes_(double *loss, double *mass, size_t most,
                                          const dppair_allocated_law_ *made, int part) {
  const size_t size = made->atoms ? made->pair.size : made->table.size, bin = size / most + 1;
  const double sign = part == DPPAIR_TABLE_BACKWARD_ ? -1.0 : 1.0;
  size_t i, count = 0;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    size_t j;
    for (j = i; j < size && j < i + bin; j++) {
      const double at = made->atoms ? made->pair.h * (double)(made->pair.first + (int64_t)j)
                                    : made->table.h * (double)(made->table.first + (int64_t)j);
      const double own =
          made->atoms ? made->pair.mass[j]
                      : made->table.h * made->table.f[j] * (sign > 0.0 ? dppair_exp_(at) : 1.0);
      sum += own;
      mean += own * sign * at;
    }
    if (!(sum > 0.0)) continue;
    loss[count] = mean / sum;
    mass[count++] = sum;
  }
  return count;
}

enum { DPPAIR_ALLOCATED_COARSE_ = 40 }; /* nodes of each part where there are two */

/* The search nodes of step t. */
DPPAIR_RARE_ dppair_status dppair_allocation_search_(dppair_contour_ *s, size_t t,
                                                     const dppair_law_ *law) {
  double loss[2][DPPAIR_ALLOCATED_COARSE_], mass[2][DPPAIR_ALLOCATED_COARSE_];
  dppair_search_list_ list = dppair_search_list_of_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t);
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  size_t count[2] = {1, 1}, j, k;
  dppair_allocated_law_ made;
  const dppair_status status = dppair_allocated_make_(s, law, part[0] == DPPAIR_TABLE_ATOMS_);
  if (status != DPPAIR_OK) return status;
  made = dppair_allocated_law_of_(s);
  if (parts == 1) {
    list.used =
        dppair_allocated_nodes_(list.loss, list.weight, DPPAIR_SEARCH_NODES_ / 2, &made, part[0]);
    for (j = 0; j < list.used; j++) list.weight[j] = dppair_log_(list.weight[j]);
  } else {
    for (i = 0; i < parts; i++)
      count[i] =
          dppair_allocated_nodes_(loss[i], mass[i], DPPAIR_ALLOCATED_COARSE_, &made, part[i]);
    for (j = 0; j < count[0]; j++)
      for (k = 0; k < count[1]; k++)
        dppair_search_add_(&list, loss[0][j] + loss[1][k],
                           dppair_log_(mass[0][j]) + dppair_log_(mass[1][k]));
  }
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
  return DPPAIR_OK;
}

/* Puts a part on the lattice. */
DPPAIR_RARE_ dppair_status dppair_allocated_cells_(dppair_cells_ *cells,
                                                   const dppair_allocated_law_ *made, int part) {
  double low, high;
  dppair_status status = DPPAIR_OK;
  size_t i;
  dppair_allocated_span_(&low, &high, made, part);
  if (!((high - low) / cells->h < (double)cells->size - 8.0) || !(low / cells->h > -1e9))
    return DPPAIR_ERR_NO_CONVERGENCE;
  cells->first = (int64_t)dppair_floor_(low / cells->h) - 2;
  memset(cells->right, 0, cells->size * sizeof *cells->right);
  memset(cells->left, 0, cells->size * sizeof *cells->left);
  cells->infinity = cells->unseen = cells->loss_error = cells->mass_error = 0.0;
  cells->table = 0;
  if (part != DPPAIR_TABLE_ATOMS_)
    return dppair_density_cells_(cells, &made->table, part == DPPAIR_TABLE_BACKWARD_);
  cells->table = 1; /* no lower law is read from it */
  cells->infinity = made->pair.infinity;
  for (i = 0; status == DPPAIR_OK && i < made->pair.size; i++)
    if (made->pair.mass[i] > 0.0)
      status = dppair_cells_atom_(cells, made->pair.h * (double)(made->pair.first + (int64_t)i),
                                  made->pair.mass[i]);
  return status;
}

/* Multiplies the law of step t into K. */
DPPAIR_RARE_ dppair_status dppair_allocation_multiply_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                       dppair_contour_ *s, size_t t,
                                                       const dppair_law_ *law) {
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  dppair_status status = dppair_allocated_make_(s, law, part[0] == DPPAIR_TABLE_ATOMS_);
  const dppair_allocated_law_ made = dppair_allocated_law_of_(s);
  for (i = 0; status == DPPAIR_OK && i < parts; i++) {
    const double share = 1.0 / (double)parts; /* of a scale that need only be about right */
    status = dppair_allocated_cells_(cells, &made, part[i]);
    if (status == DPPAIR_OK)
      status = dppair_lattice_multiply_(l, cells, share * dppair_contour_search_log_(s, t, s->c),
                                        share * dppair_contour_search_log_(s, t, s->right),
                                        s->right, dppair_step_runs_(&s->steps[t]));
  }
  return status;
}

/*
 * dppair_renyi of a step, from the table where it allocates records: *rdp of one run, one epoch of
 * 1 of batches/group batches, the larger of both directions, or of a replaced record a/z^2. What
 * the table cuts is in it (dppair_density_log_moment_), so that it is a proof at every order: a
 * filter (dppair_filter) may charge it for an epoch. Never above plain Gaussian noise. work: as
 * many bytes as dppair_compose_workspace says of one step; other steps do not read it. Errors:
 * those of dppair_renyi, WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_renyi_allocation(double *rdp,
                                                                   const dppair_step *step,
                                                                   double order, void *work,
                                                                   size_t bytes) {
  double unpaid, plain, remove, add, *doubles;
  dppair_density_ table;
  dppair_pool_ rest;
  dppair_law_ law;
  size_t room;
  dppair_status status;
  if (rdp == NULL) return DPPAIR_ERR_NULL;
  *rdp = 0.0;
  status = dppair_renyi(&plain, &unpaid, step, order, 0);
  if (status == DPPAIR_OK) status = dppair_law_of_(&law, step, 0.0);
  if (status != DPPAIR_OK) return status;
  *rdp = plain;
  if (law.kind != DPPAIR_LAW_TABLE_ || law.replaces) return DPPAIR_OK;
  *rdp = 0.0;
  doubles = dppair_doubles_(&room, work, bytes);
  status = dppair_allocation_build_(&table, &rest, law.noise, law.batches, doubles, room);
  if (status != DPPAIR_OK) return status;
  dppair_density_log_moment_(&remove, &table, law.noise, order);
  dppair_density_log_moment_(&add, &table, law.noise, 1.0 - order);
  remove = dppair_up_((remove > add ? remove : add) / (order - 1.0) * (1.0 + DPPAIR_RENYI_SLACK_));
  *rdp = remove < plain ? remove : plain;
  if (!(*rdp > DBL_MIN)) *rdp = DBL_MIN; /* underflow must not make a step free */
  return DPPAIR_OK;
}

/* ---- src/modules/allocation/routes.h --------------------------------------------------------
 * The route of epochs of one allocation
 *
 * The table of all batches, and where it has no answer that of fewer. Relies on answers.h and
 * accountant/composition/routes.h.
 * ---------------------------------------------------------------------------------------------- */

/* The steps as epochs of one allocation: all alike but for the numbers of steps and of groups. */
DPPAIR_FN_ dppair_status dppair_steps_epochs_(dppair_law_ *law, size_t *epochs,
                                              const dppair_step *steps, size_t count) {
  const dppair_sampling *first = count > 0 ? &steps[0].sampling : NULL;
  double sum = 0.0;
  dppair_status status;
  size_t t;
  *epochs = 0;
  if (first == NULL || first->kind != DPPAIR_ALLOCATION) return DPPAIR_ERR_NO_PROOF;
  status = dppair_law_of_(law, &steps[0], 0.0);
  if (status == DPPAIR_OK && law->kind != DPPAIR_LAW_TABLE_) status = DPPAIR_ERR_NO_PROOF;
  for (t = 0; status == DPPAIR_OK && t < count; t++) {
    const dppair_sampling *s = &steps[t].sampling;
    status = dppair_step_check_(&steps[t]);
    if (status == DPPAIR_OK &&
        (s->kind != DPPAIR_ALLOCATION || s->adjacency != first->adjacency ||
         dppair_allocation_batches_(s) != dppair_allocation_batches_(first) ||
         memcmp(&steps[t].noise_multiplier, &law->noise, sizeof law->noise) != 0))
      status = DPPAIR_ERR_NO_PROOF;
    sum += (double)dppair_step_runs_(&steps[t]);
  }
  if (status == DPPAIR_OK && !(sum <= DPPAIR_ALLOCATION_EPOCHS_MOST_)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) *epochs = (size_t)sum;
  return status;
}

/* Epochs of one law of allocation, by the table of `batches` alone. */
DPPAIR_FN_ dppair_status dppair_bracket_epochs_(dppair_interval *b, const dppair_question_ *q,
                                                const dppair_law_ *law, size_t batches,
                                                size_t epochs) {
  const dppair_adjacency adjacency = q->steps[0].sampling.adjacency;
  return q->for_delta ? dppair_allocation_delta_(b, law->noise, batches, epochs, q->given,
                                                 adjacency, q->only, q->work, q->doubles)
                      : dppair_allocation_epsilon_(b, law->noise, batches, epochs, q->given,
                                                   adjacency, q->only, q->work, q->doubles);
}

/* The same where that table has no answer: the lattice's, or what is known of the most batches, of
 * a half, a quarter .. of them, whose table has one. All curves fall with the number of batches
 * (law.h), and of one there is a closed form. */
DPPAIR_RARE_ dppair_status dppair_bracket_fewer_(dppair_interval *b, const dppair_question_ *q,
                                                 const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval other;
  dppair_status status = dppair_bracket_lattices_(b, q, 1e-3);
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, 1e-3)) return DPPAIR_OK;
  if (status != DPPAIR_OK) {
    memset(b, 0, sizeof *b);
    b->upper = HUGE_VAL;
  }
  do {
    batches /= 2;
    status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
  } while (batches > 1 && status == DPPAIR_ERR_NO_CONVERGENCE);
  if (status == DPPAIR_OK && other.upper < b->upper) {
    b->upper = b->estimate = other.upper;
    b->route = other.route;
  }
  return b->upper <= DBL_MAX ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Replace-one: where the table of all batches does not bound the comonotone pair from above, *b
 * says what plain noise does, whatever the number of batches; the table of fewer then says less. */
DPPAIR_RARE_ void dppair_bracket_replaced_(dppair_interval *b, const dppair_question_ *q,
                                           const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval plain, other;
  if (dppair_bracket_epochs_(&plain, q, law, 2, epochs) != DPPAIR_OK) return;
  if (b->upper < plain.upper) return;
  while ((batches /= 2) > 2) {
    const dppair_status status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
    if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE) return;
    if (status != DPPAIR_OK || !(other.upper < b->upper)) continue;
    b->upper = other.upper;
    b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
    return;
  }
}

/* Epochs of one allocation, and nothing else: by the table, without a transform, where it has an
 * answer. */
DPPAIR_RARE_ dppair_status dppair_allocation_bracket_(dppair_interval *b,
                                                      const dppair_question_ *q) {
  dppair_law_ law;
  size_t epochs;
  dppair_status status = dppair_steps_epochs_(&law, &epochs, q->steps, q->count);
  if (status != DPPAIR_OK) return status;
  status = dppair_bracket_epochs_(b, q, &law, law.batches, epochs);
  if (status == DPPAIR_ERR_NO_CONVERGENCE) status = dppair_bracket_fewer_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.batches > 2 &&
      dppair_adjacency_move_(q->steps[0].sampling.adjacency) == DPPAIR_REPLACE_ONE)
    dppair_bracket_replaced_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.merged) b->lower = 0.0;
  return status;
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif

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

#endif /* DPPAIR_ALLOCATION_H */
#endif /* DPPAIR_DECLARE_ONLY */
