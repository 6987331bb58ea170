/* ------------------------------------------------------------------------------------------------
 * Groups of records, and a pass over the data: which pairs count, and how they are computed
 * ---------------------------------------------------------------------------------------------- */

/* Which pairs count. */
typedef enum dppair_grouping {
  DPPAIR_ACROSS = 1, /* groups are persons: pairs of records of two of them */
  DPPAIR_WITHIN = 2  /* groups are queries: pairs of records of one of them */
} dppair_grouping;

/*
 * Records in groups. Those of a group stand together in either class: its positives are the rows
 * from positive[g] to positive[g + 1], its negatives those from negative[g] to negative[g + 1]
 * among the negatives. For a form, which has no classes, `positive` counts all rows and `negative`
 * is NULL. Places are as private as who owns which record. Those that do not begin with 0,
 * decrease, or do not end with the size of their class are an error (SIZE) that no data set has.
 */
typedef struct dppair_groups {
  size_t count;                      /* of groups, empty ones too; public */
  const size_t *positive, *negative; /* count + 1 places each */
  dppair_grouping relation;
  size_t most; /* a public bound of the number of rows, where that number is private (a person or a
                * query is protected): there is room for so many, and it bounds rounding. 0: 2^32 */
} dppair_groups;

/* What is not given is 0 or NULL. Everything here is public but the places of groups. */
typedef struct dppair_pass {
  const double *params;      /* of the loss; NULL where it has none */
  double clip;               /* the longest gradient of a pair; 0: none is clipped */
  const dppair_fast *fast;   /* a prepared state, for near-linear sums; NULL: loops over pairs */
  const dppair_parts *parts; /* how the work is cut, and who runs it; NULL: one part */
  void *work;                /* `bytes` bytes of any alignment */
  size_t bytes;
  const dppair_groups *groups; /* persons or queries; NULL: all pairs */
} dppair_pass;

DPPAIR_FP_BEGIN_

/* OK where all pairs count alike; NO_PROOF for what is not computed with weights or groups. */
DPPAIR_API dppair_status dppair_all_alike_(const double *weight, const dppair_pass *pass) {
  return weight || (pass && pass->groups) ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

DPPAIR_FP_END_
