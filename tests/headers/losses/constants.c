/* SPDX-License-Identifier: MIT */
/* The constants of every link and margin: closed forms, attack (never exceeded, reached where they
 * are attained), every neighbouring pair of data sets of a tiny universe and searched larger ones,
 * what projection is needed for, and every refusal. */
#include "tests.h"

#include "attack.h"

#define STARTS (BRIEF ? 30 : few_or_all(120, 400))
#define STEPS (BRIEF ? 100 : few_or_all(300, 500))
enum { PARAMETERS = BRIEF ? 4 : 6 };
static const double attained_share = BRIEF ? 0.5 : 0.98; /* a shorter search gets less close */

static const double params[2] = {0.3, 0.5};
static const double exact_tolerance = 1.0 + 1e-12;

static dppair_constants find(dppair_margin margin, dppair_loss loss, dppair_bounds b) {
  dppair_constants k;
  assert_int_equal(dppair_constants_find(&k, margin, dppair_loss_facts_of(loss), params, &b),
                   DPPAIR_OK);
  return k;
}

static int near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

/* Figures computed by hand from the formulas, R = B = Y = b = 1. */
static void constants_are_those_computed_by_hand(void **unused) {
  const dppair_bounds b = {1.0, 1.0, 1.0, 1.0, 0.0};
  const double s2 = 1 / (1 + exp(-2.0)), s3 = 1 / (1 + exp(-3.0)), s4 = 1 / (1 + exp(-4.0));
  const double s5 = 1 / (1 + exp(-5.0)), s1 = 1 / (1 + exp(-1.0));
  dppair_constants k;
  (void)unused;
  k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_logistic, b);
  assert_true(near(k.lipschitz, 4 * s4) && near(k.smoothness, 4.0) && near(k.replace_one, 8 * s4));
  assert_true(near(k.lipschitz, 3.928055160151634));
  k = find(DPPAIR_MARGIN_ind, DPPAIR_LOSS_logistic, b);
  assert_true(near(k.lipschitz, 2 * s2) && near(k.move, s2) && near(k.replace_one, 2 * s2));
  assert_true(near(k.bound, log1p(exp(2.0))));
  k = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_logistic, b);
  assert_true(near(k.lipschitz, 4 * s3) && near(k.smoothness, 4.0) && near(k.move, 4 * (s3 + s1)));
  k = find(DPPAIR_MARGIN_metric, DPPAIR_LOSS_logistic, b);
  assert_true(near(k.lipschitz, 4 * s5));
  k = find(DPPAIR_MARGIN_metric_psd, DPPAIR_LOSS_squared_hinge, b);
  assert_true(near(k.move, 4 * (2 * 4 + 4)));
  k = find(DPPAIR_MARGIN_residual, DPPAIR_LOSS_least_squares, b);
  assert_true(near(k.lipschitz, 8.0 * 2) && near(k.smoothness, 8.0) && near(k.bound, 16.0));
  assert_true(near(k.replace_one, 32.0));
  k = find(DPPAIR_MARGIN_residual, DPPAIR_LOSS_pinball, b);
  assert_true(near(k.lipschitz, 1.4) && near(k.replace_one, 4.0) && near(k.zero_out, 2.0));
  k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_square, b);
  assert_true(near(k.lipschitz, 2 * 4 * 5.0) && near(k.smoothness, 32.0) && near(k.bound, 25.0));
  k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_hinge, b);
  assert_true(!dppair_isfinite_f64(k.smoothness) && near(k.replace_one, 8.0));
  k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_moreau_absolute, b); /* smooth, of width 0.3 */
  assert_true(near(k.lipschitz, 4.0) && near(k.smoothness, 16.0 / 0.3));
  k = find(DPPAIR_MARGIN_ind_levels, DPPAIR_LOSS_hinge, b);
  assert_true(near(k.replace_one, 4.0));
  k = find(DPPAIR_MARGIN_sign_levels, DPPAIR_LOSS_hinge, b);
  assert_true(near(k.replace_one, 8.0));
}

/* Does a kink lie on an end of the margins' interval? Then both of its sides count, and the search,
 * whose margins are nearly exact, sees one of them. */
