/* ------------------------------------------------------------------------------------------------
 * Rounding of coefficients, by what computes them
 *
 * The allowances of rows/rounding.h for the pair loops, boxes, grids and sorting; chunks_state.h
 * has that of sums without order. Relies on fast_state.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Roundings per partner, each of at most f->weight 2^-53, in a coefficient of n records: see the
 * proof at NAME_allowance, and sketch.h, grid.h. */
DPPAIR_API double dppair_fast_steps_(const dppair_fast *f, double n) {
  const double products = (2.0 * f->reach + 1.0) * f->terms / 4.0 + 8.0;
  if (f->kind == DPPAIR_KIND_PIECEWISE_) return f->order_free ? 16.0 : n + 8.0;
  return 26.0 + products + 2.0 * f->terms;
}

/* As many more where weights are 1: moments are rounded to multiples of 2^-50. */
DPPAIR_API double dppair_fast_units_(const dppair_fast *f) {
  return f->kind == DPPAIR_KIND_ANALYTIC_ ? 4.0 : 0.0;
}

/* dppair_allowance_by_ for this state; f NULL means the pair loops, which add in a type with this
 * epsilon. spread: the sum of own weights, each times the number of partners. */
DPPAIR_API dppair_status dppair_allowance_of_(double *factor, double *rounding,
                                              const dppair_fast *f, double epsilon, double count,
                                              double mass, double spread, double radius,
                                              double slope) {
  double error = 0.0, chain = dppair_loops_chain_(epsilon, count, slope);
  if (f) {
    error = f->kind == 0 ? -HUGE_VAL : f->kernel_error;
    chain = f->weight * dppair_fast_steps_(f, count) * (0.5 * DBL_EPSILON);
    if (mass > 0.0)
      chain += f->weight * dppair_fast_units_(f) * (spread / mass) * (0.5 * DBL_EPSILON);
  }
  return dppair_allowance_by_(factor, rounding, error, chain, epsilon, count, mass, radius, slope);
}

/* The same for all pairs of n rows: n+ n- <= n^2/4 on either side. */
DPPAIR_API dppair_status dppair_allowance_(double *factor, double *rounding, const dppair_fast *f,
                                           double epsilon, size_t n, double radius, double slope) {
  const double count = (double)n, pairs = 0.5 * count * count;
  return dppair_allowance_of_(factor, rounding, f, epsilon, count, pairs, pairs, radius, slope);
}

DPPAIR_FP_END_
