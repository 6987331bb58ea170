/* ------------------------------------------------------------------------------------------------
 * Hits: how often a sampled step touches a record
 *
 * The law of the number of hits in one execution of a step, and how far each number of hits moves
 * the statistic. The one list of what sampling does: Renyi curves and dominating pairs both start
 * from it. Relies on binomial.h and steps.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_HIT_CAPACITY_ 256
#define DPPAIR_AMPLIFIED_HITS_ 64 /* in numerical composition, where each is two branches */
#define DPPAIR_UNIT_ 1.1102230246251565e-16 /* half an ulp of 1 */

/* Probabilities below this one are not asked for: near the smallest doubles digits are lost. */
#define DPPAIR_TAIL_LEAST_ 1e-305
/* A tail that is nothing beside Pr[no hit]. */
#define DPPAIR_TAIL_NOTHING_ 1e-17
/* Probability of few hits that may count as more. */
#define DPPAIR_TAIL_FEW_ 1e-18

/* How the two data sets' laws of one step compare. */
typedef enum dppair_comparison_ {
  DPPAIR_MIXTURE_ = 1,  /* sum_k p_k N(s_k, 1) against N(0, 1), both directions */
  DPPAIR_OPPOSED_ = 2,  /* sum_k p_k N(s_k, 1) against sum_k p_k N(-s_k, 1) */
  DPPAIR_AMPLIFIED_ = 3 /* h(t) = sum_k p_k delta_G(log(1 + (t-1)/gamma), s_k), t >= 1, both ways */
} dppair_comparison_;

/*
 * The hits k >= 1 of a step with their probabilities and their shifts in units of sigma, by rising
 * shift. gamma = Pr[k >= 1] and miss = Pr[k = 0], each with all its digits. tail bounds Pr[more
 * hits than listed], an event of the sampling alone: the listed probabilities are conditional on
 * its complement, so tail must be added to delta once per step. slip bounds the relative error of
 * each probability, of gamma and of miss. merged: some numbers of hits were counted as larger ones
 * (all comparisons increase in the shift), so the law bounds from above only.
 */
typedef struct dppair_hits_ {
  dppair_comparison_ comparison;
  int merged;
  size_t count;
  double gamma, miss, tail, slip;
  double probability[DPPAIR_HIT_CAPACITY_];
  double shift[DPPAIR_HIT_CAPACITY_];
} dppair_hits_;

/*
 * What sampling does to one record: mechanisms/sampled_gaussian.h and sampled_pairs.h say it for
 * each sampling.
 *
 * Amplified: P = (1-g) P0 + g P1 and Q = (1-g) P0 + g Q1 with the same P0; advanced joint convexity
 * (Balle, Barthe and Gaboardi 2018) turns delta(log t) into g delta(log(1 + (t-1)/g)), and coupling
 * equal draws replaces k vectors. It holds for zeroing a record too, where the shift counts a
 * replacement. Mixture and opposed: touched vectors of norm <= 1 in any directions are dominated by
 * equal ones, or by equal and opposite ones (Kahane's convexity inequality; dominating_pairs.h has
 * the proof). Zeroing under sampling without replacement has no bound of its own: use the
 * replace-one bound. Fixed-size samples have no mixture bound, because the untouched pairs depend
 * on the hits.
 */
typedef struct dppair_hit_law_ {
  dppair_comparison_ comparison;
  dppair_binomial_ hits; /* one trial: a hit or none */
  double unit;           /* the shift of one hit */
  size_t batch;          /* 0: k hits shift k times as far; else T(batch, k)/(batch - 1) times
                            (mechanisms/users.h) */
} dppair_hit_law_;

/* The shift of k hits; for batches rounded up. */
DPPAIR_API double dppair_hit_shift_(const dppair_hit_law_ *law, size_t k) {
  if (law->batch == 0 || k == 1) return (double)k * law->unit;
  return dppair_owned_(law->batch, k) / (double)(law->batch - 1) * law->unit * (1.0 + 2e-15);
}

/* One hit with the sampling's rate, amplified: what the other laws are made from. */
DPPAIR_API void dppair_hit_law_once_(dppair_hit_law_ *law, const dppair_sampling *s, double unit) {
  const double n = (double)s->n;
  law->comparison = DPPAIR_AMPLIFIED_;
  law->hits =
      dppair_binomial_make_(1, s->n > 0 ? (double)s->m / n : s->q,
                            s->n > 0 && s->m <= s->n ? (double)(s->n - s->m) / n : 1.0 - s->q);
  law->unit = unit;
  law->batch = 0;
}

/* m draws with replacement, each of which hits the record with probability `times`/n. */
DPPAIR_API void dppair_hit_law_draws_(dppair_hit_law_ *law, const dppair_sampling *s, double unit,
                                      size_t times) {
  const double n = (double)s->n;
  law->comparison = DPPAIR_AMPLIFIED_;
  law->hits = dppair_binomial_make_(s->m, (double)times / n, (double)(s->n - times) / n);
  law->unit = unit;
}

