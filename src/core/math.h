/* ------------------------------------------------------------------------------------------------
 * Elementary functions: every one that the headers use, under one name
 * ---------------------------------------------------------------------------------------------- */

/* A function of libm. Without a C library nothing declares it, but the compiler knows it: it is a
 * call all the same, where no instruction does it. */
#ifdef DPPAIR_FREESTANDING
#define DPPAIR_LIBM_CALL_(name) __builtin_##name
#else
#define DPPAIR_LIBM_CALL_(name) name
#endif

#define dppair_expl_(x) DPPAIR_LIBM_CALL_(expl)(x)
#define dppair_expm1l_(x) DPPAIR_LIBM_CALL_(expm1l)(x)
#define dppair_fabs_(x) DPPAIR_LIBM_CALL_(fabs)(x)
#define dppair_floorl_(x) DPPAIR_LIBM_CALL_(floorl)(x)
#define dppair_log1pl_(x) DPPAIR_LIBM_CALL_(log1pl)(x)

/* Exact by IEEE 754 wherever they come from. Without a C library: math_exact.h. */
#ifdef DPPAIR_FREESTANDING
#define dppair_ceil_(x) dppair_own_ceil_(x)
#define dppair_copysign_(x, y) dppair_own_copysign_(x, y)
#define dppair_floor_(x) dppair_own_floor_(x)
#define dppair_fmax_(x, y) dppair_own_fmax_(x, y)
#define dppair_fmin_(x, y) dppair_own_fmin_(x, y)
#define dppair_frexp_(x, exponent) dppair_own_frexp_(x, exponent)
#define dppair_ldexp_(x, exponent) dppair_own_ldexp_(x, exponent)
#define dppair_rint_(x) dppair_own_rint_(x)
#define dppair_sqrt_(x) dppair_own_sqrt_(x)
#else
#define dppair_ceil_(x) DPPAIR_LIBM_CALL_(ceil)(x)
#define dppair_copysign_(x, y) DPPAIR_LIBM_CALL_(copysign)(x, y)
#define dppair_floor_(x) DPPAIR_LIBM_CALL_(floor)(x)
#define dppair_fmax_(x, y) DPPAIR_LIBM_CALL_(fmax)(x, y)
#define dppair_fmin_(x, y) DPPAIR_LIBM_CALL_(fmin)(x, y)
#define dppair_frexp_(x, exponent) DPPAIR_LIBM_CALL_(frexp)(x, exponent)
#define dppair_ldexp_(x, exponent) DPPAIR_LIBM_CALL_(ldexp)(x, exponent)
#define dppair_rint_(x) DPPAIR_LIBM_CALL_(rint)(x)
#define dppair_sqrt_(x) DPPAIR_LIBM_CALL_(sqrt)(x)
#endif
