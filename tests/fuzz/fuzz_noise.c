/* SPDX-License-Identifier: MIT */
/*
 * Every function of dppair_noise.h with any numbers, sizes and states. An error leaves zeros; what
 * is released lies on its grid and is the same on every tier, in whole or in parts; a saved state
 * of which a byte differs is refused; a draw is one of the records, in the order that is promised.
 *
 * tiers: all
 * brief: 12
 */
#define DPPAIR_SIMULATION
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair_selection.h"
#include "dppair_streams.h"

#include "plan.h"

enum { MOST = 1300 };

static int tiers[4], tier_count;

static void find_tiers(void) {
  tiers[0] = DPPAIR_TIER_SCALAR;
  tier_count = 1;
  if (DPPAIR_HAVE_SIMD128) tiers[tier_count++] = DPPAIR_TIER_SIMD128;
  if (dppair_tier() >= DPPAIR_TIER_AVX2) tiers[tier_count++] = DPPAIR_TIER_AVX2;
  if (dppair_tier() >= DPPAIR_TIER_AVX512) tiers[tier_count++] = DPPAIR_TIER_AVX512;
}

/* A generator that begins anywhere in its stream, the end included. */
static dppair_rng in_generator(input *in) {
  dppair_rng rng;
  uint8_t key[32] = {1};
  const int how = in_choice(in, 16);
  memset(&rng, 0, sizeof rng);
  in_bytes(in, key + 1, 3);
  if (how == 0) return rng;
  if (how < 8)
    REQUIRE(dppair_rng_from_key(&rng, key, in_byte(in)) == DPPAIR_OK, "a key");
  else
    REQUIRE(dppair_rng_from_key_aes256(&rng, key, in_byte(in)) == DPPAIR_OK, "a key");
  if (in_rarely(in))
    (void)dppair_rng_seek(&rng, DPPAIR_RNG_BLOCKS_ - in_byte(in) / 16);
  else if (in_rarely(in))
    (void)dppair_rng_seek(&rng, in_word(in));
  if (in_choice(in, 8) == 0) (void)dppair_rng_set_erasure(&rng, 1);
  return rng;
}

/* Numbers as a clipped vector has them, and once in a while another one. */
static void in_numbers(input *in, double *x, size_t n, double scale) {
  const int wild = in_choice(in, 8);
  size_t i;
  for (i = 0; i < n; i++) x[i] = scale * in_between(in, -4.0, 4.0);
  if (wild == 0 && n > 0) x[in_count(in, n - 1)] = in_hostile(in);
  if (wild == 1 && n > 0) x[in_count(in, n - 1)] = 0x1p51 * scale;
}

static int on_grid(double x, double scale, int ratio) {
  const double g = ldexp(1.0, ilogb(scale) - ratio);
  return fmod(x, g) == 0.0;
}

