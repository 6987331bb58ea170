/* SPDX-License-Identifier: MIT */
/*
 * program.h - what the training programs share: options, loading, pictures, prose.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "methods/method.h"
#include "support/report.h"

enum { MAX_BUDGETS = 32 };

typedef struct stream_team stream_team; /* stream.h */

typedef struct run_options {
  const char *data, *method, *label, *ranges, *maps, *scale, *svg, *model, *save_key, *replay;
  const char *labels, *header, *separator, *evaluate, *user, *query, *release, *non_monotone;
  const char *numbers; /* of --convert */
  const char *checkpoint;
  int stream, resume;      /* rows are read again in each pass; the checkpoint's run is gone on with */
  const stream_team *team; /* the processes that train together; NULL: this one alone             */
  const char *beside; /* the data beside which ranges lie; NULL: data                          */
  double epsilon[MAX_BUDGETS], delta, evaluate_epsilon;
  size_t budgets, splits, seed, columns, users, queries, records;
  dppair_adjacency adjacency; /* what is protected: with neither user nor query, one record   */
  int delta_given, epsilon_given, json, quiet, explain;
  int classes;           /* 1: labels have any number of levels (layout.classes)                */
  int given;             /* the OFFERS_ whose options the command line has                      */
  const char *simulates; /* the first option on it that only a simulation has, or NULL          */
  settings with;
} run_options;

/* What messages begin with; main sets it. */
extern const char *program_name;
/* "ranges", "row", "zscore", "maps", by scale_kind; and what prose calls them. */
extern const char *const scale_names[], *const scale_words[];

/* One line on stderr; returns code. */
int complain(int code, const char *format, ...);

/* What a status says. No function of the headers allocates; where the programs could not, they say
 * that the size was too large. */
const char *status_words(dppair_status status);

/* --help but for the methods: how to train, the data, how to run, releases, the exit status. */
void print_usage(const char *training, const char *runs);

/* Do both names lead to one existing file? */
int same_file(const char *a, const char *b);
/* Would two new files of these names be one: the same last part, in one directory? */
int same_place(const char *a, const char *b);

/* Takes one option with its value; 0 after a complaint. */
int option_take(run_options *o, const char *name, const char *value);
/* The command line into *o, which holds the defaults; 0 after a complaint. */
int parse(run_options *o, int argc, char **argv);

/* The same for what is no training: `own` with its value into *path, and the options of known, which
 * ends with NULL. */
int parse_some(run_options *o, int argc, char **argv, const char *own, const char **path,
               const char *const known[]);

/* 0 after a complaint when --svg names one of the files that are read. */
int check_picture(const run_options *o);

/* 1 if what the command line asks for is in `offers`, a sum of OFFERS_; 0 after a complaint. */
int check_offers(const run_options *o, const char *name, int offers);
/* The same without a word. */
int offers_all(const run_options *o, int offers);
/* A line of --help. */
void print_method(const method *m);

/* One sentence, whatever a record is: the same for all of them. */
int refuse_records(const run_options *o);
/* Loads data and ranges or maps and settles the scaling; returns an exit status. For o->model
 * nothing but records' values is learnt from records, and no message depends on them. */
int load(dataset *data, scale_kind *scale, const run_options *o);
/* Its parts, for records that are read otherwise; exit statuses. What the options say of the file;
 * its columns' ranges or maps (maps = NULL: its records, too, get the derived columns); whether the
 * names of columns may be shown; the scaling. */
int layout_of(layout *how, const run_options *o);
int declare(dataset *data, derived **maps, const run_options *o);
int check_names(const dataset *data, const char *name);
/* The users or queries that are declared, or else those that are met, into data->groups, which is
 * public; an exit status. */
int count_groups(dataset *data, const run_options *o);
int choose_scale(scale_kind *scale, const dataset *data, const run_options *o);
/* What ranges are, why they are not read off the records, and how a file of them is begun. */
void explain_ranges(FILE *file, const run_options *o, const dataset *data);
/* The rest of what has to fit: ranges where m needs them, a width that m can work with. */
int check_data(const dataset *data, const run_options *o, const method *m);
/* Of how many records, users or queries one is protected: a public number; and their name. */
size_t units(const run_options *o, const dataset *data);
const char *unit_name(const run_options *o);
/* A public number that records do not exceed. */
size_t most_records(const run_options *o, const dataset *data);
/* What reports call the data. */
const char *data_name(const run_options *o);
/* One line that says what was learnt from the records, and how to declare it, if anything was. */
void print_learnt(const dataset *data);

/* A task without rows, budget filled in. */
void task_fill(task *t, const run_options *o, const dataset *data, scale_kind scale, double epsilon,
               double delta);

/* text in lines of at most 96 columns. */
void print_wrapped(FILE *file, const char *text);

/* A picture over the budgets into o->svg: private figures with deviations, two constant levels. */
typedef struct budget_chart {
  const char *title, *subtitle, *y_label;
  const char *names[3];
  double value[MAX_BUDGETS], deviation[MAX_BUDGETS], level[2];
} budget_chart;
int draw_budgets(const run_options *o, const budget_chart *chart); /* exit status */

#endif /* PROGRAM_H */
