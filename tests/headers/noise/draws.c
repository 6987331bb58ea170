/* SPDX-License-Identifier: MIT */
/* Draws of records and pairs: all outcomes of tiny universes with their exact frequencies, the ends
 * of the rates, the same draws for the same key, and misuse. */
#include "tests.h"

#include "dppair_allocation.h"
#include "dppair_noise.h"

#define SCALED(n) (BRIEF ? (n) / 10 : (n))
#define ONE DPPAIR_REPLACE_ONE

static dppair_rng keyed(uint64_t stream) {
  dppair_rng rng;
  uint8_t key[32] = {42};
  assert_int_equal(dppair_rng_from_key(&rng, key, stream), DPPAIR_OK);
  return rng;
}

/* An upper bound of the chi-square quantile at 1e-6 (Wilson and Hilferty, z = 4.75). */
static double chi_square_limit(double cells) {
  double f = cells - 1, a = 2 / (9 * f), root = 1 - a + 4.75 * sqrt(a);
  return f * root * root * root;
}

/* Draws, and sees that nothing is written behind what was drawn. */
static size_t draw(size_t *v, size_t capacity, dppair_sampling s, dppair_rng *rng) {
  size_t count = 99, i;
  for (i = 0; i < capacity; i++) v[i] = SIZE_MAX;
  assert_int_equal(dppair_draw(v, &count, capacity, &s, rng), DPPAIR_OK);
  assert_true(count <= capacity);
  for (i = 0; i < count; i++) assert_true(v[i] < s.n);
  for (; i < capacity; i++) assert_true(v[i] == SIZE_MAX);
  return count;
}

static int set_of(const size_t *v, size_t n) {
  int set = 0;
  for (size_t k = 0; k < n; k++) set |= 1 << v[k];
  return set;
}

/* The number of an ordered choice of m different records of n. */
static int choice_of(const size_t *v, size_t m, size_t n) {
  int number = 0;
  for (size_t k = 0; k < m; k++) {
    size_t place = v[k];
    for (size_t j = 0; j < k; j++) {
      assert_true(v[j] != v[k]);
      place -= v[j] < v[k];
    }
    number = number * (int)(n - k) + (int)place;
  }
  return number;
}

enum { LAWS = 10, OUTCOMES = 400, ROUNDS = SCALED(60000) };

