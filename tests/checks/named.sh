#!/bin/sh
# SPDX-License-Identifier: MIT
# Whoever does not name a thing does not compile it. A program of one instance that prepares no state and
# makes no clip holds no code of near-linear sums, of sums of integers or of clipped pairs, at any level of
# optimisation; one that makes a state, or a clip, holds its code, and not the other's.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAIL: $1"
  exit 1
}
# program LOSS WEIGHTS CALL: gradients, their sensitivity and releases, after CALL
program() {
  cat <<END
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#define DPPAIR_WEIGHTS $2
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_$1
#include "dppair.h"
int steps(double *g, dppair_release *release, dppair_rows_f64 *rows, const double *w,
          const dppair_bounds *bounds, dppair_options *options, dppair_clip *clip, dppair_fast *fast);
int steps(double *g, dppair_release *release, dppair_rows_f64 *rows, const double *w,
          const dppair_bounds *bounds, dppair_options *options, dppair_clip *clip, dppair_fast *fast) {
  double s;
  size_t bytes;
  (void)clip;
  (void)fast;
  if ($3) return 1;
  if (rank_workspace(&bytes, rows->n, rows->d, options) || bytes > options->bytes) return 2;
  if (rank_gradient(g, rows, w, options)) return 3;
  if (rank_sensitivity(&s, rows->d, bounds, &release->sampling, options)) return 4;
  if (rank_release_vector(g, rows->d, release, bounds, s, options)) return 5;
  return rank_release(g, release, rows, w, options) != DPPAIR_OK;
}
END
}
CLIPPED='clip_all_ clip_coeffs clip_caps_'
SUMS='sketch_count sketch_close chunked_gradient_ chunked_sketch_ dppair_sum_f64 sums_allowance_ fast_is_'
BOXED='sketch_count chunked_gradient_ dppair_sum_f64 sums_allowance_'
SORTED='pieces_coeffs pieces_run_'
CLIP='rank_clip_init(clip, 1.0)'
STATE='rank_fast_init(fast, rows->n, DPPAIR_ACCURACY_1E9, 20.0, NULL, options->work, options->bytes)'
# holds WHAT THERE ABSENT: the names of the object have each word of THERE and none of ABSENT
holds() {
  nm "$work/a.o" >"$work/names"
  grep -q rank_release "$work/names" || fail "$1: no release"
  for word in $2; do grep -q "$word" "$work/names" || fail "$1: no $word"; done
  for word in $3; do ! grep "$word" "$work/names" || fail "$1 holds $word"; done
}
programs=0
# compiled LOSS WEIGHTS CALL THERE ABSENT COMMAND...: the program, by this command
compiled() {
  program "$1" "$2" "$3" >"$work/a.c"
  what="$1, weights $2, $3" there=$4 absent=$5
  shift 5
  "$@" -Isrc -c "$work/a.c" -o "$work/a.o" || fail "$what: $*"
  holds "$what: $*" "$there" "$absent"
  programs=$((programs + 1))
}
plain="-std=c99 -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0"
for compiler in gcc clang; do
  command -v $compiler >"$work/which" || continue
  # shellcheck disable=SC2086
  for weights in 0 1; do
    compiled logistic $weights 0 '' "$CLIPPED $SUMS" $compiler -O0 $plain
    compiled logistic $weights "$CLIP" "$CLIPPED" "$SUMS" $compiler -O0 $plain
    compiled logistic $weights "$STATE" "$SUMS" "$CLIPPED" $compiler -O0 $plain
    compiled hinge $weights 0 '' "$CLIPPED $SUMS $SORTED" $compiler -O0 $plain
    compiled hinge $weights "$STATE" "$SORTED" "$CLIPPED $BOXED" $compiler -O0 $plain
  done
done
# as users compile
compiled logistic 0 0 '' "$CLIPPED $SUMS" gcc -std=c99 -O2
echo "$programs programs hold what they name"
