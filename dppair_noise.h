/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
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
/*
 * CHAPTERS, each with its first line here; written in src/, see src/README.md
 *
 *    182  noise/wipe.h                       Overwrites n bytes with zeros
 *    279  noise/cipher.h                     Key streams, portable: one 64-byte block at a time
 *    495  noise/strings.h                    One infinite string of bits
 *    537  noise/fixed_point.h                The last level
 *    763  noise/last_level.h                 Encloses e = -ln U
 *    928  noise/double_level.h               The double level. u = 2^-53
 *   1021  noise/release_plan.h               One release
 *   1194  noise/aes_instructions.h           Key streams, wide
 *   1300  noise/kernels/each_tier.h          
 *   1323  noise/key_rows.h                   ChaCha20 blocks at any positions
 *   1392  noise/generator.h                  The generator
 *   1811  noise/releases.h                   Releases
 *   1986  noise/l2ball.h                     The l2 mechanism
 *   2216  noise/self_check.h                 Known answers
 *   2360  noise/discrete.h                   Exact integers
 *   2602  noise/choices.h                    Which records
 *   2750  noise/simulation.h                 Raw samples
 *   2945  noise/kernels/names.h              
 *   2978  noise/kernels/simd128.h            
 *   2994  noise/kernels/avx2.h               64-bit integers by their halves
 *   3107  noise/kernels/avx512.h             gcc 12 has these two as macros whose own casts trip...
 *   3211  noise/kernels/chacha20.h           ChaCha20
 *   3318  noise/kernels/float_level.h        The float level. u = 2^-24
 *   3368  noise/kernels/double_level.h       The double level. u = 2^-53
 *   3458  noise/kernels/rounding.h           Rounding and storing
 *   3579  noise/kernels/first_level.h        First level of coarse grids
 *   3715  noise/kernels/second_level.h       Second level of coarse grids
 *   3831  noise/kernels/fill.h               Raw samples for n / 32 * 32 numbers
 *   3901  noise/kernels/end.h                
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

/* ---- src/noise/wipe.h ----------------------------------------------------------------------- */
/* Overwrites n bytes with zeros; the compiler may not leave it out. */
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

/*
 * What a call leaves on the stack: keys, round keys that the compiler spilled, key stream,
 * fractions of un-noised numbers. Wiping arrays one by one misses what the compiler placed by
 * itself; so every public function gives the work to one that is not inlined, and wipes the stack
 * where that stood.
 */
#define DPPAIR_STACK_SMALL_ 8192u  /* more than one block of key stream or one key takes */
#define DPPAIR_STACK_LARGE_ 65536u /* more than a release takes */

/*
 * Vector registers keep secrets too, and a linker that works at the first call of a function puts
 * them on the stack. On x86-64 they are zeroed: 32 of 64 bytes, or 16 of what there is, whichever
 * tier runs, for the C library's memcpy uses them as well. (Not the upper 16 with gcc on Windows,
 * where the DPPAIR_MAX_TIER above is 2 for a reason.) Elsewhere they stay as they are.
 */
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
  if (__builtin_cpu_supports("avx512f")) dppair_clear_upper_();
#endif
  if (__builtin_cpu_supports("avx")) {
    dppair_clear_avx_();
    return;
  }
  __asm__ __volatile__(
      DPPAIR_PXOR_("0") DPPAIR_PXOR_("1") DPPAIR_PXOR_("2") DPPAIR_PXOR_("3") DPPAIR_PXOR_("4")
          DPPAIR_PXOR_("5") DPPAIR_PXOR_("6") DPPAIR_PXOR_("7") DPPAIR_PXOR_("8") DPPAIR_PXOR_("9")
              DPPAIR_PXOR_("10") DPPAIR_PXOR_("11") DPPAIR_PXOR_("12") DPPAIR_PXOR_("13")
                  DPPAIR_PXOR_("14") DPPAIR_PXOR_("15")
      :
      :
      : DPPAIR_XMM_);
}
#undef DPPAIR_PXOR_
#undef DPPAIR_ZERO4_
#undef DPPAIR_ZERO_
#undef DPPAIR_XMM_
#else
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {}
#endif

/* Zeroes `depth` bytes of stack below its caller's frame. */
DPPAIR_OUT_OF_LINE_ void dppair_burn_frame_(size_t depth) {
  unsigned char stack[DPPAIR_STACK_LARGE_];
  dppair_wipe(stack + sizeof stack - depth, depth); /* the end lies next to the caller */
}

/* The registers, then the stack, since the first call of memset may save registers there. General
 * ones before all others: a function may push what it finds, to align its frame. */
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
 * Key streams, portable: one 64-byte block at a time
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API uint32_t dppair_load32_(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

DPPAIR_API void dppair_store32_(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
  p[2] = (uint8_t)(v >> 16);
  p[3] = (uint8_t)(v >> 24);
}

DPPAIR_API uint32_t dppair_rotl_(uint32_t v, unsigned r) { return v << r | v >> (32u - r); }

DPPAIR_API void dppair_quarter_round_(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  *a += *b, *d = dppair_rotl_(*d ^ *a, 16);
  *c += *d, *b = dppair_rotl_(*b ^ *c, 12);
  *a += *b, *d = dppair_rotl_(*d ^ *a, 8);
  *c += *d, *b = dppair_rotl_(*b ^ *c, 7);
}

/* The ChaCha20 block function (RFC 8439, section 2.3): 16 little-endian words from a key of 8 words
 * and the 4 words of counter and nonce. */
DPPAIR_API void dppair_chacha20_block_(uint32_t out[16], const uint32_t key[8],
                                       const uint32_t address[4]) {
  uint32_t s[16], x[16];
  unsigned i;
  s[0] = 0x61707865u, s[1] = 0x3320646eu, s[2] = 0x79622d32u, s[3] = 0x6b206574u;
  for (i = 0; i < 8; i++) s[4 + i] = key[i];
  for (i = 0; i < 4; i++) s[12 + i] = address[i];
  for (i = 0; i < 16; i++) x[i] = s[i];
  for (i = 0; i < 10; i++) {
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

#if DPPAIR_X86_ && DPPAIR_MAX_TIER >= 1
#define DPPAIR_HAVE_AESNI_ 1
#else
#define DPPAIR_HAVE_AESNI_ 0
#endif

/* How AES runs at a tier on this machine: 0 in software, 1 by AES instructions, 2 four blocks wide.
 * The processor is asked once, since that can cost a microsecond on a virtual machine; the word in
 * which its answer is kept always gets the same value. */
DPPAIR_API int dppair_aes_kind_(int tier) {
#if DPPAIR_HAVE_AESNI_
  static int cached;
  int kind = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (kind == 0) {
    unsigned a, b, c, d;
    kind = 1;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c >> 25 & 1u) && (c >> 9 & 1u)) kind = 2;
    if (kind == 2 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c >> 9 & 1u)) kind = 3;
    __atomic_store_n(&cached, kind, __ATOMIC_RELAXED);
  }
  if (tier < DPPAIR_TIER_SIMD128) return 0;
  return kind == 3 && tier < DPPAIR_TIER_AVX512 ? 1 : kind - 1;
#else
  (void)tier;
  return 0;
#endif
}

/*
 * AES-256 without tables and without branches on secrets: four blocks of 16 bytes at a time. The
 * substitution works on eight words of 64 bits, word b holding bit b of all 64 bytes. x^-1 = x^254
 * in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, then FIPS 197's affine map.
 */
DPPAIR_API void dppair_gf_mul_(uint64_t r[8], const uint64_t a[8], const uint64_t b[8]) {
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

DPPAIR_API void dppair_aes_substitute_(uint8_t bytes[64]) {
  uint64_t x[8], power[8], odd[8], y[8];
  unsigned b, n;
  memset(x, 0, sizeof x);
  for (n = 0; n < 64; n++)
    for (b = 0; b < 8; b++) x[b] |= (uint64_t)((unsigned)bytes[n] >> b & 1u) << n;
  dppair_gf_mul_(power, x, x); /* x^2, x^4, ..., x^128 multiplied up to x^254 */
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

DPPAIR_API uint8_t dppair_aes_double_(uint8_t a) {
  return (uint8_t)(a << 1 ^ (0x1b & (0 - (a >> 7))));
}

/* Encrypts four 16-byte blocks in place with a schedule of 15 round keys. */
DPPAIR_API void dppair_aes256_encrypt4_(uint8_t s[64], const uint32_t schedule[60]) {
  uint8_t t[64];
  unsigned round, n, w;
  for (round = 0; round <= 14; round++) {
    if (round > 0) {
      dppair_aes_substitute_(s);
      for (n = 0; n < 64; n++) /* rows move left by their number; columns are 4 bytes */
        t[n] = s[(n & 0x30u) | ((n + 4u * (n & 3u)) & 0x0fu)];
      memcpy(s, t, 64);
    }
    if (round > 0 && round < 14)
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

/* The substitution of one word of the key schedule. */
#if DPPAIR_HAVE_AESNI_
DPPAIR_TARGET_BEGIN_("aes")
DPPAIR_API uint32_t
dppair_aesni_subword_(uint32_t w) { /* equal columns: the row shift is no change */
  return (uint32_t)_mm_cvtsi128_si32(
      _mm_aesenclast_si128(_mm_set1_epi32((int32_t)w), _mm_setzero_si128()));
}
DPPAIR_TARGET_END_
#endif

DPPAIR_API uint32_t dppair_aes_subword_(uint32_t w) {
  uint8_t bytes[64];
#if DPPAIR_HAVE_AESNI_
  if (dppair_aes_kind_(dppair_tier()) > 0) return dppair_aesni_subword_(w);
#endif
  memset(bytes, 0, sizeof bytes);
  dppair_store32_(bytes, w);
  dppair_aes_substitute_(bytes);
  return dppair_load32_(bytes);
}

/* FIPS 197's key expansion; the first 8 words are the key. */
DPPAIR_API void dppair_aes256_schedule_(uint32_t w[60]) {
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

/* The low half of the 128-bit address of a block; the high half is the stream. ChaCha20 takes it as
 * its counter words, AES as the upper bits of a big-endian counter of 16-byte units, four a block.
 */
DPPAIR_API uint64_t dppair_address_(unsigned level, uint64_t block) {
  return (uint64_t)level << 56 | block;
}

/* Block `block` of level `level`, as 16 little-endian words. */
DPPAIR_API void dppair_keystream_(uint32_t out[16], const dppair_rng *rng, unsigned level,
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

/* Rows and units of key stream by the widest instructions of a tier; they follow further down. */
DPPAIR_API void dppair_keystream_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                      uint64_t block, size_t count, int tier);
DPPAIR_API void dppair_keystream_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *units, size_t count, int tier);

/* ---- src/noise/strings.h -------------------------------------------------------------------- */
enum { DPPAIR_NOISE_GAUSSIAN_ = 0, DPPAIR_NOISE_LAPLACE_ = 1 };

/* One infinite string of bits: word `lane` of block `block` at levels 0, 1, 2, ... */
typedef struct dppair_string_ {
  const dppair_rng *rng;
  uint64_t block;
  unsigned lane;
} dppair_string_;

DPPAIR_API uint32_t dppair_string_word_(const dppair_string_ *s, unsigned level) {
  uint32_t words[16];
  dppair_keystream_row_(words, s->rng, level, s->block, 1, dppair_tier());
  return words[s->lane];
}

/* Reads the first three words of a string; the third only when a long run of equal bits needs it.
 */
DPPAIR_API void dppair_string_read_(uint32_t w[3], const dppair_string_ *s, uint32_t w0,
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

/* The strings of sample i < 16 of a block. Gaussian: pair i mod 8, cosine below 8, sine from 8 on.
 */
DPPAIR_API void dppair_strings_(dppair_string_ *u, dppair_string_ *t, const dppair_rng *rng,
                                uint64_t block, unsigned i, int law) {
  u->rng = t->rng = rng;
  u->block = t->block = block;
  u->lane = law == DPPAIR_NOISE_LAPLACE_ ? i : 2 * (i % 8);
  t->lane = u->lane | 1u;
}

/* ---- src/noise/fixed_point.h ----------------------------------------------------------------
 * The last level: fixed-point numbers of 32 `places` fractional bits and 64 bits before the point,
 * held in 32-bit words, least significant first. All are non-negative; every operation rounds down
 * by less than one unit of the last place ("ulp", 2^-(32 places)). It runs about once in 2^20
 * samples.
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

/* ln 2 and 2 pi: the word before the point and twelve after it, rounded down. */
DPPAIR_UNUSED_ static const uint32_t dppair_ln2_words_[13] = {
    0u,          0xb17217f7u, 0xd1cf79abu, 0xc9e3b398u, 0x03f2f6afu, 0x40f34326u, 0x7298b62du,
    0x8a0d175bu, 0x8baafa2bu, 0xe7b87620u, 0x6debac98u, 0x559552fbu, 0x4afa1b10u};
DPPAIR_UNUSED_ static const uint32_t dppair_two_pi_words_[13] = {
    6u,          0x487ed511u, 0x0b4611a6u, 0x2633145cu, 0x06e0e689u, 0x48127044u, 0x533e63a0u,
    0x105df531u, 0xd89cd912u, 0x8a5043ccu, 0x71a026efu, 0x7ca8cd9eu, 0x69d218d9u};

/* A constant's word before the point and the first words after it, most significant first. */
DPPAIR_API void dppair_fix_constant_(dppair_fix_ *r, const uint32_t words[13], unsigned places) {
  unsigned i;
  memset(r, 0, sizeof *r);
  for (i = 0; i <= places; i++) r->w[places - i] = words[i];
}

DPPAIR_API void dppair_fix_add_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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
DPPAIR_API int dppair_fix_sub_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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
DPPAIR_API void dppair_fix_up_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                               unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  dppair_fix_add_(r, a, &e, places);
}

DPPAIR_API void dppair_fix_down_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps,
                                 unsigned places) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  if (dppair_fix_sub_(r, a, &e, places)) memset(r, 0, sizeof *r);
}

DPPAIR_API void dppair_fix_mul_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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
DPPAIR_API void dppair_fix_scale_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
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
DPPAIR_API int dppair_fix_shrink_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m,
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

DPPAIR_API void dppair_fix_shift_in_(dppair_fix_ *a, unsigned bits, uint32_t in, unsigned places) {
  uint32_t carry = in;
  unsigned i;
  for (i = 0; i < places + 2; i++) {
    uint32_t next = a->w[i] >> (32 - bits);
    a->w[i] = a->w[i] << bits | carry;
    carry = next;
  }
}

/* r = a / b, digit by digit; b > 0 and the quotient below 2^64. */
DPPAIR_API void dppair_fix_div_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
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

/* r = sqrt(a), digit by digit. */
DPPAIR_API void dppair_fix_sqrt_(dppair_fix_ *r, const dppair_fix_ *a, unsigned places) {
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

/* r = x for a finite x >= 0 below 2^63, rounded down; returns 1 when digits were cut off. */
DPPAIR_API int dppair_fix_from_f64_(dppair_fix_ *r, double x, unsigned places) {
  int exponent, shift;
  uint64_t digits, rest;
  unsigned i;
  memset(r, 0, sizeof *r);
  if (!(x > 0.0)) return 0;
  digits = (uint64_t)ldexp(frexp(x, &exponent), 53);
  shift = exponent - 53 + (int)(32 * places); /* x = digits 2^(shift - 32 places) */
  if (shift <= -53) return 1;
  if (shift < 0) {
    rest = digits & ((UINT64_C(1) << -shift) - 1);
    digits >>= -shift;
    shift = 0;
  } else {
    rest = 0;
  }
  for (i = 0; i < 64; i++) /* bit by bit: this is the rarest of paths */
    if (digits >> i & 1)
      r->w[(unsigned)(shift + (int)i) / 32] |= 1u << (unsigned)(shift + (int)i) % 32;
  return rest != 0;
}

/* Encloses r = a b. */
DPPAIR_API void dppair_range_mul_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned places) {
  dppair_fix_mul_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_mul_(&r->hi, &a->hi, &b->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* Encloses r = a + b. */
DPPAIR_API void dppair_range_add_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned places) {
  dppair_fix_add_(&r->lo, &a->lo, &b->lo, places);
  dppair_fix_add_(&r->hi, &a->hi, &b->hi, places);
}

/* Encloses r = a / b; b->lo > 0. */
DPPAIR_API void dppair_range_div_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned places) {
  dppair_range_ q;
  dppair_fix_div_(&q.lo, &a->lo, &b->hi, places);
  dppair_fix_div_(&q.hi, &a->hi, &b->lo, places);
  dppair_fix_up_(&q.hi, &q.hi, 1, places);
  *r = q;
}

/* Encloses r = sqrt(a). */
DPPAIR_API void dppair_range_sqrt_(dppair_range_ *r, const dppair_range_ *a, unsigned places) {
  dppair_fix_sqrt_(&r->lo, &a->lo, places);
  dppair_fix_sqrt_(&r->hi, &a->hi, places);
  dppair_fix_up_(&r->hi, &r->hi, 1, places);
}

/* ---- src/noise/last_level.h ----------------------------------------------------------------- */
/*
 * Encloses e = -ln U, where U is the string after its first `skip` (0 or 1) bits.
 *
 * With m the position of U's first 1 bit and v = 2^m U in [1, 2), e = m ln 2 - ln v; above
 * v = 1.414 the form (m-1) ln 2 + ln(2/v) is used, so that nothing cancels near U = 1. The
 * logarithm is 2 artanh(a/b) with a/b = (v-1)/(v+1) or (2-v)/(2+v), at most 0.172. Error in ulps: v
 * is known to less than one; a/b is off by 2, its square by 2, each power by at most 3, each of at
 * most 80 terms by 3/(2j+1) + 1, the cut-off tail by 1: in all below 100, doubled below 200; m ln 2
 * is off by less than m. So 256 + m encloses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_exponential_exact_(dppair_range_ *e,
                                                                     const dppair_string_ *s,
                                                                     unsigned skip,
                                                                     unsigned places) {
  dppair_fix_ fraction, one, top, bottom, square, power, term, sum, big;
  uint32_t word, next;
  unsigned level = 0, zeros = 0, m, j;
  int past;
  word = dppair_string_word_(s, 0) & (0xffffffffu >> skip);
  while (word == 0) {
    if (++level >= DPPAIR_NOISE_LEVELS_ - places - 1) return DPPAIR_ERR_EXHAUSTED;
    word = dppair_string_word_(s, level);
  }
  while ((word >> (31 - zeros) & 1u) == 0) zeros++;
  m = 32 * level + zeros + 1 - skip;
  memset(&fraction, 0, sizeof fraction);
  for (j = 0; j < places; j++) {
    next = dppair_string_word_(s, level + j + 1);
    fraction.w[places - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
    word = next;
  }
  past = fraction.w[places - 1] >= 0x6a000000u;
  memset(&one, 0, sizeof one);
  one.w[places] = 1;
  bottom = fraction;
  bottom.w[places] = past ? 3 : 2;
  top = fraction;
  if (past) (void)dppair_fix_sub_(&top, &one, &fraction, places);
  dppair_fix_div_(&power, &top, &bottom, places);
  dppair_fix_mul_(&square, &power, &power, places);
  memset(&sum, 0, sizeof sum);
  for (j = 1; !dppair_fix_shrink_(&term, &power, j, places); j += 2) {
    dppair_fix_add_(&sum, &sum, &term, places);
    dppair_fix_mul_(&power, &power, &square, places);
  }
  dppair_fix_add_(&sum, &sum, &sum, places);
  dppair_fix_constant_(&big, dppair_ln2_words_, places);
  dppair_fix_scale_(&big, &big, past ? m - 1 : m, places);
  if (past) {
    dppair_fix_add_(&sum, &big, &sum, places);
  } else {
    (void)dppair_fix_sub_(&sum, &big, &sum, places);
  }
  dppair_fix_down_(&e->lo, &sum, 256 + m, places);
  dppair_fix_up_(&e->hi, &sum, 256 + m, places);
  return DPPAIR_OK;
}

/*
 * Encloses |cos(2 pi T)|, or |sin(2 pi T)| when `sine`, and returns 1 when it is negative.
 *
 * T = q/4 + t with |t| <= 1/8; the quadrant q chooses the function and its sign, and theta = 2 pi
 * |t| <= pi/4 goes into the Taylor series. Error in ulps: t by 1, theta by 9 in all, theta^2 by 16,
 * each power by less than 20, each of at most 50 terms likewise: 1024 encloses it.
 */
DPPAIR_API int dppair_cosine_exact_(dppair_range_ *c, const dppair_string_ *s, unsigned sine,
                                    unsigned places) {
  dppair_fix_ t, eighth, square, term, sum;
  unsigned j, quadrant, function;
  memset(&t, 0, sizeof t);
  memset(&eighth, 0, sizeof eighth);
  for (j = 0; j < places; j++) t.w[places - 1 - j] = dppair_string_word_(s, j);
  eighth.w[places - 1] = 0x20000000u;
  dppair_fix_add_(&t, &t, &eighth, places);
  quadrant = t.w[places - 1] >> 30;
  t.w[places - 1] &= 0x3fffffffu;
  t.w[places] = 0;
  function = (quadrant + 3 * sine) & 3; /* cos, -sin, -cos, sin of the rest */
  if (dppair_fix_sub_(&t, &t, &eighth,
                      places)) { /* the rest is negative: take its absolute value */
    dppair_fix_ zero;
    memset(&zero, 0, sizeof zero);
    (void)dppair_fix_sub_(&t, &zero, &t, places);
    if (function & 1) function ^= 2;
  }
  dppair_fix_constant_(&sum, dppair_two_pi_words_, places);
  dppair_fix_mul_(&t, &t, &sum, places);
  dppair_fix_mul_(&square, &t, &t, places);
  memset(&sum, 0, sizeof sum);
  if (function & 1) {
    term = t;
    j = 2;
  } else {
    memset(&term, 0, sizeof term);
    term.w[places] = 1;
    j = 1;
  }
  for (;;) { /* term = theta^(j-1) / (j-1)!, signs alternate, partial sums stay positive */
    dppair_fix_add_(&sum, &sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
    (void)dppair_fix_sub_(&sum, &sum, &term, places);
    dppair_fix_mul_(&term, &term, &square, places);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), places)) break;
    j += 2;
  }
  dppair_fix_down_(&c->lo, &sum, 1024, places);
  dppair_fix_up_(&c->hi, &sum, 1024, places);
  return function == 1 || function == 2;
}

