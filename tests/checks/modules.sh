#!/bin/sh
# SPDX-License-Identifier: MIT
# Each module by its own line beside the four headers, also after a name was given for a template that comes later,
# with a strict host's warnings as errors; all of them in one file, before an instance, in two orders, the second of which
# is the first backwards, so that of any two modules each comes before the other once; without one of its own
# headers; what a program says that needs a module and does not include it. Compilers and standards take turns.
# LONG=1 (modules_all.sh): every module with every one of them, and any two modules alone in a file.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp dppair*.h modules/*.h "$work"
modules=$(cd modules && echo dppair_*.h)
[ "$(echo "$modules" | wc -w)" -ge 5 ] || { echo "the modules are read wrongly: $modules"; exit 1; }
cat >"$work/compilers" <<'COMPILERS'
gcc -std=c99 a.c
clang++ -std=c++20 a.cc
clang -std=c11 a.c
g++ -std=c++11 a.cc
gcc -std=c17 a.c
clang++ -std=c++14 a.cc
clang -std=c99 a.c
g++ -std=c++20 a.cc
gcc -std=c11 a.c
clang++ -std=c++11 a.cc
clang -std=c17 a.c
g++ -std=c++17 a.cc
clang++ -std=c++17 a.cc
g++ -std=c++14 a.cc
COMPILERS
while read -r line; do
  ! command -v "${line%% *}" >/dev/null 2>&1 || echo "$line"
done <"$work/compilers" >"$work/installed"
count=$(wc -l <"$work/installed")
[ "$count" -ge 3 ] || { echo "FAIL no compilers"; exit 1; }
compiled=0 in=$work
# compile COMPILER WHAT FLAGS...: the file a.c, also as a.cc
compile() {
  compiler=$1 what=$2
  shift 2
  # shellcheck disable=SC2086
  (cd "$in" && $compiler $STRICT -O0 -fsyntax-only "$@") 2>"$work/log" ||
    { head -n 20 "$work/log"; echo "FAIL $what: $compiler $*"; exit 1; }
  compiled=$((compiled + 1))
}
source() {
  { cat; echo 'int main(void) { return 0; }'; } >"$in/a.c"
  cp "$in/a.c" "$in/a.cc"
}
turn=0
for one in $modules; do
  # beside the four: this one, and those that docs/modules.md says it needs
  rm -rf "$work/alone"
  mkdir "$work/alone"
  name=${one#dppair_} in=$work/alone
  name=${name%.h}
  cp dppair*.h "modules/$one" "$in"
  for other in $(sed -n "s/.*(modules\/$name.md) (needs \`\([a-z0-9]*\)\`).*/\1/p" docs/modules.md); do
    cp "modules/dppair_$other.h" "$in"
  done
  grep -q "(modules/$name.md)" docs/modules.md || { echo "FAIL docs/modules.md does not name $one"; exit 1; }
  printf '#define DPPAIR_NAME later\n#include "%s"\n#undef DPPAIR_NAME\n' "$one" | source
  for k in $(seq 1 "$count"); do
    [ "${LONG-}" ] || [ "$k" -le 2 ] || break
    compile "$(sed -n "$((1 + (turn + k - 1) % count))p" "$work/installed")" "$one by its own line"
  done
  turn=$((turn + 2))
done
in=$work
echo "$compiled compilations of one module"

# An instance that has everything. A module that the accountant has to know before it comes is announced.
announced=$(sed -n 's/^#define \(DPPAIR_\(SLOT\|WITH\)_[A-Z0-9]*_\{0,1\}\)$/-D\1=/p' modules/*.h | tr '\n' ' ')
backwards=
for one in $modules; do backwards="$one $backwards"; done
for order in "$modules" "$backwards"; do
  {
    for one in $order; do printf '#include "%s"\n' "$one"; done
    echo '#include "dppair_losses.h"'
    printf '#define DPPAIR_%s\n' 'NAME rank' 'REAL double' 'LOSS dppair_logistic'
    echo '#include "dppair.h"'
  } | source
  for k in 1 2; do
    # shellcheck disable=SC2086
    compile "$(sed -n "$((1 + turn % count))p" "$work/installed")" "all modules: $order" -DDPPAIR_MAX_TIER=0 $announced
    turn=$((turn + 1))
  done
done
if [ "${LONG-}" ]; then
  for one in $modules; do
    for other in $modules; do
      [ "$one" != "$other" ] || continue
      printf '#include "%s"\n#include "%s"\n' "$one" "$other" | source
      (cd "$work" && ${CC:-gcc} -std=c99 -O0 -DDPPAIR_NO_SIMDE -w -fsyntax-only a.c) 2>"$work/log" ||
        # what it extends came with the other
        grep -q "error: *#error .include $other first" "$work/log" || { cat "$work/log"; echo "FAIL $one before $other"; exit 1; }
      compiled=$((compiled + 1))
    done
  done
fi

# One module in a folder without the headers that it includes: the first that is missing is what the compiler names.
mkdir "$work/bare"
for one in $modules; do
  cp "modules/$one" "$work/bare/one.h"
  if gcc -std=c99 -fsyntax-only -x c "$work/bare/one.h" 2>"$work/log" ||
    [ "$(grep -c error "$work/log")" -gt 1 ] || ! grep -q "error: dppair[a-z0-9_]*\.h: No such file" "$work/log"; then
    head -n 5 "$work/log"
    echo "FAIL $one without the four headers"
    exit 1
  fi
done

# forgotten MODULE SENTENCE CODE...: a program that says this without the module gets one error, which names it
forgotten() {
  [ -f "modules/dppair_$1.h" ] || return 0
  module=dppair_$1.h
  shift
  printf '%s\n' '#include "dppair_losses.h"' '#include "dppair_noise.h"' '#include "dppair_accountant.h"' "$@" | source
  if (cd "$work" && gcc -std=c99 -DDPPAIR_MAX_TIER=0 -fsyntax-only a.c) 2>"$work/log" || ! grep -q "error: *#error .*$module" "$work/log" ||
    [ "$(grep -c 'error: ' "$work/log")" -gt 2 ]; then
    head -n 9 "$work/log"
    echo "FAIL no sentence names $module: $*"
    exit 1
  fi
}
forgotten contrast '#define DPPAIR_NAME rows' '#define DPPAIR_REAL double' '#define DPPAIR_LOSS dppair_infonce' '#include "dppair.h"'
# The same of a kind: its status names the module.
for one in $(grep -l '^#ifndef DPPAIR_\(SLOT\|WITH\)_' modules/*.h); do
  grep -A3 'X(DPPAIR_ERR_MODULE, ' src/core/status.h | grep -q "${one#modules/}" || { echo "FAIL no status names $one"; exit 1; }
done
echo "$compiled compilations of modules"
