#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders the manual into the folder $1, where losses.md is already; fails on any warning.
set -eu
cd "$(dirname "$0")/.."
sed -e 's,(src/README.md),(@ref chapters),' -e 's,(docs/private_evaluation.md),(@ref private_evaluation),' \
  README.md >"$1/index.md"
sed '1s/$/ {#chapters}/' src/README.md >"$1/chapters.md"
sed '1s/$/ {#private_evaluation}/' docs/private_evaluation.md >"$1/private_evaluation.md"
DPPAIR_VERSION=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h) DPPAIR_DOCS=$1 doxygen packaging/Doxyfile
