/* ------------------------------------------------------------------------------------------------
 * Key streams in portable code
 *
 * ChaCha20 (RFC 8439) and AES-256 in counter mode (FIPS 197), one 64-byte block at a time, without
 * tables and without branches on secrets. dppair_keystream_ at the end gives the block at an
 * address for either cipher.
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

/* The four words that begin every ChaCha20 state: "expand 32-byte k" in ASCII. */
#define DPPAIR_CHACHA_0_ 0x61707865u
#define DPPAIR_CHACHA_1_ 0x3320646eu
#define DPPAIR_CHACHA_2_ 0x79622d32u
#define DPPAIR_CHACHA_3_ 0x6b206574u

/* The ChaCha20 block function (RFC 8439, section 2.3): 16 little-endian words from a key of 8 words
 * and an address of 4 words (counter and nonce). */
DPPAIR_API void dppair_chacha20_block_(uint32_t out[16], const uint32_t key[8],
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
DPPAIR_API int dppair_aes_ask_(void) {
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
DPPAIR_API int dppair_aes_kind_(int tier) {
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

/* The substitution of 64 bytes: the inverse x^-1 = x^254 in GF(2^8), then FIPS 197's affine map. */
DPPAIR_API void dppair_aes_substitute_(uint8_t bytes[64]) {
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
DPPAIR_API uint32_t dppair_aes_subword_fast_(uint32_t w) {
  return (uint32_t)_mm_cvtsi128_si32(
      _mm_aesenclast_si128(_mm_set1_epi32((int32_t)w), _mm_setzero_si128()));
}
DPPAIR_TARGET_END_
#elif DPPAIR_HAVE_AES_
DPPAIR_ARM_AES_BEGIN_
DPPAIR_API uint32_t dppair_aes_subword_fast_(uint32_t w) {
  const uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(w));
  return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}
DPPAIR_ARM_AES_END_
#endif

DPPAIR_API uint32_t dppair_aes_subword_(uint32_t w) {
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

/* The low half of the 128-bit address of a block; the high half is the stream. ChaCha20 uses it as
 * its two counter words. AES counts units of 16 bytes, four to a block, so it is given 4 block +
 * unit as `block` and uses the address as a big-endian counter. */
DPPAIR_API uint64_t dppair_address_(unsigned level, uint64_t block) {
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
