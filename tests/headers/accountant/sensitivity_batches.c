/* SPDX-License-Identifier: MIT */
/* Sensitivities that depend on who is drawn, counted or clipped: all batches and data sets of tiny
 * universes, extreme values of the pairs, both adjacencies; what is refused. */
#include "dppair_allocation.h"
#include "accountant_common.h"
#include "dppair_iterates.h"
#include "sensitivities.h"

/* ---- Mini-batches of ranking pairs -------------------------------------------------------------
 * Records on a line: t in [-1, 1] times the radius, a label, and per form the coefficients that the
 * slopes allow, 0 or s for either order. */

typedef struct point {
  double t;
  int label; /* 0 .. levels - 1 */
} point;

typedef struct batch_case {
  rank_form form;
  double radius, label_bound, slope, clip;
  int levels;
} batch_case;

/* The pair's total along the line at a slope of s; a slope of 0 gives 0, others lie between. */
static double total(const batch_case *c, const point *a, const point *b) {
  const double d = c->radius * (a->t - b->t);
  const double order = a->label > b->label ? 1.0 : a->label < b->label ? -1.0 : 0.0;
  double one, orders = 2.0;
  switch (c->form) {
  case FORM_DIFF: /* labels spread over [-Y, Y] */
    one = c->slope * d * c->label_bound * 2.0 * (a->label - b->label) / (c->levels - 1);
    break;
  case FORM_IND:
  case FORM_IND_LEVELS:
    one = order * c->slope * d;
    orders = 1.0;
    break;
  case FORM_REGRESSION: /* residuals of either sign, see widen */
    one = c->slope * d;
    break;
  default:
    one = order * c->slope * d;
  }
  if (c->clip > 0.0 && fabs(one) > c->clip) one = one > 0.0 ? c->clip : -c->clip;
  return orders * one;
}

/* The largest and the smallest value of a sum of totals whose slopes are free in [0, s]. */
typedef struct range {
  double low, high;
} range;

static void widen(range *r, const batch_case *c, const point *a, const point *b, double weight) {
  const double value = weight * total(c, a, b);
  if (value > 0.0 || c->form == FORM_REGRESSION) r->high += fabs(value);
  if (value < 0.0 || c->form == FORM_REGRESSION) r->low -= fabs(value);
}

/* Batches of up to 5 records from points at -1, 0, 1 with every label; record 0 joins the others,
 * or leaves them (Poisson), or is replaced (m of them, fixed). Slopes are free, pair by pair. */
static void exhaust(const batch_case *c, double *poisson, double *replaced, double *matched) {
  const int kinds = 3 * c->levels;
  point kind[16];
  for (int k = 0; k < kinds; k++) {
    kind[k].t = k % 3 - 1;
    kind[k].label = k / 3;
  }
  *poisson = *replaced = *matched = 0.0;
  for (int b = 0; b <= 4; b++) { /* the others */
    long codes = 1;
    for (int i = 0; i < b; i++) codes *= kinds;
    for (long code = 0; code < codes; code++) {
      point other[4];
      long rest = code;
      for (int i = 0; i < b; i++, rest /= kinds) other[i] = kind[rest % kinds];
      for (int a = 0; a < kinds; a++) {
        range joined = {0, 0};
        /* m times the move when `a` joins: f/b - S/(b(b-1)); statistic 0 below two records */
        for (int i = 0; i < b; i++) {
          widen(&joined, c, &kind[a], &other[i], 1.0 / b);
          for (int j = 0; b > 1 && j < i; j++)
            widen(&joined, c, &other[i], &other[j], -1.0 / (b * (b - 1.0)));
        }
        *poisson = fmax(*poisson, fmax(joined.high, -joined.low));
        for (int e = 0; e < kinds && b > 0; e++) { /* a becomes e; m = b + 1 records */
          range moved = {0, 0}, pair = {0, 0};
          for (int i = 0; i < b; i++) {
            widen(&moved, c, &kind[a], &other[i], 1.0 / b);
            widen(&moved, c, &kind[e], &other[i], -1.0 / b);
          }
          *replaced = fmax(*replaced, fmax(moved.high, -moved.low)); /* times m */
          widen(&pair, c, &kind[a], &other[0], 2.0);
          widen(&pair, c, &kind[e], &other[0], -2.0);
          *matched = fmax(*matched, fmax(pair.high, -pair.low));
        }
      }
    }
  }
}

