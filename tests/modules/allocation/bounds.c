/* SPDX-License-Identifier: MIT */
/*
 * The bounds of random allocation, one by one: each part of the tables that adds, cuts or charges
 * something against its definition in long double, at inputs where that part decides. (allocation.c
 * asks the whole, whose slack would hide an error of one part.)
 */
#include <float.h>
#ifndef RANDOM_SEED
#define RANDOM_SEED 21
#endif
#include "tests.h"

#include "dppair_allocation.h"
#include "dppair_accountant.h"

typedef long double real;

#define PI_L 3.14159265358979323846264338327950288L

static double *work;
static size_t room;

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

static dppair_pool_ whole_pool(void) {
  dppair_pool_ pool;
  pool.at = work;
  pool.left = room;
  return pool;
}

/* The table of one batch, at the front of the pool. */
static dppair_density_ one_batch(dppair_pool_ *pool, double z, double h) {
  const size_t nodes = 20000;
  dppair_density_ d;
  double *const at = dppair_pool_take_(pool, 2 * nodes);
  assert_non_null(at);
  assert_int_equal(dppair_density_batch_(&d, at, nodes, z, dppair_short_(h), 15.0), DPPAIR_OK);
  return d;
}

static real normal_density(real x) { return expl(-0.5L * x * x) / sqrtl(2.0L * PI_L); }

/* What a function finds on the stack that it does not set is no zero. */
static void dirty_stack(void) {
  volatile unsigned char area[1 << 15];
  size_t i;
  for (i = 0; i < sizeof area; i++) area[i] = 0x47;
}

/* --- sums --- */

static void folded_tables_are_the_sums_that_define_them(void **state) {
  enum { MOST = 21 };
  double x[MOST], y[MOST], out[2 * MOST + 8];
  size_t nx, ny, stride, i, k;
  (void)state;
  for (i = 0; i < MOST; i++) { /* whole numbers: every sum is exact */
    x[i] = (double)(1 + below(1000));
    y[i] = (double)(1 + below(1000));
  }
  for (nx = 1; nx <= MOST; nx++)
    for (ny = 1; ny <= MOST; ny++)
      for (stride = 1; stride <= 3; stride++) {
        for (k = 0; k < sizeof out / sizeof *out; k++) out[k] = (double)k;
        dppair_fold_(out, x, nx, y, ny, stride);
        for (k = 0; k < sizeof out / sizeof *out; k++) {
          double sum = (double)k;
          for (i = 0; i < nx && k < nx + ny - 1; i += stride)
            if (i <= k && k - i < ny) sum += x[i] * y[k - i];
          assert_true(out[k] == sum);
        }
      }
}

/* Two epochs of one batch: N(-1/z^2, 2/z^2), from steps that are short enough for the sum over
 * every second node, for every node, and for nothing. */
static void sums_of_epochs_are_within_their_errors_up_to_the_widest_step(void **state) {
  static const double reach[] = {0.1, 0.349, 0.351, 0.5, 0.699, 0.701};
  size_t i, k;
  (void)state;
  for (i = 0; i < 6; i++) {
    dppair_pool_ pool = whole_pool();
    const dppair_density_ d = one_batch(&pool, 1.0, reach[i] / sqrt(2.0));
    double *const at = dppair_pool_take_(&pool, 40000);
    const double steps = d.h * sqrt(2.0) * (reach[i] > 0.35 ? 1.0 : 2.0);
    const real least = 2.0L * expl(-PI_L * PI_L * 2.0L / (real)(steps * steps));
    dppair_density_ sum;
    const dppair_status status = dppair_density_add_(&sum, at, 20000, &d, &d, pool);
    assert_int_equal(status, reach[i] < 0.7 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE);
    if (status != DPPAIR_OK) continue;
    assert_true(sum.curvature == 0.5);
    for (k = 0; k < sum.size; k++) {
      const real l = (real)sum.h * (real)(sum.first + (int64_t)k);
      const real truth = normal_density((l + 1.0L) / sqrtl(2.0L)) / sqrtl(2.0L);
      assert_true(fabsl((real)sum.f[k] - truth) <= (real)(sum.f[k] * sum.error[k]));
      assert_true((real)sum.error[k] >= least);
    }
    k = sum.size / 2;
    assert_true((real)sum.error[k] <= 1.001L * least + 1e-13L);
    assert_true(sum.outside > 0.0 && sum.outside < 1e-40 && sum.beyond < 1e-40);
  }
}

/* Any number of epochs of one batch, by their bits and on ever wider lattices: N(-E/(2z^2), E/z^2).
 */
static void epochs_of_one_batch_are_normal_within_their_errors(void **state) {
  static const size_t epochs[] = {1, 2, 3, 5, 6, 7, 8, 50};
  size_t i, k;
  (void)state;
  for (i = 0; i < 8; i++) {
    dppair_pool_ pool = whole_pool();
    const dppair_density_ d = one_batch(&pool, 1.0, 0.06);
    const real count = (real)epochs[i];
    dppair_density_ sum;
    assert_int_equal(dppair_epochs_run_(&sum, &d, epochs[i], pool.at, pool.left, 3 * d.size + 256),
                     DPPAIR_OK);
    assert_true(sum.f == pool.at && fabs(sum.curvature * (double)count - 1.0) < 1e-12);
    for (k = 0; k < sum.size; k++) {
      const real l = (real)sum.h * (real)(sum.first + (int64_t)k);
      const real truth = normal_density((l + 0.5L * count) / sqrtl(count)) / sqrtl(count);
      assert_true(fabsl((real)sum.f[k] - truth) <= (real)(sum.f[k] * sum.error[k]));
    }
    /* where the mass is, the errors are small */
    k = (size_t)((int64_t)floor(-0.5 * (double)count / sum.h) - sum.first);
    assert_true(k < sum.size && sum.error[k] < 1e-11);
    assert_true(sum.outside > 0.0 && sum.outside < 1e-30);
    assert_true(sum.h * (double)sum.first < -0.5 * (double)count - 9.0 * sqrt((double)count));
  }
}

/* f_2: two batches by the trapezoid rule over (x_1 - x_2)/sqrt(2), given which the loss is
 * normal. */
static real two_batches(real z, real l) {
  const real scale = sqrtl(2.0L) * z, step = 0.125L;
  real sum = 0.0L, v;
  for (v = -24.0L; v <= 24.0L; v += step)
    sum +=
        normal_density(v) * normal_density(scale * (l + 0.5L / (z * z) - logl(coshl(v / scale))));
  return sum * step * scale;
}

/* The places of the sum over d = l_a - l_b, opened for a table and itself. */
static dppair_runs_ opened(dppair_pool_ *pool, const dppair_density_ *d, double z, int split) {
  dppair_runs_ r;
  memset(&r, 0, sizeof r);
  r.m.a = r.m.b = d;
  r.m.n_a = r.m.n_b = 1.0;
  r.m.z = z;
  r.m.split = split;
  assert_int_equal(dppair_meeting_open_(&r.m, pool), DPPAIR_OK);
  r.terms = dppair_pool_take_(pool, 2 * r.m.count);
  assert_non_null(r.terms);
  return r;
}

