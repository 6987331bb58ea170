/* SPDX-License-Identifier: MIT */
/*
 * Noise against the libraries that are installed and against numpy's own algorithms in C: the
 * ziggurat over PCG64 for Gaussians, the inverse distribution function for Laplace. They are a
 * stand-in for numpy, through a function pointer like there; bench/noise_numpy.py asks numpy
 * itself. Times are per call of n numbers.
 */
#include "bench.h"

#define DPPAIR_SIMULATION
#define DPPAIR_WITH_SHARES
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_noise.h"

#ifdef BENCH_OPENSSL
#include <openssl/evp.h>
#endif
#ifdef BENCH_SODIUM
#include <sodium.h>
#endif

enum { N = 65536, BYTES = 65536 };
static double x64[N], y64[N];
static float x32[N];
static int64_t integers[4096];
static uint8_t bytes[2][BYTES];
static size_t chosen[N];

static void must(dppair_status status) {
  if (status == DPPAIR_OK) return;
  fprintf(stderr, "bench_noise: %s\n", dppair_status_string(status));
  exit(1);
}

/* ------------------------------------------------------------------------------------------------
 * numpy's algorithms
 * ---------------------------------------------------------------------------------------------- */

typedef struct {
  unsigned __int128 state, increment;
} pcg64;

static uint64_t pcg64_next(void *context) {
  pcg64 *g = (pcg64 *)context;
  const unsigned __int128 multiplier =
      (unsigned __int128)2549297995355413924ULL << 64 | 4865540595714422341ULL;
  uint64_t high, low;
  g->state = g->state * multiplier + g->increment;
  high = (uint64_t)(g->state >> 64);
  low = (uint64_t)g->state;
  low ^= high;
  return low >> (high >> 58) | low << (-(high >> 58) & 63);
}

typedef struct {
  void *state;
  uint64_t (*next)(void *);
} bit_generator;

static pcg64 pcg = {1234567, 7654321};
static bit_generator bits = {&pcg, pcg64_next};

/* Ziggurat of 256 layers (Marsaglia and Tsang), tables as in Doornik's ZIGNOR. */
static double zig_w[256], zig_f[256];
static uint64_t zig_k[256];

static void ziggurat_tables(void) {
  const double r = 3.6541528853610087963519472518, v = 0.00492867323399, two52 = 4503599627370496.0;
  double d = r, t = r, q = v / exp(-0.5 * r * r);
  int i;
  zig_k[0] = (uint64_t)(d / q * two52), zig_k[1] = 0;
  zig_w[0] = q / two52, zig_w[255] = d / two52;
  zig_f[0] = 1.0, zig_f[255] = exp(-0.5 * d * d);
  for (i = 254; i >= 1; i--) {
    d = sqrt(-2.0 * log(v / d + exp(-0.5 * d * d)));
    zig_k[i + 1] = (uint64_t)(d / t * two52);
    t = d;
    zig_f[i] = exp(-0.5 * d * d);
    zig_w[i] = d / two52;
  }
}

static double next_double(bit_generator *g) { return (double)(g->next(g->state) >> 11) * 0x1p-53; }

static double ziggurat(bit_generator *g) {
  for (;;) {
    uint64_t r = g->next(g->state);
    const int layer = (int)(r & 0xff);
    uint64_t size;
    double x;
    r >>= 8;
    size = (r >> 1) & 0x000fffffffffffffULL;
    x = (double)size * zig_w[layer];
    if (r & 1) x = -x;
    if (size < zig_k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        const double a = -0.2736612373297583 * log1p(-next_double(g)), b = -log1p(-next_double(g));
        if (b + b > a * a)
          return (size >> 8 & 1) ? -(3.654152885361008796 + a) : 3.654152885361008796 + a;
      }
    } else if ((zig_f[layer - 1] - zig_f[layer]) * next_double(g) + zig_f[layer] <
               exp(-0.5 * x * x)) {
      return x;
    }
  }
}

static void numpy_gaussian(void *p) {
  size_t i;
  (void)p;
  for (i = 0; i < N; i++) y64[i] = ziggurat(&bits);
}

static void numpy_laplace(void *p) {
  size_t i;
  (void)p;
  for (i = 0; i < N; i++) {
    const double u = next_double(&bits);
    y64[i] = u >= 0.5 ? -log(2.0 - u - u) : log(u + u + 1e-300);
  }
}

/* ------------------------------------------------------------------------------------------------
 * Ours
 * ---------------------------------------------------------------------------------------------- */

typedef struct {
  dppair_rng rng;
  int law, log2_ratio, narrow, tier;
} release;

