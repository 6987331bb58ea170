#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs that `make` built, with a fault at some of the sites: a part of `make faults`. STRIDE:
# each so many-th site of a kind (default 10).
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
make -s BUILD="$BUILD" "$BUILD/private_auc" "$BUILD/private_metric" "$BUILD/private_evaluation" "$BUILD/budget" \
  "$BUILD/influence" "$BUILD/contrastive" "$BUILD/utility_curves" || exit 1
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
FAULTS_PROGRAMS=$BUILD STRIDE=${STRIDE:-10} METHODS=no sh tests/faults/faults.sh "$BUILD/faults"
