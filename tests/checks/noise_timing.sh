#!/bin/sh
# SPDX-License-Identifier: MIT
# Does the time of a release depend on the key or the data? Runs noise_timing.c under valgrind,
# where it is installed, on the widest tier that valgrind can execute (AVX2) up to TIER.
set -eu
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null 2>&1 || { echo "valgrind is not installed: not checked"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -std=gnu99 -O2 -g -DDPPAIR_MAX_TIER="${TIER:-3}" -I. tests/checks/noise_timing.c -lm -o "$work/timing"
code=0
valgrind -q --error-exitcode=9 "$work/timing" >"$work/log" 2>&1 || code=$?
if [ "$code" = 77 ]; then
  echo "no vector tier under valgrind: not checked"
  exit 0
fi
[ "$code" = 0 ] || { head -n 40 "$work/log"; echo "a branch or an address depends on a secret"; exit 1; }
if valgrind -q --error-exitcode=9 "$work/timing" leak >"$work/log" 2>&1; then
  echo "the check did not notice a planted branch"
  exit 1
fi
echo "no branch and no address depends on key or data"