static void every_outcome_has_its_probability(void **state) {
  static const int outcomes[LAWS] = {32, 32, 10, 125, 24, 120, 120, 12, 120, 120};
  static long count[LAWS][OUTCOMES];
  static double p[LAWS][OUTCOMES];
  dppair_rng rng = keyed(40);
  (void)state;
  memset(count, 0, sizeof count);
  for (int i = 0; i < ROUNDS; i++) {
    size_t v[8], n;
    dppair_sampling s = dppair_sampling_with_replacement(4, 1, ONE);
    n = draw(v, 5, dppair_sampling_poisson(5, 2, ONE), &rng);
    for (size_t k = 1; k < n; k++) assert_true(v[k - 1] < v[k]);
    count[0][set_of(v, n)]++;
    n = draw(v, 5, dppair_sampling_poisson(5, 4, DPPAIR_ZERO_OUT), &rng);
    count[1][set_of(v, n)]++;
    n = draw(v, 2, dppair_sampling_without_replacement(5, 2, ONE), &rng);
    assert_true(n == 2 && v[0] < v[1]); /* (0,1) (0,2) (1,2) (0,3) ... */
    count[2][v[1] * (v[1] - 1) / 2 + v[0]]++;
    n = draw(v, 3, dppair_sampling_with_replacement(5, 3, ONE), &rng);
    assert_true(n == 3);
    count[3][v[0] * 25 + v[1] * 5 + v[2]]++;
    for (size_t k = 0; k < 4; k++) v[k] = k;
    assert_int_equal(dppair_shuffle(v, 4, &rng), DPPAIR_OK);
    count[4][choice_of(v, 4, 4)]++;
    n = draw(v, 8, dppair_sampling_matching(5, 4, ONE), &rng);
    assert_true(n == 4);
    count[5][choice_of(v, 4, 5)]++;
    n = draw(v, 5, dppair_sampling_without_replacement(5, 5, ONE), &rng);
    assert_true(n == 5 && choice_of(v, 5, 5) == 0);
    s = dppair_sampling_matching(5, 4, DPPAIR_ZERO_OUT);
    assert_int_equal(dppair_draw_pairs(v, &n, 2, &s, &rng), DPPAIR_OK);
    assert_true(n == 2);
    count[6][choice_of(v, 4, 5)]++;
    s = dppair_sampling_with_replacement(4, 1, ONE);
    assert_int_equal(dppair_draw_pairs(v, &n, 1, &s, &rng), DPPAIR_OK);
    assert_true(n == 1 && v[0] < 4 && v[1] < 4);
    count[7][choice_of(v, 2, 4)]++;
    n = draw(v, 6, dppair_sampling_matching(6, 6, ONE), &rng); /* all of them */
    assert_true(n == 6);
    count[8][choice_of(v, 6, 6) / 6]++;
    n = draw(v, 6, dppair_sampling_groups(6, 3, 3, ONE), &rng);
    assert_true(n == 3);
    count[9][choice_of(v, 3, 6)]++;
  }
  for (int f = 0; f < LAWS; f++) {
    double chi = 0.0;
    for (int k = 0; k < outcomes[f]; k++) {
      p[f][k] = 1.0 / outcomes[f];
      if (f < 2) { /* sets of a given size, by coins of 2/5 and 4/5 */
        const double q = f == 0 ? 0.4 : 0.8;
        p[f][k] = 1.0;
        for (int i = 0; i < 5; i++) p[f][k] *= k >> i & 1 ? q : 1.0 - q;
      }
      chi += ((double)count[f][k] - ROUNDS * p[f][k]) * ((double)count[f][k] - ROUNDS * p[f][k]) /
             (ROUNDS * p[f][k]);
    }
    if (!(chi < chi_square_limit(outcomes[f]))) fail_msg("law %d: chi square %g", f, chi);
    for (int k = outcomes[f]; k < OUTCOMES; k++) assert_int_equal(count[f][k], 0);
  }
}

/* The coins of a Poisson sample are those of m/n, one by one, from the same words. */
static void poisson_coins_are_coins_of_m_over_n(void **state) {
  static const size_t rates[][2] = {{3, 1}, {1000, 999}, {4096, 256}, {20000, 7}, {77, 76}};
  static size_t v[20000];
  (void)state;
  for (unsigned c = 0; c < sizeof rates / sizeof *rates; c++)
    for (uint64_t stream = 0; stream < 20; stream++) {
      const size_t n = rates[c][0], m = rates[c][1];
      dppair_rng rng = keyed(stream), same = keyed(stream);
      const size_t drawn = draw(v, n, dppair_sampling_poisson(n, m, ONE), &rng);
      size_t have = 0;
      dppair_source_ s;
      dppair_source_open_(&s, &same);
      for (size_t i = 0; i < n; i++)
        if (dppair_coin_(&s, m, n)) assert_true(have < drawn && v[have++] == i);
      assert_int_equal(dppair_source_close_(&s), DPPAIR_OK);
      assert_true(have == drawn && same.block == rng.block);
    }
}

static void all_records_need_no_random_number(void **state) {
  static size_t v[3000];
  dppair_rng rng = keyed(60);
  (void)state;
  assert_true(draw(v, 3000, dppair_sampling_all(2999, ONE), NULL) == 2999);
  for (size_t i = 0; i < 2999; i++) assert_true(v[i] == i);
  assert_true(draw(v, 3000, dppair_sampling_poisson(2999, 2999, ONE), &rng) == 2999);
  for (size_t i = 0; i < 2999; i++) assert_true(v[i] == i);
  assert_true(rng.block == 0);
}

/* A rate that is given beside n and m, and agrees with them, changes nothing; neither does the
 * relation between neighbours. */
