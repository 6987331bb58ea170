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
  DPPAIR_FP_BEGIN_ DPPAIR_PRAGMA_(                                                                 \
      clang attribute push(__attribute__((target(isa))), apply_to = function))
#define DPPAIR_TARGET_END_ _Pragma("clang attribute pop") DPPAIR_FP_END_
#elif defined(__GNUC__)
#ifdef __FAST_MATH__ /* gcc 12 then words a warning as if the target were lost; it is not */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_STRICT_                                                                             \
  _Pragma("GCC optimize(\"no-fast-math\", \"fp-contract=off\")") _Pragma("GCC diagnostic push")    \
      _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
#define DPPAIR_FP_BEGIN_ _Pragma("GCC push_options") DPPAIR_STRICT_
#define DPPAIR_FP_END_ _Pragma("GCC diagnostic pop") _Pragma("GCC pop_options")
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  _Pragma("GCC push_options") DPPAIR_STRICT_ DPPAIR_PRAGMA_(GCC target(isa))
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


/* ------------------------------------------------------------------------------------------------
 * The vocabulary DPV_*
 *
 * A kernel or a loss is written once, over a virtual vector of 64 bytes (8 doubles, 16 floats),
 * and compiled once per tier: one AVX-512 register, two AVX2 registers, four 128-bit registers, or
 * a plain array. Because the number of lanes and the reduction tree are the same everywhere and
 * DPV_FMA is fused everywhere, scalar, AVX2, AVX-512 and NEON give the same bits. (Exception: the
 * 128-bit tier on an x86 processor, where DPV_FMA is a product and a sum.)
 *
 *   DPV_T DPV_M DPV_R DPV_LANES        vector, mask, element type, number of lanes
 *   DPV_SET(x) DPV_LOAD(p) DPV_STORE(p, v)            all lanes x; unaligned memory
 *   DPV_LOADN(p, n, fill) DPV_STOREN(p, v, n)         the first n <= DPV_LANES lanes
 *   DPV_LOAD_F32(p) DPV_STORE_F32(p, v)               8 floats as doubles (double passes only)
 *   DPV_ADD SUB MUL DIV (a, b)  DPV_FMA(a, b, c) = a b + c   DPV_NEG ABS SQRT ROUND (a)
 *   DPV_MAX MIN (a, b)                 a > b ? a : b, a < b ? a : b (so the second one wins on NaN)
 *   DPV_LT DPV_LE DPV_EQ (a, b)        masks; DPV_AND OR (m, n); DPV_SEL(m, a, b) = m ? a : b
 *   DPV_SUM(v)                         sum of the lanes, by a fixed tree, as a DPV_R
 *   DPV_EXP DPV_LOG DPV_LOG1P          within 1, 1 and 2 ulp (LOG1P for arguments >= 0)
 *   DPV_SIGMOID DPV_SOFTPLUS           1/(1+e^-u) and ln(1+e^u), within 4 ulp, stable at any u
 *   DPV_CALL(f, v)                     f applied to each lane: any plain C function, but slowly
 *
 * The bounds in ulp are those that the tests enforce against long double.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_V3_(op, suffix) dpv_##op##_##suffix
#define DPPAIR_V2_(op, suffix) DPPAIR_V3_(op, suffix)
#define DPPAIR_V_(op) DPPAIR_V2_(op, DPPAIR_SUFFIX_)
#define DPV_T DPPAIR_V_(t)
#define DPV_M DPPAIR_V_(m)
#define DPV_SET(x) DPPAIR_V_(set)(x)
#define DPV_LOAD(p) DPPAIR_V_(load)(p)
#define DPV_STORE(p, v) DPPAIR_V_(store)(p, v)
#define DPV_LOADN(p, n, fill) DPPAIR_V_(loadn)(p, n, fill)
#define DPV_STOREN(p, v, n) DPPAIR_V_(storen)(p, v, n)
#define DPV_LOAD_F32(p) DPPAIR_V_(load_f32)(p)
#define DPV_STORE_F32(p, v) DPPAIR_V_(store_f32)(p, v)
#define DPV_AND(m, n) DPPAIR_V_(and)(m, n)
#define DPV_OR(m, n) DPPAIR_V_(or)(m, n)
#define DPV_ADD(a, b) DPPAIR_V_(add)(a, b)
#define DPV_SUB(a, b) DPPAIR_V_(sub)(a, b)
#define DPV_MUL(a, b) DPPAIR_V_(mul)(a, b)
#define DPV_DIV(a, b) DPPAIR_V_(div)(a, b)
#define DPV_FMA(a, b, c) DPPAIR_V_(fma)(a, b, c)
#define DPV_NEG(a) DPPAIR_V_(neg)(a)
#define DPV_ABS(a) DPPAIR_V_(abs)(a)
#define DPV_SQRT(a) DPPAIR_V_(sqrt)(a)
#define DPV_ROUND(a) DPPAIR_V_(round)(a)
#define DPV_MAX(a, b) DPPAIR_V_(max)(a, b)
#define DPV_MIN(a, b) DPPAIR_V_(min)(a, b)
#define DPV_LT(a, b) DPPAIR_V_(lt)(a, b)
#define DPV_LE(a, b) DPPAIR_V_(le)(a, b)
#define DPV_EQ(a, b) DPPAIR_V_(eq)(a, b)
#define DPV_SEL(m, a, b) DPPAIR_V_(sel)(m, a, b)
#define DPV_SUM(a) DPPAIR_V_(sum)(a)
#define DPV_EXP(a) DPPAIR_V_(exp)(a)
#define DPV_LOG(a) DPPAIR_V_(log)(a)
#define DPV_LOG1P(a) DPPAIR_V_(log1p)(a)
#define DPV_SIGMOID(a) DPPAIR_V_(sigmoid)(a)
#define DPV_SOFTPLUS(a) DPPAIR_V_(softplus)(a)
#define DPV_CALL(f, a) DPPAIR_V_(call)(f, a)

DPPAIR_FORCE_INLINE_ uint64_t dppair_bits_f64_(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ double dppair_from_bits_f64_(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
DPPAIR_FORCE_INLINE_ uint32_t dppair_bits_f32_(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ float dppair_from_bits_f32_(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}

#if DPPAIR_HAVE_SIMD128
DPPAIR_FORCE_INLINE_ simde__m128d dppair_loadf_simd128_(const float *p) {
  return simde_mm_set_pd((double)p[1], (double)p[0]);
}
DPPAIR_FORCE_INLINE_ void dppair_storef_simd128_(float *p, simde__m128d a) {
  double t[2];
  simde_mm_storeu_pd(t, a);
  p[0] = (float)t[0];
  p[1] = (float)t[1];
}
#endif

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

/* What is generated once per tier and type: the vocabulary, then the linear algebra. */
#define DPPAIR_PASS_ 1
#include DPPAIR_SELF
#undef DPPAIR_PASS_

