#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders the manual into the folder $1, where losses.md is already; fails on any warning.
set -eu
cd "$(dirname "$0")/.."
sed -e 's,(src/README.md),(@ref chapters),' -e 's,(docs/\([a-z_]*\)\.md),(@ref \1),g' \
  README.md >"$1/index.md"
sed '1s/$/ {#chapters}/' src/README.md >"$1/chapters.md"
for page in private_evaluation people contrastive scale streaming support_matrix metrics baselines threat_model enclave; do
  sed "1s/\$/ {#$page}/" docs/$page.md >"$1/$page.md"
done
DPPAIR_VERSION=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h) DPPAIR_DOCS=$1 doxygen packaging/Doxyfile
