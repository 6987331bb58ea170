#!/bin/sh
# SPDX-License-Identifier: MIT
# private_auc and utility_curves from the outside: results, refusals, releases, replay, pictures.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" "$BUILD/private_auc" "$BUILD/utility_curves" || exit 1
auc=$PWD/$BUILD/private_auc
case $BUILD in /*) auc=$BUILD/private_auc ;; esac
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0
wrong() {
  echo "ERROR: $*"
  failed=1
}

# the number after "NAME": in a line of JSON
field() { sed -n "s/.*\"$2\": \"*\([-+.0-9a-z]*\).*/\1/p" "$1"; }
holds() { awk "BEGIN { exit !($1) }"; }

# What the built-in demonstration must reach, from any directory.
(cd "$dir" && "$auc" --epsilon 1 --json >demo.json 2>demo.err) || wrong "the demonstration failed"
[ -s "$dir/demo.err" ] && wrong "output on stderr without a terminal"
for key in epsilon delta n_train splits sigma steps auc_private_mean auc_private_sd auc_nonprivate_mean \
  auc_zero_budget_mean seconds; do
  [ -n "$(field "$dir/demo.json" $key)" ] || wrong "JSON lacks $key"
done
private=$(field "$dir/demo.json" auc_private_mean)
zero=$(field "$dir/demo.json" auc_zero_budget_mean)
holds "$private >= 0.76 && $private >= $zero + 0.01" || wrong "AUC $private against $zero without a budget"
holds "$(field "$dir/demo.json" n_train) == 512 && $(field "$dir/demo.json" splits) >= 20" || wrong "splits"
"$auc" --epsilon 1 --json >"$dir/again.json"
[ "$(sed 's/"seconds.*//' "$dir/demo.json")" = "$(sed 's/"seconds.*//' "$dir/again.json")" ] ||
  wrong "the same seed gave another simulation"
"$auc" --method auto --epsilon 1 --json --splits 10 >"$dir/auto.json"
holds "$(field "$dir/auto.json" auc_private_mean) > $private" || wrong "auto does not beat gd"
for lambda in "" "--lambda 0.1"; do # with and without a regulariser
  "$auc" --method dpgdc2 --epsilon 1 --splits 1 --json $lambda | sed 's/"seconds.*//'
done | uniq | wc -l | grep -q 2 || wrong "--lambda changed nothing"
"$auc" --splits 2 | head -n 1 | grep -q '^simulation on your data: NOT PRIVATE, not a release$' || wrong "the table's heading"

# The first run: what the README shows, to the letter, but for where it runs and on which processor.
printed() { sed -e "s|$auc|AUC|; s|build/demo/private_auc|AUC|; s|build/demo/auc_over|$dir/auc_over|" -e '3s/, [a-z0-9+-]*$//'; }
"$auc" --demo --svg "$dir/auc_over_epsilon.svg" 2>"$dir/demo.err" | printed >"$dir/demo"
[ -s "$dir/demo.err" ] && wrong "--demo: $(cat "$dir/demo.err")"
sed -n '/^    simulation on your data/,/^!\[/p' README.md | sed -n 's/^    //p; /^$/p' | sed '$d' | printed >"$dir/readme"
cmp -s "$dir/demo" "$dir/readme" || wrong "--demo does not print what the README says: $(diff "$dir/demo" "$dir/readme")"
cmp -s "$dir/auc_over_epsilon.svg" docs/auc_over_epsilon.svg || wrong "--demo draws another picture than the README shows"
[ "$(wc -l <"$dir/demo")" -le 24 ] || wrong "--demo is long"
# On a terminal there is progress, which needs no escape sequences of it; elsewhere there is none.
if command -v script >/dev/null 2>&1; then
  TERM=dumb script -qec "'$auc' --demo --splits 200 --epsilon 1" /dev/null </dev/null >"$dir/typescript" 2>&1 || wrong "on a terminal"
  grep -q 'training  *[0-9]*%  [0-9]*:[0-9][0-9] left' "$dir/typescript" || wrong "no progress on a terminal"
  grep -q "$(printf '\033')" "$dir/typescript" && wrong "an escape sequence"
else
  echo "skipped: script, which gives a terminal, is not installed"
fi

# refuse CODE TEXT ARGUMENTS...: exit status, one line on stderr that holds TEXT, nothing on stdout.
refuse() {
  code=$1 text=$2
  shift 2
  "$auc" "$@" >"$dir/out" 2>"$dir/err"
  got=$?
  [ $got -eq "$code" ] || wrong "exit $got instead of $code: $*"
  [ "$(wc -l <"$dir/err")" -eq 1 ] || wrong "not one line on stderr: $*"
  [ -s "$dir/out" ] && wrong "output on stdout: $*"
  grep -qF -- "$text" "$dir/err" || wrong "'$(cat "$dir/err")' lacks '$text'"
}
printf 'label,a\n1,2\n0,x\n1,3\n0,4\n' >"$dir/word.csv"
printf '1 1:2\n0 1000000000:1\n1 1:1\n0 1:1\n' >"$dir/wide.svm"
printf '1,2\n1,3\n1,4\n1,5\n' >"$dir/one.csv"
printf 'label,a\n1,\0\n' >"$dir/binary.csv"
: >"$dir/empty.csv"
refuse 1 "/dev/zero: a device, not a file" /dev/zero
refuse 1 "nosuch.csv: No such file" nosuch.csv
refuse 2 "no loss is called 'nosuch'" --loss nosuch
refuse 1 "empty.csv: the file is empty" "$dir/empty.csv"
refuse 1 "word.csv:3:3: 'x' is not a number" "$dir/word.csv"
refuse 1 "wide.svm:2:3: column 1000000000" "$dir/wide.svm"
refuse 1 "one.csv: only one class" "$dir/one.csv"
refuse 2 "gd has no regulariser" --lambda 0.1
refuse 2 "gd-last needs a convex loss without a kink" --release last --loss hinge
refuse 2 "gd-last needs delta above 0" --release last --delta 0
refuse 2 "--release belongs to method gd" --release last --method auto
refuse 2 "--release is all (the default) or last" --release mean
"$auc" --release last --splits 1 --epsilon 2 | grep -q 'holds the weights of the last iterate' ||
  wrong "--release last does not say that only the last iterate is covered"
"$auc" --method online --splits 1 --epsilon 8 | grep -q 'in the order of the file, which is public' ||
  wrong "online does not say that the order is public"
refuse 2 "--lambda takes a number above 0" --method dpgdc2 --lambda 0
refuse 2 "no paper prints a noise for method auto" --method auto --as-printed
refuse 2 "the noise that is printed for method yang2021 needs delta above 0" --method yang2021 \
  --as-printed --delta 0
refuse 1 "binary.csv:2:3: a zero byte" "$dir/binary.csv"
refuse 1 "$dir" "$dir"
refuse 2 "epsilon must be above 0" --epsilon 0
refuse 2 "epsilon must be above 0" --epsilon 1,-1
refuse 2 "--epsilon takes" --epsilon nan
refuse 2 "--delta is at least 0 and below 1" --delta 1
refuse 2 "needs delta above 0" --delta 0
refuse 2 "no method is called" --method nosuch
refuse 2 "unknown" --nosuch 1
refuse 2 "lacks its value" --epsilon
refuse 2 "whole number above 0" --splits 0
refuse 2 "--scale" --scale tall
refuse 2 "give one --epsilon" --model "$dir/m"
refuse 2 "belong to --model" --replay "$dir/k"
refuse 2 "not covered by the guarantee" --scale zscore --epsilon 1 --model "$dir/m"
refuse 1 "$dir/no/m" --epsilon 1 --model "$dir/no/m"
[ -e "$dir/m" ] && wrong "a refused release left a file"

refuse 2 "--demo is for the built-in records: not for examples/data/pima.csv" examples/data/pima.csv --demo
refuse 2 "--model is not for it" --demo --epsilon 1 --model "$dir/m"

# A ranges file is begun with names alone: of no record, and only where the header is said to be one.
template() { # CODE TEXT FILE OPTIONS...; the file is "$dir/t"
  code=$1 text=$2 file=$3
  shift 3
  rm -f "$dir/t"
  refuse "$code" "$text" "$file" --write-ranges "$dir/t" "$@"
  [ -e "$dir/t" ] && wrong "a refused template is there: $file $*"
}
names() { sed '1,/^name,low/d' "$dir/t" | tr '\n' ' '; }
printf 'a b,"c,d","e""f",#g,label,name\n9173,2,3,4,1,5\n' >"$dir/names.csv"
"$auc" "$dir/names.csv" --write-ranges "$dir/t" --header yes >"$dir/out" || wrong "--write-ranges"
[ "$(names)" = '"a b",,, "c,d",,, "e""f",,, "#g",,, name,,, ' ] || wrong "the template: $(names)"
grep -q 9173 "$dir/t" "$dir/out" && wrong "a value in a template"
refuse 1 "t: exists; nothing is replaced" "$dir/names.csv" --write-ranges "$dir/t" --header yes
for k in 1 2 3 4 5 6; do printf '%s,1,2,3,%s,7\n' $k $((k % 2)); done >>"$dir/names.csv"
refuse 2 "t:6:7: column 'a b': its low end is not filled in" "$dir/names.csv" --ranges "$dir/t"
sed 's/,,,$/,0,,/' "$dir/t" >"$dir/half.ranges"
refuse 2 "half.ranges:6:9: column 'a b': its high end is not filled in" "$dir/names.csv" --ranges "$dir/half.ranges"
sed 's/,,,$/,0,9,/' "$dir/t" >"$dir/full.ranges"
"$auc" "$dir/names.csv" --ranges "$dir/full.ranges" --splits 1 --epsilon 1 --quiet >/dev/null || wrong "a template that is filled in"
"$auc" "$dir/pima.svm" --write-ranges "$dir/n" --columns 3 --quiet 2>/dev/null && wrong "a file that is not there"
printf '1 1:9173\n' >"$dir/one.svm"
rm "$dir/t"
"$auc" "$dir/one.svm" --write-ranges "$dir/t" --columns 3 --quiet && [ "$(names)" = '1,,, 2,,, 3,,, ' ] || wrong "LIBSVM"
rm "$dir/t"
printf '9173,2,3\n' | "$auc" /dev/stdin --write-ranges "$dir/t" --columns 2 --header no --quiet && [ "$(names)" = '1,,, 2,,, ' ] || wrong "no header"
printf '9173,2,3\n4,5,6\n' >"$dir/records.csv"
template 2 "is that a record?" "$dir/records.csv" --header yes
printf '0,red,blue\n1,red,green\n' >"$dir/words.csv"
template 2 "is that a record?" "$dir/words.csv" --header yes --label 1
grep -q "red" "$dir/err" && wrong "a record is told"
template 2 "makes the names of the columns public" "$dir/names.csv"
printf 'label,a,a\n1,2,3\n' >"$dir/twice.csv"
template 1 "two columns are called 'a'" "$dir/twice.csv" --header yes
template 1 "No such file" "$dir/nothing.csv" --header yes
template 1 "empty.csv: the file is empty" "$dir/empty.csv" --header yes
template 2 "--epsilon is not for --write-ranges" "$dir/names.csv" --header yes --epsilon 1
refuse 2 "--write-ranges FILE needs DATA" --write-ranges "$dir/t" --header yes
refuse 1 "/no/t: No such file" "$dir/names.csv" --write-ranges "$dir/no/t" --header yes
refuse 1 "/dev/full: exists" "$dir/names.csv" --write-ranges /dev/full --header yes
"$auc" "$dir/word.csv" --method auto >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] || wrong "a record before ranges"
"$auc" examples/data/pima.csv --ranges /dev/null >"$dir/out" 2>"$dir/err" && wrong "empty ranges"
cp examples/data/pima.csv "$dir/bare.csv"
"$auc" "$dir/bare.csv" --method auto >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && [ ! -s "$dir/out" ] && head -n 1 "$dir/err" | grep -q 'method auto needs declared ranges (--ranges FILE)$' &&
  grep -q "private_auc $dir/bare.csv --header yes --write-ranges FILE" "$dir/err" || wrong "no ranges: $(cat "$dir/err")"
