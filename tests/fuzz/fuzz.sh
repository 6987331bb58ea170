#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds tests/fuzz/fuzz_NAME.c with libFuzzer and the sanitizers, and runs each for $1 seconds; or, if
# $1 is "brief", as many times as it says, from one seed: the same runs each time, so that what fails
# is what was changed. "keep" writes what the runs until now have found into tests/fuzz/corpus/.
#   FUZZ        names of targets, "data ledger"; default: all
#   FUZZ_FLAGS  of the compiler; default: -O1. With -O0 and -DFUZZ_FEW it compiles in seconds
# A target says what it needs: "sources: a.c b.c", "flags: -f" (which come last), "tiers: all"
# (else the scalar one, which compiles fastest), "brief: 60" runs (without that it compiles too long
# for tests). What it begins with: seeds made from the shipped data, for readers of text; else numbers
# that are the same each time; and the lines of tests/fuzz/corpus/NAME, with the escapes of printf. The
# words of a format are in NAME.dict.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
seconds=${1:-60}
cc=${FUZZ_CC:-clang}
command -v "$cc" >/dev/null 2>&1 || {
  echo "skipped: $cc, which fuzzes, is not installed"
  exit 0
}
mkdir -p "$BUILD/fuzz"
echo 'int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return n > 9 && b[0] == 1; }' \
  >"$BUILD/fuzz/there.c"
"$cc" -fsanitize=fuzzer,address "$BUILD/fuzz/there.c" -o "$BUILD/fuzz/there" 2>/dev/null || {
  echo "skipped: this clang has no libFuzzer (libclang-rt, compiler-rt)"
  exit 0
}

text_seeds() { # of the readers
  { head -n 40 examples/data/pima.csv; printf '\f'; cat examples/data/pima.ranges; } >"$1/csv"
  printf '1 1:2 3:4\n-1 2:1\n1 1:1\n-1 3:2\n\f1,0,5,flag\n' >"$1/libsvm"
  { head -n 40 examples/data/pima.csv; printf '\f'; cat examples/data/pima.maps; } >"$1/maps"
  printf '1 1:2 3:4\n-1 2:1\n1 1:1\n-1 3:2\n\fz,0.5,1e-1,-2*log1p(1)+1e-3*[3]-2,4\n' >"$1/terms"
  printf 'score,label\n0.5,1\n-1e9,0\ninf,+1.0\n"nan",x\n\n' >"$1/scores"
  printf '1 1:2 3:4\n-1 2:1\n1 1:1\n-1 3:2\n\f\0\024\010\0\060\002\0\200\001' >"$1/changes"
  printf '2,1\n-1e9,-1\ninf,+1.0\n"0.125",1\n\f\0\210x' >"$1/plain"
  cp tests/fuzz/ledger.jsonl "$1/ledger"
  cp tests/fuzz/model.json "$1/model"
}

number_seeds() { # of structured arguments: any bytes will do
  for k in 1 2 3 4 5 6 7 8; do
    awk -v k=$k 'BEGIN { s = k; for (i = 0; i < 90 * k; i++) {
      s = (s * 69069 + 12345) % 2147483648; printf "%c", 33 + int(s / 65536) % 94 } }' >"$1/seed$k"
  done
}

kept_seeds() { # $1: the corpus, $2: the folder
  [ -f "$1" ] || return 0
  k=0
  while IFS= read -r line; do
    k=$((k + 1))
    printf %b "$line" >"$2/kept$k"
  done <"$1"
}

# Of the smallest inputs of the folder $1 which reach together what all reach at most forty, of at
# most fifteen hundred bytes, as lines of printf.
keep() {
  mkdir -p tests/fuzz/corpus
  rm -rf "$BUILD/fuzz/merged" && mkdir "$BUILD/fuzz/merged"
  "$BUILD/fuzz/run_$2" -merge=1 -max_len=2000 "$BUILD/fuzz/merged" "$1" 2>"$1.merge"
  find "$BUILD/fuzz/merged" -type f -size -4 | sort | awk -v most=40 '{ f[NR] = $0 } END {
    step = NR > most ? NR / most : 1; for (k = 1; k <= NR; k += step) print f[int(k)] }' |
    while read -r file; do
      od -An -v -tu1 "$file" | awk '{ for (k = 1; k <= NF; k++)
        printf(($k > 31 && $k < 127 && $k != 92) ? "%c" : "\\0%03o", $k) } END { print "" }'
    done >"tests/fuzz/corpus/$2"
  echo "$2: $(wc -l <"tests/fuzz/corpus/$2") inputs kept"
}

names=${FUZZ:-$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_//; s/\.c$//')}
failed=
for name in $names; do
  target=tests/fuzz/fuzz_$name.c
  corpus=$BUILD/fuzz/$name
  if [ "$seconds" = keep ]; then
    keep "$corpus" "$name"
    continue
  fi
  runs=$(sed -n 's/^ \* brief: //p' "$target")
  [ "$seconds" != brief ] || { [ -n "$runs" ] || continue; corpus=$BUILD/fuzz/brief_$name; rm -rf "$corpus"; }
  mkdir -p "$corpus"
  sources=$(sed -n 's/^ \* sources: //p' "$target")
  flags=$(sed -n 's/^ \* flags: //p' "$target")
  grep -q '^ \* tiers: all' "$target" && [ -z "${FUZZ_SCALAR:-}" ] ||
    flags="-DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE $flags"
  if grep -q '"input.h"\|"plan.h"\|"command.h"' "$target"; then
    number_seeds "$corpus"
  else
    text_seeds "$corpus"
  fi
  kept_seeds "tests/fuzz/corpus/$name" "$corpus"
  dictionary=
  [ ! -f "tests/fuzz/$name.dict" ] || dictionary=-dict=tests/fuzz/$name.dict
  length="-max_total_time=$seconds"
  # nothing that a clock decides
  [ "$seconds" != brief ] || length="-seed=1 -runs=$runs -reload=0"
  "$cc" -gline-tables-only ${FUZZ_FLAGS:--O1} -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -DDPPAIR_NO_FORCE_INLINE -Wno-pass-failed -Isrc -Isrc/modules -Itests/support -I. -Imodules -Iexamples -Iexamples/programs \
    -I"$BUILD" $flags \
    "$target" $sources -lm -o "$BUILD/fuzz/run_$name"
  "$BUILD/fuzz/run_$name" $length -max_len=20000 -len_control=0 -timeout=100 -rss_limit_mb=4000 \
    -artifact_prefix="$BUILD/fuzz/" $dictionary -verbosity=1 "$corpus" 2>"$corpus.log" ||
    { echo "$name: FAILED"; tail -n 20 "$corpus.log"; failed="$failed $name"; continue; }
  printf '%s: %s\n' "$name" "$(grep Done "$corpus.log")"
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
