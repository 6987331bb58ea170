/* SPDX-License-Identifier: MIT */
/*
 * program.h - what the training programs share: options, loading, the keys of a release, prose.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "methods/method.h"
#include "support/report.h"

enum { MAX_BUDGETS = 32, KEY_SIZE = 32 };

typedef struct options {
  const char *data, *method, *label, *ranges, *maps, *scale, *svg, *model, *save_key, *replay;
  double epsilon[MAX_BUDGETS], delta;
  size_t budgets, splits, seed;
  int delta_given, epsilon_given, json, quiet;
  settings with;
} options;

/* What messages begin with; main sets it. */
extern const char *program_name;
/* "ranges", "row", "zscore", "maps", by scale_kind; and what prose calls them. */
extern const char *const scale_names[], *const scale_words[];

/* One line on stderr; returns code. */
int complain(int code, const char *format, ...);

/* The part of --help that is about the data. */
#define PROGRAM_DATA_HELP                                                                          \
  "data\n"                                                                                         \
  "  --label NAME|NUMBER the label's column in a CSV (default: label, class, target or y; else "   \
  "1)\n"                                                                                           \
  "  --ranges FILE       CSV lines name,low,high[,kind], kind = numeric, flag or group:NAME; "     \
  "for\n"                                                                                          \
  "                      LIBSVM the name is the index. Default: DATA's name ending in .ranges\n"   \
  "  --maps FILE         CSV lines name,centre,scale,terms[,limit]: columns derived by public "    \
  "constants,\n"                                                                                   \
  "                      such as  drop,0.1,0.2,log1p(a)-log1p(b)  in place of ranges and "         \
  "scaling\n"                                                                                      \
  "  --scale KIND        ranges: clamp to the declared range, map to [-1, 1] (default with "       \
  "ranges)\n"                                                                                      \
  "                      row: divide each row by its norm (default without)\n"                     \
  "                      zscore: by the data's own means; NOT covered by the guarantee\n"

/* The command line into *o, which holds the defaults; 0 after a complaint. */
int parse(options *o, int argc, char **argv);

/* 1 if what the command line asks for is in `offers`, a sum of OFFERS_; 0 after a complaint. */
int check_offers(const options *o, const char *name, int offers);
/* A line of --help. */
void print_method(const method *m);

/* Loads data and ranges or maps and settles the scaling; returns an exit status. */
int load(dataset *data, scale_kind *scale, const options *o);
/* What reports call the data. */
const char *data_name(const options *o);

/* text in lines of at most 96 columns. */
void print_wrapped(FILE *file, const char *text);
/* The columns of a model file: a JSON array of names, declared ranges, maps. */
void write_columns(FILE *file, const dataset *data);

/* Generators of simulated noise and indices for one split and budget: never those of a release. */
void simulated_keys(dppair_rng *noise, dppair_rng *indices, size_t seed, size_t part,
                    size_t budget);

/* The keys of one release: fresh from the operating system (and kept with --save-key), or those of
 * --replay; 0 after a complaint. */
typedef struct release_key {
  uint8_t noise[KEY_SIZE], indices[KEY_SIZE];
} release_key;
int key_make(release_key *key, const options *o);

#endif /* PROGRAM_H */
