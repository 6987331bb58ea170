#!/bin/sh
# SPDX-License-Identifier: MIT
# Three processes that do not see each other's records, and one that adds their masked shares, make
# the model that one process makes of all records with the same noise, to the last bit: also where a
# site fails on the way. The epsilon that they print holds for a site that is left and takes its own
# noise off the sums, by the noise that is measured. SITES names the program; without it, it is
# built here, quickly.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
dir=${BUILD:-build}/tests/sites
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; exit 1; }
program=${SITES:-$dir/sites}
printf '#include "distributed/%s.c"\n' site sites >"$dir/all.c"
[ -n "${SITES:-}" ] ||
  ${CC:-gcc} -std=c99 -O0 -w -D_POSIX_C_SOURCE=200809L -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Imodules -Iexamples \
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

# noise that can be had again is no release, and the output says so
grep -q 'NOT PRIVATE' "$dir/split" || bad "--seed prints an epsilon as if it were one of a release"

# another seed, and keys of the system, are other noise
run --seed 6 | cmp -s - "$dir/split" && bad "the seed is not read"
run >"$dir/a" || bad "keys of the system"
run | cmp -s - "$dir/a" && bad "keys of the system repeat"
grep -q 'NOT PRIVATE' "$dir/a" && bad "a release is called none"

# a site fails: at the first gradient, in the middle, and at a histogram
for at in 2,0 1,7 3,10; do
  run --seed 5 --drop $at >"$dir/drop" || bad "without a site: $at"
  run --seed 5 --drop $at --pooled | grep -v auc_not_private | cmp -s - "$dir/drop" || bad "a site that failed: $at"
  [ "$(figure "$dir/drop" sites)" = 2 ] || bad "the sites that are left: $at"
done

# one that fails while others still work on their shares: its own is in the sum of that step
run --seed 5 --drop 1,7 --late >"$dir/late" || bad "a site that failed late"
run --seed 5 --drop 1,8 --pooled | grep -v auc_not_private | cmp -s - "$dir/late" || bad "the sum of a site that failed late"

# What the sums look like to a site that is left, which knows its own share. Records without features
# to speak of: one step then releases noise alone, from which it is measured, over seeds. The
# accountant says what one share less than it costs, where the program says epsilon.
cat >"$dir/seen.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "distributed/site.h"

/* seen LEFT RECORDS EPSILON: the epsilon for one of LEFT sites, of the lines `w ..` of many runs. */
/* seen shares HONEST EPSILON STEPS: that of HONEST - 1 of HONEST shares, by the account alone. */
static double multiplier[2];
static dppair_accountant charged(size_t steps, double epsilon, double factor) {
  dppair_accountant a;
  dppair_release r;
  dppair_plan p;
  int k;
  memset(&p, 0, sizeof p);
  p.sampling = dppair_sampling_all(400, DPPAIR_REPLACE_ONE), p.noise = DPPAIR_SKELLAM;
  (void)dppair_accountant_init(&a);
  for (k = 0; k < 2; k++) {
    p.steps = k == 0 ? (steps + REFRESH - 1) / REFRESH : steps, p.check = 0;
    p.noise_multiplier = multiplier[k] * factor, p.epsilon = 0, p.delta = 0;
    if (!(factor > 0)) { /* what the sites find */
      p.epsilon = epsilon, p.delta = 1e-6;
      if (dppair_calibrate(&p, &a, NULL) != DPPAIR_OK) exit(1);
      if (k == 0) p.noise_multiplier /= sqrt(HISTOGRAMS), p.epsilon = p.delta = 0, p.check = 0;
      multiplier[k] = p.noise_multiplier;
    }
    if (dppair_release_open(&r, &a, &p, NULL) != DPPAIR_OK) exit(1);
  }
  return a;
}
/* The account of noise whose variance is `share` of what the sites' sums need. */
static dppair_accountant account_of(double epsilon, size_t steps, double share) {
  (void)charged(steps, epsilon, 0);
  return charged(steps, 0, sqrt(share));
}

