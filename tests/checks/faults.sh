#!/bin/sh
# SPDX-License-Identifier: MIT
# The audit finds every mistake that is seeded into a small program, and passes the same programs
# without it. CC: the compiler.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${CC-}" ] || CC=$(command -v clang || echo gcc) # clang: in half of the time
flags="-std=c99 -O0 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0 -Isrc -Isrc/modules -Itests/audit -Itests/support"
for file in replay fits faults; do
  $CC $flags -include tests/audit/hook.h -DAUDIT_FAULTS_MAIN -c tests/audit/$file.c -o "$work/$file.o"
done
$CC "$work/replay.o" "$work/fits.o" "$work/faults.o" -o "$work/faults" -lm
"$work/faults" -q
