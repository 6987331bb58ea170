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
 *   generator   dppair_rng_from_os  _from_key  _seek  _bytes  _u64  _uniform_f64   dppair_wipe
 *   releases    dppair_add_gaussian_f64  _f32      Gaussian noise of standard deviation sigma
 *               dppair_add_laplace_f64   _f32      Laplace noise, density exp(-|z| / scale)
 *               dppair_add_l2ball_f64              density exp(-||z||_2 / scale), pure epsilon
 *               each with a twin ..._grid that takes the fineness of the output grid
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
 *   OF THE SAME STRINGS are read and the work is repeated with wider integers, until it is
 *   decided.
 *
 *   Theorem. x + z with ideal z is the textbook mechanism on the number x. round(. / g) is a
 *   fixed function, so the release is post-processing of it; the program outputs exactly that
 *   variable, because each digit is output only when all completions of the bits agree on it. So
 *   the release has the textbook mechanism's guarantee at the textbook sensitivity: the total
 *   variation distance is 0 under a uniform key stream, x need not be rounded first, nothing is
 *   added for the grid. A grid of scale / 2^k costs utility only: it adds at most g^2 / 12 to the
 *   variance, less than 8.0e-8 of sigma^2 at the default k = 10.
 *
 *   Consequences. The output is a mathematical function of (cipher, key, stream, position): the
 *   same bits on every machine, instruction set and compiler. -0 is never output. A tie has
 *   probability 0.
 *
 * ADDRESSES
 *   The key stream is a set of 64-byte blocks with a 128-bit address (stream, level, block). Word
 *   w of block b at levels 0, 1, 2, ... holds bits 0-31, 32-63, 64-95, ... of ONE infinite
 *   string. A call takes the next whole blocks: Gaussian samples in groups of 32 take two blocks,
 *   whose words j are U and T of pair j (sample j of the group is the cosine, sample 16 + j the
 *   sine); Laplace samples in groups of 16 take one block: the first bit is the sign, the rest is
 *   U.
 *
 * LIMITS
 *   The floating-point environment rounds to nearest (the default of C). scale in [2^-900,
 *   2^900], for float [2^-100, 2^100]; log2_ratio in [0, 40]. |x| must be below 2^51 g (with the
 *   default grid about 2^41 scale), else DPPAIR_ERR_OVERFLOW. Errors are public rules on x:
 *   whoever bounds the sensitivity by clipping x can never meet them.
 */
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
#if defined(__linux__) || defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

DPPAIR_FP_BEGIN_

#define DPPAIR_EXP2M_(n) (1.0 / (double)(UINT64_C(1) << (n))) /* 2^-n for n < 64 */

/* ------------------------------------------------------------------------------------------------
 * The generator
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_CHACHA20 = 1, DPPAIR_AES256 = 2 };

/* A key and a position in its stream; a plain struct that may be copied (the copy repeats the
 * stream). An all-zero or wiped generator is refused with DPPAIR_ERR_CIPHER. */
typedef struct dppair_rng {
  uint32_t key[60];   /* 256 bits; AES keeps its key schedule, which begins with the key, here */
  uint64_t stream;    /* high half of the address */
  uint64_t block;     /* the next unused 64-byte block */
  int64_t owner;      /* the process that keyed it from the system, 0 for given keys */
  uint32_t cipher;    /* DPPAIR_CHACHA20 or DPPAIR_AES256 */
  uint32_t used;      /* bytes of `buffer` already given out */
  uint8_t buffer[64]; /* block - 1, for small requests */
} dppair_rng;

#define DPPAIR_RNG_BLOCKS_ (UINT64_C(1) << 54) /* blocks per stream and level */
#define DPPAIR_NOISE_LEVELS_ 200u              /* levels that carry bits of noise strings */

/* Overwrites n bytes with zeros; the compiler may not leave it out. */
DPPAIR_API void dppair_wipe(void *p, size_t n) {
  volatile unsigned char *bytes = (volatile unsigned char *)p;
  size_t i;
  for (i = 0; i < n; i++) bytes[i] = 0;
}

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

/* Block `block` of level `level`, as 16 little-endian words. */
DPPAIR_API void dppair_keystream_(uint32_t out[16], const dppair_rng *rng, unsigned level,
                                  uint64_t block) {
  uint32_t address[4];
  address[0] = (uint32_t)block;
  address[1] = (uint32_t)level << 24 | (uint32_t)(block >> 32);
  address[2] = (uint32_t)rng->stream;
  address[3] = (uint32_t)(rng->stream >> 32);
  dppair_chacha20_block_(out, rng->key, address);
}

DPPAIR_API int64_t dppair_process_(void) {
#if defined(_WIN32)
  return (int64_t)_getpid();
#else
  return (int64_t)getpid();
#endif
}

#if !defined(_WIN32)
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
#if defined(_WIN32)
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
#elif defined(__APPLE__)
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

