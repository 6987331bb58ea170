/* ------------------------------------------------------------------------------------------------
 * Compiler: attributes, knobs, strict arithmetic
 * ---------------------------------------------------------------------------------------------- */

/* Does the compiler optimise? Asked once: gcc changes its macro in regions of another level. */
#ifdef __OPTIMIZE__
#define DPPAIR_OPTIMIZED_ 1
#else
#define DPPAIR_OPTIMIZED_ 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_UNUSED_ __attribute__((unused))
#define DPPAIR_MUST_CHECK __attribute__((warn_unused_result))
#if defined(DPPAIR_NO_FORCE_INLINE) || !DPPAIR_OPTIMIZED_
#define DPPAIR_FORCE_INLINE_ static inline DPPAIR_UNUSED_
#else
#define DPPAIR_FORCE_INLINE_ static inline __attribute__((always_inline, unused))
#endif
#if DPPAIR_OPTIMIZED_
#define DPPAIR_OUT_OF_LINE_ static __attribute__((noinline, unused))
#define DPPAIR_RARE_ static __attribute__((noinline, cold, unused)) /* made small, not fast */
#else /* nothing is inlined; gcc then compiles every static function that is not called inline */
#define DPPAIR_OUT_OF_LINE_ static inline DPPAIR_UNUSED_
#define DPPAIR_RARE_ static inline DPPAIR_UNUSED_
#endif
#else
#define DPPAIR_UNUSED_
#define DPPAIR_MUST_CHECK
#define DPPAIR_FORCE_INLINE_ static inline
#define DPPAIR_OUT_OF_LINE_ static
#define DPPAIR_RARE_ static
#endif

/* Defaults of the knobs: see the manual. clang's -Os inlines much; what is asked for is its -Oz.
 * The generator of the headers writes DPPAIR_FN_ for DPPAIR_API before functions that are private.
 */
#ifndef DPPAIR_FN_
#if defined(DPPAIR_SMALL) && defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#define DPPAIR_FN_ static inline __attribute__((unused, minsize))
#else
#define DPPAIR_FN_ static inline DPPAIR_UNUSED_
#endif
#endif
#ifdef DPPAIR_IMPLEMENTATION
#include "dppair_declare.h" /* the symbol that says which declarations these definitions are of */
#endif
#if defined(DPPAIR_API)
#elif !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_API DPPAIR_FN_
#elif defined(__cplusplus)
#define DPPAIR_API extern "C"
#else
#define DPPAIR_API extern
#endif
#ifndef DPPAIR_SELF
#define DPPAIR_SELF "dppair.h"
#endif
#ifdef DPPAIR_SMALL /* the rows of vector kernels are what fills the stack */
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0
#endif
#ifndef DPPAIR_MAX_TIER /* without optimisation every tier is slow, and the wide ones take longest */
#if DPPAIR_OPTIMIZED_ || !(defined(__GNUC__) || defined(__clang__))
#define DPPAIR_MAX_TIER 3
#else
#define DPPAIR_MAX_TIER 0
#endif
#endif

/* With -ffast-math or a part of it, gcc obeys the floating-point regions below in plain code, but
 * not in functions that have an instruction set of their own. Only the scalar tier then keeps its
 * bounds. clang does not obey the regions at all and is refused; of the parts of -ffast-math it
 * reports only -ffinite-math-only by a macro. */
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

/* On Windows a call preserves only the lower halves of ten vector registers. gcc 12 loses track of
 * the upper halves in AVX-512 code, which gave noise the wrong sign. clang is correct. */
#if (defined(_WIN64) || defined(__CYGWIN__)) && defined(__GNUC__) && !defined(__clang__) &&        \
    DPPAIR_MAX_TIER > 2
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 2
#endif

/* The proofs assume that every operation is rounded in the declared type. Excess precision (x87)
 * rounds twice or not at all, and a release would then reveal low bits of private numbers. The
 * value 16 concerns only _Float16; a negative value means that the compiler cannot tell, and is
 * refused. */
