/* SPDX-License-Identifier: MIT */
/* Sensitivities of users, owners, queries, groups and softmax, and records that are drawn while
 * users are protected: every data set of tiny universes, random ones for FRONTIER tries, exact
 * mixtures; what has no proof. */
#include "tests.h"

#include "dppair_allocation.h"
#include "dppair_accountant.h"
#include "dppair_contrast.h"
#include "questions.h"
#include "sensitivities.h"

static size_t tries(size_t otherwise) {
  const char *text = getenv("FRONTIER");
  return text != NULL ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

static void assert_near(double found, double bound) {
  assert_true(found <= bound * (1.0 + 1e-12) + 1e-300);
  assert_true(found >= bound * (1.0 - 1e-9));
}

/* ---- Pairs on a line: places t in [-1, 1], two labels, the pair unit 1 --------------------------
 */

typedef struct point {
  double t;
  int label;
} point;

typedef struct range {
  double low, high;
} range;

static double shortened(double x, double clip) {
  return clip > 0.0 && fabs(x) > clip ? (x > 0.0 ? clip : -clip) : x;
}

/* What the total of a pair can be along the line, whatever its slope, which is its own. */
static range total(const dppair_pair_unit *p, const point *a, const point *b) {
  range r = {0.0, 0.0};
  double v = 0.5 * p->unit * fabs(a->t - b->t);
  if (p->levels == DPPAIR_LEVELS_ANY) v = p->unit;
  if (p->levels == DPPAIR_LEVELS_TWO)
    v = a->label == b->label ? 0.0 : 0.5 * p->unit * (a->label ? b->t - a->t : a->t - b->t);
  v = shortened(v, p->clip);
  if (v > 0.0 || p->levels != DPPAIR_LEVELS_TWO) r.high = fabs(v);
  if (v < 0.0 || p->levels != DPPAIR_LEVELS_TWO) r.low = -fabs(v);
  return r;
}

/* The places where the proofs are attained: the ends, the middle, and those from which a positive
 * at one end is the clip away. */
static point kind_of(const dppair_pair_unit *p, size_t k) {
  const double clip = p->clip > 0.0 && p->clip < p->unit ? p->clip : p->unit;
  const double place[5] = {-1.0, 1.0, 0.0, 2.0 * clip - 1.0, 1.0 - 2.0 * clip};
  point x = {place[k % 5], k >= 5};
  if (fabs(x.t) > 1.0) x.t = 0.0;
  return x;
}

/* The next multiset of `size` kinds, as a falling word; 0 after the last. */
static int next_word(size_t *word, size_t size, size_t kinds) {
  size_t i = 0, j;
  while (i < size && word[i] + 1 == kinds) i++;
  if (i == size) return 0;
  word[i]++;
  for (j = 0; j < i; j++) word[j] = word[i];
  return 1;
}

/* The sum over the pairs that touch the k records: its largest and smallest value. */
static range touched(const dppair_pair_unit *p, const point *own, size_t k, const point *other,
                     size_t others, int inside) {
  range sum = {0.0, 0.0};
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < others; j++) {
      const range r = total(p, &own[i], &other[j]);
      sum.low += r.low, sum.high += r.high;
    }
    for (size_t j = 0; inside && j < i; j++) {
      const range r = total(p, &own[i], &own[j]);
      sum.low += r.low, sum.high += r.high;
    }
  }
  return sum;
}

/* The most that the sum over all pairs of n records moves with k of them: all multisets. */
static double exhaust(const dppair_pair_unit *p, size_t n, size_t k, int replaced, int inside) {
  const size_t kinds = p->levels == DPPAIR_LEVELS_TWO ? 10 : 3;
  size_t others[16] = {0}, own[16];
  double best = 0.0;
  do {
    point place[16], mine[16];
    double up = 0.0, down = 0.0;
    for (size_t i = 0; i < n - k; i++) place[i] = kind_of(p, others[i]);
    memset(own, 0, sizeof own);
    do {
      range r;
      for (size_t i = 0; i < k; i++) mine[i] = kind_of(p, own[i]);
      r = touched(p, mine, k, place, n - k, inside);
      if (r.high > up) up = r.high;
      if (-r.low > down) down = -r.low;
    } while (next_word(own, k, kinds));
    if (!replaced && down > up) up = down;
    if (replaced) up += down;
    if (up > best) best = up;
  } while (next_word(others, n - k, kinds));
  return best;
}

static const dppair_levels levels[] = {DPPAIR_LEVELS_TWO, DPPAIR_LEVELS_GENERAL, DPPAIR_LEVELS_ANY};
static const dppair_adjacency moves[] = {DPPAIR_REPLACE_USER, DPPAIR_ZERO_USER};

static dppair_pair_unit unit_of(dppair_levels level, double clip) {
  dppair_pair_unit p;
  memset(&p, 0, sizeof p);
  p.levels = level, p.unit = 1.0, p.clip = clip;
  return p;
}

static double users(dppair_pair_unit p, size_t n, size_t owned, dppair_adjacency adjacency) {
  double s;
  assert_int_equal(sensitivity_users(&s, &p, n, owned, adjacency), DPPAIR_OK);
  return s;
}

/* The sum's largest move for two levels: of the c and D - c by which a pair with an outsider moves
 * before and after, each has its own count. */
static double moved(const dppair_pair_unit *p, size_t n, size_t k, int zeroed) {
  const double c = dppair_pair_norm_(p), d = dppair_pair_move_(p);
  const size_t q = k < n / 2 ? k : n / 2;
  double best = 0.0;
  for (size_t r = 0; r <= k; r++) {
    const double value = (d - c) * (double)((n - k) * r) + c * (double)(r * (k - r));
    if (value > best) best = value;
  }
  return c * (double)(q * (n - q)) + (zeroed ? 0.0 : best);
}

