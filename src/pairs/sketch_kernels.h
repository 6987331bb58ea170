/* ------------------------------------------------------------------------------------------------
 * Moments without order: boxes
 *
 * The moments of box_kernels.h in integers, for one tier, over boxes that the cap alone fixes. A
 * record adds w t^k for k below the number of terms, w = 1 where there are no weights. Powers are
 * within 14 units of 2^-53 (products of t, t^2, t^4, t^8, and w); each is then rounded to a
 * multiple of 2^-50, ties to even, by adding 1.5 2^52 2^-50 = 6: the bits of the sum less those of
 * 6 are the multiple, for |w t^k| <= 1.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPB_MAGIC (DPN_MAGIC * DPPAIR_SKETCH_UNIT_) /* 6 */

/* Eight weights as they count: dppair_share_grid_. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_shares8_grid(const double *weight, size_t at, size_t n) {
  const DPV_T w = dpv_shares8(weight, at, n), magic = DPV_SET(DPB_MAGIC);
  const DPV_T nearby = DPV_SUB(DPV_ADD(w, magic), magic);
  return DPV_SEL(DPV_LT(w, nearby), DPV_SUB(nearby, DPV_SET(DPPAIR_SKETCH_UNIT_)), nearby);
}

/* Adds n records of one class to its sums of 64 bits: partial[box (4 stride) + (l mod 4) stride +
 * k] for record l of eight. */
DPPAIR_FORCE_INLINE_ void dpv_moments_add(uint64_t *partial, dppair_boxes_ g, const void *s,
                                          size_t n, int is_f32, int two, const double *weight) {
  static const double lanes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const double low1[8] = {0, 1, 0, 1, 0, 1, 0, 1}, low2[8] = {0, 1, 2, 3, 0, 1, 2, 3};
  const DPV_T one = DPV_SET(1.0), half = DPV_SET(0.5), magic = DPV_SET(DPB_MAGIC);
  const DPV_M bit0 = DPV_LT(half, DPV_LOAD(low1)), bit1 = DPV_LT(one, DPV_LOAD(low2));
  const DPV_M bit2 = DPV_LT(DPV_SET(3.5), DPV_LOAD(lanes));
  const size_t stride = two ? 16 : 8;
  uint64_t less[8];
  DPV_T back;
  for (int l = 0; l < 8; l++) less[l] = 0 - dppair_bits_f64_(DPB_MAGIC);
  back = DPV_LOAD_BITS(less);
  for (size_t i = 0; i < n; i += 8) {
    const size_t rest = n - i < 8 ? n - i : 8;
    double t1[8], t2[8], t4[8], t8[8], times[8];
    size_t at[8];
    const DPV_T t = dpv_locate(at, dpv_scores8(s, i, n, is_f32), g, DPPAIR_SKETCH_COPIES_ * stride);
    const DPV_T square = DPV_MUL(t, t), fourth = DPV_MUL(square, square);
    DPV_STORE(t1, t);
    DPV_STORE(t2, square);
    DPV_STORE(t4, fourth);
    DPV_STORE(t8, DPV_MUL(fourth, fourth));
    if (weight) DPV_STORE(times, dpv_shares8_grid(weight, i, n));
    DPV_UNROLL_
    for (size_t l = 0; l < rest; l++) {
      uint64_t *to = partial + at[l] + l % DPPAIR_SKETCH_COPIES_ * stride;
      const DPV_T power = DPB_POWERS(t1[l], t2[l], t4[l]);
      const DPV_T v = weight ? DPV_MUL(power, DPV_SET(times[l])) : power;
      const DPV_T low = DPV_ADD(v, magic);
      DPV_STORE_BITS(to, DPV_ADD_BITS(DPV_LOAD_BITS(to), DPV_ADD_BITS(back, low)));
      if (two) {
        const DPV_T high = DPV_FMA(v, DPV_SET(t8[l]), magic);
        DPV_STORE_BITS(to + 8, DPV_ADD_BITS(DPV_LOAD_BITS(to + 8), DPV_ADD_BITS(back, high)));
      }
    }
  }
}

/* Adds n records of class `side`, block by block. */
DPPAIR_FORCE_INLINE_ void dpv_moments_side(dppair_sketch *m, int side, const void *s, size_t n,
                                           const double *weight, const dppair_fast *f, int is_f32,
                                           int two) {
  const dppair_boxes_ all = dpv_boxes(-HUGE_VAL, HUGE_VAL, f);
  const size_t most = DPPAIR_SKETCH_FLUSH_, bytes = is_f32 ? sizeof(float) : sizeof(double);
  uint64_t *partial = m->partial + DPPAIR_SKETCH_COPIES_ * dppair_sketch_at_(m, f, side, 0);
  for (size_t i = 0; i < n; i += most) {
    const size_t count = n - i < most ? n - i : most;
    const void *from = (const char *)s + i * bytes;
    double low = HUGE_VAL, high = -HUGE_VAL;
    dppair_boxes_ g;
    size_t first;
    dpv_range(&low, &high, from, count, is_f32);
    g = dpv_boxes(low, high, f);
    first = (size_t)(g.first - all.first);
    dppair_sketch_cover_(m, f, side, first, first + g.count, (count + 7) / 8 * 8);
    g.first = all.first;
    if (weight) /* a choice in the loop costs a sixteenth of its time */
      dpv_moments_add(partial, g, from, count, is_f32, two, weight + i);
    else
      dpv_moments_add(partial, g, from, count, is_f32, two, NULL);
  }
}

