#!/bin/sh
# SPDX-License-Identifier: MIT
# Training from a file that is read again in each pass: the model is that of training in memory, byte
# for byte, from CSV, LIBSVM and the binary format; a run that is killed at any moment and gone on with
# writes what one run would, and pays once; faults of files end it with one sentence, and nothing is
# lost. KILLS (default 4): how often a run is killed.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
KILLS=${KILLS:-4}
make -s BUILD="$BUILD" "$BUILD/private_auc" || exit 1
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
auc=$BUILD/private_auc
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0
wrong() {
  echo "ERROR: $*"
  failed=1
}

# --- data: 5000 records of two columns in two blocks; the same in three formats -------------------
# random numbers that every awk has alike: integers below 2^53
random='function uniform() { s = s * 16807 % 2147483647; return s / 2147483647 }'
awk "$random"'
BEGIN { s = 500000005; for (i = 0; i < 5000; i++) { y = i * i % 3 == 0
  printf "%d,%.4f,%.3f\n", y, uniform() + y / 4, 9 * uniform() - 3 } }' >rows
{ echo y,u,v; cat rows; } >d.csv
sed 's/,/ 1:/; s/,/ 2:/' rows >d.svm
{ echo y,u,v; head -n 300 rows; } >few.csv
sed 's/^1/0/' d.csv >one.csv
printf 'name,low,high\nu,0,1\nv,-3,6\n' >ranges
printf '1,0,1\n2,-3,6\n' >indices
csv="--labels 0,1 --header yes --ranges ranges"
svm="--labels 0,1 --columns 2 --ranges indices"
run="--method gd --epsilon 2 --delta 1e-5 --quiet"

# train MODEL ARGUMENTS...: a release; its words into out and err
train() {
  to=$1
  shift
  rm -f "$to"
  "$auc" $run --model "$to" "$@" >out 2>err
}
# equal WHAT A B
equal() { cmp -s "$2" "$3" || wrong "$1: another model"; }
# refuse CODE TEXT ARGUMENTS...: one sentence and no model
refuse() {
  code=$1 text=$2
  shift 2
  rm -f m
  "$auc" $run --model m "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] && [ ! -e m ] || wrong "exit $got: $*: $(cat err)"
  grep -qF -- "$text" err || wrong "'$(cat err)' lacks '$text'"
}

# --- memory and stream --------------------------------------------------------------------------------
"$auc" d.csv $csv --convert d.dpb --quiet >out 2>err || wrong "--convert: $(cat err)"
# both WHAT KEY ARGUMENTS...: in memory and as a stream, by one key; the model is left in m
both() {
  what=$1
  shift
  train a "$@" --save-key k || wrong "$what: $(cat err)"
  train m "$@" --replay k || wrong "$what, replayed: $(cat err)"
  train s "$@" --replay k --stream || wrong "$what, as a stream: $(cat err)"
  equal "$what, as a stream" m s
  mask='/"guarantee"/d; /"replayed"/d; /"epsilon"/d'
  sed "$mask" a >a.numbers
  sed "$mask" m | cmp -s - a.numbers || wrong "$what: the replay has other numbers"
  rm -f k.old
  mv k k.old
}
both "few records" few.csv $csv --steps 3
both "one class" one.csv $csv --steps 2
both "LIBSVM" d.svm $svm --steps 3
both "rows by their norm" d.csv --labels 0,1 --header yes --scale row --steps 2
both "hinge" d.csv $csv --loss hinge --steps 2
both "CSV" d.csv $csv --steps 3
train s d.dpb --replay k.old --stream --steps 3 || wrong "binary: $(cat err)"
equal "binary" m s
train s d.dpb --replay k.old --steps 3 || wrong "binary without --stream: $(cat err)"
equal "binary without --stream" m s

