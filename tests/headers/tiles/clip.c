/* SPDX-License-Identifier: MIT */
/* Per-pair clipping: against double loops, and no pair gradient longer than the bound, ever. */
#include "tests.h"

#include "dppair_losses.h"

#define DPPAIR_NAME clipd
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME clipf
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME steepf
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_square /* its slopes have both signs */
#include "dppair.h"

#include "clips.h"

enum { TRIALS = BRIEF ? 2000 : 40000 };

typedef long double wide;

static wide slope(int steep, wide u) {
  if (steep) return -2 * (1 - u);
  return -1 / (1 + expl(u));
}
/* One interface to both element types: data are doubles that hold floats exactly. */
typedef struct call {
  double *a, *b, *sp, *sn, *xp, *xn; /* rows of xn follow those of xp */
  size_t np, nn, d, ld;
  double clip;
  int type; /* 0 double logistic, 1 float logistic, 2 float square */
  double *factor;
} call;

/* |x_i - x_j|, x with their factors. */
static wide distance(const call *c, size_t i, size_t j) {
  const double *a = c->xp + i * c->ld, *b = c->xn + j * c->ld;
  const wide fa = c->factor ? (wide)c->factor[i] : 1,
             fb = c->factor ? (wide)c->factor[c->np + j] : 1;
  wide sum = 0;
  for (size_t f = 0; f < c->d; f++) {
    const wide v = fa * (wide)a[f] - fb * (wide)b[f];
    sum += v * v;
  }
  return sqrtl(sum);
}

static float *floats(const double *x, size_t n) {
  float *f = malloc((n + 1) * sizeof *f);
  for (size_t i = 0; i < n; i++) f[i] = (float)x[i];
  return f;
}

#define ONE(tier, name, sp, sn) name##_clip_coeffs##tier(c->a, c->b, sp, sn, rows, NULL, 0, options)
#if DPPAIR_HAVE_AVX512
#define ROW512(...)                                                                                \
  case DPPAIR_TIER_AVX512:                                                                         \
    return ONE(_avx512, __VA_ARGS__);
#else
#define ROW512(...)
#endif
#if DPPAIR_HAVE_AVX2
#define ROW256(...)                                                                                \
  case DPPAIR_TIER_AVX2:                                                                           \
    return ONE(_avx2, __VA_ARGS__);
#else
#define ROW256(...)
#endif
#if DPPAIR_HAVE_SIMD128
#define ROW128(...)                                                                                \
  case DPPAIR_TIER_SIMD128:                                                                        \
    return ONE(_simd128, __VA_ARGS__);
#else
#define ROW128(...)
#endif
#define PICK(...)                                                                                  \
  switch (tier) {                                                                                  \
    ROW512(__VA_ARGS__)                                                                            \
    ROW256(__VA_ARGS__) ROW128(__VA_ARGS__) default : return ONE(_scalar, __VA_ARGS__);            \
  }
static dppair_status on_double(const call *c, int tier, const dppair_rows_f64 *rows,
                               const dppair_options *options) {
  PICK(clipd, c->sp, c->sn)
}
static dppair_status on_float(const call *c, int tier, const dppair_rows_f32 *rows, const float *sp,
                              const float *sn, const dppair_options *options) {
  PICK(clipf, sp, sn)
}
static dppair_status on_steep(const call *c, int tier, const dppair_rows_f32 *rows, const float *sp,
                              const float *sn, const dppair_options *options) {
  PICK(steepf, sp, sn)
}

/* The rows of a call; of_float has numbers of its own, to be freed. */
static dppair_rows_f64 of_double(const call *c) {
  dppair_rows_f64 rows = dppair_rows_make_f64(c->xp, c->np + c->nn, c->d, c->ld);
  rows.positives = c->np;
  rows.factor = c->factor;
  return rows;
}
static dppair_rows_f32 of_float(const call *c) {
  const size_t n = c->np + c->nn;
  dppair_rows_f32 rows = dppair_rows_make_f32(floats(c->xp, n * c->ld), n, c->d, c->ld);
  rows.positives = c->np;
  rows.factor = c->factor;
  return rows;
}

