#!/bin/sh
# SPDX-License-Identifier: MIT
# The part of the matrix of compilers and processors that is quick: the same bits on 64-bit ARM and on
# 32-bit x86 with SSE, x87 arithmetic refused. `make matrix` has the rest.
MATRIX=quick exec sh "$(dirname "$0")/../matrix/matrix.sh"
