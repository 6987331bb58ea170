#!/bin/sh
# SPDX-License-Identifier: MIT
# Each mistake in the template's parameters is answered by one sentence that names it, in 12 lines of
# output at most, by gcc and clang, in C99 and C++11. Two mistakes that only the language can see, a
# NAME that is used twice and an operator on vectors, are named by the first error. Raw samples are not
# declared for a program that does not say DPPAIR_SIMULATION.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # numbers have a point, and messages are those that are looked for
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
FLAGS="-Wall -Wextra -Wundef -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE"
bad=0
runs=0
# Almost all mistakes begin with the losses, which each compiler reads once: gcc takes what it understood
# where it stands before the header on its path, clang where it is told.
mkdir "$work/gcc" "$work/g++" "$work/clang++"
# shellcheck disable=SC2086
{
  gcc -std=c99 $FLAGS -Isrc -Isrc/modules -x c-header src/dppair_losses.h -o "$work/gcc/dppair_losses.h.gch"
  g++ -std=c++11 $FLAGS -Isrc -Isrc/modules -x c++-header src/dppair_losses.h -o "$work/g++/dppair_losses.h.gch"
  clang++ -std=c++11 $FLAGS -I. -Imodules -x c++-header dppair_losses.h -o "$work/clang++/losses.pch"
} 2>/dev/null # a compiler that is not there, or cannot, reads them each time

# mistake WHAT SENTENCE [MOST [FIRST]]: the program on standard input is refused in at most MOST lines
# that hold the sentence, and FIRST (default: the sentence) before a second error.
mistake() {
  cat >"$work/program.c"
  for command in "gcc -std=c99" "g++ -x c++ -std=c++11" "clang++ -x c++ -std=c++11"; do
    command -v "${command%% *}" >/dev/null 2>&1 || continue
    case $command in
    clang*) # which shows what a user sees
      headers="-I. -Imodules"
      ! head -n 1 "$work/program.c" | grep -q dppair_losses.h || [ ! -f "$work/clang++/losses.pch" ] ||
        headers="-I. -Imodules -include-pch $work/clang++/losses.pch" ;;
    *) headers="-I$work/${command%% *} -Isrc -Isrc/modules" ;;
    esac
    runs=$((runs + 1))
    # shellcheck disable=SC2086
    if $command $FLAGS -fsyntax-only $headers "$work/program.c" >"$work/log" 2>&1; then
      echo "FAIL $1: $command accepts it"
    elif ! grep -q -e "$2" "$work/log"; then
      echo "FAIL $1: $command does not say '$2'"
    elif ! awk '/error:/ { errors++ } errors > 1 { exit } 1' "$work/log" | grep -q -e "${4:-$2}"; then
      echo "FAIL $1: $command does not begin with '${4:-$2}'"
    elif [ "$(wc -l <"$work/log")" -gt "${3:-12}" ]; then
      echo "FAIL $1: $command needs $(wc -l <"$work/log") lines"
    else
      continue
    fi
    head -n 6 "$work/log"
    bad=1
  done
}

mistake "no name" 'Define DPPAIR_NAME' <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
mistake "no type" 'Define DPPAIR_REAL as float or double' <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
mistake "no loss" 'Define DPPAIR_LOSS as the name of a loss' <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#include "dppair.h"
CODE
for type in real_t 'long double' int ''; do
  mistake "the type $type" 'DPPAIR_REAL must be the word float or the word double' <<CODE
