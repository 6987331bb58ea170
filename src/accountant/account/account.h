/* ------------------------------------------------------------------------------------------------
 * The accountant: what has been released so far
 *
 * An account keeps plain Gaussian steps as one number, which composes on the exact curve, zCDP
 * steps as a sum of rho, and all other steps in a table of distinct mechanisms with their counts.
 * Every route evaluates the same table: Renyi orders (conversion.h) or numerical composition. When
 * the table is full, further distinct steps are added to Renyi curves at a fixed list of orders
 * (`folded`); from then on the account answers from those orders only. charges.h has the functions
 * that charge. Relies on steps.h, mechanisms/dispatch.h and ledger_entry.h.
 *
 * What is released may depend on earlier outputs. The parameters of a step and the number of steps
 * must not, because an epsilon that is itself a function of the outputs is no guarantee. If noise,
 * rates or the end of a run are chosen from outputs, use dppair_filter.
 *
 * Every answer holds for the neighbours of `adjacency`. dppair_accountant_neighbours states them;
 * plain steps, whose sensitivity rests on them, then need not. Without it `adjacency` is what all
 * steps state, and 0, unstated, once a step was charged that states nothing: the answers then hold
 * for whatever neighbours the sensitivities were computed for, and nothing can state them later.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STEP_CAPACITY 128 /* different steps that an account holds */
#define DPPAIR_ORDER_COUNT 150   /* Renyi orders */
#define DPPAIR_RECENT_CHARGES 64 /* charges that it remembers by themselves, to find one twice */

typedef struct dppair_accountant {
  uint32_t ready;             /* set by dppair_accountant_init */
  dppair_status broken;       /* why the first refused step was refused; OK: none was */
  dppair_adjacency adjacency; /* the neighbours that every answer holds for; 0: unstated */
  dppair_adjacency named;     /* what all steps state that state one, or the statement; else 0 */
  int stated;                 /* 1: by dppair_accountant_neighbours; -1: some step states none */
  int unattained;             /* some step is charged more than any two data sets attain */
  int folded;                 /* the table was full: answers come from the fixed orders */
  double gaussian;            /* sum of (sensitivity / sigma)^2 over plain Gaussian steps */
  double additions;           /* how often that sum was rounded up */
  double zcdp;                /* sum of rho */
  double pure;                /* sum of epsilon over the steps that have one */
  double failure;             /* probability that is added to delta */
  size_t count;               /* distinct steps in the table */
  uint64_t sequence;          /* charges so far */
  uint64_t check;             /* over all of them: dppair_ledger_check_of_ */
  uint64_t recent[DPPAIR_RECENT_CHARGES]; /* the latest checks, each at sequence % capacity */
  dppair_step step[DPPAIR_STEP_CAPACITY];
  double rdp[DPPAIR_ORDER_COUNT]; /* folded steps: their divergences at the fixed orders */
} dppair_accountant;

#define DPPAIR_ACCOUNTANT_READY_ UINT32_C(0x64707061)

/* The index-th fixed order, index < DPPAIR_ORDER_COUNT: 1.01 to 10001, geometric in order - 1. */
DPPAIR_API double dppair_renyi_order_(size_t index) {
  const double log_million = 13.815510557964274;
  return 1.0 + 0.01 * dppair_exp_((double)index * (log_million / (DPPAIR_ORDER_COUNT - 1)));
}

/* Empties an account: nothing has been released. Errors: NULL. */
DPPAIR_API dppair_status dppair_accountant_init(dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  memset(a, 0, sizeof *a);
  a->ready = DPPAIR_ACCOUNTANT_READY_;
  a->broken = DPPAIR_OK;
  return DPPAIR_OK;
}

/* May the account be asked? MODULE: it holds steps that another file of the program charged, by a
 * module that is not here. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_accountant_usable_(const dppair_accountant *a) {
  dppair_status status;
  size_t i;
  if (a == NULL) return DPPAIR_ERR_NULL;
  if (a->ready != DPPAIR_ACCOUNTANT_READY_) return DPPAIR_ERR_DOMAIN;
  status = a->broken != DPPAIR_OK ? a->broken : dppair_environment_check();
  for (i = 0; status == DPPAIR_OK && i < a->count; i++) {
    status = dppair_mechanism_known_(a->step[i].kind);
    if (status == DPPAIR_OK) status = dppair_draw_known_(a->step[i].sampling.kind);
  }
  return status;
}

/* Breaks the account, which then refuses every question: a status that nobody looked at must not
 * become an epsilon that is too small. */
DPPAIR_API dppair_status dppair_accountant_break_(dppair_accountant *a, dppair_status status) {
  if (a->broken == DPPAIR_OK) a->broken = status;
  return status;
}