static void every_person_of_a_tiny_universe_moves_as_far_as_is_said(void **state) {
  static const double clips[] = {0.0, 0.3, 0.5, 0.7, 1.0, 3.0};
  const size_t most = tries(6) > 1000 ? 8 : 6;
  (void)state;
  for (size_t l = 0; l < 3; l++)
    for (size_t c = 0; c < 6; c++)
      for (size_t n = 2; n <= most; n++)
        for (size_t k = 1; k <= n; k++)
          for (int zeroed = 0; zeroed < 2; zeroed++) {
            const dppair_pair_unit p = unit_of(levels[l], clips[c]);
            const double s = users(p, n, k, moves[zeroed]) * (double)(n * (n - 1));
            const double found = exhaust(&p, n, k, !zeroed, 1);
            assert_true(found <= s * (1.0 + 1e-12));
            if (!(clips[c] > 0.0 && clips[c] < 1.0) || levels[l] == DPPAIR_LEVELS_ANY)
              assert_near(found, s);
            /* clipped, two levels: what one pair cannot do on both sides is attained */
            if (levels[l] == DPPAIR_LEVELS_TWO) assert_near(found, moved(&p, n, k, zeroed));
          }
  { /* half of the unit, at three places: three clips, not two */
    const dppair_pair_unit p = unit_of(DPPAIR_LEVELS_GENERAL, 0.5);
    assert_near(exhaust(&p, 3, 2, 0, 1), 3.0 * 0.5);
    assert_near(users(p, 3, 2, DPPAIR_ZERO_USER), 3.0 * 0.5 / 6.0);
  }
}

static point random_point(void) {
  const double t = between(-1.3, 1.3);
  const point p = {t > 1.0 ? 1.0 : t < -1.0 ? -1.0 : t, uniform() < 0.5};
  return p;
}

static void random_persons_stay_within_the_bound(void **state) {
  double best = 0.0;
  (void)state;
  for (size_t i = 0; i < tries(500); i++) {
    const size_t n = 2 + below(7), k = 1 + below(n);
    const dppair_pair_unit p = unit_of(levels[below(2)], uniform() < 0.5 ? 0.0 : between(0.2, 1.2));
    const int zeroed = uniform() < 0.3;
    const double s = users(p, n, k, moves[zeroed]) * (double)(n * (n - 1));
    point other[8], old[8], now[8];
    double found = 0.0;
    for (size_t j = 0; j < 8; j++)
      other[j] = random_point(), old[j] = random_point(), now[j] = random_point();
    for (int climb = 0; climb < 40; climb++) { /* one point after the other, kept if no worse */
      point *const at = climb % 3 == 0   ? &other[below(8)]
                        : climb % 3 == 1 ? &old[below(8)]
                                         : &now[below(8)];
      const point before = *at;
      double move;
      *at = random_point();
      move = touched(&p, old, k, other, n - k, 1).high;
      if (!zeroed) move -= touched(&p, now, k, other, n - k, 1).low;
      if (move < found)
        *at = before;
      else
        found = move;
    }
    assert_true(found <= s * (1.0 + 1e-12));
    if (found / s > best) best = found / s;
  }
  assert_true(best > 0.9);
}

/* T(n, k) and its clipped form, over all q in integers and doubles. */
static void the_largest_cut_is_found_at_any_size(void **state) {
  (void)state;
  for (size_t n = 2; n <= 60; n++)
    for (size_t k = 1; k <= n; k++) {
      const size_t half = k < n / 2 ? k : n / 2;
      assert_true(dppair_owned_(n, k) == (double)(half * (n - half) + k * k / 4));
      for (int i = 0; i < 6; i++) {
        const double c = 1.0, d = 1.0 + 0.2 * i;
        double best = 0.0;
        for (size_t q = 0; q <= k; q++) {
          const size_t r = q < k / 2 ? q : k / 2;
          const double value = d * (double)((n - k) * q) + c * (double)(q * (k - q) + r * (k - r));
          if (value > best) best = value;
        }
        assert_near(dppair_owned_clipped_(c, d, n, k), best);
      }
    }
  /* squares that no integer holds */
  assert_near(users(unit_of(DPPAIR_LEVELS_TWO, 0.0), SIZE_MAX, 1, moves[0]),
              1.0 / (double)SIZE_MAX);
  assert_near(users(unit_of(DPPAIR_LEVELS_TWO, 0.0), SIZE_MAX, SIZE_MAX, moves[0]), 0.5);
  assert_near(users(unit_of(DPPAIR_LEVELS_TWO, 0.4), SIZE_MAX, SIZE_MAX / 2, moves[0]),
              0.4 * (2.0 * 0.25 + 1.0 / 16));
}

/* ---- User-weighted pairs -----------------------------------------------------------------------
 */

enum { RECORDS = 3 };
typedef struct user {
  point record[RECORDS];
  double weight[RECORDS];
} user;

/* Weights that sum to 1, or over each class to 1. `sole`: one record holds them all. */
static user random_person(int classes, int sole) {
  user p;
  for (int i = 0; i < RECORDS; i++) {
    p.record[i] = random_point();
    if (uniform() < 0.5) p.record[i].t = uniform() < 0.5 ? -1.0 : 1.0;
    p.weight[i] = sole && i > 0 && !(classes && i == 1) ? 0.0 : 0.01 + uniform();
  }
  if (classes) p.record[0].label = 0, p.record[1].label = 1;
  for (int label = classes ? 0 : -1; label <= (classes ? 1 : -1); label++) {
    double sum = 0.0;
    for (int i = 0; i < RECORDS; i++)
      if (label < 0 || p.record[i].label == label) sum += p.weight[i];
    for (int i = 0; i < RECORDS; i++)
      if (label < 0 || p.record[i].label == label) p.weight[i] /= sum;
  }
  return p;
}

static range block(const dppair_pair_unit *p, const user *a, const user *b) {
  range sum = {0.0, 0.0};
  for (int i = 0; i < RECORDS; i++)
    for (int j = 0; j < RECORDS; j++) {
      const range r = total(p, &a->record[i], &b->record[j]);
      sum.low += a->weight[i] * b->weight[j] * r.low;
      sum.high += a->weight[i] * b->weight[j] * r.high;
    }
  sum.low = shortened(sum.low, p->block), sum.high = shortened(sum.high, p->block);
  return sum;
}

static double weighted(const dppair_pair_unit *p, dppair_sampling s) {
  double found;
  assert_int_equal(dppair_sensitivity(&found, p, &s), DPPAIR_OK);
  return found;
}

