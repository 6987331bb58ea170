/* SPDX-License-Identifier: MIT */
/*
 * groups_attack.h - adversarial neighbours of a row loss that is released in groups: how far does
 * the mean of two groups move, as a part of S, when one record of the first group is replaced?
 *
 * Numbers that climb: every number of the records, of the replacement and of the map may change,
 * and stays where that moves the mean farther. Some are extreme: 0, subnormal, huge, infinite, NaN.
 * The noise is 1e-7 S, which is in the tolerance.
 */
#ifndef GROUPS_ATTACK_H
#define GROUPS_ATTACK_H

#include "tests.h"
#include "draws.h"

enum { ATTACKED_MOST = 10, ATTACKED_D = 3, ATTACKED_K = 3 };

/* Two sides: the records of two groups, and the same with one of them replaced. x[side][view]. */
typedef struct attacked {
  size_t group, d, k, at;
  int two;
  dppair_contrast how;
  double x[2][2][ATTACKED_MOST * ATTACKED_D], y[2][ATTACKED_MOST], w[ATTACKED_D * ATTACKED_K];
} attacked;

static double attacked_number(double scale) {
  static const double extreme[] = {0.0, 1e-310, -1e-30, 1e30, -1e150, 1e300};
  if (below(50) == 0) return extreme[below(6)];
  if (below(200) == 0) return below(2) ? (double)NAN : HUGE_VAL;
  return scale * normal();
}

static void attacked_fill(attacked *a) {
  static const size_t partner[ATTACKED_MOST] = {1, 0, 3, 2, 4};
  static const double offset[ATTACKED_MOST] = {0, -1, 0.5, 2, 0};
  memset(a, 0, sizeof *a);
  a->group = 2 + below(4), a->d = 1 + below(ATTACKED_D), a->k = 1 + below(ATTACKED_K);
  a->at = below(a->group);
  a->two = below(2) > 0;
  a->how.compare = (dppair_comparison)below(4);
  if (below(2)) a->how.margin = uniform(), a->how.triples = (dppair_triples)below(4);
  a->how.temperature = log_between(0.02, 5);
  if (below(3) == 0) a->how.angle = between(0.2, 1.4);
  a->how.positives = below(2) ? DPPAIR_POSITIVE_LABEL
                     : a->two ? DPPAIR_POSITIVE_RECORD
                              : DPPAIR_POSITIVE_PARTNER;
  if (!a->two && a->group % 2) a->how.positives = DPPAIR_POSITIVE_LABEL;
  if (a->how.positives == DPPAIR_POSITIVE_PARTNER) a->how.partner = partner;
  if (below(4) == 0) a->how.offset = offset;
  a->how.two_sided = a->two && !a->how.offset && below(2);
  for (size_t i = 0; i < 2 * a->group; i++) a->y[0][i] = (double)below(2);
  for (size_t e = 0; e < 2 * a->group * a->d; e++)
    a->x[0][0][e] = normal(), a->x[0][1][e] = normal();
  for (size_t e = 0; e < a->d * a->k; e++) a->w[e] = normal();
  memcpy(a->x[1], a->x[0], sizeof a->x[0]);
  memcpy(a->y[1], a->y[0], sizeof a->y[0]);
  a->y[1][a->at] = (double)below(2);
  for (size_t f = 0; f < a->d; f++)
    a->x[1][0][a->at * a->d + f] = normal(), a->x[1][1][a->at * a->d + f] = normal();
}

static void attacked_change(attacked *a, double scale) {
  for (size_t changes = 1 + below(3); changes > 0; changes--) {
    const size_t i = below(2 * a->group), e = i * a->d + below(a->d), view = below(2);
    const double v = attacked_number(scale);
    if (below(8) == 0) {
      a->w[below(a->d * a->k)] += scale * normal();
    } else if (i == a->at) {
      a->x[below(2)][view][e] = below(2) ? v : a->x[0][view][e] + v;
    } else {
      a->x[0][view][e] = below(2) ? v : a->x[0][view][e] + v;
      a->x[1][view][e] = a->x[0][view][e];
    }
  }
}

/* The steps of a plan for groups of every size that occurs; z is written into it, so that the noise
 * hides nothing; of given keys, so that every run of a search is the same. */
