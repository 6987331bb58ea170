/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_losses.h - pairwise losses phi, and what they cost in privacy (version 0.1.0)
 *
 * A loss named L is three macros in the vocabulary of dppair.h,
 *
 *     L_VALUE(u, p)   L_SLOPE(u, p)   L_CURVATURE(u, p)
 *
 * where u is a DPV_T of margins and p points to the loss's own parameters (double for every element
 * type, which DPV_SET rounds to; in the order of the table below; NULL if it has none), and a word
 * L_KIND on how its sums are found. Gradients read no CURVATURE (NAME_curvature does, where a word
 * L_CURVE allows it: see modules/influence/curvature_state.h), so a loss of one's own is a few
 * lines, in any file, for every tier:
 *
 *     #define cauchy_KIND dppair_pairs      summed pair by pair; others: see L_KIND in dppair.h
 *     #define cauchy_VALUE(u, p) DPV_LOG1P(DPV_MUL(u, u))
 *     #define cauchy_SLOPE(u, p) DPV_DIV(DPV_ADD(u, u), DPV_FMA(u, u, DPV_SET(1)))
 *     #define DPPAIR_NAME robust
 *     #define DPPAIR_REAL double
 *     #define DPPAIR_LOSS cauchy
 *     #include "dppair.h"
 *
 * What a loss on a public domain costs in privacy, and how long a step may be:
 *
 *     dppair_constants k;
 *     const dppair_bounds b = {1.0, 5.0, 0.0, 0.0, 0.0};    |x| <= 1, |w| <= 5; no Y, b, clip here
 *     const dppair_loss_facts phi = DPPAIR_FACTS(dppair_logistic);
 *     if (dppair_constants_find(&k, DPPAIR_MARGIN_ind, &phi, NULL, &b) != DPPAIR_OK) return 1;
 *     sensitivity = k.replace_one / n;      of the gradient's mean over the n(n-1) ordered pairs
 *     eta = 2.0 / k.smoothness;             the longest step of a convex, smooth loss
 *
 * FIRST TO KNOW
 *   DPPAIR_FACTS(L)            what the proofs need of a loss
 *   dppair_constants_find      its Lipschitz constant, smoothness and sensitivities on a domain
 *   dppair_loss_find           a loss by name, at run time; dppair_loss_eval its values
 *
 * After this header every instance has its own sensitivity, for its sampling and norm of w, with
 * all rounding:
 *
 *     rank_sensitivity(&s, d, &b, &sampling, &options)      rank_form_sensitivity, of metrics
 *
 * The range of a loss of one's own, for constants and a sensitivity without a clip, is a function:
 *
 *     #define cauchy_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)      see L_RANGE below
 *
 * At a kink the slope is the subgradient of smaller magnitude and the curvature is that of either
 * side. VALUE(NaN) is NaN; SLOPE(NaN) is NaN or a number within the bound of the loss's slopes.
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
 * Below: chapters and their functions; each loss has a chapter of its own.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *    145  core/freestanding.h                Without a C library: names for the time of one include
 *    194  core/core.h                        The core: what each of the four headers begins with
 *    219  core/compiler.h                    Compiler: attributes, knobs, strict arithmetic
 *    425  core/memory.h                      Without a C library: memory and strings
 *    559  core/bits.h                        The bits of a number as an integer, and back
 *    583  core/math.h                        Elementary functions
 *    623  core/math_exact.h                  Without a C library
 *    751  core/math_exp.h                    Exponential functions in double, with proved errors
 *    906  core/math_log.h                    Logarithms in double, with proved errors
 *   1023  core/math_circle.h                 Circular functions in double, with proved errors
 *   1296  core/math_more.h                   Powers
 *   1413  core/status.h                      Status
 *           dppair_status_string
 *   1548  core/checks.h                      Checks of numbers and sizes
 *           dppair_isfinite_f64 dppair_isfinite_f32 dppair_all_finite_f64 dppair_all_finite_f32
 *   1638  core/workspace.h                   Workspace of the caller: laid out in arrays
 *   1704  core/words.h                       Integers of 128 bits
 *           dppair_words_add
 *   1755  core/processor.h                   Processor: the tiers of this build and machine
 *           dppair_tier dppair_isa_name
 *   1900  core/dispatch.h                    Dispatch: calls on the tier of this machine
 *   1959  core/environment.h                 Floating-point environment: the check of rounding
 *           dppair_environment_check
 *   2071  core/sampling.h                    Sampling
 *           dppair_sampling_name dppair_adjacency_name dppair_sampling_all dppair_sampling_poisson
 *           dppair_sampling_without_replacement dppair_sampling_with_replacement
 *           dppair_sampling_groups dppair_sampling_matching dppair_normaliser
 *   2471  core/batch.h                       A batch: the records of one draw
 *           dppair_batch_make
 *   2495  core/sort.h                        Sorting doubles
 *           dppair_sort_f64
 *   2596  core/audit.h                       Audit
 *   2667  simd/once.h                        The vocabulary
 *   2672  simd/vocabulary_names.h            Names of the vocabulary DPV_*, in lower case
 *   2724  simd/vocabulary.h                  The vocabulary DPV_*
 *   2790  simd/fused.h                       Fused multiply-add in plain C
 *   2900  simd/one.h                         The vocabulary on one double
 *   2959  simd/constants.h                   Constants of the element type
 *   2985  simd/elementary.h                  Exponential, logarithm and functions made of them
 *   3105  simd/constants_end.h               End of a body
 *   3125  losses/table.h                     The table of losses
 *   3168  losses/range.h                     The range of a loss, and what else proofs need of it
 *   3327  losses/logistic.h                  The logistic loss
 *   3362  losses/hinge.h                     The hinge
 *   3393  losses/squared_hinge.h             The squared hinge
 *   3427  losses/smoothed_hinge.h            The smoothed hinge: the envelope of the hinge
 *   3475  losses/square.h                    The square of 1 - u
 *   3508  losses/exponential.h               The exponential loss
 *   3540  losses/sigmoid.h                   The sigmoid
 *   3573  losses/ramp.h                      The ramp
 *   3604  losses/least_squares.h             The square of a residual
 *   3637  losses/absolute.h                  The size of a residual
 *   3673  losses/pinball.h                   The pinball
 *   3706  losses/huber.h                     Huber's loss
 *   3747  losses/moreau.h                    Moreau's envelopes of the size of a residual and of...
 *   3829  losses/welsch.h                    Welsch's loss
 *   3872  core/quick.h                       What is compiled soon rather than fast: it begins
 *   3894  losses/at_run_time.h               Losses chosen at run time: names, facts, values
 *           dppair_loss_facts_of dppair_loss_describe dppair_loss_find dppair_loss_eval
 *   4018  losses/margins.h                   Margins
 *   4094  losses/reach.h                     The range of a loss over the margins of a domain
 *   4208  losses/constants.h                 The constants of a loss with a margin on a public d...
 *           dppair_constants_find
 *   4549  losses/moves.h                     How far one record moves the sum of its pairs
 *   4807  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *   4819  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H

#ifdef DPPAIR_NAME
#error "Include dppair_losses.h before defining DPPAIR_NAME; then dppair.h for the template."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
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

/* ---- src/simd/once.h ------------------------------------------------------------------------
 * The vocabulary: what is said of it once, by dppair.h or dppair_losses.h
 * ---------------------------------------------------------------------------------------------- */
#ifndef DPPAIR_VOCABULARY_H
#define DPPAIR_VOCABULARY_H
/* ---- src/simd/vocabulary_names.h ------------------------------------------------------------
 * Names of the vocabulary DPV_*, in lower case
 *
 * Written dpv_add, compiled once per tier and type: dpv_add_f64_avx2. See simd/names.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_V3_(op, suffix) dpv_##op##_##suffix
#define DPPAIR_V2_(op, suffix) DPPAIR_V3_(op, suffix)
#define DPPAIR_V_(op) DPPAIR_V2_(op, DPPAIR_SUFFIX_)

#define dpv_set DPPAIR_V_(set)
#define dpv_load DPPAIR_V_(load)
#define dpv_store DPPAIR_V_(store)
#define dpv_loadn DPPAIR_V_(loadn)
#define dpv_storen DPPAIR_V_(storen)
#define dpv_load_f32 DPPAIR_V_(load_f32)
#define dpv_store_f32 DPPAIR_V_(store_f32)
#define dpv_load_bits DPPAIR_V_(load_bits)
#define dpv_store_bits DPPAIR_V_(store_bits)
#define dpv_add_bits DPPAIR_V_(add_bits)
#define dpv_both DPPAIR_V_(both)
#define dpv_either DPPAIR_V_(either)
#define dpv_add DPPAIR_V_(add)
#define dpv_sub DPPAIR_V_(sub)
#define dpv_mul DPPAIR_V_(mul)
#define dpv_div DPPAIR_V_(div)
#define dpv_fma DPPAIR_V_(fma)
#define dpv_neg DPPAIR_V_(neg)
#define dpv_abs DPPAIR_V_(abs)
#define dpv_sqrt DPPAIR_V_(sqrt)
#define dpv_round DPPAIR_V_(round)
#define dpv_max DPPAIR_V_(max)
#define dpv_min DPPAIR_V_(min)
#define dpv_lt DPPAIR_V_(lt)
#define dpv_le DPPAIR_V_(le)
#define dpv_eq DPPAIR_V_(eq)
#define dpv_sel DPPAIR_V_(sel)
#define dpv_sum DPPAIR_V_(sum)
#define dpv_exp DPPAIR_V_(exp)
#define dpv_log DPPAIR_V_(log)
#define dpv_log1p DPPAIR_V_(log1p)
#define dpv_sigmoid DPPAIR_V_(sigmoid)
#define dpv_softplus DPPAIR_V_(softplus)
#define dpv_call DPPAIR_V_(call)
#define dpv_bit_and DPPAIR_V_(bit_and)
#define dpv_bit_or DPPAIR_V_(bit_or)
#define dpv_bit_xor DPPAIR_V_(bit_xor)
#define dpv_shl_mantissa DPPAIR_V_(shl_mantissa)
#define dpv_shr_mantissa DPPAIR_V_(shr_mantissa)
#define dpv_pow2 DPPAIR_V_(pow2)
#define dpv_scale DPPAIR_V_(scale)
#define dpv_exp_below DPPAIR_V_(exp_below)
/* ---- src/simd/vocabulary.h ------------------------------------------------------------------
 * The vocabulary DPV_*
 *
 * A kernel or a loss is written once, over a virtual vector of 64 bytes (8 doubles or 16 floats),
 * and compiled once per tier: as one AVX-512 register, two AVX2 registers, four 128-bit registers
 * or an array. Every tier has the same number of lanes, adds them by the same tree and fuses
 * DPV_FMA, so scalar, AVX2, AVX-512 and NEON give the same bits. The exception is the 128-bit tier
 * on x86, where DPV_FMA is a product and a sum.
 *
 *   DPV_T DPV_M DPV_R DPV_LANES        vector, mask, element type, number of lanes
 *   DPV_SET(x) DPV_LOAD(p) DPV_STORE(p, v)            all lanes x, rounded to DPV_R; unaligned
 *                                      memory
 *   DPV_LOADN(p, n, fill) DPV_STOREN(p, v, n)         the first n <= DPV_LANES lanes; other lanes
 *                                      are fill, or are not stored
 *   DPV_LOAD_F32(p) DPV_STORE_F32(p, v)               8 floats as doubles; only in code for double
 *   DPV_ADD SUB MUL DIV (a, b)  DPV_FMA(a, b, c) = a b + c   DPV_NEG ABS SQRT ROUND (a)
 *   DPV_LOAD_BITS(p) DPV_STORE_BITS(p, v)             8 integers of type uint64_t as the bits of
 *                                      lanes; only in code for double, as DPV_ADD_BITS(a, b), which
 *                                      adds the bits of lanes as such integers
 *   DPV_MAX MIN (a, b)                 a > b ? a : b, a < b ? a : b; hence b if either is NaN
 *   DPV_LT DPV_LE DPV_EQ (a, b)        masks; DPV_AND OR (m, n); DPV_SEL(m, a, b) = m ? a : b
 *   DPV_SUM(v)                         sum of the lanes, by a fixed tree, as a DPV_R
 *   DPV_EXP DPV_LOG DPV_LOG1P          within 1.1, 1 and 2 ulp (LOG1P for arguments >= 0)
 *   DPV_SIGMOID DPV_SOFTPLUS           1/(1+e^-u) and ln(1+e^u), within 4 ulp, stable at any u
 *   DPV_CALL(f, v)                     any C function f, lane by lane: slow
 *
 * The tests check these bounds in ulp against long double. Over all floats the largest errors are
 * 1.03 for EXP, 0.83 for LOG, 1.24 for LOG1P and 2.41 for SIGMOID.
 * ---------------------------------------------------------------------------------------------- */

#define DPV_T DPPAIR_V_(t)
#define DPV_M DPPAIR_V_(m)
#define DPV_SET(x) dpv_set((DPV_R)(x))
#define DPV_LOAD(p) dpv_load(p)
#define DPV_STORE(p, v) dpv_store(p, v)
#define DPV_LOADN(p, n, fill) dpv_loadn(p, n, fill)
#define DPV_STOREN(p, v, n) dpv_storen(p, v, n)
#define DPV_LOAD_F32(p) dpv_load_f32(p)
#define DPV_STORE_F32(p, v) dpv_store_f32(p, v)
#define DPV_LOAD_BITS(p) dpv_load_bits(p)
#define DPV_STORE_BITS(p, v) dpv_store_bits(p, v)
#define DPV_ADD_BITS(a, b) dpv_add_bits(a, b)
#define DPV_AND(m, n) dpv_both(m, n) /* `and` and `or` are words of C++ and iso646.h */
#define DPV_OR(m, n) dpv_either(m, n)
#define DPV_ADD(a, b) dpv_add(a, b)
#define DPV_SUB(a, b) dpv_sub(a, b)
#define DPV_MUL(a, b) dpv_mul(a, b)
#define DPV_DIV(a, b) dpv_div(a, b)
#define DPV_FMA(a, b, c) dpv_fma(a, b, c)
#define DPV_NEG(a) dpv_neg(a)
#define DPV_ABS(a) dpv_abs(a)
#define DPV_SQRT(a) dpv_sqrt(a)
#define DPV_ROUND(a) dpv_round(a)
#define DPV_MAX(a, b) dpv_max(a, b)
#define DPV_MIN(a, b) dpv_min(a, b)
#define DPV_LT(a, b) dpv_lt(a, b)
#define DPV_LE(a, b) dpv_le(a, b)
#define DPV_EQ(a, b) dpv_eq(a, b)
#define DPV_SEL(m, a, b) dpv_sel(m, a, b)
#define DPV_SUM(a) dpv_sum(a)
#define DPV_EXP(a) dpv_exp(a)
#define DPV_LOG(a) dpv_log(a)
#define DPV_LOG1P(a) dpv_log1p(a)
#define DPV_SIGMOID(a) dpv_sigmoid(a)
#define DPV_SOFTPLUS(a) dpv_softplus(a)
#define DPV_CALL(f, a) dpv_call(f, a)
/* ---- src/simd/fused.h -----------------------------------------------------------------------
 * Fused multiply-add in plain C
 *
 * dppair_fma_f64_ and _f32_ are a b + c, rounded once: fma() of the C library where it does that,
 * else the functions in pieces below.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* a + b rounded to odd: if the sum is not exact, the one of its two neighbours whose last digit is
 * odd. Such a number, rounded once more to fewer digits, is the exact sum rounded once. (s + e =
 * a + b exactly, by Knuth's two-sum.) */
