/* SPDX-License-Identifier: MIT */
/*
 * The parts of the lattice and contour routes, one by one: what each computes against sums in long
 * double, and what each adds for its errors, at inputs where that is all there is.
 */
#include <float.h>
#ifndef RANDOM_SEED
#define RANDOM_SEED 22
#endif
#include "tests.h"

#include "dppair_allocation.h"
#include "dppair_accountant.h"

typedef long double real;

#define TWO_PI 6.28318530717958647692528676655900577L

/* What a function finds on the stack that it does not set is no zero. */
static void dirty_stack(void) {
  volatile unsigned char area[1 << 15];
  size_t i;
  for (i = 0; i < sizeof area; i++) area[i] = 0x47;
}

enum { N = 512 }; /* points of the lattice */

static double space[8][N + 2], cosine[N / 4], sine[N / 4];

/* A composition of nothing yet, whose scratch arrays are full of what was there before. */
static dppair_lattice_ fresh(double h, double c) {
  dppair_lattice_ l;
  size_t k, i;
  memset(&l, 0, sizeof l);
  l.n = N;
  l.h = h;
  l.c = c;
  for (i = 0; i < 8; i++)
    for (k = 0; k < N + 2; k++) space[i][k] = i < 5 ? 1e3 : i % 2 == 1 ? 1.0 : 0.0;
  for (i = 0; i < 4; i++) l.buffer[i] = space[i];
  l.rise = space[4];
  dppair_fft_table_(cosine, sine, N);
  l.cosine = cosine;
  l.sine = sine;
  l.re[0] = space[5];
  l.im[0] = space[6];
  l.re[1] = space[7];
  l.im[1] = space[6] + N / 2 + 1;
  for (k = 0; k <= N / 2; k++) l.im[1][k] = 0.0;
  return l;
}

static dppair_step poisson(double q, double z, size_t steps) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = DPPAIR_SAMPLED_GAUSSIAN;
  s.sampling.kind = DPPAIR_POISSON;
  s.sampling.adjacency = DPPAIR_ZERO_OUT;
  s.sampling.q = q;
  s.noise_multiplier = z;
  s.steps = steps;
  return s;
}

static double right_side[N], left_side[N];

/* The cells of a law, in arrays of their own, with as much for other errors as a test wants. */
static dppair_cells_ cells_of(const dppair_step *step, double h, int backward) {
  dppair_cells_ cells;
  dppair_law_ law;
  memset(&cells, 0, sizeof cells);
  cells.h = h;
  cells.growth = exp(h);
  cells.right = right_side;
  cells.left = left_side;
  cells.size = N;
  assert_int_equal(dppair_law_of_(&law, step, 1e-20), DPPAIR_OK);
  assert_int_equal(dppair_cells_fill_(&cells, &law, backward, -40.0), DPPAIR_OK);
  return cells;
}

/* --- composition --- */

/* The upper (d = 0) and the lower law (1) of the cells at cell i. */
static real atom(const dppair_cells_ *cells, const double *rise, int d, size_t i) {
  const real here = (real)cells->right[i] + (real)cells->left[i];
  const real before = i > 0 ? (real)cells->right[i - 1] + (real)cells->left[i - 1] : 0.0L;
  if (d == 0) return (real)cells->left[i] + (i > 0 ? (real)cells->right[i - 1] : 0.0L);
  return here * (1.0L - (real)rise[i]) + (i > 0 ? before * (real)rise[i - 1] : 0.0L);
}

/* M(z) - 1 at z = c + 2 pi i k/(n h) of a law and what is missing to 1 at loss 0. */
static void moment(real *re, real *im, const dppair_cells_ *cells, const double *rise, int d,
                   real c, size_t k) {
  size_t i;
  *re = *im = 0.0L;
  for (i = 0; i < cells->size; i++) {
    const int64_t at = cells->first + (int64_t)i;
    const real mass = atom(cells, rise, d, i), size = expl(c * (real)cells->h * (real)at);
    const real turn = TWO_PI * (real)((at & (N - 1)) * (int64_t)k & (N - 1)) / N;
    if (!(mass > 0.0L)) continue;
    *re += mass * (size * cosl(turn) - 1.0L);
    *im += mass * size * sinl(turn);
  }
}

/* Multiplies a law t times into a fresh composition, by either way, and compares it with the power
 * itself. `used`: the largest part of the claimed error that was needed. */
