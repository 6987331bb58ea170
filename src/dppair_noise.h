/* SPDX-License-Identifier: MIT */
/*
 * dppair_noise.h - cryptographic random numbers and noise that is safe to release.
 *
 *   double g[8] = {...};                                 a clipped gradient, sensitivity known
 *   dppair_rng rng;
 *   if (dppair_rng_from_os(&rng) != DPPAIR_OK) ...       no entropy: an error, never a weak seed
 *   if (dppair_add_gaussian_f64(g, 8, sigma, &rng) != DPPAIR_OK) ...   on error g is all zero
 *   dppair_wipe(&rng, sizeof rng);
 *
 * FUNCTIONS
 *   generator   dppair_rng_from_os  _from_key  _from_key_aes256  _seek  _split  _set_erasure
 *               dppair_rng_bytes  _u64  _uniform_f64    dppair_rng_save  _restore    dppair_wipe
 *               dppair_noise_check: known answers, on every tier
 *   releases    dppair_add_gaussian_f64  _f32      Gaussian noise of standard deviation sigma
 *               dppair_add_laplace_f64   _f32      Laplace noise, density exp(-|z| / scale)
 *               dppair_add_l2ball_f64              density exp(-||z||_2 / scale), pure epsilon
 *               each with a twin ..._grid that takes the fineness of the output grid
 *   integers    dppair_discrete_gaussian  _laplace          exact, rational parameters
 *   choices     dppair_sample_poisson  _with_replacement  _without_replacement  _matching  _pairs
 *               dppair_shuffle                              exactly uniform
 *   simulation  dppair_fill_gaussian_f64  _f32  _laplace_f64  _f32  _exponential_f64  _uniform_f64
 *               _rademacher_f64  _sphere_f64  _gamma_f64    raw floating point: NOT for releases
 *
 * WHY ORDINARY NOISE IS NOT SAFE, AND WHAT IS DONE HERE
 *   Floating-point noise has a pattern of reachable values that depends on the number it was
 *   added to; the low bits of x + noise give x away (Mironov 2012; Haney et al. 2022). Here the
 *   release is
 *
 *       g * round((x + z) / g),      z the IDEAL real-valued noise, g a public power of two,
 *
 *   and it is computed exactly: never is a digit of it decided by a rounding error.
 *
 *   Construction. The ideal noise is a function of infinite strings of random bits, for a pair of
 *   Gaussians U and T, uniform in (0,1), by (z0, z1) = sigma sqrt(-2 ln U) (cos, sin)(2 pi T).
 *   The first words of each string are read and y~ = (x + z) / g is computed in floating point
 *   together with a proved bound tau on |y~ - y| that holds whatever the unread bits are. If y~
 *   is further than tau from every rounding boundary, round(y~) is round(y). Otherwise more bits
 *   OF THE SAME STRINGS are read and the work is repeated with wider numbers, until it is decided
 *   (Ziv's method of correct rounding, applied to a random variable).
 *
 *   Theorem. x + z with ideal z is the textbook mechanism on the number x. round(. / g) is a
 *   fixed function, so the release is post-processing of it; the program outputs exactly that
 *   variable, because each digit is output only when all completions of the bits agree on it. So
 *   the release has the textbook mechanism's guarantee at the textbook sensitivity: the total
 *   variation distance is 0 under a uniform key stream, x need not be rounded first, nothing is
 *   added for the grid. A grid of scale / 2^k costs utility only: it adds at most g^2 / 12 to the
 *   variance, less than 8.0e-8 of sigma^2 at the default k = 10.
 *
 *   Levels. Coarse grids (scale / g below 2^13): float with 32 bits of each string decides all but
 *   some numbers in a thousand; those go to double with 64 bits, which leaves one in 2^35 at k =
 *   10. Fine grids begin at double, which leaves about one in 2^(45 - k). The last level computes
 *   with integers of 128, then 256, then 384 bits; what even those left open (probability below
 *   2^-250) would be the error EXHAUSTED. Each tau is derived where it is used.
 *
 *   Consequences. The output is a mathematical function of (cipher, key, stream, position): the
 *   same bits on every machine, instruction set and compiler. -0 is never output. A tie has
 *   probability 0.
 *
 * ADDRESSES
 *   The key stream is a set of 64-byte blocks with a 128-bit address (stream, level, block). Word
 *   w of block b at levels 0, 1, 2, ... holds bits 0-31, 32-63, 64-95, ... of ONE infinite
 *   string. A call takes the next whole blocks, one for 16 samples. Gaussian: words 2j and 2j + 1
 *   are U and T of pair j; the cosine is sample j, the sine sample 8 + j. Laplace: word j belongs
 *   to sample j; the first bit is the sign, the rest U. So parts of an array that begin at a
 *   multiple of 16 can be given to threads: copy the generator, seek it (index / 16) blocks on.
 *
 * TIMING
 *   On the vector tiers no branch and no address depends on key or data, except on which numbers
 *   a level left open and on the range error (checked under valgrind). Which numbers those are is
 *   a function of the fraction of y, that is, nearly of the release itself. The second level of
 *   coarse grids runs in batches of a fixed size, filled up with dummies; more open numbers than
 *   slots have probability below 1e-15 per 4096 numbers. Numbers that reach the integers (2^-35
 *   each at k = 10, 2^-21 at k = 24) cost some microseconds that can be seen. The scalar tier,
 *   the l2 mechanism, keying and the exact integer laws make no claim about time, and the AVX-512
 *   tier is the same source as the AVX2 tier that is checked, not checked itself.
 *
 * LIMITS
 *   The floating-point environment rounds to nearest (the default of C), else every release is
 *   DPPAIR_ERR_ENVIRONMENT. scale in [2^-900,
 *   2^900], for float [2^-76, 2^76]; log2_ratio in [0, 40]. |x| must be below 2^51 g (with the
 *   default grid about 2^41 scale), else DPPAIR_ERR_OVERFLOW. That error and NOT_FINITE depend on
 *   x by this public rule: whoever bounds the sensitivity by clipping x can never meet them.
 *   Threads: no shared state; a generator belongs to one thread at a time. Memory: none from the
 *   heap, 64 KB of stack at most (measured with -O2; without optimisation up to 400 KB), and every
 *   public call leaves them zeroed where secrets stood, in optimised code; on x86-64 the vector
 *   registers too. Elsewhere, and of general registers, nothing is claimed: a linker that works at
 *   the first call of a function may put them on the stack (link with -z now).
 */