DPPAIR_FN_ double dppair_sum_to_odd_(double a, double b) {
  const double s = a + b, t = s - a, e = (a - (s - t)) + (b - t);
  const uint64_t bits = dppair_bits_f64_(s);
  if (!(e != 0.0) || (bits & 1)) return s;
  return dppair_from_bits_f64_((e > 0.0) == (s > 0.0) ? bits + 1 : bits - 1);
}

/*
 * a b + c, rounded once, for C libraries whose fma() rounds twice (that of MinGW multiplies in 64
 * binary digits), and for none. The product and the sum are computed exactly as sums of pieces
 * (Dekker, Knuth); the small pieces are rounded to odd (Boldo and Melquiond 2008). A result below
 * the normal numbers ends at 2^-1074: 2^-1022 is added and taken away again, so that its one
 * rounding is there. (of_a is at least -1193 where the sum is reached: 2^-1022 can be scaled.)
 */
DPPAIR_FN_ double dppair_fma_in_pieces_(double a, double b, double c) {
  double a_high, b_high, high, low, s, t, e, v;
  int of_a, of_b, of_c;
  if (!dppair_isfinite_f64(c) && dppair_isfinite_f64(a) && dppair_isfinite_f64(b))
    return c; /* the exact product is finite, though a * b may not be */
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c) ||
      !(a != 0.0) || !(b != 0.0))
    return a * b + c;
  if (!(c != 0.0)) return a * b; /* a product that vanishes keeps its sign */
  a = dppair_frexp_(a, &of_a);
  b = dppair_frexp_(b, &of_b);
  (void)dppair_frexp_(c, &of_c);
  of_a += of_b;
  if (of_c - of_a > 120) return c; /* the product is below a quarter of c's last digit */
  c = of_c - of_a < -200 ? dppair_copysign_(dppair_ldexp_(1.0, -200), c) : dppair_ldexp_(c, -of_a);
  high = a * b;
  t = 134217729.0 * a; /* 2^27 + 1 */
  a_high = t - (t - a);
  t = 134217729.0 * b;
  b_high = t - (t - b);
  low = ((a_high * b_high - high) + a_high * (b - b_high) + (a - a_high) * b_high) +
        (a - a_high) * (b - b_high);
  s = c + low;
  t = s - c;
  e = (c - (s - t)) + (low - t);
  v = high + s;
  t = v - high;
  s = (high - (v - t)) + (s - t);
  e = dppair_sum_to_odd_(s, e);
  if (!(v != 0.0)) { /* all cancelled but e, which is exact then */
    v = e;
    e = 0.0;
  }
  if (of_a < -900) {
    const double unit = dppair_copysign_(dppair_ldexp_(1.0, -1022 - of_a), v);
    if (dppair_fabs_(v) < dppair_fabs_(unit)) {
      s = unit + v;
      t = v - (s - unit);
      return dppair_ldexp_(dppair_copysign_((s + dppair_sum_to_odd_(t, e)) - unit, v), of_a);
    }
  }
  return dppair_ldexp_(v + e, of_a);
}

/* The same in float: the product is exact in double. */
DPPAIR_FN_ float dppair_fmaf_in_pieces_(float a, float b, float c) {
  const double product = (double)a * (double)b;
  if (!dppair_isfinite_f64(product) || !dppair_isfinite_f64((double)c))
    return (float)(product + (double)c);
  return (float)dppair_sum_to_odd_(product, (double)c);
}

DPPAIR_FP_END_

/* The C library of MinGW rounds twice unless the compiler emits the processor's instruction. */
#if defined(DPPAIR_FREESTANDING) && defined(__FP_FAST_FMA) /* an instruction, no call */
#define dppair_fma_f64_ __builtin_fma
#elif defined(DPPAIR_FREESTANDING)
#define dppair_fma_f64_ dppair_fma_in_pieces_
#elif defined(__MINGW32__) && !defined(__FMA__)
#define dppair_fma_f64_ dppair_fma_in_pieces_
#define dppair_fma_f32_ dppair_fmaf_in_pieces_
#else
#define dppair_fma_f64_ fma
#define dppair_fma_f32_ fmaf
#endif
#if defined(DPPAIR_FREESTANDING) && defined(__FP_FAST_FMAF)
#define dppair_fma_f32_ __builtin_fmaf
#elif defined(DPPAIR_FREESTANDING)
#define dppair_fma_f32_ dppair_fmaf_in_pieces_
#endif

DPPAIR_FP_BEGIN_

/* OK if fma() gives the error of a product, which tables in double-double need; else ENVIRONMENT.
 * The product of these two numbers shows it: 64 binary digits are too few for it. */
DPPAIR_FN_ dppair_status dppair_fma_check_(void) {
  volatile double a = 1.2247930764501165, b = 1.6377637257694275;
  const double left = a, right = b, product = left * right;
  const double error = dppair_fma_f64_(left, right, -product);
  return error == 4.5175727124355734e-17 ? DPPAIR_OK : DPPAIR_ERR_ENVIRONMENT;
}

DPPAIR_FP_END_
/* ---- src/simd/one.h -------------------------------------------------------------------------
 * The vocabulary on one double
 *
 * The macros of a loss are expanded once more, over one double instead of a vector, with the bits
 * of the scalar tier. What a loss's own chapter says of its slopes is computed with it, losses
 * chosen at run time are, and the table of the box method.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef double dpv_t_f64_one;
typedef int dpv_m_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return dppair_fabs_(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return dppair_sqrt_(a); }
DPPAIR_FORCE_INLINE_ double dpv_max_f64_one(double a, double b) { return a > b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_min_f64_one(double a, double b) { return a < b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_fma_f64_one(double a, double b, double c) {
  return dppair_fma_f64_(a, b, c);
}
DPPAIR_FORCE_INLINE_ int dpv_lt_f64_one(double a, double b) { return a < b; }
DPPAIR_FORCE_INLINE_ int dpv_le_f64_one(double a, double b) { return a <= b; }
DPPAIR_FORCE_INLINE_ int dpv_eq_f64_one(double a, double b) { return a == b; }
DPPAIR_FORCE_INLINE_ int dpv_both_f64_one(int m, int n) { return m & n; }
DPPAIR_FORCE_INLINE_ int dpv_either_f64_one(int m, int n) { return m | n; }
DPPAIR_FORCE_INLINE_ double dpv_sel_f64_one(int m, double a, double b) { return m ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_bit_and_f64_one(double a, double b) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) & dppair_bits_f64_(b));
}
DPPAIR_FORCE_INLINE_ double dpv_bit_or_f64_one(double a, double b) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) | dppair_bits_f64_(b));
}
DPPAIR_FORCE_INLINE_ double dpv_shr_mantissa_f64_one(double a) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) >> 52);
}
DPPAIR_FORCE_INLINE_ double dpv_pow2_f64_one(double n) {
  return dppair_from_bits_f64_(dppair_bits_f64_(n + (DPPAIR_MAGIC_F64_ + 1023.0)) << 52);
}
/* As dpv_round of simd/operations.h. */
DPPAIR_FORCE_INLINE_ double dpv_round_f64_one(double a) {
  const double size = dppair_fabs_(a), r = (size + 4503599627370496.0) - 4503599627370496.0;
  return size < 4503599627370496.0 ? (a < 0.0 || (a == 0.0 && 1.0 / a < 0.0) ? -r : r) : a;
}
DPPAIR_FORCE_INLINE_ double dpv_call_f64_one(double (*f)(double), double a) { return f(a); }
/* As dpv_scale of simd/operations.h. */
DPPAIR_FORCE_INLINE_ double dpv_scale_f64_one(double p, double n) {
  const double half = dppair_fma_f64_(n, 0.5, DPPAIR_MAGIC_F64_) - DPPAIR_MAGIC_F64_;
  return p * dpv_pow2_f64_one(half) * dpv_pow2_f64_one(n - half);
}

#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
#define DPPAIR_F64_ 1
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
/* ---- src/simd/constants.h -------------------------------------------------------------------
 * Constants of the element type
 *
 * DPN_BITS(u) is a vector of the bits u, DPN_C(x) of the constant x; digits of the mantissa, bias of
 * the exponent, and others.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC DPPAIR_MAGIC_F64_
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC DPPAIR_MAGIC_F32_
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif
/* ---- src/simd/elementary.h ------------------------------------------------------------------
 * Exponential, logarithm and functions made of them
 *
 * Error bounds are listed in simd/vocabulary.h. DPN_* are constants of the element type.
 * ---------------------------------------------------------------------------------------------- */

/* e^x = 2^n e^r with |r| <= ln(2)/2. e^r is a polynomial 1 + r + r^2 q(r), of relative error 4e-9
 * in float (minimax) and 4e-18 in double (Taylor). ln 2 is split into two numbers; n times the
 * first is exact. NaN gives NaN. dpv_exp_below needs x <= 710 (float: 89); dpv_exp ensures it. */
DPV_INLINE_ DPV_T dpv_exp_below(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T low = DPV_SET(-746.0);
  const DPV_T minus_hi = DPV_SET(-0.6931471803691238);
  const DPV_T minus_lo = DPV_SET(-1.9082149292705877e-10);
#else
  const DPV_T low = DPV_SET(-104.0f);
  const DPV_T minus_hi = DPV_SET(-0.693359375f), minus_lo = DPV_SET(0.00021219444f);
#endif
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  DPV_T n, r, p;
  x = DPV_MAX(low, x);
  n = DPV_SUB(DPV_FMA(x, DPN_C(1.4426950408889634), magic), magic);
  r = DPV_FMA(n, minus_lo, DPV_FMA(n, minus_hi, x));
#if DPPAIR_F64_
  p = DPV_SET(1.0 / 6227020800.0);
  p = DPV_FMA(p, r, DPV_SET(1.0 / 479001600.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 39916800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 3628800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 362880.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 40320.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 5040.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 720.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 120.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 24.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 6.0));
#else
  p = DPV_SET(0.0013863781f);
  p = DPV_FMA(p, r, DPV_SET(0.0083674826f));
  p = DPV_FMA(p, r, DPV_SET(0.0416672379f));
  p = DPV_FMA(p, r, DPV_SET(0.1666653454f));
#endif
  p = DPV_FMA(p, r, DPN_C(0.5));
  p = DPV_ADD(DPV_FMA(DPV_MUL(r, r), p, r), DPN_C(1.0));
  return dpv_scale(p, n);
}
DPV_INLINE_ DPV_T dpv_exp(DPV_T x) {
  return dpv_exp_below(DPV_MIN(DPN_C(DPPAIR_F64_ ? 710.0 : 89.0), x));
}

/* ln x = e ln 2 + ln m with m in [sqrt(1/2), sqrt 2). ln m = 2 atanh((m-1)/(m+1)) is computed as
 * g - g^2/2 + s (g^2/2 + R) with g = m - 1, s = g/(2+g) and R a polynomial in s^2. Numbers below
 * the normal ones are scaled first. 0 gives -infinity, a negative number NaN. */
DPV_INLINE_ DPV_T dpv_log(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T smallest = DPV_SET(DBL_MIN), up = DPV_SET(18014398509481984.0), shift = DPV_SET(54.0);
  const DPV_T hi = DPV_SET(0.6931471803691238), lo = DPV_SET(1.9082149292705877e-10);
  const DPV_T infinity = DPN_BITS(0x7ff0000000000000), nan = DPN_BITS(0x7ff8000000000000);
#else
  const DPV_T smallest = DPV_SET(FLT_MIN), up = DPV_SET(33554432.0f), shift = DPV_SET(25.0f);
  const DPV_T hi = DPV_SET(0.69313812f), lo = DPV_SET(9.0580014e-06f);
  const DPV_T infinity = DPN_BITS(0x7f800000), nan = DPN_BITS(0x7fc00000);
#endif
  const DPV_T zero = DPN_C(0.0), one = DPN_C(1.0), two_p = DPV_SET(DPN_TWO_P);
  const DPV_M tiny = DPV_LT(x, smallest);
  DPV_T m = DPV_SEL(tiny, DPV_MUL(x, up), x), e, g, s, z, h, p;
  DPV_M below;
  e = DPV_SUB(dpv_bit_or(dpv_shr_mantissa(m), two_p), two_p);
  e = DPV_SUB(e, DPN_C(DPN_BIAS - 1));
  e = DPV_SUB(e, DPV_SEL(tiny, shift, zero));
  /* m into [1/2, 1), then into [sqrt(1/2), sqrt 2) */
#if DPPAIR_F64_
  m = dpv_bit_and(m, DPN_BITS(0x000fffffffffffff));
  m = dpv_bit_or(m, DPN_BITS(0x3fe0000000000000));
#else
  m = dpv_bit_or(dpv_bit_and(m, DPN_BITS(0x007fffff)), DPN_BITS(0x3f000000));
#endif
  below = DPV_LT(m, DPN_BITS(DPN_NORM));
  m = DPV_SEL(below, DPV_ADD(m, m), m);
  e = DPV_SEL(below, DPV_SUB(e, one), e);
  g = DPV_SUB(m, one);
  s = DPV_DIV(g, DPV_ADD(g, DPN_C(2.0)));
  z = DPV_MUL(s, s);
#if DPPAIR_F64_
  p = DPV_SET(2.0 / 21.0);
  p = DPV_FMA(p, z, DPV_SET(2.0 / 19.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 17.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 15.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 13.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 11.0));
#else
  p = DPN_C(2.0 / 11.0);
#endif
  p = DPV_FMA(p, z, DPN_C(2.0 / 9.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 7.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 5.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 3.0));
  p = DPV_MUL(p, z);
  h = DPV_MUL(DPV_MUL(DPN_C(0.5), g), g);
  p = DPV_FMA(s, DPV_ADD(h, p), DPV_MUL(e, lo));
  p = DPV_FMA(e, hi, DPV_SUB(g, DPV_SUB(h, p)));
  p = DPV_SEL(DPV_EQ(x, infinity), infinity, p);
  p = DPV_SEL(DPV_EQ(x, zero), DPV_NEG(infinity), p);
  return DPV_SEL(DPV_LE(zero, x), p, nan);
}