"$auc" "$dir/bare.csv" --splits 1 --epsilon 1 | grep -q 'No ranges are declared' || wrong "a simulation without ranges says so"

# Persons and queries: what is not protected is not promised.
awk -f examples/data/visits.awk | head -n 400 >"$dir/visits.csv"
visits() {
  code=$1 text=$2
  shift 2
  refuse "$code" "$text" "$dir/visits.csv" --ranges examples/data/visits.ranges "$@"
}
for method in auto one-vector kang2021 dpsgd dpgdsc selection filter; do
  visits 2 "method $method protects single records, not all those of a person: --person is not for it" \
    --person patient --method $method
done
visits 2 "method auto reads pairs of all records, whatever their query" --query patient --method auto
visits 2 "would have to be public; give one of them" --person patient --query patient
visits 2 "--persons belongs to --person" --persons 10
visits 2 "--adjacency replace-one protects less than --person" --person patient --adjacency replace-one
visits 2 "--person says whose record it is" --adjacency replace-person
visits 2 "--query says to which query a record belongs" --adjacency zero-query
visits 2 "how long queries are is public" --query patient --adjacency zero-out
visits 2 "replace records (replace-one)" --adjacency zero-out
visits 2 "no adjacency is called 'user'" --adjacency user
visits 2 "--persons declares it" --person patient --adjacency zero-person
visits 2 "--queries declares it" --query patient --adjacency zero-query
visits 2 "--records bounds how many there are where that is private" --query patient --records 9
visits 2 "--person is compiled for the loss logistic" --person patient --loss hinge
visits 2 "no column is called 'who'" --person who --labels 0,1 --header yes
visits 2 "cannot be the label, too" --person label
visits 1 "persons, and --persons says 7" --person patient --persons 7
visits 1 "399 records; at most 300 are expected" --person patient --records 300
refuse 2 "have no persons or queries" --person patient
visits 2 "--evaluate protects single records: with --person there is none" --person patient --epsilon 1 \
  --model "$dir/m" --evaluate "$dir/word.csv" --evaluate-epsilon 1