static void compose(double *used, double q, double h, size_t t, int trimmed, int backward,
                    double wrong) {
  const double c = 0.8, right_c = 3.0;
  const dppair_step step = poisson(q, 1.0, t);
  dppair_cells_ cells = cells_of(&step, h, backward);
  dppair_lattice_ l = fresh(h, c);
  real re, im, own, high;
  size_t k;
  int d;
  cells.mass_error = wrong; /* its masses are taken as they are */
  cells.loss_error = 1e-9;
  cells.infinity = trimmed ? 1e-9 : 1e-7;
  l.trimmed = trimmed;
  assert_int_equal(trimmed ? dppair_lattice_multiply_small_(&l, &cells, right_c, t)
                           : dppair_lattice_multiply_(&l, &cells, 0.3, 2.0, right_c, t),
                   DPPAIR_OK);
  for (d = 0; d < 2; d++) {
    moment(&own, &im, &cells, l.rise, d, (real)c, 0);
    assert_true(fabsl((real)l.log_k[d] - (real)t * log1pl(own)) <=
                (real)(l.error[d] + l.drift * expm1(c * h)) + 1e-17L * (real)t);
    for (k = 0; k <= N / 2; k++) {
      const real turn = TWO_PI * (real)k / N;
      /* |e^(zh) - 1|, by which the drift counts */
      const real remote =
          hypotl(expl((real)(c * h)) * cosl(turn) - 1.0L, expl((real)(c * h)) * sinl(turn));
      const real room = expm1l((real)l.error[d] + (real)l.drift * remote);
      real size, angle, off;
      moment(&re, &im, &cells, l.rise, d, (real)c, k);
      size = expl((real)t * (0.5L * log1pl(re * (2.0L + re) + im * im) - log1pl(own)));
      angle = (real)t * atan2l(im, 1.0L + re);
      off = hypotl((real)l.re[d][k] - size * cosl(angle), (real)l.im[d][k] - size * sinl(angle));
      assert_true(off <= room + 1e-34L);
      if (off / room > (real)*used) *used = (double)(off / room);
    }
  }
  /* at c', above the truth by no more than its masses may be off */
  moment(&high, &im, &cells, l.rise, 1, (real)right_c, 0);
  assert_true((real)l.log_right >= (real)t * log1pl(high));
  moment(&own, &im, &cells, l.rise, 0, (real)right_c, 0);
  assert_true((real)l.log_right <=
              (real)t * (log1pl(high) + (trimmed ? 1.0L : 1e3L) * (real)cells.infinity +
                         4.0L * ((real)wrong + 1e-12L) * (1.0L + own)));
  assert_true(fabs(l.infinity - (double)t * log1p(-cells.infinity)) <= 1e-13 * fabs(l.infinity));
  assert_true(l.certain == 0.0);
  assert_true(fabs(l.shift - (double)t * (1e-9 + 4.0 * wrong * h)) <= 1e-13 * l.shift);
  if (!trimmed) assert_true(fabs(l.kappa - (double)t * wrong) <= 1e-13 * l.kappa);
  if (trimmed) { /* what the lower law lacks, over the smaller M(c) */
    const double lacks = (double)t * 1e-9 / exp(fmin(l.log_k[0], l.log_k[1]) / (double)t);
    assert_true(l.error[1] - l.error[0] >= lacks * (1.0 - 1e-6));
    assert_true(l.error[1] - l.error[0] <= 1.0101 * lacks);
  }
  if (trimmed) { /* 2 kappa A/M(c) for the masses */
    real a = 0.0L, beyond = 0.0L;
    const size_t zero = (size_t)-cells.first;
    size_t i;
    for (i = N; i-- > zero;) {
      beyond += (real)right_side[i] + (real)left_side[i];
      a += beyond * expl((real)(c * h) * (real)(cells.first + (int64_t)i));
    }
    for (i = 0, beyond = 0.0L; i < zero; i++) {
      beyond += (real)right_side[i] + (real)left_side[i];
      a += beyond * expl((real)(c * h) * (real)(cells.first + (int64_t)i));
    }
    a /= expl((real)fmin(l.log_k[0], l.log_k[1]) / (real)t);
    assert_true((real)l.drift >= 2.0L * (real)wrong * (real)t * a);
    assert_true((real)l.drift <= 1.02L * (2.0L * (real)wrong + 1e-12L) * (real)t * a);
  }
}

static void powers_of_a_law_are_within_what_they_claim(void **state) {
  static const double wrong[] = {1e-15, 1e-6};
  int i, backward;
  (void)state;
  for (backward = 0; backward < 2; backward++)
    for (i = 0; i < 2; i++) {
      double used = 0.0;
      compose(&used, 0.05, 0.04, 30, 0, backward, wrong[i]);
      compose(&used, 1e-3, 0.03, 20, 1, backward, wrong[i]);
      compose(&used, 1e-5, 0.04, 3, 1, backward, wrong[i]);
      compose(&used, 0.95, 0.04, 2, 1, backward, wrong[i]); /* |M| falls below a half */
      if (i == 0) assert_true(used > 1e-4 && used < 1.0);
    }
}

static void sums_of_losses_are_cleared_before_they_are_added(void **state) {
  const dppair_step step = poisson(0.01, 1.0, 1);
  const dppair_cells_ cells = cells_of(&step, 0.04, 0);
  dppair_lattice_ l = fresh(0.04, 0.5);
  dppair_lattice_losses_ one, two;
  size_t begin, end;
  (void)state;
  assert_true(dppair_cells_used_(&begin, &end, &cells));
  dppair_cells_rise_(l.rise, &cells);
  memset(&one, 0x47, sizeof one);
  memset(&two, 0, sizeof two);
  dppair_lattice_lost_(&one, &l, &cells, begin, end, 2.0);
  dppair_lattice_lost_(&two, &l, &cells, begin, end, 2.0);
  assert_true(one.a == two.a && one.a_right == two.a_right && one.high == two.high);
  assert_true(one.a > 0.0 && one.a < 1e3);
}

/* --- what the composition says --- */

/* sum over all nodes of |W(z_k)|/n, each with 1 or e^(error + drift |e^(z_k h) - 1|) - 1. none: the
 * nodes hold nothing; from the 65th on a bound is enough then, which is three times 1/(n h y^2). */
static double kernels(real c, real h, real error, real drift, int none) {
  real sum = 0.0L;
  int k, i;
  for (k = 0; k < N; k++) {
    const int node = k <= N / 2 ? k : N - k, remote = none && node > 64;
    const real turn = TWO_PI * (real)node / N, y = turn / h;
    real away = hypotl(expl(c * h) * cosl(turn) - 1.0L, expl(c * h) * sinl(turn)), size = 1.0L;
    for (i = 0; i < 2; i++) {
      const real shrink = expl(-(c + (real)i) * h);
      size *= hypotl(1.0L - shrink * cosl(turn), shrink * sinl(turn));
    }
    size = expl(-c * h) * -expm1l(-h) / size / N;
    if (remote) {
      assert_true(size <= 3.0L / (N * h * y * y));
      assert_true(away <= expm1l(c * h) + expl(c * h) * y * h);
      away = expm1l(c * h) + expl(c * h) * y * h;
      size = (node == N / 2 ? 6.0L : 3.0L) / (N * h * y * y);
    }
    sum += size * (error + drift > 0.0L ? expm1l(error + drift * away) : 1.0L);
  }
  return (double)sum;
}

static void nodes_that_count_as_nothing_and_errors_are_charged(void **state) {
  const double h = 0.05, c = 0.7;
  int trimmed, none;
  (void)state;
  for (trimmed = 0; trimmed < 2; trimmed++)
    for (none = 0; none < 2; none++) {
      const double all = kernels(0.7L, 0.05L, 0.0L, 0.0L, none);
      const double truth = kernels(0.7L, 0.05L, 1e-9L, trimmed ? 1e-6L : 0.0L, none);
      dppair_lattice_ l = fresh(h, c);
      size_t k;
      l.trimmed = trimmed;
      for (k = 0; k <= N / 2; k++) l.re[0][k] = l.re[1][k] = none ? 0.0 : 1e-60;
      l.error[1] = 1e-9;
      l.drift = trimmed ? 1e-6 : 0.0;
      dirty_stack();
      dppair_lattice_finish_(&l);
      /* what was set to 0 may have been e^-80 < 2e-35: counted as 1e-34 */
      if (!trimmed) assert_true(l.error[0] >= 1e-34 * all && l.error[0] <= 1.0011e-34 * all);
      assert_true(l.error[1] >= truth && l.error[1] <= 1.0011 * truth);
    }
}

static void sums_over_nodes_are_within_their_error(void **state) {
  static real own[2][N / 2 + 1][2];
  const double h = 0.05, c = 0.9;
  dppair_lattice_ l = fresh(h, c);
  size_t k;
  int d, i;
  int64_t j;
  (void)state;
  for (k = 0; k <= N / 2; k++)
    for (d = 0; d < 2; d++) {
      const double size = exp(-0.05 * (double)k);
      own[d][k][0] = (real)(l.re[d][k] = size * (uniform() - 0.5));
      own[d][k][1] = (real)(l.im[d][k] = k % (N / 2) == 0 ? 0.0 : size * (uniform() - 0.5));
    }
  dppair_lattice_finish_(&l);
  for (d = 0; d < 2; d++) { /* without other errors 1e-12 of all that is added */
    real size = 0.0L;
    for (k = 0; k <= N / 2; k++) size += fabsl((real)l.re[d][k]) + fabsl((real)l.im[d][k]);
    assert_true(fabsl((real)l.error[d] - 1e-12L * size) <= 1e-15L * size);
  }
  for (d = 0; d < 2; d++)
    for (j = -3; j < 2000; j += 1 + j / 4 + (j < 0)) {
      real sum = 0.0L;
      for (k = 0; k <= N / 2; k++) {
        /* e^(-w)/(1 - e^-h) of W(z)/n: w = z h */
        const real turn = TWO_PI * (real)k / N;
        real pr = 1.0L, pi = 0.0L, wr, wi, size;
        const real angle = -TWO_PI * (real)((j & (N - 1)) * (int64_t)k & (N - 1)) / N;
        for (i = 0; i < 2; i++) {
          const real shrink = expl(-((real)c + (real)i) * (real)h);
          const real r = 1.0L - shrink * cosl(turn), m = shrink * sinl(turn), x = pr * r - pi * m;
          pi = pr * m + pi * r;
          pr = x;
        }
        size = expl(-(real)c * (real)h) * -expm1l(-(real)h) / N / (pr * pr + pi * pi);
        wr = size * (cosl(turn) * pr - sinl(turn) * pi); /* e^(-i turn) over (pr + i pi) */
        wi = -size * (cosl(turn) * pi + sinl(turn) * pr);
        pr = own[d][k][0] * wr - own[d][k][1] * wi;
        pi = own[d][k][0] * wi + own[d][k][1] * wr;
        sum += (k % (N / 2) == 0 ? 1.0L : 2.0L) * (pr * cosl(angle) - pi * sinl(angle));
      }
      assert_true(fabsl((real)dppair_lattice_sum_(&l, d, j) - sum) <= (real)l.error[d]);
    }
}

/* A composition whose bounds can be asked. */
static dppair_lattice_ composed(double c, double right_c) {
  const dppair_step step = poisson(0.3, 1.0, 4);
  dppair_cells_ cells = cells_of(&step, 0.05, 0);
  dppair_lattice_ l = fresh(0.05, c);
  cells.mass_error = cells.loss_error = 1e-15;
  assert_int_equal(dppair_lattice_multiply_(&l, &cells, 0.5, 4.0, right_c, 4), DPPAIR_OK);
  l.infinity = l.certain = l.kappa = l.shift = 0.0;
  dppair_lattice_finish_(&l);
  return l;
}

/* What an error adds to a bound of delta, or takes from it. */
static double added(const dppair_lattice_ *l, const dppair_lattice_ *more, int d, int64_t j,
                    double right_c) {
  return (d ? -1.0 : 1.0) *
         (dppair_lattice_delta_(more, d, j, right_c) - dppair_lattice_delta_(l, d, j, right_c));
}

static void bounds_of_delta_hold_each_error_whole(void **state) {
  const double c = 1.2, right_c = 3.0, period = N * 0.05;
  const dppair_lattice_ l = composed(c, right_c);
  int64_t j;
  int d;
  (void)state;
  for (j = 0; j < 80; j += 7)
    for (d = 0; d < 2; d++) {
      const double epsilon = 0.05 * (double)j, sum = dppair_lattice_sum_(&l, d, j);
      const double scale = exp(l.log_k[d] - c * epsilon),
                   now = dppair_lattice_delta_(&l, d, j, right_c);
      dppair_lattice_ more = l;
      double own, alias;
      /* the sum itself, its rounding, and of the lower law the aliases */
      alias = exp(-c * period) / (1.0 - exp(-c * period));
      alias += exp(l.log_right + right_c * log(right_c) - (right_c + 1.0) * log1p(right_c) -
                   right_c * epsilon - (right_c - c) * period) /
               (1.0 - exp(-(right_c - c) * period));
      assert_true(fabs(dppair_lattice_alias_(&l, epsilon, right_c) - alias) <= 1e-9 * alias);
      assert_true(d == 0 ? now >= scale * sum : now <= scale * sum - alias);
      own =
          scale * (l.error[d] + 16.0 * DPPAIR_UNIT_ * sum * (fabs(l.log_k[d]) + c * epsilon + 1.0));
      assert_true(fabs(now - scale * sum + (d ? alias : 0.0)) <= 1.01 * own + 1e-13 * now);
      assert_true(fabs(now - scale * sum + (d ? alias : 0.0)) >= own);
      /* kappa: at most K(c) k(c) e^(-c epsilon) ((1 + kappa)^T - 1) */
      more.kappa = 1e-3;
      own = scale * exp(c * log(c) - (c + 1.0) * log1p(c)) * expm1(1e-3);
      assert_true(fabs(added(&l, &more, d, j, right_c) - own) <= 1e-6 * own);
      more = l;
      more.error[d] += 1e-3;
      own = scale * 1e-3;
      assert_true(fabs(added(&l, &more, d, j, right_c) - own) <= 1e-6 * own);
      more = l; /* infinite losses: all that there may be, or that there are */
      more.infinity = 1e-3;
      own = d == 0 ? 1e-3 : 0.0;
      assert_true(fabs(added(&l, &more, d, j, right_c) - own) <= 1e-12);
      more = l;
      more.certain = 1e-3;
      own = d == 0 ? 0.0 : -1e-3;
      assert_true(fabs(added(&l, &more, d, j, right_c) - own) <= 1e-12);
    }
  /* lines that do not part say nothing of aliases, and no bound is beyond [0, 1] */
  assert_true(fabs(dppair_lattice_alias_(&l, 1.0, c + 1e-5) - 1.0 -
                   exp(-c * period) / (1.0 - exp(-c * period))) <= 1e-15);
  assert_true(dppair_lattice_delta_(&l, 1, 3, c + 1e-5) == 0.0);
  {
    dppair_lattice_ more = l;
    more.used[0] = 0; /* a sum of nothing: nothing is known */
    more.error[0] = 0.0;
    assert_true(dppair_lattice_delta_(&more, 0, 3, right_c) == 1.0);
    more = l;
    more.error[0] = more.error[1] = 50.0;
    assert_true(dppair_lattice_delta_(&more, 0, 3, right_c) == 1.0);
    assert_true(dppair_lattice_delta_(&more, 1, 3, right_c) == 0.0);
  }
}

/* Between lattice points the bounds are chords in e^epsilon; wherever the search begins. */
static void epsilons_are_where_the_chord_has_delta(void **state) {
  static const double guess[] = {0.0, 1.0, 2.5, 40.0, -3.0};
  const double right_c = 3.0, h = 0.05;
  const dppair_lattice_ l = composed(1.2, right_c);
  dppair_lattice_ infinite = l;
  int i, d;
  size_t k;
  (void)state;
  for (i = 0; i < 12; i++)
    for (d = 0; d < 2; d++)
      for (k = 0; k < 5; k++) {
        const double delta = exp(-1.5 - 0.9 * i);
        const double epsilon = dppair_lattice_epsilon_(&l, d, delta, guess[k], right_c);
        const int64_t j = (int64_t)floor(epsilon / h);
        const double a = dppair_lattice_delta_(&l, d, j, right_c),
                     b = dppair_lattice_delta_(&l, d, j + 1, right_c);
        const double part = expm1(epsilon - h * (double)j) / expm1(h);
        assert_true(epsilon > 0.0 && a > delta && b <= delta);
        assert_true(fabs(a + part * (b - a) - delta) <= 1e-10 * delta);
      }
  /* a delta that the bound never has: infinite, or where all is below it */
  infinite.infinity = 1e-3;
  assert_true(dppair_lattice_epsilon_(&infinite, 0, 0.99e-3, 1.0, right_c) >= HUGE_VAL);
  assert_true(dppair_lattice_epsilon_(&l, 0, 1.0, 1.0, right_c) == 0.0);
  assert_true(dppair_lattice_epsilon_(&l, 1, 0.9999, 1.0, right_c) == 0.0);
}

/* --- cells --- */

static void cells_of_laplace_noise_are_within_their_errors(void **state) {
  enum { CELLS = 4096 };
  static const double size[] = {0.25, 1.0, 60.0, 490.0, 0.1, 3.3};
  static double right[CELLS], left[CELLS];
  size_t i, k;
  (void)state;
  for (i = 0; i < 6; i++) {
    const real e = (real)size[i], h = 0.25L; /* the first four on the lattice */
    dppair_law_ law;
    dppair_cells_ cells;
    memset(&law, 0, sizeof law);
    law.kind = DPPAIR_LAW_LAPLACE_;
    law.mu = size[i];
    law.steps = 1.0;
    memset(&cells, 0x47, sizeof cells);
    cells.h = 0.25;
    cells.growth = exp(0.25);
    cells.right = right;
    cells.left = left;
    cells.size = CELLS;
    assert_int_equal(dppair_cells_fill_(&cells, &law, 0, -40.0), DPPAIR_OK);
    assert_true(cells.infinity == 0.0 && cells.unseen == 0.0 && cells.table == 0);
    assert_true(cells.mass_error < 1e-12);
    for (k = 0; k < CELLS; k++) {
      const real low = h * (real)(cells.first + (int64_t)k), high = low + h;
      real p = 0.0L, q = 0.0L, more, less;
      const real from = low > -e ? low : -e, to = high < e ? high : e;
      if (from < to) { /* the density e^((l - e)/2)/4 of P, and of Q, e^-l of that */
        p = 0.5L * expl(0.5L * (from - e)) * expm1l(0.5L * (to - from));
        q = -0.5L * expl(-0.5L * (from + e)) * expm1l(-0.5L * (to - from));
      }
      if (low <= e && e < high) { /* the atoms */
        p += 0.5L;
        q += 0.5L * expl(-e);
      }
      if (low <= -e && -e < high) {
        p += 0.5L * expl(-e);
        q += 0.5L;
      }
      more = (p - expl(low) * q) / -expm1l(-h);
      less = (expl(high) * q - p) / expm1l(h);
      assert_true(fabsl((real)right[k] + (real)left[k] - more - less) <=
                  (real)cells.mass_error * (more + less));
      assert_true(fabsl((real)right[k] - more) <=
                  ((real)cells.mass_error + 2.0L * (real)cells.loss_error / h + 1e-16L) *
                      (more + less));
    }
  }
}

