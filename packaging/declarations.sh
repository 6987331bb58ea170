#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints dppair_declare.h: what DPPAIR_DECLARE_ONLY makes of the four headers and of those modules that a program
# includes; `make headers` keeps it. Its last lines name a symbol after a checksum of all that stands above them. Who has
# the definitions has that symbol; declarations of another version do not link.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh packaging/single.sh all >"$work/all.h"
awk -f packaging/declare.awk "$work/all.h" >"$work/body.h"
abi=dppair_abi_$(grep -v '^ *\*\|^/\*' "$work/body.h" | cksum | cut -d ' ' -f 1)
other=$(sed -n 's/#define \(DPPAIR_VERSION_[A-Z]*\) \([0-9]*\)$/\1 != \2/p' dppair.h | paste -sd "|" | sed 's/|/ || /g')
cat <<TOP
/* SPDX-License-Identifier: MIT
 * dppair_declare.h - what the four headers and the modules declare, made by
 * \`make headers\`. Define DPPAIR_DECLARE_ONLY, include those as ever, and link the library, or one file
 * that defines DPPAIR_IMPLEMENTATION; in the latter this file defines the symbol that says which declarations
 * these are. The manual is in the four headers. */
#ifdef DPPAIR_IMPLEMENTATION
#ifndef DPPAIR_ABI
#if $other
#error "dppair_declare.h is of another version than dppair.h."
#endif
#define DPPAIR_ABI $abi
#ifdef __cplusplus
extern "C" const char $abi;
#else
extern const char $abi;
#endif
const char $abi = 1;
#endif
#else
#include <stddef.h>
#include <stdint.h>
#if defined(DPPAIR_LOSS) && !defined(DPPAIR_NO_TEMPLATE_) && !defined(DPPAIR_CORE_ONLY_) && \\
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#define DPPAIR_NO_TEMPLATE_ /* before an instance, what it refers to, which may be a module's */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#endif
#ifdef __cplusplus
extern "C" {
#endif
#ifndef DPPAIR_KEPT_ /* what refers to the definitions stays where --gc-sections drops what nothing calls */
#define DPPAIR_KEPT_
#ifdef __has_attribute
#if __has_attribute(retain)
#undef DPPAIR_KEPT_
#define DPPAIR_KEPT_ __attribute__((used, retain))
#elif __has_attribute(used)
#undef DPPAIR_KEPT_
#define DPPAIR_KEPT_ __attribute__((used))
#endif
#elif defined(__GNUC__)
#undef DPPAIR_KEPT_
#define DPPAIR_KEPT_ __attribute__((used))
#endif
#endif
TOP
cat "$work/body.h"
cat <<END
#ifndef DPPAIR_ABI
#define DPPAIR_ABI $abi
extern const char $abi;
DPPAIR_KEPT_ static const char *const dppair_abi_ = &$abi;
#endif
#ifdef __cplusplus
}
#endif
#endif
END
