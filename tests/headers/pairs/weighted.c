/* SPDX-License-Identifier: MIT */
/* Weighted records, users and queries: coefficients and gradients against plain loops over pairs,
 * and how far they move between neighbours against NAME_sensitivity. */
#include "tests.h"

#include "dppair_losses.h"
#include "dppair_scale.h"
#include "dppair_metric.h"

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

#include "clips.h"

enum { MOST = 300, PERSONS = 40, D = 3 };

static double fast_room[40000], sums_room[80000], work[60000], a[MOST], b[MOST], ra[MOST], rb[MOST];
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
                           const double *given, const dppair_options *options) {                         \
    const dppair_groups *g = options->groups;                                                         \
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
      *(i < np ? ra + i : rb + (i - np)) = 0;                                                      \
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
    const size_t most = trial % 8 ? 25 : MOST / 2;                                                 \
    const size_t np = trial % 11 ? below(most) : 0, nn = trial % 13 ? below(most) : 0;             \
    const double *given = trial % 3 ? weight : NULL;                                               \
    const int ties = trial % 5 == 0;                                                               \
    dppair_groups g;                                                                               \
    dppair_fast fast;                                                                              \
    dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};                             \
    double slack, total = 0;                                                                       \
    size_t i, needed;                                                                              \
    for (i = 0; i < np; i++) sp[i] = (real)(ties ? floor(between(-2, 3)) : between(-4, 4));        \
    for (i = 0; i < nn; i++) sn[i] = (real)(ties ? floor(between(-2, 3)) : between(-4, 4));        \
    for (i = 0; i < np + nn; i++) weight[i] = trial % 9 ? between(-0.1, 1.1) : 0.5 / 3;            \
    weight[below(MOST)] = (double)NAN;                                                             \
    group(&g, 1 + below(trial % 5 ? 6 : PERSONS), np, nn, trial % 7 % 4);                          \
    if (trial % 4) options.groups = &g, g.relation = trial % 4 == 1 ? DPPAIR_WITHIN : DPPAIR_ACROSS;  \
    if (trial / 4 % 3) {                                                                           \
      const double cap = trial / 4 % 3 == 1 ? 8 : 2; /* scores beyond the second count as it */    \
      assert_int_equal(name##_fast_init(&fast, MOST, DPPAIR_ACCURACY_1E12, cap, NULL, fast_room,   \
                                        sizeof fast_room),                                         \
                       DPPAIR_OK);                                                                 \
      options.fast = &fast;                                                                           \
      for (i = 0; i < np && cap < 4; i++) sp[i] = sp[i] > 2 ? 2 : sp[i] < -2 ? -2 : sp[i];         \
      for (i = 0; i < nn && cap < 4; i++) sn[i] = sn[i] > 2 ? 2 : sn[i] < -2 ? -2 : sn[i];         \
    }                                                                                              \
    name##_plain(sp, np, sn, nn, given, &options);                                                    \
    if (options.fast && fast.score_cap < 4) /* beyond the cap again */                                \
      for (i = 0; i < np; i++) sp[i] = sp[i] >= 2 ? (real)(2 + uniform()) : sp[i];                 \
    assert_int_equal(name##_workspace(&needed, np + nn, 0, &options), DPPAIR_OK);                     \
    assert_true(needed <= sizeof work);                                                            \
    options.bytes = needed;                                                                           \
    assert_int_equal(name##_weighted_coeffs(a, b, sp, np, sn, nn, given, &options), DPPAIR_OK);       \
    for (i = 0; i < np + nn; i++) total += share[i];                                               \
    slack = (tolerance) * (1 + total);                                                             \
    for (i = 0; i < np; i++) assert_true(fabs(a[i] - ra[i]) <= slack);                             \
    for (i = 0; i < nn; i++) assert_true(fabs(b[i] - rb[i]) <= slack);                             \
  }
PLAIN(log64, double, options.fast ? 1e-11 : 1e-14)
PLAIN(log32, float, 1e-5)
PLAIN(square64, double, 1e-13)
PLAIN(hinge32, float, 1e-5)

static void coefficients_are_those_of_plain_loops(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 20 : getenv("FRONTIER") ? 20000 : 60); trial++) {
    log64_trial(trial);
    log32_trial(trial);
    square64_trial(trial);
    hinge32_trial(trial);
  }
}

/* A record of a small data set, and the data sets. */
typedef struct record {
  size_t group;
  int positive;
  double x[2], weight;
} record;
enum { RECORDS = 16, GROUPS = 5 };
typedef struct data {
  size_t n;
  record of[RECORDS];
} data;

/* What is tried: a relation, the neighbours, the draw, given weights. */
typedef struct try_of {
  dppair_grouping relation; /* 0: none */
  dppair_adjacency adjacency;
  size_t m;           /* of users or queries that are expected; 0: all */
  int weighted, fast; /* fast: 0 loops, 1 a prepared state, 2 one without order */
} try_of;