static void terms_that_a_run_skips_are_charged(void **state) {
  static const double part[] = {1e-9, 1e-4, 0.02};
  dppair_pool_ pool = whole_pool();
  const dppair_density_ d = one_batch(&pool, 1.0, 0.05);
  const dppair_runs_ r = opened(&pool, &d, 1.0, 2);
  int64_t run;
  size_t phase, i, k;
  (void)state;
  for (run = -4; run <= 2; run++) {
    const int64_t j = DPPAIR_RUN_ * run;
    double most = 0.0;
    dppair_tilt_ tilt;
    dppair_tilt_of_(&tilt, dppair_meeting_sum_(&r.m, j, 0, r.terms),
                    dppair_meeting_sum_(&r.m, j + DPPAIR_RUN_, 0, r.terms + r.m.count), r.m.h);
    for (k = 0; k < 2 * r.m.count; k++) most = dppair_larger_(most, r.terms[k]);
    for (phase = 0; phase < 2; phase++)
      for (i = 0; i < 3; i++) {
        double all[DPPAIR_RUN_], some[DPPAIR_RUN_], bad[DPPAIR_RUN_], worse[DPPAIR_RUN_];
        double skipped = 0.0, spare = part[i] * most;
        int n;
        dppair_run_(all, bad, &r, &tilt, j, phase, 0.0);
        dppair_run_(some, worse, &r, &tilt, j, phase, spare);
        for (k = 0; k < r.m.count; k++)
          if (dppair_run_skips_(&r, k, spare))
            skipped += r.m.block * dppair_larger_(r.terms[k], r.terms[r.m.count + k]);
        assert_true(skipped > 0.0);
        for (n = 0; n < DPPAIR_RUN_; n++) {
          const real l = (real)r.m.h * ((real)(j + n) + 0.5L * (real)phase);
          const real truth = two_batches(1.0L, l) / (real)r.m.gap;
          assert_true(fabsl((real)all[n] - truth) <= (real)bad[n]);
          assert_true(fabsl((real)some[n] - truth) <= (real)worse[n]);
          assert_true(worse[n] >= 0.999 * skipped && worse[n] <= 1.0001 * (bad[n] + skipped));
        }
      }
  }
}

static void tables_of_two_batches_hold_the_truth_at_every_node(void **state) {
  static const struct {
    double z, h;
    int split;
  } row[] = {{1.0, 0.05, 2}, {0.5, 0.12, 1}, {4.0, 0.015, 2}};
  size_t i, k;
  (void)state;
  for (i = 0; i < 3; i++) {
    dppair_pool_ pool = whole_pool();
    const dppair_density_ d = one_batch(&pool, row[i].z, row[i].h);
    double *const at = dppair_pool_take_(&pool, 40000);
    dppair_density_ two;
    size_t sure = 0;
    dirty_stack();
    assert_int_equal(dppair_combine_tables_(&two, at, 20000, &d, 1.0, &d, 1.0, row[i].z,
                                            row[i].split, 1e-47, pool),
                     DPPAIR_OK);
    for (k = 0; k < two.size; k += 3) {
      const real l = (real)two.h * (real)(two.first + (int64_t)k);
      const real truth = two_batches((real)row[i].z, l), f = (real)two.f[k];
      assert_true(fabsl(f - truth) <= f * (real)two.error[k]);
      sure += two.error[k] < 1e-12;
    }
    assert_true(sure > two.size / 20);
    assert_true(two.outside > 0.0 && two.outside < 1e-40 && two.beyond < 1e-38);
  }
}

/* --- constants --- */

/* The product of y - node over all nodes -7 .. 8 but q - 7, over what it is at that node; *slope:
 * its derivative. */
static real lagrange(real *slope, int q, real y) {
  real value = 1.0L, sum = 0.0L;
  int j;
  for (j = 0; j < DPPAIR_TAPS_; j++)
    if (j != q) {
      value *= (y - (real)(j - 7)) / (real)(q - j);
      sum += 1.0L / (y - (real)(j - 7));
    }
  *slope = value * sum;
  return value;
}

static void weights_and_their_bounds_are_those_of_the_interpolation(void **state) {
  int i, q;
  (void)state;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    real most = 0.0L, steepest = 0.0L;
    for (i = 0; i < 997; i++) {
      const real y = ((real)i + 0.5L) / 997.0L;
      real w[DPPAIR_TAPS_], slope;
      const real own = lagrange(&slope, q, y);
      dppair_taps_(w, y);
      assert_true(fabsl(w[q] - own) <= 96.0L * (real)LDBL_EPSILON * fabsl(own));
      if (fabsl(own) > most) most = fabsl(own);
      if (fabsl(slope) > steepest) steepest = fabsl(slope);
    }
    assert_true((real)dppair_tap_most_((size_t)q) >= most);
    assert_true((real)dppair_tap_most_((size_t)q) <= 1.01L * most);
    assert_true((real)dppair_tap_slope_((size_t)q) >= steepest);
    assert_true((real)dppair_tap_slope_((size_t)q) <= 1.01L * steepest);
  }
}

static void tilts_are_what_the_neighbours_ask_for_and_so_is_their_spread(void **state) {
  /* the ends of [-0.6, 0.6] from both sides, and halves of 1/256 */
  static const double fall[] = {0.0,    0.2,     -0.35,          3.0,           -3.0, 0.605, 0.5945,
                                -0.604, -0.5955, 100.4975 / 256, 100.5025 / 256};
  size_t i;
  int q;
  (void)state;
  for (i = 0; i < sizeof fall / sizeof *fall; i++) {
    const double h = 0.07, p = floor(fmin(0.6, fmax(-0.6, fall[i])) * 256.0 + 0.5) / 256.0;
    dppair_tilt_ tilt;
    real spread = 0.0L;
    dppair_tilt_of_(&tilt, 1e-3, 1e-3 * exp(32.0 * fall[i]), h);
    assert_true(tilt.p == p);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const real decay = expl(-(real)tilt.p * (real)(q - 7)), grow = expl((real)fabs(tilt.p));
      const real most = (real)dppair_tap_most_((size_t)q), least = expl((real)((8 - q) * h));
      const real slope =
          grow * decay * ((real)dppair_tap_slope_((size_t)q) + (real)fabs(tilt.p) * most);
      assert_true(fabsl((real)tilt.decay[q] - decay) <= 4e-16L * decay);
      assert_true((real)tilt.slope[q] >= slope && (real)tilt.slope[q] <= 1.00001L * slope);
      spread += grow * most * decay * (least > 1.0L ? least : 1.0L);
    }
    assert_true((real)tilt.spread >= spread && (real)tilt.spread <= 1.00001L * spread);
  }
}

/* theory.h, 3: over each arc of the circle about a cell's centre, all of the error's integrand that
 * does not depend on the density. */
static void arcs_bound_the_integrand_of_the_interpolation_error(void **state) {
  static const double bend[] = {1e-6, 1.0 / 64, 0.1};
  size_t i;
  int rho, j, k;
  (void)state;
  for (i = 0; i < 3; i++) {
    double arc[2 * DPPAIR_RADIUS_];
    dppair_arcs_(arc, bend[i]);
    for (rho = -32; rho < 32; rho++) {
      const real from = acosl((real)(rho + 1) / 32.0L), to = acosl((real)rho / 32.0L);
      real sum = 0.0L, most = 0.0L;
      for (k = 0; k <= 200; k++) {
        const real theta = from + (to - from) * (real)k / 200.0L;
        const real re = 1024.0L * cosl(2.0L * theta), im = 1024.0L * sinl(2.0L * theta);
        const real height = 32.0L * sinl(theta);
        real value = 32.0L / 31.5L * expl(0.5L * (real)bend[i] * height * height);
        for (j = 0; j < 8; j++) {
          const real square = ((real)j + 0.5L) * ((real)j + 0.5L);
          value *= square / hypotl(re - square, im);
        }
        if (value > most) most = value;
        sum += value * (k == 0 || k == 200 ? 0.5L : 1.0L) / 200.0L;
      }
      /* both halves of the circle, over 2 pi */
      sum *= (to - from) / PI_L;
      most *= (to - from) / PI_L;
      assert_true((real)arc[32 + rho] >= most * (1.0L - 1e-9L));
      /* the weights' and the density's extremes lie at different ends of an arc */
      assert_true((real)arc[32 + rho] <= 1.00001L * most * expl(0.5L * (real)bend[i] * 64.0L));
      if (i == 0) assert_true((real)arc[32 + rho] <= 1.3L * sum);
    }
  }
}

