#!/bin/sh
# SPDX-License-Identifier: MIT
# Mistakes of a user that only the compiler sees: each is refused under -Wall -Wextra -Wconversion -Werror, in C
# and in C++, by a message at its own line that has the word which names it; the program without a mistake is
# accepted. What a call sees is in tests/headers/mistakes.c. (Of the template's parameters: misuse.sh.)
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C # messages are those that are looked for
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
runs=0
FLAGS="-Wall -Wextra -Wconversion -Werror -O0 -I. -Imodules"
cat >"$work/right.c" <<'CODE'
#define DPPAIR_DECLARE_ONLY
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_accountant.h"
#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME small
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
enum { N = 400, D = 3 };
double x[N][D], factor[N], w[D], g[D];
float narrow[N][D], narrow_g[D], narrow_w[D];
dppair_status step(dppair_release *release, dppair_accountant *account, dppair_plan *plan,
                   dppair_composer *composer, dppair_batch *drawn, const dppair_options *options);
dppair_status step(dppair_release *release, dppair_accountant *account, dppair_plan *plan,
                   dppair_composer *composer, dppair_batch *drawn, const dppair_options *options) {
  dppair_status s;
  static dppair_rows_f64 rows, batch;
  static dppair_rows_f32 rows_f32;
  plan->sampling = dppair_sampling_poisson(N, 40, DPPAIR_REPLACE_ONE);
  s = dppair_calibrate(plan, account, composer);
  if (!s) s = dppair_release_open(release, account, plan, NULL);
  if (!s) s = dppair_rows_clip_f64(&rows, factor, x[0], N, D, D, 1.0);
  if (!s) s = dppair_rows_clip_f32(&rows_f32, factor, narrow[0], N, D, D, 1.0);
  batch = rows;
  dppair_rows_by_hand_f64(&batch, drawn);
  if (!s) s = rank_release(g, release, &batch, w, options);
  if (!s) s = small_release(g, release, &rows_f32, narrow_w, options);
  dppair_release_close(release);
  return s;
}
CODE

# compiled COMMAND: program.c, by this compiler
compiled() {
  # shellcheck disable=SC2086
  $1 $FLAGS -c "$work/program.c" -o "$work/program.o" >"$work/log" 2>&1
}
# mistake WHAT LINE SLIP WORD: LINE of the right program, a sed pattern, becomes SLIP
mistake() {
  sed "s|^\( *\)$2\$|\1$3|" "$work/right.c" >"$work/program.c"
  cmp -s "$work/right.c" "$work/program.c" && { echo "FAIL $1: no such line"; bad=1; return; }
  line=$(diff "$work/right.c" "$work/program.c" | sed -n '1s/[^0-9].*//p')
  for command in "gcc -std=c99" "g++ -x c++ -std=c++11" "clang -std=c99" "clang++ -x c++ -std=c++11"; do
    command -v "${command%% *}" >/dev/null 2>&1 || continue
    runs=$((runs + 1))
    if compiled "$command"; then
      echo "FAIL $1: $command accepts it"
    elif ! grep "program.c:$line:.*error" "$work/log" | grep -q -e "$4"; then
      echo "FAIL $1: $command does not say '$4' at line $line"
    else
      continue
    fi
    head -n 6 "$work/log"
    bad=1
  done
}

for command in "gcc -std=c99" "g++ -x c++ -std=c++11" "clang -std=c99" "clang++ -x c++ -std=c++11"; do
  command -v "${command%% *}" >/dev/null 2>&1 || continue
  cp "$work/right.c" "$work/program.c"
  compiled "$command" || { echo "FAIL: $command refuses the right program"; head -n 6 "$work/log"; bad=1; }
done

# What gcc calls incompatible, g++ cannot convert, and clang has no matching function for.
OTHER='incompatible\|cannot convert\|no matching function\|cannot initialize'
RELEASE='if (!s) s = rank_release(g, release, \&batch, w, options);'
OPEN='if (!s) s = dppair_release_open(release, account, plan, NULL);'
CLIP='if (!s) s = dppair_rows_clip_f64(\&rows, factor, x\[0\], N, D, D, 1.0);'
mistake "a status is ignored" "$RELEASE" 'rank_release(g, release, \&batch, w, options);' 'unused'
mistake "an open is not looked at" "$OPEN" 'dppair_release_open(release, account, plan, NULL);' 'unused'
mistake "float rows in an instance of double" "$RELEASE" \
  'if (!s) s = rank_release(g, release, \&rows_f32, w, options);' "$OTHER"
mistake "float numbers in rows of double" "$CLIP" \
  'if (!s) s = dppair_rows_clip_f64(\&rows, factor, narrow[0], N, D, D, 1.0);' "$OTHER"
mistake "float outputs of an instance of double" "$RELEASE" \
  'if (!s) s = rank_release(narrow_g, release, \&batch, w, options);' "$OTHER"
mistake "float outputs of an instance of float" 'if (!s) s = small_release(g, .*' \
  'if (!s) s = small_release(narrow_g, release, \&rows_f32, narrow_w, options);' "$OTHER"
mistake "a rate in place of a number of records" 'plan->sampling = .*' \
  'plan->sampling = dppair_sampling_poisson(N, 0.1, DPPAIR_REPLACE_ONE);' 'conversion'
mistake "rows that are made as rows are clipped" "$CLIP" \
  'if (!s) s = dppair_rows_make_f64(\&rows, x[0], N, D, D);' "$OTHER\|too many arguments"
mistake "rows that are clipped as rows are made" "$CLIP" \
  'rows = dppair_rows_clip_f64(x[0], N, D, D, 1.0);' "$OTHER\|too few arguments\|no viable"
mistake "the composer where the keys belong" "$OPEN" \
  'if (!s) s = dppair_release_open(release, account, plan, composer);' "$OTHER"
mistake "the weights before the rows" "$RELEASE" \
  'if (!s) s = rank_release(g, release, w, \&batch, options);' "$OTHER"
mistake "the account before the release" "$OPEN" \
  'if (!s) s = dppair_release_open(account, release, plan, NULL);' "$OTHER"
mistake "a status of what has none" 'dppair_rows_by_hand_f64(\&batch, drawn);' \
  'if (!s) s = dppair_rows_by_hand_f64(\&batch, drawn);' 'void'
echo "$runs refusals"
[ $runs -ge 13 ] && exit $bad
