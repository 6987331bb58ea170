#!/bin/sh
# SPDX-License-Identifier: MIT
# dppair without a C library, for each compiler and processor that can be had here: what symbols an
# object leaves undefined (linked with -nostdlib -r and the compiler's own runtime), its text with keyed
# Gaussian and Laplace noise and the Gaussian curve alone, the stack of a release, and whether releases, draws, the curve and
# gradients have the bits of the same source with a C library. One line a row.
# Variables: FREESTANDING (only rows with these words; +test marks what `make test` has time for, with
# fewer numbers), BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
out=${BUILD:-build}/freestanding
mkdir -p "$out"
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wundef -Wvla -Werror"
BARE="-ffreestanding -DDPPAIR_FREESTANDING -I. -Imodules -DOBJECT(name)=bare_##name"
HOSTED="-O1 -DDPPAIR_MAX_TIER=0" compared=
[ "${FREESTANDING:-}" != +test ] || { HOSTED="-O0 -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE" compared=-DBRIEF; }

# What runs it (- nothing, no: it is not run), then the compiler and its flags.
rows() {
  cat <<'ROWS'
- gcc -std=c99 -Os -DDPPAIR_SMALL +test
- gcc -std=c99 -O2
- gcc -std=c11 -O3 -DDPPAIR_SMALL
- gcc -std=c99 -O0 -DDPPAIR_SMALL
- gcc -std=c99 -O2 -mavx2 -mfma -maes -mssse3
- gcc -std=gnu17 -O3 -march=native
- g++ -std=c++11 -Os -DDPPAIR_SMALL
- clang -std=c99 -Os -DDPPAIR_SMALL
- clang -std=c99 -Oz -DDPPAIR_SMALL
- clang -std=c99 -O2 -DDPPAIR_SMALL
- clang -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -mavx2 -mfma -maes -mssse3 -DWITHOUT_ENTROPY -Wno-pass-failed
- clang -std=c17 -O3 -march=native
- clang++ -std=c++17 -Os -DDPPAIR_SMALL
qemu-i386-static i686-linux-gnu-gcc -std=c99 -Os -msse2 -mfpmath=sse -DDPPAIR_SMALL
qemu-aarch64-static aarch64-linux-gnu-gcc -std=c99 -Os -DDPPAIR_SMALL
qemu-arm-static arm-linux-gnueabihf-gcc -std=c99 -Os -DDPPAIR_SMALL
qemu-arm-static arm-linux-gnueabi-gcc -std=c99 -Os -DDPPAIR_SMALL
qemu-riscv64-static riscv64-linux-gnu-gcc -std=c99 -Os -DDPPAIR_SMALL
qemu-ppc64le-static powerpc64le-linux-gnu-gcc -std=c99 -Os -DDPPAIR_SMALL
qemu-s390x-static s390x-linux-gnu-gcc -std=gnu99 -Os -DDPPAIR_SMALL
no clang --target=armv6m-none-eabi -mfloat-abi=soft -std=c99 -Os -DDPPAIR_SMALL
no x86_64-w64-mingw32-gcc -std=c99 -Os -DDPPAIR_SMALL
ROWS
}

failed=0
# The example of the page compiles, without a warning, and asks for nothing but its hook.
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/enclave.md >"$out/enclave.c"
# shellcheck disable=SC2086
gcc -std=c99 -O0 $STRICT -ffreestanding -I. -Imodules -c "$out/enclave.c" -o "$out/enclave.o" &&
  [ "$(nm -u "$out/enclave.o" | awk '{ print $2 }')" = enclave_entropy ] || { echo "FAIL docs/enclave.md"; failed=1; }

