#!/bin/sh
# SPDX-License-Identifier: MIT
# What a release consists of, into the folder $1: the committed tree as a tarball, the single file, and
# their checksums. The same commit gives the same bytes.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
mkdir -p "$1"
git archive --format=tar --prefix="dppair-$version/" HEAD | gzip -9n >"$1/dppair-$version.tar.gz"
sh packaging/single.sh >"$1/dppair_all.h"
(cd "$1" && sha256sum "dppair-$version.tar.gz" dppair_all.h >SHA256SUMS)
git diff --quiet HEAD || echo "changes that are not committed are not in the tarball" >&2
cat "$1/SHA256SUMS"