# persons: one has more records than a block usually holds, some have none; numbers, then names
awk "$random"'
BEGIN { s = 900000009; for (p = 0; p < 300; p++) { k = p == 200 ? 4400 : 1 + int(6 * uniform()); for (i = 0; i < k; i++)
  printf "%d,%.4f,%.3f,%s%d\n", (uniform() < 0.4), uniform(), 9 * uniform() - 3, (p < 150 ? "" : "p"), (p < 150 ? p : 1000 + p) } }' >rows
{ echo y,u,v,who; cat rows; } >p.csv
{ echo y,u,v,who; grep ',[0-5]$' rows; } >pfew.csv
{ echo y,u,v,who; sort -r rows; } >mixed.csv
who="--person who"
both "persons" p.csv $csv $who --steps 3
"$auc" p.csv $csv $who --convert p.dpb --quiet >out 2>err || wrong "--convert: $(cat err)"
train s p.dpb $who --replay k.old --steps 3 || wrong "persons, binary: $(cat err)"
equal "persons, binary" m s
zero="--adjacency zero-person --persons 1500 --records 9000"
both "persons without a record" p.csv $csv $who $zero --steps 2
train s p.dpb $who $zero --replay k.old --steps 2 --checkpoint c || wrong "persons, kept: $(cat err)"
equal "persons, with a checkpoint" m s
both "few persons" pfew.csv $csv $who --records 90 --steps 2
"$auc" mixed.csv $csv $who --convert mixed.dpb --quiet >out 2>err
[ $? -eq 1 ] && [ ! -e mixed.dpb ] && grep -q 'sort them by this column' err || wrong "unsorted: $(cat err)"
refuse 1 "persons out of order" mixed.csv $csv $who --stream
refuse 1 "beyond what is declared" p.dpb $who --persons 299
refuse 1 "beyond what is declared" p.dpb $who --records 5000
refuse 2 "--person 'who' protects them" p.dpb
refuse 2 "does not say whose" d.dpb $who

# --- stopped and gone on with ----------------------------------------------------------------------------
steps="--steps 40"
train a d.csv $csv $steps --save-key k || wrong "$(cat err)"
train m d.csv $csv $steps --replay k || wrong "$(cat err)"
stream="d.dpb $steps --replay k --checkpoint c"
train s $stream || wrong "with a checkpoint: $(cat err)"
equal "with a checkpoint" m s
[ ! -e c ] || wrong "the checkpoint stays"
train s d.csv $csv $steps --replay k --checkpoint c || wrong "in memory with a checkpoint: $(cat err)"
equal "in memory with a checkpoint" m s

# One run after the other, each killed after a random time, until the model is there.
seed=1
kills=0
rounds=0
: >lines
while [ $kills -lt "$KILLS" ]; do
  rounds=$((rounds + 1))
  rm -f s c
  again=
  : >lines
  while :; do
    "$auc" $run --model s $stream $again >out 2>err &
    pid=$!
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    sleep 0.0$((seed / 65536 % 90 + 10))
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
    code=$?
    if [ -e s ] && [ ! -e c ]; then break; fi
    if [ $code -ne 137 ] && [ $code -ne 0 ]; then
      wrong "killed and gone on with: exit $code: $(cat err)"
      break 2
    fi
    [ -e c ] && again=--resume
    [ -s c ] && sed -n 's/^line //p' c >>lines
    if [ $kills -ge "$KILLS" ]; then # a slow machine may have killed each before it began
      "$auc" $run --model s $stream $again >out 2>err || wrong "gone on with: $(cat err)"
      break
    fi
  done
  [ -e s ] || { rm -f s.*.part; continue; }
  equal "killed" m s
  [ "$(sort -u lines | wc -l)" -le 1 ] || wrong "more than one plan was paid"
  rm -f s.*.part
done
[ -e c ] && wrong "a checkpoint stays"

# stopped: a run that has made some of its steps, stopped by SIGSTOP; its number is $pid
stopped() {
  tries=0
  while :; do
    tries=$((tries + 1))
    [ $tries -le 500 ] || { wrong "it could not be stopped: $(cat err)"; return; }
    rm -f m2 c
    "$auc" $run --model m2 "$@" --replay k --checkpoint c --steps 100 >out 2>err &
    pid=$!
    until [ -s c ] || ! kill -0 $pid 2>/dev/null; do :; done
    while kill -STOP $pid 2>/dev/null; do
      if [ ! -s c ] || [ -e m2 ]; then break; fi # too late
      grep -aq '^step  *[1-8][0-9]\{0,1\}$' c && return # ten steps are left at least
      kill -CONT $pid
    done
    kill -CONT $pid 2>/dev/null
    wait $pid
  done
}
train long d.csv $csv --steps 100 --save-key k2 || wrong "$(cat err)"
mv k2 k
train long d.csv $csv --steps 100 --replay k || wrong "$(cat err)"
long="--replay k --checkpoint c --steps 100"
stopped d.dpb
[ "$(ls -l c | cut -c 1-10)" = -rw------- ] || wrong "others may read the checkpoint"
refuse 1 "another run is going on with it" d.dpb $long --resume
refuse 1 "exists; --resume goes on" d.dpb $long
ln c link
kill -CONT $pid
wait $pid || wrong "stopped and continued: $(cat err)"
equal "while others tried" long m2
[ ! -e c ] && [ "$(tr -d '\000' <link)" = ended... ] || wrong "the key is not overwritten"
rm -f link

