/* ------------------------------------------------------------------------------------------------
 * The route of epochs of one allocation
 *
 * The table of all batches, and where it has no answer that of fewer. Relies on answers.h and
 * accountant/composition/routes.h.
 * ---------------------------------------------------------------------------------------------- */

/* The steps as epochs of one allocation: all alike but for the numbers of steps and of groups. */
DPPAIR_API dppair_status dppair_steps_epochs_(dppair_law_ *law, size_t *epochs,
                                              const dppair_step *steps, size_t count) {
  const dppair_sampling *first = count > 0 ? &steps[0].sampling : NULL;
  double sum = 0.0;
  dppair_status status;
  size_t t;
  *epochs = 0;
  if (first == NULL || first->kind != DPPAIR_ALLOCATION) return DPPAIR_ERR_NO_PROOF;
  status = dppair_law_of_(law, &steps[0], 0.0);
  if (status == DPPAIR_OK && law->kind != DPPAIR_LAW_TABLE_) status = DPPAIR_ERR_NO_PROOF;
  for (t = 0; status == DPPAIR_OK && t < count; t++) {
    const dppair_sampling *s = &steps[t].sampling;
    status = dppair_step_check_(&steps[t]);
    if (status == DPPAIR_OK &&
        (s->kind != DPPAIR_ALLOCATION || s->adjacency != first->adjacency ||
         dppair_allocation_batches_(s) != dppair_allocation_batches_(first) ||
         memcmp(&steps[t].noise_multiplier, &law->noise, sizeof law->noise) != 0))
      status = DPPAIR_ERR_NO_PROOF;
    sum += (double)dppair_step_runs_(&steps[t]);
  }
  if (status == DPPAIR_OK && !(sum <= DPPAIR_ALLOCATION_EPOCHS_MOST_)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) *epochs = (size_t)sum;
  return status;
}

/* Epochs of one law of allocation, by the table of `batches` alone. */
DPPAIR_API dppair_status dppair_bracket_epochs_(dppair_interval *b, const dppair_question_ *q,
                                                const dppair_law_ *law, size_t batches,
                                                size_t epochs) {
  const dppair_adjacency adjacency = q->steps[0].sampling.adjacency;
  return q->for_delta ? dppair_allocation_delta_(b, law->noise, batches, epochs, q->given,
                                                 adjacency, q->only, q->work, q->doubles)
                      : dppair_allocation_epsilon_(b, law->noise, batches, epochs, q->given,
                                                   adjacency, q->only, q->work, q->doubles);
}

/* The same where that table has no answer: the lattice's, or what is known of the most batches, of
 * a half, a quarter .. of them, whose table has one. All curves fall with the number of batches
 * (law.h), and of one there is a closed form. */
DPPAIR_RARE_ dppair_status dppair_bracket_fewer_(dppair_interval *b, const dppair_question_ *q,
                                                 const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval other;
  dppair_status status = dppair_bracket_lattices_(b, q, 1e-3);
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, 1e-3)) return DPPAIR_OK;
  if (status != DPPAIR_OK) {
    memset(b, 0, sizeof *b);
    b->upper = HUGE_VAL;
  }
  do {
    batches /= 2;
    status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
  } while (batches > 1 && status == DPPAIR_ERR_NO_CONVERGENCE);
  if (status == DPPAIR_OK && other.upper < b->upper) {
    b->upper = b->estimate = other.upper;
    b->route = other.route;
  }
  return b->upper <= DBL_MAX ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Replace-one: where the table of all batches does not bound the comonotone pair from above, *b
 * says what plain noise does, whatever the number of batches; the table of fewer then says less. */
DPPAIR_RARE_ void dppair_bracket_replaced_(dppair_interval *b, const dppair_question_ *q,
                                           const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval plain, other;
  if (dppair_bracket_epochs_(&plain, q, law, 2, epochs) != DPPAIR_OK) return;
  if (b->upper < plain.upper) return;
  while ((batches /= 2) > 2) {
    const dppair_status status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
    if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE) return;
    if (status != DPPAIR_OK || !(other.upper < b->upper)) continue;
    b->upper = other.upper;
    b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
    return;
  }
}

/* Epochs of one allocation, and nothing else: by the table, without a transform, where it has an
 * answer. */
DPPAIR_RARE_ dppair_status dppair_allocation_bracket_(dppair_interval *b,
                                                      const dppair_question_ *q) {
  dppair_law_ law;
  size_t epochs;
  dppair_status status = dppair_steps_epochs_(&law, &epochs, q->steps, q->count);
  if (status != DPPAIR_OK) return status;
  status = dppair_bracket_epochs_(b, q, &law, law.batches, epochs);
  if (status == DPPAIR_ERR_NO_CONVERGENCE) status = dppair_bracket_fewer_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.batches > 2 &&
      dppair_adjacency_move_(q->steps[0].sampling.adjacency) == DPPAIR_REPLACE_ONE)
    dppair_bracket_replaced_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.merged) b->lower = 0.0;
  return status;
}
