/* SPDX-License-Identifier: MIT */
/*
 * faults.c - programs of examples/ in which one thing goes wrong, at every site where it can:
 *
 *   faults --programs FOLDER --library HOOK [--stride N] [--only WORD] [--kind WORD]
 *
 * A job is run once to count its sites, then once for each of them (each N-th). After each run:
 *
 *   status      0 with all of its output, or another status and a sentence "PROGRAM: ..." on stderr
 *               that names the file of the call that failed, where a file's call failed
 *   torn        each file is as it was, or as a run without faults writes it
 *   left        no other file is there; where a signal ended the run one may be, and is gone after
 *               the next run
 *   resumed     a run that was stopped is done again, or gone on with, and ends as if it had not
 *               been
 *   spent       the ledger has its line if any figure was printed
 *   leaked      no number of a vector before its noise is in a file, or in the process's memory at
 *               its end
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace.h"

enum { OUTPUTS = 4, WORDS = 48 };

/* What an output may be after a fault. */
typedef enum output_kind {
  EXACT,  /* as before, or the bytes of a run without faults */
  SHAPED, /* the same, numbers aside: their noise is fresh */
  LOOSE,  /* the same, but how many numbers there are is chance, too: whole, to its last line */
  LEDGER, /* as before, or with one line more */
  SECRET  /* a checkpoint: whatever it is, the run can be gone on with */
} output_kind;

typedef struct job {
  const char *name, *program, *arguments;
  output_kind printed; /* of stdout */
  struct {
    const char *name, *before; /* before: the file that it is a copy of, or NULL */
    output_kind kind;
  } output[OUTPUTS];
  const char *again; /* what is added to go on, where the checkpoint is there */
} job;

#define CSV "d.csv --labels 0,1 --header yes --ranges ranges"
#define PERSONS "p.csv --person who --labels 0,1 --header yes --ranges ranges"
#define GD "--method gd --epsilon 2 --delta 1e-5 --steps 3"

