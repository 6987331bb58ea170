/* ------------------------------------------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif
