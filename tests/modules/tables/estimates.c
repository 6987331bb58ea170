/* SPDX-License-Identifier: MIT */
/* What released marginals say, computed once more from the text of the chapters: dense matrices in
 * long double, without eigenvectors, without factors that are reused. */
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair_tables.h"

#include "dppair.h"

#include "tests.h"

typedef long double wide;

enum { SIDE = 6, CELLS = 2 * SIDE, BELLS = 512, SPIKES = 6, ROOM = 1 << 18 };
static double room[ROOM];

/* --- linear algebra ----------------------------------------------------------------------------
 */

/* out = the inverse of the m by m matrix a, by Gauss and Jordan. */
static void invert(wide *out, const wide *a, size_t m) {
  wide b[CELLS * CELLS];
  memcpy(b, a, m * m * sizeof *b);
  for (size_t i = 0; i < m * m; i++) out[i] = i % (m + 1) == 0;
  for (size_t k = 0; k < m; k++) {
    const wide pivot = b[k * m + k]; /* positive definite: no rows are exchanged */
    assert_true(pivot > 0);
    for (size_t j = 0; j < m; j++) b[k * m + j] /= pivot, out[k * m + j] /= pivot;
    for (size_t i = 0; i < m; i++) {
      const wide factor = b[i * m + k];
      for (size_t j = 0; j < m && i != k; j++) {
        b[i * m + j] -= factor * b[k * m + j];
        out[i * m + j] -= factor * out[k * m + j];
      }
    }
  }
}
static void times(wide *out, const wide *a, const wide *x, size_t m) {
  for (size_t i = 0; i < m; i++) {
    out[i] = 0;
    for (size_t j = 0; j < m; j++) out[i] += a[i * m + j] * x[j];
  }
}

/* --- the posterior mean of a histogram ----------------------------------------------------------
 */

static const wide SPIKE[SPIKES] = {0, .2L, .4L, .6L, .8L, .93L}, TAU2 = .012L * .012L;
static wide bells[BELLS][CELLS], uniform_prior[BELLS][SPIKES], prior[BELLS][SPIKES];
static wide weight[BELLS][SPIKES], sums[BELLS][SPIKES];
static size_t many;

static wide within(wide low, wide high, wide centre, wide width) {
  return (erfl((high - centre) / (width * sqrtl(2))) - erfl((low - centre) / (width * sqrtl(2)))) /
         2;
}
static void bell(const dppair_cells *g, int of_values, wide centre, wide width) {
  const wide low = of_values ? (wide)g->edge[0] : 0;
  const wide all = within(low, of_values ? (wide)g->edge[g->cells] : (wide)g->cells, centre, width);
  if (of_values && all < .5L) return;
  assert_true(many < BELLS);
  for (size_t i = 0; i < g->cells; i++) {
    const wide from = of_values ? (wide)g->edge[i] : (wide)i;
    const wide to = of_values ? (wide)g->edge[i + 1] : (wide)(i + 1);
    bells[many][i] = within(from, to, centre, width) / all;
  }
  for (int k = 0; k < SPIKES; k++) uniform_prior[many][k] = (of_values ? 5 : 1) * (k ? .1L : .5L);
  many++;
}
/* Over the cells: centres half a cell apart where bells are narrow, else a cell. Over values, where
 * both signs are in range: 18 widths, centres up to 2 of them from zero. */
static void make_templates(const dppair_cells *g) {
  static const wide widths[5] = {.35L, .7L, 1.4L, 2.8L, 5.6L};
  wide total = 0;
  many = 0;
  for (int w = 0; w < 5; w++)
    for (size_t c = 0; c <= 2 * g->cells; c += w < 2 ? 1 : 2) bell(g, 0, (wide)c / 2, widths[w]);
  if (g->zero > 0 && g->zero + 1 < g->cells) {
    double width = fmax(-g->edge[0], g->edge[g->cells]);
    for (int w = 0; w < 18; w++, width /= 1.5)
      for (int k = -4; k <= 4; k++) bell(g, 1, (wide)k / 2 * (wide)width, (wide)width);
  }
  for (size_t b = 0; b < many; b++)
    for (int k = 0; k < SPIKES; k++) total += uniform_prior[b][k];
  for (size_t b = 0; b < many; b++)
    for (int k = 0; k < SPIKES; k++) prior[b][k] = uniform_prior[b][k] /= total;
}
static void template_of(wide *t, const dppair_cells *g, size_t b, int k) {
  for (size_t i = 0; i < g->cells; i++)
    t[i] = (1 - SPIKE[k]) * bells[b][i] + (i == g->zero ? SPIKE[k] : 0);
}

