/* ------------------------------------------------------------------------------------------------
 * Losses of triplets: an anchor a, a positive p and a negative n
 *
 * phi(u) at u = s_ap - s_an - margin, s similarities (triplet.h says of which triplets).
 * A loss of your own has the same words: L_KIND and L_ROWS, L_VALUE and L_SLOPE. L_SORTED
 * dppair_piecewise, with L_PIECES for its slope (pairs/fast_state.h), sorts long rows.
 * ---------------------------------------------------------------------------------------------- */

/* The margin loss: [margin + D_ap - D_an]+ of distances D = -s (Schroff, Kalenichenko and Philbin
 * 2015). At u = 0 the slope is 0. */
#define dppair_triplet_KIND dppair_rowwise
#define dppair_triplet_ROWS dppair_whole_rows
#define dppair_triplet_SORTED dppair_piecewise
#define dppair_triplet_PIECES(p)                                                                   \
  {                                                                                                \
    { 0, -1, 0, 0 }                                                                                \
  }
#define dppair_triplet_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_NEG(u))
#define dppair_triplet_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET(0)), DPV_SET(-1), DPV_SET(0))

/* Half of its square: as lifted structure, the loss of Oh Song et al. 2016. */
#define dppair_triplet_squared_KIND dppair_rowwise
#define dppair_triplet_squared_ROWS dppair_whole_rows
#define dppair_triplet_squared_SORTED dppair_piecewise
#define dppair_triplet_squared_PIECES(p)                                                           \
  {                                                                                                \
    { 0, 0, 1, 0 }                                                                                 \
  }
#define dppair_triplet_squared_VALUE(u, p)                                                         \
  DPV_MUL(DPV_SET(0.5), DPV_MUL(DPV_MIN(u, DPV_SET(0)), DPV_MIN(u, DPV_SET(0))))
#define dppair_triplet_squared_SLOPE(u, p) DPV_MIN(u, DPV_SET(0))

/* ln(1 + e^-u): the soft margin (Hermans, Beyer and Leibe 2017); with inner products the Bayesian
 * personalised ranking of Rendle et al. 2009. */
#define dppair_triplet_soft_KIND dppair_rowwise
#define dppair_triplet_soft_ROWS dppair_whole_rows
#define dppair_triplet_soft_SPLIT dppair_split
#define dppair_triplet_soft_FACTOR(s, p) DPV_EXP(s)
#define dppair_triplet_soft_JOIN(e, p) DPV_DIV(DPV_SET(-1), DPV_ADD(DPV_SET(1), e))
#define dppair_triplet_soft_VALUE(u, p) DPV_SOFTPLUS(DPV_NEG(u))
#define dppair_triplet_soft_SLOPE(u, p) DPV_NEG(DPV_SIGMOID(DPV_NEG(u)))