static record any_record(size_t group, int extreme) {
  record r;
  const double angle = between(0, 6.283185307179586), length = extreme ? 1 : sqrt(uniform());
  r.group = group;
  r.positive = uniform() < 0.5;
  r.x[0] = length * (extreme > 1 ? (uniform() < 0.5 ? 1 : -1) : cos(angle));
  r.x[1] = extreme > 1 ? 0 : length * sin(angle);
  r.weight = extreme ? (double)below(2) : between(-0.2, 1.2);
  return r;
}

static void any_group(data *d, size_t group, size_t records, int extreme) {
  size_t i, k = 0;
  for (i = 0; i < d->n; i++)
    if (d->of[i].group != group) d->of[k++] = d->of[i];
  for (d->n = k; records > 0 && d->n < RECORDS; records--)
    d->of[d->n++] = any_record(group, extreme);
}

/* A neighbour of *d: another record, or another group, or none in its place. */
static data neighbour_of(const data *d, const try_of *t, size_t which) {
  data other = *d;
  const int extreme = (int)below(3);
  if (dppair_adjacency_unit_(t->adjacency) == DPPAIR_OF_RECORDS_) {
    record *r = other.of + which % other.n;
    const size_t group = r->group;
    if (t->adjacency == DPPAIR_ZERO_OUT)
      r->weight = 0;
    else
      *r = any_record(group, extreme);
  } else {
    const int zero = dppair_adjacency_move_(t->adjacency) == DPPAIR_ZERO_OUT;
    any_group(&other, which % GROUPS, zero ? 0 : below(4), extreme);
  }
  return other;
}

/* The gradient of a data set, divided as a release does it, and its sensitivity. `missing`: this
 * group was not drawn. */
