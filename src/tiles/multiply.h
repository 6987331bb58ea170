/* ------------------------------------------------------------------------------------------------
 * The micro-kernel of the tiles
 *
 * A product of matrices for one tier and one type, and sums in double of vectors of either type. It
 * relies on the vocabulary only. The micro-kernel dpv_multiply computes
 *
 *   out[r][l] (+)= sum over t < steps of s[t][r] v[t][l],    r < rows, l < 3 vectors
 *
 * where rows of the three matrices begin ldo, lds and ldv numbers apart. Each number is one chain
 * of fused multiply-adds in the order of t. So the blocking, which follows the number of registers,
 * does not change a bit. dpv_multiply_rows has s[r][t] in its place: rows as they stand in memory.
 * ---------------------------------------------------------------------------------------------- */

#define DPM_OPEN(r) DPV_T c##r = add ? DPV_LOAD(out + r * ldo) : DPV_SET(0);
#define DPM_STEP(r) c##r = DPV_FMA(DPV_SET(s[r * gap]), x, c##r);
#define DPM_SAVE(r) DPV_STORE(out + r * ldo, dpv_margin(c##r, end, at + r, l));
#define DPM_EACH(e) e(0) e(1) e(2) e(3)

/* v, with the other sign where two labels differ. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_margin_sign(DPV_T v, DPV_T y, DPV_T other) {
  return dpv_bit_xor(v, DPV_SEL(DPV_EQ(y, other), DPV_SET(0), DPV_SET((DPV_R)-0.0)));
}

/* The sum c of row r at lanes l.., or where end = {hl, yl, hr, yr} is given the margin c + (hl[l] +
 * hr[r]), with the other sign where the labels yl[l] and yr[r] differ. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_margin(DPV_T c, const DPV_R *const *end, size_t r, size_t l) {
  if (!end) return c;
  return dpv_margin_sign(DPV_ADD(c, DPV_ADD(DPV_LOAD(end[0] + l), DPV_SET(end[2][r]))),
                         DPV_LOAD(end[1] + l), DPV_SET(end[3][r]));
}

/* The product with numbers s[t lds + r gap], for one row and one vector; below, for four rows and
 * one, and for eight and three. The sums stay in registers. For dpv_margin the first row is row
 * `at`, and the first lane l. */
DPPAIR_FORCE_INLINE_ void dpv_multiply_1x1(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t steps,
                                           int add, const DPV_R *const *end, size_t at, size_t l) {
  DPM_OPEN(0)
  for (; steps > 0; steps--, v += ldv, s += lds) {
    const DPV_T x = DPV_LOAD(v);
    DPM_STEP(0)
  }
  DPM_SAVE(0)
}
DPPAIR_FORCE_INLINE_ void dpv_multiply_4x1(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t steps,
                                           int add, const DPV_R *const *end, size_t at, size_t l) {
  DPM_EACH(DPM_OPEN)
  for (; steps > 0; steps--, v += ldv, s += lds) {
    const DPV_T x = DPV_LOAD(v);
    DPM_EACH(DPM_STEP)
  }
  DPM_EACH(DPM_SAVE)
}
#undef DPM_OPEN
#undef DPM_STEP
#undef DPM_SAVE
#undef DPM_EACH