/* ------------------------------------------------------------------------------------------------
 * Scores, gradients of linear scores, projection, AUC
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* s[i] = <row i of x, w> for i < n: x has n rows of d numbers, row i starts at x + i * ld, ld >= d.
 * Each score is a function of its row and w alone (one fixed order of summation, in double).
 * NOT_FINITE when w or a score is not finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f64(double *s, const double *x, size_t n,
                                                             size_t d, size_t ld, const double *w) {
  size_t total;
  if (dppair_size_mul(&total, n, ld) || dppair_size_mul(&total, total, 8))
    return DPPAIR_ERR_OVERFLOW;
  if (!s && n) return DPPAIR_ERR_NULL;
  if (n) memset(s, 0, n * sizeof *s);
  if ((!x && n && d) || (!w && d)) return DPPAIR_ERR_NULL;
  if (ld < d) return DPPAIR_ERR_SIZE;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_f64, (s, x, n, d, ld, w));
  if (!dppair_all_finite_f64(s, n)) {
    memset(s, 0, n * sizeof *s);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_f32(float *s, const float *x, size_t n,
                                                             size_t d, size_t ld, const float *w) {
  size_t total;
  if (dppair_size_mul(&total, n, ld) || dppair_size_mul(&total, total, 8))
    return DPPAIR_ERR_OVERFLOW;
  if (!s && n) return DPPAIR_ERR_NULL;
  if (n) memset(s, 0, n * sizeof *s);
  if ((!x && n && d) || (!w && d)) return DPPAIR_ERR_NULL;
  if (ld < d) return DPPAIR_ERR_SIZE;
  if (!dppair_all_finite_f32(w, d)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(dppair_scores_f32, (s, x, n, d, ld, w));
  if (!dppair_all_finite_f32(s, n)) {
    memset(s, 0, n * sizeof *s);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

/* g[k] = sum over i < n of c[i] x[i * ld + k] for k < d, summed in double. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_f64(double *g, const double *x, size_t n,
                                                              size_t d, size_t ld,
                                                              const double *c) {
  size_t total;
  if (dppair_size_mul(&total, n, ld) || dppair_size_mul(&total, total, 8))
    return DPPAIR_ERR_OVERFLOW;
  if (!g && d) return DPPAIR_ERR_NULL;
  if (d) memset(g, 0, d * sizeof *g);
  if ((!x && n && d) || (!c && n)) return DPPAIR_ERR_NULL;
  if (ld < d) return DPPAIR_ERR_SIZE;
  DPPAIR_DISPATCH_(dppair_combine_f64, (g, x, n, d, ld, c));
  if (!dppair_all_finite_f64(g, d)) {
    memset(g, 0, d * sizeof *g);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_f32(double *g, const float *x, size_t n,
                                                              size_t d, size_t ld,
                                                              const double *c) {
  size_t total;
  if (dppair_size_mul(&total, n, ld) || dppair_size_mul(&total, total, 8))
    return DPPAIR_ERR_OVERFLOW;
  if (!g && d) return DPPAIR_ERR_NULL;
  if (d) memset(g, 0, d * sizeof *g);
  if ((!x && n && d) || (!c && n)) return DPPAIR_ERR_NULL;
  if (ld < d) return DPPAIR_ERR_SIZE;
  DPPAIR_DISPATCH_(dppair_combine_f32, (g, x, n, d, ld, c));
  if (!dppair_all_finite_f64(g, d)) {
    memset(g, 0, d * sizeof *g);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

/* Euclidean norm of x[0..n), without overflow or underflow on the way. */
DPPAIR_API double dppair_norm_f64(const double *x, size_t n) {
  double top = 0.0, sum = 0.0;
  size_t i;
  for (i = 0; i < n; i++) top = fabs(x[i]) > top ? fabs(x[i]) : top;
  if (!(top > 0.0) || !dppair_isfinite_f64(top)) return top;
  for (i = 0; i < n; i++) sum += (x[i] / top) * (x[i] / top);
  return top * sqrt(sum);
}

/* w becomes the nearest point of the ball ||w|| <= radius, radius > 0. The result's norm is at most
 * radius in exact arithmetic. NOT_FINITE (w zeroed), DOMAIN for a bad radius (w zeroed). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l2_f64(double *w, size_t d,
                                                                 double radius) {
  double norm;
  size_t k;
  if (!w && d) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(radius) || radius <= 0.0 || !dppair_all_finite_f64(w, d)) {
    if (d) memset(w, 0, d * sizeof *w);
    return dppair_isfinite_f64(radius) && radius > 0.0 ? DPPAIR_ERR_NOT_FINITE : DPPAIR_ERR_DOMAIN;
  }
  /* the computed norm and the products err by less than (d + 8) units in the last place */
  norm = dppair_norm_f64(w, d) * (1.0 + (double)(d + 8) * DBL_EPSILON);
  if (norm <= radius) return DPPAIR_OK;
  if (dppair_isfinite_f64(norm)) {
    for (k = 0; k < d; k++) w[k] *= radius / norm;
    return DPPAIR_OK;
  }
  memset(w, 0, d * sizeof *w);
  return DPPAIR_ERR_NOT_FINITE;
}

