/* SPDX-License-Identifier: MIT */
/*
 * The command line of budget, in process: command.h.
 *
 * sources: examples/programs/support/svg.c examples/programs/support/draft.c
 */
#define PROGRAM "budget"
#define COMMAND_LIMITS 0
#include "command.h"

#define main program_main
#include "support/calculator.c"

#include "budget.c"

static void program_reset(void) { memset(&run, 0, sizeof run); }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const lines[] = {
      "epsilon --mechanism gaussian --noise-multiplier 2 --steps 3 --delta 1e-6",
      "delta --mechanism laplace --scale 2 --epsilon 1 --json",
      "epsilon --mechanism sampled-gaussian --sampling poisson --n 1000 --batch 20 --adjacency "
      "zero-out --noise-multiplier 1 --epochs 2 --delta 1e-6",
      "epsilon --mechanism sampled-gaussian --sampling without-replacement --n 1000 --batch 20 "
      "--adjacency replace-one --clip 1 --sigma 2 --steps 30 --delta 1e-6 --accountant rdp",
      "epsilon --mechanism sampled-pairs --sampling matching --n 1000 --batch 20 --adjacency "
      "replace-one --noise-multiplier 2 --steps 3 --delta 1e-6 --explain --statement",
      "calibrate --mechanism gaussian --steps 3 --epsilon 1 --delta 1e-6",
      "calibrate --mechanism gaussian --epsilon 1 --delta 1e-6 --and --mechanism pure "
      "--step-epsilon 0.1",
      "attack --mechanism gaussian --noise-multiplier 2 --rates 0.01,0.1 --prior 0.1 --svg out1",
      "rdp --mechanism zcdp --rho 0.1 --order 4",
      "epsilon --mechanism skellam --sensitivity 3 --variance 100 --delta 1e-6",
      "epsilon --mechanism objective-perturbation --noise-multiplier 3 --ridge 2 --delta 1e-6",
      "gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-6 --steps 2",
      "gaussian-epsilon --mu 1 --delta 1e-6",
      "gaussian-delta --mu 1 --epsilon 1",
      "last-iterate --sensitivity 1 --sigma 1 --smoothness 1 --alpha 0.1 --eta 0.5 --steps 10 "
      "--delta 1e-6",
      "sensitivity --kind pair-mean --n 100 --unit 1 --adjacency replace-one",
      "sensitivity --kind user-batch --n 100 --batch 10 --records 2 --unit 1",
      "uas --n 100 --steps 100 --eta 0.1 --lipschitz 1 --diameter 1 --epsilon 1 --delta 1e-3",
      "paper --result xue2021-alg1 --n 100 --lipschitz 1 --epsilon 1 --delta 1e-6 --steps 2 --alpha "
      "0.1"};
  input source = {bytes, size};
  return command_try(&source, lines, sizeof lines / sizeof *lines);
}
