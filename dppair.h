/* SPDX-License-Identifier: MIT */
/*
 * dppair.h - pairwise learning with differential privacy: the core.            version 0.1.0
 *
 * The other three headers (dppair_losses.h, dppair_noise.h, dppair_accountant.h) include this one.
 *
 * Knobs, each a macro that may be defined before the first include:
 *   DPPAIR_API        linkage of every function; default: static inline, silent when unused
 *   DPPAIR_SELF       how this header names itself when it re-includes itself; default "dppair.h"
 *   DPPAIR_MAX_TIER   the widest instruction tier to compile and use: 0 scalar, 1 portable 128-bit,
 *                     2 AVX2+FMA, 3 AVX-512 (default: 3); smaller means less code to compile
 */
#ifndef DPPAIR_H
#define DPPAIR_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"

/* ------------------------------------------------------------------------------------------------
 * Compiler
 * ---------------------------------------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_UNUSED_ __attribute__((unused))
#define DPPAIR_MUST_CHECK __attribute__((warn_unused_result))
#define DPPAIR_FORCE_INLINE_ static inline __attribute__((always_inline, unused))
#else
#define DPPAIR_UNUSED_
#define DPPAIR_MUST_CHECK
#define DPPAIR_FORCE_INLINE_ static inline
#endif

#ifndef DPPAIR_API
#define DPPAIR_API static inline DPPAIR_UNUSED_
#endif
#ifndef DPPAIR_SELF
#define DPPAIR_SELF "dppair.h"
#endif
#ifndef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 3
#endif

#define DPPAIR_CAT_(a, b) a##b
#define DPPAIR_CAT(a, b) DPPAIR_CAT_(a, b)

#ifdef __cplusplus
#define DPPAIR_RESTRICT_ __restrict
#else
#define DPPAIR_RESTRICT_ restrict
#endif

/*
 * Floating-point discipline. All numerical code of the four headers stands between BEGIN and END:
 * a product and a sum are never fused behind our back, and a host's -ffast-math does not reach in.
 * That is what makes results equal on every tier and bounds on rounding valid.
 * TARGET regions add an instruction set to the functions inside them.
 */
#if defined(__clang__)
#define DPPAIR_FP_BEGIN_                                                                           \
  _Pragma("float_control(push)") _Pragma("float_control(precise, on)")                             \
      _Pragma("clang fp contract(off)")
