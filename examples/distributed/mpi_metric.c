/* SPDX-License-Identifier: MIT */
/*
 * mpi_metric - a private metric from all pairs of records that lie on several machines.
 *
 *   minimise over W   1/(n(n-1)) sum over i != j of phi(y_i y_j (1 - (x_i - x_j)^T W (x_i - x_j)))
 *   W <- Proj( W - eta (g(W) + N) ),  positive semidefinite matrices of Frobenius norm <= B
 *
 * with the logistic phi. Here a pair needs both of its records, so rows have to meet. They are cut
 * into blocks of a public number of rows, and a rank owns some of the blocks. In a step each rank
 * hands the rows that it holds on to the next one, floor(P/2) times for P ranks, and adds up the
 * pairs of its own blocks with those that it holds: about n/2 (d + 2) doubles sent by a rank, and
 * then one sum of d^2 + 1 integers of 128 bits to rank 0. A sum of two blocks is an addend without
 * order, so all numbers of ranks give the same bits. Rank 0 alone holds the key, adds the noise,
 * once, and tells the new W.
 *
 * Noise is a function of the key's file, of the records and of all settings: a job that was ended
 * is started again with the same key and repeats its bits. The key is destroyed when the model is
 * written. Rows that travel are as secret as the file: use a network that you trust with it.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_metric.h"
#define DPPAIR_NAME pair
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "distributed/team.h"
#include "support/chunks.h"
#include "support/draft.h"
#include "support/report.h"
#include "support/sha256.h"

static const char usage[] =
    "mpi_metric - learn a metric under differential privacy, on several ranks\n"
    "\n"
    "usage: mpirun -np P mpi_metric FILE --key FILE --model FILE [options]\n"
    "\n"
    "FILE is what private_auc --convert wrote, with rows of double, and lies where every rank can\n"
    "read it.\n"
    "  --epsilon E         default 1\n"
    "  --delta X           default 1/n^2\n"
    "  --steps T           default 10\n"
    "  --step-size X       default 1/R^4\n"
    "  --radius R          rows are clipped to this l2 norm, default 0.4 sqrt(d)\n"
    "  --param-radius B    of the ball of metrics, default 2 sqrt(d)/R^2\n"
    "  --block N           rows of a block, a power of two; default: the file's blocks. The last\n"
    "                      bits of the result depend on it, and not on the number of ranks\n"
    "  --key FILE          made where it is not there. It undoes the noise: keep it as secret as\n"
    "                      the data. It is destroyed when the model is written; before that a job\n"
    "                      that was ended is started again with it and repeats its bits\n";

typedef struct job {
  team all;
  const char *data, *key, *model;
  double epsilon, delta, eta, radius, ball;
  size_t steps, block, first, end, most; /* blocks of this rank; of the rank that has most */
  size_t d;
  double *own, *held, *spare; /* `most` blocks each: rows, labels, factors of a block  */
  double *w, *g;
  void *room;
  size_t room_bytes;
  dppair_ring ring;
  dppair_options options;
  dppair_sum sum;
  dppair_accountant account;
  dppair_release release;
} job;

static int complain(const job *j, const char *what, const char *why) {
  (void)fprintf(stderr, "mpi_metric: rank %zu: %s: %s\n", j->all.rank, what, why);
  return 0;
}

static int fine(const job *j, dppair_status status, const char *what) {
  return status == DPPAIR_OK ? 1 : complain(j, what, dppair_status_string(status));
}

static void *room(size_t count, size_t size) { return calloc(count > 0 ? count : 1, size); }

/* --- blocks ----------------------------------------------------------------------------------- */

/* The first block of a rank; rank 0 has one at least. */
static size_t first_of(const job *j, size_t rank) {
  return (dppair_ring_blocks(&j->ring) * rank + j->all.ranks - 1) / j->all.ranks;
}

/* Numbers of a block: rows, labels, factors. */
static size_t block_numbers(const job *j) { return j->block * (j->d + 2); }

