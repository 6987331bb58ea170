/* SPDX-License-Identifier: MIT */
/* The last iterate of descent with noise in every step, against exact densities of one coordinate. */
#include "accountant_common.h"

#include "dppair_iterates.h"

static double last(double sensitivity, double sigma, double smoothness, double alpha, double eta,
                   size_t steps, double diameter) {
  double mu;
  assert_ok(dppair_gaussian_mu_last_iterate(&mu, sensitivity, sigma, smoothness, alpha, eta, steps,
                                            diameter));
  return mu;
}

static void test_last_iterate_known(void **state) {
  static const double best[3] = {0.047326, 0.048992, 0.048992};
  static const double usual[3] = {0.056360, 0.066336, 0.066336};
  static const size_t steps[3] = {10, 100, 1000};
  const double alpha = 0.05, smoothness = 1e4 / (4 * 9999.0) + alpha; /* logistic 'ind', R = 1 */
  int k;
  (void)state;
  for (k = 0; k < 3; k++) {
    const double mu =
        last(2e-4, 0.01, smoothness, alpha, 2 / (smoothness + alpha), steps[k], TEST_INF);
    assert_close(mu, best[k], 1e-5);
    assert_close(last(2e-4, 0.01, smoothness, alpha, 1 / smoothness, steps[k], TEST_INF), usual[k],
                 1e-5);
    assert_true(mu <= 0.02 * sqrt((double)steps[k]));
  }
  assert_close(last(2e-4, 0.01, 0.3, 0.05, 2 / 0.35, 100000, TEST_INF), 0.02 * sqrt(6), 1e-13);
  /* without curvature: composition, or 4 d/(eta) for whole d/s, and not that where d < s */
  assert_close(last(1, 1, 2, 0, 1, SIZE_MAX, 5), sqrt(20), 1e-13);
  assert_close(last(1, 1, 2, 0, 1, 3, 5), sqrt(3), 1e-13);
  assert_close(last(4, 1, 2, 0, 1, 100, 0.04), 4.04, 1e-13);
  assert_close(last(1, 1, 2, 1e-9, 1, SIZE_MAX, 5), sqrt(20), 1e-7);
  /* nothing is lost where numbers are tiny or huge */
  assert_close(last(1, 1, 1, 1e-60, 1, SIZE_MAX, TEST_INF), sqrt((double)SIZE_MAX), 1e-13);
  assert_close(last(1e-80, 1e-80, 1e-70, 1e-70, 1e70, 7, TEST_INF), 1.0, 1e-13);
  assert_true(last(0, 1, 1, 1, 1, 1, TEST_INF) <= 0.0);
}

/* The two forms in wide arithmetic, the second at every k. */
static wide last_form(wide c, wide width, int k) {
  wide sum = 0, squares = 0, power = 1;
  int i;
  for (i = 0; i < k; i++, power *= c) {
    sum += power;
    squares += power * power;
  }
  return (sum + power * width) / wsqrt(squares);
}

static void test_last_iterate_forms(void **state) {
  int round;
  (void)state;
  for (round = 0; round < FEWER(400); round++) {
    const double smoothness = exp(4 * uniform() - 2);
    const double alpha = round % 5 == 0 ? 0.0 : smoothness * pow(uniform(), 4);
    const double eta = (round % 7 == 0 ? 1 : uniform()) * 2 / smoothness;
    const double width = exp(6 * uniform() - 2), moved = exp(uniform());
    const int steps = 1 + (int)(60 * uniform());
    const wide low = 1 - (wide)eta * (wide)alpha, high = (wide)eta * (wide)smoothness - 1;
    const wide c = low > high ? low : high;
    wide least = last_form(c, 0, steps);
    double mu;
    int k;
    if (c >= 1 && least < wsqrt((wide)steps)) least = wsqrt((wide)steps);
    if (alpha > 0) {
      mu = last(moved, 2.0, smoothness, alpha, eta, (size_t)steps, TEST_INF);
      assert_true((wide)mu >= least * (wide)moved / 2);
      assert_close(mu, (double)least * moved / 2, 1e-12);
    }
    for (k = 1; k <= steps; k++) {
      const wide one = last_form(c, (wide)width, k);
      if (one < least) least = one;
    }
    mu = last(moved, 2.0, smoothness, alpha, eta, (size_t)steps, width * eta * moved);
    assert_true((wide)mu * (1 + (wide)1e-15) >= least * (wide)moved / 2);
    assert_close(mu, (double)least * moved / 2, 1e-11);
  }
}