static void weighted_persons_move_their_share_alone(void **state) {
  double best[2][3][2] = {{{0.0}}}; /* by classes, levels, and all or a batch */
  (void)state;
  for (size_t i = 0; i < tries(4000); i++) {
    const int classes = uniform() < 0.3, sole = uniform() < 0.7, zeroed = uniform() < 0.3;
    const size_t l = classes ? 0 : below(2), users = 2 + below(4);
    dppair_pair_unit p = unit_of(levels[l], uniform() < 0.4 ? between(0.2, 1.2) : 0.0);
    user a = random_person(classes, sole), now = random_person(classes, sole), other[4];
    double move = 0.0, joined = 0.0, b = (double)users - 1.0, s;
    p.classes = classes;
    if (uniform() < 0.3) p.block = between(0.1, 1.5);
    for (size_t j = 0; j + 1 < users; j++) {
      other[j] = random_person(classes, sole);
      move += block(&p, &a, &other[j]).high;
      if (!zeroed) move -= block(&p, &now, &other[j]).low;
      joined += block(&p, &a, &other[j]).high / b;
      for (size_t k = 0; k < j; k++)
        joined -= block(&p, &other[j], &other[k]).low / (b * (b - 1.0));
    }
    s = weighted(&p, dppair_sampling_all(users, moves[zeroed]));
    move /= (double)users * b;
    assert_true(move <= s * (1.0 + 1e-12));
    if (move / s > best[classes][l][0]) best[classes][l][0] = move / s;
    s = weighted(&p, dppair_sampling_poisson(1000, 50, moves[zeroed])) * 50.0;
    assert_true(joined <= s * (1.0 + 1e-12));
    if (joined / s > best[classes][l][1]) best[classes][l][1] = joined / s;
  }
  assert_true(best[0][0][0] > 1.0 - 1e-9 && best[0][1][0] > 1.0 - 1e-9);
  assert_true(best[0][0][1] > 1.0 - 1e-9 && best[0][1][1] > 1.0 - 1e-9);
  assert_true(best[1][0][0] > 0.9);
}

/* A positive at 1 and a negative at -1, each of weight 1, against another such user: both classes
 * move at once, twice as far as with weights of sum 1. */
static void weights_for_each_class_cost_twice(void **state) {
  dppair_pair_unit p = unit_of(DPPAIR_LEVELS_TWO, 0.0);
  user far, near;
  double s;
  (void)state;
  memset(&far, 0, sizeof far);
  far.weight[0] = far.weight[1] = 1.0;
  far.record[0].label = 1, far.record[0].t = 1.0, far.record[1].t = -1.0;
  near = far;
  near.record[0].t = -1.0, near.record[1].t = 1.0;
  assert_near(fabs(block(&p, &far, &far).low), 2.0);
  p.classes = 1;
  s = weighted(&p, dppair_sampling_all(2, DPPAIR_REPLACE_USER));
  assert_near((block(&p, &near, &far).high - block(&p, &far, &far).low) / 2.0, s);
  assert_near(s, 2.0 / 2.0);
  p.clip = 0.25;
  assert_near(weighted(&p, dppair_sampling_all(8, DPPAIR_REPLACE_USER)), 4.0 * 0.25 / 8.0);
  p.block = 0.25;
  assert_near(weighted(&p, dppair_sampling_all(8, DPPAIR_REPLACE_USER)), 2.0 * 0.25 / 8.0);
}

static void drawn_persons_cost_the_moves_of_a_batch(void **state) {
  const dppair_adjacency replaced = DPPAIR_REPLACE_USER, zeroed = DPPAIR_ZERO_USER;
  (void)state;
  for (size_t l = 0; l < 3; l++) {
    const dppair_pair_unit p = unit_of(levels[l], 0.0);
    const double kap = l == 0 ? 1.0 : 2.0, joined = l == 2 ? 1.5 : 1.0;
    assert_near(weighted(&p, dppair_sampling_without_replacement(100, 10, replaced)), kap / 10.0);
    assert_near(weighted(&p, dppair_sampling_with_replacement(100, 10, replaced)), kap / 10.0);
    assert_near(weighted(&p, dppair_sampling_poisson(100, 10, replaced)), joined / 10.0);
    assert_near(weighted(&p, dppair_sampling_poisson(100, 10, zeroed)), joined / 10.0);
    assert_near(weighted(&p, dppair_sampling_allocation(100, 8, 2, zeroed)), joined / 25.0);
    assert_near(weighted(&p, dppair_sampling_all(100, zeroed)), 1.0 / 100.0);
  }
  { /* one record a user: what a batch of records costs */
    const dppair_pair_unit ind = unit_of(DPPAIR_LEVELS_TWO, 0.3);
    double s;
    assert_int_equal(
        sensitivity_rank_minibatch(&s, DPPAIR_POISSON, FORM_IND, 0.5, 0.0, 1.0, 0.3, 10),
        DPPAIR_OK);
    assert_near(weighted(&ind, dppair_sampling_poisson(100, 10, zeroed)), s);
    assert_int_equal(sensitivity_rank_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, FORM_IND, 0.5, 0.0,
                                                1.0, 0.3, 10),
                     DPPAIR_OK);
    assert_near(weighted(&ind, dppair_sampling_without_replacement(100, 10, replaced)), s);
  }
}

/* ---- Items with owners -------------------------------------------------------------------------
 */

static void the_load_of_an_owner_bounds_what_his_items_move(void **state) {
  enum { ITEMS = 6, PERSONS = 4 };
  (void)state;
  for (size_t i = 0; i < tries(300); i++) {
    size_t first[ITEMS + 1] = {0}, owner[2 * ITEMS], whose = below(PERSONS);
    double weight[ITEMS], sum[PERSONS], load, s, moved = 0.0, most = 0.0;
    const int zeroed = uniform() < 0.5;
    for (size_t e = 0; e < ITEMS; e++) {
      const size_t a = below(PERSONS), b = below(PERSONS);
      first[e + 1] = first[e] + (a == b ? 1 : 2);
      owner[first[e]] = a, owner[first[e + 1] - 1] = b;
      weight[e] = uniform();
      if (a == whose || b == whose) moved += weight[e] * 0.7 * (zeroed ? 1.0 : 2.0);
    }
    assert_int_equal(dppair_owner_load(&load, sum, PERSONS, owner, first, weight, ITEMS),
                     DPPAIR_OK);
    for (size_t a = 0; a < PERSONS; a++) most = sum[a] > most ? sum[a] : most;
    assert_true(load == most);
    assert_int_equal(dppair_sensitivity_owners(&s, 0.7, load, DPPAIR_LIST_PUBLIC, moves[zeroed]),
                     DPPAIR_OK);
    assert_true(moved <= s * (1.0 + 1e-12));
    if (sum[whose] == load) assert_near(moved, s);
  }
  { /* whole and half weights are exact */
    const size_t first[4] = {0, 2, 4, 5}, owner[5] = {0, 1, 1, 2, 1};
    const double half[3] = {0.5, 0.25, 0.25};
    double load, sum[3];
    assert_int_equal(dppair_owner_load(&load, sum, 3, owner, first, NULL, 3), DPPAIR_OK);
    assert_true(load == 3.0);
    assert_int_equal(dppair_owner_load(&load, sum, 3, owner, first, half, 3), DPPAIR_OK);
    assert_true(load == 1.0);
    assert_int_equal(dppair_owner_load(&load, sum, 2, owner, first, half, 3), DPPAIR_ERR_SIZE);
    assert_true(load == 0.0 && sum[0] == 0.0 && sum[1] == 0.0);
  }
}