static dppair_status run(const call *c, int tier) {
  dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
  dppair_status status;
  const size_t n = c->np + c->nn;
  assert_int_equal(c->type ? clipf_clip_workspace(&options.bytes, NULL, n, c->d)
                           : clipd_clip_workspace(&options.bytes, NULL, n, c->d),
                   DPPAIR_OK);
  options.clip = clip_of(dppair_clip_init, c->clip);
  options.work = malloc(options.bytes);
  if (c->type == 0) {
    const dppair_rows_f64 rows = of_double(c);
    status = on_double(c, tier, &rows, &options);
  } else {
    dppair_rows_f32 rows = of_float(c);
    float *sp = floats(c->sp, c->np), *sn = floats(c->sn, c->nn);
    status = (c->type == 1 ? on_float : on_steep)(c, tier, &rows, sp, sn, &options);
    free((void *)(uintptr_t)rows.x);
    free(sp);
    free(sn);
  }
  free(options.work);
  return status;
}

static call make(size_t np, size_t nn, size_t d, int type) {
  call c = {NULL, NULL, NULL, NULL, NULL, NULL, np, nn, d, d + np % 2, 0.5, type, NULL};
  c.a = malloc((np + 1) * sizeof *c.a);
  c.b = malloc((nn + 1) * sizeof *c.b);
  c.sp = malloc((np + 1) * sizeof *c.sp);
  c.sn = malloc((nn + 1) * sizeof *c.sn);
  c.xp = malloc(((np + nn) * c.ld + 1) * sizeof *c.xp);
  c.xn = c.xp + np * c.ld;
  for (size_t i = 0; i < np; i++) c.sp[i] = (double)(float)(2.0 * normal());
  for (size_t i = 0; i < nn; i++) c.sn[i] = (double)(float)(2.0 * normal());
  for (size_t i = 0; i < np * c.ld; i++) c.xp[i] = (double)(float)normal();
  for (size_t i = 0; i < nn * c.ld; i++) c.xn[i] = (double)(float)(normal() + 0.25);
  return c;
}
static void drop(call *c) {
  free(c->a);
  free(c->b);
  free(c->sp);
  free(c->sn);
  free(c->xp);
  free(c->factor);
}
/* Factors of all kinds: 1, 0, less, more, negative. */
static void scale_rows(call *c) {
  c->factor = malloc((c->np + c->nn + 1) * sizeof *c->factor);
  for (size_t i = 0; i < c->np + c->nn; i++)
    c->factor[i] = i % 5 == 0 ? 1.0 : i % 7 == 3 ? 0.0 : i % 5 == 1 ? -1.5 : 1.2 * uniform();
}

static void coefficients_match_the_double_loop(void **unused) {
  static const size_t sizes[][3] = {{1, 1, 1},   {2, 3, 2},   {48, 48, 5},
                                    {49, 47, 9}, {97, 25, 3}, {23, 120, 17}};
  (void)unused;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int type = 0; type < 3; type++)
      for (int how = 0; how < 6; how++) {
        call c = make(sizes[s][0], sizes[s][1], sizes[s][2], type);
        const wide eps = (wide)(type ? (double)FLT_EPSILON : DBL_EPSILON);
        double *first = malloc((c.np + c.nn) * sizeof *first);
        c.clip = how % 4 == 0 ? 1e-3 : how % 4 == 1 ? 0.5 : how == 2 ? 3.0 : 0;
        if (how >= 4) scale_rows(&c);
        for (int tier = 0; tier <= dppair_tier(); tier++) {
          wide *b = calloc(2 * c.nn, sizeof *b), *eb = b + c.nn;
          assert_int_equal(run(&c, tier), DPPAIR_OK);
          for (size_t i = 0; i < c.np; i++) {
            wide a = 0, ea = 0;
            for (size_t j = 0; j < c.nn; j++) {
              const wide gap = distance(&c, i, j);
              wide w = slope(type == 2, (wide)c.sp[i] - (wide)c.sn[j]),
                   e = eps * (8 + fabsl(w) * 8);
              if (c.clip > 0 && fabsl(w) * gap > (wide)c.clip) {
                wide norm = 0;
                for (size_t f = 0; f < c.d; f++)
                  norm += (wide)c.xp[i * c.ld + f] * (wide)c.xp[i * c.ld + f] +
                          (wide)c.xn[j * c.ld + f] * (wide)c.xn[j * c.ld + f];
                norm *= c.factor ? 2.25L : 1; /* the largest factor is 1.5 */
                w = copysignl((wide)c.clip / gap, w);
                e += fabsl(w) * eps * (64 + 4 * (wide)(c.d + 20) * norm / (gap * gap));
              }
              a += w;
              b[j] -= w;
              ea += e;
              eb[j] += e;
            }
            assert_true(fabsl((wide)c.a[i] - a) <= ea);
          }
          for (size_t j = 0; j < c.nn; j++) assert_true(fabsl((wide)c.b[j] - b[j]) <= eb[j]);
          free(b);
          if (tier == 0) {
            memcpy(first, c.a, c.np * sizeof *first);
            memcpy(first + c.np, c.b, c.nn * sizeof *first);
          }
#if defined(__x86_64__)
          /* no fused multiply-add: within the bound only */
          if (tier == DPPAIR_TIER_SIMD128) continue;
#endif
          assert_memory_equal(first, c.a, c.np * sizeof *first);
          assert_memory_equal(first + c.np, c.b, c.nn * sizeof *first);
        }
        free(first);
        drop(&c);
      }
}

