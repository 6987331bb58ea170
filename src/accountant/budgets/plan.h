/* ------------------------------------------------------------------------------------------------
 * A plan: so many releases of one kind, within one budget
 *
 * What dppair_calibrate (calibrate.h) finds the noise of, and what a release is opened with. Relies
 * on steps.h.
 * ---------------------------------------------------------------------------------------------- */

/* Stores one line of `length` characters, which has no terminator. OK: the line is stored, and a
 * crash would not lose it. */
typedef dppair_status (*dppair_ledger_sink)(const char *line, size_t length, void *context);

struct dppair_accountant;
struct dppair_ledger_entry;

/* Where the lines of a plan go; dppair_ledger_to makes one. It carries what writes them, so that
 * programs without a ledger do not hold it. All 0: no ledger. */
typedef struct dppair_ledger {
  dppair_status (*step)(struct dppair_accountant *a, const struct dppair_ledger_entry *entry,
                        dppair_ledger_sink sink, void *context); /* dppair_ledger_step */
  dppair_ledger_sink sink;
  void *context; /* of the sink */
} dppair_ledger;

/* All zero, and then what is asked for. Fields that stay 0 (NULL) are not asked for. */
typedef struct dppair_plan {
  double epsilon, delta;    /* the account is to end within these, the plan's steps included */
  size_t steps;             /* releases, >= 1 */
  dppair_sampling sampling; /* who the neighbours are, and how each release draws its records */
  dppair_mechanism_kind
      noise;               /* of the noise: 0 or DPPAIR_GAUSSIAN; without a draw DPPAIR_LAPLACE or
                                DPPAIR_L2BALL too, and for dppair_release_minimiser
                                DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE (L2BALL and PURE_OBJECTIVE
                                are of dppair_l2ball.h); for dppair_release_share, of
                                dppair_shares.h, DPPAIR_SKELLAM, all or Poisson samples */
  double ridge;            /* of the two: as in dppair_step, > 0 */
  double output_mu;        /* of the two: mu (pure: epsilon) > 0 of the output noise of each
                                release, which hides how far it is from the minimiser. Charged as
                                plain noise, on a line of its own before the plan's */
  double failure;          /* probability, within delta, that tests of the plan's releases may
                                pass wrongly (dppair_evaluate_partial_auc), failure/steps each */
  double noise_multiplier; /* noise scale over sensitivity, as in dppair_step; 0: to be found */
  dppair_ledger ledger;    /* where the plan's line goes before it is charged */
  uint64_t check;          /* dppair_calibrate's: what noise_multiplier was found for */
} dppair_plan;

/* The step that the plan runs plan->steps times, at its noise multiplier. Errors: those of a
 * sampling that is not whole (sampling.h); LAW: a law that is not known for this draw.
 * dppair_step_check_ checks the rest. */
DPPAIR_API dppair_status dppair_plan_step_(dppair_step *step, const dppair_plan *plan) {
  const int drawn = plan->sampling.kind != DPPAIR_ALL;
  dppair_status status = dppair_sampling_check_(&plan->sampling);
  memset(step, 0, sizeof *step);
  if (status == DPPAIR_OK) status = dppair_draw_known_(plan->sampling.kind);
  if (status != DPPAIR_OK) return status;
  step->kind = dppair_mechanism_of_law_(plan->noise, drawn);
  if (step->kind == DPPAIR_NO_MECHANISM_) return DPPAIR_ERR_LAW;
  status = dppair_mechanism_known_(step->kind);
  if (status != DPPAIR_OK) return status;
  if (drawn) step->sampling = plan->sampling;
  step->sampling.adjacency = plan->sampling.adjacency;
  step->noise_multiplier = plan->noise_multiplier;
  step->steps = plan->steps;
  step->ridge = plan->ridge;
  return DPPAIR_OK;
}

/* The step of that output noise. Errors: DOMAIN, none is given; UNREAD, it is and is not read. */
DPPAIR_API dppair_status dppair_plan_trace_(dppair_step *step, const dppair_plan *plan) {
  memset(step, 0, sizeof *step);
  if (!dppair_isfinite_f64(plan->output_mu)) return DPPAIR_ERR_NOT_FINITE;
  step->kind = dppair_mechanism_of_trace_(plan->noise);
  if (step->kind == DPPAIR_NO_MECHANISM_)
    return plan->output_mu != 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  if (!(plan->output_mu >= 1e-100 && plan->output_mu <= 1e100)) return DPPAIR_ERR_DOMAIN;
  step->noise_multiplier = dppair_down_(1.0 / plan->output_mu);
  step->steps = plan->steps;
  step->sampling.adjacency = plan->sampling.adjacency;
  return DPPAIR_OK;
}