/* Block `index` of all, at place `slot` of rows that came together. */
static dppair_rows_f64 block_at(const job *j, const double *rows, size_t slot, size_t index) {
  const double *at = rows + slot * block_numbers(j);
  dppair_rows_f64 out = dppair_rows_make_f64(at, dppair_ring_rows(&j->ring, index), j->d, j->d);
  out.y = at + j->block * j->d;
  out.factor = out.y + j->block;
  out.radius = j->radius;
  return out;
}

/* Puts the records of a block of the file to their places in this rank's blocks. */
static void keep(job *j, const chunk *c, size_t rows) {
  size_t i, from = (size_t)c->index * rows;
  for (i = 0; i < c->n; i++, from++) {
    const size_t index = from / j->block, at = from % j->block;
    double *to;
    if (index < j->first || index >= j->end) continue;
    to = j->own + (index - j->first) * block_numbers(j);
    memcpy(to + at * j->d, c->f64 + i * j->d, j->d * sizeof *to);
    to[j->block * j->d + at] = i < c->positives ? 1 : -1;
  }
}

static int clip_all(job *j) {
  size_t b;
  for (b = j->first; b < j->end; b++) {
    double *to = j->own + (b - j->first) * block_numbers(j);
    dppair_rows_f64 rows;
    if (!fine(j,
              dppair_rows_clip_f64(&rows, to + j->block * (j->d + 1), to,
                                   dppair_ring_rows(&j->ring, b), j->d, j->d, j->radius),
              "rows"))
      return 0;
  }
  return 1;
}

/* Reads this rank's blocks, clipped. */
static int read_blocks(job *j, chunks *file) {
  char error[ERROR_SIZE];
  const size_t rows = file->rows, from = j->first * j->block / rows;
  const size_t to = (j->end * j->block + rows - 1) / rows;
  chunk c;
  int more = 0;
  j->own = room(j->most * block_numbers(j), sizeof *j->own);
  j->held = room(j->most * block_numbers(j), sizeof *j->held);
  j->spare = room(j->most * block_numbers(j), sizeof *j->spare);
  if (j->own == NULL || j->held == NULL || j->spare == NULL)
    return complain(j, j->data, "out of memory");
  if (file->grouped) return complain(j, j->data, "its blocks are those of persons");
  if (!chunks_part(file, from, j->first < j->end ? to - from : 0, error) ||
      !chunks_check(file, error))
    return complain(j, j->data, error);
  while ((more = chunks_next(file, &c, error)) > 0) keep(j, &c, rows);
  if (more < 0) return complain(j, j->data, error);
  return clip_all(j);
}

/* Of what the outcome is made but the key: settings, and the records of all ranks, whose digests
 * add up modulo 2^256. The same on every rank. */
