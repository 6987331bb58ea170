#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the figures of the README, the guide, the tutorial and docs/when_pairs_pay.md with what the
# commands print that the pages name (make claims). A line for each claim; a figure of the prose that no
# line here mentions is a failure, too (but for the last page: of it the first table only). Times are
# those of one machine: they are named here, not measured. DATA=FOLDER with retinopathy.csv checks the
# claims about that set; without it they are skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
CC=${CC:-cc}
DATA=${DATA:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
passed=0 failed=0 skipped=0
say() {
  echo "$1 $2: $3"
  case $1 in ok) passed=$((passed + 1)) ;; skip) skipped=$((skipped + 1)) ;; *) failed=$((failed + 1)) ;; esac
}

# figures PAGE: what the page has at the places {} of $template, on a line; then the text itself.
# Line breaks count as blanks.
figures() {
  awk '{ page = page " " $0 }
    END {
      gsub(/[ \t]+/, " ", page)
      n = split(ENVIRON["template"], piece, /[{][}]/)
      for (from = 1; (at = index(substr(page, from), piece[1])) > 0; from += at) {
        begin = from + at - 1
        place = begin + length(piece[1])
        found = ""
        for (i = 2; i <= n; i++) {
          rest = substr(page, place)
          if (!match(rest, /^[-+]?[0-9]+([.][0-9]+)?/)) break
          found = found " " substr(rest, 1, RLENGTH)
          place += RLENGTH
          if (substr(page, place, length(piece[i])) != piece[i]) break
          place += length(piece[i])
        }
        if (i <= n) continue
        print found
        print substr(page, begin, place - begin)
        exit 0
      }
      exit 1
    }' "$1"
}

# agree WITHIN: whether the figures of $stated are those of $printed: to the digits that are stated
# where WITHIN is 0, else within that.
agree() {
  awk -v within="$1" 'BEGIN {
    n = split(ENVIRON["stated"], s, " ")
    if (n == 0 || n != split(ENVIRON["printed"], p, " ")) exit 1
    for (i = 1; i <= n; i++) {
      digits = index(s[i], ".") > 0 ? length(s[i]) - index(s[i], ".") : 0
      if (p[i] !~ /^[-+]?[0-9]/) exit 1
      if (within > 0 ? s[i] - p[i] > within || p[i] - s[i] > within : sprintf("%." digits "f", p[i]) != s[i] "") exit 1
    }
  }'
}

# claim PAGE TEMPLATE WITHIN COMMAND...: the figures at {} are those that the command prints.
claim() {
  page=$1 within=$3
  export template="$2"
  shift 3
  if ! figures "$page" >"$work/found"; then
    say FAIL "$page" "the page no longer has \"$template\""
    return
  fi
  stated=$(sed -n 1p "$work/found")
  sed -n 2p "$work/found" >>"$work/$(basename "$page").claimed"
  printed=$("$@" 2>"$work/err" | tr '\n' ' ')
  export stated printed
  if agree "$within"; then
    say ok "$page" "$(sed -n 2p "$work/found")"
  else
    say FAIL "$page" "\"$template\": the page has$stated, the command prints $printed$(head -n 2 "$work/err")"
  fi
}
# unmeasured PAGE TEXT REASON: figures that nothing here compares.
unmeasured() {
  export template="$2"
  if figures "$1" >"$work/found"; then
    sed -n 2p "$work/found" >>"$work/$(basename "$1").claimed"
    say skip "$1" "$2: $3"
  else
    say FAIL "$1" "the page no longer has \"$2\""
  fi
}
# leftover PAGE: figures of the prose in none of the above: with a point, a unit, or "times". Commands
# and the epsilons that a figure stands at are no claims.
leftover() {
  touch "$work/$(basename "$1").claimed"
  awk -v claimed="$work/$(basename "$1").claimed" '
    /^```/ { code = !code; next }
    !code { page = page " " $0 }
    END {
      gsub(/[ \t]+/, " ", page)
      while ((getline text < claimed) > 0)
        while ((at = index(page, text)) > 0)
          page = substr(page, 1, at - 1) " # " substr(page, at + length(text))
      gsub(/`[^`]*`|CC BY 4[.]0|epsilon [0-9.]+/, "", page) # commands, a licence, settings
      while (match(page, /[0-9]+[.][0-9]+|[0-9][0-9,]* ?(%|percent|times|ns|us|ms|s|KB|MB|GB|of [0-9]+|digits)[^a-zA-Z0-9]/)) {
        print substr(page, RSTART > 40 ? RSTART - 40 : 1, 80)
        page = substr(page, RSTART + RLENGTH)
      }
    }' "$1" >"$work/left"
  if [ -s "$work/left" ]; then
    say FAIL "$1" "figures that nothing compares: $(cat "$work/left")"
  else
    say ok "$1" "every figure of the prose is named here"
  fi
}

