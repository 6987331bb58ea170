/* ------------------------------------------------------------------------------------------------
 * Mechanisms: the one list of them
 *
 * A mechanism is a row of this table and the file mechanisms/NAME.h, whose functions are found by
 * pasting NAME (dispatch.h), so that one that is missing does not compile. A module's row stands
 * here too; its functions are in the module, which declares that it is here before this is read
 * (slots.h). No other chapter reads the kind of a step: it asks these functions.
 * ---------------------------------------------------------------------------------------------- */

/* The columns: kind; NAME; the name in texts; what it reads besides its noise multiplier, the
 * number of steps and the adjacency; what its noise multiplier is; its losses; the relations for
 * which it is proved. New rows are appended, since the check of an account reads the numbers of
 * kinds. */
#define DPPAIR_FIRST_ROWS_(X)                                                                      \
  X(DPPAIR_GAUSSIAN, gaussian, "gaussian", 0, DPPAIR_IS_SCALE_, DPPAIR_GAUSSIAN_LOSS_,             \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_LAPLACE, laplace, "laplace", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)      \
  X(DPPAIR_PURE, pure, "pure", 0, DPPAIR_IS_EPSILON_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)             \
  X(DPPAIR_ZCDP, zcdp, "zcdp", 0, DPPAIR_IS_RHO_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                  \
  X(DPPAIR_SAMPLED_GAUSSIAN, sampled_gaussian, "sampled-gaussian", DPPAIR_READS_SAMPLING_,         \
    DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                                              \
  X(DPPAIR_SAMPLED_PAIRS, sampled_pairs, "sampled-pairs",                                          \
    DPPAIR_READS_SAMPLING_ | DPPAIR_READS_PAIR_RATE_, DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_,          \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_RANDOMISED_RESPONSE, randomised_response, "randomised-response", 0, DPPAIR_IS_EPSILON_, \
    DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
/* Of dppair_l2ball.h. */
#define DPPAIR_L2BALL_ROWS_(X)                                                                     \
  X(DPPAIR_L2BALL, l2ball, "l2-ball", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
/* Of dppair_shares.h. */
#define DPPAIR_SHARES_ROWS_(X)                                                                     \
  X(DPPAIR_SKELLAM, skellam, "skellam", 0, DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_BOTH_)     \
  X(DPPAIR_SAMPLED_SKELLAM, sampled_skellam, "sampled-skellam", DPPAIR_READS_SAMPLING_,            \
    DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_ZEROED_)
#define DPPAIR_OBJECTIVE_ROWS_(X)                                                                  \
  X(DPPAIR_OBJECTIVE, objective, "objective-perturbation", DPPAIR_READS_RIDGE_, DPPAIR_IS_SCALE_,  \
    DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)
/* Of dppair_l2ball.h. */
#define DPPAIR_PURE_OBJECTIVE_ROWS_(X)                                                             \
  X(DPPAIR_PURE_OBJECTIVE, pure_objective, "pure-objective-perturbation", DPPAIR_READS_RIDGE_,     \
    DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)

/* All of them, modules' too: ledgers hold their numbers. */
#define DPPAIR_MECHANISM_TABLE(X)                                                                  \
  DPPAIR_FIRST_ROWS_(X)                                                                            \
  DPPAIR_L2BALL_ROWS_(X)                                                                           \
  DPPAIR_SHARES_ROWS_(X)                                                                           \
  DPPAIR_OBJECTIVE_ROWS_(X)                                                                        \
  DPPAIR_PURE_OBJECTIVE_ROWS_(X)

/* The slot: the rows of the modules that are here. */
#ifdef DPPAIR_WITH_L2BALL
#define DPPAIR_KNOWS_L2BALL_
#define DPPAIR_L2BALL_SLOT_(X) DPPAIR_L2BALL_ROWS_(X) DPPAIR_PURE_OBJECTIVE_ROWS_(X)
#else
#define DPPAIR_L2BALL_SLOT_(X)
#endif
#ifdef DPPAIR_WITH_SHARES
#define DPPAIR_KNOWS_SHARES_
#define DPPAIR_SHARES_SLOT_(X) DPPAIR_SHARES_ROWS_(X)
#else
#define DPPAIR_SHARES_SLOT_(X)
#endif
#define DPPAIR_MECHANISM_SLOT_(X) DPPAIR_L2BALL_SLOT_(X) DPPAIR_SHARES_SLOT_(X)

/* Those whose functions a program has. */
#define DPPAIR_MECHANISMS_HERE_(X)                                                                 \
  DPPAIR_FIRST_ROWS_(X) DPPAIR_OBJECTIVE_ROWS_(X) DPPAIR_MECHANISM_SLOT_(X)

#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) kind,
/* The laws of noise, and of draws beside it, that an account can charge. */
typedef enum dppair_mechanism_kind {
  DPPAIR_NO_MECHANISM_ = 0,
  DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
} dppair_mechanism_kind;
#undef DPPAIR_X_

/* One more than the last kind. */
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) +1
enum { DPPAIR_MECHANISM_COUNT_ = 1 DPPAIR_MECHANISM_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_

/* What a row reads. PAIR_RATE: of Poisson pairs, instead of the sampling's rate. RIDGE: that of a
 * perturbed objective. */
enum { DPPAIR_READS_SAMPLING_ = 1, DPPAIR_READS_PAIR_RATE_ = 2, DPPAIR_READS_RIDGE_ = 4 };

/* What the noise multiplier is: scale / sensitivity, which calibration scales; epsilon; rho. */
enum { DPPAIR_IS_SCALE_ = 1, DPPAIR_IS_EPSILON_ = 2, DPPAIR_IS_RHO_ = 3 };

/* PURE: a loss never exceeds epsilon: dppair_step_loss_. GAUSSIAN: it
 * is a normal variable, and steps compose on the exact curve. WHOLE: its Renyi curve is known at
 * whole orders, and between them by convexity. */
enum {
  DPPAIR_ANY_LOSS_ = 0,
  DPPAIR_PURE_LOSS_ = 1,
  DPPAIR_GAUSSIAN_LOSS_ = 2,
  DPPAIR_WHOLE_LOSS_ = 3
};

/* A bit per move. */
enum {
  DPPAIR_ZEROED_ = (int)DPPAIR_ZERO_OUT,
  DPPAIR_BOTH_ = (int)DPPAIR_REPLACE_ONE | (int)DPPAIR_ZERO_OUT
};

/* A row of the table. */
typedef struct dppair_mechanism_row_ {
  const char *name;
  int reads, multiplier, loss, relations;
} dppair_mechanism_row_;

/* The row of a kind; NULL for what is no kind. */
DPPAIR_API const dppair_mechanism_row_ *dppair_mechanism_row_of_(dppair_mechanism_kind kind) {
  static const dppair_mechanism_row_ row[] = {{"none", 0, 0, 0, 0},
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  {text, reads, multiplier, loss, relations},
                                              DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (int)kind > 0 && (int)kind < DPPAIR_MECHANISM_COUNT_ ? &row[kind] : NULL;
}

/* The name that texts use; "none" for 0 and for what is no such kind. A static string. */
DPPAIR_API const char *dppair_mechanism_name(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL ? row->name : "none";
}

/* MODULE: a mechanism whose functions are in a module that is not here. */
DPPAIR_API dppair_status dppair_mechanism_known_(dppair_mechanism_kind kind) {
  int here = 0;
#define DPPAIR_X_(row, name, text, reads, multiplier, loss, relations) here |= kind == row;
  DPPAIR_MECHANISMS_HERE_(DPPAIR_X_)
#undef DPPAIR_X_
  return here || dppair_mechanism_row_of_(kind) == NULL ? DPPAIR_OK : DPPAIR_ERR_MODULE;
}

/* 1 when the noise multiplier is a noise scale over a sensitivity: calibration scales it, and a
 * ledger may record both. */
DPPAIR_API int dppair_mechanism_scales_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->multiplier == DPPAIR_IS_SCALE_;
}

/* 1 when losses never exceed an epsilon: dppair_step_loss_. */
DPPAIR_API int dppair_mechanism_is_pure_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_PURE_LOSS_;
}

/* 1 for plain Gaussian noise. */
DPPAIR_API int dppair_mechanism_is_gaussian_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_GAUSSIAN_LOSS_;
}

/* 1 where orders between whole ones cost more. */
DPPAIR_API int dppair_mechanism_is_whole_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_WHOLE_LOSS_;
}

/* 1 when the step draws records or pairs. */
DPPAIR_API int dppair_mechanism_is_sampled_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_READS_SAMPLING_) != 0;
}