static void a_batch_of_ranking_pairs_costs_as_much_as_any_pairs(void **state) {
  static const double clips[] = {0.0, 0.1, 0.5, 0.9, 1.3, 1.9, 2.5, 9.0};
  (void)state;
  for (int form = FORM_DIFF; form <= FORM_REGRESSION; form++)
    for (int levels = 2; levels <= (FEWER(100) < 100 ? 2 : 3); levels++)
      for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        const int bipartite = form == FORM_IND || form == FORM_SIGN;
        const double y = form == FORM_DIFF ? 0.7 : 0.0;
        const batch_case c = {(rank_form)form, 1.0, y, 1.0, clips[i], levels};
        double poisson, replaced, matched, s;
        if (levels > 2 && bipartite) continue; /* two levels only */
        exhaust(&c, &poisson, &replaced, &matched);
        for (size_t m = 2; m <= 12; m += 5) {
          const double size = (double)m;
          assert_ok(sensitivity_rank_minibatch(&s, DPPAIR_POISSON, c.form, 1, y, 1, c.clip, m));
          assert_at_most(poisson / size, s);
          if (bipartite || (levels == 3 && c.clip <= 0.0)) assert_close(poisson / size, s, 1e-13);
          if (form == FORM_REGRESSION) continue; /* replaced: by its links' own forms */
          assert_ok(sensitivity_rank_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, c.form, 1, y, 1,
                                               c.clip, m));
          assert_at_most(replaced / size, s);
          if (bipartite) assert_close(replaced / size, s, 1e-13);
          if (m % 2 != 0) continue;
          assert_ok(sensitivity_rank_minibatch(&s, DPPAIR_MATCHING, c.form, 1, y, 1, c.clip, m));
          assert_at_most(matched / size, s);
          if (bipartite) assert_close(matched / size, s, 1e-13);
        }
      }
}

/* Two levels, any scorer: pairs of vectors of norm C in the plane, all batches of up to 12 records
 * by their counts, and the closed form of the move with all pairs of the batch alike. */
static void bipartite_batches_of_any_scorer_stay_within_their_sensitivity(void **state) {
  double s, r, worst = 0.0;
  (void)state;
  assert_ok(
      sensitivity_rank_minibatch(&s, DPPAIR_POISSON, FORM_IND, HUGE_VAL, 0, HUGE_VAL, 0.3, 7));
  assert_close(s, 0.3 / 7, 1e-13);
  for (int p = 0; p <= 40; p++)
    for (int q = 0; q <= 40; q++) { /* a positive joins p positives and q negatives */
      const double b = p + q;
      const double before = b > 1 ? p * q * 0.3 / (7 * (b - 1)) : 0.0;
      const double after = b > 0 ? (p * q * 0.3 - q * 0.3) / (7 * b) : 0.0;
      assert_at_most(fabs(before - after), s);
      worst = fmax(worst, fabs(before - after));
    }
  assert_close(worst, s, 1e-13);
  assert_ok(sensitivity_rank_minibatch(&r, DPPAIR_POISSON, FORM_SIGN, HUGE_VAL, 0, 1, 0.3, 7));
  assert_close(r, 2 * s, 1e-13); /* both orders of a pair, each clipped */
  /* a third of what any pairs cost, and half without replacement */
  assert_ok(sensitivity_minibatch(&r, DPPAIR_POISSON, 0.3, 7));
  assert_close(r, 3 * s, 1e-13);
  assert_ok(
      sensitivity_rank_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, FORM_IND, HUGE_VAL, 0, 1, 0.3, 7));
  assert_close(s, 0.6 / 7, 1e-13);
  assert_ok(
      sensitivity_rank_minibatch(&r, DPPAIR_WITH_REPLACEMENT, FORM_IND, HUGE_VAL, 0, 1, 0.3, 7));
  assert_true(r >= s && r <= s);
  assert_ok(sensitivity_rank(&r, FORM_IND, HUGE_VAL, 0, 1, 0.3, 7));
  assert_true(r >= s && r <= s);
}

/* The table in the header: every form and sampling, unclipped and clipped, r = 1/2, s = 3, Y = 2,
 * C = 1/4, m = 8. */
