#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders the manual into the folder $1, where losses.md is already; fails on any warning.
set -eu
cd "$(dirname "$0")/.."
sed 's,(src/README.md),(@ref chapters),' README.md >"$1/index.md"
sed '1s/$/ {#chapters}/' src/README.md >"$1/chapters.md"
DPPAIR_VERSION=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h) DPPAIR_DOCS=$1 doxygen packaging/Doxyfile
