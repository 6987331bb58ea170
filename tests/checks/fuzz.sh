#!/bin/sh
# SPDX-License-Identifier: MIT
# The runs of each fuzzing target that are the same each time.
set -u
make -s BUILD="${BUILD:-build}" fuzz-brief
