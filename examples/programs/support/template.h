/* SPDX-License-Identifier: MIT */
/*
 * template.h - private_auc DATA --write-ranges FILE: a ranges file with the names of the columns,
 * in which what is publicly known of them is still to be filled in. No value of a record is in it.
 */
#ifndef TEMPLATE_H
#define TEMPLATE_H

/* The whole command line; an exit status. */
int template_run(int argc, char **argv);

#endif /* TEMPLATE_H */
