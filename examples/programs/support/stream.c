/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/stream.h"

#include <stdlib.h>
#include <string.h>

#include "methods/links.h"
#include "support/convert.h"

int stream_leads(const run_options *o) { return o->team == NULL || o->team->rank == 0; }

/* --- the checkpoint --------------------------------------------------------------------------- */

static dppair_status told(stream *s) {
  s->told = 1;
  return DPPAIR_ERR_DOMAIN; /* the reason is on stderr; this only ends the run */
}

static dppair_status keep_plan(const uint8_t *key, const char *line, size_t length, size_t steps,
                               void *context) {
  stream *s = context;
  checkpoint *c = &s->kept;
  if (length >= sizeof c->line) return told(s);
  memcpy(c->key, key, sizeof c->key);
  memcpy(c->line, line, length);
  c->length = length;
  c->steps = steps;
  (void)strcpy(c->version, DPPAIR_VERSION_STRING);
  memcpy(c->settings, s->settings, sizeof c->settings);
  memcpy(c->data, s->data, sizeof c->data);
  if (!checkpoint_begin(c)) return told(s);
  if (!s->o->quiet)
    (void)complain(0,
                   "%s undoes the noise of this release until the model is written; keep it as "
                   "secret as the data",
                   c->path);
  return DPPAIR_OK;
}

static dppair_status keep_step(const double *w, double sigma, size_t step, size_t steps,
                               void *context) {
  stream *s = context;
  checkpoint *c = &s->kept;
  if (s->steps == 0) {
    s->steps = steps;
    progress_begin(&s->bar, "training", 2 * (steps - step) * (size_t)s->each,
                   s->o->quiet || !s->o->stream || !stream_leads(s->o));
  }
  s->step = step;
  if (c->fd < 0 || step == c->step) return DPPAIR_OK;
  memcpy(c->w, w, (c->d - 1) * sizeof *w);
  c->w[c->d - 1] = sigma;
  return checkpoint_keep(c, step) ? DPPAIR_OK : told(s);
}

int stream_begin(stream *s, const run_options *o) {
  memset(s, 0, sizeof *s);
  checkpoint_clear(&s->kept);
  s->o = o;
  s->course.context = s;
  s->course.step = keep_step;
  s->course.follows = !stream_leads(o);
  s->start = seconds_now();
  if (o->checkpoint == NULL || !stream_leads(o)) return 1;
  return checkpoint_open(&s->kept, o->checkpoint, o->resume);
}

/* Rank 0 alone has a checkpoint, and the others begin where it does. */
static int share_beginning(stream *s, size_t d) {
  const stream_team *team = s->o->team;
  course *c = &s->course;
  uint64_t done = c->done;
  double *w = s->kept.w;
  int ok;
  if (team == NULL) return 1;
  ok = team->share(team->context, &done, sizeof done);
  if (!ok || done == 0) return ok;
  if (w == NULL && (w = s->kept.w = calloc(d, sizeof *w)) == NULL)
    return complain(0, "out of memory");
  c->done = (size_t)done;
  c->w = w;
  return team->share(team->context, w, d * sizeof *w);
}

/* What a checkpoint has to agree with. Noise of a kept key is known, so nothing is promised of it:
 * such a run is gone on with as a replay, and no other run is. */
static void settings_make(stream *s, const uint8_t asked[DIGEST_SIZE]) {
  sha256 h;
  sha256_begin(&h);
  sha256_add(&h, asked, DIGEST_SIZE);
  sha256_add_u64(&h, s->o->replay != NULL);
  sha256_end(s->settings, &h);
}

