#!/bin/sh
# SPDX-License-Identifier: MIT
# What the programs say of themselves, in one form: --help, manual pages, completion in bash and zsh, and
# exit statuses. Each option that a program takes is in all of them, and no other is.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
programs="bounds budget contrastive influence mlp_ranking private_auc private_evaluation private_metric run_experiments
  utility_curves"
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0
wrong() {
  echo "ERROR: $*"
  failed=1
}
make -s install-programs BUILD="$BUILD" DESTDIR="$dir/root" PREFIX=/usr >"$dir/made" 2>&1 || wrong "install-programs: $(cat "$dir/made")"
man=$dir/root/usr/share/man/man1 bash=$dir/root/usr/share/bash-completion/completions zsh=$dir/root/usr/share/zsh/site-functions
[ "$(ls "$dir/root/usr/bin" | tr '\n' ' ')" = "$(echo $programs) " ] || wrong "installed: $(ls "$dir/root/usr/bin")"

# Words in quotes in the sources that a program's command line is read by.
literals() { cat "$@" | grep -v '^ *"  ' | grep -oE "\"(--)?[a-z][a-z0-9-]*\"" | tr -d '"' | sort -u; }
sources() {
  support= folder=programs
  case $1 in
  run_experiments | utility_curves) folder=papers ;;
  private_auc) support="program simulation apply convert template" ;;
  private_metric) support="program simulation" ;;
  bounds) support=utility_bounds ;;
  budget) support=calculator ;;
  esac
  echo "examples/$folder/$1.c"
  for s in $support; do echo "examples/programs/support/$s.c"; done
  [ $1 != bounds ] || echo examples/programs/support/utility_bounds.h
}
for p in $programs; do
  "$BUILD/$p" --help >"$dir/help" 2>"$dir/err" && [ ! -s "$dir/err" ] || wrong "$p --help"
  head -n 1 "$dir/help" | grep -q "^$p - [a-z]" || wrong "$p --help does not begin with its name and a summary"
  grep -q "^| \`$p\` |" examples/README.md || wrong "$p is not in examples/README.md"
  grep -q "^usage: $p" "$dir/help" || wrong "$p --help: usage"
  grep -q '^Exit status: 0 ok; 1 the work failed' "$dir/help" && grep -q '2 wrong use:' "$dir/help" || wrong "$p --help: exit status"
  "$BUILD/$p" --version | grep -q "^$p (dppair) [0-9.]*$" || wrong "$p --version"
  awk -v shell=list -f packaging/programs/help.awk -f packaging/programs/completion.awk "$dir/help" >"$dir/list"
  cut -f 1 "$dir/list" | sort >"$dir/options"
  awk -F '\t' '$1 !~ /^--[a-z][a-z0-9-]*$/ || $3 ~ /[^a-z0-9 -]/' "$dir/list" | grep . && wrong "$p: no option, or no word"
  # shellcheck disable=SC2046
  literals $(sources $p) >"$dir/literals"
  awk -v program=$p '
    FNR == 1 { file++ }
    file == 1 { option[$1]; next }
    file == 2 { read[$1]; next }
    { gsub(/\\-/, "-"); text[file] = text[file] " " $0 " " }
    END {
      for (o in option) {
        if (!(o in read) && !(substr(o, 3) in read)) print program " --help has " o ", which nothing reads"
        if (!index(text[3], o)) print program ".1 lacks " o
        if (!match(text[4], "[ \047]" o "[ )\047]")) print "bash: " program " lacks " o
        if (!index(text[5], "\047" o "[") && !index(text[5], "*" o "[")) print "zsh: " program " lacks " o
      }
    }' "$dir/options" "$dir/literals" "$man/$p.1" "$bash/$p" "$zsh/_$p" | grep . && failed=1
  case $p in
  budget) # the keys that functions of calculator.h are asked for
    sed -n 's/.*\<\(optional\|required\|number\|count\|word\|read_list\|read_sizes_of\|optional_anywhere\|required_anywhere\|number_or\|count_or\)("\([a-z-]*\)".*/--\2/p' examples/programs/budget.c ;;
  bounds) sed -n 's/^ *UTILITY.*/&/p; s/.*strcmp(\(name, \)\{0,1\}"\(--\)*\([a-z]*\)") == 0.*/--\3/p' examples/programs/bounds.c ;;
  private_metric) # shares its parser; these it refuses
    "$BUILD/$p" --evaluate x --evaluate-epsilon 1 --epsilon 1 --model "$dir/m" x >"$dir/out" 2>&1
    [ $? -eq 2 ] && "$BUILD/$p" --numbers float >"$dir/out" 2>&1
    [ $? -eq 2 ] && "$BUILD/$p" --release all >"$dir/out" 2>&1
    [ $? -eq 2 ] && "$BUILD/$p" --explain --epsilon 1 --model "$dir/m" x >"$dir/out" 2>&1
    [ $? -eq 2 ] || wrong "$p: $(cat "$dir/out")"
    grep '^--' "$dir/literals" | grep -vxe --evaluate -e --evaluate-epsilon -e --numbers -e --release -e --explain ;;
  *) grep '^--' "$dir/literals" ;;
  esac | sort -u | comm -23 - "$dir/options" >"$dir/hidden"
  [ ! -s "$dir/hidden" ] || wrong "$p takes what --help does not tell: $(tr '\n' ' ' <"$dir/hidden")"

  # Exit statuses, uniform: 2 wrong use, 1 a file that is not there and results that do not arrive.
  "$BUILD/$p" --no-such-option 1 >"$dir/out" 2>"$dir/err"
  [ $? -eq 2 ] && [ ! -s "$dir/out" ] && head -n 1 "$dir/err" | grep -q "^$p: " || wrong "$p: an unknown option: $(cat "$dir/out" "$dir/err")"
  [ ! -e /dev/full ] || { "$BUILD/$p" --help >/dev/full 2>"$dir/err"; [ $? -eq 1 ] && [ -s "$dir/err" ] || wrong "$p: help that cannot be written"; }
  case $p in
  bounds | budget | run_experiments) continue ;;
  private_evaluation) set -- --epsilon 1 ;;
  *) set -- ;;
  esac
  "$BUILD/$p" "$dir/absent.csv" "$@" >"$dir/out" 2>"$dir/err"
  [ $? -eq 1 ] && [ ! -s "$dir/out" ] && grep -q "absent.csv: No such file" "$dir/err" || wrong "$p: a file that is not there"
