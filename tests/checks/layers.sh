#!/bin/sh
# SPDX-License-Identifier: MIT
# A chapter uses what its own folder defines and what the folders below it define, nothing else: the
# table says which. Names that more than one folder defines (macros of one body) tell nothing. In the
# accountant only the table of mechanisms and their own files read the kind of a step.
set -u
cd "$(dirname "$0")/../.." || exit 2
chapters=$(find src -mindepth 2 -name '*.h' | sort)
# shellcheck disable=SC2086
awk '
  BEGIN {
    sees["core"] = "core"
    sees["simd"] = "simd core"
    sees["domains"] = "domains simd core"
    sees["measures"] = "measures pairs losses rows simd core"
    sees["rows"] = "rows simd core"
    sees["losses"] = "losses simd core"
    sees["pairs"] = "pairs losses rows simd core"
    sees["tiles"] = "tiles pairs losses rows simd core"
    sees["contrast"] = "contrast tiles pairs losses rows simd core"
    sees["fits"] = "fits tiles pairs losses rows domains simd core"
    sees["noise"] = "noise core"
    sees["accountant"] = "accountant core"
    sees["release"] = "release fits losses contrast tiles pairs rows domains simd noise accountant core"
    sees["evaluation"] = "evaluation release noise accountant core"
    # what an instance is made of, known to every body
    split("DPPAIR_NAME DPPAIR_REAL DPPAIR_ROW DPPAIR_LOSS DPPAIR_TEMPLATE_F64_", parameters)
    for (k in parameters) home[parameters[k]] = "several"
    word = "(dp[a-z]*|DP[A-Z]*)_[A-Za-z0-9_]+"
  }
  function define(name) {
    if (!(name in home)) {
      home[name] = folder
      names++
    } else if (home[name] != folder)
      home[name] = "several"
  }
  # Each match of `pattern` in `text`, without its last `drop` characters, is a definition.
  function define_all(text, pattern, drop) {
    while (match(text, pattern)) {
      define(substr(text, RSTART, RLENGTH - drop))
      text = substr(text, RSTART + RLENGTH)
    }
  }
  FNR == 1 {
    pass = FILENAME in read ? 2 : 1
    read[FILENAME] = 1
    comment = listing = 0
    folder = FILENAME
    sub(/^src\//, "", folder)
    sub(/\/.*/, "", folder)
    if (!(folder in sees)) {
      print "FAIL src/" folder ": a folder without a layer; give it one in this check"
      bad = 1
    }
  }
  FILENAME ~ /names\.h$/ { next } # the names under which all folders write
  /^ *# *undef / { next }
  { # the line without strings and comments
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "", line)
    if (comment) comment = !sub(/^.*\*\//, "", line)
    if (comment) next
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
    comment = sub(/\/\*.*/, "", line)
  }
  pass == 1 {
    if (line ~ /^ *# *define /) {
      sub(/^ *# *define +/, "", line)
      sub(/[^A-Za-z0-9_].*/, "", line)
      define(line)
    } else if (line ~ /^(typedef )?enum/ || listing) { # constants
      define_all(line, "DP[A-Z]*_[A-Za-z0-9_]+", 0)
      listing = line !~ /}/
      if (!listing) define_all(line, "dp[a-z]*_[a-z0-9_]+", 0)
    } else if (line ~ /^}|^typedef .*[^{]$/) { # types
      if (match(line, word "[;(]")) define(substr(line, RSTART, RLENGTH - 1))
    } else if (line ~ /^[A-Za-z]/ && match(line, "dp[a-z]*_[a-z0-9_]+\\(")) # functions
      define(substr(line, RSTART, RLENGTH - 1))
    next
  }
  {
    while (match(line, word)) {
      name = substr(line, RSTART, RLENGTH)
      line = substr(line, RSTART + RLENGTH)
      uses++
      if (!(name in home) || home[name] == "several") continue
      if (index(" " sees[folder] " ", " " home[name] " ")) continue
      print "FAIL " FILENAME ":" FNR ": " name " is of src/" home[name] ", which " folder " must not use"
      bad = 1
    }
  }
  END {
    print names " names, " uses " uses"
    exit bad || names < 500 || uses < 5000
  }' $chapters $chapters || exit 1
kinds=$(sed -n 's/^ *X(\(DPPAIR_[A-Z0-9_]*\), [a-z].*/\1/p' src/accountant/mechanisms/table.h)
[ "$(echo "$kinds" | wc -l)" -ge 8 ] || { echo "FAIL the table of mechanisms has another form"; exit 1; }
readers=$(echo "$chapters" | grep '^src/accountant/' | grep -v '^src/accountant/mechanisms/')
# shellcheck disable=SC2086
if grep -nE "(case|[=!<>]=|[<>]) *($(echo $kinds | tr ' ' '|'))([^A-Z_]|\$)" $readers; then
  echo "FAIL these read the kind of a step: ask mechanisms/table.h"
  exit 1
fi
