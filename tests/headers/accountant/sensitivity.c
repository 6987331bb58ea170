/* SPDX-License-Identifier: MIT */
/* Sensitivities against every neighbouring pair of data sets of small universes. */
#include "accountant_common.h"
#include "sensitivities.h"

/* ---- Gradients over all pairs ---------------------------------------------------------------- */

typedef struct record {
  double x[2];
  int label; /* 0 is the null record: its pairs contribute nothing */
} record;

enum { MOST_UNIVERSE = 64, DIM = 4 };

typedef struct problem {
  rank_form form; /* 0: metric */
  double w[2];    /* rank: weights; metric: diagonal of W */
  double clip;    /* of each ordered pair's gradient; 0: none */
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
    case FORM_DIFF: /* labels 1 and 2 stand for -1 and +1, 3 is not used */
      factor = -2.0 * order * slope(2.0 * order * u);
      break;
    case FORM_IND:
    case FORM_IND_LEVELS:
      factor = order > 0 ? -slope(u) : 0.0;
      break;
    case FORM_REGRESSION: /* the square; labels 1, 2, 3 stand for -1, 0, 1 */
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
    const int labels = form == FORM_IND_LEVELS || form == FORM_SIGN_LEVELS ? 3 : 2;
    record universe[MOST_UNIVERSE];
    const int size = make_universe(universe, labels);
    for (c = 0; c < 4; c++) {
      double replaced = 0.0, zeroed = 0.0, claimed;
      for (n = 2; n <= (labels == 2 ? 3 : 2); n++) {
        assert_ok(sensitivity_rank(&claimed, (rank_form)form, 1, form == FORM_DIFF, 1, clip[c],
                                   (size_t)n));
        for (w = 0; w < 5; w++) {
          problem p;
          double r, z;
          memset(&p, 0, sizeof p);
          p.form = (rank_form)form;
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
  assert_ok(sensitivity_rank(&claimed, FORM_REGRESSION, 1, 0, 6, 0, 2));
  for (w = 0; w < 4; w++) {
    problem p;
    double r;
    memset(&p, 0, sizeof p);
    p.form = FORM_REGRESSION;
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
    assert_ok(sensitivity_mean(&s, 1, n, DPPAIR_REPLACE_ONE));
    assert_close(s, 2.0 * 2.0 * (size - 1.0) / (size * (size - 1.0)), 1e-14);
    assert_ok(sensitivity_mean(&s, 1, n, DPPAIR_ZERO_OUT));
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
  assert_ok(sensitivity_minibatch(&s, DPPAIR_POISSON, 1, 10));
  for (b = 0; b < 40; b++) {
    const double old = b >= 2 ? (double)b / 10.0 : 0.0;
    const double touched = 2.0 * b, kept = (double)b * (b - 1.0);
    const double fresh = b >= 1 ? (kept - touched) / (10.0 * b) : 0.0;
    assert_at_most(fabs(old - fresh), s);
    if (b > 2) assert_close(fabs(old - fresh), s, 1e-13);
  }
  assert_ok(sensitivity_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, 1, 10));
  assert_close(s, 0.4, 1e-14);
  { /* with replacement: k copies touch k(2m-k-1) of m(m-1) slots, never more than k single ones */
    int k, m;
    for (m = 2; m < 12; m++) {
      for (k = 1; k <= m; k++) {
        int i, j, touched = 0;
        for (i = 0; i < m; i++)
          for (j = 0; j < m; j++) touched += i != j && (i < k || j < k);
        assert_int_equal(touched, k * (2 * m - k - 1));
        assert_ok(sensitivity_minibatch(&s, DPPAIR_WITH_REPLACEMENT, 1, (size_t)m));
        assert_at_most(2.0 * touched / (m * (m - 1.0)), k * s);
      }
    }
  }
  assert_ok(sensitivity_minibatch(&s, DPPAIR_MATCHING, 1, 2)); /* two records, one pair */
  assert_close(s, 2.0, 1e-14);
  assert_int_equal(sensitivity_minibatch(&s, DPPAIR_MATCHING, 1, 25), DPPAIR_ERR_RATE);
  assert_ok(sensitivity_minibatch(&s, DPPAIR_POISSON, 1, 1)); /* one is expected, more may come */
  assert_close(s, 3.0, 1e-14);
  assert_int_equal(sensitivity_minibatch(&s, DPPAIR_WITHOUT_REPLACEMENT, 1, 1), DPPAIR_ERR_SIZE);
  assert_int_equal(sensitivity_minibatch(&s, DPPAIR_WITH_REPLACEMENT, 1, 1), DPPAIR_ERR_SIZE);
  assert_int_equal(sensitivity_minibatch(&s, DPPAIR_MATCHING, 1, 1), DPPAIR_ERR_RATE);
  assert_int_equal(sensitivity_minibatch(&s, DPPAIR_ALL, 1, 1), DPPAIR_ERR_SIZE);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(no_neighbour_exceeds_a_ranking_sensitivity_and_one_attains_it),
      TEST(no_neighbour_exceeds_the_sensitivity_of_a_metric),
      TEST(no_neighbour_exceeds_the_sensitivity_of_the_square_loss),
      TEST(pair_statistics_have_the_sensitivity_of_their_worst_case),
      TEST(clipped_record_means_attain_their_sensitivity_at_a_corner),
      TEST(a_batch_attains_the_sensitivity_of_its_sampling),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
