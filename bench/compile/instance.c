/* SPDX-License-Identifier: MIT
 * A row of `make compile-cost`: an instance and its gradient, which is not private. */
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { N = 40, P = 20, D = 3 };
static double x[N * D], factor[N], work[4 * N + 64], w[D], g[D];

int main(void) {
  static dppair_options options;
  dppair_rows_f64 rows;
  dppair_status status;
  int i;
  for (i = 0; i < N * D; i++) x[i] = (i / D < P ? 0.5 : -0.5) * (i % 7);
  options.work = work;
  options.bytes = sizeof work;
  status = dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0);
  rows.positives = P;
  if (status == DPPAIR_OK) status = rank_gradient(g, &rows, w, &options);
  return status != DPPAIR_OK || !(g[0] < 0.0); /* the loss falls where positives score more */
}
