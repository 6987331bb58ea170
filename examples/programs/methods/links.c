/* SPDX-License-Identifier: MIT */
#include "methods/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One line per link; link_NAME.c next to this one defines it. */
#define LINKS(X)                                                                                   \
  X(pair_link_logistic)                                                                            \
  X(pair_link_hinge)                                                                               \
  X(pair_link_squared_hinge)                                                                       \
  X(pair_link_square)                                                                              \
  X(pair_link_sigmoid)                                                                             \
  X(pair_link_ramp)

#define DECLARE(link) extern const pair_link link;
LINKS(DECLARE)
#define ADDRESS(link) &link,
static const pair_link *const links[] = {LINKS(ADDRESS) NULL};

const pair_link *pair_link_find(const char *name, const char *fallback) {
  size_t k;
  if (name == NULL) name = fallback;
  for (k = 0; links[k] != NULL; k++)
    if (strcmp(links[k]->name, name) == 0) return links[k];
  return NULL;
}

int ranking_loss_known(const char *name) {
  return pair_link_find(name, NULL) != NULL || strncmp(name, "pinball", 7) == 0;
}

/* The largest |phi''| over margins in [-1e20, 1e20], far beyond every kink and bend. */
double pair_link_curvature(const pair_link *phi) {
  const dppair_bounds bounds = {0.5, 1e20, 0, 0, 0}; /* margins w.(x - x'), |x - x'| <= 1 */
  dppair_constants k;
  if (dppair_constants_find(&k, DPPAIR_MARGIN_ind, dppair_loss_facts_of(phi->loss), NULL,
                            &bounds) != DPPAIR_OK)
    return HUGE_VAL;
  return k.smoothness;
}

dppair_status pair_link_constants(dppair_constants *k, const pair_link *phi, double radius,
                                  double norm) {
  const dppair_bounds bounds = {radius, norm, 0, 0, 0};
  return dppair_constants_find(k, DPPAIR_MARGIN_ind, dppair_loss_facts_of(phi->loss), NULL,
                               &bounds);
}

int pair_link_is_smooth(const char *name) {
  const pair_link *phi = pair_link_find(name, NULL);
  return phi != NULL && dppair_loss_describe(phi->loss)->convex &&
         dppair_isfinite_f64(pair_link_curvature(phi));
}

/* --- pair sums -------------------------------------------------------------------------------- */

void pair_sums_free(pair_sums *s) {
  free(s->room);
  s->room = NULL;
  memset(&s->fast, 0, sizeof s->fast);
}

dppair_status pair_sums_reach(pair_sums *s, const pair_link *phi, size_t n, double cap) {
  double wide = 8;
  size_t bytes;
  dppair_status status;
  s->phi = phi;
  if (n < FAST_FROM || (s->fast.kind != 0 && s->fast.score_cap >= cap)) return DPPAIR_OK;
  pair_sums_free(s);
  while (wide < cap && wide < 1e5) wide *= 4;
  if (wide < cap) return DPPAIR_OK;
  status = s->order_free ? phi->chunks.size(&bytes, n, wide) : DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) {
    if ((s->room = malloc(bytes)) == NULL) return DPPAIR_ERR_OVERFLOW;
    return phi->chunks.init(&s->fast, n, wide, s->room, bytes);
  }
  status = phi->fast_size(&bytes, n, wide);
  if (status == DPPAIR_OK && (s->room = malloc(bytes)) == NULL) status = DPPAIR_ERR_OVERFLOW;
  return status == DPPAIR_OK ? phi->fast_init(&s->fast, n, wide, s->room, bytes) : status;
}

dppair_status pair_sums_coeffs(double *a, double *b, const double *sp, size_t np, const double *sn,
                               size_t nn, const pair_sums *s) {
  if (s->fast.kind != 0) return s->phi->fast(a, b, sp, np, sn, nn, &s->fast);
  return s->phi->coeffs(a, b, sp, np, sn, nn);
}

dppair_status pair_sums_allowance(double *range, double *rounding, const pair_sums *s, size_t n,
                                  double radius, double slope) {
  const dppair_fast *fast = s->fast.kind != 0 ? &s->fast : NULL;
  double factor;
  const dppair_status status = s->phi->allowance(&factor, rounding, fast, n, radius, slope);
  *range = (factor - 1) * slope; /* factor = 1 + 2E/slope, rounded up */
  return status;
}
