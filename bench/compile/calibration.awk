# SPDX-License-Identifier: MIT
# Prints a C file that has nothing to do with the headers: FUNCTIONS functions of four kinds (loops over arrays of
# doubles, a switch over bytes, sorting by insertion, mixing of words), each with constants and bounds of its own. The
# seconds of a row are told as a multiple of what this file takes in the same run, by the same compiler and
# flags. What it prints depends on nothing but FUNCTIONS: to change it is to change the budget.
function next_number(below) {
  state = (state * 16807) % 2147483647
  return state % below
}
function loops(k,   i) {
  printf "double sums_%d(const double *x, const double *y, double *out, size_t n, double scale) {\n", k
  printf "  double a = %d.5, b = 0.0, c = 1.0;\n  size_t i, j;\n", next_number(9)
  printf "  for (i = 0; i < n; i++) {\n    const double u = x[i] * scale - y[i] * %d.25;\n", next_number(50)
  printf "    a += u > %d.0 ? u * u : -u;\n    b = b * 0.5 + sqrt(u * u + %d.0);\n", next_number(7), 1 + next_number(5)
  printf "    out[i] = a - b;\n  }\n"
  for (i = 0; i < 3; i++) {
    printf "  for (i = 0; i + %d < n; i += %d) {\n", 2 + next_number(3), 1 + next_number(3)
    printf "    double t = out[i] + out[i + %d];\n", 1 + next_number(2)
    printf "    for (j = 0; j < %d; j++) t = t * x[j] + y[j] / (%d.0 + t * t);\n", 3 + next_number(12), 2 + next_number(9)
    printf "    if (t > c) c = t;\n    else if (t < -c) { b -= t; out[i] = %d.125; }\n    out[i] += t * c;\n  }\n", next_number(40)
  }
  printf "  return a + b * c;\n}\n"
}
function cases(k,   i, n) {
  n = 8 + next_number(9)
  printf "int cases_%d(const unsigned char *text, size_t n, long *count) {\n  size_t i;\n  int depth = 0;\n", k
  printf "  for (i = 0; i < n; i++) {\n    switch (text[i] %% %d) {\n", n + 1
  for (i = 0; i < n; i++) {
    printf "    case %d:\n", i
    if (i % 4 == 0) printf "      count[%d] += text[i] << %d;\n      break;\n", i, 1 + next_number(3)
    else if (i % 4 == 1) printf "      if (depth > %d) return -%d;\n      depth++;\n      break;\n", 20 + next_number(99), i
    else if (i % 4 == 2) printf "      if (i + 1 < n && text[i + 1] == %d) i++;\n      else count[0] ^= %d;\n      break;\n", 33 + next_number(90), next_number(999)
    else printf "      depth -= depth > 0;\n      count[%d] = count[0] * %d + depth; /* falls through */\n", i, 3 + next_number(30)
  }
  printf "    default:\n      if (count[0] < 0) count[0] = %d;\n    }\n  }\n  return depth;\n}\n", next_number(99)
}
function sorts(k) {
  printf "typedef struct {\n  double key;\n  unsigned serial;\n} item_%d;\n", k
  printf "static int before_%d(const item_%d *a, const item_%d *b) {\n", k, k, k
  printf "  if (a->key < b->key) return 1;\n  if (b->key < a->key) return 0;\n  return (a->serial ^ %du) < (b->serial ^ %du);\n}\n", next_number(255), next_number(255)
  printf "size_t sort_%d(item_%d *v, size_t n, double least) {\n  size_t i, j, moved = 0, kept = 0;\n", k, k
  printf "  for (i = 1; i < n; i++) {\n    const item_%d one = v[i];\n", k
  printf "    for (j = i; j > 0 && before_%d(&one, &v[j - 1]); j--, moved++) v[j] = v[j - 1];\n    v[j] = one;\n  }\n", k
  printf "  for (i = 0; i < n; i++) {\n    if (v[i].key < least || (kept > 0 && v[i].key == v[kept - 1].key)) continue;\n"
  printf "    v[kept++] = v[i];\n    if (kept %% %d == 0) v[kept - 1].serial *= %du;\n  }\n", 2 + next_number(6), 3 + next_number(90)
  printf "  return moved + kept;\n}\n"
}
function words(k,   i) {
  printf "static uint32_t round_%d(uint32_t a, uint32_t b) { return (a << %d | a >> %d) ^ (b + 0x%xu); }\n", k, 1 + k % 15, 31 - k % 15, next_number(2147483647)
  printf "uint64_t words_%d(const uint32_t *in, size_t blocks, uint32_t seed) {\n", k
  printf "  uint32_t s[8] = {seed, %du, %du, seed ^ %du};\n  size_t b;\n  int r;\n", next_number(1e9), next_number(1e9), next_number(1e9)
  printf "  for (b = 0; b < blocks; b++) {\n    for (r = 0; r < 8; r++) s[r] ^= in[8 * b + (size_t)r];\n"
  printf "    for (r = 0; r < %d; r++) {\n", 4 + next_number(12)
  for (i = 0; i < 8; i++) printf "      s[%d] = round_%d(s[%d], s[%d] + s[%d]);\n", i, k, (i + 1) % 8, (i + 3) % 8, next_number(8)
  printf "    }\n  }\n  return (uint64_t)(s[0] ^ s[2] ^ s[5]) << 32 | (s[1] + s[7]);\n}\n"
}
BEGIN {
  state = 20231
  print "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>"
  for (number = 1; number <= FUNCTIONS; number++) {
    if (number % 4 == 1) loops(number)
    else if (number % 4 == 2) cases(number)
    else if (number % 4 == 3) sorts(number)
    else words(number)
  }
}
