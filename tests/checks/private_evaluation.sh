#!/bin/sh
# SPDX-License-Identifier: MIT
# build/private_evaluation and private_auc --evaluate from the outside: every measure, what it spends,
# refusals, and pairs of files that differ in one record, whatever that holds: the same exit status,
# the same messages, output of the same shape.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" "$BUILD/private_evaluation" "$BUILD/private_auc" "$BUILD/private_metric" \
  "$BUILD/budget" || exit 1
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
program=$BUILD/private_evaluation
failed=0
wrong() {
  echo "ERROR: $*"
  failed=1
}
# the number or word behind "NAME": in a line of JSON
field() { sed -n "s/.*\"$2\": \"*\([-+.0-9a-z]*\).*/\1/p" "$1"; }
holds() { awk "BEGIN { exit !($1) }"; }

# random numbers that every awk has alike: integers below 2^53
random='function uniform() { s = s * 16807 % 2147483647; return s / 2147483647 }'
# 400 records, 30 % positive: the scores of the positives are sums of uniform numbers moved by 1
awk "$random"'
BEGIN { s = 500000005; for (i = 0; i < 400; i++) { y = i % 10 < 3; t = y - 6
  for (k = 0; k < 12; k++) t += uniform(); printf "%.4f,%d\n", t, y } }' >rows
{ echo score,label; cat rows; } >base.csv
# AUC, tau-a and mean hinge loss capped at 2 by double loops: what large budgets must come to
awk -F, '{ s[NR] = $1; y[NR] = $2 } END { for (i = 1; i <= NR; i++) for (j = 1; j <= NR; j++) {
  a = s[i] > s[j] ? 1 : s[i] < s[j] ? -1 : 0
  if (i < j) { tau += a * (y[i] - y[j]); all++ }
  if (y[i] > y[j]) { auc += (a + 1) / 2; pairs++; h = 1 - s[i] + s[j]; hinge += h < 0 ? 0 : h > 2 ? 2 : h } }
  print auc / pairs, tau / all, hinge / pairs }' rows >truth
read -r auc tau hinge <truth

# --- what it measures -----------------------------------------------------------------------------
# measured NAME TRUTH SLACK ARGUMENTS...: near the truth, inside an interval that holds it, all spent
measured() {
  name=$1 truth=$2 slack=$3
  shift 3
  "$program" base.csv --epsilon 100 --json "$@" >out 2>err || wrong "$name: exit $? $(cat err)"
  [ "$(field out measure)" = "$name" ] && [ "$(field out spent)" = 100 ] && [ "$(field out n)" = 400 ] ||
    wrong "$name: $(cat out)"
  holds "$(field out value) - $truth < $slack && $truth - $(field out value) < $slack" || wrong "$name: not near $truth: $(cat out)"
  holds "$(field out lower) <= $truth && $truth <= $(field out upper)" || wrong "$name: $truth not in $(cat out)"
}
measured auc "$auc" 0.01
measured auc "$auc" 0.02 --promise 100
[ "$(field out promise)" = 100 ] || wrong "what the interval rests on: $(cat out)"
"$program" base.csv --epsilon 1 --promise 100 | tr '\n' ' ' | grep -q "interval rests on --promise: where a class has fewer than 100" ||
  wrong "it does not say what its interval rests on"
measured auc "$auc" 0.05 --delta 1e-6 --noise gaussian
[ "$(field out delta)" = 1e-06 ] && [ "$(field out noise)" = gaussian ] || wrong "Gaussian: $(cat out)"
measured auc "$auc" 0.01 --delta 1e-6
[ "$(field out delta)" = 0 ] && [ "$(field out noise)" = laplace ] || wrong "less noise: $(cat out)"
measured kendall "$tau" 0.01 --measure kendall
measured risk "$hinge" 0.02 --measure risk --loss hinge --cap 2
measured roc "$auc" 0.05 --measure roc --thresholds -1,-0.5,0,0.25,0.5,0.75,1,1.5,2 --svg roc.svg
[ "$(grep -o '"true_lower"' out | wc -l)" -eq 9 ] || wrong "points: $(cat out)"
grep -q '</svg>' roc.svg || wrong "no picture"
"$program" base.csv --epsilon 1 --measure roc --thresholds 0 --svg nosuch/roc.svg >out 2>err
[ $? -eq 1 ] && grep -q '^spent' out && grep -q "No such file" err || wrong "an answer that was paid is lost: $(cat out err)"
# of these records: the noise alone leaves such an interval once in 10^9 runs
measured pauc "$auc" 0.05 --measure pauc --beta 1 --promise 100 --confidence 0.999999999
measured pauc "$auc" 0.05 --measure pauc --beta 1 --delta 1e-6 --confidence 0.999999999
# delta is about how often it does not refuse: half of it times exp(120/200)
"$program" base.csv --epsilon 0.01 --measure pauc --delta 1e-9 --json >out 2>err
[ $? -eq 3 ] && [ ! -s err ] && grep -q '"beta": 0.1, "refused": true, "spent": 0.01' out || wrong "a refusal: $(cat out err)"
"$program" base.csv --epsilon 0.01 --measure pauc --beta 0.1 --delta 1e-9 >out
[ $? -eq 3 ] && grep -q '^refused: ' out && grep -q 'spent: (epsilon, delta) = (0.01, 1e-09)' out || wrong "in words"
"$program" base.csv --epsilon 1 >out || wrong "exit $?"
tr '\n' ' ' <out >line
grep -q '^AUC [01]\.[0-9]*, 95 % confidence interval .*The interval is for the population that these n = 400 records are an independent sample of.*no guarantee for these.*spent: (epsilon, delta) = (1, 0) for one replaced record' line ||
  wrong "in words: $(cat out)"
