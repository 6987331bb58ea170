/* SPDX-License-Identifier: MIT
 * A row of `make compile-cost`: ten thousand steps on sampled records, and both ends of their epsilon. */
#include "dppair_accountant.h"
#include <stdlib.h>

int main(void) {
  const dppair_sampling drawn = dppair_sampling_poisson(60000, 256, DPPAIR_ZERO_OUT);
  dppair_accountant account;
  static dppair_interval epsilon;
  dppair_composer composer;
  size_t bytes = 0;
  void *work = NULL;
  dppair_status status = dppair_accountant_init(&account);
  if (status == DPPAIR_OK) status = dppair_accountant_sampled_gaussian(&account, drawn, 1.0, 1.1, 10000);
  if (status == DPPAIR_OK) status = dppair_composer_workspace(&bytes, &account);
  if (status == DPPAIR_OK) status = dppair_composer_init(&composer, work = malloc(bytes), bytes);
  if (status == DPPAIR_OK) status = dppair_accountant_epsilon(&epsilon, &account, 1e-5, &composer);
  free(work);
  return status != DPPAIR_OK || !(epsilon.lower > 1.0 && epsilon.upper - epsilon.lower < 1e-4);
}
