#!/bin/sh
# SPDX-License-Identifier: MIT
# Three processes that do not see each other's records, and one that adds their masked shares, make
# the model that one process makes of all records with the same noise, to the last bit: also where a
# site fails on the way. SITES names the program; without it, it is built here, quickly.
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=${BUILD:-build}/tests/sites
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; exit 1; }
program=${SITES:-$dir/sites}
printf '#include "distributed/%s.c"\n' site sites >"$dir/all.c"
[ -n "${SITES:-}" ] ||
  ${CC:-gcc} -std=c99 -O0 -w -D_POSIX_C_SOURCE=200809L -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Iexamples \
    "$dir/all.c" -o "$program" -lm || bad "the program"

# sites of different sizes, with different shares of positives and features in other places
for s in 1 2 3; do
  awk -v s=$s 'BEGIN {
    seed = 7 * s
    for (i = 0; i < 400 + 300 * s; i++) {
      y = u() < 0.2 * s
      printf "%d", y
      for (k = 0; k < 6; k++)
        printf ",%.4f", 0.35 * (u() + u() + u() - 1.5) + (k < 3) * (y ? 0.12 : -0.12) + 0.05 * s * (k == 5)
      printf "\n"
    }
  }
  function u() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }' >"$dir/$s.csv"
done
files="$dir/1.csv $dir/2.csv $dir/3.csv"
# shellcheck disable=SC2086
run() { "$program" --epsilon 2 --steps 12 "$@" $files; }
figure() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }

run --seed 5 >"$dir/split" || bad "three sites"
run --seed 5 --pooled >"$dir/pooled" || bad "one process"
grep -v auc_not_private "$dir/pooled" | cmp -s - "$dir/split" || bad "three sites are not one process"
[ "$(figure "$dir/split" records)" = 3000 ] || bad "the records"
awk '$1 == "epsilon" && !($2 > 1.99 && $2 <= 2) || $1 == "wrap" && $2 > 1e-9 || $1 == "w" && NF != 7 { exit 1 }' \
  "$dir/split" || bad "the figures"
awk '$1 == "auc_not_private" && $2 < 0.9 { exit 1 }' "$dir/pooled" || bad "the model ranks badly"

# another seed, and keys of the system, are other noise
run --seed 6 | cmp -s - "$dir/split" && bad "the seed is not read"
run >"$dir/a" || bad "keys of the system"
run | cmp -s - "$dir/a" && bad "keys of the system repeat"

# a site fails: at the first gradient, in the middle, and at a histogram
for at in 2,0 1,7 3,10; do
  run --seed 5 --drop $at >"$dir/drop" || bad "without a site: $at"
  run --seed 5 --drop $at --pooled | grep -v auc_not_private | cmp -s - "$dir/drop" || bad "a site that failed: $at"
  [ "$(figure "$dir/drop" sites)" = 2 ] || bad "the sites that are left: $at"
done

# one that fails while others still work on their shares: its own is in the sum of that step
run --seed 5 --drop 1,7 --late >"$dir/late" || bad "a site that failed late"
run --seed 5 --drop 1,8 --pooled | grep -v auc_not_private | cmp -s - "$dir/late" || bad "the sum of a site that failed late"

# nothing is released without the sites that are needed, or of what is no record
"$program" "$dir/1.csv" "$dir/2.csv" "$dir/none.csv" >"$dir/out" 2>/dev/null && bad "a missing file"
[ ! -s "$dir/out" ] || bad "an output without a site"
(cat "$dir/3.csv"; echo "1,2,x") >"$dir/bad.csv"
"$program" "$dir/1.csv" "$dir/2.csv" "$dir/bad.csv" >"$dir/out" 2>/dev/null && bad "a line that is no record"
[ ! -s "$dir/out" ] || bad "an output of no record"
# a pipe cannot be read twice: half of it would be the records of one class, and n tells how many
"$program" --steps 1 "$dir/1.csv" "$dir/2.csv" /dev/stdin <"$dir/3.csv" >"$dir/out" 2>/dev/null || bad "a file as input"
cat "$dir/3.csv" | "$program" --steps 1 "$dir/1.csv" "$dir/2.csv" /dev/stdin >"$dir/out" 2>/dev/null && bad "a pipe"
[ ! -s "$dir/out" ] || bad "an output of a pipe"
for wrong in "--steps -1" "--epsilon 1,5" "--seed 256" "--drop 4,1" "--drop 1" "--late"; do
  # shellcheck disable=SC2086
  run $wrong >"$dir/out" 2>/dev/null && bad "an option that is none: $wrong"
done
"$program" --help | grep -q '^usage: sites' || bad "the help"
echo "sites: passed"
