#!/bin/sh
# SPDX-License-Identifier: MIT
# Declarations without definitions. `make library` exports the public functions and nothing else, and all of them are
# declared; a program with declarations alone, as C and C++, with either library, prints the bits that it prints when it
# includes everything; declarations of another version do not link, and a library of another does not load. One file
# may define in C++ and another declare in C. A module is declared for those who include its header, and for no others.
# The code of docs/using.md compiles and runs.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "library: $1"
  exit 1
}
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
QUICK="-O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE"
make -s -j1 install-library CC=gcc CFLAGS="$QUICK" INSTANCES=logistic_f64 BUILD="$work/build" DESTDIR="$work/root" \
  PREFIX=/usr >/dev/null
usr=$work/root/usr
version=$(sed -n 's/.*DPPAIR_VERSION_STRING "\(.*\)".*/\1/p' dppair.h)
so=$usr/lib/libdppair.so.$version
objdump -p "$so" | grep -q "SONAME *libdppair.so.$version$" || fail "another soname"

# names: what is declared, what is exported
gcc -std=c99 $STRICT -fsyntax-only -aux-info "$work/aux" -x c "$usr/include/dppair_library.h"
names() { sed -n 's:^/\* [^*]*dppair_[a-z0-9]*\.h[^*]*\*/ extern [^(]*[ *]\('"$1"'_[A-Za-z0-9_]*\) (.*:\1:p' "$work/aux" | sort -u; }
names dppair >"$work/declared"
{ cat "$work/declared"; echo dppair_sizeof; echo dppair_tier_limit; echo dppair_logistic_f64_reads_f64
  grep -o 'dppair_abi_[0-9][0-9]*' "$usr/include/dppair_declare.h"; } | sort -u >"$work/public"
[ "$(wc -l <"$work/public")" -ge 310 ] || fail "only $(wc -l <"$work/public") declarations"
nm -D --defined-only "$so" | awk '{ print $3 }' | sort -u >"$work/shared"
nm -g --defined-only "$usr/lib/libdppair.a" | awk 'NF == 3 { print $3 }' | sort -u >"$work/static"
for library in shared static; do
  diff "$work/public" "$work/$library" || fail "the $library library has other names than are declared"
done
! grep -q '_$' "$work/public" || fail "private names"

