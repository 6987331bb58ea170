#!/bin/sh
# SPDX-License-Identifier: MIT
# build/influence: estimates near retraining, both stabilities, the picture, refusals; and every output
# says that it is not private.
set -u
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
program=$BUILD/influence
make -s BUILD="$BUILD" "$program" || exit 1
dir=$BUILD/tests/influence
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; exit 1; }

"$program" --retrain 40 --top 3 --svg "$dir/picture.svg" >"$dir/out" || bad "the run"
head -1 "$dir/out" | grep -q '^NOT PRIVATE' || bad "the first line"
[ "$(grep -c 'NOT PRIVATE' "$dir/picture.svg")" -eq 2 ] || bad "the picture's words"
grep -q '</svg>' "$dir/picture.svg" || bad "the picture"
"$program" --help | grep -q 'NOT PRIVATE' || bad "the help"
awk '
  /^AUC/ { auc = $2 + 0; left_out = $9 + 0; if (!(auc > 0.78 && left_out < auc && left_out > 0.75)) exit 1 }
  /^estimates/ { if (!($4 > 0 && $4 < 1e-2)) exit 1 }
  /^linear algebra/ { if (!($4 + 0 > 0 && $4 + 0 < 1e-9)) exit 1 }
  / %/ { records++; if (!($5 > 0 && $5 < 5)) exit 1 }
  # n, elastic, mean, uniform by plug-in, proved for these data, for any data, ratio
  NF == 7 && $1 + 0 > 0 && $7 ~ /^[0-9]+$/ {
    sizes++
    if (!($3 < $2 && $2 < $4 && $4 < $5 && $5 < $6 && $7 > 100)) exit 1
  }
  END { exit records != 3 || sizes != 6 }' "$dir/out" || bad "the figures"

# a file of one's own, without ranges: the first 200 lines of the built-in data
head -201 examples/data/pima.csv >"$dir/some.csv"
"$program" "$dir/some.csv" --lambda 0.1 --retrain 5 | grep -q '200 records' || bad "a file"

refuse() { # CODE ARGUMENTS...
  want=$1
  shift
  "$program" "$@" >"$dir/refused" 2>&1
  [ $? -eq "$want" ] || bad "exit status of: $*"
  [ "$(wc -l <"$dir/refused")" -eq 1 ] || bad "one line for: $*"
}
refuse 2 --lambda 0
refuse 2 --lambda -1
refuse 2 --retrain 0
refuse 2 --unknown 1
refuse 2 --svg
refuse 2 --label glucose
refuse 2 a b
refuse 1 "$dir/absent.csv"
head -20 examples/data/pima.csv >"$dir/few.csv"
refuse 1 "$dir/few.csv"
echo ok
