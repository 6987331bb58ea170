/* SPDX-License-Identifier: MIT */
/*
 * data.h - reading labelled records, declared ranges, scaling and random splits.
 *
 * Two text formats are read: LIBSVM ("label index:value ...", 1-based, missing = 0) and CSV (comma,
 * semicolon or tab; header optional; label column by name or number). Labels have two levels, any
 * two numbers (the larger is +1) or any two words (the later in byte order is +1). Everything is
 * held densely. On any defect of the input the functions return 0 and leave one sentence in
 * `error` that names file, line and column; nothing stays allocated.
 */
#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

typedef enum feature_kind { KIND_NUMERIC, KIND_FLAG, KIND_GROUP } feature_kind;

/* A column and what is publicly declared about it. Columns of one group are the one-hot code of one
 * attribute and share the group number (0, 1, ...); other kinds have group -1. */
typedef struct feature {
  char name[64];
  double low, high;
  feature_kind kind;
  int group;
} feature;

/* A derived column: z = (sum of terms - centre)/scale, held in [low, high] of its feature. */
enum { MAP_TERMS = 1024 };
typedef struct declared_map {
  double centre, scale;
  char terms[MAP_TERMS]; /* as declared */
} declared_map;

typedef struct dataset {
  size_t n, d;
  double *x;         /* n rows of d raw values                                       */
  double *y;         /* n labels, -1 or +1                                           */
  feature *features; /* d columns; low < high only once ranges have been declared    */
  int has_ranges;
  declared_map *maps; /* d of them once maps have been declared, else NULL            */
  char label[2][64];  /* the words or numbers in the file that became -1 and +1       */
} dataset;

/* Rows as a method sees them. The arrays belong to whoever made them. */
typedef struct records {
  size_t n, d;
  const double *raw; /* n x d, clamped to the declared ranges when there are any     */
  const double *x;   /* n x d, scaled                                                */
  const double *y;   /* n, -1 or +1                                                  */
} records;

enum { ERROR_SIZE = 512 };

/* Reads path; label is a column's name, its 1-based number, or NULL: the column called label,
 * class, target or y, else the first (LIBSVM: always the first token). */
int data_load(dataset *out, const char *path, const char *label, char error[ERROR_SIZE]);
/* The same from memory; name is what errors call it. */
int data_parse(dataset *out, const char *text, size_t length, const char *name, const char *label,
               char error[ERROR_SIZE]);

/* Reads a ranges file (CSV: name,low,high[,kind]; kind numeric | flag | group:NAME) and attaches
 * it: every column must be declared once. For LIBSVM the names are 1-based indices; declared
 * columns that no record uses are added (all zero), so the width is public too. */
int data_ranges(dataset *data, const char *path, char error[ERROR_SIZE]);
int data_ranges_parse(dataset *data, const char *text, size_t length, const char *name,
                      char error[ERROR_SIZE]);
/* The file beside path: its name with the last extension replaced by .ranges. NULL when there is
 * none; else malloc'ed. */
char *data_ranges_beside(const char *path);

/* Reads a maps file and puts the columns that it derives in place of the raw ones (maps.c):
 *
 *   name,centre,scale,terms[,limit]        z = (terms - centre)/scale, held in [-limit, limit]
 *   glucose,120,30,glucose
 *   drop,0.1,0.2,log1p(count1)-log1p(count2),2
 *
 * terms is a signed sum of columns, each with an optional factor in front ("0.5*") and inside an
 * optional log1p, which means sign(x) log(1 + |x|). Columns are called by name, or by index where
 * ranges would be; a name with + - * ( ) or blanks stands in brackets, [capital-gain]. The limit is
 * 3 when absent. Every value depends on one record and on public constants alone, so a map costs no
 * privacy; it replaces declared ranges, which are not applied before it. */
int data_maps(dataset *data, const char *path, char error[ERROR_SIZE]);
int data_maps_parse(dataset *data, const char *text, size_t length, const char *name,
                    char error[ERROR_SIZE]);

void data_free(dataset *data);

/* The set that the programs use without arguments: Pima Indians diabetes, 768 x 8, with ranges. */
int data_embedded(dataset *out, char error[ERROR_SIZE]);
/* The maps of examples/data by name, such as "pima": 0 when there are none of this name. */
int data_embedded_maps(dataset *data, const char *name, char error[ERROR_SIZE]);

/* How raw values become features. SCALE_RANGES: clamp to [low, high], map to [-1, 1]. SCALE_ROW:
 * divide each row by its l2 norm. SCALE_ZSCORE: mean 0 and deviation 1 over the given records; that
 * reads the data and is covered by no guarantee. SCALE_MAPS: the mapped columns as they are. */
typedef enum scale_kind { SCALE_RANGES, SCALE_ROW, SCALE_ZSCORE, SCALE_MAPS } scale_kind;

/* A split, gathered: training rows first. Owns its arrays. */
typedef struct split {
  records train, test;
  double *memory;
} split;

/* A small seeded generator (xoshiro256**) for splits and simulations. Not for releases. */
typedef struct simulation_rng {
  uint64_t s[4];
} simulation_rng;
void simulation_seed(simulation_rng *rng, uint64_t seed);
uint64_t simulation_u64(simulation_rng *rng);

/* A random permutation of 0..n-1. */
void simulation_permutation(size_t *order, size_t n, simulation_rng *rng);

/* The first n_train records of order become train, the next n_test test. 0 on lack of memory. */
int split_make(split *out, const dataset *data, const size_t *order, size_t n_train, size_t n_test,
               scale_kind scale);
void split_free(split *s);

#endif /* DATA_H */
