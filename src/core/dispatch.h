/* ------------------------------------------------------------------------------------------------
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
