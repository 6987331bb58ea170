/* SPDX-License-Identifier: MIT */
/*
 * Random allocation: known answers, closed forms, direct quadrature that shares no code with the
 * tables, simulation, order in every argument, hostile arguments. FRONTIER: `make frontier` asks
 * for more of them; tests/frontier/allocation.c compares the tables' errors, node by node.
 */
#include <float.h>
#ifndef RANDOM_SEED
#define RANDOM_SEED 12
#endif
#include "dppair_allocation.h"
#include "accountant_common.h"

typedef long double real;

/* Tables are wider where long double is double. */
#define WIDER (LDBL_MANT_DIG > 53 ? 1.0 : 2000.0)

static double *work;
static size_t room;

/* `few` cases, or a number in proportion to FRONTIER. */
static size_t cases(size_t few) {
  const char *word = getenv("FRONTIER");
  const size_t many = word != NULL ? (size_t)atol(word) / 500 : 0;
  return many > few ? many : (BRIEF ? 1 : few);
}

static dppair_interval epsilon_of(double z, size_t t, size_t epochs, double delta,
                                  dppair_adjacency adjacency) {
  dppair_interval in;
  assert_int_equal(dppair_allocation_epsilon_(&in, z, t, epochs, delta, adjacency, 0, work, room),
                   DPPAIR_OK);
  assert_true(in.lower >= 0.0 && in.lower <= in.upper && in.upper < DBL_MAX);
  return in;
}

static dppair_interval delta_of(double z, size_t t, size_t epochs, double epsilon,
                                dppair_adjacency adjacency) {
  dppair_interval in;
  assert_int_equal(dppair_allocation_delta_(&in, z, t, epochs, epsilon, adjacency, 0, work, room),
                   DPPAIR_OK);
  assert_true(in.lower >= 0.0 && in.lower <= in.upper && in.upper <= 1.0);
  return in;
}

/* One direction's epsilon, remove or add. */
static void sides(double *lower, double *upper, double z, size_t t, size_t epochs, double delta,
                  int add) {
  dppair_density_ table, fold, mirror;
  dppair_pool_ rest;
  assert_int_equal(dppair_allocation_build_(&table, &rest, z, t, work, room), DPPAIR_OK);
  assert_int_equal(dppair_allocation_fold_(&fold, &rest, &table, epochs), DPPAIR_OK);
  if (add) {
    double *const at = dppair_pool_take_(&rest, 2 * fold.size);
    dppair_density_mirror_(&mirror, at, fold.size, &fold);
    fold = mirror;
  }
  assert_int_equal(dppair_density_epsilon_(lower, upper, &fold, delta, rest), DPPAIR_OK);
}

/* --- known answers --- */

static void known_answers_lie_inside_narrow_brackets(void **state) {
  /* each digit certain to half a unit of the last */
  static const struct {
    double z;
    size_t t, epochs;
    double delta, remove, remove_digit, add, add_digit, width;
  } row[] = {{1.0, 2, 1, 1e-5, 3.69738521254, 1e-11, 3.079732588486, 1e-12, 1e-11},
             {2.0, 10, 1, 1e-5, 0.6220592387726, 1e-13, 0.5864209510924, 1e-13, 1e-11},
             {1.0, 100, 1, 1e-5, 0.6209396716198, 1e-13, 0.4219534733183, 1e-13, 1e-10},
             {1.0, 100, 10, 1e-5, 1.701498435829, 1e-12, 1.54772729664, 1e-11, 1e-9},
             {1.0, 100, 100, 1e-5, 6.04353037398, 1e-11, 5.8468197259, 1e-10, 1e-9},
             {1.0, 100, 1, 1e-12, 2.702357860996, 1e-12, 0.7691551218475, 1e-13, 1e-10},
             {0.5, 1000, 1, 1e-5, 3.13415220606, 1e-11, 0.497518818616, 1e-12, 1e-8},
             {1.0, 10000, 100, 1e-6, 0.53095973, 1e-8, 0.529240294, 1e-9, 1e-6}};
  const size_t count = sizeof row / sizeof *row - (BRIEF ? 2 : 0);
  size_t i;
  (void)state;
  for (i = 0; i < count; i++) {
    double lower, upper;
    sides(&lower, &upper, row[i].z, row[i].t, row[i].epochs, row[i].delta, 0);
    assert_true(lower <= row[i].remove + 0.5 * row[i].remove_digit);
    assert_true(upper >= row[i].remove - 0.5 * row[i].remove_digit);
    assert_true(upper - lower <= WIDER * row[i].width * upper);
    sides(&lower, &upper, row[i].z, row[i].t, row[i].epochs, row[i].delta, 1);
    assert_true(lower <= row[i].add + 0.5 * row[i].add_digit);
    assert_true(upper >= row[i].add - 0.5 * row[i].add_digit);
    assert_true(upper - lower <= WIDER * row[i].width * upper);
  }
}

