/* ------------------------------------------------------------------------------------------------
 * Draws whose law a module has
 *
 * The kinds of modules have their rows in core/sampling.h, whose numbers ledgers hold. What such a
 * draw costs is in the module alone: it defines its macro, includes this header, and then defines
 * the functions that are declared here. Without the module its kind is refused.
 * ---------------------------------------------------------------------------------------------- */

/* The slot: X(kind, NAME) for each draw of a module that is here. */
#ifdef DPPAIR_WITH_ALLOCATION
#define DPPAIR_KNOWS_ALLOCATION_
#define DPPAIR_DRAW_SLOT_(X) X(DPPAIR_ALLOCATION, allocation)
#else
#define DPPAIR_DRAW_SLOT_(X)
#endif

struct dppair_renyi_;
struct dppair_law_;
struct dppair_rng;

/* Of Gaussian noise on the records of such a draw: what dispatch.h says of a mechanism; and the
 * batch of one step, as dppair_draw gives it. */
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  DPPAIR_FN_ dppair_status dppair_##name##_check_(const dppair_step *step);                        \
  DPPAIR_FN_ void dppair_##name##_charge_(dppair_charge_ *charge, const dppair_step *step);        \
  DPPAIR_FN_ dppair_status dppair_##name##_renyi_(struct dppair_renyi_ *r,                         \
                                                  const dppair_step *step);                        \
  DPPAIR_FN_ dppair_status dppair_##name##_law_(struct dppair_law_ *law, const dppair_step *step,  \
                                                double tail);                                      \
  DPPAIR_RARE_ dppair_status dppair_##name##_batch_(size_t *index, size_t *count, size_t capacity, \
                                                    const dppair_sampling *sampling, size_t step,  \
                                                    const struct dppair_rng *rng);
DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_

/* Is this the draw of a module that is here? */
DPPAIR_API int dppair_draw_is_slotted_(dppair_sampling_kind kind) {
  int here = 0;
#define DPPAIR_DRAW_X_(row, name) here |= kind == row;
  DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  (void)kind;
  return here;
}

/* MODULE: the draw of a module that is not here. */
DPPAIR_API dppair_status dppair_draw_known_(dppair_sampling_kind kind) {
  return dppair_sampling_is_of_module_(kind) && !dppair_draw_is_slotted_(kind) ? DPPAIR_ERR_MODULE
                                                                               : DPPAIR_OK;
}
