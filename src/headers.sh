#!/bin/sh
# SPDX-License-Identifier: MIT
# The four headers out of their chapters, into the folder $1 (default: where they are committed).
# A line #include "folder/chapter.h" is replaced by the chapter, whose first bar then names the file;
# after the manual stands a table of the chapters, with the first place of each. A header is written only when its bytes change.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-$here/..}
for header in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h; do
  awk -v top="$here/$header" -v folder="$here" '
    # The title of a chapter is the first line of its first comment.
    function title(text) {
      gsub(/^ *\/?\*+ *|[-= ]*(\*\/)?$|^[-= ]+/, "", text)
      sub(/^-+ */, "", text)
      if (length(text) > 54) sub(/[:;.,] .*/, "", text)
      sub(/[.:;,]$/, "", text)
      return length(text) > 54 ? substr(text, 1, 51) "..." : text
    }
    function bar(name) {
      return "/* ---- src/" name " " substr(dashes, 1, 83 - length(name))
    }
    function put(file, name,   line, read, number, untitled) {
      untitled = name != "" && !(name in listed)
      if (untitled) {
        untitled = listed[name] = ++chapters
        chapter[chapters] = name
        begin[chapters] = lines + 1
      }
      while ((read = (getline line < file)) > 0) {
        number++
        if (line ~ /^#include "[a-z0-9_]+\/[a-z0-9_\/]+\.h"$/) {
          gsub(/^#include "|"$/, "", line)
          put(folder "/" line, line)
          continue
        }
        if (name != "" && number == 1) {
          out[++lines] = bar(name) (line ~ /^\/\* -+$/ ? "" : " */")
          if (line ~ /^\/\* -+$/) continue
        }
        if (untitled && line ~ /[a-z]/ && line ~ /^ *\/?\*/) {
          what[untitled] = title(line)
          untitled = 0
        }
        out[++lines] = line
      }
      if (read < 0) {
        print "cannot read " file > "/dev/stderr"
        exit 1
      }
      close(file)
    }
    BEGIN {
      dashes = "----------------------------------------------------------------------------------"
      put(top, "")
      for (i = 1; out[i] != " */" && i < lines; i++) continue # the manual ends there
      after = i
      print out[1]
      print "/* Generated from src/: edit there, then `make headers`. */"
      for (i = 2; i <= after; i++) print out[i]
      print "/*\n * CHAPTERS, each with its first line here; written in src/, see src/README.md\n *"
      for (k = 1; k <= chapters; k++)
        printf " * %6d  %-*s %s\n", begin[k] + chapters + 5, 34, chapter[k], what[k]
      print " */"
      for (i = after + 1; i <= lines; i++) print out[i]
    }' >"$to/$header.new"
  if cmp -s "$to/$header.new" "$to/$header"; then
    rm "$to/$header.new"
  else
    mv "$to/$header.new" "$to/$header"
  fi
done
