/* SPDX-License-Identifier: MIT */
/*
 * hook.h - given to the compiler with -include: the library tells the audit what it adds noise to,
 * draws, charges and releases. All files of a program share the hook, which is in replay.c.
 */
#ifndef AUDIT_HOOK_H
#define AUDIT_HOOK_H

#ifdef __cplusplus
extern "C" {
#endif
struct dppair_event;
int audit_event(struct dppair_event *event);
int audit_side(void); /* of a program that runs as a process: 1 on the neighbour */
#ifdef __cplusplus
}
#endif

#define DPPAIR_AUDIT(event) audit_event(event)

#endif /* AUDIT_HOOK_H */