/* g of theory.h, item 2: the supremum over all alpha whose shift is at most `ahead` outputs. */
static real gain(const dppair_meeting_ *m, real gap, real ahead) {
  const real s = ahead * (real)m->h / (real)m->split, square = (real)m->z * (real)m->z;
  const real larger = (real)dppair_larger_(m->n_a, m->n_b) * square;
  const real widest = 2.0L * acosl(expl(-s)), best = 2.0L * PI_L / (gap * larger);
  const real alpha = widest < best ? widest : best;
  return 2.0L * PI_L * alpha / gap - 0.5L * larger * alpha * alpha -
         0.125L * square * (real)m->n * s * s;
}

static void the_shift_of_the_trapezoid_bound_covers_its_strip(void **state) {
  int i;
  (void)state;
  for (i = 0; i < 60; i++) {
    dppair_meeting_ m;
    double g = -1.0, gap;
    int64_t ahead = -1;
    memset(&m, 0, sizeof m);
    m.z = exp(3.0 * uniform() - 1.0);
    m.n_a = 1.0 + floor(20.0 * uniform());
    m.n_b = m.n_a + (double)(i % 2);
    m.n = m.n_a + m.n_b;
    m.split = 1 + i % 3 / 2;
    m.h = (i % 5 == 0 ? 1e-4 : 0.05 + 0.07 * uniform()) / (m.z * sqrt(m.n));
    gap = (0.2 + 0.8 * uniform()) / (m.z * sqrt(m.n));
    {
      const double best = dppair_meeting_gain_(&g, &ahead, &m, gap);
      const double shift = 15.0 * m.z * sqrt(m.n) * m.h / (double)m.split;
      const real least = gain(&m, (real)gap, (real)ahead);
      real most = 0.0L;
      int64_t k;
      assert_true(ahead > 0 && (real)g < least);
      assert_true(fabs(g - shift * (double)ahead - best) <= 2e-6);
      /* and no other shift would be much better */
      for (k = 1; k <= 4 * ahead; k += 1 + ahead / 20) {
        const real other = gain(&m, (real)gap, (real)k) - (real)shift * (real)k;
        if (other > most) most = other;
      }
      assert_true((real)best >= 0.9L * most - (real)shift);
      if (i % 5 == 0) assert_true((real)g > 0.99L * least);
    }
  }
}

static void cuts_keep_what_is_certain_about_the_largest_value(void **state) {
  enum { MOST = 12 };
  int i;
  (void)state;
  for (i = 0; i < 3000; i++) {
    double f[MOST], space[MOST + 4], *const error = space + 2;
    dppair_density_ d;
    size_t begin = 99, end = 99, k, peak = 0, from, to;
    memset(&d, 0, sizeof d);
    d.f = f;
    d.size = 1 + below(MOST);
    /* what lies beside the arrays is certain on one side, and uncertain on the other */
    space[0] = space[1] = 1e9 * (i & 1);
    for (k = 0; k < MOST + 2; k++) error[k] = 1e9 * (~i & 1);
    for (k = 0; k < d.size; k++) {
      f[k] = 1.0 + uniform();
      error[k] = f[k] * (below(5) > 0 ? 999.0 : below(2) ? 1001.0 : (double)NAN);
      if (f[k] > f[peak]) peak = k;
    }
    dppair_cut_ends_(&begin, &end, &d, error);
    for (from = peak + 1; from > 0 && error[from - 1] < 1000.0 * f[from - 1];) from--;
    for (to = peak; to < d.size && error[to] < 1000.0 * f[to];) to++;
    assert_true(begin == from && end == to);
  }
}

static void too_small_a_workspace_is_refused_where_tables_are_made(void **state) {
  const size_t need = dppair_allocation_workspace_(1.0, 5);
  dppair_density_ table;
  dppair_pool_ rest;
  (void)state;
  assert_int_equal(dppair_allocation_build_(&table, &rest, 1.0, 5, work, need), DPPAIR_OK);
  assert_int_equal(dppair_allocation_build_(&table, &rest, 1.0, 5, work, need - 1),
                   DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_allocation_build_(&table, &rest, 1.0, 5, NULL, need),
                   DPPAIR_ERR_WORKSPACE);
}

/* --- errors of a table, item by item of theory.h --- */

enum { EDGES = 8, AROUND = 40, MOST_NODES = EDGES * DPPAIR_RUN_ * 2 + 2 * 36 * 2 + AROUND };

/* A combination whose bounds are any numbers, so that each item is as large as a test wants. */
static double shelf[8][MOST_NODES];

static dppair_runs_ shelved(dppair_density_ *out, int64_t split, int64_t ahead, double tau) {
  dppair_runs_ r;
  size_t i;
  memset(&r, 0, sizeof r);
  memset(out, 0, sizeof *out);
  r.m.h = 0.05;
  r.m.split = split;
  r.m.ahead = ahead;
  r.m.trapezoid = tau;
  r.m.bend = 1.0; /* far above what is in use: its exponentials are seen */
  r.m.block = 1.5;
  r.first_run = -3;
  r.edges = EDGES + 1;
  r.begin = 1;
  r.end = EDGES - 1;
  r.step = r.m.h / (double)split;
  r.pad = 36 * split;
  r.sum = shelf[0];
  r.bound = shelf[1];
  r.upper = shelf[2];
  r.wide = shelf[3];
  r.sloping = shelf[4];
  out->f = shelf[5];
  out->error = shelf[6];
  out->h = r.step;
  out->first = DPPAIR_RUN_ * (r.first_run + (int64_t)r.begin) * split;
  out->size = (r.end - r.begin) * DPPAIR_RUN_ * (size_t)split;
  r.nodes = (int64_t)out->size + 2 * r.pad + ahead;
  assert_true(r.nodes <= MOST_NODES);
  for (i = 0; i < MOST_NODES; i++) r.upper[i] = exp(-0.02 * (double)i) * (0.5 + uniform());
  for (i = 0; i <= EDGES; i++) r.sum[i] = exp(-0.6 * (double)i) * (0.5 + uniform());
  for (i = 0; i <= EDGES; i++) r.bound[i] = 2.0 * r.sum[i];
  return r;
}

static real at_node(const dppair_runs_ *r, int64_t i) { /* the bound of f_n at output i */
  const int64_t k = i + r->pad;
  return (real)r->upper[k < 0 ? 0 : k < r->nodes ? k : r->nodes - 1];
}

static real falling(real l) { return l > 0.0L ? expl(-l) : 1.0L; }
static real growing(real l) { return l > 0.0L ? expl(l) : 1.0L; }

