/* ------------------------------------------------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 *
 * What every route of the accountant reads. A step is refused when a parameter is out of range, but
 * also when a field that it reads is missing or one that it does not read is set: both are signs of
 * a mistake that would make the step look cheaper than it is. Relies on mechanisms/table.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * noise_multiplier:
 *   DPPAIR_GAUSSIAN             sigma / sensitivity
 *   DPPAIR_LAPLACE              scale / l1 sensitivity
 *   DPPAIR_L2BALL               scale / l2 sensitivity; noise of density exp(-|z|_2/scale):
 *                               dppair_l2ball.h
 *   DPPAIR_PURE                 epsilon of any epsilon-private mechanism
 *   DPPAIR_RANDOMISED_RESPONSE  epsilon; two answers
 *   DPPAIR_ZCDP                 rho
 *   DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE
 *                               scale of the linear term's noise / (steepest slope times radius);
 *                               both read ridge as well (mechanisms/objective.h)
 *   DPPAIR_SKELLAM, DPPAIR_SAMPLED_SKELLAM, of dppair_shares.h
 *                               dppair_skellam_sigma of the noise's variance / l2 sensitivity of
 *                               the integers; sampled: by Poisson records, over the move of a
 *                               zeroed one
 * For DPPAIR_SAMPLED_GAUSSIAN and DPPAIR_SAMPLED_PAIRS it is sigma divided by
 *   Poisson records             the move when one record is added or zeroed (both adjacencies:
 *                               replace-one is the pair of mixtures towards +1 and -1)
 *   allocated records           the same: when one record is absent from the allocation. `steps`
 *                               counts batches, and an epoch that was begun counts whole
 *   without replacement, with replacement, matching
 *                               the replace-one sensitivity of the batch statistic (one slot).
 *                               With `owned` (without replacement alone) the same: the account
 *                               counts j drawn records of a user as T(m, j)/(m-1) of one, which
 *                               is how far pairs of two classes move (dppair_sampling_far_). For
 *                               other pairs pass dppair_sensitivity; for a sum of
 *                               vectors, one of each record, twice the move of one is enough
 *   sampled pairs               the clip of one pair's vector; of one group's, where groups of more
 *                               than two are drawn
 * pair_rate is the probability of each unordered pair and is read for Poisson pairs only, which
 * read n besides and nothing else; elsewhere it is 0. steps >= 1. Steps without sampling read of
 * `sampling` only the adjacency, which may be 0. ridge is read for perturbed objectives only, and
 * elsewhere 0.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
  double ridge; /* ridge / (top curvature times radius^2) of a perturbed objective */
} dppair_step;

DPPAIR_API int dppair_step_is_sampled_(const dppair_step *step) {
  return dppair_mechanism_is_sampled_(step->kind);
}

/* The fields that texts of a step hold besides its noise multiplier and the number of steps. */
enum {
  DPPAIR_FIELD_SAMPLING_ = 1,
  DPPAIR_FIELD_Q_ = 2,
  DPPAIR_FIELD_N_ = 4,
  DPPAIR_FIELD_M_ = 8,
  DPPAIR_FIELD_PAIR_RATE_ = 16,
  DPPAIR_FIELD_BATCHES_ = 32,
  DPPAIR_FIELD_GROUP_ = 64,
  DPPAIR_FIELD_OWNED_ = 128, /* where users are protected and records are drawn */
  DPPAIR_FIELD_RIDGE_ = 256
};

/* The fields that this step reads, by its kind and the kind of its sampling: all others are 0. */
DPPAIR_API int dppair_step_fields_(const dppair_step *step) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(step->kind);
  const dppair_sampling_row_ *sampling = dppair_sampling_row_of_(step->sampling.kind);
  int fields = DPPAIR_FIELD_SAMPLING_;
  if (row != NULL && (row->reads & DPPAIR_READS_RIDGE_)) return DPPAIR_FIELD_RIDGE_;
  if (row == NULL || sampling == NULL || !(row->reads & DPPAIR_READS_SAMPLING_)) return 0;
  if ((row->reads & DPPAIR_READS_PAIR_RATE_) && step->sampling.kind == DPPAIR_POISSON)
    return fields | DPPAIR_FIELD_N_ | DPPAIR_FIELD_PAIR_RATE_;
  if (sampling->reads & DPPAIR_READS_GROUPS_) fields |= DPPAIR_FIELD_GROUP_;
  if (sampling->reads & DPPAIR_READS_BATCHES_)
    fields |= DPPAIR_FIELD_BATCHES_ | DPPAIR_FIELD_GROUP_;
  if ((sampling->reads & DPPAIR_READS_OWNED_) &&
      dppair_adjacency_unit_(step->sampling.adjacency) == DPPAIR_OF_USERS_)
    fields |= DPPAIR_FIELD_OWNED_;
  if (sampling->reads & DPPAIR_READS_RATE_)
    return fields | DPPAIR_FIELD_Q_ | DPPAIR_FIELD_N_ | DPPAIR_FIELD_M_;
  if (sampling->reads & DPPAIR_READS_N_) fields |= DPPAIR_FIELD_N_;
  if (sampling->reads & DPPAIR_READS_M_) fields |= DPPAIR_FIELD_M_;
  return fields;
}

