/* ------------------------------------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