/* Item 3 at output i, by its formula, where the edges of its run are as given. */
static real interpolation_error(const dppair_runs_ *r, const double *arc, int64_t i, real p) {
  real sum = 0.0L;
  int64_t rho, k;
  for (rho = -32; rho < 32; rho++) {
    real most = 0.0L;
    for (k = rho - 1; k <= rho + 2; k++) {
      /* with the trapezoid's error of the sum over d */
      const real f = at_node(r, i + k * r->m.split), tau = (real)r->m.trapezoid;
      const real own = f + tau * (f + at_node(r, i + k * r->m.split + r->m.ahead));
      if (own > most) most = own;
    }
    sum += (real)arc[32 + rho] * expl(1.5L * fabsl(p) - p * (real)rho) * most;
  }
  return 2.0L * expl(0.625L * (real)r->m.bend) * sum;
}

static void errors_of_a_table_are_those_of_the_theory(void **state) {
  /* of arcs, tau, what is missing: each in turn is the largest */
  static const double scale[][3] = {
      {1e13, 1e-12, 1e-13}, {1e13, 0.01, 1e-13}, {1e-9, 0.01, 1e-13}, {1e-9, 1e-12, 2.0}};
  int i, split;
  (void)state;
  for (i = 0; i < 4; i++)
    for (split = 1; split <= 2; split++) {
      double arc[2 * DPPAIR_RADIUS_], *const own = shelf[6], *const error = shelf[7];
      dppair_density_ out;
      dppair_runs_ r = shelved(&out, split, 7 * split, scale[i][1]);
      int64_t k;
      r.m.missing = scale[i][2];
      dppair_arcs_(arc, 0.01);
      for (k = 0; k < 64; k++) arc[k] *= scale[i][0];
      for (k = 0; k < (int64_t)out.size; k++) own[k] = i < 2 ? 0.0 : 1e-3 * uniform();
      dppair_runs_errors_(&r, error, &out, own, arc);
      for (k = 0; k < (int64_t)out.size; k += 1 + (int64_t)below(5)) {
        const size_t edge = r.begin + (size_t)(k / (DPPAIR_RUN_ * split));
        real truth = (real)own[k], lam;
        dppair_tilt_ tilt;
        dppair_tilt_of_(&tilt, r.sum[edge], r.sum[edge + 1], r.m.h);
        truth += interpolation_error(&r, arc, k, (real)tilt.p);
        truth += (real)r.m.trapezoid * (at_node(&r, k) + at_node(&r, k + r.m.ahead));
        assert_true((real)error[k] >= truth && (real)error[k] <= 1.00105L * truth);
        /* item 5 is added to it */
        lam = (real)error[k];
        dppair_runs_missing_(&r, error, &out);
        lam = ((real)error[k] - lam) / (real)r.m.missing /
              falling((real)out.h * (real)(out.first + k));
        assert_true(lam >= (real)tilt.spread * (1.0L - 1e-9L) || i < 3);
        assert_true(lam <= (real)tilt.spread * 1.0001L || i < 3);
        dppair_runs_errors_(&r, error, &out, own, arc);
      }
    }
}

static void bounds_at_the_edges_hold_their_own_trapezoid_error(void **state) {
  static const double tau[] = {1e-15, 0.01, 0.05};
  dppair_pool_ pool = whole_pool();
  const dppair_density_ d = one_batch(&pool, 1.0, 0.05);
  dppair_runs_ r = opened(&pool, &d, 1.0, 1);
  int i, k;
  (void)state;
  r.first_run = -8;
  r.edges = 14;
  r.sum = dppair_pool_take_(&pool, r.edges);
  r.bound = dppair_pool_take_(&pool, r.edges);
  for (i = 0; i < 3; i++)
    for (k = 0; k < 3; k++) {
      size_t e, n;
      r.m.trapezoid = tau[i];
      r.m.missing = k == 0 ? 0.1 : 1e-40;
      r.m.ahead = k == 2 ? 2 * DPPAIR_RUN_ + 5 : 9;
      dppair_runs_edges_(&r);
      for (e = 0; e < r.edges; e++) {
        const real l = (real)r.m.h * DPPAIR_RUN_ * (real)(r.first_run + (int64_t)e);
        const real missing = 2.0L * expl((real)r.m.h) * (real)r.m.missing * falling(l);
        const size_t runs = (size_t)(r.m.ahead / DPPAIR_RUN_) + 1;
        const real tau_l = (real)tau[i], block = (real)r.m.block, own = (real)r.bound[e];
        real next = 0.0L, truth = two_batches(1.0L, l);
        /* the larger of two nodes bounds each term from above, within its slope */
        assert_true((real)r.sum[e] >= truth * (1.0L - 1e-12L));
        assert_true((real)r.sum[e] <= (fabsl(l) < 5.0L ? 1.3L : 2.1L) * truth);
        for (n = e + 1; n <= e + runs; n++) { /* beyond the last edge the tables hold nothing */
          const real other = n < r.edges ? (real)r.bound[n] : missing;
          if (other > next) next = other;
        }
        truth = (real)r.sum[e] + missing + tau_l * (own + block * (own > next ? own : next));
        assert_true(own >= truth);
        truth = (real)r.sum[e] + 1.03L * missing +
                tau_l * block * next * (next > missing ? 1.0L : 1.03L);
        assert_true(own <= 1.0001L * (truth + tau_l * (1.0L + block) * own));
      }
    }
}

static void runs_that_are_left_out_are_charged_with_their_mass(void **state) {
  static const double little[] = {1e-6, 1e-3, 0.02};
  int i, split;
  (void)state;
  for (i = 0; i < 3; i++)
    for (split = 1; split <= 2; split++) {
      dppair_pool_ pool = whole_pool();
      const dppair_density_ d = one_batch(&pool, 1.0, 0.05);
      dppair_runs_ r = opened(&pool, &d, 1.0, split);
      const int64_t nodes = 16 * DPPAIR_RUN_ * split;
      real mass = 0.0L, counted = 0.0L;
      int64_t k;
      r.first_run = -9;
      r.edges = 17;
      r.step = r.m.h / split;
      r.sum = dppair_pool_take_(&pool, r.edges);
      r.bound = dppair_pool_take_(&pool, r.edges);
      dppair_runs_edges_(&r);
      dppair_runs_choose_(&r, little[i]);
      assert_true(r.begin < r.end && r.begin > 0 && r.end < r.edges - 1);
      for (k = 0; k < nodes; k++) {
        const int64_t run = k / (DPPAIR_RUN_ * split);
        const real l = (real)r.step * (real)(k + r.first_run * DPPAIR_RUN_ * split);
        if (run >= (int64_t)r.begin && run < (int64_t)r.end) continue;
        mass += (real)r.step * two_batches(1.0L, l) * growing(l);
        counted += (real)r.step * growing(l) *
                   (real)dppair_meeting_sum_(&r.m, r.first_run * DPPAIR_RUN_ + k / split,
                                             (size_t)(k % split), NULL);
      }
      assert_true((real)r.skipped >= counted && (real)r.skipped <= 1.00012L * counted);
      /* the larger of two nodes is above what lies between by h times the slope */
      assert_true((real)r.skipped >= mass && (real)r.skipped <= 1.35L * mass);
      /* a run is left out where its edges say that it holds less than what was allowed */
      for (k = 1; k < 15; k++) {
        const double l = r.m.h * DPPAIR_RUN_ * (double)(r.first_run + k + 1);
        const double most = r.m.block * fmax(r.sum[k], r.sum[k + 1]) * r.m.h * DPPAIR_RUN_ *
                            (double)growing((real)l);
        if (most > 0.02) continue;
        r.end = 0;
        dppair_runs_choose_(&r, 0.996 * most);
        assert_true((int64_t)r.begin <= k && (int64_t)r.end > k);
        r.end = 0;
        dppair_runs_choose_(&r, 1.004 * most);
        assert_true((int64_t)r.begin > k || (int64_t)r.end <= k);
      }
    }
}