/* Heap sort: in place, O(n log n) in the worst case. */
DPPAIR_API void dppair_sort_f64(double *x, size_t n) {
  size_t start = n / 2, end = n;
  while (end > 1) {
    size_t root, child;
    double v;
    if (start > 0) {
      v = x[--start];
    } else {
      v = x[--end];
      x[end] = x[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && x[child] < x[child + 1]) child++;
      if (!(v < x[child])) break;
      x[root] = x[child];
    }
    x[root] = v;
  }
}

/* Area under the ROC curve, ties counted one half: the share of pairs with sp[i] > sn[j].
 * np, nn >= 1; work has np + nn numbers. O(n log n), exact integer counts.
 * Computed on private data the result is NOT private. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auc_f64(double *auc, const double *sp, size_t np,
                                                          const double *sn, size_t nn,
                                                          double *work) {
  double *p = work, *q;
  size_t i, below = 0, upto = 0, pairs;
  uint64_t twice = 0;
  if (!auc) return DPPAIR_ERR_NULL;
  *auc = 0.0;
  if (!sp || !sn || !work) return DPPAIR_ERR_NULL;
  if (np == 0 || nn == 0) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul(&pairs, np, nn) || pairs > SIZE_MAX / 4) return DPPAIR_ERR_OVERFLOW;
  if (!dppair_all_finite_f64(sp, np)) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  q = work + np;
  memcpy(p, sp, np * sizeof *p);
  memcpy(q, sn, nn * sizeof *q);
  dppair_sort_f64(p, np);
  dppair_sort_f64(q, nn);
  for (i = 0; i < np; i++) {
    while (below < nn && q[below] < p[i]) below++;
    if (upto < below) upto = below;
    while (upto < nn && q[upto] <= p[i]) upto++;
    twice += (uint64_t)below + (uint64_t)upto;
  }
  *auc = (double)twice / 2.0 / ((double)np * (double)nn);
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#endif /* DPPAIR_H */

/* ================================================================================================
 * Re-inclusion. With DPPAIR_PASS_ set this file generates code: the first two branches below walk
 * over tiers and types by including it again, the third is the body for one tier and one type.
 * ============================================================================================== */

#if defined(DPPAIR_PASS_) && !defined(DPPAIR_TIER_)

#define DPPAIR_TIER_ 0
DPPAIR_FP_BEGIN_
#include DPPAIR_SELF
DPPAIR_FP_END_
#undef DPPAIR_TIER_
#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
DPPAIR_FP_BEGIN_
#include DPPAIR_SELF
DPPAIR_FP_END_
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX2
#define DPPAIR_TIER_ 2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#include DPPAIR_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif
#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#include DPPAIR_SELF
DPPAIR_TARGET_END_
#undef DPPAIR_TIER_
#endif

#elif defined(DPPAIR_PASS_) && !defined(DPPAIR_F64_)

#if DPPAIR_TIER_ == 0
#define DPPAIR_TIER_NAME_ scalar
#elif DPPAIR_TIER_ == 1
#define DPPAIR_TIER_NAME_ simd128
#elif DPPAIR_TIER_ == 2
#define DPPAIR_TIER_NAME_ avx2
#else
#define DPPAIR_TIER_NAME_ avx512
#endif
#if DPPAIR_PASS_ == 1 || DPPAIR_TEMPLATE_F64_ == 0
#define DPPAIR_F64_ 0
#define DPPAIR_TYPE_NAME_ f32
#define DPV_R float
#define DPV_LANES 16
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
#include DPPAIR_SELF
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#endif
#if DPPAIR_PASS_ == 1 || DPPAIR_TEMPLATE_F64_ == 1
#define DPPAIR_F64_ 1
#define DPPAIR_TYPE_NAME_ f64
#define DPV_R double
#define DPV_LANES 8
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
#include DPPAIR_SELF
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#endif
#undef DPPAIR_TIER_NAME_

#elif defined(DPPAIR_PASS_) && DPPAIR_PASS_ == 1

/* ------------------------------------------------------------------------------------------------
 * The vocabulary for one tier and one type: native registers first, then virtual vectors of them.
 * ---------------------------------------------------------------------------------------------- */

/* DPN_PD picks pd or ps, DPN_EPI epi64 or epi32, DPN_BI f64 or f32, DPN_F nothing or f. */
#if DPPAIR_F64_
#define DPN_PD(name) DPPAIR_CAT(name, pd)
#define DPN_EPI(name) DPPAIR_CAT(name, epi64)
#define DPN_BI(name) DPPAIR_CAT(name, f64_)
#define DPN_F(name) name
#else
#define DPN_PD(name) DPPAIR_CAT(name, ps)
#define DPN_EPI(name) DPPAIR_CAT(name, epi32)
#define DPN_BI(name) DPPAIR_CAT(name, f32_)
#define DPN_F(name) DPPAIR_CAT(name, f)
#endif

/* Operators, not intrinsics: they obey the floating-point region even when the host's own include
 * of the intrinsics was compiled with -ffast-math. */
#define DPN_ADD(a, b) ((a) + (b))
#define DPN_SUB(a, b) ((a) - (b))
#define DPN_MUL(a, b) ((a) * (b))
#define DPN_DIV(a, b) ((a) / (b))

