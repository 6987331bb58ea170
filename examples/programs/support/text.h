/* SPDX-License-Identifier: MIT */
/*
 * text.h - what the readers of data sets, ranges and maps share: a cursor that knows line and
 * column, spans of text, numbers, CSV fields, whole files.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

#include "support/data.h"

enum { MAX_COLUMNS = 100000, MIN_RECORDS = 4 };
/* 8 GiB of doubles: beyond that a dense reader is the wrong tool, and saying so beats swapping. */
static const size_t max_cells = (size_t)1 << 30;

/* --- a cursor over the text that knows where it is -------------------------------------------- */

typedef struct cursor {
  const char *at, *end, *line_start;
  size_t line;
  const char *name; /* what errors call the source                                        */
  char *error;      /* ERROR_SIZE bytes                                                   */
  int every_line;   /* every line is a record: none is blank, none a comment              */
  int open_quote;   /* the last CSV field has a quote that its line does not close        */
} cursor;

/* Leaves a sentence in c->error, with the place unless where is NULL; returns 0. */
int fail(const cursor *c, const char *where, const char *format, ...);

/* Behind a byte order mark, where there is one. */
cursor cursor_at(const char *text, size_t length, const char *name, char *error);

/* A carriage return counts as the end of a line only in front of a line feed or the end. */
int at_line_end(const cursor *c);

void next_line(cursor *c);

/* Skips lines of blanks and comments where there may be any; 0 at the end of the text. */
int next_record(cursor *c);

int is_blank(char ch);

/* A span of text with blanks and quotes taken off; inside quotes "" means one quote. */
typedef struct span {
  const char *at;
  size_t length;
  int quoted;
} span;

span span_of(const char *text);
span trimmed(const char *at, const char *end);

/* The text that a span stands for, cut to fit; returns 1 when all of it fits. */
int span_copy(char *out, size_t size, span s);

/* A name: nothing is cut, so that different names stay different. */
int name_need(char out[NAME_SIZE], const cursor *c, const char *where, span s);

int span_is(span s, const char *word);
int span_is_nocase(span s, const char *word); /* word in small letters */

/* --- numbers ---------------------------------------------------------------------------------- */

/* Decimal text exactly as strtod would read it; a mantissa below 2^53 and a power of ten up to 22
 * are exact doubles, so one multiplication or division rounds correctly. 0 when it is no number. */
int number_parse(double *value, span s);

/* 1 or -1 for a word that means an infinity, else 0. */
int infinity_sign(span s);

/* What stands for a value that is not known. */
int is_missing(span s);

/* A finite number that somebody declares, or an error that points at it. */
int number_need(double *value, const cursor *c, const char *where, span s);

/* A record's value: what lies beyond the doubles, and an infinity, is the double that lies furthest
 * out, which a declared range clamps like any other. */
int value_need(double *value, const cursor *c, const char *where, span s);

/* The features of a LIBSVM record, behind its label. Beyond `width` they are dropped, unread: it is
 * declared, and whether a record has such a feature must not show. *last: the largest index. x =
 * NULL only measures. */
int libsvm_row(double *x, size_t *last, cursor *c, size_t width);

/* The same of a plain decimal number at the cursor, which moves behind it, up to a separator or the
 * end of the line. 0 and nothing moved for anything else: then value_need says what it is. */
int value_plain(double *value, cursor *c, char separator);

/* --- records one after another ---------------------------------------------------------------- */

/* A label: a word, or a number in one spelling. */
typedef struct label_word {
  char text[NAME_SIZE];
  int numeric;
  double number;
} label_word;

/* At most `most` of them, two or MOST_CLASSES, declared or met in any order. */
typedef struct labels {
  label_word of[MOST_CLASSES];
  int count, declared, most;
} labels;

/* Which fields are no features: that of the label, and that of the groups, SIZE_MAX without. */
enum { LABEL_FIELD, GROUP_FIELD, SPECIAL_FIELDS };

/* How the records of a text are read. */
typedef struct record_format {
  int libsvm;
  char separator;
  size_t columns; /* beside the label */
  size_t field[SPECIAL_FIELDS];
  labels words;
} record_format;

/* What is declared in how, labels included, with the beginning of a text, its first line at least:
 * columns are those of data_columns with the two labels, and the cursor moves to the first record.
 * 0 after an error; columns->fault says what kind of. */
int records_begin(record_format *f, dataset *columns, cursor *c, const layout *how);

/* Whose the last record was. Zeroed: there was none. */
typedef struct last_owner {
  char *text; /* malloc'ed, for the caller to free */
  size_t length, room;
  double number;
  int numeric, known;
} last_owner;

/* The record at the cursor as data_parse reads it, into d zeros and one label, -1 or +1; the cursor
 * moves to the next line. whose: NULL where there are no groups; else 1 is returned for another
 * record of the last owner, and 2 for the first of the next one. Owners have to ascend, as
 * data_parse numbers them: numbers by their value, then texts by their bytes. So it takes no memory
 * to know that no owner comes twice. */
int records_read(double *x, double *y, last_owner *whose, cursor *c, record_format *f);

/* --- CSV fields and files --------------------------------------------------------------------- */

/* The field at the cursor, which moves behind it (to the separator or the end of the line). */
span csv_field(cursor *c, char separator);

/* The whole file, malloc'ed; NULL with a sentence on any trouble. */
char *file_read(const char *path, size_t *length, char error[ERROR_SIZE]);
/* The same, but of a file longer than `most` a beginning that is at least so long. */
char *file_read_head(const char *path, size_t most, size_t *length, char error[ERROR_SIZE]);

#endif /* TEXT_H */