/* Encloses |z| of a standard Gaussian from its strings; returns its sign through *negative. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_exact_(dppair_range_ *z, int *negative,
                                                                  const dppair_string_ *u,
                                                                  const dppair_string_ *t,
                                                                  unsigned sine, unsigned places) {
  dppair_range_ c;
  dppair_status status = dppair_exponential_exact_(z, u, 0, places);
  if (status != DPPAIR_OK) return status;
  dppair_range_add_(z, z, z, places);
  dppair_range_sqrt_(z, z, places);
  *negative = dppair_cosine_exact_(&c, t, sine, places);
  dppair_range_mul_(z, z, &c, places);
  return DPPAIR_OK;
}

/*
 * round(rest +- s z) for |rest| <= 1/2 and an enclosed z >= 0: 1 and *out when both ends agree,
 * 0 when more bits are needed. round(y) = floor(y + 1/2), and a number's words before the point are
 * its floor modulo 2^64, which two's complement reads back.
 */
DPPAIR_API int dppair_round_exact_(double *out, double rest, double s, const dppair_range_ *z,
                                   int negative, unsigned places) {
  dppair_range_ y, p;
  dppair_fix_ half;
  uint64_t lo, hi;
  unsigned cut;
  (void)dppair_fix_from_f64_(&y.lo, s,
                             places); /* exact: the last place divides the last bit of s >= 1 */
  y.hi = y.lo;
  dppair_range_mul_(&y, &y, z, places);
  cut = (unsigned)dppair_fix_from_f64_(&p.lo, fabs(rest), places);
  memset(&half, 0, sizeof half);
  half.w[places - 1] = 0x80000000u;
  if (rest < 0.0) {
    (void)dppair_fix_sub_(&p.lo, &half, &p.lo, places);
  } else {
    dppair_fix_add_(&p.lo, &half, &p.lo, places);
  }
  dppair_fix_up_(&p.hi, &p.lo, cut, places);
  dppair_fix_down_(&p.lo, &p.lo, cut, places);
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

/* ---- src/noise/double_level.h ---------------------------------------------------------------
 * The double level. u = 2^-53.
 * ---------------------------------------------------------------------------------------------- */

/*
 * -ln U from the first 96 bits of its string (at least 95 of them read), or -1 when those do not
 * suffice.
 *
 * U = v 2^k with v in [0.707, 1.414]; f = v - 1 is exact apart from one conversion, and near U = 1
 * it is taken from the distance 1 - U itself, so that it keeps its leading digits. Then
 * ln v = 2 artanh(f / (2 + f)) by its series to the 25th power (|argument| <= 0.1716, tail 2^-64).
 * Error, unread bits apart: relative 4u when k = 0, else absolute 4u (1 + |ln U|).
 * The unread bits move U by at most 2^-63 and v by a factor of at most 1 + 2^-46.
 */
DPPAIR_API double dppair_exponential_f64_(const uint32_t w[3]) {
  static const double c[12] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                               2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
  const double ln2_hi = 0.6931471805598903, ln2_lo = 5.497923018708371e-14;
  uint64_t high = (uint64_t)w[0] << 32 | w[1], low = (uint64_t)w[1] << 32 | w[2];
  double v, f, r, r2, p;
  int k = 0, i;
  if (high >= UINT64_C(0xb504f333f9de6485)) {
    if (w[0] != 0xffffffffu) {
      f = (double)(0 - high) * -DPPAIR_EXP2M_(32) * DPPAIR_EXP2M_(32);
    } else {
      if (low == UINT64_MAX) return -1.0;
      f = (double)(0 - low) * -DPPAIR_EXP2M_(48) * DPPAIR_EXP2M_(48);
    }
  } else {
    if (w[0] == 0) return -1.0;
    while (high < UINT64_C(1) << 48) { /* a long run of zeros: fill up from the third word */
      high = high << 16 | low << 32 >> 48;
      low <<= 16;
      k -= 16;
    }
    v = frexp((double)high, &i);
    k += i - 64;
    if (v < 0.70710678118654752) {
      v *= 2.0;
      k -= 1;
    }
    f = v - 1.0;
  }
  r = f / (2.0 + f);
  r2 = r * r;
  p = c[11];
  for (i = 11; i-- > 0;) p = p * r2 + c[i];
  p = 2.0 * r + r * r2 * p;
  return k == 0 ? -p : -((double)k * ln2_hi + ((double)k * ln2_lo + p));
}

/* cos and sin of 2 pi T from 64 bits of T, each within 3u: T = q/4 + t, |t| <= 1/8, and the Taylor
 * series of theta = 2 pi t, |theta| <= 0.7854, to theta^18 and theta^17 (tails below 2^-60). */
DPPAIR_API void dppair_circle_f64_(double *cosine, double *sine, uint64_t bits) {
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
  theta =
      (double)((int64_t)(moved & (UINT64_MAX >> 2)) - (INT64_C(1) << 61)) * 3.4061215800865545e-19;
  t2 = theta * theta;
  for (i = 8; i-- > 0;) a = a * t2 + c[i];
  for (i = 7; i-- > 0;) b = b * t2 + s[i];
  a = 1.0 + t2 * a;
  b = theta + theta * t2 * b;
  *cosine = quadrant == 0 ? a : quadrant == 1 ? -b : quadrant == 2 ? -a : b;
  *sine = quadrant == 0 ? b : quadrant == 1 ? a : quadrant == 2 ? -b : -a;
}

/* round(y) when no completion can disagree: |y - round(y)| < 1/2 - tau; else 0 is returned. */
DPPAIR_API int dppair_round_certain_(double *out, double y, double tau) {
  double k = rint(y);
  *out = k;
  return fabs(y - k) < 0.5 - tau;
}

/* ---- src/noise/release_plan.h ---------------------------------------------------------------
 * One release: its grid, its noise, its way through the levels
 * ---------------------------------------------------------------------------------------------- */

typedef struct dppair_plan_ {
  double g, inverse; /* the grid 2^exponent and 1 / g */
  double s;          /* scale / g, exact */
  double open_rate;  /* expected share of numbers that the float level leaves open */
  int exponent, law, tier, narrow;
  int coarse; /* 1: the float level comes first */
} dppair_plan_;

/*
 * x / g = whole + rest with |rest| <= 1/2, both exact (what an underflow of x / g cuts off is below
 * 2^-1074 and lies inside every tau). `whole` comes out of the bits of x / g + 1.5 2^52 as an
 * integer: a compiler that took the number off again as a sum could make it x / g itself, and the
 * release would hand out the digits of x.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_split_(double *whole, double *rest, double x,
                                                         const dppair_plan_ *plan) {
  const double y = x * plan->inverse;
  const uint64_t moved = dppair_bits_f64_(y + DPPAIR_MAGIC_F64_);
  *whole = *rest = 0.0;
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_NOT_FINITE;
  if (moved >> 52 != 0x433) return DPPAIR_ERR_OVERFLOW;
  *whole = (double)((int64_t)moved - INT64_C(0x4338000000000000));
  *rest = y - *whole;
  return DPPAIR_OK;
}

DPPAIR_API double dppair_get_(const void *x, size_t i, int narrow) {
  return narrow ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* x[i] = y, but never -0. */
DPPAIR_API void dppair_put_one_(void *x, size_t i, int narrow, double y) {
  if (narrow)
    ((float *)x)[i] = (float)(y + 0.0);
  else
    ((double *)x)[i] = y + 0.0;
}

/*
 * The last line of defence: 0 when a number that is about to leave is no multiple of g, by its
 * bits. The fraction of an un-noised number below the grid would tell it. Levels round by integers
 * or by an instruction; a compiler that breaks this does so everywhere alike, so it is enough to
 * look at the first 128 numbers and each 127th after them: every lane, every chunk.
 *
 * The digits of x = m 2^unit below the grid, shifted out to the left, must be 0.
 */
DPPAIR_API int dppair_on_grid_(const void *x, size_t n, int narrow, int exponent) {
  uint64_t off = 0;
  size_t i;
  for (i = 0; i < n; i += i < 128 ? 1 : 127) {
    uint64_t m, bits = dppair_bits_f64_(dppair_get_(x, i, narrow));
    int below;
    DPPAIR_DECLASSIFY_(&bits, sizeof bits); /* it is released: the time may tell it */
    m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    below = exponent - ((int)(bits >> 52 & 0x7ff) - 1075);
    if (below > 0 && bits << 1 != 0) off |= below > 52 ? 1 : m << (64 - below);
  }
  return off == 0;
}

/* Which error do n numbers make of which one did not fit the grid? (Undecided ones are unchanged,
 * and what is not finite is never decided.) */
DPPAIR_API dppair_status dppair_unfit_status_(const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++)
    if (!dppair_isfinite_f64(dppair_get_(x, i, narrow))) return DPPAIR_ERR_NOT_FINITE;
  return DPPAIR_ERR_OVERFLOW;
}

/* *k = round(rest + s z_i) by wide integers alone. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_last_level_(double *k, double rest,
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

/* The last level for number p of an array whose blocks begin at `block`. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_last_level_in_place_(void *x, size_t p,
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
 *
 * Gaussian: tau = 2^-46 s + 2^-52 |y|. With R = sqrt(-2 ln U) the error of R cos is below 8uR +
 * 4u/R (the logarithm 4u(1 + R^2/2) / R and the root uR; the second term only where R > 0.83, since
 * at larger U the logarithm is exact to 4u relative) + 3uR (cosine) + uR (product); R < 6.7 as the
 * first word of U is not 0: below 2^-46.2 in all. The unread bits move R by at most 2^-63 / (U R),
 * below 2^-48, and R cos by 2 pi R 2^-64. Adding rest rounds by u|y|, the product by us|z|.
 * Laplace: tau = 2^-45 s + 2^-52 |y|: the logarithm 4u(1 + 22.2), the product u 22.2, the unread
 * bits below 2^-46.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_block_scalar_(
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
      y = rest + plan->s * (sqrt(2.0 * fabs(e)) * c[i]);
      tau = DPPAIR_EXP2M_(46);
    }
    tau = tau * plan->s + DPPAIR_EXP2M_(52) * fabs(y);
    if (!(e > 0.0) || !dppair_round_certain_(&k, y, tau))
      status = dppair_last_level_(&k, rest, rng, block, i, plan);
    if (status != DPPAIR_OK) return status;
    dppair_put_one_(x, i, narrow, (whole + k) * plan->g);
  }
  return DPPAIR_OK;
}

/* Blocks that n numbers take. */
DPPAIR_API uint64_t dppair_blocks_(size_t n) { return (uint64_t)(n / 16) + (n % 16 != 0); }

/* Laws of raw samples. */
enum {
  DPPAIR_FILL_GAUSSIAN_ = 0,
  DPPAIR_FILL_LAPLACE_ = 1,
  DPPAIR_FILL_EXPONENTIAL_ = 2,
  DPPAIR_FILL_UNIFORM_ = 3,
  DPPAIR_FILL_RADEMACHER_ = 4
};

#define DPPAIR_CHUNK_ 4096 /* numbers that go through the levels together */

/* ---- src/noise/aes_instructions.h -----------------------------------------------------------
 * Key streams, wide
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_HAVE_AESNI_
DPPAIR_TARGET_BEGIN_("aes,ssse3")

/* The counter of a 16-byte unit in AES's byte order. */
DPPAIR_FORCE_INLINE_ __m128i dppair_aes_counter_(uint64_t stream, uint64_t low) {
  const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm_shuffle_epi8(_mm_set_epi64x((long long)stream, (long long)low), reverse);
}

/* Eight units at a time hide the latency of the rounds. */
DPPAIR_API void dppair_aesni_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                    const uint64_t *units, size_t count) {
  const __m128i *keys = (const __m128i *)(const void *)rng->key;
  size_t i;
  unsigned j, round;
  for (i = 0; i < count; i += 8) {
    const unsigned live = count - i < 8 ? (unsigned)(count - i) : 8u;
    __m128i k = _mm_loadu_si128(keys), a, b, c, d, e, f, g, h, x[8];
#define DPPAIR_FIRST_(n)                                                                           \
  _mm_xor_si128(k, dppair_aes_counter_(rng->stream,                                                \
                                       dppair_address_(level, units[i + ((n) < live ? (n) : 0)])))
    a = DPPAIR_FIRST_(0), b = DPPAIR_FIRST_(1), c = DPPAIR_FIRST_(2), d = DPPAIR_FIRST_(3);
    e = DPPAIR_FIRST_(4), f = DPPAIR_FIRST_(5), g = DPPAIR_FIRST_(6), h = DPPAIR_FIRST_(7);
#undef DPPAIR_FIRST_
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
    for (j = 0; j < live; j++) _mm_storeu_si128((__m128i *)(void *)(out + 4 * (i + j)), x[j]);
  }
}

DPPAIR_TARGET_END_
#endif

#if DPPAIR_HAVE_AVX512
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_ ",aes,vaes")

/* `count` consecutive blocks: one register a block, eight registers at a time. */
DPPAIR_API void dppair_vaes_row_(void *out, const dppair_rng *rng, unsigned level, uint64_t block,
                                 size_t count) {
  const __m512i reverse = _mm512_maskz_broadcast_i32x4(
      0xffff, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m512i four = _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4);
  const uint64_t low = dppair_address_(level, 4 * block), high = rng->stream;
  __m512i counter =
      _mm512_set_epi64((long long)high, (long long)(low + 3), (long long)high, (long long)(low + 2),
                       (long long)high, (long long)(low + 1), (long long)high, (long long)low);
  __m512i k[15];
  size_t i;
  unsigned j;
  for (j = 0; j < 15; j++)
    k[j] = _mm512_maskz_broadcast_i32x4(
        0xffff, _mm_loadu_si128((const __m128i *)(const void *)(rng->key + 4 * j)));
#define DPPAIR_NEXT_(x)                                                                            \
  x = _mm512_xor_si512(k[0], _mm512_shuffle_epi8(counter, reverse));                               \
  counter = _mm512_add_epi64(counter, four)
#define DPPAIR_ROUND_(r)                                                                           \
  a = _mm512_aesenc_epi128(a, k[r]), b = _mm512_aesenc_epi128(b, k[r]);                            \
  c = _mm512_aesenc_epi128(c, k[r]), d = _mm512_aesenc_epi128(d, k[r]);                            \
  e = _mm512_aesenc_epi128(e, k[r]), f = _mm512_aesenc_epi128(f, k[r]);                            \
  g = _mm512_aesenc_epi128(g, k[r]), h = _mm512_aesenc_epi128(h, k[r])
#define DPPAIR_LAST_(x, n)                                                                         \
  _mm512_storeu_si512((void *)((uint8_t *)out + 64 * (i + n)), _mm512_aesenclast_epi128(x, k[14]))
  for (i = 0; i + 8 <= count; i += 8) {
    __m512i a, b, c, d, e, f, g, h;
    DPPAIR_NEXT_(a);
    DPPAIR_NEXT_(b);
    DPPAIR_NEXT_(c);
    DPPAIR_NEXT_(d);
    DPPAIR_NEXT_(e);
    DPPAIR_NEXT_(f);
    DPPAIR_NEXT_(g);
    DPPAIR_NEXT_(h);
    DPPAIR_ROUND_(1), DPPAIR_ROUND_(2), DPPAIR_ROUND_(3), DPPAIR_ROUND_(4), DPPAIR_ROUND_(5);
    DPPAIR_ROUND_(6), DPPAIR_ROUND_(7), DPPAIR_ROUND_(8), DPPAIR_ROUND_(9), DPPAIR_ROUND_(10);
    DPPAIR_ROUND_(11), DPPAIR_ROUND_(12), DPPAIR_ROUND_(13);
    DPPAIR_LAST_(a, 0), DPPAIR_LAST_(b, 1), DPPAIR_LAST_(c, 2), DPPAIR_LAST_(d, 3);
    DPPAIR_LAST_(e, 4), DPPAIR_LAST_(f, 5), DPPAIR_LAST_(g, 6), DPPAIR_LAST_(h, 7);
  }
  for (; i < count; i++) {
    __m512i a;
    DPPAIR_NEXT_(a);
    for (j = 1; j < 14; j++) a = _mm512_aesenc_epi128(a, k[j]);
    DPPAIR_LAST_(a, 0);
  }
#undef DPPAIR_NEXT_
#undef DPPAIR_ROUND_
#undef DPPAIR_LAST_
}

