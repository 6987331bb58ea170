#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the cmocka tests of tests/headers and tests/methods under each compiler that is
# installed, with warnings as errors, then once more with the sanitizers, then the scripts of
# tests/checks; as many at a time as there are processors. Ends with one line that counts tests.
# Variables: COMPILERS, BUILD, JOBS, ONLY (a word of the file's path, for development), SANITIZE=0 to
# leave the sanitizers out.
set -u
cd "$(dirname "$0")/.." || exit 2
export BUILD="${BUILD:-build}"
ONLY=${ONLY:-}
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
SANITIZER="-O1 -fno-inline -DDPPAIR_NO_FORCE_INLINE -fsanitize=address,undefined -fno-sanitize-recover=all -DDPPAIR_TEST_SANITIZE=1"
out=$BUILD/tests
started=$(date +%s)

# report NAME CODE: a cmocka program counts its tests, anything else counts as one.
report() {
  log=$out/$1.log
  p=$(sed -n 's/^\[  PASSED  \] \([0-9][0-9]*\) test(s).*/\1/p' "$log" | awk '{s+=$1} END {print s+0}')
  f=$(sed -n 's/^\[  FAILED  \] \([0-9][0-9]*\) test(s).*/\1/p' "$log" | awk '{s+=$1} END {print s+0}')
  if [ $((p + f)) -eq 0 ] && [ "$2" -eq 0 ]; then
    p=1
  elif [ "$2" -ne 0 ] && [ "$f" -eq 0 ]; then
    f=1
  fi
  echo "$p $f" >"$out/$1.result"
  if [ "$f" -gt 0 ]; then
    printf 'FAIL %s\n%s\n' "$1" "$(grep -E 'FAILED|ERROR|rror|runtime|Sanitizer|warning' "$log" | head -n 25)"
  else
    printf 'ok   %s (%s, %s s)\n' "$1" "$p" $(($(date +%s) - started))
  fi
}

# One job: "check SCRIPT" or "cmocka SOURCE TAG COMPILER FLAGS...".
if [ "${1:-}" = check ]; then
  name=$(basename "$2" .sh)-check
  sh "$2" >"$out/$name.log" 2>&1
  report "$name" $?
  exit 0
elif [ "${1:-}" = cmocka ]; then
  source=$2
  name=$(echo "${source#tests/*/}" | sed 's/\.c$//; s/\//-/g')-$3
  shift 3
  # what one test needs besides stands in its source: lines like "/* link: -lquadmath */"
  extra=$(sed -n 's/^\/\* link: \(.*\) \*\/$/\1/p' "$source")
  "$@" -std=c99 -g $STRICT -I. -Iexamples -Itests/support -I"$BUILD" "$source" -o "$out/$name" \
    $extra -lcmocka -lm >"$out/$name.log" 2>&1 && "$out/$name" >"$out/$name.log" 2>&1
  report "$name" $?
  exit 0
fi

mkdir -p "$out"
rm -f "$out"/*.result
if [ -z "${COMPILERS:-}" ]; then
  COMPILERS=gcc
  command -v clang >/dev/null 2>&1 && COMPILERS="gcc clang"
fi
{
  for script in tests/checks/*"$ONLY"*.sh; do [ -f "$script" ] && echo "check $script"; done
  find tests/headers tests/methods -name '*.c' | grep -e "$ONLY" | sort | while read -r source; do
    [ "${SANITIZE:-1}" = 1 ] && echo "cmocka $source sanitize gcc $SANITIZER"
    for compiler in $COMPILERS; do echo "cmocka $source $compiler $compiler -O2"; done
  done
} >"$out/jobs"
xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 1)}" -L 1 sh tests/run.sh <"$out/jobs"

cat "$out"/*.result 2>/dev/null |
  awk '{p += $1; f += $2} END {printf "%d passed, %d failed\n", p, f; exit f > 0 || p == 0}'