static void a_law_that_does_not_fit_is_refused(void **state) {
  const dppair_step small = poisson(0.1, 1.0, 2), large = poisson(0.1, 0.05, 2);
  dppair_contour_ s;
  dppair_lattice_ l = fresh(0.05, 0.5);
  dppair_cells_ cells = cells_of(&small, 0.05, 0);
  static double search[4 * DPPAIR_SEARCH_NODES_];
  int i, directions, smooth;
  (void)state;
  for (i = 0; i < 2; i++) { /* after one that does, whose cells are still there */
    const double before = l.log_k[0];
    assert_int_equal(
        dppair_contour_begin_(&s, &directions, &smooth, i == 0 ? &small : &large, 1, 1e-20),
        DPPAIR_OK);
    s.search = search;
    s.c = 0.5;
    s.right = 2.0;
    dppair_contour_search_fill_(&s, 16.0);
    assert_int_equal(dppair_lattice_add_law_(&l, &cells, &s, 0, -40.0),
                     i == 0 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE);
    assert_true((l.log_k[0] == before) == (i == 1));
  }
}

static void tables_at_the_ends_of_the_range_are_checked(void **state) {
  const double one[2] = {0.25, 0.75};
  const int64_t most = INT64_C(1000000000);
  (void)state;
  assert_int_equal(dppair_pld_table_check_(one, 2, most, 0.0), DPPAIR_OK);
  assert_int_equal(dppair_pld_table_check_(one, 2, -most, 0.0), DPPAIR_OK);
  assert_int_equal(dppair_pld_table_check_(one, 2, most + 1, 0.0), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_pld_table_check_(one, 2, -most - 1, 0.0), DPPAIR_ERR_DOMAIN);
}

static void a_lattice_is_lowered_until_an_atom_falls_on_it(void **state) {
  static const double asked[] = {0.01, 0.03, 0.1, 0.0999};
  size_t i, doubles;
  (void)state;
  for (i = 0; i < 4; i++) {
    const double e = i == 3 ? 0.04 : 1.0;
    dppair_pld_options_ options;
    dppair_contour_ s;
    dppair_lattice_ l;
    dppair_step step;
    int directions;
    double *work;
    memset(&options, 0, sizeof options);
    options.grid_step = asked[i];
    options.log2_size = 10;
    memset(&step, 0, sizeof step);
    step.kind = DPPAIR_LAPLACE;
    step.noise_multiplier = 1.0 / e;
    step.steps = 1;
    assert_int_equal(dppair_pld_workspace_(&doubles, 1, &options), DPPAIR_OK);
    work = (double *)malloc(doubles * sizeof *work);
    assert_non_null(work);
    assert_int_equal(
        dppair_pld_begin_(&s, &l, &directions, &step, 1, &options, 1e-20, work, doubles),
        DPPAIR_OK);
    assert_true(l.h <= asked[i] && 2.0 * l.h > (e < asked[i] ? e : asked[i]));
    assert_true(fabs(e / l.h - floor(e / l.h + 0.5)) < 1e-9);
    assert_true(s.grid_step == l.h);
    free(work);
  }
}

/* --- allocated records --- */

