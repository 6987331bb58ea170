#!/bin/sh
# SPDX-License-Identifier: MIT
# build/budget from the outside: every command with its known answer, JSON, and that wrong use is
# refused with exit status 2, unprovable questions with 1.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" "$BUILD/budget" || exit 1
B=$BUILD/budget
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
bad=0

complain() {
  echo "FAIL $*"
  bad=1
}

# answer NAME VALUE TOLERANCE COMMAND...: the line NAME of the output is VALUE within the relative
# tolerance.
answer() {
  name=$1 value=$2 tolerance=$3
  shift 3
  got=$("$B" "$@" | sed -n "s/^$name //p")
  awk -v g="$got" -v v="$value" -v t="$tolerance" 'BEGIN {
    if (g == "") exit 1
    if (v ~ /inf/ || g ~ /inf/) exit !(v == g)
    d = g - v; if (d < 0) d = -d; a = v < 0 ? -v : v
    exit !(d <= t * a) }' || complain "$name: got '$got', expected $value: $*"
}

# status CODE COMMAND...
status() {
  code=$1
  shift
  "$B" "$@" >"$T/out" 2>"$T/err"
  got=$?
  [ $got -eq "$code" ] || complain "exit $got, expected $code: $*"
  if [ "$code" -ne 0 ]; then
    [ -s "$T/out" ] && complain "an answer beside an error: $*"
    [ -s "$T/err" ] || complain "no reason: $*"
  fi
}

sg="--mechanism sampled-gaussian --sampling"
sp="--mechanism sampled-pairs --sampling"
answer sigma 3.7306316348159 1e-12 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --steps 1
answer sigma 37.306316348159 1e-12 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --steps 100
answer epsilon 4.3771780956812 1e-12 gaussian-epsilon --mu 1 --delta 1e-5
answer delta 0.12693673750664 1e-12 gaussian-delta --mu 1 --epsilon 1
answer log_delta -2.0640664465003 1e-12 gaussian-delta --mu 1 --epsilon 1
answer log_delta -inf 0 gaussian-delta --mu 0 --epsilon 1
answer rdp 1.25 1e-10 rdp --mechanism gaussian --noise-multiplier 1 --order 2.5
answer rdp 0.69395053972226 1e-10 rdp --mechanism laplace --scale 1 --order 2.5
answer rdp 0.00021757533228 1e-9 rdp $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --order 2.5
answer rdp 0.00028063929134 1e-9 rdp $sg without-replacement --adjacency replace-one --q 0.01 --noise-multiplier 1 --order 2
answer rdp 0.00028063929134 1e-9 rdp $sg without-replacement --adjacency replace-one --n 100 --batch 1 --noise-multiplier 1 --order 2
for side in upper lower estimate; do
  answer epsilon_$side 6.187712390 1e-9 epsilon $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 10000 --delta 1e-5
  answer epsilon_$side 10.8807815336 1e-9 epsilon $sg poisson --adjacency replace-one --q 0.01 --noise-multiplier 1 --steps 10000 --delta 1e-5
  answer epsilon_$side 30.5369955077 1e-9 epsilon $sg poisson --adjacency replace-one --q 0.25 --noise-multiplier 10 --steps 5000 --delta 1e-12
  answer epsilon_$side 4.3771780956812 1e-11 epsilon --mechanism gaussian --noise-multiplier 10 --steps 100 --delta 1e-5
  answer epsilon_$side 4.220347325 1e-6 epsilon --mechanism laplace --scale 10 --steps 100 --delta 1e-5
