#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/papers/pairs_pay.c, whose seeds are fixed: pairs beat untuned single records where positives are
# rare and columns off centre, and nowhere lose more than a few points to tuned ones. docs/when_pairs_pay.md
# says so, in the words of the program. Wrong use and missing data are refused.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
FLAGS="-std=c99 -O1 $STRICT -DDPPAIR_NO_FORCE_INLINE -Isrc -Isrc/modules"
bad() { echo "FAILED: $1"; [ ! -f "$work/out" ] || cat "$work/out"; exit 1; }
# shellcheck disable=SC2086
gcc $FLAGS examples/papers/pairs_pay.c -o "$work/pairs_pay" -lm || bad "it does not compile"
"$work/pairs_pay" --quick >"$work/out" || bad "exit status $?"
grep -q '^simulation: NOT PRIVATE' "$work/out" || bad "it does not say that it makes no release"
[ "$(grep -c ' ± ' "$work/out")" -eq 7 ] || bad "six rows and a heading"
# of a row, by method: one step, ten steps with the default step size, the best
awk -F '[|/]' '
  function check(holds, what) { if (!holds) { print what ": " $0; failed = 1 } }
  $2 ~ /^ (8|31|50) %|^ Pima/ {
    rows++
    pairs = $5; single = $8; weighted = $11
    for (k = 4; k <= 12; k++) check($k > 50 && $k < 100, "no AUC")
    for (k = 6; k <= 12; k += 3) check($k >= $(k - 1) && $k >= $(k - 2), "the best is not the best")
    check($6 > $9 - 5 && $6 > $12 - 5, "pairs lose more than 5 points to tuned single records")
  }
  $2 ~ /^ 8 %, 60/ {
    check($4 > $7 + 20 && pairs > single + 10, "pairs against untuned single records, off centre")
    check(pairs < weighted + 8, "class weights are a rival")
  }
  $2 ~ /^ 50 %, 50/ { check($9 > $6 && $9 < $6 + 3, "single records where columns are centred, classes balanced") }
  END { exit failed || rows != 6 }' "$work/out" || bad "the figures"
"$work/pairs_pay" --quick | cmp -s - "$work/out" || bad "the same seeds, another output"
"$work/pairs_pay" --other >/dev/null 2>&1 && bad "an argument that nobody reads" || [ $? -eq 2 ] || bad "exit status"
(cd "$work" && ./pairs_pay --quick >/dev/null 2>&1) && bad "no data, no error"
if [ -c /dev/full ]; then "$work/pairs_pay" --quick >/dev/full 2>&1 && bad "results that cannot be written, no error"; fi
# what the page has of the whole table
page=docs/when_pairs_pay.md
[ "$(grep -c '^| .* ± [0-9.]* |$' $page)" -eq 60 ] || bad "rows of $page"
grep -qF "$(grep '^| positives' "$work/out")" $page || bad "the heading of $page"
echo "pairs beside single records: $(grep -c ' ± [0-9]' "$work/out") rows"
