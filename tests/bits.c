/* SPDX-License-Identifier: MIT */
/* Prints one line per kernel: its name and a hash of the bits of its results, for the tier that
 * this machine chooses. tests/check_aarch64.sh compares the lines of two architectures. */
#include <stdio.h>
#include <stdlib.h>

#include "dppair_losses.h"

#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME log32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME squared
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME welsch
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_welsch
#include "dppair.h"

enum { NP = 150, NN = 201, D = 37 };
static double x[(NP + NN) * D], w[D], s[NP + NN], c[NP + NN], g[D], work[1 << 15];
static float xf[(NP + NN) * D], wf[D], sf[NP + NN];

/* Numbers in [0, 1) by integers and one exact product. */
static double uniform(void) {
  static uint64_t state = 1;
  uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  z ^= z >> 31;
  return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

static void line(const char *name, dppair_status status, const double *v, size_t n) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t i;
  for (i = 0; i < n; i++) hash = (hash ^ dppair_bits_f64_(v[i])) * UINT64_C(0x100000001b3);
  printf("%-28s %d %016llx\n", name, (int)status, (unsigned long long)hash);
}

int main(void) {
  static const char *accuracy[3] = {"1e-6", "1e-9", "1e-12"};
  dppair_fast f;
  dppair_status status;
  double risk;
  size_t i, n = NP + NN;
  int e;
  char name[64];
  for (i = 0; i < n * D; i++) x[i] = (double)(xf[i] = (float)(4 * uniform() - 2));
  for (i = 0; i < D; i++) w[i] = (double)(wf[i] = (float)(uniform() - 0.5));
  status = dppair_scores_f64(s, x, n, D, D, w);
  line("scores, double", status, s, n);
  status = dppair_scores_f32(sf, xf, n, D, D, wf);
  for (i = 0; i < n; i++) c[i] = (double)sf[i];
  line("scores, float", status, c, n);
  for (e = 0; e < 3; e++) {
    status = log64_fast_init(&f, n, (dppair_accuracy)e, 20, NULL, work, sizeof work);
    if (status == DPPAIR_OK) status = log64_coeffs_fast(c, c + NP, s, NP, s + NP, NN, NULL, &f);
    snprintf(name, sizeof name, "boxes, double, %s", accuracy[e]);
    line(name, status, c, n);
    status = log32_coeffs_fast(c, c + NP, sf, NP, sf + NP, NN, NULL, &f);
    snprintf(name, sizeof name, "boxes, float, %s", accuracy[e]);
    line(name, status, c, n);
  }
  status = dppair_combine_f64(g, x, n, D, D, c);
  line("X^T c, double", status, g, D);
  status = dppair_combine_f32(g, xf, n, D, D, c);
  line("X^T c, float", status, g, D);
  status = log64_coeffs(c, c + NP, s, NP, s + NP, NN, NULL);
  line("pair loops, double", status, c, n);
  status = log32_coeffs(c, c + NP, sf, NP, sf + NP, NN, NULL);
  line("pair loops, float", status, c, n);
  status = squared_fast_init(&f, n, DPPAIR_ACCURACY_1E6, 100, NULL, work, sizeof work);
  if (status == DPPAIR_OK) status = squared_coeffs_fast(c, c + NP, s, NP, s + NP, NN, NULL, &f);
  line("squared hinge, sorted", status, c, n);
  status = welsch_risk(&risk, sf, NP, sf + NP, NN, (const float[]){1.5f});
  line("risk, float", status, &risk, 1);
  status = log64_risk(&risk, s, NP, s + NP, NN, NULL);
  line("risk, double", status, &risk, 1);
  return 0;
}
