/* ------------------------------------------------------------------------------------------------
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
