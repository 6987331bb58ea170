/* SPDX-License-Identifier: MIT */
/*
 * reward_head - a reward model's last layer, learned from preferences, privately: Bradley-Terry,
 * P(winner beats loser) = 1/(1 + e^-(w.winner - w.loser)), on features that are frozen.
 *
 *     cc -O1 -I. examples/problems/reward_head.c -lm && ./a.out         from the top folder
 *
 * A preference enters as one row, x_winner - x_loser, so that pairs are records here: a logistic
 * regression without labels, whose perturbed minimiser leaves in one release.
 *
 * public      how many preferences there are, and the features' map; not the items, nor who won
 * neighbours  one preference is replaced, its items and who won; each row of the table is a release
 *             for a budget of its own. Who gave several is promised less, as printed; to protect
 *             users alike, clip each one's gradient: dppair_release_groups, docs/people.md
 *
 * The preferences are made of real records, examples/data/splice.txt (UCI): the k-th sequence with
 * a splice junction meets the k-th without, in the order of the file, and wins, since the rater
 * looks for junctions; at each tenth preference the rater errs. Each record is in one of them.
 */
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 3186, PLACES = 20, D = 4 * PLACES, TRAIN = 1024, TEST = 500, ALL = TRAIN + TEST };
static const double delta = 1e-4, trace = 1e-3;
static double x[ALL][D], work[500000]; /* dppair_minimiser_workspace says how much of it */

/* Frozen features: a place is four columns, one of which is 1. A difference of two rows is
 * sqrt(2 PLACES) long at most; divided by that, 1. The release shortens what is longer. */
static void add_features(double *row, const char *letters, double sign) {
  for (int k = 0; k < D; k++)
    if (letters[(40 - PLACES) / 2 + k / 4] == "acgt"[k % 4]) row[k] += sign / sqrt(2.0 * PLACES);
}

/* Fills x with differences, winner less loser. 0: the file is not what it should be. */
static int read_preferences(const char *path) {
  FILE *file = fopen(path, "r");
  char label[3], letters[41];
  int count[2] = {0, 0}, i, ok = file != NULL;
  for (i = 0; i < RECORDS && ok; i++) {
    ok = fscanf(file, "%2s %40s", label, letters) == 2 && strlen(letters) == 40;
    const int junction = strcmp(label, "n") != 0, at = ok ? count[junction]++ : ALL;
    const int errs = at % 10 == 9;
    if (at < ALL) add_features(x[at], letters, junction != errs ? 1.0 : -1.0);
  }
  if (file != NULL) fclose(file);
  return ok && count[0] >= ALL && count[1] >= ALL;
}

/* The share of the other preferences that w foresees, ties half. NOT PRIVATE: no noise. */
static double foreseen(const double *w) {
  double right = 0.0;
  for (int i = TRAIN; i < ALL; i++) {
    double margin = 0.0;
    for (int k = 0; k < D; k++) margin += w[k] * x[i][k];
    right += margin > 0.0 ? 1.0 : margin < 0.0 ? 0.0 : 0.5;
  }
  return right / TEST;
}

/* The released head. The ridge is a multiple of top radius^2 = 1/4, from public numbers: the noise
 * of the objective is about as long as sqrt(D) / epsilon, and the ridge keeps what it does to w
 * within a few units. */
static dppair_status release_head(double *w, double *spent, double epsilon,
                                  const dppair_release_keys *keys) {
  static dppair_plan plan; /* what is not asked for is 0 */
  static dppair_release release;
  const dppair_margin_loss loss = dppair_margin_logistic();
  static unsigned char room[1 << 24]; /* for numerical composition */
  dppair_accountant account;
  dppair_composer composer;
  dppair_interval price = {0};
  dppair_status s = dppair_accountant_init(&account);
  plan.sampling = dppair_sampling_all(TRAIN, DPPAIR_REPLACE_ONE);
  plan.noise = DPPAIR_OBJECTIVE, plan.steps = 1;
  plan.epsilon = epsilon, plan.delta = delta;
  plan.ridge = 4.0 * sqrt((double)D) / epsilon, plan.output_mu = trace;
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays */
  if (!s)
    s = dppair_release_minimiser(w, &release, &loss, 1.0, x[0], TRAIN, D, D, NULL, NULL, work,
                                 sizeof work);
  dppair_release_close(&release);
  if (!s) s = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_accountant_epsilon(&price, &account, delta, &composer);
  *spent = price.upper;
  return s;
}

/* The same likelihood with next to no ridge and no noise: NOT PRIVATE. */
static dppair_status plain_head(double *w) {
  dppair_margin_problem problem = {dppair_margin_logistic(), TRAIN, D, 1.0, 1.0};
  dppair_margin_tolerance reach;
  dppair_status s = dppair_margin_reach(&reach, &problem, 1e-6);
  return s ? s
           : dppair_minimiser_not_private(w, x[0], D, NULL, &problem, NULL, &reach, work,
                                          sizeof work);
}

int main(int argc, char **argv) {
  static const double budgets[4] = {0.25, 0.5, 1.0, 4.0};
  static const size_t given[3] = {2, 4, 8};
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  double w[D] = {0}, spent[4] = {0}, of_person[3] = {0}, its_delta[3] = {0};
  dppair_status s = DPPAIR_OK;
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: reward_head [--seed 0..255]\n", stderr), 2;
  if (!read_preferences("examples/data/splice.txt"))
    return fputs("reward_head: no examples/data/splice.txt\n", stderr), 1;
  printf("%d preferences, made of shipped records; a tenth of them has the wrong winner\n", TRAIN);
  printf("foreseen of %d others (evaluated without noise, so itself not private):\n", TEST);
  printf("no data                      %.3f\n", foreseen(w));
  for (int i = 0; i < 4 && !s; i++) {
    s = release_head(w, &spent[i], budgets[i], keys);
    if (!s) printf("private, epsilon %-4g        %.3f\n", budgets[i], foreseen(w));
  }
  memset(w, 0, sizeof w);
  if (!s) s = plain_head(w);
  if (!s) printf("not private                  %.3f\n", foreseen(w));
  for (int i = 0; i < 3 && !s; i++)
    s = dppair_group_privacy(&of_person[i], &its_delta[i], spent[1], delta, given[i]);
  if (s) return fprintf(stderr, "reward_head: %s\n", dppair_status_string(s)), 1;
  printf("\nwhat a release of epsilon 0.5 promises, for a preference and for who gave several:\n");
  printf("1 preference, delta %-9.2g %.10g\n", delta, spent[1]);
  for (int i = 0; i < 3; i++)
    printf("%d preferences, delta %-8.2g %.10g\n", (int)given[i], its_delta[i], of_person[i]);
  printf("(a delta beyond 1/%d is next to no promise)\n", TRAIN);
  return fflush(stdout) != 0 || ferror(stdout);
}
