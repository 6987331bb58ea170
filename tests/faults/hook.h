/* SPDX-License-Identifier: MIT */
/*
 * hook.h - given to the compiler with -include: a program tells tests/faults/trace.c every vector
 * that noise is about to be added to, so that it can be looked for after each fault.
 */
#ifndef FAULTS_HOOK_H
#define FAULTS_HOOK_H

struct dppair_event;
int faults_event(const struct dppair_event *event);
#define DPPAIR_AUDIT(event) faults_event(event)

#endif /* FAULTS_HOOK_H */
