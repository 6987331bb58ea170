# SPDX-License-Identifier: MIT
# Completion of what --help says: awk -v shell=bash|zsh|list -f help.awk -f completion.awk. `list` is for
# tests: a line for each option, with its argument and the words that it may be.
function add_word(option, word) {
  if (index(" " words[option] " ", " " word " ") == 0) words[option] = words[option] (words[option] == "" ? "" : " ") word
}
function add_option(option, arg) {
  if (!(option in argument)) {
    order[++count] = option
    argument[option] = arg
  }
}
# "--option ARG", "--option a|b", "--option word"; without -- another word of the option before.
function head_piece(piece,    part, n, k, word) {
  n = split(piece, part, " ")
  if (part[1] !~ /^--/) {
    add_word(last, part[1])
    return
  }
  last = part[1]
  add_option(last, n > 1 && part[2] !~ /^--/ ? part[2] : "")
  if (n == 1 || part[2] !~ /^[0-9a-z]/) return
  n = split(part[2], word, "|")
  for (k = 1; k <= n; k++) add_word(last, word[k])
}
# What is said of an option, in a few words.
function brief(s) {
  sub(/[;:.(].*/, "", s)
  gsub(/[][`'"\\$]/, "", s)
  sub(/ +$/, "", s)
  if (length(s) <= 60) return s
  s = substr(s, 1, 60)
  sub(/,? [^ ]*$/, "", s)
  return s
}
function read_item(i,    piece, n, k) {
  split_item(i)
  if (head ~ /^--/) {
    n = split(head, piece, /, /)
    for (k = 1; k <= n; k++) {
      head_piece(piece[k])
      if (text == "" && kind(i + 1) == "on") text = line[i + 1]
      sub(/^ +/, "", text)
      if (!(last in said)) said[last] = brief(text)
    }
  } else if (values != "") {
    add_word(values, head)
  } else if (section == "commands") {
    sub(/ .*/, "", head)
    commands = commands (commands == "" ? "" : " ") head
  }
}
# The keys of a program with commands stand in the text, and take a value.
function read_text(s,    option) {
  while (match(s, /--[a-z][a-z0-9-]*/)) {
    option = substr(s, RSTART, RLENGTH)
    s = substr(s, RSTART + RLENGTH)
    if (option != "--key") add_option(option, s ~ /^ FILE/ ? "FILE" : "X")
  }
}
function is_file(option) { return argument[option] ~ /^(FILE|MODEL|DIR)$/ }

function write_bash(    k, all, files, free) {
  print "# Completion of " name " in bash; made from its --help."
  print "_dppair_" name "() {"
  print "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}"
  print "  COMPREPLY=()"
  if (commands != "") {
    print "  if ((COMP_CWORD == 1)); then"
    print "    mapfile -t COMPREPLY < <(compgen -W '" commands " --help --version' -- \"$word\")"
    print "    return"
    print "  fi"
  }
  print "  case $before in"
  for (k = 1; k <= count; k++) {
    all = all (k > 1 ? " " : "") order[k]
    if (words[order[k]] != "") {
      print "    " order[k] ")"
      print "      mapfile -t COMPREPLY < <(compgen -W '" words[order[k]] "' -- \"$word\")"
      print "      return ;;"
    } else if (is_file(order[k])) {
      files = files (files == "" ? "" : " | ") order[k]
    } else if (argument[order[k]] != "") {
      free = free (free == "" ? "" : " | ") order[k]
    }
  }
  if (free != "") print "    " free ") return ;; # a number, or a name that only the user knows"
  if (files != "") {
    print "    " files ")"
    print "      mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    print "      return ;;"
  }
  print "  esac"
  print "  case $word in"
  print "    -*) mapfile -t COMPREPLY < <(compgen -W '" all "' -- \"$word\") ;;"
  if (reads) print "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;"
  print "  esac"
  print "}"
  print "complete -o filenames -F _dppair_" name " " name
}

function write_zsh(    k, option, again) {
  again = "--and" in argument ? "*" : ""
  print "#compdef " name
  print "# Completion of " name " in zsh; made from its --help."
  print "_arguments \\"
  for (k = 1; k <= count; k++) {
    option = order[k]
    printf "  '%s%s[%s]", again, option, said[option]
    if (argument[option] != "") {
      printf ":%s:", argument[option] ~ /^[A-Z]+$/ ? tolower(argument[option]) : "value"
      if (words[option] != "") printf "(%s)", words[option]
      else if (is_file(option)) printf "_files"
    }
    print "' \\"
  }
  if (commands != "") print "  '1:command:(" commands ")'"
  else if (reads) print "  '*:file:_files'"
  else print "  '*: :'"
}

END {
  name = line[1]
  sub(/ - .*/, "", name)
  for (i = 3; line[i] != ""; i++)
    if (line[i] ~ / \[?(DATA|SCORES)/) reads = 1
  for (; i <= NR; i++) {
    if (kind(i) == "title") enter(i)
    else if (kind(i) == "exit") section = values = ""
    else if (kind(i) == "item") read_item(i)
  }
  for (i = 1; i <= NR && commands != ""; i++) read_text(line[i])
  if (shell == "bash") write_bash()
  else if (shell == "zsh") write_zsh()
  else for (k = 1; k <= count; k++) print order[k] "\t" argument[order[k]] "\t" words[order[k]]
}
