#!/bin/sh
# SPDX-License-Identifier: MIT
# Flags that change values (x87, -funsafe-math-optimizations, -Ofast) never let digits of an un-noised
# number through a release: each build is refused with the sentence that names the cure, refuses at
# run time with zeroed output, or releases the right bits. And a host's names are the host's.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/a.c" <<'C'
#include "dppair_l2ball.h"
#include <stdio.h>
static double x[2000];
static float f[2000];
int main(void) {
  int law, narrow, grid, i;
  for (grid = 10; grid <= 24; grid += 7)
    for (law = 0; law < 3; law++)
      for (narrow = 0; narrow < 2; narrow++) {
        uint64_t h = 1;
        uint8_t key[32] = {7};
        dppair_rng rng;
        dppair_status status = dppair_rng_from_key_aes256(&rng, key, 3);
        if (status != DPPAIR_OK || (narrow && law == 2)) continue;
        for (i = 0; i < 2000; i++) f[i] = (float)(x[i] = i * 0.001220703125 + i / 3.0);
        status = law == 2 ? dppair_add_l2ball_f64_grid(x, 64, 1.7, grid, &rng)
                 : narrow ? (law ? dppair_add_laplace_f32_grid : dppair_add_gaussian_f32_grid)(
                                f, 2000, 1.7, grid, &rng)
                          : (law ? dppair_add_laplace_f64_grid : dppair_add_gaussian_f64_grid)(
                                x, 2000, 1.7, grid, &rng);
        for (i = 0; i < (law == 2 ? 64 : 2000); i++) {
          const double y = narrow ? (double)f[i] : x[i];
          if (status == DPPAIR_ERR_ENVIRONMENT && dppair_bits_f64_(y) != 0) puts("NOT ZEROED");
          h = (h ^ dppair_bits_f64_(y)) * UINT64_C(0x100000001b3);
        }
        if (status == DPPAIR_ERR_ENVIRONMENT) puts("refused");
        else printf("%d %d %d %d %016llx\n", grid, law, narrow, (int)status, (unsigned long long)h);
      }
  return 0;
}
C
gcc -std=gnu99 -O2 -I. -Imodules "$work/a.c" -o "$work/a" -lm
"$work/a" >"$work/right"

# refused COMPILER FLAGS...: does not compile, and says what to do.
refused() {
  if "$@" -fsyntax-only -I. -Imodules "$work/a.c" 2>"$work/log"; then
    echo "$*: not refused"
    exit 1
  fi
  grep -q -- "-msse2 -mfpmath=sse" "$work/log" || { echo "$*: no cure named"; exit 1; }
}
# right_or_refused RUNNER COMPILER FLAGS...: the right bits, or refused all over at run time.
right_or_refused() {
  runner=$1
  shift
  "$@" -I. -Imodules "$work/a.c" -o "$work/a" -lm
  $runner "$work/a" >"$work/out"
  if grep -q refused "$work/out"; then
    [ "$(sort -u "$work/out")" = refused ] || { echo "$*: refused only here and there"; exit 1; }
  else
    cmp "$work/right" "$work/out" || { echo "$*: other bits"; exit 1; }
  fi
}

case $(uname -m) in x86_64)
  refused gcc -mfpmath=387
  refused gcc -std=c99 -O2 -mfpmath=387
  refused gcc -mfpmath=sse,387
  right_or_refused "" gcc -std=gnu99 -O3 -march=native
  if command -v i686-linux-gnu-gcc >/dev/null 2>&1; then
    refused i686-linux-gnu-gcc -O2
    refused i686-linux-gnu-gcc -std=c99
    refused i686-linux-gnu-gcc -msse2
    refused i686-linux-gnu-gcc -msse2 -mfpmath=both
    if command -v qemu-i386-static >/dev/null 2>&1; then
      right_or_refused qemu-i386-static i686-linux-gnu-gcc -static -std=gnu99 -O1 -msse2 -mfpmath=sse
    else
      echo "skipped: qemu-i386-static is not installed"
    fi
  else
    echo "skipped: i686-linux-gnu-gcc is not installed"
  fi ;;
esac
right_or_refused "" gcc -std=gnu99 -Ofast
if command -v clang >/dev/null 2>&1; then
  for tier in 0 3; do
    right_or_refused "" clang -std=gnu99 -O1 -funsafe-math-optimizations -DDPPAIR_MAX_TIER=$tier
  done
  right_or_refused "" clang -std=gnu99 -O1 -fassociative-math -fno-signed-zeros -fno-trapping-math
  right_or_refused "" clang -std=gnu99 -O3 -ffp-contract=fast -march=native
fi
# gcc on Windows stops at AVX2
if command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1; then
  printf '#include "dppair_noise.h"\n#if DPPAIR_HAVE_AVX512\n#error "AVX-512"\n#endif\n' >"$work/w.c"
  x86_64-w64-mingw32-gcc -std=gnu99 -I. -Imodules -fsyntax-only "$work/w.c"
else
  echo "skipped: x86_64-w64-mingw32-gcc is not installed"
fi
# names of a host
gcc -std=gnu99 -O0 -DN=400 -DD=7 -include iso646.h -I. -Imodules "$work/a.c" -fsyntax-only
echo "each build gives the right bits or refuses"
