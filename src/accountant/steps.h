/* ------------------------------------------------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 *
 * What every route of the accountant reads; step_checks.h says which steps are accepted.
 * ---------------------------------------------------------------------------------------------- */

/* How the records (or pairs) of a step are drawn; every execution draws anew. */
typedef enum dppair_sampling_kind {
  DPPAIR_NO_SAMPLING = 0,
  DPPAIR_POISSON = 1,             /* each record (pair) independently with probability q */
  DPPAIR_WITHOUT_REPLACEMENT = 2, /* m of n records, a uniform subset */
  DPPAIR_WITH_REPLACEMENT = 3,    /* m independent uniform draws from n records (or their pairs) */
  DPPAIR_MATCHING = 4             /* m of n records, m even, paired at random: m/2 pairs */
} dppair_sampling_kind;

/*
 * For Poisson records, samples without replacement and matchings the rate is the probability q that
 * a given record is drawn. Give either q in (0, 1], or n and m >= 1, which mean q = m/n (q = 0: not
 * given); if all three are given they must agree, and m/n is used. m counts records, in a matching
 * too. Sampling with replacement needs n and m, and m counts draws: of records, or of pairs for
 * sampled pairs. Fields that a kind does not read must be 0.
 */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
} dppair_sampling;

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
