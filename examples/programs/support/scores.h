/* SPDX-License-Identifier: MIT */
/*
 * scores.h - reading a CSV of scores and labels for a private evaluation.
 *
 * The first line is the header, and public. Every line behind it is a record, whatever it holds,
 * and is read as some record of the domain: nothing that a record can hold is an error. So a reader
 * fails on the header and the number of records alone, which is told before anything is paid for.
 */
#ifndef SCORES_H
#define SCORES_H

#include "support/data.h"

typedef struct scores_file {
  char *text;              /* the whole file, of scores_open */
  const char *first, *end; /* the records */
  size_t n, column[2];     /* how many; the fields of the score and of the label */
  char separator;
} scores_file;

/* Reads path and its header, which names the two columns once each and separates by comma,
 * semicolon or tab. 0 with a sentence, which quotes nothing of the file; -1 with one when the file
 * cannot be read. */
int scores_open(scores_file *file, const char *path, const char *score, const char *label,
                char error[ERROR_SIZE]);
/* The same from memory, which stays the caller's; name is what errors call it. */
int scores_parse(scores_file *file, const char *text, size_t length, const char *name,
                 const char *score, const char *label, char error[ERROR_SIZE]);
void scores_close(scores_file *file);

/* A label as it is declared: of one spelling for numbers of one value. 0 when it is empty, too long
 * or stands for a missing value. */
typedef struct declared_label {
  char text[NAME_SIZE];
  int numeric;
  double number;
} declared_label;
int label_declare(declared_label *label, const char *text, size_t length);
int label_same(const declared_label *a, const declared_label *b);

/* The scores s[n], those of the positive records first; returns how many these are. A record is
 * positive when its label is the declared one, else negative. A score that is no number, or not
 * there, is -infinity; numbers beyond the doubles are infinite. */
size_t scores_read(double *s, const scores_file *file, const declared_label *positive);
/* Scores and labels, each read as a score is. */
void scores_read_pairs(double *s, double *t, const scores_file *file);

#endif /* SCORES_H */
