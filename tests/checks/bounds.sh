#!/bin/sh
# SPDX-License-Identifier: MIT
# build/bounds from the outside: one theorem, what it refuses, experiments, pictures.
set -u
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" "$BUILD/bounds" || exit 1
program=$BUILD/bounds
dir=$BUILD/tests/bounds
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; exit 1; }
refuse() { # WORDS ARGUMENTS...
  words=$1
  shift
  "$program" "$@" >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && [ ! -s "$dir/out" ] && grep -q -- "$words" "$dir/err" || bad "$*: $(cat "$dir/err")"
}

# 2 A L + 2 G sqrt A + (3/4)^2 + 1 with A = 0.3364, by hand
kang="--theorem kang2021-2 --dimension 2 --steps 2 --lipschitz 4 --smoothness 4 --curvature 1 --gap 1"
"$program" $kang --n 100 --sigma 1 >"$dir/out" || bad "kang2021-2"
grep -q 'convex only: mean excess population risk 8.8937$' "$dir/out" || bad "$(cat "$dir/out")"
"$program" $kang --n 100 --sigma 1 --json | grep -q '"shape_with_c_1": *false' || bad "--json"
xue="--theorem xue2021-2 --delta 0.01 --dimension 2 --lipschitz 4 --diameter 2"
"$program" $xue --n 100 --epsilon 1 | grep -q 'shape with c = 1' || bad "an open constant"
"$program" $xue --n 100 --epsilon 1 --c1 2 | grep -q 'shape with c = 1' && bad "a constant that is given"

refuse "needs --n" $kang --n 1 --sigma 1
refuse "wants a number" $kang --n nan --sigma 1
refuse "needs --sigma" $kang --n 100
refuse "needs --epsilon" $xue --n 100 --epsilon 0
refuse "needs --delta" $xue --delta 1 --n 100 --epsilon 1
refuse "does not hold" $xue --delta 0 --n 100 --epsilon 1
refuse "no theorem" --theorem kang2021
refuse "no option" --frogs 3
refuse "no experiment" --only frogs
"$program" --list | grep -q '^niewang2017-4-paper:' || bad "--list"

# every bound that is said to hold holds; what does not is named after its paper
"$program" --only dpegd --runs 2 --json --svg "$dir/p.svg" >"$dir/out" || bad "a bound was exceeded"
[ "$(grep -c '"simulation": *true.*"verdict": *"holds"' "$dir/out")" -eq 3 ] || bad "$(cat "$dir/out")"
"$program" --only dpegd-pure --runs 2 --json >"$dir/again" || bad "again"
grep 'dpegd-pure' "$dir/out" | cmp -s - "$dir/again" || bad "other numbers the second time"
for picture in p.svg p-epsilon.svg; do
  grep -q '</svg>' "$dir/$picture" || bad "$picture"
done
"$program" --only pidpsgd --runs 4 >"$dir/out" || bad "pidpsgd"
grep -q 'kang2023-1-paper .*exceeded' "$dir/out" || bad "Theorem 1 is not exceeded"
grep -q 'NOT PRIVATE' "$dir/out" || bad "no word on privacy"
echo ok