/* ln(1+x) for x >= 0: the logarithm of u = 1 + x rounded, plus (1 + x - u)/u for the rounding. */
DPV_INLINE_ DPV_T dpv_log1p(DPV_T x) {
  const DPV_T u = DPV_ADD(x, DPN_C(1.0));
  return DPV_ADD(DPV_LOG(u), DPV_DIV(DPV_SUB(x, DPV_SUB(u, DPN_C(1.0))), u));
}

/* 1/(1+e^-u) and ln(1+e^u), both by e^-|u|, which cannot overflow. */
DPV_INLINE_ DPV_T dpv_sigmoid(DPV_T u) {
  const DPV_T one = DPN_C(1.0), e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_DIV(DPV_SEL(DPV_LT(u, DPN_C(0.0)), e, one), DPV_ADD(one, e));
}
DPV_INLINE_ DPV_T dpv_softplus(DPV_T u) {
  const DPV_T e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_ADD(DPV_MAX(u, DPN_C(0.0)), DPV_LOG1P(e));
}
/* ---- src/simd/constants_end.h ---------------------------------------------------------------
 * End of a body: the constants of its element type are undefined
 * ---------------------------------------------------------------------------------------------- */

#undef DPN_BIAS
#undef DPN_BITS
#undef DPN_C
#undef DPN_MAGIC
#undef DPN_MANTISSA
#undef DPN_NORM
#undef DPN_SIGN
#undef DPN_TWO_P
#undef DPPAIR_F64_
#undef DPV_INLINE_
#undef DPPAIR_SUFFIX_
#undef DPV_R

DPPAIR_FP_END_
#endif /* DPPAIR_VOCABULARY_H */

/* ---- src/losses/table.h ---------------------------------------------------------------------
 * The table of losses
 *
 * A loss is a chapter of its own and a row here. The chapter has, in this order: INFO, its formula,
 * parameters and source; RANGE (range.h); KIND and what that asks for (see L_KIND in dppair.h);
 * CURVE where the slope is continuous (modules/influence/curvature_state.h); VALUE, SLOPE and CURVATURE; and
 * the function that RANGE names, with the loss's landmarks.
 *
 * In formulas (t)+ means max(0, t). The losses of a residual (absolute, pinball, least_squares,
 * huber, ...) are not meant to be monotone, ranking surrogates are. An envelope is Moreau's, e(u) =
 * min over v of phi(v) + (u - v)^2/(2 w): it is convex for convex phi, lies between phi - (sup
 * slope)^2 w/2 and phi, and is 1/w-smooth. (No envelope rounds off a concave kink, such as the
 * ramp's.)
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_TABLE(X)                                                                       \
  X(logistic)                                                                                      \
  X(hinge)                                                                                         \
  X(squared_hinge)                                                                                 \
  X(smoothed_hinge)                                                                                \
  X(square)                                                                                        \
  X(exponential)                                                                                   \
  X(sigmoid)                                                                                       \
  X(ramp)                                                                                          \
  X(least_squares)                                                                                 \
  X(absolute)                                                                                      \
  X(pinball)                                                                                       \
  X(huber)                                                                                         \
  X(moreau_absolute)                                                                               \
  X(moreau_pinball)                                                                                \
  X(welsch)

/* DPPAIR_LOSS_logistic, ..., for the functions that take a loss at run time. */
typedef enum dppair_loss {
#define DPPAIR_X_(name) DPPAIR_LOSS_##name,
  DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_LOSS_COUNT
} dppair_loss;

#define DPPAIR_SUFFIX_ f64_one /* until the end of at_run_time.h: simd/one.h */
#define DPV_R double

/* ---- src/losses/range.h ---------------------------------------------------------------------
 * The range of a loss, and what else proofs need of it
 *
 * A loss L has, beside L_KIND, L_VALUE and L_SLOPE, one more macro:
 *
 *     #define L_RANGE (f, flags)
 *
 * f is a C function that bounds slopes, curvature and values over an interval of margins; flags are
 * 0 or what of DPPAIR_IS_... below is true of the loss. A loss without L_RANGE has a sensitivity
 * with a clip only.
 *
 *     static void cauchy_range(dppair_range *r, const dppair_margins *m, const double *params) {
 *       (void)m, (void)params;
 *       r->down = r->up = 1.0;      |2 u/(1 + u^2)| <= 1
 *       r->curvature = 2.0;         what is not written counts as unbounded: here the value
 *     }
 *     #define cauchy_RANGE (cauchy_range, DPPAIR_IS_SMOOTH)
 *
 * Shipped losses have a third item, phi itself. Its code is then compiled only where values are
 * asked for, which a sensitivity does not do.
 * ---------------------------------------------------------------------------------------------- */

typedef double dppair_value_function_(double u, const double *params);

/* An interval of margins; in place of an infinite end stands +-1e300. */
typedef struct dppair_margins {
  double low, high;   /* the margins that exact arithmetic reaches, wider by their rounding */
  double least, most; /* wider by all that computed margins may lie beyond: where a slope jumps
                       * between least and low, or high and most, both sides count */
  dppair_value_function_ *value; /* the third item, NULL where no value is asked for */
} dppair_margins;

/* Of phi over an interval of margins, slopes as computed. */
typedef struct dppair_range {
  double down, up;  /* sup of -phi' and of phi', 0 at least */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a jump */
  double value;     /* sup |phi| */
} dppair_range;

/* Writes *range; params are the loss's own. All five figures are HUGE_VAL before the call. */
typedef void dppair_range_function(dppair_range *range, const dppair_margins *margins,
                                   const double *params);

/* Flags. MONOTONE: phi does not increase. SMOOTH: phi' is continuous. QUADRATIC: phi is a parabola.
 * The parameters are checked: LEVEL: one in (0, 1) comes first; SIZE: a width, knee or bandwidth in
 * [1e-100, 1e100] comes last. */
enum {
  DPPAIR_IS_CONVEX = 1,
  DPPAIR_IS_MONOTONE = 2,
  DPPAIR_IS_SMOOTH = 4,
  DPPAIR_IS_QUADRATIC = 8,
  DPPAIR_TAKES_LEVEL = 16,
  DPPAIR_TAKES_SIZE = 32
};

/* What dppair_constants_find reads of a loss. */
typedef struct dppair_loss_facts {
  dppair_range_function *range;
  unsigned flags;
  dppair_value_function_ *value; /* NULL: none, or not asked for */
} dppair_loss_facts;

/* Its initialiser for a loss L that is known at compile time: DPPAIR_FACTS(dppair_hinge). */
#define DPPAIR_FACTS(loss) DPPAIR_FACTS_1_(DPPAIR_CAT(loss, _RANGE))
#define DPPAIR_FACTS_1_(range) DPPAIR_FACTS_2_ range
#define DPPAIR_FACTS_2_(...) DPPAIR_FACTS_3_(__VA_ARGS__, NULL, ~)
#define DPPAIR_FACTS_3_(f, flags, value, ...)                                                      \
  { f, (unsigned)(flags), value }

/* The same without its values. */
#define DPPAIR_SLOPE_FACTS_(loss) DPPAIR_SLOPE_FACTS_1_(DPPAIR_CAT(loss, _RANGE))
#define DPPAIR_SLOPE_FACTS_1_(range) DPPAIR_SLOPE_FACTS_2_ range
#define DPPAIR_SLOPE_FACTS_2_(...) DPPAIR_SLOPE_FACTS_3_(__VA_ARGS__, ~)
#define DPPAIR_SLOPE_FACTS_3_(f, flags, ...)                                                       \
  { f, (unsigned)(flags), NULL }

DPPAIR_FP_BEGIN_

/* *most becomes x where x is larger, HUGE_VAL where x is no number. */
DPPAIR_FN_ void dppair_raise_(double *most, double x) {
  if (!(x <= *most)) *most = x > *most ? x : HUGE_VAL;
}

DPPAIR_FN_ double dppair_between_(double u, double low, double high) {
  return u < low ? low : u > high ? high : u;
}

/* A slope or curvature of a shipped loss, and the body of its function L_at_. */
enum { DPPAIR_VALUE_ = 0, DPPAIR_SLOPE_ = 1, DPPAIR_CURVATURE_ = 2 };
typedef double dppair_phi_(int what, double u, const double *params);
#define DPPAIR_AT_(loss)                                                                           \
  (void)u;                                                                                         \
  (void)p;                                                                                         \
  return what == DPPAIR_SLOPE_ ? loss##_SLOPE(u, p) : loss##_CURVATURE(u, p);

/* The margins that are special to a loss. */
typedef struct dppair_landmarks_ {
  double kink[2];      /* the slope jumps there */
  double extreme[5];   /* value, slope or curvature may be extreme there; unused ones are 0 */
  int kinks;           /* how many there are */
  int curvature_jumps; /* somewhere: then both sides of either end of an interval count */
} dppair_landmarks_;

/* Widens r by the slopes and the curvature at u. */
DPPAIR_OUT_OF_LINE_ void dppair_slopes_at_(dppair_range *r, dppair_phi_ *phi, const double *p,
                                           double u) {
  const double slope = phi(DPPAIR_SLOPE_, u, p), back = phi(DPPAIR_SLOPE_, -u, p);
  const double larger =
      dppair_fabs_(slope) > dppair_fabs_(back) ? dppair_fabs_(slope) : dppair_fabs_(back);
  dppair_raise_(&r->down, -slope);
  dppair_raise_(&r->up, slope);
  dppair_raise_(&r->odd, 0.5 * dppair_fabs_(slope - back) + 4.0 * DBL_EPSILON * larger);
  dppair_raise_(&r->curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, u, p)));
}

/* sup |phi| of a shipped loss: at the ends of the interval or at a landmark. */
DPPAIR_FN_ double dppair_values_scan_(const dppair_margins *m, const double *p,
                                      const dppair_landmarks_ *marks) {
  double most = 0.0;
  int k;
  if (!m->value) return HUGE_VAL;
  dppair_raise_(&most, dppair_fabs_(m->value(m->low, p)));
  dppair_raise_(&most, dppair_fabs_(m->value(m->high, p)));
  for (k = 0; k < 5; k++)
    dppair_raise_(&most,
                  dppair_fabs_(m->value(dppair_between_(marks->extreme[k], m->low, m->high), p)));
  return most;
}

/*
 * The range of a shipped loss. Slopes and values of a convex phi are extreme at the ends of an
 * interval; those of the other losses, and all curvatures, at the ends or at a landmark. Where the
 * slope or the curvature jumps at an end, or in the room beyond it, both sides of the jump count,
 * because a computed margin may be on either side.
 */
DPPAIR_OUT_OF_LINE_ void dppair_range_scan_(dppair_range *range, const dppair_margins *m,
                                            const double *p, dppair_phi_ *phi,
                                            const dppair_landmarks_ *marks) {
  const int smooth = marks->kinks == 0;
  const double low = smooth ? m->low : m->least, high = smooth ? m->high : m->most;
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
  int k;
  dppair_slopes_at_(&r, phi, p, low);
  dppair_slopes_at_(&r, phi, p, high);
  for (k = 0; k < 5; k++)
    dppair_slopes_at_(&r, phi, p, dppair_between_(marks->extreme[k], low, high));
  r.value = dppair_values_scan_(m, p, marks);
  if (marks->curvature_jumps) {
    dppair_raise_(&r.curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, m->least, p)));
    dppair_raise_(&r.curvature, dppair_fabs_(phi(DPPAIR_CURVATURE_, m->most, p)));
  }
  for (k = 0; k < marks->kinks; k++)
    if (low <= marks->kink[k] && high >= marks->kink[k]) r.curvature = HUGE_VAL;
  *range = r;
}

DPPAIR_FP_END_

/* ---- src/losses/logistic.h ------------------------------------------------------------------
 * The logistic loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_logistic_INFO "ln(1 + e^-u)", "", "Burges et al. 2005 (RankNet)"
#define dppair_logistic_RANGE                                                                      \
  (dppair_logistic_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,               \
   dppair_logistic_value_)
#define dppair_logistic_KIND dppair_analytic
#define dppair_logistic_CURVE dppair_curve
#define dppair_logistic_POLES(p)                                                                   \
  { 3.14159265358979323846, 1, 1 }
#define dppair_logistic_SPLIT dppair_split
#define dppair_logistic_FACTOR(s, p) DPV_EXP(s)
#define dppair_logistic_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_logistic_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_logistic_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
#define dppair_logistic_CURVATURE(u, p)                                                            \
  DPV_MUL(DPV_SIGMOID(DPV_NEG(DPV_ABS(u))), DPV_SIGMOID(DPV_ABS(u)))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_logistic_value_(double u, const double *p) {
  (void)p;
  return dppair_logistic_VALUE(u, p);
}
DPPAIR_FN_ double dppair_logistic_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_logistic)
}
DPPAIR_FN_ void dppair_logistic_range_(dppair_range *range, const dppair_margins *m,
                                       const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_logistic_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/hinge.h ---------------------------------------------------------------------
 * The hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_hinge_INFO "(1 - u)+", "", "Joachims 2002 (ranking SVM)"
#define dppair_hinge_RANGE                                                                         \
  (dppair_hinge_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE, dppair_hinge_value_)
/* The maximum takes its second argument when that is NaN, hence the order. */
#define dppair_hinge_KIND dppair_piecewise
#define dppair_hinge_PIECES(p)                                                                     \
  {                                                                                                \
    { 1, -1, 0, 0 }                                                                                \
  }
