#!/bin/sh
# SPDX-License-Identifier: MIT
# Several ranks: 1, 2 and 4 of mpi_auc write the model of one process of private_auc, to the byte, and
# ranks that disagree are found. Says so and passes where MPI is not installed.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
MPICC=${MPICC:-mpicc}
MPIRUN=${MPIRUN:-mpirun --allow-run-as-root --oversubscribe}
for tool in "$MPICC" "${MPIRUN%% *}"; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "not checked: $tool is not installed"
    exit 0
  fi
done
make -s BUILD="$BUILD" "$BUILD/private_auc" || exit 1
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
dir=$BUILD/tests/mpi
rm -rf "$dir"
mkdir -p "$dir"
bad() { echo "FAILED: $1"; cat "$dir/said" 2>/dev/null; exit 1; }

# compiled to be there soon, against what `make` has built
flags="-std=c99 -O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -D_POSIX_C_SOURCE=200809L -I. -Iexamples"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wvla -Werror"
# shellcheck disable=SC2086
OMPI_CC="${CC:-cc}" MPICH_CC="${CC:-cc}" "$MPICC" $flags $strict examples/distributed/mpi_auc.c \
  examples/distributed/team.c "$BUILD"/examples/support/*.o "$BUILD"/examples/methods/*.o -lm \
  -o "$dir/mpi_auc" || bad "compiling"
cd "$dir" || exit 2

# three blocks, so one of four ranks has none
awk 'BEGIN { print "y,a,b,c"; srand(3)
  for (i = 0; i < 9000; i++) {
    u = rand()
    printf "%d,%.4f,%.4f,%.4f\n", (u + rand() > 1.2), u, rand(), rand()
  } }' >records.csv
printf 'name,low,high\na,0,1\nb,0,1\nc,0,1\n' >records.ranges
one=$BUILD/private_auc
"$one" records.csv --labels 0,1 --header yes --convert records.dpb >said 2>&1 || bad "converting"

set -- records.dpb --epsilon 1 --delta 1e-6 --quiet
"$one" "$@" --steps 4 --stream --model first --save-key key >said 2>&1 || bad "one process"
"$one" "$@" --steps 4 --stream --model one --replay key >said 2>&1 || bad "one process again"
./mpi_auc "$@" --steps 4 --model m1 --replay key >said 2>&1 || bad "1 rank"
cmp -s one m1 || bad "1 rank writes another model"
for ranks in 2 4; do
  $MPIRUN -np $ranks ./mpi_auc "$@" --steps 4 --model m$ranks --replay key >said 2>&1 ||
    bad "$ranks ranks"
  cmp -s one m$ranks || bad "$ranks ranks write another model"
done

$MPIRUN -np 1 ./mpi_auc "$@" --steps 4 --model m --replay key : \
  -np 1 ./mpi_auc "$@" --steps 5 --model m --replay key >said 2>&1 && bad "other settings"
grep -q "differs from rank 0" said || bad "ranks that disagree without a word"
[ ! -e m ] || bad "a model of ranks that disagree"
