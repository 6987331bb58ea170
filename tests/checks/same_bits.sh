#!/bin/sh
# SPDX-License-Identifier: MIT
# The optimised build that users get gives the bits of the builds that the tests run: -O2 on the
# widest tier against -Og without forced inlining, on that tier and on the scalar one.
MATRIX='+test ' exec sh "$(dirname "$0")/../matrix/matrix.sh"
