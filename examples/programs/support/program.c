/* SPDX-License-Identifier: MIT */
/* What the training programs share: their command line, their data, pictures, prose. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"
#include "support/svg.h"
#include "support/text.h"

const char *program_name = "dppair";
const char *const scale_names[] = {"ranges", "row", "zscore", "maps"};
const char *const scale_words[] = {"declared ranges", "row norm", "z-scores", "declared maps"};

int complain(int code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)fprintf(stderr, "%s: ", program_name);
  (void)vfprintf(stderr, format, list);
  (void)fputc('\n', stderr);
  va_end(list);
  return code;
}

const char *status_words(dppair_status status) {
  return status == DPPAIR_ERR_OVERFLOW ? "out of memory, or a size is too large"
                                       : dppair_status_string(status);
}

/* --- help ------------------------------------------------------------------------------------- */

static const char data_help[] =
    "data\n"
    "  --label NAME|NUMBER\n"
    "                      the label's column in a CSV (default: label, class, target, y; else 1)\n"
    "  --labels NEG,POS    the labels that mean -1 and +1; numbers count by their value\n"
    "  --header yes|no     the file is CSV; its first line names the columns, or does not\n"
    "  --columns D         how many columns there are beside the label: needed with --header no;\n"
    "                      without --header the file is LIBSVM, and indices beyond D are dropped\n"
    "  --separator comma|semicolon|tab\n"
    "                      of a CSV (default: the header's; without one comma)\n"
    "  --ranges FILE       CSV lines name,low,high[,kind], kind = numeric, flag or group:NAME;\n"
    "                      for LIBSVM the name is the index. Default: DATA's name ending in\n"
    "                      .ranges\n"
    "  --person COLUMN     of a CSV, named or numbered like the label's: whose record it is, a\n"
    "                      name or a number. Protected are then all records of a person, however\n"
    "                      many; every person counts the same. Who owns how many is private, how\n"
    "                      many persons there are is public\n"
    "  --persons U         how many persons there are; else those that are met\n"
    "  --query COLUMN      to which query a record belongs: pairs are formed inside queries, and\n"
    "                      every query counts the same. How many there are is public\n"
    "  --queries Q         how many queries there are; else those that are met\n"
    "  --adjacency replace-one|replace-person|zero-person|replace-query|zero-query\n"
    "                      what is protected: replace-one (default), with --query a record that\n"
    "                      stays in its query, and the length of each query is public;\n"
    "                      replace-person (default) or zero-person with --person; replace-query or\n"
    "                      zero-query with --query: all records of a query, however many\n"
    "  --records N         with persons or queries protected: there are at most so many records\n"
    "                      (default: 100 times the persons or queries); how many is private\n"
    "  --owned K           of gd-records: so many records of a person count, others are dropped\n"
    "  --maps FILE         CSV lines name,centre,scale,terms[,limit]: columns derived by public\n"
    "                      constants, such as  drop,0.1,0.2,log1p(a)-log1p(b)  in place of ranges\n"
    "                      and scaling. Or lines name,terms, such as  step,a-b  or  both,a*b:\n"
    "                      columns in place of those that they name, with ranges derived from\n"
    "                      the declared ones; the other columns stay\n"
    "  --scale ranges|row|zscore|maps\n"
    "                      ranges: clamp to the declared range, map to [-1, 1] (with ranges the\n"
    "                      default)\n"
    "                      row: divide each row by its norm (the default without)\n"
    "                      zscore: by the data's own means; NOT covered by the guarantee\n"
    "                      maps: as --maps says, the default with it\n"
    "  --non-monotone LIST\n"
    "                      columns, commas between, whose middle may mean another class than both\n"
    "                      ends (a risk at low and high values): of auto, which counts them for\n"
    "                      each class\n"
    "  A simulation learns from the records what is not declared, and says so. A model shows the\n"
    "  labels and the columns, so for --model they are declared (--labels, and --header or\n"
    "  columns by --columns): no record may decide them. The domain is then: every line is a record,\n"
    "  with one of the two labels and a number in every column. Numbers beyond a declared range,\n"
    "  infinite ones too, are clamped to it. Outside of the domain are missing values (nothing,\n"
    "  ?, NA, NaN), other labels, comments and blank lines: the release is refused with one\n"
    "  sentence, always the same. Run without --model to see where; such messages may quote\n"
    "  records and are only for who holds the data.\n";

