/* SPDX-License-Identifier: MIT */
/*
 * The float level of one tier on every input. The elementary functions against the C library's in
 * double, whose own error (below 2^-50) is added; then the whole tau of Gaussian and Laplace
 * releases: for each word of U the radius that the kernel computes against both ends of what U can
 * still be, the worst cosine of all 2^32 on top, against the reach that the kernel says. So no pair
 * of words is left out.
 *
 *   float_level [every]    1: all 2^32 words; 64: every 64th row of 8192 words, and the edges
 *
 * EXHAUST_TIER is the tier. Prints lines: what, cases, worst share of the bound, verdict.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dppair_noise.h"

#define U 5.9604644775390625e-08 /* 2^-24 */
#define LIBRARY 1e-15            /* more than the relative error of log, sqrt, sin and cos in double */
#define ROW 8192u

/* The kernels of the tier, as vectors of words. */
#if EXHAUST_TIER == 3
#define KERNEL(name) DPPAIR_CAT(name, avx512_)
#define LANES 16
#define VF __m512
#define LOAD_WORDS(p) _mm512_loadu_si512((const void *)(p))
#define STORE_FLOATS(p, v) _mm512_storeu_ps(p, v)
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_NOISE_AVX512_)
#elif EXHAUST_TIER == 2
#define KERNEL(name) DPPAIR_CAT(name, avx2_)
#define LANES 8
#define VF __m256
#define LOAD_WORDS(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE_FLOATS(p, v) _mm256_storeu_ps(p, v)
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_NOISE_AVX2_)
#else
#define KERNEL(name) DPPAIR_CAT(name, simd128_)
#define LANES 4
#define VF simde__m128
#define LOAD_WORDS(p) simde_mm_loadu_si128((const simde__m128i *)(const void *)(p))
#define STORE_FLOATS(p, v) simde_mm_storeu_ps(p, v)
DPPAIR_FP_BEGIN_
#endif

static void exponentials(float *e, const uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i += LANES)
    STORE_FLOATS(e + i, KERNEL(dppair_exponential_f32_)(LOAD_WORDS(words + i)));
}

static void circles(float *c, float *s, const uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i += LANES) {
    VF cv, sv;
    KERNEL(dppair_circle_f32_)(&cv, &sv, LOAD_WORDS(words + i));
    STORE_FLOATS(c + i, cv);
    STORE_FLOATS(s + i, sv);
  }
}

static void gaussians(float *z, float *reach, const uint32_t *words, size_t n,
                      const dppair_plan_ *plan) {
  KERNEL(dppair_reach_gaussian_)(z, reach, words, n, plan->narrow, plan);
}

static void laplaces(float *z, float *reach, const uint32_t *words, size_t n,
                     const dppair_plan_ *plan) {
  KERNEL(dppair_reach_laplace_)(z, reach, words, n, plan->narrow, plan);
}

#if EXHAUST_TIER > 1
DPPAIR_TARGET_END_
#else
DPPAIR_FP_END_
#endif

static int bad;

/* A line of the table; a share below `least` says that nothing was tested. */
static void line(const char *what, uint64_t cases, double share, double least) {
  const int right = share <= 1.0 && share >= least;
  printf("float, %s: %s\t%llu\t%.3f\t%s\n", EXHAUST_NAME, what, (unsigned long long)cases, share,
         right ? "holds" : "FAILS");
  bad |= !right;
}

static void raise_to(double *worst, double x) {
  if (!(x <= *worst)) *worst = x; /* a NaN stays: it is no share that holds */
}

/* Is the row of words from `first` looked at? */
static int chosen(uint64_t row, uint64_t rows, uint64_t every) {
  return row % every == 0 || row < 2 || row + 2 >= rows;
}

/* --- Cosine and sine -------------------------------------------------------------------------- */

static double worst_cosine; /* the largest error of all, without the unread bits */

static void check_circles(uint64_t every) {
  static const double turn = 1.4629180792671596e-09; /* 2 pi 2^-32 */
  static uint32_t words[ROW];
  static float c[ROW], s[ROW];
  static double right_c[ROW], right_s[ROW];
  double cosine = 0.0, sine = 0.0; /* |angle| <= pi/4: the polynomial of the cosine, of the sine */
  uint64_t cases = 0;
  const uint64_t rows = (UINT64_C(1) << 30) / ROW;
  for (uint64_t row = 0; row < rows; row++) {
    if (!chosen(row, rows, every) && !chosen((row + rows / 2) % rows, rows, every)) continue;
    for (uint32_t i = 0; i < ROW; i++) { /* the angles of the first quarter, reduced to eighths */
      const double w = (double)(row * ROW + i);
      const int upper = w > 536870912.0; /* pi/4 */
      const double t = (upper ? 1073741824.0 - w : w) * turn;
      right_c[i] = upper ? sin(t) : cos(t);
      right_s[i] = upper ? cos(t) : sin(t);
    }
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
      for (uint32_t i = 0; i < ROW; i++) words[i] = (uint32_t)(row * ROW + i) + (quarter << 30);
      circles(c, s, words, ROW);
      for (uint32_t i = 0; i < ROW; i++) {
        const double a = right_c[i], b = right_s[i];
        const double tc = quarter == 0 ? a : quarter == 1 ? -b : quarter == 2 ? -a : b;
        const double ts = quarter == 0 ? b : quarter == 1 ? a : quarter == 2 ? -b : -a;
        const double off_c = fabs((double)c[i] - tc) + LIBRARY;
        const double off_s = fabs((double)s[i] - ts) + LIBRARY;
        const int long_c = fabs(tc) > 0.7072, long_s = fabs(ts) > 0.7072;
        raise_to(long_c ? &cosine : &sine, off_c);
        raise_to(long_s ? &cosine : &sine, off_s);
      }
      cases += 2 * ROW;
    }
  }
  line("cosines, within 2.6u", cases, cosine / (2.6 * U), 0.3);
  line("sines, within 2.5u", cases, sine / (2.5 * U), 0.3);
  worst_cosine = fmax(cosine, sine);
}

