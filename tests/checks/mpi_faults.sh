#!/bin/sh
# SPDX-License-Identifier: MIT
# Several ranks when something goes wrong: a killed rank ends the job in an error and without a model,
# and what goes on behind it writes the model of a straight run; so does a killed job of rank 0. A
# block that one rank finds damaged ends all. Goes on where checks/mpi.sh ends.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
MPIRUN=${MPIRUN:-mpirun --allow-run-as-root --oversubscribe}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
dir=$BUILD/tests/mpi
[ -x "$dir/mpi_auc" ] || sh tests/checks/mpi.sh || exit 1
[ -x "$dir/mpi_auc" ] || exit 0
bad() { echo "FAILED: $1"; cat "$dir/said" 2>/dev/null; exit 1; }
cd "$dir" || exit 2
# what is released, without what is said about it
released() { sed -n '/"n":/,$p' "$1"; }

set -- records.dpb --epsilon 1 --delta 1e-6 --steps 400 --quiet
for place in n o; do # the newest process is the last rank, the oldest is rank 0
  rm -f kept killed straight long said
  $MPIRUN -np 2 ./mpi_auc "$@" --checkpoint kept --save-key long --model killed >said 2>&1 &
  job=$!
  tries=0
  until [ -s kept ] || [ $((tries += 1)) -gt 500 ]; do sleep 0.02; done
  rank=$(pgrep -$place -f "^./mpi_auc records.dpb .*--model killed") || bad "no rank to be killed"
  kill -9 "$rank"
  wait $job && bad "a job with a killed rank"
  grep -q "exited on signal 9" said || bad "a killed rank without a word"
  [ ! -e killed ] || bad "a model of a killed job"
  $MPIRUN -np 2 ./mpi_auc "$@" --checkpoint kept --resume --model killed >said 2>&1 ||
    bad "to go on"
  [ ! -e kept ] || bad "a checkpoint that outlives its model"
  "$BUILD/private_auc" "$@" --stream --replay long --model straight >said 2>&1 || bad "straight"
  released straight >straight.numbers
  released killed | cmp -s - straight.numbers || bad "to go on writes another model"
done

# a flipped bit in the last block, which is not rank 0's
size=$(wc -c <records.dpb)
{ head -c $((size - 3000)) records.dpb; printf '\377'; tail -c 2999 records.dpb; } >damaged.dpb
shift
$MPIRUN -np 2 ./mpi_auc damaged.dpb "$@" --model m >said 2>&1 && bad "a damaged block"
grep -q "damaged" said || bad "a damaged block without a word"
[ ! -e m ] || bad "a model of damaged records"