static int kink_on_an_end(const attack_case *c) {
  return c->margin == DPPAIR_MARGIN_metric_psd && !(c->b.offset > 0.0 || c->b.offset < 0.0) &&
         (c->loss == DPPAIR_LOSS_absolute || c->loss == DPPAIR_LOSS_pinball ||
          c->loss == DPPAIR_LOSS_ramp);
}

/* What the header says is attained. Elsewhere the extremes cannot all be met at one parameter. */
static int attained(const attack_case *c, attack_goal goal) {
  const dppair_loss l = c->loss;
  const int two_sided = l == DPPAIR_LOSS_absolute || l == DPPAIR_LOSS_pinball;
  const int quadratic = l == DPPAIR_LOSS_square || l == DPPAIR_LOSS_least_squares;
  const int monotone = dppair_loss_describe(l)->monotone;
  if (goal == ATTACK_MOVE && kink_on_an_end(c)) return 0;
  if (c->b.clip > 0.0) return goal == ATTACK_G;
  if (c->margin == DPPAIR_MARGIN_factor) return goal != ATTACK_L && goal != ATTACK_MOVE;
  if (goal != ATTACK_MOVE) return 1;
  if (c->margin == DPPAIR_MARGIN_ind || c->margin == DPPAIR_MARGIN_diff ||
      c->margin == DPPAIR_MARGIN_sign)
    return monotone || quadratic || two_sided;
  if (c->margin == DPPAIR_MARGIN_residual) return quadratic || two_sided;
  return l == DPPAIR_LOSS_hinge || two_sided;
}

/* The largest |M| or |S| of the margins with an offset: a ramp further off than 1 is constant. */
static double constant_beyond(const attack_case *c) {
  const double r2 = c->b.radius * c->b.radius, w = c->b.param_radius;
  if (c->margin < DPPAIR_MARGIN_metric_psd) return HUGE_VAL;
  if (c->margin == DPPAIR_MARGIN_similarity) return r2 * w;
  return 4.0 * r2 * w * (c->margin == DPPAIR_MARGIN_factor ? w : 1.0);
}

static void a_search_never_exceeds_a_constant_and_reaches_those_attained(void **unused) {
  static const dppair_bounds bounds[] = {{1.0, 1.0, 1.0, 1.0, 0.0},  {0.5, 6.0, 2.0, 0.0, 0.0},
                                         {1.0, 0.05, 0.5, 1.0, 0.0}, {0.5, 0.3, 3.0, 2.0, 0.0},
                                         {2.0, 3.0, 0.5, 0.0, 0.0},  {2.0, 0.3, 3.0, 2.0, 0.0},
                                         {0.5, 3.0, 0.5, 2.0, 0.0},  {2.0, 1.0, 1.0, -0.5, 0.7}};
  (void)unused;
  for (size_t set = 0; set < sizeof bounds / sizeof *bounds; set += BRIEF ? 3 : 1)
    for (int m = 0; m < (int)DPPAIR_MARGIN_COUNT; m++)
      for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) {
        const attack_case c = {(dppair_margin)m, (dppair_loss)l, params, bounds[set]};
        dppair_constants k;
        double claim[5];
        if (m == DPPAIR_MARGIN_residual && l == DPPAIR_LOSS_sigmoid) continue;
        if (l == DPPAIR_LOSS_ramp && c.b.offset > 1.0 + constant_beyond(&c)) {
          assert_int_equal(
              dppair_constants_find(&k, c.margin, dppair_loss_facts_of(c.loss), params, &c.b),
              DPPAIR_ERR_NO_PROOF);
          continue;
        }
        k = find(c.margin, c.loss, c.b);
        claim[ATTACK_G] = k.lipschitz;
        claim[ATTACK_L] = k.smoothness;
        claim[ATTACK_M] = k.bound;
        claim[ATTACK_MOVE] = k.move;
        claim[ATTACK_ZERO] = 0.5 * k.zero_out;
        for (int goal = ATTACK_G; goal <= ATTACK_ZERO; goal++) {
          double got;
          if (goal == ATTACK_L && !dppair_isfinite_f64(k.smoothness)) continue;
          if (goal == ATTACK_L && c.b.clip > 0.0) continue; /* the attack's Hessian is unclipped */
          got = attack(&c, (attack_goal)goal, STARTS, STEPS);
          /* the search is random: more of it where it should have arrived */
          for (int more = 0; more < 8 && attained(&c, (attack_goal)goal); more++)
            if (got < 0.98 * claim[goal])
              got = fmax(got, attack(&c, (attack_goal)goal, STARTS, STEPS));
          /* differences over a step of 1e-4 at least carry their own rounding */
          if (got > claim[goal] * (goal == ATTACK_L && m == DPPAIR_MARGIN_factor ? 1.0 + 1e-9
                                                                                 : exact_tolerance))
            fail_msg("%s %s: figure %d is %.17g, an attack reached %.17g",
                     dppair_margin_name_(c.margin, NULL), dppair_loss_describe(c.loss)->name, goal,
                     claim[goal], got);
          if (attained(&c, (attack_goal)goal) && got < attained_share * claim[goal])
            fail_msg("%s %s: figure %d is %.17g, the best attack reached %.17g",
                     dppair_margin_name_(c.margin, NULL), dppair_loss_describe(c.loss)->name, goal,
                     claim[goal], got);
        }
      }
}