/* A user with d partners, each with one more item with an outsider: weights of 1 over the items
 * of the busier owner give load 1, but without the user d weights rise from 1/2 to 1. */
static void a_private_list_has_no_bound(void **state) {
  double s = 1.0;
  (void)state;
  for (int list = DPPAIR_LIST_PRIVATE; list <= DPPAIR_LIST_GREEDY; list++) {
    assert_int_equal(dppair_sensitivity_owners(&s, 1.0, 1.0, (dppair_owner_list)list, moves[0]),
                     DPPAIR_ERR_NO_PROOF);
    assert_true(s == 0.0);
  }
  for (size_t d = 2; d <= 8; d += 3) {
    double with = 0.0, without = 0.0;
    for (size_t i = 0; i < d; i++) with += 1.0 / 2.0, without += 1.0; /* the outsiders' items */
    assert_int_equal(dppair_sensitivity_owners(&s, 1.0, 1.0, DPPAIR_LIST_PUBLIC, moves[1]),
                     DPPAIR_OK);
    assert_true(d < 3 || without - with > s);
  }
}

/* ---- Queries -----------------------------------------------------------------------------------
 */

static double queries(const dppair_pair_unit *p, const dppair_queries *q, dppair_adjacency a) {
  double s;
  assert_int_equal(dppair_sensitivity_queries(&s, p, q, a), DPPAIR_OK);
  return s;
}

static void every_row_of_queries_is_attained(void **state) {
  static const size_t size[4] = {4, 2, 1, 5}, records[4] = {2, 1, 1, 0};
  static const double weight[4] = {0.3, 1.1, 5.0, 0.2};
  (void)state;
  for (size_t l = 0; l < 3; l++)
    for (int zeroed = 0; zeroed < 2; zeroed++)
      for (int own = 0; own < 2; own++) {
        const dppair_pair_unit p = unit_of(levels[l], 0.0);
        dppair_queries q = {4, size, own ? weight : NULL, NULL, 0.0, 0};
        double record = 0.0, owner = 0.0, query = 0.0;
        for (size_t i = 0; i < 4; i++) {
          const size_t m = size[i];
          const double w = own ? weight[i] : m > 1 ? 0.25 / (double)(m * (m - 1)) : 0.0;
          const double one = m > 1 ? w * exhaust(&p, m, 1, !zeroed, 1) : 0.0;
          const double all = m > 1 ? w * exhaust(&p, m, m, !zeroed, 1) : 0.0;
          record = one > record ? one : record, query = all > query ? all : query;
          if (m > 1 && records[i] > 0) owner += w * exhaust(&p, m, records[i], !zeroed, 1);
        }
        assert_near(record, queries(&p, &q, zeroed ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE));
        assert_near(query, queries(&p, &q, zeroed ? DPPAIR_ZERO_QUERY : DPPAIR_REPLACE_QUERY));
        q.records = records;
        assert_near(owner, queries(&p, &q, moves[zeroed]));
      }
  { /* a mean's record: the smallest query with a pair */
    const dppair_pair_unit p = unit_of(DPPAIR_LEVELS_TWO, 0.0);
    dppair_queries q = {4, size, NULL, NULL, 0.0, 0};
    assert_near(queries(&p, &q, DPPAIR_REPLACE_ONE), 1.0 / (4.0 * 2.0));
    q.clip = 0.1; /* each h_q: 2 clip/count, unless it moves less far */
    assert_near(queries(&p, &q, DPPAIR_REPLACE_ONE), 2.0 * 0.1 / 4.0);
    assert_near(queries(&p, &q, DPPAIR_ZERO_QUERY), 0.1 / 4.0);
  }
}

/* Queries of up to five records, totals free in [-1, 1]: what one record can do by coming, leaving,
 * or with its query. h is linear in each total, so the ends suffice. */
static void queries_of_private_size_move_as_far_as_is_said(void **state) {
  const dppair_pair_unit p = unit_of(DPPAIR_LEVELS_ANY, 0.0);
  dppair_queries q = {1, NULL, NULL, NULL, 0.0, 1};
  double leaves = 0.0, largest = 0.0;
  (void)state;
  for (unsigned m = 2; m <= 5; m++)
    for (unsigned long signs = 0; signs < 1ul << (m * (m - 1) / 2); signs++) {
      double with = 0.0, without = 0.0;
      unsigned bit = 0;
      for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < i; j++, bit++) {
          const double value = signs >> bit & 1 ? 1.0 : -1.0;
          with += value;
          if (i != m - 1) without += value; /* the last one leaves */
        }
      with /= m * (m - 1.0);
      without = m > 2 ? without / ((m - 1.0) * (m - 2.0)) : 0.0;
      if (fabs(with - without) > leaves) leaves = fabs(with - without);
      if (fabs(with) > largest) largest = fabs(with);
    }
  assert_near(2.0 * leaves, queries(&p, &q, DPPAIR_REPLACE_ONE));
  assert_near(leaves, queries(&p, &q, DPPAIR_ZERO_OUT));
  q.clip = 0.1;
  assert_near(queries(&p, &q, DPPAIR_REPLACE_ONE), 4.0 * 0.1);
  q.clip = 0.0, q.moving = 0;
  assert_near(2.0 * largest, queries(&p, &q, DPPAIR_REPLACE_QUERY));
  assert_near(largest, queries(&p, &q, DPPAIR_ZERO_QUERY));
  q.clip = 0.1, q.count = 7;
  assert_near(queries(&p, &q, DPPAIR_REPLACE_QUERY), 2.0 * 0.1 / 7.0);
  assert_near(queries(&p, &q, DPPAIR_ZERO_QUERY), 0.1 / 7.0);
}

