/* SPDX-License-Identifier: MIT */
#include "support/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int load_plan(row_plan *plan, const run_options *o) {
  char error[ERROR_SIZE];
  layout how;
  int code = layout_of(&how, o);
  memset(plan, 0, sizeof *plan);
  if (code != 0) return code;
  if (!row_plan_begin(plan, o->data, &how, error))
    return complain(plan->columns.fault == FAULT_DECLARATION ? 2 : 1, "%s", error);
  plan->f32 = o->numbers != NULL && *o->numbers == 'f';
  code = declare(&plan->columns, &plan->maps, o);
  if (code == 0) code = check_names(&plan->columns, o->data);
  return code == 0 ? choose_scale(&plan->scale, &plan->columns, o) : code;
}

/* The first option that says what a binary file says by itself; NULL without any. */
static const char *declared_again(const run_options *o) {
  return o->label != NULL       ? "--label"
         : o->labels != NULL    ? "--labels"
         : o->header != NULL    ? "--header"
         : o->columns > 0       ? "--columns"
         : o->separator != NULL ? "--separator"
         : o->ranges != NULL    ? "--ranges"
         : o->maps != NULL      ? "--maps"
         : o->scale != NULL     ? "--scale"
                                : NULL;
}

/* A binary file says whether blocks have whole users; --person says that these are protected. */
static int persons_agree(const chunks *c, const run_options *o) {
  if (c->grouped && (o->user == NULL || strcmp(o->user, c->user) != 0))
    return complain(2, "%s: its records are those of persons: --person '%s' protects them", o->data,
                    c->user);
  if (!c->grouped && o->user != NULL)
    return complain(2, "%s: it does not say whose records are: convert them with --person '%s'",
                    o->data, o->user);
  return 0;
}

int load_chunks(chunks *c, row_plan *plan, const run_options *o) {
  char error[ERROR_SIZE];
  const int binary = chunks_binary(o->data);
  int code = 0;
  memset(c, 0, sizeof *c);
  memset(plan, 0, sizeof *plan);
  if (binary < 0) return complain(1, "%s: %s", o->data, strerror(errno));
  if (o->query != NULL) return complain(2, "--query: queries are read in memory, from CSV");
  if (binary && declared_again(o) != NULL)
    return complain(2, "%s: a binary file says by itself what its records are: %s is not for it",
                    o->data, declared_again(o));
  if (!binary) code = load_plan(plan, o);
  if (code == 0 && !chunks_open(c, o->data, binary ? NULL : plan, error))
    code = complain(c->fault == FAULT_DECLARATION ? 2 : 1, "%s", error);
  return code == 0 ? persons_agree(c, o) : code;
}

/* All blocks into the file behind w, which is freed. */
static int convert_blocks(chunks *c, binary_writer *w, int quiet, char error[ERROR_SIZE]) {
  const uint64_t megabyte = UINT64_C(1) << 20;
  progress bar;
  chunk block;
  int got;
  progress_begin(&bar, "converting", (size_t)((uint64_t)c->size / megabyte) + 1, quiet);
  while ((got = chunks_read(c, &block, error)) > 0) {
    if (!binary_block(w, &block, error)) break;
    while (bar.done < c->bytes / megabyte) progress_step(&bar);
  }
  progress_end(&bar);
  if (got == 0) return binary_finish(w, error);
  binary_drop(w);
  return 0;
}

static int convert(chunks *c, const char *path, int quiet) {
  char error[ERROR_SIZE];
  binary_writer *w;
  if (c->source == CHUNKS_BINARY) return complain(2, "%s: it is a binary file already", c->path);
  if (!binary_create(&w, path, &c->columns, c->scale, c->f32, c->grouped ? c->user : NULL,
                     error) ||
      !convert_blocks(c, w, quiet, error))
    return complain(1, "%s", error);
  if (!quiet)
    (void)printf("%s: %llu records of %zu columns, as secret as those of %s\n", path,
                 (unsigned long long)c->seen_n, c->d, c->path);
  if (!quiet && c->grouped)
    (void)printf("%s: %llu persons, in the column '%s'; the largest block has %zu records\n", path,
                 (unsigned long long)c->seen_persons, c->user, c->largest);
  return 0;
}

int convert_run(int argc, char **argv) {
  static const char *const known[] = {"--label",     "--labels", "--header", "--columns",
                                      "--separator", "--ranges", "--maps",   "--scale",
                                      "--numbers",   "--person", NULL};
  const char *path = NULL;
  run_options o;
  row_plan plan;
  chunks c;
  int code;
  program_name = "private_auc";
  memset(&o, 0, sizeof o);
  if (!parse_some(&o, argc, argv, "--convert", &path, known)) return 2;
  if (o.data == NULL) return complain(2, "--convert FILE needs DATA, the records to convert");
  if (o.numbers != NULL && strcmp(o.numbers, "float") != 0 && strcmp(o.numbers, "double") != 0)
    return complain(2, "--numbers is double or float, not '%s'", o.numbers);
  code = load_chunks(&c, &plan, &o);
  if (code == 0) code = convert(&c, path, o.quiet);
  chunks_close(&c);
  row_plan_free(&plan);
  return code;
}
