/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_noise.h - random numbers and noise that is safe to release (version 0.1.0)
 *
 *   double g[8] = {...};                                 a clipped gradient, sensitivity known
 *   dppair_rng rng;
 *   if (dppair_rng_from_os(&rng) != DPPAIR_OK) ...       no entropy: an error, never a weak seed
 *   if (dppair_add_gaussian_f64(g, 8, sigma, &rng) != DPPAIR_OK) ...   on error g is all zero
 *   dppair_wipe(&rng, sizeof rng);
 *
 * The noise is that of the textbook and rounded exactly to a public grid: no low bit of a float
 * tells what it was added to. An error leaves zeros, never a number without noise.
 *
 * FIRST TO KNOW
 *   dppair_rng_from_os         a generator with a key of the system; _from_key: with your own
 *   dppair_add_gaussian_f64    Gaussian noise of standard deviation sigma; _f32; ..._grid: with the
 *                              fineness of the output grid
 *   dppair_add_laplace_f64     Laplace noise of density exp(-|z| / scale)
 *   dppair_discrete_gaussian   integers, exactly, rational parameters; _laplace
 *   dppair_draw                records as a dppair_sampling says, exactly uniform
 *   dppair_rng_split           another stream of the same key; _seek, _save, _restore
 *   dppair_wipe                erases, also what compilers would keep
 *   dppair_noise_check         known answers on every tier of this machine
 *   dppair_fill_gaussian_f64   raw numbers, NOT for releases: with DPPAIR_SIMULATION defined first
 *
 * Outputs come first, each length after its array; the generator that a call takes random numbers
 * from is its last argument. On an error outputs are 0.
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
 * Below: chapters and their functions, then DRAWS, WHY ORDINARY NOISE IS NOT SAFE, TIMING, LIMITS.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *    227  core/freestanding.h                Without a C library: names for the time of one include
 *    276  core/core.h                        The core: what each of the four headers begins with
 *    301  core/compiler.h                    Compiler: attributes, knobs, strict arithmetic
 *    507  core/memory.h                      Without a C library: memory and strings
 *    641  core/bits.h                        The bits of a number as an integer, and back
 *    665  core/math.h                        Elementary functions
 *    705  core/math_exact.h                  Without a C library
 *    833  core/math_exp.h                    Exponential functions in double, with proved errors
 *    988  core/math_log.h                    Logarithms in double, with proved errors
 *   1105  core/math_circle.h                 Circular functions in double, with proved errors
 *   1378  core/math_more.h                   Powers
 *   1495  core/status.h                      Status
 *           dppair_status_string
 *   1630  core/checks.h                      Checks of numbers and sizes
 *           dppair_isfinite_f64 dppair_isfinite_f32 dppair_all_finite_f64 dppair_all_finite_f32
 *   1720  core/workspace.h                   Workspace of the caller: laid out in arrays
 *   1786  core/words.h                       Integers of 128 bits
 *           dppair_words_add
 *   1837  core/processor.h                   Processor: the tiers of this build and machine
 *           dppair_tier dppair_isa_name
 *   1982  core/dispatch.h                    Dispatch: calls on the tier of this machine
 *   2041  core/environment.h                 Floating-point environment: the check of rounding
 *           dppair_environment_check
 *   2153  core/sampling.h                    Sampling
 *           dppair_sampling_name dppair_adjacency_name dppair_sampling_all dppair_sampling_poisson
 *           dppair_sampling_without_replacement dppair_sampling_with_replacement
 *           dppair_sampling_groups dppair_sampling_matching dppair_normaliser
 *   2553  core/batch.h                       A batch: the records of one draw
 *           dppair_batch_make
 *   2577  core/sort.h                        Sorting doubles
 *           dppair_sort_f64
 *   2678  core/audit.h                       Audit
 *   2768  simd/intrinsics.h                  Intrinsics of the compiler (x86) and of SIMDe
 *   2839  noise/wipe.h                       Wiping memory, the stack and vector registers
 *           dppair_wipe
 *   2967  noise/cipher.h                     Key streams in portable code
 *   3224  noise/strings.h                    Infinite strings of random bits
 *   3275  core/quick.h                       What is compiled soon rather than fast: it begins
 *   3297  noise/fixed_point.h                Fixed-point numbers and enclosures, for the last level
 *   3520  noise/last_level.h                 The last level: noise by integers
 *   3728  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *   3740  noise/double_level.h               The double level, in scalar code
 *   3857  noise/release_plan.h               What a release consists of
 *   4102  noise/aes_instructions.h           AES-256 by instructions
 *   4228  noise/kernels/each_tier.h          The kernels, once for each vector tier
 *   4277  noise/key_rows.h                   Rows of key stream
 *   4359  noise/levels.h                     A chunk through its levels
 *   4544  noise/generator.h                  The generator
 *           dppair_rng_from_key dppair_rng_from_key_aes256 dppair_rng_from_os dppair_rng_seek
 *           dppair_rng_set_erasure dppair_rng_split
 *   4862  noise/saved_state.h                Saving and restoring a generator
 *           dppair_rng_save dppair_rng_restore
 *   4953  noise/random_bytes.h               Random bytes and numbers
 *           dppair_rng_bytes dppair_rng_u64 dppair_rng_uniform_f64
 *   5056  noise/releases.h                   A release
 *   5171  noise/trial.h                      Trials: each law and type against its known answers
 *   5344  noise/add.h                        Gaussian and Laplace noise, added and rounded exactly
 *           dppair_add_gaussian_f64_grid dppair_add_gaussian_f64 dppair_add_gaussian_f32_grid
 *           dppair_add_gaussian_f32 dppair_add_laplace_f64_grid dppair_add_laplace_f64
 *           dppair_add_laplace_f32_grid dppair_add_laplace_f32
 *   5479  noise/discrete.h                   Exact discrete laws
 *           dppair_discrete_laplace dppair_discrete_gaussian
 *   5808  noise/draw.h                       Draws of records and pairs, exactly uniform
 *           dppair_shuffle dppair_draw dppair_draw_pairs
 *   6062  noise/self_check.h                 The self-test of the key streams, and of all
 *           dppair_noise_check
 *   6125  noise/simulation.h                 Raw samples, for simulation
 *           dppair_fill_gaussian_f64 dppair_fill_gaussian_f32 dppair_fill_laplace_f64
 *           dppair_fill_laplace_f32 dppair_fill_exponential_f64 dppair_fill_uniform_f64
 *           dppair_fill_rademacher_f64 dppair_fill_sphere_f64 dppair_fill_gamma_f64
 *   6336  core/freestanding_end.h            Without a C library: a host's names are its own again
 *   6354  noise/kernels/names.h              Names of the kernels
 *   6411  noise/kernels/registers.h          Registers: the operations DPR_ that each tier brings
 *   6459  noise/kernels/simd128.h            Tier 1: 128 bits through SIMDe
 *   6598  noise/kernels/avx2.h               Tier 2: AVX2 with FMA
 *   6719  noise/kernels/avx512.h             Tier 3: AVX-512 F, DQ, BW, VL
 *   6832  noise/kernels/chacha20.h           ChaCha20, DPR_LANES blocks side by side
 *   6943  noise/kernels/vaes.h               AES-256 by VAES: rows of consecutive blocks
 *   6990  noise/kernels/float_level.h        The float level
 *   7050  noise/kernels/double_level.h       The double level
 *   7147  noise/kernels/rounding.h           Rounding and storing
 *   7271  noise/kernels/first_level.h        The first level, over n numbers, a multiple of 32
 *   7486  noise/kernels/second_level.h       The second level of coarse grids
 *   7524  noise/kernels/fill.h               Raw samples of scale 1, times a scale
 *   7629  noise/kernels/end.h                The names of this tier end here
 */

/*
 * DRAWS
 *   A dppair_sampling says which records a step reads. dppair_draw draws them, dppair_normaliser
 *   says what the sum over their pairs is divided by, and the account charges the same value:
 *
 *       const dppair_sampling s = dppair_sampling_poisson(n, 256, DPPAIR_REPLACE_ONE);
 *       if (dppair_draw(index, &count, n, &s, &choices) != DPPAIR_OK) ...   room for all n
 *
 *   `choices` is a generator of its own, never that of the noise. Which records were drawn is
 *   private, and so is the number of Poisson and of allocated ones: the proofs of sampled steps
 *   need both hidden.
 *
 * WHY ORDINARY NOISE IS NOT SAFE, AND WHAT THIS HEADER DOES
 *   Noise computed in floating point reaches only some of the doubles near x + noise, and which
 *   ones depends on x: the low bits of the sum reveal x (Mironov 2012; Haney et al. 2022). This
 *   header releases
 *
 *       g * round((x + z) / g),      z the IDEAL real-valued noise, g a public power of two,
 *
 *   and computes that number exactly: no rounding error ever decides a digit of it.
 *
 *   Construction. The ideal noise is a function of infinite strings of random bits: a pair of
 *   Gaussians comes from U and T, uniform in (0,1), as (z0, z1) = sigma sqrt(-2 ln U) (cos, sin)
 *   (2 pi T). The program reads the first words of each string and computes y~, an approximation of
 *   y = (x + z) / g, in floating point, with a proved bound tau on |y~ - y| that holds for every
 *   value of the unread bits. If y~ is further than tau from every rounding boundary, round(y~) is
 *   round(y). Otherwise it reads more bits OF THE SAME STRINGS and repeats the work with wider
 *   numbers, until the rounding is decided. (This is Ziv's method of correct rounding, applied to a
 *   random variable.)
 *
 *   Theorem. Adding the ideal z to x is the textbook mechanism. Applying round(. / g) to its result
 *   is post-processing. The program outputs exactly this variable, because it outputs a digit only
 *   when all completions of the strings agree on it. So a release has the textbook mechanism's
 *   guarantee at the textbook sensitivity: under a uniform key stream the total variation distance
 *   is 0, x need not be rounded first, and the grid adds nothing to the sensitivity. A grid of
 *   scale / 2^k costs utility only: it adds at most g^2 / 12 to the variance, less than 8.0e-8 of
 *   sigma^2 at the default k = 10.
 *
 *   Levels. On coarse grids (scale / g below 2^13) the first level computes in float with 32 bits
 *   of each string and decides all but a few numbers in a thousand. The second level computes those
 *   in double with 64 bits; at k = 10 it leaves one in 2^35. Fine grids begin at the double level,
 *   which leaves about one in 2^(45 - k). The last level computes with integers of 128, then 256,
 *   then 384 bits. If even those do not decide (probability below 2^-250), the release returns the
 *   error EXHAUSTED. Each tau is derived where it is used.
 *
 *   Consequences. The output is a mathematical function of (cipher, key, stream, position): it has
 *   the same bits on every machine, instruction set and compiler. It is never -0. A tie has
 *   probability 0.
 *
 * ADDRESSES
 *   The key stream is a set of 64-byte blocks with a 128-bit address (stream, level, block). Word
 *   w of block b at levels 0, 1, 2, ... holds bits 0-31, 32-63, 64-95, ... of ONE infinite
 *   string. A call takes the next whole blocks, one for 16 samples. Gaussian: words 2j and 2j + 1
 *   are U and T of pair j; the cosine is sample j, the sine is sample 8 + j. Laplace: word j
 *   belongs to sample j; its first bit is the sign, the rest is U. Threads can therefore share an
 *   array: give each a part that begins at a multiple of 16 and a copy of the generator, moved
 *   forward by (index / 16) blocks with dppair_rng_seek.
 *
 * TIMING
 *   On the vector tiers no branch and no address depends on key or data, with two exceptions: which
 *   numbers a level left undecided, and the range error (a test checks this under valgrind). Which
 *   numbers are undecided depends on the fraction of y only, that is, almost only on the release
 *   itself. The second level of coarse grids runs in batches of a fixed size, filled up with
 *   dummies; more undecided numbers than a batch holds have probability below 1e-15 per 4096
 *   numbers. A number that reaches the integers (probability 2^-35 at k = 10, 2^-21 at k = 24)
 *   takes some microseconds more, which an observer can see. No claim about time is made for the
 *   scalar tier, keying and the exact integer laws. The test covers the
 *   AVX2 and the 128-bit tier; the AVX-512 tier compiles the same source but is not tested itself.
 *   The 128-bit tier makes noise in vectors where AVX2 is not compiled: ARM, DPPAIR_MAX_TIER 1, and
 *   WebAssembly with clang -msimd128 and SIMDe, whose time is the runtime's: nothing is claimed
 *   there.
 *
 * LIMITS
 *   The floating-point environment must round to nearest (the default of C) and keep
 *   subnormal numbers; otherwise every release returns DPPAIR_ERR_ENVIRONMENT. scale must lie in
 *   [2^-900, 2^900], for float in [2^-76, 2^76]; log2_ratio in [0, 40]. |x| must be below 2^51 g
 *   (with the default grid about 2^41 scale), else the release returns DPPAIR_ERR_OVERFLOW.
 *   OVERFLOW and NOT_FINITE depend on x by this public rule; if you clip x, as every sensitivity
 *   proof requires, neither can occur.
 *   Threads: functions share no state; use a generator in one thread at a time. Memory: nothing is
 *   allocated, and a call uses 64 KB of stack at most (with -O2; up to 400 KB without
 *   optimisation). In optimised code every public call zeroes the stack where secrets were, and on
 *   x86-64 and 64-bit ARM also the vector registers. Nothing is claimed for general registers, nor
 *   for the vector registers of other processors: a linker that resolves a function at its first
 *   call may save them on the stack (link with -z now).
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_NOISE_KERNELS_
#ifndef DPPAIR_NOISE_H
#define DPPAIR_NOISE_H

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

#if defined(DPPAIR_FREESTANDING) /* entropy by DPPAIR_ENTROPY, no processes */
#elif defined(_WIN32)
#include <windows.h>
#include <bcrypt.h>
#include <process.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__linux__) || defined(__APPLE__) || defined(__wasi__)
#include <sys/random.h>
#endif
#endif

#if DPPAIR_X86_ && !defined(DPPAIR_FREESTANDING)
#include <cpuid.h>
#endif
/* ---- src/simd/intrinsics.h ------------------------------------------------------------------
 * Intrinsics of the compiler (x86) and of SIMDe
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_X86_
#include <immintrin.h>
#endif
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#include <simde/x86/fma.h>
#include <simde/x86/sse2.h>
#endif

/* AES by the instructions of ARMv8: where the compiler may use them anyway, or gcc can be told to
 * and Linux says at run time whether they are there. */
#if defined(__aarch64__) && !defined(__AARCH64EB__) && DPPAIR_MAX_TIER >= 1 &&                     \
    (defined(__ARM_FEATURE_CRYPTO) || defined(__ARM_FEATURE_AES) ||                                \
     (defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                            \
      !defined(DPPAIR_FREESTANDING)))
#define DPPAIR_ARM_AES_ 1
#if defined(__clang__)
#define DPPAIR_ARM_AES_BEGIN_
#define DPPAIR_ARM_AES_END_
#else
#define DPPAIR_ARM_AES_BEGIN_ DPPAIR_TARGET_BEGIN_("+crypto")
#define DPPAIR_ARM_AES_END_ DPPAIR_TARGET_END_
#endif
#include <arm_neon.h>
#if defined(__linux__) && !defined(DPPAIR_FREESTANDING)
#include <sys/auxv.h>
#endif
#else
#define DPPAIR_ARM_AES_ 0
#endif

#ifndef DPPAIR_NOISE_SELF
#define DPPAIR_NOISE_SELF "dppair_noise.h"
#endif
/* DPPAIR_ENTROPY(out, n): define it where this header knows no source of entropy. It must fill
 * uint8_t out[n], n <= 256, with bytes that nobody can guess and return 0, or return another int on
 * failure. It replaces the system's source. With DPPAIR_FREESTANDING and without it every request
 * is ENTROPY, while generators from a caller's key work. Without a C library no generator notices a
 * fork. */

/* Marks data that the running time may reveal, see TIMING above. The check under valgrind redefines
 * it. */
#ifndef DPPAIR_DECLASSIFY_
#define DPPAIR_DECLASSIFY_(p, n) ((void)(p), (void)(n))
#endif

DPPAIR_FP_BEGIN_

#define DPPAIR_EXP2M_(n) (1.0 / (double)(UINT64_C(1) << (n))) /* 2^-n for n < 64 */

enum { DPPAIR_CHACHA20 = 1, DPPAIR_AES256 = 2 };

/* A key and a position in its stream. The struct may be copied; the copy repeats the stream. Every
 * call refuses an all-zero or wiped generator with DPPAIR_ERR_CIPHER. */
typedef struct dppair_rng {
  uint32_t key[60];   /* 256 bits; for AES the key schedule, which begins with the key */
  uint64_t stream;    /* high half of the address */
  uint64_t block;     /* the next unused 64-byte block */
  int64_t owner;      /* the process that keyed it from the system; 0 for a caller's key */
  uint32_t cipher;    /* DPPAIR_CHACHA20 or DPPAIR_AES256 */
  uint32_t erase;     /* 1: the key is replaced after every call */
  uint32_t used;      /* how many bytes of `buffer` have been given out */
  uint8_t buffer[64]; /* the last block taken, for small requests */
} dppair_rng;

#define DPPAIR_ROW_MAX_ 256       /* blocks of one row of key stream, units of one gathering */
#define DPPAIR_NOISE_LEVELS_ 200u /* levels that carry bits of noise strings */

/* ---- src/noise/wipe.h -----------------------------------------------------------------------
 * Wiping memory, the stack and vector registers
 *
 * Every public function that handles secrets gives the work to a function that is not inlined, and
 * calls dppair_burn_stack_ when that has returned.
 * ---------------------------------------------------------------------------------------------- */

/* Overwrites n bytes with zeros. The compiler cannot remove the writes as dead. */
DPPAIR_API void dppair_wipe(void *p, size_t n) {
#if defined(__GNUC__) || defined(__clang__)
  if (n > 0) memset(p, 0, n);
  __asm__ __volatile__("" : : "r"(p) : "memory");
#else
  volatile unsigned char *bytes = (volatile unsigned char *)p;
  size_t i;
  for (i = 0; i < n; i++) bytes[i] = 0;
#endif
}

/* A call leaves keys, spilled round keys, key stream and fractions of un-noised numbers on the
 * stack. Wiping its arrays one by one would miss what the compiler placed there by itself, so the
 * whole region below the caller is wiped, to one of these depths. */
#ifdef DPPAIR_SMALL /* more than any call uses, and itself within 8 KB with all above it */
#define DPPAIR_STACK_SMALL_ 5888u
#define DPPAIR_STACK_LARGE_ 5888u
#else
#define DPPAIR_STACK_SMALL_ 8192u  /* more than keying, or one block of key stream, uses */
#define DPPAIR_STACK_LARGE_ 65536u /* more than a release uses */
#endif

/* Vector registers keep secrets too, and a linker that resolves a function at its first call saves
 * them on the stack. On x86-64 all of them are zeroed: 32 registers of 64 bytes with AVX-512, else
 * 16. This happens on every tier, because the C library's memcpy uses them on every tier. Builds
 * for Windows leave the upper 16 as they are; with gcc no tier uses those there (see
 * DPPAIR_MAX_TIER). On 64-bit ARM all 32 are zeroed; a function gives its caller back the lower
 * halves of eight of them, which are the caller's. On other processors nothing is zeroed. */
#if DPPAIR_X86_
#define DPPAIR_XMM_                                                                                \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",         \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define DPPAIR_ZERO_(op, r) op " %%" r ", %%" r ", %%" r "\n\t"
#define DPPAIR_ZERO4_(op, a, b, c, d)                                                              \
  DPPAIR_ZERO_(op, a) DPPAIR_ZERO_(op, b) DPPAIR_ZERO_(op, c) DPPAIR_ZERO_(op, d)
#if !defined(_WIN64) && !defined(__CYGWIN__)
__attribute__((target("avx512f"))) DPPAIR_OUT_OF_LINE_ void dppair_clear_upper_(void) {
  __asm__ __volatile__(DPPAIR_ZERO4_("vpxord", "zmm16", "zmm17", "zmm18", "zmm19")
                           DPPAIR_ZERO4_("vpxord", "zmm20", "zmm21", "zmm22", "zmm23")
                               DPPAIR_ZERO4_("vpxord", "zmm24", "zmm25", "zmm26", "zmm27")
                                   DPPAIR_ZERO4_("vpxord", "zmm28", "zmm29", "zmm30", "zmm31")
                       :
                       :
                       : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                         "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
}
#endif
__attribute__((target("avx"))) DPPAIR_OUT_OF_LINE_ void dppair_clear_avx_(void) {
  __asm__ __volatile__("vzeroall" : : : DPPAIR_XMM_);
}
#define DPPAIR_PXOR_(n) "pxor %%xmm" n ", %%xmm" n "\n\t"
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {
#if !defined(_WIN64) && !defined(__CYGWIN__)
#if !defined(DPPAIR_FREESTANDING) || defined(__AVX512F__)
  if (DPPAIR_RUNS_(avx512f)) dppair_clear_upper_();
#endif
#endif
#if !defined(DPPAIR_FREESTANDING) || defined(__AVX__)
  if (DPPAIR_RUNS_(avx)) {
    dppair_clear_avx_();
    return;
  }
#endif
  __asm__ __volatile__(DPPAIR_PXOR_("0") DPPAIR_PXOR_("1") DPPAIR_PXOR_("2") DPPAIR_PXOR_("3")
                           DPPAIR_PXOR_("4") DPPAIR_PXOR_("5") DPPAIR_PXOR_("6") DPPAIR_PXOR_("7")
                               DPPAIR_PXOR_("8") DPPAIR_PXOR_("9") DPPAIR_PXOR_("10")
                                   DPPAIR_PXOR_("11") DPPAIR_PXOR_("12") DPPAIR_PXOR_("13")
                                       DPPAIR_PXOR_("14") DPPAIR_PXOR_("15")
                       :
                       :
                       : DPPAIR_XMM_);
}
#undef DPPAIR_PXOR_
#undef DPPAIR_ZERO4_
#undef DPPAIR_ZERO_
#undef DPPAIR_XMM_
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define DPPAIR_MOVI_(n) "movi v" n ".2d, #0\n\t"
#define DPPAIR_MOVI4_(a, b, c, d) DPPAIR_MOVI_(a) DPPAIR_MOVI_(b) DPPAIR_MOVI_(c) DPPAIR_MOVI_(d)
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {
  __asm__ __volatile__(DPPAIR_MOVI4_("0", "1", "2", "3") DPPAIR_MOVI4_("4", "5", "6", "7")
                           DPPAIR_MOVI4_("8", "9", "10", "11") DPPAIR_MOVI4_("12", "13", "14", "15")
                               DPPAIR_MOVI4_("16", "17", "18", "19")
                                   DPPAIR_MOVI4_("20", "21", "22", "23")
                                       DPPAIR_MOVI4_("24", "25", "26", "27")
                                           DPPAIR_MOVI4_("28", "29", "30", "31")
                       :
                       :
                       : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",
                         "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
                         "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}
#undef DPPAIR_MOVI4_
#undef DPPAIR_MOVI_
#else
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {}
#endif

/* Zeroes `depth` bytes of stack below its caller's frame. */
DPPAIR_OUT_OF_LINE_ void dppair_burn_frame_(size_t depth) {
  unsigned char stack[DPPAIR_STACK_LARGE_];
  dppair_wipe(stack + sizeof stack - depth, depth); /* the stack grows down: the end is nearest */
}

/* Zeroes the registers first, then the stack: the first call of memset may save registers on the
 * stack. General registers come before all others, because a function may push one of them to align
 * its frame. */
DPPAIR_FORCE_INLINE_ void dppair_burn_stack_(size_t depth) {
#if DPPAIR_X86_
  __asm__ __volatile__("xorl %%eax, %%eax\n\txorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\t"
                       "xorl %%esi, %%esi\n\txorl %%edi, %%edi\n\txorl %%r8d, %%r8d\n\t"
                       "xorl %%r9d, %%r9d\n\txorl %%r10d, %%r10d\n\txorl %%r11d, %%r11d"
                       :
                       :
                       : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#endif
  dppair_clear_registers_();
  dppair_burn_frame_(depth);
}

/* ---- src/noise/cipher.h ---------------------------------------------------------------------
 * Key streams in portable code
 *
 * ChaCha20 (RFC 8439) and AES-256 in counter mode (FIPS 197), one 64-byte block at a time, without
 * tables and without branches on secrets. dppair_keystream_ at the end gives the block at an
 * address for either cipher.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ uint32_t dppair_load32_(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

DPPAIR_FN_ void dppair_store32_(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
  p[2] = (uint8_t)(v >> 16);
  p[3] = (uint8_t)(v >> 24);
}

DPPAIR_FN_ uint32_t dppair_rotl_(uint32_t v, unsigned r) { return v << r | v >> (32u - r); }

DPPAIR_FN_ void dppair_quarter_round_(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  *a += *b, *d = dppair_rotl_(*d ^ *a, 16);
  *c += *d, *b = dppair_rotl_(*b ^ *c, 12);
  *a += *b, *d = dppair_rotl_(*d ^ *a, 8);
  *c += *d, *b = dppair_rotl_(*b ^ *c, 7);
}

/* The four words that begin every ChaCha20 state: "expand 32-byte k" in ASCII. */
#define DPPAIR_CHACHA_0_ 0x61707865u
#define DPPAIR_CHACHA_1_ 0x3320646eu
#define DPPAIR_CHACHA_2_ 0x79622d32u
#define DPPAIR_CHACHA_3_ 0x6b206574u

/* The ChaCha20 block function (RFC 8439, section 2.3): 16 little-endian words from a key of 8 words
 * and an address of 4 words (counter and nonce). */
DPPAIR_FN_ void dppair_chacha20_block_(uint32_t out[16], const uint32_t key[8],
                                       const uint32_t address[4]) {
  uint32_t s[16], x[16];
  unsigned i;
  s[0] = DPPAIR_CHACHA_0_, s[1] = DPPAIR_CHACHA_1_, s[2] = DPPAIR_CHACHA_2_;
  s[3] = DPPAIR_CHACHA_3_;
  for (i = 0; i < 8; i++) s[4 + i] = key[i];
  for (i = 0; i < 4; i++) s[12 + i] = address[i];
  for (i = 0; i < 16; i++) x[i] = s[i];
  for (i = 0; i < 10; i++) { /* 20 rounds: columns, then diagonals */
    dppair_quarter_round_(&x[0], &x[4], &x[8], &x[12]);
    dppair_quarter_round_(&x[1], &x[5], &x[9], &x[13]);
    dppair_quarter_round_(&x[2], &x[6], &x[10], &x[14]);
    dppair_quarter_round_(&x[3], &x[7], &x[11], &x[15]);
    dppair_quarter_round_(&x[0], &x[5], &x[10], &x[15]);
    dppair_quarter_round_(&x[1], &x[6], &x[11], &x[12]);
    dppair_quarter_round_(&x[2], &x[7], &x[8], &x[13]);
    dppair_quarter_round_(&x[3], &x[4], &x[9], &x[14]);
  }
  for (i = 0; i < 16; i++) out[i] = x[i] + s[i];
}

#if (DPPAIR_X86_ && DPPAIR_MAX_TIER >= 1) || DPPAIR_ARM_AES_
#define DPPAIR_HAVE_AES_ 1
#else
#define DPPAIR_HAVE_AES_ 0
#endif

#if DPPAIR_HAVE_AES_
/* 1 if this processor has no AES instructions (and SSSE3), 2 if it has, 3 if it has VAES, too. */
DPPAIR_FN_ int dppair_aes_ask_(void) {
#if defined(DPPAIR_FREESTANDING) && DPPAIR_X86_
#if defined(__VAES__) && defined(__AVX2__)
  return 3;
#elif defined(__AES__) && defined(__SSSE3__)
  return 2;
#else
  return 1;
#endif
#elif DPPAIR_X86_
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 25 & 1u) || !(c >> 9 & 1u)) return 1;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c >> 9 & 1u) ? 3 : 2;
#elif defined(__ARM_FEATURE_CRYPTO) || defined(__ARM_FEATURE_AES)
  return 2;
#else
  return getauxval(AT_HWCAP) >> 3 & 1u ? 2 : 1; /* HWCAP_AES */
#endif
}
#endif

/* How AES runs at a tier on this machine: 0 in software, 1 by AES instructions, 2 by VAES in the
 * registers of the tier. The processor is asked once, since cpuid can cost a microsecond on a
 * virtual machine, and the answer is kept. Threads that race store the same value. */
DPPAIR_FN_ int dppair_aes_kind_(int tier) {
#if DPPAIR_HAVE_AES_
  static int cached;
  int kind = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (kind == 0) {
    kind = dppair_aes_ask_();
    __atomic_store_n(&cached, kind, __ATOMIC_RELAXED);
  }
  if (tier < DPPAIR_TIER_SIMD128) return 0;
  return kind == 3 && tier < DPPAIR_TIER_AVX2 ? 1 : kind - 1;
#else
  (void)tier;
  return 0;
#endif
}

/* AES in software encrypts four blocks of 16 bytes at a time, as eight words of 64 bits: word b
 * holds bit b of all 64 bytes.
 *
 * r = a b in GF(2^8) for 64 pairs of bytes: the product of polynomials, then reduced modulo
 * x^8 + x^4 + x^3 + x + 1. */
DPPAIR_FN_ void dppair_gf_mul_(uint64_t r[8], const uint64_t a[8], const uint64_t b[8]) {
  uint64_t t[15];
  unsigned i, j;
  memset(t, 0, sizeof t);
  for (i = 0; i < 8; i++)
    for (j = 0; j < 8; j++) t[i + j] ^= a[i] & b[j];
  for (i = 14; i >= 8; i--) {
    t[i - 8] ^= t[i];
    t[i - 7] ^= t[i];
    t[i - 5] ^= t[i];
    t[i - 4] ^= t[i];
  }
  for (i = 0; i < 8; i++) r[i] = t[i];
}

/* The substitution of 64 bytes: the inverse x^-1 = x^254 in GF(2^8), then FIPS 197's affine map. */
DPPAIR_FN_ void dppair_aes_substitute_(uint8_t bytes[64]) {
  uint64_t x[8], power[8], odd[8], y[8];
  unsigned b, n;
  memset(x, 0, sizeof x);
  for (n = 0; n < 64; n++)
    for (b = 0; b < 8; b++) x[b] |= (uint64_t)((unsigned)bytes[n] >> b & 1u) << n;
  dppair_gf_mul_(power, x, x); /* x^254 = x^2 x^4 x^8 ... x^128 */
  memcpy(odd, power, sizeof odd);
  for (n = 0; n < 6; n++) {
    dppair_gf_mul_(power, power, power);
    dppair_gf_mul_(odd, odd, power);
  }
  for (b = 0; b < 8; b++)
    y[b] = odd[b] ^ odd[(b + 4) % 8] ^ odd[(b + 5) % 8] ^ odd[(b + 6) % 8] ^ odd[(b + 7) % 8] ^
           (0 - (uint64_t)(0x63u >> b & 1u));
  memset(bytes, 0, 64);
  for (n = 0; n < 64; n++)
    for (b = 0; b < 8; b++) bytes[n] = (uint8_t)(bytes[n] | (y[b] >> n & 1u) << b);
}

/* 2 a in GF(2^8). */
DPPAIR_FN_ uint8_t dppair_aes_double_(uint8_t a) {
  return (uint8_t)(a << 1 ^ (0x1b & (0 - (a >> 7))));
}

/* Encrypts four 16-byte blocks in place with a schedule of 15 round keys. */
DPPAIR_FN_ void dppair_aes256_encrypt4_(uint8_t s[64], const uint32_t schedule[60]) {
  uint8_t t[64];
  unsigned round, n, w;
  for (round = 0; round <= 14; round++) {
    if (round > 0) {
      dppair_aes_substitute_(s);
      for (n = 0; n < 64; n++) /* a column is 4 bytes; row r moves left by r columns */
        t[n] = s[(n & 0x30u) | ((n + 4u * (n & 3u)) & 0x0fu)];
      memcpy(s, t, 64);
    }
    if (round > 0 && round < 14) /* the last round does not mix columns */
      for (n = 0; n < 64; n += 4) {
        uint8_t all = (uint8_t)(t[n] ^ t[n + 1] ^ t[n + 2] ^ t[n + 3]);
        for (w = 0; w < 4; w++)
          s[n + w] = (uint8_t)(t[n + w] ^ all ^
                               dppair_aes_double_((uint8_t)(t[n + w] ^ t[n + (w + 1) % 4])));
      }
    for (n = 0; n < 64; n++)
      s[n] = (uint8_t)(s[n] ^ schedule[4 * round + n % 16 / 4] >> 8 * (n % 4));
  }
}

/* The substitution of one word of the key schedule. The instruction also shifts rows, which changes
 * nothing when the four columns are equal. */
#if DPPAIR_HAVE_AES_ && DPPAIR_X86_
DPPAIR_TARGET_BEGIN_("aes")
DPPAIR_FN_ uint32_t dppair_aes_subword_fast_(uint32_t w) {
  return (uint32_t)_mm_cvtsi128_si32(
      _mm_aesenclast_si128(_mm_set1_epi32((int32_t)w), _mm_setzero_si128()));
}
DPPAIR_TARGET_END_
#elif DPPAIR_HAVE_AES_
DPPAIR_ARM_AES_BEGIN_
DPPAIR_FN_ uint32_t dppair_aes_subword_fast_(uint32_t w) {
  const uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(w));
  return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}