int main(int argc, char **argv) {
  static char line[4096];
  double sum = 0, squares = 0, n = 0, left, factor, epsilon, sigma;
  dppair_accountant a;
  dppair_interval i;
  char *at, *end;
  if (argc > 4 && strcmp(argv[1], "shares") == 0) {
    a = account_of(atof(argv[3]), (size_t)atoi(argv[4]), 1 - 1 / atof(argv[2]));
  } else {
    left = atof(argv[1]), epsilon = atof(argv[3]);
    while (fgets(line, sizeof line, stdin) != NULL)
      for (at = line + 1; line[0] == 'w'; at = end, n++) {
        const double w = strtod(at, &end);
        if (end == at) break;
        sum += w, squares += w * w;
      }
    (void)account_of(epsilon, 1, 1);
    /* a gradient's integers move by 2 CLIP SCALE; w is -RATE/RECORDS of them over SCALE */
    sigma = sqrt((squares - sum * sum / n) / (n - 1)) * atof(argv[2]) / RATE;
    factor = sigma / (2 * CLIP * multiplier[1]);
    factor *= factor * (left - 1) / left;
    a = account_of(epsilon, 1, factor);
  }
  /* integer noise: no composition is tighter */
  if (dppair_accountant_epsilon(&i, &a, 1e-6, NULL) != DPPAIR_OK) return 1;
  printf("%.4f\n", i.upper);
  return 0;
}
END
${CC:-gcc} -std=c99 -O0 -w -D_POSIX_C_SOURCE=200809L -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Imodules -Iexamples \
  "$dir/seen.c" -o "$dir/seen" -lm || bad "the accountant"
# with HONEST one more, which is what a site that is lost would leave without its own share
for known in 2,1.451 3,1.243 4,1.167 5,1.127 6,1.103 7,1.086; do
  cost=$("$dir/seen" shares ${known%,*} 1 30) || bad "the accountant's answer"
  awk -v a="$cost" -v b="${known#*,}" 'BEGIN { exit !(a - b < 1e-3 && b - a < 1e-3) }' ||
    bad "one of ${known%,*} shares less costs $cost, not ${known#*,}"
done
for s in 1 2 3 4; do
  awk -v s=$s 'BEGIN { for (i = 0; i < 100; i++) printf "%d,%s1e-9,1e-9,1e-9,1e-9,1e-9,1e-9\n", i % 2, s % 2 ? "" : "-" }' >"$dir/flat$s.csv"
done
seen() { # files.. : the epsilon that a site has, measured; LEFT and DROP are the caller's
  for seed in $(awk 'BEGIN { for (i = 1; i <= 120; i++) print i }'); do
    # shellcheck disable=SC2086
    "$program" --epsilon 1 --steps 1 --seed "$seed" --pooled $DROP "$@" >"$dir/one" || bad "a run of noise"
    grep '^w' "$dir/one"
  done | "$dir/seen" "$LEFT" "$((100 * LEFT))" 1
}
for case in "3:" "2:--drop 2,0" "4:" "3:--drop 4,0"; do
  LEFT=${case%%:*} DROP=${case#*:}
  sites=$LEFT
  [ -z "$DROP" ] || sites=$((LEFT + 1))
  flat="$dir/flat1.csv $dir/flat2.csv $dir/flat3.csv"
  [ $sites = 3 ] || flat="$flat $dir/flat4.csv"
  # shellcheck disable=SC2086
  cost=$(seen $flat)
  # 720 numbers: their standard deviation is known to 2.6 %
  awk -v e="$cost" -v drop="$DROP" 'BEGIN { exit !(e > 0 && e < 1.1 && (drop == "" || e > 0.9)) }' ||
    bad "one of $LEFT sites of $sites has epsilon $cost, where 1 is printed"
done

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
