#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C block of the README and of docs/guide.md that has a main is compiled as printed, as C99 and C++11, with a strict
# host's warnings, and run as C by clang where it is, the first by gcc -O2, too: it then holds no code that
# it cannot run. The blocks after the first program are parts of it, and run in it. The program with
# another loss spends the same and adds noise for that loss's slopes, or is refused. The blocks of the
# tutorial, one after the other, are a program; so are those of docs/recipes.md, the last of which is
# for MPI. They print what the page says, up to the semicolon behind which there is noise.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "README: $1"
  exit 1
}
[ "$(sh tests/fresh.sh commands | wc -l)" -eq 2 ] || fail "two commands below \"Try it\""
awk -v dir="$work" '/^```c$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > (dir "/block" n ".c") }' README.md docs/guide.md
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/tutorial.md >"$work/tutorial.c"
first=$work/block1.c
[ "$(grep -c . "$first")" -le 30 ] || fail "the first program has more than 30 lines"
# use FROM TO FILE: FILE with FROM replaced by TO, once on some line at least
use() {
  grep -qF -- "$1" "$3" || fail "no $1 in the first program"
  # not by -v, which takes no line break everywhere
  from=$1 to=$2 awk '{
    if (at = index($0, ENVIRON["from"])) $0 = substr($0, 1, at - 1) ENVIRON["to"] substr($0, at + length(ENVIRON["from"]))
    print
  }' "$3" >"$3.new"
  mv "$3.new" "$3"
}
# part BLOCK: the first program with a block before its main
part() {
  [ -f "$1" ] && ! grep -q '#include\|int main' "$1" || fail "$1 is no part of the first program"
  { sed '/^int main/,$d' "$first"; cat "$1"; sed -n '/^int main/,$p' "$first"; } >"$1.all"
  mv "$1.all" "$1"
}
batch=$work/block2.c network=$work/block3.c
cat "$work/block4.c" "$work/block5.c" >>"$network" # two steps of a network, one pointwise, one in chunks
rm "$work/block4.c" "$work/block5.c"
release='rank_release(g, &release, &rows, w, &options)'
part "$batch"
use 'dppair_sampling_all(N' 'dppair_sampling_poisson(N, 64' "$batch"
use 'static dppair_plan plan;' 'static unsigned char room[1 << 24]; dppair_composer composer; static dppair_plan plan;' "$batch"
use 's = dppair_release_open' 's = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_calibrate(&plan, &account, &composer);
  if (!s) s = dppair_release_open' "$batch"
use 'plan.delta, NULL)' 'plan.delta, &composer)' "$batch"
use "$release" 'batch_release(g, &release, &rows, w, &options)' "$batch"
part "$network"
use '#define DPPAIR_NAME rank' '#include "dppair_scale.h"
#include "dppair_pointwise.h"
#define DPPAIR_NAME rank' "$network"
use "s = $release" 'static double score[N]; s = dppair_scores_f64(score, &rows, w);
    dppair_rows_f64 half[2] = {rows, rows}; /* chunks of one class each */
    half[0].n = P, half[1].n = N - P, half[1].positives = 0, half[1].x += P * D, half[1].factor += P;
    if (!s) s = t < 2 ? network_release(g, D, &release, score, x[0], &options) : t == 2
                      ? pointwise_release(g, &release, &rows, score, w, &options)
                      : chunk_release(g, &release, half, 2, w)' "$network"
blocks=0
runner=gcc # what builds the blocks; its C++ only reads them, and g++ the first
! command -v clang >/dev/null 2>&1 || runner=clang
for block in "$work"/block*.c; do
  for compiler in "gcc -std=c99" "g++ -x c++ -std=c++11" "clang -std=c99" "clang++ -x c++ -std=c++11"; do
    command -v "${compiler%% *}" >/dev/null 2>&1 || continue
    case $block:$compiler in
      "$first":gcc*) knobs=-O2 ;;
      *:$runner\ *) knobs="-O0 -DDPPAIR_MAX_TIER=0" ;;
      "$first":g++*) knobs= ;;
      *:g*) [ $runner = gcc ] || continue; knobs= ;;
      *) knobs= ;;
    esac
    # shellcheck disable=SC2086
    [ "$knobs" ] || { $compiler -fsyntax-only -DDPPAIR_MAX_TIER=0 $STRICT -Isrc -Isrc/modules "$block" || fail "$block with $compiler"; continue; }
    # shellcheck disable=SC2086
    $compiler $knobs $STRICT -I. -Imodules -c "$block" -o "$work/run.o" && $compiler "$work/run.o" -lm -o "$work/run" ||
      fail "$block with $compiler"
    [ "$knobs" != -O2 ] || cp "$work/run.o" "$work/first.o"
    said=$("$work/run") || fail "$block with $compiler fails: $said"
    case $(grep -c dppair_release_open "$block"):$said in
      0:"ok: AUC 0."[789]*) ;; # that of private_auc, which a test holds against it: 0.87, of 1500 runs at least 0.82
      0:"ok: AUC"*) fail "$block ranks no better: $said" ;;
      0:*) ;;
      *": epsilon 1, AUC of others 0."[6-9]* | *": epsilon 0.99999999"*", AUC of others 0."*) ;;
      *) fail "$block spends: $said" ;;
    esac
  done
  blocks=$((blocks + 1))