static void every_batch_of_a_tiny_universe_stays_within_the_table(void **state) {
  static const struct {
    rank_form form;
    double poisson[2], drawn[2], matching[2];
  } row[] = {{FORM_DIFF, {24, 0.75}, {24, 1}, {48, 2}},
             {FORM_IND, {3, 0.25}, {3, 0.5}, {6, 1}},
             {FORM_IND_LEVELS, {3, 0.375}, {6, 0.5}, {12, 1}},
             {FORM_SIGN, {6, 0.5}, {6, 1}, {12, 2}},
             {FORM_SIGN_LEVELS, {6, 0.75}, {12, 1}, {24, 2}},
             {FORM_REGRESSION, {6, 0.75}, {6, 1}, {12, 2}}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    for (int clipped = 0; clipped < 2; clipped++) {
      const double y = row[i].form == FORM_DIFF ? 2.0 : 0.0, clip = clipped ? 0.25 : 0.0;
      double s;
      assert_ok(sensitivity_rank_minibatch(&s, DPPAIR_POISSON, row[i].form, 0.5, y, 3, clip, 8));
      assert_close(s, row[i].poisson[clipped] / 8, 1e-13);
      assert_ok(sensitivity_rank_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, row[i].form, 0.5, y, 3,
                                           clip, 8));
      assert_close(s, row[i].drawn[clipped] / 8, 1e-13);
      assert_ok(sensitivity_rank(&s, row[i].form, 0.5, y, 3, clip, 8));
      assert_close(s, row[i].drawn[clipped] / 8, 1e-13);
      assert_ok(sensitivity_rank_minibatch(&s, DPPAIR_MATCHING, row[i].form, 0.5, y, 3, clip, 8));
      assert_close(s, row[i].matching[clipped] / 8, 1e-13);
    }
}

static void batches_without_a_proof_are_refused(void **state) {
  double s;
  (void)state;
#define BATCH(kind, form, radius, y, slope, clip, m, status)                                       \
  s = 7.0;                                                                                         \
  assert_int_equal(sensitivity_rank_minibatch(&s, kind, form, radius, y, slope, clip, m), status); \
  assert_true(s == 0.0)
  BATCH(DPPAIR_WITHOUT_REPLACEMENT, FORM_IND, 1, 0, 1, 0, 1, DPPAIR_ERR_SIZE);
  BATCH(DPPAIR_POISSON, FORM_IND, 1, 0, 1, 0, 0, DPPAIR_ERR_RATE);
  BATCH(DPPAIR_ALL, FORM_IND, 1, 0, 1, 0, 1, DPPAIR_ERR_SIZE);
  BATCH((dppair_sampling_kind)9, FORM_IND, 1, 0, 1, 0, 5, DPPAIR_ERR_NO_PROOF);
  BATCH(DPPAIR_MATCHING, FORM_IND, 1, 0, 1, 0, 5, DPPAIR_ERR_RATE);
  BATCH(DPPAIR_POISSON, (rank_form)0, 1, 0, 1, 0, 5, DPPAIR_ERR_DOMAIN);
  BATCH(DPPAIR_POISSON, FORM_IND, HUGE_VAL, 0, 1, 0, 5, DPPAIR_ERR_NO_PROOF);
  BATCH(DPPAIR_POISSON, FORM_IND, 1, 0, HUGE_VAL, 0, 5, DPPAIR_ERR_NO_PROOF);
  BATCH(DPPAIR_POISSON, FORM_IND, TEST_NAN, 0, 1, 1, 5, DPPAIR_ERR_NOT_FINITE);
  BATCH(DPPAIR_POISSON, FORM_IND, 1, 0, TEST_NAN, 1, 5, DPPAIR_ERR_NOT_FINITE);
  BATCH(DPPAIR_POISSON, FORM_IND, 1, 0, 1, TEST_NAN, 5, DPPAIR_ERR_NOT_FINITE);
  BATCH(DPPAIR_POISSON, FORM_IND, 1, 0, 1, TEST_INF, 5, DPPAIR_ERR_NOT_FINITE);
  BATCH(DPPAIR_POISSON, FORM_IND, 1, 0, 1, -1, 5, DPPAIR_ERR_DOMAIN);
  BATCH(DPPAIR_POISSON, FORM_IND, -TEST_INF, 0, 1, 1, 5, DPPAIR_ERR_NOT_FINITE);
  BATCH(DPPAIR_POISSON, FORM_IND, 1e100, 0, 1e100, 0, 5, DPPAIR_ERR_DOMAIN);
  BATCH(DPPAIR_POISSON, FORM_IND, 1e200, 0, 1e200, 0, 5, DPPAIR_ERR_NO_PROOF); /* infinite */
  BATCH(DPPAIR_POISSON, FORM_DIFF, 1, TEST_NAN, 1, 0, 5, DPPAIR_ERR_NOT_FINITE);
#undef BATCH
  assert_int_equal(sensitivity_rank_minibatch(NULL, DPPAIR_POISSON, FORM_IND, 1, 0, 1, 0, 5),
                   DPPAIR_ERR_NULL);
}