/* May the account be charged? In another rounding mode sums would not be rounded up, so that breaks
 * the account too; so do steps of a module that is not here, beside which it would be added. */
DPPAIR_API dppair_status dppair_accountant_open_(dppair_accountant *a) {
  const dppair_status status = dppair_accountant_usable_(a);
  return status == DPPAIR_ERR_ENVIRONMENT || status == DPPAIR_ERR_MODULE
             ? dppair_accountant_break_(a, status)
             : status;
}

/* x + y, rounded up, exact when one of them is 0. */
DPPAIR_API double dppair_add_up_(double x, double y) {
  return x > 0.0 && y > 0.0 ? dppair_up_(x + y) : x + y;
}

/* Has a sum of charges stayed finite? Otherwise the account breaks. */
DPPAIR_API dppair_status dppair_accountant_finite_(dppair_accountant *a, double x) {
  return dppair_isfinite_f64(x) ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
}

/* Joins what is known of the neighbours. ADJACENCY: a statement with steps that state none, or two
 * relations; nothing changes then. */
DPPAIR_API dppair_status dppair_neighbours_join_(dppair_adjacency *all, int *all_stated,
                                                 dppair_adjacency named, int stated) {
  if (*all_stated * stated < 0 || (named != 0 && *all != 0 && named != *all))
    return DPPAIR_ERR_ADJACENCY;
  if (named != 0) *all = named;
  if (stated != 0) *all_stated = stated;
  return DPPAIR_OK;
}

/* The same for an account, which breaks. */
DPPAIR_API dppair_status dppair_accountant_relate_(dppair_accountant *a, dppair_adjacency named,
                                                   int stated) {
  if (dppair_neighbours_join_(&a->named, &a->stated, named, stated) != DPPAIR_OK)
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  a->adjacency = a->stated < 0 ? (dppair_adjacency)0 : a->named;
  return DPPAIR_OK;
}

/* The neighbours of a charge that states `adjacency`: if that is 0, those of the account, if they
 * were stated. */
DPPAIR_API dppair_adjacency dppair_accountant_adjacency_(const dppair_accountant *a,
                                                         dppair_adjacency adjacency) {
  return adjacency == 0 && a->stated > 0 ? a->adjacency : adjacency;
}

/* States the neighbours that all steps of the account are about; calling it again with the same
 * ones changes nothing. Another relation than what was stated before, or an account that holds a
 * step which states none: DPPAIR_ERR_ADJACENCY, and the account is broken. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_neighbours(dppair_accountant *a, dppair_adjacency adjacency) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_check_(adjacency) != DPPAIR_OK)
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  return dppair_accountant_relate_(a, adjacency, 1);
}

/* Numbers a charge that was made, and chains it. */
DPPAIR_API void dppair_accountant_count_(dppair_accountant *a, const dppair_ledger_entry *charge) {
  dppair_ledger_entry next = *charge;
  next.sequence = ++a->sequence;
  a->check = dppair_ledger_check_of_(a->check, &next);
  a->recent[a->sequence % DPPAIR_RECENT_CHARGES] = a->check;
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_CHARGED, dppair_mechanism_name(charge->step.kind), NULL, 0, 0,
                         NULL, charge->sigma, charge->sensitivity, charge, a, DPPAIR_OK));
}

DPPAIR_API dppair_status dppair_accountant_add_gaussian_(dppair_accountant *a, double mu2) {
  const double sum = dppair_add_up_(a->gaussian, mu2);
  a->additions += 1.0;
  if (!dppair_isfinite_f64(sum)) return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
  a->gaussian = sum;
  return DPPAIR_OK;
}

/* mu^2 steps, rounded up; 1e-150 is the smallest mu whose square is a normal number. */
DPPAIR_API double dppair_squared_up_(double mu, size_t steps) {
  if (mu > 0.0 && mu < 1e-150) mu = 1e-150;
  return dppair_up_(dppair_up_(mu * mu * dppair_up_((double)steps)));
}

/* The same mechanism, whatever the counts. Doubles are compared by their bits. */
DPPAIR_API int dppair_same_step_(const dppair_step *x, const dppair_step *y) {
  return x->kind == y->kind && x->sampling.kind == y->sampling.kind &&
         x->sampling.adjacency == y->sampling.adjacency &&
         memcmp(&x->sampling.q, &y->sampling.q, sizeof(double)) == 0 &&
         x->sampling.n == y->sampling.n && x->sampling.m == y->sampling.m &&
         x->sampling.batches == y->sampling.batches && x->sampling.owned == y->sampling.owned &&
         x->sampling.group == y->sampling.group &&
         memcmp(&x->noise_multiplier, &y->noise_multiplier, sizeof(double)) == 0 &&
         memcmp(&x->pair_rate, &y->pair_rate, sizeof(double)) == 0 &&
         memcmp(&x->ridge, &y->ridge, sizeof(double)) == 0;
}

