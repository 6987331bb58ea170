/* SPDX-License-Identifier: MIT */
/*
 * Tables of random allocation against themselves in long double on half the lattice: does each
 * node's true error stay below the one that is claimed? allocation.sh writes the wide chapters.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dppair_allocation.h"
#include "dppair_accountant.h"

#define WIDE_LOOPS_BEGIN_
#define WIDE_LOOPS_END_

static int wide_finite(long double x) { return fabsl(x) <= LDBL_MAX; }
static long double wide_short_(long double x) { return (long double)dppair_short_((double)x); }

/* clang-format off: in this order */
#include "wide/density.h"
#include "wide/meeting.h"
#include "wide/combine.h"
#include "wide/cut.h"
#include "wide/build.h"
/* clang-format on */

/* 1: some node errs by more than it claims, or nothing could be compared. */
static int compare(double z, size_t t, double *work, long double *wide, size_t doubles) {
  const size_t room = 1 << 14;
  dppair_density_ d;
  wide_density_ x;
  double worst = 0.0;
  size_t i, sure = 0;
  if (dppair_levels_run_(&d, z, t, work, doubles, room) != DPPAIR_OK ||
      wide_levels_run_(&x, z, t, wide, doubles, 2 * room) != DPPAIR_OK ||
      (long double)d.h != 2.0L * x.h) {
    printf("FAIL z %g t %zu: no tables to compare\n", z, t);
    return 1;
  }
  for (i = 0; i < d.size; i++) {
    const int64_t k = 2 * (d.first + (int64_t)i) - x.first;
    double ratio;
    if (k < 0 || k >= (int64_t)x.size) continue;
    ratio = (double)(fabsl((long double)d.f[i] - x.f[k]) / d.f[i] /
                     ((long double)d.error[i] + x.error[k]));
    if (ratio > worst) worst = ratio;
    if (x.error[k] < 0.1L * (long double)d.error[i]) sure++;
  }
  /* far out both tables err by what the cut tails may hold */
  printf("z %g t %zu: %zu nodes, %zu where the wide table is far better; at most %.3f of the error "
         "that is claimed\n",
         z, t, d.size, sure, worst);
  return worst > 1.0 || sure < 24;
}

int main(void) {
  static const struct {
    double z;
    size_t t;
  } row[] = {{1.0, 2},   {1.0, 3},    {1.0, 7},    {0.3, 10},    {1.0, 100}, {0.5, 31},
             {20.0, 64}, {3.0, 1000}, {1.0, 1000}, {2.0, 10000}, {0.7, 77},  {5.0, 13}};
  const size_t doubles = 4000000;
  double *const work = (double *)malloc(doubles * sizeof *work);
  long double *const wide = (long double *)malloc(doubles * sizeof *wide);
  size_t i;
  int bad = work == NULL || wide == NULL;
  for (i = 0; i < sizeof row / sizeof *row && work != NULL && wide != NULL; i++)
    bad |= compare(row[i].z, row[i].t, work, wide, doubles);
  free(work);
  free(wide);
  return bad;
}