#define MOVES(name, real, rows_type)                                                               \
  static int name##_of(double out[2], double *sensitivity, const data *d, const try_of *t,         \
                       const real *w, size_t missing, const dppair_fast *fast) {                   \
    real x[RECORDS][2];                                                                            \
    double given[RECORDS];                                                                         \
    size_t places[2][GROUPS + 1], k, i, at = 0, drawn = 0;                                         \
    const int records = dppair_adjacency_unit_(t->adjacency) == DPPAIR_OF_RECORDS_;                \
    dppair_options options = {NULL,        0,   t->fast ? fast + (t->fast - 1) : NULL, NULL, work,       \
                        sizeof work, NULL};                                                        \
    dppair_groups g = {0, places[0], places[1], t->relation, RECORDS};                             \
    dppair_bounds bounds = {1, 0, 0, 0, 0};                                                        \
    dppair_sampling s = dppair_sampling_all(records ? d->n : GROUPS, t->adjacency);                \
    rows_type rows;                                                                                \
    double divisor;                                                                                \
    int side;                                                                                      \
    if (t->m) s = dppair_sampling_poisson(GROUPS, t->m, t->adjacency);                             \
    memset(places, 0, sizeof places);                                                              \
    rows.positives = 0;                                                                            \
    for (side = 0; side < 2; side++)                                                               \
      for (k = drawn = 0; k < GROUPS; k++) {                                                       \
        if (k == missing) continue;                                                                \
        for (i = 0; i < d->n; i++)                                                                 \
          if (d->of[i].group == k && d->of[i].positive == !side) {                                 \
            x[at][0] = (real)d->of[i].x[0], x[at][1] = (real)d->of[i].x[1];                        \
            given[at++] = d->of[i].weight;                                                         \
          }                                                                                        \
        places[side][++drawn] = at - (side ? places[0][GROUPS - (missing < GROUPS)] : 0);          \
      }                                                                                            \
    g.count = drawn;                                                                               \
    rows = dppair_make_##real(x[0], at);                                                           \
    rows.positives = places[0][drawn];                                                             \
    rows.radius = 1;                                                                               \
    rows.weight = t->weighted ? given : NULL;                                                      \
    if (t->relation) options.groups = &g;                                                             \
    bounds.param_radius = sqrt((double)w[0] * (double)w[0] + (double)w[1] * (double)w[1]);         \
    if (name##_gradient(out, &rows, w, &options) != DPPAIR_OK) return 0;                              \
    if (name##_sensitivity(sensitivity, 2, &bounds, &s, &options) != DPPAIR_OK) return 0;             \
    assert_int_equal(dppair_normaliser(&divisor, &s, drawn), DPPAIR_OK);                           \
    if (t->relation == DPPAIR_WITHIN) divisor = t->m ? (double)t->m : (double)GROUPS;              \
    out[0] /= divisor, out[1] /= divisor;                                                          \
    return 1;                                                                                      \
  }                                                                                                \
                                                                                                   \
  /* The largest move over S that a climb finds. */                                                \
  static double name##_climb(const try_of *t, const real *w, int steps, const dppair_fast *fast) { \
    double best = 0, s, a2[2], b2[2];                                                              \
    data d, to, from, end;                                                                         \
    size_t k, which = 0;                                                                           \
    int step;                                                                                      \
    memset(&d, 0, sizeof d);                                                                       \
    for (step = 0; step < steps; step++) {                                                         \
      from = d;                                                                                    \
      end = to;                                                                                    \
      if (step == 0 || best <= 0) {                                                                \
        for (from.n = k = 0; k < GROUPS; k++) any_group(&from, k, 1 + below(3), (int)below(3));    \
        which = below(RECORDS);                                                                    \
        end = neighbour_of(&from, t, which);                                                       \
      } else if (step % 3 == 0) {                                                                  \
        end = neighbour_of(&from, t, which);                                                       \
      } else { /* the same change on both sides */                                                 \
        const size_t i = below(from.n);                                                            \
        const record r = any_record(from.of[i].group, (int)below(3));                              \
        if (dppair_adjacency_unit_(t->adjacency) == DPPAIR_OF_RECORDS_) {                          \
          from.of[i] = r;                                                                          \
          if (i != which % end.n) end.of[i] = r;                                                   \
          if (t->adjacency == DPPAIR_ZERO_OUT)                                                     \
            end.of[which % end.n] = from.of[which % end.n], end.of[which % end.n].weight = 0;      \
        } else {                                                                                   \
          any_group(&from, r.group, below(4), (int)below(3));                                      \
          if (r.group != which % GROUPS) {                                                         \
            end.n = 0;                                                                             \
            for (k = 0; k < from.n; k++)                                                           \
              if (from.of[k].group != which % GROUPS) end.of[end.n++] = from.of[k];                \
            for (k = 0; k < to.n && end.n < RECORDS; k++)                                          \
              if (to.of[k].group == which % GROUPS) end.of[end.n++] = to.of[k];                    \
          }                                                                                        \
        }                                                                                          \
      }                                                                                            \
      {                                                                                            \
        const int joins = t->m > 0; /* not drawn, instead of empty */                              \
        const size_t missing = joins ? which % GROUPS : GROUPS;                                    \
        double moved;                                                                              \
        if (!name##_of(a2, &s, &from, t, w, GROUPS, fast)) continue;                               \
        if (!name##_of(b2, &s, &end, t, w, missing, fast)) continue;                               \
        moved = sqrt((a2[0] - b2[0]) * (a2[0] - b2[0]) + (a2[1] - b2[1]) * (a2[1] - b2[1])) / s;   \
        assert_true(moved <= 1);                                                                   \
        if (moved >= best) best = moved, d = from, to = end;                                       \
      }                                                                                            \
    }                                                                                              \
    return best;                                                                                   \
  }
#define dppair_make_double(x, n) dppair_rows_make_f64(x, n, 2, 2)
#define dppair_make_float(x, n) dppair_rows_make_f32(x, n, 2, 2)
MOVES(log64, double, dppair_rows_f64)
MOVES(log32, float, dppair_rows_f32)
MOVES(square64, double, dppair_rows_f64)

/* Whole users, queries and records are replaced by what a climb finds: nothing moves further than
 * it may. (FRONTIER=1: a long climb, which comes to 0.999 of nearly every bound.) */
static void no_neighbour_moves_a_gradient_further_than_its_sensitivity(void **unused) {
  static const try_of tries[] = {{DPPAIR_ACROSS, DPPAIR_REPLACE_USER, 0, 0, 0},
                                 {DPPAIR_ACROSS, DPPAIR_ZERO_USER, 0, 0, 0},
                                 {DPPAIR_ACROSS, DPPAIR_REPLACE_USER, 0, 1, 1},
                                 {DPPAIR_ACROSS, DPPAIR_ZERO_USER, 2, 0, 1},
                                 {DPPAIR_WITHIN, DPPAIR_REPLACE_ONE, 0, 1, 0},
                                 {DPPAIR_WITHIN, DPPAIR_ZERO_OUT, 0, 1, 1},
                                 {DPPAIR_WITHIN, DPPAIR_REPLACE_QUERY, 0, 0, 1},
                                 {DPPAIR_WITHIN, DPPAIR_ZERO_QUERY, 0, 1, 0},
                                 {DPPAIR_WITHIN, DPPAIR_ZERO_QUERY, 2, 0, 0},
                                 {(dppair_grouping)0, DPPAIR_REPLACE_ONE, 0, 1, 0},
                                 {(dppair_grouping)0, DPPAIR_ZERO_OUT, 0, 1, 1},
                                 {DPPAIR_ACROSS, DPPAIR_REPLACE_USER, 0, 1, 2},
                                 {DPPAIR_ACROSS, DPPAIR_ZERO_USER, 2, 0, 2},
                                 {(dppair_grouping)0, DPPAIR_REPLACE_ONE, 0, 1, 2}};
  const int steps = BRIEF ? 50 : getenv("FRONTIER") ? 20000 : 110;
  const double none[2] = {0, 0}, some[2] = {0.7, -2.1};
  const float far[2] = {2, 1};
  static double single_room[2][40000];
  dppair_fast analytic[2], pieces[2], singles[2];
  size_t k;
  (void)unused;
  assert_int_equal(log64_sums_init(&analytic[1], MOST, DPPAIR_ACCURACY_1E6, 1.5, NULL, sums_room,
                                   sizeof sums_room / 2),
                   DPPAIR_OK);
  assert_int_equal(square64_sums_init(&pieces[1], MOST, DPPAIR_ACCURACY_1E6, 1.5, NULL,
                                      sums_room + 40000, sizeof sums_room / 2),
                   DPPAIR_OK);
  assert_int_equal(log64_fast_init(&analytic[0], MOST, DPPAIR_ACCURACY_1E6, 1.5, NULL, fast_room,
                                   sizeof fast_room / 2),
                   DPPAIR_OK);
  assert_int_equal(square64_fast_init(&pieces[0], MOST, DPPAIR_ACCURACY_1E6, 1.5, NULL,
                                      fast_room + 20000, sizeof fast_room / 2),
                   DPPAIR_OK);
  assert_int_equal(log32_fast_init(&singles[0], MOST, DPPAIR_ACCURACY_1E6, 1.5, NULL,
                                   single_room[0], sizeof single_room[0]),
                   DPPAIR_OK);
  assert_int_equal(log32_sums_init(&singles[1], MOST, DPPAIR_ACCURACY_1E6, 1.5, NULL,
                                   single_room[1], sizeof single_room[1]),
                   DPPAIR_OK);
  for (k = 0; k < sizeof tries / sizeof *tries; k++) {
    const double flat = log64_climb(tries + k, none, steps, analytic);
    const double bent = log64_climb(tries + k, some, steps, analytic);
    const double square = square64_climb(tries + k, some, steps, pieces);
    const double single = log32_climb(tries + k, far, steps, singles);
    if (getenv("FRONTIER"))
      printf("%u %d: %.6f %.6f %.6f %.6f\n", (unsigned)tries[k].adjacency, (int)tries[k].relation,
             flat, bent, square, single);
    assert_true(flat > 0 && bent > 0 && square > 0 && single > 0);
  }
}

/* Users in chunks: the bits of one call over all of them, and the gradient of the loops but for
 * the error of the state and the `grid` of scores. Some have many records, and scores beyond the
 * cap. */
#define CHUNKS(name, accuracy, grid)                                                               \
  static void name##_users(int trial) {                                                          \
    static double x[MOST][D], given[MOST], sum_room[64], g[2][D];                                  \
    const double w[D] = {1.5, -0.5, 0.25};                                                         \
    const size_t users = 1 + below(trial % 3 ? 12 : 3), most = trial % 4 ? 9 : 180;              \
    dppair_fast fast;                                                                              \
    dppair_groups groups = {0, up, down, DPPAIR_ACROSS, MOST};                                     \
    dppair_options options = {NULL, 0, &fast, NULL, work, sizeof work, &groups};                         \
    dppair_sketch m;                                                                              \
    dppair_sum sum;                                                                                \
    void *moments;                                                                                 \
    size_t bytes, n[2] = {0, 0}, all[PERSONS][2], k, i, chunk;                                     \
    double size = 0, cap = trial % 5 ? 1.25 : 0.75;                                                \
    dppair_rows_f64 rows;                                                                          \
    int turn, side;                                                                                \
    assert_int_equal(                                                                              \
        name##_sums_init(&fast, MOST, accuracy, cap, NULL, sums_room, sizeof sums_room),           \
        DPPAIR_OK);                                                                                \
    for (k = 0; k < users; k++)                                                                  \
      for (side = 0; side < 2; side++) {                                                           \
        const size_t some = below(most), rest = MOST / 2 - n[side];                                \
        all[k][side] = some < rest ? some : rest;                                                  \
        n[side] += all[k][side];                                                                   \
      }                                                                                            \
    for (i = 0; i < MOST; i++) {                                                                   \
      given[i] = between(-0.1, 1.1);                                                               \
      for (k = 0; k < D; k++) x[i][k] = between(-0.5, 0.5);                                        \
    }                                                                                              \
    assert_int_equal(name##_sketch_workspace(&bytes, &fast), DPPAIR_OK);                          \
    moments = malloc(bytes);                                                                       \
    assert_non_null(moments);                                                                      \
    assert_int_equal(name##_sketch_open(&m, &fast, moments, bytes), DPPAIR_OK);                   \
    assert_int_equal(name##_sum_open(&sum, D, 1, &options, sum_room, sizeof sum_room), DPPAIR_OK);    \
    for (turn = 0; turn < 3; turn++) { /* moments, sums, all at once */                            \
      size_t from = 0, at[2] = {0, 0};                                                             \
      while (from < users) {                                                                     \
        static double rows_of[MOST][D], weight_of[MOST];                                           \
        size_t count[2] = {0, 0};                                                                  \
        chunk = turn == 2 ? users : 1 + below(users - from);                                   \
        up[0] = down[0] = 0;                                                                       \
        for (k = 0; k < chunk; k++) {                                                              \
          up[k + 1] = count[0] += all[from + k][0];                                                \
          down[k + 1] = count[1] += all[from + k][1];                                              \
        }                                                                                          \
        for (i = 0; i < count[0] + count[1]; i++) {                                                \
          const size_t of = i < count[0] ? at[0] + i : n[0] + at[1] + (i - count[0]);              \
          memcpy(rows_of[i], x[of], sizeof *x);                                                    \
          weight_of[i] = given[of];                                                                \
        }                                                                                          \
        rows = dppair_rows_make_f64(rows_of[0], count[0] + count[1], D, D);                        \
        rows.positives = count[0];                                                                 \
        rows.radius = 1;                                                                           \
        rows.weight = trial % 2 ? weight_of : NULL;                                                \
        groups.count = chunk;                                                                      \
        if (turn == 0)                                                                             \
          assert_int_equal(name##_chunk_sketch(&m, &rows, w, &options), DPPAIR_OK);                  \
        else if (turn == 1)                                                                        \
          assert_int_equal(name##_chunk_sum(&sum, &rows, w, &m, &options), DPPAIR_OK);                \
        from += chunk;                                                                             \
        at[0] += count[0];                                                                         \
        at[1] += count[1];                                                                         \
      }                                                                                            \
      if (turn == 0) assert_int_equal(name##_sketch_finish(&m, NULL, &fast), DPPAIR_OK);          \
    }                                                                                              \
    assert_int_equal(m.users, users);                                                          \
    assert_int_equal(sum.count, users);                                                          \
    assert_int_equal(dppair_sum_value(g[0], &sum), DPPAIR_OK);                                     \
    assert_int_equal(name##_gradient(g[1], &rows, w, &options), DPPAIR_OK);                           \
    assert_memory_equal(g[0], g[1], sizeof g[0]);                                                  \
    assert_int_equal(name##_chunk_sum(&sum, &rows, w, &m, &options), DPPAIR_ERR_SIZE); /* again */    \
    groups.relation = DPPAIR_WITHIN;                                                               \
    assert_int_equal(name##_chunk_sketch(&m, &rows, w, &options), DPPAIR_ERR_NO_PROOF);              \
    groups.relation = DPPAIR_ACROSS;                                                               \
    for (i = 0; i < rows.n; i++) { /* the loops know no cap */                                     \
      const double *v = rows.x + i * D, s = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];               \
      if (fabs(s) > cap) size = HUGE_VAL;                                                          \
    }                                                                                              \
    options.fast = NULL;                                                                              \
    assert_int_equal(name##_gradient(g[1], &rows, w, &options), DPPAIR_OK);                           \
    size += (double)(users * users) * ((grid) + 1e-10);                                        \
    for (k = 0; k < D; k++) assert_true(fabs(g[0][k] - g[1][k]) <= size);                          \
    free(moments);                                                                                 \
  }
CHUNKS(log64, DPPAIR_ACCURACY_1E12, 0)
CHUNKS(square64, DPPAIR_ACCURACY_1E6, 1e-3)

static void persons_in_chunks_have_the_bits_of_one_call(void **unused) {
  int trial;
  (void)unused;
  for (trial = 0; trial < (BRIEF ? 8 : 24); trial++) {
    log64_users(trial);
    square64_users(trial);
  }
}

/* Records with an x of length 1 along one axis, all of group k; at w = 0 slopes are -1/2. */
static void stand(data *d, size_t k, int positive, double x, size_t records) {
  for (; records > 0; records--) {
    record *r = d->of + d->n++;
    memset(r, 0, sizeof *r);
    r->group = k, r->positive = positive, r->x[0] = x, r->weight = 1;
  }
}

/* A user with three records against others with one or two, and a query of two records: 2 of 2.
 */
static void persons_and_queries_reach_their_bounds(void **unused) {
  const try_of user = {DPPAIR_ACROSS, DPPAIR_REPLACE_USER, 0, 0, 0};
  const try_of query = {DPPAIR_WITHIN, DPPAIR_REPLACE_QUERY, 0, 0, 0};
  const double none[2] = {0, 0};
  double a2[2], b2[2], s;
  data d, e;
  size_t k;
  (void)unused;
  memset(&d, 0, sizeof d);
  for (k = 1; k < GROUPS; k++) stand(&d, k, 0, -1, 1 + k % 2);
  e = d;
  stand(&d, 0, 1, 1, 3);
  stand(&e, 0, 1, -1, 1);
  assert_true(log64_of(a2, &s, &d, &user, none, GROUPS, NULL));
  assert_true(log64_of(b2, &s, &e, &user, none, GROUPS, NULL));
  assert_true(fabs(a2[0] - b2[0]) <= s && fabs(a2[0] - b2[0]) > s * (1 - 1e-9));
  assert_true(fabs(s - 1.0 / GROUPS) < 1e-9); /* u/U, u = 2 R s = 1 */
  d.n = e.n = 0;
  stand(&d, 0, 1, 1, 1), stand(&d, 0, 0, -1, 1);
  stand(&e, 0, 1, -1, 1), stand(&e, 0, 0, 1, 1);
  assert_true(log64_of(a2, &s, &d, &query, none, GROUPS, NULL));
  assert_true(log64_of(b2, &s, &e, &query, none, GROUPS, NULL));
  assert_true(fabs(a2[0] - b2[0]) <= s && fabs(a2[0] - b2[0]) > s * (1 - 1e-9));
}

/* What no row proves is refused, before a record is read. */
static void units_and_groups_that_do_not_fit_are_refused(void **unused) {
  static const struct {
    dppair_grouping relation; /* 0: no groups */
    dppair_adjacency adjacency;
    dppair_sampling_kind kind;
    dppair_status status;
  } tries[] = {{(dppair_grouping)0, DPPAIR_REPLACE_USER, DPPAIR_ALL, DPPAIR_ERR_ADJACENCY},
               {(dppair_grouping)0, DPPAIR_ZERO_QUERY, DPPAIR_ALL, DPPAIR_ERR_ADJACENCY},
               {DPPAIR_ACROSS, DPPAIR_REPLACE_ONE, DPPAIR_ALL, DPPAIR_ERR_ADJACENCY},
               {DPPAIR_ACROSS, DPPAIR_REPLACE_QUERY, DPPAIR_ALL, DPPAIR_ERR_ADJACENCY},
               {DPPAIR_WITHIN, DPPAIR_REPLACE_USER, DPPAIR_ALL, DPPAIR_ERR_NO_PROOF},
               {DPPAIR_WITHIN, DPPAIR_REPLACE_ONE, DPPAIR_POISSON, DPPAIR_ERR_NO_PROOF},
               {DPPAIR_ACROSS, DPPAIR_REPLACE_USER, DPPAIR_MATCHING, DPPAIR_ERR_NO_PROOF},
               {DPPAIR_ACROSS, DPPAIR_REPLACE_USER, DPPAIR_ALL, DPPAIR_OK},
               {DPPAIR_ACROSS, DPPAIR_ZERO_USER, DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_OK},
               {DPPAIR_WITHIN, DPPAIR_ZERO_QUERY, DPPAIR_POISSON, DPPAIR_OK},
               {DPPAIR_WITHIN, DPPAIR_REPLACE_ONE, DPPAIR_ALL, DPPAIR_OK}};
  static const size_t two[3] = {0, 2, 4}, back[3] = {0, 3, 2}, late[3] = {1, 2, 4};
  const dppair_bounds bounds = {1, 1, 0, 0, 0};
  const double x[8] = {0}, w[1] = {0}, many[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  double s, g[1];
  size_t k, bytes;
  (void)unused;
  for (k = 0; k < sizeof tries / sizeof *tries; k++) {
    const int records = dppair_adjacency_unit_(tries[k].adjacency) == DPPAIR_OF_RECORDS_;
    dppair_groups groups = {2, two, two, tries[k].relation, 0};
    dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, NULL};
    dppair_sampling sampling = dppair_sampling_all(records ? 8 : 2, tries[k].adjacency);
    if (tries[k].kind != DPPAIR_ALL) sampling.m = 2, sampling.kind = tries[k].kind;
    if (tries[k].relation) options.groups = &groups;
    assert_int_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), tries[k].status);
    assert_true((s > 0) == (tries[k].status == DPPAIR_OK));
    if (!tries[k].relation) continue;
    groups.count = 1; /* another number of groups, places that do not hold, a clip */
    if (tries[k].kind != DPPAIR_POISSON)
      assert_int_not_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), DPPAIR_OK);
    groups.count = 2;
    groups.positive = back;
    assert_int_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), DPPAIR_ERR_SIZE);
    groups.positive = late;
    assert_int_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), DPPAIR_ERR_SIZE);
    groups.positive = NULL;
    assert_int_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), DPPAIR_ERR_NULL);
    groups.positive = two;
    groups.most = 7;
    assert_int_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), DPPAIR_ERR_SIZE);
    groups.most = 0;
    options.clip = clip_of(dppair_clip_init, 1);
    assert_int_equal(plain64_sensitivity(&s, 1, &bounds, &sampling, &options), DPPAIR_ERR_NO_PROOF);
  }
  { /* gradients: an instance that has none of it; a clip; too little room */
    dppair_groups groups = {2, two, two, DPPAIR_ACROSS, 0};
    dppair_options options = {NULL, 0, NULL, NULL, work, sizeof work, &groups};
    dppair_rows_f64 rows = dppair_rows_make_f64(x, 8, 1, 1);
    rows.positives = 4;
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_OK);
    assert_int_equal(plain64_gradient(g, &rows, w, &options), DPPAIR_ERR_NO_PROOF);
    assert_int_equal(log64_weighted_coeffs(a, b, x, 4, x, 4, NULL, NULL), DPPAIR_ERR_NULL);
    assert_int_equal(log64_weighted_coeffs(a, b, x, 5, x, 3, NULL, &options), DPPAIR_ERR_SIZE);
    assert_int_equal(log64_workspace(&bytes, 8, 1, &options), DPPAIR_OK);
    options.bytes = bytes - 1;
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_ERR_WORKSPACE);
    options.bytes = sizeof work;
    options.clip = clip_of(dppair_clip_init, 1);
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_ERR_NO_PROOF);
    options.clip = NULL;
    rows.positives = 3;
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_ERR_SIZE);
    groups.relation = (dppair_grouping)3;
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_ERR_DOMAIN);
    options.groups = NULL;
    rows.weight = many;
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_OK);
    assert_int_equal(plain64_gradient(g, &rows, w, &options), DPPAIR_ERR_NO_PROOF);
    options.clip = clip_of(dppair_clip_init, 1);
    assert_int_equal(log64_gradient(g, &rows, w, &options), DPPAIR_ERR_NO_PROOF);
  }
}