static const char release_help[] =
    "                      A run that is repeated, after a crash too, spends its epsilon again\n"
    "                      (but one that goes on: --checkpoint)\n"
    "  --stream            with --model, method gd: DATA is read again in each step and not held, so\n"
    "                      it may be larger than memory; the model is the same to the last bit. The\n"
    "                      binary format that --convert writes is read fastest, and always so\n"
    "  --checkpoint FILE   with --model, method gd: what it takes to go on after a stop, kept after\n"
    "                      each step (mode 0600) and erased at the end. Whoever has this file can\n"
    "                      undo the noise of the release: keep it as secret as the data, and out of\n"
    "                      backups\n"
    "  --resume            the same command once more with this goes on from the checkpoint: steps\n"
    "                      that were made are not paid again, and have the same noise. Other data,\n"
    "                      settings or versions are refused\n"
    "  --save-key FILE     with --model: keep the noise key (mode 0600, never overwrites).\n"
    "                      Whoever has this file can undo the noise: for audit only\n"
    "  --replay FILE       with --model: repeat a release by its kept key, for the same data,\n"
    "                      settings and version only; its noise is known, so the model says: no\n"
    "                      guarantee\n"
    "\n"
    "  --help              this text\n"
    "  --version           the version\n"
    "\n"
    "Exit status: 0 ok; 1 the work failed: a file, memory, a record outside of the declared domain;\n"
    "2 wrong use: the command line, a declaration that does not fit the header, an option that the\n"
    "method lacks.\n"
    "\n"
    "methods (--method)\n";

void print_usage(const char *training, const char *runs) {
  (void)fputs(training, stdout);
  (void)fputs(data_help, stdout);
  (void)fputs(runs, stdout);
  (void)fputs(release_help, stdout);
}

/* --- the command line ------------------------------------------------------------------------- */

/* One option with its value; 0 and a complaint when it does not parse. */
int option_take(run_options *o, const char *name, const char *value) {
  enum { SIMULATES = 1 };
  struct {
    const char *name;
    const char **text;
    size_t *size;
    double *number;
    int offers, mode; /* what a method must offer; whether only a simulation has it */
  } const table[] = {{"--method", &o->method, NULL, NULL, 0, 0},
                     {"--loss", &o->with.loss, NULL, NULL, OFFERS_LOSS, 0},
                     {"--label", &o->label, NULL, NULL, 0, 0},
                     {"--labels", &o->labels, NULL, NULL, 0, 0},
                     {"--header", &o->header, NULL, NULL, 0, 0},
                     {"--columns", NULL, &o->columns, NULL, 0, 0},
                     {"--separator", &o->separator, NULL, NULL, 0, 0},
                     {"--release", &o->release, NULL, NULL, 0, 0},
                     {"--ranges", &o->ranges, NULL, NULL, 0, 0},
                     {"--maps", &o->maps, NULL, NULL, 0, 0},
                     {"--scale", &o->scale, NULL, NULL, 0, 0},
                     {"--numbers", &o->numbers, NULL, NULL, 0, 0},
                     {"--non-monotone", &o->non_monotone, NULL, NULL, OFFERS_BY_CLASS, 0},
                     {"--svg", &o->svg, NULL, NULL, 0, SIMULATES},
                     {"--model", &o->model, NULL, NULL, 0, 0},
                     {"--save-key", &o->save_key, NULL, NULL, 0, 0},
                     {"--replay", &o->replay, NULL, NULL, 0, 0},
                     {"--checkpoint", &o->checkpoint, NULL, NULL, OFFERS_STREAM, 0},
                     {"--steps", NULL, &o->with.steps, NULL, OFFERS_STEPS, 0},
                     {"--owned", NULL, &o->with.owned, NULL, NEEDS_OWNED, SIMULATES},
                     {"--splits", NULL, &o->splits, NULL, 0, SIMULATES},
                     {"--seed", NULL, &o->seed, NULL, 0, SIMULATES},
                     {"--step-size", NULL, NULL, &o->with.step_size, OFFERS_STEP_SIZE, 0},
                     {"--radius", NULL, NULL, &o->with.radius, OFFERS_RADIUS, 0},
                     {"--param-radius", NULL, NULL, &o->with.param_radius, OFFERS_PARAM_RADIUS, 0},
                     {"--lambda", NULL, NULL, &o->with.lambda, OFFERS_LAMBDA, 0},
                     {"--delta", NULL, NULL, &o->delta, 0, 0}};
  size_t k;
  if (strcmp(name, "--epsilon") == 0) {
    o->epsilon_given = 1;
    if (!text_numbers(o->epsilon, MAX_BUDGETS, &o->budgets, value))
      return complain(0, "--epsilon takes numbers with commas between, not '%s'", value);
    for (k = 0; k < o->budgets; k++) {
      if (!(o->epsilon[k] > 0)) return complain(0, "epsilon must be above 0, not '%s'", value);
      if (!(o->epsilon[k] >= EPSILON_LEAST && o->epsilon[k] <= EPSILON_MOST))
        return complain(0, "epsilon lies in [%g, %g], not '%s'", EPSILON_LEAST, EPSILON_MOST,
                        value);
    }
    return 1;
  }
  for (k = 0; k < sizeof table / sizeof *table && strcmp(name, table[k].name) != 0; k++) {
  }
  if (k == sizeof table / sizeof *table) return complain(0, "unknown option %s (see --help)", name);
  o->given |= table[k].offers;
  if (table[k].mode == SIMULATES && o->simulates == NULL) o->simulates = table[k].name;
  if (table[k].text != NULL) {
    *table[k].text = value;
    return 1;
  }
  if (table[k].size != NULL) {
    if (!text_size(table[k].size, value) || (*table[k].size == 0 && table[k].size != &o->seed))
      return complain(0, "%s takes a whole number above 0, not '%s'", name, value);
    return 1;
  }
  if (table[k].number == &o->delta) {
    o->delta_given = 1;
    if (!text_number(&o->delta, value) || !(o->delta >= 0 && o->delta < 1))
      return complain(0, "--delta is at least 0 and below 1, not '%s'", value);
    return 1;
  }
  if (!text_number(table[k].number, value) || !(*table[k].number > 0))
    return complain(0, "%s takes a number above 0, not '%s'", name, value);
  if (!(*table[k].number >= SETTING_LEAST && *table[k].number <= SETTING_MOST))
    return complain(0, "%s takes a number in [%g, %g], not '%s'", name, SETTING_LEAST, SETTING_MOST,
                    value);
  return 1;
}

