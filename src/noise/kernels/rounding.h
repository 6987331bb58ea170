/* ------------------------------------------------------------------------------------------------
 * Rounding and storing
 *
 * Splits x / g into an integer and a rest, adds the noise, rounds where tau allows it, and stores.
 * Undecided numbers keep their value; their positions go to a list for the next level.
 * ---------------------------------------------------------------------------------------------- */

/* A plan's constants in registers. `range` collects the bits in which x / g + 1.5 2^52 differs from
 * 1.5 2^52: its exponent changes when |x| is 2^51 g or more, infinite or NaN. `narrow_range` marks
 * such floats. */
typedef struct dpr_constants {
  DPR_D inverse, g, s, magic;
  DPR_F narrow_s, narrow_inverse, narrow_g;
  DPR_Q range;
  DPR_M narrow_range;
} dpr_constants;

DPPAIR_FORCE_INLINE_ void dpr_constants_make(dpr_constants *c, const dppair_plan_ *plan) {
  c->inverse = DPR_DSET(plan->inverse);
  c->g = DPR_DSET(plan->g);
  c->s = DPR_DSET(plan->s);
  c->magic = DPR_DSET(DPPAIR_MAGIC_F64_);
  c->narrow_s = DPR_FSET((float)plan->s);
  c->narrow_inverse = DPR_FSET(plan->narrow ? (float)plan->inverse : 0.0f);
  c->narrow_g = DPR_FSET(plan->narrow ? (float)plan->g : 0.0f);
  c->narrow_range = DPR_MNONE;
  c->range = DPR_QSET(0);
}

/* 1 when a number was out of range. */
DPPAIR_FORCE_INLINE_ int dpr_unfit(const dpr_constants *c) {
  return (DPR_N_BITS(DPR_QGT(DPR_QSHR(c->range, 52), DPR_QSET(0))) | DPR_M_BITS(c->narrow_range)) !=
         0;
}

/* x[at ..] / g = rest - *less for DPR_LANES / 2 numbers, float when `narrow`; returns x[at ..]. The
 * unit of x / g + 1.5 2^52 is 1, so that this sum rounds x / g to the integer -*less. */
DPPAIR_FORCE_INLINE_ DPR_D dpr_take(DPR_D *less, DPR_D *rest, const void *x, size_t at, int narrow,
                                    dpr_constants *c) {
  const DPR_D value =
      narrow ? DPR_DLOADF((const float *)x + at) : DPR_DLOAD((const double *)x + at);
  DPR_D sum = DPR_DFMA(value, c->inverse, c->magic);
  DPR_OPAQUE(sum);
  c->range = DPR_QOR(c->range, DPR_QXOR(DPR_DINT(sum), DPR_DINT(c->magic)));
  *less = DPR_DSUB(c->magic, sum);
  *rest = DPR_DFMA(value, c->inverse, *less);
  return value;
}

/* *k = the integer next to y, by y + 1.5 2^52 for |y| < 2^47; returns |y - k|. (One sum of y, x / g
 * and 1.5 2^52 would not do: below 2^52 it is a multiple of 1/2 only.) */
DPPAIR_FORCE_INLINE_ DPR_D dpr_off(DPR_D *k, DPR_D y, DPR_D magic) {
  DPR_D all = DPR_DADD(y, magic), d;
  DPR_OPAQUE(all);
  *k = DPR_DSUB(all, magic);
  d = DPR_DSUB(y, *k);
  return DPR_DOUBLE(DPR_QAND(DPR_DINT(d), DPR_QSET(INT64_MAX)));
}

/* x = (k - less) g where decided: the difference is exact, and never -0, as k and less are not. */
DPPAIR_FORCE_INLINE_ void dpr_put(void *x, size_t at, int narrow, DPR_N undecided, DPR_D value,
                                  DPR_D k, DPR_D less, const dpr_constants *c) {
  const DPR_D y = DPR_DSEL(undecided, value, DPR_DMUL(DPR_DSUB(k, less), c->g));
  if (narrow) {
    DPR_DSTOREF((float *)x + at, y);
  } else {
    DPR_DSTORE((double *)x + at, y);
  }
}

/* Rounds DPR_LANES / 2 doubles x[at ..] / g + s z. Undecided are NaN and those at least `reach` =
 * 1/2 - tau from the next integer; returns them as bits. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f64(double *x, size_t at, const float *z,
                                            const float *reach, dpr_constants *constants) {
  DPR_D less, rest, k, off;
  const DPR_D value = dpr_take(&less, &rest, x, at, 0, constants);
  DPR_N open;
  off = dpr_off(&k, DPR_DFMA(DPR_DLOADF(z), constants->s, rest), constants->magic);
  open = DPR_DGE(off, DPR_DLOADF(reach));
  dpr_put(x, at, 0, open, value, k, less, constants);
  return DPR_N_BITS(open);
}

/* The same for DPR_LANES floats, in float: x / g, whole and rest are exact, since a float beyond
 * 2^23 is an integer. whole + k is rounded once; that is the rounding of the release to float. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_f32(float *x, size_t at, const float *z, const float *reach,
                                            dpr_constants *constants) {
  const DPR_F value = DPR_FLOAD(x + at), all = DPR_FMUL(value, constants->narrow_inverse);
  const DPR_F whole = DPR_FROUND(all), limit = DPR_FSET(2251799813685248.0f); /* 2^51 */
  const DPR_F y = DPR_FFMA(DPR_FLOAD(z), constants->narrow_s, DPR_FSUB(all, whole));
  const DPR_F k = DPR_FROUND(y), off = DPR_FSUB(y, k);
  const DPR_M open =
      DPR_FGE(DPR_FLOAT(DPR_IAND(DPR_FINT(off), DPR_ISET(0x7fffffffu))), DPR_FLOAD(reach));
  constants->narrow_range =
      DPR_MOR(constants->narrow_range,
              DPR_MOR(DPR_FGE(all, limit), DPR_FGT(DPR_FSUB(DPR_FSET(0.0f), limit), all)));
  DPR_FSTORE(x + at, DPR_FSEL(open, value,
                              DPR_FFMA(DPR_FADD(whole, k), constants->narrow_g, DPR_FSET(0.0f))));
  return DPR_M_BITS(open);
}

/* Rounds DPR_LANES / 2 numbers x[at ..] / g + s z by the double level. Lanes in `open` may not be
 * decided. */
DPPAIR_FORCE_INLINE_ unsigned dpr_round_wide(void *x, size_t at, int narrow, DPR_D z, DPR_D tau,
                                             DPR_N open, dpr_constants *constants) {
  DPR_D less, rest, k, off;
  const DPR_D value = dpr_take(&less, &rest, x, at, narrow, constants);
  off = dpr_off(&k, DPR_DFMA(z, constants->s, rest), constants->magic);
  open = DPR_NOR(open, DPR_DGE(DPR_DFMA(tau, constants->s, off), DPR_DSET(0.5)));
  dpr_put(x, at, narrow, open, value, k, less, constants);
  return DPR_N_BITS(open);
}

/*
 * Marks: a list of groups with undecided numbers, each the position of its first number above 16
 * bits for its numbers; a 0 ends it. The first level notes DPR_GROUP numbers at a time, without a
 * branch on their bits.
 */
#define DPR_GROUP (DPR_LANES < 8 ? 8 : DPR_LANES)
DPPAIR_FORCE_INLINE_ uint32_t *dpr_note(uint32_t *end, unsigned bits, size_t at) {
  *end = (uint32_t)at << 16 | bits;
  return end + (bits != 0);
}