#if DPPAIR_TIER_ == 0
#define DPN_T DPV_R
#define DPN_M int
#define DPN_K DPV_LANES
#define DPN_SET(x) (x)
#define DPN_LOAD(p) (*(p))
#define DPN_STORE(p, a) (*(p) = (a))
#define DPN_LOADF(p) ((double)*(p))
#define DPN_STOREF(p, a) (*(p) = (float)(a))
#define DPN_FMA(a, b, c) DPN_F(fma)(a, b, c)
#define DPN_SQRT(a) DPN_F(sqrt)(a)
#define DPN_MAX(a, b) ((a) > (b) ? (a) : (b))
#define DPN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define DPN_LT(a, b) ((a) < (b))
#define DPN_LE(a, b) ((a) <= (b))
#define DPN_EQ(a, b) ((a) == (b))
#define DPN_SEL(m, a, b) ((m) ? (a) : (b))
#define DPN_MAND(a, b) ((a) & (b))
#define DPN_MOR(a, b) ((a) | (b))
#define DPN_INT(a) DPN_BI(dppair_bits_)(a)
#define DPN_FLOAT(u) DPN_BI(dppair_from_bits_)(u)
#define DPN_AND(a, b) DPN_FLOAT(DPN_INT(a) & DPN_INT(b))
#define DPN_OR(a, b) DPN_FLOAT(DPN_INT(a) | DPN_INT(b))
#define DPN_XOR(a, b) DPN_FLOAT(DPN_INT(a) ^ DPN_INT(b))
#define DPN_SHL(a, n) DPN_FLOAT(DPN_INT(a) << (n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_INT(a) >> (n))
#define DPN_EACH(s) for (int k = 0; k < DPN_K; k++) { s; }
#elif DPPAIR_TIER_ == 1
#if DPPAIR_F64_
#define DPN_T simde__m128d
#else
#define DPN_T simde__m128
#endif
#define DPN_M DPN_T
#define DPN_K 4
#define DPN_SET(x) DPN_PD(simde_mm_set1_)(x)
#define DPN_LOAD(p) DPN_PD(simde_mm_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(simde_mm_storeu_)(p, a)
#define DPN_LOADF(p) dppair_loadf_simd128_(p)
#define DPN_STOREF(p, a) dppair_storef_simd128_(p, a)
#define DPN_FMA(a, b, c) DPN_PD(simde_mm_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(simde_mm_sqrt_)(a)
#define DPN_MAX(a, b) DPN_SEL(DPN_LT(b, a), a, b) /* SIMDe's own differs on NaN and -0 */
#define DPN_MIN(a, b) DPN_SEL(DPN_LT(a, b), a, b)
#define DPN_LT(a, b) DPN_PD(simde_mm_cmplt_)(a, b)
#define DPN_LE(a, b) DPN_PD(simde_mm_cmple_)(a, b)
#define DPN_EQ(a, b) DPN_PD(simde_mm_cmpeq_)(a, b)
#define DPN_SEL(m, a, b) DPN_OR(DPN_AND(m, a), DPN_PD(simde_mm_andnot_)(m, b))
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(simde_mm_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(simde_mm_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(simde_mm_xor_)(a, b)
#if DPPAIR_F64_
#define DPN_INT(a) simde_mm_castpd_si128(a)
#else
#define DPN_INT(a) simde_mm_castps_si128(a)
#endif
#define DPN_FLOAT(u) DPN_PD(simde_mm_castsi128_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(simde_mm_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(simde_mm_srli_)(DPN_INT(a), n))
#define DPN_IT(i, s) { enum { k = i }; s; }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s) DPN_IT(2, s) DPN_IT(3, s)
#elif DPPAIR_TIER_ == 2
#if DPPAIR_F64_
#define DPN_T __m256d
#define DPN_INT(a) _mm256_castpd_si256(a)
#else
#define DPN_T __m256
#define DPN_INT(a) _mm256_castps_si256(a)
#endif
#define DPN_M DPN_T
#define DPN_K 2
#define DPN_SET(x) DPN_PD(_mm256_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm256_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm256_storeu_)(p, a)
#define DPN_LOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPN_STOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPN_FMA(a, b, c) DPN_PD(_mm256_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm256_sqrt_)(a)
#define DPN_MAX(a, b) DPN_PD(_mm256_max_)(a, b)
#define DPN_MIN(a, b) DPN_PD(_mm256_min_)(a, b)
#define DPN_LT(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm256_blendv_)(b, a, m)
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(_mm256_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm256_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm256_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm256_castsi256_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm256_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm256_srli_)(DPN_INT(a), n))
#define DPN_IT(i, s) { enum { k = i }; s; }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s)
#else
#if DPPAIR_F64_
#define DPN_T __m512d
#define DPN_M __mmask8
#define DPN_ALL 0xff
#define DPN_INT(a) _mm512_castpd_si512(a)
#else
#define DPN_T __m512
#define DPN_M __mmask16
#define DPN_ALL 0xffff
#define DPN_INT(a) _mm512_castps_si512(a)
#endif
/* The maskz forms say the same as the plain ones without their undefined operand, of which gcc 12
 * warns. */
#define DPN_K 1
#define DPN_SET(x) DPN_PD(_mm512_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm512_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm512_storeu_)(p, a)
#define DPN_LOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPN_STOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPN_FMA(a, b, c) DPN_PD(_mm512_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm512_maskz_sqrt_)(DPN_ALL, a)
#define DPN_MAX(a, b) DPN_PD(_mm512_maskz_max_)(DPN_ALL, a, b)
#define DPN_MIN(a, b) DPN_PD(_mm512_maskz_min_)(DPN_ALL, a, b)
#define DPN_CMP(a, b, how) DPPAIR_CAT(DPN_PD(_mm512_cmp_), _mask)(a, b, how)
#define DPN_LT(a, b) DPN_CMP(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_CMP(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_CMP(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm512_mask_blend_)(m, b, a)
#define DPN_MAND(a, b) ((DPN_M)((a) & (b)))
#define DPN_MOR(a, b) ((DPN_M)((a) | (b)))
#define DPN_AND(a, b) DPN_PD(_mm512_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm512_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm512_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm512_castsi512_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_slli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_srli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_EACH(s) { enum { k = 0 }; s; }
#endif
#define DPN_PER (DPV_LANES / DPN_K) /* lanes of one native register; DPN_EACH runs over registers */

typedef struct DPV_T { DPN_T r[DPN_K]; } DPV_T;
typedef struct DPV_M { DPN_M r[DPN_K]; } DPV_M;

#define DPN_DEF(type, name, args, e)                                                               \
  DPPAIR_FORCE_INLINE_ type DPPAIR_V_(name) args {                                                 \
    type v;                                                                                        \
    DPN_EACH(v.r[k] = e)                                                                           \
    return v;                                                                                      \
  }
#define DPN_OP1(name, e) DPN_DEF(DPV_T, name, (DPV_T a), e)
#define DPN_OP2(name, e) DPN_DEF(DPV_T, name, (DPV_T a, DPV_T b), e)

DPN_DEF(DPV_T, set, (DPV_R x), DPN_SET(x))
DPN_DEF(DPV_T, load, (const DPV_R *p), DPN_LOAD(p + k * DPN_PER))
DPPAIR_FORCE_INLINE_ void DPPAIR_V_(store)(DPV_R *p, DPV_T v) {
  DPN_EACH(DPN_STORE(p + k * DPN_PER, v.r[k]))
}
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(loadn)(const DPV_R *p, size_t n, DPV_R fill) {
  DPV_R t[DPV_LANES];
  for (int i = 0; i < DPV_LANES; i++) t[i] = fill;
  for (size_t i = 0; i < n; i++) t[i] = p[i];
  return DPV_LOAD(t);
}
DPPAIR_FORCE_INLINE_ void DPPAIR_V_(storen)(DPV_R *p, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t i = 0; i < n; i++) p[i] = t[i];
}
#if DPPAIR_F64_
/* Eight floats, widened to double; and back, rounded once. */
DPN_DEF(DPV_T, load_f32, (const float *p), DPN_LOADF(p + k * DPN_PER))
DPPAIR_FORCE_INLINE_ void DPPAIR_V_(store_f32)(float *p, DPV_T v) {
  DPN_EACH(DPN_STOREF(p + k * DPN_PER, v.r[k]))
}
#endif
DPN_OP2(add, DPN_ADD(a.r[k], b.r[k]))
DPN_OP2(sub, DPN_SUB(a.r[k], b.r[k]))
DPN_OP2(mul, DPN_MUL(a.r[k], b.r[k]))
DPN_OP2(div, DPN_DIV(a.r[k], b.r[k]))
DPN_OP2(max, DPN_MAX(a.r[k], b.r[k]))
DPN_OP2(min, DPN_MIN(a.r[k], b.r[k]))
DPN_OP1(sqrt, DPN_SQRT(a.r[k]))
DPN_DEF(DPV_T, fma, (DPV_T a, DPV_T b, DPV_T c), DPN_FMA(a.r[k], b.r[k], c.r[k]))
DPN_DEF(DPV_M, lt, (DPV_T a, DPV_T b), DPN_LT(a.r[k], b.r[k]))
DPN_DEF(DPV_M, le, (DPV_T a, DPV_T b), DPN_LE(a.r[k], b.r[k]))
DPN_DEF(DPV_M, eq, (DPV_T a, DPV_T b), DPN_EQ(a.r[k], b.r[k]))
DPN_DEF(DPV_M, and, (DPV_M a, DPV_M b), DPN_MAND(a.r[k], b.r[k]))
DPN_DEF(DPV_M, or, (DPV_M a, DPV_M b), DPN_MOR(a.r[k], b.r[k]))
DPN_DEF(DPV_T, sel, (DPV_M m, DPV_T a, DPV_T b), DPN_SEL(m.r[k], a.r[k], b.r[k]))