/* The lemma on squared distances: the left side over its bound, maximised on a grid of all
 * configurations in the plane (two vectors and the centre span three dimensions: the third is tried
 * at random). */
static void the_lemma_on_squared_distances_holds_on_random_points(void **unused) {
  double worst = 0.0;
  (void)unused;
  for (int round = 0; round < (STEPS > 400 ? 400000 : 40000); round++) {
    double p[3], q[3], c[3], v[3], w[3], vv = 0.0, ww = 0.0, vw = 0.0;
    double *all[3];
    all[0] = p, all[1] = q, all[2] = c;
    for (int k = 0; k < 3; k++) {
      double size = 0.0;
      const double length = round % 2 ? 1.0 : pow(fabs(attack_uniform()), 0.3);
      for (int i = 0; i < 3; i++) all[k][i] = i < 2 || round % 3 == 0 ? attack_uniform() : 0.0;
      for (int i = 0; i < 3; i++) size += all[k][i] * all[k][i];
      size = sqrt(size) + 1e-300;
      for (int i = 0; i < 3; i++) all[k][i] *= length / size;
    }
    for (int i = 0; i < 3; i++) {
      v[i] = p[i] - c[i];
      w[i] = q[i] - c[i];
      vv += v[i] * v[i];
      ww += w[i] * w[i];
      vw += v[i] * w[i];
    }
    worst = fmax(worst, sqrt(fmax(0.0, vv * vv + ww * ww - 2 * vw * vw)) / 4.0);
  }
  assert_true(worst <= 1.0 && worst > 0.9);
}

/* All data sets of three records from a universe of corners, all single replacements, all
 * parameters of a grid: the mean gradient never moves by more than replace_one/n, and never by more
 * than zero_out/n when a record is made null. */
enum { UNIVERSE = 9, N = 3 };

static void exhaust(const attack_case *c, const dppair_constants *k, int turn, double *replaced,
                    double *nulled) {
  static double table[UNIVERSE][UNIVERSE][ATTACK_W];
  double t[ATTACK_X], at[ATTACK_X], record[UNIVERSE][3];
  for (int r = 0; r < UNIVERSE; r++) { /* x = -R, 0, R on a line; y at both ends and between */
    memset(record[r], 0, sizeof record[r]);
    record[r][0] = c->b.radius * (double)(r % 3 - 1);
    record[r][2] = (double)(r / 3 - 1);
  }
  memset(t, 0, sizeof t); /* both ends, near 0, between */
  t[0] = c->b.param_radius * (turn % 2 ? 1.0 : -1.0) *
         (turn < 2   ? 1.0
          : turn < 4 ? 0.01
                     : fabs(attack_uniform()));
  for (int r = 0; r < UNIVERSE; r++) {
    memcpy(t + ATTACK_W, record[r], sizeof record[r]);
    attack_place(at, c, t);
    memcpy(record[r], at + ATTACK_W, sizeof record[r]);
  }
  for (int a = 0; a < UNIVERSE; a++)
    for (int b = 0; b < UNIVERSE; b++) attack_gradient(table[a][b], c, at, record[a], record[b]);
  for (int a = 0; a < UNIVERSE; a++)
    for (int e = 0; e <= UNIVERSE; e++) /* a becomes e; UNIVERSE is the null record */
      for (int b = 0; b < UNIVERSE; b++)
        for (int d = 0; d < UNIVERSE; d++) {
          double norm = 0.0;
          for (int i = 0; i < ATTACK_W; i++) {
            double before = table[a][b][i] + table[b][a][i] + table[a][d][i] + table[d][a][i];
            double after = e == UNIVERSE
                               ? 0.0
                               : table[e][b][i] + table[b][e][i] + table[e][d][i] + table[d][e][i];
            norm += (before - after) * (before - after);
          }
          norm = sqrt(norm) / (N * (N - 1));
          if (e == UNIVERSE) {
            assert_true(norm <= k->zero_out / N * exact_tolerance);
            *nulled = fmax(*nulled, norm / (k->zero_out / N));
          } else {
            assert_true(norm <= k->replace_one / N * exact_tolerance);
            *replaced = fmax(*replaced, norm / (k->replace_one / N));
          }
        }
}

