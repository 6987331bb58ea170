/* SPDX-License-Identifier: MIT */
/*
 * convert.h - records that are read in chunks, by what the command line declares of them; and
 * --convert, which writes them as a binary file.
 */
#ifndef CONVERT_H
#define CONVERT_H

#include "support/program.h"

#include "support/chunks.h"

/* How o->data, a text, becomes rows: the columns, the scaling, what has to be declared, as load()
 * has it; an exit status. No record is read. */
int load_plan(row_plan *plan, const run_options *o);

/* Opens o->data, a binary file or a text; an exit status. plan has to stay, and to be freed. A
 * binary file carries its declarations, so others beside it are refused. */
int load_chunks(chunks *c, row_plan *plan, const run_options *o);

/* private_auc DATA --convert FILE [--numbers float|double]; an exit status. */
int convert_run(int argc, char **argv);

#endif /* CONVERT_H */