static void queries_that_the_table_has_not_are_refused(void **state) {
  static const size_t size[2] = {3, 4}, records[2] = {4, 1}, single[2] = {1, 0};
  static const double weight[2] = {1.0, 1.0};
  const dppair_pair_unit p = unit_of(DPPAIR_LEVELS_TWO, 0.0);
  const dppair_queries none = {2, NULL, NULL, NULL, 0.0, 0};
  dppair_queries q = none;
  double s = 1.0;
  (void)state;
#define REFUSED(adjacency, status)                                                                 \
  assert_int_equal(dppair_sensitivity_queries(&s, &p, &q, adjacency), status), assert_true(s == 0.0)
  REFUSED(DPPAIR_REPLACE_ONE, DPPAIR_ERR_NO_PROOF);    /* it stays, in a query of private size */
  REFUSED(DPPAIR_REPLACE_USER, DPPAIR_ERR_NO_PROOF); /* a user and private sizes */
  q.weight = weight;
  REFUSED(DPPAIR_REPLACE_QUERY, DPPAIR_ERR_NO_PROOF); /* weights and private sizes */
  q.size = size, q.clip = 1.0;
  REFUSED(DPPAIR_REPLACE_QUERY, DPPAIR_ERR_NO_PROOF); /* clipped, but no mean */
  q = none, q.size = size, q.moving = 1;
  REFUSED(DPPAIR_REPLACE_ONE, DPPAIR_ERR_NO_PROOF); /* public sizes that change */
  REFUSED(DPPAIR_REPLACE_QUERY, DPPAIR_ERR_UNREAD);
  q.moving = 0, q.records = records;
  REFUSED(DPPAIR_REPLACE_USER, DPPAIR_ERR_SIZE); /* more records than there are */
  REFUSED(DPPAIR_REPLACE_ONE, DPPAIR_ERR_UNREAD);
  q.records = NULL;
  REFUSED(DPPAIR_REPLACE_USER, DPPAIR_ERR_NULL);
  q.size = single;
  REFUSED(DPPAIR_REPLACE_ONE, DPPAIR_ERR_SIZE); /* no pair */
  for (int i = 0; i < 4; i++) {
    const double bad[4] = {-1.0, (double)NAN, 1e200, 1e-200}, given[2] = {1.0, bad[i]};
    q.size = size, q.weight = given;
    REFUSED(DPPAIR_REPLACE_ONE, i == 1 ? DPPAIR_ERR_NOT_FINITE : DPPAIR_ERR_DOMAIN);
  }
  q = none, q.count = 0;
  REFUSED(DPPAIR_REPLACE_QUERY, DPPAIR_ERR_SIZE);
}

/* ---- Groups and softmax ------------------------------------------------------------------------
 */

/* delta of a mixture of N(v, 1) against another, by the trapezoid rule. */
static double divergence(const double *p, const double *v, const double *q, const double *w,
                         size_t count, double epsilon) {
  double sum = 0.0;
  const double h = 2e-3, t = exp(epsilon);
  for (double x = -14.0; x <= 14.0; x += h) {
    double f = 0.0;
    for (size_t i = 0; i < count; i++)
      f += p[i] * exp(-0.5 * (x - v[i]) * (x - v[i])) -
           t * q[i] * exp(-0.5 * (x - w[i]) * (x - w[i]));
    if (f > 0.0) sum += f;
  }
  return sum * h * 0.3989422804014327;
}

static double charged(const dppair_step *step, double epsilon) {
  dppair_accountant a;
  dppair_interval delta;
  size_t bytes;
  void *work;
  assert_int_equal(dppair_composer_workspace(&bytes, NULL), DPPAIR_OK);
  work = malloc(bytes);
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_step(&a, step), DPPAIR_OK);
  assert_int_equal(certify_delta(&delta, &a, epsilon, work, bytes), DPPAIR_OK);
  free(work);
  return delta.upper;
}

static void zeroing_a_drawn_group_costs_as_much_as_replacing_it(void **state) {
  const dppair_sampling drawn = dppair_sampling_groups(100, 3, 3, DPPAIR_ZERO_OUT);
  const dppair_sampling every = dppair_sampling_groups(99, 99, 3, DPPAIR_ZERO_OUT);
  const double p[2] = {0.97, 0.03};
  dppair_step step;
  double s, true_delta;
  /* any group of others gives -clip, the record's +clip, and 0 when it is null */
  const double v[2] = {-0.5, 0.5}, w[2] = {-0.5, 0.0};
  (void)state;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_GAUSSIAN, step.steps = 1;
  step.sampling = dppair_sampling_groups(100, 3, 3, DPPAIR_REPLACE_ONE);
  for (int dropped = 0; dropped < 2; dropped++) {
    assert_int_equal(dppair_sensitivity_groups(&s, 1.0, &drawn, dropped), DPPAIR_OK);
    assert_near(s, 2.0); /* one group, of clip 1 */
    assert_int_equal(dppair_sensitivity_groups(&s, 1.0, &every, dropped), DPPAIR_OK);
    assert_near(s, (dropped ? 1.0 : 2.0) / 33.0);
  }
  step.noise_multiplier = 1.0; /* sigma = 2 clip */
  true_delta = divergence(p, v, p, w, 2, 0.2);
  assert_true(fabs(true_delta - 1.65e-4) < 0.01e-4);
  assert_true(true_delta <= charged(&step, 0.2) * (1.0 + 1e-6));
  step.noise_multiplier = 2.0;
  assert_true(charged(&step, 0.2) < true_delta / 100.0); /* what half the move would claim */
}

/* b groups of g of n records, each drawn by itself: where those of one record turn around, the
 * mixture over its hits is the charge. */
static void groups_drawn_by_themselves_are_hit_as_often_as_is_said(void **state) {
  static const double epsilon[] = {0.1, 0.5, 1.5};
  dppair_step step;
  (void)state;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_PAIRS, step.steps = 1, step.noise_multiplier = 2.0;
  step.sampling = dppair_sampling_with_replacement(5, 2, DPPAIR_REPLACE_ONE);
  step.sampling.group = 3;
  for (int i = 0; i < 3; i++) { /* K ~ Bin(2, 3/5), 2 clips a hit */
    const double p[3] = {0.16, 0.48, 0.36}, v[3] = {0.0, 1.0, 2.0}, w[3] = {0.0, 0.0, 0.0};
    const double found = charged(&step, epsilon[i]), exact = divergence(p, v, p, w, 3, epsilon[i]);
    double sum = 0.0, delta;
    for (int k = 1; k < 3; k++) {
      assert_int_equal(dppair_gaussian_delta(&delta, log1p(expm1(epsilon[i]) / 0.84), v[k]),
                       DPPAIR_OK);
      sum += p[k] * delta;
    }
    assert_true(exact <= found * (1.0 + 1e-6) && found <= sum * (1.0 + 1e-9) && found >= sum);
  }
  step.sampling.group = 2;
  assert_true(charged(&step, 0.5) < charged(&step, 0.4)); /* pairs, as ever */
  step.sampling.group = 6;
  {
    dppair_accountant a;
    assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
    assert_int_equal(dppair_accountant_step(&a, &step), DPPAIR_ERR_SIZE);
    step.sampling.group = 3, step.kind = DPPAIR_SAMPLED_GAUSSIAN; /* records, not groups */
    assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
    assert_int_equal(dppair_accountant_step(&a, &step), DPPAIR_ERR_UNREAD);
  }
}

