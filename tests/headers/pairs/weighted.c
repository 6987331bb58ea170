/* SPDX-License-Identifier: MIT */
/* Weighted records, persons and queries: coefficients and gradients against plain loops over pairs,
 * and how far they move between neighbours against NAME_sensitivity. */
#include "tests.h"

#include "dppair_losses.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME log32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME square64 /* the squared hinge: sums of scores beside counts */
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME hinge32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME plain64 /* without DPPAIR_WEIGHTS */
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_absolute
#include "dppair.h"

enum { MOST = 300, PERSONS = 40, D = 3 };

static double fast_room[40000], work[8 * MOST + 400], a[MOST], b[MOST], ra[MOST], rb[MOST];
static double share[MOST], weight[MOST];
static size_t up[PERSONS + 1], down[PERSONS + 1];

/* k groups of np positives and nn negatives, `kind` of them: of about equal size, most of them
 * empty, all records in one, each class in one of its own. */
static void group(dppair_groups *g, size_t k, size_t np, size_t nn, int kind) {
  size_t i, *const places[2] = {up, down};
  const size_t n[2] = {np, nn};
  int side;
  for (side = 0; side < 2; side++) {
    places[side][0] = 0;
    for (i = 1; i < k; i++) {
      const size_t last = places[side][i - 1], rest = n[side] - last;
      const size_t some = kind == 1 ? 1 + below(4) : below(2 * n[side] / k + 2);
      places[side][i] = last + (some < rest ? some : rest);
      if (kind == 1 && i % 3) places[side][i] = last;
      if (kind == 2) places[side][i] = i > k / 2 ? n[side] : 0;
      if (kind == 3) places[side][i] = side ? 0 : n[side];
    }
    places[side][k] = n[side];
  }
  memset(g, 0, sizeof *g);
  g->count = k;
  g->positive = up;
  g->negative = down;
}

/* The group of positive or negative i. */
static size_t group_of(const size_t *places, size_t i) {
  size_t k = 0;
  while (places[k + 1] <= i) k++;
  return k;
}

