#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables in comments stand as tables: no formatter has poured one into a paragraph. What that leaves is a
# gap inside a line of running text, or a row of a table whose rest begins again at the margin.
# $1: another tree to look at.
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2
files=$(find src modules tests examples bench packaging \( -name '*.[ch]' -o -name '*.cpp' \) 2>/dev/null | sort)
# shellcheck disable=SC2086
awk '
  function begins(line, place) { return substr(line, place - 2, 3) ~ /^  [^ ]$/ }
  function fail(what) {
    print "FAIL " place[2] ": " what ": " line[2]
    bad = 1
  }
  # The middle one of three lines. A gap is no column where the text behind it begins a column in
  # neither neighbour; behind a full stop or a colon it is meant.
  function look(   at, words, part) {
    if (line[2] ~ /^ *\/?\*+ [^ ]/)
      for (at = 1; match(substr(line[2], at), /[^ .:;]   +[^ *]/); ) {
        words = split(substr(line[2], 1, at + RSTART - 1), part, " ")
        at += RSTART + RLENGTH - 2
        if (words > 4 && !begins(line[1], at) && !begins(line[3], at)) fail("a gap in running text")
      }
    if (line[2] ~ /^ *\/?\*   +[^ ]+( [^ ]+)?   *[a-z]/ && length(line[2]) >= 80 && line[2] ~ /[a-z]$/ &&
        line[3] ~ /^ *\* [a-z]/)
      fail("the rest of this row is at the margin")
  }
  function push(text, where) {
    line[1] = line[2]
    line[2] = line[3]
    place[2] = place[3]
    line[3] = text
    place[3] = where
    look()
  }
  FNR == 1 { push("", "") }
  { push($0, FILENAME ":" FNR) }
  /^ *\*/ { read++ }
  END {
    push("", "")
    print read + 0 " lines of comments"
    exit bad || read < 5000
  }' $files
