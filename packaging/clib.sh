#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints clib.json, which has to name every file: the four headers, the modules and what they declare. `make headers`
# keeps it.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
cat <<JSON
{
  "name": "dppair",
  "version": "$version",
  "description": "Pairwise learning with differential privacy, in headers",
  "keywords": ["differential privacy", "ranking", "AUC", "metric learning", "header-only"],
  "license": "MIT",
  "src": [
JSON
{
  printf 'dppair%s.h\n' '' _losses _noise _accountant _declare
  find modules -name 'dppair_*.h' | LC_ALL=C sort
} | sed 's/.*/    "&",/; $s/,$//'
printf '  ]\n}\n'
