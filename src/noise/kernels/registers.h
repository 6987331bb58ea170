/* ------------------------------------------------------------------------------------------------
 * Registers: the operations DPR_ that each tier brings
 *
 *   DPR_I DPR_F    vectors of DPR_LANES words and floats; DPR_M their mask
 *   DPR_Q DPR_D    vectors of DPR_LANES / 2 words of 64 bits and doubles; DPR_N their mask
 *
 * A letter of the type, then the operation, named like those of dppair.h (DPN_ in simd/registers.h)
 * where it has them: DPR_FFMA and DPR_DFMA are DPN_FMA, DPR_FINT the bits of floats, DPR_FLOAT the
 * floats of bits. To add a tier, write a file like avx2.h here and one like simd/avx2.h.
 *
 * Why two tables: dppair.h compiles its kernels for one element type at a time, so DPN_FMA means
 * the type at hand, and it needs nothing but that type. A kernel of the noise uses words, floats
 * and doubles together and converts between them. Of its 75 operations a tier of dppair.h has 20; a
 * table of both, with a letter for each type, would be longer than the two are, and this header
 * would carry the loops of the other.
 * ---------------------------------------------------------------------------------------------- */

/* Operators, not intrinsics: they obey the floating-point region even when the host's own include
 * of the intrinsics was compiled with -ffast-math. On WebAssembly all vectors are of one type,
 * whose operators add words. */
#if defined(__wasm__)
#define DPR_FADD(a, b) simde_mm_add_ps(a, b)
#define DPR_FSUB(a, b) simde_mm_sub_ps(a, b)
#define DPR_FMUL(a, b) simde_mm_mul_ps(a, b)
#define DPR_DADD(a, b) simde_mm_add_pd(a, b)
#define DPR_DSUB(a, b) simde_mm_sub_pd(a, b)
#define DPR_DMUL(a, b) simde_mm_mul_pd(a, b)
#define DPR_DDIV(a, b) simde_mm_div_pd(a, b)
#else
#define DPR_FADD(a, b) ((a) + (b))
#define DPR_FSUB(a, b) ((a) - (b))
#define DPR_FMUL(a, b) ((a) * (b))
#define DPR_DADD(a, b) ((a) + (b))
#define DPR_DSUB(a, b) ((a) - (b))
#define DPR_DMUL(a, b) ((a) * (b))
#define DPR_DDIV(a, b) ((a) / (b))
#endif

/* Keeps a compiler from simplifying (a + b) - b to a: the digits of a would then be released. */
#if defined(__SSE2__)
#define DPR_OPAQUE(a) __asm__("" : "+x"(a))
#elif defined(__wasm__)
#define DPR_OPAQUE(a) __asm__("" : "+r"(a))
#else
#define DPR_OPAQUE(a) __asm__("" : "+w"(a))
#endif
