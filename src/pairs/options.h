/* ------------------------------------------------------------------------------------------------
 * Groups of records, and a pass over the data: which pairs count, and how they are computed
 * ---------------------------------------------------------------------------------------------- */

/* Which pairs count. */
typedef enum dppair_grouping {
  DPPAIR_ACROSS = 1, /* groups are users: pairs of records of two of them */
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
  size_t most; /* a public bound of the number of rows, where that number is private (a user or a
                * query is protected): there is room for so many, and it bounds rounding. 0: 2^32
                * for NAME_sensitivity; a release then refuses it (SIZE) */
} dppair_groups;

/*
 * A clip: no gradient of a pair is longer than `bound`, or of what else a function says it cuts.
 * Made by NAME_clip_init where NAME_gradient or NAME_release clips pairs: it brings the functions
 * of its instance, so that a program that never calls it compiles none of them. Other functions
 * read the bound only; dppair_clip_init makes a clip for these. All fields are read-only for
 * callers; a copy is as good, and threads may share it.
 */
struct dppair_options;
typedef dppair_status dppair_clip_bytes_(size_t *bytes, size_t *count, size_t n, size_t d);
typedef dppair_status dppair_clip_run_(double *a, double *b, const void *sp, const void *sn,
                                       const void *rows, const struct dppair_options *options);
typedef struct dppair_clip {
  double bound;              /* public, positive */
  uint64_t owner, digest;    /* the instance, 0: any; of both fields above */
  dppair_clip_bytes_ *bytes; /* NAME_clip_workspace */
  dppair_clip_run_ *run;     /* NAME_clip_coeffs */
  dppair_probe_ *probe;      /* NAME_probe_ */
} dppair_clip;

/* What is not given is 0 or NULL. Everything here is public but the places of groups. */
typedef struct dppair_options {
  const double *params;      /* of the loss; NULL where it has none */
  const dppair_clip *clip;   /* of NAME_clip_init, or dppair_clip_init; NULL: none is clipped */
  const dppair_fast *fast;   /* a prepared state, for near-linear sums; NULL: loops over pairs */
  const dppair_tasks *tasks; /* how the work is cut, and who runs it; NULL: one part */
  void *work;                /* `bytes` bytes of any alignment */
  size_t bytes;
  const dppair_groups *groups; /* users or queries; NULL: all pairs */
} dppair_options;

DPPAIR_FP_BEGIN_

