#!/bin/sh
# SPDX-License-Identifier: MIT
# A fresh machine: what the README tells a reader to type, in a bare root of this machine's Debian.
#   sh tests/fresh.sh             make fresh
#   sh tests/fresh.sh commands    the two commands below "Try it", as README.md has them; runs nothing
# debootstrap makes the root, below BUILD, from the mirror that apt has here. HEAD is put into it, and
# the commands run there: the first with gcc, make and the C library's headers alone, the second as
# printed. Processes and mounts are those of a namespace that ends with this script, killed or not. Where
# no root can be made a line says why, and the commands run here. The tests leave their results in
# BUILD/tests; at the end there are the times on the clock, and the count of the tests.
set -u
cd "$(dirname "$0")/.." || exit 2
mkdir -p "${BUILD:-build}" || exit 2
BUILD=$(cd "${BUILD:-build}" && pwd)
dir=$BUILD/fresh

# The lines of code below "Try it", without prompts and comments; one may go on behind a backslash.
commands=$(awk '
  /^## / { on = /^## Try it/; next }
  on && /^(```|~~~)/ { fence = !fence; next }
  on && (fence || /^    /) {
    line = line $0
    if (sub(/\\$/, "", line)) next
    sub(/^[ \t]*(\$ )?(sudo )?/, "", line)
    sub(/[ \t]+#.*/, "", line)
    sub(/[ \t]+$/, "", line)
    if (line == "make demo" && !first) first = line
    if (line ~ /^apt-get install .* && make test$/ && !second) second = line
    line = ""
  }
  END { if (first && second) print first "\n" second }' README.md)
first=${commands%%
*}
second=${commands#*
}
[ -n "$commands" ] || {
  echo "README.md: no \"make demo\", or no \"apt-get install ... && make test\", below \"Try it\""
  exit 1
}
[ "${1:-}" != commands ] || { echo "$commands"; exit 0; }

# In a root or here, with nothing of the make or the shell that started this but how to reach a mirror.
clean=DEBIAN_FRONTEND=noninteractive
for name in http_proxy https_proxy no_proxy; do
  eval "value=\${$name-}"
  [ -z "$value" ] || clean="$clean $name=$value"
done
# shellcheck disable=SC2086 # a word each
at() { # ROOT-OR-EMPTY COMMAND
  if [ -n "$1" ]; then
    env -i $clean PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$1" sh -c "cd /root/dppair && $2" </dev/null
  else
    env -i $clean PATH="$PATH" HOME="${HOME:-/}" sh -c "$2" </dev/null
  fi
}
# what dpkg says of each package
packages='^(Selecting previously|Preparing to unpack|Unpacking|Setting up|Processing triggers|update-alternatives:|\(Reading)'
# Both commands; the second is not run where the first fails.
both() { # ROOT-OR-EMPTY
  for command in "$first" "$second"; do
    echo "--- $command"
    began=$(date +%s)
    at "$1" "$command" 2>&1
    code=$?
    echo "$(($(date +%s) - began)) s: $command" >>"$dir/times"
    [ $code = 0 ] || { echo "exit $code: $command"; echo "$code" >"$dir/failed"; break; }
  done | tee "$dir/log" | grep --line-buffered -vE "$packages"
}
no_root() { echo "$1" >"$dir/why"; exit 1; }

# --- in the namespace --------------------------------------------------------------------------------
if [ "${1:-}" = namespace ]; then
  root=$dir/root
  suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" 'index($2, suite) == 1 && $3 == "main" && !seen[$0]++ { print "deb", $0 }')
  mirror=$(echo "$sources" | awk -v suite="$suite" '$3 == suite { print $2; exit }')
  [ -n "$mirror" ] || no_root "apt has no mirror of ${suite:-this system} here"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$dir/debootstrap.log" 2>&1 ||
    no_root "debootstrap: $(tail -n 1 "$dir/debootstrap.log")"
  { mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" &&
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"; } 2>"$dir/mount.log" ||
    no_root "$(tail -n 1 "$dir/mount.log")"
  # the root reaches the mirror as this machine does
  echo "$sources" >"$root/etc/apt/sources.list"
  { apt-config dump | grep '^Acquire::' | grep -vi 'auto-*detect'; echo 'quiet "2";'; } >"$root/etc/apt/apt.conf.d/90machine"
  for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
    [ ! -e $file ] || { mkdir -p "$root${file%/*}" && cp -L $file "$root$file"; }
  done
  mkdir "$root/root/dppair"
  tar -x -f "$dir/source.tar" -C "$root/root/dppair" || no_root "the source was not copied"
  at "$root" "apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc make libc6-dev" \
    >"$dir/apt.log" 2>&1 || no_root "apt-get in the root: $(tail -n 1 "$dir/apt.log")"
  both "$root"
  mkdir -p "$BUILD/tests"
  cp "$root"/root/dppair/build/tests/*.result "$BUILD/tests" 2>/dev/null
  exit 0
fi

# --- outside -----------------------------------------------------------------------------------------
child=
end() {
  [ -z "$child" ] || { kill -KILL "$child"; wait "$child"; } 2>/dev/null
  for again in 1 2 3; do # what is killed may not be gone yet
    rm -rf --one-file-system "$dir" 2>/dev/null && break
    sleep "$again"
  done
}
trap end EXIT
trap 'exit 1' HUP INT TERM
rm -rf --one-file-system "$dir" && mkdir "$dir" || exit 2
rm -f "$BUILD"/tests/*.result
if git rev-parse -q --verify HEAD >/dev/null 2>&1 && [ "$(git rev-parse --show-toplevel)" = "$PWD" ]; then
  [ -z "$(git status --porcelain)" ] || echo "what is not committed is not tried"
  git archive -o "$dir/source.tar" HEAD || exit 2
else
  tar -c --exclude="./${BUILD##*/}" -f "$dir/source.tar" . || exit 2
fi
if [ "$(id -u)" != 0 ]; then
  echo "only root makes a root" >"$dir/why"
elif ! command -v debootstrap >/dev/null 2>&1; then
  echo "debootstrap is not installed" >"$dir/why"
elif ! unshare --mount --pid --fork true 2>/dev/null; then
  echo "no namespace can be made" >"$dir/why"
else
  began=$(date +%s)
  setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child env BUILD="$BUILD" \
    sh tests/fresh.sh namespace &
  child=$!
  wait "$child"
  child=
fi
if [ -e "$dir/why" ]; then
  rm -f "$dir/times"
  echo "no bare root ($(cat "$dir/why")): the README's commands run here"
  [ "$(id -u)" = 0 ] || second=${second##*&& } # who cannot install has what is installed
  [ "$BUILD" = "$PWD/build" ] || clean="$clean BUILD=$BUILD"
  both ""
fi
echo "---"
cat "$dir/times" 2>/dev/null
count=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$dir/log" 2>/dev/null | tail -n 1)
echo "${count:-0 passed, 1 failed, 0 skipped}"
[ -n "$count" ] && [ ! -e "$dir/failed" ]
