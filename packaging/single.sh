#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the four headers as one file, dppair_all.h, for places that take a single file. It is used
# like the headers: include it once, then once more after the template's parameters.
set -eu
cd "$(dirname "$0")/.."
cat <<'TOP'
/* SPDX-License-Identifier: MIT
 * dppair_all.h - dppair.h, dppair_losses.h, dppair_noise.h and dppair_accountant.h in one file, made
 * by `make single`. Include it once plainly; then, for every template, once more with DPPAIR_NAME,
 * DPPAIR_REAL and DPPAIR_LOSS defined. Under another name or in another folder define DPPAIR_SELF
 * to that name first. */
#ifndef DPPAIR_SELF
#define DPPAIR_SELF "dppair_all.h"
#endif
#define DPPAIR_NOISE_SELF DPPAIR_SELF
#if !defined(DPPAIR_H) && defined(DPPAIR_NAME)
#error "Include dppair_all.h once before defining DPPAIR_NAME."
#endif
TOP
cat dppair.h
echo '#if !defined(DPPAIR_BODY_) && (!defined(DPPAIR_ALL_H) || defined(DPPAIR_NOISE_KERNELS_))'
echo '#ifndef DPPAIR_ALL_H'
echo '#define DPPAIR_ALL_H'
echo '#endif'
for header in dppair_losses.h dppair_noise.h dppair_accountant.h; do
  # the noise includes the file again for its kernels, and then the others are not read
  [ $header = dppair_noise.h ] || echo '#ifndef DPPAIR_NOISE_KERNELS_'
  sed '/^ *# *include "dppair\.h"/d' "$header"
  [ $header = dppair_noise.h ] || echo '#endif'
done
echo '#endif /* DPPAIR_ALL_H */'