static void the_rate_is_m_over_n(void **state) {
  static size_t v[500], w[500];
  (void)state;
  for (int k = 0; k < 3; k++) {
    dppair_rng rng = keyed(61), same = keyed(61);
    dppair_sampling s = k == 0   ? dppair_sampling_poisson(500, 70, ONE)
                        : k == 1 ? dppair_sampling_without_replacement(500, 70, ONE)
                                 : dppair_sampling_matching(500, 70, ONE);
    const size_t n = draw(v, 500, s, &rng);
    s.q = 70.0 / 500.0;
    s.adjacency = DPPAIR_ZERO_OUT;
    assert_true(draw(w, 500, s, &same) == n);
    assert_memory_equal(v, w, sizeof v);
  }
}

/* Both algorithms without replacement (small m by Floyd, large m by selection) at any size. */
static void subsets_are_sorted_and_different(void **state) {
  dppair_rng rng = keyed(50);
  static size_t v[2000];
  double mean = 0.0;
  (void)state;
  for (size_t m = 1; m <= 2000; m += 1 + m / 3) {
    assert_true(draw(v, m, dppair_sampling_without_replacement(2000, m, ONE), &rng) == m);
    for (size_t i = 1; i < m; i++) assert_true(v[i - 1] < v[i]);
  }
  for (int round = 0; round < SCALED(4000); round++) { /* Floyd: the mean of the chosen is right */
    (void)draw(v, 10, dppair_sampling_without_replacement(1000000, 10, ONE), &rng);
    for (int i = 0; i < 10; i++) mean += (double)v[i];
  }
  mean /= SCALED(4000) * 10;
  assert_true(fabs(mean - 499999.5) < 5 * 1e6 / sqrt(12.0 * SCALED(4000) * 10));
}

/* Every record is drawn, the middle one too, by both ways of drawing without replacement. */
static void every_record_is_drawn_equally_often(void **state) {
  static const size_t sizes[][2] = {{41, 2}, {60, 30}, {101, 3}, {101, 90}, {64, 5}};
  dppair_rng rng = keyed(51);
  (void)state;
  for (unsigned c = 0; c < sizeof sizes / sizeof *sizes; c++) {
    const size_t n = sizes[c][0], m = sizes[c][1];
    const int rounds = SCALED(20000);
    double count[101] = {0}, chi = 0.0;
    const double p = (double)m / (double)n, expected = rounds * p;
    size_t v[101];
    for (int r = 0; r < rounds; r++) {
      (void)draw(v, m, dppair_sampling_without_replacement(n, m, ONE), &rng);
      for (size_t i = 0; i < m; i++) count[v[i]] += 1.0;
    }
    for (size_t i = 0; i < n; i++) /* negatively correlated: less scattered than this assumes */
      chi += (count[i] - expected) * (count[i] - expected) / (expected * (1.0 - p));
    assert_true(chi < chi_square_limit((int)n));
  }
}

/* What a key draws is part of what a saved key repeats: whoever changes it must know. */
static void the_same_key_gives_the_same_draws(void **state) {
  static const uint64_t answers[2] = {UINT64_C(0x8b73d1dbcb68c74e), UINT64_C(0x6edda54fc57a97bb)};
  static size_t v[6000];
  (void)state;
  for (int aes = 0; aes < 2; aes++) {
    uint8_t key[32] = {5};
    uint64_t h = 0;
    dppair_rng rng;
    assert_int_equal(aes ? dppair_rng_from_key_aes256(&rng, key, 6)
                         : dppair_rng_from_key(&rng, key, 6),
                     DPPAIR_OK);
    for (int k = 0; k < 6; k++) {
      const dppair_sampling s[6] = {dppair_sampling_poisson(3001, 300, ONE),
                                    dppair_sampling_with_replacement(3001, 300, ONE),
                                    dppair_sampling_without_replacement(3001, 300, ONE),
                                    dppair_sampling_without_replacement(3001, 7, ONE),
                                    dppair_sampling_matching(3001, 300, ONE),
                                    dppair_sampling_with_replacement(3001, 300, ONE)};
      size_t n;
      if (k < 5)
        n = draw(v, 3001, s[k], &rng);
      else
        assert_int_equal(dppair_draw_pairs(v, &n, 3000, &s[k], &rng), DPPAIR_OK);
      for (size_t i = 0; i < (k < 5 ? n : 2 * n); i++)
        h = (h ^ (uint64_t)v[i]) * UINT64_C(0x100000001b3);
    }
    if (h != answers[aes]) fail_msg("cipher %d: %016llx", aes, (unsigned long long)h);
  }
}

