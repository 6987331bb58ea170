#!/bin/sh
# SPDX-License-Identifier: MIT
# make exhaust: the noise checked on all inputs, by proofs and by solvers. One table: what, cases, the
# worst share of its bound, verdict. EXHAUST=256 looks at every 256th row of the float level's words
# only, seconds instead of minutes. What cannot run here is named and skipped; that alone is no
# failure, unless nothing ran.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}/exhaust
CC=${CC:-cc}
EVERY=${EXHAUST:-1}
TIMES=${EXHAUST_TIMES:-10}
mkdir -p "$BUILD" || exit 2
rm -f "$BUILD"/*.lines
FLAGS="-std=c99 -O2 -Wall -Wextra -Wconversion -Wsign-conversion -Werror -Isrc -Isrc/modules"

# what, command ..: its lines to a file; 77 is a skip
part() {
  name=$1
  shift
  "$@" > "$BUILD/$name.lines" 2> "$BUILD/$name.errors"
  got=$?
  case $got in
    0 | 1 | 77) ;;
    *) printf '%s: ended with %s\t0\t-\tFAILS\n' "$name" "$got" >> "$BUILD/$name.lines"
       cat "$BUILD/$name.errors" >&2 ;;
  esac
}

skip() { printf '%s\t0\t-\tskipped\n' "$2" > "$BUILD/$1.lines"; }

# tier, its name, further flags
float_level() {
  tier=$1 kind=$2
  shift 2
  # shellcheck disable=SC2086
  if $CC $FLAGS -DDPPAIR_MAX_TIER="$tier" -DEXHAUST_TIER="$tier" -DEXHAUST_NAME="\"$kind\"" "$@" \
    tests/exhaust/float_level.c -o "$BUILD/float_$kind" -lm 2> "$BUILD/float_$kind.errors"; then
    part "float_$kind" "$BUILD/float_$kind" "$EVERY"
  else
    skip "float_$kind" "float, $kind: not compiled here ($BUILD/float_$kind.errors)"
  fi
}

floats() {
  case $(uname -m) in
    x86_64 | amd64)
      float_level 2 avx2
      float_level 1 simd128
      float_level 1 fused128 -DDPPAIR_NOISE_FUSED_ -mfma # what ARM computes
      float_level 3 avx512 ;;
    *) float_level 1 simd128 ;;
  esac
}

# program, what it looks at: beside numbers of many digits
wide() {
  # shellcheck disable=SC2086
  if $CC $FLAGS "tests/exhaust/$1.c" -o "$BUILD/$1" -lmpfr -lgmp -lm 2> "$BUILD/$1.errors"; then
    part "$1" "$BUILD/$1" "$TIMES"
  else
    skip "$1" "$2: MPFR is not there, or $BUILD/$1.errors"
  fi
}

others() {
  wide last_level "last level, l2, Skellam"
  wide elementary "elementary functions, Gaussian curve"
  if command -v python3 > /dev/null 2>&1; then
    part double_level python3 tests/exhaust/double_level.py src
    part proved python3 tests/exhaust/elementary.py src
    part integers python3 tests/exhaust/integers.py src "$BUILD"
  else
    skip double_level "double level, elementary functions, integers: python3 is not there"
  fi
}

if [ "${JOBS:-2}" = 1 ]; then
  floats
  others
else
  others &
  floats
  wait
fi

cat "$BUILD"/float_*.lines "$BUILD"/double_level.lines "$BUILD"/integers.lines "$BUILD"/last_level.lines \
  "$BUILD"/proved.lines "$BUILD"/elementary.lines 2> /dev/null |
  awk -F '\t' '
    BEGIN { printf "%-68s %12s %7s  %s\n", "what", "cases", "share", "verdict" }
    { printf "%-68s %12s %7s  %s\n", $1, $2, $3, $4 }
    $4 == "FAILS" { bad++ }
    $4 == "skipped" { skipped++ }
    $4 == "holds" || $4 == "proved" { right++ }
    END {
      printf "%d held, %d failed, %d skipped\n", right, bad, skipped
      exit bad > 0 || right == 0
    }'
