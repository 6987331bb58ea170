#!/bin/sh
# SPDX-License-Identifier: MIT
# Static checks: line lengths, forbidden calls in the headers, unfinished words, strict warnings of
# each compiler, cppcheck and clang-tidy where they are installed.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
complain() { printf '%s\n' "$1"; bad=1; }

long=$(awk 'length > 100 { print FILENAME ":" FNR ": " length " columns" }' dppair*.h)
[ -z "$long" ] || complain "$long"
calls=$(grep -nE '\b(malloc|calloc|realloc|free|printf|fprintf|abort|exit|rand|srand)[ ]*\(' dppair*.h |
  grep -vE '^[^:]+:[0-9]+: *(\*|//|/\*)')
[ -z "$calls" ] || complain "not in a header: $calls"
words=$(grep -rnIwE 'TO''DO|FIX''ME|X''XX' --include='*.[ch]' --include='*.sh' .)
[ -z "$words" ] || complain "unfinished: $words"

STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
for compiler in gcc clang; do
  command -v $compiler >/dev/null 2>&1 || continue
  for source in examples/programs/*.c examples/programs/*/*.c examples/papers/*.c examples/problems/*.c; do
    [ -f "$source" ] || continue
    $compiler -std=c99 -fsyntax-only $STRICT -I. -Imodules -Iexamples -Iexamples/programs -Ibuild "$source" || bad=1
  done
done
if command -v cppcheck >/dev/null 2>&1; then
  cppcheck --quiet --error-exitcode=1 --enable=warning,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective --std=c99 -DDPPAIR_MAX_TIER=0 \
    -I. -Imodules -Iexamples -Iexamples/programs examples || bad=1
fi
if command -v clang-tidy >/dev/null 2>&1; then
  for source in examples/programs/*.c examples/papers/*.c; do
    clang-tidy --quiet --checks='-*,clang-analyzer-*,bugprone-infinite-loop,bugprone-sizeof-expression' \
      --warnings-as-errors='*' "$source" -- -std=c99 -I. -Imodules -Iexamples -Iexamples/programs -Ibuild -DDPPAIR_MAX_TIER=0 || bad=1
  done
fi
[ $bad -eq 0 ] && echo "lint: clean"
exit $bad