# modules: what a program declares that includes one, and the four headers
declares() { # CODE [MODULE]
  { [ "$#" -eq 1 ] || printf '#include "%s"\n' "$2"
    printf '#include "dppair_%s.h"\n' losses noise accountant
    [ "$1" = - ] || printf '#define DPPAIR_%s\n' 'NAME rank' 'REAL double' 'LOSS dppair_logistic' 'WEIGHTS 1'
    echo '#include "dppair.h"'; } >"$work/module.c"
  gcc -std=c99 $STRICT -DDPPAIR_DECLARE_ONLY -I"$usr/include" -fsyntax-only -aux-info "$work/aux" "$work/module.c" || fail "$2 declares"
  ! command -v g++ >/dev/null 2>&1 || g++ -std=c++11 -x c++ $STRICT -DDPPAIR_DECLARE_ONLY -I"$usr/include" -fsyntax-only "$work/module.c" ||
    fail "$2 declares in C++"
  names '\(dppair\|rank\)' | sed 's/^rank_/dppair_logistic_f64_/'
}
for what in - instance; do declares $what; done | sort -u >"$work/four"
cp "$work/four" "$work/together"
for module in modules/*.h; do
  for what in - instance; do declares $what "${module#modules/}"; done | sort -u >"$work/with"
  [ -z "$(comm -23 "$work/four" "$work/with")" ] && [ -n "$(comm -13 "$work/four" "$work/with")" ] || fail "$module adds no declarations"
  cat "$work/with" >>"$work/together"
done
sort -u "$work/together" >"$work/with"
grep -v -e sizeof -e tier_limit -e _reads_f64 -e dppair_abi_ "$work/public" | diff - "$work/with" || fail "all modules declare otherwise"

# the same bits
cat >"$work/program.c" <<'CODE'
#include <stdio.h>
#include <string.h>
#ifdef DPPAIR_DECLARE_ONLY
#include "dppair_library.h"
#else
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#include "dppair_evaluation.h"
#define DPPAIR_NAME dppair_logistic_f64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#define DPPAIR_WEIGHTS 1
#include "dppair.h"
#endif
static int bad;
static void tell(const char *what, dppair_status status, const double *x, int n) {
  int i;
  if (status != DPPAIR_OK) bad = 1;
  printf("%s %s", what, dppair_status_string(status));
  for (i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    printf(" %08lx%08lx", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffu));
  }
  printf("\n");
}
int main(void) {
  enum { N = 40, D = 3 };
  static double x[N * D], factor[N], work[8 * N + 64], w[D], g[D], v[20];
  static const uint8_t key[32] = {1, 2, 3}, run[DPPAIR_NONCE_SIZE] = {4};
  static dppair_release release;
  dppair_release_keys keys;
  dppair_plan plan;
  dppair_options options;
  dppair_accountant account;
  dppair_interval spent;
  dppair_evaluation auc;
  dppair_rows_f64 rows;
  dppair_rng rng;
  dppair_status status;
  int i;
  memset(&plan, 0, sizeof plan);
  memset(&options, 0, sizeof options);
  keys.key = key;
  keys.nonce = run;
  for (i = 0; i < N * D; i++) x[i] = (double)((i * 37) % 101) / 50.0 - 1.0;
  status = dppair_gaussian_sigma(v, 1.0, 1.0, 1e-5, 10);
  tell("sigma", status, v, 1);
  status = dppair_rng_from_key(&rng, key, 0);
  if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(v, 20, 1.5, &rng);
  tell("noise", status, v, 20);
  options.work = work;
  options.bytes = sizeof work;
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.epsilon = 1.0;
  plan.delta = 1e-3;
  plan.steps = 3;
  status = dppair_rows_clip_f64(&rows, factor, x, N, D, D, 1.0);
  rows.positives = 15;
  if (status == DPPAIR_OK) status = dppair_accountant_init(&account);
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &account, &plan, &keys);
  for (i = 0; i < 3 && status == DPPAIR_OK; i++) {
    status = dppair_logistic_f64_release(g, &release, &rows, w, &options);
    w[i] -= g[i];
  }
  tell("release", status, w, D);
  dppair_release_close(&release);
  status = dppair_accountant_epsilon(&spent, &account, 1e-3, NULL);
  v[0] = spent.upper;
  tell("epsilon", status, v, 1);
  plan.noise = DPPAIR_LAPLACE;
  plan.steps = 1;
  plan.delta = 0.0;
  status = dppair_accountant_init(&account);
  if (status == DPPAIR_OK) status = dppair_release_open(&release, &account, &plan, &keys);
  for (i = 0; i < N; i++) x[N + i] = i % 3 ? 1.0 : -1.0;
  if (status == DPPAIR_OK) status = dppair_evaluate_auc(&auc, &release, x, x + N, N, NULL, work, sizeof work);
  tell("module", status, &auc.value, 1);
  dppair_release_close(&release);
#ifdef DPPAIR_DECLARE_ONLY
#define SAME(type) if (dppair_sizeof(#type) != sizeof(type)) bad = 1
#include "same.h"
  dppair_tier_limit = DPPAIR_TIER_SCALAR;
  if (dppair_tier() > 1) bad = 1;
  if (dppair_sizeof("dppair_no_such_type") || dppair_sizeof(NULL)) bad = 1;
#endif
  return bad;
}
CODE
sed -n 's/.*{"\(dppair_[a-z0-9_]*\)", sizeof.*/SAME(\1);/p' "$work/build/library/dppair.c" >"$work/same.h"
[ "$(wc -l <"$work/same.h")" -ge 50 ] || fail "no sizes"
gcc -std=c99 $QUICK -I. -Imodules "$work/program.c" -lm -o "$work/whole"
"$work/whole" >"$work/expected" || { cat "$work/expected"; fail "the program that includes everything"; }
flags=$(PKG_CONFIG_PATH=$usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
  pkg-config --cflags dppair-library 2>/dev/null || echo "-I$usr/include -DDPPAIR_DECLARE_ONLY")
