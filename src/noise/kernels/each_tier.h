/* ------------------------------------------------------------------------------------------------
 * The kernels, once for each vector tier
 *
 * dppair_noise.h includes itself once for each tier; the list of the kernels is at its end.
 * ---------------------------------------------------------------------------------------------- */

/* 1 where the 128-bit tier makes noise, and not the key stream only: simd128.h. */
#if DPPAIR_WASM_NOISE_ ||                                                                          \
    (DPPAIR_HAVE_SIMD128 && !DPPAIR_HAVE_AVX2 &&                                                   \
     (defined(__SSE2__) || (defined(__aarch64__) && !defined(__AARCH64EB__))))
#define DPPAIR_NOISE_SIMD128_ 1
#else
#define DPPAIR_NOISE_SIMD128_ 0
#endif

/* Of a tier only dppair_vaes_row_ uses AES, and is called where dppair_aes_kind_ says 2. */
#define DPPAIR_ISA_NOISE_AVX2_ DPPAIR_ISA_AVX2_ ",aes,vaes"
#define DPPAIR_ISA_NOISE_AVX512_ DPPAIR_ISA_AVX512_ ",aes,vaes"

#define DPPAIR_NOISE_KERNELS_
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#define DPPAIR_TIER_ 1
#include DPPAIR_NOISE_SELF
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX2
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
