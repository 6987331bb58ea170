/* SPDX-License-Identifier: MIT
 * Beside the rows of `make compile-cost`: what the headers of README's program cost a file that declares only. */
#define DPPAIR_DECLARE_ONLY
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

dppair_status step(double *g, dppair_release *release, const dppair_rows_f64 *rows, const double *w);

dppair_status step(double *g, dppair_release *release, const dppair_rows_f64 *rows, const double *w) {
  return rank_release(g, release, rows, w, NULL);
}