LD_LIBRARY_PATH=$usr/lib
export LD_LIBRARY_PATH
for compiler in "gcc -std=c99" "g++ -std=c++11 -x c++" "clang -std=c99"; do
  command -v "${compiler%% *}" >/dev/null 2>&1 || continue
  # shellcheck disable=SC2086
  $compiler -O1 $STRICT $flags -c "$work/program.c" -o "$work/program.o"
  for library in "-L$usr/lib -ldppair" "$usr/lib/libdppair.a"; do
    # shellcheck disable=SC2086
    ${compiler%% *} "$work/program.o" $library -lm -o "$work/linked"
    "$work/linked" | diff "$work/expected" - || fail "$compiler, $library: other bits"
  done
done

# CMake's target
if command -v cmake >/dev/null 2>&1; then
  mkdir "$work/cmake"
  cp "$work/program.c" "$work/same.h" "$work/cmake"
  printf 'cmake_minimum_required(VERSION 3.13)\nproject(uses_dppair C)\n%s\nadd_executable(program program.c)\n%s\n' \
    'find_package(dppair 0.1 REQUIRED)' 'target_link_libraries(program dppair::library)' >"$work/cmake/CMakeLists.txt"
  (cd "$work/cmake" && cmake -S . -B out -DCMAKE_C_COMPILER_WORKS=1 "-DCMAKE_PREFIX_PATH=$usr" >log 2>&1 &&
    cmake --build out >>log 2>&1) || { cat "$work/cmake/log"; fail "CMake"; }
  "$work/cmake/out/program" | diff "$work/expected" - || fail "CMake: other bits"
else
  echo "skipped: cmake is not installed"
fi

# a host's macros, and a status that is thrown away
printf '#include "dppair_library.h"\nint main(void) { return 0; }\n' >"$work/host.c"
# shellcheck disable=SC2086
gcc -std=c99 $STRICT -Wc++-compat -include iso646.h -DN=400 -DD=8 -Dnear= -Dfar= -Dsmall=char $flags -c "$work/host.c" -o "$work/host.o"
for compiler in "gcc -O0" "clang -O0"; do
  command -v "${compiler%% *}" >/dev/null 2>&1 || continue
  for headers in "$flags" "-I. -Imodules -DDPPAIR_MAX_TIER=0"; do
    # shellcheck disable=SC2086
    printf '#include "dppair_accountant.h"\nvoid f(double *s) { dppair_gaussian_sigma(s, 1, 1, 1e-5, 1); }\n' |
      $compiler -Wall $headers -x c -c - -o "$work/host.o" 2>&1 | grep -q Wunused-result || fail "$compiler: an ignored status is no warning"
  done
done

# another version
abi=$(grep -o -m 1 'dppair_abi_[0-9][0-9]*' "$usr/include/dppair_declare.h")
other=$(echo "$abi" | tr 0123456789 1234567890)
mkdir "$work/other"
cp "$usr/include/dppair_library.h" "$work/other"
sed "s/$abi/$other/g" "$usr/include/dppair_declare.h" >"$work/other/dppair_declare.h"
# shellcheck disable=SC2086
gcc -std=c99 -I"$work/other" $flags -c "$work/program.c" -o "$work/other.o"
! gcc "$work/other.o" -L"$usr/lib" -ldppair -lm -o "$work/wrong" 2>"$work/log" || fail "declarations of another version link"
grep -q "$other" "$work/log" || { cat "$work/log"; fail "another error"; }
gcc "$work/program.o" -L"$usr/lib" -ldppair -lm -o "$work/linked"
LC_ALL=C sed "s/$abi/$other/g" "$so" >"$work/other/libdppair.so.$version"
! LD_LIBRARY_PATH=$work/other "$work/linked" >"$work/log" 2>&1 || fail "a library of another version loads"

