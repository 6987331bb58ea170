# SPDX-License-Identifier: MIT
# dppair_declare.h out of the single file (packaging/single.sh): public types, constants and prototypes, what
# these need, and the conditions around them. An item is a directive, a type or a function at the margin. A
# first walk reads them; then what is public is kept, and what kept text names, until nothing more is named.
# A module is declared where DPPAIR_DECLARE_NAME_ asks for it: its header does (src/headers.sh).

function fail(what) {
  print "declare.awk: " what > "/dev/stderr"
  failed = 1
  exit 1
}

# The text without comments, strings and characters.
function bare(text,   at, end) {
  gsub(/"([^"\\]|\\.)*"/, "", text)
  gsub(/'([^'\\]|\\.)'/, "", text)
  while ((at = index(text, "/*")) > 0) {
    end = index(substr(text, at + 2), "*/")
    text = substr(text, 1, at - 1) " " (end ? substr(text, at + end + 3) : "")
  }
  return text
}

function count(text, character) { return gsub(character, "", text) }

function add(what, its_text, its_name) {
  kind[++items] = what
  text[items] = its_text
  name[items] = its_name
  around[items] = group # the innermost condition
}

# The names that a type defines, between spaces.
function type_names(t,   names, inner) {
  t = bare(t)
  gsub(/\n/, " ", t)
  if (t ~ /^enum|^typedef enum/) inner = t
  names = match(t, /(struct|union|enum) +[A-Za-z_0-9]+/) ? substr(t, RSTART, RLENGTH) : ""
  sub(/^[a-z]+ +/, "", names)
  while (sub(/\{[^{}]*\}/, " ", t)) continue
  if (match(t, /\( *\* *[A-Za-z_0-9]+ *\)/) || match(t, /[A-Za-z_0-9]+ *\(/) || match(t, /[A-Za-z_0-9]+ *(\[[^]]*\] *)*;/))
    names = names " " substr(t, RSTART, RLENGTH)
  if (inner) {
    sub(/^[^{]*\{/, "", inner)
    gsub(/= *[^,}]*/, "", inner)
    names = names " " inner
  }
  gsub(/[^A-Za-z_0-9]+/, " ", names)
  return " " names " "
}

function is_public(n) { return n ~ /^(dppair_|DPPAIR_)/ && n !~ /(_|_TIER)$/ }

# Reads on until the item that begins with `line` is whole; its text is the result.
function rest_of_type(line,   all) {
  all = line
  while (bare(all) !~ /;[ \n]*$/ || count(bare(all), "{") != count(bare(all), "}")) {
    if ((getline line) <= 0) fail("a type without an end: " all)
    all = all "\n" line
  }
  return all
}

# A function that begins with `line`: its head is in `head`, what follows it in its last line is the result.
function rest_of_function(line,   all) {
  all = line
  while ((bare(all) !~ /[{;]/)) {
    if ((getline line) <= 0) fail("a function without an end: " all)
    all = all "\n" line
  }
  head = all
  sub(/ *\{.*/, "", head)
  sub(/;.*/, "", head)
  if (bare(all) ~ /^[^{]*;/) return "" # declared here, or a value
  if (bare(all) ~ /= *\{/) {           # a table
    while (line !~ /\};/) if ((getline line) <= 0) fail("a table without an end: " all)
    return ""
  }
  if (count(bare(all), "{") == count(bare(all), "}")) {
    sub(/.*\}/, "", all)
    return all
  }
  while (line !~ /^\}/ && line !~ /\} DPPAIR_API *$/) if ((getline line) <= 0) fail("a body without an end: " all)
  sub(/.*\} */, "", line)
  return line ~ /^DPPAIR_API/ ? line : "" # the formatter lets the next function begin there
}

