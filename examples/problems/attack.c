/* SPDX-License-Identifier: MIT */
/*
 * attack - what a training run means to somebody who knows all records but one.
 *
 *     cc -O1 -I. -Imodules examples/problems/attack.c -lm && ./a.out         from the top folder
 *
 * No data: a run of 1000 steps of DP-SGD, Poisson samples of rate 0.01, noise 1.1. Epsilon alone says
 * little to those who decide; these figures say how often an attacker can be right.
 *
 * public      everything
 * neighbours  a record is there, or its place is empty
 */
#include "dppair_attack.h"
#include <stdio.h>
#include <stdlib.h>

static int failed(dppair_status s) {
  return s == DPPAIR_OK ? 0 : (fprintf(stderr, "attack: %s\n", dppair_status_string(s)), 1);
}

int main(void) {
  static const double rate[3] = {0.001, 0.01, 0.1};
  dppair_interval epsilon, right, mu, hit[3];
  dppair_accountant a;
  double factor, posterior;
  dppair_composer composer;
  size_t bytes;
  void *work;
  dppair_status s = dppair_accountant_init(&a);
  if (!s)
    s = dppair_accountant_sampled_gaussian(
        &a, dppair_sampling_poisson(100000, 1000, DPPAIR_ZERO_OUT), 1.0, 1.1, 1000);
  if (!s) s = dppair_composer_workspace(&bytes, &a);
  if (failed(s)) return 1;
  work = malloc(bytes);
  if (!work) return fputs("attack: no memory\n", stderr), 1;
  s = dppair_composer_init(&composer, work, bytes);
  if (!s) s = dppair_accountant_epsilon(&epsilon, &a, 1e-5, &composer);
  if (!s) s = dppair_attack_accuracy(&right, &a, 0.5, &composer);
  if (!s) s = dppair_attack_curve(hit, rate, 3, &a, &composer);
  if (!s) s = dppair_attack_bayes(&factor, &posterior, rate[1], hit[1].upper, 0.01);
  if (!s) s = dppair_attack_fit(&mu, &a, 1e-5, &composer);
  free(work);
  if (failed(s)) return 1;
  printf("epsilon at delta 1e-5                          %.4f\n", epsilon.upper);
  printf("guesses whether a record is in that are right  %.4f at most (0.5: a coin)\n", right.upper);
  for (int k = 0; k < 3; k++)
    printf("found, if %-5g of the others are accused        %.4f at most\n", rate[k], hit[k].upper);
  printf("1 in 100 is in: an accusation is right         %.4f at most (0.01: a guess)\n", posterior);
  printf("a Gaussian mechanism that covers it: mu        %.4f, beside 1e-5\n", mu.upper);
  return fflush(stdout) != 0 || ferror(stdout);
}
