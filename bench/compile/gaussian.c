/* SPDX-License-Identifier: MIT
 * A row of `make compile-cost`: ten Gaussian releases, and the epsilon that they spend. */
#include "dppair_accountant.h"

int main(void) {
  dppair_accountant account;
  dppair_interval epsilon = {0};
  dppair_status status = dppair_accountant_init(&account);
  if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&account, 1.0, 10.0, 10);
  if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&epsilon, &account, 1e-5, NULL);
  return status != DPPAIR_OK || !(epsilon.upper > 1.0 && epsilon.upper < 2.0);
}
