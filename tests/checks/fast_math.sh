#!/bin/sh
# SPDX-License-Identifier: MIT
# clang, which would apply a host's -ffast-math inside the headers, is refused with a sentence; so are
# constants that gcc shortens.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include "dppair.h"' >"$work/a.c"
if gcc -fsingle-precision-constant -I. -Imodules -fsyntax-only "$work/a.c" 2>/dev/null; then
  echo "gcc -fsingle-precision-constant was not refused"
  exit 1
fi
if command -v clang >/dev/null 2>&1; then
  for flag in -Ofast -ffinite-math-only; do
    if clang $flag -I. -Imodules -fsyntax-only "$work/a.c" 2>"$work/a.log"; then
      echo "clang $flag was not refused"
      exit 1
    fi
    grep -q "without -ffast-math" "$work/a.log"
  done
fi
