/* ------------------------------------------------------------------------------------------------
 * Sums without order: what all instances share
 *
 * The bound of a sum of gradients in integers, and its rounding.
 * Relies on rows/sums.h and pairs/sketch.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* How many rows of d numbers of `size` bytes are taken at a time; results do not depend on it.
 * Where scores are not kept, rows stay in the nearest cache between their scores and their sums,
 * and prefetching of the next ones goes on meanwhile: longer blocks would wait for memory. */
DPPAIR_API size_t dppair_block_rows_(size_t d, size_t size, int kept) {
  const size_t rows = d > 0 ? (kept ? 262144 : 16384) / size / d / 64 * 64 : 2048;
  return rows < 64 ? 64 : rows > 2048 ? 2048 : rows;
}

/* The largest addend of a sum of rows within radius: no coefficient of this state is larger than
 * most times slope. */
DPPAIR_API double dppair_sum_bound_(const dppair_fast *f, double radius) {
  return (double)f->most * f->slope * radius * (1.0 + 8.0 * DBL_EPSILON);
}

/*
 * *factor and *rounding of NAME_allowance for sums without order: of `count` rows of d numbers
 * within radius, whose pairs weigh `mass` in sum, both sides added.
 *
 * Proof. As there, an exact sum of K has the sensitivity S *factor, and what is computed differs
 * from it, for each neighbour, by at most half of *rounding in norm. With u = 2^-53:
 *   coefficients  their errors are at most dppair_sketch_rounding_ in sum; holding them within
 *                 most slope, where those of exact sums are, adds none. Each is multiplied by a
 *                 row no longer than radius
 *   p             the product of a coefficient and its factor: u |c_i| radius a record. What
 *                 underflows is below 2^-560 radius, because a factor is 0 or at least 2^-512
 *   unit          each addend is off by half a unit, and where products are not fused by u times
 *                 2^50 units more: 5/8 of it for each of d numbers of count rows, in norm
 *                 (5/8) count sqrt(d) unit
 *   value         each number of the sum is rounded once: u times its norm
 * The sums of |c_i| in p and of the norm are at most mass times the largest slope, and the errors
 * of the coefficients. The integers are exact: an addend is below 2^51 units, 2048 of these are
 * below 2^63, and 2^128 holds 2^77 of them. Errors zero both: DOMAIN, SIZE (more rows than the
 * state was made for), OVERFLOW (as dppair_sum_open), ENVIRONMENT.
 */
DPPAIR_API dppair_status dppair_sums_allowance_(double *factor, double *rounding,
                                                const dppair_fast *f, double epsilon, size_t d,
                                                double count, double mass, double spread,
                                                double radius, double slope) {
  const double u = 0.5 * DBL_EPSILON, bound = dppair_sum_bound_(f, radius);
  const double coefficients = dppair_sketch_rounding_(f, spread, mass);
  const double size = (slope + f->kernel_error) * mass + coefficients;
  double unit;
  dppair_status status = dppair_sum_unit_(&unit, bound);
  *factor = *rounding = 0.0;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(slope) || !(slope >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (f->kernel_error > 0.0 && !(slope > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (count > (double)f->most) return DPPAIR_ERR_SIZE;
  *rounding = 2.0 * 1.01 *
              (radius * (coefficients + 2.0 * u * size + dppair_ldexp_(count, -500)) +
               0.625 * count * dppair_sqrt_((double)d) * unit);
  *factor =
      (1.0 + (f->kernel_error > 0.0 ? 2.0 * f->kernel_error / slope : 0.0)) * (1.0 + 8.0 * epsilon);
  if (dppair_isfinite_f64(*rounding) && dppair_isfinite_f64(*factor)) return DPPAIR_OK;
  *factor = *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* A gradient in parts: rows and w, of the instance's types; of each part the moments, the sum, how
 * it ended, and `each` bytes of workspace, first scratch, then what moments and sum hold; s: the
 * scores of all rows. */
typedef struct dppair_chunked_ {
  const void *rows, *w;
  const dppair_options *options;
  dppair_sketch *m;
  dppair_sum *sum;
  dppair_status *status;
  char *scratch;
  void *s;
  size_t parts, each;
} dppair_chunked_;

DPPAIR_FP_END_
