#!/bin/sh
# SPDX-License-Identifier: MIT
# Which tiers a build has: what the compiler's flags say of the machine, no more and no less; a limit
# below them is refused; without optimisation there is one, and it goes on with what an optimised
# program has saved.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
case $(gcc -dumpmachine) in x86_64-linux*) ;; *) echo "skipped: not gcc for x86-64 on Linux"; exit 77 ;; esac
bad=0
wrong() { echo "$1"; bad=1; }

cat >"$work/tier.c" <<'C'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
typedef char narrowest_is_as_expected[DPPAIR_MIN_TIER == NARROWEST ? 1 : -1];
typedef char widest_is_as_expected[DPPAIR_MAX_TIER == WIDEST ? 1 : -1];
double a[4], b[4], sp[4], sn[4];
int use(void) { return rank_coeffs(a, b, sp, 4, sn, 4, 0) != DPPAIR_OK; }
C
# NARROWEST WIDEST TIERS FLAGS: TIERS are those that functions are called on
tiers() {
  narrowest=$1 widest=$2 expected=$3
  shift 3
  gcc -std=c99 -w "$@" -I. -Imodules -DNARROWEST="$narrowest" -DWIDEST="$widest" -c "$work/tier.c" -o "$work/tier.o" ||
    { wrong "gcc $*: not narrowest $narrowest, widest $widest"; return; }
  found=$(nm "$work/tier.o" | sed -n 's/.* rank_coeffs_\([a-z0-9]*\)\(\..*\)*$/\1/p' | LC_ALL=C sort -u | tr '\n' ' ')
  [ "$found" = "$expected" ] || wrong "gcc $*: tiers $found, not $expected"
}
wide="-mavx512f -mavx512dq -mavx512bw -mavx512vl"
tiers 0 3 "avx2 avx512 scalar " -O2
tiers 0 3 "avx2 avx512 scalar " -O2 -mavx2
tiers 2 3 "avx2 avx512 " -O2 -mavx2 -mfma
tiers 2 2 "avx2 " -O2 -mavx2 -mfma -DDPPAIR_MAX_TIER=2
# shellcheck disable=SC2086
tiers 3 3 "avx512 " -O2 -mavx2 -mfma $wide
# shellcheck disable=SC2086
tiers 2 2 "avx2 " -O2 -mavx2 -mfma $wide -DDPPAIR_MAX_TIER=2
# shellcheck disable=SC2086
tiers 0 3 "avx2 avx512 scalar " -O2 -mavx2 -mfma $wide -DDPPAIR_MIN_TIER=0
tiers 0 0 "scalar " -O2 -mavx2 -mfma -DDPPAIR_MAX_TIER=0
tiers 0 0 "scalar " -O0
tiers 0 3 "avx2 avx512 scalar " -O0 -DDPPAIR_MAX_TIER=3
for flags in "-DDPPAIR_MIN_TIER=1" "-DDPPAIR_MIN_TIER=4" "-DDPPAIR_MIN_TIER=3 -DDPPAIR_MAX_TIER=2"; do
  # shellcheck disable=SC2086
  gcc -std=c99 -w -O2 $flags -I. -Imodules -DNARROWEST=0 -DWIDEST=3 -c "$work/tier.c" -o "$work/tier.o" 2>"$work/said" &&
    wrong "gcc $flags compiles"
  grep -q 'DPPAIR_MIN_TIER is 0, or 2 or 3' "$work/said" || wrong "gcc $flags: no sentence"
done

# A limit below what is compiled; a saved generator of AES that a build without its instructions goes on with.
cat >"$work/limit.c" <<'C'
static int limit = 3;
#define DPPAIR_TIER_LIMIT limit
#include "dppair_noise.h"
#include <stdio.h>
int main(void) {
  double x[3] = {1, 2, 3};
  unsigned char key[32] = {7};
  dppair_rng rng;
  if (dppair_environment_check() != DPPAIR_OK) return 2;
  if (dppair_rng_from_key(&rng, key, 0) != DPPAIR_OK) return 3;
  limit = 1;
  if (dppair_environment_check() != DPPAIR_ERR_ENVIRONMENT) return 4;
  if (dppair_add_gaussian_f64(x, 3, 1.0, &rng) != DPPAIR_ERR_ENVIRONMENT) return 5;
  for (int i = 0; i < 3; i++)
    if (x[i] != 0.0) return 6;
  return 0;
}
C
cat >"$work/go_on.c" <<'C'
#include "dppair_noise.h"
#include <stdio.h>
int main(int count, char **word) {
  double x[40] = {0};
  unsigned char key[32] = {7}, saved[DPPAIR_RNG_SAVED_SIZE];
  dppair_rng rng;
  FILE *file = fopen(word[1], count > 2 ? "rb" : "wb");
  if (!file) return 2;
  if (count > 2) {
    if (fread(saved, 1, sizeof saved, file) != sizeof saved || dppair_rng_restore(&rng, saved)) return 3;
  } else {
    if (dppair_rng_from_key_aes256(&rng, key, 0) || dppair_rng_save(saved, &rng)) return 4;
    if (fwrite(saved, 1, sizeof saved, file) != sizeof saved) return 5;
  }
  fclose(file);
  if (dppair_add_gaussian_f64(x, 40, 1.0, &rng)) return 6;
  for (int i = 0; i < 40; i++) printf("%a\n", x[i]);
  return 0;
}
C
gcc -std=c99 -O2 -I. -Imodules "$work/go_on.c" -o "$work/fast" -lm && gcc -std=c99 -O0 -I. -Imodules "$work/go_on.c" -o "$work/slow" -lm ||
  wrong "the program that saves and restores does not compile"
"$work/fast" "$work/state" >"$work/one" || wrong "saving: $?"
"$work/slow" "$work/state" again >"$work/two" || wrong "restoring: $?"
cmp -s "$work/one" "$work/two" || wrong "-O0 goes on with other noise than -O2"
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
  gcc -std=c99 -O1 -mavx2 -mfma -I. -Imodules "$work/limit.c" -o "$work/limit" -lm || wrong "the program with a limit does not compile"
  "$work/limit" || wrong "a limit below the narrowest tier: $?"
else
  echo "no AVX2 here: a limit below it was not tried"
fi
exit $bad
