/* ------------------------------------------------------------------------------------------------
 * Mechanisms whose functions a module has
 *
 * Their rows are those of DPPAIR_MECHANISM_SLOT_ (table.h). The module defines the functions that
 * are declared here, which dispatch.h explains. Without the module its kinds are refused.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_renyi_;
struct dppair_law_;

#define DPPAIR_MECHANISM_X_(kind, name, text, reads, multiplier, loss, relations)                  \
  DPPAIR_FN_ dppair_status dppair_##name##_check_(const dppair_step *step);                        \
  DPPAIR_FN_ void dppair_##name##_charge_(dppair_charge_ *charge, const dppair_step *step);        \
  DPPAIR_FN_ dppair_status dppair_##name##_renyi_(struct dppair_renyi_ *r,                         \
                                                  const dppair_step *step);                        \
  DPPAIR_FN_ dppair_status dppair_##name##_law_(struct dppair_law_ *law, const dppair_step *step,  \
                                                double tail);
DPPAIR_MECHANISM_SLOT_(DPPAIR_MECHANISM_X_)
#undef DPPAIR_MECHANISM_X_