# The check itself: a changed figure, a changed text and a figure that nobody named are noticed.
printf 'Noise of\n1.25 is 3 times\nwhat 0.5 needs.\n' >"$work/try.md"
{ # quiet
  claim "$work/try.md" 'Noise of {} is {} times' 0 echo 1.2504 3
  claim "$work/try.md" 'Noise of {} is {} times' 0 echo 1.26 3
  claim "$work/try.md" 'Noise of {} is {} times' 0.1 echo 1.5 3
  claim "$work/try.md" 'Noise of {} was' 0 echo 1.25
  claim "$work/try.md" 'Noise of {} is' 0 false
  leftover "$work/try.md"
} >"$work/tried"
[ "$passed $failed" = "1 5" ] || { cat "$work/tried"; echo "this check does not notice what it should"; exit 1; }
passed=0 failed=0

# --- README ---------------------------------------------------------------------------------------
# percent KEY FILE: what utility_curves --json printed under a key, epsilon after epsilon, in percent
percent() { tr ',' '\n' <"$2" | awk -v key="\"$1\":" '$1 == key { print 100 * $2 }'; }
curves() { "$BUILD/utility_curves" --n 256 --epsilon 0.5,1,2 --splits 50 --quiet --json "$@"; }
curves --methods auto >"$work/pima"
# row FILE OF: a row of the table: private AUC, the sum without data, the linear score without privacy
row() { percent auc_mean "$1" && percent auc_zero_budget_mean "$2" | tail -n 1 && percent auc_nonprivate_mean "$2" | tail -n 1; }
# printed DATA: the best of the figures that Xue et al. print at three budgets, in Table 4
printed() {
  awk -v data="\"$1\"," '$1 == "{" data && $2 == "256," && $3 == "0," && $4 ~ /^(0[.]5|1|2),$/ && rows++ < 3 {
    split($0, half, /[{}]/)
    n = split(half[3], p, /, */)
    for (best = i = 1; i <= n; i++) if (p[i] + 0 > p[best] + 0) best = i
    print p[best]
  }' examples/papers/tables.c
}
claim README.md 'reported (Xue et al. 2021) | {} | {} | {} | | |' 0 printed pima
claim README.md '`private_auc --method auto`**, declared ranges only | **{}** | **{}** | **{}** | {} | {} |' 0 row "$work/pima" "$work/pima"
claim README.md '| diabetic retinopathy: best private result reported (Xue et al. 2021) | {} | {} | {} | | |' 0 printed retinopathy
row='| **`auto`**, declared ranges only | {} | {} | **{}** | {} | {} |'
maps='written down beforehand (`--maps`) | **{}** | **{}** | **{}** | {} | {} |'
if [ "$DATA" ] && [ -f "$DATA/retinopathy.csv" ]; then
  curves "$DATA/retinopathy.csv" --methods auto >"$work/retinopathy"
  curves "$DATA/retinopathy.csv" --methods declared --scale maps --maps examples/data/retinopathy.maps >"$work/with_maps"
  claim README.md "$row" 0 row "$work/retinopathy" "$work/retinopathy"
  claim README.md "$maps" 0 row "$work/with_maps" "$work/retinopathy"
else
  unmeasured README.md "$row" "DATA has no retinopathy.csv"
  unmeasured README.md "$maps" "DATA has no retinopathy.csv"
