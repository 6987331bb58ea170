#!/bin/sh
# SPDX-License-Identifier: MIT
# What a host's compiler may be told: names of iso646.h and single capitals as macros leave the
# headers alone, -Wc++-compat finds nothing, C89 is refused by a sentence, and clang for other
# processors does not warn of pragmas.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  echo '#include <iso646.h>'
  for header in dppair_losses dppair_noise dppair_accountant; do echo "#include \"$header.h\""; done
  echo '#define DPPAIR_NAME rank'
  echo '#define DPPAIR_REAL double'
  echo '#define DPPAIR_LOSS dppair_logistic'
  echo '#include "dppair.h"'
  echo 'int main(void) { return 0; }'
} >"$work/names.c"
for letter in A B C D E F G H I J K L M N O P Q R S T U V W X Y Z; do echo "-D$letter=400"; done >"$work/letters"
gcc -std=c99 @"$work/letters" $STRICT -Wc++-compat -I. -Imodules -fsyntax-only "$work/names.c"
if gcc -std=c89 -I. -Imodules -fsyntax-only "$work/names.c" 2>"$work/log"; then
  echo "C89 was not refused"
  exit 1
fi
grep -q "needs C99" "$work/log"
[ "$(grep -c 'error:' "$work/log")" -le 2 ]
if command -v clang >/dev/null 2>&1; then
  echo '#include <stddef.h>' >"$work/plain.c"
  echo '#include "dppair.h"' >"$work/alone.c"
  for target in aarch64-linux-gnu riscv64-linux-gnu; do
    flags="--target=$target -std=c99 -I. -Imodules -isystem /usr/$target/include -fsyntax-only"
    echo '#include <string.h>' >"$work/plain.c"
    clang $flags "$work/plain.c" 2>/dev/null || { echo "skipped: no C library for $target is installed"; continue; }
    clang $flags $STRICT "$work/alone.c" || { echo "clang for $target warns"; exit 1; }
  done
fi