/* The covariance s^2 + tau^2 A^2 of Y about A t, inverted. */
static void precision(wide *out, const wide *a, size_t m, wide sd) {
  wide cov[CELLS * CELLS];
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      cov[i * m + j] = i == j ? sd * sd : 0;
      for (size_t l = 0; l < m; l++) cov[i * m + j] += TAU2 * a[i * m + l] * a[l * m + j];
    }
  invert(out, cov, m);
}
/* weight = the posterior of the templates, given Y. */
static void weigh(const wide *a, const wide *inverse, const dppair_cells *g, const wide *y) {
  const size_t m = g->cells;
  wide most = -HUGE_VALL, total = 0;
  for (size_t b = 0; b < many; b++)
    for (int k = 0; k < SPIKES; k++) {
      wide t[CELLS], at[CELLS], r[CELLS], square = 0;
      template_of(t, g, b, k);
      times(at, a, t, m);
      for (size_t i = 0; i < m; i++) at[i] = y[i] - at[i];
      times(r, inverse, at, m);
      for (size_t i = 0; i < m; i++) square += at[i] * r[i];
      weight[b][k] = logl(prior[b][k]) - square / 2;
      most = fmaxl(most, weight[b][k]);
    }
  for (size_t b = 0; b < many; b++)
    for (int k = 0; k < SPIKES; k++) total += weight[b][k] = expl(weight[b][k] - most);
  for (size_t b = 0; b < many; b++)
    for (int k = 0; k < SPIKES; k++) weight[b][k] /= total;
}
/* The nearest distribution: what is cut off each entry is found by halving. */
static void project(wide *h, size_t m) {
  wide low = -2, high = 2;
  for (int turn = 0; turn < 80; turn++) {
    const wide cut = (low + high) / 2;
    wide sum = 0;
    for (size_t i = 0; i < m; i++) sum += fmaxl(0, h[i] - cut);
    if (sum > 1)
      low = cut;
    else
      high = cut;
  }
  for (size_t i = 0; i < m; i++) h[i] = fmaxl(0, h[i] - high);
}
/* m + tau^2 A (s^2 + tau^2 A^2)^-1 (Y - A m), m the mean of the weighted templates. */
static void estimate(wide *h, const wide *a, const wide *inverse, const dppair_cells *g,
                     const wide *y) {
  const size_t m = g->cells;
  wide mean[CELLS] = {0}, left[CELLS], turned[CELLS], t[CELLS];
  for (size_t b = 0; b < many; b++)
    for (int k = 0; k < SPIKES; k++) {
      template_of(t, g, b, k);
      for (size_t i = 0; i < m; i++) mean[i] += weight[b][k] * t[i];
    }
  times(left, a, mean, m);
  for (size_t i = 0; i < m; i++) left[i] = y[i] - left[i];
  times(turned, inverse, left, m);
  times(t, a, turned, m);
  for (size_t i = 0; i < m; i++) h[i] = mean[i] + TAU2 * t[i];
  project(h, m);
}

/* Column 0 learns from column 1, of the same cells and of both classes, 3 has cells of its own, 2
 * is a flag. Of a bell at an end of its range little less than half is in range: at -1.12501/1.5^2
 * * 2 of columns 0 and 1; of one at -1/1.5^3 * 3/2 of column 3 little more. */