# Releases: fresh noise each time; a kept key reproduces one and is never overwritten.
"$auc" --epsilon 1 --method auto --model "$dir/a" --save-key "$dir/key" >/dev/null 2>&1 || wrong "release"
"$auc" --epsilon 1 --method auto --model "$dir/b" >/dev/null 2>&1 || wrong "second release"
cmp -s "$dir/a" "$dir/b" && wrong "two releases with the same noise"
"$auc" --epsilon 1 --method auto --model "$dir/c" --replay "$dir/key" >/dev/null 2>&1 || wrong "replay"
# what is released, without what is said about it
released() { sed -n '/"steps"/,$p' "$1" | sed 's/"route".*"epsilon": [^,]*,/"route"/'; }
released "$dir/a" >"$dir/a1"
released "$dir/c" | cmp -s - "$dir/a1" || wrong "the replay differs"
case $(ls -l "$dir/key") in -rw-------*) ;; *) wrong "the key's mode" ;; esac
before=$(cat "$dir/key")
"$auc" --epsilon 1 --method auto --model "$dir/d" --save-key "$dir/key" >/dev/null 2>&1 && wrong "a key was overwritten"
[ "$before" = "$(cat "$dir/key")" ] || wrong "the key changed"
[ -e "$dir/d" ] && wrong "a model without its key"
grep -q '"guarantee"' "$dir/a" && grep -q 'replaced' "$dir/a" || wrong "the model lacks its guarantee"
grep -q 'is right at most [5-9][0-9.]* % of the time (50 % is chance)' "$dir/a" || wrong "the model does not say what epsilon means"
"$auc" --epsilon 1 --model "$dir/e" --replay "$dir/word.csv" >/dev/null 2>&1 && wrong "a bad key was taken"