static void one_batch_is_the_gaussian_mechanism(void **state) {
  static const double z[] = {0.3, 1.0, 20.0};
  size_t i, epochs;
  (void)state;
  for (i = 0; i < 3; i++)
    for (epochs = 1; epochs <= 7; epochs += 6) {
      double below, above;
      const double delta = i == 1 ? 1e-10 : 1e-5, mu = sqrt((double)epochs) / z[i];
      dppair_interval in = epsilon_of(z[i], 1, epochs, delta, DPPAIR_ZERO_OUT);
      double exact;
      assert_int_equal(dppair_gaussian_epsilon(&exact, delta, mu), DPPAIR_OK);
      assert_true(in.lower <= exact && in.upper >= exact * (1.0 - 1e-11));
      assert_true(in.upper - in.lower <= 1e-11 * in.upper);
      sides(&below, &above, z[i], 1, epochs, delta, 0);
      assert_true(below <= in.upper && above >= in.lower && above - below <= 1e-9 * above);
      in = delta_of(z[i], 1, epochs, 0.5, DPPAIR_ZERO_OUT);
      assert_int_equal(dppair_gaussian_delta(&exact, 0.5, mu), DPPAIR_OK);
      assert_true(in.lower <= exact && in.upper >= exact * (1.0 - 1e-11));
      assert_true(in.upper - in.lower <= 1e-11 * in.upper);
      in = epsilon_of(z[i], 1, epochs, delta, DPPAIR_REPLACE_ONE);
      assert_int_equal(dppair_gaussian_epsilon(&exact, delta, 2.0 * mu), DPPAIR_OK);
      assert_true(in.lower <= exact && in.upper >= exact * (1.0 - 1e-11));
    }
}

