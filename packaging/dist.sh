#!/bin/sh
# SPDX-License-Identifier: MIT
# What a release consists of, into the folder $1: the committed tree as a tarball, with the single file ready made in
# its folder ready/, that file and the declarations by themselves, and checksums of all. The same commit gives the same
# bytes.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
to=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -xf - -C "$work" # what is committed, not what lies here
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' "$work/dppair.h")
sh "$work/packaging/single.sh" >"$to/dppair_all.h"
cp "$work/dppair_declare.h" "$to/"
touch -d "@$(git log -1 --format=%ct)" "$to/dppair_all.h"
git archive --format=tar --prefix="dppair-$version/ready/" --add-file="$to/dppair_all.h" \
  --prefix="dppair-$version/" HEAD | gzip -9n >"$to/dppair-$version.tar.gz"
(cd "$to" && sha256sum "dppair-$version.tar.gz" dppair_all.h dppair_declare.h >SHA256SUMS)
git diff --quiet HEAD || echo "changes that are not committed are not in the tarball" >&2
cat "$to/SHA256SUMS"