static int digest_make(uint8_t digest[DIGEST_SIZE], job *j) {
  uint64_t limbs[16] = {0}, carry = 0;
  sha256 h;
  size_t b, k;
  for (b = j->first; b < j->end; b++) {
    const double *at = j->own + (b - j->first) * block_numbers(j);
    uint8_t part[DIGEST_SIZE];
    sha256_begin(&h);
    sha256_add_u64(&h, b);
    for (k = 0; k < j->block * (j->d + 1); k++) sha256_add_number(&h, at[k]);
    sha256_end(part, &h);
    for (k = 0; k < DIGEST_SIZE; k++) limbs[k / 4 * 2] += (uint64_t)part[k] << 8 * (k % 4);
  }
  if (!team_add(&j->all, limbs, 8)) return 0;
  sha256_begin(&h);
  sha256_add_text(&h, "dppair " DPPAIR_VERSION_STRING " mpi_metric 1");
  for (k = 0; k < 8; k++) {
    carry += limbs[2 * k] & 0xffffffff;
    sha256_add_u64(&h, carry & 0xffffffff);
    carry = (carry >> 32) + (limbs[2 * k] >> 32);
  }
  sha256_add_u64(&h, j->ring.n);
  sha256_add_u64(&h, j->d);
  sha256_add_u64(&h, j->block);
  sha256_add_u64(&h, j->steps);
  sha256_add_number(&h, j->epsilon);
  sha256_add_number(&h, j->delta);
  sha256_add_number(&h, j->eta);
  sha256_add_number(&h, j->radius);
  sha256_add_number(&h, j->ball);
  sha256_end(digest, &h);
  return team_agree(&j->all, digest, DIGEST_SIZE, "settings or version");
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Pairs of this rank's block a and block b of the rows that it holds. */
static int add_pair(job *j, size_t a, size_t b, size_t held_first) {
  const dppair_rows_f64 mine = block_at(j, j->own, a - j->first, a);
  const dppair_rows_f64 other = block_at(j, j->held, b - held_first, b);
  dppair_status status;
  if (a == b)
    status = pair_form_block(&j->sum, &j->ring, a, &mine, a, NULL, &j->options);
  else if (a < b)
    status = pair_form_block(&j->sum, &j->ring, a, &mine, b, &other, &j->options);
  else
    status = pair_form_block(&j->sum, &j->ring, b, &other, a, &mine, &j->options);
  return fine(j, status, "pairs of two blocks");
}

/* The rank holds the blocks of the one `turn` places before it. Every two ranks meet once; where P
 * is even, those half of the ring away meet twice, so each of them takes half of the pairs. */
static int add_turn(job *j, size_t turn) {
  const size_t ranks = j->all.ranks, from = (j->all.rank + ranks - turn) % ranks;
  const size_t first = first_of(j, from), end = first_of(j, from + 1);
  const int half = turn > 0 && 2 * turn == ranks, odd = j->all.rank < from;
  size_t a, b;
  for (a = j->first; a < j->end; a++)
    for (b = first; b < end; b++) {
      if (turn == 0 && b < a) continue;
      if (half && (int)((a + b) % 2) != odd) continue;
      if (!add_pair(j, a, b, first)) return 0;
    }
  return 1;
}

/* The sum over all pairs, on rank 0. */
static int add_pairs(job *j) {
  const size_t bytes = j->most * block_numbers(j) * sizeof *j->own;
  uint64_t count[2] = {0, 0};
  size_t turn;
  memcpy(j->held, j->own, bytes);
  for (turn = 0; 2 * turn <= j->all.ranks; turn++) {
    double *swap = j->held;
    if (turn > 0 && turn == j->all.ranks) break;
    if (turn > 0) {
      if (!team_turn(&j->all, j->spare, j->held, bytes)) return 0;
      j->held = j->spare;
      j->spare = swap;
    }
    if (!add_turn(j, turn)) return 0;
  }
  count[0] = j->sum.count;
  if (!team_gather(&j->all, j->sum.words, j->sum.size) || !team_gather(&j->all, count, 1)) return 0;
  j->sum.count = count[0];
  return 1;
}

static int step(job *j, void *words, size_t bytes) {
  const size_t size = j->d * j->d;
  size_t k;
  int ok = fine(j, pair_form_sum_open(&j->sum, &j->ring, &j->options, words, bytes), "a sum");
  if (!ok || !add_pairs(j)) return 0;
  if (j->all.rank == 0) {
    ok = fine(j, pair_release_form_sum(j->g, &j->release, &j->sum, &j->ring, &j->options), "release");
    for (k = 0; k < size; k++) j->w[k] -= j->eta * j->g[k];
    ok =
        ok && fine(j, dppair_project_psd_frobenius_f64(j->w, j->d, j->ball, j->room, j->room_bytes),
                   "projection");
  }
  return ok && team_share(&j->all, j->w, size * sizeof *j->w);
}

/* --- key and model ---------------------------------------------------------------------------- */

/* 32 bytes of the file, or new ones in a new file. */
static int key_open(uint8_t key[32], const job *j) {
  dppair_rng rng;
  int fd = open(j->key, O_RDONLY), ok = 1;
  if (fd < 0) {
    fd = open(j->key, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) return complain(j, j->key, "can neither be read nor be made");
    ok = fine(j, dppair_rng_from_os(&rng), "a key");
    if (ok) ok = fine(j, dppair_rng_bytes(key, 32, &rng), "a key");
    dppair_wipe(&rng, sizeof rng);
    if (ok && (write(fd, key, 32) != 32 || fsync(fd) != 0))
      ok = complain(j, j->key, "cannot be written");
  } else if (read(fd, key, 32) != 32) {
    ok = complain(j, j->key, "is no key: 32 bytes");
  }
  (void)close(fd);
  return ok;
}

static void key_destroy(const job *j) {
  static const uint8_t nothing[32];
  const int fd = open(j->key, O_WRONLY);
  if (fd < 0 || write(fd, nothing, 32) != 32 || fsync(fd) != 0)
    (void)complain(j, j->key, "could not be destroyed: it undoes the noise of the model");
  if (fd >= 0) (void)close(fd);
  (void)unlink(j->key);
}

static int plan(job *j, const uint8_t digest[DIGEST_SIZE]) {
  dppair_release_keys keys;
  dppair_plan p;
  uint8_t key[32];
  int ok = key_open(key, j);
  memset(&p, 0, sizeof p);
  p.sampling = dppair_sampling_all(j->ring.n, DPPAIR_REPLACE_ONE);
  p.epsilon = j->epsilon;
  p.delta = j->delta;
  p.steps = j->steps;
  keys.key = key;
  keys.nonce = digest; /* its first half: another query never meets the same noise */
  if (ok) ok = fine(j, dppair_accountant_init(&j->account), "the account");
  if (ok) ok = fine(j, dppair_release_open(&j->release, &j->account, &p, &keys), "the plan");
  dppair_wipe(key, sizeof key);
  return ok;
}

/* Written beside its name, which it takes when it is complete; nothing is replaced. */
static int write_model(const job *j) {
  draft to;
  FILE *file;
  size_t k;
  int first = 1;
  if (!draft_open(&to, j->model, DRAFT_NEW, 0666) || (file = draft_stream(&to)) == NULL) {
    draft_drop(&to);
    return complain(j, j->model, "cannot be written, or is there already");
  }
  (void)fputs("{", file);
  json_member_text(file, "format", "dppair mpi_metric model 1", &first);
  json_member_number(file, "epsilon", j->epsilon, &first);
  json_member_number(file, "delta", j->delta, &first);
  json_member_text(file, "adjacency", dppair_adjacency_name(DPPAIR_REPLACE_ONE), &first);
  json_member_number(file, "n", (double)j->ring.n, &first);
  json_member_number(file, "steps", (double)j->steps, &first);
  json_member_number(file, "sigma", j->release.sigma, &first);
  json_member_number(file, "radius", j->radius, &first);
  json_member(file, "metric", &first);
  for (k = 0; k < j->d * j->d; k++) {
    (void)fputs(k == 0 ? "[[" : k % j->d == 0 ? "], [" : ", ", file);
    json_number(file, j->w[k]);
  }
  (void)fputs("]]}\n", file);
  return draft_keep(&to) ? 1 : complain(j, j->model, "cannot be written, or is there already");
}

/* --- the job ---------------------------------------------------------------------------------- */

/* Settings that were not given, the blocks of this rank, and the first W. */
static int settle(job *j, const chunks *file) {
  double widest = 0;
  size_t r, k;
  if (file->f32) return complain(j, j->data, "rows of float; a metric takes rows of double");
  if (j->block == 0 || j->block > file->rows) j->block = file->rows;
  if (file->rows % j->block != 0) return complain(j, "--block", "not a power of two");
  j->d = file->d;
  if (!(j->radius > 0)) j->radius = 0.4 * sqrt((double)j->d);
  if (!(j->ball > 0)) j->ball = 2 * sqrt((double)j->d) / (j->radius * j->radius);
  if (!(j->eta > 0)) j->eta = 1 / (j->radius * j->radius * j->radius * j->radius);
  if (!(j->delta > 0)) j->delta = 1 / ((double)file->total * (double)file->total);
  memset(&j->ring, 0, sizeof j->ring);
  j->ring.form = DPPAIR_FORM_METRIC;
  j->ring.n = (size_t)file->total;
  j->ring.block = j->block;
  j->ring.d = j->ring.k = j->d;
  j->ring.offset = 1;
  j->ring.radius = j->radius;
  j->first = first_of(j, j->all.rank);
  j->end = first_of(j, j->all.rank + 1);
  for (r = 0; r < j->all.ranks; r++)
    if (first_of(j, r + 1) - first_of(j, r) > j->most)
      j->most = first_of(j, r + 1) - first_of(j, r);
  j->w = room(2 * j->d * j->d, sizeof *j->w);
  if (j->w == NULL || !fine(j, dppair_project_workspace(&j->room_bytes, j->d), "sizes")) return 0;
  j->g = j->w + j->d * j->d;
  j->room = room(j->room_bytes, 1);
  j->ring.w = j->w;
  for (k = 0; k < j->d; k++) j->w[k * j->d + k] = 1 / (j->radius * j->radius);
  widest = sqrt((double)j->d) / (j->radius * j->radius);
  for (k = 0; k < j->d && widest > j->ball; k++)
    j->w[k * j->d + k] *= j->ball / widest * (1 - 1e-14);
  return j->room != NULL;
}

static int train(job *j) {
  uint8_t digest[DIGEST_SIZE];
  size_t bytes, t;
  void *words;
  int ok = fine(j, dppair_sum_workspace(&bytes, j->d * j->d + 1), "sizes");
  words = room(ok ? bytes : 0, 1);
  if (ok) ok = fine(j, pair_form_block_workspace(&j->options.bytes, &j->ring, &j->options), "sizes");
  j->options.work = room(ok ? j->options.bytes : 0, 1);
  if (ok && (words == NULL || j->options.work == NULL))
    ok = complain(j, "memory", "there is none left");
  if (ok) ok = digest_make(digest, j);
  if (ok && j->all.rank == 0) ok = plan(j, digest);
  for (t = 0; t < j->steps && ok; t++) ok = step(j, words, bytes);
  if (ok && j->all.rank == 0) ok = write_model(j);
  if (ok && j->all.rank == 0) key_destroy(j);
  dppair_release_close(&j->release);
  free(words);
  free(j->options.work);
  return ok;
}

static int run(job *j) {
  char error[ERROR_SIZE];
  chunks file;
  int ok;
  memset(&file, 0, sizeof file);
  ok = chunks_open(&file, j->data, NULL, error) ? settle(j, &file) : complain(j, j->data, error);
  if (ok) ok = read_blocks(j, &file);
  chunks_close(&file);
  if (ok) ok = train(j);
  free(j->own);
  free(j->held);
  free(j->spare);
  free(j->w);
  free(j->room);
  return ok;
}

static int parse(job *j, int argc, char **argv) {
  int i;
  j->epsilon = 1;
  j->steps = 10;
  for (i = 1; i < argc; i++) {
    const char *name = argv[i];
    const double value = i + 1 < argc ? strtod(argv[i + 1], NULL) : 0;
    if (name[0] != '-' && j->data == NULL) {
      j->data = name;
      continue;
    }
    if (++i >= argc) break;
    if (strcmp(name, "--key") == 0)
      j->key = argv[i];
    else if (strcmp(name, "--model") == 0)
      j->model = argv[i];
    else if (strcmp(name, "--epsilon") == 0)
      j->epsilon = value;
    else if (strcmp(name, "--delta") == 0)
      j->delta = value;
    else if (strcmp(name, "--steps") == 0)
      j->steps = value >= 1 && value < 1e6 ? (size_t)value : 0;
    else if (strcmp(name, "--step-size") == 0)
      j->eta = value;
    else if (strcmp(name, "--radius") == 0)
      j->radius = value;
    else if (strcmp(name, "--param-radius") == 0)
      j->ball = value;
    else if (strcmp(name, "--block") == 0)
      j->block = value >= 1 && value < 1e9 ? (size_t)value : 0;
    else
      break;
  }
  return i == argc && j->data != NULL && j->key != NULL && j->model != NULL && j->steps > 0;
}

int main(int argc, char **argv) {
  static job j;
  struct stat there;
  int ok;
  if (!team_open(&j.all, &argc, &argv)) return 1;
  if (!parse(&j, argc, argv)) {
    if (j.all.rank == 0) (void)fputs(usage, stderr);
    return team_close(&j.all, 2);
  }
  ok = j.all.rank > 0 || lstat(j.model, &there) != 0 || complain(&j, j.model, "exists");
  ok = ok && run(&j);
  return team_close(&j.all, ok ? 0 : 1);
}