#if (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16) ||     \
    (!defined(__FLT_EVAL_METHOD__) && defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "dppair needs arithmetic in the declared type: x86 -msse2 -mfpmath=sse, s390x -std=gnu99."
#endif

/* Refuses -fsingle-precision-constant, which would round all constants to float. */
typedef char dppair_constants_are_double_[sizeof(1.0) == sizeof(double) ? 1 : -1];

/* Loads the cache line at p, which will be read soon. p may be an invalid address. */
#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_PREFETCH_(p) __builtin_prefetch(p)
#else
#define DPPAIR_PREFETCH_(p) ((void)(p))
#endif

/* To be written before a loop over an array of vectors with a small constant number of turns: once
 * the loop is unrolled, the vectors are in registers. */
#if defined(__clang__) && defined(DPPAIR_NO_FORCE_INLINE) /* warns where the size is not known */
#define DPPAIR_UNROLL_
#elif defined(__clang__)
#define DPPAIR_UNROLL_ _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define DPPAIR_UNROLL_ _Pragma("GCC unroll 16")
#else
#define DPPAIR_UNROLL_
#endif

/* Whether core/quick.h lowers the level of optimisation. gcc obeys only a part of a second pragma in
 * a region, so a region names all its options at once. */
#if defined(__GNUC__) && !defined(__clang__) && DPPAIR_OPTIMIZED_ &&                               \
    !defined(__OPTIMIZE_SIZE__) && !defined(DPPAIR_SMALL) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(DPPAIR_NO_QUICK)
#define DPPAIR_QUICK_ 1
#else
#define DPPAIR_QUICK_ 0
#endif
#define DPPAIR_QUICK_SMALL_ 0 /* 1 around a region for size */

/* Hides from clang that a size is a constant of the caller: for some constant numbers of columns
 * clang 14 at -O1 unrolls the sums over rows until no memory is left. */
#if defined(__clang__)
#define DPPAIR_ANY_SIZE_(n) __asm__("" : "+r"(n))
#else
#define DPPAIR_ANY_SIZE_(n) ((void)0)
#endif

#define DPPAIR_CAT_(a, b) a##b
#define DPPAIR_CAT(a, b) DPPAIR_CAT_(a, b)

/* DPPAIR_WORD_(word, other): the number of a word that a parameter of the template may be, `other`
 * for any other word. Where DPPAIR_PROBE_word is a macro, its comma moves the number into the
 * second place, which is the result. */
#define DPPAIR_WORD_(word, other) DPPAIR_WORD_1_(DPPAIR_CAT(DPPAIR_PROBE_, word), other, ~)
#define DPPAIR_WORD_1_(...) DPPAIR_SECOND_(__VA_ARGS__)
#define DPPAIR_SECOND_(a, b, ...) b

#ifdef __cplusplus
#define DPPAIR_RESTRICT_ __restrict
#else
#define DPPAIR_RESTRICT_ restrict
#endif

/*
 * Regions of strict arithmetic. All numerical code of the four headers is between FP_BEGIN and
 * FP_END. There the compiler does not fuse a product and a sum on its own, and -ffast-math has
 * no effect (gcc; clang is refused). Equal results on all tiers and the bounds on rounding depend
 * on this. TARGET regions are the same and add an instruction set to the functions inside them.
 *
 * Parts of -ffast-math that clang tells no macro of: its float_control takes them back on x86 and
 * PowerPC; clang 14 ignores it for ARM, WebAssembly and RISC-V, `clang fp reassociate(off)` knows
 * but one of them, and `reciprocal(off)` came with clang 18. -ffp-contract=fast cannot be taken
 * back anywhere. There nothing protects, so dppair_environment_check looks for each and refuses.
 */
#if defined(__clang__) /* QUIET: old versions know float_control on x86 only, and warn */
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
#if DPPAIR_LOOSE_MATH_ /* gcc 12 then warns as if the target were lost, which it is not */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_PRAGMA_OF_(x) DPPAIR_PRAGMA_(x)
#define DPPAIR_LEVEL_ "no-fast-math" /* or a level of optimisation, too: core/quick.h */
#define DPPAIR_STRICT_                                                                             \
  DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_, "no-fast-math", "fp-contract=off"))                \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
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
