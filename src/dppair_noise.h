/* SPDX-License-Identifier: MIT */
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

#include "core/freestanding.h"

#include "core/core.h"

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
#include "simd/intrinsics.h"

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

#include "noise/wipe.h"

#include "noise/cipher.h"

#include "noise/strings.h"

#undef DPPAIR_QUICK_SMALL_ /* it runs once in 2^20 numbers */
#define DPPAIR_QUICK_SMALL_ 1
#include "core/quick.h"
#include "noise/fixed_point.h"

#include "noise/last_level.h"

#include "core/quick_end.h"
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0

#include "noise/double_level.h"

#include "noise/release_plan.h"

#include "noise/aes_instructions.h"

#include "noise/kernels/each_tier.h"

#include "noise/key_rows.h"

#include "noise/levels.h"

#include "noise/generator.h"

#include "core/quick.h"
#include "noise/saved_state.h"
#include "core/quick_end.h"

#include "noise/random_bytes.h"

#include "noise/releases.h"

#include "core/quick.h"
#include "noise/trial.h"
#include "core/quick_end.h"

#include "noise/add.h"

#include "noise/discrete.h"

#include "noise/draw.h"

#include "core/quick.h"
#include "noise/self_check.h"
#include "core/quick_end.h"

#ifdef DPPAIR_SIMULATION
#include "noise/simulation.h"
#endif

DPPAIR_FP_END_

#define DPPAIR_HAS_NOISE_ /* with the accountant there too, in either order: the releases */
#ifdef DPPAIR_H
#define DPPAIR_CORE_ONLY_
#include DPPAIR_SELF
#undef DPPAIR_CORE_ONLY_
#endif

#include "core/freestanding_end.h"

#endif /* DPPAIR_NOISE_H */

#else /* DPPAIR_NOISE_KERNELS_: the kernels of one tier, DPPAIR_TIER_ */

#include "noise/kernels/names.h"

#include "noise/kernels/registers.h"

#if DPPAIR_TIER_ == 1
#include "noise/kernels/simd128.h"
#elif DPPAIR_TIER_ == 2
#include "noise/kernels/avx2.h"
#else
#include "noise/kernels/avx512.h"
#endif

#include "noise/kernels/chacha20.h"

#if DPPAIR_TIER_ > 1
#include "noise/kernels/vaes.h"
#endif

#if DPPAIR_TIER_ > 1 || DPPAIR_NOISE_SIMD128_
#include "noise/kernels/float_level.h"

#include "noise/kernels/double_level.h"

#include "noise/kernels/rounding.h"

#include "noise/kernels/first_level.h"

#include "noise/kernels/second_level.h"

#ifdef DPPAIR_SIMULATION
#include "noise/kernels/fill.h"
#endif
#endif

#include "noise/kernels/end.h"

#endif
#endif /* DPPAIR_DECLARE_ONLY */