static const job jobs[] = {
    {"auc",
     "private_auc",
     CSV " " GD " --model m --save-key k",
     SHAPED,
     {{"m", NULL, SHAPED}, {"k", NULL, SHAPED}},
     NULL},
    {"auc, replayed",
     "private_auc",
     CSV " " GD " --model m --replay kept",
     EXACT,
     {{"m", NULL, EXACT}},
     NULL},
    {"auc, checkpoint",
     "private_auc",
     CSV " " GD " --model m --replay kept --checkpoint c --quiet",
     EXACT,
     {{"m", NULL, EXACT}, {"c", NULL, SECRET}},
     "--resume"},
    {"auc, gone on with",
     "private_auc",
     CSV " " GD " --model m --replay kept --checkpoint c --quiet --resume",
     EXACT,
     {{"m", NULL, EXACT}, {"c", "half", SECRET}},
     ""},
    {"auc, stream",
     "private_auc",
     "d.dpb " GD " --model m --replay kept --checkpoint c --quiet",
     EXACT,
     {{"m", NULL, EXACT}, {"c", NULL, SECRET}},
     "--resume"},
    {"auc, measured",
     "private_auc",
     CSV " " GD " --model m --evaluate e.csv --evaluate-epsilon 40",
     SHAPED,
     {{"m", NULL, SHAPED}},
     NULL},
    {"auc, minimiser",
     "private_auc",
     CSV " --method niewang2017 --epsilon 2 --delta 1e-5 --model m --quiet",
     SHAPED,
     {{"m", NULL, SHAPED}},
     NULL},
    {"auc, one vector",
     "private_auc",
     CSV " --method one-vector --epsilon 2 --delta 1e-5 --model m --quiet",
     SHAPED,
     {{"m", NULL, SHAPED}},
     NULL},
    {"auc, auto",
     "private_auc",
     CSV " --method auto --epsilon 2 --delta 1e-5 --model m --quiet",
     SHAPED,
     {{"m", NULL, SHAPED}},
     NULL},
    {"auc, converted",
     "private_auc",
     CSV " --convert b --quiet",
     EXACT,
     {{"b", NULL, EXACT}},
     NULL},
    {"auc, ranges begun",
     "private_auc",
     "d.csv --header yes --write-ranges t --quiet",
     EXACT,
     {{"t", NULL, EXACT}},
     NULL},
    {"auc, applied", "private_auc", "--apply model d.csv", EXACT, {{NULL, NULL, EXACT}}, NULL},
    {"auc, simulated",
     "private_auc",
     "d.csv --ranges ranges --splits 2 --steps 2 --epsilon 1,2 --svg picture",
     EXACT,
     {{"picture", "old", EXACT}},
     NULL},
    {"metric",
     "private_metric",
     CSV " --method gd --epsilon 2 --delta 1e-5 --steps 2 --model m --quiet",
     SHAPED,
     {{"m", NULL, SHAPED}},
     NULL},
    {"evaluation",
     "private_evaluation",
     "scores.csv --epsilon 1 --ledger l --json",
     SHAPED,
     {{"l", NULL, LEDGER}},
     NULL},
    {"evaluation, roc",
     "private_evaluation",
     "scores.csv --measure roc --thresholds -1,0,1 --epsilon 1 --ledger l --svg picture",
     SHAPED,
     {{"l", "ledger", LEDGER}, {"picture", "old", SHAPED}},
     NULL},
    {"budget",
     "budget",
     "attack --mechanism gaussian --noise-multiplier 2 --steps 3 --svg picture --json",
     EXACT,
     {{"picture", "old", EXACT}},
     NULL},
    {"budget, ledger",
     "budget",
     "epsilon --ledger ledger --delta 1e-6",
     EXACT,
     {{NULL, NULL, EXACT}},
     NULL},
    {"influence",
     "influence",
     "d.csv --top 3 --retrain 3 --svg picture",
     EXACT,
     {{"picture", "old", EXACT}},
     NULL},
    {"contrastive",
     "contrastive",
     "d.csv --ranges ranges --splits 1 --steps 2 --epsilon 2 --picture picture --quiet",
     EXACT,
     {{"picture", "old", EXACT}},
     NULL},
    {"persons, converted",
     "private_auc",
     PERSONS " --convert b --quiet",
     EXACT,
     {{"b", NULL, EXACT}},
     NULL},
    {"persons, stream",
     "private_auc",
     "p.dpb --person who " GD " --model m --replay theirs --checkpoint c --quiet",
     EXACT,
     {{"m", NULL, EXACT}, {"c", NULL, SECRET}},
     "--resume"},
    {"persons, simulated",
     "private_auc",
     PERSONS " --method gd-records --owned 2 --splits 1 --steps 2 --epsilon 1",
     EXACT,
     {{NULL, NULL, EXACT}},
     NULL},
    {"utility curves",
     "utility_curves",
     "d.csv --ranges ranges --methods gd,softmax --epsilon 1,2 --splits 1 --steps 2 --svg picture --quiet",
     EXACT,
     {{"picture", "old", EXACT}},
     NULL}};
enum { JOBS = (int)(sizeof jobs / sizeof *jobs) };

/* Every other method: the allocations and the entropy, for what a failure leaves in memory. */
static const char *const methods[] = {"pointwise",
                                      "gd-last",
                                      "online",
                                      "declared",
                                      "histogram-bayes",
                                      "dpebm",
                                      "statistics",
                                      "adassp",
                                      "adassp-maps",
                                      "lda",
                                      "lda-maps",
                                      "selection",
                                      "selection-stopping",
                                      "kang2021",
                                      "dpgdsc",
                                      "dpgdc2",
                                      "dpegd",
                                      "offpairstrc",
                                      "offpairc",
                                      "yang2021",
                                      "niewang2017-fourier",
                                      "niewang2017-pairs",
                                      "dpsgd",
                                      "dpsgd-mlp",
                                      "dplssgd",
                                      "dplssgd-mlp",
                                      "dpsgd-allocation",
                                      "dpsgd-poisson",
                                      "dpsgd-subset",
                                      "bolton",
                                      "softmax",
                                      "filter",
                                      "filter-pairs"};
