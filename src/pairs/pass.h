/* ------------------------------------------------------------------------------------------------
 * A pass over the data: how a gradient is computed
 * ---------------------------------------------------------------------------------------------- */

/* What is not given is 0 or NULL. Everything here is public. */
typedef struct dppair_pass {
  const double *params;      /* of the loss; NULL where it has none */
  double clip;               /* the longest gradient of a pair; 0: none is clipped */
  const dppair_fast *fast;   /* a prepared state, for near-linear sums; NULL: loops over pairs */
  const dppair_parts *parts; /* how the work is cut, and who runs it; NULL: one part */
  void *work;                /* `bytes` bytes of any alignment */
  size_t bytes;
} dppair_pass;
