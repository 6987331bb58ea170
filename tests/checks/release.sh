#!/bin/sh
# SPDX-License-Identifier: MIT
# What a release shows beside its noisy numbers, through the compiled programs: pairs of files that
# differ in one record give the same exit status, the same messages and a model of the same shape;
# what lies outside of the declared domain gives one sentence; a release destroys no file; a replay,
# and a method without privacy, promise nothing.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" "$BUILD/private_auc" "$BUILD/private_metric" "$BUILD/utility_curves" \
  "$BUILD/run_experiments" || exit 1
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
root=$PWD
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0
wrong() {
  echo "ERROR: $*"
  failed=1
}

# --- data: 40 records of 3 columns, labels 0 and 1, two of each record's columns in [0, 1] --------
# random numbers that every awk has alike: integers below 2^53
awk 'function uniform() { s = s * 16807 % 2147483647; return s / 2147483647 }
BEGIN { s = 700000007; for (i = 0; i < 40; i++)
  printf "%d,%.3f,%.3f,%.3f\n", (i % 3 == 0), uniform(), uniform() + (i % 3 == 0) / 2, uniform() }' >rows
{ echo y,u,v,w; cat rows; } >base.csv
awk -F, '{ printf "%s 1:%s 2:%s 3:%s\n", $1, $2, $3, $4 }' rows >base.svm
tr , '\t' <base.csv >base.tsv
printf 'name,low,high\nu,0,1\nv,0,2\nw,0,1\n' >r
printf '1,0,1\n2,0,2\n3,0,1\n' >r.index
# with LINE FILE TEXT: FILE with TEXT (escapes of echo) in its line LINE, on stdout
with() {
  awk -v at="$1" -v text="$(printf '%bx' "$3")" \
    'NR == at { print substr(text, 1, length(text) - 1); next } { print }' "$2"
}