static void no_neighbour_in_a_small_universe_moves_a_gradient_further(void **unused) {
  static const double clips[] = {0.0, 0.8};
  (void)unused;
  for (int m = 0; m < (int)DPPAIR_MARGIN_COUNT; m++)
    for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++)
      for (int clip = 0; clip < 2; clip++) {
        const dppair_bounds b = {1.0, 1.5, 1.0, 1.0, clips[clip]};
        const attack_case c = {(dppair_margin)m, (dppair_loss)l, params, b};
        dppair_constants k;
        double replaced = 0.0, nulled = 0.0;
        if (m == DPPAIR_MARGIN_residual && l == DPPAIR_LOSS_sigmoid) continue;
        k = find(c.margin, c.loss, b);
        for (int w = 0; w < PARAMETERS; w++) exhaust(&c, &k, w, &replaced, &nulled);
        if (l == DPPAIR_LOSS_hinge && m != DPPAIR_MARGIN_residual && m != DPPAIR_MARGIN_factor &&
            !clip)
          assert_true(replaced > 0.99 && nulled > 0.99);
      }
}

/* Larger data sets: ten records, one of them moved by search, the others adversarial copies. */
static void no_searched_neighbour_of_ten_records_moves_a_gradient_further(void **unused) {
  enum { M = 10 };
  (void)unused;
  for (int round = 0; round < 60 * PARAMETERS; round++) {
    const dppair_bounds b = {1.0, 2.0, 1.0, 0.5, round % 4 == 3 ? 0.5 : 0.0};
    const attack_case c = {(dppair_margin)(round % (int)DPPAIR_MARGIN_COUNT),
                           (dppair_loss)(round / 3 % (int)DPPAIR_LOSS_COUNT), params, b};
    dppair_constants k;
    double t[ATTACK_X], at[ATTACK_X], x[M + 1][3], sum[ATTACK_W] = {0}, norm = 0.0;
    if (c.margin == DPPAIR_MARGIN_residual && c.loss == DPPAIR_LOSS_sigmoid) continue;
    k = find(c.margin, c.loss, b);
    for (int r = 0; r <= M; r++) {
      for (int i = 0; i < ATTACK_X; i++) t[i] = 3.0 * attack_uniform();
      for (int i = 0; i < ATTACK_W; i++) t[i] = 2.0 * sin((double)(round + 5 * i));
      attack_place(at, &c, t);
      memcpy(x[r], at + ATTACK_W, sizeof x[r]);
    }
    for (int side = 0; side < 2; side++) { /* record 0, then record M in its place */
      for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
          double g[ATTACK_W];
          if (i == j) continue;
          attack_gradient(g, &c, at, x[i == 0 && side ? M : i], x[j == 0 && side ? M : j]);
          for (int f = 0; f < ATTACK_W; f++) sum[f] += (side ? -1.0 : 1.0) * g[f] / (M * (M - 1));
        }
    }
    for (int f = 0; f < ATTACK_W; f++) norm += sum[f] * sum[f];
    assert_true(sqrt(norm) <= k.replace_one / M * exact_tolerance);
  }
}