DPPAIR_TARGET_END_
#endif

/* The kernels, once per vector tier: the list at the end of this file. */
/* ---- src/noise/kernels/each_tier.h ---------------------------------------------------------- */
#define DPPAIR_NOISE_KERNELS_
#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
#include DPPAIR_NOISE_SELF
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX2
#define DPPAIR_TIER_ 2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#include DPPAIR_NOISE_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#include DPPAIR_NOISE_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#undef DPPAIR_NOISE_KERNELS_

/* ---- src/noise/key_rows.h ------------------------------------------------------------------- */
/* ChaCha20 blocks at any positions, as wide as the tier allows. */
DPPAIR_API void dppair_chacha20_scalar_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *blocks, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) dppair_keystream_(out + 16 * i, rng, level, blocks[i]);
}
DPPAIR_API void dppair_chacha20_blocks_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *blocks, size_t count, int tier) {
  DPPAIR_DISPATCH_AT_(tier, dppair_chacha20_, (out, rng, level, blocks, count));
}

/* `count` <= DPPAIR_ROW_MAX_ consecutive blocks of a level. */
DPPAIR_API void dppair_keystream_row_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                      uint64_t block, size_t count, int tier) {
  uint64_t at[64];
  size_t i, j, live;
  int aes = dppair_aes_kind_(tier);
  if (count == 1 ? rng->cipher == DPPAIR_CHACHA20 || aes == 0
                 : rng->cipher == DPPAIR_AES256 && aes == 0) {
    for (i = 0; i < count; i++) dppair_keystream_(out + 16 * i, rng, level, block + i);
    return;
  }
#if DPPAIR_HAVE_AVX512
  if (rng->cipher == DPPAIR_AES256 && aes == 2) {
    dppair_vaes_row_(out, rng, level, block, count);
    return;
  }
#endif
  for (i = 0; i < count; i += live) { /* 16 blocks at a time */
    live = count - i < 16 ? count - i : 16;
#if DPPAIR_HAVE_AESNI_
    if (rng->cipher == DPPAIR_AES256) {
      for (j = 0; j < 4 * live; j++) at[j] = 4 * (block + i) + j;
      dppair_aesni_units_(out + 16 * i, rng, level, at, 4 * live);
      continue;
    }
#endif
    for (j = 0; j < live; j++) at[j] = block + i + j;
    dppair_chacha20_blocks_(out + 16 * i, rng, level, at, live, tier);
  }
}

/* `count` <= DPPAIR_ROW_MAX_ units of 16 bytes at any positions, unit = 4 block + quarter; the time
 * depends on the count alone. */