printf '%-74s %9s %4s %6s %6s  %s\n' compiler undefined libm text stack bits
rows | grep -e "${FREESTANDING:- }" >"$out/rows"
while read -r runner compiler flags; do
  flags=${flags% +test}
  command -v "$compiler" >/dev/null 2>&1 || { echo "skipped: $compiler is not installed: $flags"; continue; }
  # the headers of the compiler alone, where it has a folder for them
  own=$($compiler -print-file-name=include)
  [ -d "$own" ] || own=$($compiler -print-resource-dir)/include
  nothing="-nostdinc -isystem $own"
  case $compiler in *mingw*) nothing= ;; esac # its stddef.h includes another one
  language=-xc
  case $compiler in *++) language=-xc++ ;; esac
  small=0
  case $flags in *DDPPAIR_SMALL*) small=1 ;; esac
  fail() { echo "FAIL $compiler $flags: $1"; failed=$((failed + 1)); }
  # shellcheck disable=SC2086
  {
    $compiler $flags $STRICT $BARE $nothing $language -c tests/freestanding/object.c -o "$out/bare.o" &&
      $compiler $flags $STRICT $BARE $nothing -DNOISE_ONLY $language -c tests/freestanding/object.c -o "$out/noise.o"
  } 2>"$out/log" || { fail "does not compile"; head -5 "$out/log"; continue; }
  linker=${compiler%++}
  case "$compiler $flags" in
  *target=arm*) binutils=arm-linux-gnueabi- linker=arm-linux-gnueabi-gcc ;;
  clang* | "gcc "* | "g++ "*) binutils= ;;
  *) binutils=${compiler%-*}- ;;
  esac
  "$linker" -nostdlib -r "$out/bare.o" -lgcc -o "$out/linked.o" 2>"$out/log" ||
    gcc -nostdlib -r "$out/bare.o" -o "$out/linked.o"
  # not: tables of the linker; PowerPC's ways of saving registers, which it makes; what a division by
  # 0 of Linux's runtime calls, which stands in for the one of bare ARM
  left=$("${binutils}nm" -u "$out/linked.o" |
    awk '$2 !~ /^(_GLOBAL_OFFSET_TABLE_|\.TOC\.|_(save|rest)([gf]pr[01]?|vr)_[0-9]+|raise)$/ { print $2 }' | tr '\n' ' ')
  text=$("${binutils}size" "$out/noise.o" | awk 'NR == 2 { print $1 }')
  # functions of a libm are counted by themselves
  set -- $left
  undefined=0 elementary=0
  for name do
    case $name in
    acos | asinh | atan2 | cbrt | ceil | cos | erf | erfc | exp | exp2 | expm1 | floor | fmax | fmin | frexp | ldexp | log | log10 | log1p | log2 | pow | rint | sin | sinh | sqrt | tan | tanh)
      elementary=$((elementary + 1)) ;;
    *) undefined=$((undefined + 1)) ;;
    esac
  done
  [ "$undefined$elementary" = 00 ] || fail "undefined: $left"
  case "$compiler $flags" in gcc*-O[sz]* | g++*-O[sz]* | clang*-O[sz]*) [ "$text" -le 24576 ] || fail "$text bytes of text" ;; esac
  stack=- bits="not run"
  if [ "$runner" != no ] && { [ "$runner" = - ] || command -v "$runner" >/dev/null 2>&1; }; then
    host=${compiler%++}
    case $host in *-g | g) host=${host}cc ;; esac
    static=
    [ "$runner" = - ] && run= || { run=$runner static=-static; }
    case $compiler in i686*) static="$static -msse2 -mfpmath=sse" ;; s390x*) static="$static -std=gnu99" ;; esac
    most=
    [ $small = 0 ] || most=-DSTACK_MOST=8192
    entropy=
    case $flags in *WITHOUT_ENTROPY*) entropy=-DWITHOUT_ENTROPY ;; esac
    hosted=$out/hosted-$host$compared.o
    if [ ! -f "$hosted" ] || [ dppair_noise.h -nt "$hosted" ] || [ dppair.h -nt "$hosted" ] || [ tests/freestanding/object.c -nt "$hosted" ]; then
      # shellcheck disable=SC2086
      $host -std=c99 $HOSTED $static -I. -Imodules "-DOBJECT(name)=hosted_##name" -c tests/freestanding/object.c -o "$hosted" || fail "the hosted one"
    fi
    # shellcheck disable=SC2086
    $host -std=gnu99 -O1 -Wall -Wextra -Werror $static $most $entropy $compared tests/freestanding/compare.c "$hosted" "$out/bare.o" -lm -o "$out/compare" || fail "does not link"
    answer=$($run "$out/compare") || fail "$answer"
    stack=$(echo "$answer" | sed -n 's/.*release: \([0-9]*\) bytes.*/\1/p')
    case $answer in *" 0 differ"*) bits=same ;; *) bits=differ ;; esac
  fi
  printf '%-74s %9s %4s %6s %6s  %s\n' "$compiler $flags" "$undefined" "$elementary" "$text" "$stack" "$bits"
done <"$out/rows"
[ -s "$out/rows" ] || exit 2
[ $failed = 0 ]