int same_file(const char *a, const char *b) {
  struct stat one, two;
  return a != NULL && b != NULL && stat(a, &one) == 0 && stat(b, &two) == 0 &&
         one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

int same_place(const char *a, const char *b) {
  const char *name[2], *path[2] = {a, b};
  char *folder[2];
  int k, same;
  for (k = 0; k < 2; k++) {
    const char *slash = strrchr(path[k], '/');
    name[k] = slash != NULL ? slash + 1 : path[k];
    folder[k] = malloc(strlen(path[k]) + 2);
    if (folder[k] != NULL) (void)sprintf(folder[k], "%.*s.", (int)(name[k] - path[k]), path[k]);
  }
  same = strcmp(name[0], name[1]) == 0 && same_file(folder[0], folder[1]);
  free(folder[0]);
  free(folder[1]);
  return same;
}

int check_picture(const run_options *o) {
  if (same_file(o->svg, o->data) || same_file(o->svg, o->ranges) || same_file(o->svg, o->maps))
    return complain(0, "--svg %s would replace what is read", o->svg);
  return 1;
}

/* --evaluate FILE, --evaluate-epsilon E: 1 taken, 0 after a complaint, -1 another option. */
static int take_evaluation(run_options *o, const char *name, const char *value) {
  if (strcmp(name, "--evaluate") == 0) {
    o->evaluate = value;
    return 1;
  }
  if (strcmp(name, "--evaluate-epsilon") != 0) return -1;
  if (text_number(&o->evaluate_epsilon, value) && o->evaluate_epsilon >= EPSILON_LEAST &&
      o->evaluate_epsilon <= EPSILON_MOST)
    return 1;
  return complain(0, "--evaluate-epsilon lies in [%g, %g], not '%s'", EPSILON_LEAST, EPSILON_MOST,
                  value);
}

static int check_evaluation(const run_options *o) {
  if (o->evaluate == NULL && !(o->evaluate_epsilon > 0)) return 1;
  if (o->model == NULL) return complain(0, "--evaluate belongs to --model");
  if (o->evaluate == NULL || !(o->evaluate_epsilon > 0))
    return complain(0, "--evaluate FILE and --evaluate-epsilon E go together");
  if (o->data == NULL) return complain(0, "--evaluate needs DATA: what is built in is one file");
  if (same_file(o->evaluate, o->data))
    return complain(0, "--evaluate: the model learns from these records; give those of others");
  return 1;
}

/* --person, --query and what belongs to them: 1 taken, 0 after a complaint, -1 another option. */
static int take_groups(run_options *o, const char *name, const char *value) {
  static const dppair_adjacency all[] = {DPPAIR_REPLACE_ONE,    DPPAIR_ZERO_OUT,
                                         DPPAIR_REPLACE_USER, DPPAIR_ZERO_USER,
                                         DPPAIR_REPLACE_QUERY,  DPPAIR_ZERO_QUERY};
  const struct {
    const char *name;
    size_t *count;
  } counts[] = {{"--persons", &o->users}, {"--queries", &o->queries}, {"--records", &o->records}};
  size_t k;
  if (strcmp(name, "--person") == 0) {
    o->user = value;
    o->given |= OFFERS_PERSONS;
    return 1;
  }
  if (strcmp(name, "--query") == 0) {
    o->query = value;
    o->given |= OFFERS_QUERIES;
    return 1;
  }
  for (k = 0; k < 3; k++)
    if (strcmp(name, counts[k].name) == 0)
      return (text_size(counts[k].count, value) && *counts[k].count > 0 &&
              (double)*counts[k].count <= RECORDS_MOST) ||
             complain(0, "%s takes a whole number from 1 to %.0f, not '%s'", name, RECORDS_MOST,
                      value);
  if (strcmp(name, "--adjacency") != 0) return -1;
  for (k = 0; k < sizeof all / sizeof *all; k++)
    if (strcmp(value, dppair_adjacency_name(all[k])) == 0) {
      o->adjacency = all[k];
      return 1;
    }
  return complain(0, "no adjacency is called '%s' (see --help)", value);
}

/* Which pairs there are, and what is protected. */
static int check_groups(run_options *o) {
  const dppair_adjacency asked = o->adjacency;
  const char *name = dppair_adjacency_name(asked);
  if (o->user != NULL && o->query != NULL)
    return complain(0, "--person and --query: how many records a person has in which query would "
                       "have to be public; give one of them");
  if (o->users > 0 && o->user == NULL) return complain(0, "--persons belongs to --person");
  if (o->queries > 0 && o->query == NULL) return complain(0, "--queries belongs to --query");
  if ((o->user != NULL || o->query != NULL) && o->with.loss != NULL &&
      strcmp(o->with.loss, "logistic") != 0)
    return complain(0, "--%s is compiled for the loss logistic: --loss %s is not for it",
                    o->user != NULL ? "person" : "query", o->with.loss);
  if (o->records > 0 && (asked == 0 || asked == DPPAIR_REPLACE_ONE) && o->user == NULL)
    return complain(0, "--records bounds how many there are where that is private: with --person, "
                       "or --adjacency replace-query or zero-query");
  if (asked == DPPAIR_ZERO_OUT)
    return complain(0, o->query != NULL
                           ? "--adjacency zero-out: without a record its query is shorter, and how "
                             "long queries are is public; there are replace-one, replace-query and "
                             "zero-query"
                           : "--adjacency zero-out: the training programs replace records "
                             "(replace-one)");
  if (o->user != NULL) {
    if (asked == 0) o->adjacency = DPPAIR_REPLACE_USER;
    if (o->adjacency != DPPAIR_REPLACE_USER && o->adjacency != DPPAIR_ZERO_USER)
      return complain(0,
                      "--adjacency %s protects less than --person, or something else: there are "
                      "replace-person and zero-person",
                      name);
  } else {
    if (asked == 0) o->adjacency = DPPAIR_REPLACE_ONE;
    if (o->adjacency == DPPAIR_REPLACE_USER || o->adjacency == DPPAIR_ZERO_USER)
      return complain(0, "--adjacency %s: --person says whose record it is", name);
    if (o->adjacency != DPPAIR_REPLACE_ONE && o->query == NULL)
      return complain(0, "--adjacency %s: --query says to which query a record belongs", name);
  }
  if (o->adjacency == DPPAIR_ZERO_USER && o->users == 0)
    return complain(0, "--adjacency zero-person: whether a person is there may not decide how many "
                       "there are: --persons declares it");
  if (o->adjacency == DPPAIR_ZERO_QUERY && o->queries == 0)
    return complain(0, "--adjacency zero-query: whether a query is there may not decide how many "
                       "there are: --queries declares it");
  if (o->evaluate != NULL && (o->user != NULL || o->query != NULL))
    return complain(0, "--evaluate protects single records: with %s there is none",
                    o->user != NULL ? "--person" : "--query");
  return 1;
}

size_t most_records(const run_options *o, const dataset *data) {
  if (o->adjacency == DPPAIR_REPLACE_ONE) return data->n;
  return o->records > 0 ? o->records : RECORDS_EACH * data->groups;
}

size_t units(const run_options *o, const dataset *data) {
  return o->adjacency == DPPAIR_REPLACE_ONE ? data->n : data->groups;
}

const char *unit_name(const run_options *o) {
  if (o->adjacency == DPPAIR_REPLACE_ONE) return "record";
  return o->user != NULL ? "person" : "query";
}

/* --release all|last: gd-last is gd of which the last iterate alone is published. */
static int choose_release(run_options *o) {
  if (o->release == NULL) return 1;
  if (strcmp(o->method, "gd") != 0)
    return complain(0,
                    "--release belongs to method gd: method %s publishes what its line in --help "
                    "says",
                    o->method);
  if (strcmp(o->release, "last") == 0) o->method = "gd-last";
  return strcmp(o->method, "gd-last") == 0 || strcmp(o->release, "all") == 0 ||
         complain(0, "--release is all (the default) or last, not '%s'", o->release);
}

/* --stream, --checkpoint, --resume. */
static int check_stream(const run_options *o) {
  const char *given = o->stream ? "--stream" : o->checkpoint != NULL ? "--checkpoint" : "--resume";
  if (!o->stream && o->checkpoint == NULL && !o->resume) return 1;
  if (o->team != NULL && (o->model == NULL || o->data == NULL))
    return complain(0, "processes train one model of one file: FILE --model FILE (see --help)");
  if (o->model == NULL) return complain(0, "%s belongs to --model: it is for one training run", given);
  if (o->resume && o->checkpoint == NULL)
    return complain(0, "--resume needs --checkpoint FILE, what the stopped run has left");
  if (o->resume && o->save_key != NULL)
    return complain(0, "--resume goes on with the key of the run that was stopped: --save-key was "
                       "for its beginning");
  if (o->checkpoint != NULL &&
      (same_place(o->checkpoint, o->model) || same_file(o->checkpoint, o->data) ||
       (o->save_key != NULL && same_place(o->checkpoint, o->save_key))))
    return complain(0, "--checkpoint %s: a file of its own is needed", o->checkpoint);
  if (o->stream && o->data == NULL)
    return complain(0, "--stream reads DATA again in each pass: what is built in is in memory");
  if (o->query != NULL)
    return complain(0, "%s: with --query all records are held in memory, without a checkpoint",
                    given);
  return 1;
}

static int check_release(const run_options *o) {
  if (!o->epsilon_given || o->budgets != 1)
    return complain(0, "--model is one release: give one --epsilon");
  if (o->simulates != NULL)
    return complain(0, "%s is for simulations: --model is one release with noise of its own",
                    o->simulates);
  if (o->save_key != NULL && o->replay != NULL)
    return complain(0, "--save-key keeps a fresh key, --replay uses an old one: not both");
  if (o->save_key != NULL && same_place(o->save_key, o->model))
    return complain(0, "--save-key and --model name the same file");
  return 1;
}

int parse(run_options *o, int argc, char **argv) {
  int k;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0) {
      o->json = 1;
      o->simulates = o->simulates != NULL ? o->simulates : "--json";
    } else if (strcmp(argv[k], "--quiet") == 0) {
      o->quiet = 1;
    } else if (strcmp(argv[k], "--as-printed") == 0) {
      o->with.as_printed = 1;
    } else if (strcmp(argv[k], "--explain") == 0) {
      o->explain = 1;
      o->given |= OFFERS_EXPLAIN;
    } else if (strcmp(argv[k], "--stream") == 0) {
      o->stream = 1;
      o->given |= OFFERS_STREAM;
    } else if (strcmp(argv[k], "--resume") == 0) {
      o->resume = 1;
    } else if (strncmp(argv[k], "--", 2) != 0) {
      if (o->data != NULL) return complain(0, "one data file at a time: '%s'", argv[k]);
      o->data = argv[k];
    } else if (k + 1 == argc) {
      return complain(0, "%s is unknown or lacks its value (see --help)", argv[k]);
    } else {
      int taken = take_evaluation(o, argv[k], argv[k + 1]);
      if (taken < 0) taken = take_groups(o, argv[k], argv[k + 1]);
      if (taken == 0 || (taken < 0 && !option_take(o, argv[k], argv[k + 1]))) return 0;
      k++;
    }
  }
  if (!choose_release(o) || !check_picture(o) || !check_evaluation(o) || !check_groups(o)) return 0;
  if (o->numbers != NULL) return complain(0, "--numbers belongs to --convert");
  if (!check_stream(o)) return 0;
  if (o->model == NULL && o->explain)
    return complain(0, "--explain is about one release: give --model FILE");
  if (o->model == NULL && (o->save_key != NULL || o->replay != NULL))
    return complain(0, "--save-key and --replay belong to --model");
  return o->model == NULL || check_release(o);
}