done
answer epsilon_upper 2.82308999254 1e-9 epsilon --mechanism skellam --sensitivity 3 --variance 90 --steps 4 --delta 1e-5
answer noise_multiplier 12.79263178 1e-8 calibrate --mechanism skellam --epsilon 1 --delta 1e-5 --steps 10
answer epsilon_upper 2.10775307545 1e-9 epsilon --mechanism sampled-skellam --sampling poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 1000 --delta 1e-5
status 1 epsilon --mechanism sampled-skellam --sampling poisson --adjacency replace-one --q 0.01 --noise-multiplier 1 --delta 1e-5
answer delta_upper 5.87908882e-06 1e-8 delta --mechanism objective-perturbation --noise-multiplier 8 --ridge 20 --adjacency zero-out --epsilon 0.5
answer epsilon_upper 0.298790164169432 1e-12 epsilon --mechanism pure-objective-perturbation --noise-multiplier 8 --ridge 20 --delta 0
answer noise_multiplier 7.809128306 1e-8 calibrate --mechanism objective-perturbation --ridge 20 --epsilon 1 --delta 1e-5
status 2 epsilon --mechanism objective-perturbation --noise-multiplier 8 --delta 1e-5
status 2 epsilon --mechanism gaussian --noise-multiplier 8 --ridge 20 --delta 1e-5
answer epsilon_upper 6.1877 1e-4 epsilon $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 10000 --delta 1e-5 --route fft
answer epsilon 6.712271763 1e-8 epsilon $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 10000 --delta 1e-5 --accountant rdp
answer order 4.135 1e-3 epsilon $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 10000 --delta 1e-5 --accountant rdp
answer epsilon_upper 0.990910803 1e-7 epsilon $sp poisson --adjacency zero-out --n 1000 --pair-rate 1e-4 --noise-multiplier 4 --steps 100 --delta 1e-5
answer delta_upper 1e-5 1e-6 delta $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 10000 --epsilon 6.187712390
answer noise_multiplier 2.127375 1e-6 calibrate $sg poisson --adjacency zero-out --q 0.01 --epsilon 2 --steps 10000 --delta 1e-5
answer noise_multiplier 2.278056 1e-6 calibrate $sg poisson --adjacency zero-out --q 0.01 --epsilon 2 --steps 10000 --delta 1e-5 --accountant rdp
answer noise_multiplier 3.7306316 1e-7 calibrate --mechanism gaussian --epsilon 1 --delta 1e-5
answer scale 10 1e-5 calibrate --mechanism laplace --epsilon 4.220347325 --steps 100 --delta 1e-5
# Random allocation: the known answers (the lower end of replace-one is exact, too), calibration, and
# what the statement says; what it does not cover is refused with its reason.
ra="$sg allocation"
for side in upper lower estimate; do
  answer epsilon_$side 3.69738521254 1e-11 epsilon $ra --adjacency zero-out --batches 2 --noise-multiplier 1 --steps 2 --delta 1e-5
  answer epsilon_$side 6.57297006703 1e-11 epsilon $ra --adjacency replace-one --batches 2 --noise-multiplier 1 --epochs 1 --delta 1e-5
  answer epsilon_$side 1.701498435829 1e-10 epsilon $ra --adjacency zero-out --batches 100 --noise-multiplier 1 --epochs 10 --delta 1e-5
  answer epsilon_$side 6.04353037398 1e-9 epsilon $ra --adjacency zero-out --batches 100 --noise-multiplier 1 --epochs 100 --delta 1e-5
  answer epsilon_$side 2.702357860996 1e-10 epsilon $ra --adjacency zero-out --batches 100 --noise-multiplier 1 --epochs 1 --delta 1e-12
done
answer epsilon_lower 2.377676 1e-6 epsilon $ra --adjacency replace-one --batches 100 --noise-multiplier 1 --epochs 10 --delta 1e-5
answer epsilon_upper 3.527747 1e-4 epsilon $ra --adjacency replace-one --batches 100 --noise-multiplier 1 --epochs 10 --delta 1e-5
answer epsilon_upper 0.620939671620 1e-10 epsilon $ra --adjacency zero-out --batches 100 --noise-multiplier 1 --steps 31 --delta 1e-5
answer epsilon_lower 0 0 epsilon $ra --adjacency zero-out --batches 100 --noise-multiplier 1 --steps 31 --delta 1e-5
answer epsilon_upper 1.701498435829 1e-10 epsilon $ra --adjacency zero-out --batches 1000 --per-epoch 10 --noise-multiplier 1 --epochs 1 --delta 1e-5
answer noise_multiplier 1.3692 3e-5 calibrate $ra --adjacency zero-out --batches 100 --epochs 10 --epsilon 1 --delta 1e-5
answer sigma 2.7384 3e-5 calibrate $ra --adjacency zero-out --batches 100 --epochs 10 --clip 2 --epsilon 1 --delta 1e-5
answer delta_upper 1e-5 1e-8 delta $ra --adjacency zero-out --batches 100 --epochs 10 --noise-multiplier 1 --epsilon 1.701498435829
"$B" epsilon $ra --adjacency zero-out --batches 100 --noise-multiplier 1 --epochs 1 --delta 1e-5 --statement >"$T/out"
tr '\n' ' ' <"$T/out" | grep -q 'into 1 of its 100 batches.*so that the size of a batch varies.*shuffled data.*NOT covered' ||
  complain "what an allocation must be is not said"
"$B" epsilon $ra --adjacency replace-query --batches 20 --noise-multiplier 2 --epochs 1 --delta 1e-5 --statement >"$T/out"
tr '\n' ' ' <"$T/out" | grep -q 'epochs charged 1,.*one query is added.*put every query into.*drawn with all its records' ||
  complain "records are said to be drawn where queries are"
"$B" epsilon $sg without-replacement --adjacency replace-person --n 10000 --batch 100 --records 10 --noise-multiplier 4 --delta 1e-5 --statement >"$T/out"
tr '\n' ' ' <"$T/out" | grep -q 'subset of records.*own more than 10 of' || complain "a person's records have no bound in words"
status 1 epsilon $sg shuffle --adjacency zero-out --batches 100 --noise-multiplier 1 --delta 1e-5
grep -q 'random' "$T/err" || complain "no reason for shuffles: $(cat "$T/err")"
status 1 epsilon $sp allocation --adjacency zero-out --batches 100 --noise-multiplier 1 --delta 1e-5
grep -q 'no bound' "$T/err" || complain "no reason for plain sums: $(cat "$T/err")"
status 2 epsilon $ra --adjacency zero-out --batches 100 --per-epoch 101 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $ra --adjacency zero-out --batches 0 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $ra --adjacency zero-out --batches 100 --q 0.01 --noise-multiplier 1 --delta 1e-5