/* A linear function with the regulariser alone, whose last iterate is Gaussian: attained. */
static void test_last_iterate_attained(void **state) {
  int round;
  (void)state;
  for (round = 0; round < 50; round++) {
    const double alpha = exp(3 * uniform() - 2), eta = uniform() / alpha;
    const size_t steps = 1 + (size_t)(100 * uniform());
    double mean = 0, variance = 0;
    size_t t;
    for (t = 0; t < steps; t++) { /* of the difference of two runs, and of either */
      mean = (1 - eta * alpha) * mean + eta * 0.3;
      variance = (1 - eta * alpha) * (1 - eta * alpha) * variance + eta * eta * 0.49;
    }
    assert_close(mean / sqrt(variance), last(0.3, 0.7, alpha, alpha, eta, steps, TEST_INF), 1e-11);
  }
}

/* ---- Densities of one coordinate in an interval ---------------------------------------------- */

enum { CELLS = 160 };

typedef struct density {
  double at[CELLS + 1]; /* the mass in a cell; the ends hold what the projection gathers */
} density;

static double normal_below(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

/* One step: from the middle of each cell to map[], noise of deviation `noise`, projected. */
static void density_step(density *p, const double *map, double noise, double width) {
  const double cell = width / CELLS;
  density next;
  int i, j;
  memset(&next, 0, sizeof next);
  for (i = 0; i <= CELLS; i++) {
    double before = 0;
    if (!(p->at[i] > 0)) continue;
    for (j = 0; j <= CELLS; j++) { /* borders in the middle between points */
      const double below = j == CELLS ? 1 : normal_below(((j + 0.5) * cell - map[i]) / noise);
      next.at[j] += p->at[i] * (below - before);
      before = below;
    }
  }
  *p = next;
}

/* The largest mu that any epsilon shows between two densities, in both orders. */
static double density_mu(const density *p, const density *q) {
  double largest = 0, epsilon, mu;
  int i, order;
  for (epsilon = 0; epsilon < 4; epsilon += 0.4)
    for (order = 0; order < 2; order++) {
      double delta = 0;
      for (i = 0; i <= CELLS; i++)
        delta += fmax(0, order ? q->at[i] - exp(epsilon) * p->at[i]
                               : p->at[i] - exp(epsilon) * q->at[i]);
      if (delta > 1e-9 && delta < 1 && dppair_gaussian_mu(&mu, epsilon, delta) == DPPAIR_OK)
        largest = fmax(largest, mu);
    }
  return largest;
}

/* Two gradient maps with slopes between 1 - eta L and 1 - eta alpha, which differ by `moved` at
 * most: smooth and strongly convex functions of one variable have no others. A jump per cell. */
static void random_maps(double *one, double *two, double slow, double fast, double moved,
                        double width, int kind) {
  const double cell = width / CELLS;
  double difference = moved;
  int i;
  one[0] = kind == 0 ? moved / 2 : (uniform() - 0.5) * 2 * moved;
  for (i = 0; i <= CELLS; i++) {
    if (i > 0) one[i] = one[i - 1] + cell * (kind == 0 ? slow : fast + (slow - fast) * uniform());
    if (kind == 2 && i % 16 == 0) difference = uniform() < 0.5 ? moved : -moved;
    two[i] = one[i] - difference;
    if (i > 0) { /* the other map keeps its slopes too */
      const double least = two[i - 1] + fast * cell, most = two[i - 1] + slow * cell;
      two[i] = two[i] < least ? least : two[i] > most ? most : two[i];
      if (two[i] < one[i] - moved) two[i] = one[i] - moved;
      if (two[i] > one[i] + moved) two[i] = one[i] + moved;
    }
  }
}

static void test_last_iterate_densities(void **state) {
  const int rounds = getenv("FRONTIER") != NULL ? atoi(getenv("FRONTIER")) : FEWER(80);
  double nearest = 0;
  int round;
  (void)state;
  for (round = 0; round < rounds; round++) {
    const int linear = round % 4 == 0;
    const double noise = 0.25 + uniform(), moved = noise * (0.2 + uniform());
    const double width = linear ? moved * (1 + (int)(4 * uniform())) : 4 * uniform();
    const double alpha = linear ? 0 : uniform(), smoothness = 1.9 - 0.8 * uniform();
    const size_t steps = 1 + (size_t)(12 * uniform());
    double one[CELLS + 1], two[CELLS + 1], mu, bound;
    density p, q;
    size_t t;
    if (!(width > noise / 8)) continue; /* a cell is a fine part of the noise */
    random_maps(one, two, 1 - alpha, 1 - smoothness, moved, width, linear ? 0 : 1 + round % 2);
    memset(&p, 0, sizeof p);
    p.at[(int)(CELLS * uniform())] = 1;
    q = p;
    for (t = 0; t < steps; t++) {
      density_step(&p, one, noise, width);
      density_step(&q, two, noise, width);
    }
    mu = density_mu(&p, &q);
    bound = last(moved, noise, smoothness, alpha, 1.0, steps, width);
    if (mu > bound * (1 + 1e-3)) print_error("round %d: %.9g above %.9g\n", round, mu, bound);
    assert_true(mu <= bound * (1 + 1e-3)); /* the cells round */
    if (bound < 0.95 * sqrt((double)steps) * moved / noise) nearest = fmax(nearest, mu / bound);
  }
  if (getenv("FRONTIER") != NULL) print_message("last iterate: %.4f of the bound\n", nearest);
  assert_true(nearest > 0.8 || rounds < 80);
}

static void test_last_iterate_refused(void **state) {
  double mu = 1;
  (void)state;
#define REFUSED(status, ...)                                                                       \
  do {                                                                                             \
    mu = 1;                                                                                        \
    assert_int_equal(dppair_gaussian_mu_last_iterate(&mu, __VA_ARGS__), status);                   \
    assert_true(mu >= 0 && mu <= 0);                                                               \
  } while (0)
  REFUSED(DPPAIR_ERR_NO_PROOF, 1, 1, TEST_INF, 0.1, 0.1, 5, TEST_INF); /* hinge */
  REFUSED(DPPAIR_ERR_NO_PROOF, 1, 1, 1, 0, 0.1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_STEP_SIZE, 1, 1, 1, 0.1, 2.0000001, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_DOMAIN, 1, 1, 1, 1.1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_DOMAIN, 1, 1, 0, 0, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_DOMAIN, 1, 1, 1, 1, 0, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_DOMAIN, 1, 1, 1, 1, 1, 5, 0);
  REFUSED(DPPAIR_ERR_DOMAIN, 1, 1, 1, 1, 1, 5, -1);
  REFUSED(DPPAIR_ERR_DOMAIN, -1, 1, 1, 1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_DOMAIN, 1, 1, 1e300, 1, 1e-300, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_SIGMA, 1, 0, 1, 1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_SIGMA, 1, TEST_NAN, 1, 1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_SIGMA, 1, TEST_INF, 1, 1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_SIZE, 1, 1, 1, 1, 1, 0, TEST_INF);
  REFUSED(DPPAIR_ERR_NOT_FINITE, TEST_NAN, 1, 1, 1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_NOT_FINITE, 1, 1, TEST_NAN, 1, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_NOT_FINITE, 1, 1, 1, TEST_NAN, 1, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_NOT_FINITE, 1, 1, 1, 1, TEST_INF, 5, TEST_INF);
  REFUSED(DPPAIR_ERR_NOT_FINITE, 1, 1, 1, 1, 1, 5, TEST_NAN);
#undef REFUSED
  assert_int_equal(dppair_gaussian_mu_last_iterate(NULL, 1, 1, 1, 1, 1, 5, TEST_INF),
                   DPPAIR_ERR_NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_last_iterate_known),
      TEST(test_last_iterate_forms),
      TEST(test_last_iterate_attained),
      TEST(test_last_iterate_densities),
      TEST(test_last_iterate_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
