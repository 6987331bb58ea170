# SPDX-License-Identifier: MIT
# The chapters' comments are plain C; here they become documentation for Doxygen. The first comment of
# a file is the file's own, and its first line says what the file holds. Indented lines are tables,
# formulas or code and stay as they are set; in the others no character is a command. A comment behind a member of a
# type is that member's. Functions of an instance have the names that comments write, NAME_release. A function without
# a comment is as the documented one before it, for another type; a table of X(name, "words") are enumerators.
function text(line) {
  gsub(/\\/, "\\\\", line)
  gsub(/[<>&#@%$*|]/, "\\\\&", line)
  return line
}
function stem(name) { # without the type
  gsub(/_(f32|f64|grid)/, "", name)
  return name
}
function put(line, indented) {
  if (indented != verbatim && line !~ /^ *$/) {
    print indented ? "\\verbatim" : "\\endverbatim"
    verbatim = indented
  }
  print verbatim ? line : text(line)
}
# Prints a member with its comment, and each of `double a, b;` with it.
function member(    count, part, type, k) {
  count = split(code, part, /, +/)
  if (count == 1 || code !~ /; *$/ || code ~ /[({]/) { print code "/**< " words " */"; return }
  type = part[1]
  sub(/[^ ]+$/, "", type)
  sub(/; *$/, "", part[count])
  for (k = 1; k <= count; k++) print (k == 1 ? "" : type) part[k] "; /**< " words " */"
}
function begin() {
  print first ? "/** \\file" : "/**"
  first = 0
  open = 1
}
function finish() {
  if (verbatim) print "\\endverbatim"
  verbatim = open = 0
  print "*/"
}
FNR == 1 { first = 1; said = fresh = "" }
!open && !behind { gsub(/DPPAIR_NAME_/, "NAME_") }
/^#define DPPAIR_[A-Z]*_TABLE\(X\)/ { table = $2; sub(/\(.*/, "", table) }
/^  X\(DPPAIR_/ {
  match($0, /DPPAIR_[A-Z0-9_]*/)
  row = "  " substr($0, RSTART, RLENGTH) ","
  if (match($0, /"[^"]*"/)) row = row " /**< " text(substr($0, RSTART + 1, RLENGTH - 2)) " */"
  rows[table] = rows[table] row "\n"
}
/_TABLE\(DPPAIR_X_\)/ && !/^ *#|\+|COUNT_/ {
  name = $0
  sub(/\(DPPAIR_X_\).*/, "", name)
  sub(/.*[ {]/, "", name)
  if (name in rows) {
    at = index($0, name "(DPPAIR_X_)")
    print substr($0, 1, at - 1) "\n" rows[name] substr($0, at + length(name) + 11)
    next
  }
}
/^DPPAIR_(API|OUT_OF_LINE_) / || declares { # up to its name: is it documented?
  declares = !match($0, /[A-Za-z0-9_]+\(/)
  if (!declares) {
    name = substr($0, RSTART, RLENGTH - 1)
    if (fresh) said = name
    else if (name !~ /_$/ && stem(name) == stem(said)) print "/** As " said "(). */"
    fresh = 0
  }
}
/\*\/$/ { fresh = !/[-=]+ \*\/$/ } # a bar's comment is no function's
/^[}#]/ { fresh = 0 }
/^(typedef )?(struct|enum|union) [a-z0-9_]* ?{$/ { members = 1 }
/^}/ { members = 0 }
behind || (members && /^ .*[;,] *\/\* /) { # as DPPAIR_X, /* ... */
  at = behind ? 1 : index($0, "/*")
  if (!behind) { code = substr($0, 1, at - 1); words = "" }
  line = substr($0, behind ? 1 : at + 3)
  sub(/^ +/, "", line)
  sub(/^\* /, "", line)
  behind = !sub(/ *\*\/$/, "", line)
  words = words (words == "" ? "" : " ") text(line)
  if (!behind) member()
  next
}
/^\/\* SPDX/ { print ""; next }
!open && /^\/\* [-=]+$/ { # the bar above a title
  if (first) begin()
  else {
    banner = 1
    print "/*"
  }
  next
}
!open && /^\/\* -+ .* -+ \*\/$/ { print ""; next } # a bar with its title
banner { print; banner = !/\*\//; next }
!open && /^\/\*.*\*\/$/ {
  sub(/ *\*\/$/, "")
  sub(/^\/\* */, "")
  begin()
  put($0, 0)
  finish()
  next
}
!open && /^\/\*/ {
  sub(/^\/\* ?/, "")
  begin()
  put($0, 0)
  next
}
open {
  last = sub(/ *[-=]* *\*\/$/, "")
  sub(/^ \*/, "")
  indented = /^   /
  sub(/^ /, "")
  if (!/^ *$/ || !last) put($0, indented)
  if (last) finish()
  next
}
{ print }