again="base.csv --epsilon 1 --json --measure roc --thresholds 0,0.5,1" # six noisy numbers: equal once in 10^20 runs
# shellcheck disable=SC2086
a=$("$program" $again) b=$("$program" $again)
[ "$a" != "$b" ] || wrong "two evaluations with the same noise"

# --- the ledger -----------------------------------------------------------------------------------
"$program" base.csv --epsilon 1 --ledger ledger >out || wrong "the first line of a ledger"
"$program" base.csv --epsilon 0.5 --measure pauc --beta 0.5 --delta 1e-5 --ledger ledger >out
"$program" base.csv --epsilon 1e9 --ledger ledger >out 2>&1 && wrong "an epsilon of 1e9"
grep -q '^ledger: line 3' out && wrong "a refused evaluation wrote its line"
total=$("$BUILD/budget" epsilon --ledger ledger --delta 1e-5 | awk '$1 == "epsilon_upper" { print $2 }')
holds "$total <= 1.5000001 && $total >= 1.4999" || wrong "the ledger holds $total"
ln -s linked picture
"$program" base.csv --epsilon 1 --measure roc --thresholds 0 --ledger linked --svg picture >out 2>err
[ $? -eq 1 ] && grep -q '^spent: ' out && grep -q 'replace the ledger' err && [ "$(wc -l <linked)" -eq 1 ] ||
  wrong "a picture in place of the ledger: $(cat out err)"
echo spoilt >>ledger
"$program" base.csv --epsilon 1 --ledger ledger >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && grep -q '^private_evaluation: ledger:3: ' err || wrong "a spoilt ledger: $(cat err)"

# Runs at once take turns, each with a line of its own; a refused one leaves no empty file.
for k in 1 2 3 4 5 6; do "$program" base.csv --epsilon 1 --ledger shared >/dev/null 2>"err$k" & done
wait
total=$("$BUILD/budget" epsilon --ledger shared --delta 1e-5 | awk '$1 == "ledger_lines" { print $2 }')
[ "$total" -eq 6 ] || wrong "six runs at once left $total lines: $(cat err?)"
"$program" base.csv --epsilon 1e9 --ledger none >out 2>&1 && wrong "an epsilon of 1e9"
[ ! -e none ] || wrong "an empty ledger"
mkfifo queue
for f in /dev/zero . queue; do
  "$program" base.csv --epsilon 1 --ledger $f >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] || wrong "--ledger $f: $(cat out err)"
  "$BUILD/budget" epsilon --ledger $f --delta 1e-5 >out 2>err
  [ $? -eq 1 ] && grep -q 'not a regular file' err || wrong "budget --ledger $f: $(cat out err)"
done

# --- refusals: of what is public ------------------------------------------------------------------
refuse() {
  code=$1 text=$2
  shift 2
  "$program" "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$text" err ||
    wrong "$*: exit $got, $(cat err)"
}
printf 'score,label\n1,1\n' >one.csv
printf 'x,y\n1,1\n2,2\n3,3\n' >other.csv
refuse 2 "--epsilon says what may be spent" base.csv
refuse 2 "--epsilon is in [1e-09, 1000]" base.csv --epsilon 0
refuse 2 "--epsilon is in" base.csv --epsilon nan
refuse 2 "which file?" --epsilon 1
refuse 1 "/dev/zero: a device, not a file" /dev/zero --epsilon 1
refuse 1 "No such file" nosuch.csv --epsilon 1
refuse 2 "does not name the columns" other.csv --epsilon 1
refuse 2 "does not name the columns" rows --epsilon 1
refuse 1 "1 record; at least 2" one.csv --epsilon 1
refuse 2 "one class has fewer" base.csv --epsilon 1 --promise 201
refuse 2 "needs --promise, or --delta" base.csv --epsilon 1 --measure pauc --beta 0.1
refuse 2 "needs --thresholds" base.csv --epsilon 1 --measure roc
refuse 2 "--thresholds must ascend" base.csv --epsilon 1 --measure roc --thresholds 1,0
refuse 2 "needs --cap" base.csv --epsilon 1 --measure risk
refuse 2 "no loss is called" base.csv --epsilon 1 --measure risk --cap 1 --loss nosuch
refuse 2 "--cap is not for --measure auc" base.csv --epsilon 1 --cap 1
refuse 2 "--labels is not for --measure kendall" base.csv --epsilon 1 --measure kendall --labels 0,1
refuse 2 "two different labels" base.csv --epsilon 1 --labels 1,1.0
refuse 2 "Gaussian noise needs --delta" base.csv --epsilon 1 --noise gaussian
refuse 2 "--confidence is above 0" base.csv --epsilon 1 --confidence 1
refuse 2 "--measure is auc" base.csv --epsilon 1 --measure nosuch
refuse 2 "unknown option" base.csv --epsilon 1 --nosuch 1
refuse 2 "files of their own" base.csv --epsilon 1 --measure roc --thresholds 0 --svg base.csv
refuse 2 "files of their own" base.csv --epsilon 1 --measure roc --thresholds 0 --svg new --ledger ./new
cmp -s rows base.csv && wrong "the records were replaced"

