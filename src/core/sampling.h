/* ------------------------------------------------------------------------------------------------
 * Sampling: who the neighbours are, and how records are drawn
 *
 * One value says which data sets are neighbours, which records a step reads, and what the sum over
 * their pairs is divided by. The draw, the gradient, its sensitivity and the account read the same
 * value. Relies on status.h and checks.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Which data sets are neighbours. In both relations the number of records n is public.
 * REPLACE_ONE: one record is replaced by another. ZERO_OUT: one record is replaced by a null
 * record, whose pairs contribute nothing and which is never counted in the size of a batch. */
typedef enum dppair_adjacency { DPPAIR_REPLACE_ONE = 1, DPPAIR_ZERO_OUT = 2 } dppair_adjacency;

/*
 * The one list of samplings; every execution of a step draws anew. The columns: kind and its name
 * in texts; the fields that are read; what a sum over the drawn pairs is divided by; the move of
 * one record that noise_multiplier divides.
 *
 *   ALL                  every record (or pair); n
 *   POISSON              each record (pair) independently with probability q
 *   WITHOUT_REPLACEMENT  m of n records, a uniform subset
 *   WITH_REPLACEMENT     m independent uniform draws from n records (or their pairs)
 *   MATCHING             m of n records, m even, paired at random: m/2 pairs
 */
#define DPPAIR_SAMPLING_TABLE(X)                                                                   \
  X(DPPAIR_ALL, "none", DPPAIR_READS_N_, DPPAIR_BY_PAIRS_, DPPAIR_MOVE_STATED_)                    \
  X(DPPAIR_POISSON, "poisson", DPPAIR_READS_RATE_, DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)            \
  X(DPPAIR_WITHOUT_REPLACEMENT, "without-replacement", DPPAIR_READS_RATE_, DPPAIR_BY_PAIRS_,       \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_WITH_REPLACEMENT, "with-replacement", DPPAIR_READS_N_ | DPPAIR_READS_M_,                \
    DPPAIR_BY_PAIRS_, DPPAIR_MOVE_REPLACE_)                                                        \
  X(DPPAIR_MATCHING, "matching", DPPAIR_READS_RATE_ | DPPAIR_READS_EVEN_, DPPAIR_BY_MATCHES_,      \
    DPPAIR_MOVE_REPLACE_)

#define DPPAIR_X_(kind, name, reads, divisor, move) kind,
typedef enum dppair_sampling_kind { DPPAIR_SAMPLING_TABLE(DPPAIR_X_) } dppair_sampling_kind;
#undef DPPAIR_X_

#define DPPAIR_X_(kind, name, reads, divisor, move) +1
enum { DPPAIR_SAMPLING_COUNT_ = 0 DPPAIR_SAMPLING_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_

/* What a row reads. RATE: n and m, at most n, whose rate is m/n; or q instead of both. */
enum {
  DPPAIR_READS_N_ = 1,
  DPPAIR_READS_M_ = 2,
  DPPAIR_READS_RATE_ = 4,
  DPPAIR_READS_EVEN_ = 8 /* m is even */
};

/* The divisor. PAIRS: k (k-1), of n records, or of the m drawn ones. DRAWN: m (count - 1), count
 * being the records that were drawn, m those that are expected. MATCHES: m/2. */
enum { DPPAIR_BY_PAIRS_ = 1, DPPAIR_BY_DRAWN_ = 2, DPPAIR_BY_MATCHES_ = 3 };

/* The move. STATED: that of the adjacency. ZERO, REPLACE: that one under either adjacency. */
enum { DPPAIR_MOVE_STATED_ = 0, DPPAIR_MOVE_REPLACE_ = 1, DPPAIR_MOVE_ZERO_ = 2 };

/*
 * A sampling; the functions below make one. m always counts records (for pairs drawn with
 * replacement it counts draws). The rate of Poisson records, of samples without replacement and of
 * matchings is the probability q that a given record is drawn. Give either q in (0, 1], or n and
 * m >= 1, which mean q = m/n (q = 0: not given); if all three are given they must agree, and m/n is
 * used. Fields that a kind does not read must be 0, and those that it reads must not.
 */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
} dppair_sampling;

/* A row of the table. */
typedef struct dppair_sampling_row_ {
  const char *name;
  int reads, divisor, move;
} dppair_sampling_row_;