# Declared maps: better than ranges at a small budget, in the model file, refused with the place.
"$auc" --maps examples/data/pima.maps --method declared --epsilon 0.5 --json --splits 10 >"$dir/maps.json"
holds "$(field "$dir/maps.json" auc_private_mean) >= 0.79" || wrong "declared maps"
"$auc" --maps examples/data/pima.maps --method declared --epsilon 1 --model "$dir/f" >/dev/null 2>&1 &&
  grep -q '"scale": "maps"' "$dir/f" && grep -q '"terms": "glucose"' "$dir/f" || wrong "maps of a model"
printf 'name,centre,scale,terms\nz,0,1,log1p(glukose)\n' >"$dir/bad.maps"
refuse 2 "bad.maps:2:13: the data have no column 'glukose'" --maps "$dir/bad.maps"
refuse 2 "goes with --scale maps only" --maps examples/data/pima.maps --scale row
refuse 2 "nothing for --ranges" --maps examples/data/pima.maps --ranges examples/data/pima.ranges

# A binary file: from CSV and LIBSVM, of the mode 0600; what is not declared is not learnt.
pima="examples/data/pima.csv --labels -1,1 --header yes"
sed '1d; s/^\([^,]*\),/\1 1:/; s/,/ 2:/; s/,/ 3:/; s/,/ 4:/; s/,/ 5:/; s/,/ 6:/; s/,/ 7:/; s/,/ 8:/' examples/data/pima.csv >"$dir/pima.svm"
for numbers in double float; do
  "$auc" $pima --convert "$dir/$numbers.dpb" --numbers $numbers >"$dir/out" 2>&1 &&
    grep -q "$numbers.dpb: 768 records of 8 columns" "$dir/out" || wrong "--convert: $(cat "$dir/out")"
