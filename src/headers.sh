#!/bin/sh
# SPDX-License-Identifier: MIT
# The four headers, and the modules, out of their chapters, into the folder $1 (default: where they are committed).
# A line #include "folder/chapter.h" is replaced by the chapter, whose first bar then names the file;
# after the first page stands a table of the chapters, with the first line of each and its public functions. DPPAIR_API before a function that
# is not public, whose name ends in _ or in TIER or begins otherwise than with dppair_ or DPPAIR_NAME_, becomes
# DPPAIR_FN_: it is static whatever the linkage of the public ones. Every header has the core, and a checksum of it
# where core/core.h and core/freestanding.h say 0. Of a module only what includes it is declared: before it includes dppair_declare.h it
# says so, and includes the modules that it needs. A header is written only when its bytes change.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-$here/..}
core=$(sed -n 's/^#include "\(core\/.*\)"$/\1/p' "$here/core/core.h" |
  while read -r chapter; do cat "$here/$chapter"; done | cat "$here/core/core.h" - | cksum | cut -d ' ' -f 1)
mkdir -p "$to/modules"
for header in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h \
  $(cd "$here" && find modules -maxdepth 1 -name 'dppair_*.h' | LC_ALL=C sort); do
  asks=
  case $header in modules/*)
    for other in $(sed -n 's/^#include "\(dppair_[a-z0-9]*\.h\)"$/\1/p' "$here/$header"); do
      [ ! -f "$here/modules/$other" ] || asks="$asks#include \"$other\"\n"
    done
    name=$(basename "$header" .h | sed s/dppair_// | tr '[:lower:]' '[:upper:]')
    asks="$asks#define DPPAIR_DECLARE_${name}_\n"
    if grep -q '^#include "dppair\.h"' "$here/$header" && ! grep -q '^#define DPPAIR_NO_TEMPLATE_' "$here/$header"; then
      asks="$asks#include \"dppair_declare.h\"" # it makes the instance whose parameters it finds
    else
      asks="$asks#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */\n"
      asks="$asks#include \"dppair_declare.h\"\n#undef DPPAIR_NO_TEMPLATE_"
    fi ;;
  esac
  awk -v top="$here/$header" -v folder="$here" -v core="$core" -v asks="$asks" '
    # The title of a chapter is the first line of its first comment, with `room` columns for it.
    function title(text, room) {
      gsub(/^ *\/?\*+ *|[-= ]*(\*\/)?$|^[-= ]+/, "", text)
      sub(/^-+ */, "", text)
      if (length(text) > room) sub(/[:;.,] .*/, "", text)
      sub(/[.:;,]$/, "", text)
      return length(text) > room ? substr(text, 1, room - 3) "..." : text
    }
    function bar(name) {
      return "/* ---- src/" name " " substr(dashes, 1, 83 - length(name))
    }
    function put(file, name,   line, read, number, untitled, k) {
      untitled = name != "" && !(name in listed)
      if (untitled) {
        untitled = listed[name] = ++chapters
        chapter[chapters] = name
        if (length(name) > wide) wide = length(name)
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
          what[untitled] = line
          untitled = 0
        }
        if (name == "" && ask && line == "#include \"dppair_declare.h\"") {
          for (k = 1; k < ask; k++) out[++lines] = asked[k]
          line = asked[k]
        }
        if (name ~ /^core\// && line ~ /DPPAIR_CORE_TEXT_.* 0$/) sub(/0$/, core "u", line)
        out[++lines] = line
        of[lines] = name in listed ? listed[name] : 0
      }
      if (read < 0) {
        print "cannot read " file > "/dev/stderr"
        exit 1
      }
      close(file)
    }
    # DPPAIR_API or DPPAIR_FN_ in line i, by the name that the function has
    function linkage(i,   at, text, k) {
      if (out[i] ~ /^ *(#|\*|\/\*)/ || !(at = match(out[i], /DPPAIR_API( |$)/))) return
      text = substr(out[i], at + 10)
      for (k = i + 1; text !~ /\(/ && k <= lines; k++) text = text " " out[k]
      match(text, /[A-Za-z_0-9]+\(/)
      text = substr(text, RSTART, RLENGTH - 1)
      if (text ~ /^(dppair_|DPPAIR_NAME_)/ && text !~ /(_|_TIER)$/) {
        sub(/^DPPAIR_NAME_/, "NAME_", text)
        if (of[i] && text !~ /_range$/ && !(text in public)) call[of[i]] = call[of[i]] " " text
        public[text] = 1
        return
      }
      out[i] = substr(out[i], 1, at - 1) "DPPAIR_FN_" substr(out[i], at + 10)
    }
    # The public functions of a chapter, in lines of 100 columns: how many lines, which `print` prints
    function calls(k, show,   part, n, i, line, count) {
      n = split(call[k], part, " ")
      for (i = 1; i <= n + 1; i++) {
        if (line != "" && (i > n || length(line) + length(part[i]) > 99)) {
          if (show) print line
          line = ""
          count++
        }
        if (i <= n) line = (line == "" ? " *           " : line " ") part[i]
      }
      return count + 0
    }
    BEGIN {
      dashes = "----------------------------------------------------------------------------------"
      wide = 34
      ask = split(asks, asked, "\n")
      put(top, "")
      for (i = 1; i <= lines; i++) linkage(i)
      for (i = 1; out[i] != " */" && i < lines; i++) continue # the manual ends there
      after = i
      print out[1]
      print "/* Generated from src/: edit there, then `make headers`. */"
      for (i = 2; i <= after; i++) print out[i]
      print "/*\n * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;"
      print " * ROW: a type of rows); written in src/, see src/README.md\n *"
      table = chapters + 6
      for (k = 1; k <= chapters; k++) table += calls(k, 0)
      for (k = 1; k <= chapters; k++) {
        printf " * %6d  %-" wide "s %s\n", begin[k] + table, chapter[k], title(what[k], 88 - wide)
        calls(k, 1)
      }
      print " */"
      for (i = after + 1; i <= lines; i++) print out[i]
    }' >"$to/$header.new"
  if cmp -s "$to/$header.new" "$to/$header"; then
    rm "$to/$header.new"
  else
    mv "$to/$header.new" "$to/$header"
  fi
done
