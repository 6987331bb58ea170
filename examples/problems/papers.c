/* SPDX-License-Identifier: MIT */
/*
 * papers - the noise that papers print for a task of yours, and what the task needs.
 *
 *     cc -O1 -I. -Imodules examples/problems/papers.c -lm && ./a.out          from the top folder
 *
 * A thousand records, a loss of Lipschitz constant 4, a hundred steps, delta = 1e-5: does the printed
 * noise keep the printed promise, and how much of it is needed? No record is read.
 */
#include "dppair_papers.h"
#include <stdio.h>

static const struct row {
  dppair_paper_result result;
  const char *name;
} rows[] = {{DPPAIR_KANG2021_THEOREM1, "Kang 2021, Theorem 1"},
            {DPPAIR_KANG2021_APPENDIX, "Kang 2021, appendix"},
            {DPPAIR_XUE2021_ALG1, "Xue 2021, Algorithm 1"},
            {DPPAIR_XUE2021_ALG2, "Xue 2021, Algorithm 2"},
            {DPPAIR_XUE2021_ALG3, "Xue 2021, Algorithm 3"},
            {DPPAIR_YANG2021_THEOREM4, "Yang 2021, Theorem 4"},
            {DPPAIR_NIEWANG2017_PROP1, "Nie and Wang 2017, 1"},
            {DPPAIR_KANG2023_THEOREM5, "Kang 2023, Theorem 5"}};

int main(void) {
  static const double epsilons[] = {1.0, 4.0};
  for (size_t k = 0; k < 2; k++) {
    printf("%sepsilon %g           printed noise     needed   factor  true epsilon\n", k ? "\n" : "",
           epsilons[k]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      static dppair_paper paper; /* what is not given is 0 */
      dppair_paper_verdict v;
      paper.result = rows[i].result;
      paper.n = 1000, paper.steps = 100, paper.lipschitz = 4.0;
      paper.epsilon = epsilons[k], paper.delta = 1e-5;
      paper.alpha = paper.lambda = paper.eta = 0.1, paper.kappa = 1.0; /* those that read them */
      const dppair_status s = dppair_paper_check(&v, &paper);
      if (s) return fprintf(stderr, "papers: %s: %s\n", rows[i].name, dppair_status_string(s)), 1;
      printf("%-22s %12.5g %10.5g %8.2f %12.4g%s\n", rows[i].name, v.noise_printed, v.noise_needed,
             v.noise_printed / v.noise_needed, v.true_epsilon, v.sufficient ? "" : "  NOT ENOUGH");
    }
  }
  return fflush(stdout) != 0 || ferror(stdout);
}
