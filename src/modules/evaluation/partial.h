/* ------------------------------------------------------------------------------------------------
 * Partial AUC: against the negatives with the highest scores
 *
 * Relies on auc.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * The mean of u_j, the share of positives above negative j, over the share `rate` of negatives with
 * the highest scores; the one at the edge counts in part. 0 without pairs. Between two neighbours
 * that have at least m records in both classes it moves by at most min(1, 1/(rate m)).
 *
 * Proof. It is the least sum of w_j u_j over weights 0 <= w_j <= 1/(rate q) that add up to 1. A
 * positive that is replaced moves each u_j by 1/p; a negative, 1/(rate q). A positive that becomes
 * a negative: c the value on the common records, k + 1 = p: one side lies in [k c, k c + 1]/(k +
 * 1), the other within c - c/(q + 1) - (1/rate - 1)/(q + 1) and c + (1 - c)/(q + 1); they differ by
 * max(1/(k + 1), 1/(q + 1)) + (1/rate - 1)/(q + 1) <= 1/(rate (m + 1)) at most.
 *
 * Rounding: rate q is rounded, which is the value of another rate within 2^-53 of this one, and 3
 * operations: within 2^-50.
 */
DPPAIR_API double dppair_placements_partial_(const dppair_placements_ *c, double rate) {
  const double width = rate * (double)c->q;
  const size_t whole = (size_t)width; /* rate <= 1 */
  uint64_t sum = 0;
  double area;
  size_t j;
  if (c->p == 0 || c->q == 0) return 0.0;
  for (j = 0; j < whole; j++) sum += c->column[c->q - 1 - j];
  area = (double)sum;
  if (whole < c->q) area += (width - (double)whole) * (double)c->column[c->q - 1 - whole];
  area /= width * (c->unit * (double)c->p);
  return area < 1.0 ? area : 1.0;
}

/*
 * What either class has at least, with probability 1 - failure: the smaller one by the noisy count
 * less t, so large that m >= min(p, q) only if the noise is beyond t - 1/2 - g/2, g its grid; the
 * halves are those of rounding the count and of the grid, and g <= scale/2^10.
 */
DPPAIR_API double dppair_evaluate_tested_(double whole, size_t n, double scale, double failure,
                                          int gaussian) {
  const double t = dppair_noise_quantile_(scale, failure, gaussian) * (1.0 + 1e-12);
  return dppair_evaluate_smaller_(whole, n, dppair_up_(t + scale / 1024.0 + 1.0));
}

/*
 * The partial AUC of n test records: the AUC against the share `rate`, 0 < rate <= 1, of the
 * negatives with the highest scores, that is, the area under the part of the ROC curve with at most
 * this false-positive rate, divided by it. 1 is perfect, chance is rate/2; rate 1 gives the AUC.
 * (Of negatives with equal scores at the edge each counts in part, so it differs there from
 * dppair_partial_auc_not_private_f64.) out->lower and upper hold the partial AUC OF THESE RECORDS
 * with the given confidence; nothing is known of its sampling variance. O(n log n).
 *
 * No continuation to all data sets is known, and with a class of m records one record moves it by
 * 1/(rate m). So it needs one of two:
 *   a promise     options->promise = m. The guarantee rests on it.
 *   plan.failure  a noisy count is released; m is less than it by a margin that the noise passes
 *                 with probability f = failure/steps of the plan. If m < 1 the answer is `refused`,
 *                 which says no more than the count. Otherwise noise of 1/(rate m).
 * With the second the paid release's guarantee holds with f added to delta, which was charged when
 * the plan was opened: unless m >= min(p, q) on one data set, every neighbour has m in both
 * classes, and what follows costs what is left of the paid release. Outputs after a count with m >=
 * min(p, q) have probability f, and all others are those of a mechanism with the paid release's
 * guarantee.
 *
 * Errors: permit.h; DOMAIN: rate; NO_PROOF also without a promise in a plan whose failure is 0.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_partial_auc(
    dppair_evaluation *out, dppair_release *release, const double *s, const double *y, size_t n,
    double rate, const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  double failure, first = 0.0, scale, moves, m, v;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK && !(rate > 0.0 && rate <= 1.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  failure = dppair_down_(release->failure / (double)release->steps);
  if (!e.promise && !(failure > 0.0)) return DPPAIR_ERR_NO_PROOF;
  dppair_evaluate_begin_(&e);
  dppair_placements_auc_(&c, e.room, s, y, n);
  out->variance = HUGE_VAL;
  out->upper = 1.0;
  m = (double)e.promise;
  if (!e.promise) {
    const double part = dppair_evaluate_for_count_(&e);
    first = dppair_evaluate_share_(&e, part);
    status = dppair_evaluate_count_(&out->count, &scale, &e, part, c.p);
    m = dppair_evaluate_tested_(out->count, n, scale, failure, e.gaussian);
    out->refused = !(m >= 1.0);
    if (status != DPPAIR_OK || out->refused) return dppair_evaluate_end_(out, &e, status);
  }
  out->smaller = (size_t)m;
  v = dppair_placements_partial_(&c, rate);
  moves = 1.0 / (rate * m);
  status = dppair_evaluate_noise_(&v, 1, &out->noise, &e, dppair_evaluate_rest_(first, 0.0),
                                  dppair_up_((moves < 1.0 ? moves : 1.0) + dppair_ldexp_(1.0, -49)),
                                  1.0);
  out->released = v;
  out->value = v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
  moves = dppair_noise_quantile_(out->noise, 0.5 * e.alpha, e.gaussian);
  out->lower = out->value - moves > 0.0 ? out->value - moves : 0.0;
  out->upper = out->value + moves < 1.0 ? out->value + moves : 1.0;
  return dppair_evaluate_end_(out, &e, status);
}

DPPAIR_FP_END_
