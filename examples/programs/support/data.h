/* SPDX-License-Identifier: MIT */
/*
 * data.h - reading labelled records, declared ranges, scaling and random splits.
 *
 * Two text formats are read: LIBSVM ("label index:value ...", 1-based, missing = 0) and CSV (comma,
 * semicolon or tab). Everything is held densely. On any defect of the input the functions return 0
 * and leave one sentence in `error` that names file, line and column and may quote a record: it is
 * for whoever holds the data. Nothing stays allocated.
 *
 * What is not told about the file (layout) is learnt from the records. That is for simulations: of
 * a release everything but the records' values is public, so it has to be told beforehand.
 */
#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

enum { NAME_SIZE = 64 }; /* of columns and labels, with the zero; longer ones are refused */
enum { MOST_CLASSES = 64 };

typedef enum feature_kind { KIND_NUMERIC, KIND_FLAG, KIND_GROUP } feature_kind;

/* A column and what is publicly declared about it. Columns of one group are the one-hot code of one
 * attribute and share the group number (0, 1, ...); other kinds have group -1. by_class: what it says
 * of the label may rise and fall (--non-monotone), so it is counted for each class. */
typedef struct feature {
  char name[NAME_SIZE];
  double low, high;
  feature_kind kind;
  int group, by_class;
} feature;

/* A derived column: z = (sum of terms - centre)/scale, held in [low, high] of its feature. Without
 * terms: a column as it is. */
enum { MAP_TERMS = 1024 };
typedef struct declared_map {
  double centre, scale;
  char terms[MAP_TERMS]; /* as declared */
} declared_map;

typedef enum header_kind { HEADER_GUESSED, HEADER_YES, HEADER_NO } header_kind;

/*
 * What is known about a file before any record is read. Zeroed: nothing.
 *
 * The SHAPE is declared by header (the file is CSV), by columns alone (it is LIBSVM), or by both.
 * It then depends on nothing else: every line behind the header is a record, with a value in each
 * column; LIBSVM indices beyond the columns are dropped. When it is not declared, the format, the
 * separator and the columns are learnt; blank lines and lines that begin with # are skipped; and a
 * first line in which no field is a number or missing is taken for a header.
 */
typedef struct layout {
  const char *label;  /* CSV: the label column's name or its 1-based number; NULL: the one called */
                      /* label, class, target or y in the header, else the first                  */
  const char *labels; /* "NEG,POS": the labels of -1 and +1; numbers are compared by their value. */
                      /* NULL: the two that are met, the larger number or later word is +1        */
  header_kind header;
  size_t columns; /* how many there are beside the label; 0: not declared. With a header its own  */
  char
      separator; /* of a CSV; 0: that of the header, without one ','; learnt if header is guessed */
  const char *group; /* CSV: the column, named or numbered like the label's, that says to whom or */
                     /* to what a record belongs: users, queries; NULL: there is none          */
  int classes;        /* 1: up to MOST_CLASSES labels, which become 0, 1, ... in their order      */
} layout;

/* What made reading fail. */
typedef enum data_fault {
  FAULT_NONE,
  FAULT_FILE,        /* the file as a whole: format, size, memory */
  FAULT_DECLARATION, /* what is declared is wrong, or does not fit the header */
  FAULT_RECORD       /* one of the records */
} data_fault;

typedef struct dataset {
  size_t n, d;
  double *x;         /* n rows of d raw values, all finite                           */
  double *y;         /* n labels, -1 or +1; of classes 0, 1, ...                     */
  feature *features; /* d columns; low < high only once ranges have been declared    */
  size_t *group;     /* n numbers below groups: records of one owner have one of them; */
  size_t groups;     /* or NULL, and 0                                                 */
  int has_ranges;
  declared_map *maps;       /* d of them once maps have been declared, else NULL     */
  int centred;              /* maps say where columns lie: they are features as they stand */
  char label[MOST_CLASSES][NAME_SIZE]; /* the words or numbers that became -1 and +1, or 0, 1, */
                                       /* ..., numbers in one spelling                         */
  size_t classes;                      /* how many of these there are                          */
  layout found;             /* how the file was read; of its texts none is kept      */
  int shape_declared, labels_declared;
  data_fault fault;
} dataset;

/* Rows as a method sees them. The arrays belong to whoever made them. */
typedef struct records {
  size_t n, d;
  const double *raw;   /* n x d, clamped to the declared ranges when there are any     */
  const double *x;     /* n x d, scaled                                                */
  const double *y;     /* n, -1 or +1                                                  */
  const size_t *group; /* n numbers below groups, or NULL                              */
  size_t groups;       /* may count some that have no record                           */
} records;

