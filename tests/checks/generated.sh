#!/bin/sh
# SPDX-License-Identifier: MIT
# The four headers are what src/ makes of its chapters; a chapter opens with a comment that says what
# it holds, and is not longer than 450 lines.
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
  awk 'FNR == 1 && !/^\/\*/ { print "FAIL " FILENAME ": what does it hold? Open it with a comment"; bad = 1 }
    END { if (NR > 450) { print "FAIL " FILENAME ": " NR " lines; cut it"; bad = 1 } exit bad }' "$chapter" || echo >"$T/bad"
done
[ ! -f "$T/bad" ] || bad=1
exit $bad
