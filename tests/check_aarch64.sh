#!/bin/sh
# SPDX-License-Identifier: MIT
# The same bits on 64-bit ARM: cross-compiles tests/bits.c, runs it under qemu and compares every
# line with this machine's. Says so and passes when the tools are not installed.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
CROSS=${CROSS:-aarch64-linux-gnu-gcc}
QEMU=${QEMU:-qemu-aarch64-static}
out=$BUILD/tests/aarch64
mkdir -p "$out/include"
for tool in "$CROSS" "$QEMU"; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "not checked: $tool is not installed"
    exit 0
  fi
done
# SIMDe is headers only; the cross-compiler does not look where they are.
simde=$(printf '#include <simde/x86/sse2.h>\n' | cc -E - 2>/dev/null |
  sed -n 's/^# 1 "\(.*\)\/simde\/x86\/sse2.h".*/\1/p' | head -n 1)
if [ -n "$simde" ]; then
  rm -f "$out/include/simde"
  ln -s "$(cd "$simde" && pwd)/simde" "$out/include/simde"
fi
cc -std=c99 -O2 -I. tests/bits.c -o "$out/native" -lm &&
  "$CROSS" -std=c99 -O2 -static -I. -isystem "$out/include" tests/bits.c -o "$out/cross" -lm &&
  "$out/native" >"$out/native.txt" && "$QEMU" "$out/cross" >"$out/cross.txt" || exit 1
if [ -z "$simde" ]; then echo "SIMDe is not installed: the scalar tier was compared"; fi
diff "$out/native.txt" "$out/cross.txt" && grep -c . "$out/native.txt"