/* One refusal: the outputs are zero, and the generator has not moved. */
static void refused(dppair_status status, size_t capacity, const dppair_sampling *s,
                    dppair_status status_of_pairs) {
  dppair_rng rng = keyed(70);
  const dppair_rng before = rng;
  size_t v[8], count, i;
  for (i = 0; i < 8; i++) v[i] = 7;
  count = 7;
  assert_int_equal(dppair_draw(v, &count, capacity, s, &rng), status);
  assert_int_equal(count, 0);
  for (i = 0; i < 8; i++) assert_int_equal(v[i], i < capacity ? 0 : 7);
  for (i = 0; i < 8; i++) v[i] = 7;
  count = 7;
  assert_int_equal(dppair_draw_pairs(v, &count, capacity / 2, s, &rng), status_of_pairs);
  assert_int_equal(count, 0);
  for (i = 0; i < 8; i++) assert_int_equal(v[i], i < capacity / 2 * 2 ? 0 : 7);
  assert_memory_equal(&rng, &before, sizeof rng);
}

static void what_is_no_sampling_is_refused_before_anything_is_drawn(void **state) {
  const dppair_sampling makers[] = {
      dppair_sampling_poisson(6, 2, ONE), dppair_sampling_without_replacement(6, 2, ONE),
      dppair_sampling_with_replacement(6, 2, ONE), dppair_sampling_matching(6, 2, ONE),
      dppair_sampling_all(6, ONE)};
  dppair_sampling s;
  (void)state;
  refused(DPPAIR_ERR_NULL, 8, NULL, DPPAIR_ERR_NULL);
  for (unsigned k = 0; k < sizeof makers / sizeof *makers; k++) {
    const int all = makers[k].kind == DPPAIR_ALL;
    const int couples = makers[k].kind == DPPAIR_WITH_REPLACEMENT, pairs = couples || k == 3;
    s = makers[k];
    s.adjacency = (dppair_adjacency)0;
    refused(DPPAIR_ERR_ADJACENCY, 8, &s, DPPAIR_ERR_ADJACENCY);
    s = makers[k];
    s.q = (double)NAN;
    refused(DPPAIR_ERR_NOT_FINITE, 8, &s, DPPAIR_ERR_NOT_FINITE);
    s = makers[k]; /* another rate than m/n */
    s.q = 0.5;
    refused(all || couples ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE, 8, &s,
            all || couples ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE);
    s = makers[k]; /* no record at all, and one that has no partner */
    for (s.n = 0; s.n < 2; s.n++) refused(DPPAIR_ERR_SIZE, 8, &s, DPPAIR_ERR_SIZE);
    if (!all) { /* none are drawn */
      s = makers[k];
      s.m = 0;
      refused(DPPAIR_ERR_RATE, 8, &s, DPPAIR_ERR_RATE);
    }
    if (!all && !couples) { /* a rate alone: of how many records? and more than there are */
      s.n = 0, s.q = 0.5;
      refused(DPPAIR_ERR_SIZE, 8, &s, DPPAIR_ERR_SIZE);
      s = makers[k];
      s.n = 7, s.m = 8;
      refused(DPPAIR_ERR_SIZE, 8, &s, DPPAIR_ERR_SIZE);
    }
    /* one place too few; for pairs, none */
    refused(DPPAIR_ERR_SIZE, all || k == 0 ? 5 : 1, &makers[k],
            pairs ? DPPAIR_ERR_SIZE : DPPAIR_ERR_NO_PROOF);
  }
  s = dppair_sampling_matching(6, 3, ONE);
  refused(DPPAIR_ERR_RATE, 8, &s, DPPAIR_ERR_RATE);
  s = dppair_sampling_groups(6, 3, 3, ONE); /* groups of three are no pairs */
  refused(DPPAIR_ERR_SIZE, 2, &s, DPPAIR_ERR_NO_PROOF);
  s.kind = (dppair_sampling_kind)99;
  refused(DPPAIR_ERR_NO_PROOF, 8, &s, DPPAIR_ERR_NO_PROOF);
  s = dppair_sampling_with_replacement(6, 4, ONE); /* room for three pairs of four */
  refused(DPPAIR_ERR_SIZE, 3, &s, DPPAIR_ERR_SIZE);
}

