/* SPDX-License-Identifier: MIT
 * A row of `make compile-cost`: the InfoNCE gradient of 64 embeddings in float. */
#include <stdlib.h>
#define DPPAIR_NAME embed
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

enum { N = 64, D = 8 };
static float z[N * D], gradient[N * D];
static size_t partner[N];

int main(void) {
  static dppair_contrast how;
  static dppair_options options;
  dppair_rows_f32 rows;
  dppair_status status;
  size_t i;
  for (i = 0; i < N * D; i++) z[i] = (float)((i * 7919) % 101) / 101.0f;
  for (i = 0; i < N; i++) partner[i] = i ^ 1;
  how.compare = DPPAIR_COMPARE_COSINE;
  how.temperature = 0.1;
  how.positives = DPPAIR_POSITIVE_PARTNER;
  how.partner = partner;
  rows = dppair_rows_make_f32(z, N, D, D);
  status = embed_contrast_workspace(&options.bytes, N, 0, D, NULL);
  if (status == DPPAIR_OK && !(options.work = malloc(options.bytes))) return 1;
  if (status == DPPAIR_OK) status = embed_contrast_gradient(gradient, NULL, &rows, NULL, &how, &options);
  free(options.work);
  return status != DPPAIR_OK || gradient[0] == 0.0f;
}
