/* SPDX-License-Identifier: MIT */
/*
 * loss_tables.c - the manual's chapter on losses, as Markdown on standard output: the links, the
 * margins, and for every link with every margin its constants at R = B = Y = b = 1 beside the
 * largest value that an adversarial search reached, in percent. Exit 1 when a search exceeds a
 * constant.
 */
#include <stdio.h>

#include "attack.h"

enum { RECORDS = 1000, STARTS = 600, STEPS = 600 };

static int exceeded;

/* One figure and how far the attack came. */
static void cell(const attack_case *c, attack_goal goal, double claim) {
  double got;
  if (!dppair_isfinite_f64(claim)) {
    printf(" none |");
    return;
  }
  got = attack(c, goal, STARTS, STEPS);
  /* the factor's curvature is found from differences, which carry their own rounding */
  if (got > claim * (goal == ATTACK_L ? 1.0 + 1e-9 : 1.0 + 1e-12)) exceeded = 1;
  if (claim > 0.0)
    printf(" %.5g (%.1f %%) |", claim, 100.0 * got / claim);
  else
    printf(" 0 |");
}

static void row(dppair_margin margin, dppair_loss loss, const double *params) {
  const dppair_bounds bounds = {1.0, 1.0, 1.0, 1.0, 0.0};
  const attack_case c = {margin, loss, params, bounds};
  dppair_constants k;
  const dppair_status status =
      dppair_constants_find(&k, margin, dppair_loss_facts_of(loss), params, &bounds);
  printf("| %s |", dppair_loss_describe(loss)->name);
  if (status != DPPAIR_OK) {
    printf(" refused: %s | | | | | | |\n", dppair_status_string(status));
    return;
  }
  cell(&c, ATTACK_G, k.lipschitz);
  cell(&c, ATTACK_L, k.smoothness);
  cell(&c, ATTACK_M, k.bound);
  cell(&c, ATTACK_MOVE, k.move);
  printf(" %s | %.6g | %s%s%s|\n", k.convex ? "lambda" : "not convex", k.replace_one / RECORDS,
         k.projected & DPPAIR_ONLY_PROJECTED_G ? "G " : "",
         k.projected & DPPAIR_ONLY_PROJECTED_L ? "L " : "",
         k.projected & DPPAIR_ONLY_PROJECTED_M ? "M " : "");
}

int main(void) {
  /* in the order of each loss's own parameters; the table names them */
  static const double one[2] = {0.5, 0.5};
  printf("# Losses, margins and their constants {#losses}\n\n## Links\n\n");
  printf("| name | phi(u) | parameters | convex | non-increasing | differentiable | source |\n");
  printf("|---|---|---|---|---|---|---|\n");
  for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) {
    const dppair_loss_info *i = dppair_loss_describe((dppair_loss)l);
    printf("| %s | ", i->name);
    for (const char *s = i->formula; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
    printf(" | %s | %s | %s | %s | %s |\n", i->parameters, i->convex ? "yes" : "no",
           i->monotone ? "yes" : "no", i->differentiable ? "yes" : "no", i->source);
  }
  printf("\n## Margins\n\n| name | loss of an ordered pair |\n|---|---|\n");
  for (int m = 0; m < (int)DPPAIR_MARGIN_COUNT; m++) {
    const char *formula = "", *name = dppair_margin_name_((dppair_margin)m, &formula);
    printf("| %s | ", name);
    for (const char *s = formula; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
    printf(" |\n");
  }
  printf("\n## Constants\n\nRows |x| <= 1, parameters |w| <= 1, labels |y| <= 1, offset b = 1; "
         "parameters of links 0.5.\nG bounds the gradient of one ordered pair, L is its Lipschitz "
         "constant, M bounds the loss, Dm is how far\none record moves the mean of a pair's two "
         "gradients; the sensitivity of the mean gradient is 2 Dm/n,\nhere with n = %d. In "
         "brackets: the largest value an adversarial search reached. alpha is the "
         "strong\nconvexity with the regulariser (lambda/2)|w|^2 outside (2 lambda with lambda "
         "|w|^2). The "
         "last column lists\nwhat holds only while every iterate is projected.\n",
         RECORDS);
  for (int m = 0; m < (int)DPPAIR_MARGIN_COUNT; m++) {
    printf("\n### %s\n\n", dppair_margin_name_((dppair_margin)m, NULL));
    printf("| link | G | L | M | Dm | alpha | sensitivity | needs projection |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (int l = 0; l < (int)DPPAIR_LOSS_COUNT; l++) row((dppair_margin)m, (dppair_loss)l, one);
  }
  return exceeded;
}