/* What a sum carries, items 1 and 4, output by output: the tables' errors, rounding, and places
 * that are off by `slip`. */
static void sums_carry_the_errors_of_their_tables_and_places(void **state) {
  static const double part[][3] = {{0.0, 0.0, 0.0},  {0.3, 0.0, 0.0},  {1e-3, 0.0, 0.0},
                                   {0.0, 1e-3, 0.0}, {0.0, 0.0, 1e-3}, {0.0, 1e-9, 0.5},
                                   {0.3, 0.0, 0.4}};
  size_t i, k;
  int n, q;
  (void)state;
  for (i = 0; i < sizeof part / sizeof *part; i++) {
    dppair_pool_ pool = whole_pool();
    dppair_density_ a = one_batch(&pool, 1.0, 0.05), b = one_batch(&pool, 1.0, 0.05);
    dppair_runs_ r;
    dppair_tilt_ tilt;
    double sum[DPPAIR_RUN_], bad[DPPAIR_RUN_];
    const int64_t j = -DPPAIR_RUN_;
    memset(&r, 0, sizeof r);
    for (k = 0; k < a.size; k++) a.error[k] = part[i][0] * (0.5 + uniform());
    for (k = 0; k < b.size; k++) b.error[k] = part[i][2] * (0.5 + uniform());
    if (i > 2) { /* tables that begin and end in the middle of a run */
      a.size -= 260;
      b.f += 270, b.error += 270, b.first += 270, b.size -= 450;
    }
    r.m.a = &a;
    r.m.b = &b;
    r.m.n_a = r.m.n_b = r.m.z = 1.0;
    r.m.split = 1;
    assert_int_equal(dppair_meeting_open_(&r.m, &pool), DPPAIR_OK);
    r.terms = dppair_pool_take_(&pool, 2 * r.m.count);
    for (k = 0; k < 2 * r.m.count; k++) r.terms[k] = -1.0; /* none is skipped */
    for (k = 0; k < r.m.count; k++) r.m.slip[k] = part[i][1];
    dppair_tilt_of_(&tilt, 1.0, exp(3.0), r.m.h);
    dppair_run_(sum, bad, &r, &tilt, j, 0, 0.0);
    for (n = 0; n < DPPAIR_RUN_; n += 5) {
      const real rounding = (real)r.m.unit + 0.125L * (real)r.m.count * (real)DPPAIR_UNIT_;
      real truth = 0.0L;
      for (k = 0; k < r.m.count; k++) {
        const int64_t shift = r.m.stride * (r.m.first_k + (int64_t)k);
        const real unit = rounding + 4.0L * (real)part[i][1];
        for (q = 0; q < DPPAIR_TAPS_; q++) {
          const int64_t at_a = j + n + (int64_t)r.m.whole[k] + q - 7 - a.first;
          const int64_t at_b = at_a + a.first - shift - b.first;
          real slope, own, e, o;
          if (at_a < 0 || at_b < 0 || at_a >= (int64_t)a.size || at_b >= (int64_t)b.size) continue;
          own = fabsl(lagrange(&slope, q, (real)r.m.part[k] + 1e-9L)) *
                expl((real)tilt.p * ((real)r.m.part[k] - (real)(q - 7)));
          e = (real)a.error[at_a];
          o = (real)b.error[at_b];
          /* of a place: its share of the slope, of which `unit` is a factor */
          own += (real)part[i][1] / unit * (real)tilt.slope[q];
          truth += own * (real)a.f[at_a] * (real)b.f[at_b] * (e + o + e * o + unit);
        }
      }
      assert_true((real)bad[n] >= truth * (1.0L - 1e-6L) && (real)bad[n] <= 1.00002L * truth);
    }
  }
}

/* What is cut off a table counts as mass outside, under both laws, and as a supremum there. */
static void what_is_cut_is_charged_once_and_whole(void **state) {
  static const double part[][4] = {/* skipped, outside of a and b, tau, what is missing */
                                   {0.3, 1e-20, 1e-18, 1e-20},   {1e-20, 0.01, 1e-18, 1e-20},
                                   {1e-20, 1e-20, 0.2, 1e-20},   {1e-20, 1e-20, 1e-18, 50.0},
                                   {1e-20, 1e-20, 1e-18, 1e-20}, {1e-20, 1e-20, 0.2, 1e-20}};
  int i, split;
  (void)state;
  for (i = 0; i < 6; i++)
    for (split = 1; split <= 2; split++) {
      double *const error = shelf[7], safe[MOST_NODES], kept[2][MOST_NODES];
      dppair_density_ out, cut, a, b;
      dppair_runs_ r = shelved(&cut, split, 5 * split, part[i][2]);
      const size_t begin = 40, end = cut.size - 60;
      real mass, ends = 0.0L, beyond = 0.0L, first = 0.0L, ahead = 0.0L;
      int64_t k;
      memset(&a, 0, sizeof a);
      b = a;
      a.outside = part[i][1];
      b.outside = 2.0 * part[i][1];
      r.m.a = &a;
      r.m.b = &b;
      r.m.missing = part[i][3];
      r.skipped = part[i][0];
      r.spread = 3.5;
      for (k = 0; k <= EDGES; k++) r.bound[k] *= i >= 4 ? 1.0 : 1e-12;
      for (k = 0; k < r.nodes; k++) r.upper[k] *= i == 2 || i == 4 ? 1.0 : 1e-12;
      if (i == 4) r.upper[r.pad + (int64_t)(split == 1 ? end - 1 : begin)] *= 1e4;
      if (i == 5) {
        r.bound[2] *= 100.0; /* within reach of the first run */
        r.bound[7] *= 1e-12;
        r.bound[8] *= 1e-12;
      }
      if (i == 2 && split == 2) { /* at positive losses, whose weight under P counts */
        r.first_run = 2;
        cut.first = DPPAIR_RUN_ * (r.first_run + (int64_t)r.begin) * split;
      }
      for (k = 0; k < (int64_t)cut.size; k++) {
        const int inside = k >= (int64_t)begin && k < (int64_t)end;
        kept[0][k] = cut.f[k] = (inside ? 1e-3 : i == 4 ? 1e-4 : 1e-19) * (0.5 + uniform());
        kept[1][k] = error[k] = (inside ? 0.2 : 1e4) * cut.f[k];
        safe[k] = 0.1 * cut.f[k];
      }
      mass = (real)r.skipped + (real)r.spread * (real)(a.outside + b.outside);
      for (k = 0; k < (int64_t)cut.size; k++)
        if (k < (int64_t)begin || k >= (int64_t)end)
          mass += (real)cut.h * ((real)kept[0][k] + (real)safe[k]) *
                  growing((real)cut.h * (real)(cut.first + k));
      for (k = -r.pad; k <= (int64_t)begin + r.m.ahead; k++)
        ahead += (real)cut.h * at_node(&r, k) * growing((real)cut.h * (real)(cut.first + k));
      mass += 2.0L * (real)r.m.trapezoid * ahead;
      /* the supremum: outputs outside, runs that are not computed, what tables do not hold */
      for (k = 0; k < EDGES; k++) {
        const real most = (real)r.m.block * (real)fmax(r.bound[k], r.bound[k + 1]);
        const real l = (real)r.m.h * DPPAIR_RUN_ * (real)(r.first_run + k + 1);
        if (k <= r.m.ahead / DPPAIR_RUN_ + 1 && most > first) first = most;
        if (k < (int64_t)r.begin || k >= (int64_t)r.end) beyond = fmaxl(beyond, most * growing(l));
      }
      beyond = fmaxl(beyond, 2.0L * expl((real)r.m.h) * (real)r.m.missing +
                                 2.0L * (real)r.m.trapezoid * first);
      for (k = -r.pad; k < r.nodes - r.pad; k++)
        if (k <= (int64_t)begin || k >= (int64_t)end - 1)
          beyond = fmaxl(beyond, at_node(&r, k) * growing((real)cut.h * (real)(cut.first + k + 1)));
      out = cut;
      out.size = begin + 47; /* too few are left */
      assert_int_equal(dppair_runs_cut_(&r, &out, error, safe), DPPAIR_ERR_NO_CONVERGENCE);
      out = cut;
      assert_int_equal(dppair_runs_cut_(&r, &out, error, safe), DPPAIR_OK);
      assert_int_equal(out.size, end - begin);
      assert_int_equal(out.first, cut.first + (int64_t)begin);
      for (k = 0; k < (int64_t)out.size; k++) {
        const real relative = (real)kept[1][k + 40] / (real)kept[0][k + 40];
        assert_true(out.f[k] == kept[0][k + 40]);
        assert_true((real)out.error[k] >= relative && (real)out.error[k] <= 1.00001L * relative);
      }
      for (k = 0; k < 2; k++) {
        const size_t at = k == 0 ? begin : end - 1;
        ends += (real)(kept[0][at] + kept[1][at]) *
                growing((real)cut.h * (real)(cut.first + (int64_t)at));
      }
      mass = expl(0.125L * (real)r.m.bend) * (2.0L * mass + (real)cut.h * ends);
      beyond *= expl(0.125L * (real)r.m.bend);
      assert_true((real)out.outside >= mass && (real)out.outside <= 1.00121L * mass);
      assert_true((real)out.beyond >= beyond && (real)out.beyond <= 1.026L * beyond);
      if (i != 3) assert_true((real)out.beyond <= 1.0005L * beyond);
    }
}

