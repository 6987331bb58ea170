#!/bin/sh
# SPDX-License-Identifier: MIT
# In a host that is compiled with -Ofast, bad input is still refused and figures are still right
# (gcc: tests of the core, the noise and the accountant under -Ofast); clang, which would apply
# -ffast-math inside the headers, is refused with a sentence.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for test in core accountant/closed_forms; do
  gcc -std=gnu99 -Ofast -I. -Itests/support "tests/headers/$test.c" -o "$work/test" -lquadmath -lcmocka -lm
  "$work/test" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
# A part of it alone: the scalar tier, with the same bits; shortened constants do not compile.
gcc -std=gnu99 -O2 -DDPPAIR_MAX_TIER=0 -I. tests/matrix/bits.c -o "$work/bits" -lm
"$work/bits" >"$work/strict"
for part in -funsafe-math-optimizations -ffinite-math-only; do
  gcc -std=gnu99 -O2 $part -I. tests/matrix/bits.c -o "$work/bits" -lm
  "$work/bits" >"$work/loose"
  cmp "$work/strict" "$work/loose" || { echo "gcc $part: other bits"; exit 1; }
done
# Vector versions of exp, log, .. are good to 4 ulp only: none is called, whatever the host's flags.
echo '#include "dppair_losses.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"' >"$work/vector.c"
gcc -std=gnu99 -O3 -ffast-math -w -DDPPAIR_API='__attribute__((used)) static' -I. \
  -c "$work/vector.c" -o "$work/vector.o"
if nm "$work/vector.o" | grep _ZGV; then
  echo "gcc -O3 -ffast-math: vector versions of the library's functions"
  exit 1
fi
echo '#include "dppair.h"' >"$work/a.c"
if gcc -fsingle-precision-constant -I. -fsyntax-only "$work/a.c" 2>/dev/null; then
  echo "gcc -fsingle-precision-constant was not refused"
  exit 1
fi
if command -v clang >/dev/null 2>&1; then
  for flag in -Ofast -ffinite-math-only; do
    if clang $flag -I. -fsyntax-only "$work/a.c" 2>"$work/a.log"; then
      echo "clang $flag was not refused"
      exit 1
    fi
    grep -q "without -ffast-math" "$work/a.log"
  done
fi
