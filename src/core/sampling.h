/* ------------------------------------------------------------------------------------------------
 * Sampling: who the neighbours are, and how records are drawn
 *
 * One value says which data sets are neighbours, which records a step reads, and what the sum over
 * their pairs is divided by. The draw, the gradient, its sensitivity and the account read the same
 * value. Relies on status.h and checks.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Which data sets are neighbours: the unit that is protected, and its move. The number of units is
 * public.
 * REPLACE_ONE: one record is replaced by another. ZERO_OUT: one record is replaced by a null
 * record (`nulls` of a block of rows, rows/block.h), whose pairs contribute nothing. It keeps its
 * place: it may be drawn, it is one of the rows that a release of the draw takes, and n counts it.
 * But what divides a sum over drawn pairs counts the others only (dppair_normaliser).
 * PERSON, QUERY: the same with everything that one user owns, or with a whole query, in the place
 * of one record: a law that holds for records holds for them once the noise multiplier divides
 * their move, and n and m count them. The two low bits are the move, the others the unit. */
typedef enum dppair_adjacency {
  DPPAIR_REPLACE_ONE = 1,
  DPPAIR_ZERO_OUT = 2,
  DPPAIR_REPLACE_USER = 17,
  DPPAIR_ZERO_USER = 18,
  DPPAIR_REPLACE_QUERY = 33,
  DPPAIR_ZERO_QUERY = 34
} dppair_adjacency;

/* The units that a relation protects. */
enum { DPPAIR_OF_RECORDS_ = 0, DPPAIR_OF_USERS_ = 16, DPPAIR_OF_QUERIES_ = 32 };

/* The move alone, REPLACE_ONE or ZERO_OUT, which is what laws read; the unit alone. */
DPPAIR_API dppair_adjacency dppair_adjacency_move_(dppair_adjacency adjacency) {
  return (dppair_adjacency)((int)adjacency & 3);
}

DPPAIR_API int dppair_adjacency_unit_(dppair_adjacency adjacency) { return (int)adjacency & ~3; }

/*
 * The one list of samplings; every execution of a step draws anew. The columns: kind and its name
 * in texts; the fields that are read; what a sum over the drawn pairs is divided by; the move of
 * one record that noise_multiplier divides.
 *
 *   ALL                  every record (or pair); n
 *   POISSON              each record (pair) independently with probability q
 *   WITHOUT_REPLACEMENT  m of n records, a uniform subset
 *   WITH_REPLACEMENT     m independent uniform draws from n records (or their pairs, or groups of
 *                        `group` different records)
 *   MATCHING             m of n records, put at random into m/group groups of `group` (2: pairs)
 *   ALLOCATION           `batches` steps are an epoch: each record is in `group` of its batches (1
 *                        of them, where every record is read once), all choices equally likely, by
 *                        itself; the sizes of batches are random. n, batches, group. Its draw
 *                        and its law are those of dppair_allocation.h
 *
 * The kinds of modules stand here too, since ledgers hold their numbers.
 */
#define DPPAIR_SAMPLING_TABLE(X)                                                                   \
  X(DPPAIR_ALL, "none", DPPAIR_READS_N_, DPPAIR_BY_PAIRS_, DPPAIR_MOVE_STATED_)                    \
  X(DPPAIR_POISSON, "poisson", DPPAIR_READS_RATE_, DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)            \
  X(DPPAIR_WITHOUT_REPLACEMENT, "without-replacement", DPPAIR_READS_RATE_ | DPPAIR_READS_OWNED_,   \
    DPPAIR_BY_PAIRS_, DPPAIR_MOVE_REPLACE_)                                                        \
  X(DPPAIR_WITH_REPLACEMENT, "with-replacement",                                                   \
    DPPAIR_READS_N_ | DPPAIR_READS_M_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_PAIRS_,                    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_MATCHING, "matching", DPPAIR_READS_RATE_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_MATCHES_,    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_ALLOCATION, "allocation", DPPAIR_READS_N_ | DPPAIR_READS_BATCHES_ | DPPAIR_OF_MODULE_,  \
    DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)

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
  DPPAIR_READS_GROUPS_ = 8,   /* group >= 2 or 0; where the rate is read m is a multiple of it */
  DPPAIR_READS_BATCHES_ = 16, /* batches, and group of them */
  DPPAIR_READS_OWNED_ = 32,   /* where users are protected and records are drawn */
  DPPAIR_OF_MODULE_ = 64      /* a module has its draw and its law */
};

