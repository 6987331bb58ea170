#!/bin/sh
# SPDX-License-Identifier: MIT
# The four headers and the modules are what src/ makes of its chapters, dppair_declare.h what they declare, and clib.json
# names them, whatever the locale, the mask of new files, the folder, the time zone and the awk; a chapter opens with a comment that says what it holds, and is not
# longer than 450 lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
bad=0
sh src/headers.sh "$T" || exit 1
headers=$(cd "$T" && find . -name '*.h')
for header in $headers; do
  cmp -s "$header" "$T/$header" || {
    echo "FAIL $header is generated from src/ and is not what src/ makes: edit there, then \`make headers\`"
    bad=1
  }
done
sh packaging/declarations.sh >"$T/dppair_declare.h" || exit 1
cmp -s dppair_declare.h "$T/dppair_declare.h" || {
  echo "FAIL dppair_declare.h is not what the headers declare: \`make headers\`"
  bad=1
}
sh packaging/clib.sh | cmp -s - clib.json || { echo "FAIL clib.json has not these headers: \`make headers\`"; bad=1; }
again() { # WHERE AWK LOCALE UMASK
  mkdir -p "$T/again" "$T/bin"
  ln -sf "$(command -v "$2")" "$T/bin/awk"
  (
    umask "$4"
    cd "$1" || exit 1
    env -i PATH="$T/bin:$PATH" HOME=/nowhere TZ=Pacific/Kiritimati LC_ALL="$3" sh "$here/src/headers.sh" "$T/again" || exit 1
    env -i PATH="$T/bin:$PATH" LC_ALL="$3" sh "$here/packaging/declarations.sh" >"$T/again/dppair_declare.h"
  ) || { echo "FAIL src/headers.sh or packaging/declarations.sh with $2, $3"; exit 1; }
  for header in $headers dppair_declare.h; do
    cmp "$T/$header" "$T/again/$header" || { echo "FAIL $header is another with $2, LC_ALL=$3, umask $4"; exit 1; }
  done
  rm -r "$T/again"
}
here=$(pwd)
others=$(locale -a 2>/dev/null | grep -i -e '^tr_' -e '^de_' -e '^ja_' | head -n 3)
[ -n "$others" ] || echo "skipped: no Turkish, German or Japanese locale is installed"
for locale in C C.UTF-8 $others; do again "$T" awk "$locale" 077; done
for awk in mawk gawk original-awk busybox; do # busybox asks its name what it is
  command -v "$awk" >/dev/null 2>&1 || { echo "skipped: $awk is not installed"; continue; }
  again / "$awk" POSIX 002
done
find src -name '*.h' | while read -r chapter; do
  awk 'FNR == 1 && !/^\/\*/ { print "FAIL " FILENAME ": what does it hold? Open it with a comment"; bad = 1 }
    END { if (NR > 450) { print "FAIL " FILENAME ": " NR " lines; cut it"; bad = 1 } exit bad }' "$chapter" || echo >"$T/bad"
done
[ ! -f "$T/bad" ] || bad=1
exit $bad
