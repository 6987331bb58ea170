/* ------------------------------------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