static release release_of(int aes, int law, int log2_ratio, int narrow, int tier) {
  release r;
  uint8_t key[32] = {1, 2, 3};
  memset(&r, 0, sizeof r);
  must(aes ? dppair_rng_from_key_aes256(&r.rng, key, 0) : dppair_rng_from_key(&r.rng, key, 0));
  r.law = law;
  r.log2_ratio = log2_ratio;
  r.narrow = narrow;
  r.tier = tier;
  return r;
}

/* x += noise in place, from memory to memory. The sum wanders; its size does not matter. */
static void safe(void *p) {
  release *r = (release *)p;
  must(dppair_release_at_(r->narrow ? (void *)x32 : (void *)x64, N, r->narrow, 1.3, r->log2_ratio,
                          r->law, r->tier, &r->rng));
}

static void raw(void *p) {
  release *r = (release *)p;
  must(dppair_fill_at_(r->narrow ? (void *)x32 : (void *)x64, N, r->narrow, 1.3, r->law, r->tier,
                       &r->rng));
}

static void keystream(void *p) { must(dppair_rng_bytes(bytes[0], BYTES, &((release *)p)->rng)); }

static void integer_gaussian(void *p) {
  must(dppair_discrete_gaussian(integers, 4096, 1000, 7, &((release *)p)->rng));
}
static void integer_skellam(void *p) {
  must(dppair_skellam(integers, 4096, 1e6, &((release *)p)->rng));
}
static void integer_laplace(void *p) {
  must(dppair_discrete_laplace(integers, 4096, 100, 7, &((release *)p)->rng));
}
static void choose_poisson(void *p) {
  const dppair_sampling s = dppair_sampling_poisson(N, N / 100, DPPAIR_REPLACE_ONE);
  size_t count;
  must(dppair_draw(chosen, &count, N, &s, &((release *)p)->rng));
}
static void choose_shuffle(void *p) { must(dppair_shuffle(chosen, N, &((release *)p)->rng)); }
static void l2ball(void *p) { must(dppair_add_l2ball_f64(x64, 4096, 1.0, &((release *)p)->rng)); }

static void compare(const char *name, const char *peer, const char *dtype, size_t n, double floor,
                    double moonshot, bench_work ours, release r, bench_work theirs, void *context) {
  bench_row row = bench_describe(name, peer, n, 0, dtype);
  row.floor = floor;
  row.moonshot = moonshot;
  bench_compare(&row, ours, &r, theirs, context);
}

static void within(const char *name, size_t n, double limit_ns_each, bench_work ours, release r) {
  bench_row row = bench_describe(name, "limit per call", n, 0, "i64");
  row.floor = 1.0;
  bench_within(&row, ours, &r, limit_ns_each * (double)n);
}

/* ------------------------------------------------------------------------------------------------
 * Peers
 * ---------------------------------------------------------------------------------------------- */

#ifdef BENCH_OPENSSL
static void openssl_stream(void *p) {
  int got;
  static const uint8_t zeros[BYTES];
  if (EVP_EncryptUpdate((EVP_CIPHER_CTX *)p, bytes[1], &got, zeros, BYTES) != 1) exit(1);
}

static EVP_CIPHER_CTX *openssl_context(const EVP_CIPHER *cipher) {
  static const uint8_t key[32] = {1}, iv[16] = {0};
  EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
  if (!c || EVP_EncryptInit_ex(c, cipher, NULL, key, iv) != 1) exit(1);
  return c;
}
#endif
#ifdef BENCH_SODIUM
static void sodium_stream(void *p) {
  static const uint8_t key[32] = {1}, nonce[8] = {0};
  (void)p;
  crypto_stream_chacha20(bytes[1], BYTES, nonce, key);
}
#endif