/*
 * Keys a generator: 32 bytes of key and a stream number. The same (key, stream) gives the same
 * output on every machine; different streams of one key are independent. ChaCha20.
 * A key that protects a release must be secret, and used for one purpose: never use the key of the
 * noise for choosing records.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key(dppair_rng *rng,
                                                               const uint8_t key[32],
                                                               uint64_t stream) {
  unsigned i;
  if (rng == NULL) return DPPAIR_ERR_NULL;
  memset(rng, 0, sizeof *rng);
  if (key == NULL) return DPPAIR_ERR_NULL;
  for (i = 0; i < 8; i++) rng->key[i] = dppair_load32_(key + 4 * i);
  rng->stream = stream;
  rng->cipher = DPPAIR_CHACHA20;
  rng->used = (uint32_t)sizeof rng->buffer;
  return DPPAIR_OK;
}

/* Keys a generator from the operating system. It belongs to this process: after fork() the child's
 * copy is refused with DPPAIR_ERR_FORK, since it would repeat the parent's noise. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_from_os(dppair_rng *rng) {
  uint8_t key[32];
  dppair_status status;
  if (rng == NULL) return DPPAIR_ERR_NULL;
  memset(rng, 0, sizeof *rng);
  status = dppair_entropy_(key, sizeof key);
  if (status == DPPAIR_OK) status = dppair_rng_from_key(rng, key, 0);
  if (status == DPPAIR_OK) rng->owner = dppair_process_();
  dppair_wipe(key, sizeof key);
  return status;
}

/* Is the generator usable in this process? */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_check_(const dppair_rng *rng) {
  if (rng == NULL) return DPPAIR_ERR_NULL;
  if (rng->cipher != DPPAIR_CHACHA20) return DPPAIR_ERR_CIPHER;
  if (rng->used > sizeof rng->buffer) return DPPAIR_ERR_CIPHER;
  if (rng->owner != 0 && rng->owner != dppair_process_()) return DPPAIR_ERR_FORK;
  return DPPAIR_OK;
}

/* Takes `blocks` whole blocks for one call; *first is the first of them. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_take_(uint64_t *first, uint64_t blocks,
                                                            dppair_rng *rng) {
  dppair_status status = dppair_rng_check_(rng);
  *first = 0;
  if (status != DPPAIR_OK) return status;
  if (rng->block > DPPAIR_RNG_BLOCKS_ || blocks > DPPAIR_RNG_BLOCKS_ - rng->block)
    return DPPAIR_ERR_EXHAUSTED;
  *first = rng->block;
  rng->block += blocks;
  dppair_wipe(rng->buffer, sizeof rng->buffer);
  rng->used = (uint32_t)sizeof rng->buffer;
  return DPPAIR_OK;
}

/* Moves to 64-byte block `block` of the stream (< 2^54). Going back repeats output: that is for
 * replaying and for handing parts of one array to threads, never for a second release. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_seek(dppair_rng *rng, uint64_t block) {
  dppair_status status = dppair_rng_check_(rng);
  if (status != DPPAIR_OK) return status;
  if (block > DPPAIR_RNG_BLOCKS_) return DPPAIR_ERR_EXHAUSTED;
  rng->block = block;
  dppair_wipe(rng->buffer, sizeof rng->buffer);
  rng->used = (uint32_t)sizeof rng->buffer;
  return DPPAIR_OK;
}

/* n uniform bytes. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_bytes(void *out, size_t n, dppair_rng *rng) {
  uint8_t *p = (uint8_t *)out;
  size_t i;
  dppair_status status = dppair_rng_check_(rng);
  if (out == NULL && n > 0) return DPPAIR_ERR_NULL;
  for (i = 0; status == DPPAIR_OK && i < n; i++) {
    if (rng->used == sizeof rng->buffer) {
      uint32_t words[16];
      uint64_t block;
      unsigned w;
      status = dppair_rng_take_(&block, 1, rng);
      if (status != DPPAIR_OK) break;
      dppair_keystream_(words, rng, 0, block);
      for (w = 0; w < 16; w++) dppair_store32_(rng->buffer + 4 * w, words[w]);
      dppair_wipe(words, sizeof words);
      rng->used = 0;
    }
    p[i] = rng->buffer[rng->used];
    rng->buffer[rng->used++] = 0;
  }
  if (status != DPPAIR_OK && out != NULL) dppair_wipe(out, n);
  return status;
}

/* A uniform 64-bit integer. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_u64(uint64_t *out, dppair_rng *rng) {
  uint8_t bytes[8];
  dppair_status status;
  if (out == NULL) return DPPAIR_ERR_NULL;
  status = dppair_rng_bytes(bytes, sizeof bytes, rng);
  *out = (uint64_t)dppair_load32_(bytes) | (uint64_t)dppair_load32_(bytes + 4) << 32;
  return status;
}

/* A number in the OPEN interval (0, 1): odd multiples of 2^-53, equally likely. 0 on error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_uniform_f64(double *out, dppair_rng *rng) {
  uint64_t bits;
  dppair_status status;
  if (out == NULL) return DPPAIR_ERR_NULL;
  status = dppair_rng_u64(&bits, rng);
  *out = status == DPPAIR_OK ? (double)((bits >> 12) * 2u + 1u) * DPPAIR_EXP2M_(53) : 0.0;
  return status;
}

/* ------------------------------------------------------------------------------------------------
 * The last level: fixed-point numbers of 32 N fractional bits and 64 bits before the point, held in
 * 32-bit words, least significant first. All are non-negative; every operation rounds down by less
 * than one unit of the last place ("ulp", 2^-32N). It runs about once in 2^20 samples.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_FIX_MAX_ 12u /* largest N */
#define DPPAIR_FIX_WORDS_ (DPPAIR_FIX_MAX_ + 2u)

typedef struct dppair_fix_ {
  uint32_t w[DPPAIR_FIX_WORDS_];
} dppair_fix_;

/* An enclosure: lo <= value <= hi. */
typedef struct dppair_range_ {
  dppair_fix_ lo, hi;
} dppair_range_;

/* A constant's word before the point and the first words after it, most significant first. */
DPPAIR_API void dppair_fix_constant_(dppair_fix_ *r, const uint32_t words[13], unsigned N) {
  unsigned i;
  memset(r, 0, sizeof *r);
  for (i = 0; i <= N; i++) r->w[N - i] = words[i];
}

DPPAIR_API void dppair_fix_add_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                unsigned N) {
  uint64_t carry = 0;
  unsigned i;
  for (i = 0; i < N + 2; i++) {
    carry += (uint64_t)a->w[i] + b->w[i];
    r->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* r = a - b modulo 2^64; returns 1 when a < b. */
DPPAIR_API int dppair_fix_sub_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                               unsigned N) {
  uint64_t borrow = 0;
  unsigned i;
  for (i = 0; i < N + 2; i++) {
    uint64_t d = (uint64_t)a->w[i] - b->w[i] - borrow;
    r->w[i] = (uint32_t)d;
    borrow = (d >> 32) & 1;
  }
  return (int)borrow;
}

/* r = a + ulps, and r = max(a - ulps, 0). */
DPPAIR_API void dppair_fix_up_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps, unsigned N) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  dppair_fix_add_(r, a, &e, N);
}

