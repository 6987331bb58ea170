/* ------------------------------------------------------------------------------------------------
 * Intrinsics of the compiler (x86) and of SIMDe
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_X86_
#include <immintrin.h>
#endif
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#include <simde/x86/fma.h>
#include <simde/x86/sse2.h>
#endif
