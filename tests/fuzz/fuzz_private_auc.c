/* SPDX-License-Identifier: MIT */
/*
 * The command line of private_auc with the methods gd, gd-records and gd-last, in process:
 * command.h. Releases, keys, checkpoints, streams, conversion, scores of a model that came from
 * anywhere.
 *
 * sources: examples/programs/support/apply.c examples/programs/support/binary.c
 * sources: examples/programs/support/checkpoint.c examples/programs/support/checksum.c
 * sources: examples/programs/support/chunks.c examples/programs/support/convert.c
 * sources: examples/programs/support/data.c examples/programs/support/draft.c
 * sources: examples/programs/support/embedded.c examples/programs/support/evaluation.c
 * sources: examples/programs/support/maps.c examples/programs/support/program.c
 * sources: examples/programs/support/release.c examples/programs/support/report.c
 * sources: examples/programs/support/scores.c examples/programs/support/sha256.c
 * sources: examples/programs/support/simulation.c examples/programs/support/solver.c
 * sources: examples/programs/support/stream.c examples/programs/support/svg.c
 * sources: examples/programs/support/text.c examples/programs/support/template.c
 * sources: examples/programs/methods/gradient.c examples/programs/methods/mechanisms.c
 * sources: examples/programs/methods/pairs.c examples/programs/methods/passes.c
 * sources: examples/programs/methods/links.c examples/programs/methods/link_hinge.c
 * sources: examples/programs/methods/link_logistic.c examples/programs/methods/link_ramp.c
 * sources: examples/programs/methods/link_sigmoid.c examples/programs/methods/link_square.c
 * sources: examples/programs/methods/link_squared_hinge.c examples/programs/methods/trial.c
 * flags: -DDPPAIR_ENTROPY(out,n)=(memset((out),92,(n)),0)
 */
#define PROGRAM "private_auc"
#define COMMAND_LIMITS 1
#include "command.h"

#define main program_main
#include "private_auc.c"

/* All others would take minutes to compile. */
#define method_pointwise method_gd
#define method_online method_gd
#define method_auto method_gd
#define method_declared method_gd
#define method_histogram_bayes method_gd
#define method_dpebm method_gd
#define method_one_vector method_gd
#define method_statistics method_gd
#define method_adassp method_gd
#define method_adassp_maps method_gd
#define method_lda method_gd
#define method_lda_maps method_gd
#define method_selection method_gd
#define method_stopping method_gd
#define method_kang2021 method_gd
#define method_dpgdsc method_gd
#define method_dpgdc2 method_gd
#define method_dpegd method_gd
#define method_offpairstrc method_gd
#define method_offpairc method_gd
#define method_yang2021 method_gd
#define method_niewang2017 method_gd
#define method_niewang2017_fourier method_gd
#define method_niewang2017_pairs method_gd
#define method_dpsgd method_gd
#define method_dpsgd_mlp method_gd
#define method_dplssgd method_gd
#define method_dplssgd_mlp method_gd
#define method_dpsgd_allocation method_gd
#define method_dpsgd_poisson method_gd
#define method_dpsgd_subset method_gd
#define method_bolton method_gd
#define method_pidpsgd method_gd
#define method_softmax method_gd
#define method_filter method_gd
#define method_filter_pairs method_gd
#include "methods/methods.c"

static void program_reset(void) {}

#define CSV "records.csv --labels 0,1 --header yes --ranges ranges"
#define GD "--method gd --epsilon 2 --delta 1e-5 --steps 3"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static const char *const lines[] = {
      CSV " " GD " --model out1 --save-key out2",
      CSV " " GD " --model out1 --replay key",
      CSV " " GD " --model out1 --checkpoint dppair --resume",
      CSV " " GD " --model out1 --checkpoint out2 --stream --quiet",
      CSV " " GD " --model out1 --evaluate one.csv --evaluate-epsilon 40",
      CSV " --convert out1 --numbers float",
      "records.csv --header yes --write-ranges out1",
      "--demo --splits 1 --epsilon 1 --svg out1",
      "--apply model records.csv",
      "binary " GD " --model out1",
      "records.csv --ranges ranges --splits 2 --steps 2 --epsilon 1,2 --svg out1",
      "records.csv --maps maps --splits 1 --steps 2 --epsilon 1 --json --loss hinge --radius 0.5",
      "persons.csv --person who --splits 1 --steps 2 --epsilon 1 --header yes --labels 0,1",
      "persons.csv --person who --persons 6 --records 40 --adjacency zero-person --labels 0,1 "
      "--header yes --model out1 " GD,
      "persons.csv --query who --splits 1 --steps 2 --epsilon 1 --adjacency replace-query",
      "records.svm --columns 2 --labels -1,1 --model out1 " GD,
      "persons.csv --person who --owned 2 --method gd-records --splits 1 --steps 2 --epsilon 1",
      CSV " --method gd-last --epsilon 1 --delta 1e-4 --steps 3 --param-radius 1 --model out1"};
  input source = {bytes, size};
  return command_try(&source, lines, sizeof lines / sizeof *lines);
}
