/* SPDX-License-Identifier: MIT */
/*
 * report.h - what the programs print: means and deviations, JSON members, progress on a terminal.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stddef.h>
#include <stdio.h>

/* Running mean and deviation (Welford). */
typedef struct summary {
  size_t count;
  double mean, square;
} summary;
void summary_add(summary *s, double value);
double summary_sd(const summary *s);    /* of the values, n - 1 in the denominator; 0 below two */
double summary_error(const summary *s); /* of the mean: sd/sqrt(count)                          */

/* Seconds of a clock that never goes back. */
double seconds_now(void);

/* One line on stderr, drawn again at most ten times a second, and only when stderr is a terminal
 * and quiet is 0: "label  37%  0:42 left". */
typedef struct progress {
  const char *label;
  size_t done, total;
  double start, shown;
  int active, width;
} progress;
void progress_begin(progress *p, const char *label, size_t total, int quiet);
void progress_step(progress *p);
void progress_to(progress *p, size_t done, const char *more); /* and more words behind it */
void progress_end(progress *p); /* wipes the line */

/* The exit status of a program that ends with `code`: what it has printed must have arrived. */
int printed(int code, const char *program);

/* JSON pieces: text with escapes and quotes; a number that reads back to the same double
 * (infinities and NaN, which JSON lacks, as strings). json_member prints "name": and takes care of
 * the comma: *first is 1 before the first member. */
void json_text(FILE *file, const char *text);
void json_number(FILE *file, double value);
void json_member(FILE *file, const char *name, int *first);
void json_member_number(FILE *file, const char *name, double value, int *first);
void json_member_text(FILE *file, const char *name, const char *text, int *first);

/* x > 0 rounded UP to six significant digits, which %.6g then prints: a privacy figure in words
 * must not claim more than the number behind it. */
double rounded_up(double x);
/* The epsilon to state: the budget that the noise was calibrated for, when what was spent differs
 * from it by no more than the accountant's own upward rounding; else what was spent, rounded up. */
double stated_epsilon(double spent, double budget);

/* Parses a whole string as a finite number; 0 when it is none. */
int text_number(double *value, const char *text);
/* A comma-separated list of finite numbers, at most room of them; 0 on any other text. */
int text_numbers(double *values, size_t room, size_t *count, const char *text);
/* The same for a non-negative integer. */
int text_size(size_t *value, const char *text);

#endif /* REPORT_H */