DPPAIR_ARM_AES_END_
#endif

DPPAIR_FN_ uint32_t dppair_aes_subword_(uint32_t w) {
  uint8_t bytes[64];
#if DPPAIR_HAVE_AES_
  if (dppair_aes_kind_(dppair_noise_tier_()) > 0) return dppair_aes_subword_fast_(w);
#endif
  memset(bytes, 0, sizeof bytes);
  dppair_store32_(bytes, w);
  dppair_aes_substitute_(bytes);
  return dppair_load32_(bytes);
}

/* The key expansion of FIPS 197, in place: the first 8 words are the key. */
DPPAIR_FN_ void dppair_aes256_schedule_(uint32_t w[60]) {
  uint8_t power = 1;
  unsigned i;
  for (i = 8; i < 60; i++) {
    uint32_t t = i % 4 == 0 ? dppair_aes_subword_(w[i - 1]) : w[i - 1];
    if (i % 8 == 0) {
      t = dppair_rotl_(t, 24) ^ power;
      power = dppair_aes_double_(power);
    }
    w[i] = w[i - 8] ^ t;
  }
}

/* The low half of the 128-bit address of a block; the high half is the stream. ChaCha20 uses it as
 * its two counter words. AES counts units of 16 bytes, four to a block, so it is given 4 block +
 * unit as `block` and uses the address as a big-endian counter. */
DPPAIR_FN_ uint64_t dppair_address_(unsigned level, uint64_t block) {
  return (uint64_t)level << 56 | block;
}

/* Block `block` of level `level`, as 16 little-endian words. */
DPPAIR_OUT_OF_LINE_ void dppair_keystream_(uint32_t out[16], const dppair_rng *rng, unsigned level,
                                           uint64_t block) {
  unsigned i, j;
  if (rng->cipher == DPPAIR_CHACHA20) {
    uint32_t address[4];
    address[0] = (uint32_t)block;
    address[1] = (uint32_t)(dppair_address_(level, block) >> 32);
    address[2] = (uint32_t)rng->stream;
    address[3] = (uint32_t)(rng->stream >> 32);
    dppair_chacha20_block_(out, rng->key, address);
  } else {
    uint8_t bytes[64];
    for (i = 0; i < 4; i++) {
      uint64_t low = dppair_address_(level, 4 * block + i);
      for (j = 0; j < 8; j++) {
        bytes[16 * i + j] = (uint8_t)(rng->stream >> (56 - 8 * j));
        bytes[16 * i + 8 + j] = (uint8_t)(low >> (56 - 8 * j));
      }
    }
    dppair_aes256_encrypt4_(bytes, rng->key);
    for (i = 0; i < 16; i++) out[i] = dppair_load32_(bytes + 4 * i);
  }
}

/* Several blocks or units at once, by the widest instructions of a tier: key_rows.h. */
DPPAIR_OUT_OF_LINE_ void dppair_keystream_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                               uint64_t block, size_t count, int tier);
DPPAIR_OUT_OF_LINE_ void dppair_keystream_units_(uint32_t *out, const dppair_rng *rng,
                                                 unsigned level, const uint64_t *units,
                                                 size_t count, int tier);

/* ---- src/noise/strings.h --------------------------------------------------------------------
 * Infinite strings of random bits
 *
 * A noise variable is a function of one or two infinite strings of bits. String number `lane` of a
 * block consists of word `lane` of that block at levels 0, 1, 2, ...; more precision reads more
 * levels of the same string.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_NOISE_GAUSSIAN_ = 0, DPPAIR_NOISE_LAPLACE_ = 1 };

typedef struct dppair_string_ {
  const dppair_rng *rng;
  uint64_t block;
  unsigned lane;
} dppair_string_;

DPPAIR_FN_ uint32_t dppair_string_word_(const dppair_string_ *s, unsigned level) {
  uint32_t words[16];
  dppair_keystream_row_(words, s->rng, level, s->block, 1, dppair_noise_tier_());
  return words[s->lane];
}

/* The first 96 bits of a string after its first `skip` (0 or 1) bits. The caller has the words of
 * levels 0 and 1. Level 2 is read only when the first word begins with 16 zeros or 31 ones, where
 * the double level needs it; otherwise its bits are taken as 0. */
DPPAIR_FN_ void dppair_string_read_(uint32_t w[3], const dppair_string_ *s, uint32_t w0,
                                    uint32_t w1, unsigned skip) {
  w[0] = w0;
  w[1] = w1;
  w[2] = 0;
  if ((w0 & (0xffffffffu >> skip)) < 0x10000u || w0 << skip >= 0xfffffffeu)
    w[2] = dppair_string_word_(s, 2);
  if (skip != 0) {
    w[0] = w[0] << 1 | w[1] >> 31;
    w[1] = w[1] << 1 | w[2] >> 31;
    w[2] <<= 1;
  }
}

/* The strings of sample i < 16 of a block. Laplace: string i. Gaussian: strings 2j and 2j + 1 are U
 * and T of pair j = i mod 8; samples 0 to 7 are the cosines, 8 to 15 the sines. */
DPPAIR_FN_ void dppair_strings_(dppair_string_ *u, dppair_string_ *t, const dppair_rng *rng,
                                uint64_t block, unsigned i, int law) {
  u->rng = t->rng = rng;
  u->block = t->block = block;
  u->lane = law == DPPAIR_NOISE_LAPLACE_ ? i : 2 * (i % 8);
  t->lane = u->lane | 1u;
}

#undef DPPAIR_QUICK_SMALL_ /* it runs once in 2^20 numbers */
#define DPPAIR_QUICK_SMALL_ 1
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
/* ---- src/noise/fixed_point.h ----------------------------------------------------------------
 * Fixed-point numbers and enclosures, for the last level
 *
 * A number has 64 bits before the point and 32 `places` bits after it, in 32-bit words, least
 * significant first. All numbers are non-negative. Every operation rounds down by less than one
 * unit of the last place ("ulp", 2^-(32 places)); additions are exact. An enclosure is a pair
 * lo <= value <= hi. Speed does not matter here: the last level runs about once in 2^20 samples.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_FIX_MAX_ 12u /* largest `places` */
#define DPPAIR_FIX_WORDS_ (DPPAIR_FIX_MAX_ + 2u)

typedef struct dppair_fix_ {
  uint32_t w[DPPAIR_FIX_WORDS_];
} dppair_fix_;

/* An enclosure: lo <= value <= hi. */
typedef struct dppair_range_ {
  dppair_fix_ lo, hi;
} dppair_range_;

/* ln 2 and 2 pi, rounded down: the word before the point, then the twelve words after it. */
DPPAIR_UNUSED_ static const uint32_t dppair_ln2_words_[13] = {
    0u,          0xb17217f7u, 0xd1cf79abu, 0xc9e3b398u, 0x03f2f6afu, 0x40f34326u, 0x7298b62du,
    0x8a0d175bu, 0x8baafa2bu, 0xe7b87620u, 0x6debac98u, 0x559552fbu, 0x4afa1b10u};
DPPAIR_UNUSED_ static const uint32_t dppair_two_pi_words_[13] = {
    6u,          0x487ed511u, 0x0b4611a6u, 0x2633145cu, 0x06e0e689u, 0x48127044u, 0x533e63a0u,
    0x105df531u, 0xd89cd912u, 0x8a5043ccu, 0x71a026efu, 0x7ca8cd9eu, 0x69d218d9u};

/* A constant with its first `places` words after the point. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_constant_(dppair_fix_ *r, const uint32_t words[13],
                                              unsigned places) {
  unsigned i;
  memset(r, 0, sizeof *r);
  for (i = 0; i <= places; i++) r->w[places - i] = words[i];
}

DPPAIR_OUT_OF_LINE_ void dppair_fix_add_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                         unsigned places) {
  uint64_t carry = 0;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    carry += (uint64_t)a->w[i] + b->w[i];
    r->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* r = a - b modulo 2^64; returns 1 when a < b. */
DPPAIR_OUT_OF_LINE_ int dppair_fix_sub_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                        unsigned places) {
  uint64_t borrow = 0;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    uint64_t d = (uint64_t)a->w[i] - b->w[i] - borrow;
    r->w[i] = (uint32_t)d;
    borrow = (d >> 32) & 1;
  }
  return (int)borrow;
}

/* r = a + ulps, and r = max(a - ulps, 0). */
DPPAIR_OUT_OF_LINE_ void dppair_fix_up_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                                        unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  dppair_fix_add_(r, a, &e, places);
}

DPPAIR_OUT_OF_LINE_ void dppair_fix_down_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                                          unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  if (dppair_fix_sub_(r, a, &e, places)) memset(r, 0, sizeof *r);
}

/* r = a b. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_mul_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                         unsigned places) {
  uint32_t p[2 * DPPAIR_FIX_WORDS_];
  unsigned i, j;
  memset(p, 0, sizeof p);
  for (i = 0; i < places + 2; i++) {
    uint64_t carry = 0;
    for (j = 0; j < places + 2; j++) {
      carry += (uint64_t)a->w[i] * b->w[j] + p[i + j];
      p[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    p[i + places + 2] = (uint32_t)carry;
  }
  for (i = 0; i < places + 2; i++) r->w[i] = p[i + places];
}

/* r = a m for a small integer; exact. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_scale_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
                                           unsigned places) {
  uint64_t carry = 0;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    carry += (uint64_t)a->w[i] * m;
    r->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* r = a / m for a small integer, rounded down; returns 1 when r is 0. */
DPPAIR_OUT_OF_LINE_ int dppair_fix_shrink_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
                                           unsigned places) {
  uint64_t rest = 0;
  uint32_t any = 0;
  unsigned i;
  for (i = places + 2; i-- > 0;) {
    rest = rest << 32 | a->w[i];
    r->w[i] = (uint32_t)(rest / m);
    any |= r->w[i];
    rest %= m;
  }
  return any == 0;
}

/* a = a 2^bits + in, 0 < bits < 32. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_shift_in_(dppair_fix_ *a, unsigned bits, uint32_t in,
                                              unsigned places) {
  uint32_t carry = in;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    uint32_t next = a->w[i] >> (32 - bits);
    a->w[i] = a->w[i] << bits | carry;
    carry = next;
  }
}

/* r = a / b for b > 0 and a quotient below 2^64: long division, bit by bit. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_div_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                         unsigned places) {
  dppair_fix_ rest, quotient, trial;
  unsigned bit;
  memset(&rest, 0, sizeof rest);
  memset(&quotient, 0, sizeof quotient);
  for (bit = 32 * (2 * places + 2); bit-- > 0;) {
    uint32_t in = bit >= 32 * places ? a->w[bit / 32 - places] >> (bit % 32) & 1u : 0u;
    dppair_fix_shift_in_(&rest, 1, in, places);
    if (dppair_fix_sub_(&trial, &rest, b, places)) {
      dppair_fix_shift_in_(&quotient, 1, 0, places);
    } else {
      rest = trial;
      dppair_fix_shift_in_(&quotient, 1, 1, places);
    }
  }
  *r = quotient;
}

/* r = sqrt(a), bit by bit: each step takes in two bits of a and finds one bit of the root. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_sqrt_(dppair_fix_ *r, const dppair_fix_ *a, unsigned places) {
  dppair_fix_ rest, root, trial;
  unsigned bit;
  memset(&rest, 0, sizeof rest);
  memset(&root, 0, sizeof root);
  for (bit = 32 * (2 * places + 2); bit > 0; bit -= 2) {
    unsigned at = bit - 2;
    uint32_t in = at >= 32 * places ? a->w[at / 32 - places] >> (at % 32) & 3u : 0u;
    dppair_fix_shift_in_(&rest, 2, in, places);
    trial = root;
    dppair_fix_shift_in_(&trial, 2, 1, places);
    if (dppair_fix_sub_(&trial, &rest, &trial, places)) {
      dppair_fix_shift_in_(&root, 1, 0, places);
    } else {
      rest = trial;
      dppair_fix_shift_in_(&root, 1, 1, places);
    }
  }
  *r = root;
}

/* r = x for a finite x >= 0 below 2^63, rounded down. Returns 1 when digits were cut off. */
DPPAIR_OUT_OF_LINE_ int dppair_fix_from_f64_(dppair_fix_ *r, double x, unsigned places) {
  int exponent, shift;
  uint64_t digits, rest;
  unsigned i;
  memset(r, 0, sizeof *r);
  if (!(x > 0.0)) return 0;
  digits = (uint64_t)dppair_ldexp_(dppair_frexp_(x, &exponent), 53);
  shift = exponent - 53 + (int)(32 * places); /* x = digits 2^(shift - 32 places) */
  if (shift <= -53) return 1;
  if (shift < 0) {
    rest = digits & ((UINT64_C(1) << -shift) - 1);
    digits >>= -shift;
    shift = 0;
  } else {
    rest = 0;
  }
  for (i = 0; i < 64; i++)
    if (digits >> i & 1)
      r->w[(unsigned)(shift + (int)i) / 32] |= 1u << (unsigned)(shift + (int)i) % 32;
  return rest != 0;
}