static void constants_that_need_projected_parameters_say_so(void **unused) {
  const double inf = HUGE_VAL;
  dppair_bounds b = {1.0, 1.0, 1.0, 1.0, 0.0}, open = {1.0, inf, 1.0, 1.0, 0.0};
  dppair_constants k;
  (void)unused;
  assert_int_equal(find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_hinge, b).projected,
                   DPPAIR_ONLY_PROJECTED_M);
  assert_int_equal(find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_squared_hinge, b).projected,
                   DPPAIR_ONLY_PROJECTED_G | DPPAIR_ONLY_PROJECTED_M);
  assert_int_equal(find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_exponential, b).projected,
                   DPPAIR_ONLY_PROJECTED_G | DPPAIR_ONLY_PROJECTED_L | DPPAIR_ONLY_PROJECTED_M);
  k = find(DPPAIR_MARGIN_ind, DPPAIR_LOSS_logistic, open);
  assert_true(near(k.replace_one, 2.0) && k.projected == 0 && !dppair_isfinite_f64(k.bound));
  /* an unbounded slope without projection, everywhere it occurs */
  for (int m = 0; m < (int)DPPAIR_MARGIN_COUNT; m++)
    for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) {
      const int unbounded = l == DPPAIR_LOSS_squared_hinge || l == DPPAIR_LOSS_square ||
                            l == DPPAIR_LOSS_exponential || l == DPPAIR_LOSS_least_squares ||
                            m == DPPAIR_MARGIN_factor ||
                            (m == DPPAIR_MARGIN_residual && l == DPPAIR_LOSS_sigmoid);
      const dppair_status s = dppair_constants_find(
          &k, (dppair_margin)m, dppair_loss_facts_of((dppair_loss)l), params, &open);
      assert_int_equal(s, unbounded ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK);
      assert_true(unbounded ? k.lipschitz == 0.0 && k.replace_one == 0.0 : k.lipschitz > 0.0);
    }
  /* any scorer: a clip is what bounds it */
  b.radius = inf;
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                         dppair_loss_facts_of(DPPAIR_LOSS_logistic), NULL, &b),
                   DPPAIR_ERR_NO_PROOF);
  b.clip = 0.5;
  k = find(DPPAIR_MARGIN_ind, DPPAIR_LOSS_logistic, b);
  assert_true(near(k.replace_one, 2 * 0.5) && near(k.zero_out, 0.5) && near(k.lipschitz, 0.5));
  assert_true(!k.convex && k.smoothness > DBL_MAX);
  k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_logistic, b);
  assert_true(near(k.replace_one, 4 * 0.5) && near(k.zero_out, 2 * 0.5));
}

static void a_regulariser_adds_curvature_and_no_sensitivity(void **unused) {
  const dppair_bounds b = {1.0, 2.0, 1.0, 1.0, 0.0};
  dppair_constants k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_logistic, b), total;
  double alpha;
  (void)unused;
  assert_int_equal(
      dppair_constants_regularise_(&alpha, &total, &k, DPPAIR_REGULARISER_HALF, 0.1, 2.0),
      DPPAIR_OK);
  assert_true(near(alpha, 0.1) && near(total.smoothness, k.smoothness + 0.1));
  assert_true(near(total.lipschitz, k.lipschitz + 0.2) && near(total.bound, k.bound + 0.2));
  assert_true(near(total.replace_one, k.replace_one));
  assert_int_equal(
      dppair_constants_regularise_(&alpha, &total, &k, DPPAIR_REGULARISER_FULL, 0.1, 2.0),
      DPPAIR_OK);
  assert_true(near(alpha, 0.2) && near(total.bound, k.bound + 0.4));
  assert_int_equal(
      dppair_constants_regularise_(&alpha, &total, &k, DPPAIR_REGULARISER_FULL, 0.0, 2.0),
      DPPAIR_ERR_DOMAIN);
  assert_true(alpha == 0.0 && total.lipschitz == 0.0);
  k = find(DPPAIR_MARGIN_diff, DPPAIR_LOSS_sigmoid, b);
  assert_int_equal(
      dppair_constants_regularise_(&alpha, &total, &k, DPPAIR_REGULARISER_HALF, 0.1, 2.0),
      DPPAIR_ERR_NO_PROOF);
  for (int bad = 0; bad < 3; bad++) {
    total = k;
    assert_true(dppair_constants_regularise_(
                    &alpha, &total, &k, bad ? DPPAIR_REGULARISER_FULL : (dppair_regulariser)3,
                    bad == 1 ? 1.005e100 : 1.0, bad == 2 ? -1.0 : 1.0) == DPPAIR_ERR_DOMAIN);
    assert_true(alpha == 0.0 && total.lipschitz == 0.0 && total.replace_one == 0.0);
  }
  assert_int_equal(dppair_constants_regularise_(NULL, &total, &k, DPPAIR_REGULARISER_HALF, 0.1, 2.0),
                   DPPAIR_ERR_NULL);
  alpha = 7.0;
  total = k;
  assert_int_equal(
      dppair_constants_regularise_(&alpha, &total, NULL, DPPAIR_REGULARISER_HALF, 0.1, 2.0),
      DPPAIR_ERR_NULL);
  assert_true(alpha == 0.0 && total.lipschitz == 0.0 && total.replace_one == 0.0);
}