int parse_some(run_options *o, int argc, char **argv, const char *own, const char **path,
               const char *const known[]) {
  int k;
  size_t j;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--quiet") == 0) {
      o->quiet = 1;
      continue;
    }
    if (strncmp(argv[k], "--", 2) != 0) {
      if (o->data != NULL) return complain(0, "one data file at a time: '%s'", argv[k]);
      o->data = argv[k];
      continue;
    }
    for (j = 0; known[j] != NULL && strcmp(argv[k], known[j]) != 0; j++) {
    }
    if (strcmp(argv[k], own) != 0 && known[j] == NULL)
      return complain(0, "%s is not for %s (see --help)", argv[k], own);
    if (k + 1 == argc) return complain(0, "%s lacks its value (see --help)", argv[k]);
    if (strcmp(argv[k], own) == 0)
      *path = argv[k + 1];
    else if (strcmp(argv[k], "--person") == 0)
      o->user = argv[k + 1];
    else if (!option_take(o, argv[k], argv[k + 1]))
      return 0;
    k++;
  }
  return 1;
}

static const struct {
  int offer;
  const char *option, *lacks;
} offered[] = {{OFFERS_LOSS, "--loss", "has no choice of losses"},
               {OFFERS_STEPS, "--steps", "has no number of steps to set"},
               {OFFERS_STEP_SIZE, "--step-size", "has no step size to set"},
               {OFFERS_RADIUS, "--radius", "has no row norm to set"},
               {OFFERS_PARAM_RADIUS, "--param-radius", "has no ball of parameters to set"},
               {OFFERS_LAMBDA, "--lambda", "has no regulariser to set"},
               {OFFERS_PERSONS, "--person", "protects single records, not all those of a person"},
               {NEEDS_OWNED, "--owned", "keeps all records of a person"},
               {OFFERS_QUERIES, "--query", "reads pairs of all records, whatever their query"},
               {OFFERS_STREAM, "--stream, --checkpoint, a binary file", "needs all records at once"},
               {OFFERS_EXPLAIN, "--explain", "does not release gradients over pairs"},
               {OFFERS_BY_CLASS, "--non-monotone", "does not count columns for each class"}};