static const dppair_column COLUMNS[4] = {{DPPAIR_COLUMN_NUMERIC, -1, 1.12501, 0, 0},
                                         {DPPAIR_COLUMN_NUMERIC, -1, 1.12501, 0, 1},
                                         {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                         {DPPAIR_COLUMN_NUMERIC, -.2975, 1, 0, 0}};
enum { COLUMN_COUNT = 4, N = 1000 };

/* What is released of columns that look like the templates: much of the mass in the middle, or all
 * of it at the end. */
static void release_of(double *v, const size_t *start, double noise, int at_end) {
  for (size_t k = 0; k < start[COLUMN_COUNT + 1]; k++)
    v[k] = (at_end ? 0 : N * .04) + noise * normal();
  for (size_t j = 0; j < COLUMN_COUNT; j++)
    v[start[j] + (at_end ? 0 : (start[j + 1] - start[j]) / 2)] += N * (at_end ? 1 : .3);
}

static void estimates_are_the_posterior_means_of_the_text(void **state) {
  static double v[80], h[80], raw[80], deviation[80];
  size_t start[COLUMN_COUNT + 2], bytes;
  (void)state;
  assert_int_equal(dppair_marginals_estimate_workspace(&bytes, COLUMN_COUNT), DPPAIR_OK);
  assert_true(bytes <= sizeof room);
  for (int how = 0; how < 16; how++) {
    const int smoothed = how & 1, learn = how >> 1 & 1;
    const double noise = how & 4 ? 40 : 6;
    const dppair_marginals q = {COLUMNS,           COLUMN_COUNT,     SIDE,
                                smoothed ? .9 : 0, smoothed ? 4 : 0, 2};
    assert_int_equal(dppair_marginals_layout(start, &q), DPPAIR_OK);
    assert_true(start[COLUMN_COUNT + 1] <= 80);
    release_of(v, start, noise, how >> 3);
    memset(room, 0x47, bytes);
    assert_int_equal(dppair_marginals_estimate(h, raw, deviation, v, start[COLUMN_COUNT + 1], &q, N,
                                               noise, learn, room, bytes),
                     DPPAIR_OK);
    for (size_t first = 0; first < COLUMN_COUNT; first += 3) {
      const size_t last = first == 0 ? 1 : 3; /* columns 0 and 1; 3 by itself */
      wide a[CELLS * CELLS], inverse[2][CELLS * CELLS], back[CELLS * CELLS], y[2][CELLS], sd[2];
      double matrix[CELLS * CELLS];
      dppair_cells g;
      size_t m;
      assert_int_equal(dppair_cells_make(&g, COLUMNS[first].low, COLUMNS[first].high, SIDE),
                       DPPAIR_OK);
      m = g.cells;
      assert_int_equal(dppair_smoothing_matrix(matrix, m, q.smooth, q.width, room, sizeof room),
                       DPPAIR_OK);
      for (size_t i = 0; i < m * m; i++) a[i] = (wide)matrix[i];
      invert(back, a, m);
      make_templates(&g);
      for (size_t j = first; j <= last; j++) {
        const double *at = v + start[j];
        for (size_t i = 0; i < m; i++)
          y[j - first][i] = ((wide)at[i] + (COLUMNS[j].by_class ? (wide)at[m + i] : 0)) / N;
        sd[j - first] = (wide)noise / N * (COLUMNS[j].by_class ? sqrtl(2) : 1);
        precision(inverse[j - first], a, m, sd[j - first]);
      }
      for (int round = 0; round < 3 && learn; round++) {
        memset(sums, 0, sizeof sums);
        for (size_t j = 0; j <= last - first; j++) {
          weigh(a, inverse[j], &g, y[j]);
          for (size_t b = 0; b < many; b++)
            for (int k = 0; k < SPIKES; k++) sums[b][k] += weight[b][k];
        }
        for (size_t b = 0; b < many; b++)
          for (int k = 0; k < SPIKES; k++)
            prior[b][k] = (sums[b][k] + uniform_prior[b][k]) / (wide)(last - first + 2);
      }
      for (size_t j = first; j <= last; j++) {
        wide expected[CELLS], plain[CELLS];
        weigh(a, inverse[j - first], &g, y[j - first]);
        estimate(expected, a, inverse[j - first], &g, y[j - first]);
        times(plain, back, y[j - first], m);
        for (size_t i = 0; i < m; i++) {
          wide noisy = 0;
          for (size_t l = 0; l < m; l++) noisy += back[i * m + l] * back[i * m + l];
          assert_true(fabsl((wide)h[start[j] + i] - expected[i]) < 1e-9L);
          assert_true(fabsl((wide)raw[start[j] + i] - plain[i]) < 1e-9L);
          assert_true(fabsl((wide)deviation[start[j] + i] - sd[j - first] * sqrtl(noisy)) < 1e-9L);
        }
      }
    }
    assert_true(fabs(h[start[2]] - fmin(1, fmax(0, v[start[2]] / N))) < 1e-15);
    assert_true(deviation[start[2]] == noise / N);
  }
}

/* Shares out of [0, 1], which noise makes, are held there; `raw` is what was released. */
static void shares_of_flags_are_held_in_their_range(void **state) {
  static const double counts[5] = {-3, 0, 400, 995, 1004};
  static const dppair_column flags[5] = {{DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                         {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                         {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                         {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0},
                                         {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};
  const dppair_marginals q = {flags, 5, 1, 0, 0, 0};
  double h[5], raw[5];
  (void)state;
  assert_int_equal(
      dppair_marginals_estimate(h, raw, NULL, counts, 5, &q, N, 2, 1, room, sizeof room),
      DPPAIR_OK);
  for (int k = 0; k < 5; k++) {
    assert_true(h[k] == fmin(1, fmax(0, counts[k] / N)));
    assert_true(raw[k] == counts[k] / N);
  }
}

/* --- the share of positives over the rank -------------------------------------------------------
 */

/* Legendre's polynomial of a degree by Bonnet's recursion, of unit variance on [-1, 1]. */
static wide legendre(int degree, wide t) {
  wide before = 1, now = t;
  for (int k = 1; k < degree; k++) {
    const wide next = ((2 * k + 1) * t * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  return sqrtl(2 * degree + 1) * now;
}

/* The ridge regression of the text, its normal equations solved once more; noise of 1e-3 a share at
 * least. */
static void curves_over_the_rank_are_the_regression_of_the_text(void **state) {
  static const wide spread[4] = {.2L, .2L, .1L, .05L};
  /* of a deviation of little less than 1e-3, and little more */
  const double least = 1 / sqrt(.3 * .3 + .7 * .7),
               noises[4] = {0, .998 * least, 1.002 * least, 30};
  const dppair_column column = {DPPAIR_COLUMN_NUMERIC, -1, 2, 0, 1};
  (void)state;
  for (int k = 0; k < 5; k++) assert_true(fabs(dppair_class_curve(NULL, k)) <= 0);
  for (int term = 0; term < 4; term++)
    for (double t = -1; t <= 1; t += .125) {
      double c[4] = {0};
      c[term] = 1;
      assert_true(fabsl((wide)dppair_class_curve(c, t) - legendre(term + 1, (wide)t)) < 1e-14L);
    }
  for (int how = 0; how < 8; how++) {
    const int smoothed = how & 1;
    const double noise = noises[how >> 1], rate = .3;
    const dppair_marginals q = {&column, 1, SIDE, smoothed ? .9 : 0, smoothed ? 4 : 0, 0};
    double v[2 * CELLS], h[2 * CELLS] = {0}, matrix[CELLS * CELLS], c[4], total = 0;
    wide basis[4][CELLS] = {{0}}, right[4] = {0}, g[16] = {0}, solved[16], below = 0;
    const wide sd = (wide)noise / N * sqrtl(.3L * .3L + .7L * .7L);
    size_t start[3], m;
    assert_int_equal(dppair_marginals_layout(start, &q), DPPAIR_OK);
    m = start[1] / 2;
    assert_int_equal(dppair_smoothing_matrix(matrix, m, q.smooth, q.width, room, sizeof room),
                     DPPAIR_OK);
    for (size_t i = 0; i < m; i++) total += h[i] = .1 + uniform();
    for (size_t i = 0; i < m; i++) h[i] /= total;
    for (size_t i = 0; i < 2 * m; i++) v[i] = N * uniform() / (double)m;
    assert_int_equal(
        dppair_marginals_classes(c, v, h, 2 * m, &q, N, noise, rate, room, sizeof room), DPPAIR_OK);
    for (size_t k = 0; k < m; below += (wide)h[k++])
      for (size_t i = 0; i < m; i++)
        for (int term = 0; term < 4; term++)
          basis[term][i] += (wide)matrix[i * m + k] * (wide)h[k] *
                            legendre(term + 1, 2 * (below + (wide)h[k] / 2) - 1);
    for (int s = 0; s < 4; s++)
      for (size_t i = 0; i < m; i++) {
        const wide e = (1 - (wide)rate) * (wide)v[i] / N - (wide)rate * (wide)v[m + i] / N;
        right[s] += basis[s][i] * e;
        for (int t = 0; t < 4; t++) g[4 * s + t] += basis[s][i] * basis[t][i];
      }
    for (int s = 0; s < 4; s++) g[5 * s] += fmaxl(sd * sd, 1e-6L) / (spread[s] * spread[s]);
    invert(solved, g, 4);
    times(basis[0], solved, right, 4);
    for (int s = 0; s < 4; s++) assert_true(fabsl((wide)c[s] - basis[0][s]) < 1e-11L);
  }
}

/* --- shrinkage -----------------------------------------------------------------------------------
 */

/* Twenty steps of EM and the posterior means, by densities instead of odds. */
static void sparse_shrinkage_is_that_of_the_text(void **state) {
  enum { MANY = 40 };
  (void)state;
  for (int how = 0; how < 4; how++) {
    double w[MANY], kept[MANY], sd[MANY], square[MANY];
    wide p = .5L, t = 0, noise = 0, base;
    for (int i = 0; i < MANY; i++) {
      sd[i] = i == 3 ? 1e-10 : how & 1 ? between(.5, 2) : 1; /* one is known as well as exactly */
      square[i] = how & 2 ? log_between(.1, 10) : 1;
      kept[i] = w[i] = sd[i] * normal() + (i % 8 == 0 ? 4 : 0) + (i == 3);
      t += (wide)square[i] * fmaxl(0, (wide)w[i] * (wide)w[i] - (wide)sd[i] * (wide)sd[i]);
      noise += (wide)square[i] * (wide)sd[i] * (wide)sd[i];
    }
    base = t = fmaxl(t, noise) / MANY;
    assert_int_equal(dppair_shrink_sparse_f64(w, sd, square, MANY), DPPAIR_OK);
    for (int round = 0; round <= 20; round++) {
      wide useful = 1, sum = 2 * base;
      for (int i = 0; i < MANY; i++) {
        const wide s = (wide)square[i] * (wide)sd[i] * (wide)sd[i];
        const wide a = (wide)square[i] * (wide)kept[i] * (wide)kept[i];
        const wide meant = p * expl(-a / (2 * (s + t))) / sqrtl(s + t);
        const wide r = meant / (meant + (1 - p) * expl(-a / (2 * s)) / sqrtl(s));
        if (round == 20) assert_true(fabsl((wide)w[i] - r * t / (t + s) * (wide)kept[i]) < 1e-11L);
        useful += r;
        sum += r * (a * t * t / ((t + s) * (t + s)) + t * s / (t + s));
      }
      p = fminl(.999L, fmaxl(1e-6L, useful / (MANY + 2)));
      t = sum / (useful + 1);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(estimates_are_the_posterior_means_of_the_text),
      TEST(shares_of_flags_are_held_in_their_range),
      TEST(curves_over_the_rank_are_the_regression_of_the_text),
      TEST(sparse_shrinkage_is_that_of_the_text),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
