/* SPDX-License-Identifier: MIT */
/*
 * A ledger is text that somebody may have edited. What is read is what would be written, byte for
 * byte; what replays is the account of its lines, in one call or line by line, and a second replay
 * changes nothing or is refused. Lines get true checks first, so that more than the first is
 * reached.
 *
 * brief: 300
 */
#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

/* Gives each line that bears the next number its check. */
static void chain(char *text, size_t size) {
  size_t start = 0, end;
  uint64_t check = 0, next = 1;
  for (; start < size; start = end + 1) {
    char line[DPPAIR_LEDGER_LINE];
    dppair_ledger_entry e;
    size_t length;
    for (end = start; end < size && text[end] != '\n'; end++) continue;
    if (dppair_ledger_read(&e, text + start, end - start) != DPPAIR_OK || e.sequence != next)
      continue;
    next++;
    e.check = check = dppair_ledger_check_of_(check, &e);
    must(dppair_ledger_write(line, sizeof line, &length, &e) == DPPAIR_OK, "read, but not written");
    must(length <= end - start, "a check of another length");
    memcpy(text + start, line, length);
  }
}

static int same(const dppair_accountant *a, const dppair_accountant *b) {
  const double x[4] = {a->gaussian, a->pure, a->zcdp, a->failure};
  const double y[4] = {b->gaussian, b->pure, b->zcdp, b->failure};
  return a->sequence == b->sequence && a->check == b->check && a->adjacency == b->adjacency &&
         a->count == b->count && memcmp(x, y, sizeof x) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  dppair_accountant whole, parts, again;
  size_t bad, start, end;
  dppair_status status, last = DPPAIR_OK;
  char *text = (char *)malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, bytes, size);
  if (size > 0 && bytes[0] % 4 != 0) chain(text, size);
  must(dppair_accountant_init(&whole) == DPPAIR_OK, "init");
  parts = whole;
  status = dppair_ledger_replay(&whole, &bad, text, size);
  must((bad == 0) == (status == DPPAIR_OK) && whole.broken == status, "a status without a line");
  for (start = 0; start < size && last == DPPAIR_OK; start = end + 1) {
    for (end = start; end < size && text[end] != '\n'; end++) continue;
    last = dppair_ledger_replay(&parts, &bad, text + start, end - start);
  }
  if (status == DPPAIR_OK && last == DPPAIR_OK)
    must(same(&whole, &parts), "line by line it is another account");
  if (status == DPPAIR_OK) {
    again = whole;
    if (dppair_ledger_replay(&again, &bad, text, size) == DPPAIR_OK)
      must(same(&whole, &again), "a second replay counts");
  }
  free(text);
  return 0;
}