# Batches of ranking pairs: less than the clip of any pairs says.
ba="sensitivity --kind batch --pair-unit 2 --levels two"
answer sensitivity 0.02 1e-13 $ba --sampling poisson --n 1000 --m 100
answer sensitivity 0.02 1e-13 $ba --sampling allocation --n 1000 --batches 10
answer sensitivity 0.01 1e-13 $ba --sampling allocation --n 1000 --batches 20 --per-epoch 2 --clip 1
answer sensitivity 0.03 1e-13 sensitivity --kind batch --pair-unit 2 --levels any --sampling allocation --n 1000 --batches 10
answer sensitivity 0.04 1e-13 $ba --sampling matching --n 1000 --m 100
answer sensitivity 0.04 1e-13 $ba --sampling allocation --matched-over 50 --clip 1
answer sensitivity 0.002 1e-13 $ba --sampling none --n 1000
status 1 $ba --sampling without-replacement --n 1000 --m 100 --adjacency zero-out
status 2 $ba --sampling matching --matched-over 50

# Every command of the support matrix: those behind ! are refused.
sed -n 's/^    \(! \)\{0,1\}budget /\1/p' docs/support_matrix.md >"$T/matrix"
[ "$(wc -l <"$T/matrix")" -ge 15 ] || complain "the support matrix has lost its commands"
while read -r line; do
  case $line in
  '! '*) # shellcheck disable=SC2086
    status 1 ${line#! } ;;
  *) # shellcheck disable=SC2086
    status 0 $line
    grep -q '^\(epsilon_upper\|noise_multiplier\) [0-9]' "$T/out" || complain "no answer: $line" ;;
  esac
done <"$T/matrix"

# The same noise under two promises, as the page of neighbours prints it.
ne="epsilon --mechanism sampled-gaussian --sampling poisson --n 10000 --batch 100 --epochs 100 --clip 1 --sigma 1"
zeroed=$(sed -n 's/^ .*--sigma 1 --delta 1e-5  *//p' docs/neighbours.md)
replaced=$(sed -n 's/^ *the same, --adjacency replace-one  *//p' docs/neighbours.md)
answer epsilon_upper "$zeroed" 1e-5 $ne --adjacency zero-out --delta 1e-5
answer epsilon_upper "$replaced" 1e-5 $ne --adjacency replace-one --delta 1e-5

li="last-iterate --sensitivity 2e-4 --sigma 0.01 --smoothness 0.300025002500250 --alpha 0.05"
answer mu 0.0473259 1e-6 $li --eta 5.713877 --steps 10
answer mu 0.0489918 1e-6 $li --eta 5.713877 --steps 1000
answer mu 0.0663355 1e-6 $li --eta 3.333055 --steps 100
answer epsilon 0.217842 1e-5 $li --eta 3.333055 --steps 1000 --delta 1e-5
answer mu 4.47213595 1e-8 last-iterate --sensitivity 1 --sigma 1 --smoothness 2 --alpha 0 --eta 1 --steps 1000 --diameter 5
status 1 last-iterate --sensitivity 1 --sigma 1 --smoothness 2 --alpha 0 --eta 1 --steps 1000
status 1 $li --eta 7 --steps 10
st="sensitivity --kind stream --n 8192 --pair-unit 1 --levels two"
answer sensitivity 3.311022 1e-6 $st --buffer 64
answer sensitivity 1.007782219 1e-8 $st --buffer 64 --noise independent
answer sensitivity 11.803 1e-4 $st --buffer all
answer sensitivity 21.731833 1e-6 $st --buffer all --noise tree
status 2 $st --buffer 64 --silent 8192
answer sensitivity 0.004 1e-13 sensitivity --kind pair-mean --n 1000 --lipschitz 1
answer sensitivity 0.008 1e-13 sensitivity --kind rank-diff --n 1000 --radius 1 --slope 1 --label-bound 1
answer sensitivity 0.002 1e-13 sensitivity --kind rank-ind --n 1000 --radius 1 --slope 1
answer sensitivity 0.15233256461807 1e-12 sensitivity --kind pgd --n 1000 --lipschitz 4 --alpha 0.01 --smoothness 4.01 --eta 0.1 --steps 100
answer sensitivity 0.08 1e-13 sensitivity --kind pgd-average --n 1000 --lipschitz 4 --smoothness 4 --eta 0.1 --steps 100
answer sensitivity 1.6 1e-13 sensitivity --kind erm --n 1000 --lipschitz 4 --alpha 0.01
answer sensitivity 0.4 1e-13 sensitivity --kind minibatch --sampling without-replacement --m 10 --clip 1
answer sensitivity 0.004 1e-13 sensitivity --kind record-clip --n 1000 --record-clip 1 --clip 1
printf '0\n1\n2\n0\n' >"$T/index"
answer sensitivity 0.261803398875 1e-11 sensitivity --kind uas-sequence --n 4 --eta 0.1 --lipschitz 1 --diameter inf --indices "$T/index"
answer sensitivity 0.1309016994375 1e-11 sensitivity --kind uas-sequence --n 4 --eta 0.1 --lipschitz 1 --diameter inf --indices "$T/index" --structure ranking
answer hits 615 0 sensitivity --kind uas-quantile --n 512 --steps 262144 --eta 0.01 --lipschitz 1 --diameter inf --gamma 5e-6
answer sigma 2.2940906 1e-6 uas --n 512 --steps 262144 --eta 8.631674575031098e-05 --lipschitz 1 --diameter inf --epsilon 1 --delta 1e-5
answer sufficient 0 0 paper --result xue2021-alg2 --n 1000 --lipschitz 1 --epsilon 4 --delta 1e-5 --steps 100
answer true_epsilon 4.6546456537 1e-9 paper --result xue2021-alg2 --n 1000 --lipschitz 1 --epsilon 4 --delta 1e-5 --steps 100
answer true_epsilon inf 0 paper --result kang2023-theorem5 --n 1000 --lipschitz 1 --epsilon 4 --delta 1e-5 --steps 100
answer true_epsilon 2 1e-12 paper --result niewang2017-prop1 --n 1000 --lipschitz 1 --epsilon 1 --delta 1e-5 --steps 1 --lambda 0.1 --kappa 1
answer sufficient 1 0 paper --result kang2021-theorem1 --n 1000 --lipschitz 1 --epsilon 1 --delta 1e-5 --steps 100
answer sufficient 1 0 paper --result kang2021-appendix --n 1000 --lipschitz 1 --epsilon 1 --delta 1e-5 --steps 100
answer noise_printed 0.2 1e-12 paper --result xue2021-alg1 --n 1000 --lipschitz 1 --epsilon 4 --delta 1e-5 --steps 9 --alpha 0.01 --noise pure
answer noise_printed 0.0484480526 1e-8 paper --result xue2021-alg3 --n 1000 --lipschitz 1 --epsilon 4 --delta 1e-5 --steps 9 --eta 0.01
answer noise_printed 125.5605 1e-5 paper --result yang2021-theorem4 --n 512 --lipschitz 1 --epsilon 1 --delta 1e-5 --steps 262144 --eta 8.631674575031098e-05

