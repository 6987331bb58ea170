#!/bin/sh
# SPDX-License-Identifier: MIT
# Does tests/mutate/mutate.py tell a mutant that a test kills from one that no test can kill? Two of one
# chapter, compiled and run.
set -u
cd "$(dirname "$0")/../.." || exit 2
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null ||
  { echo "skipped: no python3 of 3.6 or later is installed"; exit 77; }
# gcc makes one program of two ways to write a comparison, which is then no mutant
command -v tcc >/dev/null 2>&1 || { echo "skipped: tcc, which compiles the mutants, is not installed"; exit 77; }
dir=${BUILD:-build}/mutate_check
rm -rf "$dir" && mkdir -p "$dir/files" || exit 2
fail() { printf '%s\n' "$1"; cat "$dir/told"; exit 1; }

# a restored generator without an owner is noticed, another way to write a comparison is not
cat >"$dir/files/by_hand" <<'END'
src/noise/saved_state.h
- rng->owner = dppair_process_();
+ rng->owner = 0;

src/noise/generator.h
- if (file < 0) return -1;
+ if (file <= -1) return -1;
END
run() {
  MUTATE_FILES=$dir/files BUILD=$dir JOBS=1 MUTATE=noise MUTATE_SAMPLE=0 MUTATE_TESTS=headers/noise/guards.c MUTATE_TEST=survives_a_fork \
    "$python" tests/mutate/mutate.py >"$dir/told" 2>&1
}
row() { grep "^all " "$dir/told" | awk '{ print $2, $3, $4, $5 }'; }
run && fail "a survivor that nobody explained is no failure"
[ "$(row)" = "2 1 0 1" ] || fail "of two mutants one is killed and one survives, but: $(row)"
cat >"$dir/files/equivalent" <<'END'
src/noise/generator.h
- if (file < 0) return -1;
+ if (file <= -1) return -1;
= a file's number is an integer
END
run || fail "the survivor is explained, and yet a failure"
[ "$(row)" = "2 1 1 0" ] || fail "of two mutants one is killed and one explained, but: $(row)"
echo "nothing like this" >"$dir/files/by_hand"
run && fail "a mutant by hand that fits nowhere is passed over"
exit 0
