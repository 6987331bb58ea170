/* SPDX-License-Identifier: MIT */
#include "neighbours.h"

#include <string.h>

static uint64_t next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* A record on the first axis, or for axis 2 on the second. */
typedef struct spot {
  int axis;
  double value, y;
} spot;

static void put(double *x, double *y, size_t d, spot s) {
  memset(x, 0, d * sizeof *x);
  x[s.axis == 2 && d > 1 ? 1 : 0] = s.value;
  *y = s.y;
}

void neighbours_worst(neighbours *out, size_t which, size_t n, size_t d) {
  /* records of even and of odd places */
  static const spot crowd[8][2] = {{{1, -1, -1}, {1, -1, -1}}, {{1, 1, -1}, {1, 1, -1}},
                                   {{1, -1, 1}, {1, -1, 1}},   {{1, 1, 1}, {1, -1, -1}},
                                   {{1, 0, -1}, {1, 0, -1}},   {{1, 1, 1}, {1, 1, 1}},
                                   {{1, -1, -1}, {1, -1, 1}},  {{1, 1, -1}, {1, -1, 1}}};
  static const spot move[7][2] = {{{1, -1, 1}, {1, 1, 1}},   {{1, 1, 1}, {1, 1, -1}},
                                  {{1, 1, -1}, {1, -1, -1}}, {{1, 0, 1}, {1, 1, 1}},
                                  {{1, -1, 1}, {1, 1, -1}},  {{1, -1, -1}, {1, 1, 1}},
                                  {{1, 1, 1}, {2, 1, 1}}};
  const spot *others = crowd[which % 8], *own = move[which / 8 % 7];
  const size_t place[3] = {0, n / 2, n - 1};
  size_t i;
  memset(out, 0, sizeof *out);
  out->n = n;
  out->d = d;
  out->at = place[which / 56 % 3];
  for (i = 0; i < n; i++) put(out->x + i * d, &out->y[i], d, others[i % 2]);
  put(out->x + out->at * d, &out->y[out->at], d, own[0]);
  put(out->other, &out->other_y, d, own[1]);
}

static double any_number(uint64_t *random) {
  static const double edges[4] = {-1, 0, 1, 1e-9};
  const uint64_t r = next(random);
  return r % 8 < 4 ? edges[r % 4] : (double)(r >> 11) / 4503599627370496.0 - 1;
}

static void change_one(neighbours *pair, uint64_t *random) {
  const size_t i = (size_t)(next(random) % pair->n), k = (size_t)(next(random) % pair->d);
  switch (next(random) % 8) {
  case 0:
    pair->x[i * pair->d + k] = any_number(random);
    break;
  case 1:
    pair->y[i] = -pair->y[i];
    break;
  case 2:
    pair->x[pair->at * pair->d + k] = any_number(random);
    break;
  case 3:
    pair->other[k] = any_number(random);
    break;
  case 4:
    pair->other_y = -pair->other_y;
    break;
  case 5: /* the record goes to another place */
    memcpy(pair->x + i * pair->d, pair->x + pair->at * pair->d, pair->d * sizeof *pair->x);
    pair->y[i] = pair->y[pair->at];
    pair->at = i;
    break;
  case 6: /* all others of a column are alike */
  {
    const double value = any_number(random);
    size_t j;
    for (j = 0; j < pair->n; j++)
      if (j != pair->at) pair->x[j * pair->d + k] = value;
  } break;
  default: /* the opposite of what it was */
    for (size_t j = 0; j < pair->d; j++) pair->other[j] = -pair->x[pair->at * pair->d + j];
    break;
  }
}

void neighbours_change(neighbours *pair, uint64_t *random) {
  size_t times = 1 + (size_t)(next(random) % 3);
  while (times-- > 0) change_one(pair, random);
}

void neighbours_side(double *x, double *y, const neighbours *pair, int side) {
  memcpy(x, pair->x, pair->n * pair->d * sizeof *x);
  memcpy(y, pair->y, pair->n * sizeof *y);
  if (!side) return;
  memcpy(x + pair->at * pair->d, pair->other, pair->d * sizeof *x);
  y[pair->at] = pair->other_y;
}
