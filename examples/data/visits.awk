# SPDX-License-Identifier: MIT
# visits.awk - simulated visits of patients in clinics: records that belong to somebody.
#
#   awk -f examples/data/visits.awk >visits.csv                the first column names the patient
#   awk -v owner=clinic -f examples/data/visits.awk >clinics.csv      the same visits, the clinic
#
# 600 patients with 1 to 40 visits each, half of them with one; 150 clinics. Every number is made of
# integers below 2^53 by one multiplicative generator, so any awk prints the same bytes.

function uniform(n) { # an integer in 0 .. n - 1
  state = (state * 16807) % 2147483647
  return state % n
}
function bell(width,  k, sum) { # the sum of four uniform numbers, mean 0
  for (sum = k = 0; k < 4; k++) sum += uniform(2 * width + 1) - width
  return sum
}
function visits(  u) {
  u = uniform(100)
  return u < 50 ? 1 : u < 70 ? 2 : u < 80 ? 4 : u < 90 ? 8 : u < 97 ? 16 : 40
}
BEGIN {
  state = 20240229
  columns = 6
  split("5 -4 3 2 0 0", weight, " ") # what the outcome depends on
  if (owner == "") owner = "patient"
  print owner ",label,x1,x2,x3,x4,x5,x6"
  for (c = 0; c < 150; c++)
    for (j = 1; j <= columns; j++) place[c, j] = bell(5)
  for (p = 0; p < 600; p++) {
    for (j = 1; j <= columns; j++) habit[j] = bell(12)
    effect = bell(60)
    for (count = visits(); count > 0; count--) {
      c = uniform(150)
      risk = effect + bell(90) + 2 * place[c, 5] * 5
      line = ""
      for (j = 1; j <= columns; j++) {
        x = habit[j] + place[c, j] + bell(12)
        risk += weight[j] * x
        line = line "," x
      }
      print (owner == "patient" ? "p" (1000 + p) : "c" (100 + c)) "," (risk > 120) line
    }
  }
}