static void replace_one_brackets_match_known_ends(void **state) {
  /* the upper end of the exact pair is at most 1e-4 lower than what is printed here */
  static const struct {
    double z;
    size_t t, epochs;
    double delta, lower, upper;
  } row[] = {{2.0, 10, 1, 1e-5, 0.877365, 1.294083},   {1.0, 100, 1, 1e-5, 0.734893, 1.126328},
             {1.0, 100, 10, 1e-5, 2.377676, 3.527747}, {1.0, 100, 1, 1e-12, 2.769810, 3.564843},
             {0.5, 1000, 1, 1e-5, 3.188195, 3.806881}, {5.0, 100, 1, 1e-5, 0.08676, 0.12679}};
  const size_t count = BRIEF ? 2 : sizeof row / sizeof *row;
  size_t i;
  (void)state;
  for (i = 0; i < count; i++) {
    const dppair_interval in =
        epsilon_of(row[i].z, row[i].t, row[i].epochs, row[i].delta, DPPAIR_REPLACE_ONE);
    assert_true(fabs(in.lower - row[i].lower) <= 1e-5);
    assert_true(fabs(in.upper - row[i].upper) <= 1e-4 * row[i].upper);
  }
  /* one batch: the comonotone pair is the truth, a Gaussian with the shift 2/z; two: its known
   * value, which the closed form beats */
  for (i = 0; i < 2; i++) {
    dppair_density_ table;
    dppair_pool_ rest;
    double upper, exact = 7.61332;
    assert_int_equal(dppair_allocation_build_(&table, &rest, 1.0, i + 1, work, room), DPPAIR_OK);
    assert_int_equal(dppair_replace_upper_(&upper, &table, 1, 0, 1e-5, rest), DPPAIR_OK);
    if (i == 0) assert_int_equal(dppair_gaussian_epsilon(&exact, 1e-5, 2.0), DPPAIR_OK);
    assert_true(upper >= exact * (1.0 - 5e-7) && upper <= exact * (1.0 + 1e-5));
    if (i == 0) {
      assert_true(upper >= exact);
      assert_int_equal(dppair_replace_upper_(&upper, &table, 50, 0, 1e-5, rest), DPPAIR_OK);
      assert_int_equal(dppair_gaussian_epsilon(&exact, 1e-5, 2.0 * sqrt(50.0)), DPPAIR_OK);
      assert_true(upper >= exact && upper <= exact * (1.0 + 1e-4));
    }
  }
}

/* --- direct quadrature --- */

static real tail(real x) { return 0.5L * erfcl(x * 0.70710678118654752440084436210484904L); }

/* E (a e^(s g) - c)_+ for g normal; E (c - a e^(s g))_+ if add. */
static real option(real a, real s, real c, int add) {
  const real d = (logl(c / a)) / s, mean = a * expl(0.5L * s * s);
  return add ? c * tail(-d) - mean * tail(s - d) : mean * tail(d - s) - c * tail(d);
}

/* The mean of e^(r_i/z) for t = 2 or 3, over the coordinates that are orthogonal to the common
 * mode. */
static real rest_of(size_t t, real z, real u, real v) {
  const real a = 0.70710678118654752440084436210484904L, b = 0.40824829046386301636621401245098190L;
  if (t == 2) return 0.5L * (expl(a * u / z) + expl(-a * u / z));
  return (expl((a * u + b * v) / z) + expl((b * v - a * u) / z) + expl(-2.0L * b * v / z)) / 3.0L;
}

/* delta: the common modes of all epochs in closed form, the other one or two dimensions by the
 * trapezoid rule. (t, epochs) = (2, 1), (3, 1), (2, 2). */
static real direct(double z, size_t t, size_t epochs, double epsilon, int add) {
  const real step = 0.0625L, spread = (real)z, e = expl((real)(add ? -epsilon : epsilon));
  const real s = sqrtl((real)epochs / (real)t) / spread;
  const real base = expl(-0.5L * (real)epochs / (spread * spread));
  const int both = t * epochs > 2, n = (int)((12.0L + 1.5L / spread) / step);
  real sum = 0.0L;
  int i, k;
  for (i = -n; i <= n; i++)
    for (k = both ? -n : 0; k <= (both ? n : 0); k++) {
      const real u = step * (real)i, v = step * (real)k;
      const real weight = expl(-0.5L * (u * u + v * v)) * (both ? step * step : step);
      const real a = base * (epochs == 2 ? rest_of(2, spread, u, 0.0L) * rest_of(2, spread, v, 0.0L)
                                         : rest_of(t, spread, u, v));
      if (weight > 1e-40L) sum += weight * option(a, s, e, add);
    }
  sum *= both ? 0.15915494309189533576888376337251436L : 0.39894228040143267793994605993438187L;
  return add ? sum / e : sum;
}

