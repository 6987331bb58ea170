#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests that tests/list names, as many at a time as there are processors:
#   sh tests/run.sh test     what `make test` runs
#   sh tests/run.sh long     the rest; its last line counts what `test` left behind, too
#   sh tests/run.sh skipped  the scripts that skipped something in `test`, once more, with other tools
#   sh tests/run.sh scripts  the scripts of `test` alone
#   sh tests/run.sh quick    C files straight from src/, without optimisation, for development
# Variables: ONLY=word takes the files whose path contains it, TEST=word (quick) the tests whose names
# do; JOBS, BUILD. A job's line ends with its processor seconds, the last line counts the tests.
# A script that lacks a tool for a part of what it checks prints "skipped: " and what, and is counted
# by that line, too; one that can check nothing without it then ends with 77, and did not pass.
set -u
cd "$(dirname "$0")/.." || exit 2
export BUILD="${BUILD:-build}"
export SCRIPTS_LOCALE="${SCRIPTS_LOCALE-${LC_ALL-}}" LC_ALL=C # times have a point
out=${RESULTS:-$BUILD/tests}
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
LIGHT="-DDPPAIR_NO_FORCE_INLINE"
SANITIZER="$LIGHT -DDPPAIR_TEST_BRIEF -g1 -fsanitize=address,undefined -fno-sanitize-recover=all"

