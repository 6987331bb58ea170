/* ------------------------------------------------------------------------------------------------
 * The vectors of one tier and type: its registers, and the vocabulary on them
 * ---------------------------------------------------------------------------------------------- */

#include "simd/registers.h"

#if DPPAIR_TIER_ == 0
#include "simd/scalar.h"
#elif DPPAIR_TIER_ == 1
#include "simd/simd128.h"
#elif DPPAIR_TIER_ == 2
#include "simd/avx2.h"
#elif DPPAIR_TIER_ == 3
#include "simd/avx512.h"
#endif

#include "simd/operations.h"
#include "simd/elementary.h"