# A ledger: its lines, its last check, whose neighbours; what is refused, and why.
first='{"dppair":2,"sequence":1,"run":"00000000000000000000000000000001","mechanism":"gaussian","adjacency":"replace-one","noise_multiplier":10,"steps":50,"failure":0,"sensitivity":1,"sigma":10,"check":"476e1e13a98f683b"}'
second='{"dppair":2,"sequence":2,"run":"00000000000000000000000000000002","mechanism":"gaussian","adjacency":"replace-one","noise_multiplier":10,"steps":50,"failure":0,"sensitivity":1,"sigma":10,"check":"8d3060bf21369b34"}'
printf '%s\n%s\n' "$first" "$second" >"$T/ledger"
answer epsilon_upper 4.3771780956812 1e-11 epsilon --ledger "$T/ledger" --delta 1e-5
answer ledger_lines 2 0 epsilon --ledger "$T/ledger" --delta 1e-5
answer accuracy_upper 0.69146246127401312 1e-12 attack --ledger "$T/ledger"
"$B" delta --ledger "$T/ledger" --epsilon 1 >"$T/out"
grep -q '^ledger_check 8d3060bf21369b34$' "$T/out" || complain "the last check is not printed"
grep -q '^neighbours one record replaced$' "$T/out" || complain "the neighbours are not printed"
"$B" epsilon --mechanism gaussian --noise-multiplier 9 --delta 1e-5 | grep -q '^neighbours unstated' ||
  complain "unstated neighbours are not named"

# refused FILE WORDS: the ledger on standard input is refused with these words.
refused() {
  cat >"$T/$1"
  status 1 epsilon --ledger "$T/$1" --delta 1e-5
  grep -q "$1$2" "$T/err" || complain "$1$2: $(cat "$T/err")"
}
printf '%s\n' "$first" | sed 's/"dppair":2/"dppair":9/' | refused other ':1: the text could not be'
printf '%s\n' "$first" | sed 's/"dppair":2/"dppair":1/' | refused old ':1: a line of version 1'
printf '%s\n' "$second" | refused gap ':1: a line of the ledger is missing'
printf '%s\n\n%s\n' "$first" "$second" | sed '3s/:50/:49/' | refused changed ':3: a line of the ledger is'
printf '%s\n%s\n' "$first" "$first" | sed '2s/0001"/0009"/' | refused twice ':2: .* charged twice'
printf '%s\n' '{"dppair":2,"sequence":1,"run":"00000000000000000000000000000001","mechanism":"gaussian","adjacency":"none","noise_multiplier":10,"steps":50,"failure":0,"sensitivity":1,"sigma":10,"check":"8aa1136b5c1d2ad8"}' | refused unstated ': the ledger does not state its neighbours'
printf '%s\n%s\n' "$first" "$first" >"$T/same"
answer ledger_lines 1 0 epsilon --ledger "$T/same" --delta 1e-5