/* One release on every tier, and in two parts. */
static void release(input *in) {
  static double x[MOST], y[MOST], z[MOST];
  static float narrow[MOST];
  const int law = in_choice(in, 2) ? DPPAIR_NOISE_LAPLACE_ : DPPAIR_NOISE_GAUSSIAN_;
  const int floats = in_choice(in, 2);
  const size_t n = in_count(in, MOST);
  const double scale = in_choice(in, 2) ? in_scale(in, 1e-3, 1e3) : in_scale(in, 1e-280, 1e280);
  const int ratio = in_rarely(in) ? in_choice(in, 256) - 100 : in_choice(in, 41);
  const size_t bytes = n * (floats ? sizeof(float) : sizeof(double));
  const dppair_rng start = in_generator(in);
  dppair_rng rng, first;
  dppair_status status, again;
  size_t i, cut;
  int t;
  in_numbers(in, x, n, dppair_isfinite_f64(scale) ? scale : 1.0);
  for (i = 0; i < n; i++)
    narrow[i] = x[i] > 3e38 ? HUGE_VALF : x[i] < -3e38 ? -HUGE_VALF : (float)x[i];
  if (floats)
    memcpy(y, narrow, bytes);
  else
    memcpy(y, x, bytes);
  first = start;
  status = dppair_release_at_(y, n, floats, scale, ratio, law, tiers[0], &first);
  if (status != DPPAIR_OK) REQUIRE(all_zero(y, bytes), "an error with numbers");
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    float f;
    memcpy(&f, (char *)y + 4 * i, 4);
    REQUIRE(floats ? dppair_isfinite_f32(f) : dppair_isfinite_f64(y[i]), "a release not finite");
    if (!floats) REQUIRE(on_grid(y[i], scale, ratio), "a release beside its grid");
    REQUIRE(floats ? !(f == 0.0f && signbit(f)) : !(y[i] == 0.0 && signbit(y[i])), "minus 0");
  }
  for (t = 1; t < tier_count; t++) {
    rng = start;
    memcpy(z, floats ? (void *)narrow : (void *)x, bytes);
    again = dppair_release_at_(z, n, floats, scale, ratio, law, tiers[t], &rng);
    REQUIRE(again == status, "another status on a wider tier");
    REQUIRE(memcmp(y, z, bytes) == 0, "other bits on a wider tier");
    REQUIRE(rng.block == first.block && memcmp(rng.key, first.key, sizeof rng.key) == 0,
            "another position on a wider tier");
  }
  if (status != DPPAIR_OK || start.erase || n < 17) return;
  cut = 16 * (1 + in_count(in, n / 16 - 1));
  memcpy(z, floats ? (void *)narrow : (void *)x, bytes);
  for (i = 0; i < 2; i++) { /* as two threads would */
    const size_t from = i ? cut : 0, live = i ? n - cut : cut;
    rng = start;
    rng.used = 0;
    if (dppair_rng_seek(&rng, start.block + from / 16) != DPPAIR_OK) return;
    again = dppair_release_at_((char *)z + from * (floats ? 4 : 8), live, floats, scale, ratio, law,
                               tiers[tier_count - 1], &rng);
    REQUIRE(again == DPPAIR_OK, "a part is refused");
  }
  REQUIRE(memcmp(y, z, bytes) == 0, "other bits in two parts");
}

static void l2_ball(input *in) {
  static double x[64];
  const size_t n = in_count(in, 64);
  const double scale = in_choice(in, 2) ? in_scale(in, 1e-3, 1e3) : in_scale(in, 1e-280, 1e280);
  const int ratio = in_rarely(in) ? in_choice(in, 256) - 100 : in_choice(in, 41);
  dppair_rng rng = in_generator(in);
  dppair_status status;
  size_t i;
  in_numbers(in, x, n, dppair_isfinite_f64(scale) ? scale : 1.0);
  status = dppair_add_l2ball_f64_grid(x, n, scale, ratio, &rng);
  if (status != DPPAIR_OK) REQUIRE(all_zero(x, sizeof *x * n), "an error with numbers");
  for (i = 0; i < n && status == DPPAIR_OK; i++)
    REQUIRE(dppair_isfinite_f64(x[i]) && on_grid(x[i], scale, ratio), "beside its grid");
}

static void integers(input *in) {
  static int64_t x[64];
  const size_t n = in_count(in, 16);
  const uint64_t num = in_rarely(in) ? in_word(in) : in_count(in, 60000);
  const uint64_t den = in_rarely(in) ? in_word(in) : in_count(in, 60000);
  const double variance = in_scale(in, 1e-6, 1e15);
  dppair_rng rng = in_generator(in);
  dppair_status status;
  size_t i;
  for (i = 0; i < n; i++) x[i] = (int64_t)in_word(in) | 1;
  switch (in_choice(in, 5)) {
  case 0:
    status = dppair_discrete_laplace(x, n, num, den, &rng);
    break;
  case 1:
    status = dppair_discrete_gaussian(x, n, num, den, &rng);
    break;
  case 2:
    status = dppair_skellam(x, n, variance, &rng);
    break;
  case 3:
    status = dppair_add_skellam(x, n, variance, &rng);
    break;
  default:
    status = dppair_add_skellam_share(x, n, variance, in_size(in, 100), &rng);
  }
  if (status != DPPAIR_OK) REQUIRE(all_zero(x, n * sizeof *x), "an error with integers");
}

