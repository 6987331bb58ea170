#!/bin/sh
# SPDX-License-Identifier: MIT
# Two translation units that include everything, modules too, and make the same template link, and define no symbol
# of dppair's that another unit could see.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/a.c" <<'CODE'
#include "modules.h"
#include "dppair_losses.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#define DPPAIR_NAME auc
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#ifdef __cplusplus
extern "C"
#endif
double first(double u);
double first(double u) {
  double a, b;
  return auc_coeffs(&a, &b, &u, 1, &u, 1, NULL) == DPPAIR_OK ? a : 0.0;
}
CODE
{
  # what the accountant has to know before it comes
  sed -n '/^#define DPPAIR_\(SLOT\|WITH\)_[A-Z0-9]*_\{0,1\}$/p' modules/*.h
  for module in modules/*.h; do echo "#include \"${module#modules/}\""; done
} >"$work/modules.h"
cat >"$work/main.c" <<'CODE'
#ifdef __cplusplus
extern "C"
#endif
double first(double);
#ifdef __cplusplus
extern "C"
#endif
double second(double);
int main(void) { return first(1.0) == -0.5 && second(2.0) == -0.5 ? 0 : 1; }
CODE
# The second unit is the first one with its one symbol of another name.
for command in "gcc -O0" "clang -O0" "g++ -x c++ -O0 -DDPPAIR_MAX_TIER=0"; do
  command -v "${command%% *}" >/dev/null 2>&1 || continue
  $command -I. -Imodules -c "$work/a.c" -o "$work/a.o"
  $command -c "$work/main.c" -o "$work/main.o"
  objcopy --redefine-sym first=second "$work/a.o" "$work/b.o"
  ${command%% *} "$work/a.o" "$work/b.o" "$work/main.o" -lm -o "$work/both"
  "$work/both" || { echo "$command: wrong result"; exit 1; }
  visible=$(nm --defined-only --extern-only "$work/a.o" | grep -v -e first -e DW.ref || true)
  [ -z "$visible" ] || { echo "$command: visible symbols"; echo "$visible"; exit 1; }
done