static void missing_arrays_and_generators_without_a_key_are_refused(void **state) {
  const dppair_sampling makers[] = {
      dppair_sampling_poisson(6, 2, ONE), dppair_sampling_without_replacement(6, 2, ONE),
      dppair_sampling_with_replacement(6, 2, ONE), dppair_sampling_matching(6, 2, ONE),
      dppair_sampling_poisson(6, 6, ONE)};
  dppair_rng rng = keyed(71), dead, end = keyed(72);
  size_t v[8], count, i;
  (void)state;
  memset(&dead, 0, sizeof dead);
  assert_int_equal(dppair_rng_seek(&end, DPPAIR_RNG_BLOCKS_), DPPAIR_OK);
  for (unsigned k = 0; k < sizeof makers / sizeof *makers; k++) {
    dppair_rng *generators[3] = {NULL, &dead, &end};
    static const dppair_status statuses[3] = {DPPAIR_ERR_NULL, DPPAIR_ERR_CIPHER,
                                              DPPAIR_ERR_EXHAUSTED};
    assert_int_equal(dppair_draw(NULL, &count, 8, &makers[k], &rng), DPPAIR_ERR_NULL);
    for (i = 0; i < 8; i++) v[i] = 7;
    assert_int_equal(dppair_draw(v, NULL, 8, &makers[k], &rng), DPPAIR_ERR_NULL);
    for (i = 0; i < 8; i++) assert_int_equal(v[i], 0);
    for (int g = 0; g < 3; g++) {
      if (g == 2 && k == 4) continue; /* every record: no random number is needed */
      for (i = 0; i < 8; i++) v[i] = 7;
      count = 7;
      assert_int_equal(dppair_draw(v, &count, 7, &makers[k], generators[g]), statuses[g]);
      assert_int_equal(count, 0);
      for (i = 0; i < 8; i++) assert_int_equal(v[i], i < 7 ? 0 : 7);
      if (k != 2 && k != 3) continue;
      for (i = 0; i < 8; i++) v[i] = 7;
      count = 7;
      assert_int_equal(dppair_draw_pairs(v, &count, 3, &makers[k], generators[g]), statuses[g]);
      assert_int_equal(count, 0);
      for (i = 0; i < 8; i++) assert_int_equal(v[i], i < 6 ? 0 : 7);
    }
    assert_int_equal(dppair_draw_pairs(NULL, &count, 4, &makers[k], &rng), DPPAIR_ERR_NULL);
    v[0] = v[7] = 7;
    assert_int_equal(dppair_draw_pairs(v, NULL, 4, &makers[k], &rng), DPPAIR_ERR_NULL);
    assert_true(v[0] == 0 && v[7] == 0);
    for (int far = 0; far < 2; far++) { /* no array has this many numbers: nothing is written */
      const volatile size_t most = far ? SIZE_MAX : SIZE_MAX / 8 + 1;
      v[0] = 7, count = 7;
      assert_int_equal(dppair_draw(v, &count, most, &makers[k], &rng), DPPAIR_ERR_OVERFLOW);
      assert_true(v[0] == 7 && count == 0);
      count = 7;
      assert_int_equal(dppair_draw_pairs(v, &count, most, &makers[k], &rng), DPPAIR_ERR_OVERFLOW);
      assert_true(v[0] == 7 && count == 0);
      assert_int_equal(dppair_shuffle(v, most, &rng), DPPAIR_ERR_OVERFLOW);
    }
  }
  assert_int_equal(dppair_shuffle(NULL, 2, &rng), DPPAIR_ERR_NULL);
  for (i = 0; i < 8; i++) v[i] = 7;
  assert_int_equal(dppair_shuffle(v, 8, NULL), DPPAIR_ERR_NULL);
  for (i = 0; i < 8; i++) assert_int_equal(v[i], 0);
  assert_int_equal(dppair_shuffle(NULL, 0, &rng), DPPAIR_OK);
}

