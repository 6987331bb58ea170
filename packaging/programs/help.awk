# SPDX-License-Identifier: MIT
# What --help of a program says, line by line; manual.awk and completion.awk write it in other forms.
#   NAME - summary
#   usage: ...                  a blank line ends it
#   paragraphs
#   section                     one line without indentation between others: `title (--option)` when it
#                               lists the values of an option, `commands` when it lists first words
#     --option ARG, --more      after two blanks or more, or on the next line, what it is; ARG is a|b|c
#                               for words, FILE, MODEL or DIR for files
#     word  text                an item that is no option
#                       goes on 16 blanks or more: the item's text goes on
#     anything else             a paragraph; with 3 to 15 blanks before it the section stays as it stands
#   Exit status: ...
{ line[NR] = $0 }
function kind(i) {
  if (line[i] == "") return "blank"
  if (line[i] ~ /^[^ ]/) {
    if (line[i] ~ /^Exit status: /) return "exit"
    if (line[i] !~ /^usage:/ && (line[i - 1] == "" || line[i - 1] ~ /^ /) && line[i + 1] ~ /^  [^ ]/) return "title"
    return "plain"
  }
  if (line[i] ~ /^                /) return "on"
  if (line[i] ~ /^   /) return "table"
  if (line[i] ~ /^  --/ || values != "" || section == "commands" || line[i] ~ /^  [^ ]+  /) return "item"
  return "text"
}
# The section that begins at line i: its title, the option whose values it lists.
function enter(i) {
  section = line[i]
  values = match(section, /\(--[a-z-]+\)$/) ? substr(section, RSTART + 1, RLENGTH - 2) : ""
  sub(/ *\(--[a-z-]+\)$/, "", section)
}
# An item's head and text; in a list of values the head is one word.
function split_item(i,    rest, at) {
  rest = substr(line[i], 3)
  at = values != "" ? match(rest, / +/) : match(rest, /   */)
  head = at ? substr(rest, 1, at - 1) : rest
  text = at ? substr(rest, at + RLENGTH) : ""
}
