/* ------------------------------------------------------------------------------------------------
 * Slots: what modules add to each instance
 *
 * A module that adds functions to an instance is included before it, and then read again at each
 * stage of it: DPPAIR_STAGE_ says which, DPPAIR_MODULE_NAME_ that this module is asked. Outside of a
 * stage the module is read once, for what no instance enters. An instance without pairs of its own
 * has pairs/loops.h where its module defines DPPAIR_LOOPS_ with the states.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include DPPAIR_CONTRAST_SELF
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include DPPAIR_INFLUENCE_SELF
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include DPPAIR_METRIC_SELF
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include DPPAIR_POINTWISE_SELF
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include DPPAIR_SCALE_SELF
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include DPPAIR_TOP_SELF
#undef DPPAIR_MODULE_TOP_
#endif
