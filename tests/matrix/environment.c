/* SPDX-License-Identifier: MIT */
/*
 * What dppair_environment_check says of this compiler's flags: EXPECTED, or a failure.
 *
 *   same: the arithmetic of the proofs
 *   refused: the status in words
 *   FAIL: what it says instead
 */
#define DPPAIR_CORE_ONLY_
#include "dppair.h"
#include <stdio.h>

int main(void) {
  const dppair_status status = dppair_environment_check();
  if (status != EXPECTED)
    printf("FAIL: %s\n", dppair_status_string(status));
  else if (status == DPPAIR_OK)
    printf("same: the arithmetic of the proofs\n");
  else
    printf("refused: %s\n", dppair_status_string(status));
  return status != EXPECTED;
}
