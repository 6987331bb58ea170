#!/bin/sh
# SPDX-License-Identifier: MIT
# Without a C library: nothing undefined, a release within 8 KB of stack, the same bits. The rows that
# `make test` has time for; `make freestanding` has the rest.
FREESTANDING='+test' exec sh "$(dirname "$0")/../freestanding/freestanding.sh"
