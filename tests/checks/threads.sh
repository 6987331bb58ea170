#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/threads has equal bits on 1, 2 and 4 threads, by OpenMP and by its pool; without OpenMP it
# says so, and where no thread can be started the caller does all the work.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
FLAGS="-std=c99 -O0 $STRICT -D_POSIX_C_SOURCE=200809L -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -Isrc -Isrc/modules -pthread"
cat >"$work/alone.h" <<'CODE'
#include <pthread.h>
static int no_thread(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *self) {
  return thread && !how && run && self ? 11 : 22;
}
#define pthread_create no_thread
CODE
said() { grep -q -- "$1" "$work/out" || { echo "threads does not say: $1"; cat "$work/out"; exit 1; }; }
# shellcheck disable=SC2086
gcc $FLAGS -fopenmp examples/threads/threads.c -o "$work/threads" -lm
"$work/threads" 70 2 >"$work/out" || { cat "$work/out"; exit 1; }
said '^equal bits'
said 'InfoNCE *pool *4 threads'
said 'InfoNCE *OpenMP *4 threads'
compiler=gcc
! command -v clang >/dev/null 2>&1 || compiler=clang
# shellcheck disable=SC2086
$compiler $FLAGS -include "$work/alone.h" examples/threads/threads.c -o "$work/alone" -lm
"$work/alone" 70 2 >"$work/out" || { cat "$work/out"; exit 1; }
said '^equal bits'
said 'compiled without OpenMP'
said 'only 1 thread'
! grep -q '[24] threads' "$work/out"
