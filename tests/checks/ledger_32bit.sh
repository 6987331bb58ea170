#!/bin/sh
# SPDX-License-Identifier: MIT
# A count in a ledger that a 32-bit size_t cannot hold is refused, not cut: 2^32 + 1 steps are not 1.
# Cross-compiles for 32-bit x86 and runs under qemu; says so and passes without the tools.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
CROSS=${CROSS32:-i686-linux-gnu-gcc}
QEMU=${QEMU32:-qemu-i386-static}
out=$BUILD/tests/ledger_32bit
mkdir -p "$out"
for tool in "$CROSS" "$QEMU"; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "not checked: $tool is not installed"
    exit 0
  fi
done
cat >"$out/count.c" <<'EOF'
#include "dppair_accountant.h"
#include <stdio.h>

static int try(const char *key, const char *value, int want) {
  char line[512];
  dppair_ledger_entry e;
  dppair_accountant a;
  size_t bad;
  int ok;
  const int steps = strcmp(key, "steps") == 0, n = strcmp(key, "n") == 0;
  sprintf(line,
          "{\"dppair\":1,\"mechanism\":\"sampled-pairs\",\"adjacency\":\"zero-out\",\"sampling\":"
          "\"with-replacement\",\"q\":0,\"n\":%s,\"m\":%s,\"pair_rate\":0,\"sensitivity\":1,"
          "\"sigma\":50,\"noise_multiplier\":50,\"steps\":%s,\"failure\":0}",
          n ? value : "1000", !n && !steps ? value : "10", steps ? value : "1");
  ok = dppair_ledger_read(&e, line, strlen(line)) == DPPAIR_OK;
  if (dppair_accountant_init(&a) != DPPAIR_OK) return 1;
  if (!want && dppair_ledger_replay(&a, &bad, line, strlen(line)) == DPPAIR_OK) ok = 1;
  if (ok != want) printf("%s %s: %s\n", key, value, ok ? "taken" : "refused");
  return ok != want;
}

int main(void) {
  static const char *const key[3] = {"steps", "n", "m"};
  int i, wrong = 0;
  if (sizeof(size_t) != 4) return 2;
  for (i = 0; i < 3; i++) {
    wrong += try(key[i], "4294967297", 0);
    wrong += try(key[i], "4294967296", 0);
    wrong += try(key[i], "9007199254740993", 0);
    wrong += try(key[i], "4294967295", 1);
  }
  return wrong;
}
EOF
"$CROSS" -std=c99 -O1 -w -msse2 -mfpmath=sse -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0 -static -I. \
  "$out/count.c" -o "$out/count" -lm && "$QEMU" "$out/count"