/* Encloses r = a b. */
DPPAIR_OUT_OF_LINE_ void dppair_range_mul_(dppair_range_ *r, const dppair_range_ *a,
                                           const dppair_range_ *b, unsigned places) {
  dppair_fix_mul_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_mul_(&r->hi, &a->hi, &b->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* Encloses r = a + b. */
DPPAIR_OUT_OF_LINE_ void dppair_range_add_(dppair_range_ *r, const dppair_range_ *a,
                                           const dppair_range_ *b, unsigned places) {
  dppair_fix_add_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_add_(&r->hi, &a->hi, &b->hi, places);
}

/* Encloses r = sqrt(a). */
DPPAIR_OUT_OF_LINE_ void dppair_range_sqrt_(dppair_range_ *r, const dppair_range_ *a,
                                            unsigned places) {
  dppair_fix_sqrt_(&r->lo, &a->lo, places);
  dppair_fix_sqrt_(&r->hi, &a->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* ---- src/noise/last_level.h -----------------------------------------------------------------
 * The last level: noise by integers
 *
 * Encloses a noise variable with 32 `places` bits after the point and rounds a released number when
 * both ends of the enclosure agree on it. Uses fixed_point.h; all errors are counted in ulps.
 * ---------------------------------------------------------------------------------------------- */

/* The string U after its first `skip` (0 or 1) bits, normalised: U = 2^-m (1 + fraction). Reads
 * words until one has a 1 bit, then `places` more. EXHAUSTED after about 6000 zeros. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_string_normal_(unsigned *m, dppair_fix_ *fraction,
                                                                 const dppair_string_ *s,
                                                                 unsigned skip, unsigned places) {
  uint32_t word = dppair_string_word_(s, 0) & (0xffffffffu >> skip), next;
  unsigned level = 0, zeros = 0, j;
  while (word == 0) {
    if (++level >= DPPAIR_NOISE_LEVELS_ - places - 1) return DPPAIR_ERR_EXHAUSTED;
    word = dppair_string_word_(s, level);
  }
  while ((word >> (31 - zeros) & 1u) == 0) zeros++;
  *m = 32 * level + zeros + 1 - skip;
  memset(fraction, 0, sizeof *fraction);
  for (j = 0; j < places; j++) {
    next = dppair_string_word_(s, level + j + 1);
    fraction->w[places - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
    word = next;
  }
  return DPPAIR_OK;
}

/* sum = 2 artanh(top / bottom) for a quotient of at most 0.172, by the series r + r^3 / 3 + ... */
DPPAIR_OUT_OF_LINE_ void dppair_fix_artanh2_(dppair_fix_ *sum, const dppair_fix_ *top,
                                             const dppair_fix_ *bottom, unsigned places) {
  dppair_fix_ square, power, term;
  unsigned j;
  dppair_fix_div_(&power, top, bottom, places);
  dppair_fix_mul_(&square, &power, &power, places);
  memset(sum, 0, sizeof *sum);
  for (j = 1; !dppair_fix_shrink_(&term, &power, j, places); j += 2) {
    dppair_fix_add_(sum, sum, &term, places);
    dppair_fix_mul_(&power, &power, &square, places);
  }
  dppair_fix_add_(sum, sum, sum, places);
}

/*
 * Encloses e = m ln 2 - ln v, v = 1 + fraction in [1, 2), m >= 1: -ln U of U = 2^-m v.
 *
 * Above v = 1.414 the form (m-1) ln 2 + ln(2/v) is used instead, so that nothing cancels near
 * U = 1. The logarithm is 2 artanh(a/b) with a/b = (v-1)/(v+1) or (2-v)/(2+v), at most 0.172.
 * Errors in ulps: v less than 1; a/b 2; its square 2; each power at most 3; each of at most 80
 * terms 3/(2j+1) + 1; the cut-off tail 1. The sum is below 100, doubled below 200; m ln 2 is off by
 * less than m. So an enclosure of width 256 + m on both sides holds e.
 */
DPPAIR_OUT_OF_LINE_ void dppair_minus_log_(dppair_range_ *e, unsigned m,
                                           const dppair_fix_ *fraction, unsigned places) {
  dppair_fix_ one, top, bottom, sum, big;
  const int past = fraction->w[places - 1] >= 0x6a000000u; /* v is above 1.414 = 1 + 0x6a / 256 */
  memset(&one, 0, sizeof one);
  one.w[places] = 1;
  bottom = *fraction; /* v + 1 or v + 2 */
  bottom.w[places] = past ? 3 : 2;
  top = *fraction; /* v - 1 or 2 - v */
  if (past) (void)dppair_fix_sub_(&top, &one, fraction, places);
  dppair_fix_artanh2_(&sum, &top, &bottom, places);
  dppair_fix_constant_(&big, dppair_ln2_words_, places);
  dppair_fix_scale_(&big, &big, past ? m - 1 : m, places);
  if (past) {
    dppair_fix_add_(&sum, &big, &sum, places);
  } else {
    (void)dppair_fix_sub_(&sum, &big, &sum, places);
  }
  dppair_fix_down_(&e->lo, &sum, 256 + m, places);
  dppair_fix_up_(&e->hi, &sum, 256 + m, places);
}

/* Encloses e = -ln U, where U is the string after its first `skip` (0 or 1) bits. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status dppair_exponential_exact_(
    dppair_range_ *e, const dppair_string_ *s, unsigned skip, unsigned places) {
  dppair_fix_ fraction;
  unsigned m = 0; /* always set below, which gcc does not see at -O1 */
  const dppair_status status = dppair_string_normal_(&m, &fraction, s, skip, places);
  if (status == DPPAIR_OK) dppair_minus_log_(e, m, &fraction, places);
  return status;
}

/* t = the distance of T from the nearest quarter turn, |t| <= 1/8. Returns which function of 2 pi t
 * is the cosine (or, when `sine`, the sine) of 2 pi T: 0 cos, 1 -sin, 2 -cos, 3 sin. */
DPPAIR_FN_ unsigned dppair_quarter_turn_(dppair_fix_ *t, const dppair_string_ *s, unsigned sine,
                                         unsigned places) {
  dppair_fix_ eighth;
  unsigned j, quadrant, function;
  memset(t, 0, sizeof *t);
  memset(&eighth, 0, sizeof eighth);
  for (j = 0; j < places; j++) t->w[places - 1 - j] = dppair_string_word_(s, j);
  eighth.w[places - 1] = 0x20000000u;
  dppair_fix_add_(t, t, &eighth, places);
  quadrant = t->w[places - 1] >> 30;
  t->w[places - 1] &= 0x3fffffffu;
  t->w[places] = 0;
  function = (quadrant + 3 * sine) & 3;
  if (dppair_fix_sub_(t, t, &eighth, places)) { /* t < 0: use |t|, a sine changes its sign */
    dppair_fix_ zero;
    memset(&zero, 0, sizeof zero);
    (void)dppair_fix_sub_(t, &zero, t, places);
    if (function & 1) function ^= 2;
  }
  return function;
}

/* sum = cos(theta) or sin(theta), 0 <= theta <= pi/4, by the Taylor series. In the loop
 * term = theta^(j-1) / (j-1)!; the signs alternate, and every partial sum is positive. */
DPPAIR_OUT_OF_LINE_ void dppair_fix_taylor_(dppair_fix_ *sum, const dppair_fix_ *theta, int of_sine,
                                            unsigned places) {
  dppair_fix_ term, square;
  unsigned j = of_sine ? 2 : 1;
  dppair_fix_mul_(&square, theta, theta, places);
  memset(sum, 0, sizeof *sum);
  memset(&term, 0, sizeof term);
  term.w[places] = 1;
  if (of_sine) term = *theta;
  for (;;) {
    dppair_fix_add_(sum, sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
    (void)dppair_fix_sub_(sum, sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
  }
}

/*
 * Encloses |cos(2 pi T)|, or |sin(2 pi T)| when `sine`, and returns 1 when it is negative.
 *
 * T = q/4 + t with |t| <= 1/8; the quadrant q chooses the function and its sign, and theta = 2 pi
 * |t| <= pi/4 goes into the Taylor series. Errors in ulps: t 1, theta 9 in all, theta^2 16, each
 * power below 20, each of at most 50 terms likewise. So 1024 ulps on both sides enclose it.
 */
DPPAIR_OUT_OF_LINE_ int dppair_cosine_exact_(dppair_range_ *c, const dppair_string_ *s,
                                             unsigned sine, unsigned places) {
  dppair_fix_ t, two_pi, sum;
  const unsigned function = dppair_quarter_turn_(&t, s, sine, places);
  dppair_fix_constant_(&two_pi, dppair_two_pi_words_, places);
  dppair_fix_mul_(&t, &t, &two_pi, places);
  dppair_fix_taylor_(&sum, &t, (int)(function & 1), places);
  dppair_fix_down_(&c->lo, &sum, 1024, places);
  dppair_fix_up_(&c->hi, &sum, 1024, places);
  return function == 1 || function == 2;
}

/* Encloses |z| of a standard Gaussian z = sqrt(-2 ln U) cos(2 pi T), or with the sine; *negative
 * says whether z is negative. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
dppair_gaussian_exact_(dppair_range_ *z, int *negative, const dppair_string_ *u,
                       const dppair_string_ *t, unsigned sine, unsigned places) {
  dppair_range_ c;
  dppair_status status = dppair_exponential_exact_(z, u, 0, places);
  if (status != DPPAIR_OK) return status;
  dppair_range_add_(z, z, z, places);
  dppair_range_sqrt_(z, z, places);
  *negative = dppair_cosine_exact_(&c, t, sine, places);
  dppair_range_mul_(z, z, &c, places);
  return DPPAIR_OK;
}

/* Encloses rest + 1/2 for |rest| <= 1/2. The bits of rest below the last place are cut off, which
 * moves it by less than one ulp. */
DPPAIR_OUT_OF_LINE_ void dppair_range_rest_(dppair_range_ *p, double rest, unsigned places) {
  const unsigned cut = (unsigned)dppair_fix_from_f64_(&p->lo, dppair_fabs_(rest), places);
  dppair_fix_ half;
  memset(&half, 0, sizeof half);
  half.w[places - 1] = 0x80000000u;
  if (rest < 0.0) {
    (void)dppair_fix_sub_(&p->lo, &half, &p->lo, places);
  } else {
    dppair_fix_add_(&p->lo, &half, &p->lo, places);
  }
  dppair_fix_up_(&p->hi, &p->lo, cut, places);
  dppair_fix_down_(&p->lo, &p->lo, cut, places);
}

/*
 * *out = round(rest +- s z) for |rest| <= 1/2 and an enclosed z >= 0. Returns 1 when both ends of
 * the enclosure agree, 0 when more bits are needed. round(y) = floor(y + 1/2); the words before the
 * point of a number are its floor modulo 2^64, in two's complement when it is negative. s >= 1 is
 * exact: its last bit lies above the last place.
 */
DPPAIR_OUT_OF_LINE_ int dppair_round_exact_(double *out, double rest, double s,
                                            const dppair_range_ *z, int negative, unsigned places) {
  dppair_range_ y, p;
  uint64_t lo, hi;
  (void)dppair_fix_from_f64_(&y.lo, s, places);
  y.hi = y.lo;
  dppair_range_mul_(&y, &y, z, places);
  dppair_range_rest_(&p, rest, places);
  if (negative) {
    (void)dppair_fix_sub_(&p.lo, &p.lo, &y.hi, places);
    (void)dppair_fix_sub_(&p.hi, &p.hi, &y.lo, places);
  } else {
    dppair_range_add_(&p, &p, &y, places);
  }
  lo = (uint64_t)p.lo.w[places + 1] << 32 | p.lo.w[places];
  hi = (uint64_t)p.hi.w[places + 1] << 32 | p.hi.w[places];
  *out = lo >> 63 ? -(double)(~lo + 1) : (double)lo;
  return lo == hi;
}

/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0

/* ---- src/noise/double_level.h ---------------------------------------------------------------
 * The double level, in scalar code
 *
 * -ln U, cosine and sine from a few words of their strings, with bounds on their errors. u = 2^-53
 * is the unit roundoff. The scalar tier, the l2 mechanism and the raw samples use these functions.
 * ---------------------------------------------------------------------------------------------- */

/* f = v - 1 and k of U = v 2^k, v in [0.707, 1.414], from the first 96 bits of U's string. Returns
 * 0 when those do not suffice: U < 2^-32 or U >= 1 - 2^-96. f is exact apart from one conversion;
 * near U = 1 it comes from the distance 1 - U itself, so that it keeps its leading digits. */
DPPAIR_FORCE_INLINE_ int dppair_normal_f64_(double *f, int *k, const uint32_t w[3]) {
  const uint64_t root_half = UINT64_C(0xb504f333f9de6485); /* sqrt(1/2) 2^64 */
  uint64_t high = (uint64_t)w[0] << 32 | w[1], low = (uint64_t)w[1] << 32 | w[2];
  double v;
  int i;
  *k = 0;
  if (high >= root_half) {
    if (w[0] != 0xffffffffu) {
      *f = (double)(0 - high) * -DPPAIR_EXP2M_(32) * DPPAIR_EXP2M_(32);
    } else { /* 32 ones: the words 1 and 2 have the leading digits of 1 - U */
      if (low == UINT64_MAX) return 0;
      *f = (double)(0 - low) * -DPPAIR_EXP2M_(48) * DPPAIR_EXP2M_(48);
    }
    return 1;
  }
  if (w[0] == 0) return 0;
  while (high < UINT64_C(1) << 48) { /* a long run of zeros: fill up from the third word */
    high = high << 16 | low << 32 >> 48;
    low <<= 16;
    *k -= 16;
  }
  v = dppair_frexp_((double)high, &i);
  *k += i - 64;
  if (v < 0.70710678118654752) {
    v *= 2.0;
    *k -= 1;
  }
  *f = v - 1.0;
  return 1;
}

/* 2 artanh r for |r| <= 0.172, by its series to the 25th power (tail 2^-64): within 2u of it. */
DPPAIR_FORCE_INLINE_ double dppair_artanh2_f64_(double r) {
  static const double c[12] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                               2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
  const double r2 = r * r;
  double p = c[11];
  int i;
  for (i = 11; i-- > 0;) p = p * r2 + c[i];
  return 2.0 * r + r * r2 * p;
}

/* ln(v 2^k) of v = 1 + f in [0.707, 1.414], ln v = 2 artanh(f / (2 + f)). Error: relative 4u when
 * k = 0, else absolute 4u (1 + |ln(v 2^k)|). */
DPPAIR_FORCE_INLINE_ double dppair_log_parts_(double f, int k) {
  const double ln2_hi = 0.6931471805598903, ln2_lo = 5.497923018708371e-14; /* ln 2, in two parts */
  const double p = dppair_artanh2_f64_(f / (2.0 + f));
  return k == 0 ? p : (double)k * ln2_hi + ((double)k * ln2_lo + p);
}

/*
 * -ln U from the first 96 bits of its string (at least 95 of them read), or -1 when those do not
 * suffice.
 *
 * With U = v 2^k; the error without the unread bits is that of dppair_log_parts_. The unread bits
 * move U by at most 2^-63 and v by a factor of at most 1 + 2^-46.
 */
DPPAIR_FN_ double dppair_exponential_f64_(const uint32_t w[3]) {
  double f;
  int k;
  if (!dppair_normal_f64_(&f, &k, w)) return -1.0;
  return -dppair_log_parts_(f, k);
}

/* cos and sin of 2 pi T from 64 bits of T, each within 3u. T = q/4 + t with |t| <= 1/8; theta =
 * 2 pi t, |theta| <= 0.7854, goes into the Taylor series to theta^18 and theta^17 (tails below
 * 2^-60), and the quadrant q exchanges the two or changes their signs. */
DPPAIR_FN_ void dppair_circle_f64_(double *cosine, double *sine, uint64_t bits) {
  static const double c[9] = {-1.0 / 2,
                              1.0 / 24,
                              -1.0 / 720,
                              1.0 / 40320,
                              -1.0 / 3628800,
                              1.0 / 479001600,
                              -1.0 / 87178291200.0,
                              1.0 / 20922789888000.0,
                              -1.0 / 6402373705728000.0};
  static const double s[8] = {-1.0 / 6,
                              1.0 / 120,
                              -1.0 / 5040,
                              1.0 / 362880,
                              -1.0 / 39916800,
                              1.0 / 6227020800.0,
                              -1.0 / 1307674368000.0,
                              1.0 / 355687428096000.0};
  uint64_t moved = bits + (UINT64_C(1) << 61);
  unsigned quadrant = (unsigned)(moved >> 62);
  double theta, t2, a = c[8], b = s[7];
  int i;
  theta = (double)((int64_t)(moved & (UINT64_MAX >> 2)) - (INT64_C(1) << 61)) *
          3.4061215800865545e-19; /* 2 pi 2^-64 */
  t2 = theta * theta;
  for (i = 8; i-- > 0;) a = a * t2 + c[i];
  for (i = 7; i-- > 0;) b = b * t2 + s[i];
  a = 1.0 + t2 * a;
  b = theta + theta * t2 * b;
  *cosine = quadrant == 0 ? a : quadrant == 1 ? -b : quadrant == 2 ? -a : b;
  *sine = quadrant == 0 ? b : quadrant == 1 ? a : quadrant == 2 ? -b : -a;
}

/* *out = round(y). Returns 1 when every number within tau of y rounds to it. */
DPPAIR_FN_ int dppair_round_certain_(double *out, double y, double tau) {
  double k = dppair_rint_(y);
  *out = k;
  return dppair_fabs_(y - k) < 0.5 - tau;
}

/* ---- src/noise/release_plan.h ---------------------------------------------------------------
 * What a release consists of
 *
 * The plan (grid, law, tier), the exact split of x / g into an integer and a rest, the last level
 * for one number, and the scalar code for one block. The vector tiers use the same plan and last
 * level; levels.h and releases.h put the parts together.
 * ---------------------------------------------------------------------------------------------- */

typedef struct dppair_plan_ dppair_plan_;

/* A batch of the second level: positions, x / g = whole + rest, the integers k to which rest +
 * noise is rounded, and whether they are undecided (1.0) or not; 64 bits of the strings U and T,
 * and 1.0 for a sine. */
typedef struct dppair_batch_ {
  uint32_t at[DPPAIR_ROW_MAX_];
  double whole[DPPAIR_ROW_MAX_], rest[DPPAIR_ROW_MAX_], k[DPPAIR_ROW_MAX_];
  double undecided[DPPAIR_ROW_MAX_], sine[DPPAIR_ROW_MAX_];
  uint64_t u[DPPAIR_ROW_MAX_], t[DPPAIR_ROW_MAX_];
} dppair_batch_;

/* The levels of one law, type and vector tier, whose code no other law has: kernels/. */
typedef int (*dppair_first_)(void *x, size_t n, const uint32_t *words, const uint32_t *more,
                             uint32_t *marks, const dppair_plan_ *plan);
typedef void (*dppair_second_)(dppair_batch_ *b, size_t slots, const dppair_plan_ *plan);

/* A law and type: sets `law` and `narrow`, and the levels that make it at plan->tier. */
typedef void (*dppair_noise_levels_)(dppair_plan_ *plan);

struct dppair_plan_ {
  double g, inverse;   /* the grid 2^exponent and 1 / g */
  double s;            /* scale / g, exact */
  double open_rate;    /* expected share of numbers that the float level leaves undecided */
  dppair_first_ first; /* NULL at the scalar tier, whose code is for all laws */
  dppair_second_ second;
  int exponent, law, tier;
  int narrow; /* 1: the numbers are float, 0: double */
  int coarse; /* 1: the float level comes first */
};

/* The integer in the bits of y + 1.5 2^52, |y| < 2^51: the nearest to y. No branch, as rint can
 * have. */
DPPAIR_FORCE_INLINE_ double dppair_whole_(uint64_t moved) {
  return (double)((int64_t)moved - INT64_C(0x4338000000000000));
}

/*
 * x / g = whole + rest with |rest| <= 1/2, both exact. (If x / g underflows, it loses less than
 * 2^-1074, which every tau covers.) `whole` is read as an integer from the bits of x / g + 1.5
 * 2^52. Subtracting 1.5 2^52 again would be shorter, but a compiler that is allowed to reassociate
 * could simplify the sum to x / g, and the release would reveal the digits of x.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_split_(double *whole, double *rest, double x,
                                                         const dppair_plan_ *plan) {
  const double y = x * plan->inverse;
  const uint64_t moved = dppair_bits_f64_(y + DPPAIR_MAGIC_F64_);
  *whole = *rest = 0.0;
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_NOT_FINITE;
  if (moved >> 52 != 0x433) return DPPAIR_ERR_OVERFLOW; /* the exponent left that of 2^52 */
  *whole = dppair_whole_(moved);
  *rest = y - *whole;
  return DPPAIR_OK;
}

DPPAIR_FN_ double dppair_get_(const void *x, size_t i, int narrow) {
  return narrow ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* x[i] = y, but never -0. */
DPPAIR_FN_ void dppair_put_one_(void *x, size_t i, int narrow, double y) {
  if (narrow)
    ((float *)x)[i] = (float)(y + 0.0);
  else
    ((double *)x)[i] = y + 0.0;
}

/*
 * The last check before numbers are released: returns 0 when one of them is no multiple of g. Its
 * digits below the grid would then reveal the un-noised number. The test works on bits: of x =
 * m 2^unit, the digits below the grid are shifted to the top of a word and must be 0. A compiler
 * that breaks the rounding breaks it everywhere alike, so it suffices to test the first 128 numbers
 * and every 127th after them: that covers every lane and every chunk.
 */
DPPAIR_FN_ int dppair_on_grid_(const void *x, size_t n, int narrow, int exponent) {
  uint64_t off = 0;
  size_t i;
  for (i = 0; i < n; i += i < 128 ? 1 : 127) {
    uint64_t m, bits = dppair_bits_f64_(dppair_get_(x, i, narrow));
    int below;
    DPPAIR_DECLASSIFY_(&bits, sizeof bits); /* the number is released: time may depend on it */
    m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    below = exponent - ((int)(bits >> 52 & 0x7ff) - 1075);
    if (below > 0 && bits << 1 != 0) off |= below > 52 ? 1 : m << (64 - below);
  }
  return off == 0;
}

/* The error for n numbers of which at least one was out of range. A number that is not finite is
 * never decided, and an undecided number is unchanged, so NOT_FINITE can still be told. */
DPPAIR_FN_ dppair_status dppair_unfit_status_(const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++)
    if (!dppair_isfinite_f64(dppair_get_(x, i, narrow))) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_ERR_OVERFLOW;
}

/* *k = round(rest + s z_i) by integers of 128, 256, then 384 bits after the point. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_last_level_(double *k, double rest,
                                                              const dppair_rng *rng, uint64_t block,
                                                              unsigned i,
                                                              const dppair_plan_ *plan) {
  dppair_string_ u, t;
  dppair_range_ size;
  dppair_status status;
  unsigned places;
  dppair_strings_(&u, &t, rng, block, i, plan->law);
  *k = 0.0;
  for (places = 4; places <= DPPAIR_FIX_MAX_; places += 4) {
    int negative = 0; /* always set below, which gcc does not see at -O1 */
    if (plan->law == DPPAIR_NOISE_LAPLACE_) {
      negative = (int)(dppair_string_word_(&u, 0) >> 31);
      status = dppair_exponential_exact_(&size, &u, 1, places);
    } else {
      status = dppair_gaussian_exact_(&size, &negative, &u, &t, i / 8, places);
    }
    if (status != DPPAIR_OK) return status;
    if (dppair_round_exact_(k, rest, plan->s, &size, negative, places)) return DPPAIR_OK;
  }
  return DPPAIR_ERR_EXHAUSTED;
}

/* The last level for number p of an array whose key stream begins at block `block`. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_last_level_in_place_(void *x, size_t p,
                                                                       int narrow,
                                                                       const dppair_rng *rng,
                                                                       uint64_t block,
                                                                       const dppair_plan_ *plan) {
  double whole, rest, k;
  dppair_status status = dppair_split_(&whole, &rest, dppair_get_(x, p, narrow), plan);
  if (status == DPPAIR_OK)
    status = dppair_last_level_(&k, rest, rng, block + p / 16, (unsigned)(p % 16), plan);
  if (status == DPPAIR_OK) dppair_put_one_(x, p, narrow, (whole + k) * plan->g);
  return status;
}

/*
 * Noise for n <= 16 numbers from one block by scalar code; words and more are its levels 0 and 1.
 * u = 2^-53.
 *
 * Gaussian: tau = 2^-46 s + 2^-52 |y|. With R = sqrt(-2 ln U) the error of R cos is at most
 * - 8uR + 4u/R from the logarithm, 4u(1 + R^2/2) / R, and the root, uR; the second term occurs only
 *   where R > 0.83, since at larger U the logarithm has a relative error of 4u;
 * - 3uR from the cosine and uR from the product.
 * R < 6.7 because the first word of U is not 0, so the sum is below 2^-46.2. The unread bits move R
 * by at most 2^-63 / (U R), below 2^-48, and R cos by 2 pi R 2^-64. The addition of rest rounds by
 * u|y|, the product by us|z|.
 * Laplace: tau = 2^-45 s + 2^-52 |y|: 4u(1 + 22.2) from the logarithm, u 22.2 from the product,
 * less than 2^-46 from the unread bits.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_block_scalar_(
    void *x, unsigned n, int narrow, const uint32_t words[16], const uint32_t more[16],
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  const int laplace = plan->law == DPPAIR_NOISE_LAPLACE_;
  double c[16], s[8];
  unsigned i;
  if (!laplace)
    for (i = 0; i < 8; i++) {
      dppair_circle_f64_(&c[i], &s[i], (uint64_t)words[2 * i + 1] << 32 | more[2 * i + 1]);
      c[i + 8] = s[i];
    }
  for (i = 0; i < n; i++) {
    dppair_string_ u, t;
    uint32_t w[3];
    double whole, rest, k, e, y, tau;
    dppair_status status = dppair_split_(&whole, &rest, dppair_get_(x, i, narrow), plan);
    if (status != DPPAIR_OK) return status;
    dppair_strings_(&u, &t, rng, block, i, plan->law);
    dppair_string_read_(w, &u, words[u.lane], more[u.lane], laplace ? 1 : 0);
    e = dppair_exponential_f64_(w);
    if (laplace) {
      y = rest + (words[i] >> 31 ? -plan->s : plan->s) * e;
      tau = DPPAIR_EXP2M_(45);
    } else {
      y = rest + plan->s * (dppair_sqrt_(2.0 * dppair_fabs_(e)) * c[i]);
      tau = DPPAIR_EXP2M_(46);
    }
    tau = tau * plan->s + DPPAIR_EXP2M_(52) * dppair_fabs_(y);
    if (!(e > 0.0) || !dppair_round_certain_(&k, y, tau))
      status = dppair_last_level_(&k, rest, rng, block, i, plan);
    if (status != DPPAIR_OK) return status;
    dppair_put_one_(x, i, narrow, (whole + k) * plan->g);
  }
  return DPPAIR_OK;
}

/* How many blocks n numbers take: one for 16. */
DPPAIR_FN_ uint64_t dppair_blocks_(size_t n) { return (uint64_t)(n / 16) + (n % 16 != 0); }

/* Slots of a batch of the second level, for n numbers of which m = n open_rate are expected to be
 * undecided: m + 7.5 sqrt(m) + 9, rounded up to a multiple of 8. Their number is nearly Poisson, so
 * more are undecided with probability below 1e-15; those take a second batch. */
DPPAIR_FN_ size_t dppair_slots_(size_t n, const dppair_plan_ *plan) {
  const double expected = (double)n * plan->open_rate;
  return ((size_t)(expected + 7.5 * dppair_sqrt_(expected) + 9.0) + 8) / 8 * 8;
}

/* A place in a list of marks (kernels/rounding.h), and the marks of the vector there that are left;
 * `now` is 0 at the end. */
typedef struct dppair_marks_ {
  const uint32_t *next;
  uint32_t now;
} dppair_marks_;

DPPAIR_FORCE_INLINE_ void dppair_marks_open_(dppair_marks_ *m, const uint32_t *marks) {
  m->next = marks + (*marks != 0);
  m->now = *marks;
}

/* The position of the next mark; returns 0 at the end. The work is the same there. */
DPPAIR_FORCE_INLINE_ unsigned dppair_marks_next_(uint32_t *at, dppair_marks_ *m) {
  const unsigned found = m->now != 0;
  const uint32_t rest = m->now & (m->now - 1), after = *m->next;
  const float lowest = (float)(int32_t)(m->now & (0u - m->now)); /* 2^i for the first lane i */
  const unsigned done = found & ((rest & 0xffffu) == 0);
  *at = (m->now >> 16) + (dppair_bits_f32_(lowest) >> 23) - 127u;
  m->now = done ? after : rest;
  m->next += done & (after != 0);
  return found;
}

/* Laws of raw samples, see simulation.h. */
enum {
  DPPAIR_FILL_GAUSSIAN_ = 0,
  DPPAIR_FILL_LAPLACE_ = 1,
  DPPAIR_FILL_EXPONENTIAL_ = 2,
  DPPAIR_FILL_UNIFORM_ = 3,
  DPPAIR_FILL_RADEMACHER_ = 4
};

#ifdef DPPAIR_SMALL
#define DPPAIR_CHUNK_ 64 /* numbers that go through the levels together; no number knows it */
#else
#define DPPAIR_CHUNK_ 4096
#endif
#define DPPAIR_STEP_ 512 /* numbers whose noise the float level makes before it rounds them */

/* ---- src/noise/aes_instructions.h -----------------------------------------------------------
 * AES-256 by instructions
 *
 * Units of 16 bytes by AES-NI on x86-64 and by the instructions of ARMv8; kernels/vaes.h has rows
 * by VAES. Eight units at a time hide the latency of the rounds; the last group is filled up with
 * copies of its first unit.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_X86_ && DPPAIR_HAVE_AES_
DPPAIR_TARGET_BEGIN_("aes,ssse3")

/* The counter of a 16-byte unit, in the byte order of AES (big-endian). */
DPPAIR_FORCE_INLINE_ __m128i dppair_aes_counter_(uint64_t stream, uint64_t low) {
  const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(_mm_set_epi64x((long long)stream, (long long)low), reverse);
}

/* Encrypts eight counters. */
DPPAIR_FORCE_INLINE_ void dppair_aes_eight_(__m128i x[8], const __m128i *keys) {
  __m128i k = _mm_loadu_si128(keys), a, b, c, d, e, f, g, h;
  unsigned round;
  a = _mm_xor_si128(x[0], k), b = _mm_xor_si128(x[1], k), c = _mm_xor_si128(x[2], k);
  d = _mm_xor_si128(x[3], k), e = _mm_xor_si128(x[4], k), f = _mm_xor_si128(x[5], k);
  g = _mm_xor_si128(x[6], k), h = _mm_xor_si128(x[7], k);
  for (round = 1; round < 14; round++) {
    k = _mm_loadu_si128(keys + round);
    a = _mm_aesenc_si128(a, k), b = _mm_aesenc_si128(b, k), c = _mm_aesenc_si128(c, k);
    d = _mm_aesenc_si128(d, k), e = _mm_aesenc_si128(e, k), f = _mm_aesenc_si128(f, k);
    g = _mm_aesenc_si128(g, k), h = _mm_aesenc_si128(h, k);
  }
  k = _mm_loadu_si128(keys + 14);
  x[0] = _mm_aesenclast_si128(a, k), x[1] = _mm_aesenclast_si128(b, k);
  x[2] = _mm_aesenclast_si128(c, k), x[3] = _mm_aesenclast_si128(d, k);
  x[4] = _mm_aesenclast_si128(e, k), x[5] = _mm_aesenclast_si128(f, k);
  x[6] = _mm_aesenclast_si128(g, k), x[7] = _mm_aesenclast_si128(h, k);
}

/* `count` units of 16 bytes at any positions. */
DPPAIR_FN_ void dppair_aes_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                  const uint64_t *units, size_t count) {
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += 8) {
    const unsigned live = count - i < 8 ? (unsigned)(count - i) : 8u;
    __m128i x[8];
    for (j = 0; j < 8; j++)
      x[j] = dppair_aes_counter_(rng->stream,
                                 dppair_address_(level, units[i + (j < live ? j : 0)]));
    dppair_aes_eight_(x, (const __m128i *)(const void *)rng->key);
    for (j = 0; j < live; j++) _mm_storeu_si128((__m128i *)(void *)(out + 4 * (i + j)), x[j]);
  }
}

/* `count` consecutive blocks, two at a time; an odd last one by its units. */
DPPAIR_FN_ void dppair_aes_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                uint64_t block, size_t count) {
  uint64_t last[4];
  size_t i;
  unsigned j;
  for (i = 0; i + 2 <= count; i += 2) {
    const uint64_t low = dppair_address_(level, 4 * (block + i));
    __m128i x[8];
    DPPAIR_UNROLL_
    for (j = 0; j < 8; j++) x[j] = dppair_aes_counter_(rng->stream, low + j);
    dppair_aes_eight_(x, (const __m128i *)(const void *)rng->key);
    DPPAIR_UNROLL_
    for (j = 0; j < 8; j++)
      _mm_storeu_si128((__m128i *)(void *)(out + 16 * i + 4 * j), x[j]);
  }
  for (j = 0; j < 4; j++) last[j] = 4 * (block + i) + j;
  if (i < count) dppair_aes_units_(out + 16 * i, rng, level, last, 4);
}

DPPAIR_TARGET_END_
#endif

#if DPPAIR_ARM_AES_
DPPAIR_ARM_AES_BEGIN_

/* The instruction adds a round's key before it substitutes; the last key is added after the rounds.
 */
DPPAIR_FN_ void dppair_aes_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                  const uint64_t *units, size_t count) {
  const uint8_t *keys = (const uint8_t *)(const void *)rng->key;
  size_t i;
  unsigned j, round;
  for (i = 0; i < count; i += 8) {
    const unsigned live = count - i < 8 ? (unsigned)(count - i) : 8u;
    uint8x16_t k, a, b, c, d, e, f, g, h, x[8];
    for (j = 0; j < 8; j++) { /* the counter in the byte order of AES (big-endian) */
      const uint64_t low = dppair_address_(level, units[i + (j < live ? j : 0)]);
      x[j] = vrev64q_u8(
          vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(rng->stream), vcreate_u64(low))));
    }
    a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7];
    for (round = 0; round < 13; round++) {
      k = vld1q_u8(keys + 16 * round);
      a = vaesmcq_u8(vaeseq_u8(a, k)), b = vaesmcq_u8(vaeseq_u8(b, k));
      c = vaesmcq_u8(vaeseq_u8(c, k)), d = vaesmcq_u8(vaeseq_u8(d, k));
      e = vaesmcq_u8(vaeseq_u8(e, k)), f = vaesmcq_u8(vaeseq_u8(f, k));
      g = vaesmcq_u8(vaeseq_u8(g, k)), h = vaesmcq_u8(vaeseq_u8(h, k));
    }
    k = vld1q_u8(keys + 16 * 13);
    x[0] = vaeseq_u8(a, k), x[1] = vaeseq_u8(b, k), x[2] = vaeseq_u8(c, k), x[3] = vaeseq_u8(d, k);
    x[4] = vaeseq_u8(e, k), x[5] = vaeseq_u8(f, k), x[6] = vaeseq_u8(g, k), x[7] = vaeseq_u8(h, k);
    k = vld1q_u8(keys + 16 * 14);
    for (j = 0; j < live; j++)
      vst1q_u8((uint8_t *)(void *)(out + 4 * (i + j)), veorq_u8(x[j], k));
  }
}

/* `count` consecutive blocks. */
DPPAIR_FN_ void dppair_aes_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                uint64_t block, size_t count) {
  uint64_t units[8];
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += 2) {
    for (j = 0; j < 8; j++) units[j] = 4 * (block + i) + j;
    dppair_aes_units_(out + 16 * i, rng, level, units, count - i < 2 ? 4 : 8);
  }
}

DPPAIR_ARM_AES_END_
#endif

/* ---- src/noise/kernels/each_tier.h ----------------------------------------------------------
 * The kernels, once for each vector tier
 *
 * dppair_noise.h includes itself once for each tier; the list of the kernels is at its end.
 * ---------------------------------------------------------------------------------------------- */

/* 1 where the 128-bit tier makes noise, and not the key stream only: simd128.h. */
#if DPPAIR_WASM_NOISE_ ||                                                                          \
    (DPPAIR_HAVE_SIMD128 &&                                                                        \
     (defined(__SSE2__) || (defined(__aarch64__) && !defined(__AARCH64EB__))))
#define DPPAIR_NOISE_SIMD128_ 1
#else
#define DPPAIR_NOISE_SIMD128_ 0
#endif

/* Whether any tier makes noise in vectors, and how many floats the narrowest of these holds. */
#if DPPAIR_HAVE_AVX2 || DPPAIR_NOISE_SIMD128_
#define DPPAIR_NOISE_VECTORS_ 1
#else
#define DPPAIR_NOISE_VECTORS_ 0
#endif
#define DPPAIR_LANES_LEAST_ (DPPAIR_NOISE_SIMD128_ ? 4 : 8)

/* Of a tier only dppair_vaes_row_ uses AES, and is called where dppair_aes_kind_ says 2. */
#define DPPAIR_ISA_NOISE_AVX2_ DPPAIR_ISA_AVX2_ ",aes,vaes"
#define DPPAIR_ISA_NOISE_AVX512_ DPPAIR_ISA_AVX512_ ",aes,vaes"

#define DPPAIR_NOISE_KERNELS_
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#define DPPAIR_TIER_ 1
#include DPPAIR_NOISE_SELF
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 3
#define DPPAIR_TIER_ 2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_NOISE_AVX2_)
#include DPPAIR_NOISE_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_NOISE_AVX512_)
#include DPPAIR_NOISE_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#undef DPPAIR_NOISE_KERNELS_

/* ---- src/noise/key_rows.h -------------------------------------------------------------------
 * Rows of key stream
 *
 * Many blocks or units of one level at once, by the widest instructions that a tier has for the
 * cipher. The bytes are the same on every tier.
 * ---------------------------------------------------------------------------------------------- */

/* `count` ChaCha20 blocks at any positions. */
DPPAIR_FN_ void dppair_chacha20_scalar_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *blocks, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) dppair_keystream_(out + 16 * i, rng, level, blocks[i]);
}
DPPAIR_FN_ void dppair_chacha20_blocks_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *blocks, size_t count, int tier) {
  DPPAIR_DISPATCH_AT_(tier, dppair_chacha20_, (out, rng, level, blocks, count));
}

/* `count` <= DPPAIR_ROW_MAX_ consecutive blocks of a level. One block by ChaCha20, and AES without
 * instructions, run in portable code, because vectors gain nothing there. */
DPPAIR_OUT_OF_LINE_ void dppair_keystream_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                               uint64_t block, size_t count, int tier) {
  uint64_t at[16];
  size_t i, j, live;
  int aes = dppair_aes_kind_(tier);
  if (count == 1 ? rng->cipher == DPPAIR_CHACHA20 || aes == 0
                 : rng->cipher == DPPAIR_AES256 && aes == 0) {
    for (i = 0; i < count; i++) dppair_keystream_(out + 16 * i, rng, level, block + i);
    return;
  }
#if DPPAIR_HAVE_AES_
  if (rng->cipher == DPPAIR_AES256) {
#if DPPAIR_HAVE_AVX512
    if (aes == 2 && tier == DPPAIR_TIER_AVX512) {
      dppair_vaes_row_avx512_(out, rng, level, block, count);
      return;
    }
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 3
    if (aes == 2) {
      dppair_vaes_row_avx2_(out, rng, level, block, count);
      return;
    }
#endif
    dppair_aes_row_(out, rng, level, block, count);
    return;
  }
#endif
  for (i = 0; i < count; i += live) {
    live = count - i < 16 ? count - i : 16;
    for (j = 0; j < live; j++) at[j] = block + i + j;
    dppair_chacha20_blocks_(out + 16 * i, rng, level, at, live, tier);
  }
}

/* `count` <= DPPAIR_ROW_MAX_ units of 16 bytes at any positions, unit = 4 block + quarter. The time
 * depends on the count alone, not on which units are read. */
DPPAIR_OUT_OF_LINE_ void dppair_keystream_units_(uint32_t *out, const dppair_rng *rng,
                                                 unsigned level, const uint64_t *units,
                                                 size_t count, int tier) {
  uint32_t words[16 * 16];
  uint64_t blocks[16];
  size_t i, j;
#if DPPAIR_HAVE_AES_
  if (rng->cipher == DPPAIR_AES256 && dppair_aes_kind_(tier) > 0) {
    dppair_aes_units_(out, rng, level, units, count);
    return;
  }
#endif
  for (i = 0; i < count; i += 16) {
    size_t live = count - i < 16 ? count - i : 16;
    for (j = 0; j < live; j++) blocks[j] = units[i + j] / 4;
    if (rng->cipher == DPPAIR_CHACHA20) {
      dppair_chacha20_blocks_(words, rng, level, blocks, live, tier);
    } else {
      for (j = 0; j < live; j++) dppair_keystream_(words + 16 * j, rng, level, blocks[j]);
    }
    for (j = 0; j < live; j++)
      memcpy(out + 4 * (i + j), words + 16 * j + 4 * (units[i + j] % 4), 16);
  }
}

/* ---- src/noise/levels.h ---------------------------------------------------------------------
 * A chunk through its levels
 *
 * One copy of this code serves all laws, types and vector tiers: what differs is in the levels that
 * the plan carries. The second level computes a batch of `slots` numbers in double: the undecided
 * ones and, so that the work does not depend on how many these are, copies of number 0, whose
 * results are dropped (dppair_slots_ in release_plan.h).
 * ---------------------------------------------------------------------------------------------- */

/* Noise for n <= DPPAIR_CHUNK_ numbers by scalar code, from key stream by the plan's tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_chunk_scalar_(void *x, size_t n, int narrow,
                                                                const dppair_rng *rng,
                                                                uint64_t block,
                                                                const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_], more[DPPAIR_CHUNK_];
  const size_t blocks = (size_t)dppair_blocks_(n);
  dppair_status status = DPPAIR_OK;
  size_t i;
  dppair_keystream_row_(words, rng, 0, block, blocks, plan->tier);
  dppair_keystream_row_(more, rng, 1, block, blocks, plan->tier);
  for (i = 0; i < n && status == DPPAIR_OK; i += 16)
    status = dppair_block_scalar_(narrow ? (void *)((float *)x + i) : (void *)((double *)x + i),
                                  n - i < 16 ? (unsigned)(n - i) : 16u, narrow, words + i, more + i,
                                  rng, block + i / 16, plan);
  /* numbers of both kinds in one chunk: the same error as of the vector tiers */
  return status == DPPAIR_ERR_OVERFLOW ? dppair_unfit_status_(x, n, narrow) : status;
}

#if DPPAIR_NOISE_VECTORS_
/* Gathers the numbers of a batch, and level 1 of their strings; level 0 is in `words`. */
DPPAIR_FORCE_INLINE_ void dppair_batch_gather_(dppair_batch_ *b, const void *x, int narrow,
                                               const uint32_t *list, size_t live, size_t slots,
                                               const uint32_t *words, const dppair_rng *rng,
                                               uint64_t block, const dppair_plan_ *plan) {
  uint64_t units[DPPAIR_ROW_MAX_];
  uint32_t more[4 * DPPAIR_ROW_MAX_];
  const int laplace = plan->law == DPPAIR_NOISE_LAPLACE_;
  const unsigned next = laplace ? 0u : 1u; /* T follows U; Laplace noise has no T */
  size_t i;
  memset(units, 0, slots * sizeof *units);
  for (i = 0; i < slots; i++) {
    const uint32_t p = i < live ? list[i] : 0u, first = laplace ? p % 16 : 2 * (p % 8);
    const double y =
        (narrow ? (double)((const float *)x)[p] : ((const double *)x)[p]) * plan->inverse;
    b->at[i] = p;
    b->whole[i] = dppair_whole_(dppair_bits_f64_(y + DPPAIR_MAGIC_F64_));
    b->rest[i] = y - b->whole[i];
    units[i] = 4 * (block + p / 16) + first / 4;
  }
  dppair_keystream_units_(more, rng, 1, units, slots, plan->tier);
  for (i = 0; i < slots; i++) {
    const uint32_t p = b->at[i], first = laplace ? p % 16 : 2 * (p % 8);
    const uint32_t *w0 = words + p / 16 * 16 + first, *w1 = more + 4 * i + first % 4;
    b->u[i] = (uint64_t)w0[0] << 32 | w1[0];
    b->t[i] = (uint64_t)w0[next] << 32 | w1[next];
    b->sine[i] = (p / 8 & 1u) ? 1.0 : 0.0;
  }
}

/* The second level for live <= slots <= DPPAIR_ROW_MAX_ numbers of the list; what it leaves
 * undecided, one in 2^35 at the default grid, goes to the last level. Idle slots write to a place
 * of their own, so that each slot does the same work. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_second_level_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  dppair_batch_ b;
  dppair_status status = DPPAIR_OK;
  double idle = 0.0;
  size_t i;
  dppair_batch_gather_(&b, x, narrow, list, live, slots, words, rng, block, plan);
  plan->second(&b, slots, plan);
  DPPAIR_DECLASSIFY_(b.undecided, slots * sizeof *b.undecided);
  for (i = 0; i < slots; i++)
    if (b.undecided[i] != 0.0 && i < live && status == DPPAIR_OK)
      status =
          dppair_last_level_(&b.k[i], b.rest[i], rng, block + b.at[i] / 16, b.at[i] % 16, plan);
  for (i = 0; i < slots; i++) {
    void *to = i < live ? x : (void *)&idle;
    dppair_put_one_(to, i < live ? b.at[i] : 0, narrow, (b.whole[i] + b.k[i]) * plan->g);
  }
  return status;
}

/* A chunk on a fine grid: the double level, then integers for what it leaves undecided. This
 * function and the next are not inlined, so that their arrays share a region of the stack. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_chunk_fine_(void *x, size_t n, int narrow,
                                                     const uint32_t *words, const dppair_rng *rng,
                                                     uint64_t block, const dppair_plan_ *plan) {
  uint32_t more[DPPAIR_CHUNK_], marks[2 * DPPAIR_CHUNK_ / DPPAIR_LANES_LEAST_ + 1], p;
  dppair_marks_ left;
  dppair_status status = DPPAIR_OK;
  dppair_keystream_row_(more, rng, 1, block, n / 16, plan->tier);
  if (plan->first(x, n, words, more, marks, plan)) status = dppair_unfit_status_(x, n, narrow);
  dppair_marks_open_(&left, marks);
  while (status == DPPAIR_OK && dppair_marks_next_(&p, &left))
    status = dppair_last_level_in_place_(x, p, narrow, rng, block, plan);
  return status;
}

/* A chunk on a coarse grid: the float level, then the second level, which always runs once. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_chunk_coarse_(void *x, size_t n, int narrow,
                                                       const uint32_t *words, const dppair_rng *rng,
                                                       uint64_t block, const dppair_plan_ *plan) {
  const size_t slots = dppair_slots_(n, plan);
  uint32_t marks[DPPAIR_CHUNK_ / 8 + 1], list[DPPAIR_ROW_MAX_];
  dppair_marks_ left;
  dppair_status status = DPPAIR_OK;
  if (plan->first(x, n, words, NULL, marks, plan)) status = dppair_unfit_status_(x, n, narrow);
  dppair_marks_open_(&left, marks);
  while (status == DPPAIR_OK) {
    size_t live = 0, i;
    for (i = 0; i < slots; i++) live += dppair_marks_next_(&list[live], &left);
    status = dppair_second_level_(x, narrow, list, live, slots, words, rng, block, plan);
    if (left.now == 0) break;
  }
  return status;
}

/* Adds noise to n numbers, a multiple of 32 and at most DPPAIR_CHUNK_, and rounds them. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_chunk_vectors_(void *x, size_t n, int narrow,
                                                        const dppair_rng *rng, uint64_t block,
                                                        const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_];
  dppair_keystream_row_(words, rng, 0, block, n / 16, plan->tier);
  return plan->coarse ? dppair_chunk_coarse_(x, n, narrow, words, rng, block, plan)
                      : dppair_chunk_fine_(x, n, narrow, words, rng, block, plan);
}
#endif

/* One chunk at the plan's tier. The vector tiers need a multiple of 32 numbers. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_chunk_any_(void *x, size_t n, int narrow,
                                                             const dppair_rng *rng, uint64_t block,
                                                             const dppair_plan_ *plan) {
#if DPPAIR_NOISE_VECTORS_
  if (plan->first != NULL) return dppair_chunk_vectors_(x, n, narrow, rng, block, plan);
#endif
  return dppair_chunk_scalar_(x, n, narrow, rng, block, plan);
}

/* --- The laws: each by a type has levels of its own ------------------------------------------ */

