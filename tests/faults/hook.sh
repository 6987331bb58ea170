#!/bin/sh
# SPDX-License-Identifier: MIT
# sh tests/faults/hook.sh FOLDER: what traced programs are loaded with, FOLDER/hook.so.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
${CC:-cc} -shared -fPIC -O1 -w -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I. -Imodules -Itests/faults tests/faults/hook.c -o "$1/hook.so"