static const char *const metrics[] = {
    "direction-metric", "identity", "infonce",         "maps-metric", "moments-metric",
    "kang2021",         "dpgdsc",   "dpgdc2",          "dpegd",       "offpairstrc",
    "offpairc",         "yang2021", "yang2021-nuclear"};

typedef struct tally {
  long sites, worked, refused, torn, left, leaked, wrong;
} tally;

static tally sum;
static const char *programs, *library;
static int failures;

/* --- files ------------------------------------------------------------------------------------ */

/* malloc'ed, with a zero behind it; NULL where there is none. */
static char *slurp(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text;
  long size;
  *length = 0;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) abort();
  rewind(file);
  text = malloc((size_t)size + 1);
  if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) abort();
  text[size] = '\0';
  *length = (size_t)size;
  (void)fclose(file);
  return text;
}

static void spill(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0) abort();
}

static void copy(const char *to, const char *from) {
  size_t length;
  char *text = slurp(from, &length);
  if (text == NULL) abort();
  spill(to, text, length);
  if (chmod(to, 0600) != 0) abort();
  free(text);
}

static int same(const char *a, size_t na, const char *b, size_t nb) {
  return (a == NULL) == (b == NULL) && na == nb && (a == NULL || memcmp(a, b, na) == 0);
}

/* Each number, and each word of hexadecimal digits, becomes one '#'; with them go blanks, for prose
 * is wrapped elsewhere when a number is longer. */
static char *shape(const char *text, size_t length) {
  char *out = malloc(length + 1), *to = out;
  size_t k;
  for (k = 0; k < length; k++) {
    const char c = text[k];
    const int digit =
        (c >= '0' && c <= '9') ||
        ((c == '-' || c == '+' || c == '.') && k + 1 < length && text[k + 1] >= '0' &&
         text[k + 1] <= '9') ||
        (to > out && to[-1] == '#' && ((c >= 'a' && c <= 'f') || c == '.' || c == '-' || c == '+'));
    if (c == ' ' || c == '\n') continue;
    if (!digit)
      *to++ = c;
    else if (to == out || to[-1] != '#')
      *to++ = '#';
  }
  *to = '\0';
  return out;
}

static int alike(const char *a, size_t na, const char *b, size_t nb, output_kind kind) {
  char *one, *two;
  int ok;
  if (kind == LOOSE && a != NULL && b != NULL)
    return (na == 0) == (nb == 0) && (na == 0 || a[na - 1] == '\n') &&
           (nb < 3 || b[0] != '{' || (na > 3 && memcmp(a + na - 2, b + nb - 2, 2) == 0));
  if (a == NULL || b == NULL || kind != SHAPED) return same(a, na, b, nb);
  one = shape(a, na);
  two = shape(b, nb);
  ok = strcmp(one, two) == 0 && (na == 0 || nb == 0 || (a[na - 1] == '\n') == (b[nb - 1] == '\n'));
  free(one);
  free(two);
  return ok;
}

/* --- one job ---------------------------------------------------------------------------------- */

typedef struct reference {
  char *text[OUTPUTS + 1]; /* the outputs, then stdout */
  size_t length[OUTPUTS + 1];
  outcome run;
} reference;

static void place(const job *j) {
  int k;
  for (k = 0; k < OUTPUTS && j->output[k].name != NULL; k++) {
    (void)unlink(j->output[k].name);
    if (j->output[k].before != NULL) copy(j->output[k].name, j->output[k].before);
  }
}

static void run(outcome *o, const job *j, const char *more, fault_kind kind, long site) {
  char line[2048], *argv[WORDS], *at = line;
  int count = 0;
  (void)snprintf(line, sizeof line, "%s/%s %s %s", programs, j->program, j->arguments,
                 more != NULL ? more : "");
  for (at = strtok(line, " "); at != NULL && count + 1 < WORDS; at = strtok(NULL, " "))
    argv[count++] = at;
  argv[count] = NULL;
  trace_run(o, argv, library, kind, site);
}

