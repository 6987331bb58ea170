// SPDX-License-Identifier: MIT
// Beside the rows of `make compile-cost`: a program that formats with {fmt}, headers alone.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

int main() {
  return fmt::format("{} {:.3f} {}", 1, 2.5, "three") != "1 2.500 three";
}