/^ *#/ {
  all = word = $0
  while (all ~ /\\$/) { getline; all = all "\n" $0 }
  sub(/^ *# */, "", word)
  rest = word
  sub(/[^a-z].*/, "", word)
  sub(/^[a-z]+ */, "", rest)
  if (declared) { # the first part of the fork
    declared = word != "else"
    if (!declared) add("if", all)
  } else if (word ~ /^if/) {
    parent[++groups] = group
    group = groups
    declared = clear[group] = all ~ /DPPAIR_DECLARE_ONLY/ # the fork of the headers: only its #else is read
    if (clear[group] && chapter ~ /^modules\//) {
      its = toupper(chapter)
      gsub(/.*DPPAIR_|\.H$/, "", its)
      gate[group] = "#ifdef DPPAIR_DECLARE_" its "_"
    }
    add("if", all)
  } else if (word ~ /^(elif|else|endif)$/) {
    add("if", all)
    if (word == "endif") group = parent[group]
  } else if (word == "define" || word == "undef") {
    if (rest ~ /^DPPAIR_STAGE_ /) stage = substr(rest, 15)
    sub(/[^A-Za-z_0-9].*/, "", rest)
    add("define", all, rest)
  } else if (word == "error" || (word == "include" && rest ~ /^"dppair stops/)) {
    if (chapter == "src/pairs/parameters.h" || text[items] ~ /DPPAIR_HAS_INSTANCES_/) add("error", all)
  } else if (word == "include" &&
             (rest ~ /^DPPAIR_SELF/ && text[items] ~ /DPPAIR_CORE_ONLY_|DPPAIR_BODY_BLOCKS_|DPPAIR_ROW_TYPE_/ ||
              text[items] ~ /^#define DPPAIR_MODULE_/ && stage ~ /^DPPAIR_STAGE_(STATES|FUNCTIONS|RELEASES)_/))
    add("again", "#include \"dppair_declare.h\"")
  comment = ""
  next
}
/^\/\*/ {
  if ($0 ~ /^\/\* ---- (src|modules)\//) chapter = $3
  comment = $0
  while ($0 !~ /\*\/ *$/) { getline; comment = comment "\n" $0 }
  if (comment ~ /^\/\* (-----|=====|----)/) comment = ""
  next
}
/^(typedef|struct|union|enum)/ {
  all = rest_of_type($0)
  add("type", all, type_names(all))
  said[items] = comment
  comment = ""
  next
}
/^(DPPAIR_(API|FN_|OUT_OF_LINE_|RARE_|FORCE_INLINE_|USED_|UNUSED_)|DPV_INLINE_|static|__attribute__)/ {
  left = $0
  while (left != "") {
    public = left ~ /^ *DPPAIR_API/
    left = rest_of_function(left)
    sub(/^ +/, "", left)
    match(head, /[A-Za-z_0-9]+\(/)
    its = substr(head, RSTART, RLENGTH - 1)
    if (public && is_public(its)) {
      sub(/^ *DPPAIR_API */, "", head)
      gsub(/\n +/, " ", head) # folded again below
      add("function", head ";", its)
      said[items] = comment
    }
    comment = ""
    if (left ~ /^DPPAIR_API *$/) { getline; left = left " " $0 }
  }
  next
}
{ comment = "" }

function need(t,   tokens, n, i) {
  t = bare(t)
  gsub(/[^A-Za-z_0-9]+/, " ", t)
  n = split(t, tokens, " ")
  for (i = 1; i <= n; i++)
    if (tokens[i] !~ /^DPPAIR_(BLOCKS_NOW|WIDEST)_$/) needed[tokens[i]] = 1 # tiers, which declarations have not
}

function keep(i,   g, k) {
  kept[i] = 1
  need(text[i])
  for (g = around[i]; g && !live[g]; g = parent[g]) {
    live[g] = 1
    for (k = 1; k <= items; k++)
      if (kind[k] == "if" && around[k] == g && !clear[g]) need(text[k])
  }
}

function wanted(i,   names, n, k) {
  if (kind[i] == "define") return name[i] in needed
  if (kind[i] != "type") return 0
  n = split(name[i], names, " ")
  for (k = 1; k <= n; k++)
    if (names[k] in needed) return 1
  return 0
}

# Constants, the words of the template and of losses: macros that others paste together.
function root(i,   names, n, k) {
  if (kind[i] == "function" || kind[i] == "again" || kind[i] == "error") return 1
  if (kind[i] == "define")
    return name[i] ~ /^DPPAIR_(VERSION_[A-Z]*|GRID_DEFAULT|LEDGER_LINE|LOSS_MAX_PARAMS|ORDER_COUNT|RECENT_CHARGES|R[A-Z_]*_SIZE|STEP_CAPACITY)$/ ||
           name[i] ~ /^DPPAIR_(PROBE|ROW_OF_A)_/ || name[i] ~ /^dppair_[a-z_]*_(KIND|SPLIT|CURVE|ROWS)$/
  if (kind[i] != "type") return 0
  n = split(name[i], names, " ")
  for (k = 1; k <= n; k++)
    if (is_public(names[k]) || names[k] ~ /^dppair_element_/) return 1
  return 0
}

# A prototype in lines of at most 100 columns.
function folded(t,   out, line, words, n, i) {
  n = split(t, words, " ")
  line = words[1]
  for (i = 2; i <= n; i++) {
    if (length(line) + 1 + length(words[i]) > 100) {
      out = out line "\n"
      line = "   "
    }
    line = line " " words[i]
  }
  return out line
}

END {
  if (failed) exit 1
  rows = "DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW)"
  for (i = 1; i <= items; i++)
    if (root(i)) keep(i)
  do {
    more = 0
    for (i = 1; i <= items; i++)
      if (!kept[i] && wanted(i)) {
        keep(i)
        more = 1
      }
  } while (more)
  for (i = 1; i <= items; i++) {
    if (kind[i] == "if") {
      if (!live[around[i]]) continue
      if (!clear[around[i]]) print text[i]
      else if (around[i] in gate && text[i] !~ /^ *# *el/) print text[i] ~ /^ *# *if/ ? gate[around[i]] : "#endif"
    } else if (kept[i]) {
      if (said[i] != "") print said[i]
      print (kind[i] == "function" ? folded(text[i]) : text[i])
      if (text[i] ~ /_of_two_templates_/) # what an instance defines: declarations of other rows do not link
        print "extern const char " rows ";\nDPPAIR_KEPT_ static const char *const DPPAIR_CAT(DPPAIR_NAME, _rows_) =\n    &" rows ";"
    }
  }
}