/* What the sum over d may miss, item 5. */
static void what_tables_do_not_hold_is_in_the_missing_part(void **state) {
  int i;
  (void)state;
  for (i = 0; i < 4; i++) {
    dppair_pool_ pool = whole_pool();
    dppair_density_ a = one_batch(&pool, 1.0, 0.05), b = one_batch(&pool, 1.0, 0.05);
    dppair_meeting_ m;
    real sum;
    a.outside = i == 0 ? 1e-3 : 1e-20;
    b.outside = i == 1 ? 1e-3 : 1e-20;
    a.beyond = i == 2 ? 1e-3 : 1e-20;
    b.beyond = i == 3 ? 1e-3 : 1e-20;
    b.curvature = 2.0;
    memset(&m, 0, sizeof m);
    m.a = &a;
    m.b = &b;
    m.n_a = 1.0;
    m.n_b = 2.0;
    m.z = 1.0;
    m.split = 1;
    assert_int_equal(dppair_meeting_open_(&m, &pool), DPPAIR_OK);
    sum = (real)a.outside * sqrtl(2.0L / (2.0L * PI_L)) + (real)b.outside / sqrtl(2.0L * PI_L) +
          (real)a.beyond + (real)b.beyond;
    assert_true((real)m.missing >= 4.0L * 3.0L * sum && (real)m.missing <= 12.003L * sum);
    assert_true(fabs(m.bend - 3.0 * m.h * m.h) <= 1e-15);
    assert_true(m.block >= exp(128.0 * m.bend) && m.block <= exp(128.0 * m.bend) * 1.0001);
    assert_true(fabs(m.gap - m.h * (double)m.stride) <= 1e-15);
    assert_true(m.unit >= 28.0 * DPPAIR_UNIT_ && m.unit <= 28.5 * DPPAIR_UNIT_);
    { /* the trapezoid's error: 2/(e^g - 1) of the best g */
      const real g = gain(&m, (real)m.gap, (real)m.ahead);
      assert_true((real)m.trapezoid >= 2.0L / expm1l(g));
      assert_true((real)m.trapezoid <= 2.0L / expm1l(0.97L * g));
    }
  }
}

/* --- cells --- */

/* The integral over [from, to] of g(l) times the density of P, normal with mean 1/(2z^2) and
 * deviation 1/z: g = 1 - e^(low - l), or e^(high - l) - 1. Gauss-Legendre with 5 points. */
static real cell_mass(real z, real from, real to, real end, int right) {
  const real a = sqrtl(5.0L - 2.0L * sqrtl(10.0L / 7.0L)) / 3.0L,
             b = sqrtl(5.0L + 2.0L * sqrtl(10.0L / 7.0L)) / 3.0L;
  const real place[5] = {-b, -a, 0.0L, a, b}, root = 13.0L * sqrtl(70.0L);
  const real share[5] = {(322.0L - root) / 900.0L, (322.0L + root) / 900.0L, 128.0L / 225.0L,
                         (322.0L + root) / 900.0L, (322.0L - root) / 900.0L};
  const int panels = 1 + (int)((to - from) * z / 0.05L);
  const real half = 0.5L * (to - from) / (real)panels;
  real sum = 0.0L;
  int panel, k;
  for (panel = 0; panel < panels; panel++)
    for (k = 0; k < 5; k++) {
      const real l = from + (2.0L * (real)panel + 1.0L + place[k]) * half;
      const real split = right ? -expm1l(end - l) : expm1l(end - l);
      sum += share[k] * split * z * normal_density(z * l - 0.5L / z);
    }
  return sum * half;
}

static void cells_of_a_table_hold_the_masses_of_their_losses(void **state) {
  static const struct {
    double z, h, cell;
  } row[] = {
      {1.0, 0.1, 2e-3}, {1.0, 0.1, 0.0061}, {1.0, 0.1, 0.0063}, {2.0, 0.05, 0.3}, {0.7, 0.12, 1.0}};
  enum { CELLS = 1 << 15 };
  static double right[CELLS], left[CELLS];
  size_t i, k;
  int mirrored;
  (void)state;
  for (i = 0; i < sizeof row / sizeof *row; i++)
    for (mirrored = 0; mirrored < 2; mirrored++) {
      dppair_pool_ pool = whole_pool();
      const dppair_density_ d = one_batch(&pool, row[i].z, row[i].h);
      const real h = (real)row[i].cell, z = (real)row[i].z;
      dppair_cells_ cells;
      real p = 0.0L;
      memset(&cells, 0, sizeof cells);
      memset(right, 0, sizeof right);
      memset(left, 0, sizeof left);
      cells.h = row[i].cell;
      cells.growth = exp(cells.h);
      cells.right = right;
      cells.left = left;
      cells.size = CELLS;
      cells.first = (int64_t)floor(d.h / cells.h *
                                   (double)(mirrored ? -(d.first + (int64_t)d.size) : d.first)) -
                    2;
      assert_int_equal(dppair_density_cells_(&cells, &d, mirrored), DPPAIR_OK);
      assert_true(cells.mass_error < 1e-9 && cells.loss_error < 1e-13 && cells.infinity < 1e-16);
      for (k = 0; k < CELLS; k++) p += (real)right[k] + (real)left[k];
      assert_true(fabsl(p - 1.0L) <= (real)cells.mass_error + (real)cells.infinity);
      for (k = 0; k < CELLS; k += 1 + (h < 0.01L ? below(32) : 0)) {
        const real at = h * (real)(cells.first + (int64_t)k);
        real more, less, spare;
        if (at > 22.0L || at < -22.0L) continue;
        more = cell_mass(z, at, at + h, at, 1) / -expm1l(-h);
        less = cell_mass(z, at, at + h, at + h, 0) / expm1l(h);
        /* a loss that is off moves its mass within the cell */
        spare = (more + less) * ((real)cells.mass_error + 2.0L * (real)cells.loss_error / h) +
                (real)cells.infinity;
        assert_true(fabsl((real)right[k] - more) <= spare && fabsl((real)left[k] - less) <= spare);
      }
    }
}

