/* ------------------------------------------------------------------------------------------------
 * Compiler
 * ---------------------------------------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_UNUSED_ __attribute__((unused))
#define DPPAIR_MUST_CHECK __attribute__((warn_unused_result))
#if defined(DPPAIR_NO_FORCE_INLINE) || !defined(__OPTIMIZE__)
#define DPPAIR_FORCE_INLINE_ static inline DPPAIR_UNUSED_
#else
#define DPPAIR_FORCE_INLINE_ static inline __attribute__((always_inline, unused))
#endif
#define DPPAIR_OUT_OF_LINE_ static __attribute__((noinline, unused))
#else
#define DPPAIR_UNUSED_
#define DPPAIR_MUST_CHECK
#define DPPAIR_FORCE_INLINE_ static inline
#define DPPAIR_OUT_OF_LINE_ static
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

/* With -ffast-math or a part of it gcc obeys the floating-point regions below in plain code, but
 * not together with an instruction set: only the scalar tier keeps its bounds. clang does not obey
 * them at all; of its parts only -ffinite-math-only shows here. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) ||       \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#define DPPAIR_LOOSE_MATH_ 1
#else
#define DPPAIR_LOOSE_MATH_ 0
#endif
#if DPPAIR_LOOSE_MATH_ && defined(__clang__)
#error "Compile without -ffast-math: clang applies it inside dppair too and voids proved bounds."
#elif DPPAIR_LOOSE_MATH_
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0
#endif
/* Windows keeps the lower halves of ten vector registers over a call; gcc (12) loses track of the
 * upper halves in AVX-512 code, and gave noise the wrong sign. clang is right. */
#if (defined(_WIN64) || defined(__CYGWIN__)) && defined(__GNUC__) && !defined(__clang__) &&        \
    DPPAIR_MAX_TIER > 2
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 2
#endif
/* Proofs round after every operation, in the declared type. Excess precision (x87) rounds twice, or
 * not at all: low bits of numbers that nobody may see would then pass through a release. 16 widens
 * _Float16 only. Negative: the compiler cannot tell. */
#if (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16) ||     \
    (!defined(__FLT_EVAL_METHOD__) && defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "dppair needs arithmetic in the declared type: x86 -msse2 -mfpmath=sse, s390x -std=gnu99."
#endif
/* -fsingle-precision-constant would shorten every constant of every proof. */
typedef char dppair_constants_are_double_[sizeof(1.0) == sizeof(double) ? 1 : -1];

/* Asks for the cache line at an address that will be read soon; any address will do. */
#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_PREFETCH_(p) __builtin_prefetch(p)
#else
#define DPPAIR_PREFETCH_(p) ((void)(p))
#endif

/* Before a loop of a few constant turns over arrays of vectors, so that these become registers. */
#if defined(__clang__)
#define DPPAIR_UNROLL_ _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define DPPAIR_UNROLL_ _Pragma("GCC unroll 16")
#else
#define DPPAIR_UNROLL_
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
#if defined(__clang__) /* older ones know float_control on x86 only and would warn elsewhere */
#define DPPAIR_QUIET_(pragmas)                                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-pragmas\"")       \
      pragmas _Pragma("clang diagnostic pop")
#define DPPAIR_FP_BEGIN_                                                                           \
  DPPAIR_QUIET_(_Pragma("float_control(push)") _Pragma("float_control(precise, on)"))              \
  _Pragma("clang fp contract(off)")
#define DPPAIR_FP_END_ DPPAIR_QUIET_(_Pragma("float_control(pop)"))
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  DPPAIR_FP_BEGIN_ DPPAIR_PRAGMA_(                                                                 \
      clang attribute push(__attribute__((target(isa))), apply_to = function))
#define DPPAIR_TARGET_END_ _Pragma("clang attribute pop") DPPAIR_FP_END_
#elif defined(__GNUC__)
#if DPPAIR_LOOSE_MATH_ /* gcc 12 then words a warning as if the target were lost; it is not */
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