/* The divisor. PAIRS: k (k-1), of n records, or of the m drawn ones. DRAWN: m (count - 1), count
 * being the records that were drawn and are not null, m those that are expected. MATCHES:
 * m/group. */
enum { DPPAIR_BY_PAIRS_ = 1, DPPAIR_BY_DRAWN_ = 2, DPPAIR_BY_MATCHES_ = 3 };

/* The move. STATED: that of the adjacency. ZERO, REPLACE: that one under either adjacency. */
enum { DPPAIR_MOVE_STATED_ = 0, DPPAIR_MOVE_REPLACE_ = 1, DPPAIR_MOVE_ZERO_ = 2 };

/*
 * A sampling; the functions below make one. m always counts records (for pairs drawn with
 * replacement it counts draws). The rate of Poisson records, of samples without replacement and of
 * matchings is the probability q that a given record is drawn. Give either q in (0, 1], or n and
 * m >= 1, which mean q = m/n (q = 0: not given); if all three are given they must agree, and m/n is
 * used. Fields that a kind does not read must be 0, and those that it reads must not; only the
 * group of a matching may, which then is 2.
 */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
  size_t batches; /* of an epoch, by allocation */
  size_t group;   /* matching: records of a group. Allocation: batches that hold a record */
  size_t owned;   /* where users are protected and records are drawn: a public bound of the
                     records that one user owns. 0: what is drawn is what is protected */
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

/* 1 where the number of records that a step draws is random, hence private. */
DPPAIR_API int dppair_sampling_is_random_(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL && row->divisor == DPPAIR_BY_DRAWN_;
}

/* 1 where the draw and its law are a module's. */
DPPAIR_API int dppair_sampling_is_of_module_(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_OF_MODULE_) != 0;
}

/* 1 where a step is one of the batches of an epoch, which are drawn together. */
DPPAIR_API int dppair_sampling_has_epochs_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  return row != NULL && (row->reads & DPPAIR_READS_BATCHES_) != 0 && s->batches > 0 && s->group > 0;
}

/* The names that texts use; "none" for every record, for no adjacency, and for what is no such
 * kind. Static strings. */
DPPAIR_API const char *dppair_sampling_name(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL ? row->name : "none";
}

/* The same of neighbours: "replace-one", "zero-out", ...; "none" for what is no adjacency. */
DPPAIR_API const char *dppair_adjacency_name(dppair_adjacency adjacency) {
  switch ((int)adjacency) {
  case DPPAIR_REPLACE_ONE:
    return "replace-one";
  case DPPAIR_ZERO_OUT:
    return "zero-out";
  case DPPAIR_REPLACE_USER:
    return "replace-person";
  case DPPAIR_ZERO_USER:
    return "zero-person";
  case DPPAIR_REPLACE_QUERY:
    return "replace-query";
  case DPPAIR_ZERO_QUERY:
    return "zero-query";
  default:
    return "none";
  }
}

/* The greatest number of a relation. */
enum { DPPAIR_ADJACENCY_MOST_ = DPPAIR_ZERO_QUERY };

