#!/bin/sh
# SPDX-License-Identifier: MIT
# The part of the matrix that test-long has time for: the same bits on 64-bit ARM, on 32-bit x86 with
# SSE and under a part of gcc's -Ofast; x87 arithmetic refused. `make matrix` has the rest.
MATRIX='+test-long ' exec sh "$(dirname "$0")/../matrix/matrix.sh"