int offers_all(const run_options *o, int offers) {
  return (o->given & ~offers) == 0 && (!(offers & NEEDS_OWNED) || o->with.owned > 0) &&
         (!o->with.as_printed || (offers & OFFERS_PRINTED) != 0);
}

int check_offers(const run_options *o, const char *name, int offers) {
  size_t k;
  if (o->delta_given && !(o->delta > 0) && !(offers & OFFERS_PURE))
    return complain(0, "method %s needs delta above 0", name);
  for (k = 0; k < sizeof offered / sizeof *offered; k++)
    if (o->given & ~offers & offered[k].offer)
      return complain(0, "method %s %s: %s is not for it", name, offered[k].lacks,
                      offered[k].option);
  if (offers & NEEDS_OWNED && (o->user == NULL || o->with.owned == 0))
    return complain(0, "method %s needs --person and --owned K, how many records of a person count",
                    name);
  if (o->with.as_printed && !(offers & OFFERS_PRINTED))
    return complain(0, "no paper prints a noise for method %s: --as-printed is not for it", name);
  if (o->with.as_printed && o->delta_given && !(o->delta > 0) && !(offers & OFFERS_PRINTED_PURE))
    return complain(0, "the noise that is printed for method %s needs delta above 0", name);
  return 1;
}

void print_method(const method *m) {
  (void)printf("  %-19s %s%s%s%s\n", m->name, m->summary,
               m->offers & OFFERS_PURE ? "; delta 0 too" : "",
               m->offers & OFFERS_LAMBDA ? "; --lambda" : "",
               m->offers & OFFERS_PRINTED ? "; --as-printed" : "");
}