DPPAIR_API void dppair_keystream_units_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                        const uint64_t *units, size_t count, int tier) {
  uint32_t words[16 * 16];
  uint64_t blocks[16];
  size_t i, j;
#if DPPAIR_HAVE_AESNI_
  if (rng->cipher == DPPAIR_AES256 && dppair_aes_kind_(tier) > 0) {
    dppair_aesni_units_(out, rng, level, units, count);
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

/* ---- src/noise/generator.h ------------------------------------------------------------------
 * The generator
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RNG_BLOCKS_ (UINT64_C(1) << 54) /* blocks per stream and level */
#define DPPAIR_LEVEL_ERASE_ 255u /* levels apart from those of the noise: the next key */
#define DPPAIR_LEVEL_SPLIT_ 254u /* keys of the parts of a generator */
#define DPPAIR_LEVEL_CHECK_ 253u /* the check word of a saved state */

DPPAIR_API int64_t dppair_process_(void) {
#if defined(_WIN32)
  return (int64_t)_getpid();
#elif defined(__wasi__)
  return 1; /* no processes there, so no fork */
#else
  return (int64_t)getpid();
#endif
}

#if !defined(_WIN32) && !defined(DPPAIR_ENTROPY)
/* Reads n bytes from /dev/urandom; 0 on success. */
DPPAIR_API int dppair_urandom_(uint8_t *out, size_t n) {
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

/* n <= 256 bytes of entropy from the system: getrandom, getentropy, arc4random, BCryptGenRandom,
 * whichever the system has, and /dev/urandom last. Zeroes and an error when all fail. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_entropy_(uint8_t *out, size_t n) {
#if defined(DPPAIR_ENTROPY)
  if (DPPAIR_ENTROPY(out, n) == 0) return DPPAIR_OK;
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

/* A generator at block 0 of a stream; what it was before is wiped. */
DPPAIR_API void dppair_rng_set_key_(dppair_rng *rng, uint32_t cipher, const uint32_t key[8],
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

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_bytes_(dppair_rng *rng, uint32_t cipher,
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
 * Keys a generator: 32 bytes of key and a stream number. The same (key, stream) gives the same
 * output on every machine; different streams of one key are independent. ChaCha20.
 * A key that protects a release must be secret, and used for one purpose: never use the key of the
 * noise for choosing records. What dppair_rng_from_os does besides is the caller's here: the
 * self-test (dppair_noise_check) is not run, and after fork() both copies give the same noise.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key(dppair_rng *rng,
                                                               const uint8_t key[32],
                                                               uint64_t stream) {
  return dppair_rng_from_bytes_(rng, DPPAIR_CHACHA20, key, stream);
}

/* The same with AES-256 in counter mode: about three times as fast where the processor has AES
 * instructions, slow (constant-time software) where it has none. The cipher belongs to the
 * generator: a replay never switches it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key_aes256(dppair_rng *rng,
                                                                      const uint8_t key[32],
                                                                      uint64_t stream) {
  return dppair_rng_from_bytes_(rng, DPPAIR_AES256, key, stream);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_noise_check(void); /* below, with the releases */

/* Its answer, asked once: the word in which it is kept always gets the same value. What speaks of
 * the thread's environment now and not of the build (another rounding mode) is not kept. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_noise_checked_(void) {
  dppair_status status = dppair_environment_check();
#if defined(__GNUC__) || defined(__clang__)
  static int cached;
  const int known = __atomic_load_n(&cached, __ATOMIC_RELAXED);
#else
  static volatile int cached;
  const int known = cached;
#endif
  if (status != DPPAIR_OK) return status;
  if (known != 0) return (dppair_status)(known - 1);
  status = dppair_noise_check();
  if (status != DPPAIR_OK && status != DPPAIR_ERR_SELF_TEST) return status;
#if defined(__GNUC__) || defined(__clang__)
  __atomic_store_n(&cached, 1 + (int)status, __ATOMIC_RELAXED);
#else
  cached = 1 + (int)status;
#endif
  return status;
}

/* Keys a generator from the operating system: AES-256 where the processor has AES instructions,
 * else ChaCha20. It belongs to this process: after fork() the child's copy is refused with
 * DPPAIR_ERR_FORK, since it would repeat the parent's noise. The first call runs
 * dppair_noise_check and every call refuses what that refuses. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_os(dppair_rng *rng) {
  uint8_t key[32];
  dppair_status status;
  if (rng == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(rng, sizeof *rng);
  status = dppair_noise_checked_();
  if (status != DPPAIR_OK) return status;
  status = dppair_entropy_(key, sizeof key);
  if (status == DPPAIR_OK)
    status = dppair_rng_from_bytes_(
        rng, dppair_aes_kind_(dppair_tier()) > 0 ? DPPAIR_AES256 : DPPAIR_CHACHA20, key, 0);
  if (status == DPPAIR_OK) rng->owner = dppair_process_();
  dppair_wipe(key, sizeof key);
  return status;
}

/* Is the generator usable in this process? Processes are told apart by their numbers: a grandchild
 * that happens to get the number of its dead grandparent passes, so key anew after a fork. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_check_(const dppair_rng *rng) {
  if (rng == NULL) return DPPAIR_ERR_NULL;
  if (rng->cipher != DPPAIR_CHACHA20 && rng->cipher != DPPAIR_AES256) return DPPAIR_ERR_CIPHER;
  if (rng->used > sizeof rng->buffer || rng->erase > 1) return DPPAIR_ERR_CIPHER;
  if (rng->owner != 0 && rng->owner != dppair_process_()) return DPPAIR_ERR_FORK;
  return DPPAIR_OK;
}

/* Key number `index` that a generator holds for a purpose (a level apart from the noise). */
DPPAIR_API void dppair_rng_derive_(uint32_t key[8], const dppair_rng *rng, unsigned level,
                                   uint64_t index) {
  uint32_t words[16];
  dppair_keystream_(words, rng, level, index);
  memcpy(key, words, 32);
}

DPPAIR_API void dppair_rng_drop_buffer_(dppair_rng *rng) {
  dppair_wipe(rng->buffer, sizeof rng->buffer);
  rng->used = (uint32_t)sizeof rng->buffer;
}

/*
 * Takes `blocks` whole blocks for one call: `use` becomes a copy of the generator that starts at
 * the first of them (burn the stack afterwards), and the generator moves past them. With erasure on
 * it moves to a new key instead, drawn from a level of the old one that nothing else reads.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_take_(dppair_rng *use, uint64_t blocks,
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
  return DPPAIR_OK;
}

/* Moves to 64-byte block `block` of the stream (< 2^54). Going back repeats output: that is for
 * replaying and for handing parts of one array to threads, never for a second release. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_seek(dppair_rng *rng, uint64_t block) {
  dppair_status status = dppair_rng_check_(rng);
  if (status != DPPAIR_OK) return status;
  if (block > DPPAIR_RNG_BLOCKS_) return DPPAIR_ERR_EXHAUSTED;
  rng->block = block;
  dppair_rng_drop_buffer_(rng);
  return DPPAIR_OK;
}

/*
 * Fast key erasure: with it on, every call that takes random numbers replaces the key by one that
 * does not tell the old one, so whoever reads the memory later cannot rebuild earlier noise. The
 * output stays a function of the first key and the sequence of calls; seeking back is meaningless.
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

/* Part number `index` (< 2^54) of a generator, for a thread or a purpose: an independent generator
 * with a key of its own, a function of the parent's (cipher, key, stream) and the index alone. */
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

#define DPPAIR_RNG_SAVED_SIZE 64

/* The first bytes of a saved state, and its check: 8 bytes of the key's own stream. */
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

DPPAIR_API void dppair_rng_seal_(uint8_t head[8], uint8_t check[8], const dppair_rng *rng) {
  dppair_rng_seal_work_(head, check, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/*
 * Writes the state, key included, as 64 bytes that any machine can read: whoever has them can undo
 * the noise. The generator itself moves to its next whole block, where the restored one begins.
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

/* Restores a saved state. DPPAIR_ERR_FORMAT when the bytes are not one, or were changed. What comes
 * out belongs to this process like a generator from the system: a child's copy is refused. Restore
 * a state once, since each copy releases the same noise. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_rng_restore(dppair_rng *rng, const uint8_t saved[DPPAIR_RNG_SAVED_SIZE]) {
  uint8_t head[8], check[8];
  uint64_t stream = 0, block = 0;
  uint32_t cipher;
  dppair_status status;
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
  status = dppair_rng_from_bytes_(rng, cipher, saved + 8, stream);
  if (status != DPPAIR_OK) return status;
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

DPPAIR_API void dppair_words_to_bytes_(uint8_t *out, const uint32_t *words, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) dppair_store32_(out + 4 * i, words[i]);
}

/* Whole blocks of key stream as bytes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_rng_blocks_work_(uint8_t *out, size_t count,
                                                          dppair_rng *rng) {
  const int tier = dppair_tier();
  dppair_rng use;
  size_t i, live;
  dppair_status status = dppair_rng_take_(&use, count, rng);
  for (i = 0; i < count && status == DPPAIR_OK; i += live) {
    uint32_t words[16 * 16];
    live = count - i < DPPAIR_ROW_MAX_ ? count - i : DPPAIR_ROW_MAX_;
    if (tier >= DPPAIR_TIER_AVX2 && live > 1) { /* little-endian, and all stores are unaligned */
      dppair_keystream_row_((uint32_t *)(void *)(out + 64 * i), &use, 0, use.block + i, live, tier);
      continue;
    }
    if (live > 16) live = 16;
    dppair_keystream_row_(words, &use, 0, use.block + i, live, tier);
    dppair_words_to_bytes_(out + 64 * i, words, 16 * live);
  }
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_blocks_(uint8_t *out, size_t count,
                                                              dppair_rng *rng) {
  const dppair_status status = dppair_rng_blocks_work_(out, count, rng);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
  return status;
}

/* n uniform bytes. */
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
  if (fetched) dppair_clear_registers_(); /* else there is nothing in them but the caller's bytes */
  return status;
}

/* A uniform 64-bit integer. */
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
 * Releases
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SCALE_MAX_F64_ 8.452712498170644e+270    /* 2^900 */
#define DPPAIR_SCALE_MAX_F32_ 75557863725914323419136.0 /* 2^76: 2^51 g stays below 2^127 */
#define DPPAIR_GRID_DEFAULT 10                          /* g <= scale / 2^10 < 2 g */

/* The grid of a scale: g = 2^exponent <= scale / 2^log2_ratio < 2 g. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_grid_exponent_(int *exponent, double scale,
                                                                 double limit, int log2_ratio) {
  *exponent = 0;
  if (!dppair_isfinite_f64(scale) || !(scale >= 1.0 / limit) || !(scale <= limit))
    return DPPAIR_ERR_SIGMA;
  if (log2_ratio < 0 || log2_ratio > 40) return DPPAIR_ERR_DOMAIN;
  (void)frexp(scale, exponent);
  *exponent -= 1 + log2_ratio;
  return DPPAIR_OK;
}

/* The float level pays while it leaves few numbers open: up to s = 2^13. Its share of open numbers
 * is twice the mean tau, 34 s 2^-24 (both laws), and the tails it does not take, 2^-12 or 2^-10. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_plan_make_(dppair_plan_ *plan, double scale,
                                                             int narrow, int log2_ratio, int law,
                                                             int tier) {
  dppair_status status;
  memset(plan, 0, sizeof *plan);
  status = dppair_grid_exponent_(
      &plan->exponent, scale, narrow ? DPPAIR_SCALE_MAX_F32_ : DPPAIR_SCALE_MAX_F64_, log2_ratio);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  plan->law = law;
  plan->narrow = narrow;
  plan->tier = tier;
  plan->g = ldexp(1.0, plan->exponent);
  plan->inverse = ldexp(1.0, -plan->exponent);
  plan->s = scale * plan->inverse;
  plan->coarse = plan->s < 8192.0;
  plan->open_rate = 34.0 * DPPAIR_EXP2M_(24) * plan->s +
                    (law == DPPAIR_NOISE_LAPLACE_ ? DPPAIR_EXP2M_(10) : DPPAIR_EXP2M_(12));
  return DPPAIR_OK;
}

/* n <= DPPAIR_CHUNK_ numbers, any number of them, by scalar code over wide key streams. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_scalar_(void *x, size_t n, int narrow,
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
  return status;
}

#define dppair_chunk_simd128_ dppair_chunk_scalar_ /* see kernels/simd128.h */

/* One chunk at the plan's tier. The vector tiers take multiples of 32. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_any_(void *x, size_t n, int narrow,
                                                             const dppair_rng *rng, uint64_t block,
                                                             const dppair_plan_ *plan) {
  dppair_status status;
  DPPAIR_DISPATCH_AT_(plan->tier, status = dppair_chunk_, (x, n, narrow, rng, block, plan));
  return status;
}

/* All n numbers; the last n mod 32 stand in zeros to fill their vectors. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_(void *x, size_t n, int narrow,
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

DPPAIR_OUT_OF_LINE_ dppair_status dppair_release_work_(void *x, size_t n, int narrow, double scale,
                                                       int log2_ratio, int law, int tier,
                                                       dppair_rng *rng) {
  dppair_plan_ plan;
  dppair_status status;
  status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_plan_make_(&plan, scale, narrow, log2_ratio, law, tier);
  if (status == DPPAIR_OK) return dppair_release_(x, n, narrow, &plan, rng);
  if (n > 0) memset(x, 0, n * (narrow ? sizeof(float) : sizeof(double)));
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_at_(void *x, size_t n, int narrow,
                                                              double scale, int log2_ratio, int law,
                                                              int tier, dppair_rng *rng) {
  const dppair_status status =
      dppair_release_work_(x, n, narrow, scale, log2_ratio, law, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/*
 * x[i] += Gaussian noise of standard deviation sigma, released on the grid g = 2^j with
 * g <= sigma / 2^log2_ratio < 2g. The Gaussian mechanism exactly (see the head of this file).
 * Errors: NULL, a sigma or log2_ratio outside the limits, an x that is not finite or beyond 2^51 g,
 * and the generator's. On any error all of x is 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64_grid(double *x, size_t n,
                                                                        double sigma,
                                                                        int log2_ratio,
                                                                        dppair_rng *rng) {
  return dppair_release_at_(x, n, 0, sigma, log2_ratio, DPPAIR_NOISE_GAUSSIAN_, dppair_tier(), rng);
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
  return dppair_release_at_(x, n, 1, sigma, log2_ratio, DPPAIR_NOISE_GAUSSIAN_, dppair_tier(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32(float *x, size_t n, double sigma,
                                                                   dppair_rng *rng) {
  return dppair_add_gaussian_f32_grid(x, n, sigma, DPPAIR_GRID_DEFAULT, rng);
}

/* x[i] += Laplace noise of density exp(-|z| / scale) / (2 scale) (standard deviation 1.414 scale),
 * on the grid of `scale`. The Laplace mechanism exactly: epsilon = (l1 sensitivity) / scale. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64_grid(double *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_at_(x, n, 0, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_, dppair_tier(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64(double *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32_grid(float *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_at_(x, n, 1, scale, log2_ratio, DPPAIR_NOISE_LAPLACE_, dppair_tier(), rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32(float *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f32_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

/* ---- src/noise/l2ball.h ---------------------------------------------------------------------
 * The l2 mechanism: density proportional to exp(-||z||_2 / scale) in n dimensions.
 *
 * ||z|| has the Gamma(n) law times scale and the direction is uniform, so z = scale q N with N
 * standard Gaussian and q = (sum over j <= n of -ln V_j) / ||N||. N comes from blocks as above; V_j
 * is word j mod 16 of block j / 16 of the blocks that follow them. ||N||^2 needs no cosine for
 * whole pairs: it is the sum of -2 ln U.
 * ---------------------------------------------------------------------------------------------- */

/* A sum that carries its own rounding error (Knuth's two-sum): relative error 2u + n^2 u^2. */
DPPAIR_API void dppair_sum_add_(double sum[2], double x) {
  double s = sum[0] + x, b = s - sum[0];
  sum[1] += (sum[0] - (s - b)) + (x - b);
  sum[0] = s;
}

/* -ln of word j of a row of blocks from its first 96 bits, and a bound on its error: 16u e (4u
 * relative near U = 1, elsewhere 4u(1 + e) with e > 0.34) and the unread bits, 2^-63 / U. */
DPPAIR_API double dppair_exponential_bound_(double *error, const dppair_string_ *s, uint32_t w0,
                                            uint32_t w1) {
  uint32_t w[3];
  double e;
  dppair_string_read_(w, s, w0, w1, 0);
  e = dppair_exponential_f64_(w);
  *error = e > 0.0 ? DPPAIR_EXP2M_(49) * e + DPPAIR_EXP2M_(30) / (double)w0 : HUGE_VAL;
  return e;
}

/* How many of the two samples of a pair exist in a block of `count` samples: 0, 1 (the cosine), 2.
 */
DPPAIR_API unsigned dppair_pair_size_(unsigned pair, unsigned count) {
  return (pair < count ? 1u : 0u) + (pair + 8 < count ? 1u : 0u);
}

/* Levels 0 and 1 of one block. */
DPPAIR_API void dppair_two_levels_(uint32_t words[16], uint32_t more[16], const dppair_rng *rng,
                                   uint64_t block) {
  const int tier = dppair_tier();
  dppair_keystream_row_(words, rng, 0, block, 1, tier);
  dppair_keystream_row_(more, rng, 1, block, 1, tier);
}

/* q and a bound on its relative error (infinite when the double level cannot tell). */
DPPAIR_API void dppair_l2_factor_f64_(double *q, double *relative, size_t n,
                                      const dppair_rng *rng) {
  double square[2] = {0.0, 0.0}, length[2] = {0.0, 0.0};
  double square_error = 0.0, length_error = 0.0, e, error, norm2, rho;
  uint32_t words[16], more[16];
  dppair_string_ s, t;
  size_t i;
  unsigned j;
  for (i = 0; i < n; i += 16) {
    const unsigned count = n - i < 16 ? (unsigned)(n - i) : 16u;
    dppair_two_levels_(words, more, rng, rng->block + i / 16);
    for (j = 0; j < 8 && j < count; j++) {
      double c = 1.0, unused;
      dppair_strings_(&s, &t, rng, rng->block + i / 16, j, DPPAIR_NOISE_GAUSSIAN_);
      e = 2.0 * dppair_exponential_bound_(&error, &s, words[s.lane], more[s.lane]);
      if (dppair_pair_size_(j, count) == 1)
        dppair_circle_f64_(&c, &unused, (uint64_t)words[t.lane] << 32 | more[t.lane]);
      dppair_sum_add_(square, e * c * c);
      square_error += 2.0 * error + DPPAIR_EXP2M_(48) * e; /* c^2 is within 2^-50 */
    }
  }
  s.rng = rng;
  for (i = 0; i < n; i += 16) {
    s.block = rng->block + dppair_blocks_(n) + i / 16;
    dppair_two_levels_(words, more, rng, s.block);
    for (s.lane = 0; s.lane < 16 && s.lane < n - i; s.lane++) {
      e = dppair_exponential_bound_(&error, &s, words[s.lane], more[s.lane]);
      dppair_sum_add_(length, e);
      length_error += error;
    }
  }
  norm2 = square[0] + square[1];
  rho = length[0] + length[1];
  *q = rho / sqrt(norm2);
  *relative = 1.01 * (square_error / norm2 + length_error / rho) + DPPAIR_EXP2M_(49);
  if (!(*relative < DPPAIR_EXP2M_(20))) *relative = HUGE_VAL;
}

/* The same factor enclosed with `places` words; *known is 0 when more are needed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2_factor_exact_(dppair_range_ *q, int *known,
                                                                   size_t n, const dppair_rng *rng,
                                                                   unsigned places) {
  dppair_range_ square, length, e;
  dppair_status status = DPPAIR_OK;
  dppair_string_ s, t;
  size_t i;
  unsigned j, any = 0;
  memset(&square, 0, sizeof square);
  memset(&length, 0, sizeof length);
  for (i = 0; i < n; i += 16) {
    const unsigned count = n - i < 16 ? (unsigned)(n - i) : 16u;
    for (j = 0; j < 8 && j < count && status == DPPAIR_OK; j++) {
      dppair_strings_(&s, &t, rng, rng->block + i / 16, j, DPPAIR_NOISE_GAUSSIAN_);
      if (dppair_pair_size_(j, count) == 2) {
        status = dppair_exponential_exact_(&e, &s, 0, places);
        dppair_range_add_(&e, &e, &e, places);
      } else {
        int negative;
        status = dppair_gaussian_exact_(&e, &negative, &s, &t, 0, places);
        dppair_range_mul_(&e, &e, &e, places);
      }
      dppair_range_add_(&square, &square, &e, places);
    }
  }
  s.rng = rng;
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    s.block = rng->block + dppair_blocks_(n) + i / 16;
    s.lane = (unsigned)(i % 16);
    status = dppair_exponential_exact_(&e, &s, 0, places);
    dppair_range_add_(&length, &length, &e, places);
  }
  for (j = 0; j < places + 2; j++) any |= square.lo.w[j];
  *known = any != 0;
  if (status != DPPAIR_OK || !*known) return status;
  dppair_range_sqrt_(&square, &square, places);
  dppair_range_div_(q, &length, &square, places);
  return DPPAIR_OK;
}

/* The factor at every precision, each worked out when it is first needed. */
typedef struct dppair_l2_ {
  double q, relative;
  dppair_range_ exact[DPPAIR_FIX_MAX_ / 4];
  int known[DPPAIR_FIX_MAX_ / 4], tried[DPPAIR_FIX_MAX_ / 4];
} dppair_l2_;

/* round(rest + s q N_p) from wide integers. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2_exact_(double *k, double rest, double s,
                                                            size_t p, dppair_l2_ *l2, size_t n,
                                                            const dppair_rng *rng) {
  dppair_status status = DPPAIR_OK;
  dppair_string_ u, t;
  unsigned places, at;
  dppair_strings_(&u, &t, rng, rng->block + p / 16, (unsigned)(p % 16), DPPAIR_NOISE_GAUSSIAN_);
  for (places = 4; places <= DPPAIR_FIX_MAX_; places += 4) {
    dppair_range_ z;
    int negative = 0;
    at = places / 4 - 1;
    if (!l2->tried[at])
      status = dppair_l2_factor_exact_(&l2->exact[at], &l2->known[at], n, rng, places);
    if (status != DPPAIR_OK) return status;
    l2->tried[at] = 1;
    if (!l2->known[at]) continue;
    status = dppair_gaussian_exact_(&z, &negative, &u, &t, p % 16 / 8, places);
    if (status != DPPAIR_OK) return status;
    dppair_range_mul_(&z, &z, &l2->exact[at], places);
    if (dppair_round_exact_(k, rest, s, &z, negative, places)) return DPPAIR_OK;
  }
  return DPPAIR_ERR_EXHAUSTED;
}

/* Block number b of the l2 mechanism. tau = s q 2^-45 (twice the Gaussian's own error) + |y - rest|
 * (twice the relative error of q, + 2^-50) + 2^-51 |y|. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2_block_(double *x, size_t b,
                                                            const dppair_plan_ *plan,
                                                            dppair_l2_ *l2, size_t n,
                                                            const dppair_rng *rng) {
  uint32_t words[16], more[16];
  dppair_status status = DPPAIR_OK;
  unsigned i;
  dppair_two_levels_(words, more, rng, rng->block + b);
  for (i = 0; i < 16 && i < n - 16 * b && status == DPPAIR_OK; i++) {
    const size_t p = 16 * b + i;
    dppair_string_ u, t;
    uint32_t w[3];
    double e, z[2], whole, rest, k, noise, y, tau;
    dppair_strings_(&u, &t, rng, rng->block + b, i, DPPAIR_NOISE_GAUSSIAN_);
    dppair_string_read_(w, &u, words[u.lane], more[u.lane], 0);
    e = dppair_exponential_f64_(w);
    dppair_circle_f64_(&z[0], &z[1], (uint64_t)words[t.lane] << 32 | more[t.lane]);
    status = dppair_split_(&whole, &rest, x[p], plan);
    if (status != DPPAIR_OK) break;
    noise = plan->s * (l2->q * (sqrt(2.0 * fabs(e)) * z[i / 8]));
    y = rest + noise;
    tau = DPPAIR_EXP2M_(45) * plan->s * l2->q +
          fabs(noise) * (2.0 * l2->relative + DPPAIR_EXP2M_(50)) + DPPAIR_EXP2M_(51) * fabs(y);
    if (!(e > 0.0) || !(tau < 0.25) || !dppair_round_certain_(&k, y, tau))
      status = dppair_l2_exact_(&k, rest, plan->s, p, l2, n, rng);
    if (status == DPPAIR_OK) dppair_put_one_(x, p, 0, (whole + k) * plan->g);
  }
  return status;
}

DPPAIR_OUT_OF_LINE_ dppair_status dppair_l2ball_work_(double *x, size_t n, double scale,
                                                      int log2_ratio, int tier, dppair_rng *rng) {
  dppair_l2_ l2;
  dppair_plan_ plan;
  dppair_rng use;
  size_t b;
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  memset(&l2, 0, sizeof l2);
  memset(&use, 0, sizeof use);
  status = dppair_plan_make_(&plan, scale, 0, log2_ratio, DPPAIR_NOISE_GAUSSIAN_, tier);
  if (status == DPPAIR_OK)
    status = dppair_plan_make_(&plan, scale * sqrt((double)(n + (n == 0))), 0, log2_ratio,
                               DPPAIR_NOISE_GAUSSIAN_, tier);
  plan.s = scale * plan.inverse;
  if (status == DPPAIR_OK && (uint64_t)n >= UINT64_C(1) << 40) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_rng_take_(&use, 2 * dppair_blocks_(n), rng);
  if (status == DPPAIR_OK && n > 0) dppair_l2_factor_f64_(&l2.q, &l2.relative, n, &use);
  for (b = 0; b < dppair_blocks_(n) && status == DPPAIR_OK; b++)
    status = dppair_l2_block_(x, b, &plan, &l2, n, &use);
  if (status == DPPAIR_OK && !dppair_on_grid_(x, n, 0, plan.exponent))
    status = DPPAIR_ERR_ENVIRONMENT;
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/*
 * x += z with density proportional to exp(-||z||_2 / scale): with scale = (l2 sensitivity) /
 * epsilon a pure epsilon guarantee, exactly. The grid follows the size of one coordinate,
 * scale sqrt(n): g = 2^j with g <= scale sqrt(n) / 2^log2_ratio < 2g. Errors as above; n < 2^40.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64_grid(double *x, size_t n,
                                                                      double scale, int log2_ratio,
                                                                      dppair_rng *rng) {
  const dppair_status status = dppair_l2ball_work_(x, n, scale, log2_ratio, dppair_tier(), rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64(double *x, size_t n, double scale,
                                                                 dppair_rng *rng) {
  return dppair_add_l2ball_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

/* ---- src/noise/self_check.h -----------------------------------------------------------------
 * Known answers
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ANSWER_CHACHA20_                                                                    \
  UINT64_C(0x1842f83a2471c2a3) /* of dppair_trial_chacha20_, on every tier */
#define DPPAIR_ANSWER_AES256_ UINT64_C(0xa8e7e24c53d00232)
enum { DPPAIR_TRIAL_ = 40 }; /* numbers of a trial: whole vectors and a rest */

DPPAIR_API uint64_t dppair_trial_mix_(uint64_t h, const void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) {
    h = (h ^ dppair_bits_f64_(dppair_get_(x, i, narrow))) * UINT64_C(0x100000001b3);
    h ^= h >> 29;
  }
  return h;
}

DPPAIR_API void dppair_trial_input_(void *x, size_t n, int narrow) {
  size_t i;
  for (i = 0; i < n; i++) {
    if (narrow)
      ((float *)x)[i] = (float)((double)i * 0.7310585786300049 - 11.0);
    else
      ((double *)x)[i] = (double)i * 0.7310585786300049 - 11.0;
  }
}

/* The scalar tier has no second level: its one level stands in for it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_second_scalar_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  (void)list, (void)slots, (void)words;
  return dppair_chunk_scalar_(x, live, narrow, rng, block, plan);
}
#define dppair_second_simd128_ dppair_second_scalar_

/* The second level for the first 32 numbers, whether the first left them open or not. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_second_(void *x, int narrow,
                                                                const dppair_rng *rng,
                                                                const dppair_plan_ *plan) {
  uint32_t words[32], list[32], i;
  dppair_status status;
  for (i = 0; i < 32; i++) list[i] = i;
  dppair_keystream_row_(words, rng, 0, rng->block, 2, plan->tier);
  DPPAIR_DISPATCH_AT_(plan->tier, status = dppair_second_,
                      (x, narrow, list, 32, 32, words, rng, rng->block, plan));
  return status;
}

/* One law, type and grid: the release into *h; then the second level and, for two numbers, the last
 * must say the same. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_trial_release_(uint64_t *h, int law, int narrow,
                                                                 int log2_ratio, int tier, int last,
                                                                 dppair_rng *rng) {
  double x[DPPAIR_TRIAL_], y[DPPAIR_TRIAL_];
  const size_t width = narrow ? sizeof(float) : sizeof(double);
  const dppair_rng before = *rng;
  dppair_plan_ plan;
  dppair_status status;
  dppair_trial_input_(x, DPPAIR_TRIAL_, narrow);
  dppair_trial_input_(y, DPPAIR_TRIAL_, narrow);
  status = dppair_plan_make_(&plan, 1.7, narrow, log2_ratio, law, tier);
  if (status == DPPAIR_OK) status = dppair_release_(x, DPPAIR_TRIAL_, narrow, &plan, rng);
  *h = dppair_trial_mix_(*h, x, DPPAIR_TRIAL_, narrow);
  if (status == DPPAIR_OK) status = dppair_trial_second_(y, narrow, &before, &plan);
  if (status == DPPAIR_OK && memcmp(x, y, 32 * width) != 0) status = DPPAIR_ERR_SELF_TEST;
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

DPPAIR_API void dppair_trial_key_(dppair_rng *rng, uint32_t cipher) {
  uint32_t key[8], i;
  for (i = 0; i < 8; i++) key[i] = 0x9e3779b9u * (i + 1);
  dppair_rng_set_key_(rng, cipher, key, 1);
}

/* A mix of the bits of releases at a tier: every law, type and grid under ChaCha20. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_chacha20_(uint64_t *h, int tier, int last) {
  dppair_rng rng;
  double x[DPPAIR_TRIAL_];
  int round;
  dppair_status status = DPPAIR_OK;
  *h = 0;
  dppair_trial_key_(&rng, DPPAIR_CHACHA20);
  for (round = 0; round < 8 && status == DPPAIR_OK; round++)
    status = dppair_trial_release_(h, round & 1, round >> 1 & 1, round & 4 ? 32 : 12, tier,
                                   last && (round == 4 || round == 5), &rng);
  dppair_trial_input_(x, 5, 0);
  if (status == DPPAIR_OK) status = dppair_l2ball_work_(x, 5, 1.7, DPPAIR_GRID_DEFAULT, tier, &rng);
  *h = dppair_trial_mix_(*h, x, 5, 0);
  return status;
}

/* Of AES's instructions, where the machine has them; the software must give the same stream. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_trial_aes256_(uint64_t *h, int tier, int last) {
  dppair_rng rng;
  uint32_t a[16], b[16];
  dppair_status status = DPPAIR_OK;
  *h = 0;
  dppair_trial_key_(&rng, DPPAIR_AES256);
  if (last) {
    dppair_keystream_(a, &rng, 0, rng.block);
    dppair_keystream_row_(b, &rng, 0, rng.block, 1, tier);
    if (memcmp(a, b, sizeof a) != 0) status = DPPAIR_ERR_SELF_TEST;
  }
  if (status == DPPAIR_OK)
    status =
        dppair_trial_release_(h, DPPAIR_NOISE_GAUSSIAN_, 0, DPPAIR_GRID_DEFAULT, tier, 0, &rng);
  return status;
}

/*
 * DPPAIR_OK when this build on this machine gives the known bits: on each tier that it has,
 * Gaussian and Laplace noise in both types and at both kinds of grid, by the first, second and last
 * level, the l2 mechanism, both ciphers. Else DPPAIR_ERR_SELF_TEST (or ENVIRONMENT), and noise from
 * this build must not protect anybody. Compilers have been seen to give a second level the wrong
 * sign. It takes 0.2 to 0.7 ms with -O2, without optimisation some ms; dppair_rng_from_os calls it
 * once.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_noise_check(void) {
  dppair_status status = dppair_environment_check();
  int tier;
  for (tier = 0; tier <= dppair_tier() && status == DPPAIR_OK; tier++) {
    const int last = tier == dppair_tier();
    uint64_t h;
    status = dppair_trial_chacha20_(&h, tier, last);
    if (status == DPPAIR_OK && h != DPPAIR_ANSWER_CHACHA20_) status = DPPAIR_ERR_SELF_TEST;
    if (status != DPPAIR_OK || dppair_aes_kind_(tier) == 0) continue;
    status = dppair_trial_aes256_(&h, tier, last);
    if (status == DPPAIR_OK && h != DPPAIR_ANSWER_AES256_) status = DPPAIR_ERR_SELF_TEST;
  }
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* ---- src/noise/discrete.h -------------------------------------------------------------------
 * Exact integers: random words one by one, coins of rational and exponential bias
 * ---------------------------------------------------------------------------------------------- */

/* Words of key stream for a call that does not know beforehand how many it needs. Rows grow, so
 * that small calls stay cheap; what is left at the end is thrown away. */
typedef struct dppair_source_ {
  uint32_t words[16 * 32];
  unsigned at, end, row;
  dppair_rng *rng;
  dppair_status status;
} dppair_source_;

DPPAIR_API void dppair_source_open_(dppair_source_ *s, dppair_rng *rng) {
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
  dppair_rng use;
  s->at = s->end = 0;
  if (s->status == DPPAIR_OK) s->status = dppair_rng_take_(&use, s->row, s->rng);
  if (s->status == DPPAIR_OK) {
    dppair_keystream_row_(s->words, &use, 0, use.block, s->row, dppair_tier());
    s->end = 16 * s->row;
    if (s->row < 32) s->row *= 2;
  }
}

/* The next 32 bits; 0 once the source has failed (its status says so at the end). */
DPPAIR_FORCE_INLINE_ uint32_t dppair_next32_(dppair_source_ *s) {
  if (s->at == s->end) dppair_source_fill_(s);
  return s->status == DPPAIR_OK ? s->words[s->at++] : 0u;
}

/* Exactly uniform on 0 .. bound - 1, bound > 0: Lemire's multiplication with the biased part thrown
 * back, below 2^32; above, draws under the next power of two until one is small enough. */
DPPAIR_API uint64_t dppair_below_(dppair_source_ *s, uint64_t bound) {
  uint64_t mask = bound - 1, r;
  if (bound <= UINT32_MAX) {
    uint64_t m = (uint64_t)dppair_next32_(s) * bound;
    if ((uint32_t)m < bound) {
      const uint32_t biased = (0u - (uint32_t)bound) % (uint32_t)bound;
      while ((uint32_t)m < biased && s->status == DPPAIR_OK)
        m = (uint64_t)dppair_next32_(s) * bound;
    }
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

/* 1 with probability exactly a / b, 0 <= a <= b < 2^63: a random binary fraction is compared with
 * the digits of a / b until they differ. */
DPPAIR_API int dppair_coin_(dppair_source_ *s, uint64_t a, uint64_t b) {
  if (a >= b) return 1;
  while (a > 0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s);
    uint32_t digit = 0;
    unsigned i;
    if (b <= UINT32_MAX) {
      digit = (uint32_t)((a << 32) / b);
      a = (a << 32) % b;
    } else {
      for (i = 0; i < 32; i++) {
        const int one = (a <<= 1) >= b;
        digit = digit << 1 | (one ? 1u : 0u);
        if (one) a -= b;
      }
    }
    if (r != digit) return r < digit;
  }
  return 0;
}

/* 1 with probability exactly 1 / k. */
DPPAIR_FORCE_INLINE_ int dppair_coin_reciprocal_(dppair_source_ *s, uint32_t k) {
  static const uint32_t digits[8] = {0u,          0xffffffffu, 0x80000000u, 0x55555555u,
                                     0x40000000u, 0x33333333u, 0x2aaaaaaau, 0x24924924u};
  uint32_t r;
  if (k == 1) return 1;
  if (k >= 8) return dppair_coin_(s, 1, k);
  r = dppair_next32_(s);
  if (r != digits[k]) return r < digits[k];
  return dppair_coin_(s, (UINT64_C(1) << 32) % k, k);
}

/* 1 with probability exactly exp(-f), f = the product of `count` fractions a / b <= 1: the number
 * of the first failure among coins of bias f/1, f/2, f/3, ... is odd with that probability (von
 * Neumann; Canonne, Kamath, Steinke 2020, algorithm 1). A coin of a product is a product of coins.
 */
DPPAIR_API int dppair_coin_exp_(dppair_source_ *s, const uint64_t *fractions, unsigned count) {
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
 * Steinke 2020, algorithm 2. Values that would pass 2^62 make the source fail with OVERFLOW. */
DPPAIR_API uint64_t dppair_two_sided_(dppair_source_ *s, int *negative, uint64_t num,
                                      uint64_t den) {
  while (s->status == DPPAIR_OK) {
    uint64_t fraction[2], whole = 0, x;
    fraction[0] = dppair_below_(s, num);
    fraction[1] = num;
    if (!dppair_coin_exp_(s, fraction, 1)) continue;
    while (dppair_coin_exp_(s, fraction, 0)) whole++; /* e^-1 each */
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

#define DPPAIR_RATIONAL_MAX_ (UINT64_C(1) << 54)

/*
 * x[i] exactly of the discrete Laplace law P(k) ~ exp(-|k| / t) on all integers, t = num / den,
 * both from 1 to 2^54. Integers only; the one inexact event, |x| beyond 2^62, is the error OVERFLOW
 * and has probability below 2^-300. The time depends on the values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace(int64_t *x, size_t n,
                                                                   uint64_t num, uint64_t den,
                                                                   dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status = dppair_array_(x, n);
  size_t i;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (num < 1 || den < 1 || num > DPPAIR_RATIONAL_MAX_ || den > DPPAIR_RATIONAL_MAX_)
    s.status = DPPAIR_ERR_SIGMA;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    int negative;
    const int64_t y = (int64_t)dppair_two_sided_(&s, &negative, num, den);
    x[i] = negative ? -y : y;
  }
  status = dppair_source_close_(&s);
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/* The largest t with t^2 b <= a. */
DPPAIR_API uint64_t dppair_root_(uint64_t a, uint64_t b) {
  const uint64_t q = a / b;
  uint64_t t = 0, bit;
  for (bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
    if ((t | bit) * (t | bit) <= q) t |= bit;
  return t;
}

/*
 * One candidate y = |Y| of the discrete Gaussian is kept with probability exp(-f),
 *   f = (y - sigma^2 / t)^2 / (2 sigma^2) = off^2 / (2 a b t^2), off = |y b t - a|, sigma^2 = a/b.
 * With m = ceil(off / (b t)), c = floor(off / 2a) + 1, e = floor(m / t) + 1 it is c e times
 *   off / (b t m)  *  off / (2 a c)  *  m / (t e),   fractions of at most 1 and of 63 bits,
 * so c e coins of bias exp(-product) must all show heads.
 */
DPPAIR_API int dppair_keep_gaussian_(dppair_source_ *s, uint64_t y, uint64_t a, uint64_t b,
                                     uint64_t t) {
  uint64_t fractions[6], off, m, c, e, rounds;
  if (y > (UINT64_C(1) << 62) / (b * t)) {
    s->status = DPPAIR_ERR_OVERFLOW;
    return 0;
  }
  off = y * b * t > a ? y * b * t - a : a - y * b * t;
  if (off == 0) return 1;
  if (off < UINT64_C(1) << 31 && a < UINT64_C(1) << 29 && b * t < (UINT64_C(1) << 31) / t) {
    fractions[1] = 2 * a * (b * t * t); /* small enough to be taken as it stands */
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

/*
 * x[i] exactly of the discrete Gaussian law P(k) ~ exp(-k^2 / (2 sigma^2)) on all integers,
 * sigma^2 = num / den, both from 1 to 2^54 (Canonne, Kamath, Steinke 2020, algorithm 3). It is
 * (sensitivity^2 / (2 sigma^2))-zCDP like the continuous law. Integers only; the one inexact event
 * is the error OVERFLOW, a candidate of Laplace(t) beyond 2^62 / (den t): as den t^2 <= 4 max(num,
 * den), of probability at most exp(-2^60 / max(num, den)), below 2^-92 for the largest parameters
 * and 2^-1000 for both below 2^50. The time depends on the values drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian(int64_t *x, size_t n,
                                                                    uint64_t num, uint64_t den,
                                                                    dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status = dppair_array_(x, n);
  size_t i;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (num < 1 || den < 1 || num > DPPAIR_RATIONAL_MAX_ || den > DPPAIR_RATIONAL_MAX_)
    s.status = DPPAIR_ERR_SIGMA;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++) {
    const uint64_t t = dppair_root_(num, den) + 1;
    uint64_t y;
    int negative;
    do {
      y = dppair_two_sided_(&s, &negative, t, 1);
    } while (s.status == DPPAIR_OK && !dppair_keep_gaussian_(&s, y, num, den, t));
    x[i] = negative ? -(int64_t)y : (int64_t)y;
  }
  status = dppair_source_close_(&s);
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

/* ---- src/noise/choices.h --------------------------------------------------------------------
 * Which records, which pairs: exactly uniform choices for mini-batches
 *
 * Give them a generator of their own, never that of the noise.
 * ---------------------------------------------------------------------------------------------- */

/* Closes a source and zeroes the output if it failed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_choice_end_(size_t *index, size_t n,
                                                              dppair_source_ *s) {
  const dppair_status status = dppair_source_close_(s);
  if (status != DPPAIR_OK && n > 0) memset(index, 0, n * sizeof *index);
  return status;
}

/* 1 with probability exactly q, a double in [0, 1]: by its binary digits. */
DPPAIR_API int dppair_coin_f64_(dppair_source_ *s, double q) {
  if (q >= 1.0) return 1;
  while (q > 0.0 && s->status == DPPAIR_OK) {
    const uint32_t r = dppair_next32_(s), digit = (uint32_t)(q * 4294967296.0);
    if (r != digit) return r < digit;
    q = q * 4294967296.0 - (double)digit;
  }
  return 0;
}

/* Poisson subsampling: each of n records independently with probability q in [0, 1], exactly. The
 * chosen ones, increasing, go to index[0 .. *count - 1]; index has room for n. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_poisson(size_t *index, size_t *count,
                                                                 size_t n, double q,
                                                                 dppair_rng *rng) {
  dppair_source_ s;
  dppair_status status = dppair_array_(index, n);
  size_t i, have = 0;
  if (count == NULL) return DPPAIR_ERR_NULL;
  *count = 0;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (!(dppair_isfinite_f64(q) && q >= 0.0 && q <= 1.0)) s.status = DPPAIR_ERR_DOMAIN;
  for (i = 0; i < n && s.status == DPPAIR_OK; i++)
    if (dppair_coin_f64_(&s, q)) index[have++] = i;
  status = dppair_choice_end_(index, n, &s);
  if (status == DPPAIR_OK) *count = have;
  return status;
}

/* m of n records, every one of them with equal probability at each place. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_with_replacement(size_t *index, size_t m,
                                                                          size_t n,
                                                                          dppair_rng *rng) {
  const dppair_status status = dppair_array_(index, m);
  dppair_source_ s;
  size_t i;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (n == 0 && m > 0) s.status = DPPAIR_ERR_SIZE;
  for (i = 0; i < m && s.status == DPPAIR_OK; i++) index[i] = (size_t)dppair_below_(&s, n);
  return dppair_choice_end_(index, m, &s);
}

/* Floyd's method into a sorted array: fast when m is small beside n. */
DPPAIR_API void dppair_floyd_(size_t *index, size_t m, size_t n, dppair_source_ *s) {
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
    if (low < have && index[low] == pick) { /* taken already: the newest number instead */
      pick = top;
      low = have;
    }
    memmove(index + low + 1, index + low, (have - low) * sizeof *index);
    index[low] = pick;
  }
}

/* m of n records without replacement: every subset of m equally likely, in increasing order. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_without_replacement(size_t *index,
                                                                             size_t m, size_t n,
                                                                             dppair_rng *rng) {
  const dppair_status status = dppair_array_(index, m);
  dppair_source_ s;
  size_t i, have = 0;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (m > n) s.status = DPPAIR_ERR_SIZE;
  if (s.status == DPPAIR_OK && m < 16 + n / (m + 1)) {
    dppair_floyd_(index, m, n, &s);
  } else {
    for (i = 0; have < m && s.status == DPPAIR_OK; i++) /* each by its conditional probability */
      if (dppair_coin_(&s, m - have, n - i)) index[have++] = i;
  }
  return dppair_choice_end_(index, m, &s);
}

/* Permutes the n numbers of an array, all n! orders equally likely (Fisher and Yates). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_shuffle(size_t *index, size_t n,
                                                          dppair_rng *rng) {
  const dppair_status status = dppair_array_(index, n);
  dppair_source_ s;
  size_t i;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  for (i = n; i > 1 && s.status == DPPAIR_OK; i--) {
    const size_t j = (size_t)dppair_below_(&s, i), t = index[i - 1];
    index[i - 1] = index[j];
    index[j] = t;
  }
  return dppair_choice_end_(index, n, &s);
}

/* m disjoint pairs of n records, 2 m <= n: every ordered choice of 2m different records is equally
 * likely; pair k is pairs[2k], pairs[2k + 1]. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_matching(size_t *pairs, size_t m, size_t n,
                                                                  dppair_rng *rng) {
  dppair_status status = dppair_array_(pairs, dppair_area_(m, 2));
  if (status != DPPAIR_OK) return status;
  if (m > n / 2) {
    memset(pairs, 0, 2 * m * sizeof *pairs);
    return DPPAIR_ERR_SIZE;
  }
  status = dppair_sample_without_replacement(pairs, 2 * m, n, rng);
  if (status == DPPAIR_OK) status = dppair_shuffle(pairs, 2 * m, rng);
  return status;
}

/* m ordered pairs (i, j), i != j, of n >= 2 records, each of the n (n - 1) equally likely at each
 * place, with replacement. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sample_pairs(size_t *pairs, size_t m, size_t n,
                                                               dppair_rng *rng) {
  const dppair_status status = dppair_array_(pairs, dppair_area_(m, 2));
  dppair_source_ s;
  size_t k;
  if (status != DPPAIR_OK) return status;
  dppair_source_open_(&s, rng);
  if (n < 2) s.status = DPPAIR_ERR_SIZE;
  for (k = 0; k < m && s.status == DPPAIR_OK; k++) {
    const size_t i = (size_t)dppair_below_(&s, n), j = (size_t)dppair_below_(&s, n - 1);
    pairs[2 * k] = i;
    pairs[2 * k + 1] = j + (j >= i ? 1u : 0u);
  }
  return dppair_choice_end_(pairs, 2 * m, &s);
}

/* ---- src/noise/simulation.h -----------------------------------------------------------------
 * Raw samples, for simulation. NOT FOR RELEASES: their low bits tell what they were added to. Use
 * dppair_add_* to protect data.
 *
 * Doubles come from 64 bits each and are within 2^-44 of the ideal value relative to the scale,
 * floats from 32 bits within 2^-19. Gaussians end at 9.4 scales (double) and 6.7 (float). The
 * vector tiers agree bit for bit; the scalar one, which has no fused multiplication, differs in
 * last bits.
 * ---------------------------------------------------------------------------------------------- */

/* 16 samples of scale 1 from levels 0 and 1 of a block. */
DPPAIR_API void dppair_fill_block_(double out[16], const uint32_t words[16],
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
      out[i / 2] = sqrt(2.0 * fabs(dppair_exponential_f64_(w)));
      out[i / 2 + 8] = out[i / 2] * s;
      out[i / 2] *= c;
      break;
    case DPPAIR_FILL_LAPLACE_:
      w[0] = words[i] << 1 | more[i] >> 31;
      w[1] = more[i] << 1 | 1u;
      if (w[0] == 0) w[0] = 1;
      c = fabs(dppair_exponential_f64_(w));
      out[i] = words[i] >> 31 ? -c : c;
      break;
    case DPPAIR_FILL_EXPONENTIAL_:
      if (w[0] == 0) w[0] = 1;
      out[i] = fabs(dppair_exponential_f64_(w));
      break;
    case DPPAIR_FILL_UNIFORM_:
      out[i] = (double)((((uint64_t)w[0] << 32 | w[1]) >> 12) * 2u + 1u) * DPPAIR_EXP2M_(53);
      break;
    default:
      out[i] = words[i] >> 31 ? -1.0 : 1.0;
    }
  }
}

/* The scalar tier makes none of them in vectors. */
DPPAIR_API size_t dppair_fill_scalar_(void *x, size_t n, int narrow, const uint32_t *words,
                                      const uint32_t *more, double scale, int law) {
  (void)x, (void)n, (void)narrow, (void)words, (void)more, (void)scale, (void)law;
  return 0;
}
#define dppair_fill_simd128_ dppair_fill_scalar_

/* n samples times a scale, at a tier. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_fill_work_(void *x, size_t n, int narrow, double scale,
                                                    int law, int tier, dppair_rng *rng) {
  const size_t width = narrow ? sizeof(float) : sizeof(double);
  unsigned char *bytes = (unsigned char *)x;
  dppair_rng use;
  size_t i, live, j;
  dppair_status status = dppair_array_(x, n);
  if (status != DPPAIR_OK) return status;
  status = dppair_rng_take_(&use, dppair_blocks_(n), rng);
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
        if (narrow) memset(more + j, 0x80, 16 * sizeof *more);
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

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_at_(void *x, size_t n, int narrow,
                                                           double scale, int law, int tier,
                                                           dppair_rng *rng) {
  const dppair_status status = dppair_fill_work_(x, n, narrow, scale, law, tier, rng);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* Simulation only: independent Gaussians of mean 0 and standard deviation sigma > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f64(double *x, size_t n,
                                                                    double sigma, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, sigma, DPPAIR_FILL_GAUSSIAN_, dppair_tier(), rng);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f32(float *x, size_t n,
                                                                    double sigma, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 1, sigma, DPPAIR_FILL_GAUSSIAN_, dppair_tier(), rng);
}

/* Simulation only: density exp(-|z| / scale) / (2 scale). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f64(double *x, size_t n,
                                                                   double scale, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_LAPLACE_, dppair_tier(), rng);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f32(float *x, size_t n, double scale,
                                                                   dppair_rng *rng) {
  return dppair_fill_at_(x, n, 1, scale, DPPAIR_FILL_LAPLACE_, dppair_tier(), rng);
}

/* Simulation only: density exp(-z / scale) / scale, z > 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_exponential_f64(double *x, size_t n,
                                                                       double scale,
                                                                       dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_EXPONENTIAL_, dppair_tier(), rng);
}

/* Simulation only: uniform in (0, width). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_uniform_f64(double *x, size_t n,
                                                                   double width, dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, width, DPPAIR_FILL_UNIFORM_, dppair_tier(), rng);
}

/* Simulation only: scale or -scale, equally likely. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_rademacher_f64(double *x, size_t n,
                                                                      double scale,
                                                                      dppair_rng *rng) {
  return dppair_fill_at_(x, n, 0, scale, DPPAIR_FILL_RADEMACHER_, dppair_tier(), rng);
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
  for (i = 0; i < n; i++) x[i] = status == DPPAIR_OK ? x[i] / sqrt(square) * radius : 0.0;
  return status;
}

/* Simulation only: the Gamma law of shape in [2^-10, 2^40] and scale > 0. Marsaglia and Tsang 2000;
 * below shape 1 by the power of a uniform. The number of tries depends on the values. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_fill_gamma_f64(double *x, size_t n, double shape,
                                                                 double scale, dppair_rng *rng) {
  const double a = shape < 1.0 ? shape + 1.0 : shape, d = a - 1.0 / 3, c = 1.0 / sqrt(9.0 * d);
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
    if (v > 0.0 && log(u[at]) < 0.5 * z[at] * z[at] + d - d * v + d * log(v)) {
      double boost = 1.0;
      if (shape < 1.0) {
        status = dppair_rng_uniform_f64(&boost, rng);
        if (status != DPPAIR_OK) break;
        boost = pow(boost, 1.0 / shape);
      }
      x[i++] = d * v * boost * scale;
    }
    at++;
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

DPPAIR_FP_END_

#endif /* DPPAIR_NOISE_H */

#else /* DPPAIR_NOISE_KERNELS_: the kernels of one tier, DPPAIR_TIER_ */

/* ---- src/noise/kernels/names.h -------------------------------------------------------------- */
#define dppair_chacha20_TIER_ DPR_FN(dppair_chacha20_)
#define dppair_second_TIER_ DPR_FN(dppair_second_)
#define dppair_chunk_TIER_ DPR_FN(dppair_chunk_)
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
#define dpr_open DPR_FN(dppair_open_)
#define dpr_round_f64 DPR_FN(dppair_round_f64_)
#define dpr_round_f32 DPR_FN(dppair_round_f32_)
#define dpr_round_wide DPR_FN(dppair_round_wide_)
#define dpr_note DPR_FN(dppair_note_)
#define dpr_store_pairs DPR_FN(dppair_store_pairs_)
#define dpr_gaussian_f32 DPR_FN(dppair_gaussian_f32_)
#define dpr_laplace_f32 DPR_FN(dppair_laplace_f32_)
#define dpr_first_f32 DPR_FN(dppair_first_f32_)
#define dpr_first_wide DPR_FN(dppair_first_wide_)
#define dpr_chunk_fine DPR_FN(dppair_chunk_fine_)
#define dpr_chunk_coarse DPR_FN(dppair_chunk_coarse_)

#if DPPAIR_TIER_ == 1
/* ---- src/noise/kernels/simd128.h ------------------------------------------------------------ */
#define DPR_FN(name) DPPAIR_CAT(name, simd128_)
#define DPR_NOISE 0
#define DPR_LANES 4
#define DPR_I simde__m128i
#define DPR_ILOAD(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define DPR_ISET(x) simde_mm_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) simde_mm_add_epi32(a, b)
#define DPR_IXOR(a, b) simde_mm_xor_si128(a, b)
#define DPR_IROL(a, r) simde_mm_or_si128(simde_mm_slli_epi32(a, r), simde_mm_srli_epi32(a, 32 - r))
#define DPR_UNPACK_LO32(a, b) simde_mm_unpacklo_epi32(a, b)
#define DPR_UNPACK_HI32(a, b) simde_mm_unpackhi_epi32(a, b)
#define DPR_UNPACK_LO64(a, b) simde_mm_unpacklo_epi64(a, b)
#define DPR_UNPACK_HI64(a, b) simde_mm_unpackhi_epi64(a, b)
#define DPR_STORE_PARTS(p, stride, a) simde_mm_storeu_si128((simde__m128i *)(void *)(p), a)
#elif DPPAIR_TIER_ == 2
/* ---- src/noise/kernels/avx2.h --------------------------------------------------------------- */
#define DPR_FN(name) DPPAIR_CAT(name, avx2_)
#define DPR_NOISE 1
#define DPR_LANES 8
#define DPR_I __m256i
#define DPR_F __m256
#define DPR_Q __m256i
#define DPR_D __m256d
#define DPR_M __m256
#define DPR_N __m256d
#define DPR_ILOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define DPR_ISET(x) _mm256_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) _mm256_add_epi32(a, b)
#define DPR_IAND(a, b) _mm256_and_si256(a, b)
#define DPR_IOR(a, b) _mm256_or_si256(a, b)
#define DPR_IXOR(a, b) _mm256_xor_si256(a, b)
#define DPR_ISLL(a, n) _mm256_slli_epi32(a, n)
#define DPR_ISRL(a, n) _mm256_srli_epi32(a, n)
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
#define DPR_I2F(a) _mm256_cvtepi32_ps(a)
#define DPR_U2F(a)                                                                                 \
  _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(a, 16)), _mm256_set1_ps(65536.0f),          \
                  _mm256_cvtepi32_ps(_mm256_and_si256(a, _mm256_set1_epi32(0xffff))))
#define DPR_FBITS(a) _mm256_castps_si256(a)
#define DPR_BITSF(a) _mm256_castsi256_ps(a)
#define DPR_FSET(x) _mm256_set1_ps(x)
#define DPR_FADD(a, b) _mm256_add_ps(a, b)
#define DPR_FSUB(a, b) _mm256_sub_ps(a, b)
#define DPR_FMUL(a, b) _mm256_mul_ps(a, b)
#define DPR_FFMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define DPR_FSQRT(a) _mm256_sqrt_ps(a)
#define DPR_FRINT(a) _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DPR_FSTORE(p, a) _mm256_storeu_ps(p, a)
#define DPR_FLOAD(p) _mm256_loadu_ps(p)
#define DPR_FSEL(m, a, b) _mm256_blendv_ps(b, a, m)
#define DPR_FGE(a, b) _mm256_cmp_ps(a, b, _CMP_NLT_UQ)
#define DPR_FGT(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#define DPR_MNONE _mm256_setzero_ps()
#define DPR_MOR(a, b) _mm256_or_ps(a, b)
#define DPR_M_LO(m)                                                                                \
  _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(_mm256_castps_si256(m))))
#define DPR_M_HI(m)                                                                                \
  _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(_mm256_castps_si256(m), 1)))
