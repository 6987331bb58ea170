/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_accountant.h - how much noise is needed and what it guarantees (version 0.1.0)
 *
 *   Sensitivities, mechanisms, composition, conversion and calibration for private pairwise learning.
 *
 *   In a pairwise problem a record sits in n-1 pairs. This header computes what that means for the
 *   sensitivity of a mean over pairs, for the subsampling of pairs, and for the stability of
 *   pairwise stochastic gradient descent; and it turns noise into (epsilon, delta) and back.
 *
 *   With dppair_losses.h and dppair_noise.h a plan's releases know their sensitivity and noise, and
 *   nothing of what follows is typed (dppair.h, RELEASES). By hand, the 2.0 is yours to prove: the rows'
 *   radius and the loss's steepest slope are 1.
 *
 *     #include "dppair_accountant.h"
 *
 *     double move, sigma;
 *     dppair_interval epsilon;
 *     dppair_accountant a;
 *     dppair_pair_unit pair = {0};
 *     dppair_sampling all = dppair_sampling_all(512, DPPAIR_REPLACE_ONE);
 *     pair.levels = DPPAIR_LEVELS_TWO, pair.unit = 2.0;             twice radius times slope
 *     if (dppair_sensitivity(&move, &pair, &all) != DPPAIR_OK ||             of one gradient
 *         dppair_gaussian_sigma(&sigma, move, 1.0, 1e-5, 100) != DPPAIR_OK)   100 steps, (1, 1e-5)
 *       return 1;
 *     dppair_accountant_init(&a);
 *     for (t = 0; t < 100; t++) {
 *       if (dppair_accountant_gaussian(&a, move, sigma, 1) != DPPAIR_OK) return 1;
 *       ... release the gradient with noise sigma, take the step ...
 *     }
 *     if (dppair_accountant_epsilon(&epsilon, &a, 1e-5, NULL) != DPPAIR_OK) return 1;
 *                                                              epsilon.upper is 1, to 12 digits
 *
 * FIRST TO KNOW
 *   dppair_sensitivity            of a mean over pairs: from one pair and the sampling; _metric,
 *                                 _queries, _groups, .. Of a loss, with rounding: NAME_sensitivity
 *   dppair_gaussian_sigma         the least noise for an epsilon and a delta
 *   dppair_accountant_init        an account; _neighbours says whose neighbours it is about
 *   dppair_accountant_gaussian    charges steps; _laplace, _sampled_gaussian, _step, ...
 *   dppair_accountant_epsilon     what was spent, proved from both sides; _delta
 *   dppair_composer_init          code and memory for it where records are sampled
 *   dppair_calibrate              the noise of a dppair_plan, beside what the account holds
 *   dppair_renyi                  of a step, of any order
 *   dppair_ledger_replay          an account from the text of its ledger; _step, _to write it
 *   dppair_gaussian_delta         the exact curve of a Gaussian release; _epsilon
 *
 * WHICH HEADER ADDS WHAT. Each of the four stands alone. They come in any order, instances last.
 *
 *   dppair.h              pair gradients, rows, domains, measures; an instance for each include
 *   dppair_losses.h       losses and their constants; with dppair.h NAME_sensitivity
 *   dppair_noise.h        generator, noise that is exactly rounded, draws of records
 *   dppair_accountant.h   sensitivities, accounts, plans, ledgers
 *   all four              releases: a plan paid once, noise and sensitivity found for you
 *
 *   Further capabilities are modules, one header each in modules/, included before the others, for
 *   instance `#include "dppair_top.h"`. A plan that needs an absent one is refused by a sentence.
 *
 * Below: chapters and their functions, then PLANS, NUMERICAL CONTRACT, LEDGER.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *    232  core/freestanding.h                          Without a C library
 *    281  core/core.h                                  The core
 *    306  core/compiler.h                              Compiler
 *    512  core/memory.h                                Without a C library: memory and strings
 *    646  core/bits.h                                  The bits of a number as an integer, and back
 *    670  core/math.h                                  Elementary functions
 *    710  core/math_exact.h                            Without a C library
 *    838  core/math_exp.h                              Exponential functions in double
 *    993  core/math_log.h                              Logarithms in double, with proved errors
 *   1110  core/math_circle.h                           Circular functions in double
 *   1383  core/math_more.h                             Powers
 *   1500  core/status.h                                Status
 *           dppair_status_string
 *   1635  core/checks.h                                Checks of numbers and sizes
 *           dppair_isfinite_f64 dppair_isfinite_f32 dppair_all_finite_f64 dppair_all_finite_f32
 *   1725  core/workspace.h                             Workspace of the caller: laid out in arrays
 *   1791  core/words.h                                 Integers of 128 bits
 *           dppair_words_add
 *   1842  core/processor.h                             Processor
 *           dppair_tier dppair_isa_name
 *   1987  core/dispatch.h                              Dispatch: calls on the tier of this machine
 *   2046  core/environment.h                           Floating-point environment
 *           dppair_environment_check
 *   2158  core/sampling.h                              Sampling
 *           dppair_sampling_name dppair_adjacency_name dppair_sampling_all dppair_sampling_poisson
 *           dppair_sampling_without_replacement dppair_sampling_with_replacement
 *           dppair_sampling_groups dppair_sampling_matching dppair_normaliser
 *   2558  core/batch.h                                 A batch: the records of one draw
 *           dppair_batch_make
 *   2582  core/sort.h                                  Sorting doubles
 *           dppair_sort_f64
 *   2683  core/audit.h                                 Audit
 *   2775  core/quick.h                                 What is compiled soon rather than fast
 *   2799  accountant/curves/interval.h                 Answers that are certified on both sides
 *   2841  accountant/curves/normal.h                   The normal distribution's tail
 *   2970  accountant/curves/gaussian_curve.h           The exact Gaussian curve
 *           dppair_gaussian_delta dppair_gaussian_log_delta dppair_gaussian_epsilon
 *           dppair_gaussian_mu dppair_gaussian_sigma
 *   3258  accountant/curves/binomial.h                 The binomial law, and the hypergeometric one
 *   3460  accountant/mechanisms/table.h                Mechanisms: the one list of them
 *           dppair_mechanism_name
 *   3652  accountant/mechanisms/steps.h                Steps
 *   3809  accountant/mechanisms/slots.h                Mechanisms whose functions a module has
 *   3845  accountant/mechanisms/draws.h                Draws whose law a module has
 *   3896  accountant/budgets/plan.h                    A plan
 *   3976  accountant/sensitivity/sensitivity.h         Sensitivities by hand
 *           dppair_sensitivity_metric dppair_sensitivity_record_clip
 *   4080  accountant/sensitivity/pairs.h               The sensitivity of a sum over pairs
 *           dppair_sensitivity
 *   4394  accountant/sensitivity/owners.h              Sensitivities of items with several owners
 *           dppair_sensitivity_owners dppair_owner_load
 *   4489  accountant/sensitivity/groups.h              Sensitivities of groups
 *           dppair_sensitivity_queries dppair_sensitivity_groups
 *   4661  core/quick_end.h                             What is compiled soon rather than fast
 *   4672  accountant/mechanisms/hits.h                 Hits
 *   4950  accountant/mechanisms/renyi.h                Renyi curves of hits, orders a > 1
 *   5287  accountant/mechanisms/dominating_pairs.h     Dominating pairs
 *   5629  accountant/mechanisms/amplified.h            What the mechanisms that draw records share
 *   5695  accountant/mechanisms/gaussian.h             Gaussian noise
 *   5722  accountant/mechanisms/laplace.h              Laplace noise
 *   5778  accountant/mechanisms/pure.h                 Any epsilon-private mechanism
 *   5826  accountant/mechanisms/zcdp.h                 Any rho-zCDP mechanism
 *   5852  accountant/mechanisms/users.h                Gaussian noise on all pairs of a sample o...
 *   5879  accountant/mechanisms/sampled_gaussian.h     Gaussian noise on a statistic of drawn re...
 *   5981  accountant/mechanisms/sampled_pairs.h        Gaussian noise on a sum over drawn pairs
 *   6057  accountant/mechanisms/randomised_response.h  Randomised response with two answers
 *   6082  accountant/mechanisms/objective.h            Objective perturbation
 *   6234  accountant/mechanisms/dispatch.h             From a step to its mechanism
 *           dppair_renyi
 *   6359  accountant/account/ledger_entry.h            A charge
 *   6437  accountant/account/account.h                 The accountant
 *           dppair_accountant_init dppair_accountant_neighbours
 *   6711  accountant/account/charges.h                 Charging an account
 *           dppair_accountant_step dppair_accountant_gaussian dppair_accountant_laplace
 *           dppair_accountant_pure dppair_accountant_sampled_gaussian
 *           dppair_accountant_sampled_pairs dppair_accountant_failure dppair_accountant_merge
 *   6904  accountant/composition/objective.h           Objective perturbation beside plain Gauss...
 *           dppair_objective_noise
 *   7092  accountant/composition/conversion.h          Conversion: the account as (epsilon, delta)
 *           dppair_group_privacy
 *   7531  accountant/composition/contour/theory.h      The contour route
 *   7688  accountant/composition/tables.h              Laws that are tables of modules
 *   7790  accountant/composition/contour/search.h      The search
 *   8029  accountant/composition/contour/layers.h      Layers: how fast |M(c+iy)| falls in y
 *   8224  accountant/composition/contour/quadrature.h  Certified quadrature in x
 *   8599  accountant/composition/contour/factor.h      One step's factor on the line
 *   8895  accountant/composition/contour/line.h        The line
 *   9218  accountant/composition/contour/direction.h   The answers of the contour route
 *   9519  accountant/composition/lattice/theory.h      The lattice route: tilted FFT
 *   9612  accountant/composition/lattice/transform.h   The FFT of the lattice route
 *   9731  accountant/composition/lattice/cells.h       A loss on the lattice
 *  10121  accountant/composition/lattice/composition.h The product of all steps on the lattice
 *  10476  accountant/composition/lattice/bounds.h      What the composed laws say
 *  10697  accountant/composition/lattice/setup.h       What a composition on the lattice is made of
 *  10857  accountant/composition/lattice/answers.h     Answers of the lattice route
 *  11155  accountant/composition/single_run.h          One run of one step: closed forms
 *  11405  accountant/composition/routes.h              The certified routes
 *  11654  accountant/composition/compose.h             The tightest certified route
 *  11787  accountant/composition/questions.h           What an account has spent
 *           dppair_composer_workspace dppair_accountant_epsilon dppair_accountant_delta
 *           dppair_accountant_by_route dppair_parallel_epsilon
 *  12126  accountant/composition/certify.h             Questions that need numerical composition
 *           dppair_composer_init
 *  12374  accountant/budgets/calibrate.h               Calibration
 *           dppair_calibrate_scale dppair_calibrate_count dppair_calibrate dppair_accountant_left
 *  12760  accountant/ledger/numbers.h                  Decimal numbers
 *  12962  accountant/ledger/json.h                     JSON of a fixed shape
 *  13100  accountant/ledger/ledger.h                   The text of a ledger
 *           dppair_ledger_write dppair_ledger_read
 *  13495  accountant/ledger/ledger_replay.h            The ledger
 *           dppair_ledger_step dppair_ledger_to dppair_ledger_replay
 *  13693  core/freestanding_end.h                      Without a C library
 */

/*
 * Plans. A plan says what is to be released within one budget; its noise is found beside what the
 *   account already holds, for batches too:
 *
 *     dppair_plan plan = {0};
 *     plan.epsilon = 2.0, plan.delta = 1e-5, plan.steps = 1000;
 *     plan.sampling = dppair_sampling_poisson(n, 256, DPPAIR_REPLACE_ONE);
 *     if (dppair_composer_workspace(&bytes, &a) != DPPAIR_OK) return 1;
 *     if (dppair_composer_init(&composer, malloc(bytes), bytes) != DPPAIR_OK) return 1;
 *     if (dppair_calibrate(&plan, &a, &composer) != DPPAIR_OK) return 1;     plan.noise_multiplier
 *     if (dppair_accountant_epsilon(&interval, &a, 1e-5, &composer) != DPPAIR_OK) return 1;
 *
 * Numerical contract. Logarithms are natural, numbers are doubles. No figure is optimistic:
 * epsilon, delta, sigma and sensitivities are rounded up and mu is rounded down, each by a bound on
 * the rounding error of its own computation. The exact Gaussian curve is within 1e-12 relative for
 * mu <= 1e9 (delta from 1e-300 on; its inverses for delta <= 0.9). All of this holds for rounding
 * to nearest only: curve, Renyi orders, account and composition refuse any other mode, and
 * subnormal numbers that are flushed to zero (DPPAIR_ERR_ENVIRONMENT).
 *
 * Errors. Every fallible function returns a dppair_status and zeroes its outputs first. A NaN, an
 * infinity, or a value outside its range is an error. An account that was handed a step that it
 * could not charge is broken: it refuses every later question.
 *
 * Memory. All objects are plain structs, copied by assignment: copy an account, try a step on the
 * copy, assign it back to keep it. Nothing is allocated, read or printed; the only static data are
 * constant tables. Workspaces are bytes at any alignment, as many as the `_workspace` functions
 * say.
 *
 * Neighbouring data sets (dppair_adjacency, dppair.h) are an argument wherever they matter. n, the
 * number of records, is public throughout. An account answers for the neighbours in its field
 * `adjacency`, which dppair_accountant_neighbours states; 0: some step was charged that named none,
 * so that the answer is about those that its sensitivity was computed for.
 *
 * Ledger. A program that ends, or crashes, must not forget what it spent. Charged by
 * dppair_ledger_step, or by a plan with dppair_ledger_to, an account has a line of JSON in a file
 * before anything is released; a program that starts again replays the file and has the same account:
 *
 *     dppair_accountant_init(&a);
 *     dppair_accountant_neighbours(&a, DPPAIR_REPLACE_ONE);
 *     if (dppair_ledger_replay(&a, &bad_line, text, length) != DPPAIR_OK) return 1;
 *     if (dppair_ledger_step(&a, &entry, append_and_sync, file) != DPPAIR_OK) return 1;
 *     ... release ...
 *
 * The charges of an account are numbered (`sequence`) and chained (`check`, 64 bits, which find
 * accidents and stop no forger), so that a line that is lost, changed or out of place does not
 * replay, nor do two programs that went on from the same line. budget --ledger FILE asks a file.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_ACCOUNTANT_H
#define DPPAIR_ACCOUNTANT_H

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

/* ---- src/core/core.h ------------------------------------------------------------------------
 * The core: what each of the four headers begins with
 *
 * Each header stands alone, so each has this text; the first that is included compiles it. The
 * generator writes a checksum of the text for the 0, and freestanding.h, which every header and
 * module begins with, compares it: headers of two versions in one file are refused.
 * ---------------------------------------------------------------------------------------------- */
#ifndef DPPAIR_CORE_H
#define DPPAIR_CORE_H
#define DPPAIR_CORE_TEXT_ 367421840u

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "dppair needs C99 or C++11 at least: compile with -std=c99 or a later standard."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"

/* ---- src/core/compiler.h --------------------------------------------------------------------
 * Compiler: attributes, knobs, strict arithmetic
 * ---------------------------------------------------------------------------------------------- */

/* Does the compiler optimise? Asked once: gcc changes its macro in regions of another level. */
#ifdef __OPTIMIZE__
#define DPPAIR_OPTIMIZED_ 1
#else
#define DPPAIR_OPTIMIZED_ 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_UNUSED_ __attribute__((unused))
#define DPPAIR_MUST_CHECK __attribute__((warn_unused_result))
#if defined(DPPAIR_NO_FORCE_INLINE) || !DPPAIR_OPTIMIZED_
#define DPPAIR_FORCE_INLINE_ static inline DPPAIR_UNUSED_
#else
#define DPPAIR_FORCE_INLINE_ static inline __attribute__((always_inline, unused))
#endif
#if DPPAIR_OPTIMIZED_
#define DPPAIR_OUT_OF_LINE_ static __attribute__((noinline, unused))
#define DPPAIR_RARE_ static __attribute__((noinline, cold, unused)) /* made small, not fast */
#else /* nothing is inlined; gcc then compiles every static function that is not called inline */
#define DPPAIR_OUT_OF_LINE_ static inline DPPAIR_UNUSED_
#define DPPAIR_RARE_ static inline DPPAIR_UNUSED_
#endif
#else
#define DPPAIR_UNUSED_
#define DPPAIR_MUST_CHECK
#define DPPAIR_FORCE_INLINE_ static inline
#define DPPAIR_OUT_OF_LINE_ static
#define DPPAIR_RARE_ static
#endif

/* Defaults of the knobs: see the manual. clang's -Os inlines much; what is asked for is its -Oz.
 * The generator of the headers writes DPPAIR_FN_ for DPPAIR_API before functions that are private.
 */
#ifndef DPPAIR_FN_
#if defined(DPPAIR_SMALL) && defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#define DPPAIR_FN_ static inline __attribute__((unused, minsize))
#else
#define DPPAIR_FN_ static inline DPPAIR_UNUSED_
#endif
#endif
#ifdef DPPAIR_IMPLEMENTATION
#include "dppair_declare.h" /* the symbol that says which declarations these definitions are of */
#endif
#if defined(DPPAIR_API)
#elif !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_API DPPAIR_FN_
#elif defined(__cplusplus)
#define DPPAIR_API extern "C"
#else
#define DPPAIR_API extern
#endif
#ifndef DPPAIR_SELF
#define DPPAIR_SELF "dppair.h"
#endif
#ifdef DPPAIR_SMALL /* the rows of vector kernels are what fills the stack */
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0
#endif
#ifndef DPPAIR_MAX_TIER /* without optimisation every tier is slow, and the wide ones take longest */
#if DPPAIR_OPTIMIZED_ || !(defined(__GNUC__) || defined(__clang__))
#define DPPAIR_MAX_TIER 3
#else
#define DPPAIR_MAX_TIER 0
#endif
#endif

/* With -ffast-math or a part of it, gcc obeys the floating-point regions below in plain code, but
 * not in functions that have an instruction set of their own. Only the scalar tier then keeps its
 * bounds. clang does not obey the regions at all and is refused; of the parts of -ffast-math it
 * reports only -ffinite-math-only by a macro. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) ||       \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#define DPPAIR_LOOSE_MATH_ 1
#else
#define DPPAIR_LOOSE_MATH_ 0
#endif
#if DPPAIR_LOOSE_MATH_ && defined(__clang__)
#error "Compile without -ffast-math: clang applies it inside dppair too and voids proved bounds."
#elif DPPAIR_LOOSE_MATH_
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0
#endif

/* On Windows a call preserves only the lower halves of ten vector registers. gcc 12 loses track of
 * the upper halves in AVX-512 code, which gave noise the wrong sign. clang is correct. */
#if (defined(_WIN64) || defined(__CYGWIN__)) && defined(__GNUC__) && !defined(__clang__) &&        \
    DPPAIR_MAX_TIER > 2
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 2
#endif

/* The proofs assume that every operation is rounded in the declared type. Excess precision (x87)
 * rounds twice or not at all, and a release would then reveal low bits of private numbers. The
 * value 16 concerns only _Float16; a negative value means that the compiler cannot tell, and is
 * refused. */
#if (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16) ||     \
    (!defined(__FLT_EVAL_METHOD__) && defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "dppair needs arithmetic in the declared type: x86 -msse2 -mfpmath=sse, s390x -std=gnu99."
#endif

/* Refuses -fsingle-precision-constant, which would round all constants to float. */
typedef char dppair_constants_are_double_[sizeof(1.0) == sizeof(double) ? 1 : -1];

/* Loads the cache line at p, which will be read soon. p may be an invalid address. */
#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_PREFETCH_(p) __builtin_prefetch(p)
#else
#define DPPAIR_PREFETCH_(p) ((void)(p))
#endif

/* To be written before a loop over an array of vectors with a small constant number of turns: once
 * the loop is unrolled, the vectors are in registers. */
#if defined(__clang__) && defined(DPPAIR_NO_FORCE_INLINE) /* warns where the size is not known */
#define DPPAIR_UNROLL_
#elif defined(__clang__)
#define DPPAIR_UNROLL_ _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define DPPAIR_UNROLL_ _Pragma("GCC unroll 16")
#else
#define DPPAIR_UNROLL_
#endif

/* Whether core/quick.h lowers the level of optimisation. gcc obeys only a part of a second pragma in
 * a region, so a region names all its options at once. */
#if defined(__GNUC__) && !defined(__clang__) && DPPAIR_OPTIMIZED_ &&                               \
    !defined(__OPTIMIZE_SIZE__) && !defined(DPPAIR_SMALL) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(DPPAIR_NO_QUICK)
#define DPPAIR_QUICK_ 1
#else
#define DPPAIR_QUICK_ 0
#endif
#define DPPAIR_QUICK_SMALL_ 0 /* 1 around a region for size */

/* Hides from clang that a size is a constant of the caller: for some constant numbers of columns
 * clang 14 at -O1 unrolls the sums over rows until no memory is left. */
#if defined(__clang__)
#define DPPAIR_ANY_SIZE_(n) __asm__("" : "+r"(n))
#else
#define DPPAIR_ANY_SIZE_(n) ((void)0)
#endif

#define DPPAIR_CAT_(a, b) a##b
#define DPPAIR_CAT(a, b) DPPAIR_CAT_(a, b)

/* DPPAIR_WORD_(word, other): the number of a word that a parameter of the template may be, `other`
 * for any other word. Where DPPAIR_PROBE_word is a macro, its comma moves the number into the
 * second place, which is the result. */
#define DPPAIR_WORD_(word, other) DPPAIR_WORD_1_(DPPAIR_CAT(DPPAIR_PROBE_, word), other, ~)
#define DPPAIR_WORD_1_(...) DPPAIR_SECOND_(__VA_ARGS__)
#define DPPAIR_SECOND_(a, b, ...) b

#ifdef __cplusplus
#define DPPAIR_RESTRICT_ __restrict
#else
#define DPPAIR_RESTRICT_ restrict
#endif

/*
 * Regions of strict arithmetic. All numerical code of the four headers is between FP_BEGIN and
 * FP_END. There the compiler does not fuse a product and a sum on its own, and -ffast-math has
 * no effect (gcc; clang is refused). Equal results on all tiers and the bounds on rounding depend
 * on this. TARGET regions are the same and add an instruction set to the functions inside them.
 *
 * Parts of -ffast-math that clang tells no macro of: its float_control takes them back on x86 and
 * PowerPC; clang 14 ignores it for ARM, WebAssembly and RISC-V, `clang fp reassociate(off)` knows
 * but one of them, and `reciprocal(off)` came with clang 18. -ffp-contract=fast cannot be taken
 * back anywhere. There nothing protects, so dppair_environment_check looks for each and refuses.
 */
#if defined(__clang__) /* QUIET: old versions know float_control on x86 only, and warn */
#define DPPAIR_QUIET_(pragmas)                                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-pragmas\"")       \
      pragmas _Pragma("clang diagnostic pop")
#define DPPAIR_FP_BEGIN_                                                                           \
  DPPAIR_QUIET_(_Pragma("float_control(push)") _Pragma("float_control(precise, on)"))              \
  _Pragma("clang fp contract(off)")
#define DPPAIR_FP_END_ DPPAIR_QUIET_(_Pragma("float_control(pop)"))
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  DPPAIR_FP_BEGIN_ DPPAIR_PRAGMA_(                                                                 \
      clang attribute push(__attribute__((target(isa))), apply_to = function))
#define DPPAIR_TARGET_END_ _Pragma("clang attribute pop") DPPAIR_FP_END_
#elif defined(__GNUC__)
#if DPPAIR_LOOSE_MATH_ /* gcc 12 then warns as if the target were lost, which it is not */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_PRAGMA_OF_(x) DPPAIR_PRAGMA_(x)
#define DPPAIR_LEVEL_ "no-fast-math" /* or a level of optimisation, too: core/quick.h */
#define DPPAIR_STRICT_                                                                             \
  DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_, "no-fast-math", "fp-contract=off"))                \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
#define DPPAIR_FP_BEGIN_ _Pragma("GCC push_options") DPPAIR_STRICT_
#define DPPAIR_FP_END_ _Pragma("GCC diagnostic pop") _Pragma("GCC pop_options")
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  _Pragma("GCC push_options") DPPAIR_STRICT_ DPPAIR_PRAGMA_(GCC target(isa))
#define DPPAIR_TARGET_END_ DPPAIR_FP_END_
#else
#define DPPAIR_FP_BEGIN_
#define DPPAIR_FP_END_
#define DPPAIR_TARGET_BEGIN_(isa)
#define DPPAIR_TARGET_END_
#endif
/* ---- src/core/memory.h ----------------------------------------------------------------------
 * Without a C library: memory and strings
 *
 * Compilers call memcpy, memmove, memset and memcmp on their own accord, for a large struct or a
 * loop that looks like one of them, and expect these of every host, -ffreestanding or not. Each
 * object file gets its own, as local symbols: the name is the symbol's, not one of C, so that a
 * host's declarations do not collide with it. `used` keeps them where no call is to be seen yet.
 * The empty asm in each loop stops compilers from finding that it is memcpy and calling it.
 *
 * A linker that optimises (-flto) renames local symbols and would leave those calls undefined; and
 * some hosts have faster ones. DPPAIR_HOST_MEMORY: the host brings the four.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_FREESTANDING

#define DPPAIR_SYMBOL_1_(prefix, name) DPPAIR_SYMBOL_2_(prefix, name)
#define DPPAIR_SYMBOL_2_(prefix, name) #prefix name
#ifdef DPPAIR_HOST_MEMORY
#define DPPAIR_SYMBOL_(name)
#define DPPAIR_USED_ DPPAIR_UNUSED_
#else
#define DPPAIR_SYMBOL_(name) __asm__(DPPAIR_SYMBOL_1_(__USER_LABEL_PREFIX__, name))
#define DPPAIR_USED_ __attribute__((used))
#endif

/* Eight bytes at any address, of any type: a plain access, which never becomes a call. */
typedef uint64_t __attribute__((may_alias, aligned(1))) dppair_any_word_;

static int dppair_memcmp_(const void *a, const void *b, size_t n) DPPAIR_SYMBOL_("memcmp");
#ifndef DPPAIR_HOST_MEMORY
static void *dppair_memcpy_(void *to, const void *from, size_t n) DPPAIR_SYMBOL_("memcpy");
static void *dppair_memmove_(void *to, const void *from, size_t n) DPPAIR_SYMBOL_("memmove");
static void *dppair_memset_(void *to, int byte, size_t n) DPPAIR_SYMBOL_("memset");

DPPAIR_USED_ static void *dppair_memcpy_(void *to, const void *from, size_t n) {
  unsigned char *t = (unsigned char *)to;
  const unsigned char *f = (const unsigned char *)from;
  for (; n >= 8; n -= 8, t += 8, f += 8) {
    *(dppair_any_word_ *)(void *)t = *(const dppair_any_word_ *)(const void *)f;
    __asm__("" : "+r"(t));
  }
  for (; n > 0; n--) {
    *t++ = *f++;
    __asm__("" : "+r"(t));
  }
  return to;
}

DPPAIR_USED_ static void *dppair_memmove_(void *to, const void *from, size_t n) {
  unsigned char *t = (unsigned char *)to + n;
  const unsigned char *f = (const unsigned char *)from + n;
  /* Upwards a word may overwrite what has been read, never what will be. */
  if ((uintptr_t)to <= (uintptr_t)from) return dppair_memcpy_(to, from, n);
  for (; n > 0; n--) {
    *--t = *--f;
    __asm__("" : "+r"(t));
  }
  return to;
}

DPPAIR_USED_ static void *dppair_memset_(void *to, int byte, size_t n) {
  unsigned char *t = (unsigned char *)to;
  const uint64_t eight = (uint64_t)(unsigned char)byte * UINT64_C(0x0101010101010101);
  for (; n >= 8; n -= 8, t += 8) {
    *(dppair_any_word_ *)(void *)t = eight;
    __asm__("" : "+r"(t));
  }
  for (; n > 0; n--) {
    *t++ = (unsigned char)byte;
    __asm__("" : "+r"(t));
  }
  return to;
}
#endif

DPPAIR_USED_ static int dppair_memcmp_(const void *a, const void *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (; n > 0; n--, x++, y++) {
    if (*x != *y) return *x < *y ? -1 : 1;
    __asm__("" : "+r"(x));
  }
  return 0;
}

#if defined(__clang__) && !defined(DPPAIR_HOST_MEMORY) /* makes it of memcmp(...) == 0 */
static int dppair_bcmp_(const void *a, const void *b, size_t n) DPPAIR_SYMBOL_("bcmp");
DPPAIR_USED_ static int dppair_bcmp_(const void *a, const void *b, size_t n) {
  return dppair_memcmp_(a, b, n);
}
#endif

#if defined(__clang__) && defined(__ARM_EABI__) && !defined(DPPAIR_HOST_MEMORY)
/* On bare ARM clang calls these instead, one for each alignment; __aeabi_memset has its arguments
 * in an order of its own. */
#define DPPAIR_ARM_MEMORY_(digit, text)                                                            \
  static void dppair_arm_copy##digit(void *to, const void *from, size_t n)                         \
      DPPAIR_SYMBOL_("__aeabi_memcpy" text);                                                       \
  static void dppair_arm_move##digit(void *to, const void *from, size_t n)                         \
      DPPAIR_SYMBOL_("__aeabi_memmove" text);                                                      \
  static void dppair_arm_set##digit(void *to, size_t n, int byte)                                  \
      DPPAIR_SYMBOL_("__aeabi_memset" text);                                                       \
  static void dppair_arm_clear##digit(void *to, size_t n) DPPAIR_SYMBOL_("__aeabi_memclr" text);   \
  DPPAIR_USED_ static void dppair_arm_copy##digit(void *to, const void *from, size_t n) {          \
    (void)dppair_memcpy_(to, from, n);                                                             \
  }                                                                                                \
  DPPAIR_USED_ static void dppair_arm_move##digit(void *to, const void *from, size_t n) {          \
    (void)dppair_memmove_(to, from, n);                                                            \
  }                                                                                                \
  DPPAIR_USED_ static void dppair_arm_set##digit(void *to, size_t n, int byte) {                   \
    (void)dppair_memset_(to, byte, n);                                                             \
  }                                                                                                \
  DPPAIR_USED_ static void dppair_arm_clear##digit(void *to, size_t n) {                           \
    (void)dppair_memset_(to, 0, n);                                                                \
  }
DPPAIR_ARM_MEMORY_(_, "")
DPPAIR_ARM_MEMORY_(4_, "4")
DPPAIR_ARM_MEMORY_(8_, "8")
#endif

DPPAIR_UNUSED_ static int dppair_strcmp_(const char *a, const char *b) {
  while (*a != 0 && *a == *b) a++, b++;
  return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

DPPAIR_UNUSED_ static size_t dppair_strlen_(const char *a) {
  size_t n = 0;
  while (a[n] != 0) {
    n++;
    __asm__("" : "+r"(a)); /* else clang calls strlen */
  }
  return n;
}

#endif
/* ---- src/core/bits.h ------------------------------------------------------------------------
 * The bits of a number as an integer, and back
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FORCE_INLINE_ uint64_t dppair_bits_f64_(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ double dppair_from_bits_f64_(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
DPPAIR_FORCE_INLINE_ uint32_t dppair_bits_f32_(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ float dppair_from_bits_f32_(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
/* ---- src/core/math.h ------------------------------------------------------------------------
 * Elementary functions: every one that the headers use, under one name
 * ---------------------------------------------------------------------------------------------- */

/* A function of libm. Without a C library nothing declares it, but the compiler knows it: it is a
 * call all the same, where no instruction does it. */
#ifdef DPPAIR_FREESTANDING
#define DPPAIR_LIBM_CALL_(name) __builtin_##name
#else
#define DPPAIR_LIBM_CALL_(name) name
#endif

#define dppair_expl_(x) DPPAIR_LIBM_CALL_(expl)(x)
#define dppair_expm1l_(x) DPPAIR_LIBM_CALL_(expm1l)(x)
#define dppair_fabs_(x) DPPAIR_LIBM_CALL_(fabs)(x)
#define dppair_floorl_(x) DPPAIR_LIBM_CALL_(floorl)(x)
#define dppair_log1pl_(x) DPPAIR_LIBM_CALL_(log1pl)(x)

/* Exact by IEEE 754 wherever they come from. Without a C library: math_exact.h. */
#ifdef DPPAIR_FREESTANDING
#define dppair_ceil_(x) dppair_own_ceil_(x)
#define dppair_copysign_(x, y) dppair_own_copysign_(x, y)
#define dppair_floor_(x) dppair_own_floor_(x)
#define dppair_fmax_(x, y) dppair_own_fmax_(x, y)
#define dppair_fmin_(x, y) dppair_own_fmin_(x, y)
#define dppair_frexp_(x, exponent) dppair_own_frexp_(x, exponent)
#define dppair_ldexp_(x, exponent) dppair_own_ldexp_(x, exponent)
#define dppair_rint_(x) dppair_own_rint_(x)
#define dppair_sqrt_(x) dppair_own_sqrt_(x)
#else
#define dppair_ceil_(x) DPPAIR_LIBM_CALL_(ceil)(x)
#define dppair_copysign_(x, y) DPPAIR_LIBM_CALL_(copysign)(x, y)
#define dppair_floor_(x) DPPAIR_LIBM_CALL_(floor)(x)
#define dppair_fmax_(x, y) DPPAIR_LIBM_CALL_(fmax)(x, y)
#define dppair_fmin_(x, y) DPPAIR_LIBM_CALL_(fmin)(x, y)
#define dppair_frexp_(x, exponent) DPPAIR_LIBM_CALL_(frexp)(x, exponent)
#define dppair_ldexp_(x, exponent) DPPAIR_LIBM_CALL_(ldexp)(x, exponent)
#define dppair_rint_(x) DPPAIR_LIBM_CALL_(rint)(x)
#define dppair_sqrt_(x) DPPAIR_LIBM_CALL_(sqrt)(x)
#endif
/* ---- src/core/math_exact.h ------------------------------------------------------------------
 * Without a C library: roots, powers of two and whole numbers, all exactly as IEEE 754 has them
 *
 * A C library's own are exact too, and instructions in most places, so that they serve where there
 * is one. These have the same bits and call nothing. tests/headers/math.c sets DPPAIR_OWN_EXACT_ to
 * compare the two.
 * ---------------------------------------------------------------------------------------------- */

#if defined(DPPAIR_FREESTANDING) || defined(DPPAIR_OWN_EXACT_)

DPPAIR_FP_BEGIN_

/* x 2^n rounded once. Each factor is a power of two within the normal numbers. On the way up only
 * what overflows is rounded. On the way down a first product by 2^-969 that is not exact is below
 * 2^-1022, and at least 54 powers are left: the result is below half of the least number, 0. */
DPPAIR_FN_ double dppair_own_ldexp_(double x, int n) {
  int turn;
  for (turn = 0; turn < 2 && n > 1023; turn++, n -= 1023) x *= 8.98846567431158e307; /* 2^1023 */
  for (turn = 0; turn < 2 && n < -1022; turn++, n += 969) x *= 2.00416836000897278e-292;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return x * dppair_from_bits_f64_((uint64_t)(n + 1023) << 52);
}

/* x = m 2^e with 1/2 <= |m| < 1; e = 0 for 0, infinities and NaN, which m then is. */
DPPAIR_FN_ double dppair_own_frexp_(double x, int *e) {
  uint64_t bits = dppair_bits_f64_(x);
  int up = 0;
  *e = 0;
  if (x == 0.0 || (bits << 1) >= UINT64_C(0xffe0000000000000)) return x;
  if ((bits << 1) < UINT64_C(0x0020000000000000)) { /* below the normal numbers */
    bits = dppair_bits_f64_(x * 18014398509481984.0);
    up = 54;
  }
  *e = (int)(bits >> 52 & 0x7ff) - 1022 - up;
  return dppair_from_bits_f64_((bits & UINT64_C(0x800fffffffffffff)) |
                               UINT64_C(0x3fe0000000000000));
}

/* The nearest whole number, ties to even, with the sign of x. Below 2^52 the sum has no digits
 * after the point. */
DPPAIR_FN_ double dppair_own_rint_(double x) {
  const uint64_t sign = dppair_bits_f64_(x) & UINT64_C(0x8000000000000000);
  const double size = dppair_fabs_(x);
  if (!(size < 4503599627370496.0)) return x;
  return dppair_from_bits_f64_(dppair_bits_f64_((size + 4503599627370496.0) - 4503599627370496.0) |
                               sign);
}

DPPAIR_FN_ double dppair_own_floor_(double x) {
  const double r = dppair_own_rint_(x);
  return r > x ? r - 1.0 : r; /* r > x only where r > -2^52 */
}

DPPAIR_FN_ double dppair_own_ceil_(double x) { return -dppair_own_floor_(-x); }

DPPAIR_FN_ double dppair_own_fmax_(double x, double y) { return x >= y || y != y ? x : y; }
DPPAIR_FN_ double dppair_own_fmin_(double x, double y) { return x <= y || y != y ? x : y; }

/*
 * The square root in integers. x = f 2^e with e even and f = M 2^-54 in [1/4, 1). The 54 digits of
 * root = floor(sqrt(M 2^54)), in [2^53, 2^54), are found one by one from the 54 pairs of digits of
 * M 2^54; `rest`, what is left above the square, is at most 2 root. The last digit is the first
 * that sqrt(x) rounds away. No tie: sqrt(f) would have 54 digits, and its square a digit at
 * 2^-108.
 */
DPPAIR_FN_ double dppair_sqrt_by_digits_(double x) {
  uint64_t m, root = 0, rest = 0;
  int e, i;
  if (!(x > 0.0)) return x == 0.0 ? x : (x - x) / (x - x);
  if (x > DBL_MAX) return x;
  m = (uint64_t)(dppair_own_frexp_(x, &e) * 9007199254740992.0);
  if ((e & 1) != 0)
    e++;
  else
    m <<= 1;
  for (i = 53; i >= 0; i--) {
    const uint64_t trial = root << 2 | 1;
    rest = rest << 2 | (i >= 27 ? m >> (2 * (i - 27)) & 3 : 0);
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  return dppair_own_ldexp_((double)((root + 1) >> 1), e / 2 - 53);
}

/* The instruction where there surely is one: the compiler's sqrt also calls the library's for
 * errno. asm is bound to no mode of -ffast-math. */
DPPAIR_FN_ double dppair_own_sqrt_(double x) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__AVX__)
  __asm__("vsqrtsd %1, %1, %0" : "=x"(x) : "x"(x));
  return x;
#elif defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__SSE2__)
  __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
  return x;
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__("fsqrt %d0, %d1" : "=w"(x) : "w"(x));
  return x;
#elif defined(__GNUC__) && defined(__riscv_flen) && __riscv_flen >= 64
  __asm__("fsqrt.d %0, %1" : "=f"(x) : "f"(x));
  return x;
#else
  return dppair_sqrt_by_digits_(x);
#endif
}

DPPAIR_FN_ double dppair_own_copysign_(double x, double y) {
  const uint64_t sign = UINT64_C(0x8000000000000000);
  return dppair_from_bits_f64_((dppair_bits_f64_(x) & ~sign) | (dppair_bits_f64_(y) & sign));
}

DPPAIR_FP_END_

#endif

DPPAIR_FP_BEGIN_

/* sqrt(a^2 + b^2) of finite numbers without overflow, NaN of a NaN; within 4 u of it (u =
 * 2^-53): 1.5 u in ratio^2, u in the sum, halved by the root, and u each for root and product. */
DPPAIR_FN_ double dppair_hypot_(double a, double b) {
  const double x = dppair_fabs_(a), y = dppair_fabs_(b), big = x > y ? x : y,
               ratio = (x > y ? y : x) / big;
  if (x != x || y != y) return x + y;
  return big > 0.0 ? big * dppair_sqrt_(1.0 + ratio * ratio) : 0.0;
}

DPPAIR_FP_END_
/* ---- src/core/math_exp.h --------------------------------------------------------------------
 * Exponential functions in double, with proved errors
 *
 * u = 2^-53. They are made of +, -, * and bits alone, each rounded to nearest, never of a fused
 * product: the same bits on every processor and with every C library. "Within c u" is relative
 * where the result is normal; one below the normal numbers has half of the least number on top.
 * tests/headers/math.c measures what is proved here, against long double;
 * tests/exhaust/elementary.* proves it once more, from this text, and measures it against 160
 * digits.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_EXP_ERROR_ 1.1   /* of dppair_exp_, in u; 0.58 ulp */
#define DPPAIR_EXPM1_ERROR_ 1.5 /* of dppair_expm1_, in u; 0.75 ulp */

DPPAIR_FP_BEGIN_

/* x to 26 digits, towards zero: products of two such numbers are exact. */
DPPAIR_FORCE_INLINE_ double dppair_head_(double x) {
  return dppair_from_bits_f64_(dppair_bits_f64_(x) & UINT64_C(0xfffffffff8000000));
}

/* 2^n, a normal number: -1022 <= n <= 1023. */
DPPAIR_FORCE_INLINE_ double dppair_power_of_two_(int n) {
  return dppair_from_bits_f64_((uint64_t)(n + 1023) << 52);
}

/* y 2^n for y in [1/2, 2] and -1080 <= n <= 1024. */
DPPAIR_FN_ double dppair_by_power_of_two_(double y, int n) {
  if (n >= -1022 && n <= 1023) return y * dppair_power_of_two_(n);
  if (n > 0) return y * 8.98846567431158e307 * 2.0;                 /* 2^1023 */
  return y * dppair_power_of_two_(n + 128) * 2.938735877055719e-39; /* 2^-128 */
}

/*
 * base + e^(r + c) - 1, where |r| <= 0.3467, |c| <= 2^-54, and base is 1, 0 or 1 - 2^-n for |n| <=
 * 54, so that the result is 0.17 at least, or base is 0; `extra` is added, |extra| <= 2^-54. e^r -
 * 1 = r + t^2/2 + ((r - t)(r + t)/2 + r^3 g), t the head of r. t^2/2 is exact. g = 1/6 + r/24 +
 * ... + r^11/14! in pairs; what follows is below r^15/15! < 2^-62 r. g has 3 u, r^3 g, which is
 * below |r|^3/5.5, 6 u of itself: 0.05 u. c (1 + r) stands for e^r (e^c - 1), 2^-54 r^2/1.8 < 0.04
 * u away from it. The two sums keep what they round off (|base + r| >= t^2/2 in every case), and
 * the small numbers' own sum, below 0.009 and of four terms, has 0.03 u. Together 0.12 u, for base
 * = 0 below 0.3 u of |r| (the terms are at least as r^2, c is 0), and the last sum's half ulp: of
 * a result in [0.7, 1.42] at most 1.2 u, of one of 0.17 at least 1.5 u. From n = -54 down base is
 * -2^-n, and so is the result.
 */
DPPAIR_FN_ double dppair_exp_core_(double base, double r, double c, double extra) {
  const double t = dppair_head_(r), half = 0.5 * t * t, r2 = r * r;
  const double r4 = r2 * r2;
  const double third = (1.0 / 6 + r * (1.0 / 24)) + r2 * (1.0 / 120 + r * (1.0 / 720));
  const double seventh =
      (1.0 / 5040 + r * (1.0 / 40320)) + r2 * (1.0 / 362880 + r * (1.0 / 3628800));
  const double eleventh = (1.0 / 39916800 + r * (1.0 / 479001600)) +
                          r2 * (1.0 / 6227020800.0 + r * (1.0 / 87178291200.0));
  const double g = third + r4 * (seventh + r4 * eleventh);
  const double little = 0.5 * ((r - t) * (r + t)) + r2 * r * g;
  const double first = base + r, lost = base == 0.0 ? 0.0 : (base - first) + r;
  const double both = first + half, again = (first - both) + half;
  return both + (lost + again + (little + (c + c * r + extra)));
}

/* n and r + c = x - n ln 2 for |x| <= 746. ln 2's first part has 32 digits and n at most 11: the
 * product and the difference from x, whose last digit is no finer than 2^-54 when n is not 0, are
 * exact. The rest of ln 2, 2^-86 off, times n has 2^-73. */
DPPAIR_FORCE_INLINE_ int dppair_exp_reduce_(double x, double *r, double *c) {
  const double magic = 6755399441055744.0; /* 1.5 2^52 */
  const double n = (x * 1.4426950408889634 + magic) - magic;
  const double high = x - n * 0.6931471803691238, low = n * 1.9082149292705877e-10;
  const double back = high - low, taken = high - back;
  *r = back;
  *c = (high - (back + taken)) + (taken - low);
  return (int)n;
}

/*
 * e^x within DPPAIR_EXP_ERROR_ u. x = n ln(2)/32 + r, |r| <= 0.0109, and e^x = 2^(n/32) e^r. The
 * product with the first part of ln 2, of 32 digits, is exact for n of 16, and so is the
 * difference, below 2^-6 and no finer than 2^-59. r rounded has 0.01 u, the series to r^6 leaves
 * r^7/5040, 0.03 u, and has 0.01 u in its last sum, the product with the table and the sum with
 * its low part 0.01 u each. Then one sum rounds, by half an ulp.
 */
DPPAIR_FN_ double dppair_exp_(double x) {
  static const double table[32][2] = {{1.0, 0.0},
                                      {1.0218971486541166, 5.109225028973444e-17},
                                      {1.0442737824274138, 8.551889705537965e-17},
                                      {1.0671404006768237, -7.899853966841582e-17},
                                      {1.0905077326652577, -3.046782079812471e-17},
                                      {1.1143867425958924, 1.0410278456845571e-16},
                                      {1.1387886347566916, 8.912812676025408e-17},
                                      {1.1637248587775775, 3.8292048369240935e-17},
                                      {1.189207115002721, 3.982015231465646e-17},
                                      {1.215247359980469, -7.712630692681488e-17},
                                      {1.241857812073484, 4.658027591836937e-17},
                                      {1.2690509571917332, 2.667932131342186e-18},
                                      {1.2968395546510096, 2.5382502794888315e-17},
                                      {1.3252366431597413, -2.8587312100388614e-17},
                                      {1.3542555469368927, 7.70094837980299e-17},
                                      {1.383909881963832, -6.770511658794786e-17},
                                      {1.4142135623730951, -9.667293313452913e-17},
                                      {1.4451808069770467, -3.0237581349939873e-17},
                                      {1.4768261459394993, -3.483994556892796e-17},
                                      {1.5091644275934228, -1.016455327754295e-16},
                                      {1.5422108254079407, 7.949834809697621e-17},
                                      {1.5759808451078865, -1.0136916471278304e-17},
                                      {1.6104903319492543, 2.4707192569797888e-17},
                                      {1.645755478153965, -1.0125679913674773e-16},
                                      {1.681792830507429, 8.199010020581497e-17},
                                      {1.718619298122478, -1.851380418263111e-17},
                                      {1.7562521603732995, 2.960140695448873e-17},
                                      {1.7947090750031072, 1.8227458427912087e-17},
                                      {1.8340080864093424, 3.283107224245627e-17},
                                      {1.8741676341103, -6.122763413004143e-17},
                                      {1.9152065613971474, -1.0619946056195963e-16},
                                      {1.9571441241754002, 8.960767791036668e-17}};
  const double magic = 6755399441055744.0; /* 1.5 2^52 */
  double n, r, r2, p;
  const double *power;
  uint32_t whole;
  int scale;
  if (!(x < 709.7827128933841)) return x > 0.0 ? x * 8.98846567431158e307 : x; /* inf, or NaN */
  if (x < -745.2) return 0.0;
  n = x * 46.16624130844683 + magic;
  whole = (uint32_t)dppair_bits_f64_(n) + 32 * 1080; /* the sum's last digits are n's */
  n -= magic;
  r = (x - n * (0.6931471803691238 / 32)) - n * (1.9082149292705877e-10 / 32);
  power = table[whole & 31];
  r2 = r * r;
  p = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720);
  p = r + (r2 * (0.5 + r * (1.0 / 6)) + r2 * r2 * p);
  scale = (int)(whole >> 5) - 1080;
  if (scale >= -900 &&
      scale < 1024) { /* first, which no rounding sees and hides a product's time */
    const double by = dppair_power_of_two_(scale), head = power[0] * by;
    return head + (power[1] * by + head * p);
  }
  return dppair_by_power_of_two_(power[0] + (power[1] + power[0] * p), scale);
}

/* e^x - 1 within DPPAIR_EXPM1_ERROR_ u. 2^n (e^r - 2^-n): from |n| = 54 on, 2^-n or 1 is among the
 * small numbers or alone. */
DPPAIR_FN_ double dppair_expm1_(double x) {
  double r, c, y, little = 0.0, base = 1.0;
  int n;
  if (!(x < 709.7827128933841)) return x > 0.0 ? x * 8.98846567431158e307 : x;
  if (x < -38.0) return -1.0;
  if (x < 5.551115123125783e-17 && x > -5.551115123125783e-17) return x; /* 2^-54, keeps -0 */
  n = dppair_exp_reduce_(x, &r, &c);
  if (n < 54)
    base = 1.0 - dppair_power_of_two_(-n);
  else if (n < 200)
    little = -dppair_power_of_two_(-n);
  y = dppair_exp_core_(base, r, c, little);
  return n > 1023 ? y * 8.98846567431158e307 * 2.0 : y * dppair_power_of_two_(n);
}

DPPAIR_FP_END_
/* ---- src/core/math_log.h --------------------------------------------------------------------
 * Logarithms in double, with proved errors
 *
 * As in math_exp.h: u = 2^-53, sums, products and quotients alone, each rounded to nearest.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_ERROR_ 1.2   /* of dppair_log_, in u; 0.55 ulp */
#define DPPAIR_LOG1P_ERROR_ 1.2 /* of dppair_log1p_, in u; 0.57 ulp */

DPPAIR_FP_BEGIN_

/* x = z 2^k exactly, z in [0.6875, 1.375); x positive and normal. *place is the interval of z:
 * 20 of length 1/64 below 1, 12 of 1/32 from 1 on. */
DPPAIR_FORCE_INLINE_ double dppair_log_reduce_(double x, int *k, int *place) {
  const uint64_t least = UINT64_C(0x3fe6000000000000); /* 0.6875 */
  const uint64_t bits = dppair_bits_f64_(x) + (UINT64_C(0x3ff0000000000000) - least);
  *k = (int)(bits >> 52) - 1023;
  *place = (int)(bits >> 47) & 31;
  return dppair_from_bits_f64_((bits & UINT64_C(0x000fffffffffffff)) + least);
}

/* -r^2/2 + r^3/3 - ... + r^11/11, |r| <= 1/32: the next is below 2^-58 r. Within 4 u of itself,
 * where it is at most 0.016 of r: 0.06 u of ln(1 + r). */
DPPAIR_FORCE_INLINE_ double dppair_log_series_(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  return r2 * (((-0.5 + r * (1.0 / 3)) + r2 * (-0.25 + r * 0.2)) +
               r4 * (((-1.0 / 6 + r * (1.0 / 7)) + r2 * (-0.125 + r * (1.0 / 9))) +
                     r4 * (-0.1 + r * (1.0 / 11))));
}

/*
 * ln z + k ln 2 + more as *low + the returned number; |more| <= 2^-53. c is near 1/z, of 9 digits:
 * the products with both halves of z are exact, and c z - 1 = r + lost, |r| <= 0.0169. -ln c is a
 * multiple of 2^-42, to which k times ln 2's first part, 32 digits, is added exactly, and a rest.
 * In the two intervals next to 1, c = 1 and r = z - 1, up to 1/32: there the error is relative to
 * r. Elsewhere the series is below 2^-12.8, of 4 u, where the result is 0.0157 at least: 0.04 u;
 * the sums of the small numbers have 0.02 u. Together with the last sum, by the caller, 1.1 u or
 * 0.55 ulp.
 */
DPPAIR_FN_ double dppair_log_core_(double z, int k, int place, double more, double *low) {
  static const uint16_t near_inverse[32] = {368, 360, 352, 345, 338, 331, 324, 318, 312, 306, 301,
                                            295, 290, 285, 280, 275, 271, 266, 262, 256, 256, 245,
                                            237, 231, 224, 218, 213, 207, 202, 197, 193, 188};
  static const double table[32][2] = {{-0.3629054936893681, -3.6708569716349383e-16},
                                      {-0.34092658697068146, 8.82452633212564e-14},
                                      {-0.31845373111855224, 1.7625431312172662e-14},
                                      {-0.2983669725517757, -2.159269374197349e-14},
                                      {-0.27786845100354185, 8.554360006566322e-14},
                                      {-0.2569409308975992, 9.874803015966392e-14},
                                      {-0.23556607131286, 9.30945949519689e-14},
                                      {-0.21687393830052315, -9.120937249914984e-14},
                                      {-0.19782574332998593, 6.604544877082384e-14},
                                      {-0.17840765747291698, 9.86835038673495e-14},
                                      {-0.16193282026938505, 7.179390019295677e-14},
                                      {-0.14179791186029433, 3.698459506697097e-14},
                                      {-0.1247034785010328, 7.556920687451337e-14},
                                      {-0.10731173578915332, 6.526678802731071e-14},
                                      {-0.08961215868976069, 7.355770219435029e-14},
                                      {-0.07159365318693744, -7.137308225343178e-14},
                                      {-0.056941376400118315, -2.0109399435564958e-14},
                                      {-0.03831886430202758, -1.0902154302203302e-13},
                                      {-0.023167059281604452, 7.007359704310036e-14},
                                      {0.0, 0.0},
                                      {0.0, 0.0},
                                      {0.04391923393473007, 1.0541743854342862e-13},
                                      {0.07711730334449385, -6.255850200176405e-14},
                                      {0.10275973395778237, -1.3438406228830954e-14},
                                      {0.13353139262449076, 3.1859736349078334e-14},
                                      {0.16068238169054894, -7.547106028244807e-14},
                                      {0.1838852787700489, 8.84637355812087e-14},
                                      {0.21245865121409224, 1.0115944196590467e-13},
                                      {0.2369097470784709, -1.1318526912023687e-13},
                                      {0.26197371574153294, 4.102651071698446e-14},
                                      {0.28248725557477883, -1.0190482133505088e-13},
                                      {0.30873548164959175, 2.1522127491642888e-14}};
  const double c = near_inverse[place] * (1.0 / 256), head = dppair_head_(z);
  const double a = head * c - 1.0, b = (z - head) * c, r = a + b, lost = (a - r) + b;
  const double known = (double)k * 0.6931471803691238 + table[place][0], sum = known + r;
  const double rest = (double)k * 1.9082149292705877e-10 + (table[place][1] + more);
  *low = ((known - sum) + r) + (dppair_log_series_(r) + (lost + rest));
  return sum;
}

/* ln x within DPPAIR_LOG_ERROR_ u: -infinity of 0, NaN of what is below. */
DPPAIR_FN_ double dppair_log_(double x) {
  double z, high, low;
  int k, place, up = 0;
  if (!(x >= DBL_MIN && x <= DBL_MAX)) {
    if (!(x > 0.0)) return x == 0.0 ? -HUGE_VAL : (x - x) / (x - x);
    if (x > DBL_MAX) return x;
    x *= 18014398509481984.0; /* 2^54 */
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, k - up, place, 0.0, &low);
  return high + low;
}

/* ln(1 + x) within DPPAIR_LOG1P_ERROR_ u. Near 0 it is the series. Else 1 + x is h + l, and l/h is
 * added, below u, where the result is 0.0157 at least: the quotient's error and the square are
 * nothing. */
DPPAIR_FN_ double dppair_log1p_(double x) {
  double h, z, high, low;
  int k, place;
  if (x > -0.015625 && x < 0.03125) {
    if (x < 5.551115123125783e-17 && x > -5.551115123125783e-17) return x; /* 2^-54, keeps -0 */
    return x + dppair_log_series_(x);
  }
  h = 1.0 + x;
  if (!(x > -1.0)) return x == -1.0 ? -HUGE_VAL : (x - x) / (x - x);
  if (x > DBL_MAX) return x;
  z = dppair_log_reduce_(h, &k, &place);
  high = dppair_log_core_(z, k, place, (x > 1.0 ? 1.0 - (h - x) : x - (h - 1.0)) / h, &low);
  return high + low;
}

DPPAIR_FP_END_
/* ---- src/core/math_circle.h -----------------------------------------------------------------
 * Circular functions in double, with proved errors
 *
 * As in math_exp.h: u = 2^-53, sums, products and quotients alone, each rounded to nearest. A
 * number is not better than its argument: sin x is that of the double x, however large it is.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SIN_ERROR_ 1.5 /* of dppair_sin_, in u; 0.85 ulp */
#define DPPAIR_COS_ERROR_ 1.5 /* of dppair_cos_, in u; 0.85 ulp */
#define DPPAIR_ATAN2_ERROR_ULPS_ 1.6

DPPAIR_FP_BEGIN_

/*
 * The quarter turn nearest to x >= 2^20, modulo 4, and r + c = x minus it. x = m 2^e; of the digits
 * of 2/pi those above 2^(2-e) only add multiples of 4 to x 2/pi. Of the 256 digits from there on,
 * 223 at least come after the point of the product, and what follows is below 2^-169. No double is
 * nearer to a multiple of pi/2 than 2^-62 of it: the fraction is kept to 2^-100 of itself.
 */
DPPAIR_RARE_ int dppair_circle_far_(double x, double *r, double *c) {
  static const uint32_t digits[38] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
      0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
      0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
      0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
      0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};
  const uint64_t bits = dppair_bits_f64_(x);
  const uint64_t m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
  const int e = (int)(bits >> 52) - 1075, first = e < 34 ? 0 : (e - 2) / 32;
  const int point = 32 * (first + 8) - e; /* digits of the product after its point: 223 to 288 */
  uint32_t p[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; /* the lowest first */
  uint64_t carry = 0, word[2];
  double high, low, head;
  int i, half, quarter, negative;
  for (half = 0; half < 2; half++) {
    const uint64_t factor = half ? m >> 32 : m & 0xffffffffu;
    for (carry = 0, i = 0; i < 8; i++) {
      carry += factor * digits[first + 7 - i] + p[i + half];
      p[i + half] = (uint32_t)carry;
      carry >>= 32;
    }
    p[8 + half] = (uint32_t)carry;
  }
  /* the two digits before the point, and the fraction from the point on to the top of p */
  for (i = 0; i < 2; i++) {
    const int at = point + 1 - i;
    carry = carry << 1 | (at < 320 ? p[at / 32] >> (at % 32) & 1 : 0);
  }
  quarter = (int)(carry & 3);
  for (i = 9; i >= 0; i--) { /* what is before the point goes */
    if (32 * i >= point)
      p[i] = 0;
    else if (32 * (i + 1) > point)
      p[i] &= (uint32_t)((UINT64_C(1) << (point - 32 * i)) - 1);
  }
  negative = (int)(p[(point - 1) / 32] >> ((point - 1) % 32) & 1);
  if (negative) { /* nearer to the next one: 1 - fraction */
    quarter = (quarter + 1) & 3;
    for (carry = 1, i = 0; i < 10 && 32 * i < point; i++) {
      carry += (uint32_t)~p[i];
      p[i] = (uint32_t)carry;
      carry >>= 32;
      if (32 * (i + 1) > point) p[i] &= (uint32_t)((UINT64_C(1) << (point - 32 * i)) - 1);
    }
  }
  for (i = 9; i > 3 && p[i] == 0;) i--; /* 128 digits from the first that is not 0 */
  word[0] = (uint64_t)p[i] << 32 | p[i - 1];
  word[1] = (uint64_t)p[i - 2] << 32 | p[i - 3];
  /* in three exact pieces; 32 (i + 1) - point is the exponent of word[0]'s top */
  head = dppair_power_of_two_(32 * (i - 1) - point);
  high = (double)(word[0] >> 12 << 12) * head;
  low = ((double)(word[0] & 0xfff) + (double)word[1] * 5.421010862427522e-20) * head;
  /* times pi/2, in two parts */
  {
    const double a = dppair_head_(high), b = high - a, whole = high * 1.5707963267948966;
    const double rest =
        ((a * 1.5707963109016418 - whole) + b * 1.5707963109016418 + a * 1.5893254712295857e-08) +
        b * 1.5893254712295857e-08;
    low = rest + (high * 6.123233995736766e-17 + low * 1.5707963267948966);
    *r = whole + low;
    *c = (whole - *r) + low;
  }
  if (negative) {
    *r = -*r;
    *c = -*c;
  }
  return quarter;
}

/*
 * The same for every x that is a number: returns n mod 4, n near x 2/pi. Below 2^20, n has 20
 * digits, and pi/2 is the sum of three parts of 33 digits and a rest, 2^-152 off: the products are
 * exact, and so is the first difference (the two are within a factor of 2 of each other).
 */
DPPAIR_FN_ int dppair_circle_reduce_(double x, double *r, double *c) {
  const double magic = 6755399441055744.0, size = x < 0.0 ? -x : x;
  double n, high, low, next, lost;
  int quarter, i;
  *r = x;
  *c = 0.0;
  if (size <= 0.7853981633974483) return 0;
  if (size < 1048576.0) {
    static const double part[2] = {6.077100506303966e-11, 2.0222662487111665e-21};
    n = (size * 0.6366197723675814 + magic) - magic;
    high = size - n * 1.5707963267341256;
    low = 0.0;
    for (i = 0; i < 2; i++) {
      const double take = n * part[i];
      next = high - take;
      lost = next - high;
      low += (high - (next - lost)) - (take + lost);
      high = next;
    }
    low -= n * 8.4784276603689e-32;
    *r = high + low;
    *c = (high - *r) + low;
    quarter = (int)n & 3;
  } else {
    quarter = dppair_circle_far_(size, r, c);
  }
  if (x < 0.0) {
    *r = -*r;
    *c = -*c;
    quarter = -quarter & 3;
  }
  return quarter;
}

/* sin(r + c), |r| <= 0.7854: r + (c (1 - r^2/2) + r^3 S), Taylor's series to r^17 (the next term is
 * below 2^-62 r). r^3 S, below 0.0784 (and 0.111 of the result), has 4 u: 0.45 u at most, of a
 * number with half an ulp below 0.71 u; at smaller r, where that is 1 u, it has 0.2 u. */
DPPAIR_FORCE_INLINE_ double dppair_sin_core_(double r, double c) {
  const double z = r * r, z2 = z * z, z4 = z2 * z2;
  const double low = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
  const double high = (-1.0 / 39916800 + z * (1.0 / 6227020800.0)) +
                      z2 * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0));
  return r + (c * (1.0 - 0.5 * z) + z * r * (low + z4 * high));
}

/* cos(r + c): 1 - t^2/2, t the head of r, in two exact parts, the rest of r^2/2, r^4 C below 0.0156
 * with 4 u, to r^18, and -r c. Together 0.09 u / 0.707 and half an ulp, 0.71 u below 1. */
DPPAIR_FORCE_INLINE_ double dppair_cos_core_(double r, double c) {
  const double z = r * r, t = dppair_head_(r), half = 0.5 * t * t, w = 1.0 - half;
  const double z2 = z * z, z4 = z2 * z2;
  const double low = (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800));
  const double high = (1.0 / 479001600 - z * (1.0 / 87178291200.0)) +
                      z2 * (1.0 / 20922789888000.0 - z * (1.0 / 6402373705728000.0));
  return w + (((1.0 - w) - half) - 0.5 * ((r - t) * (r + t)) + (z2 * (low + z4 * high) - r * c));
}

DPPAIR_FN_ double dppair_sin_(double x) {
  double r, c, y;
  int n;
  if (!(x - x == 0.0)) return x - x;                                     /* NaN */
  if (x < 7.450580596923828e-09 && x > -7.450580596923828e-09) return x; /* 2^-27, keeps -0 */
  n = dppair_circle_reduce_(x, &r, &c);
  y = n & 1 ? dppair_cos_core_(r, c) : dppair_sin_core_(r, c);
  return n & 2 ? -y : y;
}

DPPAIR_FN_ double dppair_cos_(double x) {
  double r, c, y;
  int n;
  if (!(x - x == 0.0)) return x - x;
  n = dppair_circle_reduce_(x, &r, &c);
  y = n & 1 ? dppair_sin_core_(r, c) : dppair_cos_core_(r, c);
  return n == 1 || n == 2 ? -y : y;
}

/* Both for one reduction, with the same bits. */
DPPAIR_FN_ void dppair_sin_cos_(double *sine, double *cosine, double x) {
  double r, c, s, y;
  int n;
  *sine = *cosine = x - x;
  if (!(x - x == 0.0)) return;
  n = dppair_circle_reduce_(x, &r, &c);
  s = dppair_sin_core_(r, c);
  y = dppair_cos_core_(r, c);
  *sine = n & 1 ? y : s;
  *cosine = n & 1 ? s : y;
  if (n & 2) *sine = -*sine;
  if (n == 1 || n == 2) *cosine = -*cosine;
  if (x < 7.450580596923828e-09 && x > -7.450580596923828e-09) *sine = x; /* keeps -0 */
}

/* Within 4 u: quotient of two. */
DPPAIR_FN_ double dppair_tan_(double x) { return dppair_sin_(x) / dppair_cos_(x); }

/*
 * arctan(y/x) in two parts, 0 <= y <= x, x normal: atan(k/8) + atan s, s = (y - k x/8) / (x + k
 * y/8), |s| <= 1/16 for k >= 2, and s = y/x <= 3/16 for k = 0, where the quotient's remainder is
 * added. The products with the heads of x are exact, the numerator within u. s has 3.5 u: 0.22 u
 * for k >= 2, which is 0.9 of an ulp next to 3/16, the least result. atan s = s - s^3 A, s^3 A <
 * 0.0022, 4 u of it 0.009 u. Taylor's series to s^25 leaves 2^-66.
 */
DPPAIR_FN_ double dppair_atan_core_(double y, double x, double *low) {
  static const double table[7][2] = {
      {0.24497866312686414, 1.0698755618734451e-17}, {0.35877067027057225, -2.4623815582638635e-17},
      {0.4636476090008061, 2.2698777452961687e-17},  {0.5585993153435624, -5.4556305485916264e-18},
      {0.6435011087932844, 1.5834785051444286e-17},  {0.7188299996216245, -2.1478388444456983e-17},
      {0.7853981633974483, 3.061616997868383e-17}};
  const double q = y / x, head = dppair_head_(x);
  const int k = q < 0.1875 ? 0 : (int)(8.0 * q + 0.5);
  const double place = 0.125 * k;
  double s = q, more, z, z2, first_four, others;
  if (k == 0) {
    const double t = dppair_head_(q);
    more = (((y - t * head) - t * (x - head)) - (q - t) * x) / x;
    if (!(q > 7.450580596923828e-09)) more = 0.0; /* s^2 is nothing; below, digits would be lost */
  } else {
    s = ((y - place * head) - place * (x - head)) / (x + place * y);
    more = 0.0;
  }
  z = s * s;
  z2 = z * z;
  first_four = (1.0 / 3 - z * (1.0 / 5)) + z2 * (1.0 / 7 - z * (1.0 / 9));
  others = (1.0 / 11 - z * (1.0 / 13)) + z2 * (1.0 / 15 - z * (1.0 / 17));
  others += z2 * z2 * ((1.0 / 19 - z * (1.0 / 21)) + z2 * (1.0 / 23 - z * (1.0 / 25)));
  more -= s * z * (first_four + z2 * z2 * others);
  if (k == 0) {
    *low = more;
    return s;
  }
  z = table[k - 2][0] + s;
  *low = (table[k - 2][0] - z) + s + (more + table[k - 2][1]);
  return z;
}

/* a - (*low + high), where a + a_low is a multiple of pi/2 in two parts and the larger. */
DPPAIR_FORCE_INLINE_ double dppair_angle_from_(double a, double a_low, double high, double *low) {
  const double rest = a - high;
  *low = ((a - rest) - high) + (a_low - *low);
  return rest;
}

/* The angle of (x, y) from the first axis, in (-pi, pi], within DPPAIR_ATAN2_ERROR_ULPS_ ulp. Signs
 * of zeros count, as in C. */
DPPAIR_FN_ double dppair_atan2_(double y, double x) {
  const uint64_t sign = UINT64_C(0x8000000000000000), sign_y = dppair_bits_f64_(y) & sign;
  double a = dppair_from_bits_f64_(dppair_bits_f64_(y) & ~sign);
  double b = dppair_from_bits_f64_(dppair_bits_f64_(x) & ~sign), high = 0.0, low = 0.0;
  const int swap = a > b;
  if (x != x || y != y) return x + y;
  if (a > DBL_MAX || b > DBL_MAX) {
    a = a > DBL_MAX ? 1.0 : 0.0;
    b = b > DBL_MAX ? 1.0 : 0.0;
  }
  if (swap) {
    const double other = a;
    a = b;
    b = other;
  }
  if (b > 1.0715086071862673e+301) { /* 2^1000: x + k y/8 is to be finite */
    a *= 7.888609052210118e-31;      /* 2^-100 */
    b *= 7.888609052210118e-31;
  } else if (b < 1.1830521861667747e-271) { /* 2^-900 */
    a *= 1.329227995784916e+36;             /* 2^120 */
    b *= 1.329227995784916e+36;
  }
  if (a > 0.0) high = dppair_atan_core_(a, b, &low);
  if (swap) high = dppair_angle_from_(1.5707963267948966, 6.123233995736766e-17, high, &low);
  if (dppair_bits_f64_(x) & sign)
    high = dppair_angle_from_(3.141592653589793, 1.2246467991473532e-16, high, &low);
  return dppair_from_bits_f64_(dppair_bits_f64_(high + low) | sign_y);
}

/* arccos x, |x| <= 1: the root has 2 u, and the angle no more than that of it and of atan2. */
DPPAIR_FN_ double dppair_acos_(double x) {
  return dppair_atan2_(dppair_sqrt_((1.0 - x) * (1.0 + x)), x);
}

DPPAIR_FP_END_
/* ---- src/core/math_more.h -------------------------------------------------------------------
 * Powers, hyperbolic functions and logarithms of other bases, made of exp, expm1, log and log1p
 *
 * u = 2^-53; errors are relative, and those of their parts are in math_exp.h and math_log.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_EXP2_ERROR_ 2.0 /* in u; the others' likewise */
#define DPPAIR_LOG2_ERROR_ 3.8
#define DPPAIR_LOG10_ERROR_ 2.8
#define DPPAIR_SINH_ERROR_ 5.0
#define DPPAIR_TANH_ERROR_ 4.0
#define DPPAIR_ASINH_ERROR_ 5.0
#define DPPAIR_CBRT_ERROR_ 3.0

DPPAIR_FP_BEGIN_

/* 2^x; exact where x is whole. x = n + f; f ln 2 <= 0.3466 is off by u 0.52 of itself, 0.2 u,
 * rounded by 0.25 u, and e^(f ln 2) has 1.2 u. */
DPPAIR_FN_ double dppair_exp2_(double x) {
  const double magic = 6755399441055744.0;
  double n;
  if (!(x < 1024.0)) return x > 0.0 ? HUGE_VAL : x;
  if (x < -1076.0) return 0.0;
  n = (x + magic) - magic;
  return dppair_by_power_of_two_(dppair_exp_core_(1.0, (x - n) * 0.6931471805599453, 0.0, 0.0),
                                 (int)n);
}

/* Exact for powers of two. The fraction's part: 1.2 u of the logarithm, 1.3 u of 1/ln 2 and the
 * product; it is at most half of the whole where k is not 0, or as large as it (k = -1, 1). */
DPPAIR_FN_ double dppair_log2_(double x) {
  double z, high, low;
  int k, place, up = 0;
  if (!(x > 0.0 && x < HUGE_VAL)) return dppair_log_(x);
  if (x < DBL_MIN) {
    x *= 18014398509481984.0;
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, 0, place, 0.0, &low);
  return (double)(k - up) + (high + low) * 1.4426950408889634;
}

DPPAIR_FN_ double dppair_log10_(double x) { return dppair_log_(x) * 0.4342944819032518; }

/* x^y for x >= 0, within (5.3 + 0.2 |y ln x|) u: y ln x is in two parts, of which ln x brings 0.1 u
 * and the head, rounded, nothing; the second is a factor 1 + tail, off by tail^2 < 2^-86. Two
 * exponentials have 1.1 u each, the factor and two products u. */
DPPAIR_FN_ double dppair_pow_(double x, double y) {
  double z, high, low, product, tail, head_x, head_y;
  int k, place, up = 0;
  if (y == 0.0 || x == 1.0) return 1.0;
  if (!(x >= 0.0) || y != y) return (x - x) / (x - x) + y;
  if (x == 0.0 || x > DBL_MAX) return (x == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
  if (x < DBL_MIN) {
    x *= 18014398509481984.0;
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, k - up, place, 0.0, &low);
  product = high + low;
  low = (high - product) + low;
  high = product;
  product = y * high;
  if (product > 710.0) return HUGE_VAL;
  if (product < -746.0) return 0.0;
  head_x = dppair_head_(high);
  head_y = dppair_head_(y);
  tail = ((head_x * head_y - product) + head_x * (y - head_y) + (high - head_x) * head_y) +
         (high - head_x) * (y - head_y) + y * low;
  return dppair_exp_(0.5 * product) * (1.0 + tail) * dppair_exp_(0.5 * product);
}

/* One step of Newton's method squares what log and exp leave, 300 u; its sum has u, t^3 2 u, a
 * third of which counts. */
DPPAIR_FN_ double dppair_cbrt_(double x) {
  double t;
  if (!(x > 0.0 && x < HUGE_VAL)) return x < 0.0 ? -dppair_cbrt_(-x) : x;
  if (x < DBL_MIN) return dppair_cbrt_(x * 18014398509481984.0) * 3.814697265625e-06; /* 2^-18 */
  t = dppair_exp_(dppair_log_(x) * (1.0 / 3.0));
  return t - (t * t * t - x) / (3.0 * t * t);
}

/* (h + h/(h + 1))/2, h = e^|x| - 1 with 1.5 u, the quotient 3.5 u and less of h, the sum u. */
DPPAIR_FN_ double dppair_sinh_(double x) {
  const double size = dppair_fabs_(x);
  double y;
  if (size < 700.0) {
    const double h = dppair_expm1_(size);
    y = 0.5 * (h + h / (h + 1.0));
  } else {
    const double h = dppair_exp_(0.5 * size);
    y = 0.5 * h * h;
  }
  return x < 0.0 ? -y : x == 0.0 ? x : y;
}

/* h/(h + 2), h = e^(2|x|) - 1: 1.5 u of h count 2/(h + 2) times, sum and quotient u each. */
DPPAIR_FN_ double dppair_tanh_(double x) {
  const double size = dppair_fabs_(x), h = dppair_expm1_(2.0 * (size < 30.0 ? size : 30.0));
  const double y = h / (h + 2.0);
  return x < 0.0 ? -y : x > 0.0 ? y : x;
}

/* ln(1 + (a + a^2/(1 + sqrt(1 + a^2)))), a = |x|: the second term is below the first and has 4 u,
 * the argument 3 u, which count once at most; log1p 1.2 u. From 2^28 on, ln a + ln 2 has 2.2 u. */
DPPAIR_FN_ double dppair_asinh_(double x) {
  const double a = dppair_fabs_(x);
  double y;
  if (a < 268435456.0)
    y = dppair_log1p_(a + a * a / (1.0 + dppair_sqrt_(1.0 + a * a)));
  else
    y = dppair_log_(a) + 0.6931471805599453;
  return x < 0.0 ? -y : x > 0.0 ? y : x;
}

DPPAIR_FP_END_
/* ---- src/core/status.h ----------------------------------------------------------------------
 * Status
 *
 * A function that can fail returns a dppair_status; the compiler warns if it is ignored. On an
 * error all outputs are zero, so that a failed release never leaves a number without noise behind.
 * If a size is more than any memory can hold, the function returns OVERFLOW and may leave outputs
 * untouched: to zero an array of such a size would write past its end.
 *
 * A sentence says what is wrong, then what to do. docs/errors.md has the slip and the cure of each.
 * New statuses come last: none is renumbered.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STATUS_TABLE(X)                                                                     \
  X(DPPAIR_OK, "ok")                                                                               \
  X(DPPAIR_ERR_NULL,                                                                               \
    "a required pointer is NULL: give every argument that the function does not call optional")    \
  X(DPPAIR_ERR_SIZE,                                                                               \
    "a size, a count or an index is out of range: compare n, d, ld, positives and capacity with "  \
    "the arrays and the plan")                                                                     \
  X(DPPAIR_ERR_OVERFLOW,                                                                           \
    "a size or a result is too large to be represented: scale the data or the weights, or give "   \
    "fewer records")                                                                               \
  X(DPPAIR_ERR_WORKSPACE,                                                                          \
    "the workspace is too small, or a state was made for something else: ask the _workspace "      \
    "function of this call, or make the state again for this instance")                            \
  X(DPPAIR_ERR_NOT_FINITE,                                                                         \
    "an input is NaN or infinite: clean the data, and look whether the weights diverged")          \
  X(DPPAIR_ERR_DOMAIN,                                                                             \
    "a parameter is outside its declared range, or the account was never initialised: see the "    \
    "range at the function, and call dppair_accountant_init first")                                \
  X(DPPAIR_ERR_EPSILON, "epsilon is outside the supported range: set a positive, finite one")      \
  X(DPPAIR_ERR_DELTA,                                                                              \
    "delta is outside the supported range: set one above 0 and below 1; pure laws take 0")         \
  X(DPPAIR_ERR_SIGMA,                                                                              \
    "a noise scale is not a positive finite number in range: let the plan find it, or correct it") \
  X(DPPAIR_ERR_SENSITIVITY,                                                                        \
    "a sensitivity is negative, or 0 where that would make a step free: give a proved, positive "  \
    "bound")                                                                                       \
  X(DPPAIR_ERR_STEP_SIZE,                                                                          \
    "the step size is beyond the limit of the privacy proof: take a smaller one")                  \
  X(DPPAIR_ERR_NO_PROOF,                                                                           \
    "no finite constant or no valid proof covers this combination: choose one that the "           \
    "function's comment lists")                                                                    \
  X(DPPAIR_ERR_ADJACENCY,                                                                          \
    "this neighbouring relation is not covered for this mechanism, or these groups: choose "       \
    "another relation (docs/neighbours.md)")                                                       \
  X(DPPAIR_ERR_RATE,                                                                               \
    "a sampled step's rate is 0 or not m/n, or m, group and batches do not fit: make the "         \
    "sampling with a dppair_sampling_ function")                                                   \
  X(DPPAIR_ERR_STEPS, "a step is charged at least once: set the number of steps, which is 0")      \
  X(DPPAIR_ERR_UNREAD, "a field is set that this mechanism does not read: leave it 0")             \
  X(DPPAIR_ERR_ENTROPY,                                                                            \
    "the operating system gave no entropy: try again, or give a key of your own")                  \
  X(DPPAIR_ERR_FORK,                                                                               \
    "the generator was copied into a child process by fork: open it in the child")                 \
  X(DPPAIR_ERR_CIPHER,                                                                             \
    "the generator has no key, or its cipher is not available here: make it with "                 \
    "dppair_rng_from_os")                                                                          \
  X(DPPAIR_ERR_EXHAUSTED,                                                                          \
    "the counter or the privacy budget is used up: ask for no more than was paid for")             \
  X(DPPAIR_ERR_NO_CONVERGENCE,                                                                     \
    "an iteration did not reach its certified tolerance: allow a larger one, or more noise")       \
  X(DPPAIR_ERR_FORMAT,                                                                             \
    "the text could not be parsed or has an unknown version: give what this library wrote")        \
  X(DPPAIR_ERR_ENVIRONMENT,                                                                        \
    "arithmetic does not round to nearest, or flushes to zero: compile without -ffast-math and "   \
    "reset the rounding mode")                                                                     \
  X(DPPAIR_ERR_SELF_TEST,                                                                          \
    "the noise is not what it must be, compiler or machine at fault: release nothing here, and "   \
    "report it")                                                                                   \
  X(DPPAIR_ERR_CLOSED,                                                                             \
    "the release is not open here, never opened, closed, copied or moved: open it where it is "    \
    "used, and keep its account in place")                                                         \
  X(DPPAIR_ERR_LEDGER,                                                                             \
    "a line of the ledger is missing, changed, or of another account: replay the whole ledger, "   \
    "as it was written")                                                                           \
  X(DPPAIR_ERR_RUNS,                                                                               \
    "one ledger number is charged twice, a start that did not replay the ledger: replay it "       \
    "before the first plan")                                                                       \
  X(DPPAIR_ERR_OVERLAP,                                                                            \
    "an output shares memory with what is read or with the workspace: give it an array of its "    \
    "own")                                                                                         \
  X(DPPAIR_ERR_MODULE,                                                                             \
    "a kind of a module that is not here: before dppair_accountant.h, include "                    \
    "dppair_allocation.h (random allocation), dppair_l2ball.h (pure epsilon with l2 "              \
    "sensitivity) or dppair_shares.h (Skellam noise)")                                             \
  X(DPPAIR_ERR_NOT_CALIBRATED,                                                                     \
    "no closed form has the noise of this plan: call dppair_calibrate for this plan and account "  \
    "first")                                                                                       \
  X(DPPAIR_ERR_PLAN_CHANGED,                                                                       \
    "the plan, its account or its key is not the one that was calibrated or opened: set all "      \
    "fields, then call dppair_calibrate, then open the plan")                                      \
  X(DPPAIR_ERR_NOT_DRAWN,                                                                          \
    "no records are drawn for this step: call dppair_release_draw before each release of this "    \
    "plan")                                                                                        \
  X(DPPAIR_ERR_NOT_ZEROED,                                                                         \
    "a field of the plan holds a value that nothing sets: begin with dppair_plan plan = {0}")      \
  X(DPPAIR_ERR_NO_RADIUS,                                                                          \
    "no bound of the rows is known: make them with dppair_rows_clip, or set radius to a proved "   \
    "bound of every norm")                                                                         \
  X(DPPAIR_ERR_LAW,                                                                                \
    "this noise does not fit this draw or release: Laplace and l2-ball noise take no draw; "       \
    "objectives are for dppair_release_minimiser, Skellam noise for dppair_release_share, "        \
    "Laplace noise of vectors for dppair_release_histogram")                               \
  X(DPPAIR_ERR_SLOPE,                                                                              \
    "a slope of the loss is steeper than its L_RANGE declares: correct L_RANGE, or clip the "      \
    "pairs")                                                                                       \
  X(DPPAIR_ERR_NEIGHBOURS,                                                                         \
    "the account holds other neighbours, or steps that state none: take one account for each "     \
    "neighbouring relation")                                                                       \
  X(DPPAIR_ERR_BATCH,                                                                              \
    "these are not the rows of this step's draw: hand over what dppair_gather made of the batch "  \
    "that dppair_release_draw filled")

/* What a call answers. DPPAIR_OK is 0; dppair_status_string has the sentence of each. */
typedef enum dppair_status {
#define DPPAIR_X_(name, text) name,
  DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_STATUS_COUNT_
} dppair_status;

/* One sentence about a status. Never NULL; the string is static. */
DPPAIR_API const char *dppair_status_string(dppair_status status) {
  switch (status) {
#define DPPAIR_X_(name, text)                                                                      \
  case name:                                                                                       \
    return text;
    DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_STATUS_COUNT_:
    break;
  }
  return "unknown status";
}
/* ---- src/core/checks.h ----------------------------------------------------------------------
 * Checks of numbers and sizes
 *
 * Bits are tested as integers, because -ffast-math removes comparisons with NaN and infinity.
 * ---------------------------------------------------------------------------------------------- */

/* 1 for a number, 0 for NaN and the infinities. */
DPPAIR_API int dppair_isfinite_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7ff0000000000000)) != UINT64_C(0x7ff0000000000000);
}

DPPAIR_FN_ int dppair_is_nan_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
}

DPPAIR_API int dppair_isfinite_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT32_C(0x7f800000)) != UINT32_C(0x7f800000);
}

/* 1 when all n numbers of x are finite. Adding 1 to an exponent whose bits are all set carries into
 * the sign's place; the carries are collected without a branch. */
DPPAIR_API int dppair_all_finite_f64(const double *x, size_t n) {
  const uint64_t mask = UINT64_C(0x7ff0000000000000), one = UINT64_C(0x0010000000000000);
  uint64_t u[4], bad[4] = {0, 0, 0, 0};
  for (; n >= 4; n -= 4, x += 4) {
    memcpy(u, x, sizeof u);
    bad[0] |= (u[0] & mask) + one;
    bad[1] |= (u[1] & mask) + one;
    bad[2] |= (u[2] & mask) + one;
    bad[3] |= (u[3] & mask) + one;
  }
  for (; n > 0; n--, x++) {
    memcpy(u, x, sizeof u[0]);
    bad[0] |= (u[0] & mask) + one;
  }
  return ((bad[0] | bad[1] | bad[2] | bad[3]) >> 63) == 0;
}

DPPAIR_API int dppair_all_finite_f32(const float *x, size_t n) {
  const uint64_t mask = UINT64_C(0x7f8000007f800000), one = UINT64_C(0x0080000000800000);
  uint64_t u[2], bad[2] = {0, 0};
  for (; n >= 4; n -= 4, x += 4) {
    memcpy(u, x, sizeof u);
    bad[0] |= (u[0] & mask) + one;
    bad[1] |= (u[1] & mask) + one;
  }
  for (; n > 0; n--, x++) {
    u[0] = 0;
    memcpy(u, x, sizeof *x);
    bad[0] |= (u[0] & mask) + one;
  }
  return ((bad[0] | bad[1]) & UINT64_C(0x8000000080000000)) == 0;
}

/* *out = a * b, return 0; when the product overflows size_t: *out = 0, return 1. */
DPPAIR_FN_ int dppair_size_mul_(size_t *out, size_t a, size_t b) {
  *out = 0;
  if (b != 0 && a > SIZE_MAX / b) return 1;
  *out = a * b;
  return 0;
}

/* a b, or SIZE_MAX where that overflows; products with more factors > 0 then are SIZE_MAX too. */
DPPAIR_FN_ size_t dppair_area_(size_t a, size_t b) {
  size_t product;
  return dppair_size_mul_(&product, a, b) ? SIZE_MAX : product;
}

/* The status of an array of n elements of at most 8 bytes: OVERFLOW when no memory is that large
 * (it must then not be touched, not even zeroed), NULL when it is missing. */
DPPAIR_FN_ dppair_status dppair_array_(const void *x, size_t n) {
  if (n > SIZE_MAX / 8) return DPPAIR_ERR_OVERFLOW;
  return !x && n ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

/* OVERLAP where out[0..n), numbers of 8 bytes, shares memory with `bytes` bytes of an input or a
 * workspace. */
DPPAIR_FN_ dppair_status dppair_apart_(const void *out, size_t n, const void *other, size_t bytes) {
  const uintptr_t p = (uintptr_t)out, q = (uintptr_t)other;
  const size_t reach = dppair_area_(n, 8);
  if (n == 0 || bytes == 0 || !other || (p <= q ? q - p >= reach : p - q >= bytes))
    return DPPAIR_OK;
  return DPPAIR_ERR_OVERLAP;
}
/* ---- src/core/workspace.h -------------------------------------------------------------------
 * Workspace of the caller: laid out in arrays
 *
 * X_workspace says how many bytes X needs, from public sizes alone. They may begin anywhere: 64 of
 * them are for alignment.
 * ---------------------------------------------------------------------------------------------- */

/* The next array of `count` numbers of `size` bytes in the workspace at base, of which *used bytes
 * are taken; it begins at a multiple of 64 bytes. With base NULL only *used grows, and the result
 * is NULL. On overflow *used becomes and remains SIZE_MAX. */
DPPAIR_FN_ void *dppair_take_(char *base, size_t *used, size_t count, size_t size) {
  size_t bytes, at;
  if (dppair_size_mul_(&bytes, count, size) || *used > SIZE_MAX - 64) {
    *used = SIZE_MAX;
    return NULL;
  }
  at = (*used + 63) / 64 * 64;
  *used = bytes > SIZE_MAX - at ? SIZE_MAX : at + bytes;
  return base ? (void *)(base + at) : NULL;
}

/* The first multiple of 64 at or above p. */
DPPAIR_FN_ char *dppair_align_(void *p) {
  const size_t past = (size_t)((uintptr_t)p % 64);
  return (char *)p + (past ? 64 - past : 0);
}

/* *bytes = a workspace of `count` doubles, which may be SIZE_MAX for a count that overflowed; 0 for
 * none. Errors zero it: NULL, OVERFLOW. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_work_bytes_(size_t *bytes, size_t count) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (count > (SIZE_MAX - 64) / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *bytes = count ? count * sizeof(double) + 64 : 0;
  return DPPAIR_OK;
}

/* *doubles = the place of `count` doubles in the caller's workspace. NULL, WORKSPACE, OVERFLOW. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_work_(double **doubles, size_t count, void *work,
                                                        size_t bytes) {
  size_t needed;
  const dppair_status status = dppair_work_bytes_(&needed, count);
  *doubles = NULL;
  if (status != DPPAIR_OK || !needed) return status;
  if (!work) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  *doubles = (double *)(void *)dppair_align_(work);
  return DPPAIR_OK;
}

/* The bytes of n rows of d elements, whose beginnings are ld >= d of them apart. */
DPPAIR_FN_ size_t dppair_row_bytes_(size_t n, size_t d, size_t ld, size_t each) {
  const size_t before = n > 0 ? dppair_area_(n - 1, ld) : 0;
  if (n == 0) return 0;
  return before > SIZE_MAX - d ? SIZE_MAX : dppair_area_(before + d, each);
}

/* OVERLAP where what is released, g[0..size), shares memory with what is read of n rows. */
DPPAIR_FN_ dppair_status dppair_rows_apart_(const double *g, size_t size, size_t n, const void *x,
                                            size_t x_bytes, const void *y, size_t y_each,
                                            const double *factor, const double *weight) {
  dppair_status status = dppair_apart_(g, size, x, x_bytes);
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, y, dppair_area_(n, y_each));
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, factor, dppair_area_(n, sizeof *g));
  return status == DPPAIR_OK ? dppair_apart_(g, size, weight, dppair_area_(n, sizeof *g)) : status;
}
/* ---- src/core/words.h -----------------------------------------------------------------------
 * Integers of 128 bits, as pairs of 64: the low word first, two's complement
 *
 * Sums of such integers have the same bits in any order, which sums of doubles have not.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* w += v, an integer of 64 bits with a sign (bit 63), modulo 2^128. */
DPPAIR_FORCE_INLINE_ void dppair_word_add_(uint64_t *w, uint64_t v) {
  w[0] += v;
  w[1] += (uint64_t)(w[0] < v) - (v >> 63);
}

/* to[k] += from[k] for `count` integers of 128 bits, that is 2 count words, modulo 2^128: all that
 * a process or a site has to do with the sums of another. NULL does nothing. */
DPPAIR_API void dppair_words_add(uint64_t *to, const uint64_t *from, size_t count) {
  size_t k;
  if (!to || !from) return;
  for (k = 0; k < count; k++) {
    const uint64_t low = from[2 * k], high = from[2 * k + 1];
    to[2 * k] += low;
    to[2 * k + 1] += high + (uint64_t)(to[2 * k] < low);
  }
}

/* The integer w times unit, a power of two for which no result leaves the normal numbers, rounded
 * once, ties to even: of the first 64 digits the last one is set where anything follows, so that
 * the sum of their halves, both exact, rounds as the whole would. */
DPPAIR_FN_ double dppair_word_value_(const uint64_t *w, double unit) {
  const uint64_t sign = w[1] >> 63;
  const uint64_t low = sign ? ~w[0] + 1 : w[0], high = sign ? ~w[1] + (uint64_t)(w[0] == 0) : w[1];
  uint64_t top = low, rest;
  int64_t whole;
  double value;
  int shift = 0;
  if (high == 0 && low >> 63 == 0) { /* the sum of few records: conversion rounds once */
    memcpy(&whole, &w[0], sizeof whole);
    return (double)whole * unit;
  }
  while (shift < 64 && high >> shift) shift++;
  if (shift) {
    rest = shift < 64 ? low << (64 - shift) : low;
    top = (shift < 64 ? high << (64 - shift) | low >> shift : high) | (uint64_t)(rest != 0);
  }
  value = 4294967296.0 * (double)(uint32_t)(top >> 32) + (double)(uint32_t)top;
  value = dppair_ldexp_(value, shift) * unit;
  return sign ? -value : value;
}

DPPAIR_FP_END_
/* ---- src/core/processor.h -------------------------------------------------------------------
 * Processor: the tiers of this build and machine
 * ---------------------------------------------------------------------------------------------- */

enum {
  DPPAIR_TIER_SCALAR = 0,
  DPPAIR_TIER_SIMD128 = 1,
  DPPAIR_TIER_AVX2 = 2,
  DPPAIR_TIER_AVX512 = 3
};

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define DPPAIR_X86_ 1
#else
#define DPPAIR_X86_ 0
#endif

/* What the compiler's flags let it use everywhere. */
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define DPPAIR_MEANS_AVX512_ 1
#else
#define DPPAIR_MEANS_AVX512_ 0
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define DPPAIR_MEANS_AVX2_ 1
#else
#define DPPAIR_MEANS_AVX2_ 0
#endif

/* DPPAIR_RUNS_(avx2): whether this machine has it. Nobody can be asked without a host: what the
 * compiler may use everywhere (-mavx2) is there, and nothing else. */
#ifndef DPPAIR_FREESTANDING
#ifndef DPPAIR_RUNS_ /* a test may say what a narrower machine would */
#define DPPAIR_RUNS_(feature) __builtin_cpu_supports(#feature)
#endif
#define DPPAIR_RUNS_AVX2_ 1
#define DPPAIR_RUNS_AVX512_ 1
#else
#define DPPAIR_RUNS_AVX512_ DPPAIR_MEANS_AVX512_
#define DPPAIR_RUNS_AVX2_ DPPAIR_MEANS_AVX2_
#define DPPAIR_RUNS_(feature) 1
#endif
#define DPPAIR_HAVE_AVX2 (DPPAIR_X86_ && DPPAIR_MAX_TIER >= 2 && DPPAIR_RUNS_AVX2_)
#define DPPAIR_HAVE_AVX512 (DPPAIR_HAVE_AVX2 && DPPAIR_MAX_TIER >= 3 && DPPAIR_RUNS_AVX512_)
#ifndef DPPAIR_TIER_LIMIT
#define DPPAIR_TIER_LIMIT 3
#endif

/* The narrowest tier that is compiled. Where the compiler may use AVX2 with FMA, or AVX-512, in all
 * of the program (-march=native), the program runs on no narrower machine: narrower tiers are left
 * out. */
#ifndef DPPAIR_MIN_TIER
#if DPPAIR_HAVE_AVX512 && DPPAIR_MEANS_AVX512_
#define DPPAIR_MIN_TIER 3
#elif DPPAIR_HAVE_AVX2 && DPPAIR_MEANS_AVX2_
#define DPPAIR_MIN_TIER 2
#else
#define DPPAIR_MIN_TIER 0
#endif
#endif
#if DPPAIR_MIN_TIER != 0 && !(DPPAIR_MIN_TIER == 2 && DPPAIR_HAVE_AVX2) &&                         \
    !(DPPAIR_MIN_TIER == 3 && DPPAIR_HAVE_AVX512)
#error "DPPAIR_MIN_TIER is 0, or 2 or 3 where this build has that tier: see DPPAIR_MAX_TIER."
#endif
#define DPPAIR_ISA_AVX2_ "avx2,fma"
#define DPPAIR_ISA_AVX512_ "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"

/* The 128-bit tier is for machines without AVX2: where that is compiled, processors of before 2013
 * take the scalar tier. It needs SIMDe, which needs a C library, and off x86 a fused multiply-add, without
 * which its sums are not those of other tiers (MIPS has none). It is left out on 32-bit ARM, where
 * NEON has no doubles and flushes subnormal numbers to zero. WebAssembly has no fused multiply-add,
 * which noise does not need: there the tier makes noise only (clang -msimd128). */
#if DPPAIR_X86_ || defined(__FP_FAST_FMA) || defined(__aarch64__) || defined(__powerpc64__) ||     \
    defined(__s390x__) || defined(__wasm__) || (defined(__riscv_flen) && __riscv_flen >= 64)
#define DPPAIR_FUSES_ 1
#else
#define DPPAIR_FUSES_ 0
#endif
#if defined(__has_include) && DPPAIR_MAX_TIER >= 1 && !DPPAIR_HAVE_AVX2 && !defined(DPPAIR_NO_SIMDE) &&                 \
    !defined(__arm__) && !defined(DPPAIR_FREESTANDING) && DPPAIR_FUSES_
#if __has_include(<simde/x86/fma.h>)
#if !defined(__wasm__)
#define DPPAIR_HAVE_SIMD128 1
#elif defined(__wasm_simd128__)
#define DPPAIR_WASM_NOISE_ 1
#endif
#endif
#endif
#ifndef DPPAIR_HAVE_SIMD128
#define DPPAIR_HAVE_SIMD128 0
#endif
#ifndef DPPAIR_WASM_NOISE_
#define DPPAIR_WASM_NOISE_ 0
#endif

/* The widest tier that is compiled, and the narrowest that functions are called on. */
#if DPPAIR_HAVE_AVX512
#define DPPAIR_WIDEST_ 3
#elif DPPAIR_HAVE_AVX2
#define DPPAIR_WIDEST_ 2
#else
#define DPPAIR_WIDEST_ DPPAIR_HAVE_SIMD128
#endif
#if DPPAIR_MIN_TIER > 1
#define DPPAIR_NARROWEST_ DPPAIR_MIN_TIER
#elif DPPAIR_HAVE_SIMD128
#define DPPAIR_NARROWEST_ DPPAIR_TIER_SIMD128
#else
#define DPPAIR_NARROWEST_ DPPAIR_TIER_SCALAR
#endif

/* The widest tier of this build that this machine can run and that DPPAIR_TIER_LIMIT allows:
 * DPPAIR_TIER_*. All dispatching functions use it. A limit below the narrowest tier of the build is
 * answered by the narrowest one; where that is AVX2 or AVX-512, dppair_environment_check refuses. */
DPPAIR_API int dppair_tier(void) {
#if DPPAIR_HAVE_AVX512 && DPPAIR_MIN_TIER < 3
  if (DPPAIR_TIER_LIMIT >= DPPAIR_TIER_AVX512 && DPPAIR_RUNS_(avx512f) && DPPAIR_RUNS_(avx512dq) &&
      DPPAIR_RUNS_(avx512bw) && DPPAIR_RUNS_(avx512vl))
    return DPPAIR_TIER_AVX512;
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 2
  if (DPPAIR_TIER_LIMIT >= DPPAIR_TIER_AVX2 && DPPAIR_RUNS_(avx2) && DPPAIR_RUNS_(fma))
    return DPPAIR_TIER_AVX2;
#endif
  return DPPAIR_NARROWEST_;
}

/* The tier that makes noise. */
DPPAIR_FN_ int dppair_noise_tier_(void) {
  return DPPAIR_WASM_NOISE_ ? DPPAIR_TIER_SIMD128 : dppair_tier();
}

/* The name of dppair_tier(): "avx512", "avx2+fma", "simd128" or "scalar". The string is static. */
DPPAIR_API const char *dppair_isa_name(void) {
  switch (dppair_tier()) {
  case DPPAIR_TIER_AVX512:
    return "avx512";
  case DPPAIR_TIER_AVX2:
    return "avx2+fma";
  case DPPAIR_TIER_SIMD128:
    return "simd128";
  default:
    return "scalar";
  }
}
/* ---- src/core/dispatch.h --------------------------------------------------------------------
 * Dispatch: calls on the tier of this machine
 *
 * f exists once per tier, as f_scalar, f_simd128, f_avx2 and f_avx512. The tiers that this build
 * has are cases of a switch; its narrowest one is the default.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_HAVE_AVX512 && DPPAIR_MIN_TIER < 3
#define DPPAIR_CASE_AVX512_(call) case DPPAIR_TIER_AVX512: call; break;
#else
#define DPPAIR_CASE_AVX512_(call)
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 2
#define DPPAIR_CASE_AVX2_(call) case DPPAIR_TIER_AVX2: call; break;
#else
#define DPPAIR_CASE_AVX2_(call)
#endif
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#define DPPAIR_CASE_SIMD128_(call) case DPPAIR_TIER_SIMD128: call; break;
#else
#define DPPAIR_CASE_SIMD128_(call)
#endif

/* The names of the narrowest tier that dppair_tier answers, and of the narrowest one that makes
 * noise: code of a narrower tier is not compiled. */
#if DPPAIR_MIN_TIER == 3
#define DPPAIR_NARROWEST_NAME_ _avx512
#define DPPAIR_NARROWEST_NOISE_ avx512_
#elif DPPAIR_MIN_TIER == 2
#define DPPAIR_NARROWEST_NAME_ _avx2
#define DPPAIR_NARROWEST_NOISE_ avx2_
#elif DPPAIR_HAVE_SIMD128
#define DPPAIR_NARROWEST_NAME_ _simd128
#define DPPAIR_NARROWEST_NOISE_ scalar_
#else
#define DPPAIR_NARROWEST_NAME_ _scalar
#define DPPAIR_NARROWEST_NOISE_ scalar_
#endif

/* Calls f_TIER args on the tier of this machine. args includes its parentheses; f may begin with an
 * assignment, "status = f". */
#define DPPAIR_DISPATCH_(f, args)                                                                  \
  switch (dppair_tier()) {                                                                         \
    DPPAIR_CASE_AVX512_(DPPAIR_CAT(f, _avx512) args)                                               \
    DPPAIR_CASE_AVX2_(DPPAIR_CAT(f, _avx2) args)                                                   \
  default:                                                                                         \
    DPPAIR_CAT(f, DPPAIR_NARROWEST_NAME_) args;                                                    \
  }

/* The same for a tier that the caller chooses and for private functions, whose names end in _: f is
 * dppair_chunk_ for dppair_chunk_avx2_ and the others. */
#define DPPAIR_DISPATCH_AT_(tier, f, args)                                                         \
  switch (tier) {                                                                                  \
    DPPAIR_CASE_AVX512_(DPPAIR_CAT(f, avx512_) args)                                               \
    DPPAIR_CASE_AVX2_(DPPAIR_CAT(f, avx2_) args)                                                   \
    DPPAIR_CASE_SIMD128_(DPPAIR_CAT(f, simd128_) args)                                             \
  default:                                                                                         \
    DPPAIR_CAT(f, DPPAIR_NARROWEST_NOISE_) args;                                                   \
  }
/* ---- src/core/environment.h -----------------------------------------------------------------
 * Floating-point environment: the check of rounding
 * ---------------------------------------------------------------------------------------------- */

/* 1.5 2^52. Adding a double smaller than 2^51 in magnitude rounds it to an integer, which is then
 * in the low digits of the sum. This is true only if dppair_environment_check returns OK. */
#define DPPAIR_MAGIC_F64_ 6755399441055744.0
#define DPPAIR_MAGIC_F32_ 12582912.0f /* 1.5 2^23, for floats smaller than 2^22 */

#if DPPAIR_X86_
#ifdef DPPAIR_FREESTANDING /* intrinsics of compilers bring a malloc, out of stdlib.h */
#pragma push_macro("_MM_MALLOC_H_INCLUDED")
#pragma push_macro("__MM_MALLOC_H")
#undef _MM_MALLOC_H_INCLUDED
#undef __MM_MALLOC_H
#define _MM_MALLOC_H_INCLUDED
#define __MM_MALLOC_H
#include <emmintrin.h>
#pragma pop_macro("__MM_MALLOC_H")
#pragma pop_macro("_MM_MALLOC_H_INCLUDED")
#else
#include <emmintrin.h>
#endif
#endif

DPPAIR_FP_BEGIN_

/* Are subnormal numbers read or written as zeros? On x86 the processor's control word says so: a
 * sum of subnormal numbers there takes longer than the whole check. Elsewhere a product tells. It
 * is a power of 2, so no flag but that of a subnormal operand is raised. */
DPPAIR_FN_ int dppair_flushes_to_zero_(void) {
#if DPPAIR_X86_
  return (_mm_getcsr() & 0x8040u) != 0; /* results, 0x8000, or operands, 0x40 */
#else
  volatile double least = 2.2250738585072014e-308; /* DBL_MIN */
  volatile float least_f = 1.17549435e-38f;
  volatile double below = least * 0.5;
  volatile float below_f = least_f * 0.5f;
  return !(below > 0.0) || !(below_f > 0.0f);
#endif
}

#if DPPAIR_HAVE_AVX2 && defined(__clang__) /* fused where the processor can, and only there */
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
DPPAIR_OUT_OF_LINE_ int dppair_fuses_avx2_(volatile double *tenth, volatile double *square) {
  const double y = *tenth;
  return y * y - *square != 0.0;
}
DPPAIR_TARGET_END_
#endif

/* Has the compiler fused a product and a sum, made a product of a quotient, or dropped the sign of
 * zero? gcc's regions forbid it. clang's float_control does so on x86 and PowerPC only, and
 * -ffp-contract=fast overrides every pragma (its backend fuses); no macro tells of these flags. */
DPPAIR_FN_ int dppair_flags_are_loose_(void) {
#if defined(__GNUC__) && !defined(__clang__)
  return 0;
#else
  volatile double tenth = 0.1, five = 5.0, minus_zero = -0.0;
  const double x = tenth, n = five, z = minus_zero;
  volatile double square = x * x, quotient = n / 3.0, zero = z + 0.0;
  const double y = tenth, rest = y * y - square; /* read again: a product used twice is not fused */
#if DPPAIR_HAVE_AVX2 && defined(__clang__)
  if (dppair_tier() >= DPPAIR_TIER_AVX2 && dppair_fuses_avx2_(&tenth, &square)) return 1;
#endif
  return rest != 0.0 || quotient != 1.6666666666666667 || dppair_bits_f64_(zero) != 0;
#endif
}

/*
 * DPPAIR_OK if sums are rounded to nearest, ties to even, one by one and in their own type, and
 * subnormal numbers are not zeros; else DPPAIR_ERR_ENVIRONMENT. So is a DPPAIR_TIER_LIMIT below the
 * narrowest tier of the build, where that is AVX2 or AVX-512. Every function whose proof assumes
 * this calls it first: it takes 8 to 19 ns (measured with -O2).
 *
 * Flushing to zero is a mode of the thread. gcc sets it at the start of every program, and up to
 * version 12 in every process that loads a library, that was linked with -ffast-math or -Ofast.
 * Noise keeps its bits under it; other functions do not, and their bounds count subnormal
 * differences. So it is refused: compile with these flags if need be, link without them.
 *
 * For m = 1.5 2^52 (float: 1.5 2^23), m + 1/2 and m - 1/2 are midway between m and a neighbour of
 * m, and m is the even one. So (m + 1/2) - m and (m - 1/2) - m are both 0 if sums are rounded to
 * nearest even. The first is not 0 if sums are rounded up or ties away from zero, the second if
 * they are rounded down or towards zero, and both if the type is wider or the compiler has merged
 * the two sums. Compilers may apply a flag to vectors but not to plain code, and to intrinsics,
 * which they define outside of every region, but not to operators; so both are tested, vectors by
 * intrinsics where kernels use these.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_environment_check(void) {
  volatile double half = 0.5;
  volatile float half_f = 0.5f;
  const double h = half, m = DPPAIR_MAGIC_F64_;
  const float f = half_f, m_f = DPPAIR_MAGIC_F32_;
  volatile double up = h + m - m, down = m - h - m;
  volatile float up_f = f + m_f - m_f, down_f = m_f - f - m_f;
  double pair[2] = {0.0, 0.0};
#if DPPAIR_X86_
  const __m128d m_v = _mm_set1_pd(m);
  _mm_storeu_pd(pair, _mm_sub_pd(_mm_add_pd(_mm_set_pd(h, -h), m_v), m_v));
#elif defined(__GNUC__) || defined(__clang__)
  typedef double vector __attribute__((vector_size(16)));
  const vector h_v = {-h, h}, m_v = {m, m}, back = (h_v + m_v) - m_v;
  memcpy(pair, &back, sizeof pair);
#endif
  if (DPPAIR_MIN_TIER > 1 && DPPAIR_TIER_LIMIT < DPPAIR_MIN_TIER) return DPPAIR_ERR_ENVIRONMENT;
  if (up != 0.0 || down != 0.0 || up_f != 0.0f || down_f != 0.0f || pair[0] != 0.0 ||
      pair[1] != 0.0 || dppair_flushes_to_zero_() || dppair_flags_are_loose_())
    return DPPAIR_ERR_ENVIRONMENT;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/sampling.h --------------------------------------------------------------------
 * Sampling: who the neighbours are, and how records are drawn
 *
 * One value says which data sets are neighbours, which records a step reads, and what the sum over
 * their pairs is divided by. The draw, the gradient, its sensitivity and the account read the same
 * value. Relies on status.h and checks.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Which data sets are neighbours: the unit that is protected, and its move. The number of units is
 * public.
 * REPLACE_ONE: one record is replaced by another. ZERO_OUT: one record is replaced by a null
 * record (`nulls` of a block of rows, rows/block.h), whose pairs contribute nothing. It keeps its
 * place: it may be drawn, it is one of the rows that a release of the draw takes, and n counts it.
 * But what divides a sum over drawn pairs counts the others only (dppair_normaliser).
 * PERSON, QUERY: the same with everything that one user owns, or with a whole query, in the place
 * of one record: a law that holds for records holds for them once the noise multiplier divides
 * their move, and n and m count them. The two low bits are the move, the others the unit. */
typedef enum dppair_adjacency {
  DPPAIR_REPLACE_ONE = 1,
  DPPAIR_ZERO_OUT = 2,
  DPPAIR_REPLACE_USER = 17,
  DPPAIR_ZERO_USER = 18,
  DPPAIR_REPLACE_QUERY = 33,
  DPPAIR_ZERO_QUERY = 34
} dppair_adjacency;

/* The units that a relation protects. */
enum { DPPAIR_OF_RECORDS_ = 0, DPPAIR_OF_USERS_ = 16, DPPAIR_OF_QUERIES_ = 32 };

/* The move alone, REPLACE_ONE or ZERO_OUT, which is what laws read; the unit alone. */
DPPAIR_FN_ dppair_adjacency dppair_adjacency_move_(dppair_adjacency adjacency) {
  return (dppair_adjacency)((int)adjacency & 3);
}

DPPAIR_FN_ int dppair_adjacency_unit_(dppair_adjacency adjacency) { return (int)adjacency & ~3; }

/*
 * The one list of samplings; every execution of a step draws anew. The columns: kind and its name
 * in texts; the fields that are read; what a sum over the drawn pairs is divided by; the move of
 * one record that noise_multiplier divides.
 *
 *   ALL                  every record (or pair); n
 *   POISSON              each record (pair) independently with probability q
 *   WITHOUT_REPLACEMENT  m of n records, a uniform subset
 *   WITH_REPLACEMENT     m independent uniform draws from n records (or their pairs, or groups of
 *                        `group` different records)
 *   MATCHING             m of n records, put at random into m/group groups of `group` (2: pairs)
 *   ALLOCATION           `batches` steps are an epoch: each record is in `group` of its batches (1
 *                        of them, where every record is read once), all choices equally likely, by
 *                        itself; the sizes of batches are random. n, batches, group. Its draw
 *                        and its law are those of dppair_allocation.h
 *
 * The kinds of modules stand here too, since ledgers hold their numbers.
 */
#define DPPAIR_SAMPLING_TABLE(X)                                                                   \
  X(DPPAIR_ALL, "none", DPPAIR_READS_N_, DPPAIR_BY_PAIRS_, DPPAIR_MOVE_STATED_)                    \
  X(DPPAIR_POISSON, "poisson", DPPAIR_READS_RATE_, DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)            \
  X(DPPAIR_WITHOUT_REPLACEMENT, "without-replacement", DPPAIR_READS_RATE_ | DPPAIR_READS_OWNED_,   \
    DPPAIR_BY_PAIRS_, DPPAIR_MOVE_REPLACE_)                                                        \
  X(DPPAIR_WITH_REPLACEMENT, "with-replacement",                                                   \
    DPPAIR_READS_N_ | DPPAIR_READS_M_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_PAIRS_,                    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_MATCHING, "matching", DPPAIR_READS_RATE_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_MATCHES_,    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_ALLOCATION, "allocation", DPPAIR_READS_N_ | DPPAIR_READS_BATCHES_ | DPPAIR_OF_MODULE_,  \
    DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)

#define DPPAIR_X_(kind, name, reads, divisor, move) kind,
typedef enum dppair_sampling_kind { DPPAIR_SAMPLING_TABLE(DPPAIR_X_) } dppair_sampling_kind;
#undef DPPAIR_X_

#define DPPAIR_X_(kind, name, reads, divisor, move) +1
enum { DPPAIR_SAMPLING_COUNT_ = 0 DPPAIR_SAMPLING_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_

/* What a row reads. RATE: n and m, at most n, whose rate is m/n; or q instead of both. */
enum {
  DPPAIR_READS_N_ = 1,
  DPPAIR_READS_M_ = 2,
  DPPAIR_READS_RATE_ = 4,
  DPPAIR_READS_GROUPS_ = 8,   /* group >= 2 or 0; where the rate is read m is a multiple of it */
  DPPAIR_READS_BATCHES_ = 16, /* batches, and group of them */
  DPPAIR_READS_OWNED_ = 32,   /* where users are protected and records are drawn */
  DPPAIR_OF_MODULE_ = 64      /* a module has its draw and its law */
};

/* The divisor. PAIRS: k (k-1), of n records, or of the m drawn ones. DRAWN: m (count - 1), count
 * being the records that were drawn and are not null, m those that are expected. MATCHES:
 * m/group. */
enum { DPPAIR_BY_PAIRS_ = 1, DPPAIR_BY_DRAWN_ = 2, DPPAIR_BY_MATCHES_ = 3 };

/* The move. STATED: that of the adjacency. ZERO, REPLACE: that one under either adjacency. */
enum { DPPAIR_MOVE_STATED_ = 0, DPPAIR_MOVE_REPLACE_ = 1, DPPAIR_MOVE_ZERO_ = 2 };

/*
 * A sampling; the functions below make one. m always counts records (for pairs drawn with
 * replacement it counts draws). The rate of Poisson records, of samples without replacement and of
 * matchings is the probability q that a given record is drawn. Give either q in (0, 1], or n and
 * m >= 1, which mean q = m/n (q = 0: not given); if all three are given they must agree, and m/n is
 * used. Fields that a kind does not read must be 0, and those that it reads must not; only the
 * group of a matching may, which then is 2.
 */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
  size_t batches; /* of an epoch, by allocation */
  size_t group;   /* matching: records of a group. Allocation: batches that hold a record */
  size_t owned;   /* where users are protected and records are drawn: a public bound of the
                     records that one user owns. 0: what is drawn is what is protected */
} dppair_sampling;

/* A row of the table. */
typedef struct dppair_sampling_row_ {
  const char *name;
  int reads, divisor, move;
} dppair_sampling_row_;

/* The row of a kind; NULL for what is no kind. */
DPPAIR_FN_ const dppair_sampling_row_ *dppair_sampling_row_of_(dppair_sampling_kind kind) {
  static const dppair_sampling_row_ row[] = {
#define DPPAIR_X_(kind, name, reads, divisor, move) {name, reads, divisor, move},
      DPPAIR_SAMPLING_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (int)kind >= 0 && (int)kind < DPPAIR_SAMPLING_COUNT_ ? &row[kind] : NULL;
}

/* 1 where the number of records that a step draws is random, hence private. */
DPPAIR_FN_ int dppair_sampling_is_random_(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL && row->divisor == DPPAIR_BY_DRAWN_;
}

/* 1 where the draw and its law are a module's. */
DPPAIR_FN_ int dppair_sampling_is_of_module_(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_OF_MODULE_) != 0;
}

/* 1 where a step is one of the batches of an epoch, which are drawn together. */
DPPAIR_FN_ int dppair_sampling_has_epochs_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  return row != NULL && (row->reads & DPPAIR_READS_BATCHES_) != 0 && s->batches > 0 && s->group > 0;
}

/* The names that texts use; "none" for every record, for no adjacency, and for what is no such
 * kind. Static strings. */
DPPAIR_API const char *dppair_sampling_name(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL ? row->name : "none";
}

/* The same of neighbours: "replace-one", "zero-out", ...; "none" for what is no adjacency. */
DPPAIR_API const char *dppair_adjacency_name(dppair_adjacency adjacency) {
  switch ((int)adjacency) {
  case DPPAIR_REPLACE_ONE:
    return "replace-one";
  case DPPAIR_ZERO_OUT:
    return "zero-out";
  case DPPAIR_REPLACE_USER:
    return "replace-person";
  case DPPAIR_ZERO_USER:
    return "zero-person";
  case DPPAIR_REPLACE_QUERY:
    return "replace-query";
  case DPPAIR_ZERO_QUERY:
    return "zero-query";
  default:
    return "none";
  }
}

/* The greatest number of a relation. */
enum { DPPAIR_ADJACENCY_MOST_ = DPPAIR_ZERO_QUERY };

/* OK for one of the relations. */
DPPAIR_FN_ dppair_status dppair_adjacency_check_(dppair_adjacency adjacency) {
  const int move = (int)dppair_adjacency_move_(adjacency), unit = dppair_adjacency_unit_(adjacency);
  return (move == DPPAIR_REPLACE_ONE || move == DPPAIR_ZERO_OUT) &&
                 (unit == DPPAIR_OF_RECORDS_ || unit == DPPAIR_OF_USERS_ ||
                  unit == DPPAIR_OF_QUERIES_)
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* OK for a relation that protects records. */
DPPAIR_FN_ dppair_status dppair_adjacency_records_(dppair_adjacency adjacency) {
  return adjacency == DPPAIR_REPLACE_ONE || adjacency == DPPAIR_ZERO_OUT ? DPPAIR_OK
                                                                         : DPPAIR_ERR_ADJACENCY;
}

/* The records of one group of a matching. */
DPPAIR_FN_ size_t dppair_sampling_group_(const dppair_sampling *s) {
  return s->group > 0 ? s->group : 2;
}

/* The records that a step is expected to read: all, m, or the share n group/batches, rounded, of an
 * allocation. Divisors and sensitivities both read this number. */
DPPAIR_FN_ double dppair_sampling_expected_(const dppair_sampling *s) {
  if (s->batches > 0) return (double)s->n * (double)s->group / (double)s->batches;
  return (double)(s->m > 0 ? s->m : s->n);
}

/* The rate of a row that reads it: q, or m/n; m is a multiple of `group`. A rate that was lost, to
 * an integer division or to a field that is not read, must not make a step free. */
DPPAIR_FN_ dppair_status dppair_sampling_rate_check_(const dppair_sampling *s, size_t group) {
  if (s->q < 0.0 || s->q > 1.0) return DPPAIR_ERR_DOMAIN;
  if (s->n == 0 && s->m == 0) return s->q > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  if (s->m == 0) return s->q > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE;
  if (s->n < 2 || s->m > s->n) return DPPAIR_ERR_SIZE;
  if (s->m % group != 0) return DPPAIR_ERR_RATE;
  /* a q that was computed from these sizes is within 4 ulp; any other q is another rate */
  return s->q <= 0.0 || dppair_fabs_(s->q * (double)s->n - (double)s->m) <= 1e-15 * (double)s->m
             ? DPPAIR_OK
             : DPPAIR_ERR_RATE;
}

/* The fields of samplings that few read: groups, batches, and the records of one user. */
DPPAIR_FN_ dppair_status dppair_sampling_rare_(const dppair_sampling *s, int reads) {
  const int groups = reads & DPPAIR_READS_GROUPS_, batches = reads & DPPAIR_READS_BATCHES_;
  if ((s->group > 0 && !groups && !batches) || (s->batches > 0 && !batches))
    return DPPAIR_ERR_UNREAD;
  if (groups && s->group == 1) return DPPAIR_ERR_RATE;
  if (batches && (s->group < 1 || s->group > s->batches)) return DPPAIR_ERR_RATE;
  if (s->owned == 0) return DPPAIR_OK;
  if (!(reads & DPPAIR_READS_OWNED_) || dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_USERS_)
    return DPPAIR_ERR_UNREAD;
  if (s->n == 0) return DPPAIR_ERR_RATE; /* a rate alone does not say how many are hit */
  return s->owned <= s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* Is every field that the sampling's row reads given, and no other? */
DPPAIR_FN_ dppair_status dppair_sampling_fields_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  dppair_status status = DPPAIR_OK;
  if (!dppair_isfinite_f64(s->q)) return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_NO_PROOF;
  if (row->reads & DPPAIR_READS_RATE_) {
    const int groups = row->reads & DPPAIR_READS_GROUPS_;
    status = dppair_sampling_rate_check_(s, groups ? dppair_sampling_group_(s) : 1);
  } else if (s->n < 2) {
    status = DPPAIR_ERR_SIZE;
  } else if (s->q < 0.0 || s->q > 0.0) {
    status = DPPAIR_ERR_UNREAD;
  } else if (row->reads & DPPAIR_READS_M_) {
    if (s->m == 0) status = DPPAIR_ERR_RATE;
  } else if (s->m != 0) {
    status = DPPAIR_ERR_UNREAD;
  }
  return status == DPPAIR_OK ? dppair_sampling_rare_(s, row->reads) : status;
}

/* Is this a whole sampling: a relation, and the fields of its row? Errors: ADJACENCY; NO_PROOF, no
 * such kind; NOT_FINITE, DOMAIN, a q; SIZE, n or m; RATE, none or no valid one; UNREAD, a field
 * too many. */
DPPAIR_FN_ dppair_status dppair_sampling_check_(const dppair_sampling *s) {
  const dppair_status status = dppair_adjacency_check_(s->adjacency);
  return status == DPPAIR_OK ? dppair_sampling_fields_(s) : status;
}

/*
 * Where records are drawn and users protected, the account counts j drawn records of a user
 * T(m, j)/(m-1) times as far as one, T(m, j) = q (m-q) + floor(j^2/4), q = min(j, floor(m/2)). That
 * is enough for two classes. If all totals count, j (2m-j-1)/2 of them touch the j records, m - 1
 * the one: so many times more than T(m, j)/(m-1), at most. 1 for j <= 2; at most 1 + j/(4m - 3j),
 * which rises with j, for j <= m/2; at most sqrt(5) - 1, the largest 2 (2x - x^2)/(1 + x^2), x =
 * j/m, beyond. j is at most `owned`, and m.
 */
DPPAIR_FN_ double dppair_sampling_far_(const dppair_sampling *s) {
  const size_t j = s->owned < s->m ? s->owned : s->m;
  if (j <= 2) return 1.0;
  return j <= s->m / 2 ? 1.0 + (double)j / (4.0 * (double)s->m - 3.0 * (double)j)
                       : 1.2360679774997898;
}

/* By what the move of one record is multiplied where j drawn records of a user move a statistic
 * j times as far, such as a sum of vectors of their own: more than T(m, j)/(m-1) times. At most
 * j (m-1)/T(m, j) for all j <= owned, rounded up: 1 for owned <= 1; (m-1)/(m - 3j/4 - 1/(4j)),
 * which rises with j, for j <= m/2, where T(m, j) >= j (m-j) + (j^2-1)/4; below 2 beyond, where
 * T(m, j) >= (m^2 + j^2 - 2)/4. */
DPPAIR_FN_ double dppair_sampling_each_(const dppair_sampling *s) {
  const size_t owned = s->owned < s->m ? s->owned : s->m;
  const double m = (double)s->m, j = (double)owned;
  if (owned <= 1) return 1.0;
  if (owned > s->m / 2) return 2.0;
  return (m - 1.0) / (m - 0.75 * j - 0.25 / j) * (1.0 + 8.0 * DBL_EPSILON);
}

/* Is there a proof for records that are drawn while users are protected? owned > 0. */
DPPAIR_FN_ dppair_status dppair_sampling_owned_(const dppair_sampling *s) {
  if (s->kind != DPPAIR_WITHOUT_REPLACEMENT) return DPPAIR_ERR_NO_PROOF;
  if (dppair_adjacency_move_(s->adjacency) != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  if (s->m < 2) return DPPAIR_ERR_SIZE; /* no pair */
  return s->owned <= s->n && s->n - s->owned >= s->m ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* The move that the noise multiplier of a step with this sampling divides, REPLACE_ONE or ZERO_OUT:
 * that of the sampling's row. */
DPPAIR_FN_ dppair_adjacency dppair_sampling_move_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  if (row == NULL || row->move == DPPAIR_MOVE_STATED_) return dppair_adjacency_move_(s->adjacency);
  return row->move == DPPAIR_MOVE_ZERO_ ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
}

DPPAIR_FN_ dppair_sampling dppair_sampling_make_(dppair_sampling_kind kind, size_t n, size_t m,
                                                 dppair_adjacency adjacency) {
  dppair_sampling s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.adjacency = adjacency;
  s.n = n;
  s.m = m;
  return s;
}

/* The samplings of n records (or of the users, the queries that the relation protects). What is
 * wrong with an argument is said by the function that reads the sampling. */

/* Every record. */
DPPAIR_API dppair_sampling dppair_sampling_all(size_t n, dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_ALL, n, 0, adjacency);
}

/* Each record independently with probability m/n: m are expected. */
DPPAIR_API dppair_sampling dppair_sampling_poisson(size_t n, size_t m, dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_POISSON, n, m, adjacency);
}

/* A uniform subset of m records. */
DPPAIR_API dppair_sampling dppair_sampling_without_replacement(size_t n, size_t m,
                                                               dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_WITHOUT_REPLACEMENT, n, m, adjacency);
}

/* m independent uniform records. */
DPPAIR_API dppair_sampling dppair_sampling_with_replacement(size_t n, size_t m,
                                                            dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_WITH_REPLACEMENT, n, m, adjacency);
}

/* A uniform subset of m records, put at random into groups of `group` >= 2, of which m is a
 * multiple. (0, which in the field means 2, becomes 1, which is refused.) */
DPPAIR_API dppair_sampling dppair_sampling_groups(size_t n, size_t m, size_t group,
                                                  dppair_adjacency adjacency) {
  dppair_sampling s = dppair_sampling_make_(DPPAIR_MATCHING, n, m, adjacency);
  s.group = group > 0 ? group : 1;
  return s;
}

/* A uniform subset of m records, m even, paired at random: groups of 2. */
DPPAIR_API dppair_sampling dppair_sampling_matching(size_t n, size_t m,
                                                    dppair_adjacency adjacency) {
  return dppair_sampling_groups(n, m, 2, adjacency);
}

/*
 * *divisor = what the sum over the drawn pairs is divided by, so that it becomes the mean that the
 * sensitivities are about:
 *
 *   ALL                        n (n-1)
 *   POISSON                    m (count-1), `count` being the records that were drawn, without null
 *                              ones; 1 when that is 0 or 1, where the sum is 0
 *   WITHOUT, WITH_REPLACEMENT  m (m-1); 1 when m = 1
 *   MATCHING                   m/group: m/2 pairs
 *   ALLOCATION                 (n group/batches) (count-1), likewise
 *
 * A sum over pairs that were themselves drawn with replacement is divided by their number instead.
 * `count` is read for Poisson samples and allocations only, and *divisor then is private, as count
 * is. Errors: NULL; ADJACENCY; NO_PROOF, NOT_FINITE, DOMAIN, RATE, UNREAD, a sampling whose fields
 * are not those of its kind; SIZE: n or m is out of range or not given, or count > n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_normaliser(double *divisor,
                                                             const dppair_sampling *sampling,
                                                             size_t count) {
  const dppair_sampling *s = sampling;
  dppair_status status;
  int by;
  double k;
  if (divisor == NULL) return DPPAIR_ERR_NULL;
  *divisor = 0.0;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status != DPPAIR_OK) return status;
  by = dppair_sampling_row_of_(s->kind)->divisor;
  if (s->n == 0 || (by == DPPAIR_BY_DRAWN_ && count > s->n)) return DPPAIR_ERR_SIZE;
  k = dppair_sampling_expected_(s);
  if (by == DPPAIR_BY_MATCHES_)
    *divisor = k / (double)dppair_sampling_group_(s);
  else if (by == DPPAIR_BY_DRAWN_)
    *divisor = count > 1 ? k * ((double)count - 1.0) : 1.0;
  else
    *divisor = k > 1.0 ? k * (k - 1.0) : 1.0;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/batch.h -----------------------------------------------------------------------
 * A batch: the records of one draw
 *
 * dppair_release_draw fills one, dppair_gather makes rows of it and marks them with its serial, and
 * a release takes the rows of its own draw alone. Relies on checks.h.
 * ---------------------------------------------------------------------------------------------- */

/* The serial is public: a function of a plan's run, its place in the account and the step, so it is
 * the same on every rank and after a stop, and no two draws share one. 0: of no plan's draw. */
typedef struct dppair_batch {
  const size_t *index; /* `count` places, in the caller's memory. Private, as the records are */
  size_t count;        /* private where the size of a draw is random */
  uint64_t serial;
} dppair_batch;

/* A batch of records that you chose yourself: of no plan's draw. A release of a plan that draws
 * refuses rows that are gathered from it. */
DPPAIR_API dppair_batch dppair_batch_make(const size_t *index, size_t count) {
  dppair_batch batch;
  batch.index = index;
  batch.count = count;
  batch.serial = 0;
  return batch;
}
/* ---- src/core/sort.h ------------------------------------------------------------------------
 * Sorting doubles: ascending, in place, O(n log n) in the worst case
 *
 * NaN has no place in the order: arrays must not hold it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Sorts x[0..n) by heap sort. */
DPPAIR_FN_ void dppair_heap_sort_(double *x, size_t n) {
  size_t start = n / 2, end = n;
  while (end > 1) {
    size_t root, child;
    double v;
    if (start > 0) {
      v = x[--start];
    } else {
      v = x[--end];
      x[end] = x[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && x[child] < x[child + 1]) child++;
      if (!(v < x[child])) break;
      x[root] = x[child];
    }
    x[root] = v;
  }
}

/* Sorts x[0..n) by insertion. */
DPPAIR_FN_ void dppair_insertion_sort_(double *x, size_t n) {
  size_t i, j;
  for (i = 1; i < n; i++) {
    const double v = x[i];
    for (j = i; j > 0 && v < x[j - 1]; j--) x[j] = x[j - 1];
    x[j] = v;
  }
}

/* Exchanges numbers of x[0..n), n >= 3, so that none of x[0..m) is above one of x[m..n), and
 * returns m, 0 < m < n. The pivot is the median of three and is among the numbers, so both scans
 * stop. */
DPPAIR_FN_ size_t dppair_partition_(double *x, size_t n) {
  const double a = x[0], b = x[n / 2], c = x[n - 1];
  const double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
  size_t i, j;
  for (i = 0, j = n - 1;; i++, j--) {
    double t;
    while (x[i] < pivot) i++;
    while (pivot < x[j]) j--;
    if (i >= j) return j + 1;
    t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}

/* Sorts x[0..n) in ascending order: quicksort down to short runs, which are sorted by insertion,
 * and heap sort where pivots fail too often (introsort, Musser 1997). */
DPPAIR_API void dppair_sort_f64(double *x, size_t n) {
  const size_t few = 24; /* so many are sorted faster by insertion */
  struct {
    double *x;
    size_t n;
    int depth;
  } waiting[64];
  int count = 0, depth = 2;
  size_t i;
  for (i = n; i > 1; i /= 2) depth += 2;
  for (;;) {
    while (n > few) {
      size_t m;
      if (depth-- == 0) {
        dppair_heap_sort_(x, n);
        n = 0;
        break;
      }
      m = dppair_partition_(x, n);
      /* the larger part waits, so fewer than log2(n) ever do */
      waiting[count].depth = depth;
      if (m < n - m) {
        waiting[count].x = x + m;
        waiting[count++].n = n - m;
        n = m;
      } else {
        waiting[count].x = x;
        waiting[count++].n = m;
        x += m;
        n -= m;
      }
    }
    dppair_insertion_sort_(x, n);
    if (count == 0) return;
    count--;
    x = waiting[count].x;
    n = waiting[count].n;
    depth = waiting[count].depth;
  }
}

DPPAIR_FP_END_
/* ---- src/core/audit.h -----------------------------------------------------------------------
 * Audit: a hook that sees what a run adds noise to, draws, charges and releases
 *
 * For tests of a program's privacy, not for production: the hook sees private numbers. A program
 * that defines DPPAIR_AUDIT(event) before the first include, as an expression of type int, is told
 * each event; without it no code is compiled for them. A run that is recorded and then repeated on
 * neighbouring data, with the recorded outputs put in place, shows how far each release moved.
 * Relies on status.h.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_AUDIT

/* What a dppair_event tells of. */
typedef enum dppair_event_kind {
  DPPAIR_EVENT_ADD = 1,     /* noise is about to be added to `values` */
  DPPAIR_EVENT_ADDED = 2,   /* it was added, or `status` says why not */
  DPPAIR_EVENT_DRAWN = 3,   /* records, pairs or bytes were drawn; "key": bytes of the system are
                             * about to be */
  DPPAIR_EVENT_CHARGED = 4, /* an account was charged; copies, on which steps are tried, too */
  DPPAIR_EVENT_RELEASE = 5, /* a release knows its sensitivity; it adds its noise next */
  DPPAIR_EVENT_TRIED = 6,   /* the last charge of this account was tried on a copy, and is void */
  DPPAIR_EVENT_FITTED = 7   /* a perturbed fit begins (`values` is NULL), or was released as them */
} dppair_event_kind;

/* What an event does not have is 0. */
typedef struct dppair_event {
  dppair_event_kind kind;
  const char *name;     /* the law of the noise, what is drawn, or the mechanism */
  void *values;         /* the vector, or the numbers drawn, */
  size_t n, width;      /* of n elements of `width` bytes: double or float, size_t, bytes */
  size_t *count;        /* DRAWN: how many records or pairs were drawn */
  double scale;         /* of the noise: sigma, the scale of Laplace and l2 noise, the variance of
                         * Skellam noise that no plan releases; of a draw by allocation: its step */
  double sensitivity;   /* RELEASE: how far `values` can move; CHARGED: what the caller said */
  const void *what;     /* DRAWN, RELEASE: a dppair_sampling; CHARGED: a dppair_ledger_entry;
                         * FITTED: a dppair_fit_ */
  const void *by;       /* the dppair_rng, dppair_accountant or dppair_release */
  dppair_status status; /* ADDED, DRAWN: what the function is about to return; TRIED: of the try */
} dppair_event;

/* Tells an event. Where the hook answers 1 to ADD or DRAWN it has written a recorded output to
 * `values` and `count`: no noise is then added to it, and the function returns OK. */
DPPAIR_FN_ int dppair_audited_(dppair_event_kind kind, const char *name, void *values, size_t n,
                               size_t width, size_t *count, double scale, double sensitivity,
                               const void *what, const void *by, dppair_status status) {
  dppair_event event;
  memset(&event, 0, sizeof event);
  event.kind = kind;
  event.name = name;
  event.values = values;
  event.n = n;
  event.width = width;
  event.count = count;
  event.scale = scale;
  event.sensitivity = sensitivity;
  event.what = what;
  event.by = by;
  event.status = status;
  return DPPAIR_AUDIT(&event);
}

#define DPPAIR_AUDITED_(event) dppair_audited_ event

#else

#define DPPAIR_AUDITED_(event) 0

#endif

#endif /* DPPAIR_CORE_H */

/*
 * Under a host's -ffast-math, glibc's math.h declares vector versions of exp, log and others, which
 * are good to 4 ulp only, and gcc uses them in loops even inside a region without fast-math. So gcc
 * must not vectorise here, except in LOOPS regions, whose loops call nothing (and do not sum in
 * another order). The regions do not nest. All options are in one pragma, because gcc obeys only a
 * part of a second one.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define DPPAIR_LIBM_(options)                                                                      \
  _Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize options)                              \
      _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
#define DPPAIR_LIBM_BEGIN_                                                                         \
  DPPAIR_LIBM_((DPPAIR_LEVEL_, "no-tree-vectorize", "no-fast-math", "fp-contract=off"))
#define DPPAIR_LOOPS_BEGIN_ DPPAIR_FP_END_ DPPAIR_LIBM_(("O3", "no-fast-math", "fp-contract=off"))
#define DPPAIR_LOOPS_END_ DPPAIR_FP_END_ DPPAIR_LIBM_BEGIN_
#else
#define DPPAIR_LIBM_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_LOOPS_BEGIN_
#define DPPAIR_LOOPS_END_
#endif

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

/* ---- src/accountant/curves/interval.h -------------------------------------------------------
 * Answers that are certified on both sides, and the memory that they take
 * ---------------------------------------------------------------------------------------------- */

/* Where `upper` comes from. As an argument (dppair_accountant_by_route): which route to take. */
typedef enum dppair_route {
  DPPAIR_ROUTE_BEST = 0,    /* argument only: whichever is tightest */
  DPPAIR_ROUTE_CLOSED = 1,  /* plain Gaussian steps, or one run of one step: the exact curve; one
                               perturbed objective beside Gaussian steps: a bound near it */
  DPPAIR_ROUTE_CONTOUR = 2, /* contour integral of the moment function */
  DPPAIR_ROUTE_LATTICE = 3, /* losses on a lattice, by tilted FFT */
  DPPAIR_ROUTE_BOTH = 4,    /* the smaller upper and the larger lower bound of the last two */
  DPPAIR_ROUTE_RENYI = 5,   /* the best Renyi order */
  DPPAIR_ROUTE_PURE = 6     /* the sum of the steps' pure epsilons */
} dppair_route;

/* lower <= truth <= upper. What is spent is `upper`. */
typedef struct dppair_interval {
  double lower;    /* 0 where no mechanism and no two data sets are known to attain it */
  double upper;    /* infinite where nothing bounds epsilon */
  double estimate; /* `upper` unless the two are within 1 % */
  double order;    /* the Renyi order that `upper` comes from; 0 on other routes */
  dppair_route route;
  size_t bytes; /* with WORKSPACE: how many bytes of workspace the question needs; else 0 */
} dppair_interval;

/* The largest array of doubles in a workspace of any alignment. */
DPPAIR_FN_ double *dppair_doubles_(size_t *doubles, void *work, size_t bytes) {
  const size_t past = (size_t)((uintptr_t)work % sizeof(double));
  const size_t skip = past > 0 ? sizeof(double) - past : 0;
  *doubles = bytes > skip ? (bytes - skip) / sizeof(double) : 0;
  return work != NULL && bytes >= skip ? (double *)(void *)((char *)work + skip) : NULL;
}

/* *bytes for so many doubles at any alignment. */
DPPAIR_FN_ dppair_status dppair_doubles_bytes_(size_t *bytes, size_t doubles) {
  *bytes = 0;
  if (doubles > SIZE_MAX / sizeof(double) - 1) return DPPAIR_ERR_OVERFLOW;
  *bytes = (doubles + 1) * sizeof(double);
  return DPPAIR_OK;
}

/* ---- src/accountant/curves/normal.h ---------------------------------------------------------
 * The normal distribution's tail
 *
 * Rounding up and down, exact product errors, Mills' ratio and its slope, and the Gaussian density
 * with a small relative error far out. The accountant's other chapters rest on this one.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_SQRT_2PI_ 0.91893853320467274178
#define DPPAIR_INV_SQRT_2PI_ 0.39894228040143267794

/* x (1 + 2^-51) for x >= 0: more than one rounded operation can have taken away. It is a product
 * because x + x * 4e-16 is x where the host flushes subnormal numbers to zero. */
DPPAIR_FN_ double dppair_up_(double x) { return x * 1.00000000000000044; }

/* x (1 - 2^-51) for x >= 0; 0 stays 0. */
DPPAIR_FN_ double dppair_down_(double x) { return x * 0.99999999999999956; }

/* a * b - product exactly, where product = a * b rounded and |a|, |b| < 1e290 (Dekker's split).
 * fma() is not used, because under a host's -ffast-math clang turns the call into a product and a
 * sum. */
DPPAIR_FN_ double dppair_product_error_(double a, double b, double product) {
  const double a_split = 134217729.0 * a, b_split = 134217729.0 * b;
  const double a_high = a_split - (a_split - a), b_high = b_split - (b_split - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/*
 * sum c[k] T_k(w), |w| <= 1, count even. Clenshaw's recurrence runs for the even and for the odd
 * terms side by side, which halves the chain of dependent operations: T_2k(w) = T_k(v) and
 * T_{2k+1}(w) = w (U_k(v) - U_{k-1}(v)) with v = 2 w^2 - 1.
 */
DPPAIR_FN_ double dppair_chebyshev_(const double *c, size_t count, double w) {
  const double v2 = 4.0 * w * w - 2.0;
  double e1 = 0.0, e2 = 0.0, o1 = 0.0, o2 = 0.0;
  size_t k;
  for (k = count - 2; k > 0; k -= 2) {
    const double e = (c[k] - e2) + v2 * e1, o = (c[k + 1] - o2) + v2 * o1;
    e2 = e1;
    e1 = e;
    o2 = o1;
    o1 = o;
  }
  return ((c[0] - e2) + 0.5 * v2 * e1) + w * ((c[1] - o2) + (v2 - 1.0) * o1);
}

/*
 * Mills' ratio R(x) = (1 - Phi(x)) / phi(x) = sqrt(pi/2) erfcx(x / sqrt 2) for x >= -1, within
 * 7e-16 relative, from 0 on 6e-16 (measured: tests/exhaust/elementary.c). (x + 3/2) R(x) is a
 * smooth function of w = (x - 5)/(x + 7), which maps
 * [-1, inf) to [-1, 1), and is summed as a Chebyshev series. The coefficients were computed with 50
 * digits.
 */
DPPAIR_FN_ double dppair_mills_(double x) {
  static const double c[30] = {
      1.3878196703775885,      -0.4882676686916938,     0.08171229831830493,
      0.06089347383671997,     -0.07334429450972871,    0.04767408729768181,
      -0.02349103385286079,    0.009480704044436643,    -0.003212261510583724,
      0.0009157830799177352,   -0.00021621280464091027, 4.044584267281609e-05,
      -5.299377060607836e-06,  2.445288171644698e-07,   8.459070681091039e-08,
      -2.325255612596454e-08,  1.8042694208657892e-09,  3.8505095159724805e-10,
      -1.1326241173826648e-10, 3.496034929229157e-12,   3.2529351856730526e-12,
      -4.890791376870167e-13,  -6.209462018491717e-14,  2.3156448427791205e-14,
      3.494411845978243e-16,   -8.923009454171421e-16,  4.3921061929977664e-17,
      3.2540620766400877e-17,  -3.2943344678385757e-18, 0.0};
  return dppair_chebyshev_(c, 30, (x - 5.0) / (x + 7.0)) / (x + 1.5);
}

/* -R'(x) = 1 - x R(x) for x >= -1, within 2e-15 relative (measured, too), also where the formula
 * itself cancels. The series is that of (x + 3/2)^2 (1 - x R(x)) in the same w. */
DPPAIR_FN_ double dppair_mills_slope_(double x) {
  static const double c[32] = {
      1.4741594034271435,     -0.43392028431202645,    -0.21815318223920233,
      0.3100791050133143,     -0.19093701412660785,    0.0732601121852008,
      -0.012981508235506417,  -0.005297845679572974,   0.006147007937076444,
      -0.003345662974551171,  0.0013054348454582534,   -0.0003925235168699972,
      9.035906124406828e-05,  -1.4594138564482792e-05, 1.0532158109025516e-06,
      2.0907948551322775e-07, -7.865038614370767e-08,  8.352016205556503e-09,
      1.2028888051108167e-09, -4.853289093432904e-10,  2.7650986869803698e-11,
      1.4188675060827541e-11, -2.7352976585858756e-12, -2.5259327665136084e-13,
      1.319670945215105e-13,  -1.1259603342913497e-15, -5.329797889152376e-15,
      3.9755452536290456e-16, 2.0476342718835897e-16,  -2.7051205146014418e-17,
      -7.98336123900056e-18,  1.4661536548708386e-18};
  return dppair_chebyshev_(c, 32, (x - 5.0) / (x + 7.0)) / (x + 1.5) / (x + 1.5);
}

/* exp(-(hi + lo)^2 / 2) within 3.3 u, also in the far tail: the square of the upper 26 bits of hi
 * is exact, and the rest of the exponent is small, mostly so small that three terms are its
 * exponential within 2^-60. |lo| <= an ulp of hi. */
DPPAIR_FN_ double dppair_gauss_kernel_(double hi, double lo) {
  const double head = dppair_head_(hi), whole = dppair_exp_(-0.5 * head * head);
  const double y = -0.5 * ((hi - head) * (hi + head)) - hi * lo;
  if (y < 6e-5 && y > -6e-5) return whole * (1.0 + (y + y * y * (0.5 + y * (1.0 / 6))));
  return whole * dppair_exp_(y);
}

#define DPPAIR_ERFC_ERROR_ 15.0 /* of dppair_erfc_, in u = 2^-53 */
#define DPPAIR_ERF_ERROR_ 8.0   /* of dppair_erf_, in u */

/* erfc x = sqrt(2/pi) exp(-x^2) R(sqrt(2) x). R has 5.5 u, and 1.5 u of its argument's, since |x
 * R'/R| <= 1; the exponentials 3.3 u (the head's square is exact), products and constant 4.5 u.
 * For x < 0 it is 2 - erfc(-x), which is 1 at least. */
DPPAIR_FN_ double dppair_erfc_(double x) {
  const double size = dppair_fabs_(x);
  double head, y = 0.0;
  if (x != x) return x;
  if (size < 28.0) {
    head = dppair_head_(size);
    y = 0.79788456080286536 * dppair_mills_(1.4142135623730951 * size) *
        dppair_exp_(-(size - head) * (size + head));
    head = dppair_exp_(-0.5 * head * head); /* twice: only the last product may be subnormal */
    y = y * head * head;
  }
  return x < 0.0 ? 2.0 - y : y;
}

/* erf x = 2 x/sqrt(pi) exp(-x^2) (1 + t/3 (1 + t/5 (1 + ... t/45))), t = 2 x^2, for |x| < 1: the
 * terms are positive; the innermost is below 2^-80. The series has 2 u of t, which counts less than
 * once, and 1.5 u, exp 1.1 u and u of its argument, products and constant 3.5 u. Else 1 - erfc x,
 * which is 0.84 at least: 15 u times 0.19 and u. */
DPPAIR_FN_ double dppair_erf_(double x) {
  const double size = dppair_fabs_(x), t = 2.0 * x * x;
  double sum = 1.0;
  int k;
  if (!(size < 1.0)) return x < 0.0 ? dppair_erfc_(size) - 1.0 : 1.0 - dppair_erfc_(x);
  for (k = 45; k > 1; k -= 2) sum = 1.0 + sum * t / (double)k;
  return 1.1283791670955126 * x * (dppair_exp_(-0.5 * t) * sum);
}

/* ---- src/accountant/curves/gaussian_curve.h -------------------------------------------------
 * The exact Gaussian curve
 *
 * N(0,1) against N(mu,1), mu = sensitivity / sigma (Balle and Wang 2018; Dong, Roth and Su 2022):
 *     delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
 * With t = epsilon/mu - mu/2 the second term is phi(t) R(t + mu), so
 *     delta = phi(t) [R(t) - R(t + mu)] = phi(t) * integral from t to t + mu of (1 - x R(x)) dx:
 * nothing overflows, and for small mu the integral does not cancel. T adaptive steps with
 * mu_1 .. mu_T are exactly one step with mu = sqrt(sum mu_t^2). Relies on normal.h.
 * ---------------------------------------------------------------------------------------------- */

/* One point of the curve. delta and log_delta are the computed values, not bounds. */
typedef struct dppair_curve_point_ {
  double delta; /* 0 on underflow */
  double log_delta;
  double per_mu;  /* d log_delta / d mu */
  double per_eps; /* d log_delta / d epsilon */
} dppair_curve_point_;

/* Bounds of the relative error of delta and of the absolute error of log_delta. Where the ratios
 * are subtracted, mu > (t + 2)/40, their errors of 7e-16 count (R(t) + R(t + mu))/(R(t) - R(t +
 * mu)) times, which is at most 81: 80.2 in the limit of large t, 78 at t = -1. The integral has
 * 2e-15. The rest adds a few 1e-16, and log_delta a rounding of its own. */
#define DPPAIR_CURVE_SLACK_ 6e-14
#define DPPAIR_CURVE_LARGEST_ 1e9 /* for a larger mu the curve is only an upper bound */
DPPAIR_FN_ double dppair_curve_log_slack_(double log_delta) {
  return DPPAIR_CURVE_SLACK_ + 6e-16 * dppair_fabs_(log_delta);
}

/* R(t) - R(s) for t >= -1 and s = t + mu, mu > 0. */
DPPAIR_FN_ double dppair_mills_difference_(double t, double s, double mu) {
  /* Gauss-Legendre on four nodes: error below 1e-16 relative for mu <= (t + 2)/40. */
  static const double node[4] = {0.069431844202973712388, 0.33000947820757186760,
                                 0.66999052179242813240, 0.93056815579702628761};
  static const double weight[4] = {0.17392742256872692869, 0.32607257743127307131,
                                   0.32607257743127307131, 0.17392742256872692869};
  double sum = 0.0;
  int k;
  if (mu > 0.025 * (t + 2.0)) return dppair_mills_(t) - dppair_mills_(s);
  for (k = 0; k < 4; k++) sum += weight[k] * dppair_mills_slope_(t + mu * node[k]);
  return mu * sum;
}

/* Upper bounds where t = epsilon/mu - mu/2 is huge or has lost its digits; ratio = epsilon/mu. */
DPPAIR_FN_ dppair_curve_point_ dppair_curve_far_(double ratio, double mu) {
  dppair_curve_point_ p = {0.0, -4e199, 0.0, 0.0};
  double t = ratio - 0.5 * mu;
  if (!dppair_isfinite_f64(ratio) || t > 1e100 || t < -1e100) {
    if (!(t >= 0.0)) { /* or nothing is known */
      p.delta = 1.0;
      p.log_delta = 0.0;
    }
    return p;
  }
  t -= 1e-15 * (ratio + 0.5 * mu); /* surely smaller; delta <= exp(-t^2/2) falls with t */
  p.log_delta = t > 0.0 ? -0.5 * t * t : 0.0;
  p.delta = dppair_exp_(p.log_delta);
  p.per_mu = t > 0.0 ? t * (ratio / mu + 0.5) : 0.0;
  p.per_eps = t > 0.0 ? -t / mu : 0.0;
  return p;
}

/* The rounding error of t = ratio - mu/2, ratio = epsilon/mu: what the difference lost and what the
 * quotient lost. */
DPPAIR_FN_ double dppair_curve_lost_(double epsilon, double mu, double ratio, double t) {
  const double half = 0.5 * mu, shift = t - ratio, back = ratio * mu;
  const double difference = (ratio - (t - shift)) - (half + shift);
  return difference + ((epsilon - back) - dppair_product_error_(ratio, mu, back)) / mu;
}

/* The curve at epsilon >= 0 and mu > 0, both finite. */
DPPAIR_FN_ dppair_curve_point_ dppair_curve_(double epsilon, double mu) {
  dppair_curve_point_ p;
  const double ratio = epsilon / mu, s = ratio + 0.5 * mu, t = ratio - 0.5 * mu;
  double lo, kernel;
  /* beyond 1e8 what Mills' ratio adds to t^2/2 is below 1e-14 of it, and lo may exceed 1 */
  if (!dppair_isfinite_f64(ratio) || t > 1e8 || t < -1e100 || mu > DPPAIR_CURVE_LARGEST_)
    return dppair_curve_far_(ratio, mu);
  /* t + lo is exact. lo matters where t is squared and, to first order, in Mills' ratio, when it
   * exceeds 1e-15: it is an ulp of mu. */
  lo = dppair_curve_lost_(epsilon, mu, ratio, t);
  kernel = DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, lo);
  if (t >= -1.0) {
    double difference = dppair_mills_difference_(t, s, mu);
    if (dppair_fabs_(lo) > 1e-15)
      difference -= lo * (dppair_mills_slope_(t) - dppair_mills_slope_(s));
    p.delta = kernel * difference;
    if (p.delta > 1e-290)
      p.log_delta = dppair_log_(p.delta);
    else
      p.log_delta = -0.5 * t * t - t * lo - DPPAIR_LOG_SQRT_2PI_ + dppair_log_(difference);
    p.per_mu = 1.0 / difference;
    p.per_eps = -dppair_mills_(s) / difference;
  } else {
    const double moved = dppair_fabs_(lo) > 1e-15 ? lo * dppair_mills_slope_(-t) : 0.0;
    const double rest = kernel * (dppair_mills_(-t) + moved + dppair_mills_(s));
    p.delta = 1.0 - rest;
    p.log_delta = dppair_log1p_(-rest);
    p.per_mu = kernel / p.delta;
    p.per_eps = -kernel * dppair_mills_(s) / p.delta;
  }
  return p;
}

/* An upper bound of log delta. */
DPPAIR_FN_ double dppair_curve_log_upper_(double epsilon, double mu) {
  const double log_delta = dppair_curve_(epsilon, mu).log_delta;
  const double upper = log_delta + dppair_curve_log_slack_(log_delta);
  return upper < 0.0 ? upper : 0.0;
}

/* *delta >= the exact delta at epsilon >= 0 and mu >= 0, within 1e-12 relative where delta >=
 * 1e-300 and mu <= 1e9. It is 0 only for mu = 0; on underflow it is the smallest normal number.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DOMAIN (mu); so for the functions below. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_delta(double *delta, double epsilon,
                                                                 double mu) {
  double value;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu < 0.0) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  value = dppair_curve_(epsilon, mu).delta;
  value *= 1.0 + DPPAIR_CURVE_SLACK_;
  *delta = value < DBL_MIN ? DBL_MIN : (value < 1.0 ? value : 1.0); /* 1 for a NaN */
  return DPPAIR_OK;
}

/* *log_delta: the logarithm of the same, rounded up. delta itself may be far below the smallest
 * double. Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON (< 0), DOMAIN (mu <= 0). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_log_delta(double *log_delta,
                                                                     double epsilon, double mu) {
  if (log_delta == NULL) return DPPAIR_ERR_NULL;
  *log_delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu <= 0.0) return DPPAIR_ERR_DOMAIN;
  *log_delta = dppair_curve_log_upper_(epsilon, mu);
  return DPPAIR_OK;
}

/* About the epsilon at which log delta is `target`: Newton's method in a bracket, stopped on the
 * safe side, where log_delta is about 1.2 times its error bound below the target. */
DPPAIR_FN_ double dppair_curve_epsilon_(double target, double mu) {
  /* Concentrated privacy (Bun and Steinke 2016) is an upper end of the bracket; 0.9 of its last
   * term is near the answer. */
  const double tail = dppair_sqrt_(-2.0 * target);
  double low = 0.0, high = dppair_up_(dppair_up_(0.5 * mu * mu + mu * tail));
  double x = 0.5 * mu * mu + 0.9 * mu * tail;
  int i;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(x, mu);
    const double excess = p.log_delta - target;
    double next, step;
    if (excess <= 0.0)
      high = x;
    else
      low = x;
    if (p.per_eps < 0.0 && dppair_fabs_(excess) <= dppair_curve_log_slack_(p.log_delta))
      return x - (excess + 1.2 * dppair_curve_log_slack_(p.log_delta)) / p.per_eps;
    next = p.per_eps < 0.0 ? x - excess / p.per_eps : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    step = dppair_fabs_(next - x);
    x = next;
    if (step <= 1e-15 * x || high - low <= 1e-15 * high) break;
  }
  return x;
}

/* *epsilon >= the smallest epsilon >= 0 at which a mu-Gaussian mechanism is (epsilon,
 * delta)-private. delta in (0, 1); mu in [0, 1e70] (DOMAIN). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_epsilon(double *epsilon, double delta,
                                                                   double mu) {
  double target, x, step;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(delta) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (mu < 0.0 || mu > 1e70) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  target = dppair_log_(delta) * (1.0 + 3e-16); /* at most log delta, whatever log was rounded to */
  if (dppair_curve_log_upper_(0.0, mu) <= target) return DPPAIR_OK;
  x = dppair_curve_epsilon_(target, mu);
  for (step = 1e-15 * x + 1e-300; !(dppair_curve_log_upper_(x, mu) <= target); step *= 2.0) {
    x += step;
    if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_OVERFLOW;
  }
  *epsilon = dppair_up_(x);
  return DPPAIR_OK;
}

/*
 * About the mu at which log delta is `target`, from `low`, which is known to be below it: Halley's
 * method in y = log mu, stopped on the safe side. With g = log delta, g' = mu per_mu and
 * g'' = g' (1 + t (t + mu) - g').
 */
DPPAIR_FN_ double dppair_curve_mu_(double target, double epsilon, double low) {
  double high = 0.0, x = low * 1.15; /* a first guess */
  int i;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(epsilon, x);
    const double excess = p.log_delta - target, slack = dppair_curve_log_slack_(p.log_delta);
    double next = 0.0, step;
    if (excess <= 0.0)
      low = x;
    else
      high = x;
    if (p.per_mu > 0.0) {
      const double slope = x * p.per_mu, r = epsilon / x;
      const double bend = 1.0 + (r - 0.5 * x) * (r + 0.5 * x) - slope;
      double move = -excess / slope, curb = 1.0 + 0.5 * move * bend;
      if (dppair_fabs_(excess) <=
          slack) { /* close enough: step back to the safe side, if it is near */
        const double back = (excess + 1.2 * slack) / slope + 2e-16;
        return back < 0.5 ? x * (1.0 - back) : x;
      }
      move /= curb > 0.5 ? (curb < 2.0 ? curb : 2.0) : 0.5;
      next = x * dppair_exp_(move);
    }
    if (high == 0.0) { /* no upper end yet: between 2 and 8 times as far */
      if (!(next > low)) next = 2.0 * low;
      if (next > 8.0 * low) next = 8.0 * low;
    } else if (!(next > low && next < high)) {
      next = dppair_sqrt_(low) * dppair_sqrt_(high);
    }
    step = dppair_fabs_(next - x);
    x = next;
    if (step <= 2e-16 * x || (high > 0.0 && high - low <= 1e-15 * high)) break;
  }
  return x;
}

/* *mu <= the largest mu for which N(mu, 1) against N(0, 1) is (epsilon, delta)-private. epsilon in
 * [0, 1e100]; delta in (0, 1). OVERFLOW: no double is small enough. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_mu(double *mu, double epsilon,
                                                              double delta) {
  double target, tail, low, x, step;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  *mu = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0 || epsilon > 1e100) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  target = dppair_log_(delta) * (1.0 + 3e-16);
  /* Two lower ends: concentrated privacy, and delta <= 2 Phi(mu/2) - 1 <= mu / sqrt(2 pi). */
  tail = dppair_sqrt_(-2.0 * target);
  low = 2.0 * epsilon / (dppair_sqrt_(tail * tail + 2.0 * epsilon) + tail);
  if (low < delta * 2.5) low = delta * 2.5;
  x = dppair_curve_mu_(target, epsilon, low * 0.999999);
  for (step = 1e-15; dppair_curve_log_upper_(epsilon, x) > target;
       step = step < 0.25 ? 2.0 * step : 0.5) {
    x -= x * step;
    if (!(x > 0.0)) return DPPAIR_ERR_OVERFLOW;
  }
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_OVERFLOW;
  *mu = dppair_down_(x);
  return DPPAIR_OK;
}

/*
 * *sigma: the noise scale that makes `steps` >= 1 adaptive releases, each with this l2 sensitivity,
 * (epsilon, delta)-private together: sensitivity * sqrt(steps) / mu(epsilon, delta), rounded up.
 * sensitivity >= 0; 0 gives 0. Errors: those of dppair_gaussian_mu, SENSITIVITY, SIZE (steps).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_sigma(double *sigma, double sensitivity,
                                                                 double epsilon, double delta,
                                                                 size_t steps) {
  double mu, value;
  dppair_status status;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (!dppair_isfinite_f64(sensitivity)) return DPPAIR_ERR_NOT_FINITE;
  if (sensitivity < 0.0) return DPPAIR_ERR_SENSITIVITY;
  if (sensitivity > 0.0 && sensitivity < DBL_MIN) sensitivity = DBL_MIN; /* its product rounds */
  if (steps == 0) return DPPAIR_ERR_SIZE;
  status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  value = dppair_up_(dppair_up_(sensitivity * dppair_sqrt_((double)steps) / mu));
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  if (sensitivity > 0.0 && value < DBL_MIN) value = DBL_MIN;
  *sigma = value;
  return DPPAIR_OK;
}

/* ---- src/accountant/curves/binomial.h -------------------------------------------------------
 * The binomial law, and the hypergeometric one
 *
 * Probabilities, tails and quantiles, with relative accuracy down to 1e-300: of the hits of a
 * sampled step (hits.h) and of those of a descent (dppair_iterates.h). Relies on nothing but libm.
 * ---------------------------------------------------------------------------------------------- */

/* log n! minus Stirling's formula for an integer n >= 1, within 2e-16. The series loses digits for
 * small n, whose values are listed. */
DPPAIR_FN_ double dppair_stirling_error_(double n) {
  static const double little[16] = {0.0,
                                   0.08106146679532726,
                                   0.0413406959554093,
                                   0.02767792568499834,
                                   0.020790672103765093,
                                   0.016644691189821193,
                                   0.013876128823070748,
                                   0.01189670994589177,
                                   0.010411265261972096,
                                   0.009255462182712733,
                                   0.00833056343336287,
                                   0.007573675487951841,
                                   0.00694284010720953,
                                   0.006408994188004207,
                                   0.0059513701127588475,
                                   0.005554733551962801};
  const double r = 1.0 / n, r2 = r * r;
  if (n < 16.0) return little[(int)n];
  return r * (1.0 / 12.0 -
              r2 * (1.0 / 360.0 - r2 * (1.0 / 1260.0 - r2 * (1.0 / 1680.0 - r2 * (1.0 / 1188.0)))));
}

/* x log(x/m) + m - x without cancellation near x = m. */
DPPAIR_FN_ double dppair_deviance_(double x, double m) {
  const double v = (x - m) / (x + m);
  double sum, power;
  int k;
  if (dppair_fabs_(v) > 0.1) return x * dppair_log_(x / m) + m - x;
  /* log(x/m) = 2 atanh(v) */
  sum = (x - m) * v;
  power = 2.0 * x * v;
  for (k = 3; k < 40; k += 2) {
    double next;
    power *= v * v;
    next = sum + power / k;
    if (!(next > sum || next < sum)) break;
    sum = next;
  }
  return sum;
}

/* log Pr[Bin(n, p) = k], 0 < k < n, q = 1 - p (Loader's saddle-point form, 2000). */
DPPAIR_FN_ double dppair_binomial_saddle_(double n, double p, double q, double k) {
  return dppair_stirling_error_(n) - dppair_stirling_error_(k) - dppair_stirling_error_(n - k) -
         dppair_deviance_(k, n * p) - dppair_deviance_(n - k, n * q) - DPPAIR_LOG_SQRT_2PI_ +
         0.5 * dppair_log_(n / (k * (n - k)));
}

/* log Pr[Bin(n, p) = k], 0 < p < 1, k <= n. */
DPPAIR_FN_ double dppair_binomial_log_pmf_(size_t n, double p, size_t k) {
  if (k == 0) return (double)n * dppair_log1p_(-p);
  if (k == n) return (double)n * dppair_log_(p);
  return dppair_binomial_saddle_((double)n, p, 1.0 - p, (double)k);
}

/* Bin(trials, rate). miss is 1 - rate with all its digits, odds their quotient. drawn > 0: how many
 * of the `trials` records are among `drawn` of trials + others, a uniform subset, where trials <=
 * drawn <= others; rate is drawn/(trials + others). */
typedef struct dppair_binomial_ {
  size_t trials;
  double rate, miss, odds;
  size_t drawn, others;
} dppair_binomial_;

DPPAIR_FN_ dppair_binomial_ dppair_binomial_make_(size_t trials, double rate, double miss) {
  dppair_binomial_ b;
  b.trials = trials;
  b.rate = rate;
  b.miss = miss;
  b.odds = miss > 0.0 ? rate / miss : HUGE_VAL;
  b.drawn = b.others = 0;
  return b;
}

/* How many of a user's `owned` records are among m of n, n - owned >= m. The law is the same with
 * owned and m exchanged. */
DPPAIR_FN_ dppair_binomial_ dppair_hypergeometric_make_(size_t n, size_t owned, size_t m) {
  const size_t trials = owned < m ? owned : m, drawn = owned < m ? m : owned;
  dppair_binomial_ b =
      dppair_binomial_make_(trials, (double)drawn / (double)n, (double)(n - drawn) / (double)n);
  b.drawn = drawn;
  b.others = n - trials;
  return b;
}

/* log Pr[Bin(n, p) = k] for k <= n, of p and q = 1 - p all digits. */
DPPAIR_FN_ double dppair_binomial_log_both_(size_t n, double p, double q, size_t k) {
  if (k == 0) return (double)n * (p < 0.5 ? dppair_log1p_(-p) : dppair_log_(q));
  if (k == n) return (double)n * (q < 0.5 ? dppair_log1p_(-q) : dppair_log_(p));
  return dppair_binomial_saddle_((double)n, p, q, (double)k);
}

/* log Pr[k]. Hypergeometric: trials of rate p, of which k, and others of rate p, of which the rest,
 * given that `drawn` were drawn in all. */
DPPAIR_FN_ double dppair_binomial_log_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn == 0) return dppair_binomial_log_pmf_(b->trials, b->rate, k);
  return dppair_binomial_log_both_(b->trials, b->rate, b->miss, k) +
         dppair_binomial_log_both_(b->others, b->rate, b->miss, b->drawn - k) -
         dppair_binomial_log_both_(b->trials + b->others, b->rate, b->miss, b->drawn);
}

/* Pr[k + 1] / Pr[k], which falls with k. */
DPPAIR_FN_ double dppair_binomial_up_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn > 0)
    return (double)(b->trials - k) / (double)(k + 1) * (double)(b->drawn - k) /
           (double)(b->others - b->drawn + k + 1);
  return ((double)b->trials - (double)k) / (double)(k + 1) * b->odds;
}

/* Pr[k - 1] / Pr[k], k >= 1, which rises with k. */
DPPAIR_FN_ double dppair_binomial_down_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn > 0) return 1.0 / dppair_binomial_up_(b, k - 1);
  return (double)k / ((double)b->trials - (double)k + 1.0) / b->odds;
}

/* log Pr[0]. */
DPPAIR_FN_ double dppair_binomial_log_none_(const dppair_binomial_ *b) {
  if (b->drawn > 0) return dppair_binomial_log_(b, 0);
  return (double)b->trials * (b->rate < 0.5 ? dppair_log1p_(-b->rate) : dppair_log_(b->miss));
}

/* A tail is bounded by a geometric series only where that falls at least this fast. */
#define DPPAIR_TAIL_RATIO_ 0.95
/* No search for an end of a law goes farther than this from where it begins. */
#define DPPAIR_BINOMIAL_MOST_ 1000000

/* The first k from `start` on, whose probability is `value`, beyond which at most tail is left;
 * *rest bounds what is. A k beyond start + DPPAIR_BINOMIAL_MOST_: the end is farther. */
DPPAIR_FN_ size_t dppair_binomial_last_(double *rest, const dppair_binomial_ *b, size_t start,
                                        double value, double tail) {
  size_t k;
  for (k = start; k < b->trials; k++) {
    /* the next probability; the later ones fall at least as fast as it does */
    const double ratio = dppair_binomial_up_(b, k);
    *rest = value * ratio / (1.0 - ratio) * (1.0 + 1e-9) + DBL_MIN;
    if ((ratio < DPPAIR_TAIL_RATIO_ && *rest <= tail) || k - start > DPPAIR_BINOMIAL_MOST_)
      return k;
    value *= ratio;
  }
  *rest = 0.0;
  return k;
}

/* The first k from `start` down to 2 before which at most tail is left, *rest bounds it; 1 when
 * there is none. A k below start - DPPAIR_BINOMIAL_MOST_: it is farther. */
DPPAIR_FN_ size_t dppair_binomial_first_(double *rest, const dppair_binomial_ *b, size_t start,
                                         double value, double tail) {
  size_t k;
  for (k = start; k > 1; k--) {
    const double ratio = dppair_binomial_down_(b, k);
    *rest = value * ratio / (1.0 - ratio) * (1.0 + 1e-9);
    if ((ratio < DPPAIR_TAIL_RATIO_ && *rest <= tail) || start - k > DPPAIR_BINOMIAL_MOST_)
      return k;
    value *= ratio;
  }
  *rest = 0.0;
  return 1;
}

/* Pr[> k], rounded up; 0 < rate < 1, k < trials. The sum runs upwards from k + 1 until the rest,
 * which is below a geometric series, is at most 1e-17 of it, and adds that rest. Terms below
 * DBL_MIN lose their digits, so that each of them is computed by itself. */
DPPAIR_FN_ double dppair_binomial_beyond_(const dppair_binomial_ *b, size_t k) {
  double term = dppair_exp_(dppair_binomial_log_(b, k + 1)), sum = 0.0;
  size_t j;
  for (j = k + 1;; j++) {
    const int cut = term < DBL_MIN; /* digits are lost, and the next is not made of it */
    double ratio;
    sum += term;
    if (j >= b->trials) break;
    ratio = dppair_binomial_up_(b, j);
    if (ratio < 1.0 - 1e-9 && term * ratio / (1.0 - ratio) <= 1e-17 * sum) {
      sum += term * ratio / (1.0 - ratio);
      break;
    }
    term *= ratio;
    if (cut || term < DBL_MIN) {
      if (ratio < 0.9) break; /* what is left is below 10 DBL_MIN */
      term = dppair_exp_(dppair_binomial_log_(b, j + 1));
    }
  }
  sum = sum * (1.0 + 1e-10) + 16.0 * DBL_MIN; /* its rounding, and terms that underflow */
  return sum < 1.0 ? sum : 1.0;
}

/* Pr[Bin(n, p) > k], rounded up; 0 <= p <= 1. */
DPPAIR_FN_ double dppair_binomial_tail_(size_t n, double p, size_t k) {
  const dppair_binomial_ b = dppair_binomial_make_(n, p, 1.0 - p);
  if (k >= n || p <= 0.0) return 0.0;
  return p >= 1.0 ? 1.0 : dppair_binomial_beyond_(&b, k);
}

/* ---- src/accountant/mechanisms/table.h ------------------------------------------------------
 * Mechanisms: the one list of them
 *
 * A mechanism is a row of this table and the file mechanisms/NAME.h, whose functions are found by
 * pasting NAME (dispatch.h), so that one that is missing does not compile. A module's row stands
 * here too; its functions are in the module, which declares that it is here before this is read
 * (slots.h). No other chapter reads the kind of a step: it asks these functions.
 * ---------------------------------------------------------------------------------------------- */

/* The columns: kind; NAME; the name in texts; what it reads besides its noise multiplier, the
 * number of steps and the adjacency; what its noise multiplier is; its losses; the relations for
 * which it is proved. New rows are appended, since the check of an account reads the numbers of
 * kinds. */
#define DPPAIR_FIRST_ROWS_(X)                                                                      \
  X(DPPAIR_GAUSSIAN, gaussian, "gaussian", 0, DPPAIR_IS_SCALE_, DPPAIR_GAUSSIAN_LOSS_,             \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_LAPLACE, laplace, "laplace", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)      \
  X(DPPAIR_PURE, pure, "pure", 0, DPPAIR_IS_EPSILON_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)             \
  X(DPPAIR_ZCDP, zcdp, "zcdp", 0, DPPAIR_IS_RHO_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                  \
  X(DPPAIR_SAMPLED_GAUSSIAN, sampled_gaussian, "sampled-gaussian", DPPAIR_READS_SAMPLING_,         \
    DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                                              \
  X(DPPAIR_SAMPLED_PAIRS, sampled_pairs, "sampled-pairs",                                          \
    DPPAIR_READS_SAMPLING_ | DPPAIR_READS_PAIR_RATE_, DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_,          \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_RANDOMISED_RESPONSE, randomised_response, "randomised-response", 0, DPPAIR_IS_EPSILON_, \
    DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
/* Of dppair_l2ball.h. */
#define DPPAIR_L2BALL_ROWS_(X)                                                                     \
  X(DPPAIR_L2BALL, l2ball, "l2-ball", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
/* Of dppair_shares.h. */
#define DPPAIR_SHARES_ROWS_(X)                                                                     \
  X(DPPAIR_SKELLAM, skellam, "skellam", 0, DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_BOTH_)     \
  X(DPPAIR_SAMPLED_SKELLAM, sampled_skellam, "sampled-skellam", DPPAIR_READS_SAMPLING_,            \
    DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_ZEROED_)
#define DPPAIR_OBJECTIVE_ROWS_(X)                                                                  \
  X(DPPAIR_OBJECTIVE, objective, "objective-perturbation", DPPAIR_READS_RIDGE_, DPPAIR_IS_SCALE_,  \
    DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)
/* Of dppair_l2ball.h. */
#define DPPAIR_PURE_OBJECTIVE_ROWS_(X)                                                             \
  X(DPPAIR_PURE_OBJECTIVE, pure_objective, "pure-objective-perturbation", DPPAIR_READS_RIDGE_,     \
    DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)

/* All of them, modules' too: ledgers hold their numbers. */
#define DPPAIR_MECHANISM_TABLE(X)                                                                  \
  DPPAIR_FIRST_ROWS_(X)                                                                            \
  DPPAIR_L2BALL_ROWS_(X)                                                                           \
  DPPAIR_SHARES_ROWS_(X)                                                                           \
  DPPAIR_OBJECTIVE_ROWS_(X)                                                                        \
  DPPAIR_PURE_OBJECTIVE_ROWS_(X)

/* The slot: the rows of the modules that are here. */
#ifdef DPPAIR_WITH_L2BALL
#define DPPAIR_KNOWS_L2BALL_
#define DPPAIR_L2BALL_SLOT_(X) DPPAIR_L2BALL_ROWS_(X) DPPAIR_PURE_OBJECTIVE_ROWS_(X)
#else
#define DPPAIR_L2BALL_SLOT_(X)
#endif
#ifdef DPPAIR_WITH_SHARES
#define DPPAIR_KNOWS_SHARES_
#define DPPAIR_SHARES_SLOT_(X) DPPAIR_SHARES_ROWS_(X)
#else
#define DPPAIR_SHARES_SLOT_(X)
#endif
#define DPPAIR_MECHANISM_SLOT_(X) DPPAIR_L2BALL_SLOT_(X) DPPAIR_SHARES_SLOT_(X)

/* Those whose functions a program has. */
#define DPPAIR_MECHANISMS_HERE_(X)                                                                 \
  DPPAIR_FIRST_ROWS_(X) DPPAIR_OBJECTIVE_ROWS_(X) DPPAIR_MECHANISM_SLOT_(X)

#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) kind,
/* The laws of noise, and of draws beside it, that an account can charge. */
typedef enum dppair_mechanism_kind {
  DPPAIR_NO_MECHANISM_ = 0,
  DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
} dppair_mechanism_kind;
#undef DPPAIR_X_

/* One more than the last kind. */
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) +1
enum { DPPAIR_MECHANISM_COUNT_ = 1 DPPAIR_MECHANISM_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_

/* What a row reads. PAIR_RATE: of Poisson pairs, instead of the sampling's rate. RIDGE: that of a
 * perturbed objective. */
enum { DPPAIR_READS_SAMPLING_ = 1, DPPAIR_READS_PAIR_RATE_ = 2, DPPAIR_READS_RIDGE_ = 4 };

/* What the noise multiplier is: scale / sensitivity, which calibration scales; epsilon; rho. */
enum { DPPAIR_IS_SCALE_ = 1, DPPAIR_IS_EPSILON_ = 2, DPPAIR_IS_RHO_ = 3 };

/* PURE: a loss never exceeds epsilon: dppair_step_loss_. GAUSSIAN: it
 * is a normal variable, and steps compose on the exact curve. WHOLE: its Renyi curve is known at
 * whole orders, and between them by convexity. */
enum {
  DPPAIR_ANY_LOSS_ = 0,
  DPPAIR_PURE_LOSS_ = 1,
  DPPAIR_GAUSSIAN_LOSS_ = 2,
  DPPAIR_WHOLE_LOSS_ = 3
};

/* A bit per move. */
enum {
  DPPAIR_ZEROED_ = (int)DPPAIR_ZERO_OUT,
  DPPAIR_BOTH_ = (int)DPPAIR_REPLACE_ONE | (int)DPPAIR_ZERO_OUT
};

/* A row of the table. */
typedef struct dppair_mechanism_row_ {
  const char *name;
  int reads, multiplier, loss, relations;
} dppair_mechanism_row_;

/* The row of a kind; NULL for what is no kind. */
DPPAIR_FN_ const dppair_mechanism_row_ *dppair_mechanism_row_of_(dppair_mechanism_kind kind) {
  static const dppair_mechanism_row_ row[] = {{"none", 0, 0, 0, 0},
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  {text, reads, multiplier, loss, relations},
                                              DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (int)kind > 0 && (int)kind < DPPAIR_MECHANISM_COUNT_ ? &row[kind] : NULL;
}

/* The name that texts use; "none" for 0 and for what is no such kind. A static string. */
DPPAIR_API const char *dppair_mechanism_name(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL ? row->name : "none";
}

/* MODULE: a mechanism whose functions are in a module that is not here. */
DPPAIR_FN_ dppair_status dppair_mechanism_known_(dppair_mechanism_kind kind) {
  int here = 0;
#define DPPAIR_X_(row, name, text, reads, multiplier, loss, relations) here |= kind == row;
  DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  return here || dppair_mechanism_row_of_(kind) == NULL ? DPPAIR_OK : DPPAIR_ERR_MODULE;
}

/* 1 when the noise multiplier is a noise scale over a sensitivity: calibration scales it, and a
 * ledger may record both. */
DPPAIR_FN_ int dppair_mechanism_scales_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->multiplier == DPPAIR_IS_SCALE_;
}

/* 1 when losses never exceed an epsilon: dppair_step_loss_. */
DPPAIR_FN_ int dppair_mechanism_is_pure_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_PURE_LOSS_;
}

/* 1 for plain Gaussian noise. */
DPPAIR_FN_ int dppair_mechanism_is_gaussian_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_GAUSSIAN_LOSS_;
}

/* 1 where orders between whole ones cost more. */
DPPAIR_FN_ int dppair_mechanism_is_whole_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_WHOLE_LOSS_;
}

/* 1 when the step draws records or pairs. */
DPPAIR_FN_ int dppair_mechanism_is_sampled_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_READS_SAMPLING_) != 0;
}

/* 1 for a perturbed objective, whose noise is part of what is minimised. */
DPPAIR_FN_ int dppair_mechanism_is_objective_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_READS_RIDGE_) != 0;
}

/* The kind of the plain noise that is added to the minimiser of an objective that is perturbed by
 * this law; 0 for other laws. */
DPPAIR_FN_ dppair_mechanism_kind dppair_mechanism_of_trace_(dppair_mechanism_kind law) {
  if (!dppair_mechanism_is_objective_(law)) return DPPAIR_NO_MECHANISM_;
  return dppair_mechanism_is_pure_(law) ? DPPAIR_L2BALL : DPPAIR_GAUSSIAN;
}

/* The kind of releases with noise of this law (0: Gaussian), which draw records or do not; 0 where
 * no proof covers both. */
DPPAIR_FN_ dppair_mechanism_kind dppair_mechanism_of_law_(dppair_mechanism_kind law, int drawn) {
  if (law == 0) law = DPPAIR_GAUSSIAN;
  if (drawn && law == DPPAIR_SKELLAM) return DPPAIR_SAMPLED_SKELLAM;
  if (drawn)
    return dppair_mechanism_is_gaussian_(law) ? DPPAIR_SAMPLED_GAUSSIAN : DPPAIR_NO_MECHANISM_;
  return dppair_mechanism_scales_(law) && !dppair_mechanism_is_sampled_(law) ? law
                                                                             : DPPAIR_NO_MECHANISM_;
}

/* ---- src/accountant/mechanisms/steps.h ------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 *
 * What every route of the accountant reads. A step is refused when a parameter is out of range, but
 * also when a field that it reads is missing or one that it does not read is set: both are signs of
 * a mistake that would make the step look cheaper than it is. Relies on mechanisms/table.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * noise_multiplier:
 *   DPPAIR_GAUSSIAN             sigma / sensitivity
 *   DPPAIR_LAPLACE              scale / l1 sensitivity
 *   DPPAIR_L2BALL               scale / l2 sensitivity; noise of density exp(-|z|_2/scale):
 *                               dppair_l2ball.h
 *   DPPAIR_PURE                 epsilon of any epsilon-private mechanism
 *   DPPAIR_RANDOMISED_RESPONSE  epsilon; two answers
 *   DPPAIR_ZCDP                 rho
 *   DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE
 *                               scale of the linear term's noise / (steepest slope times radius);
 *                               both read ridge as well (mechanisms/objective.h)
 *   DPPAIR_SKELLAM, DPPAIR_SAMPLED_SKELLAM, of dppair_shares.h
 *                               dppair_skellam_sigma of the noise's variance / l2 sensitivity of
 *                               the integers; sampled: by Poisson records, over the move of a
 *                               zeroed one
 * For DPPAIR_SAMPLED_GAUSSIAN and DPPAIR_SAMPLED_PAIRS it is sigma divided by
 *   Poisson records             the move when one record is added or zeroed (both adjacencies:
 *                               replace-one is the pair of mixtures towards +1 and -1)
 *   allocated records           the same: when one record is absent from the allocation. `steps`
 *                               counts batches, and an epoch that was begun counts whole
 *   without replacement, with replacement, matching
 *                               the replace-one sensitivity of the batch statistic (one slot).
 *                               With `owned` (without replacement alone) the same: the account
 *                               counts j drawn records of a user as T(m, j)/(m-1) of one, which
 *                               is how far pairs of two classes move (dppair_sampling_far_). For
 *                               other pairs pass dppair_sensitivity; for a sum of
 *                               vectors, one of each record, twice the move of one is enough
 *   sampled pairs               the clip of one pair's vector; of one group's, where groups of more
 *                               than two are drawn
 * pair_rate is the probability of each unordered pair and is read for Poisson pairs only, which
 * read n besides and nothing else; elsewhere it is 0. steps >= 1. Steps without sampling read of
 * `sampling` only the adjacency, which may be 0. ridge is read for perturbed objectives only, and
 * elsewhere 0.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
  double ridge; /* ridge / (top curvature times radius^2) of a perturbed objective */
} dppair_step;

DPPAIR_FN_ int dppair_step_is_sampled_(const dppair_step *step) {
  return dppair_mechanism_is_sampled_(step->kind);
}

/* The fields that texts of a step hold besides its noise multiplier and the number of steps. */
enum {
  DPPAIR_FIELD_SAMPLING_ = 1,
  DPPAIR_FIELD_Q_ = 2,
  DPPAIR_FIELD_N_ = 4,
  DPPAIR_FIELD_M_ = 8,
  DPPAIR_FIELD_PAIR_RATE_ = 16,
  DPPAIR_FIELD_BATCHES_ = 32,
  DPPAIR_FIELD_GROUP_ = 64,
  DPPAIR_FIELD_OWNED_ = 128, /* where users are protected and records are drawn */
  DPPAIR_FIELD_RIDGE_ = 256
};

/* The fields that this step reads, by its kind and the kind of its sampling: all others are 0. */
DPPAIR_FN_ int dppair_step_fields_(const dppair_step *step) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(step->kind);
  const dppair_sampling_row_ *sampling = dppair_sampling_row_of_(step->sampling.kind);
  int fields = DPPAIR_FIELD_SAMPLING_;
  if (row != NULL && (row->reads & DPPAIR_READS_RIDGE_)) return DPPAIR_FIELD_RIDGE_;
  if (row == NULL || sampling == NULL || !(row->reads & DPPAIR_READS_SAMPLING_)) return 0;
  if ((row->reads & DPPAIR_READS_PAIR_RATE_) && step->sampling.kind == DPPAIR_POISSON)
    return fields | DPPAIR_FIELD_N_ | DPPAIR_FIELD_PAIR_RATE_;
  if (sampling->reads & DPPAIR_READS_GROUPS_) fields |= DPPAIR_FIELD_GROUP_;
  if (sampling->reads & DPPAIR_READS_BATCHES_)
    fields |= DPPAIR_FIELD_BATCHES_ | DPPAIR_FIELD_GROUP_;
  if ((sampling->reads & DPPAIR_READS_OWNED_) &&
      dppair_adjacency_unit_(step->sampling.adjacency) == DPPAIR_OF_USERS_)
    fields |= DPPAIR_FIELD_OWNED_;
  if (sampling->reads & DPPAIR_READS_RATE_)
    return fields | DPPAIR_FIELD_Q_ | DPPAIR_FIELD_N_ | DPPAIR_FIELD_M_;
  if (sampling->reads & DPPAIR_READS_N_) fields |= DPPAIR_FIELD_N_;
  if (sampling->reads & DPPAIR_READS_M_) fields |= DPPAIR_FIELD_M_;
  return fields;
}

/* How often the law of a step runs: where batches make epochs it is one epoch of 1 of batches/group
 * batches, and an epoch that was begun counts whole. */
DPPAIR_FN_ size_t dppair_step_runs_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  size_t epochs;
  if (!dppair_sampling_has_epochs_(s)) return step->steps;
  epochs = step->steps / s->batches + (step->steps % s->batches > 0 ? 1u : 0u);
  return epochs > SIZE_MAX / s->group ? SIZE_MAX : epochs * s->group;
}

/* How often its steepest slope times its radius the gradient of an objective moves: twice where a
 * record is replaced, or where nobody says what happens to it. */
DPPAIR_FN_ double dppair_step_moves_(const dppair_step *step) {
  return dppair_adjacency_move_(step->sampling.adjacency) == DPPAIR_ZERO_OUT ? 1.0 : 2.0;
}

/* What one run adds to every loss of its law, rounded up: the determinants of an objective, log(1 +
 * 1/ridge). 0 elsewhere. */
DPPAIR_FN_ double dppair_step_surplus_(const dppair_step *step) {
  if (!dppair_mechanism_is_objective_(step->kind)) return 0.0;
  return dppair_up_(dppair_up_(dppair_log1p_(dppair_up_(1.0 / step->ridge))));
}

/* The largest loss of one run, to nearest; 0 where there is none. */
DPPAIR_FN_ double dppair_step_loss_(const dppair_step *step) {
  if (!dppair_mechanism_is_pure_(step->kind)) return 0.0;
  if (dppair_mechanism_is_objective_(step->kind))
    return dppair_step_moves_(step) / step->noise_multiplier + dppair_step_surplus_(step);
  return dppair_mechanism_scales_(step->kind) ? 1.0 / step->noise_multiplier
                                              : step->noise_multiplier;
}

/* The pure epsilon of one run, rounded up; infinite where there is none. */
DPPAIR_FN_ double dppair_step_pure_(const dppair_step *step) {
  const double noise = step->noise_multiplier, e = dppair_step_loss_(step);
  if (!dppair_mechanism_is_pure_(step->kind)) return HUGE_VAL;
  if (!dppair_mechanism_scales_(step->kind)) return e;
  if (dppair_mechanism_is_objective_(step->kind)) return dppair_up_(e);
  return e * noise != 1.0 || dppair_product_error_(e, noise, 1.0) != 0.0 ? dppair_up_(e) : e;
}

/* Whether a pair of data sets attains the laws by which a step is charged, so that a lower bound
 * for the laws is one for the mechanism: never; by a single run alone; always. */
enum { DPPAIR_ATTAINED_NEVER_ = 0, DPPAIR_ATTAINED_ONCE_ = 1, DPPAIR_ATTAINED_ALWAYS_ = 2 };

/* What one run of a step adds to an account. At most one of mu, rho and pure is above 0; where mu
 * and rho are 0, the step itself is kept. */
typedef struct dppair_charge_ {
  double mu;    /* > 0: a plain Gaussian step with sensitivity / sigma = mu, rounded up */
  double rho;   /* > 0: zCDP */
  double pure;  /* > 0: no loss exceeds this epsilon, rounded up */
  int attained; /* DPPAIR_ATTAINED_... */
} dppair_charge_;

/* The check of a step without sampling, whose multiplier is refused by `status`: nothing but the
 * adjacency may be set in its sampling. A pure or zCDP step that costs 0 is one whose cost was
 * forgotten. */
DPPAIR_FN_ dppair_status dppair_plain_check_(const dppair_step *step, dppair_status status) {
  const dppair_sampling *s = &step->sampling;
  if (!(step->noise_multiplier > 0.0)) return status;
  return s->kind == DPPAIR_ALL && s->q == 0.0 && s->n == 0 && s->m == 0 && s->batches == 0 &&
                 s->group == 0 && s->owned == 0 && step->pair_rate == 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_UNREAD;
}

/* ---- src/accountant/mechanisms/slots.h ------------------------------------------------------
 * Mechanisms whose functions a module has
 *
 * Their rows are those of DPPAIR_MECHANISM_SLOT_ (table.h). The module defines the functions that
 * are declared here: those that dispatch.h explains, and the noise that a release adds. Without the
 * module its kinds are refused.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_renyi_;
struct dppair_law_;
struct dppair_rng;

#define DPPAIR_MECHANISM_X_(kind, name, text, reads, multiplier, loss, relations)                  \
  DPPAIR_FN_ dppair_status dppair_##name##_check_(const dppair_step *step);                        \
  DPPAIR_FN_ void dppair_##name##_charge_(dppair_charge_ *charge, const dppair_step *step);        \
  DPPAIR_FN_ dppair_status dppair_##name##_renyi_(struct dppair_renyi_ *r,                         \
                                                  const dppair_step *step);                        \
  DPPAIR_FN_ dppair_status dppair_##name##_law_(struct dppair_law_ *law, const dppair_step *step,  \
                                                double tail);
DPPAIR_MECHANISM_SLOT_(DPPAIR_MECHANISM_X_)
#undef DPPAIR_MECHANISM_X_

/* The slot: X(law, NAME) for each law of a module whose noise a release adds to a vector. */
#ifdef DPPAIR_KNOWS_L2BALL_
#define DPPAIR_NOISE_SLOT_(X) X(DPPAIR_L2BALL, l2ball)
#else
#define DPPAIR_NOISE_SLOT_(X)
#endif

/* Adds noise of this scale, and rounds as dppair_add_gaussian_f64_grid does. */
#define DPPAIR_NOISE_X_(kind, name)                                                                \
  DPPAIR_FN_ dppair_status dppair_##name##_noise_(double *v, size_t n, double scale,               \
                                                  int log2_ratio, struct dppair_rng *rng);
DPPAIR_NOISE_SLOT_(DPPAIR_NOISE_X_)
#undef DPPAIR_NOISE_X_

/* ---- src/accountant/mechanisms/draws.h ------------------------------------------------------
 * Draws whose law a module has
 *
 * The kinds of modules have their rows in core/sampling.h, whose numbers ledgers hold. What such a
 * draw costs is in the module alone: it defines its macro, includes this header, and then defines
 * the functions that are declared here. Without the module its kind is refused.
 * ---------------------------------------------------------------------------------------------- */

/* The slot: X(kind, NAME) for each draw of a module that is here. */
#ifdef DPPAIR_WITH_ALLOCATION
#define DPPAIR_KNOWS_ALLOCATION_
#define DPPAIR_DRAW_SLOT_(X) X(DPPAIR_ALLOCATION, allocation)
#else
#define DPPAIR_DRAW_SLOT_(X)
#endif

struct dppair_renyi_;
struct dppair_law_;
struct dppair_rng;

/* Of Gaussian noise on the records of such a draw: what dispatch.h says of a mechanism; and the
 * batch of one step, as dppair_draw gives it. */
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  DPPAIR_FN_ dppair_status dppair_##name##_check_(const dppair_step *step);                        \
  DPPAIR_FN_ void dppair_##name##_charge_(dppair_charge_ *charge, const dppair_step *step);        \
  DPPAIR_FN_ dppair_status dppair_##name##_renyi_(struct dppair_renyi_ *r,                         \
                                                  const dppair_step *step);                        \
  DPPAIR_FN_ dppair_status dppair_##name##_law_(struct dppair_law_ *law, const dppair_step *step,  \
                                                double tail);                                      \
  DPPAIR_RARE_ dppair_status dppair_##name##_batch_(size_t *index, size_t *count, size_t capacity, \
                                                    const dppair_sampling *sampling, size_t step,  \
                                                    const struct dppair_rng *rng);
DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_

/* Is this the draw of a module that is here? */
DPPAIR_FN_ int dppair_draw_is_slotted_(dppair_sampling_kind kind) {
  int here = 0;
#define DPPAIR_DRAW_X_(row, name) here |= kind == row;
  DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  (void)kind;
  return here;
}

/* MODULE: the draw of a module that is not here. */
DPPAIR_FN_ dppair_status dppair_draw_known_(dppair_sampling_kind kind) {
  return dppair_sampling_is_of_module_(kind) && !dppair_draw_is_slotted_(kind) ? DPPAIR_ERR_MODULE
                                                                               : DPPAIR_OK;
}

/* ---- src/accountant/budgets/plan.h ----------------------------------------------------------
 * A plan: so many releases of one kind, within one budget
 *
 * What dppair_calibrate (calibrate.h) finds the noise of, and what a release is opened with. Relies
 * on steps.h.
 * ---------------------------------------------------------------------------------------------- */

/* Stores one line of `length` characters, which has no terminator. OK: the line is stored, and a
 * crash would not lose it. */
typedef dppair_status (*dppair_ledger_sink)(const char *line, size_t length, void *context);

struct dppair_accountant;
struct dppair_ledger_entry;

/* Where the lines of a plan go; dppair_ledger_to makes one. It carries what writes them, so that
 * programs without a ledger do not hold it. All 0: no ledger. */
typedef struct dppair_ledger {
  dppair_status (*step)(struct dppair_accountant *a, const struct dppair_ledger_entry *entry,
                        dppair_ledger_sink sink, void *context); /* dppair_ledger_step */
  dppair_ledger_sink sink;
  void *context; /* of the sink */
} dppair_ledger;

/* All zero, and then what is asked for. Fields that stay 0 (NULL) are not asked for. */
typedef struct dppair_plan {
  double epsilon, delta;    /* the account is to end within these, the plan's steps included */
  size_t steps;             /* releases, >= 1 */
  dppair_sampling sampling; /* who the neighbours are, and how each release draws its records */
  dppair_mechanism_kind
      noise;               /* of the noise: 0 or DPPAIR_GAUSSIAN; without a draw DPPAIR_LAPLACE or
                                DPPAIR_L2BALL too, and for dppair_release_minimiser
                                DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE (L2BALL and PURE_OBJECTIVE
                                are of dppair_l2ball.h); for dppair_release_share, of
                                dppair_shares.h, DPPAIR_SKELLAM, all or Poisson samples */
  double ridge;            /* of the two: as in dppair_step, > 0 */
  double output_mu;        /* of the two: mu (pure: epsilon) > 0 of the output noise of each
                                release, which hides how far it is from the minimiser. Charged as
                                plain noise, on a line of its own before the plan's */
  double failure;          /* probability, within delta, that tests of the plan's releases may
                                pass wrongly (dppair_evaluate_partial_auc), failure/steps each */
  double noise_multiplier; /* noise scale over sensitivity, as in dppair_step; 0: to be found */
  dppair_ledger ledger;    /* where the plan's line goes before it is charged */
  uint64_t check;          /* dppair_calibrate's: what noise_multiplier was found for */
} dppair_plan;

/* The step that the plan runs plan->steps times, at its noise multiplier. Errors: those of a
 * sampling that is not whole (sampling.h); LAW: a law that is not known for this draw.
 * dppair_step_check_ checks the rest. */
DPPAIR_FN_ dppair_status dppair_plan_step_(dppair_step *step, const dppair_plan *plan) {
  const int drawn = plan->sampling.kind != DPPAIR_ALL;
  dppair_status status = dppair_sampling_check_(&plan->sampling);
  memset(step, 0, sizeof *step);
  if (status == DPPAIR_OK) status = dppair_draw_known_(plan->sampling.kind);
  if (status != DPPAIR_OK) return status;
  step->kind = dppair_mechanism_of_law_(plan->noise, drawn);
  if (step->kind == DPPAIR_NO_MECHANISM_) return DPPAIR_ERR_LAW;
  status = dppair_mechanism_known_(step->kind);
  if (status != DPPAIR_OK) return status;
  if (drawn) step->sampling = plan->sampling;
  step->sampling.adjacency = plan->sampling.adjacency;
  step->noise_multiplier = plan->noise_multiplier;
  step->steps = plan->steps;
  step->ridge = plan->ridge;
  return DPPAIR_OK;
}

/* The step of that output noise. Errors: DOMAIN, none is given; UNREAD, it is and is not read. */
DPPAIR_FN_ dppair_status dppair_plan_trace_(dppair_step *step, const dppair_plan *plan) {
  memset(step, 0, sizeof *step);
  if (!dppair_isfinite_f64(plan->output_mu)) return DPPAIR_ERR_NOT_FINITE;
  step->kind = dppair_mechanism_of_trace_(plan->noise);
  if (step->kind == DPPAIR_NO_MECHANISM_)
    return plan->output_mu != 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  if (!(plan->output_mu >= 1e-100 && plan->output_mu <= 1e100)) return DPPAIR_ERR_DOMAIN;
  step->noise_multiplier = dppair_down_(1.0 / plan->output_mu);
  step->steps = plan->steps;
  step->sampling.adjacency = plan->sampling.adjacency;
  return DPPAIR_OK;
}

/* ---- src/accountant/sensitivity/sensitivity.h -----------------------------------------------
 * Sensitivities by hand
 *
 * A sensitivity is the largest l2 distance between the values of a statistic on two neighbouring
 * data sets. Each bound here has its proof. n, the number of records, is public. Relies on steps.h.
 *
 * Which function? If an instance of dppair.h computes the gradient, use NAME_sensitivity: it knows
 * the loss, the batch, the clip and all rounding. If your own code sums over pairs, use
 * dppair_sensitivity (pairs.h). The others are for statistics of another form: metrics, means that
 * are clipped for each record, queries, groups, items with several owners.
 *
 * A bound of a pair's gradient must hold at every point where a gradient is evaluated. Noisy
 * iterates leave a ball unless they are projected back, so a bound that holds on a ball only needs
 * the projection, or a clip per pair. Logistic and hinge slopes are bounded everywhere. The
 * regulariser is the same on both data sets and cancels.
 *
 * A computed gradient differs from the exact one by rounding: add twice its certified error to the
 * sensitivity of the release. Results here are rounded up. Arguments are 0 or in [1e-90, 1e90].
 * Errors of all functions: NULL, NOT_FINITE, DOMAIN (an argument), SIZE (n < 2), ADJACENCY,
 * OVERFLOW, ENVIRONMENT.
 *
 * Sums over (positive, negative) pairs alone are divided by n(n-1) too. Divided by n+ n-, with
 * private labels, they have no bound that shrinks with n: with one positive, replacing it changes
 * every pair.
 * ---------------------------------------------------------------------------------------------- */

/* *out = value rounded up, where value is a few roundings to nearest away from its formula. */
DPPAIR_FN_ dppair_status dppair_sensitivity_store_(double *out, double value) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  value *= 1.0 + 2e-15;
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  *out = value;
  return DPPAIR_OK;
}

/* Is x 0 or in [1e-90, 1e90]? Products of a few such numbers stay normal, so that a relative slack
 * rounds them up; with smaller ones a product would be 0 or lose its digits. */
DPPAIR_FN_ int dppair_ordinary_(double x) { return !(x > 0.0) || (x >= 1e-90 && x <= 1e90); }

/* Are a, b and c finite, >= 0 and ordinary, and is n >= 2? Zeroes *out. */
DPPAIR_FN_ dppair_status dppair_sensitivity_args_(double *out, size_t n, double a, double b,
                                                  double c) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c))
    return DPPAIR_ERR_NOT_FINITE;
  if (a < 0.0 || b < 0.0 || c < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_ordinary_(a) || !dppair_ordinary_(b) || !dppair_ordinary_(c))
    return DPPAIR_ERR_DOMAIN;
  return n < 2 ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/*
 * Gradient (in W, Frobenius norm) of the metric-learning risk with margin yy'(1 - M_W(x, x')),
 * normalised by n(n-1), rows ||x|| <= radius, V = 4 radius^2; phi convex and non-increasing, or the
 * square. slope_same and slope_opposite bound |phi'| over the margins that pairs of equal and of
 * opposite labels reach: |phi'(1 - V B)| and |phi'(-1)| for positive semidefinite ||W|| <= B,
 * |phi'(1 - V B)| and |phi'(-1 - V B)| for symmetric W. The margins are those that are computed, so
 * both ends need room (float: 2^-10 of the largest; a projected W has eigenvalues just below 0),
 * and where phi' jumps at an end, both sides count; dppair_constants_find does this.
 *
 *   replaced  2 V (slope_same + slope_opposite)/n
 *   zeroed    2 V max(slope_same, slope_opposite)/n
 *
 * Proof: with the partner fixed, equal labels give +a v v^T and opposite ones -b w w^T, and two
 * members of one family differ by at most V sup slope (||a v v^T - b w w^T||_F <= s V for v, w in
 * B(-x',R)).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_metric(double *sensitivity, double radius, double slope_same,
                          double slope_opposite, size_t n, dppair_adjacency adjacency) {
  const double v = 4.0 * radius * radius;
  double move;
  dppair_status status =
      dppair_sensitivity_args_(sensitivity, n, radius, slope_same, slope_opposite);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  move = adjacency == DPPAIR_REPLACE_ONE
             ? slope_same + slope_opposite
             : (slope_same > slope_opposite ? slope_same : slope_opposite);
  return dppair_sensitivity_store_(sensitivity, 2.0 * v * move / (double)n);
}

/*
 * (1/n) sum_i clip_R( mean over j of g_ij ), each ||g_ij|| <= C = pair_clip. Replacing a record
 * moves its own term by 2R and every other one by min(2R, 2C/(n-1)), so [2R + (n-1) min(2R,
 * 2C/(n-1))]/n; zeroing one moves them by R and min(2R, C/(n-1)), as a clipped term can still turn
 * around. pair_clip = 0 means unclipped pairs: then the other n-1 terms move by 2R each, and the
 * bound does not shrink with n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_record_clip(double *sensitivity, double record_clip, double pair_clip, size_t n,
                               dppair_adjacency adjacency) {
  const double times = adjacency == DPPAIR_REPLACE_ONE ? 2.0 : 1.0;
  double other = 2.0 * record_clip, touched;
  dppair_status status = dppair_sensitivity_args_(sensitivity, n, record_clip, pair_clip, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  touched = times * pair_clip / (double)(n - 1);
  if (pair_clip > 0.0 && touched < other) other = touched;
  return dppair_sensitivity_store_(sensitivity,
                                   (times * record_clip + (double)(n - 1) * other) / (double)n);
}

/* ---- src/accountant/sensitivity/pairs.h -----------------------------------------------------
 * The sensitivity of a sum over pairs
 *
 * dppair_sensitivity: from what is known of one pair and from the sampling of the step, which says
 * who the neighbours are and how records are drawn. Relies on sensitivity.h.
 *
 * Not private, whatever the noise: a number of records per user that is found in the data and
 * then used as the bound; weights that depend on what others own; divisors that do.
 * ---------------------------------------------------------------------------------------------- */

/* What is known of the totals of a record with its partners. A total is the gradient of one
 * unordered pair: both orders added up. */
typedef enum dppair_levels {
  DPPAIR_LEVELS_TWO = 1,     /* ranking losses with two label levels: phi(w.(x - x')) 1[y > y']
                                ('ind'), phi(sign(y - y') w.(x - x')) ('sign'), phi((y - y')
                                w.(x - x')) ('diff') */
  DPPAIR_LEVELS_GENERAL = 2, /* any loss of a linear margin: three label levels or more, the pinball
                                of y - y' - w.(x - x') */
  DPPAIR_LEVELS_ANY = 3,     /* any loss: metrics, networks, similarities, a clip alone */
  DPPAIR_LEVELS_REAL = 4     /* 'diff' with real labels; the square of y - y' - w.(x - x') */
} dppair_levels;

/* One pair of records, as dppair_sensitivity reads it. Unused fields are 0. */
typedef struct dppair_pair_unit {
  dppair_levels levels;
  double unit;  /* u: the largest norm of a total; HUGE_VAL: only a clip bounds it */
  double clip;  /* C: totals are clipped to this norm; 0: not */
  double block; /* users are drawn: the weighted total of two of them has at most this norm;
                     0: not clipped */
  double
      matched; /* > 0: a batch of a random size (POISSON, ALLOCATION) is put into pairs at random,
                     and the sum of their totals is divided by this constant */
  int classes; /* users are drawn: 1: a user's positives and his negatives have weights of
                     their own, each summing to 1 */
} dppair_pair_unit;

/* Of a total: its norm, and how far it moves when one of its records is replaced. Two levels and
 * real labels: the totals with one partner lie in a convex set of diameter u that contains 0 (the
 * proof of dppair_sensitivity), and clipping keeps them in it. */
DPPAIR_FN_ double dppair_pair_norm_(const dppair_pair_unit *p) {
  return p->clip > 0.0 && p->clip < p->unit ? p->clip : p->unit;
}

DPPAIR_FN_ double dppair_pair_move_(const dppair_pair_unit *p) {
  const double twice = 2.0 * dppair_pair_norm_(p);
  const int convex = p->levels == DPPAIR_LEVELS_TWO || p->levels == DPPAIR_LEVELS_REAL;
  return convex && p->unit < twice ? p->unit : twice;
}

/* Zeroes *out, and checks the numbers of a pair; which of its fields are read is not asked. */
DPPAIR_FN_ dppair_status dppair_pair_numbers_(double *out, const dppair_pair_unit *p) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (p == NULL) return DPPAIR_ERR_NULL;
  if ((!(p->unit >= HUGE_VAL) && !dppair_isfinite_f64(p->unit)) || !dppair_isfinite_f64(p->clip) ||
      !dppair_isfinite_f64(p->block) || !dppair_isfinite_f64(p->matched))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(p->unit >= 0.0 && p->clip >= 0.0 && p->block >= 0.0 && p->matched >= 0.0))
    return DPPAIR_ERR_DOMAIN;
  if ((p->unit < HUGE_VAL && !dppair_ordinary_(p->unit)) || !dppair_ordinary_(p->clip) ||
      !dppair_ordinary_(p->block) || !dppair_ordinary_(p->matched))
    return DPPAIR_ERR_DOMAIN;
  return (int)p->levels < DPPAIR_LEVELS_TWO || (int)p->levels > DPPAIR_LEVELS_REAL ||
                 (p->classes != 0 && p->classes != 1)
             ? DPPAIR_ERR_DOMAIN
             : DPPAIR_OK;
}

/* The same. weighted: blocks and classes are read. UNREAD: a field that is not; NO_PROOF: nothing
 * bounds a total. */
DPPAIR_FN_ dppair_status dppair_pair_check_(double *out, const dppair_pair_unit *p, int weighted) {
  const dppair_status status = dppair_pair_numbers_(out, p);
  if (status != DPPAIR_OK) return status;
  if (!weighted && (p->block > 0.0 || p->classes != 0)) return DPPAIR_ERR_UNREAD;
  if (p->unit >= HUGE_VAL && !(p->clip > 0.0) && !(p->block > 0.0)) return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* Is this a relation that protects `unit`? */
DPPAIR_FN_ dppair_status dppair_adjacency_of_(dppair_adjacency adjacency, int unit) {
  const dppair_status status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  return dppair_adjacency_unit_(adjacency) == unit ? DPPAIR_OK : DPPAIR_ERR_ADJACENCY;
}

/* j (n - j): pairs that a cut of j of n places separates. Doubles, since squares of sizes overflow
 * integers; exact below 2^26, else within 3 roundings. */
DPPAIR_FN_ double dppair_cut_(size_t n, size_t j) { return (double)j * (double)(n - j); }

/* T(n, k) = q (n - q) + floor(k^2/4), q = min(k, floor(n/2)), k <= n. */
DPPAIR_FN_ double dppair_owned_(size_t n, size_t k) {
  return dppair_cut_(n, k < n / 2 ? k : n / 2) + dppair_cut_(k, k / 2);
}

/* max over 0 <= q <= k of D (n-k) q + c (q (k-q) + max over r <= q of r (k-r)), c <= D <= 2c: T(n,
 * k) c where D = c. Concave in q with its top at k/2 + D (n-k)/(2c) >= n/2, or at k. */
DPPAIR_FN_ double dppair_owned_clipped_(double norm, double move, size_t n, size_t k) {
  double top, best = 0.0;
  size_t q = k, i;
  if (!(norm > 0.0)) return 0.0;
  top = 0.5 * (double)k + 0.5 * move / norm * (double)(n - k);
  if (top < (double)k) q = (size_t)top + 2 < k ? (size_t)top + 2 : k;
  for (i = 0; i < 4; i++) {
    const double inside = dppair_cut_(k, q) + dppair_cut_(k, q < k / 2 ? q : k / 2);
    const double value = move * (double)(n - k) * (double)q + norm * inside;
    if (value > best) best = value;
    if (q == 0) break;
    q--;
  }
  return best;
}

/*
 * How far the sum over all pairs of n records moves with k of them, k <= n, c = min(C, u) being the
 * norm of a total and D its move (min(2C, u) for two levels):
 *
 *                    zeroed                                    replaced
 *   two levels       c cut(n, k)                               dppair_owned_clipped_: u T(n, k)
 *   linear margin    min(u cut(n, k), C k (2n-k-1)/2)          twice that (real labels too)
 *   any loss         c k (2n-k-1)/2                            twice that
 *
 * cut(n, k) = q (n-q), q = min(k, floor(n/2)). Attained without a clip; two levels with one,
 * replaced, but for c k^2/4. Proof. k (2n-k-1)/2 pairs touch the records. Linear margin, along a
 * unit vector e: a total is at most u |t - t'|/2, t = x.e/R in
 * [-1, 1]; the sum over touched pairs is convex in each t, so each is +-1, and opposite ones count:
 * a cut of which one side is among the k. A clipped total has no such form but for two levels,
 * where opposite labels count in place of opposite places.
 * Two levels, replaced: let P and P' of the k be positive before and after, and a positives and b
 * negatives be among the others. A negative outside moves by at most D max(P, P'), a positive by
 * D max(k-P, k-P'); pairs inside sum to at most c (P (k-P) + P' (k-P')). Let P >= P'. The bound is
 * linear in a = n - k - b, hence largest at an end: at a = 0 q = P and r = P', at b = 0 q = k - P'
 * and r = k - P, of the stated form.
 */
DPPAIR_FN_ double dppair_owned_pairs_(const dppair_pair_unit *p, size_t n, size_t k, int replaced) {
  const double norm = dppair_pair_norm_(p), cut = dppair_cut_(n, k < n / 2 ? k : n / 2);
  const double touched = 0.5 * (double)k * ((double)(n - k) + (double)(n - 1));
  double value = norm * touched;
  if (p->levels == DPPAIR_LEVELS_TWO)
    return replaced ? dppair_owned_clipped_(norm, dppair_pair_move_(p), n, k) : norm * cut;
  if (p->levels != DPPAIR_LEVELS_ANY) {
    value = p->unit * cut;
    if (p->clip > 0.0 && p->clip * touched < value) value = p->clip * touched;
  }
  return replaced ? 2.0 * value : value;
}

/* All pairs of n records of which one user owns at most s->owned; of a batch of m of them. */
DPPAIR_FN_ dppair_status dppair_sensitivity_owned_(double *sensitivity,
                                                   const dppair_pair_unit *pair,
                                                   const dppair_sampling *s) {
  const int replaced = dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE;
  dppair_status status;
  double value;
  if (s->kind == DPPAIR_ALL) {
    if (s->owned > s->n) return DPPAIR_ERR_SIZE;
    value = dppair_owned_pairs_(pair, s->n, s->owned, replaced);
    return dppair_sensitivity_store_(sensitivity, value / (double)s->n / (double)(s->n - 1));
  }
  status = dppair_sampling_owned_(s);
  if (status != DPPAIR_OK) return status;
  value =
      pair->levels == DPPAIR_LEVELS_TWO ? dppair_pair_move_(pair) : 2.0 * dppair_pair_norm_(pair);
  if (pair->levels != DPPAIR_LEVELS_TWO) value *= dppair_sampling_far_(s);
  if (pair->levels != DPPAIR_LEVELS_TWO && pair->levels != DPPAIR_LEVELS_ANY &&
      2.0 * pair->unit < value)
    value = 2.0 * pair->unit;
  return dppair_sensitivity_store_(sensitivity, value / (double)s->m);
}

/* All pairs of the units that are drawn, records or users. */
DPPAIR_FN_ dppair_status dppair_sensitivity_units_(double *sensitivity,
                                                   const dppair_pair_unit *pair,
                                                   const dppair_sampling *s) {
  const int zeroed = dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT;
  const double sums = pair->classes ? 2.0 : 1.0;
  double norm = sums * dppair_pair_norm_(pair), move = sums * dppair_pair_move_(pair);
  double joined = pair->levels == DPPAIR_LEVELS_TWO && !pair->classes ? norm : 1.5 * norm;
  if (s->m == 1 && s->kind != DPPAIR_POISSON) return DPPAIR_ERR_SIZE;
  if (pair->classes && pair->levels != DPPAIR_LEVELS_TWO) return DPPAIR_ERR_NO_PROOF;
  if (pair->levels != DPPAIR_LEVELS_TWO && pair->levels != DPPAIR_LEVELS_ANY && pair->unit < joined)
    joined = pair->unit;
  if (pair->block > 0.0) {
    if (pair->block < norm) norm = pair->block;
    if (2.0 * pair->block < move) move = 2.0 * pair->block;
    if (1.5 * pair->block < joined) joined = 1.5 * pair->block;
  }
  switch (s->kind) {
  case DPPAIR_ALL:
    if (zeroed) move = norm;
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    if (zeroed) return DPPAIR_ERR_ADJACENCY;
    break;
  case DPPAIR_POISSON:
  case DPPAIR_ALLOCATION:
    move = joined;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, move / dppair_sampling_expected_(s));
}

/* Disjoint pairs: a matching, or a batch of a random size that is matched. */
DPPAIR_FN_ dppair_status dppair_sensitivity_matched_(double *sensitivity,
                                                     const dppair_pair_unit *pair,
                                                     const dppair_sampling *s) {
  const double move = dppair_pair_move_(pair);
  if (pair->matched > 0.0)
    return dppair_sampling_is_random_(s->kind)
               ? dppair_sensitivity_store_(sensitivity, move / pair->matched)
               : DPPAIR_ERR_UNREAD;
  if (dppair_sampling_group_(s) != 2) return DPPAIR_ERR_NO_PROOF;
  if (dppair_adjacency_move_(s->adjacency) != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  return dppair_sensitivity_store_(sensitivity, 2.0 * move / (double)s->m);
}

/*
 * *sensitivity of the sum over the pairs of a step, divided by dppair_normaliser: what the noise
 * multiplier of the step divides (`sensitivity` of dppair_accountant_gaussian for ALL, of
 * dppair_accountant_sampled_gaussian for the others). With c = min(u, C) the norm of a total and D
 * its move, min(u, 2C) for two levels and real labels, else 2c:
 *
 *   ALL                        n records   D/n replaced, c/n zeroed
 *   WITHOUT, WITH_REPLACEMENT  m drawn     D/m, replaced only
 *   MATCHING                   m drawn     2 D/m, replaced only, pairs only, records only
 *   POISSON, ALLOCATION        mbar        c/mbar for two levels, min(u, 3C/2)/mbar for a linear
 *                              expected    margin and real labels, else 3c/(2 mbar): under both
 *                                          relations, when a record joins. mbar is m or n
 *                                          group/batches
 *   the same, pair->matched    any         D/matched under both relations, records only
 *
 * `u` of a ranking loss for rows |x| <= R and slopes |phi'| <= s over the margins that are reached:
 * 2Rs ('ind'), 4Rs ('sign'; the square of a residual), 8Rs Y ('diff', labels |y| <= Y), 2R (the
 * pinball of a residual); for any other loss twice the largest norm of one ordered pair's gradient.
 * C is the clip of a total: twice that of an ordered pair's gradient, except for 'ind' with two
 * levels, where one order of a pair is 0. If your statistic has one vector for each matched pair,
 * that vector is the total. So the mean over the n (n-1) ordered pairs of vectors of norm <= G:
 * LEVELS_ANY, u = 2G: 4G/n replaced and 2G/n zeroed.
 *
 * Users. The relation is about users, and n, m and q count
 *   users who are drawn (sampling->owned = 0): each user's records have weights >= 0 of sum 1 at
 *     most; F = sum over users a != b, i of a, j of b of w_i w_j l(z_i, z_j), pairs inside a
 *     user left out. How many records a user has, and their labels, is private. The table holds
 *     with users for records. block = B: with c at most B, D at most 2B, and 3B/2 when a user
 *     joins. classes: weights that sum to 1 over a user's positives and over his negatives; two
 *     levels only, c and D are twice as large.
 *   records, of which a user owns at most sampling->owned (a public bound): ALL: what `owned`
 *     of n records move (dppair_owned_pairs_) over n (n-1), for two levels replaced u T(n, k)/(n
 *     (n-1)), T(n, k) = q (n-q) + floor(k^2/4), q = min(k, n/2). WITHOUT_REPLACEMENT, replaced:
 *     D/m, 2u/m for a linear margin: how far ONE record moves the batch; the account knows how many
 *     of a user's records are drawn, and counts j of them T(m, j)/(m-1) times that. Any other
 *     loss, and clipped totals of a linear margin, move farther: dppair_sampling_far_, at most
 *     1.24. n - owned >= m >= 2.
 *
 * Errors: those of the head of sensitivity.h and of a sampling; SIZE: n or m missing, or 1;
 * NO_PROOF: nothing bounds the gradient, or no proof for this draw; ADJACENCY: queries, or a
 * relation without a proof for this draw; UNREAD: a field of the pair that this sampling does not
 * read.
 *
 * Proof for one record, replaced. Fix the partner z'. Two levels and real labels: the two orders of
 * a pair sum to a multiple in [0, k s] of +-(x - x'), the sign given by the labels; x - x' runs
 * over the ball B(-x', R), which contains 0 because |x'| <= R, so all totals lie in one convex set
 * of diameter u that contains 0. n - 1 partners, divided by n (n-1). Clipping keeps the set
 * star-shaped about 0 and inside the ball of radius C. With three levels both signs can occur with
 * one partner. The square loss (1-t)^2, whose slope changes sign, obeys the rows with s = sup
 * |phi'|: (1 - w.a) a - (1 - w.b) b is at most |a - b| + |w| ||a a^T - b b^T|| <= 2R + 4 R^2 |w|
 * for a, b in B(-x', R); so does the square of a residual, of slope 4 (Y + R |w|). The pinball's
 * two orders add up to the absolute value, of slope 1. On a domain that is not a ball R is half the
 * diameter of its convex hull. Any other loss: 2 (n-1) ordered pairs touch the record. Attained.
 *
 * Proof for a record that joins b others: f is the sum of its b totals, S that of the others, and
 * the move is [f/b - S/(b (b-1))]/mbar. Two levels: of the b others p have the other label, so |f|
 * <= p c, |S| <= p (b-p) c, and the move is at most c p (2b-1-p)/(b (b-1))/mbar <= c/mbar, p being
 * an integer of at most b. A linear margin, along a unit vector: a total is at most c |t - t'|/2, t
 * = x.e/R in [-1, 1]; |f|/b + |S|/(b (b-1)) is convex in every t, so each t is +-1, and p counts
 * the others at the other end. A clipped total has no such form: |f| <= b c, |S| <= b (b-1) c/2. A
 * plain sum over all pairs of such a batch, over a constant, has no bound: it moves by more the
 * larger the batch is.
 *
 * Proof for matched batches of a random size: a record that joins a batch of even size takes the
 * partner of another one, which is left single: one pair is exchanged. (Couple the uniform
 * matchings of both batches that way; of odd size it joins the single one, which adds a pair.)
 *
 * Proof for users who are drawn. With the partner b fixed, the block of a and b is a convex
 * combination of points of the sets in which totals with one partner lie (and of 0): at most c, and
 * it moves by at most D. A block clipped to B stays in that set and in the ball. A user who joins:
 * the move is convex in each user's weights, hence largest where each has one record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity(double *sensitivity,
                                                              const dppair_pair_unit *pair,
                                                              const dppair_sampling *sampling) {
  dppair_sampling s;
  dppair_status status = dppair_pair_numbers_(sensitivity, pair);
  int users;
  if (status != DPPAIR_OK) return status;
  if (sampling == NULL) return DPPAIR_ERR_NULL;
  s = *sampling;
  users = dppair_adjacency_unit_(s.adjacency) == DPPAIR_OF_USERS_;
  status = dppair_pair_check_(sensitivity, pair, users && s.owned == 0);
  if (status != DPPAIR_OK) return status;
  if (s.kind == DPPAIR_ALL && users) s.owned = 0; /* read below; no draw reads it */
  status = dppair_sampling_check_(&s);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(s.adjacency) == DPPAIR_OF_QUERIES_) return DPPAIR_ERR_ADJACENCY;
  if (s.n < 2) return DPPAIR_ERR_SIZE;
  s.owned = sampling->owned;
  if (s.kind == DPPAIR_MATCHING || pair->matched > 0.0)
    return users ? DPPAIR_ERR_NO_PROOF : dppair_sensitivity_matched_(sensitivity, pair, &s);
  return s.owned > 0 ? dppair_sensitivity_owned_(sensitivity, pair, &s)
                     : dppair_sensitivity_units_(sensitivity, pair, &s);
}

/* ---- src/accountant/sensitivity/owners.h ----------------------------------------------------
 * Sensitivities of items with several owners
 *
 * Items are pairs, triples or groups of a public list. The relation is REPLACE_PERSON or
 * ZERO_PERSON. Conventions are those of sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/* How the list of items came about. */
typedef enum dppair_owner_list {
  DPPAIR_LIST_PUBLIC = 1, /* items, owners and weights are public, or fixed before the data */
  DPPAIR_LIST_PRIVATE = 2,
  DPPAIR_LIST_GREEDY = 3 /* items were let in while their owners had room */
} dppair_owner_list;

/*
 * Items (pairs, triples, groups) with several owners each: the sum over items e of w_e times a
 * vector of norm <= clip, where no user's items have weights of more than `load` together
 * (dppair_owner_load): clip load when a user is zeroed, his items contributing 0; 2 clip load
 * when his data are replaced.
 * The list must be public. NO_PROOF for the others: a user with d partners, each of whom shares
 * one more item with an outsider, has load 1, but without him the weights of those d items rise
 * from 1/2 to 1; and where items are let in one by one, one of them that is gone makes room for
 * another, and so on along a path that may run through all of them.
 * Items of the list drawn independently with a public rate, each weight 1, are charged as Poisson
 * pairs of n = 1 + the largest number of items of one user, clip over the noise of the sum.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_owners(double *sensitivity,
                                                                     double clip, double load,
                                                                     dppair_owner_list list,
                                                                     dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, load, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_USERS_);
  if (status != DPPAIR_OK) return status;
  if (list != DPPAIR_LIST_PUBLIC) return DPPAIR_ERR_NO_PROOF;
  return dppair_sensitivity_store_(
      sensitivity,
      clip * load * (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0));
}

/* x + y >= 0, exact where it can be, else rounded up. */
DPPAIR_FN_ double dppair_plus_up_(double x, double y) {
  const double sum = x + y, part = sum - x;
  return (x - (sum - part)) + (y - part) > 0.0 ? dppair_up_(sum) : sum;
}

/* *most = the largest load; sum: of each user, 0 before. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_owner_sums_(double *most, double *sum,
                                                              size_t users, const size_t *owner,
                                                              const size_t *first,
                                                              const double *weight, size_t items) {
  size_t e, i;
  if (first[0] != 0) return DPPAIR_ERR_SIZE;
  for (e = 0; e < items; e++) {
    const double w = weight == NULL ? 1.0 : weight[e];
    if (!dppair_isfinite_f64(w)) return DPPAIR_ERR_NOT_FINITE;
    if (w < 0.0) return DPPAIR_ERR_DOMAIN;
    if (first[e + 1] < first[e]) return DPPAIR_ERR_SIZE;
    for (i = first[e]; i < first[e + 1]; i++) {
      if (owner[i] >= users) return DPPAIR_ERR_SIZE;
      sum[owner[i]] = dppair_plus_up_(sum[owner[i]], w);
      if (sum[owner[i]] > *most) *most = sum[owner[i]];
    }
  }
  return dppair_isfinite_f64(*most) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/*
 * *load = the largest sum of weight[e] (NULL: 1 each) over the items of one of `users` users,
 * rounded up. The owners of item e are owner[first[e]] to owner[first[e + 1] - 1], below `users`;
 * first has items + 1 places and begins with 0. sum: room for `users` doubles, which hold the
 * loads of all afterwards, 0 after an error. Errors: NULL; ENVIRONMENT; NOT_FINITE, DOMAIN: a
 * weight; SIZE: an owner, or places out of order; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_owner_load(double *load, double *sum,
                                                             size_t users, const size_t *owner,
                                                             const size_t *first,
                                                             const double *weight, size_t items) {
  double most = 0.0;
  size_t i;
  dppair_status status;
  if (load == NULL) return DPPAIR_ERR_NULL;
  *load = 0.0;
  status = dppair_array_(sum, users);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < users; i++) sum[i] = 0.0;
  if (sum == NULL || owner == NULL || first == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  status = dppair_owner_sums_(&most, sum, users, owner, first, weight, items);
  if (status == DPPAIR_OK)
    *load = most;
  else
    for (i = 0; i < users; i++) sum[i] = 0.0;
  return status;
}

/* ---- src/accountant/sensitivity/groups.h ----------------------------------------------------
 * Sensitivities of groups: pairs inside queries, groups of g records
 *
 * Conventions, ranges and errors are those of pairs.h, which this chapter relies on.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Queries with m_q records each, whose pairs are inside one query. The statistic is sum_q w_q times
 * the sum over the ordered pairs of q, or the mean over the queries of h_q = (pair sum)/(m_q
 * (m_q - 1)), which is 0 for m_q <= 1. The number of queries and all that stands here is public.
 */
typedef struct dppair_queries {
  size_t count;
  const size_t *size;    /* m_q; NULL: private, and the statistic is the mean of the h_q */
  const double *weight;  /* w_q >= 0; NULL: the mean of the h_q. Public, like the sizes */
  const size_t *records; /* where users are protected: at most so many of one user's in q */
  double clip;           /* of a mean: each h_q is clipped to this norm; 0: not */
  int moving; /* 1: a replaced record may be in another query, so that sizes are private */
} dppair_queries;

/* Which rows of dppair_sensitivity_queries's table are asked for, and is there one? */
DPPAIR_FN_ dppair_status dppair_queries_check_(const dppair_queries *q, int unit) {
  if (!dppair_isfinite_f64(q->clip)) return DPPAIR_ERR_NOT_FINITE;
  if (q->clip < 0.0 || !dppair_ordinary_(q->clip) || (q->moving != 0 && q->moving != 1))
    return DPPAIR_ERR_DOMAIN;
  if (q->count < 1) return DPPAIR_ERR_SIZE;
  if (unit != DPPAIR_OF_USERS_ && q->records != NULL) return DPPAIR_ERR_UNREAD;
  if (unit != DPPAIR_OF_RECORDS_ && q->moving) return DPPAIR_ERR_UNREAD;
  if (q->size == NULL)
    return q->weight == NULL && unit != DPPAIR_OF_USERS_ &&
                   (unit == DPPAIR_OF_QUERIES_ || q->moving)
               ? DPPAIR_OK
               : DPPAIR_ERR_NO_PROOF;
  if (unit == DPPAIR_OF_USERS_ && q->records == NULL) return DPPAIR_ERR_NULL;
  return q->moving || (q->weight != NULL && q->clip > 0.0) ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/* How far one query moves the statistic, `most` of whose m >= 2 records are replaced or zeroed. */
DPPAIR_FN_ double dppair_query_move_(const dppair_pair_unit *pair, const dppair_queries *q,
                                     size_t i, size_t most, int replaced) {
  const double m = (double)q->size[i];
  double move = dppair_owned_pairs_(pair, q->size[i], most, replaced), limit;
  if (q->weight != NULL) return move * q->weight[i];
  move = move / m / (m - 1.0);
  limit = !replaced && most == q->size[i] ? q->clip : 2.0 * q->clip;
  if (q->clip > 0.0 && limit < move) move = limit;
  return move / (double)q->count;
}

/*
 * How far the statistic moves, by what is protected. c = min(C, u) is the norm of a total, P(m, k)
 * what k of m records move the sum over their pairs (dppair_owned_pairs_: for two levels, replaced,
 * u T(m, k), else at most twice the sum of the totals that they touch).
 *
 *   record        stays in its query; sizes public       max w_q P(m_q, 1): with means, two
 *                                                         levels, u/(count min m_q)
 *   record        may change its query, sizes private    replaced min(4 clip, 4c/3)/count
 *                                                         zeroed half of it
 *   user        sizes public, records[q] in query q    sum w_q P(m_q, records[q])
 *   query         sizes public                           max w_q P(m_q, m_q)
 *   query         sizes private                          replaced min(2 clip, c)/count, zeroed half
 *
 * With public sizes each query's part is at most 2 clip/count too (clip/count where all of it is
 * zeroed). All else is NO_PROOF: private sizes with weights of one's own; a user and private
 * sizes; a record that stays in a query of private size; clipped h_q that are not averaged.
 *
 * Proof. Pairs touch one query each, and the queries' directions can agree. |h_q| <= c/2, as a
 * query has m (m-1)/2 totals; attained at m = 2. A record that leaves a query of m moves h_q by
 * (2/m) (M - a), M the mean total over 2 of the m - 1 others and a that of the record with them,
 * |M| and |a| halved: at most c/2 for m = 2 and 2c/3 for m >= 3 (attained, without structure); so
 * does a null that stays. One that changes its query moves two of them. Clipping is 1-Lipschitz.
 *
 * Queries that are drawn: `count` is the number of queries in a batch (a constant), and the law is
 * that of records, with the queries for them: without replacement the value for replacing, Poisson
 * that for zeroing. SIZE also: no query has a pair, or more records than it has.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_queries(double *sensitivity,
                                                                      const dppair_pair_unit *pair,
                                                                      const dppair_queries *queries,
                                                                      dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  const int unit = dppair_adjacency_unit_(adjacency);
  const int replaced = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE;
  const dppair_queries *q = queries;
  double most = 0.0, sum = 0.0;
  size_t i, paired = 0;
  if (status == DPPAIR_OK && pair->matched > 0.0) status = DPPAIR_ERR_UNREAD;
  if (status == DPPAIR_OK) status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  if (q == NULL) return DPPAIR_ERR_NULL;
  status = dppair_queries_check_(q, unit);
  if (status != DPPAIR_OK) return status;
  if (q->size == NULL) {
    most = (q->moving ? 2.0 / 3.0 : 0.5) * dppair_pair_norm_(pair);
    sum = q->moving ? 2.0 * q->clip : q->clip;
    if (q->clip > 0.0 && sum < most) most = sum;
    return dppair_sensitivity_store_(sensitivity,
                                     (replaced ? 2.0 * most : most) / (double)q->count);
  }
  for (i = 0; i < q->count; i++) {
    const size_t m = q->size[i];
    const size_t k = unit == DPPAIR_OF_USERS_ ? q->records[i] : 1;
    double move;
    if (k > m && unit == DPPAIR_OF_USERS_) return DPPAIR_ERR_SIZE;
    if (q->weight != NULL) {
      if (!dppair_isfinite_f64(q->weight[i])) return DPPAIR_ERR_NOT_FINITE;
      if (q->weight[i] < 0.0 || !dppair_ordinary_(q->weight[i])) return DPPAIR_ERR_DOMAIN;
    }
    if (m < 2 || k == 0) continue;
    move = dppair_query_move_(pair, q, i, unit == DPPAIR_OF_QUERIES_ ? m : k, replaced);
    if (move > most) most = move;
    sum = dppair_plus_up_(sum, move);
    paired++;
  }
  if (paired == 0) return DPPAIR_ERR_SIZE;
  return dppair_sensitivity_store_(sensitivity,
                                   (unit == DPPAIR_OF_USERS_ ? sum : most) * (1.0 + 1e-15));
}

/*
 * Groups of g records (contrastive losses, triplets, quadruplets), each group's vector any function
 * of its records, clipped to `clip` = C: what the noise multiplier of such a step divides, as
 * `sensitivity` of the function named. The relation is about records.
 *
 *   MATCHING          m of n records without replacement, put at random into m/g groups; the mean
 *                     over the groups: 2 C g/m, _sampled_gaussian, whose rate is m/n. All records
 *                     in groups (m = n): the same without amplification, and C g/n under ZERO_OUT
 *                     if dropped
 *   WITH_REPLACEMENT  m groups, each a uniform subset of g = group of n records (0: pairs),
 *                     independent of the others; their sum: C, _sampled_pairs, which counts 2C for
 *                     each of K ~ Bin(m, g/n) hits
 *   POISSON           the groups of a public partition, n of them, each with a coin of rate q, or
 *                     m/n; their sum: C, _sampled_gaussian (replaced: +C against -C; ZERO_OUT only
 *                     if dropped)
 *
 * dropped: groups that hold a null record contribute nothing; where they are pairs the nulls see to
 * that. A group whose member becomes null still has a vector of norm C otherwise, and moves by 2C.
 * Under sampling without replacement zeroing moves 2C/b even if dropped: "not drawn" (-C, a fresh
 * record) and "drawn" (+C) are that far apart.
 * Errors: also those of the sampling; SIZE: m or n missing; ADJACENCY: ZERO_OUT where it is not
 * covered; NO_PROOF: another kind.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_groups(
    double *sensitivity, double clip, const dppair_sampling *sampling, int dropped) {
  const dppair_sampling *s = sampling;
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, 0.0, 0.0);
  int zeroed;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  if (dropped != 0 && dropped != 1) return DPPAIR_ERR_DOMAIN;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_RECORDS_);
  if (status != DPPAIR_OK) return status;
  zeroed = dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT;
  switch (s->kind) {
  case DPPAIR_MATCHING:
    if (s->m == 0) return DPPAIR_ERR_SIZE;
    clip *= zeroed && dropped && s->m == s->n ? 1.0 : 2.0;
    clip = clip * (double)dppair_sampling_group_(s) / (double)s->m;
    break;
  case DPPAIR_WITH_REPLACEMENT:
    break;
  case DPPAIR_POISSON:
    if (zeroed && !dropped) return DPPAIR_ERR_ADJACENCY;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, clip);
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
DPPAIR_LIBM_BEGIN_

/* ---- src/accountant/mechanisms/hits.h -------------------------------------------------------
 * Hits: how often a sampled step touches a record
 *
 * The law of the number of hits in one execution of a step, and how far each number of hits moves
 * the statistic. The one list of what sampling does: Renyi curves and dominating pairs both start
 * from it. Relies on binomial.h and steps.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_HIT_CAPACITY_ 256
#define DPPAIR_AMPLIFIED_HITS_ 64 /* in numerical composition, where each is two branches */
#define DPPAIR_UNIT_ 1.1102230246251565e-16 /* half an ulp of 1 */

/* Probabilities below this one are not asked for: near the smallest doubles digits are lost. */
#define DPPAIR_TAIL_LEAST_ 1e-305
/* A tail that is nothing beside Pr[no hit]. */
#define DPPAIR_TAIL_NOTHING_ 1e-17
/* Probability of few hits that may count as more. */
#define DPPAIR_TAIL_FEW_ 1e-18

/* How the two data sets' laws of one step compare. */
typedef enum dppair_comparison_ {
  DPPAIR_MIXTURE_ = 1,  /* sum_k p_k N(s_k, 1) against N(0, 1), both directions */
  DPPAIR_OPPOSED_ = 2,  /* sum_k p_k N(s_k, 1) against sum_k p_k N(-s_k, 1) */
  DPPAIR_AMPLIFIED_ = 3 /* h(t) = sum_k p_k delta_G(log(1 + (t-1)/gamma), s_k), t >= 1, both ways */
} dppair_comparison_;

/*
 * The hits k >= 1 of a step with their probabilities and their shifts in units of sigma, by rising
 * shift. gamma = Pr[k >= 1] and miss = Pr[k = 0], each with all its digits. tail bounds Pr[more
 * hits than listed], an event of the sampling alone: the listed probabilities are conditional on
 * its complement, so tail must be added to delta once per step. slip bounds the relative error of
 * each probability, of gamma and of miss. merged: some numbers of hits were counted as larger ones
 * (all comparisons increase in the shift), so the law bounds from above only.
 */
typedef struct dppair_hits_ {
  dppair_comparison_ comparison;
  int merged;
  size_t count;
  double gamma, miss, tail, slip;
  double probability[DPPAIR_HIT_CAPACITY_];
  double shift[DPPAIR_HIT_CAPACITY_];
} dppair_hits_;

/*
 * What sampling does to one record: mechanisms/sampled_gaussian.h and sampled_pairs.h say it for
 * each sampling.
 *
 * Amplified: P = (1-g) P0 + g P1 and Q = (1-g) P0 + g Q1 with the same P0; advanced joint convexity
 * (Balle, Barthe and Gaboardi 2018) turns delta(log t) into g delta(log(1 + (t-1)/g)), and coupling
 * equal draws replaces k vectors. It holds for zeroing a record too, where the shift counts a
 * replacement. Mixture and opposed: touched vectors of norm <= 1 in any directions are dominated by
 * equal ones, or by equal and opposite ones (Kahane's convexity inequality; dominating_pairs.h has
 * the proof). Zeroing under sampling without replacement has no bound of its own: use the
 * replace-one bound. Fixed-size samples have no mixture bound, because the untouched pairs depend
 * on the hits.
 */
typedef struct dppair_hit_law_ {
  dppair_comparison_ comparison;
  dppair_binomial_ hits; /* one trial: a hit or none */
  double unit;           /* the shift of one hit */
  size_t batch;          /* 0: k hits shift k times as far; else T(batch, k)/(batch - 1) times
                            (mechanisms/users.h) */
} dppair_hit_law_;

/* The shift of k hits; for batches rounded up. */
DPPAIR_FN_ double dppair_hit_shift_(const dppair_hit_law_ *law, size_t k) {
  if (law->batch == 0 || k == 1) return (double)k * law->unit;
  return dppair_owned_(law->batch, k) / (double)(law->batch - 1) * law->unit * (1.0 + 2e-15);
}

/* One hit with the sampling's rate, amplified: what the other laws are made from. */
DPPAIR_FN_ void dppair_hit_law_once_(dppair_hit_law_ *law, const dppair_sampling *s, double unit) {
  const double n = (double)s->n;
  law->comparison = DPPAIR_AMPLIFIED_;
  law->hits =
      dppair_binomial_make_(1, s->n > 0 ? (double)s->m / n : s->q,
                            s->n > 0 && s->m <= s->n ? (double)(s->n - s->m) / n : 1.0 - s->q);
  law->unit = unit;
  law->batch = 0;
}

/* m draws with replacement, each of which hits the record with probability `times`/n. */
DPPAIR_FN_ void dppair_hit_law_draws_(dppair_hit_law_ *law, const dppair_sampling *s, double unit,
                                      size_t times) {
  const double n = (double)s->n;
  law->comparison = DPPAIR_AMPLIFIED_;
  law->hits = dppair_binomial_make_(s->m, (double)times / n, (double)(s->n - times) / n);
  law->unit = unit;
}

/* Independent trials: Poisson samples. */
DPPAIR_FN_ void dppair_hit_law_poisson_(dppair_hit_law_ *law, const dppair_sampling *s) {
  law->comparison =
      dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT ? DPPAIR_MIXTURE_ : DPPAIR_OPPOSED_;
}

/* Zeroed pairs of a fixed number are charged like replaced ones, which move twice as far; for
 * several draws with replacement, different numbers of hits have no best test in common. Otherwise
 * fixed-size samples take their pair of laws from two pairs of data sets, one for t >= 1 and one
 * for t < 1: attained by a single run alone. */
DPPAIR_FN_ int dppair_hits_attained_(const dppair_hit_law_ *law, const dppair_sampling *s) {
  if (law->comparison != DPPAIR_AMPLIFIED_) return DPPAIR_ATTAINED_ALWAYS_;
  if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) return DPPAIR_ATTAINED_NEVER_;
  if (law->hits.rate >= 1.0) return DPPAIR_ATTAINED_ALWAYS_;
  return law->hits.trials <= 1 ? DPPAIR_ATTAINED_ONCE_ : DPPAIR_ATTAINED_NEVER_;
}

/* The numbers of hits that are listed: `low` to `top`, `width` of them in each place. They are
 * enumerated from `start`, near the mean and of probability `value`, by the ratios of neighbours.
 */
typedef struct dppair_hit_range_ {
  size_t start, low, top, width;
  double value;
  double below; /* probability of 1 to low - 1 hits, a bound */
} dppair_hit_range_;

/* The upper end, and in h what lies beyond it. limit: the largest number of hits that is counted.
 */
DPPAIR_FN_ void dppair_hits_upper_(dppair_hits_ *h, dppair_hit_range_ *range,
                                   const dppair_hit_law_ *law, size_t limit, double tail, int both,
                                   size_t places) {
  range->top = limit;
  if (limit < law->hits.trials) {
    h->tail = law->hits.drawn > 0 ? dppair_binomial_beyond_(&law->hits, limit)
                                  : dppair_binomial_tail_(law->hits.trials, law->hits.rate, limit);
  } else if (tail > 0.0) {
    const double less = both ? DPPAIR_TAIL_NOTHING_ * h->miss : 0.0;
    range->top = places + 1;
    if (less >= DPPAIR_TAIL_LEAST_ && less < tail)
      range->top = dppair_binomial_last_(&h->tail, &law->hits, range->start, range->value, less);
    if (range->top > places) {
      range->top = dppair_binomial_last_(&h->tail, &law->hits, range->start, range->value, tail);
      h->merged = both && !(tail <= less);
    }
  }
}

/* The lower end, where not all numbers up to the top have a place of their own: few hits, of
 * probability DPPAIR_TAIL_FEW_ together, are left out, and no hit with them. */
DPPAIR_FN_ void dppair_hits_lower_(dppair_hits_ *h, dppair_hit_range_ *range,
                                   const dppair_hit_law_ *law) {
  double below;
  const size_t k =
      dppair_binomial_first_(&below, &law->hits, range->start, range->value, DPPAIR_TAIL_FEW_);
  if (k <= 1) return;
  range->low = k;
  range->below = below;
  h->miss = 0.0;
}

/* Lists the probabilities and shifts, conditional on no more hits than `top`. */
DPPAIR_FN_ void dppair_hits_list_(dppair_hits_ *h, const dppair_hit_range_ *range,
                                  const dppair_hit_law_ *law) {
  const size_t low = range->low, top = range->top, width = range->width;
  double p;
  size_t k;
  h->count = (top - low) / width + 1;
  for (k = range->start, p = range->value; k <= top; k++) {
    if (k >= low) h->probability[(k - low) / width] += p > DBL_MIN ? p : DBL_MIN;
    p *= dppair_binomial_up_(&law->hits, k);
  }
  for (k = range->start, p = range->value; k > low; k--) {
    p *= dppair_binomial_down_(&law->hits, k);
    h->probability[(k - 1 - low) / width] += p > DBL_MIN ? p : DBL_MIN;
  }
  h->probability[0] += range->below;
  for (k = 0; k < h->count; k++) {
    const size_t last = low + (k + 1) * width - 1;
    h->probability[k] /= 1.0 - h->tail;
    h->gamma += h->probability[k];
    h->shift[k] = dppair_hit_shift_(law, last < top ? last : top);
  }
  if (h->gamma > 1.0) h->gamma = 1.0;
  h->miss /= 1.0 - h->tail;
}

/*
 * K ~ Bin(trials, rate), 0 < rate < 1, trials > 1. The probabilities come from that of the most
 * likely number of hits (Loader's form, within 64 units), on both sides by the ratios of
 * neighbours, at most 16 units each (an error of the rate turns p_k by (k - trials rate) times
 * itself and is contained in these). cap > 0: the largest number of hits that is counted. Otherwise
 * tail > 0: the probability that may be left beyond the listed ones; tail = 0: nothing is left out.
 * both: where it fits, the tail is nothing beside Pr[no hit] either, so that the law serves upper
 * and lower bounds.
 *
 * A law that fits into `places` is listed from k = 1 on. Otherwise few hits count as the first
 * number that is listed, and where that is not enough, neighbours share a place, counted as the
 * largest of them.
 */
DPPAIR_FN_ dppair_status dppair_hits_binomial_(dppair_hits_ *h, const dppair_hit_law_ *law,
                                               size_t cap, double tail, int both, size_t places) {
  const double n = (double)law->hits.trials;
  const double none = dppair_binomial_log_none_(&law->hits);
  const size_t limit = cap > 0 && cap < law->hits.trials ? cap : law->hits.trials;
  const double mode = dppair_floor_((n + 1.0) * law->hits.rate);
  dppair_hit_range_ range;
  size_t remote;
  /* What takes too long to sum and has no answer: a cap far below the hits that are likely, and a
   * law of more than a million likely hits. */
  if (!(mode - (double)limit <= (double)DPPAIR_BINOMIAL_MOST_)) return DPPAIR_ERR_NO_PROOF;
  if (dppair_sqrt_(n * law->hits.rate * law->hits.miss) > (double)DPPAIR_BINOMIAL_MOST_)
    return limit < law->hits.trials && mode > (double)limit ? DPPAIR_ERR_NO_PROOF
                                                            : DPPAIR_ERR_OVERFLOW;
  range.start = mode < (double)limit ? (size_t)mode : limit;
  range.value = dppair_exp_(dppair_binomial_log_(&law->hits, range.start));
  range.low = 1;
  range.below = 0.0;
  h->miss = dppair_exp_(none);
  dppair_hits_upper_(h, &range, law, limit, tail, both, places);
  if (!(h->tail < 0.5)) return DPPAIR_ERR_NO_PROOF;
  if (range.top > places) {
    dppair_hits_lower_(h, &range, law);
    if (range.top - range.low > DPPAIR_BINOMIAL_MOST_) return DPPAIR_ERR_OVERFLOW;
  }
  range.width = (range.top - range.low) / places + 1;
  h->merged |= range.width > 1 || !(h->miss > 0.0);
  dppair_hits_list_(h, &range, law);
  /* a last line of defence: some number of hits is certain */
  if (!(h->gamma + h->miss >= 1.0 - 1e-6)) return DPPAIR_ERR_NO_CONVERGENCE;
  remote = range.start < range.low || range.top - range.start > range.start - range.low
            ? range.top - range.start
            : range.start - range.low;
  h->slip = DPPAIR_UNIT_ * (96.0 + (double)h->count + 16.0 * (double)remote - 4.0 * none);
  if (law->hits.drawn > 0) h->slip += DPPAIR_UNIT_ * (256.0 - 64.0 * none); /* three of them */
  return DPPAIR_OK;
}

/* The hits of any law; cap, tail, both and places as for dppair_hits_binomial_. Errors: NO_PROOF
 * when more hits than the cap are likelier than not, OVERFLOW when more than a million different
 * numbers of hits are likely. */
DPPAIR_FN_ dppair_status dppair_hits_make_(dppair_hits_ *h, const dppair_hit_law_ *law, size_t cap,
                                           double tail, int both, size_t places) {
  memset(h, 0, sizeof *h);
  h->comparison = law->comparison;
  if (law->hits.trials > 1 && law->hits.rate < 1.0) {
    const dppair_status status = dppair_hits_binomial_(h, law, cap, tail, both, places);
    if (status != DPPAIR_OK) memset(h, 0, sizeof *h);
    return status;
  }
  h->count = 1;
  h->gamma = h->probability[0] = law->hits.rate;
  h->miss = law->hits.miss;
  h->slip = 4.0 * DPPAIR_UNIT_;
  h->shift[0] = dppair_hit_shift_(law, law->hits.trials);
  return DPPAIR_OK;
}

/*
 * Turns the computed law into one that dominates the exact one: shifts are rounded up, numbers of
 * hits above the likeliest gain their relative error, those below it lose theirs, and the likeliest
 * keeps what is left of 1. So no Pr[K >= k] becomes smaller, the sum is at most 1, and every
 * probability, Pr[no hit] too, keeps its digits.
 */
DPPAIR_FN_ void dppair_hits_raise_(dppair_hits_ *h) {
  const double grow = 1.0 + 2.0 * h->slip;
  double most = h->miss, others = 0.0;
  size_t pivot = h->count, k; /* count: no hit is likeliest */
  for (k = 0; k < h->count; k++) {
    h->shift[k] = dppair_up_(dppair_up_(h->shift[k]));
    if (h->probability[k] > most) {
      most = h->probability[k];
      pivot = k;
    }
  }
  for (k = 0; k < h->count; k++) {
    if (k == pivot) continue;
    h->probability[k] *= pivot < h->count && k < pivot ? 2.0 - grow : grow;
    others += h->probability[k];
  }
  if (pivot < h->count) {
    h->miss *= 2.0 - grow;
    h->probability[pivot] = 1.0 - h->miss - others;
  } else {
    h->miss -= (1.0 - h->miss) * 4.0 * h->slip;
  }
  h->gamma = h->gamma * grow < 1.0 ? h->gamma * grow : 1.0;
}

/* ---- src/accountant/mechanisms/renyi.h ------------------------------------------------------
 * Renyi curves of hits, orders a > 1
 *
 * Everything is a positive integral of f_b(u) = (1+u)^b - 1 - b u, which is >= 0 for b >= 1 and for
 * b <= 0, at u = L - 1 of mean zero, so that no digits are lost however small the rate:
 *   mixture     E_0[L^a] - 1 = E_0 f_a(u), and the other direction E_0 f_{1-a}(u)
 *   opposed     E_0[L+^a L-^(1-a)] - 1 = E_0[ L- f_a(L+/L- - 1) ]
 *   amplified   F_a(g, s) - 1 = E_0[ 1{x > s/2} (f_a(u) + f_{1-a}(u)) ], from
 *               E_Q[L^a] = 1 + a(a-1) int_1^inf t^(a-2) H_t(P,Q) + t^(-a-1) H_t(Q,P) dt.
 * E_0 is over N(0,1). The first two are trapezoid sums. With step h they converge like
 * exp(-2 pi c/h), c the distance of the zeros of L from the real axis (pi / largest shift), and
 * like exp(-2 pi^2 v/h^2) for a Gaussian of variance v. The third has an end point and uses
 * Gauss-Legendre panels. Sums are kept as a value and a scale, because L^a overflows. The integrals
 * are returned as log(A - 1); the curve is log(A)/(a - 1). Relies on hits.h and normal.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RENYI_SLACK_ 2e-12    /* relative error of a curve, quadrature and rounding */
#define DPPAIR_RENYI_NODES_ 300000.0 /* if a sum needs more, the closed bound answers instead */

/* A question to the curve of a step, and the answer. */
typedef struct dppair_renyi_ {
  double order;
  double tail;   /* > 0: hits are capped where that is left */
  size_t cap;    /* > 0: the largest number of hits that is counted */
  double rdp;    /* the divergence, not yet rounded up */
  double unpaid; /* probability of more hits than those counted */
} dppair_renyi_;

typedef struct dppair_scaled_sum_ {
  double sum, scale; /* the value is sum * exp(scale) */
} dppair_scaled_sum_;

/* Adds weight * f_b(u) * exp(log_weight); l = log(1 + u). Returns the added term, scaled. */
DPPAIR_FN_ double dppair_add_power_(dppair_scaled_sum_ *s, double weight, double log_weight,
                                    double b, double u, double l) {
  const double y = b * l;
  double term;
  if (dppair_fabs_(u) < 0.1 && dppair_fabs_(b * u) < 0.5) {
    double part = 0.5 * b * (b - 1.0) * u * u, k = 3.0;
    term = part;
    for (; k < 60.0; k += 1.0) {
      part *= (b - k + 1.0) / k * u;
      term += part;
      if (dppair_fabs_(part) <= 1e-17 * dppair_fabs_(term)) break;
    }
    term *= dppair_exp_(log_weight - s->scale);
  } else if (y + log_weight - s->scale < 600.0 && y < 600.0) {
    term = (b > 0.0 ? (1.0 + u) * dppair_expm1_((b - 1.0) * l) - (b - 1.0) * u
                    : dppair_expm1_(y) - b * u) *
           dppair_exp_(log_weight - s->scale);
  } else {
    /* b > 1: f_b = e^l (e^((b-1) l) - 1 - (b-1)(1 - e^-l)) - (b-1)(...); e^-l is below rounding */
    const double m = (b - 1.0) * l;
    const double level =
        log_weight +
        (b > 0.0 && m < 50.0 ? l + dppair_log_(dppair_expm1_(m) - (b - 1.0)) + 1e-15 : y);
    if (level - s->scale > 600.0) {
      s->sum *= dppair_exp_(s->scale - level);
      s->scale = level;
    }
    term = dppair_exp_(level - s->scale);
  }
  term *= weight;
  s->sum += term;
  return term;
}

/* dppair_hits_excess_ where an exponential overflows: sums relative to the largest exponent, top >
 * 600. */
DPPAIR_FN_ double dppair_hits_far_(const dppair_hits_ *h, double x, double top, double *log_l,
                                   double *slope) {
  double l = 0.0, du = 0.0;
  size_t k;
  for (k = 0; k < h->count; k++) {
    const double s = h->shift[k], g = h->probability[k] * dppair_exp_(s * x - 0.5 * s * s - top);
    l += g;
    du += g * s;
  }
  *slope = du / l;
  *log_l = top + dppair_log_(l);
  return *log_l < 690.0 ? dppair_expm1_(*log_l) : 1e299;
}

/* Returns u = L(x) - 1, or 1e299 when that is too large, where only the logarithm counts; *log_l =
 * log L and *slope = d log L / dx. Where u loses digits, log L is taken from L = miss + sum p_k
 * e^(..), so that it has all of its digits however small Pr[no hit] is. */
DPPAIR_FN_ double dppair_hits_excess_(const dppair_hits_ *h, double x, double *log_l,
                                      double *slope) {
  double u = 0.0, l = h->miss, du = 0.0, top = 0.0;
  size_t k;
  for (k = 0; x > 34.0 && k < h->count; k++) { /* s x - s^2/2 <= x^2/2: only then */
    const double s = h->shift[k], t = s * x - 0.5 * s * s;
    if (t > top) top = t;
  }
  if (top > 600.0) return dppair_hits_far_(h, x, top, log_l, slope);
  for (k = 0; k < h->count; k++) {
    const double s = h->shift[k], t = s * x - 0.5 * s * s;
    const double e = dppair_expm1_(t),
                 g = h->probability[k] * (e > -0.5 ? e + 1.0 : dppair_exp_(t));
    u += h->probability[k] * e;
    l += g;
    du += g * s;
  }
  if (u > -0.5) {
    *log_l = dppair_log1p_(u);
    *slope = du / (1.0 + u);
  } else if (l > 1e-290) {
    *log_l = dppair_log_(l);
    *slope = du / l;
  } else { /* only the smallest shift still counts: a lower bound */
    *slope = h->shift[0];
    *log_l = dppair_log_(h->probability[0] > DBL_MIN ? h->probability[0] : DBL_MIN) +
             *slope * (x - 0.5 * *slope);
  }
  return u;
}

/* log L(x), and *u = L(x) - 1. */
DPPAIR_FN_ double dppair_hits_log_(const dppair_hits_ *h, double x, double *u) {
  double l, slope;
  *u = dppair_hits_excess_(h, x, &l, &slope);
  return l;
}

/* The far peak of phi L^a lies below the largest fixed point of x = 4 s + a slope(x), which is
 * approached from above. */
DPPAIR_FN_ double dppair_peak_bound_(const dppair_hits_ *h, double a, double largest) {
  double x = (4.0 + a) * largest;
  int i;
  for (i = 0; i < 60; i++) {
    double l, slope, next;
    (void)dppair_hits_excess_(h, x, &l, &slope);
    next = 4.0 * largest + a * slope;
    if (next >= x * (1.0 - 1e-3)) break;
    x = next;
  }
  return x;
}

/*
 * log E_0 f_b(u) for a mixture. The steps leave 2e-24 (0.6, N(0,1)), 4e-21 (0.42/shift, the zeros
 * of L) and, for b < 0, 3e-19: (log L)'' <= shift^2/4, so L^b narrows the integrand to a variance
 * of at least 1/(1 - b shift^2/4), and the step is 0.68 of its square root. Either side is summed
 * to 6 beyond its farthest peak (reach) and until a term is below 1e-18 of the sum.
 */
DPPAIR_FN_ double dppair_renyi_mixture_(const dppair_hits_ *h, double b) {
  const double largest = h->shift[h->count - 1];
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double step = 0.6, reach, x;
  int direction;
  if (0.42 / largest < step) step = 0.42 / largest;
  if (b < 0.0) {
    const double narrow = 0.68 / dppair_sqrt_(1.0 - 0.25 * b * largest * largest);
    if (narrow < step) step = narrow;
  }
  reach = b > 0.0 ? dppair_peak_bound_(h, b, largest) : 4.0 * largest;
  if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (direction = 0; direction < 2; direction++) {
    size_t i;
    if (direction == 1) {
      double l, slope;
      (void)dppair_hits_excess_(h, 0.0, &l, &slope);
      reach = b > 0.0 ? 0.0 : -b * slope;
      if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
    }
    for (i = (size_t)direction;; i++) {
      double u, l, term;
      x = (direction == 0 ? step : -step) * (double)i;
      l = dppair_hits_log_(h, x, &u);
      term = dppair_add_power_(&sum, 1.0, -0.5 * x * x, b, u, l);
      if (dppair_fabs_(x) > reach + 6.0 && term <= 1e-18 * sum.sum) break;
      if (dppair_fabs_(x) > reach + 40.0) break;
    }
  }
  return dppair_log_(sum.sum * step * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(A - 1) for the opposed pair. The steps leave 3e-19 (L-^(1-a) narrows the integrand as above)
 * and, for the zeros, 3e-29. */
DPPAIR_FN_ double dppair_renyi_opposed_(const dppair_hits_ *h, double a) {
  const double s = h->shift[h->count - 1];
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double step = 0.68 / dppair_sqrt_(1.0 + 0.25 * (a - 1.0) * s * s), reach = 2.0 * a * s;
  size_t direction, i;
  if (0.3 / s < step) step = 0.3 / s;
  if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (direction = 0; direction < 2; direction++) {
    for (i = direction;; i++) {
      const double x = (direction == 0 ? step : -step) * (double)i;
      double up, down, w, l, term;
      const double l_up = dppair_hits_log_(h, x, &up), l_down = dppair_hits_log_(h, -x, &down);
      l = l_up - l_down;
      if (down > -0.5 && up < 1e250 && down < 1e250)
        w = (up - down) / (1.0 + down);
      else
        w = l < 690.0 ? dppair_expm1_(l) : 1e299;
      if (dppair_fabs_(w) < 0.5) l = dppair_log1p_(w);
      term = dppair_add_power_(&sum, 1.0, l_down - 0.5 * x * x, a, w, l);
      if (dppair_fabs_(x) > (direction == 0 ? reach : 0.0) + 6.0 && term <= 1e-18 * sum.sum) break;
      if (dppair_fabs_(x) > reach + 40.0) break;
    }
  }
  return dppair_log_(sum.sum * step * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(F_a(g, s) - 1): one hit with probability g, shift s. Panels of width 1, or 1.5/s, where the
 * zeros of L are closer. */
DPPAIR_FN_ double dppair_renyi_amplified_(double g, double s, double a) {
  /* Gauss-Legendre, 12 nodes on [-1, 1]. */
  static const double node[6] = {0.12523340851146891547, 0.36783149899818019375,
                                 0.58731795428661744730, 0.76990267419430468704,
                                 0.90411725637047485668, 0.98156063424671925069};
  static const double weight[6] = {0.24914704581340278500, 0.23349253653835480876,
                                   0.20316742672306592175, 0.16007832854334622633,
                                   0.10693932599531843096, 0.04717533638651182719};
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double width = 1.5 / s < 1.0 ? 1.5 / s : 1.0, reach, x = 0.5 * s;
  dppair_hits_ one;
  memset(&one, 0, sizeof one);
  one.count = 1;
  one.miss = 1.0 - g;
  one.probability[0] = g;
  one.shift[0] = s;
  reach = dppair_peak_bound_(&one, a, s);
  if (!(12.0 * (reach + 70.0) / width <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (;;) {
    const double half = 0.5 * width, middle = x + half;
    double panel = 0.0;
    const double scale = sum.scale;
    int k;
    for (k = 0; k < 12; k++) {
      const double y = k < 6 ? middle - half * node[k] : middle + half * node[k - 6];
      const double wk = weight[k % 6];
      double u;
      const double l = dppair_hits_log_(&one, y, &u);
      panel += dppair_add_power_(&sum, wk * half, -0.5 * y * y, a, u, l);
      /* from there on f_a has been rounded up to L^a, which is above the sum of both */
      if (l * a < 600.0) panel += dppair_add_power_(&sum, wk * half, -0.5 * y * y, 1.0 - a, u, l);
    }
    x += width;
    if (sum.scale > scale) continue;
    if (x > reach + 6.0 && panel <= 1e-18 * sum.sum) break;
    if (x > reach + 60.0) break;
  }
  return dppair_log_(sum.sum * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(e^x + e^y). */
DPPAIR_FN_ double dppair_log_add_(double x, double y) {
  return x > y ? x + dppair_log1p_(dppair_exp_(y - x)) : y + dppair_log1p_(dppair_exp_(x - y));
}

/*
 * An upper bound of log(A)/(a - 1) without integration, sharp where one exponential dominates. By
 * Minkowski's inequality in L^a a mixture r has log |r|_a <= log(1 - g + sum p_k e^((a-1)
 * s_k^2/2)), and A = |r|_a^a. The opposed pair has another factor (1-g)^(1-a), since L- >= 1 - g.
 * Amplified: F_a(g, s) <= 1 + |r|_a^a for each shift. Never above the curve without sampling.
 */
DPPAIR_FN_ double dppair_renyi_bound_(const dppair_hits_ *h, double a) {
  const double largest = h->shift[h->count - 1];
  const double plain = (h->comparison == DPPAIR_OPPOSED_ ? 2.0 : 0.5) * a * largest * largest;
  const double rest = h->miss > 0.0 ? dppair_log_(h->miss) : -DBL_MAX;
  const int little = 0.5 * (a - 1.0) * largest * largest < 600.0;
  double norm = rest, sum = 0.0, value = -DBL_MAX;
  size_t k;
  if (!(h->miss > 0.0) && h->comparison != DPPAIR_MIXTURE_) return plain;
  for (k = 0; k < h->count; k++) {
    const double p = h->probability[k], top = 0.5 * (a - 1.0) * h->shift[k] * h->shift[k];
    if (!(p > 0.0)) continue;
    if (h->comparison == DPPAIR_AMPLIFIED_) {
      const double one = dppair_log_add_(rest, dppair_log_(h->gamma) + top);
      const double part = dppair_log_(p / h->gamma) + dppair_log_add_(0.0, a * one);
      value = value > -DBL_MAX ? dppair_log_add_(value, part) : part;
    } else if (little) {
      sum += p * dppair_expm1_(top);
    } else {
      norm = norm > -DBL_MAX ? dppair_log_add_(norm, dppair_log_(p) + top) : dppair_log_(p) + top;
    }
  }
  if (h->comparison != DPPAIR_AMPLIFIED_) value = a * (little ? dppair_log1p_(sum) : norm);
  value = value / (a - 1.0) - (h->comparison == DPPAIR_OPPOSED_ ? rest : 0.0);
  return value < plain ? value : plain;
}

/* Does the term e^((a-1) s^2/2) of a hit dominate, so that the closed bound is good to e^-45? rest:
 * log(1 - g) for the opposed pair, whose bound divides by it, else 0. */
DPPAIR_FN_ int dppair_renyi_dominated_(double gamma, double shift, double a, double rest) {
  return 0.5 * (a - 1.0) * shift * shift > 45.0 - dppair_log_(gamma) + dppair_log_(a) - rest;
}

/* log(A - 1) for the amplified comparison, the sum of p_k/gamma (F_a(gamma, s_k) - 1). */
DPPAIR_FN_ double dppair_renyi_amplified_sum_(const dppair_hits_ *h, double a) {
  double excess = -DBL_MAX;
  size_t k;
  for (k = 0; k < h->count; k++) {
    const double tilt = 0.5 * (a - 1.0) * h->shift[k] * h->shift[k];
    double part;
    if (!(h->probability[k] > 0.0)) continue;
    if (h->gamma >= 1.0)
      part = a * tilt < 30.0 ? dppair_log_(dppair_expm1_(a * tilt)) : a * tilt;
    else if (dppair_renyi_dominated_(h->gamma, h->shift[k], a, 0.0))
      part = a * (dppair_log_(h->gamma) + tilt + 1e-15);
    else
      part = dppair_renyi_amplified_(h->gamma, h->shift[k], a);
    part += dppair_log_(h->probability[k] / h->gamma);
    excess = excess > -DBL_MAX ? dppair_log_add_(excess, part) : part;
  }
  return excess;
}

/* log(A)/(a - 1) for one execution of a sampled step, or an upper bound that is as good. */
DPPAIR_FN_ double dppair_renyi_hits_(const dppair_hits_ *h, double a) {
  const double largest = h->shift[h->count - 1];
  const int opposed = h->comparison == DPPAIR_OPPOSED_;
  double excess, bound, value;
  if (h->gamma >= 1.0 && h->count == 1) return (opposed ? 2.0 : 0.5) * a * largest * largest;
  bound = dppair_renyi_bound_(h, a);
  if (h->count == 1 &&
      dppair_renyi_dominated_(h->gamma, largest, a, opposed ? dppair_log_(h->miss) : 0.0))
    return bound;
  if (opposed) {
    excess = dppair_renyi_opposed_(h, a);
  } else if (h->comparison == DPPAIR_MIXTURE_) {
    excess = dppair_renyi_mixture_(h, a);
    /* One shift: the reflection x -> s - x proves that the other direction is smaller (Mironov,
     * Talwar and Zhang 2019, Theorem 5). Several: it is computed. */
    if (h->count > 1) {
      const double other = dppair_renyi_mixture_(h, 1.0 - a);
      if (!(other <= excess)) excess = other; /* NaN is kept: then the bound answers */
    }
  } else {
    excess = dppair_renyi_amplified_sum_(h, a);
  }
  value = (excess < 700.0 ? dppair_log1p_(dppair_exp_(excess)) : excess) / (a - 1.0);
  return value < bound ? value : bound;
}

/* ---- src/accountant/mechanisms/dominating_pairs.h -------------------------------------------
 * Dominating pairs
 *
 * A step is replaced by a pair of laws (P, Q) whose hockey-stick curve E_P (1 - t e^-L)_+,
 * L = log dP/dQ, t = e^epsilon, is at least that of the step for all neighbours; such pairs
 * compose (Zhu, Dong and Wang 2022). Let x ~ N(0,1) and r(x) = sum_k p_k exp(b_k x - b_k^2/2),
 * where p_k is the chance that the record is hit k times and b_k the shift that k hits cause in
 * units of the noise. All pairs are mixtures of an atom at loss 0 and of branches, on the line or
 * on a half line:
 *
 *   forward    mass r(x) phi(x), loss  log r(x)            P = mixture,  Q = N(0,1)
 *   backward   mass   phi(x),    loss -log r(x)            the same pair the other way round
 *   opposite   mass r(x) phi(x), loss  log r(x) - log r(-x)    mixture of +b_k against -b_k
 *
 * Zeroed record, Poisson sampling: forward and backward, each composed by itself; the larger of the
 *   two answers counts. Replaced record, Poisson sampling: opposite. Proof for both: condition on
 *   what the record does not touch (joint convexity) and centre it. The densities relative to
 *   N(0, I) are L = sum_v c_v exp(<v,x> - |v|^2/2) over the values v that the touched part takes:
 *   the law of the first data set minus t times that of the second, with coefficients c_v of either
 *   sign. Replace the Gaussian field <v,x> by one with covariance K* and interpolate (Kahane 1985):
 *       d/ds E (L_s)_+ = 1/2 sum c_v c_v' (K* - K)_vv' E[(L_s)''_+ e_v e_v'] >= 0
 *   as soon as K*_vv' >= K_vv' where c_v c_v' > 0 and K*_vv' <= K_vv' where c_v c_v' < 0. With
 *   |v| at most the shift of its number of hits, both pairs above have these covariances. (So any
 *   directions, any norms below the clip, any dependence between value and hits are covered.)
 *   For a zeroed record this needs hits that are independent of the rest of the batch.
 * Fixed-size samples, replaced record: advanced joint convexity (Balle, Barthe and Gaboardi 2018,
 *   theorem 10) gives the curve sum_k p_k delta_G(log(1 + (t-1)/gamma), b_k) for t >= 1 both ways,
 *   gamma = P(k >= 1): for each k forward with r = 1 - gamma + gamma exp(b_k x - b_k^2/2) on
 *   {r > 1} = {x > b_k/2}, backward on the same half line, and the rest of the mass at loss 0.
 * Laplace: with e = sensitivity/b the losses are e on x < 0, e - 2x/b between, and -e beyond. Pure
 *   privacy is dominated by randomised response (Kairouz, Oh and Viswanath 2015): atoms at
 *   +-epsilon.
 * Positive part of a Gaussian loss (mechanisms/objective.h): forward on {r > 1} = {x > mu/2}, and
 *   the rest of P's mass at loss 0. Q has less mass there, the rest of it where P has none.
 *
 * Hits beyond a cap are not cut off. Upper bounds exclude them by conditioning and add T P(K > cap)
 * to delta (the law of K is the same on both data sets, so P(S) <= P(any K > cap) + P_c(S) and
 * Q(S) >= (1 - P(any)) Q_c(S)). Lower bounds count them as no hit, which is a pair that the true
 * one dominates (both proofs above are monotone in the shifts). The tail is so small that the two
 * laws differ by less than the rounding of their weights, so one computation serves for both.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PI_ 3.14159265358979323846

enum {
  DPPAIR_LAW_NONE_ = 0,
  DPPAIR_LAW_GAUSSIAN_,
  DPPAIR_LAW_MIXTURE_,
  DPPAIR_LAW_OPPOSITE_,
  DPPAIR_LAW_AMPLIFIED_,
  DPPAIR_LAW_LAPLACE_,
  DPPAIR_LAW_RESPONSE_,
  DPPAIR_LAW_POSITIVE_,
  DPPAIR_LAW_TABLE_ /* a module's (composition/tables.h): no branches */
};

/* One step's dominating pair. */
typedef struct dppair_law_ {
  int kind;
  double steps;
  double mu;      /* Gaussian, positive part: shift; Laplace, response: the largest loss */
  double gamma;   /* amplified: chance of at least one hit */
  double rest;    /* chance of no hit */
  double failure; /* per step, added to delta */
  double slip;    /* relative error of each p_k, of gamma and of rest */
  int merged;     /* the hits are those of a law above the true one: no lower bounds */
  size_t terms;
  double p[DPPAIR_HIT_CAPACITY_], shift[DPPAIR_HIT_CAPACITY_];
  double noise;   /* table: the multiplier */
  size_t batches; /* of a run */
  int replaces;   /* 1: a replaced record, whose lower bounds are another pair's; 0: a zeroed one */
} dppair_law_;

/* 2 when the pair the other way round is another one, and both are to be composed. */
DPPAIR_FN_ int dppair_law_directions_(const dppair_law_ *law) {
  return law->kind == DPPAIR_LAW_MIXTURE_ || (law->kind == DPPAIR_LAW_TABLE_ && !law->replaces) ? 2
                                                                                                : 1;
}

enum { DPPAIR_FORWARD_ = 0, DPPAIR_BACKWARD_ = 1, DPPAIR_OPPOSITE_ = 2 };

/* One branch: r(x) = 1 + sum p[k] (exp(b[k] x - b[k]^2/2) - 1) = rest + sum p[k] exp(..), on x >
 * from when half is set. */
typedef struct dppair_branch_ {
  int shape, half;
  double from;
  double log_weight; /* of the whole branch */
  double reach;      /* largest b: 0 <= (log r)' <= reach */
  double rest;       /* no hit */
  double slip;       /* relative error of each p and of rest */
  size_t terms;
  double p[DPPAIR_HIT_CAPACITY_], b[DPPAIR_HIT_CAPACITY_];
} dppair_branch_;

/* Beyond these the exponentials of losses, or the squares of shifts, leave the doubles, and a
 * Laplace loss loses its digits: NO_CONVERGENCE, and other routes answer. */
#define DPPAIR_LAW_PURE_MOST_ 500.0
#define DPPAIR_LAW_NOISE_LEAST_ 1e-3
#define DPPAIR_LAW_NOISE_MOST_ 1e100
#define DPPAIR_LAW_LAPLACE_MOST_ 1e12

/* Is the noise multiplier of a step that is no epsilon within the range of the doubles? */
DPPAIR_FN_ dppair_status dppair_law_scale_(double multiplier, double most) {
  return multiplier > DPPAIR_LAW_NOISE_LEAST_ && multiplier < most ? DPPAIR_OK
                                                                   : DPPAIR_ERR_NO_CONVERGENCE;
}

/* How many branches a law has: two per number of hits when amplified, else one, or none where there
 * are atoms only. */
DPPAIR_FN_ size_t dppair_branches_(const dppair_law_ *law) {
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) return 2 * law->terms;
  return law->kind == DPPAIR_LAW_MIXTURE_ || law->kind == DPPAIR_LAW_OPPOSITE_ ||
                 law->kind == DPPAIR_LAW_POSITIVE_
             ? 1
             : 0;
}

/* The i-th branch of a law; backward: the direction to compose. */
DPPAIR_FN_ void dppair_branch_of_(dppair_branch_ *branch, const dppair_law_ *law, size_t i,
                                  int backward) {
  branch->half = 0;
  branch->from = branch->log_weight = 0.0;
  branch->slip = law->slip;
  branch->rest = law->rest;
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) {
    const double shift = law->shift[i / 2];
    branch->shape = i % 2 == 0 ? DPPAIR_FORWARD_ : DPPAIR_BACKWARD_;
    branch->half = 1;
    branch->from = 0.5 * shift;
    branch->log_weight = dppair_log_(law->p[i / 2]);
    branch->terms = 1;
    branch->p[0] = law->gamma;
    branch->b[0] = shift;
  } else if (law->kind == DPPAIR_LAW_POSITIVE_) {
    branch->shape = DPPAIR_FORWARD_;
    branch->half = 1;
    branch->from = 0.5 * law->mu;
    branch->terms = 1;
    branch->p[0] = 1.0;
    branch->b[0] = law->mu;
  } else {
    branch->shape = law->kind == DPPAIR_LAW_OPPOSITE_ ? DPPAIR_OPPOSITE_
                    : backward                        ? DPPAIR_BACKWARD_
                                                      : DPPAIR_FORWARD_;
    branch->terms = law->terms;
    memcpy(branch->p, law->p, law->terms * sizeof *law->p);
    memcpy(branch->b, law->shift, law->terms * sizeof *law->shift);
  }
  branch->reach = branch->b[branch->terms - 1];
}

/* The mass of a law at loss 0 (amplified: (1 - gamma) P(|N| < shift/2); positive part:
 * P(N > mu/2)). */
DPPAIR_FN_ double dppair_law_atom_(const dppair_law_ *law) {
  double sum = 0.0;
  size_t k;
  if (law->kind == DPPAIR_LAW_POSITIVE_)
    return 0.5 * dppair_erfc_(law->mu * (0.5 * 0.70710678118654752440));
  if (law->kind != DPPAIR_LAW_AMPLIFIED_) return 0.0;
  for (k = 0; k < law->terms; k++)
    sum += law->p[k] * dppair_erf_(law->shift[k] * (0.5 * 0.70710678118654752440));
  return law->rest * sum;
}

/* A bound of its relative error. The argument has 1.8 u, which counts |x erfc'(x)|/erfc(x) <= 2 x^2
 * + 1 = mu^2/4 + 1 times, and for erf once; sum and products u each. */
DPPAIR_FN_ double dppair_law_atom_error_(const dppair_law_ *law) {
  return DPPAIR_UNIT_ * (law->kind == DPPAIR_LAW_POSITIVE_
                             ? DPPAIR_ERFC_ERROR_ + 2.0 + 0.5 * law->mu * law->mu
                             : DPPAIR_ERF_ERROR_ + 4.0 + (double)law->terms);
}

/* log r(x) and what belongs to it. Convex in x: r is a sum of exponentials. */
typedef struct dppair_log_ratio_ {
  double value, slope;
  double share;  /* sum p_k e^(t_k)/r, t_k = b_k x - b_k^2/2: how much of r is hits */
  double spread; /* sum p_k |e^(t_k) - 1|/r, at most 1 when r < 1/2 */
} dppair_log_ratio_;

/* log r where exponentials overflow or all of r underflows: relative to the largest term. */
DPPAIR_FN_ void dppair_log_ratio_far_(dppair_log_ratio_ *g, const dppair_branch_ *branch,
                                      double x) {
  const double none = branch->rest > 0.0 ? dppair_log_(branch->rest) : -DBL_MAX;
  double top = none, share = 0.0, slope = 0.0, r;
  size_t k;
  for (k = 0; k < branch->terms; k++) {
    const double t = branch->b[k] * (x - 0.5 * branch->b[k]) + dppair_log_(branch->p[k]);
    if (t > top) top = t;
  }
  for (k = 0; k < branch->terms; k++) {
    const double e =
        dppair_exp_(branch->b[k] * (x - 0.5 * branch->b[k]) + dppair_log_(branch->p[k]) - top);
    share += e;
    slope += e * branch->b[k];
  }
  r = share + dppair_exp_(none - top);
  g->value = top + dppair_log_(r);
  g->slope = slope / r;
  g->share = share / r;
  g->spread = 1.0;
}

/* 1 when an exponential of r may overflow at x. b (x - b/2) <= x^2/2, so none does for x <= 34. */
DPPAIR_FN_ int dppair_log_ratio_is_far_(const dppair_branch_ *branch, double x) {
  size_t k;
  if (!(x > 34.0)) return 0;
  for (k = 0; k < branch->terms; k++)
    if (branch->b[k] * (x - 0.5 * branch->b[k]) > 600.0) return 1;
  return 0;
}

/* log r(x), from r - 1 where r is above 1/2, so that a small log r keeps its digits. */
DPPAIR_FN_ void dppair_log_ratio_of_(dppair_log_ratio_ *g, const dppair_branch_ *branch, double x) {
  double excess = 0.0, spread = 0.0, share = 0.0, slope = 0.0, r;
  size_t k;
  if (branch->terms == 1 && branch->p[0] >= 1.0) { /* plain Gaussian */
    g->value = branch->reach * (x - 0.5 * branch->reach);
    g->slope = branch->reach;
    g->share = 1.0;
    g->spread = 0.0;
    return;
  }
  if (dppair_log_ratio_is_far_(branch, x)) {
    dppair_log_ratio_far_(g, branch, x);
    return;
  }
  for (k = 0; k < branch->terms; k++) {
    const double b = branch->b[k], p = branch->p[k], t = b * (x - 0.5 * b);
    double e, less;
    if (t > 0.7 || t < -1.0) { /* e^t - 1 loses no digits here */
      e = dppair_exp_(t);
      less = e - 1.0;
    } else {
      less = dppair_expm1_(t);
      e = less + 1.0;
    }
    excess += p * less;
    spread += p * dppair_fabs_(less);
    share += p * e;
    slope += p * e * b;
  }
  if (excess > -0.5) {
    r = 1.0 + excess;
    g->value = excess > 0.5 ? dppair_log_(r) : dppair_log1p_(excess);
    g->spread = spread / r;
  } else { /* a sum of positive terms, each with its own relative error only */
    r = branch->rest + share;
    if (r < 1e-250) {
      dppair_log_ratio_far_(g, branch, x);
      return;
    }
    g->value = dppair_log_(r);
    g->spread = 1.0;
  }
  r = 1.0 / r;
  g->slope = slope * r;
  g->share = share * r;
}

/* A bound of the error of log r. exp, expm1, log, log1p, sin, cos and atan2 are within 2 ulp
 * (core/math_exp.h, math_log.h, math_circle.h). The arguments carry the rounding of products and of
 * 1/noise_multiplier.
 */
DPPAIR_FN_ double dppair_log_ratio_error_(const dppair_log_ratio_ *g, const dppair_branch_ *branch,
                                          double x) {
  return DPPAIR_UNIT_ *
             (6.0 * (g->share * branch->reach * (dppair_fabs_(x) + branch->reach)) +
              ((double)branch->terms + 12.0) * g->spread + 6.0 * dppair_fabs_(g->value)) +
         branch->slip * g->spread;
}

/* A branch at one x. */
typedef struct dppair_place_ {
  double loss;
  double log_mass;   /* of the density of P in x */
  double g, slope;   /* log r(x) and its slope */
  double mirror;     /* slope of log r at -x (opposite) */
  double loss_error; /* a bound */
} dppair_place_;

DPPAIR_FN_ void dppair_place_of_(dppair_place_ *place, const dppair_branch_ *branch, double x) {
  dppair_log_ratio_ g;
  dppair_log_ratio_of_(&g, branch, x);
  place->g = g.value;
  place->slope = g.slope;
  place->mirror = 0.0;
  place->log_mass = branch->log_weight - 0.5 * x * x - DPPAIR_LOG_SQRT_2PI_;
  place->loss = g.value;
  place->loss_error = dppair_log_ratio_error_(&g, branch, x);
  if (branch->shape == DPPAIR_BACKWARD_) {
    place->loss = -g.value;
  } else {
    place->log_mass += g.value;
    if (branch->shape == DPPAIR_OPPOSITE_) {
      dppair_log_ratio_of_(&g, branch, -x);
      place->loss -= g.value;
      place->mirror = g.slope;
      place->loss_error +=
          dppair_log_ratio_error_(&g, branch, x) + DPPAIR_UNIT_ * dppair_fabs_(place->loss);
    }
  }
}

/* The i-th node of the Gauss-Legendre rule with 16 nodes on [-1, 1], and its weight. */
DPPAIR_FN_ double dppair_legendre_(double *weight, int i) {
  static const double node[8] = {0.09501250983763744018531, 0.28160355077925891323046,
                                 0.45801677765722738634241, 0.61787624440264374844667,
                                 0.75540440835500303389510, 0.86563120238783174388046,
                                 0.94457502307323257607798, 0.98940093499164993259615};
  static const double weights[8] = {0.18945061045506849628539, 0.18260341504492358886676,
                                    0.16915651939500253818931, 0.14959598881657673208150,
                                    0.12462897125553387205247, 0.09515851168249278480992,
                                    0.06225352393864789286284, 0.02715245941175409485178};
  *weight = weights[i < 8 ? 7 - i : i - 8];
  return i < 8 ? -node[7 - i] : node[i - 8];
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

/* ---- src/accountant/mechanisms/amplified.h --------------------------------------------------
 * What the mechanisms that draw records share: charge, curve and law from the hits
 *
 * Relies on hits.h, renyi.h and dominating_pairs.h.
 * ---------------------------------------------------------------------------------------------- */

/* The noise and the relation of a step that draws. */
DPPAIR_FN_ dppair_status dppair_amplified_check_(const dppair_step *step, int proved) {
  if (!(step->noise_multiplier > 1e-6)) return DPPAIR_ERR_SIGMA;
  if (!proved) return DPPAIR_ERR_NO_PROOF;
  return dppair_adjacency_check_(step->sampling.adjacency);
}

/* If every record is certain to be drawn, it is a plain Gaussian step. */
DPPAIR_FN_ void dppair_amplified_charge_(dppair_charge_ *charge, const dppair_hit_law_ *law,
                                         const dppair_sampling *s) {
  charge->attained = dppair_hits_attained_(law, s);
  if (law->hits.rate < 1.0) return;
  charge->mu = dppair_up_(dppair_up_((double)law->hits.trials * law->unit));
  if (law->comparison == DPPAIR_OPPOSED_) charge->mu *= 2.0;
}

DPPAIR_FN_ dppair_status dppair_amplified_renyi_(dppair_renyi_ *r, const dppair_hit_law_ *law) {
  dppair_hits_ hits;
  const dppair_status status =
      dppair_hits_make_(&hits, law, r->cap, r->tail, 0, DPPAIR_HIT_CAPACITY_);
  if (status != DPPAIR_OK) return status;
  dppair_hits_raise_(&hits);
  r->unpaid = hits.tail;
  r->rdp = dppair_renyi_hits_(&hits, r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_amplified_law_(dppair_law_ *law, const dppair_hit_law_ *hit_law,
                                               double tail) {
  dppair_hits_ hits;
  /* amplified laws bound from above only */
  const int both = hit_law->comparison != DPPAIR_AMPLIFIED_;
  const dppair_status status =
      dppair_hits_make_(&hits, hit_law, 0, tail > DPPAIR_TAIL_LEAST_ ? tail : DPPAIR_TAIL_LEAST_,
                        both, both ? DPPAIR_HIT_CAPACITY_ : DPPAIR_AMPLIFIED_HITS_);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (hits.count == 1 && hits.gamma >= 1.0) {
    law->kind = DPPAIR_LAW_GAUSSIAN_;
    law->mu = hits.shift[0] * (hits.comparison == DPPAIR_OPPOSED_ ? 2.0 : 1.0);
    return DPPAIR_OK;
  }
  law->terms = hits.count;
  law->gamma = hits.gamma;
  law->rest = hits.miss;
  law->failure = hits.tail;
  law->merged = hits.merged;
  law->slip = hits.slip + 2.0 * hits.tail;
  memcpy(law->p, hits.probability, hits.count * sizeof *law->p);
  memcpy(law->shift, hits.shift, hits.count * sizeof *law->shift);
  if (hits.comparison != DPPAIR_AMPLIFIED_) {
    law->kind = hits.comparison == DPPAIR_OPPOSED_ ? DPPAIR_LAW_OPPOSITE_ : DPPAIR_LAW_MIXTURE_;
    return DPPAIR_OK;
  }
  law->kind = DPPAIR_LAW_AMPLIFIED_;
  for (k = 0; k < law->terms; k++) law->p[k] /= law->gamma;
  law->slip = 2.0 * law->slip + 2.0 * hits.tail / law->gamma + 4.0 * DPPAIR_UNIT_;
  return DPPAIR_OK;
}

/* ---- src/accountant/mechanisms/gaussian.h ---------------------------------------------------
 * Gaussian noise: sensitivity / sigma = 1 / multiplier
 *
 * An account sums mu^2, which composes on the exact curve (gaussian_curve.h).
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_gaussian_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_gaussian_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->mu = dppair_up_(1.0 / step->noise_multiplier);
}

DPPAIR_FN_ dppair_status dppair_gaussian_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = 0.5 * r->order / step->noise_multiplier / step->noise_multiplier;
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_gaussian_law_(dppair_law_ *law, const dppair_step *step,
                                              double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_GAUSSIAN_;
  law->mu = 1.0 / step->noise_multiplier;
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
}

/* ---- src/accountant/mechanisms/laplace.h ----------------------------------------------------
 * Laplace noise: l1 sensitivity / scale = 1 / multiplier
 *
 * With e = sensitivity / scale the losses are e on one side, -e on the other, and linear between;
 * none exceeds e. One coordinate that moves by all of the sensitivity is the worst case.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_laplace_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_laplace_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_up_(1.0 / step->noise_multiplier);
}

/* e^y - 1 - y >= 0. */
DPPAIR_FN_ double dppair_exp_excess_(double y) {
  double part, sum, k;
  if (dppair_fabs_(y) > 0.3) return dppair_expm1_(y) - y;
  sum = part = 0.5 * y * y;
  for (k = 3.0; k < 30.0; k += 1.0) {
    part *= y / k;
    sum += part;
    if (dppair_fabs_(part) <= 1e-17 * sum) break;
  }
  return sum;
}

/* The Renyi curve of the Laplace mechanism (Mironov 2017), e = sensitivity / scale. Where the first
 * of its two exponentials is above e^30, the other is below e^-60 of it; 1e-13 covers it and the
 * rounding. */
DPPAIR_FN_ double dppair_laplace_curve_(double e, double a) {
  const double up = (a - 1.0) * e, c = 2.0 * a - 1.0;
  double value;
  if (up < 30.0)
    value =
        dppair_log1p_((a * dppair_exp_excess_(up) + (a - 1.0) * dppair_exp_excess_(-a * e)) / c) /
        (a - 1.0);
  else
    value = e + (dppair_log_(a / c) + 1e-13) / (a - 1.0);
  return value < e ? value : e;
}

DPPAIR_FN_ dppair_status dppair_laplace_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_laplace_curve_(1.0 / step->noise_multiplier, r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_laplace_law_(dppair_law_ *law, const dppair_step *step,
                                             double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_LAPLACE_;
  law->mu = 1.0 / step->noise_multiplier;
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_LAPLACE_MOST_);
}

/* ---- src/accountant/mechanisms/pure.h -------------------------------------------------------
 * Any epsilon-private mechanism; the multiplier is epsilon
 *
 * Dominated by randomised response (Kairouz, Oh and Viswanath 2015), whose Renyi curve is the
 * largest one. The other pure mechanisms are charged by these functions too.
 * ---------------------------------------------------------------------------------------------- */

/* The Renyi curve of randomised response, the largest among all epsilon-private mechanisms:
 * log( tanh(e/2) sinh(y) + 2 sinh(y/2)^2 + 1 )/(a - 1), y = (a-1) e. From y = 30 on the sum is
 * e^y/(1 + e^-e) but for a relative e^-2y < 1e-25. */
DPPAIR_FN_ double dppair_pure_curve_(double epsilon, double a) {
  const double y = (a - 1.0) * epsilon;
  double value;
  if (y < 30.0) {
    const double half = dppair_sinh_(0.5 * y);
    value = dppair_tanh_(0.5 * epsilon) * dppair_sinh_(y) + 2.0 * half * half;
    value = dppair_log1p_(value) / (a - 1.0);
  } else {
    value = epsilon - (dppair_log1p_(dppair_exp_(-epsilon)) - 1e-25) / (a - 1.0);
  }
  return value < epsilon ? value : epsilon;
}

/* The law of randomised response: atoms at +-epsilon. */
DPPAIR_FN_ dppair_status dppair_pure_atoms_(dppair_law_ *law, double epsilon) {
  law->kind = DPPAIR_LAW_RESPONSE_;
  law->mu = epsilon;
  return epsilon > DPPAIR_LAW_PURE_MOST_ ? DPPAIR_ERR_NO_CONVERGENCE : DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_pure_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_EPSILON);
}

DPPAIR_FN_ void dppair_pure_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = step->noise_multiplier;
}

DPPAIR_FN_ dppair_status dppair_pure_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(step->noise_multiplier, r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_pure_law_(dppair_law_ *law, const dppair_step *step, double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, step->noise_multiplier);
}

/* ---- src/accountant/mechanisms/zcdp.h -------------------------------------------------------
 * Any rho-zCDP mechanism; the multiplier is rho
 *
 * Only its Renyi curve a rho is known: no pair of laws that dominates it. An account sums rho.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_zcdp_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_EPSILON);
}

DPPAIR_FN_ void dppair_zcdp_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->rho = step->noise_multiplier;
}

DPPAIR_FN_ dppair_status dppair_zcdp_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = r->order * step->noise_multiplier;
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_zcdp_law_(dppair_law_ *law, const dppair_step *step, double tail) {
  (void)law;
  (void)step;
  (void)tail;
  return DPPAIR_ERR_NO_PROOF;
}

/* ---- src/accountant/mechanisms/users.h ------------------------------------------------------
 * Gaussian noise on all pairs of a sample of records, where users are protected
 *
 * m of n records without replacement, their pairs over m (m-1); one user owns at most k = `owned`
 * of the n, a public number, and all of his records are replaced. J ~ hypergeometric(n, k, m) of
 * them are drawn. With gamma = P(J >= 1), t = e^epsilon and z the multiplier, which divides what
 * one record of the batch moves (dppair_sensitivity):
 *
 *   delta <= sum over j >= 1 of P(J = j) delta_G(log(1 + (t-1)/gamma), T(m, j)/((m-1) z))
 *
 * T: owners.h. One record (k = 1) is the law of records. Neither k times the epsilon of a record,
 * which is larger, nor the rate m/n for a user's, which is up to 1 - (1-m/n)^k: that is no bound.
 *
 * Proof. Both data sets have the same law of J and, given J = 0, of the batch: advanced joint
 * convexity (hits.h) leaves two comparisons. Given J = j, on both sides: couple the draws, and j of
 * the m records are replaced. Given J = j against J = 0: exchange the j records for j fresh ones of
 * others, of which there are enough when n - k >= m; a uniform subset again, and again j records
 * are replaced. Nothing but the number of the k records was used: those of a user who owns fewer
 * are among k that differ, if at all, on both sides. Relies on amplified.h.
 * ---------------------------------------------------------------------------------------------- */

/* The law of the hits of a step with owned > 0 that has been checked (dppair_sampling_owned_). */
DPPAIR_FN_ void dppair_hit_law_users_(dppair_hit_law_ *law, const dppair_sampling *s) {
  law->hits = dppair_hypergeometric_make_(s->n, s->owned, s->m);
  law->batch = s->m;
}

/* ---- src/accountant/mechanisms/sampled_gaussian.h -------------------------------------------
 * Gaussian noise on a statistic of drawn records
 *
 *   Poisson, zero-out      mixture, one hit with q, shift 1/z (added or zeroed)
 *   Poisson, replace-one   opposed, the same hit
 *   without replacement    replace-one: amplified, one hit with q, shift 1/z
 *   matching               the same
 *   with replacement       replace-one: amplified, K ~ Bin(m, 1/n), shift k/z
 *
 *   draws of modules       draws.h
 *
 * The same for users and for queries, where they are what is drawn. Where records are and users
 * are protected (`owned`): users.h.
 *
 * z is the multiplier (steps.h), and hits.h has the proofs. A combination that is not listed is
 * refused.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_sampled_gaussian_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_status status;
  switch ((int)s->kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_check_(step);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    break;
  }
  if (dppair_draw_known_(s->kind) != DPPAIR_OK) return DPPAIR_ERR_MODULE;
  status = dppair_amplified_check_(
      step, s->kind == DPPAIR_POISSON || s->kind == DPPAIR_WITHOUT_REPLACEMENT ||
                s->kind == DPPAIR_WITH_REPLACEMENT || s->kind == DPPAIR_MATCHING);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  status = dppair_sampling_fields_(s);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && s->group > 0) return DPPAIR_ERR_UNREAD; /* records */
  if (s->owned > 0) return dppair_sampling_owned_(s);
  return s->kind == DPPAIR_POISSON || dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* The law of the hits of a step that has been checked. */
DPPAIR_FN_ dppair_hit_law_ dppair_sampled_gaussian_hits_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_hit_law_ law;
  dppair_hit_law_once_(&law, s, 1.0 / step->noise_multiplier);
  if (s->kind == DPPAIR_POISSON) dppair_hit_law_poisson_(&law, s);
  if (s->kind == DPPAIR_WITH_REPLACEMENT) dppair_hit_law_draws_(&law, s, law.unit, 1);
  if (s->owned > 0) dppair_hit_law_users_(&law, s);
  return law;
}

DPPAIR_FN_ void dppair_sampled_gaussian_charge_(dppair_charge_ *charge, const dppair_step *step) {
  dppair_hit_law_ hits;
  switch ((int)step->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    dppair_##name##_charge_(charge, step);                                                         \
    return;
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    hits = dppair_sampled_gaussian_hits_(step);
    dppair_amplified_charge_(charge, &hits, &step->sampling);
  }
}

DPPAIR_FN_ dppair_status dppair_sampled_gaussian_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  dppair_hit_law_ hits;
  switch ((int)step->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_renyi_(r, step);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    hits = dppair_sampled_gaussian_hits_(step);
    return dppair_amplified_renyi_(r, &hits);
  }
}

DPPAIR_FN_ dppair_status dppair_sampled_gaussian_law_(dppair_law_ *law, const dppair_step *step,
                                                      double tail) {
  dppair_hit_law_ hits;
  dppair_status status;
  switch ((int)step->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_law_(law, step, tail);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    hits = dppair_sampled_gaussian_hits_(step);
  }
  status = dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
  return status == DPPAIR_OK ? dppair_amplified_law_(law, &hits, tail) : status;
}

/* ---- src/accountant/mechanisms/sampled_pairs.h ----------------------------------------------
 * Gaussian noise on a sum over drawn pairs
 *
 *   Poisson, zero-out      mixture, K ~ Bin(n-1, rate), shift k/z
 *   Poisson, replace-one   opposed, the same hits
 *   with replacement       amplified, K ~ Bin(m, 2/n), shift 2k/z (m counts pairs); of groups of g
 *                          different records, each any function of its records, Bin(m, g/n)
 *   matching               replace-one: amplified, one hit with q, shift 2/z; the same for groups
 *                          of more than two, whose vectors the multiplier then is about
 *
 * z is the multiplier (steps.h), and hits.h has the proofs. A combination that is not listed is
 * refused: pairs have no proof without replacement.
 * ---------------------------------------------------------------------------------------------- */

/* Every unordered pair is drawn with the pair rate: it and n are all that is read. A rate that was
 * lost must not make a step free. */
DPPAIR_FN_ dppair_status dppair_sampled_pairs_poisson_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if (s->q != 0.0 || s->m != 0 || s->batches != 0 || s->group != 0 || s->owned != 0)
    return DPPAIR_ERR_UNREAD;
  if (s->n < 2) return DPPAIR_ERR_SIZE;
  if (step->pair_rate < 0.0 || step->pair_rate > 1.0) return DPPAIR_ERR_DOMAIN;
  return step->pair_rate > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
}

DPPAIR_FN_ dppair_status dppair_sampled_pairs_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_status status = dppair_amplified_check_(step, s->kind == DPPAIR_POISSON ||
                                                           s->kind == DPPAIR_WITH_REPLACEMENT ||
                                                           s->kind == DPPAIR_MATCHING);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_POISSON) return dppair_sampled_pairs_poisson_check_(step);
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  status = dppair_sampling_fields_(s);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && dppair_sampling_group_(s) > s->n)
    return DPPAIR_ERR_SIZE;
  /* the bound for draws with replacement counts a replacement, which covers zeroing */
  return s->kind == DPPAIR_WITH_REPLACEMENT ||
                 dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* The law of the hits of a step that has been checked. */
DPPAIR_FN_ dppair_hit_law_ dppair_sampled_pairs_hits_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_hit_law_ law;
  dppair_hit_law_once_(&law, s, 1.0 / step->noise_multiplier * 2.0);
  if (s->kind == DPPAIR_POISSON) {
    dppair_hit_law_poisson_(&law, s);
    law.hits = dppair_binomial_make_(s->n - 1, step->pair_rate, 1.0 - step->pair_rate);
    law.unit = 1.0 / step->noise_multiplier;
  }
  if (s->kind == DPPAIR_WITH_REPLACEMENT)
    dppair_hit_law_draws_(&law, s, law.unit, dppair_sampling_group_(s));
  return law;
}

DPPAIR_FN_ void dppair_sampled_pairs_charge_(dppair_charge_ *charge, const dppair_step *step) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  dppair_amplified_charge_(charge, &hits, &step->sampling);
}

DPPAIR_FN_ dppair_status dppair_sampled_pairs_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  return dppair_amplified_renyi_(r, &hits);
}

DPPAIR_FN_ dppair_status dppair_sampled_pairs_law_(dppair_law_ *law, const dppair_step *step,
                                                   double tail) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  const dppair_status status = dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
  return status == DPPAIR_OK ? dppair_amplified_law_(law, &hits, tail) : status;
}

/* ---- src/accountant/mechanisms/randomised_response.h ----------------------------------------
 * Randomised response with two answers; the multiplier is epsilon
 *
 * The worst epsilon-private mechanism, so that all of pure.h is exact for it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_randomised_response_check_(const dppair_step *step) {
  return dppair_pure_check_(step);
}

DPPAIR_FN_ void dppair_randomised_response_charge_(dppair_charge_ *charge,
                                                   const dppair_step *step) {
  dppair_pure_charge_(charge, step);
}

DPPAIR_FN_ dppair_status dppair_randomised_response_renyi_(dppair_renyi_ *r,
                                                           const dppair_step *step) {
  return dppair_pure_renyi_(r, step);
}

DPPAIR_FN_ dppair_status dppair_randomised_response_law_(dppair_law_ *law, const dppair_step *step,
                                                         double tail) {
  return dppair_pure_law_(law, step, tail);
}

/* ---- src/accountant/mechanisms/objective.h --------------------------------------------------
 * Objective perturbation: the minimiser of a regularised convex loss with a random linear term
 *
 *     w = argmin  sum_i psi(w.u_i) + ridge/2 |w - centre|^2 + b.w,   |u_i| <= radius, b random
 *
 * psi is convex and falls: 0 <= -psi' <= slope and 0 <= psi'' <= curvature. In units in which
 * radius, slope and curvature are 1 the noise of b has the scale z, the noise multiplier, and the
 * ridge is the field of that name, ridge / (curvature radius^2). What is released is the exact w
 * (or a function of it; output noise that hides how far a computed one is from it is a charge of
 * its own). The centre, and the map that makes u_i of record i, may depend on earlier releases.
 *
 * Write a_i(w) = -psi'(w.u_i), in [0, 1]. The objective is ridge-strongly convex and twice
 * differentiable, so b -> w is a bijection with inverse b(w) = sum_i a_i u_i - ridge (w - centre)
 * and Jacobian -H(w), H = sum_i psi'' u_i u_i^T + ridge I. Replace u by u'. The same w needs b' = b
 * + v, v = a' u' - a u. The log-ratio of the densities of w is
 *
 *     log p(b)/p(b + v)  +  log det H/det H'.
 *
 * Determinants. With H0 the part of H without the record, det H/det H0 = 1 + psi'' u.H0^-1 u lies
 * in [1, 1 + 1/ridge], and so does det H'/det H0: the second term is at most eta = log(1 +
 * 1/ridge), the surplus.
 *
 * Pure privacy. p ~ exp(-|b|/z): the first term is at most |v|/z <= 2/z.
 *
 * Gaussian b. The first term is l(a, a') = (2 b.v + |v|^2)/(2 z^2), convex in (a, a'), hence at
 * most its maximum over the four corners (11, 10, 01, 00) of the square, where v = v_k is a FIXED
 * vector and l = l_k is the loss of a Gaussian mechanism. (v depends on b through w, so a bound on
 * the largest |v| by itself would prove nothing.) Let r = |u|, r' = |u'|, p = -u, q = u', c the
 * cosine of the angle between p and q, t = 1/z, X_k = exp(-l_k), delta_G the curve of a Gaussian
 * mechanism.
 *
 * Theorem. For real y let D(y) = E(1 - e^(y - max_k l_k))_+. For all r, r' <= 1 and c in [-1, 1],
 * D(y) <= A(y), its value at r = r' = c = 1:
 *
 *     A(y) = delta_G(y; 2t) for y >= 0,    A(y) = 1 - 2 e^y Phi(-t) for y < 0.
 *
 * Proof. D depends on the Gram matrix of p and q only. Put k = c r r' t^2: l_11 = l_10 + l_01 + k
 * and l_00 = 0. With G(m) = (1 - e^y m)_+, decreasing and convex, and K_kl = v_k.v_l t^2, Gaussian
 * integration by parts (Kahane 1986) says along any path
 *
 *     d/dt E G(min X) = (1/2) sum_kl K'_kl E[X_k X_l d_k d_l G(min X)]:
 *
 * a part with G'', of the sign of the change of |v_k|^2, k the smallest; and one that lives where
 * two corners tie for the minimum of X, of the sign of the change of |v_k - v_l|^2.
 *
 * (1) c >= 0. Let r, r', c grow to 1. Every |v_k|^2 grows, and so does
 *
 *     |v_k - v_l|^2 = (r da)^2 + (r' da')^2 + 2 c r r' da da',
 *
 * but for the pair (10, 01), which never ties for the maximum of l because l_11 + l_00 >= l_10 +
 * l_01. So D grows.
 *
 * (2) c < 0, with r, r' fixed. By the same formula (for c inside; D is continuous at the ends)
 *
 *     dD/dc = r r' t^2 { f_11(y) Pr[11 is the maximum | l_11 = y] - T },
 *
 * f_11 the density of l_11 and T the part of the tie l_10 = l_01 = l, that pair being the maximum
 * and l > y; 11 and 00 never tie at the maximum, since k < 0. The first term: l_11 = y is the
 * maximum only if l_10, l_01 >= -k, while l_10 + l_01 = y - k: it needs y >= -k. T: l >= l_11 =
 * 2l + k gives y < l <= -k: it needs y < -k. So D falls in c while -k > y and grows once -k <= y:
 * it is largest at an end of [-1, 0]. c = 0 is in (1).
 *
 * (3) c = -1. All v_k lie on one line, 0 and p + q between p and q; a loss is convex along the
 * line, so max l_k = max(l_10, l_01). |p|, |q|, |p - q| grow with r and r': worst at r = r' = 1,
 * where
 *
 *     D(y) = E(1 - e^(y - t|g| - t^2/2))_+ = 1 - 2 e^y Phi(-t)  for y <= t^2/2,
 *                                            2 delta_G(y; t)    for y >= t^2/2.
 *
 * y <= 0: equal to A. 0 < y <= t^2/2: with theta = e^y, A = E(1 - theta m)_+ is convex in theta and
 * equals 1 - 2 theta Phi(-t) for theta <= 1, hence lies above that line. y >= t^2/2: the derivative
 * of delta_G(y; m) in m is phi(d(m)), d(m) = m/2 - y/m, and d(2y/m) = -d(m). For m <= t the mirror
 * point 2t - m is >= m and <= 2y/m, because m (2t - m) <= t^2 <= 2y; so phi(d(2t - m)) >=
 * phi(d(m)), and integrated over m in [0, t], delta_G(y; 2t) - delta_G(y; t) >= delta_G(y; t). QED
 *
 * A zeroed record has u' = 0, or u = 0. Then v_k is 0 or p (q), D grows with the length of that
 * vector by (1), and A is the same with t in the place of 2t: the law of mu = 1/z, not of 2/z.
 *
 * The dominating pair. A is the curve of max(0, N(mu^2/2, mu^2)), mu = 2/z: E_P(1 - e^(y - L))_+ of
 * P with that loss and Q = e^-L P where P lives, the rest of Q's mass, 2 Phi(t) - 1, being where P
 * is not. Every loss has eta more, so the hockey stick of the mechanism at ANY real epsilon, for
 * every ordered pair of neighbours, is at most A(epsilon - eta): a dominating pair, in both orders
 * at once, since the relation of replacement is symmetric (of a zeroed record both orders were
 * covered). Such pairs compose adaptively (dominating_pairs.h): that r, r' and c depend on earlier
 * outputs costs nothing, because the bound holds for all of them. The Renyi moment of order a > 1
 * is a(a-1) int t^(a-2) H_t dt over the hockey sticks H_t, t > 0, where Q's part without P adds
 * nothing:
 *
 *     E e^((a-1) L) = Phi(-mu/2) + e^(a(a-1) mu^2/2) Phi((2a-1) mu/2).
 *
 * objective.h has the closed form beside plain Gaussian steps.
 * ---------------------------------------------------------------------------------------------- */

/* Both kinds: z and ridge, of records. One user's or one query's rows are many, for which nothing
 * is proved. */
DPPAIR_FN_ dppair_status dppair_objective_check_(const dppair_step *step) {
  const dppair_status status = dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(step->sampling.adjacency) != DPPAIR_OF_RECORDS_)
    return DPPAIR_ERR_ADJACENCY;
  return step->ridge >= 1e-280 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN; /* 0: the ridge was forgotten */
}

/* mu of the loss whose positive part the law is, rounded up. */
DPPAIR_FN_ double dppair_objective_mu_(const dppair_step *step) {
  return dppair_up_(dppair_step_moves_(step) / step->noise_multiplier);
}

DPPAIR_FN_ void dppair_objective_charge_(dppair_charge_ *charge, const dppair_step *step) {
  (void)step;
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

/*
 * log E e^((a-1) L)/(a-1) without the surplus. With v = a(a-1) mu^2/2, s = (2a-1) mu/2 and t = mu/2
 * the moment is 1 + (e^v - 1) Phi(s) + Phi(s) - Phi(t), and the last difference is at most (s - t)
 * phi(t), which is near it where it would cancel. A margin for that difference alone, the rest
 * being relative: erfc has 15 u twice, and the arguments' 1.8 u and 3.8 u count
 *
 *   x |erfc'(x)|/erfc(x) <= 2 x^2 + 1
 *
 * times, x^2 = t^2/2 at least, (s^2 + 1) erfc(s/sqrt 2) falling with s: 36 u + 6 u t^2 of Phi(-t),
 * u = 1.2e-16.
 */
DPPAIR_FN_ double dppair_positive_curve_(double mu, double a) {
  const double root = 0.70710678118654752440, t = 0.5 * mu, s = (a - 0.5) * mu;
  const double v = 0.5 * a * (a - 1.0) * mu * mu;
  double less, most;
  if (v > 30.0) return 0.5 * a * mu * mu + 1e-13 / (a - 1.0); /* log(1 + e^-v) is above the rest */
  most = 0.5 * dppair_erfc_(t * root);
  less = most - 0.5 * dppair_erfc_(s * root) + (5e-15 + 1e-15 * t * t) * most;
  most = (a - 1.0) * mu * DPPAIR_INV_SQRT_2PI_ * dppair_exp_(-0.5 * t * t);
  return dppair_log1p_(dppair_expm1_(v) * 0.5 * dppair_erfc_(-s * root) +
                       (less < most ? less : most)) /
         (a - 1.0);
}

DPPAIR_FN_ dppair_status dppair_objective_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp =
      dppair_step_surplus_(step) + dppair_positive_curve_(dppair_objective_mu_(step), r->order);
  return DPPAIR_OK;
}

/* The law without the surplus, which whoever composes it adds: dppair_steps_surplus_. */
DPPAIR_FN_ dppair_status dppair_objective_law_(dppair_law_ *law, const dppair_step *step,
                                               double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_POSITIVE_;
  law->mu = dppair_objective_mu_(step);
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
}

/* ---- src/accountant/mechanisms/dispatch.h ---------------------------------------------------
 * From a step to its mechanism
 *
 * The functions of mechanisms/NAME.h by the kind of a step, made from the table:
 *   dppair_NAME_check_   are the parameters in range, is every field that is read given and no
 *                        other, and is there a proof for them?
 *   dppair_NAME_charge_  what one run adds to an account
 *   dppair_NAME_renyi_   the Renyi divergence of one run
 *   dppair_NAME_law_     the dominating pair of one run, or NO_PROOF
 * The last three are for steps that have been checked. A kind of a module that is not here is
 * MODULE.
 * ---------------------------------------------------------------------------------------------- */

/* Is this a step that can be charged? The relation may be left out where nothing is drawn. */
DPPAIR_FN_ dppair_status dppair_step_check_(const dppair_step *step) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(step->kind);
  const dppair_sampling *s = &step->sampling;
  if (!dppair_isfinite_f64(step->noise_multiplier) || !dppair_isfinite_f64(s->q) ||
      !dppair_isfinite_f64(step->pair_rate) || !dppair_isfinite_f64(step->ridge))
    return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_DOMAIN;
  if (step->steps == 0) return DPPAIR_ERR_STEPS;
  if (!(row->reads & DPPAIR_READS_RIDGE_) && step->ridge != 0.0) return DPPAIR_ERR_UNREAD;
  if (s->adjacency != 0 && (dppair_adjacency_check_(s->adjacency) != DPPAIR_OK ||
                            !(row->relations & (int)dppair_adjacency_move_(s->adjacency))))
    return DPPAIR_ERR_ADJACENCY;
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    return dppair_##name##_check_(step);
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return DPPAIR_ERR_MODULE;
  }
}

/* What one run of a step that has been checked adds to an account; of a kind that is not here, more
 * than any account holds. */
DPPAIR_FN_ dppair_charge_ dppair_step_charge_(const dppair_step *step) {
  dppair_charge_ charge = {0.0, 0.0, 0.0, DPPAIR_ATTAINED_ALWAYS_};
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    dppair_##name##_charge_(&charge, step);                                                        \
    break;
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    charge.rho = HUGE_VAL;
    charge.attained = DPPAIR_ATTAINED_NEVER_;
  }
  return charge;
}

/* dppair_renyi for a step that has been checked. tail > 0: hits are capped where that is left. */
DPPAIR_FN_ dppair_status dppair_renyi_step_(double *rdp, double *unpaid, const dppair_step *step,
                                            double order, size_t cap, double tail) {
  dppair_renyi_ r = {order, tail, cap, 0.0, 0.0};
  dppair_status status = DPPAIR_ERR_DOMAIN;
  *rdp = *unpaid = 0.0;
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    status = dppair_##name##_renyi_(&r, step);                                                     \
    break;
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    break;
  }
  if (status != DPPAIR_OK) return status;
  r.rdp *= 1.0 + DPPAIR_RENYI_SLACK_;
  if (!dppair_isfinite_f64(r.rdp) || r.rdp < 0.0 || r.rdp >= 1e300) return DPPAIR_ERR_OVERFLOW;
  *unpaid = r.unpaid;
  *rdp = r.rdp > DBL_MIN ? r.rdp : DBL_MIN; /* underflow must not make a step free */
  return DPPAIR_OK;
}

/*
 * *rdp = the Renyi divergence of order a in (1, 1e12] that one execution of the step costs, rounded
 * up (within 1e-10 relative); of allocated records, one epoch of 1 of batches/group batches,
 * bounded by that of plain Gaussian noise. hit_cap is 0, or the largest number of hits on one
 * record that is counted; then *unpaid, the probability of more, must be added to delta once per
 * execution. With d0 = *unpaid, T executions and P_c the law of those in which no record has more,
 *
 *   P(E) <= T d0 + (1-d0)^T P_c(E),
 *
 * since the law of the hits is the same under both data sets. Errors: NULL, ENVIRONMENT,
 * NOT_FINITE, DOMAIN (order), OVERFLOW, and those of the step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_renyi(double *rdp, double *unpaid,
                                                        const dppair_step *step, double order,
                                                        size_t hit_cap) {
  dppair_status status;
  if (rdp == NULL || unpaid == NULL) return DPPAIR_ERR_NULL;
  *rdp = 0.0;
  *unpaid = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (step == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(order)) return DPPAIR_ERR_NOT_FINITE;
  if (!(order > 1.0) || order > 1e12) return DPPAIR_ERR_DOMAIN;
  status = dppair_step_check_(step);
  return status == DPPAIR_OK ? dppair_renyi_step_(rdp, unpaid, step, order, hit_cap, 0.0) : status;
}

/* The dominating pair of a step; `tail` is what hits beyond the cap may cost in delta, per run. */
DPPAIR_FN_ dppair_status dppair_law_of_(dppair_law_ *law, const dppair_step *step, double tail) {
  const dppair_status status = dppair_step_check_(step);
  const uint64_t runs = dppair_step_runs_(step);
  memset(law, 0, sizeof *law);
  law->steps = (double)runs;
  if (status != DPPAIR_OK) return status;
  if (runs > UINT64_C(1) << 53) return DPPAIR_ERR_OVERFLOW;
  switch ((int)step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    return dppair_##name##_law_(law, step, tail);
    DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return DPPAIR_ERR_MODULE;
  }
}

/* ---- src/accountant/account/ledger_entry.h --------------------------------------------------
 * A charge, and the check that chains the charges of an account
 *
 * Whatever is charged to an account is one entry, whether a ledger holds it or not. The account
 * numbers its entries and keeps a check of 64 bits over all of them, so that a ledger from which a
 * line was lost, or in which one was changed, does not replay. The check finds accidents; it is no
 * signature, since whoever can write the file can compute it. Relies on steps.h.
 * ---------------------------------------------------------------------------------------------- */

/* One entry. For mechanisms whose noise_multiplier is a noise scale over a sensitivity, sensitivity
 * and sigma (that scale) say where it comes from; both are 0 where they vary from step to step or
 * are not known. For other mechanisms both are 0. */
typedef struct dppair_ledger_entry {
  dppair_step step; /* its sampling states the neighbours, for plain steps too; or 0 */
  double sensitivity, sigma;
  double failure;    /* probability in [0, 1] that is added to delta (dppair_accountant_failure) */
  uint8_t nonce[16]; /* public random bits of whoever drew the noise's keys; 0: not recorded */
  uint64_t sequence; /* its number in the account, from 1 */
  uint64_t check;    /* of the account once it is charged */
} dppair_ledger_entry;

#define DPPAIR_LEDGER_LINE 512 /* characters: no line is longer */

/* Continues a check over the word at `place`; a word of 0 changes nothing. The rest is the
 * finaliser of MurmurHash3 (Appleby, public domain), which is a bijection. */
DPPAIR_FN_ uint64_t dppair_check_word_(uint64_t check, unsigned place, uint64_t word) {
  uint64_t h = (check ^ word) + place * UINT64_C(0x9e3779b97f4a7c15);
  if (word == 0) return check;
  h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
  h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
  return h ^ (h >> 33);
}

/* The same over the bits of a number; -0 is 0. */
DPPAIR_FN_ uint64_t dppair_check_number_(uint64_t check, unsigned place, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return dppair_check_word_(check, place, bits << 1 ? bits : 0);
}

/* The group of a sampling, as lines and checks have it: 0 where a matching's groups are pairs, as
 * they are unless a line says otherwise. */
DPPAIR_FN_ size_t dppair_ledger_group_(const dppair_sampling *draw) {
  return draw->kind == DPPAIR_MATCHING && draw->group == 2 ? 0 : draw->group;
}

/*
 * The check of an account whose check was `previous` and which is charged the entry: over the
 * entry's values, each at its place. Two entries that differ in one value have the same check with
 * probability 2^-64. It does not depend on the machine, nor on the text of a line.
 */
DPPAIR_FN_ uint64_t dppair_ledger_check_of_(uint64_t previous, const dppair_ledger_entry *entry) {
  const dppair_step *step = &entry->step;
  const dppair_sampling *draw = &step->sampling;
  uint64_t check = previous, half[2] = {0, 0};
  size_t i;
  for (i = 0; i < sizeof entry->nonce; i++) half[i / 8] = half[i / 8] << 8 | entry->nonce[i];
  check = dppair_check_word_(check, 1, entry->sequence);
  check = dppair_check_word_(check, 2, half[0]);
  check = dppair_check_word_(check, 3, half[1]);
  check = dppair_check_word_(check, 4, (uint64_t)step->kind);
  check = dppair_check_word_(check, 5, (uint64_t)draw->adjacency);
  check = dppair_check_word_(check, 6, (uint64_t)draw->kind);
  check = dppair_check_number_(check, 7, draw->q);
  check = dppair_check_word_(check, 8, draw->n);
  check = dppair_check_word_(check, 9, draw->m);
  check = dppair_check_number_(check, 10, step->pair_rate);
  check = dppair_check_number_(check, 11, step->noise_multiplier);
  check = dppair_check_word_(check, 12, step->steps);
  check = dppair_check_number_(check, 13, entry->failure);
  check = dppair_check_number_(check, 14, entry->sensitivity);
  check = dppair_check_number_(check, 15, entry->sigma);
  check = dppair_check_word_(check, 18, draw->batches); /* 16 and 17: dppair_accountant_merge */
  check = dppair_check_word_(check, 19, dppair_ledger_group_(draw));
  check = dppair_check_word_(check, 20, draw->owned);
  return dppair_check_number_(check, 21, step->ridge);
}

/* ---- src/accountant/account/account.h -------------------------------------------------------
 * The accountant: what has been released so far
 *
 * An account keeps plain Gaussian steps as one number, which composes on the exact curve, zCDP
 * steps as a sum of rho, and all other steps in a table of distinct mechanisms with their counts.
 * Every route evaluates the same table: Renyi orders (conversion.h) or numerical composition. When
 * the table is full, further distinct steps are added to Renyi curves at a fixed list of orders
 * (`folded`); from then on the account answers from those orders only. charges.h has the functions
 * that charge. Relies on steps.h, mechanisms/dispatch.h and ledger_entry.h.
 *
 * What is released may depend on earlier outputs. The parameters of a step and the number of steps
 * must not, because an epsilon that is itself a function of the outputs is no guarantee. If noise,
 * rates or the end of a run are chosen from outputs, use dppair_filter.
 *
 * Every answer holds for the neighbours of `adjacency`. dppair_accountant_neighbours states them;
 * plain steps, whose sensitivity rests on them, then need not. Without it `adjacency` is what all
 * steps state, and 0, unstated, once a step was charged that states nothing: the answers then hold
 * for whatever neighbours the sensitivities were computed for, and nothing can state them later.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STEP_CAPACITY 128 /* different steps that an account holds */
#define DPPAIR_ORDER_COUNT 150   /* Renyi orders */
#define DPPAIR_RECENT_CHARGES 64 /* charges that it remembers by themselves, to find one twice */

typedef struct dppair_accountant {
  uint32_t ready;             /* set by dppair_accountant_init */
  dppair_status broken;       /* why the first refused step was refused; OK: none was */
  dppair_adjacency adjacency; /* the neighbours that every answer holds for; 0: unstated */
  dppair_adjacency named;     /* what all steps state that state one, or the statement; else 0 */
  int stated;                 /* 1: by dppair_accountant_neighbours; -1: some step states none */
  int unattained;             /* some step is charged more than any two data sets attain */
  int folded;                 /* the table was full: answers come from the fixed orders */
  double gaussian;            /* sum of (sensitivity / sigma)^2 over plain Gaussian steps */
  double additions;           /* how often that sum was rounded up */
  double zcdp;                /* sum of rho */
  double pure;                /* sum of epsilon over the steps that have one */
  double failure;             /* probability that is added to delta */
  size_t count;               /* distinct steps in the table */
  uint64_t sequence;          /* charges so far */
  uint64_t check;             /* over all of them: dppair_ledger_check_of_ */
  uint64_t recent[DPPAIR_RECENT_CHARGES]; /* the latest checks, each at sequence % capacity */
  dppair_step step[DPPAIR_STEP_CAPACITY];
  double rdp[DPPAIR_ORDER_COUNT]; /* folded steps: their divergences at the fixed orders */
} dppair_accountant;

#define DPPAIR_ACCOUNTANT_READY_ UINT32_C(0x64707061)

/* The index-th fixed order, index < DPPAIR_ORDER_COUNT: 1.01 to 10001, geometric in order - 1. */
DPPAIR_FN_ double dppair_renyi_order_(size_t index) {
  const double log_million = 13.815510557964274;
  return 1.0 + 0.01 * dppair_exp_((double)index * (log_million / (DPPAIR_ORDER_COUNT - 1)));
}

/* Empties an account: nothing has been released. Errors: NULL. */
DPPAIR_API dppair_status dppair_accountant_init(dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  memset(a, 0, sizeof *a);
  a->ready = DPPAIR_ACCOUNTANT_READY_;
  a->broken = DPPAIR_OK;
  return DPPAIR_OK;
}

/* May the account be asked? MODULE: it holds steps that another file of the program charged, by a
 * module that is not here. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_accountant_usable_(const dppair_accountant *a) {
  dppair_status status;
  size_t i;
  if (a == NULL) return DPPAIR_ERR_NULL;
  if (a->ready != DPPAIR_ACCOUNTANT_READY_) return DPPAIR_ERR_DOMAIN;
  status = a->broken != DPPAIR_OK ? a->broken : dppair_environment_check();
  for (i = 0; status == DPPAIR_OK && i < a->count; i++) {
    status = dppair_mechanism_known_(a->step[i].kind);
    if (status == DPPAIR_OK) status = dppair_draw_known_(a->step[i].sampling.kind);
  }
  return status;
}

/* Breaks the account, which then refuses every question: a status that nobody looked at must not
 * become an epsilon that is too small. */
DPPAIR_FN_ dppair_status dppair_accountant_break_(dppair_accountant *a, dppair_status status) {
  if (a->broken == DPPAIR_OK) a->broken = status;
  return status;
}

/* May the account be charged? In another rounding mode sums would not be rounded up, so that breaks
 * the account too; so do steps of a module that is not here, beside which it would be added. */
DPPAIR_FN_ dppair_status dppair_accountant_open_(dppair_accountant *a) {
  const dppair_status status = dppair_accountant_usable_(a);
  return status == DPPAIR_ERR_ENVIRONMENT || status == DPPAIR_ERR_MODULE
             ? dppair_accountant_break_(a, status)
             : status;
}

/* x + y, rounded up, exact when one of them is 0. */
DPPAIR_FN_ double dppair_add_up_(double x, double y) {
  return x > 0.0 && y > 0.0 ? dppair_up_(x + y) : x + y;
}

/* Has a sum of charges stayed finite? Otherwise the account breaks. */
DPPAIR_FN_ dppair_status dppair_accountant_finite_(dppair_accountant *a, double x) {
  return dppair_isfinite_f64(x) ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
}

/* Joins what is known of the neighbours. ADJACENCY: a statement with steps that state none, or two
 * relations; nothing changes then. */
DPPAIR_FN_ dppair_status dppair_neighbours_join_(dppair_adjacency *all, int *all_stated,
                                                 dppair_adjacency named, int stated) {
  if (*all_stated * stated < 0 || (named != 0 && *all != 0 && named != *all))
    return DPPAIR_ERR_ADJACENCY;
  if (named != 0) *all = named;
  if (stated != 0) *all_stated = stated;
  return DPPAIR_OK;
}

/* The same for an account, which breaks. */
DPPAIR_FN_ dppair_status dppair_accountant_relate_(dppair_accountant *a, dppair_adjacency named,
                                                   int stated) {
  if (dppair_neighbours_join_(&a->named, &a->stated, named, stated) != DPPAIR_OK)
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  a->adjacency = a->stated < 0 ? (dppair_adjacency)0 : a->named;
  return DPPAIR_OK;
}

/* The neighbours of a charge that states `adjacency`: if that is 0, those of the account, if they
 * were stated. */
DPPAIR_FN_ dppair_adjacency dppair_accountant_adjacency_(const dppair_accountant *a,
                                                         dppair_adjacency adjacency) {
  return adjacency == 0 && a->stated > 0 ? a->adjacency : adjacency;
}

/* States the neighbours that all steps of the account are about; calling it again with the same
 * ones changes nothing. Another relation than what was stated before, or an account that holds a
 * step which states none: DPPAIR_ERR_ADJACENCY, and the account is broken. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_neighbours(dppair_accountant *a, dppair_adjacency adjacency) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_check_(adjacency) != DPPAIR_OK)
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  return dppair_accountant_relate_(a, adjacency, 1);
}

/* Numbers a charge that was made, and chains it. */
DPPAIR_FN_ void dppair_accountant_count_(dppair_accountant *a, const dppair_ledger_entry *charge) {
  dppair_ledger_entry next = *charge;
  next.sequence = ++a->sequence;
  a->check = dppair_ledger_check_of_(a->check, &next);
  a->recent[a->sequence % DPPAIR_RECENT_CHARGES] = a->check;
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_CHARGED, dppair_mechanism_name(charge->step.kind), NULL, 0, 0,
                         NULL, charge->sigma, charge->sensitivity, charge, a, DPPAIR_OK));
}

DPPAIR_FN_ dppair_status dppair_accountant_add_gaussian_(dppair_accountant *a, double mu2) {
  const double sum = dppair_add_up_(a->gaussian, mu2);
  a->additions += 1.0;
  if (!dppair_isfinite_f64(sum)) return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
  a->gaussian = sum;
  return DPPAIR_OK;
}

/* mu^2 steps, rounded up; 1e-150 is the smallest mu whose square is a normal number. */
DPPAIR_FN_ double dppair_squared_up_(double mu, size_t steps) {
  if (mu > 0.0 && mu < 1e-150) mu = 1e-150;
  return dppair_up_(dppair_up_(mu * mu * dppair_up_((double)steps)));
}

/* The same mechanism, whatever the counts. Doubles are compared by their bits. */
DPPAIR_FN_ int dppair_same_step_(const dppair_step *x, const dppair_step *y) {
  return x->kind == y->kind && x->sampling.kind == y->sampling.kind &&
         x->sampling.adjacency == y->sampling.adjacency &&
         memcmp(&x->sampling.q, &y->sampling.q, sizeof(double)) == 0 &&
         x->sampling.n == y->sampling.n && x->sampling.m == y->sampling.m &&
         x->sampling.batches == y->sampling.batches && x->sampling.owned == y->sampling.owned &&
         x->sampling.group == y->sampling.group &&
         memcmp(&x->noise_multiplier, &y->noise_multiplier, sizeof(double)) == 0 &&
         memcmp(&x->pair_rate, &y->pair_rate, sizeof(double)) == 0 &&
         memcmp(&x->ridge, &y->ridge, sizeof(double)) == 0;
}

/* Adds `step` to the curves at the fixed orders. Its hits are capped where 1e-13 in all is left,
 * and what is left is added to the failure probability. */
DPPAIR_RARE_ dppair_status dppair_accountant_fold_(dppair_accountant *a, const dppair_step *step) {
  const double times = (double)dppair_step_runs_(step), tail = 1e-13 / times;
  size_t i;
  double unpaid = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    double rdp, paid;
    const dppair_status status =
        dppair_renyi_step_(&rdp, &paid, step, dppair_renyi_order_(i), 0, tail);
    if (paid > unpaid) unpaid = paid;
    if (status == DPPAIR_ERR_OVERFLOW) {
      a->rdp[i] = DBL_MAX;
    } else if (status != DPPAIR_OK) {
      return status;
    } else if (a->rdp[i] < DBL_MAX) {
      const double total = dppair_add_up_(a->rdp[i], dppair_up_(rdp * times));
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
  }
  a->failure = dppair_add_up_(a->failure, dppair_up_(unpaid * times));
  a->folded = 1;
  return DPPAIR_OK;
}

/* Adds the step to the table, or to the fixed orders when the table is full. */
DPPAIR_FN_ dppair_status dppair_accountant_record_(dppair_accountant *a, const dppair_step *step) {
  dppair_status status;
  size_t i;
  for (i = 0; i < a->count; i++) {
    if (dppair_same_step_(&a->step[i], step)) {
      if (a->step[i].steps > SIZE_MAX - step->steps)
        return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
      a->step[i].steps += step->steps;
      return DPPAIR_OK;
    }
  }
  if (a->count < DPPAIR_STEP_CAPACITY) {
    a->step[a->count++] = *step;
    return DPPAIR_OK;
  }
  status = dppair_accountant_fold_(a, step);
  return status == DPPAIR_OK ? DPPAIR_OK : dppair_accountant_break_(a, status);
}

/* Adds a step that was checked; its neighbours were too. Where batches make epochs, every charge
 * begins one of its own, which is counted whole. */
DPPAIR_FN_ dppair_status dppair_accountant_add_(dppair_accountant *a, const dppair_step *step) {
  const dppair_charge_ charge = dppair_step_charge_(step);
  const size_t runs = dppair_step_runs_(step);
  const double times = dppair_up_((double)runs);
  if (charge.attained == DPPAIR_ATTAINED_NEVER_) a->unattained = 1;
  if (charge.mu > 0.0)
    return dppair_accountant_add_gaussian_(a, dppair_squared_up_(charge.mu, runs));
  if (charge.rho > 0.0) {
    a->zcdp = dppair_add_up_(a->zcdp, dppair_up_(charge.rho * times));
    return dppair_accountant_finite_(a, a->zcdp);
  }
  if (charge.pure > 0.0) { /* a largest loss, and a place in the table */
    dppair_status status;
    a->pure = dppair_add_up_(a->pure, dppair_up_(charge.pure * times));
    status = dppair_accountant_finite_(a, a->pure);
    if (status != DPPAIR_OK) return status;
  }
  if (dppair_sampling_has_epochs_(&step->sampling)) {
    dppair_step whole = *step;
    const size_t part = step->steps % step->sampling.batches;
    const size_t more = part > 0 ? step->sampling.batches - part : 0;
    if (more > SIZE_MAX - step->steps || runs == SIZE_MAX)
      return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
    whole.steps += more;
    return dppair_accountant_record_(a, &whole);
  }
  return dppair_accountant_record_(a, step);
}

/* Charges the entry's step and failure, and counts them. A step that is refused, or whose
 * neighbours are others than those of earlier steps, breaks the account. */
DPPAIR_FN_ dppair_status dppair_accountant_charge_(dppair_accountant *a,
                                                   const dppair_ledger_entry *entry) {
  dppair_ledger_entry charge = *entry;
  dppair_adjacency *adjacency = &charge.step.sampling.adjacency;
  dppair_status status;
  *adjacency = dppair_accountant_adjacency_(a, *adjacency);
  status = dppair_step_check_(&charge.step);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  charge.step.sampling.group = dppair_ledger_group_(&charge.step.sampling);
  status = dppair_accountant_relate_(a, *adjacency, *adjacency != 0 ? 0 : -1);
  if (status == DPPAIR_OK) status = dppair_accountant_add_(a, &charge.step);
  if (status != DPPAIR_OK) return status;
  a->failure = dppair_add_up_(a->failure, charge.failure);
  dppair_accountant_count_(a, &charge);
  return DPPAIR_OK;
}

/* ---- src/accountant/account/charges.h -------------------------------------------------------
 * Charging an account, one function for each mechanism, and adding up two accounts
 *
 * A charge that is refused breaks the account, which then refuses every question. Errors of all:
 * NULL, DOMAIN (an account without dppair_accountant_init), what broke it before, ENVIRONMENT,
 * NOT_FINITE, OVERFLOW; of a step SENSITIVITY (not > 0), SIGMA (not > 0), EPSILON, STEPS (0); of
 * what it says of a draw RATE, SIZE, UNREAD, ADJACENCY, DOMAIN, NO_PROOF. Relies on account.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Adds any step, described as in dppair_step. A step without a valid proof, or
 * whose adjacency contradicts an earlier one, breaks the account; the reason is returned. Plain
 * steps may leave out their adjacency.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_step(dppair_accountant *a,
                                                                  const dppair_step *step) {
  dppair_ledger_entry charge;
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (step == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  memset(&charge, 0, sizeof charge);
  charge.step = *step;
  return dppair_accountant_charge_(a, &charge);
}

DPPAIR_FN_ dppair_step dppair_step_make_(dppair_mechanism_kind kind, double multiplier,
                                         size_t steps) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = kind;
  step.noise_multiplier = multiplier;
  step.steps = steps;
  return step;
}

/* Are these a sensitivity and a noise scale? If not, the account breaks. */
DPPAIR_FN_ dppair_status dppair_accountant_scale_(dppair_accountant *a, double sensitivity,
                                                  double scale) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(sensitivity) || !dppair_isfinite_f64(scale))
    return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (!(sensitivity > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SENSITIVITY);
  return scale > 0.0 ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
}

/* Adds `steps` >= 1 releases with Gaussian noise sigma > 0 of statistics with this l2 sensitivity
 * > 0. A sensitivity of 0 is refused: constants need no noise, and 0 is what a function leaves
 * behind whose error nobody looked at. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_gaussian(dppair_accountant *a,
                                                                      double sensitivity,
                                                                      double sigma, size_t steps) {
  dppair_ledger_entry charge;
  double mu;
  dppair_status status = dppair_accountant_scale_(a, sensitivity, sigma);
  if (status != DPPAIR_OK) return status;
  if (steps == 0) return dppair_accountant_break_(a, DPPAIR_ERR_STEPS);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(DPPAIR_GAUSSIAN, 0.0, steps);
  charge.sensitivity = sensitivity;
  charge.sigma = sigma;
  charge.step.sampling.adjacency = dppair_accountant_adjacency_(a, (dppair_adjacency)0);
  status = dppair_accountant_relate_(a, (dppair_adjacency)0, a->stated > 0 ? 0 : -1);
  if (status != DPPAIR_OK) return status;
  mu = dppair_up_(sensitivity / sigma);
  status = dppair_accountant_add_gaussian_(a, dppair_squared_up_(mu > 0.0 ? mu : 1e-150, steps));
  if (status == DPPAIR_OK) dppair_accountant_count_(a, &charge);
  return status;
}

/* Charges `steps` steps whose multiplier is scale / sensitivity, rounded down; one that is unusable
 * breaks the account. */
DPPAIR_FN_ dppair_status dppair_accountant_scaled_(dppair_accountant *a, dppair_mechanism_kind kind,
                                                   const dppair_sampling *sampling,
                                                   double pair_rate, double sensitivity,
                                                   double scale, size_t steps) {
  dppair_ledger_entry charge;
  double z;
  const dppair_status status = dppair_accountant_scale_(a, sensitivity, scale);
  if (status != DPPAIR_OK) return status;
  z = dppair_down_(scale / sensitivity);
  if (!dppair_isfinite_f64(z)) z = 1e300;
  if (!(z > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(kind, z, steps);
  charge.step.sampling = *sampling;
  charge.step.pair_rate = pair_rate;
  charge.sensitivity = sensitivity;
  charge.sigma = scale;
  return dppair_accountant_charge_(a, &charge);
}

/* Adds `steps` releases with Laplace noise of this scale per coordinate; the sensitivity is in the
 * l1 norm. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_laplace(dppair_accountant *a,
                                                                     double l1_sensitivity,
                                                                     double scale, size_t steps) {
  dppair_sampling none;
  memset(&none, 0, sizeof none);
  return dppair_accountant_scaled_(a, DPPAIR_LAPLACE, &none, 0.0, l1_sensitivity, scale, steps);
}

/* Adds `steps` releases by any epsilon-private mechanism. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_pure(dppair_accountant *a,
                                                                  double epsilon, size_t steps) {
  const dppair_step step = dppair_step_make_(DPPAIR_PURE, epsilon, steps);
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` Gaussian releases of a statistic of freshly sampled records. dppair_step says for
 * each kind of sampling which move `sensitivity` is. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_sampled_gaussian(dppair_accountant *a, dppair_sampling sampling,
                                   double sensitivity, double sigma, size_t steps) {
  return dppair_accountant_scaled_(a, DPPAIR_SAMPLED_GAUSSIAN, &sampling, 0.0, sensitivity, sigma,
                                   steps);
}

/* Adds `steps` Gaussian releases of a sum of the vectors of freshly sampled pairs, each of norm <=
 * pair_clip, n records. Poisson: every unordered pair is drawn with probability sampling.q and
 * gives one vector. With replacement: m independent uniform pairs. Matching: m records, so m/2
 * pairs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_sampled_pairs(
    dppair_accountant *a, dppair_sampling sampling, double pair_clip, double sigma, size_t steps) {
  double pair_rate = 0.0;
  if (sampling.kind == DPPAIR_POISSON) {
    pair_rate = sampling.q;
    sampling.q = 0.0;
  }
  return dppair_accountant_scaled_(a, DPPAIR_SAMPLED_PAIRS, &sampling, pair_rate, pair_clip, sigma,
                                   steps);
}

/* Adds gamma in [0, 1] to delta: the probability, under both data sets, of an event in which the
 * account may be wrong (more hits than a cap, a bound that holds with high probability). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_failure(dppair_accountant *a,
                                                                     double gamma) {
  dppair_ledger_entry charge;
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(gamma)) return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (gamma < 0.0 || gamma > 1.0) return dppair_accountant_break_(a, DPPAIR_ERR_DOMAIN);
  if (!(gamma > 0.0)) return DPPAIR_OK; /* no charge */
  memset(&charge, 0, sizeof charge);
  charge.failure = gamma;
  a->failure = dppair_add_up_(a->failure, gamma);
  dppair_accountant_count_(a, &charge);
  return DPPAIR_OK;
}

/*
 * Sequential composition: adds everything in b to a. Relations that differ, or a relation that one
 * of the two was told (dppair_accountant_neighbours) beside steps of the other that state none,
 * break a. a then counts the charges of both, and its check covers both checks, but it is no longer
 * the chain of one ledger: to go on, charge the two accounts and merge copies of them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_merge(dppair_accountant *a,
                                                                   const dppair_accountant *b) {
  dppair_status status = dppair_accountant_open_(a);
  size_t i;
  if (status != DPPAIR_OK) return status;
  status = dppair_accountant_usable_(b);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  status = dppair_accountant_relate_(a, b->named, b->stated);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < b->count; i++) {
    status = dppair_accountant_add_(a, &b->step[i]);
    if (status != DPPAIR_OK) return status;
  }
  a->zcdp = dppair_add_up_(a->zcdp, b->zcdp);
  a->failure = dppair_add_up_(a->failure, b->failure);
  if (b->folded) {
    for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
      const double total = dppair_add_up_(a->rdp[i], b->rdp[i]);
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
    a->folded = 1;
  }
  status = dppair_accountant_finite_(a, a->zcdp);
  if (status != DPPAIR_OK) return status;
  a->additions += b->additions;
  a->unattained |= b->unattained;
  if (b->gaussian > 0.0) status = dppair_accountant_add_gaussian_(a, b->gaussian);
  if (status == DPPAIR_OK && b->sequence > 0) {
    a->sequence += b->sequence;
    a->check = dppair_check_word_(a->check, 16, b->sequence);
    a->check = dppair_check_word_(a->check, 17, b->check);
    memset(a->recent, 0, sizeof a->recent);
    a->recent[a->sequence % DPPAIR_RECENT_CHARGES] = a->check;
  }
  return status;
}

/* ---- src/accountant/composition/objective.h -------------------------------------------------
 * Objective perturbation beside plain Gaussian steps, in closed form
 *
 * With mu_before of all plain Gaussian steps together, before or after, L their loss, mu and eta
 * those of the perturbed objective (mechanisms/objective.h) and x = epsilon - eta >= 0,
 *
 *     delta <= E A(x - L),  L ~ N(mu_before^2/2, mu_before^2)
 *           <= delta_G(x; sqrt(mu_before^2 + mu^2))
 *              + e^x Phi(-x/mu_before - mu_before/2) (2 Phi(mu/2) - 1).
 *
 * Proof. The first is the composition of the two dominating pairs. For the second, A(y) exceeds the
 * Gaussian curve E(1 - e^(y - N))_+, N ~ N(mu^2/2, mu^2), by at most e^y E(e^-N - 1)_+ = e^y (2
 * Phi(mu/2) - 1) for y < 0, and not at all for y >= 0; E e^-L over L > x is the tail. It is tight
 * but for eta and, where delta is large, a few percent. QED Below eta a chord is above the curve,
 * which is convex in e^epsilon and 1 where that is 0:
 *
 *     delta(epsilon) <= 1 - e^x (1 - delta(eta)).
 *
 * Relies on gaussian_curve.h, account.h and mechanisms/objective.h.
 * ---------------------------------------------------------------------------------------------- */

/* e^x Phi(-x/mu - mu/2) = phi(t) R(t + mu), t = x/mu - mu/2, rounded up; x >= 0. */
DPPAIR_FN_ double dppair_loss_tail_(double x, double mu) {
  const double ratio = x / mu, t = ratio - 0.5 * mu;
  if (mu <= 0.0 || dppair_fabs_(t) >= 1e100) return 0.0; /* no double is as small */
  return DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, dppair_curve_lost_(x, mu, ratio, t)) *
         dppair_mills_(ratio + 0.5 * mu) * (1.0 + DPPAIR_CURVE_SLACK_);
}

/* A bound of delta at an epsilon that is `below` less than one where delta is at most `delta`. */
DPPAIR_FN_ double dppair_delta_chord_(double delta, double below) {
  return dppair_up_(1.0 -
                    dppair_down_(dppair_down_(dppair_exp_(-below))) * dppair_down_(1.0 - delta));
}

/* The closed form, rounded up, at most 1. All arguments are finite, mu > 0, before >= 0. */
DPPAIR_FN_ double dppair_objective_upper_(double epsilon, double before, double mu,
                                          double surplus) {
  const double over = epsilon - surplus, x = over > 0.0 ? dppair_down_(over) : 0.0;
  double delta;
  if (dppair_gaussian_delta(&delta, x, dppair_hypot_(before, mu) * (1.0 + 8.0 * DPPAIR_UNIT_)) !=
      DPPAIR_OK)
    return 1.0;
  delta += dppair_loss_tail_(x, before) * dppair_erf_(0.5 * 0.70710678118654752440 * mu);
  delta *= 1.0 + 1e-14; /* erf's 8 u, its argument's 1.8 u, which count once at most, and two u */
  if (!(over >= 0.0)) delta = dppair_delta_chord_(delta, dppair_up_(-over));
  return delta < 1.0 ? delta : 1.0; /* 1 for a NaN */
}

/* Is one run of a perturbed objective all that the account holds beside plain Gaussian steps? */
DPPAIR_FN_ int dppair_accountant_is_objective_(const dppair_accountant *a) {
  return dppair_accountant_usable_(a) == DPPAIR_OK && a->count == 1 && !a->folded &&
         a->zcdp <= 0.0 && a->step[0].steps == 1 &&
         dppair_mechanism_is_objective_(a->step[0].kind) &&
         !dppair_mechanism_is_pure_(a->step[0].kind);
}

/* The closed form of such an account at epsilon, without failures. */
DPPAIR_FN_ double dppair_objective_at_(const dppair_accountant *a, double epsilon) {
  return dppair_objective_upper_(epsilon, dppair_up_(dppair_sqrt_(a->gaussian)),
                                 dppair_objective_mu_(&a->step[0]),
                                 dppair_step_surplus_(&a->step[0]));
}

/* The smallest epsilon of such an account at which the closed form is at most delta, by bisection:
 * what is returned was asked. OVERFLOW: none up to 1e300. */
DPPAIR_FN_ dppair_status dppair_objective_epsilon_(double *epsilon, const dppair_accountant *a,
                                                   double delta) {
  double low = 0.0, high = 1.0;
  int i;
  *epsilon = 0.0;
  if (dppair_objective_at_(a, 0.0) <= delta) return DPPAIR_OK;
  while (dppair_objective_at_(a, high) > delta) {
    low = high;
    high *= 2.0;
    if (!(high < 1e300)) return DPPAIR_ERR_OVERFLOW;
  }
  for (i = 0; i < 1100 && high - low > 4.0 * DPPAIR_UNIT_ * high; i++) {
    const double middle = low + 0.5 * (high - low);
    if (dppair_objective_at_(a, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  *epsilon = high;
  return DPPAIR_OK;
}

/* What a perturbed objective may cost, and what is known of it but its noise. */
typedef struct dppair_objective_budget_ {
  double epsilon, delta, before; /* delta = 0: noise of density exp(-|b|/z) */
  double ridge, ratio;           /* the ridge is ridge + ratio z */
  dppair_adjacency adjacency;
} dppair_objective_budget_;

/* Does the noise multiplier z suffice? A trace of delta is left, so that the same question in
 * another order of rounding has the same answer. */
DPPAIR_FN_ int dppair_objective_suffices_(const dppair_objective_budget_ *b, double z) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = b->delta > 0.0 ? DPPAIR_OBJECTIVE : DPPAIR_PURE_OBJECTIVE;
  step.noise_multiplier = z;
  step.sampling.adjacency = b->adjacency;
  step.ridge = b->ridge + b->ratio * z;
  if (!(step.ridge >= 1e-280)) return 0;
  if (!(b->delta > 0.0)) return dppair_step_pure_(&step) <= b->epsilon;
  return dppair_objective_upper_(b->epsilon, b->before, dppair_up_(dppair_step_moves_(&step) / z),
                                 dppair_step_surplus_(&step)) <= b->delta * (1.0 - 1e-12);
}

/* *z: the smallest noise multiplier that suffices, to 13 digits and not below 2e-3. EXHAUSTED: none
 * up to 1e30 does. */
DPPAIR_FN_ dppair_status dppair_objective_find_(double *z, const dppair_objective_budget_ *b) {
  double low = 1e-3, high = 2e-3;
  *z = 0.0;
  while (!dppair_objective_suffices_(b, high)) {
    low = high;
    high *= 2.0;
    if (!(high < 1e30)) return DPPAIR_ERR_EXHAUSTED;
  }
  while (high - low > 1e-13 * high) {
    const double middle = low + 0.5 * (high - low);
    if (dppair_objective_suffices_(b, middle))
      high = middle;
    else
      low = middle;
  }
  *z = high;
  return DPPAIR_OK;
}

/*
 * *delta >= that of an objective perturbed with Gaussian noise (DPPAIR_OBJECTIVE) of this noise
 * multiplier and ridge, both > 0 as in dppair_step, where one record is replaced, beside releases
 * that are mu_before-Gaussian private, mu_before >= 0; at this epsilon >= 0, which should be above
 * log(1 + 1/ridge). An account that holds just that answers the same without memory. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, SIGMA, DOMAIN (mu_before, ridge).
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_objective_delta_(double *delta, double epsilon,
                                                                   double mu_before,
                                                                   double noise_multiplier,
                                                                   double ridge) {
  dppair_step step;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu_before) ||
      !dppair_isfinite_f64(noise_multiplier) || !dppair_isfinite_f64(ridge))
    return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(noise_multiplier > 0.0)) return DPPAIR_ERR_SIGMA;
  if (!(mu_before >= 0.0 && ridge >= 1e-280)) return DPPAIR_ERR_DOMAIN;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_OBJECTIVE;
  step.noise_multiplier = noise_multiplier;
  step.ridge = ridge;
  *delta = dppair_objective_upper_(epsilon, mu_before, dppair_up_(2.0 / noise_multiplier),
                                   dppair_step_surplus_(&step));
  return DPPAIR_OK;
}

/*
 * *noise_multiplier: the smallest one with which an objective that is perturbed at the ridge `ratio
 * * noise_multiplier` stays within (epsilon, delta) beside releases that are mu_before-Gaussian
 * private: those of an account before the plan, and the plan's trace, are one by the root of the
 * sum of squares. One record is replaced. A plan with this noise_multiplier, ridge = ratio *
 * noise_multiplier and epsilon = delta = 0 then is charged as it is, and the account answers at
 * most epsilon. delta = 0: DPPAIR_PURE_OBJECTIVE at epsilon, mu_before = 0. Errors: NULL,
 * ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (mu_before, ratio); EXHAUSTED: no noise suffices.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_objective_noise(double *noise_multiplier,
                                                                  double epsilon, double delta,
                                                                  double mu_before, double ratio) {
  dppair_objective_budget_ b = {epsilon, delta, mu_before, 0.0, ratio, DPPAIR_REPLACE_ONE};
  if (noise_multiplier == NULL) return DPPAIR_ERR_NULL;
  *noise_multiplier = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta) ||
      !dppair_isfinite_f64(mu_before) || !dppair_isfinite_f64(ratio))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (!(mu_before >= 0.0 && ratio > 0.0) || (delta <= 0.0 && mu_before > 0.0))
    return DPPAIR_ERR_DOMAIN;
  b.before *= 1.0 + 1e-13; /* an account that sums squares has no less */
  return dppair_objective_find_(noise_multiplier, &b);
}

/* ---- src/accountant/composition/conversion.h ------------------------------------------------
 * Conversion: the account as (epsilon, delta)
 *
 * The exact curve for Gaussian accounts, else the best Renyi order, else sums of pure epsilons.
 * ---------------------------------------------------------------------------------------------- */

/* The Renyi divergence of order a of everything but the folded steps; DBL_MAX: no bound. Hits are
 * capped where together at most `tail` is left; *unpaid is what is left, to be added to delta. */
DPPAIR_FN_ double dppair_accountant_curve_(double *unpaid, const dppair_accountant *a, double order,
                                           double tail) {
  double total = order * (0.5 * a->gaussian + a->zcdp);
  size_t i, capped = 0;
  *unpaid = 0.0;
  for (i = 0; i < a->count; i++) capped += (size_t)dppair_step_is_sampled_(&a->step[i]);
  for (i = 0; i < a->count; i++) {
    const dppair_step *step = &a->step[i];
    const double times = (double)dppair_step_runs_(step);
    const double part = capped > 0 ? tail / ((double)capped * times) : tail;
    double rdp, paid;
    if (dppair_renyi_step_(&rdp, &paid, step, order, 0, part > 1e-305 ? part : 1e-305) != DPPAIR_OK)
      return DBL_MAX;
    total += rdp * times;
    *unpaid += paid * times;
    if (!dppair_isfinite_f64(total)) return DBL_MAX;
  }
  *unpaid *= 1.0 + 1e-12;
  return total * (1.0 + 1e-14);
}

/* One question to an account: epsilon at a delta, or delta at an epsilon. */
typedef struct dppair_conversion_ {
  const dppair_accountant *a;
  double tail;    /* what capped hits may leave to delta */
  double delta;   /* > 0: asks for epsilon at this delta, from which failures are to be taken off */
  double epsilon; /* otherwise: asks for delta at this epsilon */
  double floor;   /* no order above the one converted last gives a smaller answer than this */
} dppair_conversion_;

/* epsilon of an order; see dppair_convert_. DBL_MAX when nothing is left of delta. */
DPPAIR_FN_ double dppair_convert_to_epsilon_(dppair_conversion_ *c, double order, double rdp,
                                             double unpaid) {
  const double head = dppair_log1p_(-1.0 / order);
  const double rest = c->delta - dppair_up_(dppair_add_up_(c->a->failure, unpaid));
  double value;
  if (!(rest > 0.0)) return DBL_MAX;
  value = rdp + head - (dppair_log_(rest) + dppair_log_(order)) / (order - 1.0);
  c->floor = rdp + head - dppair_log_(order) / (order - 1.0);
  value += 1e-14 * (dppair_fabs_(rdp) + dppair_fabs_(head) + 700.0 / (order - 1.0));
  return value <= 0.0 ? 0.0 : value < DBL_MAX ? value : DBL_MAX; /* DBL_MAX of a NaN */
}

/* delta of an order, solved for in the same formula. */
DPPAIR_FN_ double dppair_convert_to_delta_(dppair_conversion_ *c, double order, double rdp,
                                           double unpaid) {
  const double head = dppair_log1p_(-1.0 / order);
  double log_delta = (order - 1.0) * (rdp - c->epsilon + head) - dppair_log_(order);
  double delta;
  log_delta += 1e-14 * ((order - 1.0) * (rdp + c->epsilon - head) + dppair_log_(order) + 1.0);
  c->floor = rdp > c->epsilon - head ? DBL_MAX : 0.0;
  if (log_delta > 0.0) log_delta = 0.0;
  delta = dppair_exp_(log_delta) * (1.0 + 1e-13) + unpaid + c->a->failure;
  if (delta < DBL_MIN) delta = DBL_MIN;
  return delta < 1.0 ? delta : 1.0;
}

/*
 * (epsilon, delta) from the Renyi divergence r of order a (Canonne, Kamath and Steinke 2020,
 * Proposition 12; the same as Balle et al. 2020, Theorem 21):
 *   epsilon = r + log(1 - 1/a) - log(a delta)/(a - 1),
 * rounded up: |log delta| <= 700.
 */
DPPAIR_FN_ double dppair_convert_(dppair_conversion_ *c, double order, double rdp, double unpaid) {
  if (rdp >= DBL_MAX) {
    c->floor = DBL_MAX;
    return DBL_MAX;
  }
  c->floor = 0.0;
  return c->delta > 0.0 ? dppair_convert_to_epsilon_(c, order, rdp, unpaid)
                        : dppair_convert_to_delta_(c, order, rdp, unpaid);
}

/* What the order 1 + e^s answers. */
DPPAIR_FN_ double dppair_convert_at_(dppair_conversion_ *c, double s) {
  const double order = 1.0 + dppair_exp_(s);
  double unpaid;
  const double rdp = dppair_accountant_curve_(&unpaid, c->a, order, c->tail);
  return dppair_convert_(c, order, rdp, unpaid);
}

/* Folded accounts: the best of the fixed orders. */
DPPAIR_FN_ double dppair_convert_folded_(double *order, dppair_conversion_ *c) {
  double best = DBL_MAX;
  size_t i;
  *order = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    const double a = dppair_renyi_order_(i);
    double unpaid, rdp, value;
    if (c->a->rdp[i] >= DBL_MAX) break;
    rdp = dppair_accountant_curve_(&unpaid, c->a, a, c->tail);
    rdp = rdp < DBL_MAX ? dppair_up_(rdp + c->a->rdp[i]) : rdp;
    value = dppair_convert_(c, a, rdp, unpaid);
    if (value < best) {
      best = value;
      *order = a;
    }
    if (c->floor >= best) break;
  }
  return best;
}

/* Improves the best answer so far, at order 1 + e^at, by golden section: 22 rounds narrow the two
 * intervals of a scan beside it, each `pace` wide, to 5e-5 of their width. */
DPPAIR_FN_ void dppair_convert_narrow_(double *best, double *at, dppair_conversion_ *c,
                                       double pace) {
  const double golden = 0.61803398874989484820;
  double low = *at - pace, high = *at + pace;
  double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
  double f1 = dppair_convert_at_(c, x1), f2 = dppair_convert_at_(c, x2);
  int i;
  for (i = 0; i < 22; i++) {
    if (f1 <= f2) {
      high = x2;
      x2 = x1;
      f2 = f1;
      x1 = high - golden * (high - low);
      f1 = dppair_convert_at_(c, x1);
    } else {
      low = x1;
      x1 = x2;
      f1 = f2;
      x2 = low + golden * (high - low);
      f2 = dppair_convert_at_(c, x2);
    }
    if (f1 < *best) {
      *best = f1;
      *at = x1;
    }
    if (f2 < *best) {
      *best = f2;
      *at = x2;
    }
  }
}

/* Does the account hold steps that cost more between whole orders than at them? */
DPPAIR_FN_ int dppair_accountant_has_whole_(const dppair_accountant *a) {
  size_t i;
  for (i = 0; i < a->count; i++)
    if (dppair_mechanism_is_whole_(a->step[i].kind)) return 1;
  return 0;
}

/* The same of the whole orders on both sides of the best one. */
DPPAIR_FN_ void dppair_convert_whole_(double *best, double *at, dppair_conversion_ *c) {
  const double low = dppair_floor_(1.0 + dppair_exp_(*at));
  int k;
  for (k = 0; k < 2; k++) {
    const double order = low + k, s = dppair_log_(order - 1.0);
    double unpaid, value;
    if (!(order >= 2.0)) continue;
    value = dppair_accountant_curve_(&unpaid, c->a, order, c->tail);
    value = dppair_convert_(c, order, value, unpaid);
    if (!(value < *best)) continue;
    *best = value;
    *at = s;
  }
}

/*
 * The best order. Every order gives a valid bound, so that the search can only lose tightness: a
 * scan over s = log(order - 1), orders 1.0009 to 2.7e8, which ends where larger orders cannot win,
 * and golden section around the winner.
 */
DPPAIR_FN_ double dppair_convert_best_(double *order, dppair_conversion_ *c) {
  const double pace = 0.8;
  double best = DBL_MAX, at = 0.0, s;
  if (c->a->folded) return dppair_convert_folded_(order, c);
  *order = 0.0;
  for (s = -7.0; s < 20.0; s += pace) {
    const double value = dppair_convert_at_(c, s);
    if (value < best) {
      best = value;
      at = s;
    }
    if (c->floor >= best) break;
  }
  if (best >= DBL_MAX) return best;
  dppair_convert_narrow_(&best, &at, c, pace);
  if (dppair_accountant_has_whole_(c->a)) dppair_convert_whole_(&best, &at, c);
  *order = 1.0 + dppair_exp_(at);
  return best;
}

/* 1 while the account is usable and holds nothing but plain Gaussian steps. */
DPPAIR_FN_ int dppair_accountant_is_gaussian_(const dppair_accountant *a) {
  return dppair_accountant_usable_(a) == DPPAIR_OK && a->count == 0 && !a->folded && a->zcdp <= 0.0;
}

/* Has every step a finite pure epsilon? Their sum then bounds the account at delta = 0. */
DPPAIR_FN_ int dppair_accountant_is_pure_(const dppair_accountant *a) {
  size_t i;
  if (a->folded || a->zcdp > 0.0 || a->gaussian > 0.0) return 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_mechanism_is_pure_(a->step[i].kind)) return 0;
  return 1;
}

/* *rest = what the failure probability leaves of delta to the mechanisms. */
DPPAIR_FN_ dppair_status dppair_accountant_rest_(double *rest, const dppair_accountant *a,
                                                 double delta) {
  const dppair_status status = dppair_accountant_usable_(a);
  *rest = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  *rest = a->failure > 0.0 ? delta - dppair_up_(a->failure) : delta;
  if (*rest < 0.0 || (a->failure > 0.0 && *rest <= 0.0)) {
    *rest = 0.0;
    return DPPAIR_ERR_DELTA;
  }
  return DPPAIR_OK;
}

/* The best Renyi order for epsilon, rounded up. delta in (0, 1). OVERFLOW: no order gives a finite
 * epsilon. */
DPPAIR_FN_ dppair_status dppair_accountant_renyi_epsilon_(dppair_interval *b,
                                                          const dppair_accountant *a,
                                                          double delta) {
  dppair_conversion_ c;
  double rest, best, r, unpaid;
  const dppair_status status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (rest <= 0.0) return DPPAIR_ERR_DELTA;
  if (dppair_accountant_is_gaussian_(a) && a->gaussian <= 0.0) return DPPAIR_OK;
  c.a = a;
  c.tail = 0.01 * rest;
  c.delta = delta;
  c.epsilon = 0.0;
  best = dppair_convert_best_(&b->order, &c);
  if (best >= DBL_MAX) return DPPAIR_ERR_OVERFLOW;
  /* Bretagnolle and Huber: total variation^2 <= 1 - exp(-r) for the divergence r of every order.
   * Where that is below delta^2, epsilon is 0; the smallest order has the smallest r. */
  if (best > 0.0) {
    r = dppair_accountant_curve_(&unpaid, a, 1.001, c.tail);
    if (!a->folded && r < 1e-3 && rest > unpaid && (rest - unpaid) * (rest - unpaid) > r) {
      best = 0.0;
      b->order = 1.001;
    }
  }
  b->upper = best > 0.0 ? dppair_up_(best) : 0.0;
  return DPPAIR_OK;
}

/* The best Renyi order for delta. Capped hits may cost a hundredth of delta, which is not known
 * yet: repeat. */
DPPAIR_FN_ void dppair_accountant_renyi_delta_(dppair_interval *b, const dppair_accountant *a,
                                               double epsilon) {
  dppair_conversion_ c;
  int i;
  b->upper = 1.0;
  c.a = a;
  c.delta = 0.0;
  c.epsilon = epsilon;
  c.tail = 1e-12;
  for (i = 0; i < 4; i++) {
    double order;
    const double value = dppair_convert_best_(&order, &c);
    if (value < b->upper) {
      b->upper = value;
      b->order = order;
    }
    if (dppair_fabs_(c.tail - 0.01 * b->upper) <= 1e-3 * c.tail) break;
    c.tail = 0.01 * b->upper;
  }
}

/* The Renyi route alone: the upper bound and the order that gave it. */
DPPAIR_FN_ dppair_status dppair_accountant_renyi_(dppair_interval *b, const dppair_accountant *a,
                                                  int for_delta, double given) {
  dppair_status status = DPPAIR_OK;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_RENYI;
  if (for_delta)
    dppair_accountant_renyi_delta_(b, a, given);
  else
    status = dppair_accountant_renyi_epsilon_(b, a, given);
  if (status != DPPAIR_OK) memset(b, 0, sizeof *b);
  b->estimate = b->upper;
  return status;
}

/* Epsilon by what needs no composition: the exact curve where all steps are plain Gaussian, a
 * closed form where one perturbed objective is beside them, else the best Renyi order, or the sum
 * of pure epsilons where that is smaller. */
DPPAIR_FN_ dppair_status dppair_accountant_answer_epsilon_(dppair_interval *b,
                                                           const dppair_accountant *a,
                                                           double delta) {
  const int pure = dppair_accountant_is_pure_(a);
  double rest, mu;
  dppair_status status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (rest <= 0.0 && !pure) return DPPAIR_ERR_DELTA;
  if (rest > 0.0 && dppair_accountant_is_gaussian_(a)) {
    b->route = DPPAIR_ROUTE_CLOSED, mu = dppair_up_(dppair_sqrt_(a->gaussian));
    return dppair_gaussian_epsilon(&b->upper, dppair_down_(rest), mu);
  }
  if (dppair_accountant_is_objective_(a)) {
    b->route = DPPAIR_ROUTE_CLOSED;
    return dppair_objective_epsilon_(&b->upper, a, dppair_down_(rest));
  }
  if (rest > 0.0) status = dppair_accountant_renyi_(b, a, 0, delta);
  if (pure && (rest <= 0.0 || status != DPPAIR_OK || a->pure < b->upper)) {
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = a->pure;
    b->order = 0.0;
    return DPPAIR_OK;
  }
  return status;
}

/* Delta, the same way. */
DPPAIR_FN_ dppair_status dppair_accountant_answer_delta_(dppair_interval *b,
                                                         const dppair_accountant *a,
                                                         double epsilon) {
  const int objective = dppair_accountant_is_objective_(a);
  dppair_status status = DPPAIR_OK;
  if (!dppair_isfinite_f64(epsilon)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (dppair_accountant_is_pure_(a) && epsilon >= a->pure) {
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = a->failure < 1.0 ? a->failure : 1.0;
    return DPPAIR_OK;
  }
  if (!objective && !dppair_accountant_is_gaussian_(a))
    return dppair_accountant_renyi_(b, a, 1, epsilon);
  b->route = DPPAIR_ROUTE_CLOSED;
  if (objective)
    b->upper = dppair_objective_at_(a, epsilon);
  else
    status = dppair_gaussian_delta(&b->upper, epsilon, dppair_up_(dppair_sqrt_(a->gaussian)));
  if (status != DPPAIR_OK) return status;
  b->upper = dppair_add_up_(b->upper, a->failure);
  if (b->upper > 1.0) b->upper = 1.0;
  return DPPAIR_OK;
}

/* Epsilon at delta `given`, or delta at epsilon `given`, by what needs no composition. */
DPPAIR_FN_ dppair_status dppair_accountant_answer_(dppair_interval *b, const dppair_accountant *a,
                                                   int for_delta, double given) {
  dppair_status status = dppair_accountant_usable_(a);
  memset(b, 0, sizeof *b);
  if (status == DPPAIR_OK)
    status = for_delta ? dppair_accountant_answer_delta_(b, a, given)
                       : dppair_accountant_answer_epsilon_(b, a, given);
  if (status != DPPAIR_OK) memset(b, 0, sizeof *b);
  b->estimate = b->upper;
  return status;
}

/* The account as a list of steps for numerical composition: the table, and all plain Gaussian steps
 * as one more. steps has room for DPPAIR_STEP_CAPACITY + 1. Accounts with zCDP or folded steps have
 * no such list: NO_PROOF. */
DPPAIR_FN_ dppair_status dppair_accountant_steps_(dppair_step *steps, size_t *count,
                                                  const dppair_accountant *a) {
  size_t i;
  *count = 0;
  if (a->folded || a->zcdp > 0.0) return DPPAIR_ERR_NO_PROOF;
  for (i = 0; i < a->count; i++) steps[i] = a->step[i];
  if (a->gaussian > 0.0)
    steps[i++] = dppair_step_make_(
        DPPAIR_GAUSSIAN, dppair_down_(dppair_down_(1.0 / dppair_up_(dppair_sqrt_(a->gaussian)))),
        1);
  *count = i;
  return DPPAIR_OK;
}

/* Group privacy: (epsilon, delta) for data sets that differ in one record implies k epsilon and
 * delta (e^(k epsilon) - 1)/(e^epsilon - 1) for k records. Gaussian accounts do better with k times
 * the sensitivity. DELTA: the group's delta exceeds 1. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_privacy(double *group_epsilon,
                                                                double *group_delta, double epsilon,
                                                                double delta, size_t k) {
  double total, factor;
  if (group_epsilon == NULL || group_delta == NULL) return DPPAIR_ERR_NULL;
  *group_epsilon = *group_delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (k == 0) return DPPAIR_ERR_SIZE;
  total = dppair_up_(epsilon * (double)k);
  if (!dppair_isfinite_f64(total)) return DPPAIR_ERR_OVERFLOW;
  factor = (double)k;
  if (epsilon > 0.0) factor = dppair_expm1_(total) / dppair_expm1_(epsilon) * (1.0 + 1e-14);
  if (delta > 0.0 && !(factor * delta <= 1.0)) return DPPAIR_ERR_DELTA;
  *group_epsilon = total;
  *group_delta = delta > 0.0 ? dppair_up_(factor * delta) : 0.0;
  return DPPAIR_OK;
}

/* ================================================================================================
 * Numerical composition
 *
 * A step may run any number of times, the order is arbitrary, and what is released may depend on
 * earlier outputs. The answer is certified on both sides:
 *
 *     s = dppair_accountant_sampled_gaussian(&a, dppair_sampling_poisson(10000, 100, DPPAIR_ZERO_OUT),
 *                                            1.0, 1.0, 10000);
 *     if (!s) s = dppair_composer_workspace(&bytes, &a);
 *     if (!s) s = dppair_composer_init(&composer, malloc(bytes), bytes);
 *     if (!s) s = dppair_accountant_epsilon(&epsilon, &a, 1e-5, &composer);   6.18771239 on both sides
 *
 *   route      for                            width of [lower, upper]      time
 *   contour    sampled and plain Gaussian     about 1e-11; wider when      0.05 to 1 ms
 *              steps and pairs                steps * rate is below 1
 *   lattice    every loss, also with atoms;   O(steps h^2), h the grid     5 ms (2^15 points)
 *              the only one for a handful     step                         to 50 ms (2^18)
 *              of steps
 *
 * A module's draw may have a law that is a table (dppair_allocation.h), with an answer of its own
 * where nothing else is composed with it.
 *
 * Both routes certify: every error is bounded, none is estimated, and the bounds are added to the
 * result with their signs. The two routes share only the dominating pairs and the search for c (the
 * tilt of the losses), and the tests compare one with the other.
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

/* ---- src/accountant/composition/contour/theory.h --------------------------------------------
 * The contour route: why it is a bound, and its state
 *
 * M(z) = E_P e^(zL) is the moment function of one step, K(z) = prod M_t(z)^(T_t) that of the
 * composition. For any c > 0, with z = c + iy,
 *     delta(epsilon) = (1/2 pi i) int K(z) e^(-z epsilon) / (z (z+1)) dz
 * because 1/(z(z+1)) is the Laplace transform of 1 - e^-u. The trapezoid rule of step eta in y,
 *     S(epsilon) = eta/(2 pi) sum_k K(z_k) e^(-z_k epsilon) / (z_k (z_k + 1)),  z_k = c + i k eta,
 * equals sum_m e^(2 pi m c/eta) delta(epsilon + 2 pi m/eta) by Poisson summation: the term m = 0 is
 * delta, the others are positive aliases. So S is an upper bound of delta, and S minus a bound on
 * the aliases is a lower bound:
 *   m < 0: delta <= 1, so these sum to at most 1/(e^(2 pi c/eta) - 1).
 *   m > 0: delta(e) <= K(c') k(c') e^(-c' e) for any c' > c, with k(c') = sup (1 - e^-u) e^(-c'u) =
 *          c'^c'/(1+c')^(1+c'). These form a geometric series with ratio e^(-(c'-c) 2 pi/eta).
 *
 * The computed sum differs from S by four errors, each of which is bounded:
 *   The cut at Y = N eta. The terms beyond it sum to at most K(c) e^(-c epsilon) / (pi Y) times the
 *     sup of |K(c+iy)|/K(c) over y >= Y. Suppose that the tilted law of a loss (density
 *     proportional to mass times e^(cL)) is at least the density of sum_i m_i Uniform(interval of
 *     width w_i). Then |M(c+iy)|/M(c) <= 1 - sum_i m_i (1 - |sinc(y w_i/2)|). The intervals come
 *     from a lower envelope of the density: a lower bound in each cell, made unimodal, cut into
 *     layers. In a cell [x0, x1] the log density is a concave plus a convex function of x. The
 *     chord of the first and a tangent of the second lie below them and are linear, so the smaller
 *     of the two ends bounds the cell; divided by the largest L' there it bounds the density in L.
 *     Every inequality is exact; nothing is sampled.
 *   Quadrature in x. For |Im x| <= a < pi/reach all exponentials in r turn by angles in
 *     [0, a reach], so |r(x+ia)| <= r(x), |r(x+ia)| >= r(x) cos(a reach/2) and
 *     |arg r(x+ia)| <= a reach. On the line the trapezoid rule with step h has the error
 *     |M_h - M| <= 2 M(c) E/(e^(2 pi a/h) - 1) with E = e^(a^2/2 + a reach |y|) for a forward
 *     branch, times cos^-c for a backward one, and with a reach |y| doubled and times cos^-c for an
 *     opposite one. On a half line, or where that would need too many nodes, Gauss-Legendre with 16
 *     points is used on panels, each as wide as its own bound allows: if |f| <= F on the ellipse of
 *     parameter rho, the error is at most (64/15) w F rho^-32/(1 - rho^-2) (the Chebyshev
 *     coefficients of f are at most 2 F rho^-k; the integral and the 16-point sum of T_k are at
 *     most 2).
 *   Nodes far out. log mass + c L falls at least like a Gaussian beyond some x, so that the nodes
 *     left out sum to at most a geometric series.
 *   Rounding. The sums are over M(c) - 1 = E (e^(cL) - 1) and
 *     M(z_k) - M(c) = E e^(cL) (e^(iyL) - 1), and L itself is computed from r - 1: every term keeps
 *     its relative precision, so the errors are proportional to what a step loses, not to 1. Each
 *     node counts the errors of its mass, its loss, the summation, and of turning e^(iyL) by k
 *     complex products (sqrt 5 u each, Brent, Percival and Zimmermann 2007). An error e of M
 *     relative to M(c) changes K by prod (|M_t| + e_t)^(T_t) - prod |M_t|^(T_t), which is at most
 *     prod (|M_t| + e_t)^(T_t) times sum T_t e_t/(|M_t| + e_t).
 *
 * The epsilon that is returned has been tested: S + errors <= delta there, and at the lower one
 * S - errors - aliases >= delta.
 *
 * Chapters: search (rough log K, to place the line), layers (the cut), quadrature (nodes of one
 * step), factor (one step's share of the line), line (c, eta, N and the sum), direction (answers).
 * ---------------------------------------------------------------------------------------------- */

enum {
  /* per step, for the search of c: a panel for each of the two branches per hit */
  DPPAIR_SEARCH_NODES_ = 32 * DPPAIR_AMPLIFIED_HITS_ + 32,
  DPPAIR_LAYERS_ = 512,   /* per step, for the cut */
  DPPAIR_X_NODES_ = 8192, /* of one step's quadrature: beyond, NO_CONVERGENCE */
  DPPAIR_Z_NODES_ = 4096  /* of the line, likewise */
};

/*
 * A privacy loss as a table: mass[i] is the probability of the loss (first + i) *
 * grid_step, under P in forward and under Q with P and Q exchanged in backward; the infinities are
 * the probabilities of an infinite loss; steps is how often it is composed. backward may be NULL
 * when both directions are the same. Masses are taken as exact; with the infinity they sum to 1
 * within 1e-9.
 */
typedef struct dppair_loss_table_ {
  const double *forward, *backward;
  size_t forward_size, backward_size;
  int64_t forward_first, backward_first;
  double forward_infinity, backward_infinity;
  size_t steps;
} dppair_loss_table_;

/* Everything one direction of a composition needs; the arrays lie in the caller's workspace. */
typedef struct dppair_contour_ {
  const dppair_step *steps;
  size_t count;
  const dppair_loss_table_ *tables; /* lattice route only */
  size_t table_count;
  double grid_step, c_limit;
  int backward;
  int replaced; /* the lower bounds of some step's law are another pair's */
  int below;    /* then: 1, the pair below the true one; 0, the one above */
  int made;      /* what was made for a law that is a table lies at the front of */
  double *spare; /* what is left of the workspace */
  size_t spares;
  double tail;     /* what hits beyond the cap may cost in delta, per step */
  double trim;     /* the search sees laws cut so that e^trim of P is beyond each end; 0: whole */
  double about[2]; /* with trim: epsilon and log delta are about these */
  double variance; /* sum of mu^2 over plain Gaussian steps */
  double failure;  /* what hits beyond the cap do cost in delta, together */
  int merged;      /* some law is above the true one: there are no lower bounds */
  double total_steps;
  double *search;            /* per step 2 * DPPAIR_SEARCH_NODES_ */
  double *layers;            /* per step 2 * DPPAIR_LAYERS_ */
  double *node;              /* 10 * DPPAIR_X_NODES_ */
  double *line;              /* 6 * DPPAIR_Z_NODES_, of which dppair_line_of_ uses five */
  double reach_c;            /* the search nodes cover tilts up to this c */
  double c, right, eta, cut; /* the chosen line: c, c', eta, Y */
  size_t nodes;              /* N */
  /* the certified sum: log K(c), its relative rounding, log K(c'), the bound of log |K|/K(c) beyond
   * the cut, and the error of S relative to K(c) e^(-c epsilon) */
  double log_k, log_k_rounding, log_right, log_decay, error;
} dppair_contour_;

/* The line's arrays, one number per node z_k. */
typedef struct dppair_line_ {
  double *log_abs, *arg; /* log |K| and arg K relative to K(c); later the node's share of S and
                            its phase */
  double *log_top;       /* sum T log(|M| + e) */
  double *error;         /* sum T e/(|M| + e) */
  double *rounding;      /* relative rounding of the first two */
} dppair_line_;

DPPAIR_FN_ dppair_line_ dppair_line_of_(const dppair_contour_ *s) {
  dppair_line_ line;
  line.log_abs = s->line;
  line.arg = line.log_abs + DPPAIR_Z_NODES_;
  line.log_top = line.arg + DPPAIR_Z_NODES_;
  line.error = line.log_top + DPPAIR_Z_NODES_;
  line.rounding = line.error + DPPAIR_Z_NODES_;
  return line;
}

/* log k(c) = log of c^c/(1+c)^(1+c). */
DPPAIR_FN_ double dppair_contour_kernel_(double c) {
  return -c * dppair_log1p_(1.0 / c) - dppair_log1p_(c);
}

/* A question about a composition: epsilon at delta `given`, or delta at epsilon `given`. */
typedef struct dppair_question_ {
  const dppair_step *steps;
  size_t count;
  int for_delta;
  double given;
  double *work;
  size_t doubles;
  int only; /* 1: one order of the neighbours alone, as laws are written; 2: the other; 0: both */
} dppair_question_;

/* Does the question ask about direction d of so many? One alone stands for both orders. */
DPPAIR_FN_ int dppair_question_asks_(const dppair_question_ *q, int directions, int d) {
  return directions < 2 || q->only == 0 || q->only == d + 1;
}

/* Doubles that dppair_contour_answer_ needs for `count` distinct steps. */
DPPAIR_FN_ dppair_status dppair_contour_workspace_(size_t *doubles, size_t count) {
  const size_t each = 2 * DPPAIR_SEARCH_NODES_ + 2 * DPPAIR_LAYERS_;
  const size_t fixed = 10 * (size_t)DPPAIR_X_NODES_ + 6 * (size_t)DPPAIR_Z_NODES_;
  *doubles = 0;
  if (count > (SIZE_MAX - fixed) / each / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *doubles = fixed + each * count;
  return DPPAIR_OK;
}

/* ---- src/accountant/composition/tables.h ----------------------------------------------------
 * Laws that are tables of modules
 *
 * A law of the kind DPPAIR_LAW_TABLE_ is that of a module's draw (mechanisms/draws.h). The module
 * defines the functions that are declared here. What it computes for a law may lie at the front of
 * s->spare, and s->made says that it does. Relies on contour/theory.h.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_lattice_;
struct dppair_cells_;

/* Of a draw NAME:
 *   _doubles_  the largest spare memory that it needs, and memory for _bracket_
 *   _search_   makes the search nodes of step t
 *   _widen_    widens [*low, *high] by all losses of the law
 *   _multiply_ multiplies the law of step t into K
 *   _bracket_  answers a question about its steps alone; NO_PROOF: there are others */
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  DPPAIR_FN_ size_t dppair_##name##_doubles_(void);                                                \
  DPPAIR_RARE_ dppair_status dppair_##name##_search_(dppair_contour_ *s, size_t t,                 \
                                                     const dppair_law_ *law);                      \
  DPPAIR_RARE_ dppair_status dppair_##name##_widen_(double *low, double *high, dppair_contour_ *s, \
                                                    const dppair_law_ *law);                       \
  DPPAIR_RARE_ dppair_status dppair_##name##_multiply_(                                            \
      struct dppair_lattice_ *l, struct dppair_cells_ *cells, dppair_contour_ *s, size_t t,        \
      const dppair_law_ *law);                                                                     \
  DPPAIR_RARE_ dppair_status dppair_##name##_bracket_(dppair_interval *b,                          \
                                                      const dppair_question_ *q);
DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_

/* The largest of _doubles_. */
DPPAIR_FN_ size_t dppair_table_doubles_(void) {
  size_t most = 0;
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  if (dppair_##name##_doubles_() > most) most = dppair_##name##_doubles_();
  DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  return most;
}

/* _search_ of step t. */
DPPAIR_FN_ dppair_status dppair_table_search_(dppair_contour_ *s, size_t t,
                                              const dppair_law_ *law) {
  switch ((int)s->steps[t].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_search_(s, t, law);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)law;
    return DPPAIR_ERR_MODULE;
  }
}

/* _widen_ for step t. */
DPPAIR_FN_ dppair_status dppair_table_widen_(double *low, double *high, dppair_contour_ *s,
                                             size_t t, const dppair_law_ *law) {
  switch ((int)s->steps[t].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_widen_(low, high, s, law);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)low, (void)high, (void)law;
    return DPPAIR_ERR_MODULE;
  }
}

/* _multiply_ of step t. */
DPPAIR_FN_ dppair_status dppair_table_multiply_(struct dppair_lattice_ *l,
                                                struct dppair_cells_ *cells, dppair_contour_ *s,
                                                size_t t, const dppair_law_ *law) {
  switch ((int)s->steps[t].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_multiply_(l, cells, s, t, law);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)l, (void)cells, (void)law;
    return DPPAIR_ERR_MODULE;
  }
}

/* _bracket_ of the first step's draw. */
DPPAIR_FN_ dppair_status dppair_table_bracket_(dppair_interval *b, const dppair_question_ *q) {
  if (q->count == 0) return DPPAIR_ERR_NO_PROOF;
  switch ((int)q->steps[0].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_bracket_(b, q);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)b;
    return DPPAIR_ERR_NO_PROOF;
  }
}

/* ---- src/accountant/composition/contour/search.h --------------------------------------------
 * The search: rough values of log K, to place the line
 *
 * Rough values of log K(c) at real c, from a few hundred nodes per step that are computed once and
 * used at every c. They only choose c, c', eta and N; every bound is certified later (factor.h), so
 * the numbers below are accuracies that were found to be enough, not proved ones.
 * ---------------------------------------------------------------------------------------------- */

/* The panels' half width for 16 Gauss-Legendre nodes, in units of the noise. */
#define DPPAIR_SEARCH_PANEL_ 1.25
/* Trapezoid steps. On a strip of half width a < pi/reach the rule errs by about
 * e^(a^2/2 - 2 pi a/h): below 1e-6 for 1.2/reach, and for 0.8 while reach <= 1.5. A trimmed law
 * ends abruptly and needs a finer step. */
#define DPPAIR_SEARCH_STEP_ 0.8
#define DPPAIR_SEARCH_REACH_STEP_ 1.2
#define DPPAIR_SEARCH_TRIMMED_STEP_ 0.1
/* Beyond 8.5 deviations the normal density has a mass of e^-39. */
#define DPPAIR_SEARCH_MARGIN_ 8.5
/* Terms below e^-40 of the largest are beyond the digits of a sum. */
#define DPPAIR_SEARCH_DIGITS_ 40.0

/* Search nodes of one step, as they are listed: losses and log weights. */
typedef struct dppair_search_list_ {
  double *loss, *weight;
  size_t used;
} dppair_search_list_;

DPPAIR_FN_ void dppair_search_add_(dppair_search_list_ *list, double loss, double log_weight) {
  list->loss[list->used] = loss;
  list->weight[list->used++] = log_weight;
}

DPPAIR_FN_ dppair_search_list_ dppair_search_list_of_(double *search) {
  dppair_search_list_ list;
  list.loss = search;
  list.weight = search + DPPAIR_SEARCH_NODES_;
  list.used = 0;
  return list;
}

/* Where the mass of a branch tilted by e^(cL), c in [0, cmax], lies but for the part beyond
 * `margin` deviations: [*low, *high]. */
DPPAIR_FN_ void dppair_branch_span_(double *low, double *high, const dppair_branch_ *branch,
                                    double cmax, double margin) {
  const double reach = branch->reach;
  *low = -margin;
  *high = margin;
  if (branch->shape == DPPAIR_FORWARD_) *high += (cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_OPPOSITE_) *high += (2.0 * cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_BACKWARD_ && !branch->half) {
    /* outwards by fifths until the tilted density falls faster than the margin asks */
    dppair_log_ratio_ g;
    for (; *low > -margin - cmax * reach; *low *= 1.2) {
      dppair_log_ratio_of_(&g, branch, *low);
      if (-*low - cmax * g.slope > margin) break;
    }
  }
  if (branch->half) *low = branch->from;
}

/* Where a branch is cut on either side so that at most e^log_spend of P is beyond each end. */
DPPAIR_FN_ void dppair_cells_ends_(double *low, double *high, const dppair_branch_ *branch,
                                   double log_spend) {
  const double reach = branch->shape == DPPAIR_BACKWARD_ ? 0.0 : branch->reach;
  *high = dppair_sqrt_(-2.0 * log_spend);
  *low = branch->half ? branch->from : -*high;
  *high += reach;
  if (*high < *low) *high = *low;
}

/* Gauss-Legendre panels of 16 nodes on [low, high], for branches that begin in mid mass. */
DPPAIR_FN_ void dppair_search_panels_(dppair_search_list_ *list, const dppair_branch_ *branch,
                                      double low, double high, size_t room) {
  dppair_place_ place;
  size_t panels, j;
  if (high <= low) return;
  panels = (size_t)((high - low) / (2.0 * DPPAIR_SEARCH_PANEL_)) + 1;
  if (16 * panels > room) panels = room / 16;
  for (j = 0; j < 16 * panels; j++) {
    const double half = 0.5 * (high - low) / (double)panels;
    double w;
    const double x =
        low + half * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, (int)(j % 16)));
    dppair_place_of_(&place, branch, x);
    dppair_search_add_(list, place.loss, place.log_mass + dppair_log_(w * half));
  }
}

/* The trapezoid rule on [low, high], for branches that fall off to both sides. */
DPPAIR_FN_ void dppair_search_line_(dppair_search_list_ *list, const dppair_branch_ *branch,
                                    double low, double high, size_t room, int trimmed) {
  const double least = (high - low) / (double)(room - 1);
  double h = trimmed               ? DPPAIR_SEARCH_TRIMMED_STEP_
             : branch->reach > 1.5 ? DPPAIR_SEARCH_REACH_STEP_ / branch->reach
                                   : DPPAIR_SEARCH_STEP_;
  dppair_place_ place;
  size_t n, j;
  if (h < least) h = least;
  n = (size_t)((high - low) / h) + 1;
  for (j = 0; j < n; j++) {
    dppair_place_of_(&place, branch, low + h * (double)j);
    dppair_search_add_(list, place.loss, place.log_mass + dppair_log_(h));
  }
}

/* Laplace and randomised response: atoms at both ends, and Laplace's density between them, which is
 * e^((L - e)/2)/4 in L, by four panels. */
DPPAIR_FN_ void dppair_search_atoms_(dppair_search_list_ *list, const dppair_law_ *law) {
  const int laplace = law->kind == DPPAIR_LAW_LAPLACE_;
  const double e = law->mu, high = laplace ? 0.5 : 1.0 / (1.0 + dppair_exp_(-e));
  int j;
  dppair_search_add_(list, e, dppair_log_(high));
  dppair_search_add_(list, -e, dppair_log_(high) - e);
  for (j = 0; laplace && j < 64; j++) {
    double w;
    const double x = e * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, j % 16));
    const double loss = 0.25 * x - e;
    dppair_search_add_(list, loss, dppair_log_(w * 0.0625 * e) + 0.5 * (loss - e));
  }
}

/* Fills step t's search nodes: pairs (loss, log weight), ended by a weight of -inf. */
DPPAIR_FN_ void dppair_contour_search_nodes_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                             double cmax) {
  dppair_search_list_ list = dppair_search_list_of_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t);
  const size_t branches = dppair_branches_(law);
  const double atom = dppair_law_atom_(law);
  size_t i;
  dppair_branch_ branch;
  for (i = 0; i < branches; i++) {
    const size_t room = (DPPAIR_SEARCH_NODES_ - 2) / branches;
    double low, high;
    dppair_branch_of_(&branch, law, i, s->backward);
    dppair_branch_span_(&low, &high, &branch, cmax, DPPAIR_SEARCH_MARGIN_);
    if (s->trim < 0.0) {
      double ends[2];
      dppair_cells_ends_(&ends[0], &ends[1], &branch, s->trim);
      if (ends[0] > low) low = ends[0];
      if (ends[1] < high) high = ends[1];
    }
    if (branch.half)
      dppair_search_panels_(&list, &branch, low, high, room);
    else
      dppair_search_line_(&list, &branch, low, high, room, s->trim < 0.0);
  }
  if (atom > 0.0) dppair_search_add_(&list, 0.0, dppair_log_(atom));
  if (law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_)
    dppair_search_atoms_(&list, law);
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
}

/* log M(c) of one step from its search nodes. */
DPPAIR_FN_ double dppair_contour_search_step_(const double *loss, double c) {
  const double *weight = loss + DPPAIR_SEARCH_NODES_;
  double top = -HUGE_VAL, sum = 0.0;
  size_t j, n;
  for (n = 0; weight[n] > -DBL_MAX; n++) {
    const double t = weight[n] + c * loss[n];
    if (t > top) top = t;
  }
  for (j = 0; j < n; j++) {
    const double t = weight[j] + c * loss[j] - top;
    if (t > -DPPAIR_SEARCH_DIGITS_) sum += dppair_exp_(t);
  }
  return top + dppair_log_(sum);
}

/* The search nodes of a table: up to half as many bins as there is room for, each with the mean of
 * its losses. */
DPPAIR_FN_ void dppair_contour_search_table_(double *search, const dppair_loss_table_ *table,
                                             int backward, double h) {
  dppair_search_list_ list = dppair_search_list_of_(search);
  const double *mass = backward && table->backward != NULL ? table->backward : table->forward;
  const size_t size = mass == table->forward ? table->forward_size : table->backward_size;
  const int64_t first = mass == table->forward ? table->forward_first : table->backward_first;
  const size_t bin = size / (DPPAIR_SEARCH_NODES_ / 2) + 1;
  size_t i, j;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    for (j = i; j < size && j < i + bin; j++) {
      sum += mass[j];
      mean += mass[j] * (double)(j - i);
    }
    if (sum > 0.0)
      dppair_search_add_(&list, h * ((double)first + (double)i + mean / sum), dppair_log_(sum));
  }
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
}

/* Makes the search nodes of all steps and tables, good for tilts up to cmax. */
DPPAIR_FN_ dppair_status dppair_contour_search_fill_(dppair_contour_ *s, double cmax) {
  dppair_law_ law;
  size_t t;
  for (t = 0; t < s->count; t++) {
    dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && law.kind == DPPAIR_LAW_TABLE_)
      status = dppair_table_search_(s, t, &law);
    if (status != DPPAIR_OK) return status;
    if (law.kind == DPPAIR_LAW_TABLE_) continue;
    if (law.kind != DPPAIR_LAW_GAUSSIAN_ && law.steps > 0.0)
      dppair_contour_search_nodes_(s, t, &law, cmax);
    else
      s->search[2 * DPPAIR_SEARCH_NODES_ * t + DPPAIR_SEARCH_NODES_] = -HUGE_VAL;
  }
  for (t = 0; t < s->table_count; t++)
    dppair_contour_search_table_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t),
                                 &s->tables[t], s->backward, s->grid_step);
  s->reach_c = cmax;
  return DPPAIR_OK;
}

/* log K(c). Where c is beyond what the nodes cover, they are made anew, with room to spare: the
 * walk downhill seldom asks for more than 16, and then grows c by a factor below 2. */
DPPAIR_FN_ dppair_status dppair_contour_search_(double *log_k, dppair_contour_ *s, double c) {
  size_t t;
  if (c > s->reach_c) {
    const double cmax = s->reach_c > 0.0 ? 4.0 * c : (c > 16.0 ? c : 16.0);
    const dppair_status status = dppair_contour_search_fill_(s, cmax);
    if (status != DPPAIR_OK) return status;
  }
  *log_k = 0.5 * s->variance * c * (c + 1.0);
  for (t = 0; t < s->count; t++) {
    const double *loss = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    if (loss[DPPAIR_SEARCH_NODES_] > -DBL_MAX)
      *log_k += (double)dppair_step_runs_(&s->steps[t]) * dppair_contour_search_step_(loss, c);
  }
  for (t = 0; t < s->table_count; t++)
    *log_k += (double)s->tables[t].steps *
              dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t), c);
  return dppair_isfinite_f64(*log_k) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* What the search minimises over c: the moment bound of epsilon at log delta `given`, or of log
 * delta at epsilon `given`. */
DPPAIR_FN_ double dppair_contour_goal_(double log_k, double c, int for_delta, double given) {
  const double bound = log_k + dppair_contour_kernel_(c);
  return for_delta ? bound - c * given : (bound - given) / c;
}

/* ---- src/accountant/composition/contour/layers.h --------------------------------------------
 * Layers: how fast |M(c+iy)| falls in y
 *
 * A lower envelope of the tilted loss density as a sum of uniform densities on intervals, which
 * bounds the terms beyond the line's end (theory.h, "the cut"). What is left out of the envelope
 * only makes the bound weaker, so the margins below decide nothing but how tight it is.
 * ---------------------------------------------------------------------------------------------- */

/* Deviations beyond which the first look for the mass does not go. */
#define DPPAIR_LAYER_MARGIN_ 7.0
/* Cells whose density is below e^-14 of the largest are not worth their place. */
#define DPPAIR_LAYER_DEPTH_ 14.0
/* Cells of one branch: with more, the bound hardly improves. */
#define DPPAIR_LAYER_CELLS_ 160
/* The cell widths and the sums are rounded a few times; 1e-9 covers that by far. */
#define DPPAIR_LAYER_SLACK_ (1.0 - 1e-9)

/* 1 - sup over v' >= v of |sin v'/v'|, from below. The local maxima beyond 2.5 are below sinc(2.5)
 * = 0.2394, and |sinc| <= 1/v. The series alternates, so it is cut after a negative term. */
DPPAIR_FN_ double dppair_contour_spread_(double v) {
  const double s = v * v;
  if (v < 2.5) return s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880))));
  return v < 4.2 ? 0.76 : 1.0 - 1.0 / v;
}

/* The tilted law of a branch at the ends of equal cells. */
typedef struct dppair_slice_ {
  const dppair_branch_ *branch;
  double c;
  double *loss, *log_density; /* of mass e^(c loss) in x; then the cells' bounds, in the loss */
  double *convex, *slope;     /* (c+1) log r or 0, and the slope of log r */
  double *mirror, *blur;      /* the slope of log r at -x (opposite); the error of the loss */
} dppair_slice_;

DPPAIR_FN_ dppair_slice_ dppair_slice_of_(const dppair_branch_ *branch, double c, size_t cells,
                                          double *room) {
  dppair_slice_ slice;
  slice.branch = branch;
  slice.c = c;
  slice.loss = room;
  slice.log_density = slice.loss + (cells + 1);
  slice.convex = slice.log_density + (cells + 1);
  slice.slope = slice.convex + (cells + 1);
  slice.mirror = slice.slope + (cells + 1);
  slice.blur = slice.mirror + (cells + 1);
  return slice;
}

/* The convex part of the log density is this times log r. */
DPPAIR_FN_ double dppair_slice_factor_(const dppair_slice_ *slice) {
  return slice->branch->shape == DPPAIR_BACKWARD_ ? 0.0 : slice->c + 1.0;
}

/* Looks at the ends of `cells` cells of width h from low on. Returns the largest log density. */
DPPAIR_FN_ double dppair_slice_look_(dppair_slice_ *slice, double low, double h, size_t cells) {
  const double factor = dppair_slice_factor_(slice);
  double top = -HUGE_VAL;
  dppair_place_ place;
  size_t j;
  for (j = 0; j <= cells; j++) {
    dppair_place_of_(&place, slice->branch, low + h * (double)j);
    slice->loss[j] = place.loss;
    slice->convex[j] = factor * place.g;
    slice->slope[j] = place.slope;
    slice->mirror[j] = place.mirror;
    slice->blur[j] = place.loss_error;
    slice->log_density[j] = place.log_mass + slice->c * place.loss;
    if (slice->log_density[j] > top) top = slice->log_density[j];
  }
  return top;
}

/* Where the tilted mass is: narrows [*low, *high] with cells about a deviation wide. 0: nowhere. */
DPPAIR_FN_ int dppair_slice_find_(dppair_slice_ *slice, double *low, double *high, size_t cells) {
  const double most = (double)cells - 8.0, enough = *high - *low < most ? *high - *low : most;
  const size_t count = cells < 24 ? cells : (size_t)enough + 8;
  const double h = (*high - *low) / (double)count, from = *low;
  const double least = dppair_slice_look_(slice, from, h, count) - DPPAIR_LAYER_DEPTH_;
  size_t first = 0, last = count;
  while (slice->log_density[first] < least) first++; /* the largest one stops both */
  while (slice->log_density[last] < least) last--;
  if (first > 0) first--;
  if (last < count) last++;
  *low = from + h * (double)first;
  *high = from + h * (double)last;
  return *high > *low;
}

/* Turns the log densities at the cells' ends into lower bounds of the density of the loss in each
 * cell, relative to e^log_m. Returns the cell with the largest. */
DPPAIR_FN_ size_t dppair_slice_bound_(dppair_slice_ *slice, double h, double log_m, size_t cells) {
  const double factor = dppair_slice_factor_(slice);
  double *density = slice->log_density;
  const double *convex = slice->convex, *slope = slice->slope;
  size_t j, peak = 0;
  for (j = 0; j < cells; j++) {
    /* The chord of the concave part plus the tangent of the convex one, drawn at either end. The
     * true step differs from h by rounding, which the slack covers. */
    const double at_left = density[j] - (convex[j] - convex[j + 1] + h * factor * slope[j + 1]);
    const double at_right = density[j + 1] - (convex[j + 1] - convex[j] - h * factor * slope[j]);
    const double one = density[j] < at_right ? density[j] : at_right;
    const double two = density[j + 1] < at_left ? density[j + 1] : at_left;
    const double rise = slope[j + 1] + slice->mirror[j]; /* the largest L' in the cell */
    density[j] = rise > 0.0
                     ? dppair_exp_((one > two ? one : two) - log_m) / rise * DPPAIR_LAYER_SLACK_
                     : 0.0;
    if (density[j] > density[peak]) peak = j;
  }
  return peak;
}

/* Makes the cells' bounds unimodal: running minima away from the peak. */
DPPAIR_FN_ void dppair_slice_unimodal_(double *density, size_t peak, size_t cells) {
  size_t j;
  for (j = peak; j-- > 0;)
    if (density[j] > density[j + 1]) density[j] = density[j + 1];
  for (j = peak + 1; j < cells; j++)
    if (density[j] > density[j - 1]) density[j] = density[j - 1];
}

/* Cuts the area under a unimodal envelope into layers, from the bottom up. Returns how many. */
DPPAIR_FN_ size_t dppair_slice_layers_(double *mass, double *width, const dppair_slice_ *slice,
                                       size_t cells) {
  const double *density = slice->log_density, *loss = slice->loss, *blur = slice->blur;
  size_t first = 0, last = cells - 1, used = 0;
  double level = 0.0;
  for (;;) {
    const int left = density[first] <= density[last];
    const double next = left ? density[first] : density[last];
    const double w = dppair_fabs_(loss[last + 1] - loss[first]) * DPPAIR_LAYER_SLACK_ -
                     blur[first] - blur[last + 1];
    if (next > level && w > 0.0) {
      mass[used] = (next - level) * w;
      width[used++] = w;
      level = next;
    }
    if (first == last) return used;
    if (left)
      first++;
    else
      last--;
  }
}

/* Adds the layers of one branch at tilt c; returns how many. cell has room for 6 * (cells + 1). */
DPPAIR_FN_ size_t dppair_contour_slice_(double *mass, double *width, const dppair_branch_ *branch,
                                        double c, double log_m, size_t cells, double *cell) {
  dppair_slice_ slice = dppair_slice_of_(branch, c, cells, cell);
  double low, high, h;
  dppair_branch_span_(&low, &high, branch, c, DPPAIR_LAYER_MARGIN_);
  if (high <= low || !dppair_slice_find_(&slice, &low, &high, cells)) return 0;
  h = (high - low) / (double)cells;
  (void)dppair_slice_look_(&slice, low, h, cells);
  dppair_slice_unimodal_(slice.log_density, dppair_slice_bound_(&slice, h, log_m, cells), cells);
  return dppair_slice_layers_(mass, width, &slice, cells);
}

/* The layers of step t at the chosen c, ended by a mass of -1. log_m: log M(c) as the search found
 * it. */
DPPAIR_FN_ void dppair_contour_layers_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                       double log_m) {
  double *mass = s->layers + 2 * DPPAIR_LAYERS_ * t, *width = mass + DPPAIR_LAYERS_;
  const size_t branches = dppair_branches_(law);
  size_t used = 0, i, cells;
  dppair_branch_ branch;
  cells = branches == 0 ? 0 : (DPPAIR_LAYERS_ - 1) / branches;
  if (cells > DPPAIR_LAYER_CELLS_) cells = DPPAIR_LAYER_CELLS_;
  for (i = 0; i < branches; i++) {
    dppair_branch_of_(&branch, law, i, s->backward);
    used += dppair_contour_slice_(mass + used, width + used, &branch, s->c, log_m, cells, s->node);
  }
  mass[used] = -1.0;
}

/* A bound of log |M(c+iy)|/M(c) for all y >= cut; `scale` is M(c) relative to the e^log_m of the
 * layers. */
DPPAIR_FN_ double dppair_contour_decay_(const double *mass, double cut, double scale) {
  const double *width = mass + DPPAIR_LAYERS_;
  double sum = 0.0;
  size_t i;
  for (i = 0; mass[i] >= 0.0; i++) sum += mass[i] * dppair_contour_spread_(0.5 * cut * width[i]);
  sum *= DPPAIR_LAYER_SLACK_ / scale;
  return dppair_log1p_(-(sum < 1.0 - 1e-15 ? sum : 1.0 - 1e-15));
}

/* The same of the composition, by what the layers used for M(c). */
DPPAIR_FN_ double dppair_contour_decay_all_(const dppair_contour_ *s, double cut) {
  double sum = -0.5 * s->variance * cut * cut * DPPAIR_LAYER_SLACK_;
  size_t t;
  for (t = 0; t < s->count; t++)
    sum += (double)dppair_step_runs_(&s->steps[t]) *
           dppair_contour_decay_(s->layers + 2 * DPPAIR_LAYERS_ * t, cut, 1.0);
  return sum;
}

/* ---- src/accountant/composition/contour/quadrature.h ----------------------------------------
 * Certified quadrature in x: the nodes of one step
 *
 * M(z) = sum over nodes of e^(log_mass + z loss), with bounds of what the sum misses at the tilts
 * c, c' and 0 and at heights y up to the cut (theory.h, "quadrature in x" and "nodes far out").
 * Each branch takes the trapezoid rule where that needs few nodes, and Gauss-Legendre panels
 * elsewhere. The searches for a strip, a panel or an end decide the cost only: their bounds hold as
 * found.
 * ---------------------------------------------------------------------------------------------- */

/* Heights at which the quadrature's error is bounded, evenly spread from 0 to the cut. The log of
 * each bound is convex in y, so that chords bound it in between. */
enum { DPPAIR_HEIGHTS_ = 6 };

/* The tilts at which the nodes are used. */
enum { DPPAIR_TILT_C_ = 0, DPPAIR_TILT_RIGHT_ = 1, DPPAIR_TILT_NONE_ = 2, DPPAIR_TILTS_ = 3 };

/* The strip's half width is at most this part of what the branch allows, pi/reach: at pi/reach
 * itself r may vanish. And at most 14, the best half width for an error of e^-98 (a^2/2 = 98). */
#define DPPAIR_STRIP_PART_ 0.98
#define DPPAIR_STRIP_WIDEST_ 14.0
/* Below this step a trapezoid needs more nodes than panels do. */
#define DPPAIR_STRIP_LEAST_STEP_ 0.02
/* Nodes before these deviations from 0 are all taken: no end is near. */
#define DPPAIR_NODES_CENTRE_ 4.0
/* What is left out beyond an end is bounded only where the mass falls at least this fast. */
#define DPPAIR_NODES_FALL_ 0.5
/* A panel is at most this half width, and is refused below the other; b at most this part of
 * pi/reach and at most 5. */
#define DPPAIR_PANEL_WIDEST_ 1.6
#define DPPAIR_PANEL_LEAST_ 1e-4
#define DPPAIR_PANEL_PART_ 0.95
#define DPPAIR_PANEL_AXIS_ 5.0
/* Each panel errs by e^-3 of what is wished for: about 20 panels share it. */
#define DPPAIR_PANEL_SHARE_ 3.0
/* Sums of a few positive terms err by less. */
#define DPPAIR_SUM_UP_ (1.0 + 1e-6)

/* The nodes of one step, each with bounds of the absolute error of its loss and the relative one of
 * its mass, and what the sum over them misses: by the quadrature (strip, as a log at each height)
 * and by the nodes that are not there (left_out), relative to e^log_m at tilt c; the same relative
 * to e^log_right at tilt c' and height 0; and both together at tilt 0. */
typedef struct dppair_nodes_ {
  double *loss, *log_mass, *loss_error, *mass_error;
  size_t n, room;
  double log_strip[DPPAIR_HEIGHTS_], left_out;
  double strip_right, left_out_right;
  double plain;
} dppair_nodes_;

/* Appends a node at x; 0 when there is no room. */
DPPAIR_FN_ int dppair_nodes_add_(dppair_nodes_ *nodes, dppair_place_ *place,
                                 const dppair_branch_ *branch, double x, double log_weight) {
  const size_t n = nodes->n;
  if (n >= nodes->room) return 0;
  dppair_place_of_(place, branch, x);
  nodes->loss[n] = place->loss;
  nodes->log_mass[n] = place->log_mass + log_weight;
  nodes->loss_error[n] = place->loss_error;
  nodes->mass_error[n] = nodes->loss_error[n] +
                         DPPAIR_UNIT_ * (16.0 + 4.0 * (x * x + dppair_fabs_(nodes->log_mass[n])));
  nodes->n = n + 1;
  return 1;
}

/* Counts the masses at the three tilts that are left out beyond an end. */
DPPAIR_FN_ void dppair_nodes_left_out_(dppair_nodes_ *nodes, const double *mass) {
  nodes->left_out += mass[DPPAIR_TILT_C_] * DPPAIR_SUM_UP_;
  nodes->left_out_right += mass[DPPAIR_TILT_RIGHT_] * DPPAIR_SUM_UP_;
  nodes->plain += mass[DPPAIR_TILT_NONE_] * DPPAIR_SUM_UP_;
}

/* How small the relative error of M(c+iy) should be: e^-digits[i] up to height y[i]. A wish only;
 * what comes out is bounded afterwards. */
typedef struct dppair_wish_ {
  double y[DPPAIR_HEIGHTS_], digits[DPPAIR_HEIGHTS_];
} dppair_wish_;

/* By how much an error that grows like e^(rate y) misses the wish, as a log, apart from its own
 * size at y = 0. */
DPPAIR_FN_ double dppair_wish_gap_(const dppair_wish_ *wish, double rate) {
  double gap = -HUGE_VAL;
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++)
    if (wish->digits[i] + rate * wish->y[i] > gap) gap = wish->digits[i] + rate * wish->y[i];
  return gap;
}

/* The log of the factor by which a strip of half width a costs more than e^(a^2/2), and the rate at
 * which its log grows with |y|. */
DPPAIR_FN_ double dppair_strip_(double *rate, const dppair_branch_ *branch, double c, double a) {
  *rate = a * branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  return branch->shape == DPPAIR_FORWARD_ ? 0.0
                                          : -c * dppair_log_(dppair_cos_(0.5 * a * branch->reach));
}

/* The largest step h at which the trapezoid's error is as wished, over 32 half widths; *best is the
 * half width. 0.7 is the log of the factor 2 in the error. */
DPPAIR_FN_ double dppair_strip_step_(double *best, const dppair_branch_ *branch, double c,
                                     const dppair_wish_ *wish) {
  const double allowed = DPPAIR_STRIP_PART_ * DPPAIR_PI_ / branch->reach;
  const double widest = allowed < DPPAIR_STRIP_WIDEST_ ? allowed : DPPAIR_STRIP_WIDEST_;
  double h = 0.0;
  int i;
  *best = 0.0;
  for (i = 1; i <= 32; i++) {
    const double a = widest * (double)i / 32.0;
    double rate, one = dppair_strip_(&rate, branch, c, a);
    one = 2.0 * DPPAIR_PI_ * a / (dppair_wish_gap_(wish, rate) + 0.7 + 0.5 * a * a + one);
    if (one > h) {
      h = one;
      *best = a;
    }
  }
  return h;
}

/* x with only its upper 20 bits: multiples by j < 2^30 are exact. */
DPPAIR_FN_ double dppair_short_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~((UINT64_C(1) << 33) - 1);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A lower bound of how fast log mass + cL falls beyond x, away from 0. The slope of log r increases
 * in x, from 0 to reach. */
DPPAIR_FN_ double dppair_fall_(const dppair_branch_ *branch, const dppair_place_ *place, double c,
                               double x) {
  if (branch->shape == DPPAIR_BACKWARD_) return x > 0.0 ? x : -x - c * place->slope;
  return x > 0.0 ? x - (c + 1.0) * branch->reach - c * place->mirror : -x;
}

/* log(e^v - 1), v > 0, where e^v may overflow. */
DPPAIR_FN_ double dppair_log_expm1_(double v) { return v + dppair_log_(-dppair_expm1_(-v)); }

/* Bounds what the node last added leaves beyond it, in steps of h, at each tilt: 0 when the mass
 * there is not yet below e^-digits of its level, or does not fall yet. */
DPPAIR_FN_ int dppair_nodes_done_(double *beyond, const dppair_nodes_ *nodes,
                                  const dppair_branch_ *branch, const dppair_place_ *place,
                                  const double *tilt, const double *level, double digits, double x,
                                  double h) {
  int k;
  for (k = 0; k < DPPAIR_TILTS_; k++) {
    const double fall = dppair_fall_(branch, place, tilt[k], x);
    const double log_here =
        nodes->log_mass[nodes->n - 1] + tilt[k] * nodes->loss[nodes->n - 1] - level[k];
    if (fall < DPPAIR_NODES_FALL_ || log_here > -digits) return 0;
    beyond[k] = dppair_exp_(log_here) / dppair_expm1_(h * fall);
  }
  return 1;
}

/* A branch on the line by the trapezoid with step h and a strip of half width a. tilt, level: the
 * tilts with rough values of log M there; the mass left out is made smaller than e^-digits of it.
 */
DPPAIR_FN_ dppair_status dppair_nodes_line_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                            const double *tilt, const double *level,
                                            const dppair_wish_ *wish, double a, double h) {
  const double log_h = dppair_log_(h);
  /* relative to M(c), which is at most 1.1 e^log_m: checked when M(c) is known */
  const double factor =
      dppair_log_(2.2) + 0.5 * a * a - dppair_log_expm1_(2.0 * DPPAIR_PI_ * a / h);
  double rate, out[DPPAIR_TILTS_] = {0.0, 0.0, 0.0}, beyond[DPPAIR_TILTS_];
  const double log_error = factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_C_], a);
  int side, k;
  dppair_place_ place;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] = dppair_log_add_(nodes->log_strip[k], log_error + rate * wish->y[k]);
  nodes->strip_right +=
      dppair_exp_(factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_RIGHT_], a));
  nodes->plain += dppair_exp_(factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_NONE_], a));
  for (side = 0; side < 2; side++) {
    size_t j = side == 0 ? 0 : 1;
    for (;; j++) {
      const double x = side == 0 ? h * (double)j : -h * (double)j;
      if (!dppair_nodes_add_(nodes, &place, branch, x, log_h)) return DPPAIR_ERR_NO_CONVERGENCE;
      if (h * (double)j >= DPPAIR_NODES_CENTRE_ &&
          dppair_nodes_done_(beyond, nodes, branch, &place, tilt, level, wish->digits[0], x, h))
        break;
    }
    for (k = 0; k < DPPAIR_TILTS_; k++) out[k] += beyond[k];
  }
  dppair_nodes_left_out_(nodes, out);
  return DPPAIR_OK;
}

/* One panel [x - w, x + w] with an ellipse of minor semi-axis b around it. */
typedef struct dppair_panel_ {
  double b;
  double log_error; /* of the 16-point rule, relative to e^log_m, at height 0 */
  double rate;      /* its growth with the height */
} dppair_panel_;

/* The largest log |mass e^(cL)| on the real points within span of x, but for the weight. -x^2/2 and
 * the concave parts -c log r(x), -c log r(-x) lie below their tangents, (c+1) log r below its
 * chord, so that the larger end counts. right: log r at x + span, mirror: at -x. */
DPPAIR_FN_ double dppair_panel_top_(const dppair_branch_ *branch, double c, double x, double span,
                                    const dppair_log_ratio_ *here, const dppair_log_ratio_ *right,
                                    const dppair_log_ratio_ *mirror) {
  double top = -HUGE_VAL;
  int side;
  for (side = -1; side <= 1; side += 2) {
    const double d = side * span;
    double value = -0.5 * x * x - x * d;
    if (branch->shape == DPPAIR_BACKWARD_) {
      value -= c * (here->value + here->slope * d);
    } else {
      dppair_log_ratio_ g = *right;
      if (side < 0) dppair_log_ratio_of_(&g, branch, x + d);
      value += (c + 1.0) * g.value;
      if (branch->shape == DPPAIR_OPPOSITE_) value -= c * (mirror->value - mirror->slope * d);
    }
    if (value > top) top = value;
  }
  return top;
}

/*
 * The error of a panel by the bound of |mass e^(zL)| on its ellipse, whose real parts are within
 * span of x. Modulus: |r| >= r cos(b reach/2) and >= r (1 - share (1 - cos(b reach))). Angle:
 * |arg r(x+ib)| is at most b (log r)'/cos(b reach/2). Share and slope increase in x.
 */
DPPAIR_FN_ void dppair_panel_of_(dppair_panel_ *panel, const dppair_branch_ *branch, double c,
                                 double log_m, double x, double w, double b) {
  const double rho = b / w + dppair_sqrt_(b * b / (w * w) + 1.0),
               span = 0.5 * w * (rho + 1.0 / rho);
  const double wedge = dppair_cos_(0.5 * b * branch->reach);
  dppair_log_ratio_ here, right, mirror, remote;
  double top, share = 0.0, slope;
  dppair_log_ratio_of_(&here, branch, x);
  dppair_log_ratio_of_(&right, branch, x + span);
  slope = right.slope;
  if (branch->shape == DPPAIR_BACKWARD_) share = right.share;
  if (branch->shape == DPPAIR_OPPOSITE_) {
    dppair_log_ratio_of_(&mirror, branch, -x);
    dppair_log_ratio_of_(&remote, branch, span - x);
    slope += remote.slope;
    share = remote.share;
  } else {
    mirror = here;
  }
  top = dppair_panel_top_(branch, c, x, span, &here, &right, &mirror);
  if (branch->shape != DPPAIR_FORWARD_) {
    const double kept = 1.0 - share * (1.0 - dppair_cos_(b * branch->reach));
    top -= c * dppair_log_(kept > wedge ? kept : wedge);
  }
  panel->b = b;
  panel->rate = b * slope / wedge;
  panel->log_error = top + branch->log_weight - DPPAIR_LOG_SQRT_2PI_ - log_m + 0.5 * b * b +
                     dppair_log_(w * (64.0 / 15.0) / (1.0 - 1.0 / (rho * rho)) * DPPAIR_SUM_UP_) -
                     32.0 * dppair_log_(rho);
}

/* The end of a branch at side +1 or -1, from `at` outwards by half deviations: where the mass has
 * fallen at all tilts. What is beyond is added to what is left out. */
DPPAIR_FN_ double dppair_nodes_end_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                    const double *tilt, const double *level, double digits,
                                    double at, int side) {
  dppair_place_ place;
  double tail[DPPAIR_TILTS_];
  int k;
  for (k = 0; k < DPPAIR_TILTS_;) {
    double fall;
    dppair_place_of_(&place, branch, at);
    fall = dppair_fall_(branch, &place, tilt[k], at);
    if (fall <= DPPAIR_NODES_FALL_ || place.log_mass + tilt[k] * place.loss - level[k] >= -digits)
      at += 0.5 * (double)side;
    else /* or NaN, which no walk ends: then so is what is left out */
      k++;
  }
  for (k = 0; k < DPPAIR_TILTS_; k++) {
    dppair_place_of_(&place, branch, at);
    tail[k] = dppair_exp_(place.log_mass + tilt[k] * place.loss - level[k]) /
              dppair_fall_(branch, &place, tilt[k], at);
  }
  dppair_nodes_left_out_(nodes, tail);
  return at;
}

/* The panel [x, x + 2w] with the best of six ellipses, from the widest that the branch allows down
 * to a sixteenth of it; b below w/2 is left out, because rho^-32 is above e^-16 there. Returns the
 * log of its error relative to the wish. */
DPPAIR_FN_ double dppair_panel_best_(dppair_panel_ *best, const dppair_branch_ *branch, double c,
                                     double log_m, double x, double w, const dppair_wish_ *wish) {
  const double allowed = branch->reach * DPPAIR_PANEL_AXIS_ < DPPAIR_PANEL_PART_ * DPPAIR_PI_
                             ? DPPAIR_PANEL_AXIS_
                             : DPPAIR_PANEL_PART_ * DPPAIR_PI_ / branch->reach;
  double gap = HUGE_VAL;
  dppair_panel_ panel;
  int i;
  memset(best, 0, sizeof *best);
  for (i = 0; i < 6; i++) {
    const double b = allowed * (i < 2 ? 1.0 - 0.3 * (double)i : dppair_pow_(0.5, (double)(i - 1)));
    double here;
    if (b < 0.5 * w) continue;
    dppair_panel_of_(&panel, branch, c, log_m, x + w, w, b);
    here = panel.log_error + dppair_wish_gap_(wish, panel.rate);
    if (here < gap) {
      gap = here;
      *best = panel;
    }
  }
  return gap;
}

/* Adds the 16 nodes of the panel [x, x + 2w], and its errors at the three tilts. */
DPPAIR_FN_ int dppair_panel_add_(dppair_nodes_ *nodes, const dppair_panel_ *panel,
                                 const dppair_branch_ *branch, const double *tilt,
                                 const double *level, const dppair_wish_ *wish, double x,
                                 double w) {
  dppair_panel_ other;
  dppair_place_ place;
  int k;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] =
        dppair_log_add_(nodes->log_strip[k], panel->log_error + panel->rate * wish->y[k]);
  dppair_panel_of_(&other, branch, tilt[DPPAIR_TILT_RIGHT_], level[DPPAIR_TILT_RIGHT_], x + w, w,
                   panel->b);
  nodes->strip_right += dppair_exp_(other.log_error);
  dppair_panel_of_(&other, branch, 0.0, 0.0, x + w, w, panel->b);
  nodes->plain += dppair_exp_(other.log_error);
  for (k = 0; k < 16; k++) {
    double weight;
    const double offset = dppair_legendre_(&weight, k);
    if (!dppair_nodes_add_(nodes, &place, branch, x + w * (1.0 + offset), dppair_log_(w * weight)))
      return 0;
  }
  return 1;
}

/* A branch by panels of 16 nodes, each as wide as its own bound allows: a panel tries twice the
 * width of the one before, and shrinks until its error is small enough. The last one reaches beyond
 * the end; what was counted there as left out is harmlessly counted twice. */
DPPAIR_FN_ dppair_status dppair_nodes_panels_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const double *tilt, const double *level,
                                              const dppair_wish_ *wish) {
  const double digits = wish->digits[0] + 2.0; /* so that the ends cost less than the panels */
  double from = branch->from, end, x, w = DPPAIR_PANEL_WIDEST_;
  dppair_panel_ panel;
  if (!branch->half)
    from = dppair_nodes_end_(nodes, branch, tilt, level, digits, -DPPAIR_NODES_CENTRE_, -1);
  end = dppair_nodes_end_(nodes, branch, tilt, level, digits, (branch->half ? from : 0.0) + 2.0, 1);
  for (x = from; x < end; x += 2.0 * w) {
    w = w * 2.1 < DPPAIR_PANEL_WIDEST_ ? w * 2.1 : DPPAIR_PANEL_WIDEST_;
    for (;; w *= 0.7) {
      if (w < DPPAIR_PANEL_LEAST_) return DPPAIR_ERR_NO_CONVERGENCE;
      if (dppair_panel_best_(&panel, branch, tilt[DPPAIR_TILT_C_], level[DPPAIR_TILT_C_], x, w,
                             wish) < -DPPAIR_PANEL_SHARE_)
        break;
    }
    if (!dppair_panel_add_(nodes, &panel, branch, tilt, level, wish, x, w))
      return DPPAIR_ERR_NO_CONVERGENCE;
  }
  return DPPAIR_OK;
}

/* The nodes of a branch, by the cheaper rule. log_m, log_right: rough log M(c), log M(c'). */
DPPAIR_FN_ dppair_status dppair_nodes_branch_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const dppair_contour_ *s, double log_m,
                                              double log_right, const dppair_wish_ *wish) {
  double tilt[DPPAIR_TILTS_] = {0.0, 0.0, 0.0}, level[DPPAIR_TILTS_] = {0.0, 0.0, 0.0};
  tilt[DPPAIR_TILT_C_] = s->c;
  tilt[DPPAIR_TILT_RIGHT_] = s->right;
  level[DPPAIR_TILT_C_] = log_m;
  level[DPPAIR_TILT_RIGHT_] = log_right;
  if (!branch->half) {
    double a, h = dppair_short_(dppair_strip_step_(&a, branch, s->c, wish));
    if (h > DPPAIR_STRIP_LEAST_STEP_)
      return dppair_nodes_line_(nodes, branch, tilt, level, wish, a, h);
  }
  return dppair_nodes_panels_(nodes, branch, tilt, level, wish);
}

/* ---- src/accountant/composition/contour/factor.h --------------------------------------------
 * One step's factor on the line
 *
 * Multiplies M(z_k)^T of one step into all nodes of the line: its nodes in x (quadrature.h), the
 * sums over them at every z_k, and bounds of all errors on the way (theory.h, "rounding").
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_END_
DPPAIR_FP_BEGIN_ /* calls nothing: may become vectors */
/* Turns each node once, v <- v w + d with w = e^(i eta L) and d = a (w - 1), so that v runs through
 * a (w^k - 1), and sums all v by blocks of 256. Four running sums of each part let compilers use
 * vectors. n is a multiple of 4. */
DPPAIR_FN_ void dppair_contour_turn_(double *sum_re, double *sum_im, double *DPPAIR_RESTRICT_ re,
                                     double *DPPAIR_RESTRICT_ im,
                                     const double *DPPAIR_RESTRICT_ turn_re,
                                     const double *DPPAIR_RESTRICT_ turn_im,
                                     const double *DPPAIR_RESTRICT_ add_re,
                                     const double *DPPAIR_RESTRICT_ add_im, size_t n) {
  size_t block, j, v;
  *sum_re = *sum_im = 0.0;
  for (block = 0; block < n; block += 256) {
    const size_t end = block + 256 < n ? block + 256 : n;
    double a[4] = {0.0, 0.0, 0.0, 0.0}, b[4] = {0.0, 0.0, 0.0, 0.0};
    for (j = block; j < end; j += 4) {
      for (v = 0; v < 4; v++) {
        const size_t i = j + v;
        const double x = (re[i] * turn_re[i] - im[i] * turn_im[i]) + add_re[i];
        const double y = (re[i] * turn_im[i] + im[i] * turn_re[i]) + add_im[i];
        re[i] = x;
        im[i] = y;
        a[v] += x;
        b[v] += y;
      }
    }
    *sum_re += (a[0] + a[1]) + (a[2] + a[3]);
    *sum_im += (b[0] + b[1]) + (b[2] + b[3]);
  }
}
DPPAIR_FP_END_
DPPAIR_LIBM_BEGIN_

/* One step on its way into the line. All masses are relative to e^log_m, which the search found
 * for M(c), so that M(c) e^-log_m = m is near 1. An atom at loss 0 adds nothing to either sum. */
typedef struct dppair_factor_ {
  const double *layers;
  double times;            /* how often the step runs */
  double log_m, log_right; /* log M(c) and log M(c'), as the search found them */
  double one;              /* e^-log_m: what a mass of 1 is here */
  dppair_nodes_ nodes;
  double summed;              /* roundings of one turned sum and of its terms */
  double excess, size, wrong; /* M(c) - 1, the same with all terms positive, its error */
  double right, right_wrong;  /* M(c') relative to e^log_right, and its error */
  double dropped;             /* mass of the nodes that do not turn */
  double m, base, strip;      /* M(c); errors at every node: mass not there, quadrature */
  double turn1, turn2;        /* rounding of M(z_k) - M(c): at most k turn1 + k^2 turn2, */
  double flat, phase;         /* and at most flat + k phase */
  size_t n;                   /* nodes that turn, filled up to a multiple of 4 */
  double *re, *im;            /* a (w^k - 1), a the mass at tilt c and w = e^(i eta L) */
  double *turn_re, *turn_im;  /* w */
  double *add_re, *add_im;    /* a (w - 1) */
} dppair_factor_;

/* The largest exponent of e that is used: neither e^600 nor e^-600 leaves the normal doubles. */
#define DPPAIR_EXPONENT_ 600.0

/* Terms of relative size 1e-22 are beyond the digits of a sum: they are left out, and bounded. */
#define DPPAIR_NOTHING_ 1e-22

DPPAIR_FN_ void dppair_factor_begin_(dppair_factor_ *f, const dppair_contour_ *s,
                                     const dppair_law_ *law, size_t t) {
  const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
  double *room = s->node;
  int i;
  memset(f, 0, sizeof *f);
  f->layers = s->layers + 2 * DPPAIR_LAYERS_ * t;
  f->times = law->steps;
  f->log_m = dppair_contour_search_step_(search, s->c);
  f->log_right = dppair_contour_search_step_(search, s->right);
  f->one = dppair_exp_(-f->log_m);
  f->nodes.loss = room;
  f->nodes.log_mass = room += DPPAIR_X_NODES_;
  f->nodes.loss_error = room += DPPAIR_X_NODES_;
  f->nodes.mass_error = room += DPPAIR_X_NODES_;
  f->nodes.room = DPPAIR_X_NODES_ - 4; /* filled up to a multiple of 4 */
  for (i = 0; i < DPPAIR_HEIGHTS_; i++) f->nodes.log_strip[i] = -1e300;
  f->re = room += DPPAIR_X_NODES_;
  f->im = room += DPPAIR_X_NODES_;
  f->turn_re = room += DPPAIR_X_NODES_;
  f->turn_im = room += DPPAIR_X_NODES_;
  f->add_re = room += DPPAIR_X_NODES_;
  f->add_im = room + DPPAIR_X_NODES_;
}

/* How small the error of this step should be at each height. An error e of |M| relative to M(c)
 * makes one of T e |M|^(T-1) times the other steps' factors in K. */
DPPAIR_FN_ void dppair_factor_wish_(dppair_wish_ *wish, const dppair_factor_ *f,
                                    const dppair_contour_ *s, double digits) {
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++) {
    const double y = s->cut * (double)i / (double)(DPPAIR_HEIGHTS_ - 1);
    const double own = dppair_contour_decay_(f->layers, y, 1.0);
    const double all = dppair_contour_decay_all_(s, y);
    const double least = dppair_log_(f->times + 1.0) - own;
    wish->y[i] = y;
    wish->digits[i] = digits + dppair_log_(f->times + 1.0) + all - own;
    if (wish->digits[i] < least) wish->digits[i] = least;
  }
}

/* The nodes of all branches. */
DPPAIR_FN_ dppair_status dppair_factor_nodes_(dppair_factor_ *f, const dppair_contour_ *s,
                                              const dppair_law_ *law, double digits) {
  dppair_branch_ branch;
  dppair_wish_ wish;
  size_t i;
  if (!(dppair_fabs_(f->log_m) < DPPAIR_EXPONENT_ && dppair_fabs_(f->log_right) < DPPAIR_EXPONENT_))
    return DPPAIR_ERR_NO_CONVERGENCE;
  memset(&branch, 0, sizeof branch);
  dppair_factor_wish_(&wish, f, s, digits);
  for (i = 0; i < dppair_branches_(law); i++) {
    dppair_status status;
    dppair_branch_of_(&branch, law, i, s->backward);
    status = dppair_nodes_branch_(&f->nodes, &branch, s, f->log_m, f->log_right, &wish);
    if (status != DPPAIR_OK) return status;
  }
  /* sums by blocks of 256, each in four parts */
  f->summed =
      (f->nodes.n < 256 ? 0.25 * (double)f->nodes.n : 64.0 + (double)f->nodes.n / 256.0) + 16.0;
  return DPPAIR_OK;
}

/* Adds node j to M(c) - 1 = E (e^(cL) - 1) and to M(c'). Returns its mass at tilt c, with bounds of
 * the relative errors of its mass and of e^(cL). */
DPPAIR_FN_ double dppair_factor_real_(dppair_factor_ *f, double *mass_error, double *tilt_error,
                                      const dppair_contour_ *s, size_t j) {
  const double u = DPPAIR_UNIT_, loss = f->nodes.loss[j], shift = s->c * loss;
  const double a = dppair_exp_(f->nodes.log_mass[j] + shift - f->log_m);
  const double plain = dppair_exp_(f->nodes.log_mass[j]);
  /* beyond |cL| = 30 one of the two terms of the difference is nothing beside the other */
  const double grows =
      dppair_fabs_(shift) < 30.0 ? plain * dppair_expm1_(shift) * f->one : a - plain * f->one;
  const double right = dppair_exp_(f->nodes.log_mass[j] + s->right * loss - f->log_right);
  *mass_error = f->nodes.mass_error[j] + u * (8.0 + 2.0 * dppair_fabs_(f->log_m));
  *tilt_error = s->c * f->nodes.loss_error[j] + 4.0 * u * dppair_fabs_(shift);
  f->excess += grows;
  f->size += dppair_fabs_(grows);
  f->wrong += dppair_fabs_(grows) * *mass_error + a * *tilt_error;
  f->right += right;
  f->right_wrong +=
      right * (*mass_error + s->right * f->nodes.loss_error[j] +
               4.0 * u * (s->right * dppair_fabs_(loss) + dppair_fabs_(f->log_right) + 2.0));
  return a;
}

/* Prepares node j, of mass a at tilt c, for turning, and adds its roundings: |w^k - 1| is at most
 * k |angle|, and at most 2. */
DPPAIR_FN_ void dppair_factor_turning_(dppair_factor_ *f, const dppair_contour_ *s, size_t j,
                                       double a, double mass_error, double tilt_error) {
  const double u = DPPAIR_UNIT_, angle = s->eta * f->nodes.loss[j], half = dppair_sin_(0.5 * angle);
  const double reach = dppair_fabs_(angle) < 2.0 ? dppair_fabs_(angle) : 2.0;
  const double relative = mass_error + tilt_error + u * f->summed;
  const double turned = s->eta * f->nodes.loss_error[j] + 2.0 * u * dppair_fabs_(angle);
  const size_t n = f->n++;
  f->turn1 +=
      a * (reach * relative + s->eta * f->nodes.loss_error[j] + 2.0 * u * dppair_fabs_(angle));
  f->turn2 += a * reach * 4.0 * u;
  f->flat += a * 2.0 * relative;
  f->phase += a * (turned + 16.0 * u);
  dppair_sin_cos_(&f->turn_im[n], &f->turn_re[n], angle);
  f->add_re[n] = -2.0 * a * half * half;
  f->add_im[n] = a * f->turn_im[n];
  f->re[n] = f->im[n] = 0.0;
}

/* Sums over all nodes at the tilts c and c', prepares the turning, and puts the bounds together. */
DPPAIR_FN_ dppair_status dppair_factor_settle_(dppair_factor_ *f, const dppair_contour_ *s,
                                               double atom, double atom_error) {
  const double u = DPPAIR_UNIT_, still = atom * dppair_exp_(-f->log_right);
  dppair_nodes_ *nodes = &f->nodes;
  size_t j;
  for (j = 0; j < nodes->n; j++) {
    double mass_error, tilt_error;
    const double a = dppair_factor_real_(f, &mass_error, &tilt_error, s, j);
    if (a < DPPAIR_NOTHING_)
      f->dropped += a;
    else
      dppair_factor_turning_(f, s, j, a, mass_error, tilt_error);
  }
  for (; f->n % 4 != 0; f->n++) {
    f->re[f->n] = f->im[f->n] = f->turn_re[f->n] = f->turn_im[f->n] = 0.0;
    f->add_re[f->n] = f->add_im[f->n] = 0.0;
  }
  f->m = f->one + f->excess;
  /* the bounds so far took M(c) for at most 1.1 e^log_m, and hardly less */
  if (!(f->m > 0.92 && f->m < 1.08)) return DPPAIR_ERR_NO_CONVERGENCE;
  f->wrong += f->size * u * ((double)nodes->n + 16.0) + u * 4.0 * dppair_fabs_(f->excess);
  f->right += still;
  f->right_wrong += still * (atom_error + u * (4.0 + dppair_fabs_(f->log_right)));
  f->strip = dppair_exp_(nodes->log_strip[0]) / f->m;
  nodes->strip_right /= f->right;
  f->base = (nodes->left_out + f->dropped) / f->m;
  f->wrong =
      f->wrong / f->m +
      (nodes->plain + nodes->left_out) * dppair_exp_(f->log_m < 0.0 ? -f->log_m : 0.0) / f->m +
      f->strip;
  return f->base + f->wrong < 1e-3 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Bounds of the error of M(z_k)/M(c) - 1 = x + iy: by rounding and by mass that is not there, */
DPPAIR_FN_ double dppair_factor_rounding_(const dppair_factor_ *f, size_t k, double x, double y) {
  const double count = (double)k;
  double e = count * (f->turn1 + count * f->turn2);
  if (e > f->flat + count * f->phase) e = f->flat + count * f->phase;
  return e / f->m + (k > 0 ? 2.0 * f->base : 0.0) + f->wrong * dppair_sqrt_(x * x + y * y);
}

/* and by the quadrature, from the chord between the heights around z_k. */
DPPAIR_FN_ double dppair_factor_quadrature_(const dppair_factor_ *f, size_t k, size_t nodes) {
  const double *strip = f->nodes.log_strip;
  const double at = (double)(DPPAIR_HEIGHTS_ - 1) * (double)k / (double)nodes;
  const size_t i = (size_t)at < DPPAIR_HEIGHTS_ - 2 ? (size_t)at : DPPAIR_HEIGHTS_ - 2;
  return f->strip + dppair_exp_(strip[i] + (at - (double)i) * (strip[i + 1] - strip[i])) / f->m;
}

/* Turns through all nodes of the line and multiplies the factor into them. */
DPPAIR_FN_ void dppair_factor_line_(const dppair_factor_ *f, const dppair_contour_ *s) {
  const dppair_line_ line = dppair_line_of_(s);
  const double u = DPPAIR_UNIT_, times = f->times;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    double x = 0.0, y = 0.0, q, e, size, log_size;
    if (k > 0)
      dppair_contour_turn_(&x, &y, f->re, f->im, f->turn_re, f->turn_im, f->add_re, f->add_im,
                           f->n);
    x /= f->m;
    y /= f->m;
    e = dppair_factor_rounding_(f, k, x, y);
    q = 2.0 * x + (x * x + y * y); /* |M(z)/M(c)|^2 - 1 */
    if (q > -0.5) {                /* near 1: its log keeps the digits of q */
      size = dppair_sqrt_(1.0 + q);
      log_size = 0.5 * dppair_log1p_(q);
      line.rounding[k] +=
          8.0 * u * times * (2.0 * dppair_fabs_(x) + x * x + y * y + dppair_fabs_(y));
    } else {
      size = dppair_sqrt_((1.0 + x) * (1.0 + x) + y * y);
      e += 8.0 * u * (1.0 + dppair_fabs_(x) + dppair_fabs_(y));
      if (size < 1e-300) size = 1e-300;
      log_size = dppair_log_(size);
      line.rounding[k] += 8.0 * u * times * (4.0 + dppair_fabs_(log_size));
    }
    if (k > 0) e += dppair_factor_quadrature_(f, k, s->nodes);
    line.log_abs[k] += times * log_size;
    line.arg[k] += times * dppair_atan2_(y, 1.0 + x);
    line.log_top[k] += times * (log_size + dppair_log1p_(e / size));
    line.error[k] += times * e / (size + e);
  }
}

/* Adds the factor to log K(c), to log K(c') (infinite where that is not known to 1 %: there is no
 * lower bound then) and to the decay beyond the cut. */
DPPAIR_FN_ void dppair_factor_totals_(const dppair_factor_ *f, dppair_contour_ *s) {
  const double u = DPPAIR_UNIT_, times = f->times, log_m = f->log_m;
  const double log_true = dppair_fabs_(log_m) < 1.0 ? dppair_log1p_(f->excess * dppair_exp_(log_m))
                                                    : log_m + dppair_log_(f->m);
  const double right_wrong =
      (f->right_wrong + f->nodes.left_out_right) / f->right + u * (double)f->nodes.n;
  s->log_k += times * log_true;
  s->log_k_rounding +=
      times * 8.0 * u *
      (dppair_fabs_(log_true) + (dppair_fabs_(log_m) < 1.0 ? 0.0 : dppair_fabs_(log_m)));
  /* -log(1 - e) <= 1.001 e for e <= 1e-3, and 1.1 e for e <= 0.01 */
  s->log_k_rounding += times * f->wrong * 1.001;
  if (right_wrong + f->nodes.strip_right < 0.01 && f->right < 1.08)
    s->log_right +=
        times * (f->log_right + dppair_log_(f->right) + 1.1 * (right_wrong + f->nodes.strip_right) +
                 8.0 * u * (dppair_fabs_(f->log_right) + 2.0));
  else
    s->log_right = HUGE_VAL;
  s->log_decay += times * dppair_contour_decay_(f->layers, s->cut, f->m * (1.0 + 2.0 * f->wrong));
}

/* Multiplies step t, whose pair is law, into the line. e^-digits: the error that is wished for. */
DPPAIR_FN_ dppair_status dppair_contour_multiply_(dppair_contour_ *s, const dppair_law_ *law,
                                                  size_t t, double digits) {
  dppair_factor_ f;
  dppair_status status;
  dppair_factor_begin_(&f, s, law, t);
  status = dppair_factor_nodes_(&f, s, law, digits);
  if (status == DPPAIR_OK)
    status = dppair_factor_settle_(&f, s, dppair_law_atom_(law), dppair_law_atom_error_(law));
  if (status != DPPAIR_OK) return status;
  dppair_factor_line_(&f, s);
  dppair_factor_totals_(&f, s);
  return DPPAIR_OK;
}

/* ---- src/accountant/composition/contour/line.h ----------------------------------------------
 * The line: c, c', eta and N, and the sum over its nodes
 *
 * saddle, choose and extent place the line by the search's rough values; certify multiplies all
 * steps into it (factor.h) and adds up the errors; bounds reads delta off at any epsilon.
 * ---------------------------------------------------------------------------------------------- */

/* The plain Gaussian steps' factor, exp(v z (z+1)/2) with v the sum of mu^2. */
DPPAIR_FN_ void dppair_contour_gaussian_(dppair_contour_ *s) {
  const dppair_line_ line = dppair_line_of_(s);
  const double v = 0.5 * s->variance, unit = 16.0 * DPPAIR_UNIT_;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k;
    line.log_abs[k] = line.log_top[k] = -v * y * y;
    line.arg[k] = v * y * (2.0 * s->c + 1.0);
    line.error[k] = 0.0;
    line.rounding[k] = unit * (v * y * y + line.arg[k]);
  }
  s->log_k = v * s->c * (s->c + 1.0);
  s->log_k_rounding = unit * s->log_k;
  s->log_right = v * s->right * (s->right + 1.0) * (1.0 + unit);
  s->log_decay = -v * s->cut * s->cut * (1.0 - unit);
}

/* The walk to the saddle begins at c = 1 with strides of this factor, which shrink to their square
 * root at every turn but the first; after five turns c is within 6 % of the least goal, which is
 * flat there. The 200 strides and the range of c end walks that lead nowhere. */
#define DPPAIR_SADDLE_STRIDE_ 1.6
enum { DPPAIR_SADDLE_TURNS_ = 5, DPPAIR_SADDLE_STRIDES_ = 200 };
#define DPPAIR_SADDLE_LEAST_ 1e-6

/* c near the saddle: where the search's goal is least. *best is the goal there. */
DPPAIR_FN_ dppair_status dppair_contour_saddle_(double *best, dppair_contour_ *s, int for_delta,
                                                double given) {
  double c = 1.0, value, step = DPPAIR_SADDLE_STRIDE_;
  int i, turns = 0;
  dppair_status status = dppair_contour_search_(&value, s, c);
  if (status != DPPAIR_OK) return status;
  *best = dppair_contour_goal_(value, c, for_delta, given);
  /* walk downhill in log c; turn round and shorten the stride when it rises */
  for (i = 0; i < DPPAIR_SADDLE_STRIDES_ && turns < DPPAIR_SADDLE_TURNS_; i++) {
    const double next = c * step;
    double trial;
    if (!(next < s->c_limit && next > DPPAIR_SADDLE_LEAST_)) {
      if (++turns > 1) break;
      step = 1.0 / step;
      continue;
    }
    status = dppair_contour_search_(&value, s, next);
    trial = status == DPPAIR_OK ? dppair_contour_goal_(value, next, for_delta, given) : HUGE_VAL;
    if (trial < *best) {
      *best = trial;
      c = next;
    } else {
      turns++;
      step = turns == 1 ? 1.0 / step : dppair_pow_(step, -0.5);
    }
  }
  s->c = c;
  return dppair_isfinite_f64(*best) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* The values of c and c' that are tried: 24, each 1.1 times the one before, the tenth of them near
 * the saddle. c is taken from the first 13, c' from those above it. */
enum { DPPAIR_C_GRID_ = 24, DPPAIR_C_MIDDLE_ = 9, DPPAIR_C_LAST_ = DPPAIR_C_MIDDLE_ + 4 };
#define DPPAIR_C_RATIO_ 1.1

/* K(c) e^(-c epsilon) may exceed its least value by e^2.5 at first, since rounding errors are
 * relative to it; where no c does, by the fourth power of that, and so on. */
#define DPPAIR_C_EXCESS_ 2.5
#define DPPAIR_C_EXCESS_MORE_ 4.0
#define DPPAIR_C_EXCESS_MOST_ 1e3

/* What the choice of a line is made from: log K on the grid, and where the answer is expected. */
typedef struct dppair_choice_ {
  double c[DPPAIR_C_GRID_], log_k[DPPAIR_C_GRID_];
  double need[DPPAIR_C_GRID_]; /* the log of the moment bound at each c over delta */
  double epsilon, log_delta;
  double digits; /* aliases should be below e^-digits of delta */
  double period; /* 2 pi/eta where it is given; 0: eta is to be chosen, as large as possible */
} dppair_choice_;

/* Where the answer is expected, by the saddle point approximation of delta: log K(c) - c epsilon
 * minus the log of c (c+1) sqrt(2 pi K''), K'' the curvature of log K(c) - log c - log(c+1). */
DPPAIR_FN_ void dppair_choice_guess_(dppair_choice_ *choice, const dppair_contour_ *s,
                                     int for_delta, double given, double top) {
  const int m = DPPAIR_C_MIDDLE_;
  const double *grid = choice->c, *log_k = choice->log_k, c = s->c;
  const double curvature = 2.0 *
                               ((log_k[m + 1] - log_k[m]) / (grid[m + 1] - grid[m]) -
                                (log_k[m] - log_k[m - 1]) / (grid[m] - grid[m - 1])) /
                               (grid[m + 1] - grid[m - 1]) +
                           1.0 / (c * c) + 1.0 / ((c + 1.0) * (c + 1.0));
  const double saddle =
      curvature > 0.0
          ? log_k[m] - dppair_log_(c * (c + 1.0) * dppair_sqrt_(2.0 * DPPAIR_PI_ * curvature))
          : log_k[m] + dppair_contour_kernel_(c);
  if (s->trim < 0.0) {
    choice->epsilon = s->about[0];
    choice->log_delta = s->about[1];
    return;
  }
  choice->epsilon = for_delta ? given : (saddle - given) / c;
  /* the moment bound `top` is never five times too large where this approximation is of use */
  if (!for_delta && !(choice->epsilon > 0.2 * top)) choice->epsilon = 0.2 * top;
  choice->log_delta = for_delta ? saddle - c * choice->epsilon : given;
}

/* How good c = grid[i] and c' = grid[j] are. With the period to be chosen: the largest eta/(2 pi)
 * that keeps the aliases of either side below e^-digits of delta. With a given period: the digits
 * that the aliases leave, as far as they are wanted, less half of what c loses to rounding. */
DPPAIR_FN_ double dppair_choice_score_(const dppair_choice_ *choice, int i, int j, double excess) {
  const double *grid = choice->c, digits = choice->digits, need = choice->need[j];
  double score, left;
  if (choice->period > 0.0) {
    left = grid[i] * choice->period + choice->log_delta;
    score = (grid[j] - grid[i]) * choice->period - need;
    if (left < score) score = left;
    if (digits < score) score = digits;
    return score - 0.5 * excess;
  }
  left = grid[i] / (digits - choice->log_delta);
  score = digits + need > 0.0 ? (grid[j] - grid[i]) / (digits + need) : left;
  if (left < score) score = left;
  return score > 0.0 ? score : -HUGE_VAL;
}

/* The best c and c' among those where K(c) e^(-c epsilon) is at most e^allowed of its value at the
 * saddle. Returns their score, -HUGE_VAL when there are none. */
DPPAIR_FN_ double dppair_choice_best_(dppair_contour_ *s, const dppair_choice_ *choice,
                                      double allowed) {
  const int m = DPPAIR_C_MIDDLE_;
  const double *grid = choice->c, *log_k = choice->log_k;
  double best = -HUGE_VAL;
  int i, j;
  for (i = 0; i < DPPAIR_C_LAST_; i++) {
    const double excess = log_k[i] - log_k[m] - (grid[i] - grid[m]) * choice->epsilon;
    if (!(excess < allowed)) continue;
    for (j = i + 1; j < DPPAIR_C_GRID_ && dppair_isfinite_f64(log_k[j]); j++) {
      const double score = dppair_choice_score_(choice, i, j, excess);
      if (score > best) {
        best = score;
        s->c = grid[i];
        s->right = grid[j];
      }
    }
  }
  return best;
}

/*
 * From s->c near the saddle, where the goal is `top`: the line's c, c' and eta, with eta as large
 * as the aliases allow. period > 0: eta is 2 pi/period, and c, c' are those with the smallest
 * aliases. *guess: where the answer is expected, epsilon, or log delta when for_delta.
 */
DPPAIR_FN_ dppair_status dppair_contour_choose_(double *guess, dppair_contour_ *s, int for_delta,
                                                double given, double top, double digits,
                                                double period) {
  dppair_choice_ choice;
  double allowed, best = -HUGE_VAL;
  int i;
  choice.digits = digits;
  choice.period = period;
  for (i = 0; i < DPPAIR_C_GRID_; i++) {
    choice.c[i] = s->c * dppair_pow_(DPPAIR_C_RATIO_, (double)(i - DPPAIR_C_MIDDLE_));
    if (dppair_contour_search_(&choice.log_k[i], s, choice.c[i]) != DPPAIR_OK)
      choice.log_k[i] = HUGE_VAL;
  }
  dppair_choice_guess_(&choice, s, for_delta, given, top);
  *guess = for_delta ? choice.log_delta : choice.epsilon;
  for (i = 0; i < DPPAIR_C_GRID_; i++)
    choice.need[i] = choice.log_k[i] + dppair_contour_kernel_(choice.c[i]) -
                     choice.c[i] * choice.epsilon - choice.log_delta;
  for (allowed = DPPAIR_C_EXCESS_; best == -HUGE_VAL && allowed < DPPAIR_C_EXCESS_MOST_;
       allowed *= DPPAIR_C_EXCESS_MORE_)
    best = dppair_choice_best_(s, &choice, allowed);
  if (best == -HUGE_VAL) return DPPAIR_ERR_NO_CONVERGENCE;
  s->eta = 2.0 * DPPAIR_PI_ * (period > 0.0 ? 1.0 / period : best);
  return DPPAIR_OK;
}

/* 1 when a line of this many nodes loses less than e^-digits to its cut. The saddle's integral is
 * about 1/(c (c+1) width) and the cut's 1/Y: both are compared with K(c) e^(-c epsilon). */
DPPAIR_FN_ int dppair_contour_enough_(const dppair_contour_ *s, size_t nodes, double digits) {
  const double weight = dppair_log_(s->c * (s->c + 1.0)) - dppair_log_(DPPAIR_PI_);
  const double y = s->eta * (double)nodes;
  return dppair_contour_decay_all_(s, y) + weight - dppair_log_(y) < -digits;
}

/* Layers of all steps, then a number of nodes, up to 3 % too large, at which the cut costs less
 * than e^-digits. */
DPPAIR_FN_ dppair_status dppair_contour_extent_(dppair_contour_ *s, double digits) {
  size_t t, low = 4, high = 8, limit = DPPAIR_Z_NODES_ - 1;
  dppair_law_ law;
  for (t = 0; t < s->count; t++) {
    const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    const dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    dppair_contour_layers_(
        s, t, &law,
        search[DPPAIR_SEARCH_NODES_] > -DBL_MAX ? dppair_contour_search_step_(search, s->c) : 0.0);
  }
  while (!dppair_contour_enough_(s, high, digits)) {
    if (high == limit) return DPPAIR_ERR_NO_CONVERGENCE;
    low = high;
    high = high * 3 / 2 < limit ? high * 3 / 2 : limit;
  }
  while (high - low > 1 + high / 32) {
    const size_t middle = low + (high - low) / 2;
    if (dppair_contour_enough_(s, middle, digits))
      high = middle;
    else
      low = middle;
  }
  s->nodes = high;
  s->cut = s->eta * (double)high;
  return DPPAIR_OK;
}

/* All factors; then, for each node, its share of S (in log_abs) and its phase (in arg), and the
 * total of the errors, all relative to e^(log_k - c epsilon). extent bounds |epsilon| for the
 * rounding of the phases. */
DPPAIR_FN_ dppair_status dppair_contour_certify_(dppair_contour_ *s, double digits, double extent) {
  const dppair_line_ line = dppair_line_of_(s);
  const double c = s->c;
  double total = 0.0;
  size_t t, k;
  dppair_law_ law;
  dppair_contour_gaussian_(s);
  for (t = 0; t < s->count; t++) {
    dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && dppair_branches_(&law) > 0 && law.steps > 0.0)
      status = dppair_contour_multiply_(s, &law, t, digits);
    if (status != DPPAIR_OK) return status;
  }
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, re = c * (c + 1.0) - y * y, im = y * (2.0 * c + 1.0);
    const double share =
        (k == 0 ? 0.5 : 1.0) * s->eta / DPPAIR_PI_ / dppair_sqrt_(re * re + im * im);
    const double own = dppair_exp_(line.log_abs[k]) * share;
    total += dppair_exp_(line.log_top[k] + line.rounding[k]) * share * line.error[k] +
             own * (line.rounding[k] + 16.0 * DPPAIR_UNIT_ * (4.0 + y * extent));
    line.log_abs[k] = own;
    line.arg[k] -= dppair_atan2_(im, re);
  }
  total *= 1.0 + 1e-9; /* the rounding of this sum and of the next one */
  total += dppair_exp_(s->log_decay + s->log_k_rounding) / (DPPAIR_PI_ * s->cut) * (1.0 + 1e-9);
  s->error = total;
  return dppair_isfinite_f64(total) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* S e^(c epsilon - log_k), and its derivative in epsilon with that factor taken along. */
DPPAIR_FN_ double dppair_contour_sum_(double *slope, const dppair_contour_ *s, double epsilon) {
  const dppair_line_ line = dppair_line_of_(s);
  const double *share = line.log_abs;
  double sum = 0.0, turn = 0.0;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, phase = line.arg[k] - y * epsilon;
    double sine, cosine;
    if (share[k] < DPPAIR_NOTHING_ * share[0]) continue;
    dppair_sin_cos_(&sine, &cosine, phase);
    sum += share[k] * cosine;
    turn += share[k] * y * sine;
  }
  *slope = turn - s->c * sum;
  return sum;
}

/* The estimate to return: `middle` where the bounds are within 1 %, else what is proved. */
DPPAIR_FN_ double dppair_estimate_(double upper, double lower, double middle) {
  if (!(lower > 0.0 && upper <= 1.01 * lower)) return upper;
  return middle < lower ? lower : (middle > upper ? upper : middle);
}

/* x e^exponent by two halves of the exponent, so that numbers near the smallest are rounded once.
 */
DPPAIR_FN_ double dppair_scaled_(double x, double exponent) {
  const double half = dppair_exp_(0.5 * exponent);
  return x * half * half;
}

/* An upper and a lower bound of delta as they are returned: in [0, 1], and never subnormal, since
 * subnormal numbers lose digits. */
DPPAIR_FN_ double dppair_delta_above_(double delta) {
  if (!(delta >= 0.0 && delta < 1.0)) return 1.0;
  return delta < DBL_MIN ? DBL_MIN : delta;
}
DPPAIR_FN_ double dppair_delta_below_(double delta) { return delta >= DBL_MIN ? delta : 0.0; }

/* A bound of the sum of all aliases of S at epsilon; infinite where K(c') is not known. */
DPPAIR_FN_ double dppair_contour_aliases_(const dppair_contour_ *s, double epsilon) {
  const double period = 2.0 * DPPAIR_PI_ / s->eta, wide = s->c * period * (1.0 - 1e-15);
  const double ratio = dppair_exp_(-(s->right - s->c) * period);
  const double left = dppair_exp_(-wide) / -dppair_expm1_(-wide) * (1.0 + 1e-14);
  if (!(ratio < 0.99 && dppair_isfinite_f64(s->log_right))) return HUGE_VAL;
  return left + dppair_exp_(s->log_right + dppair_contour_kernel_(s->right) - s->right * epsilon) *
                    ratio / (1.0 - ratio) * (1.0 + 1e-9);
}

/* Bounds of delta at epsilon, both in [0, 1]; *nearest is S, *log_slope the slope of log S. */
DPPAIR_FN_ void dppair_contour_bounds_(double *upper, double *lower, double *nearest,
                                       double *log_slope, const dppair_contour_ *s,
                                       double epsilon) {
  const double exponent = s->log_k - s->c * epsilon;
  const double slack = s->log_k_rounding +
                       4.0 * DPPAIR_UNIT_ * (dppair_fabs_(s->log_k) + dppair_fabs_(s->c * epsilon));
  double slope;
  const double sum = dppair_contour_sum_(&slope, s, epsilon), share = dppair_line_of_(s).log_abs[0];
  double wrong =
      s->error + dppair_fabs_(sum) * (dppair_expm1_(slack) * 1.001 + 16.0 * DPPAIR_UNIT_);
  wrong += (double)(s->nodes + 1) * DPPAIR_NOTHING_ * share + s->error * dppair_expm1_(slack);
  *nearest = dppair_scaled_(sum, exponent);
  *log_slope = sum > 0.0 ? slope / sum : -s->c;
  *upper = dppair_scaled_(sum + wrong, exponent) * (1.0 + 4e-15) + s->failure;
  *lower =
      dppair_scaled_(sum - wrong, exponent) * (1.0 - 4e-15) - dppair_contour_aliases_(s, epsilon);
  *upper = sum + wrong > 0.0 ? dppair_delta_above_(*upper) : 1.0;
  *lower = dppair_delta_below_(*lower);
  if (*lower > 1.0) *lower = 1.0;
}

/* ---- src/accountant/composition/contour/direction.h -----------------------------------------
 * The answers of the contour route
 *
 * A line per direction (forward and, for mixtures, backward), the root in epsilon or the value of
 * delta on it, and the larger of both directions. Builds on line.h.
 * ---------------------------------------------------------------------------------------------- */

/* The questions of a composition: what epsilon is at a given delta, or delta at a given epsilon. */
DPPAIR_FN_ dppair_status dppair_given_check_(int for_delta, double given) {
  if (!dppair_isfinite_f64(given)) return DPPAIR_ERR_NOT_FINITE;
  if (for_delta) return given >= 0.0 ? DPPAIR_OK : DPPAIR_ERR_EPSILON;
  return given >= DBL_MIN && given < 1.0 ? DPPAIR_OK : DPPAIR_ERR_DELTA;
}

/* What hits beyond the cap may cost in delta at first: next to nothing of a delta that is given,
 * and less than most answers where delta is asked for (dppair_spend_less_ follows). */
DPPAIR_FN_ double dppair_spend_(int for_delta, double given) {
  return for_delta ? 1e-24 : 1e-12 * given;
}

/* The phases are good up to this |epsilon|. */
DPPAIR_FN_ double dppair_contour_extent_of_(double top) { return 2.0 + 2.0 * dppair_fabs_(top); }

/* Sets up the line for one direction, from c near the saddle; top: the goal there. The errors
 * should be e^-27 (2e-12) of delta, and e^-21 for few steps, whose lines would need too many nodes.
 */
DPPAIR_FN_ dppair_status dppair_contour_prepare_(double *guess, dppair_contour_ *s, int for_delta,
                                                 double given, double top) {
  const double digits = s->total_steps < 200.0 ? 21.0 : 27.0;
  double extent;
  dppair_status status = dppair_contour_choose_(guess, s, for_delta, given, top, digits, 0.0);
  if (status != DPPAIR_OK) return status;
  status = dppair_contour_extent_(s, digits);
  if (status != DPPAIR_OK) return status;
  extent = dppair_contour_extent_of_(for_delta ? given : top);
  return dppair_contour_certify_(s, digits, extent);
}

/* The epsilon at which S = delta, near enough. S falls in epsilon, so Newton's steps in log S are
 * kept inside a bracket; until its lower end is found, a step outside goes down from its upper end,
 * twice as far each time. */
DPPAIR_FN_ double dppair_contour_root_(const dppair_contour_ *s, double delta, double guess,
                                       double top) {
  const double extent = dppair_contour_extent_of_(top);
  double high = top + 1e-9 * (1.0 + top), low = -extent, stride = 0.02 * (0.01 + dppair_fabs_(top));
  double epsilon = guess < high ? guess : high;
  int i, found = 0, close;
  for (i = 0; i < 100; i++) {
    double above, below, nearest, slope, step;
    dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon);
    if (nearest > delta) {
      low = epsilon;
      found = 1;
    } else {
      high = epsilon;
    }
    step = nearest > 0.0 && slope < 0.0 ? -dppair_log_(nearest / delta) / slope : HUGE_VAL;
    close = dppair_fabs_(step) < 1e-13 * (1.0 + dppair_fabs_(epsilon));
    epsilon += step;
    if (close) break;
    if (!(epsilon > low && epsilon < high)) {
      epsilon = found ? 0.5 * (low + high) : high - stride;
      stride *= 2.0;
      if (epsilon < -extent) epsilon = -extent;
    }
    if (found && high - low < 1e-14 * (1.0 + dppair_fabs_(low))) break;
  }
  return epsilon;
}

/* From an epsilon near the root, where delta is within bound[1] .. bound[0] and log S has this
 * slope, outwards until the inequality itself holds: side 1, S + errors <= delta, side -1, S -
 * errors - aliases >= delta. The first step is what the bound misses there, and 2 % more. 0 when no
 * step up to |extent| does. */
DPPAIR_FN_ int dppair_contour_proved_(double *epsilon, const dppair_contour_ *s, double delta,
                                      double root, const double *at_root, double slope, int side,
                                      double extent) {
  double bound[2], nearest, own = at_root[side > 0 ? 0 : 1];
  double step = (own > 0.0 ? 1.02 * dppair_fabs_(dppair_log_(own / delta) / slope) : 1e-3) +
                2e-15 * (1.0 + dppair_fabs_(root));
  int i;
  for (i = 0; i < 40; i++, step *= 1.5) {
    *epsilon = root + (double)side * step;
    if (!((double)side * *epsilon <= extent)) return 0;
    dppair_contour_bounds_(&bound[0], &bound[1], &nearest, &slope, s, *epsilon);
    own = bound[side > 0 ? 0 : 1];
    if (side > 0 ? own <= delta * (1.0 - 1e-15) : own >= delta * (1.0 + 1e-15)) return 1;
  }
  return 0;
}

/* Bounds of epsilon at delta from a prepared line. top: an upper bound of epsilon, about. */
DPPAIR_FN_ void dppair_contour_solve_(double *upper, double *lower, double *estimate,
                                      const dppair_contour_ *s, double delta, double guess,
                                      double top) {
  const double extent = dppair_contour_extent_of_(top);
  double bound[2], nearest, slope;
  *estimate = dppair_contour_root_(s, delta, guess, top);
  dppair_contour_bounds_(&bound[0], &bound[1], &nearest, &slope, s, *estimate);
  if (!dppair_contour_proved_(upper, s, delta, *estimate, bound, slope, 1, extent))
    *upper = HUGE_VAL;
  if (!dppair_contour_proved_(lower, s, delta, *estimate, bound, slope, -1, extent)) *lower = 0.0;
}

/* Checks a list of steps: parameters, one adjacency throughout; sums what needs no quadrature.
 * *smooth: 1 when some loss needs quadrature, + 2 when some loss has atoms. */
DPPAIR_FN_ dppair_status dppair_contour_begin_(dppair_contour_ *s, int *directions, int *smooth,
                                               const dppair_step *steps, size_t count,
                                               double spend) {
  size_t t;
  int adjacency = 0;
  dppair_law_ law;
  memset(s, 0, sizeof *s);
  s->steps = steps;
  s->count = count;
  s->c_limit = 1e6;
  *directions = 1;
  *smooth = 0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  for (t = 0; t < count; t++) s->total_steps += (double)dppair_step_runs_(&steps[t]);
  s->tail = s->total_steps > 0.0 ? spend / s->total_steps : spend;
  for (t = 0; t < count; t++) {
    const dppair_status status = dppair_law_of_(&law, &steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    if (steps[t].sampling.adjacency != 0) {
      if (adjacency != 0 && adjacency != (int)steps[t].sampling.adjacency)
        return DPPAIR_ERR_ADJACENCY;
      adjacency = (int)steps[t].sampling.adjacency;
    }
    if (dppair_law_directions_(&law) > 1) *directions = 2;
    if (law.kind == DPPAIR_LAW_GAUSSIAN_)
      s->variance += law.mu * law.mu * law.steps;
    else if (law.kind != DPPAIR_LAW_NONE_ && law.steps > 0.0)
      *smooth |= dppair_branches_(&law) > 0 ? 1 : 2;
    s->failure += law.failure * law.steps * (1.0 + 1e-9);
    s->merged |= law.merged;
    s->replaced |= law.replaces;
  }
  return DPPAIR_OK;
}

/* Lays the arrays out in the workspace. */
DPPAIR_FN_ void dppair_contour_place_(dppair_contour_ *s, double *workspace) {
  s->node = workspace;
  s->line = s->node + 10 * (size_t)DPPAIR_X_NODES_;
  s->search = s->line + 6 * (size_t)DPPAIR_Z_NODES_;
  s->layers = s->search + 2 * (size_t)DPPAIR_SEARCH_NODES_ * s->count;
}

/* A bound of log delta at epsilon from the moment at s->c alone, log K(c) + log k(c) - c epsilon: a
 * line of the node z_0, without layers. */
DPPAIR_FN_ dppair_status dppair_contour_moment_(double *log_delta, dppair_contour_ *s,
                                                double epsilon) {
  dppair_status status;
  size_t t;
  s->right = 1.1 * s->c;
  s->eta = s->c;
  s->cut = s->eta;
  s->nodes = 0;
  for (t = 0; t < s->count; t++) s->layers[2 * (size_t)DPPAIR_LAYERS_ * t] = -1.0;
  status = dppair_contour_certify_(s, 20.0, 0.0);
  *log_delta = s->log_k + s->log_k_rounding + dppair_contour_kernel_(s->c) - s->c * epsilon +
               1e-12 * (1.0 + dppair_fabs_(s->log_k) + s->c * epsilon);
  return status;
}

/* One direction's epsilon at delta: upper and lower bound, estimate. best: the lower bound so far;
 * where one moment shows that the direction cannot exceed it, value stays 0. */
DPPAIR_FN_ dppair_status dppair_contour_epsilon_(double *value, dppair_contour_ *s, double delta,
                                                 double best) {
  double guess, top, log_delta = dppair_log_(delta);
  dppair_status status = dppair_contour_saddle_(&top, s, 0, log_delta);
  if (status != DPPAIR_OK) return status;
  if (!(s->failure < 0.5 * delta)) return DPPAIR_ERR_NO_CONVERGENCE;
  log_delta = dppair_log_(delta - s->failure);
  if (s->backward || top <= 0.0) {
    double bound;
    status = dppair_contour_moment_(&bound, s, best);
    if (status == DPPAIR_OK && bound < log_delta) return DPPAIR_OK;
  }
  status = dppair_contour_prepare_(&guess, s, 0, log_delta, top);
  if (status != DPPAIR_OK) return status;
  dppair_contour_solve_(&value[0], &value[1], &value[2], s, delta, guess, top);
  return dppair_isfinite_f64(value[0]) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* One direction's delta at epsilon, the same way. */
DPPAIR_FN_ dppair_status dppair_contour_delta_(double *value, dppair_contour_ *s, double epsilon,
                                               double best) {
  double guess, top, slope;
  dppair_status status = dppair_contour_saddle_(&top, s, 1, epsilon);
  if (status != DPPAIR_OK) return status;
  if (s->backward) {
    status = dppair_contour_moment_(&guess, s, epsilon);
    if (status == DPPAIR_OK && best > 0.0 && guess < dppair_log_(best)) return DPPAIR_OK;
  }
  status = dppair_contour_prepare_(&guess, s, 1, epsilon, top);
  if (status == DPPAIR_OK)
    dppair_contour_bounds_(&value[0], &value[1], &value[2], &slope, s, epsilon);
  return status;
}

/* The directions asked for, where hits beyond the cap may cost `spend`; *paid is what they did.
 * best: upper and lower bound, estimate. */
DPPAIR_FN_ dppair_status dppair_contour_try_(double *best, double *paid, const dppair_question_ *q,
                                             double spend) {
  dppair_contour_ s;
  int directions, smooth, d, i;
  dppair_status status = dppair_contour_begin_(&s, &directions, &smooth, q->steps, q->count, spend);
  best[0] = best[1] = best[2] = 0.0;
  *paid = s.failure;
  if (status != DPPAIR_OK) return status;
  if (smooth & 2) return DPPAIR_ERR_NO_PROOF;
  dppair_contour_place_(&s, q->work);
  if (smooth == 0 && s.variance == 0.0) return DPPAIR_OK; /* nothing was run */
  for (d = 0; d < directions; d++) {
    double value[3] = {0.0, 0.0, 0.0};
    if (!dppair_question_asks_(q, directions, d)) continue;
    s.backward = d;
    s.reach_c = 0.0;
    status = q->for_delta ? dppair_contour_delta_(value, &s, q->given, best[1])
                          : dppair_contour_epsilon_(value, &s, q->given, best[1]);
    if (status != DPPAIR_OK) return status;
    for (i = 0; i < 3; i++)
      if (value[i] > best[i]) best[i] = value[i];
  }
  if (s.merged) best[1] = 0.0;
  return DPPAIR_OK;
}

/* What hits beyond the cap may cost in the next try, where that matters: next to nothing of the
 * answer, but by at most ten digits less than before, since a longer mixture may be beyond a route.
 * 0: another try would be no better. */
DPPAIR_FN_ double dppair_spend_less_(double spend, double paid, const double *best) {
  double next = 1e-12 * (best[1] > 0.0 ? best[1] : best[0]);
  if (next < 1e-10 * spend) next = 1e-10 * spend;
  return paid > 1e-9 * best[0] && next < 0.1 * spend && next > 0.0 ? next : 0.0;
}

/* Keeps the better of two answers about the same delta: each bound is valid by itself. 0 when the
 * new one is no better. */
DPPAIR_FN_ int dppair_keep_better_(double *best, const double *now, size_t n) {
  const int better = now[0] < best[0];
  if (better) best[0] = now[0];
  if (better && n > 2) best[2] = now[2];
  if (now[1] > best[1] && now[1] <= best[0]) best[1] = now[1];
  return better;
}

/*
 * What the contour says about the steps' dominating pairs: of the mechanism `upper` is a bound,
 * `lower` only where two data sets attain them (dppair_steps_attained_). Epsilon in one try, delta
 * in as many as it takes until the hits beyond the cap cost next to nothing of it; bounds of delta
 * are in [0, 1], and none is below DBL_MIN but 0.
 * Errors: those of the steps; ADJACENCY for a mixture of neighbouring relations; NO_PROOF for
 * losses with atoms; NO_CONVERGENCE when the line would need too many nodes (a handful of steps, a
 * huge noise ratio).
 */
DPPAIR_FN_ dppair_status dppair_contour_answer_(dppair_interval *interval,
                                                const dppair_question_ *q) {
  double best[3] = {HUGE_VAL, 0.0, 0.0}, spend = dppair_spend_(q->for_delta, q->given);
  memset(interval, 0, sizeof *interval);
  interval->route = DPPAIR_ROUTE_CONTOUR;
  do {
    double paid, now[3];
    const dppair_status status = dppair_contour_try_(now, &paid, q, spend);
    if (status != DPPAIR_OK && best[0] > DBL_MAX) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 3)) break;
    spend = q->for_delta ? dppair_spend_less_(spend, paid, best) : 0.0;
  } while (spend > 0.0);
  interval->upper = best[0];
  interval->lower = best[1];
  interval->estimate = dppair_estimate_(best[0], best[1], best[2]);
  return DPPAIR_OK;
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

/* ---- src/accountant/composition/lattice/theory.h --------------------------------------------
 * The lattice route: tilted FFT
 *
 * This chapter holds the theory, the options and the workspace; transform.h the FFT, cells.h one
 * step's loss on the lattice, composition.h the product of all steps, bounds.h what it says about
 * delta and epsilon, setup.h what a composition is made of, answers.h the answers.
 *
 * Every step's loss is put on the lattice h Z, twice. The losses in the cell [ih, (i+1)h] have
 * under P the two masses R_i = int (1 - e^(ih-L)) dP/(1 - e^-h) and L_i = int (e^((i+1)h-L) - 1)
 * dP/(e^h - 1), which add up to P(cell).
 *   Upper law (connect the dots, Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022): R_i goes to
 *     the right end and L_i to the left one. This keeps the masses of P and of Q and spreads their
 *     ratio.
 *   Lower law: the fraction alpha_i of cell i and the fraction beta_(i-1) of cell i-1 are merged
 *     into one outcome at ih; alpha_i R_i (1 - e^-h) = beta_(i-1) L_(i-1) (e^h - 1) makes its ratio
 *     exactly e^(ih). Merging is post-processing, so the step dominates the pair that results. The
 *     rest of cell i, 1 - alpha_i - beta_i, is rounded down to ih. Altogether the fraction beta_i
 *     of P(cell i) moves up to (i+1)h and the rest to ih.
 * Both err by O(h^2) per step. Lattice laws compose exactly: with z_k = c + 2 pi i k/(N h)
 *     S(jh) = 1/N sum_k K(z_k) e^(-z_k jh) W(z_k),
 *     W(z) = sum_n e^(-z n h) (1 - e^(-n h)) = e^(-zh) (1-e^-h) / ((1-e^-zh) (1-e^-(z+1)h)),
 * is delta(jh) plus the positive aliases of the contour route with period N h, and M(z_k) is the
 * discrete Fourier transform of the law tilted by e^(cL). Between lattice points delta is linear in
 * e^epsilon.
 * Errors, all of which are added:
 *   Cells: Gauss-Lobatto with 4 points (gaps in x up to R/256) or, where a cell is wide in x,
 *     panels of Gauss-Legendre with 16 (up to R = min(1/4, 1/(2 reach))). By the ellipse bound with
 *     rho = 4R/gap, |log g|' <= |x| + 1.05 reach within R of the panel and a split function that
 *     grows there like 1 + rho/2, the relative error is below 50 rho^-5 < 1e-13 and 50 rho^-31.
 *   Where few hits are expected altogether, M - 1 is transformed: dppair_lattice_multiply_small_.
 *   Rounding of the masses is added to that: kappa. If P has kappa times its mass more or less,
 *     delta changes by at most K(c) k(c) e^(-c epsilon) ((1 + kappa)^T - 1).
 *   Rounding of the losses gives another law, whose losses are off by at most e_l: epsilon moves by
 *     at most T e_l.
 *   Tails: the mass beyond the ends goes to infinite loss (upper) or is dropped (lower). Masses m
 *     at infinite loss add 1 - prod (1 - m)^T to delta.
 *   FFT: each output is a sum over paths. Each radix-4 stage multiplies a path by factors within 34
 *     units of the exact ones, so M(z_k) is off by at most (34 stages) u times the l1 norm.
 * ---------------------------------------------------------------------------------------------- */

/*
 * grid_step: h, in [1e-7, 0.1]. Without tables it is lowered a little so that an atom of a loss
 *   (Laplace, randomised response) falls on the lattice, and 0 means the finest lattice that fits
 *   the transform.
 * log2_size: the transform has 2^log2_size points, 10 to 26. 0 means 18 or, with a grid_step, the
 *   least that spans a loss of 26. A span that is too short for the aliases costs accuracy, never
 *   validity.
 * tables: further losses on the same lattice, or NULL.
 */
typedef struct dppair_pld_options_ {
  double grid_step;
  unsigned log2_size;
  const dppair_loss_table_ *tables;
  size_t table_count;
} dppair_pld_options_;

/* Resolves the options' defaults and checks them. */
DPPAIR_FN_ dppair_status dppair_pld_plan_(double *h, unsigned *log2_size,
                                          const dppair_pld_options_ *options) {
  *h = options != NULL ? options->grid_step : 0.0;
  *log2_size = options != NULL ? options->log2_size : 0;
  if (!dppair_isfinite_f64(*h)) return DPPAIR_ERR_NOT_FINITE;
  if (*h != 0.0 && !(*h >= 1e-7 && *h <= 0.1)) return DPPAIR_ERR_DOMAIN;
  if (*log2_size == 0) {
    *log2_size = *h > 0.0 ? 10 : 18;
    while (*h > 0.0 && *log2_size < 26 && dppair_ldexp_(*h, (int)*log2_size) < 26.0) ++*log2_size;
  }
  return *log2_size >= 10 && *log2_size <= 26 ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The doubles that the route needs for `count` distinct steps and these options (NULL: defaults).
 * Errors: NOT_FINITE, DOMAIN, SIZE (options), OVERFLOW. */
DPPAIR_FN_ dppair_status dppair_pld_workspace_(size_t *doubles, size_t count,
                                               const dppair_pld_options_ *options) {
  double h;
  unsigned log2_size;
  size_t size, search;
  dppair_status status;
  *doubles = 0;
  status = dppair_pld_plan_(&h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  if (options != NULL) {
    if (options->table_count > SIZE_MAX / 2 || count > SIZE_MAX / 2) return DPPAIR_ERR_OVERFLOW;
    count += options->table_count;
  }
  size = (size_t)1 << log2_size;
  if (dppair_size_mul_(&search, count + 1, 2 * DPPAIR_SEARCH_NODES_) ||
      search > SIZE_MAX / sizeof(double) - 8 * size - 64)
    return DPPAIR_ERR_OVERFLOW;
  *doubles = search + 7 * size + size / 2 + 64;
  return DPPAIR_OK;
}

/* ---- src/accountant/composition/lattice/transform.h -----------------------------------------
 * The FFT of the lattice route
 *
 * A complex FFT of radix 4 on separate real and imaginary arrays, n a power of two.
 * ---------------------------------------------------------------------------------------------- */

/* cos and sin of 2 pi p/n for p < n/4, within 8 units. Only every 64th pair is computed directly;
 * the ones between are products with a table of 64. */
DPPAIR_FN_ void dppair_fft_table_(double *c, double *s, size_t n) {
  const size_t quarter = n / 4, block = 64;
  double fine_c[64], fine_s[64];
  size_t p, j;
  for (j = 0; j < block; j++) {
    const double angle = 2.0 * DPPAIR_PI_ * (double)j / (double)n;
    fine_c[j] = dppair_cos_(angle);
    fine_s[j] = dppair_sin_(angle);
  }
  for (p = 0; p < quarter; p += block) {
    const double angle = 2.0 * DPPAIR_PI_ * (double)p / (double)n;
    const double a = dppair_cos_(angle), b = dppair_sin_(angle);
    for (j = 0; j < block && p + j < quarter; j++) {
      c[p + j] = a * fine_c[j] - b * fine_s[j];
      s[p + j] = a * fine_s[j] + b * fine_c[j];
    }
  }
}

DPPAIR_LOOPS_BEGIN_
/* One radix-4 stage, from x to y, of s interleaved transforms of length n (Stockham's order, which
 * needs no reordering). Compilers turn this plain C into vectors; it is compiled once for any
 * processor and once for AVX2, with the same bits. */
DPPAIR_FORCE_INLINE_ void dppair_fft_stage_body_(double *DPPAIR_RESTRICT_ yr,
                                                 double *DPPAIR_RESTRICT_ yi,
                                                 const double *DPPAIR_RESTRICT_ xr,
                                                 const double *DPPAIR_RESTRICT_ xi, const double *c,
                                                 const double *sn, size_t n, size_t s) {
  const size_t m = n / 4;
  size_t p, q;
  for (p = 0; p < m; p++) {
    const double c1 = c[p * s], s1 = -sn[p * s];
    const double c2 = c1 * c1 - s1 * s1, s2 = 2.0 * c1 * s1;
    const double c3 = c1 * c2 - s1 * s2, s3 = c1 * s2 + s1 * c2;
    const double *ar = xr + s * p, *ai = xi + s * p;
    double *or_ = yr + 4 * s * p, *oi = yi + 4 * s * p;
    for (q = 0; q < s; q++) {
      const double r0 = ar[q] + ar[q + 2 * s * m], i0 = ai[q] + ai[q + 2 * s * m];
      const double r1 = ar[q] - ar[q + 2 * s * m], i1 = ai[q] - ai[q + 2 * s * m];
      const double r2 = ar[q + s * m] + ar[q + 3 * s * m], i2 = ai[q + s * m] + ai[q + 3 * s * m];
      const double r3 = ar[q + s * m] - ar[q + 3 * s * m], i3 = ai[q + s * m] - ai[q + 3 * s * m];
      const double ur = r1 + i3, ui = i1 - r3, vr = r0 - r2, vi = i0 - i2, wr = r1 - i3,
                   wi = i1 + r3;
      or_[q] = r0 + r2;
      oi[q] = i0 + i2;
      or_[q + s] = c1 * ur - s1 * ui;
      oi[q + s] = c1 * ui + s1 * ur;
      or_[q + 2 * s] = c2 * vr - s2 * vi;
      oi[q + 2 * s] = c2 * vi + s2 * vr;
      or_[q + 3 * s] = c3 * wr - s3 * wi;
      oi[q + 3 * s] = c3 * wi + s3 * wr;
    }
  }
}

DPPAIR_FN_ void dppair_fft_stage_any_(double *yr, double *yi, const double *xr, const double *xi,
                                      const double *c, const double *sn, size_t n, size_t s) {
  dppair_fft_stage_body_(yr, yi, xr, xi, c, sn, n, s);
}

#if DPPAIR_HAVE_AVX2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
DPPAIR_FN_ void dppair_fft_stage_avx2_(double *yr, double *yi, const double *xr, const double *xi,
                                       const double *c, const double *sn, size_t n, size_t s) {
  dppair_fft_stage_body_(yr, yi, xr, xi, c, sn, n, s);
}
DPPAIR_TARGET_END_
#endif
DPPAIR_LOOPS_END_

DPPAIR_FN_ void dppair_fft_stage_(double *yr, double *yi, const double *xr, const double *xi,
                                  const double *c, const double *sn, size_t n, size_t s) {
#if DPPAIR_HAVE_AVX2
  if (dppair_tier() >= DPPAIR_TIER_AVX2) {
    dppair_fft_stage_avx2_(yr, yi, xr, xi, c, sn, n, s);
    return;
  }
#endif
  dppair_fft_stage_any_(yr, yi, xr, xi, c, sn, n, s);
}

/* X_k = sum_j x_j e^(-2 pi i jk/n), n a power of two. x and y are both overwritten; *in_y says
 * whether the result is in y. */
DPPAIR_FN_ void dppair_fft_(int *in_y, double *xr, double *xi, double *yr, double *yi,
                            const double *c, const double *sn, size_t n) {
  size_t length = n, s = 1, q;
  *in_y = 0;
  while (length >= 4) {
    double *t;
    dppair_fft_stage_(yr, yi, xr, xi, c, sn, length, s);
    t = xr;
    xr = yr;
    yr = t;
    t = xi;
    xi = yi;
    yi = t;
    *in_y = !*in_y;
    length /= 4;
    s *= 4;
  }
  if (length == 2) {
    for (q = 0; q < s; q++) {
      const double ar = xr[q], ai = xi[q], br = xr[q + s], bi = xi[q + s];
      xr[q] = ar + br;
      xi[q] = ai + bi;
      xr[q + s] = ar - br;
      xi[q + s] = ai - bi;
    }
  }
}

/* ---- src/accountant/composition/lattice/cells.h ---------------------------------------------
 * A loss on the lattice
 *
 * Integrates the masses R and L of one step's loss (theory.h) cell by cell, and computes how the
 * lower law spreads them. Relies on dominating_pairs.h.
 * ---------------------------------------------------------------------------------------------- */

/* The cells of one step: right[i] and left[i] are R and L of cell first + i. */
typedef struct dppair_cells_ {
  double h, growth, *right, *left; /* growth: e^h */
  int64_t first;
  size_t size;
  double infinity;   /* mass that the upper law has at infinite loss */
  double loss_error; /* bound of the absolute error of each loss */
  double mass_error; /* bound of the relative error of each mass */
  double unseen;     /* mass that Q has beyond the ends, or where P has none */
  int table;         /* the masses are the caller's */
} dppair_cells_;

/* Adds a mass at one loss. A loss on the lattice, within rounding, is the left end of a cell. */
DPPAIR_FN_ dppair_status dppair_cells_atom_(dppair_cells_ *cells, double loss, double mass) {
  const double at = loss / cells->h, nearby = dppair_floor_(at + 0.5);
  const int on = dppair_fabs_(at - nearby) <= 1e-9;
  const double below = on ? nearby : dppair_floor_(at);
  const double i = below - (double)cells->first;
  double wrong = 8.0 * DPPAIR_UNIT_ * (1.0 + dppair_fabs_(loss)), part = 0.0;
  if (!(i >= 0.0 && i < (double)cells->size - 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (on)
    wrong += dppair_fabs_(loss - nearby * cells->h);
  else
    part = dppair_expm1_(-(loss - below * cells->h)) / dppair_expm1_(-cells->h);
  if (wrong > cells->loss_error) cells->loss_error = wrong;
  cells->right[(size_t)i] += mass * part;
  cells->left[(size_t)i] += mass * (1.0 - part);
  return DPPAIR_OK;
}

/* Splits a mass of P at a loss in the cell [low, low + h]. d = loss - low is clamped to the cell:
 * where rounding puts it outside, the loss is off by that rounding only. */
DPPAIR_FN_ void dppair_cells_node_(double *right, double *left, double loss, double mass,
                                   double low, double h, double scale) {
  double d = loss - low, part;
  if (d < 0.0) d = 0.0;
  if (d > h) d = h;
  /* (1 - e^-d) scale, scale = 1/(1 - e^-h): the series is exact to 1e-17 for d <= 1e-3 */
  part = (d <= 1e-3 ? d * (1.0 - d * (0.5 - d * (1.0 / 6 - d * (1.0 / 24 - d * (1.0 / 120)))))
                    : -dppair_expm1_(-d)) *
         scale;
  if (part > 1.0) part = 1.0;
  *right += mass * part;
  *left += mass * (1.0 - part);
}

/* A bound of the error of the loss on [low, high]: that of dppair_log_ratio_error_, with the share
 * at most 1 and the spread at most what it is at the ends. */
DPPAIR_FN_ double dppair_cells_error_(const dppair_branch_ *branch, double low, double high,
                                      double largest) {
  dppair_log_ratio_ g;
  double size = dppair_fabs_(low) > dppair_fabs_(high) ? dppair_fabs_(low) : dppair_fabs_(high),
         error;
  dppair_log_ratio_of_(&g, branch, low);
  error = DPPAIR_UNIT_ * (6.0 * branch->reach * (size + branch->reach) +
                          ((double)branch->terms + 12.0) * (1.0 + g.spread) + 6.0 * largest) +
          branch->slip * (1.0 + g.spread);
  return branch->shape == DPPAIR_OPPOSITE_ ? 2.0 * error + DPPAIR_UNIT_ * largest : error;
}

/* The mass of Q in a branch beyond low and high: under Q the part with k hits is N(s, 1) with s = 0
 * (forward), b_k (backward) or -b_k (opposite). It serves dppair_cells_check_ alone, no bound of
 * delta. It is at most 1, and off by less than 40 u, far below the 1e-13 of a mass there: erfc's
 * 15 u, and the argument's 3 u times x |erfc'(x)| < 1/2. */
DPPAIR_FN_ double dppair_cells_unseen_(const dppair_branch_ *branch, double low, double high) {
  const double root = 0.70710678118654752440; /* 1/sqrt 2 */
  const double sign = branch->shape == DPPAIR_FORWARD_    ? 0.0
                      : branch->shape == DPPAIR_BACKWARD_ ? 1.0
                                                          : -1.0;
  double sum = 0.0, none = 1.0;
  size_t k;
  for (k = 0; k <= branch->terms; k++) {
    const double shift = k < branch->terms ? sign * branch->b[k] : 0.0;
    const double p = k < branch->terms ? branch->p[k] : none;
    none -= p;
    sum += 0.5 * p * dppair_erfc_((high - shift) * root);
    if (!branch->half) sum += 0.5 * p * dppair_erfc_((shift - low) * root);
  }
  return sum * dppair_exp_(branch->log_weight);
}

/*
 * Searches [low, high] for the next boundary, where loss == target; *next is a first guess.
 * Newton's method inside a bracket: the loss is monotone in x, so that a place beyond the target is
 * a new high and a place before it a new low. Returns 1: *next is the boundary and *there the
 * branch at it, with loss set to target; 0: the target is beyond high; *next = high and *there is
 * the branch at it; -1: neither was found in 200 steps, or a loss is not a number.
 */
DPPAIR_FN_ int dppair_cells_boundary_(double *next, dppair_place_ *there,
                                      const dppair_branch_ *branch, double target, double low,
                                      double high, double near_enough) {
  const double sign = branch->shape == DPPAIR_BACKWARD_ ? -1.0 : 1.0, last = high;
  int k, beyond = 0;
  for (k = 0; k < 200; k++) {
    double ahead, move;
    dppair_place_of_(there, branch, *next);
    ahead = sign * (target - there->loss);
    move = ahead / (there->slope + there->mirror);
    if (!(dppair_fabs_(ahead) < HUGE_VAL)) return -1;
    if (dppair_fabs_(move) <= near_enough && *next + move <= last) {
      if (*next + move < low) move = low - *next;
      /* the square of the move is below rounding: go there along the tangent */
      there->log_mass += move * ((sign > 0.0 ? there->slope : 0.0) - *next);
      *next += move;
      there->loss = target;
      return 1;
    }
    if (ahead > 0.0) {
      low = *next;
      if (low >= last) return 0;
    } else {
      high = *next;
      beyond = 1;
    }
    if (high - low <= 4.0 * DPPAIR_UNIT_ * (1.0 + dppair_fabs_(*next))) { /* between neighbours */
      there->loss = target;
      return 1;
    }
    *next += move;
    if (!(*next > low && *next < high)) *next = beyond ? 0.5 * (low + high) : high;
  }
  return -1;
}

/* A walk in x along one branch, from cell boundary to cell boundary. */
typedef struct dppair_walk_ {
  const dppair_branch_ *branch;
  double h, scale;    /* the lattice, and 1/(1 - e^-h) */
  double x, end;      /* where we are and where the branch is cut */
  dppair_place_ here; /* the branch at x, and the density of P there */
  double mass;
  double bend;        /* relative change of the loss's slope per unit of x on the last panel */
  double panel;       /* R of theory.h: no panel may be wider, or the error bounds fail */
  double near_enough; /* a Newton step whose square is below rounding */
} dppair_walk_;

/* Integrates the panel from w->x to w->x + gap, where the branch is `there` with density mass, into
 * the cell that begins at loss low. */
DPPAIR_FN_ void dppair_walk_panel_(double *right, double *left, const dppair_walk_ *w, double gap,
                                   const dppair_place_ *there, double mass, double low) {
  static const double inner = 0.44721359549995793928; /* 1/sqrt 5: Lobatto, 4 points */
  dppair_place_ node;
  int k;
  if (gap <= w->panel * (1.0 / 256)) {
    const double middle = w->x + 0.5 * gap, spread = 0.5 * inner * gap, edge = gap * (1.0 / 12);
    dppair_cells_node_(right, left, w->here.loss, w->mass * edge, low, w->h, w->scale);
    for (k = 0; k < 2; k++) {
      dppair_place_of_(&node, w->branch, k == 0 ? middle - spread : middle + spread);
      dppair_cells_node_(right, left, node.loss, dppair_exp_(node.log_mass) * 5.0 * edge, low, w->h,
                         w->scale);
    }
    dppair_cells_node_(right, left, there->loss, mass * edge, low, w->h, w->scale);
    return;
  }
  for (k = 0; k < 16; k++) {
    double weight;
    const double at = w->x + 0.5 * gap * (1.0 + dppair_legendre_(&weight, k));
    dppair_place_of_(&node, w->branch, at);
    dppair_cells_node_(right, left, node.loss, dppair_exp_(node.log_mass) * 0.5 * gap * weight, low,
                       w->h, w->scale);
  }
}

/* Walks through the cell that begins at loss low, to where the loss is target. 1: the target is
 * reached; 0: the branch ends before; -1: it was not found. */
DPPAIR_FN_ int dppair_walk_cell_(double *right, double *left, dppair_walk_ *w, double low,
                                 double target) {
  for (;;) {
    const double slope = w->here.slope + w->here.mirror;
    const double widest = w->end - w->x < w->panel ? w->end : w->x + w->panel;
    double gap = dppair_fabs_(target - w->here.loss) / slope, next, mass;
    dppair_place_ there;
    int reached;
    /* the second order makes a better guess, but a bad one where the loss is nearly flat */
    if (w->bend * gap < 1.0) gap -= 0.5 * w->bend * gap * gap;
    next = w->x + gap < widest ? w->x + gap : widest;
    reached =
        dppair_cells_boundary_(&next, &there, w->branch, target, w->x, widest, w->near_enough);
    if (reached < 0) return -1;
    gap = next - w->x;
    mass = dppair_exp_(there.log_mass);
    dppair_walk_panel_(right, left, w, gap, &there, mass, low);
    if (gap > 0.0) w->bend = (there.slope + there.mirror - slope) / gap / slope;
    w->x = next;
    w->here = there;
    w->mass = mass;
    if (reached) return 1;
    if (widest >= w->end) return 0;
  }
}

/* Charges the errors of a branch between low and high, where |log r| <= largest: those of its
 * losses, and those of its masses, which add the rounding of log_mass, an exponent, and 2e-13 for
 * the quadrature. */
DPPAIR_FN_ void dppair_cells_charge_(dppair_cells_ *cells, const dppair_branch_ *branch, double low,
                                     double high, double largest, double log_spend) {
  double worst = dppair_cells_error_(branch, low, high, largest);
  if (worst > cells->loss_error) cells->loss_error = worst;
  worst += DPPAIR_UNIT_ * (32.0 + 8.0 * high * high - 8.0 * log_spend) + 2e-13;
  if (worst > cells->mass_error) cells->mass_error = worst;
}

/* Adds a branch, whose loss is monotone in x. At most e^log_spend of P beyond each end counts as
 * infinite loss (upper) or as nothing (lower). */
DPPAIR_FN_ dppair_status dppair_cells_branch_(dppair_cells_ *cells, const dppair_branch_ *branch,
                                              double log_spend) {
  const int down = branch->shape == DPPAIR_BACKWARD_; /* the loss falls as x grows */
  const double reach = branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  dppair_place_ last;
  dppair_walk_ w;
  double index; /* of the cell */
  int inside = 1;
  dppair_cells_ends_(&w.x, &w.end, branch, log_spend);
  cells->infinity += 2.0 * dppair_exp_(log_spend);
  cells->unseen += dppair_cells_unseen_(branch, w.x, w.end);
  if (w.x >= w.end) return DPPAIR_OK;
  dppair_place_of_(&w.here, branch, w.x);
  dppair_place_of_(&last, branch, w.end);
  dppair_cells_charge_(cells, branch, w.x, w.end, dppair_fabs_(w.here.g) + dppair_fabs_(last.g),
                       log_spend);
  w.branch = branch;
  w.h = cells->h;
  w.scale = -1.0 / dppair_expm1_(-cells->h);
  w.mass = dppair_exp_(w.here.log_mass);
  w.bend = 0.0;
  w.panel = reach > 2.0 ? 0.5 / reach : 0.25;
  w.near_enough = 3e-9 / (reach > 1.0 ? reach : 1.0);
  for (index = dppair_floor_(w.here.loss / w.h); inside; index += down ? -1.0 : 1.0) {
    const double cell = index - (double)cells->first;
    double right = 0.0, left = 0.0;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    inside = dppair_walk_cell_(&right, &left, &w, index * w.h, (down ? index : index + 1.0) * w.h);
    if (inside < 0) return DPPAIR_ERR_NO_CONVERGENCE;
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
  }
  return DPPAIR_OK;
}

/* Adds the continuous part of a Laplace loss: the density e^((l - e)/2)/4 on (-e, e). */
DPPAIR_FN_ dppair_status dppair_cells_laplace_(dppair_cells_ *cells, double e) {
  const double h = cells->h, scale = -1.0 / dppair_expm1_(-h);
  double low = dppair_floor_(-e / h), x = -e;
  while (x < e) {
    const double cell = low - (double)cells->first;
    const double to = (low + 1.0) * h < e ? (low + 1.0) * h : e, gap = to - x;
    int k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (k = 0; gap > 0.0 && k < 16; k++) {
      double w, loss;
      loss = x + 0.5 * gap * (1.0 + dppair_legendre_(&w, k));
      dppair_cells_node_(&cells->right[(size_t)cell], &cells->left[(size_t)cell], loss,
                         0.125 * gap * w * dppair_exp_(0.5 * (loss - e)), low * h, h, scale);
    }
    x = to;
    low += 1.0;
  }
  return DPPAIR_OK;
}

/* [*low, *high] holds all losses of a law but its tails of e^log_spend each. */
DPPAIR_FN_ void dppair_cells_range_(double *low, double *high, const dppair_law_ *law, int backward,
                                    double log_spend) {
  size_t i;
  dppair_branch_ branch;
  dppair_place_ place;
  *high = law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_ ? law->mu : 0.0;
  *low = -*high;
  for (i = 0; i < dppair_branches_(law); i++) {
    double ends[2];
    int k;
    dppair_branch_of_(&branch, law, i, backward);
    dppair_cells_ends_(&ends[0], &ends[1], &branch, log_spend);
    for (k = 0; k < 2; k++) {
      dppair_place_of_(&place, &branch, ends[k]);
      if (place.loss < *low) *low = place.loss;
      if (place.loss > *high) *high = place.loss;
    }
  }
}

/* Puts all of one law on the lattice. right and left have room for size cells and are cleared.
 * NO_CONVERGENCE: the losses span more cells than there are. */
DPPAIR_FN_ dppair_status dppair_cells_fill_(dppair_cells_ *cells, const dppair_law_ *law,
                                            int backward, double log_spend) {
  const double atom = dppair_law_atom_(law), e = law->mu;
  double lowest, highest;
  size_t i;
  dppair_branch_ branch;
  dppair_status status = DPPAIR_OK;
  dppair_cells_range_(&lowest, &highest, law, backward, log_spend);
  if (!((highest - lowest) / cells->h < (double)cells->size - 8.0) || !(lowest / cells->h > -1e9))
    return DPPAIR_ERR_NO_CONVERGENCE;
  cells->first = (int64_t)dppair_floor_(lowest / cells->h) - 2;
  cells->infinity = cells->unseen = 0.0;
  cells->table = 0;
  cells->loss_error = DPPAIR_UNIT_ * 16.0 * (1.0 + e);
  cells->mass_error = law->slip + 1e-13 + DPPAIR_UNIT_ * 8.0 * e;
  for (i = 0; i < cells->size; i++) cells->right[i] = cells->left[i] = 0.0;
  for (i = 0; status == DPPAIR_OK && i < dppair_branches_(law); i++) {
    dppair_branch_of_(&branch, law, i, backward);
    status = dppair_cells_branch_(cells, &branch, log_spend);
  }
  if (status == DPPAIR_OK && atom > 0.0) status = dppair_cells_atom_(cells, 0.0, atom);
  if (atom > 0.0 && dppair_law_atom_error_(law) > cells->mass_error)
    cells->mass_error = dppair_law_atom_error_(law);
  if (law->kind == DPPAIR_LAW_POSITIVE_) cells->unseen += 1.0 - 2.0 * atom;
  if (law->kind == DPPAIR_LAW_LAPLACE_) {
    status = dppair_cells_laplace_(cells, e);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, e, 0.5);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, -e, 0.5 * dppair_exp_(-e));
  } else if (law->kind == DPPAIR_LAW_RESPONSE_) {
    status = dppair_cells_atom_(cells, e, 1.0 / (1.0 + dppair_exp_(-e)));
    if (status == DPPAIR_OK)
      status = dppair_cells_atom_(cells, -e, dppair_exp_(-e) / (1.0 + dppair_exp_(-e)));
  }
  return status;
}

/*
 * rise[i] = beta_i of the lower law. In units of 1 - e^-h cell i has right[i] above ih and left[i]
 * e^h below (i+1)h; the only condition is beta_(i-1) left[i-1] e^h <= (1 - beta_i) right[i] for all
 * i, and with equality nothing of cell i is rounded down. The recurrence beta_i = 1 - beta_(i-1)
 * left[i-1] e^h/right[i] damps its errors where masses grow with i, and the same recurrence
 * downwards where they fall, so two passes meet at the largest cell. The last pass, from the right,
 * makes the condition hold whatever the first one left.
 */
DPPAIR_FN_ void dppair_cells_rise_(double *rise, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  size_t i, peak = 0;
  for (i = 1; i < cells->size; i++)
    if (right[i] + left[i] > right[peak] + left[peak]) peak = i;
  rise[0] = 1.0;
  for (i = 1; i <= peak; i++) {
    const double below = rise[i - 1] * left[i - 1] * cells->growth;
    rise[i] = right[i] > below ? 1.0 - below / right[i] : 0.0;
  }
  rise[cells->size - 1] = 0.0;
  for (i = cells->size - 1; i > 0; i--) {
    const double above = (1.0 - rise[i]) * right[i], below = left[i - 1] * cells->growth;
    const double most = above < below ? above / below * (1.0 - 1e-15) : (below > 0.0 ? 1.0 : 0.0);
    if (i > peak || rise[i - 1] > most) rise[i - 1] = most;
  }
}

/* The cells [*begin, *end) hold all there is; 0 when there is nothing. */
DPPAIR_FN_ int dppair_cells_used_(size_t *begin, size_t *end, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  *begin = 0;
  *end = cells->size;
  while (*end > 0 && !(right[*end - 1] > 0.0 || left[*end - 1] > 0.0)) --*end;
  while (*begin < *end && !(right[*begin] > 0.0 || left[*begin] > 0.0)) ++*begin;
  return *begin < *end;
}

/* A last line of defence: do the cells [begin, end) of a law hold all of P and, but for the ends,
 * all of Q, within the errors that are claimed? */
DPPAIR_FN_ dppair_status dppair_cells_check_(const dppair_cells_ *cells, size_t begin, size_t end) {
  const double lowest = cells->h * ((double)cells->first + (double)begin);
  const double shrink = dppair_exp_(-cells->h);
  const double range = dppair_fabs_(lowest) + cells->h * (double)(end - begin);
  const double wrong = cells->mass_error + 2.0 * cells->loss_error + cells->infinity +
                       DPPAIR_UNIT_ * (400.0 + 4.0 * range + (double)(end - begin) / 64.0);
  double p = 0.0, q = 0.0;
  size_t i;
  for (i = begin; i < end;) {
    const size_t stop = end - i < 64 ? end : i + 64;
    double own = 0.0, other = 0.0;
    double w = dppair_exp_(-cells->h * ((double)cells->first + (double)i));
    for (; i < stop; i++, w *= shrink) {
      own += cells->right[i] + cells->left[i];
      other += (cells->left[i] + cells->right[i] * shrink) * w;
    }
    p += own;
    q += other;
  }
  if (!(dppair_fabs_(p - 1.0) <= wrong)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* far below, e^-loss overflows or multiplies what is no longer a normal number */
  return lowest < -600.0 || dppair_fabs_(q + cells->unseen - 1.0) <= wrong
             ? DPPAIR_OK
             : DPPAIR_ERR_NO_CONVERGENCE;
}

/* ---- src/accountant/composition/lattice/composition.h ---------------------------------------
 * The product of all steps on the lattice
 *
 * K(z_k), the product of all steps' moment functions on the line of Fourier nodes, for the upper
 * law (index 0) and the lower law (1). Both laws are real, so that one complex transform serves for
 * both. Relies on transform.h and cells.h.
 * ---------------------------------------------------------------------------------------------- */

/* One direction of a composition. */
typedef struct dppair_lattice_ {
  size_t n;
  int automatic; /* h is chosen anew for each direction */
  double h, c;
  double *buffer[4], *rise, *cosine, *sine;
  double *re[2], *im[2]; /* K(z_k) W(z_k)/n e^-log_k, k = 0 .. n/2 */
  double log_k[2];       /* log K(c) */
  double *weight;        /* scratch */
  double error[2];       /* of S, relative to e^(log_k - c j h) */
  double kappa;          /* sum of T kappa */
  double infinity;       /* upper: P(any loss is infinite); a sum of logarithms until the end */
  double certain;        /* the same, lower: only what tables state */
  double shift;          /* sum of T e_l: how far epsilon may be off */
  double log_right;      /* log K(c') of the lower law */
  size_t used[2];        /* nodes that matter */
  int trimmed;           /* laws are cut shorter, and M - 1 is transformed */
  double drift;          /* errors of K(z_k), relative to K(c), divided by |e^(z_k h) - 1| */
} dppair_lattice_;

/* cos and sin of -2 pi k/n for k <= n/2, and *turn = 1 - cos without cancellation. */
DPPAIR_FN_ void dppair_lattice_angle_(double *cosine, double *sine, double *turn,
                                      const dppair_lattice_ *l, size_t k) {
  const size_t quarter = l->n / 4;
  if (k < quarter) {
    *cosine = l->cosine[k];
    *sine = -l->sine[k];
    *turn = *sine * *sine / (1.0 + *cosine);
    return;
  }
  *cosine = k == quarter ? 0.0 : k < 2 * quarter ? -l->cosine[2 * quarter - k] : -1.0;
  *sine = k == quarter ? -1.0 : k < 2 * quarter ? -l->sine[2 * quarter - k] : 0.0;
  *turn = 1.0 - *cosine;
}

/* W(z)/n at z_k; decay[i] = e^(-(c+i)h) and rest[i] = 1 - decay[i]. */
DPPAIR_FN_ void dppair_lattice_kernel_(double *re, double *im, const dppair_lattice_ *l,
                                       const double *decay, const double *rest, size_t k) {
  double cosine, sine, turn, pr = 1.0, pi = 0.0, e;
  int i;
  dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
  for (i = 0; i < 2; i++) {
    /* 1 - e^-w, w = (z + i) h */
    const double r = rest[i] + decay[i] * turn, m = -decay[i] * sine, t = pr * r - pi * m;
    pi = pr * m + pi * r;
    pr = t;
  }
  e = decay[0] * (-dppair_expm1_(-l->h)) / (double)l->n / (pr * pr + pi * pi);
  *re = e * (cosine * pr + sine * pi);
  *im = e * (sine * pr - cosine * pi);
}

/* (re + i im)^t by repeated squaring. */
DPPAIR_FN_ void dppair_complex_power_(double *re, double *im, size_t t) {
  double ar = *re, ai = *im, r = 1.0, i = 0.0;
  for (; t > 0; t >>= 1) {
    double x;
    if (t & 1) {
      x = r * ar - i * ai;
      i = r * ai + i * ar;
      r = x;
    }
    x = ar * ar - ai * ai;
    ai = 2.0 * ar * ai;
    ar = x;
  }
  *re = r;
  *im = i;
}

/* Transforms buffers 0 and 1; the result is *xr + i *xi. */
DPPAIR_FN_ void dppair_lattice_transform_(const double **xr, const double **xi,
                                          dppair_lattice_ *l) {
  double *const *buffer = l->buffer;
  int in_y;
  dppair_fft_(&in_y, buffer[0], buffer[1], buffer[2], buffer[3], l->cosine, l->sine, l->n);
  *xr = buffer[in_y ? 2 : 0];
  *xi = buffer[in_y ? 3 : 1];
}

/* A bound of the error of one output of the transform, relative to the l1 norm of its inputs: both
 * laws, each of norm 1, go through at most 1 + log4 n stages. */
DPPAIR_FN_ double dppair_lattice_stages_(size_t n) {
  int stages = 1;
  for (; n > 1; n /= 4) stages++;
  return 2.0 * 34.0 * (double)stages;
}

/* Separates the two real inputs' transforms at node k: X = F(upper) + i F(lower), and what we need,
 * the sum over e^(z_k jh), is the conjugate of F. */
DPPAIR_FN_ void dppair_lattice_pair_(double part[2][2], const double *xr, const double *xi,
                                     size_t n, size_t k) {
  const size_t other = (n - k) & (n - 1);
  part[0][0] = 0.5 * (xr[k] + xr[other]);
  part[0][1] = 0.5 * (xi[other] - xi[k]);
  part[1][0] = 0.5 * (xi[k] + xi[other]);
  part[1][1] = 0.5 * (xr[k] - xr[other]);
}

/* Below e^-80 a node's |M(z_k)/M(c)|^t counts as 0: dppair_lattice_finish_ charges for that. */
#define DPPAIR_LATTICE_NOTHING_ 80.0

/* K(z_k) of one law times re + i im. */
DPPAIR_FN_ void dppair_lattice_times_(dppair_lattice_ *l, int d, size_t k, double re, double im) {
  const double x = l->re[d][k] * re - l->im[d][k] * im;
  l->im[d][k] = l->re[d][k] * im + l->im[d][k] * re;
  l->re[d][k] = x;
}

/* K times the t-th power of the transformed laws. */
DPPAIR_FN_ void dppair_lattice_raise_(dppair_lattice_ *l, const double *xr, const double *xi,
                                      size_t t) {
  const double times = (double)t;
  size_t k;
  int d;
  for (k = 0; k <= l->n / 2; k++) {
    double part[2][2];
    dppair_lattice_pair_(part, xr, xi, l->n, k);
    for (d = 0; d < 2; d++) {
      double re = part[d][0], im = part[d][1];
      const double size = re * re + im * im;
      if (0.5 * times * (1.0 - size) > DPPAIR_LATTICE_NOTHING_) {
        l->re[d][k] = l->im[d][k] = 0.0;
        continue;
      }
      dppair_complex_power_(&re, &im, t);
      dppair_lattice_times_(l, d, k, re, im);
    }
  }
}

/* Charges t executions for infinite losses and for the errors of losses: the ratio of a merged
 * outcome is as exact as its masses. */
DPPAIR_FN_ dppair_status dppair_lattice_charge_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                double times) {
  if (!(cells->infinity < 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  l->infinity += times * dppair_log1p_(-cells->infinity);
  if (cells->table) l->certain += times * dppair_log1p_(-cells->infinity);
  l->shift += times * (cells->loss_error + 4.0 * cells->mass_error * l->h);
  return DPPAIR_OK;
}

/* Puts the law of the cells [begin, end), tilted by e^(cL), into the transform's input, wrapped
 * around with period n. sum: M(c) e^-top of the upper and the lower law; *high: M(c') e^-top_right
 * of the lower law. */
DPPAIR_FN_ void dppair_lattice_tilt_(double sum[2], double *high, dppair_lattice_ *l,
                                     const dppair_cells_ *cells, size_t begin, size_t end,
                                     double top, double right_c, double top_right) {
  double *xr = l->buffer[0], *xi = l->buffer[1];
  const double *right = cells->right, *left = cells->left;
  const double h = l->h, grow = dppair_exp_(l->c * h), grow_right = dppair_exp_(right_c * h);
  double risen = 0.0, w = 0.0, w_right = 0.0;
  size_t i;
  sum[0] = sum[1] = *high = 0.0;
  for (i = begin; i <= end; i++) {
    const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(l->n - 1));
    const double own = right[i] + left[i], rises = own * l->rise[i];
    const double upper = left[i] + (i > 0 ? right[i - 1] : 0.0), lower = own - rises + risen;
    if ((i - begin) % 64 == 0) { /* the tilt, anew every 64 cells and multiplied on between */
      const double at = h * ((double)cells->first + (double)i);
      w = dppair_exp_(l->c * at - top);
      w_right = dppair_exp_(right_c * at - top_right);
    }
    xr[place] += upper * w;
    xi[place] += lower * w;
    sum[0] += upper * w;
    sum[1] += lower * w;
    *high += lower * w_right;
    risen = rises;
    w *= grow;
    w_right *= grow_right;
  }
}

/*
 * Multiplies the law whose cells are in buffers 2 (right) and 3 (left) into K, t times. top and
 * top_right: about log M at c and at right_c.
 */
DPPAIR_FN_ dppair_status dppair_lattice_multiply_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                  double top, double top_right, double right_c,
                                                  size_t t) {
  const size_t n = l->n;
  const double times = (double)t;
  const double range = l->h * (dppair_fabs_((double)cells->first) + (double)cells->size);
  const double *xr, *xi;
  double sum[2], high, e;
  size_t i, begin, end;
  int d;
  if (!dppair_cells_used_(&begin, &end, cells) || end + 1 > cells->size)
    return DPPAIR_ERR_NO_CONVERGENCE;
  if (!cells->table && dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(l->buffer[0], 0, n * sizeof(double));
  memset(l->buffer[1], 0, n * sizeof(double));
  dppair_lattice_tilt_(sum, &high, l, cells, begin, end, top, right_c, top_right);
  for (d = 0; d < 2; d++) {
    if (!(sum[d] > 0.0) || !dppair_isfinite_f64(sum[d])) return DPPAIR_ERR_NO_CONVERGENCE;
    l->log_k[d] += times * (top + dppair_log_(sum[d]));
    for (i = 0; i < n; i++) l->buffer[d][i] /= sum[d];
  }
  l->log_right += times * (top_right + dppair_log_(high) + DPPAIR_UNIT_ * (double)(n + 64));
  dppair_lattice_transform_(&xr, &xi, l);
  /* the transform, the tilt, and log2 t squarings and products */
  e = DPPAIR_UNIT_ *
      (dppair_lattice_stages_(n) + 300.0 + 4.0 * (dppair_fabs_(top) + dppair_fabs_(l->c * range)));
  for (d = 0; d < 2; d++) l->error[d] += times * (e + 6.0 * DPPAIR_UNIT_);
  dppair_lattice_raise_(l, xr, xi, t);
  l->kappa += times * cells->mass_error;
  return dppair_lattice_charge_(l, cells, times);
}

/* sum += x, *low takes what is rounded away (Knuth). */
DPPAIR_FN_ void dppair_sum_two_(double *sum, double *low, double x) {
  const double s = *sum + x, t = s - *sum;
  *low += (*sum - (s - t)) + (x - t);
  *sum = s;
}

/*
 * Laws that hardly lose anything: the errors should be proportional to what they lose, not to 1.
 *
 * Let m_i be the mass at ih, and put what is missing to 1 at loss 0; that only raises the upper
 * law, and changes M of the lower one by at most cells->infinity. Then M(z) - 1 = sum m_i (e^(z ih)
 * - 1) = (e^(zh) - 1) sum_j G_j e^(z jh), G_j = sum_(i > j) m_i for j >= 0,  -sum_(i <= j) m_i for
 * j < 0, and G is transformed. Let P_j be the mass of cell j and of all cells beyond it, seen from
 * loss 0, and A = sum_j P_j e^(c jh); |G_j| <= P_j for both laws. Relative errors kappa of the
 * cells' masses and of how they are split change G_j by at most 2 kappa P_j; errors of the mass at
 * loss 0 do not count. These and the rounding of the transform, e relative to the l1 norm, change
 * M(z) by at most |e^(zh) - 1| A (2 kappa + e), and (M(z)/M(c))^t, where |M(z)| <= M(c), by t/M(c)
 * times as much.
 *
 * The power is exp(t log(1 + m)), |m| = |M(z) - 1| <= |e^(zh) - 1| A. log |1 + m| and arg(1 + m),
 * which is at most pi |m|, are off by at most 40 |m|/|1 + m| and 10 |m|/|1 + m| units. Times t and
 * |M(z)/M(c)|^t that is below 60 t |m|, which is part of e. The exponent -x rounds by x e^-x < 1
 * units.
 */
typedef struct dppair_lattice_losses_ {
  double a, a_right; /* A at c and at c' */
  double high;       /* sum of G_j e^(c' jh) of the lower law */
} dppair_lattice_losses_;

/* Puts G of both laws, tilted by e^(cL), into the transform's input. */
DPPAIR_FN_ void dppair_lattice_lost_(dppair_lattice_losses_ *lost, dppair_lattice_ *l,
                                     const dppair_cells_ *cells, size_t begin, size_t end,
                                     double right_c) {
  const double *right = cells->right, *left = cells->left;
  const size_t zero = (size_t)-cells->first;
  int side;
  memset(lost, 0, sizeof *lost);
  for (side = 0; side < 2; side++) { /* losses above 0 from the last, below 0 from the first */
    const size_t length = side == 0 ? end - zero : zero - begin;
    double whole = 0.0, low = 0.0; /* whole + low: P_j */
    size_t k;
    for (k = 0; k < length; k++) {
      const double beyond = whole + low;
      const size_t i = side == 0 ? end - 1 - k : begin + k;
      const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(l->n - 1));
      const double at = l->h * (double)(cells->first + (int64_t)i);
      const double own = right[i] + left[i], w = dppair_exp_(l->c * at),
                   w_right = dppair_exp_(right_c * at);
      const double up = beyond + (side == 0 ? right[i] : left[i]);
      const double down = beyond + own * (side == 0 ? l->rise[i] : 1.0 - l->rise[i]);
      dppair_sum_two_(&whole, &low, own);
      lost->a += (whole + low) * w;
      lost->a_right += (whole + low) * w_right;
      lost->high += side == 0 ? down * w_right : -down * w_right;
      l->buffer[0][place] = side == 0 ? up * w : -up * w;
      l->buffer[1][place] = side == 0 ? down * w : -down * w;
    }
  }
}

/* K times the t-th power of the laws whose G was transformed; top: log M(c) of each. */
DPPAIR_FN_ void dppair_lattice_raise_small_(dppair_lattice_ *l, const double *xr, const double *xi,
                                            const double top[2], size_t t) {
  const double times = (double)t, grow = dppair_exp_(l->c * l->h),
               less = dppair_expm1_(l->c * l->h);
  size_t k;
  int d;
  for (k = 0; k <= l->n / 2; k++) {
    double part[2][2], cosine, sine, turn, fr, fi;
    dppair_lattice_pair_(part, xr, xi, l->n, k);
    dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
    fr = less - grow * turn; /* e^(zh) - 1 */
    fi = -grow * sine;
    for (d = 0; d < 2; d++) {
      const double re = part[d][0] * fr - part[d][1] * fi, im = part[d][0] * fi + part[d][1] * fr;
      const double more = re * (2.0 + re) + im * im; /* |M|^2 - 1 */
      const double size =
          more > -0.75 ? dppair_log1p_(more) : dppair_log_((1.0 + re) * (1.0 + re) + im * im);
      const double power = times * (0.5 * size - top[d]);
      double angle, x;
      if (power <= -DPPAIR_LATTICE_NOTHING_) {
        l->re[d][k] = l->im[d][k] = 0.0;
        continue;
      }
      angle = times * dppair_atan2_(im, 1.0 + re);
      x = dppair_exp_(power);
      dppair_lattice_times_(l, d, k, x * dppair_cos_(angle), x * dppair_sin_(angle));
    }
  }
}

/* dppair_lattice_multiply_ for laws that hardly lose anything, as above. The losses lie on both
 * sides of 0, and there are no tables. */
DPPAIR_FN_ dppair_status dppair_lattice_multiply_small_(dppair_lattice_ *l,
                                                        const dppair_cells_ *cells, double right_c,
                                                        size_t t) {
  const double times = (double)t, less = dppair_expm1_(l->c * l->h),
               less_right = dppair_expm1_(right_c * l->h);
  const double range = l->h * (dppair_fabs_((double)cells->first) + (double)cells->size);
  const size_t n = l->n, zero = (size_t)-cells->first;
  const double *xr, *xi;
  dppair_lattice_losses_ lost;
  double top[2], e, least;
  size_t begin, end;
  int d;
  if (!dppair_cells_used_(&begin, &end, cells) || cells->table || cells->first >= 0 ||
      !(begin < zero && zero < end) || end >= cells->size ||
      dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(l->buffer[0], 0, n * sizeof(double));
  memset(l->buffer[1], 0, n * sizeof(double));
  dppair_lattice_lost_(&lost, l, cells, begin, end, right_c);
  if (!(lost.a > 0.0) || !dppair_isfinite_f64(lost.a) || !dppair_isfinite_f64(lost.a_right))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_transform_(&xr, &xi, l);
  top[0] = dppair_log1p_(less * xr[0]);
  top[1] = dppair_log1p_(less * xi[0]);
  least = dppair_exp_(top[0] < top[1] ? top[0] : top[1]); /* the smaller M(c) */
  if (!(least > 0.5)) return DPPAIR_ERR_NO_CONVERGENCE;
  e = DPPAIR_UNIT_ * (dppair_lattice_stages_(n) + 400.0 + 4.0 * dppair_fabs_(l->c * range));
  l->drift += times * 1.01 * lost.a / least * (2.0 * cells->mass_error + e);
  for (d = 0; d < 2; d++) {
    l->log_k[d] += times * top[d];
    l->error[d] += 16.0 * DPPAIR_UNIT_ + (d == 1 ? times * 1.01 / least * cells->infinity : 0.0);
  }
  /* what the lower law has at c', with room for the errors of its masses */
  e = 3.0 * cells->mass_error + DPPAIR_UNIT_ * (100.0 + (double)n + 8.0 * right_c * range);
  l->log_right +=
      times * dppair_log1p_(less_right * (lost.high + e * lost.a_right) + cells->infinity);
  dppair_lattice_raise_small_(l, xr, xi, top, t);
  return dppair_lattice_charge_(l, cells, times);
}

/* ---- src/accountant/composition/lattice/bounds.h --------------------------------------------
 * What the composed laws say
 *
 * Bounds of delta at lattice points and of epsilon between them, with all errors of theory.h.
 * Relies on composition.h.
 * ---------------------------------------------------------------------------------------------- */

/* Sums over nodes that finish_ needs for its bounds. */
typedef struct dppair_lattice_sums_ {
  double kernel;     /* |W|/n, of all nodes */
  double size[2];    /* |K W|/n, of both laws */
  double drifted[2]; /* trimmed: |W|/n times the relative error of K */
} dppair_lattice_sums_;

/* K(z_k) times W(z_k)/n for all nodes. Only half of the nodes are kept, the others being conjugate,
 * so that those inside count twice. */
DPPAIR_FN_ void dppair_lattice_weigh_(dppair_lattice_sums_ *sums, dppair_lattice_ *l) {
  const size_t half = l->n / 2;
  const double grow = dppair_exp_(l->c * l->h), less = dppair_expm1_(l->c * l->h);
  const double decay[2] = {dppair_exp_(-l->c * l->h), dppair_exp_(-(l->c + 1.0) * l->h)};
  const double rest[2] = {-dppair_expm1_(-l->c * l->h), -dppair_expm1_(-(l->c + 1.0) * l->h)};
  size_t k;
  int d;
  memset(sums, 0, sizeof *sums);
  for (k = 0; k <= half; k++) {
    double wr, wi;
    const double twice = k == 0 || k == half ? 1.0 : 2.0;
    if (l->re[0][k] == 0.0 && l->im[0][k] == 0.0 && l->re[1][k] == 0.0 && l->im[1][k] == 0.0 &&
        k > 64) {
      /* K was set to 0, and |W| <= 1/(n h |z|^2) times a factor below 3 is all that is needed */
      const double y = 2.0 * DPPAIR_PI_ * (double)k / ((double)l->n * l->h);
      const double w = 6.0 / ((double)l->n * l->h * y * y);
      sums->kernel += w;
      for (d = 0; l->trimmed && d < 2; d++)
        sums->drifted[d] += w * dppair_expm1_(l->error[d] + l->drift * (less + grow * y * l->h));
      continue;
    }
    dppair_lattice_kernel_(&wr, &wi, l, decay, rest, k);
    sums->kernel += twice * dppair_sqrt_(wr * wr + wi * wi);
    if (l->trimmed) {
      double cosine, sine, turn, remote; /* |e^(zh) - 1|^2 = (e^(ch) - 1)^2 + 2 e^(ch) (1 - cos) */
      dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
      remote = dppair_sqrt_(less * less + 2.0 * grow * turn);
      for (d = 0; d < 2; d++)
        sums->drifted[d] +=
            twice * dppair_sqrt_(wr * wr + wi * wi) *
            dppair_expm1_(l->error[d] + l->drift * remote);
    }
    for (d = 0; d < 2; d++) {
      const double re = l->re[d][k], im = l->im[d][k];
      l->re[d][k] = twice * (re * wr - im * wi);
      l->im[d][k] = twice * (re * wi + im * wr);
      sums->size[d] += dppair_fabs_(l->re[d][k]) + dppair_fabs_(l->im[d][k]);
    }
  }
}

/* Applies the kernel to K, drops the last nodes where together they are below 1e-17 of the sum, and
 * bounds the errors of S. */
DPPAIR_FN_ void dppair_lattice_finish_(dppair_lattice_ *l) {
  const double skipped = 1e-34; /* e^-DPPAIR_LATTICE_NOTHING_, rounded up */
  dppair_lattice_sums_ sums;
  int d;
  dppair_lattice_weigh_(&sums, l);
  for (d = 0; d < 2; d++) {
    double dropped = 0.0;
    l->used[d] = l->n / 2 + 1;
    while (l->used[d] > 1) {
      const size_t k = l->used[d] - 1;
      dropped += dppair_fabs_(l->re[d][k]) + dppair_fabs_(l->im[d][k]);
      if (!(dropped <= 1e-17 * sums.size[d])) break;
      l->used[d] = k;
    }
    /* transform and powers; nodes set to 0; then the kernel, the nodes dropped and the turning in
     * dppair_lattice_sum_, together below 1e-12 */
    l->error[d] = (l->trimmed ? 1.001 * (sums.drifted[d] + sums.kernel * skipped)
                              : sums.kernel * 1.001 * (dppair_expm1_(l->error[d]) + skipped)) +
                  1e-12 * sums.size[d];
  }
}

/* S(jh) of the upper (d = 0) or the lower law (1), up to the factor e^(log_k - c j h). */
DPPAIR_FN_ double dppair_lattice_sum_(const dppair_lattice_ *l, int d, int64_t j) {
  const double *re = l->re[d], *im = l->im[d];
  const double unit = 2.0 * DPPAIR_PI_ / (double)l->n;
  const uint64_t mask = (uint64_t)l->n - 1, turn = (uint64_t)j & mask;
  const double angle = -unit * (double)turn, tc = dppair_cos_(angle), ts = dppair_sin_(angle);
  double sum = 0.0;
  size_t k, block;
  for (block = 0; block < l->used[d]; block += 128) {
    /* e^(-2 pi i j k/n), exactly reduced once per block */
    const double at = -unit * (double)(((uint64_t)block * turn) & mask);
    double a = dppair_cos_(at), b = dppair_sin_(at), part = 0.0;
    const size_t end = block + 128 < l->used[d] ? block + 128 : l->used[d];
    for (k = block; k < end; k++) {
      const double t = a * tc - b * ts;
      part += re[k] * a - im[k] * b;
      b = a * ts + b * tc;
      a = t;
    }
    sum += part;
  }
  return sum;
}

/* What aliases add to S of the lower law at this epsilon at most (contour/theory.h): those of m <
 * 0, where delta <= 1, and the geometric series of those of m > 0, from the line c' = right_c. */
DPPAIR_FN_ double dppair_lattice_alias_(const dppair_lattice_ *l, double epsilon, double right_c) {
  const double period = (double)l->n * l->h, ratio = dppair_exp_(-(right_c - l->c) * period);
  double alias = dppair_exp_(-l->c * period) / -dppair_expm1_(-l->c * period);
  alias += ratio < 0.99
               ? dppair_exp_(l->log_right + dppair_contour_kernel_(right_c) - right_c * epsilon) *
                     ratio / (1.0 - ratio)
               : 1.0;
  return alias;
}

/* The bound of delta at j h: upper (d = 0) or lower (d = 1). */
DPPAIR_FN_ double dppair_lattice_delta_(const dppair_lattice_ *l, int d, int64_t j,
                                        double right_c) {
  const double epsilon = (double)j * l->h, c = l->c, exponent = l->log_k[d] - c * epsilon;
  const double slack =
      16.0 * DPPAIR_UNIT_ * (dppair_fabs_(l->log_k[d]) + dppair_fabs_(c * epsilon) + 1.0);
  double sum = dppair_lattice_sum_(l, d, j);
  const double wrong =
      l->error[d] + dppair_fabs_(sum) * slack +
      dppair_exp_(dppair_contour_kernel_(c)) * dppair_expm1_(l->kappa) * (1.0 + 1e-9);
  if (d == 0) {
    const double value = dppair_scaled_(sum + wrong, exponent) * (1.0 + 1e-14) + l->infinity;
    return sum + wrong > 0.0 ? dppair_delta_above_(value) : 1.0;
  }
  sum = dppair_scaled_(sum - wrong, exponent) * (1.0 - 1e-14) -
        dppair_lattice_alias_(l, epsilon, right_c) * (1.0 + 1e-9);
  return dppair_delta_below_((sum > 0.0 ? sum : 0.0) + l->certain);
}

/* The search for two neighbouring lattice points between which the bound crosses delta. */
typedef struct dppair_crossing_ {
  double low, at_low;   /* the last point known to be before the crossing and its bound; -1: none */
  double high, at_high; /* the first known to be behind it */
  double last, at_last; /* the point before the present one */
  double stride;        /* the shortest move while one side is missing, doubled each time */
} dppair_crossing_;

DPPAIR_FN_ int dppair_crossing_bracketed_(const dppair_crossing_ *x) {
  return x->low >= 0.0 && x->high >= 0.0;
}

/*
 * The point to try after j, where the bound is `value`. A secant in log delta, starting with the
 * slope -c h, aims at the other side of the crossing. While only one side is known, a move is at
 * least one stride and at most 10^4. A bracket cuts moves to its inside, and after 40 tries it is
 * halved.
 */
DPPAIR_FN_ double dppair_crossing_next_(dppair_crossing_ *x, double j, double value, double delta,
                                        double slope, int tries) {
  const int above = value > delta, inside = value > 0.0 && value < 1.0;
  double move;
  if (x->last >= 0.0 && x->at_last > 0.0 && inside && j != x->last) {
    const double secant = dppair_log_(value / x->at_last) / (j - x->last);
    if (secant < 0.0) slope = secant;
  }
  move = inside ? dppair_log_(delta / value) / slope : -x->stride;
  move = above ? dppair_floor_(move) + 1.0 : dppair_floor_(move);
  if (!dppair_crossing_bracketed_(x)) {
    const double longest = x->stride * 1e4;
    if (dppair_fabs_(move) > longest) move = move > 0.0 ? longest : -longest;
    if (above && move < x->stride) move = x->stride;
    if (!above && move > -x->stride) move = -x->stride;
    x->stride *= 2.0;
  }
  x->last = j;
  x->at_last = value;
  j += move;
  if (dppair_crossing_bracketed_(x)) {
    if (tries > 40)
      j = dppair_floor_(0.5 * (x->low + x->high));
    else if (j <= x->low)
      j = x->low + 1.0;
    else if (!(j < x->high))
      j = x->high - 1.0;
  }
  return j < 0.0 ? 0.0 : j;
}

/*
 * epsilon at which the bound equals delta; between lattice points the bounds are linear in
 * e^epsilon. guess: where to look first. Only two neighbouring points count, the bound above delta
 * at the one and not at the other; if none are found, the nearest safe point, 0 (lower) or infinity
 * (upper).
 */
DPPAIR_FN_ double dppair_lattice_epsilon_(const dppair_lattice_ *l, int d, double delta,
                                          double guess, double right_c) {
  const double farthest = 1e9; /* steps of the lattice */
  dppair_crossing_ x = {-1.0, 1.0, -1.0, 0.0, -1.0, 0.0, 1.0};
  double j = guess > 0.0 ? dppair_floor_(guess / l->h) : 0.0, part;
  int tries;
  for (tries = 0; tries < 120; tries++) {
    const double value = dppair_lattice_delta_(l, d, (int64_t)j, right_c);
    if (value > delta) {
      x.low = j;
      x.at_low = value;
    } else {
      x.high = j;
      x.at_high = value;
    }
    if (x.high == 0.0) return 0.0;
    if (dppair_crossing_bracketed_(&x) && x.high - x.low <= 1.0) break;
    j = dppair_crossing_next_(&x, j, value, delta, -l->c * l->h, tries);
    if (j > farthest) break;
  }
  if (!dppair_crossing_bracketed_(&x) || x.high - x.low > 1.0) {
    if (d == 1) return x.low > 0.0 ? x.low * l->h : 0.0;
    return x.high >= 0.0 ? x.high * l->h : HUGE_VAL;
  }
  part = x.at_low > x.at_high ? (x.at_low - delta) / (x.at_low - x.at_high) : 1.0;
  if (!(part >= 0.0)) part = 0.0;
  if (part > 1.0) part = 1.0;
  return x.low * l->h + dppair_log1p_(part * dppair_expm1_(l->h));
}

/* ---- src/accountant/composition/lattice/setup.h ---------------------------------------------
 * What a composition on the lattice is made of
 *
 * The list of laws, the checks of tables, the choice of h, and the arrays in the workspace. A
 * composition keeps its steps in the dppair_contour_ of contour/theory.h.
 * ---------------------------------------------------------------------------------------------- */

/* The t-th law: of a step or, at t = count, of all plain Gaussian steps together. A law without
 * losses has the kind DPPAIR_LAW_NONE_. */
DPPAIR_FN_ dppair_status dppair_lattice_law_(dppair_law_ *law, const dppair_contour_ *s, size_t t) {
  dppair_status status;
  if (t < s->count) {
    status = dppair_law_of_(law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && (law->kind == DPPAIR_LAW_GAUSSIAN_ || law->steps == 0.0))
      law->kind = DPPAIR_LAW_NONE_;
    return status;
  }
  memset(law, 0, sizeof *law);
  if (s->variance > 0.0) {
    law->kind = DPPAIR_LAW_MIXTURE_;
    law->terms = 1;
    law->p[0] = 1.0;
    law->slip = 16.0 * DPPAIR_UNIT_;
    law->shift[0] = dppair_sqrt_(s->variance);
  }
  return DPPAIR_OK;
}

/* Are these masses >= 0, and is their sum with the infinite one 1? */
DPPAIR_FN_ dppair_status dppair_pld_table_check_(const double *mass, size_t size, int64_t first,
                                                 double infinity) {
  double sum = infinity;
  size_t i;
  if (mass == NULL) return DPPAIR_ERR_NULL;
  if (size == 0 || size > (size_t)1 << 26) return DPPAIR_ERR_SIZE;
  if (first > INT64_C(1000000000) || first < -INT64_C(1000000000)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(infinity) || !dppair_all_finite_f64(mass, size))
    return DPPAIR_ERR_NOT_FINITE;
  if (infinity < 0.0) return DPPAIR_ERR_DOMAIN;
  for (i = 0; i < size; i++) {
    if (mass[i] < 0.0) return DPPAIR_ERR_DOMAIN;
    sum += mass[i];
  }
  return dppair_fabs_(sum - 1.0) <= 1e-9 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* Checks the tables and adds them to the composition; one with a law of its own backwards asks for
 * both directions. */
DPPAIR_FN_ dppair_status dppair_pld_tables_(dppair_contour_ *s, int *directions,
                                            const dppair_pld_options_ *options) {
  size_t t;
  if (options->tables == NULL) return DPPAIR_ERR_NULL;
  s->tables = options->tables;
  s->table_count = options->table_count;
  for (t = 0; t < s->table_count; t++) {
    const dppair_loss_table_ *table = &s->tables[t];
    dppair_status status = dppair_pld_table_check_(table->forward, table->forward_size,
                                                   table->forward_first, table->forward_infinity);
    if (status == DPPAIR_OK && table->backward != NULL) {
      status = dppair_pld_table_check_(table->backward, table->backward_size, table->backward_first,
                                       table->backward_infinity);
      *directions = 2;
    }
    if (status != DPPAIR_OK) return status;
    if (table->steps == 0) return DPPAIR_ERR_STEPS;
    if (table->steps >= (size_t)1 << 30) return DPPAIR_ERR_OVERFLOW;
    s->total_steps += (double)table->steps;
  }
  return DPPAIR_OK;
}

/* The largest loss of the first step whose loss has atoms at both ends of its range, or 0. */
DPPAIR_FN_ double dppair_pld_atom_(const dppair_contour_ *s) {
  size_t t;
  for (t = 0; t < s->count; t++) {
    if (s->steps[t].steps > 0 && dppair_mechanism_is_pure_(s->steps[t].kind))
      return dppair_step_loss_(&s->steps[t]);
  }
  return 0.0;
}

/* *h = the finest lattice on which the transform spans this period and every step's losses; an atom
 * falls on it. */
DPPAIR_FN_ dppair_status dppair_pld_fit_(double *h, dppair_contour_ *s, size_t n, double period,
                                         double log_spend) {
  double span = period, e = dppair_pld_atom_(s);
  size_t t;
  dppair_law_ law;
  for (t = 0; t <= s->count; t++) {
    double low, high;
    dppair_status status = dppair_lattice_law_(&law, s, t);
    if (status != DPPAIR_OK) return status;
    dppair_cells_range_(&low, &high, &law, s->backward, log_spend);
    if (law.kind == DPPAIR_LAW_TABLE_) {
      status = dppair_table_widen_(&low, &high, s, t, &law);
      if (status != DPPAIR_OK) return status;
    }
    if (high - low > span) span = high - low;
  }
  *h = span / ((double)n - 16.0); /* dppair_cells_fill_ leaves at least 8 cells free */
  if (!(*h > 1e-8)) *h = 1e-8;
  if (e >= *h) *h = e / dppair_floor_(e / *h);
  return *h <= 0.25 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Lays the arrays out in the workspace, as dppair_pld_workspace_ counts them. */
DPPAIR_FN_ void dppair_pld_layout_(dppair_contour_ *s, dppair_lattice_ *l, double *workspace) {
  double *p = workspace + (s->count + s->table_count + 1) * 2 * DPPAIR_SEARCH_NODES_;
  size_t t;
  s->search = workspace;
  for (t = 0; t < 4; t++, p += l->n) l->buffer[t] = p;
  l->rise = p;
  p += l->n;
  l->cosine = p;
  l->sine = p + l->n / 4;
  p += l->n / 2;
  for (t = 0; t < 2; t++) {
    l->re[t] = p;
    l->im[t] = p + l->n / 2 + 1;
    p += l->n + 2;
  }
}

/* What both public functions check and set up; spend: what hits beyond the cap may cost of delta.
 * *directions is 1 when both directions are the same. */
DPPAIR_FN_ dppair_status dppair_pld_begin_(dppair_contour_ *s, dppair_lattice_ *l, int *directions,
                                           const dppair_step *steps, size_t count,
                                           const dppair_pld_options_ *options, double spend,
                                           double *workspace, size_t workspace_doubles) {
  size_t need;
  unsigned log2_size;
  int smooth;
  dppair_status status;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  memset(l, 0, sizeof *l);
  status = dppair_pld_workspace_(&need, count, options);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  status = dppair_pld_plan_(&l->h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  l->n = (size_t)1 << log2_size;
  l->automatic = l->h == 0.0;
  status = dppair_contour_begin_(s, directions, &smooth, steps, count, spend);
  if (status != DPPAIR_OK) return status;
  if (options != NULL && options->table_count > 0) {
    status = dppair_pld_tables_(s, directions, options);
    if (status != DPPAIR_OK) return status;
    if (l->h == 0.0) return DPPAIR_ERR_DOMAIN; /* tables state their lattice */
  } else if (l->h > 0.0) {
    const double e = dppair_pld_atom_(s);
    if (e > 0.0) l->h = e / dppair_ceil_(e / l->h);
  }
  s->grid_step = l->h;
  dppair_pld_layout_(s, l, workspace);
  s->spare = workspace + need;
  s->spares = workspace_doubles - need;
  dppair_fft_table_(l->cosine, l->sine, l->n);
  return DPPAIR_OK;
}

/* ---- src/accountant/composition/lattice/answers.h -------------------------------------------
 * Answers of the lattice route
 *
 * Composes all steps in a direction, asks for delta or epsilon, and combines the directions. Relies
 * on setup.h, bounds.h and the search for c of the contour route.
 * ---------------------------------------------------------------------------------------------- */

/* About log M(c) of step t, of the plain Gaussian steps (t = count), of tables (t > count). */
DPPAIR_FN_ double dppair_contour_search_log_(const dppair_contour_ *s, size_t t, double c) {
  if (t == s->count) return 0.5 * s->variance * c * (c + 1.0);
  if (t > s->count) t--;
  return dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t, c);
}

/* Multiplies a step's law, or a table, into K as often as it runs. */
DPPAIR_FN_ dppair_status dppair_lattice_add_law_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                 dppair_contour_ *s, size_t t, double log_spend) {
  const size_t times = t < s->count ? dppair_step_runs_(&s->steps[t]) : 1;
  dppair_law_ law;
  dppair_status status = dppair_lattice_law_(&law, s, t);
  if (status != DPPAIR_OK || law.kind == DPPAIR_LAW_NONE_) return status;
  if (law.kind == DPPAIR_LAW_TABLE_) return dppair_table_multiply_(l, cells, s, t, &law);
  status = dppair_cells_fill_(cells, &law, s->backward, log_spend);
  if (status != DPPAIR_OK) return status;
  if (l->trimmed) return dppair_lattice_multiply_small_(l, cells, s->right, times);
  return dppair_lattice_multiply_(l, cells, dppair_contour_search_log_(s, t, s->c),
                                  dppair_contour_search_log_(s, t, s->right), s->right, times);
}

DPPAIR_FN_ dppair_status dppair_lattice_add_table_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                   const dppair_contour_ *s, size_t t) {
  const dppair_loss_table_ *table = &s->tables[t];
  const int backward = s->backward && table->backward != NULL;
  const double *mass = backward ? table->backward : table->forward;
  const size_t size = backward ? table->backward_size : table->forward_size;
  const size_t place = s->count + 1 + t; /* among the laws of the search */
  if (size + 2 > l->n) return DPPAIR_ERR_NO_CONVERGENCE;
  memset(cells->right, 0, l->n * sizeof *cells->right);
  memset(cells->left, 0, l->n * sizeof *cells->left);
  memcpy(cells->left, mass, size * sizeof *mass);
  cells->first = backward ? table->backward_first : table->forward_first;
  cells->infinity = backward ? table->backward_infinity : table->forward_infinity;
  cells->loss_error = cells->mass_error = 0.0;
  cells->table = 1;
  return dppair_lattice_multiply_(l, cells, dppair_contour_search_log_(s, place, s->c),
                                  dppair_contour_search_log_(s, place, s->right), s->right,
                                  table->steps);
}

/* Composes the laws of all steps in one direction; s->c and s->right have been chosen. */
DPPAIR_FN_ dppair_status dppair_lattice_compose_(dppair_lattice_ *l, dppair_contour_ *s,
                                                 double log_spend) {
  size_t t, k;
  int d;
  dppair_cells_ cells;
  dppair_status status = DPPAIR_OK;
  l->c = s->c;
  l->kappa = l->infinity = l->certain = l->shift = l->log_right = l->drift = 0.0;
  for (d = 0; d < 2; d++) {
    l->log_k[d] = l->error[d] = 0.0;
    for (k = 0; k <= l->n / 2; k++) {
      l->re[d][k] = 1.0;
      l->im[d][k] = 0.0;
    }
  }
  memset(&cells, 0, sizeof cells);
  cells.h = l->h;
  cells.growth = dppair_exp_(l->h);
  cells.right = l->buffer[2];
  cells.left = l->buffer[3];
  cells.size = l->n;
  for (t = 0; status == DPPAIR_OK && t <= s->count; t++)
    status = dppair_lattice_add_law_(l, &cells, s, t, log_spend);
  for (t = 0; status == DPPAIR_OK && t < s->table_count; t++)
    status = dppair_lattice_add_table_(l, &cells, s, t);
  if (status != DPPAIR_OK) return status;
  l->infinity = -dppair_expm1_(l->infinity) * (1.0 + 1e-14);
  l->certain = -dppair_expm1_(l->certain) * (1.0 - 1e-14);
  /* the product of the errors is linear within the 1 % that drift has to spare */
  if (l->trimmed && !(l->drift * (1.0 + dppair_exp_(l->c * l->h)) + l->error[1] < 2e-3))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_finish_(l);
  return DPPAIR_OK;
}

/* Are fewer than 4 hits expected altogether, so that dppair_pld_refine_ can help? */
DPPAIR_FN_ int dppair_pld_rare_(const dppair_contour_ *s, const dppair_lattice_ *l) {
  double hits = 0.0;
  size_t t;
  dppair_law_ law;
  if (!l->automatic || s->table_count > 0) return 0;
  for (t = 0; t < s->count; t++) {
    if (dppair_law_of_(&law, &s->steps[t], s->tail) != DPPAIR_OK) continue;
    if (law.kind == DPPAIR_LAW_TABLE_) return 0;
    if (dppair_branches_(&law) > 0) hits += law.steps * (1.0 - law.rest);
  }
  return hits > 0.0 && hits < 4.0;
}

/* log delta as it is used to cut tails: in [-600, -1], so that e^.. does not underflow. */
DPPAIR_FN_ double dppair_pld_clamp_(double log_delta) {
  if (log_delta > -1.0) return -1.0;
  return log_delta < -600.0 ? -600.0 : log_delta;
}

/*
 * Composes one direction for a question: log delta at an epsilon (for_delta), or epsilon at a log
 * delta. *guess: about the answer.
 *
 * Laws are cut where together e^-28 of delta is left, and c is chosen so that aliases are below
 * e^-26 of it. With `about`, epsilon and log delta or nearly so, laws are cut where e^-14.5, or
 * 1e-6 of delta, is left, and aliases of e^-15 will do. That is for steps that are hardly ever hit:
 * their losses are spread over many orders of magnitude, and e^(cL) with a c that suits the many
 * small losses leaves only the rare large ones. Shorter laws allow a finer lattice and a larger c.
 */
DPPAIR_FN_ dppair_status dppair_pld_prepare_(double *guess, dppair_contour_ *s, dppair_lattice_ *l,
                                             int for_delta, double given, const double *about) {
  const double digits = about != NULL ? 15.0 : 26.0;
  double best, log_spend = 0.0, c;
  dppair_status status;
  s->reach_c = 0.0;
  s->c_limit = l->automatic ? 1e4 : 0.05 / l->h; /* e^(ch): neighbours are tilted by 5 % at most */
  l->trimmed = about != NULL;
  s->trim = 0.0;
  if (about != NULL) {
    s->about[0] = about[0];
    s->about[1] = dppair_pld_clamp_(about[1]);
    s->trim = log_spend = s->about[1] - 14.5 - dppair_log_(s->total_steps + 1.0);
  }
  status = dppair_contour_saddle_(&best, s, for_delta, given);
  if (status != DPPAIR_OK) return status;
  c = s->c;
  status = dppair_contour_choose_(guess, s, for_delta, given, best, digits,
                                  about != NULL ? 0.0 : (double)l->n * l->h);
  if (status != DPPAIR_OK) return status;
  if (about == NULL)
    log_spend =
        dppair_pld_clamp_(for_delta ? *guess : given) - 28.0 - dppair_log_(s->total_steps + 1.0);
  if (l->automatic) { /* the lattice that fits, and then the line that fits the lattice */
    status = dppair_pld_fit_(&l->h, s, l->n, 2.0 * DPPAIR_PI_ / s->eta, log_spend);
    if (status != DPPAIR_OK) return status;
    s->c = c;
    status = dppair_contour_choose_(guess, s, for_delta, given, best, digits, (double)l->n * l->h);
    if (status != DPPAIR_OK) return status;
  }
  return dppair_lattice_compose_(l, s, log_spend);
}

/* Bounds of epsilon at delta in a direction that has been prepared; losses may be off by l->shift.
 * An infinite *high: mass at infinite loss exceeds delta. */
DPPAIR_FN_ void dppair_pld_between_(double *high, double *low, const dppair_contour_ *s,
                                    const dppair_lattice_ *l, double delta, double guess) {
  *high = dppair_lattice_epsilon_(l, 0, delta - s->failure, guess, s->right);
  if (!(*high >= 0.0)) *high = HUGE_VAL;
  if (*high > 0.0) *high += l->shift + 1e-13 * *high;
  *low = dppair_lattice_epsilon_(l, 1, delta, guess, s->right);
  *low -= l->shift + 1e-13 * *low;
}

/* Bounds of delta at epsilon in a direction that has been prepared: interpolated between the
 * lattice points around an epsilon that is moved outwards by what losses may be off. */
DPPAIR_FN_ dppair_status dppair_pld_beside_(double *high, double *low, const dppair_contour_ *s,
                                            const dppair_lattice_ *l, double epsilon) {
  double at[2];
  int d;
  at[0] = epsilon - l->shift - 1e-13 * epsilon;
  if (at[0] < 0.0) at[0] = 0.0;
  at[1] = epsilon + l->shift + 1e-13 * epsilon;
  if (!(at[1] / l->h < 1e9)) return DPPAIR_ERR_EPSILON;
  for (d = 0; d < 2; d++) {
    const int64_t j = (int64_t)dppair_floor_(at[d] / l->h);
    const double a = dppair_lattice_delta_(l, d, j, s->right);
    const double b = dppair_lattice_delta_(l, d, j + 1, s->right);
    const double part = dppair_expm1_(at[d] - (double)j * l->h) / dppair_expm1_(l->h);
    const double value = part > 0.0 ? (part < 1.0 ? a + part * (b - a) : b) : a;
    if (d == 0)
      *high = value * (1.0 + 1e-14) + s->failure;
    else
      *low = value * (1.0 - 1e-14);
  }
  return DPPAIR_OK;
}

/* Prepares a direction and asks it. */
DPPAIR_FN_ dppair_status dppair_pld_ask_(double *high, double *low, dppair_contour_ *s,
                                         dppair_lattice_ *l, const dppair_question_ *q,
                                         const double *about) {
  double guess;
  const double given = q->for_delta ? q->given : dppair_log_(q->given);
  const dppair_status status = dppair_pld_prepare_(&guess, s, l, q->for_delta, given, about);
  if (status != DPPAIR_OK) return status;
  if (q->for_delta) return dppair_pld_beside_(high, low, s, l, q->given);
  if (!(s->failure < 0.5 * q->given)) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_pld_between_(high, low, s, l, q->given, guess);
  return DPPAIR_OK;
}

/*
 * Improves the bounds of a direction in which few hits are expected, by dppair_pld_prepare_ with
 * `about`, while they are further apart than 1e-5 of epsilon or 1e-4 of delta and exceed `other`,
 * the other direction's lower bound. Each round starts from the bounds of the one before; rounds
 * end when one gains less than a tenth.
 */
DPPAIR_FN_ void dppair_pld_refine_(double *high, double *low, double other, dppair_contour_ *s,
                                   dppair_lattice_ *l, const dppair_question_ *q) {
  const double wide = q->for_delta ? 1e-4 : 1e-5, h = l->h;
  const int rounds = q->for_delta ? 3 : 4;
  int i;
  for (i = 0; i < rounds; i++) {
    const double before = *high, gap = before - *low;
    double about[2], less, more;
    if (!(before < HUGE_VAL && before > other && gap > wide * *low)) break;
    about[0] = q->for_delta ? q->given : *high;
    about[1] = dppair_log_(q->for_delta ? *high : q->given);
    if (dppair_pld_ask_(&less, &more, s, l, q, about) != DPPAIR_OK) break;
    if (less < *high) *high = less;
    if (more > *low) *low = more;
    if (!(q->for_delta ? *high - *low < 0.9 * gap : *high < 0.9 * before)) break;
  }
  l->h = h;
}

/* The larger of the directions' upper and lower bounds. */
DPPAIR_FN_ dppair_status dppair_pld_answer_(double *high, double *low, dppair_contour_ *s,
                                            dppair_lattice_ *l, int directions,
                                            const dppair_question_ *q) {
  const int rare = dppair_pld_rare_(s, l);
  const double most = q->for_delta ? 1.0 : HUGE_VAL;
  int d;
  *high = *low = 0.0;
  if (!(s->variance > 0.0) && s->total_steps == 0.0) return DPPAIR_OK;
  for (d = 0; d < directions; d++) {
    double above, below;
    dppair_status status;
    if (!dppair_question_asks_(q, directions, d)) continue;
    s->backward = d;
    status = dppair_pld_ask_(&above, &below, s, l, q, NULL);
    if (status != DPPAIR_OK) return status;
    if (rare) dppair_pld_refine_(&above, &below, *low, s, l, q);
    if (!(above <= *high)) *high = above >= 0.0 && above < most ? above : most;
    if (below > *low) *low = below;
  }
  if (s->merged) *low = 0.0;
  return DPPAIR_OK;
}

/* The estimate between two bounds: the upper law adds h^2/6 of variance to a step, and the lower
 * one takes h^2/3 away. */
DPPAIR_FN_ double dppair_pld_estimate_(double upper, double lower) {
  return dppair_estimate_(upper, lower, upper - (upper - lower) / 3.0);
}

/* Both directions, where hits beyond the cap may cost about `spend`, and did cost *paid: best[0] >=
 * the answer >= best[1]. */
DPPAIR_FN_ dppair_status dppair_pld_try_(double *best, double *paid, const dppair_question_ *q,
                                         const dppair_pld_options_ *options, double spend) {
  dppair_contour_ s;
  dppair_lattice_ l;
  double above;
  int directions;
  dppair_status status = dppair_pld_begin_(&s, &l, &directions, q->steps, q->count, options, spend,
                                           q->work, q->doubles);
  best[0] = best[1] = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  *paid = s.failure;
  status = dppair_pld_answer_(&best[0], &best[1], &s, &l, directions, q);
  if (status != DPPAIR_OK || !s.replaced) return status;
  s.below = 1; /* the lower bound is that of another pair */
  if (dppair_pld_answer_(&above, &best[1], &s, &l, directions, q) != DPPAIR_OK) best[1] = 0.0;
  return DPPAIR_OK;
}

/*
 * What the lattice says about the steps' dominating pairs, within O(T h^2): any steps that have
 * them, and tables (options; NULL: none, the finest lattice of 2^18 points). `upper` is infinite
 * when the mass at infinite loss exceeds delta. Where delta is asked for, what hits beyond the cap
 * may cost is lowered until it is nothing beside the answer. NO_CONVERGENCE: a loss spans more than
 * the transform; other errors are those of dppair_contour_answer_.
 */
DPPAIR_FN_ dppair_status dppair_pld_bounds_(dppair_interval *interval, const dppair_question_ *q,
                                            const dppair_pld_options_ *options) {
  const double most = q->for_delta ? 2.0 : HUGE_VAL;
  double best[2] = {most, 0.0}, spend = dppair_spend_(q->for_delta, q->given);
  memset(interval, 0, sizeof *interval);
  interval->route = DPPAIR_ROUTE_LATTICE;
  do {
    double paid, now[2];
    const dppair_status status = dppair_pld_try_(now, &paid, q, options, spend);
    if (status != DPPAIR_OK && best[0] >= most) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 2)) break;
    spend = q->for_delta ? dppair_spend_less_(spend, paid, best) : 0.0;
  } while (spend > 0.0);
  interval->upper = best[0];
  interval->lower = best[1];
  interval->estimate = dppair_pld_estimate_(best[0], best[1]);
  return DPPAIR_OK;
}

/* ---- src/accountant/composition/single_run.h ------------------------------------------------
 * One run of one step: closed forms
 *
 * Let x be the place where the two densities have the ratio t = e^epsilon. Subtracting 0 = (ratio -
 * t) times the tail beyond x turns the hockey stick into a sum of Gaussian ones, all of them
 * positive: with e_k = b_k x - b_k^2/2 and G(e, b) the Gaussian curve at any real e,
 *   forward   delta = sum p_k G(e_k, b_k)                           epsilon =  log r(x)
 *   backward  delta = sum p_k exp(e_k) G(-e_k, b_k) / r(x)          epsilon = -log r(x)
 *   opposite  delta = sum p_k G(e_k, b_k)
 *                   + e^epsilon sum p_k exp(f_k) G(-f_k, b_k)       epsilon = log r(x)/r(-x)
 * with f_k = -b_k x - b_k^2/2. So every x is a point of the curve, and the root in x is needed only
 * to the digits that are wanted. Amplified: gamma sum p_k G(log(1 + (t-1)/gamma), b_k).
 * Relies on dominating_pairs.h and gaussian_curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* A point of the curve: epsilon is within [low, high], log delta there within [below, above]. */
typedef struct dppair_single_point_ {
  double low, high, below, above;
} dppair_single_point_;

/* A bound of log G(epsilon, b) at any real epsilon, from above or from below. */
DPPAIR_FN_ double dppair_single_log_(double epsilon, double b, int above) {
  if (epsilon < 0.0) { /* not where it is NaN: that would come back as NaN for ever */
    const double rest = dppair_exp_(dppair_single_log_(-epsilon, b, above));
    const double value = dppair_log_(-dppair_expm1_(epsilon) + dppair_exp_(epsilon) * rest);
    return value + (above ? 1e-14 : -1e-14);
  } else {
    const double value = dppair_curve_(epsilon, b).log_delta,
                 slack = dppair_curve_log_slack_(value);
    if (!above) return value - slack;
    return value + slack < 0.0 ? value + slack : 0.0;
  }
}

/* log delta of a law with a branch at x, from below in sum[0] and from above in sum[1]. Epsilon at
 * x is the loss there; every exponent is moved outwards by its rounding. */
DPPAIR_FN_ void dppair_single_branch_(double *sum, const dppair_branch_ *branch, double x,
                                      double loss) {
  size_t k;
  int above;
  for (k = 0; k < branch->terms; k++) {
    const double b = branch->b[k], e = b * x - 0.5 * b * b, f = -b * x - 0.5 * b * b;
    const double wrong = 8.0 * DPPAIR_UNIT_ * b * (dppair_fabs_(x) + b),
                 log_p = dppair_log_(branch->p[k]);
    for (above = 0; above < 2; above++) {
      const double move = above ? wrong : -wrong;
      if (branch->shape == DPPAIR_BACKWARD_)
        sum[above] = dppair_log_add_(sum[above], log_p + e + loss + move +
                                                     dppair_single_log_(move - e, b, above));
      else
        sum[above] = dppair_log_add_(sum[above], log_p + dppair_single_log_(e - move, b, above));
      if (branch->shape == DPPAIR_OPPOSITE_)
        sum[above] = dppair_log_add_(sum[above], log_p + f + loss + move +
                                                     dppair_single_log_(move - f, b, above));
    }
  }
}

/* log delta of an amplified law at epsilon u, from above or from below. */
DPPAIR_FN_ double dppair_single_amplified_(const dppair_law_ *law, double u, int above) {
  const double unit = DPPAIR_UNIT_, sign = above ? 1.0 : -1.0;
  const double odds =
      u < 30.0 ? dppair_log1p_(dppair_expm1_(u) / law->gamma)
               : u - dppair_log_(law->gamma) + dppair_log1p_((law->gamma - 1.0) * dppair_exp_(-u));
  const double wrong = 16.0 * unit * odds + (law->slip + 16.0 * unit) * (odds < 1.0 ? odds : 1.0);
  double e = odds - sign * wrong, sum = -HUGE_VAL;
  size_t k;
  if (!(e > 0.0)) e = 0.0;
  for (k = 0; k < law->terms; k++)
    sum = dppair_log_add_(sum, dppair_log_(law->gamma * law->p[k]) +
                                   dppair_single_log_(e, law->shift[k], above));
  return sum;
}

/* The same of a law without a branch to walk along; at epsilon >= 0 the positive part of a Gaussian
 * loss has the Gaussian curve. Laplace: 1 - e^((epsilon - e)/2); randomised
 * response: (1 - e^(epsilon - e))/(1 + e^-e); both up to epsilon = e. */
DPPAIR_FN_ double dppair_single_closed_(const dppair_law_ *law, double u, int above) {
  const double mu = law->mu * (1.0 + (above ? 1.0 : -1.0) * 8.0 * DPPAIR_UNIT_), remote = u - mu;
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) return dppair_single_amplified_(law, u, above);
  if (law->kind == DPPAIR_LAW_GAUSSIAN_ || law->kind == DPPAIR_LAW_POSITIVE_)
    return dppair_single_log_(u, mu, above);
  if (!(remote < 0.0)) return -HUGE_VAL;
  return law->kind == DPPAIR_LAW_LAPLACE_
             ? dppair_log_(-dppair_expm1_(0.5 * remote))
             : dppair_log_(-dppair_expm1_(remote)) - dppair_log1p_(dppair_exp_(-law->mu));
}

/* The point with parameter u, which increases with epsilon: x, -x (backward), or epsilon itself. */
DPPAIR_FN_ void dppair_single_at_(dppair_single_point_ *point, const dppair_law_ *law,
                                  const dppair_branch_ *branch, double u) {
  double sum[2] = {-HUGE_VAL, -HUGE_VAL}, slack;
  int above;
  if (branch->terms > 0) {
    const double x = branch->shape == DPPAIR_BACKWARD_ ? -u : u;
    dppair_place_ place;
    dppair_place_of_(&place, branch, x);
    point->low = place.loss - place.loss_error;
    point->high = place.loss + place.loss_error;
    slack = branch->slip + 64.0 * DPPAIR_UNIT_ + 2.0 * place.loss_error;
    dppair_single_branch_(sum, branch, x, place.loss);
  } else {
    point->low = point->high = u;
    slack = law->slip + 64.0 * DPPAIR_UNIT_;
    for (above = 0; above < 2; above++) sum[above] = dppair_single_closed_(law, u, above);
  }
  for (above = 0; above < 2; above++) {
    const double more = slack + 8.0 * DPPAIR_UNIT_ * dppair_fabs_(sum[above]);
    if (sum[above] > -DBL_MAX) sum[above] += above ? more : -more;
  }
  point->below = sum[0];
  point->above = sum[1] < 0.0 ? sum[1] : (sum[1] >= 0.0 ? 0.0 : HUGE_VAL); /* no NaN */
}

/* Questions to a point whose answers change once, from no to yes, as the parameter grows. */
enum {
  DPPAIR_SINGLE_DELTA_MET_ = 0,   /* log delta is surely at most the given one */
  DPPAIR_SINGLE_DELTA_BELOW_ = 1, /* log delta may be below the given one */
  DPPAIR_SINGLE_PASSES_ = 2,      /* epsilon may be above the given one */
  DPPAIR_SINGLE_PAST_ = 3         /* epsilon is surely at least the given one */
};

DPPAIR_FN_ int dppair_single_past_(dppair_single_point_ *point, const dppair_law_ *law,
                                   const dppair_branch_ *branch, double u, int question,
                                   double given) {
  dppair_single_at_(point, law, branch, u);
  return question == DPPAIR_SINGLE_DELTA_MET_     ? point->above <= given
         : question == DPPAIR_SINGLE_DELTA_BELOW_ ? !(point->below >= given)
         : question == DPPAIR_SINGLE_PASSES_      ? !(point->high <= given)
                                                  : point->low >= given;
}

/* No curve is followed further than this parameter. */
#define DPPAIR_SINGLE_FAR_ 1e7

/* The last parameter before the change and the first one past it, by doubling strides and
 * bisection. 0: no change was found; -1: it is at epsilon 0 or before. */
DPPAIR_FN_ int dppair_single_find_(double *before, double *past, const dppair_law_ *law,
                                   const dppair_branch_ *branch, int question, double given) {
  double low = branch->terms == 0 || branch->shape != DPPAIR_BACKWARD_ ? 0.0 : -0.5 * branch->reach;
  double high = low + 1.0, stride = 1.0;
  dppair_single_point_ point;
  int i;
  for (i = 0; dppair_single_past_(&point, law, branch, low, question, given); i++) {
    if (branch->terms == 0 || i >= 8) { /* at epsilon 0 or before it already */
      *before = *past = low;
      return -1;
    }
    low -= 0.5;
  }
  while (!dppair_single_past_(&point, law, branch, high, question, given)) {
    low = high;
    stride *= 2.0;
    high += stride;
    if (high > DPPAIR_SINGLE_FAR_) return 0;
  }
  for (i = 0; i < 100 && high - low > 2.0 * DPPAIR_UNIT_ * (dppair_fabs_(high) + 1e-3); i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_single_past_(&point, law, branch, middle, question, given))
      high = middle;
    else
      low = middle;
  }
  *before = low;
  *past = high;
  return 1;
}

/* Bounds of delta at epsilon in one direction: log delta just before the parameter passes epsilon
 * is an upper bound, log delta just past it a lower one. */
DPPAIR_FN_ void dppair_single_delta_(double *high, double *low, const dppair_law_ *law,
                                     const dppair_branch_ *branch, double epsilon) {
  const int closed = branch->terms == 0; /* epsilon itself is the parameter */
  double before = 0.0, past = 0.0;
  dppair_single_point_ point;
  int found = dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_PASSES_, epsilon);
  if (closed) before = epsilon;
  if (found >= 0 || closed) {
    /* backward losses end at -log P(no hit): then any point is before */
    dppair_single_at_(&point, law, branch, found == 0 ? DPPAIR_SINGLE_FAR_ : before);
    *high = dppair_scaled_(1.0 + 4e-15, point.above);
    if (point.above > -DBL_MAX) *high = dppair_delta_above_(*high);
  }
  found = dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_PAST_, epsilon);
  if (closed) past = epsilon;
  if (found > 0 || closed) {
    dppair_single_at_(&point, law, branch, past);
    *low = dppair_delta_below_(dppair_scaled_(1.0 - 4e-15, point.below));
  }
}

/* Bounds of epsilon in one direction. Of delta, `failure` is spent on hits beyond the cap. */
DPPAIR_FN_ dppair_status dppair_single_epsilon_(double *high, double *low, const dppair_law_ *law,
                                                const dppair_branch_ *branch, double delta,
                                                double failure) {
  const double less = dppair_log_((delta - failure) * (1.0 - 4e-16)) - 4e-16;
  const double more = dppair_log_(delta * (1.0 + 4e-16)) + 4e-16;
  double before = 0.0, past = 0.0;
  dppair_single_point_ point;
  const int found =
      dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_DELTA_MET_, less);
  if (found == 0) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_single_at_(&point, law, branch, past);
  *high = found < 0 || point.high <= 0.0 ? 0.0 : point.high;
  if (dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_DELTA_BELOW_, more) > 0) {
    dppair_single_at_(&point, law, branch, before);
    *low = point.low > 0.0 ? point.low : 0.0;
  }
  return DPPAIR_OK;
}

/* Epsilon at delta, or delta at epsilon, of one run of one step. spend: what hits beyond the cap
 * may cost; *paid: what they do, contained in *upper. */
DPPAIR_FN_ dppair_status dppair_single_(double *upper, double *lower, double *paid,
                                        const dppair_step *step, const dppair_question_ *q,
                                        double spend) {
  const int for_delta = q->for_delta;
  const double given = q->given;
  dppair_law_ law;
  dppair_branch_ branch;
  dppair_status status = dppair_law_of_(&law, step, spend);
  int d, directions;
  *upper = *lower = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  if (law.kind == DPPAIR_LAW_NONE_) return DPPAIR_OK;
  if (law.kind == DPPAIR_LAW_TABLE_) return DPPAIR_ERR_NO_PROOF;
  *paid = law.failure;
  if (!for_delta && !(law.failure < 0.5 * given)) return DPPAIR_ERR_NO_CONVERGENCE;
  directions = law.kind == DPPAIR_LAW_MIXTURE_ ? 2 : 1;
  for (d = 0; d < directions; d++) {
    double high = HUGE_VAL, low = 0.0;
    if (!dppair_question_asks_(q, directions, d)) continue;
    memset(&branch, 0, sizeof branch);
    if (law.kind == DPPAIR_LAW_MIXTURE_ || law.kind == DPPAIR_LAW_OPPOSITE_)
      dppair_branch_of_(&branch, &law, 0, d);
    if (for_delta)
      dppair_single_delta_(&high, &low, &law, &branch, given);
    else
      status = dppair_single_epsilon_(&high, &low, &law, &branch, given, law.failure);
    if (status != DPPAIR_OK) return status;
    if (!(high <= *upper)) *upper = high >= 0.0 ? high : HUGE_VAL;
    if (low > *lower && !law.merged) *lower = low;
  }
  if (for_delta && (law.failure > 0.0 || *upper > 1.0)) {
    const double all = *upper + law.failure * (1.0 + 1e-9);
    *upper = all < 1.0 ? all : 1.0;
  }
  return dppair_isfinite_f64(*upper) && *lower <= *upper ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* ---- src/accountant/composition/routes.h ----------------------------------------------------
 * The certified routes
 *
 * Each writes a bracket: the closed forms, the lattice with a transform as long as it takes, the
 * sum of pure epsilons, the Renyi orders. What one needs of memory.
 * ---------------------------------------------------------------------------------------------- */

/* The transform's length on the lattice is 2^15 at first, which is enough for few steps, and 2^18
 * at most. */
enum { DPPAIR_COMPOSE_LOG2_FIRST_ = 15, DPPAIR_COMPOSE_LOG2_ = 18 };

/* Doubles that any route needs for `count` distinct steps; tables: some laws may be tables
 * (tables.h), which lie behind the rest. */
DPPAIR_FN_ dppair_status dppair_compose_doubles_(size_t *doubles, size_t count, int tables) {
  const size_t table = tables ? dppair_table_doubles_() : 0;
  dppair_pld_options_ options;
  size_t contour = 0, lattice = 0;
  dppair_status status;
  *doubles = 0;
  memset(&options, 0, sizeof options);
  options.log2_size = DPPAIR_COMPOSE_LOG2_;
  status = dppair_contour_workspace_(&contour, count);
  if (status == DPPAIR_OK) status = dppair_pld_workspace_(&lattice, count, &options);
  if (status == DPPAIR_OK && lattice > SIZE_MAX / sizeof(double) - table)
    status = DPPAIR_ERR_OVERFLOW;
  lattice += table;
  if (status == DPPAIR_OK) *doubles = contour > lattice ? contour : lattice;
  return status;
}

/* Are there draws of modules among the steps? */
DPPAIR_FN_ int dppair_steps_slotted_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_draw_is_slotted_(steps[t].sampling.kind)) return 1;
  return 0;
}

/* *bytes for a composition of `count` distinct steps at any alignment: 16 MB, and 33 kB a step;
 * with tables 28 MB. */
DPPAIR_FN_ dppair_status dppair_compose_bytes_(size_t *bytes, size_t count, int tables) {
  size_t doubles;
  const dppair_status status = dppair_compose_doubles_(&doubles, count, tables);
  *bytes = 0;
  return status == DPPAIR_OK ? dppair_doubles_bytes_(bytes, doubles) : status;
}

/* 1 when a pair of data sets attains the dominating pairs of all steps at once, so that a lower
 * bound for the pairs is one for the mechanism. Fixed-size samples take their pair from two pairs
 * of data sets, one for t >= 1 and one for t < 1: attained by a single run alone. */
DPPAIR_FN_ int dppair_steps_attained_(const dppair_step *steps, size_t count) {
  double runs = 0.0;
  int single = 0;
  size_t t;
  for (t = 0; t < count; t++) {
    int attained;
    runs += (double)dppair_step_runs_(&steps[t]);
    if (dppair_step_check_(&steps[t]) != DPPAIR_OK) return 0;
    attained = dppair_step_charge_(&steps[t]).attained;
    if (attained == DPPAIR_ATTAINED_NEVER_) return 0;
    if (attained == DPPAIR_ATTAINED_ONCE_) single = 1;
  }
  return !single || runs <= 1.0;
}

/* The sum of the steps' pure epsilons, rounded up. */
DPPAIR_FN_ double dppair_steps_pure_(const dppair_step *steps, size_t count) {
  double pure = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    double e = dppair_step_pure_(&steps[t]);
    if (steps[t].steps > 1) e = dppair_up_(e * dppair_up_((double)steps[t].steps));
    pure = dppair_add_up_(pure, e);
  }
  return pure;
}

/* What the laws of all runs leave out of their losses, rounded up; pure laws leave out nothing. */
DPPAIR_FN_ double dppair_steps_surplus_(const dppair_step *steps, size_t count) {
  double sum = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (dppair_mechanism_is_pure_(steps[t].kind)) continue;
    sum = dppair_add_up_(
        sum, dppair_up_(dppair_step_surplus_(&steps[t]) * dppair_up_((double)steps[t].steps)));
  }
  return sum;
}

/* What dppair_accountant_answer_ says of the steps. */
DPPAIR_FN_ dppair_status dppair_steps_answer_(dppair_interval *b, const dppair_question_ *q,
                                              int renyi) {
  dppair_accountant a;
  dppair_status status = dppair_accountant_init(&a);
  size_t t;
  for (t = 0; t < q->count && status == DPPAIR_OK; t++) {
    status = dppair_accountant_step(&a, &q->steps[t]);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &a, status));
  }
  if (status != DPPAIR_OK) return status;
  return renyi ? dppair_accountant_renyi_(b, &a, q->for_delta, q->given)
               : dppair_accountant_answer_(b, &a, q->for_delta, q->given);
}

/* The sum of pure epsilons alone. For delta it says something from that sum on. */
DPPAIR_FN_ dppair_status dppair_bracket_pure_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  const dppair_status status = dppair_steps_answer_(b, q, 0); /* checks the steps */
  if (status != DPPAIR_OK && status != DPPAIR_ERR_OVERFLOW) return status;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_PURE;
  if (!(pure <= (q->for_delta ? q->given : DBL_MAX))) return DPPAIR_ERR_NO_PROOF;
  b->upper = b->estimate = q->for_delta ? 0.0 : pure;
  return DPPAIR_OK;
}

/* Is a perturbed objective among the steps? */
DPPAIR_FN_ int dppair_steps_objective_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_mechanism_is_objective_(steps[t].kind)) return 1;
  return 0;
}

/* The bounds that need no composition, where they are better: the sum of pure epsilons always; the
 * closed form of an objective; the best Renyi order, which takes longer, only when b is more than
 * 1e-3 wide. 0: none is better. */
DPPAIR_FN_ int dppair_bracket_improve_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  dppair_interval other;
  int improved = 0;
  if (q->for_delta ? q->given >= pure : pure < b->upper) {
    b->upper = q->for_delta ? 0.0 : pure;
    b->route = DPPAIR_ROUTE_PURE;
    improved = 1;
  }
  if ((dppair_steps_objective_(q->steps, q->count) ||
       !(b->upper <= DBL_MAX && b->upper - b->lower <= 1e-3 * b->upper)) &&
      dppair_steps_answer_(&other, q, 0) == DPPAIR_OK && other.upper < b->upper) {
    b->upper = other.upper;
    b->order = other.order;
    b->route = other.route;
    improved = 1;
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return improved;
}

/* The only step with a run, when that is a single one; else NULL. */
DPPAIR_FN_ const dppair_step *dppair_steps_single_(const dppair_step *steps, size_t count) {
  const dppair_step *only = NULL;
  size_t t;
  for (t = 0; t < count; t++) {
    if (steps[t].steps == 0) continue;
    if (only != NULL || dppair_step_runs_(&steps[t]) != 1) return NULL;
    only = &steps[t];
  }
  return only;
}

/* 1 when all steps are plain Gaussian ones, which together are one with this mu, rounded up. */
DPPAIR_FN_ int dppair_steps_gaussian_(double *mu, const dppair_step *steps, size_t count) {
  double squares = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (!dppair_mechanism_is_gaussian_(steps[t].kind)) return 0;
    squares += (double)steps[t].steps / steps[t].noise_multiplier / steps[t].noise_multiplier;
  }
  *mu = dppair_sqrt_(squares * (1.0 + 1e-15 * (double)(count + 4)));
  return 1;
}

/* A bracket is tight enough: further work is not worth it. */
DPPAIR_FN_ int dppair_bracket_tight_(const dppair_interval *b, double relative) {
  return b->upper - b->lower <= relative * b->lower || b->upper <= 0.0;
}

/* The exact curve of plain Gaussian steps; NO_PROOF when there are others. */
DPPAIR_FN_ dppair_status dppair_bracket_gaussian_(double *closed, const dppair_question_ *q) {
  double mu;
  if (!dppair_steps_gaussian_(&mu, q->steps, q->count)) return DPPAIR_ERR_NO_PROOF;
  return q->for_delta ? dppair_gaussian_delta(closed, q->given, mu)
                      : dppair_gaussian_epsilon(closed, q->given, mu);
}

/* The closed form of a single run of a single step; NO_PROOF when there is more. Where hits beyond
 * the cap matter beside delta, a second try spends less on them. */
DPPAIR_FN_ dppair_status dppair_bracket_single_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_step *only = dppair_steps_single_(q->steps, q->count);
  double spend = dppair_spend_(q->for_delta, q->given), paid;
  dppair_interval less;
  dppair_status status = DPPAIR_ERR_NO_PROOF;
  if (only == NULL) return status;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_CLOSED;
  status = dppair_single_(&b->upper, &b->lower, &paid, only, q, spend);
  if (status == DPPAIR_OK && q->for_delta) {
    const double best[2] = {b->upper, b->lower};
    spend = dppair_spend_less_(spend, paid, best);
    if (spend > 0.0 &&
        dppair_single_(&less.upper, &less.lower, &paid, only, q, spend) == DPPAIR_OK) {
      b->upper = less.upper;
      b->lower = less.lower;
    }
  }
  b->estimate = b->upper;
  return status;
}

/* The lattice's answer with a transform of 2^log2_size points. */
DPPAIR_FN_ dppair_status dppair_bracket_lattice_(dppair_interval *b, const dppair_question_ *q,
                                                 unsigned log2_size) {
  dppair_pld_options_ options;
  memset(&options, 0, sizeof options);
  options.log2_size = log2_size;
  return dppair_pld_bounds_(b, q, &options);
}

/* Does some step replace records of a module's draw? The two pairs that enclose allocated ones are
 * up to 40 % apart. */
DPPAIR_FN_ int dppair_steps_replaced_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_draw_is_slotted_(steps[t].sampling.kind) &&
        dppair_adjacency_move_(steps[t].sampling.adjacency) == DPPAIR_REPLACE_ONE)
      return 1;
  return 0;
}

/* The lattice's answer, with a transform as long as it takes. The width is O(h^2), so that twice
 * the length makes a width of up to 3 times the wanted one narrow enough. */
DPPAIR_FN_ dppair_status dppair_bracket_lattices_(dppair_interval *b, const dppair_question_ *q,
                                                  double wanted) {
  unsigned log2_size = DPPAIR_COMPOSE_LOG2_FIRST_;
  if (dppair_steps_replaced_(q->steps, q->count))
    return dppair_bracket_lattice_(b, q, DPPAIR_COMPOSE_LOG2_FIRST_ + 1);
  for (;;) {
    const dppair_status status = dppair_bracket_lattice_(b, q, log2_size);
    if (log2_size == DPPAIR_COMPOSE_LOG2_) return status;
    if (status == DPPAIR_OK && dppair_bracket_tight_(b, wanted)) return status;
    if (status == DPPAIR_OK && dppair_bracket_tight_(b, 3.0 * wanted))
      log2_size++;
    else
      log2_size = DPPAIR_COMPOSE_LOG2_;
  }
}

/* ---- src/accountant/composition/compose.h ---------------------------------------------------
 * The tightest certified route
 *
 * dppair_compose_: the exact curve, the contour, the lattice and the bounds that need no
 * composition, in the order in which they are usually best, until one is tight.
 * ---------------------------------------------------------------------------------------------- */

/* The answer for the dominating pairs. The contour is usually tighter by far, so that the other
 * routes are asked only where it stays wider than `enough`, or has no answer. */
DPPAIR_FN_ dppair_status dppair_bracket_of_(dppair_interval *b, const dppair_question_ *q) {
  const double enough = q->for_delta ? 1e-3 : 1e-5, wanted = q->for_delta ? 1e-3 : 5e-5;
  dppair_interval other;
  dppair_status status;
  double closed;
  if (dppair_table_bracket_(b, q) == DPPAIR_OK) return DPPAIR_OK;
  status = dppair_contour_answer_(b, q);
  if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE && status != DPPAIR_ERR_NO_PROOF)
    return status;
  if (dppair_bracket_gaussian_(&closed, q) == DPPAIR_OK &&
      (status != DPPAIR_OK || closed <= b->upper)) {
    b->route = DPPAIR_ROUTE_CLOSED;
    b->upper = b->estimate = closed;
    if (status != DPPAIR_OK) b->lower = 0.0;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, enough)) return DPPAIR_OK;
  if (dppair_bracket_single_(&other, q) == DPPAIR_OK &&
      (status != DPPAIR_OK || other.upper <= b->upper)) {
    *b = other;
    return DPPAIR_OK;
  }
  if (dppair_bracket_lattices_(&other, q, wanted) != DPPAIR_OK) return status;
  if (status != DPPAIR_OK) {
    *b = other;
    return DPPAIR_OK;
  }
  b->route = DPPAIR_ROUTE_BOTH;
  if (other.upper < b->upper) b->upper = other.upper;
  if (other.lower > b->lower) b->lower = other.lower;
  return DPPAIR_OK;
}

/* A route that composes laws, asked so that its answer covers what they leave out of their losses:
 * that shifts epsilon, and below the shift a chord of the curve answers. */
DPPAIR_FN_ dppair_status dppair_compose_laws_(dppair_interval *b, const dppair_question_ *q,
                                              dppair_route route) {
  const double surplus = dppair_steps_surplus_(q->steps, q->count);
  const double over = q->given - surplus;
  dppair_question_ less = *q;
  dppair_status status;
  if (!dppair_isfinite_f64(surplus)) return DPPAIR_ERR_OVERFLOW;
  if (q->for_delta && surplus > 0.0) less.given = over > 0.0 ? dppair_down_(over) : 0.0;
  status = route == DPPAIR_ROUTE_CONTOUR   ? dppair_contour_answer_(b, &less)
           : route == DPPAIR_ROUTE_LATTICE ? dppair_pld_bounds_(b, &less, NULL)
                                           : dppair_bracket_of_(b, &less);
  if (status == DPPAIR_OK && !q->for_delta && surplus > 0.0) {
    b->upper = dppair_add_up_(b->upper, surplus);
    b->lower += dppair_down_(surplus);
    b->estimate += surplus;
  }
  if (status == DPPAIR_OK && q->for_delta && over < 0.0 && surplus > 0.0) {
    b->upper = b->estimate = dppair_delta_chord_(b->upper, dppair_up_(-over));
    b->lower = 0.0;
  }
  return status;
}

/* The tightest of all. */
DPPAIR_FN_ dppair_status dppair_compose_best_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_status status = dppair_compose_laws_(b, q, DPPAIR_ROUTE_BEST);
  int improved;
  if (status == DPPAIR_ERR_NO_CONVERGENCE) { /* nothing is known */
    b->upper = b->estimate = q->for_delta ? 1.0 : HUGE_VAL;
    b->lower = 0.0;
  } else if (status != DPPAIR_OK) {
    return status;
  }
  improved = dppair_bracket_improve_(b, q);
  return improved ? DPPAIR_OK : status;
}

/* By one route, or by the tightest. */
DPPAIR_FN_ dppair_status dppair_compose_by_(dppair_interval *b, const dppair_question_ *q,
                                            dppair_route route) {
  dppair_status status;
  switch (route) {
  case DPPAIR_ROUTE_CONTOUR:
  case DPPAIR_ROUTE_LATTICE:
    return dppair_compose_laws_(b, q, route);
  case DPPAIR_ROUTE_RENYI:
    return dppair_steps_answer_(b, q, 1);
  case DPPAIR_ROUTE_PURE:
    return dppair_bracket_pure_(b, q);
  case DPPAIR_ROUTE_BEST:
  case DPPAIR_ROUTE_CLOSED:
    status = dppair_compose_best_(b, q);
    if (status == DPPAIR_OK && route == DPPAIR_ROUTE_CLOSED && b->route != route)
      return DPPAIR_ERR_NO_PROOF;
    return status;
  default:
    return DPPAIR_ERR_DOMAIN;
  }
}

/* Checks the arguments, answers, and hands a bracket for the dominating pairs out as one for the
 * mechanism. On an error *interval is all 0. */
DPPAIR_FN_ dppair_status dppair_compose_(dppair_interval *interval, const dppair_question_ *q,
                                         dppair_route route) {
  const int composes = route != DPPAIR_ROUTE_RENYI && route != DPPAIR_ROUTE_PURE;
  dppair_interval b;
  dppair_status status;
  size_t need;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if ((composes && q->work == NULL) || (q->steps == NULL && q->count > 0)) return DPPAIR_ERR_NULL;
  status = dppair_compose_doubles_(&need, q->count, 0); /* of too many steps none is read */
  if (status == DPPAIR_OK && dppair_steps_slotted_(q->steps, q->count))
    status = dppair_compose_doubles_(&need, q->count, 1);
  if (status == DPPAIR_OK && composes && q->doubles < need) return DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_given_check_(q->for_delta, q->given);
  if (status == DPPAIR_OK) status = dppair_compose_by_(&b, q, route);
  if (status != DPPAIR_OK) return status;
  if (!dppair_steps_attained_(q->steps, q->count)) b.lower = 0.0;
  b.estimate = dppair_estimate_(b.upper, b.lower, b.estimate);
  *interval = b;
  return DPPAIR_OK;
}

/* ================================================================================================
 * Uses of an account: certified answers, calibration, the ledger
 * ============================================================================================== */

/* ---- src/accountant/composition/questions.h -------------------------------------------------
 * What an account has spent
 *
 * dppair_accountant_epsilon, _delta: a proved lower and upper bound of the epsilon, or of the
 * delta, of everything in an account. dppair_accountant_by_route: the same by one route.
 * dppair_parallel_epsilon: the same of accounts of disjoint parts of the records.
 *
 * Where a closed form is the tightest, no memory is needed. For any other account you pass a
 * composer (dppair_composer_init, certify.h): memory and the code of numerical composition, which a
 * program without one neither compiles nor links.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_certify_;

/* Numerical composition: dppair_composer_init makes it. */
typedef struct dppair_composer {
  void *work; /* yours */
  size_t bytes;
  dppair_status (*answer)(dppair_interval *b, const struct dppair_certify_ *q);
} dppair_composer;

/* A question to an account: epsilon at delta `given`, or delta at epsilon `given`. */
typedef struct dppair_certify_ {
  const dppair_accountant *a;
  int for_delta;
  double given;
  int both; /* 0: `lower` is not asked for: it may cost a second composition */
  double *work;
  size_t doubles;
  int only; /* as dppair_question_ */
  dppair_route route;
} dppair_certify_;

/* *bytes of workspace for a composer that answers about the account, and that calibrates one plan
 * beside it: 16 MB, and 33 kB for each different step (28 MB with dppair_allocation.h). account
 * NULL: for any account and plan, 20 MB (32). Errors: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_composer_workspace(size_t *bytes, const dppair_accountant *account) {
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  if (account == NULL) return dppair_compose_bytes_(bytes, DPPAIR_STEP_CAPACITY + 1, 1);
  return dppair_compose_bytes_(bytes, account->count + 2, 1);
}

/* The largest epsilon below `upper` at which the curve surely exceeds delta; 0 when none. */
DPPAIR_FN_ double dppair_gaussian_epsilon_below_(double upper, double delta, double mu) {
  const double target = dppair_log_(delta);
  double gap;
  if (mu > DPPAIR_CURVE_LARGEST_) return 0.0;
  for (gap = 1e-15; gap < 1.0; gap *= 2.0) {
    const double x = upper * (1.0 - gap), log_delta = dppair_curve_(x, mu).log_delta;
    if (log_delta - dppair_curve_log_slack_(log_delta) > target + 3e-16 * dppair_fabs_(target))
      return x;
  }
  return 0.0;
}

/* A lower bound of the curve's delta. */
DPPAIR_FN_ double dppair_gaussian_delta_below_(double epsilon, double mu) {
  const double delta = mu > DPPAIR_CURVE_LARGEST_ ? 0.0 : dppair_curve_(epsilon, mu).delta;
  return delta > 1e-290 ? delta * (1.0 - 2.0 * DPPAIR_CURVE_SLACK_) : 0.0;
}

/* What the true sum of mu^2 is of the account's at least. Every addition rounded it up by up to
 * 2^-51, and each term was rounded a few times. */
DPPAIR_FN_ double dppair_gaussian_less_(const dppair_accountant *a) {
  const double less = 1.0 - 4.5e-16 * (a->additions + 16.0);
  return less > 0.0 ? less : 0.0;
}

/* mu^2 terms below 1e-300 were raised to it when they were added: a sum from here on hardly
 * noticed, a smaller one is no lower bound. */
#define DPPAIR_GAUSSIAN_LEAST_ 1e-250

/* An account of plain Gaussian steps: the exact curve, and the curve at the lower mu without
 * failures. */
DPPAIR_FN_ dppair_status dppair_certify_gaussian_(dppair_interval *b, const dppair_certify_ *q) {
  const double mu = dppair_sqrt_(q->a->gaussian * dppair_gaussian_less_(q->a));
  double other;
  const dppair_status status = dppair_accountant_answer_(b, q->a, q->for_delta, q->given);
  if (status != DPPAIR_OK || !(b->upper > 0.0 && q->a->gaussian > DPPAIR_GAUSSIAN_LEAST_))
    return status;
  if (q->for_delta)
    b->lower = dppair_gaussian_delta_below_(q->given, mu);
  else if (dppair_gaussian_epsilon(&other, q->given, mu) == DPPAIR_OK && other > 0.0)
    b->lower = dppair_gaussian_epsilon_below_(other, q->given, mu);
  if (b->lower > b->upper) b->lower = b->upper;
  return DPPAIR_OK;
}

/* Is there nothing tighter than dppair_accountant_answer_, however much memory there is? Plain
 * Gaussian steps have the exact curve; zCDP steps alone, folded ones and what is beside integer
 * noise have their Renyi orders, and no dominating pair; `pure`: at delta 0, or at an epsilon from
 * their sum on, pure steps. */
DPPAIR_FN_ int dppair_accountant_is_closed_(const dppair_accountant *a, int pure) {
  size_t i;
  for (i = 0; i < a->count && a->zcdp <= 0.0; i++)
    if (dppair_mechanism_is_whole_(a->step[i].kind)) return 1;
  if (a->folded || dppair_accountant_is_gaussian_(a)) return 1;
  if (a->count == 0 && a->gaussian <= 0.0) return 1;
  return pure && dppair_accountant_is_pure_(a);
}

/* 1 where no composition could be tighter: *status and *b are the answer then. `rest` as
 * dppair_certify_check_ says. */
DPPAIR_FN_ int dppair_certify_closed_(dppair_status *status, dppair_interval *b,
                                      const dppair_certify_ *q, double rest) {
  const dppair_accountant *a = q->a;
  const int pure = !(rest >= DBL_MIN) || (q->for_delta && q->given >= a->pure);
  if (!dppair_accountant_is_closed_(a, pure)) return 0;
  *status = dppair_accountant_is_gaussian_(a) && rest >= DBL_MIN
                ? dppair_certify_gaussian_(b, q)
                : dppair_accountant_answer_(b, a, q->for_delta, q->given);
  return 1;
}

/* Checks the question. *rest: what failures leave of delta; 1 where delta is asked for. */
DPPAIR_FN_ dppair_status dppair_certify_check_(double *rest, const dppair_certify_ *q) {
  dppair_status status = DPPAIR_OK;
  *rest = 1.0;
  status = q->for_delta ? dppair_accountant_usable_(q->a)
                        : dppair_accountant_rest_(rest, q->a, q->given);
  if (status != DPPAIR_OK) return status;
  if (!(*rest >= DBL_MIN)) return dppair_accountant_is_pure_(q->a) ? DPPAIR_OK : DPPAIR_ERR_DELTA;
  return dppair_given_check_(q->for_delta, q->given);
}

/* What needs no composition, where nothing is tighter; else WORKSPACE. */
DPPAIR_FN_ dppair_status dppair_certify_light_(dppair_interval *b, const dppair_certify_ *q) {
  double rest;
  dppair_status status = dppair_certify_check_(&rest, q);
  memset(b, 0, sizeof *b);
  if (status != DPPAIR_OK) return status;
  return q->route == DPPAIR_ROUTE_BEST && dppair_certify_closed_(&status, b, q, rest)
             ? status
             : DPPAIR_ERR_WORKSPACE;
}

/* Answers by what the composer holds, or by what needs none. */
DPPAIR_FN_ dppair_status dppair_certify_by_(dppair_interval *b, dppair_certify_ *q,
                                            const dppair_composer *composer) {
  dppair_status status = dppair_certify_light_(b, q);
  if (status != DPPAIR_ERR_WORKSPACE || composer == NULL) return status;
  if (composer->answer == NULL) return DPPAIR_ERR_NULL; /* never dppair_composer_init */
  q->work = dppair_doubles_(&q->doubles, composer->work, composer->bytes);
  if (q->work == NULL) return DPPAIR_ERR_WORKSPACE;
  status = composer->answer(b, q);
  return status;
}

/* Checks the arguments and answers; `only` as in dppair_question_. */
DPPAIR_FN_ dppair_status dppair_accountant_ask_(dppair_interval *interval,
                                                const dppair_accountant *a, int for_delta,
                                                double given, dppair_route route,
                                                const dppair_composer *composer, int only) {
  dppair_certify_ q = {a, for_delta, given, 1, NULL, 0, only, route};
  dppair_interval b;
  dppair_status status;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  status = dppair_certify_by_(&b, &q, composer);
  if (status == DPPAIR_ERR_WORKSPACE)
    (void)dppair_compose_bytes_(&interval->bytes, a->count + 1,
                                dppair_steps_slotted_(a->step, a->count));
  if (status != DPPAIR_OK) return status;
  if (a->unattained) {
    b.lower = 0.0;
    b.estimate = b.upper;
  }
  *interval = b;
  return DPPAIR_OK;
}

/*
 * *interval = lower <= epsilon <= upper of everything in the account at this delta in [DBL_MIN, 1),
 * or at 0 where every step is pure. What was spent is interval->upper. It is the tightest bound
 * that the accountant knows:
 *
 *   plain Gaussian steps         the exact curve, to 12 digits. One run of one step: its curve
 *   steps with dominating pairs  numerical composition: the contour, and the lattice where the
 *                                contour cannot answer (atoms, very few steps) or stays wider than
 *                                1e-5 of epsilon. `upper` is never more than the sum of pure
 *                                epsilons, nor than the closed form of one perturbed objective
 *                                beside plain Gaussian steps, nor, where the routes stay wide, than
 *                                what the best Renyi order says. Epochs of one allocation by its
 *                                table
 *   zCDP steps, folded steps     the best Renyi order. zCDP steps beside others: that of all, or the
 *                                sum of two epsilons that share delta
 *
 * composer: NULL where no composition could be tighter: plain Gaussian steps, zCDP steps alone,
 * folded steps, integer noise (dppair_shares.h), pure steps at delta 0. Any other account is
 * WORKSPACE without one, and interval->bytes says how many bytes it needs; nothing is answered by a
 * looser bound. (If you have no such memory, ask dppair_accountant_by_route for
 * DPPAIR_ROUTE_RENYI.)
 *
 * `lower` holds for a mechanism and two data sets that attain it. It is 0 where no data sets do, or
 * none are known (several runs with samples of a fixed size), and where the account is beyond the
 * reach of composition. With a failure probability, `lower` is for the mechanisms without it at the
 * whole delta. Errors: NULL; WORKSPACE; those of a broken account; NOT_FINITE; DELTA, also when
 * failures leave nothing of it; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_epsilon(dppair_interval *interval, const dppair_accountant *a, double delta,
                          const dppair_composer *composer) {
  return dppair_accountant_ask_(interval, a, 0, delta, DPPAIR_ROUTE_BEST, composer, 0);
}

/* The same for delta at this epsilon >= 0: the inverse of dppair_accountant_epsilon, within what
 * the interval says. `upper` contains the failure probability, `lower` does not. Without a composer
 * pure steps are answered from their sum of epsilons on. Errors: EPSILON in place of DELTA. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_delta(dppair_interval *interval, const dppair_accountant *a, double epsilon,
                        const dppair_composer *composer) {
  return dppair_accountant_ask_(interval, a, 1, epsilon, DPPAIR_ROUTE_BEST, composer, 0);
}

/* What dppair_accountant_by_route is given. */
typedef enum dppair_given { DPPAIR_GIVEN_DELTA = 1, DPPAIR_GIVEN_EPSILON = 2 } dppair_given;

/* A route that needs no composition, by its name; WORKSPACE: it does. */
DPPAIR_FN_ dppair_status dppair_certify_named_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  double rest;
  dppair_status status = dppair_certify_check_(&rest, q);
  if (status == DPPAIR_OK && !(rest >= DBL_MIN) && q->route != DPPAIR_ROUTE_PURE)
    status = DPPAIR_ERR_DELTA;
  if (status != DPPAIR_OK) return status;
  switch (q->route) {
  case DPPAIR_ROUTE_CLOSED:
    return dppair_accountant_is_gaussian_(a) ? dppair_certify_gaussian_(b, q)
                                             : DPPAIR_ERR_WORKSPACE;
  case DPPAIR_ROUTE_RENYI:
    return dppair_accountant_renyi_(b, a, q->for_delta, q->given);
  case DPPAIR_ROUTE_PURE:
    if (!dppair_accountant_is_pure_(a) || (q->for_delta && !(a->pure <= q->given)))
      return DPPAIR_ERR_NO_PROOF;
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = q->for_delta ? a->failure : a->pure;
    if (q->for_delta && b->upper > 1.0) b->upper = 1.0;
    b->estimate = b->upper;
    return DPPAIR_OK;
  default:
    return DPPAIR_ERR_WORKSPACE;
  }
}

/*
 * The same by one route alone, at this delta or at this epsilon: for comparisons, and for programs
 * without 16 MB.
 *
 *   DPPAIR_ROUTE_CLOSED   the tightest, but NO_PROOF where that is no closed form
 *   DPPAIR_ROUTE_CONTOUR  Gaussian steps, also sampled ones, pairs and perturbed objectives;
 *                         NO_PROOF for losses with atoms at both ends (Laplace, pure, randomised
 *                         response), NO_CONVERGENCE for a handful of steps or a huge noise ratio
 *   DPPAIR_ROUTE_LATTICE  every step with a dominating pair
 *   DPPAIR_ROUTE_RENYI    the best Renyi order: every step, zCDP too; `lower` is 0; usually looser
 *   DPPAIR_ROUTE_PURE     the sum of pure epsilons, else NO_PROOF; `lower` is 0
 *
 * composer: as there; not read by the last two, and needed by the others. NO_PROOF also: zCDP and
 * folded steps by another route than RENYI. `upper` is infinite when a mass at infinite loss
 * exceeds delta. DOMAIN: no such route, or neither is given. Other errors: as
 * dppair_accountant_epsilon.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_by_route(
    dppair_interval *interval, const dppair_accountant *a, dppair_route route, dppair_given given,
    double value, const dppair_composer *composer) {
  const int for_delta = given == DPPAIR_GIVEN_EPSILON;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (given != DPPAIR_GIVEN_DELTA && !for_delta) return DPPAIR_ERR_DOMAIN;
  if (route < DPPAIR_ROUTE_CLOSED || route > DPPAIR_ROUTE_PURE || route == DPPAIR_ROUTE_BOTH)
    return DPPAIR_ERR_DOMAIN;
  if (route != DPPAIR_ROUTE_LATTICE && route != DPPAIR_ROUTE_CONTOUR) {
    const dppair_certify_ q = {a, for_delta, value, 1, NULL, 0, 0, route};
    const dppair_status status = dppair_certify_named_(interval, &q);
    if (status != DPPAIR_ERR_WORKSPACE) return status;
  }
  return dppair_accountant_ask_(interval, a, for_delta, value, route, composer, 0);
}

/* Are the parts about one relation, as the steps of one account have to be? A part that holds
 * nothing fits any. */
DPPAIR_FN_ dppair_status dppair_parallel_check_(const dppair_accountant *parts, size_t count) {
  dppair_adjacency named = (dppair_adjacency)0;
  dppair_status status = DPPAIR_OK;
  int stated = 0;
  size_t i;
  for (i = 0; i < count && status == DPPAIR_OK; i++) {
    status = dppair_accountant_usable_(&parts[i]);
    if (status == DPPAIR_OK && parts[i].sequence > 0)
      status = dppair_neighbours_join_(&named, &stated, parts[i].named, parts[i].stated);
  }
  return status;
}

/* Adds a part's bounds to those of the parts before it: the largest of each. */
DPPAIR_FN_ void dppair_parallel_join_(dppair_interval *all, const dppair_interval *part) {
  const double lower = part->lower > all->lower ? part->lower : all->lower;
  const double estimate = part->estimate > all->estimate ? part->estimate : all->estimate;
  if (all->route == DPPAIR_ROUTE_BEST || part->upper > all->upper) *all = *part;
  all->lower = lower;
  all->estimate = dppair_estimate_(all->upper, lower, estimate);
}

/*
 * Parallel composition: a lower and an upper bound of the epsilon of `count` accounts of mechanisms
 * that read disjoint parts of the records. Split the records without looking at them; where a
 * user or a query is protected, all of its records belong to one part. Two neighbours differ in
 * one part only, so each bound is the largest one of the parts; `route` and `order` are those of
 * the part with the largest `upper`.
 * delta, composer: as for dppair_accountant_epsilon; interval->bytes is enough for all parts.
 * Errors: NULL; SIZE (count = 0); ADJACENCY: the parts are about different neighbours (an empty
 * account is about any); those of dppair_accountant_epsilon.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_parallel_epsilon(dppair_interval *interval, const dppair_accountant *parts, size_t count,
                        double delta, const dppair_composer *composer) {
  dppair_interval all, part;
  dppair_status status;
  size_t i, need = 0;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (parts == NULL) return DPPAIR_ERR_NULL;
  if (count == 0) return DPPAIR_ERR_SIZE;
  status = dppair_parallel_check_(parts, count);
  memset(&all, 0, sizeof all);
  for (i = 0; i < count && status == DPPAIR_OK; i++) {
    status = dppair_accountant_epsilon(&part, &parts[i], delta, composer);
    if (part.bytes > need) need = part.bytes;
    if (status == DPPAIR_ERR_WORKSPACE && i + 1 < count) status = DPPAIR_OK; /* what others need */
    if (status == DPPAIR_OK) dppair_parallel_join_(&all, &part);
  }
  if (need > 0 && (status == DPPAIR_OK || status == DPPAIR_ERR_WORKSPACE)) {
    interval->bytes = need;
    return DPPAIR_ERR_WORKSPACE;
  }
  if (status == DPPAIR_OK) *interval = all;
  return status;
}

/* ---- src/accountant/composition/certify.h ---------------------------------------------------
 * Questions that need numerical composition
 *
 * What dppair_composer_init hands to the questions (questions.h): the tightest answer about an
 * account, by the routes of compose.h, and by Renyi orders where an account cannot be composed.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q);

/* The same question about the account without its zCDP steps, or about those alone; at another
 * delta or epsilon. */
DPPAIR_FN_ dppair_status dppair_certify_part_(dppair_interval *b, const dppair_certify_ *q,
                                              const dppair_accountant *part, double given,
                                              int both) {
  dppair_certify_ less = *q;
  less.a = part;
  less.given = given;
  less.both = both;
  return dppair_certify_answer_(b, &less);
}

/*
 * An account with zCDP steps, for which no dominating pair is known, and others. `upper` is the
 * smaller of two bounds: the best Renyi order of all of it and, for epsilon, the sum of two
 * epsilons that share delta, the zCDP steps' from their Renyi curve and the other steps' from
 * composition. (Two interactive mechanisms that run at the same time, each (epsilon_i, delta_i)-
 * private, are (sum, sum)-private: Vadhan and Zhang 2023, concurrent composition.) Two shares of
 * what failures leave of delta are tried. The lower bound is that of the other steps alone.
 */
DPPAIR_FN_ dppair_status dppair_certify_zcdp_epsilon_(dppair_interval *b,
                                                      const dppair_certify_ *q) {
  static const double shares[2] = {0.1, 1e-3};
  dppair_accountant others = *q->a, zcdp;
  dppair_interval part, own;
  dppair_status status = dppair_accountant_answer_(b, q->a, 0, q->given);
  double rest = 0.0;
  int i;
  if (status != DPPAIR_OK) b->upper = HUGE_VAL;
  others.zcdp = 0.0;
  (void)dppair_accountant_init(&zcdp);
  zcdp.zcdp = q->a->zcdp;
  if (dppair_accountant_rest_(&rest, q->a, q->given) != DPPAIR_OK) rest = 0.0;
  for (i = 0; i < 2; i++) {
    const double share = shares[i] * rest;
    if (!(share >= DBL_MIN)) break;
    if (dppair_accountant_renyi_(&own, &zcdp, 0, share) != DPPAIR_OK) continue;
    if (dppair_certify_part_(&part, q, &others, dppair_down_(dppair_down_(q->given - share)), 0) !=
        DPPAIR_OK)
      continue;
    if (dppair_add_up_(part.upper, own.upper) < b->upper) {
      b->upper = dppair_add_up_(part.upper, own.upper);
      b->route = part.route;
      b->order = own.order;
    }
  }
  if (!(b->upper <= DBL_MAX)) {
    memset(b, 0, sizeof *b);
    return status != DPPAIR_OK ? status : DPPAIR_ERR_OVERFLOW; /* never 0 as an answer */
  }
  if (q->both && dppair_certify_part_(&part, q, &others, q->given, 1) == DPPAIR_OK)
    b->lower = part.lower < b->upper ? part.lower : b->upper;
  b->estimate = b->upper;
  return DPPAIR_OK;
}

/* The epsilon that dppair_certify_zcdp_epsilon_ says at this delta; infinite where it has none. */
DPPAIR_FN_ double dppair_certify_zcdp_at_(const dppair_certify_ *q, double delta) {
  dppair_certify_ at = *q;
  dppair_interval b;
  at.for_delta = at.both = 0;
  at.given = delta;
  return dppair_certify_zcdp_epsilon_(&b, &at) == DPPAIR_OK ? b.upper : HUGE_VAL;
}

/*
 * Delta of such an account: the smallest one, within 1e-3 of it, at which the epsilon above is at
 * most q->given, so that the two questions are inverse to each other; never above what the best
 * Renyi order says. Any delta at which that epsilon is small enough is a bound, so the search can
 * only lose tightness.
 */
DPPAIR_FN_ dppair_status dppair_certify_zcdp_delta_(dppair_interval *b, const dppair_certify_ *q) {
  dppair_accountant others = *q->a;
  dppair_interval part;
  double high, low;
  const dppair_status status = dppair_accountant_answer_(b, q->a, 1, q->given);
  if (status != DPPAIR_OK) return status;
  high = b->upper;
  for (low = 0.25 * high; low >= DBL_MIN && dppair_certify_zcdp_at_(q, low) <= q->given;
       low *= 0.25)
    high = low;
  if (low < DBL_MIN) low = DBL_MIN;
  while (high > low * 1.001) {
    const double middle = dppair_sqrt_(low) * dppair_sqrt_(high);
    if (!(middle > low && middle < high)) break;
    if (dppair_certify_zcdp_at_(q, middle) <= q->given)
      high = middle;
    else
      low = middle;
  }
  if (high < b->upper) {
    b->upper = high;
    b->order = 0.0;
    b->route = DPPAIR_ROUTE_BEST; /* of both kinds of steps: no single route */
  }
  others.zcdp = 0.0;
  if (q->both && dppair_certify_part_(&part, q, &others, q->given, 1) == DPPAIR_OK)
    b->lower = part.lower < b->upper ? part.lower : b->upper;
  b->estimate = b->upper;
  return DPPAIR_OK;
}

/* Takes the pure steps out of the account when there are others and the pure epsilons sum to at
 * most 1e-9. Returns that sum, which is added to the others' epsilon at the same delta. (Their
 * atoms would force all of the account on the lattice.) */
DPPAIR_FN_ double dppair_take_negligible_(dppair_accountant *others, const dppair_accountant *a) {
  size_t i;
  if (a->folded || !(a->pure > 0.0 && a->pure <= 1e-9)) return 0.0;
  *others = *a;
  others->pure = 0.0;
  others->count = 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_mechanism_is_pure_(a->step[i].kind)) others->step[others->count++] = a->step[i];
  return others->count > 0 || a->gaussian > 0.0 || a->zcdp > 0.0 ? a->pure : 0.0;
}

/* The others' bounds with negligible pure steps beside them, which shift epsilon by `pure`. */
DPPAIR_FN_ dppair_status dppair_certify_shifted_(dppair_interval *b, const dppair_certify_ *q,
                                                 const dppair_accountant *others, double pure) {
  dppair_interval below;
  dppair_status status;
  if (!q->for_delta) {
    status = dppair_certify_part_(b, q, others, q->given, q->both);
    if (status == DPPAIR_OK) b->upper = dppair_add_up_(b->upper, pure);
  } else {
    status = dppair_certify_part_(b, q, others, dppair_down_(q->given - pure), 0);
    if (status == DPPAIR_OK && q->both &&
        dppair_certify_part_(&below, q, others, q->given, 1) == DPPAIR_OK)
      b->lower = below.lower;
  }
  if (status == DPPAIR_OK) b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return status;
}

/* The composition of these steps. */
DPPAIR_FN_ dppair_status dppair_certify_steps_(dppair_interval *b, const dppair_certify_ *q,
                                               const dppair_step *steps, size_t count,
                                               double given) {
  const dppair_question_ question = {steps,   count,      q->for_delta, given,
                                     q->work, q->doubles, q->only};
  return dppair_compose_(b, &question, q->route);
}

/* The lower bound of what was really run: all of delta, no failures, and no rounding of mu. The
 * Gaussian steps are the last of the list. */
DPPAIR_FN_ double dppair_certify_below_(const dppair_certify_ *q, dppair_step *steps,
                                        size_t count) {
  const dppair_accountant *a = q->a;
  const double less = dppair_gaussian_less_(a);
  dppair_interval b;
  if (a->gaussian > 0.0 && less > 0.0 && a->gaussian > DPPAIR_GAUSSIAN_LEAST_)
    steps[count - 1].noise_multiplier = dppair_up_(1.0 / dppair_sqrt_(a->gaussian * less));
  else if (a->gaussian > 0.0)
    count--;
  return dppair_certify_steps_(&b, q, steps, count, q->given) == DPPAIR_OK ? b.lower : 0.0;
}

/* An account whose steps all have dominating pairs: by composition, with what failures leave of
 * delta. */
DPPAIR_FN_ dppair_status dppair_certify_composed_(dppair_interval *b, const dppair_certify_ *q) {
  dppair_step steps[DPPAIR_STEP_CAPACITY + 1];
  const dppair_accountant *a = q->a;
  size_t count;
  double given = q->given;
  dppair_status status = dppair_accountant_steps_(steps, &count, a);
  if (status == DPPAIR_OK && !q->for_delta && a->failure > 0.0) {
    status = dppair_accountant_rest_(&given, a, given);
    given = dppair_down_(given);
  }
  if (status == DPPAIR_OK) status = dppair_certify_steps_(b, q, steps, count, given);
  if (status != DPPAIR_OK) return status;
  if (q->for_delta) {
    b->upper = dppair_add_up_(b->upper, a->failure);
    if (b->upper > 1.0) b->upper = 1.0;
  }
  if (!q->both)
    b->lower = 0.0;
  else if (b->lower > 0.0 && (a->failure > 0.0 || a->gaussian > 0.0))
    b->lower = dppair_certify_below_(q, steps, count);
  return DPPAIR_OK;
}

/* The tightest answer about steps that have dominating pairs, or what the closed forms say. */
DPPAIR_FN_ dppair_status dppair_certify_tightest_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  const dppair_status status = dppair_certify_composed_(b, q);
  if (status == DPPAIR_ERR_WORKSPACE || status == DPPAIR_ERR_NULL) return status;
  if (status != DPPAIR_OK || !dppair_isfinite_f64(b->upper)) /* what the Renyi orders say */
    return dppair_accountant_answer_(b, a, q->for_delta, q->given);
  if (!q->for_delta && dppair_accountant_is_pure_(a) && a->pure < b->upper) {
    b->upper = a->pure;
    b->route = DPPAIR_ROUTE_PURE;
    b->order = 0.0;
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return DPPAIR_OK;
}

/* Answers, `lower` being that of the steps' dominating pairs as far as compose.h knows them. */
DPPAIR_FN_ dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  dppair_accountant others;
  double rest, pure;
  dppair_status status = dppair_certify_check_(&rest, q);
  memset(b, 0, sizeof *b);
  if (status != DPPAIR_OK) return status;
  if (dppair_certify_closed_(&status, b, q, rest)) return status;
  pure = dppair_take_negligible_(&others, a);
  if (pure > 0.0 && !(q->for_delta && q->given <= pure))
    return dppair_certify_shifted_(b, q, &others, pure);
  if (a->zcdp > 0.0)
    return q->for_delta ? dppair_certify_zcdp_delta_(b, q) : dppair_certify_zcdp_epsilon_(b, q);
  return dppair_certify_tightest_(b, q);
}

/* Every question: the tightest answer, or by the route that it names. */
DPPAIR_FN_ dppair_status dppair_certify_any_(dppair_interval *b, const dppair_certify_ *q) {
  if (q->route == DPPAIR_ROUTE_BEST) return dppair_certify_answer_(b, q);
  memset(b, 0, sizeof *b);
  return dppair_certify_composed_(b, q);
}

/*
 * Memory and code for numerical composition. work: `bytes` of dppair_composer_workspace, at any
 * alignment; it stays yours, and the composer is good for as long as it is there, for one question
 * at a time. Errors leave *composer zero: NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_composer_init(dppair_composer *composer,
                                                                void *work, size_t bytes) {
  if (composer == NULL) return DPPAIR_ERR_NULL;
  memset(composer, 0, sizeof *composer);
  if (work == NULL) return DPPAIR_ERR_NULL;
  composer->work = work;
  composer->bytes = bytes;
  composer->answer = dppair_certify_any_;
  return DPPAIR_OK;
}

/* ---- src/accountant/budgets/calibrate.h -----------------------------------------------------
 * Calibration, over whatever composition the caller can evaluate
 *
 * The smallest noise and the largest count that meet a target epsilon, and the noise multiplier of
 * a plan beside what an account already holds. The safe end of the last bracket is returned, so
 * that no assumption on the caller's function but its direction matters.
 * ---------------------------------------------------------------------------------------------- */

/* Writes the epsilon (rounded up) of the caller's composition at this value of the parameter. */
typedef dppair_status (*dppair_epsilon_function)(double *epsilon, double value, void *context);

/* epsilon at `value`, with "no finite bound" reported as DBL_MAX. Any other error (a delta that
 * failures use up, a sigma) would occur at every value, and is returned. */
DPPAIR_FN_ dppair_status dppair_calibrate_try_(double *epsilon, double value,
                                               dppair_epsilon_function function, void *context) {
  dppair_status status = function(epsilon, value, context);
  if (status == DPPAIR_ERR_OVERFLOW || status == DPPAIR_ERR_NO_CONVERGENCE) {
    *epsilon = DBL_MAX;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && !(*epsilon >= 0.0)) return DPPAIR_ERR_NOT_FINITE;
  return status;
}

/* The noise that is looked for lies in (low, high], where these are known (0: not yet). */
typedef struct dppair_noise_bracket_ {
  double low, high;     /* epsilon is above the target, and at most the target */
  double e_low, e_high; /* epsilon at them; DBL_MAX and 0: not known */
  double slope;         /* of log epsilon in log noise, by the last two ends */
} dppair_noise_bracket_;

/* The range of noises that are tried, and where the first one is taken from. */
#define DPPAIR_NOISE_MOST_ 1e30
#define DPPAIR_NOISE_LEAST_ 1e-30
#define DPPAIR_NOISE_FIRST_ 1e12
/* A step goes past the expected root by this part of the tolerance, so that the bracket closes. */
#define DPPAIR_NOISE_PAST_ 0.4
/* Without a bracket, no step is longer than this factor. */
#define DPPAIR_NOISE_STRIDE_ 16.0

/* The noise to try after x, where epsilon is e, by the slope: log epsilon is nearly linear in log
 * noise. */
DPPAIR_FN_ double dppair_noise_secant_(dppair_noise_bracket_ *b, double x, double e, double target,
                                       double tolerance) {
  double next;
  if (b->low > 0.0 && b->high > 0.0 && b->e_low < DBL_MAX && b->e_high > 0.0) {
    const double fresh = dppair_log_(b->e_low / b->e_high) / dppair_log_(b->low / b->high);
    if (fresh < -1e-3) b->slope = fresh;
  }
  if (!(e > 0.0 && e < DBL_MAX)) return e > target ? 4.0 * x : 0.25 * x;
  next = x * dppair_exp_(dppair_log_(target / e) / b->slope);
  next *= e <= target ? 1.0 - DPPAIR_NOISE_PAST_ * tolerance : 1.0 + DPPAIR_NOISE_PAST_ * tolerance;
  if (next > DPPAIR_NOISE_STRIDE_ * x) next = DPPAIR_NOISE_STRIDE_ * x;
  if (next < x / DPPAIR_NOISE_STRIDE_) next = x / DPPAIR_NOISE_STRIDE_;
  return next;
}

/* Keeps the next noise inside the bracket. Where it fell outside, and at every fourth try, since
 * the secant may creep: just inside of an end that is close to it, else bisection. */
DPPAIR_FN_ double dppair_noise_inside_(const dppair_noise_bracket_ *b, double next,
                                       double tolerance, int tries) {
  if (b->low > 0.0 && b->high > 0.0) {
    if (tries % 4 != 3 && next > b->low && next < b->high) return next;
    if (next >= b->high && next < b->high * (1.0 + tolerance))
      return b->high * (1.0 - DPPAIR_NOISE_PAST_ * tolerance);
    if (next <= b->low && next > b->low * (1.0 - tolerance))
      return b->low * (1.0 + DPPAIR_NOISE_PAST_ * tolerance);
    return dppair_sqrt_(b->low) * dppair_sqrt_(b->high);
  }
  if (b->high > 0.0 && next >= b->high) return 0.5 * b->high;
  if (b->low > 0.0 && b->high <= 0.0 && next <= b->low) return 2.0 * b->low;
  return next;
}

/*
 * The smallest noise whose epsilon is at most `target`: *noise is the safe end of a bracket of
 * relative width `tolerance` (1e-9, say), *epsilon what it gives. function must decrease in the
 * noise; guess > 0 starts the search. DPPAIR_ERR_NO_CONVERGENCE when no noise up to 1e30 suffices,
 * or the bracket does not close; DPPAIR_ERR_DOMAIN when any noise down to 1e-30 does, because
 * epsilon hardly depends on it. Errors of function are returned; ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_scale(double *noise, double *epsilon,
                                                                  double target, double guess,
                                                                  double tolerance,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  dppair_noise_bracket_ b = {0.0, 0.0, DBL_MAX, 0.0, -1.0};
  double x, e;
  int i;
  if (noise == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *noise = *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target) || !dppair_isfinite_f64(guess) ||
      !dppair_isfinite_f64(tolerance))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(target > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(guess > 0.0) || !(tolerance >= 1e-14 && tolerance < 1.0)) return DPPAIR_ERR_DOMAIN;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  x = guess > DPPAIR_NOISE_FIRST_         ? DPPAIR_NOISE_FIRST_
      : guess < 1.0 / DPPAIR_NOISE_FIRST_ ? 1.0 / DPPAIR_NOISE_FIRST_
                                          : guess;
  for (i = 0; i < 300; i++) {
    const dppair_status status = dppair_calibrate_try_(&e, x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      b.high = x;
      b.e_high = e;
    } else {
      b.low = x;
      b.e_low = e;
    }
    if (b.high > 0.0 && b.high <= b.low * (1.0 + tolerance)) {
      *noise = b.high;
      *epsilon = b.e_high;
      return DPPAIR_OK;
    }
    if (x > DPPAIR_NOISE_MOST_) return DPPAIR_ERR_NO_CONVERGENCE;
    if (b.high > 0.0 && b.high < DPPAIR_NOISE_LEAST_) return DPPAIR_ERR_DOMAIN;
    x = dppair_noise_inside_(&b, dppair_noise_secant_(&b, x, e, target, tolerance), tolerance, i);
  }
  return DPPAIR_ERR_NO_CONVERGENCE;
}

/* The largest count (of steps, of batch records, ...) up to `most` whose epsilon is at most
 * `target`; 0 when even 1 is too many. function must increase in the count. The search grows
 * fourfold until a count is too large, then bisects. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_count(size_t *count, double *epsilon,
                                                                  double target, size_t most,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  size_t low = 0, high, x = 1;
  double e, e_low = 0.0;
  dppair_status status;
  if (count == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *count = 0;
  *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target)) return DPPAIR_ERR_NOT_FINITE;
  if (target < 0.0) return DPPAIR_ERR_EPSILON;
  if (most == 0 || most > SIZE_MAX / 4) return DPPAIR_ERR_SIZE;
  high = most + 1;
  while (low + 1 < high) {
    status = dppair_calibrate_try_(&e, (double)x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      low = x;
      e_low = e;
      x = high > most && 4 * x < high ? 4 * x : low + (high - low) / 2;
    } else {
      high = x;
      x = low + (high - low) / 2;
    }
    if (x <= low) x = low + 1;
  }
  *count = low;
  *epsilon = e_low;
  return DPPAIR_OK;
}

/* Less of a budget than this share of it is what rounding left: a plan that has the whole budget of
 * an account that is spent must not become one of nearly infinite noise. */
#define DPPAIR_LEFT_LEAST_ 1e-9

/*
 * *multiplier of a plan whose law is Gaussian and that draws nothing, beside an account that holds
 * plain Gaussian steps and failures only: from the exact curve, such that the account, charged with
 * the plan, answers at most plan->epsilon. Every other plan or account: NO_PROOF. EXHAUSTED: the
 * account holds that much already, to 9 digits.
 */
DPPAIR_FN_ dppair_status dppair_calibrate_gaussian_(double *multiplier, const dppair_plan *plan,
                                                    const dppair_accountant *a) {
  dppair_accountant charged;
  dppair_step step;
  double rest, mu, left, epsilon, grow = 2.0 * DBL_EPSILON;
  dppair_status status = dppair_plan_step_(&step, plan);
  int i;
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_mechanism_is_gaussian_(step.kind) || !dppair_accountant_is_gaussian_(a))
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_accountant_rest_(&rest, a, plan->delta);
  if (status == DPPAIR_OK) status = dppair_gaussian_mu(&mu, plan->epsilon, dppair_down_(rest));
  if (status != DPPAIR_OK) return status;
  left = mu * mu - a->gaussian;
  if (!(left > DPPAIR_LEFT_LEAST_ * mu * mu)) return DPPAIR_ERR_EXHAUSTED;
  step.noise_multiplier = dppair_sqrt_((double)plan->steps / left);
  for (i = 0; i < 60; i++, grow *= 2.0) {
    charged = *a;
    status = dppair_accountant_step(&charged, &step);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
    if (status == DPPAIR_OK) /* what the account will answer */
      status = dppair_gaussian_epsilon(&epsilon, dppair_down_(rest),
                                       dppair_up_(dppair_sqrt_(charged.gaussian)));
    if (status != DPPAIR_OK) return status;
    if (epsilon <= plan->epsilon) {
      *multiplier = step.noise_multiplier;
      return DPPAIR_OK;
    }
    step.noise_multiplier *= 1.0 + grow;
  }
  return DPPAIR_ERR_EXHAUSTED; /* what is left is less than a rounding error of what is spent */
}

/* The same of a plan of one perturbed objective, by its closed form. */
DPPAIR_FN_ dppair_status dppair_calibrate_objective_(double *multiplier, const dppair_plan *plan,
                                                     const dppair_accountant *a) {
  dppair_objective_budget_ b = {plan->epsilon, 0.0, 0.0,
                                plan->ridge,   0.0, plan->sampling.adjacency};
  dppair_step step;
  double rest;
  dppair_status status = dppair_plan_step_(&step, plan);
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (dppair_mechanism_is_pure_(step.kind) || step.steps != 1 || !dppair_accountant_is_gaussian_(a))
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_accountant_rest_(&rest, a, plan->delta);
  if (status != DPPAIR_OK) return status;
  if (!(rest > 0.0)) return DPPAIR_ERR_DELTA;
  step.noise_multiplier = 1.0; /* all but this is checked */
  status = dppair_step_check_(&step);
  if (status != DPPAIR_OK) return status;
  b.delta = dppair_down_(rest);
  b.before = dppair_up_(dppair_sqrt_(a->gaussian));
  return dppair_objective_find_(multiplier, &b);
}

/* In closed form, whichever there is; NO_PROOF where there is none. */
DPPAIR_FN_ dppair_status dppair_calibrate_closed_(double *multiplier, const dppair_plan *plan,
                                                  const dppair_accountant *a) {
  return dppair_mechanism_is_objective_(plan->noise)
             ? dppair_calibrate_objective_(multiplier, plan, a)
             : dppair_calibrate_gaussian_(multiplier, plan, a);
}

/* What dppair_calibrate leaves in plan->check: over the account as it stands and over all that the
 * plan asks for and gets. Never 0. A plan whose check is another one was changed, or the account
 * has moved on, or its noise multiplier is the caller's own. */
DPPAIR_FN_ uint64_t dppair_plan_check_(const dppair_plan *plan, const dppair_accountant *a) {
  dppair_ledger_entry charge;
  uint64_t check;
  memset(&charge, 0, sizeof charge);
  if (dppair_plan_step_(&charge.step, plan) != DPPAIR_OK) return 1;
  charge.sequence = a->sequence;
  charge.failure = plan->failure;
  check = dppair_ledger_check_of_(a->check, &charge);
  check = dppair_check_word_(check, 16, (uint64_t)plan->sampling.n); /* also where none is drawn */
  check = dppair_check_number_(check, 17, plan->epsilon);
  check = dppair_check_number_(check, 22, plan->output_mu);
  return dppair_check_number_(check, 18, plan->delta) | 1;
}

/* Adds to `a`, a copy of an account, what the plan costs besides its steps: its failure and its
 * output noise. */
DPPAIR_FN_ dppair_status dppair_plan_besides_(dppair_accountant *a, const dppair_plan *plan) {
  dppair_step trace;
  dppair_status status;
  if (!dppair_isfinite_f64(plan->failure)) return DPPAIR_ERR_NOT_FINITE;
  if (!(plan->failure >= 0.0 && plan->failure <= 1.0)) return DPPAIR_ERR_DELTA;
  a->failure = dppair_add_up_(a->failure, plan->failure);
  status = dppair_plan_trace_(&trace, plan);
  if (status != DPPAIR_OK || trace.kind == DPPAIR_NO_MECHANISM_) return status;
  status = dppair_step_check_(&trace);
  return status == DPPAIR_OK ? dppair_accountant_add_(a, &trace) : status;
}

/* A plan that is tried at one noise multiplier after the other. */
typedef struct dppair_plan_trial_ {
  const dppair_accountant *a;
  dppair_step step;
  double delta;
  const dppair_composer *composer;
} dppair_plan_trial_;

/* The epsilon of the account and of the plan's steps (value = 0: without them). */
DPPAIR_FN_ dppair_status dppair_plan_epsilon_(double *epsilon, double value, void *context) {
  dppair_plan_trial_ *t = (dppair_plan_trial_ *)context;
  dppair_accountant charged = *t->a;
  dppair_certify_ q = {&charged, 0, t->delta, 0, NULL, 0, 0, DPPAIR_ROUTE_BEST};
  dppair_interval b;
  dppair_status status = DPPAIR_OK;
  t->step.noise_multiplier = value;
  *epsilon = 0.0;
  if (value > 0.0) status = dppair_accountant_step(&charged, &t->step);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged,
                         value > 0.0 ? status : DPPAIR_ERR_UNREAD));
  if (status != DPPAIR_OK) return status;
  status = dppair_certify_by_(&b, &q, t->composer);
  *epsilon = b.upper;
  return status;
}

/*
 * plan->noise_multiplier: the smallest one, within 1e-9, with which the account `a` and plan->steps
 * releases of the plan stay within (plan->epsilon, plan->delta), by dppair_accountant_epsilon; from
 * the exact curve, to 13 digits, when all are plain Gaussian steps, and by a closed form, also to
 * 13 digits, when all are but one perturbed objective. The value that it had is overwritten, by 0
 * on an error; nothing is charged. delta = 0 is for laws and accounts with pure epsilons. composer:
 * NULL where dppair_accountant_epsilon needs none for the account with the plan's steps; else NULL is
 * WORKSPACE. Errors: those of the account and of the step that the plan describes (STEPS, RATE,
 * SIZE, ADJACENCY; LAW: no bound is known for this noise and this draw), EPSILON, DELTA, WORKSPACE; EXHAUSTED: what the account holds leaves
 * less than 1e-9 of the budget.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate(dppair_plan *plan,
                                                            const dppair_accountant *a,
                                                            const dppair_composer *composer) {
  dppair_plan_trial_ t;
  dppair_accountant held;
  dppair_status status;
  double multiplier, epsilon;
  if (plan == NULL) return DPPAIR_ERR_NULL;
  plan->noise_multiplier = 0.0;
  plan->check = 0;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(plan->epsilon) || !dppair_isfinite_f64(plan->delta))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(plan->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(plan->delta >= 0.0 && plan->delta < 1.0)) return DPPAIR_ERR_DELTA;
  held = *a;
  status = dppair_plan_besides_(&held, plan);
  if (status == DPPAIR_OK) status = dppair_calibrate_closed_(&multiplier, plan, &held);
  if (status == DPPAIR_ERR_NO_PROOF) {
    t.a = &held;
    t.delta = plan->delta;
    t.composer = composer;
    status = dppair_plan_step_(&t.step, plan);
    if (status == DPPAIR_OK) status = dppair_plan_epsilon_(&epsilon, 0.0, &t);
    if (status != DPPAIR_OK) return status;
    if (!(epsilon < plan->epsilon * (1.0 - DPPAIR_LEFT_LEAST_))) return DPPAIR_ERR_EXHAUSTED;
    status = dppair_calibrate_scale(&multiplier, &epsilon, plan->epsilon, 1.0, 1e-9,
                                    dppair_plan_epsilon_, &t);
  }
  if (status != DPPAIR_OK) return status;
  plan->noise_multiplier = multiplier;
  plan->check = dppair_plan_check_(plan, a);
  return DPPAIR_OK;
}

/*
 * What the account leaves of (epsilon, delta), to be divided: *left is the mu of plain Gaussian
 * steps, for delta = 0 the sum of pure epsilons, that may be charged to it in as many steps as one
 * likes, but for what its sums may round; *held is the mu that it holds (0 for delta = 0). Squares
 * of mu add up. sampling: all records, and who the neighbours are (read for delta > 0).
 *
 * Errors zero both: NULL; those of the account; NOT_FINITE, EPSILON, DELTA; NO_PROOF, it holds
 * other steps than plain Gaussian ones, for delta = 0 than pure ones; EXHAUSTED, it leaves less
 * than 1e-9 of the budget; delta > 0: those of dppair_calibrate.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_left(double *left, double *held,
                                                                  const dppair_accountant *a,
                                                                  double epsilon, double delta,
                                                                  dppair_sampling sampling) {
  const int pure = !(delta > 0.0);
  dppair_plan whole;
  dppair_status status;
  if (left != NULL) *left = 0.0;
  if (held != NULL) *held = 0.0;
  if (left == NULL || held == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (a->failure > 0.0 ||
      !(pure ? dppair_accountant_is_pure_(a) : dppair_accountant_is_gaussian_(a)))
    return DPPAIR_ERR_NO_PROOF;
  if (pure) {
    if (!(epsilon - a->pure > 1e-9 * epsilon)) return DPPAIR_ERR_EXHAUSTED;
    *left = epsilon - a->pure - 1e-12 * epsilon;
    return DPPAIR_OK;
  }
  memset(&whole, 0, sizeof whole);
  whole.epsilon = epsilon;
  whole.delta = delta;
  whole.sampling = sampling;
  whole.steps = 1;
  whole.noise = DPPAIR_GAUSSIAN;
  status = dppair_calibrate(&whole, a, NULL);
  if (status != DPPAIR_OK) return status;
  *held = dppair_sqrt_(a->gaussian);
  *left = 1.0 / (whole.noise_multiplier * whole.noise_multiplier);
  *left = dppair_sqrt_(*left - 2e-12 * (*left + a->gaussian));
  return DPPAIR_OK;
}

/* ---- src/accountant/ledger/numbers.h --------------------------------------------------------
 * Decimal numbers: doubles to text and back to the same double
 *
 * printf and strtod follow the locale and belong to stdio, which this header does not use. Values
 * are computed as hi + lo, an unevaluated sum of two doubles with about 106 bits. Relies on
 * normal.h (dppair_product_error_).
 * ---------------------------------------------------------------------------------------------- */

/* (hi + lo) * (a + b) and (hi + lo) / (a + b) with twice the working precision. */
DPPAIR_FN_ void dppair_wide_multiply_(double *hi, double *lo, double a, double b) {
  const double p = *hi * a, e = dppair_product_error_(*hi, a, p) + (*hi * b + *lo * a);
  *hi = p + e;
  *lo = e - (*hi - p);
}

DPPAIR_FN_ void dppair_wide_divide_(double *hi, double *lo, double a, double b) {
  const double q = *hi / a, p = q * a;
  const double r = (((*hi - p) - dppair_product_error_(q, a, p)) + *lo - q * b) / a;
  *hi = q + r;
  *lo = r - (*hi - q);
}

/* Multiplies by 10^exponent, |exponent| <= 600, in factors of at most 10^150: neither a factor nor
 * the splitting of a product can overflow. */
DPPAIR_FN_ void dppair_wide_scale_(double *hi, double *lo, int exponent) {
  const int up = exponent >= 0;
  int left = up ? exponent : -exponent;
  while (left > 0) {
    const int part = left < 150 ? left : 150;
    double p = 1.0, p_low = 0.0, b = 10.0, b_low = 0.0;
    int k = part;
    for (; k > 0; k >>= 1) {
      if (k & 1) dppair_wide_multiply_(&p, &p_low, b, b_low);
      if (k > 1) dppair_wide_multiply_(&b, &b_low, b, b_low);
    }
    if (up)
      dppair_wide_multiply_(hi, lo, p, p_low);
    else
      dppair_wide_divide_(hi, lo, p, p_low);
    left -= part;
  }
}

/* A line that grows. `used` also counts characters for which there was no room. */
typedef struct dppair_text_ {
  char *at;
  size_t used, room;
} dppair_text_;

DPPAIR_FN_ void dppair_text_char_(dppair_text_ *t, char c) {
  if (t->used < t->room) t->at[t->used] = c;
  t->used++;
}

DPPAIR_FN_ void dppair_text_string_(dppair_text_ *t, const char *s) {
  while (*s != '\0') dppair_text_char_(t, *s++);
}

DPPAIR_FN_ void dppair_text_size_(dppair_text_ *t, uint64_t value) {
  char digit[24];
  int k = 0;
  do {
    digit[k++] = (char)('0' + (int)(value % 10));
    value /= 10;
  } while (value > 0);
  while (k > 0) dppair_text_char_(t, digit[--k]);
}

/* Writes n bytes as hexadecimal digits in quotes. */
DPPAIR_FN_ void dppair_text_hex_(dppair_text_ *t, const uint8_t *bytes, size_t n) {
  size_t i;
  dppair_text_char_(t, '"');
  for (i = 0; i < 2 * n; i++)
    dppair_text_char_(t, "0123456789abcdef"[(bytes[i / 2] >> (i % 2 == 0 ? 4 : 0)) & 15]);
  dppair_text_char_(t, '"');
}

/* The 17 significant digits nearest to x, which lies in [1e-280, 1e280]: 17 digits identify a
 * double. Returns the power of ten of the first digit. */
DPPAIR_FN_ int dppair_digits_of_(char digit[17], double x) {
  double hi = x, lo = 0.0, whole, part;
  int exponent = (int)dppair_floor_(dppair_log10_(x)), k;
  uint64_t digits;
  dppair_wide_scale_(&hi, &lo, 16 - exponent);
  if (hi >= 99999999999999999.0) { /* log10 was rounded across a power of ten */
    exponent++;
    dppair_wide_divide_(&hi, &lo, 10.0, 0.0);
  } else if (hi < 1e16) {
    exponent--;
    dppair_wide_multiply_(&hi, &lo, 10.0, 0.0);
  }
  /* hi + lo to the nearest integer. hi exceeds 2^53, so that lo can be larger than 1. */
  whole = dppair_floor_(hi);
  part = (hi - whole) + lo;
  digits = (uint64_t)whole;
  if (part >= 0.5)
    digits += (uint64_t)dppair_floor_(part + 0.5);
  else if (part < -0.5)
    digits -= (uint64_t)dppair_floor_(0.5 - part);
  for (k = 16; k >= 0; k--) {
    digit[k] = (char)('0' + (int)(digits % 10));
    digits /= 10;
  }
  return exponent;
}

/* Writes x with 17 significant digits, without trailing zeros, such that it reads back to x:
 * 0.00123, 12.5, 1500, else 1.25e30. x is 0 or in [1e-280, 1e280]; returns 1 for anything else. */
DPPAIR_FN_ int dppair_text_double_(dppair_text_ *t, double x) {
  int exponent, k, last = 16, plain, whole;
  char digit[17];
  if (x == 0.0) {
    dppair_text_char_(t, '0');
    return 0;
  }
  if (!(x >= 1e-280 && x <= 1e280)) return 1;
  exponent = dppair_digits_of_(digit, x);
  while (last > 0 && digit[last] == '0') last--;
  if (exponent >= -4 && exponent < 0) {
    dppair_text_string_(t, "0.");
    for (k = exponent; k < -1; k++) dppair_text_char_(t, '0');
    for (k = 0; k <= last; k++) dppair_text_char_(t, digit[k]);
    return 0;
  }
  plain = exponent >= 0 && exponent <= 15;
  whole = plain ? exponent : 0; /* the last digit before the point */
  for (k = 0; k <= whole; k++) dppair_text_char_(t, k <= last ? digit[k] : '0');
  if (last > whole) dppair_text_char_(t, '.');
  for (k = whole + 1; k <= last; k++) dppair_text_char_(t, digit[k]);
  if (plain) return 0;
  dppair_text_char_(t, 'e');
  if (exponent < 0) dppair_text_char_(t, '-');
  dppair_text_size_(t, (uint64_t)(exponent < 0 ? -exponent : exponent));
  return 0;
}

/* Reads digits with at most one point between two of them; the value is digits * 10^exponent.
 * Returns the number of characters, 0 when there is no such number, when it has more than 18
 * significant digits (the ledger writes 17) or more than 400 behind the point. */
DPPAIR_FN_ size_t dppair_parse_digits_(uint64_t *digits, int *exponent, const char *s,
                                       size_t length) {
  size_t i, seen = 0;
  int point = 0, significant = 0;
  *digits = 0;
  *exponent = 0;
  for (i = 0; i < length; i++) {
    if (s[i] == '.' && !point && seen > 0) {
      point = 1;
      continue;
    }
    if (s[i] < '0' || s[i] > '9') break;
    seen++;
    if (significant > 0 || s[i] != '0') significant++;
    *exponent -= point;
    if (significant > 18 || *exponent < -400) return 0;
    *digits = *digits * 10 + (uint64_t)(s[i] - '0');
  }
  return seen == 0 || s[i - 1] == '.' ? 0 : i;
}

/* Reads what follows 'e': an optional sign and digits, |exponent| <= 400. Returns the number of
 * characters, 0 when it is not that. */
DPPAIR_FN_ size_t dppair_parse_exponent_(int *exponent, const char *s, size_t length) {
  const int negative = length > 0 && s[0] == '-';
  const size_t start = negative || (length > 0 && s[0] == '+') ? 1 : 0;
  size_t i;
  *exponent = 0;
  for (i = start; i < length && s[i] >= '0' && s[i] <= '9'; i++) {
    *exponent = *exponent * 10 + (s[i] - '0');
    if (*exponent > 400) return 0;
  }
  if (negative) *exponent = -*exponent;
  return i > start ? i : 0;
}

/* Reads a JSON number >= 0, 0 or with a last digit worth 10^-310 to 10^290, and returns how many
 * characters it has; 0 when there is no such number. */
DPPAIR_FN_ size_t dppair_parse_double_(double *x, const char *s, size_t length) {
  uint64_t digits;
  int exponent, more = 0;
  double hi, lo, sum;
  size_t used = dppair_parse_digits_(&digits, &exponent, s, length);
  *x = 0.0;
  if (used == 0) return 0;
  if (used < length && (s[used] == 'e' || s[used] == 'E')) {
    const size_t tail = dppair_parse_exponent_(&more, s + used + 1, length - used - 1);
    if (tail == 0) return 0;
    used += 1 + tail;
  }
  if (digits == 0) return used;
  exponent += more;
  if (exponent > 290 || exponent < -310) return 0;
  hi = (double)(digits >> 11) * 2048.0; /* 18 digits are 60 bits: both parts are exact */
  lo = (double)(digits & 2047);
  sum = hi + lo;
  lo -= sum - hi;
  hi = sum;
  dppair_wide_scale_(&hi, &lo, exponent);
  *x = hi + lo;
  return dppair_isfinite_f64(*x) ? used : 0;
}

/* ---- src/accountant/ledger/json.h -----------------------------------------------------------
 * JSON of a fixed shape: one walk over a value writes it, or reads it
 *
 *   static void walk(dppair_json *j, double *epsilon, size_t *n) {
 *     dppair_json_literal_(j, "{\"epsilon\": ");
 *     dppair_json_number_(j, epsilon);
 *     dppair_json_literal_(j, ", \"n\": ");
 *     dppair_json_size_(j, n, 1000000);
 *     dppair_json_literal_(j, "}");
 *   }
 *   dppair_json j = dppair_json_writer_(text, room);    then walk; dppair_json_done_(&j): it fits
 *   dppair_json j = dppair_json_reader_(text, length);  then walk; dppair_json_done_(&j): it is one
 *
 * What is read has the members that the walk has, in their order, and no others; blanks do not
 * count. So a text from anywhere is read safely: after the first character that is wrong nothing
 * moves on, and numbers are 0. Numbers are 0 or of 1e-280 to 1e280, and read back to the same bits.
 *
 * Relies on numbers.h.
 * ---------------------------------------------------------------------------------------------- */

/* A place in a text that is written (in: NULL) or read. */
typedef struct dppair_json {
  dppair_text_ out;
  const char *in, *end;
  int bad; /* what was read is not what it must be, or what was to be written has no text */
} dppair_json;

/* Writes into text[room]; out.used goes on where the room ends (room 0: text may be NULL). */
DPPAIR_FN_ dppair_json dppair_json_writer_(char *text, size_t room) {
  dppair_json j;
  memset(&j, 0, sizeof j);
  j.out.at = text;
  j.out.room = room;
  return j;
}

/* Reads text[length], which is not NULL. */
DPPAIR_FN_ dppair_json dppair_json_reader_(const char *text, size_t length) {
  dppair_json j;
  memset(&j, 0, sizeof j);
  j.in = text;
  j.end = text + length;
  return j;
}

/* Is c next in what is read, behind blanks? */
DPPAIR_FN_ int dppair_json_next_(dppair_json *j, char c) {
  while (j->in < j->end && (*j->in == ' ' || *j->in == '\n' || *j->in == '\r' || *j->in == '\t'))
    j->in++;
  return !j->bad && j->in < j->end && *j->in == c;
}

/* Was all of it written, or read to its end? */
DPPAIR_FN_ int dppair_json_done_(dppair_json *j) {
  if (j->in == NULL) return !j->bad && j->out.used <= j->out.room;
  (void)dppair_json_next_(j, ' ');
  return !j->bad && j->in == j->end;
}

/* These characters; blanks count inside of quotes only. */
DPPAIR_FN_ void dppair_json_literal_(dppair_json *j, const char *text) {
  int quoted = 0;
  if (j->in == NULL) dppair_text_string_(&j->out, text);
  for (; j->in != NULL && !j->bad && *text != '\0'; text++) {
    if (!quoted && (*text == ' ' || *text == '\n')) continue;
    if (quoted ? j->in == j->end || *j->in != *text : !dppair_json_next_(j, *text)) j->bad = 1;
    if (!j->bad) j->in++;
    quoted ^= *text == '"';
  }
}

/* A string; read: whatever it is. */
DPPAIR_FN_ void dppair_json_string_(dppair_json *j, const char *text) {
  dppair_json_literal_(j, "\"");
  for (; j->in == NULL && *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') dppair_text_char_(&j->out, '\\');
    if (c >= 0x20) {
      dppair_text_char_(&j->out, *text);
      continue;
    }
    dppair_text_string_(&j->out, "\\u00");
    dppair_text_char_(&j->out, "0123456789abcdef"[c >> 4]);
    dppair_text_char_(&j->out, "0123456789abcdef"[c & 15]);
  }
  while (j->in != NULL && !j->bad && j->in < j->end && *j->in != '"') {
    if ((unsigned char)*j->in < 0x20 || (*j->in == '\\' && ++j->in == j->end))
      j->bad = 1;
    else
      j->in++;
  }
  dppair_json_literal_(j, "\"");
}

/* Has x a text that reads back to it? -0 reads as 0. */
DPPAIR_FN_ int dppair_json_holds_(double x) {
  return dppair_isfinite_f64(x) && !(dppair_fabs_(x) > 1e280) &&
         (!(dppair_fabs_(x) > 0.0) || dppair_fabs_(x) >= 1e-280);
}

/* A number that dppair_json_holds_. */
DPPAIR_FN_ void dppair_json_number_(dppair_json *j, double *x) {
  const int negative = j->in == NULL ? *x < 0.0 : dppair_json_next_(j, '-');
  size_t used;
  if (negative) dppair_json_literal_(j, "-");
  if (j->in == NULL) {
    if (!dppair_json_holds_(*x) || dppair_text_double_(&j->out, dppair_fabs_(*x)) != 0) j->bad = 1;
    return;
  }
  if (!negative) (void)dppair_json_next_(j, ' ');
  used = j->bad ? 0 : dppair_parse_double_(x, j->in, (size_t)(j->end - j->in));
  if (used == 0 || !dppair_json_holds_(*x)) j->bad = 1;
  if (j->bad) *x = 0.0;
  if (negative && *x > 0.0) *x = -*x;
  if (!j->bad) j->in += used;
}

/* A whole number from 0 to most <= 2^53. */
DPPAIR_FN_ void dppair_json_size_(dppair_json *j, size_t *value, size_t most) {
  double x = (double)*value;
  dppair_json_number_(j, &x);
  if (!(x >= 0.0 && x <= (double)most) || dppair_floor_(x) < x) j->bad = 1;
  *value = j->bad ? 0 : (size_t)x;
}

/* Numbers in brackets: v[*n]; read: at most `room`, *n becomes how many. */
DPPAIR_FN_ void dppair_json_numbers_(dppair_json *j, double *v, size_t *n, size_t room) {
  const size_t most = j->in == NULL ? *n : room;
  size_t k;
  dppair_json_literal_(j, "[");
  for (k = 0; k < most && (j->in == NULL || !dppair_json_next_(j, ']')); k++) {
    if (k > 0) dppair_json_literal_(j, ", ");
    dppair_json_number_(j, &v[k]);
  }
  dppair_json_literal_(j, "]");
  *n = j->bad ? 0 : k;
}

/* ---- src/accountant/ledger/ledger.h ---------------------------------------------------------
 * The text of a ledger
 *
 * A ledger has one line of JSON for each charge of an account:
 *
 *   {"dppair":2,"sequence":1,"run":"00112233445566778899aabbccddeeff",
 *    "mechanism":"sampled-gaussian","adjacency":"replace-one","sampling":"poisson","n":1000,"m":50,
 *    "noise_multiplier":2.5,"steps":100,"failure":0,"sensitivity":"varies","sigma":"varies",
 *    "check":"0123456789abcdef"}                                            (on one line)
 *
 *   sequence    the number of the charge in its account, from 1
 *   run         128 random bits of the program that drew the noise's keys; left out where none are
 *               recorded (dppair_ledger_step without a release)
 *   adjacency   "none" where nobody stated it
 *   sampling .. ridge       what the mechanism reads, each left out where it is 0 (the group of a
 *               matching: where it is 2)
 *   sensitivity, sigma      what noise_multiplier is the quotient of, for mechanisms where it is
 *               one; "varies" where they vary from step to step or are not known
 *   check       of the account once the line is charged: dppair_ledger_check_of_
 *
 * One table says which keys there are and where their values belong; writer and reader follow it.
 * A line is what the writer writes, byte for byte, and nothing else: spaces, another order, another
 * spelling of a number, an unknown, repeated, missing or unread key are refused. Numbers carry 17
 * significant digits and read back to the same double. Lines of version 1 are refused: they have
 * neither number nor check, so that a lost line would not show.
 *
 * Relies on ledger_entry.h, numbers.h and mechanisms/.
 * ---------------------------------------------------------------------------------------------- */

/* What follows a key. */
typedef enum dppair_ledger_type_ {
  DPPAIR_LEDGER_VERSION_, /* 2 */
  DPPAIR_LEDGER_MECHANISM_,
  DPPAIR_LEDGER_ADJACENCY_,
  DPPAIR_LEDGER_SAMPLING_,
  DPPAIR_LEDGER_NUMBER_, /* a double */
  DPPAIR_LEDGER_SCALE_,  /* a double; 0: "varies"; only where the multiplier is a quotient */
  DPPAIR_LEDGER_COUNT_,  /* a size_t of at most 2^53 */
  DPPAIR_LEDGER_GROUP_,  /* the same; left out where it is dppair_ledger_group_'s 0 */
  DPPAIR_LEDGER_LONG_,   /* a uint64_t of at most 2^53 */
  DPPAIR_LEDGER_RUN_,    /* 16 bytes, in hexadecimal digits */
  DPPAIR_LEDGER_CHECK_   /* a uint64_t, in hexadecimal digits */
} dppair_ledger_type_;

typedef struct dppair_ledger_field_ {
  const char *key;
  dppair_ledger_type_ type;
  size_t offset; /* of the value in dppair_ledger_entry */
  int optional;  /* left out where it is 0 */
} dppair_ledger_field_;

enum { DPPAIR_LEDGER_FIELDS_ = 20 };

/* The i-th field of a line. */
DPPAIR_FN_ const dppair_ledger_field_ *dppair_ledger_field_of_(size_t i) {
#define DPPAIR_X_(key, type, member, optional)                                                     \
  { key, type, offsetof(dppair_ledger_entry, member), optional }
  static const dppair_ledger_field_ field[DPPAIR_LEDGER_FIELDS_] = {
      {"dppair", DPPAIR_LEDGER_VERSION_, 0, 0},
      DPPAIR_X_("sequence", DPPAIR_LEDGER_LONG_, sequence, 0),
      DPPAIR_X_("run", DPPAIR_LEDGER_RUN_, nonce, 1),
      {"mechanism", DPPAIR_LEDGER_MECHANISM_, 0, 0},
      {"adjacency", DPPAIR_LEDGER_ADJACENCY_, 0, 0},
      {"sampling", DPPAIR_LEDGER_SAMPLING_, 0, 1},
      DPPAIR_X_("q", DPPAIR_LEDGER_NUMBER_, step.sampling.q, 1),
      DPPAIR_X_("n", DPPAIR_LEDGER_COUNT_, step.sampling.n, 1),
      DPPAIR_X_("m", DPPAIR_LEDGER_COUNT_, step.sampling.m, 1),
      DPPAIR_X_("batches", DPPAIR_LEDGER_COUNT_, step.sampling.batches, 1),
      DPPAIR_X_("group", DPPAIR_LEDGER_GROUP_, step.sampling.group, 1),
      DPPAIR_X_("owned", DPPAIR_LEDGER_COUNT_, step.sampling.owned, 1),
      DPPAIR_X_("pair_rate", DPPAIR_LEDGER_NUMBER_, step.pair_rate, 1),
      DPPAIR_X_("ridge", DPPAIR_LEDGER_NUMBER_, step.ridge, 1),
      DPPAIR_X_("noise_multiplier", DPPAIR_LEDGER_NUMBER_, step.noise_multiplier, 0),
      DPPAIR_X_("steps", DPPAIR_LEDGER_COUNT_, step.steps, 0),
      DPPAIR_X_("failure", DPPAIR_LEDGER_NUMBER_, failure, 0),
      DPPAIR_X_("sensitivity", DPPAIR_LEDGER_SCALE_, sensitivity, 0),
      DPPAIR_X_("sigma", DPPAIR_LEDGER_SCALE_, sigma, 0),
      DPPAIR_X_("check", DPPAIR_LEDGER_CHECK_, check, 0)};
#undef DPPAIR_X_
  return &field[i];
}

/* Is the multiplier of the entry's step its sigma/sensitivity, or is neither of the two recorded?
 * The tolerance is the rounding of the quotient, or of sigma = multiplier * sensitivity; what is
 * charged is rounded up by more. */
DPPAIR_FN_ dppair_status dppair_ledger_scale_check_(const dppair_ledger_entry *entry) {
  const double z = entry->step.noise_multiplier;
  double quotient;
  if (entry->sensitivity == 0.0 && entry->sigma == 0.0) return DPPAIR_OK;
  if (!dppair_mechanism_scales_(entry->step.kind)) return DPPAIR_ERR_UNREAD;
  if (!(entry->sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  quotient = entry->sigma / entry->sensitivity;
  return z <= quotient * (1.0 + DBL_EPSILON) && z >= quotient * (1.0 - 4.0 * DBL_EPSILON)
             ? DPPAIR_OK
             : DPPAIR_ERR_SIGMA;
}

/* May this entry be written, charged, or have been read? Sequence and check are not looked at. */
DPPAIR_FN_ dppair_status dppair_ledger_check_(const dppair_ledger_entry *entry) {
  const dppair_step *s = &entry->step;
  const uint64_t most = UINT64_C(1) << 53;
  const dppair_status status = dppair_step_check_(s);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(entry->sensitivity) || !dppair_isfinite_f64(entry->sigma) ||
      !dppair_isfinite_f64(entry->failure))
    return DPPAIR_ERR_NOT_FINITE;
  if (entry->failure < 0.0 || entry->failure > 1.0) return DPPAIR_ERR_DOMAIN;
  if ((uint64_t)s->steps > most || (uint64_t)s->sampling.n > most ||
      (uint64_t)s->sampling.m > most || (uint64_t)s->sampling.batches > most ||
      (uint64_t)s->sampling.group > most || (uint64_t)s->sampling.owned > most)
    return DPPAIR_ERR_OVERFLOW;
  return dppair_ledger_scale_check_(entry);
}

DPPAIR_FN_ int dppair_ledger_has_run_(const dppair_ledger_entry *entry) {
  uint8_t any = 0;
  size_t i;
  for (i = 0; i < sizeof entry->nonce; i++) any |= entry->nonce[i];
  return any != 0;
}

/* Has the entry's line this field? */
DPPAIR_FN_ int dppair_ledger_has_(const dppair_ledger_entry *entry,
                                  const dppair_ledger_field_ *field) {
  const char *at = (const char *)entry + field->offset;
  double number;
  size_t count;
  if (field->type == DPPAIR_LEDGER_SCALE_) return dppair_mechanism_scales_(entry->step.kind);
  if (!field->optional) return 1;
  if (field->type == DPPAIR_LEDGER_RUN_) return dppair_ledger_has_run_(entry);
  if (field->type == DPPAIR_LEDGER_SAMPLING_) return entry->step.sampling.kind != DPPAIR_ALL;
  if (field->type == DPPAIR_LEDGER_GROUP_) return dppair_ledger_group_(&entry->step.sampling) != 0;
  if (field->type == DPPAIR_LEDGER_COUNT_) {
    memcpy(&count, at, sizeof count);
    return count != 0;
  }
  memcpy(&number, at, sizeof number);
  return number > 0.0 || number < 0.0;
}

DPPAIR_FN_ void dppair_ledger_write_word_(dppair_text_ *t, const char *word) {
  dppair_text_char_(t, '"');
  dppair_text_string_(t, word);
  dppair_text_char_(t, '"');
}

/* Writes the value of a field; returns 1 for a number that has no such text. */
DPPAIR_FN_ int dppair_ledger_write_value_(dppair_text_ *t, const dppair_ledger_entry *entry,
                                          const dppair_ledger_field_ *field) {
  const char *at = (const char *)entry + field->offset;
  uint8_t bytes[16];
  double number;
  size_t count;
  uint64_t value = 2;
  switch (field->type) {
  case DPPAIR_LEDGER_MECHANISM_:
    dppair_ledger_write_word_(t, dppair_mechanism_name(entry->step.kind));
    return 0;
  case DPPAIR_LEDGER_ADJACENCY_:
    dppair_ledger_write_word_(t, dppair_adjacency_name(entry->step.sampling.adjacency));
    return 0;
  case DPPAIR_LEDGER_SAMPLING_:
    dppair_ledger_write_word_(t, dppair_sampling_name(entry->step.sampling.kind));
    return 0;
  case DPPAIR_LEDGER_SCALE_:
  case DPPAIR_LEDGER_NUMBER_:
    memcpy(&number, at, sizeof number);
    if (field->type == DPPAIR_LEDGER_NUMBER_ || number > 0.0) return dppair_text_double_(t, number);
    dppair_ledger_write_word_(t, "varies");
    return 0;
  case DPPAIR_LEDGER_RUN_:
    dppair_text_hex_(t, (const uint8_t *)at, 16);
    return 0;
  case DPPAIR_LEDGER_CHECK_:
    memcpy(&value, at, sizeof value);
    for (count = 0; count < 8; count++) bytes[count] = (uint8_t)(value >> (56 - 8 * count));
    dppair_text_hex_(t, bytes, 8);
    return 0;
  case DPPAIR_LEDGER_COUNT_:
  case DPPAIR_LEDGER_GROUP_:
    memcpy(&count, at, sizeof count);
    dppair_text_size_(t, (uint64_t)count);
    return 0;
  case DPPAIR_LEDGER_LONG_:
    memcpy(&value, at, sizeof value);
    break;
  case DPPAIR_LEDGER_VERSION_:
    break;
  }
  dppair_text_size_(t, value);
  return 0;
}

/*
 * Writes the entry's line, without newline and terminator, and its length; DPPAIR_LEDGER_LINE
 * characters always suffice. dppair_ledger_step numbers and chains entries; this writes what it is
 * given. Errors: NULL, ENVIRONMENT, WORKSPACE (capacity), those of the step, and DOMAIN for a
 * sequence that is not in [1, 2^53] or a number that is neither 0 nor in [1e-280, 1e280]. Then the
 * length is 0 and line[0] a terminator.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_write(char *line, size_t capacity,
                                                               size_t *length,
                                                               const dppair_ledger_entry *entry) {
  dppair_text_ t;
  dppair_status status;
  size_t i;
  int bad = 0;
  if (line == NULL || length == NULL) return DPPAIR_ERR_NULL;
  *length = 0;
  if (capacity > 0) line[0] = '\0';
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return status;
  if (entry->sequence < 1 || entry->sequence > UINT64_C(1) << 53) return DPPAIR_ERR_DOMAIN;
  t.at = line;
  t.used = 0;
  t.room = capacity;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
    if (!dppair_ledger_has_(entry, field)) continue;
    dppair_text_string_(&t, i == 0 ? "{\"" : ",\"");
    dppair_text_string_(&t, field->key);
    dppair_text_string_(&t, "\":");
    bad |= dppair_ledger_write_value_(&t, entry, field);
  }
  dppair_text_char_(&t, '}');
  if (bad || t.used > capacity) {
    if (capacity > 0) line[0] = '\0';
    return bad ? DPPAIR_ERR_DOMAIN : DPPAIR_ERR_WORKSPACE;
  }
  *length = t.used;
  return DPPAIR_OK;
}

/* The part of a line that has not been read yet. */
typedef struct dppair_scan_ {
  const char *at, *end;
} dppair_scan_;

/* Takes this text if it is next: 1. */
DPPAIR_FN_ int dppair_scan_text_(dppair_scan_ *s, const char *text) {
  const size_t length = strlen(text);
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0) return 0;
  s->at += length;
  return 1;
}

/* Takes this word in quotes if it is next: 1. */
DPPAIR_FN_ int dppair_scan_word_(dppair_scan_ *s, const char *word) {
  dppair_scan_ rest = *s;
  if (!dppair_scan_text_(&rest, "\"") || !dppair_scan_text_(&rest, word) ||
      !dppair_scan_text_(&rest, "\""))
    return 0;
  *s = rest;
  return 1;
}

/* Takes 2 n hexadecimal digits in quotes: 1. */
DPPAIR_FN_ int dppair_scan_hex_(uint8_t *bytes, size_t n, dppair_scan_ *s) {
  size_t i;
  if (!dppair_scan_text_(s, "\"") || (size_t)(s->end - s->at) < 2 * n) return 0;
  for (i = 0; i < 2 * n; i++) {
    const char c = *s->at++;
    const int digit = c >= '0' && c <= '9' ? c - '0' : (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
    if (digit < 0) return 0;
    bytes[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : bytes[i / 2] | digit);
  }
  return dppair_scan_text_(s, "\"");
}

/* Takes a number of at most 2^53 in digits: 1. */
DPPAIR_FN_ int dppair_scan_count_(uint64_t *value, dppair_scan_ *s) {
  int exponent;
  const size_t used = dppair_parse_digits_(value, &exponent, s->at, (size_t)(s->end - s->at));
  s->at += used;
  return used > 0 && exponent == 0 && *value <= UINT64_C(1) << 53;
}

/* Takes a name of this type and stores what it names: 1. A mechanism must not be "none". */
DPPAIR_FN_ int dppair_ledger_read_name_(dppair_ledger_entry *e, dppair_ledger_type_ type,
                                        dppair_scan_ *s) {
  int j;
  if (type == DPPAIR_LEDGER_MECHANISM_)
    for (j = 1; j < DPPAIR_MECHANISM_COUNT_; j++) {
      e->step.kind = (dppair_mechanism_kind)j;
      if (dppair_scan_word_(s, dppair_mechanism_name(e->step.kind))) return 1;
    }
  if (type == DPPAIR_LEDGER_ADJACENCY_)
    for (j = 0; j <= DPPAIR_ADJACENCY_MOST_; j++) {
      e->step.sampling.adjacency = (dppair_adjacency)j;
      if (j > 0 && dppair_adjacency_check_(e->step.sampling.adjacency) != DPPAIR_OK) continue;
      if (dppair_scan_word_(s, dppair_adjacency_name(e->step.sampling.adjacency))) return 1;
    }
  if (type == DPPAIR_LEDGER_SAMPLING_)
    for (j = 0; j < DPPAIR_SAMPLING_COUNT_; j++) {
      e->step.sampling.kind = (dppair_sampling_kind)j;
      if (dppair_scan_word_(s, dppair_sampling_name(e->step.sampling.kind))) return 1;
    }
  return 0;
}

/* Takes the value of a field and stores it: 1. */
DPPAIR_FN_ int dppair_ledger_read_value_(dppair_ledger_entry *e, const dppair_ledger_field_ *field,
                                         dppair_scan_ *s) {
  char *to = (char *)e + field->offset;
  uint8_t bytes[16];
  double number;
  uint64_t value = 0;
  size_t used;
  switch (field->type) {
  case DPPAIR_LEDGER_VERSION_:
    return dppair_scan_text_(s, "2");
  case DPPAIR_LEDGER_SCALE_:
  case DPPAIR_LEDGER_NUMBER_:
    if (field->type == DPPAIR_LEDGER_SCALE_ && dppair_scan_word_(s, "varies")) return 1;
    used = dppair_parse_double_(&number, s->at, (size_t)(s->end - s->at));
    s->at += used;
    memcpy(to, &number, sizeof number);
    return used > 0;
  case DPPAIR_LEDGER_COUNT_:
  case DPPAIR_LEDGER_GROUP_:
    if (!dppair_scan_count_(&value, s) || value > SIZE_MAX) return 0;
    used = (size_t)value;
    memcpy(to, &used, sizeof used);
    return 1;
  case DPPAIR_LEDGER_LONG_:
    if (!dppair_scan_count_(&value, s)) return 0;
    memcpy(to, &value, sizeof value);
    return 1;
  case DPPAIR_LEDGER_RUN_:
    return dppair_scan_hex_((uint8_t *)to, 16, s);
  case DPPAIR_LEDGER_CHECK_:
    if (!dppair_scan_hex_(bytes, 8, s)) return 0;
    for (used = 0; used < 8; used++) value = value << 8 | bytes[used];
    memcpy(to, &value, sizeof value);
    return 1;
  case DPPAIR_LEDGER_MECHANISM_:
  case DPPAIR_LEDGER_ADJACENCY_:
  case DPPAIR_LEDGER_SAMPLING_:
    break;
  }
  return dppair_ledger_read_name_(e, field->type, s);
}

/* Takes a whole line: 1. */
DPPAIR_FN_ int dppair_ledger_read_fields_(dppair_ledger_entry *e, dppair_scan_ *s) {
  size_t i;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
    dppair_scan_ rest = *s;
    if (field->type == DPPAIR_LEDGER_SCALE_ && !dppair_ledger_has_(e, field)) continue;
    if (!dppair_scan_text_(&rest, i == 0 ? "{" : ",") || !dppair_scan_word_(&rest, field->key) ||
        !dppair_scan_text_(&rest, ":")) {
      if (field->optional) continue;
      return 0;
    }
    *s = rest;
    if (!dppair_ledger_read_value_(e, field, s)) return 0;
  }
  return dppair_scan_text_(s, "}") && s->at == s->end;
}

/*
 * Reads one line back, with its newline or without. Its check is read, not compared: that is
 * dppair_ledger_replay. DPPAIR_ERR_FORMAT: the line is not one of this version to the last
 * character, or a count exceeds this machine's size_t; other errors are those of the step. *entry
 * is zeroed on any error.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_read(dppair_ledger_entry *entry,
                                                              const char *line, size_t length) {
  char written[DPPAIR_LEDGER_LINE];
  dppair_ledger_entry e;
  dppair_scan_ s;
  dppair_status status;
  size_t used;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  memset(entry, 0, sizeof *entry);
  memset(&e, 0, sizeof e);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (line == NULL) return DPPAIR_ERR_NULL;
  if (length > 0 && line[length - 1] == '\n') length--;
  if (length > 0 && line[length - 1] == '\r') length--;
  s.at = line;
  s.end = line + length;
  if (!dppair_ledger_read_fields_(&e, &s)) return DPPAIR_ERR_FORMAT;
  status = dppair_ledger_check_(&e);
  if (status != DPPAIR_OK) return status;
  status = dppair_ledger_write(written, sizeof written, &used, &e);
  if (status != DPPAIR_OK || used != length || memcmp(written, line, length) != 0)
    return DPPAIR_ERR_FORMAT;
  *entry = e;
  return DPPAIR_OK;
}

/* ---- src/accountant/ledger/ledger_replay.h --------------------------------------------------
 * The ledger: every charge is on record before its release, and gives the same account again
 *
 * A program that starts again empties an account, replays its ledger into it, and goes on. Relies
 * on ledger.h and charges.h.
 * ---------------------------------------------------------------------------------------------- */

/* Charges an entry, and with it states its neighbours, if it names any, for the account. */
DPPAIR_FN_ dppair_status dppair_ledger_charge_(dppair_accountant *a,
                                               const dppair_ledger_entry *entry) {
  const dppair_adjacency adjacency = entry->step.sampling.adjacency;
  dppair_status status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  if (adjacency != 0) status = dppair_accountant_relate_(a, adjacency, 1);
  return status == DPPAIR_OK ? dppair_accountant_charge_(a, entry) : status;
}

/*
 * Call this BEFORE a release: it hands the entry's line to the sink and then charges the account.
 * What is charged is what the line reads back to. It is stored only when that will be accepted, and
 * the sink must return only once a crash would not lose it: then a crash between the two costs what
 * is on record, and nothing was released. The entry's sequence and check are not read; neighbours
 * that it does not name are those of the account, if these were stated, and what it does name is
 * stated for the account.
 *
 * On any error the account is broken and the release must not happen. Errors: that of the sink,
 * ADJACENCY, else those of dppair_ledger_write and of the step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_step(dppair_accountant *a,
                                                              const dppair_ledger_entry *entry,
                                                              dppair_ledger_sink sink,
                                                              void *context) {
  char line[DPPAIR_LEDGER_LINE];
  size_t length;
  dppair_accountant charged;
  dppair_ledger_entry next;
  dppair_adjacency *adjacency = &next.step.sampling.adjacency;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (entry == NULL || sink == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  charged = *a;
  next = *entry;
  *adjacency = dppair_accountant_adjacency_(a, *adjacency);
  status = dppair_ledger_charge_(&charged, &next);
  (void)DPPAIR_AUDITED_(
      (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
  next.sequence = charged.sequence;
  next.check = charged.check;
  if (status == DPPAIR_OK) status = dppair_ledger_write(line, sizeof line, &length, &next);
  if (status == DPPAIR_OK) status = dppair_ledger_read(&next, line, length);
  if (status == DPPAIR_OK) status = sink(line, length, context);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  return dppair_ledger_charge_(a, &next);
}

/* For dppair_plan.ledger: the plan's line goes to this sink, by dppair_ledger_step, before the plan
 * is charged. A NULL sink is refused when the plan is opened. */
DPPAIR_API dppair_ledger dppair_ledger_to(dppair_ledger_sink sink, void *context) {
  dppair_ledger ledger;
  ledger.step = dppair_ledger_step;
  ledger.sink = sink;
  ledger.context = context;
  return ledger;
}

/* Is this entry, with its number, run and check, one of the DPPAIR_RECENT_CHARGES - 1 latest
 * charges of the account? Otherwise NO_PROOF. */
DPPAIR_FN_ dppair_status dppair_ledger_counted_(const dppair_accountant *a,
                                                const dppair_ledger_entry *entry) {
  const uint64_t *recent = a->recent, k = entry->sequence;
  if (k == 0 || k > a->sequence || a->sequence - k >= DPPAIR_RECENT_CHARGES - 1)
    return DPPAIR_ERR_NO_PROOF;
  return entry->check == recent[k % DPPAIR_RECENT_CHARGES] &&
                 entry->check ==
                     dppair_ledger_check_of_(recent[(k - 1) % DPPAIR_RECENT_CHARGES], entry)
             ? DPPAIR_OK
             : DPPAIR_ERR_NO_PROOF;
}

/* A walk over the lines of a text. */
typedef struct dppair_lines_ {
  const char *text;
  size_t length, next; /* of the text; where the next line starts */
  size_t start, end;   /* the line is text[start, end), without its newline */
  size_t number;       /* of the line, from 1 */
} dppair_lines_;

/* Goes to the next line that is not empty: 1. */
DPPAIR_FN_ int dppair_lines_next_(dppair_lines_ *l) {
  while (l->next < l->length) {
    l->number++;
    l->start = l->end = l->next;
    while (l->end < l->length && l->text[l->end] != '\n') l->end++;
    l->next = l->end + 1;
    if (l->end > l->start && l->text[l->end - 1] == '\r') l->end--;
    if (l->end > l->start) return 1;
  }
  return 0;
}

/* A line whose number was charged before: OK if it is the same line of the same run. `seen` walks
 * over the lines before it, from where it last stood. */
DPPAIR_FN_ dppair_status dppair_ledger_again_(const dppair_accountant *a,
                                              const dppair_ledger_entry *entry,
                                              const dppair_lines_ *now, dppair_lines_ *seen) {
  const size_t length = now->end - now->start;
  int round;
  if (!dppair_ledger_has_run_(entry)) return DPPAIR_ERR_RUNS;
  if (dppair_ledger_counted_(a, entry) == DPPAIR_OK) return DPPAIR_OK;
  for (round = 0; round < 2; round++) {
    while (dppair_lines_next_(seen) && seen->start < now->start) {
      dppair_ledger_entry old;
      const char *line = seen->text + seen->start;
      if (dppair_ledger_read(&old, line, seen->end - seen->start) != DPPAIR_OK ||
          old.sequence != entry->sequence)
        continue;
      if (seen->end - seen->start == length && memcmp(line, now->text + now->start, length) == 0)
        return DPPAIR_OK;
      return memcmp(old.nonce, entry->nonce, sizeof old.nonce) == 0 ? DPPAIR_ERR_LEDGER
                                                                : DPPAIR_ERR_RUNS;
    }
    seen->next = 0;
  }
  return DPPAIR_ERR_RUNS;
}

/*
 * Reads a ledger, lines separated by newlines, into the account, which has charged none of it, or
 * its first lines. Empty lines are skipped. The account then is the one that wrote the ledger, to
 * the last bit, with neighbours stated if a line names them. On an error *bad_line is the number of
 * the line, from 1, and the account is broken:
 *
 *   FORMAT      no line of this version, to the last character (dppair_ledger_read). A last line
 *               that was cut off may be removed: its sink had not returned, nothing was released.
 *   LEDGER      a line before it is missing, or it or one before it was changed, or the ledger is
 *               of another account (a merged one, one that was charged without a ledger).
 *   RUNS        its number was charged before. A program was started again without replaying its
 *               ledger, and both lines were spent. The same line of the same run is no error and
 *               counts once: its noise is the same. Without a run, the same line twice is two. So
 *               is one that an earlier call read, more than DPPAIR_RECENT_CHARGES - 2 charges ago.
 *   ADJACENCY   it names other neighbours than the account, or none where others do.
 *   others      those of the step.
 *
 * To add up several ledgers, replay each into an account of its own (dppair_accountant_merge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_replay(dppair_accountant *a,
                                                                size_t *bad_line, const char *text,
                                                                size_t length) {
  dppair_lines_ now, seen;
  dppair_status status;
  if (bad_line != NULL) *bad_line = 0;
  status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (bad_line == NULL || text == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  memset(&now, 0, sizeof now);
  now.text = text;
  now.length = length;
  seen = now;
  while (dppair_lines_next_(&now)) {
    dppair_ledger_entry entry;
    status = dppair_ledger_read(&entry, text + now.start, now.end - now.start);
    if (status == DPPAIR_OK) {
      if (entry.sequence <= a->sequence)
        status = dppair_ledger_again_(a, &entry, &now, &seen);
      else if (entry.sequence > a->sequence + 1 ||
               entry.check != dppair_ledger_check_of_(a->check, &entry))
        status = DPPAIR_ERR_LEDGER;
      else if (entry.step.sampling.adjacency == 0 && a->stated > 0)
        status = DPPAIR_ERR_ADJACENCY;
      else
        status = dppair_ledger_charge_(a, &entry);
    }
    if (status != DPPAIR_OK) {
      *bad_line = now.number;
      return dppair_accountant_break_(a, status);
    }
  }
  return DPPAIR_OK;
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

#define DPPAIR_HAS_ACCOUNTANT_ /* with the noise there too, in either order: the releases */
#ifdef DPPAIR_H
#define DPPAIR_CORE_ONLY_
#include DPPAIR_SELF
#undef DPPAIR_CORE_ONLY_
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

#endif /* DPPAIR_ACCOUNTANT_H */
#endif /* DPPAIR_DECLARE_ONLY */