DPPAIR_API void dppair_fix_down_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t ulps, unsigned N) {
  dppair_fix_ e;
  memset(&e, 0, sizeof e);
  e.w[0] = ulps;
  if (dppair_fix_sub_(r, a, &e, N)) memset(r, 0, sizeof *r);
}

DPPAIR_API void dppair_fix_mul_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                unsigned N) {
  uint32_t p[2 * DPPAIR_FIX_WORDS_];
  unsigned i, j;
  memset(p, 0, sizeof p);
  for (i = 0; i < N + 2; i++) {
    uint64_t carry = 0;
    for (j = 0; j < N + 2; j++) {
      carry += (uint64_t)a->w[i] * b->w[j] + p[i + j];
      p[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    p[i + N + 2] = (uint32_t)carry;
  }
  for (i = 0; i < N + 2; i++) r->w[i] = p[i + N];
}

/* r = a m for a small integer; exact. */
DPPAIR_API void dppair_fix_scale_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m, unsigned N) {
  uint64_t carry = 0;
  unsigned i;
  for (i = 0; i < N + 2; i++) {
    carry += (uint64_t)a->w[i] * m;
    r->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* r = a / m for a small integer, rounded down; returns 1 when r is 0. */
DPPAIR_API int dppair_fix_shrink_(dppair_fix_ *r, const dppair_fix_ *a, uint32_t m, unsigned N) {
  uint64_t rest = 0;
  uint32_t any = 0;
  unsigned i;
  for (i = N + 2; i-- > 0;) {
    rest = rest << 32 | a->w[i];
    r->w[i] = (uint32_t)(rest / m);
    any |= r->w[i];
    rest %= m;
  }
  return any == 0;
}

DPPAIR_API void dppair_fix_shift_in_(dppair_fix_ *a, unsigned bits, uint32_t in, unsigned N) {
  uint32_t carry = in;
  unsigned i;
  for (i = 0; i < N + 2; i++) {
    uint32_t next = a->w[i] >> (32 - bits);
    a->w[i] = a->w[i] << bits | carry;
    carry = next;
  }
}

/* r = a / b, digit by digit; b > 0 and the quotient below 2^64. */
DPPAIR_API void dppair_fix_div_(dppair_fix_ *r, const dppair_fix_ *a, const dppair_fix_ *b,
                                unsigned N) {
  dppair_fix_ rest, quotient, trial;
  unsigned bit;
  memset(&rest, 0, sizeof rest);
  memset(&quotient, 0, sizeof quotient);
  for (bit = 32 * (2 * N + 2); bit-- > 0;) {
    uint32_t in = bit >= 32 * N ? a->w[bit / 32 - N] >> (bit % 32) & 1u : 0u;
    dppair_fix_shift_in_(&rest, 1, in, N);
    if (dppair_fix_sub_(&trial, &rest, b, N)) {
      dppair_fix_shift_in_(&quotient, 1, 0, N);
    } else {
      rest = trial;
      dppair_fix_shift_in_(&quotient, 1, 1, N);
    }
  }
  *r = quotient;
}

/* r = sqrt(a), digit by digit. */
DPPAIR_API void dppair_fix_sqrt_(dppair_fix_ *r, const dppair_fix_ *a, unsigned N) {
  dppair_fix_ rest, root, trial;
  unsigned bit;
  memset(&rest, 0, sizeof rest);
  memset(&root, 0, sizeof root);
  for (bit = 32 * (2 * N + 2); bit > 0; bit -= 2) {
    unsigned at = bit - 2;
    uint32_t in = at >= 32 * N ? a->w[at / 32 - N] >> (at % 32) & 3u : 0u;
    dppair_fix_shift_in_(&rest, 2, in, N);
    trial = root;
    dppair_fix_shift_in_(&trial, 2, 1, N);
    if (dppair_fix_sub_(&trial, &rest, &trial, N)) {
      dppair_fix_shift_in_(&root, 1, 0, N);
    } else {
      rest = trial;
      dppair_fix_shift_in_(&root, 1, 1, N);
    }
  }
  *r = root;
}

/* r = x for a finite x >= 0 below 2^63, rounded down; returns 1 when digits were cut off. */
DPPAIR_API int dppair_fix_from_f64_(dppair_fix_ *r, double x, unsigned N) {
  int exponent, shift;
  uint64_t digits, rest;
  unsigned i;
  memset(r, 0, sizeof *r);
  if (!(x > 0.0)) return 0;
  digits = (uint64_t)ldexp(frexp(x, &exponent), 53);
  shift = exponent - 53 + (int)(32 * N); /* x = digits 2^(shift - 32 N) */
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

/* One infinite string of bits: word `lane` of block `block` at levels 0, 1, 2, ... */
typedef struct dppair_string_ {
  const dppair_rng *rng;
  uint64_t block;
  unsigned lane;
} dppair_string_;

DPPAIR_API uint32_t dppair_string_word_(const dppair_string_ *s, unsigned level) {
  uint32_t words[16], word;
  dppair_keystream_(words, s->rng, level, s->block);
  word = words[s->lane];
  dppair_wipe(words, sizeof words);
  return word;
}

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
                                                                     unsigned skip, unsigned N) {
  static const uint32_t ln2[13] = {0u,          0xb17217f7u, 0xd1cf79abu, 0xc9e3b398u, 0x03f2f6afu,
                                   0x40f34326u, 0x7298b62du, 0x8a0d175bu, 0x8baafa2bu, 0xe7b87620u,
                                   0x6debac98u, 0x559552fbu, 0x4afa1b10u};
  dppair_fix_ fraction, one, top, bottom, square, power, term, sum, big;
  uint32_t word, next;
  unsigned level = 0, zeros = 0, m, j;
  int past;
  word = dppair_string_word_(s, 0) & (0xffffffffu >> skip);
  while (word == 0) {
    if (++level >= DPPAIR_NOISE_LEVELS_ - N - 1) return DPPAIR_ERR_EXHAUSTED;
    word = dppair_string_word_(s, level);
  }
  while ((word >> (31 - zeros) & 1u) == 0) zeros++;
  m = 32 * level + zeros + 1 - skip;
  memset(&fraction, 0, sizeof fraction);
  for (j = 0; j < N; j++) {
    next = dppair_string_word_(s, level + j + 1);
    fraction.w[N - 1 - j] = (uint32_t)((((uint64_t)word << 32 | next) << (zeros + 1)) >> 32);
    word = next;
  }
  past = fraction.w[N - 1] >= 0x6a000000u;
  memset(&one, 0, sizeof one);
  one.w[N] = 1;
  bottom = fraction;
  bottom.w[N] = past ? 3 : 2;
  top = fraction;
  if (past) (void)dppair_fix_sub_(&top, &one, &fraction, N);
  dppair_fix_div_(&power, &top, &bottom, N);
  dppair_fix_mul_(&square, &power, &power, N);
  memset(&sum, 0, sizeof sum);
  for (j = 1; !dppair_fix_shrink_(&term, &power, j, N); j += 2) {
    dppair_fix_add_(&sum, &sum, &term, N);
    dppair_fix_mul_(&power, &power, &square, N);
  }
  dppair_fix_add_(&sum, &sum, &sum, N);
  dppair_fix_constant_(&big, ln2, N);
  dppair_fix_scale_(&big, &big, past ? m - 1 : m, N);
  if (past) {
    dppair_fix_add_(&sum, &big, &sum, N);
  } else {
    (void)dppair_fix_sub_(&sum, &big, &sum, N);
  }
  dppair_fix_down_(&e->lo, &sum, 256 + m, N);
  dppair_fix_up_(&e->hi, &sum, 256 + m, N);
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
                                    unsigned N) {
  static const uint32_t two_pi[13] = {
      6u,          0x487ed511u, 0x0b4611a6u, 0x2633145cu, 0x06e0e689u, 0x48127044u, 0x533e63a0u,
      0x105df531u, 0xd89cd912u, 0x8a5043ccu, 0x71a026efu, 0x7ca8cd9eu, 0x69d218d9u};
  dppair_fix_ t, eighth, square, term, sum;
  unsigned j, quadrant, function;
  memset(&t, 0, sizeof t);
  memset(&eighth, 0, sizeof eighth);
  for (j = 0; j < N; j++) t.w[N - 1 - j] = dppair_string_word_(s, j);
  eighth.w[N - 1] = 0x20000000u;
  dppair_fix_add_(&t, &t, &eighth, N);
  quadrant = t.w[N - 1] >> 30;
  t.w[N - 1] &= 0x3fffffffu;
  t.w[N] = 0;
  function = (quadrant + 3 * sine) & 3;      /* cos, -sin, -cos, sin of the rest */
  if (dppair_fix_sub_(&t, &t, &eighth, N)) { /* the rest is negative: take its absolute value */
    dppair_fix_ zero;
    memset(&zero, 0, sizeof zero);
    (void)dppair_fix_sub_(&t, &zero, &t, N);
    if (function & 1) function ^= 2;
  }
  dppair_fix_constant_(&sum, two_pi, N);
  dppair_fix_mul_(&t, &t, &sum, N);
  dppair_fix_mul_(&square, &t, &t, N);
  memset(&sum, 0, sizeof sum);
  if (function & 1) {
    term = t;
    j = 2;
  } else {
    memset(&term, 0, sizeof term);
    term.w[N] = 1;
    j = 1;
  }
  for (;;) { /* term = theta^(j-1) / (j-1)!, signs alternate, partial sums stay positive */
    dppair_fix_add_(&sum, &sum, &term, N);
    dppair_fix_mul_(&term, &term, &square, N);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), N)) break;
    j += 2;
    (void)dppair_fix_sub_(&sum, &sum, &term, N);
    dppair_fix_mul_(&term, &term, &square, N);
    if (dppair_fix_shrink_(&term, &term, j * (j + 1), N)) break;
    j += 2;
  }
  dppair_fix_down_(&c->lo, &sum, 1024, N);
  dppair_fix_up_(&c->hi, &sum, 1024, N);
  return function == 1 || function == 2;
}