#define dppair_hinge_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_SUB(DPV_SET(1), u))
#define dppair_hinge_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(-1), DPV_SET(0))
#define dppair_hinge_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_hinge_VALUE(u, p);
}
DPPAIR_FN_ double dppair_hinge_at_(int what, double u, const double *p) { DPPAIR_AT_(dppair_hinge) }
DPPAIR_FN_ void dppair_hinge_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1;
  marks.kink[0] = 1.0;
  dppair_range_scan_(range, m, p, dppair_hinge_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/squared_hinge.h -------------------------------------------------------------
 * The squared hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_squared_hinge_INFO "((1 - u)+)^2", "", "Chapelle and Keerthi 2010"
#define dppair_squared_hinge_RANGE                                                                 \
  (dppair_squared_hinge_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,          \
   dppair_squared_hinge_value_)
#define dppair_squared_hinge_KIND dppair_piecewise
#define dppair_squared_hinge_CURVE dppair_curve
#define dppair_squared_hinge_PIECES(p)                                                             \
  {                                                                                                \
    { 1, -2, 2, 0 }                                                                                \
  }
#define dppair_squared_hinge_VALUE(u, p) DPV_MUL(dppair_hinge_VALUE(u, p), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_SLOPE(u, p) DPV_MUL(DPV_SET(-2), dppair_hinge_VALUE(u, p))
#define dppair_squared_hinge_CURVATURE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(1)), DPV_SET(2), DPV_SET(0))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_squared_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_squared_hinge_VALUE(u, p);
}
DPPAIR_FN_ double dppair_squared_hinge_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_squared_hinge)
}
DPPAIR_FN_ void dppair_squared_hinge_range_(dppair_range *range, const dppair_margins *m,
                                            const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_squared_hinge_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/smoothed_hinge.h ------------------------------------------------------------
 * The smoothed hinge: the envelope of the hinge
 * ---------------------------------------------------------------------------------------------- */

#define dppair_smoothed_hinge_INFO                                                                 \
  "envelope of the hinge: (1-u)+^2/(2w) if u >= 1-w, else 1-u-w/2", "width w > 0",                 \
      "Shalev-Shwartz and Zhang 2013; Moreau 1965"
#define dppair_smoothed_hinge_RANGE                                                                \
  (dppair_smoothed_hinge_range_,                                                                   \
   DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,                   \
   dppair_smoothed_hinge_value_)
/* The slope a = (1 - u)/w held within [0, 1]; the value a (1 - u) - a^2 w/2. */
#define dppair_smoothed_hinge_a_(u, p)                                                             \
  DPV_MIN(DPV_SET(1), DPV_DIV(dppair_hinge_VALUE(u, p), DPV_SET((p)[0])))
#define dppair_smoothed_hinge_KIND dppair_piecewise
#define dppair_smoothed_hinge_CURVE dppair_curve
#define dppair_smoothed_hinge_PIECES(p)                                                            \
  {                                                                                                \
    {1, -1 / (double)(p)[0], 1 / (double)(p)[0], 0}, {                                             \
      1 - (double)(p)[0], 1 / (double)(p)[0] - 1, -1 / (double)(p)[0], 0                           \
    }                                                                                              \
  }
#define dppair_smoothed_hinge_VALUE(u, p)                                                          \
  DPV_MUL(dppair_smoothed_hinge_a_(u, p),                                                          \
          DPV_SUB(DPV_SUB(DPV_SET(1), u),                                                          \
                  DPV_MUL(dppair_smoothed_hinge_a_(u, p), DPV_SET((p)[0] / 2))))
#define dppair_smoothed_hinge_SLOPE(u, p) DPV_NEG(dppair_smoothed_hinge_a_(u, p))
#define dppair_smoothed_hinge_CURVATURE(u, p)                                                      \
  DPV_SEL(DPV_AND(DPV_LT(u, DPV_SET(1)), DPV_LT(DPV_SET(1 - (p)[0]), u)), DPV_SET(1 / (p)[0]),     \
          DPV_SET(0))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_smoothed_hinge_value_(double u, const double *p) {
  (void)p;
  return dppair_smoothed_hinge_VALUE(u, p);
}
DPPAIR_FN_ double dppair_smoothed_hinge_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_smoothed_hinge)
}
DPPAIR_FN_ void dppair_smoothed_hinge_range_(dppair_range *range, const dppair_margins *m,
                                             const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = 1.0 - 0.5 * p[0];
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_smoothed_hinge_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/square.h --------------------------------------------------------------------
 * The square of 1 - u
 * ---------------------------------------------------------------------------------------------- */

#define dppair_square_INFO "(1 - u)^2", "", "Gao et al. 2013 (one-pass AUC)"
#define dppair_square_RANGE                                                                        \
  (dppair_square_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_IS_QUADRATIC,                \
   dppair_square_value_)
#define dppair_square_KIND dppair_piecewise
#define dppair_square_CURVE dppair_curve
#define dppair_square_PIECES(p)                                                                    \
  {                                                                                                \
    { HUGE_VAL, -2, 2, 0 }                                                                         \
  }
#define dppair_square_VALUE(u, p) DPV_MUL(DPV_SUB(DPV_SET(1), u), DPV_SUB(DPV_SET(1), u))
#define dppair_square_SLOPE(u, p) DPV_MUL(DPV_SET(-2), DPV_SUB(DPV_SET(1), u))
#define dppair_square_CURVATURE(u, p) DPV_SET(2)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_square_value_(double u, const double *p) {
  (void)p;
  return dppair_square_VALUE(u, p);
}
DPPAIR_FN_ double dppair_square_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_square)
}
DPPAIR_FN_ void dppair_square_range_(dppair_range *range, const dppair_margins *m,
                                     const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_square_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/exponential.h ---------------------------------------------------------------
 * The exponential loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_exponential_INFO "e^-u", "", "Freund et al. 2003 (RankBoost)"
#define dppair_exponential_RANGE                                                                   \
  (dppair_exponential_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH,            \
   dppair_exponential_value_)
#define dppair_exponential_KIND dppair_pairs
#define dppair_exponential_CURVE dppair_curve
#define dppair_exponential_SPLIT dppair_split
#define dppair_exponential_FACTOR(s, p) DPV_EXP(DPV_NEG(s))
#define dppair_exponential_JOIN(e, p) DPV_NEG(e)
#define dppair_exponential_VALUE(u, p) DPV_EXP(DPV_NEG(u))
#define dppair_exponential_SLOPE(u, p) DPV_NEG(DPV_EXP(DPV_NEG(u)))
#define dppair_exponential_CURVATURE(u, p) DPV_EXP(DPV_NEG(u))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_exponential_value_(double u, const double *p) {
  (void)p;
  return dppair_exponential_VALUE(u, p);
}
DPPAIR_FN_ double dppair_exponential_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_exponential)
}
DPPAIR_FN_ void dppair_exponential_range_(dppair_range *range, const dppair_margins *m,
                                          const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_exponential_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/sigmoid.h -------------------------------------------------------------------
 * The sigmoid
 * ---------------------------------------------------------------------------------------------- */

#define dppair_sigmoid_INFO "1/(1 + e^u)", "", "Yan et al. 2003 (smoothed Wilcoxon statistic)"
#define dppair_sigmoid_RANGE                                                                       \
  (dppair_sigmoid_range_, DPPAIR_IS_MONOTONE | DPPAIR_IS_SMOOTH, dppair_sigmoid_value_)
#define dppair_sigmoid_KIND dppair_analytic
#define dppair_sigmoid_CURVE dppair_curve
#define dppair_sigmoid_POLES(p)                                                                    \
  { 3.14159265358979323846, 1, 2 }
#define dppair_sigmoid_VALUE(u, p) DPV_SIGMOID(DPV_NEG(u))
#define dppair_sigmoid_SLOPE(u, p) DPV_NEG(dppair_logistic_CURVATURE(u, p))
#define dppair_sigmoid_CURVATURE(u, p)                                                             \
  DPV_MUL(dppair_logistic_CURVATURE(u, p), DPV_SUB(DPV_SIGMOID(u), DPV_SIGMOID(DPV_NEG(u))))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_sigmoid_value_(double u, const double *p) {
  (void)p;
  return dppair_sigmoid_VALUE(u, p);
}
DPPAIR_FN_ double dppair_sigmoid_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_sigmoid)
}
DPPAIR_FN_ void dppair_sigmoid_range_(dppair_range *range, const dppair_margins *m,
                                      const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = -1.3169578969248167; /* phi''' = 0 at +-ln(2 + sqrt 3) */
  marks.extreme[1] = 1.3169578969248167;
  dppair_range_scan_(range, m, p, dppair_sigmoid_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/ramp.h ----------------------------------------------------------------------
 * The ramp
 * ---------------------------------------------------------------------------------------------- */

#define dppair_ramp_INFO "min(1, (1 - u)+)", "", "Collobert et al. 2006"
#define dppair_ramp_RANGE (dppair_ramp_range_, DPPAIR_IS_MONOTONE, dppair_ramp_value_)
#define dppair_ramp_KIND dppair_piecewise
#define dppair_ramp_PIECES(p)                                                                      \
  {                                                                                                \
    {1, -1, 0, 0}, { 0, 1, 0, 1 }                                                                  \
  }
#define dppair_ramp_VALUE(u, p) DPV_MIN(DPV_SET(1), dppair_hinge_VALUE(u, p))
#define dppair_ramp_SLOPE(u, p)                                                                    \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(0), u), DPV_LT(u, DPV_SET(1))), DPV_SET(-1), DPV_SET(0))
#define dppair_ramp_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_ramp_value_(double u, const double *p) {
  (void)p;
  return dppair_ramp_VALUE(u, p);
}
DPPAIR_FN_ double dppair_ramp_at_(int what, double u, const double *p) { DPPAIR_AT_(dppair_ramp) }
DPPAIR_FN_ void dppair_ramp_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 2; /* 0 and 1 */
  marks.kink[1] = 1.0;
  marks.extreme[0] = 0.5;
  dppair_range_scan_(range, m, p, dppair_ramp_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/least_squares.h -------------------------------------------------------------
 * The square of a residual
 * ---------------------------------------------------------------------------------------------- */

#define dppair_least_squares_INFO "u^2", "", "Agarwal and Niyogi 2009 (least-squares ranking)"
#define dppair_least_squares_RANGE                                                                 \
  (dppair_least_squares_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_IS_QUADRATIC,         \
   dppair_least_squares_value_)
#define dppair_least_squares_KIND dppair_piecewise
#define dppair_least_squares_CURVE dppair_curve
#define dppair_least_squares_PIECES(p)                                                             \
  {                                                                                                \
    { HUGE_VAL, 0, 2, 0 }                                                                          \
  }
#define dppair_least_squares_VALUE(u, p) DPV_MUL(u, u)
#define dppair_least_squares_SLOPE(u, p) DPV_ADD(u, u)
#define dppair_least_squares_CURVATURE(u, p) DPV_SET(2)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_least_squares_value_(double u, const double *p) {
  (void)p;
  return dppair_least_squares_VALUE(u, p);
}
DPPAIR_FN_ double dppair_least_squares_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_least_squares)
}
DPPAIR_FN_ void dppair_least_squares_range_(dppair_range *range, const dppair_margins *m,
                                            const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  dppair_range_scan_(range, m, p, dppair_least_squares_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/absolute.h ------------------------------------------------------------------
 * The size of a residual
 * ---------------------------------------------------------------------------------------------- */

/* low where u < 0, high where u > 0, 0 at 0 */
#define dppair_signs_(u, low, high)                                                                \
  DPV_SEL(DPV_LT(DPV_SET(0), u), DPV_SET(high),                                                    \
          DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(low), DPV_SET(0)))

#define dppair_absolute_INFO "|u|", "", "Koenker and Bassett 1978 (median)"
#define dppair_absolute_RANGE (dppair_absolute_range_, DPPAIR_IS_CONVEX, dppair_absolute_value_)
#define dppair_absolute_KIND dppair_piecewise
#define dppair_absolute_PIECES(p)                                                                  \
  {                                                                                                \
    {HUGE_VAL, 1, 0, 0}, {0, -1, 0, 1}, { 0, -1, 0, 0 }                                            \
  }
#define dppair_absolute_VALUE(u, p) DPV_ABS(u)
#define dppair_absolute_SLOPE(u, p) dppair_signs_(u, -1, 1)
#define dppair_absolute_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_absolute_value_(double u, const double *p) {
  (void)p;
  return dppair_absolute_VALUE(u, p);
}
DPPAIR_FN_ double dppair_absolute_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_absolute)
}
DPPAIR_FN_ void dppair_absolute_range_(dppair_range *range, const dppair_margins *m,
                                       const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1; /* 0 */
  dppair_range_scan_(range, m, p, dppair_absolute_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/pinball.h -------------------------------------------------------------------
 * The pinball
 * ---------------------------------------------------------------------------------------------- */

#define dppair_pinball_INFO "max(tau u, (tau - 1) u)", "tau in (0,1)", "Koenker and Bassett 1978"
#define dppair_pinball_RANGE                                                                       \
  (dppair_pinball_range_, DPPAIR_IS_CONVEX | DPPAIR_TAKES_LEVEL, dppair_pinball_value_)
#define dppair_pinball_KIND dppair_piecewise
#define dppair_pinball_PIECES(p)                                                                   \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0}, {0, -(double)(p)[0], 0, 1}, { 0, (double)(p)[0] - 1, 0, 0 }  \
  }
#define dppair_pinball_VALUE(u, p)                                                                 \
  DPV_MAX(DPV_MUL(DPV_SET((p)[0]), u), DPV_MUL(DPV_SET((p)[0] - 1), u))
#define dppair_pinball_SLOPE(u, p) dppair_signs_(u, (p)[0] - 1, (p)[0])
#define dppair_pinball_CURVATURE(u, p) DPV_SET(0)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_pinball_value_(double u, const double *p) {
  (void)p;
  return dppair_pinball_VALUE(u, p);
}
DPPAIR_FN_ double dppair_pinball_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_pinball)
}
DPPAIR_FN_ void dppair_pinball_range_(dppair_range *range, const dppair_margins *m,
                                      const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.kinks = 1; /* 0 */
  dppair_range_scan_(range, m, p, dppair_pinball_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/huber.h ---------------------------------------------------------------------
 * Huber's loss
 * ---------------------------------------------------------------------------------------------- */

/* u held within [low, high]; NaN stays NaN */
#define dppair_held_(u, low, high) DPV_MIN(DPV_SET(high), DPV_MAX(DPV_SET(low), u))
#define dppair_within_(u, low, high, v)                                                            \
  DPV_SEL(DPV_AND(DPV_LT(DPV_SET(low), u), DPV_LT(u, DPV_SET(high))), DPV_SET(v), DPV_SET(0))

#define dppair_huber_INFO "u^2/2 if |u| <= k, else k |u| - k^2/2", "knee k > 0", "Huber 1964"
#define dppair_huber_RANGE                                                                         \
  (dppair_huber_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,                   \
   dppair_huber_value_)
/* The slope a = u held within [-k, k]; the value a (u - a/2). */
#define dppair_huber_KIND dppair_piecewise
#define dppair_huber_CURVE dppair_curve
#define dppair_huber_PIECES(p)                                                                     \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0}, {(double)(p)[0], -(double)(p)[0], 1, 0}, {                   \
      -(double)(p)[0], -(double)(p)[0], -1, 0                                                      \
    }                                                                                              \
  }
