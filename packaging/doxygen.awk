# SPDX-License-Identifier: MIT
# The chapters' comments are plain C; here they become documentation for Doxygen. The first comment of
# a file is the file's own, and its first line says what the file holds. Indented lines are tables,
# formulas or code and stay as they are set; in the others no character is a command. A comment behind a member of a
# type is that member's. Functions of an instance have the names that comments write, NAME_release.
function text(line) {
  gsub(/\\/, "\\\\", line)
  gsub(/[<>&#@%$*|]/, "\\\\&", line)
  return line
}
function put(line, indented) {
  if (indented != verbatim && line !~ /^ *$/) {
    print indented ? "\\verbatim" : "\\endverbatim"
    verbatim = indented
  }
  print verbatim ? line : text(line)
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
FNR == 1 { first = 1 }
!open && !behind { gsub(/DPPAIR_NAME_/, "NAME_") }
/^(typedef )?(struct|enum|union) [a-z0-9_]* ?{$/ { members = 1 }
/^}/ { members = 0 }
behind || (members && /^ .*[;,] *\/\* /) { # as DPPAIR_X, /* ... */
  at = behind ? 1 : index($0, "/*")
  code = substr($0, 1, at - 1) (behind ? "" : "/**< ")
  words = substr($0, behind ? 1 : at + 3)
  sub(/^ +/, "", words)
  behind = !sub(/ *\*\/$/, "", words)
  print code text(words) (behind ? "" : " */")
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