#define DPR_M_BITS(m) ((unsigned)_mm256_movemask_ps(m))
#define DPR_F_LO(a) _mm256_cvtps_pd(_mm256_castps256_ps128(a))
#define DPR_F_HI(a) _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))
#define DPR_D2F(lo, hi)                                                                            \
  _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(lo)), _mm256_cvtpd_ps(hi), 1)
#define DPR_QSET(x) _mm256_set1_epi64x((long long)(x))
#define DPR_QADD(a, b) _mm256_add_epi64(a, b)
#define DPR_QSUB(a, b) _mm256_sub_epi64(a, b)
#define DPR_QAND(a, b) _mm256_and_si256(a, b)
#define DPR_QANDNOT(a, b) _mm256_andnot_si256(a, b)
#define DPR_QOR(a, b) _mm256_or_si256(a, b)
#define DPR_QXOR(a, b) _mm256_xor_si256(a, b)
#define DPR_QSLL(a, n) _mm256_slli_epi64(a, n)
#define DPR_QSRL(a, n) _mm256_srli_epi64(a, n)
#define DPR_QGT(a, b) _mm256_castsi256_pd(_mm256_cmpgt_epi64(a, b))
#define DPR_WIDEN(p) _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)))
/* 64-bit integers by their halves, each inside the digits of a double: one rounding in all. */
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
#define DPR_DBITS(a) _mm256_castpd_si256(a)
#define DPR_BITSD(a) _mm256_castsi256_pd(a)
#define DPR_DSET(x) _mm256_set1_pd(x)
#define DPR_DLOAD(p) _mm256_loadu_pd(p)
#define DPR_DSTORE(p, a) _mm256_storeu_pd(p, a)
#define DPR_DLOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPR_DSTOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPR_DADD(a, b) _mm256_add_pd(a, b)
#define DPR_DSUB(a, b) _mm256_sub_pd(a, b)
#define DPR_DMUL(a, b) _mm256_mul_pd(a, b)
#define DPR_DDIV(a, b) _mm256_div_pd(a, b)
#define DPR_DFMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define DPR_DSQRT(a) _mm256_sqrt_pd(a)
#define DPR_DRINT(a) _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define DPR_NNONE _mm256_setzero_pd()
#define DPR_DSEL(m, a, b) _mm256_blendv_pd(b, a, m)
#define DPR_DGE(a, b) _mm256_cmp_pd(a, b, _CMP_NLT_UQ)
#define DPR_NOR(a, b) _mm256_or_pd(a, b)
#define DPR_N_BITS(m) ((unsigned)_mm256_movemask_pd(m))
#else
/* ---- src/noise/kernels/avx512.h ------------------------------------------------------------- */
/* gcc 12 has these two as macros whose own casts trip its warning. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
DPPAIR_FORCE_INLINE_ __m512 dppair_rint_ps_avx512_(__m512 a) {
  return _mm512_maskz_roundscale_ps(0xffff, a, 0x08);
}
DPPAIR_FORCE_INLINE_ __m512d dppair_rint_pd_avx512_(__m512d a) {
  return _mm512_maskz_roundscale_pd(0xff, a, 0x08);
}
#pragma GCC diagnostic pop
#define DPR_FN(name) DPPAIR_CAT(name, avx512_)
#define DPR_NOISE 1
#define DPR_LANES 16
#define DPR_I __m512i
#define DPR_F __m512
#define DPR_Q __m512i
#define DPR_D __m512d
#define DPR_M __mmask16
#define DPR_N __mmask8
#define DPR_ILOAD(p) _mm512_loadu_si512((const void *)(p))
#define DPR_ISET(x) _mm512_set1_epi32((int32_t)(x))
#define DPR_IADD(a, b) _mm512_add_epi32(a, b)
#define DPR_IAND(a, b) _mm512_and_si512(a, b)
#define DPR_IOR(a, b) _mm512_or_si512(a, b)
#define DPR_IXOR(a, b) _mm512_xor_si512(a, b)
#define DPR_ISLL(a, n) _mm512_maskz_slli_epi32(0xffff, a, n)
#define DPR_ISRL(a, n) _mm512_maskz_srli_epi32(0xffff, a, n)
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
#define DPR_I2F(a) _mm512_maskz_cvtepi32_ps(0xffff, a)
#define DPR_U2F(a) _mm512_maskz_cvtepu32_ps(0xffff, a)
#define DPR_FBITS(a) _mm512_castps_si512(a)
#define DPR_BITSF(a) _mm512_castsi512_ps(a)
#define DPR_FSET(x) _mm512_set1_ps(x)
#define DPR_FADD(a, b) _mm512_add_ps(a, b)
#define DPR_FSUB(a, b) _mm512_sub_ps(a, b)
#define DPR_FMUL(a, b) _mm512_mul_ps(a, b)
#define DPR_FFMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define DPR_FSQRT(a) _mm512_maskz_sqrt_ps(0xffff, a)
#define DPR_FRINT(a) dppair_rint_ps_avx512_(a)
#define DPR_FSTORE(p, a) _mm512_storeu_ps(p, a)
#define DPR_FLOAD(p) _mm512_loadu_ps(p)
#define DPR_FSEL(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define DPR_FGE(a, b) _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)
#define DPR_FGT(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define DPR_MNONE ((__mmask16)0)
#define DPR_MOR(a, b) ((__mmask16)((a) | (b)))
#define DPR_M_LO(m) ((__mmask8)((m)&0xff))
#define DPR_M_HI(m) ((__mmask8)((unsigned)(m) >> 8))
#define DPR_M_BITS(m) ((unsigned)(m))
#define DPR_F_LO(a) _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, a, 0))
#define DPR_F_HI(a) _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, a, 1))
#define DPR_D2F(lo, hi)                                                                            \
  _mm512_maskz_insertf32x8(0xffff, _mm512_castps256_ps512(_mm512_maskz_cvtpd_ps(0xff, lo)),        \
                           _mm512_maskz_cvtpd_ps(0xff, hi), 1)
#define DPR_QSET(x) _mm512_set1_epi64((long long)(x))
#define DPR_QADD(a, b) _mm512_add_epi64(a, b)
#define DPR_QSUB(a, b) _mm512_sub_epi64(a, b)
#define DPR_QAND(a, b) _mm512_and_si512(a, b)
#define DPR_QANDNOT(a, b) _mm512_maskz_andnot_epi64(0xff, a, b)
#define DPR_QOR(a, b) _mm512_or_si512(a, b)
#define DPR_QXOR(a, b) _mm512_xor_si512(a, b)
#define DPR_QSLL(a, n) _mm512_maskz_slli_epi64(0xff, a, n)
#define DPR_QSRL(a, n) _mm512_maskz_srli_epi64(0xff, a, n)
#define DPR_QGT(a, b) _mm512_cmpgt_epi64_mask(a, b)
#define DPR_WIDEN(p)                                                                               \
  _mm512_maskz_cvtepu32_epi64(0xff, _mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define DPR_Q2D(a) _mm512_maskz_cvtepi64_pd(0xff, a)
#define DPR_UQ2D(a) _mm512_maskz_cvtepu64_pd(0xff, a)
#define DPR_DBITS(a) _mm512_castpd_si512(a)
#define DPR_BITSD(a) _mm512_castsi512_pd(a)
#define DPR_DSET(x) _mm512_set1_pd(x)
#define DPR_DLOAD(p) _mm512_loadu_pd(p)
#define DPR_DSTORE(p, a) _mm512_storeu_pd(p, a)
#define DPR_DLOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPR_DSTOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPR_DADD(a, b) _mm512_add_pd(a, b)
#define DPR_DSUB(a, b) _mm512_sub_pd(a, b)
#define DPR_DMUL(a, b) _mm512_mul_pd(a, b)
#define DPR_DDIV(a, b) _mm512_div_pd(a, b)
#define DPR_DFMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define DPR_DSQRT(a) _mm512_maskz_sqrt_pd(0xff, a)
#define DPR_DRINT(a) dppair_rint_pd_avx512_(a)
#define DPR_NNONE ((__mmask8)0)
#define DPR_DSEL(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define DPR_DGE(a, b) _mm512_cmp_pd_mask(a, b, _CMP_NLT_UQ)
#define DPR_NOR(a, b) ((__mmask8)((a) | (b)))
#define DPR_N_BITS(m) ((unsigned)(m))
#endif

/* ---- src/noise/kernels/chacha20.h -----------------------------------------------------------
 * ChaCha20, DPR_LANES blocks side by side: vector w holds word w of every block.
 * ---------------------------------------------------------------------------------------------- */

