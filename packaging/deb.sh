#!/bin/sh
# SPDX-License-Identifier: MIT
# A Debian source package and libdppair-dev, into the folder $1, from the committed tree; checked by
# lintian where it is installed. Needs dpkg-dev and debhelper.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
rm -rf "$1"
mkdir -p "$1"
git archive --format=tar --prefix="dppair-$version/" HEAD | gzip -9n >"$1/dppair_$version.orig.tar.gz"
tar -xzf "$1/dppair_$version.orig.tar.gz" -C "$1"
cp -r packaging/debian "$1/dppair-$version/debian"
unset BUILD MAKEFLAGS # a BUILD of the caller is not what the package cleans
(cd "$1/dppair-$version" && dpkg-buildpackage -us -uc >"../build.log" 2>&1) || { tail -n 20 "$1/build.log"; exit 1; }
rm -r "$1/dppair-$version"
if command -v lintian >/dev/null 2>&1; then
  lintian --fail-on error "$1"/*.changes
fi
ls "$1"
