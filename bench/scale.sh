#!/bin/sh
# SPDX-License-Identifier: MIT
# make scale-table: the tables of docs/scale.md. RECORDS of one gradient beside X w and X^T c; then
# steps of a descent by several ranks, beside what the cost model of that page says of them.
# PART=one|memory|weak|strong runs one part of it.
set -u
export LC_ALL=C # numbers have a point
BUILD=${BUILD:-build}
RECORDS=${RECORDS:-1000000000}
MPIRUN=${MPIRUN:-mpirun --allow-run-as-root --oversubscribe}
export OMPI_MCA_mpi_yield_when_idle=1 # ranks that wait leave the processor to the others
part() { case ${PART:-$1} in "$1") return 0 ;; *) return 1 ;; esac; }

if part one; then
  "$BUILD/scale" --records "$RECORDS" || exit 1
  echo
  "$BUILD/scale" --records "$((RECORDS / 10))" --quick 1 || exit 1
  echo
fi
if part memory; then
  "$BUILD/scale" --records "$((RECORDS / 10))" --memory 2048 || exit 1
  echo
fi
if ! [ -x "$BUILD/scale_mpi" ] || ! command -v "${MPIRUN%% *}" >/dev/null; then
  echo "not measured: several ranks, since MPI is not installed"
  exit 0
fi

cores=$(nproc 2>/dev/null || echo 1)
# of two ranks: microseconds of a message of 16 bytes, and of each further byte
wires=$($MPIRUN -np 2 "$BUILD/scale_mpi" --wires 1 2>/dev/null) || exit 1
echo "$wires"
# table NAME RECORDS-OF-RANKS...: a line for 1, 2 and 4 ranks. Predicted: the passes of one rank over
# its records, P of them on `cores` processors, what one rank does besides, and log2 P messages for
# each of the four sums and for what rank 0 tells.
table() {
  echo
  echo "$1"
  echo "ranks     records   step ms   passes ms   predicted ms   speed-up   bytes a step and rank"
  shift
  ranks=1
  for records do
    steps=$((5000000 / records + 10))
    $MPIRUN -np $ranks "$BUILD/scale_mpi" --quick 1 --records "$records" --steps "$steps" || exit 1
    ranks=$((ranks * 2))
  done | awk -v wires="$wires" -v cores="$cores" '
    BEGIN { split(wires, w, " "); alpha = w[3]; beta = w[6] }
    { ranks = $2; records = $4; step = $6; passes = $8; bytes = $12
      if (ranks == 1) { base = passes / records; first = step / records; rest = step - passes }
      depth = log(ranks) / log(2)
      at = ranks < cores ? ranks : cores
      guess = base * records / at + (rest > 0 ? rest : 0) + depth * (5 * alpha + bytes * beta) / 1e3
      printf "%5d %11d %9.3f %11.3f %14.3f %10.2f %13d   %s\n", ranks, records, step, passes, guess,
        first * records / step, bytes, $14
      if (ranks == 1) digest = $14 }'
}
if part strong; then
  table "Strong scaling: the same 10^6 records" 1000000 1000000 1000000
  table "Strong scaling: the same 10^4 records, where latency shows" 10000 10000 10000
fi
if part weak; then table "Weak scaling: 10^6 records for each rank" 1000000 2000000 4000000; fi
