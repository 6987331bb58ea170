#!/bin/sh
# SPDX-License-Identifier: MIT
# The same bits, or a refusal, under every compiler, language, flag and processor that can be had on
# one Debian machine: compiles bits.c and compares what it prints with the widest tier of this
# machine (the scalar one is a row). One line a row; a tool that is missing is named with its package.
# Ends with one line that counts. A row that has passed is kept by a hash of itself, its compiler, the
# headers and the tests, and told again without being run. Variables: MATRIX (only rows that contain
# these words; +test and +test-long mark what those targets have time for), JOBS, BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
out=$BUILD/matrix
mkdir -p "$out/include" "$out/kept"

# What must come out, what runs it, the Debian package, the compiler and its flags. same: the same
# bits. noise: releases and figures only. tiers: noise_tiers.c instead, which compares millions of
# numbers on the vector tier with scalar ones, and says what each takes. bracket, entropy,
# environment: the program of that name, which judges itself. refused: by a sentence, from the compiler
# or as a status. either: the same bits or a refusal of each thing that is not (scores and risks, which
# nothing is promised of, may differ). Rows without -DBITS_ROWS leave out what takes long to compile.
rows() {
  cat <<'ROWS'
same - gcc gcc -std=c99 -O0 -DBITS_ROWS
same - gcc gcc -std=gnu99 -O1
same - gcc gcc -std=c99 -O2 -DBITS_ROWS
same - gcc gcc -std=gnu99 -O3 -march=native -ffp-contract=fast -DBITS_ROWS
same - gcc gcc -std=gnu99 -O1 -march=native -DDPPAIR_NO_FORCE_INLINE +test-long
same - gcc gcc -std=gnu99 -O2 -DDPPAIR_NO_QUICK
same - gcc gcc -std=c11 -Os
same - gcc gcc -std=c11 -O2 -flto
same - gcc gcc -std=c17 -O3 -fno-builtin
same - gcc gcc -std=c2x -O1 -DDPPAIR_NO_FORCE_INLINE -frounding-math
same - gcc gcc -std=c99 -O2 -DDPPAIR_MAX_TIER=2
noise - gcc gcc -std=c99 -O2 -DDPPAIR_MAX_TIER=1
same - gcc gcc -std=c99 -O2 -DDPPAIR_MAX_TIER=0 -DBITS_ROWS
same - gcc gcc -std=c99 -Og -DDPPAIR_NO_FORCE_INLINE +test
same - gcc gcc -std=c99 -Og -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_MAX_TIER=0 -ftrapv +test
same - gcc gcc -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_MAX_TIER=0 -funsigned-char -fshort-enums
same - gcc gcc -std=gnu99 -Ofast
same - gcc gcc -std=c99 -O2 -funsafe-math-optimizations
same - gcc gcc -std=c99 -Og -DDPPAIR_NO_FORCE_INLINE -funsafe-math-optimizations +test-long
same - gcc gcc -std=c99 -O1 -ffinite-math-only
refused - gcc gcc -std=c99 -O2 -fsingle-precision-constant
refused - gcc gcc -std=c99 -O2 -mfpmath=387
refused - gcc gcc -std=gnu17 -O2 -mfpmath=387
refused - gcc gcc -std=gnu99 -O1 -mfpmath=387 -DDPPAIR_MAX_TIER=0
either - gcc gcc -std=gnu99 -O2 -mfpmath=both -DDPPAIR_MAX_TIER=0
same - g++ g++ -std=c++11 -O0 -DBITS_ROWS
same - g++ g++ -std=c++14 -O2
same - g++ g++ -std=c++17 -O3 -DDPPAIR_NO_FORCE_INLINE
same - g++ g++ -std=c++20 -O1 -DDPPAIR_NO_FORCE_INLINE
same - clang clang -std=c99 -O0 -DBITS_ROWS
same - clang clang -std=gnu99 -O1 -DDPPAIR_NO_FORCE_INLINE
same - clang clang -std=c11 -O2 -DBITS_ROWS
same - clang clang -std=c17 -O3
same - clang clang -std=c2x -Os
same - clang clang++ -std=c++11 -O1
same - clang clang++ -std=c++20 -O2 -DDPPAIR_NO_FORCE_INLINE
refused - clang clang -std=c99 -Ofast
refused - clang clang -std=c99 -O2 -ffinite-math-only
either - clang clang -std=gnu99 -O2 -ffp-contract=fast -march=native
either - clang clang -std=c99 -O2 -funsafe-math-optimizations
either - clang clang -std=c99 -O2 -funsafe-math-optimizations -DDPPAIR_MAX_TIER=0
either - clang clang -std=c99 -O1 -fassociative-math -fno-signed-zeros -fno-trapping-math
either - clang clang -std=c99 -O1 -freciprocal-math
same ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=c99 -Og -DDPPAIR_NO_FORCE_INLINE -msse2 -mfpmath=sse -DDPPAIR_NO_SIMDE -static +test-long
noise ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=gnu17 -O3 -msse2 -mfpmath=sse -static
same qemu-i386-static gcc-i686-linux-gnu i686-linux-gnu-gcc -std=c99 -O2 -msse2 -mfpmath=sse -DDPPAIR_NO_SIMDE -static
refused ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=c99 -O2 -static
refused ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=gnu99 -O2 -static +test-long
refused ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=gnu17 -O0 -static
refused ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=gnu99 -O1 -ffloat-store -static
same qemu-aarch64-static gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -std=c99 -Og -DDPPAIR_NO_FORCE_INLINE -static +test-long
same qemu-aarch64-static gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -std=gnu17 -O3 -static
same qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=gnu99 -O2 -static
refused qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -ffp-contract=fast -static
either qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O1 -freciprocal-math -static
either qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -fno-signed-zeros -static
either qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O1 -fassociative-math -fno-signed-zeros -fno-trapping-math -static
same qemu-arm-static gcc-arm-linux-gnueabihf arm-linux-gnueabihf-gcc -std=gnu99 -O2 -static
same qemu-arm-static gcc-arm-linux-gnueabihf arm-linux-gnueabihf-gcc -std=gnu99 -O1 -DDPPAIR_NO_FORCE_INLINE -mfpu=neon -static
either qemu-arm-static gcc-arm-linux-gnueabihf clang --target=arm-linux-gnueabihf -march=armv7-a -mfpu=neon-vfpv4 -std=c99 -O1 -ffp-contract=fast -static
same qemu-arm-static gcc-arm-linux-gnueabi arm-linux-gnueabi-gcc -std=gnu99 -O1 -static
same qemu-riscv64-static gcc-riscv64-linux-gnu riscv64-linux-gnu-gcc -std=gnu99 -O2 -static
same qemu-s390x-static gcc-s390x-linux-gnu s390x-linux-gnu-gcc -std=gnu99 -O2 -static
refused qemu-s390x-static gcc-s390x-linux-gnu s390x-linux-gnu-gcc -std=c99 -O1 -static
same qemu-ppc64le-static gcc-powerpc64le-linux-gnu powerpc64le-linux-gnu-gcc -std=gnu99 -O2 -static
same qemu-ppc64-static gcc-powerpc64-linux-gnu powerpc64-linux-gnu-gcc -std=gnu99 -O1 -DDPPAIR_NO_FORCE_INLINE -static
same qemu-ppc-static gcc-powerpc-linux-gnu powerpc-linux-gnu-gcc -std=gnu99 -O1 -static
same qemu-mips-static gcc-mips-linux-gnu mips-linux-gnu-gcc -std=gnu99 -O1 -DDPPAIR_NO_FORCE_INLINE -static
same - musl-tools musl-gcc -std=c99 -O2
same - musl-tools musl-gcc -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -static
same wine gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc -std=c99 -O2 -DBITS_ROWS
same wine gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc -std=gnu17 -O3
same wine g++-mingw-w64-x86-64 x86_64-w64-mingw32-g++ -std=c++17 -O1 -DDPPAIR_NO_FORCE_INLINE -static
refused wine gcc-mingw-w64-i686 i686-w64-mingw32-gcc -std=gnu99 -O2
same - tcc tcc -std=c99
same node wasi-libc clang --target=wasm32-wasi -std=c99 -O1
same node wasi-libc clang --target=wasm32-wasi -msimd128 -std=c99 -O2
either node wasi-libc clang --target=wasm32-wasi -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -ffp-contract=fast
either node wasi-libc clang --target=wasm32-wasi -std=c99 -O1 -freciprocal-math
either node wasi-libc clang --target=wasm32-wasi -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE -fno-signed-zeros
either node wasi-libc clang --target=wasm32-wasi -msimd128 -std=c99 -O1 -fassociative-math -fno-signed-zeros -fno-trapping-math
tiers node wasi-libc clang --target=wasm32-wasi -msimd128 -std=c99 -O1
tiers node wasi-libc clang --target=wasm32-wasi -msimd128 -std=gnu17 -O3
tiers qemu-aarch64-static gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -std=c99 -O2 -DNUMBERS=131072 -static
tiers - gcc gcc -std=c99 -O2 -DDPPAIR_MAX_TIER=1
environment node wasi-libc clang --target=wasm32-wasi -std=c99 -O2 -DEXPECTED=DPPAIR_OK
environment node wasi-libc clang --target=wasm32-wasi -std=c99 -O2 -ffp-contract=fast -DEXPECTED=DPPAIR_OK
environment node wasi-libc clang --target=wasm32-wasi -std=c99 -O2 -freciprocal-math -DEXPECTED=DPPAIR_ERR_ENVIRONMENT
environment node wasi-libc clang --target=wasm32-wasi -std=c99 -O2 -fno-signed-zeros -DEXPECTED=DPPAIR_ERR_ENVIRONMENT
environment node wasi-libc clang --target=wasm32-wasi -std=c99 -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math -DEXPECTED=DPPAIR_ERR_ENVIRONMENT
environment node wasi-libc clang --target=wasm32-wasi -std=c99 -O2 -funsafe-math-optimizations -DEXPECTED=DPPAIR_ERR_ENVIRONMENT
environment qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O2 -DEXPECTED=DPPAIR_OK -static
environment qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O2 -ffp-contract=fast -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O2 -freciprocal-math -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O2 -fno-signed-zeros -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-aarch64-static gcc-aarch64-linux-gnu clang --target=aarch64-linux-gnu -std=c99 -O2 -funsafe-math-optimizations -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-riscv64-static gcc-riscv64-linux-gnu clang --target=riscv64-linux-gnu -march=rv64gc -std=c99 -O2 -DEXPECTED=DPPAIR_OK -static
environment qemu-riscv64-static gcc-riscv64-linux-gnu clang --target=riscv64-linux-gnu -march=rv64gc -std=c99 -O2 -ffp-contract=fast -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-riscv64-static gcc-riscv64-linux-gnu clang --target=riscv64-linux-gnu -march=rv64gc -std=c99 -O2 -freciprocal-math -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-riscv64-static gcc-riscv64-linux-gnu clang --target=riscv64-linux-gnu -march=rv64gc -std=c99 -O2 -fno-signed-zeros -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-riscv64-static gcc-riscv64-linux-gnu clang --target=riscv64-linux-gnu -march=rv64gc -std=c99 -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
environment qemu-riscv64-static gcc-riscv64-linux-gnu clang --target=riscv64-linux-gnu -march=rv64gc -std=c99 -O2 -funsafe-math-optimizations -DEXPECTED=DPPAIR_ERR_ENVIRONMENT -static
bracket - gcc gcc -std=c99 -O2
bracket - clang clang -std=c99 -O1
bracket - musl-tools musl-gcc -std=c99 -O1 -static
bracket ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=c99 -O1 -msse2 -mfpmath=sse -static
bracket qemu-aarch64-static gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -std=gnu99 -O2 -static
bracket qemu-arm-static gcc-arm-linux-gnueabi arm-linux-gnueabi-gcc -std=gnu99 -O1 -static
bracket qemu-riscv64-static gcc-riscv64-linux-gnu riscv64-linux-gnu-gcc -std=gnu99 -O1 -static
bracket qemu-s390x-static gcc-s390x-linux-gnu s390x-linux-gnu-gcc -std=gnu99 -O1 -static
bracket qemu-ppc64le-static gcc-powerpc64le-linux-gnu powerpc64le-linux-gnu-gcc -std=gnu99 -O1 -static
bracket wine gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc -std=c99 -O1
bracket node wasi-libc clang --target=wasm32-wasi -std=c99 -O1
entropy - gcc gcc -std=c99 -O0 -DSOURCE=getrandom -DFILE_TOO -Wl,--wrap=getrandom
entropy - musl-tools musl-gcc -std=c99 -O1 -static -DSOURCE=getrandom -DFILE_TOO -Wl,--wrap=getrandom
entropy ia32 gcc-i686-linux-gnu i686-linux-gnu-gcc -std=c99 -O1 -msse2 -mfpmath=sse -static -DSOURCE=getrandom -DFILE_TOO -Wl,--wrap=getrandom
entropy qemu-s390x-static gcc-s390x-linux-gnu s390x-linux-gnu-gcc -std=gnu99 -O1 -static -DSOURCE=getrandom -DFILE_TOO -Wl,--wrap=getrandom
entropy wine gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc -std=c99 -O0 -DSOURCE=BCryptGenRandom -Wl,--wrap=BCryptGenRandom
entropy wine gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc -std=gnu17 -O2 -DSOURCE=BCryptGenRandom -Wl,--wrap=BCryptGenRandom
entropy node wasi-libc clang --target=wasm32-wasi -std=c99 -O1 -DSOURCE=getentropy -Wl,--wrap=getentropy
ROWS
}