/* Sums of pairs of the same form, each of two rows by itself. */
static void forms_are_those_of_plain_loops(void **unused) {
  static double x[40][D], w[D * D], g[D * D], one[D * D], sum[D * D], y[40], given[40], two[2][D];
  static double room[20000];
  int trial;
  size_t i, j, e;
  (void)unused;
  for (trial = 0; trial < (getenv("FRONTIER") ? 2000 : 24); trial++) {
    const dppair_form form = (dppair_form)(trial % 3);
    const size_t n = 2 + below(38), k = form == DPPAIR_FORM_FACTOR ? 2 : D, size = D * k;
    const int relation = trial / 3 % 3, weighted = relation != 2 || trial % 2;
    dppair_groups groups;
    dppair_options options = {NULL, 0, NULL, NULL, room, sizeof room, NULL}, alone = options;
    dppair_tasks parts = {1 + below(3), NULL, NULL};
    dppair_rows_f64 rows = dppair_rows_make_f64(x[0], n, D, D);
    size_t bytes;
    for (i = 0; i < n; i++) {
      for (e = 0; e < D; e++) x[i][e] = between(-0.6, 0.6);
      y[i] = (double)below(3), given[i] = between(-0.1, 1.1);
    }
    for (e = 0; e < size; e++) w[e] = between(-1, 1), sum[e] = 0;
    rows.y = y;
    rows.weight = weighted ? given : NULL;
    group(&groups, 1 + below(5), n, 0, trial % 4 == 1 ? 1 : trial % 4 == 3 ? 2 : 0);
    groups.negative = NULL;
    groups.relation = relation == 1 ? DPPAIR_ACROSS : DPPAIR_WITHIN;
    if (relation) options.groups = &groups;
    options.tasks = &parts;
    memcpy(share, given, n * sizeof *share);
    if (relation == 1) dppair_group_weights_(share, given, &groups, n); /* proved above */
    for (i = 0; i < n; i++)
      for (j = 0; j < i; j++) {
        const double a2[2] = {weighted ? dppair_share_(share[i]) : 1,
                              weighted ? dppair_share_(share[j]) : 1};
        const double labels[2] = {y[i], y[j]};
        const size_t q = group_of(up, i), m = up[q + 1] - up[q];
        dppair_rows_f64 pair = dppair_rows_make_f64(two[0], 2, D, D);
        if (relation && (q == group_of(up, j)) == (relation == 1)) continue;
        memcpy(two[0], x[i], sizeof two[0]), memcpy(two[1], x[j], sizeof two[1]);
        pair.y = labels;
        assert_int_equal(log64_form_gradient(one, form, &pair, w, k, 0.3, &alone), DPPAIR_OK);
        for (e = 0; e < size; e++)
          sum[e] += one[e] * a2[0] * a2[1] / (relation == 2 ? (double)m * ((double)m - 1) : 1);
      }
    assert_int_equal(log64_form_workspace(&bytes, n, D, k, &options), DPPAIR_OK);
    assert_true(bytes <= sizeof room);
    options.bytes = bytes;
    assert_int_equal(log64_form_gradient(g, form, &rows, w, k, 0.3, &options), DPPAIR_OK);
    for (e = 0; e < size; e++) assert_true(fabs(g[e] - sum[e]) < 1e-12);
    assert_int_equal(log64_form_risk_not_private(g, form, &rows, w, k, 0.3, &options),
                     DPPAIR_ERR_NO_PROOF);
    options.clip = clip_of(dppair_clip_init, 1);
    if (relation < 2)
      assert_int_equal(log64_form_gradient(g, form, &rows, w, k, 0.3, &options), DPPAIR_ERR_NO_PROOF);
  }
}