#define dppair_huber_VALUE(u, p)                                                                   \
  DPV_MUL(dppair_huber_SLOPE(u, p),                                                                \
          DPV_SUB(u, DPV_MUL(dppair_huber_SLOPE(u, p), DPV_SET((DPV_R)0.5))))
#define dppair_huber_SLOPE(u, p) dppair_held_(u, -(p)[0], (p)[0])
#define dppair_huber_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1)

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_huber_value_(double u, const double *p) {
  (void)p;
  return dppair_huber_VALUE(u, p);
}
DPPAIR_FN_ double dppair_huber_at_(int what, double u, const double *p) { DPPAIR_AT_(dppair_huber) }
DPPAIR_FN_ void dppair_huber_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_huber_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/moreau.h --------------------------------------------------------------------
 * Moreau's envelopes of the size of a residual and of the pinball
 *
 * The slope a = u/w held within [-1, 1] or [tau - 1, tau]; the value a (u - a w/2).
 * ---------------------------------------------------------------------------------------------- */

#define dppair_moreau_(u, a, w) DPV_MUL(a, DPV_SUB(u, DPV_MUL(a, DPV_SET((w) / 2))))

#define dppair_moreau_absolute_INFO                                                                \
  "envelope of |u|: u^2/(2w) if |u| <= w, else |u| - w/2", "width w > 0", "Moreau 1965"
#define dppair_moreau_absolute_RANGE                                                               \
  (dppair_moreau_absolute_range_, DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE,         \
   dppair_moreau_absolute_value_)
#define dppair_moreau_absolute_KIND dppair_piecewise
#define dppair_moreau_absolute_CURVE dppair_curve
#define dppair_moreau_absolute_PIECES(p)                                                           \
  {                                                                                                \
    {HUGE_VAL, 1, 0, 0}, {(double)(p)[0], -1, 1 / (double)(p)[0], 0}, {                            \
      -(double)(p)[0], -1, -1 / (double)(p)[0], 0                                                  \
    }                                                                                              \
  }
#define dppair_moreau_absolute_VALUE(u, p)                                                         \
  dppair_moreau_(u, dppair_moreau_absolute_SLOPE(u, p), (p)[0])
#define dppair_moreau_absolute_SLOPE(u, p) dppair_held_(DPV_DIV(u, DPV_SET((p)[0])), -1, 1)
#define dppair_moreau_absolute_CURVATURE(u, p) dppair_within_(u, -(p)[0], (p)[0], 1 / (p)[0])

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_moreau_absolute_value_(double u, const double *p) {
  (void)p;
  return dppair_moreau_absolute_VALUE(u, p);
}
DPPAIR_FN_ double dppair_moreau_absolute_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_moreau_absolute)
}
DPPAIR_FN_ void dppair_moreau_absolute_range_(dppair_range *range, const dppair_margins *m,
                                              const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_moreau_absolute_at_, &marks);
}
DPPAIR_FP_END_

#define dppair_moreau_pinball_INFO                                                                 \
  "envelope of the pinball: a u - a^2 w/2, a = u/w held within [tau-1, tau]",                      \
      "tau in (0,1), width w > 0", "Moreau 1965"
#define dppair_moreau_pinball_RANGE                                                                \
  (dppair_moreau_pinball_range_,                                                                   \
   DPPAIR_IS_CONVEX | DPPAIR_IS_SMOOTH | DPPAIR_TAKES_LEVEL | DPPAIR_TAKES_SIZE,                   \
   dppair_moreau_pinball_value_)
#define dppair_moreau_pinball_KIND dppair_piecewise
#define dppair_moreau_pinball_CURVE dppair_curve
#define dppair_moreau_pinball_PIECES(p)                                                            \
  {                                                                                                \
    {HUGE_VAL, (double)(p)[0], 0, 0},                                                              \
        {(double)(p)[0] * (double)(p)[1], -(double)(p)[0], 1 / (double)(p)[1], 0}, {               \
      ((double)(p)[0] - 1) * (double)(p)[1], (double)(p)[0] - 1, -1 / (double)(p)[1], 0            \
    }                                                                                              \
  }
#define dppair_moreau_pinball_VALUE(u, p)                                                          \
  dppair_moreau_(u, dppair_moreau_pinball_SLOPE(u, p), (p)[1])
#define dppair_moreau_pinball_SLOPE(u, p)                                                          \
  dppair_held_(DPV_DIV(u, DPV_SET((p)[1])), (p)[0] - 1, (p)[0])
#define dppair_moreau_pinball_CURVATURE(u, p)                                                      \
  dppair_within_(u, (p)[1] * ((p)[0] - 1), (p)[1] * (p)[0], 1 / (p)[1])

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_moreau_pinball_value_(double u, const double *p) {
  (void)p;
  return dppair_moreau_pinball_VALUE(u, p);
}
DPPAIR_FN_ double dppair_moreau_pinball_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_moreau_pinball)
}
DPPAIR_FN_ void dppair_moreau_pinball_range_(dppair_range *range, const dppair_margins *m,
                                             const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = p[1] * (p[0] - 0.5);
  marks.curvature_jumps = 1;
  dppair_range_scan_(range, m, p, dppair_moreau_pinball_at_, &marks);
}
DPPAIR_FP_END_

/* ---- src/losses/welsch.h --------------------------------------------------------------------
 * Welsch's loss
 * ---------------------------------------------------------------------------------------------- */

#define dppair_welsch_INFO                                                                         \
  "h^2 (1 - e^(-u^2/(2h^2)))", "bandwidth h > 0", "Hu et al. 2013 (minimum error entropy)"
#define dppair_welsch_RANGE                                                                        \
  (dppair_welsch_range_, DPPAIR_IS_SMOOTH | DPPAIR_TAKES_SIZE, dppair_welsch_value_)
/* v = u/h, e = e^(-v^2/2). The value's error is in proportion to h^2, its supremum. Where
 * e is 0, v^2 counts as 2000 in the curvature, lest 0 is multiplied by an infinity. */
#define dppair_welsch_v_(u, p) DPV_DIV(u, DPV_SET((p)[0]))
#define dppair_welsch_half_(u, p)                                                                  \
  DPV_MUL(DPV_SET((DPV_R)0.5), DPV_MUL(dppair_welsch_v_(u, p), dppair_welsch_v_(u, p)))
#define dppair_welsch_e_(u, p) DPV_EXP(DPV_NEG(dppair_welsch_half_(u, p)))
#define dppair_welsch_KIND dppair_pairs
#define dppair_welsch_CURVE dppair_curve
#define dppair_welsch_VALUE(u, p)                                                                  \
  DPV_MUL(DPV_SET((p)[0] * (p)[0]), DPV_SUB(DPV_SET(1), dppair_welsch_e_(u, p)))
#define dppair_welsch_SLOPE(u, p) DPV_MUL(u, dppair_welsch_e_(u, p))
#define dppair_welsch_CURVATURE(u, p)                                                              \
  DPV_MUL(                                                                                         \
      dppair_welsch_e_(u, p),                                                                      \
      DPV_SUB(DPV_SET(1), DPV_MUL(DPV_SET(2), DPV_MIN(DPV_SET(1000), dppair_welsch_half_(u, p)))))

DPPAIR_FP_BEGIN_
DPPAIR_FN_ double dppair_welsch_value_(double u, const double *p) {
  (void)p;
  return dppair_welsch_VALUE(u, p);
}
DPPAIR_FN_ double dppair_welsch_at_(int what, double u, const double *p) {
  DPPAIR_AT_(dppair_welsch)
}
DPPAIR_FN_ void dppair_welsch_range_(dppair_range *range, const dppair_margins *m,
                                     const double *p) {
  dppair_landmarks_ marks = {{0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}, 0, 0};
  marks.extreme[0] = -p[0]; /* phi'' = 0 at +-h, phi''' = 0 at 0 and +-sqrt(3) h */
  marks.extreme[1] = p[0];
  marks.extreme[2] = -1.7320508075688772 * p[0];
  marks.extreme[3] = 1.7320508075688772 * p[0];
  dppair_range_scan_(range, m, p, dppair_welsch_at_, &marks);
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
/* ---- src/losses/at_run_time.h ---------------------------------------------------------------
 * Losses chosen at run time: names, facts, values
 *
 * Parameters are doubles here. Results have the scalar tier's bits: one.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_MAX_PARAMS 2

typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
  size_t params; /* how many parameters: 0, 1 or 2 */
} dppair_loss_info;

DPPAIR_FP_BEGIN_

/* How many parameters the flags of a loss tell of. */
DPPAIR_FN_ size_t dppair_facts_params_(const dppair_loss_facts *facts) {
  return (facts->flags & DPPAIR_TAKES_LEVEL ? 1u : 0u) +
         (facts->flags & DPPAIR_TAKES_SIZE ? 1u : 0u);
}

/* OK when the parameters that the flags tell of are in range; else DOMAIN, or NULL when they are
 * missing. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_facts_check_(const dppair_loss_facts *facts,
                                                               const double *params) {
  const size_t count = dppair_facts_params_(facts);
  size_t k;
  if (count > 0 && !params) return DPPAIR_ERR_NULL;
  for (k = 0; k < count; k++) {
    const int level = k == 0 && facts->flags & DPPAIR_TAKES_LEVEL;
    if (!dppair_isfinite_f64(params[k])) return DPPAIR_ERR_DOMAIN;
    if (level && !(params[k] > 0.0 && params[k] < 1.0)) return DPPAIR_ERR_DOMAIN;
    if (!level && !(params[k] >= 1e-100 && params[k] <= 1e100)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* The facts of a loss for dppair_constants_find; NULL for a number that is no loss. A program that
 * calls this function holds the code of every shipped loss: where the loss is known, DPPAIR_FACTS
 * or NAME_sensitivity does with its own. */