static void quantised(input *in) {
  int64_t sum[24];
  double x[24];
  dppair_integers q;
  const size_t size = in_count(in, 24);
  dppair_rng rng = in_generator(in);
  const double scale = in_choice(in, 4) ? ldexp(1.0, in_choice(in, 80) - 20) : in_hostile(in);
  dppair_status status;
  size_t i, k;
  for (i = 0; i < size; i++) sum[i] = 77;
  status =
      dppair_integers_open(&q, sum, size, (dppair_quantised)in_enum(in, 4), scale,
                           in_scale(in, 1e-3, 10.0), in_choice(in, 2) ? size : in_size(in, 24));
  if (status != DPPAIR_OK) {
    REQUIRE(all_zero(sum, size * sizeof *sum) && all_zero(&q, sizeof q), "an error with a sum");
    return;
  }
  for (k = in_count(in, 4); k > 0; k--) {
    const uint64_t before = q.vectors;
    in_numbers(in, x, size, 1.0);
    status = dppair_quantise(&q, x, in_choice(in, 4) ? &rng : NULL);
    if (status != DPPAIR_OK) {
      REQUIRE(all_zero(sum, size * sizeof *sum), "an error with a sum");
      return;
    }
    REQUIRE(q.vectors == before + 1, "a vector that is not counted");
  }
}

static void draws(input *in) {
  static size_t index[2 * 600], again[2 * 600];
  const size_t capacity = in_count(in, 500);
  const dppair_sampling s = in_sampling(in, capacity + 4);
  const int what = in_choice(in, 3);
  const size_t step = in_size(in, 20), room = what == 1 ? 2 * capacity : capacity;
  dppair_rng rng = in_generator(in);
  const dppair_rng start = rng;
  size_t count = 99, i, k, other = 99;
  double divisor = -1.0;
  dppair_status status;
  for (i = 0; i < room; i++) index[i] = again[i] = 99999999;
  status = what == 0   ? dppair_draw(index, &count, capacity, &s, &rng)
           : what == 1 ? dppair_draw_pairs(index, &count, capacity, &s, &rng)
                       : dppair_draw_allocation(index, &count, capacity, &s, step, &rng);
  if (status != DPPAIR_OK) {
    REQUIRE(count == 0 && all_zero(index, room * sizeof *index), "an error with a draw");
    return;
  }
  REQUIRE(count <= capacity, "more than there is room for");
  for (i = 0; i < (what == 1 ? 2 * count : count); i++) REQUIRE(index[i] < s.n, "no record");
  for (i = 1; i < count && what != 1; i++) {
    if (s.kind == DPPAIR_POISSON || s.kind == DPPAIR_WITHOUT_REPLACEMENT || s.kind == DPPAIR_ALL ||
        s.kind == DPPAIR_ALLOCATION)
      REQUIRE(index[i] > index[i - 1], "records in no order");
    for (k = 0; k < i && s.kind == DPPAIR_MATCHING && i < 40; k++)
      REQUIRE(index[i] != index[k], "a record in two groups");
  }
  for (i = 0; i < count && what == 1; i++)
    REQUIRE(index[2 * i] != index[2 * i + 1], "a record with itself");
  if (s.kind != DPPAIR_POISSON && what == 0 && s.kind != DPPAIR_ALLOCATION)
    REQUIRE(count == (s.kind == DPPAIR_ALL ? s.n : s.m), "another number than planned");
  rng = start;
  status = what == 0   ? dppair_draw(again, &other, capacity, &s, &rng)
           : what == 1 ? dppair_draw_pairs(again, &other, capacity, &s, &rng)
                       : dppair_draw_allocation(again, &other, capacity, &s, step, &rng);
  REQUIRE(status == DPPAIR_OK && other == count && memcmp(again, index, count * sizeof *index) == 0,
          "the same generator draws others");
  status = dppair_normaliser(&divisor, &s, count);
  REQUIRE(status == DPPAIR_OK ? divisor > 0.0 : all_zero(&divisor, 8), "a divisor");
}

