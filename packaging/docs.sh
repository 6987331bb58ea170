#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders the manual into the folder $1, where losses.md is already; fails on any warning, and on a link that leads
# nowhere. Its pages are the Markdown files that people read in the repository: links between these become links
# between pages, and a heading of docs/guide.md has the name guide-its-words; docs/modules/tables.md is the page
# module_tables. The navigation lists the pages in the order in
# which the README's tables name them.
set -eu
cd "$(dirname "$0")/.."
out=$1
command -v doxygen >/dev/null 2>&1 || { echo "the manual needs Doxygen: apt-get install doxygen"; exit 1; }
rm -rf "$out/pages" "$out/html"
mkdir -p "$out/pages"
# page FILE NAME; a link's words are brought to one line first, which Doxygen needs
page() {
  awk '
    /^```/ { code = !code }
    held != "" {
      if (code || /^ *$|^    |^```|^[|#]/) print held
      else { sub(/^ +/, ""); $0 = held " " $0 }
      held = ""
    }
    !code && /\[[^]]*$/ && !/^    |^[|#]/ { held = $0; next }
    { print }
    END { if (held != "") print held }' "$1" | awk -v name="$2" '
    function slug(text) {
      text = tolower(text)
      gsub(/[^a-z0-9 _-]/, "", text)
      gsub(/ /, "-", text)
      return text
    }
    function target(link,    at, part) { # the page that a relative link means, "" if it is none
      part = ""
      if ((at = index(link, "#")) > 0) { part = slug(substr(link, at + 1)); link = substr(link, 1, at - 1) }
      if (link == "") return name "-" part
      if (name ~ /^module_/ && link ~ /^[a-z0-9_]+\.md$/) link = "modules/" link # beside it
      sub(/^(\.\.\/)+/, "", link)
      if (link == "README.md") return part ? "index-" part : "index"
      if (name == "folders" && link ~ /^problems\//) link = "examples/" link
      if (link == "examples/README.md") return "folders"
      if (link ~ /^examples\/problems\// || (name == "problems" && link !~ /\//)) {
        sub(/.*\//, "", link)
        if (link == "README.md") return "problems"
        if (sub(/\.c(pp)?$/, "", link)) return "example_" link
      }
      if (link ~ /^(src|bench|tests)\/README\.md$/) { sub(/\/README\.md$/, "", link); return link == "src" ? "chapters" : link }
      sub(/^docs\//, "", link)
      sub(/^modules\//, "module_", link)
      if (link !~ /^[A-Za-z0-9_]+\.md$/) return ""
      sub(/\.md$/, "", link)
      link = tolower(link)
      return part ? link "-" part : link
    }
    function quotes(text,    n, part, k, line) { # a quote would end a span of code; not of two lines
      if (text == "") return open = ""
      n = split(text, part, /`/)
      if (open || n % 2 == 0) {
        open = (open + n + 1) % 2
        return text
      }
      line = part[1]
      for (k = 2; k <= n; k++) {
        if (k % 2 || part[k] !~ /\047/) line = line "`" part[k]
        else { line = line "``" part[k] "``" part[k + 1]; k++ }
      }
      return line
    }
    /^```/ { code = !code }
    code || /^    / { print; next }
    FNR == 1 { gsub(/`/, "") } # of a title in the navigation
    {
      while (match($0, /\*\*[^*]*`[^*]*\*\*/)) # Doxygen 1.9.4 prints these stars
        $0 = substr($0, 1, RSTART - 1) "<b>" substr($0, RSTART + 2, RLENGTH - 4) "</b>" substr($0, RSTART + RLENGTH)
      $0 = quotes($0)
      rest = $0
      line = ""
      while (match(rest, /\]\([^)]*\)/)) {
        link = substr(rest, RSTART + 2, RLENGTH - 3)
        words = substr(rest, 1, RSTART - 1) # and what stands before
        rest = substr(rest, RSTART + RLENGTH)
        to = link ~ /^(https?|mailto):/ ? "" : target(link)
        if (to == "") sub(/^(\.\.\/)+/, "", link)
        if (name ~ /^(index|modules|problems)$/ && /^\|/ && to ~ /^[a-z0-9_]+$/ && !(to in placed)) { # its place in the navigation
          placed[to]
          match(words, /\[[^[]*$/)
          title = substr(words, RSTART + 1)
          gsub(/`/, "", title)
          line = line substr(words, 1, RSTART - 1) "@subpage " to " \"" title "\""
        } else line = line words "](" (to != "" ? "@ref " to : link) ")"
      }
      $0 = line rest
      if (FNR == 1) $0 = name == "index" ? $0 : $0 " {#" name "}\n\n[TOC]"
      else if (name == "index" && /@subpage errata/)
        $0 = $0 "\n| @subpage losses \"Losses, margins and their constants\" | tables that a program computes |"
      else if (/^##+ /) { gsub(/`/, ""); words = $0; sub(/^##+ /, "", words); $0 = $0 " {#" name "-" slug(words) "}" }
      print
    }' >"$out/pages/$2.md"
}
page README.md index
page src/README.md chapters
page bench/README.md bench
page tests/README.md tests
page SECURITY.md security
page CONTRIBUTING.md contributing
page examples/README.md folders
page examples/problems/README.md problems
for file in examples/problems/*.c examples/problems/*.cpp; do # whole programs, which pages lead to
  [ -f "$file" ] || continue
  name=${file##*/}
  { echo "# $name {#example_${name%.c*}}" && echo && echo '```c' && cat "$file" && echo '```'; } \
    >"$out/pages/example_${name%.c*}.md"
done
for file in docs/*.md docs/modules/*.md; do
  name=${file##*/}
  case $file in docs/modules/*) name=module_$name ;; esac
  page "$file" "${name%.md}"
done
for page in src/modules/dppair_*.h; do
  name=${page#src/modules/dppair_}
  [ -f "docs/modules/${name%.h}.md" ] || { echo "docs: the module ${name%.h} has no page docs/modules/${name%.h}.md"; exit 1; }
done
for file in "$out"/pages/*.md "$out/losses.md"; do
  name=${file##*/}
  [ "$name" = index.md ] || grep -q "@subpage ${name%.md} " "$out/pages/index.md" "$out/pages/modules.md" "$out/pages/problems.md" ||
    { echo "docs: $name is in no table of the README or of docs/modules.md"; exit 1; }
