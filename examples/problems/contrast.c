/* SPDX-License-Identifier: MIT */
/*
 * contrast - two kinds of things in one plane, privately: sequences, and what each of them is called.
 *
 *     cc -O1 -I. -Imodules examples/problems/contrast.c -lm && ./a.out       from the top folder
 *
 * CLIP learns from images and their texts in this way. Here a record has two views: 12 letters of DNA
 * around a splice junction, and one of three names (examples/data/splice.txt). A linear map puts both
 * views into the plane, a sequence near to its own name. Each step draws all records into groups of
 * six. A group's InfoNCE loss compares its six sequences with its six names. The gradient of each
 * group is shortened to a public length, and the mean over the groups is released.
 *
 * public      how many sequences there are, and their length; the names; clip, start and steps
 * neighbours  one sequence is replaced, with its name; (epsilon, delta) = (1, 1e-4)
 */
#define DPPAIR_NAME embed
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2124, ALL = 3186, READ = 40, PLACES = 12, NAMES = 3, GROUP = 6, STEPS = 10 };
enum { LETTERS = 4 * PLACES + 1, D = LETTERS + NAMES, K = 2 };
static const char *const names[NAMES] = {"ei", "ie", "n"}; /* an exon ends, an exon begins, neither */
static const double corner[NAMES][K] = {{0.0, 1.0}, {0.87, -0.5}, {-0.87, -0.5}};
static const double longest = 0.6, rate = 1.5; /* of a group's gradient; of a step */
static double view[2][ALL][D], label[ALL], work[1 << 18];
static double w[D][K]; /* a row for each letter in each place, a constant, and the names */

/* Letters and names have columns of their own, so one map holds both. 0: no such data. */
static int load(FILE *file) {
  char name[3], letters[READ + 1];
  for (int i = 0; i < ALL; i++) {
    int c = 0;
    if (fscanf(file, "%2s %40s", name, letters) != 2 || strlen(letters) != READ) return 0;
    while (c < NAMES && strcmp(name, names[c]) != 0) c++;
    if (c == NAMES) return 0;
    label[i] = c;
    view[1][i][LETTERS + c] = 1.0;
    view[0][i][LETTERS - 1] = 1.0;
    for (int k = 0; k < LETTERS - 1; k++)
      view[0][i][k] = ((letters[(READ - PLACES) / 2 + k / 4] == "acgt"[k % 4]) - 0.25) / sqrt(0.75 * PLACES);
  }
  return 1;
}

/* The gradient of a step: released or, with NULL, as it is, of groups in the file's order. */
static dppair_status gradient(double *g, dppair_release *release) {
  static double x[2][N * D], y[2][N];
  static size_t index[N];
  static dppair_contrast how; /* what is not asked for is 0: inner products */
  dppair_rows_f64 rows[2], some[2];
  dppair_options options = {NULL, NULL, NULL, NULL, work, sizeof work, NULL};
  dppair_clip clip;
  double each[D * K];
  dppair_batch drawn;
  dppair_status s = dppair_clip_init(&clip, longest);
  how.temperature = 1.0;
  how.positives = DPPAIR_POSITIVE_LABEL; /* who has the same name has the right name, too */
  memset(g, 0, D * K * sizeof *g);
  for (size_t i = 0; i < N && release == NULL && !s; i += GROUP) {
    for (int side = 0; side < 2; side++) {
      some[side] = dppair_rows_make_f64(view[side][i], GROUP, D, D);
      some[side].y = label + i;
    }
    s = embed_contrast_map_gradient(each, &some[0], &some[1], w[0], K, &how, &options);
    for (int k = 0; k < D * K; k++) g[k] += each[k] / N;
  }
  if (release == NULL) return s;
  options.clip = &clip;
  if (!s) s = dppair_release_draw(&drawn, index, N, release); /* group j: index + j GROUP */
  for (int side = 0; side < 2 && !s; side++) {
    rows[side] = dppair_rows_make_f64(view[side][0], N, D, D);
    rows[side].y = label;
    s = dppair_gather_f64(&some[side], x[side], y[side], NULL, &drawn, &rows[side]);
  }
  return s ? s : embed_release_contrast(g, release, &some[0], &some[1], w[0], K, &how, &options);
}