DPPAIR_API const dppair_loss_facts *dppair_loss_facts_of(dppair_loss loss) {
  static const dppair_loss_facts table[] = {
#define DPPAIR_X_(name) DPPAIR_FACTS(dppair_##name),
      DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* What the table says of a loss, or NULL for a number that is no loss. */
DPPAIR_API const dppair_loss_info *dppair_loss_describe(dppair_loss loss) {
#define DPPAIR_X_(name) DPPAIR_LOSS_ROW_(name, dppair_##name##_INFO, dppair_##name##_RANGE),
#define DPPAIR_LOSS_ROW_(name, info, range)                                                        \
  { #name, info, DPPAIR_LOSS_FLAGS_ range }
#define DPPAIR_LOSS_FLAGS_(f, flags, value)                                                        \
  ((flags)&DPPAIR_IS_CONVEX) != 0, ((flags)&DPPAIR_IS_MONOTONE) != 0,                              \
      ((flags)&DPPAIR_IS_SMOOTH) != 0,                                                             \
      (((flags)&DPPAIR_TAKES_LEVEL) != 0) + (((flags)&DPPAIR_TAKES_SIZE) != 0)
  static const dppair_loss_info table[] = {DPPAIR_LOSS_TABLE(DPPAIR_X_)};
#undef DPPAIR_LOSS_FLAGS_
#undef DPPAIR_LOSS_ROW_
#undef DPPAIR_X_
  return (unsigned)loss < (unsigned)DPPAIR_LOSS_COUNT ? &table[loss] : NULL;
}

/* *loss = the loss of that name; DPPAIR_LOSS_COUNT and DOMAIN when there is none. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_find(dppair_loss *loss, const char *name) {
  int i;
  if (!loss) return DPPAIR_ERR_NULL;
  *loss = DPPAIR_LOSS_COUNT;
  if (!name) return DPPAIR_ERR_NULL;
  for (i = 0; i < (int)DPPAIR_LOSS_COUNT; i++) {
    if (strcmp(name, dppair_loss_describe((dppair_loss)i)->name) != 0) continue;
    *loss = (dppair_loss)i;
    return DPPAIR_OK;
  }
  return DPPAIR_ERR_DOMAIN;
}

/* phi(u), phi'(u) or phi''(u); nothing is checked. */
DPPAIR_FN_ double dppair_loss_at_(dppair_loss loss, int what, double u, const double *p) {
  switch (loss) {
#define DPPAIR_X_(name)                                                                            \
  case DPPAIR_LOSS_##name:                                                                         \
    return what == DPPAIR_VALUE_ ? dppair_##name##_value_(u, p) : dppair_##name##_at_(what, u, p);
    DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  default:
    return 0.0;
  }
}

/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. params: those of the loss, in the order of its description: levels in (0, 1),
 * widths, knees and bandwidths in [1e-100, 1e100]. u is not checked: for NaN the value is NaN, and
 * the slope is NaN or within the loss's bound. Errors, with outputs zeroed: NULL, DOMAIN (the loss
 * or its parameters); with outputs left alone: OVERFLOW (n numbers have no size). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope,
                                                            double *curvature, const double *u,
                                                            size_t n, dppair_loss loss,
                                                            const double *params) {
  const dppair_loss_facts *facts = dppair_loss_facts_of(loss);
  const dppair_status status = facts ? dppair_facts_check_(facts, params) : DPPAIR_ERR_DOMAIN;
  size_t i;
  if (n > SIZE_MAX / sizeof *u) return DPPAIR_ERR_OVERFLOW;
  if (value && n) memset(value, 0, n * sizeof *value);
  if (slope && n) memset(slope, 0, n * sizeof *slope);
  if (curvature && n) memset(curvature, 0, n * sizeof *curvature);
  if (status != DPPAIR_OK) return status;
  if (!u && n) return DPPAIR_ERR_NULL;
  for (i = 0; i < n; i++) {
    if (value) value[i] = dppair_loss_at_(loss, DPPAIR_VALUE_, u[i], params);
    if (slope) slope[i] = dppair_loss_at_(loss, DPPAIR_SLOPE_, u[i], params);
    if (curvature) curvature[i] = dppair_loss_at_(loss, DPPAIR_CURVATURE_, u[i], params);
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#undef DPPAIR_SUFFIX_
#undef DPV_R

/* ---- src/losses/margins.h -------------------------------------------------------------------
 * Margins, and the constants that privacy and step sizes rest on
 *
 *   X(name, formula of the loss of an ordered pair (z, z'), source)
 *
 * A margin says what phi is applied to, for an ordered pair (z, z') of records z = (x, y). Here
 * s = w.x with |x| <= R and |w| <= B; M(x, x') = (x - x')^T W (x - x') with |W|_F <= B; |L|_F <= B.
 * The risk sums both orders of each pair and divides by n (n - 1).
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_MARGIN_TABLE(X)                                                                     \
  X(ind, "phi(s - s') 1[y > y'], two label levels", "Xue et al. 2021")                             \
  X(ind_levels, "phi(s - s') 1[y > y'], three levels or more", "Herbrich et al. 2000")             \
  X(diff, "phi((y - y')(s - s')), |y| <= Y", "Kang et al. 2021")                                   \
  X(sign, "phi(sign(y - y')(s - s')), two label levels", "Agarwal and Niyogi 2009")                \
  X(sign_levels, "phi(sign(y - y')(s - s')), three levels or more", "Agarwal and Niyogi 2009")     \
  X(residual, "phi((y - y') - (s - s')), |y| <= Y", "Agarwal and Niyogi 2009; Hu et al. 2013")     \
  X(metric_psd, "phi(yy' (b - M(x, x'))), W positive semidefinite", "Jin et al. 2009")             \
  X(metric, "phi(yy' (b - M(x, x'))), W symmetric", "Yang et al. 2021 (b = 0, hinge)")             \
  X(factor, "phi(yy' (b - |L^T (x - x')|^2)), W = L L^T", "Weinberger and Saul 2009")              \
  X(similarity, "phi(yy' (x^T W x' - b)), W symmetric", "Guo and Ying 2014")

/* What of two records a loss is a function of: the rows of DPPAIR_MARGIN_TABLE. */
typedef enum dppair_margin {
#define DPPAIR_X_(name, formula, source) DPPAIR_MARGIN_##name,
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_MARGIN_COUNT
} dppair_margin;

/* The name of a margin, and its formula in *formula when formula is not NULL. NULL: no margin. */
DPPAIR_FN_ const char *dppair_margin_name_(dppair_margin margin, const char **formula) {
#define DPPAIR_X_(name, text, source)                                                              \
  if (margin == DPPAIR_MARGIN_##name) {                                                            \
    if (formula) *formula = text;                                                                  \
    return #name;                                                                                  \
  }
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  return NULL;
}

/* What is publicly known of records and parameters. HUGE_VAL means "no bound". */
typedef struct dppair_bounds {
  double radius;       /* R: every row is clipped to it; HUGE_VAL: any scorer, and then a clip    */
  double param_radius; /* B: EVERY point at which a gradient is taken is projected on this ball,  */
                       /* the first and each noisy restart too; HUGE_VAL: unprojected             */
  double label_bound;  /* Y, for diff and residual                                                */
  double offset;       /* b, for metric, factor and similarity                                    */
  double clip;         /* each ordered pair's gradient is clipped to this norm; 0: not clipped    */
} dppair_bounds;

/*
 * The constants of the loss of one ordered pair, WITHOUT any regulariser. A regulariser that does
 * not read the data has the same gradient on both of two neighbouring data sets, so it cancels in
 * every sensitivity; dppair_constants_regularise_ says where it counts.
 */
typedef struct dppair_constants {
  double slope;       /* s: sup |phi'| over the margins that are reached                          */
  double lipschitz;   /* G: sup norm of the gradient                                              */
  double smoothness;  /* L: Lipschitz constant of the gradient; HUGE_VAL when there is none       */
  double bound;       /* M: sup |loss|; HUGE_VAL when there is none                               */
  double move;        /* Dm: largest change of (grad l(z, z') + grad l(z', z))/2 when z is        */
                      /* replaced and z' is fixed                                                 */
  double replace_one; /* 2 Dm: the mean gradient's sensitivity to one replaced record, times n    */
  double zero_out;    /* ... and to one record that is made null                                  */
  int convex;         /* the loss is convex in the parameters                                     */
  unsigned projected; /* which figures hold on the ball |w| <= B only: DPPAIR_ONLY_PROJECTED_*    */
} dppair_constants;

enum {
  DPPAIR_ONLY_PROJECTED_G = 1, /* slope, lipschitz, move, replace_one, zero_out */
  DPPAIR_ONLY_PROJECTED_L = 2,
  DPPAIR_ONLY_PROJECTED_M = 4
};

/* ---- src/losses/reach.h ---------------------------------------------------------------------
 * The range of a loss over the margins of a domain
 * ---------------------------------------------------------------------------------------------- */

/* What the constants of a loss are computed from. */
typedef struct dppair_domain_ {
  dppair_loss_facts facts;
  const double *params;
  dppair_bounds bounds;
  double slack; /* how far rounding moves a margin, as a part of the largest; 0: as in double */
  int straight; /* the loss is that parabola, if it is one: no score is capped, no pair clipped */
} dppair_domain_;

DPPAIR_FP_BEGIN_

/*
 * How far a computed margin may lie beyond an end of its interval, as a part of the largest margin.
 * Rows of thousands of float numbers round by less; so do norms and projections that hold up to
 * rounding (a computed positive semidefinite W has eigenvalues just below 0).
 */
DPPAIR_FN_ double dppair_room_(double largest, double slack) {
  const double part = slack > 0.0009765625 ? slack : 0.0009765625; /* 2^-10 */
  return part * largest + 1e-30;                                   /* float results that vanish */
}

enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */

/*
 * Widens r by the interval [low, high] (ends may be infinite) of margins of size at most `reach`.
 * The ends are moved outwards by their own rounding. Where the slope or the curvature jumps at an
 * end that is `crossed`, or in the room beyond it, both sides of the jump count.
 */
DPPAIR_OUT_OF_LINE_ void dppair_slopes_add_(dppair_range *r, const dppair_domain_ *x, double low,
                                            double high, double reach, int crossed) {
  const double remote = 1e300;  /* in place of an infinite end: every loss can be evaluated there */
  const double huge = 1e250; /* a supremum beyond this is no bound */
  const double ulps = (4.0 * DBL_EPSILON + x->slack) * reach, room = dppair_room_(reach, x->slack);
  const double moved = x->slack > 0.0 ? ulps : 0.0;
  const double lower = low - (crossed & DPPAIR_LOW_ ? room : moved);
  const double upper = high + (crossed & DPPAIR_HIGH_ ? room : moved);
  dppair_range one = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  dppair_margins m;
  m.low = low - ulps > -remote ? low - ulps : -remote;
  m.high = high + ulps < remote ? high + ulps : remote;
  m.least = lower > -remote ? lower : -remote;
  m.most = upper < remote ? upper : remote;
  m.value = x->facts.value;
  x->facts.range(&one, &m, x->params);
  dppair_raise_(&r->down, one.down <= huge ? one.down : HUGE_VAL);
  dppair_raise_(&r->up, one.up <= huge ? one.up : HUGE_VAL);
  dppair_raise_(&r->odd, one.odd <= huge ? one.odd : HUGE_VAL);
  dppair_raise_(&r->curvature, one.curvature <= huge ? one.curvature : HUGE_VAL);
  dppair_raise_(&r->value, one.value <= huge ? one.value : HUGE_VAL);
}

DPPAIR_FN_ double dppair_least_(double a, double b) { return a < b ? a : b; }
/* a * b with 0 * infinity = 0: a quantity that is identically zero needs no bound. */
DPPAIR_FN_ double dppair_times_(double a, double b) { return a > 0.0 && b > 0.0 ? a * b : 0.0; }

/*
 * The factor's G and L. With t = |L^T (x - x')|^2 in [0, 4R^2 B^2] a pair's gradient is at most
 * 4R sqrt(t) |phi'(u)| long, u = +-(b - t), and its Lipschitz constant at most
 * 16R^2 t |phi''(u)| + 8R^2 |phi'(u)| (see below): their suprema over t, cell by cell, each with
 * the largest t of its cell.
 */
DPPAIR_OUT_OF_LINE_ void dppair_factor_bounds_(double *gradient, double *curvature,
                                               const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius, cells = 1024.0;
  const double reach = root * root + dppair_fabs_(b->offset);
  const double room = dppair_room_(reach, x->slack);
  const int smooth = (x->facts.flags & DPPAIR_IS_SMOOTH) != 0;
  double k, before = smooth ? 0.0 : -room;
  *gradient = *curvature = 0.0;
  for (k = smooth ? 1.0 : 0.0; k <= cells; k += 1.0) { /* k = 0: computed beyond t = 0 */
    const double most = k > 0.0 ? root * (k / cells) : dppair_sqrt_(room), t = most * most;
    dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
    const int last = k >= cells;
    double slope, norm, change;
    dppair_slopes_add_(&r, x, b->offset - t, b->offset - before, reach, last ? DPPAIR_LOW_ : 0);
    dppair_slopes_add_(&r, x, before - b->offset, t - b->offset, reach, last ? DPPAIR_HIGH_ : 0);
    slope = r.down > r.up ? r.down : r.up;
    norm = dppair_times_(2.0 * r2 * most, slope);
    change = dppair_times_(4.0 * r2 * r2 * t, r.curvature) + dppair_times_(2.0 * r2 * r2, slope);
    *gradient = norm > *gradient ? norm : *gradient;
    *curvature = change > *curvature ? change : *curvature;
    before = k > 0.0 ? t : 0.0;
  }
}

/*
 * What pairs of the factor with t near 0 add to the move. Their computed margins may lie beyond the
 * end t = 0, on the other side of a kink, and then have coefficients beyond [-down, up]; but their
 * vectors are at most 4R sqrt(room) long. *slope is raised to those coefficients.
 */
DPPAIR_FN_ double dppair_factor_near_(double *slope, double down, double up,
                                      const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius, root = r2 * b->param_radius;
  const double room = dppair_room_(root * root + dppair_fabs_(b->offset), x->slack);
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0}, opposite = {0.0, 0.0, 0.0, 0.0, 0.0};
  double lowest, highest, more;
  dppair_slopes_add_(&r, x, b->offset - room, b->offset + room, 0.0, 0);
  dppair_slopes_add_(&opposite, x, -b->offset - room, -b->offset + room, 0.0, 0);
  lowest = r.up > opposite.down ? r.up : opposite.down;
  highest = r.down > opposite.up ? r.down : opposite.up;
  *slope = lowest > *slope ? lowest : *slope;
  *slope = highest > *slope ? highest : *slope;
  more = lowest - down > highest - up ? lowest - down : highest - up;
  return dppair_times_(2.0 * more, 2.0 * r2 * dppair_sqrt_(room));
}

DPPAIR_FP_END_

/* ---- src/losses/constants.h -----------------------------------------------------------------
 * The constants of a loss with a margin on a public domain, and their proofs
 *
 * One ordered pair has the gradient c v: c is phi' or -phi', v the gradient of the margin in the
 * parameters. Write s for sup |phi'| and V for sup |v|.
 *
 * Gradient and curvature. |c| <= s gives G = s V. A margin that is linear in the parameters has the
 * Hessian phi'' v v^T, which gives L = V^2 sup |phi''|. The factor W = L L^T has
 * v = 2 (x - x')(L^T (x - x'))^T. With t = |L^T (x - x')|^2 = b -+ u the norm of v is
 * 2 |x - x'| sqrt(t), and its derivative is at most 2 * 4R^2.
 *
 * Move. Fix the partner z' and let z run over all records. The differences x - x' lie in the ball
 * B(-x', R), which holds 0; so {c (x - x') : -d <= c <= u} has diameter at most 2R (d + u), where d
 * and u bound -phi' and phi' with the sign of the pair included.
 *   - If phi is monotone and z' meets one side of the labels only, d or u is 0. This halves the
 *     noise of 'diff' and quarters that of 'ind', whose other order is identically 0. With three
 *     label levels z' meets both sides. In 'diff' with real labels the factors of y > y' and of
 *     y < y' add up to at most 2 Y.
 *   - Quadratics have Dm <= s V although phi' changes sign. Let z = x - x', a the factor of the
 *     label, zeta = a z. Then (1 - a w.z)^2 has the gradient 2 (zeta zeta^T w - zeta); (a - w.z)^2
 *     has 2 (z z^T w - a z), and so has the mean of both orders of (1 - (a - w.z))^2; (a w.z)^2 has
 *     2 zeta zeta^T w. Two positive semidefinite matrices differ by at most the larger norm, so
 *     zeta zeta^T w moves by at most B max |zeta|^2; zeta moves by at most max |a| 2R (as above);
 *     together that is s V. With three label levels zeta moves by twice as much: s V + 2V.
 *   - The mean of a residual's two orders has the odd part of phi' as its coefficient; for the
 *     pinball that is 1/2 at any tau.
 *
 * Squared distances. |p v v^T - q w w^T|_F <= max(p, q) 4R^2 for p, q >= 0 and v, w in B(-x', R),
 * so coefficients in [-d, u] give at most 4R^2 (d + u). Proof: the norm is convex in (p, q), so one
 * of the corners of [0, m]^2 is the worst, and only p = q = m needs an argument. Let R = 1 and
 * F^2 = |v|^4 + |w|^4 - 2 (v.w)^2; we show F <= 4.
 *   - If v.w < 0 then |v|^2 + |w|^2 <= |v - w|^2 <= 4.
 *   - Otherwise some unit ball around a c with |c| = 1 holds v and w: the lens of the centres
 *     within 1 of both is convex, holds -x' and has a point at distance 1 or more from 0. So
 *     |v| <= 2 cos A and |w| <= 2 cos B, where A and B are the angles to c, and v, w are at most
 *     A + B apart. F^2 is convex in |v|^2 and in |w|^2, hence largest at an end of each; the end 0
 *     is clear. If A + B exceeds a right angle, F^2 <= 16 (cos^4 A + sin^4 A). If not, let
 *     a = cos A cos B >= b = sin A sin B; then
 *     F^2/16 = 1 - 2b^2 + (a - b)^2 (b^2 + 2ab - a^2). With a = t b and b <= 1/(1 + t) (because
 *     a + b <= 1) the last term is b^4 y (2 - y) <= b^4 for y = (t - 1)^2, at most b^2. QED
 *
 * Similarity. Z = (x x'^T + x' x^T)/2 is linear in x and at most R^2 long. A quadratic has the
 * gradient 2 <W, Z> Z - 2 a Z with a = b (least squares) or b +- 1; its terms move by 2 B R^4 (as
 * above) and by 4 |a| R^2, together s V + 2 |a| V.
 *
 * No mean moves by more than twice its largest norm. Clipping scales c towards 0, so all bounds
 * above stay valid, but for the quadratics, whose clipped gradients are no scaled quadratic: where
 * only one order of a pair has a gradient, or both orders have the same (all but the residual's
 * square), the mean of the clipped gradients is the clipped mean or half of it, and a projection on
 * a ball brings no two points further apart. The clipped norm is one more bound.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What the margins of a domain reach: of all pairs, or of those of equal labels [0], and of those
 * of opposite labels [1], if they differ. */
typedef struct dppair_reach_ {
  int kinds;              /* 1 or 2 */
  double low[2], high[2]; /* the margins, +-infinity where there is no bound */
  double reach;           /* the largest of their sizes */
  int crossed[2];         /* the ends that computed margins may pass */
  dppair_range phi[2];    /* of the loss over them; zeros for the second of one */
  double norm;            /* V, the largest norm of the margin's gradient in the parameters */
} dppair_reach_;

DPPAIR_OUT_OF_LINE_ dppair_reach_ dppair_reach_of_(dppair_margin margin, const dppair_domain_ *x) {
  const dppair_bounds *b = &x->bounds;
  const double r2 = 2.0 * b->radius; /* the largest |x - x'| */
  const int factor = margin == DPPAIR_MARGIN_factor;
  dppair_reach_ m;
  double remote, least;
  int k;
  memset(&m, 0, sizeof m);
  m.kinds = 1;
  m.crossed[0] = m.crossed[1] = DPPAIR_LOW_ | DPPAIR_HIGH_;
  m.norm = r2;
  remote = r2 * b->param_radius;
  switch (margin) {
  case DPPAIR_MARGIN_ind:
  case DPPAIR_MARGIN_ind_levels:
  case DPPAIR_MARGIN_sign:
  case DPPAIR_MARGIN_sign_levels:
    break;
  case DPPAIR_MARGIN_diff:
    m.norm = 2.0 * b->label_bound * r2;
    remote = m.norm * b->param_radius;
    break;
  case DPPAIR_MARGIN_residual:
    remote = 2.0 * b->label_bound + r2 * b->param_radius;
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric:
  case DPPAIR_MARGIN_factor:
    m.kinds = 2;
    m.norm = r2 * r2;
    remote = m.norm * b->param_radius; /* the largest M */
    if (factor) {
      m.norm = 2.0 * m.norm * b->param_radius;
      remote *= b->param_radius;
      m.crossed[0] = DPPAIR_LOW_;
      m.crossed[1] = DPPAIR_HIGH_;
    }
    least = margin == DPPAIR_MARGIN_metric ? remote : 0.0; /* the smallest M is minus this */
    m.low[0] = b->offset - remote;
    m.high[0] = b->offset + least;
    m.low[1] = -b->offset - least;
    m.high[1] = -b->offset + remote;
    break;
  default: /* similarity */
    m.kinds = 2;
    m.norm = b->radius * b->radius;
    remote = m.norm * b->param_radius;
    m.low[0] = -b->offset - remote;
    m.high[0] = -b->offset + remote;
    m.low[1] = b->offset - remote;
    m.high[1] = b->offset + remote;
    break;
  }
  if (m.kinds == 1) {
    m.low[0] = -remote;
    m.high[0] = remote;
  }
  m.reach = m.kinds == 1 ? remote : remote + dppair_fabs_(b->offset);
  for (k = 0; k < m.kinds; k++)
    dppair_slopes_add_(&m.phi[k], x, m.low[k], m.high[k], m.reach, m.crossed[k]);
  return m;
}

/* |phi'(0)| and phi'' of a parabola; zeros of any other loss, and where a parabola is cut. */
DPPAIR_FN_ dppair_range dppair_parabola_(const dppair_domain_ *x) {
  const dppair_margins zero = {0.0, 0.0, 0.0, 0.0, NULL};
  dppair_range r = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (!(x->facts.flags & DPPAIR_IS_QUADRATIC) || !x->straight) return r;
  x->facts.range(&r, &zero, x->params);
  return r;
}

/*
 * The mean of a pair's two gradients: *mean bounds its norm and *spread how far it moves with one
 * of the two records. In: the reach of the margin; `largest`, the norm of one gradient; `sum`, the
 * length of the range of the coefficients; `nearby`, what the factor's pairs near t = 0 add.
 */
DPPAIR_FN_ void dppair_mean_of_orders_(double *mean, double *spread, dppair_margin margin,
                                       const dppair_domain_ *x, const dppair_reach_ *m,
                                       double largest, double sum, double nearby) {
  const int levels = margin == DPPAIR_MARGIN_ind_levels || margin == DPPAIR_MARGIN_sign_levels;
  const int residual = margin == DPPAIR_MARGIN_residual;
  const int similarity = margin == DPPAIR_MARGIN_similarity;
  const double clip = x->bounds.clip > 0.0 ? x->bounds.clip : HUGE_VAL;
  const dppair_range at_zero = dppair_parabola_(x);
  const double slope = at_zero.down > at_zero.up ? at_zero.down : at_zero.up;
  const double curvature = at_zero.curvature, odd = m->phi[0].odd;
  *mean = residual && dppair_isfinite_f64(odd) ? dppair_times_(odd, m->norm) : largest;
  *spread = dppair_times_(sum, m->norm) + nearby;
  if (levels || residual || similarity) *spread = 2.0 * *mean;
  if (curvature > 0.0 && margin < DPPAIR_MARGIN_residual)
    *spread = *mean + (levels ? dppair_times_(slope, m->norm) : 0.0);
  if (curvature > 0.0 && residual && !(slope > 0.0 && clip < largest)) *spread = *mean;
  if (curvature > 0.0 && similarity)
    *spread = *mean + dppair_times_(curvature * dppair_fabs_(x->bounds.offset) + slope, m->norm);
  /* nothing but rounding errors is left of a residual's two orders */
  if (residual && dppair_isfinite_f64(largest) && *mean <= 64.0 * DBL_EPSILON * largest)
    *mean = 0.0;
  *mean = dppair_least_(*mean, clip);
  *spread = dppair_least_(*spread, 2.0 * *mean);
}

/* The constants at arguments in range, before they are rounded up. */
DPPAIR_OUT_OF_LINE_ void dppair_constants_fill_(dppair_constants *out, dppair_margin margin,
                                                const dppair_domain_ *x) {
  const int factor = margin == DPPAIR_MARGIN_factor;
  /* of 'ind' one order of a pair is 0, which halves the mean of the two */
  const int is_ind = margin == DPPAIR_MARGIN_ind || margin == DPPAIR_MARGIN_ind_levels;
  const double share = is_ind ? 0.5 : 1.0, clip = x->bounds.clip > 0.0 ? x->bounds.clip : HUGE_VAL;
  const dppair_reach_ m = dppair_reach_of_(margin, x);
  double down, up, largest, change, mean, spread, norm = HUGE_VAL, nearby = 0.0;
  /* coefficients of pairs of equal labels are -phi', those of opposite labels +phi' */
  down = m.phi[0].up > m.phi[1].down ? m.phi[0].up : m.phi[1].down;
  up = m.phi[0].down > m.phi[1].up ? m.phi[0].down : m.phi[1].up;
  out->slope = down > up ? down : up;
  if (factor && !(x->facts.flags & DPPAIR_IS_SMOOTH))
    nearby = dppair_factor_near_(&out->slope, down, up, x);
  largest = dppair_times_(out->slope, m.norm);
  change = m.phi[0].curvature > m.phi[1].curvature ? m.phi[0].curvature : m.phi[1].curvature;
  change = dppair_times_(dppair_times_(change, m.norm), m.norm);
  if (factor) dppair_factor_bounds_(&norm, &change, x);
  largest = dppair_least_(largest, norm);
  out->lipschitz = dppair_least_(largest, clip);
  out->smoothness = change;
  out->bound = m.phi[0].value > m.phi[1].value ? m.phi[0].value : m.phi[1].value;
  out->convex =
      x->facts.flags & DPPAIR_IS_CONVEX && !factor && dppair_isfinite_f64(x->bounds.radius);
  if (clip < largest && !out->convex) out->smoothness = HUGE_VAL;
  dppair_mean_of_orders_(&mean, &spread, margin, x, &m, largest, down + up, nearby);
  out->move = share * spread;
  out->replace_one = 2.0 * out->move;
  out->zero_out = 2.0 * (share * mean);
}

/* Whether x is a size: HUGE_VAL, or a number that is large enough for products of four sizes to be
 * normal numbers; not NaN, negative or 0. */
DPPAIR_FN_ int dppair_size_or_infinite_(double x) {
  return x >= 1e-60 && (x <= 1e100 || !dppair_isfinite_f64(x));
}

/* The arguments of dppair_constants_find that are not written: NULL, DOMAIN. */
DPPAIR_FN_ dppair_status dppair_domain_check_(dppair_margin margin, const dppair_loss_facts *facts,
                                              const double *params, const dppair_bounds *b) {
  dppair_status status;
  if (!facts || !facts->range || !b) return DPPAIR_ERR_NULL;
  status = dppair_facts_check_(facts, params);
  if (status != DPPAIR_OK) return status;
  if ((unsigned)margin >= (unsigned)DPPAIR_MARGIN_COUNT) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(b->radius)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(b->param_radius)) return DPPAIR_ERR_DOMAIN;
  if ((margin == DPPAIR_MARGIN_diff || margin == DPPAIR_MARGIN_residual) &&
      !dppair_size_or_infinite_(b->label_bound))
    return DPPAIR_ERR_DOMAIN;
  if (!(dppair_fabs_(b->offset) <= 1e100)) return DPPAIR_ERR_DOMAIN;
  return b->clip == 0.0 || (b->clip >= 1e-60 && b->clip <= 1e100) ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/*
 * *out = the constants of a loss with a margin on the public domain *bounds. Each is an upper
 * bound, rounded up, and holds for margins as computed, in float too: where phi' or phi'' jumps at
 * an end of the interval of margins, or beyond it by up to 2^-10 of the largest margin, both sides
 * count.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n, but for
 * rounding. NAME_sensitivity adds that, and knows batches.
 *
 * How tight they are without a clip, at any radii, bounds and offsets, but for such a jump beyond
 * an end:
 *   G, M, zero_out   attained (the factor's up to the grid on which they are computed)
 *   L                attained by the margins that are linear in the parameters, valid for factor
 *   move             attained in ind, diff, sign by monotone links, square, least_squares, absolute
 *                    and pinball; in residual by the last four; elsewhere by links of constant
 *                    slope (hinge, absolute, pinball) but for factor. Where it is only valid it is
 *                    at most twice the truth, which is zero_out/2 at least.
 * With a clip below G all are valid and none exceeds its value without one (a clipped loss that is
 * not convex has no L); zero_out is not attained in residual.
 *
 * facts: dppair_loss_facts_of of a loss chosen at run time, or what DPPAIR_FACTS fills in for one
 * that is known.
 *
 * Errors (out zeroed): NULL (also facts of no loss); ENVIRONMENT; DOMAIN for parameters of the loss
 * or bounds out of range (radius, param_radius in [1e-60, 1e100] or HUGE_VAL, label_bound likewise
 * where it is used, clip likewise or 0, |offset| <= 1e100); NO_PROOF when the gradient has no
 * finite bound: an unbounded slope without projection, any scorer (radius HUGE_VAL) without a clip,
 * or a mean of two orders that is constant, so that only rounding errors would be released (the
 * sigmoid of a residual; a ramp whose margins never come near [0, 1]). (Xue et al. 2021 and Kang et
 * al. 2021 print smaller G and L for logistic ranking and metric learning, by factors of 2 and 4
 * and of 4.8 and 19; the tests reach the values given here.)
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_constants_find(dppair_constants *out,
                                                                 dppair_margin margin,
                                                                 const dppair_loss_facts *facts,
                                                                 const double *params,
                                                                 const dppair_bounds *bounds) {
  const double up = 1.0 + 32.0 * DBL_EPSILON;
  dppair_status status;
  dppair_domain_ x;
  dppair_constants global;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  status = dppair_domain_check_(margin, facts, params, bounds);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  x.facts = *facts;
  x.params = params;
  x.bounds = *bounds;
  x.slack = 0.0;
  x.straight = 1;
  dppair_constants_fill_(out, margin, &x);
  if (!dppair_isfinite_f64(out->lipschitz) || !dppair_isfinite_f64(out->replace_one) ||
      !(out->replace_one >= DBL_MIN)) {
    memset(out, 0, sizeof *out);
    return DPPAIR_ERR_NO_PROOF;
  }
  x.bounds.param_radius = HUGE_VAL;
  memset(&global, 0, sizeof global);
  dppair_constants_fill_(&global, margin, &x);
  if (out->lipschitz < global.lipschitz || out->replace_one < global.replace_one)
    out->projected |= DPPAIR_ONLY_PROJECTED_G;
  if (out->smoothness < global.smoothness) out->projected |= DPPAIR_ONLY_PROJECTED_L;
  if (out->bound < global.bound) out->projected |= DPPAIR_ONLY_PROJECTED_M;
  out->slope *= up;
  out->lipschitz *= up;
  out->smoothness *= up;
  out->bound *= up;
  out->move *= up;
  out->replace_one *= up;
  out->zero_out *= up;
  return DPPAIR_OK;
}

/* What a regulariser outside the pair loss adds. */
typedef enum dppair_regulariser {
  DPPAIR_REGULARISER_HALF = 1, /* (lambda/2) |w|^2: strongly convex with lambda   */
  DPPAIR_REGULARISER_FULL = 2  /* lambda |w|^2:     strongly convex with 2 lambda */
} dppair_regulariser;

/*
 * The constants of the regularised risk: *alpha = its strong convexity; *total = smoothness,
 * Lipschitz constant and bound of its pair loss. Conditions on step sizes
 * (eta <= 2/(smoothness + alpha)) and utility bounds need these; sensitivities need the constants
 * of the data loss alone. With a = lambda or 2 lambda: alpha = a, L + a, G + a B, M + a B^2/2;
 * without projection the last two are HUGE_VAL. Errors: NULL; DOMAIN (lambda not in (0, 1e100],
 * param_radius as above); NO_PROOF when the data loss is not convex, so that nothing is strongly
 * convex; ENVIRONMENT. Outputs zeroed on error.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
dppair_constants_regularise_(double *alpha, dppair_constants *total, const dppair_constants *data,
                             dppair_regulariser kind, double lambda, double param_radius) {
  dppair_constants sum;
  double a;
  if (!alpha || !total) return DPPAIR_ERR_NULL;
  *alpha = 0.0;
  if (!data) {
    memset(total, 0, sizeof *total);
    return DPPAIR_ERR_NULL;
  }
  sum = *data; /* total and data may be the same */
  memset(total, 0, sizeof *total);
  if (kind != DPPAIR_REGULARISER_HALF && kind != DPPAIR_REGULARISER_FULL) return DPPAIR_ERR_DOMAIN;
  if (!(lambda > 0.0 && lambda <= 1e100)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_size_or_infinite_(param_radius)) return DPPAIR_ERR_DOMAIN;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!sum.convex) return DPPAIR_ERR_NO_PROOF;
  a = kind == DPPAIR_REGULARISER_HALF ? lambda : 2.0 * lambda;
  sum.smoothness += a;
  sum.lipschitz += a * param_radius;
  sum.bound += 0.5 * a * param_radius * param_radius;
  sum.projected |= DPPAIR_ONLY_PROJECTED_G | DPPAIR_ONLY_PROJECTED_M;
  *total = sum;
  *alpha = a;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

/* ---- src/losses/moves.h ---------------------------------------------------------------------
 * How far one record moves the sum of its pairs, as it is computed
 *
 * What NAME_sensitivity and NAME_form_sensitivity share. Their gradients sum each unordered pair
 * once: of 'ind' the order that has a gradient, of a form both, which are equal. Relies on
 * constants.h, and on sampling.h.
 * ---------------------------------------------------------------------------------------------- */

/* Of the gradient of one unordered pair. */
typedef struct dppair_moves_ {
  double slope;     /* sup |phi'|; HUGE_VAL: only the clip bounds the gradient */
  double norm;      /* sup of its norm */
  double replaced;  /* how far it moves with one of its records */
  double zeroed;    /* how far when one of its records becomes null */
  double crowd;     /* see the Poisson row of dppair_moves_sampled_ */
  dppair_reach_ at; /* the margins that are reached */
} dppair_moves_;

/* The groups of options, and what is public of them. */
typedef struct dppair_grouped_ {
  int across;         /* users; else queries */
  size_t count, rows; /* of this draw */
  double least; /* the smallest number of records, of at least 2, in a group; 0: there is none */
  double most;  /* a bound of the rows of any data set */
  size_t all;   /* the most groups of any draw */
} dppair_grouped_;

DPPAIR_FP_BEGIN_

/* The range of a loss that has no L_RANGE: unbounded, as it is before the call. */
DPPAIR_FN_ void dppair_no_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  (void)range;
  (void)m;
  (void)p;
}

