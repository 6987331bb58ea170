/* SPDX-License-Identifier: MIT */
/* Sensitivities against every neighbouring pair of data sets of small universes, and stability
 * bounds against runs of the algorithms themselves. */
#include "accountant_common.h"

/* ---- Gradients over all pairs ---------------------------------------------------------------- */

typedef struct record {
  double x[2];
  int label; /* 0 is the null record: its pairs contribute nothing */
} record;

enum { MOST_UNIVERSE = 64, DIM = 4 };

typedef struct problem {
  dppair_rank_form_ form; /* 0: metric */
  double w[2];            /* rank: weights; metric: diagonal of W */
  double clip;            /* of each ordered pair's gradient; 0: none */
} problem;

/* Slopes in [0, 1]: hinge with its corner at 0; for weights 0, the linear loss. */
static double slope(double u) { return u <= 0.0 ? 1.0 : 0.0; }

/* Adds the gradient of the ordered pair (a, b). */
static void add_pair(double g[DIM], const problem *p, const record *a, const record *b) {
  const double v[2] = {a->x[0] - b->x[0], a->x[1] - b->x[1]};
  double factor = 0.0, norm, scale = 1.0, part[DIM] = {0, 0, 0, 0};
  int k;
  if (a->label == 0 || b->label == 0) return;
  if (p->form == 0) { /* margin yy'(1 - M) */
    const double m = p->w[0] * v[0] * v[0] + p->w[1] * v[1] * v[1];
    const double yy = a->label == b->label ? 1.0 : -1.0;
    factor = yy * slope(yy * (1.0 - m));
    part[0] = factor * v[0] * v[0];
    part[1] = part[2] = factor * v[0] * v[1];
    part[3] = factor * v[1] * v[1];
  } else {
    const double u = p->w[0] * v[0] + p->w[1] * v[1];
    const int order = a->label > b->label ? 1 : (a->label < b->label ? -1 : 0);
    switch (p->form) {
    case DPPAIR_RANK_DIFF_: /* labels 1 and 2 stand for -1 and +1, 3 is not used */
      factor = -2.0 * order * slope(2.0 * order * u);
      break;
    case DPPAIR_RANK_IND_:
    case DPPAIR_RANK_IND_LEVELS_:
      factor = order > 0 ? -slope(u) : 0.0;
      break;
    case DPPAIR_RANK_REGRESSION_: /* the square; labels 1, 2, 3 stand for -1, 0, 1 */
      factor = -2.0 * (a->label - b->label - u);
      break;
    default:
      factor = order != 0 ? -order * slope(order * u) : 0.0;
    }
    part[0] = factor * v[0];
    part[1] = factor * v[1];
  }
  norm = sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2] + part[3] * part[3]);
  if (p->clip > 0.0 && norm > p->clip) scale = p->clip / norm;
  for (k = 0; k < DIM; k++) g[k] += scale * part[k];
}

static void gradient(double g[DIM], const problem *p, const record *data, int n) {
  int i, j, k;
  for (k = 0; k < DIM; k++) g[k] = 0.0;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      if (i != j) add_pair(g, p, &data[i], &data[j]);
  for (k = 0; k < DIM; k++) g[k] /= n * (n - 1);
}

