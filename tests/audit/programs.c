/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef AUDIT_ROOT
#define AUDIT_ROOT "."
#endif

enum { PATH_ROOM = 1024, WORDS = 64 };

/* --- the table -------------------------------------------------------------------------------- */

int audit_show(const char *label, const audit_report *r, size_t replays, int red) {
  const char *no_color = getenv("NO_COLOR");
  const int wrong = (r->found != 0) != (red != 0);
  const int colour =
      isatty(1) && (no_color == NULL || no_color[0] == '\0') && (wrong || r->found != 0);
  size_t k;
  (void)printf("%s%-44s %8.4f %8zu   ", colour ? "\033[31m" : "", label, r->largest, replays);
  for (k = 0; k < AUDIT_FINDINGS; k++)
    if (r->found >> k & 1) (void)printf("%s ", audit_finding_name((audit_finding)k));
  (void)printf("%s%s\n",
               wrong ? red ? "NOT FOUND" : "WRONG"
               : red ? "(expected)"
                     : "nothing",
               colour ? "\033[0m" : "");
  for (k = 0; k < AUDIT_FINDINGS; k++)
    if (r->found >> k & 1) (void)printf("    %s\n", r->sentence[k]);
  (void)fflush(stdout);
  return wrong;
}

/* --- one run of a process --------------------------------------------------------------------- */

typedef struct job {
  const char *exe, *words[WORDS]; /* the arguments */
  const char *name[2], *text[2];  /* files beside it, or NULL, */
  size_t size[2];                 /* of so many bytes */
  int side, keys_given;
} job;

static void stop(const char *what) {
  perror(what);
  exit(3);
}

static void write_text(const char *dir, const char *name, const char *text, size_t size) {
  char path[PATH_ROOM];
  FILE *file;
  (void)snprintf(path, sizeof path, "%s/%s", dir, name);
  file = fopen(path, "wb");
  if (file == NULL || fwrite(text, 1, size, file) != size || fclose(file) != 0) stop(path);
}

static void to_file(int to, const char *name) {
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, to) < 0) _exit(126);
}

