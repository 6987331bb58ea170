#!/bin/sh
# Neighbours that climb, of every row loss that is released in groups; TRIALS=100000 of each.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}/frontier
mkdir -p "$build"
${CC:-cc} -O1 -Isrc -Isrc/modules -Itests/support -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0 \
  tests/frontier/contrast.c -o "$build/contrast" -lcmocka -lm
"$build/contrast"
