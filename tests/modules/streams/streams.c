/* SPDX-License-Identifier: MIT */
/* Prefix sums of streams, against all small streams. */
#include "accountant_common.h"

#include "dppair_noise.h"
#include "dppair_streams.h"

static dppair_stream stream_of(size_t steps, size_t buffer, size_t silent,
                               dppair_prefix_noise noise) {
  dppair_stream s;
  memset(&s, 0, sizeof s);
  s.steps = steps;
  s.buffer = buffer;
  s.silent = silent;
  s.noise = noise;
  s.adjacency = DPPAIR_REPLACE_ONE;
  return s;
}

static dppair_pair_unit two_levels(double unit) {
  dppair_pair_unit u;
  memset(&u, 0, sizeof u);
  u.levels = DPPAIR_LEVELS_TWO;
  u.unit = unit;
  return u;
}

static double prefix_of(const dppair_pair_unit *unit, const dppair_stream *s) {
  double found;
  size_t bytes;
  void *work;
  assert_ok(dppair_sensitivity_prefix_workspace(&bytes, s));
  work = malloc(bytes + 1);
  assert_non_null(work);
  assert_ok(dppair_sensitivity_prefix(&found, unit, s, work, bytes));
  free(work);
  return found;
}

/* Row r of C and of B, entries 1 .. r, for `noise`. */
static double factor_of(dppair_prefix_noise noise, size_t r, size_t k) {
  double f = 1;
  size_t j;
  if (noise == DPPAIR_PREFIX_INDEPENDENT) return r == k ? 1 : 0;
  if (noise == DPPAIR_PREFIX_TREE) {
    for (j = 1; r % (2 * j) == 0; j *= 2) continue;
    return k + j > r && k <= r ? 1 : 0;
  }
  for (j = 1; j <= r - k; j++) f *= (2.0 * (double)j - 1) / (2.0 * (double)j);
  return f;
}

/* The largest deviation of a prefix sum for sigma = 1. */
static double deviation_of(dppair_prefix_noise noise, size_t releases) {
  double most = 0, sum = 0;
  size_t r, k;
  for (r = 1; r <= releases; r++) {
    size_t ones = 0;
    for (k = r; k > 0; k &= k - 1) ones++;
    if (noise == DPPAIR_PREFIX_TREE) most = fmax(most, (double)ones);
  }
  if (noise == DPPAIR_PREFIX_INDEPENDENT) most = (double)releases;
  if (noise == DPPAIR_PREFIX_SQUARE_ROOT) {
    double f = 1;
    for (k = 0; k < releases; k++) {
      if (k > 0) f *= (2.0 * (double)k - 1) / (2.0 * (double)k);
      sum += f * f;
    }
    most = sum;
  }
  return sqrt(most);
}

