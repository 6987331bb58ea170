/* ------------------------------------------------------------------------------------------------
 * AUC, pairwise risk, and the two numbers that add up over sites
 *
 * Relies on placements.h and interval.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Variances are released where noise leaves something of them: m strength / moves beyond this. */
#define DPPAIR_EVALUATE_ENOUGH_ 60.0

/* *whole = the positives with noise, rounded, of what this part of the budget pays. The count moves
 * by 1. */
DPPAIR_API dppair_status dppair_evaluate_count_(double *whole, double *scale,
                                                const dppair_evaluate_ *e, double part, size_t p) {
  double count = (double)p;
  const dppair_status status = dppair_evaluate_noise_(
      &count, 1, scale, e, dppair_evaluate_share_(e, part), 1.0, (double)e->n);
  *whole = dppair_floor_(count + 0.5);
  return status;
}

/* The smaller class by a noisy count, less a margin. */
DPPAIR_API double dppair_evaluate_smaller_(double whole, size_t n, double margin) {
  const double other = (double)n - whole;
  return dppair_floor_((whole < other ? whole : other) - margin);
}

/* m of an extension: a choice that costs accuracy alone. The margin is c noise scales, c between 2
 * and 4.6, more where the count is known well. */
DPPAIR_API size_t dppair_evaluate_least_(double whole, size_t n, double strength) {
  const double most = (double)(n / 2), smaller = dppair_evaluate_smaller_(whole, n, 0.0);
  double c = 0.15 * strength * smaller, m;
  c = c > 4.6 ? 4.6 : c > 2.0 ? c : 2.0;
  m = dppair_evaluate_smaller_(whole, n, c / strength);
  m = m > 2.0 ? m : 2.0;
  return (size_t)(m < most ? m : most);
}

/*
 * The mean of a kernel with its interval, in [0, 1]: the count of positives, unless promised; the
 * variance, which one record moves by moves/m^2, if m is large enough; the mean.
 */
DPPAIR_API dppair_status dppair_evaluate_mean_(dppair_evaluation *out, const dppair_evaluate_ *e,
                                               const dppair_placements_ *c, double moves) {
  const double counting = e->promise ? 0.0 : dppair_evaluate_for_count_(e);
  const double first = e->promise ? 0.0 : dppair_evaluate_share_(e, counting);
  double m, v, scale, third = 0.0;
  dppair_released_ r;
  dppair_status status = DPPAIR_OK;
  out->smaller = e->promise;
  out->variance = HUGE_VAL;
  if (!e->promise) {
    status = dppair_evaluate_count_(&out->count, &scale, e, counting, c->p);
    out->smaller = dppair_evaluate_least_(out->count, e->n, counting * e->strength);
  }
  m = (double)out->smaller;
  if (status == DPPAIR_OK && m >= 2.0 && m * e->strength >= moves * DPPAIR_EVALUATE_ENOUGH_) {
    third = 0.25;
    v = dppair_delong_(c, out->smaller);
    status = dppair_evaluate_noise_(&v, 1, &scale, e, third,
                                    dppair_up_((moves / m + dppair_ldexp_(1.0, -45)) / m), 1.0 / m);
    out->variance = m / (m - 1.0) * dppair_variance_bound_(v, scale, e->alpha, e->gaussian);
  }
  v = dppair_extension_(c, out->smaller);
  if (status == DPPAIR_OK)
    status = dppair_evaluate_noise_(&v, 1, &out->noise, e, dppair_evaluate_rest_(first, third),
                                    dppair_up_(1.0 / m + dppair_ldexp_(1.0, -50)), 1.0);
  if (status != DPPAIR_OK) return status;
  out->released = v;
  r.number = v;
  r.scale = out->noise;
  r.variance = out->variance;
  r.size = m;
  r.gaussian = e->gaussian;
  dppair_released_interval_(&out->lower, &out->upper, &r, e->alpha);
  out->value = r.number;
  return DPPAIR_OK;
}

/*
 * The AUC of n test records, the share of pairs of a positive and a negative in which the positive
 * has the larger score, ties one half; and an interval for the AUC of the population that the
 * records were drawn from. s[n]: scores; y[n]: labels (permit.h says how they are read). Both may
 * be in any order. O(n log n); work: dppair_evaluate_workspace(n, 0).
 *
 * Released are a count of the positives, which only helps to choose m = out->smaller (not with a
 * promise); the variance, where m is large enough; and the AUC continued to all data sets with
 * sensitivity 1/m. It never refuses. Where a class has fewer than m records the answer is drawn
 * towards 1/2: that costs accuracy, not privacy.
 *
 * The interval holds all x for which the test of "the population's AUC is x" accepts. The test
 * takes the released number as x + N + noise, N normal with variance min(out->variance, x (1 -
 * x)/m), which bounds the variance of the AUC under every law. It is asymptotic, as DeLong's
 * interval is: its coverage is nominal where that one's is, and higher where m/z is below 60 or the
 * AUC is near 1; but less, 0.93 for 0.95, where besides one class has some ten records, because m
 * may be more than these. It rests on a promise that was made: where a class has fewer records it
 * does not hold. It says nothing of the AUC of these records alone.
 *
 * Errors: permit.h.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_auc(
    dppair_evaluation *out, dppair_release *release, const double *s, const double *y, size_t n,
    const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  dppair_placements_auc_(&c, e.room, s, y, n);
  status = dppair_evaluate_mean_(out, &e, &c, 1.0);
  return dppair_evaluate_end_(out, &e, status);
}

/* phi(margin) of a pair: the score of the positive less that of the negative. */
typedef double (*dppair_evaluate_loss)(double margin, void *context);