static void groups_cost_the_clip_of_their_kind(void **state) {
  double s;
  dppair_sampling g = dppair_sampling_groups(1000, 40, 4, DPPAIR_REPLACE_ONE);
  (void)state;
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 0), DPPAIR_OK);
  assert_near(s, 2.0 * 0.5 * 4.0 / 40.0);
  g = dppair_sampling_matching(1000, 40, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 0), DPPAIR_OK);
  assert_near(s, 4.0 * 0.5 / 40.0);
  g = dppair_sampling_poisson(1000, 40, DPPAIR_ZERO_OUT);
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 1), DPPAIR_OK);
  assert_near(s, 0.5);
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 0), DPPAIR_ERR_ADJACENCY);
  assert_true(s == 0.0);
  g = dppair_sampling_without_replacement(1000, 40, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 1), DPPAIR_ERR_NO_PROOF);
  g = dppair_sampling_groups(1000, 40, 3, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 0), DPPAIR_ERR_RATE);
  g = dppair_sampling_groups(1000, 40, 0, DPPAIR_REPLACE_ONE); /* not pairs */
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 0), DPPAIR_ERR_RATE);
  g = dppair_sampling_groups(1000, 40, 4, DPPAIR_REPLACE_USER);
  assert_int_equal(dppair_sensitivity_groups(&s, 0.5, &g, 0), DPPAIR_ERR_ADJACENCY);
}

enum { ANCHORS = 5 };
/* Similarities and their gradients on a line; the sum of gradients over the anchors below b, row
 * and column `without` left out. */
typedef struct similar {
  double s[ANCHORS][ANCHORS], g[ANCHORS][ANCHORS];
} similar;

static double softmax_sum(const similar *x, int b, int without) {
  double sum = 0.0;
  for (int i = 0; i < b; i++) {
    double total_ = 0.0, mean = 0.0;
    if (i == without) continue;
    for (int j = 0; j < b; j++) {
      if (j == without) continue;
      total_ += exp(x->s[i][j]), mean += exp(x->s[i][j]) * x->g[i][j];
    }
    sum += mean / total_ - x->g[i][i];
  }
  return sum;
}

static void softmax_moves_as_far_as_is_said(void **state) {
  double attained = 0.0, left = 0.0, s, least;
  (void)state;
  for (size_t i = 0; i < tries(3000) + 20; i++) {
    const int b = 2 + (int)below(ANCHORS - 1), extreme = i < 20 || uniform() < 0.3;
    const double tau = extreme ? 1.0 : between(0.3, 3.0), clip = 0.7;
    similar x, y;
    for (int r = 0; r < b; r++)
      for (int c = 0; c < b; c++) {
        x.s[r][c] = extreme ? ((r == 0) != (c == 0) ? 1.0 : -1.0) : between(-1.0, 1.0) / tau;
        x.g[r][c] = extreme ? ((r == 0) != (c == 0) ? clip : -clip) : between(-clip, clip);
      }
    if (!extreme && uniform() < 0.5)
      for (int k = 0; k < 25; k++) ((double *)x.g)[k] = uniform() < 0.5 ? clip : -clip;
    y = x;
    for (int r = 0; r < b; r++)
      for (int c = 0; c < b; c++) /* row and column 0 are replaced */
        if (r == 0 || c == 0) {
          y.g[r][c] = extreme ? -x.g[r][c] : between(-clip, clip);
          y.s[r][c] = extreme ? x.s[r][c] : between(-1.0, 1.0) / tau;
        }
    assert_int_equal(dppair_sensitivity_softmax(&s, clip, tau, (size_t)b, DPPAIR_REPLACE_ONE),
                     DPPAIR_OK);
    least = fabs(softmax_sum(&x, b, -1) - softmax_sum(&y, b, -1)) / s;
    assert_true(least <= 1.0 + 1e-12);
    if (least > attained) attained = least;
    assert_int_equal(dppair_sensitivity_softmax(&s, clip, tau, (size_t)b, DPPAIR_ZERO_OUT),
                     DPPAIR_OK);
    least = fabs(softmax_sum(&x, b, -1) - softmax_sum(&x, b, 0)) / s;
    assert_true(least <= 1.0 + 1e-12);
    if (least > left) left = least;
  }
  assert_true(attained > 1.0 - 1e-9 && left > 1.0 - 1e-9);
  assert_int_equal(dppair_sensitivity_softmax(&s, 0.5, 1.0, 0, DPPAIR_REPLACE_ONE), DPPAIR_OK);
  assert_near(s, 0.5 * (4.0 + 2.0 * exp(2.0)));
  assert_int_equal(dppair_sensitivity_softmax(&s, 0.5, 1.0, 0, DPPAIR_ZERO_OUT), DPPAIR_OK);
  assert_near(s, 0.5 * (2.0 + 2.0 * exp(2.0)));
  assert_int_equal(dppair_sensitivity_softmax(&s, 1.0, 1e-90, 11, DPPAIR_REPLACE_ONE), DPPAIR_OK);
  assert_near(s, 4.0 + 20.0); /* a temperature near 0: all that the gradients can be */
  assert_int_equal(dppair_sensitivity_softmax(&s, 1.0, 1e-90, 0, DPPAIR_REPLACE_ONE),
                   DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_sensitivity_softmax(&s, 1.0, 0.0, 4, DPPAIR_REPLACE_ONE),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_sensitivity_softmax(&s, 1.0, 1.0, 1, DPPAIR_REPLACE_ONE),
                   DPPAIR_ERR_SIZE);
  assert_true(s == 0.0);
  assert_int_equal(dppair_sensitivity_softmax(&s, -1.0, 1.0, 4, DPPAIR_REPLACE_ONE),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_sensitivity_softmax(&s, 1.0, 1.0, 4, DPPAIR_REPLACE_USER),
                   DPPAIR_ERR_ADJACENCY);
  assert_true(s == 0.0);
}

