/* SPDX-License-Identifier: MIT */
/*
 * Random allocation is the one account that asks the C library for exp, expm1 and log1p, of long
 * double: 80, 128 or 64 bits, or two doubles. Its bracket counts their errors, so its ends differ
 * from target to target, but every one must hold the true epsilon: all overlap those of x86-64.
 *
 *   same: N brackets overlap, the widest ...; long double of ... digits
 *   FAIL: what is wrong
 */
#include <stdio.h>

#include "dppair_allocation.h"
#include "dppair_accountant.h"

static const struct account {
  double z;
  size_t batches, epochs;
  double delta;
  dppair_adjacency adjacency;
  double lower, upper; /* by gcc for x86-64 and its C library */
} accounts[] = {
    {1.0, 8, 1, 1e-5, DPPAIR_ZERO_OUT, 2.3876980561455912, 2.387698056146522},
    {1.0, 100, 1, 1e-5, DPPAIR_ZERO_OUT, 0.62093967161829644, 0.62093967162128549},
    {2.0, 33, 10, 1e-6, DPPAIR_ZERO_OUT, 1.265661042263065, 1.2656610422647669},
    {1.0, 2, 1, 1e-5, DPPAIR_REPLACE_ONE, 6.5729700670301066, 6.5729700670303695},
};
static double work[1500000];

int main(void) {
  const size_t count = sizeof accounts / sizeof accounts[0], doubles = sizeof work / sizeof work[0];
  double widest = 0.0;
  size_t i;
  for (i = 0; i < count; i++) {
    const struct account *a = &accounts[i];
    dppair_interval in;
    const dppair_status status = dppair_allocation_epsilon_(
        &in, a->z, a->batches, a->epochs, a->delta, a->adjacency, 0, work, doubles);
    if (status != DPPAIR_OK) {
      printf("FAIL: account %d: %s\n", (int)i, dppair_status_string(status));
      return 1;
    }
    if (!(in.lower <= a->upper && in.upper >= a->lower && in.upper - in.lower <= 1e-6 * in.upper)) {
      printf("FAIL: account %d: [%.17g, %.17g]\n", (int)i, in.lower, in.upper);
      return 1;
    }
    if (in.upper / in.lower - 1.0 > widest) widest = in.upper / in.lower - 1.0;
  }
  printf("same: %d brackets overlap, the widest %.1e wide; long double has %d binary digits\n",
         (int)count, widest, (int)LDBL_MANT_DIG);
  return 0;
}
