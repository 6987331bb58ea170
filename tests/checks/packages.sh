#!/bin/sh
# SPDX-License-Identifier: MIT
# What other build systems and packagers take, from empty folders: copied files, CMake's FetchContent, a Meson
# subproject, the vcpkg port (run by CMake with the one function of vcpkg that it calls), the Conan recipe (run by the
# two classes of Conan that it uses, written here; by Conan where it is installed), the clib manifest, the release tarball
# twice, which then installs and tests without git (LONG=1: and builds a program, and tests the ledger), and the Debian package. Installation, pkg-config, find_package,
# add_subdirectory and the single file: install.sh. What is not installed is skipped, and said.
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
  command -v "$1" >/dev/null 2>&1 || { echo "skipped: $1 is not installed"; return 1; }
}
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
for file in meson.build clib.json packaging/vcpkg/vcpkg.json packaging/vcpkg/portfile.cmake packaging/conan/conanfile.py \
  packaging/debian/changelog CITATION.cff; do
  grep -q "$version" "$file" || fail "$file is of another version than $version"
done
cat >"$work/main.c" <<'CODE'
#define DPPAIR_MAX_TIER 0 /* how a program is built is meant here, not its kernels */
#include <dppair_accountant.h>
#include <dppair_attack.h> /* a module */
int main(void) {
  double sigma = 0.0;
  dppair_interval right;
  return dppair_gaussian_sigma(&sigma, 1.0, 1.0, 1e-5, 1) != DPPAIR_OK || sigma < 3.73 ||
         dppair_attack_accuracy(&right, NULL, 0.5, NULL) != DPPAIR_ERR_NULL;
}
CODE
# holds_all FOLDER: the four headers, the declarations and every module, and no other header
{ ls dppair*.h; ls modules | grep '^dppair_.*\.h$'; } | sort >"$work/all"
[ "$(wc -l <"$work/all")" -ge 10 ] || fail "no modules"
holds_all() {
  find "$1" -name '*.h' -exec basename {} \; | sort | diff "$work/all" - || fail "$1 has other headers"
}
# user FOLDER TEXT: a project of CMake there, with a line of its own
user() {
  mkdir "$work/$1"
  cp "$work/main.c" "$work/$1"
  printf 'cmake_minimum_required(VERSION 3.14)\nproject(uses_dppair C)\n%s\nadd_executable(program main.c)\n%s\n' "$2" \
    'target_link_libraries(program dppair::dppair)' >"$work/$1/CMakeLists.txt"
  (cd "$work/$1" && cmake -S . -B out -DCMAKE_C_COMPILER_WORKS=1 "-Ddppair_DIR=$work/vcpkg/share/dppair" >log 2>&1 &&
    cmake --build out >>log 2>&1 && ./out/program) || { cat "$work/$1/log"; fail "$1"; }
}
mkdir "$work/copied"
cp dppair*.h modules/*.h "$work/copied"
gcc -std=c99 -O0 -I"$work/copied" "$work/main.c" -lm -o "$work/by_copy" && "$work/by_copy" || fail "copied files"
if has meson; then
  mkdir -p "$work/meson/subprojects/dppair"
  cp -r dppair*.h modules meson.build "$work/meson/subprojects/dppair"
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
  holds_all "$work/vcpkg/include"
  user vcpkg-user 'find_package(dppair 0.1 REQUIRED)'
  [ -s "$work/vcpkg/share/dppair/copyright" ] || fail "the vcpkg port has no licence"
  user fetch-content "include(FetchContent)
FetchContent_Declare(dppair SOURCE_DIR \"$here\")
FetchContent_MakeAvailable(dppair)"
fi
if has python3; then
  python3 - "$work/conan" <<'CODE' || fail "the Conan recipe"
import os, shutil, sys, types
sys.dont_write_bytecode = True
root, conan = sys.argv[1], types.ModuleType("conan")
os.makedirs(root + "/package/include")
conan.ConanFile = type("ConanFile", (), {"recipe_folder": "packaging/conan", "export_sources_folder": root + "/source",
                                         "source_folder": root + "/source", "package_folder": root + "/package"})
tools, files = types.ModuleType("conan.tools"), types.ModuleType("conan.tools.files")
def copy(recipe, pattern, source, to, keep_path=True):
    import fnmatch
    for name in [os.path.relpath(os.path.join(d, f), source) for d, _, fs in os.walk(source) for f in fs]:
        if fnmatch.fnmatch(name, pattern):
            target = os.path.join(to, name if keep_path else os.path.basename(name))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(os.path.join(source, name), target)
files.copy = copy
sys.modules.update({"conan": conan, "conan.tools": tools, "conan.tools.files": files})
code = {}
exec(compile(open("packaging/conan/conanfile.py").read(), "conanfile.py", "exec"), code)
recipe = code["Dppair"]()
recipe.settings, recipe.cpp_info = types.SimpleNamespace(os="Windows"), types.SimpleNamespace()
recipe.info = types.SimpleNamespace(clear=lambda: None)
for step in (recipe.export_sources, recipe.package, recipe.package_id, recipe.package_info):
    step()
sys.exit(os.listdir(root + "/package/licenses") != ["LICENSE"] or recipe.cpp_info.system_libs != ["bcrypt"])
CODE
  holds_all "$work/conan/package/include"
  mkdir "$work/clib"
  python3 -c 'import json; print("\n".join(json.load(open("clib.json"))["src"]))' | while read -r file; do cp "$file" "$work/clib"; done ||
    fail "the clib manifest"
  holds_all "$work/clib"
fi
if has conan; then conan create packaging/conan >"$work/log" 2>&1 || { tail "$work/log"; fail "conan"; }; fi
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then # a checkout that git reads, of this user
  sh packaging/dist.sh "$work/dist" >/dev/null 2>&1 || fail "make dist"
  (cd "$work/dist" && sha256sum -c SHA256SUMS >/dev/null) || fail "checksums"
  cp "$work/dist/SHA256SUMS" "$work/before"
  sh packaging/dist.sh "$work/dist" >/dev/null 2>&1
  cmp -s "$work/before" "$work/dist/SHA256SUMS" || fail "the same commit gives other bytes"
  gcc -std=c99 -DDPPAIR_MAX_TIER=0 -include "$work/dist/dppair_all.h" -fsyntax-only -xc /dev/null || fail "the single file"
  tar -xzf "$work/dist/dppair-$version.tar.gz" -C "$work" # from here on without git
  cmp "$work/dist/dppair_all.h" "$work/dppair-$version/ready/dppair_all.h" || fail "the tarball's single file"
  cmp "$work/dist/dppair_declare.h" "$work/dppair-$version/dppair_declare.h" || fail "the tarball's declarations"
  (
    unset BUILD
    cd "$work/dppair-$version"
    make -s install DESTDIR="$work/by_tarball" PREFIX=/usr >../log 2>&1 && make -s quick ONLY=methods/sha256 >>../log 2>&1 &&
      sh tests/checks/generated.sh >>../log 2>&1 || exit 1
    [ -z "${LONG-}" ] || {
      make -s -j1 build/budget CFLAGS="-O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE" >>../log 2>&1 &&
        build/budget --help >>../log 2>&1 && make -s quick ONLY=accountant/ledger >>../log 2>&1
    }
  ) || { tail "$work/log"; fail "the tarball does not build and test without git"; }
  holds_all "$work/by_tarball/usr/include"
  if has dpkg-buildpackage && has dh; then
    sh packaging/deb.sh "$work/deb" >"$work/log" 2>&1 || { cat "$work/log"; fail "make deb"; }
    dpkg-deb -x "$work"/deb/libdppair-dev_*.deb "$work/root"
    for file in share/pkgconfig/dppair.pc share/cmake/dppair/dppairConfig.cmake; do
      [ -s "$work/root/usr/$file" ] || fail "the Debian package has no $file"
    done
    holds_all "$work/root/usr/include"
    gcc -O0 -DDPPAIR_MAX_TIER=0 -I"$work/root/usr/include" "$work/main.c" -lm -o "$work/by_deb" && "$work/by_deb" || fail "the Debian package's headers"
  fi
fi