/* The scalar tier has no levels of a law, nor has the 128-bit tier where it makes key stream. */
#define dppair_gaussian_f64_scalar_ NULL
#define dppair_gaussian_f32_scalar_ NULL
#define dppair_laplace_f64_scalar_ NULL
#define dppair_laplace_f32_scalar_ NULL
#define dppair_second_gaussian_scalar_ NULL
#define dppair_second_laplace_scalar_ NULL
#if !DPPAIR_NOISE_SIMD128_
#define dppair_gaussian_f64_simd128_ NULL
#define dppair_gaussian_f32_simd128_ NULL
#define dppair_laplace_f64_simd128_ NULL
#define dppair_laplace_f32_simd128_ NULL
#define dppair_second_gaussian_simd128_ NULL
#define dppair_second_laplace_simd128_ NULL
#endif

DPPAIR_FN_ void dppair_gaussian_f64_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_GAUSSIAN_;
  plan->narrow = 0;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_gaussian_f64_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_gaussian_, )
}

DPPAIR_FN_ void dppair_gaussian_f32_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_GAUSSIAN_;
  plan->narrow = 1;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_gaussian_f32_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_gaussian_, )
}

DPPAIR_FN_ void dppair_laplace_f64_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_LAPLACE_;
  plan->narrow = 0;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_laplace_f64_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_laplace_, )
}

DPPAIR_FN_ void dppair_laplace_f32_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_LAPLACE_;
  plan->narrow = 1;
  DPPAIR_DISPATCH_AT_(plan->tier, plan->first = dppair_laplace_f32_, )
  DPPAIR_DISPATCH_AT_(plan->tier, plan->second = dppair_second_laplace_, )
}

/* ---- src/noise/generator.h ------------------------------------------------------------------
 * The generator
 *
 * Entropy and keys, a generator from either, and the one way in which a call takes blocks of its
 * key stream: dppair_rng_take_.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RNG_BLOCKS_ (UINT64_C(1) << 54) /* blocks per stream and level */
/* Levels that carry no noise strings (those are below DPPAIR_NOISE_LEVELS_). */
#define DPPAIR_LEVEL_ERASE_ 255u      /* the next key, with erasure */
#define DPPAIR_LEVEL_SPLIT_ 254u      /* keys of the parts of a generator */
#define DPPAIR_LEVEL_CHECK_ 253u      /* the check of a saved state */
#define DPPAIR_LEVEL_RELEASE_ 252u    /* keys of plans: dppair_release_open */
#define DPPAIR_LEVEL_ALLOCATION_ 251u /* keys of epochs: dppair_draw_allocation */

/* The number of this process. */
DPPAIR_FN_ int64_t dppair_process_(void) {
#if defined(DPPAIR_FREESTANDING) || defined(__wasi__)
  return 1; /* nobody to ask, or no processes there and so no fork */
#elif defined(_WIN32)
  return (int64_t)_getpid();
#else
  return (int64_t)getpid();
#endif
}

