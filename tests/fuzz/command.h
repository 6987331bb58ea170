/* SPDX-License-Identifier: MIT */
/*
 * Command lines of one program from the bytes of a fuzzer: a line that works, whose words are then
 * replaced, removed, doubled, or others put between, by words of the program's own --help, hostile
 * numbers, files of every kind, and raw bytes. The program runs in process, in a folder of its own
 * that is made anew each time. Whatever it is asked, it ends with one of its exit codes; with a
 * sentence where that is not 0; wrong use prints nothing else and changes no file; and nothing that
 * was being written is left.
 *
 * Define PROGRAM, its name, and COMMAND_LIMITS, 1 where steps and splits take time; include this,
 * then the program's source with `#define main program_main`. Keys are fixed (flags of the target),
 * so that the same bytes are the same run.
 */
#ifndef FUZZ_COMMAND_H
#define FUZZ_COMMAND_H

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"

enum { WORDS = 48, VOCABULARY = 2048, LONG = 128 };

extern void __sanitizer_set_report_fd(void *fd);

/* --- the folder ------------------------------------------------------------------------------- */

typedef struct command_fixture {
  const char *name, *text;
  size_t length; /* 0: of a text without zeros */
} command_fixture;

static char command_records[2048], command_scores[1024];
static command_fixture command_fixtures[40] = {
    {"ranges", "name,low,high\nu,0,1\nv,-3,6\n", 0},
    {"maps", "name,centre,scale,terms\nz,0.5,2,log1p(u)-v\nw,0,1,v*v\n", 0},
    {"records.svm", "1 1:2 2:4\n-1 2:1\n1 1:1\n-1 1:2\n1 2:3\n-1 1:5 2:1\n", 0},
    {"persons.csv", "y,u,who\n1,2,a\n0,1,a\n1,3,b\n0,2,c\n1,1,d\n0,0,e\n1,1,e\n0,1,f\n", 0},
    {"persons.ranges", "name,low,high\nu,0,3\n", 0},
    {"empty", "", 0},
    {"zeros", "y,u\n1,\0\n0,\0\n", 12},
    {"words", "to be or not\nto be\n", 0},
    {"one.csv", "y,u,v\n1,1,1\n1,2,2\n1,3,3\n1,4,4\n1,5,5\n1,6,6\n", 0},
    {"key", "dppair release key 2\n", 0},
    {"dppair", "dppair checkpoint 1\nversion 1\n", 0}};
static size_t fixture_count;

static void add_fixture(const char *name, const char *text, size_t length) {
  command_fixtures[fixture_count].name = name;
  command_fixtures[fixture_count].text = text;
  command_fixtures[fixture_count++].length = length;
}

