#!/bin/sh
# SPDX-License-Identifier: MIT
# The four headers are what src/ makes of its chapters, and no chapter is longer than 450 lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
bad=0
sh src/headers.sh "$T" || exit 1
for header in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h; do
  cmp -s "$header" "$T/$header" || {
    echo "FAIL $header is generated from src/ and is not what src/ makes: edit there, then \`make headers\`"
    bad=1
  }
done
find src -name '*.h' | while read -r chapter; do
  awk 'END { if (NR > 450) { print "FAIL " FILENAME ": " NR " lines; cut it"; exit 1 } }' "$chapter" || echo >"$T/long"
done
[ ! -f "$T/long" ] || bad=1
exit $bad