#ifndef DPPAIR_NOISE_KERNELS_
#ifndef DPPAIR_NOISE_H
#define DPPAIR_NOISE_H

#include "dppair.h"

#if defined(_WIN32)
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

#if DPPAIR_X86_
#include <cpuid.h>
#endif

#ifndef DPPAIR_NOISE_SELF
#define DPPAIR_NOISE_SELF "dppair_noise.h"
#endif
/* DPPAIR_ENTROPY(out, n), where the system has no source that is known here: an int, 0 when it has
 * filled uint8_t out[n] with n <= 256 bytes that nobody can guess. It takes the system's place. */

/* Marks what timing may tell; a check under valgrind redefines it. See TIMING above. */
#ifndef DPPAIR_DECLASSIFY_
#define DPPAIR_DECLASSIFY_(p, n) ((void)(p), (void)(n))
#endif

DPPAIR_FP_BEGIN_

#define DPPAIR_EXP2M_(n) (1.0 / (double)(UINT64_C(1) << (n))) /* 2^-n for n < 64 */

enum { DPPAIR_CHACHA20 = 1, DPPAIR_AES256 = 2 };

/* A key and a position in its stream; a plain struct that may be copied (the copy repeats the
 * stream). An all-zero or wiped generator is refused with DPPAIR_ERR_CIPHER. */
typedef struct dppair_rng {
  uint32_t key[60];   /* 256 bits; AES keeps its key schedule, which begins with the key, here */
  uint64_t stream;    /* high half of the address */
  uint64_t block;     /* the next unused 64-byte block */
  int64_t owner;      /* the process that keyed it from the system, 0 for given keys */
  uint32_t cipher;    /* DPPAIR_CHACHA20 or DPPAIR_AES256 */
  uint32_t erase;     /* 1: the key is replaced after every call */
  uint32_t used;      /* bytes of `buffer` already given out */
  uint8_t buffer[64]; /* the last block taken, for small requests */
} dppair_rng;

#define DPPAIR_ROW_MAX_ 256       /* blocks of one row of key stream, units of one gathering */
#define DPPAIR_NOISE_LEVELS_ 200u /* levels that carry bits of noise strings */

#include "noise/wipe.h"

#include "noise/cipher.h"

#include "noise/strings.h"

#include "noise/fixed_point.h"

#include "noise/last_level.h"

#include "noise/double_level.h"

#include "noise/release_plan.h"

#include "noise/aes_instructions.h"

/* The kernels, once per vector tier: the list at the end of this file. */
#include "noise/kernels/each_tier.h"

#include "noise/key_rows.h"

#include "noise/generator.h"

#include "noise/releases.h"

#include "noise/l2ball.h"

#include "noise/self_check.h"

#include "noise/discrete.h"

#include "noise/choices.h"

#include "noise/simulation.h"

DPPAIR_FP_END_

#endif /* DPPAIR_NOISE_H */

#else /* DPPAIR_NOISE_KERNELS_: the kernels of one tier, DPPAIR_TIER_ */

#include "noise/kernels/names.h"

#if DPPAIR_TIER_ == 1
#include "noise/kernels/simd128.h"
#elif DPPAIR_TIER_ == 2
#include "noise/kernels/avx2.h"
#else
#include "noise/kernels/avx512.h"
#endif

#include "noise/kernels/chacha20.h"

#if DPR_NOISE
#include "noise/kernels/float_level.h"

#include "noise/kernels/double_level.h"

#include "noise/kernels/rounding.h"

#include "noise/kernels/first_level.h"

#include "noise/kernels/second_level.h"

#include "noise/kernels/fill.h"
#endif

#include "noise/kernels/end.h"

#endif
