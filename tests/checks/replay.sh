#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's programs, audited: the first one and the same in mini-batches, and in `make audit` with
# a network, pass on data of which a record goes from one end to the other; with one mistake they do
# not. AUDIT: a driver that is built already.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C # numbers have a point, and messages are those that are looked for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${CC-}" ] || CC=$(command -v clang || echo gcc) # clang: in half of the time
export CC CFLAGS=-O0
all=${AUDIT:+yes}
if [ -z "$all" ]; then # without methods: what takes sources only
  mkdir -p "$work/auditing/tests/audit"
  flags="-std=c99 -O0 -DDPPAIR_NO_SIMDE -DDPPAIR_MAX_TIER=0 -D_POSIX_C_SOURCE=200809L -I. -Imodules -Itests/audit"
  for file in replay fits programs audit; do
    $CC $flags -include tests/audit/hook.h -DAUDIT_ROOT="\"$PWD\"" -c tests/audit/$file.c -o "$work/$file.o"
  done
  ar rc "$work/auditing/tests/audit/libaudit.a" "$work/replay.o" "$work/fits.o"
  $CC "$work"/*.o -lm -o "$work/audit"
  AUDIT=$work/audit
fi
awk -v dir="$work" '/^```c$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > (dir "/block" n ".c") }' README.md docs/guide.md
cp "$work/block1.c" "$work/program.c"
grep -qF "build/audit program.c --after 'x[i / D]' --swap 'x[0][0] = 40; x[0][2] = -40;' --claim 1.0000001,1e-3" \
  docs/recipes.md || { echo "docs/recipes.md: another audit"; exit 1; }
fails=0
# expect WORD LABEL ARGUMENTS...: `nothing`, or a finding
expect() {
  word=$1 label=$2
  shift 2
  code=0
  "$AUDIT" "$work/program.c" --after 'x[i / D]' --swap 'x[0][0] = 40; x[0][2] = -40;' "$@" >"$work/said" 2>&1 || code=$?
  if [ "$word" = nothing ] && [ $code -eq 0 ]; then
    printf '%-44s %8s %8s   nothing\n' "$label" "$(awk '/nothing/ { d = $(NF - 2) } END { print d }' "$work/said")" 1
  elif [ "$word" != nothing ] && [ $code -eq 1 ] && grep -q " $word.*WRONG" "$work/said"; then
    printf '%-44s %8s %8s   %s (expected)\n' "$label" "" 1 "$word"
  else
    cat "$work/said"
    echo "WRONG: $label"
    fails=1
  fi
}
# use FROM TO: in the program, once on a line at least
use() {
  grep -qF -- "$1" "$work/program.c" || { echo "README: no $1"; exit 1; }
  # not by -v, which takes no line break everywhere
  from=$1 to=$2 awk '{
    if (at = index($0, ENVIRON["from"])) $0 = substr($0, 1, at - 1) ENVIRON["to"] substr($0, at + length(ENVIRON["from"]))
    print
  }' "$work/program.c" >"$work/program.new"
  mv "$work/program.new" "$work/program.c"
}
# part BLOCK: the first program with a block before its main
part() {
  { sed '/^int main/,$d' "$work/block1.c"; cat "$1"; sed -n '/^int main/,$p' "$work/block1.c"; } >"$work/program.c"
}
release='rank_release(g, &release, &rows, w, &options)'
[ -z "$all" ] || expect nothing "README: the first program" --claim 1.0000001,1e-3
part "$work/block2.c"
use 'dppair_sampling_all(N' 'dppair_sampling_poisson(N, 64'
use 'static dppair_plan plan;' 'static unsigned char room[1 << 24]; dppair_composer composer; static dppair_plan plan;'
use 's = dppair_release_open' 's = dppair_composer_init(&composer, room, sizeof room);
  if (!s) s = dppair_calibrate(&plan, &account, &composer);
  if (!s) s = dppair_release_open'
use 'plan.delta, NULL)' 'plan.delta, &composer)'
use "$release" 'batch_release(g, &release, &rows, w, &options)'
expect nothing "README: mini-batches" --claim 1.0000001,1e-3
if [ -n "$all" ]; then
  use 'g[k];' 'g[k]; printf("%zu ", release.drawn);'
  expect output "README: prints the sizes of batches" --claim 1.0000001,1e-3
  cp "$work/block1.c" "$work/program.c"
  use 'dppair_release_close(&release);' 'FILE *log = fopen(".log", "w"); fprintf(log, "%g", x[0][0]); fclose(log);'
  expect output "README: a record in a hidden file" --claim 1.0000001,1e-3
fi
cp "$work/block1.c" "$work/program.c"
use 'w[k] -= 20.0 * g[k];' 'w[k] -= 20.0 * g[k] * (1 + x[0][0]);'
expect distance "README: with steps by a record" --claim 1.0000001,1e-3
if [ -n "$all" ]; then
  part "$work/block3.c"
  use "s = $release" 'static double score[N]; s = dppair_scores_f64(score, &rows, w);
    if (!s) s = network_release(g, D, &release, score, x[0], &options)'
  expect nothing "README: a network" --claim 1.0000001,1e-3
  part "$work/block4.c"
  use "s = $release" 'static double score[N]; s = dppair_scores_f64(score, &rows, w);
    if (!s) s = pointwise_release(g, &release, &rows, score, w, &options)'
  expect nothing "README: pairs made pointwise" --claim 1.0000001,1e-3
  cp "$work/block1.c" "$work/program.c"
  expect claim "README: stating half of what it spends" --claim 0.5,1e-3
  # block 6 prints the AUC of records that it held back: no release
  for block in 7 8; do
    cp "$work/block$block.c" "$work/program.c"
    "$AUDIT" "$work/program.c" >"$work/said" || { cat "$work/said"; fails=1; }
  done
fi
exit $fails
