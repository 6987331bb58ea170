#!/bin/sh
# SPDX-License-Identifier: MIT
# What it costs to compile small programs with these headers:
#   sh bench/compile_cost.sh          the table of `make compile-cost`: ROUNDS (3) rounds, one after the other
#   sh bench/compile_cost.sh update   the same, and writes bench/compile/budget
#   sh bench/compile_cost.sh check    compares with that budget: tests/checks/compile_cost.sh
# Seconds are the compiler's own user seconds, the median of the rounds. "Relative" divides them by those of the file
# that bench/compile/calibration.awk prints, compiled with the same flags in the same rounds. Bytes are the text of the
# object as `size` tells it, constants too.
#
# What is red. Bytes: 5 % above the budget; one version of the compiler always gives the same number, and only that
# version is compared. Seconds: 15 % above it, on another processor than the budget's 25 %, after three rounds; one that
# is not makes the row green at once. At a load of 10 to 18 on two processors the quotients of single rounds lay up to
# 11 % beside their medians, so 5 % would be red by chance.
# ONLY=word takes the rows with this word in their name. Variables: CC, CXX, ROUNDS, PEER_FLAGS (where peers are),
# BUDGET (another file).
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C # numbers have a point
CC=${CC:-cc} CXX=${CXX:-c++} ONLY=${ONLY:-} rounds=${ROUNDS:-3} mode=${1:-table} folder=bench/compile
BUDGET=${BUDGET:-$folder/budget}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
  echo "compile_cost: $1"
  [ ! -s "$work/log" ] || cat "$work/log"
  exit 1
}
case $mode in
table | update) ;;
check) [ -f "$BUDGET" ] || fail "no $BUDGET" ;;
*) echo "usage: sh bench/compile_cost.sh [update|check]"; exit 2 ;;
esac
[ "$mode" != update ] || [ -z "$ONLY" ] || fail "a budget is that of all rows: without ONLY"

# A name, and the flags; the program of a name that begins with "readme" is README's first one, as printed.
rows() {
  cat <<'ROWS'
readme-plain     -O0
readme           -O2
instance         -O2
gaussian         -O2
certify          -O2
noise            -O2
contrast         -O2
readme-native    -O2 -march=native
ROWS
}
titles='readme-plain README, "A private optimiser"
readme README, "A private optimiser"
readme-native README, "A private optimiser"
instance an instance, its gradient
gaussian a Gaussian charge, its epsilon
certify a sampled charge, certified
noise noise alone, one release
contrast InfoNCE in float, its gradient
declared.c the headers, declarations alone
peer_cglm.c peer: cglm, rotate and invert
peer_stb.c peer: stb_image, all of it
peer_fmt.cc peer: {fmt}, headers alone'

awk '/^```c$/ { on = 1; next } on && /^```$/ { exit } on' README.md >"$work/readme.c"
[ -s "$work/readme.c" ] || fail "README.md has no C"
awk -v FUNCTIONS=160 -f $folder/calibration.awk >"$work/calibration.c" || fail "no calibration file"
rows | grep "$ONLY" >"$work/rows" || fail "no row has \"$ONLY\" in its name"
: >"$work/times"
: >"$work/bytes"

# timed NAME COMMAND...: runs it, and keeps the user seconds of what it started
timed() {
  what=$1
  shift
  ("$@" 2>>"$work/log" && times >"$work/took") || fail "$what does not compile"
  awk -v name="$what" -F '[ms ]+' 'FNR == 2 { printf "%s %.3f\n", name, 60 * $1 + $2 }' "$work/took" >>"$work/times"
}
# row NAME FLAGS...: compiles its program; the first time that links and runs, too
row() {
  file=$1
  name=$1
  shift
  case $file in
  readme*) file=$work/readme.c ;;
  *) file=$folder/$file.c ;;
  esac
  # shellcheck disable=SC2086
  timed "$name" $CC "$@" -I. -Imodules -c "$file" -o "$work/$name.o"
  [ ! -x "$work/$name" ] || return 0
  echo "$name $(size "$work/$name.o" | awk 'NR == 2 { print $1 }')" >>"$work/bytes"
  # shellcheck disable=SC2086
  $CC "$work/$name.o" -lm -o "$work/$name" 2>>"$work/log" || fail "$name does not link"
  "$work/$name" >"$work/said" 2>&1 || fail "$name does not run: $(cat "$work/said")"
}
# round FILE: its rows, and before each set of flags the calibration file with these
round() {
  last=
  while read -r name flags <&3; do
    # shellcheck disable=SC2086
    [ "$flags" = "$last" ] || timed "calibration:$flags" $CC $flags -c "$work/calibration.c" -o "$work/calibration.o"
    last=$flags
    # shellcheck disable=SC2086
    row "$name" $flags
  done 3<"$1"
}
# Beside the rows, without a budget: declarations alone, and the peers that are installed.
beside() {
  for file in declared.c peer_cglm.c peer_stb.c peer_fmt.cc; do
    case $file in *.cc) compiler=$CXX ;; *) compiler=$CC ;; esac
    # shellcheck disable=SC2086
    $compiler ${PEER_FLAGS:-} -I. -E $folder/$file >"$work/seen" 2>&1 || continue
    # shellcheck disable=SC2086
    timed $file $compiler -O2 ${PEER_FLAGS:-} -I. -c $folder/$file -o "$work/$file.o"
    grep -q "^$file " "$work/bytes" && continue
    echo "$file $(size "$work/$file.o" | awk 'NR == 2 { print $1 }')" >>"$work/bytes"
    [ $file != declared.c ] || continue # its functions are elsewhere
    $compiler "$work/$file.o" -lm -o "$work/peer" 2>>"$work/log" && "$work/peer" || fail "$file does not run"
  done
}