# the same with sections that nothing refers to left out, where the compiler can say that one stays; other rows
if echo '__attribute__((used, retain)) static int kept;' | gcc -Werror -x c -c - -o "$work/kept.o" 2>/dev/null; then
  # shellcheck disable=SC2086
  gcc -std=c99 -I"$work/other" $flags -fdata-sections -c "$work/program.c" -o "$work/other.o"
  ! gcc -Wl,--gc-sections "$work/other.o" -L"$usr/lib" -ldppair -lm -o "$work/wrong" 2>/dev/null ||
    fail "declarations of another version link with --gc-sections"
fi
printf '%s\n' '#include "dppair_losses.h"' '#define DPPAIR_NAME dppair_logistic_f64' '#define DPPAIR_REAL float' \
  '#define DPPAIR_LOSS dppair_logistic' '#include "dppair.h"' 'int main(void) { return 0; }' >"$work/rows.c"
# shellcheck disable=SC2086
! gcc -std=c99 -DDPPAIR_DECLARE_ONLY $flags "$work/rows.c" -L"$usr/lib" -ldppair -lm -o "$work/wrong" 2>"$work/log" ||
  fail "declarations of an instance for other rows link"
grep -q dppair_logistic_f64_reads_f32 "$work/log" || { cat "$work/log"; fail "another error of other rows"; }
sed -i 's/DPPAIR_REAL float/DPPAIR_REAL double/' "$work/rows.c"
# shellcheck disable=SC2086
gcc -std=c99 -DDPPAIR_DECLARE_ONLY $flags "$work/rows.c" -L"$usr/lib" -ldppair -lm -o "$work/right"

# one file defines, the other declares
printf '#define DPPAIR_IMPLEMENTATION\n#include "dppair_accountant.h"\n' >"$work/one.c"
cat >"$work/many.c" <<'CODE'
#include "dppair_accountant.h"
int main(void) {
  double sigma = 0.0;
  return dppair_gaussian_sigma(&sigma, 1.0, 1.0, 1e-5, 1) != DPPAIR_OK || sigma < 3.73;
}
CODE
# shellcheck disable=SC2086
g++ -std=c++11 -x c++ $STRICT $QUICK -DDPPAIR_DECLARE_ONLY -I. -c "$work/one.c" -o "$work/one.o"
# shellcheck disable=SC2086
gcc -std=c99 $STRICT -DDPPAIR_DECLARE_ONLY -I. -c "$work/many.c" -o "$work/many.o"
g++ "$work/one.o" "$work/many.o" -lm -o "$work/both" && "$work/both" || fail "one file defines, another declares"
visible=$(nm -g --defined-only "$work/one.o" | awk '{ print $3 }' | grep -v -e '^dppair_.*[a-z0-9]$' -e '^DW.ref' || true)
[ -z "$visible" ] || fail "private names: $visible"

# the C of docs/using.md declares; it has no definitions, so it is not linked
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/using.md >"$work/using.c"
[ -s "$work/using.c" ] || fail "docs/using.md has no C"
echo 'int main(void) { return rank_coeffs(NULL, NULL, NULL, 0, NULL, 0, NULL) != DPPAIR_OK; }' >>"$work/using.c"
gcc -std=c99 -Wall -Wextra -Werror -I. -Imodules -I"$usr/include" -fsyntax-only "$work/using.c" || fail "the C of docs/using.md"

# from Python
if command -v python3 >/dev/null 2>&1; then
  awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' docs/using.md >"$work/using.py"
  [ -s "$work/using.py" ] || fail "docs/using.md has no Python"
  python3 "$work/using.py" >"$work/log" 2>&1 || { cat "$work/log"; fail "the Python of docs/using.md"; }
  cat "$work/log"
else
  echo "skipped: python3 is not installed"
fi
echo "$(wc -l <"$work/public") public names"
