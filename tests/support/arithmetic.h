/* SPDX-License-Identifier: MIT */
/* Other arithmetics than the one that proofs assume: rounding modes, zeros for subnormal numbers.
 */
#ifndef DPPAIR_ARITHMETIC_H
#define DPPAIR_ARITHMETIC_H

#include <fenv.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { ARITHMETICS = 4 };

/* The k-th of them, or with -1 the usual one. Where flushing cannot be asked for, the fourth is it.
 */
static inline void arithmetic_set(int k) {
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  (void)fesetround(k >= 0 && k < 3 ? modes[k] : FE_TONEAREST);
#if defined(__SSE2__)
  _mm_setcsr(k == 3 ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
#endif
}

#endif
