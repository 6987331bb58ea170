#!/bin/sh
# SPDX-License-Identifier: MIT
# Several ranks: 1, 2, 4 of mpi_auc write the model of one process of private_auc, in memory and as
# a stream, to the byte; 1 and 3 of mpi_metric write the same metric. Ranks that disagree end the job
# without a model. So does a killed rank, and what goes on behind it writes the model of a straight
# run. With LONG=1 (make mpi-test) each rank is killed, twice, 2 and 4 ranks make the metric, too,
# and one rank finds a damaged block. Skipped where MPI is not installed.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
BUILD=${BUILD:-build}
MPICC=${MPICC:-mpicc}
LONG=${LONG:-}
MPIRUN=${MPIRUN:-mpirun --allow-run-as-root --oversubscribe --bind-to none}
export OMPI_MCA_mpi_yield_when_idle=1
for tool in "$MPICC" "${MPIRUN%% *}"; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "skipped: $tool is not installed"
    exit 77
  fi
done
make -s BUILD="$BUILD" "$BUILD/private_auc" || exit 1
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
one=$BUILD/private_auc
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
said=$dir/said
bad() { echo "FAILED: $1"; cat "$said"; exit 1; }

# compiled to be there soon, clang in half of the time, against what `make` has built
[ -n "${CC-}" ] || CC=$(command -v clang || echo cc)
flags="-std=c99 -O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -DDPPAIR_NO_FORCE_INLINE"
flags="$flags -D_POSIX_C_SOURCE=200809L -I. -Imodules -Iexamples -Iexamples/programs"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wvla -Werror"
export OMPI_CC="$CC" MPICH_CC="$CC"
for part in team mpi_auc mpi_metric; do
  # shellcheck disable=SC2086
  "$MPICC" $flags $strict -c examples/distributed/$part.c -o "$dir/$part.o" >"$said" 2>&1 ||
    bad "compiling"
