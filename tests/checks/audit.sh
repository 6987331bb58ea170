#!/bin/sh
# SPDX-License-Identifier: MIT
# A program without DPPAIR_AUDIT has the machine code that it would have if the audit's sites were not
# there: all functions of the four headers, from the headers and from copies whose sites
# are cut out. AUDIT_TIER: the widest tier that is compared.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/with" "$work/without"
sites=0
for header in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h; do
  cp "$header" "$work/with"
  # A site is a statement that begins on the line of DPPAIR_AUDITED_ and ends with the first semicolon.
  awk '/DPPAIR_AUDITED_/ && !/#define/ { cut = 1 } !cut { print } /;$/ { cut = 0 }' "$header" >"$work/without/$header"
  sites=$((sites + $(grep -c 'DPPAIR_AUDITED_(' "$header" || true) - $(grep -c 'DPPAIR_AUDITED_(' "$work/without/$header" || true)))
done
cat >"$work/all.c" <<'CODE'
#define DPPAIR_API static inline __attribute__((used))
#define DPPAIR_FN_ DPPAIR_API
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
CODE
for copy in with without; do
  gcc -std=c99 -O0 -DDPPAIR_MAX_TIER="${AUDIT_TIER:-0}" -DDPPAIR_NO_SIMDE -I"$work/$copy" -c "$work/all.c" -o "$work/$copy.o"
  objcopy -O binary --only-section=.text "$work/$copy.o" "$work/$copy.s"
  objdump -r "$work/$copy.o" | sed 1,3d >>"$work/$copy.s"
done
nm "$work/with.o" | grep -q ' dppair_draw$' || { echo "FAIL no code of the sites"; exit 1; }
cmp "$work/with.s" "$work/without.s" || { echo "FAIL the audit's sites leave code behind"; exit 1; }
echo "$sites sites, $(wc -c <"$work/with.s") bytes of machine code and where they lead"
[ $sites -ge 7 ]
