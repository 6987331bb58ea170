#!/bin/sh
# SPDX-License-Identifier: MIT
# The blocks of docs/examples.md and of docs/neighbours.md, each a function, compiled with a strict host's warnings, and run: every
# assert holds.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { on = 1; n++; if (n > 1) print "static int example_" n "(void) {"; next }
  /^```$/ { if (on && n > 1) print "return 0;\n}"; on = 0 }
  on
  END {
    print "int main(void) {\nint bad = 0;"
    for (i = 2; i <= n; i++)
      print "if (example_" i "()) bad = 1, printf(\"FAIL example " i ": %s\\n\", dppair_status_string((dppair_status)example_" i "()));"
    print "printf(\"" n - 1 " examples\\n\");\nreturn bad;\n}"
  }' docs/examples.md docs/neighbours.md >"$work/body.c"
{ echo '#include <stdio.h>'; cat "$work/body.c"; } >"$work/examples.c"
[ "$(grep -c '^static int example_' "$work/examples.c")" -ge 15 ] || { echo "FAIL the examples were not found"; exit 1; }
STRICT="-Wall -Wextra -Wpedantic -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
knobs="-O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Imodules"
# shellcheck disable=SC2086
gcc -std=c99 $STRICT $knobs "$work/examples.c" -lm -o "$work/examples" && "$work/examples"