/* The placements of phi/cap. A margin of two infinite scores is NaN, and phi of it what it is; a
 * value that is NaN counts as cap. */
DPPAIR_API void dppair_placements_loss_(dppair_placements_ *c, double *room, const double *s,
                                        const double *y, size_t n, dppair_evaluate_loss loss,
                                        void *context, double cap) {
  size_t i, j;
  dppair_placements_split_(c, room, s, y, n);
  c->unit = dppair_unit_of_(0.25 * (double)n * (double)n);
  c->total = 0;
  for (j = 0; j < c->q; j++) c->column[j] = 0;
  for (i = 0; i < c->p; i++) {
    c->row[i] = 0;
    for (j = 0; j < c->q; j++) {
      const uint64_t k =
          dppair_units_(loss(c->positive[i] - c->negative[j], context) / cap, c->unit, 1.0);
      c->row[i] += k;
      c->column[j] += k;
    }
    c->total += c->row[i];
  }
}

/*
 * The pairwise risk: the mean over pairs of a positive and a negative of loss(margin), moved into
 * [0, cap], and an interval for that of the population. As dppair_evaluate_auc, with numbers in [0,
 * cap] and sensitivity cap/m; the variance moves by 2 cap^2/m^2, because a loss is no comparison
 * of scores. loss must be a function of the margin (and of what is public) only. It is called once
 * a pair: O(p q).
 *
 * Errors: permit.h; DOMAIN: cap is not a positive finite number.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_evaluate_risk(dppair_evaluation *out, dppair_release *release, const double *s,
                     const double *y, size_t n, dppair_evaluate_loss loss, void *context,
                     double cap, const dppair_evaluate_options *options, void *work, size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y || !loss) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, options);
  if (status == DPPAIR_OK && !(dppair_isfinite_f64(cap) && cap > 0.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  dppair_placements_loss_(&c, e.room, s, y, n, loss, context, cap);
  status = dppair_evaluate_mean_(out, &e, &c, 2.0);
  dppair_evaluate_stretch_(out, 0.0, cap);
  return dppair_evaluate_end_(out, &e, status);
}

/* Two numbers that add up over sites. Both may be published. */
typedef struct dppair_evaluate_sums {
  double pairs;     /* positive-negative pairs in the right order, ties one half */
  double positives; /* a whole number */
  double pairs_noise, positives_noise; /* the scales of the noises in them */
} dppair_evaluate_sums;

/*
 * The number of correctly ordered pairs and that of positives, with noise. Over sites that hold
 * records of their own, sum of pairs / sum of positives (n - positives) is the AUC within sites.
 * One record moves the pairs by n - 1 (a positive adds between 0 and the number of negatives, a
 * negative between 0 and the number of positives, and one that changes its label takes one away and
 * adds the other), the positives by 1. For one data set dppair_evaluate_auc needs half the noise.
 * Arguments and errors as there.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_evaluate_pairs(dppair_evaluate_sums *out,
                                                                 dppair_release *release,
                                                                 const double *s, const double *y,
                                                                 size_t n, void *work,
                                                                 size_t bytes) {
  dppair_evaluate_ e;
  dppair_placements_ c;
  double part, pairs;
  const double squared = (double)n * (double)n;
  dppair_status status;
  if (!out) return DPPAIR_ERR_NULL;
  memset(out, 0, sizeof *out);
  if (!s || !y) return DPPAIR_ERR_NULL;
  status = dppair_evaluate_open_(&e, release, n, NULL);
  if (status == DPPAIR_OK) status = dppair_evaluate_take_(&e, out, sizeof *out, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_evaluate_begin_(&e);
  part = dppair_evaluate_for_count_(&e);
  dppair_placements_auc_(&c, e.room, s, y, n);
  status = dppair_evaluate_count_(&out->positives, &out->positives_noise, &e, part, c.p);
  pairs = 0.5 * (double)c.total; /* within 2^-53 of it */
  if (status == DPPAIR_OK)
    status = dppair_evaluate_noise_(&pairs, 1, &out->pairs_noise, &e,
                                    dppair_evaluate_rest_(dppair_evaluate_share_(&e, part), 0.0),
                                    dppair_up_((double)(n - 1) + dppair_ldexp_(squared, -54)),
                                    0.25 * squared);
  out->pairs = pairs;
  if (status != DPPAIR_OK) memset(out, 0, sizeof *out);
  dppair_evaluate_forget_(&e);
  return status;
}

DPPAIR_FP_END_