/* Bit patterns, for signs and exponents. */
DPN_OP2(bit_and, DPN_AND(a.r[k], b.r[k]))
DPN_OP2(bit_or, DPN_OR(a.r[k], b.r[k]))
DPN_OP2(bit_xor, DPN_XOR(a.r[k], b.r[k]))
#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC 6755399441055744.0 /* 1.5 * 2^52: adding it leaves an integer in the low bits */
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd  /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC 12582912.0f /* 1.5 * 2^23 */
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif
DPN_OP1(shl_mantissa, DPN_SHL(a.r[k], DPN_MANTISSA))
DPN_OP1(shr_mantissa, DPN_SHR(a.r[k], DPN_MANTISSA))

DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(neg)(DPV_T a) {
  return DPPAIR_V_(bit_xor)(a, DPN_BITS(DPN_SIGN));
}
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(abs)(DPV_T a) {
  return DPPAIR_V_(bit_xor)(a, DPPAIR_V_(bit_and)(a, DPN_BITS(DPN_SIGN)));
}
/* To the nearest integer, ties to even. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(round)(DPV_T a) {
  DPV_T big = DPV_SET(DPN_TWO_P), sign = DPPAIR_V_(bit_and)(a, DPN_BITS(DPN_SIGN));
  DPV_T t = DPV_ABS(a), r = DPV_SUB(DPV_ADD(t, big), big);
  return DPV_SEL(DPV_LT(t, big), DPPAIR_V_(bit_or)(r, sign), a);
}
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_V_(sum)(DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int w = DPV_LANES / 2; w > 0; w /= 2)
    for (int i = 0; i < w; i++) t[i] += t[i + w];
  return t[0];
}
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(call)(DPV_R (*f)(DPV_R), DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int i = 0; i < DPV_LANES; i++) t[i] = f(t[i]);
  return DPV_LOAD(t);
}

/* 2^n for an integer-valued n whose power is a normal number. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(pow2)(DPV_T n) {
  return DPPAIR_V_(shl_mantissa)(DPV_ADD(n, DPN_C(DPN_MAGIC + DPN_BIAS)));
}

/* e^x = 2^n e^r, |r| <= ln(2)/2, Taylor polynomial; ln 2 is split so that n times its head is
 * exact. The power of two is applied in two halves, so that results underflow gradually and
 * overflow to infinity. NaN stays NaN. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(exp)(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T low = DPV_SET(-746.0), high = DPV_SET(710.0);
  const DPV_T hi = DPV_SET(0.6931471803691238), lo = DPV_SET(1.9082149292705877e-10);
#else
  const DPV_T low = DPV_SET(-104.0f), high = DPV_SET(89.0f);
  const DPV_T hi = DPV_SET(0.693359375f), lo = DPV_SET(-0.00021219444f);
#endif
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  DPV_T n, r, p, n1;
  x = DPV_SEL(DPV_LT(x, low), low, x);
  x = DPV_SEL(DPV_LT(high, x), high, x);
  n = DPV_SUB(DPV_FMA(x, DPN_C(1.4426950408889634), magic), magic);
  r = DPV_FMA(DPV_NEG(n), hi, x);
  r = DPV_FMA(DPV_NEG(n), lo, r);
#if DPPAIR_F64_
  p = DPV_SET(1.0 / 6227020800.0);
  p = DPV_FMA(p, r, DPV_SET(1.0 / 479001600.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 39916800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 3628800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 362880.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 40320.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 5040.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 720.0));
#else
  p = DPN_C(1.0 / 5040.0);
  p = DPV_FMA(p, r, DPN_C(1.0 / 720.0));
#endif
  p = DPV_FMA(p, r, DPN_C(1.0 / 120.0));
  p = DPV_FMA(p, r, DPN_C(1.0 / 24.0));
  p = DPV_FMA(p, r, DPN_C(1.0 / 6.0));
  p = DPV_FMA(p, r, DPN_C(0.5));
  p = DPV_ADD(DPV_FMA(DPV_MUL(r, r), p, r), DPN_C(1.0));
  n1 = DPV_SUB(DPV_FMA(n, DPN_C(0.5), magic), magic);
  return DPV_MUL(DPV_MUL(p, DPPAIR_V_(pow2)(n1)), DPPAIR_V_(pow2)(DPV_SUB(n, n1)));
}

/* ln x = e ln 2 + ln m, m in [sqrt(1/2), sqrt 2), ln m = 2 atanh((m-1)/(m+1)) as
 * g - g^2/2 + s (g^2/2 + R), g = m - 1, s = g/(2+g). Zero gives -inf, a negative number NaN. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(log)(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T smallest = DPV_SET(DBL_MIN), up = DPV_SET(18014398509481984.0), shift = DPV_SET(54.0);
  const DPV_T hi = DPV_SET(0.6931471803691238), lo = DPV_SET(1.9082149292705877e-10);
  const DPV_T infinity = DPN_BITS(0x7ff0000000000000), nan = DPN_BITS(0x7ff8000000000000);
#else
  const DPV_T smallest = DPV_SET(FLT_MIN), up = DPV_SET(33554432.0f), shift = DPV_SET(25.0f);
  const DPV_T hi = DPV_SET(0.69313812f), lo = DPV_SET(9.0580014e-06f);
  const DPV_T infinity = DPN_BITS(0x7f800000), nan = DPN_BITS(0x7fc00000);
#endif
  const DPV_T zero = DPN_C(0.0), one = DPN_C(1.0), two_p = DPV_SET(DPN_TWO_P);
  const DPV_M tiny = DPV_LT(x, smallest);
  DPV_T m = DPV_SEL(tiny, DPV_MUL(x, up), x), e, g, s, z, h, p;
  DPV_M below;
  e = DPV_SUB(DPPAIR_V_(bit_or)(DPPAIR_V_(shr_mantissa)(m), two_p), two_p);
  e = DPV_SUB(e, DPN_C(DPN_BIAS - 1));
  e = DPV_SUB(e, DPV_SEL(tiny, shift, zero));
  /* mantissa into [1/2, 1), then into [sqrt(1/2), sqrt 2) */