static void allocated_records_are_searched_by_their_own_moments(void **state) {
  static double search[2 * DPPAIR_SEARCH_NODES_], right[4096], left[4096];
  dppair_step step;
  dppair_contour_ s;
  dppair_allocated_law_ made;
  dppair_law_ law;
  int below, i, directions, smooth;
  double c;
  (void)state;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  step.noise_multiplier = 1.0;
  step.steps = 10;
  step.sampling = dppair_sampling_allocation(1000, 10, 1, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_contour_begin_(&s, &directions, &smooth, &step, 1, 1e-20), DPPAIR_OK);
  s.search = search;
  s.spares = dppair_allocation_doubles_();
  s.spare = (double *)malloc(s.spares * sizeof *s.spare);
  assert_non_null(s.spare);
  assert_int_equal(dppair_law_of_(&law, &step, 1e-20), DPPAIR_OK);
  for (below = 0; below < 2; below++) {
    s.below = below;
    assert_int_equal(dppair_table_search_(&s, 0, &law), DPPAIR_OK);
    made = dppair_allocated_law_of_(&s);
    for (c = 0.5; c < 5.0; c *= 1.7) {
      const double rough = dppair_contour_search_step_(search, c);
      double own = 0.0, other, im, error;
      size_t k;
      if (below) { /* remove, then add: E_P e^(cL) of the table and E_Q e^(-cL) */
        dppair_density_moment_(&own, &im, &error, &made.table, c, 0.0);
        dppair_density_moment_(&other, &im, &error, &made.table, -1.0 - c, 0.0);
        own = log(own) + log(other);
      } else {
        for (k = 0; k < made.pair.size; k++)
          own += made.pair.mass[k] *
                 exp(c * made.pair.h * (double)(made.pair.first + (int64_t)k));
        own = log(own);
      }
      /* nodes at the means of their bins: below, by Jensen, and near enough */
      assert_true(rough <= own * (1.0 + 1e-9) && rough >= (below ? 0.92 : 0.999) * own);
    }
    /* the cells are the same whatever was there before */
    for (i = 0; i < 2; i++) {
      static double kept[2][4096];
      const int part = below ? DPPAIR_TABLE_BACKWARD_ : DPPAIR_TABLE_ATOMS_;
      dppair_cells_ cells, first;
      size_t k;
      memset(&cells, i == 0 ? 0 : 0x47, sizeof cells);
      for (k = 0; k < 4096; k++) right[k] = left[k] = i;
      cells.h = 0.02;
      cells.growth = exp(0.02);
      cells.right = right;
      cells.left = left;
      cells.size = 4096;
      assert_int_equal(dppair_allocated_cells_(&cells, &made, part), DPPAIR_OK);
      assert_int_equal(cells.table, !below);
      if (i == 0) {
        memcpy(kept[0], right, sizeof right);
        memcpy(kept[1], left, sizeof left);
        first = cells;
        continue;
      }
      assert_memory_equal(kept[0], right, sizeof right);
      assert_memory_equal(kept[1], left, sizeof left);
      assert_true(cells.first == first.first && cells.infinity == first.infinity);
      assert_true(cells.unseen == first.unseen && cells.loss_error == first.loss_error);
      assert_true(cells.mass_error == first.mass_error);
    }
  }
  /* without room for the table the search has no answer */
  s.made = 0;
  s.spares = 100;
  s.reach_c = 0.0;
  assert_int_not_equal(dppair_contour_search_(&c, &s, 1.0), DPPAIR_OK);
  free(s.spare);
}

/* --- the contour route --- */

static void the_better_of_two_answers_is_kept_whole(void **state) {
  double best[4] = {2.0, 0.5, 1.0, 77.0}, now[4] = {1.5, 0.7, 1.2, 99.0};
  (void)state;
  assert_true(dppair_keep_better_(best, now, 3));
  assert_true(best[0] == 1.5 && best[1] == 0.7 && best[2] == 1.2 && best[3] == 77.0);
  now[0] = 1.4, now[1] = 0.6, now[2] = 1.1;
  assert_true(dppair_keep_better_(best, now, 2)); /* two alone: the third is somebody else's */
  assert_true(best[0] == 1.4 && best[1] == 0.7 && best[2] == 1.2);
  now[0] = 1.45, now[1] = 0.9, now[2] = 1.0; /* no better above, and better below */
  assert_true(!dppair_keep_better_(best, now, 3));
  assert_true(best[0] == 1.4 && best[1] == 0.9 && best[2] == 1.2);
  now[1] = 1.6; /* below what is above */
  assert_true(!dppair_keep_better_(best, now, 3) && best[1] == 0.9);
}

/* M(c) by trapezoid rules with wide steps misses no more than they say, at any tilt. */
static void wide_trapezoid_steps_miss_what_they_say(void **state) {
  static double list[4][4096], more[4][4096];
  static const double tilt[DPPAIR_TILTS_] = {1.5, 3.0, 0.0};
  int i, k;
  (void)state;
  for (i = 0; i < 12; i++) {
    const dppair_step step = poisson(i % 2 ? 0.3 : 0.01, i % 3 == 0 ? 0.7 : 1.3, 1);
    const double h = 0.6 + 0.05 * i, a = 2.0;
    double level[DPPAIR_TILTS_], sum[2][DPPAIR_TILTS_];
    dppair_nodes_ nodes, fine;
    dppair_branch_ branch;
    dppair_wish_ wish;
    dppair_law_ law;
    size_t n;
    assert_int_equal(dppair_law_of_(&law, &step, 1e-20), DPPAIR_OK);
    dppair_branch_of_(&branch, &law, 0, i / 6);
    memset(&nodes, 0, sizeof nodes);
    for (k = 0; k < DPPAIR_HEIGHTS_; k++) {
      wish.y[k] = k;
      wish.digits[k] = 40.0;
      nodes.log_strip[k] = -HUGE_VAL;
    }
    fine = nodes;
    nodes.loss = list[0], nodes.log_mass = list[1], nodes.loss_error = list[2];
    nodes.mass_error = list[3];
    fine.loss = more[0], fine.log_mass = more[1], fine.loss_error = more[2];
    fine.mass_error = more[3];
    nodes.room = fine.room = 4096;
    memset(level, 0, sizeof level);
    assert_int_equal(dppair_nodes_line_(&fine, &branch, tilt, level, &wish, a, 0.05), DPPAIR_OK);
    for (k = 0; k < DPPAIR_TILTS_; k++) {
      for (n = 0, sum[1][k] = 0.0; n < fine.n; n++)
        sum[1][k] += exp(fine.log_mass[n] + tilt[k] * fine.loss[n]);
      level[k] = log(sum[1][k]);
    }
    assert_int_equal(dppair_nodes_line_(&nodes, &branch, tilt, level, &wish, a, h), DPPAIR_OK);
    for (k = 0; k < DPPAIR_TILTS_; k++) {
      double off, room, strip;
      for (n = 0, sum[0][k] = 0.0; n < nodes.n; n++)
        sum[0][k] += exp(nodes.log_mass[n] + tilt[k] * nodes.loss[n]);
      off = fabs(sum[0][k] / sum[1][k] - 1.0);
      room = k == DPPAIR_TILT_C_       ? exp(nodes.log_strip[0]) + nodes.left_out
             : k == DPPAIR_TILT_RIGHT_ ? nodes.strip_right + nodes.left_out_right
                                       : nodes.plain;
      assert_true(off <= room + 1e-13);
      /* 2 e^(a^2/2)/(e^(2 pi a/h) - 1), 1.1 since M(c) is known roughly, and the factor by which
       * |r(x + ia)| may be below r(x) where it is the reciprocal that counts */
      strip = 2.2 / expm1(2.0 * DPPAIR_PI_ * a / h) * exp(0.5 * a * a) *
              (branch.shape == DPPAIR_BACKWARD_ ? pow(cos(0.5 * a * branch.reach), -tilt[k]) : 1.0);
      assert_true(room >= strip * (1.0 - 1e-12) && room <= strip * (1.0 + 1e-9) + 1e-15);
    }
  }
}

