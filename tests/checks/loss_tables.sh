#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual's tables of losses: every link with every margin has a row of figures or a refusal, and
# no search went beyond a figure (the program's own exit status).
set -eu
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
mkdir -p "$BUILD/tests"
program=$BUILD/tests/loss_tables
${CC:-cc} -std=c99 -O2 -I. -Imodules -Itests/support packaging/loss_tables.c -o "$program" -lm
"$program" >"$program.md"
awk -F'|' '
  /^## /            { links = /Links/; margins = /Margins/; constants = /Constants/; next }
  /^### /           { names++; next }
  !/^\| [a-z]/ || $2 ~ /name|link/ { next }
  links             { nlinks++ }
  margins           { nmargins++ }
  constants         { rows++
                      if ($3 ~ /refused/) { refused++; next }
                      if (NF != 10 || $3 !~ /%/ || $5 !~ /%/ || $6 !~ /%/ || !($8 > 0)) bad = $0 }
  END {
    if (bad != "") { print "a row without figures: " bad; exit 1 }
    if (nlinks < 15 || nmargins < 10 || names != nmargins || rows != nlinks * nmargins) {
      print nlinks " links, " nmargins " margins, " rows " rows"; exit 1
    }
    if (refused != 1) { print refused " refusals at bounded radii, expected 1"; exit 1 }
  }' "$program.md"
