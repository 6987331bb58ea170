/* SPDX-License-Identifier: MIT */
/* dppair_sensitivity asked as the formulas of papers are written. After dppair_accountant.h. */
#ifndef TESTS_SENSITIVITIES_H
#define TESTS_SENSITIVITIES_H

#include <math.h>
#include <string.h>

static inline dppair_pair_unit pair_of(dppair_levels levels, double unit, double clip) {
  dppair_pair_unit pair;
  memset(&pair, 0, sizeof pair);
  pair.levels = levels;
  pair.unit = unit;
  pair.clip = clip;
  return pair;
}

/* m records of a step, of n > m where they are drawn. */
static inline dppair_sampling drawn_of(dppair_sampling_kind kind, size_t m) {
  if (kind == DPPAIR_ALL) return dppair_sampling_all(m, DPPAIR_REPLACE_ONE);
  if (kind == DPPAIR_MATCHING) return dppair_sampling_matching(m + 40, m, DPPAIR_REPLACE_ONE);
  return dppair_sampling_make_(kind, m + 40, m, DPPAIR_REPLACE_ONE);
}

/* The mean over ordered pairs of vectors of norm <= G: 4G/n, or 2G/n. */
static inline dppair_status sensitivity_mean(double *s, double G, size_t n,
                                             dppair_adjacency adjacency) {
  const dppair_pair_unit pair = pair_of(DPPAIR_LEVELS_ANY, 2.0 * G, 0.0);
  const dppair_sampling all = dppair_sampling_all(n, adjacency);
  return dppair_sensitivity(s, &pair, &all);
}

/* A step on m records with vectors of norm <= C, one for each ordered pair: 3C/m or 4C/m; of a
 * matching one for each pair that it makes: 4C/m. */
static inline dppair_status sensitivity_minibatch(double *s, dppair_sampling_kind kind, double C,
                                                  size_t m) {
  const dppair_pair_unit pair =
      pair_of(DPPAIR_LEVELS_ANY, kind == DPPAIR_MATCHING ? C : 2.0 * C, 0.0);
  const dppair_sampling sampling = drawn_of(kind, m);
  return dppair_sensitivity(s, &pair, &sampling);
}

/* The ranking losses whose structure is known: phi does not increase, 0 <= -phi' <= slope. */
typedef enum rank_form {
  FORM_DIFF = 1,        /* phi((y - y') w.(x - x')), real labels |y| <= label */
  FORM_IND = 2,         /* phi(w.(x - x')) 1[y = 1, y' = -1] */
  FORM_IND_LEVELS = 3,  /* phi(w.(x - x')) 1[y > y'], three label levels or more */
  FORM_SIGN = 4,        /* phi(sign(y - y') w.(x - x')), two label levels */
  FORM_SIGN_LEVELS = 5, /* the same, three label levels or more */
  FORM_REGRESSION = 6   /* the square of y - y' - w.(x - x'), real labels */
} rank_form;

/* clip: of each ordered pair's gradient; 0: none. */
static inline dppair_pair_unit rank_pair(rank_form form, double radius, double label, double slope,
                                         double clip) {
  static const dppair_levels levels[7] = {
      (dppair_levels)0,   DPPAIR_LEVELS_REAL,    DPPAIR_LEVELS_TWO, DPPAIR_LEVELS_GENERAL,
      DPPAIR_LEVELS_TWO, DPPAIR_LEVELS_GENERAL, DPPAIR_LEVELS_REAL};
  static const double factor[7] = {0.0, 8.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  const int one_order = form == FORM_IND || form == FORM_IND_LEVELS;
  const int open = radius >= HUGE_VAL || slope >= HUGE_VAL;
  const double unit = factor[form] * radius * slope * (form == FORM_DIFF ? label : 1.0);
  return pair_of(levels[form], open ? HUGE_VAL : unit, one_order ? clip : 2.0 * clip);
}

static inline dppair_status sensitivity_rank(double *s, rank_form form, double radius, double label,
                                             double slope, double clip, size_t n) {
  const dppair_pair_unit pair = rank_pair(form, radius, label, slope, clip);
  const dppair_sampling all = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  return dppair_sensitivity(s, &pair, &all);
}

static inline dppair_status sensitivity_rank_minibatch(double *s, dppair_sampling_kind kind,
                                                       rank_form form, double radius, double label,
                                                       double slope, double clip, size_t m) {
  const dppair_pair_unit pair = rank_pair(form, radius, label, slope, clip);
  const dppair_sampling sampling = drawn_of(kind, m);
  return dppair_sensitivity(s, &pair, &sampling);
}

/* All pairs of n records of which a user owns at most `owned`. */
static inline dppair_status sensitivity_users(double *s, const dppair_pair_unit *pair, size_t n,
                                              size_t owned, dppair_adjacency adjacency) {
  dppair_sampling all = dppair_sampling_all(n, adjacency);
  all.owned = owned;
  return dppair_sensitivity(s, pair, &all);
}

#ifdef DPPAIR_ITERATES_H /* where dppair_iterates.h came before */
static inline dppair_status sensitivity_last(double *s, double move, double alpha,
                                             double smoothness, double eta, size_t steps) {
  const dppair_descent d = {DPPAIR_LAST_ITERATE, alpha, smoothness, eta, 0.0, steps};
  return dppair_sensitivity_descent(s, move, &d);
}
static inline dppair_status sensitivity_average(double *s, double move, double smoothness,
                                                double eta, size_t steps) {
  const dppair_descent d = {DPPAIR_MEAN_ITERATE, 0.0, smoothness, eta, 0.0, steps};
  return dppair_sensitivity_descent(s, move, &d);
}
static inline dppair_status sensitivity_minimiser(double *s, double move, double alpha,
                                                  double tolerance) {
  const dppair_descent d = {DPPAIR_MINIMISER, alpha, 0.0, 0.0, tolerance, 0};
  return dppair_sensitivity_descent(s, move, &d);
}
#endif

#endif