static void report(const job *j, fault_kind kind, long site, const outcome *o, const char *what,
                   const char *more) {
  size_t length;
  char *said = slurp("err", &length);
  failures++;
  (void)printf("ERROR: %s: %s at site %ld (%s): %s%s; exit %d, signal %d: %s\n", j->name,
               fault_names[kind], site, o->path, what, more, o->code, o->signal,
               said != NULL ? said : "");
  free(said);
}

/* A file that is neither an input (their list is made once) nor an output: its name, or NULL. */
static char **inputs;
static size_t input_count;

static const char *stray(const job *j) {
  static char name[256];
  DIR *here = opendir(".");
  struct dirent *e;
  const char *found = NULL;
  while (here != NULL && (e = readdir(here)) != NULL && found == NULL) {
    size_t k;
    int known = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
                strcmp(e->d_name, "out") == 0 || strcmp(e->d_name, "err") == 0;
    for (k = 0; k < input_count && !known; k++) known = strcmp(e->d_name, inputs[k]) == 0;
    for (k = 0; k < OUTPUTS && j->output[k].name != NULL && !known; k++)
      known = strcmp(e->d_name, j->output[k].name) == 0;
    if (!known) {
      (void)snprintf(name, sizeof name, "%s", e->d_name);
      found = name;
    }
  }
  if (here != NULL) (void)closedir(here);
  return found;
}

static void inputs_list(void) {
  DIR *here = opendir(".");
  struct dirent *e;
  while (here != NULL && (e = readdir(here)) != NULL) {
    inputs = realloc(inputs, (input_count + 1) * sizeof *inputs);
    if (inputs == NULL || (inputs[input_count] = strdup(e->d_name)) == NULL) abort();
    input_count++;
  }
  if (here != NULL) (void)closedir(here);
}

/* A number's first digits, 12 of them, as %g or %e would print it; a public constant may be a power
 * of ten times as large. */
static int printed_in(const char *text, size_t length, const char *format, double value) {
  char digits[512];
  size_t k, seen = 0;
  int leading = 1;
  (void)snprintf(digits, sizeof digits, format, value < 0 ? -value : value);
  for (k = 0; digits[k] != '\0' && digits[k] != 'e' && seen < 12; k++) {
    if (digits[k] >= '1' && digits[k] <= '9') leading = 0;
    seen += !leading && digits[k] != '.';
  }
  return memmem(text, length, digits, k) != NULL;
}

/* Numbers that noise was added to, in a file: their bytes, their digits, their hexadecimal. */
static size_t in_file(const secrets *s, const char *path) {
  size_t length, k, found = 0;
  char *text = slurp(path, &length);
  if (text == NULL) return 0;
  for (k = 0; k < s->count && !s->narrow; k++) {
    double value;
    char hex[64], *at;
    const size_t before = found;
    memcpy(&value, &s->word[k], sizeof value);
    found += memmem(text, length, &s->word[k], 8) != NULL;
    found += printed_in(text, length, "%.17g", value) || printed_in(text, length, "%.16e", value);
    (void)snprintf(hex, sizeof hex, "%a", value);
    at = strchr(hex, 'p');
    if (at != NULL) *at = '\0';
    at = strchr(hex, '.');
    if (at != NULL && strlen(at) > 9) found += memmem(text, length, at, strlen(at)) != NULL;
    if (found > before && getenv("FAULTS_WHERE") != NULL)
      (void)fprintf(stderr, "found %.17g (%a) in %s:\n%s\n", value, value, path, text);
  }
  free(text);
  return found;
}

static int ledger_holds(const char *was, size_t before, const char *is, size_t length,
                        size_t *lines) {
  size_t k;
  *lines = 0;
  if (length < before || memcmp(was != NULL ? was : "", is != NULL ? is : "", before) != 0)
    return 0;
  for (k = before; k < length; k++) *lines += is[k] == '\n';
  return length == before ? is != NULL || was == NULL : *lines == 1 && is[length - 1] == '\n';
}