static double distance(const double a[DIM], const double b[DIM]) {
  double sum = 0.0;
  int k;
  for (k = 0; k < DIM; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* The largest move over all data sets of n records from the universe and all replacements (or the
 * zeroing) of record 0. */
static double worst_move(const problem *p, const record *universe, int size, int n,
                         dppair_adjacency adjacency) {
  record data[4];
  double worst = 0.0, total = 1.0;
  int i;
  long code, codes;
  for (i = 1; i < n; i++) total *= size;
  codes = (long)total;
  for (code = 0; code < codes; code++) {
    double value[MOST_UNIVERSE + 1][DIM];
    long rest = code;
    int a, b;
    for (i = 1; i < n; i++) {
      data[i] = universe[rest % size];
      rest /= size;
    }
    for (a = 0; a <= size; a++) {
      if (a < size)
        data[0] = universe[a];
      else
        data[0].label = 0;
      gradient(value[a], p, data, n);
    }
    for (a = 0; a < size; a++) {
      for (b = adjacency == DPPAIR_ZERO_OUT ? size : 0;
           b < (adjacency == DPPAIR_ZERO_OUT ? size + 1 : a); b++) {
        const double d = distance(value[a], value[b]);
        if (d > worst) worst = d;
      }
    }
  }
  return worst;
}

/* Points of the unit ball with each of the given labels. */
static int make_universe(record *universe, int labels) {
  static const double point[9][2] = {{0, 0},  {1, 0},       {-1, 0},   {0, 1},   {0, -1},
                                     {.5, 0}, {-.7, -.714}, {.6, -.8}, {-.6, .8}};
  int i, y, size = 0;
  for (y = 1; y <= labels; y++) {
    for (i = 0; i < 9; i++) {
      universe[size].x[0] = point[i][0];
      universe[size].x[1] = point[i][1];
      universe[size++].label = y;
    }
  }
  return size;
}

static void no_neighbour_exceeds_a_ranking_sensitivity_and_one_attains_it(void **state) {
  static const double weight[5][2] = {{1e-9, 0}, {-1e-9, 0}, {1e-9, 1e-9}, {-0.3, 1}, {0, 0}};
  static const double clip[4] = {0, 0.5, 1.0, 3.0};
  int form, w, c, n;
  (void)state;
  for (form = 1; form <= 5; form++) {
    const int labels = form == DPPAIR_RANK_IND_LEVELS_ || form == DPPAIR_RANK_SIGN_LEVELS_ ? 3 : 2;
    record universe[MOST_UNIVERSE];
    const int size = make_universe(universe, labels);
    for (c = 0; c < 4; c++) {
      double replaced = 0.0, zeroed = 0.0, claimed;
      for (n = 2; n <= (labels == 2 ? 3 : 2); n++) {
        assert_ok(dppair_sensitivity_rank_(&claimed, (dppair_rank_form_)form, 1,
                                           form == DPPAIR_RANK_DIFF_, 1, clip[c], (size_t)n));
        for (w = 0; w < 5; w++) {
          problem p;
          double r, z;
          memset(&p, 0, sizeof p);
          p.form = (dppair_rank_form_)form;
          p.w[0] = weight[w][0];
          p.w[1] = weight[w][1];
          p.clip = clip[c];
          r = worst_move(&p, universe, size, n, DPPAIR_REPLACE_ONE);
          z = worst_move(&p, universe, size, n, DPPAIR_ZERO_OUT);
          assert_at_most(r, claimed);
          assert_at_most(z, claimed);
          if (n == 2 && r > replaced) replaced = r;
          if (n == 2 && z > zeroed) zeroed = z;
        }
        if (n == 2) {
          assert_true(replaced > claimed * 0.999); /* attained */
          if (clip[c] <= 0.0 && labels == 2) assert_true(zeroed > claimed * 0.999);
        }
      }
    }
  }
}

/* The square of y - y' - w.(x - x'), |y| <= 1, |w| = 0.5: slope 4 (1 + 0.5). */
static void no_neighbour_exceeds_the_sensitivity_of_the_square_loss(void **state) {
  static const double direction[4][2] = {{0.5, 0}, {-0.5, 0}, {0.3, 0.4}, {0, -0.5}};
  record universe[MOST_UNIVERSE];
  const int size = make_universe(universe, 3);
  double worst = 0.0, claimed;
  int w;
  (void)state;
  assert_ok(dppair_sensitivity_rank_(&claimed, DPPAIR_RANK_REGRESSION_, 1, 0, 6, 0, 2));
  for (w = 0; w < 4; w++) {
    problem p;
    double r;
    memset(&p, 0, sizeof p);
    p.form = DPPAIR_RANK_REGRESSION_;
    p.w[0] = direction[w][0];
    p.w[1] = direction[w][1];
    r = worst_move(&p, universe, size, 2, DPPAIR_REPLACE_ONE);
    assert_at_most(r, claimed);
    if (r > worst) worst = r;
  }
  assert_true(worst > 0.5 * claimed);
}

static void no_neighbour_exceeds_the_sensitivity_of_a_metric(void **state) {
  static const double diagonal[4][2] = {{0, 0}, {.25, .1}, {1, 0}, {-1, 0.5}};
  record universe[MOST_UNIVERSE];
  const int size = make_universe(universe, 2);
  int w;
  (void)state;
  for (w = 0; w < 4; w++) {
    problem p;
    double replace, zero, r, z;
    memset(&p, 0, sizeof p);
    p.w[0] = diagonal[w][0];
    p.w[1] = diagonal[w][1];
    assert_ok(dppair_sensitivity_metric(&replace, 1, 1, 1, 3, DPPAIR_REPLACE_ONE));
    assert_ok(dppair_sensitivity_metric(&zero, 1, 1, 1, 3, DPPAIR_ZERO_OUT));
    r = worst_move(&p, universe, size, 3, DPPAIR_REPLACE_ONE);
    z = worst_move(&p, universe, size, 3, DPPAIR_ZERO_OUT);
    assert_at_most(r, replace);
    assert_at_most(z, zero);
    if (w == 3) assert_true(r > 0.5 * replace);
  }
  { /* logistic, PSD, R = 1, B = 1, 4, 30: the printed 6.735, 6.924, 6.924 for n = 2 */
    static const double b[3] = {1, 4, 30}, known[3] = {6.735, 6.924, 6.924};
    int i;
    for (i = 0; i < 3; i++) {
      double s;
      assert_ok(dppair_sensitivity_metric(&s, 1, 1 / (1 + exp(1 - 4 * b[i])), 1 / (1 + exp(-1.0)),
                                          2, DPPAIR_REPLACE_ONE));
      assert_close(s, known[i], 1e-3);
    }
  }
}

/* ---- Pair means, clips and normalisers: scalar pairs with values in [-C, C] --------------------
 */

/* Statistics of pair values v(i, j): the worst case over all values of the touched pairs and all
 * values of the rest is found by trying the corners. */
static void pair_statistics_have_the_sensitivity_of_their_worst_case(void **state) {
  size_t n;
  (void)state;
  for (n = 2; n <= 8; n++) {
    const double size = (double)n;
    double s;
    assert_ok(dppair_sensitivity_pair_mean(&s, 1, n, DPPAIR_REPLACE_ONE));
    assert_close(s, 2.0 * 2.0 * (size - 1.0) / (size * (size - 1.0)), 1e-14);
    assert_ok(dppair_sensitivity_pair_mean(&s, 1, n, DPPAIR_ZERO_OUT));
    assert_close(s, 2.0 * (size - 1.0) / (size * (size - 1.0)), 1e-14);
  }
}

/* The clipped per-record means, every corner: values +-C of all pairs of 3 and 4 records. */
static void clipped_record_means_attain_their_sensitivity_at_a_corner(void **state) {
  static const double limit[4] = {0.2, 0.5, 1.0, 2.0};
  int n, c;
  (void)state;
  for (n = 3; n <= 4; n++) {
    const int pairs = n * (n - 1) / 2, others = pairs - (n - 1);
    for (c = 0; c < 4; c++) {
      double worst = 0.0, s;
      unsigned fixed, before, after;
      for (fixed = 0; fixed < 1u << others; fixed++) {
        for (before = 0; before < 1u << (n - 1); before++) {
          for (after = 0; after < 1u << (n - 1); after++) {
            double mean[2] = {0, 0};
            int run, i, j;
            for (run = 0; run < 2; run++) {
              const unsigned touched = run ? after : before;
              double h[4] = {0, 0, 0, 0};
              int bit = 0;
              for (i = 0; i < n; i++) {
                for (j = i + 1; j < n; j++) {
                  const unsigned on = i == 0 ? (touched >> (j - 1)) & 1u : (fixed >> bit++) & 1u;
                  const double v = on ? 1.0 : -1.0;
                  h[i] += v;
                  h[j] += v;
                }
              }
              for (i = 0; i < n; i++) {
                double term = h[i] / (n - 1);
                if (term > limit[c]) term = limit[c];
                if (term < -limit[c]) term = -limit[c];
                mean[run] += term / n;
              }
            }
            if (fabs(mean[0] - mean[1]) > worst) worst = fabs(mean[0] - mean[1]);
          }
        }
      }
      assert_ok(dppair_sensitivity_record_clip(&s, limit[c], 1, (size_t)n, DPPAIR_REPLACE_ONE));
      assert_at_most(worst, s);
      assert_true(worst > 0.4 * s);
    }
  }
}

/* All pairs of a Poisson batch over m(|B|-1): adding a record of -1 pairs to a batch of +1 pairs.
 */
static void a_batch_attains_the_sensitivity_of_its_sampling(void **state) {
  double s;
  int b;
  (void)state;
  assert_ok(dppair_sensitivity_minibatch(&s, DPPAIR_POISSON, 1, 10));
  for (b = 0; b < 40; b++) {
    const double old = b >= 2 ? (double)b / 10.0 : 0.0;
    const double touched = 2.0 * b, kept = (double)b * (b - 1.0);
    const double fresh = b >= 1 ? (kept - touched) / (10.0 * b) : 0.0;
    assert_at_most(fabs(old - fresh), s);
    if (b > 2) assert_close(fabs(old - fresh), s, 1e-13);
  }
  assert_ok(dppair_sensitivity_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, 1, 10));
  assert_close(s, 0.4, 1e-14);
  { /* with replacement: k copies touch k(2m-k-1) of m(m-1) slots, never more than k single ones */
    int k, m;
    for (m = 2; m < 12; m++) {
      for (k = 1; k <= m; k++) {
        int i, j, touched = 0;
        for (i = 0; i < m; i++)
          for (j = 0; j < m; j++) touched += i != j && (i < k || j < k);
        assert_int_equal(touched, k * (2 * m - k - 1));
        assert_ok(dppair_sensitivity_minibatch(&s, DPPAIR_WITH_REPLACEMENT, 1, (size_t)m));
        assert_at_most(2.0 * touched / (m * (m - 1.0)), k * s);
      }
    }
  }
  assert_ok(dppair_sensitivity_minibatch(&s, DPPAIR_MATCHING, 1, 2)); /* two records, one pair */
  assert_close(s, 2.0, 1e-14);
  assert_int_equal(dppair_sensitivity_minibatch(&s, DPPAIR_MATCHING, 1, 25), DPPAIR_ERR_RATE);
  assert_int_equal(dppair_sensitivity_minibatch(&s, DPPAIR_POISSON, 1, 1), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_sensitivity_minibatch(&s, DPPAIR_ALL, 1, 9), DPPAIR_ERR_NO_PROOF);
}

/* ---- Descent --------------------------------------------------------------------------------- */

static void two_runs_of_descent_differ_by_their_stability_and_attain_it(void **state) {
  double move, s, t;
  int steps;
  (void)state;
  assert_ok(dppair_sensitivity_pair_mean(&move, 1, 10, DPPAIR_REPLACE_ONE));
  /* l = <w, g> + alpha/2 |w|^2 with g = -+1: two runs of the algorithm, strongly convex, attained.
   */
  for (steps = 0; steps <= 40; steps++) {
    const double alpha = 0.7, eta = 0.9 / alpha;
    double w = 0.0, v = 0.0, average = 0.0;
    int i;
    for (i = 0; i < steps; i++) {
      w -= eta * (alpha * w + 0.3);
      v -= eta * (alpha * v + 0.3 + 0.4);
    }
    assert_ok(dppair_sensitivity_pgd(&s, move, alpha, alpha, eta, (size_t)steps));
    assert_close(s, fabs(w - v), 1e-12);
    /* convex: linear loss */
    w = v = 0.0;
    for (i = 0; i < steps; i++) {
      average += fabs(w - v);
      w -= 0.1 * 0.3;
      v -= 0.1 * 0.7;
    }
    average += fabs(w - v);
    assert_ok(dppair_sensitivity_pgd(&s, move, 0, 1, 0.1, (size_t)steps));
    assert_close(s, fabs(w - v), 1e-12);
    assert_ok(dppair_sensitivity_pgd_average(&s, move, 1, 0.1, (size_t)steps));
    assert_close(s, average / (steps + 1), 1e-12);
  }
  assert_ok(dppair_sensitivity_pgd(&s, move, 0.7, 0.7, 0.9 / 0.7, 1));
  assert_close(s, 0.5142857, 1e-6);
  assert_ok(dppair_sensitivity_pgd(&s, move, 0.7, 0.7, 0.9 / 0.7, 3));
  assert_close(s, 0.5708571, 1e-6);
  /* Past 2/(L + alpha) the other end of the spectrum rules: two quadratics. */
  assert_ok(dppair_sensitivity_pgd(&s, move, 0.1, 2, 0.98, 50));
  {
    double w = 0.0;
    int i;
    for (i = 0; i < 50; i++) w = fabs(1 - 0.98 * 2) * w + 0.98 * move;
    assert_close(s, w, 1e-12);
  }
  assert_int_equal(dppair_sensitivity_pgd(&s, move, 0.1, 2, 1.01, 50), DPPAIR_ERR_STEP_SIZE);
  assert_true(s == 0.0);
  assert_int_equal(dppair_sensitivity_pgd(&s, move, 0.1, TEST_INF, 0.1, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_sensitivity_pgd(&s, move, 3, 2, 0.1, 5), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_sensitivity_pgd_average(&s, move, 2, 1.01, 5), DPPAIR_ERR_STEP_SIZE);
  assert_int_equal(dppair_sensitivity_pgd_average(&s, move, TEST_INF, 0, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_sensitivity_pgd_average(&s, move, TEST_INF, 1, 5), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_sensitivity_pgd(&s, TEST_NAN, 0.1, 2, 0.1, 5), DPPAIR_ERR_NOT_FINITE);
  /* The limit of many steps is the exact minimiser's. n = 8, lambda = .3: 1.6667 */
  assert_ok(dppair_sensitivity_pair_mean(&move, 1, 8, DPPAIR_REPLACE_ONE));
  assert_ok(dppair_sensitivity_erm(&s, move, 0.3, 0));
  assert_close(s, 1.6666667, 1e-6);
  assert_ok(dppair_sensitivity_pgd(&t, move, 0.3, 1, 1, 100000));
  assert_close(s, t, 1e-12);
  assert_ok(dppair_sensitivity_erm(&t, move, 0.3, 0.01));
  assert_close(t - s, 0.02 / 0.3, 1e-9);
  assert_int_equal(dppair_sensitivity_erm(&s, move, 0, 0), DPPAIR_ERR_DOMAIN);
}

/* ---- Stability of pairwise SGD ----------------------------------------------------------------
 */

static double uas(const dppair_uas *u, const size_t *index, double ratio) {
  double s;
  void *w;
  size_t bytes;
  assert_ok(dppair_uas_workspace(&bytes, u, ratio));
  w = malloc(bytes);
  assert_ok(dppair_sensitivity_uas_sequence(&s, u, index, u->steps, ratio, w, bytes));
  free(w);
  return s;
}

/* The recursion written out for one position, to compare with. */
static double uas_by_hand(const dppair_uas *u, const size_t *index, size_t a) {
  const double g = u->lipschitz, clip = u->pair_clip > 0.0 ? u->pair_clip : g;
  const double held = clip < g ? clip : g;
  const int ranking = u->loss == DPPAIR_UAS_RANKING;
  const double c = u->eta * (ranking ? (2.0 * clip < g ? 2.0 * clip : g) : 2.0 * held);
  const double b = u->eta * (ranking ? held : 2.0 * held);
  const double keep = 1.0 - u->eta * u->strong_convexity;
  double d = 0.0, sum = 0.0;
  size_t l, hits = index[0] == a;
  for (l = 1; l < u->steps; l++) {
    const double r = index[l] == a ? 1.0 : (double)hits / (double)l;
    if (r > 0.0)
      d = u->smoothness > 0.0
              ? keep * d + c * r
              : sqrt(keep * keep * d * d + (hits > 0 ? b * b * (1 - r) * (1 - r) : 0.0)) + c * r;
    if (u->diameter > 0.0 && d > u->diameter) d = u->diameter;
    sum += d;
    hits += index[l] == a;
  }
  return u->last_iterate ? d : sum / (double)u->steps;
}

static void the_stability_of_a_sequence_is_its_recursion_run_by_hand(void **state) {
  int round;
  (void)state;
  for (round = 0; round < 400; round++) {
    enum { MOST = 300 };
    size_t index[MOST], a, k;
    dppair_uas u;
    double largest = 0.0, exact, block;
    memset(&u, 0, sizeof u);
    u.n = 2 + random_bits() % 12;
    u.steps = 1 + random_bits() % MOST;
    u.eta = 0.3;
    u.lipschitz = 0.7;
    u.loss = (dppair_uas_loss)(1 + round % 3);
    u.last_iterate = round % 7 == 0;
    if (round % 5 == 1) u.diameter = 1.5;
    if (round % 5 == 2) u.strong_convexity = 0.4;
    if (round % 5 == 3) u.smoothness = 1;
    if (u.loss != DPPAIR_UAS_CONVEX && round % 4 == 1) u.pair_clip = 0.1 + 0.8 * uniform();
    for (k = 0; k < u.steps; k++) index[k] = random_bits() % u.n;
    for (a = 0; a < u.n; a++) {
      const double value = uas_by_hand(&u, index, a);
      if (value > largest) largest = value;
    }
    exact = uas(&u, index, 1);
    assert_true(exact >= largest * (1.0 - 1e-15));
    assert_close(exact, largest, 1e-12);
    for (k = 0; k < 4; k++) {
      static const double ratio[4] = {1.0000001, 1.05, 1.3, 3};
      block = uas(&u, index, ratio[k]);
      assert_at_most(exact, block * (1.0 + 1e-13));
      if (u.strong_convexity <= 0.0 && u.diameter <= 0.0)
        assert_at_most(block, exact * (k < 2 ? 1.06 : 1.5));
    }
    { /* the bound for the largest number of hits covers every sequence with as many */
      double bound;
      size_t most = 0, hits;
      for (a = 0; a < u.n; a++) {
        for (hits = k = 0; k < u.steps; k++) hits += index[k] == a;
        if (hits > most) most = hits;
      }
      assert_ok(dppair_uas_hits_(&bound, &u, most));
      assert_at_most(exact, bound);
    }
  }
}

/* Every index sequence of 3 positions and 6 iterates; losses |.|-like and linear in one dimension
 * with |gradient| <= 1, records from a universe of gradient fields: the runs never part further. */
static double pair_slope(int kind, double w) {
  switch (kind) {
  case 0:
    return 1.0;
  case 1:
    return -1.0;
  case 2:
    return w > 0.01 ? 1.0 : -1.0; /* a kink that both runs straddle */
  case 3:
    return w > -0.02 ? 1.0 : -1.0;
  default:
    return 0.0;
  }
}

static void no_two_runs_on_a_tiny_set_exceed_the_stability_of_sgd(void **state) {
  enum { T = 6, N = 3, KINDS = 5 };
  size_t index[T];
  int code, k;
  double attained = 0.0;
  (void)state;
  for (code = 0; code < 729; code++) {
    dppair_uas u;
    int rest = code, table;
    double claimed, smooth;
    for (k = 0; k < T; k++) {
      index[k] = (size_t)(rest % 3);
      rest /= 3;
    }
    memset(&u, 0, sizeof u);
    u.n = N;
    u.steps = T;
    u.eta = 0.05;
    u.lipschitz = 1;
    u.loss = DPPAIR_UAS_CONVEX;
    claimed = uas(&u, index, 1);
    u.smoothness = 1;
    smooth = uas(&u, index, 1);
    /* Data: the kind of loss of each unordered pair of positions (self-pairs included); replacing
     * record 0 changes its pairs to anything. */
    for (table = 0; table < 5 * 5 * 5 * 5; table++) {
      const int untouched = table % 5, was = table / 5 % 5, now = table / 25 % 5;
      const int own = table / 125 % 5;
      double w[2] = {0, 0}, sum[2] = {0, 0};
      int run, l, p;
      for (run = 0; run < 2; run++) {
        for (l = 1; l < T; l++) {
          double g = 0.0;
          for (p = 0; p < l; p++) {
            const int touched = index[l] == 0 || index[p] == 0;
            const int self = index[l] == index[p];
            const int kind = touched ? (run ? now : (self ? own : was)) : untouched;
            g += pair_slope(kind, w[run]);
          }
          w[run] -= u.eta * g / l;
          sum[run] += w[run];
        }
      }
      assert_at_most(fabs(sum[0] - sum[1]) / T, claimed);
      if (fabs(sum[0] - sum[1]) / T / smooth > attained)
        attained = fabs(sum[0] - sum[1]) / T / smooth;
      if (untouched == 4 && was == 0 && now == 1 && own == 0) {
        /* linear losses, +1 against -1 on touched pairs: position 0's smooth bound exactly */
        assert_close(fabs(sum[0] - sum[1]) / T + 1e-300, uas_by_hand(&u, index, 0) + 1e-300, 1e-12);
      }
    }
  }
  assert_true(attained >= 1.0 - 1e-9);
}

static void the_stability_of_sgd_has_its_known_values(void **state) {
  static const struct {
    size_t n, steps;
    double mixture, quantile_hits;
  } known[] = {{512, 512, 0.0175, 8},
               {512, 5120, 0.0796, 27},
               {512, 262144, 2.294, 615},
               {1000, 1000, 0.0081, 8},
               {1000, 10000, 0.0354, 27}};
  size_t i;
  (void)state;
  for (i = 0; i < 5; i++) {
    dppair_uas u;
    double sigma, delta, s, failure;
    size_t hits;
    memset(&u, 0, sizeof u);
    u.n = known[i].n;
    u.steps = known[i].steps;
    u.eta = pow((double)u.n, -1.5);
    u.lipschitz = 1;
    u.loss = DPPAIR_UAS_CONVEX;
    assert_ok(dppair_uas_sigma(&sigma, &u, 1, 1e-5));
    assert_close(sigma, known[i].mixture, 8e-3);
    assert_ok(dppair_uas_delta_(&delta, &u, sigma, 1));
    assert_at_most(delta, 1e-5);
    assert_ok(dppair_uas_delta_(&delta, &u, sigma * 0.999999, 1));
    assert_true(delta > 1e-5);
    assert_ok(dppair_sensitivity_uas_quantile(&s, &failure, &hits, &u, 5e-6));
    assert_int_equal(hits, (size_t)known[i].quantile_hits);
    assert_at_most(failure, 5e-6);
    /* The mixture needs less noise than quantile and Gaussian at half of delta each. */
    assert_true(sigma < s / 0.25);
    { /* two routes to the mixture: the sum written out */
      double sum = 0.0, term;
      size_t k;
      if (u.steps <= 5120) {
        for (k = 1; k <= 200; k++) {
          assert_ok(dppair_uas_hits_(&s, &u, k));
          assert_ok(dppair_gaussian_delta(&term, 1, s / sigma));
          sum += term * exp(dppair_binomial_log_pmf_(u.steps, 1.0 / (double)u.n, k));
        }
        assert_ok(dppair_uas_delta_(&delta, &u, sigma, 1));
        assert_close(delta, sum, 1e-9);
      }
    }
  }
  { /* n = 512, T = n^2: one realised sequence (0.52, half of it with the ranking structure) */
    dppair_uas u;
    const size_t steps = 512 * 512;
    size_t *index = (size_t *)malloc(steps * sizeof *index), k;
    double s, sigma;
    memset(&u, 0, sizeof u);
    u.n = 512;
    u.steps = steps;
    u.eta = pow(512, -1.5);
    u.lipschitz = 1;
    u.loss = DPPAIR_UAS_CONVEX;
    for (k = 0; k < steps; k++) index[k] = random_bits() % 512;
    s = uas(&u, index, FEWER(100) < 100 ? 1.05 : 1);
    assert_ok(dppair_gaussian_sigma(&sigma, s, 1, 1e-5, 1));
    assert_close(sigma, 0.522, 0.04); /* the number depends on the sequence */
    assert_close(uas(&u, index, 1.05), s, 2e-3);
    u.loss = DPPAIR_UAS_RANKING;
    assert_close(uas(&u, index, 1.05), 0.5 * s, 2e-3);
    u.loss = DPPAIR_UAS_CONVEX;
    u.smoothness = 1;
    assert_close(uas(&u, index, 1.05) / (2 * u.eta), 597.0, 0.06);
    free(index);
  }
}

static void the_stability_of_sgd_refuses_bad_steps_losses_and_sizes(void **state) {
  dppair_uas u;
  size_t index[4] = {0, 1, 2, 0}, bytes, hits;
  double s, w[12], f;
  (void)state;
  memset(&u, 0, sizeof u);
  u.n = 4;
  u.steps = 4;
  u.eta = 0.1;
  u.lipschitz = 1;
  u.loss = DPPAIR_UAS_CONVEX;
  assert_close(uas(&u, index, 1), 0.2 * (1 + (sqrt(1.25) + .5) + (sqrt(1.25) + 1.5)) / 4, 1e-13);
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 3, 1, w, sizeof w),
                   DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 4, 1, w, sizeof w - 8),
                   DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 4, 0.9, w, sizeof w),
                   DPPAIR_ERR_DOMAIN);
  index[2] = 4;
  assert_int_equal(dppair_sensitivity_uas_sequence(&s, &u, index, 4, 1, w, sizeof w),
                   DPPAIR_ERR_DOMAIN);
  assert_true(s == 0.0);
  u.eta = TEST_NAN;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_NOT_FINITE);
  u.eta = 3;
  u.smoothness = 1;
  assert_int_equal(dppair_uas_hits_(&s, &u, 3), DPPAIR_ERR_STEP_SIZE);
  s = f = 0.5;
  hits = 7; /* the quantile is found, its sensitivity is not */
  assert_int_equal(dppair_sensitivity_uas_quantile(&s, &f, &hits, &u, 0.1), DPPAIR_ERR_STEP_SIZE);
  assert_true(s == 0.0 && f == 1.0 && hits == 0);
  u.n = 1;
  assert_int_equal(dppair_sensitivity_uas_quantile(&s, &f, &hits, &u, 0.1), DPPAIR_ERR_SIZE);
  assert_true(f == 1.0);
  u.n = SIZE_MAX;
  assert_int_equal(dppair_uas_workspace(&bytes, &u, 1), DPPAIR_ERR_OVERFLOW);
}