#if !defined(_WIN32) && !defined(DPPAIR_ENTROPY) && !defined(DPPAIR_FREESTANDING)
/* Reads n bytes from /dev/urandom; 0 on success. */
DPPAIR_FN_ int dppair_urandom_(uint8_t *out, size_t n) {
  size_t have = 0;
  int file = open("/dev/urandom", O_RDONLY);
  if (file < 0) return -1;
  while (have < n) {
    ssize_t got = read(file, out + have, n - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += (size_t)got;
  }
  (void)close(file);
  return have == n ? 0 : -1;
}
#endif

/* n <= 256 bytes of entropy from the system: by getrandom, getentropy, arc4random or
 * BCryptGenRandom, whichever the system has; if that fails, from /dev/urandom. If both fail, `out`
 * is zeroed and ENTROPY returned. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_entropy_(uint8_t *out, size_t n) {
  if (DPPAIR_AUDITED_(
          (DPPAIR_EVENT_DRAWN, "key", out, n, 1, NULL, 0.0, 0.0, NULL, NULL, DPPAIR_OK)))
    return DPPAIR_OK;
#if defined(DPPAIR_ENTROPY) /* a hook that writes nothing leaves zeros: no key, whatever it says   \
                             */
  memset(out, 0, n);
  if (DPPAIR_ENTROPY(out, n) == 0) {
    uint8_t any = 0;
    size_t i;
    for (i = 0; i < n; i++) any = (uint8_t)(any | out[i]);
    if (any != 0) return DPPAIR_OK;
  }
#elif defined(DPPAIR_FREESTANDING) /* none: a generator is made from a caller's key only */
#elif defined(_WIN32)
  if (BCryptGenRandom(NULL, out, (ULONG)n, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0) return DPPAIR_OK;
#else
#if defined(__linux__)
  size_t have = 0;
  while (have < n) {
    ssize_t got = getrandom(out + have, n - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += (size_t)got;
  }
  if (have == n) return DPPAIR_OK;
#elif defined(__APPLE__) || defined(__wasi__)
  if (getentropy(out, n) == 0) return DPPAIR_OK;
#elif defined(__OpenBSD__) || defined(__FreeBSD__) || defined(__NetBSD__)
  arc4random_buf(out, n);
  return DPPAIR_OK;
#endif
  if (dppair_urandom_(out, n) == 0) return DPPAIR_OK;
#endif
  dppair_wipe(out, n);
  return DPPAIR_ERR_ENTROPY;
}

/* Wipes a generator and sets it to block 0 of a stream. */
DPPAIR_FN_ void dppair_rng_set_key_(dppair_rng *rng, uint32_t cipher, const uint32_t key[8],
                                    uint64_t stream) {
  dppair_wipe(rng, sizeof *rng);
  memcpy(rng->key, key, 32);
  rng->stream = stream;
  rng->cipher = cipher;
  rng->used = (uint32_t)sizeof rng->buffer;
  if (cipher == DPPAIR_AES256) dppair_aes256_schedule_(rng->key);
}

DPPAIR_OUT_OF_LINE_ void dppair_rng_key_work_(dppair_rng *rng, uint32_t cipher,
                                              const uint8_t key[32], uint64_t stream) {
  uint32_t words[8];
  unsigned i;
  for (i = 0; i < 8; i++) words[i] = dppair_load32_(key + 4 * i);
  dppair_rng_set_key_(rng, cipher, words, stream);
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_rng_from_bytes_(dppair_rng *rng, uint32_t cipher,
                                                                  const uint8_t key[32],
                                                                  uint64_t stream) {
  if (rng == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(rng, sizeof *rng);
  if (key == NULL) return DPPAIR_ERR_NULL;
  dppair_rng_key_work_(rng, cipher, key, stream);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  return DPPAIR_OK;
}

/*
 * Makes a ChaCha20 generator from 32 bytes of key and a stream number. The same (key, stream) gives
 * the same output on every machine; different streams of one key are independent.
 * A key that protects a release must be secret and must serve one purpose: never choose records
 * with the key of the noise. Unlike dppair_rng_from_os this function does not test the ciphers (the
 * first call that adds noise does, and dppair_noise_check), and it does not notice fork(): both
 * processes then release the same noise. Errors: NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key(dppair_rng *rng,
                                                               const uint8_t key[32],
                                                               uint64_t stream) {
  return dppair_rng_from_bytes_(rng, DPPAIR_CHACHA20, key, stream);
}

/* The same with AES-256 in counter mode: about three times as fast as ChaCha20 where the processor
 * has AES instructions, slow (constant-time software) where it has none. A generator keeps its
 * cipher, so that a replay on another machine gives the same output. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key_aes256(dppair_rng *rng,
                                                                      const uint8_t key[32],
                                                                      uint64_t stream) {
  return dppair_rng_from_bytes_(rng, DPPAIR_AES256, key, stream);
}

/* What a process knows of a self-test: 0, or 1 and its answer. Threads that race store the same. */
#if defined(__GCC_ATOMIC_INT_LOCK_FREE) && __GCC_ATOMIC_INT_LOCK_FREE > 1
typedef int dppair_known_;
#define DPPAIR_KNOWN_(known) __atomic_load_n(known, __ATOMIC_RELAXED)
#define DPPAIR_LEARN_(known, answer) __atomic_store_n(known, answer, __ATOMIC_RELAXED)
#else
typedef volatile int dppair_known_;
#define DPPAIR_KNOWN_(known) (*(known))
#define DPPAIR_LEARN_(known, answer) ((void)(*(known) = (answer)))
#endif

typedef dppair_status (*dppair_trial_)(void);

/* The answer of a self-test, which runs once. Only answers about the build are kept; an error of
 * the thread's environment (another rounding mode) is returned but not kept, because it can change.
 * */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_tried_once_(dppair_known_ *known,
                                                                dppair_trial_ trial) {
  const int before = DPPAIR_KNOWN_(known);
  dppair_status status;
  if (before != 0) return (dppair_status)(before - 1);
  status = trial();
  if (status == DPPAIR_OK || status == DPPAIR_ERR_SELF_TEST) DPPAIR_LEARN_(known, 1 + (int)status);
  return status;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_streams_trial_(void); /* below, with the trials */

/* What must be known before a key is taken from the system and before any law is tried: the key
 * streams. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_streams_tried_(void) {
  static dppair_known_ known;
  const dppair_status status = dppair_environment_check();
  return status == DPPAIR_OK ? dppair_tried_once_(&known, dppair_streams_trial_) : status;
}

/* Makes a generator with a key from the operating system: AES-256 where the processor has AES
 * instructions, else ChaCha20. The generator belongs to this process: after fork() the child's copy
 * is refused with DPPAIR_ERR_FORK, because it would repeat the parent's noise. The first call
 * compares the ciphers with known answers; if that failed, every call returns its error. Errors:
 * NULL, SELF_TEST, ENVIRONMENT, ENTROPY. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_os(dppair_rng *rng) {
  uint8_t key[32];
  dppair_status status;
  if (rng == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(rng, sizeof *rng);
  status = dppair_streams_tried_();
  if (status != DPPAIR_OK) return status;
  status = dppair_entropy_(key, sizeof key);
  if (status == DPPAIR_OK)
    status = dppair_rng_from_bytes_(
        rng, dppair_aes_kind_(dppair_noise_tier_()) > 0 ? DPPAIR_AES256 : DPPAIR_CHACHA20, key, 0);
  if (status == DPPAIR_OK) rng->owner = dppair_process_();
  dppair_wipe(key, sizeof key);
  return status;
}

/* OK when the generator can be used in this process. The owner is known by its process number only:
 * a grandchild that happens to get the number of its dead grandparent passes, so make a new
 * generator after a fork. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_rng_check_(const dppair_rng *rng) {
  if (rng == NULL) return DPPAIR_ERR_NULL;
  if (rng->cipher != DPPAIR_CHACHA20 && rng->cipher != DPPAIR_AES256) return DPPAIR_ERR_CIPHER;
  if (rng->used > sizeof rng->buffer || rng->erase > 1) return DPPAIR_ERR_CIPHER;
  if (rng->owner != 0 && rng->owner != dppair_process_()) return DPPAIR_ERR_FORK;
  return DPPAIR_OK;
}

/* Key number `index` of those that a generator derives at a level without noise. */
DPPAIR_FN_ void dppair_rng_derive_(uint32_t key[8], const dppair_rng *rng, unsigned level,
                                   uint64_t index) {
  uint32_t words[16];
  dppair_keystream_(words, rng, level, index);
  memcpy(key, words, 32);
}

/* Wipes what is left of the last block. */
DPPAIR_FN_ void dppair_rng_drop_buffer_(dppair_rng *rng) {
  dppair_wipe(rng->buffer, sizeof rng->buffer);
  rng->used = (uint32_t)sizeof rng->buffer;
}

/*
 * Takes `blocks` whole blocks for one call: `use` becomes a copy of the generator at the first of
 * them, and the generator moves past them. With erasure on it gets a new key instead, drawn from a
 * level of the old key that nothing else reads. The caller burns the stack afterwards.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_rng_take_(dppair_rng *use, uint64_t blocks,
                                                            dppair_rng *rng) {
  dppair_status status = dppair_rng_check_(rng);
  memset(use, 0, sizeof *use);
  if (status != DPPAIR_OK) return status;
  if (rng->block > DPPAIR_RNG_BLOCKS_ || blocks > DPPAIR_RNG_BLOCKS_ - rng->block)
    return DPPAIR_ERR_EXHAUSTED;
  dppair_rng_drop_buffer_(rng);
  *use = *rng;
  rng->block += blocks;
  if (rng->erase) {
    uint32_t key[8];
    dppair_rng_derive_(key, use, DPPAIR_LEVEL_ERASE_, use->block);
    dppair_rng_set_key_(rng, use->cipher, key, use->stream);
    rng->owner = use->owner;
    rng->erase = 1;
  }
#if defined(__GNUC__) || defined(__clang__)
  __asm__ __volatile__("" : : : "memory"); /* before any use: a signal may jump out of the call */
#endif
  return DPPAIR_OK;
}

/* Moves to 64-byte block `block` of the stream, at most 2^54. Going back repeats output: do it to
 * replay a release or to give parts of one array to threads, never for a second release. Errors:
 * the generator's, EXHAUSTED. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_seek(dppair_rng *rng, uint64_t block) {
  dppair_status status = dppair_rng_check_(rng);
  if (status != DPPAIR_OK) return status;
  if (block > DPPAIR_RNG_BLOCKS_) return DPPAIR_ERR_EXHAUSTED;
  rng->block = block;
  dppair_rng_drop_buffer_(rng);
  return DPPAIR_OK;
}

/*
 * Switches fast key erasure on or off. With it on, every call that takes random numbers replaces
 * the key by one from which the old key cannot be computed, so that nobody who reads the memory
 * later can rebuild earlier noise. The output stays a function of the first key and the sequence of
 * calls, but seeking back is meaningless.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_set_erasure(dppair_rng *rng, int on) {
  dppair_status status = dppair_rng_check_(rng);
  if (status == DPPAIR_OK) rng->erase = on ? 1u : 0u;
  return status;
}

DPPAIR_OUT_OF_LINE_ void dppair_rng_split_work_(dppair_rng *part, uint64_t index,
                                                const dppair_rng *rng) {
  uint32_t key[8];
  dppair_rng_derive_(key, rng, DPPAIR_LEVEL_SPLIT_, index);
  dppair_rng_set_key_(part, rng->cipher, key, 0);
}

/* Makes `part` generator number `index` (below 2^54) of a generator, for a thread or a purpose: an
 * independent generator with its own key, which is a function of the parent's (cipher, key, stream)
 * and the index alone. Errors: the generator's, NULL, DOMAIN when part is rng, EXHAUSTED. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_split(dppair_rng *part, uint64_t index,
                                                            const dppair_rng *rng) {
  dppair_status status = dppair_rng_check_(rng);
  if (part == NULL) return DPPAIR_ERR_NULL;
  if (part == rng) return DPPAIR_ERR_DOMAIN;
  dppair_wipe(part, sizeof *part);
  if (status != DPPAIR_OK) return status;
  if (index >= DPPAIR_RNG_BLOCKS_) return DPPAIR_ERR_EXHAUSTED;
  dppair_rng_split_work_(part, index, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  part->owner = rng->owner;
  part->erase = rng->erase;
  return DPPAIR_OK;
}

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
/* ---- src/noise/saved_state.h ----------------------------------------------------------------
 * Saving and restoring a generator
 *
 * 64 bytes: "dppair", version, cipher and erasure; the key; stream; block; a check. Numbers are
 * little-endian.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RNG_SAVED_SIZE 64 /* bytes of a saved state */

/* The first 8 bytes of a saved state, and its check: 8 bytes of the key's own stream. */
DPPAIR_OUT_OF_LINE_ void dppair_rng_seal_work_(uint8_t head[8], uint8_t check[8],
                                               const dppair_rng *rng) {
  uint32_t words[16];
  memcpy(head, "dppair", 6);
  head[6] = 1; /* version */
  head[7] = (uint8_t)(rng->cipher | rng->erase << 4);
  dppair_keystream_(words, rng, DPPAIR_LEVEL_CHECK_, rng->block);
  dppair_store32_(check, words[0]);
  dppair_store32_(check + 4, words[1]);
}

DPPAIR_FN_ void dppair_rng_seal_(uint8_t head[8], uint8_t check[8], const dppair_rng *rng) {
  dppair_rng_seal_work_(head, check, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/*
 * Writes the state, key included, as 64 bytes that any machine can restore. Keep them secret:
 * whoever has them can undo the noise. The generator moves to its next whole block, where the
 * restored one begins. Errors: the generator's, NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_save(uint8_t out[DPPAIR_RNG_SAVED_SIZE],
                                                           dppair_rng *rng) {
  dppair_status status = dppair_rng_check_(rng);
  unsigned i;
  if (out == NULL) return DPPAIR_ERR_NULL;
  memset(out, 0, DPPAIR_RNG_SAVED_SIZE);
  if (status != DPPAIR_OK) return status;
  dppair_rng_drop_buffer_(rng);
  for (i = 0; i < 8; i++) {
    dppair_store32_(out + 8 + 4 * i, rng->key[i]);
    out[40 + i] = (uint8_t)(rng->stream >> 8 * i);
    out[48 + i] = (uint8_t)(rng->block >> 8 * i);
  }
  dppair_rng_seal_(out, out + 56, rng);
  return DPPAIR_OK;
}

/* Restores a saved state. Returns DPPAIR_ERR_FORMAT when the bytes are no saved state or were
 * changed. The generator belongs to this process like one from the system: a child's copy is
 * refused. Restore a state only once, because every copy releases the same noise. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_rng_restore(dppair_rng *rng, const uint8_t saved[DPPAIR_RNG_SAVED_SIZE]) {
  uint8_t head[8], check[8];
  uint64_t stream = 0, block = 0;
  uint32_t cipher;
  dppair_status status = DPPAIR_OK;
  unsigned i;
  if (rng == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(rng, sizeof *rng);
  if (saved == NULL) return DPPAIR_ERR_NULL;
  cipher = saved[7] & 0x0fu;
  if (cipher != DPPAIR_CHACHA20 && cipher != DPPAIR_AES256) return DPPAIR_ERR_FORMAT;
  for (i = 0; i < 8; i++) {
    stream |= (uint64_t)saved[40 + i] << 8 * i;
    block |= (uint64_t)saved[48 + i] << 8 * i;
  }
  dppair_rng_key_work_(rng, cipher, saved + 8, stream);
  rng->owner = dppair_process_();
  rng->block = block;
  rng->erase = saved[7] >> 4 & 1u;
  dppair_rng_seal_(head, check, rng);
  if (block > DPPAIR_RNG_BLOCKS_ || memcmp(head, saved, 8) != 0 ||
      memcmp(check, saved + 56, 8) != 0) {
    dppair_wipe(rng, sizeof *rng);
    status = DPPAIR_ERR_FORMAT;
  }
  dppair_wipe(check, sizeof check);
  dppair_clear_registers_();
  return status;
}
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif

/* ---- src/noise/random_bytes.h ---------------------------------------------------------------
 * Random bytes and numbers
 *
 * Uniform bytes, 64-bit integers and doubles from a generator. Small requests are served from the
 * generator's buffer of one block.
 * ---------------------------------------------------------------------------------------------- */

/* `count` words as little-endian bytes. */
DPPAIR_FN_ void dppair_words_to_bytes_(uint8_t *out, const uint32_t *words, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) dppair_store32_(out + 4 * i, words[i]);
}

/* Whole blocks of key stream as bytes. */
#ifdef DPPAIR_SMALL
#define DPPAIR_BYTES_ 4
#else
#define DPPAIR_BYTES_ 16
#endif
DPPAIR_OUT_OF_LINE_ dppair_status dppair_rng_blocks_work_(uint8_t *out, size_t count,
                                                          dppair_rng *rng) {
  const int tier = dppair_noise_tier_();
  dppair_rng use;
  size_t i, live;
  dppair_status status = dppair_rng_take_(&use, count, rng);
  for (i = 0; i < count && status == DPPAIR_OK; i += live) {
    uint32_t words[16 * DPPAIR_BYTES_];
    live = count - i < DPPAIR_ROW_MAX_ ? count - i : DPPAIR_ROW_MAX_;
    if (tier >= DPPAIR_TIER_AVX2 && live > 1) { /* x86 is little-endian; its stores are unaligned */
      dppair_keystream_row_((uint32_t *)(void *)(out + 64 * i), &use, 0, use.block + i, live, tier);
      continue;
    }
    if (live > DPPAIR_BYTES_) live = DPPAIR_BYTES_;
    dppair_keystream_row_(words, &use, 0, use.block + i, live, tier);
    dppair_words_to_bytes_(out + 64 * i, words, 16 * live);
  }
  return status;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_rng_blocks_(uint8_t *out, size_t count,
                                                              dppair_rng *rng) {
  const dppair_status status = dppair_rng_blocks_work_(out, count, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  return status;
}

/* n uniform bytes. Errors: NULL, the generator's; `out` is then zero. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_bytes(void *out, size_t n, dppair_rng *rng) {
  uint8_t *p = (uint8_t *)out;
  size_t left = n;
  int fetched = 0;
  dppair_status status = dppair_rng_check_(rng);
  if (out == NULL && n > 0) return DPPAIR_ERR_NULL;
  while (left > 0 && status == DPPAIR_OK) {
    const size_t room = sizeof rng->buffer - rng->used, some = left < room ? left : room;
    if (some > 0) {
      memcpy(p, rng->buffer + rng->used, some);
      dppair_wipe(rng->buffer + rng->used, some);
      rng->used += (uint32_t)some;
    } else if (left >= 64) {
      const size_t blocks = left / 64;
      status = dppair_rng_blocks_(p, blocks, rng);
      p += 64 * blocks;
      left -= 64 * blocks;
      fetched = 1;
      continue;
    } else {
      status = dppair_rng_blocks_(rng->buffer, 1, rng);
      if (status == DPPAIR_OK) rng->used = 0;
      fetched = 1;
    }
    p += some;
    left -= some;
  }
  if (status != DPPAIR_OK && out != NULL) dppair_wipe(out, n);
  if (fetched) dppair_clear_registers_(); /* else they hold nothing but the caller's bytes */
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_DRAWN, "bytes", out, n, 1, NULL, 0.0, 0.0, NULL, rng, status)))
    return DPPAIR_OK;
  return status;
}

/* A uniform 64-bit integer. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_u64(uint64_t *out, dppair_rng *rng) {
  uint8_t bytes[8];
  dppair_status status;
  if (out == NULL) return DPPAIR_ERR_NULL;
  status = dppair_rng_bytes(bytes, sizeof bytes, rng);
  *out = (uint64_t)dppair_load32_(bytes) | (uint64_t)dppair_load32_(bytes + 4) << 32;
  dppair_wipe(bytes, sizeof bytes);
  return status;
}

/* A number in the OPEN interval (0, 1): odd multiples of 2^-53, equally likely. 0 on error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_uniform_f64(double *out, dppair_rng *rng) {
  uint64_t bits;
  dppair_status status;
  if (out == NULL) return DPPAIR_ERR_NULL;
  status = dppair_rng_u64(&bits, rng);
  *out = status == DPPAIR_OK ? (double)((bits >> 12) * 2u + 1u) * DPPAIR_EXP2M_(53) : 0.0;
  dppair_wipe(&bits, sizeof bits);
  return status;
}

/* ---- src/noise/releases.h -------------------------------------------------------------------
 * A release: its plan, and an array in chunks, at the tier of the machine
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SCALE_MAX_F64_ 8.452712498170644e+270    /* 2^900 */
#define DPPAIR_SCALE_MAX_F32_ 75557863725914323419136.0 /* 2^76: 2^51 g stays below 2^127 */
#define DPPAIR_GRID_DEFAULT                                                                        \
  10 /* log2_ratio of the functions without _grid: g <= scale / 2^10 < 2 g */

/* The grid of a scale in [1 / limit, limit]: g = 2^exponent <= scale / 2^log2_ratio < 2 g. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_grid_exponent_(int *exponent, double scale,
                                                                 double limit, int log2_ratio) {
  *exponent = 0;
  if (!dppair_isfinite_f64(scale) || !(scale >= 1.0 / limit) || !(scale <= limit))
    return DPPAIR_ERR_SIGMA;
  if (log2_ratio < 0 || log2_ratio > 40) return DPPAIR_ERR_DOMAIN;
  (void)dppair_frexp_(scale, exponent);
  *exponent -= 1 + log2_ratio;
  return DPPAIR_OK;
}

/* s = scale / g up to which a release begins in float. That is faster only while few numbers must
 * be redone in double. */
#define DPPAIR_COARSE_MAX_ 8192.0

/* The grid, in a plan whose law, type and tier are set. The float level leaves a number undecided
 * with probability 2 E(tau), at most 31 s 2^-24 for doubles and 40 s 2^-24 for floats, and in the
 * tails, where it does not decide: 2^-12 (Gaussian) or 2^-10 (Laplace). */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_plan_grid_(dppair_plan_ *plan, double scale,
                                                             int log2_ratio) {
  dppair_status status = dppair_grid_exponent_(
      &plan->exponent, scale, plan->narrow ? DPPAIR_SCALE_MAX_F32_ : DPPAIR_SCALE_MAX_F64_,
      log2_ratio);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  plan->g = dppair_ldexp_(1.0, plan->exponent);
  plan->inverse = dppair_ldexp_(1.0, -plan->exponent);
  plan->s = scale * plan->inverse;
  plan->coarse = plan->s < DPPAIR_COARSE_MAX_;
  plan->open_rate = (plan->narrow ? 40.0 : 31.0) * DPPAIR_EXP2M_(24) * plan->s +
                    (plan->law == DPPAIR_NOISE_LAPLACE_ ? DPPAIR_EXP2M_(10) : DPPAIR_EXP2M_(12));
  return DPPAIR_OK;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_plan_open_(dppair_plan_ *plan, double scale,
                                                             int log2_ratio,
                                                             dppair_noise_levels_ levels,
                                                             int tier) {
  memset(plan, 0, sizeof *plan);
  plan->tier = tier;
  levels(plan);
  return dppair_plan_grid_(plan, scale, log2_ratio);
}

/* The levels of a law and type. Where both are constants of the caller, these alone are compiled.
 * */
DPPAIR_FORCE_INLINE_ dppair_noise_levels_ dppair_noise_levels_of_(int law, int narrow) {
  if (law == DPPAIR_NOISE_LAPLACE_) return narrow ? dppair_laplace_f32_ : dppair_laplace_f64_;
  return narrow ? dppair_gaussian_f32_ : dppair_gaussian_f64_;
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_plan_make_(dppair_plan_ *plan, double scale, int narrow,
                                                     int log2_ratio, int law, int tier) {
  return dppair_plan_open_(plan, scale, log2_ratio, dppair_noise_levels_of_(law, narrow), tier);
}

/* Adds noise to n numbers and rounds them. The last n mod 32 are copied into a block of zeros,
 * which fills their vectors. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_release_(void *x, size_t n, int narrow,
                                                           const dppair_plan_ *plan,
                                                           dppair_rng *rng) {
  const size_t width = narrow ? sizeof(float) : sizeof(double), whole = n / 32 * 32;
  unsigned char *bytes = (unsigned char *)x;
  dppair_rng use;
  size_t i, live;
  dppair_status status = dppair_rng_take_(&use, dppair_blocks_(n), rng);
  for (i = 0; i < whole && status == DPPAIR_OK; i += live) {
    live = whole - i < DPPAIR_CHUNK_ ? whole - i : DPPAIR_CHUNK_;
    status = dppair_chunk_any_(bytes + i * width, live, narrow, &use, use.block + i / 16, plan);
  }
  if (whole < n && status == DPPAIR_OK) {
    double rest[32];
    memset(rest, 0, sizeof rest);
    memcpy(rest, bytes + whole * width, (n - whole) * width);
    status = dppair_chunk_any_(rest, 32, narrow, &use, use.block + whole / 16, plan);
    memcpy(bytes + whole * width, rest, (n - whole) * width);
  }
  if (status == DPPAIR_OK && !dppair_on_grid_(x, n, narrow, plan->exponent))
    status = DPPAIR_ERR_ENVIRONMENT;
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * width);
  return status;
}

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
/* ---- src/noise/trial.h ----------------------------------------------------------------------
 * Trials: each law and type against its known answers
 *
 * Releases with fixed keys on every tier of this machine. A law is tried once in a process, by the
 * first call that adds it: what a program does not name is neither compiled nor tried.
 * ---------------------------------------------------------------------------------------------- */

/* What dppair_trial_levels_ gives for each on every tier. */
#define DPPAIR_ANSWER_GAUSSIAN_F64_ UINT64_C(0xcdde8269fee184ec)
#define DPPAIR_ANSWER_GAUSSIAN_F32_ UINT64_C(0xb4d4e3d084dd3795)
#define DPPAIR_ANSWER_LAPLACE_F64_ UINT64_C(0xd7ebb6497cadea59)
#define DPPAIR_ANSWER_LAPLACE_F32_ UINT64_C(0xf95be63628bf8c4e)
enum { DPPAIR_TRIAL_ = 40 }; /* numbers of a trial: whole vectors and a rest */

/* Mixes a word into h (FNV-1a's multiplication, on words). */
DPPAIR_FN_ uint64_t dppair_trial_word_(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

/* The same for the bits of n numbers. */
DPPAIR_FN_ uint64_t dppair_trial_mix_(uint64_t h, const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) h = dppair_trial_word_(h, dppair_bits_f64_(dppair_get_(x, i, narrow)));
  return h;
}

/* n different numbers, of both signs, that lie on no grid. */
DPPAIR_FN_ void dppair_trial_input_(void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) {
    if (narrow)
      ((float *)x)[i] = (float)((double)i * 0.7310585786300049 - 11.0);
    else
      ((double *)x)[i] = (double)i * 0.7310585786300049 - 11.0;
  }
}

DPPAIR_FN_ void dppair_trial_key_(dppair_rng *rng, uint32_t cipher) {
  uint32_t key[8], i;
  for (i = 0; i < 8; i++) key[i] = 0x9e3779b9u * (i + 1);
  dppair_rng_set_key_(rng, cipher, key, 1);
}

/* The second level for the first 32 numbers, although the first level may have decided them. The
 * scalar tier has one level, which takes the place of the second here. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_trial_second_(void *x, int narrow,
                                                                const dppair_rng *rng,
                                                                const dppair_plan_ *plan) {
#if DPPAIR_NOISE_VECTORS_
  uint32_t words[32], list[32], i;
  for (i = 0; i < 32; i++) list[i] = i;
  dppair_keystream_row_(words, rng, 0, rng->block, 2, plan->tier);
  if (plan->second != NULL)
    return dppair_second_level_(x, narrow, list, 32, 32, words, rng, rng->block, plan);
#endif
  return dppair_chunk_scalar_(x, 32, narrow, rng, rng->block, plan);
}

/* One law, type and grid: mixes a release into *h; the second level and, with `last` for two
 * numbers, the last level must give the same bits. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_trial_release_(uint64_t *h,
                                                                 dppair_noise_levels_ levels,
                                                                 int log2_ratio, int tier, int last,
                                                                 dppair_rng *rng) {
  double x[DPPAIR_TRIAL_], y[DPPAIR_TRIAL_];
  const dppair_rng before = *rng;
  dppair_plan_ plan;
  dppair_status status = dppair_plan_open_(&plan, 1.7, log2_ratio, levels, tier);
  const int narrow = plan.narrow;
  dppair_trial_input_(x, DPPAIR_TRIAL_, narrow);
  dppair_trial_input_(y, DPPAIR_TRIAL_, narrow);
  if (status == DPPAIR_OK) status = dppair_release_(x, DPPAIR_TRIAL_, narrow, &plan, rng);
  *h = dppair_trial_mix_(*h, x, DPPAIR_TRIAL_, narrow);
  if (status == DPPAIR_OK) status = dppair_trial_second_(y, narrow, &before, &plan);
  if (status == DPPAIR_OK && memcmp(x, y, 32 * (narrow ? sizeof(float) : sizeof(double))) != 0)
    status = DPPAIR_ERR_SELF_TEST;
  dppair_trial_input_(y, 16, narrow);
  if (status == DPPAIR_OK && last) {
    status = dppair_last_level_in_place_(y, 3, narrow, &before, before.block, &plan);
    if (status == DPPAIR_OK)
      status = dppair_last_level_in_place_(y, 12, narrow, &before, before.block, &plan);
    if (status == DPPAIR_OK && (dppair_get_(x, 3, narrow) != dppair_get_(y, 3, narrow) ||
                                dppair_get_(x, 12, narrow) != dppair_get_(y, 12, narrow)))
      status = DPPAIR_ERR_SELF_TEST;
  }
  return status;
}

/* A law and type at a tier: a coarse and a fine grid under ChaCha20, the default one under AES. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_at_(uint64_t *h, dppair_noise_levels_ levels,
                                                   int tier, int last) {
  dppair_rng rng;
  dppair_status status;
  *h = 0;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  status = dppair_trial_release_(h, levels, 12, tier, 0, &rng);
  if (status == DPPAIR_OK) status = dppair_trial_release_(h, levels, 32, tier, last, &rng);
  dppair_trial_key_(&rng, DPPAIR_AES256);
  if (status == DPPAIR_OK)
    status = dppair_trial_release_(h, levels, DPPAIR_GRID_DEFAULT, tier, 0, &rng);
  return status;
}

/* The same on every tier of this machine, against the answer that all of them must give. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_trial_levels_(dppair_noise_levels_ levels,
                                                                uint64_t answer) {
  dppair_status status = dppair_streams_tried_();
  int tier;
  for (tier = DPPAIR_MIN_TIER; tier <= dppair_noise_tier_() && status == DPPAIR_OK; tier++) {
    uint64_t h;
    status = dppair_trial_at_(&h, levels, tier, tier == dppair_noise_tier_());
    if (status == DPPAIR_OK && h != answer) status = DPPAIR_ERR_SELF_TEST;
  }
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* --- What a process knows --------------------------------------------------------------------- */

/* Rounding to float hides small faults: floats are tried with doubles. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f64_trial_(void) {
  return dppair_trial_levels_(dppair_gaussian_f64_, DPPAIR_ANSWER_GAUSSIAN_F64_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f32_trial_(void) {
  const dppair_status status = dppair_gaussian_f64_trial_();
  return status == DPPAIR_OK
             ? dppair_trial_levels_(dppair_gaussian_f32_, DPPAIR_ANSWER_GAUSSIAN_F32_)
             : status;
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_laplace_f64_trial_(void) {
  return dppair_trial_levels_(dppair_laplace_f64_, DPPAIR_ANSWER_LAPLACE_F64_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_laplace_f32_trial_(void) {
  const dppair_status status = dppair_laplace_f64_trial_();
  return status == DPPAIR_OK ? dppair_trial_levels_(dppair_laplace_f32_, DPPAIR_ANSWER_LAPLACE_F32_)
                             : status;
}

/* The answers, each kept once it is known. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f64_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_gaussian_f64_trial_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_gaussian_f32_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_gaussian_f32_trial_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_laplace_f64_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_laplace_f64_trial_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_laplace_f32_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_laplace_f32_trial_);
}

/* Which of them, as dppair_noise_levels_of_. */
DPPAIR_FORCE_INLINE_ dppair_trial_ dppair_tried_of_(int law, int narrow) {
  if (law == DPPAIR_NOISE_LAPLACE_)
    return narrow ? dppair_laplace_f32_tried_ : dppair_laplace_f64_tried_;
  return narrow ? dppair_gaussian_f32_tried_ : dppair_gaussian_f64_tried_;
}
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif

/* ---- src/noise/add.h ------------------------------------------------------------------------
 * Gaussian and Laplace noise, added and rounded exactly
 *
 * The guarantee is derived at the head of dppair_noise.h. A law is compared with its known answers
 * at the first call that adds it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_OUT_OF_LINE_ dppair_status dppair_release_work_(void *x, size_t n, int narrow, double scale,
                                                       int log2_ratio, dppair_noise_levels_ levels,
                                                       dppair_trial_ tried, int tier,
                                                       dppair_rng *rng) {
  dppair_plan_ plan;
  dppair_status status;
  status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = tried();
  if (status == DPPAIR_OK) status = dppair_plan_open_(&plan, scale, log2_ratio, levels, tier);
  if (status == DPPAIR_OK) return dppair_release_(x, n, narrow, &plan, rng);
  if (n > 0) memset(x, 0, n * (narrow ? sizeof(float) : sizeof(double)));
  return status;
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_release_by_(void *x, size_t n, int narrow, double scale,
                                                      int log2_ratio, int law,
                                                      dppair_noise_levels_ levels,
                                                      dppair_trial_ tried, int tier,
                                                      dppair_rng *rng) {
  dppair_status status;
  (void)law; /* of the audit */
  if (DPPAIR_AUDITED_((DPPAIR_EVENT_ADD, law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian", x,
                       n, narrow ? sizeof(float) : sizeof(double), NULL, scale, 0.0, NULL, rng,
                       DPPAIR_OK)))
    return DPPAIR_OK;
  status = dppair_release_work_(x, n, narrow, scale, log2_ratio, levels, tried, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_ADDED, law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian",
                         x, n, narrow ? sizeof(float) : sizeof(double), NULL, scale, 0.0, NULL, rng,
                         status));
  return status;
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_release_at_(void *x, size_t n, int narrow, double scale,
                                                      int log2_ratio, int law, int tier,
                                                      dppair_rng *rng) {
  return dppair_release_by_(x, n, narrow, scale, log2_ratio, law,
                            dppair_noise_levels_of_(law, narrow), dppair_tried_of_(law, narrow),
                            tier, rng);
}

/*
 * Adds Gaussian noise of standard deviation sigma to each x[i] and rounds to the grid g = 2^j with
 * g <= sigma / 2^log2_ratio < 2g. This is the Gaussian mechanism exactly (see the head of this
 * file). Errors: NULL; SIGMA, DOMAIN for a sigma or log2_ratio outside the limits; NOT_FINITE,
 * OVERFLOW for an x that is not finite or beyond 2^51 g; ENVIRONMENT; the generator's. On any error
 * all of x is 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64_grid(double *x, size_t n,
                                                                        double sigma,
                                                                        int log2_ratio,
                                                                        dppair_rng *rng) {
  return dppair_release_at_(x, n, 0, sigma, log2_ratio, DPPAIR_NOISE_GAUSSIAN_,
                            dppair_noise_tier_(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64(double *x, size_t n,
                                                                   double sigma, dppair_rng *rng) {
  return dppair_add_gaussian_f64_grid(x, n, sigma, DPPAIR_GRID_DEFAULT, rng);
}

/* The same for float: the released number is rounded once more, to float. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32_grid(float *x, size_t n,
                                                                        double sigma,
                                                                        int log2_ratio,
                                                                        dppair_rng *rng) {
  return dppair_release_at_(x, n, 1, sigma, log2_ratio, DPPAIR_NOISE_GAUSSIAN_,
                            dppair_noise_tier_(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32(float *x, size_t n, double sigma,
                                                                   dppair_rng *rng) {
  return dppair_add_gaussian_f32_grid(x, n, sigma, DPPAIR_GRID_DEFAULT, rng);
}

/* Adds Laplace noise of density exp(-|z| / scale) / (2 scale) (standard deviation 1.414 scale) and
 * rounds to the grid of `scale`. This is the Laplace mechanism exactly: epsilon = (l1 sensitivity)
 * / scale. Errors as above. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64_grid(double *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_at_(x, n, 0, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_, dppair_noise_tier_(),
                            rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64(double *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32_grid(float *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_at_(x, n, 1, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_, dppair_noise_tier_(),
                            rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32(float *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f32_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

/* --- Laplace noise by the scalar level of any law --------------------------------------------- */

/* The bits of dppair_add_laplace_f64_grid without the kernels of its law: a program of gradients,
 * which may get this noise too, holds those of Gaussian noise alone. */
DPPAIR_FN_ void dppair_laplace_plain_(dppair_plan_ *plan) {
  plan->law = DPPAIR_NOISE_LAPLACE_;
  plan->narrow = 0;
  plan->first = NULL;
  plan->second = NULL;
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_laplace_plain_trial_(void) {
  return dppair_trial_levels_(dppair_laplace_plain_, DPPAIR_ANSWER_LAPLACE_F64_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_laplace_plain_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_laplace_plain_trial_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_plain_(double *x, size_t n,
                                                                     double scale, int log2_ratio,
                                                                     dppair_rng *rng) {
  return dppair_release_by_(x, n, 0, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_,
                            dppair_laplace_plain_, dppair_laplace_plain_tried_,
                            dppair_noise_tier_(), rng);
}

/* ---- src/noise/discrete.h -------------------------------------------------------------------
 * Exact discrete laws
 *
 * Random words one by one, uniform integers, coins of rational and of exponential bias, and from
 * these the discrete Laplace and Gaussian laws of Canonne, Kamath and Steinke 2020. Integer
 * arithmetic only.
 * ---------------------------------------------------------------------------------------------- */

/* Words of key stream for a call that does not know beforehand how many it needs. The first row has
 * one block, so that small calls are cheap; each further row doubles, up to 32 blocks. Unused words
 * are thrown away. Where the stack is small, a row is made in pieces. */
#ifdef DPPAIR_SMALL
#define DPPAIR_SOURCE_ 4u
#else
#define DPPAIR_SOURCE_ 32u
#endif
typedef struct dppair_source_ {
  uint32_t words[16 * DPPAIR_SOURCE_];
  unsigned at, end, row, left; /* `left` blocks of the row that was taken are still to be made */
  dppair_rng *rng, use;        /* from `use` */
  dppair_status status;
} dppair_source_;

DPPAIR_FN_ void dppair_source_open_(dppair_source_ *s, dppair_rng *rng) {
  memset(s, 0, sizeof *s);
  s->rng = rng;
  s->row = 1;
  s->status = dppair_rng_check_(rng);
}

DPPAIR_FORCE_INLINE_ dppair_status dppair_source_close_(dppair_source_ *s) {
  const dppair_status status = s->status;
  dppair_wipe(s, sizeof *s);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  return status;
}

DPPAIR_OUT_OF_LINE_ void dppair_source_fill_(dppair_source_ *s) {
  unsigned made;
  s->at = s->end = 0;
  if (s->status == DPPAIR_OK && s->left == 0) {
    s->status = dppair_rng_take_(&s->use, s->row, s->rng);
    s->left = s->row;
    if (s->row < 32) s->row *= 2;
  }
  if (s->status == DPPAIR_OK) {
    made = s->left < DPPAIR_SOURCE_ ? s->left : DPPAIR_SOURCE_;
    dppair_keystream_row_(s->words, &s->use, 0, s->use.block, made, dppair_noise_tier_());
    s->use.block += made;
    s->left -= made;
    s->end = 16 * made;
  }
}

/* The next 32 bits, or 0 once the source has failed; the caller reads s->status at the end. */
DPPAIR_FORCE_INLINE_ uint32_t dppair_next32_(dppair_source_ *s) {
  if (s->at == s->end) dppair_source_fill_(s);
  return s->status == DPPAIR_OK ? s->words[s->at++] : 0u;
}

/* The rest of dppair_below_: bounds of 2^32 and more, by draws below the next power of two until
 * one is small enough; and a product m of a smaller one that may have to be drawn again. */
DPPAIR_OUT_OF_LINE_ uint64_t dppair_below_again_(dppair_source_ *s, uint64_t bound, uint64_t m) {
  uint64_t mask = bound - 1, r;
  if (bound <= UINT32_MAX) {
    const uint32_t biased = (0u - (uint32_t)bound) % (uint32_t)bound;
    while ((uint32_t)m < biased && s->status == DPPAIR_OK) m = (uint64_t)dppair_next32_(s) * bound;
    return m >> 32;
  }
  mask |= mask >> 1, mask |= mask >> 2, mask |= mask >> 4;
  mask |= mask >> 8, mask |= mask >> 16, mask |= mask >> 32;
  do {
    r = dppair_next32_(s);
    r = (r << 32 | dppair_next32_(s)) & mask;
  } while (r >= bound && s->status == DPPAIR_OK);
  return r;
}

/* Exactly uniform on 0 .. bound - 1, bound > 0. Bounds below 2^32: Lemire's multiplication, which
 * draws again where the result would be biased. */
DPPAIR_FORCE_INLINE_ uint64_t dppair_below_(dppair_source_ *s, uint64_t bound) {
  const uint64_t m = bound <= UINT32_MAX ? (uint64_t)dppair_next32_(s) * bound : 0;
  return (uint32_t)m < bound ? dppair_below_again_(s, bound, m) : m >> 32;
}

/* The next 32 binary digits of a / b, 0 <= a < b < 2^63: a / b = (digits + *rest / b) 2^-32. */
DPPAIR_FORCE_INLINE_ uint32_t dppair_digits_(uint64_t *rest, uint64_t a, uint64_t b) {
  uint32_t digits = 0;
  unsigned i;
  if (b <= UINT32_MAX) {
    *rest = (a << 32) % b;
    return (uint32_t)((a << 32) / b);
  }
  for (i = 0; i < 32; i++) {
    const int one = (a <<= 1) >= b;
    digits = digits << 1 | (one ? 1u : 0u);
    if (one) a -= b;
  }
  *rest = a;
  return digits;
}

/* 1 with probability exactly a / b, 0 <= a <= b < 2^63: compares a random binary fraction with a /
 * b, 32 digits at a time, until they differ. */
DPPAIR_FN_ int dppair_coin_(dppair_source_ *s, uint64_t a, uint64_t b) {
  if (a >= b) return 1;
  while (a > 0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s), digits = dppair_digits_(&a, a, b);
    if (r != digits) return r < digits;
  }
  return 0;
}

/* The same coin when dppair_digits_ of a / b < 1 are known: a / b = (digits + rest / b) 2^-32. */
DPPAIR_FORCE_INLINE_ int dppair_coin_known_(dppair_source_ *s, uint32_t digits, uint64_t rest,
                                            uint64_t b) {
  const uint32_t r = dppair_next32_(s);
  return r != digits ? r < digits : dppair_coin_(s, rest, b);
}

/* 1 with probability exactly 1 / k, with the first 32 digits of 1 / k from a table for small k. */
DPPAIR_FORCE_INLINE_ int dppair_coin_reciprocal_(dppair_source_ *s, uint32_t k) {
  static const uint32_t digits[8] = {0u,          0xffffffffu, 0x80000000u, 0x55555555u,
                                     0x40000000u, 0x33333333u, 0x2aaaaaaau, 0x24924924u};
  if (k == 1) return 1;
  if (k >= 8) return dppair_coin_(s, 1, k);
  return dppair_coin_known_(s, digits[k], (UINT64_C(1) << 32) % k, k);
}

/* 1 with probability exactly exp(-f), where f is the product of `count` fractions a / b <= 1. Coins
 * of bias f/1, f/2, f/3, ... are thrown until one fails; the number of that coin is odd with
 * probability exp(-f) (von Neumann; Canonne, Kamath, Steinke 2020, algorithm 1). A coin of bias f
 * is a coin for each fraction, all of which must show heads. */
DPPAIR_FN_ int dppair_coin_exp_(dppair_source_ *s, const uint64_t *fractions, unsigned count) {
  uint32_t k;
  unsigned i;
  for (k = 1; s->status == DPPAIR_OK; k++) {
    int heads = dppair_coin_reciprocal_(s, k);
    for (i = 0; i < count && heads; i++)
      heads = dppair_coin_(s, fractions[2 * i], fractions[2 * i + 1]);
    if (!heads) return (int)(k & 1u);
  }
  return 0;
}

/* |X| and sign of the discrete Laplace law P(X = k) ~ exp(-|k| den / num): Canonne, Kamath and
 * Steinke 2020, algorithm 2. A value above 2^62 makes the source fail with OVERFLOW. */
DPPAIR_FN_ uint64_t dppair_two_sided_(dppair_source_ *s, int *negative, uint64_t num,
                                      uint64_t den) {
  while (s->status == DPPAIR_OK) {
    uint64_t fraction[2], whole = 0, x;
    fraction[0] = dppair_below_(s, num);
    fraction[1] = num;
    if (!dppair_coin_exp_(s, fraction, 1)) continue;
    while (dppair_coin_exp_(s, fraction, 0)) whole++; /* no fractions: probability e^-1 each */
    if (whole > ((UINT64_C(1) << 62) - fraction[0]) / num) {
      s->status = DPPAIR_ERR_OVERFLOW;
      break;
    }
    x = (fraction[0] + num * whole) / den;
    *negative = (int)(dppair_next32_(s) >> 31);
    if (x != 0 || !*negative) return x;
  }
  *negative = 0;
  return 0;
}

#define DPPAIR_RATIONAL_MAX_ (UINT64_C(1) << 54) /* largest num and den */

/* The largest t with t^2 b <= a. */
DPPAIR_FN_ uint64_t dppair_root_(uint64_t a, uint64_t b) {
  const uint64_t q = a / b;
  uint64_t t = 0, bit;
  for (bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
    if ((t | bit) * (t | bit) <= q) t |= bit;
  return t;
}

/*
 * Decides whether a candidate y = |Y| of the discrete Gaussian is kept. The probability is exp(-f),
 *   f = (y - sigma^2 / t)^2 / (2 sigma^2) = off^2 / (2 a b t^2), off = |y b t - a|, sigma^2 = a/b.
 * With m = ceil(off / (b t)), c = floor(off / 2a) + 1, e = floor(m / t) + 1, f is c e times
 *   off / (b t m)  *  off / (2 a c)  *  m / (t e),   fractions of at most 1 and of 63 bits,
 * so c e coins of bias exp(-product) must all show heads. The source fails with OVERFLOW when
 * y b t would pass 2^62. Of 63 bits, because b t m < off + b t, 2 a c <= off + 2 a and t e <= m +
 * t, where off <= 2^62, a and b <= 2^54, t <= 2^27 + 1 and b t <= sqrt(a b) + b.
 */
DPPAIR_FN_ int dppair_keep_gaussian_(dppair_source_ *s, uint64_t y, uint64_t a, uint64_t b,
                                     uint64_t t) {
  uint64_t fractions[6], off, m, c, e, rounds;
  if (y > (UINT64_C(1) << 62) / (b * t)) {
    s->status = DPPAIR_ERR_OVERFLOW;
    return 0;
  }
  off = y * b * t > a ? y * b * t - a : a - y * b * t;
  if (off == 0) return 1;
  if (off < UINT64_C(1) << 31 && a < UINT64_C(1) << 29 && b * t < (UINT64_C(1) << 31) / t) {
    fractions[1] =
        2 * a * (b * t * t); /* f itself is a fraction of 63 bits: e^-floor(f), then rest */
    for (rounds = off * off / fractions[1]; rounds > 0; rounds--)
      if (!dppair_coin_exp_(s, fractions, 0)) return 0;
    fractions[0] = off * off % fractions[1];
    return dppair_coin_exp_(s, fractions, 1);
  }
  m = (off - 1) / (b * t) + 1;
  c = off / (2 * a) + 1;
  e = m / t + 1;
  fractions[0] = off, fractions[1] = b * t * m;
  fractions[2] = off, fractions[3] = 2 * a * c;
  fractions[4] = m, fractions[5] = t * e;
  for (; c > 0; c--) /* c e itself can pass 2^64 */
    for (rounds = e; rounds > 0; rounds--)
      if (!dppair_coin_exp_(s, fractions, 3)) return 0;
  return 1;
}

/* |X| and sign of the discrete Gaussian law with sigma^2 = num / den: Canonne, Kamath and Steinke
 * 2020, algorithm 3. */
DPPAIR_FN_ uint64_t dppair_two_sided_gaussian_(dppair_source_ *s, int *negative, uint64_t num,
                                               uint64_t den) {
  const uint64_t t = dppair_root_(num, den) + 1;
  uint64_t y;
  do {
    y = dppair_two_sided_(s, negative, t, 1);
  } while (s->status == DPPAIR_OK && !dppair_keep_gaussian_(s, y, num, den, t));
  return y;
}

typedef uint64_t (*dppair_two_sided_law_)(dppair_source_ *s, int *negative, uint64_t num,
                                          uint64_t den);

/* n draws of a law whose answers may not be known yet. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_discrete_draw_(int64_t *x, size_t n, uint64_t num,
                                                                 uint64_t den,
                                                                 dppair_two_sided_law_ law,
                                                                 dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status;
  size_t i;
  dppair_source_open_(&s, rng);
  if (num < 1 || den < 1 || num > DPPAIR_RATIONAL_MAX_ || den > DPPAIR_RATIONAL_MAX_)
    s.status = DPPAIR_ERR_SIGMA;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    int negative;
    const int64_t y = (int64_t)law(&s, &negative, num, den);
    x[i] = negative ? -y : y;
  }
  status = dppair_source_close_(&s);
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/* The trial of both: draws of small parameters, and of some for which a coin has many factors. */
#define DPPAIR_ANSWER_DISCRETE_LAPLACE_ UINT64_C(0xb5d2ea32951c7a0a)
#define DPPAIR_ANSWER_DISCRETE_GAUSSIAN_ UINT64_C(0x98539b510debedde)
DPPAIR_OUT_OF_LINE_ dppair_status dppair_discrete_answer_(dppair_two_sided_law_ law,
                                                          uint64_t answer) {
  dppair_rng rng;
  int64_t x[24];
  uint64_t h = 0;
  unsigned i;
  dppair_status status = dppair_streams_tried_();
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  if (status == DPPAIR_OK) status = dppair_discrete_draw_(x, 12, 50, 3, law, &rng);
  if (status == DPPAIR_OK)
    status = dppair_discrete_draw_(x + 12, 12, (UINT64_C(1) << 50) + 1, 7, law, &rng);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < 24; i++) h = dppair_trial_word_(h, (uint64_t)x[i]);
  return h == answer ? DPPAIR_OK : DPPAIR_ERR_SELF_TEST;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace_trial_(void) {
  return dppair_discrete_answer_(dppair_two_sided_, DPPAIR_ANSWER_DISCRETE_LAPLACE_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian_trial_(void) {
  return dppair_discrete_answer_(dppair_two_sided_gaussian_, DPPAIR_ANSWER_DISCRETE_GAUSSIAN_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_discrete_laplace_trial_);
}
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian_tried_(void) {
  static dppair_known_ known;
  return dppair_tried_once_(&known, dppair_discrete_gaussian_trial_);
}

/* Draws of a law that `tried` answers for. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_discrete_work_(int64_t *x, size_t n, uint64_t num,
                                                                 uint64_t den, dppair_trial_ tried,
                                                                 dppair_two_sided_law_ law,
                                                                 dppair_rng *rng) {
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = tried();
  if (status == DPPAIR_OK) return dppair_discrete_draw_(x, n, num, den, law, rng);
  if (n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/*
 * Draws each x[i] exactly from the discrete Laplace law P(k) ~ exp(-|k| / t) on all integers, with
 * t = num / den, both from 1 to 2^54. It does not add to x. |x[i]| beyond 2^62 (probability below
 * 2^-300) is the error OVERFLOW, the only inexact event. Other errors: NULL, SIGMA, the
 * generator's; x is then 0. The time depends on the values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace(int64_t *x, size_t n,
                                                                   uint64_t num, uint64_t den,
                                                                   dppair_rng *rng) {
  return dppair_discrete_work_(x, n, num, den, dppair_discrete_laplace_tried_, dppair_two_sided_,
                               rng);
}

/*
 * Draws each x[i] exactly from the discrete Gaussian law P(k) ~ exp(-k^2 / (2 sigma^2)) on all
 * integers, with sigma^2 = num / den, both from 1 to 2^54 (Canonne, Kamath, Steinke 2020, algorithm
 * 3). It does not add to x. Added to integers of l2 sensitivity D, it is (D^2 / (2 sigma^2))-zCDP
 * like the continuous law. The only inexact event is the error OVERFLOW: a candidate of Laplace(t)
 * beyond 2^62 / (den t). Since den t^2 <= 4 max(num, den), its probability is at most
 * exp(-2^60 / max(num, den)): below 2^-92 for the largest parameters, and below 2^-1000 when both
 * are below 2^50. Other errors: NULL, SIGMA, the generator's; x is then 0. The time depends on the
 * values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian(int64_t *x, size_t n,
                                                                    uint64_t num, uint64_t den,
                                                                    dppair_rng *rng) {
  return dppair_discrete_work_(x, n, num, den, dppair_discrete_gaussian_tried_,
                               dppair_two_sided_gaussian_, rng);
}

/* ---- src/noise/draw.h -----------------------------------------------------------------------
 * Draws of records and pairs, exactly uniform
 *
 * What a dppair_sampling says is drawn; the account charges the same value. Use a generator of
 * their own for draws, never that of the noise.
 * ---------------------------------------------------------------------------------------------- */

/* Floyd's method: step k = n - m + 1, ..., n adds a uniform element of 0 .. k - 1, or k - 1 when
 * that is taken already. The array stays sorted, which costs m^2 / 4 moves. */
DPPAIR_FN_ void dppair_floyd_(size_t *index, size_t m, size_t n, dppair_source_ *s) {
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
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_draw_subset_(size_t *index, size_t m, size_t n,
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
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_draw_places_(size_t *index, size_t m, size_t n,
                                                               dppair_rng *rng) {
  dppair_source_ s;
  size_t i;
  dppair_source_open_(&s, rng);
  for (i = 0; i < m && s.status == DPPAIR_OK; i++) index[i] = (size_t)dppair_below_(&s, n);
  return dppair_source_close_(&s);
}

/* Each of n records with probability m/n, in increasing order: a coin a record, whose first digits
 * are always the same. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_draw_coins_(size_t *index, size_t *count,
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
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_draw_most_(size_t *most,
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

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_draw_work_(size_t *index, size_t *count,
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
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_draw_couples_(size_t *pairs, size_t m, size_t n,
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
/* ---- src/noise/self_check.h -----------------------------------------------------------------
 * The self-test of the key streams, and of all
 * ---------------------------------------------------------------------------------------------- */

/* What a row of each cipher's key stream gives, mixed, on every tier. */
#define DPPAIR_ANSWER_CHACHA20_ UINT64_C(0xdffc404ed180732e)
#define DPPAIR_ANSWER_AES256_ UINT64_C(0x0b2413a5ff9f7fe9)
enum { DPPAIR_TRIAL_BLOCKS_ = 17 }; /* as many blocks as the longest loops take, and one more */

/* The key stream of a cipher at a tier, by whole rows and by one block. */
DPPAIR_OUT_OF_LINE_ uint64_t dppair_trial_stream_(uint32_t cipher, int tier) {
  dppair_rng rng;
  uint32_t row[16 * DPPAIR_TRIAL_BLOCKS_];
  uint64_t h = 0;
  size_t i;
  dppair_trial_key_(&rng, cipher);
  dppair_keystream_row_(row, &rng, 0, rng.block, DPPAIR_TRIAL_BLOCKS_, tier);
  for (i = 0; i < 16 * DPPAIR_TRIAL_BLOCKS_; i++) h = dppair_trial_word_(h, row[i]);
  dppair_keystream_row_(row, &rng, 1, rng.block, 1, tier);
  for (i = 0; i < 16; i++) h = dppair_trial_word_(h, row[i]);
  return h;
}

/* OK when both ciphers give their known bits on every tier of this machine. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_streams_trial_(void) {
  dppair_status status = dppair_environment_check();
  int tier;
  for (tier = DPPAIR_MIN_TIER; tier <= dppair_noise_tier_() && status == DPPAIR_OK; tier++)
    if (dppair_trial_stream_(DPPAIR_CHACHA20, tier) != DPPAIR_ANSWER_CHACHA20_ ||
        dppair_trial_stream_(DPPAIR_AES256, tier) != DPPAIR_ANSWER_AES256_)
      status = DPPAIR_ERR_SELF_TEST;
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/*
 * Returns DPPAIR_OK when this build on this machine gives the known bits: on each of its tiers,
 * both ciphers, Gaussian and Laplace noise in both types and on both kinds of grid, by the first,
 * second and last level; the exact discrete laws. Otherwise it returns
 * DPPAIR_ERR_SELF_TEST (or ENVIRONMENT); do not release anything with such a build. The reason for
 * the test: compilers have been seen to give the noise of one level the wrong sign. It takes 0.3 to
 * 0.9 ms with -O2 and some ms without optimisation. You need not call it: dppair_rng_from_os tests
 * the ciphers, and each law is tested by the first call that adds it. Each module
 * with a law has a check of its own (dppair_shares_check).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_noise_check(void) {
  dppair_status status = dppair_streams_trial_();
  if (status == DPPAIR_OK) status = dppair_gaussian_f32_trial_();
  if (status == DPPAIR_OK) status = dppair_laplace_f32_trial_();
  if (status == DPPAIR_OK) status = dppair_discrete_laplace_trial_();
  return status == DPPAIR_OK ? dppair_discrete_gaussian_trial_() : status;
}
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif

#ifdef DPPAIR_SIMULATION
/* ---- src/noise/simulation.h -----------------------------------------------------------------
 * Raw samples, for simulation
 *
 * NOT FOR RELEASES: their low bits reveal what they were added to. Use dppair_add_* to protect
 * data. They are declared only if DPPAIR_SIMULATION is defined before the first include, so that
 * a search for this word finds every program that can call them.
 *
 * A double is made of 64 random bits and is within 2^-44 scales of the ideal value, a float of 32
 * bits and within 2^-19 scales. Gaussians end at 9.4 scales (double) and 6.7 scales (float). AVX2
 * and AVX-512 give the same bits; the scalar tier, which has no fused multiply-add, and the 128-bit
 * tier, which makes vectors of doubles only, differ in last bits. Errors of all functions: NULL,
 * SIGMA or DOMAIN for their parameters, ENVIRONMENT, and the generator's; the output is then 0.
 * ---------------------------------------------------------------------------------------------- */

/* 16 samples of scale 1 from words, levels 0 and 1 of a block. A first word of 0, which the double
 * level cannot use, is replaced by 1. */
DPPAIR_FN_ void dppair_fill_block_(double out[16], const uint32_t words[16],
                                   const uint32_t more[16], int law) {
  unsigned i;
  for (i = 0; i < 16; i++) {
    uint32_t w[3];
    double c, s;
    w[0] = words[i], w[1] = more[i] | 1u, w[2] = 0;
    switch (law) {
    case DPPAIR_FILL_GAUSSIAN_:
      if (i % 2 == 1) break;
      dppair_circle_f64_(&c, &s, (uint64_t)words[i + 1] << 32 | more[i + 1]);
      if (w[0] == 0) w[0] = 1;
      out[i / 2] = dppair_sqrt_(2.0 * dppair_fabs_(dppair_exponential_f64_(w)));
      out[i / 2 + 8] = out[i / 2] * s;
      out[i / 2] *= c;
      break;
    case DPPAIR_FILL_LAPLACE_:
      w[0] = words[i] << 1 | more[i] >> 31;
      w[1] = more[i] << 1 | 1u;
      if (w[0] == 0) w[0] = 1;
      c = dppair_fabs_(dppair_exponential_f64_(w));
      out[i] = words[i] >> 31 ? -c : c;
      break;
    case DPPAIR_FILL_EXPONENTIAL_:
      if (w[0] == 0) w[0] = 1;
      out[i] = dppair_fabs_(dppair_exponential_f64_(w));
      break;
    case DPPAIR_FILL_UNIFORM_:
      out[i] = (double)((((uint64_t)w[0] << 32 | w[1]) >> 12) * 2u + 1u) * DPPAIR_EXP2M_(53);
      break;
    default:
      out[i] = words[i] >> 31 ? -1.0 : 1.0;
    }
  }
}

/* The scalar tier makes no sample in vectors: dppair_fill_work_ makes all of them by blocks. */
DPPAIR_FN_ size_t dppair_fill_scalar_(void *x, size_t n, int narrow, const uint32_t *words,
                                      const uint32_t *more, double scale, int law) {
  (void)x, (void)n, (void)narrow, (void)words, (void)more, (void)scale, (void)law;
  return 0;
}
#if !DPPAIR_NOISE_SIMD128_
#define dppair_fill_simd128_ dppair_fill_scalar_
#endif

/* n samples times a scale, at a tier. dppair_fill_TIER_ makes those in whole vectors and returns
 * their number; the rest comes from scalar code. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_fill_work_(void *x, size_t n, int narrow, double scale,
                                                    int law, int tier, dppair_rng *rng) {
  const size_t width = narrow ? sizeof(float) : sizeof(double);
  unsigned char *bytes = (unsigned char *)x;
  dppair_rng use;
  size_t i, live, j;
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_rng_take_(&use, dppair_blocks_(n), rng);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (!dppair_isfinite_f64(scale) || !(scale > 0.0)) status = DPPAIR_ERR_SIGMA;
  for (i = 0; i < n && status == DPPAIR_OK; i += live) {
    uint32_t words[DPPAIR_CHUNK_], more[DPPAIR_CHUNK_];
    double sixteen[16];
    live = n - i < DPPAIR_CHUNK_ ? n - i : DPPAIR_CHUNK_;
    dppair_keystream_row_(words, &use, 0, use.block + i / 16, (live + 15) / 16, tier);
    if (!narrow || tier < DPPAIR_TIER_AVX2)
      dppair_keystream_row_(more, &use, 1, use.block + i / 16, (live + 15) / 16, tier);
    DPPAIR_DISPATCH_AT_(tier, j = dppair_fill_,
                        (bytes + i * width, live, narrow, words, more, scale, law));
    for (; j < live; j++) { /* the scalar tier, and the last n mod 32 numbers */
      if (j % 16 == 0) {
        if (narrow)
          memset(more + j, 0x80, 16 * sizeof *more); /* 32 bits a sample: the rest is fixed */
        dppair_fill_block_(sixteen, words + j, more + j, law);
      }
      if (narrow)
        ((float *)x)[i + j] = (float)(sixteen[j % 16] * scale);
      else
        ((double *)x)[i + j] = sixteen[j % 16] * scale;
    }
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * width);
  return status;
}

DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_fill_at_(void *x, size_t n, int narrow,
                                                           double scale, int law, int tier,
                                                           dppair_rng *rng) {
  const dppair_status status = dppair_fill_work_(x, n, narrow, scale, law, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* Simulation only: independent Gaussians of mean 0 and standard deviation sigma > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f64(double *x, size_t n,
                                                                    double sigma, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, sigma, DPPAIR_FILL_GAUSSIAN_, dppair_noise_tier_(), rng);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f32(float *x, size_t n,
                                                                    double sigma, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 1, sigma, DPPAIR_FILL_GAUSSIAN_, dppair_noise_tier_(), rng);
}

/* Simulation only: density exp(-|z| / scale) / (2 scale). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f64(double *x, size_t n,
                                                                   double scale, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_LAPLACE_, dppair_noise_tier_(), rng);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f32(float *x, size_t n, double scale,
                                                                   dppair_rng *rng) {
  return dppair_fill_at_(x, n, 1, scale, DPPAIR_FILL_LAPLACE_, dppair_noise_tier_(), rng);
}

/* Simulation only: density exp(-z / scale) / scale, z > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_exponential_f64(double *x, size_t n,
                                                                       double scale,
                                                                       dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_EXPONENTIAL_, dppair_noise_tier_(), rng);
}

/* Simulation only: uniform in (0, width). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_uniform_f64(double *x, size_t n,
                                                                   double width, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, width, DPPAIR_FILL_UNIFORM_, dppair_noise_tier_(), rng);
}

/* Simulation only: scale or -scale, equally likely. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_rademacher_f64(double *x, size_t n,
                                                                      double scale,
                                                                      dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_RADEMACHER_, dppair_noise_tier_(), rng);
}

/* Simulation only: a uniform point on the sphere of the given radius in n >= 1 dimensions. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_sphere_f64(double *x, size_t n,
                                                                  double radius, dppair_rng *rng) {
  double square = 0.0;
  size_t i;
  dppair_status status = n == 0 ? DPPAIR_ERR_SIZE : dppair_fill_gaussian_f64(x, n, 1.0, rng);
  if (status != DPPAIR_OK) return status;
  if (!(dppair_isfinite_f64(radius) && radius > 0.0)) status = DPPAIR_ERR_DOMAIN;
  for (i = 0; i < n && status == DPPAIR_OK; i++) square += x[i] * x[i];
  if (status == DPPAIR_OK && !(square > 0.0)) status = DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < n; i++) x[i] = status == DPPAIR_OK ? x[i] / dppair_sqrt_(square) * radius : 0.0;
  return status;
}

/* Simulation only: the Gamma law of shape in [2^-10, 2^40] and scale > 0, by Marsaglia and Tsang
 * 2000. Shapes a < 1: a variable of shape a + 1 times the power 1/a of a uniform one. The number of
 * tries depends on the values. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gamma_f64(double *x, size_t n, double shape,
                                                                 double scale, dppair_rng *rng) {
  const double a = shape < 1.0 ? shape + 1.0 : shape, d = a - 1.0 / 3,
               c = 1.0 / dppair_sqrt_(9.0 * d);
  double z[32], u[32];
  dppair_status status = dppair_array_(x, n);
  size_t i = 0, at = 32;
  if (status != DPPAIR_OK) return status;
  if (!(shape >= DPPAIR_EXP2M_(10) && shape <= 1099511627776.0 && scale > 0.0) ||
      !dppair_isfinite_f64(scale))
    status = DPPAIR_ERR_DOMAIN;
  while (i < n && status == DPPAIR_OK) {
    double v;
    if (at == 32) {
      at = 0;
      status = dppair_fill_gaussian_f64(z, 32, 1.0, rng);
      if (status == DPPAIR_OK) status = dppair_fill_uniform_f64(u, 32, 1.0, rng);
      if (status != DPPAIR_OK) break;
    }
    v = 1.0 + c * z[at];
    v = v * v * v;
    if (v > 0.0 && dppair_log_(u[at]) < 0.5 * z[at] * z[at] + d - d * v + d * dppair_log_(v)) {
      double boost = 1.0;
      if (shape < 1.0) {
        status = dppair_rng_uniform_f64(&boost, rng);
        if (status != DPPAIR_OK) break;
        boost = dppair_pow_(boost, 1.0 / shape);
      }
      x[i++] = d * v * boost * scale;
    }
    at++;
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}
#endif

DPPAIR_FP_END_

#define DPPAIR_HAS_NOISE_ /* with the accountant there too, in either order: the releases */
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

#endif /* DPPAIR_NOISE_H */

#else /* DPPAIR_NOISE_KERNELS_: the kernels of one tier, DPPAIR_TIER_ */

/* ---- src/noise/kernels/names.h --------------------------------------------------------------
 * Names of the kernels
 *
 * The kernels are compiled once for each vector tier. They are written under the names on the left,
 * so that a search or an index finds them; the compiler sees dppair_chacha20_avx2_ and so on.
 *
 *   dppair_chacha20_TIER_   called from outside the kernels, through DPPAIR_DISPATCH_AT_
 *   dpr_round_f32           used by kernels only: functions on registers
 *   DPR_FADD                an operation on registers: simd128.h, avx2.h, avx512.h
 *
 * "f32" is the float level, "wide" the double level.
 * ---------------------------------------------------------------------------------------------- */

#define dppair_chacha20_TIER_ DPR_FN(dppair_chacha20_)
#define dppair_vaes_row_TIER_ DPR_FN(dppair_vaes_row_)
#define dppair_gaussian_f64_TIER_ DPR_FN(dppair_gaussian_f64_)
#define dppair_gaussian_f32_TIER_ DPR_FN(dppair_gaussian_f32_)
#define dppair_laplace_f64_TIER_ DPR_FN(dppair_laplace_f64_)
#define dppair_laplace_f32_TIER_ DPR_FN(dppair_laplace_f32_)
#define dppair_second_gaussian_TIER_ DPR_FN(dppair_second_gaussian_)
#define dppair_second_laplace_TIER_ DPR_FN(dppair_second_laplace_)
#define dppair_fill_TIER_ DPR_FN(dppair_fill_)

#define dpr_chacha20_rows DPR_FN(dppair_chacha20_rows_)
#define dpr_chacha20_store DPR_FN(dppair_chacha20_store_)
#define dpr_exponential_f32 DPR_FN(dppair_exponential_f32_)
#define dpr_circle_f32 DPR_FN(dppair_circle_f32_)
#define dpr_exponential_wide DPR_FN(dppair_exponential_wide_)
#define dpr_circle_wide DPR_FN(dppair_circle_wide_)
#define dpr_radius_wide DPR_FN(dppair_radius_wide_)
#define dpr_tail_wide DPR_FN(dppair_tail_wide_)
#define dpr_laplace_wide DPR_FN(dppair_laplace_wide_)
#define dpr_constants DPR_FN(dppair_constants_)
#define dpr_constants_make DPR_FN(dppair_constants_make_)
#define dpr_unfit DPR_FN(dppair_unfit_)
#define dpr_take DPR_FN(dppair_take_)
#define dpr_put DPR_FN(dppair_put_)
#define dpr_off DPR_FN(dppair_off_)
#define dpr_round_f64 DPR_FN(dppair_round_f64_)
#define dpr_round_f32 DPR_FN(dppair_round_f32_)
#define dpr_round_wide DPR_FN(dppair_round_wide_)
#define dpr_note DPR_FN(dppair_note_)
#define dpr_store_pairs DPR_FN(dppair_store_pairs_)
#define dpr_reach_gaussian DPR_FN(dppair_reach_gaussian_)
#define dpr_reach_laplace DPR_FN(dppair_reach_laplace_)
#define dpr_first_f32 DPR_FN(dppair_first_f32_)
#define dpr_first_wide DPR_FN(dppair_first_wide_)
#define dpr_first_laplace DPR_FN(dppair_first_laplace_)
#define dpr_first_gaussian DPR_FN(dppair_first_gaussian_)
#define dpr_strings DPR_FN(dppair_strings_)
#define dpr_string_pairs DPR_FN(dppair_string_pairs_)
#define dpr_batch_round DPR_FN(dppair_batch_round_)
#define dpr_fill_gaussian_f32 DPR_FN(dppair_fill_gaussian_f32_)
#define dpr_fill_laplace_f32 DPR_FN(dppair_fill_laplace_f32_)
#define dpr_fill_gaussian DPR_FN(dppair_fill_gaussian_)
#define dpr_fill_one DPR_FN(dppair_fill_one_)

/* ---- src/noise/kernels/registers.h ----------------------------------------------------------
 * Registers: the operations DPR_ that each tier brings
 *
 *   DPR_I DPR_F    vectors of DPR_LANES words and floats; DPR_M their mask
 *   DPR_Q DPR_D    vectors of DPR_LANES / 2 words of 64 bits and doubles; DPR_N their mask
 *
 * A letter of the type, then the operation, named like those of dppair.h (DPN_ in simd/registers.h)
 * where it has them: DPR_FFMA and DPR_DFMA are DPN_FMA, DPR_FINT the bits of floats, DPR_FLOAT the
 * floats of bits. To add a tier, write a file like avx2.h here and one like simd/avx2.h.
 *
 * Why two tables: dppair.h compiles its kernels for one element type at a time, so DPN_FMA means
 * the type at hand, and it needs nothing but that type. A kernel of the noise uses words, floats
 * and doubles together and converts between them. Of its 75 operations a tier of dppair.h has 20; a
 * table of both, with a letter for each type, would be longer than the two are, and this header
 * would carry the loops of the other.
 * ---------------------------------------------------------------------------------------------- */

/* Operators, not intrinsics: they obey the floating-point region even when the host's own include
 * of the intrinsics was compiled with -ffast-math. On WebAssembly all vectors are of one type,
 * whose operators add words. */
#if defined(__wasm__)
#define DPR_FADD(a, b) simde_mm_add_ps(a, b)
#define DPR_FSUB(a, b) simde_mm_sub_ps(a, b)
#define DPR_FMUL(a, b) simde_mm_mul_ps(a, b)
#define DPR_DADD(a, b) simde_mm_add_pd(a, b)
#define DPR_DSUB(a, b) simde_mm_sub_pd(a, b)
#define DPR_DMUL(a, b) simde_mm_mul_pd(a, b)
#define DPR_DDIV(a, b) simde_mm_div_pd(a, b)
#else
#define DPR_FADD(a, b) ((a) + (b))
#define DPR_FSUB(a, b) ((a) - (b))
#define DPR_FMUL(a, b) ((a) * (b))
#define DPR_DADD(a, b) ((a) + (b))
#define DPR_DSUB(a, b) ((a) - (b))
#define DPR_DMUL(a, b) ((a) * (b))
#define DPR_DDIV(a, b) ((a) / (b))
#endif

/* Keeps a compiler from simplifying (a + b) - b to a: the digits of a would then be released. */
#if defined(__SSE2__)
#define DPR_OPAQUE(a) __asm__("" : "+x"(a))
#elif defined(__wasm__)
#define DPR_OPAQUE(a) __asm__("" : "+r"(a))
#else
#define DPR_OPAQUE(a) __asm__("" : "+w"(a))
#endif

#if DPPAIR_TIER_ == 1
/* ---- src/noise/kernels/simd128.h ------------------------------------------------------------
 * Tier 1: 128 bits through SIMDe
 *
 * Noise on SSE2, NEON and WebAssembly. A product and a sum are fused on ARM only; every bound tau
 * holds for both. Where AVX2 is compiled too, this tier serves processors before 2013 only: compile
 * time matters more, and it has the key stream only, as on other processors.
 * ---------------------------------------------------------------------------------------------- */

#define DPR_FN(name) DPPAIR_CAT(name, simd128_)
#define DPR_LANES 4
#define DPR_I simde__m128i
#define DPR_F simde__m128
#define DPR_Q simde__m128i
#define DPR_D simde__m128d
#define DPR_M simde__m128
#define DPR_N simde__m128d

/* Where nothing is fused, simde_mm_fmadd_pd takes numbers one by one. DPPAIR_NOISE_FUSED_ is for
 * `make exhaust`, which tries what ARM computes on x86 with FMA. */
#if defined(__aarch64__) || defined(DPPAIR_NOISE_FUSED_)
#define DPR_FFMA(a, b, c) simde_mm_fmadd_ps(a, b, c)
#define DPR_DFMA(a, b, c) simde_mm_fmadd_pd(a, b, c)
#else
#define DPR_FFMA(a, b, c) DPR_FADD(DPR_FMUL(a, b), c)
#define DPR_DFMA(a, b, c) DPR_DADD(DPR_DMUL(a, b), c)
#endif

/* Words of 32 bits. */
#define DPR_ILOAD(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define DPR_ISET(x) simde_mm_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) simde_mm_add_epi32(a, b)
#define DPR_IAND(a, b) simde_mm_and_si128(a, b)
#define DPR_IXOR(a, b) simde_mm_xor_si128(a, b)
#define DPR_ISHL(a, n) simde_mm_slli_epi32(a, n)
#define DPR_ISHR(a, n) simde_mm_srli_epi32(a, n)
#define DPR_IGT(a, b) simde_mm_castsi128_ps(simde_mm_cmpgt_epi32(a, b))
#define DPR_IROL(a, r) simde_mm_or_si128(simde_mm_slli_epi32(a, r), simde_mm_srli_epi32(a, 32 - r))
#define DPR_UNPACK_LO32(a, b) simde_mm_unpacklo_epi32(a, b)
#define DPR_UNPACK_HI32(a, b) simde_mm_unpackhi_epi32(a, b)
#define DPR_UNPACK_LO64(a, b) simde_mm_unpacklo_epi64(a, b)
#define DPR_UNPACK_HI64(a, b) simde_mm_unpackhi_epi64(a, b)
#define DPR_STORE_PARTS(p, stride, a) simde_mm_storeu_si128((simde__m128i *)(void *)(p), a)
#define DPR_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const simde__m128 a_ = simde_mm_castsi128_ps(DPR_ILOAD(p));                                    \
    const simde__m128 b_ = simde_mm_castsi128_ps(DPR_ILOAD((p) + 4));                              \
    even = simde_mm_castps_si128(simde_mm_shuffle_ps(a_, b_, 0x88));                               \
    odd = simde_mm_castps_si128(simde_mm_shuffle_ps(a_, b_, 0xdd));                                \
  } while (0)

/* Floats; DPR_FGE is true for NaN, which simde_mm_cmpnlt_ps is not. There is no conversion of
 * unsigned words: the last bit is left out, and the bounds count it as unread. The two choices
 * between a and b have an exclusive or in common. */
#if defined(SIMDE_X86_SSE2_NATIVE)
#define DPR_FGE(a, b) _mm_cmpnlt_ps(a, b)
#define DPR_DGE(a, b) _mm_cmpnlt_pd(a, b)
#else
#define DPR_FGE(a, b) simde_mm_xor_ps(simde_mm_cmplt_ps(a, b), DPR_FLOAT(DPR_ISET(-1)))
#define DPR_DGE(a, b) simde_mm_xor_pd(simde_mm_cmplt_pd(a, b), DPR_DOUBLE(DPR_QSET(-1)))
#endif
#define DPR_I2F(a) simde_mm_cvtepi32_ps(a)
#define DPR_U2F(a) DPR_FADD(DPR_I2F(DPR_ISHR(a, 1)), DPR_I2F(DPR_ISHR(a, 1)))
#define DPR_FINT(a) simde_mm_castps_si128(a)
#define DPR_FLOAT(u) simde_mm_castsi128_ps(u)
#define DPR_FSET(x) simde_mm_set1_ps(x)
#define DPR_FSQRT(a) simde_mm_sqrt_ps(a)
#define DPR_FROUND(a) dppair_rint_simd128_(a)
#define DPR_FSTORE(p, a) simde_mm_storeu_ps(p, a)
#define DPR_FLOAD(p) simde_mm_loadu_ps(p)
#define DPR_FSEL(m, a, b)                                                                          \
  DPR_FLOAT(DPR_IXOR(DPR_FINT(b), DPR_IAND(DPR_FINT(m), DPR_IXOR(DPR_FINT(a), DPR_FINT(b)))))
#define DPR_FGT(a, b) simde_mm_cmpgt_ps(a, b)

/* Masks of floats. */
#define DPR_MNONE simde_mm_setzero_ps()
#define DPR_MOR(a, b) simde_mm_or_ps(a, b)
#define DPR_M_BITS(m) ((unsigned)simde_mm_movemask_ps(m))

/* Words of 64 bits. */
#define DPR_QSET(x) simde_mm_set1_epi64x((int64_t)(x))
#define DPR_QADD(a, b) simde_mm_add_epi64(a, b)
#define DPR_QSUB(a, b) simde_mm_sub_epi64(a, b)
#define DPR_QAND(a, b) simde_mm_and_si128(a, b)
#define DPR_QANDNOT(a, b) simde_mm_andnot_si128(a, b)
#define DPR_QOR(a, b) simde_mm_or_si128(a, b)
#define DPR_QXOR(a, b) simde_mm_xor_si128(a, b)
#define DPR_QSHL(a, n) simde_mm_slli_epi64(a, n)
#define DPR_QSHR(a, n) simde_mm_srli_epi64(a, n)
#define DPR_QGT(a, b) dppair_greater_simd128_(a, b)
#define DPR_HALF(p) simde_mm_loadl_epi64((const simde__m128i *)(const void *)(p))
#define DPR_WIDEN(p) simde_mm_unpacklo_epi32(DPR_HALF(p), simde_mm_setzero_si128())
/* As on AVX2. */
#define DPR_LOW32(a) DPR_QOR(DPR_QAND(a, DPR_QSET(0xffffffff)), DPR_QSET(0x4330000000000000))
#define DPR_Q2D(a)                                                                                 \
  DPR_DADD(DPR_DSUB(DPR_DOUBLE(DPR_QXOR(DPR_QSHR(a, 32), DPR_QSET(0x4530000080000000))),           \
                    DPR_DSET(19342822341709703277445120.0)),                                       \
           DPR_DOUBLE(DPR_LOW32(a)))
#define DPR_UQ2D(a)                                                                                \
  DPR_DADD(DPR_DSUB(DPR_DOUBLE(DPR_QOR(DPR_QSHR(a, 32), DPR_QSET(0x4530000000000000))),            \
                    DPR_DSET(19342813118337666422669312.0)),                                       \
           DPR_DOUBLE(DPR_LOW32(a)))

/* Doubles. */
#define DPR_DINT(a) simde_mm_castpd_si128(a)
#define DPR_DOUBLE(u) simde_mm_castsi128_pd(u)
#define DPR_DSET(x) simde_mm_set1_pd(x)
#define DPR_DLOAD(p) simde_mm_loadu_pd(p)
#define DPR_DSTORE(p, a) simde_mm_storeu_pd(p, a)
#define DPR_DLOADF(p) simde_mm_cvtps_pd(DPR_FLOAT(DPR_HALF(p)))
#define DPR_DSTOREF(p, a)                                                                          \
  simde_mm_storel_epi64((simde__m128i *)(void *)(p), DPR_FINT(simde_mm_cvtpd_ps(a)))
#define DPR_DSQRT(a) simde_mm_sqrt_pd(a)

/* Masks of doubles; DPR_DGE is true for NaN. */
#define DPR_DSEL(m, a, b)                                                                          \
  DPR_DOUBLE(DPR_QXOR(DPR_DINT(b), DPR_QAND(DPR_DINT(m), DPR_QXOR(DPR_DINT(a), DPR_DINT(b)))))
#define DPR_NOR(a, b) simde_mm_or_pd(a, b)
#define DPR_N_BITS(m) ((unsigned)simde_mm_movemask_pd(m))

#if DPPAIR_NOISE_SIMD128_
/* a > b as signed words of 64 bits: by the upper halves, and where these are equal by the borrow of
 * b - a. The upper half is then the mask. */
DPPAIR_FORCE_INLINE_ DPR_N dppair_greater_simd128_(DPR_Q a, DPR_Q b) {
  const DPR_Q same = simde_mm_cmpeq_epi32(a, b), less = DPR_QAND(same, DPR_QSUB(b, a));
  const DPR_Q all = DPR_QOR(less, simde_mm_cmpgt_epi32(a, b));
  return DPR_DOUBLE(simde_mm_shuffle_epi32(all, 0xf5));
}

/* To the nearest integer: |a| + 2^23 rounds, and from 2^23 on a is an integer. */
DPPAIR_FORCE_INLINE_ DPR_F dppair_rint_simd128_(DPR_F a) {
  const DPR_F two_23 = DPR_FSET(8388608.0f), sign = DPR_FLOAT(DPR_ISET(0x80000000u));
  const DPR_F size = simde_mm_andnot_ps(sign, a);
  DPR_F sum = DPR_FADD(size, two_23);
  DPR_OPAQUE(sum);
  sum = simde_mm_or_ps(DPR_FSUB(sum, two_23), simde_mm_and_ps(sign, a));
  return DPR_FSEL(simde_mm_cmplt_ps(size, two_23), sum, a);
}
#endif
#elif DPPAIR_TIER_ == 2
/* ---- src/noise/kernels/avx2.h ---------------------------------------------------------------
 * Tier 2: AVX2 with FMA
 * ---------------------------------------------------------------------------------------------- */

#define DPR_FN(name) DPPAIR_CAT(name, avx2_)
#define DPR_LANES 8
#define DPR_I __m256i
#define DPR_F __m256
#define DPR_Q __m256i
#define DPR_D __m256d
#define DPR_M __m256
#define DPR_N __m256d

/* Words of 32 bits. */
#define DPR_ILOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define DPR_ISET(x) _mm256_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) _mm256_add_epi32(a, b)
#define DPR_IAND(a, b) _mm256_and_si256(a, b)
#define DPR_IOR(a, b) _mm256_or_si256(a, b)
#define DPR_IXOR(a, b) _mm256_xor_si256(a, b)
#define DPR_ISHL(a, n) _mm256_slli_epi32(a, n)
#define DPR_ISHR(a, n) _mm256_srli_epi32(a, n)
#define DPR_IGT(a, b) _mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))
#define DPR_BYTES(a, order) _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(order))
#define DPR_IROL(a, r)                                                                             \
  ((r) == 16  ? DPR_BYTES(a, _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2))   \
   : (r) == 8 ? DPR_BYTES(a, _mm_set_epi8(14, 13, 12, 15, 10, 9, 8, 11, 6, 5, 4, 7, 2, 1, 0, 3))   \
              : _mm256_or_si256(_mm256_slli_epi32(a, r), _mm256_srli_epi32(a, 32 - (r))))
#define DPR_UNPACK_LO32(a, b) _mm256_unpacklo_epi32(a, b)
#define DPR_UNPACK_HI32(a, b) _mm256_unpackhi_epi32(a, b)
#define DPR_UNPACK_LO64(a, b) _mm256_unpacklo_epi64(a, b)
#define DPR_UNPACK_HI64(a, b) _mm256_unpackhi_epi64(a, b)
#define DPR_STORE_PARTS(p, stride, a)                                                              \
  do {                                                                                             \
    _mm_storeu_si128((__m128i *)(void *)(p), _mm256_castsi256_si128(a));                           \
    _mm_storeu_si128((__m128i *)(void *)((p) + (stride)), _mm256_extracti128_si256(a, 1));         \
  } while (0)
#define DPR_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const __m256 a_ = _mm256_loadu_ps((const float *)(const void *)(p));                           \
    const __m256 b_ = _mm256_loadu_ps((const float *)(const void *)((p) + 8));                     \
    even = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a_, b_, 0x88)), 0xd8);   \
    odd = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a_, b_, 0xdd)), 0xd8);    \
  } while (0)