done
[ $blocks -ge 6 ] || fail "only $blocks code blocks"
# shellcheck disable=SC2086
$runner -std=c99 -O0 -DDPPAIR_MAX_TIER=0 $STRICT -I. -Imodules "$work/tutorial.c" -lm -o "$work/tutorial" || fail "the tutorial"
said=$("$work/tutorial") || fail "the tutorial: $said"
case $said in # 0.74 to 0.86 in sixty runs; chance is 0.5
  "ok: epsilon 4, AUC of the rest 0."[6789]*) ;;
  *) fail "the tutorial: $said" ;;
esac
awk -v dir="$work" '/^```c$/ { on = 1; next } /^```$/ { on = 0 }
  on && /^#include "dppair_accountant.h"/ { n++ } on { print > (dir "/recipes" n ".c") }' docs/recipes.md
awk '/^    [a-z]*: .*;/ { sub(/^    /, ""); sub(/;.*/, ""); print }' docs/recipes.md >"$work/prints"
# shellcheck disable=SC2086
$runner -std=c99 -O0 -DDPPAIR_MAX_TIER=0 $STRICT -I. -Imodules "$work/recipes1.c" -lm -o "$work/recipes" || fail "the recipes"
"$work/recipes" >"$work/said" || fail "the recipes: $(cat "$work/said")"
last=one
if command -v mpicc >/dev/null 2>&1 && command -v mpirun >/dev/null 2>&1; then
  last=both
  OMPI_CC=$runner MPICH_CC=$runner mpicc -std=c99 -O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Imodules \
    "$work/recipes2.c" -lm -o "$work/recipes" || fail "the recipe with MPI"
  mpirun --allow-run-as-root --oversubscribe --bind-to none -np 2 "$work/recipes" >>"$work/said" 2>&1 ||
    fail "the recipe with MPI: $(cat "$work/said")"
else
  echo "skipped: no MPI is installed: the recipe with MPI"
  sed -i '/^mpi:/d' "$work/prints"
fi
sed -i 's/;.*//' "$work/said"
cmp -s "$work/said" "$work/prints" || fail "the recipes print otherwise: $(diff "$work/said" "$work/prints")"
# A program holds what it can run. The first one prepares no state, has rows of double and asks for no
# value of its loss: no boxes, no sorting, no kernels of float, not the loss itself.
nm "$work/first.o" | grep -q 'scores_f64' || fail "the first program has no scores"
unused=$(nm "$work/first.o" |
  grep -e box_coeffs -e pieces_coeffs -e scores_f32 -e combine_f32 -e logistic_value_ || true)
[ -z "$unused" ] || fail "code that never runs: $unused"
# Another loss: one word. Each step shows S N / 2, which is the steepest slope within margins of 2 |w|.
slope() {
  case $1 in
    hinge) echo 1.0 ;;
    squared_hinge) echo '2 * (1 + 2 * norm)' ;;
    exponential) echo 'exp(2 * norm)' ;;
  esac
}
for loss in hinge squared_hinge exponential; do
  cp "$first" "$work/other.c"
  use dppair_logistic dppair_$loss "$work/other.c"
  [ $loss != exponential ] || use 'STEPS = 4' 'STEPS = 12' "$work/other.c" # until the slopes leave all range
  use "s = $release;" "const double norm = dppair_norm_f64(w, D); s = $release;
    if (!s) printf(\"%.17g %.17g\\n\", 0.5 * N * release.sensitivity, $(slope $loss));" "$work/other.c"
  $runner -std=c99 -O0 -DDPPAIR_MAX_TIER=0 -I. -Imodules "$work/other.c" -lm -o "$work/run"
  status=0
  "$work/run" >"$work/said" || status=$?
  steps=$(awk 'NF == 2 { if ($1 < $2 || $1 > $2 * (1 + 1e-6)) exit 1; n++ }
    END { print n + 0 }' "$work/said") || { cat "$work/said"; fail "$loss is released with the noise of other slopes"; }
  case $loss:$steps:$status in
    exponential:[1-9]:1 | exponential:1[01]:1) grep -q 'epsilon 0,' "$work/said" || fail "an epsilon after a refusal" ;;
    exponential:*) cat "$work/said"; fail "slopes beyond all range are released" ;;
    *:4:0) grep -q 'epsilon 1,' "$work/said" || fail "$loss spends another epsilon" ;;
    *) cat "$work/said"; fail "$loss: $steps releases, status $status" ;;
  esac
done
echo "$blocks code blocks, $last of two programs of recipes"
