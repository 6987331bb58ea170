#!/bin/sh
# SPDX-License-Identifier: MIT
# A count in a ledger that a 32-bit size_t cannot hold is refused, not cut: 2^32 + 1 steps are not 1.
# Numbers and checks are those of a 64-bit machine.
# Cross-compiles for 32-bit x86 and runs under qemu; skipped without the tools.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
CROSS=${CROSS32:-i686-linux-gnu-gcc}
QEMU=${QEMU32:-qemu-i386-static}
out=$BUILD/tests/ledger_32bit
mkdir -p "$out"
for tool in "$CROSS" "$QEMU"; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "skipped: $tool is not installed"
    exit 77
  fi
done
cat >"$out/count.c" <<'EOF'
#include "dppair_accountant.h"
#include <stdio.h>
#include <stdlib.h>

static int try(const char *key, const char *value, dppair_status want) {
  char line[512];
  dppair_ledger_entry e;
  dppair_status got;
  const int steps = strcmp(key, "steps") == 0, n = strcmp(key, "n") == 0;
  sprintf(line,
          "{\"dppair\":2,\"sequence\":9007199254740992,\"mechanism\":\"sampled-pairs\","
          "\"adjacency\":\"zero-out\",\"sampling\":\"with-replacement\",\"n\":%s,\"m\":%s,"
          "\"noise_multiplier\":50,\"steps\":%s,\"failure\":0,\"sensitivity\":1,\"sigma\":50,"
          "\"check\":\"0123456789abcdef\"}",
          n ? value : "1000", !n && !steps ? value : "10", steps ? value : "1");
  got = dppair_ledger_read(&e, line, strlen(line));
  if (got != want) printf("%s %s: %d\n", key, value, (int)got);
  return got != want || (got == DPPAIR_OK && e.check != UINT64_C(0x0123456789abcdef));
}

/* Numbers come back to the last bit. */
static int numbers(void) {
  uint64_t bits = 1;
  int i;
  for (i = 0; i < 20000; i++) {
    char text[64];
    dppair_text_ t = {NULL, 0, sizeof text - 1};
    double x, back;
    uint64_t cut;
    bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    cut = (bits & UINT64_C(0x000fffffffffffff)) | (UINT64_C(100) + (bits >> 52) % 1850) << 52;
    memcpy(&x, &cut, sizeof x);
    if (!(x >= 1e-280 && x <= 1e280)) continue;
    t.at = text;
    if (dppair_text_double_(&t, x) != 0) return 1;
    text[t.used] = '\0';
    if (dppair_parse_double_(&back, text, t.used) != t.used || back != x) return 1;
    if (strtod(text, NULL) != x) return 1;
  }
  return 0;
}

/* Two lines of a 64-bit machine replay, with their checks. */
static int replay(void) {
  static const char ledger[] =
      "{\"dppair\":2,\"sequence\":1,\"run\":\"00000000000000000000000000000001\",\"mechanism\":\"gaussian\",\"adjacency\":\"replace-one\","
      "\"noise_multiplier\":10,\"steps\":50,\"failure\":0,\"sensitivity\":1,\"sigma\":10,\"check\":\"476e1e13a98f683b\"}\n"
      "{\"dppair\":2,\"sequence\":2,\"run\":\"00000000000000000000000000000002\",\"mechanism\":\"gaussian\",\"adjacency\":\"replace-one\","
      "\"noise_multiplier\":10,\"steps\":50,\"failure\":0,\"sensitivity\":1,\"sigma\":10,\"check\":\"8d3060bf21369b34\"}\n";
  dppair_accountant a;
  size_t bad;
  dppair_interval epsilon;
  if (dppair_accountant_init(&a) != DPPAIR_OK) return 1;
  if (dppair_ledger_replay(&a, &bad, ledger, sizeof ledger - 1) != DPPAIR_OK) return 1;
  if (a.sequence != 2 || a.check != UINT64_C(0x8d3060bf21369b34)) return 1;
  if (dppair_accountant_epsilon(&epsilon, &a, 1e-5, NULL) != DPPAIR_OK) return 1;
  return !(epsilon.upper > 4.37717809568 && epsilon.upper < 4.37717809569);
}

int main(void) {
  static const char *const key[3] = {"steps", "n", "m"};
  int i, wrong = 0;
  if (sizeof(size_t) != 4) return 2;
  for (i = 0; i < 3; i++) {
    wrong += try(key[i], "4294967297", DPPAIR_ERR_FORMAT);
    wrong += try(key[i], "4294967296", DPPAIR_ERR_FORMAT);
    wrong += try(key[i], "9007199254740993", DPPAIR_ERR_FORMAT);
    wrong += try(key[i], "4294967295", DPPAIR_OK);
  }
  if (numbers()) wrong++, puts("a number does not come back");
  if (replay()) wrong++, puts("a ledger of a 64-bit machine does not replay");
  return wrong;
}
EOF
"$CROSS" -std=c99 -O1 -w -msse2 -mfpmath=sse -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0 -static -I. -Imodules \
  "$out/count.c" -o "$out/count" -lm && "$QEMU" "$out/count"
