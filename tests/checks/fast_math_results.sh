#!/bin/sh
# SPDX-License-Identifier: MIT
# In a host that is compiled with -Ofast, bad input is still refused and figures are still right
# (gcc: tests of the core under -Ofast, of the accountant under -ffast-math); gcc's vector versions of exp, log, ..,
# which are good to 4 ulp only, are called nowhere. Linked with -Ofast, too, a program starts with
# subnormal numbers flushed to zero: it gets a status, and no number.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for test in core accountant/closed_forms; do
  level=-Ofast
  [ $test = core ] || level="-O1 -ffast-math" # the same freedoms, sooner
  # shellcheck disable=SC2086
  gcc -std=gnu99 $level -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_TEST_BRIEF -I. -Imodules -Itests/support -c "tests/headers/$test.c" -o "$work/test.o"
  gcc "$work/test.o" -o "$work/test" -lquadmath -lcmocka -lm
  "$work/test" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
echo '#include "dppair_losses.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"' >"$work/vector.c"
# that calls them: what -O3 adds to -O1 for loops, without the rest of it
vectors='-O1 -ftree-vectorize -fvect-cost-model=dynamic -ffast-math'
# shellcheck disable=SC2086
gcc -std=gnu99 $vectors -w -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_API='__attribute__((used)) static' -DDPPAIR_FN_=DPPAIR_API -I. -Imodules \
  -c "$work/vector.c" -o "$work/vector.o"
if nm "$work/vector.o" | grep _ZGV; then
  echo "gcc $vectors: vector versions of the library's functions"
  exit 1
fi
cat >"$work/link.c" <<'C'
#include "dppair_noise.h"
#include <stdio.h>
int main(void) {
  double x = 3.0;
  dppair_rng rng;
  const dppair_status from_os = dppair_rng_from_os(&rng);
  const dppair_status from_key = dppair_rng_from_key(&rng, (const uint8_t *)"0123456789abcdef0123456789abcdef", 0);
  const dppair_status noise = dppair_add_gaussian_f64(&x, 1, 1.0, &rng);
  printf("%d %d %d %d\n", from_os == DPPAIR_ERR_ENVIRONMENT, from_key == DPPAIR_OK, noise == DPPAIR_ERR_ENVIRONMENT,
         x == 0.0);
  return dppair_environment_check() == DPPAIR_ERR_ENVIRONMENT ? 0 : 1;
}
C
case $(uname -m) in x86_64)
  gcc -std=gnu99 -O1 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_FORCE_INLINE -I. -Imodules -c "$work/link.c" -o "$work/link.o"
  for library in '' -ffast-math; do # of the two commands, the one that links is the one that matters
    # shellcheck disable=SC2086
    gcc $library "$work/link.o" -o "$work/link" -lm
    told=$("$work/link") && refused=yes || refused=
    case $library$refused$told in
    "0 1 0 0" | "-ffast-mathyes1 1 1 1") ;;
    *) echo "gcc ${library:-without flags} as the linker: $told"; exit 1 ;;
    esac
  done ;;
esac
