/* SPDX-License-Identifier: MIT */
/* What every test of `make coverage` is compiled with: the processor lacks the features that LACKS
 * lists, each between two commas. */
#include <stdlib.h>
#include <string.h>
static inline int coverage_runs(int runs, const char *feature) {
  const char *lacks = getenv("LACKS"), *at = lacks ? strstr(lacks, feature) : NULL;
  const size_t size = strlen(feature);
  while (at != NULL && !(at > lacks && at[-1] == ',' && at[size] == ','))
    at = strstr(at + 1, feature);
  return runs && at == NULL;
}
#define DPPAIR_RUNS_(feature) coverage_runs(__builtin_cpu_supports(#feature), #feature)