done
for part in mpi_auc mpi_metric; do
  "$MPICC" "$dir/$part.o" "$dir/team.o" "$BUILD"/examples/programs/support/*.o \
    "$BUILD"/examples/programs/methods/*.o -lm -o "$dir/$part" >"$said" 2>&1 || bad "linking"
done
cd "$dir" || exit 2
# ranks HOW-MANY PROGRAM ARGUMENTS...; a rank that is alone needs no mpirun
ranks() {
  case $* in
  1\ *) [ -n "$LONG" ] || { shift && "$@" >said 2>&1; return; } ;;
  esac
  $MPIRUN -np "$@" >said 2>&1
}

# --- a model: three blocks, so one of four ranks has none -----------------------------------------
# random numbers that every awk has alike: integers below 2^53
awk 'function uniform() { s = s * 16807 % 2147483647; return s / 2147483647 }
BEGIN { print "y,a,b,c"; s = 300000003
  for (i = 0; i < 9000; i++) {
    u = uniform()
    printf "%d,%.4f,%.4f,%.4f\n", (u + uniform() > 1.2), u, uniform(), uniform()
  } }' >records.csv
"$one" records.csv --labels 0,1 --header yes --convert records.dpb >said 2>&1 || bad "converting"

same="records.dpb --epsilon 1 --delta 1e-6 --quiet"
set -- $same --steps 4
"$one" "$@" --model first --save-key key >said 2>&1 || bad "one process"
"$one" "$@" --model one --replay key >said 2>&1 || bad "one process again"
"$one" "$@" --model stream --stream --replay key >said 2>&1 || bad "a stream"
cmp -s one stream || bad "a stream writes another model"
for count in 1 2 4; do
  ranks $count ./mpi_auc "$@" --model m$count --replay key || bad "$count ranks"
  cmp -s one m$count || bad "$count ranks write another model"
done

# persons: whole ones on each rank, one of them without a record
{ echo y,a,b,c,who; awk -F, 'NR > 1 { print $0 "," int((NR - 2) / 7) }' records.csv; } >persons.csv
"$one" persons.csv --labels 0,1 --header yes --person who --convert persons.dpb >said 2>&1 ||
  bad "converting persons"
who="persons.dpb --person who --persons 1287 --epsilon 1 --delta 1e-6 --quiet --steps 2"
"$one" $who --model p --save-key pkey >said 2>&1 || bad "persons, one process"
"$one" $who --model p1 --replay pkey >said 2>&1 || bad "persons, one process again"
ranks 2 ./mpi_auc $who --model p2 --replay pkey || bad "persons, 2 ranks"
cmp -s p1 p2 || bad "persons, 2 ranks write another model"

# --- what ends a job ------------------------------------------------------------------------------
$MPIRUN -np 1 ./mpi_auc "$@" --model m --replay key : \
  -np 1 ./mpi_auc $same --steps 5 --model m --replay key >said 2>&1 && bad "other settings"
grep -q "differs from rank 0" said || bad "ranks that disagree without a word"
sed '$s/^0/2/; $s/^1/0/; $s/^2/1/' records.csv >other.csv # the last record's label
rm -f other.dpb
"$one" other.csv --labels 0,1 --header yes --convert other.dpb >said 2>&1 || bad "converting"
$MPIRUN -np 1 ./mpi_auc "$@" --model m --replay key : \
  -np 1 ./mpi_auc other.dpb ${same#* } --steps 4 --model m --replay key >said 2>&1 && bad "other files"
grep -q "not the same file" said || bad "ranks with other files without a word"
if [ -n "$LONG" ]; then
  size=$(wc -c <records.dpb) # a byte of the last block, which is not rank 0's
  { head -c $((size - 3000)) records.dpb; printf '\377'; tail -c 2999 records.dpb; } >damaged.dpb
  shift
  ranks 2 ./mpi_auc damaged.dpb "$@" --model m && bad "a damaged block"
  grep -q "damaged" said || bad "a damaged block without a word"
fi
./mpi_auc --epsilon 1 >said 2>&1 && bad "a job without a file"
grep -q "FILE --model FILE" said || bad "a job without a file, without a word"
[ ! -e m ] || bad "a model of a job that was refused"

# --- killed ---------------------------------------------------------------------------------------
# what is released, without what is said about it
released() { sed -n '/"n":/,$p' "$1"; }
# killed ARGUMENTS...: one rank of a job that has begun to train; 1 where it was too late
killed() {
  rm -f kept killed.* long
  $MPIRUN -np 2 ./mpi_auc "$@" --model killed.$$ >said 2>&1 &
  job=$!
  until [ -s kept ] || ! kill -0 $job 2>/dev/null; do sleep 0.01; done
  rank=$(pgrep -"$place" -f "^./mpi_auc .*--model killed.$$\$") && kill -9 "$rank" 2>/dev/null
  wait $job && return 1
  [ ! -e killed.$$ ]
}
set -- $same --steps 40
for place in n ${LONG:+o n o}; do # the newest process is the last rank, the oldest is rank 0
  tries=1
  until killed "$@" --checkpoint kept --save-key long; do
    [ $((tries += 1)) -le 100 ] || bad "no job could be killed"
  done
  grep -q "signal 9" said || bad "a killed rank without a word"
  ranks 2 ./mpi_auc "$@" --checkpoint kept --resume --model killed.$$ || bad "to go on"
  [ ! -e kept ] || bad "a checkpoint that outlives its model"
  rm -f straight
  "$one" "$@" --stream --replay long --model straight >said 2>&1 || bad "straight"
  released straight >numbers
  grep -q . numbers || bad "nothing was released"
  released killed.$$ | cmp -s - numbers || bad "to go on writes another model"
done

# --- a metric: five blocks of rows in a ring ------------------------------------------------------
head -n 301 records.csv >few.csv
"$one" few.csv --labels 0,1 --header yes --convert few.dpb >said 2>&1 || bad "converting"
for count in 1 3 ${LONG:+2 4}; do
  echo "32 bytes that make the same noise" >key
  ranks $count ./mpi_metric few.dpb --key key --model w$count --steps 2 --block 64 ||
    bad "a metric of $count ranks"
  cmp -s w1 w$count || bad "$count ranks write another metric"
  [ ! -e key ] || bad "the key outlives its model"
done
grep -q '"metric": \[\[' w1 || bad "no metric"
echo "mpi: equal for any number of ranks; killed and gone on with; a metric in a ring"
