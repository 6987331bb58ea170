#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the four headers as one file, dppair_all.h, for places that take a single file, with the modules that
# the arguments name ("contrast evaluation"; all: every one), each after those that it includes. It is used like the
# headers: include it once, then once more after the template's parameters.
set -eu
cd "$(dirname "$0")/.."
[ "$*" != all ] || set -- $(find modules -name 'dppair_*.h' | sed 's/.*dppair_\(.*\)\.h/\1/' | LC_ALL=C sort)
order=
# add MODULE: what it includes, then itself
add() {
  case " $order " in *" $1 "*) return ;; esac
  for other in $(sed -n 's/^#include "dppair_\(.*\)\.h"$/\1/p' "modules/dppair_$1.h"); do
    if [ "$other" != "$1" ] && [ -f "modules/dppair_$other.h" ]; then add "$other"; fi
  done
  order="$order $1"
}
for module; do
  [ -f "modules/dppair_$module.h" ] || { echo "single: no module is called $module" >&2; exit 1; }
  add "$module"
done
# shellcheck disable=SC2086
set -- $order
cat <<TOP
/* SPDX-License-Identifier: MIT
 * dppair_all.h - dppair.h, dppair_losses.h, dppair_noise.h and dppair_accountant.h in one file, made
 * by \`make single\`. Include it once plainly; then, for every template, once more with DPPAIR_NAME,
 * DPPAIR_REAL and DPPAIR_LOSS defined. Under another name or in another folder define DPPAIR_SELF
 * to that name first.${*:+
 * Modules: $*.} */
#ifndef DPPAIR_SELF
#define DPPAIR_SELF "dppair_all.h"
#endif
#define DPPAIR_NOISE_SELF DPPAIR_SELF
#if !defined(DPPAIR_H) && defined(DPPAIR_NAME)
#error "Include dppair_all.h once before defining DPPAIR_NAME."
#endif
TOP
for module; do
  # by this name an instance asks the module; what a header has to know of a module that comes after it here
  sed -n -e 's/^#ifndef \(DPPAIR_[A-Z]*_SELF\)$/#define \1 DPPAIR_SELF/p' \
    -e 's/^#define \(DPPAIR_\(SLOT\|WITH\)_[A-Z0-9]*_\{0,1\}\)$/#ifndef \1\n#define \1\n#endif/p' "modules/dppair_$module.h"
done
echo '#ifndef DPPAIR_STAGE_' # else an instance asks a module, and the four are there
cat dppair.h
echo '#if !defined(DPPAIR_BODY_) && (!defined(DPPAIR_ALL_H) || defined(DPPAIR_NOISE_KERNELS_))'
echo '#ifndef DPPAIR_ALL_H'
echo '#define DPPAIR_ALL_H'
echo '#endif'
for header in dppair_losses.h dppair_noise.h dppair_accountant.h; do
  # the noise includes the file again for its kernels, and then the others are not read
  [ $header = dppair_noise.h ] || echo '#ifndef DPPAIR_NOISE_KERNELS_'
  # the core is there
  sed -e '/^#ifndef DPPAIR_CORE_H$/,/^#endif \/\* DPPAIR_CORE_H/d' \
    -e '/^#ifndef DPPAIR_VOCABULARY_H$/,/^#endif \/\* DPPAIR_VOCABULARY_H/d' "$header"
  [ $header = dppair_noise.h ] || echo '#endif'
done
if [ $# -gt 0 ]; then
  echo '#ifndef DPPAIR_NOISE_KERNELS_'
  echo '#define DPPAIR_ALL_FOUR_' # the modules follow; not while the four include this file themselves
  echo '#endif'
fi
echo '#endif /* DPPAIR_ALL_H */'
echo '#endif /* DPPAIR_STAGE_ */'
for module; do
  name=$(echo "$module" | tr '[:lower:]' '[:upper:]')
  printf '/* ---- modules/dppair_%s.h */\n' "$module"
  echo '#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \'
  if grep -q "^#ifdef DPPAIR_MODULE_${name}_" "modules/dppair_$module.h"; then # it has parts of an instance
    echo "    (defined(DPPAIR_MODULE_${name}_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))"
  else
    echo '    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)'
  fi
  sed -e '/^#include "dppair_declare\.h"$/b' -e '/^#include "dppair[a-z0-9_]*\.h"$/d' "modules/dppair_$module.h"
  echo '#endif'
done