static void fixtures_write(void) {
  size_t k;
  for (k = 0; k < fixture_count; k++) {
    const command_fixture *f = &command_fixtures[k];
    const size_t length = f->length > 0 ? f->length : strlen(f->text);
    const int fd = open(f->name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(fd >= 0 && write(fd, f->text, length) == (ssize_t)length && close(fd) == 0, "a file");
  }
}

static int fixture_is(const char *name) {
  size_t k;
  if (strcmp(name, "out") == 0 || strcmp(name, "err") == 0 || name[0] == '.') return 1;
  for (k = 0; k < fixture_count; k++)
    if (strcmp(name, command_fixtures[k].name) == 0) return 1;
  return 0;
}

/* What is no fixture: with `strict` nothing may be there, else no draft. */
static void others_remove(const char *path, int strict) {
  DIR *here = opendir(path);
  const struct dirent *e;
  char name[600];
  REQUIRE(here != NULL, "the folder");
  while ((e = readdir(here)) != NULL) {
    if ((strcmp(path, ".") == 0 && strcmp(e->d_name, "folder") == 0) || fixture_is(e->d_name))
      continue;
    (void)snprintf(name, sizeof name, "%s/%s", path, e->d_name);
    if (strict) fprintf(stderr, "left: %s\n", name);
    REQUIRE(!strict, "wrong use makes a file");
    REQUIRE(strstr(e->d_name, ".part") == NULL, "a draft is left");
    REQUIRE(unlink(name) == 0, "another file");
  }
  (void)closedir(here);
}

static int fixtures_whole(void) {
  static char text[1 << 14];
  size_t k;
  for (k = 0; k < fixture_count; k++) {
    const command_fixture *f = &command_fixtures[k];
    const size_t length = f->length > 0 ? f->length : strlen(f->text);
    const int fd = open(f->name, O_RDONLY);
    const ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : -1;
    if (fd >= 0) (void)close(fd);
    if (got != (ssize_t)length || memcmp(text, f->text, length) != 0) return 0;
  }
  return 1;
}

static void fixtures_make(void) {
  size_t used = 0, k;
  for (fixture_count = 0; command_fixtures[fixture_count].name != NULL; fixture_count++) continue;
  used = (size_t)snprintf(command_records, sizeof command_records, "y,u,v\n");
  for (k = 0; k < 24; k++)
    used +=
        (size_t)snprintf(command_records + used, sizeof command_records - used, "%d,%.2f,%.1f\n",
                         (int)(k % 5 < 2), (double)(k * 7 % 24) / 24, (double)(k * 5 % 24) / 3 - 2);
  add_fixture("records.csv", command_records, 0);
  used = (size_t)snprintf(command_scores, sizeof command_scores, "score,label\n");
  for (k = 0; k < 40; k++)
    used += (size_t)snprintf(command_scores + used, sizeof command_scores - used, "%.3f,%d\n",
                             (double)(k * k * 7 % 41) / 20 - 1, (int)(k % 3 == 0));
  add_fixture("scores.csv", command_scores, 0);
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *const command_values[] = {"0",
                                             "1",
                                             "2",
                                             "3",
                                             "0.5",
                                             "1e-6",
                                             "1e-9",
                                             "1000",
                                             "-1",
                                             "-0",
                                             "nan",
                                             "inf",
                                             "-inf",
                                             "1e999",
                                             "1e-999",
                                             "",
                                             " ",
                                             "0x10",
                                             "1,2",
                                             "0.5,1,2",
                                             "0,1",
                                             "-1,0,1",
                                             "2,1",
                                             ",",
                                             "1,",
                                             "yes",
                                             "no",
                                             "comma",
                                             ";",
                                             "\t",
                                             "u",
                                             "v",
                                             "y",
                                             "who",
                                             "records.csv",
                                             "records.svm",
                                             "ranges",
                                             "maps",
                                             "words",
                                             "empty",
                                             "zeros",
                                             "one.csv",
                                             "key",
                                             "dppair",
                                             "folder",
                                             "missing",
                                             "persons.csv",
                                             "scores.csv",
                                             "out1",
                                             "out2",
                                             "folder/x",
                                             "missing/x",
                                             "/dev/null",
                                             "/dev/full",
                                             "./out1",
                                             "--",
                                             "-",
                                             "%s%n",
                                             "--help",
                                             "--version",
                                             "1e",
                                             "9.5",
                                             "1 2",
                                             "1.0000000000000002",
                                             "0.1",
                                             "1000000",
                                             "4294967296",
                                             "18446744073709551615",
                                             "18446744073709551616",
                                             "1e300"};
static char *command_vocabulary[VOCABULARY], *command_help;
static size_t vocabulary_size;

/* Options whose number is work that anybody may ask for: a small one. */
static const char *const command_slow[] = {"--steps", "--splits", "--hidden", "--dim", "--epochs"};

static char *in_word_of(input *in) {
  static char raw[16];
  const unsigned which = in_byte(in);
  size_t k, length;
  if (which < 110 && vocabulary_size > 0)
    return command_vocabulary[(in_byte(in) | in_byte(in) << 8) % vocabulary_size];
  if (which < 240)
    return (char *)(size_t)
        command_values[in_byte(in) % (sizeof command_values / sizeof *command_values)];
  length = (size_t)in_choice(in, 12);
  for (k = 0; k < length; k++) raw[k] = (char)(in_byte(in) | 1);
  for (k = 0; k < length; k++)
    if (raw[k] == '/') raw[k] = '.';
  raw[length] = '\0';
  return raw;
}

/* --- a run ------------------------------------------------------------------------------------ */

static char folder_name[] = "/dev/shm/fuzz-command-XXXXXX";
static jmp_buf out_of;
static int exit_code, command_saved[2] = {-1, -1};

__attribute__((noreturn)) static void command_exit(int code) {
  exit_code = code;
  longjmp(out_of, 1);
}
#define exit command_exit

static void command_redirect(void) {
  static const char *const names[2] = {"out", "err"};
  int k, fd;
  (void)fflush(stdout);
  for (k = 0; k < 2; k++) {
    fd = open(names[k], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    REQUIRE(fd >= 0 && dup2(fd, 1 + k) >= 0 && close(fd) == 0, "redirection");
  }
}

static void command_restore(void) {
  int k;
  (void)fflush(stdout);
  clearerr(stdout);
  for (k = 0; k < 2; k++) REQUIRE(dup2(command_saved[k], 1 + k) >= 0, "restoration");
}

static int program_main(int argc, char **argv);
static void program_reset(void);

static int command_run(int argc, char **argv) {
  program_reset();
  command_redirect();
  if (setjmp(out_of) == 0) exit_code = program_main(argc, argv);
  command_restore();
  return exit_code;
}

static size_t file_text(char *text, size_t room, const char *path) {
  const int fd = open(path, O_RDONLY);
  const ssize_t got = fd >= 0 ? read(fd, text, room - 1) : 0;
  if (fd >= 0) (void)close(fd);
  text[got > 0 ? got : 0] = '\0';
  return (size_t)(got > 0 ? got : 0);
}

/* What the program says of itself gives the words. */
static void vocabulary_make(void) {
  static char *line[] = {(char *)(size_t)PROGRAM, (char *)(size_t) "--help", NULL};
  enum { MOST = 1 << 16 };
  char *at;
  command_help = (char *)malloc(MOST);
  REQUIRE(command_help != NULL && command_run(2, line) == 0 &&
              file_text(command_help, MOST, "out") > 100,
          "--help");
  for (at = strtok(command_help, " \n,;()[]|:="); at != NULL && vocabulary_size < VOCABULARY;
       at = strtok(NULL, " \n,;()[]|:="))
    if (at[0] != '/') command_vocabulary[vocabulary_size++] = at;
}

static void folder_remove(void) {
  char text[80];
  (void)snprintf(text, sizeof text, "rm -rf %s", folder_name);
  (void)!chdir("/");
  (void)!system(text);
}

static void command_begin(void) {
  int k;
  if (command_saved[0] >= 0) return;
  for (k = 0; k < 2; k++) command_saved[k] = dup(1 + k);
  __sanitizer_set_report_fd((void *)(size_t)command_saved[1]);
  if (access("/dev/shm", W_OK) != 0) memcpy(folder_name, "/var/tmp", 8);
  REQUIRE(mkdtemp(folder_name) != NULL && chdir(folder_name) == 0 && mkdir("folder", 0700) == 0,
          "a folder");
  (void)atexit(folder_remove);
  fixtures_make();
  fixtures_write();
  vocabulary_make();
}

static void changed_by(input *in, char **argv, int *argc) {
  char *word = in_word_of(in);
  const int at = 1 + (int)(in_byte(in) % (unsigned)(*argc > 1 ? *argc : 1));
  const int what = in_choice(in, 4);
  int k;
  if (what < 2 && at < *argc) {
    argv[at] = strdup(word);
  } else if (what == 2 && at < *argc) {
    for (k = at; k < *argc; k++) argv[k] = argv[k + 1];
    --*argc;
  } else if (*argc + 1 < WORDS) {
    for (k = *argc + 1; k > at; k--) argv[k] = argv[k - 1];
    argv[at < *argc ? at : *argc] = strdup(word);
    ++*argc;
  }
}

static int asks_for_work(const char *text) { return strtod(text, NULL) > 40; }

static int has_word(char *const *argv, const char *word) {
  for (; *argv != NULL; argv++)
    if (strcmp(*argv, word) == 0) return 1;
  return 0;
}

/* Little work: one split where a simulation asks for none. */
static void limit(char **argv, int argc) {
  size_t j;
  int k;
  for (k = 1; k + 1 < argc; k++)
    for (j = 0; j < sizeof command_slow / sizeof *command_slow; j++)
      if (strcmp(argv[k], command_slow[j]) == 0 && asks_for_work(argv[k + 1]))
        argv[k + 1] = (char *)(size_t) "3";
  if (argc + 2 >= WORDS || has_word(argv, "--splits") || has_word(argv, "--model") ||
      has_word(argv, "--apply") || has_word(argv, "--convert") || has_word(argv, "--write-ranges"))
    return;
  argv[argc] = (char *)(size_t) "--splits";
  argv[argc + 1] = (char *)(size_t) "1";
  argv[argc + 2] = NULL;
}

/* lines[count]: command lines that work, without the program's name. */
static int command_try(input *in, const char *const *lines, size_t count) {
  char *argv[WORDS + 2], *line, *at, *kept[WORDS + 2];
  static char text[1 << 15];
  int argc = 1, k, code, kept_count = 0;
  size_t j, length, printed_bytes;
  struct stat about;
  command_begin();
  memset(argv, 0, sizeof argv);
  line = strdup(lines[in_byte(in) % count]);
  argv[0] = (char *)(size_t)PROGRAM;
  for (at = strtok(line, " "); at != NULL; at = strtok(NULL, " ")) argv[argc++] = strdup(at);
  free(line);
  for (k = 1; k < argc; k++) kept[kept_count++] = argv[k];
  for (k = 0; k < 8 && in->left > 0; k++) {
    int i, known;
    changed_by(in, argv, &argc);
    for (i = 1; i < argc && kept_count < WORDS; i++) { /* to free what was put there */
      for (j = known = 0; j < (size_t)kept_count; j++) known |= kept[j] == argv[i];
      if (!known) kept[kept_count++] = argv[i];
    }
  }
  argv[argc] = NULL;
  if (COMMAND_LIMITS) limit(argv, argc);
  while (argv[argc] != NULL) argc++;
  fixtures_write();
  code = command_run(argc, argv);
  length = file_text(text, sizeof text, "err");
  printed_bytes = stat("out", &about) == 0 ? (size_t)about.st_size : 0;
  if (getenv("FUZZ_SHOW") != NULL) {
    fprintf(stderr, "%d:", code);
    for (k = 0; k < argc; k++) fprintf(stderr, " '%s'", argv[k]);
    fprintf(stderr, "\n%s", text);
  }
  REQUIRE(code >= 0 && code <= 3, "an exit code of its own");
  if (code == 1 || code == 2) {
    REQUIRE(length > strlen(PROGRAM) + 6 && text[length - 1] == '\n' &&
                (strstr(text, PROGRAM ": ") != NULL || strncmp(text, "usage: ", 7) == 0),
            "a failure without a sentence");
    REQUIRE(code == 1 || printed_bytes == 0, "wrong use prints");
    if (code == 2) REQUIRE(fixtures_whole(), "wrong use changes a file");
  }
  others_remove("folder", code == 2);
  others_remove(".", code == 2);
  for (k = 0; k < kept_count; k++) free(kept[k]);
  return 0;
}

#endif /* FUZZ_COMMAND_H */
