#!/bin/sh
# SPDX-License-Identifier: MIT
# Two translation units that include everything and make the same template: they must link, and
# define no symbol of dppair's that another unit could see.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/a.c" <<'CODE'
#include "dppair_losses.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#define DPPAIR_NAME auc
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
double NAME(double u);
double NAME(double u) {
  double a, b;
  return auc_coeffs(&a, &b, &u, 1, &u, 1, NULL) == DPPAIR_OK ? a : 0.0;
}
CODE
cat >"$work/main.c" <<'CODE'
double first(double), second(double);
int main(void) { return first(1.0) == -0.5 && second(2.0) == -0.5 ? 0 : 1; }
CODE
for compiler in gcc clang g++; do
  command -v $compiler >/dev/null 2>&1 || continue
  cxx=
  [ $compiler = g++ ] && cxx="-x c++"
  for opt in -O0 -O2; do
    $compiler $cxx $opt -I. -DNAME=first -c "$work/a.c" -o "$work/a.o"
    $compiler $cxx $opt -I. -DNAME=second -c "$work/a.c" -o "$work/b.o"
    $compiler $cxx $opt -c "$work/main.c" -o "$work/main.o"
    $compiler "$work/a.o" "$work/b.o" "$work/main.o" -lm -o "$work/both"
    "$work/both" || { echo "$compiler $opt: wrong result"; exit 1; }
    visible=$(nm --defined-only --extern-only "$work/a.o" | grep -v -e first -e DW.ref || true)
    [ -z "$visible" ] || { echo "$compiler $opt: visible symbols"; echo "$visible"; exit 1; }
  done
done
