#!/bin/sh
# SPDX-License-Identifier: MIT
# The statistics of noise_stats.c at 4e7 samples a law; `make test-stats` runs them at 10^10.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -std=c99 -O2 -I. -Imodules tests/checks/noise_stats.c -lm -o "$work/stats"
"$work/stats" "${SAMPLES:-4e7}"