/* Encloses r = a b. */
DPPAIR_API void dppair_range_mul_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned N) {
  dppair_fix_mul_(&r->lo, &a->lo, &b->lo, N);
  dppair_fix_mul_(&r->hi, &a->hi, &b->hi, N);
  dppair_fix_up_(&r->hi, &r->hi, 1, N);
}

/* Encloses r = a + b. */
DPPAIR_API void dppair_range_add_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned N) {
  dppair_fix_add_(&r->lo, &a->lo, &b->lo, N);
  dppair_fix_add_(&r->hi, &a->hi, &b->hi, N);
}

/* Encloses r = a / b; b->lo > 0. */
DPPAIR_API void dppair_range_div_(dppair_range_ *r, const dppair_range_ *a, const dppair_range_ *b,
                                  unsigned N) {
  dppair_range_ q;
  dppair_fix_div_(&q.lo, &a->lo, &b->hi, N);
  dppair_fix_div_(&q.hi, &a->hi, &b->lo, N);
  dppair_fix_up_(&q.hi, &q.hi, 1, N);
  *r = q;
}

/* Encloses r = sqrt(a). */
DPPAIR_API void dppair_range_sqrt_(dppair_range_ *r, const dppair_range_ *a, unsigned N) {
  dppair_fix_sqrt_(&r->lo, &a->lo, N);
  dppair_fix_sqrt_(&r->hi, &a->hi, N);
  dppair_fix_up_(&r->hi, &r->hi, 1, N);
}

