#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into an empty folder, builds a program against it, with a module, through pkg-config and through CMake's
# find_package, uses the source as a subdirectory in CMake, makes the single file and compiles it, also with modules,
# uninstalls and looks for left-overs. On Windows alone bcrypt, the source of entropy, is linked: the
# program then asks for it, and is built (not run) where the mingw compiler is installed.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'CODE'
#define DPPAIR_MAX_TIER 0 /* how a program is built is meant here, not its kernels */
#ifdef ONE_FILE
#include "dppair_all.h"
#else
#include <dppair_accountant.h>
#include <dppair_losses.h>
#include <dppair_noise.h>
#include <dppair_evaluation.h> /* a module */
#define MODULE
#endif
#define DPPAIR_NAME rank
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#ifdef ONE_FILE
#include "dppair_all.h"
#else
#include <dppair.h>
#endif
int main(void) {
  const float up[2] = {1.0f, 0.25f}, down[1] = {0.5f};
  double risk = 0.0, sigma = 0.0;
  if (rank_risk_not_private(&risk, up, 2, down, 1, NULL) != DPPAIR_OK || risk != 1.75) return 1;
#ifdef MODULE
  if (dppair_evaluate_auc(NULL, NULL, &risk, &risk, 1, NULL, NULL, 0) != DPPAIR_ERR_NULL) return 1;
#endif
#ifdef _WIN32
  dppair_rng rng;
  if (dppair_rng_from_os(&rng) != DPPAIR_OK) return 1;
#endif
  return dppair_gaussian_sigma(&sigma, 1.0, 1.0, 1e-5, 1) != DPPAIR_OK || sigma < 3.73;
}
CODE
make -s install DESTDIR="$work/root" PREFIX=/usr >/dev/null
for header in dppair*.h modules/*.h; do cmp "$header" "$work/root/usr/include/${header#modules/}"; done
grep -q '^Libs: -lm$' "$work/root/usr/lib/pkgconfig/dppair.pc"
windows=x86_64-w64-mingw32-gcc
command -v $windows >/dev/null 2>&1 || { echo "skipped: $windows is not installed"; windows=; }
if command -v pkg-config >/dev/null 2>&1; then
  PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root
  PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
  export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS
  (cd "$work" && cc -O0 main.c $(pkg-config --cflags --libs dppair) -o by_pkgconfig && ./by_pkgconfig)
  if [ -n "$windows" ]; then
    make -s install CC=$windows DESTDIR="$work/windows" PREFIX=/usr >/dev/null
    here=$work/windows/usr
    (cd "$work" && $windows -O0 -I"$here/include" main.c -o by_pkgconfig.exe \
      $(PKG_CONFIG_PATH=$here/lib/pkgconfig pkg-config --libs dppair))
  fi
  unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS
  echo "pkg-config works"
else
  echo "skipped: pkg-config is not installed"
fi
if command -v cmake >/dev/null 2>&1; then
  cat >"$work/CMakeLists.txt" <<'CODE'
cmake_minimum_required(VERSION 3.13)
project(uses_dppair C)
if(SOURCE)
  add_subdirectory("${SOURCE}" dppair)
else()
  find_package(dppair 0.1 REQUIRED)
endif()
add_executable(by_cmake main.c)
target_link_libraries(by_cmake dppair::dppair)
CODE
  # by_cmake FOLDER OPTIONS...
  by_cmake() {
    folder=$work/$1
    shift
    cmake -S "$work" -B "$folder" -DCMAKE_C_FLAGS=-O0 -DCMAKE_C_COMPILER_WORKS=1 "$@" >/dev/null
    cmake --build "$folder" >/dev/null
  }
  here=$(pwd)
  by_cmake find -DCMAKE_PREFIX_PATH="$work/root/usr"
  "$work/find/by_cmake"
  by_cmake add -DSOURCE="$here"
  "$work/add/by_cmake"
  if [ -n "$windows" ]; then
    by_cmake windows -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$windows -DSOURCE="$here"
    by_cmake windows-find -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$windows \
      -Ddppair_DIR="$work/root/usr/lib/cmake/dppair"
  fi
  echo "find_package and add_subdirectory work"
else
  echo "skipped: cmake is not installed"
fi
make -s uninstall DESTDIR="$work/root" PREFIX=/usr
left=$(find "$work/root" -type f)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
make -s single BUILD="$work"
(cd "$work" && cc -O0 -DONE_FILE -I. main.c -lm -o by_single && ./by_single)
[ "$(grep -c 'dppair_evaluate_auc' "$work/dppair_all.h")" -eq 0 ] || { echo "a module that nobody named is in the single file"; exit 1; }
make -s single BUILD="$work" MODULES="evaluation attack"
cp dppair_declare.h "$work"
(
  cd "$work" && cc -O0 -DONE_FILE -DMODULE -I. main.c -lm -o by_single && ./by_single &&
    cc -DONE_FILE -DMODULE -DDPPAIR_DECLARE_ONLY -I. -c main.c -o user.o
  printf '#define DPPAIR_IMPLEMENTATION\n#include "dppair_all.h"\n' >defines.c
  printf '#define %s\n' 'DPPAIR_NAME rank' 'DPPAIR_REAL float' 'DPPAIR_LOSS dppair_hinge' >>defines.c
  echo '#include "dppair_all.h"' >>defines.c
  cc -O0 -DDPPAIR_MAX_TIER=0 -I. -c defines.c -o defines.o && cc user.o defines.o -lm -o by_declarations && ./by_declarations
)
! sh packaging/single.sh nosuch >/dev/null 2>"$work/log" || { echo "a single file with a module that is not there"; exit 1; }
grep -q 'no module is called nosuch' "$work/log"
# every module, each once, after those that it includes
make -s single BUILD="$work" MODULES=all
for module in modules/*.h; do
  [ "$(grep -c "^/\* ---- $module \*/$" "$work/dppair_all.h")" -eq 1 ] || { echo "$module is not once in the single file"; exit 1; }
done
(cd "$work" && cc -Wall -Wextra -O0 -DONE_FILE -DMODULE -I. main.c -lm -o by_single && ./by_single)
echo "the single file works"
