/* ------------------------------------------------------------------------------------------------
 * The ledger: one line of JSON per step, written before the release, read back into the same
 * account
 *
 *   {"dppair":1,"mechanism":"gaussian","adjacency":"replace-one","sampling":"none","q":0,"n":0,
 *    "m":0,"pair_rate":0,"sensitivity":0.0078125,"sigma":2,"noise_multiplier":256,"steps":1,
 *    "failure":0}                                                           (on one line)
 *
 * Numbers carry 17 significant digits and read back to the same double. An unknown version, an
 * unknown or repeated or missing key is refused. What one of writing, charging and reading refuses
 * all of them refuse: a step that dppair_accountant_step would, an adjacency that is not the
 * step's, a multiplier that is not sigma/sensitivity, a count beyond 2^53.
 * ---------------------------------------------------------------------------------------------- */

/* One entry. Gaussian, Laplace and sampled kinds: sensitivity and sigma (the scale) say what
 * multiplier means; other kinds leave them 0. */
typedef struct dppair_ledger_entry {
  dppair_step step;
  dppair_adjacency adjacency; /* also for plain steps, whose sensitivity it explains; 0: unstated */
  double sensitivity, sigma, failure;
} dppair_ledger_entry;

#define DPPAIR_LEDGER_LINE 512

/* Takes one line (no terminator counted) and returns 0 when it has been stored. */
typedef int (*dppair_ledger_sink)(const char *line, size_t length, void *context);

DPPAIR_API const char *dppair_mechanism_name(dppair_mechanism_kind kind) {
  static const char *const name[8] = {
      "none", "gaussian",         "laplace",       "pure",
      "zcdp", "sampled-gaussian", "sampled-pairs", "randomised-response"};
  return (int)kind >= 0 && (int)kind < 8 ? name[kind] : "none";
}

DPPAIR_API const char *dppair_sampling_name(dppair_sampling_kind kind) {
  static const char *const name[5] = {"none", "poisson", "without-replacement", "with-replacement",
                                      "matching"};
  return (int)kind >= 0 && (int)kind < 5 ? name[kind] : "none";
}

DPPAIR_API const char *dppair_adjacency_name(dppair_adjacency adjacency) {
  return adjacency == DPPAIR_REPLACE_ONE ? "replace-one"
                                         : (adjacency == DPPAIR_ZERO_OUT ? "zero-out" : "none");
}
