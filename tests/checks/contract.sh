#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public function of dppair_noise.h, dppair_accountant.h and dppair_losses.h is in the tables of
# tests/headers/contract_*.c, which give it wrong arguments; so is every one that they name.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^ *\(TRY\|SAYS\)(\(dppair_[a-z0-9_]*\),.*/\2/p' tests/headers/contract_*.c | sort -u >"$work/tested"
# Definitions that begin with DPPAIR_API; a name that ends in _ is private. `_range`: of one loss,
# called by dppair_constants_find alone, which checks.
functions() {
  awk '/^DPPAIR_API|^[a-z].*DPPAIR_API/ { head = "" ; on = 1 }
    on { head = head " " $0 }
    on && /[;{]/ {
      on = 0
      sub(/\{.*/, "{", head)
      if (head ~ /;/) next
      sub(/\(.*/, "", head)
      n = split(head, word, /[ *]+/)
      if (word[n] ~ /^dppair_[a-z0-9_]*[a-z0-9]$/) print word[n]
    }' "$1"
}
for header in dppair_noise.h dppair_accountant.h dppair_losses.h; do functions $header; done | sort -u >"$work/all"
functions dppair.h | sort -u >"$work/engine"
grep -v '_range$' "$work/all" | comm -23 - "$work/engine" | comm -23 - "$work/tested" >"$work/missing"
[ "$(wc -l <"$work/all")" -gt 150 ] || { echo "FAIL: only $(wc -l <"$work/all") functions were found"; exit 1; }
if [ -s "$work/missing" ]; then
  echo "FAIL: in no table of tests/headers/contract_*.c:"
  cat "$work/missing"
  exit 1
fi
echo "$(wc -l <"$work/tested") functions with wrong arguments"