/* The outputs after a run; NULL, or what is wrong. */
static const char *outputs_wrong(const job *j, const reference *whole, int done, size_t *paid) {
  int k;
  const char *wrong = NULL;
  for (k = 0; k < OUTPUTS && j->output[k].name != NULL && wrong == NULL; k++) {
    size_t length, before = 0;
    char *is = slurp(j->output[k].name, &length);
    char *was = j->output[k].before != NULL ? slurp(j->output[k].before, &before) : NULL;
    const output_kind kind = j->output[k].kind;
    const int complete = alike(is, length, whole->text[k], whole->length[k], kind);
    if (kind == LEDGER) {
      if (!ledger_holds(was, before, is, length, paid) || (done && *paid != 1))
        wrong = "the ledger";
    } else if (kind == SECRET) {
      if (done && is != NULL) wrong = "the checkpoint stays";
    } else if (done ? !complete : !complete && !same(is, length, was, before)) {
      wrong = j->output[k].name;
    }
    free(is);
    free(was);
  }
  return wrong;
}

/* Does the sentence name the file of the call, or where it is about none, is there one? */
static int sentence_is_there(const job *j, const outcome *o, fault_kind kind) {
  char begin[64], name[256], *said, *at, *dot;
  struct stat about;
  size_t length;
  int ok;
  said = slurp("err", &length);
  (void)snprintf(begin, sizeof begin, "%s: ", j->program);
  ok = said != NULL && length > strlen(begin) + 8 && said[length - 1] == '\n' &&
       (strncmp(said, begin, strlen(begin)) == 0 ||
        (strchr(said, '\n') != NULL && strstr(said, begin) != NULL));
  if (ok && kind == FAULT_ALLOCATION)
    ok = strstr(said, "memory") != NULL || strstr(said, "room") != NULL;
  if (ok && o->path[0] != '\0') {
    at = strrchr(o->path, '/');
    (void)snprintf(name, sizeof name, "%s", at != NULL && at[1] != '\0' ? at + 1 : o->path);
    if ((dot = strstr(name, ".dppair-")) != NULL) *dot = '\0'; /* a draft is called as its file */
    if (kind == ENTROPY_FAILS)
      ok = strstr(said, "entropy") != NULL;
    else if (strcmp(name, "out") != 0 && strstr(o->path, ".dppair-") == NULL &&
             stat(o->path, &about) == 0 && S_ISDIR(about.st_mode))
      ok = 1; /* its folder */
    else if (strcmp(name, "out") != 0)
      ok = strstr(said, name) != NULL;
  }
  free(said);
  return ok;
}

/* A run to go on with whose checkpoint is gone has ended. */
static int ended(const job *j) {
  return j->again != NULL && j->again[0] == '\0' && access("c", F_OK) != 0;
}