# JSON: one object, infinities in quotes.
"$B" paper --result kang2023-theorem5 --n 10 --lipschitz 1 --epsilon 4 --delta 1e-5 --steps 2 --json --explain >"$T/json"
if command -v python3 >/dev/null 2>&1; then
  python3 -c 'import json,sys; o=json.load(open(sys.argv[1])); assert o["true_epsilon"]=="inf" and o["sufficient"]==0 and "explain" in o' "$T/json" ||
    complain "JSON is not as promised"
else
  echo "skipped: python3, which reads JSON, is not installed"
fi
"$B" gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --explain | grep -q 'Balle' || complain "no source"

# An empty ledger is no evidence that nothing was spent; neighbours of different kinds do not mix.
: >"$T/empty"
printf '\n  \n' >"$T/blank"
status 1 epsilon --ledger "$T/empty" --delta 1e-5
grep -q 'empty ledger' "$T/err" || complain "an empty ledger is not named"
status 1 epsilon --ledger "$T/blank" --delta 1e-5
status 1 epsilon --ledger "$T/nowhere" --delta 1e-5
status 2 epsilon --ledger "$T/ledger" --mechanism gaussian --adjacency zero-out --noise-multiplier 9 --delta 1e-5
status 2 epsilon --ledger "$T/ledger" --mechanism gaussian --noise-multiplier 9 --delta 1e-5

# Several mechanisms, and a ledger beside them: 100 Gaussian steps of multiplier 10, however split.
g="--mechanism gaussian --adjacency replace-one --noise-multiplier 10"
answer epsilon_upper 4.3771780956812 1e-11 epsilon $g --steps 50 --delta 1e-5 --and $g --steps 50
answer epsilon_upper 6.57297007 1e-8 epsilon --ledger "$T/ledger" $g --steps 100 --delta 1e-5
answer noise_multiplier 10 1e-7 calibrate --ledger "$T/ledger" --mechanism gaussian --adjacency replace-one --steps 100 --delta 1e-5 --epsilon 6.572970067030402
answer noise_multiplier 10 1e-7 calibrate $g --steps 100 --and --mechanism gaussian --adjacency replace-one --steps 100 --delta 1e-5 --epsilon 6.572970067030402
status 1 calibrate --ledger "$T/ledger" --mechanism gaussian --adjacency replace-one --delta 1e-5 --epsilon 4
grep -q 'spent already' "$T/err" || complain "a spent budget is not named"
status 2 calibrate --mechanism gaussian --adjacency replace-one --and --mechanism laplace --adjacency replace-one --delta 1e-5 --epsilon 4
status 2 epsilon --mechanism gaussian --noise-multiplier 1 --and --mechanism laplace --scale 1 --delta 1e-5
status 2 epsilon $g --and --mechanism gaussian --adjacency zero-out --noise-multiplier 1 --delta 1e-5
status 2 epsilon $g --delta 1e-5 --and $g --delta 1e-5
status 2 gaussian-delta --mu 1 --epsilon 1 --and

# Sizes, batch and epochs in place of rate and steps; the quotient is never rounded down.
size="--n 10000 --batch 100"
answer epsilon_upper 6.187712390 1e-9 epsilon $sg poisson --adjacency zero-out $size --epochs 100 --noise-multiplier 1 --delta 1e-5
answer epsilon_upper 6.187712390 1e-9 epsilon $sg poisson --adjacency zero-out --q 0.01 $size --steps 10000 --noise-multiplier 1 --delta 1e-5
"$B" epsilon $sg poisson --adjacency zero-out --n 60000 --batch 256 --epochs 60 --noise-multiplier 1.1 --delta 1e-5 >"$T/out"
grep -q '14063 steps' "$T/out" || complain "60 epochs of 60000 by 256 are 14062.5 steps, rounded up"
status 2 epsilon $sg poisson --adjacency zero-out --q 0.01 --epochs 3 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $sg poisson --adjacency zero-out $size --epochs 3 --steps 3 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $sg poisson --adjacency zero-out $size --epochs 0 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $sg poisson --adjacency zero-out --n 100 --batch 101 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $sg poisson --adjacency zero-out --q 0 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $sp poisson --adjacency zero-out --n 10 --pair-rate 0 --noise-multiplier 1 --delta 1e-5
status 2 epsilon $sg matching --adjacency replace-one --n 100 --batch 7 --noise-multiplier 1 --delta 1e-5

