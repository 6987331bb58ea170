#!/bin/sh
# SPDX-License-Identifier: MIT
# In a host that is compiled with -Ofast, bad input is still refused and figures are still right
# (gcc: tests of the core, the noise and the accountant under -Ofast); clang, which would apply
# -ffast-math inside the headers, is refused with a sentence.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for test in core accountant; do
  gcc -std=gnu99 -Ofast -I. "tests/test_$test.c" -o "$work/$test" -lquadmath -lcmocka -lm
  "$work/$test" >"$work/$test.log" 2>&1 || { cat "$work/$test.log"; exit 1; }
done
if command -v clang >/dev/null 2>&1; then
  echo '#include "dppair.h"' >"$work/a.c"
  if clang -Ofast -I. -fsyntax-only "$work/a.c" 2>"$work/a.log"; then
    echo "clang -Ofast was not refused"
    exit 1
  fi
  grep -q "without -ffast-math" "$work/a.log"
fi
