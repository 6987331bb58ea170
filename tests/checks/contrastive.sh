#!/bin/sh
# SPDX-License-Identifier: MIT
# build/contrastive: embeddings that are worth their budget, noise of the stated account, the picture, refusals.
set -eu
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
program=$BUILD/contrastive
dir=$BUILD/tests/contrastive
make -s BUILD="$BUILD" "$program" "$BUILD/budget"
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; exit 1; }

splice=examples/data/splice
head -n 450 $splice.txt | awk -f $splice.awk >"$dir/splice.csv"
awk -v ranges=1 -f $splice.awk </dev/null >"$dir/splice.ranges"
[ "$(wc -l <"$dir/splice.ranges")" -eq 161 ] || bad "the ranges"

get() { sed 's/.*"'"$1"'": \([^,}]*\).*/\1/' "$dir/line"; }
holds() { awk "BEGIN { exit !($1) }" || bad "$2: $1"; }

# a private embedding separates what the columns hide, at a budget that few records need
"$program" "$dir/splice.csv" --splits 2 --epsilon 2,16 --picture "$dir/p.svg" --json >"$dir/out" || bad "a run"
[ "$(wc -l <"$dir/out")" -eq 2 ] || bad "a line for each epsilon"
for k in 1 2; do
  sed -n ${k}p "$dir/out" >"$dir/line"
  grep -q '^{"simulation": true,.*}$' "$dir/line" || bad "the JSON"
  holds "$(get epsilon_spent) <= $(get epsilon) * (1 + 1e-9)" "the budget"
  holds "$(get recall5_private_mean) >= $(get recall1_private_mean)" "recall"
  set -- --mechanism sampled-gaussian --sampling matching --adjacency replace-one --n "$(get n_train)" \
    --batch "$(get batch)" --group 2 --steps "$(get steps)" --epsilon "$(get epsilon)" --delta "$(get delta)"
  z=$("$BUILD/budget" calibrate "$@" --json | sed 's/.*"noise_multiplier": \([^,}]*\).*/\1/')
  holds "$(get sigma) >= 4 * $(get clip) / $(get batch) * $z * (1 - 1e-9)" "noise"
  holds "$(get sigma) <= 4 * $(get clip) / $(get batch) * $z * (1 + 1e-6)" "noise"
done
holds "$(get nn_private_mean) > $(get nn_raw_mean) + 0.05 && $(get code_private_mean) > 0.7" "what it buys"
holds "$(get nn_open_mean) > $(get nn_raw_mean) + 0.1" "what it buys without privacy"
grep -q 'NOT PRIVATE' "$dir/p.svg" && grep -q '</svg>' "$dir/p.svg" || bad "no picture"
! grep -q -e 'nan' -e 'inf"' "$dir/p.svg" || bad "a point nowhere"

# every loss and map, on two classes; the same seed says the same, another one does not
for how in "--loss infonce" "--loss triplet" "--map two-layer --dim 3 --hidden 4 --group 4 --batch 64"; do
  # shellcheck disable=SC2086
  "$program" $how --splits 1 --epsilon 1 >"$dir/a" && "$program" $how --splits 1 --epsilon 1 >"$dir/b" || bad "$how"
  cmp -s "$dir/a" "$dir/b" || bad "$how: another result"
  grep -q '(epsilon, delta) = (1, 0.00195313) for one replaced record' "$dir/a" || bad "$how: no guarantee"
  grep -q '^not private: these figures' "$dir/a" || bad "$how: what is not private"
done
"$program" $how --splits 1 --epsilon 1 --seed 2 >"$dir/b" || bad "another seed"
! cmp -s "$dir/a" "$dir/b" || bad "two seeds with the same noise"

refuse() { # CODE ARGUMENTS...
  want=$1
  shift
  "$program" "$@" >"$dir/refused" 2>&1 && code=0 || code=$?
  [ $code -eq "$want" ] || bad "exit status $code of: $*"
  [ "$(wc -l <"$dir/refused")" -eq 1 ] || bad "one line for: $*"
}
printf 'label,a\n1,2\n1,3\n1,4\n1,5\n' >"$dir/one.csv"
printf 'label,a\n1,2\n0,3\n2,4\n1,5\n' >"$dir/few.csv"
refuse 1 "$dir/one.csv"
refuse 1 "$dir/few.csv"
refuse 1 "$dir/absent.csv"
refuse 1 --picture "$dir/absent/p.svg" --splits 1 --epsilon 1
refuse 2 "$dir/splice.csv" --picture "$dir/splice.csv"
refuse 2 "$dir/splice.csv" "$dir/splice.csv"
refuse 2 --batch 7
refuse 2 --batch 100000
refuse 2 --scale zscore
for wrong in "--group 1" "--group 600" "--delta 0" "--dim 0" "--dim 1001" "--epsilon 0" "--clip nan" "--temperature 0" \
  "--temperature 1e9" "--loss hinge" "--map deep" "--labels 0,1" "--person a" "--model x" "--steps" "--what 1"; do
  # shellcheck disable=SC2086
  refuse 2 $wrong
done
echo ok