/* --- allocation ------------------------------------------------------------------------------- */

/* Draws a step's batch, and sees that the generator stays and nothing is written behind the room.
 */
static size_t allocated(size_t *v, dppair_sampling s, size_t step, const dppair_rng *rng) {
  const dppair_rng before = *rng;
  size_t count = 99;
  for (size_t i = 0; i <= s.n; i++) v[i] = SIZE_MAX;
  assert_int_equal(dppair_draw_allocation(v, &count, s.n, &s, step, rng), DPPAIR_OK);
  assert_memory_equal(rng, &before, sizeof before);
  assert_true(count <= s.n && v[s.n] == SIZE_MAX);
  for (size_t i = 0; i < count; i++) assert_true(v[i] < s.n && (i == 0 || v[i - 1] < v[i]));
  return count;
}

/* The k batches of a record by Floyd's method, word for word, in a generator of the epoch. */
static void picks(uint64_t *set, size_t t, size_t k, size_t record, const dppair_rng *epoch) {
  size_t width = 1;
  while (width < k) width *= 2;
  for (size_t p = 0; p < k; p++) {
    const uint64_t bound = t - k + 1 + p, at = (uint64_t)record * width + p;
    uint64_t m;
    unsigned level = 0;
    do {
      uint32_t words[16];
      dppair_keystream_(words, epoch, level++, at / 16);
      m = words[at % 16] * bound;
    } while (m % (UINT64_C(1) << 32) < (UINT64_C(1) << 32) % bound);
    set[p] = m >> 32;
    for (size_t j = 0; j < p; j++)
      if (set[j] == m >> 32) set[p] = bound - 1;
  }
}

/* Of a record among many, at any t and k, also where half of all words are rejected. */
static void a_batch_is_a_function_of_key_epoch_and_record(void **state) {
  static const uint64_t few[][2] = {{1, 1},     {2, 1},          {7, 2},          {7, 7},
                                    {64, 64},   {100, 17},       {33, 1},         {1000, 5},
                                    {65537, 3}, {0x80000001, 1}, {0xc0000001, 2}, {0xffffffff, 64}};
  static size_t v[301];
  (void)state;
  for (unsigned c = 0; c < sizeof few / sizeof *few; c++)
    for (int aes = 0; aes < 2; aes++) {
      const size_t t = (size_t)few[c][0], k = (size_t)few[c][1], epoch = t > 1000 ? 0 : c % 3;
      const dppair_sampling s = dppair_sampling_allocation(300, t, k, ONE);
      const uint8_t key[32] = {(uint8_t)c, 9};
      uint32_t words[16];
      uint64_t set[64];
      dppair_rng rng, own;
      assert_int_equal(aes ? dppair_rng_from_key_aes256(&rng, key, c)
                           : dppair_rng_from_key(&rng, key, c),
                       DPPAIR_OK);
      dppair_keystream_(words, &rng, DPPAIR_LEVEL_ALLOCATION_, epoch);
      dppair_rng_set_key_(&own, rng.cipher, words, 0);
      for (size_t record = 0; record < 300; record += 1 + record / 3) {
        picks(set, t, k, record, &own);
        for (size_t p = 0; p < k; p += 1 + k / 5) {
          size_t n = allocated(v, s, epoch * t + (size_t)set[p], &rng);
          while (n > 0 && v[n - 1] != record) n--;
          assert_true(n > 0);
        }
      }
    }
}

