#!/bin/sh
# SPDX-License-Identifier: MIT
# No method and no program has a noise scale, an account or a charge of its own: what it releases
# goes through a plan (examples/programs/methods/mechanisms.c), but for what is published at its end alone:
# spend_last there pays for it once, before its first step, as spend_stream does for a stream. Besides
# that file only budget.c keeps accounts.
set -eu
cd "$(dirname "$0")/../.."
own='dppair_(add_(gaussian|laplace|l2ball)|prefix_step|gaussian_sigma|discrete_|accountant_(gaussian|laplace|pure|sampled_|step|failure))'
found=$(grep -En "$own" examples/programs/*.c examples/programs/methods/*.[ch] examples/papers/*.[ch] |
  grep -Ev '^examples/programs/(budget\.c|methods/mechanisms\.c):' || true)
if [ -n "$found" ]; then
  echo "$found"
  echo "noise or a charge outside of a plan"
  exit 1
fi
# the patterns are those of what is called where it may be
for file in examples/programs/methods/mechanisms.c examples/programs/budget.c; do
  grep -Eq "$own" "$file" || { echo "$file: nothing of what is looked for is called there"; exit 1; }
done
# what papers print is asked for by tasks that say so
grep -q 'as_printed) return DPPAIR_ERR_NO_PROOF' examples/programs/methods/mechanisms.c
echo "no method has noise of its own"
