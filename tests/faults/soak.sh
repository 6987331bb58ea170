#!/bin/sh
# SPDX-License-Identifier: MIT
# Load. First the memory of training: pages in memory, sampled from /proc/PID/statm, at 10^4, 10^5 and
# 10^6 records read from a file, and over many steps: flat. Then, until SOAK_SECONDS are over, jobs of
# random sizes, losses and formats, each killed at random moments and gone on with from its checkpoint:
# the model is, to the last byte, that of a run that nobody stopped. SEED: the random numbers. RECORDS,
# STEPS: the largest load (10^6, 10^4).
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
SOAK_SECONDS=${SOAK_SECONDS:-600}
RECORDS=${RECORDS:-1000000}
STEPS=${STEPS:-10000}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
auc=$BUILD/private_auc
[ -r /proc/self/statm ] || { echo "skipped: no /proc/PID/statm"; exit 0; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0
wrong() {
  echo "ERROR: $*"
  failed=1
}
page=$(getconf PAGESIZE)
printf 'name,low,high\nu,0,1\nv,-3,6\n' >ranges
shape="--labels 0,1 --header yes --ranges ranges"
run="--method gd --epsilon 2 --delta 1e-9 --quiet --param-radius 5" # so that no weights outgrow the sums of a stream

# data FILE RECORDS SEED: two columns, a third of the labels 1
data() {
  # random numbers that every awk has alike: integers below 2^53
  awk -v n="$2" -v seed="$3" 'function uniform() { s = s * 16807 % 2147483647; return s / 2147483647 }
  BEGIN { s = (seed + 1) * 7919 % 2147483646 + 1; print "y,u,v"
    for (i = 0; i < n; i++) { y = i % 3 == 0; printf "%d,%.4f,%.3f\n", y, (uniform() + y) / 2, 9 * uniform() - 3 } }' >"$1"
}

# resident WHAT COMMAND...: runs it, prints the largest and the last third's growth of its memory
resident() {
  what=$1
  shift
  rm -f m
  "$@" >out 2>err &
  pid=$!
  : >pages
  while kill -0 $pid 2>/dev/null; do
    read -r _ now _ 2>/dev/null <"/proc/$pid/statm" && echo "$now" >>pages
    sleep 0.05
  done
  wait $pid || wrong "$what: $(cat err)"
  sort -n pages | tail -n 1 | awk -v page="$page" -v what="$what" '{ printf "%-44s %8.1f MB\n", what, $1 * page / 1e6 }'
  peak=$(sort -n pages | tail -n 1)
  # of a run in its middle and at its end: nothing is kept from one step to the next
  growth=$(awk '{ p[NR] = $1 } END { a = p[int(NR / 2) + 1]; b = a; for (i = int(NR / 2) + 1; i <= NR; i++) if (p[i] > b) b = p[i]; print b - a + 0 }' pages)
  [ "$growth" -le 256 ] || wrong "$what: grows by $growth pages in its second half"
}

data large.csv "$RECORDS" 1
small=
for part in 100 10 1; do
  n=$((RECORDS / part))
  rm -f d.dpb
  head -n $((n + 1)) large.csv >part.csv
  "$auc" part.csv $shape --convert d.dpb --quiet >out 2>err || wrong "$(cat err)"
  resident "$n records in a binary file, 20 steps" "$auc" $run --model m --steps 20 d.dpb
  [ -n "$small" ] || small=$peak
  [ "$peak" -le $((2 * small + 2048)) ] || wrong "$n records take $peak pages, fewer ones $small"
done
rm -f large.csv part.csv d.dpb
data few.csv 300 2
resident "300 records, $STEPS steps" "$auc" $run --model m --steps "$STEPS" few.csv $shape
data some.csv 3000 2
resident "3000 records as a stream, $((STEPS / 10)) steps" "$auc" $run --model m --steps "$((STEPS / 10))" some.csv $shape --stream

# --- jobs ------------------------------------------------------------------------------------------
seed=${SEED:-1}
draw() { # an integer below $1 into $drawn
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  drawn=$((seed / 65536 % $1))
}
end=$(($(date +%s) + SOAK_SECONDS))
jobs=0 kills=0 resumed=0
while [ "$(date +%s)" -lt $end ]; do
  draw 8; n=$((200 + drawn * drawn * 100))
  draw 60; steps=$((10 + drawn))
  draw 3; loss=$(echo logistic hinge square | cut -d ' ' -f $((drawn + 1)))
  data d.csv $n $seed
  rm -f k m reference first c d.dpb ./*.part
  input="d.csv $shape"
  "$auc" $run --steps $steps --loss $loss $input --model first --save-key k >out 2>err || wrong "$(cat err)"
  draw 3
  case $drawn in
  0) "$auc" $input --convert d.dpb --quiet >out 2>err || wrong "$(cat err)"; input=d.dpb ;;
  1) input="$input --stream" ;;
  esac
  line="$run --steps $steps --loss $loss $input --replay k"
  "$auc" $line --model reference >out 2>err || wrong "n $n, $steps steps, $loss: $(cat err)"
  again=
  tries=0
  while :; do
    tries=$((tries + 1))
    "$auc" $line --model m --checkpoint c $again >out 2>err &
    pid=$!
    draw 100
    [ $tries -gt 20 ] || { sleep "0.$(printf %03d $((drawn * drawn / 50)))"; kill -9 $pid 2>/dev/null && kills=$((kills + 1)); }
    wait $pid 2>/dev/null
    code=$?
    if [ -e m ] && [ ! -e c ]; then break; fi
    [ $code -eq 137 ] || [ $code -eq 0 ] || { wrong "n $n, $steps steps, $loss: exit $code: $(cat err)"; break; }
    again=
    if [ -e c ]; then again=--resume resumed=$((resumed + 1)); fi
  done
  cmp -s m reference || wrong "n $n, $steps steps, $loss, '$input': another model after restarts"
  # a run that was killed leaves its draft, also beside the file that it has just become; the next removes it
  ls | grep -q '\.part$' && [ $tries -gt 1 ] && [ $code -eq 0 ] && wrong "left behind: $(ls | grep '\.part$')"
  jobs=$((jobs + 1))
done
echo "$jobs jobs, killed $kills times, gone on with $resumed times: $([ $failed -eq 0 ] && echo 'all models equal' || echo FAILED)"
exit $failed