/* --- data ------------------------------------------------------------------------------------- */

typedef int declaration_reader(dataset *, const char *, size_t, const char *, char *);

static int declare_by(declaration_reader *read, dataset *data, const char *path) {
  char error[ERROR_SIZE];
  size_t length;
  char *text = file_read(path, &length, error);
  int ok;
  if (text == NULL) return complain(1, "%s", error);
  ok = read(data, text, length, path, error);
  free(text);
  return ok ? 0 : complain(2, "%s", error);
}

/* The columns that --non-monotone names; an exit status. */
static int declare_non_monotone(dataset *data, const run_options *o) {
  const char *at = o->non_monotone;
  size_t j, length;
  if (at != NULL && data->centred)
    return complain(2, "--non-monotone: what --maps centres is not counted");
  for (; at != NULL; at = at[length] == ',' ? at + length + 1 : NULL) {
    length = strcspn(at, ",");
    for (j = 0; j < data->d; j++)
      if (strlen(data->features[j].name) == length &&
          memcmp(data->features[j].name, at, length) == 0)
        break;
    if (j == data->d)
      return complain(2, "--non-monotone: no column is called '%.*s'", (int)length, at);
    if (data->features[j].kind != KIND_NUMERIC)
      return complain(2, "--non-monotone: '%s' has two values only, which rise or fall",
                      data->features[j].name);
    data->features[j].by_class = 1;
  }
  return 0;
}

/* Declared ranges, that file's or the one beside the data; an exit status. */
static int declare_ranges(dataset *data, const run_options *o) {
  char *beside = NULL;
  int code = 0;
  if (o->ranges != NULL) return declare_by(data_ranges_parse, data, o->ranges);
  if (o->data != NULL) beside = data_ranges_beside(o->beside != NULL ? o->beside : o->data);
  if (beside != NULL) code = declare_by(data_ranges_parse, data, beside);
  free(beside);
  return code;
}

/* Ranges, maps that replace them, or columns that are derived with them. */
static int declare_columns(dataset *data, derived **maps, const run_options *o) {
  char error[ERROR_SIZE];
  size_t length;
  int code = 0;
  char *text;
  if (o->maps == NULL) return declare_ranges(data, o);
  text = file_read(o->maps, &length, error);
  if (text == NULL) return complain(1, "%s", error);
  if (data_maps_need_ranges(text, length))
    code = declare_ranges(data, o);
  else if (o->ranges != NULL)
    code = complain(2, "--maps with centres takes raw columns: nothing for --ranges to do");
  if (code == 0 && !(maps != NULL ? data_maps_compile(maps, data, text, length, o->maps, error)
                                  : data_maps_parse(data, text, length, o->maps, error)))
    code = complain(2, "%s", error);
  free(text);
  return code;
}

int declare(dataset *data, derived **maps, const run_options *o) {
  int code = declare_columns(data, maps, o);
  return code == 0 ? declare_non_monotone(data, o) : code;
}

static const struct {
  const char *name;
  char separator;
} separators[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}};

int layout_of(layout *how, const run_options *o) {
  size_t k;
  memset(how, 0, sizeof *how);
  how->label = o->label;
  how->labels = o->labels;
  how->columns = o->columns;
  how->classes = o->classes;
  how->group = o->user != NULL ? o->user : o->query;
  if (o->data == NULL && (o->label != NULL || o->labels != NULL || o->header != NULL ||
                          o->columns > 0 || o->separator != NULL || how->group != NULL))
    return complain(2, "the built-in records declare their own labels and columns, and have no "
                       "persons or queries");
  if (o->header != NULL && strcmp(o->header, "yes") != 0 && strcmp(o->header, "no") != 0)
    return complain(2, "--header is yes or no, not '%s'", o->header);
  if (o->header != NULL) how->header = *o->header == 'y' ? HEADER_YES : HEADER_NO;
  for (k = 0; o->separator != NULL && k < 3; k++)
    if (strcmp(o->separator, separators[k].name) == 0) how->separator = separators[k].separator;
  if (o->separator != NULL && how->separator == '\0')
    return complain(2, "--separator is comma, semicolon or tab, not '%s'", o->separator);
  if (how->header == HEADER_NO && how->columns == 0)
    return complain(2, "--header no leaves the columns without names: --columns says how many");
  if (o->model == NULL || o->data == NULL) return 0;
  if (how->labels == NULL)
    return complain(2, "--model shows which labels there are: declare them, --labels NEG,POS");
  if (how->header == HEADER_GUESSED && how->columns == 0)
    return complain(2, "--model shows which columns there are: declare them, --header yes or no "
                       "for CSV, --columns D for LIBSVM");
  return 0;
}