/* Runs it in `dir`; returns its exit code. record, replay: files, replay may be NULL. */
static int run_job(const job *j, const char *dir, const char *record, const char *replay) {
  char *words[WORDS + 2];
  size_t k, count = 0;
  int status;
  pid_t child;
  if (mkdir(dir, 0700) != 0) stop(dir);
  for (k = 0; k < 2; k++)
    if (j->name[k] != NULL) write_text(dir, j->name[k], j->text[k], j->size[k]);
  words[count++] = (char *)(size_t)j->exe;
  for (k = 0; j->words[k] != NULL; k++) words[count++] = (char *)(size_t)j->words[k];
  words[count] = NULL;
  (void)fflush(stdout);
  child = fork();
  if (child < 0) stop("fork");
  if (child == 0) {
    if (chdir(dir) != 0) _exit(126);
    to_file(1, "stdout");
    to_file(2, "stderr");
    (void)setenv("AUDIT_RECORD", record, 1);
    (void)setenv("AUDIT_SIDE", j->side ? "1" : "0", 1);
    if (replay != NULL) (void)setenv("AUDIT_REPLAY", replay, 1);
    if (j->keys_given) (void)setenv("AUDIT_KEYS", "given", 1);
    execv(j->exe, words);
    _exit(127);
  }
  if (waitpid(child, &status, 0) != child) stop("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- what a process publishes ------------------------------------------------------------------
 */

/* The mode of a file: 0 if there is none. */
static mode_t mode_of(const char *dir, const char *name) {
  char path[2 * PATH_ROOM];
  struct stat found;
  (void)snprintf(path, sizeof path, "%s/%s", dir, name);
  return lstat(path, &found) == 0 ? found.st_mode : 0;
}

static char *read_text(const char *dir, const char *name, size_t *size) {
  char path[PATH_ROOM], *text;
  FILE *file;
  long length;
  (void)snprintf(path, sizeof path, "%s/%s", dir, name);
  *size = 0;
  if (S_ISDIR(mode_of(dir, name)) || (file = fopen(path, "rb")) == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0) stop(path);
  rewind(file);
  text = malloc((size_t)length + 1);
  if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length) stop(path);
  text[length] = '\0';
  (void)fclose(file);
  *size = (size_t)length;
  return text;
}

static void compare_file(audit_report *r, const char *a, const char *b, const char *name) {
  size_t x, y, at = 0;
  char *p = read_text(a, name, &x), *q = read_text(b, name, &y);
  if (p != NULL) audit_text(r, p, x);
  if (p == NULL && q == NULL) {
    audit_found(r, AUDIT_OUTPUT, "the file %s cannot be read", name);
  } else if (p == NULL || q == NULL) {
    audit_found(r, AUDIT_OUTPUT, "the file %s is written on one side only", name);
  } else if (x != y || memcmp(p, q, x) != 0) {
    while (at < x && at < y && p[at] == q[at]) at++;
    audit_found(r, AUDIT_OUTPUT,
                "%s differs from byte %zu on, with all recorded releases in place: \"%.20s\", "
                "\"%.20s\"",
                name, at, p + (at > 10 ? at - 10 : 0), q + (at > 10 ? at - 10 : 0));
  }
  free(p);
  free(q);
}

static void compare_files(audit_report *r, const job *j, const char *a, const char *b);

static void compare_entry(audit_report *r, const char *a, const char *b, const char *name) {
  const mode_t mode = mode_of(a, name);
  char below[2][2 * PATH_ROOM];
  if (mode != 0 && mode_of(b, name) != 0 && mode != mode_of(b, name)) {
    audit_found(r, AUDIT_OUTPUT, "%s is of mode %o, and of %o on the neighbour", name,
                (unsigned)mode, (unsigned)mode_of(b, name));
  } else if (S_ISDIR(mode) && mode_of(b, name) != 0) {
    (void)snprintf(below[0], sizeof below[0], "%s/%s", a, name);
    (void)snprintf(below[1], sizeof below[1], "%s/%s", b, name);
    compare_files(r, NULL, below[0], below[1]);
  } else {
    compare_file(r, a, b, name);
  }
}

/* All files that either side has, but those it was given. */
static void compare_files(audit_report *r, const job *j, const char *a, const char *b) {
  int side;
  for (side = 0; side < 2; side++) {
    DIR *dir = opendir(side ? b : a);
    const struct dirent *entry;
    if (dir == NULL) stop(a);
    while ((entry = readdir(dir)) != NULL) {
      const char *name = entry->d_name;
      if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
          (j != NULL && j->name[0] != NULL && strcmp(name, j->name[0]) == 0) ||
          (j != NULL && j->name[1] != NULL && strcmp(name, j->name[1]) == 0))
        continue;
      compare_entry(r, a, b, name);
    }
    (void)closedir(dir);
  }
}