#if DPPAIR_F64_
  m = DPPAIR_V_(bit_and)(m, DPN_BITS(0x000fffffffffffff));
  m = DPPAIR_V_(bit_or)(m, DPN_BITS(0x3fe0000000000000));
#else
  m = DPPAIR_V_(bit_or)(DPPAIR_V_(bit_and)(m, DPN_BITS(0x007fffff)), DPN_BITS(0x3f000000));
#endif
  below = DPV_LT(m, DPN_BITS(DPN_NORM));
  m = DPV_SEL(below, DPV_ADD(m, m), m);
  e = DPV_SEL(below, DPV_SUB(e, one), e);
  g = DPV_SUB(m, one);
  s = DPV_DIV(g, DPV_ADD(g, DPN_C(2.0)));
  z = DPV_MUL(s, s);
#if DPPAIR_F64_
  p = DPV_SET(2.0 / 21.0);
  p = DPV_FMA(p, z, DPV_SET(2.0 / 19.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 17.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 15.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 13.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 11.0));
#else
  p = DPN_C(2.0 / 11.0);
#endif
  p = DPV_FMA(p, z, DPN_C(2.0 / 9.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 7.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 5.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 3.0));
  p = DPV_MUL(p, z);
  h = DPV_MUL(DPV_MUL(DPN_C(0.5), g), g);
  p = DPV_FMA(s, DPV_ADD(h, p), DPV_MUL(e, lo));
  p = DPV_FMA(e, hi, DPV_SUB(g, DPV_SUB(h, p)));
  p = DPV_SEL(DPV_EQ(x, infinity), infinity, p);
  p = DPV_SEL(DPV_EQ(x, zero), DPV_NEG(infinity), p);
  return DPV_SEL(DPV_LE(zero, x), p, nan);
}

/* ln(1+x) for x >= 0: the logarithm of the rounded sum, corrected for its rounding. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(log1p)(DPV_T x) {
  const DPV_T u = DPV_ADD(x, DPN_C(1.0));
  return DPV_ADD(DPV_LOG(u), DPV_DIV(DPV_SUB(x, DPV_SUB(u, DPN_C(1.0))), u));
}
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(sigmoid)(DPV_T u) {
  const DPV_T one = DPN_C(1.0), e = DPV_EXP(DPV_NEG(DPV_ABS(u)));
  return DPV_DIV(DPV_SEL(DPV_LT(u, DPN_C(0.0)), e, one), DPV_ADD(one, e));
}
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(softplus)(DPV_T u) {
  return DPV_ADD(DPV_MAX(u, DPN_C(0.0)), DPV_LOG1P(DPV_EXP(DPV_NEG(DPV_ABS(u)))));
}

/* ------------------------------------------------------------------------------------------------
 * Rows times a vector, and back: one tier, one type. Sums run in double.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPL_FN(name) DPPAIR_CAT(DPPAIR_CAT(dppair_, name), DPPAIR_CAT(_, DPPAIR_TIER_NAME_))

/* Element loads from rows of float or double, told apart by a constant. */
DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_V_(row)(const void *x, size_t at, int is_f32) {
  return is_f32 ? DPV_LOAD_F32((const float *)x + at) : DPV_LOAD((const double *)x + at);
}
DPPAIR_FORCE_INLINE_ double DPPAIR_V_(row1)(const void *x, size_t at, int is_f32) {
  return is_f32 ? (double)((const float *)x)[at] : ((const double *)x)[at];
}

