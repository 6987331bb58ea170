/* ------------------------------------------------------------------------------------------------
 * A softmax over the batch with each similarity clipped: tiles
 *
 * For one instance and tier, in the vectors of double. It relies on clip_state.h, and on multiply.h
 * for products. A tile has a row for each record of the other side's block; its lanes are the
 * strip's own records.
 * ---------------------------------------------------------------------------------------------- */

#define DPC_(op) DPPAIR_D_(op)

/* z, by blocks and by rows, and the squared norms of one block of a side. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_map_TIER(const DPPAIR_NAME_softmax_ *s, size_t side,
                                                      size_t block) {
  const double *x = s->x[side] + block * s->d * DPT_SIDE;
  double *z = s->z[side] + block * s->k * DPT_SIDE;
  double *zr = s->zr[side] + block * s->k * DPT_SIDE;
  dpd_multiply(z, DPT_SIDE, x, DPT_SIDE, s->w, s->k, s->k, s->d, 0);
  for (size_t l = 0; l < DPT_SIDE; l++)
    for (size_t f = 0; f < s->k; f++) zr[l * s->k + f] = z[f * DPT_SIDE + l];
  for (size_t l = 0; l < DPT_SIDE; l += 8) {
    dpd_t a = dpd_set(0.0), b = dpd_set(0.0);
    for (size_t f = 0; f < s->d; f++) {
      const dpd_t v = dpd_load(x + f * DPT_SIDE + l);
      a = dpd_fma(v, v, a);
    }
    for (size_t f = 0; f < s->k; f++) {
      const dpd_t v = dpd_load(z + f * DPT_SIDE + l);
      b = dpd_fma(v, v, b);
    }
    dpd_store(s->x2[side] + block * DPT_SIDE + l, a);
    dpd_store(s->z2[side] + block * DPT_SIDE + l, b);
  }
}

/* e[j][l] = e^(s - reach) from the inner products `dot`, 0 for what is no record. Functions of two
 * records: an inner product is one chain over their numbers, the same from either side. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_terms_TIER(const DPPAIR_NAME_softmax_ *s, double *e,
                                                        const double *dot, size_t block,
                                                        size_t from) {
  const dpd_t scale = dpd_set(s->scale), high = dpd_set(s->reach), low = dpd_set(-s->reach);
  for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8) {
    dpd_t v = DPC_(mul)(dpd_load(dot + a), scale);
    v = DPC_(max)(low, DPC_(min)(high, v));
    dpd_store(e + a, DPC_(exp_below)(DPC_(sub)(v, high)));
  }
  if ((block + 1) * DPT_SIDE <= s->n && (from + 1) * DPT_SIDE <= s->n) return;
  for (size_t j = 0; j < DPT_SIDE; j++)
    for (size_t l = 0; l < DPT_SIDE; l++)
      if (block * DPT_SIDE + l >= s->n || from * DPT_SIDE + j >= s->n) e[j * DPT_SIDE + l] = 0.0;
}

/* The sums of a block of anchors over all candidates. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_totals_TIER(const DPPAIR_NAME_softmax_ *s,
                                                         size_t block, double *tile) {
  double *dot = tile + DPT_SIDE * DPT_SIDE, *total = s->total + block * DPT_SIDE;
  memset(total, 0, DPT_SIDE * sizeof *total);
  for (size_t from = 0; from < s->blocks; from++) {
    dpd_multiply(dot, DPT_SIDE, s->z[0] + block * s->k * DPT_SIDE, DPT_SIDE,
                 s->z[1] + from * s->k * DPT_SIDE, DPT_SIDE, DPT_SIDE, s->k, 0);
    DPPAIR_NAME_softmax_terms_TIER(s, tile, dot, block, from);
    for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8)
      dpd_store(total + a % DPT_SIDE, dpd_add(dpd_load(total + a % DPT_SIDE), dpd_load(tile + a)));
  }
  for (size_t l = 0; l < DPT_SIDE; l++)
    if (block * DPT_SIDE + l >= s->n) total[l] = 1.0;
}

/* e[j][l] = share less 1 of the own positive, from terms e. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_softmax_shares_TIER(const DPPAIR_NAME_softmax_ *s, double *e,
                                                          size_t side, size_t block, size_t from) {
  const double *total = s->total + (side ? from : block) * DPT_SIDE;
  for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8) {
    const dpd_t sum = side ? dpd_set(total[a / DPT_SIDE]) : dpd_load(total + a % DPT_SIDE);
    dpd_store(e + a, DPC_(div)(dpd_load(e + a), sum));
  }
  for (size_t l = 0; block == from && l < DPT_SIDE; l++) e[l * (DPT_SIDE + 1)] -= 1.0;
}

/*
 * e *= B/(length of G) where that is below 1, and 1/temperature. `gram` and `dot` are <x_i, y_j>
 * and <z_i, u_j>, and
 *
 *   |G|^2 = (t + 2 gram dot)/temperature^2,   t = |x_i|^2 |u_j|^2 + |y_j|^2 |z_i|^2.
 *
 * As computed, t errs by (d + k + 6) units of rounding relative to itself, and 2 gram dot by
 * 2.1 (d + k) units relative to t, since 2 |x||u||y||z| <= t; twice as much where products are not
 * fused. The margin is 16 (d + k + 16) units.
 * A length is taken as 2^-9.5 sqrt(t)/temperature at least: the two parts of G may cancel, and then
 * they are not more than 1024 B long, which is what their rounding is relative to. What else is
 * rounded here is within 8 epsilon, which s->clip leaves. Sums and products of two numbers come in
 * either order from the two sides, which changes no bit.
 */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_softmax_clip_TIER(const DPPAIR_NAME_softmax_ *s, double *e,
                                                        const double *dot, const double *gram,
                                                        size_t side, size_t block, size_t from) {
  const dpd_t clip = dpd_set(s->clip), scale = dpd_set(s->scale), two = dpd_set(2.0);
  const dpd_t more = dpd_set(1.0 + s->margin), least = dpd_set(1.0 / 524288.0);
  const double *x2 = s->x2[side] + block * DPT_SIDE, *z2 = s->z2[side] + block * DPT_SIDE;
  for (size_t a = 0; a < DPT_SIDE * DPT_SIDE; a += 8) {
    const size_t j = from * DPT_SIDE + a / DPT_SIDE, l = a % DPT_SIDE;
    const dpd_t own = DPC_(mul)(dpd_load(x2 + l), dpd_set(s->z2[1 - side][j]));
    const dpd_t t = dpd_add(own, DPC_(mul)(dpd_load(z2 + l), dpd_set(s->x2[1 - side][j])));
    const dpd_t cross = DPC_(mul)(DPC_(mul)(dpd_load(gram + a), dpd_load(dot + a)), two);
    const dpd_t square = DPC_(max)(DPC_(mul)(t, least), dpd_add(DPC_(mul)(t, more), cross));
    const dpd_t length = DPC_(max)(clip, DPC_(mul)(DPC_(sqrt)(square), scale));
    const dpd_t factor = DPC_(mul)(DPC_(div)(clip, length), scale);
    dpd_store(e + a, DPC_(mul)(dpd_load(e + a), factor));
  }
}

