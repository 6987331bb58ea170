/* SPDX-License-Identifier: MIT */
/* Every constant of every margin and link, clipped at fractions of its Lipschitz constant: equal to
 * its written formula, with suprema of slopes found by scanning; never exceeded by a search, and
 * reached where the search can reach it. */
#include "tests.h"

#include "attack.h"

#define SETS few_or_all(1, 2)
enum { STARTS = 60, STEPS = 150 };
enum { POINTS = 2000 };

static const double params[2] = {0.3, 0.5};
static const dppair_bounds sets[] = {
    {1.0, 1.0, 1.0, 0.7, 0.0}, {0.5, 3.0, 2.0, -0.4, 0.0}, {2.0, 0.3, 0.5, 1.3, 0.0}};
static const double fractions[] = {0.0, 0.2, 0.55, 0.75, 0.95, 1.0, 1.5};
enum { FRACTIONS = sizeof fractions / sizeof *fractions };

/* Suprema over [low, high] by scanning. */
typedef struct scan {
  double down, up, odd, curvature, value;
} scan;

static void look(scan *s, dppair_loss loss, double low, double high) {
  for (int i = 0; i <= POINTS; i++) {
    const double u = low + (high - low) * i / POINTS,
                 slope = dppair_loss_at_(loss, DPPAIR_SLOPE_, u, params);
    s->down = fmax(s->down, -slope);
    s->up = fmax(s->up, slope);
    s->odd = fmax(s->odd, fabs(slope - dppair_loss_at_(loss, DPPAIR_SLOPE_, -u, params)) / 2.0);
    s->curvature = fmax(s->curvature, fabs(dppair_loss_at_(loss, DPPAIR_CURVATURE_, u, params)));
    s->value = fmax(s->value, fabs(dppair_loss_at_(loss, DPPAIR_VALUE_, u, params)));
  }
  if ((loss == DPPAIR_LOSS_hinge || loss == DPPAIR_LOSS_ramp) && low <= 1.0 && high >= 1.0)
    s->curvature = HUGE_VAL;
  if ((loss == DPPAIR_LOSS_absolute || loss == DPPAIR_LOSS_pinball || loss == DPPAIR_LOSS_ramp) &&
      low <= 0.0 && high >= 0.0)
    s->curvature = HUGE_VAL;
}

static int agree(double claim, double formula) {
  if (!dppair_isfinite_f64(formula)) return !dppair_isfinite_f64(claim);
  return claim >= formula * (1.0 - 1e-13) && claim <= formula * (1.0 + 1e-4) + 1e-14;
}

/* The formulas of the header, for the clip in c->b. */
static void compare(const attack_case *c, const dppair_constants *k) {
  const double r = c->b.radius, w = c->b.param_radius, y = c->b.label_bound, b = c->b.offset;
  const int quadratic = c->loss == DPPAIR_LOSS_square || c->loss == DPPAIR_LOSS_least_squares;
  const int square = c->loss == DPPAIR_LOSS_square;
  const double clip = c->b.clip > 0.0 ? c->b.clip : HUGE_VAL;
  const int convex = dppair_loss_describe(c->loss)->convex;
  scan same = {0, 0, 0, 0, 0}, opposite = {0, 0, 0, 0, 0};
  double v = 2.0 * r, g, mean, move, half = 1.0, down, up, curvature;
  switch (c->margin) {
  case DPPAIR_MARGIN_diff:
    v *= 2.0 * y;
    look(&same, c->loss, -v * w, v * w);
    break;
  case DPPAIR_MARGIN_residual:
    look(&same, c->loss, -2.0 * y - v * w, 2.0 * y + v * w);
    break;
  case DPPAIR_MARGIN_metric_psd:
  case DPPAIR_MARGIN_metric: {
    const double least = c->margin == DPPAIR_MARGIN_metric ? 4.0 * r * r * w : 0.0;
    v = 4.0 * r * r;
    look(&same, c->loss, b - v * w, b + least);
    look(&opposite, c->loss, -b - least, v * w - b);
    break;
  }
  case DPPAIR_MARGIN_similarity:
    v = r * r;
    look(&same, c->loss, -b - v * w, -b + v * w);
    look(&opposite, c->loss, b - v * w, b + v * w);
    break;
  default:
    look(&same, c->loss, -v * w, v * w);
  }
  down = fmax(same.up, opposite.down); /* a pair's coefficient is -phi' times +-1 */
  up = fmax(same.down, opposite.up);
  curvature = fmax(same.curvature, opposite.curvature);
  g = mean = fmax(down, up) * v;
  move = (down + up) * v;
  if (c->margin == DPPAIR_MARGIN_ind_levels || c->margin == DPPAIR_MARGIN_sign_levels)
    move = quadratic ? g + (square ? 2.0 * v : 0.0) : 2.0 * g;
  else if (quadratic && c->margin < DPPAIR_MARGIN_residual)
    move = g;
  else if (quadratic && c->margin == DPPAIR_MARGIN_similarity)
    move = 2.0 * w * v * v + 4.0 * (fabs(b) + (square ? 1.0 : 0.0)) * v;
  else if (c->margin == DPPAIR_MARGIN_similarity)
    move = 2.0 * g;
  if (c->margin == DPPAIR_MARGIN_residual) {
    mean = same.odd * v;
    move = quadratic && !(square && clip < g) ? mean : 2.0 * mean;
  }
  if (c->margin == DPPAIR_MARGIN_ind || c->margin == DPPAIR_MARGIN_ind_levels) half = 0.5;
  assert_true(agree(k->slope, fmax(down, up)));
  assert_true(agree(k->lipschitz, fmin(g, clip)));
  assert_true(agree(k->smoothness, clip < g && !convex ? HUGE_VAL : curvature * v * v));
  assert_true(agree(k->bound, fmax(same.value, opposite.value)));
  mean = fmin(mean, clip);
  move = fmin(move, 2.0 * mean);
  assert_true(agree(k->move, half * move));
  assert_true(agree(k->replace_one, 2.0 * half * move));
  assert_true(agree(k->zero_out, 2.0 * half * mean));
  assert_int_equal(k->convex, convex);
}