/* log r(x) of one shift, its slope and the share of the shifted part. */
static real ratio(real *slope, real *share, const dppair_branch_ *branch, real x) {
  const real b = (real)branch->b[0], q = (real)branch->p[0], hit = expl(b * x - 0.5L * b * b);
  const real r = 1.0L - q + q * hit;
  *share = q * hit / r;
  *slope = *share * b;
  return logl(r);
}

/* The bound of 16 nodes on a panel by its formula (quadrature.h), and what they do miss. */
static void panels_miss_no_more_than_their_ellipse_allows(void **state) {
  int i, k, n;
  (void)state;
  for (i = 0; i < 40; i++) {
    const dppair_step step = poisson(i % 2 ? 0.3 : 0.01, 0.5 + uniform(), 1);
    const double x = 6.0 * uniform() - 3.0, w = 0.8 + uniform(), c = 4.0 * uniform(), log_m = 0.3;
    real slope, share, here, top = -HUGE_VALL, level, exact = 0.0L, sum = 0.0L, rho, span, b, wedge;
    dppair_branch_ branch;
    dppair_panel_ panel;
    dppair_law_ law;
    assert_int_equal(dppair_law_of_(&law, &step, 1e-20), DPPAIR_OK);
    dppair_branch_of_(&branch, &law, 0, i / 2 % 2);
    b = (real)fmin(2.0, 0.9 * DPPAIR_PI_ / branch.reach);
    dppair_panel_of_(&panel, &branch, c, log_m, x, w, (double)b);
    b = (real)panel.b;
    rho = b / (real)w + sqrtl(b * b / (real)(w * w) + 1.0L);
    span = 0.5L * (real)w * (rho + 1.0L / rho);
    wedge = cosl(0.5L * b * (real)branch.reach);
    for (k = -1; k <= 1; k += 2) {
      const real at = (real)x + k * span;
      if (branch.shape == DPPAIR_BACKWARD_) {
        here = ratio(&slope, &share, &branch, (real)x);
        level = -(real)c * (here + k * slope * span);
      } else {
        level = ((real)c + 1.0L) * ratio(&slope, &share, &branch, at);
      }
      level += -0.5L * (real)(x * x) - (real)x * k * span;
      if (level > top) top = level;
    }
    (void)ratio(&slope, &share, &branch, (real)x + span);
    if (branch.shape == DPPAIR_BACKWARD_) /* |r| on the ellipse over r on the line */
      top -= (real)c * logl(fmaxl(wedge, 1.0L - share * (1.0L - cosl(b * (real)branch.reach))));
    top += 0.5L * b * b - 0.5L * logl(TWO_PI) - (real)log_m + logl(64.0L / 15.0L * (real)w) -
           32.0L * logl(rho) - logl(1.0L - 1.0L / (rho * rho));
    assert_true((real)panel.log_error >= top && (real)panel.log_error <= top + 1.01e-6L);
    assert_true(fabsl((real)panel.rate - b * slope / wedge) <= 1e-12L * (real)panel.rate);
    for (k = 0; k < 16; k++) {
      double weight;
      const real at = (real)x + (real)w * (real)dppair_legendre_(&weight, k);
      here = ratio(&slope, &share, &branch, at);
      level = (branch.shape == DPPAIR_BACKWARD_ ? -(real)c : (real)c + 1.0L) * here;
      sum += (real)(w * weight) * expl(level - 0.5L * at * at - (real)log_m) / sqrtl(TWO_PI);
    }
    for (n = 0; n < 400; n++) /* Simpson's rule */
      for (k = 0; k < 3; k++) {
        const real at = (real)x + (real)w * (((real)n + 0.5L * k) / 200.0L - 1.0L);
        here = ratio(&slope, &share, &branch, at);
        level = (branch.shape == DPPAIR_BACKWARD_ ? -(real)c : (real)c + 1.0L) * here;
        exact += (k == 1 ? 4.0L : 1.0L) / 1200.0L * (real)w *
                 expl(level - 0.5L * at * at - (real)log_m) / sqrtl(TWO_PI);
      }
    assert_true(fabsl(sum - exact) <= expl((real)panel.log_error) + 1e-9L * exact);
  }
}

/* What the nodes of a line add to its error, from what each of them carries. */
static double error_of_nodes(const dppair_contour_ *s, double extent) {
  const dppair_line_ line = dppair_line_of_(s);
  real sum = 0.0L;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const real y = (real)s->eta * (real)k, c = (real)s->c;
    const real share =
        (k == 0 ? 1.0L : 2.0L) * (real)s->eta / TWO_PI / hypotl(c, y) / hypotl(c + 1.0L, y);
    sum += share * (real)line.error[k] * expl((real)line.log_top[k] + (real)line.rounding[k]) +
           (real)line.log_abs[k] *
               ((real)line.rounding[k] + 16.0L * (real)DPPAIR_UNIT_ * (4.0L + y * (real)extent));
  }
  /* and the integral beyond the cut, by its bound of |K|/K(c) there */
  return (double)(sum + 2.0L * expl((real)s->log_decay + (real)s->log_k_rounding) / TWO_PI /
                            (real)s->cut);
}

