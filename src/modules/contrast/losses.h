/* ------------------------------------------------------------------------------------------------
 * Row-wise losses: the softmax over candidates, and two that leave some of them out
 *
 * What their macros mean is in shared.h. They are no pairwise losses: the table of losses
 * does not hold them.
 * ---------------------------------------------------------------------------------------------- */

/* All candidates count. */
#define dppair_infonce_KIND dppair_rowwise
#define dppair_infonce_EXPONENT(s, own, like, p) (s)
#define dppair_infonce_SLOPE(s, own, like, p) DPV_SET(1)

/* Candidates of the anchor's label that are not its positive are left out. */
#define dppair_npairs_KIND dppair_rowwise
#define dppair_npairs_EXPONENT(s, own, like, p)                                                    \
  DPV_SEL(own, s, DPV_SEL(like, DPV_SET(-HUGE_VAL), s))
#define dppair_npairs_SLOPE(s, own, like, p) DPV_SET(1)

/* Positives are left out of the sum: only the negatives push. */
#define dppair_decoupled_KIND dppair_rowwise
#define dppair_decoupled_EXPONENT(s, own, like, p) DPV_SEL(own, DPV_SET(-HUGE_VAL), s)
#define dppair_decoupled_SLOPE(s, own, like, p) DPV_SET(1)
