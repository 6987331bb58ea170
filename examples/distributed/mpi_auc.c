/* SPDX-License-Identifier: MIT */
/*
 * mpi_auc - one private ranking model from records that lie on several machines.
 *
 *   private_auc DATA --ranges R --labels 0,1 --header yes --convert records.dpb
 *   mpirun -np 4 build/mpi_auc records.dpb --epsilon 1 --delta 1e-9 --model m.json --checkpoint c
 *
 * It takes the options of private_auc --stream --model, and writes the same file: to the byte for
 * the same key, whatever the number of ranks. Each rank reads its own blocks of the file, twice a
 * step. What travels are sums without order: a few KiB of moments and one number for each column,
 * of 128 bits. Rank 0 alone holds the key, the account and the checkpoint; it adds the noise, once,
 * and writes the model. Noise is a function of key and step: a job that is ended and started again
 * with
 * --resume repeats bits and releases nothing twice.
 */
#include "distributed/team.h"
#include "methods/links.h"
#include "support/simulation.h"
#include "support/stream.h"

static const char usage[] =
    "mpi_auc - train a ranking model under differential privacy, on several ranks\n"
    "\n"
    "usage: mpirun -np P mpi_auc FILE --epsilon E --model FILE [options]\n"
    "\n"
    "FILE is what private_auc --convert wrote, and lies where every rank can read it. The options\n"
    "are those of private_auc --stream --model, and so is the model: the same file to the byte\n"
    "for the same key, whatever P is. Rank 0 alone reads and writes keys, checkpoints, models.\n"
    "\n"
    "training\n"
    "  --method gd, --loss NAME, --steps T, --step-size X, --radius R, --param-radius B: as of\n"
    "                      private_auc\n";
static const char usage_runs[] =
    "\n"
    "failures\n"
    "  A rank that fails, or is killed, ends the job with a message. Nothing is released before\n"
    "  the model is written; started again with --resume the job goes on behind the last step\n"
    "  that the checkpoint holds. Ranks with another version of this program, other settings or\n"
    "  another file than rank 0 are found before the first step.\n";

extern const method method_gd;

static int none(simulation *sim) {
  (void)sim;
  return complain(2, "--model FILE is needed: there is no simulation on several ranks");
}

static int agree(void *t, const uint8_t *digest, size_t size) {
  return team_agree(t, digest, size, "file, settings or version");
}

int main(int argc, char **argv) {
  static const method *const list[] = {&method_gd, NULL};
  const program self = {
      "mpi_auc",          usage, usage_runs, {"dppair private_auc model 3", "model", 0, ""}, list,
      ranking_loss_known, none};
  team all;
  stream_team t = {&all, 0, 0, team_add, team_share, agree};
  if (!team_open(&all, &argc, &argv)) return 1;
  t.rank = all.rank;
  t.ranks = all.ranks;
  return team_close(&all, program_run_team(&self, argc, argv, &t));
}
