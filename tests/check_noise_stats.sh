#!/bin/sh
# SPDX-License-Identifier: MIT
# The statistics of tests/stats_noise.c at 4e7 samples a law; `make test-stats` runs them at 10^10.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -std=c99 -O2 -I. tests/stats_noise.c -lm -o "$work/stats"
"$work/stats" "${SAMPLES:-4e7}"
