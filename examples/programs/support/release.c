/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/evaluation.h" /* first: `options` is a name of the program, too */

#include "support/draft.h"
#include "support/release.h"
#include "support/stream.h"
#include "support/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- what is promised ------------------------------------------------------------------------- */

/* The best attacker is right (1 + delta(0))/2 of the time, and delta(0) is at most what (epsilon,
 * delta) leave. */
double right_percent(double epsilon, double delta, double right) {
  const double e = exp(-epsilon), most = (1 + delta * e) / (1 + e) * (1 + 1e-14);
  if (!(right > 0 && right < most)) right = most;
  return fmin(100, ceil(1e3 * right) / 10);
}

/* What one of the protected units is, in the words of the guarantee. */
typedef struct unit_words {
  char changed[400];     /* "If ... had been ...", up to "then" */
  const char *one;       /* "differential privacy for one ..." */
  const char *others;    /* what the attacker knows */
  const char *which;     /* what he has to tell */
  char known[200];       /* what of their numbers is public */
  const char *uncovered; /* whom it does not cover */
} unit_words;

static const char domain_words[] =
    "the declared domain (one of the two labels, a number in every column)";

/* n: how many records, users or queries there are. */
static void unit_describe(unit_words *w, const run_options *o, size_t n, size_t most) {
  const char *column = o->user != NULL ? o->user : o->query;
  const char *kind = o->user != NULL ? "persons" : "queries";
  const int zero = o->adjacency == DPPAIR_ZERO_USER || o->adjacency == DPPAIR_ZERO_QUERY;
  if (o->adjacency == DPPAIR_REPLACE_ONE) {
    (void)snprintf(w->changed, sizeof w->changed,
                   "any single one of the n = %zu records, features and label together, had been "
                   "replaced by any other record of %s%s%.60s%s",
                   n, domain_words, o->query != NULL ? " in the same query (column '" : "",
                   o->query != NULL ? column : "", o->query != NULL ? "')" : "");
    w->one =
        o->query != NULL ? "one replaced record, which stays in its query" : "one replaced record";
    w->others = "all other records";
    w->which = "records was";
    (void)snprintf(w->known, sizeof w->known, "the number of records%s",
                   o->query != NULL ? ", to which query each of them belongs" : "");
    w->uncovered = o->query != NULL ? "a record that changes its query; people who own several "
                                      "records"
                                    : "people who own several records";
    return;
  }
  (void)snprintf(w->changed, sizeof w->changed,
                 "all records of any single one of the %zu %s (what has one name in the column "
                 "'%.60s' counts as one), however many they are, had been %s %s",
                 n, kind, column,
                 zero ? "absent, or any such records of one more had been there, of"
                      : "replaced by any others, at least one, of",
                 domain_words);
  w->one = o->user != NULL ? (zero ? "one person's records, however many, absent or present"
                                     : "one person's records, however many, replaced")
                             : (zero ? "one query's records, however many, absent or present"
                                     : "one query's records, however many, replaced");
  w->others = o->user != NULL ? "the records of all other persons" : "all other queries";
  w->which = o->user != NULL ? "persons' records were" : "queries was";
  (void)snprintf(w->known, sizeof w->known,
                 "the number of %s (%s), that there are at least %d and at most %zu records, but "
                 "neither how many there are nor whose",
                 kind, (o->user != NULL ? o->users : o->queries) > 0 ? "declared" : "counted",
                 MIN_RECORDS, most);
  w->uncovered = o->user != NULL ? "people who are there under several names"
                                   : "people with records in several queries";
}

void attack_words(const char **others, const char **which, const run_options *o) {
  unit_words w;
  unit_describe(&w, o, 0, 0);
  *others = w.others;
  *which = w.which;
}