fi
# ratio A B: the first of two results of budget over the other
ratio() { awk -v a="$1" -v b="$2" '$1 == a { x = $2 } $1 == b { y = $2 } END { print x / y }'; }
too_much() {
  "$BUILD/budget" paper --result yang2021-theorem4 --n 1000 --lipschitz 4 --epsilon 0.1 --delta 1e-5 --steps 1000000 --eta 0.01 |
    ratio noise_printed noise_needed
}
too_little() {
  "$BUILD/budget" paper --result niewang2017-prop1 --n 1000 --lipschitz 4 --epsilon 1 --delta 0 --steps 1 --lambda 0.1 --kappa 1 |
    ratio noise_needed noise_printed
}
claim README.md 'another is {} times what is needed' 0 too_much
claim README.md 'One needs {} times its printed noise' 0 too_little
unmeasured README.md '{} to {} times as long as one pointwise gradient: {} ms' "times of one machine: make bench"
unmeasured README.md '{} times as fast as a C loop' "times of one machine: make bench"
unmeasured README.md '{} ns a number, {} times as fast as numpy' "times of one machine: make bench"
unmeasured README.md 'in {} us' "times of one machine: make bench"
sampled() {
  "$BUILD/budget" epsilon --mechanism sampled-gaussian --sampling poisson --adjacency zero-out --q 0.01 --noise-multiplier 1 \
    --steps 10000 --delta 1e-5 | awk '/^epsilon_upper/ { u = $2 } /^epsilon_lower/ { l = $2 }
      END { if (l > 0 && u >= l && u - l < 5e-9) printf "%.8f\n", u }'
}
unmeasured README.md 'takes {} s with' "times of one machine: make compile-cost"
unmeasured README.md 'to try things out, takes {} s,' "times of one machine: make compile-cost"
unmeasured README.md '`-O2 -march=native` {} s, and' "times of one machine: make compile-cost"
unmeasured README.md 'in {} s (`make compile-cost`' "times of one machine: make compile-cost"
claim README.md 'epsilon lies between bounds that begin with {} both' 0 sampled
# the block that make demo prints: its table, and what its epsilons mean
"$BUILD/private_auc" --demo >"$work/demo" 2>/dev/null
demo_row() { awk -v e="$1" '$1 == e && $3 == "+-" { print $2, $4, $5, $6, $7, $8 }' "$work/demo"; }
for e in 0.5 1 2 4; do
  claim README.md " $e {} +- {} {} {} {} {}" 0 demo_row $e
done
meaning() { sed -n 's/^\([0-9.]*\) % at epsilon 0.5, \([0-9.]*\) % at 1, \([0-9.]*\) % at 2, \([0-9.]*\) % at 4.*/\1 \2 \3 \4/p' "$work/demo"; }
claim README.md '{} % at epsilon 0.5, {} % at 1, {} % at 2, {} % at 4 (50 % is chance)' 0 meaning
# --- pairs beside single records: the six rows of its first table -----------------------------------
[ -x "$BUILD/pairs_pay" ] || ${MAKE:-make} -s BUILD="$BUILD" "$BUILD/pairs_pay"
"$BUILD/pairs_pay" --six >"$work/six"
# six DATA: of a row the second figures of three cells, ten steps, and then the third ones, the best
six() { grep -F -- "| $1 |" "$work/six" | awk -F '[|/]' '{ print $5, $8, $11, $6, $9, $12 }'; }
line='{} | {} | {} | {} | {} | {} |'
four() { six "$1" | awk '{ print $1, $2, $4, $5 }'; }
claim README.md '| 8 % positives, columns off centre | **{}** | {} | **{}** | {} |' 0 four '8 %, 60, n = 2000'
claim README.md '| 31 % positives, off centre | **{}** | {} | {} | **{}** |' 0 four '31 %, 60, n = 2000'
claim README.md '| 50 % positives, off centre | {} | **{}** | {} | **{}** |' 0 four '50 %, 60, n = 2000'
claim README.md '| 8 % positives, centred | {} | **{}** | {} | **{}** |' 0 four '8 %, 50, n = 2000'
claim README.md '| 50 % positives, centred | {} | **{}** | {} | **{}** |' 0 four '50 %, 50, n = 2000'
leftover README.md

# --- the guide ------------------------------------------------------------------------------------
"$BUILD/utility_curves" --methods gd,dpsgd-subset,dpsgd-poisson,dpsgd-allocation --epsilon 1,4 --quiet >"$work/batches"
batches() { awk -v at=$((2 * $1)) '$1 == "gd" || /^dpsgd-/ { print $at, $(at + 1) }' "$work/batches"; }
line='{} ± {} | {} ± {} | {} ± {} | {} ± {} |'
claim docs/guide.md "| pima, 1 | $line" 0 batches 1
claim docs/guide.md "| pima, 4 | $line" 0 batches 2
for e in 1 4; do
  unmeasured docs/guide.md "| adult, $e | $line" "takes minutes, with DATA: the same command with DATA/adult.libsvm"
