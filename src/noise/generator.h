/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API int64_t dppair_process_(void) {
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

/* n <= 256 bytes of entropy from the system: by getrandom, getentropy, arc4random or
 * BCryptGenRandom, whichever the system has; if that fails, from /dev/urandom. If both fail, `out`
 * is zeroed and ENTROPY returned. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_entropy_(uint8_t *out, size_t n) {
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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_tried_once_(dppair_known_ *known,
                                                                dppair_trial_ trial) {
  const int before = DPPAIR_KNOWN_(known);
  dppair_status status;
  if (before != 0) return (dppair_status)(before - 1);
  status = trial();
  if (status == DPPAIR_OK || status == DPPAIR_ERR_SELF_TEST) DPPAIR_LEARN_(known, 1 + (int)status);
  return status;
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_streams_trial_(void); /* below, with the trials */

/* What must be known before a key is taken from the system and before any law is tried: the key
 * streams. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_streams_tried_(void) {
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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rng_check_(const dppair_rng *rng) {
  if (rng == NULL) return DPPAIR_ERR_NULL;
  if (rng->cipher != DPPAIR_CHACHA20 && rng->cipher != DPPAIR_AES256) return DPPAIR_ERR_CIPHER;
  if (rng->used > sizeof rng->buffer || rng->erase > 1) return DPPAIR_ERR_CIPHER;
  if (rng->owner != 0 && rng->owner != dppair_process_()) return DPPAIR_ERR_FORK;
  return DPPAIR_OK;
}

/* Key number `index` of those that a generator derives at a level without noise. */
DPPAIR_API void dppair_rng_derive_(uint32_t key[8], const dppair_rng *rng, unsigned level,
                                   uint64_t index) {
  uint32_t words[16];
  dppair_keystream_(words, rng, level, index);
  memcpy(key, words, 32);
}

/* Wipes what is left of the last block. */
DPPAIR_API void dppair_rng_drop_buffer_(dppair_rng *rng) {
  dppair_wipe(rng->buffer, sizeof rng->buffer);
  rng->used = (uint32_t)sizeof rng->buffer;
}

/*
 * Takes `blocks` whole blocks for one call: `use` becomes a copy of the generator at the first of
 * them, and the generator moves past them. With erasure on it gets a new key instead, drawn from a
 * level of the old key that nothing else reads. The caller burns the stack afterwards.
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