static void one_fault(const job *j, const reference *whole, fault_kind kind, long site, tally *t) {
  outcome o;
  const char *wrong, *name;
  size_t leaked, length, paid = 0;
  char *printed;
  int k, done;
  place(j);
  run(&o, j, NULL, kind, site);
  t->sites++;
  done = o.code == 0;
  if (o.code < 0 && kind < KILLED) {
    report(j, kind, site, &o, "ended by a signal", "");
    t->wrong++;
  }
  if (done) t->worked++;
  if (o.code > 0) {
    if (sentence_is_there(j, &o, kind))
      t->refused++;
    else {
      report(j, kind, site, &o, "no clear sentence", "");
      t->wrong++;
    }
  }
  printed = slurp("out", &length);
  wrong = outputs_wrong(j, whole, done, &paid);
  if (wrong == NULL && done &&
      !alike(printed, length, whole->text[OUTPUTS], whole->length[OUTPUTS], j->printed))
    wrong = "stdout";
  if (wrong == NULL && length > 0)
    for (k = 0; k < OUTPUTS; k++)
      if (j->output[k].name != NULL && j->output[k].kind == LEDGER && paid == 0) wrong = "not paid";
  if (wrong != NULL) {
    report(j, kind, site, &o, "torn: ", wrong);
    t->torn++;
  }
  free(printed);
  /* memory and files */
  leaked = o.in_memory + in_file(&o.known, "out") + in_file(&o.known, "err");
  for (k = 0; k < OUTPUTS && j->output[k].name != NULL; k++)
    leaked += in_file(&o.known, j->output[k].name);
  name = stray(j);
  if (name != NULL) leaked += in_file(&o.known, name);
  if (leaked > 0) {
    report(j, kind, site, &o, "leaked", "");
    t->leaked++;
  }
  if (name != NULL && kind < KILLED && kind != NAME_FAILS) {
    report(j, kind, site, &o, "left behind: ", name);
    t->left++;
    (void)unlink(name);
  }
  /* what was stopped is done again */
  if ((!done && (kind >= KILLED || j->again != NULL) &&
       !(ended(j) && outputs_wrong(j, whole, 1, &paid) == NULL)) ||
      name != NULL) {
    outcome next;
    const int resumed = j->again != NULL && access("c", F_OK) == 0;
    for (k = 0; k < OUTPUTS && j->output[k].name != NULL; k++) /* a release replaces nothing */
      if (!resumed &&
          (j->output[k].kind == EXACT || j->output[k].kind == SHAPED ||
           j->output[k].kind == LOOSE) &&
          j->output[k].before == NULL)
        (void)unlink(j->output[k].name);
    if (done) place(j);
    run(&next, j, resumed ? j->again : NULL, FAULT_NONE, 0);
    for (k = 0; k < OUTPUTS && j->output[k].name != NULL; k++)
      if (j->output[k].kind == LEDGER) break;
    if (next.code != 0) {
      report(j, kind, site, &o, "cannot be done again", "");
      t->wrong++;
    } else if ((k == OUTPUTS || j->output[k].name == NULL) &&
               (wrong = outputs_wrong(j, whole, 1, &paid)) != NULL) {
      report(j, kind, site, &o, "done again it is another: ", wrong);
      t->torn++;
    }
    name = stray(j);
    if (name != NULL) {
      report(j, kind, site, &o, "left behind after the next run: ", name);
      t->left++;
      (void)unlink(name);
    }
    outcome_free(&next);
  }
  outcome_free(&o);
}

static int reference_make(reference *whole, const job *j) {
  int k;
  memset(whole, 0, sizeof *whole);
  place(j);
  run(&whole->run, j, NULL, FAULT_NONE, 0);
  if (whole->run.code != 0) {
    report(j, FAULT_NONE, 0, &whole->run, "does not run", "");
    return 0;
  }
  for (k = 0; k < OUTPUTS && j->output[k].name != NULL; k++)
    whole->text[k] = slurp(j->output[k].name, &whole->length[k]);
  whole->text[OUTPUTS] = slurp("out", &whole->length[OUTPUTS]);
  if (whole->run.in_memory > 0) {
    report(j, FAULT_NONE, 0, &whole->run, "leaked", "");
  }
  return 1;
}

/* brief: allocations and entropy alone. */
static void job_try(const job *j, const char *only_kind, long stride, int brief) {
  reference whole;
  int k;
  if (!reference_make(&whole, j)) return;
  for (k = FAULT_ALLOCATION; k < FAULT_KINDS; k++) {
    const long sites = whole.run.sites[fault_group_of((fault_kind)k)];
    long site;
    tally t;
    memset(&t, 0, sizeof t);
    if (only_kind != NULL && strstr(fault_names[k], only_kind) == NULL) continue;
    if (brief && k != FAULT_ALLOCATION && k != ENTROPY_FAILS) continue;
    for (site = 1 + (stride > 1 ? (k * 7) % stride : 0); site <= sites; site += stride)
      one_fault(j, &whole, (fault_kind)k, site, &t);
    if (t.sites == 0) continue;
    sum.sites += t.sites;
    sum.worked += t.worked;
    sum.refused += t.refused;
    sum.torn += t.torn;
    sum.left += t.left;
    sum.leaked += t.leaked;
    sum.wrong += t.wrong;
    (void)printf("%-18s %-20s %6ld %8ld %9ld %6ld %5ld %7ld %6ld\n", j->name, fault_names[k],
                 t.sites, t.worked, t.refused, t.torn, t.left, t.leaked, t.wrong);
    (void)fflush(stdout);
  }
  (void)printf("%-18s %zu numbers before their noise were looked for\n", j->name,
               whole.run.known.count);
  for (k = 0; k <= OUTPUTS; k++) free(whole.text[k]);
  place(j);
  for (k = 0; k < OUTPUTS && j->output[k].name != NULL; k++) (void)unlink(j->output[k].name);
  outcome_free(&whole.run);
}

