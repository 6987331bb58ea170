#!/bin/sh
# SPDX-License-Identifier: MIT
# Some scripts with busybox as shell, as awk and for other tools, under a German locale: a part of
# `make shells`.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" all || exit 1
for word in private_ stream; do
  told=$(BUILD=$BUILD ROWS=busybox ONLY=checks/$word JOBS=1 sh tests/shells.sh) || { echo "$told"; exit 1; }
done
echo "$told"
! echo "$told" | grep -q '^0 passed' || exit 77