/* 1 for a perturbed objective, whose noise is part of what is minimised. */
DPPAIR_API int dppair_mechanism_is_objective_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_READS_RIDGE_) != 0;
}

/* The kind of the plain noise that is added to the minimiser of an objective that is perturbed by
 * this law; 0 for other laws. */
DPPAIR_API dppair_mechanism_kind dppair_mechanism_of_trace_(dppair_mechanism_kind law) {
  if (!dppair_mechanism_is_objective_(law)) return DPPAIR_NO_MECHANISM_;
  return dppair_mechanism_is_pure_(law) ? DPPAIR_L2BALL : DPPAIR_GAUSSIAN;
}

/* The kind of releases with noise of this law (0: Gaussian), which draw records or do not; 0 where
 * no proof covers both. */
DPPAIR_API dppair_mechanism_kind dppair_mechanism_of_law_(dppair_mechanism_kind law, int drawn) {
  if (law == 0) law = DPPAIR_GAUSSIAN;
  if (drawn && law == DPPAIR_SKELLAM) return DPPAIR_SAMPLED_SKELLAM;
  if (drawn)
    return dppair_mechanism_is_gaussian_(law) ? DPPAIR_SAMPLED_GAUSSIAN : DPPAIR_NO_MECHANISM_;
  return dppair_mechanism_scales_(law) && !dppair_mechanism_is_sampled_(law) ? law
                                                                             : DPPAIR_NO_MECHANISM_;
}