/* How often the law of a step runs: where batches make epochs it is one epoch of 1 of batches/group
 * batches, and an epoch that was begun counts whole. */
DPPAIR_API size_t dppair_step_runs_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  size_t epochs;
  if (!dppair_sampling_has_epochs_(s)) return step->steps;
  epochs = step->steps / s->batches + (step->steps % s->batches > 0 ? 1u : 0u);
  return epochs > SIZE_MAX / s->group ? SIZE_MAX : epochs * s->group;
}

/* How often its steepest slope times its radius the gradient of an objective moves: twice where a
 * record is replaced, or where nobody says what happens to it. */
DPPAIR_API double dppair_step_moves_(const dppair_step *step) {
  return dppair_adjacency_move_(step->sampling.adjacency) == DPPAIR_ZERO_OUT ? 1.0 : 2.0;
}

/* What one run adds to every loss of its law, rounded up: the determinants of an objective, log(1 +
 * 1/ridge). 0 elsewhere. */
DPPAIR_API double dppair_step_surplus_(const dppair_step *step) {
  if (!dppair_mechanism_is_objective_(step->kind)) return 0.0;
  return dppair_up_(dppair_up_(dppair_log1p_(dppair_up_(1.0 / step->ridge))));
}

/* The largest loss of one run, to nearest; 0 where there is none. */
DPPAIR_API double dppair_step_loss_(const dppair_step *step) {
  if (!dppair_mechanism_is_pure_(step->kind)) return 0.0;
  if (dppair_mechanism_is_objective_(step->kind))
    return dppair_step_moves_(step) / step->noise_multiplier + dppair_step_surplus_(step);
  return dppair_mechanism_scales_(step->kind) ? 1.0 / step->noise_multiplier
                                              : step->noise_multiplier;
}

/* The pure epsilon of one run, rounded up; infinite where there is none. */
DPPAIR_API double dppair_step_pure_(const dppair_step *step) {
  const double noise = step->noise_multiplier, e = dppair_step_loss_(step);
  if (!dppair_mechanism_is_pure_(step->kind)) return HUGE_VAL;
  if (!dppair_mechanism_scales_(step->kind)) return e;
  if (dppair_mechanism_is_objective_(step->kind)) return dppair_up_(e);
  return e * noise != 1.0 || dppair_product_error_(e, noise, 1.0) != 0.0 ? dppair_up_(e) : e;
}

/* Whether a pair of data sets attains the laws by which a step is charged, so that a lower bound
 * for the laws is one for the mechanism: never; by a single run alone; always. */
enum { DPPAIR_ATTAINED_NEVER_ = 0, DPPAIR_ATTAINED_ONCE_ = 1, DPPAIR_ATTAINED_ALWAYS_ = 2 };

/* What one run of a step adds to an account. At most one of mu, rho and pure is above 0; where mu
 * and rho are 0, the step itself is kept. */
typedef struct dppair_charge_ {
  double mu;    /* > 0: a plain Gaussian step with sensitivity / sigma = mu, rounded up */
  double rho;   /* > 0: zCDP */
  double pure;  /* > 0: no loss exceeds this epsilon, rounded up */
  int attained; /* DPPAIR_ATTAINED_... */
} dppair_charge_;

/* The check of a step without sampling, whose multiplier is refused by `status`: nothing but the
 * adjacency may be set in its sampling. A pure or zCDP step that costs 0 is one whose cost was
 * forgotten. */
DPPAIR_API dppair_status dppair_plain_check_(const dppair_step *step, dppair_status status) {
  const dppair_sampling *s = &step->sampling;
  if (!(step->noise_multiplier > 0.0)) return status;
  return s->kind == DPPAIR_ALL && s->q == 0.0 && s->n == 0 && s->m == 0 && s->batches == 0 &&
                 s->group == 0 && s->owned == 0 && step->pair_rate == 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_UNREAD;
}