/* A name that is a number may be a record's value, in a file without a header: then ranges or maps
 * have to know it. */
int check_names(const dataset *data, const char *name) {
  size_t j;
  double value;
  if (data->has_ranges || data->found.header != HEADER_YES) return 0;
  for (j = 0; j < data->d; j++) {
    const span s = span_of(data->features[j].name);
    if (number_parse(&value, s) || is_missing(s) || infinity_sign(s) != 0)
      return complain(2, "%s: '%s' for a column's name: a header? --ranges or --maps must know it",
                      name, data->features[j].name);
  }
  return 0;
}

int refuse_records(const run_options *o) {
  return complain(1,
                  "a record is outside of the declared domain (another label, a missing value, too "
                  "many fields or too few, a comment%s), so nothing is released (the domain: "
                  "--help; the place: the same without --model)",
                  o->user != NULL && o->stream
                      ? ", records or persons beyond what is declared, persons out of order: "
                        "numbers ascend, texts behind them by their bytes"
                  : o->user != NULL ? ", records or persons beyond what is declared"
                  : o->query != NULL ? ", records or queries beyond what is declared"
                                     : "");
}

int count_groups(dataset *data, const run_options *o) {
  const size_t declared = o->user != NULL ? o->users : o->queries;
  const char *many = o->user != NULL ? "persons" : "queries";
  if (data->groups == 0) return 0;
  if (declared > 0 && data->groups > declared)
    return o->model != NULL ? refuse_records(o)
                            : complain(1, "%s: %zu %s, and --%s says %zu", o->data, data->groups,
                                       many, many, declared);
  if (declared > 0) data->groups = declared;
  if (data->n > most_records(o, data))
    return o->model != NULL ? refuse_records(o)
                            : complain(1, "%s: %zu records; at most %zu are expected (--records)",
                                       o->data, data->n, most_records(o, data));
  if (data->groups < MIN_RECORDS)
    return complain(1, "%s: %zu %s; at least %d are needed", o->data, data->groups, many,
                    MIN_RECORDS);
  return 0;
}

/* The file's records under what is declared. For a release the declarations are compared with the
 * columns first, so that they are refused before a record is read; and what is wrong with a record
 * is not told. */
static int load_file(dataset *data, const layout *how, const run_options *o) {
  char error[ERROR_SIZE];
  size_t length;
  int code = 0;
  char *text = file_read(o->data, &length, error);
  if (text == NULL) return complain(1, "%s", error);
  if (o->model != NULL && data_columns(data, text, length, o->data, how, error)) {
    code = declare(data, NULL, o);
    if (code == 0) code = check_names(data, o->data);
    data_free(data);
  }
  if (code == 0 && data->fault == FAULT_NONE)
    (void)data_parse(data, text, length, o->data, how, error);
  free(text);
  if (code != 0) return code;
  switch (data->fault) {
  case FAULT_NONE:
    code = declare(data, NULL, o);
    return code != 0 ? code : count_groups(data, o);
  case FAULT_DECLARATION:
    return complain(2, "%s", error);
  case FAULT_RECORD:
    if (o->model == NULL) break;
    return refuse_records(o);
  default:
    break;
  }
  return complain(1, "%s", error);
}

int choose_scale(scale_kind *scale, const dataset *data, const run_options *o) {
  int k;
  *scale = data->centred ? SCALE_MAPS : data->has_ranges ? SCALE_RANGES : SCALE_ROW;
  if (o->scale == NULL) return 0;
  for (k = 0; k < 4 && strcmp(o->scale, scale_names[k]) != 0; k++) {
  }
  if (k == 4) return complain(2, "--scale is ranges, row, zscore or maps, not '%s'", o->scale);
  if (k == SCALE_MAPS && !data->centred) return complain(2, "--scale maps needs --maps FILE");
  if (k != SCALE_MAPS && data->centred)
    return complain(2, "--maps makes the scaling: it goes with --scale maps only");
  if (k == SCALE_RANGES && !data->has_ranges)
    return complain(2, "--scale ranges needs --ranges FILE");
  *scale = (scale_kind)k;
  return 0;
}

int load(dataset *data, scale_kind *scale, const run_options *o) {
  char error[ERROR_SIZE];
  layout how;
  int code = layout_of(&how, o);
  memset(data, 0, sizeof *data);
  if (code != 0) return code;
  if (o->data != NULL)
    code = load_file(data, &how, o);
  else
    code = data_embedded(data, error) ? declare(data, NULL, o) : complain(1, "%s", error);
  return code != 0 ? code : choose_scale(scale, data, o);
}

/* From here on, what grows like d^3 may take hours; d x d numbers must fit anyway. */
enum { MANY_COLUMNS = 2000, MOST_FOR_CUBES = 20000 };