static dppair_status descend(dppair_release *release, int steps) {
  double g[D * K];
  dppair_status s = DPPAIR_OK;
  memset(w, 0, sizeof w);
  memcpy(w[LETTERS], corner, sizeof corner);
  memcpy(w[LETTERS - 1], corner[2], sizeof corner[2]); /* at first every sequence is near to "n" */
  for (int t = 0; t < steps && !s; t++) {
    s = gradient(g, release); /* if it is released, it may be published, and so may w */
    for (int k = 0; k < D * K && !s; k++) w[k / K][k % K] -= rate * g[k];
  }
  return s;
}

/* The share of the other sequences whose most similar name is their own. NOT PRIVATE. */
static double right_not_private(void) {
  int right = 0;
  for (int i = N; i < ALL; i++) {
    double z[K] = {0.0}, most = -HUGE_VAL;
    int name = 0;
    for (int k = 0; k < D * K; k++) z[k % K] += view[0][i][k / K] * w[k / K][k % K];
    for (int c = 0; c < NAMES; c++) {
      const double similar = z[0] * w[LETTERS + c][0] + z[1] * w[LETTERS + c][1];
      if (similar > most) most = similar, name = c;
    }
    right += name == (int)label[i];
  }
  return right / (double)(ALL - N);
}

int main(int argc, char **argv) {
  static uint8_t key[32], nonce[DPPAIR_NONCE_SIZE];
  const dppair_release_keys replay = {key, nonce}, *keys = NULL; /* those of the system */
  static dppair_plan plan; static dppair_release release; /* what is not asked for is 0 */
  static unsigned char room[1 << 24]; /* for numerical composition */
  dppair_accountant account; dppair_composer composer; dppair_interval epsilon = {0};
  if (argc == 3 && strcmp(argv[1], "--seed") == 0)
    key[0] = (uint8_t)atoi(argv[2]), keys = &replay,
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", key[0]);
  else if (argc > 1)
    return fputs("usage: contrast [--seed 0..255]\n", stderr), 2;
  FILE *file = fopen("examples/data/splice.txt", "r");
  if (file == NULL || !load(file)) return fputs("contrast: no examples/data/splice.txt\n", stderr), 1;
  fclose(file);
  plan.sampling = dppair_sampling_groups(N, N, GROUP, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0, plan.delta = 1e-4, plan.steps = STEPS;
  printf("%-28s right names of %d other sequences\n", "", ALL - N);
  dppair_status s = descend(NULL, 0);
  if (!s) printf("%-28s %.3f\n", "no data: all are \"n\"", right_not_private());
  if (!s) s = dppair_accountant_init(&account);
  if (!s) s = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_calibrate(&plan, &account, &composer); /* a plan that draws: finds its noise */
  if (!s) s = dppair_release_open(&release, &account, &plan, keys); /* pays for all steps */
  if (!s) s = descend(&release, STEPS);
  dppair_release_close(&release);
  if (!s) printf("%-28s %.3f\n", "private", right_not_private());
  if (!s) s = descend(NULL, 3 * STEPS);
  if (!s) printf("%-28s %.3f\n", "not private, not clipped", right_not_private());
  if (!s) s = dppair_accountant_epsilon(&epsilon, &account, plan.delta, &composer);
  if (s) return fprintf(stderr, "contrast: %s\n", dppair_status_string(s)), 1;
  printf("guarantee: (epsilon, delta) = (%.10g, %g) if one of %d sequences is replaced\n"
         "public: their number and length, the names, clip, start, steps\n"
         "These figures are not private, nor is the choice of steps and clip, made on this data.\n",
         epsilon.upper, plan.delta, N);
  return fflush(stdout) != 0 || ferror(stdout);
}