# --clip and --sigma: the same noise on the sum means another multiplier for each way of drawing.
"$B" epsilon $sg poisson --adjacency replace-one $size --clip 2 --sigma 4 --delta 1e-5 | grep -q 'noise multiplier 2 = sigma over the clip' || complain "poisson: sigma over the clip"
"$B" epsilon $sg without-replacement --adjacency replace-one $size --clip 2 --sigma 4 --delta 1e-5 | grep -q 'noise multiplier 1 = sigma over twice the clip' || complain "without replacement: sigma over twice the clip"
answer epsilon_upper 4.3771780956812 1e-11 epsilon --mechanism gaussian --adjacency zero-out --clip 3 --sigma 3 --delta 1e-5
answer epsilon_upper 4.3771780956812 1e-11 epsilon --mechanism gaussian --adjacency replace-one --clip 3 --sigma 6 --delta 1e-5
answer sigma 22.3837896 1e-7 calibrate --mechanism gaussian --adjacency replace-one --clip 3 --epsilon 1 --delta 1e-5
status 2 epsilon --mechanism gaussian --clip 3 --sigma 3 --delta 1e-5
status 2 epsilon --mechanism gaussian --adjacency zero-out --sigma 3 --delta 1e-5
status 2 epsilon --mechanism gaussian --adjacency zero-out --clip 3 --noise-multiplier 3 --delta 1e-5
status 2 epsilon --mechanism gaussian --adjacency zero-out --clip 3 --delta 1e-5

# delta = 0 where it means something; the route that answered; the answer in words.
answer epsilon_upper 10 1e-12 epsilon --mechanism laplace --scale 10 --steps 100 --delta 0
answer epsilon_upper 10 1e-12 epsilon --mechanism l2-ball --scale 10 --steps 100 --delta 0
answer epsilon_upper 1 1e-12 epsilon --mechanism pure --step-epsilon 1 --delta 0
"$B" epsilon --mechanism gaussian --noise-multiplier 1 --delta 1e-5 | grep -q '^route closed form' || complain "route of a Gaussian"
"$B" epsilon --mechanism laplace --scale 10 --steps 100 --delta 1e-5 --explain | grep -q 'lattice' || complain "route of Laplace noise"
"$B" epsilon --mechanism zcdp --rho 0.1 --delta 1e-5 --explain | grep -q 'Renyi order' || complain "route of zCDP"
"$B" epsilon $sg poisson --adjacency zero-out $size --noise-multiplier 1 --delta 1e-5 --statement >"$T/out"
tr '\n' ' ' <"$T/out" | grep -q 'added, removed or zeroed.*NOT covered' || complain "no statement"
if command -v python3 >/dev/null 2>&1; then
  "$B" epsilon $g --and $g --delta 1e-5 --json --statement >"$T/json"
  python3 -c 'import json,sys; o=json.load(open(sys.argv[1])); assert len(o["mechanism"])==2 and o["route"]=="closed form" and "replaced" in o["statement"]' "$T/json" ||
    complain "JSON of several mechanisms is not as promised"
fi

# Wrong use: 2. No proved answer: 1.
status 0 --help
status 0 epsilon --help
"$B" --help | sed -n '/(--result)$/,/^$/p' | grep '^  ' >"$T/names"
[ "$(wc -l <"$T/names")" -ge 5 ] || complain "the papers' results are not listed"
while read -r name; do
  "$B" paper --result "$name" 2>&1 | grep -q "unknown value" && complain "listed, but unknown: $name"