stopped d.dpb
kill -9 $pid
wait $pid 2>/dev/null
cp c kept
rm -f m2.*.part
refuse 1 "other settings" d.dpb --replay k --checkpoint c --steps 101 --resume
refuse 1 "other settings" d.dpb --replay k --checkpoint c --steps 100 --radius 0.5 --resume
refuse 1 "other settings" d.dpb --checkpoint c --steps 100 --resume # its noise is known: k is kept
sed '2s/,0/,1/' d.csv >other.csv
cmp -s d.csv other.csv && wrong "the other file is the same"
refuse 1 "other data" other.csv $csv $long --stream --resume
refuse 2 "--checkpoint FILE" d.dpb --steps 100 --resume
cmp -s c kept || wrong "a refusal changed the checkpoint"
size=$(wc -c <kept)
at=0
while [ $at -lt "$size" ]; do # a flipped byte: refused, or the step before in the other slot
  { head -c $at kept; head -c $((at + 1)) kept | tail -c 1 | tr '\000-\377' '\001-\377\000'; tail -c +$((at + 2)) kept; } >c
  if train m2 d.dpb $long --resume; then
    equal "byte $at of the checkpoint flipped" long m2
  else
    grep -q 'no checkpoint, or damaged' err || wrong "byte $at: $(cat err)"
  fi
  at=$((at + 331))
done
for at in 1 7 9 100 $((size / 2)) $((size - 1)); do
  head -c "$at" kept >c
  refuse 1 "no checkpoint, or damaged" d.dpb $long --resume
done
: >c # nothing was paid yet
train m2 d.dpb $long --resume || wrong "a checkpoint that had only been claimed: $(cat err)"
equal "a checkpoint that had only been claimed" long m2
cp kept c # the model is there already
"$auc" $run --model m2 d.dpb $long --resume >out 2>err || wrong "the model was there: $(cat err)"
[ ! -e c ] && cmp -s long m2 || wrong "the model was there: the checkpoint stays"
cp kept c
echo other >m
"$auc" $run --model m d.dpb $long --resume >out 2>err && wrong "another model was replaced"
[ "$(cat m)" = other ] && grep -q 'exists' err && [ -e c ] || wrong "another model: $(cat err)"

# --- faults of files ----------------------------------------------------------------------------------
rm -f c
refuse 1 "No such file" d.dpb $long --resume
refuse 1 "No such file" d.dpb --steps 2 --checkpoint none/c
refuse 2 "a file of its own" d.dpb --steps 2 --checkpoint m
refuse 2 "needs all records at once" d.csv $csv --method one-vector --stream
refuse 2 "held in memory" d.csv $csv --query u --stream
rm -f m2 c full
( # the model with its guarantee is longer than this, the checkpoint is not
  trap '' XFSZ
  ulimit -f 3
  "$auc" $run --model m2 d.dpb --save-key full --checkpoint c --steps 9 >out 2>err
) && wrong "a full disk: the model was written"
grep -q 'File too large' err && grep -q -- '--resume' err && [ ! -e m2 ] || wrong "a full disk: $(cat err)"
train m2 d.dpb --checkpoint c --steps 9 --resume || wrong "after a full disk: $(cat err)"
train n d.dpb --replay full --steps 9 || wrong "$(cat err)"
sed "$mask" n >n.numbers
sed "$mask" m2 | cmp -s - n.numbers || wrong "after a full disk: another model"
rm -f m2
(
  trap '' XFSZ
  ulimit -f 1
  "$auc" $run --model m2 d.dpb $long >out 2>err
) && wrong "a full disk: the checkpoint was written"
grep -q 'File too large' err && [ ! -e c ] && [ ! -e m2 ] || wrong "no checkpoint: $(cat err)"
head -c 50000 d.dpb >cut.dpb
refuse 1 "cut.dpb" cut.dpb --steps 2
{ head -c 70000 d.dpb; printf x; tail -c +70002 d.dpb; } >flipped.dpb
refuse 1 "flipped.dpb" flipped.dpb --steps 2
cp d.csv changing.csv
stopped changing.csv $csv --stream
sed '2s/,0/,1/' d.csv >changing.csv
kill -CONT $pid
wait $pid && wrong "the file changed during the run"
[ ! -e m2 ] && [ -s c ] && grep -q changing.csv err || wrong "the file changed: $(cat err)"
refuse 1 "other data" changing.csv $csv $long --stream --resume
train m2 d.csv $csv $long --stream --resume || wrong "the file is as it was: $(cat err)"
equal "the file is as it was" long m2
ls | grep -q '\.part$' && wrong "left behind: $(ls -- *.part)"

[ $failed -eq 0 ] && echo "stream: equal to memory; $kills kills in $rounds runs"
exit $failed