/* With one pair a[0] is the pair's weight itself: |weight| distance <= clip for near-duplicates,
 * far offsets, subnormals and huge numbers, and not by a wide margin where distances are not tiny.
 */
static void no_pair_is_longer_than_the_bound(void **unused) {
  int cut = 0, close = 0, risen = 0; /* cut from above */
  (void)unused;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int type = trial % 3;
    call c = make(1, 1, 1 + (size_t)(uniform() * (trial % 16 ? 12 : 200)), type);
    const double shift = pow(10.0, 8.0 * uniform() - 4.0), gap = pow(10.0, 9.0 * uniform() - 8.0);
    const double scale =
        trial % 5 ? 1.0 : pow(10.0, trial % 10 ? -20.0 * uniform() : 12.0 * uniform());
    wide length, full;
    for (size_t f = 0; f < c.d; f++) {
      const double x = scale * shift * normal();
      c.xp[f] = (double)(float)x;
      c.xn[f] = (double)(float)(x * (1.0 + (trial % 7 ? gap * normal() : 0.0)));
    }
    if (trial % 4 == 1) { /* nearly the same after scaling, too */
      scale_rows(&c);
      c.factor[1] = trial % 8 == 1 ? c.factor[0] : uniform();
    }
    c.clip = pow(10.0, 6.0 * uniform() - 5.0) * scale;
    c.sp[0] = trial % 2 ? -5.0 : (double)(float)normal();
    assert_int_equal(run(&c, trial % 4 <= dppair_tier() ? trial % 4 : 0), DPPAIR_OK);
    full = slope(type == 2, (wide)c.sp[0] - (wide)c.sn[0]);
    assert_true(full > 0 ? c.a[0] >= 0.0 : c.a[0] <= 0.0);
    assert_true(c.b[0] == -c.a[0]);
    length = fabsl((wide)c.a[0]) * distance(&c, 0, 0);
    if (length > (wide)c.clip) fail_msg("length %.20Lg, bound %.20g", length, c.clip);
    cut += fabsl((wide)c.a[0]) < 0.99L * fabsl(full);
    risen += full > 0 && fabsl((wide)c.a[0]) < 0.99L * full;
    close += length > 0.999L * (wide)c.clip;
    drop(&c);
  }
  assert_true(cut > TRIALS / 20);
  assert_true(risen > TRIALS / 50);
  assert_true(close > TRIALS / 20);
}

/* Rows that look away from each other are as far apart as both are long: where the product with the
 * slope is little more than the clip, their block is not spared. */
static void opposite_rows_are_clipped_as_soon_as_they_are_too_long(void **unused) {
  (void)unused;
  for (int trial = 0; trial < 300; trial++) {
    const int type = trial % 3;
    call c = make(1, 1, 1 + below(6), type);
    const double times = between(0.5, 2);
    wide full, length;
    for (size_t f = 0; f < c.d; f++) c.xn[f] = (double)(float)(-times * c.xp[f]);
    full = fabsl(slope(type == 2, (wide)c.sp[0] - (wide)c.sn[0])) * distance(&c, 0, 0);
    c.clip = (double)full * between(0.8, 1.05);
    assert_int_equal(run(&c, trial % 4 <= dppair_tier() ? trial % 4 : 0), DPPAIR_OK);
    length = fabsl((wide)c.a[0]) * distance(&c, 0, 0);
    assert_true(length <= (wide)c.clip && length <= full * (1 + 1e-5L));
    assert_true(length >= 0.999L * fminl((wide)c.clip, full));
    drop(&c);
  }
}

