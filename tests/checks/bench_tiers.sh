#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh with every tier, both compilers, real programs and revisions.
LONG=1 exec sh "$(dirname "$0")/bench.sh"
