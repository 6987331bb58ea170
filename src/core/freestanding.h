/* ------------------------------------------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 0
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif
