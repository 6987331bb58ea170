#!/bin/sh
# SPDX-License-Identifier: MIT
# The self-test notices a fault in each level, law, table and cipher: copies of dppair_noise.h with
# one planted fault each must not give a generator.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/a.c" <<'C'
#include "dppair_noise.h"
int main(void) {
  static const dppair_rng none;
  dppair_rng rng;
  int round;
  for (round = 0; round < 2; round++) { /* it is asked once, and refused ever after */
    memset(&rng, 1, sizeof rng);
    if (dppair_rng_from_os(&rng) != DPPAIR_ERR_SELF_TEST) return 1;
    if (memcmp(&rng, &none, sizeof rng) != 0) return 2;
  }
  return 0;
}
C
cp dppair.h "$work/"
CC=gcc
! command -v clang >/dev/null 2>&1 || CC=clang # which compiles in half of the time
# planted WHAT SED-EXPRESSION [TIER]
planted() {
  sed "$2" dppair_noise.h >"$work/dppair_noise.h"
  if cmp -s dppair_noise.h "$work/dppair_noise.h"; then
    echo "$1: the fault was not planted"
    exit 1
  fi
  $CC -std=gnu99 -O0 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER="${3:-3}" \
    -I"$work" "$work/a.c" -o "$work/a" -lm 2>"$work/log" || { cat "$work/log"; exit 1; }
  "$work/a" || { echo "$1: not noticed"; exit 1; }
}
planted "scalar logarithm" 's|2\.0 / 7,|2.0 / 7.001,|' 0
planted "scalar circle" 's|-1\.0 / 720,|-1.0 / 721,|' 0
planted "scalar sign" 's|words\[i\] >> 31 ? -plan->s : plan->s|words[i] >> 31 ? plan->s : -plan->s|' 0
planted "last level, pi" 's|0x487ed511u|0x487ed513u|' 0
planted "last level, ln 2" 's|0xb17217f7u|0xb17217f5u|' 0
planted "l2 factor" 's|\*q = rho / dppair_sqrt_(norm2)|*q = rho / norm2|' 0
planted "ChaCha20" 's|\*d = dppair_rotl_(\*d ^ \*a, 8)|*d = dppair_rotl_(*d ^ *a, 9)|' 0
if [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo; then
  planted "second level, sign" 's|y = DPR_DFMA(z, scale|y = DPR_DFMA(z, DPR_DSET(-plan->s)|'
  planted "second level, place" 's|sine\[i\] = (p / 8|sine[i] = (p / 4|'
  planted "float logarithm" 's|0\.333352117137889f|0.334f|'
  planted "float circle" 's|-0\.49999894781371773f|-0.5001f|'
  planted "double logarithm" 's|0\.40000000052274937|0.4001|'
  planted "double circle" 's|0\.04166666666663093|0.0417|'
  planted "float release" 's|DPR_FFMA(DPR_FADD(whole, k)|DPR_FFMA(DPR_FSUB(whole, k)|'
  planted "wide ChaCha20" 's|d = DPR_IROL(d, 8)|d = DPR_IROL(d, 7)|'
  if grep -q ' aes' /proc/cpuinfo; then
    planted "AES instructions" 's|x\[5\] = _mm_aesenclast_si128(f, k)|x[5] = _mm_aesenclast_si128(e, k)|' 2
  fi
  if grep -q ' vaes' /proc/cpuinfo; then
    planted "rows of VAES" 's|f = DPR_AES(f, k)|f = DPR_AES(e, k)|' 2
  fi
fi
# A host's entropy that says it is done and wrote nothing.
cat >"$work/hook.c" <<'C'
#include <stddef.h>
#define DPPAIR_ENTROPY(out, n) ((void)(out), (void)(n), 0)
#include "dppair_noise.h"
int main(void) {
  dppair_rng rng;
  return dppair_rng_from_os(&rng) != DPPAIR_ERR_ENTROPY;
}
C
gcc -std=c99 -O0 -w -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. "$work/hook.c" -lm -o "$work/hook" && "$work/hook" || {
  echo "entropy that nobody wrote is taken"
  exit 1
}
echo "each planted fault is noticed"