void explain_ranges(FILE *file, const run_options *o, const dataset *data) {
  const header_kind header = data->found.header;
  print_wrapped(file,
                "Ranges say for each column between which values it lies, as far as is publicly "
                "known: by what is measured, by a code book, by law. They cannot be read off the "
                "records: the smallest and the largest value are somebody's, and no noise covers "
                "them. What lies beyond is clamped, so they may be narrow. A file of them, with "
                "the names of the columns and the numbers left to you, is begun by");
  (void)fprintf(file, "    private_auc %s %s --write-ranges FILE\n", o->data,
                o->header != NULL || o->columns > 0 ? "(the same declarations)"
                : header == HEADER_YES              ? "--header yes"
                : header == HEADER_NO               ? "--header no --columns D"
                                                    : "--columns D");
}

int check_data(const dataset *data, const run_options *o, const method *m) {
  if (m->needs_ranges && !data->has_ranges) {
    (void)complain(2, "method %s needs declared ranges (--ranges FILE)", m->name);
    if (!o->quiet) explain_ranges(stderr, o, data);
    return 2;
  }
  if (m->needs_ranges && o->scale != NULL && !data->centred && strcmp(o->scale, "ranges") != 0)
    return complain(2, "method %s scales the columns itself: --scale %s is not for it", m->name,
                    o->scale);
  if (!(m->offers & NEEDS_CUBES)) return 0;
  if (data->d > MOST_FOR_CUBES)
    return complain(2, "method %s computes with %zu x %zu numbers: at most %d columns are for it",
                    m->name, data->d, data->d, MOST_FOR_CUBES);
  if (data->d > MANY_COLUMNS && !o->quiet)
    (void)complain(0,
                   "warning: method %s takes time like the cube of the %zu columns: hours, "
                   "perhaps",
                   m->name, data->d);
  return 0;
}

void print_learnt(const dataset *data) {
  const layout *found = &data->found;
  if (data->shape_declared && data->labels_declared) return;
  (void)fputs("learnt from the records, which a release may not do:", stdout);
  if (!data->shape_declared) {
    (void)printf(" columns (%s%s%s", found->header == HEADER_GUESSED ? "" : "--header ",
                 found->header == HEADER_GUESSED ? ""
                 : found->header == HEADER_YES   ? "yes"
                                                 : "no",
                 found->header == HEADER_NO ? " " : "");
    if (found->header != HEADER_YES) (void)printf("--columns %zu", found->columns);
    if (found->header == HEADER_NO && found->separator != ',')
      (void)printf(" --separator %s", found->separator == ';' ? "semicolon" : "tab");
    (void)fputs(")", stdout);
  }
  if (!data->labels_declared)
    (void)printf("%s labels (--labels '%s,%s')", data->shape_declared ? "" : ",", data->label[0],
                 data->label[1]);
  (void)putchar('\n');
}

const char *data_name(const run_options *o) {
  return o->data != NULL ? o->data : "pima.csv (built in)";
}

void print_wrapped(FILE *file, const char *text) {
  size_t column = 0;
  while (*text != '\0') {
    size_t length = strcspn(text, " ");
    if (strncmp(text + length, " %", 2) == 0) length += 1 + strcspn(text + length + 1, " ");
    if (column > 0 && column + 1 + length > 96) {
      (void)fputc('\n', file);
      column = 0;
    }
    if (column > 0) (void)fputc(' ', file);
    (void)fwrite(text, 1, length, file);
    column += length + (column > 0);
    text += length;
    while (*text == ' ') text++;
  }
  (void)fputc('\n', file);
}

void task_fill(task *t, const run_options *o, const dataset *data, scale_kind scale, double epsilon,
               double delta) {
  memset(t, 0, sizeof *t);
  t->features = data->has_ranges ? data->features : NULL;
  t->scale = scale;
  t->epsilon = epsilon;
  t->delta = delta;
  t->with = o->with;
  t->adjacency = o->adjacency;
  t->most = data->groups > 0 ? most_records(o, data) : 0;
}

int draw_budgets(const run_options *o, const budget_chart *c) {
  double level[2][MAX_BUDGETS];
  svg_series series[3];
  svg_chart chart;
  size_t b, k;
  memset(series, 0, sizeof series);
  for (k = 0; k < 3; k++) {
    series[k].name = c->names[k];
    series[k].x = o->epsilon;
    series[k].y = k > 0 ? level[k - 1] : c->value;
    series[k].error = k > 0 ? NULL : c->deviation;
    series[k].n = o->budgets;
    series[k].reference = k > 0;
    for (b = 0; k > 0 && b < o->budgets; b++) level[k - 1][b] = c->level[k - 1];
  }
  memset(&chart, 0, sizeof chart);
  chart.title = c->title;
  chart.subtitle = c->subtitle;
  chart.x_label = "epsilon (privacy budget, logarithmic)";
  chart.y_label = c->y_label;
  chart.log_x = 1;
  chart.series = series;
  chart.count = 3;
  if (!svg_write(o->svg, &chart)) return complain(1, "%s: %s", o->svg, strerror(errno));
  return 0;
}