done
DPPAIR_VERSION=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h) DPPAIR_DOCS=$out doxygen packaging/Doxyfile
cd "$out/html"
# The search: the look of the pages, and names found by any part of them, "sigma" too; as Doxygen 1.9.4 writes it, only by
# their beginning, which is dppair_ for all.
cat manual.css >>search/search.css
for section in $(sed -n '/indexSectionNames/,/}/s/.*: "\(.*\)".*/\1/p' search/searchdata.js); do
  sed -n "s/^\(  \['.*\]\),*$/\1/p" search/"$section"_*.js | LC_ALL=C sort >search/"$section".all
  find search -name "${section}_*" ! -name "${section}_0.html" -delete
  { echo 'var searchData=['; sed '$!s/$/,/' search/"$section".all; echo '];'; } >search/"${section}_0.js"
  rm search/"$section".all
done
sed -i -e 's/indexSectionsWithContent\[this.searchIndex\].indexOf(idxChar)/searchValue ? 0 : -1/' \
  -e 's/rowMatchName.substr(0, search.length)==search/rowMatchName.indexOf(search) >= 0/' search/search.js
[ "$(grep -c -e 'searchValue ? 0 : -1' -e 'indexOf(search) >= 0' search/search.js)" -eq 2 ] ||
  { echo "docs: another search"; exit 1; }
# The menu of narrow screens: Doxygen's list of pages is empty, since the README's table has all of them.
sed -i 's/text:"Related Pages",url:"pages.html"/text:"Pages",url:"index.html#index-where-to-go-on"/' menudata.js
! grep -l -e '\\ilinebr' -e '@section ' -e '@ref ' -e '&lt;tt&gt;' ./*.html || { echo "docs: code that Doxygen did not read as such"; exit 1; }
# Links within the manual: each leads to a page that is there, and to a place on it.
find . -name '*.html' ! -path './search/*' ! -name '*_source.html' -exec awk '
  {
    line = $0
    while (match(line, / (id|name|href)="[^"]*"/)) {
      word = substr(line, RSTART + 1, RLENGTH - 2)
      line = substr(line, RSTART + RLENGTH)
      value = substr(word, index(word, "\"") + 1)
      here = substr(FILENAME, 3)
      seen[here]
      if (word !~ /^href/) place[here "#" value]
      else if (value !~ /^([a-z]+:|$)/ && value !~ /_source\.html/) link[value ~ /^#/ ? here value : value] = here
    }
  }
  END {
    for (to in link) {
      page = to
      sub(/#.*/, "", page)
      if (page in seen ? to ~ /#/ && !(to in place) : page ~ /\.html$/ || system("test -f \"" page "\"")) {
        print "docs: " link[to] ": a link to " to
        bad = 1
      }
    }
    exit bad
  }' {} +