static void test_stream_known(void **state) {
  const dppair_pair_unit one = two_levels(1);
  static const struct {
    size_t steps, buffer, silent;
    double deviation[4];
  } rows[] = {{1024, SIZE_MAX, 0, {0, 41.0, 49.0, 15.5}},
              {8192, SIZE_MAX, 0, {0, 116, 79.1, 23.4}},
              {8192, 64, 64, {0, 91.2, 21.0, 6.57}},
              {8192, 8, 8, {0, 96.0, 23.0, 7.11}}};
  size_t k;
  int noise;
  (void)state;
  for (k = 0; k < sizeof rows / sizeof *rows; k++)
    for (noise = 1; noise <= 3; noise++) {
      const dppair_stream s =
          stream_of(rows[k].steps, rows[k].buffer, rows[k].silent, (dppair_prefix_noise)noise);
      const double found = prefix_of(&one, &s) * deviation_of(s.noise, s.steps - s.silent);
      /* of the tree only the blocks that a prefix reads are released: a little less than printed */
      assert_true(found <= rows[k].deviation[noise] * 1.002);
      assert_true(found >= rows[k].deviation[noise] * (noise == 2 ? 0.98 : 0.995));
    }
  {
    dppair_stream s = stream_of(1000000, 1000, 1000, DPPAIR_PREFIX_INDEPENDENT);
    assert_close(prefix_of(&one, &s), sqrt(1 + 1e-3), 1e-8);
    s.buffer = s.silent = 1;
    assert_close(prefix_of(&one, &s), sqrt(2), 1e-8);
    s = stream_of(SIZE_MAX, SIZE_MAX, 0, DPPAIR_PREFIX_INDEPENDENT);
    assert_close(prefix_of(&one, &s), 3.14159265358979 / sqrt(6), 1e-6);
    assert_true(prefix_of(&one, &s) >= 3.14159265358979 / sqrt(6) * (1 - 1e-15));
    s = stream_of(SIZE_MAX, SIZE_MAX, SIZE_MAX - 10, DPPAIR_PREFIX_INDEPENDENT);
    assert_close(prefix_of(&one, &s), 1, 1e-8);
    s = stream_of(SIZE_MAX, 3, 0, DPPAIR_PREFIX_INDEPENDENT);
    assert_close(prefix_of(&one, &s), sqrt(1 + 1.0 / 4 + 2.0 / 9), 1e-8);
  }
}

/* ||C v_i|| for all i by the matrix, against what is certified for all of them. */
static void test_stream_matrix(void **state) {
  const dppair_pair_unit one = two_levels(1);
  size_t steps, buffer, silent;
  int noise;
  (void)state;
  for (steps = 2; steps <= (BRIEF ? 6u : 18u); steps += 1 + steps / 6)
    for (buffer = 1; buffer <= steps; buffer++)
      for (silent = 0; silent < steps; silent++)
        for (noise = 1; noise <= 3; noise++) {
          const dppair_stream s = stream_of(steps, buffer == steps ? SIZE_MAX : buffer, silent,
                                            (dppair_prefix_noise)noise);
          const double found = prefix_of(&one, &s);
          double most = 0;
          size_t i, r, t;
          for (i = 1; i <= steps; i++) {
            double square = 0;
            for (r = 1; r <= steps - silent; r++) {
              double entry = 0;
              for (t = silent + 1; t <= silent + r; t++) {
                const double b = (double)(t - 1 < buffer ? t - 1 : buffer);
                const double v = t == i ? (t > 1 ? 1 : 0) : t > i && t - i <= buffer ? 1 / b : 0;
                entry += factor_of(s.noise, r, t - silent) * v;
              }
              square += entry * entry;
            }
            most = fmax(most, square);
          }
          assert_true(found >= sqrt(most) * (1 - 1e-14));
          assert_close(found, sqrt(most), noise == 3 ? 5e-3 : 1e-6);
        }
}

/* g_t of a stream on the line: pairs with two labels, a loss with slopes 1 below its kink at 0 and
 * 0 above it, w_t anything that earlier outputs may have led to. */
static double stream_gradient(const int *x, const int *y, const int *w, size_t t, size_t buffer) {
  const size_t first = t > buffer ? t - buffer : 0;
  double sum = 0;
  size_t j;
  for (j = first; j < t; j++) {
    const int difference = y[t] * (x[t] - x[j]);
    if (y[t] * y[j] < 0 && w[t] * difference <= 0) sum -= difference;
  }
  return t > first ? sum / (double)(t - first) : 0;
}

