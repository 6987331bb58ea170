/* SPDX-License-Identifier: MIT */
/*
 * calculator.h - command lines of the form PROGRAM COMMAND --key value ..., and results as lines
 * "name value" or as one JSON object.
 *
 * Nothing is guessed: a key that is unknown, missing, repeated or without effect is an error.
 * `--and` begins a new group of keys; a key belongs to its group unless it is asked for with one of
 * the functions for the whole line. The flags --json, --explain and --statement stand anywhere.
 */
#ifndef CALCULATOR_H
#define CALCULATOR_H

#include "dppair.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 }; /* 0 done, 1 no proved answer, 2 wrong use */

#ifdef __GNUC__
#define CALCULATOR_NORETURN __attribute__((noreturn))
#else
#define CALCULATOR_NORETURN
#endif

/* Reads the command line; the strings stay the caller's. */
void calculator_open(const char *program, int argc, char **argv);

/* ---- Errors: one sentence on stderr, nothing on stdout, and the end -------------------------- */

CALCULATOR_NORETURN void die_usage(const char *format, ...); /* exit 2 */
CALCULATOR_NORETURN void die(const char *format, ...);       /* exit 1 */
/* Stops unless OK: values out of range are wrong use, everything else is "no proved answer". */
void need(dppair_status status);

/* ---- Keys ------------------------------------------------------------------------------------ */

size_t groups(void);                   /* 1 + the number of --and */
void use_group(size_t group);          /* 0 .. groups() - 1; the group of what follows */
const char *optional(const char *key); /* NULL when it is not given */
const char *required(const char *key);
const char *optional_anywhere(const char *key); /* for the whole line, whatever the group */
const char *required_anywhere(const char *key);
/* Finite numbers, whole numbers up to 2^53. `text` is the value of `key`. */
double to_number(const char *key, const char *text);
size_t to_count(const char *key, const char *text);
double number(const char *key);
double number_or(const char *key, double otherwise);
size_t count(const char *key);
size_t count_or(const char *key, size_t otherwise);
/* The position of the key's value among the words, a NULL-terminated list. */
int word(const char *key, const char *const *words);
/* After a command has asked for its keys and before it computes: every key had an effect. */
void no_other_keys(void);
int wants_statement(void);

/* ---- Results, in the order of the calls ------------------------------------------------------ */

void put(const char *name, double value);       /* 17 digits; inf as a word */
void put_count(const char *name, double value); /* no fraction */
void put_text(const char *name, const char *format, ...);
/* One more line of this name; in JSON an array. */
void put_item(const char *name, const char *format, ...);
/* Rows of numbers under columns; in JSON an array of objects. In the table they are rounded to six
 * digits, up or down as the column says, so that none claims more than is proved. The arrays stay
 * the caller's until print_results; columns: at most 8. */
typedef struct table_column {
  const char *name;
  int rounds; /* 1: up, -1: down, 0: to nearest */
} table_column;
void put_table(const char *name, const table_column *columns, size_t count, const double *values,
               size_t rows);
/* Six digits, rounded away from 0 (up > 0), or towards it. */
const char *rounded(char *text, size_t size, double x, int up);
/* Appends a sentence to what --explain, and to what --statement prints. */
void explain(const char *text);
void state(const char *format, ...);
void print_results(void);

#endif /* CALCULATOR_H */