/*
 * *m for the margin ind or one of a form. bounds as for dppair_constants_find, but radius 0 means
 * that none is known, param_radius may be 0, and the clip is an argument. cap: scores count as at
 * most this; HUGE_VAL for none. slack: by how much rounding moves a margin at most, as a part of
 * the largest one. shift: by how much a grid of scores moves it at most.
 *
 * Proof. A computed slope is a function of the two records of its pair alone, and lies in the range
 * of phi' over the margins as computed, which is what `slack` is for. All proofs of constants.h use
 * no more than that, but for those of parabolas, which use the margin too: then a pair's gradient
 * is off by at most phi'' (slack reach + shift) V, for each of two neighbours. Margins that a shift
 * moves are those of a |w| that is larger by shift/(2 radius). A parabola whose scores are
 * capped or whose gradients are clipped (by computed lengths) is none, and counts as any other
 * loss.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_find_(dppair_moves_ *m, dppair_margin margin,
                                                     const dppair_loss_facts *facts,
                                                     const double *params,
                                                     const dppair_bounds *bounds, double clip,
                                                     double cap, double slack, double shift) {
  dppair_domain_ x;
  dppair_constants k;
  dppair_status status;
  double capped;
  memset(m, 0, sizeof *m);
  memset(&k, 0, sizeof k);
  if (!facts || !bounds) return DPPAIR_ERR_NULL;
  if (!(slack <= 0.25)) return DPPAIR_ERR_SIZE;
  if (!(bounds->clip == 0.0 && clip >= 0.0 && cap > 0.0 && bounds->param_radius >= 0.0))
    return DPPAIR_ERR_DOMAIN;
  if (bounds->radius == 0.0) return DPPAIR_ERR_NO_RADIUS;
  x.facts = *facts;
  x.params = params;
  x.bounds = *bounds;
  x.bounds.clip = clip;
  x.bounds.label_bound = 1.0;
  if (margin == DPPAIR_MARGIN_ind) x.bounds.offset = 0.0;
  x.bounds.param_radius += shift / (2.0 * bounds->radius) * (1.0 + 4.0 * DBL_EPSILON);
  if (x.bounds.param_radius < 1e-60) x.bounds.param_radius = 1e-60; /* larger is safe */
  if (x.bounds.param_radius > 1e100) x.bounds.param_radius = HUGE_VAL;
  status = dppair_domain_check_(margin, facts, params, &x.bounds);
  if (status != DPPAIR_OK) return status;
  x.slack = slack;
  x.straight = !(clip > 0.0);
  capped = cap / x.bounds.radius * (1.0 + 8.0 * DBL_EPSILON);
  if (capped <= x.bounds.param_radius * (1.0 + 2.0 * slack)) { /* scores may reach the cap */
    x.straight = 0;
    if (capped < x.bounds.param_radius) x.bounds.param_radius = capped > 1e-60 ? capped : 1e-60;
  }
  dppair_constants_fill_(&k, margin, &x);
  if (!dppair_isfinite_f64(k.lipschitz) || !dppair_isfinite_f64(k.replace_one))
    return DPPAIR_ERR_NO_PROOF;
  m->at = dppair_reach_of_(margin, &x);
  m->slope = k.slope;
  m->norm = k.lipschitz;
  m->replaced = margin == DPPAIR_MARGIN_ind ? k.replace_one : k.move;
  m->zeroed = margin == DPPAIR_MARGIN_ind ? k.zero_out : 0.5 * k.zero_out;
  m->crowd = margin == DPPAIR_MARGIN_ind ? 1.0 : 1.5;
  m->replaced +=
      2.0 * dppair_times_(dppair_parabola_(&x).curvature * slack, m->at.reach * m->at.norm);
  m->replaced += 2.0 * dppair_times_(dppair_parabola_(&x).curvature * shift, m->at.norm);
  if (m->replaced > 2.0 * m->norm) m->replaced = 2.0 * m->norm;
  if (m->replaced < m->zeroed) m->replaced = m->zeroed; /* a null pair has gradient 0 */
  return m->replaced >= DBL_MIN ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* 16 margins of what is reached, in u: eight of either kind, or 16 of the only one; ends of an
 * interval are within +-`remote`. They are densest in the middle, and hold both ends. */
