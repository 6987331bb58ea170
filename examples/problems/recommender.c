/* SPDX-License-Identifier: MIT */
/*
 * recommender - ranks what is shown to a user, from what users liked in feeds they were shown before.
 *
 *     cc -O1 -I. -Imodules examples/problems/recommender.c -lm && ./a.out        from the top folder
 *
 * Pairs are formed inside a feed only: something liked against something not liked. A user owns
 * several feeds, and is protected with all of them: the unit is the user, never the click. So each
 * user's vector, any function of that user's records alone, is shortened to a public length, and
 * the mean over users is released. How many feeds and records anybody has stays private.
 *
 * public      how many users there are, the clip, start and steps
 * neighbours  one user, with all records, is replaced by another; (epsilon, delta) = (1, 1e-4)
 *
 * The data are simulated: the visits of patients in examples/data/visits.awk stand for items that
 * were shown, good outcomes for likes, and ten visits in a row for a feed.
 */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "dppair_groups.h"
#include "dppair_losses.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

enum { PERSONS = 600, TRAIN = 400, D = 6, FEEDS = 4, FEED = 10, STEPS = 10 };
typedef struct feed {
  size_t shown, liked; /* items; those that were liked stand first */
  double x[FEED][D];
} feed;
static feed feeds[PERSONS][FEEDS]; /* of the first TRAIN users we learn; more items are not read */
static const double clip = 0.2, rate = 20.0;
static double w[D];

/* The mean over the user's feeds that have a pair of the mean over the pairs of each. */
static dppair_status person_gradient(double *v, const feed *f) {
  static double work[4 * FEED + 64 * D];
  const dppair_options options = {NULL, NULL, NULL, NULL, work, sizeof work, NULL};
  double g[D];
  int count = 0; /* feeds that have a pair */
  dppair_status s = DPPAIR_OK;
  memset(v, 0, D * sizeof *v);
  for (int j = 0; j < FEEDS && !s; j++, f++) {
    const double pairs = (double)f->liked * (double)(f->shown - f->liked);
    dppair_rows_f64 rows = dppair_rows_make_f64(f->x[0], f->shown, D, D);
    rows.positives = f->liked;
    if (pairs > 0.0 && !(s = rank_gradient(g, &rows, w, &options))) /* the sum over the feed's pairs */
      for (int k = 0; k < D; k++) v[k] += g[k] / pairs;
    count += pairs > 0.0;
  }
  for (int k = 0; k < D && count > 0; k++) v[k] /= count;
  return s; /* no error depends on a record */
}

/* Descends by means over users: released, or as they are. */
static dppair_status descend(dppair_release *release, int steps) {
  double g[D], v[D];
  dppair_group_sum sum;
  dppair_status s = DPPAIR_OK;
  memset(w, 0, sizeof w);
  for (int t = 0; t < steps && !s; t++) {
    memset(g, 0, sizeof g);
    if (release != NULL) s = dppair_group_sum_open(&sum, g, D, clip, release);
    for (int i = 0; i < TRAIN && !s; i++) {
      s = person_gradient(v, feeds[i]);
      if (!s && release != NULL) s = dppair_group_add_f64(&sum, v); /* shortened; a 0 counts too */
      for (int k = 0; k < D && release == NULL; k++) g[k] += v[k] / TRAIN;
    }
    if (!s && release != NULL) s = dppair_release_groups(g, release, &sum); /* g may be published */
    for (int k = 0; k < D && !s; k++) w[k] -= rate * g[k];
  }
  return s;
}

/* The mean over the other users' feeds of the share of pairs that are ranked rightly: NOT PRIVATE. */
static void print_pairs_not_private(const char *name) {
  double sum = 0.0, count = 0.0, work[8 * FEED + 64], auc, score[FEED];
  for (const feed *f = feeds[TRAIN]; f < feeds[0] + PERSONS * FEEDS; f++) {
    const dppair_rows_f64 rows = dppair_rows_make_f64(f->x[0], f->shown, D, D);
    if (f->liked > 0 && f->liked < f->shown && !dppair_scores_f64(score, &rows, w) &&
        !dppair_auc_not_private_f64(&auc, score, f->liked, score + f->liked, f->shown - f->liked, work,
                                    sizeof work))
      sum += auc, count += 1.0;
  }
  printf("%-28s %.3f\n", name, sum / count);
}

/* Lines "user,liked,six numbers", those of a user together. How many users were read. */
static size_t load(FILE *file) {
  char line[200], last[16] = "", name[16];
  size_t users = 0, item = 0;
  double x[D];
  int liked;
  if (file == NULL || fgets(line, sizeof line, file) == NULL) return 0; /* the header */
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%15[^,],%d,%lf,%lf,%lf,%lf,%lf,%lf", name, &liked, x, x + 1, x + 2, x + 3, x + 4,
               x + 5) != 8)
      return 0;
    item = strcmp(name, last) == 0 ? item + 1 : 0;
    if (item == 0 && ++users > PERSONS) return 0;
    strcpy(last, name);
    if (item >= FEEDS * FEED) continue;
    feed *f = &feeds[users - 1][item / FEED];
    if (liked) memmove(f->x[f->shown], f->x[f->liked], sizeof x);
    for (int k = 0; k < D; k++) f->x[liked ? f->liked : f->shown][k] = fmin(fmax(x[k] / 50.0, -2.0), 2.0);
    f->shown++;
    f->liked += liked != 0;
  }
  return users;
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  dppair_accountant account; dppair_interval epsilon = {0};
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: recommender [--seed 0..255]\n", stderr), 2;
  FILE *file = popen("awk -f examples/data/visits.awk", "r");
  if (load(file) != PERSONS || pclose(file) != 0)
    return fputs("recommender: no examples/data/visits.awk\n", stderr), 1;
  plan.sampling = dppair_sampling_all(TRAIN, DPPAIR_REPLACE_USER);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = STEPS;
  printf("%-28s pairs ranked rightly in feeds of %d other persons (simulated data)\n", "", PERSONS - TRAIN);
  for (int k = 0; k < D; k++) w[k] = 1.0;
  print_pairs_not_private("no data: all columns alike");
  dppair_status s = dppair_accountant_init(&account);
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) print_pairs_not_private("private");
  if (!s) s = descend(NULL, 10 * STEPS);
  if (!s) print_pairs_not_private("not private, not clipped");
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, NULL);
  if (s) return fprintf(stderr, "recommender: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d persons, with all records, is replaced\n"
         "public: their number, clip, start, steps\n"
         "These figures are not private, nor is the choice of steps and clip, made on this data.\n",
         epsilon.upper, plan.delta, TRAIN);
  return fflush(stdout) != 0 || ferror(stdout);
}
