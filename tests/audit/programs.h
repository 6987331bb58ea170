/* SPDX-License-Identifier: MIT */
/* programs.h - programs as processes, on a data set and on its neighbour. */
#ifndef AUDIT_PROGRAMS_H
#define AUDIT_PROGRAMS_H

#include "replay.h"

/* A line of the table, red on a terminal for what is found, and below it the findings. red: it is
 * expected that something is found. Returns 1 when it is otherwise. */
int audit_show(const char *label, const audit_report *r, size_t replays, int red);

/* The programs whose name contains `word`, on their neighbours; returns how many are not as
 * expected, and adds to *shown. self: argv[0], beside which the programs stand in auditing/. */
size_t audit_programs(size_t *shown, const char *word, const char *self, int brief);

/* build/audit FILE.c ...; the exit code. */
int audit_source(int argc, char **argv, const char *self);

#endif /* AUDIT_PROGRAMS_H */
