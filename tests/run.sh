#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs every tests/test_*.c (cmocka) under each compiler that is installed, with warnings
# as errors, then once more with the sanitizers, then every tests/check_*.sh. Ends with one line that
# counts tests. Variables: COMPILERS, BUILD, ONLY (a pattern of test names, for development),
# SANITIZE=0 to leave the sanitizers out.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
ONLY=${ONLY:-*}
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
out=$BUILD/tests
mkdir -p "$out"
if [ -z "${COMPILERS:-}" ]; then
  COMPILERS=gcc
  command -v clang >/dev/null 2>&1 && COMPILERS="gcc clang"
fi
passed=0
failed=0

# run NAME COMMAND...: a cmocka program counts its tests, anything else counts as one.
run() {
  name=$1
  shift
  log=$out/$name.log
  "$@" >"$log" 2>&1
  code=$?
  p=$(sed -n 's/^\[  PASSED  \] \([0-9][0-9]*\) test(s).*/\1/p' "$log" | awk '{s+=$1} END {print s+0}')
  f=$(sed -n 's/^\[  FAILED  \] \([0-9][0-9]*\) test(s).*/\1/p' "$log" | awk '{s+=$1} END {print s+0}')
  if [ $((p + f)) -eq 0 ]; then
    if [ $code -eq 0 ]; then p=1; else f=1; fi
  elif [ $code -ne 0 ] && [ "$f" -eq 0 ]; then
    f=1
  fi
  passed=$((passed + p))
  failed=$((failed + f))
  if [ "$f" -gt 0 ]; then
    printf 'FAIL %s\n' "$name"
    grep -E 'FAILED|ERROR|error|runtime|Sanitizer' "$log" | head -n 25
  else
    printf 'ok   %s (%s)\n' "$name" "$p"
  fi
}

# build and run one test: NAME SOURCE COMPILER FLAGS...
cmocka() {
  name=$1
  source=$2
  shift 2
  # extra flags that one test needs stand in its source: "// link: -lfoo" or "/* link: -lfoo */"
  extra=$(sed -n 's/.*link: \(.*\)$/\1/p' "$source" | head -n 1 | sed 's/ *\*\/ *$//')
  if "$@" $STRICT -I. -Iexamples "$source" -o "$out/$name" $extra -lcmocka -lm >"$out/$name.build" 2>&1; then
    run "$name" "$out/$name"
  else
    failed=$((failed + 1))
    printf 'FAIL %s does not compile\n' "$name"
    head -n 25 "$out/$name.build"
  fi
}

for compiler in $COMPILERS; do
  for source in tests/test_$ONLY.c; do
    [ -f "$source" ] || continue
    cmocka "$(basename "$source" .c)-$compiler" "$source" "$compiler" -std=c99 -O2 -g
  done
done
if [ "${SANITIZE:-1}" = 1 ]; then
  for source in tests/test_$ONLY.c; do
    [ -f "$source" ] || continue
    cmocka "$(basename "$source" .c)-sanitize" "$source" gcc -std=c99 -O1 -g -fno-inline -DDPPAIR_NO_FORCE_INLINE \
      -fsanitize=address,undefined -fno-sanitize-recover=all -DDPPAIR_TEST_SANITIZE=1
  done
fi
for script in tests/check_$ONLY.sh; do
  [ -f "$script" ] || continue
  run "$(basename "$script" .sh)" env BUILD="$BUILD" sh "$script"
done

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
