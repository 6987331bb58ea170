#!/bin/sh
# SPDX-License-Identifier: MIT
# What reads records and adds no noise says so. In measures/ and of influences every public function has not_private in
# its name, if it is handed any (or tells a workspace); so has, wherever it stands, one that is named after a
# figure (risk, AUC, ...) and is no release or evaluation, nor asks an account. Chapters that hand out raw material say NOT
# PRIVATE in their first comment, and so does what the programs print of a simulation.
set -u
cd "$(dirname "$0")/../.." || exit 2
bad=0
# The public functions that chapters define and that are handed arrays or structs besides their
# output: a name and its file, one a line. What is made of numbers alone reads no record.
public() {
  awk '/^ *#/ { next }
    /^(DPPAIR_API|DPPAIR_RARE_|DPPAIR_OUT_OF_LINE_)/ { text = ""; on = 1 }
    on {
      text = text " " $0
      if (text !~ /\)/ || !match(text, /(dppair|DPPAIR_NAME)_[A-Za-z0-9_]*\(/)) next
      name = substr(text, RSTART, RLENGTH - 1)
      on = 0
      if (name !~ /_$|_TIER$/ && gsub(/\*/, "", text) > 1) print name, FILENAME
    }' "$@"
}
measures=$(public src/measures/*.h src/modules/influence/influence.h src/modules/influence/[ls]*.h)
[ "$(echo "$measures" | wc -l)" -ge 8 ] || { echo "FAIL measures/ is read wrongly: $measures"; bad=1; }
lost=$(echo "$measures" | grep -v -e '_not_private ' -e '_not_private_f64 ' -e '_workspace ')
[ -z "$lost" ] || { echo "FAIL these figures of records do not say that they are not private:"; echo "$lost"; bad=1; }
# shellcheck disable=SC2046
figures=$(public $(find src -mindepth 2 -name '*.h' ! -path 'src/accountant/*' ! -path 'src/losses/*' \
  ! -path 'src/modules/evaluation/*' ! -path 'src/modules/attack/*' ! -path 'src/release/*') |
  grep -E '_(risk|auc|accuracy|precision|recall|kendall|influence|stability)(_| )')
[ "$(echo "$figures" | wc -l)" -ge 6 ] || { echo "FAIL no figures: $figures"; bad=1; }
lost=$(echo "$figures" | grep -v -e _not_private -e '_workspace ')
[ -z "$lost" ] || { echo "FAIL the same:"; echo "$lost"; bad=1; }
for chapter in src/rows/template.h src/rows/sparse.h src/rows/block.h src/pairs/template.h src/tiles/gradient.h \
  src/tiles/template.h src/modules/influence/curvature.h src/modules/top/coeffs.h src/modules/top/gradient.h src/dppair.h; do
  sed '/\*\//q' "$chapter" | tr -d '\n' | grep -q 'NOT PRIVATE' || [ "$chapter" = src/dppair.h ] ||
    { echo "FAIL $chapter hands out raw material and does not say so"; bad=1; }
done
grep -q 'NOT PRIVATE: scores' src/dppair.h || { echo "FAIL the manual does not say what is not private"; bad=1; }
for program in programs/contrastive programs/support/simulation programs/mlp_ranking papers/utility_curves papers/run_experiments; do
  grep -q 'NOT PRIVATE' "examples/$program.c" || { echo "FAIL examples/$program.c prints figures as if they were private"; bad=1; }
done
for program in programs/contrastive programs/support/simulation papers/utility_curves; do
  grep -q '{\\"simulation\\": true' "examples/$program.c" || { echo "FAIL the JSON of examples/$program.c"; bad=1; }
done
# Noise of a seed can be had again: whoever offers --seed prints that what comes out is no release. A line
# of the help alone does not count.
seeded=$(grep -l -e '"--seed' -e ' --seed ' examples/*/*.c examples/*/*.cpp examples/*/*/*.c)
[ "$(echo "$seeded" | wc -l)" -ge 12 ] || { echo "FAIL programs with a seed are read wrongly: $seeded"; bad=1; }
for program in $seeded; do
  case $program in */support/*) continue ;; esac # options that programs share
  grep -q 'print_heading(' "$program" ||
    sed -e '/^ \*/d' -e '/^\/\*/d' -e '/^    "  --/d' "$program" | grep -q 'NOT PRIVATE' ||
    { echo "FAIL $program --seed does not say that it makes no release"; bad=1; }
done
echo "$(echo "$measures" | wc -l) functions of measures/ and influences, $(echo "$figures" | wc -l) figures elsewhere and there"
exit $bad