/* Encloses |z| of a standard Gaussian from its strings; returns its sign through *negative. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_exact_(dppair_range_ *z, int *negative,
                                                                  const dppair_string_ *u,
                                                                  const dppair_string_ *t,
                                                                  unsigned sine, unsigned N) {
  dppair_range_ c;
  dppair_status status = dppair_exponential_exact_(z, u, 0, N);
  if (status != DPPAIR_OK) return status;
  dppair_range_add_(z, z, z, N);
  dppair_range_sqrt_(z, z, N);
  *negative = dppair_cosine_exact_(&c, t, sine, N);
  dppair_range_mul_(z, z, &c, N);
  return DPPAIR_OK;
}

/*
 * round(rest +- s z) for |rest| <= 1/2 and an enclosed z >= 0: 1 and *out when both ends agree,
 * 0 when more bits are needed. round(y) = floor(y + 1/2), and a number's words before the point are
 * its floor modulo 2^64, which two's complement reads back.
 */
DPPAIR_API int dppair_round_exact_(double *out, double rest, double s, const dppair_range_ *z,
                                   int negative, unsigned N) {
  dppair_range_ y, p;
  dppair_fix_ half;
  uint64_t lo, hi;
  unsigned cut;
  (void)dppair_fix_from_f64_(&y.lo, s, N); /* exact: 2^-32N divides the last bit of s >= 1 */
  y.hi = y.lo;
  dppair_range_mul_(&y, &y, z, N);
  cut = (unsigned)dppair_fix_from_f64_(&p.lo, fabs(rest), N);
  memset(&half, 0, sizeof half);
  half.w[N - 1] = 0x80000000u;
  if (rest < 0.0) {
    (void)dppair_fix_sub_(&p.lo, &half, &p.lo, N);
  } else {
    dppair_fix_add_(&p.lo, &half, &p.lo, N);
  }
  dppair_fix_up_(&p.hi, &p.lo, cut, N);
  dppair_fix_down_(&p.lo, &p.lo, cut, N);
  if (negative) {
    (void)dppair_fix_sub_(&p.lo, &p.lo, &y.hi, N);
    (void)dppair_fix_sub_(&p.hi, &p.hi, &y.lo, N);
  } else {
    dppair_range_add_(&p, &p, &y, N);
  }
  lo = (uint64_t)p.lo.w[N + 1] << 32 | p.lo.w[N];
  hi = (uint64_t)p.hi.w[N + 1] << 32 | p.hi.w[N];
  *out = lo >> 63 ? -(double)(~lo + 1) : (double)lo;
  return lo == hi;
}

/* ------------------------------------------------------------------------------------------------
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

/* round(y) when no completion can disagree: |y - round(y)| < 1/2 - tau; else 0 is returned. */
DPPAIR_API int dppair_round_f64_(double *out, double y, double tau) {
  double k = rint(y);
  *out = k;
  return fabs(y - k) < 0.5 - tau;
}

/* ------------------------------------------------------------------------------------------------
 * Groups of 32 samples from two blocks: rest[i] in [-1/2, 1/2] goes in, k[i] = round(rest[i] + s
 * z_i) comes out, z_i of scale 1.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Gaussian. tau = 2^-46 s + 2^-52 |y|. With R = sqrt(-2 ln U) the error of R cos is below
 * 8uR + 4u/R (the logarithm 4u(1 + R^2/2) / R and the root uR; the second term only where
 * R > 0.83, since at larger U the logarithm is exact to 4u relative) + 3uR (cosine) + uR (product);
 * R < 6.7 as the first word of U is not 0: below 2^-46.2 in all, 2^-46.9 for R < 4.8. The unread
 * bits move R by at most 2^-63 / (U R), below 2^-48, and R cos by 2 pi R 2^-64. Adding rest rounds
 * by u|y|, the product by us|z|.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_group_(double *k, const double *rest,
                                                                  unsigned count, double s,
                                                                  const dppair_rng *rng,
                                                                  uint64_t block) {
  uint32_t words[4][16];
  dppair_status status = DPPAIR_OK;
  unsigned j, i;
  for (j = 0; j < 4; j++) dppair_keystream_(words[j], rng, j >> 1, block + (j & 1));
  for (j = 0; j < 16 && j < count && status == DPPAIR_OK; j++) {
    dppair_string_ u, t;
    uint32_t w[3];
    double e, z[2];
    u.rng = t.rng = rng;
    u.block = block;
    t.block = block + 1;
    u.lane = t.lane = j;
    dppair_string_read_(w, &u, words[0][j], words[2][j], 0);
    e = dppair_exponential_f64_(w);
    dppair_circle_f64_(&z[0], &z[1], (uint64_t)words[1][j] << 32 | words[3][j]);
    for (i = j; i < count && status == DPPAIR_OK; i += 16) {
      double y = rest[i] + s * (sqrt(2.0 * fabs(e)) * z[i / 16]);
      int done = e > 0.0 &&
                 dppair_round_f64_(&k[i], y, DPPAIR_EXP2M_(46) * s + DPPAIR_EXP2M_(52) * fabs(y));
      unsigned N;
      for (N = 4; !done && status == DPPAIR_OK; N += 4) {
        dppair_range_ size;
        int negative = 0;
        if (N > DPPAIR_FIX_MAX_) {
          status = DPPAIR_ERR_EXHAUSTED;
        } else {
          status = dppair_gaussian_exact_(&size, &negative, &u, &t, i / 16, N);
        }
        if (status == DPPAIR_OK) done = dppair_round_exact_(&k[i], rest[i], s, &size, negative, N);
      }
    }
  }
  dppair_wipe(words, sizeof words);
  return status;
}

/*
 * Laplace: the first bit is the sign, the rest U, z = -ln U. tau = 2^-45 s + 2^-52 |y|: the
 * logarithm 4u(1 + 22.2), as the first word of U is not 0, the product u 22.2, the unread bits
 * below 2^-46.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_laplace_group_(double *k, const double *rest,
                                                                 unsigned count, double s,
                                                                 const dppair_rng *rng,
                                                                 uint64_t block) {
  uint32_t words[4][16];
  dppair_status status = DPPAIR_OK;
  unsigned j, i;
  for (j = 0; j < 4; j++) dppair_keystream_(words[j], rng, j >> 1, block + (j & 1));
  for (i = 0; i < count && status == DPPAIR_OK; i++) {
    uint32_t w[3], w0 = words[i / 16][i % 16];
    dppair_string_ u;
    double e, y;
    int negative = (int)(w0 >> 31), done;
    unsigned N;
    u.rng = rng;
    u.block = block + i / 16;
    u.lane = i % 16;
    dppair_string_read_(w, &u, w0, words[2 + i / 16][i % 16], 1);
    e = dppair_exponential_f64_(w);
    y = rest[i] + (negative ? -s : s) * e;
    done =
        e > 0.0 && dppair_round_f64_(&k[i], y, DPPAIR_EXP2M_(45) * s + DPPAIR_EXP2M_(52) * fabs(y));
    for (N = 4; !done && status == DPPAIR_OK; N += 4) {
      dppair_range_ size;
      if (N > DPPAIR_FIX_MAX_) {
        status = DPPAIR_ERR_EXHAUSTED;
      } else {
        status = dppair_exponential_exact_(&size, &u, 1, N);
      }
      if (status == DPPAIR_OK) done = dppair_round_exact_(&k[i], rest[i], s, &size, negative, N);
    }
  }
  dppair_wipe(words, sizeof words);
  return status;
}

/* ------------------------------------------------------------------------------------------------
 * Releases
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SCALE_MAX_F64_ 8.452712498170644e+270 /* 2^900 */
#define DPPAIR_SCALE_MAX_F32_ 1.2676506002282294e+30 /* 2^100 */
#define DPPAIR_SCALE_MAX_L2_ 7.5075168288047e+255    /* 2^850: leaves room for sqrt(n) */