/* Independent trials: Poisson samples. */
DPPAIR_API void dppair_hit_law_poisson_(dppair_hit_law_ *law, const dppair_sampling *s) {
  law->comparison =
      dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT ? DPPAIR_MIXTURE_ : DPPAIR_OPPOSED_;
}

/* Zeroed pairs of a fixed number are charged like replaced ones, which move twice as far; for
 * several draws with replacement, different numbers of hits have no best test in common. Otherwise
 * fixed-size samples take their pair of laws from two pairs of data sets, one for t >= 1 and one
 * for t < 1: attained by a single run alone. */
DPPAIR_API int dppair_hits_attained_(const dppair_hit_law_ *law, const dppair_sampling *s) {
  if (law->comparison != DPPAIR_AMPLIFIED_) return DPPAIR_ATTAINED_ALWAYS_;
  if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) return DPPAIR_ATTAINED_NEVER_;
  if (law->hits.rate >= 1.0) return DPPAIR_ATTAINED_ALWAYS_;
  return law->hits.trials <= 1 ? DPPAIR_ATTAINED_ONCE_ : DPPAIR_ATTAINED_NEVER_;
}

/* The numbers of hits that are listed: `low` to `top`, `width` of them in each place. They are
 * enumerated from `start`, near the mean and of probability `value`, by the ratios of neighbours.
 */
typedef struct dppair_hit_range_ {
  size_t start, low, top, width;
  double value;
  double below; /* probability of 1 to low - 1 hits, a bound */
} dppair_hit_range_;

/* The upper end, and in h what lies beyond it. limit: the largest number of hits that is counted.
 */
DPPAIR_API void dppair_hits_upper_(dppair_hits_ *h, dppair_hit_range_ *range,
                                   const dppair_hit_law_ *law, size_t limit, double tail, int both,
                                   size_t places) {
  range->top = limit;
  if (limit < law->hits.trials) {
    h->tail = law->hits.drawn > 0 ? dppair_binomial_beyond_(&law->hits, limit)
                                  : dppair_binomial_tail_(law->hits.trials, law->hits.rate, limit);
  } else if (tail > 0.0) {
    const double less = both ? DPPAIR_TAIL_NOTHING_ * h->miss : 0.0;
    range->top = places + 1;
    if (less >= DPPAIR_TAIL_LEAST_ && less < tail)
      range->top = dppair_binomial_last_(&h->tail, &law->hits, range->start, range->value, less);
    if (range->top > places) {
      range->top = dppair_binomial_last_(&h->tail, &law->hits, range->start, range->value, tail);
      h->merged = both && !(tail <= less);
    }
  }
}

/* The lower end, where not all numbers up to the top have a place of their own: few hits, of
 * probability DPPAIR_TAIL_FEW_ together, are left out, and no hit with them. */
DPPAIR_API void dppair_hits_lower_(dppair_hits_ *h, dppair_hit_range_ *range,
                                   const dppair_hit_law_ *law) {
  double below;
  const size_t k =
      dppair_binomial_first_(&below, &law->hits, range->start, range->value, DPPAIR_TAIL_FEW_);
  if (k <= 1) return;
  range->low = k;
  range->below = below;
  h->miss = 0.0;
}

/* Lists the probabilities and shifts, conditional on no more hits than `top`. */
DPPAIR_API void dppair_hits_list_(dppair_hits_ *h, const dppair_hit_range_ *range,
                                  const dppair_hit_law_ *law) {
  const size_t low = range->low, top = range->top, width = range->width;
  double p;
  size_t k;
  h->count = (top - low) / width + 1;
  for (k = range->start, p = range->value; k <= top; k++) {
    if (k >= low) h->probability[(k - low) / width] += p > DBL_MIN ? p : DBL_MIN;
    p *= dppair_binomial_up_(&law->hits, k);
  }
  for (k = range->start, p = range->value; k > low; k--) {
    p *= dppair_binomial_down_(&law->hits, k);
    h->probability[(k - 1 - low) / width] += p > DBL_MIN ? p : DBL_MIN;
  }
  h->probability[0] += range->below;
  for (k = 0; k < h->count; k++) {
    const size_t last = low + (k + 1) * width - 1;
    h->probability[k] /= 1.0 - h->tail;
    h->gamma += h->probability[k];
    h->shift[k] = dppair_hit_shift_(law, last < top ? last : top);
  }
  if (h->gamma > 1.0) h->gamma = 1.0;
  h->miss /= 1.0 - h->tail;
}

/*
 * K ~ Bin(trials, rate), 0 < rate < 1, trials > 1. The probabilities come from that of the most
 * likely number of hits (Loader's form, within 64 units), on both sides by the ratios of
 * neighbours, at most 16 units each (an error of the rate turns p_k by (k - trials rate) times
 * itself and is contained in these). cap > 0: the largest number of hits that is counted. Otherwise
 * tail > 0: the probability that may be left beyond the listed ones; tail = 0: nothing is left out.
 * both: where it fits, the tail is nothing beside Pr[no hit] either, so that the law serves upper
 * and lower bounds.
 *
 * A law that fits into `places` is listed from k = 1 on. Otherwise few hits count as the first
 * number that is listed, and where that is not enough, neighbours share a place, counted as the
 * largest of them.
 */
