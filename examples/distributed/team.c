/* SPDX-License-Identifier: MIT */
#include "distributed/team.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0 /* nothing here has tiers */
#endif
#include "dppair.h"

static MPI_Datatype word; /* an integer of 128 bits */
static MPI_Op sum;
static MPI_Comm failed; /* ranks that have nothing to do any more */

/* 1 where MPI did what it was asked for. */
static int fine(const team *t, int code, const char *what) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return 1;
  (void)MPI_Error_string(code, text, &length);
  (void)fprintf(stderr, "rank %zu: %s: %s\n", t->rank, what, text);
  return 0;
}

static void add(void *in, void *to, int *count, MPI_Datatype *type) {
  (void)type;
  dppair_words_add(to, in, (size_t)*count);
}

int team_open(team *t, int *argc, char ***argv) {
  int rank = 0, ranks = 1;
  memset(t, 0, sizeof *t);
  if (!fine(t, MPI_Init(argc, argv), "MPI_Init")) return 0;
  if (!fine(t, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
            "MPI_Comm_set_errhandler") ||
      !fine(t, MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank") ||
      !fine(t, MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size") ||
      !fine(t, MPI_Type_contiguous(2, MPI_UINT64_T, &word), "MPI_Type_contiguous") ||
      !fine(t, MPI_Type_commit(&word), "MPI_Type_commit") ||
      !fine(t, MPI_Op_create(add, 1, &sum), "MPI_Op_create") ||
      !fine(t, MPI_Comm_dup(MPI_COMM_WORLD, &failed), "MPI_Comm_dup"))
    return 0;
  t->rank = (size_t)rank;
  t->ranks = (size_t)ranks;
  return 1;
}

/* Do all ranks fail, within a second? Then each of them can clean up by itself. */
static int all_fail(void) {
  const double start = MPI_Wtime();
  MPI_Request request;
  int done = 0;
  if (MPI_Ibarrier(failed, &request) != MPI_SUCCESS) return 0;
  while (!done && MPI_Wtime() - start < 1)
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
  return done;
}

int team_close(team *t, int code) {
  if (code != 0 && !all_fail()) (void)MPI_Abort(MPI_COMM_WORLD, code);
  (void)MPI_Comm_free(&failed);
  (void)MPI_Op_free(&sum);
  (void)MPI_Type_free(&word);
  return fine(t, MPI_Finalize(), "MPI_Finalize") ? code : 1;
}

/* One call of MPI may move INT_MAX numbers: longer ones are cut. */
enum { PIECE = 1 << 20 };

static int adds(team *t, uint64_t *words, size_t count, int all) {
  const double start = MPI_Wtime();
  int code = MPI_SUCCESS;
  size_t k;
  for (k = 0; k < count && code == MPI_SUCCESS; k += PIECE) {
    const int some = (int)(count - k < PIECE ? count - k : PIECE);
    uint64_t *at = words + 2 * k;
    if (all)
      code = MPI_Allreduce(MPI_IN_PLACE, at, some, word, sum, MPI_COMM_WORLD);
    else if (t->rank == 0)
      code = MPI_Reduce(MPI_IN_PLACE, at, some, word, sum, 0, MPI_COMM_WORLD);
    else
      code = MPI_Reduce(at, NULL, some, word, sum, 0, MPI_COMM_WORLD);
  }
  t->waited += MPI_Wtime() - start;
  t->moved += 16 * (uint64_t)count;
  return fine(t, code, "a sum over the ranks");
}

int team_add(void *t, uint64_t *words, size_t count) { return adds(t, words, count, 1); }

int team_gather(void *t, uint64_t *words, size_t count) { return adds(t, words, count, 0); }

int team_share(void *context, void *bytes, size_t size) {
  team *t = context;
  const double start = MPI_Wtime();
  int code = MPI_SUCCESS;
  size_t k;
  for (k = 0; k < size && code == MPI_SUCCESS; k += PIECE)
    code = MPI_Bcast((char *)bytes + k, (int)(size - k < PIECE ? size - k : PIECE), MPI_BYTE, 0,
                     MPI_COMM_WORLD);
  t->waited += MPI_Wtime() - start;
  t->moved += size;
  return fine(t, code, "what rank 0 says");
}

int team_agree(void *context, const void *bytes, size_t size, const char *what) {
  team *t = context;
  char *first = malloc(size > 0 ? size : 1);
  int differs, worst = 0, ok = first != NULL;
  if (!ok) (void)fprintf(stderr, "rank %zu: out of memory\n", t->rank);
  if (ok) memcpy(first, bytes, size);
  if (ok) ok = team_share(t, first, size);
  differs = ok && memcmp(first, bytes, size) != 0 ? (int)t->rank : 0;
  free(first);
  if (ok)
    ok = fine(t, MPI_Allreduce(&differs, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "agreement");
  if (ok && worst > 0 && t->rank == 0)
    (void)fprintf(stderr, "rank %d differs from rank 0 in %s\n", worst, what);
  return ok && worst == 0;
}

int team_turn(void *context, void *into, const void *from, size_t size) {
  team *t = context;
  const double start = MPI_Wtime();
  const int next = (int)((t->rank + 1) % t->ranks);
  const int before = (int)((t->rank + t->ranks - 1) % t->ranks);
  int code = MPI_SUCCESS;
  size_t k;
  for (k = 0; k < size && code == MPI_SUCCESS; k += PIECE) {
    const int some = (int)(size - k < PIECE ? size - k : PIECE);
    code = MPI_Sendrecv((const char *)from + k, some, MPI_BYTE, next, 0, (char *)into + k, some,
                        MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  t->waited += MPI_Wtime() - start;
  t->moved += size;
  return fine(t, code, "the ring");
}

int team_wait(void *context) { return fine(context, MPI_Barrier(MPI_COMM_WORLD), "waiting"); }