# What bytes and seconds depend on, as the budget's first lines have it. Of -march=native the macros that it defines.
about() {
  echo "compiler $($CC --version | head -n 1), $($CC -dumpmachine)"
  echo "native $(echo | $CC -march=native -dM -E - 2>/dev/null | sort | cksum | tr ' ' -)"
  echo "calibration $(cksum <"$work/calibration.c" | tr ' ' -)"
}
about >"$work/about"

# report: name, flags, median seconds, relative, bytes; then what the budget says, and what is red
report() {
  awk -v mode="$1" '
    function median(list,   n, i, j, v, t) {
      n = split(list, v, " ")
      for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
      return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
    }
    FILENAME ~ /titles$/ { name = $1; sub(/^[^ ]+ /, ""); title[name] = $0; next }
    FILENAME ~ /about$/ { key = $1; sub(/^[^ ]+ /, ""); about[key] = $0; next }
    FILENAME ~ /budget$/ {
      if (/^#/) next
      if ($1 ~ /^(compiler|native|calibration)$/) { key = $1; sub(/^[^ ]+ /, ""); then[key] = $0; next }
      budget[$1] = $2
      budget_bytes[$1] = $3
      next
    }
    FILENAME ~ /bytes$/ { bytes[$1] = $2; next }
    FILENAME ~ /times$/ {
      seconds = $NF
      sub(/ [^ ]*$/, "")
      all[$0] = all[$0] " " seconds
      next
    }
    { # the rows
      name = $1
      flags = $0
      sub(/^[^ ]+ +/, "", flags)
      cost = median(all[name]) / median(all["calibration:" flags])
      if (mode == "update") { printf "%-14s %6.3f %7d\n", name, cost, bytes[name]; next }
      here = about["native"] == then["native"]
      same = about["compiler"] == then["compiler"] && (flags !~ /native/ || here)
      if (mode == "table") {
        printf "%-32s %-18s %7.2f %9.3f %7d", title[name], flags, median(all[name]), cost, bytes[name]
        if (same && name in budget) printf "   %6.3f %7d", budget[name], budget_bytes[name]
        print ""
        next
      }
      if (!(name in budget)) { print "FAIL " name " has no budget: make compile-cost UPDATE=1"; next }
      if (!same) { print "skipped: " name ": the budget is of another processor"; next }
      if (about["calibration"] != then["calibration"]) { print "FAIL the calibration file is not the budget\047s: make compile-cost UPDATE=1"; next }
      if (bytes[name] > 1.05 * budget_bytes[name])
        printf "FAIL %s: %d bytes, the budget is %d\n", name, bytes[name], budget_bytes[name]
      if (cost > (here ? 1.15 : 1.25) * budget[name])
        printf "SLOW %s: %.3f times the calibration file, the budget is %.3f\n", name, cost, budget[name]
    }' "$work/titles" "$work/about" "$work/budget" "$work/bytes" "$work/times" "$2"
}
echo "$titles" >"$work/titles"
cp "$BUDGET" "$work/budget" 2>/dev/null || : >"$work/budget"

if [ "$mode" = check ]; then
  # Without a row to compare, nothing is compiled.
  grep -qxF "$(head -n 1 "$work/about")" "$work/budget" ||
    { echo "skipped: $(head -n 1 "$work/about"): the budget is of another"; exit 77; }
  round "$work/rows"
  report check "$work/rows" >"$work/told"
  n=1
  while [ $n -lt "$rounds" ]; do # what is slow is compiled again: a load passes
    awk 'FNR == NR { if (/^SLOW/) slow[$2] = 1; next } ($1 ":") in slow' "$work/told" "$work/rows" >"$work/slow"
    [ -s "$work/slow" ] || break
    round "$work/slow"
    report check "$work/rows" >"$work/told"
    n=$((n + 1))
  done
  cat "$work/told"
  ! grep -q -e ^FAIL -e ^SLOW "$work/told" || fail "above $BUDGET: what grew? If it has to: make compile-cost UPDATE=1"
  echo "$(wc -l <"$work/rows") programs are within their budget, after $n rounds"
  exit 0
fi

n=0
while [ $n -lt "$rounds" ]; do
  round "$work/rows"
  [ "$ONLY" ] || beside
  n=$((n + 1))
done
sed -n 's/^compiler //p' "$work/about"
echo "seconds: the compiler's user time, median of $rounds rounds; relative: to the calibration file; bytes: text"
echo
printf '%-32s %-18s %7s %9s %7s   %s\n' program flags seconds relative bytes "budget: relative, bytes"
report table "$work/rows"
for file in declared.c: peer_cglm.c:libcglm-dev peer_stb.c:libstb-dev peer_fmt.cc:libfmt-dev; do
  if [ "$ONLY" ]; then break; fi
  if grep -q "^${file%:*} " "$work/bytes"; then
    echo "${file%:*} -O2" >"$work/peer"
    report table "$work/peer"
  else
    echo "$titles" | sed -n "s/^${file%:*} \\(.*\\)/\\1: not installed (${file#*:})/p"
  fi
done
if [ "$mode" = update ]; then
  {
    echo "# SPDX-License-Identifier: MIT"
    echo "# What compiling may cost, written by \`make compile-cost UPDATE=1\`: each row of the table, its seconds as a"
    echo "# multiple of the calibration file's, its bytes. bench/compile_cost.sh says what is red."
    cat "$work/about"
    report update "$work/rows"
  } >"$BUDGET"
fi