#if DPN_REGISTERS >= 32
#define DPM_OPEN1(c, l) DPV_T c = add ? DPV_LOAD(out + (l)) : DPV_SET(0);
#define DPM_OPEN(r)                                                                                \
  DPM_OPEN1(c##r, r *ldo)                                                                          \
  DPM_OPEN1(d##r, r *ldo + DPV_LANES) DPM_OPEN1(e##r, r *ldo + 2 * DPV_LANES)
#define DPM_STEP(r)                                                                                \
  {                                                                                                \
    const DPV_T w = DPV_SET(s[r * gap]);                                                           \
    c##r = DPV_FMA(w, x, c##r);                                                                    \
    d##r = DPV_FMA(w, y, d##r);                                                                    \
    e##r = DPV_FMA(w, z, e##r);                                                                    \
  }
#define DPM_SAVE(r)                                                                                \
  DPV_STORE(out + r * ldo, dpv_margin(c##r, end, at + r, 0));                                      \
  DPV_STORE(out + r * ldo + DPV_LANES, dpv_margin(d##r, end, at + r, DPV_LANES));                  \
  DPV_STORE(out + r * ldo + 2 * DPV_LANES, dpv_margin(e##r, end, at + r, 2 * DPV_LANES));
#define DPM_EACH(e) e(0) e(1) e(2) e(3) e(4) e(5) e(6) e(7)
DPPAIR_FORCE_INLINE_ void dpv_multiply_8x3(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t steps,
                                           int add, const DPV_R *const *end, size_t at) {
  DPM_EACH(DPM_OPEN)
  for (; steps > 0; steps--, v += ldv, s += lds) {
    const DPV_T x = DPV_LOAD(v), y = DPV_LOAD(v + DPV_LANES), z = DPV_LOAD(v + 2 * DPV_LANES);
    DPM_EACH(DPM_STEP)
  }
  DPM_EACH(DPM_SAVE)
}
#undef DPM_OPEN1
#undef DPM_OPEN
#undef DPM_STEP
#undef DPM_SAVE
#undef DPM_EACH
#endif

/* The product above, added to out when `add` is set, or with `end` its margins: eight rows by three
 * vectors at a time where the processor has 32 registers, then four by one and one by one. */
DPPAIR_FORCE_INLINE_ void dpv_multiply_any(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t rows,
                                           size_t steps, int add, const DPV_R *const *end) {
  size_t r = 0, l;
#if DPN_REGISTERS >= 32
  for (; r + 8 <= rows; r += 8)
    dpv_multiply_8x3(out + r * ldo, ldo, v, ldv, s + r * gap, lds, gap, steps, add, end, r);
#endif
  for (; r + 4 <= rows; r += 4)
    for (l = 0; l < 3 * DPV_LANES; l += DPV_LANES)
      dpv_multiply_4x1(out + r * ldo + l, ldo, v + l, ldv, s + r * gap, lds, gap, steps, add, end,
                       r, l);
  for (; r < rows; r++)
    for (l = 0; l < 3 * DPV_LANES; l += DPV_LANES)
      dpv_multiply_1x1(out + r * ldo + l, ldo, v + l, ldv, s + r * gap, lds, gap, steps, add, end,
                       r, l);
}
DPPAIR_OUT_OF_LINE_ void dpv_multiply(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                      const DPV_R *s, size_t lds, size_t rows, size_t steps,
                                      int add) {
  dpv_multiply_any(out, ldo, v, ldv, s, lds, 1, rows, steps, add, NULL);
}

/* out[r][l] = sum over t < steps of s[r][t] v[t][l]. */
DPPAIR_OUT_OF_LINE_ void dpv_multiply_rows(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t rows, size_t steps) {
  dpv_multiply_any(out, ldo, v, ldv, s, 1, lds, rows, steps, 0, NULL);
}

/* out[r][l] = the margins (dpv_margin) of sums over t < steps of s[t][r] v[t][l], for blocks of
 * three vectors. While the next products are made, margins cost nothing. */
DPPAIR_OUT_OF_LINE_ void dpv_multiply_margins(DPV_R *out, const DPV_R *v, const DPV_R *s,
                                              size_t rows, size_t steps, const DPV_R *hl,
                                              const DPV_R *yl, const DPV_R *hr, const DPV_R *yr) {
  const size_t ld = 3 * DPV_LANES;
  const DPV_R *const end[4] = {hl, yl, hr, yr};
  dpv_multiply_any(out, ld, v, ld, s, ld, 1, rows, steps, 0, end);
}

/* The largest number of v, or 0 where none is above it. */
DPPAIR_FORCE_INLINE_ DPV_R dpv_largest(DPV_T v) {
  DPV_R lanes[DPV_LANES], most = 0;
  DPV_STORE(lanes, v);
  for (int l = 0; l < DPV_LANES; l++) most = lanes[l] > most ? lanes[l] : most;
  return most;
}

/* sum[l] += v[l] in double, for all lanes. */
DPPAIR_FORCE_INLINE_ void dpv_add_wide(double *sum, DPV_T v) {
#if DPPAIR_F64_
  DPV_STORE(sum, DPV_ADD(DPV_LOAD(sum), v));
#else
  float t[DPV_LANES];
  DPV_STORE(t, v);
  dpd_store(sum, dpd_add(dpd_load(sum), dpd_load_f32(t)));
  dpd_store(sum + 8, dpd_add(dpd_load(sum + 8), dpd_load_f32(t + 8)));
#endif
}

/* sum[l] += v[l] in double, for 8 lanes; a vector of 16 is folded, v[l] + v[l + 8]. */
DPPAIR_FORCE_INLINE_ void dpv_add_wide8(double *sum, DPV_T v) {
#if DPPAIR_F64_
  DPV_STORE(sum, DPV_ADD(DPV_LOAD(sum), v));
#else
  float t[DPV_LANES];
  DPV_STORE(t, v);
  dpd_store(sum, dpd_add(dpd_load(sum), dpd_add(dpd_load_f32(t), dpd_load_f32(t + 8))));
#endif
}

/* h[j][k] += sum over i < n of a[i][j] b[i][k], k <= j < d, and more of the upper triangle. Rows of
 * all three begin `pitch` numbers apart: a multiple of three vectors, d at least. */
#if DPPAIR_F64_
DPPAIR_API void dppair_gram_f64_TIER(double *h, const double *b, const double *a, size_t d,
                                     size_t n, size_t pitch) {
  for (size_t k = 0; k < d; k += 3 * DPV_LANES)
    dpv_multiply(h + k * pitch + k, pitch, b + k, pitch, a + k, pitch, d - k, n, 1);
}
#endif