/* Adds a chunk of n records, the positives first. */
DPPAIR_API void dppair_sketch_count_TIER(dppair_sketch *m, const void *s, size_t n,
                                         size_t positives, const double *weight,
                                         const dppair_fast *f, int is_f32) {
  const size_t bytes = is_f32 ? sizeof(float) : sizeof(double);
  for (int side = 0; side < 2; side++) {
    const size_t from = side ? positives : 0, count = side ? n - positives : positives;
    const void *at = count ? (const char *)s + from * bytes : s;
    const double *w = weight && count ? weight + from : NULL;
    if (f->terms > 8)
      dpv_moments_side(m, side, at, count, w, f, is_f32, 1);
    else
      dpv_moments_side(m, side, at, count, w, f, is_f32, 0);
  }
}

/* sum[0..terms) = the moments of a cell of class `side`, as doubles, zeros beyond; whether it has
 * records, but for those of weight 0. Words are settled, or there are none. */
DPPAIR_FORCE_INLINE_ int dpv_cell_value(double *sum, const dppair_sketch *m, const dppair_fast *f,
                                        int side, size_t cell) {
  const size_t stride = (size_t)f->stride, terms = (size_t)f->terms;
  const size_t at = dppair_sketch_at_(m, f, side, cell);
  const uint64_t *words = m->words + 2 * at, *from = m->partial + DPPAIR_SKETCH_COPIES_ * at;
  double value[16];
  int there = 0;
  for (size_t k = 0; k < 16; k++) value[k] = 0.0;
  if (m->low < m->high) {
    there = (words[0] | words[1]) != 0;
    for (size_t k = 0; k < terms && there; k++)
      value[k] = dppair_word_value_(words + 2 * k, DPPAIR_SKETCH_UNIT_);
  } else if (m->first[side] <= cell && cell < m->end[side]) {
    for (size_t k = 0; k < terms; k++) {
      const uint64_t all = from[k] + from[stride + k] + from[2 * stride + k] + from[3 * stride + k];
      int64_t whole;
      memcpy(&whole, &all, sizeof whole);
      value[k] = (double)whole * DPPAIR_SKETCH_UNIT_;
      if (k == 0 && all == 0) break;
    }
    there = value[0] > 0.0;
  }
  memcpy(sum, value, stride * sizeof *sum); /* which lies before what is still to be read */
  return there;
}

/* The polynomials of every box and class, at m->coefficients; those of boxes without records of the
 * class are 0. */
DPPAIR_API void dppair_sketch_close_TIER(dppair_sketch *m, const dppair_fast *f) {
  const size_t stride = (size_t)f->stride, size = m->cells * stride;
  double *sum = (double *)(void *)m->partial;
  size_t low = m->low, high = m->high, first, end = 0;
  if (low == high) { /* no words: the cells in use */
    const int none[2] = {m->first[0] == m->end[0], m->first[1] == m->end[1]};
    low = none[0] || (!none[1] && m->first[1] < m->first[0]) ? m->first[1] : m->first[0];
    high = m->end[0] > m->end[1] ? m->end[0] : m->end[1];
  }
  first = high;
  m->coefficients = sum + 2 * size;
  for (int side = 0; side < 2; side++)
    for (size_t cell = low; cell < high; cell++)
      if (dpv_cell_value(sum + dppair_sketch_at_(m, f, side, cell), m, f, side, cell)) {
        first = cell < first ? cell : first;
        end = cell + 1 > end ? cell + 1 : end;
      }
  for (int side = 0; side < 2; side++)
    memset(m->coefficients + dppair_sketch_at_(m, f, side, low), 0,
           (high - low) * stride * sizeof *sum);
  for (int side = 0; side < 2 && first < end; side++) {
    const double *own = sum + (side ? size : 0) + first * stride;
    const double *other = sum + (side ? 0 : size) + first * stride;
    double *to = m->coefficients + (side ? size : 0) + first * stride;
    if (f->terms > 8)
      dpv_translate(to, other, other, own, end - first, f, 1, side);
    else
      dpv_translate(to, other, other, own, end - first, f, 0, side);
  }
}

/* c[i] = the coefficient of each of n records, the positives first. */
DPPAIR_API void dppair_sketch_read_TIER(double *c, const void *s, size_t n, size_t positives,
                                        const double *weight, const dppair_sketch *m,
                                        const dppair_fast *f, int is_f32) {
  const dppair_boxes_ all = dpv_boxes(-HUGE_VAL, HUGE_VAL, f);
  const size_t bytes = is_f32 ? sizeof(float) : sizeof(double);
  for (int side = 0; side < 2; side++) {
    const size_t from = side ? positives : 0, count = side ? n - positives : positives;
    const double *of = m->coefficients + dppair_sketch_at_(m, f, side, 0);
    if (!count) continue;
    if (f->terms > 8)
      dpv_evaluate(c + from, of, (const char *)s + from * bytes, count, is_f32, all, 1);
    else
      dpv_evaluate(c + from, of, (const char *)s + from * bytes, count, is_f32, all, 0);
  }
  for (size_t i = 0; weight && i < n; i += 8) {
    const DPV_T w = dpv_shares8_grid(weight, i, n);
    if (i + 8 <= n)
      DPV_STORE(c + i, DPV_MUL(DPV_LOAD(c + i), w));
    else
      DPV_STOREN(c + i, DPV_MUL(DPV_LOADN(c + i, n - i, 0.0), w), n - i);
  }
}
#undef DPB_MAGIC
#endif
