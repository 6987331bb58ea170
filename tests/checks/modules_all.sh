#!/bin/sh
# SPDX-License-Identifier: MIT
# modules.sh with every compiler and standard for every module, and any two modules alone in a file.
LONG=1 exec sh "$(dirname "$0")/modules.sh"