static void test_stream_adversaries(void **state) {
  const int rounds = getenv("FRONTIER") != NULL ? atoi(getenv("FRONTIER")) : FEWER(600);
  double nearest[4] = {0, 0, 0, 0};
  int round, noise;
  (void)state;
  for (round = 0; round < rounds; round++) {
    enum { MOST = 12 };
    const size_t steps = 2 + below(MOST - 1), buffer = 1 + below(steps);
    const size_t silent = round % 2 ? below(steps) : buffer < steps ? buffer : 0;
    int x[MOST], y[MOST], w[MOST];
    const size_t i = round % 4 < 2 ? (silent > 1 ? silent : 1) : below(steps);
    double move[MOST];
    const int zeroed = round % 5 == 0;
    size_t t, r;
    for (t = 0; t < steps; t++) {
      x[t] = round % 4 < 2 ? -1 : (int)below(3) - 1;
      y[t] = round % 4 < 2 ? -1 : 2 * (int)below(2) - 1;
      w[t] = round % 4 < 2 ? 0 : (int)below(3) - 1;
    }
    x[i] = 1;
    y[i] = 1;
    for (t = 0; t < steps; t++) move[t] = stream_gradient(x, y, w, t, buffer);
    if (zeroed) {
      y[i] = 0; /* a null has no pairs, and keeps its place */
    } else if (round % 4 < 2) {
      x[i] = -1;
    } else {
      x[i] = (int)below(3) - 1;
      y[i] = 2 * (int)below(2) - 1;
    }
    for (t = 0; t < steps; t++) move[t] -= stream_gradient(x, y, w, t, buffer);
    for (noise = 1; noise <= 3; noise++) {
      const dppair_pair_unit unit = two_levels(2);
      dppair_stream s = stream_of(steps, buffer, silent, (dppair_prefix_noise)noise);
      double square = 0, found;
      s.adjacency = zeroed ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
      found = prefix_of(&unit, &s);
      for (r = 1; r <= steps - silent; r++) {
        double entry = 0;
        for (t = 1; t <= r; t++) entry += factor_of(s.noise, r, t) * move[silent + t - 1];
        square += entry * entry;
      }
      assert_true(sqrt(square) <= found * (1 + 1e-14));
      nearest[noise] = fmax(nearest[noise], sqrt(square) / found);
    }
  }
  for (noise = 1; noise <= 3; noise++) assert_true(nearest[noise] > 0.999 || rounds < 100);
}

/* Residences by a buffer that is carried along. */
static void test_stream_reservoir(void **state) {
  enum { STEPS = 40 };
  const dppair_pair_unit one = two_levels(1);
  dppair_pair_unit any = one;
  int round;
  (void)state;
  for (round = 0; round < FEWER(200); round++) {
    const size_t buffer = 1 + below(6), silent = buffer + below(4);
    dppair_stream s = stream_of(STEPS, buffer, silent, DPPAIR_PREFIX_INDEPENDENT);
    size_t slot[STEPS], held[8], t, k;
    double square[STEPS], most = 0, found;
    memset(square, 0, sizeof square);
    for (t = 0; t < STEPS; t++) {
      slot[t] = t < buffer ? t : below(t + 1); /* Vitter's reservoir */
      for (k = 0; k < buffer && t >= silent; k++)
        square[held[k]] += 1.0 / (double)(buffer * buffer);
      if (t >= silent) square[t] += 1;
      if (slot[t] < buffer) held[slot[t]] = t;
    }
    for (t = 0; t < STEPS; t++) most = fmax(most, square[t]);
    s.slot = slot;
    assert_ok(dppair_sensitivity_prefix(&found, &one, &s, NULL, 0));
    assert_close(found, sqrt(most), 1e-13);
    assert_true(found >= sqrt(most));
    any.levels = DPPAIR_LEVELS_ANY;
    assert_ok(dppair_sensitivity_prefix(&found, &any, &s, NULL, 0));
    assert_close(found, 2 * sqrt(most), 1e-13);
    s.adjacency = DPPAIR_ZERO_OUT;
    assert_ok(dppair_sensitivity_prefix(&found, &any, &s, NULL, 0));
    assert_close(found, sqrt(most), 1e-13);
    s.silent = buffer - 1;
    assert_int_equal(dppair_sensitivity_prefix(&found, &one, &s, NULL, 0), DPPAIR_ERR_NO_PROOF);
    s.silent = buffer;
    slot[0] = 1;
    assert_int_equal(dppair_sensitivity_prefix(&found, &one, &s, NULL, 0), DPPAIR_ERR_DOMAIN);
  }
}