/* Every record is in exactly k batches of each epoch; which ones depends neither on the order of
 * the steps, nor on how many other records there are, nor on what else the generator does. */
static void an_epoch_reads_every_record_k_times(void **state) {
  static size_t v[1301];
  static int times[1300], fewer[1300][10];
  dppair_rng rng = keyed(80);
  (void)state;
  for (size_t k = 1; k <= 10; k++)
    for (size_t epoch = 0; epoch < 2; epoch++) {
      memset(times, 0, sizeof times);
      memset(fewer, 0, sizeof fewer);
      for (size_t b = 0; b < 10; b++) {
        const size_t n =
            allocated(v, dppair_sampling_allocation(517, 10, k, ONE), 10 * epoch + b, &rng);
        for (size_t i = 0; i < n; i++) fewer[v[i]][b] = 1;
      }
      for (size_t b = 10; b-- > 0;) {
        size_t n, other[5];
        assert_int_equal(dppair_rng_seek(&rng, b), DPPAIR_OK);
        (void)draw(other, 5, dppair_sampling_without_replacement(9, 5, ONE), &rng);
        n = allocated(v, dppair_sampling_allocation(1300, 10, k, ONE), 10 * epoch + b, &rng);
        for (size_t i = 0; i < n; i++) times[v[i]]++;
        for (size_t i = 0; i < n && v[i] < 517; i++) assert_int_equal(fewer[v[i]][b]--, 1);
      }
      for (size_t i = 0; i < 1300; i++) assert_int_equal(times[i], k);
      for (size_t i = 0; i < 517; i++)
        for (size_t b = 0; b < 10; b++) assert_int_equal(fewer[i][b], 0);
    }
}

/* The sets of two records and of two epochs: all 36^2, 27^2 and 5^4 outcomes equally likely. */
static void allocations_are_uniform_and_independent(void **state) {
  static const size_t of[3][3] = {{4, 2, 2}, {3, 1, 3}, {5, 1, 2}}; /* t, k, n */
  static const int outcomes[3] = {1296, 729, 625}, sets[3] = {6, 3, 5};
  static long count[1296];
  (void)state;
  for (int f = 0; f < 3; f++) {
    const size_t t = of[f][0], k = of[f][1], n = of[f][2], rounds = (size_t)(20 * outcomes[f]);
    const dppair_sampling s = dppair_sampling_allocation(n, t, k, DPPAIR_ZERO_OUT);
    double chi = 0.0, each = (double)rounds / outcomes[f];
    memset(count, 0, sizeof count);
    for (size_t r = 0; r < rounds; r++) {
      static const int number[13] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 5}; /* pairs of 4 */
      const dppair_rng rng = keyed(r / 50);
      int in[2][3] = {{0}}, outcome = 0;
      size_t v[4];
      for (size_t b = 0; b < 2 * t; b++) {
        const size_t drawn = allocated(v, s, 2 * t * (r % 50) + b, &rng);
        for (size_t i = 0; i < drawn; i++) in[b / t][v[i]] |= 1 << b % t;
      }
      for (int i = 0; i < 2 * (int)n; i++) {
        const int set = in[i / (int)n][i % (int)n];
        outcome = outcome * sets[f] + (f == 0    ? number[set]
                                       : set > 8 ? 4
                                       : set > 4 ? 3
                                       : set > 2 ? 2
                                                 : set / 2);
      }
      count[outcome]++;
    }
    for (int c = 0; c < outcomes[f]; c++)
      chi += ((double)count[c] - each) * ((double)count[c] - each) / each;
    if (!(chi < chi_square_limit(outcomes[f]))) fail_msg("law %d: chi square %g", f, chi);
  }
}

