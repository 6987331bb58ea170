/* ------------------------------------------------------------------------------------------------
 * Packed blocks of rows, and the limit of a clip
 *
 * Blocks of DPT_W records, feature by feature, as tiles read them: of clipped pairs, and of the
 * forms of a module.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* norm2[i], from sum = |v_i|^2 as computed in double over k numbers: above |v_i|^2 by a margin such
 * that, after rounding, norm2[i] + norm2[j] - 2 fl(<v_i, v_j>) >= |v_i - v_j|^2. Proof, with u =
 * epsilon/2: the chain of k fused multiply-adds errs by at most k u/(1 - k u) |v_i||v_j| <=
 * k u (|v_i|^2 + |v_j|^2)/2/(1 - k u); the two additions and norm2 itself by 4 u (|v_i|^2 +
 * |v_j|^2); the sum by k u; each step that underflows by less than the smallest normal number, also
 * when the processor flushes to zero. For k epsilon <= 1/4 all of that is below the margin: 2 (k +
 * 16) epsilon relative and 8 (k + 4) smallest normal numbers absolute.
 *
 * It also exceeds |r_i - r_j|^2 for the exact scaled rows r of which v are the computed ones. By
 * NAME_scaled_row_, |r_i - v_i| <= 2 epsilon |r_i| + sqrt(k) smallest normal numbers. That makes
 * the square larger by at most 9 epsilon (|v_i|^2 + |v_j|^2) and, where the second part is more
 * than that, by less than a smallest normal number. The above leaves 30 epsilon. */
DPPAIR_API double DPPAIR_NAME_tiles_margin_(double sum, size_t k) {
  return sum + 2.0 * (double)(k + 16) * (double)DPT_EPSILON * sum +
         8.0 * (double)(k + 4) * (double)DPT_MIN;
}

/* The clip in the type of the kernels, less than `clip` by more than quotients and roots err; 0
 * when it is not a normal number there. */
DPPAIR_API DPPAIR_REAL DPPAIR_NAME_tiles_limit_(double clip) {
  const double limit =
      (clip < (double)DPT_MAX ? clip : (double)DPT_MAX) * (1.0 - 32.0 * (double)DPT_EPSILON);
  return limit < (double)DPT_MIN ? 0 : (DPPAIR_REAL)limit;
}

/*
 * Whether a block may skip its caps, when its weights are at most `top` in size and its pair
 * gradients of weight 1 at most `reach` long. It may when no cap would change a weight. Then a
 * weight is a function of its two records alone, whichever records share their block, and one
 * record changes only its own pairs. A cap is limit/(a computed length), and that length exceeds
 * `reach` by less than 8 epsilon: squared norms and inner products stay below what their margins
 * allow for, and at most eight roots, sums and quotients are rounded after that. So with
 * top reach <= limit (1 - 16 epsilon) every cap is above top. The same with 2 DPT_MIN in place of
 * top keeps caps above DPT_MIN, below which they become 0.
 */
DPPAIR_API int DPPAIR_NAME_tiles_spared_(DPPAIR_REAL limit, double top, double reach) {
  const double least = 2.0 * (double)DPT_MIN, most = top > least ? top : least;
  return most * reach <= (double)limit * (1.0 - 16.0 * (double)DPT_EPSILON);
}

/* Writes n rows of x, d numbers that begin ld apart, times their factors (NULL: all 1), as packed
 * blocks [block][d][DPT_W]; the last block is filled up with zeros. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_pack_(DPPAIR_REAL *to, const DPT_STORED *x, size_t n,
                                                 size_t d, size_t ld, const double *factor) {
  for (size_t i = 0; i < n; i++) {
    DPPAIR_REAL *p = to + i / DPT_W * d * DPT_W + i % DPT_W;
    for (size_t f = 0; f < d && !factor; f++) p[f * DPT_W] = DPT_NUMBER(x[i * ld + f]);
    if (factor) DPPAIR_NAME_scaled_row_(p, DPT_W, x + i * ld, d, factor[i]);
  }
  for (size_t l = n % DPT_W; l > 0 && l < DPT_W; l++)
    for (size_t f = 0; f < d; f++) to[(n / DPT_W * d + f) * DPT_W + l] = 0;
}

DPPAIR_FP_END_
