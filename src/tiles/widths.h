/* ------------------------------------------------------------------------------------------------
 * The width of a block, what the type of an instance can hold, and rows times their factors
 *
 * DPT_W records are a block: three vectors, the width of the micro-kernel.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_
#define DPT_W ((size_t)24)
#define DPT_MAX DBL_MAX
#define DPT_MIN DBL_MIN
#define DPT_EPSILON DBL_EPSILON
#else
#define DPT_W ((size_t)48)
#define DPT_MAX FLT_MAX
#define DPT_MIN FLT_MIN
#define DPT_EPSILON FLT_EPSILON
#endif
/* Blocks of DPT_W records for n. */
#define DPT_BLOCKS(n) ((n) / DPT_W + ((n) % DPT_W != 0))
/* A limit of margins, norms and distances: sums of a few of them do not overflow. */
#define DPT_ROOM ((double)DPT_MAX / 64.0)
/* Whether inner products of k numbers are too long for the bound of NAME_tiles_margin_. */
#define DPT_TOO_LONG(k) ((double)(k) * (double)DPT_EPSILON > 0.25)

#if DPT_DENSE

DPPAIR_FP_BEGIN_

/*
 * to[f step] = the numbers of a row times its factor, f < d; those of an array for a factor of 1.
 *
 * No number grows: rounding moves a product towards 0 only, and a bound of the norm of the scaled
 * row holds for the computed one in exact arithmetic. It is less than the exact product by at most
 * 2 epsilon relative and the smallest normal number. Proof, with u = epsilon/2: the product is
 * taken times 1 - 2 u. That, the product and, in float, the rounding of a double's number exceed
 * exact results by less than u each, or two of them by 2^-53: (1 - 2 u)(1 + u)^2 < 1. Below the
 * normal numbers, where rounding is not relative, the result is 0. Infinity stands for what is too
 * large, and is refused with the rows.
 */
DPPAIR_API void DPPAIR_NAME_scaled_row_(DPPAIR_REAL *to, size_t step, const DPT_STORED *x, size_t d,
                                        double factor) {
  const int one = factor >= 1.0 && factor <= 1.0;
  for (size_t f = 0; f < d; f++) {
    const DPPAIR_REAL number = DPT_NUMBER(x[f]);
    const double v = factor * (double)number * (1.0 - (double)DPT_EPSILON), size = dppair_fabs_(v);
    const double in_range = size < (double)DPT_MIN ? 0.0 : size > (double)DPT_MAX ? HUGE_VAL : v;
    to[f * step] = one ? number : (DPPAIR_REAL)in_range;
  }
}

/* some[0] and, if there are others, some[1] = the records that are there. SIZE: nulls > n. */
DPPAIR_API dppair_status DPPAIR_NAME_there_(DPPAIR_ROWS_ *some, const DPPAIR_ROWS_ *rows,
                                            const DPPAIR_ROWS_ *others) {
  some[0] = DPT_PRESENT(rows);
  some[1] = DPT_PRESENT(others ? others : rows);
  return rows->nulls > rows->n || (others && others->nulls > others->n) ? DPPAIR_ERR_SIZE
                                                                        : DPPAIR_OK;
}

DPPAIR_FP_END_

#endif /* DPT_DENSE */