static void the_first_look_keeps_the_cells_beside_the_largest_value(void **state) {
  static double cell[6 * 40];
  const dppair_step step = poisson(0.01, 1.0, 1);
  dppair_branch_ branch;
  dppair_law_ law;
  int i;
  (void)state;
  assert_int_equal(dppair_law_of_(&law, &step, 1e-20), DPPAIR_OK);
  dppair_branch_of_(&branch, &law, 0, 0);
  for (i = 0; i < 3; i++) { /* all the mass at the right end, at the left one, in the middle */
    dppair_slice_ slice = dppair_slice_of_(&branch, 0.0, 24, cell);
    const double low = i == 0 ? -250.0 : i == 1 ? 10.0 : -120.0, high = low + 240.0;
    double from = low, to = high;
    assert_true(dppair_slice_find_(&slice, &from, &to, 24));
    assert_true(fabs(from - (i == 0 ? high - 10.0 : i == 1 ? low : -10.0)) < 1e-9);
    assert_true(fabs(to - (i == 0 ? high : i == 1 ? low + 10.0 : 10.0)) < 1e-9);
  }
}

static void a_root_at_the_end_of_its_bracket_is_found(void **state) {
  const dppair_step step = poisson(0.01, 1.0, 1000);
  dppair_contour_ s;
  double *work, guess, top, root, again, high, low, estimate;
  size_t doubles;
  int directions, smooth;
  (void)state;
  assert_int_equal(dppair_contour_workspace_(&doubles, 1), DPPAIR_OK);
  work = (double *)malloc(doubles * sizeof *work);
  assert_non_null(work);
  assert_int_equal(dppair_contour_begin_(&s, &directions, &smooth, &step, 1, 1e-20), DPPAIR_OK);
  dppair_contour_place_(&s, work);
  assert_int_equal(dppair_contour_saddle_(&top, &s, 0, log(1e-5)), DPPAIR_OK);
  assert_int_equal(dppair_contour_prepare_(&guess, &s, 0, log(1e-5), top), DPPAIR_OK);
  {
    const double error = error_of_nodes(&s, dppair_contour_extent_of_(top));
    assert_true(s.error >= error && s.error <= error * (1.0 + 1e-8));
  }
  root = dppair_contour_root_(&s, 1e-5, guess, top);
  assert_true(root > 0.5 && root < top);
  again = dppair_contour_root_(&s, 1e-5, guess, root);
  assert_true(fabs(again - root) <= 1e-12 * root);
  dppair_contour_solve_(&high, &low, &estimate, &s, 1e-5, guess, top);
  assert_true(low <= root && root <= high && high - low < 1e-8);
  free(work);
}

/* A step whose moment is beyond what numbers hold has no factor, and a line without a factor no
 * answer; nor has one of which hits beyond the cap cost half of delta. */
static void a_line_that_lacks_a_factor_or_delta_is_refused(void **state) {
  const dppair_step step = poisson(0.01, 1.0, 1000);
  dppair_contour_ s;
  dppair_law_ law;
  double *work, top, value[3] = {0, 0, 0};
  size_t doubles;
  int directions, smooth;
  (void)state;
  assert_int_equal(dppair_contour_workspace_(&doubles, 1), DPPAIR_OK);
  work = (double *)malloc(doubles * sizeof *work);
  assert_non_null(work);
  assert_int_equal(dppair_contour_begin_(&s, &directions, &smooth, &step, 1, 1e-20), DPPAIR_OK);
  dppair_contour_place_(&s, work);
  assert_int_equal(dppair_contour_epsilon_(value, &s, 1e-5, 0.0), DPPAIR_OK);
  assert_true(value[0] > 0.5);
  s.failure = 0.49e-5;
  assert_int_equal(dppair_contour_epsilon_(value, &s, 1e-5, 0.0), DPPAIR_OK);
  s.failure = 0.51e-5;
  assert_int_equal(dppair_contour_epsilon_(value, &s, 1e-5, 0.0), DPPAIR_ERR_NO_CONVERGENCE);
  s.failure = 0.0;
  assert_int_equal(dppair_contour_saddle_(&top, &s, 0, log(1e-5)), DPPAIR_OK);
  assert_int_equal(dppair_law_of_(&law, &step, 1e-20), DPPAIR_OK);
  s.c = 1e5;
  assert_int_equal(dppair_contour_multiply_(&s, &law, 0, 30.0), DPPAIR_ERR_NO_CONVERGENCE);
  free(work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(powers_of_a_law_are_within_what_they_claim),
      TEST(sums_of_losses_are_cleared_before_they_are_added),
      TEST(nodes_that_count_as_nothing_and_errors_are_charged),
      TEST(sums_over_nodes_are_within_their_error),
      TEST(bounds_of_delta_hold_each_error_whole),
      TEST(epsilons_are_where_the_chord_has_delta),
      TEST(cells_of_laplace_noise_are_within_their_errors),
      TEST(a_law_that_does_not_fit_is_refused),
      TEST(tables_at_the_ends_of_the_range_are_checked),
      TEST(a_lattice_is_lowered_until_an_atom_falls_on_it),
      TEST(allocated_records_are_searched_by_their_own_moments),
      TEST(the_better_of_two_answers_is_kept_whole),
      TEST(wide_trapezoid_steps_miss_what_they_say),
      TEST(panels_miss_no_more_than_their_ellipse_allows),
      TEST(the_first_look_keeps_the_cells_beside_the_largest_value),
      TEST(a_root_at_the_end_of_its_bracket_is_found),
      TEST(a_line_that_lacks_a_factor_or_delta_is_refused),
  };
  if (LDBL_MANT_DIG < 64) return 0; /* too few digits for an oracle */
  return RUN_TESTS(tests, NULL, NULL);
}
