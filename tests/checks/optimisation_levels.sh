#!/bin/sh
# SPDX-License-Identifier: MIT
# A template of each kind compiles without a warning and runs at the levels of optimisation that other
# tests do not have, within 3 GB: gcc -O3 and (the scalar tier) -Os, clang -O3, and as C++ with another
# type too on the scalar tier; products of a few columns with gcc -O1, whose warnings come from its optimiser.
# LEVELS: these instead, all tiers, by both compilers, with README's first program and more columns.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { on = 1; next } /^```$/ && on { exit } on' README.md >"$work/readme.c"
grep -q 'int main' "$work/readme.c"
cat >"$work/template.c" <<'CODE'
#include "dppair_losses.h"
#ifdef BOTH
#include "dppair_metric.h"
#endif
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#ifdef BOTH
#define DPPAIR_NAME steep
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
static float x[9], y[9];
#endif
static double work[4096], a[9], b[9], s[9];
int main(void) {
  dppair_clip clip;
  const dppair_options options = {NULL, &clip, NULL, NULL, work, sizeof work, NULL};
  dppair_rows_f64 rows = dppair_rows_make_f64(s, 9, 1, 1);
  dppair_fast f;
  double g[9];
  if (rank_clip_init(&clip, 1) != DPPAIR_OK) return 1;
  if (rank_fast_init(&f, 9, DPPAIR_ACCURACY_1E12, 10, NULL, work, sizeof work) == DPPAIR_OK &&
      rank_coeffs_fast(a, b, s, 9, s, 9, NULL, &f) != DPPAIR_OK)
    return 1;
  if (rank_coeffs(a, b, s, 9, s, 9, NULL) != DPPAIR_OK) return 1;
  rows.positives = 4;
  if (rank_gradient(g, &rows, s, &options) != DPPAIR_OK) return 1;
#ifdef BOTH
  dppair_rows_f32 steep = dppair_rows_make_f32(x, 9, 1, 1);
  steep.y = y;
  if (steep_form_gradient(g, DPPAIR_FORM_METRIC, &steep, s, 1, 0, &options) != DPPAIR_OK) return 1;
#endif
  return 0;
}
CODE
# columns N: a constant number of them
for d in 1 3 4 5 16 17 130; do
  cat >"$work/columns$d.c" <<CODE
#include "dppair.h"
enum { ROWS = 150, COLUMNS = $d };
static double x[ROWS * COLUMNS], c[ROWS], g[COLUMNS], w[COLUMNS];
static float y[ROWS * COLUMNS];
int main(void) {
  const dppair_rows_f64 wide = dppair_rows_make_f64(x, ROWS, COLUMNS, COLUMNS);
  const dppair_rows_f32 narrow = dppair_rows_make_f32(y, ROWS, COLUMNS, COLUMNS);
  return dppair_combine_f64(g, &wide, c) != DPPAIR_OK ||
         dppair_combine_f32(g, &narrow, c) != DPPAIR_OK ||
         dppair_scores_f64(c, &wide, w) != DPPAIR_OK;
}
CODE
done
built=0
for compiler in gcc clang; do
  command -v $compiler >/dev/null 2>&1 || continue
  case ${LEVELS-}$compiler in gcc) levels='-O3 -Os' ;; clang) levels=-O3 ;; esac
  for level in ${LEVELS-$levels}; do
    (
      ulimit -v 3000000
      for source in readme template; do
        [ "${LEVELS-$source}" != readme ] || continue
        tier=
        [ "${LEVELS-$level}" != -Os ] || tier=-DDPPAIR_MAX_TIER=0
        timeout 900 $compiler -std=c99 $level $tier $STRICT -I. -Imodules "$work/$source.c" -lm -o "$work/run" ||
          { echo "$compiler $level: $source"; exit 1; }
        "$work/run" >/dev/null || { echo "$compiler $level: $source does not run"; exit 1; }
      done
    )
    built=$((built + 1))
  done
  [ "${LEVELS-$compiler}" != clang ] || continue
  (
    ulimit -v 3000000
    for d in ${LEVELS:+1 4 5 16 130} 3 17; do
      timeout 900 $compiler -std=c99 -O1 $STRICT -I. -Imodules "$work/columns$d.c" -lm -o "$work/run" ||
        { echo "$compiler -O1: $d columns"; exit 1; }
    done
  )
done
echo "$built levels of compilers"
[ $built -ge 2 ]

tier=${LEVELS:+2}
tier=${tier:-0}
if command -v g++ >/dev/null 2>&1; then
  g++ -x c++ -O3 -DDPPAIR_MAX_TIER="$tier" $STRICT -DBOTH -I. -Imodules "$work/template.c" -o "$work/run"
fi
