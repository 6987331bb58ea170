/* Calls f_TIER args for the tier of this machine. */
#if DPPAIR_HAVE_AVX512
#define DPPAIR_CASE_AVX512_(f, args) case DPPAIR_TIER_AVX512: DPPAIR_CAT(f, _avx512) args; break;
#else
#define DPPAIR_CASE_AVX512_(f, args)
#endif
#if DPPAIR_HAVE_AVX2
#define DPPAIR_CASE_AVX2_(f, args) case DPPAIR_TIER_AVX2: DPPAIR_CAT(f, _avx2) args; break;
#else
#define DPPAIR_CASE_AVX2_(f, args)
#endif
#if DPPAIR_HAVE_SIMD128
#define DPPAIR_CASE_SIMD128_(f, args) case DPPAIR_TIER_SIMD128: DPPAIR_CAT(f, _simd128) args; break;
#else
#define DPPAIR_CASE_SIMD128_(f, args)
#endif
#define DPPAIR_DISPATCH_(f, args)                                                                  \
  switch (dppair_tier()) {                                                                         \
    DPPAIR_CASE_AVX512_(f, args)                                                                   \
    DPPAIR_CASE_AVX2_(f, args)                                                                     \
    DPPAIR_CASE_SIMD128_(f, args)                                                                  \
  default:                                                                                         \
    DPPAIR_CAT(f, _scalar) args;                                                                   \
  }