void guarantee(char out[GUARANTEE_SIZE], const release_kind *kind, const run_options *o,
               const method *m, double epsilon, double delta, double right, size_t n, size_t most) {
  const char *besides = strchr(m->released, ';');
  int held = (int)(besides != NULL ? (size_t)(besides - m->released) : strlen(m->released));
  unit_words w;
  if (o->replay != NULL) {
    (void)snprintf(out, GUARANTEE_SIZE,
                   "replayed: no guarantee. This file repeats an earlier release by noise that is "
                   "known to whoever holds its key file.");
    return;
  }
  if (!dppair_isfinite_f64(epsilon)) {
    (void)snprintf(out, GUARANTEE_SIZE,
                   "NO GUARANTEE: method %s, with these settings, is not differentially private at "
                   "any epsilon. What the file holds, %.*s, may give records away.",
                   m->name, held, m->released);
    return;
  }
  unit_describe(&w, o, n, most);
  (void)snprintf(
      out, GUARANTEE_SIZE,
      "If %s, "
      "then for every set of possible outcomes the probability that the released outcome lies in "
      "it would have been at most exp(%.6g) times as large%s%.6g%s. That is (epsilon, delta) = "
      "(%.6g, %.6g) differential privacy for %s. Whoever knows %s, "
      "sees what is released and has to tell which of two %s used, both equally likely, "
      "is right at most %.1f %% of the time (50 %% is chance). What is released is the file "
      "that --model names, which holds %.*s%s%s%s. Treated as public: %s, "
      "the columns with their declared ranges or maps, the two labels, that every record "
      "is in the domain, and every setting. Not covered: %sfigures computed from the data without "
      "noise, such as those of a simulation; messages about records that a simulation cannot read; "
      "other releases from the same data, whose budgets add to this one; %s; and what an observer "
      "learns from the running time or the memory of this computer.",
      w.changed, epsilon, delta > 0 ? " plus " : " (with delta = ", rounded_up(delta),
      delta > 0 ? "" : ")", epsilon, rounded_up(delta), w.one, w.others, w.which,
      right_percent(epsilon, delta, right), held, m->released,
      besides != NULL ? "; this would also cover" : ", and this covers nothing else",
      besides != NULL ? besides + 1 : "", besides != NULL ? ", which no file holds" : "", w.known,
      kind->uncovered, w.uncovered);
}

/* 1 after writing the warning, when delta would allow to publish a record. */
static int delta_warning(char *out, size_t size, double delta, double n, const char *unit) {
  if (!(delta >= 1 / n)) return 0;
  (void)snprintf(
      out, size,
      "warning: delta = %.6g is not below 1/n; a delta of 1/n would allow to publish one "
      "%s as it is (--delta X)",
      rounded_up(delta), unit);
  return 1;
}

void print_promise(const release_kind *kind, const run_options *o, const method *m, const dataset *data,
                   double spent) {
  char text[GUARANTEE_SIZE];
  const double n = (double)units(o, data), delta = o->delta_given ? o->delta : 1 / n;
  /* with more records than a simulation trains on it may spend what that one left */
  if (spent < o->epsilon[0]) spent = o->epsilon[0];
  (void)printf("What a release of all records with --model FILE --epsilon %g would guarantee%s:\n",
               o->epsilon[0], o->with.as_printed ? " (its epsilon is that of the simulation)" : "");
  guarantee(text, kind, o, m, stated_epsilon(spent, o->epsilon[0]), delta, 0, units(o, data),
            most_records(o, data));
  print_wrapped(stdout, text);
  if (delta_warning(text, sizeof text, delta, n, unit_name(o))) print_wrapped(stdout, text);
}

/* --- the file --------------------------------------------------------------------------------- */

/* The model, from before the records are read to when it is written. */
typedef struct output {
  draft to;
  FILE *file;
  const char *path;
} output;

static int exists(const char *path) {
  struct stat any;
  return lstat(path, &any) == 0;
}

/* again: what is there may be what this run is about to write. */
static int output_open(output *out, const char *path, int again) {
  out->path = path;
  if (exists(path) && !again) return complain(0, "%s: exists; a release replaces nothing", path);
  if (draft_open(&out->to, path, again ? DRAFT_AGAIN : DRAFT_NEW, 0666) &&
      (out->file = draft_stream(&out->to)) != NULL)
    return 1;
  (void)complain(0, "%s: %s", path, strerror(errno));
  draft_drop(&out->to);
  return 0;
}

