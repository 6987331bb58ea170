/* ------------------------------------------------------------------------------------------------
 * The ledger
 *
 * Every release is written down before it happens, as one line of JSON, and a file of such lines
 * is read back into the same account:
 *
 *   {"dppair":1,"mechanism":"gaussian","adjacency":"replace-one","sampling":"none","q":0,"n":0,
 *    "m":0,"pair_rate":0,"sensitivity":0.0078125,"sigma":2,"noise_multiplier":256,"steps":1,
 *    "failure":0}                                                           (on one line)
 *
 * Numbers carry 17 significant digits and read back to the same double. A line with an unknown
 * version, or with an unknown, repeated or missing key, is refused. Writing, charging and reading
 * refuse the same entries: a step that dppair_accountant_step refuses, an adjacency that is not
 * the step's, a multiplier that is not sigma/sensitivity, a count above 2^53.
 *
 * This chapter holds the entry and its names (steps.h); numbers.h converts numbers, ledger.h
 * writes, reads and replays.
 * ---------------------------------------------------------------------------------------------- */

/* One entry. For Gaussian, Laplace and sampled steps sensitivity and sigma (the noise scale) say
 * where the multiplier comes from, or both are 0: not recorded. For other kinds both are 0. */
typedef struct dppair_ledger_entry {
  dppair_step step;
  dppair_adjacency adjacency; /* stated for plain steps too, whose sensitivity rests on it; or 0 */
  double sensitivity, sigma;
  double failure; /* probability in [0, 1] that is added to delta (dppair_accountant_failure) */
} dppair_ledger_entry;

#define DPPAIR_LEDGER_LINE 512 /* characters: no line is longer */

/* The name of a mechanism; "none" for 0 and for what is no such kind. A static string. */
DPPAIR_API const char *dppair_mechanism_name(dppair_mechanism_kind kind) {
  static const char *const name[8] = {
      "none", "gaussian",         "laplace",       "pure",
      "zcdp", "sampled-gaussian", "sampled-pairs", "randomised-response"};
  return (int)kind >= 0 && (int)kind < 8 ? name[kind] : "none";
}
