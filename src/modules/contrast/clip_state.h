/* ------------------------------------------------------------------------------------------------
 * A softmax over the batch with each similarity clipped: state
 *
 * For one instance of a row loss, whose rows it takes; the loss is another one:
 *
 *   F(W) = sum over anchors i of -s_ii + log sum over all j of e^(s_ij),
 *   s_ij = <W^T x_i, W^T y_j>/temperature, held in [-1/temperature, 1/temperature],
 *
 * x_i and y_i being the two views of record i. The gradient of s_ij in W,
 *
 *   G_ij = (x_i u_j^T + y_j z_i^T)/temperature,   z_i = W^T x_i, u_j = W^T y_j,
 *
 * is shortened to B, and what is computed is sum of (p_ij - [i = j]) G_ij, p_ij the share of j in
 * anchor i's sum. A similarity beyond its ends keeps its direction. With that, one record moves the
 * sum by no more than dppair_sensitivity_softmax says, which has the proof; it asks two things of
 * what is computed, which hold to the last bit: e^(s_ij) and the clipped G_ij are functions of the
 * records i and j alone, not of their places; and G_ij is at most B long. The rest is rounding, for
 * which NAME_softmax_rounding_ has a bound.
 *
 * All is in double, in blocks of 24 records, [block][numbers of a record][24]. A block of anchors
 * and one of candidates make a tile. A strip is a block of either side against all of the other: it
 * computes what its own records get, so that no sum depends on how strips are cut into parts.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPT_SIDE 24 /* records of a block */

/* Index 0: anchors x and z; 1: candidates y and u. */
typedef struct DPPAIR_NAME_softmax_ {
  size_t n, d, k, blocks, parts;
  double scale, reach, clip; /* 1/temperature; the largest similarity; B, less what roundings err */
  double margin;             /* of a squared norm, relative */
  const double *w;
  double *x[2], *z[2];   /* blocks of d and of k numbers; both 0 after n records */
  double *zr[2];         /* z in rows of k */
  double *x2[2], *z2[2]; /* squared norms */
  double *total;         /* of an anchor: sum of e^(s_ij - reach) */
  double *dz[2];         /* blocks of k numbers: the gradient in z is X^T dz */
  double *tile;          /* of each part: three tiles */
} DPPAIR_NAME_softmax_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL). Returns the bytes used,
 * SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_softmax_layout_(DPPAIR_NAME_softmax_ *s, char *base) {
  const size_t padded = dppair_area_(s->blocks, DPT_SIDE);
  size_t used = 0, side;
#define DPT_TAKE(field, a, b) s->field = (double *)dppair_take_(base, &used, dppair_area_(a, b), 8)
  for (side = 0; side < 2; side++) {
    DPT_TAKE(x[side], padded, s->d);
    DPT_TAKE(z[side], padded, s->k);
    DPT_TAKE(zr[side], padded, s->k);
    DPT_TAKE(dz[side], padded, s->k);
    DPT_TAKE(x2[side], padded, 1);
    DPT_TAKE(z2[side], padded, 1);
  }
  DPT_TAKE(total, padded, 1);
  DPT_TAKE(tile, s->parts, 3 * DPT_SIDE * DPT_SIDE);
#undef DPT_TAKE
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Writes rows times their factors into blocks; the last one is filled up with zeros. */
DPPAIR_API void DPPAIR_NAME_softmax_pack_(DPPAIR_NAME_softmax_ *s, size_t side,
                                          const DPPAIR_ROWS_ *rows) {
  size_t i, f;
  for (i = 0; i < s->blocks * DPT_SIDE; i++) {
    double *to = s->x[side] + i / DPT_SIDE * s->d * DPT_SIDE + i % DPT_SIDE;
    const double factor = rows->factor && i < s->n ? rows->factor[i] : 1.0;
    for (f = 0; f < s->d; f++)
      to[f * DPT_SIDE] = i < s->n ? factor * (double)DPT_NUMBER(rows->x[i * rows->ld + f]) : 0.0;
  }
}

DPPAIR_FP_END_
