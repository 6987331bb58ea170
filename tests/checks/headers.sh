#!/bin/sh
# SPDX-License-Identifier: MIT
# Each header alone in a folder, as C17 by gcc and as C++17 by clang, and all of
# them as C99 by clang and as C++11 by g++, with a strict host's warnings as errors; then a program that
# uses much of them, after iso646.h, with short names taken by macros (those of windows.h among them), as
# C and C++, in bounded memory. Warnings that come from the optimiser alone: readme.sh, as users compile. Modules:
# modules.sh.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/vendor"
cp dppair*.h "$work/vendor"
checked=0
for headers in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h \
  "dppair_losses.h dppair_noise.h dppair_accountant.h"; do
  rm -f "$work"/vendor/*
  for header in $headers; do
    cp "$header" "$work/vendor"
    printf '#include "vendor/%s"\n' "$header"
  done >"$work/a.c"
  echo 'int main(void) { return 0; }' >>"$work/a.c"
  cp "$work/a.c" "$work/a.cc"
  case $headers in
  *" "*) set -- "clang -std=c99 a.c" "g++ -std=c++11 a.cc" ;;
  *) set -- "gcc -std=c17 a.c" "clang++ -std=c++17 a.cc" ;;
  esac
  for command do
    command -v "${command%% *}" >/dev/null 2>&1 || continue
    (cd "$work" && $command $STRICT -fsyntax-only) || { echo "$headers alone: $command"; exit 1; }
    checked=$((checked + 1))
  done
done
echo "$checked combinations of header, compiler and language"
[ $checked -ge 5 ]
cp dppair*.h modules/*.h "$work/vendor"

# Headers of two versions are refused, whichever comes first.
for header in dppair_noise.h modules/dppair_tables.h; do
  other=$work/vendor/other_${header##*dppair_}
  sed 's/\(DPPAIR_CORE_TEXT_.* \)[0-9]*u$/\11u/' $header >"$other"
  ! cmp -s $header "$other"
done
for order in "dppair_accountant.h other_noise.h" "other_noise.h dppair.h" "other_noise.h dppair_losses.h" \
  "other_noise.h dppair_tables.h" "dppair_noise.h dppair_accountant.h dppair.h other_tables.h"; do
  for header in $order; do printf '#include "vendor/%s"\n' "$header"; done >"$work/a.c"
  if (cd "$work" && gcc -fsyntax-only a.c) 2>"$work/log" || ! grep -q 'Two versions of dppair' "$work/log" ||
    [ "$(wc -l <"$work/log")" -gt 9 ]; then
    echo "two versions: $order"
    head -n 9 "$work/log"
    exit 1
  fi
done

# Releases are there once noise and accountant are, in whatever order; an instance has its own where
# the losses came before it too.
cat >"$work/release.c" <<'CODE'
#ifdef FOURTH
#include FOURTH
#endif
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#define own_KIND dppair_pairs
#define own_VALUE(u, p) DPV_MUL(u, u)
#define own_SLOPE(u, p) DPV_ADD(u, u)
#include "vendor/dppair.h"
int main(void) {
  dppair_release release;
  double g[1];
  dppair_release_close(&release);
  return dppair_release_vector(g, 1, &release, 1.0) == DPPAIR_ERR_CLOSED
#ifdef FOURTH
         && rank_release(g, &release, NULL, g, NULL) == DPPAIR_ERR_NULL
#endif
             ? 0 : 1;
}
CODE
N=vendor/dppair_noise.h A=vendor/dppair_accountant.h L=vendor/dppair_losses.h
orders=0
quick="gcc -std=c99" # where the compiler does not matter
! command -v clang >/dev/null 2>&1 || quick="clang -std=c99"
for order in "$N $L $A" "$A $N $L" "$L $A $N" "$N $A"; do
  # one of them, and the one without losses, run
  case $order in
  "$N $L $A") set -- "$quick" "g++ -x c++ -std=c++11" ;;
  *) set -- "$quick" ;;
  esac
  for command do
    command -v "${command%% *}" >/dev/null 2>&1 || continue
    set -- $order
    flags="-include $1 -include $2 ${3:+-DFOURTH=\"$3\"}"
    build="-fsyntax-only" run=
    case $command:$order in g++*) ;; *:"$N $L $A" | *:"$N $A") build="-o release -lm" run=./release ;; esac
    (cd "$work" && $command $STRICT -O0 -DDPPAIR_MAX_TIER=0 -I. -Imodules -Ivendor $flags release.c $build && $run) ||
      { echo "releases: $command, $order"; exit 1; }
    orders=$((orders + 1))
  done
done
for one in $N $A $L; do
  if (cd "$work" && $quick -w -DDPPAIR_MAX_TIER=0 -I. -Imodules -Ivendor -include $one -fsyntax-only release.c) 2>/dev/null; then
    echo "releases are declared with $one alone"
    exit 1
  fi
done
echo "$orders orders of inclusion"

cat >"$work/host.c" <<'CODE'
#include <iso646.h>
#include <dppair_accountant.h>
#include <dppair_losses.h>
#include <dppair_noise.h>
#include <dppair_metric.h>
#define DPPAIR_NAME host
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include <dppair.h>
static double x[24], w[9], y[8], g[9], a[8], work[1 << 14];
int main(void) {
  dppair_rng rng;
  dppair_fast f;
  dppair_rows_f64 rows = dppair_rows_make_f64(x, 8, 3, 3);
  dppair_clip clip;
  const dppair_options options = {NULL, &clip, NULL, NULL, work, sizeof work, NULL};
  double sigma, auc;
  int bad = host_clip_init(&clip, 1.0) != DPPAIR_OK;
  bad |= dppair_gaussian_sigma(&sigma, 1.0, 1.0, 1e-5, 1) != DPPAIR_OK;
  bad |= dppair_rng_from_os(&rng) != DPPAIR_OK;
  bad |= dppair_scores_f64(y, &rows, w) != DPPAIR_OK;
  bad |= host_coeffs(a, a + 4, y, 4, y + 4, 4, NULL) != DPPAIR_OK;
  bad |= host_fast_init(&f, 8, DPPAIR_ACCURACY_1E9, 1.0, NULL, work, sizeof work) != DPPAIR_OK;
  bad |= host_coeffs_fast(a, a + 4, y, 4, y + 4, 4, NULL, &f) != DPPAIR_OK;
  bad |= dppair_combine_f64(g, &rows, a) != DPPAIR_OK;
  rows.positives = 4;
  bad |= host_gradient(g, &rows, w, &options) != DPPAIR_OK;
  rows.y = y;
  bad |= host_form_gradient(g, DPPAIR_FORM_METRIC, &rows, w, 3, 1.0, &options) != DPPAIR_OK;
  bad |= dppair_add_gaussian_f64(g, 9, sigma, &rng) != DPPAIR_OK;
  bad |= dppair_add_laplace_f64(g, 9, sigma, &rng) != DPPAIR_OK;
  bad |= dppair_auc_not_private_f64(&auc, y, 4, y + 4, 4, work, sizeof work) != DPPAIR_OK;
  dppair_wipe(&rng, sizeof rng);
  return bad;
}
CODE
built=0
while read -r compiler flags; do
  command -v "$compiler" >/dev/null 2>&1 || continue
  (
    ulimit -v 4000000
    cd "$work"
    # shellcheck disable=SC2086
    $compiler $flags $STRICT -Ivendor host.c -o host -lm
  ) || { echo "a program that uses the headers: $compiler $flags"; exit 1; }
  [ "${flags%-fsyntax-only*}" != "$flags" ] || "$work/host" || { echo "does not run: $compiler $flags"; exit 1; }
  built=$((built + 1))
done <<'BUILDS'
gcc -std=c99 -O0 -DDPPAIR_MAX_TIER=0 -Wc++-compat -DN=400 -DD=8 -Dfar= -Dnear= -Dsmall=char -Dinterface=struct -DIN= -DOUT=
g++ -x c++ -std=c++11 -fsyntax-only -DDPPAIR_MAX_TIER=0 -DN=400 -DD=8
BUILDS
echo "$built builds of a program"
[ $built -ge 1 ]