/* ---- Records are drawn, users are protected ---------------------------------------------------
 */

static dppair_step drawn_records(size_t n, size_t m, size_t owned, double z, size_t steps) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_GAUSSIAN, step.steps = steps, step.noise_multiplier = z;
  step.sampling = dppair_sampling_without_replacement(n, m, DPPAIR_REPLACE_USER);
  step.sampling.owned = owned;
  return step;
}

/* P(j of the owned ones are among m of n), by products of quotients near 1. */
static double chance(size_t n, size_t owned, size_t m, size_t j) {
  double p = 1.0;
  for (size_t i = 0; i < owned; i++) /* the drawn ones first; the rest are not drawn */
    p *= i < j ? (double)(m - i) / (double)(n - i) * (double)(owned - i) / (double)(i + 1)
               : (double)(n - m - (i - j)) / (double)(n - i);
  return p;
}

static void a_drawn_person_is_hit_as_the_formula_says(void **state) {
  static const struct {
    size_t n, m, owned;
    double z, epsilon;
  } cases[] = {{10, 4, 3, 1.0, 0.5},        {6, 2, 4, 0.7, 1.0},      {1000, 50, 10, 2.0, 0.3},
               {100000, 500, 40, 3.0, 0.1}, {200, 20, 180, 9.0, 0.5}, {5000, 4999, 1, 3.0, 0.2}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const size_t n = cases[i].n, m = cases[i].m, k = cases[i].owned;
    const dppair_step step = drawn_records(n, m, k, cases[i].z, 1);
    const double gamma = 1.0 - chance(n, k, m, 0), excess = exp(cases[i].epsilon) - 1.0;
    double sum = 0.0, found = charged(&step, cases[i].epsilon);
    for (size_t j = 1; j <= k && j <= m; j++) {
      const double shift = dppair_owned_(m, j) / (double)(m - 1) / cases[i].z;
      double delta;
      if (chance(n, k, m, j) < 1e-200) break;
      assert_int_equal(dppair_gaussian_delta(&delta, log1p(excess / gamma), shift), DPPAIR_OK);
      sum += chance(n, k, m, j) * delta;
    }
    assert_true(found >= sum * (1.0 - 1e-10));
    assert_true(found <= sum * (1.0 + 1e-4)); /* at most 64 numbers of hits */
  }
  { /* one record each: the law of records, to the bit */
    dppair_step one = drawn_records(10000, 300, 1, 2.5, 40);
    const double owner = charged(&one, 0.7);
    one.sampling = dppair_sampling_without_replacement(10000, 300, DPPAIR_REPLACE_ONE);
    assert_true(owner == charged(&one, 0.7));
  }
}

/* All m of n records of a line, one of two labels, slope 1: two mixtures, which the charge covers.
 */
static void every_sample_of_a_tiny_universe_is_covered(void **state) {
  double best = 0.0;
  (void)state;
  for (size_t i = 0; i < tries(60); i++) {
    const size_t n = 3 + below(4), owned = 1 + below(n - 2), m = 2 + below(n - owned - 1);
    const double z = between(0.4, 2.0), epsilon = between(0.05, 1.0), unit = 2.0;
    const dppair_pair_unit pair = {DPPAIR_LEVELS_TWO, unit, 0.0, 0.0, 0, 0};
    const int alike = uniform() < 0.5; /* the others are one, the user's two of a kind */
    point side[2][6];
    double p[64], v[2][64], s, sigma, found;
    dppair_step step = drawn_records(n, m, owned, z, 1);
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
      for (int k = 0; k < 2; k++)
        side[k][j] = kind_of(&pair, below(3) == 1 ? below(10) : below(2) * 6);
    if (alike)
      for (size_t j = 0; j < n; j++)
        for (int k = 0; k < 2; k++)
          side[k][j].label = j < owned, side[k][j].t = j < owned ? 1.0 - 2.0 * k : 0.0;
    for (size_t j = owned; j < n; j++) side[1][j] = side[0][j];
    assert_int_equal(dppair_sensitivity(&s, &pair, &step.sampling), DPPAIR_OK);
    assert_near(s, unit / (double)m);
    sigma = z * s;
    for (unsigned set = 0; set < 1u << n; set++) {
      size_t size = 0;
      for (size_t j = 0; j < n; j++) size += set >> j & 1;
      if (size != m) continue;
      for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        for (size_t a = 0; a < n; a++)
          for (size_t b = 0; b < n; b++) /* a positive, b negative */
            if ((set >> a & 1) && (set >> b & 1) && side[k][a].label && !side[k][b].label)
              sum += side[k][b].t - side[k][a].t;
        v[k][count] = sum / (double)(m * (m - 1)) / sigma;
      }
      count++;
    }
    for (size_t j = 0; j < count; j++) p[j] = 1.0 / (double)count;
    found = divergence(p, v[0], p, v[1], count, epsilon);
    s = charged(&step, epsilon);
    assert_true(found <= s * (1.0 + 1e-5) + 1e-9);
    if (s > 1e-6 && found / s > best) best = found / s;
  }
  assert_true(best > 0.8);
}

static void batches_of_records_know_what_they_divide(void **state) {
  dppair_sampling s = dppair_sampling_without_replacement(1000, 20, DPPAIR_REPLACE_USER);
  double found;
  (void)state;
  for (size_t owned = 1; owned <= 980; owned += owned < 40 ? 1 : 94)
    for (size_t l = 0; l < 3; l++)
      for (int clipped = 0; clipped < 4; clipped++) {
        const dppair_pair_unit p = unit_of(levels[l], clipped * 0.4);
        s.owned = owned;
        assert_int_equal(dppair_sensitivity(&found, &p, &s), DPPAIR_OK);
        for (size_t j = 1; j <= owned && j <= 20; j++) { /* what j replaced records move */
          const double counted = found * dppair_owned_(20, j) / 19.0;
          assert_true(users(p, 20, j, DPPAIR_REPLACE_USER) <= counted * (1.0 + 1e-12));
        }
        if (owned <= 2) assert_near(found, users(p, 20, 1, DPPAIR_REPLACE_USER));
        assert_true(found <= 1.2361 * users(p, 20, 1, DPPAIR_REPLACE_USER));
      }
}