/* g[k] += c * row[k] in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_V_(axpy_row)(double *DPPAIR_RESTRICT_ g, const void *x, size_t at,
                                              size_t d, double c, int is_f32) {
  const DPV_T cv = DPV_SET(c);
  size_t k = 0;
  for (; k + DPV_LANES <= d; k += DPV_LANES)
    DPV_STORE(g + k, DPV_FMA(cv, DPPAIR_V_(row)(x, at + k, is_f32), DPV_LOAD(g + k)));
  for (; k < d; k++) {
    const DPV_T r = DPV_FMA(cv, DPV_SET(DPPAIR_V_(row1)(x, at + k, is_f32)), DPV_SET(g[k]));
    double t[DPV_LANES];
    DPV_STORE(t, r);
    g[k] = t[0];
  }
}
DPPAIR_FORCE_INLINE_ double DPPAIR_V_(dot_row)(const void *x, size_t at, const void *w, size_t d,
                                               int is_f32) {
  DPV_T sum = DPV_SET(0.0), tail = DPV_SET(0.0);
  double a[DPV_LANES], b[DPV_LANES];
  size_t k = 0, j = 0;
  for (; k + DPV_LANES <= d; k += DPV_LANES)
    sum = DPV_FMA(DPPAIR_V_(row)(x, at + k, is_f32), DPPAIR_V_(row)(w, k, is_f32), sum);
  if (k < d) {
    for (j = 0; j < DPV_LANES; j++) a[j] = b[j] = 0.0;
    for (j = 0; k + j < d; j++) {
      a[j] = DPPAIR_V_(row1)(x, at + k + j, is_f32);
      b[j] = DPPAIR_V_(row1)(w, k + j, is_f32);
    }
    tail = DPV_FMA(DPV_LOAD(a), DPV_LOAD(b), sum);
    sum = tail;
  }
  return DPV_SUM(sum);
}

DPPAIR_API void DPL_FN(scores_f64)(double *s, const double *x, size_t n, size_t d, size_t ld,
                                   const double *w) {
  for (size_t i = 0; i < n; i++) s[i] = DPPAIR_V_(dot_row)(x, i * ld, w, d, 0);
}
DPPAIR_API void DPL_FN(scores_f32)(float *s, const float *x, size_t n, size_t d, size_t ld,
                                   const float *w) {
  for (size_t i = 0; i < n; i++) s[i] = (float)DPPAIR_V_(dot_row)(x, i * ld, w, d, 1);
}
DPPAIR_API void DPL_FN(combine_f64)(double *g, const double *x, size_t n, size_t d, size_t ld,
                                    const double *c) {
  for (size_t k = 0; k < d; k++) g[k] = 0.0;
  for (size_t i = 0; i < n; i++) DPPAIR_V_(axpy_row)(g, x, i * ld, d, c[i], 0);
}
DPPAIR_API void DPL_FN(combine_f32)(double *g, const float *x, size_t n, size_t d, size_t ld,
                                    const double *c) {
  for (size_t k = 0; k < d; k++) g[k] = 0.0;
  for (size_t i = 0; i < n; i++) DPPAIR_V_(axpy_row)(g, x, i * ld, d, c[i], 1);
}
#undef DPL_FN
#endif


#undef DPN_ADD
#undef DPN_ALL
#undef DPN_AND
#undef DPN_BI
#undef DPN_BIAS
#undef DPN_BITS
#undef DPN_C
#undef DPN_CMP
#undef DPN_DEF
#undef DPN_DIV
#undef DPN_EACH
#undef DPN_EPI
#undef DPN_EQ
#undef DPN_F
#undef DPN_FLOAT
#undef DPN_FMA
#undef DPN_INT
#undef DPN_IT
#undef DPN_K
#undef DPN_LE
#undef DPN_LOAD
#undef DPN_LOADF
#undef DPN_LT
#undef DPN_M
#undef DPN_MAGIC
#undef DPN_MAND
#undef DPN_MANTISSA
#undef DPN_MAX
#undef DPN_MIN
#undef DPN_MOR
#undef DPN_MUL
#undef DPN_NORM
#undef DPN_OP1
#undef DPN_OP2
#undef DPN_OR
#undef DPN_PD
#undef DPN_PER
#undef DPN_SEL
#undef DPN_SET
#undef DPN_SHL
#undef DPN_SHR
#undef DPN_SIGN
#undef DPN_SQRT
#undef DPN_STORE
#undef DPN_STOREF
#undef DPN_SUB
#undef DPN_T
#undef DPN_TWO_P
#undef DPN_XOR

#elif defined(DPPAIR_PASS_)

/* ------------------------------------------------------------------------------------------------
 * The template for one tier: sums over all pairs (i, j) of phi(sp[i] - sn[j]) and of its slope.
 * Element type DPV_R, sums in double. Work may be cut into parts by rows of sp: part p of q covers
 * rows [p np/q, (p+1) np/q); the b of the parts are added by the caller, in the order of the parts.
 * ---------------------------------------------------------------------------------------------- */

#define DPT_FN(name) DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, name), DPPAIR_CAT(_, DPPAIR_TIER_NAME_))
#define DPT_VALUE(u) DPPAIR_CAT(DPPAIR_LOSS, _VALUE)(u, params)
#define DPT_SLOPE(u) DPPAIR_CAT(DPPAIR_LOSS, _SLOPE)(u, params)
#define DPT_FLUSH 64 /* vectors that are added in DPV_R before they go to double */