# Where the C++ compilers are to take the source as C++.
language() {
  case $1 in *++*) echo "-x c++" ;; esac
}

# compile PROGRAM OUTPUT COMPILER FLAGS...: never more than 4 GB of memory or 15 minutes of a processor. The rows read the
# headers in their chapters, which takes gcc less time. Headers of SIMDe are no library: a cross compiler
# may have those of this machine.
compile() {
  program=$1 to=$2 compiler=$3
  shift 3
  libraries=-lm
  case "$compiler $*" in
  *mingw*) libraries=-lbcrypt ;;
  *wasm*) libraries="-lm -Wl,-z,stack-size=1048576" ;; # its default is 64 KB, and it has no guard
  esac
  plain= # gcc links what sets flush-to-zero with these flags, which is refused: they are for compiling
  case "$compiler $*" in gcc*-Ofast* | gcc*-funsafe-math*) plain=yes ;; esac
  (
    ulimit -v 4000000
    ulimit -t 900
    if [ -n "$plain" ]; then
      # shellcheck disable=SC2086
      "$compiler" -Wfatal-errors "$@" -Isrc -Isrc/modules -isystem "$out/include" -c "tests/matrix/$program.c" \
        -o "$to.o" && exec "$compiler" "$to.o" -o "$to" $libraries
      exit 1
    fi
    # shellcheck disable=SC2046,SC2086
    exec "$compiler" -Wfatal-errors "$@" -Isrc -Isrc/modules -isystem "$out/include" $(language "$compiler") \
      "tests/matrix/$program.c" -o "$to" $libraries
  ) >"$to.log" 2>&1
}

