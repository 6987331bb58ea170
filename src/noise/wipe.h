/* ------------------------------------------------------------------------------------------------
 * Wiping memory, the stack and vector registers
 *
 * Every public function that handles secrets gives the work to a function that is not inlined, and
 * calls dppair_burn_stack_ when that has returned.
 * ---------------------------------------------------------------------------------------------- */

/* Overwrites n bytes with zeros. The compiler cannot remove the writes as dead. */
DPPAIR_API void dppair_wipe(void *p, size_t n) {
#if defined(__GNUC__) || defined(__clang__)
  if (n > 0) memset(p, 0, n);
  __asm__ __volatile__("" : : "r"(p) : "memory");
#else
  volatile unsigned char *bytes = (volatile unsigned char *)p;
  size_t i;
  for (i = 0; i < n; i++) bytes[i] = 0;
#endif
}

/* A call leaves keys, spilled round keys, key stream and fractions of un-noised numbers on the
 * stack. Wiping its arrays one by one would miss what the compiler placed there by itself, so the
 * whole region below the caller is wiped, to one of these depths. */
#ifdef DPPAIR_SMALL /* more than any call uses, and itself within 8 KB with all above it */
#define DPPAIR_STACK_SMALL_ 5888u
#define DPPAIR_STACK_LARGE_ 5888u
#else
#define DPPAIR_STACK_SMALL_ 8192u  /* more than keying, or one block of key stream, uses */
#define DPPAIR_STACK_LARGE_ 65536u /* more than a release uses */
#endif

/* Vector registers keep secrets too, and a linker that resolves a function at its first call saves
 * them on the stack. On x86-64 all of them are zeroed: 32 registers of 64 bytes with AVX-512, else
 * 16. This happens on every tier, because the C library's memcpy uses them on every tier. Builds
 * for Windows leave the upper 16 as they are; with gcc no tier uses those there (see
 * DPPAIR_MAX_TIER). On 64-bit ARM all 32 are zeroed; a function gives its caller back the lower
 * halves of eight of them, which are the caller's. On other processors nothing is zeroed. */
#if DPPAIR_X86_
#define DPPAIR_XMM_                                                                                \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",         \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define DPPAIR_ZERO_(op, r) op " %%" r ", %%" r ", %%" r "\n\t"
#define DPPAIR_ZERO4_(op, a, b, c, d)                                                              \
  DPPAIR_ZERO_(op, a) DPPAIR_ZERO_(op, b) DPPAIR_ZERO_(op, c) DPPAIR_ZERO_(op, d)
#if !defined(_WIN64) && !defined(__CYGWIN__)
__attribute__((target("avx512f"))) DPPAIR_OUT_OF_LINE_ void dppair_clear_upper_(void) {
  __asm__ __volatile__(DPPAIR_ZERO4_("vpxord", "zmm16", "zmm17", "zmm18", "zmm19")
                           DPPAIR_ZERO4_("vpxord", "zmm20", "zmm21", "zmm22", "zmm23")
                               DPPAIR_ZERO4_("vpxord", "zmm24", "zmm25", "zmm26", "zmm27")
                                   DPPAIR_ZERO4_("vpxord", "zmm28", "zmm29", "zmm30", "zmm31")
                       :
                       :
                       : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                         "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
}
#endif
__attribute__((target("avx"))) DPPAIR_OUT_OF_LINE_ void dppair_clear_avx_(void) {
  __asm__ __volatile__("vzeroall" : : : DPPAIR_XMM_);
}
#define DPPAIR_PXOR_(n) "pxor %%xmm" n ", %%xmm" n "\n\t"
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {
#if !defined(_WIN64) && !defined(__CYGWIN__)
#if !defined(DPPAIR_FREESTANDING) || defined(__AVX512F__)
  if (DPPAIR_RUNS_(avx512f)) dppair_clear_upper_();
#endif
#endif
#if !defined(DPPAIR_FREESTANDING) || defined(__AVX__)
  if (DPPAIR_RUNS_(avx)) {
    dppair_clear_avx_();
    return;
  }
#endif
  __asm__ __volatile__(DPPAIR_PXOR_("0") DPPAIR_PXOR_("1") DPPAIR_PXOR_("2") DPPAIR_PXOR_("3")
                           DPPAIR_PXOR_("4") DPPAIR_PXOR_("5") DPPAIR_PXOR_("6") DPPAIR_PXOR_("7")
                               DPPAIR_PXOR_("8") DPPAIR_PXOR_("9") DPPAIR_PXOR_("10")
                                   DPPAIR_PXOR_("11") DPPAIR_PXOR_("12") DPPAIR_PXOR_("13")
                                       DPPAIR_PXOR_("14") DPPAIR_PXOR_("15")
                       :
                       :
                       : DPPAIR_XMM_);
}
#undef DPPAIR_PXOR_
#undef DPPAIR_ZERO4_
#undef DPPAIR_ZERO_
#undef DPPAIR_XMM_
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define DPPAIR_MOVI_(n) "movi v" n ".2d, #0\n\t"
#define DPPAIR_MOVI4_(a, b, c, d) DPPAIR_MOVI_(a) DPPAIR_MOVI_(b) DPPAIR_MOVI_(c) DPPAIR_MOVI_(d)
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {
  __asm__ __volatile__(DPPAIR_MOVI4_("0", "1", "2", "3") DPPAIR_MOVI4_("4", "5", "6", "7")
                           DPPAIR_MOVI4_("8", "9", "10", "11") DPPAIR_MOVI4_("12", "13", "14", "15")
                               DPPAIR_MOVI4_("16", "17", "18", "19")
                                   DPPAIR_MOVI4_("20", "21", "22", "23")
                                       DPPAIR_MOVI4_("24", "25", "26", "27")
                                           DPPAIR_MOVI4_("28", "29", "30", "31")
                       :
                       :
                       : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",
                         "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
                         "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}
#undef DPPAIR_MOVI4_
#undef DPPAIR_MOVI_
#else
DPPAIR_OUT_OF_LINE_ void dppair_clear_registers_(void) {}
#endif

/* Zeroes `depth` bytes of stack below its caller's frame. */
DPPAIR_OUT_OF_LINE_ void dppair_burn_frame_(size_t depth) {
  unsigned char stack[DPPAIR_STACK_LARGE_];
  dppair_wipe(stack + sizeof stack - depth, depth); /* the stack grows down: the end is nearest */
}

/* Zeroes the registers first, then the stack: the first call of memset may save registers on the
 * stack. General registers come before all others, because a function may push one of them to align
 * its frame. */
DPPAIR_FORCE_INLINE_ void dppair_burn_stack_(size_t depth) {
#if DPPAIR_X86_
  __asm__ __volatile__("xorl %%eax, %%eax\n\txorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\t"
                       "xorl %%esi, %%esi\n\txorl %%edi, %%edi\n\txorl %%r8d, %%r8d\n\t"
                       "xorl %%r9d, %%r9d\n\txorl %%r10d, %%r10d\n\txorl %%r11d, %%r11d"
                       :
                       :
                       : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#endif
  dppair_clear_registers_();
  dppair_burn_frame_(depth);
}