typedef dppair_status (*dppair_group_fn_)(double *, const double *, unsigned, double,
                                          const dppair_rng *, uint64_t);

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

/* x / g = whole + rest with |rest| <= 1/2, both exact (what an underflow of x / g cuts off is below
 * 2^-1074 and lies inside every tau). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_split_(double *whole, double *rest, double x,
                                                         int exponent) {
  double y = ldexp(x, -exponent);
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_NOT_FINITE;
  if (!(fabs(y) < 2251799813685248.0)) return DPPAIR_ERR_OVERFLOW;
  *whole = rint(y);
  *rest = y - *whole;
  return DPPAIR_OK;
}

/* One group of up to 32 numbers, in place. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_group_(double *x, unsigned count,
                                                                 double scale, int exponent,
                                                                 dppair_group_fn_ group,
                                                                 const dppair_rng *rng,
                                                                 uint64_t block) {
  double whole[32] = {0.0}, rest[32] = {0.0}, k[32];
  dppair_status status = DPPAIR_OK;
  unsigned i;
  for (i = 0; i < count && status == DPPAIR_OK; i++)
    status = dppair_split_(&whole[i], &rest[i], x[i], exponent);
  if (status == DPPAIR_OK) status = group(k, rest, count, ldexp(scale, -exponent), rng, block);
  for (i = 0; i < count && status == DPPAIR_OK; i++)
    x[i] = ldexp(whole[i] + k[i], exponent) + 0.0; /* + 0.0 turns -0 into 0 */
  dppair_wipe(k, sizeof k);
  return status;
}