static void few(input *in) {
  dppair_rng rng = in_generator(in), part;
  uint64_t runs = 99, word = 99;
  double u = 99.0, x[16];
  size_t index[40], n = in_count(in, 40), i, sum = 0;
  uint8_t bytes[100];
  dppair_status status =
      dppair_draw_runs(&runs, in_between(in, -1.0, 1.0), in_scale(in, 1e-4, 1.0), &rng);
  REQUIRE(status == DPPAIR_OK ? runs >= 1 : runs == 0, "runs");
  status = dppair_rng_u64(&word, &rng);
  REQUIRE(status == DPPAIR_OK || word == 0, "an error with a word");
  status = dppair_rng_uniform_f64(&u, &rng);
  REQUIRE(status == DPPAIR_OK ? u >= 0.0 && u <= 1.0 : all_zero(&u, 8), "a uniform number");
  for (i = 0; i < n; i++) index[i] = i;
  status = dppair_shuffle(index, n, &rng);
  for (i = 0; i < n; i++) sum += index[i];
  REQUIRE(status == DPPAIR_OK ? 2 * sum == n * (n - (n > 0)) : sum == 0, "a shuffle");
  memset(bytes, 0xff, sizeof bytes);
  n = in_count(in, sizeof bytes);
  status = dppair_rng_bytes(bytes, n, &rng);
  REQUIRE(status == DPPAIR_OK || all_zero(bytes, n), "an error with bytes");
  memset(&part, 0xff, sizeof part);
  status = dppair_rng_split(&part, in_word(in), &rng);
  REQUIRE(status == DPPAIR_OK || all_zero(&part, sizeof part), "an error with a generator");
  stain(x, 16);
  n = in_count(in, 16);
  switch (in_choice(in, 6)) {
  case 0:
    status = dppair_fill_gaussian_f64(x, n, in_scale(in, 1e-3, 1e3), &rng);
    break;
  case 1:
    status = dppair_fill_laplace_f64(x, n, in_scale(in, 1e-3, 1e3), &rng);
    break;
  case 2:
    status = dppair_fill_exponential_f64(x, n, in_scale(in, 1e-3, 1e3), &rng);
    break;
  case 3:
    status = dppair_fill_uniform_f64(x, n, in_scale(in, 1e-3, 1e3), &rng);
    break;
  case 4:
    status = dppair_fill_sphere_f64(x, n, in_scale(in, 1e-3, 1e3), &rng);
    break;
  default:
    status = dppair_fill_gamma_f64(x, n, in_scale(in, 1e-3, 1e3), in_scale(in, 1e-3, 1e3), &rng);
  }
  REQUIRE(status == DPPAIR_OK ? dppair_all_finite_f64(x, n) : all_zero(x, n * sizeof *x), "a law");
}