done
grep -lE '\\033|\\x1b|\\e\[' examples/programs/*.c examples/programs/support/*.c examples/papers/*.c && wrong "an escape sequence: no program colours, whatever NO_COLOR says"

# The keys of --json are those that docs/programs.md promises.
printf 'score,label\n.1,0\n.2,1\n.3,0\n.4,1\n' >"$dir/scores.csv"
for p in private_auc private_metric utility_curves private_evaluation influence; do
  case $p in
  private_auc | private_metric) set -- --splits 1 --epsilon 1 ;;
  utility_curves) set -- --splits 1 --epsilon 1 --methods gd ;;
  private_evaluation) set -- "$dir/scores.csv" --epsilon 1 ;;
  influence) set -- --retrain 1 --top 1 ;;
  esac
  "$BUILD/$p" "$@" --json | sed 's/\[[^]]*\]/0/g' | grep -oE '"[a-z_]+":' | tr -d '":' | sort >"$dir/keys"
  sed -n "s/^| \`$p\` | \(\`simul.*\|\`meas.*\|\`not_.*\) |$/\1/p" docs/programs.md | tr -d '`,' | tr ' ' '\n' | sort | cmp -s - "$dir/keys" ||
    wrong "$p --json has other keys than docs/programs.md: $(tr '\n' ' ' <"$dir/keys")"
done

# In bash: the function is called as the shell calls it.
if command -v bash >/dev/null 2>&1; then
  mkdir "$dir/here"
  : >"$dir/here/a file.csv"
  cat >"$dir/try" <<'CODE'
cd "$1/here"
for p in ../root/usr/share/bash-completion/completions/*; do source "$p" || exit 1; done
bad=0
expect() { # WORDS-TYPED "RESULTS"
  want=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  "_dppair_$1" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
  [ "${COMPREPLY[*]}" = "$want" ] || { echo "bash: $*: '${COMPREPLY[*]}', not '$want'"; bad=1; }
  complete -p "$1" >/dev/null || bad=1
}
expect "--method" private_auc --meth
expect "auto" private_auc --method au
expect "ranges row zscore maps" private_auc --scale ""
expect "yes no" private_auc x.csv --header ""
expect "" private_auc --epsilon ""
expect "a file.csv" private_auc a
expect "a file.csv" private_auc --ranges a
expect "--write-ranges" private_auc --w
expect "calibrate" budget cal
expect "epsilon" budget eps
expect "user-pairs user-batch user-weighted" budget sensitivity --kind user-
expect "gaussian" budget epsilon --mechanism gau
expect "a file.csv" budget epsilon --ledger a
expect "" budget epsilon a
expect "supcon infonce triplet" contrastive --loss ""
expect "a file.csv" mlp_ranking ""
expect "roc risk" private_evaluation x.csv --measure r
expect "logistic" utility_curves --loss l
exit $bad
CODE
  bash "$dir/try" "$dir" 2>&1 | grep . && failed=1
else
  echo "skipped: bash is not installed"
fi
# In zsh: its grammar, and that _arguments is given each option as it wants it.
if command -v zsh >/dev/null 2>&1; then
  for p in $programs; do
    zsh -n "$zsh/_$p" || wrong "zsh: $p"
  done
  zsh -fc '_arguments() { print -rl -- "$@" }; source "$1"' zsh "$zsh/_private_auc" >"$dir/arguments"
  grep -q '^--model\[train once .*\]:file:_files$' "$dir/arguments" &&
    grep -q '^--method\[.*\]:name:(gd .* auto' "$dir/arguments" && grep -qxF '*:file:_files' "$dir/arguments" || wrong "zsh: $(cat "$dir/arguments")"
  grep -vE '^\*?--[a-z-]+\[[^]]*\](:[a-z]*:.*)?$|^\*:file:_files$' "$dir/arguments" | grep . && wrong "zsh: not an argument"
else
  echo "skipped: zsh is not installed"
fi
make -s uninstall-programs BUILD="$BUILD" DESTDIR="$dir/root" PREFIX=/usr
left=$(find "$dir/root" -type f)
[ -z "$left" ] || wrong "left behind: $left"
exit $failed