/* ---- What papers print ------------------------------------------------------------------------
 */

static dppair_paper_verdict paper(dppair_paper_result r, double epsilon, double delta) {
  dppair_paper p;
  dppair_paper_verdict v;
  memset(&p, 0, sizeof p);
  p.result = r;
  p.n = 1000;
  p.steps = 100;
  p.lipschitz = 1;
  p.epsilon = epsilon;
  p.delta = delta;
  p.alpha = 0.1;
  p.eta = 0.01;
  p.lambda = 0.5;
  p.kappa = 2;
  assert_ok(dppair_paper_check(&v, &p));
  return v;
}

static void printed_guarantees_are_judged_by_the_exact_curve(void **state) {
  static const struct {
    dppair_paper_result result;
    double delta, limit;
  } limits[] = {
      {DPPAIR_KANG2021_THEOREM1, 1e-2, 18.4573}, {DPPAIR_KANG2021_THEOREM1, 1e-3, 24.4966},
      {DPPAIR_KANG2021_THEOREM1, 1e-5, 36.0873}, {DPPAIR_KANG2021_THEOREM1, 1e-6, 41.7641},
      {DPPAIR_KANG2021_THEOREM1, 1e-8, 52.9941}, {DPPAIR_KANG2021_THEOREM1, 1e-10, 64.1215},
      {DPPAIR_XUE2021_ALG1, 1e-3, 68.84},        {DPPAIR_XUE2021_ALG1, 1e-5, 106.61},
      {DPPAIR_XUE2021_ALG1, 1e-8, 162.75},       {DPPAIR_XUE2021_ALG2, 1e-2, 2.6508},
      {DPPAIR_XUE2021_ALG2, 1e-3, 2.1957},       {DPPAIR_XUE2021_ALG2, 1e-5, 1.2022},
      {DPPAIR_XUE2021_ALG2, 1e-6, 0.7922},       {DPPAIR_XUE2021_ALG2, 1e-8, 0.2713},
      {DPPAIR_XUE2021_ALG2, 1e-10, 0.0729},      {DPPAIR_XUE2021_ALG3, 1e-5, 106.61}};
  static const struct {
    double delta, epsilon, true_delta, true_epsilon, ratio;
  } alg2[] = {{1e-3, 4, 3.907e-3, 4.616, 1.120},  {1e-3, 8, 3.188e-2, 11.456, 1.307},
              {1e-5, 2, 2.430e-5, 2.115, 1.051},  {1e-5, 4, 1.202e-4, 4.655, 1.140},
              {1e-5, 8, 1.221e-3, 10.674, 1.266}, {1e-8, 1, 5.282e-8, 1.067, 1.063},
              {1e-8, 2, 1.715e-7, 2.227, 1.106},  {1e-8, 8, 1.018e-5, 10.310, 1.248}};
  static const double ratio[3][6] = {{3.0202, 2.2804, 2.0416, 1.8186, 1.5966, 1.3688},
                                     {2.2069, 1.9301, 1.8190, 1.7018, 1.5692, 1.4132},
                                     {1.8686, 1.7405, 1.6830, 1.6178, 1.5377, 1.4337}};
  static const double eps[6] = {0.1, 0.5, 1, 2, 4, 8}, del[3] = {1e-3, 1e-5, 1e-8};
  dppair_paper_verdict v;
  size_t i, j;
  (void)state;
  for (i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    v = paper(limits[i].result, limits[i].limit * 0.9998, limits[i].delta);
    assert_int_equal(v.sufficient, 1);
    assert_at_most(v.true_epsilon, limits[i].limit * 0.9998);
    assert_at_most(v.true_delta, limits[i].delta);
    v = paper(limits[i].result, limits[i].limit * 1.0005, limits[i].delta);
    assert_int_equal(v.sufficient, 0);
    assert_true(v.true_delta > limits[i].delta && v.noise_needed > v.noise_printed);
  }
  for (i = 0; i < 3; i++)
    for (j = 0; j < 6; j++) {
      v = paper(DPPAIR_KANG2021_THEOREM1, eps[j], del[i]);
      assert_close(v.noise_printed / v.noise_needed, ratio[i][j], 1e-4);
      /* The appendix is looser still. */
      assert_true(paper(DPPAIR_KANG2021_APPENDIX, eps[j], del[i]).noise_printed > v.noise_printed);
    }
  for (i = 0; i < 8; i++) {
    v = paper(DPPAIR_XUE2021_ALG2, alg2[i].epsilon, alg2[i].delta);
    assert_close(v.true_delta, alg2[i].true_delta, 1e-3);
    assert_close(v.true_epsilon, alg2[i].true_epsilon, 1e-3);
    assert_close(v.noise_needed / v.noise_printed, alg2[i].ratio, 1e-3);
  }
  v = paper(DPPAIR_NIEWANG2017_PROP1, 1, 0);
  assert_close(v.true_epsilon, 2.0, 1e-12);
  assert_close(v.noise_needed, 2.0 * v.noise_printed, 1e-12);
  assert_close(v.true_delta, 1.0 - exp(-0.5), 1e-12);
  assert_int_equal(v.sufficient, 0);
  v = paper(DPPAIR_KANG2023_THEOREM5, 2, 1e-5);
  assert_true(!dppair_isfinite_f64(v.true_epsilon) && !dppair_isfinite_f64(v.noise_needed));
  assert_close(v.true_delta, 0.0952, 2e-3);
  assert_int_equal(v.sufficient, 0);
  { /* Yang 2021: printed 0.133, 1.737, 125.6 (n = 512) */
    static const double steps[3] = {512, 5120, 262144}, printed[3] = {0.133, 1.737, 125.6};
    for (i = 0; i < 3; i++) {
      dppair_paper p;
      memset(&p, 0, sizeof p);
      p.result = DPPAIR_YANG2021_THEOREM4;
      p.n = 512;
      p.steps = (size_t)steps[i];
      p.lipschitz = 1;
      p.eta = pow(512, -1.5);
      p.epsilon = 1;
      p.delta = 1e-5;
      assert_ok(dppair_paper_check(&v, &p));
      assert_close(v.noise_printed, printed[i], 5e-3);
      assert_int_equal(v.sufficient, 1);
      assert_at_most(v.true_epsilon, 1.0);
    }
  }
  { /* pure variants and refusals */
    dppair_paper p;
    memset(&p, 0, sizeof p);
    p.result = DPPAIR_XUE2021_ALG1;
    p.n = 1000;
    p.steps = 10;
    p.lipschitz = 1;
    p.epsilon = 1;
    p.pure = 1;
    p.alpha = 0.1;
    assert_ok(dppair_paper_check(&v, &p));
    assert_close(v.noise_printed, 0.08, 1e-12);
    assert_close(v.true_epsilon, 0.5, 1e-12);
    p.result = DPPAIR_XUE2021_ALG2;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_NO_PROOF);
    assert_true(v.noise_printed == 0.0);
    p.pure = 0;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_DELTA);
    p.delta = 1e-5;
    p.epsilon = 0;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_EPSILON);
    p.epsilon = TEST_NAN;
    assert_int_equal(dppair_paper_check(&v, &p), DPPAIR_ERR_NOT_FINITE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(no_neighbour_exceeds_a_ranking_sensitivity_and_one_attains_it),
      TEST(no_neighbour_exceeds_the_sensitivity_of_a_metric),
      TEST(no_neighbour_exceeds_the_sensitivity_of_the_square_loss),
      TEST(pair_statistics_have_the_sensitivity_of_their_worst_case),
      TEST(clipped_record_means_attain_their_sensitivity_at_a_corner),
      TEST(a_batch_attains_the_sensitivity_of_its_sampling),
      TEST(two_runs_of_descent_differ_by_their_stability_and_attain_it),
      TEST(the_stability_of_a_sequence_is_its_recursion_run_by_hand),
      TEST(no_two_runs_on_a_tiny_set_exceed_the_stability_of_sgd),
      TEST(the_stability_of_sgd_has_its_known_values),
      TEST(the_stability_of_sgd_refuses_bad_steps_losses_and_sizes),
      TEST(printed_guarantees_are_judged_by_the_exact_curve),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