/* What is released: the prefix sums, with the noise of its kind. */
static void test_stream_releases(void **state) {
  enum { STEPS = 19, SILENT = 2, RELEASES = STEPS - SILENT, D = 20 };
  static double work[16384], g[STEPS + 1][D], sum[D], squares[RELEASES + 1];
  const uint8_t key[32] = {7};
  dppair_prefix p;
  dppair_rng rng;
  size_t bytes, t, k;
  int noise, round;
  (void)state;
  assert_ok(dppair_rng_from_key(&rng, key, 1));
  for (noise = 1; noise <= 3; noise++) {
    const dppair_stream s = stream_of(STEPS, 2, SILENT, (dppair_prefix_noise)noise);
    assert_ok(dppair_prefix_workspace(&bytes, &s, D));
    assert_true(bytes <= sizeof work - 1);
    memset(squares, 0, sizeof squares);
    for (round = 0; round < FEWER(200); round++) {
      double exact[D] = {0};
      for (t = 1; t <= STEPS; t++)
        for (k = 0; k < D; k++) g[t][k] = between(-0.1, 0.1);
      assert_ok(dppair_prefix_open(&p, &s, D, 0.5, 1.0, (char *)work + 1, bytes));
      for (t = SILENT + 1; t <= STEPS; t++) {
        assert_ok(dppair_prefix_step(sum, g[t], t, &p, &rng));
        for (k = 0; k < D; k++) {
          exact[k] += g[t][k];
          squares[t - SILENT] += (sum[k] - exact[k]) * (sum[k] - exact[k]);
        }
      }
      assert_int_equal(dppair_prefix_step(sum, g[1], STEPS + 1, &p, &rng), DPPAIR_ERR_EXHAUSTED);
      dppair_prefix_close(&p);
    }
    for (t = 1; t <= RELEASES; t++) { /* of FEWER(200) D squares: five deviations */
      const double count = FEWER(200) * (double)D;
      double wanted = 0;
      size_t r;
      for (r = t; noise == 2 && r > 0; r &= r - 1) wanted += 1;
      for (r = 1; noise != 2 && r <= t; r++)
        wanted += noise == 1 ? 1 : pow(factor_of(DPPAIR_PREFIX_SQUARE_ROOT, r, 1), 2);
      assert_close(squares[t] / count, 0.25 * wanted, 5 * sqrt(2 / count));
    }
  }
}