/* Floats; DPR_FGE is true for NaN. */
#define DPR_I2F(a) _mm256_cvtepi32_ps(a)
#define DPR_U2F(a)                                                                                 \
  _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(a, 16)), _mm256_set1_ps(65536.0f),          \
                  _mm256_cvtepi32_ps(_mm256_and_si256(a, _mm256_set1_epi32(0xffff))))
#define DPR_FINT(a) _mm256_castps_si256(a)
#define DPR_FLOAT(u) _mm256_castsi256_ps(u)
#define DPR_FSET(x) _mm256_set1_ps(x)
#define DPR_FFMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define DPR_FSQRT(a) _mm256_sqrt_ps(a)
#define DPR_FROUND(a) _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DPR_FSTORE(p, a) _mm256_storeu_ps(p, a)
#define DPR_FLOAD(p) _mm256_loadu_ps(p)
#define DPR_FSEL(m, a, b) _mm256_blendv_ps(b, a, m)
#define DPR_FGE(a, b) _mm256_cmp_ps(a, b, _CMP_NLT_UQ)
#define DPR_FGT(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)

/* Masks of floats. */
#define DPR_MNONE _mm256_setzero_ps()
#define DPR_MOR(a, b) _mm256_or_ps(a, b)
#define DPR_M_BITS(m) ((unsigned)_mm256_movemask_ps(m))

/* Words of 64 bits. */
#define DPR_QSET(x) _mm256_set1_epi64x((long long)(x))
#define DPR_QADD(a, b) _mm256_add_epi64(a, b)
#define DPR_QSUB(a, b) _mm256_sub_epi64(a, b)
#define DPR_QAND(a, b) _mm256_and_si256(a, b)
#define DPR_QANDNOT(a, b) _mm256_andnot_si256(a, b)
#define DPR_QOR(a, b) _mm256_or_si256(a, b)
#define DPR_QXOR(a, b) _mm256_xor_si256(a, b)
#define DPR_QSHL(a, n) _mm256_slli_epi64(a, n)
#define DPR_QSHR(a, n) _mm256_srli_epi64(a, n)
#define DPR_QGT(a, b) _mm256_castsi256_pd(_mm256_cmpgt_epi64(a, b))
#define DPR_WIDEN(p) _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)))
/* Signed and unsigned words to doubles. The halves of 32 bits become the low digits of 2^84 and
 * 2^52; 2^84 + 2^52 (signed: and 2^63, which makes the word unsigned) is subtracted exactly, so
 * that the sum is the only rounding. */