int stream_agrees(stream *s, const uint8_t asked[DIGEST_SIZE], size_t d) {
  const stream_team *team = s->o->team;
  checkpoint *c = &s->kept;
  settings_make(s, asked);
  if (team != NULL && (!team->agree(team->context, asked, DIGEST_SIZE) ||
                       !team->agree(team->context, s->data, DIGEST_SIZE)))
    return 0;
  if (c->fd >= 0 && c->state == CHECKPOINT_FULL) {
    if (strcmp(c->version, DPPAIR_VERSION_STRING) != 0)
      return complain(0, "%s: of version %s, and this is %s, whose bits may differ", c->path,
                      c->version, DPPAIR_VERSION_STRING);
    if (memcmp(c->data, s->data, sizeof c->data) != 0)
      return complain(0,
                      "%s: of other data than these; a step repeated with other data would give "
                      "its noise away, so nothing is done",
                      c->path);
    if (memcmp(c->settings, s->settings, sizeof c->settings) != 0 || c->d != d + 1)
      return complain(0, "%s: of other settings than these, so nothing is done", c->path);
    s->course.key = c->key;
    s->course.line = c->line;
    s->course.length = c->length;
    s->course.w = c->w;
    s->course.sigma = c->w[c->d - 1];
    s->course.done = s->step = c->step;
  } else if (c->fd >= 0) {
    s->course.begin = keep_plan;
  }
  return share_beginning(s, d);
}

int stream_finish(stream *s) { return s->kept.fd < 0 || checkpoint_end(&s->kept); }

void stream_explain(const stream *s) {
  const checkpoint *c = &s->kept;
  if (c->fd < 0 || c->state != CHECKPOINT_FULL) return;
  (void)complain(0, "%s: %zu of %zu steps are kept; with --resume the same command goes on",
                 c->path, c->step, c->steps);
}

/* --- passes over a file ----------------------------------------------------------------------- */

static int trouble(stream *s, const char *error) {
  progress_end(&s->bar);
  s->told = 1;
  if (s->rows.fault != FAULT_RECORD) return complain(0, "%s", error);
  (void)refuse_records(s->o); /* what is wrong with a record is not told */
  return 0;
}

static void show_check(void *context) {
  stream *s = context;
  char more[64];
  (void)snprintf(more, sizeof more, "%.0f MB/s",
                 (double)s->rows.bytes / 1e6 / (seconds_now() - s->bar.start));
  progress_to(&s->bar, (size_t)s->rows.bytes, more);
}

static void show(stream *s) {
  const uint64_t read = s->rows.bytes - s->each;
  char more[64];
  if (!s->bar.active) return;
  (void)snprintf(more, sizeof more, "step %zu of %zu, %.0f MB/s, %.3g records/s", s->step + 1,
                 s->steps, (double)read / 1e6 / (seconds_now() - s->bar.start),
                 (double)read / (double)s->each * (double)s->rows.n /
                     (seconds_now() - s->bar.start));
  progress_to(&s->bar, (size_t)read, more);
}

static dppair_status rewind_rows(void *context) {
  stream *s = context;
  char error[ERROR_SIZE];
  s->pass++;
  if (chunks_rewind(&s->rows, error)) return DPPAIR_OK;
  (void)trouble(s, error);
  return told(s);
}

/* Where the users of a block begin, in both classes. 0 without memory. */
static int place_persons(dppair_groups *groups, stream *s, const chunk *block) {
  const size_t count = block->users;
  size_t k, *up, *down;
  if (count >= s->place_room) {
    free(s->places);
    s->place_room = count + 1024;
    s->places = malloc(2 * s->place_room * sizeof *s->places);
    if (s->places == NULL) return 0;
  }
  up = s->places;
  down = up + s->place_room;
  up[0] = down[0] = 0;
  for (k = 0; k < count; k++) {
    up[k + 1] = up[k] + block->counts[2 * k];
    down[k + 1] = down[k] + block->counts[2 * k + 1];
  }
  groups->count = count;
  groups->positive = up;
  groups->negative = down;
  return 1;
}

static dppair_status next_rows(dppair_rows_f64 *rows, dppair_groups *groups, void *context) {
  stream *s = context;
  const size_t d = s->rows.d;
  char error[ERROR_SIZE];
  chunk block;
  size_t k;
  const int found = chunks_next(&s->rows, &block, error);
  if (found < 0) {
    (void)trouble(s, error);
    return told(s);
  }
  if (found == 0) memset(&block, 0, sizeof block);
  for (k = 0; block.f32 != NULL && k < block.n * d; k++) s->wide[k] = (double)block.f32[k];
  *rows = dppair_rows_make_f64(block.f32 != NULL ? s->wide : block.f64, block.n, d, d);
  rows->positives = block.positives;
  show(s);
  if (!s->rows.grouped || place_persons(groups, s, &block)) return DPPAIR_OK;
  (void)complain(0, "out of memory");
  return told(s);
}