static void attacked_open(dppair_release *release, dppair_accountant *account, size_t group) {
  static const uint8_t key[32] = {9}, run[16] = {10};
  const dppair_release_keys keys = {key, run};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_groups(100, 2 * group, group, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = 1;
  plan.steps = 1 << 20;
  assert_int_equal(dppair_accountant_init(account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(release, account, &plan, &keys), DPPAIR_OK);
  release->noise_multiplier = 1e-7;
}

/* name_attack(trials) for an instance: the largest part of S. A contrast that the loss does
 * not know is drawn again. */
#define GROUPS_ATTACK(name, real, type)                                                            \
  static double name##_moved(const attacked *a, dppair_release *r, int *known) {                   \
    static double room[1 << 15];                                                                   \
    double v[2][ATTACKED_D * ATTACKED_K] = {{0}, {0}}, square = 0;                                 \
    dppair_options q;                                                                                 \
    dppair_clip clip;                                                                              \
    memset(&q, 0, sizeof q);                                                                       \
    assert_int_equal(dppair_clip_init(&clip, 1e-3), DPPAIR_OK);                                    \
    q.clip = &clip;                                                                                \
    q.work = room;                                                                                 \
    q.bytes = sizeof room;                                                                         \
    *known = 1;                                                                                    \
    for (int side = 0; side < 2; side++) {                                                         \
      static real x[2][ATTACKED_MOST * ATTACKED_D], y[ATTACKED_MOST];                              \
      size_t index[100], got;                                                                      \
      dppair_rows_##type rows[2];                                                                  \
      dppair_status status;                                                                        \
      for (int view = 0; view < 2; view++) {                                                       \
        for (size_t e = 0; e < 2 * a->group * a->d; e++) x[view][e] = (real)a->x[side][view][e];   \
        rows[view] = dppair_rows_make_##type(x[view], 2 * a->group, a->d, a->d);                   \
        rows[view].y = y;                                                                          \
      }                                                                                            \
      for (size_t i = 0; i < 2 * a->group; i++) y[i] = (real)a->y[side][i];                        \
      assert_int_equal(draw_now(index, &got, 100, r), DPPAIR_OK);                                  \
      for (int view = 0; view < 2; view++) dppair_rows_by_hand_##type(&rows[view], &drawn_now);    \
      status = name##_release_contrast(v[side], r, &rows[0], a->two ? &rows[1] : NULL, a->w, a->k, \
                                       &a->how, &q);                                               \
      if (status != DPPAIR_OK) r->drawn_for = 0; /* the draw is not used */                        \
      if (status == DPPAIR_ERR_DOMAIN) *known = 0;                                                 \
      if (status == DPPAIR_ERR_DOMAIN) return 0;                                                   \
      assert_int_equal(status, DPPAIR_OK); /* whatever the records are */                          \
    }                                                                                              \
    for (size_t e = 0; e < a->d * a->k; e++) square += (v[0][e] - v[1][e]) * (v[0][e] - v[1][e]);  \
    return sqrt(square) / r->sensitivity;                                                          \
  }                                                                                                \
  static double name##_attack(int trials) {                                                        \
    static attacked a, changed;                                                                    \
    static dppair_release r;                                                                       \
    static dppair_accountant paid;                                                                 \
    double most = 0;                                                                               \
    for (int t = 0; t < trials;) {                                                                 \
      double best = 0, scale = 4;                                                                  \
      int known = 0;                                                                               \
      while (!known) {                                                                             \
        attacked_fill(&a);                                                                         \
        attacked_open(&r, &paid, a.group);                                                         \
        best = name##_moved(&a, &r, &known);                                                       \
      }                                                                                            \
      for (int climb = 0; climb < 100 && t < trials; climb++, t++) {                               \
        changed = a;                                                                               \
        attacked_change(&changed, scale);                                                          \
        const double ratio = name##_moved(&changed, &r, &known);                                   \
        assert_true(known &&ratio <= 1 + 2e-6);                                                    \
        if (ratio >= best) a = changed, best = ratio;                                              \
        if (climb % 30 == 29) scale /= 4;                                                          \
      }                                                                                            \
      most = best > most ? best : most;                                                            \
    }                                                                                              \
    return most;                                                                                   \
  }

#endif