enum { ERROR_SIZE = 512 };

/* Reads path. how = NULL: nothing is declared. */
int data_load(dataset *out, const char *path, const layout *how, char error[ERROR_SIZE]);
/* The same from memory; name is what errors call it. */
int data_parse(dataset *out, const char *text, size_t length, const char *name, const layout *how,
               char error[ERROR_SIZE]);
/* Only what is public: the columns of a declared shape, no record (n = 0). */
int data_columns(dataset *out, const char *text, size_t length, const char *name, const layout *how,
                 char error[ERROR_SIZE]);

/* Reads a ranges file (CSV: name,low,high[,kind]; kind numeric | flag | group:NAME) and attaches
 * it: every column must be declared once. For LIBSVM the names are 1-based indices; when the width
 * is not declared, columns that no record uses are added (all zero). */
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
 * terms is a signed sum of columns or products of them, a*b, each with an optional number in front
 * ("0.5*"); a column may stand inside of log1p, which means sign(x) log(1 + |x|). Columns are called
 * by name, or by index where ranges would be; a name with + - * ( ) or blanks, or a number in a
 * product, stands in brackets, [capital-gain]. The limit is 3 when absent. Every value depends on
 * one record and on public constants alone, so a map costs no privacy; it replaces declared ranges,
 * which are not applied before it.
 *
 * A file whose first line has two fields, name,terms, says nothing of where values lie:
 *
 *   name,terms
 *   step,count1-count2
 *   both,[flag1]*[flag2]
 *
 * Then the data's columns have declared ranges; values are clamped to them, and the new column's
 * range is what the terms can reach from there. Columns that no line names stay as they are, behind
 * the new ones. */
int data_maps(dataset *data, const char *path, char error[ERROR_SIZE]);
int data_maps_parse(dataset *data, const char *text, size_t length, const char *name,
                    char error[ERROR_SIZE]);
int data_maps_need_ranges(const char *text, size_t length); /* is it of that second kind? */

/* The same in two steps, for records that come one after another: the declarations, after which
 * data has the derived columns (its n = 0), and a raw row of its former columns to one of these. */
typedef struct derived derived;
int data_maps_compile(derived **out, dataset *data, const char *text, size_t length,
                      const char *name, char error[ERROR_SIZE]);
void data_maps_row(double *row, const derived *maps, const double *raw);
void data_maps_free(derived *maps);

void data_free(dataset *data);
/* Are the columns called 1, 2, ..., as without a header? */
int data_names_are_indices(const dataset *data);

/* The set that the programs use without arguments: Pima Indians diabetes, 768 x 8, with ranges. */
int data_embedded(dataset *out, char error[ERROR_SIZE]);
/* The maps of examples/data by name, such as "pima": 0 when there are none of this name. */
int data_embedded_maps(dataset *data, const char *name, char error[ERROR_SIZE]);
/* Test AUC in percent of an earlier version's `auto` on split 1, 2, ... of private_auc: at most room
 * of them, 0 when there are none. pure: delta = 0, else 1/n. */
size_t data_embedded_before(double *auc, size_t room, const char *name, double epsilon, int pure);

/* How raw values become features. SCALE_RANGES: clamp to [low, high], map to [-1, 1]. SCALE_ROW:
 * divide each row by its l2 norm. SCALE_ZSCORE: mean 0 and deviation 1 over the given records; that
 * reads the data and is covered by no guarantee. SCALE_MAPS: the mapped columns as they are. */
typedef enum scale_kind { SCALE_RANGES, SCALE_ROW, SCALE_ZSCORE, SCALE_MAPS } scale_kind;

/* A split, gathered: training rows first. Owns its arrays. */
typedef struct split {
  records train, test;
  double *memory;
  size_t *group; /* of train, then of test, as in the data; NULL without */
} split;

/* A small seeded generator (xoshiro256**) for splits and simulations. Not for releases. */
typedef struct simulation_rng {
  uint64_t s[4];
} simulation_rng;
void simulation_seed(simulation_rng *rng, uint64_t seed);
uint64_t simulation_u64(simulation_rng *rng);

/* A random permutation of 0..n-1. */
void simulation_permutation(size_t *order, size_t n, simulation_rng *rng);

/* A row of data's columns as split_make scales it: raw is clamped to declared ranges, x is what
 * becomes of it. Not for SCALE_ZSCORE. */
void data_scale_row(double *x, double *raw, const dataset *data, scale_kind scale);

/* The first n_train records of order become train, the next n_test test. 0 on lack of memory. */
int split_make(split *out, const dataset *data, const size_t *order, size_t n_train, size_t n_test,
               scale_kind scale);
void split_free(split *s);

#endif /* DATA_H */