/* Whose the records of a block are, which stand at `first`: numbers from *user on. */
static void own(stream *s, const chunk *block, size_t first, size_t *user) {
  size_t k, i, up = first, down = first + block->positives;
  for (k = 0; k < block->users; k++, (*user)++) {
    for (i = 0; i < block->counts[2 * k]; i++) s->owners[up++] = *user;
    for (i = 0; i < block->counts[2 * k + 1]; i++) s->owners[down++] = *user;
  }
}

/* Few records are held: pairs of so few are summed in loops, in their order in the file. This is
 * the second pass after the check, so blocks come in their order. */
static int hold(stream *s) {
  const size_t n = (size_t)s->rows.n, d = s->rows.d;
  double *x = malloc(n * (d + 1) * sizeof *x), *y = x + n * d;
  char error[ERROR_SIZE];
  chunk block;
  const int grouped = s->rows.grouped;
  size_t i, j, first = 0, user = 0;
  int found;
  if (grouped) s->owners = malloc(n * sizeof *s->owners);
  s->memory = x;
  if (x == NULL || (grouped && s->owners == NULL)) return complain(0, "out of memory");
  if (!chunks_rewind(&s->rows, error)) return trouble(s, error);
  while ((found = chunks_next(&s->rows, &block, error)) > 0) {
    if (block.n > n - first) return complain(0, "%s: it has been changed", s->o->data);
    if (grouped) own(s, &block, first, &user);
    for (i = 0; i < block.n; i++) { /* without users the last of the negatives comes first */
      const size_t to =
          first + (i < block.positives || grouped ? i : block.n - 1 - (i - block.positives));
      for (j = 0; j < d; j++)
        x[to * d + j] = block.f32 != NULL ? (double)block.f32[i * d + j] : block.f64[i * d + j];
      y[to] = i < block.positives ? 1 : -1;
    }
    first += block.n;
  }
  if (found < 0) return trouble(s, error);
  s->held.n = n;
  s->held.d = d;
  s->held.x = s->held.raw = x;
  s->held.y = y;
  s->held.group = s->owners;
  return 1;
}

static dppair_status add_words(uint64_t *words, size_t count, void *context) {
  stream *s = context;
  return s->o->team->add(s->o->team->context, words, count) ? DPPAIR_OK : told(s);
}

static dppair_status share_bytes(void *bytes, size_t size, void *context) {
  stream *s = context;
  return s->o->team->share(s->o->team->context, bytes, size) ? DPPAIR_OK : told(s);
}

/* The digest and number of all rows from those of each process. */
static int add_digests(stream *s) {
  const stream_team *team = s->o->team;
  uint64_t words[2 * (DIGEST_SIZE / 4 + 2)] = {0}, carry = 0;
  size_t k, b;
  if (team == NULL) return 1;
  for (k = 0; k < DIGEST_SIZE; k++) words[2 * (k / 4)] |= (uint64_t)s->data[k] << (8 * (k % 4));
  words[2 * (DIGEST_SIZE / 4)] = s->rows.n;
  words[2 * (DIGEST_SIZE / 4) + 2] = s->rows.users;
  if (!team->add(team->context, words, DIGEST_SIZE / 4 + 2)) return 0;
  for (k = 0; k < DIGEST_SIZE / 4; k++) {
    carry += words[2 * k];
    for (b = 0; b < 4; b++, carry >>= 8) s->data[4 * k + b] = (uint8_t)(carry & 255);
  }
  return (words[2 * (DIGEST_SIZE / 4)] == s->rows.total &&
          words[2 * (DIGEST_SIZE / 4) + 2] == s->rows.all_persons &&
          (s->rows.source != CHUNKS_BINARY ||
           memcmp(s->data, s->rows.head.digest, sizeof s->data) == 0)) ||
         complain(0, "%s: not the same file in every process", s->o->data);
}

