#!/bin/sh
# SPDX-License-Identifier: MIT
# Times a loss of one's own: make bench USER_LOSS=my.h [USER_LOSS_NAME=my]. The file defines my_KIND,
# my_VALUE and my_SLOPE; bench/example_loss.h is one that works. What is wrong with a file is said in a
# sentence. Further arguments go to the program: --n 500 --d 16 --json --quick.
# Variables, from make: USER_LOSS USER_LOSS_NAME CC CFLAGS BUILD LOOP_FLAGS BENCH_LIBS
set -u
cd "$(dirname "$0")/.." || exit 2
file=${USER_LOSS:-} name=${USER_LOSS_NAME:-} CC=${CC:-cc} out=${BUILD:-build}/user_loss
refuse() {
  printf 'bench: %s\n' "$*" >&2
  exit 2
}

[ -n "$file" ] || refuse "USER_LOSS=file.h names no file"
[ -e "$file" ] || refuse "$file: there is no such file"
[ -f "$file" ] && [ -r "$file" ] || refuse "$file is not a file that can be read"
case $file in *\"* | *"
"*) refuse "$file: a name with a quotation mark or a new line cannot be included" ;; esac
case $file in /*) ;; *) file=$PWD/$file ;; esac
names=$(sed -n 's/^[ 	]*#[ 	]*define[ 	][ 	]*\([A-Za-z_][A-Za-z0-9_]*\)_SLOPE(.*/\1/p' "$file" | tr '\n' ' ')
names=${names% }
[ -n "$names" ] || refuse "$USER_LOSS defines no NAME_SLOPE(u, p); bench/example_loss.h is a file that does"
case ${name:-$names} in
*\ *) [ -n "$name" ] || refuse "$USER_LOSS defines several losses: USER_LOSS_NAME=NAME, one of $names" ;;
*) name=${name:-$names} ;;
esac
case $name in *[!A-Za-z0-9_]*) refuse "\"$name\" is no name of a loss" ;; esac
case " $names " in *" $name "*) ;; *) refuse "$USER_LOSS has no loss \"$name\" but: $names" ;; esac

mkdir -p "$out" || exit 2
# compile OBJECT SOURCE FLAGS...: the user's file comes first. Of what a compiler says, the first error.
compile() {
  object=$1 source=$2
  shift 2
  LC_ALL=C $CC -std=gnu99 "$@" -Werror=implicit-function-declaration -I. -Imodules -Ibench -include dppair_losses.h \
    -include "$file" -DUSER_LOSS_NAME="$name" -c "bench/$source" -o "$out/$object" 2>"$out/said" && return
  refuse "$USER_LOSS does not compile as the loss $name: $(grep -m1 -E 'error' "$out/said" | sed 's/.*error[:] *//')$(
    grep -m1 -oF -- "${file##*/}:" "$out/said" >/dev/null &&
      grep -m1 -F -- "${file##*/}:" "$out/said" | sed -n 's/.*\.[A-Za-z]*:\([0-9][0-9]*\):.*/ (line \1)/p')"
}
fast=-ffast-math # which clang and the headers do not go together with
$CC --version 2>/dev/null | grep -q clang && fast=-fno-math-errno
# shellcheck disable=SC2086 # flags are words
{
  compile reference.o user_loop.c -O1 -DUSER_REFERENCE -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE
  compile loop.o user_loop.c ${LOOP_FLAGS:--O3} $fast -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE
  compile main.o user_loss.c ${CFLAGS:--O2}
  $CC ${CFLAGS:--O2} "$out/main.o" "$out/loop.o" "$out/reference.o" -o "$out/user_loss" ${BENCH_LIBS:-} -lm \
    2>"$out/said" || refuse "$USER_LOSS does not link: $(grep -m1 -E 'undefined|multiple' "$out/said" | sed 's/.*: //')"
}
exec "$out/user_loss" "$@"