DPPAIR_FN_ void dppair_spot_margins_(double *u, const dppair_moves_ *m, double remote) {
  const int each = 16 / m->at.kinds;
  int k, i;
  for (k = 0; k < m->at.kinds; k++)
    for (i = 0; i < each; i++) {
      const double low = dppair_between_(m->at.low[k], -remote, remote);
      const double high = dppair_between_(m->at.high[k], -remote, remote);
      const double t = (2.0 * i - (each - 1)) / (each - 1), mid = 0.5 * (low + high);
      u[k * each + i] = dppair_between_(mid + 0.5 * (high - low) * t * t * t, low, high);
    }
}

/* Whether computed slopes at these margins are what the range says, but for rounding in a type with
 * this epsilon. A spot check of L_RANGE: it proves nothing. */
DPPAIR_FN_ int dppair_spot_holds_(const double *slope, const dppair_moves_ *m, double epsilon) {
  const int each = 16 / m->at.kinds;
  int k, holds = 1;
  for (k = 0; k < 16; k++) {
    const dppair_range *r = &m->at.phi[k / each];
    const double room = 16.0 * epsilon * (r->down > r->up ? r->down : r->up) + 1e-30;
    holds &= slope[k] <= r->up + room && -slope[k] <= r->down + room;
  }
  return holds;
}

/*
 * *sensitivity = how far one record moves the computed sum of a sampling's pairs, divided by its
 * divisor. factor and rounding: what arithmetic adds to a move of the sum over `count` records, the
 * most that the sampling reads.
 *
 *   ALL                        `replaced` or `zeroed`, over n
 *   WITHOUT, WITH_REPLACEMENT  replaced/m
 *   MATCHING                   2 replaced/m
 *   POISSON, ALLOCATION        crowd norm/m, m being expected
 *   WITHOUT, of a user with more records   as above, or 2 norm far/m where all pairs count: for
 *                              the law of mechanisms/users.h (dppair_sampling_far_)
 *
 * Proof. A record has k - 1 partners among k records, and the divisor is k (k - 1). A matched one
 * has one partner, and the divisor is m/2. With replacement one slot is replaced: the record of any
 * other slot, the same one too, is a partner like any other. Poisson: a record joins b others; let
 * f be the sum of its b pairs and S that of the others. The move is [f/b - S/(b (b - 1))]/m. Two
 * classes of which only pairs across count: p of the b are of the other class, so |f| <= p norm,
 * |S| <= p (b - p) norm, and the move is at most norm p (2b - 1 - p)/(b (b - 1))/m <= norm/m, p
 * being an integer of at most b. Any labels: |f| <= b norm, |S| <= b (b - 1) norm/2, hence 3/2.
 * A null record that is drawn is not one of the b, and the divisor does not count it. So P is a
 * mixture of the sums without and with the record, and Q is the former alone, as the sampling's law
 * has it. (If the divisor counted it, Q would be a mixture too, of centres A and Y beside P's A and
 * X, all within the move of each other. One step costs no more even then: in P - cQ, c >= 1, X has
 * one sign, A and Y the other, and Kahane's comparison lets A and Y meet. But where X meets A
 * instead the larger direction is the other one, and accounts add up steps of one direction.)
 * Weights and users: a record of weight w is the record with probability w, else null; a user
 * is one of his records, with their weights as probabilities, else null. A pair is then a mean over
 * independent choices, and every figure above the largest of a convex function of each choice: that
 * of one record a user, or of a null one, whose pairs are 0.
 * Records of a user, two classes: j drawn ones move the sum by at most `replaced` T(m, j). Let P
 * and P' of them be positive before and after, P >= P': a partner's pairs move by `replaced` times
 * max(P, P') or max(j-P, j-P'), those inside by norm (P (j-P) + P' (j-P')), norm <= replaced.
 * |B| is random and private, and half of `rounding` belongs to either neighbour. A bound for k
 * records grows at least like k^2, so that over k - 1 it is largest at k = n.
 *
 * The quotient is rounded, as are the divisor and its inverse: 3 units each of two results.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_sampled_(double *sensitivity, const dppair_moves_ *m,
                                                        const dppair_sampling *s, double factor,
                                                        double rounding) {
  const double k = dppair_sampling_expected_(s), most = (double)s->n;
  const int matching = s->kind == DPPAIR_MATCHING;
  const int poisson = dppair_sampling_is_random_(s->kind);
  double moved = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE ? m->replaced : m->zeroed;
  double move = moved / k, size = m->norm, divisor;
  dppair_status status = dppair_normaliser(&divisor, s, s->n);
  if (status != DPPAIR_OK) return status;
  if (matching) move = 2.0 * moved / k;
  if (s->owned > 0) {
    moved = m->crowd > 1.0 ? 2.0 * m->norm * dppair_sampling_far_(s)
                           : (m->replaced > m->norm ? m->replaced : m->norm);
    move = moved / k;
  }
  if (poisson) move = m->crowd * m->norm / k;
  if (poisson) size *= most / k; /* at most n (n - 1)/2 pairs over m (n - 1) */
  move = move * factor + rounding / divisor + 6.0 * DBL_EPSILON * size;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

/*
 * The same for the mean over queries of (pair sum)/(m (m - 1)), m being the records of a query; it
 * is 0 for fewer than 2. With m >= 2 it is at most norm/2: of two classes m^2/4 pairs at most, of
 * all m (m - 1)/2. u: the queries.
 *
 *   a record    replaced or zeroed, over the m of the smallest query, over their number. It has
 *               m - 1 partners and stays in its query; the sizes are public
 *   a query     norm, or norm/2, over their number, or over the m or the expected m of a sampling
 *
 * Proof. At most one query's mean moves, by its own pairs; a query that is replaced,
 * whatever its sizes, moves from one vector of at most norm/2 to another.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_within_(double *sensitivity, const dppair_moves_ *m,
                                                       const dppair_sampling *s,
                                                       const dppair_grouped_ *u, double factor,
                                                       double rounding) {
  const int replace = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE;
  const int record = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_RECORDS_;
  const double k = record ? (double)u->count : dppair_sampling_expected_(s);
  double move = replace ? m->norm : 0.5 * m->norm, most = m->norm * (double)u->all / k;
  if (record) move = (replace ? m->replaced : m->zeroed) / u->least;
  move = (move * factor + rounding) / k + 6.0 * DBL_EPSILON * most;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

/* Do the groups fit the sampling? Users are protected where pairs count across them; a record or
 * a query where they count within. A user who has records in many queries, records that are drawn
 * from users, and records that are drawn from queries have no row. */
DPPAIR_FN_ dppair_status dppair_grouped_fit_(const dppair_grouped_ *u, const dppair_sampling *s) {
  const int unit = dppair_adjacency_unit_(s->adjacency), all = s->kind == DPPAIR_ALL;
  const size_t k = s->m > 0 ? s->m : s->n;
  if (u->across != (unit == DPPAIR_OF_USERS_))
    return u->across ? DPPAIR_ERR_ADJACENCY : DPPAIR_ERR_NO_PROOF;
  if (s->kind == DPPAIR_MATCHING || s->owned > 0) return DPPAIR_ERR_NO_PROOF;
  if (unit == DPPAIR_OF_RECORDS_) {
    if (!all || !(u->least >= 2.0)) return DPPAIR_ERR_NO_PROOF;
    return u->rows == s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  }
  if (dppair_sampling_is_random_(s->kind)) return u->count <= s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  return u->count == k ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The most records, users or queries that a step of this sampling reads; 0 and a status where
 * there is no such sampling, not even one pair, or groups (u, or NULL) that do not fit it. */
DPPAIR_FN_ dppair_status dppair_moves_count_(size_t *count, const dppair_sampling *s,
                                             dppair_grouped_ *u) {
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, s, s ? s->n : 0);
  *count = 0;
  if (status == DPPAIR_OK)
    status = u              ? dppair_grouped_fit_(u, s)
             : s->owned > 0 ? dppair_sampling_owned_(s)
                            : dppair_adjacency_records_(s->adjacency);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_MATCHING && dppair_sampling_group_(s) != 2) return DPPAIR_ERR_NO_PROOF;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && s->group > 0) return DPPAIR_ERR_UNREAD;
  if (s->n < 2 || (s->m == 1 && s->kind != DPPAIR_POISSON)) return DPPAIR_ERR_SIZE;
  *count = s->m == 0 || dppair_sampling_is_random_(s->kind) ? s->n : s->m;
  if (u) u->all = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_RECORDS_ ? u->count : *count;
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

#define DPPAIR_HAVE_LOSSES_ /* instances have a sensitivity from here on */

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

#endif /* DPPAIR_LOSSES_H */
#endif /* DPPAIR_DECLARE_ONLY */