/* --- Logarithm and releases ------------------------------------------------------------------- */

typedef struct kind {
  dppair_plan_ plan;
  const char *name;
  double worst;
  uint64_t cases;
} kind;

enum { NEAR, FAR, GAUSSIANS = 4, KINDS = 8 };
static kind kinds[KINDS];
static double worst_log[2], worst_sharp[2];
static uint64_t logs[2], open_gaussians, open_laplaces, wrong_open;

static void make_kinds(void) {
  static const char *name[KINDS] = {"Gaussian tau, s = 1",         "Gaussian tau, s = 8191",
                                    "Gaussian tau, floats, s = 1", "Gaussian tau, floats, s = 8191",
                                    "Laplace tau, s = 1",          "Laplace tau, s = 8191",
                                    "Laplace tau, floats, s = 1",  "Laplace tau, floats, s = 8191"};
  for (int i = 0; i < KINDS; i++) {
    kinds[i].name = name[i];
    kinds[i].plan.s = i & 1 ? 8191.123 : 1.0;
    kinds[i].plan.narrow = i >> 1 & 1;
    kinds[i].plan.noise = i < GAUSSIANS ? DPPAIR_NOISE_GAUSSIAN_ : DPPAIR_NOISE_LAPLACE_;
  }
}

/* What the steps after z add to the error: the product with s and the sum with the rest. */
static double last_steps(const kind *k, double size) {
  const double u = k->plan.narrow ? U : 0x1p-53;
  return u * ((k->plan.narrow ? 3.0 : 2.0) * k->plan.s * size * 1.0001 + 0.5);
}

/* e[i] is -ln of (first + i) 2^-32, for one more than ROW. */
static void check_gaussians(uint64_t first, const double *e, const double *root) {
  static uint32_t pairs[2 * ROW];
  static float z[2 * ROW], reach[2 * ROW];
  const double theta = 2.0 * 3.14159265358979324 * 0x1p-32; /* unread bits of T */
  for (uint32_t i = 0; i < ROW; i++) {
    pairs[2 * i] = (uint32_t)(first + i);
    pairs[2 * i + 1] = 0; /* cosine 1, sine 0 */
  }
  (void)e;
  for (int k = 0; k < GAUSSIANS; k++) {
    const double s = kinds[k].plan.s;
    gaussians(z, reach, pairs, 2 * ROW, &kinds[k].plan);
    for (uint32_t i = 0; i < ROW; i++) {
      const uint64_t w = first + i;
      const uint32_t at = i / 8 * 16 + i % 8;
      const double radius = (double)z[at], tau = 0.5 - (double)reach[at];
      const int open = w < (UINT64_C(1) << 20) || w >= (UINT64_C(1) << 32) - 4096;
      double off = fmax(fabs(radius - root[i]), fabs(radius - root[i + 1]));
      if (reach[at] == 0.0f) {
        wrong_open += open ? 0u : 1u;
        open_gaussians += k == 0 ? 1u : 0u;
        continue;
      }
      wrong_open += open != 0 ? 1u : 0u;
      off += LIBRARY * (1.0 + radius) + radius * (worst_cosine + theta + U * 1.0001);
      raise_to(&kinds[k].worst, (s * off + last_steps(&kinds[k], radius)) / tau);
      kinds[k].cases++;
    }
  }
}

static void check_laplaces(uint64_t first, const double *e) {
  static uint32_t words[ROW / 2];
  static float z[ROW / 2], reach[ROW / 2];
  for (int k = GAUSSIANS; k < KINDS; k++) {
    const double s = kinds[k].plan.s;
    for (uint32_t i = 0; i < ROW / 2; i++)
      words[i] = (uint32_t)((first + 2 * i) >> 1) | (k & 1 ? 0x80000000u : 0u);
    laplaces(z, reach, words, ROW / 2, &kinds[k].plan);
    for (uint32_t i = 0; i < ROW / 2; i++) {
      const uint64_t w = first + 2 * i;
      const double value = k & 1 ? -(double)z[i] : (double)z[i], tau = 0.5 - (double)reach[i];
      double off = fmax(fabs(value - e[2 * i]), fabs(value - e[2 * i + 2]));
      const int open = w < (UINT64_C(1) << 22);
      if (reach[i] == 0.0f) {
        wrong_open += open ? 0u : 1u;
        open_laplaces += k == GAUSSIANS ? 1u : 0u;
        continue;
      }
      wrong_open += open != 0 ? 1u : 0u;
      off += LIBRARY * (1.0 + value);
      raise_to(&kinds[k].worst, (s * off + last_steps(&kinds[k], value)) / tau);
      kinds[k].cases++;
    }
  }
}

