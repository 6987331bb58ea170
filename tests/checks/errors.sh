#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/errors.md has one row for each status, in the order of the table in src/core/status.h, with a slip and
# a cure; and a sentence of the table says what to do after a colon. What both tell to call, there is.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAIL: $1"
  exit 1
}
sed -n 's/^  X(DPPAIR_\([A-Z_]*\),.*/\1/p' src/core/status.h >"$work/table"
# `STATUS` | slip | cure |
awk -F ' \\| ' '/^\| `/ {
  sub(/^\| `/, "", $1)
  sub(/`$/, "", $1)
  if (NF != 3 || length($2) < 10 || length($3) < 10) print "no slip or no cure: " $1 >"/dev/stderr"
  print $1
}' docs/errors.md >"$work/page" 2>"$work/said"
[ ! -s "$work/said" ] || fail "$(cat "$work/said")"
[ "$(wc -l <"$work/table")" -gt 30 ] || fail 'the table of statuses was not read'
diff "$work/table" "$work/page" || fail 'docs/errors.md and src/core/status.h name other statuses'
# the sentences, each on one line
awk '/^#define DPPAIR_STATUS_TABLE/ { on = 1; next }
  on && /^$/ { exit }
  on { sub(/ *\\$/, ""); text = text $0 }
  END {
    n = split(text, row, /X\(DPPAIR_/)
    for (i = 2; i <= n; i++) {
      gsub(/" *"/, "", row[i])
      print row[i]
    }
  }' src/core/status.h >"$work/sentences"
grep -v '^OK,' "$work/sentences" | grep -v ': ' >"$work/none" && fail "says not what to do: $(cat "$work/none")"
# a function, a prefix of several (dppair_rows_clip), or a header
for name in $(cat "$work/sentences" docs/errors.md | grep -o 'dppair_[a-z0-9_]*' | sort -u); do
  [ -f "modules/$name.h" ] || [ -f "$name.h" ] || grep -q "\b$name" dppair_declare.h || fail "there is no $name"
done
echo "$(wc -l <"$work/table") statuses, each with a sentence, a slip and a cure"
