#!/bin/sh
# SPDX-License-Identifier: MIT
# What other build systems and packagers take, from empty folders: a Meson subproject, the vcpkg port
# (run by CMake with the one function of vcpkg that it calls), the Conan recipe (compiled; its recipe is
# run where Conan is), the clib manifest, the release tarball twice, the Debian package. What is not
# installed is skipped, and said.
set -eu
cd "$(dirname "$0")/../.."
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "packages: $1"
  exit 1
}
has() {
  command -v "$1" >/dev/null 2>&1 || { echo "skipped, not installed: $1"; return 1; }
}
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
for file in meson.build clib.json packaging/vcpkg/vcpkg.json packaging/vcpkg/portfile.cmake packaging/conan/conanfile.py \
  packaging/debian/changelog CITATION.cff; do
  grep -q "$version" "$file" || fail "$file is of another version than $version"
done
cat >"$work/main.c" <<'CODE'
#include <dppair_accountant.h>
int main(void) {
  double sigma = 0.0;
  return dppair_gaussian_sigma(&sigma, 1.0, 1.0, 1e-5, 1) != DPPAIR_OK || sigma < 3.73;
}
CODE
if has meson; then
  mkdir -p "$work/meson/subprojects/dppair"
  cp dppair*.h meson.build "$work/meson/subprojects/dppair"
  cp "$work/main.c" "$work/meson"
  cat >"$work/meson/meson.build" <<'CODE'
project('uses_dppair', 'c')
executable('program', 'main.c', dependencies: dependency('dppair', fallback: 'dppair'))
CODE
  (cd "$work/meson" && meson setup out >log 2>&1 && ninja -C out >>log 2>&1 && ./out/program) || { cat "$work/meson/log"; fail "meson"; }
fi
if has cmake; then
  cat >"$work/port.cmake" <<CODE
function(vcpkg_replace_string file from to)
  file(READ "\${file}" text)
  string(FIND "\${text}" "\${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "nothing to replace")
  endif()
  string(REPLACE "\${from}" "\${to}" text "\${text}")
  file(WRITE "\${file}" "\${text}")
endfunction()
set(CURRENT_PACKAGES_DIR "$work/vcpkg")
include("$here/packaging/vcpkg/portfile.cmake")
CODE
  cmake -P "$work/port.cmake" >"$work/log" 2>&1 || { cat "$work/log"; fail "the vcpkg port"; }
  mkdir "$work/vcpkg-user"
  cp "$work/main.c" "$work/vcpkg-user"
  cat >"$work/vcpkg-user/CMakeLists.txt" <<'CODE'
cmake_minimum_required(VERSION 3.13)
project(uses_dppair C)
find_package(dppair 0.1 REQUIRED)
add_executable(program main.c)
target_link_libraries(program dppair::dppair)
CODE
  (cd "$work/vcpkg-user" && cmake -S . -B out -Ddppair_DIR="$work/vcpkg/share/dppair" >log 2>&1 &&
    cmake --build out >>log 2>&1 && ./out/program) || { cat "$work/vcpkg-user/log"; fail "the vcpkg port's user"; }
  [ -s "$work/vcpkg/share/dppair/copyright" ] || fail "the vcpkg port has no licence"
fi
if has python3; then
  python3 -m py_compile packaging/conan/conanfile.py 2>"$work/log" || { cat "$work/log"; fail "the Conan recipe"; }
  rm -rf packaging/conan/__pycache__
  python3 - <<'CODE' || fail "the clib manifest"
import json, os, sys
sys.exit(not all(os.path.exists(f) for f in json.load(open("clib.json"))["src"]))
CODE
fi
if has conan; then conan create packaging/conan >"$work/log" 2>&1 || { tail "$work/log"; fail "conan"; }; fi
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then # a checkout that git reads, of this user
  sh packaging/dist.sh "$work/dist" >/dev/null 2>&1 || fail "make dist"
  (cd "$work/dist" && sha256sum -c SHA256SUMS >/dev/null) || fail "checksums"
  cp "$work/dist/SHA256SUMS" "$work/before"
  sh packaging/dist.sh "$work/dist" >/dev/null 2>&1
  cmp -s "$work/before" "$work/dist/SHA256SUMS" || fail "the same commit gives other bytes"
  gcc -std=c99 -DDPPAIR_MAX_TIER=0 -include "$work/dist/dppair_all.h" -fsyntax-only -xc /dev/null || fail "the single file"
  if has dpkg-buildpackage && has dh; then
    sh packaging/deb.sh "$work/deb" >"$work/log" 2>&1 || { cat "$work/log"; fail "make deb"; }
    dpkg-deb -x "$work"/deb/libdppair-dev_*.deb "$work/root"
    for file in include/dppair.h share/pkgconfig/dppair.pc share/cmake/dppair/dppairConfig.cmake; do
      [ -s "$work/root/usr/$file" ] || fail "the Debian package has no $file"
    done
    gcc -O0 -DDPPAIR_MAX_TIER=0 -I"$work/root/usr/include" "$work/main.c" -lm -o "$work/by_deb" && "$work/by_deb" || fail "the Debian package's headers"
  fi
fi