/* OK for one of the relations. */
DPPAIR_API dppair_status dppair_adjacency_check_(dppair_adjacency adjacency) {
  const int move = (int)dppair_adjacency_move_(adjacency), unit = dppair_adjacency_unit_(adjacency);
  return (move == DPPAIR_REPLACE_ONE || move == DPPAIR_ZERO_OUT) &&
                 (unit == DPPAIR_OF_RECORDS_ || unit == DPPAIR_OF_USERS_ ||
                  unit == DPPAIR_OF_QUERIES_)
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* OK for a relation that protects records. */
DPPAIR_API dppair_status dppair_adjacency_records_(dppair_adjacency adjacency) {
  return adjacency == DPPAIR_REPLACE_ONE || adjacency == DPPAIR_ZERO_OUT ? DPPAIR_OK
                                                                         : DPPAIR_ERR_ADJACENCY;
}

/* The records of one group of a matching. */
DPPAIR_API size_t dppair_sampling_group_(const dppair_sampling *s) {
  return s->group > 0 ? s->group : 2;
}

/* The records that a step is expected to read: all, m, or the share n group/batches, rounded, of an
 * allocation. Divisors and sensitivities both read this number. */
DPPAIR_API double dppair_sampling_expected_(const dppair_sampling *s) {
  if (s->batches > 0) return (double)s->n * (double)s->group / (double)s->batches;
  return (double)(s->m > 0 ? s->m : s->n);
}

/* The rate of a row that reads it: q, or m/n; m is a multiple of `group`. A rate that was lost, to
 * an integer division or to a field that is not read, must not make a step free. */
DPPAIR_API dppair_status dppair_sampling_rate_check_(const dppair_sampling *s, size_t group) {
  if (s->q < 0.0 || s->q > 1.0) return DPPAIR_ERR_DOMAIN;
  if (s->n == 0 && s->m == 0) return s->q > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  if (s->m == 0) return s->q > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE;
  if (s->n < 2 || s->m > s->n) return DPPAIR_ERR_SIZE;
  if (s->m % group != 0) return DPPAIR_ERR_RATE;
  /* a q that was computed from these sizes is within 4 ulp; any other q is another rate */
  return s->q <= 0.0 || dppair_fabs_(s->q * (double)s->n - (double)s->m) <= 1e-15 * (double)s->m
             ? DPPAIR_OK
             : DPPAIR_ERR_RATE;
}

/* The fields of samplings that few read: groups, batches, and the records of one user. */
DPPAIR_API dppair_status dppair_sampling_rare_(const dppair_sampling *s, int reads) {
  const int groups = reads & DPPAIR_READS_GROUPS_, batches = reads & DPPAIR_READS_BATCHES_;
  if ((s->group > 0 && !groups && !batches) || (s->batches > 0 && !batches))
    return DPPAIR_ERR_UNREAD;
  if (groups && s->group == 1) return DPPAIR_ERR_RATE;
  if (batches && (s->group < 1 || s->group > s->batches)) return DPPAIR_ERR_RATE;
  if (s->owned == 0) return DPPAIR_OK;
  if (!(reads & DPPAIR_READS_OWNED_) || dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_USERS_)
    return DPPAIR_ERR_UNREAD;
  if (s->n == 0) return DPPAIR_ERR_RATE; /* a rate alone does not say how many are hit */
  return s->owned <= s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* Is every field that the sampling's row reads given, and no other? */
DPPAIR_API dppair_status dppair_sampling_fields_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  dppair_status status = DPPAIR_OK;
  if (!dppair_isfinite_f64(s->q)) return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_NO_PROOF;
  if (row->reads & DPPAIR_READS_RATE_) {
    const int groups = row->reads & DPPAIR_READS_GROUPS_;
    status = dppair_sampling_rate_check_(s, groups ? dppair_sampling_group_(s) : 1);
  } else if (s->n < 2) {
    status = DPPAIR_ERR_SIZE;
  } else if (s->q < 0.0 || s->q > 0.0) {
    status = DPPAIR_ERR_UNREAD;
  } else if (row->reads & DPPAIR_READS_M_) {
    if (s->m == 0) status = DPPAIR_ERR_RATE;
  } else if (s->m != 0) {
    status = DPPAIR_ERR_UNREAD;
  }
  return status == DPPAIR_OK ? dppair_sampling_rare_(s, row->reads) : status;
}

/* Is this a whole sampling: a relation, and the fields of its row? Errors: ADJACENCY; NO_PROOF, no
 * such kind; NOT_FINITE, DOMAIN, a q; SIZE, n or m; RATE, none or no valid one; UNREAD, a field
 * too many. */
DPPAIR_API dppair_status dppair_sampling_check_(const dppair_sampling *s) {
  const dppair_status status = dppair_adjacency_check_(s->adjacency);
  return status == DPPAIR_OK ? dppair_sampling_fields_(s) : status;
}

/*
 * Where records are drawn and users protected, the account counts j drawn records of a user
 * T(m, j)/(m-1) times as far as one, T(m, j) = q (m-q) + floor(j^2/4), q = min(j, floor(m/2)). That
 * is enough for two classes. If all totals count, j (2m-j-1)/2 of them touch the j records, m - 1
 * the one: so many times more than T(m, j)/(m-1), at most. 1 for j <= 2; at most 1 + j/(4m - 3j),
 * which rises with j, for j <= m/2; at most sqrt(5) - 1, the largest 2 (2x - x^2)/(1 + x^2), x =
 * j/m, beyond. j is at most `owned`, and m.
 */
DPPAIR_API double dppair_sampling_far_(const dppair_sampling *s) {
  const size_t j = s->owned < s->m ? s->owned : s->m;
  if (j <= 2) return 1.0;
  return j <= s->m / 2 ? 1.0 + (double)j / (4.0 * (double)s->m - 3.0 * (double)j)
                       : 1.2360679774997898;
}

/* By what the move of one record is multiplied where j drawn records of a user move a statistic
 * j times as far, such as a sum of vectors of their own: more than T(m, j)/(m-1) times. At most
 * j (m-1)/T(m, j) for all j <= owned, rounded up: 1 for owned <= 1; (m-1)/(m - 3j/4 - 1/(4j)),
 * which rises with j, for j <= m/2, where T(m, j) >= j (m-j) + (j^2-1)/4; below 2 beyond, where
 * T(m, j) >= (m^2 + j^2 - 2)/4. */
DPPAIR_API double dppair_sampling_each_(const dppair_sampling *s) {
  const size_t owned = s->owned < s->m ? s->owned : s->m;
  const double m = (double)s->m, j = (double)owned;
  if (owned <= 1) return 1.0;
  if (owned > s->m / 2) return 2.0;
  return (m - 1.0) / (m - 0.75 * j - 0.25 / j) * (1.0 + 8.0 * DBL_EPSILON);
}

/* Is there a proof for records that are drawn while users are protected? owned > 0. */
DPPAIR_API dppair_status dppair_sampling_owned_(const dppair_sampling *s) {
  if (s->kind != DPPAIR_WITHOUT_REPLACEMENT) return DPPAIR_ERR_NO_PROOF;
  if (dppair_adjacency_move_(s->adjacency) != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  if (s->m < 2) return DPPAIR_ERR_SIZE; /* no pair */
  return s->owned <= s->n && s->n - s->owned >= s->m ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* The move that the noise multiplier of a step with this sampling divides, REPLACE_ONE or ZERO_OUT:
 * that of the sampling's row. */
DPPAIR_API dppair_adjacency dppair_sampling_move_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  if (row == NULL || row->move == DPPAIR_MOVE_STATED_) return dppair_adjacency_move_(s->adjacency);
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

/* The samplings of n records (or of the users, the queries that the relation protects). What is
 * wrong with an argument is said by the function that reads the sampling. */

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

/* A uniform subset of m records, put at random into groups of `group` >= 2, of which m is a
 * multiple. (0, which in the field means 2, becomes 1, which is refused.) */
DPPAIR_API dppair_sampling dppair_sampling_groups(size_t n, size_t m, size_t group,
                                                  dppair_adjacency adjacency) {
  dppair_sampling s = dppair_sampling_make_(DPPAIR_MATCHING, n, m, adjacency);
  s.group = group > 0 ? group : 1;
  return s;
}

/* A uniform subset of m records, m even, paired at random: groups of 2. */
DPPAIR_API dppair_sampling dppair_sampling_matching(size_t n, size_t m,
                                                    dppair_adjacency adjacency) {
  return dppair_sampling_groups(n, m, 2, adjacency);
}

/*
 * *divisor = what the sum over the drawn pairs is divided by, so that it becomes the mean that the
 * sensitivities are about:
 *
 *   ALL                        n (n-1)
 *   POISSON                    m (count-1), `count` being the records that were drawn, without null
 *                              ones; 1 when that is 0 or 1, where the sum is 0
 *   WITHOUT, WITH_REPLACEMENT  m (m-1); 1 when m = 1
 *   MATCHING                   m/group: m/2 pairs
 *   ALLOCATION                 (n group/batches) (count-1), likewise
 *
 * A sum over pairs that were themselves drawn with replacement is divided by their number instead.
 * `count` is read for Poisson samples and allocations only, and *divisor then is private, as count
 * is. Errors: NULL; ADJACENCY; NO_PROOF, NOT_FINITE, DOMAIN, RATE, UNREAD, a sampling whose fields
 * are not those of its kind; SIZE: n or m is out of range or not given, or count > n.
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
  k = dppair_sampling_expected_(s);
  if (by == DPPAIR_BY_MATCHES_)
    *divisor = k / (double)dppair_sampling_group_(s);
  else if (by == DPPAIR_BY_DRAWN_)
    *divisor = count > 1 ? k * ((double)count - 1.0) : 1.0;
  else
    *divisor = k > 1.0 ? k * (k - 1.0) : 1.0;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
