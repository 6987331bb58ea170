#!/bin/sh
# SPDX-License-Identifier: MIT
# A chapter uses what its own folder defines and what the folders below it define, nothing else: the
# table says which. The rooms of accountant/ and the modules are such folders, too. Names that more than one folder
# defines (macros of one body) tell nothing. In the accountant only the table of mechanisms and their
# own files read the kind of a step.
set -u
cd "$(dirname "$0")/../.." || exit 2
chapters=$(find src -mindepth 2 -name '*.h' | sort)
# shellcheck disable=SC2086
awk '
  BEGIN {
    sees["core"] = "core"
    sees["simd"] = "simd core"
    sees["domains"] = "domains simd core"
    sees["measures"] = "measures rows simd core"
    sees["rows"] = "rows simd core"
    sees["losses"] = "losses simd core"
    sees["pairs"] = "pairs losses rows simd core"
    sees["tiles"] = "tiles pairs losses rows simd core"
    sees["fits"] = "fits tiles pairs losses rows domains simd core"
    sees["noise"] = "noise core"
    split("curves sensitivity mechanisms account composition budgets ledger", rooms)
    for (k = 1; k in rooms; k++) {
      below = "accountant/" rooms[k] " " below
      sees["accountant/" rooms[k]] = below "core"
    }
    sees["release"] = "release fits losses tiles pairs rows domains simd noise accountant core"
    # a module sees what it includes; nothing sees a module
    sees["modules/allocation"] = "modules/allocation release noise accountant core"
    sees["modules/attack"] = "modules/attack accountant core"
    sees["modules/auto"] = "modules/auto modules/tables release fits domains noise accountant core"
    sees["modules/iterates"] = "modules/iterates accountant core"
    sees["modules/filters"] = "modules/filters accountant core"
    sees["modules/influence"] = "modules/influence pairs losses rows simd core"
    sees["modules/l2ball"] = "modules/l2ball noise accountant core"
    sees["modules/metric"] = "modules/metric release tiles pairs losses rows domains simd noise accountant core"
    sees["modules/papers"] = "modules/papers modules/iterates accountant core"
    sees["modules/pointwise"] = "modules/pointwise release pairs losses rows simd noise accountant core"
    sees["modules/scale"] = "modules/scale release pairs losses rows simd noise accountant core"
    sees["modules/selection"] = "modules/selection noise accountant core"
    sees["modules/shares"] = "modules/shares release noise accountant core"
    sees["modules/streams"] = "modules/streams accountant noise core"
    sees["modules/tables"] = "modules/tables release domains simd noise accountant core"
    sees["modules/top"] = "modules/top release tiles pairs losses rows simd noise accountant core"
    sees["modules/groups"] = "modules/groups release rows noise accountant core"
    sees["modules/contrast"] = "modules/contrast modules/groups release tiles pairs rows simd noise accountant core"
    sees["modules/evaluation"] = "modules/evaluation release noise accountant core"
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
    first_page = FILENAME ~ /^src\/modules\/[a-z0-9_]*\.h$/
    pass = FILENAME in read ? 2 : 1
    read[FILENAME] = 1
    comment = listing = 0
    folder = FILENAME
    sub(/^src\//, "", folder)
    if (!sub(/^(accountant|modules)\/[^\/]*\//, "&/", folder)) sub(/\/.*/, "", folder)
    sub(/\/\/.*/, "", folder)
    if (!first_page && !(folder in sees)) {
      print "FAIL src/" folder ": a folder without a layer; give it one in this check"
      bad = 1
    }
  }
  first_page { next }
  FILENAME ~ /names\.h$/ { next } # the names under which all folders write
  /^ *# *undef / { next }
  /^ *# *error /, !/\\$/ { next } # sentences, in lines that go on
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
      whole = home[name]
      if (sub(/\/.*/, "", whole) && index(" " sees[folder] " ", " " whole " ")) continue
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
readers=$(echo "$chapters" | grep '^src/accountant/' | grep -v '^src/accountant/mechanisms/'
  printf 'src/accountant/mechanisms/%s.h\n' steps hits renyi dominating_pairs)
# shellcheck disable=SC2086
if grep -nE "(case|[=!<>]=|[<>]) *($(echo $kinds | tr ' ' '|'))([^A-Z_]|\$)" $readers; then
  echo "FAIL these read the kind of a step: ask mechanisms/table.h"
  exit 1
fi
# Examples: a problem is a file to copy, programs are a product by themselves, papers run programs' methods.
found=$(grep -rnE '^ *# *include "' examples --include='*.[ch]' --include='*.cpp' |
  grep -vE '"(dppair[a-z0-9_]*\.h|[a-z_.-]*\.inc)"' |
  grep -vE '^examples/(threads/.*"pool\.h"|(programs|distributed|papers)/.*"(support|methods)/)' |
  grep -vE '^examples/(distributed/.*"distributed/|papers/.*"papers/)')
[ -z "$found" ] || { echo "FAIL an example includes what is not below it:"; echo "$found"; exit 1; }
[ "$(grep -rlE '^ *# *include "(support|methods)/' examples/programs examples/papers | wc -l)" -ge 50 ] ||
  { echo "FAIL includes of examples are read wrongly"; exit 1; }
