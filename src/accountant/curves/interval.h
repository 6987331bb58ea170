/* ------------------------------------------------------------------------------------------------
 * Answers that are certified on both sides, and the memory that they take
 * ---------------------------------------------------------------------------------------------- */

/* Where `upper` comes from. As an argument (dppair_accountant_by_route): which route to take. */
typedef enum dppair_route {
  DPPAIR_ROUTE_BEST = 0,    /* argument only: whichever is tightest */
  DPPAIR_ROUTE_CLOSED = 1,  /* plain Gaussian steps, or one run of one step: the exact curve; one
                               perturbed objective beside Gaussian steps: a bound near it */
  DPPAIR_ROUTE_CONTOUR = 2, /* contour integral of the moment function */
  DPPAIR_ROUTE_LATTICE = 3, /* losses on a lattice, by tilted FFT */
  DPPAIR_ROUTE_BOTH = 4,    /* the smaller upper and the larger lower bound of the last two */
  DPPAIR_ROUTE_RENYI = 5,   /* the best Renyi order */
  DPPAIR_ROUTE_PURE = 6     /* the sum of the steps' pure epsilons */
} dppair_route;

/* lower <= truth <= upper. What is spent is `upper`. */
typedef struct dppair_interval {
  double lower;    /* 0 where no mechanism and no two data sets are known to attain it */
  double upper;    /* infinite where nothing bounds epsilon */
  double estimate; /* `upper` unless the two are within 1 % */
  double order;    /* the Renyi order that `upper` comes from; 0 on other routes */
  dppair_route route;
  size_t bytes; /* with WORKSPACE: how many bytes of workspace the question needs; else 0 */
} dppair_interval;

/* The largest array of doubles in a workspace of any alignment. */
DPPAIR_API double *dppair_doubles_(size_t *doubles, void *work, size_t bytes) {
  const size_t past = (size_t)((uintptr_t)work % sizeof(double));
  const size_t skip = past > 0 ? sizeof(double) - past : 0;
  *doubles = bytes > skip ? (bytes - skip) / sizeof(double) : 0;
  return work != NULL && bytes >= skip ? (double *)(void *)((char *)work + skip) : NULL;
}

/* *bytes for so many doubles at any alignment. */
DPPAIR_API dppair_status dppair_doubles_bytes_(size_t *bytes, size_t doubles) {
  *bytes = 0;
  if (doubles > SIZE_MAX / sizeof(double) - 1) return DPPAIR_ERR_OVERFLOW;
  *bytes = (doubles + 1) * sizeof(double);
  return DPPAIR_OK;
}
