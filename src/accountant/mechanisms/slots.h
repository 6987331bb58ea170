/* ------------------------------------------------------------------------------------------------
 * Mechanisms whose functions a module has
 *
 * Their rows are those of DPPAIR_MECHANISM_SLOT_ (table.h). The module defines the functions that
 * are declared here: those that dispatch.h explains, and the noise that a release adds. Without the
 * module its kinds are refused.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_renyi_;
struct dppair_law_;
struct dppair_rng;

#define DPPAIR_MECHANISM_X_(kind, name, text, reads, multiplier, loss, relations)                  \
  DPPAIR_FN_ dppair_status dppair_##name##_check_(const dppair_step *step);                        \
  DPPAIR_FN_ void dppair_##name##_charge_(dppair_charge_ *charge, const dppair_step *step);        \
  DPPAIR_FN_ dppair_status dppair_##name##_renyi_(struct dppair_renyi_ *r,                         \
                                                  const dppair_step *step);                        \
  DPPAIR_FN_ dppair_status dppair_##name##_law_(struct dppair_law_ *law, const dppair_step *step,  \
                                                double tail);
DPPAIR_MECHANISM_SLOT_(DPPAIR_MECHANISM_X_)
#undef DPPAIR_MECHANISM_X_

/* The slot: X(law, NAME) for each law of a module whose noise a release adds to a vector. */
#ifdef DPPAIR_KNOWS_L2BALL_
#define DPPAIR_NOISE_SLOT_(X) X(DPPAIR_L2BALL, l2ball)
#else
#define DPPAIR_NOISE_SLOT_(X)
#endif

/* Adds noise of this scale, and rounds as dppair_add_gaussian_f64_grid does. */
#define DPPAIR_NOISE_X_(kind, name)                                                                \
  DPPAIR_FN_ dppair_status dppair_##name##_noise_(double *v, size_t n, double scale,               \
                                                  int log2_ratio, struct dppair_rng *rng);
DPPAIR_NOISE_SLOT_(DPPAIR_NOISE_X_)
#undef DPPAIR_NOISE_X_