#define DPR_Q2D(a)                                                                                 \
  _mm256_add_pd(                                                                                   \
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_xor_si256(_mm256_srli_epi64(a, 32),                 \
                                                         _mm256_set1_epi64x(0x4530000080000000))), \
                    _mm256_set1_pd(19342822341709703277445120.0)),                                 \
      _mm256_castsi256_pd(_mm256_blend_epi32(a, _mm256_set1_epi64x(0x4330000000000000), 0xaa)))
#define DPR_UQ2D(a)                                                                                \
  _mm256_add_pd(                                                                                   \
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(a, 32),                  \
                                                        _mm256_set1_epi64x(0x4530000000000000))),  \
                    _mm256_set1_pd(19342813118337666422669312.0)),                                 \
      _mm256_castsi256_pd(_mm256_blend_epi32(a, _mm256_set1_epi64x(0x4330000000000000), 0xaa)))

/* Doubles. */
#define DPR_DINT(a) _mm256_castpd_si256(a)
#define DPR_DOUBLE(u) _mm256_castsi256_pd(u)
#define DPR_DSET(x) _mm256_set1_pd(x)
#define DPR_DLOAD(p) _mm256_loadu_pd(p)
#define DPR_DSTORE(p, a) _mm256_storeu_pd(p, a)
#define DPR_DLOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPR_DSTOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPR_DFMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define DPR_DSQRT(a) _mm256_sqrt_pd(a)

/* Masks of doubles; DPR_DGE is true for NaN. */
#define DPR_DSEL(m, a, b) _mm256_blendv_pd(b, a, m)
#define DPR_DGE(a, b) _mm256_cmp_pd(a, b, _CMP_NLT_UQ)
#define DPR_NOR(a, b) _mm256_or_pd(a, b)
#define DPR_N_BITS(m) ((unsigned)_mm256_movemask_pd(m))

/* AES on units of 16 bytes. */
#define DPR_ISTORE(p, a) _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define DPR_AES_KEY(p)                                                                             \
  _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define DPR_AES_REVERSE(a)                                                                         \
  DPR_BYTES(a, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define DPR_AES(a, k) _mm256_aesenc_epi128(a, k)
#define DPR_AES_LAST(a, k) _mm256_aesenclast_epi128(a, k)
#else
/* ---- src/noise/kernels/avx512.h -------------------------------------------------------------
 * Tier 3: AVX-512 F, DQ, BW, VL
 *
 * The maskz forms do what the plain ones do; gcc 12 warns of the undefined operand inside those.
 * ---------------------------------------------------------------------------------------------- */

/* gcc 12 has this intrinsic as a macro whose own casts trip its warning. 8: to nearest, without
 * exceptions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
DPPAIR_FORCE_INLINE_ __m512 dppair_rint_ps_avx512_(__m512 a) {
  return _mm512_maskz_roundscale_ps(0xffff, a, 0x08);
}
#pragma GCC diagnostic pop
#define DPR_FN(name) DPPAIR_CAT(name, avx512_)
#define DPR_LANES 16
#define DPR_I __m512i
#define DPR_F __m512
#define DPR_Q __m512i
#define DPR_D __m512d
#define DPR_M __mmask16
#define DPR_N __mmask8

/* Words of 32 bits. */
#define DPR_ILOAD(p) _mm512_loadu_si512((const void *)(p))
#define DPR_ISET(x) _mm512_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) _mm512_add_epi32(a, b)
#define DPR_IAND(a, b) _mm512_and_si512(a, b)
#define DPR_IOR(a, b) _mm512_or_si512(a, b)
#define DPR_IXOR(a, b) _mm512_xor_si512(a, b)
#define DPR_ISHL(a, n) _mm512_maskz_slli_epi32(0xffff, a, n)
#define DPR_ISHR(a, n) _mm512_maskz_srli_epi32(0xffff, a, n)
#define DPR_IGT(a, b) _mm512_cmpgt_epi32_mask(a, b)
#define DPR_IROL(a, r) _mm512_maskz_rol_epi32(0xffff, a, r)
#define DPR_UNPACK_LO32(a, b) _mm512_maskz_unpacklo_epi32(0xffff, a, b)
#define DPR_UNPACK_HI32(a, b) _mm512_maskz_unpackhi_epi32(0xffff, a, b)
#define DPR_UNPACK_LO64(a, b) _mm512_maskz_unpacklo_epi64(0xff, a, b)
#define DPR_UNPACK_HI64(a, b) _mm512_maskz_unpackhi_epi64(0xff, a, b)
#define DPR_EVEN_ODD(even, odd, p)                                                                 \
  do {                                                                                             \
    const __m512i a_ = _mm512_loadu_si512((const void *)(p));                                      \
    const __m512i b_ = _mm512_loadu_si512((const void *)((p) + 16));                               \
    even = _mm512_permutex2var_epi32(                                                              \
        a_, _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0), b_);      \
    odd = _mm512_permutex2var_epi32(                                                               \
        a_, _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1), b_);      \
  } while (0)

/* Floats; DPR_FGE is true for NaN. */
#define DPR_I2F(a) _mm512_maskz_cvtepi32_ps(0xffff, a)
#define DPR_U2F(a) _mm512_maskz_cvtepu32_ps(0xffff, a)
#define DPR_FINT(a) _mm512_castps_si512(a)
#define DPR_FLOAT(u) _mm512_castsi512_ps(u)
#define DPR_FSET(x) _mm512_set1_ps(x)
#define DPR_FFMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define DPR_FSQRT(a) _mm512_maskz_sqrt_ps(0xffff, a)
#define DPR_FROUND(a) dppair_rint_ps_avx512_(a)
#define DPR_FSTORE(p, a) _mm512_storeu_ps(p, a)
#define DPR_FLOAD(p) _mm512_loadu_ps(p)
#define DPR_FSEL(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define DPR_FGE(a, b) _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)
#define DPR_FGT(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)

/* Masks of floats. */
#define DPR_MNONE ((__mmask16)0)
#define DPR_MOR(a, b) ((__mmask16)((a) | (b)))
#define DPR_M_BITS(m) ((unsigned)(m))

/* Words of 64 bits. */
#define DPR_QSET(x) _mm512_set1_epi64((long long)(x))
#define DPR_QADD(a, b) _mm512_add_epi64(a, b)
#define DPR_QSUB(a, b) _mm512_sub_epi64(a, b)
#define DPR_QAND(a, b) _mm512_and_si512(a, b)
#define DPR_QANDNOT(a, b) _mm512_maskz_andnot_epi64(0xff, a, b)
#define DPR_QOR(a, b) _mm512_or_si512(a, b)
#define DPR_QXOR(a, b) _mm512_xor_si512(a, b)
#define DPR_QSHL(a, n) _mm512_maskz_slli_epi64(0xff, a, n)
#define DPR_QSHR(a, n) _mm512_maskz_srli_epi64(0xff, a, n)
#define DPR_QGT(a, b) _mm512_cmpgt_epi64_mask(a, b)
#define DPR_WIDEN(p)                                                                               \
  _mm512_maskz_cvtepu32_epi64(0xff, _mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define DPR_Q2D(a) _mm512_maskz_cvtepi64_pd(0xff, a)
#define DPR_UQ2D(a) _mm512_maskz_cvtepu64_pd(0xff, a)

/* Doubles. */
#define DPR_DINT(a) _mm512_castpd_si512(a)
#define DPR_DOUBLE(u) _mm512_castsi512_pd(u)
#define DPR_DSET(x) _mm512_set1_pd(x)
#define DPR_DLOAD(p) _mm512_loadu_pd(p)
#define DPR_DSTORE(p, a) _mm512_storeu_pd(p, a)
#define DPR_DLOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPR_DSTOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPR_DFMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define DPR_DSQRT(a) _mm512_maskz_sqrt_pd(0xff, a)

/* Masks of doubles; DPR_DGE is true for NaN. */
#define DPR_DSEL(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define DPR_DGE(a, b) _mm512_cmp_pd_mask(a, b, _CMP_NLT_UQ)
#define DPR_NOR(a, b) ((__mmask8)((a) | (b)))
#define DPR_N_BITS(m) ((unsigned)(m))

/* AES on units of 16 bytes. */
#define DPR_ISTORE(p, a) _mm512_storeu_si512((void *)(p), a)
#define DPR_AES_KEY(p)                                                                             \
  _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128((const __m128i *)(const void *)(p)))
#define DPR_AES_REVERSE(a)                                                                         \
  _mm512_shuffle_epi8(                                                                             \
      a, _mm512_maskz_broadcast_i32x4(                                                             \
             0xffff, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
#define DPR_AES(a, k) _mm512_aesenc_epi128(a, k)
#define DPR_AES_LAST(a, k) _mm512_aesenclast_epi128(a, k)
#endif

/* ---- src/noise/kernels/chacha20.h -----------------------------------------------------------
 * ChaCha20, DPR_LANES blocks side by side
 *
 * Vector w holds word w of every block. Relies on the address of cipher.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPR_QUARTER(a, b, c, d)                                                                    \
  a = DPR_IADD(a, b), d = DPR_IXOR(d, a), d = DPR_IROL(d, 16);                                     \
  c = DPR_IADD(c, d), b = DPR_IXOR(b, c), b = DPR_IROL(b, 12);                                     \
  a = DPR_IADD(a, b), d = DPR_IXOR(d, a), d = DPR_IROL(d, 8);                                      \
  c = DPR_IADD(c, d), b = DPR_IXOR(b, c), b = DPR_IROL(b, 7)

/* Transposes vectors of words to blocks and stores them. Inside each 128-bit part, four vectors
 * give four words of a block; a 512-bit register then gathers the four parts of one block. */
#if DPR_LANES == 16
DPPAIR_FORCE_INLINE_ void dpr_chacha20_store(uint32_t *out, const DPR_I x[16]) {
  __m512i v[4][4];
#define DPR_FOUR(i)                                                                                \
  do {                                                                                             \
    const DPR_I p_ = DPR_UNPACK_LO32(x[4 * i], x[4 * i + 1]);                                      \
    const DPR_I q_ = DPR_UNPACK_LO32(x[4 * i + 2], x[4 * i + 3]);                                  \
    const DPR_I r_ = DPR_UNPACK_HI32(x[4 * i], x[4 * i + 1]);                                      \
    const DPR_I s_ = DPR_UNPACK_HI32(x[4 * i + 2], x[4 * i + 3]);                                  \
    v[i][0] = DPR_UNPACK_LO64(p_, q_), v[i][1] = DPR_UNPACK_HI64(p_, q_);                          \
    v[i][2] = DPR_UNPACK_LO64(r_, s_), v[i][3] = DPR_UNPACK_HI64(r_, s_);                          \
  } while (0)
#define DPR_MIX(a, b, c) _mm512_maskz_shuffle_i32x4(0xffff, a, b, c)
  DPR_FOUR(0);
  DPR_FOUR(1);
  DPR_FOUR(2);
  DPR_FOUR(3);
#define DPR_OUT(i) /* parts l of v[0..3][i] are block 4 l + i */                                   \
  do {                                                                                             \
    const __m512i a_ = DPR_MIX(v[0][i], v[1][i], 0x88), b_ = DPR_MIX(v[2][i], v[3][i], 0x88);      \
    const __m512i c_ = DPR_MIX(v[0][i], v[1][i], 0xdd), d_ = DPR_MIX(v[2][i], v[3][i], 0xdd);      \
    _mm512_storeu_si512((void *)(out + 16 * i), DPR_MIX(a_, b_, 0x88));                            \
    _mm512_storeu_si512((void *)(out + 16 * i + 64), DPR_MIX(c_, d_, 0x88));                       \
    _mm512_storeu_si512((void *)(out + 16 * i + 128), DPR_MIX(a_, b_, 0xdd));                      \
    _mm512_storeu_si512((void *)(out + 16 * i + 192), DPR_MIX(c_, d_, 0xdd));                      \
  } while (0)
  DPR_OUT(0);
  DPR_OUT(1);
  DPR_OUT(2);
  DPR_OUT(3);
}
#else
DPPAIR_FORCE_INLINE_ void dpr_chacha20_rows(uint32_t *out, DPR_I a, DPR_I b, DPR_I c, DPR_I d) {
  const DPR_I ab = DPR_UNPACK_LO32(a, b), cd = DPR_UNPACK_LO32(c, d);
  const DPR_I AB = DPR_UNPACK_HI32(a, b), CD = DPR_UNPACK_HI32(c, d);
  DPR_STORE_PARTS(out, 64, DPR_UNPACK_LO64(ab, cd));
  DPR_STORE_PARTS(out + 16, 64, DPR_UNPACK_HI64(ab, cd));
  DPR_STORE_PARTS(out + 32, 64, DPR_UNPACK_LO64(AB, CD));
  DPR_STORE_PARTS(out + 48, 64, DPR_UNPACK_HI64(AB, CD));
}
DPPAIR_FORCE_INLINE_ void dpr_chacha20_store(uint32_t *out, const DPR_I x[16]) {
  dpr_chacha20_rows(out, x[0], x[1], x[2], x[3]);
  dpr_chacha20_rows(out + 4, x[4], x[5], x[6], x[7]);
  dpr_chacha20_rows(out + 8, x[8], x[9], x[10], x[11]);
  dpr_chacha20_rows(out + 12, x[12], x[13], x[14], x[15]);
}
#endif

/* put(w, v) for each word w of the state before the rounds: constants, key, counter, stream.
 * Macros, because gcc keeps x in registers only when every index is a constant. */
#define DPR_STATE(put)                                                                             \
  put(0, DPR_ISET(DPPAIR_CHACHA_0_)), put(1, DPR_ISET(DPPAIR_CHACHA_1_));                          \
  put(2, DPR_ISET(DPPAIR_CHACHA_2_)), put(3, DPR_ISET(DPPAIR_CHACHA_3_));                          \
  put(4, DPR_ISET(rng->key[0])), put(5, DPR_ISET(rng->key[1])), put(6, DPR_ISET(rng->key[2]));     \
  put(7, DPR_ISET(rng->key[3])), put(8, DPR_ISET(rng->key[4])), put(9, DPR_ISET(rng->key[5]));     \
  put(10, DPR_ISET(rng->key[6])), put(11, DPR_ISET(rng->key[7]));                                  \
  put(12, low), put(13, high), put(14, stream_low), put(15, stream_high)
#define DPR_INIT(w, v) x[w] = v
#define DPR_PLUS(w, v) x[w] = DPR_IADD(x[w], v)

/* `count` blocks of a level at any positions. The last group of lanes is filled up with copies of
 * its first block, which are dropped. */
DPPAIR_FN_ void dppair_chacha20_TIER_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                      const uint64_t *blocks, size_t count) {
  uint32_t last[16 * DPR_LANES];
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += DPR_LANES) {
    const size_t live = count - i < DPR_LANES ? count - i : DPR_LANES;
    uint32_t lo[DPR_LANES], hi[DPR_LANES], *to = live == DPR_LANES ? out + 16 * i : last;
    DPR_I x[16], low, high;
    const DPR_I stream_low = DPR_ISET((uint32_t)rng->stream);
    const DPR_I stream_high = DPR_ISET((uint32_t)(rng->stream >> 32));
    for (j = 0; j < DPR_LANES; j++) {
      const uint64_t at = dppair_address_(level, blocks[i + (j < live ? j : 0)]);
      lo[j] = (uint32_t)at;
      hi[j] = (uint32_t)(at >> 32);
    }
    low = DPR_ILOAD(lo), high = DPR_ILOAD(hi);
    DPR_STATE(DPR_INIT);
    for (j = 0; j < 10; j++) {
      DPR_QUARTER(x[0], x[4], x[8], x[12]);
      DPR_QUARTER(x[1], x[5], x[9], x[13]);
      DPR_QUARTER(x[2], x[6], x[10], x[14]);
      DPR_QUARTER(x[3], x[7], x[11], x[15]);
      DPR_QUARTER(x[0], x[5], x[10], x[15]);
      DPR_QUARTER(x[1], x[6], x[11], x[12]);
      DPR_QUARTER(x[2], x[7], x[8], x[13]);
      DPR_QUARTER(x[3], x[4], x[9], x[14]);
    }
    DPR_STATE(DPR_PLUS);
    dpr_chacha20_store(to, x);
    if (live < DPR_LANES) memcpy(out + 16 * i, last, 64 * live);
  }
}

#if DPPAIR_TIER_ > 1
/* ---- src/noise/kernels/vaes.h ---------------------------------------------------------------
 * AES-256 by VAES: rows of consecutive blocks
 *
 * A register holds DPR_LANES / 4 units of 16 bytes; eight registers hide the latency of the rounds.
 * ---------------------------------------------------------------------------------------------- */

/* `count` consecutive blocks of a level. */
DPPAIR_FN_ void dppair_vaes_row_TIER_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                      uint64_t block, size_t count) {
  const size_t registers = 16 * count / DPR_LANES;
  uint64_t first[DPR_LANES / 2], step[DPR_LANES / 2];
  DPR_I counter, more, k[15];
  size_t i;
  unsigned j;
  for (j = 0; j < DPR_LANES / 4; j++) {
    first[2 * j] = dppair_address_(level, 4 * block) + j;
    first[2 * j + 1] = rng->stream;
    step[2 * j] = DPR_LANES / 4;
    step[2 * j + 1] = 0;
  }
  counter = DPR_ILOAD(first), more = DPR_ILOAD(step);
  for (j = 0; j < 15; j++) k[j] = DPR_AES_KEY(rng->key + 4 * j);
#define DPR_NEXT(x) x = DPR_IXOR(k[0], DPR_AES_REVERSE(counter)), counter = DPR_QADD(counter, more)
#define DPR_ROUND(k)                                                                               \
  a = DPR_AES(a, k), b = DPR_AES(b, k), c = DPR_AES(c, k), d = DPR_AES(d, k);                      \
  e = DPR_AES(e, k), f = DPR_AES(f, k), g = DPR_AES(g, k), h = DPR_AES(h, k)
#define DPR_LAST(x, n) DPR_ISTORE(out + DPR_LANES * (i + n), DPR_AES_LAST(x, k[14]))
  for (i = 0; i + 8 <= registers; i += 8) {
    DPR_I a, b, c, d, e, f, g, h;
    DPR_NEXT(a), DPR_NEXT(b), DPR_NEXT(c), DPR_NEXT(d);
    DPR_NEXT(e), DPR_NEXT(f), DPR_NEXT(g), DPR_NEXT(h);
    for (j = 1; j < 14; j++) {
      DPR_ROUND(k[j]);
    }
    DPR_LAST(a, 0), DPR_LAST(b, 1), DPR_LAST(c, 2), DPR_LAST(d, 3);
    DPR_LAST(e, 4), DPR_LAST(f, 5), DPR_LAST(g, 6), DPR_LAST(h, 7);
  }
  for (; i < registers; i++) {
    DPR_I a;
    DPR_NEXT(a);
    for (j = 1; j < 14; j++) a = DPR_AES(a, k[j]);
    DPR_LAST(a, 0);
  }
}
#endif

#if DPPAIR_TIER_ > 1 || DPPAIR_NOISE_SIMD128_
/* ---- src/noise/kernels/float_level.h --------------------------------------------------------
 * The float level: functions of 32 bits of a string, in float
 *
 * -ln U, cosine and sine with bounds on their errors, u = 2^-24, whether the tier fuses a product
 * and a sum or not. The unread bits, among them those that a tier's DPR_U2F leaves out, are charged
 * where the functions are used: first_level.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln U for U = w 2^-32.
 *
 * U = v 2^k with v in [0.707, 1.414] and f = v - 1, from the bits of U as a float: adding the
 * difference of the bits of 1 and sqrt(1/2) moves the exponent at sqrt(1/2). Above 0.70727 f comes
 * from the distance 1 - U instead, so that it has a relative error of u only. ln(1 + f) =
 * f + f^2 Q(f) with Q of degree 6, |error| <= 2^-24.1. Error of e: relative 6.2u near U = 1, else
 * (3.3 + 2e) u, from v's conversion u, Q's approximation 0.93u, its evaluation 0.6u, the product of
 * f^2 0.1u, ln 2 rounded to float 0.35u, its product (e + 0.35)u, and the last sum e u. (Over all w
 * that this level decides: 6.19u, (1.4 + 2e) u.)
 */
DPPAIR_FORCE_INLINE_ DPR_F dpr_exponential_f32(DPR_I w) {
  const uint32_t one = 0x3f800000u, root_half = 0x3f3504f3u, digits = 0x007fffffu;
  const DPR_I i = DPR_IADD(DPR_FINT(DPR_U2F(w)), DPR_ISET(one - root_half));
  const DPR_F k = DPR_FSUB(DPR_I2F(DPR_ISHR(i, 23)), DPR_FSET(127.0f + 32.0f));
  const DPR_F v = DPR_FLOAT(DPR_IADD(DPR_IAND(i, DPR_ISET(digits)), DPR_ISET(root_half)));
  const DPR_F f = DPR_FSEL(DPR_IGT(DPR_ISHR(w, 1), DPR_ISET(0x5a880000u)),
                           DPR_FMUL(DPR_I2F(w), DPR_FSET(2.3283064365386963e-10f)), /* 2^-32 */
                           DPR_FSUB(v, DPR_FSET(1.0f)));
  DPR_F q = DPR_FFMA(f, DPR_FSET(-0.1018699410509238f), DPR_FSET(0.16311621702560866f));
  q = DPR_FFMA(f, q, DPR_FSET(-0.172650798677734f));
  q = DPR_FFMA(f, q, DPR_FSET(0.19890390297798413f));
  q = DPR_FFMA(f, q, DPR_FSET(-0.24967445645995892f));
  q = DPR_FFMA(f, q, DPR_FSET(0.333352117137889f));
  q = DPR_FFMA(f, q, DPR_FSET(-0.5000042785035765f));
  q = DPR_FFMA(DPR_FMUL(f, f), q, f);
  return DPR_FSUB(DPR_FSET(0.0f), DPR_FFMA(k, DPR_FSET(0.6931471805599453f), q));
}

/*
 * cos and sin of 2 pi w 2^-32. The low 30 bits, read as signed, are the angle from the nearest
 * quarter turn; theta is that angle in radians, |theta| <= pi/4, with a relative error of 2.5u.
 * Polynomials of degree 6 and 7 give both within 3.5u (over all w: cosines 2.6u, sines 2.28u, and
 * 2.42u where nothing is fused); the upper bits exchange them and change their signs.
 */
DPPAIR_FORCE_INLINE_ void dpr_circle_f32(DPR_F *cosine, DPR_F *sine, DPR_I w) {
  const DPR_F theta = /* times 2 pi 2^-34 */
      DPR_FMUL(DPR_I2F(DPR_ISHL(w, 2)), DPR_FSET(3.6572951981935396e-10f));
  const DPR_F z = DPR_FMUL(theta, theta);
  const DPR_I turn = DPR_IADD(w, DPR_ISET(0x20000000u)), sign = DPR_ISET(0x80000000u);
  const DPR_M odd = DPR_IGT(DPR_ISET(0), DPR_ISHL(turn, 1));
  DPR_F c = DPR_FFMA(z, DPR_FSET(-0.0013597823111755002f), DPR_FSET(0.041656294578493416f));
  DPR_F s = DPR_FFMA(z, DPR_FSET(-0.00019495636238835552f), DPR_FSET(0.008331978663168945f));
  c = DPR_FFMA(z, c, DPR_FSET(-0.49999894781371773f));
  c = DPR_FFMA(z, c, DPR_FSET(1.0f));
  s = DPR_FFMA(z, s, DPR_FSET(-0.16666650669294458f));
  s = DPR_FFMA(DPR_FMUL(theta, z), s, theta);
  *cosine = DPR_FLOAT(DPR_IXOR(DPR_FINT(DPR_FSEL(odd, s, c)),
                               DPR_IAND(DPR_IADD(turn, DPR_ISET(0x40000000u)), sign)));
  *sine = DPR_FLOAT(DPR_IXOR(DPR_FINT(DPR_FSEL(odd, c, s)), DPR_IAND(turn, sign)));
}

/* ---- src/noise/kernels/double_level.h -------------------------------------------------------
 * The double level: functions of 64 bits of a string, in double
 *
 * -ln U, cosine and sine as in float_level.h, and from them the Gaussian radius and the Laplace
 * variable with their tau, in units of scale / g, whether the tier fuses or not. u = 2^-53.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln U for U = w 2^-64. As in float, U = v 2^k and f = v - 1; then
 * e = -(k ln 2 + 2 artanh(f / (2 + f))), a series to the 13th power with minimax coefficients,
 * relative error 2^-52.2. Error of e: relative 6u near U = 1, else (3.2 + 2e) u: k times the first
 * part of ln 2, of 43 digits, is exact. *reciprocal is at least 1/U and less than 1.5/U.
 */
DPPAIR_FORCE_INLINE_ DPR_D dpr_exponential_wide(DPR_Q w, DPR_D *reciprocal) {
  const int64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd;
  const int64_t digits = 0x000fffffffffffff, two_52 = 0x4330000000000000; /* 2^52 */
  const DPR_Q i = DPR_QADD(DPR_DINT(DPR_UQ2D(w)), DPR_QSET(one - root_half));
  const DPR_Q biased = DPR_QSHR(i, 52); /* k + 1023 + 64, as U is w 2^-64 */
  const DPR_D k = DPR_DSUB(DPR_DOUBLE(DPR_QOR(biased, DPR_QSET(two_52))),
                           DPR_DSET(4503599627370496.0 + 1087.0));
  const DPR_D v = DPR_DOUBLE(DPR_QADD(DPR_QAND(i, DPR_QSET(digits)), DPR_QSET(root_half)));
  const DPR_D f = DPR_DSEL(DPR_QGT(DPR_QSHR(w, 1), DPR_QSET(0x5a88000000000000)),
                           DPR_DMUL(DPR_Q2D(w), DPR_DSET(5.421010862427522e-20)), /* 2^-64 */
                           DPR_DSUB(v, DPR_DSET(1.0)));
  const DPR_D r = DPR_DDIV(f, DPR_DADD(f, DPR_DSET(2.0))), z = DPR_DMUL(r, r);
  DPR_D p = DPR_DFMA(z, DPR_DSET(0.1681982761698498), DPR_DSET(0.18123642089449862));
  p = DPR_DFMA(z, p, DPR_DSET(0.22223371698075384));
  p = DPR_DFMA(z, p, DPR_DSET(0.2857141712958503));
  p = DPR_DFMA(z, p, DPR_DSET(0.40000000052274937));
  p = DPR_DFMA(z, p, DPR_DSET(0.666666666665872));
  p = DPR_DFMA(DPR_DMUL(r, z), p, DPR_DADD(r, r));
  p = DPR_DFMA(k, DPR_DSET(5.497923018708371e-14), p);
  /* 1/U = 2^-k / v <= 1.4143 2^-k; the bits of 2^-k are (1023 - k) 2^52 = (2110 - biased) 2^52 */
  *reciprocal =
      DPR_DMUL(DPR_DOUBLE(DPR_QSHL(DPR_QSUB(DPR_QSET(2110), biased), 52)), DPR_DSET(1.4143));
  return DPR_DSUB(DPR_DSET(0.0), DPR_DFMA(k, DPR_DSET(0.6931471805598903), p));
}

/* cos and sin of 2 pi w 2^-64, within 5.6u and 2.5u: as in float, with degrees 12 and 13. */
DPPAIR_FORCE_INLINE_ void dpr_circle_wide(DPR_D *cosine, DPR_D *sine, DPR_Q w) {
  const DPR_D theta = /* times 2 pi 2^-66 */
      DPR_DMUL(DPR_Q2D(DPR_QSHL(w, 2)), DPR_DSET(8.515303950216386e-20));
  const DPR_D z = DPR_DMUL(theta, theta);
  const DPR_Q turn = DPR_QADD(w, DPR_QSET(0x2000000000000000));
  const DPR_Q sign = DPR_QSET(UINT64_C(0x8000000000000000));
  const DPR_N odd = DPR_QGT(DPR_QSET(0), DPR_QSHL(turn, 1));
  DPR_D c = DPR_DFMA(z, DPR_DSET(2.066550487012274e-09), DPR_DSET(-2.755585551192951e-07));
  DPR_D s = DPR_DFMA(z, DPR_DSET(1.5918129294866608e-10), DPR_DSET(-2.5051131845003624e-08));
  c = DPR_DFMA(z, c, DPR_DSET(2.480158262335195e-05));
  s = DPR_DFMA(z, s, DPR_DSET(2.755731610255244e-06));
  c = DPR_DFMA(z, c, DPR_DSET(-0.0013888888882127952));
  s = DPR_DFMA(z, s, DPR_DSET(-0.00019841269836758574));
  c = DPR_DFMA(z, c, DPR_DSET(0.04166666666663093));
  s = DPR_DFMA(z, s, DPR_DSET(0.008333333333330948));
  c = DPR_DFMA(z, c, DPR_DSET(-0.49999999999999967));
  s = DPR_DFMA(z, s, DPR_DSET(-0.16666666666666666));
  c = DPR_DFMA(z, c, DPR_DSET(1.0));
  s = DPR_DFMA(DPR_DMUL(theta, z), s, theta);
  *cosine = DPR_DOUBLE(DPR_QXOR(DPR_DINT(DPR_DSEL(odd, s, c)),
                                DPR_QAND(DPR_QADD(turn, DPR_QSET(0x4000000000000000)), sign)));
  *sine = DPR_DOUBLE(DPR_QXOR(DPR_DINT(DPR_DSEL(odd, c, s)), DPR_QAND(turn, sign)));
}

/* The radius R of a Gaussian pair, and tau = 16u + 16u R + 2^-64 / U. The error of R cos is at most
 * - 11u R from root, cosine, the products and the sum, and (3.2/R + R)u from the logarithm;
 * - 2^-64 / (U R) from the unread bits of U, where R >= 1.17 if U < 1/2, and which is at most 11u
 *   otherwise, because 1 - U >= 2^-30; 2 pi R 2^-64 from those of T. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_radius_wide(DPR_Q w, DPR_D *tau) {
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(w, &reciprocal);
  const DPR_D radius = DPR_DSQRT(DPR_DADD(e, e));
  *tau = DPR_DFMA(
      reciprocal, DPR_DSET(DPPAIR_EXP2M_(63) * 0.5),
      DPR_DFMA(radius, DPR_DSET(16.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  return radius;
}

/* The lanes that this level may not decide: U < 2^-32 or U >= 1 - 2^-30. One signed comparison. */
DPPAIR_FORCE_INLINE_ DPR_N dpr_tail_wide(DPR_Q u) {
  return DPR_QGT(DPR_QADD(u, DPR_QSET(UINT64_C(0) - UINT64_C(0x8000000100000000))),
                 DPR_QSET(0x7ffffffaffffffff));
}