# --- neighbours -----------------------------------------------------------------------------------
# outcome FILE ARGUMENTS...: exit status, messages and the output without its numbers
outcome() {
  file=$1
  shift
  "$program" "$file" --epsilon 1 "$@" >out 2>&1
  echo $?
  sed 's/-\{0,1\}[0-9][-+0-9.e]*/N/g' out
}
# same FILE ARGUMENTS...: as `first`
same() { [ "$(outcome "$@")" = "$first" ] || wrong "the record '$record' shows: $*"; }
first=$(outcome base.csv --json)
for record in ',' '' 'nan,1' 'inf,1' '1e999,1' '0.5,third' '0.5' '# remark' '0.5,1,more,fields' '"0.5,1' \
  'score,label' '0.5,nan'; do
  { head -n 5 base.csv; echo "$record"; tail -n +7 base.csv; } >neighbour.csv
  same neighbour.csv --json
done
record="a label and nothing else"
{ head -n 5 base.csv; echo "inf"; tail -n +7 base.csv; } >neighbour.csv
for arguments in "--measure roc --thresholds 0,1 --json" "--measure kendall --json" \
  "--measure risk --cap 3 --json" "--labels no,yes --json"; do
  # shellcheck disable=SC2086
  first=$(outcome base.csv $arguments)
  # shellcheck disable=SC2086
  same neighbour.csv $arguments
done
record="of one class"
sed '2,$s/,.*/,1/' base.csv >ones.csv
sed '2s/,.*/,0/' ones.csv >all_but_one.csv
first=$(outcome ones.csv --json)
same all_but_one.csv --json

# --- a model on other people's records --------------------------------------------------------------
awk "$random"'
BEGIN { s = 900000009; print "label,u,v"; for (i = 0; i < 300; i++) { y = i % 3 == 0
  printf "%d,%.3f,%.3f\n", y, 0.6 * uniform() + 0.4 * y, uniform() } }' >all.csv
printf 'name,low,high\nu,0,1\nv,0,1\n' >train.ranges
head -n 151 all.csv >train.csv
{ head -n 1 all.csv; tail -n 150 all.csv; } >test.csv
train="train.csv --epsilon 500 --labels 0,1 --header yes --model m"
auc() {
  rm -f m
  # shellcheck disable=SC2086
  "$BUILD/private_auc" $train "$@" >out 2>err
}
auc --evaluate test.csv --evaluate-epsilon 50 || wrong "a model with its evaluation: $(cat err)"
tr '\n' ' ' <out >line
grep -q 'm: written.*exp(500) times.*test.csv: AUC [01]\.[0-9]*, 95 % confidence interval.*spent: (epsilon, delta) = (50, 0).*A record that is in both files is charged for both' line ||
  wrong "what it says: $(cat out)"
holds "$(sed -n 's/^test.csv: AUC \([0-9.]*\),.*/\1/p' out) > 0.6" || wrong "its AUC: $(cat out)"
grep -q test.csv m && wrong "the model tells of its evaluation"
not_evaluated() {
  text=$1
  shift
  auc "$@"
  got=$?
  [ $got -ne 0 ] && [ ! -e m ] && [ ! -s out ] && grep -qF -- "$text" err || wrong "$*: exit $got, $(cat err)"
}
cut -d, -f1,2 test.csv >narrow.csv
sed '5s/^[01]/2/' test.csv >third.csv
not_evaluated "go together" --evaluate test.csv
not_evaluated "go together" --evaluate-epsilon 1
not_evaluated "lies in" --evaluate test.csv --evaluate-epsilon 0
not_evaluated "give those of others" --evaluate train.csv --evaluate-epsilon 1
not_evaluated "nosuch.csv" --evaluate nosuch.csv --evaluate-epsilon 1
not_evaluated "narrow.csv" --evaluate narrow.csv --evaluate-epsilon 1
not_evaluated "third.csv: so nothing is done" --evaluate third.csv --evaluate-epsilon 1
"$BUILD/private_auc" train.csv --evaluate test.csv --evaluate-epsilon 1 2>err >out
[ $? -eq 2 ] && grep -q "belongs to --model" err || wrong "an evaluation of a simulation"
"$BUILD/private_metric" $train --evaluate test.csv --evaluate-epsilon 1 2>err >out
[ $? -eq 2 ] && grep -q "a metric has none" err || wrong "the AUC of a metric: $(cat err)"
exit $failed