/* --- the curve of a table --- */

static real above(real x) { return 0.5L * erfcl(x / sqrtl(2.0L)); }

static void the_curve_of_one_batch_is_within_its_errors(void **state) {
  static const double row[][2] = {{1.0, 0.1}, {1.0, 0.14}, {0.5, 0.2}, {4.0, 0.03}};
  double most = 0.0;
  size_t i, n;
  int k;
  (void)state;
  for (i = 0; i < 4; i++) {
    dppair_pool_ pool = whole_pool();
    const double z = row[i][0];
    dppair_density_ d = one_batch(&pool, z, row[i][1]), moved = d;
    dppair_slope_ s, t;
    assert_int_equal(dppair_slope_open_(&s, &d, &pool), DPPAIR_OK);
    moved.f = dppair_pool_take_(&pool, d.size);
    moved.error = dppair_pool_take_(&pool, d.size);
    for (k = 0; k < 24; k++) {
      const double x = (0.3 * k + 0.2 * uniform()) / z / d.h;
      const real epsilon = (real)x * (real)d.h, mean = 1.0L / (real)z;
      const real truth =
          above(epsilon / mean - 0.5L * mean) - expl(epsilon) * above(epsilon / mean + 0.5L * mean);
      double error, wrong, more;
      const double value = dppair_slope_at_(&error, &s, x);
      assert_true(fabsl((real)value - truth) <= (real)error + 1e-16L * truth);
      assert_true(error <= (i == 1 ? 1e-5 : 1e-10) * value);
      /* what the table carries: one side up, the other down, the nodes about the place either */
      for (n = 0; n < d.size; n++) {
        const int64_t at = d.first + (int64_t)n - (int64_t)floor(x);
        const int up = at > 8 ? 1 : at < -7 ? 0 : (int)(at & 1) ^ (k & 1);
        moved.f[n] = d.f[n] * (up || k % 3 == 0 ? 1.0 + 0.99e-3 : 1.0 - 0.99e-3);
        moved.error[n] = 1e-3;
      }
      assert_int_equal(dppair_slope_open_(&t, &moved, &pool), DPPAIR_OK);
      more = dppair_slope_at_(&wrong, &t, x);
      assert_true(fabs(more - value) <= wrong);
      assert_true(wrong <= 3e-3 * value + 2.0 * error);
      if (fabs(more - value) / wrong > most) most = fabs(more - value) / wrong;
      pool.at -= d.size + 64; /* of the slope that was opened */
      pool.left += d.size + 64;
      /* what lies outside */
      d.outside = 1e-3;
      (void)dppair_slope_at_(&wrong, &s, x);
      d.outside = 1e-48;
      wrong = (wrong - error) / 1e-3;
      more = s.size_whole[15] + s.size_change[15] + 1.0;
      assert_true(wrong >= more * (1.0 - 1e-9) && wrong <= 1.0002 * more && more < 6.0);
    }
    { /* beyond the table nothing is known but `beyond` */
      const double x = (double)(d.first + (int64_t)d.size) - 4.5;
      double error, wrong;
      (void)dppair_slope_at_(&error, &s, x);
      d.beyond = 1.0;
      (void)dppair_slope_at_(&wrong, &s, x);
      assert_true(wrong - error >= 1e-3 * d.h * d.h && wrong - error <= 100.0 * d.h);
      (void)dppair_slope_at_(&error, &s, 3.3);
      assert_true(error < 1e-6);
    }
  }
  assert_true(most > 0.75 && most <= 1.0);
}

/* --- one replaced record --- */

static real curve_of(const dppair_atoms_ *x, real epsilon) {
  real sum = (real)x->infinity;
  size_t i;
  for (i = 0; i < x->size; i++) {
    const real loss = (real)x->h * (real)(x->first + (int64_t)i);
    if (loss > epsilon) sum += (real)x->mass[i] * -expm1l(epsilon - loss);
  }
  return sum;
}

static real total(const dppair_atoms_ *x, int q) { /* of P, or of Q */
  real sum = q ? 0.0L : (real)x->infinity;
  size_t i;
  for (i = 0; i < x->size; i++)
    sum += (real)x->mass[i] * (q ? expl(-(real)x->h * (real)(x->first + (int64_t)i)) : 1.0L);
  return sum;
}

static void atoms_only_rise_when_they_are_moved(void **state) {
  enum { SIZE = 40 };
  int i, way;
  (void)state;
  for (i = 0; i < 60; i++)
    for (way = 0; way < 3; way++) { /* widened, trimmed, added */
      double mass[2 * SIZE + 2], before[SIZE], sum[2 * SIZE];
      const double spare = way == 1 ? 0.05 * uniform() : 0.0;
      dppair_atoms_ x, old, out;
      size_t n, k;
      real epsilon, p, q;
      x.mass = mass;
      x.size = 3 + below(SIZE - 3);
      x.first = -(int64_t)below(SIZE);
      x.h = 0.05 + 0.2 * uniform();
      x.infinity = 0.01 * uniform();
      for (n = 0; n < x.size; n++) before[n] = mass[n] = uniform() / (double)x.size;
      old = x;
      old.mass = before;
      p = total(&old, 0);
      q = total(&old, 1);
      out = x;
      if (way == 0) {
        dppair_atoms_widen_(&x);
        out = x;
        assert_true(x.h == 2.0 * old.h);
        assert_true(total(&x, 0) >= p && total(&x, 0) <= p * (1.0L + 2e-8L));
        assert_true(total(&x, 1) >= q * (1.0L - 1e-12L) && total(&x, 1) <= q * (1.0L + 2e-8L));
      } else if (way == 1) {
        dppair_atoms_trim_(&x, spare);
        out = x;
        assert_true(x.infinity <= old.infinity + 1.00001 * spare && x.size >= 1);
      } else {
        out.mass = sum;
        dppair_atoms_add_(&out, &x, &old, 0.0);
        assert_int_equal(out.size, 2 * old.size - 1);
        assert_int_equal(out.first, 2 * old.first);
        for (n = 0; n < out.size; n++) {
          real own = 0.0L;
          for (k = 0; k < old.size; k++)
            if (n >= k && n - k < old.size) own += (real)before[k] * (real)before[n - k];
          assert_true((real)sum[n] >= own && (real)sum[n] <= own * (1.0L + 2e-14L));
        }
        /* what is infinite in one of the two, twice where it is in both */
        assert_true((real)out.infinity >=
                    2.0L * (real)old.infinity * p - (real)old.infinity * (real)old.infinity);
        assert_true((real)out.infinity <= 2.00001L * (real)old.infinity * p);
      }
      for (epsilon = 0.0L; way < 2 && epsilon < 3.0L; epsilon += 0.037L)
        assert_true(curve_of(&out, epsilon) >= curve_of(&old, epsilon) * (1.0L - 1e-15L));
      for (epsilon = 0.0L; epsilon < 3.0L; epsilon += 0.41L) {
        const real truth = curve_of(&out, epsilon);
        const real own = (real)dppair_atoms_delta_(&out, (double)epsilon);
        const real exact = curve_of(&out, (real)(double)epsilon);
        assert_true(own >= exact || own >= 1.0L);
        assert_true(own <= truth * (1.0L + 1e-13L));
      }
    }
}