static int output_keep(output *out) {
  return draft_keep(&out->to) || complain(0, "%s: %s", out->path, strerror(errno));
}

static void member(FILE *file, const char *name, int *first) {
  (void)fputs(*first ? "{\n  " : ",\n  ", file);
  *first = 1;
  json_member(file, name, first);
}

static void member_text(FILE *file, const char *name, const char *text, int *first) {
  member(file, name, first);
  json_text(file, text);
}

static void member_number(FILE *file, const char *name, double value, int *first) {
  member(file, name, first);
  json_number(file, value);
}

/* Columns: names, declared ranges, maps. */
static void write_columns(FILE *file, const dataset *data) {
  size_t j;
  (void)fputs("[", file);
  for (j = 0; j < data->d; j++) {
    const feature *f = &data->features[j];
    int first = 1;
    (void)fputs(j > 0 ? ",\n    {" : "\n    {", file);
    json_member_text(file, "name", f->name, &first);
    if (data->has_ranges) {
      json_member_number(file, "low", f->low, &first);
      json_member_number(file, "high", f->high, &first);
    }
    if (data->centred) {
      json_member_number(file, "centre", data->maps[j].centre, &first);
      json_member_number(file, "scale", data->maps[j].scale, &first);
    }
    if (data->maps != NULL && data->maps[j].terms[0] != '\0')
      json_member_text(file, "terms", data->maps[j].terms, &first);
    (void)fputs("}", file);
  }
  (void)fputs("\n  ]", file);
}

static void write_numbers(FILE *file, const double *v, size_t n) {
  size_t k;
  for (k = 0; k < n; k++) {
    (void)fputs(k > 0 ? ", " : "[", file);
    json_number(file, v[k]);
  }
  (void)fputs("]", file);
}

static int write_model(FILE *file, const release_kind *kind, const run_options *o, const method *m,
                       const dataset *data, scale_kind scale, const model *fitted, double delta,
                       const char *words) {
  int first = 1, ok = 1;
  size_t i, d = fitted->d;
  member_text(file, "format", kind->format, &first);
  member_text(file, "method", m->name, &first);
  member_text(file, "guarantee", words, &first);
  if (fitted->note[0] != '\0') member_text(file, "note", fitted->note, &first);
  member(file, "replayed", &first);
  (void)fputs(o->replay != NULL ? "true" : "false", file);
  member_text(file, "adjacency", dppair_adjacency_name(o->adjacency), &first);
  member_number(file, "epsilon", stated_epsilon(fitted->epsilon, o->epsilon[0]), &first);
  member_number(file, "delta", delta, &first);
  member_number(file,
                o->adjacency == DPPAIR_REPLACE_ONE ? "n"
                : o->user != NULL                ? "persons"
                                                   : "queries",
                (double)units(o, data), &first);
  member_number(file, "steps", (double)fitted->steps, &first);
  member_number(file, "sigma", fitted->sigma, &first);
  if (kind->matrix) member_number(file, "radius", fitted->radius, &first);
  member(file, "labels", &first);
  (void)fputs("{\"-1\": ", file);
  json_text(file, data->label[0]);
  (void)fputs(", \"+1\": ", file);
  json_text(file, data->label[1]);
  (void)fputs("}", file);
  member_text(file, "scale", scale_names[scale], &first);
  member(file, "columns", &first);
  write_columns(file, data);
  if (fitted->score == model_score_linear && !kind->matrix)
    member_text(file, "score", "linear", &first);
  member(file, kind->member, &first);
  if (fitted->print != NULL) {
    ok = fitted->print(file, fitted, data->has_ranges ? data->features : NULL);
  } else if (kind->matrix) {
    for (i = 0; i < d; i++) {
      (void)fputs(i > 0 ? ",\n    " : "[\n    ", file);
      write_numbers(file, fitted->theta + i * d, d);
    }
    (void)fputs("\n  ]", file);
  } else {
    write_numbers(file, fitted->theta, fitted->size);
  }
  (void)fputs("\n}\n", file);
  return ok;
}