#include "dppair_losses.h"
typedef double real_t;
#define DPPAIR_NAME rank
#define DPPAIR_REAL $type
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
done
mistake "a row-wise loss of the module, without it" 'contrastive losses and triplets are those of dppair_contrast.h' <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair.h"
CODE
mistake "a row-wise loss of one's own, without the module" 'include dppair_contrast.h before the instance' <<'CODE'
#define own_KIND dppair_rowwise
#define own_EXPONENT(s, own, like, p) (s)
#define own_SLOPE(s, own, like, p) DPV_SET(1)
#define DPPAIR_NAME rank
#define DPPAIR_REAL float
#define DPPAIR_LOSS own
#include "dppair.h"
CODE
mistake "a misspelt row-wise loss" 'DPPAIR_LOSS: include dppair_losses.h first, or dppair_contrast.h' <<'CODE'
#define DPPAIR_NAME rank
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonec
#include "dppair_contrast.h"
CODE
mistake "narrow rows of double" 'DPPAIR_ROW must be f32, bf16, f16, i16 or i8' <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
mistake "a misspelt loss" 'DPPAIR_LOSS: no such loss' <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logisitc
#include "dppair.h"
CODE
mistake "a loss without its header" 'DPPAIR_LOSS: include dppair_losses.h first' <<'CODE'
#include "dppair.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
mistake "a loss without a kind" 'needs L_KIND dppair_pairs' <<'CODE'
#define own_VALUE(u, p) DPV_MUL(u, u)
#define own_SLOPE(u, p) DPV_ADD(u, u)
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#include "dppair.h"
CODE
mistake "a misspelt kind" 'L_KIND is not _pairs, _piecewise, _analytic or _rowwise' <<'CODE'
#include "dppair_losses.h"
#define own_VALUE(u, p) DPV_MUL(u, u)
#define own_SLOPE(u, p) DPV_ADD(u, u)
#define own_KIND dppair_piecewize
#define own_PIECES(p) {{HUGE_VAL, 0, 2, 0}}
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#include "dppair.h"
CODE
mistake "losses after the name" 'Include dppair_losses.h before defining DPPAIR_NAME' <<'CODE'
#define DPPAIR_NAME rank
#include "dppair_losses.h"
CODE

for module in allocation l2ball shares; do
  name=DPPAIR_WITH_$(echo $module | tr '[:lower:]' '[:upper:]')
  mistake "$module after what it extends" "include dppair_$module.h first, or define $name" <<CODE
#include "dppair_accountant.h"
#include "dppair_$module.h"
CODE
  mistake "$module announced after what it extends" "include dppair_$module.h first, or define $name" <<CODE
#include "dppair_accountant.h"
#define $name
#include "dppair_$module.h"
CODE
done
for module in influence top; do
  mistake "$module after an instance" "Include dppair_$module.h before dppair.h makes an instance" <<CODE
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#include "dppair_$module.h"
CODE
done

# Here the compiler itself speaks first, of the word in quotes.
for name in '"rank"' '' 'my rank'; do
  mistake "the name $name" 'one identifier, without quotes' 12 "${name##* }" <<CODE
#include "dppair_losses.h"
#define DPPAIR_NAME $name
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
done
mistake "a name used twice" 'rank_is_the_DPPAIR_NAME_of_two_templates_' 10000 <<'CODE'
#include "dppair_losses.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
CODE
mistake "a product of vectors" "$work/program.c:2:" 10000 <<'CODE'
#include "dppair.h"
#define own_VALUE(u, p) (u * u)
#define own_SLOPE(u, p) DPV_ADD(u, u)
#define own_KIND dppair_pairs
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS own
#include "dppair.h"
CODE
# Raw samples are for simulation: without DPPAIR_SIMULATION nothing of them is declared.
echo '#include "dppair_noise.h"' >"$work/program.c"
gcc -std=c99 -E -Isrc -Isrc/modules "$work/program.c" | grep -n 'dppair_[a-z]*fill_[a-z0-9_]* *(' >"$work/log" && {
  echo "FAIL raw samples are declared without DPPAIR_SIMULATION"
  head -n 3 "$work/log"
  bad=1
}
gcc -std=c99 -DDPPAIR_SIMULATION -E -Isrc -Isrc/modules "$work/program.c" >"$work/log"
for law in gaussian_f64 gaussian_f32 laplace_f64 laplace_f32 exponential_f64 uniform_f64 rademacher_f64 sphere_f64 gamma_f64; do
  grep -q "dppair_fill_$law(" "$work/log" || { echo "FAIL no dppair_fill_$law"; bad=1; }
done
mistake "a raw sample in a release" 'dppair_fill_gaussian_f64' <<'CODE'
#include "dppair_noise.h"
dppair_status (*sample)(double *, size_t, double, dppair_rng *) = dppair_fill_gaussian_f64;
CODE
echo "$runs refusals"
[ $runs -ge 20 ] && exit $bad