/* t[0..lanes) of v, widened and added to sum[0..n). */
DPPAIR_FORCE_INLINE_ void DPT_FN(_add_to_)(double *sum, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t l = 0; l < n; l++) sum[l] += (double)t[l];
}

DPPAIR_API void DPT_FN(_risk)(double *risk, const DPV_R *sp, size_t np, const DPV_R *sn, size_t nn,
                              const DPV_R *params) {
  double total = 0.0;
  (void)params;
  for (size_t i = 0; i < np; i++) {
    const DPV_T s = DPV_SET(sp[i]);
    for (size_t j = 0; j < nn;) {
      DPV_T sum = DPV_SET((DPV_R)0);
      const size_t stop = nn - j > DPT_FLUSH * DPV_LANES ? j + DPT_FLUSH * DPV_LANES : nn;
      for (; j + DPV_LANES <= stop; j += DPV_LANES)
        sum = DPV_ADD(sum, DPT_VALUE(DPV_SUB(s, DPV_LOAD(sn + j))));
      if (j < stop) {
        const size_t rest = stop - j;
        DPV_R t[DPV_LANES];
        DPV_STORE(t, DPT_VALUE(DPV_SUB(s, DPV_LOADN(sn + j, rest, sn[j]))));
        for (size_t l = 0; l < rest; l++) total += (double)t[l];
        j = stop;
      }
      total += (double)DPV_SUM(sum);
    }
  }
  *risk = total;
}

DPPAIR_API void DPT_FN(_coeffs)(double *a, double *b, const DPV_R *sp, size_t np, const DPV_R *sn,
                                size_t nn, const DPV_R *params) {
  (void)params;
  for (size_t i = 0; i < np; i++) a[i] = 0.0;
  for (size_t j = 0; j < nn; j++) b[j] = 0.0;
  for (size_t i0 = 0; i0 < np; i0 += DPT_FLUSH) {
    const size_t i1 = np - i0 > DPT_FLUSH ? i0 + DPT_FLUSH : np;
    for (size_t j = 0; j < nn; j += DPV_LANES) {
      const size_t rest = nn - j < DPV_LANES ? nn - j : DPV_LANES;
      const DPV_T s = DPV_LOADN(sn + j, rest, sn[j]);
      DPV_T column = DPV_SET((DPV_R)0);
      for (size_t i = i0; i < i1; i++) {
        const DPV_T slope = DPT_SLOPE(DPV_SUB(DPV_SET(sp[i]), s));
        column = DPV_SUB(column, slope);
        if (rest == DPV_LANES) {
          a[i] += (double)DPV_SUM(slope);
        } else {
          DPV_R t[DPV_LANES];
          DPV_STORE(t, slope);
          for (size_t l = 0; l < rest; l++) a[i] += (double)t[l];
        }
      }
      DPT_FN(_add_to_)(b + j, column, rest);
    }
  }
}
#undef DPT_FN
#undef DPT_VALUE
#undef DPT_SLOPE
#undef DPT_FLUSH

#elif defined(DPPAIR_NAME)

/* ------------------------------------------------------------------------------------------------
 * The template: parameters in, one set of functions per tier out, and the functions that check
 * their arguments and choose the tier.
 * ---------------------------------------------------------------------------------------------- */

#if !defined(DPPAIR_REAL)
#error "Define DPPAIR_REAL as float or double before including dppair.h for the template."
#endif
#if !defined(DPPAIR_LOSS)
#error "Define DPPAIR_LOSS as the name of a loss (dppair_losses.h) before including dppair.h."
#endif
#define DPPAIR_IS_double_ 1
#define DPPAIR_IS_float_ 0
#define DPPAIR_TEMPLATE_F64_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_IS_, DPPAIR_REAL), _)
#define DPPAIR_PASS_ 2
#include DPPAIR_SELF
#undef DPPAIR_PASS_

#define DPT_FN(name) DPPAIR_CAT(DPPAIR_NAME, name)
#if DPPAIR_TEMPLATE_F64_
#define DPT_FINITE dppair_all_finite_f64
#else
#define DPT_FINITE dppair_all_finite_f32
#endif

/* *risk = sum over i < np, j < nn of phi(sp[i] - sn[j]), exact O(np nn). params: the loss's own
 * parameters or NULL if it has none. NOT_FINITE when a score or the result is not finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPT_FN(_risk)(double *risk, const DPPAIR_REAL *sp,
                                                         size_t np, const DPPAIR_REAL *sn,
                                                         size_t nn, const DPPAIR_REAL *params) {
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(DPT_FN(_risk), (risk, sp, np, sn, nn, params));
  if (!dppair_isfinite_f64(*risk)) {
    *risk = 0.0;
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

/* a[i] = d(sum)/d sp[i] = sum_j phi'(sp[i] - sn[j]) for i < np, b[j] = d(sum)/d sn[j] =
 * -sum_i phi'(sp[i] - sn[j]) for j < nn, exact O(np nn), summed in double. With rows X+ and X-, the
 * gradient of the sum for linear scores is X+^T a + X-^T b (dppair_combine_*). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPT_FN(_coeffs)(double *a, double *b,
                                                           const DPPAIR_REAL *sp, size_t np,
                                                           const DPPAIR_REAL *sn, size_t nn,
                                                           const DPPAIR_REAL *params) {
  if ((!a && np) || (!b && nn)) return DPPAIR_ERR_NULL;
  if (np) memset(a, 0, np * sizeof *a);
  if (nn) memset(b, 0, nn * sizeof *b);
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  DPPAIR_DISPATCH_(DPT_FN(_coeffs), (a, b, sp, np, sn, nn, params));
  if (!dppair_all_finite_f64(a, np) || !dppair_all_finite_f64(b, nn)) {
    memset(a, 0, np * sizeof *a);
    memset(b, 0, nn * sizeof *b);
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

#undef DPT_FN
#undef DPT_FINITE
#undef DPPAIR_IS_double_
#undef DPPAIR_IS_float_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_LOSS

#endif