static void direct_quadrature_lies_inside_the_brackets(void **state) {
  static const size_t shape[3][2] = {{2, 1}, {3, 1}, {2, 2}};
  size_t i, k;
  (void)state;
  for (i = 0; i < 3; i++)
    for (k = 0; k < cases(2); k++) {
      const double z = 0.5 + 3.0 * uniform();
      const size_t t = shape[i][0], epochs = shape[i][1];
      const double epsilon = (0.2 + 3.0 * uniform()) * sqrt((double)epochs) / z;
      const real remove = direct(z, t, epochs, epsilon, 0), add = direct(z, t, epochs, epsilon, 1);
      const real truth = remove > add ? remove : add;
      const dppair_interval in = delta_of(z, t, epochs, epsilon, DPPAIR_ZERO_OUT);
      double lower, upper;
      assert_true((real)in.lower <= truth * (1.0L + 1e-14L));
      assert_true((real)in.upper >= truth * (1.0L - 1e-14L));
      assert_true(in.upper - in.lower <= WIDER * 1e-10 * in.upper);
      /* the add direction alone: the root from both sides */
      sides(&lower, &upper, z, t, epochs, (double)add, 1);
      assert_true(lower <= epsilon * (1.0 + 1e-13) && upper >= epsilon * (1.0 - 1e-13));
    }
}

/* --- simulation --- */

/* Sums of what a sample says about delta. */
typedef struct sample {
  double sum, square;
  size_t n;
} sample;

static void add_to(sample *s, double loss, double epsilon) {
  const double x = loss > epsilon ? -expm1(epsilon - loss) : 0.0;
  s->sum += x;
  s->square += x * x;
  s->n++;
}

/* The true delta is within six standard errors of the sample's mean: is the bracket there too? */
static void assert_near(const sample *s, dppair_interval in) {
  const double mean = s->sum / (double)s->n;
  const double spread =
      6.0 * sqrt((s->square / (double)s->n - mean * mean) / (double)s->n) + 30.0 / (double)s->n;
  assert_true(in.lower <= mean + spread);
  assert_true(in.upper >= mean - spread);
}

/* The losses of all epochs, drawn under the first measure of remove, of add and of one replaced
 * record. */
static void draw_losses(double loss[3], double z, size_t t, size_t epochs) {
  size_t e, i;
  loss[0] = loss[1] = loss[2] = 0.0;
  for (e = 0; e < epochs; e++) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (i = 0; i < t; i++) {
      const double x = normal(), moved = i == 0 ? x + 1.0 / z : x;
      sum[0] += exp(moved / z);
      sum[1] += exp(x / z);
      sum[2] += exp(moved / z);
      sum[3] += exp(-moved / z);
    }
    loss[0] += log(sum[0] / (double)t) - 0.5 / (z * z);
    loss[1] -= log(sum[1] / (double)t) - 0.5 / (z * z);
    loss[2] += log(sum[2] / sum[3]);
  }
}

static void simulated_losses_agree(void **state) {
  size_t i, k;
  (void)state;
  for (i = 0; i < cases(2); i++) {
    const double z = 0.6 + 1.5 * uniform();
    const size_t t = 10 + below(i % 2 == 0 ? 30 : 200), epochs = 1 + below(i % 2 == 0 ? 6 : 2);
    const double epsilon = epsilon_of(z, t, epochs, 0.02, DPPAIR_ZERO_OUT).upper;
    const size_t n = 1000000 / (t * epochs) * (BRIEF ? 1 : 2);
    sample s[3];
    double losses[3];
    dppair_interval in;
    int way;
    memset(s, 0, sizeof s);
    for (k = 0; k < n; k++) {
      draw_losses(losses, z, t, epochs);
      for (way = 0; way < 3; way++) add_to(&s[way], losses[way], epsilon);
    }
    for (way = 1; way <= 2; way++) {
      assert_int_equal(
          dppair_allocation_delta_(&in, z, t, epochs, epsilon, DPPAIR_ZERO_OUT, way, work, room),
          DPPAIR_OK);
      assert_near(&s[way - 1], in);
    }
    in = delta_of(z, t, epochs, epsilon, DPPAIR_REPLACE_ONE);
    assert_near(&s[2], in);
  }
}

/* --- errors that are carried along --- */

