/* SPDX-License-Identifier: MIT
 * A row of `make compile-cost`: Gaussian noise for eight numbers, without the other headers. */
#include "dppair_noise.h"

int main(void) {
  static const unsigned char key[32] = {1};
  double released[8] = {0.0};
  dppair_rng rng;
  dppair_status status = dppair_rng_from_key(&rng, key, 0);
  if (status == DPPAIR_OK) status = dppair_add_gaussian_f64(released, 8, 1.0, &rng);
  dppair_wipe(&rng, sizeof rng);
  return status != DPPAIR_OK || released[0] == 0.0;
}