# --- one run ----------------------------------------------------------------------------------------
program=$BUILD/private_auc
# run FILE ARGUMENTS...: a release of FILE, always under the same names, into out, err, code, shape:
# the model with its numbers masked
run() {
  cp "$1" data
  shift
  rm -f m
  "$program" data --epsilon 1 --delta 0.001 --model m "$@" >out 2>err
  echo $? >code
  : >shape
  mask='s/-\{0,1\}[0-9][-+0-9.e]*/N/g'
  [ -e m ] && sed -e "/\"sigma\"/$mask" -e "/\"model\": \|\"metric\": /,\$$mask" m >shape
  ls >files
}
outcome() { cat code out err shape; }
# same WHAT A B ARGUMENTS...
same() {
  what=$1 a=$2 b=$3
  shift 3
  run "$a" "$@"
  outcome >first
  run "$b" "$@"
  outcome | cmp -s - first || wrong "$what shows: $* $(cat err)"
}
# released WHAT, outside WHAT, misuse WHAT TEXT: how the last run ended
released() { [ "$(cat code)" -eq 0 ] && [ -s shape ] || wrong "$1: not released: $(cat err)"; }
outside() {
  [ "$(cat code)" -eq 1 ] && [ ! -e m ] && [ ! -s out ] || wrong "$1: exit $(cat code)"
  echo "${program##*/}: a record is outside of the declared domain (another label, a missing value," \
    "too many fields or too few, a comment), so nothing is released (the domain: --help; the place: the same without --model)" | cmp -s - err || wrong "$1: $(cat err)"
}
misuse() {
  [ "$(cat code)" -eq 2 ] && [ ! -e m ] && [ ! -s out ] || wrong "$1: exit $(cat code)"
  [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err || wrong "$1: '$(cat err)' lacks '$2'"
}

# --- neighbours inside of the domain ------------------------------------------------------------------
svm="--method one-vector --labels 0,1 --columns 3"
csv="--method one-vector --labels 0,1 --header yes --ranges r"
with 40 base.svm "$(sed -n 40p base.svm) 9:0.5" >wider.svm
with 40 base.svm "$(sed -n 40p base.svm) 99999999999999999999:1e999" >widest.svm
sed 's/^1/0/; 1s/^0/1/' base.csv | sed '2s/^0/1/' >one.csv
with 2 one.csv '0,0.1,0.2,0.3' >none.csv
sed 's/,/ 1:/; s/,/ 2:/; s/,/ 3:/' none.csv | tail -n +2 >none.svm
sed 's/,/ 1:/; s/,/ 2:/; s/,/ 3:/' one.csv | tail -n +2 >one.svm
for program in "$BUILD/private_auc" "$BUILD/private_metric"; do
  name=${program##*/}
  if [ "$name" = private_metric ]; then # the same on its own methods
    svm="--method moments-metric --labels 0,1 --columns 3"
    csv="--method gd --labels 0,1 --header yes --ranges r"
  fi
  same "$name: an index of one record" base.svm wider.svm
  same "$name: an index of one record" base.svm wider.svm $svm
  released "$name: an index beyond the declared ones"
  same "$name: a huge index of one record" base.svm widest.svm $svm
  released "$name: a huge index"
  same "$name: that no record has the label" one.csv none.csv
  same "$name: that no record has the label" one.csv none.csv $csv
  released "$name: one class"
  same "$name: that no record has the label" one.svm none.svm $svm
  released "$name: one class in LIBSVM"
  for spelled in +1 1.00 1e0 '"1"' ' 1 ' 0.1e1; do
    with 2 base.csv "$spelled,0.1,0.2,0.3" >spelled.csv
    with 2 base.csv "1,0.1,0.2,0.3" >plain.csv
    same "$name: the spelling $spelled" plain.csv spelled.csv
    same "$name: the spelling $spelled" plain.csv spelled.csv $csv
    released "$name: the label $spelled"
  done
  with 3 base.csv "-0,0.1,0.2,0.3" >minus.csv
  with 3 base.csv "0.0,0.1,0.2,0.3" >zero.csv
  same "$name: the spelling -0" minus.csv zero.csv
  same "$name: the spelling -0" minus.csv zero.csv $csv
  released "$name: the label -0"
  with 5 base.csv "0,1e307,0.2,-1e308" >large.csv
  for far in 1e309 inf +Infinity 1e99999; do
    with 5 base.csv "0,$far,0.2,-1e308" >far.csv
    same "$name: the value $far" large.csv far.csv --ranges r
    same "$name: the value $far" large.csv far.csv $csv
    released "$name: the value $far"
    same "$name: the value $far" large.csv far.csv $(echo "$csv" | sed 's/--ranges r/--scale row/')
    released "$name: the value $far without a range"
  done
  [ "$(grep -c '"name": "[uvw]"' m)" -eq 3 ] || wrong "$name: the columns' names"
  grep -q '"labels": {"-1": "0", "+1": "1"}' m || wrong "$name: the labels"
done
# What --explain prints is public: the same for neighbours, and for batches of any size.
program=$BUILD/private_auc
with 4 base.csv "1,0.9,1.9,0.9" >other.csv
for method in gd dpsgd-poisson; do
  same "--explain" base.csv other.csv --labels 0,1 --header yes --ranges r --method $method --explain
  released "--explain of $method"
  [ "$(grep -c '^  \(sensitivity\|noise multiplier\|noise scale\|divisor\)' out)" -eq 4 ] || wrong "--explain of $method: $(cat out)"
done
run base.csv --labels 0,1 --header yes --ranges r --method auto --explain
misuse "--explain of auto" "--explain is not for it"
program=$BUILD/private_auc
svm="--method one-vector --labels 0,1 --columns 3"
csv="--method one-vector --labels 0,1 --header yes --ranges r"

# A number of 600 digits is a number; the smaller number may be the positive label; words are labels.
with 5 base.csv "0,1$(printf '%0600d' 0),0.2,0.3" >long.csv
same "the value of 601 digits" large.csv long.csv $csv
released "the value of 601 digits"
run base.csv --method one-vector --labels 1.0,-0 --header yes
grep -q '"labels": {"-1": "1", "+1": "0"}' m || wrong "labels in the declared order"
sed 's/^0,/no,/; s/^1,/"yes",/' base.csv >words.csv
run words.csv --method one-vector --labels no,yes --header yes
released "words as labels"
(echo 1,2,3,4; cat rows) >numbers.csv
printf '2,0,1\n3,0,2\n4,0,1\n' >r.numbers
run numbers.csv --method one-vector --labels 0,1 --header yes --label 1 --ranges r.numbers
released "a header of numbers"
grep -q '"n": 40,' m && grep -q '"name": "4"' m || wrong "a header of numbers is a header"
# a record that is said to be a header must not be shown as one
for bad in "$(sed -n 1p rows)" '0,?,a,b' '0,a,b,nan'; do
  with 1 rows "$bad" >bad
  run bad --method one-vector --labels 0,1 --header yes
  misuse "the record '$bad' for a header" "for a column's name: a header?"
done
run rows --method one-vector --labels 0,1 --header no --columns 3 --ranges r.index
released "no header"
grep -q '"n": 40,' m || wrong "the first of records without a header is a record"
tr ',' ';' <rows >rows.semicolon
run rows.semicolon --method one-vector --labels 0,1 --header no --columns 3 --separator semicolon
released "a declared separator"
run base.svm $svm --ranges r.index
released "LIBSVM with ranges"
run base.tsv $csv
released "tabs"

# --- outside of the domain: one sentence, whatever is wrong and wherever --------------------------------
for at in 2 17 41; do
  for bad in '0,?,?,0.3' '0,nan,0.2,0.3' '0,,0.2,0.3' ',0.1,0.2,0.3' '2,0.1,0.2,0.3' '#0,0.1,0.2,0.3' \
    '# gone' '' ' ' '0,0.1,0.2' '0,0.1,0.2,0.3,0.4' '0,0.1,"0.2' '0,0.1,x,0.3' 'NA,0.1,0.2,0.3' \
    'inf,0.1,0.2,0.3' '1e999,0.1,0.2,0.3' 'y,u,v,w' '0,0.1,0x1,0.3'; do
    with $at base.csv "$bad" >bad.csv
    run bad.csv $csv
    outside "record '$bad' in line $at"
  done
  for bad in '\t\t\t' '\t0.1\t0.2\t0.3' '#\t0.1\t0.2\t0.3' '0\t\t0.2\t0.3'; do
    with $at base.tsv "$bad" >bad.tsv
    run bad.tsv $csv
    outside "record '$bad' in line $at"
  done
done
for at in 1 17 40; do
  for bad in '0,?,?,0.3' '?,?,?,?' 'a,b,c,d' '#0,0.1,0.2,0.3' '' '0;0.1;0.2;0.3'; do
    with $at rows "$bad" >bad
    run bad --method one-vector --labels 0,1 --header no --columns 3
    outside "record '$bad' in line $at without a header"
  done
  for bad in '# 1:0.1' '' '0 1:nan' '0 1:' '0 1' '1:0.1' '0 2:0.1 1:0.1' '0 0:1' '5 1:0.1' \
    '0 1:0.1\r2:0.2'; do
    with $at base.svm "$bad" >bad
    run bad $svm
    outside "record '$bad' in line $at of LIBSVM"
  done
done
# Undeclared, too: missing values in the first record and in another one.
with 1 rows '0,?,?,0.3' >bad
with 17 rows '0,?,?,0.3' >bad2
same "a first record with missing values" bad bad2 --method one-vector
with 1 rows '#0,0.1,0.2,0.3' >bad
same "a first record that begins with #" rows bad --method one-vector
with 5 base.tsv '\t\t\t' >bad
same "a record of blanks" base.tsv bad --method one-vector

# The place is told without --model, by the same declarations.
with 17 base.csv '#0,0.1,0.2,0.3' >bad
"$program" bad --labels 0,1 --header yes >out 2>err && wrong "a comment among records was read over"
grep -q "bad:17:1: the label '#0' is neither '0' nor '1'" err || wrong "the place: $(cat err)"

# --- persons and queries: their number is public, nothing else of whose records there are ----------------
{ echo y,u,v,w,who; awk -F, -v OFS=, '{ print $0, "p" (NR % 10) }' rows; } >owned.csv
person="--person who --labels 0,1 --header yes --ranges r"
grep -v ',p3$' owned.csv >gone.csv
{ cat gone.csv; echo 1,0.1,0.2,0.3,p3; } >fewer.csv
{ cat owned.csv; sed -n '2,41s/p[0-9]$/p3/p' owned.csv; } >more.csv
sed 's/,p3$/,p3x/' owned.csv >renamed.csv
for other in fewer more renamed; do
  same "a person's records ($other)" owned.csv $other.csv $person
  released "persons ($other)"
  same "a query's records ($other)" owned.csv $other.csv --query who --labels 0,1 --header yes --ranges r \
    --adjacency replace-query
  released "queries ($other)"
done
same "that a person is there" owned.csv gone.csv $person --adjacency zero-person --persons 12
released "an absent person"
grep -q '"adjacency": "zero-person"' m && grep -q '"persons": 12,' m || wrong "the persons of a model"
grep -v '"guarantee"' shape | grep -q '"n":\|40\|who\|p[0-9]' && wrong "the model shows records or owners: $(cat shape)"
run owned.csv $person
grep -q "If all records of any single one of the 10 persons (what has one name in the column 'who' counts as one), however many they are" m &&
  grep -q "differential privacy for one person's records, however many, replaced" m || wrong "the guarantee for persons"
run owned.csv --query who --labels 0,1 --header yes --ranges r
released "records in queries"
grep -q "any other record of the declared domain .* in the same query (column 'who')" m && grep -q '"n": 40,' m ||
  wrong "the guarantee for a record in its query"
for bad in '0,0.1,0.2,0.3' '0,0.1,0.2,0.3,' '0,0.1,0.2,0.3,NA' '0,?,0.2,0.3,p3'; do
  with 17 owned.csv "$bad" >bad.csv
  run bad.csv $person
  [ "$(cat code)" -eq 1 ] && [ ! -e m ] && [ "$(wc -l <err)" -eq 1 ] || wrong "an owner outside: '$bad'"
  cp err first
  { cat owned.csv; echo 0,0.1,0.2,0.3,p10; } >bad.csv
  run bad.csv $person --persons 10
  cmp -s err first || wrong "a person too many is told: $(cat err)"
  run more.csv $person --records 50
  cmp -s err first || wrong "how many records there are is told: $(cat err)"
done
head -n 3 owned.csv >few.csv
run few.csv $person --persons 10
cmp -s err first || wrong "how few records there are is told: $(cat err)"

# --- declarations that are missing or do not fit: before any record is read ----------------------------
with 5 base.csv '7,?,#' >bad.csv
run base.csv --method one-vector --header yes
misuse "labels not declared" "declare them, --labels NEG,POS"
run base.csv --method one-vector --labels 0,1
misuse "columns not declared" "--header yes or no"
run rows --method one-vector --labels 0,1 --header no
misuse "no header and no columns" "--columns says how many"
run bad.csv --labels 0 --header yes
misuse "one label" "--labels takes two labels"
run bad.csv --labels 1,+1.0 --header yes
misuse "one label twice" "--labels takes two different labels"
run bad.csv --labels 0,1 --header perhaps
misuse "another --header" "--header is yes or no"
run bad.csv --labels 0,1 --header yes --columns 2
misuse "another width" "the header has 3 columns beside the label, --columns says 2"
run bad.csv --labels 0,1 --header yes --label z
misuse "another label column" "no column is called 'z'"
printf 'name,low,high\nu,0,1\nv,0,2\n' >r.less
printf 'name,low,high\nu,0,1\nv,0,2\nw,0,1\nz,0,1\n' >r.more
run bad.csv --labels 0,1 --header yes --ranges r.less
misuse "a column without a range" "column 'w' has no declared range"
run bad.csv --labels 0,1 --header yes --ranges r.more
misuse "a range without a column" "the data have no column 'z'"
printf 'name,centre,scale,terms\na,0,1,u+z\n' >m.more
run bad.csv --labels 0,1 --header yes --maps m.more
misuse "a map of no column" "the data have no column 'z'"
printf '1,0,1\n2,0,1\n3,0,1\n4,0,1\n' >r.index4
run wider.svm $svm --ranges r.index4
misuse "a range beyond the declared columns" "the data have no column '4'"
printf 'a,0,1,1+4\n' >m.index4
run wider.svm $svm --maps m.index4
misuse "a map beyond the declared columns" "the data have no column '4'"
run base.svm $svm --label 2
misuse "--label for LIBSVM" "--label is not for it"
"$program" --labels 0,1 --splits 1 >out 2>err
[ $? -eq 2 ] || wrong "labels of the built-in records"

# --- headers --------------------------------------------------------------------------------------------
long=$(printf '%064d' 0 | tr 0 a)
{ echo "y,u,u,w"; cat rows; } >twice.csv
{ echo "y,u,$long,w"; cat rows; } >long.csv
for command in "--splits 1" "--labels 0,1 --header yes --epsilon 1 --model m"; do
  "$program" twice.csv $command >out 2>err && wrong "two columns of one name: $command"
  grep -q "two columns are called 'u'" err || wrong "two columns of one name: $(cat err)"
  "$program" long.csv $command >out 2>err && wrong "a name of 64 bytes: $command"
  grep -q "longer than 63 bytes" err || wrong "a name of 64 bytes: $(cat err)"
done
tr '\n' '\r' <base.csv >mac.csv
"$program" mac.csv >out 2>err && wrong "line ends of carriage returns"
grep -q "the line ends are carriage returns alone" err || wrong "carriage returns: $(cat err)"
{ echo 'y,u,"v'; echo '",w'; cat rows; } >quoted.csv
"$program" quoted.csv >out 2>err && wrong "a line break inside of quotes"
grep -q "line breaks inside quotes are not supported" err || wrong "a line break in quotes: $(cat err)"
{ echo 'y,"b""q\uote",v,w'; cat rows; } >escape.csv
printf 'name,low,high\n"b""q\\uote",0,1\nv,0,2\nw,0,1\n' >r.escape
run escape.csv --labels 0,1 --header yes --ranges r.escape --method auto
[ "$(grep -cF '{"name": "b\"q\\uote"' m)" -eq 2 ] || wrong "quotes in names: $(grep -F quote m)"

# --- what a simulation learns, it says ------------------------------------------------------------------
"$program" base.csv --splits 2 >out 2>&1
grep -q "^learnt from the records.*--header yes.*--labels '0,1'" out || wrong "what was learnt"
"$program" base.csv --splits 2 --header yes --labels 0,1 >out 2>&1
grep -q "learnt from the records" out && wrong "nothing was learnt, but it says so"
"$program" base.csv --splits 1 --epsilon 1 --json | grep -q '^{"simulation": true,' || wrong "private_auc --json"
"$BUILD/private_metric" base.csv --splits 1 --epsilon 1 --json | grep -q '^{"simulation": true,' ||
  wrong "private_metric --json"
"$BUILD/utility_curves" base.csv --splits 1 --epsilon 1 --methods gd --json |
  grep -q '^{"simulation": true,' || wrong "utility_curves --json"

# --- files are not destroyed -----------------------------------------------------------------------------
cp base.csv kept
"$program" kept --labels 0,1 --header yes --epsilon 1 --model kept >out 2>err
[ $? -eq 1 ] && cmp -s base.csv kept || wrong "the model took the place of its data"
echo mine >taken
"$program" --epsilon 1 --model taken >out 2>err
[ $? -eq 1 ] && [ "$(cat taken)" = mine ] || wrong "the model took the place of a file"
ln -s /dev/full full
"$program" --epsilon 1 --model full >out 2>err && wrong "a model was written to a full device"
[ -L full ] || wrong "a device was removed"
"$program" absent.csv --labels 0,1 --header yes --epsilon 1 --model absent/m >out 2>err
[ $? -eq 1 ] && grep -q '^private_auc: absent/m: No such file' err || wrong "an unwritable model: $(cat err)"
for program in private_auc private_metric utility_curves; do
  "$BUILD/$program" kept --splits 1 --epsilon 1 --svg kept >out 2>err
  [ $? -eq 2 ] && cmp -s base.csv kept || wrong "$program: a picture took the place of the data"
done
program=$BUILD/private_auc
mkdir reports
echo mine >reports/README.md
"$BUILD/run_experiments" --quick --quiet --only yang2021 --out reports >out 2>err
[ $? -eq 1 ] && [ "$(cat reports/README.md)" = mine ] || wrong "a report took the place of a file"
run bad.csv $csv
ls | grep -q part && wrong "a refused release left its temporary file"

# --- replays ------------------------------------------------------------------------------------------------
again="--labels 0,1 --header yes --method one-vector --epsilon 0.001 --delta 0.001"
released_part() { sed -n '/"steps"/,$p' "$1"; }
"$program" base.csv $again --model a --save-key key >out 2>err || wrong "a kept key"
"$program" base.csv $again --model b --replay key >out 2>err || wrong "a replay: $(cat err)"
released_part a >a1
released_part b | cmp -s - a1 || wrong "the replay differs"
grep -q '"replayed": true' b && grep -q '"guarantee": "replayed: no guarantee' b &&
  grep -q '"epsilon": "inf"' b && grep -q '^replayed: no guarantee' out || wrong "the mark of a replay"
grep -q 'differential privacy' b && wrong "a replay promises privacy"
grep -q '"replayed": false' a || wrong "the mark of a first release"
sed '5s/^0/1/; 5s/^1/0/' base.csv >flipped.csv
cmp -s base.csv flipped.csv && wrong "the test's own data"
refuse_replay() {
  what=$1
  shift
  "$program" "$@" --model c --replay key >out 2>err
  [ $? -eq 1 ] && [ ! -e c ] && grep -q "the key of another release" err || wrong "replayed with $what"
}
refuse_replay "another label" flipped.csv $again
refuse_replay "another epsilon" base.csv $again --epsilon 0.002
refuse_replay "another delta" base.csv $again --delta 0.002
refuse_replay "another method" base.csv $again --method declared
refuse_replay "another radius" base.csv $again --radius 0.5
refuse_replay "another scale" base.csv $again --ranges r
refuse_replay "other labels" base.csv $again --labels 1,0
# A digest that is put in by hand opens the file, but the noise is that of other data.
"$program" flipped.csv $again --model d --save-key key.d >out 2>err
{ sed -n 1,3p key; sed -n 4p key.d; } >forged
"$program" flipped.csv $again --model e --replay forged >out 2>err || wrong "the forged key: $(cat err)"
numbers() { sed -n 's/.*"model": \[\(.*\)\]/\1/p' "$1" | tr ', ' '\n\n' | grep .; }
[ "$(numbers a | wc -l)" -eq 3 ] || wrong "the model's numbers"
numbers a >a2
numbers e | paste - a2 | awk '{ far = far || ($1 - $2) * ($1 - $2) > 0.01 } END { exit !far }' ||
  wrong "one key gave two data sets the same noise"
{ echo "dppair release key 1"; printf '%064d\n%064d\n' 0 0; } >zeros
"$program" base.csv $again --model f --replay zeros >out 2>err && wrong "a key of zeros was taken"
"$program" --epsilon 1 --model f --seed 1 >out 2>err
[ $? -eq 2 ] && grep -q -- "--seed is for simulations" err || wrong "--seed beside --model"

"$program" base.csv $again --model g --replay key >out 2>err
grep -q "others may read" err && wrong "a warning for a secret key"
chmod 644 key
"$program" base.csv $again --model h --replay key >out 2>err
grep -q "warning: others may read key" err || wrong "a key that others may read: $(cat err)"

# the key never takes the model's name, however that is spelled
mkdir -p place
ln -s place other
for names in "./k k" "place/k place/./k" "place/k other/k" "k $dir/k" "$dir/k k" "place/../k k"; do
  "$program" --epsilon 1 --delta 1e-4 --method one-vector --save-key "${names% *}" --model "${names#* }" >out 2>err
  [ $? -eq 2 ] && grep -q "name the same file" err && [ ! -e k ] && [ ! -e place/k ] || wrong "one name for two: $names"
  rm -f k place/k
done
"$program" --epsilon 1 --delta 1e-4 --method one-vector --save-key place/k --model k >out 2>err || wrong "two places"

# --- words --------------------------------------------------------------------------------------------------
promise() { sed -n 's/.*"guarantee": "\(.*\)".*/\1/p' m; }
program=$BUILD/private_metric
metric="--labels 0,1 --header yes --ranges r"
for method in dpgdsc offpairstrc offpairc dpegd yang2021 direction-metric maps-metric moments-metric identity; do
  run base.csv $metric --method $method
  released "$method"
  promise | grep -q "every iterate" && wrong "$method: noiseless iterates are said to be covered"
done
run base.csv $metric --method gd
promise | grep -q "every iterate" || wrong "gd: its iterates are covered"
run base.csv $metric --method kang2021 --as-printed
grep -q '"note": "AS PRINTED' m && grep -q 'AS PRINTED' out || wrong "the note of a metric"
program=$BUILD/private_auc
for method in "niewang2017 --as-printed" "niewang2017-fourier --as-printed" pidpsgd-not-private; do
  run base.csv $csv --method $method
  released "$method"
  promise | grep -q "^NO GUARANTEE" || wrong "$method promises: $(promise)"
  grep -q 'differential privacy for' m && wrong "$method promises privacy"
  grep -q '"note": ".*NOT PRIVATE' m || wrong "$method: its note"
done
run base.csv $csv --method niewang2017 --as-printed
[ "$(numbers m | wc -l)" -eq 4 ] || wrong "the scalar that is added is not in the file"
run base.csv $csv --method pidpsgd-not-private --steps 20
grep -q "delta" m && grep -q 'delta is at least' m && wrong "a lower bound without its premise"
"$program" --epsilon 1 --method one-vector --model w1 >out 2>err
grep -q "warning: delta = 0.00130209 is not below 1/n" err || wrong "delta = 1/n without a word"
sed 9q rows | cat base.csv - >base49.csv # 1/49 times 49 is below 1 in doubles
"$program" base49.csv --labels 0,1 --header yes --epsilon 1 --method one-vector --model w3 >out 2>err
grep -q "is not below 1/n" err || wrong "delta = 1/n without a word, n = 49"
"$program" --epsilon 1 --method one-vector --model w2 --delta 1e-4 >out 2>err
[ -s err ] && wrong "a warning for delta below 1/n"

# what the file holds, and what it does not
run base.csv $csv --method gd
promise | grep -q "file that --model names, which holds the weights, one number per feature; this would also cover every iterate on the way to them, which no file holds" ||
  wrong "the file does not hold the iterates: $(promise)"
run base.csv $csv --method statistics
promise | grep -q "holds the weights; this would also cover the noisy moments, which no file" || wrong "moments: $(promise)"
run base.csv $csv --method one-vector
promise | grep -q "holds the weights, one number per feature, and this covers nothing else\." || wrong "one vector: $(promise)"
program=$BUILD/private_metric
for method in gd kang2021 dpegd; do
  run base.csv $metric --method $method
  grep -q '"epsilon": 1,' m && promise | grep -q "exp(1) times" || wrong "$method: two epsilons: $(grep '"epsilon"' m)"
done
for program in private_auc private_metric; do
  "$BUILD/$program" base.csv --splits 1 --epsilon 2,1 >out 2>err
  tr '\n' ' ' <out >line
  grep -q "with --model FILE --epsilon 2 would guarantee: If any single one of the n = 40 records.*exp(2) times as large plus 0.025\..*warning: delta = 0.025 is not below 1/n" line ||
    wrong "$program: a release of all records: $(cat line)"
  "$BUILD/$program" --help | grep -q "after a crash too, spends its epsilon again" || wrong "$program: crashes"
done
program=$BUILD/private_auc
printf 'x\ry' >one.cr
printf 'x y' >one.blank
for declared in "--header no --columns 3" "--columns 3"; do
  same "a carriage return in the only record" one.blank one.cr --labels 0,1 $declared
done

# --- options that would do nothing -----------------------------------------------------------------------
refuse() {
  text=$1 program=$BUILD/$2
  shift 2
  "$program" "$@" >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] && grep -qF -- "$text" err || wrong "taken: $* ($(cat err))"
}
refuse "has no choice of losses" private_auc --method auto --loss nonsense
refuse "has no choice of losses" private_auc --method dpsgd --loss hinge
refuse "has no choice of losses" private_auc --method filter-pairs --loss hinge
refuse "has no number of steps" private_auc --method auto --steps 3
refuse "has no step size" private_auc --method auto --step-size 3
refuse "has no row norm" private_auc --method auto --radius 3
refuse "has no ball" private_auc --method auto --param-radius 3
refuse "has no ball" private_auc --method filter-pairs --param-radius 1
refuse "has no number of steps" private_auc --method selection --steps 3
refuse "has no number of steps" private_auc --method offpairc --steps 3
refuse "scales the columns itself" private_auc --method auto --scale row
refuse "scales the columns itself" private_auc --method auto --scale zscore
refuse "has no choice of losses" private_metric --method direction-metric --loss hinge
refuse "does not count columns for each class" private_auc --method one-vector --non-monotone mass
refuse "has no step size" private_metric --method moments-metric --step-size 1
for option in "--splits 3" "--svg x.svg" "--seed 2" --json; do
  refuse "is for simulations" private_auc --epsilon 1 --model x $option
  refuse "is for simulations" private_metric --epsilon 1 --model x $option
done
refuse "has no choice of losses" utility_curves --methods auto --loss hinge
refuse "unknown option" utility_curves --model x
refuse "no experiment is called" run_experiments --only nonsense
[ -e x ] && wrong "a refused release left a file"

# --- numbers whose products would leave the range of doubles, or of the noise -----------------------------
# pair_of WHAT FIRST SECOND ARGUMENTS...: two neighbouring files of four records of one column
pair_of() {
  what=$1
  printf 'label,a\n%s\n0,-1\n0,1\n1,-1\n' "$2" >one.csv
  printf 'label,a\n%s\n0,-1\n0,1\n1,-1\n' "$3" >two.csv
  shift 3
  same "$what" one.csv two.csv --labels 0,1 --header yes --ranges r.a "$@"
}
printf 'name,low,high\na,-1,1\n' >r.a
for method in "private_auc yang2021" "private_metric yang2021" "private_metric yang2021-nuclear"; do
  program=$BUILD/${method% *} method=${method#* }
  link="--method $method --param-radius 1 --steps 11"
  [ "$program" = "$BUILD/private_auc" ] && link="$link --loss logistic"
  pair_of "$method: squares that underflow" 1,1 1,-1 $link --radius 1e-170
  misuse "$method: a radius of 1e-170" "--radius takes a number in [1e-20, 1e+20]"
done
program=$BUILD/private_auc
pair_of "a solver that underflows" 1,0 1,1 --method niewang2017 --radius 1e-20 --lambda 1e303
misuse "a lambda of 1e303" "--lambda takes a number in [1e-20, 1e+20]"
pair_of "the noise's grid" 1,1 1,-1 --method one-vector --delta 0 --epsilon 1e12
misuse "an epsilon of 1e12" "epsilon lies in [1e-09, 1000]"
for option in --radius --param-radius --step-size; do
  for value in 9e-21 1.1e20; do
    refuse "$option takes a number in" private_metric absent.csv --method gd $option $value
    refuse "$option takes a number in" utility_curves absent.csv --methods gd $option $value
  done
done
refuse "epsilon lies in" private_auc absent.csv --epsilon 1,9e-10
# at the ends of what is taken, neighbours fare alike
for corner in "--radius 1e-20 --lambda 1e20" "--radius 1e20 --lambda 1e-20" "--radius 1e20 --lambda 1e20"; do
  for method in niewang2017 niewang2017-pairs kang2021 dpgdc2 dpgdsc; do
    pair_of "$method $corner" 1,0 1,1 --method $method $corner
  done
done
for corner in "1e-20 1e-20" "1e-20 1e20" "1e20 1e-20" "1e20 1e20"; do
  pair_of "yang2021 $corner" 1,1 1,-1 --method yang2021 --loss logistic --steps 11 \
    --radius ${corner% *} --param-radius ${corner#* }
done
pair_of "one-vector, epsilon 1000" 1,1 1,-1 --method one-vector --epsilon 1000
released "one-vector, epsilon 1000"
# within the range: what auto says of the ends of a range comes from its release, so that one run in a
# hundred says something else, and words are not compared
for value in 0.5 -0.5; do
  printf 'label,a\n1,%s\n0,-1\n0,1\n1,-1\n' "$value" >one.csv
  run one.csv --labels 0,1 --header yes --ranges r.a --method auto --epsilon 1000
  released "auto, epsilon 1000, the value $value"
done

# --- the command that docs/programs.md prints -------------------------------------------------------------------
command=$(sed -n 's,^    build/\(private_auc .*--model\) FILE.*,\1,p' "$root/docs/programs.md")
[ -n "$command" ] || wrong "docs/programs.md prints no release"
(cd "$root" && "$BUILD"/$command "$dir/readme.json") >out 2>err || wrong "docs/programs.md's command: $(cat err)"
[ -s readme.json ] || wrong "docs/programs.md's command wrote nothing"

# --- scores of other records ---------------------------------------------------------------------------------
# columns are found by name, in any order, beside others that are no numbers, with labels or without
awk -F, 'NR == 1 { print "w;who;v;u"; next } { print $4 ";somebody;" $3 ";" $2 }' base.csv >other.csv
sed 's/^[01] //' base.svm >other.svm
for method in gd auto; do
  rm -f linear indexed
  "$program" base.csv --labels 0,1 --header yes --ranges r --epsilon 1 --method $method --model linear --quiet 2>err
  "$program" base.svm --labels 0,1 --columns 3 --ranges r.index --epsilon 1 --method $method --model indexed --quiet 2>err
  for pair in "linear base.csv other.csv" "indexed base.svm other.svm"; do
    set -- $pair
    "$program" --apply "$1" "$2" >first 2>err || wrong "--apply $pair: $(cat err)"
    [ "$(grep -c '^-\{0,1\}[0-9]' first)" = 40 ] || wrong "--apply $pair: not 40 scores"
    "$program" --apply "$1" "$3" 2>err | cmp -s - first || wrong "--apply $pair: other scores $(cat err)"
  done
done
# inapplicable CODE SENTENCE ARGUMENTS...
inapplicable() {
  expected=$1 sentence=$2
  shift 2
  "$program" --apply "$@" >out 2>err
  code=$?
  [ $code = "$expected" ] && [ ! -s out ] && grep -q "$sentence" err || wrong "--apply $*: $code $(cat out err)"
}
rm -f mlp
"$program" base.csv --labels 0,1 --header yes --ranges r --epsilon 1 --method dpsgd-mlp --model mlp --quiet 2>err
inapplicable 1 "a model of method dpsgd-mlp, which" mlp base.csv
inapplicable 1 "no column is called 'u'" linear r
inapplicable 2 "is not for --apply" linear base.csv --epsilon 1
inapplicable 2 "needs DATA" linear
inapplicable 1 "not a model" base.csv base.csv
head -c 3000 linear >short
inapplicable 1 "" short base.csv
# derived columns: with the constants of training, or not at all
for derived in "name,terms/d,u-v" "d,.5,2,u-v"; do
  rm -f derives
  echo "$derived" | tr / '\n' >derived.maps
  case $derived in name*) ranges="--ranges r" ;; *) ranges= ;; esac
  "$program" base.csv --labels 0,1 --header yes $ranges --maps derived.maps --epsilon 1 --model derives --quiet 2>err
  "$program" --apply derives base.csv $ranges --maps derived.maps >out 2>err || wrong "$derived: $(cat err)"
  [ "$(grep -c '^-\{0,1\}[0-9]' out)" = 40 ] || wrong "$derived: not 40 scores"
  sed 's/2,u/3,u/' derived.maps >other.maps
  sed '/^u,/s/.*/u,-77,77/' r >other.ranges
  inapplicable 1 "'d' is not what it was" derives base.csv ${ranges:+--ranges other.ranges} --maps other.maps
done
sed 's/somebody;[^;]*/somebody;?/' other.csv >missing.csv
inapplicable 1 "a value is missing" linear missing.csv

# --- widths that cubic methods cannot work with ------------------------------------------------------------
refuse "numbers: at most 20000 columns" private_metric "$dir/base.svm" --columns 30000 --epsilon 1 \
  --labels 0,1 --model x
exit $failed
