# SPDX-License-Identifier: MIT
# A manual page (man 1) of what --help says: awk -v version=.. -v others="a b" -f help.awk -f manual.awk
function plain(s) {
  gsub(/\\/, "\\e", s)
  gsub(/--/, "\\-\\-", s)
  if (s ~ /^[.']/) s = "\\&" s
  return s
}
function bold(s) {
  s = plain(s)
  gsub(/-/, "\\-", s)
  gsub(/\\\\-/, "\\-", s)
  return ".B \"" s "\""
}
function quoted(s) {
  gsub(/"/, "\\(dq", s)
  return "\"" toupper(s) "\""
}
# Is a line of this section neither item nor text? Then it is a table, and stays as it is.
function is_table(i) {
  if (section == "commands") return 1
  for (; i <= NR && kind(i) != "title" && kind(i) != "plain" && kind(i) != "exit"; i++)
    if (kind(i) == "table") return 1
  return 0
}
function verbatim(on) {
  if (on && !kept) print ".PP\n.nf"
  if (!on && kept) print ".fi"
  kept = on
}
# Lines of the page for an item; heads without a text of their own share the next one's.
function item(i) {
  split_item(i)
  print pending ? ".TQ" : ".TP"
  print bold(head)
  pending = text == "" && kind(i + 1) == "item"
  if (text != "") print plain(text)
}
END {
  name = line[1]
  sub(/ - .*/, "", name)
  summary = substr(line[1], length(name) + 4)
  print ".TH " toupper(name) " 1 \"\" \"dppair " version "\" \"dppair programs\""
  print ".SH NAME\n" name " \\- " plain(summary)
  print ".SH SYNOPSIS\n.nf"
  for (i = 3; line[i] != ""; i++) print plain(substr(line[i], 8))
  print ".fi\n.SH DESCRIPTION"
  for (; i <= NR; i++) {
    k = kind(i)
    if (k != "item" && k != "on" && k != "table") verbatim(0)
    if (k == "title") {
      enter(i)
      print ".SH " quoted(section)
      table = is_table(i + 1)
      pending = 0
    } else if (k == "exit") {
      print ".SH \"EXIT STATUS\"\n" plain(substr(line[i], 14))
      section = values = ""
    } else if (k == "blank") {
      if (i < NR && kind(i + 1) == "plain") print ".PP"
    } else if (k == "text") {
      if (kind(i - 1) != "text") print ".PP"
      print plain(substr(line[i], 3))
    } else if (k == "plain") {
      print plain(line[i])
    } else if (table || k == "table" || section == "") {
      verbatim(1)
      print plain(line[i])
    } else if (k == "item") {
      item(i)
    } else {
      sub(/^ +/, "", line[i])
      print plain(line[i])
      line[i] = "                " line[i]
    }
  }
  verbatim(0)
  n = split(others, other, " ")
  print ".SH \"SEE ALSO\""
  for (i = 1; i <= n; i++)
    if (other[i] != name) see = see (see == "" ? "" : ",\n") ".BR " other[i] " (1)"
  gsub(/\),/, ") ,", see)
  print see
}