static void remove_all(const char *dir) {
  DIR *open_dir = opendir(dir);
  const struct dirent *entry;
  char path[PATH_ROOM + 256];
  while (open_dir != NULL && (entry = readdir(open_dir)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    (void)snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
    if (unlink(path) != 0) remove_all(path);
  }
  if (open_dir != NULL) (void)closedir(open_dir);
  (void)rmdir(dir);
}

/* --- both sides ------------------------------------------------------------------------------- */

typedef struct claim {
  double epsilon, delta;
} claim;

/* Runs two jobs and compares them. silent: the output states that it is not private. */
static int run_pair(audit_report *r, const job *a, const job *b, claim c, int silent,
                    const char *work) {
  char dir[2][PATH_ROOM], record[2][PATH_ROOM];
  int code[2], side;
  for (side = 0; side < 2; side++) {
    (void)snprintf(dir[side], PATH_ROOM, "%s/side%d", work, side);
    (void)snprintf(record[side], PATH_ROOM, "%s/record%d", work, side);
    (void)unlink(record[side]);
    code[side] = run_job(side ? b : a, dir[side], record[side], side ? record[0] : NULL);
    if (access(record[side], R_OK) != 0) { /* it told nothing at all */
      FILE *empty = fopen(record[side], "wb");
      if (empty == NULL || fclose(empty) != 0) stop(record[side]);
    }
  }
  if (!audit_compare(r, record[0], record[1], c.epsilon, c.delta, 0)) stop(record[0]);
  if (code[0] != code[1])
    audit_found(r, AUDIT_OUTPUT, "it exits with %d, and with %d on the neighbour", code[0],
                code[1]);
  if (code[0] >= 126)
    audit_found(r, AUDIT_FLOW, "it exits with %d: it crashed, or could not be run", code[0]);
  if (!silent) compare_files(r, a, dir[0], dir[1]);
  remove_all(dir[0]);
  remove_all(dir[1]);
  return code[0];
}

static void make_work(char work[PATH_ROOM]) {
  const char *base = getenv("TMPDIR");
  char here[PATH_ROOM / 2]; /* programs run in other folders */
  if (getcwd(here, sizeof here) == NULL) stop("getcwd");
  if (base == NULL) base = "/tmp";
  (void)snprintf(work, PATH_ROOM, "%s/%.480s/audit.XXXXXX", base[0] == '/' ? "" : here, base);
  if (mkdtemp(work) == NULL) stop(work);
}

/* --- the programs ----------------------------------------------------------------------------- */

/* Lines of a file that nobody's record is, the record, and what is public. */
typedef struct program {
  const char *label, *exe, *arguments;
  const char *name, *head, *crowd; /* the data file: its first line, the line of all others */
  const char *mine, *other;        /* the record, and what it is on the neighbour */
  const char *ranges;
  claim states;
  int exit_code, red;
  int simulation; /* its keys are given and what it prints says that it is not private */
} program;

#define MODEL " --labels -1,1 --model model.json --quiet"
#define CSV "--header yes" MODEL
#define HEAD "label,a,b\n"
#define OWNED "label,a,b,who\n"
#define CROWD "-1,-1,-1,b\n-1,-1,-1,c\n-1,-1,-1,d\n"
#define RANGES "name,low,high,kind\na,-1,1,numeric\nb,-1,1,numeric\n"

/* clang-format off: a program in a few lines */
static const program programs[] = {
    {"private_auc gd, edge to edge", "private_auc", "--method gd --epsilon 1 --delta 1e-3 " CSV,
     "data.csv", HEAD, "-1,-1,-1\n", "1,-1,-1\n", "1,1,1\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc gd, one class, a label turns", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,1,0.5\n", "-1,1,0.5\n",
     "1,1,0.5\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc auto, one vector", "private_auc", "--method auto --epsilon 1 --delta 1e-3 " CSV,
     "data.csv", HEAD, "-1,-1,0\n", "1,-1,0\n", "1,1,1\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc auto, perturbed fit", "private_auc",
     "--method auto --epsilon 8 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,-1,0\n", "1,-1,0\n",
     "1,1,1\n", RANGES, {8, 1e-3}, 0, 0, 0},
    {"private_auc auto, delta = 0", "private_auc", "--method auto --epsilon 8 --delta 0 " CSV,
     "data.csv", HEAD, "1,0,1\n", "-1,-1,0\n", "1,1,1\n", RANGES, {8, 0}, 0, 0, 0},
    {"private_auc dpsgd, drawn batches", "private_auc",
     "--method dpsgd --steps 3 --epsilon 2 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,-1,0\n",
     "1,-1,0\n", "-1,1,1\n", RANGES, {2, 1e-3}, 0, 0, 0},
    {"private_auc niewang2017-fourier", "private_auc",
     "--method niewang2017-fourier --epsilon 2 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,-1,0\n",
     "1,-1,0\n", "-1,1,1\n", RANGES, {2, 1e-3}, 0, 0, 0},
    {"private_auc, 1e309 and -inf", "private_auc", "--method auto --epsilon 1 --delta 1e-3 " CSV,
     "data.csv", HEAD, "-1,0,0\n", "1,0.25,1e-400\n", "1,1e309,-inf\n", RANGES, {1, 1e-3}, 0, 0,
     0},
    {"private_auc, far beyond the ranges", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,0,0\n", "1.0,0,-0.0\n",
     "1,-1e300,12345678901234567890\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc, no header", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 --header no --columns 2 --scale row" MODEL, "data.csv",
     "", "-1,5,7\n", "1,0,0\n", "-1,1e200,-1e200\n", NULL, {1, 1e-3}, 0, 0, 0},
    {"private_auc, LIBSVM, an index too far", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 --columns 2 --scale row" MODEL, "data.svm", "",
     "-1 1:0.5 2:0.5\n", "1 1:0.5\n", "1 2:1 90000:7\n", NULL, {1, 1e-3}, 0, 0, 0},
    {"private_auc, LIBSVM, an empty record", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 --columns 2 --scale row" MODEL, "data.svm", "",
     "-1 1:0.5 2:0.5\n", "1 1:0.5\n", "-1\n", NULL, {1, 1e-3}, 0, 0, 0},
    {"private_auc refuses: missing, third label", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,0,0\n", "1,?,0\n",
     "7,0,0\n", RANGES, {1, 1e-3}, 1, 0, 0},
    {"private_auc refuses: comment, blank line", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,0,0\n", "# none\n", "\n",
     RANGES, {1, 1e-3}, 1, 0, 0},
    {"private_auc refuses: nan, too many fields", "private_auc",
     "--method auto --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,0,0\n", "1,nan,0\n",
     "1,0,0,0\n", RANGES, {1, 1e-3}, 1, 0, 0},
    {"private_auc, inside and outside its domain", "private_auc",
     "--method gd --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,0,0\n", "1,0,0\n",
     "7,0,0\n", RANGES, {1, 1e-3}, 0, 1, 0},
    {"private_auc, a person of other records, more", "private_auc",
     "--method gd --person who --epsilon 1 --delta 1e-3 " CSV, "data.csv", OWNED, CROWD,
     "1,-1,-1,a\n", "1,1,1,a\n1,1,1,a\n1,1,1,a\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc, a person who is absent", "private_auc",
     "--method gd --person who --adjacency zero-person --persons 9 --epsilon 1 --delta 1e-3 " CSV,
     "data.csv", OWNED, CROWD, "1,1,1,a\n-1,0,1,a\n", "", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc, a query of another length", "private_auc",
     "--method gd --query who --adjacency replace-query --epsilon 1 --delta 1e-3 " CSV, "data.csv",
     OWNED, CROWD, "1,1,1,a\n-1,-1,-1,a\n", "-1,1,1,a\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc, a record in its query", "private_auc",
     "--method gd --query who --epsilon 1 --delta 1e-3 " CSV, "data.csv", OWNED,
     CROWD "-1,-1,-1,a\n", "1,1,1,a\n", "1,-1,-1,a\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_auc pidpsgd-not-private", "private_auc",
     "--method pidpsgd-not-private --epsilon 1 --delta 1e-3 " CSV, "data.csv", HEAD, "-1,-1,0\n",
     "1,-1,0\n", "-1,1,1\n", RANGES, {1, 1e-3}, 0, 1, 0},
    {"private_metric gd", "private_metric", "--method gd --steps 3 --epsilon 1 --delta 1e-3 " CSV,
     "data.csv", HEAD, "-1,-1,-1\n", "1,-1,-1\n", "1,1,1\n", RANGES, {1, 1e-3}, 0, 0, 0},
    {"private_metric moments-metric, delta = 0", "private_metric",
     "--method moments-metric --epsilon 1 --delta 0 " CSV, "data.csv", HEAD, "-1,-1,-1\n",
     "-1,-1,-1\n", "1,1,1\n", RANGES, {1, 0}, 0, 0, 0},
    {"mlp_ranking", "mlp_ranking", "", "data.csv", HEAD "1,1,0\n", "-1,-1,-1\n1,1,0\n",
     "1,-1,-1\n", "-1,1,1\n", RANGES, {0, 0}, 0, 0, 1},
    {"private_evaluation auc", "private_evaluation", "--epsilon 1", "data.csv", "score,label\n",
     "0.5,0\n0.5,1\n", "0,1\n", "1,0\n", NULL, {1, 0}, 0, 0, 0},
    {"private_evaluation auc, delta, one class", "private_evaluation", "--epsilon 1 --delta 1e-3",
     "data.csv", "score,label\n", "0.5,0\n", "0,1\n", "1,0\n", NULL, {1, 1e-3}, 0, 0, 0},
    {"private_evaluation kendall", "private_evaluation", "--epsilon 1 --measure kendall",
     "data.csv", "score,label\n", "0.5,3\n0.1,2\n", "0,9\n", "1,9\n", NULL, {1, 0}, 0, 0, 0},
    {"private_evaluation pauc, a promise", "private_evaluation",
     "--epsilon 1 --measure pauc --beta 0.5 --promise 4", "data.csv", "score,label\n",
     "0.5,0\n0.4,1\n", "1,1\n", "0,1\n", NULL, {1, 0}, 0, 0, 0},
    {"private_evaluation roc", "private_evaluation",
     "--epsilon 1 --measure roc --thresholds 0.3,0.45,0.6", "data.csv", "score,label\n",
     "0.5,0\n0.4,1\n", "0,1\n", "1,0\n", NULL, {1, 0}, 0, 0, 0},
    {"private_evaluation risk", "private_evaluation",
     "--epsilon 1 --measure risk --loss hinge --cap 3", "data.csv", "score,label\n",
     "0.5,0\n0.4,1\n", "-9,1\n", "9,0\n", NULL, {1, 0}, 0, 0, 0},
    {"private_evaluation auc, what is no number", "private_evaluation", "--epsilon 1 --json",
     "data.csv", "score,label\n", "0.5,0\n0.4,1\n", "nan,1\n", "1e309,third\n", NULL, {1, 0}, 0,
     0, 0},
};
/* clang-format on */

static char *data_of(const program *p, int side) {
  const size_t others = 16, room = 4096;
  char *text = malloc(room);
  size_t k, used;
  if (text == NULL) stop("memory");
  used = (size_t)snprintf(text, room, "%s", p->head);
  for (k = 0; k < others; k++) {
    if (k == others / 2)
      used += (size_t)snprintf(text + used, room - used, "%s", side ? p->other : p->mine);
    used += (size_t)snprintf(text + used, room - used, "%s", p->crowd);
  }
  return text;
}

/* The words of a line, in place. */
static size_t split_words(const char **words, size_t first, char *line) {
  char *word;
  for (word = strtok(line, " "); word != NULL && first < WORDS - 1; word = strtok(NULL, " "))
    words[first++] = word;
  words[first] = NULL;
  return first;
}

static int run_program(const program *p, const char *exe) {
  char work[PATH_ROOM], line[512];
  audit_report r;
  job j[2];
  int side, code;
  make_work(work);
  memset(j, 0, sizeof j);
  for (side = 0; side < 2; side++) {
    j[side].exe = exe;
    j[side].name[0] = p->name;
    j[side].text[0] = data_of(p, side);
    j[side].size[0] = strlen(j[side].text[0]);
    if (p->ranges != NULL) {
      j[side].name[1] = "data.ranges";
      j[side].text[1] = p->ranges;
      j[side].size[1] = strlen(p->ranges);
    }
    j[side].side = side;
    j[side].keys_given = p->simulation;
    j[side].words[0] = p->name;
  }
  (void)snprintf(line, sizeof line, "%s", p->arguments);
  (void)split_words(j[0].words, 1, line);
  memcpy(j[1].words, j[0].words, sizeof j[0].words);
  code = run_pair(&r, &j[0], &j[1], p->states, p->simulation, work);
  if (code != p->exit_code)
    audit_found(&r, AUDIT_FLOW, "it exits with %d, not with %d", code, p->exit_code);
  if (p->exit_code == 0 && r.releases == 0) audit_found(&r, AUDIT_FLOW, "it releases nothing");
  remove_all(work);
  free((char *)(size_t)j[0].text[0]);
  free((char *)(size_t)j[1].text[0]);
  return audit_show(p->label, &r, 1, p->red);
}

size_t audit_programs(size_t *shown, const char *word, const char *self, int brief) {
  const char *slash = strrchr(self, '/');
  const int length = slash != NULL ? (int)(slash - self) : 1;
  char here[PATH_ROOM], exe[3 * PATH_ROOM];
  size_t k, wrong = 0;
  if (getcwd(here, sizeof here) == NULL) stop("getcwd");
  for (k = 0; k < sizeof programs / sizeof *programs; k++) {
    if (strstr(programs[k].label, word) == NULL || (brief && k % 5 != 0)) continue;
    (void)snprintf(exe, sizeof exe, "%s/%.*s/auditing/%s", self[0] == '/' ? "" : here, length,
                   slash != NULL ? self : ".", programs[k].exe);
    if (access(exe, X_OK) != 0) continue; /* was not built */
    wrong += (size_t)run_program(&programs[k], exe);
    ++*shown;
  }
  return wrong;
}

/* --- any source ------------------------------------------------------------------------------- */

typedef struct request {
  const char *source, *after, *swap, *data[2];
  int keys_given;
  claim states;
  const char *const *words; /* behind -- */
} request;

static int read_request(request *q, int argc, char **argv) {
  static const char *const none[1] = {NULL};
  int k;
  memset(q, 0, sizeof *q);
  q->words = none;
  q->source = argv[0];
  for (k = 1; k < argc; k++) {
    const char *value = k + 1 < argc ? argv[k + 1] : NULL;
    if (strcmp(argv[k], "--") == 0) {
      q->words = (const char *const *)(argv + k + 1);
      return 1;
    }
    if (value == NULL) return 0;
    if (strcmp(argv[k], "--after") == 0)
      q->after = value;
    else if (strcmp(argv[k], "--swap") == 0)
      q->swap = value;
    else if (strcmp(argv[k], "--data") == 0)
      q->data[0] = value;
    else if (strcmp(argv[k], "--neighbour") == 0)
      q->data[1] = value;
    else if (strcmp(argv[k], "--keys") == 0 && strcmp(value, "given") == 0)
      q->keys_given = 1;
    else if (strcmp(argv[k], "--claim") != 0 ||
             sscanf(value, "%lf,%lf", &q->states.epsilon, &q->states.delta) != 2)
      return 0;
    k++;
  }
  return (q->after == NULL) == (q->swap == NULL) && (q->data[0] == NULL) == (q->data[1] == NULL);
}

static int is_cpp(const char *source) {
  const char *dot = strrchr(source, '.');
  return dot != NULL && (strcmp(dot, ".cpp") == 0 || strcmp(dot, ".cc") == 0);
}

/* The source, with CODE behind the line that TEXT is in. 0 when there is no such line. */
static int copy_source(const request *q, const char *path) {
  FILE *from = fopen(q->source, "rb"), *to = fopen(path, "wb");
  char line[4096];
  int swapped = q->after == NULL;
  if (from == NULL) stop(q->source);
  if (to == NULL) stop(path);
  (void)fprintf(to, "#line 1 \"%s\"\n", q->source);
  while (fgets(line, sizeof line, from) != NULL) {
    (void)fputs(line, to);
    if (swapped || strstr(line, q->after) == NULL) continue;
    (void)fprintf(to, "{ if (audit_side() == 1) { %s } }\n", q->swap);
    swapped = 1;
  }
  (void)fclose(from);
  if (fclose(to) != 0) stop(path);
  return swapped;
}

static int compile(const char *source, const char *folder, const char *exe, const char *self) {
  const char *compiler = getenv("CC"), *flags = getenv("CFLAGS"), *slash = strrchr(self, '/');
  char command[6 * PATH_ROOM];
  (void)snprintf(command, sizeof command,
                 "%s -std=%s -O1 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_NO_SIMDE "
                 "-DDPPAIR_MAX_TIER=0 %s -I'%s' -I'%s' -include '%s/tests/audit/hook.h' '%s' "
                 "'%.*s/auditing/tests/audit/libaudit.a' -lm -o '%s'",
                 compiler != NULL  ? compiler
                 : is_cpp(source) ? "c++"
                                  : "cc",
                 is_cpp(source) ? "c++11" : "c99", flags != NULL ? flags : "", folder, AUDIT_ROOT,
                 AUDIT_ROOT, source, slash != NULL ? (int)(slash - self) : 1,
                 slash != NULL ? self : ".", exe);
  return system(command) == 0;
}

/* The file that stands for % in a side's folder, with the ending of the given one. */
static void fill_job(job *j, const request *q, const char *exe, int data, int side) {
  size_t k;
  const char *dot = q->data[0] != NULL ? strrchr(q->data[0], '.') : NULL;
  static char name[64];
  memset(j, 0, sizeof *j);
  j->exe = exe;
  j->side = side;
  j->keys_given = q->keys_given;
  if (q->data[data] != NULL) {
    (void)snprintf(name, sizeof name, "data%.32s", dot != NULL ? dot : "");
    j->name[0] = name;
    j->text[0] = read_text(q->data[data][0] == '/' ? "" : ".", q->data[data], &j->size[0]);
    if (j->text[0] == NULL) stop(q->data[data]);
  }
  for (k = 0; q->words[k] != NULL && k < WORDS - 1; k++)
    j->words[k] = strcmp(q->words[k], "%") == 0 && j->name[0] != NULL ? name : q->words[k];
}

int audit_source(int argc, char **argv, const char *self) {
  char work[PATH_ROOM], source[PATH_ROOM + 32], exe[PATH_ROOM + 32], folder[PATH_ROOM];
  const char *slash;
  audit_report r;
  request q;
  job j[2];
  int wrong, side, code;
  if (!read_request(&q, argc, argv)) {
    (void)fputs("audit: what follows FILE.c is not understood; see --help\n", stderr);
    return 2;
  }
  for (side = 0; side < 3; side++) {
    const char *path = side < 2 ? q.data[side] : q.source;
    if (path != NULL && access(path, R_OK) != 0) return perror(path), 2;
  }
  if (strchr(q.source, '\'') != NULL || strchr(self, '\'') != NULL)
    return (void)fputs("audit: a path with a quote\n", stderr), 2;
  make_work(work);
  slash = strrchr(q.source, '/');
  (void)snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - q.source) : 1,
                 slash != NULL ? q.source : ".");
  (void)snprintf(source, sizeof source, "%s/program.%s", work, is_cpp(q.source) ? "cpp" : "c");
  (void)snprintf(exe, sizeof exe, "%s/program", work);
  if (!copy_source(&q, source) || !compile(source, folder, exe, self)) {
    (void)fprintf(stderr, "audit: %s does not compile, or has no line with the text\n", q.source);
    remove_all(work);
    return 2;
  }
  for (side = 0; side < 2; side++) fill_job(&j[side], &q, exe, 0, 0);
  code = run_pair(&r, &j[0], &j[1], q.states, 0, work);
  if (r.found != 0 || q.data[1] == NULL) /* data that is not a file: `swap` makes the neighbour */
    wrong = audit_show(q.after != NULL ? "the same data twice" : "the same run twice", &r, 1, 0);
  else
    wrong = 0;
  if (!wrong && (q.after != NULL || q.data[1] != NULL)) {
    free((char *)(size_t)j[1].text[0]);
    fill_job(&j[1], &q, exe, 1, q.after != NULL);
    if (q.data[1] == NULL) j[1].text[0] = NULL;
    (void)run_pair(&r, &j[0], &j[1], q.states, 0, work);
    wrong = audit_show(q.source, &r, 1, 0);
    if (r.releases > 0 && r.found == 0 && !(r.largest > 0))
      (void)puts("    no release moved: is it a neighbour?");
  }
  if (code != 0) (void)printf("    it exits with %d\n", code);
  if (r.releases == 0) (void)puts("    it releases nothing");
  remove_all(work);
  return wrong;
}