static void cached_caps_are_lower_and_close(void **unused) {
  (void)unused;
  for (int type = 0; type < 2; type++)
    for (int scaled = 0; scaled < 2; scaled++) {
      call c = make(61, 77, 6, type);
      dppair_options options = {NULL, 0, NULL, NULL, NULL, 0, NULL};
      dppair_rows_f64 rows;
      dppair_rows_f32 rows_f;
      float *sp = floats(c.sp, 61), *sn = floats(c.sn, 77);
      double *a = malloc(61 * sizeof *a), *b = malloc(77 * sizeof *b);
      uint16_t *cache;
      size_t count;
      if (scaled) scale_rows(&c);
      rows = of_double(&c);
      rows_f = of_float(&c);
      assert_int_equal(type ? clipf_clip_workspace(&options.bytes, &count, 138, 6)
                            : clipd_clip_workspace(&options.bytes, &count, 138, 6),
                       DPPAIR_OK);
      options.work = malloc(options.bytes);
      cache = malloc(count * sizeof *cache);
      for (int round = 0; round < 22; round++) {
        options.clip = clip_of(type ? clipf_clip_init : clipd_clip_init, c.clip);
        assert_int_equal(run(&c, dppair_tier()), DPPAIR_OK);
        assert_int_equal(type ? clipf_clip_cache(cache, count, &rows_f, &options)
                              : clipd_clip_cache(cache, count, &rows, &options),
                         DPPAIR_OK);
        assert_int_equal(type ? clipf_clip_coeffs(a, b, sp, sn, &rows_f, cache, count, &options)
                              : clipd_clip_coeffs(a, b, c.sp, c.sn, &rows, cache, count, &options),
                         DPPAIR_OK);
        for (size_t i = 0; i < 61; i++)
          assert_true(a[i] <= 0.0 && a[i] >= c.a[i] * (1 + 1e-12) &&
                      a[i] <= c.a[i] * 127.0 / 128.0);
        for (size_t j = 0; j < 77; j++)
          assert_true(b[j] >= 0.0 && b[j] <= c.b[j] * (1 + 1e-12) &&
                      b[j] >= c.b[j] * 127.0 / 128.0);
        c.clip *= 1.05;
      }
      free(a);
      free(b);
      free(sp);
      free(sn);
      free(cache);
      free(options.work);
      free((void *)(uintptr_t)rows_f.x);
      drop(&c);
    }
}

