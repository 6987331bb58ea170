/* ------------------------------------------------------------------------------------------------
 * The kernels, once for each vector tier
 *
 * dppair_noise.h includes itself once for each tier; the list of the kernels is at its end.
 * ---------------------------------------------------------------------------------------------- */

/* 1 where the 128-bit tier makes noise, and not the key stream only: simd128.h. */
#if DPPAIR_WASM_NOISE_ ||                                                                          \
    (DPPAIR_HAVE_SIMD128 &&                                                                        \
     (defined(__SSE2__) || (defined(__aarch64__) && !defined(__AARCH64EB__))))
#define DPPAIR_NOISE_SIMD128_ 1
#else
#define DPPAIR_NOISE_SIMD128_ 0
#endif

/* Whether any tier makes noise in vectors, and how many floats the narrowest of these holds. */
#if DPPAIR_HAVE_AVX2 || DPPAIR_NOISE_SIMD128_
#define DPPAIR_NOISE_VECTORS_ 1
#else
#define DPPAIR_NOISE_VECTORS_ 0
#endif
#define DPPAIR_LANES_LEAST_ (DPPAIR_NOISE_SIMD128_ ? 4 : 8)

/* Of a tier only dppair_vaes_row_ uses AES, and is called where dppair_aes_kind_ says 2. */
#define DPPAIR_ISA_NOISE_AVX2_ DPPAIR_ISA_AVX2_ ",aes,vaes"
#define DPPAIR_ISA_NOISE_AVX512_ DPPAIR_ISA_AVX512_ ",aes,vaes"

#define DPPAIR_NOISE_KERNELS_
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#define DPPAIR_TIER_ 1
#include DPPAIR_NOISE_SELF
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 3
#define DPPAIR_TIER_ 2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_NOISE_AVX2_)
#include DPPAIR_NOISE_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_NOISE_AVX512_)
#include DPPAIR_NOISE_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#undef DPPAIR_NOISE_KERNELS_