static void check_logs(uint64_t first, const double *e) {
  static uint32_t words[ROW];
  static float value[ROW];
  for (uint32_t i = 0; i < ROW; i++) words[i] = (uint32_t)(first + i);
  exponentials(value, words, ROW);
  for (uint32_t i = 0; i < ROW; i++) {
    const uint64_t w = first + i;
    const int near = w >> 1 > 0x5a880000u;
    /* the 128-bit tier leaves a bit of U out of its float, which is charged to the unread bits */
    const double unread = EXHAUST_TIER == 1 && !near ? (double)(w & 1) / (double)(w - (w & 1)) : 0.0;
    const double off = fabs((double)value[i] - e[i]) + LIBRARY * e[i] - unread;
    if (w < (UINT64_C(1) << 20)) continue; /* no level in float decides there */
    raise_to(&worst_log[near], off / (U * (near ? 6.2 * e[i] : 3.3 + 2.0 * e[i])));
    raise_to(&worst_sharp[near], off / (U * (near ? 6.2 * e[i] : 1.4 + 2.0 * e[i])));
    logs[near]++;
  }
}

static void check_noise(uint64_t every) {
  static double e[ROW + 2], root[ROW + 2];
  const uint64_t rows = (UINT64_C(1) << 32) / ROW, edge = UINT64_C(0xb5050000) / ROW;
  for (uint64_t row = 0; row < rows; row++) {
    const uint64_t first = row * ROW;
    if (!chosen(row, rows, every) && (row < 126 || row > 130) && (row < 510 || row > 514) &&
        (row < edge - 40 || row > edge + 40))
      continue;
    for (uint32_t i = 0; i < ROW + 2; i++) {
      const double w = (double)(first + i), limit = 4294967296.0;
      e[i] = w >= limit ? 0.0 : w > 0.0 ? -log(w * 0x1p-32) : 1e9;
      root[i] = sqrt(2.0 * e[i]);
    }
    check_logs(first, e);
    check_gaussians(first, e, root);
    check_laplaces(first, e);
  }
  line("-ln U from U = 0.70727 on, 6.2u relative", logs[1], worst_log[1], 0.3);
  line("-ln U below, (3.3 + 2e)u", logs[0], worst_log[0], 0.2);
  line("-ln U below, the observed (1.4 + 2e)u", logs[0], worst_sharp[0], 0.3);
  for (int k = 0; k < KINDS; k++) line(kinds[k].name, kinds[k].cases, kinds[k].worst, 0.3);
  if (every == 1) {
    wrong_open += open_gaussians != (1u << 20) + 4096;
    wrong_open += open_laplaces != 1u << 21;
  }
  line("words left to the next level", open_gaussians + open_laplaces, wrong_open ? 9.0 : 1.0, 1.0);
}

/* --- Root ------------------------------------------------------------------------------------- */

/* The kernel's radius must be the root of 2e rounded once, whatever e is; the root in double, rounded
 * to float, is that (53 >= 2 24 + 2). */
static void check_roots(void) {
  static uint32_t pairs[2 * ROW], words[ROW];
  static float z[2 * ROW], reach[2 * ROW], e[ROW];
  uint64_t cases = 0, wrong = 0;
  for (uint64_t first = 0; first < UINT64_C(1) << 32; first += UINT64_C(64) * ROW + 64) {
    for (uint32_t i = 0; i < ROW; i++) {
      words[i] = pairs[2 * i] = (uint32_t)(first + i);
      pairs[2 * i + 1] = 0;
    }
    exponentials(e, words, ROW);
    gaussians(z, reach, pairs, 2 * ROW, &kinds[0].plan);
    for (uint32_t i = 0; i < ROW; i++) {
      const float twice = e[i] + e[i];
      if (words[i] == 0 || !(twice >= 0.0f)) continue;
      wrong += z[i / 8 * 16 + i % 8] != (float)sqrt((double)twice);
      cases++;
    }
  }
  line("roots, rounded correctly", cases, wrong ? 9.0 : 1.0, 1.0);
}

int main(int argc, char **argv) {
  const uint64_t every = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  if (dppair_tier() < EXHAUST_TIER) {
    printf("float, %s: this processor does not have it\t0\t-\tskipped\n", EXHAUST_NAME);
    return 77;
  }
  if (every == 0) return 2;
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  make_kinds();
  check_circles(every);
  check_noise(every);
  check_roots();
  return bad;
}
