/* SPDX-License-Identifier: MIT */
/*
 * Noise of the widest tier of this build and machine against scalar noise, 2^20 numbers (or as many
 * as NUMBERS says) of each law, type and kind of grid, bit for bit, and the time that both take
 * (of 16384 numbers, the least).
 *
 *   LAW,TYPE,gridK: A ns, scalar B ns
 *   same: 8 releases of N numbers, tier T, A to B ns a number; scalar C to D
 */
#define _POSIX_C_SOURCE 200809L
#include "dppair_noise.h"
#include <stdio.h>
#include <time.h>

#ifndef NUMBERS
#define NUMBERS (1 << 20)
#endif
enum { PART = 16384 };
static double x[PART], y[PART];
static double least[2] = {1e9, 1e9}, most[2]; /* nanoseconds a number: scalar, the tier */

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Numbers of both signs on no grid. */
static void input(void *to, int narrow, int part) {
  int i;
  for (i = 0; i < PART; i++) {
    const double v = 0.7310585786300049 * (double)(i - PART / 2) + 0.37 * part;
    if (narrow)
      ((float *)to)[i] = (float)v;
    else
      ((double *)to)[i] = v;
  }
}

/* One law, type and grid; returns how many numbers differ, or -1 for an error. */
static long compare(int law, int narrow, int grid, int tier) {
  const size_t width = narrow ? sizeof(float) : sizeof(double);
  const char *name = law == DPPAIR_NOISE_LAPLACE_ ? "laplace" : "gaussian";
  double best[2] = {1e9, 1e9}; /* of the quickest part */
  long different = 0;
  uint8_t key[32];
  dppair_rng a, b;
  int i, part;
  for (i = 0; i < 32; i++) key[i] = (uint8_t)(i + 40 * law + 3 * grid + narrow);
  if (dppair_rng_from_key(&a, key, 7) != DPPAIR_OK) return -1;
  b = a;
  for (part = 0; part < NUMBERS / PART; part++) {
    double start, middle, end;
    dppair_status first, second;
    input(x, narrow, part);
    input(y, narrow, part);
    start = seconds();
    first = dppair_release_at_(x, PART, narrow, 1.7, grid, law, DPPAIR_TIER_SCALAR, &a);
    middle = seconds();
    second = dppair_release_at_(y, PART, narrow, 1.7, grid, law, tier, &b);
    end = seconds();
    if (middle - start < best[0]) best[0] = middle - start;
    if (end - middle < best[1]) best[1] = end - middle;
    if (first != DPPAIR_OK || second != DPPAIR_OK) return -1;
    for (i = 0; i < PART; i++)
      different += memcmp((char *)x + (size_t)i * width, (char *)y + (size_t)i * width, width) != 0;
  }
  for (i = 0; i < 2; i++) {
    best[i] *= 1e9 / (double)PART;
    if (best[i] < least[i]) least[i] = best[i];
    if (best[i] > most[i]) most[i] = best[i];
  }
  printf("%s,%s,grid%d: %.1f ns, scalar %.1f ns\n", name, narrow ? "float" : "double", grid,
         best[1], best[0]);
  return different;
}

int main(void) {
  const int tier = dppair_noise_tier_();
  long different = 0;
  int round;
  for (round = 0; round < 8; round++) {
    const long now = compare(round & 1 ? DPPAIR_NOISE_LAPLACE_ : DPPAIR_NOISE_GAUSSIAN_,
                             round >> 1 & 1, round & 4 ? 24 : DPPAIR_GRID_DEFAULT, tier);
    if (now != 0) printf("round %d: %ld differ\n", round, now);
    different += now != 0;
  }
  printf("%s: 8 releases of %d numbers, tier %d, %.1f to %.1f ns a number; scalar %.1f to %.1f\n",
         different ? "FAIL" : "same", NUMBERS / PART * PART, tier, least[1], most[1], least[0],
         most[0]);
  return different != 0;
}