#define DPR_QUARTER(a, b, c, d)                                                                    \
  a = DPR_IADD(a, b), d = DPR_IXOR(d, a), d = DPR_IROL(d, 16);                                     \
  c = DPR_IADD(c, d), b = DPR_IXOR(b, c), b = DPR_IROL(b, 12);                                     \
  a = DPR_IADD(a, b), d = DPR_IXOR(d, a), d = DPR_IROL(d, 8);                                      \
  c = DPR_IADD(c, d), b = DPR_IXOR(b, c), b = DPR_IROL(b, 7)

/* Rows of words to blocks: first four words of four blocks each, inside 128-bit parts. */
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
DPPAIR_FORCE_INLINE_ void dpr_chacha20_rows(uint32_t *out, DPR_I a, DPR_I b, DPR_I c,
                                                      DPR_I d) {
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

DPPAIR_API void dppair_chacha20_TIER_(uint32_t *out, const dppair_rng *rng, unsigned level,
                                       const uint64_t *blocks, size_t count) {
  uint32_t last[16 * DPR_LANES];
  size_t i;
  unsigned j;
  for (i = 0; i < count; i += DPR_LANES) {
    const size_t live = count - i < DPR_LANES ? count - i : DPR_LANES;
    uint32_t lo[DPR_LANES], hi[DPR_LANES], *to = live == DPR_LANES ? out + 16 * i : last;
    DPR_I x[16], c0, c1;
    const DPR_I s0 = DPR_ISET((uint32_t)rng->stream), s1 = DPR_ISET((uint32_t)(rng->stream >> 32));
    for (j = 0; j < DPR_LANES; j++) {
      const uint64_t at = dppair_address_(level, blocks[i + (j < live ? j : 0)]);
      lo[j] = (uint32_t)at;
      hi[j] = (uint32_t)(at >> 32);
    }
    x[0] = DPR_ISET(0x61707865u), x[1] = DPR_ISET(0x3320646eu), x[2] = DPR_ISET(0x79622d32u);
    x[3] = DPR_ISET(0x6b206574u), x[4] = DPR_ISET(rng->key[0]), x[5] = DPR_ISET(rng->key[1]);
    x[6] = DPR_ISET(rng->key[2]), x[7] = DPR_ISET(rng->key[3]), x[8] = DPR_ISET(rng->key[4]);
    x[9] = DPR_ISET(rng->key[5]), x[10] = DPR_ISET(rng->key[6]), x[11] = DPR_ISET(rng->key[7]);
    x[12] = c0 = DPR_ILOAD(lo), x[13] = c1 = DPR_ILOAD(hi), x[14] = s0, x[15] = s1;
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
#define DPR_PLUS(w, v) x[w] = DPR_IADD(x[w], v)
    DPR_PLUS(0, DPR_ISET(0x61707865u)), DPR_PLUS(1, DPR_ISET(0x3320646eu));
    DPR_PLUS(2, DPR_ISET(0x79622d32u)), DPR_PLUS(3, DPR_ISET(0x6b206574u));
    DPR_PLUS(4, DPR_ISET(rng->key[0])), DPR_PLUS(5, DPR_ISET(rng->key[1]));
    DPR_PLUS(6, DPR_ISET(rng->key[2])), DPR_PLUS(7, DPR_ISET(rng->key[3]));
    DPR_PLUS(8, DPR_ISET(rng->key[4])), DPR_PLUS(9, DPR_ISET(rng->key[5]));
    DPR_PLUS(10, DPR_ISET(rng->key[6])), DPR_PLUS(11, DPR_ISET(rng->key[7]));
    DPR_PLUS(12, c0), DPR_PLUS(13, c1), DPR_PLUS(14, s0), DPR_PLUS(15, s1);
#undef DPR_PLUS
    dpr_chacha20_store(to, x);
    if (live < DPR_LANES) {
      memcpy(out + 16 * i, last, 64 * live);
    }
  }
}

#if DPR_NOISE
/* ---- src/noise/kernels/float_level.h --------------------------------------------------------
 * The float level. u = 2^-24.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln(w 2^-32). U = v 2^k, v in [0.707, 1.414], f = v - 1; above 0.70727 the distance 1 - U is
 * converted instead, so that f has a relative error of u only. ln(1 + f) = f + f^2 Q(f), Q of
 * degree 6, |error| <= 2^-24.1. Error of e: relative 4u near U = 1, else (2.8 + e) u: v's
 * conversion u, Q's approximation 0.93u, its evaluation 0.5u, ln 2 rounded to float 0.35u, the last
 * sum e u.
 */
DPPAIR_FORCE_INLINE_ DPR_F dpr_exponential_f32(DPR_I w) {
  const DPR_F c = DPR_U2F(w);
  const DPR_I i = DPR_IADD(DPR_FBITS(c), DPR_ISET(0x004afb0du));
  const DPR_F k = DPR_FSUB(DPR_I2F(DPR_ISRL(i, 23)), DPR_FSET(159.0f));
  const DPR_F v = DPR_BITSF(DPR_IADD(DPR_IAND(i, DPR_ISET(0x007fffffu)), DPR_ISET(0x3f3504f3u)));
  const DPR_F f = DPR_FSEL(DPR_IGT(DPR_ISRL(w, 1), DPR_ISET(0x5a880000u)),
                           DPR_FMUL(DPR_I2F(w), DPR_FSET(2.3283064365386963e-10f)),
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
 * quarter turn; theta = it in radians, |theta| <= pi/4, relative error 2.5u. Polynomials of degree
 * 6 and 7: cosine within 3.2u, sine within 2.2u.
 */
DPPAIR_FORCE_INLINE_ void dpr_circle_f32(DPR_F *cosine, DPR_F *sine, DPR_I w) {
  const DPR_F theta = DPR_FMUL(DPR_I2F(DPR_ISLL(w, 2)), DPR_FSET(3.6572951981935396e-10f));
  const DPR_F z = DPR_FMUL(theta, theta);
  const DPR_I turn = DPR_IADD(w, DPR_ISET(0x20000000u)), sign = DPR_ISET(0x80000000u);
  const DPR_M odd = DPR_IGT(DPR_ISET(0), DPR_ISLL(turn, 1));
  DPR_F c = DPR_FFMA(z, DPR_FSET(-0.0013597823111755002f), DPR_FSET(0.041656294578493416f));
  DPR_F s = DPR_FFMA(z, DPR_FSET(-0.00019495636238835552f), DPR_FSET(0.008331978663168945f));
  c = DPR_FFMA(z, c, DPR_FSET(-0.49999894781371773f));
  c = DPR_FFMA(z, c, DPR_FSET(1.0f));
  s = DPR_FFMA(z, s, DPR_FSET(-0.16666650669294458f));
  s = DPR_FFMA(DPR_FMUL(theta, z), s, theta);
  *cosine = DPR_BITSF(DPR_IXOR(DPR_FBITS(DPR_FSEL(odd, s, c)),
                               DPR_IAND(DPR_IADD(turn, DPR_ISET(0x40000000u)), sign)));
  *sine = DPR_BITSF(DPR_IXOR(DPR_FBITS(DPR_FSEL(odd, c, s)), DPR_IAND(turn, sign)));
}

/* ---- src/noise/kernels/double_level.h -------------------------------------------------------
 * The double level. u = 2^-53.
 * ---------------------------------------------------------------------------------------------- */

/*
 * e = -ln(w 2^-64), as above: e = -(k ln 2 + 2 artanh(f / (2 + f))), series with minimax
 * coefficients to the 13th power, relative 2^-52.2. Error: relative 6u near U = 1, else (3.2 + 2e)
 * u. *reciprocal is at least 1/U, less than 1.5/U.
 */
DPPAIR_FORCE_INLINE_ DPR_D dpr_exponential_wide(DPR_Q w, DPR_D *reciprocal) {
  const DPR_Q i = DPR_QADD(DPR_DBITS(DPR_UQ2D(w)), DPR_QSET(0x00095f619980c433));
  const DPR_Q biased = DPR_QSRL(i, 52);
  const DPR_D k = DPR_DSUB(DPR_BITSD(DPR_QOR(biased, DPR_QSET(0x4330000000000000))),
                           DPR_DSET(4503599627370496.0 + 1087.0));
  const DPR_D v =
      DPR_BITSD(DPR_QADD(DPR_QAND(i, DPR_QSET(0x000fffffffffffff)), DPR_QSET(0x3fe6a09e667f3bcd)));
  const DPR_D f =
      DPR_DSEL(DPR_QGT(DPR_QSRL(w, 1), DPR_QSET(0x5a88000000000000)),
               DPR_DMUL(DPR_Q2D(w), DPR_DSET(5.421010862427522e-20)), DPR_DSUB(v, DPR_DSET(1.0)));
  const DPR_D r = DPR_DDIV(f, DPR_DADD(f, DPR_DSET(2.0))), z = DPR_DMUL(r, r);
  DPR_D p = DPR_DFMA(z, DPR_DSET(0.1681982761698498), DPR_DSET(0.18123642089449862));
  p = DPR_DFMA(z, p, DPR_DSET(0.22223371698075384));
  p = DPR_DFMA(z, p, DPR_DSET(0.2857141712958503));
  p = DPR_DFMA(z, p, DPR_DSET(0.40000000052274937));
  p = DPR_DFMA(z, p, DPR_DSET(0.666666666665872));
  p = DPR_DFMA(DPR_DMUL(r, z), p, DPR_DADD(r, r));
  p = DPR_DFMA(k, DPR_DSET(5.497923018708371e-14), p);
  /* 1/U = 2^-k / v <= 1.4143 2^-k, and biased = k + 1087 */
  *reciprocal =
      DPR_DMUL(DPR_BITSD(DPR_QSLL(DPR_QSUB(DPR_QSET(2110), biased), 52)), DPR_DSET(1.4143));
  return DPR_DSUB(DPR_DSET(0.0), DPR_DFMA(k, DPR_DSET(0.6931471805598903), p));
}

/* cos and sin of 2 pi w 2^-64, within 5.2u and 2.3u; as above with degrees 12 and 13. */
DPPAIR_FORCE_INLINE_ void dpr_circle_wide(DPR_D *cosine, DPR_D *sine, DPR_Q w) {
  const DPR_D theta = DPR_DMUL(DPR_Q2D(DPR_QSLL(w, 2)), DPR_DSET(8.515303950216386e-20));
  const DPR_D z = DPR_DMUL(theta, theta);
  const DPR_Q turn = DPR_QADD(w, DPR_QSET(0x2000000000000000));
  const DPR_Q sign = DPR_QSET(UINT64_C(0x8000000000000000));
  const DPR_N odd = DPR_QGT(DPR_QSET(0), DPR_QSLL(turn, 1));
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
  *cosine = DPR_BITSD(DPR_QXOR(DPR_DBITS(DPR_DSEL(odd, s, c)),
                               DPR_QAND(DPR_QADD(turn, DPR_QSET(0x4000000000000000)), sign)));
  *sine = DPR_BITSD(DPR_QXOR(DPR_DBITS(DPR_DSEL(odd, c, s)), DPR_QAND(turn, sign)));
}

/* Radius of a Gaussian pair, and tau for it: A + B R + the unread bits of U, in units of scale / g.
 * |error of R cos|, unread bits included: R 9.6u from root, cosine, product and sum; the logarithm
 * adds (3.2/R + R)u; the unread bits 2^-64 / (U R), R >= 1.17 where U < 1/2, 11u else (1 - U >=
 * 2^-30); those of T 2 pi R 2^-64. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_radius_wide(DPR_Q w, DPR_D *tau) {
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(w, &reciprocal);
  const DPR_D radius = DPR_DSQRT(DPR_DADD(e, e));
  *tau = DPR_DFMA(
      reciprocal, DPR_DSET(DPPAIR_EXP2M_(63) * 0.5),
      DPR_DFMA(radius, DPR_DSET(16.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  return radius;
}

/* Open when U < 2^-32 or U >= 1 - 2^-30. */
DPPAIR_FORCE_INLINE_ DPR_N dpr_tail_wide(DPR_Q u) {
  return DPR_QGT(DPR_QADD(u, DPR_QSET(UINT64_C(0) - UINT64_C(0x8000000100000000))),
                 DPR_QSET(0x7ffffffaffffffff));
}

/* A Laplace variable of scale 1 from 64 bits, the first of which is the sign. tau = 16u + 4eu + the
 * unread bits: the logarithm adds (3.2 + 2e)u, product and sum 2eu. Open when U < 2^-31. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_laplace_wide(DPR_Q w, DPR_D *tau, DPR_N *open) {
  const DPR_Q u = DPR_QSLL(w, 1);
  DPR_D reciprocal;
  const DPR_D e = dpr_exponential_wide(u, &reciprocal);
  *tau =
      DPR_DFMA(reciprocal, DPR_DSET(DPPAIR_EXP2M_(63)),
               DPR_DFMA(e, DPR_DSET(4.0 * DPPAIR_EXP2M_(53)), DPR_DSET(16.0 * DPPAIR_EXP2M_(53))));
  *open = DPR_QGT(DPR_QSET(0x100000000), DPR_QSRL(u, 1));
  return DPR_BITSD(DPR_QXOR(DPR_DBITS(e), DPR_QAND(w, DPR_QSET(UINT64_C(0x8000000000000000)))));
}

/* ---- src/noise/kernels/rounding.h -----------------------------------------------------------
 * Rounding and storing
 * ---------------------------------------------------------------------------------------------- */

/* A plan's constants in registers. `range` collects evidence of numbers beyond 2^51 g, infinities
 * and NaN: adding 1.5 2^52 leaves the exponent at 52 for all others. */
typedef struct dpr_constants {
  DPR_D inverse, g, s, magic;
  DPR_F narrow_s, narrow_inverse, narrow_g;
  DPR_Q range;
  DPR_M narrow_range;
} dpr_constants;

DPPAIR_FORCE_INLINE_ void dpr_constants_make(dpr_constants * c,
                                                       const dppair_plan_ *plan) {
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
DPPAIR_FORCE_INLINE_ int dpr_unfit(const dpr_constants * c) {
  return (DPR_N_BITS(DPR_QGT(DPR_QSRL(c->range, 52), DPR_QSET(0))) | DPR_M_BITS(c->narrow_range)) !=
         0;
}

/* x / g = whole + rest for DPR_LANES / 2 numbers, x float or double. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_take(DPR_D *whole, DPR_D *rest, const void *x, size_t at,
                                              int narrow, dpr_constants * c) {
  const DPR_D value =
      narrow ? DPR_DLOADF((const float *)x + at) : DPR_DLOAD((const double *)x + at);
  const DPR_D y = DPR_DMUL(value, c->inverse), moved = DPR_DADD(y, c->magic);
  c->range = DPR_QOR(c->range, DPR_QXOR(DPR_DBITS(moved), DPR_DBITS(c->magic)));
  *whole = DPR_DRINT(y);
  *rest = DPR_DSUB(y, *whole);
  return value;
}

/* x = (whole + k) g where decided; undecided numbers keep their value for the next level. */
DPPAIR_FORCE_INLINE_ void dpr_put(void *x, size_t at, int narrow, DPR_N undecided,
                                            DPR_D value, DPR_D whole, DPR_D k,
                                            const dpr_constants * c) {
  const DPR_D y = DPR_DFMA(DPR_DADD(whole, k), c->g, DPR_DSET(0.0));
  if (narrow) {
    DPR_DSTOREF((float *)x + at, DPR_DSEL(undecided, value, y));
  } else {
    DPR_DSTORE((double *)x + at, DPR_DSEL(undecided, value, y));
  }
}

/* The undecided ones of y: those further from the nearest integer than `reach`, 1/2 - tau. */
DPPAIR_FORCE_INLINE_ DPR_M dpr_open(DPR_F y, DPR_F k, DPR_F reach) {
  const DPR_F d = DPR_FSUB(y, k);
  return DPR_FGE(DPR_BITSF(DPR_IAND(DPR_FBITS(d), DPR_ISET(0x7fffffffu))), reach);
}

/* Rounds DPR_LANES doubles x[at ..] plus s z; returns the undecided ones as bits. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f64(double *x, size_t at, DPR_F z, DPR_F reach,
                                                      dpr_constants * constants) {
  DPR_D whole_a, whole_b, rest_a, rest_b;
  const size_t b = at + DPR_LANES / 2;
  const DPR_D value_a = dpr_take(&whole_a, &rest_a, x, at, 0, constants);
  const DPR_D value_b = dpr_take(&whole_b, &rest_b, x, b, 0, constants);
  const DPR_F y = DPR_FFMA(z, constants->narrow_s, DPR_D2F(rest_a, rest_b)), k = DPR_FRINT(y);
  const DPR_M open = dpr_open(y, k, reach);
  dpr_put(x, at, 0, DPR_M_LO(open), value_a, whole_a, DPR_F_LO(k), constants);
  dpr_put(x, b, 0, DPR_M_HI(open), value_b, whole_b, DPR_F_HI(k), constants);
  return DPR_M_BITS(open);
}

/* The same for floats, without leaving float: x / g, whole and rest are exact, since a float beyond
 * 2^23 is an integer; whole + k is rounded once, which is the last rounding of the release. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f32(float *x, size_t at, DPR_F z, DPR_F reach,
                                                      dpr_constants * constants) {
  const DPR_F value = DPR_FLOAD(x + at), all = DPR_FMUL(value, constants->narrow_inverse);
  const DPR_F whole = DPR_FRINT(all), limit = DPR_FSET(2251799813685248.0f);
  const DPR_F y = DPR_FFMA(z, constants->narrow_s, DPR_FSUB(all, whole)), k = DPR_FRINT(y);
  const DPR_M open = dpr_open(y, k, reach);
  constants->narrow_range =
      DPR_MOR(constants->narrow_range,
              DPR_MOR(DPR_FGE(all, limit), DPR_FGT(DPR_FSUB(DPR_FSET(0.0f), limit), all)));
  DPR_FSTORE(x + at, DPR_FSEL(open, value,
                              DPR_FFMA(DPR_FADD(whole, k), constants->narrow_g, DPR_FSET(0.0f))));
  return DPR_M_BITS(open);
}

DPPAIR_FORCE_INLINE_ unsigned dpr_round_wide(void *x, size_t at, int narrow, DPR_D z,
                                                       DPR_D tau, DPR_N open,
                                                       dpr_constants * constants) {
  DPR_D whole, rest;
  const DPR_D value = dpr_take(&whole, &rest, x, at, narrow, constants);
  const DPR_D y = DPR_DFMA(z, constants->s, rest), k = DPR_DRINT(y), d = DPR_DSUB(y, k);
  const DPR_D size = DPR_BITSD(DPR_QAND(DPR_DBITS(d), DPR_QSET(INT64_MAX)));
  open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, constants->s, size), DPR_DSET(0.5)));
  dpr_put(x, at, narrow, open, value, whole, k, constants);
  return DPR_N_BITS(open);
}

/* Appends the positions at + i of set bits i to a list, without a branch. */
DPPAIR_FORCE_INLINE_ uint32_t *dpr_note(uint32_t *end, unsigned bits, uint32_t at) {
#if DPR_LANES == 16
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i place = _mm512_add_epi32(lane, _mm512_set1_epi32((int32_t)at));
  _mm512_storeu_si512((void *)end, _mm512_maskz_compress_epi32((__mmask16)bits, place));
  return end + __builtin_popcount(bits);
#else
  uint32_t i;
  for (i = 0; i < DPR_LANES; i++) {
    *end = at + i;
    end += bits >> i & 1u;
  }
  return end;
#endif
}

/* ---- src/noise/kernels/first_level.h --------------------------------------------------------
 * First level of coarse grids, over n numbers, a multiple of 32
 * ---------------------------------------------------------------------------------------------- */

/* Cosine and sine values of DPR_LANES pairs to their places: eight and eight. */
DPPAIR_FORCE_INLINE_ void dpr_store_pairs(float *x, DPR_F c, DPR_F s) {
#if DPR_LANES == 16
  _mm512_storeu_ps(x, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0x44));
  _mm512_storeu_ps(x + 16, _mm512_maskz_shuffle_f32x4(0xffff, c, s, 0xee));
#else
  DPR_FSTORE(x, c);
  DPR_FSTORE(x + 8, s);
#endif
}

/* Gaussians of scale 1 and their reach 1/2 - tau; 0 where this level may not decide (U < 2^-12,
 * 1 - U <= 2^-20). tau = s u (6 + 8.5 R), for R <= 4.08: cosine, root and product 5.7 R u,
 * logarithm (2.8/R + R/2)u, unread bits below 4u (2.8u near U = 1), s rounded to float and the last
 * sum 2 R u, rest and reach rounded to float 2^-25. */
DPPAIR_FORCE_INLINE_ void dpr_gaussian_f32(float *z, float *reach, const uint32_t *words,
                                                     size_t n, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - 6.0f * step), fall = DPR_FSET(-8.5f * step);
  /* 2^20 <= u < 2^32 - 2^12 by one signed comparison */
  const DPR_I low = DPR_ISET(0u - 0x80100000u), room = DPR_ISET(0x7fefefffu);
  size_t i;
  for (i = 0; i < n; i += 2 * DPR_LANES) {
    DPR_I u, t;
    DPR_F radius, e, c, s, decided;
    DPR_EVEN_ODD(u, t, words + i);
    e = dpr_exponential_f32(u);
    radius = DPR_FSQRT(DPR_FADD(e, e));
    decided = DPR_FSEL(DPR_IGT(DPR_IADD(u, low), room), DPR_FSET(0.0f), DPR_FFMA(radius, fall, top));
    dpr_circle_f32(&c, &s, t);
    dpr_store_pairs(z + i, DPR_FMUL(radius, c), DPR_FMUL(radius, s));
    dpr_store_pairs(reach + i, decided, decided);
  }
}

/* Laplace variables of scale 1 and their reach. tau = s u (13 + 4 e) for U >= 2^-10: logarithm (2.8
 * + e)u, unread bits 2^-31 / U, at most 8u, s rounded and the last sum 2 e u, rest and reach
 * rounded 2^-25. */
DPPAIR_FORCE_INLINE_ void dpr_laplace_f32(float *z, float *reach, const uint32_t *words,
                                                    size_t n, const dppair_plan_ *plan) {
  const float step = (float)(plan->s * DPPAIR_EXP2M_(24));
  const DPR_F top = DPR_FSET(0.5f - 13.0f * step), fall = DPR_FSET(-4.0f * step);
  size_t i;
  for (i = 0; i < n; i += DPR_LANES) {
    const DPR_I w = DPR_ILOAD(words + i), u = DPR_ISLL(w, 1);
    const DPR_F e = dpr_exponential_f32(u);
    DPR_FSTORE(reach + i, DPR_FSEL(DPR_IGT(DPR_ISET(0x00200000u), DPR_ISRL(u, 1)), DPR_FSET(0.0f),
                                   DPR_FFMA(e, fall, top)));
    DPR_FSTORE(z + i, DPR_BITSF(DPR_IXOR(DPR_FBITS(e), DPR_IAND(w, DPR_ISET(0x80000000u)))));
  }
}

/* Rounds what is decided, notes the rest, returns its number. Noise first, rounding after it, in
 * steps of 512 numbers: two short loops overlap better in the processor than one long one. */
DPPAIR_FORCE_INLINE_ size_t dpr_first_f32(void *x, size_t n, int narrow,
                                                    const uint32_t *words, uint32_t *list,
                                                    int *unfit, const dppair_plan_ *plan) {
  dpr_constants constants;
  float z[512], reach[512];
  uint32_t *end = list;
  size_t i, j, live;
  dpr_constants_make(&constants, plan);
  for (i = 0; i < n; i += live) {
    live = n - i < 512 ? n - i : 512;
    if (plan->law == DPPAIR_NOISE_LAPLACE_) {
      dpr_laplace_f32(z, reach, words + i, live, plan);
    } else {
      dpr_gaussian_f32(z, reach, words + i, live, plan);
    }
    for (j = 0; j < live; j += DPR_LANES) {
      const DPR_F noise = DPR_FLOAD(z + j), limit = DPR_FLOAD(reach + j);
      unsigned open = narrow
                          ? dpr_round_f32((float *)x, i + j, noise, limit, &constants)
                          : dpr_round_f64((double *)x, i + j, noise, limit, &constants);
      DPPAIR_DECLASSIFY_(&open, sizeof open);
      end = dpr_note(end, open, (uint32_t)(i + j));
    }
  }
  *unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(unfit, sizeof *unfit);
  return (size_t)(end - list);
}

/* First level in double, for fine grids: 64 bits of each string, tau as in radius_wide. What stays
 * open, about one number in 2^(45 - log2 s), takes a branch and is worked out by wide integers. */
DPPAIR_FORCE_INLINE_ size_t dpr_first_wide(void *x, size_t n, int narrow,
                                                     const uint32_t *words, const uint32_t *more,
                                                     uint32_t *list, int *unfit,
                                                     const dppair_plan_ *plan) {
  dpr_constants constants;
  uint32_t *end = list;
  size_t i, h;
  dpr_constants_make(&constants, plan);
  if (plan->law == DPPAIR_NOISE_LAPLACE_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      DPR_D tau;
      DPR_N open;
      const DPR_D z = dpr_laplace_wide(w, &tau, &open);
      unsigned bits = dpr_round_wide(x, i, narrow, z, tau, open, &constants);
      DPPAIR_DECLASSIFY_(&bits, sizeof bits);
      if (bits != 0) end = dpr_note(end, bits, (uint32_t)i);
    }
  } else {
    for (i = 0; i < n; i += 16)
      for (h = 0; h < 16; h += DPR_LANES) { /* words U, T of DPR_LANES / 2 pairs */
        const size_t at = i + h / 2;
        const DPR_Q a = DPR_ILOAD(words + i + h), b = DPR_ILOAD(more + i + h);
        const DPR_Q u = DPR_QOR(DPR_QSLL(a, 32), DPR_QAND(b, DPR_QSET(0xffffffff)));
        const DPR_Q t = DPR_QOR(DPR_QANDNOT(DPR_QSET(0xffffffff), a), DPR_QSRL(b, 32));
        DPR_D tau, c, s;
        const DPR_D radius = dpr_radius_wide(u, &tau);
        const DPR_N open = dpr_tail_wide(u);
        unsigned cosines, sines;
        dpr_circle_wide(&c, &s, t);
        cosines =
            dpr_round_wide(x, at, narrow, DPR_DMUL(radius, c), tau, open, &constants);
        sines =
            dpr_round_wide(x, at + 8, narrow, DPR_DMUL(radius, s), tau, open, &constants);
        DPPAIR_DECLASSIFY_(&cosines, sizeof cosines);
        DPPAIR_DECLASSIFY_(&sines, sizeof sines);
        if ((cosines | sines) != 0) {
          end = dpr_note(end, cosines, (uint32_t)at);
          end = dpr_note(end, sines, (uint32_t)at + 8);
        }
      }
  }
  *unfit = dpr_unfit(&constants);
  DPPAIR_DECLASSIFY_(unfit, sizeof *unfit);
  return (size_t)(end - list);
}

/* ---- src/noise/kernels/second_level.h -------------------------------------------------------
 * Second level of coarse grids: `slots` undecided numbers at a time, filled up with copies of
 * number 0 whose results are dropped, so that the work does not depend on how many were undecided.
 * With m expected there are m + 7.5 sqrt(m) + 9 slots; their number is Poisson-like, more have
 * probability below 1e-15 and take a second round.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_second_TIER_(
    void *x, int narrow, const uint32_t *list, size_t live, size_t slots, const uint32_t *words,
    const dppair_rng *rng, uint64_t block, const dppair_plan_ *plan) {
  uint64_t units[DPPAIR_ROW_MAX_], u[DPPAIR_ROW_MAX_], t[DPPAIR_ROW_MAX_];
  uint32_t more[4 * DPPAIR_ROW_MAX_], at[DPPAIR_ROW_MAX_];
  double whole[DPPAIR_ROW_MAX_], rest[DPPAIR_ROW_MAX_], k[DPPAIR_ROW_MAX_];
  double sine[DPPAIR_ROW_MAX_], undecided[DPPAIR_ROW_MAX_];
  const int laplace = plan->law == DPPAIR_NOISE_LAPLACE_;
  dppair_status status = DPPAIR_OK;
  double idle = 0.0;
  size_t i;
  memset(units, 0, slots * sizeof *units);
  for (i = 0; i < slots; i++) {
    const uint32_t p = i < live ? list[i] : 0u, first = laplace ? p % 16 : 2 * (p % 8);
    const double y =
        (narrow ? (double)((const float *)x)[p] : ((const double *)x)[p]) * plan->inverse;
    at[i] = p;
    whole[i] = rint(y);
    rest[i] = y - whole[i];
    units[i] = 4 * (block + p / 16) + first / 4;
  }
  dppair_keystream_units_(more, rng, 1, units, slots, plan->tier);
  for (i = 0; i < slots; i++) {
    const uint32_t p = at[i], first = laplace ? p % 16 : 2 * (p % 8);
    const uint32_t *a = words + p / 16 * 16 + first, *b = more + 4 * i + first % 4;
    const unsigned next = laplace ? 0u : 1u;
    u[i] = (uint64_t)a[0] << 32 | b[0];
    t[i] = (uint64_t)a[next] << 32 | b[next];
    sine[i] = (p / 8 & 1u) ? 1.0 : 0.0;
  }
  for (i = 0; i < slots; i += DPR_LANES / 2) {
    const DPR_D half = DPR_DSET(0.5);
    DPR_D tau, c, s, z, y, r, size;
    DPR_N open;
    if (laplace) {
      z = dpr_laplace_wide(DPR_ILOAD(u + i), &tau, &open);
    } else {
      z = dpr_radius_wide(DPR_ILOAD(u + i), &tau);
      open = dpr_tail_wide(DPR_ILOAD(u + i));
      dpr_circle_wide(&c, &s, DPR_ILOAD(t + i));
      z = DPR_DMUL(z, DPR_DSEL(DPR_DGE(DPR_DLOAD(sine + i), half), s, c));
    }
    y = DPR_DFMA(z, DPR_DSET(plan->s), DPR_DLOAD(rest + i));
    r = DPR_DRINT(y);
    size = DPR_BITSD(DPR_QAND(DPR_DBITS(DPR_DSUB(y, r)), DPR_QSET(INT64_MAX)));
    open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, DPR_DSET(plan->s), size), half));
    DPR_DSTORE(k + i, r);
    DPR_DSTORE(undecided + i, DPR_DSEL(open, DPR_DSET(1.0), DPR_DSET(0.0)));
  }
  DPPAIR_DECLASSIFY_(undecided, slots * sizeof *undecided);
  for (i = 0; i < slots; i++) /* about one number in 2^35 at the default grid */
    if (undecided[i] != 0.0 && i < live && status == DPPAIR_OK)
      status = dppair_last_level_(&k[i], rest[i], rng, block + at[i] / 16, at[i] % 16, plan);
  for (i = 0; i < slots; i++) { /* idle slots write to a place of their own */
    void *to = i < live ? x : (void *)&idle;
    dppair_put_one_(to, i < live ? at[i] : 0, narrow, (whole[i] + k[i]) * plan->g);
  }
  return status;
}

