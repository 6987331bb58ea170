/* ------------------------------------------------------------------------------------------------
 * Status
 *
 * A function that can fail returns a dppair_status; the compiler warns if it is ignored. On an
 * error all outputs are zero, so that a failed release never leaves a number without noise behind.
 * If a size is more than any memory can hold, the function returns OVERFLOW and may leave outputs
 * untouched: to zero an array of such a size would write past its end.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STATUS_TABLE(X)                                                                     \
  X(DPPAIR_OK, "ok")                                                                               \
  X(DPPAIR_ERR_NULL, "a required pointer is NULL")                                                 \
  X(DPPAIR_ERR_SIZE, "a size, a count or an index is out of range")                                \
  X(DPPAIR_ERR_OVERFLOW, "a size or a result is too large to be represented")                      \
  X(DPPAIR_ERR_WORKSPACE, "the workspace is too small, or a state was made for something else")    \
  X(DPPAIR_ERR_NOT_FINITE, "an input is NaN or infinite")                                          \
  X(DPPAIR_ERR_DOMAIN, "a parameter is outside its declared range")                                \
  X(DPPAIR_ERR_EPSILON, "epsilon is outside the supported range")                                  \
  X(DPPAIR_ERR_DELTA, "delta is outside the supported range")                                      \
  X(DPPAIR_ERR_SIGMA, "a noise scale is not a positive finite number in range")                    \
  X(DPPAIR_ERR_SENSITIVITY, "a sensitivity is negative, or 0 where that would make a step free")   \
  X(DPPAIR_ERR_STEP_SIZE, "the step size is beyond the limit of the privacy proof")                \
  X(DPPAIR_ERR_NO_PROOF, "no finite constant or no valid proof covers this combination")           \
  X(DPPAIR_ERR_ADJACENCY, "this neighbouring relation is not covered for this mechanism")          \
  X(DPPAIR_ERR_RATE, "a sampled step's rate is 0 or not m/n, or m, group and batches do not fit")  \
  X(DPPAIR_ERR_STEPS, "a step is charged at least once: its number of steps is 0")                 \
  X(DPPAIR_ERR_UNREAD, "a field is set that this mechanism does not read")                         \
  X(DPPAIR_ERR_ENTROPY, "the operating system gave no entropy")                                    \
  X(DPPAIR_ERR_FORK, "the generator was copied into a child process by fork")                      \
  X(DPPAIR_ERR_CIPHER, "the generator has no key, or its cipher is not available here")            \
  X(DPPAIR_ERR_EXHAUSTED, "the counter or the privacy budget is used up")                          \
  X(DPPAIR_ERR_NO_CONVERGENCE, "an iteration did not reach its certified tolerance")               \
  X(DPPAIR_ERR_FORMAT, "the text could not be parsed or has an unknown version")                   \
  X(DPPAIR_ERR_ENVIRONMENT, "arithmetic does not round to nearest, or flushes to zero")            \
  X(DPPAIR_ERR_SELF_TEST, "the noise is not what it must be: compiler or machine at fault")        \
  X(DPPAIR_ERR_CLOSED, "the release is not open here: never opened, closed, copied or moved")      \
  X(DPPAIR_ERR_LEDGER, "a line of the ledger is missing, changed, or of another account")          \
  X(DPPAIR_ERR_RUNS, "one ledger number is charged twice: a start that did not replay the ledger") \
  X(DPPAIR_ERR_OVERLAP, "an output shares memory with what is read or with the workspace")         \
  X(DPPAIR_ERR_MODULE, "a kind of a module that is not here: before dppair_accountant.h, include " \
                       "dppair_allocation.h (random allocation), dppair_l2ball.h (pure epsilon "   \
                       "with l2 sensitivity) or dppair_shares.h (Skellam noise)")

/* What a call answers. DPPAIR_OK is 0; dppair_status_string has the sentence of each. */
typedef enum dppair_status {
#define DPPAIR_X_(name, text) name,
  DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_STATUS_COUNT_
} dppair_status;

/* One sentence about a status. Never NULL; the string is static. */
DPPAIR_API const char *dppair_status_string(dppair_status status) {
  switch (status) {
#define DPPAIR_X_(name, text)                                                                      \
  case name:                                                                                       \
    return text;
    DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_STATUS_COUNT_:
    break;
  }
  return "unknown status";
}
