#!/bin/sh
# SPDX-License-Identifier: MIT
# Five seconds of each fuzzing target that compiles in seconds. `make fuzz` runs all, for longer.
set -u
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" FUZZ_SECONDS=5 FUZZ="data model ledger sensitivity accountant noise pairs release" fuzz-brief
