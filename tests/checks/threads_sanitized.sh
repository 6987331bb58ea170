#!/bin/sh
# SPDX-License-Identifier: MIT
# The pool of examples/threads and the gradients in it have no data race that the sanitizer of threads
# finds (it does not know OpenMP's own locks).
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/empty.c"
# where memory is laid out at random over more bits than the sanitizer knows, it starts now and then
still="setarch $(uname -m) -R"
$still true 2>/dev/null || still=
for compiler in clang gcc ''; do
  [ "$compiler" ] || { echo "skipped: no compiler has a sanitizer of threads"; exit 77; }
  $compiler -fsanitize=thread "$work/empty.c" -o "$work/empty" 2>/dev/null && $still "$work/empty" && break
done
$compiler -std=c99 -O0 -g1 -fsanitize=thread -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE \
  -D_POSIX_C_SOURCE=200809L -Isrc -Isrc/modules -pthread examples/threads/threads.c -o "$work/threads" -lm
$still "$work/threads" 70 1 >"$work/out" 2>&1 || { head -n 40 "$work/out"; exit 1; }
grep -q '^equal bits' "$work/out"