/* --- keys ------------------------------------------------------------------------------------- */

typedef struct release_key {
  uint8_t noise[KEY_SIZE], indices[KEY_SIZE];
} release_key;

/* Everything that the outcome is made of but noise and records: declarations, settings, version. */
static void digest_settings(uint8_t digest[DIGEST_SIZE], const release_kind *kind, const run_options *o,
                            const method *m, const dataset *data, scale_kind scale, double delta) {
  sha256 h;
  size_t j;
  sha256_begin(&h);
  /* the draws count up when the same key begins to give other bits */
  sha256_add_text(&h, "dppair " DPPAIR_VERSION_STRING ", draws 4");
  sha256_add_text(&h, kind->format);
  sha256_add_text(&h, m->name);
  sha256_add_text(&h, o->with.loss);
  sha256_add_u64(&h, o->with.steps);
  sha256_add_u64(&h, (uint64_t)o->with.as_printed);
  sha256_add_number(&h, o->with.step_size);
  sha256_add_number(&h, o->with.radius);
  sha256_add_number(&h, o->with.param_radius);
  sha256_add_number(&h, o->with.lambda);
  sha256_add_number(&h, o->epsilon[0]);
  sha256_add_number(&h, delta);
  sha256_add_u64(&h, (uint64_t)scale);
  sha256_add_text(&h, data->label[0]);
  sha256_add_text(&h, data->label[1]);
  sha256_add_u64(&h, data->n);
  sha256_add_u64(&h, data->d);
  if (data->groups > 0) {
    sha256_add_text(&h, dppair_adjacency_name(o->adjacency));
    sha256_add_text(&h, o->user);
    sha256_add_text(&h, o->query);
    sha256_add_u64(&h, data->groups);
    sha256_add_u64(&h, most_records(o, data));
  }
  sha256_add_u64(&h, (uint64_t)data->has_ranges);
  sha256_add_u64(&h, data->maps != NULL);
  for (j = 0; j < data->d; j++) {
    const feature *f = &data->features[j];
    sha256_add_text(&h, f->name);
    sha256_add_number(&h, f->low);
    sha256_add_number(&h, f->high);
    sha256_add_u64(&h, (uint64_t)f->kind + (f->by_class ? 16 : 0));
    sha256_add_u64(&h, (uint64_t)(f->group + 1));
    if (data->maps == NULL) continue;
    sha256_add_number(&h, data->maps[j].centre);
    sha256_add_number(&h, data->maps[j].scale);
    sha256_add_text(&h, data->maps[j].terms);
  }
  sha256_end(digest, &h);
}

static void digest_records(uint8_t digest[DIGEST_SIZE], const dataset *data) {
  sha256 h;
  size_t i;
  sha256_begin(&h);
  for (i = 0; i < data->n; i++) sha256_add_number(&h, data->y[i]);
  for (i = 0; i < data->n * data->d; i++) sha256_add_number(&h, data->x[i]);
  for (i = 0; i < data->n && data->group != NULL; i++) sha256_add_u64(&h, data->group[i]);
  sha256_end(digest, &h);
}

static void put_hex(FILE *file, const uint8_t *bytes, size_t count) {
  size_t k;
  for (k = 0; k < count; k++) (void)fprintf(file, "%02x", bytes[k]);
  (void)fputc('\n', file);
}

static int get_hex(uint8_t *bytes, size_t count, FILE *file) {
  size_t k;
  for (k = 0; k < count; k++) {
    unsigned byte;
    if (fscanf(file, "%2x", &byte) != 1) return 0;
    bytes[k] = (uint8_t)byte;
  }
  return 1;
}

/* The model's name is still free: if it is there once the key's file is, both are one name,
 * whatever the file system takes for the same. */