# The headers that a file begins with, straight or through a file of support/, if nothing was defined
# before them that they could ask for.
begins_with() {
  awk -v support=tests/support/ '
    function follow(file,    line, word) {
      while ((getline line < file) > 0) {
        if (line !~ /^#/ || line ~ /_H$|<|"tests.h"/) continue
        split(line, word, /[ "]+/)
        if (line ~ /^#include "dppair/) print line
        else if (found++ == 0 && line ~ /^#include "[a-z_]*.h"/) follow(support word[2])
        else break
        found = 1
      }
      close(file)
    }
    BEGIN { follow(ARGV[1]) }' "$1"
}

# build_and_run BUILD FILE WHAT-ELSE... The headers are read in their chapters, which gcc does in a third of
# the time. As they are copied, gcc -O2, clang and the scripts read them.
build_and_run() {
  case $1 in
  script) LC_ALL=$SCRIPTS_LOCALE sh "tests/$2"; return ;;
  light) flags="gcc -Og $LIGHT $STRICT -Wno-error=maybe-uninitialized -Isrc -Isrc/modules" ;; # -O2 knows, -Og guesses
  gcc) flags="gcc -O2 $STRICT -I. -Imodules" ;;
  clang) flags="clang -O1 $LIGHT -DDPPAIR_TEST_BRIEF $STRICT -I. -Imodules" ;;
  sanitize) # clang -O0 reads a file in a third of the time; what then runs for long has -O1 of its own
    flags="gcc -O1 -fno-inline"
    case "$*" in *-O[12]*) ;; *) [ ! -f "$out/clang_sanitizes" ] || flags="clang -O0" ;; esac
    flags="$flags $SANITIZER $STRICT -Isrc -Isrc/modules" ;;
  quick) flags="gcc $LIGHT -g -O0 -w -Isrc -Isrc/modules" ;;
  esac
  build=$1 file=tests/$2
  shift 2
  flags="$flags -std=c99 -Iexamples -Iexamples/programs -Itests/support -I$BUILD"
  # all tiers, which the headers leave out without optimisation
  case "$build $*" in gcc\ * | *MAX_TIER*) ;; *)
    grep -q '^#define DPPAIR_MAX_TIER' "$file" || flags="$flags -DDPPAIR_MAX_TIER=3" ;;
  esac
  # What a test of methods links: as `make` built it, or built here, the headers read once. The
  # instances of links are those of `make` under the sanitizers too, where header tests have theirs.
  objects=
  rm -f "$base.h.gch"
  for part do
    object=${part##*/} object=$base-${object%.c}.o
    case $build:$part in
    light:examples/* | sanitize:examples/programs/methods/link_*) [ ! -f "$BUILD/${part%.c}.o" ] || part=$BUILD/${part%.c}.o ;;
    sanitize:examples/programs/methods/* | sanitize:examples/papers/*)
      if [ ! -f "$base.h.gch" ]; then
        echo '#include "methods/method.h"' >"$base.h"
        $flags -x c-header "$base.h" -o "$base.h.gch" || return
      fi
      $flags -include "$base.h" -c "$part" -o "$object" || return
      part=$object ;;
    *:-[DO]* | *:-pthread) flags="$flags $part" part= ;;
    esac
    objects="$objects $part"
  done
  # They are read once for all files that are compiled alike.
  headers=
  case $build in light | sanitize) headers=$(begins_with "$file") ;; esac
  if [ -n "$headers" ]; then
    once=$out/once-$(echo "$flags $headers" | cksum | tr -dc 0-9).h
    # who comes first makes it; who comes while it is made does without
    if [ -f "$once.gch" ] || { mkdir "$once.made" 2>/dev/null && echo "$headers" >"$once" &&
      $flags -x c-header "$once" -o "$once.part" && mv "$once.part" "$once.gch"; }; then
      flags="$flags -include $once"
    fi
  fi
  # shellcheck disable=SC2086
  $flags "$file" $objects -o "$base" -lcmocka -lm && times >"$base.built" && "$base"
}

# A job: builds and runs, reports, and leaves "passed failed seconds skipped" in a file. A cmocka program
# counts its tests, anything else counts as one.
if [ "${1:-}" = job ]; then
  base=$out/$(echo "${3%.*}-$2" | tr / -)
  shift
  : >"$base.built"
  build_and_run "$@" >"$base.log" 2>&1
  code=$?
  times >"$base.times"
  exec awk -F '[ms ]+' -v code=$code -v name="${2%.*} $1" -v result="$base.result" '
    FILENAME ~ /(built|times)$/ { if (FNR == 2) { built = seconds; seconds = 60 * $1 + $2 + 60 * $3 + $4 } next }
    /^\[  PASSED  \] [0-9]+ test/ { split($0, word, / +/); passed += word[4] }
    /^\[  FAILED  \] [0-9]+ test/ { split($0, word, / +/); failed += word[4] }
    /^\[  SKIPPED \] [0-9]+ test/ { split($0, word, / +/); skipped += word[4] }
    name ~ / script$/ && /^skipped: / { skipped++; reasons = reasons "     " $0 "\n" }
    name ~ / quick$/ || /FAILED|ERROR|rror|runtime|Sanitizer|warning/ { told = told $0 "\n" }
    END {
      if (code == 77 && name ~ / script$/ && skipped) code = 0
      else if (passed + failed == 0 && code == 0) passed = 1
      if (failed == 0 && code != 0) failed = 1
      if (failed || name ~ / quick$/) printf "%s", told
      printf "%s %s (%d, %.1f s%s)\n%s", failed ? "FAIL" : passed ? "ok  " : "skip", name, passed, seconds,
        built ? sprintf(", %.1f of them to compile", built) : "", reasons
      print passed + 0, failed + 0, seconds, skipped + 0 >result
    }' "$base.built" "$base.times" "$base.log"
fi

# The jobs of a target, a line each: BUILD FILE WHAT-ELSE...
jobs() {
  awk -v target="$1" -v again=" $again " -v only="${ONLY:-}" -v clang="$(command -v clang)" '
    function job(    word, build, n, i, rest) {
      n = split(line, word, / +/)
      if (n < 2 || (only && !index(word[1], only))) return
      if (target == "scripts") word[2] = word[2] == "script" ? "script" : ""
      else if (target == "skipped") word[2] = word[2] == "script" && index(again, " " word[1] " ") ? "script" : ""
      else if (target == "quick") word[2] = word[1] ~ /\.c$/ ? "quick" : ""
      else if (target == "test") sub(/^long$/, "", word[2]) || sub(/^(once|brief)$/, "light", word[2])
      else if (word[2] == "brief") word[2] = ""
      else if (word[2] == "once") word[2] = "sanitize"
      else if (word[2] == "light") word[2] = "gcc sanitize" (clang ? " clang" : "")
      else word[2] = word[2] == "long" ? "script" : ""
      rest = word[1]
      for (i = 3; i <= n; i++) rest = rest " " word[i]
      n = split(word[2], build, " ")
      for (i = 1; i <= n; i++) print build[i], rest
    }
    /^#/ { next }
    /^ / { line = line $0; next }
    { job(); line = $0 }
    END { job() }' tests/list
}

target=${1:-test}
case $target in
test | long | skipped | scripts | quick) ;;
*) echo "usage: sh tests/run.sh test|long|skipped|scripts|quick"; exit 2 ;;
esac
mkdir -p "$out"
again=
case $target in
long) ;;
skipped) # the job of checks/bench.sh is checks-bench-script
  again=$(awk '$4 > 0 { name = FILENAME; sub(/.*\//, "", name); sub(/-script.result$/, ".sh", name)
    sub(/-/, "/", name); print name }' "$out"/*.result | tr '\n' ' ') ;;
*) rm -f "$out"/*.result ;;
esac
rm -rf "$out/clang_sanitizes" "$out"/once-*
[ "$target" != long ] || ! command -v clang >/dev/null 2>&1 ||
  ! echo 'int main(void) { return 0; }' | clang -fsanitize=address,undefined -x c - -o "$out/empty" 2>/dev/null ||
  : >"$out/clang_sanitizes"
find tests/headers tests/modules tests/methods tests/checks -name '*.sh' -o -name '*.c' ! -path '*/checks/*' |
  while read -r file; do
    grep -q "^${file#tests/} " tests/list || echo "$file is not in tests/list"
  done | grep . && exit 2
if [ "$target" = quick ]; then
  jobs quick | while read -r build file rest; do
    grep -q "TEST([a-z0-9_]*${TEST:-}" "tests/$file" && echo "$build $file $rest"
  done >"$out/jobs"
  [ -s "$out/jobs" ] || { echo "no test has ${TEST:+\"$TEST\" in its name}${TEST:+${ONLY:+ and }}${ONLY:+\"$ONLY\" in its path}"; exit 1; }
else
  unset TEST
  # the longest jobs first: scripts, and the test that links all methods
  jobs "$target" | awk '/^script/ || /methods.papers/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }' >"$out/jobs"
fi
[ ! -s "$out/jobs" ] || sed 's/ *$//' "$out/jobs" | xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 1)}" -L 1 sh tests/run.sh job
rm -rf "$out"/once-*
cat "$out"/*.result 2>/dev/null | awk '
  { passed += $1; failed += $2; seconds += $3; skipped += $4 }
  END {
    printf "%.0f processor seconds\n%d passed, %d failed, %d skipped\n", seconds, passed, failed, skipped
    exit failed > 0 || passed == 0
  }'
