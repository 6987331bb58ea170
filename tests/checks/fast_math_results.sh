#!/bin/sh
# SPDX-License-Identifier: MIT
# In a host that is compiled with -Ofast, bad input is still refused and figures are still right
# (gcc: tests of the core and of the accountant under -Ofast); gcc's vector versions of exp, log, ..,
# which are good to 4 ulp only, are called nowhere.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for test in core accountant/closed_forms; do
  tier=2
  [ $test = core ] || tier=0 # which has no kernels
  gcc -std=gnu99 -Ofast -DDPPAIR_MAX_TIER=$tier -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_TEST_BRIEF -I. -Itests/support "tests/headers/$test.c" -o "$work/test" \
    -lquadmath -lcmocka -lm
  "$work/test" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
echo '#include "dppair_losses.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"' >"$work/vector.c"
# that calls them: what -O3 adds to -O1 for loops, without the rest of it
vectors='-O1 -ftree-vectorize -fvect-cost-model=dynamic -ffast-math'
# shellcheck disable=SC2086
gcc -std=gnu99 $vectors -w -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_API='__attribute__((used)) static' -I. \
  -c "$work/vector.c" -o "$work/vector.o"
if nm "$work/vector.o" | grep _ZGV; then
  echo "gcc $vectors: vector versions of the library's functions"
  exit 1
fi
