/* SPDX-License-Identifier: MIT */
/*
 * phases - where dppair_auto_fit spends its time: make bench-auto, or phases [n [numeric columns]].
 *
 * The phases are those of dppair_auto_fit_, one after the other; the fit as a whole is timed again
 * by itself. What grows with n is the rows of features; everything else is printed as the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "dppair_auto.h"
#include "dppair_tables.h"

#include "bench.h"

/* Columns of four shapes, a label that follows some of them. */
static void records_make(double *x, double *y, size_t n, size_t d) {
  uint64_t state = 1;
  size_t i, j;
  for (i = 0; i < n; i++) {
    double score = 0;
    for (j = 0; j < d; j++) {
      double u[4], v;
      int k;
      for (k = 0; k < 4; k++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        u[k] = (double)(state >> 11) / 9007199254740992.0;
      }
      v = u[0] + u[1] + u[2] - 1.5;
      x[i * d + j] = j % 4 == 0   ? v
                     : j % 4 == 1 ? exp(2 * v)
                     : j % 4 == 2 ? 50 + 20 * v
                     : u[3] < .7  ? 0
                                  : 9 * u[0];
      score += j % 3 == 0 ? v : 0;
    }
    y[i] = score + 1 > 0 ? 1 : -1;
  }
}

static double last;
static void phase(const char *name, dppair_status status) {
  const double now = bench_clock_(1);
  if (status != DPPAIR_OK) {
    (void)printf("%s: %s\n", name, dppair_status_string(status));
    exit(1);
  }
  (void)printf("%-28s %8.2f s\n", name, now - last);
  last = bench_clock_(1);
}

int main(int argc, char **argv) {
  const size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000000;
  const size_t d = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 50;
  static const dppair_column shapes[4] = {{DPPAIR_COLUMN_NUMERIC, -2, 2, 0, 0},
                                          {DPPAIR_COLUMN_NUMERIC, 0, 100, 0, 0},
                                          {DPPAIR_COLUMN_NUMERIC, 0, 100, 0, 0},
                                          {DPPAIR_COLUMN_NUMERIC, 0, 10, 0, 0}};
  double *x = malloc(n * d * sizeof *x), *y = malloc(n * sizeof *y), *s = malloc(n * sizeof *s);
  dppair_column *columns = malloc(d * sizeof *columns);
  dppair_auto_model fitted;
  dppair_accountant account;
  dppair_release release[2];
  dppair_plan plan, plans[2];
  dppair_auto_room_ r;
  double radius;
  size_t bytes, j;
  void *work;
  struct rusage usage;
  memset(&plan, 0, sizeof plan);
  memset(&fitted, 0, sizeof fitted);
  memset(release, 0, sizeof release);
  fitted.map = malloc(d * sizeof *fitted.map);
  if (x == NULL || y == NULL || s == NULL || columns == NULL || fitted.map == NULL) return 1;
  for (j = 0; j < d; j++) columns[j] = shapes[j % 4];
  records_make(x, y, n, d);
  plan.epsilon = 1;
  plan.delta = .1 / (double)n;
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  if (dppair_auto_workspace(&bytes, n, d, columns) != DPPAIR_OK) return 1;
  if ((work = malloc(bytes)) == NULL) return 1;
  (void)printf("n = %zu, d = %zu numeric, one thread, %s: x %.0f MB, work %.0f MB\n\n", n, d,
               dppair_isa_name(), (double)(n * d) * 8e-6, (double)bytes * 1e-6);
  last = bench_clock_(1);
  (void)dppair_auto_take_(&r, dppair_align_(work), n, d, columns);
  r.x = x;
  r.y = y;
  r.n = n;
  r.d = d;
  r.columns = columns;
  r.map = fitted.map;
  phase("environment", dppair_accountant_init(&account));
  phase("plans", dppair_auto_decide_(&r, plans, &plan, &account));
  phase("charges, keys", dppair_auto_open_(release, &account, plans, &plan, NULL));
  phase("release 1: counts, estimates", dppair_auto_marginals_(&r, &release[0]));
  phase("maps", dppair_auto_columns_(&r, &fitted.rate));
  radius = dppair_auto_radius_(&r);
  phase("release 2: rows and weights",
        r.c.route == DPPAIR_AUTO_FIT ? dppair_auto_perturbed_(&r, &release[1], radius, fitted.rate)
                                     : dppair_auto_vector_(&r, &release[1], radius, fitted.rate));
  (void)printf("  of %zu features, rows %.0f MB\n", r.c.features,
               (double)(n * (r.c.features + 1)) * 8e-6);
  phase("environment", dppair_accountant_init(&account));
  phase("dppair_auto_fit",
        dppair_auto_fit(&fitted, &account, &plan, NULL, x, y, n, d, columns, work, bytes));
  phase("dppair_auto_score", dppair_auto_score(s, &fitted, x, n));
  (void)getrusage(RUSAGE_SELF, &usage);
  (void)printf("\nlargest resident set: %.0f MB\n", (double)usage.ru_maxrss * 1.024e-3);
  return 0;
}
