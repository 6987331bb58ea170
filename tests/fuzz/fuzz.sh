#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds every tests/fuzz/*.c with libFuzzer and the sanitizers and runs each for $1 seconds on seeds
# made from the shipped data. A target names the sources that it needs: "sources: a.c b.c".
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
seconds=${1:-60}
for target in tests/fuzz/*.c; do
  name=$(basename "$target" .c)
  corpus=$BUILD/fuzz/$name
  mkdir -p "$corpus"
  sources=$(sed -n 's/^ \* sources: //p' "$target")
  { head -n 40 examples/data/pima.csv; printf '\f'; cat examples/data/pima.ranges; } >"$corpus/csv"
  printf '1 1:2 3:4\n-1 2:1\n1 1:1\n-1 3:2\n\f1,0,5,flag\n' >"$corpus/libsvm"
  { head -n 40 examples/data/pima.csv; printf '\f'; cat examples/data/pima.maps; } >"$corpus/maps"
  printf '1 1:2 3:4\n-1 2:1\n1 1:1\n-1 3:2\n\fz,0.5,1e-1,-2*log1p(1)+1e-3*[3]-2,4\n' \
    >"$corpus/terms"
  printf 'score,label\n0.5,1\n-1e9,0\ninf,+1.0\n"nan",x\n\n' >"$corpus/scores"
  printf '1 1:2 3:4\n-1 2:1\n1 1:1\n-1 3:2\n\f\0\024\010\0\060\002\0\200\001' >"$corpus/changes"
  printf '2,1\n-1e9,-1\ninf,+1.0\n"0.125",1\n\f\0\210x' >"$corpus/plain"
  cp tests/fuzz/ledger.jsonl "$corpus/ledger"
  cp tests/fuzz/model.json "$corpus/model"
  clang -g -O1 -fsanitize=fuzzer,address,undefined -I. -Iexamples -I"$BUILD" "$target" $sources -lm \
    -o "$BUILD/fuzz/run_$name"
  "$BUILD/fuzz/run_$name" -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=4000 \
    -verbosity=1 "$corpus" 2>"$corpus.log" || { tail -n 20 "$corpus.log"; exit 1; }
  printf '%s: %s\n' "$name" "$(grep Done "$corpus.log")"
done