/* Moves every value by 0.97 of an error that it then claims. */
static void move_table(dppair_density_ *d, int pattern) {
  size_t i;
  for (i = 0; i < d->size; i++) {
    const int64_t at = d->first + (int64_t)i;
    const int up = pattern == 0   ? 1
                   : pattern == 1 ? 0
                   : pattern == 2 ? (int)(i & 1)
                   : pattern == 3 ? at > 0
                                  : (int)(i / 8 & 1);
    d->f[i] *= 1.0 + (up ? 0.97e-6 : -0.97e-6);
    d->error[i] = d->error[i] * 1.00001 + 1.00001e-6;
  }
}

/* Two and two batches, then `epochs` epochs; moved after one batch (1), after two (2), after four
 * (3) or never (0). */
static void moved(double *lower, double *upper, size_t epochs, int when, int pattern, int add) {
  const double h = dppair_short_(0.05);
  dppair_density_ d[4];
  dppair_pool_ pool;
  double *at[5];
  int i;
  pool.at = work;
  pool.left = room;
  for (i = 0; i < 5; i++) at[i] = dppair_pool_take_(&pool, 20000);
  assert_int_equal(dppair_density_batch_(&d[0], at[0], 10000, 1.0, h, 15.0), DPPAIR_OK);
  if (when == 1) move_table(&d[0], pattern);
  for (i = 0; i < 2; i++) {
    assert_int_equal(dppair_combine_tables_(&d[i + 1], at[i + 1], 10000, &d[i], 1.0 + i, &d[i],
                                            1.0 + i, 1.0, 1 + i, 1e-47, pool),
                     DPPAIR_OK);
    if (when == i + 2) move_table(&d[i + 1], pattern);
  }
  assert_int_equal(dppair_epochs_run_(&d[3], &d[2], epochs, pool.at, pool.left, 10000), DPPAIR_OK);
  assert_non_null(dppair_pool_take_(&pool, 20000));
  if (add) {
    dppair_density_mirror_(&d[0], at[4], 10000, &d[3]);
    d[3] = d[0];
  }
  assert_int_equal(dppair_density_epsilon_(lower, upper, &d[3], 1e-5, pool), DPPAIR_OK);
}

static void moved_tables_stay_inside_what_they_claim(void **state) {
  double most = 0.0;
  int when, pattern, add;
  (void)state;
  for (add = 0; add < 2; add++) {
    double truth[2], lower, upper;
    moved(&truth[0], &truth[1], 5, 0, 0, add);
    assert_true(truth[1] - truth[0] <= WIDER * 1e-10 * truth[1]);
    for (when = 1; when <= 3; when++)
      for (pattern = 0; pattern < (BRIEF ? 2 : 5); pattern++) {
        double used;
        moved(&lower, &upper, 5, when, pattern, add);
        assert_true(lower <= truth[1] && upper >= truth[0]);
        used = fabs(truth[0] - 0.5 * (lower + upper)) / (0.5 * (upper - lower));
        if (used > most) most = used;
      }
  }
  assert_true(most > 0.6 && most < 1.0); /* the bounds are not idle */
}

/* --- what other routes read --- */

