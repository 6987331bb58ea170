#!/bin/sh
# SPDX-License-Identifier: MIT
# Every function that the compiler sees of four instances, the four headers and the modules is found by ctags in
# src/, under the name that it is written with. Every public one, but for the ranges of losses, which are
# reached through L_RANGE, is named in a test, in a page or an example, and is in the manual, which Doxygen renders without a
# warning; loops of a tier are in neither. The first and the last need their tool.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
{
  # what the accountant has to know before it comes; then modules, which instances ask
  sed -n '/^#define DPPAIR_\(SLOT\|WITH\)_[A-Z0-9]*_\{0,1\}\( .*\)\{0,1\}$/p' src/modules/*.h
  echo '#define DPPAIR_SIMULATION'
  for module in src/modules/*.h; do echo "#include \"${module##*/}\""; done
} >"$work/all.c"
cat >>"$work/all.c" <<'CODE'
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair_influence.h"
#include "dppair_top.h"
#define DPPAIR_NAME analytic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME piecewise
#define DPPAIR_REAL float
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define DPPAIR_NAME rowwise
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME triplets
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"
CODE
gcc -std=c99 -Isrc -Isrc/modules -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -fsyntax-only -aux-info "$work/aux" "$work/all.c" || exit 1
# lines "/* src/folder/chapter.h:12:NF */ static type analytic_coeffs_scalar (...": the written name
awk '/^\/\* src\/.*F \*\// {
  where = $2
  sub(/^\/\*[^*]*\*\/ /, "")
  if (!match($0, /[A-Za-z_0-9]+ \(/)) next
  name = substr($0, RSTART, RLENGTH - 2)
  sub(/^(analytic|piecewise|rowwise|triplets)_/, "DPPAIR_NAME_", name)
  if (name ~ /^dpv_/) sub(/(_i8)?_f(32|64)_scalar$/, "", name)
  if (where ~ /simd\//) sub(/_f64_one$/, "", name)
  if (where ~ /rows\/(quantise|narrow_|.*_kernels)/ && name !~ /^dpv_/) sub(/_i8/, "_ROW", name)
  if (where ~ /rows\/template/) sub(/_(f64|f32|i8)/, "_ROW", name)
  if (!sub(/__scalar$/, "_TIER_", name)) sub(/_scalar$/, "_TIER", name)
  print name, where
}' "$work/aux" | sort -u >"$work/functions"
count=$(wc -l <"$work/functions")
[ "$count" -ge 700 ] || { echo "only $count functions were seen"; exit 1; }
bad=0
# missing NAMES: the functions on standard input that are not in that list
missing() { awk 'FNR == NR { known[$1] = 1; next } !($1 in known)' "$1" -; }
if command -v ctags >/dev/null 2>&1; then
  ctags -x -I DPPAIR_DRAW_SLOT_+,DPPAIR_MECHANISM_SLOT_+,DPPAIR_NOISE_SLOT_+ --kinds-C=f --languages=C,C++ --langmap=C:+.h -R src >"$work/tags"
  missing "$work/tags" <"$work/functions" >"$work/lost"
  [ ! -s "$work/lost" ] || { echo "FAIL ctags does not see:"; cat "$work/lost"; bad=1; }
  echo "ctags: $count functions"
else
  echo "skipped: ctags (universal-ctags) is not installed"
fi
grep -v -e '^[^ ]*_ ' -e '^dp[vdr]_' -e '_TIER ' -e '^dppair_.*_range ' "$work/functions" >"$work/public"
cat tests/headers/*.c tests/headers/*/*.c tests/modules/*/*.c tests/support/*.h |
  sed -e 's/##type/ROW/g' -e 's/_i16_/_ROW_/g' -e 's/_i8_/_ROW_/g' | tr -c 'A-Za-z0-9_' '\n' | sort -u |
  awk '{ print; if (sub(/^[a-z0-9]+_/, "DPPAIR_NAME_")) print }' >"$work/named"
missing "$work/named" <"$work/public" >"$work/lost"
[ ! -s "$work/lost" ] || { echo "FAIL in no test:"; cat "$work/lost"; bad=1; }
echo "tests: $(wc -l <"$work/public") functions"
# In a page or an example: as it is, as NAME_x or rank_x, and of a type of rows as _f64, _f32 or _i8.
cat README.md docs/*.md docs/modules/*.md examples/*/*.c examples/*/*.cpp examples/*/*/*.c examples/*/*/*.h |
  tr -c 'A-Za-z0-9_' '\n' | sort -u |
  awk '{ print; t = $0; if (sub(/^[a-zA-Z0-9]+_/, "DPPAIR_NAME_", t)) print t
    t = $0; if (sub(/_(f64|f32|i8|i16|f16|bf16)$/, "_ROW", t)) print t
    t = $0; if (sub(/_(f64|f32|i8|i16|f16|bf16)_(f64|f32)$/, "", t)) { print t "_ROW_f32"; print t "_ROW_f64" } }' >"$work/written"
missing "$work/written" <"$work/public" >"$work/lost"
[ ! -s "$work/lost" ] || { echo "FAIL in no page and no example:"; cat "$work/lost"; bad=1; }
if command -v doxygen >/dev/null 2>&1; then
  mkdir "$work/docs"
  echo '# Losses {#losses}' >"$work/docs/losses.md"
  sh packaging/docs.sh "$work/docs" || { echo "FAIL Doxygen warns"; bad=1; }
  # the manual writes NAME_x, as comments do
  sed -n 's:.*<name>\(.*\)</name>.*:\1:p' "$work/docs/dppair.tags" | sed 's/^NAME_/DPPAIR_&/' >"$work/members"
  grep -v -e '^[^ ]*_ ' -e '^dp[vdr]_' -e '_TIER ' -e '^dppair_.*_range ' "$work/functions" >"$work/public"
  missing "$work/members" <"$work/public" >"$work/lost"
  [ ! -s "$work/lost" ] || { echo "FAIL not in the manual:"; cat "$work/lost"; bad=1; }
  echo "manual: $(wc -l <"$work/public") functions"
else
  echo "skipped: doxygen is not installed"
fi
exit $bad