/* Of links of one slope the clipped coefficients fill their whole range. */
static int reached(const attack_case *c, double lipschitz) {
  const int two_levels = c->margin == DPPAIR_MARGIN_ind || c->margin == DPPAIR_MARGIN_diff ||
                         c->margin == DPPAIR_MARGIN_sign;
  if (c->b.clip > 0.5 * lipschitz) return 0;
  return two_levels && (c->loss == DPPAIR_LOSS_hinge || c->loss == DPPAIR_LOSS_logistic);
}

static void constants_at_every_clip_match_their_formulas_and_a_search(void **unused) {
  (void)unused;
  for (int set = 0; set < SETS; set++)
    for (int m = 0; m < (int)DPPAIR_MARGIN_COUNT; m++)
      for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) {
        attack_case c = {(dppair_margin)m, (dppair_loss)l, params, sets[set]};
        dppair_constants free_, before;
        if (m == DPPAIR_MARGIN_residual && l == DPPAIR_LOSS_sigmoid) continue;
        if (dppair_constants_find(&free_, c.margin, dppair_loss_facts_of(c.loss), params, &c.b) !=
            DPPAIR_OK) {
          assert_int_equal(l, DPPAIR_LOSS_ramp); /* no margin near its slope */
          continue;
        }
        before = free_;
        for (int f = FRACTIONS - 1; f >= 0; f--) {
          dppair_constants k;
          double got;
          c.b.clip = fractions[f] * free_.lipschitz;
          assert_int_equal(
              dppair_constants_find(&k, c.margin, dppair_loss_facts_of(c.loss), params, &c.b),
              DPPAIR_OK);
          if (m != DPPAIR_MARGIN_factor) compare(&c, &k);
          if (f == 0) break;
          /* a clip never costs anything, a smaller one never more */
          assert_true(k.lipschitz <= before.lipschitz && k.zero_out <= before.zero_out);
          if (m != DPPAIR_MARGIN_residual || l != DPPAIR_LOSS_square || f < FRACTIONS - 3)
            assert_true(k.replace_one <= before.replace_one);
          if (m == DPPAIR_MARGIN_factor) {
            assert_true(agree(k.lipschitz, fmin(free_.lipschitz, c.b.clip)));
            assert_true(agree(k.move, fmin(free_.move, 2.0 * c.b.clip)));
            assert_true(agree(k.zero_out, fmin(free_.zero_out, 2.0 * c.b.clip)));
            assert_true(fractions[f] >= 1.0 || !dppair_isfinite_f64(k.smoothness));
          }
          before = k;
          if (BRIEF && f % 3 > 0) continue;
          got = attack(&c, ATTACK_G, STARTS, STEPS);
          assert_true(got <= k.lipschitz * (1.0 + 1e-12));
          got = attack(&c, ATTACK_ZERO, STARTS, STEPS);
          assert_true(got <= 0.5 * k.zero_out * (1.0 + 1e-12));
          got = attack(&c, ATTACK_MOVE, STARTS, STEPS);
          if (got > k.move * (1.0 + 1e-12))
            fail_msg("%s %s, clip %g G: move %.17g, a search reached %.17g",
                     dppair_margin_name_(c.margin, NULL), dppair_loss_describe(c.loss)->name,
                     fractions[f], k.move, got);
          if (reached(&c, free_.lipschitz) && got < 0.9 * k.move)
            fail_msg("%s %s, clip %g G: move %.17g, the best search reached %.17g",
                     dppair_margin_name_(c.margin, NULL), dppair_loss_describe(c.loss)->name,
                     fractions[f], k.move, got);
        }
      }
}

/* The clipped residual, which a clip in (G/2, G) made worse; and known figures. */
static void a_clip_makes_a_quadratic_move_further(void **unused) {
  dppair_bounds b = {1.0, 1.0, 1.0, 0.0, 0.0};
  dppair_constants k;
  (void)unused;
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_residual,
                                         dppair_loss_facts_of(DPPAIR_LOSS_least_squares), NULL, &b),
                   DPPAIR_OK);
  assert_true(fabs(k.replace_one - 32.0) < 1e-12);
  for (int i = 1; i < 100; i++) {
    double unclipped = 32.0;
    b.clip = 0.16 * i; /* G = 16 */
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_residual,
                                           dppair_loss_facts_of(DPPAIR_LOSS_least_squares), NULL,
                                           &b),
                     DPPAIR_OK);
    assert_true(fabs(k.replace_one - fmin(unclipped, 4.0 * b.clip)) < 1e-12);
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                           dppair_loss_facts_of(DPPAIR_LOSS_square), NULL, &b),
                     DPPAIR_OK);
    unclipped = 2.0 * (2.0 * 3.0 / 2.0) * 2.0; /* 2 Dm, Dm = G/2, G = 2 R 2 (1 + 2 R B) */
    assert_true(fabs(k.replace_one - fmin(unclipped, 2.0 * b.clip)) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(constants_at_every_clip_match_their_formulas_and_a_search),
      TEST(a_clip_makes_a_quadratic_move_further),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
