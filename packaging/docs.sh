#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders the manual into the folder $1, where losses.md is already; fails on any warning. Its pages are
# the Markdown files that people read in the repository: links between these become links between pages,
# and a heading of docs/guide.md has the name guide-its-words.
set -eu
cd "$(dirname "$0")/.."
out=$1
mkdir -p "$out/pages"
# page FILE NAME
page() {
  awk -v name="$2" '
    function slug(text) {
      text = tolower(text)
      gsub(/[^a-z0-9 -]/, "", text)
      gsub(/ /, "-", text)
      return text
    }
    function target(link,    at, part) { # the page that a relative link means, "" if it is none
      part = ""
      if ((at = index(link, "#")) > 0) { part = slug(substr(link, at + 1)); link = substr(link, 1, at - 1) }
      if (link == "") return name "-" part
      sub(/^\.\.\//, "", link)
      if (link == "README.md") return part ? "index-" part : "index"
      if (link ~ /^(src|bench|tests)\/README\.md$/) { sub(/\/README\.md$/, "", link); return link == "src" ? "chapters" : link }
      sub(/^docs\//, "", link)
      if (link !~ /^[A-Za-z_]+\.md$/) return ""
      sub(/\.md$/, "", link)
      link = tolower(link)
      return part ? link "-" part : link
    }
    /^```/ { code = !code }
    code || /^    / { print; next }
    {
      rest = $0
      line = ""
      while (match(rest, /\]\([^)]*\)/)) {
        link = substr(rest, RSTART + 2, RLENGTH - 3)
        to = link ~ /^(https?|mailto):/ ? "" : target(link)
        if (to == "") sub(/^\.\.\//, "", link)
        line = line substr(rest, 1, RSTART) "(" (to != "" ? "@ref " to : link) ")"
        rest = substr(rest, RSTART + RLENGTH)
      }
      $0 = line rest
      if (FNR == 1) $0 = name == "index" ? $0 : $0 " {#" name "}"
      else if (/^##+ /) { words = $0; sub(/^##+ /, "", words); $0 = $0 " {#" name "-" slug(words) "}" }
      print
    }' "$1" >"$out/pages/$2.md"
}
page README.md index
page src/README.md chapters
page bench/README.md bench
page tests/README.md tests
page SECURITY.md security
page CONTRIBUTING.md contributing
for file in docs/*.md; do
  name=${file##*/}
  page "$file" "${name%.md}"
done
DPPAIR_VERSION=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h) DPPAIR_DOCS=$out doxygen packaging/Doxyfile
