/* SPDX-License-Identifier: MIT */
/*
 * dppair_sensitivity against the formulas that stood one by one before it: of the mean, of ranking
 * losses, of batches, of users and of matched batches; descents and streams of records likewise.
 * Each is written here as it was, for random arguments, and each answer is the same in bits. (So
 * powers of 2 must be all that the factors of a formula can differ by: 8 (r s Y) is (8 r s) Y.) One
 * formula was not: a matched batch of a ranking loss was rounded up twice, by 2e-15 more; here once.
 */
#include "dppair_allocation.h"
#include "accountant_common.h"

#include "dppair_iterates.h"
#include "dppair_streams.h"

#include "random.h"
#include "sensitivities.h"

enum { ROUNDS = FEWER(100000) };

static double any(void) { return log_between(1e-6, 1e6); }
static double rounded(double value) { return value * (1.0 + 2e-15); }
static double least(double x, double y) { return y < x ? y : x; }
static int chance(int of) { return (int)(random_bits() >> 33) % of == 0; }
static size_t sized(double most) { return (size_t)log_between(2.0, most); }

/* The same in bits, and never below. */
static void same(double found, double formula) {
  assert_at_most(formula * (1.0 - 1e-15), found);
  if (memcmp(&found, &formula, sizeof found) != 0) fail_msg("%.17g is not %.17g", found, formula);
}

static double asked(const dppair_pair_unit *pair, dppair_sampling s) {
  double found = -1.0;
  const dppair_status status = dppair_sensitivity(&found, pair, &s);
  if (status != DPPAIR_OK)
    fail_msg("kind %d, adjacency %d, n %zu, m %zu, owned %zu: %s", (int)s.kind, (int)s.adjacency,
             s.n, s.m, s.owned, dppair_status_string(status));
  return found;
}

/* --- records --- */

static void the_mean_of_vectors_moves_as_before(void **state) {
  int round, zeroed;
  (void)state;
  for (round = 0; round < ROUNDS; round++)
    for (zeroed = 0; zeroed < 2; zeroed++) {
      const double G = any();
      const size_t n = sized(1e12);
      const dppair_pair_unit pair = pair_of(DPPAIR_LEVELS_ANY, 2.0 * G, 0.0);
      same(asked(&pair, dppair_sampling_all(n, zeroed ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE)),
           rounded((zeroed ? 2.0 : 4.0) * G / (double)n));
    }
}

/* A ranking loss: radius, label bound, slope, and a clip of each ordered pair. */
typedef struct loss {
  rank_form form;
  double radius, label, slope, clip;
  int open; /* 1: nothing bounds the slope but the clip */
  double value;
} loss;

static loss random_loss(rank_form form) {
  loss l = {form, any(), 0.0, any(), 0.0, 0, HUGE_VAL};
  l.label = form == FORM_DIFF ? any() : 1.0;
  l.value = l.radius * l.slope * (form == FORM_DIFF ? l.label : 1.0);
  if (!chance(3)) l.clip = l.value * log_between(0.1, 20.0);
  if (chance(5)) l.clip = l.clip > 0.0 ? l.clip : any(), l.open = 1, l.value = HUGE_VAL;
  return l;
}

static dppair_pair_unit pair_of_loss(const loss *l) {
  return rank_pair(l->form, l->radius, l->label, l->open ? HUGE_VAL : l->slope, l->clip);
}

