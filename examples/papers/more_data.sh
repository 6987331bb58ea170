#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes NAME.csv and NAME.ranges of five small public data sets into a folder, which run_experiments
# reads by --data. They are taken from an installed scikit-learn (its folder datasets/data; UCI's wine,
# breast cancer and digits, the diabetes set of Efron et al. 2004, Boston housing):
#
#   sh examples/papers/more_data.sh FOLDER [FOLDER-OF-SKLEARN/datasets/data]
#
# Labels: wine, the second cultivar; cancer, malignant; digits, 5 to 9; diabetes, a progression above
# 140 (its median); boston, a median value above 21 (thousands of dollars, its median). Ranges are
# round bounds of what a column measures, set without looking where the records lie within.
set -eu
export LC_ALL=C # numbers have a point
[ $# -ge 1 ] || { sed -n '3,12s/^# \{0,1\}//p' "$0"; exit 2; }
to=$1
from=${2:-$(python3 -c 'import os, sklearn; print(os.path.join(os.path.dirname(sklearn.__file__), "datasets", "data"))')}
[ -r "$from/wine_data.csv" ] || { echo "no wine_data.csv in $from" >&2; exit 1; }
mkdir -p "$to"

# set NAME RULE COLUMN:LOW:HIGH[:KIND] ...: from lines of columns with the outcome as the last, in
# which RULE says of the outcome v what is +1.
set_of() {
  name=$1 rule=$2
  shift 2
  { printf 'label'
    for column do printf ',%s' "${column%%:*}"; done
    echo; awk -F, '{ v = $NF + 0; printf "%d", ('"$rule"') ? 1 : -1
      for (i = 1; i < NF; i++) printf ",%s", $i
      print "" }'; } >"$to/$name.csv"
  { echo name,low,high,kind
    for column do
      case $column in *:flag) ;; *) column=$column:numeric ;; esac
      echo "$column" | tr : ,
    done; } >"$to/$name.ranges"
}

sed 1d "$from/wine_data.csv" | set_of wine 'v == 1' alcohol:0:20 malic:0:10 ash:0:5 alkalinity:0:50 \
  magnesium:0:300 phenols:0:10 flavanoids:0:10 nonflavanoid:0:2 proanthocyanins:0:10 colour:0:20 hue:0:3 \
  od280:0:5 proline:0:3000

sed 1d "$from/breast_cancer.csv" | set_of cancer 'v == 0' radius:0:50 texture:0:50 perimeter:0:300 \
  area:0:5000 smoothness:0:1 compactness:0:1 concavity:0:1 points:0:1 symmetry:0:1 fractal:0:1 \
  radius_se:0:10 texture_se:0:10 perimeter_se:0:50 area_se:0:1000 smoothness_se:0:1 compactness_se:0:1 \
  concavity_se:0:1 points_se:0:1 symmetry_se:0:1 fractal_se:0:1 radius_worst:0:50 texture_worst:0:100 \
  perimeter_worst:0:500 area_worst:0:10000 smoothness_worst:0:1 compactness_worst:0:2 \
  concavity_worst:0:2 points_worst:0:1 symmetry_worst:0:1 fractal_worst:0:1

gzip -dc "$from/diabetes_data_raw.csv.gz" | tr ' ' , | sed 's/^\([^,]*\),2,/\1,1,/;t
s/^\([^,]*\),1,/\1,0,/' >"$to/rows.part"
gzip -dc "$from/diabetes_target.csv.gz" | paste -d, "$to/rows.part" - | set_of diabetes 'v > 140' age:0:100 \
  sex:0:1:flag bmi:10:60 pressure:40:200 s1:0:500 s2:0:500 s3:0:200 s4:0:20 s5:0:10 s6:0:300
rm "$to/rows.part"

pixels=
for pixel in $(seq 64); do pixels="$pixels p$pixel:0:16"; done
# shellcheck disable=SC2086
gzip -dc "$from/digits.csv.gz" | set_of digits 'v >= 5' $pixels

[ ! -r "$from/boston_house_prices.csv" ] ||
  sed 1,2d "$from/boston_house_prices.csv" | set_of boston 'v > 21' crime:0:100 zoned:0:100 industry:0:100 \
    river:0:1:flag nox:0:1 rooms:0:20 age:0:100 distance:0:20 highways:0:24 tax:0:1000 pupils:0:50 b:0:400 \
    poor:0:100