DPPAIR_API dppair_status dppair_hits_binomial_(dppair_hits_ *h, const dppair_hit_law_ *law,
                                               size_t cap, double tail, int both, size_t places) {
  const double n = (double)law->hits.trials;
  const double none = dppair_binomial_log_none_(&law->hits);
  const size_t limit = cap > 0 && cap < law->hits.trials ? cap : law->hits.trials;
  const double mode = dppair_floor_((n + 1.0) * law->hits.rate);
  dppair_hit_range_ range;
  size_t remote;
  /* What takes too long to sum and has no answer: a cap far below the hits that are likely, and a
   * law of more than a million likely hits. */
  if (!(mode - (double)limit <= (double)DPPAIR_BINOMIAL_MOST_)) return DPPAIR_ERR_NO_PROOF;
  if (dppair_sqrt_(n * law->hits.rate * law->hits.miss) > (double)DPPAIR_BINOMIAL_MOST_)
    return limit < law->hits.trials && mode > (double)limit ? DPPAIR_ERR_NO_PROOF
                                                            : DPPAIR_ERR_OVERFLOW;
  range.start = mode < (double)limit ? (size_t)mode : limit;
  range.value = dppair_exp_(dppair_binomial_log_(&law->hits, range.start));
  range.low = 1;
  range.below = 0.0;
  h->miss = dppair_exp_(none);
  dppair_hits_upper_(h, &range, law, limit, tail, both, places);
  if (!(h->tail < 0.5)) return DPPAIR_ERR_NO_PROOF;
  if (range.top > places) {
    dppair_hits_lower_(h, &range, law);
    if (range.top - range.low > DPPAIR_BINOMIAL_MOST_) return DPPAIR_ERR_OVERFLOW;
  }
  range.width = (range.top - range.low) / places + 1;
  h->merged |= range.width > 1 || !(h->miss > 0.0);
  dppair_hits_list_(h, &range, law);
  /* a last line of defence: some number of hits is certain */
  if (!(h->gamma + h->miss >= 1.0 - 1e-6)) return DPPAIR_ERR_NO_CONVERGENCE;
  remote = range.start < range.low || range.top - range.start > range.start - range.low
            ? range.top - range.start
            : range.start - range.low;
  h->slip = DPPAIR_UNIT_ * (96.0 + (double)h->count + 16.0 * (double)remote - 4.0 * none);
  if (law->hits.drawn > 0) h->slip += DPPAIR_UNIT_ * (256.0 - 64.0 * none); /* three of them */
  return DPPAIR_OK;
}

/* The hits of any law; cap, tail, both and places as for dppair_hits_binomial_. Errors: NO_PROOF
 * when more hits than the cap are likelier than not, OVERFLOW when more than a million different
 * numbers of hits are likely. */
DPPAIR_API dppair_status dppair_hits_make_(dppair_hits_ *h, const dppair_hit_law_ *law, size_t cap,
                                           double tail, int both, size_t places) {
  memset(h, 0, sizeof *h);
  h->comparison = law->comparison;
  if (law->hits.trials > 1 && law->hits.rate < 1.0) {
    const dppair_status status = dppair_hits_binomial_(h, law, cap, tail, both, places);
    if (status != DPPAIR_OK) memset(h, 0, sizeof *h);
    return status;
  }
  h->count = 1;
  h->gamma = h->probability[0] = law->hits.rate;
  h->miss = law->hits.miss;
  h->slip = 4.0 * DPPAIR_UNIT_;
  h->shift[0] = dppair_hit_shift_(law, law->hits.trials);
  return DPPAIR_OK;
}

/*
 * Turns the computed law into one that dominates the exact one: shifts are rounded up, numbers of
 * hits above the likeliest gain their relative error, those below it lose theirs, and the likeliest
 * keeps what is left of 1. So no Pr[K >= k] becomes smaller, the sum is at most 1, and every
 * probability, Pr[no hit] too, keeps its digits.
 */
DPPAIR_API void dppair_hits_raise_(dppair_hits_ *h) {
  const double grow = 1.0 + 2.0 * h->slip;
  double most = h->miss, others = 0.0;
  size_t pivot = h->count, k; /* count: no hit is likeliest */
  for (k = 0; k < h->count; k++) {
    h->shift[k] = dppair_up_(dppair_up_(h->shift[k]));
    if (h->probability[k] > most) {
      most = h->probability[k];
      pivot = k;
    }
  }
  for (k = 0; k < h->count; k++) {
    if (k == pivot) continue;
    h->probability[k] *= pivot < h->count && k < pivot ? 2.0 - grow : grow;
    others += h->probability[k];
  }
  if (pivot < h->count) {
    h->miss *= 2.0 - grow;
    h->probability[pivot] = 1.0 - h->miss - others;
  } else {
    h->miss -= (1.0 - h->miss) * 4.0 * h->slip;
  }
  h->gamma = h->gamma * grow < 1.0 ? h->gamma * grow : 1.0;
}