static void an_allocation_that_is_none_is_refused(void **state) {
  const dppair_sampling good = dppair_sampling_allocation(6, 3, 1, ONE);
  dppair_sampling s;
  dppair_rng rng = keyed(90), dead;
  size_t v[8], count = 7, i;
  (void)state;
  memset(&dead, 0, sizeof dead);
#define REFUSED(status, capacity, sampling, step, rng)                                             \
  do {                                                                                             \
    for (i = 0; i < 8; i++) v[i] = 7;                                                              \
    count = 7;                                                                                     \
    assert_int_equal(dppair_draw_allocation(v, &count, capacity, sampling, step, rng), status);    \
    assert_int_equal(count, 0);                                                                    \
    for (i = 0; i < 8; i++) assert_int_equal(v[i], i < (capacity) ? 0 : 7);                        \
  } while (0)
  REFUSED(DPPAIR_ERR_NULL, 8, NULL, 0, &rng);
  REFUSED(DPPAIR_ERR_NULL, 8, &good, 0, NULL);
  REFUSED(DPPAIR_ERR_CIPHER, 8, &good, 0, &dead);
  REFUSED(DPPAIR_ERR_SIZE, 5, &good, 0, &rng);
  s = dppair_sampling_poisson(6, 2, ONE);
  REFUSED(DPPAIR_ERR_NO_PROOF, 8, &s, 0, &rng);
  s = dppair_sampling_allocation(6, 0, 1, ONE);
  REFUSED(DPPAIR_ERR_RATE, 8, &s, 0, &rng);
  s = dppair_sampling_allocation(6, 3, 0, ONE);
  REFUSED(DPPAIR_ERR_RATE, 8, &s, 0, &rng);
  s = dppair_sampling_allocation(6, 3, 4, ONE);
  REFUSED(DPPAIR_ERR_RATE, 8, &s, 0, &rng);
  s = dppair_sampling_allocation(6, 100, 65, ONE);
  REFUSED(DPPAIR_ERR_SIZE, 8, &s, 0, &rng);
  s = dppair_sampling_allocation(6, 3, 1, (dppair_adjacency)0);
  REFUSED(DPPAIR_ERR_ADJACENCY, 8, &s, 0, &rng);
#if SIZE_MAX > 0xffffffffu
  s = dppair_sampling_allocation(6, (size_t)1 << 32, 1, ONE);
  REFUSED(DPPAIR_ERR_SIZE, 8, &s, 0, &rng);
  REFUSED(DPPAIR_ERR_EXHAUSTED, 8, &good, SIZE_MAX, &rng);
  REFUSED(DPPAIR_ERR_EXHAUSTED, 8, &good, (size_t)DPPAIR_RNG_BLOCKS_ * good.batches, &rng);
#endif
  assert_int_equal(dppair_rng_set_erasure(&rng, 1), DPPAIR_OK);
  REFUSED(DPPAIR_ERR_DOMAIN, 8, &good, 0, &rng);
#undef REFUSED
  rng = keyed(91);
  for (i = 0; i < 8; i++) v[i] = 7;
  assert_int_equal(dppair_draw_allocation(v, NULL, 8, &good, 0, &rng), DPPAIR_ERR_NULL);
  assert_int_equal(v[7], 0);
  assert_int_equal(dppair_draw_allocation(NULL, &count, 8, &good, 0, &rng), DPPAIR_ERR_NULL);
  refused(DPPAIR_ERR_NO_PROOF, 8, &good, DPPAIR_ERR_NO_PROOF); /* which batch? */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_outcome_has_its_probability),
      TEST(poisson_coins_are_coins_of_m_over_n),
      TEST(all_records_need_no_random_number),
      TEST(the_rate_is_m_over_n),
      TEST(subsets_are_sorted_and_different),
      TEST(every_record_is_drawn_equally_often),
      TEST(the_same_key_gives_the_same_draws),
      TEST(a_batch_is_a_function_of_key_epoch_and_record),
      TEST(an_epoch_reads_every_record_k_times),
      TEST(allocations_are_uniform_and_independent),
      TEST(an_allocation_that_is_none_is_refused),
      TEST(what_is_no_sampling_is_refused_before_anything_is_drawn),
      TEST(missing_arrays_and_generators_without_a_key_are_refused),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