static void atoms_fill_the_room_they_need_and_no_more(void **state) {
  enum { SIZE = 9, MOST = 200 };
  static const struct {
    size_t epochs, need; /* 3: two and one, so that twice two's 2 SIZE - 1 are asked for */
  } row[] = {{2, 2 * SIZE}, {3, 4 * SIZE - 2}};
  size_t i, k, wanted;
  (void)state;
  for (i = 0; i < 2; i++)
    for (wanted = row[i].need - 1; wanted <= row[i].need + 1; wanted++) {
      double space[4][MOST], *home[4], sum = 0.0;
      dppair_atoms_ one;
      dppair_status status;
      for (k = 0; k < 4; k++) {
        size_t n;
        home[k] = space[k];
        for (n = 0; n < MOST; n++) space[k][n] = -7.0;
      }
      one.mass = home[0];
      one.first = -4;
      one.size = SIZE;
      one.h = 0.1;
      one.infinity = 1e-40;
      for (k = 0; k < SIZE; k++) one.mass[k] = 1.0 / SIZE;
      status = dppair_atoms_epochs_(&one, row[i].epochs, home, wanted);
      assert_int_equal(status, wanted < row[i].need ? DPPAIR_ERR_WORKSPACE : DPPAIR_OK);
      for (k = 0; k < 4; k++) assert_true(space[k][wanted] == -7.0);
      if (status != DPPAIR_OK) continue;
      assert_int_equal(one.size, row[i].epochs * (SIZE - 1) + 1);
      assert_int_equal(one.first, -4 * (int64_t)row[i].epochs);
      for (k = 0; k < one.size; k++) sum += one.mass[k];
      assert_true(sum >= 1.0 && sum <= 1.0 + 1e-12);
    }
}

/* Of one batch, whose values may be off by a thousandth of a percent: what the atoms hold beyond 1
 * is the room that comonotone.h's comment gives to errors, cell by cell. */
static void atoms_have_room_for_every_error_of_their_cells(void **state) {
  enum { CELLS = 20 };
  const double h = 1.4, claimed = 1e-5;
  double mass[2 * CELLS + 3], extra;
  dppair_pool_ pool = whole_pool();
  dppair_density_ d = one_batch(&pool, 0.7, 0.1);
  dppair_atoms_ pair;
  dppair_tails_ t;
  dppair_couple_ here, next;
  size_t i;
  int k;
  real sum = 0.0L, p_all = 0.0L, above = 0.0L, below_it = 0.0L;
  (void)state;
  for (i = 0; i < d.size; i++) d.error[i] += claimed;
  memset(&pair, 0, sizeof pair);
  pair.h = h;
  pair.mass = mass;
  assert_int_equal(dppair_atoms_make_(&pair, &d, CELLS, pool), DPPAIR_OK);
  assert_int_equal(dppair_tails_open_(&t, &d, &pool), DPPAIR_OK);
  assert_true(dppair_couple_first_(&here, &t));
  assert_int_equal(pair.first, -CELLS - 1);
  assert_int_equal(pair.size, sizeof mass / sizeof *mass);
  /* where the two halves meet */
  extra = 2.0 * here.off * fmax(here.f, here.f_other) * exp(d.h * (here.r + 1.0));
  for (k = 0; k < CELLS; k++) {
    const double steps = h / d.h;
    real p, q, share, of_p, of_q, edge;
    assert_true(dppair_couple_find_(&next, &t, steps * (k + 1.0), here.r + 0.5 * steps));
    p = (real)here.high[1] - (real)next.high[1];
    q = (real)here.low[1] - (real)next.low[1];
    /* relative errors are the same everywhere; within a cell e^l varies by e^h at most */
    share = 1.01L * expl((real)h) *
            (real)fmax((here.high[2] - next.high[2]) / (here.high[0] - next.high[0]),
                       (here.low[2] - next.low[2]) / (here.low[0] - next.low[0]));
    edge = 1.3L * (real)(fmax(here.off, next.off) * (here.f_other + next.f_other)) *
           expl((real)d.h * (real)here.other);
    of_p = p * share;
    of_q = q * share + edge;
    assert_true(share >= 1.01L * expl((real)h) * (real)claimed);
    /* cell k: masses p of P and q of Q; what Q lacks counts e^(hk) times. Cell -k-1: reversed. */
    above += of_p + of_q * expl((real)h * k);
    below_it += of_q + of_p * expl(-(real)h * (k + 1));
    p_all += p + q;
    here = next;
  }
  for (i = 0; i < pair.size; i++) sum += (real)mass[i];
  sum -= p_all + (real)extra + 1.01L * ((real)here.low[1] + (real)t.outside);
  assert_true(fabsl(sum - above - below_it) <= 1e-5L * below_it);
  assert_true(below_it > 0.05L * above);
  assert_true(pair.infinity >= here.high[1] && pair.infinity <= 1.02 * (here.high[1] + t.outside));
}

/* An error of a table on the way is one of the answer: there are none left to be read. */
static void levels_that_do_not_fit_are_no_table(void **state) {
  static double densities[4000];
  const size_t rooms[] = {1, 16, 100};
  dppair_density_ made;
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    memset(&made, 0, sizeof made);
    assert_int_equal(dppair_levels_run_(&made, 2.0, 5, densities, 4000, rooms[k]),
                     DPPAIR_ERR_WORKSPACE);
    assert_true(made.size == 0 && made.f == NULL);
  }
  assert_int_equal(dppair_allocation_range_(HUGE_VAL, 5, 1), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_allocation_range_(nan(""), 5, 1), DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_allocation_range_(0.0, 5, 1), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_allocation_range_(1e7, 5, 1), DPPAIR_ERR_DOMAIN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(folded_tables_are_the_sums_that_define_them),
      TEST(sums_of_epochs_are_within_their_errors_up_to_the_widest_step),
      TEST(epochs_of_one_batch_are_normal_within_their_errors),
      TEST(terms_that_a_run_skips_are_charged),
      TEST(tables_of_two_batches_hold_the_truth_at_every_node),
      TEST(weights_and_their_bounds_are_those_of_the_interpolation),
      TEST(tilts_are_what_the_neighbours_ask_for_and_so_is_their_spread),
      TEST(arcs_bound_the_integrand_of_the_interpolation_error),
      TEST(the_shift_of_the_trapezoid_bound_covers_its_strip),
      TEST(cuts_keep_what_is_certain_about_the_largest_value),
      TEST(too_small_a_workspace_is_refused_where_tables_are_made),
      TEST(errors_of_a_table_are_those_of_the_theory),
      TEST(bounds_at_the_edges_hold_their_own_trapezoid_error),
      TEST(runs_that_are_left_out_are_charged_with_their_mass),
      TEST(sums_carry_the_errors_of_their_tables_and_places),
      TEST(what_is_cut_is_charged_once_and_whole),
      TEST(what_tables_do_not_hold_is_in_the_missing_part),
      TEST(cells_of_a_table_hold_the_masses_of_their_losses),
      TEST(the_curve_of_one_batch_is_within_its_errors),
      TEST(atoms_only_rise_when_they_are_moved),
      TEST(atoms_have_room_for_every_error_of_their_cells),
      TEST(atoms_fill_the_room_they_need_and_no_more),
      TEST(levels_that_do_not_fit_are_no_table),
  };
  if (LDBL_MANT_DIG < 64) return 0; /* too few digits for an oracle */
  return RUN_TESTS(tests, open_work, close_work);
}
