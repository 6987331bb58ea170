#!/bin/sh
# SPDX-License-Identifier: MIT
# The self-tests notice a fault in each level, law, table and cipher. Copies of dppair_noise.h, and of the
# modules that have laws, with one planted fault each: what the fault is in must be refused at its first use, ever after, with
# zeros for an answer; laws that do not have it go on.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# One letter for each: k a key of the system's, G g L l Gaussian and Laplace noise in double and
# float, b the l2 mechanism, d D the discrete Laplace and Gaussian laws, s Skellam noise. The arguments
# name those that must be refused, and those that may be; all others must answer.
cat >"$work/a.c" <<'C'
#define DPPAIR_WITH_SHARES
#include "dppair_l2ball.h"
#include "dppair_shares.h"
static int zero(const void *p, size_t n) {
  const unsigned char *b = (const unsigned char *)p;
  size_t i;
  for (i = 0; i < n; i++)
    if (b[i] != 0) return 0;
  return 1;
}
int main(int argc, char **argv) {
  static const char all[] = "kGgLlbdDs";
  int round, i;
  if (argc != 3) return 1;
  for (round = 0; round < 2; round++) /* it is asked once, and refused ever after */
    for (i = 0; all[i]; i++) {
      double x[3] = {1, 2, 3};
      float f[3] = {1, 2, 3};
      int64_t k[3] = {1, 2, 3};
      uint8_t key[32] = {7};
      dppair_rng rng, os, before;
      dppair_status status;
      int blank = 0, may = strchr(argv[2], all[i]) != NULL;
      const int must = strchr(argv[1], all[i]) != NULL;
      memset(&os, 1, sizeof os);
      if (dppair_rng_from_key(&rng, key, 0) != DPPAIR_OK) return 1;
      before = rng;
      switch (all[i]) {
      case 'k': status = dppair_rng_from_os(&os), blank = zero(&os, sizeof os); break;
      case 'G': status = dppair_add_gaussian_f64(x, 3, 1.5, &rng), blank = zero(x, sizeof x); break;
      case 'g': status = dppair_add_gaussian_f32(f, 3, 1.5, &rng), blank = zero(f, sizeof f); break;
      case 'L': status = dppair_add_laplace_f64(x, 3, 1.5, &rng), blank = zero(x, sizeof x); break;
      case 'l': status = dppair_add_laplace_f32(f, 3, 1.5, &rng), blank = zero(f, sizeof f); break;
      case 'b': status = dppair_add_l2ball_f64(x, 3, 1.5, &rng), blank = zero(x, sizeof x); break;
      case 'd': status = dppair_discrete_laplace(k, 3, 9, 2, &rng), blank = zero(k, sizeof k); break;
      case 'D': status = dppair_discrete_gaussian(k, 3, 9, 2, &rng), blank = zero(k, sizeof k); break;
      default: status = dppair_add_skellam(k, 3, 50.0, &rng), blank = zero(k, sizeof k);
      }
      if (!must && status == DPPAIR_OK) continue;
      if (!(must || may) || status != DPPAIR_ERR_SELF_TEST || !blank ||
          memcmp(&rng, &before, sizeof rng) != 0) { /* nothing of the key stream is used up */
        (void)!write(2, &all[i], 1);
        return 2;
      }
    }
  /* the whole test fails with any of its parts */
  if ((dppair_noise_check() == DPPAIR_OK) != (strspn(argv[1], "bs") == strlen(argv[1]))) return 3;
  if ((dppair_l2ball_noise_check() == DPPAIR_OK) == (strchr(argv[1], 'b') != NULL)) return 5;
  if (strchr(argv[2], 's') != NULL) return 0;
  return (dppair_shares_check() == DPPAIR_OK) == (strchr(argv[1], 's') != NULL) ? 4 : 0;
}
C
cp dppair.h dppair_accountant.h "$work/"
CC=gcc
! command -v clang >/dev/null 2>&1 || CC=clang # which compiles in half of the time
# planted WHAT MUST[/MAY] SED-EXPRESSION [TIER]
planted() {
  changed=0
  for header in dppair_noise.h modules/dppair_l2ball.h modules/dppair_shares.h; do
    sed "$3" "$header" >"$work/${header##*/}"
    cmp -s "$header" "$work/${header##*/}" || changed=1
  done
  if [ "$3" ] && [ $changed -eq 0 ]; then
    echo "$1: the fault was not planted"
    exit 1
  fi
  $CC -std=gnu99 -O0 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER="${4:-3}" \
    -I"$work" "$work/a.c" -o "$work/a" -lm 2>"$work/log" || { cat "$work/log"; exit 1; }
  "$work/a" "${2%%/*}" "${2#*/}" || { echo "$1: not noticed, or noticed elsewhere"; exit 1; }
}
planted "no fault" / ''
all=kGgLlbdDs
# Answers that are spoiled: the law fails, and it alone.
for law in GAUSSIAN_F64:Gg GAUSSIAN_F32:g LAPLACE_F64:Ll LAPLACE_F32:l L2BALL:b DISCRETE_LAPLACE:d \
  DISCRETE_GAUSSIAN:D SKELLAM:s CHACHA20:$all AES256:$all; do
  planted "answer $law" "${law#*:}/" "s/ANSWER_${law%:*}_ UINT64_C(.*)/ANSWER_${law%:*}_ UINT64_C(1)/" 0
done
planted "scalar logarithm" GgLlbs/ 's|2\.0 / 7,|2.0 / 7.001,|' 0
planted "scalar circle" Ggb/ 's|-1\.0 / 720,|-1.0 / 721,|' 0
planted "scalar sign" Ll/ 's|words\[i\] >> 31 ? -plan->s : plan->s|words[i] >> 31 ? plan->s : -plan->s|' 0
planted "last level, pi" Ggb/ 's|0x487ed511u|0x487ed513u|' 0
planted "last level, ln 2" GgLlb/s 's|0xb17217f7u|0xb17217f5u|' 0
planted "l2 factor" b/ 's|\*q = rho / dppair_sqrt_(norm2)|*q = rho / norm2|' 0
planted "ChaCha20" $all/ 's|\*d = dppair_rotl_(\*d ^ \*a, 8)|*d = dppair_rotl_(*d ^ *a, 9)|' 0
planted "discrete Gaussian" D/ 's|return dppair_coin_exp_(s, fractions, 1);|return 1;|' 0
planted "discrete sign" dD/ 's|const int64_t y = (int64_t)law(|const int64_t y = -(int64_t)law(|' 0
if [ "$(uname -m)" = x86_64 ] && grep -q avx2 /proc/cpuinfo; then
  planted "second level, sign" GgLl/ 's|y = DPR_DFMA(z, scale|y = DPR_DFMA(z, DPR_DSET(-plan->s)|'
  planted "second level, place" Gg/ 's|sine\[i\] = (p / 8|sine[i] = (p / 4|'
  planted "float logarithm" GgLl/ 's|0\.333352117137889f|0.334f|'
  planted "float circle" Gg/ 's|-0\.49999894781371773f|-0.5001f|'
  planted "double logarithm" GgLl/ 's|0\.40000000052274937|0.4001|'
  planted "double circle" Gg/ 's|0\.04166666666663093|0.0417|'
  planted "float release" gl/ 's|DPR_FFMA(DPR_FADD(whole, k)|DPR_FFMA(DPR_FSUB(whole, k)|'
  planted "law of the float level" Gg/ 's|dpr_first_f32(x, n, DPPAIR_NOISE_GAUSSIAN_,|dpr_first_f32(x, n, DPPAIR_NOISE_LAPLACE_,|'
  planted "wide ChaCha20" $all/ 's|d = DPR_IROL(d, 8)|d = DPR_IROL(d, 7)|'
  if grep -q ' aes' /proc/cpuinfo; then
    planted "AES instructions" $all/ 's|x\[5\] = _mm_aesenclast_si128(f, k)|x[5] = _mm_aesenclast_si128(e, k)|' 2
  fi
  if grep -q ' vaes' /proc/cpuinfo; then
    planted "rows of VAES" $all/ 's|f = DPR_AES(f, k)|f = DPR_AES(e, k)|' 2
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
gcc -std=c99 -O0 -w -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Imodules "$work/hook.c" -lm -o "$work/hook" && "$work/hook" || {
  echo "entropy that nobody wrote is taken"
  exit 1
}
# What a program names: the symbols of one that adds a law, compiled as users do.
cat >"$work/one.c" <<'C'
#include "dppair_noise.h"
int main(void) {
  dppair_rng rng;
  double x[8] = {0};
  return dppair_rng_from_os(&rng) != DPPAIR_OK || ADD(x, 8, 1.0, &rng) != DPPAIR_OK;
}
C
# holds ADD WORDS: no symbol of the program has one of the words
holds() {
  for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    $compiler -std=c99 -O2 -w -I. -DADD="$1" -c "$work/one.c" -o "$work/one.o"
    ! nm "$work/one.o" | grep -E "dppair_.*($2)" || {
      echo "$compiler: a program of $1 alone holds another law"
      exit 1
    }
  done
}
holds dppair_add_gaussian_f64 'laplace|l2ball|l2_|discrete|skellam|poisson|two_sided|f32'
holds dppair_add_laplace_f64 'gaussian_f|second_gaussian|l2ball|l2_|discrete|skellam|poisson|two_sided|f32'
echo "each planted fault is noticed, by the laws that have it"