/* Whatever 64 bytes: refused and wiped, or a generator that saves to the same bytes. */
static void restore(input *in) {
  uint8_t saved[DPPAIR_RNG_SAVED_SIZE], back[DPPAIR_RNG_SAVED_SIZE];
  dppair_rng rng = in_generator(in), other;
  double x[4] = {1.0, 2.0, 3.0, 4.0}, y[4] = {1.0, 2.0, 3.0, 4.0};
  dppair_status status = dppair_rng_save(saved, &rng);
  int changed = 0, k;
  REQUIRE(status == DPPAIR_OK || all_zero(saved, sizeof saved), "an error with a state");
  if (in_choice(in, 2)) {
    for (k = 1 + in_choice(in, 4); k > 0; k--) {
      const uint8_t mask = (uint8_t)in_byte(in);
      saved[in_byte(in) % sizeof saved] ^= mask;
      changed = changed || mask != 0;
    }
  } else if (in_rarely(in)) {
    in_bytes(in, saved, sizeof saved);
    changed = 1;
  }
  if (dppair_rng_restore(&other, saved) != DPPAIR_OK) {
    REQUIRE(all_zero(&other, sizeof other), "a refused state leaves a generator");
    REQUIRE(status != DPPAIR_OK || changed, "a saved state is refused");
    return;
  }
  REQUIRE(dppair_rng_save(back, &other) == DPPAIR_OK && memcmp(back, saved, sizeof back) == 0,
          "a state that is restored to another one");
  if (changed || other.block + 8 > DPPAIR_RNG_BLOCKS_) return;
  REQUIRE(dppair_add_gaussian_f64(x, 4, 1.0, &rng) == DPPAIR_OK, "the saved one");
  REQUIRE(dppair_add_gaussian_f64(y, 4, 1.0, &other) == DPPAIR_OK, "the restored one");
  REQUIRE(memcmp(x, y, sizeof x) == 0, "another stream after it is restored");
}

static void prefix(input *in) {
  dppair_stream s;
  dppair_prefix p;
  double g[5], sum[5];
  const size_t d = in_count(in, 5);
  dppair_rng rng = in_generator(in);
  size_t bytes = 99, t;
  void *whole, *work;
  dppair_status status;
  memset(&s, 0, sizeof s);
  s.steps = in_size(in, 40);
  s.buffer = in_size(in, 40);
  s.silent = in_size(in, 8);
  s.noise = (dppair_prefix_noise)in_enum(in, 4);
  s.adjacency = in_adjacency(in);
  status = dppair_prefix_workspace(&bytes, &s, d);
  REQUIRE(status == DPPAIR_OK || bytes == 0, "an error with bytes");
  if (status != DPPAIR_OK || bytes > 1 << 20) return;
  work = in_room(in, &whole, bytes);
  status = dppair_prefix_open(&p, &s, d, in_scale(in, 1e-3, 1e3), in_scale(in, 1e-3, 1e3), work,
                              in_rarely(in) ? bytes - 1 : bytes);
  if (status != DPPAIR_OK) {
    REQUIRE(all_zero(&p, sizeof p), "a refused stream is open");
  } else {
    for (t = s.silent + 1; t <= s.steps + 1 && t < 60; t++) {
      const size_t now = in_rarely(in) ? in_size(in, 40) : t;
      in_numbers(in, g, d, 1.0);
      stain(sum, d);
      status = dppair_prefix_step(sum, g, now, &p, &rng);
      if (status != DPPAIR_OK)
        REQUIRE(all_zero(sum, d * sizeof *sum) || p.d == 0, "an error with a sum");
      else
        REQUIRE(dppair_all_finite_f64(sum, d), "a sum not finite");
      if (p.d == 0) break;
    }
    dppair_prefix_close(&p);
    REQUIRE(all_zero(&p, sizeof p), "a closed stream");
  }
  free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input source = {bytes, size}, *in = &source;
  int turn;
  if (tier_count == 0) find_tiers();
  for (turn = 0; turn < 8 && in->left > 0; turn++) {
    switch (in_choice(in, 8)) {
    case 0:
    case 1:
      release(in);
      break;
    case 2:
      l2_ball(in);
      break;
    case 3:
      integers(in);
      break;
    case 4:
      draws(in);
      break;
    case 5:
      few(in);
      break;
    case 6:
      if (in_choice(in, 2))
        restore(in);
      else
        quantised(in);
      break;
    default:
      prefix(in);
    }
  }
  return 0;
}
