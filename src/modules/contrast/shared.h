/* ------------------------------------------------------------------------------------------------
 * Row-wise losses: what is compared with what
 *
 * Contrastive losses compare an anchor i with all candidates j at once. With embeddings z, and the
 * logits s_ij = similarity(z_i, z_j)/temperature - offset_j, the loss of an anchor is
 *
 *   L_i = log(sum over candidates j of e^(x_ij)) - (mean of s_ij over the positives j of i),
 *
 * and an instance computes the sum of L_i over all anchors that have a positive, its gradient in
 * the embeddings, for any host's back-propagation, and in a linear map z = W^T x. A row loss L is
 * three macros: what it leaves of a logit in the sum, and how steep that is,
 *
 *   #define L_KIND dppair_rowwise
 *   #define L_EXPONENT(s, own, like, p)   x_ij, as a DPV_T
 *   #define L_SLOPE(s, own, like, p)      its derivative in s
 *
 * where s are logits (DPV_T) and own and like are masks (DPV_M): whether j is a positive of i, and
 * whether the two have equal labels (never, where no labels are given). p: the parameters of the
 * loss. DPV_SET(-HUGE_VAL) leaves a candidate out. The derivative of L_i in s_ij is then
 * L_SLOPE e^(x_ij - log sum), less 1/(number of positives) where j is one. For example, with the
 * positives weaker by a margin m,
 *
 *   #define wide_KIND dppair_rowwise
 *   #define wide_EXPONENT(s, own, like, p) DPV_SUB(s, DPV_SEL(own, DPV_SET((p)[0]), DPV_SET(0)))
 *   #define wide_SLOPE(s, own, like, p) DPV_SET(1)
 *
 * What becomes of the shipped ones (losses.h) under which dppair_contrast:
 *
 *   InfoNCE                 infonce, two blocks, RECORD or PARTNER        van den Oord et al. 2018
 *   NT-Xent, SimCLR         infonce, one set, COSINE, PARTNER             Chen et al. 2020
 *   CLIP                    infonce, two blocks, COSINE, two_sided        Radford et al. 2021
 *   supervised contrastive  infonce, LABEL: the mean over positives is    Khosla et al. 2020, L_out
 *                           outside of the logarithm
 *   sampled softmax         infonce, two blocks, offset                   Bengio and Senecal 2008
 *   N-pairs                 npairs, DOT, two blocks                       Sohn 2016
 *   decoupled contrastive   decoupled, one set or two                     Yeh et al. 2022
 *   angular                 infonce or npairs with an angle               Wang et al. 2017, (9)
 *
 * With an angle alpha, an anchor and its positive p act together: with t = tan(alpha), the logit of
 * another candidate is 4 t^2 <z_i + z_p, z_j>/temperature, that of the positive
 * 2 (1 + t^2) <z_i, z_p>/temperature.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PROBE_dppair_whole_rows ~, 1 /* the word L_ROWS of a loss, for DPPAIR_WORD_ */

/* The similarity of two embeddings. */
typedef enum dppair_comparison {
  DPPAIR_COMPARE_DOT = 0, /* <z, z'> */
  DPPAIR_COMPARE_COSINE,   /* <z, z'>/(|z| |z'|). Rows of norm 0, or below 2^-512 (float: 2^-64),
                            * count as 0: their similarities are 0, and so are their gradients */
  DPPAIR_COMPARE_DISTANCE, /* -|z - z'|^2 */
  DPPAIR_COMPARE_EUCLIDEAN /* -|z - z'|; of triplets only */
} dppair_comparison;

/* Which candidates are the positives of an anchor. */
typedef enum dppair_positives {
  DPPAIR_POSITIVE_RECORD = 0, /* of two blocks: that of the same place in the other one */
  DPPAIR_POSITIVE_PARTNER,    /* the candidate partner[i]. One set: an anchor that is its own
                               * partner has no positive */
  DPPAIR_POSITIVE_LABEL       /* all candidates of its label, but itself */
} dppair_positives;

/* Which triples of an anchor, a positive and a negative count: triplet.h. */
typedef enum dppair_triples {
  DPPAIR_TRIPLES_ALL = 0,
  DPPAIR_TRIPLES_SEMI_HARD,
  DPPAIR_TRIPLES_HARDEST,
  DPPAIR_TRIPLES_LIFTED
} dppair_triples;

/* What is compared, and how. What is not given is 0 or NULL; the temperature must be given.
 * Everything here is public but partners and offsets. */
typedef struct dppair_contrast {
  dppair_comparison compare;
  double temperature; /* similarities are divided by it: positive */
  dppair_positives positives;
  const size_t *partner; /* of PARTNER: a place among the candidates for each row */
  const double *offset;  /* a number for each candidate, subtracted from all its logits: for a
                          * sampled softmax the logarithm of its sampling rate; NULL: 0 */
  int two_sided;         /* of two blocks, RECORD or LABEL, without offsets: the others are anchors
                          * too, and the losses of both directions are added */
  double margin;         /* of triplets; row losses take theirs as a parameter: 0 */
  double angle;          /* alpha of an angular loss, in radians, below pi/2; 0: none */
  dppair_triples triples; /* of triplets */
} dppair_contrast;

DPPAIR_FP_BEGIN_

/* What to ask NAME_contrast_workspace and NAME_contrast_map_workspace for in place of `others`,
 * where the contrast has an angle: room for sums z_i + z_p and their results. */
DPPAIR_API size_t dppair_contrast_angular(size_t n, size_t others) {
  return n > SIZE_MAX / 8 || others > SIZE_MAX / 8 ? SIZE_MAX : others + 2 * n + 96;
}

/* What a contrast itself decides. DOMAIN: an unknown word, a temperature that is not a positive
 * number, a margin; two sides of one set, with partners or with offsets; records of the same place
 * without others; an angle that is none, or beside a cosine or distance, two sides, offsets or
 * positives by label. NULL: partners. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_contrast_check_(const dppair_contrast *c,
                                                                  int others) {
  if ((unsigned)c->compare > (unsigned)DPPAIR_COMPARE_DISTANCE ||
      (unsigned)c->positives > (unsigned)DPPAIR_POSITIVE_LABEL)
    return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(c->temperature) || !(c->temperature > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(c->margin) || c->margin < 0.0 || c->margin > 0.0 || c->triples)
    return DPPAIR_ERR_DOMAIN;
  if (c->positives == DPPAIR_POSITIVE_RECORD && !others) return DPPAIR_ERR_DOMAIN;
  if (c->two_sided && (!others || c->offset || c->positives == DPPAIR_POSITIVE_PARTNER))
    return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(c->angle) || !(c->angle >= 0.0 && c->angle < 1.5707963267948966))
    return DPPAIR_ERR_DOMAIN;
  if (c->angle > 0.0 && (c->compare != DPPAIR_COMPARE_DOT || c->two_sided || c->offset ||
                         c->positives == DPPAIR_POSITIVE_LABEL))
    return DPPAIR_ERR_DOMAIN;
  return c->positives == DPPAIR_POSITIVE_PARTNER && !c->partner ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

DPPAIR_FP_END_
