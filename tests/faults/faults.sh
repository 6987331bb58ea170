#!/bin/sh
# SPDX-License-Identifier: MIT
# sh tests/faults/faults.sh FOLDER: builds the tracer into FOLDER, runs it on the programs in
# FAULTS_PROGRAMS. STRIDE: each so many-th site; METHODS=no: without the sweep over all methods; ONLY:
# the jobs with this in their names, KIND: the faults.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
CC=${CC:-cc}
mkdir -p "$folder"
case $(uname -s)-$(uname -m) in
Linux-x86_64) ;;
*) echo "skipped: faults are injected on Linux on x86-64 alone"; exit 0 ;;
esac
strict="-std=c99 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror"
# shellcheck disable=SC2086
$CC $strict tests/faults/faults.c tests/faults/trace.c -o "$folder/faults"
[ -f "$folder/hook.so" ] || sh tests/faults/hook.sh "$folder"
set --
[ -z "${ONLY:-}" ] || set -- "$@" --only "$ONLY"
[ -z "${KIND:-}" ] || set -- "$@" --kind "$KIND"
exec "$folder/faults" --programs "$FAULTS_PROGRAMS" --library "$folder/hook.so" --stride "${STRIDE:-1}" \
  --methods "${METHODS:-yes}" "$@"
