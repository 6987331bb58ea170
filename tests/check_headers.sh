#!/bin/sh
# SPDX-License-Identifier: MIT
# Each header alone, vendored in a folder of its own, under every compiler and language version, with
# the warnings of a strict host project as errors.
set -eu
cd "$(dirname "$0")/.."
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/vendor"
cp dppair*.h "$work/vendor"
checked=0
for header in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h; do
  printf '#include "vendor/%s"\nint main(void) { return 0; }\n' "$header" >"$work/a.c"
  cp "$work/a.c" "$work/a.cc"
  for command in "gcc -std=c99 a.c" "gcc -std=c17 -O2 a.c" "clang -std=c99 a.c" "clang -std=c17 a.c" \
    "g++ -std=c++11 a.cc" "g++ -std=c++17 a.cc" "clang++ -std=c++11 a.cc" "clang++ -std=c++17 a.cc"; do
    command -v "${command%% *}" >/dev/null 2>&1 || continue
    (cd "$work" && $command $STRICT -fsyntax-only) || { echo "$header alone: $command"; exit 1; }
    checked=$((checked + 1))
  done
done
echo "$checked combinations of header, compiler and language"
[ $checked -ge 8 ]
