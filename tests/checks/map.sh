#!/bin/sh
# SPDX-License-Identifier: MIT
# The two walks of src/README.md: each function that a row names is defined somewhere, and stands in a chapter that
# the row names; each chapter is there.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find src -name '*.h' | LC_ALL=C sort >"$work/files"
# FILES: NAME ..: the chapters of a row, and the names in its second cell
awk '
  FNR == NR {
    short = $0
    sub(/.*\//, "", short)
    path[short] = path[short] " " $0
    next
  }
  /^## / { on = /^## One (gradient|epsilon)$/ }
  on && /^\|/ && /\.h/ {
    rows++
    n = split($0, cell, /\| /)
    text = cell[n]
    files = ""
    while (match(text, /[a-z0-9_\/]+\.h/)) {
      said = substr(text, RSTART, RLENGTH)
      text = substr(text, RSTART + RLENGTH)
      short = said
      sub(/.*\//, "", short)
      m = split(path[short], at, " ")
      seen = 0
      for (i = 1; i <= m; i++) # a chapter with its folder is that one
        if (said == short || index(at[i], "/" said) == length(at[i]) - length(said)) {
          files = files " " at[i]
          seen = 1
        }
      if (!seen) print "NO chapter " said
    }
    names = ""
    text = cell[3]
    while (match(text, /`(dp[a-z]*|DPPAIR_NAME)_[A-Za-z_0-9]+`/)) {
      names = names " " substr(text, RSTART + 1, RLENGTH - 2)
      text = substr(text, RSTART + RLENGTH)
    }
    if (names != "") print "ROW" files " :" names
  }
  END { if (rows < 40) print "NO walks: " rows + 0 " rows" }' "$work/files" src/README.md >"$work/rows"
bad=0 count=0
while read -r kind rest; do
  [ "$kind" = ROW ] || { echo "FAIL $rest"; bad=1; continue; }
  files=${rest%% :*}
  for name in ${rest#* : }; do
    count=$((count + 1))
    # shellcheck disable=SC2086
    grep -qw -e "$name" $files || { echo "FAIL $name is in none of $files"; bad=1; }
  done
done <"$work/rows"
[ $count -ge 120 ] || { echo "FAIL only $count names"; bad=1; }
echo "$count names in $(wc -l <"$work/rows") rows"
exit $bad
