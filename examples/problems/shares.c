/* SPDX-License-Identifier: MIT */
/*
 * shares - three clinics add up what their patients say, and nobody sees one clinic's part.
 *
 *     cc -O1 -I. -Imodules examples/problems/shares.c -lm && ./a.out         from the top folder
 *
 * Each patient (examples/data/pima.csv) is a vector: the columns, with the sign of the label. A clinic
 * makes its sum integers, adds its part of the noise, and hides the share by masks that cancel in the
 * sum over the clinics. The sum of all shares is private: a direction that ranks patients by risk.
 * Here one program plays all three. examples/distributed/sites.c has processes, and clinics that fail.
 *
 * public      how many patients each clinic has, the columns' ranges, the length and the weights
 * neighbours  one patient of a clinic is replaced; (epsilon, delta) = (1, 1e-4), also against the two
 *             other clinics
 */
#include "dppair_shares.h"
#include "dppair.h" /* for the AUC */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 768, SITES = 3, N = 200, D = 8, BITS = 32 };
static const double low[D] = {0, 40, 40, 5, 0, 15, 0, 20};
static const double high[D] = {12, 250, 120, 60, 400, 60, 1.5, 80};
static const double length = 1.0, scale = 1048576.0; /* of a patient's vector; integers for 1 */
static double x[ALL][D], y[ALL], w[D];

/* What a patient adds to the sum: more for the rarer class. */
static void vector_of(double *v, int i) {
  for (int k = 0; k < D; k++) v[k] = (y[i] > 0.0 ? 0.65 : -0.35) * x[i][k];
}

/* A clinic's share, from its own patients, account and keys. */
static dppair_status share_of(uint64_t *share, int site, const dppair_release_keys *keys, double *epsilon) {
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  static int64_t sum[D];
  dppair_accountant account;
  dppair_interval spent = {0};
  dppair_integers q;
  double v[D];
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE); /* its own patients */
  plan.noise = DPPAIR_SKELLAM;
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = 1, plan.noise_multiplier = 0.0;
  dppair_status s = dppair_accountant_init(&account);
  if (!s) s = dppair_calibrate(&plan, &account, NULL);
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays */
  if (!s) s = dppair_integers_open(&q, sum, D, DPPAIR_QUANTISED_TRUNCATED, scale, length, 0);
  for (int i = site * N; i < (site + 1) * N && !s; i++) {
    vector_of(v, i);
    s = dppair_quantise(&q, v, NULL); /* shortened, then made integers */
  }
  /* a clinic knows its own part of the noise: the two others' must do */
  if (!s) s = dppair_release_share(share, &release, &q, SITES - 1, BITS);
  if (!s) s = dppair_accountant_epsilon(&spent, &account, plan.delta, NULL);
  *epsilon = spent.upper;
  dppair_release_close(&release);
  return s;
}

/* Each two clinics share a key stream: one adds it, the other subtracts it. */
static dppair_status mask(uint64_t share[SITES][D], const dppair_release_keys *keys) {
  dppair_status s = DPPAIR_OK;
  for (int i = 0; i < SITES; i++)
    for (int j = i + 1; j < SITES && !s; j++) {
      dppair_rng stream;
      s = keys ? dppair_rng_from_key(&stream, keys->key, (uint64_t)(i * SITES + j))
               : dppair_rng_from_os(&stream);
      for (int k = 0; k < D && !s; k++) {
        uint64_t word = 0, back;
        s = dppair_rng_u64(&word, &stream);
        back = 0 - word;
        if (!s) s = dppair_shares_add(&share[i][k], &word, 1, BITS);
        if (!s) s = dppair_shares_add(&share[j][k], &back, 1, BITS);
      }
      dppair_wipe(&stream, sizeof stream);
    }
  return s;
}

static dppair_status print_auc_not_private(const char *name) {
  static double work[16 * ALL];
  double up[ALL], down[ALL], auc = 0.5;
  size_t ups = 0, downs = 0;
  for (int i = SITES * N; i < ALL; i++) {
    double score = 0.0;
    for (int k = 0; k < D; k++) score += w[k] * x[i][k];
    if (y[i] > 0.0) up[ups++] = score;
    else down[downs++] = score;
  }
  const dppair_status s = dppair_auc_not_private_f64(&auc, up, ups, down, downs, work, sizeof work);
  if (!s) printf("%-28s %.3f\n", name, auc);
  return s;
}

/* A header; then label,eight numbers. Scaled to vectors within length 1. 0: no such data. */
static int load(FILE *file) {
  if (file == NULL || fscanf(file, "%*[^\n]") != 0) return 0;
  for (int i = 0; i < ALL; i++) {
    if (fscanf(file, "%lf", &y[i]) != 1) return 0;
    for (int k = 0; k < D; k++) {
      if (fscanf(file, ",%lf", &x[i][k]) != 1) return 0;
      x[i][k] = 2.0 * (fmin(fmax(x[i][k], low[k]), high[k]) - low[k]) / (high[k] - low[k]) - 1.0;
    }
  }
  return fclose(file) == 0;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  uint64_t share[SITES][D], sum[D] = {0};
  double epsilon = 0.0, v[D];
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: shares [--seed 0..255]\n", stderr), 2;
  if (!load(fopen("examples/data/pima.csv", "r")))
    return fputs("shares: no examples/data/pima.csv\n", stderr), 1;
  printf("%-28s AUC of %d other patients\n", "", ALL - SITES * N);
  dppair_status s = print_auc_not_private("no data");
  for (int site = 0; site < SITES && !s; site++) {
    key[1] = (uint8_t)site;
    s = share_of(share[site], site, keys, &epsilon);
  }
  if (!s) s = mask(share, keys);
  for (int site = 0; site < SITES && !s; site++) s = dppair_shares_add(sum, share[site], D, BITS);
  if (!s) s = dppair_shares_value(w, sum, D, BITS, scale); /* w may be published */
  if (!s) s = print_auc_not_private("private");
  memset(w, 0, sizeof w);
  for (int i = 0; i < SITES * N; i++) {
    vector_of(v, i);
    for (int k = 0; k < D; k++) w[k] += v[k];
  }
  if (!s) s = print_auc_not_private("not private");
  if (s) return fprintf(stderr, "shares: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of the %d patients of a clinic is replaced\n"
         "public: their number, ranges of columns, length, weights\n"
         "These figures are not private, nor is the choice of length and weights, made on this data.\n",
         epsilon, 1e-4, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