/* Fine grids: double first, integers for what that leaves open. The two ways through a chunk are
 * not inlined, so that their arrays do not stand on the stack side by side. */
DPPAIR_OUT_OF_LINE_ dppair_status dpr_chunk_fine(void *x, size_t n, int narrow,
                                                           const uint32_t *words, uint32_t *list,
                                                           const dppair_rng *rng, uint64_t block,
                                                           const dppair_plan_ *plan) {
  uint32_t more[DPPAIR_CHUNK_];
  dppair_status status = DPPAIR_OK;
  size_t count, i;
  int unfit = 0;
  dppair_keystream_row_(more, rng, 1, block, n / 16, plan->tier);
  count = narrow ? dpr_first_wide(x, n, 1, words, more, list, &unfit, plan)
                 : dpr_first_wide(x, n, 0, words, more, list, &unfit, plan);
  if (unfit) status = dppair_unfit_status_(x, n, narrow);
  for (i = 0; i < count && status == DPPAIR_OK; i++)
    status = dppair_last_level_in_place_(x, list[i], narrow, rng, block, plan);
  return status;
}

/* Coarse grids: float first, the second level for what that leaves open. */
DPPAIR_OUT_OF_LINE_ dppair_status dpr_chunk_coarse(void *x, size_t n, int narrow,
                                                             const uint32_t *words, uint32_t *list,
                                                             const dppair_rng *rng, uint64_t block,
                                                             const dppair_plan_ *plan) {
  const double expected = (double)n * plan->open_rate;
  const size_t slots = ((size_t)(expected + 7.5 * sqrt(expected) + 9.0) + 8) / 8 * 8;
  dppair_status status = DPPAIR_OK;
  size_t count, i;
  int unfit = 0;
  count = narrow ? dpr_first_f32(x, n, 1, words, list, &unfit, plan)
                 : dpr_first_f32(x, n, 0, words, list, &unfit, plan);
  if (unfit) status = dppair_unfit_status_(x, n, narrow);
  for (i = 0; (i == 0 || i < count) && status == DPPAIR_OK; i += slots)
    status = dppair_second_TIER_(x, narrow, list + i, count - i < slots ? count - i : slots, slots,
                                  words, rng, block, plan);
  return status;
}

