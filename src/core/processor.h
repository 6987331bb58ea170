/* ------------------------------------------------------------------------------------------------
 * Processor: the tiers of this build and machine
 * ---------------------------------------------------------------------------------------------- */

enum {
  DPPAIR_TIER_SCALAR = 0,
  DPPAIR_TIER_SIMD128 = 1,
  DPPAIR_TIER_AVX2 = 2,
  DPPAIR_TIER_AVX512 = 3
};

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define DPPAIR_X86_ 1
#else
#define DPPAIR_X86_ 0
#endif

/* What the compiler's flags let it use everywhere. */
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define DPPAIR_MEANS_AVX512_ 1
#else
#define DPPAIR_MEANS_AVX512_ 0
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define DPPAIR_MEANS_AVX2_ 1
#else
#define DPPAIR_MEANS_AVX2_ 0
#endif

/* DPPAIR_RUNS_(avx2): whether this machine has it. Nobody can be asked without a host: what the
 * compiler may use everywhere (-mavx2) is there, and nothing else. */
#ifndef DPPAIR_FREESTANDING
#ifndef DPPAIR_RUNS_ /* a test may say what a narrower machine would */
#define DPPAIR_RUNS_(feature) __builtin_cpu_supports(#feature)
#endif
#define DPPAIR_RUNS_AVX2_ 1
#define DPPAIR_RUNS_AVX512_ 1
#else
#define DPPAIR_RUNS_AVX512_ DPPAIR_MEANS_AVX512_
#define DPPAIR_RUNS_AVX2_ DPPAIR_MEANS_AVX2_
#define DPPAIR_RUNS_(feature) 1
#endif
#define DPPAIR_HAVE_AVX2 (DPPAIR_X86_ && DPPAIR_MAX_TIER >= 2 && DPPAIR_RUNS_AVX2_)
#define DPPAIR_HAVE_AVX512 (DPPAIR_HAVE_AVX2 && DPPAIR_MAX_TIER >= 3 && DPPAIR_RUNS_AVX512_)
#ifndef DPPAIR_TIER_LIMIT
#define DPPAIR_TIER_LIMIT 3
#endif

/* The narrowest tier that is compiled. Where the compiler may use AVX2 with FMA, or AVX-512, in all
 * of the program (-march=native), the program runs on no narrower machine: narrower tiers are left
 * out. */
#ifndef DPPAIR_MIN_TIER
#if DPPAIR_HAVE_AVX512 && DPPAIR_MEANS_AVX512_
#define DPPAIR_MIN_TIER 3
#elif DPPAIR_HAVE_AVX2 && DPPAIR_MEANS_AVX2_
#define DPPAIR_MIN_TIER 2
#else
#define DPPAIR_MIN_TIER 0
#endif
#endif
#if DPPAIR_MIN_TIER != 0 && !(DPPAIR_MIN_TIER == 2 && DPPAIR_HAVE_AVX2) &&                         \
    !(DPPAIR_MIN_TIER == 3 && DPPAIR_HAVE_AVX512)
#error "DPPAIR_MIN_TIER is 0, or 2 or 3 where this build has that tier: see DPPAIR_MAX_TIER."
#endif
#define DPPAIR_ISA_AVX2_ "avx2,fma"
#define DPPAIR_ISA_AVX512_ "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"

/* The 128-bit tier is for machines without AVX2: where that is compiled, processors of before 2013
 * take the scalar tier. It needs SIMDe, which needs a C library, and off x86 a fused multiply-add, without
 * which its sums are not those of other tiers (MIPS has none). It is left out on 32-bit ARM, where
 * NEON has no doubles and flushes subnormal numbers to zero. WebAssembly has no fused multiply-add,
 * which noise does not need: there the tier makes noise only (clang -msimd128). */
#if DPPAIR_X86_ || defined(__FP_FAST_FMA) || defined(__aarch64__) || defined(__powerpc64__) ||     \
    defined(__s390x__) || defined(__wasm__) || (defined(__riscv_flen) && __riscv_flen >= 64)
#define DPPAIR_FUSES_ 1
#else
#define DPPAIR_FUSES_ 0
#endif
#if defined(__has_include) && DPPAIR_MAX_TIER >= 1 && !DPPAIR_HAVE_AVX2 && !defined(DPPAIR_NO_SIMDE) &&                 \
    !defined(__arm__) && !defined(DPPAIR_FREESTANDING) && DPPAIR_FUSES_
#if __has_include(<simde/x86/fma.h>)
#if !defined(__wasm__)
#define DPPAIR_HAVE_SIMD128 1
#elif defined(__wasm_simd128__)
#define DPPAIR_WASM_NOISE_ 1
#endif
#endif
#endif
#ifndef DPPAIR_HAVE_SIMD128
#define DPPAIR_HAVE_SIMD128 0
#endif
#ifndef DPPAIR_WASM_NOISE_
#define DPPAIR_WASM_NOISE_ 0
#endif

/* The widest tier that is compiled, and the narrowest that functions are called on. */
#if DPPAIR_HAVE_AVX512
#define DPPAIR_WIDEST_ 3
#elif DPPAIR_HAVE_AVX2
#define DPPAIR_WIDEST_ 2
#else
#define DPPAIR_WIDEST_ DPPAIR_HAVE_SIMD128
#endif
#if DPPAIR_MIN_TIER > 1
#define DPPAIR_NARROWEST_ DPPAIR_MIN_TIER
#elif DPPAIR_HAVE_SIMD128
#define DPPAIR_NARROWEST_ DPPAIR_TIER_SIMD128
#else
#define DPPAIR_NARROWEST_ DPPAIR_TIER_SCALAR
#endif

/* The widest tier of this build that this machine can run and that DPPAIR_TIER_LIMIT allows:
 * DPPAIR_TIER_*. All dispatching functions use it. A limit below the narrowest tier of the build is
 * answered by the narrowest one; where that is AVX2 or AVX-512, dppair_environment_check refuses. */
DPPAIR_API int dppair_tier(void) {
#if DPPAIR_HAVE_AVX512 && DPPAIR_MIN_TIER < 3
  if (DPPAIR_TIER_LIMIT >= DPPAIR_TIER_AVX512 && DPPAIR_RUNS_(avx512f) && DPPAIR_RUNS_(avx512dq) &&
      DPPAIR_RUNS_(avx512bw) && DPPAIR_RUNS_(avx512vl))
    return DPPAIR_TIER_AVX512;
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 2
  if (DPPAIR_TIER_LIMIT >= DPPAIR_TIER_AVX2 && DPPAIR_RUNS_(avx2) && DPPAIR_RUNS_(fma))
    return DPPAIR_TIER_AVX2;
#endif
  return DPPAIR_NARROWEST_;
}

/* The tier that makes noise. */
DPPAIR_API int dppair_noise_tier_(void) {
  return DPPAIR_WASM_NOISE_ ? DPPAIR_TIER_SIMD128 : dppair_tier();
}

/* The name of dppair_tier(): "avx512", "avx2+fma", "simd128" or "scalar". The string is static. */
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