# wanted EXPECTED FLAGS...: the lines that must agree, of standard input.
wanted() {
  case "$*" in
  noise*) sed -n '/^figure/p; /^noise/p' ;;
  *-DBITS_ROWS*) sed '/^#/d' ;;
  *) sed '/^#/d; / triplets,/d; / semi-hard,/d; / hardest,/d; / lifted,/d' ;;
  esac
}

# What a row's result depends on.
key() {
  {
    cat dppair*.h "tests/matrix/$program.c" tests/support/random.h
    wanted "$@" <"$out/widest.txt"
    echo "$*"
    "$4" --version 2>&1
  } | cksum | tr ' ' -
}

# row NUMBER EXPECTED RUNNER PACKAGE COMPILER FLAGS...: prints one line and leaves its first word.
one() {
  number=$1 expected=$2 runner=$3 package=$4
  shift 4
  base=$out/$number.exe
  name="$*"
  [ "$runner" = - ] || name="$runner: $name"
  verdict=
  began=$(date +%s)
  case $expected in
  tiers) program=noise_tiers ;;
  bracket | entropy | environment) program=$expected ;;
  *) program=bits ;;
  esac
  kept=$out/kept/$(key "$expected" "$runner" "$package" "$@")
  if [ -f "$kept" ]; then
    cat "$kept"
    sed 's/ .*//' "$kept" >"$base.verdict"
    return
  fi
  if ! command -v "$1" >/dev/null 2>&1; then
    verdict="skipped: install $package"
  elif compile "$program" "$base" "$@"; then
    case $runner in
    -) # with the stack that README asks for
      case $name in *-O0* | tcc*) stack=512 ;; *) stack=128 ;; esac
      (ulimit -s $stack && exec "$base") >"$base.txt" 2>>"$base.log"
      ;;
    ia32) # the processor itself, where the kernel lets it
      "$base" >"$base.txt" 2>>"$base.log"
      [ $? -ne 126 ] || runner=
      package="a kernel that runs 32-bit programs"
      ;;
    wine)
      wine=$(PATH=$PATH:/usr/lib/wine command -v wine64) || runner=
      mkdir -p "$out/wine"
      if [ -n "$runner" ]; then
        WINEPREFIX=$(cd "$out/wine" && pwd) WINEDEBUG=-all "$wine" "$base" 2>>"$base.log" |
          tr -d '\r' >"$base.txt"
      fi
      package=wine64
      ;;
    node)
      package=nodejs
      if command -v node >/dev/null 2>&1; then
        node --no-warnings "$out/wasi.mjs" "$base" >"$base.txt" 2>>"$base.log"
      else
        runner=
      fi
      ;;
    *)
      package=qemu-user-static
      if command -v "$runner" >/dev/null 2>&1; then
        "$runner" "$base" >"$base.txt" 2>>"$base.log"
      else
        runner=
      fi
      ;;
    esac
    if [ -z "$runner" ]; then
      verdict="compiled, not run: install $package"
    elif [ "$program" != bits ]; then
      verdict=$(sed -n '/^same: /p; /^refused: /p; /^FAIL: /p' "$base.txt")
      [ -n "$verdict" ] || verdict="FAIL: ended early, see $base.log"
    else
      tier=$(sed -n 's/^# tier //p' "$base.txt")
      wanted "$expected" "$@" <"$out/widest.txt" >"$base.want"
      wanted "$expected" "$@" <"$base.txt" >"$base.got"
      lines=$(grep -c . "$base.want")
      if cmp -s "$base.want" "$base.got"; then
        verdict="same: $lines lines, $tier"
        [ "$expected" = refused ] && verdict="FAIL: not refused"
      else
        diff "$base.want" "$base.got" | sed -n 's/^> //p' >"$base.other"
        verdict="FAIL: $(grep -c . "$base.other") of $lines lines differ, $tier: $(awk \
          '{ printf "%s%s(%s)", n++ ? " " : "", $2, $3 }' "$base.other" | cut -c 1-200)"
        [ "$(grep -c . "$base.got")" -eq "$lines" ] || verdict="FAIL: ended early, see $base.log"
        case $expected in
        refused | either) # at run time: whatever is not the same is an error
          if [ "${verdict#*early}" = "$verdict" ] && grep -q '^# refused' "$base.txt" &&
            ! awk '$3 == 0 && $2 !~ /^(scores|risk)/' "$base.other" | grep -q .; then
            verdict="refused: $(sed -n 's/^# refused: //p' "$base.txt" | head -n 1)"
          fi
          ;;
        esac
      fi
    fi
  else
    sentence=$(sed -n 's/.*error: *\(#error\)* *"\{0,1\}\([A-Z].*\|.*dppair .*\)/\2/p' "$base.log" |
      head -n 1 | tr -d '"')
    if grep -q 'dppair_constants_are_double_' "$base.log"; then
      sentence="constants are not double"
    fi
    case $expected in
    refused | either) [ -n "$sentence" ] && verdict="refused: $sentence" ;;
    esac
    [ -n "$verdict" ] || verdict="FAIL: does not compile: $(grep -m 1 -i -e error -e memory "$base.log")"
  fi
  word=${verdict%%[:, ]*}
  took="$(($(date +%s) - began)) s"
  line=$(printf '%-7s %s | %s | %s' "$word" "$name" "${verdict#*[:,] }" "$took")
  echo "$line"
  echo "$word" >"$base.verdict"
  case $word in same | refused) echo "$line" >"$kept" ;; esac
}