done
find "$dir/double.dpb" -perm 0600 | grep -q . || wrong "others may read what --convert writes"
"$auc" "$dir/pima.svm" --columns 8 --labels -1,1 --scale row --convert "$dir/svm.dpb" --quiet || wrong "--convert: LIBSVM"
refuse 1 "double.dpb: exists" $pima --convert "$dir/double.dpb"
refuse 2 "its shape and its labels have to be declared" examples/data/pima.csv --convert "$dir/no.dpb"
refuse 2 "do not go into chunks" $pima --scale zscore --convert "$dir/no.dpb"
refuse 2 "--epsilon is not for --convert" $pima --epsilon 1 --convert "$dir/no.dpb"
refuse 2 "--numbers is double or float" $pima --numbers half --convert "$dir/no.dpb"
refuse 2 "--numbers belongs to --convert" --numbers float
refuse 1 "the label '-1' is neither" examples/data/pima.csv --header yes --labels 0,1 --convert "$dir/no.dpb"
refuse 2 "it is a binary file already" "$dir/double.dpb" --convert "$dir/no.dpb"
refuse 2 "--labels is not for it" "$dir/double.dpb" --labels -1,1 --convert "$dir/no.dpb"
refuse 1 "No such file" "$dir/nothing" --convert "$dir/no.dpb"
ls "$dir" | grep 'no\.dpb\|part$' && wrong "--convert left a file behind"

# Pictures and curves.
"$auc" --splits 2 --svg "$dir/p.svg" --quiet >/dev/null || wrong "svg"
grep -q '<polyline' "$dir/p.svg" && grep -q '</svg>' "$dir/p.svg" && grep -q 'NOT PRIVATE' "$dir/p.svg" ||
  wrong "the picture"
"$BUILD/utility_curves" --loss nosuch >/dev/null 2>&1
[ $? -eq 2 ] || wrong "utility_curves: a loss that there is not"
"$BUILD/utility_curves" --methods gd,auto,one-vector --epsilon 1,4 --delta 0,1/n --splits 2 --json \
  --svg "$dir/u.svg" >"$dir/u.json" || wrong "utility_curves"
[ "$(wc -l <"$dir/u.json")" -eq 10 ] || wrong "utility_curves: $(wc -l <"$dir/u.json") lines"
grep -q 'NOT PRIVATE' "$dir/u-n384-delta.svg" && [ -s "$dir/u-n384-pure.svg" ] || wrong "utility_curves: pictures"

# The table of auto beside baselines is over the same splits: levels without noise are the same numbers.
"$BUILD/run_experiments" --quick --quiet --only auto --out "$dir/table" >/dev/null 2>&1 || wrong "the table of auto"
"$auc" --method one-vector --splits 3 --epsilon 1 --json >"$dir/levels.json"
for level in nonprivate:ceiling zero_budget:zero; do
  is=$(sed -n "s/^auto|pima|.*|=${level#*:}|[^	]*	\\([^ ]*\\) .*/\\1/p" "$dir"/table/results-*.txt)
  holds "$is - $(field "$dir/levels.json" auc_${level%:*}_mean) < 1e-12" &&
    holds "$(field "$dir/levels.json" auc_${level%:*}_mean) - $is < 1e-12" || wrong "splits: ${level#*:} is $is"
done
grep '^| pima | 512 | 1/n | 1 |' "$dir/table/README.md" | grep -q '± [0-9.]* | [+-][0-9.]* ± [0-9.]* | [+-][0-9.]* ± [0-9.]*, [a-z-]* |$' ||
  wrong "the differences of the table"
exit $failed