static void test_stream_refused(void **state) {
  static const size_t slot[8] = {0, 1, 0, 2, 1, 2, 0, 2};
  static double work[4096];
  double found = 1, sum[2] = {1, 1}, g[2] = {0, 0};
  dppair_pair_unit one = two_levels(1);
  dppair_stream s = stream_of(8, 2, 2, DPPAIR_PREFIX_TREE);
  const uint8_t key[32] = {3};
  dppair_prefix p;
  dppair_rng rng;
  size_t bytes;
  (void)state;
  assert_ok(dppair_rng_from_key(&rng, key, 1));
#define PREFIX(status)                                                                             \
  do {                                                                                             \
    found = 1;                                                                                     \
    assert_int_equal(dppair_sensitivity_prefix(&found, &one, &s, work, sizeof work), status);      \
    assert_true(found >= 0 && found <= 0);                                                         \
  } while (0)
  s.slot = slot; /* a reservoir has independent noise alone */
  PREFIX(DPPAIR_ERR_UNREAD);
  s.noise = DPPAIR_PREFIX_SQUARE_ROOT;
  PREFIX(DPPAIR_ERR_UNREAD);
  s.noise = DPPAIR_PREFIX_TREE;
  s.slot = NULL;
  one.matched = 3; /* read where batches are put into pairs */
  PREFIX(DPPAIR_ERR_UNREAD);
  one.matched = 0;
  assert_int_equal(dppair_sensitivity_prefix(NULL, &one, &s, work, sizeof work), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_sensitivity_prefix(&found, NULL, &s, work, sizeof work), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_sensitivity_prefix(&found, &one, NULL, work, sizeof work),
                   DPPAIR_ERR_NULL);
  assert_int_equal(dppair_sensitivity_prefix(&found, &one, &s, work, 8), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_sensitivity_prefix(&found, &one, &s, NULL, 0), DPPAIR_ERR_NULL);
  s.adjacency = DPPAIR_REPLACE_USER;
  PREFIX(DPPAIR_ERR_ADJACENCY);
  s.adjacency = (dppair_adjacency)0;
  PREFIX(DPPAIR_ERR_ADJACENCY);
  s.adjacency = DPPAIR_ZERO_OUT;
  s.silent = 8;
  PREFIX(DPPAIR_ERR_SIZE);
  s.silent = 2;
  s.buffer = 0;
  PREFIX(DPPAIR_ERR_SIZE);
  s.buffer = 2;
  s.noise = (dppair_prefix_noise)4;
  PREFIX(DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_prefix_workspace(&bytes, &s, 2), DPPAIR_ERR_DOMAIN);
  s.noise = DPPAIR_PREFIX_SQUARE_ROOT;
  one.unit = TEST_INF;
  PREFIX(DPPAIR_ERR_NO_PROOF);
  one.unit = TEST_NAN;
  PREFIX(DPPAIR_ERR_NOT_FINITE);
  s.steps = SIZE_MAX;
  assert_int_equal(dppair_sensitivity_prefix_workspace(&bytes, &s), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_prefix_workspace(&bytes, &s, 2), DPPAIR_ERR_OVERFLOW);
  s.steps = 8;
  assert_int_equal(dppair_prefix_workspace(&bytes, &s, 0), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_prefix_open(&p, &s, 2, 0, 1, work, sizeof work), DPPAIR_ERR_SIGMA);
  assert_int_equal(dppair_prefix_open(&p, &s, 2, 1, 1e12, work, sizeof work), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_prefix_open(&p, &s, 2, 1, TEST_NAN, work, sizeof work),
                   DPPAIR_ERR_NOT_FINITE);
  assert_int_equal(dppair_prefix_open(&p, &s, 2, 1, 1, work, 64), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(dppair_prefix_open(&p, &s, 2, 1, 1, NULL, 0), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_prefix_step(sum, g, 3, &p, &rng), DPPAIR_ERR_SIZE); /* not open */
  assert_ok(dppair_prefix_open(&p, &s, 2, 1, 1, work, sizeof work));
  sum[0] = 1;
  assert_int_equal(dppair_prefix_step(sum, g, 2, &p, &rng), DPPAIR_ERR_NO_PROOF); /* silent */
  assert_true(sum[0] >= 0 && sum[0] <= 0);
  assert_int_equal(dppair_prefix_step(sum, g, 4, &p, &rng), DPPAIR_ERR_NO_PROOF);
  assert_int_equal(dppair_prefix_step(sum, NULL, 3, &p, &rng), DPPAIR_ERR_NULL);
  assert_ok(dppair_prefix_step(sum, g, 3, &p, &rng));
  assert_int_equal(dppair_prefix_step(sum, g, 3, &p, &rng), DPPAIR_ERR_NO_PROOF); /* again */
  g[1] = TEST_NAN;
  assert_int_equal(dppair_prefix_step(sum, g, 4, &p, &rng), DPPAIR_ERR_NOT_FINITE);
  assert_true(sum[0] >= 0 && sum[0] <= 0);
  assert_int_equal(dppair_prefix_step(sum, g, 5, &p, &rng), DPPAIR_ERR_SIZE); /* closed */
  dppair_prefix_close(NULL);
#undef PREFIX
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_stream_known),     TEST(test_stream_matrix),   TEST(test_stream_adversaries),
      TEST(test_stream_reservoir), TEST(test_stream_releases), TEST(test_stream_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