if [ "${1:-}" = one ]; then
  shift
  one "$@"
  exit 0
fi

rm -f "$out"/*.verdict
simde=$(printf '#include <simde/x86/sse2.h>\n' | cc -E - 2>/dev/null |
  sed -n 's/^# 1 "\(.*\)\/simde\/x86\/sse2.h".*/\1/p' | head -n 1)
rm -f "$out/include/simde"
[ -z "$simde" ] || ln -s "$(cd "$simde" && pwd)/simde" "$out/include/simde"

cat >"$out/wasi.mjs" <<'CODE'
import { readFileSync } from "fs";
import { WASI } from "wasi";
const wasi = new WASI({ version: "preview1", args: ["bits"] });
const program = await WebAssembly.compile(readFileSync(process.argv[2]));
wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
CODE

rows | awk -v words="${MATRIX:-}" 'index($0 " ", words) {
  sub(/ \+[a-z-]*$/, ""); print NR, $0 }' >"$out/rows"
bodies=$(grep -o -m 1 -e -DBITS_ROWS "$out/rows")
# what another target has built of the same files is built
[ "$(cd "$out" && cat dppair*.h bits.c modules/*.h 2>/dev/null | cksum)" = \
  "$(cat dppair*.h tests/matrix/bits.c modules/*.h | cksum)" ] && [ -x "$out/widest" ] &&
  { [ -z "$bodies" ] || [ "$bodies" = "$(cat "$out/bodies")" ]; } || {
  rm -rf "$out"/dppair*.h "$out/bits.c" "$out/modules"
  compile bits "$out/widest" cc -std=c99 -O1 -DDPPAIR_NO_FORCE_INLINE ${bodies:+"$bodies"} -I. -Imodules ||
    { cat "$out/widest.log"; exit 1; }
  cp -r dppair*.h tests/matrix/bits.c modules "$out/"
  echo "$bodies" >"$out/bodies"
}
"$out/widest" >"$out/widest.txt" || { echo "FAIL: the reference does not run"; exit 1; }
if grep '^[a-z]* [^ ]* [1-9]' "$out/widest.txt"; then
  echo "FAIL: the reference is refused"
  exit 1
fi
echo "the reference: $(grep -c '^[^#]' "$out/widest.txt") lines by $(sed -n \
  's/^# tier //p' "$out/widest.txt")"

xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 1)}" -L 1 sh tests/matrix/matrix.sh one <"$out/rows"
cat "$out"/*.verdict 2>/dev/null | awk -v rows="$(grep -c . "$out/rows")" '
  { n[$1]++; all++ }
  END { printf "%d rows: %d same, %d refused, %d compiled only, %d skipped, %d failed\n", rows,
    n["same"], n["refused"], n["compiled"], n["skipped"], rows - all + n["FAIL"]
    exit rows == 0 || rows != all || n["FAIL"] > 0 }'