done <"$T/names"
status 0 --version
"$B" >/dev/null 2>&1 && complain "no command is not an error"
status 2 nonsense
status 2 gaussian-sigma --sensitivity 1 --epsilon 1
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --delta 1e-5
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --colour 3
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --mu 3
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta
status 2 gaussian-sigma --sensitivity nan --epsilon 1 --delta 1e-5
status 2 gaussian-sigma --sensitivity inf --epsilon 1 --delta 1e-5
status 2 gaussian-sigma --sensitivity 1x --epsilon 1 --delta 1e-5
status 2 gaussian-sigma --sensitivity -1 --epsilon 1 --delta 1e-5
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 0
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1
status 2 gaussian-sigma --sensitivity 1 --epsilon -1 --delta 1e-5
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --steps 0
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --steps 1.5
status 2 gaussian-sigma --sensitivity 1e-400 --epsilon 1 --delta 1e-5
status 2 gaussian-sigma --sensitivity 1 --epsilon 1 --delta 1e-5 --json --json
status 2 rdp --mechanism gaussian --noise-multiplier 1 --order 1
status 2 rdp --mechanism gaussian --noise-multiplier 1 --order 2 --adjacency zero-out
status 2 rdp --mechanism gaussian --noise-multiplier 1 --order 2 --sampling poisson
status 2 rdp --mechanism laplace --noise-multiplier 1 --order 2
attack="attack --mechanism"
answer accuracy_upper 0.69146246127401312 1e-13 $attack gaussian --noise-multiplier 1
answer accuracy_lower 0.69146246127401312 1e-13 $attack gaussian --noise-multiplier 1
answer accuracy_at_prior_upper 0.73105857863000488 1e-13 $attack randomised-response --step-epsilon 1 --prior 0.7
answer gdp_mu_upper 1 1e-13 $attack gaussian --noise-multiplier 1 --delta 0
answer gdp_mu_upper inf 0 $attack pure --step-epsilon 900 --delta 0
# two answers: (1 + e^-1)^-1 of those that are right, nothing is certain
"$B" $attack randomised-response --step-epsilon 1 --rates 0.01,0.26894142136999512 >"$T/out" || complain "attack"
grep -q '^ *0.01  *0.02718[0-9]*  *0.0271829  *2.71829  *0.731059$' "$T/out" || complain "the attack at 1 %"
grep -q '^ *0.268941  *0.73105[0-9]*  *0.731059 ' "$T/out" || complain "the attack at the corner"
grep -q '^meaning .* at most 73.11 % (50 % is chance); .* at most 2.72 % of those' "$T/out" || complain "its meaning"
"$B" $attack laplace --scale 1 --json --svg "$T/roc.svg" >"$T/out" || complain "attack --json"
grep -q '"attacks": \[{"false_positive": 0.0001[0-9]*, .*}\], "accuracy_upper": ' "$T/out" || complain "its JSON"
grep -q '>best attack<' "$T/roc.svg" && grep -q '<polyline' "$T/roc.svg" || complain "its picture"
status 2 $attack gaussian --noise-multiplier 1 --rates 0
status 2 $attack gaussian --noise-multiplier 1 --rates 0.1,,0.2
status 2 $attack gaussian --noise-multiplier 1 --rates 0.1,1
status 2 $attack gaussian --noise-multiplier 1 --prior 1
status 2 $attack gaussian --noise-multiplier 1 --delta 1
status 2 $attack gaussian --noise-multiplier 1 --epsilon 1
status 1 $attack gaussian --noise-multiplier 1 --svg "$T/no/roc.svg"
status 2 $attack gaussian
status 2 rdp $sg poisson --q 0.01 --noise-multiplier 1 --order 2
status 2 rdp $sg poisson --adjacency zero-out --noise-multiplier 1 --order 2
status 2 rdp $sg poisson --adjacency zero-out --q 2 --noise-multiplier 1 --order 2
status 2 rdp $sg poisson --adjacency zero-out --q 0.1 --n 10 --noise-multiplier 1 --order 2
status 2 rdp $sg without-replacement --adjacency replace-one --q 0.2 --n 100 --batch 1 --noise-multiplier 1 --order 2
status 2 rdp $sg with-replacement --adjacency replace-one --q 0.2 --noise-multiplier 1 --order 2
status 2 rdp --mechanism sampled-gaussian --adjacency zero-out --q 0.1 --noise-multiplier 1 --order 2
status 1 rdp $sg without-replacement --adjacency zero-out --q 0.01 --noise-multiplier 1 --order 2
status 1 rdp $sp without-replacement --adjacency replace-one --n 10 --pairs 2 --noise-multiplier 1 --order 2
status 2 epsilon --mechanism gaussian --noise-multiplier 1
status 2 epsilon --mechanism gaussian --noise-multiplier 1 --delta 0
status 2 epsilon --mechanism gaussian --noise-multiplier 1 --delta 1
status 2 epsilon --mechanism gaussian --noise-multiplier 1 --delta -1
status 2 epsilon --mechanism gaussian --noise-multiplier 0 --delta 1e-5
status 2 epsilon --mechanism gaussian --noise-multiplier 1 --delta 1e-5 --accountant moments
status 2 epsilon --mechanism gaussian --noise-multiplier 1 --delta 1e-5 --accountant rdp --route fft
status 0 epsilon $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --delta 1e-5 --route closed
status 1 epsilon $sg poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 --steps 2 --delta 1e-5 --route closed
status 2 calibrate --mechanism gaussian --noise-multiplier 1 --epsilon 1 --delta 1e-5
status 2 calibrate --mechanism pure --epsilon 1 --delta 1e-5
status 2 calibrate --mechanism gaussian --epsilon 0 --delta 1e-5
status 2 sensitivity --kind pair-mean --n 1 --lipschitz 1
status 2 sensitivity --kind pair-mean --n 1000
status 2 sensitivity --kind nonsense
status 2 sensitivity --kind metric --n 10 --radius 1e-163 --slope-same 1 --slope-opposite 1
status 2 sensitivity --kind rank-ind --n 10 --radius 1e-200 --slope 1e-200
status 1 sensitivity --kind class-counts
# persons, owners, queries, groups: u T(n,k)/(n(n-1)) and its kin
kind="sensitivity --pair-unit 1 --kind"
answer sensitivity 9.92599259926e-3 1e-11 $kind user-pairs --n 10000 --records 100 --levels two
answer sensitivity 1.98019801980e-2 1e-11 $kind user-pairs --n 10000 --records 100
answer sensitivity 1.99009900990e-2 1e-11 $kind user-pairs --n 10000 --records 100 --levels any
answer sensitivity 0.12 1e-11 $kind user-pairs --n 5 --records 2 --levels two --clip 0.4 --adjacency zero-out
answer sensitivity 0.01 1e-11 $kind user-weighted --persons 100 --levels two
answer sensitivity 0.02 1e-11 $kind user-weighted --persons 100
answer sensitivity 0.008 1e-11 $kind user-weighted --persons 100 --levels two --clip 0.4
answer sensitivity 0.004 1e-11 $kind user-weighted --persons 100 --clip 0.4 --adjacency zero-out
answer sensitivity 0.02 1e-11 $kind user-weighted --persons 100 --levels two --class-weights separate-paid
answer sensitivity 0.1 1e-11 $kind user-weighted --persons 100 --sampling poisson --m 10
answer sensitivity 0.1 1e-11 $kind user-batch --n 100 --m 10 --records 5 --levels two
answer sensitivity 6 1e-11 sensitivity --kind owners --clip 2 --load 1.5
answer sensitivity 3 1e-11 sensitivity --kind owners --clip 2 --load 1.5 --adjacency zero-out
answer sensitivity 0.16666666666666667 1e-11 $kind queries --queries 3 --sizes 4,2,5 --levels two --protect record
answer sensitivity 0.33333333333333333 1e-11 $kind queries --queries 3 --protect query
answer sensitivity 0.44444444444444444 1e-11 $kind queries --queries 3 --protect record --moving yes
answer sensitivity 0.2 1e-11 sensitivity --kind groups --n 1000 --m 30 --group 3 --clip 1
answer sensitivity 5.99800397469 1e-11 sensitivity --kind softmax --clip 1 --temperature 1000 --batch 1000
# m of n records, k of them one person's: at k = 1 that of records, and no rate alone
drawn="epsilon $sg without-replacement --n 10000 --batch 100 --noise-multiplier 4 --steps 1000 --delta 1e-5"
one=$("$B" $drawn --adjacency replace-one | sed -n 's/^epsilon_upper //p')
answer epsilon_upper "$one" 0 $drawn --adjacency replace-person --records 1
answer epsilon_lower 0 0 $drawn --adjacency replace-person --records 10
"$B" $drawn --adjacency replace-person --records 10 | awk -v one="$one" '
  /^epsilon_upper/ { exit !($2 > 10 * one && $2 < 20 * one) }' || complain "ten records of a person"