/* n records, all pairs, one replaced. */
static double formula_of_all(const loss *l) {
  static const double factor[7] = {0.0, 8.0, 2.0, 4.0, 4.0, 8.0, 4.0};
  static const double clipped[7] = {0.0, 4.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  const double value = l->value * factor[l->form];
  return l->clip > 0.0 ? least(value, clipped[l->form] * l->clip) : value;
}

static void ranking_losses_move_all_pairs_as_before(void **state) {
  int round, form;
  (void)state;
  for (round = 0; round < ROUNDS; round++)
    for (form = FORM_DIFF; form <= FORM_REGRESSION; form++) {
      const loss l = random_loss((rank_form)form);
      const dppair_pair_unit pair = pair_of_loss(&l);
      const size_t n = sized(1e12);
      same(asked(&pair, dppair_sampling_all(n, DPPAIR_REPLACE_ONE)),
           rounded(formula_of_all(&l) / (double)n));
    }
}

/* A sampling of records of each kind; *expected: how many records of it a step has. */
static dppair_sampling random_draw(dppair_sampling_kind kind, double *expected) {
  const dppair_adjacency either = chance(2) ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
  const size_t m = 2 * sized(1e5), n = m + sized(1e7);
  const size_t batches = 2 + sized(100.0), group = 1 + sized(100.0) % (batches - 1);
  *expected = (double)m;
  switch (kind) {
  case DPPAIR_POISSON:
    return dppair_sampling_poisson(n, m, either);
  case DPPAIR_WITHOUT_REPLACEMENT:
    return dppair_sampling_without_replacement(n, m, DPPAIR_REPLACE_ONE);
  case DPPAIR_WITH_REPLACEMENT:
    return dppair_sampling_with_replacement(n, m, DPPAIR_REPLACE_ONE);
  case DPPAIR_MATCHING:
    return dppair_sampling_matching(n, m, DPPAIR_REPLACE_ONE);
  case DPPAIR_ALLOCATION:
    *expected = (double)n * (double)group / (double)batches;
    return dppair_sampling_allocation(n, batches, group, either);
  default:
    *expected = (double)n;
    return dppair_sampling_all(n, either);
  }
}

static const dppair_sampling_kind drawn[] = {DPPAIR_POISSON, DPPAIR_WITHOUT_REPLACEMENT,
                                             DPPAIR_WITH_REPLACEMENT, DPPAIR_MATCHING};

static void batches_of_clipped_vectors_move_as_before(void **state) {
  int round, k;
  (void)state;
  for (round = 0; round < ROUNDS; round++)
    for (k = 0; k < 4; k++) {
      const double C = any();
      double m;
      const dppair_sampling s = random_draw(drawn[k], &m);
      /* a matching has one vector for each pair that it makes, else each order has one */
      const dppair_pair_unit pair =
          pair_of(DPPAIR_LEVELS_ANY, drawn[k] == DPPAIR_MATCHING ? C : 2.0 * C, 0.0);
      same(asked(&pair, s), rounded((drawn[k] == DPPAIR_POISSON ? 3.0 : 4.0) * C / m));
    }
}

static void batches_of_ranking_losses_move_as_before(void **state) {
  static const double total[7] = {0.0, 8.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  static const double clipped[7] = {0.0, 3.0, 1.0, 1.5, 2.0, 3.0, 3.0};
  int round, k, form;
  (void)state;
  for (round = 0; round < ROUNDS; round++)
    for (form = FORM_DIFF; form <= FORM_REGRESSION; form++) {
      k = round % 4;
      {
        const loss l = random_loss((rank_form)form);
        const dppair_pair_unit pair = pair_of_loss(&l);
        double m, value = formula_of_all(&l), twice;
        const dppair_sampling s = random_draw(drawn[k], &m);
        switch (drawn[k]) {
        case DPPAIR_POISSON:
          value = l.value * total[form];
          if (l.clip > 0.0) value = least(value, clipped[form] * l.clip);
          same(asked(&pair, s), rounded(value / m));
          break;
        case DPPAIR_MATCHING: /* it was rounded up twice */
          twice = rounded(2.0 * rounded(value / m));
          same(asked(&pair, s), rounded(2.0 * value / m));
          assert_close(asked(&pair, s), twice, 3e-15);
          break;
        default:
          same(asked(&pair, s), rounded(value / m));
        }
      }
    }
}

/* --- pair units: levels, clips, blocks, classes --- */

static dppair_pair_unit random_unit(int real_labels, int users) {
  dppair_pair_unit p = pair_of((dppair_levels)(1 + (int)(random_bits() >> 40) % 3), any(), 0.0);
  if (!chance(3)) p.clip = p.unit * log_between(0.1, 10.0);
  if (chance(6)) p.unit = HUGE_VAL, p.clip = any();
  if (real_labels && chance(3)) p.levels = DPPAIR_LEVELS_REAL;
  if (users && chance(2)) p.block = (p.unit < HUGE_VAL ? p.unit : p.clip) * log_between(0.1, 9.0);
  if (users && p.levels == DPPAIR_LEVELS_TWO && chance(3)) p.classes = 1;
  return p;
}

static double norm_before(const dppair_pair_unit *p) {
  return p->clip > 0.0 && p->clip < p->unit ? p->clip : p->unit;
}
static double move_before(const dppair_pair_unit *p) {
  const double twice = 2.0 * norm_before(p);
  return p->levels == DPPAIR_LEVELS_TWO && p->unit < twice ? p->unit : twice;
}

/* Of all pairs of the drawn, records or users, over `expected`. */
static double drawn_before(const dppair_pair_unit *p, const dppair_sampling *s, double expected) {
  const double sums = p->classes ? 2.0 : 1.0;
  double norm = sums * norm_before(p), move = sums * move_before(p);
  double joined = p->levels == DPPAIR_LEVELS_TWO && !p->classes ? norm : 1.5 * norm;
  if (p->levels == DPPAIR_LEVELS_GENERAL && p->unit < joined) joined = p->unit;
  if (p->block > 0.0) {
    norm = least(norm, p->block);
    move = least(move, 2.0 * p->block);
    joined = least(joined, 1.5 * p->block);
  }
  if (s->kind == DPPAIR_ALL && dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) move = norm;
  if (s->kind == DPPAIR_POISSON || s->kind == DPPAIR_ALLOCATION) move = joined;
  return rounded(move / expected);
}

static const dppair_sampling_kind all_kinds[] = {
    DPPAIR_ALL,        DPPAIR_POISSON, DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_WITH_REPLACEMENT,
    DPPAIR_ALLOCATION, DPPAIR_MATCHING};

static void batches_of_pairs_move_as_before(void **state) {
  int round, k;
  (void)state;
  for (round = 0; round < ROUNDS; round++)
    for (k = 0; k < 6; k++) {
      const dppair_pair_unit p = random_unit(0, 0);
      double m;
      const dppair_sampling s = random_draw(all_kinds[k], &m);
      same(asked(&p, s), s.kind == DPPAIR_MATCHING ? rounded(2.0 * move_before(&p) / m)
                                                   : drawn_before(&p, &s, m));
    }
}

static void persons_who_are_drawn_move_as_before(void **state) {
  int round, k;
  (void)state;
  for (round = 0; round < ROUNDS; round++)
    for (k = 0; k < 5; k++) {
      const dppair_pair_unit p = random_unit(0, 1);
      double m;
      dppair_sampling s = random_draw(all_kinds[k], &m);
      s.adjacency = s.adjacency == DPPAIR_REPLACE_ONE ? DPPAIR_REPLACE_USER : DPPAIR_ZERO_USER;
      same(asked(&p, s), drawn_before(&p, &s, m));
    }
}

static void matched_batches_move_as_before(void **state) {
  int round;
  (void)state;
  for (round = 0; round < ROUNDS; round++) {
    dppair_pair_unit p = random_unit(0, 0);
    double m;
    const dppair_sampling s = random_draw(chance(2) ? DPPAIR_POISSON : DPPAIR_ALLOCATION, &m);
    p.matched = any();
    same(asked(&p, s), rounded(move_before(&p) / p.matched));
  }
}

/* --- users who own records --- */

static double cut(size_t n, size_t j) { return (double)j * (double)(n - j); }

static double clipped_before(double norm, double move, size_t n, size_t k) {
  double top, best = 0.0;
  size_t q = k, i;
  if (!(norm > 0.0)) return 0.0;
  top = 0.5 * (double)k + 0.5 * move / norm * (double)(n - k);
  if (top < (double)k) q = (size_t)top + 2 < k ? (size_t)top + 2 : k;
  for (i = 0; i < 4; i++) {
    const double inside = cut(k, q) + cut(k, q < k / 2 ? q : k / 2);
    const double value = move * (double)(n - k) * (double)q + norm * inside;
    if (value > best) best = value;
    if (q == 0) break;
    q--;
  }
  return best;
}

static double owned_before(const dppair_pair_unit *p, size_t n, size_t k, int replaced) {
  const double norm = norm_before(p), half = cut(n, k < n / 2 ? k : n / 2);
  const double touched = 0.5 * (double)k * ((double)(n - k) + (double)(n - 1));
  double value = norm * touched;
  if (p->levels == DPPAIR_LEVELS_TWO)
    return replaced ? clipped_before(norm, move_before(p), n, k) : norm * half;
  if (p->levels == DPPAIR_LEVELS_GENERAL) {
    value = p->unit * half;
    if (p->clip > 0.0 && p->clip * touched < value) value = p->clip * touched;
  }
  return replaced ? 2.0 * value : value;
}

static void persons_who_own_records_move_as_before(void **state) {
  int round;
  (void)state;
  for (round = 0; round < ROUNDS; round++) {
    const dppair_pair_unit p = random_unit(0, 0);
    const int zeroed = chance(2);
    const size_t n = sized(chance(2) ? 40.0 : 1e9);
    size_t k = 1 + (size_t)log_between(1.0, (double)n) % n;
    dppair_sampling s = dppair_sampling_all(n, zeroed ? DPPAIR_ZERO_USER : DPPAIR_REPLACE_USER);
    s.owned = k;
    same(asked(&p, s), rounded(owned_before(&p, n, k, !zeroed) / (double)n / (double)(n - 1)));
  }
}

static double far_before(size_t owned, size_t m) {
  const size_t j = owned < m ? owned : m;
  if (j <= 2) return 1.0;
  return j <= m / 2 ? 1.0 + (double)j / (4.0 * (double)m - 3.0 * (double)j) : 1.2360679774997898;
}

static void drawn_records_of_persons_move_as_before(void **state) {
  int round;
  (void)state;
  for (round = 0; round < ROUNDS; round++) {
    const dppair_pair_unit p = random_unit(0, 0);
    const size_t m = sized(1e4), owned = sized(1e3) - 1, n = m + owned + sized(1e6);
    dppair_sampling s = dppair_sampling_without_replacement(n, m, DPPAIR_REPLACE_USER);
    double value = move_before(&p);
    s.owned = owned;
    if (p.levels != DPPAIR_LEVELS_TWO) value *= far_before(owned, m);
    if (p.levels == DPPAIR_LEVELS_GENERAL) value = least(value, 2.0 * p.unit);
    same(asked(&p, s), rounded(value / (double)m));
  }
}

/* Real labels are new: they move no farther than any labels of a linear margin, as far as two
 * levels where a record is replaced, and as far as a linear margin in all else. */
static void real_labels_lie_between_two_levels_and_any(void **state) {
  int round;
  (void)state;
  for (round = 0; round < ROUNDS; round++) {
    dppair_pair_unit real = random_unit(0, 1), two, linear;
    double m, found;
    dppair_sampling s = random_draw(all_kinds[round % 6], &m);
    real.levels = DPPAIR_LEVELS_REAL, real.classes = 0;
    if (round % 6 == 5 || chance(2))
      real.block = 0.0;
    else
      s.adjacency = s.adjacency == DPPAIR_REPLACE_ONE ? DPPAIR_REPLACE_USER : DPPAIR_ZERO_USER;
    if (real.block <= 0.0 && real.clip <= 0.0 && real.unit >= HUGE_VAL) continue;
    if (dppair_adjacency_unit_(s.adjacency) == DPPAIR_OF_RECORDS_) real.block = 0.0;
    two = linear = real;
    two.levels = DPPAIR_LEVELS_TWO, linear.levels = DPPAIR_LEVELS_GENERAL;
    found = asked(&real, s);
    assert_true(asked(&two, s) <= found && found <= asked(&linear, s));
    same(found, s.kind == DPPAIR_POISSON || s.kind == DPPAIR_ALLOCATION ? asked(&linear, s)
                                                                        : asked(&two, s));
  }
}

/* --- descents --- */

static double gap_before(double eta, double a) {
  const double product = eta * a;
  return (2.0 - product) - 1.5 * DBL_EPSILON * product;
}

static double powers_before(double gap, double terms) {
  double power;
  if (terms <= 0.0) return 0.0;
  if (gap >= 1.0) return 1.0;
  power = terms * dppair_log1p_(-gap);
  if (!(gap > 0.0 || gap < 0.0)) return terms;
  return -dppair_expm1_(power) / gap * (power > 0.0 ? 1.0 + 4.0 * DBL_EPSILON * power : 1.0);
}

static void descents_move_as_before(void **state) {
  int round;
  (void)state;
  for (round = 0; round < ROUNDS; round++) {
    const double move = any(), smoothness = any();
    const double alpha = chance(3) ? 0.0 : smoothness * log_between(1e-6, 1.0);
    const double eta = chance(4) ? 2.0 / smoothness : log_between(1e-6, 2.0) / smoothness;
    const double tolerance = chance(3) ? 0.0 : any(), convex = any();
    const size_t steps = chance(50) ? 0 : sized(1e9);
    double found, sum, fast, gap;
    if (eta * smoothness > 2.0) { /* rounded up */
      assert_int_equal(sensitivity_last(&found, move, alpha, smoothness, eta, steps),
                       DPPAIR_ERR_STEP_SIZE);
      continue;
    }
    sum = powers_before(eta * alpha * (1.0 - DBL_EPSILON), (double)steps);
    fast = powers_before(gap_before(eta, smoothness), (double)steps);
    if (fast > sum) sum = fast;
    assert_ok(sensitivity_last(&found, move, alpha, smoothness, eta, steps));
    same(found, rounded(move * eta * sum * (1.0 + 1e-14)));
    gap = gap_before(eta, smoothness);
    assert_ok(sensitivity_average(&found, move, smoothness, eta, steps));
    same(found, rounded(0.5 * move * eta * (double)steps *
                        (gap < 0.0 ? dppair_exp_(-gap * (double)steps) * (1.0 + 1e-15) : 1.0)));
    assert_ok(sensitivity_minimiser(&found, move, convex, tolerance));
    same(found, rounded((move + 2.0 * tolerance) / convex));
  }
}

/* --- streams --- */

static double buffered_before(const dppair_stream *s) {
  const size_t i = s->silent > 1 ? s->silent + 1 : 2;
  const size_t stays = s->buffer < s->steps - i ? s->buffer : s->steps - i;
  double sum = 0.0;
  size_t t;
  for (t = i; t < i + stays; t++) {
    const double weight = 1.0 / (double)(t < s->buffer ? t : s->buffer);
    sum += weight * weight;
  }
  return 1.0 + sum * (1.0 + 1e-9);
}

static double reservoir_before(const dppair_stream *s, const size_t *slot) {
  const double side = (double)s->buffer;
  double most = 0.0;
  size_t i, t;
  for (i = 0; i < s->steps; i++) {
    double sum = i >= s->silent ? 1.0 : 0.0;
    size_t left;
    for (t = i + 1; slot[i] < s->buffer && t < s->steps; t++)
      if (slot[t] == slot[i]) break;
    if (t == s->steps) t--;
    left = i + 1 > s->silent ? i + 1 : s->silent;
    if (slot[i] < s->buffer && t >= left) sum += (double)(t - left + 1) / (side * side);
    if (sum > most) most = sum;
  }
  return most * (1.0 + 1e-15);
}

static void streams_of_records_move_as_before(void **state) {
  int round;
  (void)state;
  for (round = 0; round < ROUNDS; round++) {
    const dppair_pair_unit p = random_unit(0, 0);
    size_t slot[32], t;
    dppair_stream s;
    double move, found;
    memset(&s, 0, sizeof s);
    s.steps = 3 + sized(28.0) % 28;
    s.buffer = 1 + (size_t)(random_bits() >> 40) % 8;
    s.silent = (size_t)(random_bits() >> 40) % (s.steps - 2);
    s.noise = DPPAIR_PREFIX_INDEPENDENT;
    s.adjacency = chance(2) ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
    move = s.adjacency == DPPAIR_REPLACE_ONE ? move_before(&p) : norm_before(&p);
    assert_ok(dppair_sensitivity_prefix(&found, &p, &s, NULL, 0));
    same(found, rounded(move * dppair_sqrt_(buffered_before(&s))));
    if (s.buffer > s.silent) continue;
    for (t = 0; t < s.steps; t++)
      slot[t] = t < s.buffer ? t : (size_t)(random_bits() >> 40) % (t + 1);
    s.slot = slot;
    assert_ok(dppair_sensitivity_prefix(&found, &p, &s, NULL, 0));
    same(found, rounded(move * dppair_sqrt_(reservoir_before(&s, slot))));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_mean_of_vectors_moves_as_before),
      TEST(ranking_losses_move_all_pairs_as_before),
      TEST(batches_of_clipped_vectors_move_as_before),
      TEST(batches_of_ranking_losses_move_as_before),
      TEST(batches_of_pairs_move_as_before),
      TEST(persons_who_are_drawn_move_as_before),
      TEST(matched_batches_move_as_before),
      TEST(persons_who_own_records_move_as_before),
      TEST(drawn_records_of_persons_move_as_before),
      TEST(real_labels_lie_between_two_levels_and_any),
      TEST(descents_move_as_before),
      TEST(streams_of_records_move_as_before),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
