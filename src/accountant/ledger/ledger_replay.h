/* ------------------------------------------------------------------------------------------------
 * The ledger: every charge is on record before its release, and gives the same account again
 *
 * A program that starts again empties an account, replays its ledger into it, and goes on. Relies
 * on ledger.h and charges.h.
 * ---------------------------------------------------------------------------------------------- */

/* Charges an entry, and with it states its neighbours, if it names any, for the account. */
DPPAIR_API dppair_status dppair_ledger_charge_(dppair_accountant *a,
                                               const dppair_ledger_entry *entry) {
  const dppair_adjacency adjacency = entry->step.sampling.adjacency;
  dppair_status status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  if (adjacency != 0) status = dppair_accountant_relate_(a, adjacency, 1);
  return status == DPPAIR_OK ? dppair_accountant_charge_(a, entry) : status;
}

/*
 * Call this BEFORE a release: it hands the entry's line to the sink and then charges the account.
 * What is charged is what the line reads back to. It is stored only when that will be accepted, and
 * the sink must return only once a crash would not lose it: then a crash between the two costs what
 * is on record, and nothing was released. The entry's sequence and check are not read; neighbours
 * that it does not name are those of the account, if these were stated, and what it does name is
 * stated for the account.
 *
 * On any error the account is broken and the release must not happen. Errors: that of the sink,
 * ADJACENCY, else those of dppair_ledger_write and of the step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_step(dppair_accountant *a,
                                                              const dppair_ledger_entry *entry,
                                                              dppair_ledger_sink sink,
                                                              void *context) {
  char line[DPPAIR_LEDGER_LINE];
  size_t length;
  dppair_accountant charged;
  dppair_ledger_entry next;
  dppair_adjacency *adjacency = &next.step.sampling.adjacency;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (entry == NULL || sink == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  charged = *a;
  next = *entry;
  *adjacency = dppair_accountant_adjacency_(a, *adjacency);
  status = dppair_ledger_charge_(&charged, &next);
  (void)DPPAIR_AUDITED_(
      (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
  next.sequence = charged.sequence;
  next.check = charged.check;
  if (status == DPPAIR_OK) status = dppair_ledger_write(line, sizeof line, &length, &next);
  if (status == DPPAIR_OK) status = dppair_ledger_read(&next, line, length);
  if (status == DPPAIR_OK) status = sink(line, length, context);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  return dppair_ledger_charge_(a, &next);
}

/* For dppair_plan.ledger: the plan's line goes to this sink, by dppair_ledger_step, before the plan
 * is charged. A NULL sink is refused when the plan is opened. */
DPPAIR_API dppair_ledger dppair_ledger_to(dppair_ledger_sink sink, void *context) {
  dppair_ledger ledger;
  ledger.step = dppair_ledger_step;
  ledger.sink = sink;
  ledger.context = context;
  return ledger;
}

/* Is this entry, with its number, run and check, one of the DPPAIR_RECENT_CHARGES - 1 latest
 * charges of the account? Otherwise NO_PROOF. */
DPPAIR_API dppair_status dppair_ledger_counted_(const dppair_accountant *a,
                                                const dppair_ledger_entry *entry) {
  const uint64_t *recent = a->recent, k = entry->sequence;
  if (k == 0 || k > a->sequence || a->sequence - k >= DPPAIR_RECENT_CHARGES - 1)
    return DPPAIR_ERR_NO_PROOF;
  return entry->check == recent[k % DPPAIR_RECENT_CHARGES] &&
                 entry->check ==
                     dppair_ledger_check_of_(recent[(k - 1) % DPPAIR_RECENT_CHARGES], entry)
             ? DPPAIR_OK
             : DPPAIR_ERR_NO_PROOF;
}

/* A walk over the lines of a text. */
typedef struct dppair_lines_ {
  const char *text;
  size_t length, next; /* of the text; where the next line starts */
  size_t start, end;   /* the line is text[start, end), without its newline */
  size_t number;       /* of the line, from 1 */
} dppair_lines_;