/* A cache is that of one clip and one number of records. */
static void a_cache_of_another_clip_or_size_is_refused(void **unused) {
  call c = make(9, 7, 3, 0);
  dppair_options options = {NULL, clip_of(clipd_clip_init, 0.5), NULL, NULL, NULL, 0, NULL};
  dppair_rows_f64 rows = of_double(&c);
  uint16_t *cache;
  size_t count;
  (void)unused;
  assert_int_equal(clipd_clip_workspace(&options.bytes, &count, 16, 3), DPPAIR_OK);
  options.work = malloc(options.bytes);
  cache = malloc(count * sizeof *cache);
#define CACHED(cache, count) clipd_clip_coeffs(c.a, c.b, c.sp, c.sn, &rows, cache, count, &options)
#define UNUSABLE(status, call)                                                                     \
  memset(c.a, 1, c.np * sizeof *c.a);                                                              \
  memset(c.b, 1, c.nn * sizeof *c.b);                                                              \
  assert_int_equal(call, status);                                                                  \
  for (size_t e = 0; e < c.np; e++) assert_true(c.a[e] == 0.0);                                    \
  for (size_t e = 0; e < c.nn; e++) assert_true(c.b[e] == 0.0);
  assert_int_equal(clipd_clip_cache(cache, count, &rows, &options), DPPAIR_OK);
  assert_int_equal(CACHED(cache, count), DPPAIR_OK);
  UNUSABLE(DPPAIR_ERR_WORKSPACE, CACHED(cache, count - 1))
  options.clip = clip_of(clipd_clip_init, nextafter(0.5, 1.0));
  UNUSABLE(DPPAIR_ERR_WORKSPACE, CACHED(cache, count))
  options.clip = NULL;
  UNUSABLE(DPPAIR_ERR_DOMAIN, CACHED(cache, count))
  assert_int_equal(clipd_clip_cache(cache, count, &rows, &options), DPPAIR_ERR_DOMAIN);
  for (size_t e = 0; e < count; e++) assert_int_equal(cache[e], 0);
  options.clip = clip_of(dppair_clip_init, 0.5);
  UNUSABLE(DPPAIR_ERR_WORKSPACE, CACHED(cache, count)) /* the last call left none behind */
  assert_int_equal(clipd_clip_cache(cache, count, &rows, &options), DPPAIR_OK);
  rows.n = 15;
  assert_int_equal(CACHED(cache, count), DPPAIR_ERR_WORKSPACE);
  rows.n = 16;
  cache[0] = 7;
  assert_int_equal(clipd_clip_cache(cache, count - 1, &rows, &options), DPPAIR_ERR_WORKSPACE);
  assert_int_equal(cache[0], 7);
  assert_int_equal(clipd_clip_cache(NULL, count, &rows, &options), DPPAIR_ERR_NULL);
  rows.positives = 17;
  assert_int_equal(clipd_clip_cache(cache, count, &rows, &options), DPPAIR_ERR_SIZE);
  /* one class only: nothing to do */
  for (rows.positives = 0; rows.positives <= 16; rows.positives += 16) {
    double many[16], none;
    assert_int_equal(clipd_clip_cache(cache, count, &rows, &options), DPPAIR_OK);
    assert_int_equal(clipd_clip_coeffs(rows.positives ? many : NULL, rows.positives ? &none : many,
                                       c.xp, c.xp, &rows, cache, count, &options),
                     DPPAIR_OK);
    for (int e = 0; e < 16; e++) assert_true(many[e] == 0.0);
  }
  free(cache);
  free(options.work);
  drop(&c);
}

/* The workspace and the cache of n records are enough for any number of positives, and no more. */
static void workspaces_depend_on_the_number_of_records_only(void **unused) {
  (void)unused;
  for (size_t n = 0; n < 120; n += n < 6 ? 1 : 19) {
    dppair_options options = {NULL, clip_of(clipd_clip_init, 0.5), NULL, NULL, NULL, 0, NULL};
    size_t count;
    uint16_t *cache;
    void *work;
    assert_int_equal(clipd_clip_workspace(&options.bytes, &count, n, 3), DPPAIR_OK);
    cache = malloc(count * sizeof *cache); /* the sanitizer sees a number too many */
    work = malloc(options.bytes + 1);
    options.work = (char *)work + 1;
    for (size_t np = 0; np <= n; np++) {
      call c = make(np, n - np, 3, 0);
      dppair_rows_f64 rows = of_double(&c);
      for (int cached = 0; cached < 2; cached++) {
        assert_int_equal(clipd_clip_cache(cache, count, &rows, &options), DPPAIR_OK);
        assert_int_equal(
            clipd_clip_coeffs(c.a, c.b, c.sp, c.sn, &rows, cached ? cache : NULL, count, &options),
            DPPAIR_OK);
      }
      options.bytes--;
      assert_int_equal(clipd_clip_coeffs(c.a, c.b, c.sp, c.sn, &rows, NULL, 0, &options),
                       DPPAIR_ERR_WORKSPACE);
      options.bytes++;
      drop(&c);
    }
    free(cache);
    free(work);
  }
  {
    size_t bytes = 7, count = 7;
    assert_int_equal(clipd_clip_workspace(&bytes, &count, SIZE_MAX, 1), DPPAIR_ERR_OVERFLOW);
    assert_true(bytes == 0 && count == 0);
    assert_int_equal(clipd_clip_workspace(&bytes, NULL, 9, SIZE_MAX / 8), DPPAIR_ERR_OVERFLOW);
    assert_int_equal(clipd_clip_workspace(&bytes, &count, SIZE_MAX / 1024, 0),
                     DPPAIR_ERR_OVERFLOW); /* its square */
    assert_int_equal(clipd_clip_workspace(NULL, &count, 9, 1), DPPAIR_ERR_NULL);
    assert_true(bytes == 0 && count == 0);
  }
}