static void moments_match_closed_forms_and_cells_hold_all_mass(void **state) {
  static const struct {
    double z;
    size_t t;
    double step;
  } row[] = {{1.0, 100, 2e-4}, {0.6, 7, 0.02}, {3.0, 1000, 1e-5}, {0.3, 3, 1.0}};
  size_t i, k;
  (void)state;
  for (i = 0; i < (BRIEF ? 2 : 4); i++) {
    const double z = row[i].z, t = (double)row[i].t, one = exp(1.0 / (z * z));
    const double square = log1p((one - 1.0) / t);
    const double cube = log((one * one * one + (t - 1.0) * (3.0 * one + (t - 2.0))) / (t * t));
    const size_t size = (size_t)1 << 17;
    double upper, other, re, im, error, *const right = (double *)calloc(size, sizeof(double));
    double *const left = (double *)calloc(size, sizeof(double));
    dppair_density_ table;
    dppair_atoms_ pair;
    dppair_pool_ rest;
    int add;
    assert_true(right != NULL && left != NULL);
    assert_int_equal(dppair_allocation_build_(&table, &rest, z, row[i].t, work, room), DPPAIR_OK);
    dppair_density_log_moment_(&upper, &table, z, 2.0);
    assert_true(upper >= square && upper <= square * (1.0 + 1e-6) + 1e-8);
    dppair_density_log_moment_(&upper, &table, z, 3.0);
    assert_true(upper >= cube && upper <= cube * (1.0 + 1e-5) + 1e-8);
    dppair_density_moment_(&re, &im, &error, &table, 1.0, 0.0);
    assert_true(fabs(re - exp(square)) <= error + 1e-6 * re && fabs(im) <= error);
    /* E L^-k <= E X^-k, and it grows with k */
    dppair_density_log_moment_(&upper, &table, z, -1.0);
    dppair_density_log_moment_(&other, &table, z, -2.5);
    assert_true(upper > 0.0 && other > upper && other <= 0.5 * 2.5 * 3.5 / (z * z) * (1.0 + 1e-12));
    for (add = 0; add < 2; add++) {
      dppair_cells_ cells;
      size_t begin, end;
      memset(&cells, 0, sizeof cells);
      memset(right, 0, size * sizeof *right);
      memset(left, 0, size * sizeof *left);
      cells.h = row[i].step;
      cells.growth = exp(cells.h);
      cells.right = right;
      cells.left = left;
      cells.size = size;
      cells.first =
          (int64_t)floor(table.h / cells.h *
                         (double)(add ? -(table.first + (int64_t)table.size) : table.first)) -
          2;
      assert_int_equal(dppair_density_cells_(&cells, &table, add), DPPAIR_OK);
      assert_true(dppair_cells_used_(&begin, &end, &cells));
      assert_int_equal(dppair_cells_check_(&cells, begin, end), DPPAIR_OK);
      assert_true(cells.mass_error < 1e-8 * WIDER && cells.infinity < 1e-16);
    }
    assert_int_equal(dppair_atoms_of_(&pair, &table, &rest), DPPAIR_OK);
    for (k = 0, re = pair.infinity; k < pair.size; k++) re += pair.mass[k];
    assert_true(re >= 1.0 && re <= 1.0 + 1e-6 * WIDER);
    free(right);
    free(left);
  }
}

/* --- order --- */

static void curves_are_ordered_in_every_argument(void **state) {
  size_t i;
  (void)state;
  for (i = 0; i < cases(3); i++) {
    const double z = 0.6 + 2.0 * uniform(), delta = pow(10.0, -3.0 - 6.0 * uniform());
    const size_t t = 2 + below(60), epochs = 1 + below(20);
    const dppair_interval in = epsilon_of(z, t, epochs, delta, DPPAIR_ZERO_OUT);
    const dppair_interval pair = epsilon_of(z, t, epochs, delta, DPPAIR_REPLACE_ONE);
    double exact;
    assert_true(pair.lower >= in.lower && pair.upper >= in.upper);
    assert_true(epsilon_of(1.1 * z, t, epochs, delta, DPPAIR_ZERO_OUT).lower <= in.upper);
    assert_true(epsilon_of(z, t + 1, epochs, delta, DPPAIR_ZERO_OUT).lower <= in.upper);
    assert_true(epsilon_of(z, t, epochs + 1, delta, DPPAIR_ZERO_OUT).upper >= in.lower);
    assert_true(epsilon_of(z, t, epochs, 0.5 * delta, DPPAIR_ZERO_OUT).upper >= in.lower);
    assert_int_equal(dppair_gaussian_epsilon(&exact, delta, sqrt((double)epochs) / z), DPPAIR_OK);
    assert_true(in.lower <= exact);
    /* there and back */
    assert_true(delta_of(z, t, epochs, in.upper, DPPAIR_ZERO_OUT).lower <= delta);
    assert_true(delta_of(z, t, epochs, in.lower, DPPAIR_ZERO_OUT).upper >= delta * (1.0 - 1e-13));
  }
}

