/* SPDX-License-Identifier: MIT */
/* An object without a C library beside the same source with one: releases of all laws, draws, the
 * Gaussian curve and gradients must have the same bits. Prints how many numbers were compared, and
 * the most bytes of stack that a release took of the bare object, by painting what lies below. */
#define OBJECT(name) hosted_##name
#include "object.h"
#undef OBJECT
#define OBJECT(name) bare_##name
FUNCTIONS_OF_OBJECT(OBJECT)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BRIEF
enum { ROUNDS = 9, CURVES = 300 };
#else
enum { ROUNDS = 30, CURVES = 3000 };
#endif
enum { N = 1500, D = 13, LAWS = 9, DEPTH = 512 * 1024 };

static size_t compared, differ;
static uint64_t state = 88172645463325252u;

static double uniform(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void same(const void *a, const void *b, size_t n, const char *what) {
  compared += n / 4;
  if (memcmp(a, b, n) != 0) {
    if (differ++ < 5) printf("differ: %s\n", what);
  }
}

__attribute__((noinline)) static void paint(void) {
  unsigned char area[DEPTH];
  memset(area, 0xA5, sizeof area);
  __asm__ __volatile__("" : : "r"(area) : "memory");
}

/* How far below the caller's frame something was written since paint(). */
__attribute__((noinline)) static size_t depth_of(const volatile unsigned char *top) {
  size_t i = DEPTH - 8192;
  while (i > 0 && (top - i)[0] == 0xA5 && (top - i)[7] == 0xA5) i -= 8;
  return i;
}

static size_t deepest[LAWS + 2];

__attribute__((noinline)) static int measured(void *x, size_t n, int law, double scale, int grid,
                                              int cipher, const unsigned char *key, uint64_t stream) {
  volatile unsigned char here[16];
  int status;
  size_t depth;
  here[0] = 0;
  paint();
  status = bare_release(x, n, law, scale, grid, cipher, key, stream);
  depth = depth_of(here);
  if (depth > deepest[law]) deepest[law] = depth;
  return status;
}

static void releases(void) {
  static double a[N], b[N];
  unsigned char key[32];
  int law, cipher, k, r;
  for (law = 0; law < LAWS; law++)
    for (cipher = 0; cipher < 2; cipher++)
      for (r = 0; r < ROUNDS; r++) {
        const size_t n = (size_t)(r < 6 ? r : r == 6 ? N : (int)(uniform() * (law > 3 ? 100 : N)));
        const int grid = r % 5 == 0 ? 40 : r % 5 == 1 ? 32 : 10;
        const double scale = r % 7 == 0 ? 1e-20 : 0.5 + 3.0 * uniform();
        int bare, hosted;
        for (k = 0; k < 32; k++) key[k] = (unsigned char)(256.0 * uniform());
        for (k = 0; k < N; k++) a[k] = b[k] = 100.0 * (uniform() - 0.5) * scale;
        if (law == 1 || law == 3)
          for (k = 0; k < N; k++) ((float *)a)[k] = ((float *)b)[k] = (float)(uniform() * scale);
        if (law == 5) memset(a, 7, sizeof a), memset(b, 7, sizeof b);
        bare = measured(a, n, law, law > 4 ? 2.5 : scale, grid, cipher, key, (uint64_t)r);
        hosted = hosted_release(b, n, law, law > 4 ? 2.5 : scale, grid, cipher, key, (uint64_t)r);
        if (bare != hosted || bare != 0) differ++, printf("law %d: status %d %d\n", law, bare, hosted);
        same(a, b, sizeof a, "a release");
      }
}

static void curves(void) {
  int i;
  for (i = 0; i < CURVES; i++) {
    double a[4] = {0, 0, 0, 0}, b[4] = {0, 0, 0, 0}, delta = 1.0;
    const double epsilon = 12.0 * uniform() * uniform() + 1e-3, sensitivity = 0.1 + uniform();
    const size_t steps = 1 + (size_t)(1000.0 * uniform());
    int k, bare, hosted;
    for (k = (int)(60.0 * uniform()); k >= 0; k--) delta *= 0.3 + 0.3 * uniform();
    bare = bare_curve(a, epsilon, delta, sensitivity, steps);
    hosted = hosted_curve(b, epsilon, delta, sensitivity, steps);
    if (bare != hosted || bare != 0) differ++, printf("curve: status %d %d\n", bare, hosted);
    same(a, b, sizeof a, "the curve");
  }
}

static void gradients(void) {
  static double x[200 * D], w[D], g[D], h[D], factor[200];
  static double a[200], b[200], c[200], e[200];
  static float sp[200], sn[200];
  static char work[1 << 20];
  int i, k;
  for (i = 0; i < 60; i++) {
    const size_t n = 2 + (size_t)(198.0 * uniform()), np = (size_t)(uniform() * (double)n);
    int bare, hosted;
    for (k = 0; k < 200 * D; k++) x[k] = uniform() - 0.5;
    for (k = 0; k < D; k++) w[k] = 8.0 * (uniform() - 0.5);
    for (k = 0; k < 200; k++) sp[k] = (float)uniform(), sn[k] = (float)uniform();
    if (i % 4 == 0) sp[0] = 1e-45f, x[0] = 5e-324;
    bare = bare_gradient(g, x, w, np, n, D, factor, work, sizeof work);
    hosted = hosted_gradient(h, x, w, np, n, D, factor, work, sizeof work);
    if (bare != hosted || bare != 0) differ++, printf("gradient: status %d %d\n", bare, hosted);
    same(g, h, sizeof g, "a gradient");
    memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(c, 0, sizeof c), memset(e, 0, sizeof e);
    bare = bare_pairs(a, b, sp, np, sn, n - np);
    hosted = hosted_pairs(c, e, sp, np, sn, n - np);
    if (bare != hosted || bare != 0) differ++, printf("pairs: status %d %d\n", bare, hosted);
    same(a, c, sizeof a, "coefficients of float scores");
    same(b, e, sizeof b, "coefficients of float scores");
  }
}

/* A key of the hook's bytes: the same as they give by themselves; nothing where there are none. */
static void entropy(void) {
  unsigned char bytes[32], out[64], other[64], zero[64];
  int k;
  memset(zero, 0, sizeof zero);
  for (k = 0; k < 32; k++) bytes[k] = (unsigned char)(7 * k + 1);
  bare_give_entropy(bytes, 32);
  memset(out, 1, sizeof out);
#ifdef WITHOUT_ENTROPY
  if (bare_key_of_host(out) == 0) differ++, puts("a key without entropy");
  (void)other;
#else
  memset(other, 1, sizeof other);
  if (bare_key_of_host(out) != 0 || memcmp(out, zero, 64) == 0) differ++, puts("no key of the hook");
  if (bare_key_of_host(other) == 0) differ++, puts("a key of an empty box");
  compared += 32;
#endif
}

int main(void) {
  size_t most = 0;
  int law;
  releases();
  curves();
  gradients();
  entropy();
  for (law = 0; law < 4; law++) most = deepest[law] > most ? deepest[law] : most;
  printf("%lu words compared, %lu differ; stack of a release: %lu bytes (l2 ball %lu, Skellam %lu,"
         " discrete %lu, shuffle %lu, bytes %lu)\n",
         (unsigned long)compared, (unsigned long)differ, (unsigned long)most,
         (unsigned long)deepest[4], (unsigned long)deepest[5], (unsigned long)deepest[6],
         (unsigned long)deepest[7], (unsigned long)deepest[8]);
#ifdef STACK_MOST
  for (law = 0; law < LAWS; law++)
    if (deepest[law] > STACK_MOST) differ++, printf("law %d takes %lu bytes\n", law, (unsigned long)deepest[law]);
#endif
  return differ != 0;
}
