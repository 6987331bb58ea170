#!/bin/sh
# SPDX-License-Identifier: MIT
# Small programs compile in the seconds and to the bytes of bench/compile/budget, where the compiler is the budget's;
# bench/compile_cost.sh says what is red. Under a budget that is too small, of bytes or of seconds, and without one, a
# row is red.
set -u
cd "$(dirname "$0")/../.." || exit 2
export CC=gcc
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset ONLY
sh bench/compile_cost.sh check || exit
# refused WORD AWK-PROGRAM: under the budget that the program makes of ours, the row of the Gaussian charge is red
refused() {
  awk "$2" bench/compile/budget >"$work/budget"
  ! BUDGET=$work/budget ONLY=gaussian ROUNDS=1 sh bench/compile_cost.sh check >"$work/said" &&
    grep -q "^$1.* gaussian" "$work/said" || { echo "FAIL not refused: $2"; cat "$work/said"; exit 1; }
}
refused FAIL '$1 == "gaussian" { $3 = int($3 / 1.06) } { print }'
refused SLOW '$1 == "gaussian" { $2 /= 2 } { print }'
refused FAIL '$1 != "gaussian"'