/* Noise for n numbers, a multiple of 32 and at most DPPAIR_CHUNK_. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_chunk_TIER_(void *x, size_t n, int narrow,
                                                               const dppair_rng *rng,
                                                               uint64_t block,
                                                               const dppair_plan_ *plan) {
  uint32_t words[DPPAIR_CHUNK_], list[DPPAIR_CHUNK_ + 16];
  dppair_keystream_row_(words, rng, 0, block, n / 16, plan->tier);
  return plan->coarse ? dpr_chunk_coarse(x, n, narrow, words, list, rng, block, plan)
                      : dpr_chunk_fine(x, n, narrow, words, list, rng, block, plan);
}

/* ---- src/noise/kernels/fill.h --------------------------------------------------------------- */
/* Raw samples for n / 32 * 32 numbers; returns how many were made. */
DPPAIR_API size_t dppair_fill_TIER_(void *x, size_t n, int narrow, const uint32_t *words,
                                     const uint32_t *more, double scale, int law) {
  const DPR_D by = DPR_DSET(scale);
  const DPR_F byf = DPR_FSET((float)scale);
  const DPR_Q sign = DPR_QSET(UINT64_C(0x8000000000000000));
  size_t i, h;
  n = n / 32 * 32;
  if (narrow && law == DPPAIR_FILL_GAUSSIAN_) {
    for (i = 0; i < n; i += 2 * DPR_LANES) {
      DPR_I u, t;
      DPR_F e, c, s, r;
      DPR_EVEN_ODD(u, t, words + i);
      e = dpr_exponential_f32(DPR_IOR(u, DPR_ISET(1)));
      r = DPR_FMUL(DPR_FSQRT(DPR_FADD(e, e)), byf);
      dpr_circle_f32(&c, &s, t);
      dpr_store_pairs((float *)x + i, DPR_FMUL(r, c), DPR_FMUL(r, s));
    }
  } else if (narrow) {
    for (i = 0; i < n; i += DPR_LANES) {
      const DPR_I w = DPR_ILOAD(words + i);
      const DPR_F e = dpr_exponential_f32(DPR_IOR(DPR_ISLL(w, 1), DPR_ISET(1)));
      DPR_FSTORE((float *)x + i, DPR_BITSF(DPR_IXOR(DPR_FBITS(DPR_FMUL(e, byf)),
                                                    DPR_IAND(w, DPR_ISET(0x80000000u)))));
    }
  } else if (law == DPPAIR_FILL_GAUSSIAN_) {
    for (i = 0; i < n; i += 16)
      for (h = 0; h < 16; h += DPR_LANES) {
        const DPR_Q a = DPR_ILOAD(words + i + h), b = DPR_ILOAD(more + i + h);
        const DPR_Q u = DPR_QOR(DPR_QSLL(a, 32), DPR_QAND(b, DPR_QSET(0xffffffff)));
        const DPR_Q t = DPR_QOR(DPR_QANDNOT(DPR_QSET(0xffffffff), a), DPR_QSRL(b, 32));
        DPR_D c, s, e, r;
        e = dpr_exponential_wide(DPR_QOR(u, DPR_QSET(1)), &r);
        r = DPR_DMUL(DPR_DSQRT(DPR_DADD(e, e)), by);
        dpr_circle_wide(&c, &s, t);
        DPR_DSTORE((double *)x + i + h / 2, DPR_DMUL(r, c));
        DPR_DSTORE((double *)x + i + 8 + h / 2, DPR_DMUL(r, s));
      }
  } else if (law == DPPAIR_FILL_LAPLACE_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      DPR_D unused, v;
      v = dpr_exponential_wide(DPR_QOR(DPR_QSLL(w, 1), DPR_QSET(1)), &unused);
      v = DPR_BITSD(DPR_QXOR(DPR_DBITS(v), DPR_QAND(w, sign)));
      DPR_DSTORE((double *)x + i, DPR_DMUL(v, by));
    }
  } else if (law == DPPAIR_FILL_EXPONENTIAL_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      DPR_D unused, v;
      v = dpr_exponential_wide(DPR_QOR(w, DPR_QSET(1)), &unused);
      DPR_DSTORE((double *)x + i, DPR_DMUL(v, by));
    }
  } else if (law == DPPAIR_FILL_UNIFORM_) {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QOR(DPR_QSLL(DPR_WIDEN(words + i), 32), DPR_WIDEN(more + i));
      const DPR_D v = DPR_DADD(DPR_Q2D(DPR_QSRL(w, 12)), DPR_DSET(0.5));
      DPR_DSTORE((double *)x + i, DPR_DMUL(DPR_DMUL(v, DPR_DSET(DPPAIR_EXP2M_(52))), by));
    }
  } else {
    for (i = 0; i < n; i += DPR_LANES / 2) {
      const DPR_Q w = DPR_QSLL(DPR_WIDEN(words + i), 32);
      DPR_DSTORE((double *)x + i, DPR_BITSD(DPR_QOR(DPR_DBITS(by), DPR_QAND(w, sign))));
    }
  }
  return n;
}
#endif

/* ---- src/noise/kernels/end.h ---------------------------------------------------------------- */
#undef DPR_BITSD
#undef DPR_BITSF
#undef DPR_BYTES
#undef DPR_D
#undef DPR_D2F
#undef DPR_DADD
#undef DPR_DBITS
#undef DPR_DDIV
#undef DPR_DFMA
#undef DPR_DGE
#undef DPR_DLOAD
#undef DPR_DLOADF
#undef DPR_DMUL
#undef DPR_DRINT
#undef DPR_DSEL
#undef DPR_DSET
#undef DPR_DSQRT
#undef DPR_DSTORE
#undef DPR_DSTOREF
#undef DPR_DSUB
#undef DPR_EVEN_ODD
#undef DPR_F
#undef DPR_FADD
#undef DPR_FBITS
#undef DPR_FFMA
#undef DPR_FGE
#undef DPR_FGT
#undef DPR_FLOAD
#undef DPR_FMUL
#undef DPR_FN
#undef DPR_FOUR
#undef DPR_FRINT
#undef DPR_FSEL
#undef DPR_FSET
#undef DPR_FSQRT
#undef DPR_FSTORE
#undef DPR_FSUB
#undef DPR_F_HI
#undef DPR_F_LO
#undef DPR_I
#undef DPR_I2F
#undef DPR_IADD
#undef DPR_IAND
#undef DPR_IGT
#undef DPR_ILOAD
#undef DPR_IOR
#undef DPR_IROL
#undef DPR_ISET
#undef DPR_ISLL
#undef DPR_ISRL
#undef DPR_IXOR
#undef DPR_LANES
#undef DPR_M
#undef DPR_MIX
#undef DPR_MNONE
#undef DPR_MOR
#undef DPR_M_BITS
#undef DPR_M_HI
#undef DPR_M_LO
#undef DPR_N
#undef DPR_NNONE
#undef DPR_NOISE
#undef DPR_NOR
#undef DPR_N_BITS
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
#undef DPR_QSLL
#undef DPR_QSRL
#undef DPR_QSUB
#undef DPR_QUARTER
#undef DPR_QXOR
#undef DPR_STORE_PARTS
#undef DPR_U2F
#undef DPR_UNPACK_HI32
#undef DPR_UNPACK_HI64
#undef DPR_UNPACK_LO32
#undef DPR_UNPACK_LO64
#undef DPR_UQ2D
#undef DPR_WIDEN
#undef dppair_chacha20_TIER_
#undef dppair_second_TIER_
#undef dppair_chunk_TIER_
#undef dppair_fill_TIER_
#undef dpr_chacha20_rows
#undef dpr_chacha20_store
#undef dpr_exponential_f32
#undef dpr_circle_f32
#undef dpr_exponential_wide
#undef dpr_circle_wide
#undef dpr_radius_wide
#undef dpr_tail_wide
#undef dpr_laplace_wide
#undef dpr_constants
#undef dpr_constants_make
#undef dpr_unfit
#undef dpr_take
#undef dpr_put
#undef dpr_open
#undef dpr_round_f64
#undef dpr_round_f32
#undef dpr_round_wide
#undef dpr_note
#undef dpr_store_pairs
#undef dpr_gaussian_f32
#undef dpr_laplace_f32
#undef dpr_first_f32
#undef dpr_first_wide
#undef dpr_chunk_fine
#undef dpr_chunk_coarse

#endif
