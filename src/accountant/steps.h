/* ------------------------------------------------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 *
 * What every route of the accountant reads; step_checks.h says which steps are accepted.
 * ---------------------------------------------------------------------------------------------- */

typedef enum dppair_mechanism_kind {
  DPPAIR_GAUSSIAN = 1, /* noise_multiplier: sigma / sensitivity */
  DPPAIR_LAPLACE = 2,  /* noise_multiplier: scale / l1 sensitivity */
  DPPAIR_PURE = 3,     /* any epsilon-private mechanism; noise_multiplier: epsilon */
  DPPAIR_ZCDP = 4,     /* noise_multiplier: rho */
  DPPAIR_SAMPLED_GAUSSIAN = 5,
  DPPAIR_SAMPLED_PAIRS = 6,
  DPPAIR_RANDOMISED_RESPONSE = 7 /* two answers; noise_multiplier: epsilon */
} dppair_mechanism_kind;

/*
 * For the sampled kinds noise_multiplier is sigma divided by
 *   Poisson records             the move when one record is added or zeroed (both adjacencies:
 *                               replace-one is the pair of mixtures towards +1 and -1)
 *   without replacement, with replacement, matching
 *                               the replace-one sensitivity of the batch statistic (one slot)
 *   sampled pairs               the clip of one pair's vector
 * pair_rate is the probability of each unordered pair and is read for Poisson pairs only, which
 * read n besides and nothing else; elsewhere it is 0. steps >= 1. Steps without sampling read of
 * `sampling` only the adjacency, which may be 0.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
} dppair_step;
