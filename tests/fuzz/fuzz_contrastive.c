/* SPDX-License-Identifier: MIT */
/*
 * The command line of contrastive, in process: command.h.
 *
 * sources: examples/programs/support/data.c examples/programs/support/draft.c
 * sources: examples/programs/support/embedded.c examples/programs/support/embedding.c
 * sources: examples/programs/support/maps.c examples/programs/support/program.c
 * sources: examples/programs/support/report.c examples/programs/support/svg.c
 * sources: examples/programs/support/text.c examples/programs/methods/mechanisms.c
 * sources: examples/programs/support/sha256.c
 * flags: -DDPPAIR_ENTROPY(out,n)=(memset((out),92,(n)),0)
 */
#define PROGRAM "contrastive"
#define COMMAND_LIMITS 1
#include "command.h"

#define main program_main
#include "contrastive.c"

static void program_reset(void) {}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const lines[] = {
      "records.csv --ranges ranges --splits 1 --steps 2 --epsilon 2 --picture out1",
      "records.csv --splits 1 --steps 2 --epsilon 1,2 --loss triplet --margin 2 --json",
      "records.csv --splits 1 --steps 2 --epsilon 1 --loss infonce --map two-layer --hidden 3 --dim 3",
      "records.csv --splits 2 --steps 2 --epsilon 1 --group 4 --batch 8 --clip 0.5 --delta 1e-3"};
  input source = {bytes, size};
  return command_try(&source, lines, sizeof lines / sizeof *lines);
}
