#!/bin/sh
# SPDX-License-Identifier: MIT
# sh packaging/programs/pages.sh FOLDER OUT NAME ...: what the programs in FOLDER say of themselves, as
# manual pages OUT/man/NAME.1, completion for bash, OUT/completion/bash/NAME, and zsh, .../zsh/_NAME.
set -eu
programs=$1 out=$2
shift 2
here=$(dirname "$0")
mkdir -p "$out/man" "$out/completion/bash" "$out/completion/zsh"
made() { awk "$@" -f "$here/help.awk" -f "$form" "$out/man/help"; }
for name; do
  "$programs/$name" --help >"$out/man/help"
  version=$("$programs/$name" --version)
  form=$here/manual.awk
  made -v version="${version##* }" -v others="$*" >"$out/man/$name.1"
  form=$here/completion.awk
  made -v shell=bash >"$out/completion/bash/$name"
  made -v shell=zsh >"$out/completion/zsh/_$name"
done
rm "$out/man/help"
# What a formatter complains of, where one is installed.
if command -v mandoc >/dev/null 2>&1; then
  check() { mandoc -T lint -W error "$1"; }
elif command -v groff >/dev/null 2>&1; then
  check() { groff -man -ww -rLL=100n -Tascii "$1" 2>&1 >/dev/null; }
else
  echo "manual pages are not checked: neither mandoc nor groff is installed"
  exit 0
fi
for name; do
  said=$(check "$out/man/$name.1") || true
  [ -z "$said" ] || { echo "$said"; exit 1; }
done
