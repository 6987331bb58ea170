#!/bin/sh
# SPDX-License-Identifier: MIT
# build/private_metric end to end: figures of a simulation, a release and its replay, refusals.
set -u
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
program=$BUILD/private_metric
dir=$BUILD/tests/private_metric
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; exit 1; }

# the private metric keeps the budget and, at a large one, beats the start on the loss it minimises
"$program" --json --method gd --splits 4 --epsilon 1,50 >"$dir/out" || bad "the simulation"
awk -F'[,:{} ]+' '
  function get(name,   i) {
    for (i = 1; i < NF; i++) if ($i == "\"" name "\"") return $(i + 1)
    return "?"
  }
  { if (get("epsilon_spent") > get("epsilon") * (1 + 1e-9)) exit 1
    if (!(get("sigma") > 0) || !(get("knn_private_mean") > 0.6)) exit 1
    private = get("risk_private_mean"); start = get("risk_identity_mean") }
  END { if (NR != 2 || !(private < start - 0.005)) exit 1 }' "$dir/out" || bad "the figures"

# the default spends nothing where it is the identity, and says so
"$program" --json --splits 2 --epsilon 0.05,1 >"$dir/out" || bad "the default"
grep -q '"epsilon": 0.05,.*"epsilon_spent": 0,.*"knn_gain_mean": 0,.*"distance_to_identity_mean": 0,' "$dir/out" ||
  bad "the identity"
grep -c '"distance_to_identity_mean": 0\.[1-9]' "$dir/out" | grep -qx 1 || bad "a direction"
"$program" --epsilon 0.05 --model "$dir/i" --quiet 2>/dev/null && grep -q 'Nothing is released' "$dir/i" ||
  bad "the identity's model"
"$program" --method maps-metric --epsilon 1 --model "$dir/m" --quiet 2>/dev/null || bad "maps"
grep -q '"factor": 0\.[0-9]*, "columns": \[' "$dir/m" && [ "$(grep -c '"z": \[' "$dir/m")" -eq 8 ] ||
  bad "the model of maps-metric"
if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$dir/m" 2>/dev/null || bad "the model of maps-metric is no JSON"
else
  echo "skipped: python3, which reads JSON, is not installed"
fi

"$program" --epsilon 1 --model "$dir/a" --save-key "$dir/key" --quiet 2>/dev/null || bad "a release"
"$program" --epsilon 1 --model "$dir/b" --replay "$dir/key" --quiet || bad "its replay"
grep -q '"metric": *\[' "$dir/a" || bad "no metric in the model"
# what is released, without what is said about it
released() { sed -n '/"steps"/,$p' "$1"; }
released "$dir/a" >"$dir/a1"
released "$dir/b" | cmp -s - "$dir/a1" || bad "the replay differs"
"$program" --epsilon 1 --model "$dir/c" --quiet || bad "a second release"
released "$dir/c" | cmp -s - "$dir/a1" && bad "two releases with the same noise"

"$program" --splits 1 --epsilon 1 --svg "$dir/picture.svg" --quiet >/dev/null || bad "the picture"
grep -q 'NOT PRIVATE' "$dir/picture.svg" && grep -q '</svg>' "$dir/picture.svg" || bad "no picture"

refuse() { # CODE ARGUMENTS...
  want=$1
  shift
  "$program" "$@" >"$dir/refused" 2>&1
  [ $? -eq "$want" ] || bad "exit status of: $*"
  [ "$(wc -l <"$dir/refused")" -eq 1 ] || bad "one line for: $*"
}
refuse 2 --method gd --delta 0
refuse 2 --method maps-metric --scale row
refuse 2 --epsilon 0
refuse 2 --method auto
refuse 2 --method gd --loss nothing
refuse 2 --loss hinge
refuse 2 --unknown 1
refuse 2 --model "$dir/d"
refuse 2 --model "$dir/d" --epsilon 1 --scale zscore
refuse 1 "$dir/absent.csv"
[ ! -e "$dir/d" ] || bad "a refused release wrote its file"
echo ok