/* Users and queries of a form: another user or query, or none. */
static void forms_move_no_further_than_their_sensitivity(void **unused) {
  static double x[12][2], y[12], g[2][4], room[12000];
  const double w[4] = {0.4, -0.2, -0.2, 0.9}, norm = sqrt(1.05);
  const int trials = getenv("FRONTIER") ? 100000 : 400;
  double best = 0;
  int trial, side;
  size_t i, k;
  (void)unused;
  for (trial = 0; trial < trials; trial++) {
    const dppair_form form = trial % 2 ? DPPAIR_FORM_SIMILARITY : DPPAIR_FORM_METRIC;
    const int across = trial / 2 % 2, zero = trial / 4 % 2;
    const size_t which = below(3);
    const dppair_adjacency adjacency = across ? (zero ? DPPAIR_ZERO_USER : DPPAIR_REPLACE_USER)
                                              : (zero ? DPPAIR_ZERO_QUERY : DPPAIR_REPLACE_QUERY);
    const dppair_sampling s = dppair_sampling_all(3, adjacency);
    const dppair_bounds bounds = {1, norm, 0, 0.5, 0};
    dppair_groups groups = {3, up, NULL, across ? DPPAIR_ACROSS : DPPAIR_WITHIN, 12};
    dppair_options options = {NULL, 0, NULL, NULL, room, sizeof room, &groups};
    double limit, moved = 0;
    for (side = 0; side < 2; side++) {
      static double old[12][3];
      size_t n = 0, from = 0, kept[4];
      dppair_rows_f64 rows;
      memcpy(kept, up, sizeof kept);
      for (i = 0; i < 12; i++) old[i][0] = x[i][0], old[i][1] = x[i][1], old[i][2] = y[i];
      for (k = 0; k < 3; k++) {
        const size_t records = side && k != which ? kept[k + 1] - kept[k]
                               : side && zero     ? 0
                                                  : 1 + below(3);
        from = kept[k];
        for (i = 0; i < records; i++, n++) {
          const double angle = trial % 3 ? 1.5707963267948966 * (double)below(4) : between(0, 6.3);
          x[n][0] = cos(angle), x[n][1] = sin(angle), y[n] = (double)below(2);
          if (side && k != which) x[n][0] = old[from + i][0], x[n][1] = old[from + i][1];
          if (side && k != which) y[n] = old[from + i][2];
        }
        up[k + 1] = n;
      }
      up[0] = 0;
      rows = dppair_rows_make_f64(x[0], n, 2, 2);
      rows.y = y;
      rows.radius = 1.0000001;
      assert_int_equal(log64_form_gradient(g[side], form, &rows, w, 2, 0.5, &options), DPPAIR_OK);
      assert_int_equal(log64_form_sensitivity(&limit, form, 2, 2, &bounds, &s, &options), DPPAIR_OK);
    }
    for (i = 0; i < 4; i++) moved += (g[0][i] - g[1][i]) * (g[0][i] - g[1][i]);
    moved = sqrt(moved) / (across ? 6.0 : 3.0) / limit;
    assert_true(moved <= 1.0000003);
    best = moved > best ? moved : best;
  }
  assert_true(best > 0.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(coefficients_are_those_of_plain_loops),
      TEST(no_neighbour_moves_a_gradient_further_than_its_sensitivity),
      TEST(persons_in_chunks_have_the_bits_of_one_call),
      TEST(persons_and_queries_reach_their_bounds),
      TEST(units_and_groups_that_do_not_fit_are_refused),
      TEST(forms_are_those_of_plain_loops),
      TEST(forms_move_no_further_than_their_sensitivity),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