/* Adds `step` to the curves at the fixed orders. Its hits are capped where 1e-13 in all is left,
 * and what is left is added to the failure probability. */
DPPAIR_RARE_ dppair_status dppair_accountant_fold_(dppair_accountant *a, const dppair_step *step) {
  const double times = (double)dppair_step_runs_(step), tail = 1e-13 / times;
  size_t i;
  double unpaid = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    double rdp, paid;
    const dppair_status status =
        dppair_renyi_step_(&rdp, &paid, step, dppair_renyi_order_(i), 0, tail);
    if (paid > unpaid) unpaid = paid;
    if (status == DPPAIR_ERR_OVERFLOW) {
      a->rdp[i] = DBL_MAX;
    } else if (status != DPPAIR_OK) {
      return status;
    } else if (a->rdp[i] < DBL_MAX) {
      const double total = dppair_add_up_(a->rdp[i], dppair_up_(rdp * times));
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
  }
  a->failure = dppair_add_up_(a->failure, dppair_up_(unpaid * times));
  a->folded = 1;
  return DPPAIR_OK;
}

/* Adds the step to the table, or to the fixed orders when the table is full. */
DPPAIR_API dppair_status dppair_accountant_record_(dppair_accountant *a, const dppair_step *step) {
  dppair_status status;
  size_t i;
  for (i = 0; i < a->count; i++) {
    if (dppair_same_step_(&a->step[i], step)) {
      if (a->step[i].steps > SIZE_MAX - step->steps)
        return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
      a->step[i].steps += step->steps;
      return DPPAIR_OK;
    }
  }
  if (a->count < DPPAIR_STEP_CAPACITY) {
    a->step[a->count++] = *step;
    return DPPAIR_OK;
  }
  status = dppair_accountant_fold_(a, step);
  return status == DPPAIR_OK ? DPPAIR_OK : dppair_accountant_break_(a, status);
}

/* Adds a step that was checked; its neighbours were too. Where batches make epochs, every charge
 * begins one of its own, which is counted whole. */
DPPAIR_API dppair_status dppair_accountant_add_(dppair_accountant *a, const dppair_step *step) {
  const dppair_charge_ charge = dppair_step_charge_(step);
  const size_t runs = dppair_step_runs_(step);
  const double times = dppair_up_((double)runs);
  if (charge.attained == DPPAIR_ATTAINED_NEVER_) a->unattained = 1;
  if (charge.mu > 0.0)
    return dppair_accountant_add_gaussian_(a, dppair_squared_up_(charge.mu, runs));
  if (charge.rho > 0.0) {
    a->zcdp = dppair_add_up_(a->zcdp, dppair_up_(charge.rho * times));
    return dppair_accountant_finite_(a, a->zcdp);
  }
  if (charge.pure > 0.0) { /* a largest loss, and a place in the table */
    dppair_status status;
    a->pure = dppair_add_up_(a->pure, dppair_up_(charge.pure * times));
    status = dppair_accountant_finite_(a, a->pure);
    if (status != DPPAIR_OK) return status;
  }
  if (dppair_sampling_has_epochs_(&step->sampling)) {
    dppair_step whole = *step;
    const size_t part = step->steps % step->sampling.batches;
    const size_t more = part > 0 ? step->sampling.batches - part : 0;
    if (more > SIZE_MAX - step->steps || runs == SIZE_MAX)
      return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
    whole.steps += more;
    return dppair_accountant_record_(a, &whole);
  }
  return dppair_accountant_record_(a, step);
}

/* Charges the entry's step and failure, and counts them. A step that is refused, or whose
 * neighbours are others than those of earlier steps, breaks the account. */
DPPAIR_API dppair_status dppair_accountant_charge_(dppair_accountant *a,
                                                   const dppair_ledger_entry *entry) {
  dppair_ledger_entry charge = *entry;
  dppair_adjacency *adjacency = &charge.step.sampling.adjacency;
  dppair_status status;
  *adjacency = dppair_accountant_adjacency_(a, *adjacency);
  status = dppair_step_check_(&charge.step);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  charge.step.sampling.group = dppair_ledger_group_(&charge.step.sampling);
  status = dppair_accountant_relate_(a, *adjacency, *adjacency != 0 ? 0 : -1);
  if (status == DPPAIR_OK) status = dppair_accountant_add_(a, &charge.step);
  if (status != DPPAIR_OK) return status;
  a->failure = dppair_add_up_(a->failure, charge.failure);
  dppair_accountant_count_(a, &charge);
  return DPPAIR_OK;
}