/* Labels 0 .. 4 in 'diff' weigh four times as much as labels -1 and 1 do. */
static void diff_takes_any_labels_for_one(void **state) {
  double s, t;
  (void)state;
  assert_ok(sensitivity_rank(&s, FORM_DIFF, 1, 1, 1, 0, 100));
  assert_close(s, 0.08, 1e-13);
  assert_ok(sensitivity_rank(&t, FORM_DIFF, 1, 4, 1, 0, 100));
  assert_close(t, 4 * s, 1e-13);
  /* a label bound of 0: nothing moves, and no account is charged a step that moves nothing */
  assert_ok(sensitivity_rank(&t, FORM_DIFF, 1, 0, 1, 0, 100));
  assert_true(t == 0.0);
  {
    dppair_accountant a;
    assert_ok(dppair_accountant_init(&a));
    assert_int_equal(dppair_accountant_gaussian(&a, t, 1.0, 1), DPPAIR_ERR_SENSITIVITY);
  }
}

/* ---- Clipped records ---------------------------------------------------------------------------
 */

static double held(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

/* n records on a line, record 0's pairs are +-1 and vanish with it; the sum of the other pairs of a
 * record is anything in +-(n-2). */
static void zeroing_a_record_turns_no_clipped_term_around(void **state) {
  double most = 0.0;
  (void)state;
  for (int n = 3; n <= 8; n++)
    for (int i = 1; i <= 60; i++) {
      const double limit = 0.02 * i;
      double s, other = 0.0, moved;
      for (int own = -1; own <= 1; own += 2)
        for (int k = -400; k <= 400; k++) {
          const double rest = (n - 2.0) * k / 400.0;
          other =
              fmax(other, fabs(held((rest + own) / (n - 1), limit) - held(rest / (n - 1), limit)));
        }
      moved = (fmin(1.0, limit) + (n - 1) * other) / n;
      assert_ok(dppair_sensitivity_record_clip(&s, limit, 1, (size_t)n, DPPAIR_ZERO_OUT));
      assert_at_most(moved, s);
      most = fmax(most, moved / s);
    }
  assert_true(most > 0.99);
  { /* pairs that are not clipped: every other term may turn around */
    double s;
    assert_ok(dppair_sensitivity_record_clip(&s, 1, 0, 100, DPPAIR_ZERO_OUT));
    assert_close(s, (1.0 + 99 * 2.0) / 100, 1e-13);
    assert_ok(dppair_sensitivity_record_clip(&s, 1, 0, 100, DPPAIR_REPLACE_ONE));
    assert_close(s, 2.0, 1e-13);
  }
}

/* ---- Numbers that are none ---------------------------------------------------------------------
 */

static dppair_status asked(int which, double *s, double a, double b, double c, double d, size_t n) {
  dppair_uas u;
  double failure;
  size_t hits;
  memset(&u, 0, sizeof u);
  u.n = n;
  u.steps = 10;
  u.loss = DPPAIR_UAS_RANKING;
  u.eta = a;
  u.lipschitz = b;
  u.diameter = c;
  u.pair_clip = d;
  switch (which) {
  case 0:
    return sensitivity_rank(s, FORM_DIFF, a, b, c, d, n);
  case 1:
    return sensitivity_rank_minibatch(s, DPPAIR_POISSON, FORM_DIFF, a, b, c, d, n);
  case 2:
    return dppair_sensitivity_metric(s, a, b, c + d, n, DPPAIR_ZERO_OUT);
  case 3:
    return sensitivity_mean(s, a + b + c + d, n, DPPAIR_ZERO_OUT);
  case 4:
    return dppair_sensitivity_record_clip(s, a, b + c + d, n, DPPAIR_ZERO_OUT);
  case 5:
    return sensitivity_last(s, a, 0.1 * b, 2 * b, 0.01 * (c + d), n - 1);
  case 6:
    return sensitivity_average(s, a, 2 * b, 0.01 * (c + d), n - 1);
  case 7:
    return dppair_uas_hits_(s, &u, 2);
  case 8:
    return dppair_sensitivity_uas_quantile(s, &failure, &hits, &u, 0.01);
  default:
    return dppair_uas_sigma(s, &u, 1.0, 0.01);
  }
}

static void arguments_that_are_no_numbers_are_refused_everywhere(void **state) {
  const double bad[] = {TEST_NAN, TEST_INF, -TEST_INF, -1.0};
  double s;
  (void)state;
  for (int which = 0; which < 10; which++) {
    assert_ok(asked(which, &s, 1, 1, 1, 1, 50));
    assert_true(s > 0.0 && dppair_isfinite_f64(s));
    for (int place = 0; place < 4; place++)
      for (int i = 0; i < 4; i++) {
        double x[4] = {1, 1, 1, 1};
        /* with a clip a margin without bound is a scorer of any kind */
        if (which < 2 && i == 1 && place < 3) continue;
        /* (arguments that are added up here: no other can make up for it) */
        x[place] = i == 3 && which >= 2 && which <= 6 ? -100.0 : bad[i];
        s = 3.0;
        assert_true(asked(which, &s, x[0], x[1], x[2], x[3], 50) != DPPAIR_OK);
        assert_true(s == 0.0);
      }
    for (size_t n = 0; n < 2; n++) {
      if (which == 5 || which == 6) continue; /* steps there */
      if (which == 1) continue;               /* one is expected there, more may come */
      s = 3.0;
      assert_int_equal(asked(which, &s, 1, 1, 1, 1, n), DPPAIR_ERR_SIZE);
      assert_true(s == 0.0);
    }
    if (which != 9) { /* absurd sizes have answers, or say that they are */
      const dppair_status status = asked(which, &s, 1, 1, 1, 1, SIZE_MAX);
      assert_true(status == DPPAIR_OK ? s > 0.0 && dppair_isfinite_f64(s) : s == 0.0);
    }
  }
  { /* 10^9 hits of every record: refused, not counted one by one */
    dppair_uas u;
    memset(&u, 0, sizeof u);
    u.n = 2;
    u.steps = SIZE_MAX / 4;
    u.loss = DPPAIR_UAS_CONVEX;
    u.eta = u.lipschitz = 1e-9;
    assert_int_equal(dppair_uas_sigma(&s, &u, 1, 1e-5), DPPAIR_ERR_OVERFLOW);
    assert_true(s == 0.0);
    assert_int_equal(dppair_uas_delta_(&s, &u, 1, 1), DPPAIR_ERR_OVERFLOW);
  }
}

/* Tiny factors: their product would be 0, and a release without noise would be the result. */
static void a_product_below_the_normal_numbers_is_free(void **unused) {
  dppair_uas u = {0};
  const size_t indices[2] = {0, 1};
  double s = 1.0, work[64];
  (void)unused;
  assert_int_equal(dppair_sensitivity_metric(&s, 1e-163, 1e300, 1.0, 10, DPPAIR_REPLACE_ONE),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(sensitivity_rank(&s, FORM_IND, 1e-100, 0, 1e-100, 0, 10), DPPAIR_ERR_DOMAIN);
  assert_int_equal(sensitivity_rank(&s, FORM_DIFF, 1.0, 1e-200, 1.0, 0, 10), DPPAIR_ERR_DOMAIN);
  assert_int_equal(sensitivity_minimiser(&s, 4e-303, 1e100, 0.0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(sensitivity_last(&s, 4e-203, 0.0, 1e-200, 1e-200, 3), DPPAIR_ERR_DOMAIN);
  u.n = 4;
  u.steps = 2;
  u.loss = DPPAIR_UAS_RANKING;
  u.eta = u.lipschitz = 1e-200;
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, indices, 2, 1.0, work, sizeof work),
                   DPPAIR_ERR_DOMAIN);
  assert_true(s == 0.0);
  /* at the ends of what is taken, nothing is lost */
  assert_int_equal(dppair_sensitivity_metric(&s, 1e-90, 1e-90, 0.0, 10, DPPAIR_REPLACE_ONE),
                   DPPAIR_OK);
  assert_true(s >= 0.8e-270 && s <= 0.8000001e-270);
}

/* The same constants from a pair's total: what one text says, the other says. An allocated batch of
 * n/T expected records moves like a Poisson one of as many. */
static void a_pair_s_total_says_what_its_loss_says(void **state) {
  static const struct {
    rank_form form;
    dppair_levels levels;
    double orders; /* of which a total consists */
  } row[] = {{FORM_IND, DPPAIR_LEVELS_TWO, 1},
             {FORM_IND_LEVELS, DPPAIR_LEVELS_GENERAL, 1},
             {FORM_SIGN, DPPAIR_LEVELS_TWO, 2},
             {FORM_SIGN_LEVELS, DPPAIR_LEVELS_GENERAL, 2}};
  static const dppair_sampling_kind kinds[] = {DPPAIR_POISSON, DPPAIR_WITHOUT_REPLACEMENT,
                                               DPPAIR_WITH_REPLACEMENT, DPPAIR_MATCHING};
  size_t i, k;
  int clipped;
  (void)state;
  for (i = 0; i < 4; i++)
    for (clipped = 0; clipped < 6; clipped++)
      for (k = 0; k < 4; k++) {
        const double clip = 0.5 * clipped, radius = 0.75, slope = 1.5;
        dppair_pair_unit pair = {DPPAIR_LEVELS_TWO, 0, 0, 0, 0, 0};
        dppair_sampling s = test_sampling(kinds[k], DPPAIR_REPLACE_ONE, 0, 40, 8);
        double a, b;
        pair.levels = row[i].levels;
        pair.unit = row[i].orders * 2.0 * radius * slope;
        pair.clip = row[i].orders * clip;
        if (sensitivity_rank_minibatch(&a, kinds[k], row[i].form, radius, 0.0, slope, clip, 8) !=
            DPPAIR_OK)
          fail();
        assert_ok(dppair_sensitivity(&b, &pair, &s));
        assert_close(b, a, 1e-14);
        if (k > 0) continue;
        s.adjacency = DPPAIR_ZERO_OUT; /* when a record joins, in both relations */
        assert_ok(dppair_sensitivity(&a, &pair, &s));
        assert_true(a == b);
        s = dppair_sampling_allocation(40, 5, 1, DPPAIR_ZERO_OUT);
        assert_ok(dppair_sensitivity(&a, &pair, &s));
        assert_true(a == b);
        s = dppair_sampling_allocation(40, 10, 2, DPPAIR_REPLACE_ONE);
        assert_ok(dppair_sensitivity(&a, &pair, &s));
        assert_true(a == b);
      }
  for (k = 0; k < 4; k++) { /* a total that is none, or has a bound that only users have */
    const dppair_sampling s = test_sampling(kinds[k], DPPAIR_REPLACE_ONE, 0, 40, 8);
    dppair_pair_unit pair = {DPPAIR_LEVELS_TWO, 1, -1, 0, 0, 0};
    double a = 7;
    assert_int_equal(dppair_sensitivity(&a, &pair, &s), DPPAIR_ERR_DOMAIN);
    assert_true(a == 0);
    pair.clip = 0, pair.block = 1;
    assert_int_equal(dppair_sensitivity(&a, &pair, &s), DPPAIR_ERR_UNREAD);
    pair.block = 0, pair.unit = HUGE_VAL;
    assert_int_equal(dppair_sensitivity(&a, &pair, &s), DPPAIR_ERR_NO_PROOF);
    assert_int_equal(dppair_sensitivity(&a, NULL, &s), DPPAIR_ERR_NULL);
  }
}

/* All matchings of the records [from, n) with coins, one left single: their sums, ordered. */
typedef struct matchings {
  double sum[64];
  size_t count;
} matchings;

static void match_all(matchings *m, double t[8][8], unsigned left, int single, double sum) {
  int i, j;
  for (i = 0; i < 8 && !(left >> i & 1u); i++) {
  }
  if (i == 8) {
    size_t k = m->count++;
    for (; k > 0 && m->sum[k - 1] > sum; k--) m->sum[k] = m->sum[k - 1];
    m->sum[k] = sum;
    return;
  }
  left &= ~(1u << i);
  if (single) match_all(m, t, left, 0, sum);
  for (j = i + 1; j < 8; j++)
    if (left >> j & 1u) match_all(m, t, left & ~(1u << j), single, sum + t[i][j]);
}

/* Of a batch that is put into pairs, over this constant, under either relation. */
static dppair_status matched(double *s, const dppair_pair_unit *pair, dppair_sampling_kind kind,
                             double divisor) {
  dppair_pair_unit p = *pair;
  dppair_sampling draw = kind == DPPAIR_ALLOCATION
                             ? dppair_sampling_allocation(40, 10, 2, DPPAIR_ZERO_OUT)
                             : drawn_of(kind, 8);
  dppair_status status;
  double zeroed;
  p.matched = divisor;
  draw.adjacency = DPPAIR_ZERO_OUT;
  status = dppair_sensitivity(&zeroed, &p, &draw);
  draw.adjacency = DPPAIR_REPLACE_ONE;
  assert_int_equal(dppair_sensitivity(s, &p, &draw), status);
  assert_true(*s == zeroed);
  return status;
}

/* Uniform matchings of a batch and of the batch with one record more: in the best coupling of both
 * sums, ordered against ordered, they lie apart by at most D, and by more than the clip. */
static void a_matched_batch_exchanges_a_pair(void **state) {
  const dppair_pair_unit clipped = {DPPAIR_LEVELS_TWO, 2, 0.75, 0, 0, 0};
  const dppair_pair_unit free_pair = {DPPAIR_LEVELS_TWO, 2, 0, 0, 0, 0};
  double most[2] = {0, 0}, s;
  uint64_t random = 9;
  int round, which, n, i, j;
  (void)state;
  for (round = 0; round < FEWER(4000); round++) {
    double x[8], t[8][8];
    int label[8];
    for (i = 0; i < 8; i++) {
      random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      x[i] = (double)(random >> 62) / 1.5 - 1.0;
      label[i] = (int)(random >> 40 & 1);
    }
    for (which = 0; which < 2; which++)
      for (n = 1; n < 6; n++) {
        matchings few, more;
        size_t k, steps;
        for (i = 0; i < 8; i++)
          for (j = 0; j < 8; j++) {
            t[i][j] = label[i] == label[j] ? 0.0 : (label[i] ? x[j] - x[i] : x[i] - x[j]);
            if (which == 0 && t[i][j] > 0.75) t[i][j] = 0.75;
            if (which == 0 && t[i][j] < -0.75) t[i][j] = -0.75;
          }
        few.count = more.count = 0;
        match_all(&few, t, (1u << n) - 1u, n % 2, 0.0);
        match_all(&more, t, (1u << (n + 1)) - 1u, (n + 1) % 2, 0.0);
        steps = few.count * more.count; /* quantiles at which neither law changes */
        for (k = 0; k < steps; k++) {
          const double move = fabs(few.sum[k / more.count] - more.sum[k / few.count]);
          if (move > most[which]) most[which] = move;
        }
      }
  }
  assert_ok(matched(&s, &clipped, DPPAIR_ALLOCATION, 1.0));
  assert_close(s, 1.5, 1e-14);
  assert_at_most(most[0], s);
  assert_true(most[0] > 0.75); /* more than one pair is worth */
  assert_ok(matched(&s, &free_pair, DPPAIR_POISSON, 0.5));
  assert_close(s, 4.0, 1e-14);
  assert_at_most(most[1], 0.5 * s);
  assert_int_equal(matched(&s, &free_pair, DPPAIR_MATCHING, 1), DPPAIR_ERR_UNREAD);
  assert_int_equal(matched(&s, &free_pair, DPPAIR_ALL, 1), DPPAIR_ERR_UNREAD);
  assert_int_equal(matched(&s, &free_pair, DPPAIR_POISSON, -1), DPPAIR_ERR_DOMAIN);
  assert_int_equal(matched(&s, &free_pair, DPPAIR_POISSON, TEST_NAN), DPPAIR_ERR_NOT_FINITE);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_pair_s_total_says_what_its_loss_says),
      TEST(a_matched_batch_exchanges_a_pair),
      TEST(a_product_below_the_normal_numbers_is_free),
      TEST(a_batch_of_ranking_pairs_costs_as_much_as_any_pairs),
      TEST(bipartite_batches_of_any_scorer_stay_within_their_sensitivity),
      TEST(every_batch_of_a_tiny_universe_stays_within_the_table),
      TEST(batches_without_a_proof_are_refused),
      TEST(arguments_that_are_no_numbers_are_refused_everywhere),
      TEST(diff_takes_any_labels_for_one),
      TEST(zeroing_a_record_turns_no_clipped_term_around),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
