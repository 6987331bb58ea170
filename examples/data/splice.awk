# SPDX-License-Identifier: MIT
# splice.awk - splice.txt as a CSV that the programs read, and its ranges.
#
#   awk -f examples/data/splice.awk examples/data/splice.txt >build/splice.csv
#   awk -v ranges=1 -f examples/data/splice.awk </dev/null >build/splice.ranges
#
# A line of splice.txt is a label and 40 nucleotides, places -20 .. 20 around a place of a gene where
# an exon may meet an intron: ei (it ends there), ie (it begins), n (neither). Each place becomes
# four columns, one of which is 1.
#
# The 3186 sequences without ambiguous letters of "Molecular Biology (Splice-junction Gene Sequences)",
# UCI repository, donated by G. Towell, M. Noordewier and J. Shavlik, all from GenBank 64.1: the middle
# 40 of 60 places. Licence: CC BY 4.0.
function place(j) { return j < 20 ? "m" (20 - j) : "p" (j - 19) }
BEGIN {
  split("a c g t", letter, " ")
  line = ranges ? "name,low,high,kind" : "label"
  for (j = 0; j < 40; j++)
    for (k = 1; k <= 4; k++) line = line (ranges ? "\n" place(j) letter[k] ",0,1,group:" place(j) : "," place(j) letter[k])
  print line
}
ranges { next }
{
  line = $1
  for (j = 1; j <= 40; j++)
    for (k = 1; k <= 4; k++) line = line "," (substr($2, j, 1) == letter[k])
  print line
}
