/* ------------------------------------------------------------------------------------------------
 * Status
 *
 * A function that can fail returns a dppair_status; the compiler warns if it is ignored. On an
 * error all outputs are zero, so that a failed release never leaves a number without noise behind.
 * If a size is more than any memory can hold, the function returns OVERFLOW and may leave outputs
 * untouched: to zero an array of such a size would write past its end.
 *
 * A sentence says what is wrong, then what to do. docs/errors.md has the slip and the cure of each.
 * New statuses come last: none is renumbered.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STATUS_TABLE(X)                                                                     \
  X(DPPAIR_OK, "ok")                                                                               \
  X(DPPAIR_ERR_NULL,                                                                               \
    "a required pointer is NULL: give every argument that the function does not call optional")    \
  X(DPPAIR_ERR_SIZE,                                                                               \
    "a size, a count or an index is out of range: compare n, d, ld, positives and capacity with "  \
    "the arrays and the plan")                                                                     \
  X(DPPAIR_ERR_OVERFLOW,                                                                           \
    "a size or a result is too large to be represented: scale the data or the weights, or give "   \
    "fewer records")                                                                               \
  X(DPPAIR_ERR_WORKSPACE,                                                                          \
    "the workspace is too small, or a state was made for something else: ask the _workspace "      \
    "function of this call, or make the state again for this instance")                            \
  X(DPPAIR_ERR_NOT_FINITE,                                                                         \
    "an input is NaN or infinite: clean the data, and look whether the weights diverged")          \
  X(DPPAIR_ERR_DOMAIN,                                                                             \
    "a parameter is outside its declared range, or the account was never initialised: see the "    \
    "range at the function, and call dppair_accountant_init first")                                \
  X(DPPAIR_ERR_EPSILON, "epsilon is outside the supported range: set a positive, finite one")      \
  X(DPPAIR_ERR_DELTA,                                                                              \
    "delta is outside the supported range: set one above 0 and below 1; pure laws take 0")         \
  X(DPPAIR_ERR_SIGMA,                                                                              \
    "a noise scale is not a positive finite number in range: let the plan find it, or correct it") \
  X(DPPAIR_ERR_SENSITIVITY,                                                                        \
    "a sensitivity is negative, or 0 where that would make a step free: give a proved, positive "  \
    "bound")                                                                                       \
  X(DPPAIR_ERR_STEP_SIZE,                                                                          \
    "the step size is beyond the limit of the privacy proof: take a smaller one")                  \
  X(DPPAIR_ERR_NO_PROOF,                                                                           \
    "no finite constant or no valid proof covers this combination: choose one that the "           \
    "function's comment lists")                                                                    \
  X(DPPAIR_ERR_ADJACENCY,                                                                          \
    "this neighbouring relation is not covered for this mechanism, or these groups: choose "       \
    "another relation (docs/neighbours.md)")                                                       \
  X(DPPAIR_ERR_RATE,                                                                               \
    "a sampled step's rate is 0 or not m/n, or m, group and batches do not fit: make the "         \
    "sampling with a dppair_sampling_ function")                                                   \
  X(DPPAIR_ERR_STEPS, "a step is charged at least once: set the number of steps, which is 0")      \
  X(DPPAIR_ERR_UNREAD, "a field is set that this mechanism does not read: leave it 0")             \
  X(DPPAIR_ERR_ENTROPY,                                                                            \
    "the operating system gave no entropy: try again, or give a key of your own")                  \
  X(DPPAIR_ERR_FORK,                                                                               \
    "the generator was copied into a child process by fork: open it in the child")                 \
  X(DPPAIR_ERR_CIPHER,                                                                             \
    "the generator has no key, or its cipher is not available here: make it with "                 \
    "dppair_rng_from_os")                                                                          \
  X(DPPAIR_ERR_EXHAUSTED,                                                                          \
    "the counter or the privacy budget is used up: ask for no more than was paid for")             \
  X(DPPAIR_ERR_NO_CONVERGENCE,                                                                     \
    "an iteration did not reach its certified tolerance: allow a larger one, or more noise")       \
  X(DPPAIR_ERR_FORMAT,                                                                             \
    "the text could not be parsed or has an unknown version: give what this library wrote")        \
  X(DPPAIR_ERR_ENVIRONMENT,                                                                        \
    "arithmetic does not round to nearest, or flushes to zero: compile without -ffast-math and "   \
    "reset the rounding mode")                                                                     \
  X(DPPAIR_ERR_SELF_TEST,                                                                          \
    "the noise is not what it must be, compiler or machine at fault: release nothing here, and "   \
    "report it")                                                                                   \
  X(DPPAIR_ERR_CLOSED,                                                                             \
    "the release is not open here, never opened, closed, copied or moved: open it where it is "    \
    "used, and keep its account in place")                                                         \
  X(DPPAIR_ERR_LEDGER,                                                                             \
    "a line of the ledger is missing, changed, or of another account: replay the whole ledger, "   \
    "as it was written")                                                                           \
  X(DPPAIR_ERR_RUNS,                                                                               \
    "one ledger number is charged twice, a start that did not replay the ledger: replay it "       \
    "before the first plan")                                                                       \
  X(DPPAIR_ERR_OVERLAP,                                                                            \
    "an output shares memory with what is read or with the workspace: give it an array of its "    \
    "own")                                                                                         \
  X(DPPAIR_ERR_MODULE,                                                                             \
    "a kind of a module that is not here: before dppair_accountant.h, include "                    \
    "dppair_allocation.h (random allocation), dppair_l2ball.h (pure epsilon with l2 "              \
    "sensitivity) or dppair_shares.h (Skellam noise)")                                             \
  X(DPPAIR_ERR_NOT_CALIBRATED,                                                                     \
    "no closed form has the noise of this plan: call dppair_calibrate for this plan and account "  \
    "first")                                                                                       \
  X(DPPAIR_ERR_PLAN_CHANGED,                                                                       \
    "the plan, its account or its key is not the one that was calibrated or opened: set all "      \
    "fields, then call dppair_calibrate, then open the plan")                                      \
  X(DPPAIR_ERR_NOT_DRAWN,                                                                          \
    "no records are drawn for this step: call dppair_release_draw before each release of this "    \
    "plan")                                                                                        \
  X(DPPAIR_ERR_NOT_ZEROED,                                                                         \
    "a field of the plan holds a value that nothing sets: begin with dppair_plan plan = {0}")      \
  X(DPPAIR_ERR_NO_RADIUS,                                                                          \
    "no bound of the rows is known: make them with dppair_rows_clip, or set radius to a proved "   \
    "bound of every norm")                                                                         \
  X(DPPAIR_ERR_LAW,                                                                                \
    "this noise does not fit this draw or release: Laplace and l2-ball noise take no draw; "       \
    "objectives are for dppair_release_minimiser, Skellam noise for dppair_release_share, "        \
    "Laplace noise of vectors for dppair_release_histogram")                               \
  X(DPPAIR_ERR_SLOPE,                                                                              \
    "a slope of the loss is steeper than its L_RANGE declares: correct L_RANGE, or clip the "      \
    "pairs")                                                                                       \
  X(DPPAIR_ERR_NEIGHBOURS,                                                                         \
    "the account holds other neighbours, or steps that state none: take one account for each "     \
    "neighbouring relation")                                                                       \
  X(DPPAIR_ERR_BATCH,                                                                              \
    "these are not the rows of this step's draw: hand over what dppair_gather made of the batch "  \
    "that dppair_release_draw filled")

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
