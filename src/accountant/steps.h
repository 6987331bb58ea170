/* ------------------------------------------------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 * ---------------------------------------------------------------------------------------------- */

/* How the records (or pairs) of a step are drawn, freshly in every step. */
typedef enum dppair_sampling_kind {
  DPPAIR_NO_SAMPLING = 0,
  DPPAIR_POISSON = 1,             /* each record (pair) by its own coin of probability q */
  DPPAIR_WITHOUT_REPLACEMENT = 2, /* m of n records, a uniform subset */
  DPPAIR_WITH_REPLACEMENT = 3,    /* m independent uniform draws from n records (or their pairs) */
  DPPAIR_MATCHING = 4             /* m of n records, m even, paired at random: m/2 pairs */
} dppair_sampling_kind;

/*
 * The rate of Poisson records, of samples without replacement and of matchings is the chance q that
 * a given record is drawn: either q in (0, 1], or n and m >= 1 with q = m/n (q = 0: not given; when
 * all three are given they must agree, and m/n counts). m counts records, in a matching too. With
 * replacement n and m are needed; m counts draws (of records, or of pairs: sampled pairs). What a
 * kind does not read must be 0.
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
 * What noise_multiplier means for the sampled kinds: sigma over
 *   Poisson records             the move when one record is added or zeroed (both adjacencies:
 *                               replace-one is the pair of mixtures towards +1 and -1)
 *   without replacement, with replacement, matching
 *                               the replace-one sensitivity of the batch statistic (one slot)
 *   sampled pairs               the clip of one pair's vector
 * pair_rate is the probability of each unordered pair (Poisson pairs, with n and nothing else), 0
 * elsewhere. steps >= 1. Steps without sampling read nothing of `sampling` but the adjacency, which
 * may be 0.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
} dppair_step;