/* OK where all pairs count alike; NO_PROOF for what is not computed with weights or groups. */
DPPAIR_API dppair_status dppair_all_alike_(const double *weight, const dppair_options *options) {
  return weight || (options && options->groups) ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/* The digest of an instance's clip, or of one for any. Never 0. It finds accidents, not forgers. */
DPPAIR_API uint64_t dppair_clip_digest_(double bound, uint64_t owner) {
  return dppair_digest_add_(dppair_digest_add_(owner, dppair_bits_f64_(bound)), 1) | 1;
}

/* Makes *clip a clip of an instance without its functions: see dppair_clip_init. */
DPPAIR_API dppair_status dppair_clip_make_(dppair_clip *clip, double bound, uint64_t owner) {
  if (!clip) return DPPAIR_ERR_NULL;
  memset(clip, 0, sizeof *clip);
  if (!dppair_isfinite_f64(bound) || !(bound > 0.0)) return DPPAIR_ERR_DOMAIN;
  clip->bound = bound;
  clip->owner = owner;
  clip->digest = dppair_clip_digest_(bound, owner);
  return DPPAIR_OK;
}

/* Makes *clip a clip of this public bound, for what reads no more of it: forms, listed pairs,
 * queries of top-weighted losses, similarities and groups of row-wise losses. NAME_gradient and
 * NAME_release take one of NAME_clip_init. Errors zero *clip, and calls with it say WORKSPACE:
 * NULL, DOMAIN (a bound that is not positive and finite). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_clip_init(dppair_clip *clip, double bound) {
  return dppair_clip_make_(clip, bound, 0);
}

/* Do these slopes agree, but for some roundings? */
DPPAIR_API int dppair_slopes_alike_(const double *a, const double *b, size_t count,
                                    double epsilon) {
  size_t k;
  for (k = 0; k < count; k++)
    if (!(dppair_fabs_(a[k] - b[k]) <= 64.0 * epsilon * (dppair_fabs_(a[k]) + dppair_fabs_(b[k]))))
      return 0;
  return 1;
}

/* WORKSPACE for a pass with a clip that none of these made, or that was changed since. */
DPPAIR_API dppair_status dppair_clip_check_(const dppair_options *options) {
  const dppair_clip *clip = options ? options->clip : NULL;
  return !clip || clip->digest == dppair_clip_digest_(clip->bound, clip->owner)
             ? DPPAIR_OK
             : DPPAIR_ERR_WORKSPACE;
}

/* The bound of the clip of this pass; 0: it has none. */
DPPAIR_API double dppair_clip_bound_(const dppair_options *options) {
  return options && options->clip ? options->clip->bound : 0.0;
}

/* Are sums those of an order-free state? Pairs that are clipped do not read it. */
DPPAIR_API int dppair_is_order_free_(const dppair_options *options) {
  return options && options->fast && options->fast->order_free && !options->clip;
}

/* Whether places[0..count] are those of rows in `count` groups: 0, and not decreasing. */
DPPAIR_API int dppair_places_hold_(const size_t *places, size_t count) {
  size_t g, wrong = (size_t)(places[0] != 0);
  for (g = 0; g < count; g++) wrong |= (size_t)(places[g + 1] < places[g]);
  return wrong == 0;
}

/* Checks groups; those of a form have one array. NULL; DOMAIN (no such relation; negatives of a
 * form); SIZE (places; more rows than `most`). */
DPPAIR_API dppair_status dppair_groups_fit_(const dppair_groups *g, int form) {
  size_t up, down;
  if (g->relation != DPPAIR_ACROSS && g->relation != DPPAIR_WITHIN) return DPPAIR_ERR_DOMAIN;
  if (form && g->negative) return DPPAIR_ERR_DOMAIN;
  if (!g->positive || (!form && !g->negative)) return DPPAIR_ERR_NULL;
  if (g->count > SIZE_MAX / sizeof(size_t) - 1 || !dppair_places_hold_(g->positive, g->count))
    return DPPAIR_ERR_SIZE;
  if (!form && !dppair_places_hold_(g->negative, g->count)) return DPPAIR_ERR_SIZE;
  up = g->positive[g->count];
  down = form ? 0 : g->negative[g->count];
  return g->most > 0 && (up > g->most || down > g->most - up) ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* The same, of np positives and nn negatives, or of a form's np rows. */
DPPAIR_API dppair_status dppair_groups_check_(const dppair_groups *g, size_t np, size_t nn,
                                              int form) {
  const dppair_status status = dppair_groups_fit_(g, form);
  if (status != DPPAIR_OK) return status;
  return g->positive[g->count] == np && (form || g->negative[g->count] == nn) ? DPPAIR_OK
                                                                              : DPPAIR_ERR_SIZE;
}

/* The most rows that these groups can have, as far as it is public. */
DPPAIR_API double dppair_groups_most_(const dppair_groups *g) {
  return g->most > 0 ? (double)g->most : 4294967296.0;
}

/* The size of group k in one of its classes, whose places are given (NULL: none). */
DPPAIR_API size_t dppair_group_size_(const size_t *places, size_t k) {
  return places ? places[k + 1] - places[k] : 0;
}

/* How many of n weights (NULL: all 1) count as 0. */
DPPAIR_API size_t dppair_weightless_(const double *weight, size_t n) {
  size_t i, none = 0;
  for (i = 0; weight && i < n; i++) none += (size_t) !(dppair_share_(weight[i]) > 0.0);
  return none;
}

/* How many groups have no record, or none of a weight above 0. Positives first, np of them; weight:
 * NULL, or of each record. */
DPPAIR_API size_t dppair_groups_null_(const dppair_groups *g, const double *weight, size_t np) {
  size_t k, i, side, nulls = 0;
  for (k = 0; k < g->count; k++) {
    int there = 0;
    for (side = 0; side < 2; side++) {
      const size_t *place = side ? g->negative : g->positive;
      for (i = place ? place[k] : 0; place && i < place[k + 1]; i++)
        there |= !weight || dppair_share_(weight[side ? np + i : i]) > 0.0;
    }
    nulls += (size_t)!there;
  }
  return nulls;
}

/*
 * out[0..n) = the weights of the records of users, so that those of a user are at most 1 in
 * sum: 1/k for each of k records, or given weights (NULL: none), of which those that pass 1 in sum
 * are divided by it. Positives first, `np` of them. In exact arithmetic a sum is at most 1 + 2^-52:
 * a sum as computed is within (k + 1) 2^-53 of itself, and is raised by more before it divides.
 */
DPPAIR_API void dppair_group_weights_(double *out, const double *weight, const dppair_groups *g,
                                      size_t np) {
  size_t k, i, side;
  for (k = 0; k < g->count; k++) {
    const size_t from[2] = {g->positive[k], g->negative ? np + g->negative[k] : 0};
    const size_t size[2] = {dppair_group_size_(g->positive, k), dppair_group_size_(g->negative, k)};
    const double records = (double)size[0] + (double)size[1];
    const double share = records > 0.0 ? 1.0 / records : 0.0;
    double sum = 0.0;
    for (side = 0; side < 2; side++)
      for (i = from[side]; i < from[side] + size[side]; i++) {
        out[i] = weight ? dppair_share_(weight[i]) : share;
        sum += out[i];
      }
    sum *= 1.0 + (records + 4.0) * DBL_EPSILON;
    for (side = 0; side < 2 && weight && sum > 1.0; side++)
      for (i = from[side]; i < from[side] + size[side]; i++) out[i] /= sum;
  }
}

DPPAIR_FP_END_
