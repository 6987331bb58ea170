#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public function of the four headers, and every one of an instance (DPPAIR_NAME_x), is in the tables
# of tests/headers/contract_*.c, which give it wrong arguments.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The names that TRY and SAYS are given, as the compiler sees them.
for table in tests/headers/contract_*.c; do
  gcc -std=c99 -E -P -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -Isrc -Isrc/modules -Itests/support "$table" |
    grep -o 'contract_\(begin\|truth\)_("[a-z0-9_]*"' | sed 's/.*("\(.*\)"/\1/'
done | sort -u >"$work/tested"
# Those of instances without what their names begin with, and of rows with one type for all.
sed -n 's/^\(wide\|flat\|con\|tri\)_/NAME_/p; s/^\(dppair_.*\)_i8\(_f32\|_f64\|\)$/\1_ROW\2/p' "$work/tested" |
  sort -u - "$work/tested" >"$work/known"
# Definitions that begin with DPPAIR_API; a name that ends in _ is private, one in _TIER a kernel. `_range`: of
# one loss, called by dppair_constants_find alone, which checks.
# shellcheck disable=SC2046
awk '/^DPPAIR_API|^[a-z].*DPPAIR_API/ { head = "" ; on = 1 }
  on { head = head " " $0 }
  on && /[;{]/ {
    on = 0
    sub(/\{.*/, "{", head)
    if (head ~ /;/) next
    sub(/\(.*/, "", head)
    n = split(head, word, /[ *]+/)
    sub(/^DPPAIR_NAME_/, "NAME_", word[n])
    if (word[n] ~ /^(dppair|NAME)_[a-z0-9_]*([a-z0-9]|_ROW|_ROW_f(32|64))$/) print word[n]
  }' $(find src -mindepth 2 -name '*.h') | grep -v '_range$' | sort -u >"$work/all"
comm -23 "$work/all" "$work/known" >"$work/missing"
[ "$(wc -l <"$work/all")" -gt 320 ] || { echo "FAIL: only $(wc -l <"$work/all") functions were found"; exit 1; }
if [ -s "$work/missing" ]; then
  echo "FAIL: in no table of tests/headers/contract_*.c:"
  cat "$work/missing"
  exit 1
fi
echo "$(wc -l <"$work/all") functions with wrong arguments"