status 2 $drawn --adjacency replace-one --records 10
status 2 $drawn --adjacency replace-person --records 0
status 1 $drawn --adjacency replace-person --records 9901
status 2 epsilon $sg without-replacement --q 0.01 --noise-multiplier 4 --delta 1e-5 --adjacency replace-person --records 2
groups="epsilon --delta 1e-5 --noise-multiplier 4 --adjacency replace-one --n 1000"
status 0 $groups --mechanism sampled-gaussian --sampling matching --batch 30 --group 3
status 2 $groups --mechanism sampled-gaussian --sampling matching --batch 32 --group 3
status 0 $groups --mechanism sampled-pairs --sampling with-replacement --pairs 10 --group 3
status 1 $kind user-weighted --persons 100 --class-weights separate
status 1 $kind user-weighted --persons 100 --sampling without-replacement --m 10 --adjacency zero-out
status 1 $kind user-batch --n 100 --m 96 --records 5
status 1 $kind queries --queries 3 --protect person
status 1 $kind queries --queries 3 --protect record
status 1 $kind queries --queries 3 --protect query --weights 1
status 1 sensitivity --kind owners --clip 1 --load 1 --list private
status 1 sensitivity --kind owners --clip 1 --load 1 --list greedy
status 1 sensitivity --kind groups --n 100 --m 10 --clip 1 --sampling poisson --adjacency zero-out
status 2 $kind user-pairs --n 10 --records 11
status 2 $kind user-weighted --persons 1
status 2 sensitivity --kind user-pairs --pair-unit inf --n 10 --records 2
status 1 sensitivity --kind pgd --n 1000 --lipschitz 4 --alpha 0.01 --smoothness 4.01 --eta 0.6 --steps 100
status 1 sensitivity --kind uas-sequence --n 4 --eta 0.1 --lipschitz 1 --diameter inf --indices "$T/none"
status 1 sensitivity --kind uas-sequence --n 2 --eta 0.1 --lipschitz 1 --diameter inf --indices "$T/index"
status 2 sensitivity --kind uas-sequence --n 4 --eta 0.1 --lipschitz 1 --indices "$T/index"
status 2 sensitivity --kind uas-sequence --n 4 --eta 0.1 --lipschitz 1 --diameter 0 --indices "$T/index"
printf '0\nx\n' >"$T/index"
status 1 sensitivity --kind uas-sequence --n 4 --eta 0.1 --lipschitz 1 --diameter inf --indices "$T/index"
grep -q 'index:2:' "$T/err" || complain "a bad index line is not named"
status 2 paper --result nobody --n 10 --lipschitz 1 --epsilon 1 --delta 1e-5
status 2 paper --result xue2021-alg1 --n 10 --lipschitz 1 --epsilon 1 --delta 1e-5 --steps 1
status 2 paper --result kang2021-theorem1 --n 10 --lipschitz 1 --epsilon 1 --delta 1e-5 --alpha 1
status 1 paper --result kang2021-theorem1 --n 10 --lipschitz 1 --epsilon 1 --delta 1e-5 --noise pure
exit $bad