static void methods_try(const char *program, const char *const *names, size_t count,
                        const char *only, const char *only_kind, long stride) {
  size_t k;
  for (k = 0; k < count; k++) {
    char line[512], name[64];
    job j;
    (void)snprintf(line, sizeof line, CSV " --method %s --epsilon 2 --delta 1e-5 --model m --quiet",
                   names[k]);
    (void)snprintf(name, sizeof name, "%s %s", program + strlen("private_"), names[k]);
    if (only != NULL && strstr(name, only) == NULL) continue;
    memset(&j, 0, sizeof j);
    j.name = name;
    j.program = program;
    j.arguments = line;
    j.printed = LOOSE;
    j.output[0].name = "m";
    j.output[0].kind = LOOSE;
    job_try(&j, only_kind, stride, 1);
  }
}

/* --- data ------------------------------------------------------------------------------------- */

static void data_write(const char *path, int n, unsigned seed) {
  FILE *file = fopen(path, "w");
  int i;
  (void)fputs("y,u,v\n", file);
  for (i = 0; i < n; i++) {
    double u, v;
    const int y = i % 5 < 2;
    seed = seed * 1103515245u + 12345u;
    u = (double)(seed >> 16 & 0x7fff) / 32768;
    seed = seed * 1103515245u + 12345u;
    v = (double)(seed >> 16 & 0x7fff) / 32768;
    (void)fprintf(file, "%d,%.5f,%.4f\n", y, 0.7 * u + 0.3 * y, 9 * v - 3);
  }
  (void)fclose(file);
}

/* The same with whose records they are: four of each. */
static void persons_write(const char *path, const char *from) {
  FILE *to = fopen(path, "w"), *in = fopen(from, "r");
  char line[128];
  int i;
  for (i = -1; fgets(line, sizeof line, in) != NULL; i++) {
    line[strcspn(line, "\n")] = '\0';
    if (i < 0)
      (void)fprintf(to, "%s,who\n", line);
    else
      (void)fprintf(to, "%s,p%02d\n", line, i / 4);
  }
  (void)fclose(in);
  (void)fclose(to);
}

static void text_write(const char *path, const char *text) { spill(path, text, strlen(text)); }

static void must(const char *program, const char *arguments) {
  job j;
  outcome o;
  memset(&j, 0, sizeof j);
  j.program = program;
  j.arguments = arguments;
  run(&o, &j, NULL, FAULT_NONE, 0);
  if (o.code == -2) {
    (void)puts("skipped: this kernel or container has no ptrace");
    exit(0);
  }
  if (o.code != 0) {
    report(&j, FAULT_NONE, 0, &o, "the preparation", arguments);
    exit(1);
  }
  outcome_free(&o);
}