done
calibrate() { "$BUILD/budget" calibrate --mechanism sampled-gaussian --adjacency zero-out --epsilon 1 --delta 1e-5 "$@" | awk '/^noise_multiplier/ { print $2 }'; }
allocations() { for b in 4 30 100; do calibrate --sampling allocation --batches $b --epochs 1; done; }
poissons() { for b in 4 30 100; do calibrate --sampling poisson --q "$(awk "BEGIN { printf \"%.17g\", 1 / $b }")" --steps $b; done; }
claim docs/guide.md 'noise multipliers of {}, {} and {} for one epoch' 0 allocations
claim docs/guide.md 'against {}, {} and {} of Poisson samples' 0 poissons
claim docs/modules/allocation.md 'needs noise multipliers of {}, {} and {} for' 0 allocations
claim docs/modules/allocation.md 'Poisson samples need {}, {} and {}.' 0 poissons
unmeasured docs/guide.md '{} to {} s of one core' "times of one machine: make bench-auto"
unmeasured docs/guide.md 'the histograms are {} s' "times of one machine: make bench-auto"
leftover docs/guide.md

# --- the tutorial: noise is drawn anew in each run, so that figures agree loosely --------------------
build() { $CC -O0 -w -DDPPAIR_MAX_TIER=0 -I. -Imodules "$work/$1.c" -lm -o "$work/$1"; }
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/tutorial.md >"$work/tutorial.c"
awk '/^```c$/ { text = ""; on = 1; next } /^```$/ { if (text ~ /dppair_auto_fit/) printf "%s", text; on = 0 }
  on { text = text $0 "\n" }' docs/guide.md >"$work/auto.c"
sed 's/plan\.epsilon = 4\.0/plan.epsilon = 1e6/' "$work/tutorial.c" >"$work/noiseless.c"
sed 's/^    s = rank_release(.*/    for (int k = 0; k < D; k++) w[k] = 1.0;/; s/w\[k\] -= /if (0) &/' "$work/tutorial.c" >"$work/sum.c"
for program in tutorial noiseless sum auto; do
  build $program || say FAIL docs/tutorial.md "$program does not compile"
done
runs=0
while [ $runs -lt 60 ]; do
  "$work/tutorial" && "$work/auto" >>"$work/autos"
  runs=$((runs + 1))
done >"$work/said"
last() { sed 's/.* //' "$1"; }
last "$work/said" | sort -n >"$work/sorted"
claim docs/tutorial.md 'ok: epsilon {},' 0 awk '$2 == "epsilon" && NR == 1 { print $3 + 0 }' "$work/said"
claim docs/tutorial.md 'AUC of the rest {} ({} to {} in sixty runs, half of them above {}' 0.06 awk '{ a[NR] = $1 } END { print a[30], a[1], a[60], a[30] }' "$work/sorted"
claim docs/tutorial.md 'in sixty runs, half of them above {}' 0.015 sed -n 30p "$work/sorted"
value() { "$work/$1" | sed 's/.* //'; }
claim docs/tutorial.md 'costs nothing, has {}' 0 value sum
claim docs/tutorial.md 'next to no noise {}' 0.005 value noiseless
claim docs/tutorial.md '`dppair_auto.h`](guide.md#a-private-ranking-score-in-25-lines) has {} at epsilon 1 here' 0.01 awk '{ sum += $3 } END { print sum / NR }' "$work/autos"
leftover docs/tutorial.md

line='{} | {} | {} | {} | {} | {} |'
claim docs/when_pairs_pay.md "| 8 % positives, columns off centre | $line" 0 six '8 %, 60, n = 2000'
claim docs/when_pairs_pay.md "| 31 %, off centre | $line" 0 six '31 %, 60, n = 2000'
claim docs/when_pairs_pay.md "| 50 %, off centre | $line" 0 six '50 %, 60, n = 2000'
claim docs/when_pairs_pay.md "| 8 %, centred | $line" 0 six '8 %, 50, n = 2000'
claim docs/when_pairs_pay.md "| 50 %, centred | $line" 0 six '50 %, 50, n = 2000'
claim docs/when_pairs_pay.md "| Pima (35 %, n = 512) | $line" 0 six 'Pima, n = 512'

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
