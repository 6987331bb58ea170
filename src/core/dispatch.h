/* The tiers of this build, as cases of a switch over one. */
#if DPPAIR_HAVE_AVX512
#define DPPAIR_CASE_AVX512_(call) case DPPAIR_TIER_AVX512: call; break;
#else
#define DPPAIR_CASE_AVX512_(call)
#endif
#if DPPAIR_HAVE_AVX2
#define DPPAIR_CASE_AVX2_(call) case DPPAIR_TIER_AVX2: call; break;
#else
#define DPPAIR_CASE_AVX2_(call)
#endif
#if DPPAIR_HAVE_SIMD128
#define DPPAIR_CASE_SIMD128_(call) case DPPAIR_TIER_SIMD128: call; break;
#else
#define DPPAIR_CASE_SIMD128_(call)
#endif

/* Calls f_TIER args for the tier of this machine. */
#define DPPAIR_DISPATCH_(f, args)                                                                  \
  switch (dppair_tier()) {                                                                         \
    DPPAIR_CASE_AVX512_(DPPAIR_CAT(f, _avx512) args)                                               \
    DPPAIR_CASE_AVX2_(DPPAIR_CAT(f, _avx2) args)                                                   \
    DPPAIR_CASE_SIMD128_(DPPAIR_CAT(f, _simd128) args)                                             \
  default:                                                                                         \
    DPPAIR_CAT(f, _scalar) args;                                                                   \
  }

/* The same for a tier that the caller names, and private functions: f is dppair_chunk_ where those
 * are dppair_chunk_avx2_ and so on. */
#define DPPAIR_DISPATCH_AT_(tier, f, args)                                                         \
  switch (tier) {                                                                                  \
    DPPAIR_CASE_AVX512_(DPPAIR_CAT(f, avx512_) args)                                               \
    DPPAIR_CASE_AVX2_(DPPAIR_CAT(f, avx2_) args)                                                   \
    DPPAIR_CASE_SIMD128_(DPPAIR_CAT(f, simd128_) args)                                             \
  default:                                                                                         \
    DPPAIR_CAT(f, scalar_) args;                                                                   \
  }
