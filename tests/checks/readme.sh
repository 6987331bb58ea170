#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C block of the README that has a main is compiled as printed, with a strict host's warnings,
# and run; blocks without one are compiled.
set -eu
cd "$(dirname "$0")/../.."
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v dir="$work" '/^```c$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > (dir "/block" n ".c") }' README.md
blocks=0
for block in "$work"/block*.c; do
  [ -f "$block" ] || break
  for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    if grep -q 'int main' "$block"; then
      $compiler -std=c99 -O2 $STRICT -I. "$block" -lm -o "$work/run"
      "$work/run" >/dev/null
    else
      $compiler -std=c99 -O2 $STRICT -I. -c "$block" -o "$work/run.o"
    fi
  done
  blocks=$((blocks + 1))
done
# The first program with another loss releases with the sensitivity of that loss: nothing else names one.
sed 's/logistic/squared_hinge/g' "$work/block1.c" >"$work/other.c"
${CC:-cc} -std=c99 -O1 -DDPPAIR_NO_SIMDE -I. "$work/other.c" -lm -o "$work/run"
"$work/run" | grep -q 'at epsilon = 1,' || { echo "README: the squared hinge is not released at epsilon = 1"; exit 1; }
echo "$blocks code blocks"
[ $blocks -ge 2 ]
