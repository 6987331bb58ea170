#!/bin/sh
# The chapters of the tables once more in long double, with half the step (theory.h, item 3: the
# interpolation's error falls 65000 times), and the program that compares both. Where long double is
# double there is nothing to compare.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}/frontier
mkdir -p "$build/wide"
for f in density meeting combine cut build; do
  sed -E 's/\blong double\b/double/g; s/\bdouble\b/long double/g
    s/\bdppair_(exp|expm1|log|log1p|sqrt|cos|acos|floor|ceil|fabs)l?_\(/\1l(/g
    s/DPPAIR_(WIDE_)?UNIT_/WIDE_UNIT/g; s/defined\(__GNUC__\)/0/; s/dppair_isfinite_f64/wide_finite/g
    s/dppair_/wide_/g; s/wide_status/dppair_status/g
    s/DPPAIR_(TAPS_|RUN_|REACH_|RADIUS_|LEVELS_|MOST_NODES_|LOOPS_BEGIN_|LOOPS_END_)/WIDE_\1/g
    s/0\.125 \/ \(z/0.0625 \/ (z/; s/1\.0 \/ 64\b/1.0 \/ 256/' \
    "src/modules/allocation/$f.h" > "$build/wide/$f.h"
done
${CC:-cc} -O2 -Isrc -Isrc/modules -I"$build" -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0 tests/frontier/allocation.c \
  -o "$build/allocation" -lm
"$build/allocation"