static void persons_without_a_proof_are_refused(void **state) {
  const dppair_pair_unit pair = unit_of(DPPAIR_LEVELS_TWO, 0.0);
  dppair_step step = drawn_records(100, 10, 91, 1.0, 1);
  dppair_accountant a;
  double s;
  (void)state;
#define ANSWER(status)                                                                             \
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);                                         \
  assert_int_equal(dppair_accountant_step(&a, &step), status);                                     \
  assert_int_equal(dppair_sensitivity(&s, &pair, &step.sampling), status)
  ANSWER(DPPAIR_ERR_NO_PROOF); /* fewer others than a batch takes */
  step.sampling.owned = 90;
  ANSWER(DPPAIR_OK);
  step.sampling.adjacency = DPPAIR_ZERO_USER;
  ANSWER(DPPAIR_ERR_ADJACENCY);
  step.sampling.adjacency = DPPAIR_REPLACE_ONE;
  ANSWER(DPPAIR_ERR_UNREAD);
  step = drawn_records(100, 1, 5, 1.0, 1);
  ANSWER(DPPAIR_ERR_SIZE);
  step = drawn_records(100, 10, 5, 1.0, 1);
  step.sampling.kind = DPPAIR_POISSON;
  assert_int_equal(dppair_accountant_init(&a), DPPAIR_OK);
  assert_int_equal(dppair_accountant_step(&a, &step), DPPAIR_ERR_UNREAD);
  { /* many records: not a hundred times one of them, nor the rate of one */
    double one;
    step = drawn_records(1000000, 10000, 100, 5.0, 100);
    s = charged(&step, 2.0);
    step.sampling.owned = 1;
    one = charged(&step, 2.0);
    assert_true(s > 1e3 * one && s < 1.0);
  }
}

static void what_is_no_pair_unit_is_refused(void **state) {
  dppair_pair_unit p = unit_of(DPPAIR_LEVELS_TWO, 0.0);
  const dppair_sampling s = dppair_sampling_all(10, DPPAIR_REPLACE_USER);
  double found = 1.0;
  (void)state;
#define USERS(n, k, adjacency, status)                                                             \
  assert_int_equal(sensitivity_users(&found, &p, n, k, adjacency), status);                        \
  assert_true(found == 0.0)
  assert_int_equal(sensitivity_users(&found, &p, 10, 0, DPPAIR_REPLACE_USER), DPPAIR_OK);
  assert_near(found, 0.1); /* ten users then, not ten records */
  USERS(10, 11, DPPAIR_REPLACE_USER, DPPAIR_ERR_SIZE);
  USERS(1, 1, DPPAIR_REPLACE_USER, DPPAIR_ERR_SIZE);
  USERS(10, 1, DPPAIR_REPLACE_ONE, DPPAIR_ERR_UNREAD); /* records own nothing */
  USERS(10, 1, DPPAIR_ZERO_QUERY, DPPAIR_ERR_UNREAD);
  USERS(10, 1, (dppair_adjacency)16, DPPAIR_ERR_ADJACENCY);
  p.unit = 0.0;
  USERS(10, 3, DPPAIR_REPLACE_USER, DPPAIR_OK); /* nothing moves */
  p.unit = HUGE_VAL;
  USERS(10, 3, DPPAIR_REPLACE_USER, DPPAIR_ERR_NO_PROOF);
  p.unit = (double)NAN;
  USERS(10, 3, DPPAIR_REPLACE_USER, DPPAIR_ERR_NOT_FINITE);
  p.unit = -1.0;
  USERS(10, 3, DPPAIR_REPLACE_USER, DPPAIR_ERR_DOMAIN);
  p.unit = 1.0, p.block = 1.0;
  USERS(10, 3, DPPAIR_REPLACE_USER, DPPAIR_ERR_UNREAD);
  p.block = 0.0, p.classes = 1;
  USERS(10, 3, DPPAIR_REPLACE_USER, DPPAIR_ERR_UNREAD);
  p.levels = DPPAIR_LEVELS_GENERAL;
  assert_int_equal(dppair_sensitivity(&found, &p, &s), DPPAIR_ERR_NO_PROOF);
  p.classes = 0, p.levels = (dppair_levels)5;
  assert_int_equal(dppair_sensitivity(&found, &p, &s), DPPAIR_ERR_DOMAIN);
  p = unit_of(DPPAIR_LEVELS_ANY, 0.5);
  assert_int_equal(dppair_sensitivity(&found, &p, NULL), DPPAIR_ERR_NULL);
  p.unit = HUGE_VAL;
  assert_near(users(p, 10, 2, DPPAIR_ZERO_USER), 0.5 * 17.0 / 90.0);
  {
    const dppair_sampling bad[] = {dppair_sampling_all(1, DPPAIR_REPLACE_USER),
                                   dppair_sampling_all(10, DPPAIR_REPLACE_QUERY),
                                   dppair_sampling_without_replacement(10, 5, DPPAIR_ZERO_USER),
                                   dppair_sampling_matching(10, 4, DPPAIR_REPLACE_USER)};
    static const dppair_status status[] = {DPPAIR_ERR_SIZE, DPPAIR_ERR_ADJACENCY,
                                           DPPAIR_ERR_ADJACENCY, DPPAIR_ERR_NO_PROOF};
    for (size_t i = 0; i < 4; i++) {
      assert_int_equal(dppair_sensitivity(&found, &p, &bad[i]), status[i]);
      assert_true(found == 0.0);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_person_of_a_tiny_universe_moves_as_far_as_is_said),
      TEST(random_persons_stay_within_the_bound),
      TEST(the_largest_cut_is_found_at_any_size),
      TEST(weighted_persons_move_their_share_alone),
      TEST(weights_for_each_class_cost_twice),
      TEST(drawn_persons_cost_the_moves_of_a_batch),
      TEST(the_load_of_an_owner_bounds_what_his_items_move),
      TEST(a_private_list_has_no_bound),
      TEST(every_row_of_queries_is_attained),
      TEST(queries_of_private_size_move_as_far_as_is_said),
      TEST(queries_that_the_table_has_not_are_refused),
      TEST(zeroing_a_drawn_group_costs_as_much_as_replacing_it),
      TEST(groups_drawn_by_themselves_are_hit_as_often_as_is_said),
      TEST(groups_cost_the_clip_of_their_kind),
      TEST(softmax_moves_as_far_as_is_said),
      TEST(a_drawn_person_is_hit_as_the_formula_says),
      TEST(every_sample_of_a_tiny_universe_is_covered),
      TEST(batches_of_records_know_what_they_divide),
      TEST(persons_without_a_proof_are_refused),
      TEST(what_is_no_pair_unit_is_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
