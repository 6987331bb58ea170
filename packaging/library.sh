#!/bin/sh
# SPDX-License-Identifier: MIT
# The sources of the library, into the folder $1: dppair_library.h, which declares everything that the library has,
# with dppair_declare.h of the top level; dppair.c, the functions of the headers and of all modules; and for every
# further argument, a shipped loss and f32 or f64, the file with its instance: dppair_logistic_f64_coeffs and the
# others, with what modules add to it.
set -eu
cd "$(dirname "$0")/.."
to=$1
shift
mkdir -p "$to"
# those that add functions to an instance, which asks them
asked=$(sed -n 's/^#ifdef DPPAIR_MODULE_\([A-Z]*\)_.*/\1/p' modules/*.h | sort -u | tr '[:upper:]' '[:lower:]')
# put FILE: what stands on standard input, when it differs
put() {
  cat >"$to/$1.new"
  if cmp -s "$to/$1.new" "$to/$1"; then rm "$to/$1.new"; else mv "$to/$1.new" "$to/$1"; fi
}
# instance LOSS_TYPE: the template's parameters
instance() {
  case $1 in
    *_f64) real=double ;;
    *_f32) real=float ;;
    *) echo "library: $1 is no loss with _f32 or _f64" >&2; exit 1 ;;
  esac
  cat <<CODE
#define DPPAIR_NAME dppair_$1
#define DPPAIR_REAL $real
#define DPPAIR_LOSS dppair_${1%_f*}
#define DPPAIR_WEIGHTS 1
CODE
}
{
  cat <<'CODE'
/* SPDX-License-Identifier: MIT
 * dppair_library.h - what libdppair has: the functions of the four headers and of the modules, and instances of
 * these losses. Made by `make library`. */
#ifndef DPPAIR_LIBRARY_H
#define DPPAIR_LIBRARY_H
CODE
  for module in modules/*.h; do sed -n '/^#define DPPAIR_DECLARE_/p' "$module"; done
  echo '#include "dppair_declare.h"'
  for one; do
    instance "$one"
    echo '#include "dppair_declare.h"'
  done
  cat <<'CODE'
#ifdef __cplusplus
extern "C" {
#endif
/* The widest tier to use, DPPAIR_TIER_SCALAR to DPPAIR_TIER_AVX512: 3 at first. Set it between calls. */
extern int dppair_tier_limit;
/* The bytes of a public struct, for callers that read no C: "dppair_rng" for instance. 0: none is called that. */
size_t dppair_sizeof(const char *type);
#ifdef __cplusplus
}
#endif
#endif
CODE
} | put dppair_library.h
{
  cat <<'CODE'
int dppair_tier_limit = 3;
#define DPPAIR_TIER_LIMIT dppair_tier_limit
#define DPPAIR_IMPLEMENTATION
CODE
  sed -n '/^#define DPPAIR_\(SLOT\|WITH\)_[A-Z0-9]*_\{0,1\}$/p' modules/*.h # what a header has to know of a module that comes after it here
  cat <<'CODE'
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair.h"
CODE
  for module in modules/*.h; do echo "#include \"${module#modules/}\""; done
  cat <<'CODE'
#include <string.h>
size_t dppair_sizeof(const char *type);
size_t dppair_sizeof(const char *type) {
  static const struct {
    const char *name;
    size_t size;
  } types[] = {
CODE
  # but for those of the audit
  sed -n 's/^typedef struct \(dppair_[a-z0-9_]*[a-z0-9]\) .*/\1/p' dppair_declare.h | sort -u |
    sed '/^dppair_event$/d; /^dppair_top$/d; s/.*/      {"&", sizeof(&)},/'
  cat <<'CODE'
  };
  size_t i;
  for (i = 0; type && i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i].name) == 0) return types[i].size;
  return 0;
}
CODE
} | put dppair.c
for one; do
  {
    # all else is static here, and in dppair.c for others
    cat <<'CODE'
extern int dppair_tier_limit;
#define DPPAIR_TIER_LIMIT dppair_tier_limit
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair.h"
CODE
    for module in $asked; do echo "#include \"dppair_$module.h\""; done
    cat <<'CODE'
#undef DPPAIR_API
#define DPPAIR_API extern
#define DPPAIR_IMPLEMENTATION
CODE
    instance "$one"
    echo '#include "dppair.h"'
  } | put "$one.c"
done