/* The ends of [1e-60, 1e100] belong to what is accepted, and nothing beyond them does. */
static void sizes_end_where_the_manual_says(void **unused) {
  static const double size[] = {1e-60, 1e100, 0.995e-60, 1.005e100};
  (void)unused;
  for (int i = 0; i < 4; i++)
    for (int field = 0; field < 5; field++) {
      dppair_bounds b = {1.0, 1.0, 1.0, 1.0, 0.0};
      double *at[] = {&b.radius, &b.param_radius, &b.label_bound, &b.clip, &b.offset};
      dppair_constants k;
      *at[field] = size[i];
      assert_int_equal(dppair_constants_find(&k,
                                             field == 4 ? DPPAIR_MARGIN_metric : DPPAIR_MARGIN_diff,
                                             dppair_loss_facts_of(DPPAIR_LOSS_logistic), NULL,
                                             &b) == DPPAIR_ERR_DOMAIN,
                       i == 3 || (i == 2 && field != 4));
    }
}

static void bad_bounds_parameters_and_margins_are_refused(void **unused) {
  static const double bad[] = {0.0, -1.0, 1e200};
  const dppair_bounds good = {1.0, 1.0, 1.0, 1.0, 0.0};
  dppair_constants k;
  (void)unused;
  for (int i = 0; i < 4; i++) {
    const double v = i < 3 ? bad[i] : (double)NAN;
    dppair_bounds b = good;
    b.radius = v;
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                           dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &b),
                     DPPAIR_ERR_DOMAIN);
    b = good;
    b.param_radius = v;
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                           dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &b),
                     DPPAIR_ERR_DOMAIN);
    b = good;
    b.label_bound = v;
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_diff,
                                           dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &b),
                     DPPAIR_ERR_DOMAIN);
    b = good;
    b.clip = v;
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                           dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &b),
                     i == 0 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN);
    b = good;
    b.offset = v;
    assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_metric,
                                           dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &b),
                     i < 2 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN);
  }
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_COUNT,
                                         dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &good),
                   DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                         dppair_loss_facts_of(DPPAIR_LOSS_COUNT), NULL, &good),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                         dppair_loss_facts_of(DPPAIR_LOSS_huber), NULL, &good),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_constants_find(&k, DPPAIR_MARGIN_ind,
                                         dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, NULL),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_constants_find(NULL, DPPAIR_MARGIN_ind,
                                         dppair_loss_facts_of(DPPAIR_LOSS_hinge), NULL, &good),
                   DPPAIR_ERR_NULL);
  assert_null(dppair_margin_name_(DPPAIR_MARGIN_COUNT, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(constants_are_those_computed_by_hand),
      TEST(a_search_never_exceeds_a_constant_and_reaches_those_attained),
      TEST(the_lemma_on_squared_distances_holds_on_random_points),
      TEST(no_neighbour_in_a_small_universe_moves_a_gradient_further),
      TEST(no_searched_neighbour_of_ten_records_moves_a_gradient_further),
      TEST(constants_that_need_projected_parameters_say_so),
      TEST(a_regulariser_adds_curvature_and_no_sensitivity),
      TEST(sizes_end_where_the_manual_says),
      TEST(bad_bounds_parameters_and_margins_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
