/* SPDX-License-Identifier: MIT */
/*
 * apply.h - scores of new records by a released model.
 *
 * A score is post-processing of the model, which is released, and of its own record, which is not:
 * whoever sees scores learns something of the new records. Nothing is promised about those.
 */
#ifndef APPLY_H
#define APPLY_H

/* private_auc --apply MODEL DATA [options]: one score for each record, in a line each, on standard
 * output; an exit status. */
int apply_run(int argc, char **argv);

#endif /* APPLY_H */