int main(int argc, char **argv) {
  const int best = dppair_tier();
  const char *pcg_name = "C ziggurat PCG64", *laplace_name = "C log PCG64";
  release unsafe = release_of(1, DPPAIR_FILL_GAUSSIAN_, 0, 0, best);
  size_t i;
  bench_start(argc, argv, "noise", 20.0);
  ziggurat_tables();
  for (i = 0; i < N; i++) chosen[i] = i;
  if (best == DPPAIR_TIER_SIMD128) { /* bench_noise_simd128.c */
    compare("noise_safe_simd128_k10", pcg_name, "f64", N, 1.5, 3.0, safe,
            release_of(1, 0, 10, 0, best), numpy_gaussian, NULL);
    compare("noise_safe_simd128_chacha20_k10", pcg_name, "f64", N, 0.0, 0.0, safe,
            release_of(0, 0, 10, 0, best), numpy_gaussian, NULL);
    compare("noise_safe_simd128_k10", pcg_name, "f32", N, 0.0, 0.0, safe,
            release_of(1, 0, 10, 1, best), numpy_gaussian, NULL);
    return bench_finish();
  }
#ifdef BENCH_OPENSSL
  {
    EVP_CIPHER_CTX *aes = openssl_context(EVP_aes_256_ctr());
    EVP_CIPHER_CTX *chacha = openssl_context(EVP_chacha20());
    compare("noise_stream_aes256", "OpenSSL", "u8", BYTES, 1.7, 2.0, keystream,
            release_of(1, 0, 0, 0, best), openssl_stream, aes);
    compare("noise_stream_chacha20", "OpenSSL", "u8", BYTES, 0.0, 0.0, keystream,
            release_of(0, 0, 0, 0, best), openssl_stream, chacha);
    EVP_CIPHER_CTX_free(aes);
    EVP_CIPHER_CTX_free(chacha);
  }
#endif
#ifdef BENCH_SODIUM
  compare("noise_stream_chacha20", "libsodium", "u8", BYTES, 2.0, 2.3, keystream,
          release_of(0, 0, 0, 0, best), sodium_stream, NULL);
#endif
  /* safe costs nothing: the safe release against our own raw sampler of the same run */
  compare("noise_safe_over_raw", "own raw Gaussian", "f64", N, 1.0, 1.0 / 0.6, safe,
          release_of(1, 0, 10, 0, best), raw, &unsafe);
  compare("noise_safe_gaussian_k10", pcg_name, "f64", N, 0.0, 0.0, safe,
          release_of(1, 0, 10, 0, best), numpy_gaussian, NULL);
  compare("noise_safe_gaussian_k24", pcg_name, "f64", N, 0.0, 0.0, safe,
          release_of(1, 0, 24, 0, best), numpy_gaussian, NULL);
  compare("noise_safe_gaussian_k10", pcg_name, "f32", N, 0.0, 0.0, safe,
          release_of(1, 0, 10, 1, best), numpy_gaussian, NULL);
  compare("noise_safe_laplace_k10", laplace_name, "f64", N, 0.0, 0.0, safe,
          release_of(1, 1, 10, 0, best), numpy_laplace, NULL);
  compare("noise_safe_chacha20_k10", pcg_name, "f64", N, 0.0, 0.0, safe,
          release_of(0, 0, 10, 0, best), numpy_gaussian, NULL);
  if (best > DPPAIR_TIER_AVX2)
    compare("noise_safe_avx2_k10", pcg_name, "f64", N, 4.0, 5.0, safe,
            release_of(1, 0, 10, 0, DPPAIR_TIER_AVX2), numpy_gaussian, NULL);
  compare("noise_safe_scalar_k10", pcg_name, "f64", N, 0.0, 0.0, safe,
          release_of(0, 0, 10, 0, DPPAIR_TIER_SCALAR), numpy_gaussian, NULL);
  compare("noise_raw_gaussian", pcg_name, "f64", N, 0.0, 0.0, raw,
          release_of(1, DPPAIR_FILL_GAUSSIAN_, 0, 0, best), numpy_gaussian, NULL);
  compare("noise_raw_gaussian_chacha20", pcg_name, "f64", N, 0.0, 0.0, raw,
          release_of(0, DPPAIR_FILL_GAUSSIAN_, 0, 0, best), numpy_gaussian, NULL);
  compare("noise_raw_gaussian", pcg_name, "f32", N, 0.0, 0.0, raw,
          release_of(1, DPPAIR_FILL_GAUSSIAN_, 0, 1, best), numpy_gaussian, NULL);
  compare("noise_raw_laplace", laplace_name, "f64", N, 0.0, 0.0, raw,
          release_of(1, DPPAIR_FILL_LAPLACE_, 0, 0, best), numpy_laplace, NULL);
  within("noise_safe_l2ball", 4096, 200.0, l2ball, release_of(1, 0, 0, 0, best));
  within("noise_discrete_gaussian", 4096, 200.0, integer_gaussian, release_of(0, 0, 0, 0, best));
  within("noise_skellam", 4096, 300.0, integer_skellam, release_of(0, 0, 0, 0, best));
  within("noise_discrete_laplace", 4096, 200.0, integer_laplace, release_of(0, 0, 0, 0, best));
  within("noise_choose_poisson", N, 20.0, choose_poisson, release_of(0, 0, 0, 0, best));
  within("noise_choose_shuffle", N, 40.0, choose_shuffle, release_of(0, 0, 0, 0, best));
  return bench_finish();
}