DPPAIR_API uint64_t dppair_groups_(size_t n) { return (uint64_t)(n / 32) + (n % 32 != 0); }

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_f64_(double *x, size_t n, double scale,
                                                               int log2_ratio,
                                                               dppair_group_fn_ group,
                                                               dppair_rng *rng) {
  uint64_t block = 0;
  int exponent;
  size_t i;
  dppair_status status = dppair_grid_exponent_(&exponent, scale, DPPAIR_SCALE_MAX_F64_, log2_ratio);
  if (x == NULL && n > 0) return DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_rng_take_(&block, 2 * dppair_groups_(n), rng);
  for (i = 0; i < n && status == DPPAIR_OK; i += 32, block += 2)
    status = dppair_release_group_(x + i, n - i < 32 ? (unsigned)(n - i) : 32u, scale, exponent,
                                   group, rng, block);
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_f32_(float *x, size_t n, double scale,
                                                               int log2_ratio,
                                                               dppair_group_fn_ group,
                                                               dppair_rng *rng) {
  uint64_t block = 0;
  int exponent;
  size_t i;
  dppair_status status = dppair_grid_exponent_(&exponent, scale, DPPAIR_SCALE_MAX_F32_, log2_ratio);
  if (x == NULL && n > 0) return DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_rng_take_(&block, 2 * dppair_groups_(n), rng);
  for (i = 0; i < n && status == DPPAIR_OK; i += 32, block += 2) {
    unsigned count = n - i < 32 ? (unsigned)(n - i) : 32u, j;
    double wide[32];
    for (j = 0; j < count; j++) wide[j] = (double)x[i + j];
    status = dppair_release_group_(wide, count, scale, exponent, group, rng, block);
    for (j = 0; j < count; j++) {
      double y = wide[j] > (double)FLT_MAX ? (double)FLT_MAX : wide[j];
      x[i + j] = (float)(y < -(double)FLT_MAX ? -(double)FLT_MAX : y);
    }
  }
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  return status;
}

#define DPPAIR_GRID_DEFAULT 10 /* g <= scale / 2^10 < 2 g */

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
  return dppair_release_f64_(x, n, sigma, log2_ratio, dppair_gaussian_group_, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64(double *x, size_t n,
                                                                   double sigma, dppair_rng *rng) {
  return dppair_add_gaussian_f64_grid(x, n, sigma, DPPAIR_GRID_DEFAULT, rng);
}

/* The same for float: the released number is rounded once more, to float, and kept finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32_grid(float *x, size_t n,
                                                                        double sigma,
                                                                        int log2_ratio,
                                                                        dppair_rng *rng) {
  return dppair_release_f32_(x, n, sigma, log2_ratio, dppair_gaussian_group_, rng);
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
  return dppair_release_f64_(x, n, scale, log2_ratio, dppair_laplace_group_, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64(double *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32_grid(float *x, size_t n,
                                                                       double scale, int log2_ratio,
                                                                       dppair_rng *rng) {
  return dppair_release_f32_(x, n, scale, log2_ratio, dppair_laplace_group_, rng);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32(float *x, size_t n, double scale,
                                                                  dppair_rng *rng) {
  return dppair_add_laplace_f32_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

/* ------------------------------------------------------------------------------------------------
 * The l2 mechanism: density proportional to exp(-||z||_2 / scale) in n dimensions.
 *
 * ||z|| has the Gamma(n) law times scale and the direction is uniform, so z = scale q N with N
 * standard Gaussian and q = (sum over j <= n of -ln V_j) / ||N||. N comes from groups as above; V_j
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

/* How many of the two samples of pair `lane` exist in a group of `count`: 0, 1 (the cosine), 2. */
DPPAIR_API unsigned dppair_pair_size_(unsigned lane, unsigned count) {
  return (lane < count ? 1u : 0u) + (lane + 16 < count ? 1u : 0u);
}

/* q and a bound on its relative error (infinite when the double level cannot tell). */
DPPAIR_API void dppair_l2_factor_f64_(double *q, double *relative, size_t n, const dppair_rng *rng,
                                      uint64_t block) {
  double square[2] = {0.0, 0.0}, length[2] = {0.0, 0.0};
  double square_error = 0.0, length_error = 0.0, e, error, norm2, rho;
  uint32_t w0[16], w1[16], t0[16], t1[16];
  uint64_t first = block + 2 * dppair_groups_(n);
  dppair_string_ s;
  size_t i;
  unsigned j;
  s.rng = rng;
  for (i = 0; i < n; i += 32, block += 2) {
    unsigned count = n - i < 32 ? (unsigned)(n - i) : 32u;
    dppair_keystream_(w0, rng, 0, block);
    dppair_keystream_(w1, rng, 1, block);
    dppair_keystream_(t0, rng, 0, block + 1);
    dppair_keystream_(t1, rng, 1, block + 1);
    for (j = 0; j < 16 && j < count; j++) {
      double c = 1.0, unused;
      s.block = block;
      s.lane = j;
      e = 2.0 * dppair_exponential_bound_(&error, &s, w0[j], w1[j]);
      if (dppair_pair_size_(j, count) == 1)
        dppair_circle_f64_(&c, &unused, (uint64_t)t0[j] << 32 | t1[j]);
      dppair_sum_add_(square, e * c * c);
      square_error +=
          2.0 * error + DPPAIR_EXP2M_(48) * e; /* a single cosine's square is within 2^-50 */
    }
  }
  for (i = 0; i < n; i += 16) {
    s.block = first + i / 16;
    dppair_keystream_(w0, rng, 0, s.block);
    dppair_keystream_(w1, rng, 1, s.block);
    for (j = 0; j < 16 && j < n - i; j++) {
      s.lane = j;
      e = dppair_exponential_bound_(&error, &s, w0[j], w1[j]);
      dppair_sum_add_(length, e);
      length_error += error;
    }
  }
  norm2 = square[0] + square[1];
  rho = length[0] + length[1];
  *q = rho / sqrt(norm2);
  *relative = 1.01 * (square_error / norm2 + length_error / rho) + DPPAIR_EXP2M_(49);
  if (!(*relative < DPPAIR_EXP2M_(20))) *relative = HUGE_VAL;
  dppair_wipe(w0, sizeof w0);
  dppair_wipe(w1, sizeof w1);
  dppair_wipe(t0, sizeof t0);
  dppair_wipe(t1, sizeof t1);
}

/* The same factor enclosed with N words; *known is 0 when more are needed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2_factor_exact_(dppair_range_ *q, int *known,
                                                                   size_t n, const dppair_rng *rng,
                                                                   uint64_t block, unsigned N) {
  dppair_range_ square, length, e;
  dppair_status status = DPPAIR_OK;
  dppair_string_ s, t;
  size_t i;
  unsigned j, any = 0;
  memset(&square, 0, sizeof square);
  memset(&length, 0, sizeof length);
  s.rng = t.rng = rng;
  for (i = 0; i < n; i += 32, block += 2) {
    unsigned count = n - i < 32 ? (unsigned)(n - i) : 32u;
    s.block = block;
    t.block = block + 1;
    for (j = 0; j < 16 && j < count && status == DPPAIR_OK; j++) {
      s.lane = t.lane = j;
      if (dppair_pair_size_(j, count) == 2) {
        status = dppair_exponential_exact_(&e, &s, 0, N);
        dppair_range_add_(&e, &e, &e, N);
      } else {
        int negative;
        status = dppair_gaussian_exact_(&e, &negative, &s, &t, 0, N);
        dppair_range_mul_(&e, &e, &e, N);
      }
      dppair_range_add_(&square, &square, &e, N);
    }
  }
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    s.block = block + i / 16;
    s.lane = (unsigned)(i % 16);
    status = dppair_exponential_exact_(&e, &s, 0, N);
    dppair_range_add_(&length, &length, &e, N);
  }
  for (j = 0; j < N + 2; j++) any |= square.lo.w[j];
  *known = any != 0;
  if (status != DPPAIR_OK || !*known) return status;
  dppair_range_sqrt_(&square, &square, N);
  dppair_range_div_(q, &length, &square, N);
  return DPPAIR_OK;
}

/* The factor at every precision, each worked out when it is first needed. */
typedef struct dppair_l2_ {
  double q, relative;
  dppair_range_ exact[DPPAIR_FIX_MAX_ / 4];
  int known[DPPAIR_FIX_MAX_ / 4], tried[DPPAIR_FIX_MAX_ / 4];
} dppair_l2_;

/* round(rest + s q N_i) for sample i of the group at `block`, from wide integers. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2_exact_(double *k, double rest, double s,
                                                            unsigned i, dppair_l2_ *l2, size_t n,
                                                            const dppair_rng *rng, uint64_t start,
                                                            uint64_t block) {
  dppair_status status = DPPAIR_OK;
  dppair_string_ u, t;
  unsigned N, at;
  u.rng = t.rng = rng;
  u.block = block;
  t.block = block + 1;
  u.lane = t.lane = i % 16;
  for (N = 4; N <= DPPAIR_FIX_MAX_; N += 4) {
    dppair_range_ z;
    int negative = 0;
    at = N / 4 - 1;
    if (!l2->tried[at])
      status = dppair_l2_factor_exact_(&l2->exact[at], &l2->known[at], n, rng, start, N);
    if (status != DPPAIR_OK) return status;
    l2->tried[at] = 1;
    if (!l2->known[at]) continue;
    status = dppair_gaussian_exact_(&z, &negative, &u, &t, i / 16, N);
    if (status != DPPAIR_OK) return status;
    dppair_range_mul_(&z, &z, &l2->exact[at], N);
    if (dppair_round_exact_(k, rest, s, &z, negative, N)) return DPPAIR_OK;
  }
  return DPPAIR_ERR_EXHAUSTED;
}

/* One group of the l2 mechanism. tau = s q 2^-46 (the Gaussian's own error) + |y - rest| (relative
 * error of q + 2^-51) + 2^-52 |y|, doubled against the rounding of tau itself. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_l2_group_(double *x, unsigned count, double s,
                                                            int exponent, dppair_l2_ *l2, size_t n,
                                                            const dppair_rng *rng, uint64_t start,
                                                            uint64_t block) {
  uint32_t words[4][16];
  dppair_status status = DPPAIR_OK;
  unsigned j, i;
  for (j = 0; j < 4; j++) dppair_keystream_(words[j], rng, j >> 1, block + (j & 1));
  for (j = 0; j < 16 && j < count && status == DPPAIR_OK; j++) {
    dppair_string_ u;
    uint32_t w[3];
    double e, z[2];
    u.rng = rng;
    u.block = block;
    u.lane = j;
    dppair_string_read_(w, &u, words[0][j], words[2][j], 0);
    e = dppair_exponential_f64_(w);
    dppair_circle_f64_(&z[0], &z[1], (uint64_t)words[1][j] << 32 | words[3][j]);
    for (i = j; i < count && status == DPPAIR_OK; i += 16) {
      double whole, rest, k, noise, y, tau;
      status = dppair_split_(&whole, &rest, x[i], exponent);
      if (status != DPPAIR_OK) break;
      noise = s * (l2->q * (sqrt(2.0 * fabs(e)) * z[i / 16]));
      y = rest + noise;
      tau = DPPAIR_EXP2M_(45) * s * l2->q + fabs(noise) * (2.0 * l2->relative + DPPAIR_EXP2M_(50)) +
            DPPAIR_EXP2M_(51) * fabs(y);
      if (!(e > 0.0) || !(tau < 0.25) || !dppair_round_f64_(&k, y, tau))
        status = dppair_l2_exact_(&k, rest, s, i, l2, n, rng, start, block);
      x[i] = ldexp(whole + k, exponent) + 0.0;
    }
  }
  dppair_wipe(words, sizeof words);
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
  dppair_l2_ l2;
  uint64_t start = 0, block;
  int exponent;
  size_t i;
  dppair_status status = dppair_grid_exponent_(&exponent, scale, DPPAIR_SCALE_MAX_L2_, log2_ratio);
  if (x == NULL && n > 0) return DPPAIR_ERR_NULL;
  memset(&l2, 0, sizeof l2);
  if (status == DPPAIR_OK)
    status = dppair_grid_exponent_(&exponent, scale * sqrt((double)(n + (n == 0))),
                                   DPPAIR_SCALE_MAX_F64_, log2_ratio);
  if (status == DPPAIR_OK && (uint64_t)n >= UINT64_C(1) << 40) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && n > 0) {
    status = dppair_rng_take_(&start, 2 * dppair_groups_(n) + (n + 15) / 16, rng);
    if (status == DPPAIR_OK) dppair_l2_factor_f64_(&l2.q, &l2.relative, n, rng, start);
  }
  for (i = 0, block = start; i < n && status == DPPAIR_OK; i += 32, block += 2)
    status = dppair_l2_group_(x + i, n - i < 32 ? (unsigned)(n - i) : 32u, ldexp(scale, -exponent),
                              exponent, &l2, n, rng, start, block);
  if (status != DPPAIR_OK && n > 0) memset(x, 0, n * sizeof *x);
  dppair_wipe(&l2, sizeof l2);
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64(double *x, size_t n, double scale,
                                                                 dppair_rng *rng) {
  return dppair_add_l2ball_f64_grid(x, n, scale, DPPAIR_GRID_DEFAULT, rng);
}

DPPAIR_FP_END_

#endif /* DPPAIR_NOISE_H */