static void inputs_make(void) {
  FILE *file;
  long k, sites;
  outcome o;
  int j;
  data_write("d.csv", 60, 5);
  data_write("e.csv", 50, 9);
  persons_write("p.csv", "d.csv");
  text_write("ranges", "name,low,high\nu,0,1\nv,-3,6\n");
  text_write("old", "what was there before\n");
  file = fopen("scores.csv", "w");
  (void)fputs("score,label\n", file);
  for (k = 0; k < 60; k++)
    (void)fprintf(file, "%.4f,%d\n", (double)(k * k * 7 % 61) / 20 - 1.5 + (double)(k % 3 == 0),
                  (int)(k % 3 == 0));
  (void)fclose(file);
  must("private_auc", CSV " " GD " --model model --save-key kept");
  must("private_auc", CSV " --convert d.dpb --quiet");
  must("private_auc", PERSONS " --convert p.dpb --quiet");
  must("private_auc", "p.dpb --person who " GD " --model theirs.model --save-key theirs");
  must("private_evaluation", "scores.csv --epsilon 1 --ledger ledger --json");
  (void)unlink("out");
  (void)unlink("err");
  /* a checkpoint in the middle of its run */
  for (j = 0; j < JOBS && strcmp(jobs[j].name, "auc, checkpoint") != 0; j++) {
  }
  run(&o, &jobs[j], NULL, FAULT_NONE, 0);
  sites = o.sites[GROUP_CHANGE];
  outcome_free(&o);
  for (k = sites / 2; k > 0; k--) {
    struct stat about;
    (void)unlink("m");
    (void)unlink("c");
    run(&o, &jobs[j], NULL, KILLED, k);
    outcome_free(&o);
    if (stat("c", &about) == 0 && about.st_size > 0 && access("m", F_OK) != 0) break;
  }
  copy("half", "c");
  (void)unlink("m");
  (void)unlink("c");
}

/* What the killed run of the preparation has left. */
static void drafts_remove(void) {
  DIR *here = opendir(".");
  const struct dirent *e;
  while (here != NULL && (e = readdir(here)) != NULL)
    if (strstr(e->d_name, ".part") != NULL) (void)unlink(e->d_name);
  if (here != NULL) (void)closedir(here);
}

int main(int argc, char **argv) {
  const char *only = NULL, *kind = NULL;
  char folder[] = "/tmp/dppair-faults-XXXXXX", command[64];
  long stride = 1;
  int k, brief = 0;
  for (k = 1; k + 1 < argc; k += 2) {
    if (strcmp(argv[k], "--programs") == 0) programs = argv[k + 1];
    if (strcmp(argv[k], "--library") == 0) library = argv[k + 1];
    if (strcmp(argv[k], "--stride") == 0) stride = atol(argv[k + 1]);
    if (strcmp(argv[k], "--methods") == 0) brief = strcmp(argv[k + 1], "no") == 0;
    if (strcmp(argv[k], "--only") == 0) only = argv[k + 1];
    if (strcmp(argv[k], "--kind") == 0) kind = argv[k + 1];
  }
  if (programs == NULL || library == NULL || programs[0] != '/' || library[0] != '/' ||
      stride < 1) {
    (void)fputs("usage: faults --programs /FOLDER --library /HOOK [--stride N] [--only WORD] "
                "[--kind WORD]\n",
                stderr);
    return 2;
  }
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 2;
  inputs_make();
  drafts_remove();
  inputs_list();
  (void)printf("%-18s %-20s %6s %8s %9s %6s %5s %7s %6s\n", "job", "what goes wrong", "sites",
               "went on", "sentence", "torn", "left", "leaked", "wrong");
  for (k = 0; k < JOBS; k++)
    if (only == NULL || strstr(jobs[k].name, only) != NULL) job_try(&jobs[k], kind, stride, 0);
  if (!brief) {
    methods_try("private_auc", methods, sizeof methods / sizeof *methods, only, kind, stride);
    methods_try("private_metric", metrics, sizeof metrics / sizeof *metrics, only, kind, stride);
  }
  if (chdir("/") != 0) return 2;
  (void)snprintf(command, sizeof command, "rm -rf %s", folder);
  (void)system(command);
  (void)printf("%-18s %-20s %6ld %8ld %9ld %6ld %5ld %7ld %6ld\n", "all", "", sum.sites, sum.worked,
               sum.refused, sum.torn, sum.left, sum.leaked, sum.wrong);
  if (failures > 0) (void)printf("%d failures\n", failures);
  return failures > 0;
}
