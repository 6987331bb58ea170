#!/bin/sh
# SPDX-License-Identifier: MIT
# Does the time of a release depend on the key or the data? Runs noise_timing.c under valgrind,
# where it is installed, on the widest tier that valgrind can execute (AVX2) up to TIER. The AVX-512
# kernels, which it cannot, are the same source over other registers; what a compiler could make of
# them is looked at: no gathered address, and no jump on a mask of numbers.
set -eu
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null 2>&1 || { echo "skipped: valgrind is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
looked() { # FILE: 1 and what it is, where an AVX-512 function has one
  awk '/^[0-9a-f]+ <.*avx512.*>:/ { on = $2; kernels++ }
    /^$/ { on = "" }
    on == "" { next }
    /v?p?(gather|scatter)[dq]/ { print on, $0; bad = 1 }
    mask && /\tj[a-z]+ / && !/\tjmp / { print on, mask; print on, $0; bad = 1 }
    { mask = /\t(kortest|ktest|vptest|vtestp)/ ? $0 : "" }
    END { if (kernels < 4) { print kernels + 0 " kernels"; bad = 1 } exit bad }' "$1"
}
gcc -std=gnu99 -O2 -g -DDPPAIR_MAX_TIER="${TIER:-3}" -I. -Imodules tests/checks/noise_timing.c -lm -o "$work/timing"
case $(uname -m)${TIER:-3} in x86_643)
  if command -v objdump >/dev/null 2>&1; then
    objdump -d --no-show-raw-insn "$work/timing" >"$work/code"
    looked "$work/code" || { echo "an AVX-512 kernel jumps on a mask, or gathers"; exit 1; }
    awk '/kortest/ && !done { print; print "    1000:\tjne    1010 <somewhere>"; done = 1; next } { print }' \
      "$work/code" >"$work/jumps"
    if looked "$work/jumps" >/dev/null; then echo "a planted jump on a mask was not seen"; exit 1; fi
  fi ;;
esac
code=0
valgrind -q --error-exitcode=9 "$work/timing" >"$work/log" 2>&1 || code=$?
if [ "$code" = 77 ]; then
  echo "skipped: no vector tier under valgrind"
  exit 77
fi
[ "$code" = 0 ] || { head -n 40 "$work/log"; echo "a branch or an address depends on a secret"; exit 1; }
if valgrind -q --error-exitcode=9 "$work/timing" leak >"$work/log" 2>&1; then
  echo "the check did not notice a planted branch"
  exit 1
fi
echo "no branch and no address depends on key or data"