/* The row of a kind; NULL for what is no kind. */
DPPAIR_API const dppair_sampling_row_ *dppair_sampling_row_of_(dppair_sampling_kind kind) {
  static const dppair_sampling_row_ row[] = {
#define DPPAIR_X_(kind, name, reads, divisor, move) {name, reads, divisor, move},
      DPPAIR_SAMPLING_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (int)kind >= 0 && (int)kind < DPPAIR_SAMPLING_COUNT_ ? &row[kind] : NULL;
}

/* The names that texts use; "none" for every record, for no adjacency, and for what is no such
 * kind. Static strings. */
DPPAIR_API const char *dppair_sampling_name(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL ? row->name : "none";
}

DPPAIR_API const char *dppair_adjacency_name(dppair_adjacency adjacency) {
  return adjacency == DPPAIR_REPLACE_ONE ? "replace-one"
                                         : (adjacency == DPPAIR_ZERO_OUT ? "zero-out" : "none");
}

/* OK for one of the relations. */
DPPAIR_API dppair_status dppair_adjacency_check_(dppair_adjacency adjacency) {
  return adjacency == DPPAIR_REPLACE_ONE || adjacency == DPPAIR_ZERO_OUT ? DPPAIR_OK
                                                                         : DPPAIR_ERR_ADJACENCY;
}

/* The rate of a row that reads it: q, or m/n. A rate that was lost, to an integer division or to a
 * field that is not read, must not make a step free. */
DPPAIR_API dppair_status dppair_sampling_rate_check_(const dppair_sampling *s, int even) {
  if (s->q < 0.0 || s->q > 1.0) return DPPAIR_ERR_DOMAIN;
  if (s->n == 0 && s->m == 0) return s->q > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  if (s->m == 0) return s->q > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE;
  if (s->n < 2 || s->m > s->n) return DPPAIR_ERR_SIZE;
  if (even && s->m % 2 != 0) return DPPAIR_ERR_RATE;
  /* a q that was computed from these sizes is within 4 ulp; any other q is another rate */
  return s->q <= 0.0 || fabs(s->q * (double)s->n - (double)s->m) <= 1e-15 * (double)s->m
             ? DPPAIR_OK
             : DPPAIR_ERR_RATE;
}

/* Is every field that the sampling's row reads given, and no other? */
DPPAIR_API dppair_status dppair_sampling_fields_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  if (!dppair_isfinite_f64(s->q)) return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_NO_PROOF;
  if (row->reads & DPPAIR_READS_RATE_)
    return dppair_sampling_rate_check_(s, row->reads & DPPAIR_READS_EVEN_);
  if (s->n < 2) return DPPAIR_ERR_SIZE;
  if (s->q < 0.0 || s->q > 0.0) return DPPAIR_ERR_UNREAD;
  if (row->reads & DPPAIR_READS_M_) return s->m > 0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  return s->m == 0 ? DPPAIR_OK : DPPAIR_ERR_UNREAD;
}

/* Is this a whole sampling: a relation, and the fields of its row? Errors: ADJACENCY; NO_PROOF, no
 * such kind; NOT_FINITE, DOMAIN, a q; SIZE, n or m; RATE, none or no valid one; UNREAD, a field
 * too many. */
DPPAIR_API dppair_status dppair_sampling_check_(const dppair_sampling *s) {
  const dppair_status status = dppair_adjacency_check_(s->adjacency);
  return status == DPPAIR_OK ? dppair_sampling_fields_(s) : status;
}

/* The relation whose move the noise multiplier of a step with this sampling divides: that of the
 * sampling's row. */
DPPAIR_API dppair_adjacency dppair_sampling_move_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  if (row == NULL || row->move == DPPAIR_MOVE_STATED_) return s->adjacency;
  return row->move == DPPAIR_MOVE_ZERO_ ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
}

DPPAIR_API dppair_sampling dppair_sampling_make_(dppair_sampling_kind kind, size_t n, size_t m,
                                                 dppair_adjacency adjacency) {
  dppair_sampling s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.adjacency = adjacency;
  s.n = n;
  s.m = m;
  return s;
}

/* The samplings of n records. What is wrong with n, m or adjacency is said by the function that
 * reads the sampling. */

/* Every record. */
DPPAIR_API dppair_sampling dppair_sampling_all(size_t n, dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_ALL, n, 0, adjacency);
}

/* Each record independently with probability m/n: m are expected. */
DPPAIR_API dppair_sampling dppair_sampling_poisson(size_t n, size_t m, dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_POISSON, n, m, adjacency);
}

/* A uniform subset of m records. */
DPPAIR_API dppair_sampling dppair_sampling_without_replacement(size_t n, size_t m,
                                                               dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_WITHOUT_REPLACEMENT, n, m, adjacency);
}

/* m independent uniform records. */
DPPAIR_API dppair_sampling dppair_sampling_with_replacement(size_t n, size_t m,
                                                            dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_WITH_REPLACEMENT, n, m, adjacency);
}

/* A uniform subset of m records, m even, paired at random. */
DPPAIR_API dppair_sampling dppair_sampling_matching(size_t n, size_t m,
                                                    dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_MATCHING, n, m, adjacency);
}

/*
 * *divisor = what the sum over the drawn pairs is divided by, so that it becomes the mean that the
 * sensitivities are about:
 *
 *   ALL                        n (n-1)
 *   POISSON                    m (count-1), `count` being the records that were drawn; 1 when that
 *                              is 0 or 1, where the sum is 0
 *   WITHOUT, WITH_REPLACEMENT  m (m-1); 1 when m = 1
 *   MATCHING                   m/2
 *
 * A sum over pairs that were themselves drawn with replacement is divided by their number instead.
 * `count` is read for Poisson samples only, and *divisor then is private, as count is. Errors:
 * NULL; ADJACENCY; NO_PROOF, NOT_FINITE, DOMAIN, RATE, UNREAD, a sampling whose fields are not
 * those of its kind; SIZE: n or m is out of range or not given, or count > n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_normaliser(double *divisor,
                                                             const dppair_sampling *sampling,
                                                             size_t count) {
  const dppair_sampling *s = sampling;
  dppair_status status;
  int by;
  double k;
  if (divisor == NULL) return DPPAIR_ERR_NULL;
  *divisor = 0.0;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status != DPPAIR_OK) return status;
  by = dppair_sampling_row_of_(s->kind)->divisor;
  if (s->n == 0 || (by == DPPAIR_BY_DRAWN_ && count > s->n)) return DPPAIR_ERR_SIZE;
  k = (double)(s->m > 0 ? s->m : s->n);
  if (by == DPPAIR_BY_MATCHES_)
    *divisor = 0.5 * k;
  else if (by == DPPAIR_BY_DRAWN_)
    *divisor = count > 1 ? k * ((double)count - 1.0) : 1.0;
  else
    *divisor = k > 1.0 ? k * (k - 1.0) : 1.0;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