/* ra, rb: what the coefficients are, from slopes of single pairs. */
#define PLAIN(name, real, tolerance)                                                               \
  static void name##_plain(const real *sp, size_t np, const real *sn, size_t nn,                   \
                           const double *given, const dppair_pass *pass) {                         \
    const dppair_groups *g = pass->groups;                                                         \
    const int across = g && g->relation == DPPAIR_ACROSS;                                          \
    size_t i, j;                                                                                   \
    for (i = 0; i < np + nn; i++) {                                                                \
      const size_t k = !g ? 0 : i < np ? group_of(up, i) : group_of(down, i - np);                 \
      double sum = 0, w = 1;                                                                       \
      if (given) w = given[i] >= 0 ? (given[i] > 1 ? 1 : given[i]) : 0;                            \
      for (j = 0; j < np + nn && across; j++) {                                                    \
        const double v = !given ? 1 : given[j] >= 0 ? (given[j] > 1 ? 1 : given[j]) : 0;           \
        if (k == (j < np ? group_of(up, j) : group_of(down, j - np))) sum += v;                    \
      }                                                                                            \
      share[i] = across && sum > 1 ? w / sum : w;                                                  \
      (i < np ? ra : rb - np)[i] = 0;                                                              \
    }                                                                                              \
    for (i = 0; i < np; i++)                                                                       \
      for (j = 0; j < nn; j++) {                                                                   \
        double slope, minus, times = share[i] * share[np + j];                                     \
        assert_int_equal(name##_coeffs(&slope, &minus, sp + i, 1, sn + j, 1, NULL), DPPAIR_OK);    \
        if (g && (group_of(up, i) == group_of(down, j)) == across) continue;                       \
        if (g && !across) {                                                                        \
          const size_t k = group_of(up, i), m = up[k + 1] - up[k] + down[k + 1] - down[k];         \
          times /= (double)m * ((double)m - 1);                                                    \
        }                                                                                          \
        ra[i] += times * slope;                                                                    \
        rb[j] -= times * slope;                                                                    \
      }                                                                                            \
  }                                                                                                \
                                                                                                   \
  static void name##_trial(int trial) {                                                            \
    static real sp[MOST], sn[MOST];                                                                \
    const size_t most = trial % 8 ? 25 : MOST / 2, np = below(most), nn = below(most);             \
    const double *given = trial % 3 ? weight : NULL;                                               \
    const int ties = trial % 5 == 0;                                                               \
    dppair_groups g;                                                                               \
    dppair_fast fast;                                                                              \
    dppair_pass pass = {NULL, 0, NULL, NULL, work, sizeof work, NULL};                             \
    double slack, total = 0;                                                                       \
    size_t i, needed;                                                                              \
    for (i = 0; i < np; i++) sp[i] = (real)(ties ? floor(between(-2, 3)) : between(-4, 4));        \
    for (i = 0; i < nn; i++) sn[i] = (real)(ties ? floor(between(-2, 3)) : between(-4, 4));        \
    for (i = 0; i < np + nn; i++) weight[i] = trial % 9 ? between(-0.1, 1.1) : 0.5 / 3;            \
    weight[below(MOST)] = NAN;                                                                     \
    group(&g, 1 + below(trial % 5 ? 6 : PERSONS), np, nn, trial % 7 % 4);                          \
    if (trial % 4) pass.groups = &g, g.relation = trial % 4 == 1 ? DPPAIR_WITHIN : DPPAIR_ACROSS;  \
    if (trial / 4 % 3) {                                                                           \
      const double cap = trial / 4 % 3 == 1 ? 8 : 2; /* scores beyond the second count as it */    \
      assert_int_equal(name##_fast_init(&fast, MOST, DPPAIR_ACCURACY_1E12, cap, NULL, fast_room,   \
                                        sizeof fast_room),                                         \
                       DPPAIR_OK);                                                                 \
      pass.fast = &fast;                                                                           \
      for (i = 0; i < np && cap < 4; i++) sp[i] = sp[i] > 2 ? 2 : sp[i] < -2 ? -2 : sp[i];         \
      for (i = 0; i < nn && cap < 4; i++) sn[i] = sn[i] > 2 ? 2 : sn[i] < -2 ? -2 : sn[i];         \
    }                                                                                              \
    name##_plain(sp, np, sn, nn, given, &pass);                                                    \
    if (pass.fast && fast.score_cap < 4) /* beyond the cap again */                                \
      for (i = 0; i < np; i++) sp[i] = sp[i] >= 2 ? (real)(2 + uniform()) : sp[i];                  \
    assert_int_equal(name##_workspace(&needed, np + nn, 0, &pass), DPPAIR_OK);                     \
    assert_true(needed <= sizeof work);                                                            \
    pass.bytes = needed;                                                                           \
    assert_int_equal(name##_weighted_coeffs(a, b, sp, np, sn, nn, given, &pass), DPPAIR_OK);       \
    for (i = 0; i < np + nn; i++) total += share[i];                                               \
    slack = (tolerance) * (1 + total);                                                             \
    for (i = 0; i < np; i++) assert_true(fabs(a[i] - ra[i]) <= slack);                             \
    for (i = 0; i < nn; i++) assert_true(fabs(b[i] - rb[i]) <= slack);                             \
  }
PLAIN(log64, double, pass.fast ? 1e-11 : 1e-14)
PLAIN(log32, float, 1e-5)
PLAIN(square64, double, 1e-13)
PLAIN(hinge32, float, 1e-5)

static void coefficients_are_those_of_plain_loops(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 40 : 600); trial++) {
    log64_trial(trial);
    log32_trial(trial);
    square64_trial(trial);
    hinge32_trial(trial);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(coefficients_are_those_of_plain_loops),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
