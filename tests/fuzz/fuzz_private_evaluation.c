/* SPDX-License-Identifier: MIT */
/*
 * The command line of private_evaluation, in process: command.h.
 *
 * sources: examples/programs/support/data.c examples/programs/support/draft.c
 * sources: examples/programs/support/embedded.c examples/programs/support/evaluation.c
 * sources: examples/programs/support/maps.c examples/programs/support/program.c
 * sources: examples/programs/support/report.c examples/programs/support/scores.c
 * sources: examples/programs/support/svg.c examples/programs/support/text.c
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