#define DPPAIR_FP_END_ _Pragma("float_control(pop)")
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  DPPAIR_FP_BEGIN_ DPPAIR_PRAGMA_(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define DPPAIR_TARGET_END_ _Pragma("clang attribute pop") DPPAIR_FP_END_
#elif defined(__GNUC__)
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_FP_BEGIN_                                                                           \
  _Pragma("GCC push_options") _Pragma("GCC optimize(\"no-fast-math\", \"fp-contract=off\")")
#define DPPAIR_FP_END_ _Pragma("GCC pop_options")
#define DPPAIR_TARGET_BEGIN_(isa) DPPAIR_FP_BEGIN_ DPPAIR_PRAGMA_(GCC target(isa))
#define DPPAIR_TARGET_END_ DPPAIR_FP_END_
#else
#define DPPAIR_FP_BEGIN_
#define DPPAIR_FP_END_
#define DPPAIR_TARGET_BEGIN_(isa)
#define DPPAIR_TARGET_END_
#endif

/* ------------------------------------------------------------------------------------------------
 * Status
 *
 * Every fallible function returns a dppair_status that must be looked at. On any error all outputs
 * are zeroed first: what a failed release leaves behind is never an un-noised number.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STATUS_TABLE(X)                                                                     \
  X(DPPAIR_OK, "ok")                                                                               \
  X(DPPAIR_ERR_NULL, "a required pointer is NULL")                                                 \
  X(DPPAIR_ERR_SIZE, "a size is out of range (pairs need at least two records)")                   \
  X(DPPAIR_ERR_OVERFLOW, "a size or a result is too large to be represented")                      \
  X(DPPAIR_ERR_WORKSPACE, "the workspace is smaller than the size function asks for")              \
  X(DPPAIR_ERR_NOT_FINITE, "an input is NaN or infinite")                                          \
  X(DPPAIR_ERR_DOMAIN, "a parameter is outside its declared range")                                \
  X(DPPAIR_ERR_EPSILON, "epsilon is outside the supported range")                                  \
  X(DPPAIR_ERR_DELTA, "delta is outside the supported range")                                      \
  X(DPPAIR_ERR_SIGMA, "a noise scale is not a positive finite number in range")                    \
  X(DPPAIR_ERR_SENSITIVITY, "a sensitivity is not a non-negative finite number")                   \
  X(DPPAIR_ERR_STEP_SIZE, "the step size is beyond the limit of the privacy proof")                \
  X(DPPAIR_ERR_NO_PROOF, "no finite constant or no valid proof covers this combination")           \
  X(DPPAIR_ERR_ADJACENCY, "this neighbouring relation is not covered for this mechanism")          \
  X(DPPAIR_ERR_ENTROPY, "the operating system gave no entropy")                                    \
  X(DPPAIR_ERR_FORK, "the generator was copied into a child process by fork")                      \
  X(DPPAIR_ERR_CIPHER, "the generator's cipher is not available on this machine")                  \
  X(DPPAIR_ERR_EXHAUSTED, "the counter or the privacy budget is used up")                          \
  X(DPPAIR_ERR_NO_CONVERGENCE, "an iteration did not reach its certified tolerance")               \
  X(DPPAIR_ERR_FORMAT, "the text could not be parsed or has an unknown version")

typedef enum dppair_status {
#define DPPAIR_X_(name, text) name,
  DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_STATUS_COUNT_
} dppair_status;

/* The sentence that belongs to a status. Never NULL; the string is static. */
DPPAIR_API const char *dppair_status_string(dppair_status status) {
  switch (status) {
#define DPPAIR_X_(name, text)                                                                      \
  case name:                                                                                       \
    return text;
    DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_STATUS_COUNT_:
    break;
  }
  return "unknown status";
}

/* Neighbouring data sets. REPLACE_ONE: one record is replaced by another, n is public.
 * ZERO_OUT: one record's pairs contribute nothing, n stays public and the null record is never
 * counted in a batch size. */
typedef enum dppair_adjacency { DPPAIR_REPLACE_ONE = 1, DPPAIR_ZERO_OUT = 2 } dppair_adjacency;

/* ------------------------------------------------------------------------------------------------
 * Checks that survive -ffast-math: bits are tested as integers.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API int dppair_isfinite_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7ff0000000000000)) != UINT64_C(0x7ff0000000000000);
}

DPPAIR_API int dppair_isfinite_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT32_C(0x7f800000)) != UINT32_C(0x7f800000);
}

/* 1 when all n numbers of x are finite. */
DPPAIR_API int dppair_all_finite_f64(const double *x, size_t n) {
  size_t i;
  int ok = 1;
  for (i = 0; i < n; i++) ok &= dppair_isfinite_f64(x[i]);
  return ok;
}

DPPAIR_API int dppair_all_finite_f32(const float *x, size_t n) {
  size_t i;
  int ok = 1;
  for (i = 0; i < n; i++) ok &= dppair_isfinite_f32(x[i]);
  return ok;
}

/* *out = a * b, or 0 and a non-zero return when the product overflows size_t. */
DPPAIR_API int dppair_size_mul(size_t *out, size_t a, size_t b) {
  *out = 0;
  if (b != 0 && a > SIZE_MAX / b) return 1;
  *out = a * b;
  return 0;
}

/* ------------------------------------------------------------------------------------------------
 * Processor
 * ---------------------------------------------------------------------------------------------- */

enum {
  DPPAIR_TIER_SCALAR = 0,
  DPPAIR_TIER_SIMD128 = 1,
  DPPAIR_TIER_AVX2 = 2,
  DPPAIR_TIER_AVX512 = 3
};

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define DPPAIR_X86_ 1
#include <immintrin.h>
#else
#define DPPAIR_X86_ 0
#endif
#define DPPAIR_HAVE_AVX2 (DPPAIR_X86_ && DPPAIR_MAX_TIER >= 2)
#define DPPAIR_HAVE_AVX512 (DPPAIR_X86_ && DPPAIR_MAX_TIER >= 3)
#define DPPAIR_ISA_AVX2_ "avx2,fma"
#define DPPAIR_ISA_AVX512_ "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"

#if defined(__has_include) && DPPAIR_MAX_TIER >= 1 && !defined(DPPAIR_NO_SIMDE)
#if __has_include(<simde/x86/fma.h>)
#include <simde/x86/fma.h>
#include <simde/x86/sse2.h>
#define DPPAIR_HAVE_SIMD128 1
#endif
#endif
#ifndef DPPAIR_HAVE_SIMD128
#define DPPAIR_HAVE_SIMD128 0
#endif

/* The tier that the dispatching functions use on this machine. */
DPPAIR_API int dppair_tier(void) {
#if DPPAIR_HAVE_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return DPPAIR_TIER_AVX512;
#endif
#if DPPAIR_HAVE_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return DPPAIR_TIER_AVX2;
#endif
#if DPPAIR_HAVE_SIMD128
  return DPPAIR_TIER_SIMD128;
#else
  return DPPAIR_TIER_SCALAR;
#endif
}

/* Its name: "avx512", "avx2+fma", "simd128" or "scalar". */
DPPAIR_API const char *dppair_isa_name(void) {
  switch (dppair_tier()) {
  case DPPAIR_TIER_AVX512:
    return "avx512";
  case DPPAIR_TIER_AVX2:
    return "avx2+fma";
  case DPPAIR_TIER_SIMD128:
    return "simd128";
  default:
    return "scalar";
  }
}

#endif /* DPPAIR_H */