static void the_gradient_is_the_sum_of_clipped_pairs(void **unused) {
  call c = make(40, 33, 7, 0);
  const dppair_rows_f64 rows = of_double(&c);
  dppair_options options = {NULL, clip_of(clipd_clip_init, 0.7), NULL, NULL, NULL, 0, NULL};
  double w[7], g[7];
  wide sum[7] = {0};
  (void)unused;
  for (int f = 0; f < 7; f++) w[f] = normal();
  assert_int_equal(clipd_workspace(&options.bytes, 73, 7, &options), DPPAIR_OK);
  options.work = malloc(options.bytes);
  assert_int_equal(clipd_gradient(g, &rows, w, &options), DPPAIR_OK);
  for (size_t i = 0; i < 40; i++)
    for (size_t j = 0; j < 33; j++) {
      const wide gap = distance(&c, i, j);
      wide u = 0, p;
      for (size_t f = 0; f < 7; f++)
        u += (wide)w[f] * ((wide)c.xp[i * c.ld + f] - (wide)c.xn[j * c.ld + f]);
      p = slope(0, u);
      if (-p * gap > 0.7L) p = -0.7L / gap;
      for (size_t f = 0; f < 7; f++)
        sum[f] += p * ((wide)c.xp[i * c.ld + f] - (wide)c.xn[j * c.ld + f]);
    }
  for (int f = 0; f < 7; f++) assert_true(fabsl((wide)g[f] - sum[f]) < 1e-10L);
  options.bytes--;
  assert_int_equal(clipd_gradient(g, &rows, w, &options), DPPAIR_ERR_WORKSPACE);
  for (int f = 0; f < 7; f++) assert_true(g[f] == 0.0);
  free(options.work);
  drop(&c);
}

static void bad_clips_rows_and_workspaces_are_refused_and_outputs_zeroed(void **unused) {
  call c = make(3, 4, 2, 0);
  double keep;
  (void)unused;
#define REFUSED(status)                                                                            \
  memset(c.a, 1, 3 * sizeof *c.a);                                                                 \
  memset(c.b, 1, 4 * sizeof *c.b);                                                                 \
  assert_int_equal(run(&c, dppair_tier()), status);                                                \
  for (int e = 0; e < 3; e++) assert_true(c.a[e] == 0.0);                                          \
  for (int e = 0; e < 4; e++) assert_true(c.b[e] == 0.0);
  c.clip = 1.0;
  keep = c.xn[3];
  c.xn[3] = HUGE_VAL - HUGE_VAL;
  REFUSED(DPPAIR_ERR_NOT_FINITE)
  c.xn[3] = 1e200;
  REFUSED(DPPAIR_ERR_OVERFLOW)
  c.xn[3] = keep;
  keep = c.sp[1];
  c.sp[1] = HUGE_VAL;
  REFUSED(DPPAIR_ERR_NOT_FINITE)
  c.sp[1] = 1.7e308;
  REFUSED(DPPAIR_ERR_OVERFLOW)
  c.sp[1] = keep;
  scale_rows(&c);
  c.factor[5] = HUGE_VAL;
  REFUSED(DPPAIR_ERR_NOT_FINITE)
  c.factor[5] = nan("");
  REFUSED(DPPAIR_ERR_NOT_FINITE)
  c.factor[5] = 1e308;
  REFUSED(DPPAIR_ERR_OVERFLOW)
  c.factor[5] = 0.5;
  assert_int_equal(run(&c, dppair_tier()), DPPAIR_OK);
  c.np = 0; /* nothing to do is not an error */
  assert_int_equal(run(&c, dppair_tier()), DPPAIR_OK);
  c.np = 3;
  drop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(coefficients_match_the_double_loop),
      TEST(no_pair_is_longer_than_the_bound),
      TEST(opposite_rows_are_clipped_as_soon_as_they_are_too_long),
      TEST(cached_caps_are_lower_and_close),
      TEST(a_cache_of_another_clip_or_size_is_refused),
      TEST(workspaces_depend_on_the_number_of_records_only),
      TEST(the_gradient_is_the_sum_of_clipped_pairs),
      TEST(bad_clips_rows_and_workspaces_are_refused_and_outputs_zeroed),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