/* dz of a block of a side: the sum over the other side's records of weights times their z. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_softmax_strip_TIER(const DPPAIR_NAME_softmax_ *s, size_t side,
                                                        size_t block, double *tile) {
  double *dot = tile + DPT_SIDE * DPT_SIDE, *gram = dot + DPT_SIDE * DPT_SIDE;
  double *dz = s->dz[side] + block * s->k * DPT_SIDE;
  memset(dz, 0, s->k * DPT_SIDE * sizeof *dz);
  for (size_t from = 0; from < s->blocks; from++) {
    dpd_multiply(dot, DPT_SIDE, s->z[side] + block * s->k * DPT_SIDE, DPT_SIDE,
                 s->z[1 - side] + from * s->k * DPT_SIDE, DPT_SIDE, DPT_SIDE, s->k, 0);
    dpd_multiply(gram, DPT_SIDE, s->x[side] + block * s->d * DPT_SIDE, DPT_SIDE,
                 s->x[1 - side] + from * s->d * DPT_SIDE, DPT_SIDE, DPT_SIDE, s->d, 0);
    DPPAIR_NAME_softmax_terms_TIER(s, tile, dot, block, from);
    DPPAIR_NAME_softmax_shares_TIER(s, tile, side, block, from);
    DPPAIR_NAME_softmax_clip_TIER(s, tile, dot, gram, side, block, from);
    dpd_multiply(dz, DPT_SIDE, tile, DPT_SIDE, s->zr[1 - side] + from * s->k * DPT_SIDE, s->k, s->k,
                 DPT_SIDE, 1);
  }
}

#undef DPC_