/* Goes to the next line that is not empty: 1. */
DPPAIR_API int dppair_lines_next_(dppair_lines_ *l) {
  while (l->next < l->length) {
    l->number++;
    l->start = l->end = l->next;
    while (l->end < l->length && l->text[l->end] != '\n') l->end++;
    l->next = l->end + 1;
    if (l->end > l->start && l->text[l->end - 1] == '\r') l->end--;
    if (l->end > l->start) return 1;
  }
  return 0;
}

/* A line whose number was charged before: OK if it is the same line of the same run. `seen` walks
 * over the lines before it, from where it last stood. */
DPPAIR_API dppair_status dppair_ledger_again_(const dppair_accountant *a,
                                              const dppair_ledger_entry *entry,
                                              const dppair_lines_ *now, dppair_lines_ *seen) {
  const size_t length = now->end - now->start;
  int round;
  if (!dppair_ledger_has_run_(entry)) return DPPAIR_ERR_RUNS;
  if (dppair_ledger_counted_(a, entry) == DPPAIR_OK) return DPPAIR_OK;
  for (round = 0; round < 2; round++) {
    while (dppair_lines_next_(seen) && seen->start < now->start) {
      dppair_ledger_entry old;
      const char *line = seen->text + seen->start;
      if (dppair_ledger_read(&old, line, seen->end - seen->start) != DPPAIR_OK ||
          old.sequence != entry->sequence)
        continue;
      if (seen->end - seen->start == length && memcmp(line, now->text + now->start, length) == 0)
        return DPPAIR_OK;
      return memcmp(old.nonce, entry->nonce, sizeof old.nonce) == 0 ? DPPAIR_ERR_LEDGER
                                                                : DPPAIR_ERR_RUNS;
    }
    seen->next = 0;
  }
  return DPPAIR_ERR_RUNS;
}

/*
 * Reads a ledger, lines separated by newlines, into the account, which has charged none of it, or
 * its first lines. Empty lines are skipped. The account then is the one that wrote the ledger, to
 * the last bit, with neighbours stated if a line names them. On an error *bad_line is the number of
 * the line, from 1, and the account is broken:
 *
 *   FORMAT      no line of this version, to the last character (dppair_ledger_read). A last line
 *               that was cut off may be removed: its sink had not returned, nothing was released.
 *   LEDGER      a line before it is missing, or it or one before it was changed, or the ledger is
 *               of another account (a merged one, one that was charged without a ledger).
 *   RUNS        its number was charged before. A program was started again without replaying its
 *               ledger, and both lines were spent. The same line of the same run is no error and
 *               counts once: its noise is the same. Without a run, the same line twice is two. So
 *               is one that an earlier call read, more than DPPAIR_RECENT_CHARGES - 2 charges ago.
 *   ADJACENCY   it names other neighbours than the account, or none where others do.
 *   others      those of the step.
 *
 * To add up several ledgers, replay each into an account of its own (dppair_accountant_merge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_replay(dppair_accountant *a,
                                                                size_t *bad_line, const char *text,
                                                                size_t length) {
  dppair_lines_ now, seen;
  dppair_status status;
  if (bad_line != NULL) *bad_line = 0;
  status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (bad_line == NULL || text == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  memset(&now, 0, sizeof now);
  now.text = text;
  now.length = length;
  seen = now;
  while (dppair_lines_next_(&now)) {
    dppair_ledger_entry entry;
    status = dppair_ledger_read(&entry, text + now.start, now.end - now.start);
    if (status == DPPAIR_OK) {
      if (entry.sequence <= a->sequence)
        status = dppair_ledger_again_(a, &entry, &now, &seen);
      else if (entry.sequence > a->sequence + 1 ||
               entry.check != dppair_ledger_check_of_(a->check, &entry))
        status = DPPAIR_ERR_LEDGER;
      else if (entry.step.sampling.adjacency == 0 && a->stated > 0)
        status = DPPAIR_ERR_ADJACENCY;
      else
        status = dppair_ledger_charge_(a, &entry);
    }
    if (status != DPPAIR_OK) {
      *bad_line = now.number;
      return dppair_accountant_break_(a, status);
    }
  }
  return DPPAIR_OK;
}