/* --- hostile arguments --- */

static dppair_status asked(double z, size_t t, size_t epochs, double given, int delta) {
  dppair_interval in;
  dppair_status status;
  memset(&in, 1, sizeof in);
  status =
      delta ? dppair_allocation_delta_(&in, z, t, epochs, given, DPPAIR_ZERO_OUT, 0, work, room)
            : dppair_allocation_epsilon_(&in, z, t, epochs, given, DPPAIR_ZERO_OUT, 0, work, room);
  if (status != DPPAIR_OK) {
    assert_true(in.lower == 0.0 && in.upper == 0.0);
  } else {
    assert_true(in.lower >= 0.0 && in.lower <= in.upper && in.upper < DBL_MAX);
  }
  return status;
}

static void hostile_arguments_are_errors(void **state) {
  static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1.0, 0.0};
  dppair_interval in;
  size_t i;
  (void)state;
  for (i = 0; i < 5; i++) {
    assert_int_not_equal(asked(bad[i], 10, 1, 1e-5, 0), DPPAIR_OK);
    assert_int_not_equal(asked(1.0, 10, 1, bad[i], 0), DPPAIR_OK);
    if (i < 4) assert_int_not_equal(asked(1.0, 10, 1, bad[i], 1), DPPAIR_OK);
  }
  assert_int_equal(asked(1.0, 10, 1, 1.0, 0), DPPAIR_ERR_DELTA);
  assert_int_equal(asked(0.0999, 10, 1, 1e-5, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(asked(1.1e6, 10, 1, 1e-5, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(asked(1.0, 0, 1, 1e-5, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(asked(1.0, 1000001, 1, 1e-5, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(asked(1.0, SIZE_MAX, 1, 1e-5, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(asked(1.0, 10, 0, 1e-5, 0), DPPAIR_ERR_STEPS);
  assert_int_equal(asked(1.0, 10, 10001, 1e-5, 0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(
      dppair_allocation_epsilon_(&in, 1.0, 10, 1, 1e-5, DPPAIR_ZERO_OUT, 0, work, 1000),
      DPPAIR_ERR_WORKSPACE);
  assert_int_equal(
      dppair_allocation_epsilon_(&in, 1.0, 10, 1, 1e-5, DPPAIR_ZERO_OUT, 0, NULL, room),
      DPPAIR_ERR_WORKSPACE);
  /* answers at the edges: an error, or an interval */
  asked(1.0, 10, 1, 1e-300, 0);
  asked(1.0, 10, 1, 0.999999, 0);
  asked(1.0, 10, 1, 1e300, 1);
  asked(1.0, 10, 1, 0.0, 1);
  asked(0.1, 3, 10000, 1e-5, 0);
  asked(1e6, 3, 10000, 1e-5, 0);
  assert_int_equal(asked(1.0, 3, 1, 0.9, 0), DPPAIR_OK);
}

static void random_arguments_give_intervals_or_errors(void **state) {
  size_t i, answers = 0;
  (void)state;
  for (i = 0; i < 3 * cases(2); i++) {
    const double z = log_between(0.1, 1e4);
    const size_t most = z < 0.4 ? 200 : (i % 10 == 9 ? 100000 : 2000);
    const size_t t = (size_t)log_between(1.0, (double)most);
    const size_t epochs = (size_t)log_between(1.0, 10000.0);
    const double delta = log_between(1e-20, 0.99);
    answers += asked(z, t, epochs, delta, 0) == DPPAIR_OK;
    answers += asked(z, t, epochs, 5.0 * uniform() * sqrt((double)epochs) / z, 1) == DPPAIR_OK;
  }
  assert_true(answers > 0);
}

static int open_work(void **state) {
  (void)state;
  room = dppair_allocation_doubles_();
  work = (double *)malloc(room * sizeof *work);
  return work == NULL;
}

static int close_work(void **state) {
  (void)state;
  free(work);
  return 0;
}

/* What a function of a table answers with so many doubles behind it. */
static dppair_status short_of(int function, double *upper, const dppair_density_ *table,
                              dppair_pool_ pool) {
  static const dppair_allocation_question_ removed = {2.0, 5, 1, 0, 1e-5, DPPAIR_ZERO_OUT, 0};
  static const dppair_allocation_question_ replaced = {2.0, 5, 1, 1, 1.0, DPPAIR_REPLACE_ONE, 0};
  dppair_density_ made;
  dppair_interval in;
  double lower;
  dppair_status status;
  memset(&in, 0, sizeof in);
  *upper = 0.0;
  switch (function) {
  case 0:
    return dppair_density_epsilon_(&lower, upper, table, 1e-5, pool);
  case 1:
    return dppair_density_delta_(&lower, upper, table, 1.0, pool);
  case 2:
    status = dppair_allocated_zero_(&in, &removed, table, pool);
    *upper = in.upper;
    return status;
  case 3:
    status = dppair_allocated_replaced_(&in, &replaced, table, table, pool);
    *upper = in.upper;
    return status;
  case 4:
    return dppair_replace_upper_(upper, table, 3, 0, 1e-5, pool);
  case 5:
    return dppair_allocation_fold_(&made, &pool, table, 3);
  case 6:
    return dppair_levels_run_(&made, 2.0, 5, pool.at, pool.left, 4000);
  default:
    return dppair_epochs_run_(&made, table, 3, pool.at, pool.left, 4000);
  }
}

static void pools_that_are_too_short_are_refused(void **state) {
  enum { SHARES = 60, GUARDS = 8 };
  const double guard = 0.123456789;
  int function;
  (void)state;
  for (function = 0; function < 8; function++) {
    double whole, upper;
    dppair_density_ table;
    dppair_pool_ rest, pool;
    dppair_status status;
    size_t share, i, refused = 0;
    assert_int_equal(dppair_allocation_build_(&table, &rest, 2.0, 5, work, room), DPPAIR_OK);
    rest.left = 250000;
    assert_int_equal(short_of(function, &whole, &table, rest), DPPAIR_OK);
    for (share = 0; share < SHARES; share++) {
      pool.at = rest.at;
      pool.left = rest.left * share / SHARES;
      for (i = 0; i < GUARDS; i++) pool.at[pool.left + i] = guard;
      status = short_of(function, &upper, &table, pool);
      for (i = 0; i < GUARDS; i++) assert_true(pool.at[pool.left + i] == guard);
      if (status == DPPAIR_OK && upper == whole) break;
      refused++;
      /* without the comonotone pair nothing is claimed of replace-one */
      assert_true(function == 3 && status == DPPAIR_OK
                      ? upper >= HUGE_VAL
                      : status == DPPAIR_ERR_WORKSPACE || status == DPPAIR_ERR_NO_CONVERGENCE);
    }
    assert_true(refused > 0 && share < SHARES);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(known_answers_lie_inside_narrow_brackets),
      TEST(replace_one_brackets_match_known_ends),
      TEST(one_batch_is_the_gaussian_mechanism),
      TEST(direct_quadrature_lies_inside_the_brackets),
      TEST(moved_tables_stay_inside_what_they_claim),
      TEST(moments_match_closed_forms_and_cells_hold_all_mass),
      TEST(simulated_losses_agree),
      TEST(curves_are_ordered_in_every_argument),
      TEST(pools_that_are_too_short_are_refused),
      TEST(hostile_arguments_are_errors),
      TEST(random_arguments_give_intervals_or_errors),
  };
  return RUN_TESTS(tests, open_work, close_work);
}