/* A Laplace variable of scale 1 from 64 bits, the first of which is the sign. tau = 16u + 4eu +
 * 2^-63 / U: (3.2 + 2e)u from the logarithm, 2eu from product and sum, the rest from the unread
 * bits. The lanes with U < 2^-31 may not be decided: *open. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_laplace_wide(DPR_Q w, DPR_D *tau, DPR_N *open) {
  const DPR_Q u = DPR_QSHL(w, 1);
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(u, &reciprocal);
  *tau =
      DPR_DFMA(reciprocal, DPR_DSET(DPPAIR_EXP2M_(63)),
               DPR_DFMA(e, DPR_DSET(4.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  *open = DPR_QGT(DPR_QSET(0x100000000), DPR_QSHR(u, 1));
  return DPR_DOUBLE(DPR_QXOR(DPR_DINT(e), DPR_QAND(w, DPR_QSET(UINT64_C(0x8000000000000000)))));
}

/* ---- src/noise/kernels/rounding.h -----------------------------------------------------------
 * Rounding and storing
 *
 * Splits x / g into an integer and a rest, adds the noise, rounds where tau allows it, and stores.
 * Undecided numbers keep their value; their positions go to a list for the next level.
 * ---------------------------------------------------------------------------------------------- */

/* A plan's constants in registers. `range` collects the bits in which x / g + 1.5 2^52 differs from
 * 1.5 2^52: its exponent changes when |x| is 2^51 g or more, infinite or NaN. `narrow_range` marks
 * such floats. */
typedef struct dpr_constants {
  DPR_D inverse, g, s, magic;
  DPR_F narrow_s, narrow_inverse, narrow_g;
  DPR_Q range;
  DPR_M narrow_range;
} dpr_constants;

DPPAIR_FORCE_INLINE_ void dpr_constants_make(dpr_constants *c, const dppair_plan_ *plan) {
  c->inverse = DPR_DSET(plan->inverse);
  c->g = DPR_DSET(plan->g);
  c->s = DPR_DSET(plan->s);
  c->magic = DPR_DSET(DPPAIR_MAGIC_F64_);
  c->narrow_s = DPR_FSET((float)plan->s);
  c->narrow_inverse = DPR_FSET(plan->narrow ? (float)plan->inverse : 0.0f);
  c->narrow_g = DPR_FSET(plan->narrow ? (float)plan->g : 0.0f);
  c->narrow_range = DPR_MNONE;
  c->range = DPR_QSET(0);
}

/* 1 when a number was out of range. */
DPPAIR_FORCE_INLINE_ int dpr_unfit(const dpr_constants *c) {
  return (DPR_N_BITS(DPR_QGT(DPR_QSHR(c->range, 52), DPR_QSET(0))) | DPR_M_BITS(c->narrow_range)) !=
         0;
}

/* x[at ..] / g = rest - *less for DPR_LANES / 2 numbers, float when `narrow`; returns x[at ..]. The
 * unit of x / g + 1.5 2^52 is 1, so that this sum rounds x / g to the integer -*less. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_take(DPR_D *less, DPR_D *rest, const void *x, size_t at, int narrow,
                                    dpr_constants *c) {
  const DPR_D value =
      narrow ? DPR_DLOADF((const float *)x + at) : DPR_DLOAD((const double *)x + at);
  DPR_D sum = DPR_DFMA(value, c->inverse, c->magic);
  DPR_OPAQUE(sum);
  c->range = DPR_QOR(c->range, DPR_QXOR(DPR_DINT(sum), DPR_DINT(c->magic)));
  *less = DPR_DSUB(c->magic, sum);
  *rest = DPR_DFMA(value, c->inverse, *less);
  return value;
}

/* *k = the integer next to y, by y + 1.5 2^52 for |y| < 2^47; returns |y - k|. (One sum of y, x / g
 * and 1.5 2^52 would not do: below 2^52 it is a multiple of 1/2 only.) */
DPPAIR_FORCE_INLINE_ DPR_D dpr_off(DPR_D *k, DPR_D y, DPR_D magic) {
  DPR_D all = DPR_DADD(y, magic), d;
  DPR_OPAQUE(all);
  *k = DPR_DSUB(all, magic);
  d = DPR_DSUB(y, *k);
  return DPR_DOUBLE(DPR_QAND(DPR_DINT(d), DPR_QSET(INT64_MAX)));
}

/* x = (k - less) g where decided: the difference is exact, and never -0, as k and less are not. */
DPPAIR_FORCE_INLINE_ void dpr_put(void *x, size_t at, int narrow, DPR_N undecided, DPR_D value,
                                  DPR_D k, DPR_D less, const dpr_constants *c) {
  const DPR_D y = DPR_DSEL(undecided, value, DPR_DMUL(DPR_DSUB(k, less), c->g));
  if (narrow) {
    DPR_DSTOREF((float *)x + at, y);
  } else {
    DPR_DSTORE((double *)x + at, y);
  }
}

/* Rounds DPR_LANES / 2 doubles x[at ..] / g + s z. Undecided are NaN and those at least `reach` =
 * 1/2 - tau from the next integer; returns them as bits. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f64(double *x, size_t at, const float *z,
                                            const float *reach, dpr_constants *constants) {
  DPR_D less, rest, k, off;
  const DPR_D value = dpr_take(&less, &rest, x, at, 0, constants);
  DPR_N open;
  off = dpr_off(&k, DPR_DFMA(DPR_DLOADF(z), constants->s, rest), constants->magic);
  open = DPR_DGE(off, DPR_DLOADF(reach));
  dpr_put(x, at, 0, open, value, k, less, constants);
  return DPR_N_BITS(open);
}

/* The same for DPR_LANES floats, in float: x / g, whole and rest are exact, since a float beyond
 * 2^23 is an integer. whole + k is rounded once; that is the rounding of the release to float. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f32(float *x, size_t at, const float *z, const float *reach,
                                            dpr_constants *constants) {
  const DPR_F value = DPR_FLOAD(x + at), all = DPR_FMUL(value, constants->narrow_inverse);
  const DPR_F whole = DPR_FROUND(all), limit = DPR_FSET(2251799813685248.0f); /* 2^51 */
  const DPR_F y = DPR_FFMA(DPR_FLOAD(z), constants->narrow_s, DPR_FSUB(all, whole));
  const DPR_F k = DPR_FROUND(y), off = DPR_FSUB(y, k);
  const DPR_M open =
      DPR_FGE(DPR_FLOAT(DPR_IAND(DPR_FINT(off), DPR_ISET(0x7fffffffu))), DPR_FLOAD(reach));
  constants->narrow_range =
      DPR_MOR(constants->narrow_range,
              DPR_MOR(DPR_FGE(all, limit), DPR_FGT(DPR_FSUB(DPR_FSET(0.0f), limit), all)));
  DPR_FSTORE(x + at, DPR_FSEL(open, value,
                              DPR_FFMA(DPR_FADD(whole, k), constants->narrow_g, DPR_FSET(0.0f))));
  return DPR_M_BITS(open);
}

/* Rounds DPR_LANES / 2 numbers x[at ..] / g + s z by the double level. Lanes in `open` may not be
 * decided. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_wide(void *x, size_t at, int narrow, DPR_D z, DPR_D tau,
                                             DPR_N open, dpr_constants *constants) {
  DPR_D less, rest, k, off;
  const DPR_D value = dpr_take(&less, &rest, x, at, narrow, constants);
  off = dpr_off(&k, DPR_DFMA(z, constants->s, rest), constants->magic);
  open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, constants->s, off), DPR_DSET(0.5)));
  dpr_put(x, at, narrow, open, value, k, less, constants);
  return DPR_N_BITS(open);
}

/*
 * Marks: a list of groups with undecided numbers, each the position of its first number above 16
 * bits for its numbers; a 0 ends it. The first level notes DPR_GROUP numbers at a time, without a
 * branch on their bits.
 */
#define DPR_GROUP (DPR_LANES < 8 ? 8 : DPR_LANES)
DPPAIR_FORCE_INLINE_ uint32_t *dpr_note(uint32_t *end, unsigned bits, size_t at) {
  *end = (uint32_t)at << 16 | bits;
  return end + (bits != 0);
}

/* ---- src/noise/kernels/first_level.h --------------------------------------------------------
 * The first level, over n numbers, a multiple of 32
 *
 * Coarse grids begin in float, fine grids in double. Rounds what it can decide and lists the
 * positions of the other numbers for the next level.
 * ---------------------------------------------------------------------------------------------- */

/* Stores cosines and sines of DPR_LANES pairs in their places: eight cosines, eight sines, ... `i`
 * is twice the number of the first pair. */
DPPAIR_FORCE_INLINE_ void dpr_store_pairs(float *x, size_t i, DPR_F c, DPR_F s) {
#if DPR_LANES == 16
  _mm512_storeu_ps(x + i, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0x44));
  _mm512_storeu_ps(x + i + 16, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0xee));
#else
  const size_t at = i / 16 * 16 + i % 16 / 2;
  DPR_FSTORE(x + at, c);
  DPR_FSTORE(x + at + 8, s);
#endif
}

/*
 * Gaussians of scale 1 and their reach 1/2 - tau, or reach 0 where this level may not decide:
 * U < 2^-12 or 1 - U <= 2^-20. With u = 2^-24 and R <= 4.08, the error of s R cos, in units of s u,
 * is at most the sum of
 * - 5.5 R from cosine, root and product, and 3.3 / R + R from the logarithm (3.1 R for U > 0.707);
 * - 2^-7 / (U R) from the unread bits of U, which is 8 at most, 2.9 near U = 1, and below 0.02 for
 *   R <= 1; 0.03 R from those of T;
 * - 0.75 from reach, which is rounded to float.
 * tau = s u (5 + 8 R) covers it. Releases in float add 3 R + 0.5: s rounded, the product with it,
 * and the last sum; tau = s u (5.5 + 11 R).
 */
DPPAIR_FORCE_INLINE_ void dpr_reach_gaussian(float *z, float *reach, const uint32_t *words,
                                             size_t n, int narrow, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - (narrow ? 5.5f : 5.0f) * step);
  const DPR_F fall = DPR_FSET((narrow ? -11.0f : -8.0f) * step);
  /* 2^20 <= u < 2^32 - 2^12 by one signed comparison */
  const DPR_I low = DPR_ISET(0u - 0x80100000u), room = DPR_ISET(0x7fefefffu);
  size_t i;
  for (i = 0; i < n; i += 2 * DPR_LANES) {
    DPR_I u, t;
    DPR_F radius, e, c, s, decided;
    DPR_EVEN_ODD(u, t, words + i);
    e = dpr_exponential_f32(u);
    radius = DPR_FSQRT(DPR_FADD(e, e));
    decided =
        DPR_FSEL(DPR_IGT(DPR_IADD(u, low), room), DPR_FSET(0.0f), DPR_FFMA(radius, fall, top));
    dpr_circle_f32(&c, &s, t);
    dpr_store_pairs(z, i, DPR_FMUL(radius, c), DPR_FMUL(radius, s));
    dpr_store_pairs(reach, i, decided, decided);
  }
}

/* Laplace variables of scale 1 and their reach, 0 for U < 2^-10. The error of s e, in units of s u,
 * is at most 3.3 + 2 e from the logarithm, 2^-7 / U <= 8 from the unread bits, and 0.75 from reach:
 * tau = s u (8 + 2.75 e). Releases in float add 3 e + 0.5: tau = s u (9 + 5.75 e). */
DPPAIR_FORCE_INLINE_ void dpr_reach_laplace(float *z, float *reach, const uint32_t *words, size_t n,
                                            int narrow, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - (narrow ? 9.0f : 8.0f) * step);
  const DPR_F fall = DPR_FSET((narrow ? -5.75f : -2.75f) * step);
  size_t i;
  for (i = 0; i < n; i += DPR_LANES) {
    const DPR_I w = DPR_ILOAD(words + i), u = DPR_ISHL(w, 1);
    const DPR_F e = dpr_exponential_f32(u);
    DPR_FSTORE(reach + i, DPR_FSEL(DPR_IGT(DPR_ISET(0x00200000u), DPR_ISHR(u, 1)), DPR_FSET(0.0f),
                                   DPR_FFMA(e, fall, top)));
    DPR_FSTORE(z + i, DPR_FLOAT(DPR_IXOR(DPR_FINT(e), DPR_IAND(w, DPR_ISET(0x80000000u)))));
  }
}

/* The level in float. Makes the noise of DPPAIR_STEP_ numbers first and rounds them after it: two
 * short loops overlap better in the processor than one long one. */
DPPAIR_FORCE_INLINE_ int dpr_first_f32(void *x, size_t n, int law, int narrow,
                                       const uint32_t *words, uint32_t *marks,
                                       const dppair_plan_ *plan) {
  dpr_constants constants;
  float z[DPPAIR_STEP_], reach[DPPAIR_STEP_];
  uint32_t *end = marks;
  size_t i, j, h, live;
  int unfit;
  dpr_constants_make(&constants, plan);
  for (i = 0; i < n; i += live) {
    live = n - i < DPPAIR_STEP_ ? n - i : DPPAIR_STEP_;
    if (law == DPPAIR_NOISE_LAPLACE_) {
      dpr_reach_laplace(z, reach, words + i, live, narrow, plan);
    } else {
      dpr_reach_gaussian(z, reach, words + i, live, narrow, plan);
    }
    for (j = 0; j < live; j += DPR_GROUP) {
      unsigned open = 0;
      DPPAIR_UNROLL_
      for (h = 0; h < DPR_GROUP; h += narrow ? DPR_LANES : DPR_LANES / 2) {
        const float *noise = z + j + h, *limit = reach + j + h;
        open |= (narrow ? dpr_round_f32((float *)x, i + j + h, noise, limit, &constants)
                        : dpr_round_f64((double *)x, i + j + h, noise, limit, &constants))
                << h;
      }
      DPPAIR_DECLASSIFY_(&open, sizeof open);
      end = dpr_note(end, open, i + j);
    }
  }
  *end = 0;
  unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(&unfit, sizeof unfit);
  return unfit;
}

/* 64 bits of DPR_LANES / 2 strings, whose words of level 0 and 1 are given. */
DPPAIR_FORCE_INLINE_ DPR_Q dpr_strings(const uint32_t *words, const uint32_t *more) {
  return DPR_QOR(DPR_QSHL(DPR_WIDEN(words), 32), DPR_WIDEN(more));
}

/* The same for the strings U and T of DPR_LANES / 2 pairs, whose words alternate. */
DPPAIR_FORCE_INLINE_ DPR_Q dpr_string_pairs(DPR_Q *t, const uint32_t *words, const uint32_t *more) {
  const DPR_Q a = DPR_ILOAD(words), b = DPR_ILOAD(more), low = DPR_QSET(0xffffffff);
  *t = DPR_QOR(DPR_QANDNOT(low, a), DPR_QSHR(b, 32));
  return DPR_QOR(DPR_QSHL(a, 32), DPR_QAND(b, low));
}

/* The level in double, for Laplace noise. Undecided numbers are rare, so a branch on them is
 * cheaper than storing positions always. */
DPPAIR_FORCE_INLINE_ uint32_t *dpr_first_laplace(void *x, size_t n, int narrow,
                                                 const uint32_t *words, const uint32_t *more,
                                                 uint32_t *end, dpr_constants *constants) {
  size_t i;
  for (i = 0; i < n; i += DPR_LANES / 2) {
    DPR_D tau;
    DPR_N open;
    const DPR_D z = dpr_laplace_wide(dpr_strings(words + i, more + i), &tau, &open);
    unsigned bits = dpr_round_wide(x, i, narrow, z, tau, open, constants);
    DPPAIR_DECLASSIFY_(&bits, sizeof bits);
    if (bits != 0) end = dpr_note(end, bits, i);
  }
  return end;
}

/* The level in double, for Gaussian noise. */
DPPAIR_FORCE_INLINE_ uint32_t *dpr_first_gaussian(void *x, size_t n, int narrow,
                                                  const uint32_t *words, const uint32_t *more,
                                                  uint32_t *end, dpr_constants *constants) {
  size_t i, h;
  for (i = 0; i < n; i += 16)
    for (h = 0; h < 16; h += DPR_LANES) {
      const size_t at = i + h / 2;
      DPR_Q t;
      const DPR_Q u = dpr_string_pairs(&t, words + i + h, more + i + h);
      DPR_D tau, c, s;
      const DPR_D radius = dpr_radius_wide(u, &tau);
      const DPR_N open = dpr_tail_wide(u);
      unsigned cosines, sines;
      dpr_circle_wide(&c, &s, t);
      c = DPR_DMUL(radius, c);
      s = DPR_DMUL(radius, s);
      cosines = dpr_round_wide(x, at, narrow, c, tau, open, constants);
      sines = dpr_round_wide(x, at + 8, narrow, s, tau, open, constants);
      DPPAIR_DECLASSIFY_(&cosines, sizeof cosines);
      DPPAIR_DECLASSIFY_(&sines, sizeof sines);
      if ((cosines | sines) != 0) {
        end = dpr_note(end, cosines, at);
        end = dpr_note(end, sines, at + 8);
      }
    }
  return end;
}

/* The level in double, for fine grids: 64 bits of each string. It leaves about one number in
 * 2^(45 - log2 s) undecided. */
DPPAIR_FORCE_INLINE_ int dpr_first_wide(void *x, size_t n, int law, int narrow,
                                        const uint32_t *words, const uint32_t *more,
                                        uint32_t *marks, const dppair_plan_ *plan) {
  dpr_constants constants;
  uint32_t *end;
  int unfit;
  dpr_constants_make(&constants, plan);
  end = law == DPPAIR_NOISE_LAPLACE_
            ? dpr_first_laplace(x, n, narrow, words, more, marks, &constants)
            : dpr_first_gaussian(x, n, narrow, words, more, marks, &constants);
  *end = 0;
  unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(&unfit, sizeof unfit);
  return unfit;
}

/* The first level of each law and type, over n numbers, a multiple of 32: the marks of what it
 * leaves undecided, and 1 where a number was out of range. Level 1 of the strings, `more`, is read
 * on fine grids only. A program has those of the laws that it names. */
DPPAIR_FN_ int dppair_gaussian_f64_TIER_(void *x, size_t n, const uint32_t *words,
                                         const uint32_t *more, uint32_t *marks,
                                         const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_GAUSSIAN_, 0, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_GAUSSIAN_, 0, words, more, marks, plan);
}

DPPAIR_FN_ int dppair_gaussian_f32_TIER_(void *x, size_t n, const uint32_t *words,
                                         const uint32_t *more, uint32_t *marks,
                                         const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_GAUSSIAN_, 1, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_GAUSSIAN_, 1, words, more, marks, plan);
}

DPPAIR_FN_ int dppair_laplace_f64_TIER_(void *x, size_t n, const uint32_t *words,
                                        const uint32_t *more, uint32_t *marks,
                                        const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_LAPLACE_, 0, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_LAPLACE_, 0, words, more, marks, plan);
}

DPPAIR_FN_ int dppair_laplace_f32_TIER_(void *x, size_t n, const uint32_t *words,
                                        const uint32_t *more, uint32_t *marks,
                                        const dppair_plan_ *plan) {
  return plan->coarse ? dpr_first_f32(x, n, DPPAIR_NOISE_LAPLACE_, 1, words, marks, plan)
                      : dpr_first_wide(x, n, DPPAIR_NOISE_LAPLACE_, 1, words, more, marks, plan);
}

/* ---- src/noise/kernels/second_level.h -------------------------------------------------------
 * The second level of coarse grids, over a batch: levels.h
 * ---------------------------------------------------------------------------------------------- */

/* Rounds rest + s z of the slots i to i + DPR_LANES / 2 - 1. */
DPPAIR_FORCE_INLINE_ void dpr_batch_round(dppair_batch_ *b, size_t i, int law,
                                          const dppair_plan_ *plan) {
  const DPR_D half = DPR_DSET(0.5), scale = DPR_DSET(plan->s);
  DPR_D tau, c, s, z, y, k, off;
  DPR_N open;
  if (law == DPPAIR_NOISE_LAPLACE_) {
    z = dpr_laplace_wide(DPR_ILOAD(b->u + i), &tau, &open);
  } else {
    z = dpr_radius_wide(DPR_ILOAD(b->u + i), &tau);
    open = dpr_tail_wide(DPR_ILOAD(b->u + i));
    dpr_circle_wide(&c, &s, DPR_ILOAD(b->t + i));
    z = DPR_DMUL(z, DPR_DSEL(DPR_DGE(DPR_DLOAD(b->sine + i), half), s, c));
  }
  y = DPR_DFMA(z, scale, DPR_DLOAD(b->rest + i));
  off = dpr_off(&k, y, DPR_DSET(DPPAIR_MAGIC_F64_));
  open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, scale, off), half));
  DPR_DSTORE(b->k + i, k);
  DPR_DSTORE(b->undecided + i, DPR_DSEL(open, DPR_DSET(1.0), DPR_DSET(0.0)));
}

DPPAIR_FN_ void dppair_second_gaussian_TIER_(dppair_batch_ *b, size_t slots,
                                             const dppair_plan_ *plan) {
  size_t i;
  for (i = 0; i < slots; i += DPR_LANES / 2) dpr_batch_round(b, i, DPPAIR_NOISE_GAUSSIAN_, plan);
}

DPPAIR_FN_ void dppair_second_laplace_TIER_(dppair_batch_ *b, size_t slots,
                                            const dppair_plan_ *plan) {
  size_t i;
  for (i = 0; i < slots; i += DPR_LANES / 2) dpr_batch_round(b, i, DPPAIR_NOISE_LAPLACE_, plan);
}

#ifdef DPPAIR_SIMULATION
/* ---- src/noise/kernels/fill.h ---------------------------------------------------------------
 * Raw samples of scale 1, times a scale
 *
 * For simulation.h; n is a multiple of 32. A first word of 0 is avoided by setting the last bit of
 * each string. Floats need it converted, which DPR_U2F of the 128-bit tier does not do.
 * ---------------------------------------------------------------------------------------------- */

#if DPR_LANES > 4
DPPAIR_FORCE_INLINE_ void dpr_fill_gaussian_f32(float *x, size_t n, const uint32_t *words,
                                                double scale) {
  const DPR_F by = DPR_FSET((float)scale);
  size_t i;
  for (i = 0; i < n; i += 2 * DPR_LANES) {
    DPR_I u, t;
    DPR_F e, c, s, r;
    DPR_EVEN_ODD(u, t, words + i);
    e = dpr_exponential_f32(DPR_IOR(u, DPR_ISET(1)));
    r = DPR_FMUL(DPR_FSQRT(DPR_FADD(e, e)), by);
    dpr_circle_f32(&c, &s, t);
    dpr_store_pairs(x, i, DPR_FMUL(r, c), DPR_FMUL(r, s));
  }
}

DPPAIR_FORCE_INLINE_ void dpr_fill_laplace_f32(float *x, size_t n, const uint32_t *words,
                                               double scale) {
  const DPR_F by = DPR_FSET((float)scale);
  size_t i;
  for (i = 0; i < n; i += DPR_LANES) {
    const DPR_I w = DPR_ILOAD(words + i), sign = DPR_IAND(w, DPR_ISET(0x80000000u));
    const DPR_F e = dpr_exponential_f32(DPR_IOR(DPR_ISHL(w, 1), DPR_ISET(1)));
    DPR_FSTORE(x + i, DPR_FLOAT(DPR_IXOR(DPR_FINT(DPR_FMUL(e, by)), sign)));
  }
}
#endif

DPPAIR_FORCE_INLINE_ void dpr_fill_gaussian(double *x, size_t n, const uint32_t *words,
                                            const uint32_t *more, double scale) {
  const DPR_D by = DPR_DSET(scale);
  size_t i, h;
  for (i = 0; i < n; i += 16)
    for (h = 0; h < 16; h += DPR_LANES) {
      DPR_Q t;
      const DPR_Q u = dpr_string_pairs(&t, words + i + h, more + i + h);
      DPR_D c, s, e, r;
      e = dpr_exponential_wide(DPR_QOR(u, DPR_QSET(1)), &r);
      r = DPR_DMUL(DPR_DSQRT(DPR_DADD(e, e)), by);
      dpr_circle_wide(&c, &s, t);
      DPR_DSTORE(x + i + h / 2, DPR_DMUL(r, c));
      DPR_DSTORE(x + i + 8 + h / 2, DPR_DMUL(r, s));
    }
}

/* The other laws in double take one string a number. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_fill_one(DPR_Q w, DPR_D by, int law) {
  const DPR_Q sign = DPR_QAND(w, DPR_QSET(UINT64_C(0x8000000000000000)));
  DPR_D unused, v;
  switch (law) {
  case DPPAIR_FILL_LAPLACE_:
    v = dpr_exponential_wide(DPR_QOR(DPR_QSHL(w, 1), DPR_QSET(1)), &unused);
    return DPR_DMUL(DPR_DOUBLE(DPR_QXOR(DPR_DINT(v), sign)), by);
  case DPPAIR_FILL_EXPONENTIAL_:
    return DPR_DMUL(dpr_exponential_wide(DPR_QOR(w, DPR_QSET(1)), &unused), by);
  case DPPAIR_FILL_UNIFORM_:
    v = DPR_DADD(DPR_Q2D(DPR_QSHR(w, 12)), DPR_DSET(0.5));
    return DPR_DMUL(DPR_DMUL(v, DPR_DSET(DPPAIR_EXP2M_(52))), by);
  default: /* Rademacher */
    return DPR_DOUBLE(DPR_QOR(DPR_DINT(by), sign));
  }
}

/* Samples for n / 32 * 32 numbers; returns how many were made. The law is a constant at each call,
 * so that each loop has no branch. */
DPPAIR_FN_ size_t dppair_fill_TIER_(void *x, size_t n, int narrow, const uint32_t *words,
                                    const uint32_t *more, double scale, int law) {
  const DPR_D by = DPR_DSET(scale);
  size_t i;
  n = n / 32 * 32;
#define DPR_FILL(law)                                                                              \
  for (i = 0; i < n; i += DPR_LANES / 2)                                                           \
  DPR_DSTORE((double *)x + i, dpr_fill_one(dpr_strings(words + i, more + i), by, law))
#if DPR_LANES > 4
  if (narrow && law == DPPAIR_FILL_GAUSSIAN_) {
    dpr_fill_gaussian_f32((float *)x, n, words, scale);
  } else if (narrow) {
    dpr_fill_laplace_f32((float *)x, n, words, scale);
  } else
#endif
  if (narrow) {
    n = 0;
  } else if (law == DPPAIR_FILL_GAUSSIAN_) {
    dpr_fill_gaussian((double *)x, n, words, more, scale);
  } else if (law == DPPAIR_FILL_LAPLACE_) {
    DPR_FILL(DPPAIR_FILL_LAPLACE_);
  } else if (law == DPPAIR_FILL_EXPONENTIAL_) {
    DPR_FILL(DPPAIR_FILL_EXPONENTIAL_);
  } else if (law == DPPAIR_FILL_UNIFORM_) {
    DPR_FILL(DPPAIR_FILL_UNIFORM_);
  } else {
    DPR_FILL(DPPAIR_FILL_RADEMACHER_);
  }
  return n;
}
#endif
#endif

/* ---- src/noise/kernels/end.h ----------------------------------------------------------------
 * The names of this tier end here
 * ---------------------------------------------------------------------------------------------- */

#undef DPR_AES
#undef DPR_AES_KEY
#undef DPR_AES_LAST
#undef DPR_AES_REVERSE
#undef DPR_BYTES
#undef DPR_D
#undef DPR_DADD
#undef DPR_DDIV
#undef DPR_DFMA
#undef DPR_DGE
#undef DPR_DINT
#undef DPR_DLOAD
#undef DPR_DLOADF
#undef DPR_DMUL
#undef DPR_DOUBLE
#undef DPR_DSEL
#undef DPR_DSET
#undef DPR_DSQRT
#undef DPR_DSTORE
#undef DPR_DSTOREF
#undef DPR_DSUB
#undef DPR_EVEN_ODD
#undef DPR_F
#undef DPR_FADD
#undef DPR_FFMA
#undef DPR_FGE
#undef DPR_FGT
#undef DPR_FILL
#undef DPR_FINT
#undef DPR_FLOAD
#undef DPR_FLOAT
#undef DPR_FMUL
#undef DPR_FN
#undef DPR_FOUR
#undef DPR_FROUND
#undef DPR_FSEL
#undef DPR_FSET
#undef DPR_FSQRT
#undef DPR_FSTORE
#undef DPR_FSUB
#undef DPR_GROUP
#undef DPR_HALF
#undef DPR_I
#undef DPR_I2F
#undef DPR_IADD
#undef DPR_IAND
#undef DPR_IGT
#undef DPR_ILOAD
#undef DPR_INIT
#undef DPR_IOR
#undef DPR_IROL
#undef DPR_ISET
#undef DPR_ISHL
#undef DPR_ISHR
#undef DPR_ISTORE
#undef DPR_IXOR
#undef DPR_LANES
#undef DPR_LAST
#undef DPR_LOW32
#undef DPR_M
#undef DPR_MIX
#undef DPR_MNONE
#undef DPR_MOR
#undef DPR_M_BITS
#undef DPR_N
#undef DPR_NEXT
#undef DPR_NOR
#undef DPR_N_BITS
#undef DPR_OPAQUE
#undef DPR_OUT
#undef DPR_PLUS
#undef DPR_Q
#undef DPR_Q2D
#undef DPR_QADD
#undef DPR_QAND
#undef DPR_QANDNOT
#undef DPR_QGT
#undef DPR_QOR
#undef DPR_QSET
#undef DPR_QSHL
#undef DPR_QSHR
#undef DPR_QSUB
#undef DPR_QUARTER
#undef DPR_QXOR
#undef DPR_ROUND
#undef DPR_STATE
#undef DPR_STORE_PARTS
#undef DPR_U2F
#undef DPR_UNPACK_HI32
#undef DPR_UNPACK_HI64
#undef DPR_UNPACK_LO32
#undef DPR_UNPACK_LO64
#undef DPR_UQ2D
#undef DPR_WIDEN
#undef dppair_chacha20_TIER_
#undef dppair_fill_TIER_
#undef dppair_gaussian_f32_TIER_
#undef dppair_gaussian_f64_TIER_
#undef dppair_laplace_f32_TIER_
#undef dppair_laplace_f64_TIER_
#undef dppair_second_gaussian_TIER_
#undef dppair_second_laplace_TIER_
#undef dppair_vaes_row_TIER_
#undef dpr_batch_round
#undef dpr_chacha20_rows
#undef dpr_chacha20_store
#undef dpr_circle_f32
#undef dpr_circle_wide
#undef dpr_constants
#undef dpr_constants_make
#undef dpr_exponential_f32
#undef dpr_exponential_wide
#undef dpr_fill_gaussian
#undef dpr_fill_gaussian_f32
#undef dpr_fill_laplace_f32
#undef dpr_fill_one
#undef dpr_first_f32
#undef dpr_first_gaussian
#undef dpr_first_laplace
#undef dpr_first_wide
#undef dpr_laplace_wide
#undef dpr_note
#undef dpr_off
#undef dpr_put
#undef dpr_radius_wide
#undef dpr_reach_gaussian
#undef dpr_reach_laplace
#undef dpr_round_f32
#undef dpr_round_f64
#undef dpr_round_wide
#undef dpr_store_pairs
#undef dpr_string_pairs
#undef dpr_strings
#undef dpr_tail_wide
#undef dpr_take
#undef dpr_unfit

#endif
#endif /* DPPAIR_DECLARE_ONLY */