static int key_save(const release_key *key, const uint8_t digest[DIGEST_SIZE], const char *path,
                    const char *taken) {
  draft to;
  FILE *file;
  if (!draft_open(&to, path, DRAFT_NEW, 0600) || (file = draft_stream(&to)) == NULL) {
    (void)complain(0, "%s: %s", path, strerror(errno));
    draft_drop(&to);
    return 0;
  }
  (void)fputs("dppair release key 2\n", file);
  put_hex(file, key->noise, KEY_SIZE);
  put_hex(file, key->indices, KEY_SIZE);
  put_hex(file, digest, DIGEST_SIZE);
  if (!draft_keep(&to)) return complain(0, "%s: %s", path, strerror(errno));
  if (same_file(path, taken)) {
    (void)unlink(path);
    return complain(0, "--save-key and --model name the same file");
  }
  (void)fprintf(stderr, "%s: %s undoes the noise of this release; keep it as secret as the data\n",
                program_name, path);
  return 1;
}

static int key_load(release_key *key, const uint8_t digest[DIGEST_SIZE], const char *path) {
  uint8_t kept[DIGEST_SIZE];
  FILE *file = fopen(path, "r");
  struct stat who;
  int version, ok;
  if (file == NULL) return complain(0, "%s: %s", path, strerror(errno));
  if (fstat(fileno(file), &who) == 0 && (who.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    (void)complain(0, "warning: others may read %s, which undoes the noise of its release", path);
  ok = fscanf(file, "dppair release key %d", &version) == 1 && version == 2 &&
       get_hex(key->noise, KEY_SIZE, file) && get_hex(key->indices, KEY_SIZE, file) &&
       get_hex(kept, DIGEST_SIZE, file);
  (void)fclose(file);
  if (!ok) return complain(0, "%s: not a release key of this version", path);
  if (memcmp(kept, digest, DIGEST_SIZE) != 0)
    return complain(0, "%s: the key of another release: data, settings or version differ", path);
  return 1;
}

/* Fresh keys from the operating system, or kept ones; generators of noise and of indices. */
static int keys_open(dppair_rng *noise, dppair_rng *indices, const run_options *o,
                     const uint8_t digest[DIGEST_SIZE]) {
  release_key key;
  dppair_status status = DPPAIR_OK;
  int ok = 1;
  memset(&key, 0, sizeof key);
  if (o->replay != NULL) {
    ok = key_load(&key, digest, o->replay);
  } else {
    status = fresh_key(key.noise);
    if (status == DPPAIR_OK) status = fresh_key(key.indices);
    if (status == DPPAIR_OK && o->save_key != NULL)
      ok = key_save(&key, digest, o->save_key, o->model);
  }
  if (ok && status == DPPAIR_OK) status = bound_generator(noise, key.noise, digest);
  if (ok && status == DPPAIR_OK) status = bound_generator(indices, key.indices, digest);
  dppair_wipe(&key, sizeof key);
  if (status != DPPAIR_OK) ok = complain(0, "%s", status_words(status));
  return ok;
}

/* --- the release ------------------------------------------------------------------------------ */

/* All records, scaled. */
static int gather_all(split *all, const dataset *data, scale_kind scale) {
  size_t i, *order = malloc(data->n * sizeof *order);
  int ok;
  memset(all, 0, sizeof *all);
  for (i = 0; i < data->n && order != NULL; i++) order[i] = i;
  ok = order != NULL && split_make(all, data, order, data->n, 0, scale);
  free(order);
  return ok || complain(0, "out of memory");
}

/* Digests of settings and records, as a checkpoint has to agree with them, and of both. Where a
 * method may stream, rows in memory have the digest of the same rows in a file. */
static int digests_make(uint8_t digest[DIGEST_SIZE], stream *run, const release_kind *kind,
                        const method *m, const dataset *data, const records *rows, scale_kind scale,
                        double delta) {
  uint8_t asked[DIGEST_SIZE];
  sha256 h;
  digest_settings(asked, kind, run->o, m, data, scale, delta);
  if (!run->o->stream && m->offers & OFFERS_STREAM && run->o->query == NULL) {
    if (!stream_digest(run, rows, data, scale)) return 0;
  } else if (!run->o->stream) {
    digest_records(run->data, data);
  }
  sha256_begin(&h);
  sha256_add(&h, asked, sizeof asked);
  sha256_add(&h, run->data, sizeof run->data);
  sha256_end(digest, &h);
  return stream_agrees(run, asked, data->d);
}

/* The records that --evaluate names, read as the training data are: their columns, scaling and
 * labels are declared once, for both. */
static int load_test(dataset *test, const run_options *o, const dataset *data, scale_kind scale) {
  run_options with = *o;
  scale_kind same = scale;
  size_t j;
  int code;
  with.data = o->evaluate;
  with.beside = o->data;
  code = load(test, &same, &with);
  if (code != 0) return complain(code, "%s: so nothing is done", o->evaluate);
  for (j = 0; j < data->d && j < test->d; j++)
    if (strcmp(test->features[j].name, data->features[j].name) != 0) break;
  if (j < data->d || test->d != data->d || same != scale || test->has_ranges != data->has_ranges)
    code = complain(2, "%s: not the columns of %s", o->evaluate, o->data);
  return code;
}

/* The trained model with its note, but for the guarantee; 0 after a complaint. */
static int train_model(model *fitted, task *t, stream *run, const release_kind *kind,
                       const method *m, const dataset *data) {
  const run_options *o = run->o;
  uint8_t digest[DIGEST_SIZE];
  dppair_rng noise, indices;
  dppair_status status;
  split all;
  int ok;
  memset(&noise, 0, sizeof noise);
  memset(&indices, 0, sizeof indices);
  memset(&all, 0, sizeof all);
  t->noise = &noise;
  t->indices = &indices;
  ok = (o->stream || gather_all(&all, data, t->scale)) &&
       digests_make(digest, run, kind, m, data, &all.train, t->scale, t->delta) &&
       (!stream_leads(o) || keys_open(&noise, &indices, o, digest));
  if (ok) {
    t->train = all.train;
    if (m->offers & OFFERS_STREAM) stream_task(t, run, data);
    status = method_train(fitted, m, t);
    if (status == DPPAIR_OK && !(fitted->radius > 0)) fitted->radius = task_radius(t);
    ok = status == DPPAIR_OK;
    if (!ok && !run->told)
      (void)complain(
          0, "%s: %s%s", m->name, status_words(status),
          o->stream && status == DPPAIR_ERR_NO_PROOF
              ? ", among them weights too large for the sums of a stream: a ball for them "
                "(--param-radius) or a smaller --step-size may help"
              : "");
  }
  dppair_wipe(&noise, sizeof noise);
  dppair_wipe(&indices, sizeof indices);
  split_free(&all);
  return ok;
}

/* What the noise of the first release is made of (--explain): public numbers. */
static void print_explained(const dppair_explained *e) {
  if (!(e->scale > 0)) {
    (void)printf("noise: not explained where rows are read again in each pass\n");
    return;
  }
  (void)printf("noise of the first release, from public numbers alone:\n"
               "  slope of the loss           at most %.6g, at margins from %.6g to %.6g\n"
               "  a record moves a pair by    %.6g\n"
               "  times, by the draw          %.6g\n"
               "  and rounding                %.3g\n",
               e->slope, e->low < -1e-50 ? e->low : 0.0, e->high > 1e-50 ? e->high : 0.0, e->move,
               e->draw, e->rounding);
  if (e->clip > 0) (void)printf("  clip of a pair's gradient   %.6g\n", e->clip);
  if (e->cap > 0) (void)printf("  cap of the scores           %.6g\n", e->cap);
  (void)printf("  sensitivity                 %.6g\n"
               "  noise multiplier            %.6g\n"
               "  noise scale                 %.6g, in each weight\n"
               "  divisor, as expected        %.10g\n",
               e->sensitivity, e->noise_multiplier, e->scale, e->divisor);
}

/* Trains and writes; the file keeps its temporary name until output_keep. */
static int release_into(output *out, const release_kind *kind, stream *run, const method *m,
                        const dataset *data, const dataset *test, scale_kind scale) {
  const run_options *o = run->o;
  const double n = (double)units(o, data), delta = o->delta_given ? o->delta : 1 / n;
  char words[GUARANTEE_SIZE];
  int code = 0;
  dppair_explained explained;
  model fitted;
  task t;
  memset(&explained, 0, sizeof explained);
  if (stream_leads(o) && delta_warning(words, sizeof words, delta, n, unit_name(o)))
    (void)complain(0, "%s", words);
  task_fill(&t, o, data, scale, o->epsilon[0], delta);
  if (o->explain) t.with.explain = &explained;
  if (!train_model(&fitted, &t, run, kind, m, data)) return 1;
  if (!stream_leads(o)) {
    model_free(&fitted);
    return 0;
  }
  if (delta >= 1 / n)
    note(&fitted, "%sWARNING: delta is not below 1/n.", fitted.note[0] != '\0' ? " " : "");
  guarantee(words, kind, o, m, stated_epsilon(fitted.epsilon, o->epsilon[0]), delta, fitted.right,
            units(o, data), most_records(o, data));
  if (o->replay != NULL) fitted.epsilon = HUGE_VAL; /* nothing is promised */
  if (!write_model(out->file, kind, o, m, data, scale, &fitted, delta, words)) {
    model_free(&fitted);
    return complain(1, "%s: out of memory", o->model);
  }
  if (!output_keep(out) || !stream_finish(run)) {
    model_free(&fitted);
    return 1;
  }
  if (!o->quiet) {
    (void)printf("%s: written\n", o->model);
    stream_print_rates(run);
    if (fitted.note[0] != '\0') print_wrapped(stdout, fitted.note);
    print_wrapped(stdout, words);
    if (o->explain) print_explained(&explained);
  } else if (o->replay != NULL || !dppair_isfinite_f64(fitted.epsilon)) {
    print_wrapped(stdout, words);
  }
  if (o->evaluate != NULL)
    code = evaluate_model(&fitted, test, scale, o->evaluate, o->evaluate_epsilon, o->quiet);
  model_free(&fitted);
  return code;
}

/* A checkpoint whose run was stopped while it was erased: the model is there. */
static int ended_run(stream *run) {
  const run_options *o = run->o;
  if (!exists(o->model))
    return complain(1, "%s: its run has ended, and %s is not what it wrote", o->checkpoint,
                    o->model);
  if (!stream_finish(run)) return 1;
  if (!o->quiet) (void)printf("%s: written before; %s: erased\n", o->model, o->checkpoint);
  return 0;
}

static int release_run(output *out, const release_kind *kind, stream *run, const method *m) {
  const run_options *o = run->o;
  dataset data, test;
  scale_kind scale = SCALE_ROW;
  int code;
  memset(&data, 0, sizeof data);
  memset(&test, 0, sizeof test);
  code = o->stream ? stream_load(run, &data, &scale) : load(&data, &scale, o);
  if (code == 0) code = check_data(&data, o, m);
  if (code == 0 && o->evaluate != NULL) code = load_test(&test, o, &data, scale);
  if (code == 0) code = release_into(out, kind, run, m, &data, &test, scale);
  if (code != 0) stream_explain(run);
  if (!o->stream) data_free(&data); /* else run has it */
  data_free(&test);
  return code;
}

int release(const release_kind *kind, const run_options *o, const method *m) {
  output out;
  stream run;
  int code = 1;
  memset(&out, 0, sizeof out);
  draft_clear(&out.to);
  if (o->evaluate != NULL && kind->matrix)
    return complain(2, "--evaluate measures the AUC of a ranking: a metric has none");
  if (o->scale != NULL && strcmp(o->scale, scale_names[SCALE_ZSCORE]) == 0)
    return complain(
        2, "--scale zscore is not covered by the guarantee, so there is no --model for it");
  if (stream_leads(o) && !output_open(&out, o->model, o->resume)) return 1;
  if (stream_begin(&run, o))
    code = run.kept.state == CHECKPOINT_ENDED ? ended_run(&run) : release_run(&out, kind, &run, m);
  stream_close(&run);
  draft_drop(&out.to);
  return code;
}