static int check_rows(stream *s) {
  const stream_team *team = s->o->team;
  char error[ERROR_SIZE];
  if (team != NULL && team->ranks > 1) {
    const uint64_t blocks = s->rows.blocks, first = blocks * team->rank / team->ranks;
    if (chunks_binary(s->o->data) <= 0)
      return complain(0, "%s: processes share a binary file (--convert)", s->o->data);
    if (!chunks_part(&s->rows, first, blocks * (team->rank + 1) / team->ranks - first, error))
      return complain(0, "%s", error);
  }
  progress_begin(&s->bar, "checking", (size_t)s->rows.size + 1, s->o->quiet || !stream_leads(s->o));
  s->rows.tick = show_check;
  s->rows.context = s;
  if (!chunks_check(&s->rows, error)) return trouble(s, error);
  progress_end(&s->bar);
  s->each = s->rows.bytes;
  memcpy(s->data, s->rows.digest, sizeof s->data);
  return add_digests(s);
}

int stream_load(stream *s, dataset *data, scale_kind *scale) {
  const stream_team *team = s->o->team;
  int code = load_chunks(&s->rows, &s->plan, s->o);
  if (code != 0) return code;
  if (!check_rows(s)) return 1;
  s->wide = malloc((s->rows.largest * s->rows.d + 1) * sizeof *s->wide);
  if (s->wide == NULL) return complain(1, "out of memory");
  *data = s->rows.columns;
  data->n = (size_t)s->rows.total;
  data->groups = (size_t)s->rows.all_persons;
  *scale = s->rows.scale;
  if ((code = count_groups(data, s->o)) != 0) return code;
  /* with users n is private, so its bound decides how pairs are summed */
  if (most_records(s->o, data) >= FAST_FROM || (team != NULL && team->ranks > 1) || hold(s))
    return 0;
  return 1;
}

int stream_digest(stream *s, const records *rows, const dataset *data, scale_kind scale) {
  char error[ERROR_SIZE];
  chunks c;
  int ok;
  memset(&c, 0, sizeof c);
  ok = chunks_open_records(&c, rows, data, scale, 0, error) && chunks_check(&c, error);
  if (ok) memcpy(s->data, c.digest, sizeof s->data);
  if (!ok) (void)complain(0, "%s", error);
  chunks_close(&c);
  return ok;
}

void stream_task(task *t, stream *s, const dataset *data) {
  course *c = &s->course;
  t->course = c;
  if (c->begin != NULL) s->kept.d = data->d + 1; /* and the scale of the noise */
  if (!s->o->stream) return;
  s->held.groups = data->groups;
  if (s->held.n > 0) {
    t->train = s->held;
    return;
  }
  t->train.groups = data->groups;
  c->users = (size_t)s->rows.all_persons;
  t->train.n = data->n;
  t->train.d = data->d;
  c->rewind = rewind_rows;
  c->next = next_rows;
  c->block = s->rows.largest;
  if (s->o->team != NULL) {
    c->add = add_words;
    c->share = share_bytes;
  }
}

void stream_print_rates(const stream *s) {
  const double seconds = seconds_now() - s->start;
  if (s->pass == 0 || s->rows.grouped) return; /* how many records users have is private */
  (void)printf("%s: %zu passes, %.4g GB in %.1f s: %.4g MB/s, %.4g records/s\n", s->o->data,
               s->pass + 1, (double)s->rows.bytes / 1e9, seconds,
               (double)s->rows.bytes / 1e6 / seconds,
               (double)s->rows.n * (double)(s->pass + 1) / seconds);
}

void stream_close(stream *s) {
  progress_end(&s->bar);
  chunks_close(&s->rows);
  row_plan_free(&s->plan);
  free(s->wide);
  free(s->memory);
  free(s->owners);
  free(s->places);
  checkpoint_close(&s->kept);
}
