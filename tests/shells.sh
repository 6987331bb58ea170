#!/bin/sh
# SPDX-License-Identifier: MIT
# The scripts of `make test` under other shells, awks, tools and locales than this machine's: make shells.
# ROWS=word: the rows with this word; ONLY=word: the scripts with it in their path. What is not installed
# is skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
# awk, shell, locale, and what else busybox stands in for
rows() {
  cat <<'ROWS'
mawk          dash     C
mawk          bash     de_DE.UTF-8
gawk          busybox  de_DE.UTF-8
original-awk  dash     de_DE.UTF-8
busybox       dash     C.UTF-8      sed sort grep tr head tail cut uniq wc seq
ROWS
}
skipped=0 failed=0 passed=0
rows | grep -e "${ROWS:-}" >"$BUILD/shells.rows"
while read -r awk shell locale tools <&3; do
  lacks=
  for tool in "$awk" "$shell" ${tools:+busybox}; do
    command -v "$tool" >/dev/null 2>&1 || lacks=$tool
  done
  case $locale in
  C | C.*) ;;
  *) locale -a 2>/dev/null | grep -qi "^${locale%.*}\.utf" || lacks="the locale $locale" ;;
  esac
  if [ -n "$lacks" ]; then
    echo "skipped: $lacks is not installed: $awk, $shell, $locale"
    skipped=$((skipped + 1))
    continue
  fi
  to=$BUILD/shells/$awk-$shell
  rm -rf "$to" && mkdir -p "$to/bin" || exit 2
  to=$(cd "$to" && pwd)
  ln -s "$(command -v "$awk")" "$to/bin/awk"
  ln -s "$(command -v "$shell")" "$to/bin/sh"
  for tool in $tools; do ln -s "$(command -v busybox)" "$to/bin/$tool"; done
  echo "$awk, $shell, LC_ALL=$locale${tools:+, busybox $tools}"
  if PATH=$to/bin:$PATH SCRIPTS_LOCALE=$locale RESULTS=$to "$to/bin/sh" tests/run.sh scripts >"$to/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
  grep -v -e '^ok' -e '^skip' -e '^     skipped' -e 'processor seconds' "$to/log"
done 3<"$BUILD/shells.rows"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
