/* SPDX-License-Identifier: MIT */
/*
 * The command line of private_evaluation, in process: command.h.
 *
 * sources: examples/support/data.c examples/support/draft.c examples/support/embedded.c
 * sources: examples/support/evaluation.c examples/support/maps.c examples/support/program.c
 * sources: examples/support/report.c examples/support/scores.c examples/support/svg.c
 * sources: examples/support/text.c
 * flags: -DDPPAIR_ENTROPY(out,n)=(memset((out),92,(n)),0)
 */
#define PROGRAM "private_evaluation"
#define COMMAND_LIMITS 0
#include "command.h"

#define main program_main
#include "private_evaluation.c"

static void program_reset(void) {}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const lines[] = {
      "scores.csv --epsilon 1",
      "scores.csv --epsilon 1 --delta 1e-6 --noise gaussian --ledger out1",
      "scores.csv --epsilon 1 --measure pauc --delta 1e-3 --beta 0.5",
      "scores.csv --epsilon 1 --measure pauc --promise 5 --json",
      "scores.csv --epsilon 1 --measure roc --thresholds -1,0,1 --svg out2 --ledger words",
      "scores.csv --epsilon 1 --measure kendall --confidence 0.5",
      "scores.csv --epsilon 1 --measure risk --cap 2 --loss hinge --json",
      "records.csv --epsilon 1 --score u --label y --labels 0,1"};
  input source = {bytes, size};
  return command_try(&source, lines, sizeof lines / sizeof *lines);
}
